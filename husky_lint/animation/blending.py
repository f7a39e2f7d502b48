"""Interpolation, addition and accumulation of transform lists (CSS Transforms 2, sections 11 to 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from husky_lint.animation import matrices
from husky_lint.animation.transforms import Kind, TransformFunction, TransformList, identity

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from husky_lint.animation.matrices import Affine, BoolArray, FloatArray, Value

_ROTATIONS = frozenset({Kind.ROTATE, Kind.ROTATE_3D})
_MATRICES = frozenset({Kind.MATRIX, Kind.MATRIX_3D})
_SAME_AXIS = 1e-4


class _UndefinedError(Exception):
    """A pair has no interpolation at any time: it flips at half."""


def interpolate(
    start: TransformList, end: TransformList, progress: Value, width: Value = 0.0, height: Value = 0.0
) -> TransformList | None:
    """The list ``progress`` of the way (any real number, or an array over times); ``None``: it flips at half.

    The reference box in CSS pixels matters where lists do not match and percentages end up in one matrix.
    """
    first, second, matching = _aligned(start, end)
    floating = any(function.has_percentage for function in (*first[matching:], *second[matching:]))
    start, end = start.resolved(width, height), end.resolved(width, height)
    first, second, matching = _aligned(start, end)
    try:
        functions = [
            _interpolate_pair(f, g, progress) for f, g in zip(first[:matching], second[:matching], strict=True)
        ]
        if len(first) > matching or len(second) > matching:
            rest = (TransformList(tuple(first[matching:])), TransformList(tuple(second[matching:])))
            functions.append(_interpolate_rest(*rest, progress, width, height, alone=floating))
        return TransformList(tuple(functions))
    except _UndefinedError:
        return None
    except _SometimesUndefinedError as partly:
        return _flip_where(partly.singular, start, end, progress, width, height)


def add(underlying: TransformList, value: TransformList) -> TransformList:
    """Addition: the value's functions after the underlying ones."""
    return TransformList(underlying.functions + value.functions)


def accumulate(
    underlying: TransformList, value: TransformList, width: Value = 0.0, height: Value = 0.0
) -> TransformList:
    """Accumulation: numbers of matching functions summed (scales less one), the rest as decomposed matrices.

    Where that is undefined, because a matrix is singular, the value replaces what is underneath.
    """
    underlying, value = underlying.resolved(width, height), value.resolved(width, height)
    first, second, matching = _aligned(underlying, value)
    try:
        functions = [_accumulate_pair(f, g) for f, g in zip(first[:matching], second[:matching], strict=True)]
        if len(first) > matching or len(second) > matching:
            rest = TransformList(tuple(first[matching:])), TransformList(tuple(second[matching:]))
            if rest[0].unknown or rest[1].unknown:
                functions.append(_NOT_PLANAR)
            else:
                # Browsers take the reference box for empty here.
                functions.append(_matrix_or_raise(*matrices.accumulate(rest[0].affine(), rest[1].affine())))
        return TransformList(tuple(functions))
    except _UndefinedError:
        return value
    except _SometimesUndefinedError as partly:
        kept = value.affine(width, height)
        mixed = tuple(np.where(partly.singular, old, new) for old, new in zip(kept, partly.matrix, strict=True))
        return TransformList((TransformFunction(Kind.MATRIX, mixed),))


class _SometimesUndefinedError(Exception):
    """Some times have a singular matrix: the whole list is undefined there."""

    def __init__(self, singular: BoolArray, matrix: Affine) -> None:
        super().__init__()
        self.singular = singular
        self.matrix = matrix


_NOT_PLANAR = TransformFunction(Kind.MATRIX_3D, (np.full((4, 4), np.nan),))


def _aligned(start: TransformList, end: TransformList) -> tuple[list[TransformFunction], list[TransformFunction], int]:
    """Both lists with the shorter one padded by identities if it matches a prefix, and how many functions match."""
    first, second = list(start.functions), list(end.functions)
    shared = min(len(first), len(second))
    for index in range(shared):
        if not kinds_match(first[index].kind, second[index].kind):
            return first, second, index
    first.extend(neutral(function) for function in second[shared:])
    if len(second) < len(first):
        second.extend(neutral(function) for function in first[len(second) :])
    return first, second, len(first)


def neutral(function: TransformFunction) -> TransformFunction:
    """What ``none`` is beside a function: its identity, a rotation keeping its centre."""
    if function.kind is Kind.ROTATE_ABOUT:
        return TransformFunction(Kind.ROTATE_ABOUT, (0.0, *function.numbers[1:]))
    return identity(function.kind)


