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
from husky_lint.animation.timeline import EffectTiming, parse_names
from husky_lint.script.animations import animations_in
from husky_lint.style.page_state import ScriptedMotion
from husky_lint.style.values import serialize, split_commas

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lxml.etree import _Element

    from husky_lint.animation.easing import Easing
    from husky_lint.parse.css import Stylesheet
    from husky_lint.script.animations import ScriptAnimation
    from husky_lint.style.computed import ComputedStyle, StyledDocument
    from husky_lint.style.page_state import PageState

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


def with_animations(
    state: PageState,
    style: Callable[[PageState], StyledDocument],
    sheet_of: Callable[[ScriptAnimation, str], Stylesheet],
) -> PageState:
    """The state with the animations that script has made in it.

    ``style`` gives the styles of a state, ``sheet_of`` the sheet of an animation from its text. The state is given back
    as it is where there are none.
    """
    made = animations_in(state.mutations)
    if not made:
        return state
    styled = style(state)
    declared: dict[_Element, str] = {}
    sheets: list[Stylesheet] = []
    timings: dict[str, EffectTiming] = {}
    driven: set[_Element] = set()
    for element, animations in made.items():
        if element not in styled:
            continue
        own = _lists(styled.computed(element))
        if own is None or len(sheets) > _MOST or not all(_is_told(animation) for _, animation in animations):
            driven.add(element)
            continue
        for order, animation in animations:
            if not any(frame.values for frame in animation.keyframes):
                continue
            name = f"--animate-{order}"
            sheets.append(sheet_of(animation, _rule(animation, name)))
            for longhand, value in _entry(animation, name).items():
                own[longhand].append(value)
            timings[name] = _timing(animation)
        declared[element] = " ".join(f"{name}: {', '.join(values)} !important;" for name, values in own.items())
    scripted = ScriptedMotion(MappingProxyType(declared), tuple(sheets), MappingProxyType(timings), frozenset(driven))
    return replace(state, scripted=scripted)


def _is_told(animation: ScriptAnimation) -> bool:
    """Whether it is known what an animation does.

    Between a keyframe that replaces and one that adds browsers do not blend as specified; and at an end that is
    overshot one keyframe has to decide.
    """
    own = animation.composite
    composites = {own if frame.composite == "auto" else frame.composite for frame in animation.keyframes}
    if not animation.known or len(composites) > 1:
        return False
    ends = [frame.offset for frame in animation.keyframes if frame.offset in (0.0, 1.0)]
    if len(ends) == len(set(ends)):
        return True
    easing = _easing(animation)
    along = np.linspace(0.0, 1.0, 65) if easing is None else easing(np.linspace(0.0, 1.0, 65))
    return bool(along.min() >= 0 and along.max() <= 1)


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
