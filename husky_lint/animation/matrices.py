"""Affine matrices, 2D and 3D, whose entries are numbers or arrays over times.

A 2D matrix is the tuple (a, b, c, d, e, f) of SVG and CSS: x' = a x + c y + e, y' = b x + d y + f. Entries broadcast
against each other, so a matrix that is still in five entries and moves in one costs one array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    FloatArray: TypeAlias = NDArray[np.float64]
    BoolArray: TypeAlias = NDArray[np.bool_]
    Value: TypeAlias = float | FloatArray
    Affine: TypeAlias = tuple[Value, Value, Value, Value, Value, Value]
    Decomposed: TypeAlias = tuple[Value, Value, Value, Value, Value, Value]

IDENTITY: Affine = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


_DOUBTFUL = 1e-13
"""A determinant this small beside its two products is rounding."""


def multiply(m: Affine, n: Affine) -> Affine:
    """The product m n: what n maps to, mapped by m."""
    a, b, c, d, e, f = m
    g, h, i, j, k, l = n  # noqa: E741 - the letters in order
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f)


def stack(matrix: Affine, count: int | None = None) -> FloatArray:
    """The matrix as an array (6,), or (count, 6) when a count of times is given."""
    result = np.empty((6,) if count is None else (count, 6), dtype=np.float64)
    for column, entry in enumerate(matrix):
        result[..., column] = entry
    return result


def decompose(m: Affine, *, exact: bool = False) -> tuple[Decomposed, bool | BoolArray]:
    """(tx, ty, sx, sy, skew, angle) with m = T(tx, ty) R(angle) [1 skew; 0 1] S(sx, sy), and where m is singular.

    The angle is in degrees. CSS Transforms 2, section 12.1 ("decomposing a 2D matrix") as browsers do it: the scale
    is taken off first, and of a mirrored matrix the axis with the smaller diagonal entry is the flipped one. Where
    rounding alone decides whether the matrix is singular, the angle is NaN and the matrix counts as regular; with
    ``exact`` (the entries are as written) no rounding is suspected.
    """
    a, b, c, d, e, f = (np.asarray(entry, dtype=np.float64) for entry in m)
    straight, crossed = a * d, b * c
    determinant = straight - crossed
    singular = (determinant == 0) | ~np.isfinite(determinant)
    doubtful = (np.abs(determinant) <= _DOUBTFUL * (np.abs(straight) + np.abs(crossed))) & (straight != 0) & (not exact)
    flipped = determinant < 0
    flip_x = np.where(flipped & (a < d), -1.0, 1.0)
    flip_y = np.where(flipped & ~(a < d), -1.0, 1.0)
    length = np.hypot(a, b)
    safe = np.where(length == 0, 1.0, length)
    ux, uy = a * flip_x / safe, b * flip_x / safe
    vx, vy = c * flip_y, d * flip_y
    shear = ux * vx + uy * vy
    height = np.hypot(vx - ux * shear, vy - uy * shear)
    skew = shear / np.where(height == 0, 1.0, height)
    angle = np.where(doubtful, np.nan, np.degrees(np.arctan2(uy, ux)))
    parts = (e, f, flip_x * length, flip_y * height, skew, angle)
    singular = singular & ~doubtful
    return parts, (bool(singular) if singular.ndim == 0 else singular)


def recompose(parts: Decomposed) -> Affine:
    """The matrix of :func:`decompose`'s parts."""
    tx, ty, sx, sy, skew, angle = parts
    radians = np.radians(angle)
    cos, sin = np.cos(radians), np.sin(radians)
    return (cos * sx, sin * sx, (cos * skew - sin) * sy, (sin * skew + cos) * sy, tx, ty)


