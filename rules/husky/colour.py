"""The paint of a shape: fill and stroke with the opacities of everything around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.style.colors import Color
    from husky_lint.style.computed import ComputedStyle

WHITE_ENOUGH: Final = 0.6
"""Relative luminance from which fur counts as white, by day; the far legs' greyed white included."""
DARK_ENOUGH: Final = 0.12


@dataclass(frozen=True, slots=True)
class Paint:
    """``fill`` and ``stroke`` as painted: their alpha is that of the paint times all opacities, None is no paint.

    ``opacity`` is the product of the shape's own opacity and its ancestors'. ``served`` says that a paint server
    (a gradient, a pattern) fills the shape, so that its colour is not known.
    """

    fill: Color | None
    stroke: Color | None
    stroke_width: float
    opacity: float
    served: bool = False

    @property
    def alpha(self) -> float:
        """How opaque the most opaque of fill and stroke is."""
        served = self.opacity if self.served else 0.0
        return max(
            self.fill.alpha if self.fill is not None else 0.0,
            self.stroke.alpha if self.stroke is not None and self.stroke_width > 0 else 0.0,
            served,
        )

    @property
    def color(self) -> Color | None:
        """The colour that is mostly seen: the fill's, else the stroke's."""
        if self.fill is not None and self.fill.alpha > 0:
            return self.fill
        return self.stroke if self.stroke_width > 0 else None

    @property
    def is_white(self) -> bool:
        """Whether the colour reads as white fur."""
        color = self.color
        return color is not None and color.luminance >= WHITE_ENOUGH and color.alpha > 0.5 and chroma(color) < 0.2

    @property
    def is_dark(self) -> bool:
        color = self.color
        return color is not None and color.luminance <= DARK_ENOUGH

    @property
    def is_outline(self) -> bool:
        """Whether only a stroke is painted."""
        return (self.fill is None or self.fill.alpha == 0) and self.stroke is not None and not self.served

    @property
    def chroma(self) -> float:
        """How colourful it is, 0 grey to 1."""
        return chroma(self.color) if self.color is not None else 0.0


def chroma(color: Color) -> float:
    """The distance of the largest channel to the smallest, 0 for grey."""
    return max(color.channels) - min(color.channels)


def is_pink(color: Color | None) -> bool:
    """Whether a colour is a tongue's or an inner ear's: red leads, clearly."""
    if color is None:
        return False
    red, green, blue = color.channels
    return red > 0.45 and red - green > 0.1 and red - blue > 0.05


def paint_of(motion: Motion, shape: SceneNode) -> Paint:
    """The paint of a shape in the motion's state, without animations. Raises KeyError for what is not there."""
    kept = motion.scene.kept.setdefault("paints", {})
    style = motion.style(shape)
    key = (shape, style)
    known: Paint | None = kept.get(key)
    if known is None:
        known = kept[key] = _paint(motion, shape, style)
    return known


def _paint(motion: Motion, shape: SceneNode, style: ComputedStyle) -> Paint:
    opacity = _opacity(motion, shape)
    fill, served = (None, False) if shape.name == "line" else _channel(style, "fill", opacity)
    stroke, stroke_served = _channel(style, "stroke", opacity)
    width = style.length("stroke-width", 0.0) if stroke is not None or stroke_served else 0.0
    width = 1.0 if width is None else width
    return Paint(fill, stroke, width, opacity, served or (stroke_served and width > 0))


def _opacity(motion: Motion, node: SceneNode) -> float:
    """The product of the opacities of a node and everything around it."""
    kept: dict[object, float] = motion.scene.kept.setdefault("opacities", {})
    product = 1.0
    line = []
    for one in (node, *node.ancestors()):
        known = kept.get((one, motion.style(one)))
        if known is not None:
            product = known
            break
        line.append(one)
    for one in reversed(line):
        style = motion.style(one)
        if style.declares("opacity"):
            number = style.number("opacity")
            product *= 1.0 if number is None else number
        kept[one, style] = product
    return product


def _channel(style: ComputedStyle, name: str, opacity: float) -> tuple[Color | None, bool]:
    """The colour of fill or stroke with all opacities, and whether a paint server gives it."""
    if style.keyword(name) == "none":
        return None, False
    own = style.number(f"{name}-opacity")
    served = style.paint_server(name) is not None
    color = style.color(name)
    if served or color is None:
        return None, served
    return color.with_opacity((1.0 if own is None else own) * opacity), False
