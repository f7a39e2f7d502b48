"""Fill boxes and outlines of the basic shapes, in the user units of the shape.

A fill box is the geometry alone: stroke, markers, clipping, masks and filters do not change it (SVG 2, section 4.6.4,
and what ``getBoundingClientRect`` shows). All numbers may be arrays over times.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from husky_lint.scene.paths import EMPTY, Path, build_path, parse_numbers
from husky_lint.style.values import LengthPercentage, parse_length_percentage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from husky_lint.scene.paths import Command
    from husky_lint.style.values import Resolution

    Value: TypeAlias = float | NDArray[np.float64]
    Flag: TypeAlias = bool | NDArray[np.bool_]

MAX_COORDINATE: Final = 33_554_428.0
"""What Chromium clamps lengths to (CSS pixels)."""

AXES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("x", "width", "cx", "rx", "x1", "x2"), "x"),
    **dict.fromkeys(("y", "height", "cy", "ry", "y1", "y2"), "y"),
    "r": "diagonal",
}
"""Which size of the viewport the percentages of a geometry property refer to (SVG 2, section 8.9)."""

GEOMETRY: Final[Mapping[str, tuple[str, ...]]] = {
    "rect": ("x", "y", "width", "height"),
    "image": ("x", "y", "width", "height"),
    "circle": ("cx", "cy", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
    "line": ("x1", "y1", "x2", "y2"),
}
"""The lengths that make the fill box of a shape."""

CSS_GEOMETRY: Final = frozenset({"x", "y", "width", "height", "cx", "cy", "r", "rx", "ry"})
"""Geometry that is a CSS property, of which the attribute is a presentation attribute. ``x1`` and its like are not."""

_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d+)?|\.\d+)\Z")


@dataclass(frozen=True, slots=True)
class Bounds:
    """A fill box. ``counts`` says whether a group takes it into its own: empty shapes are left out.

    ``right`` is never less than ``left``, nor ``bottom`` than ``top``.
    """

    left: Value
    top: Value
    right: Value
    bottom: Value
    counts: Flag = True


NOTHING: Final = Bounds(0.0, 0.0, 0.0, 0.0, counts=False)
"""What has no geometry is a point at the origin, and in no group's box."""


@lru_cache(maxsize=8192)
def attribute_length(text: str, resolution: Resolution) -> LengthPercentage | None:
    """A length attribute; a number without a unit is in user units. None when it is invalid."""
    if _NUMBER.match(text):
        return LengthPercentage(min(max(float(text), -MAX_COORDINATE), MAX_COORDINATE))
    import tinycss2

    from husky_lint.style.values import strip_whitespace

    tokens = strip_whitespace(tinycss2.parse_component_value_list(text))
    return parse_length_percentage(tokens, resolution, unitless=True)


def clamp(length: Value) -> Value:
    """A used length: no larger than Chromium's largest, NaN as 0."""
    if isinstance(length, float):
        return 0.0 if math.isnan(length) else min(max(length, -MAX_COORDINATE), MAX_COORDINATE)
    return np.clip(np.nan_to_num(length, nan=0.0), -MAX_COORDINATE, MAX_COORDINATE)


def _not_negative(length: Value) -> Value:
    return max(length, 0.0) if isinstance(length, float) else np.maximum(length, 0.0)


def _least(first: Value, second: Value) -> Value:
    both_numbers = isinstance(first, float) and isinstance(second, float)
    return min(first, second) if both_numbers else np.minimum(first, second)


def _most(first: Value, second: Value) -> Value:
    both_numbers = isinstance(first, float) and isinstance(second, float)
    return max(first, second) if both_numbers else np.maximum(first, second)


def _both_positive(first: Value, second: Value) -> Flag:
    if isinstance(first, float) and isinstance(second, float):
        return first > 0 and second > 0
    return (np.asarray(first) > 0) & (np.asarray(second) > 0)


def shape_bounds(name: str, length: Callable[[str], Value]) -> Bounds:
    """The fill box of a rect, image, circle, ellipse or line; ``length`` gives a geometry property in user units."""
    if name == "line":
        x1, y1, x2, y2 = (length(part) for part in GEOMETRY["line"])
        return Bounds(_least(x1, x2), _least(y1, y2), _most(x1, x2), _most(y1, y2))
    if name in {"rect", "image"}:
        x, y = length("x"), length("y")
        width, height = _not_negative(length("width")), _not_negative(length("height"))
        return Bounds(x, y, x + width, y + height, _both_positive(width, height))
    cx, cy = length("cx"), length("cy")
    if name == "circle":
        rx = ry = _not_negative(length("r"))
    else:
        rx, ry = _not_negative(length("rx")), _not_negative(length("ry"))
    return Bounds(cx - rx, cy - ry, cx + rx, cy + ry, _both_positive(rx, ry))


@lru_cache(maxsize=2048)
def parse_points(text: str) -> tuple[tuple[float, float], ...]:
    """The ``points`` attribute. One number too many is left out; any other error leaves no points at all."""
    numbers, error = parse_numbers(text)
    if error is not None:
        return ()
    return tuple(zip(numbers[::2], numbers[1::2], strict=False))


@lru_cache(maxsize=2048)
def points_path(text: str, *, closed: bool) -> Path:
    """The path of a polyline, or closed that of a polygon."""
    points = parse_points(text)
    if not points:
        return EMPTY
    commands: list[Command] = [("L" if index else "M", point) for index, point in enumerate(points)]
    return build_path([*commands, ("Z", ())] if closed else commands)


def rect_path(x: float, y: float, width: float, height: float, rx: float = 0.0, ry: float = 0.0) -> Path:
    """A rectangle with its corners rounded (SVG 2, section 10.2); empty without an area."""
    if not (width > 0 and height > 0):
        return EMPTY
    rx, ry = min(max(rx, 0.0), width / 2), min(max(ry, 0.0), height / 2)
    if rx == 0 or ry == 0:
        return build_path([("M", (x, y)), ("H", (x + width,)), ("V", (y + height,)), ("H", (x,)), ("Z", ())])
    corner = (rx, ry, 0.0, 0.0, 1.0)
    return build_path(
        [
            ("M", (x + rx, y)),
            ("H", (x + width - rx,)),
            ("A", (*corner, x + width, y + ry)),
            ("V", (y + height - ry,)),
            ("A", (*corner, x + width - rx, y + height)),
            ("H", (x + rx,)),
            ("A", (*corner, x, y + height - ry)),
            ("V", (y + ry,)),
            ("A", (*corner, x + rx, y)),
            ("Z", ()),
        ]
    )


def ellipse_path(cx: float, cy: float, rx: float, ry: float) -> Path:
    """An ellipse, starting at its right (SVG 2, section 10.4); empty without an area."""
    if not (rx > 0 and ry > 0):
        return EMPTY
    half = (rx, ry, 0.0, 0.0, 1.0)
    return build_path([("M", (cx + rx, cy)), ("A", (*half, cx - rx, cy)), ("A", (*half, cx + rx, cy)), ("Z", ())])


def line_path(x1: float, y1: float, x2: float, y2: float) -> Path:
    """A line."""
    return build_path([("M", (x1, y1)), ("L", (x2, y2))])
