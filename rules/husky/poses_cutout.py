"""The dog cut out of its scene at some instants of a pace: outlines once, and where each is at each instant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from husky_lint.animation.unknown import Unknown
from husky_lint.rule import Undecided
from husky_lint.scene.areas import own_clip
from husky_lint.scene.graph import SHAPES
from husky_lint.scene.paths import flatten
from husky_lint.svg import element, matrix_attribute, polyline_data

from .colour import paint_of
from .rig import rig_of
from .seen import counterpart, opacity, visibility
from .silhouette import silhouette_of
from .visibility import LEAST_OPACITY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.style.colors import Color

    FloatArray = NDArray[np.float64]

MOST_SHAPES: Final = 400
MOST_POINTS: Final = 600
"""Points of one shape that are drawn."""
MOST_RINGS: Final = 50
_TOLERANCE: Final = 0.15
_SERVED: Final = "#9aa5b1"
"""What stands for a gradient or a pattern."""


@dataclass(frozen=True, eq=False)
class Cutout:
    """Shapes in paint order: ``definitions`` draws each once in its own space, ``frames`` puts them at the instants."""

    definitions: tuple[_Element, ...]
    frames: tuple[tuple[_Element, ...], ...]
    bounds: tuple[float, float, float, float] | None
    """Left, top, right, bottom of the dog in all frames in scene units; None where nothing is drawn."""
    left_out: int = 0
    """How many shapes were too many."""


def cut_out(
    evidence: Evidence, motion: Motion, times: FloatArray, *, prefix: str, follow_detached: bool = False
) -> Cutout:
    """The dog and what comes off it at ``times`` (seconds) of a state. ``prefix`` keeps ids apart between pictures.

    ``bounds`` take in the leg that comes off only where that is to be followed.
    """
    shapes = list(_shapes(evidence, motion))
    off = None if follow_detached else rig_of(evidence).parts.get("detached_leg")
    unbounded = counterpart(motion, off.node) if off is not None else None
    drawn = shapes[:MOST_SHAPES]
    around = {one for node in drawn for one in (node, *node.ancestors())}
    matrices = motion.matrices(around, times)
    clips = _Clips(motion, matrices, prefix)
    definitions: list[_Element] = []
    frames: list[list[_Element]] = [[] for _ in times]
    extents = []
    for rank, node in enumerate(drawn):
        name = f"{prefix}{rank}"
        lines = _outline(motion, node)
        made = _definition(motion, node, name, lines)
        if made is None or node not in matrices:
            continue
        definitions.append(made)
        shown = _shown(motion, node, times)
        if unbounded is None or unbounded not in (node, *node.ancestors()):
            extents.append(_extent(lines, matrices[node][shown >= LEAST_OPACITY]))
        for place, row in enumerate(matrices[node].tolist()):
            transform = matrix_attribute(row)
            if shown[place] < LEAST_OPACITY or transform is None:
                continue
            faded = None if shown[place] > 0.995 else float(shown[place])
            used = element(
                "use", href=f"#{name}", transform=transform, opacity=None if faded is None else f"{faded:.2f}"
            )
            frames[place].append(clips.clipped(used, node, place))
    return Cutout(
        (*definitions, *clips.definitions), tuple(map(tuple, frames)), _bounds(extents), len(shapes) - len(drawn)
    )


def _shapes(evidence: Evidence, motion: Motion) -> Iterator[SceneNode]:
    """What is painted of the dog in this state, in paint order, and the leg that comes off."""
    rig = rig_of(evidence)
    silhouette = silhouette_of(evidence)
    carriers = [node for role in ("dog", "detached_leg") if role in rig.parts for node in rig.parts[role].nodes]
    if "dog" not in rig.parts:
        carriers += [shape for shape in silhouette.shapes if silhouette.is_dogs(shape)]
    found: dict[int, SceneNode] = {}
    for carrier in carriers:
        here = counterpart(motion, carrier)
        for node in (here, *here.descendants()) if here is not None else ():
            if node.name in SHAPES and motion.is_displayed(node) and node not in motion.unknown:
                found[node.index] = node
    return (found[index] for index in sorted(found))


def _outline(motion: Motion, node: SceneNode) -> list[FloatArray]:
    lines = [line for line in flatten(motion.outline(node), _TOLERANCE, limit=MOST_POINTS) if len(line)]
    step = 1 + sum(map(len, lines)) // MOST_POINTS
    return [line if step == 1 else np.vstack([line[:-1:step], line[-1:]]) for line in lines[:MOST_POINTS]]


def _definition(motion: Motion, node: SceneNode, name: str, lines: list[FloatArray]) -> _Element | None:
    """The shape with the paint it has in this state, its opacities taken out."""
    paint, style = paint_of(motion, node), motion.style(node)
    closed = style.keyword("stroke") == "none"
    data = polyline_data((line.tolist() for line in lines), closed=closed)
    fill = _paint(paint.fill) or (_SERVED if paint.served and style.keyword("fill") != "none" else None)
    stroke = motion.stroke(node) if paint.stroke is not None else None
    colour = _paint(paint.stroke) if stroke is not None else None
    if not data or (fill is None and colour is None):
        return None
    return element(
        "path",
        id=name,
        d=data,
        fill=fill or "none",
        fill_opacity=_share(paint.fill, paint.opacity) if paint.fill is not None else None,
        fill_rule="evenodd" if style.keyword("fill-rule") == "evenodd" else None,
        stroke=colour,
        stroke_width=stroke.width if stroke is not None and colour is not None else None,
        stroke_linecap=_one_of(stroke.cap, "round", "square") if stroke is not None and colour is not None else None,
        stroke_linejoin=_one_of(stroke.join, "round", "bevel") if stroke is not None and colour is not None else None,
        stroke_opacity=_share(paint.stroke, paint.opacity) if colour is not None else None,
    )


def _one_of(value: str, *known: str) -> str | None:
    return value if value in known else None


def _paint(color: Color | None) -> str | None:
    if color is None:
        return None
    return "#" + "".join(f"{round(255 * max(0.0, min(1.0, channel))):02x}" for channel in color.channels)


def _share(color: Color | None, opacity_around: float) -> str | None:
    """The opacity of a paint without that of the groups around it; None for an opaque one."""
    if color is None or opacity_around <= 0:
        return None
    alpha = color.alpha / opacity_around
    return None if alpha > 0.995 else f"{alpha:.2f}"


def _shown(motion: Motion, node: SceneNode, times: FloatArray) -> FloatArray:
    """(T,) how opaque a shape is; what cannot be evaluated counts as seen."""
    try:
        return np.where(visibility(motion, node, times), opacity(motion, node, times), 0.0)
    except Undecided:
        return np.ones(len(times))


class _Clips:
    """The clip-paths of a picture: each outline once, and each of its places once."""

    def __init__(self, motion: Motion, matrices: Mapping[SceneNode, FloatArray], prefix: str) -> None:
        self.definitions: list[_Element] = []
        self._matrices = matrices
        self._prefix = prefix
        self._clipping = dict(_clipping(motion, matrices))
        self._outlines: set[SceneNode] = set()
        self._places: set[tuple[SceneNode, int]] = set()

    def clipped(self, used: _Element, node: SceneNode, place: int) -> _Element:
        """A drawn shape within what the clips of it and of everything around it leave at an instant."""
        for clip in (one for one in (node, *node.ancestors()) if one in self._clipping):
            used = element("g", used, clip_path=f"url(#{self._at(clip, place)})")
        return used

    def _at(self, clip: SceneNode, place: int) -> str:
        outline, name = f"{self._prefix}o{clip.index}", f"{self._prefix}c{clip.index}-{place}"
        if clip not in self._outlines:
            self._outlines.add(clip)
            rings = _rings(self._clipping[clip])
            lines = (np.asarray(ring.coords)[:MOST_POINTS].tolist() for ring in rings[:MOST_RINGS])
            self.definitions.append(element("path", id=outline, d=polyline_data(lines, closed=True) or "M0 0"))
        if (clip, place) not in self._places:
            self._places.add((clip, place))
            transform = matrix_attribute(self._matrices[clip][place].tolist())
            inside = element("use", href=f"#{outline}", transform=transform, clip_rule="evenodd")
            self.definitions.append(element("clipPath", inside, id=name))
        return name


def _clipping(motion: Motion, nodes: Iterable[SceneNode]) -> Iterator[tuple[SceneNode, Any]]:
    """What clips a node, in its own space; masks and clips of other kinds are not drawn."""
    for node in nodes:
        clip = own_clip(motion, node) if node.parent is not None else None
        if clip is not None and not isinstance(clip, Unknown):
            yield node, clip


def _rings(area: Any) -> list[Any]:
    pieces = [piece for piece in getattr(area, "geoms", [area]) if piece.geom_type == "Polygon" and not piece.is_empty]
    return [ring for piece in pieces for ring in (piece.exterior, *piece.interiors)]


def _extent(lines: list[FloatArray], rows: FloatArray) -> FloatArray | None:
    """Left, top, right, bottom of points through matrices (T, 6); None for nothing."""
    points = np.concatenate(lines)
    rows = rows[np.isfinite(rows).all(axis=1)]
    points = points[np.isfinite(points).all(axis=1)]
    if not len(rows) or not len(points):
        return None
    a, b, c, d, e, f = (rows[:, place, None] for place in range(6))
    x = a * points[:, 0] + c * points[:, 1] + e
    y = b * points[:, 0] + d * points[:, 1] + f
    return np.array([x.min(), y.min(), x.max(), y.max()])


def _bounds(extents: list[FloatArray | None]) -> tuple[float, float, float, float] | None:
    known = np.array([extent for extent in extents if extent is not None])
    if not len(known):
        return None
    left, top = known[:, :2].min(axis=0).tolist()
    right, bottom = known[:, 2:].max(axis=0).tolist()
    return left, top, right, bottom


__all__ = ["Cutout", "cut_out"]
