"""Animations that script makes: keyframes and timing, read from what it gives for them (Web Animations 1, 6.4 and 6.5).

Only what is known for sure is read: anything else makes the animation one that cannot be told.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from husky_lint.script.inline_style import accepts, css_name
from husky_lint.script.operators import to_number, to_string
from husky_lint.script.values import NULL, UNDEFINED, ArrayObject, JSObject, JSValue, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lxml.etree import _Element

    from husky_lint.script.journal import Mutation
    from husky_lint.script.machine import Machine
    from husky_lint.source import Span

StyledAnimation: TypeAlias = "tuple[ScriptAnimation, str]"
"""An animation of a style sheet, as it begins, and the name of its keyframes."""
ANIMATION: Final = "animation/"
"""What the part of an element begins with that is one of its animations; the number of that follows."""
_MAX_KEYFRAMES: Final = 1000
_OWN: Final = frozenset({"offset", "easing", "composite"})
_COMPOSITES: Final = frozenset({"auto", "replace", "add", "accumulate"})
_WORDS: Final[Mapping[str, frozenset[str]]] = {
    "direction": frozenset({"normal", "reverse", "alternate", "alternate-reverse"}),
    "fill": frozenset({"auto", "none", "forwards", "backwards", "both"}),
}


class NotTold(Exception):  # noqa: N818 - it is no error of this program
    """A keyframe or an option is not known."""


@dataclass(frozen=True, slots=True)
class ScriptKeyframe:
    """``offset`` (0..1) as it comes out, ``easing`` from here to the next, ``values`` by CSS property, as written."""

    offset: float
    easing: str
    composite: str
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ScriptTiming:
    """The timing of an effect; times in milliseconds."""

    duration: float = 0.0
    delay: float = 0.0
    end_delay: float = 0.0
    iterations: float = 1.0
    iteration_start: float = 0.0
    direction: str = "normal"
    easing: str = "linear"
    fill: str = "auto"

    @property
    def end(self) -> float:
        """When it is over, in milliseconds of its own time."""
        active = 0.0 if not self.duration or not self.iterations else self.duration * self.iterations
        return max(self.delay + active + self.end_delay, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class ScriptAnimation:
    """An animation as it is in a state that has just begun: ``at`` is its own time then, in milliseconds.

    ``known`` is false where it is there, or may be, and what it does cannot be told. Of one of a style sheet that
    script has taken into its hands the keyframes are not here, and the timing only counts where it was set
    (``retimed``); ``ended`` says that it was cancelled.
    """

    element: _Element
    keyframes: tuple[ScriptKeyframe, ...]
    timing: ScriptTiming
    composite: str = "replace"
    rate: float = 1.0
    paused: bool = False
    at: float = 0.0
    known: bool = True
    retimed: bool = False
    ended: bool = False
    span: Span | None = None

    def untold(self) -> ScriptAnimation:
        """The same, of which nothing is known any more."""
        return replace(self, known=False)


@dataclass(frozen=True, slots=True)
class ElementAnimations:
    """What script has done to the animations of an element.

    ``made`` are those that it has made, with their numbers and in that order; ``taken`` those of style sheets, by name,
    that it has taken into its hands. ``known`` is false where something that may have been done cannot be told.
    """

    made: tuple[tuple[int, ScriptAnimation], ...]
    taken: Mapping[str, ScriptAnimation]
    known: bool


def animations_in(mutations: Iterable[Mutation]) -> Mapping[_Element, ElementAnimations]:
    """What script has done to animations, and still counts after these mutations, by element."""
    from husky_lint.script.journal import MarkUnknown, SetAnimation

    found: dict[tuple[_Element, int | str], ScriptAnimation] = {}
    doubtful: set[tuple[_Element, str]] = set()
    for mutation in mutations:
        if isinstance(mutation, SetAnimation):
            doubtful.discard((mutation.element, str(mutation.called)))
            if mutation.value is None:
                found.pop((mutation.element, mutation.called), None)
            else:
                found[mutation.element, mutation.called] = mutation.value
        elif isinstance(mutation, MarkUnknown) and mutation.part.startswith(ANIMATION):
            doubtful.add((mutation.element, mutation.part.removeprefix(ANIMATION)))
    of_element: dict[_Element, dict[int | str, ScriptAnimation]] = {element: {} for element, _ in doubtful}
    for (element, called), animation in found.items():
        of_element.setdefault(element, {})[called] = animation
    unsure = {element for element, _ in doubtful}
    return {
        element: ElementAnimations(
            tuple(sorted((called, one) for called, one in own.items() if isinstance(called, int))),
            {called: one for called, one in own.items() if isinstance(called, str)},
            element not in unsure and all(one.known for one in own.values()),
        )
        for element, own in of_element.items()
    }


# ---- keyframes


def read_keyframes(m: Machine, value: JSValue) -> tuple[ScriptKeyframe, ...]:
    """The keyframes of an ``animate()``; raises NotTold, or what a browser throws."""
    if value is NULL or value is UNDEFINED:
        return ()
    if type(value) is Unknown:
        raise NotTold
    if not isinstance(value, JSObject):
        raise m.type_error("Failed to execute 'animate' on 'Element': parameter 1 is not of type 'object'.")
    if value.unknown is not None:
        raise NotTold
    items = m.realm.items_of(value)
    frames = [_frame(m, item) for item in items] if items is not None else _by_property(m, value)
    if len(frames) > _MAX_KEYFRAMES:
        raise NotTold
    m.spend(len(frames))
    return tuple(
        ScriptKeyframe(offset, frame.easing, frame.composite, tuple(frame.values.items()))
        for frame, offset in zip(frames, _offsets(m, [frame.offset for frame in frames]), strict=True)
    )


@dataclass(slots=True)
class _Frame:
    """A keyframe as it is given."""

    values: dict[str, str]
    offset: float | None = None
    easing: str = "linear"
    composite: str = "auto"


def _frame(m: Machine, value: JSValue) -> _Frame:
    if value is NULL or value is UNDEFINED:
        return _Frame({})
    if type(value) is Unknown or (isinstance(value, JSObject) and value.unknown is not None):
        raise NotTold
    if not isinstance(value, JSObject):
        raise m.type_error("Failed to execute 'animate' on 'Element': keyframes must be objects.")
    frame = _Frame({})
    found: list[tuple[str, str]] = []
    for key in value.own_keys():
        content = value.get(m, key)
        if key in _OWN:
            _set_own(m, frame, key, content)
        elif (name := _property(key)) is not None:
            found.append((name, _text(m, content)))
    frame.values = _kept(found)
    return frame


def _set_own(m: Machine, frame: _Frame, key: str, value: JSValue) -> None:
    if value is UNDEFINED:
        return
    if key == "offset":
        frame.offset = None if value is NULL else _number(m, value, "offset")
    elif key == "easing":
        frame.easing = _easing(m, value)
    else:
        frame.composite = _word(m, value, "composite", _COMPOSITES)


def _by_property(m: Machine, value: JSObject) -> list[_Frame]:
    """Keyframes by property, each with the list of its values: ``{ opacity: [0, 1] }``.

    Values at one place of their lists share a keyframe; where that lies is told by the keyframes alone (Chromium 156).
    """
    by_offset: dict[float, list[tuple[str, str]]] = {}
    for key in value.own_keys():
        name = None if key in _OWN else _property(key)
        if name is None:
            continue
        values = _several(m, value.get(m, key))
        last = len(values) - 1
        for place, content in enumerate(values):
            by_offset.setdefault(place / last if last else 1.0, []).append((name, _text(m, content)))
    frames = [_Frame(_kept(by_offset[offset])) for offset in sorted(by_offset)]
    given = _several(m, value.get(m, "offset"))
    for frame, content in zip(frames, given, strict=False):
        _set_own(m, frame, "offset", content)
    for key in ("easing", "composite"):
        repeated = _several(m, value.get(m, key))
        for place, frame in enumerate(frames):
            if repeated:
                _set_own(m, frame, key, repeated[place % len(repeated)])
    return frames


def _several(m: Machine, value: JSValue) -> Sequence[JSValue]:
    if value is UNDEFINED:
        return ()
    if isinstance(value, ArrayObject):
        if value.unknown is not None:
            raise NotTold
        return value.items
    return (value,)


def _property(key: str) -> str | None:
    """The CSS property that a member of a keyframe is called after; None where it is none."""
    from husky_lint.style.grammar import property_info

    if key.startswith("--"):
        return key if len(key) > 2 else None
    if "-" in key:
        return None
    name = "offset" if key == "cssOffset" else css_name(key)
    return name if property_info(name) is not None else None


def _kept(found: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What a browser takes of the values of a keyframe: shorthands count less than their longhands."""
    from husky_lint.style.grammar import property_info

    def narrowness(entry: tuple[str, str]) -> int:
        info = property_info(entry[0])
        return 0 if info is None else -len(info.shorthand_of)

    return {name: text for name, text in sorted(found, key=narrowness) if text and accepts(name, text)}


