"""Where an element's own space lies in its parent's: transforms, their origin and reference box, motion path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from husky_lint.animation import offset
from husky_lint.animation.properties import (
    TRANSFORM_PROPERTIES,
    Context,
    animate_property,
    parse_transform_property,
    property_types,
)
from husky_lint.animation.tracks import TransformTrack
from husky_lint.animation.transforms import TransformList, parse_transform_attribute
from husky_lint.animation.unknown import Unknown
from husky_lint.animation.vectors import Series, Vector, VectorTrack
from husky_lint.scene.boxes import IDENTITY
from husky_lint.scene.smil import SmilMotion, SmilTransform
from husky_lint.style.element_style import is_absolute

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from husky_lint.scene.animated import Animations
    from husky_lint.style.computed import ComputedStyle

    FloatArray = NDArray[np.float64]

_OFFSET: Final = ("offset-path", "offset-distance", "offset-rotate", "offset-anchor", "offset-position")
PLACING: Final = frozenset({*TRANSFORM_PROPERTIES, *_OFFSET, "transform-origin", "transform-box"})
"""The properties that a placement depends on."""

BOXES: Final = {
    "view-box": "view",
    "fill-box": "fill",
    "content-box": "fill",
    "stroke-box": "stroke",
    "border-box": "stroke",
}
"""What the keywords of ``transform-box`` mean in an SVG."""

Factor = TransformList | TransformTrack | SmilTransform
VectorSource = Vector | VectorTrack


def multiply_rows(m: FloatArray, n: FloatArray) -> FloatArray:
    """The products m n of matrices stored as rows, (6,) or (T, 6) each."""
    a, b, c, d, e, f = (m[..., k] for k in range(6))
    g, h, i, j, k, l = (n[..., k] for k in range(6))  # noqa: E741 - the letters in order
    product = np.empty(np.broadcast_shapes(m.shape, n.shape))
    product[..., 0], product[..., 1] = a * g + c * h, b * g + d * h
    product[..., 2], product[..., 3] = a * i + c * j, b * i + d * j
    product[..., 4], product[..., 5] = a * k + c * l + e, b * k + d * l + f
    return product


def about(rows: FloatArray, x: float | FloatArray, y: float | FloatArray) -> FloatArray:
    """The matrices with their origin moved from (0, 0) to (x, y); numbers or arrays over times."""
    a, b, c, d, e, f = (rows[..., k] for k in range(6))
    shifted_e, shifted_f = e + x - a * x - c * y, f + y - b * x - d * y
    moved = np.empty((*np.shape(shifted_e), 6))
    moved[...] = rows
    moved[..., 4], moved[..., 5] = shifted_e, shifted_f
    return moved


@dataclass(frozen=True, slots=True)
class Placement:
    """The compiled transform of one element.

    ``factors`` multiply in order: translate, rotate, scale, the motion path (at ``offset_at``), transform. ``box`` is
    ``view``, ``fill`` or ``stroke``: what percentages and the origin refer to.
    """

    factors: tuple[Factor, ...]
    origin: VectorSource
    box: str
    offsets: tuple[VectorSource, ...] = ()
    offset_at: int = 0
    motion: SmilMotion | None = None
    """``animateMotion``: outside of everything else."""

    @property
    def is_animated(self) -> bool:
        return (
            self.motion is not None
            or isinstance(self.origin, VectorTrack)
            or any(not isinstance(factor, TransformList) for factor in self.factors)
            or any(isinstance(part, VectorTrack) for part in self.offsets)
        )

    def rows(
        self,
        times: FloatArray,
        x: float | FloatArray,
        y: float | FloatArray,
        width: float | FloatArray,
        height: float | FloatArray,
    ) -> FloatArray:
        """Matrices (6,) or (T, 6) for a reference box, whose numbers may be arrays over the times."""
        origin_x, origin_y = self._origin(times, x, y, width, height)
        rows: FloatArray | None = None
        for index in range(len(self.factors) + 1):
            if self.offsets and index == self.offset_at:
                moved = self._offset(times, (origin_x, origin_y), (x, y, width, height))
                rows = moved if rows is None else multiply_rows(rows, moved)
            if index == len(self.factors):
                break
            factor = self.factors[index]
            if isinstance(factor, TransformList):
                own = factor.matrix(width, height)
            else:
                own = factor.evaluate(times, width, height)
            rows = own if rows is None else multiply_rows(rows, own)
        placed = IDENTITY if rows is None else about(rows, origin_x, origin_y)
        return placed if self.motion is None else multiply_rows(self.motion.evaluate(times), placed)

    def _origin(
        self,
        times: FloatArray,
        x: float | FloatArray,
        y: float | FloatArray,
        width: float | FloatArray,
        height: float | FloatArray,
    ) -> tuple[float | FloatArray, float | FloatArray]:
        if isinstance(self.origin, Vector):
            px_x, part_x, px_y, part_y = self.origin.numbers[:4].tolist()
        else:
            numbers = self.origin.evaluate(times).numbers("origin")
            px_x, part_x, px_y, part_y = numbers[:, 0], numbers[:, 1], numbers[:, 2], numbers[:, 3]
        return x + px_x + part_x * width, y + px_y + part_y * height

    def _offset(
        self,
        times: FloatArray,
        origin: tuple[float | FloatArray, float | FloatArray],
        box: tuple[float | FloatArray, float | FloatArray, float | FloatArray, float | FloatArray],
    ) -> FloatArray:
        series = [
            part.evaluate(times)
            if isinstance(part, VectorTrack)
            else Series(len(times), [(np.arange(len(times)), part)])
            for part in self.offsets
        ]
        moved = offset.offset_matrices(*series, origin=origin, boxes=offset.OffsetBoxes(anchor=box))
        return moved if self.is_animated or any(isinstance(value, np.ndarray) for value in box) else moved[0]


ORIGIN: Final = Vector.of("origin", 0.0, 0.0, 0.0, 0.0, 0.0)
"""The transform origin of SVG elements where none is declared."""
CENTER: Final = Vector.of("origin", 0.0, 0.5, 0.0, 0.5, 0.0)
"""That of an ``<svg>`` that a ``<use>`` shows: Chromium's own style sheet misses it in the shadow tree."""


