"""The timing model: from the time of a page to the progress of each animation (Web Animations 1, CSS Animations 1, 2).

A time t means: the page has run t seconds in that state with every animation started at 0. An animation that is paused
in that state has been paused from its start, so it holds what it shows at time 0, whatever t is; one with a negative
delay therefore holds a pose from its middle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from husky_lint.animation.easing import EASE, parse_easing
from husky_lint.style.values import parse_number, parse_time, split_commas, split_spaces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from husky_lint.animation.easing import Easing
    from husky_lint.animation.matrices import BoolArray, FloatArray
    from husky_lint.style.values import Node

_MAX_SECONDS = 1e12
_PLACES = 9


class Direction(Enum):
    """``animation-direction``."""

    NORMAL = "normal"
    REVERSE = "reverse"
    ALTERNATE = "alternate"
    ALTERNATE_REVERSE = "alternate-reverse"


class Composition(Enum):
    """``animation-composition``: how a keyframe's value joins what is underneath."""

    REPLACE = "replace"
    ADD = "add"
    ACCUMULATE = "accumulate"


@dataclass(frozen=True, slots=True)
class AnimationSpec:
    """One animation of one element: an entry of the coupled ``animation-*`` lists. Times are seconds."""

    name: str
    duration: float = 0.0
    delay: float = 0.0
    iteration_count: float = 1.0
    iteration_start: float = 0.0
    direction: Direction = Direction.NORMAL
    fills_backwards: bool = False
    fills_forwards: bool = False
    paused: bool = False
    easing: Easing = EASE
    """The default of its keyframes' timing functions; it governs from stop to stop, not the whole iteration."""
    composition: Composition = Composition.REPLACE
    end_delay: float = 0.0
    whole_easing: Easing | None = None
    """A timing function of whole iterations, around those of the keyframes; only script can give one."""
    scripted: bool = False
    """Made by script: each of its keyframes stays one, also beside an equal one."""


@dataclass(frozen=True, slots=True)
class EffectTiming:
    """What of the timing of an animation no property says: times in seconds, a timing function of whole iterations."""

    iteration_start: float = 0.0
    end_delay: float = 0.0
    easing: Easing | None = None

    def of(self, spec: AnimationSpec) -> AnimationSpec:
        """The animation with this timing."""
        return replace(
            spec,
            iteration_start=self.iteration_start,
            end_delay=self.end_delay,
            whole_easing=self.easing,
            scripted=True,
        )


