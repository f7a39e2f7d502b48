"""What flies: clumps of undercoat in the fast gaits, and hearts, which stay in the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from husky_lint.browser.live import Measured, live
from husky_lint.rule import Finding, Reason, Undecided

from ..clocked import SECONDS
from .desktop import clock
from .still import still_falls, still_hearts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from husky_lint.browser.live import Reports

    from .desktop import Hearts

_SHEDS: Final = ("hop", "zoomies")
_MOVED: Final = 1.0
"""Units from which a box has answered."""


@live("HB2601", clock, still_falls)
def shedding(reports: Reports, most: int, least_random: int, paces: Sequence[str]) -> Iterator[Finding | Measured]:
    """Lets the page's clock run at every pace, while paused and in the still, and counts what falls into the scene."""
    seen = reports.of(clock)
    fallen = {pace: len(run.added) for pace, run in seen.passed.items()}
    stills = {pace: len(found) for pace, found in reports.of(still_falls).items()}
    yield Measured(f"clumps in {SECONDS:g} s", fallen)
    yield Measured("clumps while paused", len(seen.paused) if seen.paused is not None else None)
    yield Measured("clumps in the still", stills)
    yield Measured("clumps in the scene after a long run", seen.crowd)
    for pace, count in fallen.items():
        if pace in _SHEDS and not count:
            yield Finding(f"no clump comes loose within {SECONDS:g} s at {pace}", data={"pace": pace})
        elif pace not in _SHEDS and count:
            yield Finding(f"clumps come loose at {pace}; they do at {' and '.join(_SHEDS)} only", data={"pace": pace})
    if seen.paused:
        yield Finding("clumps come loose while paused", data={"clumps": len(seen.paused)})
    for pace, count in stills.items():
        if count:
            yield Finding(f"clumps come loose in the still at {pace}", data={"pace": pace, "clumps": count})
    unreached = [pace for pace in paces if pace not in fallen or (pace in _SHEDS and pace not in stills)]
    if seen.crowd > most:
        yield Finding(f"{seen.crowd} clumps lie in the scene after a long run: nothing stops them")
    if seen.fast is not None:
        various = _various(seen.passed[seen.fast].added)
        yield Measured("properties in which clumps differ", various)
        if len(seen.passed[seen.fast].added) > 3 and len(various) < least_random:
            yield Finding(
                f"clumps differ in {len(various)} properties; place, size, spin and time of flight are drawn at random",
                data={"random": various, "expected": least_random},
            )
    if unreached or (seen.fast is not None and seen.paused is None):
        where = f"put to {', '.join(unreached)}, in use and in the still" if unreached else "paused"
        raise Undecided(Reason.STATE_NOT_FOUND, f"the live page could not be {where}")


def _various(added: Sequence[Mapping[str, Any]]) -> list[str]:
    """The properties that differ between what was added."""
    values: dict[str, set[str]] = {}
    for one in added:
        for name, value in one["own"].items():
            values.setdefault(name, set()).add(str(value))
    return sorted(name for name, seen in values.items() if len(seen) > 2)


@live("HB2602", clock)
def heart_transform(reports: Reports, heart_properties: Sequence[str]) -> Iterator[Finding | Measured]:
    """Makes the dog happy, changes each custom property of a heart, and looks whether the heart follows."""
    hearts = _hearts(reports)
    yield Measured("what was pressed", hearts.control)
    first = hearts.added[0]["own"]
    lacking = [name for name in heart_properties if name not in first]
    yield Measured("properties of a heart", {name: first.get(name) for name in heart_properties})
    if lacking:
        yield Finding(f"a heart has no {', '.join(lacking)}", data={"missing": lacking})
    if not hearts.answers:
        raise Undecided(Reason.LIMIT, "the heart was gone before it could be looked at")
    answer = hearts.answers[0]
    yield Measured("how its box answers to each (x, y, width, height)", {n: answer[n] for n in heart_properties})
    if (answer["transform"] or answer["inline"]) and answer["animated"]:
        by = "a transform attribute" if answer["transform"] else "an inline transform"
        yield Finding(f"a heart is placed by {by}, which its animation overrides")
    for name, ways in zip(heart_properties, ((0,), (1,), (2, 3)), strict=True):
        moved = answer[name]
        if name not in lacking and (moved is None or max(abs(moved[way]) for way in ways) < _MOVED / 4):
            yield Finding(f"{name} of a heart moves nothing: its keyframes do not read it", data={"property": name})


@live("HB2603", clock, still_hearts)
def hearts_in_viewbox(
    reports: Reports, visible_opacity: float, slack: float, view_box: Sequence[float]
) -> Iterator[Finding | Measured]:
    """Makes the dog happy, with chance at its ends too, and follows the box of every heart along its flight.

    Then the same with reduced motion, where a heart that only an animation places stands at the origin.
    """
    hearts, still = _hearts(reports), reports.of(still_hearts)
    tracks = (*hearts.tracks, *(still.tracks if still is not None else ()))
    boxes = [step["box"] for track in tracks for step in track if step["opacity"] >= visible_opacity and step["box"]]
    yield Measured("what was pressed", hearts.control)
    yield Measured("hearts followed", len(hearts.tracks))
    if not boxes:
        raise Undecided(Reason.LIMIT, "no heart was seen")
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    yield Measured("hearts reach (left, top, right, bottom)", [round(edge, 1) for edge in (left, top, right, bottom)])
    x, y, width, height = view_box
    out = max(x - left, y - top, right - (x + width), bottom - (y + height))
    if out > slack:
        yield Finding(
            f"a heart reaches {out:.0f} units out of the viewBox: x {left:.0f} to {right:.0f}, y {top:.0f} to "
            f"{bottom:.0f}",
            data={"outside": out},
        )


def _hearts(reports: Reports) -> Hearts:
    hearts = reports.of(clock).hearts
    if hearts is None:
        raise Undecided(Reason.ROLE_NOT_FOUND, "nothing on the live page makes a heart")
    return hearts
