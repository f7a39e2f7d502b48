"""Animations that script has made, told as style sheets tell theirs.

Each becomes a ``@keyframes`` rule and an entry behind the element's own in its ``animation-*`` lists, where it is in
composite order (Web Animations 1, section 5.4.2). Whatever reads styles sees it then. What no property says is in an
:class:`~husky_lint.animation.timeline.EffectTiming`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np
import tinycss2

from husky_lint.animation.easing import LINEAR, parse_easing
from husky_lint.animation.timeline import EffectTiming, animation_specs, parse_names
from husky_lint.parse.html import SVG
from husky_lint.script.animations import ScriptAnimation, ScriptTiming, animations_in
from husky_lint.script.journal import InsertNode, RemoveNode, SetAttribute, SetText
from husky_lint.script.settling import SETTLED
from husky_lint.style.page_state import PageState, ScriptedMotion
from husky_lint.style.values import parse_time, serialize, split_commas

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

    from lxml.etree import _Element

    from husky_lint.animation.easing import Easing
    from husky_lint.parse.css import Stylesheet
    from husky_lint.script.animations import StyledAnimation
    from husky_lint.script.journal import Mutation
    from husky_lint.style.computed import ComputedStyle, StyledDocument

_MOST: Final = 400
"""More animations than these are not looked at."""
_INITIAL: Final[Mapping[str, str]] = MappingProxyType(
    {
        "animation-name": "none",
        "animation-duration": "0s",
        "animation-timing-function": "ease",
        "animation-delay": "0s",
        "animation-iteration-count": "1",
        "animation-direction": "normal",
        "animation-fill-mode": "none",
        "animation-play-state": "running",
        "animation-composition": "replace",
    }
)

_RUNNING: Final = (
    "animation-name",
    "animation-duration",
    "animation-delay",
    "animation-iteration-count",
    "animation-play-state",
)


def with_animations(
    state: PageState,
    style: Callable[[PageState], StyledDocument],
    sheet_of: Callable[[ScriptAnimation, str], Stylesheet],
) -> PageState:
    """The state with the animations that script has made in it.

    ``style`` gives the styles of a state, ``sheet_of`` the sheet of an animation from its text. The state is given back
    as it is where there are none.
    """
    done = animations_in(state.mutations)
    if not done:
        return state
    styled = style(state)
    declared: dict[_Element, str] = {}
    sheets: list[Stylesheet] = []
    timings: dict[str, EffectTiming] = {}
    driven: set[_Element] = set()
    for element, animations in done.items():
        if element not in styled:
            continue
        own = _lists(styled.computed(element))
        told = animations.known and all(map(_is_told, (one for _, one in animations.made)))
        if own is None or len(sheets) > _MOST or not told:
            driven.add(element)
            continue
        for name, animation in animations.taken.items():
            _take(own, name, animation)
        for number, animation in animations.made:
            if not any(frame.values for frame in animation.keyframes):
                continue
            name = f"--animate-{number}"
            sheets.append(sheet_of(animation, _rule(animation, name)))
            for longhand, value in _entry(animation, name).items():
                own[longhand].append(value)
            timings[name] = _timing(animation)
        if own["animation-name"]:
            declared[element] = " ".join(f"{name}: {', '.join(values)} !important;" for name, values in own.items())
    scripted = ScriptedMotion(MappingProxyType(declared), tuple(sheets), MappingProxyType(timings), frozenset(driven))
    return replace(state, scripted=scripted)


def _take(own: dict[str, list[str]], name: str, animation: ScriptAnimation) -> None:
    """Let an animation of style sheets be as script has it; the last of that name is the one that is seen."""
    places = [place for place, one in enumerate(own["animation-name"]) if one.strip("\"'") == name]
    if not places:
        return
    place = places[-1]
    if animation.ended:
        own["animation-name"][place] = "none"
        return
    entry = _entry(animation, own["animation-name"][place])
    if not animation.retimed:
        rate = animation.rate or 1.0
        timing = _seconds_of(own["animation-duration"][place]), _seconds_of(own["animation-delay"][place])
        entry = {
            "animation-duration": f"{timing[0] / rate!r}s",
            "animation-delay": f"{(timing[1] - animation.at / 1000) / rate!r}s",
            "animation-play-state": entry["animation-play-state"],
        }
    entry.pop("animation-timing-function", None)
    entry.pop("animation-composition", None)
    for longhand, value in entry.items():
        own[longhand][place] = value


def _seconds_of(text: str) -> float:
    return parse_time(tinycss2.parse_component_value_list(text)) or 0.0


def _is_told(animation: ScriptAnimation) -> bool:
    """Whether it is known what an animation does.

    Between a keyframe that replaces and one that adds browsers do not blend as specified; and at an end that is
    overshot one keyframe has to decide.
    """
    own = animation.composite
    composites = {own if frame.composite == "auto" else frame.composite for frame in animation.keyframes}
    if len(composites) > 1:
        return False
    ends = [frame.offset for frame in animation.keyframes if frame.offset in (0.0, 1.0)]
    if len(ends) == len(set(ends)):
        return True
    easing = _easing(animation)
    along = np.linspace(0.0, 1.0, 65) if easing is None else easing(np.linspace(0.0, 1.0, 65))
    return bool(along.min() >= 0 and along.max() <= 1)


def what_animates(mutations: Iterable[Mutation], own: frozenset[_Element]) -> Iterator[Hashable]:
    """What two runs of mutations have to have alike for the same to be animated after them.

    That is the attributes of the elements that the page has of its ``own``, and what comes and goes in a picture.
    Controls that script makes beside it animate nothing in it.
    """
    attributes: dict[tuple[_Element, str], str | None] = {}
    for mutation in mutations:
        if isinstance(mutation, SetAttribute):
            if mutation.element in own and not mutation.name.startswith("aria-"):
                attributes[mutation.element, mutation.name] = mutation.value
        elif isinstance(mutation, InsertNode | RemoveNode):
            if any(map(_is_drawn, mutation.node.iter("*"))):
                yield id(mutation)
        elif isinstance(mutation, SetText) and any(map(_is_drawn, mutation.children_before)):
            yield id(mutation)
    yield frozenset(attributes.items())


def _is_drawn(element: _Element) -> bool:
    return str(element.tag).startswith(f"{{{SVG}}}")


def styled_animations(styled: StyledDocument) -> list[StyledAnimation]:
    """The animations that style sheets make, in document order, each as it begins and with its name.

    What ends within a second is taken to be over when script asks for it; where a longer one is then is not known.
    """
    found: list[StyledAnimation] = []
    shown: dict[ComputedStyle, bool] = {}
    for style in styled.declaring("animation-name"):
        names = [name for name in parse_names(style.value("animation-name")) or () if name is not None]
        if not any(map(styled.keyframes, names)) or not _is_shown(style, shown):
            continue
        for spec in animation_specs({name: style.value(name) for name in _RUNNING}):
            timing = ScriptTiming(1e3 * spec.duration, 1e3 * spec.delay, iterations=spec.iteration_count)
            if styled.keyframes(spec.name) is not None and timing.end > SETTLED:
                known = math.isinf(timing.end)
                made = ScriptAnimation(style.element, (), timing, paused=spec.paused, known=known)
                found.append((made, spec.name))
    return found


def _is_shown(style: ComputedStyle, known: dict[ComputedStyle, bool]) -> bool:
    """Whether an element is displayed; ``known`` keeps the answers."""
    waiting: list[ComputedStyle] = []
    above: ComputedStyle | None = style
    while above is not None and above not in known:
        waiting.append(above)
        above = above.parent
    shown = above is None or known[above]
    for one in reversed(waiting):
        shown = known[one] = shown and one.keyword("display") != "none"
    return shown


def _lists(style: ComputedStyle) -> dict[str, list[str]] | None:
    """The element's own ``animation-*`` lists, all of one length; None where they cannot be told."""
    if not style.declares("animation-name"):
        return {name: [] for name in _INITIAL}
    if any(style.unknown(name) is not None for name in _INITIAL):
        return None
    names = parse_names(style.value("animation-name")) or []
    if not any(names):
        return {name: [] for name in _INITIAL}
    found: dict[str, list[str]] = {}
    for longhand, initial in _INITIAL.items():
        values = [serialize(part).strip() for part in split_commas(style.value(longhand))] or [initial]
        found[longhand] = [values[place % len(values)] for place in range(len(names))]
    return found