def _offsets(m: Machine, given: Sequence[float | None]) -> list[float]:
    """The offsets with those filled in that are not given: evenly between their neighbours."""
    told = [offset for offset in given if offset is not None]
    if any(not 0 <= offset <= 1 for offset in told):
        raise m.type_error("Failed to execute 'animate' on 'Element': Offsets must be null or in the range [0,1].")
    if told != sorted(told):
        raise m.type_error("Failed to execute 'animate' on 'Element': Offsets must be monotonically non-decreasing.")
    offsets = list(given)
    if offsets and offsets[-1] is None:
        offsets[-1] = 1.0
    if len(offsets) > 1 and offsets[0] is None:
        offsets[0] = 0.0
    result: list[float] = []
    waiting = 0
    for offset in offsets:
        if offset is None:
            waiting += 1
            continue
        before = result[-1] if result else 0.0
        result += [before + (offset - before) * (step + 1) / (waiting + 1) for step in range(waiting)]
        result.append(offset)
        waiting = 0
    return result


# ---- options


def read_timing(m: Machine, value: JSValue, base: ScriptTiming | None = None) -> tuple[ScriptTiming, str]:
    """Timing and composite operation of the options of an ``animate()``; raises NotTold, or what a browser throws.

    With ``base`` only what is given is changed (``updateTiming``).
    """
    timing = ScriptTiming() if base is None else base
    if value is UNDEFINED or value is NULL:
        return timing, "replace"
    if type(value) is Unknown:
        raise NotTold
    if not isinstance(value, JSObject):
        return replace(timing, duration=_duration(m, value)), "replace"
    if value.unknown is not None:
        raise NotTold
    given = {key: content for key in value.own_keys() if (content := value.get(m, key)) is not UNDEFINED}
    if type(given.get("timeline", NULL)) is not Unknown and given.get("timeline", NULL) is not NULL:
        raise NotTold
    if given.get("iterationComposite", "replace") != "replace" or given.get("pseudoElement", NULL) is not NULL:
        raise NotTold
    changes: dict[str, Any] = {}
    if "duration" in given:
        changes["duration"] = _duration(m, given["duration"])
    for key, name in (("delay", "delay"), ("endDelay", "end_delay")):
        if key in given:
            changes[name] = _number(m, given[key], key)
    for key, name in (("iterations", "iterations"), ("iterationStart", "iteration_start")):
        if key in given:
            changes[name] = number = to_number(m, given[key])
            if type(number) is Unknown:
                raise NotTold
            if not number >= 0 or (key == "iterationStart" and math.isinf(number)):
                raise m.type_error(f"Failed to execute 'animate' on 'Element': {key} must be non-negative")
    for key, words in _WORDS.items():
        if key in given:
            changes[key] = _word(m, given[key], key, words)
    if "easing" in given:
        changes["easing"] = _easing(m, given["easing"])
    composite = _word(m, given.get("composite", "replace"), "composite", _COMPOSITES - {"auto"})
    return replace(timing, **changes), composite