def kinds_match(first: Kind, second: Kind) -> bool:
    """Whether functions of two kinds interpolate by their numbers and not by their matrices."""
    if first is second:
        return True
    pair = {first, second}
    return pair <= _ROTATIONS or pair <= _MATRICES


def _lerp(start: Value, end: Value, progress: Value) -> Value:
    if isinstance(start, float) and isinstance(end, float) and start == end:
        return start
    return start + (end - start) * progress


def _interpolate_pair(first: TransformFunction, second: TransformFunction, progress: Value) -> TransformFunction:
    first, second = _same_kind(first, second)
    match first.kind:
        case Kind.ROTATE_3D:
            return _interpolate_rotation(first, second, progress)
        case Kind.MATRIX:
            exact = all(isinstance(number, float) for number in first.numbers + second.numbers)
            return _matrix_or_raise(*matrices.blend(_entries(first), _entries(second), progress, exact=exact))
        case Kind.MATRIX_3D:
            return _ends_only(np.asarray(first.numbers[0]), np.asarray(second.numbers[0]), progress)
    numbers = tuple(_lerp(a, b, progress) for a, b in zip(first.numbers, second.numbers, strict=True))
    return TransformFunction(first.kind, numbers)


def _accumulate_pair(first: TransformFunction, second: TransformFunction) -> TransformFunction:
    first, second = _same_kind(first, second)
    match first.kind:
        case Kind.SCALE:
            numbers = tuple(a + b - 1.0 for a, b in zip(first.numbers, second.numbers, strict=True))
            return TransformFunction(Kind.SCALE, numbers)
        case Kind.ROTATE_3D:
            return accumulate_rotation(first, second)
        case Kind.MATRIX:
            return _matrix_or_raise(*matrices.accumulate(_entries(first), _entries(second)))
        case Kind.MATRIX_3D:
            return _NOT_PLANAR
    if first.kind is Kind.ROTATE_ABOUT:
        # Only what stands beside ``none`` comes here: the centre is one and the same.
        return TransformFunction(Kind.ROTATE_ABOUT, (first.numbers[0] + second.numbers[0], *first.numbers[1:]))
    numbers = tuple(a + b for a, b in zip(first.numbers, second.numbers, strict=True))
    return TransformFunction(first.kind, numbers)


def _entries(function: TransformFunction) -> Affine:
    a, b, c, d, e, f = function.numbers
    return (a, b, c, d, e, f)


def _same_kind(first: TransformFunction, second: TransformFunction) -> tuple[TransformFunction, TransformFunction]:
    if first.kind is second.kind:
        return first, second
    for kind, widen in _WIDER.items():
        if kind in {first.kind, second.kind}:
            return (
                first if first.kind is kind else widen(first),
                second if second.kind is kind else widen(second),
            )
    raise AssertionError(first.kind, second.kind)


_WIDER: dict[Kind, Callable[[TransformFunction], TransformFunction]] = {
    Kind.ROTATE_3D: lambda f: TransformFunction(Kind.ROTATE_3D, (0.0, 0.0, 1.0, f.numbers[0])),
    Kind.MATRIX_3D: lambda f: TransformFunction(Kind.MATRIX_3D, (matrices.embed(_entries(f)),)),
}


def _matrix_or_raise(matrix: Affine, singular: bool | BoolArray) -> TransformFunction:
    if isinstance(singular, bool):
        if singular:
            raise _UndefinedError
    elif singular.any():
        raise _SometimesUndefinedError(singular, matrix)
    return TransformFunction(Kind.MATRIX, matrix)


def _interpolate_rest(
    start: TransformList, end: TransformList, progress: Value, width: Value, height: Value, *, alone: bool
) -> TransformFunction:
    """One matrix for functions that do not match; ``alone``: percentages take part.

    Those browsers hold back until the reference box is known; where the blend is undefined then, what is shown between
    the ends depends on how the lists came about, and is NaN here.
    """
    if start.unknown or end.unknown:
        return _ends_only(start.matrix_3d(width, height), end.matrix_3d(width, height), progress)
    first, second = start.affine(width, height), end.affine(width, height)
    matrix, singular = matrices.blend(first, second, progress)
    if alone and np.any(singular):
        return _ends_only(matrices.embed(first), matrices.embed(second), progress)
    return _matrix_or_raise(matrix, singular)


def _ends_only(start: FloatArray, end: FloatArray, progress: Value) -> TransformFunction:
    """3D matrices are not decomposed: known at both ends, NaN between them."""
    at = np.asarray(progress)[..., None, None]
    return TransformFunction(Kind.MATRIX_3D, (np.where(at == 0, start, np.where(at == 1, end, np.nan)),))


