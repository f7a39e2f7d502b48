"""Counters (spec §2.2): distance, steps and elapsed, at the rate of the stride."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from husky_lint.rule import Finding, Reason, Severity, Undecided, rule
from husky_lint.script.values import Unknown

from .clocked import FRAMES, SECONDS, pace_runs
from .strides import strides

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.source import Span

    from .clocked import PaceRun

KINDS: Final = {
    "steps": re.compile(r"step|paw|footfall|schritt|passus", re.IGNORECASE),
    "elapsed": re.compile(r"elapsed|time|clock|duration|second|minute", re.IGNORECASE),
    "distance": re.compile(r"distan|walked|metre|meter|\bkm\b|odometer|mile|travel", re.IGNORECASE),
}
RATES: Final = re.compile(r"\b(cadence|rate|per|speed|tempo|spm|bpm)\b", re.IGNORECASE)
_NUMBER: Final = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_CLOCK: Final = re.compile(
    r"(?:(\d+)(?::|\s*h(?:ours?)?\s+))?(\d+)(?::|\s*m(?:in(?:utes?)?)?\s+)(\d+(?:\.\d+)?)", re.IGNORECASE
)
_FOOTFALLS: Final = {"hop": 3.0}
_FOUR: Final = 4.0
_NEAR: Final = 3
"""How many groups around a text may hold its name."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What a text shows: its number, and how finely."""

    value: float
    grain: float


@dataclass(frozen=True, slots=True, eq=False)
class Counter:
    """A text of the page that counts, with what it goes up by in the time of a look at each pace, and its grain."""

    element: _Element
    name: str
    gains: dict[str, float]
    grain: float

    def kind(self) -> str | None:
        """``steps``, ``elapsed`` or ``distance``, by what it is called."""
        return next((kind for kind, word in KINDS.items() if word.search(self.name)), None)


@rule("HB2210")
def counters(evidence: Evidence, paces: Sequence[str], rate: float) -> Iterator[Finding]:
    """A counter is missing, or does not count at the rate of the stride.

    ## What it checks
    The page's clock is let run at every pace. Distance, steps and elapsed are texts of the page that go up. In a second
    the steps go up by the footfalls of a cycle, four, or three at hop, divided by the cycle that the legs really have;
    elapsed goes up by a second, and the distance by more at a faster pace.

    ## Why it matters
    Counters with a table of their own go wrong as soon as a pace is changed, and the eye can count the steps.

    ## Example that fails
    ```js
    table.walk.feet = 2;
    ```

    ```js
    pace = function () { return table.walk; };
    ```

    ```js
    document.getElementById("steps").id = "gone";
    document.body.append(Object.assign(document.createElement("i"), { id: "steps" }));
    document.getElementById("steps").remove();
    count = function () {};
    requestAnimationFrame = function () {};
    ```

    ## Example that passes
    ```js
    table.stroll.feet = 2 + 2;
    ```
    """
    cycles = {pace: stride.cycle for pace, stride in strides(evidence).items() if pace in paces}
    if not cycles:
        raise Undecided(Reason.STATE_NOT_FOUND, "how the page spells its paces could not be told")
    found, uncertain = _look(evidence, tuple(cycles))
    of_kind = {kind: [one for one in found if one.kind() == kind] for kind in KINDS}
    unnamed = [one for one in found if one.kind() is None]
    steps = of_kind["steps"] or [one for one in unnamed if not list(wrong_steps(one.gains, one.grain, cycles, rate))]
    for kind in KINDS:
        if not (steps if kind == "steps" else of_kind[kind]):
            if uncertain is not None:
                raise uncertain
            if unnamed and kind != "steps":
                continue
            yield Finding(
                f"no text of the page counts {'the ' if kind != 'elapsed' else ''}{kind} while the dog walks",
                _listener_span(evidence),
                data={"kind": kind},
            )
    yield from _judge_steps(evidence, steps, cycles, rate)
    yield from _judge_elapsed(evidence, of_kind["elapsed"], cycles)
    yield from _judge_distance(evidence, of_kind["distance"], cycles)


# ---------------------------------------------------------------- looking


