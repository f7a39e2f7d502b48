"""From keyframes to values over times: the effect stack of one property of one element, evaluated with numpy.

A *layer* is one animation's keyframes for the property; layers are ordered as the animations are, later ones on top.
Values are of any type that has an :class:`Arithmetic`; a result is a list of pieces, each a set of times with one
value whose numbers are arrays over them. The loop runs over keyframe intervals, never over times.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import numpy as np

from husky_lint.animation import blending
from husky_lint.animation.easing import EasingSequence
from husky_lint.animation.matrices import IDENTITY, stack
from husky_lint.animation.timeline import Composition, before_flag, progress
from husky_lint.animation.transforms import (
    NONE,
    Kind,
    TransformFunction,
    TransformList,
    product,
    without_infinities,
)
from husky_lint.animation.unknown import UNSUPPORTED, Unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from husky_lint.animation.easing import Easing
    from husky_lint.animation.matrices import BoolArray, FloatArray, Value
    from husky_lint.animation.timeline import AnimationSpec

    IntArray = NDArray[np.intp]

V = TypeVar("V")


@dataclass(frozen=True, slots=True, eq=False)
class Keyframe(Generic[V]):
    """A value at one offset (``None``: the underlying value); ``easing`` governs from here to the next keyframe."""

    offset: float
    value: V | None
    easing: Easing
    composition: Composition = Composition.REPLACE


@dataclass(frozen=True, slots=True, eq=False)
class Layer(Generic[V]):
    """One animation's keyframes for one property, sorted, the first at 0 and the last at 1.

    Two may share an offset: values jump there. Three at 1 are the first, the last, and the last again.
    """

    spec: AnimationSpec
    keyframes: tuple[Keyframe[V], ...]


class Arithmetic(Protocol[V]):
    """What the effect stack does with values. Numbers of values may be arrays over times."""

    def interpolate(self, start: V, end: V, along: FloatArray) -> V | None:
        """The value ``along`` (T,) the way; ``None`` if it flips from one to the other."""

    def is_late(self, start: V, end: V, along: FloatArray) -> BoolArray:
        """Where a value that flips is the end's already."""

    def add(self, underlying: V, value: V) -> V: ...

    def accumulate(self, underlying: V, value: V) -> V: ...

    def select(self, value: V, index: NDArray[np.intp] | NDArray[np.bool_]) -> V:
        """The value at some of its times."""

    def at(self, index: NDArray[np.intp]) -> Arithmetic[V]:
        """The arithmetic for some of the times, where it depends on them."""


Pieces = list[tuple["IntArray", V]]


def evaluate_stack(layers: Sequence[Layer[V]], base: V, times: FloatArray, arithmetic: Arithmetic[V]) -> Pieces[V]:
    """The property's value over times, ``base`` being its value without animations (Web Animations 1, section 5.4)."""
    pieces: Pieces[V] = [(np.arange(len(times)), base)]
    for layer in layers:
        offsets = np.array([keyframe.offset for keyframe in layer.keyframes])
        along, iteration = progress(layer.spec, times)
        before = before_flag(layer.spec, times, iteration)
        in_effect = ~np.isnan(along)
        if not in_effect.any():
            continue
        interval = intervals(offsets, along)
        composed: Pieces[V] = []
        for index, underlying in pieces:
            active = in_effect[index]
            if not active.all():
                composed.append((index[~active], arithmetic.select(underlying, ~active)))
                if not active.any():
                    continue
            for number in np.unique(interval[index[active]]):
                mask = active & (interval[index] == number)
                part = index[mask]
                start, end = layer.keyframes[number], layer.keyframes[number + 1]
                local = (along[part] - start.offset) / ((end.offset - start.offset) or 1.0)
                eased = start.easing(local, before if isinstance(before, bool) else before[part])
                beneath = arithmetic.select(underlying, mask)
                own = arithmetic.at(part)
                first, second = _composed(start, beneath, own), _composed(end, beneath, own)
                value = own.interpolate(first, second, eased)
                if value is not None:
                    composed.append((part, value))
                    continue
                late = own.is_late(first, second, eased)
                for side, chosen in ((~late, first), (late, second)):
                    if side.any():
                        composed.append((part[side], arithmetic.select(chosen, side)))
        pieces = composed
    return pieces