def _rule(animation: ScriptAnimation, name: str) -> str:
    """The keyframes as a rule. Each has a timing function of its own, as in script none is the animation's."""
    blocks: list[str] = []
    for frame in animation.keyframes:
        declarations = [f"animation-timing-function: {_clean(frame.easing)}"]
        if frame.composite != "auto":
            declarations.append(f"animation-composition: {frame.composite}")
        declarations += [f"{name}: {_clean(text)}" for name, text in frame.values]
        blocks.append(f"  {frame.offset * 100!r}% {{ {'; '.join(declarations)}; }}")
    return "\n".join((f"@keyframes {name} {{", *blocks, "}"))


def _clean(text: str) -> str:
    """A value as it can stand in a style sheet: everything that it opens is closed."""
    return serialize(tinycss2.parse_component_value_list(text, skip_comments=True))


def _entry(animation: ScriptAnimation, name: str) -> dict[str, str]:
    timing, rate = animation.timing, animation.rate or 1.0
    fill = timing.fill if timing.fill != "auto" else "none"
    return {
        "animation-name": name,
        "animation-duration": _seconds(timing.duration / rate),
        "animation-timing-function": "linear",
        "animation-delay": _seconds((timing.delay - animation.at) / rate),
        "animation-iteration-count": "infinite" if math.isinf(timing.iterations) else repr(timing.iterations),
        "animation-direction": timing.direction,
        "animation-fill-mode": fill,
        "animation-play-state": "paused" if animation.paused or not animation.rate else "running",
        "animation-composition": animation.composite,
    }


def _seconds(milliseconds: float) -> str:
    return f"{milliseconds / 1000!r}s"


def _timing(animation: ScriptAnimation) -> EffectTiming:
    timing = animation.timing
    end_delay = timing.end_delay / 1000 / (animation.rate or 1.0)
    return EffectTiming(timing.iteration_start, end_delay, _easing(animation))


def _easing(animation: ScriptAnimation) -> Easing | None:
    """The timing function of whole iterations; None where it does nothing."""
    easing = parse_easing(tinycss2.parse_component_value_list(animation.timing.easing))
    return None if easing == LINEAR else easing