def _look(evidence: Evidence, paces: Sequence[str]) -> tuple[list[Counter], Undecided | None]:
    """The texts that go up, by their gains at each pace, and why some could not be told."""
    runs = pace_runs(evidence)
    gains = {pace: _gains(run) for pace, run in runs.items() if pace in paces}
    for frames in range(1, len(FRAMES)):
        if not any(_is_slow(gain) for gain in gains.values()):
            break
        runs = pace_runs(evidence, frames)
        gains = {pace: _gains(run) for pace, run in runs.items() if pace in paces}
    uncertain: Undecided | None = None
    for run in runs.values():
        for effect in run.effects:
            if effect.kind == "text" and (isinstance(effect.value, Unknown) or not effect.certain):
                uncertain = Undecided(Reason.DYNAMIC_VALUE, "what the counters show", effect.span)
        if run.limit:
            uncertain = Undecided(Reason.LIMIT, "the counters are too much to follow")
    if any(listener.type == "animationiteration" for listener in evidence.script.listeners):
        uncertain = uncertain or Undecided(Reason.DYNAMIC_VALUE, "script counts the turns of an animation")
    counting = {element for gain in gains.values() for element in gain}
    counters: dict[_Element, Counter] = {}
    for pace, gain in gains.items():
        for element, (rise, grain) in gain.items():
            if element not in counters:
                counters[element] = Counter(element, _called(element, counting), {}, grain)
            counters[element].gains[pace] = rise
    rising = [one for one in counters.values() if any(rise > 0 for rise in one.gains.values())]
    return [one for one in rising if not RATES.search(one.name)], uncertain


def reading_of(text: str) -> Reading | None:
    """The number that a text shows: a clock in seconds, kilometres in metres; None where it shows none."""
    clock = _CLOCK.search(text)
    if clock is not None:
        hours, minutes, seconds = clock.groups()
        return Reading(int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds), 1.0)
    number = _NUMBER.search(text)
    if number is None or len(number[0]) > 15:
        return None
    digits = number[0].replace(",", "")
    decimals = len(digits.partition(".")[2])
    unit = 1000.0 if re.match(r"\s*km\b", text[number.end() :]) else 1.0
    return Reading(float(digits) * unit, 10.0**-decimals * unit)


def _gains(run: PaceRun) -> dict[_Element, tuple[float, float]]:
    """What the numbers of the texts go up by, and how finely they show it."""
    found: dict[_Element, tuple[float, float]] = {}
    for element, text in run.after.items():
        earlier = run.before.get(element)
        if earlier is None or earlier == text:
            continue
        then, now = reading_of(earlier), reading_of(text)
        if then is not None and now is not None and now.value != then.value:
            found[element] = (now.value - then.value, max(now.grain, then.grain))
    around = {above for element in found for above in element.iterancestors()}
    return {element: gain for element, gain in found.items() if element not in around}


def _is_slow(gains: Mapping[_Element, tuple[float, float]]) -> bool:
    """Whether the page's clock lags: a page may cap the time of a frame, so that long frames lose some."""
    elements = set(gains)
    elapsed = [gain for element, (gain, _) in gains.items() if KINDS["elapsed"].search(_called(element, elements))]
    return not gains or (bool(elapsed) and max(elapsed) < SECONDS - 1.5)


def _called(element: _Element, others: set[_Element]) -> str:
    """What a text is called: by itself, by what stands just before or after it, by what holds it alone."""
    names = " ".join(str(value) for name, value in element.attrib.items() if name not in {"style", "aria-live"})
    if any(word.search(names) for word in KINDS.values()):
        return names
    previous = element.getprevious()
    parent = element.getparent()
    before = (previous.tail or "") if previous is not None else (parent.text or "") if parent is not None else ""
    near = [names, before]
    if previous is not None and previous not in others:
        near.append("".join(map(str, previous.itertext())))
    near.append(element.tail or "")
    told = " ".join(near)
    for _ in range(_NEAR):
        if any(word.search(told) for word in KINDS.values()) or parent is None:
            break
        if sum(one is parent or parent in one.iterancestors() for one in others) > 1:
            break
        told = f"{told} {' '.join(map(str, parent.attrib.values()))} {''.join(map(str, parent.itertext()))[:80]}"
        parent = parent.getparent()
    return " ".join(told.split())


# ---------------------------------------------------------------- judging