def intervals(offsets: FloatArray, along: FloatArray) -> IntArray:
    """The keyframe interval of each progress value; the last one for NaN."""
    return np.searchsorted(offsets[1:-1], along, side="right")


def inverse_widths(offsets: FloatArray) -> FloatArray:
    """One over the length of each interval, 0 for none."""
    widths = np.diff(offsets)
    return np.where(widths > 0, 1 / np.where(widths > 0, widths, 1.0), 0.0)


def _composed(keyframe: Keyframe[V], underlying: V, arithmetic: Arithmetic[V]) -> V:
    if keyframe.value is None:
        return underlying
    match keyframe.composition:
        case Composition.REPLACE:
            return keyframe.value
        case Composition.ADD:
            return arithmetic.add(underlying, keyframe.value)
        case Composition.ACCUMULATE:
            return arithmetic.accumulate(underlying, keyframe.value)


# ---------------------------------------------------------------------------------------------------------------------
# Transforms


@dataclass(frozen=True, slots=True, eq=False)
class TransformArithmetic:
    """Values of ``transform``, for a reference box in CSS pixels (numbers, or arrays over times)."""

    width: Value = 0.0
    height: Value = 0.0

    def interpolate(self, start: TransformList, end: TransformList, along: FloatArray) -> TransformList | None:
        return blending.interpolate(start, end, along, self.width, self.height)

    def is_late(self, start: TransformList, end: TransformList, along: FloatArray) -> BoolArray:
        del start, end
        return along >= 0.5

    def add(self, underlying: TransformList, value: TransformList) -> TransformList:
        return blending.add(underlying, value)

    def accumulate(self, underlying: TransformList, value: TransformList) -> TransformList:
        return blending.accumulate(underlying, value, self.width, self.height)

    def select(self, value: TransformList, index: NDArray[np.intp] | NDArray[np.bool_]) -> TransformList:
        return value.select(index)

    def at(self, index: NDArray[np.intp]) -> TransformArithmetic:
        if not isinstance(self.width, np.ndarray) and not isinstance(self.height, np.ndarray):
            return self
        return type(self)(_at(self.width, index), _at(self.height, index))


def _at(value: Value, index: NDArray[np.intp]) -> Value:
    return value[index] if isinstance(value, np.ndarray) and value.ndim else value


class SingleArithmetic(TransformArithmetic):
    """Values of ``translate``, ``rotate`` and ``scale``: one function or none, so addition merges the two.

    Accumulation is the same as addition here, of ``scale`` too (as in browsers).
    """

    __slots__ = ()

    def add(self, underlying: TransformList, value: TransformList) -> TransformList:
        if not underlying.functions or not value.functions:
            return value if value.functions else underlying
        first = underlying.resolved(self.width, self.height).functions[0]
        second = value.resolved(self.width, self.height).functions[0]
        if first.kind is Kind.SCALE:
            numbers = tuple(a * b for a, b in zip(first.numbers, second.numbers, strict=True))
            return TransformList((TransformFunction(Kind.SCALE, numbers),))
        if first.kind is Kind.TRANSLATE:
            return super().accumulate(underlying, value)
        return TransformList((blending.accumulate_rotation(first, second),))

    def accumulate(self, underlying: TransformList, value: TransformList) -> TransformList:
        return self.add(underlying, value)


def _has_nonlinear_length(lists: Sequence[TransformList]) -> bool:
    return any(function.lengths for value in lists for function in value.functions)


