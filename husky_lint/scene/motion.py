"""Where everything in a scene is at any time, in one state of the page.

All results are in the user units of the scene's svg (the space that its viewBox sets up). A time t, in seconds, means
that the page has run for t in that state with every animation started at 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from husky_lint.animation.properties import Context
from husky_lint.animation.unknown import LIMIT, UNSUPPORTED, Unknown
from husky_lint.scene import geometry
from husky_lint.scene.animated import KeyframesReader
from husky_lint.scene.boxes import Evaluator, Part
from husky_lint.scene.fill import ANIMATED_GEOMETRY, Shape, Viewport, animated_length, used_length
from husky_lint.scene.geometry import NOTHING, Bounds
from husky_lint.scene.graph import SHAPES, Place, SceneGraph, SceneNode, fit, parse_aspect_ratio, parse_view_box
from husky_lint.scene.paths import Path, compute_bounds
from husky_lint.scene.placement import (
    BOXES,
    CENTER,
    ORIGIN,
    PLACING,
    Placement,
    about,
    compile_placement,
    multiply_rows,
)
from husky_lint.scene.smil import MOTION, animation_elements, compile_motion, compile_transform
from husky_lint.scene.varying import Tracks, VaryingPlacement, custom_tracks, dependence
from husky_lint.script.journal import SetAttribute

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from husky_lint.scene.animated import Animations
    from husky_lint.style.computed import ComputedStyle, StyledDocument

    FloatArray = NDArray[np.float64]

TEXT: Final = "text"
FOREIGN_OBJECT: Final = "foreign-object"
SCRIPT_DRIVEN: Final = "script-driven-motion"
NEEDS_BROWSER: Final = "needs-browser"

_CELLS: Final = 2_000_000
"""Parts × times that are evaluated at once; more times are done in turns, to bound memory."""
_STILL: Final = np.zeros(1)
_RELEVANT: Final = PLACING | ANIMATED_GEOMETRY | {"animation-name", "display", "all"}
_UNKNOWN_BOX: Final = Bounds(math.nan, math.nan, math.nan, math.nan)
_UNKNOWN_MATRIX: Final = np.full(6, math.nan)


@dataclass(slots=True, eq=False)
class _Compiled:
    """What one element is in one style: the part of a motion that states can share."""

    display: str = "inline"
    shape: Shape | None = None
    bounds: Bounds | None = None
    placement: Placement | None = None
    matrix: FloatArray | None = None
    """The placement, where it is still and needs no box."""
    content: FloatArray | None = None
    """From the element's inner space to its outer one: the position of a ``<use>``, the viewBox of an ``<svg>``."""
    moving_content: Mapping[str, Animations] | None = None
    viewport: Viewport | None = None
    """What the percentages of children refer to, where the element sets up a viewport."""
    box_reason: str | None = None
    matrix_reason: str | None = None
    child_reason: str | None = None


@dataclass(slots=True, eq=False)
class _Entry:
    """A displayed node of this motion."""

    node: SceneNode
    style: ComputedStyle
    parent: int
    depth: int
    compiled: _Compiled
    viewport: Viewport
    """What the node's own percentages refer to."""


@dataclass(slots=True)
class _BoxPivot:
    """A placement that refers to the element's own box, for one series of times."""

    placement: Placement
    content: FloatArray | None
    times: FloatArray
    by_stroke: bool

    def matrix(self, box: FloatArray) -> FloatArray:
        left, top, right, bottom = box
        rows = self.placement.rows(self.times, left, top, right - left, bottom - top)
        return rows if self.content is None else multiply_rows(rows, self.content)


class _Shared:
    """What the motions of one scene in different states have in common."""

    def __init__(self) -> None:
        self.reader = KeyframesReader()
        self.compiled: dict[Any, _Compiled] = {}
        self.relevant: dict[Any, frozenset[str]] = {}


@dataclass(frozen=True, slots=True)
class _Selection:
    """The entries that one evaluation is about: breadth first, the rank of each in that order, where levels start."""

    order: Sequence[int]
    rank: Mapping[int, int]
    levels: Sequence[int]


