"""Animated values that are a form and a row of numbers: opacities, lengths, colours, origins, paths, keywords.

Two values interpolate, number by number, if their forms are equal; otherwise they flip at half. A keyword is a form
without numbers. What a property's numbers mean is said where it is registered in :mod:`properties`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from husky_lint.animation.easing import EasingSequence
from husky_lint.animation.timeline import Composition, before_flag, progress
from husky_lint.animation.tracks import evaluate_stack, intervals, inverse_widths

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from numpy.typing import NDArray

    from husky_lint.animation.matrices import BoolArray, FloatArray
    from husky_lint.animation.tracks import Layer, Pieces

    IndexArray: TypeAlias = NDArray[np.intp] | NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """A value: ``form`` says what kind (and which keyword), ``numbers`` are (d,), or (T, d) over times."""

    form: Hashable
    numbers: FloatArray

    @staticmethod
    def of(form: Hashable, *numbers: float) -> Vector:
        return Vector(form, np.array(numbers, dtype=np.float64))


def _no_match(start: Vector, end: Vector) -> tuple[Vector, Vector] | None:
    del start, end
    return None


def never(form: Hashable) -> bool:
    """A property of forms that none has."""
    del form
    return False


def always(form: Hashable) -> bool:
    """A property of forms that all have."""
    del form
    return True


def _as_is(value: Vector) -> Vector:
    return value


@dataclass(frozen=True, slots=True)
class VectorArithmetic:
    """How vectors of one property are combined.

    ``additive`` names forms whose values are summed by add and accumulate; others replace. ``match`` makes two
    different forms alike, if it can. ``dominates`` names forms that win strictly between two keyframes over those that
    do not (``visibility: visible``, every ``display`` but ``none``). ``finish`` maps interpolated values to the ones in
    their property's range.
    """

    additive: Callable[[Hashable], bool] = never
    match: Callable[[Vector, Vector], tuple[Vector, Vector] | None] = _no_match
    dominates: Callable[[Hashable], bool] = never
    finish: Callable[[Vector], Vector] = _as_is

    def interpolate(self, start: Vector, end: Vector, along: FloatArray) -> Vector | None:
        if start.form != end.form:
            pair = self.match(start, end)
            if pair is None:
                return None
            start, end = pair
        if not start.numbers.size:
            return None
        return Vector(start.form, start.numbers + (end.numbers - start.numbers) * along[:, None])

    def is_late(self, start: Vector, end: Vector, along: FloatArray) -> BoolArray:
        first, second = self.dominates(start.form), self.dominates(end.form)
        if first == second:
            return along >= 0.5
        return along >= 1 if first else along > 0

    def add(self, underlying: Vector, value: Vector) -> Vector:
        if not self.additive(value.form):
            return value
        if underlying.form != value.form:
            pair = self.match(underlying, value)
            if pair is None:
                return value
            underlying, value = pair
        return Vector(value.form, underlying.numbers + value.numbers)

    def accumulate(self, underlying: Vector, value: Vector) -> Vector:
        return self.add(underlying, value)

    def select(self, value: Vector, index: IndexArray) -> Vector:
        return Vector(value.form, value.numbers[index]) if value.numbers.ndim == 2 else value

    def at(self, index: NDArray[np.intp]) -> VectorArithmetic:
        del index
        return self


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """A property over ``count`` times: pieces of (indices of times, their value)."""

    count: int
    pieces: Pieces[Vector]

    @property
    def forms(self) -> list[Hashable]:
        """The form at each time."""
        result: list[Hashable] = [None] * self.count
        for index, value in self.pieces:
            for time in index.tolist():
                result[time] = value.form
        return result

    def numbers(self, form: Hashable = None) -> FloatArray:
        """(T, d) numbers; NaN at times of another form (``None``: of any form with fewer numbers)."""
        size = max((v.numbers.shape[-1] for _, v in self.pieces if form is None or v.form == form), default=0)
        result = np.full((self.count, size), np.nan)
        for index, value in self.pieces:
            if value.numbers.shape[-1] == size and (form is None or value.form == form):
                result[index] = value.numbers
        return result


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Keyframes of one form: row ``k`` of ``values`` at ``offsets[k]``, with what the intervals need."""

    form: Hashable
    offsets: FloatArray
    scales: FloatArray
    values: FloatArray
    deltas: FloatArray
    easings: EasingSequence


class VectorTrack:
    """A compiled animation of a property whose values are vectors."""

    __slots__ = ("_arithmetic", "_base", "_layers", "_table")

    def __init__(
        self, layers: Sequence[Layer[Vector]], base: Vector, arithmetic: VectorArithmetic | None = None
    ) -> None:
        self._layers = tuple(layers)
        self._base = base
        self._arithmetic = arithmetic or VectorArithmetic()
        self._table = self._compile() if len(self._layers) == 1 else None

    def _compile(self) -> _Table | None:
        frames = self._layers[0].keyframes
        values = [self._base if frame.value is None else frame.value for frame in frames]
        form = values[0].form
        if any(value.form != form for value in values) or not values[0].numbers.size:
            return None
        if any(frame.composition is not Composition.REPLACE for frame in frames):
            return None
        table = np.stack([value.numbers for value in values])
        offsets = np.array([frame.offset for frame in frames])
        easings = EasingSequence([frame.easing for frame in frames[:-1]])
        return _Table(form, offsets, inverse_widths(offsets), table, np.diff(table, axis=0), easings)

    def evaluate(self, times: FloatArray) -> Series:
        """The property at times in seconds."""
        with np.errstate(all="ignore"):
            if self._table is not None:
                pieces = self._evaluate_table(times)
            else:
                pieces = evaluate_stack(self._layers, self._base, times, self._arithmetic)
            finish = self._arithmetic.finish
            if finish is not _as_is:
                pieces = [(index, finish(value)) for index, value in pieces]
        return Series(len(times), pieces)

    def _evaluate_table(self, times: FloatArray) -> Pieces[Vector]:
        assert self._table is not None
        table = self._table
        spec = self._layers[0].spec
        along, iteration = progress(spec, times)
        before = before_flag(spec, times, iteration) if table.easings.has_steps else False
        pieces: Pieces[Vector] = []
        index = np.arange(len(times))
        idle = np.isnan(along)
        if idle.any():
            pieces.append((index[idle], self._base))
            index = index[~idle]
            along = along[index]
            before = before if isinstance(before, bool) else before[index]
        interval = intervals(table.offsets, along)
        eased = table.easings(interval, (along - table.offsets[interval]) * table.scales[interval], before)
        numbers = table.values[interval] + table.deltas[interval] * eased[:, None]
        pieces.append((index, Vector(table.form, numbers)))
        return pieces
