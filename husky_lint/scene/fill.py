"""The fill and stroke of an element's own geometry, from its attributes and its style, over times if animated."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from husky_lint.animation import offset
from husky_lint.animation.properties import animate_property
from husky_lint.animation.unknown import UNSUPPORTED, Unknown
from husky_lint.animation.vectors import Series, Vector, VectorTrack
from husky_lint.scene import geometry
from husky_lint.scene.geometry import AXES, CSS_GEOMETRY, GEOMETRY, NOTHING, Bounds
from husky_lint.scene.paths import EMPTY, Path, build_path, compute_bounds, parse_path
from husky_lint.scene.smil import animated_attribute
from husky_lint.scene.strokes import Stroke, stroke_bounds
from husky_lint.style.values import LengthPercentage, split_spaces

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from husky_lint.animation.properties import Context
    from husky_lint.scene.animated import Animations
    from husky_lint.scene.geometry import Value
    from husky_lint.style.computed import ComputedStyle

    FloatArray = NDArray[np.float64]

ANIMATED_GEOMETRY: Final = CSS_GEOMETRY | {"d"}
_ANIMATED_PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    **GEOMETRY,
    "path": ("d",),
    "polyline": ("points",),
    "polygon": ("points",),
}
_ZERO: Final = LengthPercentage()


@dataclass(frozen=True, slots=True)
class Viewport:
    """What percentages refer to, in user units; NaN where only layout knows."""

    width: float
    height: float

    @property
    def diagonal(self) -> float:
        """What percentages along neither axis refer to (SVG 2, section 8.9)."""
        return math.hypot(self.width, self.height) / math.sqrt(2)

    def reference(self, part: str) -> float:
        """The size that a percentage of a geometry property is of."""
        axis = AXES[part]
        return self.width if axis == "x" else self.height if axis == "y" else self.diagonal


def used_length(length: LengthPercentage | None, reference: float) -> float:
    """A length in user units; NaN if it needs a reference that is not known."""
    if length is None:
        return 0.0
    if length.is_fixed:
        return float(geometry.clamp(length.px))
    if math.isnan(reference):
        return math.nan
    return float(geometry.clamp(length.resolve(reference)))


class Shape:
    """The geometry of one element in the styles that give it the same one.

    ``attribute(name)`` gives its attributes. Lengths that CSS animates are evaluated over times.
    """

    __slots__ = (
        "_attribute",
        "_context",
        "_elements",
        "_outline",
        "_path",
        "_style",
        "_viewport",
        "animations",
        "name",
    )

    def __init__(
        self,
        name: str,
        attribute: Callable[[str], str | None],
        style: ComputedStyle,
        viewport: Viewport,
        animations: Mapping[str, Animations],
        context: Context,
        elements: Mapping[str, Sequence[_Element]] | None = None,
    ) -> None:
        self.name = name
        parts = _ANIMATED_PARTS.get(name, ())
        self._elements = {part: found for part, found in (elements or {}).items() if part in parts}
        self.animations = {part: found for part, found in animations.items() if part in ANIMATED_GEOMETRY}
        self._attribute = attribute
        self._style = style
        self._viewport = viewport
        self._context = context
        self._path: Path | None = None
        self._outline: Path | None = None

    @property
    def is_animated(self) -> bool:
        if self._elements:
            return True
        return bool(self.animations) and any(part in self.animations for part in _ANIMATED_PARTS.get(self.name, ()))

    def path(self) -> Path | None:
        """The path of a path, polyline or polygon as it is without animations; None for other shapes."""
        if self._path is None:
            if self.name == "path":
                self._path = self._path_data()
            elif self.name in {"polyline", "polygon"}:
                self._path = geometry.points_path(self._attribute("points") or "", closed=self.name == "polygon")
        return self._path

    def _path_data(self) -> Path:
        if self._style.declares("d"):
            vector = offset.parse_offset_path(split_spaces(self._style.value("d")))
            if vector is not None and isinstance(vector.form, tuple) and vector.form[0] == "path":
                return offset.vector_path(vector.form[1], vector.numbers.tolist())
            return EMPTY
        return parse_path(self._attribute("d") or "")

    def length(self, part: str) -> float:
        """A geometry property in user units, as it is without animations."""
        style, viewport = self._style, self._viewport
        if part in CSS_GEOMETRY:
            found = style.length_percentage(part) if style.declares(part) else None
        else:
            text = self._attribute(part)
            found = None if text is None else geometry.attribute_length(text, style.units)
        if found is None and part in {"rx", "ry"}:
            # ``auto`` is what the other one is.
            other = "ry" if part == "rx" else "rx"
            found = style.length_percentage(other) if style.declares(other) else None
            return used_length(found, viewport.reference(other))
        return used_length(found, viewport.reference(part))

    def still_bounds(self) -> Bounds:
        """The fill box without animations. Compute the bounds of many paths beforehand, it is faster."""
        path = self.path()
        if path is not None:
            box = path.bounds
            return NOTHING if box is None else Bounds(*box)
        return geometry.shape_bounds(self.name, self.length)

    def bounds(self, times: FloatArray) -> Bounds | Unknown:
        """The fill box over times."""
        if not self.is_animated:
            return self.still_bounds()
        if self.name in {"path", "polyline", "polygon"}:
            return self._animated_path(times)
        values: dict[str, Value] = {}
        for part in GEOMETRY[self.name]:
            value = self._animated_length(part, times)
            if isinstance(value, Unknown):
                return value
            values[part] = value
        return geometry.shape_bounds(self.name, values.__getitem__)

    def _animated_length(self, part: str, times: FloatArray) -> Value | Unknown:
        if part in self._elements:
            return self._moved_length(part, times)
        if part not in self.animations:
            if part in {"rx", "ry"} and not self._style.declares(part):
                other = "ry" if part == "rx" else "rx"
                return self._animated_length(other, times) if other in self.animations else self.length(part)
            return self.length(part)
        reference = self._viewport.reference(part)
        if part not in {"rx", "ry"}:
            return animated_length(part, self.animations, self._style, reference, self._context, times)
        other = "ry" if part == "rx" else "rx"
        auto = self._animated_length(other, times) if not self._is_auto(other) else 0.0
        if isinstance(auto, Unknown):
            return auto
        return animated_length(part, self.animations, self._style, reference, self._context, times, auto=auto)

    def _is_auto(self, part: str) -> bool:
        """Whether one radius may be ``auto``, so that it can't decide the other one too."""
        if part in self.animations:
            return True
        return not self._style.declares(part) or self._style.keyword(part) == "auto"

    def _moved_length(self, part: str, times: FloatArray) -> Value | Unknown:
        """A length under SVG animation elements; CSS animations of it are left out."""
        base = self._style.length_percentage(part) if part in CSS_GEOMETRY and self._style.declares(part) else None
        start = self._attribute(part) if base is None else Vector.of("length", base.px, base.percent)
        series = animated_attribute(self._elements[part], part, start, self._style.units, times)
        if isinstance(series, Unknown):
            return series
        return _used_lengths(series, self._viewport.reference(part), 0.0)

    def _animated_path(self, times: FloatArray) -> Bounds | Unknown:
        series: Series | Unknown
        if self._elements:
            part = "d" if self.name == "path" else "points"
            start = self._style_d() if part == "d" else self._attribute("points")
            if not isinstance(start, str | Vector | None):
                start = offset.parse_offset_path(split_spaces(start))
            series = animated_attribute(self._elements[part], part, start, self._style.units, times)
        else:
            track = animate_property("d", self.animations["d"], self._style_d(), self._context)
            if not isinstance(track, VectorTrack):
                return track if isinstance(track, Unknown) else NOTHING
            series = track.evaluate(times)
        if isinstance(series, Unknown):
            return series
        boxes = np.zeros((len(times), 4))
        counts = np.zeros(len(times), dtype=bool)
        found: list[tuple[int, Path]] = []
        for index, value in series.pieces:
            if not isinstance(value.form, tuple):
                continue
            rows = value.numbers if value.numbers.ndim == 2 else [value.numbers] * len(index)
            found += [(time, self._at(value, row)) for time, row in zip(index.tolist(), rows, strict=True)]
        compute_bounds(path for _, path in found)
        for time, path in found:
            if path.bounds is not None:
                boxes[time], counts[time] = path.bounds, True
        return Bounds(boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 3], counts)

    def _at(self, value: Vector, numbers: FloatArray) -> Path:
        """The path at one time, from the form and the numbers of its value."""
        assert isinstance(value.form, tuple)
        row = numbers.tolist()
        if value.form[0] == "path":
            return offset.vector_path(value.form[1], row)
        points = zip(row[::2], row[1::2], strict=True)
        return build_path([("L" if index else "M", point) for index, point in enumerate(points)])

    def _style_d(self) -> Any:
        if self._style.declares("d"):
            return self._style.value("d")
        return offset.path_vector(parse_path(self._attribute("d") or ""))

    def outline(self) -> Path:
        """The shape as a path, as it is without animations."""
        if self._outline is None:
            path = self.path()
            self._outline = self._basic_path() if path is None else path
        return self._outline

    def _basic_path(self) -> Path:
        match self.name:
            case "line":
                return geometry.line_path(*(self.length(part) for part in GEOMETRY["line"]))
            case "circle":
                radius = self.length("r")
                return geometry.ellipse_path(self.length("cx"), self.length("cy"), radius, radius)
            case "ellipse":
                return geometry.ellipse_path(*(self.length(part) for part in GEOMETRY["ellipse"]))
            case "rect":
                return geometry.rect_path(*(self.length(part) for part in ("x", "y", "width", "height", "rx", "ry")))
        return EMPTY

    def stroke(self, style: ComputedStyle) -> Stroke | None:
        """How the shape is stroked in a style; None where it is not, or not in its own space."""
        if style.keyword("stroke") == "none" or style.keyword("vector-effect") == "non-scaling-stroke":
            return None
        width = used_length(style.length_percentage("stroke-width"), self._viewport.diagonal)
        if not width > 0:
            return None
        limit = style.number("stroke-miterlimit")
        return Stroke(
            width,
            style.keyword("stroke-linecap") or "butt",
            style.keyword("stroke-linejoin") or "miter",
            4.0 if limit is None else limit,
        )

    def stroke_bounds(self, bounds: Bounds, style: ComputedStyle) -> Bounds:
        """The stroke box in a style, given the fill box; of animated paths the one without animations."""
        stroke = self.stroke(style)
        if stroke is None or bounds.counts is False:
            return bounds
        if self.name in {"rect", "circle", "ellipse"}:
            half = stroke.width / 2
            return Bounds(
                bounds.left - half, bounds.top - half, bounds.right + half, bounds.bottom + half, bounds.counts
            )
        if self.name == "image":
            return bounds
        box = stroke_bounds(self.outline(), stroke)
        return bounds if box is None else Bounds(*box, bounds.counts)


def animated_length(
    part: str,
    animations: Mapping[str, Animations],
    style: ComputedStyle,
    reference: float,
    context: Context,
    times: FloatArray,
    *,
    auto: Value = 0.0,
) -> Value | Unknown:
    """An animated geometry property over times, in user units; ``auto`` is what a keyword comes to."""
    track = animate_property(part, animations[part], style.value(part), context)
    if isinstance(track, Unknown):
        return track
    if not isinstance(track, VectorTrack):
        return 0.0
    series = track.evaluate(times)
    if any(form == "unsupported" for form in series.forms):
        return Unknown(UNSUPPORTED, f"a value of {part} that is not evaluated")
    return _used_lengths(series, reference, auto)


def _used_lengths(series: Series, reference: float, auto: Value) -> Value:
    """Lengths over times in user units."""
    numbers = series.numbers("length")
    if not numbers.size:
        return auto
    lengths = np.where(np.isnan(numbers[:, 0]), auto, numbers[:, 0])
    relative = ~np.isnan(numbers[:, 1]) & (numbers[:, 1] != 0)
    lengths[relative] += numbers[relative, 1] * reference
    if math.isnan(reference) and relative.any():
        lengths[relative] = np.nan
        return lengths
    return geometry.clamp(lengths)