def progress(spec: AnimationSpec, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Transformed progress and current iteration at times in seconds; NaN where it has no effect.

    The progress is within 0..1, but where a timing function of whole iterations takes it beyond. Web Animations 1,
    sections 4.8 to 4.10. At its end instant an animation is in the after phase: it has no effect unless it
    fills forwards. ``current iteration`` is infinite after infinitely many.
    """
    duration, delay, count = spec.duration, spec.delay, spec.iteration_count
    if spec.whole_easing is not None:
        along, iteration = progress(replace(spec, whole_easing=None), times)
        before = before_flag(spec, times, iteration)
        there = ~np.isnan(along)
        along[there] = spec.whole_easing(along[there], before if isinstance(before, bool) else before[there])
        return along, iteration
    if spec.paused:
        times = np.zeros_like(times)
    if duration > 0 and count == math.inf and spec.iteration_start == 0:
        elapsed = times - delay
        if not elapsed.size or float(elapsed.min()) >= 0:
            overall = elapsed / duration
            iteration = np.floor(overall)
            return _directed(spec.direction, np.fmod(overall, 1.0), iteration), iteration
    with np.errstate(all="ignore"):
        return _general_progress(spec, times)


def _general_progress(spec: AnimationSpec, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    duration, delay, count, start = spec.duration, spec.delay, spec.iteration_count, spec.iteration_start
    active_duration = 0.0 if duration == 0 or count == 0 else duration * count
    begin, end = _active(spec)
    before = times < begin
    after = ~before & (times >= end)
    elapsed = times - delay
    active_time = np.where(
        before,
        np.maximum(elapsed, 0.0) if spec.fills_backwards else np.nan,
        np.where(
            after,
            np.clip(elapsed, 0.0, active_duration) if spec.fills_forwards else np.nan,
            elapsed,
        ),
    )
    in_effect = ~np.isnan(active_time)
    # At its very end the count itself, which a quotient of rounded times may miss.
    at_last = ~before & (active_time == active_duration)
    ratio = np.zeros_like(active_time) if duration == 0 else active_time / duration
    overall = np.where(at_last, count, ratio) + start
    first = math.fmod(start, 1.0)
    simple = np.where(np.isinf(overall), first, np.fmod(np.where(np.isinf(overall), 0.0, overall), 1.0))
    simple = np.where((simple == 0) & at_last & (count != 0), 1.0, simple)
    iteration = np.where(simple == 1.0, np.floor(overall) - 1, np.floor(overall))
    if count == math.inf:
        iteration = np.where(after, np.inf, iteration)
    directed = _directed(spec.direction, simple, iteration)
    return np.where(in_effect, directed, np.nan), np.where(in_effect, iteration, np.nan)


def _active(spec: AnimationSpec) -> tuple[float, float]:
    """When the active phase begins and ends, in seconds, without what rounding makes of sums."""
    active_duration = 0.0 if spec.duration == 0 or spec.iteration_count == 0 else spec.duration * spec.iteration_count
    end = max(spec.delay + active_duration + spec.end_delay, 0.0)
    return (
        round(max(min(spec.delay, end), 0.0), _PLACES),
        round(max(min(spec.delay + active_duration, end), 0.0), _PLACES),
    )


def before_flag(spec: AnimationSpec, times: FloatArray, iteration: FloatArray) -> BoolArray | bool:
    """Where ``steps()`` takes its value from below a jump: before the start, or after the end when running backwards.

    ``iteration`` is what :func:`progress` gave. Web Animations 1, section 4.10 ("before flag").
    """
    if spec.paused:
        times = np.zeros_like(times)
    begin, end = _active(spec)
    before = times < begin
    after = times >= end
    if not (before | after).any():
        return False
    backwards = _runs_backwards(spec.direction, iteration)
    return (before & ~backwards) | (after & ~before & backwards)


def _runs_backwards(direction: Direction, iteration: FloatArray) -> BoolArray:
    if direction in {Direction.NORMAL, Direction.REVERSE}:
        return np.full(iteration.shape, direction is Direction.REVERSE)
    # An infinite iteration counts as even.
    odd: BoolArray = np.fmod(np.where(np.isfinite(iteration), iteration, 0.0), 2.0) == 1
    return odd if direction is Direction.ALTERNATE else ~odd


def _directed(direction: Direction, simple: FloatArray, iteration: FloatArray) -> FloatArray:
    match direction:
        case Direction.NORMAL:
            return simple
        case Direction.REVERSE:
            return 1 - simple
    return np.where(_runs_backwards(direction, iteration), 1 - simple, simple)


# ---------------------------------------------------------------------------------------------------------------------
# From computed longhands to animations


def parse_names(tokens: Iterable[Node]) -> list[str | None] | None:
    """``animation-name``: names, ``None`` for an entry ``none``; ``None`` as a whole if the value is invalid."""
    names: list[str | None] = []
    for part in split_commas(tokens):
        name = _parse_name(part)
        if name is None:
            return None
        names.append(name or None)
    return names or None


def _parse_name(part: Sequence[Node]) -> str | None:
    """A keyframes name, empty for ``none``; ``None`` if it is none of both."""
    if len(part) != 1:
        return None
    node = part[0]
    if node.type == "string":
        return str(node.value)
    if node.type != "ident" or node.lower_value in _RESERVED_NAMES:
        return None
    return "" if node.lower_value == "none" else str(node.value)


_RESERVED_NAMES = frozenset({"initial", "inherit", "unset", "revert", "revert-layer", "default"})


def _parse_duration(part: Sequence[Node]) -> float | None:
    if len(part) == 1 and part[0].type == "ident" and part[0].lower_value == "auto":
        return 0.0
    return _seconds(parse_time(part, minimum=0.0))


def _parse_delay(part: Sequence[Node]) -> float | None:
    return _seconds(parse_time(part))


def _seconds(value: float | None) -> float | None:
    return None if value is None else min(max(value, -_MAX_SECONDS), _MAX_SECONDS)


def _parse_count(part: Sequence[Node]) -> float | None:
    if len(part) == 1 and part[0].type == "ident":
        return math.inf if part[0].lower_value == "infinite" else None
    return parse_number(part, minimum=0.0)


_FILLS = {"none": (False, False), "forwards": (False, True), "backwards": (True, False), "both": (True, True)}
_INITIAL_EASING: Easing = EASE
_DIRECTIONS = {direction.value: direction for direction in Direction}
_COMPOSITIONS = {composition.value: composition for composition in Composition}
_STATES = {"running": False, "paused": True}

_T = TypeVar("_T")


def _keyword(part: Sequence[Node], words: Mapping[str, _T]) -> _T | None:
    return words.get(part[0].lower_value) if len(part) == 1 and part[0].type == "ident" else None


def parse_composition(tokens: Sequence[Node]) -> Composition | None:
    """One value of ``animation-composition``."""
    return _keyword(split_spaces(tokens), _COMPOSITIONS)


def _entries(
    longhands: Mapping[str, Sequence[Node]], name: str, parse: Callable[[Sequence[Node]], _T | None], default: _T
) -> list[_T]:
    values: list[_T] = []
    for part in split_commas(longhands.get(name, ())):
        value = parse(part)
        if value is None:
            return [default]
        values.append(value)
    return values or [default]


def animation_specs(longhands: Mapping[str, Sequence[Node]]) -> list[AnimationSpec]:
    """The animations of an element from its computed ``animation-*`` longhands (missing or invalid: initial value).

    ``animation-name`` rules the number; the other lists are repeated or cut to its length, and an entry ``none``
    counts in the coupling but makes no animation (CSS Animations 1, section 4.2). Later ones override earlier ones.
    """
    names = parse_names(longhands.get("animation-name", ())) or []
    if not any(names):
        return []
    durations = _entries(longhands, "animation-duration", _parse_duration, 0.0)
    easings = _entries(longhands, "animation-timing-function", parse_easing, _INITIAL_EASING)
    delays = _entries(longhands, "animation-delay", _parse_delay, 0.0)
    counts = _entries(longhands, "animation-iteration-count", _parse_count, 1.0)
    directions = _entries(longhands, "animation-direction", lambda part: _keyword(part, _DIRECTIONS), Direction.NORMAL)
    fills = _entries(longhands, "animation-fill-mode", lambda part: _keyword(part, _FILLS), (False, False))
    states = _entries(longhands, "animation-play-state", lambda part: _keyword(part, _STATES), False)
    compositions = _entries(longhands, "animation-composition", parse_composition, Composition.REPLACE)
    return [
        AnimationSpec(
            name=name,
            duration=durations[index % len(durations)],
            delay=delays[index % len(delays)],
            iteration_count=counts[index % len(counts)],
            direction=directions[index % len(directions)],
            fills_backwards=fills[index % len(fills)][0],
            fills_forwards=fills[index % len(fills)][1],
            paused=states[index % len(states)],
            easing=easings[index % len(easings)],
            composition=compositions[index % len(compositions)],
        )
        for index, name in enumerate(names)
        if name is not None
    ]


# ---------------------------------------------------------------------------------------------------------------------
# The shorthand

SHORTHAND_LONGHANDS = (
    "animation-duration",
    "animation-timing-function",
    "animation-delay",
    "animation-iteration-count",
    "animation-direction",
    "animation-fill-mode",
    "animation-play-state",
    "animation-name",
)
"""The longhands that one entry of ``animation`` sets, in the order in which a word is tried on them."""

_RECOGNISE: tuple[Callable[[Sequence[Node]], object | None], ...] = (
    _parse_duration,
    parse_easing,
    _parse_delay,
    _parse_count,
    lambda part: _keyword(part, _DIRECTIONS),
    lambda part: _keyword(part, _FILLS),
    lambda part: _keyword(part, _STATES),
    _parse_name,
)


@dataclass(frozen=True, slots=True)
class ShorthandEntry:
    """One comma-separated part of ``animation``: the node of each longhand in ``SHORTHAND_LONGHANDS`` order.

    ``None`` stands for the longhand's initial value. (``animation-composition`` is no part of the shorthand, which
    leaves it alone; timeline and range are reset.)
    """

    nodes: tuple[Node | None, ...]


def parse_animation_shorthand(tokens: Sequence[Node]) -> list[ShorthandEntry] | None:
    """The entries of an ``animation`` value, ``None`` if it is invalid.

    A word goes to the first longhand that takes it and is still free; so the first time is the duration, the second
    the delay, and a keyword is a keyframes name only once its property has been given (CSS Animations 1, section 4.9).
    CSS-wide keywords, which are no entries, and ``var()``, which is not parsed before substitution, are the caller's.
    """
    entries = []
    parts = split_commas(tokens)
    for part in parts:
        nodes: list[Node | None] = [None] * len(SHORTHAND_LONGHANDS)
        words = split_spaces(part)
        if not words:
            return None
        for word in words:
            slot = next(
                (
                    index
                    for index, recognise in enumerate(_RECOGNISE)
                    if nodes[index] is None and recognise([word]) is not None
                ),
                None,
            )
            if slot is None:
                return None
            nodes[slot] = word
        entries.append(ShorthandEntry(tuple(nodes)))
    return entries or None