def _duration(m: Machine, value: JSValue) -> float:
    if type(value) is Unknown:
        raise NotTold
    if value == "auto":
        return 0.0
    if type(value) is not float or not value >= 0:
        raise m.type_error("Failed to execute 'animate' on 'Element': duration must be non-negative or auto")
    if math.isinf(value):
        raise NotTold
    return value


def _number(m: Machine, value: JSValue, name: str) -> float:
    number = to_number(m, value)
    if type(number) is Unknown:
        raise NotTold
    if not math.isfinite(number):
        raise m.type_error(f"Failed to read the '{name}' property: The provided double value is non-finite.")
    return float(number)


def _text(m: Machine, value: JSValue) -> str:
    text = to_string(m, value)
    if type(text) is Unknown:
        raise NotTold
    return str(text).strip()


def _word(m: Machine, value: JSValue, name: str, words: frozenset[str]) -> str:
    text = _text(m, value)
    if text not in words:
        raise m.type_error(f"Failed to read the '{name}' property: The provided value is not a valid enum value.")
    return text


def _easing(m: Machine, value: JSValue) -> str:
    import tinycss2

    from husky_lint.animation.easing import parse_easing

    text = _text(m, value)
    if parse_easing(tinycss2.parse_component_value_list(text)) is None:
        raise m.type_error(f"'{text[:60]}' is not a valid value for easing")
    return text
