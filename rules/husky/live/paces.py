"""The paces as a person finds them: buttons, arrow keys, the pace at first, and what the counters count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from husky_lint.browser.live import Measured, live
from husky_lint.rule import Finding, Reason, Severity, Undecided, Verdict

from ..clocked import SECONDS
from ..counters import KINDS, RATES, reading_of, wrong_steps
from ..pace_list import follows
from .desktop import clock, loaded, paced
from .stage import pace_by_print

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from husky_lint.browser.live import Reports

    from .desktop import Paced, Passed


@live("HB2201", paced)
def pace_list(reports: Reports, paces: Sequence[str]) -> Iterator[Finding | Measured | Verdict]:
    """Reads the buttons of the paces in the order of the page, and presses the arrow keys.

    That one list makes them only the source shows.
    """
    seen = reports.of(paced)
    order = tuple(pace for pace, _ in seen.buttons)
    yield Measured("buttons in the order of the page", [text for _, text in seen.buttons])
    if not order:
        raise Undecided(Reason.STATE_NOT_FOUND, "no button of the live page says a pace")
    if order != tuple(pace for pace in paces if pace in order):
        yield Finding(f"the buttons stand in the order {', '.join(order)}; the paces are {', '.join(paces)}")
        return
    ways = _ways(seen)
    back = {"ArrowRight": ways["ArrowLeft"], "ArrowLeft": ways["ArrowRight"]}
    works = len(set(seen.prints.values())) == len(paces) and any(len(set(way)) > 1 for way in ways.values())
    if works and not follows(ways, paces) and not follows(back, paces):
        yield Finding(f"→ goes {' → '.join(ways['ArrowRight'])}; the order is {', '.join(paces)}", data=dict(ways))
        return
    yield Verdict.unknown(Reason.NEEDS_SOURCE, "the buttons stand in the order of the paces")


@live("HB2202", paced)
def pace_controls(reports: Reports, paces: Sequence[str]) -> Iterator[Finding | Measured | Verdict]:
    """Presses the button of every pace, and the arrow keys, and looks which gait the animations show."""
    seen = reports.of(paced)
    _refuse_alike(seen)
    missing = [pace for pace in paces if pace not in seen.prints]
    yield Measured("paces with a button that can be pressed", list(seen.prints))
    yield Measured("paces by →", list(seen.right))
    yield Measured("paces by ←", list(seen.left))
    if missing:
        yield Finding(f"no button that can be pressed selects {', '.join(missing)}", data={"missing": missing})
        return
    ways = _ways(seen)
    if not all(ways.values()):
        raise Undecided(Reason.STATE_NOT_FOUND, "the live page could not be put to walk, from where the arrows go")
    if all(len(set(way)) < 2 for way in ways.values()):
        yield Finding("neither → nor ← changes the pace", data=dict(ways))
        return
    own = [pace for pace, _ in seen.buttons]
    if not follows(ways, paces) and not follows(ways, own):  # which order is the right one is HB2201's
        told = "; ".join(f"{key} goes {' → '.join(way)}" for key, way in ways.items())
        yield Finding(f"{told}; the order is {', '.join(paces)}", data=dict(ways))
        return
    yield Verdict.unknown(Reason.NEEDS_SOURCE, "buttons and arrow keys go through the paces in order")


def _ways(seen: Paced) -> dict[str, tuple[str, ...]]:
    """The paces by each arrow key, ``?`` where the animations are those of no pace."""
    ways = (("ArrowRight", seen.right), ("ArrowLeft", seen.left))
    return {key: tuple(pace or "?" for pace in way) for key, way in ways}


@live("HB2203", loaded, paced)
def default_pace(reports: Reports, default_pace: str) -> Iterator[Finding | Measured]:
    """Opens the page and looks which pace's animations run."""
    seen = reports.of(paced)
    _refuse_alike(seen)
    found = pace_by_print(reports.of(loaded).print, seen.prints)
    yield Measured("pace at first", found)
    if found is None:
        raise Undecided(Reason.STATE_NOT_FOUND, "the page opens with animations that are those of no pace")
    if found != default_pace:
        yield Finding(
            f"the page starts at {found}; it starts at {default_pace}",
            data={"measured": found, "expected": default_pace},
        )


def _refuse_alike(seen: Paced) -> None:
    if len(seen.prints) > 1 and len(set(seen.prints.values())) < len(seen.prints):
        raise Undecided(Reason.SCRIPT_DRIVEN_MOTION, "two paces have the same animations")
    if not seen.prints:
        raise Undecided(Reason.STATE_NOT_FOUND, "no button of the live page says a pace")