def compile_placement(
    style: ComputedStyle,
    attribute: str | None,
    animations: Mapping[str, Animations],
    context: Context,
    default_origin: Vector = ORIGIN,
    smil_transform: SmilTransform | None = None,
    motion: SmilMotion | None = None,
) -> Placement | Unknown | None:
    """The placement of an element; None where nothing places it. ``attribute`` is its ``transform`` attribute.

    A ``transform`` declared in CSS replaces the attribute (SVG 2, section 8.5).
    """
    declares = style.declares
    factors: list[Factor] = []
    for name in ("translate", "rotate", "scale"):
        if name in animations or declares(name):
            factor = _transform(name, style.value(name), animations, context)
            if isinstance(factor, Unknown):
                return factor
            factors.append(factor)
    offsets: list[VectorSource] = []
    offset_at = len(factors)
    if "offset-path" in animations or declares("offset-path"):
        for name in _OFFSET:
            part = _vector(name, style, animations, context)
            if isinstance(part, Unknown):
                return part
            offsets.append(part)
    in_css = declares("transform")
    if smil_transform is not None and not in_css and "transform" not in animations:
        factors.append(smil_transform)
        attribute = None
    if in_css or "transform" in animations or attribute:
        underlying: Sequence[Any] | TransformList = style.value("transform")
        if not in_css:
            underlying = (parse_transform_attribute(attribute) if attribute else None) or TransformList()
        factor = _transform("transform", underlying, animations, context)
        if isinstance(factor, Unknown):
            return factor
        factors.append(factor)
    moves = any(not isinstance(factor, TransformList) or factor.functions for factor in factors)
    if not offsets and not moves and motion is None:
        return None
    box = "view"
    if declares("transform-box") or "transform-box" in animations:
        forms = _vector("transform-box", style, animations, context)
        if isinstance(forms, VectorTrack):
            return Unknown("unsupported-css", "the animation of transform-box is not evaluated")
        box = BOXES.get(style.keyword("transform-box") or "", "view")
    origin: VectorSource = default_origin
    if declares("transform-origin") or "transform-origin" in animations:
        found = _vector("transform-origin", style, animations, context)
        if isinstance(found, Unknown):
            return found
        origin = found
    return Placement(tuple(factors), origin, box, tuple(offsets), offset_at, motion)


def _transform(
    name: str, underlying: Sequence[Any] | TransformList, animations: Mapping[str, Animations], context: Context
) -> Factor | Unknown:
    if name in animations:
        track = animate_property(name, animations[name], underlying, context)
        if isinstance(track, TransformTrack):
            return track.unknown or track
        return track if isinstance(track, Unknown) else TransformList()
    if isinstance(underlying, TransformList):
        return underlying
    return parse_transform_property(name, underlying, context) or TransformList()


def _vector(
    name: str, style: ComputedStyle, animations: Mapping[str, Animations], context: Context
) -> VectorSource | Unknown:
    kind = property_types()[name]
    if name in animations:
        track = animate_property(name, animations[name], style.value(name), context)
        return track if isinstance(track, Unknown | VectorTrack) else kind.initial
    if not style.declares(name):
        return kind.initial
    resolved = style.resolve(name)
    if name == "offset-path" or not is_absolute(resolved.memo, resolved.tokens):  # a path may be another element's
        return kind.parse(resolved.tokens, context) or kind.initial
    known: Vector | None = resolved.memo.get(_vector)
    if known is None:
        known = resolved.memo[_vector] = kind.parse(resolved.tokens, context) or kind.initial
    return known