def blend(m: Affine, n: Affine, progress: Value, *, exact: bool = False) -> tuple[Affine, bool | BoolArray]:
    """The matrix ``progress`` of the way from m to n, the angle by the short way round; and where that is undefined.

    NaN where rounding decides whether it is, but for both ends. ``exact`` as for :func:`decompose`.
    """
    first, first_singular = decompose(m, exact=exact)
    second, second_singular = decompose(n, exact=exact)
    turn = second[5] - first[5]
    turn = np.where(turn > 180, turn - 360, np.where(turn < -180, turn + 360, turn))
    mixed = [start + (end - start) * progress for start, end in zip(first[:5], second[:5], strict=True)]
    matrix = recompose((mixed[0], mixed[1], mixed[2], mixed[3], mixed[4], first[5] + turn * progress))
    if np.isnan(turn).any():
        at = np.asarray(progress)
        rows = zip(m, n, matrix, strict=True)
        a, b, c, d, e, f = (np.where(at == 0, old, np.where(at == 1, new, mix)) for old, new, mix in rows)
        matrix = (a, b, c, d, e, f)
    return matrix, first_singular | second_singular


def accumulate(m: Affine, n: Affine) -> tuple[Affine, bool | BoolArray]:
    """m and n accumulated part by part (scales less one); and where that is undefined."""
    first, first_singular = decompose(m)
    second, second_singular = decompose(n)
    tx, ty, sx, sy, skew, angle = (start + end for start, end in zip(first, second, strict=True))
    return recompose((tx, ty, sx - 1, sy - 1, skew, angle)), first_singular | second_singular


# ---------------------------------------------------------------------------------------------------------------------
# 3D


def rotation_3d(x: Value, y: Value, z: Value, angle: Value) -> FloatArray:
    """The 4×4 matrix of ``rotate3d()``, column vectors; angle in degrees; a zero axis turns nothing."""
    x, y, z, angle = np.broadcast_arrays(x, y, z, angle)
    length = np.sqrt(x * x + y * y + z * z)
    safe = np.where(length == 0, 1.0, length)
    x, y, z = x / safe, y / safe, z / safe
    radians = np.radians(np.where(length == 0, 0.0, angle))
    cos, sin = np.cos(radians), np.sin(radians)
    rest = 1 - cos
    result = np.zeros((*angle.shape, 4, 4))
    result[..., 0, 0] = cos + x * x * rest
    result[..., 0, 1] = x * y * rest - z * sin
    result[..., 0, 2] = x * z * rest + y * sin
    result[..., 1, 0] = y * x * rest + z * sin
    result[..., 1, 1] = cos + y * y * rest
    result[..., 1, 2] = y * z * rest - x * sin
    result[..., 2, 0] = z * x * rest - y * sin
    result[..., 2, 1] = z * y * rest + x * sin
    result[..., 2, 2] = cos + z * z * rest
    result[..., 3, 3] = 1.0
    return result


def embed(matrix: Affine) -> FloatArray:
    """A 2D matrix as 4×4, column vectors."""
    entries = np.broadcast_arrays(*matrix)
    result = np.zeros((*entries[0].shape, 4, 4))
    for (row, column), entry in zip(((0, 0), (1, 0), (0, 1), (1, 1), (0, 3), (1, 3)), entries, strict=True):
        result[..., row, column] = entry
    result[..., 2, 2] = result[..., 3, 3] = 1.0
    return result


_FLAT = np.eye(4)
_PLANAR = np.zeros((4, 4), dtype=bool)
_PLANAR[:2, :2] = _PLANAR[:2, 3] = True


def flatten(matrices: FloatArray) -> FloatArray:
    """4×4 matrices (…, 4, 4) as 2D ones (…, 6): a row of NaN where one is not 2D (tolerance 1e-9)."""
    with np.errstate(all="ignore"):
        flat = np.all(_PLANAR | (np.abs(matrices - _FLAT) < 1e-9), axis=(-2, -1))
    rows = np.stack([matrices[..., r, c] for r, c in ((0, 0), (1, 0), (0, 1), (1, 1), (0, 3), (1, 3))], axis=-1)
    return np.where(flat[..., None], rows, np.nan)


def multiply_rows(m: FloatArray, n: FloatArray) -> FloatArray:
    """The products m n of matrices stored as rows [a b c d e f], (6,) or (T, 6) each."""
    entries = multiply(
        (m[..., 0], m[..., 1], m[..., 2], m[..., 3], m[..., 4], m[..., 5]),
        (n[..., 0], n[..., 1], n[..., 2], n[..., 3], n[..., 4], n[..., 5]),
    )
    return np.stack(np.broadcast_arrays(*entries), axis=-1)
