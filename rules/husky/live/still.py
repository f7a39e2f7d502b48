"""Looks at the page with reduced motion: the still at every pace, and the button that starts the walk."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from husky_lint.browser.live import look

from .desktop import Noise, fallen, hearts_of, noise
from .stage import STILL, Animation, animations, choose, meet, paces_of, standing, still_cast_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from husky_lint.browser.live import Control, LivePage

    from .desktop import Hearts
    from .stage import Cast

_TIMES: Final = (0.0, 0.13, 0.31, 0.67, 1.03, 1.9, 3.7, 6.3)
"""Seconds at which the still is compared with itself: no gait has a period that meets all of them."""


@dataclass(frozen=True, slots=True)
class Pose:
    """The still at a pace: what runs, how far each marked part was seen to move, and its box (units)."""

    running: tuple[Animation, ...]
    moved: Mapping[str, float]
    boxes: Mapping[str, list[float] | None]
    hidden: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Still:
    """The page for visitors who prefer reduced motion, at every pace."""

    cast: Cast
    poses: Mapping[str, Pose]


@look(STILL, 1)
def still_loaded(page: LivePage) -> Noise:
    """What the page says as it opens."""
    page.pass_time(0.2, 0.1)
    return noise(page)


@look(STILL, 2, still_cast_of)
def still(page: LivePage) -> Still:
    """The still at every pace."""
    page.pass_time(0.1)
    page.settle()
    cast = meet(page, still_cast_of)
    poses = {}
    for pace in paces_of(page.evidence):
        if choose(page, pace):
            running, hidden = standing(page)
            moved, boxes = _moved(page, cast)
            poses[pace] = Pose(running, moved, boxes, hidden)
    return Still(cast, poses)


def _moved(page: LivePage, cast: Cast) -> tuple[dict[str, float], Mapping[str, list[float] | None]]:
    """How far each marked part gets from where it is within some seconds, in units; those that move at all.

    Then where each part is in the end.
    """
    frames = page.see("boxesAt", list(_TIMES))
    page.pass_time(0.05)
    frames.append(page.see("boxes"))
    found: dict[str, float] = {}
    for name in cast.paths:
        seen = [frame[name] for frame in frames if frame.get(name) is not None]
        if len(seen) > 1:
            far = max(max(abs(a - b) for a, b in zip(one, seen[0], strict=True)) for one in seen[1:])
            if far > 0.01:
                found[name] = far
    return found, frames[-1]


@dataclass(frozen=True, slots=True)
class Started:
    """The button: what it says, where it stands, and what it starts.

    ``label`` is None where no control says it. ``holder`` is ``page`` for the .controls that the page has anyway,
    ``new`` for one that script made, ``""`` for none. ``legs`` are the joints whose animations run after a press.
    """

    label: str | None
    holder: str
    holders: tuple[str, ...]
    similar: str | None
    pressed: bool
    legs: int
    moved: float


@look(STILL, 5, still_cast_of)
def started(page: LivePage) -> Started:
    """The button that starts the walk all the same."""
    cast = meet(page, still_cast_of)
    choose(page, "walk")
    wanted = str(page.evidence.rubric.tolerance("HB2209", "label").value)
    controls = page.controls()
    found = next((one for one in controls if _plain(wanted) in _plain(f"{one.text} {one.label}")), None)
    if found is None:
        first = _plain(wanted).split()[0]
        similar = next((one.text for one in controls if first in _plain(one.text).split()), None)
        return Started(None, "", (), similar, False, 0, 0.0)
    holder = _holder(page, found)
    pressed = page.press(found)
    page.pass_time(0.05)
    running = animations(page)
    legs = {one.mark for one in running if one.mark in cast.legs and one.runs}
    before = page.see("boxes")
    page.pass_time(0.05)
    after = page.see("boxes")
    moved = [_apart(before[name], after[name]) for name in cast.legs if before.get(name) and after.get(name)]
    return Started(found.text or found.label, holder, found.holders, None, pressed, len(legs), max(moved, default=0.0))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _apart(one: list[float], other: list[float]) -> float:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def _holder(page: LivePage, control: Control) -> str:
    """Whose .controls a control stands in: the page's own, as its source has it, or one that script made."""
    if not any("controls" in holder.split() for holder in control.holders):
        return ""
    written = [element for element in page.evidence.page.elements if "controls" in (element.get("class") or "").split()]
    return "page" if written else "new"


@look(STILL, 4, still_cast_of)
def still_hearts(page: LivePage) -> Hearts | None:
    """The hearts of a dog that stands and is made happy."""
    return hearts_of(page, meet(page, still_cast_of))


@look(STILL, 3, still_cast_of)
def still_falls(page: LivePage) -> Mapping[str, tuple[Mapping[str, Any], ...]]:
    """What falls into the scene at the fast paces while the dog stands."""
    cast = meet(page, still_cast_of)
    found = {}
    for pace in ("hop", "zoomies"):
        if choose(page, pace):
            page.pass_time(0.5)
            page.see("watch")
            page.pass_time(3.0, 3.0)
            found[pace] = fallen(page.see("watched"), cast)
    return found
