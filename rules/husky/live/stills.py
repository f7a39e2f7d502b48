"""Reduced motion as such a visitor has it: a picture that stands, and a button that starts the walk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from husky_lint.browser.live import Measured, live
from husky_lint.rule import Finding, Reason, Undecided

from ..rig import LEGS
from ..strides import GONE_AT
from .stage import place_of
from .still import started, still

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from husky_lint.browser.live import Reports

    from .still import Pose, Still

_BOX: Final = 4.0
"""Units that the box of a turned paw may reach below its outline."""
_MOST_BELOW: Final = 14.0


@live("HB2208", still)
def reduced_motion_still(
    reports: Reports, paces: Sequence[str], default_pace: str, path_band: Sequence[float], still_motion: float
) -> Iterator[Finding | Measured]:
    """Opens the page with reduced motion: at every pace nothing of gait and scenery moves, and the dog stands."""
    seen = reports.of(still)
    running = {pace: sorted({one.name for one in pose.running if one.runs}) for pace, pose in seen.poses.items()}
    yield Measured("animations that run", running)
    told: set[str] = set()
    for pace in (one for one in paces if one in seen.poses):
        pose = seen.poses[pace]
        for what in _moving(seen, pose, still_motion):
            if what not in told:
                told.add(what)
                yield Finding(
                    f"{what} moves at {pace} for visitors who prefer reduced motion", data={"part": what, "pace": pace}
                )
        yield from _wrong_still(seen, pose, pace, pace == default_pace, path_band)
    unreached = [pace for pace in paces if pace not in seen.poses]
    if unreached:
        where = ", ".join(unreached)
        raise Undecided(Reason.STATE_NOT_FOUND, f"with reduced motion the live page could not be put to {where}")


def _moving(seen: Still, pose: Pose, still_motion: float) -> list[str]:
    cast = seen.cast
    alive = [cast.paths[name] for name in (*cast.head, *cast.ear, *cast.hearts)]
    found: dict[str, None] = {}
    for name, what in cast.gait.items():
        holds_life = any(path.startswith(cast.paths[name]) for path in alive)
        if pose.moved.get(name, 0.0) > still_motion and not holds_life:
            found[what] = None
    dog = place_of(cast.paths["dog 0"]) if "dog 0" in cast.paths else None
    apart = [place_of(cast.paths[name]) for name in cast.hearts]
    for one in pose.running:
        outside = not one.mark and not any(
            one.place == place or one.place.startswith(f"{place}>") for place in (dog, *apart) if place
        )
        if outside and one.runs and one.endless and dog is not None:
            found[f"{one.place} of the scenery"] = None
        elif one.runs and one.endless and one.mark in cast.gait:
            found[cast.gait[one.mark]] = None
        elif one.runs and one.endless and one.mark in cast.tail:
            found["the tail"] = None
    return list(found)


def _wrong_still(seen: Still, pose: Pose, pace: str, default: bool, path_band: Sequence[float]) -> Iterator[Finding]:
    top, bottom = path_band
    lowest: dict[str, float] = {}
    for leg in LEGS:
        if leg in GONE_AT.get(pace, ()):
            continue
        what = f"the {leg.replace('_', ' ')} leg"
        marks = [name for name, role in seen.cast.gait.items() if role == what]
        boxes = [box for name in marks if (box := pose.boxes.get(name)) is not None]
        if marks and not boxes:
            yield Finding(f"{what} is not seen in the still at {pace}", data={"leg": leg, "pace": pace})
        elif boxes:
            lowest[leg] = max(box[1] + box[3] for box in boxes)
    for leg, depth in lowest.items():
        if depth > bottom + _MOST_BELOW + _BOX:
            yield Finding(
                f"the {leg.replace('_', ' ')} paw is at y {depth:.0f} in the still at {pace}, below the path "
                f"({top:g}–{bottom:g})",
                data={"leg": leg, "pace": pace, "y": depth},
            )
    standing = [leg for leg, depth in lowest.items() if top - 2.0 <= depth <= bottom + 2.0 + _BOX]
    if default and len(lowest) == len(LEGS) and len(standing) < 2:
        heights = ", ".join(f"{leg.replace('_', ' ')} {depth:.0f}" for leg, depth in lowest.items())
        yield Finding(f"the dog does not stand on the path in the still at {pace}: paws at y {heights}")


@live("HB2209", started)
def start_button(reports: Reports, label: str) -> Iterator[Finding | Measured]:
    """Opens the page with reduced motion, looks for the button and presses it: the legs must move."""
    seen = reports.of(started)
    yield Measured("the button says", seen.label)
    yield Measured(
        "it stands in", {"page": "the page's .controls", "new": "a .controls that script made"}.get(seen.holder)
    )
    yield Measured("joints of legs that run after a press", seen.legs)
    yield Measured("units that a leg goes within some frames", round(seen.moved, 1))
    if seen.label is None:
        close = f"; one says “{seen.similar}”" if seen.similar else ""
        yield Finding(
            f"no control says “{label}” for visitors who prefer reduced motion{close}", core=seen.similar is None
        )
        return
    if not seen.holder:
        among = any("control" in one or "toolbar" in one for one in seen.holders)
        yield Finding(f"“{seen.label}” stands outside the page's .controls", core=not among)
    elif seen.holder == "new":
        yield Finding(f"“{seen.label}” stands in a .controls that script makes", core=False)
    if not seen.pressed:
        raise Undecided(Reason.STATE_NOT_FOUND, f"“{seen.label}” cannot be reached to be pressed")
    if not seen.legs and seen.moved < 0.05:
        yield Finding(f"“{seen.label}” does not start the walk: no leg moves after a press", core=True)
