"""Stroke boxes: the tight bounds of fill and stroke together, without dashes and markers, as ``stroke-box`` is used.

SVG 2, section 8.10. The outline's extremes are offset points, mitre tips, round joins and caps of the flattened path.
Chromium bounds the control points of the outlines of curves, which lie outside by a few per cent of the width.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.scene.paths import flatten

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from husky_lint.scene.paths import Box, Path

    FloatArray = NDArray[np.float64]

_AXES: Final = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
_TOLERANCE: Final = 2e-5


@dataclass(frozen=True, slots=True)
class Stroke:
    """How a shape is stroked; ``width`` in user units, ``cap`` butt, round or square, ``join`` miter, round, bevel."""

    width: float = 1.0
    cap: str = "butt"
    join: str = "miter"
    miter_limit: float = 4.0


def stroke_bounds(path: Path, stroke: Stroke) -> Box | None:
    """The bounds of a path with its stroke; None for an empty path."""
    fill = path.bounds
    if fill is None or stroke.width <= 0:
        return fill
    points = [outline for line, subpath in _lines(path) for outline in _outline(line, subpath, stroke)]
    if not points:
        # A lone move-to has no stroke, and Chromium's bounds of no stroke are those of nothing.
        return (0.0, 0.0, 0.0, 0.0)
    everything = np.concatenate([np.array(fill).reshape(2, 2), *points])
    left, top = everything.min(axis=0).tolist()
    right, bottom = everything.max(axis=0).tolist()
    return (left, top, right, bottom)


def _lines(path: Path) -> list[tuple[FloatArray, bool]]:
    """The polyline of each subpath that is drawn, and whether it is closed."""
    return [
        (line, subpath.closed)
        for line, subpath in zip(flatten(path, _TOLERANCE), path.subpaths, strict=True)
        if subpath.segments or subpath.closed
    ]


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    product: FloatArray = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return product


def _outline(line: FloatArray, closed: bool, stroke: Stroke) -> list[FloatArray]:
    """Points of the outline that may be extreme."""
    half = stroke.width / 2
    steps = np.diff(line, axis=0)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    drawn = lengths > 0
    if not drawn.any():
        if stroke.cap == "butt":
            return []
        return [line[:1] + half * _AXES]
    points = np.concatenate([line[:-1][drawn], line[-1:]])
    along = steps[drawn] / lengths[drawn, None]
    normals = np.stack([-along[:, 1], along[:, 0]], axis=1) * half
    found = [points[:-1] + normals, points[:-1] - normals, points[1:] + normals, points[1:] - normals]
    before, after, corners = normals[:-1], normals[1:], points[1:-1]
    if closed:
        before, after = np.concatenate([before, normals[-1:]]), np.concatenate([after, normals[:1]])
        corners = np.concatenate([corners, points[:1]])
    else:
        found += _cap(points[0], -along[0], normals[0], stroke) + _cap(points[-1], along[-1], normals[-1], stroke)
    # The join is on the outer side of the turn.
    turn = _cross(before, after)
    outer = np.where(turn > 0, -1.0, 1.0)[:, None]
    before, after = before * outer, after * outer
    if stroke.join == "miter":
        cosine = (before * after).sum(axis=1) / (half * half)
        # The mitre's length over the stroke's width is 1 / sin(θ/2), and sin²(θ/2) = (1 + cosine) / 2.
        within = (1 + cosine) * stroke.miter_limit**2 >= 2
        if within.any():
            tip = (before[within] + after[within]) / (1 + cosine[within, None])
            found.append(corners[within] + tip)
    elif stroke.join == "round":
        for axis in _AXES:
            side = _cross(before, after)
            inside = (_cross(before, axis) * side >= 0) & (_cross(axis[None], after) * side >= 0)
            inside &= (before + after) @ axis > 0
            found.append(corners[inside] + half * axis)
    return found


def _cap(end: FloatArray, outwards: FloatArray, normal: FloatArray, stroke: Stroke) -> list[FloatArray]:
    half = stroke.width / 2
    if stroke.cap == "square":
        return [end + half * outwards + np.stack([normal, -normal])]
    if stroke.cap == "round":
        return [end + half * _AXES[_AXES @ outwards >= 0]]
    return []
