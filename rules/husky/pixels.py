"""The colour of single points of the scene: everything painted there, in order, through opacities and filters.

For the few points that a rule asks about this is what a browser paints, the smoothing of edges aside. Clips and masks
are not followed: a *scenario* says whether what they cut is there, so that a rule can ask for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from husky_lint.rule import Reason, Undecided
from husky_lint.scene.graph import SHAPES
from husky_lint.scene.paths import flatten

from .filters import apply_filters

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.style.colors import Color
    from husky_lint.style.computed import ComputedStyle

    FloatArray = NDArray[np.float64]
    BoolArray = NDArray[np.bool_]

OPAQUE: Final = 0.9
_SOLID: Final = 0.999
_MAX_DEPTH: Final = 300
_EFFECTS: Final = ("filter", "mix-blend-mode", "clip-path", "mask", "mask-image")
_NOTHING: Final = ("", "none", "normal")
_GROWN: Final = 20.0
"""Units around a shape's box in which its stroke may paint."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is assumed of what is not followed: whether clipped and masked paint is there, which end of a gradient."""

    cut_is_painted: bool = True
    gradient_is_dark: bool = True


@dataclass(slots=True, eq=False)
class Picture:
    """``colors`` (P, 3) sRGB; ``top`` is the last node that paints each point opaquely.

    ``doubt`` (P,) is 0 where the colour is known, 1 where it depends on the scenario, 2 where it is not followed at
    all, for the reason in ``why``.
    """

    colors: FloatArray
    top: list[SceneNode | None]
    doubt: NDArray[np.int8]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Effects:
    """Group opacity, filter functions (empty for none), whether it blends, whether a clip or a mask cuts it."""

    opacity: float
    filters: tuple[Any, ...]
    blends: bool
    is_cut: bool

    @property
    def is_plain(self) -> bool:
        """Whether what is in it is painted straight onto what is behind."""
        return self.opacity >= 1.0 and not self.filters


def effects_of(style: ComputedStyle) -> Effects:
    """The effects of a style on the whole of an element."""
    set_here = {name for name in _EFFECTS if not style.cascade.is_silent_on(name) and style.text(name) not in _NOTHING}
    return Effects(
        _number(style, "opacity"),
        style.value("filter") if "filter" in set_here else (),
        "mix-blend-mode" in set_here,
        bool(set_here & {"clip-path", "mask", "mask-image"}),
    )


class Canvas:
    """Points of the scene at rest, to be painted in several ways. What covers which of them is worked out once."""

    def __init__(self, motion: Motion, points: FloatArray) -> None:
        self.motion = motion
        self.points = points
        self.boxes = motion.boxes([0.0])
        shapes = [node for node in motion.scene.nodes if node.name in SHAPES and self._is_near(node)]
        self.wanted = frozenset(shapes) | {above for node in shapes for above in node.ancestors()}
        self.matrices = {node: rows[0] for node, rows in motion.matrices(shapes, [0.0]).items()}
        self._coverage: dict[SceneNode, tuple[BoolArray, BoolArray]] = {}
        self._effects: dict[SceneNode, Effects] = {}

    def paint(
        self, scenario: Scenario, without: Collection[SceneNode] = (), sure: Collection[SceneNode] = ()
    ) -> Picture:
        """The colours at the points (P, 2). Raises Undecided(limit) for a scene that nests too deep.

        Nodes of ``without`` are left out; those of ``sure`` are there whatever clips them.
        """
        painter = _Painter(self, scenario, frozenset(without), frozenset(sure))
        pixels = painter.node(self.motion.scene.root, 0, np.zeros((len(self.points), 4)))
        pixels = painter.page(self.motion.scene.root.element, pixels)
        return Picture(pixels[:, :3], painter.top, painter.doubt, painter.why)

    def _is_near(self, node: SceneNode) -> bool:
        box = self.boxes.get(node)
        if box is None or not np.isfinite(box).all():
            return False
        low = box[0, :2] - _GROWN
        high = box[0, :2] + box[0, 2:] + _GROWN
        return bool(((self.points >= low) & (self.points <= high)).all(axis=1).any())

    def effects(self, node: SceneNode) -> Effects:
        """What happens to a node as a whole."""
        known = self._effects.get(node)
        if known is None:
            known = self._effects[node] = effects_of(self.motion.style(node))
        return known

    def covered(self, node: SceneNode, style: ComputedStyle) -> tuple[BoolArray, BoolArray]:
        """Which points the fill and the stroke of a shape cover."""
        known = self._coverage.get(node)
        if known is None:
            known = self._coverage[node] = self._covered(node, style)
        return known

    def _covered(self, node: SceneNode, style: ComputedStyle) -> tuple[BoolArray, BoolArray]:
        matrix = self.matrices[node]
        lines = _mapped(self.motion, node, matrix)
        filled = np.zeros(len(self.points), dtype=bool)
        stroked = np.zeros(len(self.points), dtype=bool)
        if not lines:
            return filled, stroked
        if style.keyword("fill") != "none" and node.name != "line":
            near = self._around(lines, 0.0)
            winding = sum((_winding(line, self.points[near]) for line in lines), np.zeros(len(near)))
            even_odd = style.keyword("fill-rule") == "evenodd"
            filled[near] = (winding % 2 != 0) if even_odd else (winding != 0)
        if style.keyword("stroke") != "none":
            stroke = self.motion.stroke(node)
            width = float(stroke.width) if stroke is not None else 0.0
            reach = width * float(np.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))) / 2
            if width > 0:
                is_butt = stroke is not None and stroke.cap == "butt"
                near = self._around(lines, reach)
                distances = [_distance(line, self.points[near], is_butt=is_butt) for line in lines]
                stroked[near] = np.minimum.reduce(distances) <= reach
        return filled, stroked

    def _around(self, lines: Sequence[FloatArray], reach: float) -> NDArray[np.intp]:
        """Which points may be inside lines, or within reach of them: those in the box around."""
        low = np.min([line.min(axis=0) for line in lines], axis=0) - reach
        high = np.max([line.max(axis=0) for line in lines], axis=0) + reach
        return np.flatnonzero(((self.points >= low) & (self.points <= high)).all(axis=1))


