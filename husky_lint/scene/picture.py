"""The compiled elements of a scene put together, to be evaluated at times.

A picture grows: it holds no more of the scene than was asked about.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.animation.unknown import Unknown
from husky_lint.scene.boxes import IDENTITY, Evaluator, Part, map_boxes
from husky_lint.scene.compiled import FOREIGN_OBJECT, NEEDS_BROWSER, TEXT, UNKNOWN_BOX
from husky_lint.scene.graph import Place
from husky_lint.scene.paths import compute_bounds
from husky_lint.scene.placement import multiply_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from husky_lint.scene.compiled import Compiled
    from husky_lint.scene.geometry import Bounds
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.placement import Placement
    from husky_lint.style.computed import ComputedStyle

    FloatArray = NDArray[np.float64]

_UNKNOWN_MATRIX: Final = np.full(6, math.nan)
_OF_TEXT: Final = {Place.TEXT: TEXT, Place.FOREIGN: FOREIGN_OBJECT}
"""Why the box of what stands in a text or a foreignObject cannot be told."""


@dataclass(slots=True, eq=False)
class Entry:
    """A displayed node; ``parent`` is the index of the entry around it, -1 for none, ``inside`` of those in it."""

    node: SceneNode
    parent: int
    depth: int
    compiled: Compiled
    inside: list[int] = field(default_factory=list)


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


@dataclass(frozen=True, slots=True)
class Selection:
    """The entries that one evaluation is about: breadth first, the rank of each in that order, where levels start."""

    order: Sequence[int]
    rank: Mapping[int, int]
    levels: Sequence[int]


class Picture:
    """Displayed nodes of a scene, parents before children.

    Of a node all groups around it are in the picture; what is in it only where its box is asked for, or that of
    something around it which is turned about a point of its own box. ``style_of`` gives the style of a node, for the
    strokes that a placement refers to.
    """

    def __init__(self, style_of: Callable[[SceneNode], ComputedStyle]) -> None:
        self.entries: list[Entry] = []
        self.index: dict[SceneNode, int] = {}
        self._style_of = style_of
        self._box_reasons: dict[int, str | None] = {}
        self._matrix_reasons: dict[int, str | None] = {}

    def add(self, shown: Iterable[tuple[SceneNode, Compiled]]) -> None:
        """Put in nodes, in paint order, and what they are compiled to; what has no box of its own is left out."""
        entries, index = self.entries, self.index
        first = len(entries)
        for node, compiled in shown:
            if compiled.display == "contents" or node in index:
                continue
            above, at = -1, node.parent
            while at is not None and (above := index.get(at, -1)) < 0:
                at = at.parent
            index[node] = len(entries)
            depth = 0
            if above >= 0:
                depth = entries[above].depth + 1
                entries[above].inside.append(len(entries))
            entries.append(Entry(node, above, depth, compiled))
        shapes = [entry.compiled.shape for entry in entries[first:] if entry.compiled.shape is not None]
        compute_bounds(path for shape in shapes if (path := shape.path()) is not None)
        for entry in entries[first:]:
            compiled = entry.compiled
            if compiled.shape is not None and compiled.bounds is None:
                compiled.bounds = compiled.shape.still_bounds()
                if compiled.box_reason is None and math.isnan(
                    compiled.bounds.left + compiled.bounds.top + compiled.bounds.right + compiled.bounds.bottom
                ):
                    compiled.box_reason = NEEDS_BROWSER

    # ------------------------------------------------------------------ what cannot be told

    def why_unknown(self, node: SceneNode) -> str | None:
        """The reason why the box of a node cannot be told, all that is in it being in the picture; None where it can.

        What cannot be told makes the groups around it unknown, and all that it moves.
        """
        index = self.index.get(node)
        if index is not None:
            return self._matrix_reason(index) or self._box_reason(index)
        if node.place not in _OF_TEXT:
            return None
        above = node.parent
        while above is not None and above.place in _OF_TEXT:
            above = above.parent
        index = self.index.get(above) if above is not None else None
        return _OF_TEXT[node.place] if index is not None and self.entries[index].compiled.own_reason else None

    def _box_reason(self, index: int) -> str | None:
        known = self._box_reasons
        pending = [index]
        while pending:
            at = pending[-1]
            entry = self.entries[at]
            if at in known:
                pending.pop()
            elif missing := [inner for inner in entry.inside if inner not in known]:
                pending.extend(missing)
            else:
                last_first = sorted(entry.inside, key=self._place, reverse=True)
                of_children = (known[inner] or self._own_matrix_reason(inner) for inner in last_first)
                known[at] = next((reason for reason in of_children if reason is not None), entry.compiled.box_reason)
        return known[index]

    def _place(self, index: int) -> int:
        """The place in paint order, whatever came into the picture first."""
        return self.entries[index].node.index

    def _own_matrix_reason(self, index: int) -> str | None:
        compiled = self.entries[index].compiled
        if compiled.matrix_reason is None and compiled.placement is not None and compiled.placement.box != "view":
            return self._box_reason(index)
        return compiled.matrix_reason

    def _matrix_reason(self, index: int) -> str | None:
        known = self._matrix_reasons
        pending: list[int] = []
        while index >= 0 and index not in known:
            pending.append(index)
            index = self.entries[index].parent
        reason = known[index] if index >= 0 else None
        for at in reversed(pending):
            reason = known[at] = reason or self._own_matrix_reason(at)
        return reason

    # ------------------------------------------------------------------ choosing

    def _selection(self, indices: Iterable[int]) -> Selection:
        # A picture that has grown holds the children of a node apart; an evaluation unites boxes that lie together.
        order = sorted(indices, key=lambda index: (self.entries[index].depth, self.entries[index].parent, index))
        depths = [self.entries[index].depth for index in order]
        starts = [0, *(i for i in range(1, len(depths)) if depths[i] != depths[i - 1]), len(depths)]
        return Selection(order, {index: rank for rank, index in enumerate(order)}, starts)

    def select(self, nodes: Iterable[SceneNode], *, content: bool) -> Selection:
        """What the matrices of nodes depend on; with ``content`` what their boxes do.

        That is what is around them, and what is in whatever turns about a point of its own box. Raises KeyError for a
        node that is not displayed.
        """
        entries = self.entries
        found: set[int] = set()
        whole: set[int] = set()
        for node in nodes:
            if content and node not in self.index:
                continue
            index = self.index[node]
            if content:
                whole.add(index)
            while index >= 0 and index not in found:
                found.add(index)
                placement = entries[index].compiled.placement
                if placement is not None and placement.box != "view":
                    whole.add(index)
                index = entries[index].parent
        if whole:
            for index, entry in enumerate(entries):
                if entry.parent in whole:
                    whole.add(index)
        return self._selection(found | whole)

    # ------------------------------------------------------------------ evaluating

    def matrices(self, nodes: Sequence[SceneNode], times: FloatArray) -> Mapping[SceneNode, FloatArray]:
        """(T, 6) for each of some displayed nodes: from its own space to the scene's."""
        if any(self._turns_by_box(index) for index in self._lines(nodes)):
            chosen = self.select(nodes, content=False)
            evaluator = self.evaluate(times, chosen)
            return {node: np.ascontiguousarray(evaluator.matrix(chosen.rank[self.index[node]])) for node in nodes}
        shape = (len(times), 6)
        return {node: np.array(np.broadcast_to(rows, shape)) for node, rows in self._multiplied(nodes, times).items()}

    def _lines(self, nodes: Iterable[SceneNode]) -> list[int]:
        """The entries of nodes and of what is around them, parents first."""
        line: set[int] = set()
        for node in nodes:
            index = self.index[node]
            while index >= 0 and index not in line:
                line.add(index)
                index = self.entries[index].parent
        return sorted(line)

    def _multiplied(self, nodes: Sequence[SceneNode], times: FloatArray) -> Mapping[SceneNode, FloatArray]:
        """(6,) or (T, 6) for each node: to the scene's space, where nothing on the way turns by its own box."""
        whole: dict[int, FloatArray | None] = {-1: None}
        with np.errstate(all="ignore"):
            for index in self._lines(nodes):
                above, own = whole[self.entries[index].parent], self._own_matrix(index, times)
                whole[index] = above if own is None else own if above is None else multiply_rows(above, own)
        found = ((node, whole[self.index[node]]) for node in nodes)
        return {node: IDENTITY if rows is None else rows for node, rows in found}

    def boxes(self, nodes: Sequence[SceneNode], times: FloatArray, *, whole: bool = False) -> FloatArray:
        """(n, T, 4) left, top, width, height in the scene's space of displayed nodes; ``whole``: of most of them."""
        if not whole and all(self._is_simple(node) for node in nodes):
            return self._leaf_boxes(nodes, times)
        chosen = self._selection(range(len(self.entries))) if whole else self.select(nodes, content=True)
        found = self.evaluate(times, chosen).boxes()
        return found[[chosen.rank[self.index[node]] for node in nodes]]

    def _is_simple(self, node: SceneNode) -> bool:
        """Whether a node has no children here, and nothing around it turns by its own box."""
        return self.entries[self.index[node]].compiled.bounds is not None and not any(
            self._turns_by_box(index) for index in self._lines((node,))
        )

    def _leaf_boxes(self, nodes: Sequence[SceneNode], times: FloatArray) -> FloatArray:
        placed = np.empty((6, len(nodes), len(times)))
        sides = np.empty((4, len(nodes), len(times)))
        matrices = self._multiplied(nodes, times)
        for place, node in enumerate(nodes):
            rows, bounds = matrices[node], self._bounds(self.index[node], times)
            assert bounds is not None
            placed[:, place] = rows.T if rows.ndim == 2 else rows[:, None]
            for side, value in zip(sides, (bounds.left, bounds.top, bounds.right, bounds.bottom), strict=True):
                side[place] = value
        with np.errstate(all="ignore"):
            boxes = map_boxes(placed, sides)
        boxes[2:] -= boxes[:2]
        return np.moveaxis(boxes, 0, -1)

    def _turns_by_box(self, index: int) -> bool:
        placement = self.entries[index].compiled.placement
        return placement is not None and placement.box != "view" and self._matrix_reason(index) is None

    def _own_matrix(self, index: int, times: FloatArray) -> FloatArray | None:
        """(6,) or (T, 6): from an entry's space to the one around it, where no box of its own has a part in it."""
        if self._matrix_reason(index) is not None:
            return _UNKNOWN_MATRIX
        compiled = self.entries[index].compiled
        content, placement, viewport = compiled.content_at(times), compiled.placement, compiled.viewport
        own = compiled.matrix
        if placement is not None:
            own = placement.rows(times, 0.0, 0.0, viewport.width, viewport.height)
        if own is None or content is None:
            return content if own is None else own
        return multiply_rows(own, content)

    def evaluate(self, times: FloatArray, chosen: Selection) -> Evaluator:
        """Boxes and matrices of the chosen entries, by their rank."""
        parts: list[Part] = []
        with np.errstate(all="ignore"):
            for index in chosen.order:
                parent = self.entries[index].parent
                part = Part(chosen.rank[parent] if parent >= 0 else -1, self._bounds(index, times))
                if self._turns_by_box(index):
                    part.pivot = self._pivot(index, times)
                else:
                    part.matrix = self._own_matrix(index, times)
                parts.append(part)
        if any(part.pivot is not None and part.pivot.by_stroke for part in parts):
            for index, part in zip(chosen.order, parts, strict=True):
                entry = self.entries[index]
                if entry.compiled.shape is not None and part.bounds is not None:
                    part.stroke = entry.compiled.shape.stroke_bounds(part.bounds, self._style_of(entry.node))
        return Evaluator(parts, chosen.levels, len(times))

    def _bounds(self, index: int, times: FloatArray) -> Bounds | None:
        compiled = self.entries[index].compiled
        if compiled.bounds is not None and self._box_reason(index) is not None:
            return UNKNOWN_BOX
        if compiled.shape is not None and compiled.shape.is_animated:
            bounds = compiled.shape.bounds(times)
            return UNKNOWN_BOX if isinstance(bounds, Unknown) else bounds
        return compiled.bounds

    def _pivot(self, index: int, times: FloatArray) -> _BoxPivot:
        compiled = self.entries[index].compiled
        assert compiled.placement is not None
        return _BoxPivot(compiled.placement, compiled.content_at(times), times, compiled.placement.box == "stroke")