def _flip_where(
    singular: BoolArray,
    start: TransformList,
    end: TransformList,
    progress: Value,
    width: Value,
    height: Value,
) -> TransformList:
    """As one matrix: blended where that is defined, one of the ends where it is not.

    Only lists whose numbers already move (composed with another animation) come here.
    """
    count = len(singular)
    index = np.arange(count)
    good = index[~singular]
    along = np.broadcast_to(np.asarray(progress), count)
    mixed = interpolate(start.select(good), end.select(good), along[good], _at(width, good), _at(height, good))
    first, second = start.affine(width, height), end.affine(width, height)
    rows = []
    for column in range(6):
        entry = np.where(along < 0.5, first[column], second[column])
        if mixed is not None and good.size:
            entry[good] = mixed.affine(_at(width, good), _at(height, good))[column]
        rows.append(entry)
    return TransformList((TransformFunction(Kind.MATRIX, tuple(rows)),))


def _at(value: Value, index: NDArray[np.intp]) -> Value:
    return value[index] if isinstance(value, np.ndarray) and value.ndim else value


# ---------------------------------------------------------------------------------------------------------------------
# Rotations about axes in space


def _axis_angle(function: TransformFunction) -> tuple[FloatArray, float] | None:
    if not all(isinstance(number, float) for number in function.numbers):
        return None
    axis = np.array(function.numbers[:3], dtype=np.float64)
    length = float(np.sqrt(axis @ axis))
    if length == 0:
        return np.array([0.0, 0.0, 1.0]), 0.0
    return axis / length, float(function.numbers[3])


def _common_axis(first: tuple[FloatArray, float], second: tuple[FloatArray, float]) -> FloatArray | None:
    if first[1] == 0 or second[1] == 0:
        if first[1] == second[1]:
            return np.array([0.0, 0.0, 1.0])
        return second[0] if first[1] == 0 else first[0]
    cosine = float(first[0] @ second[0])
    return first[0] if abs(1 - cosine * cosine) < _SAME_AXIS else None


def _interpolate_rotation(first: TransformFunction, second: TransformFunction, progress: Value) -> TransformFunction:
    """About one axis the angle is interpolated, otherwise the quaternion (CSS Transforms 2, section 13.4)."""
    start, end = _axis_angle(first), _axis_angle(second)
    if start is None or end is None:
        return _NOT_PLANAR
    axis = _common_axis(start, end)
    if axis is not None:
        finish = end[1] if end[1] == 0 or axis @ end[0] >= 0 else -end[1]
        return TransformFunction(Kind.ROTATE_3D, (*map(float, axis), _lerp(start[1], finish, progress)))
    p, q = _quaternion(*start), _quaternion(*end)
    cosine = float(np.clip(p @ q, -1.0, 1.0))
    if cosine < 0:
        p, cosine = -p, -cosine
    theta = np.arccos(cosine)
    along = np.asarray(progress, dtype=np.float64)[..., None]
    if theta < 1e-6:
        mixed = p + (q - p) * along
    else:
        mixed = (p * np.sin((1 - along) * theta) + q * np.sin(along * theta)) / np.sin(theta)
    w = np.clip(mixed[..., 3], -1.0, 1.0)
    x, y, z = mixed[..., 0], mixed[..., 1], mixed[..., 2]
    return TransformFunction(Kind.ROTATE_3D, (x, y, z, np.degrees(2 * np.arccos(w))))


def _quaternion(axis: FloatArray, angle: float) -> FloatArray:
    half = np.radians(angle) / 2
    return np.append(axis * np.sin(half), np.cos(half))


def accumulate_rotation(first: TransformFunction, second: TransformFunction) -> TransformFunction:
    """The sum of rotations about one axis, the product of others; both kinds ``ROTATE`` and ``ROTATE_3D``."""
    if first.kind is Kind.ROTATE and second.kind is Kind.ROTATE:
        return TransformFunction(Kind.ROTATE, (first.numbers[0] + second.numbers[0],))
    first, second = _same_kind(first, second)
    start, end = _axis_angle(first), _axis_angle(second)
    axis = None if start is None or end is None else _common_axis(start, end)
    if start is None or end is None or axis is None:
        return _NOT_PLANAR
    finish = end[1] if end[1] == 0 or axis @ end[0] >= 0 else -end[1]
    return TransformFunction(Kind.ROTATE_3D, (*map(float, axis), start[1] + finish))
