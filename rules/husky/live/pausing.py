"""Pause as a person sees it: what stands still, and what lives on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from husky_lint.browser.live import Measured, live
from husky_lint.rule import Finding, Reason, Undecided

from .desktop import paced, paused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from husky_lint.browser.live import Reports

    from .desktop import Pause, Paused
    from .stage import Animation

_SEEN: Final = 0.25
"""Units within some frames from which a part is seen to move."""
_NODS: Final = (0.25, 0.5, 1.0, 2.0)
"""Cycles that a nod takes; a look around takes its own time."""


@live("HB2204", paused, paced)
def pause_stops_gait(reports: Reports, paces: Sequence[str]) -> Iterator[Finding | Measured]:
    """Presses pause at every pace: no animation of the gait may run on, and no part of it be seen to move."""
    seen = reports.of(paused)
    cycles = reports.of(paced).cycles
    yield Measured("what was pressed", seen.control)
    if not seen.paces:
        named = [text for text in seen.tried if len(text) > 1]
        if not seen.tried:
            raise Undecided(Reason.STATE_NOT_FOUND, "the live page could be put into no pace to pause it")
        yield Finding(f"“{named[0]}” pauses nothing" if named else "no control and no key pauses the walk", core=True)
        return
    going = {pace: _still_going(seen, pace, one, cycles.get(pace, 0.0)) for pace, one in seen.paces.items()}
    yield Measured("what goes on while paused", going)
    everywhere = all(going.values())
    for what in dict.fromkeys(what for found in going.values() for what in found):
        where = [pace for pace, found in going.items() if what in found]
        told = "at every pace" if len(where) == len(seen.paces) else f"at {', '.join(where)}"
        yield Finding(f"{what} goes on while paused, {told}", core=everywhere, data={"part": what, "paces": where})
    missing = [pace for pace in paces if pace not in seen.paces]
    if missing and not everywhere:
        raise Undecided(Reason.STATE_NOT_FOUND, f"the live page could not be paused at {', '.join(missing)}")


def _still_going(seen: Paused, pace: str, one: Pause, cycle: float) -> list[str]:
    found: dict[str, None] = {}
    for animation in one.running:
        what = seen.cast.gait.get(animation.mark)
        if what is not None and animation.runs and (animation.endless or what == "the loose leg"):
            found[what] = None
        if animation.mark in seen.cast.head and animation.runs and _is_nod(animation, cycle):
            found["the nod"] = None
    for mark, far in one.moved.items():
        if far > _SEEN and not any(_carried(other, mark, seen) for other in seen.cast.head):
            found.setdefault(seen.cast.gait[mark], None)
    return list(found)


def _is_nod(animation: Animation, cycle: float) -> bool:
    return cycle > 0 and any(abs(animation.duration / cycle - share) < 0.02 * share for share in _NODS)


def _carried(other: str, mark: str, seen: Paused) -> bool:
    """Whether the box of a part holds one that lives: the dog's box changes as its head turns."""
    return seen.cast.paths[other].startswith(seen.cast.paths[mark])


@live("HB2205", paused)
def paused_but_alive(reports: Reports, paces: Sequence[str]) -> Iterator[Finding | Measured]:
    """Presses pause at every pace: an animation of the head and one of the ear must run on."""
    seen = reports.of(paused)
    if not seen.paces:
        raise Undecided(Reason.STATE_NOT_FOUND, "nothing pauses the live page")
    alive: dict[str, dict[str, list[str]]] = {}
    for pace, one in seen.paces.items():
        names = {
            "head": [a.name for a in one.running if a.mark in seen.cast.head and a.runs],
            "ear": [a.name for a in one.running if a.mark in seen.cast.ear and a.runs],
        }
        alive[pace] = names
    yield Measured("what lives while paused", alive)
    lacking = {part: [pace for pace in alive if not alive[pace][part]] for part in ("head", "ear")}
    everywhere = any(len(where) == len(alive) for where in lacking.values())
    for part, where in lacking.items():
        if not where:
            continue
        if not (seen.cast.head if part == "head" else seen.cast.ear):
            raise Undecided(Reason.ROLE_NOT_FOUND, f"which element is the {part} could not be told")
        what = "look around" if part == "head" else "flick of the ear"
        told = "at every pace" if len(where) == len(alive) else f"at {', '.join(where)}"
        yield Finding(f"no {what} while paused, {told}", core=everywhere, data={"part": part, "paces": where})
    missing = [pace for pace in paces if pace not in alive]
    if missing and not any(lacking.values()):
        raise Undecided(Reason.STATE_NOT_FOUND, f"the live page could not be paused at {', '.join(missing)}")