def _has_percentage(lists: Sequence[TransformList]) -> bool:
    return any(function.has_percentage for value in lists for function in value.functions)


class TransformTrack:
    """A compiled animation of ``transform``, ``translate``, ``rotate`` or ``scale``.

    ``unknown`` is set when a 3D function takes part (matrices are then NaN where they are not 2D), and where browsers
    depart from the specification in ways that are not modelled (matrices are then the specification's).
    """

    __slots__ = ("_arithmetic", "_base", "_fast", "_layers", "unknown")

    def __init__(
        self,
        layers: Sequence[Layer[TransformList]],
        base: TransformList = NONE,
        arithmetic: type[TransformArithmetic] = TransformArithmetic,
    ) -> None:
        self._layers = tuple(layers)
        self._base = base
        self._arithmetic = arithmetic
        keyframes = tuple(layer.keyframes for layer in layers)
        builds_on_base = any(
            frame.value is None or frame.composition is not Composition.REPLACE
            for frames in keyframes
            for frame in frames
        )
        unknown, self._fast = _tables(
            keyframes,
            base if builds_on_base else NONE,
            arithmetic,  # type: ignore[arg-type]  # classes can be hashed
        )
        self.unknown: Unknown | None = unknown or base.unknown

    def evaluate(self, times: FloatArray, width: Value = 0.0, height: Value = 0.0) -> FloatArray:
        """Matrices [a b c d e f], (T, 6), at times in seconds for a reference box in CSS pixels.

        Rows are NaN where the matrix is not 2D or too large to hold.
        """
        with np.errstate(all="ignore"):
            if self._fast:
                return without_infinities(self._evaluate_separately(self._fast, times, width, height))
            result = np.empty((len(times), 6))
            arithmetic = self._arithmetic(width, height)
            for index, value in evaluate_stack(self._layers, self._base, times, arithmetic):
                result[index] = value.matrix(_at(width, index), _at(height, index))
            return without_infinities(result)

    def _evaluate_separately(
        self, tracks: Sequence[_Aligned], times: FloatArray, width: Value, height: Value
    ) -> FloatArray:
        result: FloatArray | None = None
        for layer, track in zip(self._layers, tracks, strict=True):
            along, iteration = progress(layer.spec, times)
            before = before_flag(layer.spec, times, iteration) if track.easings.has_steps else False
            index = np.flatnonzero(~np.isnan(along))
            if index.size == len(times):
                result = track.evaluate(along, before, width, height)
                continue
            if result is None:
                result = self._still(len(times), width, height)
            if index.size:
                flags = before if isinstance(before, bool) else before[index]
                result[index] = track.evaluate(along[index], flags, _at(width, index), _at(height, index))
        return self._still(len(times), width, height) if result is None else result

    def _still(self, count: int, width: Value, height: Value) -> FloatArray:
        result = np.empty((count, 6))
        result[:] = self._base.matrix(width, height)
        return result


@functools.lru_cache(maxsize=1024)
def _tables(
    layers: tuple[tuple[Keyframe[TransformList], ...], ...], base: TransformList, arithmetic: type[TransformArithmetic]
) -> tuple[Unknown | None, tuple[_Aligned, ...]]:
    """Why keyframes are not evaluated, and a table for each layer where tables can stand for all of them.

    Timing is no part of it: elements and states that differ in nothing else share the tables.
    """
    values = [frame.value for frames in layers for frame in frames if frame.value is not None]
    lists = [base, *values]
    unknown = next((value.unknown for value in lists if value.unknown), None)
    if any(frame.composition is Composition.ACCUMULATE for frames in layers for frame in frames) and (
        _has_nonlinear_length(lists) or (len(layers) > 1 and _has_percentage(lists))
    ):
        unknown = Unknown(UNSUPPORTED, "accumulation of percentages")
    if unknown or _has_nonlinear_length(lists) or not _is_separable(layers):
        return unknown, ()
    tables = [_Aligned.of(frames, base, arithmetic) for frames in layers]
    found = tuple(table for table in tables if table is not None)
    return None, found if len(found) == len(tables) else ()