@live("HB2210", clock, paced)
def counters(reports: Reports, paces: Sequence[str], rate: float) -> Iterator[Finding | Measured]:
    """Lets the page's clock run at every pace, and reads what goes up."""
    cycles = {pace: length for pace, length in reports.of(paced).cycles.items() if length > 0}
    passed = reports.of(clock).passed
    cycles = {pace: cycles[pace] for pace in paces if pace in cycles and pace in passed}
    if not cycles:
        raise Undecided(Reason.STATE_NOT_FOUND, "no pace of the live page has a cycle")
    gains: dict[str, dict[str, float]] = {}
    grains: dict[str, float] = {}
    names: dict[str, str] = {}
    for pace in cycles:
        for place, (name, gain, grain) in _gains(passed[pace]).items():
            gains.setdefault(place, {})[pace] = gain
            grains[place], names[place] = grain, name
    rising = [place for place in gains if not RATES.search(names[place]) and any(g > 0 for g in gains[place].values())]
    rising = [place for place in rising if not any(other.startswith(f"{place}>") for other in rising)]
    of_kind: dict[str, list[str]] = {kind: [] for kind in KINDS}
    unnamed: list[str] = []
    for place in rising:
        kind = next((kind for kind, word in KINDS.items() if word.search(names[place])), None)
        (of_kind[kind] if kind is not None else unnamed).append(place)
    steps = of_kind["steps"] or [one for one in unnamed if not list(wrong_steps(gains[one], grains[one], cycles, rate))]
    for kind, found in of_kind.items():
        chosen = steps if kind == "steps" else found
        for place in chosen[:1]:
            yield Measured(f"{kind} a second", {pace: round(gain / SECONDS, 2) for pace, gain in gains[place].items()})
        if not chosen and not (unnamed and kind != "steps"):
            article = "the " if kind != "elapsed" else ""
            yield Finding(f"no text of the page counts {article}{kind} while the dog walks", data={"kind": kind})
    if steps:
        yield from _judge_steps(steps, gains, grains, cycles, rate)
    if of_kind["elapsed"]:
        yield from _judge_elapsed(of_kind["elapsed"], gains, grains, cycles)
    if of_kind["distance"]:
        yield from _judge_distance(of_kind["distance"][0], gains, grains, cycles)


def _gains(run: Passed) -> dict[str, tuple[str, float, float]]:
    """What the number of each text goes up by, by place: what the text is called, the gain, how finely it shows."""
    before = {str(one["place"]): str(one["text"]) for one in run.before}
    found: dict[str, tuple[str, float, float]] = {}
    for one in run.after:
        place, text = str(one["place"]), str(one["text"])
        if before.get(place) in (None, text):
            continue
        then, now = reading_of(before[place]), reading_of(text)
        if then is not None and now is not None and then.value != now.value:
            found[place] = (_name(one), now.value - then.value, max(now.grain, then.grain))
    return found


def _name(one: Mapping[str, Any]) -> str:
    """The nearest name that says what is counted, else all of them."""
    names = [str(name) for name in one["names"]]
    return next((n for n in names if any(word.search(n) for word in KINDS.values())), " ".join(names))


def _judge_steps(
    places: Sequence[str],
    gains: Mapping[str, Mapping[str, float]],
    grains: Mapping[str, float],
    cycles: Mapping[str, float],
    rate: float,
) -> Iterator[Finding]:
    wrong = {one: list(wrong_steps(gains[one], grains[one], cycles, rate)) for one in places}
    best = min(places, key=lambda one: len(wrong[one]))
    for pace, counted, expected in wrong[best]:
        # Three paws that land as one may be taken for one footfall, and a gone leg be counted on.
        lenient = expected != 4.0 and any(abs(counted - other) < 2 * rate * other for other in (1.0, 4.0))
        yield Finding(
            f"at {pace} the steps go up by {counted / cycles[pace]:.2f} a second, {counted:.2g} a cycle; expected "
            f"{expected / cycles[pace]:.2f}, {expected:g} footfalls in a cycle of {cycles[pace]:g} s",
            severity=Severity.WARNING if lenient else Severity.ERROR,
            data={"pace": pace, "per_cycle": counted, "expected_per_cycle": expected},
        )


def _judge_elapsed(
    places: Sequence[str],
    gains: Mapping[str, Mapping[str, float]],
    grains: Mapping[str, float],
    cycles: Mapping[str, float],
) -> Iterator[Finding]:
    def off(place: str, pace: str) -> float:
        return abs(gains[place].get(pace, 0.0) - SECONDS)

    best = min(places, key=lambda one: sum(off(one, pace) for pace in cycles))
    for pace in cycles:
        if off(best, pace) > grains[best] + 0.5:
            gain = gains[best].get(pace, 0.0)
            yield Finding(f"at {pace} elapsed goes up by {gain:g} s in {SECONDS:g} s", data={"pace": pace})
            return


def _judge_distance(
    place: str, gains: Mapping[str, Mapping[str, float]], grains: Mapping[str, float], cycles: Mapping[str, float]
) -> Iterator[Finding]:
    of, grain = gains[place], grains[place]
    still = [pace for pace in cycles if of.get(pace, 0.0) <= 0 and grain < 1]
    slow, fast = max(cycles, key=lambda pace: cycles[pace]), min(cycles, key=lambda pace: cycles[pace])
    if still:
        yield Finding(f"the distance does not go up at {', '.join(still)}", data={"paces": still})
    elif cycles[fast] < cycles[slow] and grain < 1 and of.get(fast, 0.0) <= of.get(slow, 0.0) + min(grain, 0.05):
        yield Finding(
            f"the distance goes up by {of[fast] / SECONDS:.2f} a second at {fast} and by {of[slow] / SECONDS:.2f} at "
            f"{slow}: it does not follow the pace",
            data={"gains": dict(of)},
        )