class Motion:
    """The motion of a scene in one state.

    ``script_driven`` are elements that script moves in ways that only running it shows: they, what is in them and the
    groups around them are unknown. ``animated=False`` gives the rest pose: every animation removed.
    """

    def __init__(
        self,
        styled: StyledDocument,
        scene: SceneGraph,
        *,
        script_driven: Iterable[_Element] = (),
        animated: bool = True,
    ) -> None:
        self.styled = styled
        self.scene = scene
        self._animated = animated
        self._script_driven = frozenset(script_driven)
        self._shared: _Shared = scene.kept.setdefault("motion", _Shared())
        self._attributes = {
            (mutation.element, mutation.name): mutation.value
            for mutation in styled.state.mutations
            if isinstance(mutation, SetAttribute)
        }
        self._entries: list[_Entry] = []
        self._unknown: dict[SceneNode, str] = {}
        self._late_unknown: dict[SceneNode, str] = {}
        self._customs: dict[SceneNode, Tracks] = {}
        self._build()
        self._whole = self._selection(range(len(self._entries)))
        self._index = {entry.node: index for index, entry in enumerate(self._entries)}
        self._spread_reasons()

    # ------------------------------------------------------------------ what is there

    @property
    def unknown(self) -> Mapping[SceneNode, str]:
        """Nodes whose box cannot be told, with the reason key; may grow when times are evaluated."""
        return {**self._late_unknown, **self._unknown}

    def is_displayed(self, node: SceneNode) -> bool:
        """Whether the node generates a box at all: it stands where SVG paints, and no ``display: none`` is around."""
        return node in self._index or node in self._unknown

    def style(self, node: SceneNode) -> ComputedStyle:
        """The style of a node, also of an instance in a ``<use>``. Raises KeyError for what is not in the document."""
        if node.uses:
            return self.styled.clone_computed(node.uses, node.element)
        return self.styled.computed(node.element)

    def animations(self, node: SceneNode) -> Mapping[str, Animations] | Unknown:
        """For each animated property of a node its animations, lowest first. Raises KeyError as :meth:`style` does."""
        return self._shared.reader.animations(self.style(node), self.styled)

    # ------------------------------------------------------------------ compiling

    def _attribute(self, element: _Element, name: str) -> str | None:
        key = (element, name)
        return self._attributes[key] if key in self._attributes else element.get(name)

    def _build(self) -> None:
        containers: dict[SceneNode, tuple[int, Viewport]] = {}
        for node in self.scene.nodes:
            parent = node.parent
            if parent is None:
                style = self.style(node)
                compiled = _Compiled(viewport=self._root_viewport(node, style))
                if style.keyword("display") == "none":
                    continue
                self._entries.append(_Entry(node, style, -1, 0, compiled, Viewport(math.nan, math.nan)))
                containers[node] = (0, compiled.viewport or Viewport(math.nan, math.nan))
                self._customs[node] = self._customs_around(style)
                continue
            if parent not in containers:
                if parent in self._unknown and node.place in {Place.TEXT, Place.FOREIGN}:
                    self._unknown[node] = TEXT if node.place is Place.TEXT else FOREIGN_OBJECT
                continue
            if node.place is not Place.RENDERED:
                continue
            self._add(node, *containers[parent], containers)

    def _add(
        self, node: SceneNode, above: int, viewport: Viewport, containers: dict[SceneNode, tuple[int, Viewport]]
    ) -> None:
        try:
            style = self.style(node)
        except KeyError:
            return
        compiled = self._compile(node, style, viewport)
        if compiled.display == "none":
            return
        compiled = self._vary(node, style, viewport, compiled)
        if compiled.display == "contents":
            containers[node] = (above, viewport)
            return
        reason = compiled.child_reason
        if node.name in {"text", "foreignObject"}:
            reason = self._content_reason(node)
            if reason is not None:
                self._unknown[node] = reason
        elif reason is None and node.cut_off:
            reason = LIMIT
        elif reason is None and node.external:
            reason = NEEDS_BROWSER
        if node.element in self._script_driven:
            compiled = replace(compiled, matrix_reason=SCRIPT_DRIVEN, box_reason=SCRIPT_DRIVEN)
        elif reason is not None:
            compiled = replace(compiled, box_reason=reason, bounds=_UNKNOWN_BOX)
        index = len(self._entries)
        self._entries.append(_Entry(node, style, above, self._entries[above].depth + 1, compiled, viewport))
        if compiled.bounds is None and compiled.shape is None:
            containers[node] = (index, compiled.viewport or viewport)

    def _customs_around(self, style: ComputedStyle) -> Tracks:
        """The animated custom properties that the scene's svg has, its own among them."""
        styles = [style]
        while styles[-1].parent is not None:
            styles.append(styles[-1].parent)
        tracks: Tracks = {}
        for current in reversed(styles) if self._animated else ():
            animations = self._shared.reader.animations(current, self.styled)
            if not isinstance(animations, Unknown):
                found = custom_tracks(current, self.styled, animations, tracks)
                tracks = {} if isinstance(found, Unknown) else found
        return tracks

    def _vary(self, node: SceneNode, style: ComputedStyle, viewport: Viewport, compiled: _Compiled) -> _Compiled:
        """What animated custom properties make of an element."""
        inherited = self._customs.get(node.parent, {}) if node.parent is not None else {}
        relevant = self._relevant(style)
        if not self._animated or not (inherited or "animation-name" in relevant):
            return compiled
        animations = self._shared.reader.animations(style, self.styled)
        if isinstance(animations, Unknown):
            return compiled
        tracks = custom_tracks(style, self.styled, animations, inherited)
        depends = tracks if isinstance(tracks, Unknown) else bool(tracks)
        if not isinstance(tracks, Unknown) and tracks:
            self._customs[node] = tracks
            depends = dependence(style, self.styled, animations, relevant, tracks)
        if isinstance(depends, Unknown):
            return replace(compiled, matrix_reason=depends.reason, box_reason=depends.reason)
        if not depends or compiled.display == "contents" or isinstance(tracks, Unknown):
            return compiled
        origin = CENTER if node.name == "svg" and node.is_instance_root else ORIGIN
        context = Context(style.units, path_of=self._path_of)
        attribute = self._attribute(node.element, "transform")
        base = compiled.placement
        placement = VaryingPlacement(
            (),
            origin,
            BOXES.get(style.keyword("transform-box") or "", "view"),
            motion=None if base is None else base.motion,
            style=style,
            styled=self.styled,
            reader=self._shared.reader,
            attribute=attribute,
            context=context,
            default_origin=origin,
            tracks=tracks,
        )
        return replace(compiled, placement=placement, matrix=None)

    @staticmethod
    def _content_reason(node: SceneNode) -> str | None:
        """Why the box of a text or a foreignObject is unknown; text of nothing but spaces has no box."""
        if node.name == "foreignObject":
            return FOREIGN_OBJECT
        return TEXT if any(text.strip() for text in node.element.itertext()) else None

    def _root_viewport(self, node: SceneNode, style: ComputedStyle) -> Viewport:
        view_box = parse_view_box(self._attribute(node.element, "viewBox"))
        if view_box is not None and view_box.width > 0 and view_box.height > 0:
            return Viewport(view_box.width, view_box.height)
        media = self.styled.state.media
        standalone = node.element.getparent() is None
        sizes: list[float] = []
        for name, default, whole in (("width", 300.0, media.width), ("height", 150.0, media.height)):
            length = style.length_percentage(name) if style.declares(name) else None
            if length is not None and not standalone:
                sizes.append(used_length(length, math.nan))
            elif standalone:
                sizes.append(float(whole) if length is None else used_length(length, float(whole)))
            else:
                sizes.append(default)
        return Viewport(*sizes)

    def _relevant(self, style: ComputedStyle) -> frozenset[str]:
        """The properties declared on an element that this module reads."""
        cascade = style.cascade
        known = self._shared.relevant.get(cascade)
        if known is None:
            found = frozenset(cascade.properties()) & _RELEVANT
            known = self._shared.relevant[cascade] = _RELEVANT if "all" in found else found
        return known

    def _compile(self, node: SceneNode, style: ComputedStyle, viewport: Viewport) -> _Compiled:
        key: tuple[object, ...] = (node, style, viewport, self._animated)
        if self._attributes and any(element is node.element for element, _ in self._attributes):
            key = (*key, self.styled.state)
        known = self._shared.compiled.get(key)
        if known is None:
            known = self._shared.compiled[key] = self._compile_anew(node, style, viewport)
        return known

    def _compile_anew(self, node: SceneNode, style: ComputedStyle, viewport: Viewport) -> _Compiled:
        relevant = self._relevant(style)
        compiled = _Compiled()
        if "display" in relevant:
            display = style.keyword("display")
            if display == "none" or (display == "contents" and node.name not in {"g", "svg", "use"}):
                return _Compiled(display="none")
            if display == "contents":
                return _Compiled(display="contents")
        element = node.element
        animations: Mapping[str, Animations] = {}
        if self._animated and "animation-name" in relevant:
            found = self._shared.reader.animations(style, self.styled)
            if isinstance(found, Unknown):
                return _Compiled(box_reason=found.reason, matrix_reason=found.reason)
            animations = found
        self._compile_placement(compiled, node, style, viewport, animations)
        for name in relevant | animations.keys():
            reason = style.unknown(name) if not name.startswith("--") and name != "all" else None
            if reason is not None:
                compiled.matrix_reason = compiled.box_reason = reason
        elements = animation_elements(self.scene, element) if self._animated else {}
        if "display" in animations or "display" in elements:
            compiled.matrix_reason = compiled.box_reason = UNSUPPORTED
        if node.name in SHAPES or node.name == "image":
            compiled.shape = Shape(
                node.name,
                lambda name: self._attribute(element, name),
                style,
                viewport,
                animations,
                Context(style.units) if animations else Context(),
                elements,
            )
            if node.name == "image" and self._needs_image(node, style):
                compiled.box_reason = NEEDS_BROWSER
        elif node.name in {"text", "foreignObject"}:
            compiled.bounds = NOTHING
        elif node.name == "use":
            self._compile_use(compiled, node, style, viewport, animations)
            if not {"x", "y", "width", "height", "href"}.isdisjoint(elements):
                compiled.matrix_reason = compiled.box_reason = UNSUPPORTED
        elif node.name in {"svg", "symbol"}:
            self._compile_viewport(compiled, node, style, viewport)
            if not {"x", "y", "width", "height", "viewBox", "preserveAspectRatio"}.isdisjoint(elements):
                compiled.matrix_reason = compiled.box_reason = UNSUPPORTED
        return compiled

    def _needs_image(self, node: SceneNode, style: ComputedStyle) -> bool:
        """Whether the size of an image is its file's to say."""
        if not node.element.get("href", node.element.get("{http://www.w3.org/1999/xlink}href")):
            return False
        return any(not style.declares(name) or style.keyword(name) == "auto" for name in ("width", "height"))

    def _compile_placement(
        self,
        compiled: _Compiled,
        node: SceneNode,
        style: ComputedStyle,
        viewport: Viewport,
        animations: Mapping[str, Animations],
    ) -> None:
        attribute = self._attribute(node.element, "transform")
        elements = animation_elements(self.scene, node.element) if self._animated else {}
        if not (attribute or elements or PLACING & self._relevant(style) or PLACING & animations.keys()):
            return
        moved = compile_transform(elements["transform"], attribute) if "transform" in elements else None
        path = compile_motion(elements[MOTION], self._path_of) if MOTION in elements else None
        for found in (moved, path):
            if isinstance(found, Unknown):
                compiled.matrix_reason = found.reason
                return
        assert not isinstance(moved, Unknown)
        assert not isinstance(path, Unknown)
        context = Context(style.units, path_of=self._path_of)
        origin = CENTER if node.name == "svg" and node.is_instance_root else ORIGIN
        placement = compile_placement(style, attribute, animations, context, origin, moved, path)
        if isinstance(placement, Unknown):
            compiled.matrix_reason = placement.reason
            return
        if placement is None:
            return
        if placement.is_animated or placement.box != "view":
            compiled.placement = placement
            return
        compiled.matrix = placement.rows(_STILL, 0.0, 0.0, viewport.width, viewport.height)
        if not np.isfinite(compiled.matrix).all():
            compiled.matrix_reason = NEEDS_BROWSER if math.isnan(viewport.width) else UNSUPPORTED

    def _path_of(self, identifier: str) -> str | None:
        for element in self.scene.root.element.getroottree().getroot().iter("{*}path"):
            if element.get("id") == identifier:
                return self._attribute(element, "d")
        return None

    def _compile_use(
        self,
        compiled: _Compiled,
        node: SceneNode,
        style: ComputedStyle,
        viewport: Viewport,
        animations: Mapping[str, Animations],
    ) -> None:
        x, y = (
            used_length(style.length_percentage(name), viewport.reference(name)) if style.declares(name) else 0.0
            for name in ("x", "y")
        )
        if "x" in animations or "y" in animations:
            compiled.moving_content = animations
        if x or y:
            compiled.content = np.array([1.0, 0.0, 0.0, 1.0, x, y])

    def _compile_viewport(self, compiled: _Compiled, node: SceneNode, style: ComputedStyle, viewport: Viewport) -> None:
        """A nested svg, or a symbol in a ``<use>``. CSS does not set their geometry, only attributes do."""
        element = node.element
        sizes = {"x": 0.0, "y": 0.0, "width": viewport.width, "height": viewport.height}
        for name in sizes:
            text = self._attribute(element, name)
            length = None if text is None else geometry.attribute_length(text, style.units)
            if length is not None:
                sizes[name] = used_length(length, viewport.reference(name))
        if node.is_instance_root and node.parent is not None:
            use = node.parent
            for name in ("width", "height"):
                text = self._attribute(use.element, name)
                if text is not None:
                    length = geometry.attribute_length(text, style.units)
                    sizes[name] = used_length(length, viewport.reference(name))
        view_box = parse_view_box(self._attribute(element, "viewBox"))
        aspect = parse_aspect_ratio(self._attribute(element, "preserveAspectRatio"))
        matrix = np.array(fit(view_box, aspect, sizes["width"], sizes["height"]))
        matrix[4] += sizes["x"]
        matrix[5] += sizes["y"]
        compiled.content = matrix
        if view_box is not None and view_box.width > 0 and view_box.height > 0:
            compiled.viewport = Viewport(view_box.width, view_box.height)
            if math.isnan(sizes["width"]) or math.isnan(sizes["height"]):
                compiled.matrix_reason = NEEDS_BROWSER
        else:
            compiled.viewport = Viewport(max(sizes["width"], 0.0), max(sizes["height"], 0.0))

    def _spread_reasons(self) -> None:
        """What cannot be told makes the groups around it unknown, and all that it moves."""
        entries = self._entries
        shapes = [entry.compiled.shape for entry in entries if entry.compiled.shape is not None]
        compute_bounds(path for shape in shapes if (path := shape.path()) is not None)
        box_reasons: list[str | None] = [None] * len(entries)
        matrix_reasons: list[str | None] = [None] * len(entries)
        for index in range(len(entries) - 1, -1, -1):
            entry, compiled = entries[index], entries[index].compiled
            if compiled.shape is not None and compiled.bounds is None:
                compiled.bounds = compiled.shape.still_bounds()
                if compiled.box_reason is None and math.isnan(
                    compiled.bounds.left + compiled.bounds.top + compiled.bounds.right + compiled.bounds.bottom
                ):
                    compiled.box_reason = NEEDS_BROWSER
            box_reasons[index] = box_reasons[index] or compiled.box_reason
            by_box = compiled.placement is not None and compiled.placement.box != "view"
            matrix_reasons[index] = compiled.matrix_reason or (box_reasons[index] if by_box else None)
            reason = box_reasons[index] or matrix_reasons[index]
            if reason is not None and entry.parent >= 0 and box_reasons[entry.parent] is None:
                box_reasons[entry.parent] = reason
        for index, entry in enumerate(entries):
            if entry.parent >= 0:
                matrix_reasons[index] = matrix_reasons[entry.parent] or matrix_reasons[index]
            reason = matrix_reasons[index] or box_reasons[index]
            if reason is not None:
                self._unknown[entry.node] = reason
        self._box_reasons, self._matrix_reasons = box_reasons, matrix_reasons

    # ------------------------------------------------------------------ evaluating

    def boxes(
        self, times: Sequence[float] | FloatArray, nodes: Iterable[SceneNode] | None = None
    ) -> Mapping[SceneNode, FloatArray]:
        """For each node the box at times in seconds: (T, 4), x, y, width, height in scene units.

        This is what ``getBoundingClientRect`` shows, divided by the scale of the scene. A row is NaN where there is no
        box: no size at all, or not displayed. Nodes in :attr:`unknown` are left out, and so is the scene's svg. With
        ``nodes`` only theirs are evaluated.
        """
        instants = np.asarray(times, dtype=np.float64).reshape(-1)
        wanted = self.scene.nodes[1:] if nodes is None else [node for node in nodes if node.parent is not None]
        nothing = np.full((len(instants), 4), np.nan)
        nothing.flags.writeable = False
        result: dict[SceneNode, FloatArray] = {
            node: nothing for node in wanted if node not in self._index and node not in self._unknown
        }
        if not self._entries or not len(instants):
            return result
        chosen = self._whole if nodes is None else self._select(wanted, content=True)
        if not chosen.order:
            return result
        step = max(1, _CELLS // len(chosen.order))
        found = np.concatenate(
            [self._evaluate(instants[at : at + step], chosen).boxes() for at in range(0, len(instants), step)], axis=1
        )
        told = np.isfinite(found).all(axis=(1, 2))
        empty = (found[:, :, 2] == 0) & (found[:, :, 3] == 0)
        found[empty] = np.nan
        for node in wanted:
            if node in self._unknown or node not in self._index:
                continue
            rank = chosen.rank[self._index[node]]
            if told[rank]:
                result[node] = found[rank]
            else:
                self._late_unknown[node] = LIMIT
        return result

    def matrix(self, node: SceneNode, times: Sequence[float] | FloatArray) -> FloatArray:
        """(T, 6) [a b c d e f]: from the node's own space to the scene's. NaN where it cannot be told.

        Raises KeyError for a node that is not displayed.
        """
        return self.matrices((node,), times)[node]

    def matrices(
        self, nodes: Iterable[SceneNode], times: Sequence[float] | FloatArray
    ) -> Mapping[SceneNode, FloatArray]:
        """:meth:`matrix` of several nodes, evaluated at once. Nodes that are not displayed are left out."""
        instants = np.asarray(times, dtype=np.float64).reshape(-1)
        wanted = [node for node in nodes if node in self._index]
        if not wanted:
            return {}
        chosen = self._select(wanted, content=False)
        evaluator = self._evaluate(instants, chosen)
        return {node: np.ascontiguousarray(evaluator.matrix(chosen.rank[self._index[node]])) for node in wanted}

    def local_box(self, node: SceneNode, times: Sequence[float] | FloatArray) -> FloatArray:
        """(T, 4) left, top, right, bottom in the node's own space. Raises KeyError for a node that is not displayed."""
        instants = np.asarray(times, dtype=np.float64).reshape(-1)
        chosen = self._select((node,), content=True)
        return np.ascontiguousarray(self._evaluate(instants, chosen).local_box(chosen.rank[self._index[node]]))

    def outline(self, node: SceneNode) -> Path:
        """The shape of a node as a path in its own space, without animations of its geometry; empty for a group.

        Raises KeyError for a node that is not displayed.
        """
        entry = self._entries[self._index[node]]
        return Path(()) if entry.compiled.shape is None else entry.compiled.shape.outline()

    def stroke(self, node: SceneNode) -> Any:
        """How a shape is stroked (:class:`~husky_lint.scene.strokes.Stroke`), None for no stroke."""
        entry = self._entries[self._index[node]]
        return None if entry.compiled.shape is None else entry.compiled.shape.stroke()

    def _selection(self, indices: Iterable[int]) -> _Selection:
        order = sorted(indices, key=lambda index: self._entries[index].depth)
        depths = [self._entries[index].depth for index in order]
        starts = [0, *(i for i in range(1, len(depths)) if depths[i] != depths[i - 1]), len(depths)]
        return _Selection(order, {index: rank for rank, index in enumerate(order)}, starts)

    def _select(self, nodes: Iterable[SceneNode], *, content: bool) -> _Selection:
        """What the matrices of nodes depend on; with ``content`` what their boxes do.

        That is what is around them, and what is in whatever turns about a point of its own box. Raises KeyError for a
        node that is not displayed.
        """
        found: set[int] = set()
        whole: set[int] = set()
        for node in nodes:
            if content and node not in self._index:
                continue
            index = self._index[node]
            if content:
                whole.add(index)
            while index >= 0 and index not in found:
                found.add(index)
                placement = self._entries[index].compiled.placement
                if placement is not None and placement.box != "view":
                    whole.add(index)
                index = self._entries[index].parent
        if whole:
            for index, entry in enumerate(self._entries):  # parents stand before children
                if entry.parent in whole:
                    whole.add(index)
        return self._selection(found | whole)

    def _evaluate(self, times: FloatArray, chosen: _Selection) -> Evaluator:
        parts: list[Part] = []
        simple: list[tuple[Part, FloatArray, float, float, FloatArray | None]] = []
        with np.errstate(all="ignore"):
            for index in chosen.order:
                entry = self._entries[index]
                part = Part(chosen.rank[entry.parent] if entry.parent >= 0 else -1)
                parts.append(part)
                self._place(entry, part, index, times, simple)
            if simple:
                rows = np.stack([item[1] for item in simple])
                x = np.array([[item[2]] for item in simple])
                y = np.array([[item[3]] for item in simple])
                for item, moved in zip(simple, about(rows, x, y), strict=True):
                    item[0].matrix = moved if item[4] is None else multiply_rows(moved, item[4])
        if any(part.pivot is not None and part.pivot.by_stroke for part in parts):
            for index, part in zip(chosen.order, parts, strict=True):
                shape = self._entries[index].compiled.shape
                if shape is not None and part.bounds is not None:
                    part.stroke = shape.stroke_bounds(part.bounds)
        return Evaluator(parts, chosen.levels, len(times))

    def _place(
        self,
        entry: _Entry,
        part: Part,
        index: int,
        times: FloatArray,
        simple: list[tuple[Part, FloatArray, float, float, FloatArray | None]],
    ) -> None:
        """Bounds and matrix of one part at these times."""
        compiled, viewport = entry.compiled, entry.viewport
        part.bounds = compiled.bounds
        if self._box_reasons[index] is not None and (part.bounds is not None):
            part.bounds = _UNKNOWN_BOX
        elif compiled.shape is not None and compiled.shape.is_animated:
            bounds = compiled.shape.bounds(times)
            part.bounds = _UNKNOWN_BOX if isinstance(bounds, Unknown) else bounds
        if self._matrix_reasons[index] is not None:
            part.matrix = _UNKNOWN_MATRIX
            return
        content = compiled.content
        if compiled.moving_content is not None:
            content = self._moving_content(entry, times)
        placement = compiled.placement
        if placement is None:
            part.matrix = compiled.matrix
            if content is not None:
                part.matrix = content if part.matrix is None else multiply_rows(part.matrix, content)
            return
        if placement.box != "view":
            part.pivot = _BoxPivot(placement, content, times, placement.box == "stroke")
            return
        alone = placement.simple
        if alone is not None:
            track, x, x_part, y, y_part = alone
            rows = track.evaluate(times, viewport.width, viewport.height)
            simple.append((part, rows, x + x_part * viewport.width, y + y_part * viewport.height, content))
            return
        rows = placement.rows(times, 0.0, 0.0, viewport.width, viewport.height)
        part.matrix = rows if content is None else multiply_rows(rows, content)

    def _moving_content(self, entry: _Entry, times: FloatArray) -> FloatArray:
        """The position of a ``<use>`` whose x or y is animated."""
        animations = entry.compiled.moving_content or {}
        rows = np.tile([1.0, 0.0, 0.0, 1.0, 0.0, 0.0], (len(times), 1))
        for column, name in ((4, "x"), (5, "y")):
            reference = entry.viewport.reference(name)
            if name in animations:
                value = animated_length(name, animations, entry.style, reference, Context(entry.style.units), times)
                rows[:, column] = math.nan if isinstance(value, Unknown) else value
            elif entry.style.declares(name):
                rows[:, column] = used_length(entry.style.length_percentage(name), reference)
        return rows