def _is_separable(layers: Sequence[Sequence[Keyframe[TransformList]]]) -> bool:
    """Whether the topmost animation alone decides at each time."""
    return all(
        frame.value is not None and frame.composition is Composition.REPLACE
        for frames in layers[1:]
        for frame in frames
    )


class _Aligned:
    """Keyframes whose lists all hold the same kinds of functions: every number is a table over offsets."""

    __slots__ = ("_deltas", "_fixed", "_kinds", "_offsets", "_scales", "_starts", "_varying", "easings")

    def __init__(self, offsets: Sequence[float], easings: Sequence[Easing], lists: Sequence[TransformList]) -> None:
        self._offsets = np.array(offsets)
        self._scales = inverse_widths(self._offsets)
        self.easings = EasingSequence(easings[:-1])
        self._kinds = [function.kind for function in lists[0].functions]
        table = np.array([[n for function in value.functions for n in function.numbers] for value in lists]).T
        constant = [bool(np.all(row == row[0])) for row in table]
        self._fixed = [float(row[0]) for row in table]
        self._varying = [number for number, still in enumerate(constant) if not still]
        moving = table[self._varying] if self._varying else np.zeros((0, len(offsets)))
        self._starts = moving[:, :-1]
        self._deltas = np.diff(moving, axis=1)

    @staticmethod
    def of(
        frames: Sequence[Keyframe[TransformList]], base: TransformList, arithmetic: type[TransformArithmetic]
    ) -> _Aligned | None:
        """The table of one layer, or ``None`` if its lists differ in kind or need more than interpolated numbers."""
        if any(frame.composition is Composition.ACCUMULATE for frame in frames):
            return None
        own = arithmetic()
        lists = [_composed(frame, base, own) for frame in frames]
        longest = max(lists, key=lambda value: len(value.functions))
        kinds = [function.kind for function in longest.functions]
        if not _NUMERIC.issuperset(kinds):
            return None
        padding = [blending.neutral(function) for function in longest.functions]
        for number, value in enumerate(lists):
            functions = value.functions
            if any(function.kind is not kind for function, kind in zip(functions, kinds, strict=False)):
                return None
            if any(not isinstance(entry, float) for function in functions for entry in function.numbers):
                return None
            lists[number] = TransformList((*functions, *padding[len(functions) :]))
        return _Aligned([frame.offset for frame in frames], [frame.easing for frame in frames], lists)

    def evaluate(self, along: FloatArray, before: BoolArray | bool, width: Value, height: Value) -> FloatArray:
        numbers: list[Value] = list(self._fixed)
        if self._varying:
            offsets = self._offsets
            if len(offsets) == 2:
                interval = np.zeros(len(along), dtype=np.intp)
                local = along
            else:
                interval = intervals(offsets, along)
                local = (along - offsets[interval]) * self._scales[interval]
            eased = self.easings(interval, local, before)
            moving = self._starts[:, interval] + self._deltas[:, interval] * eased
            for position, row in zip(self._varying, moving, strict=True):
                numbers[position] = row
        functions: list[tuple[Kind, Sequence[Value]]] = []
        position = 0
        for kind in self._kinds:
            size = _SIZES[kind]
            functions.append((kind, numbers[position : position + size]))
            position += size
        return stack(product(functions, width, height, IDENTITY), len(along))


_SIZES = {
    Kind.TRANSLATE: 5,
    Kind.SCALE: 3,
    Kind.ROTATE: 1,
    Kind.ROTATE_ABOUT: 3,
    Kind.SKEW: 2,
    Kind.SKEW_X: 1,
    Kind.SKEW_Y: 1,
}
"""Kinds whose interpolation is that of their numbers, with the count of numbers."""
_NUMERIC = frozenset(_SIZES)