def outline_in_scene(motion: Motion, node: SceneNode) -> list[FloatArray]:
    """The outline of a shape in scene units, part by part, at rest."""
    return _mapped(motion, node, motion.matrix(node, [0.0])[0])


def _mapped(motion: Motion, node: SceneNode, matrix: FloatArray) -> list[FloatArray]:
    a, b, c, d, e, f = matrix
    return [
        np.stack([a * line[:, 0] + c * line[:, 1] + e, b * line[:, 0] + d * line[:, 1] + f], axis=1)
        for line in flatten(motion.outline(node))
        if len(line) > 1
    ]


class _Painter:
    def __init__(
        self, canvas: Canvas, scenario: Scenario, without: frozenset[SceneNode], sure: frozenset[SceneNode]
    ) -> None:
        self.canvas = canvas
        self.motion = canvas.motion
        self.scenario = scenario
        self.without = without
        self.sure = sure
        self.top: list[SceneNode | None] = [None] * len(canvas.points)
        self.doubt = np.zeros(len(canvas.points), dtype=np.int8)
        self.why = ""
        self.layers = 0
        self.cuts = 0

    # ------------------------------------------------------------------ the tree

    def node(self, node: SceneNode, depth: int, backdrop: FloatArray) -> FloatArray:
        """The pixels after a node is painted over the backdrop."""
        if depth > _MAX_DEPTH:
            raise Undecided(Reason.LIMIT, "the scene nests too deep")
        if node in self.without or node not in self.canvas.wanted or not self.motion.is_displayed(node):
            return backdrop
        effects = self.canvas.effects(node)
        is_cut = effects.is_cut and node not in self.sure
        if effects.opacity <= 0.0 or (is_cut and not self.scenario.cut_is_painted):
            return backdrop
        is_layer = not effects.is_plain or effects.blends
        self.layers += is_layer
        self.cuts += is_cut
        layer = np.zeros_like(backdrop) if is_layer else backdrop
        if node.name in SHAPES:
            layer = self._shape(node, layer, effects.opacity)
        else:
            for child in node.children:
                layer = self.node(child, depth + 1, layer)
        self.layers -= is_layer
        self.cuts -= is_cut
        if not is_layer:
            return layer
        filtered = apply_filters(effects.filters, layer)
        if filtered is None or effects.blends:
            self._doubt(layer[:, 3] > 0, 2, "a filter or a blend mode over the dog that is not followed")
        return _over((layer if filtered is None else filtered) * effects.opacity, backdrop)

    def _doubt(self, mask: BoolArray, level: int, why: str = "") -> None:
        self.doubt[mask] = np.maximum(self.doubt[mask], level)
        if why and mask.any():
            self.why = why

    def page(self, svg: _Element, pixels: FloatArray) -> FloatArray:
        """Out of the scene through the elements around it, down to a white canvas."""
        styled = self.motion.styled
        for element in svg.iterancestors():
            if element not in styled:
                continue
            style = styled.computed(element)
            color = style.color("background-color")
            if color is not None and color.alpha > 0:
                pixels = _over(pixels, np.tile(_premultiplied(color), (len(pixels), 1)))
            effects = effects_of(style)
            filtered = apply_filters(effects.filters, pixels)
            if filtered is None or effects.blends:
                self._doubt(np.ones(len(pixels), dtype=bool), 2, "a filter or a blend mode around the scene")
            pixels = (pixels if filtered is None else filtered) * effects.opacity
        return _over(pixels, np.ones_like(pixels))

    # ------------------------------------------------------------------ one shape

    def _shape(self, node: SceneNode, backdrop: FloatArray, group: float) -> FloatArray:
        style = self.motion.style(node)
        if style.keyword("visibility") in ("hidden", "collapse") or node not in self.canvas.matrices:
            return backdrop
        filled, stroked = self.canvas.covered(node, style)
        for name, mask in (("fill", filled), ("stroke", stroked)):
            if not mask.any():
                continue
            server = style.paint_server(name)
            color = style.color(name) if server is None else self._end(server)
            if color is None:
                continue
            color = color.with_opacity(_number(style, f"{name}-opacity"))
            source = np.zeros_like(backdrop)
            source[mask] = _premultiplied(color)
            backdrop = _over(source, backdrop)
            if color.alpha >= _SOLID and not self.layers and not self.cuts:
                self.doubt[mask] = 0
            if server is not None or self.cuts:
                self._doubt(mask, 1)
            if color.alpha * group >= OPAQUE:
                for index in np.flatnonzero(mask).tolist():
                    self.top[index] = node
        return backdrop

    def _end(self, server: str) -> Color | None:
        """The darkest or the lightest stop of a gradient; what is clear counts as light."""
        stops = self._stops(server)
        if not stops:
            return None
        choose = min if self.scenario.gradient_is_dark else max
        return choose(stops, key=lambda color: color.luminance * color.alpha + 1.0 - color.alpha)

    def _stops(self, server: str) -> list[Color]:
        """The colours of the stops of a gradient of the page."""
        root = self.motion.scene.root.element.getroottree().getroot()
        styled = self.motion.styled
        identifier = server.removeprefix("#")
        found: list[Color] = []
        for _ in range(4):
            gradient = next(
                (one for one in root.iter("{*}linearGradient", "{*}radialGradient") if one.get("id") == identifier),
                None,
            )
            if gradient is None:
                break
            for stop in gradient.iter("{*}stop"):
                if stop in styled:
                    style = styled.computed(stop)
                    color = style.color("stop-color")
                    if color is not None:
                        found.append(color.with_opacity(_number(style, "stop-opacity")))
            if found:
                break
            identifier = (
                gradient.get("href") or gradient.get("{http://www.w3.org/1999/xlink}href") or ""
            ).removeprefix("#")
        return found