def wrong_steps(
    counted: Mapping[str, float], grain: float, cycles: Mapping[str, float], rate: float
) -> Iterator[tuple[str, float, float]]:
    """The paces where the steps do not go up as footfalls do, with footfalls of a cycle as counted and expected.

    ``counted`` are the steps in :data:`~.clocked.SECONDS` at each pace, shown to ``grain``.
    """
    for pace, cycle in cycles.items():
        expected = _FOOTFALLS.get(pace, _FOUR) / cycle * SECONDS
        gain = counted.get(pace, 0.0)
        if abs(gain - expected) > grain + rate * expected:
            yield pace, gain * cycle / SECONDS, _FOOTFALLS.get(pace, _FOUR)


def _judge_steps(
    evidence: Evidence, steps: Sequence[Counter], cycles: Mapping[str, float], rate: float
) -> Iterator[Finding]:
    if not steps:
        return
    best = min(steps, key=lambda one: len(list(wrong_steps(one.gains, one.grain, cycles, rate))))
    for pace, counted, expected in wrong_steps(best.gains, best.grain, cycles, rate):
        # Three paws that land as one may be taken for one footfall, and a gone leg be counted on.
        lenient = pace in _FOOTFALLS and any(abs(counted - other) < 2 * rate * other for other in (1.0, _FOUR))
        yield Finding(
            f"at {pace} the steps go up by {counted / cycles[pace]:.2f} a second, {counted:.2g} a cycle; expected "
            f"{expected / cycles[pace]:.2f}, {expected:g} footfalls in a cycle of {cycles[pace]:g} s",
            _text_span(evidence, best),
            severity=Severity.WARNING if lenient else Severity.ERROR,
            data={"pace": pace, "per_cycle": counted, "expected_per_cycle": expected, "cycle": cycles[pace]},
        )


def _judge_elapsed(evidence: Evidence, elapsed: Sequence[Counter], cycles: Mapping[str, float]) -> Iterator[Finding]:
    if not elapsed:
        return
    best = min(elapsed, key=lambda one: sum(abs(one.gains.get(pace, 0.0) - SECONDS) for pace in cycles))
    for pace in cycles:
        gain = best.gains.get(pace, 0.0)
        if abs(gain - SECONDS) > best.grain + 0.5:
            yield Finding(
                f"at {pace} elapsed goes up by {gain:g} s in {SECONDS:g} s",
                _text_span(evidence, best),
                data={"pace": pace, "measured": gain, "expected": SECONDS},
            )
            return


def _judge_distance(evidence: Evidence, distance: Sequence[Counter], cycles: Mapping[str, float]) -> Iterator[Finding]:
    if not distance:
        return
    best = max(distance, key=lambda one: len(one.gains))
    still = [pace for pace in cycles if best.gains.get(pace, 0.0) <= 0 and best.grain < 1]
    slow, fast = max(cycles, key=lambda pace: cycles[pace]), min(cycles, key=lambda pace: cycles[pace])
    if still:
        yield Finding(
            f"the distance does not go up at {', '.join(still)}",
            _text_span(evidence, best),
            data={"paces": still},
        )
    elif best.gains.get(fast, 0.0) - best.gains.get(slow, 0.0) < -best.grain or (
        cycles[fast] < cycles[slow]
        and best.grain < 1
        and abs(best.gains[fast] - best.gains[slow]) <= min(best.grain, 0.05 * best.gains[slow])
    ):
        yield Finding(
            f"the distance goes up by {best.gains[fast] / SECONDS:.2f} a second at {fast} and by "
            f"{best.gains[slow] / SECONDS:.2f} at {slow}: it does not follow the pace",
            _text_span(evidence, best),
            data={"gains": dict(best.gains)},
        )


def _text_span(evidence: Evidence, counter: Counter) -> Span | None:
    """Where script writes the counter, else where it stands."""
    for effect in evidence.script.all_effects:
        if effect.kind == "text" and effect.element is counter.element and effect.span is not None:
            return effect.span
    try:
        return evidence.element_span(counter.element)
    except KeyError:
        return _listener_span(evidence)


def _listener_span(evidence: Evidence) -> Span:
    timers = [timer.span for timer in evidence.script.model.timers if timer.span is not None]
    return timers[0] if timers else evidence.element_span(evidence.page.root)
