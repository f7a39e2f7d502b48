"""Shapes as areas: what a fill or a stroke covers, as shapely geometry, and what a clip-path leaves of it.

Areas are in the space of the path they are made of; :func:`mapped` takes them elsewhere. Dashes and markers are not
looked at.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from husky_lint.animation.properties import Context
from husky_lint.animation.unknown import LIMIT, UNSUPPORTED, Unknown
from husky_lint.scene.fill import Shape, Viewport
from husky_lint.scene.graph import SHAPES, XLINK_HREF, local_name
from husky_lint.scene.paths import flatten
from husky_lint.scene.placement import compile_placement, multiply_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.scene.paths import Path
    from husky_lint.scene.strokes import Stroke

    FloatArray = NDArray[np.float64]

TOLERANCE: Final = 0.1
"""User units that an area's outline may stray from the curve."""

_IDENTITY: Final = np.array([1.0, 0.0, 0.0, 1.0, 0.0, 0.0])
_QUARTER: Final = 8
"""Chords of a quarter of a round cap or join."""
_MAX_POINTS: Final = 4_000
_MAX_FACES: Final = 2_000
_MAX_CLIPS: Final = 200
_URL: Final = re.compile(r"""^url\(\s*["']?#([^"')]+)["']?\s*\)$""")


def nothing() -> Any:
    """The empty area."""
    from shapely import Polygon

    return Polygon()


def fill_area(path: Path, *, even_odd: bool = False) -> Any:
    """What filling a path covers; open subpaths are closed, as for painting. Empty for what has no inside."""
    from shapely import Polygon

    rings = [line for line in _lines(path) if len(line) >= 3]
    if not rings:
        return nothing()
    if len(rings) == 1:
        simple = Polygon(rings[0])
        if simple.is_valid:
            return simple
    return _faces(rings, even_odd=even_odd)


def stroke_area(path: Path, stroke: Stroke) -> Any:
    """What stroking a path covers."""
    from shapely import LineString, Point, unary_union

    half = stroke.width / 2
    caps: dict[str, Any] = {"butt": "flat", "round": "round", "square": "square"}
    joins: dict[str, Any] = {"miter": "mitre", "round": "round", "bevel": "bevel"}
    cap, join = caps.get(stroke.cap, "flat"), joins.get(stroke.join, "mitre")
    pieces = []
    for line in _lines(path):
        distinct = line[np.append(True, np.any(np.diff(line, axis=0) != 0.0, axis=1))]
        if len(distinct) == 1:
            if cap == "round":
                pieces.append(Point(distinct[0]).buffer(half, quad_segs=_QUARTER))
            continue
        closed = len(distinct) > 3 and bool(np.all(distinct[0] == distinct[-1]))
        drawn = LineString(distinct)
        pieces.append(
            drawn.buffer(
                half,
                quad_segs=_QUARTER,
                cap_style="round" if closed else cap,
                join_style=join,
                mitre_limit=max(stroke.miter_limit, 1.0),
            )
        )
    return unary_union(pieces) if pieces else nothing()


def mapped(area: Any, matrix: FloatArray) -> Any:
    """An area through a matrix (6,) [a b c d e f]; empty where the matrix is not known or flattens it."""
    from shapely import make_valid, transform

    a, b, c, d, e, f = matrix.tolist()
    if not np.isfinite(matrix).all() or abs(a * d - b * c) < 1e-12:
        return nothing()
    linear, shift = np.array([[a, b], [c, d]]), np.array([e, f])
    moved = transform(area, lambda points: points @ linear + shift)
    return moved if moved.is_valid else make_valid(moved)