def _number(style: ComputedStyle, name: str) -> float:
    found = style.number(name)
    return 1.0 if found is None else found


def _premultiplied(color: Color) -> FloatArray:
    return np.array([*(channel * color.alpha for channel in color.channels), color.alpha])


def _over(source: FloatArray, backdrop: FloatArray) -> FloatArray:
    return source + backdrop * (1.0 - source[:, 3:])


def _winding(line: FloatArray, points: FloatArray) -> FloatArray:
    """(P,) the winding number of a closed line around points."""
    begin = line
    end = np.roll(line, -1, axis=0)
    y = points[:, 1, None]
    side = (end[:, 0] - begin[:, 0]) * (y - begin[:, 1]) - (points[:, 0, None] - begin[:, 0]) * (
        end[:, 1] - begin[:, 1]
    )
    up = (begin[:, 1] <= y) & (end[:, 1] > y) & (side < 0)
    down = (begin[:, 1] > y) & (end[:, 1] <= y) & (side > 0)
    found: FloatArray = up.sum(axis=1).astype(np.float64) - down.sum(axis=1)
    return found


def _distance(line: FloatArray, points: FloatArray, *, is_butt: bool) -> FloatArray:
    """(P,) the distance of points to a line; infinite beyond the ends of an open one with butt caps."""
    begin, step = line[:-1], np.diff(line, axis=0)
    length = np.maximum((step**2).sum(axis=1), 1e-12)
    offset = points[:, None, :] - begin
    share = (offset * step).sum(axis=2) / length
    nearest = offset - np.clip(share, 0.0, 1.0)[..., None] * step
    found: FloatArray = np.sqrt((nearest**2).sum(axis=2))
    if is_butt and not np.allclose(line[0], line[-1]):
        found[share[:, 0] < 0, 0] = np.inf
        found[share[:, -1] > 1, -1] = np.inf
    smallest: FloatArray = found.min(axis=1)
    return smallest