def _lines(path: Path) -> list[FloatArray]:
    lines = [line for line in flatten(path, TOLERANCE, limit=_MAX_POINTS) if len(line)]
    kept: list[FloatArray] = []
    for line in lines[:_MAX_FACES]:
        step = -(-len(line) // _MAX_POINTS)
        if np.isfinite(line).all():
            kept.append(line[::step])
    return kept


def _faces(rings: list[FloatArray], *, even_odd: bool) -> Any:
    """The faces that rings cut the plane into and whose winding number says that they are inside."""
    from shapely import LineString, get_coordinates, point_on_surface, polygonize, unary_union

    closed = [np.vstack([ring, ring[:1]]) if np.any(ring[0] != ring[-1]) else ring for ring in rings]
    edges = unary_union([LineString(ring) for ring in closed])
    faces = np.array(polygonize(list(getattr(edges, "geoms", [edges]))).geoms)[:_MAX_FACES]
    if not len(faces):
        return nothing()
    inner = get_coordinates(point_on_surface(faces))
    winding = sum((_winding(ring, inner) for ring in closed), np.zeros(len(inner), dtype=np.int64))
    inside = winding % 2 == 1 if even_odd else winding != 0
    return unary_union(faces[inside]) if inside.any() else nothing()


def _winding(ring: FloatArray, points: FloatArray) -> NDArray[np.int64]:
    """(n,) how often a closed ring goes around points (n, 2)."""
    x, y = points[:, :1], points[:, 1:]
    x1, y1, x2, y2 = ring[:-1, 0], ring[:-1, 1], ring[1:, 0], ring[1:, 1]
    left = (x2 - x1) * (y - y1) - (x - x1) * (y2 - y1)
    up = (y1 <= y) & (y2 > y) & (left > 0)
    down = (y1 > y) & (y2 <= y) & (left < 0)
    count: NDArray[np.int64] = up.sum(axis=1, dtype=np.int64) - down.sum(axis=1, dtype=np.int64)
    return count


# ---------------------------------------------------------------------------------------------------------------------
# Clipping


def own_clip(motion: Motion, node: SceneNode) -> Any:
    """What the node's own ``clip-path`` leaves of it, in its own space; None without one.

    :class:`~husky_lint.animation.unknown.Unknown` for clip-paths that are no ``<clipPath>`` of the page, and for masks.
    """
    style = motion.style(node)
    for name in ("mask", "mask-image"):
        if style.declares(name) and style.text(name) not in {"", "none"}:
            return Unknown(UNSUPPORTED, "what a mask leaves is not evaluated")
    if not style.declares("clip-path"):
        return None
    text = style.text("clip-path")
    if text in {"", "none"}:
        return None
    found = _URL.match(text)
    if found is None:
        return Unknown(UNSUPPORTED, f"clip-path: {text[:60]}")
    target = _by_id(node.element, found[1])
    if target is None or target not in motion.styled or local_name(target) != "clipPath":
        return None  # as browsers have it: a reference to nothing, or to what script took out, clips nothing
    kept = motion.scene.kept.setdefault("clips", {})
    boxed = target.get("clipPathUnits") == "objectBoundingBox"
    key = (target, motion.styled, node if boxed else None)
    if key not in kept:
        kept[key] = _clip_area(motion, target, node, boxed=boxed)
    return kept[key]


def _clip_area(motion: Motion, target: _Element, node: SceneNode, *, boxed: bool) -> Any:
    from shapely import unary_union

    view = motion.scene.view_box
    viewport = Viewport(view.width, view.height) if view is not None else Viewport(float("nan"), float("nan"))
    pieces = []
    for count, (element, matrix) in enumerate(_clipping(motion, target, viewport)):
        if count >= _MAX_CLIPS:
            return Unknown(LIMIT, "a clip-path of very many shapes")
        if isinstance(matrix, Unknown):
            return matrix
        style = motion.styled.computed(element)
        if style.keyword("display") == "none":
            continue
        shape = Shape(local_name(element), element.get, style, viewport, {}, Context())
        area = fill_area(shape.outline(), even_odd=style.keyword("clip-rule") == "evenodd")
        pieces.append(mapped(area, matrix))
    area = unary_union(pieces) if pieces else nothing()
    if boxed:
        left, top, right, bottom = motion.local_box(node, [0.0])[0]
        area = mapped(area, np.array([right - left, 0.0, 0.0, bottom - top, left, top]))
    return area


def _clipping(motion: Motion, target: _Element, viewport: Viewport) -> Iterator[tuple[_Element, FloatArray | Unknown]]:
    """The shapes of a ``<clipPath>`` with their matrices in its space."""
    whole = _placed(motion, target, viewport)
    for child in target:
        matrix = _multiply(whole, _placed(motion, child, viewport))
        if local_name(child) in SHAPES:
            yield child, matrix
        elif local_name(child) == "use":
            shown = _by_id(child, (child.get("href") or child.get(XLINK_HREF) or "").removeprefix("#"))
            if shown is None or local_name(shown) not in SHAPES or shown not in motion.styled:
                continue
            shift = [_coordinate(motion, child, axis, viewport) for axis in ("x", "y")]
            matrix = _multiply(matrix, np.array([1.0, 0.0, 0.0, 1.0, *shift]))
            yield shown, _multiply(matrix, _placed(motion, shown, viewport))


def _coordinate(motion: Motion, use: _Element, axis: str, viewport: Viewport) -> float:
    style = motion.styled.computed(use)
    return style.length(axis, viewport.reference(axis)) or 0.0 if style.declares(axis) else 0.0


def _placed(motion: Motion, element: _Element, viewport: Viewport) -> FloatArray | Unknown:
    style = motion.styled.computed(element)
    placement = compile_placement(style, element.get("transform"), {}, Context(style.units))
    if isinstance(placement, Unknown):
        return placement
    if placement is None:
        return _IDENTITY
    if placement.is_animated or placement.box != "view":
        return Unknown(UNSUPPORTED, "a clip-path placed by its own box")
    return np.asarray(placement.rows(np.zeros(1), 0.0, 0.0, viewport.width, viewport.height)).reshape(-1)[:6]


def _multiply(m: FloatArray | Unknown, n: FloatArray | Unknown) -> FloatArray | Unknown:
    if isinstance(m, Unknown):
        return m
    return n if isinstance(n, Unknown) else multiply_rows(m, n)


def _by_id(element: _Element, identifier: str) -> _Element | None:
    """The first element of the page with an id; None for none."""
    if not identifier:
        return None
    return next((one for one in element.getroottree().getroot().iter("{*}*") if one.get("id") == identifier), None)
