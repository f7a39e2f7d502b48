"""The compiled elements of a scene put together, to be evaluated at times.

Motions of different states that show the same compiled elements share one picture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.animation.unknown import Unknown
from husky_lint.scene.boxes import IDENTITY, Evaluator, Part, map_boxes
from husky_lint.scene.compiled import NEEDS_BROWSER, UNKNOWN_BOX
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


@dataclass(slots=True, eq=False)
class Entry:
    """A displayed node; ``parent`` is the index of the entry around it, -1 for none."""

    node: SceneNode
    parent: int
    depth: int
    compiled: Compiled


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
    """The displayed nodes of a scene, parents before children.

    ``unknown`` are the nodes whose box cannot be told, with the reason; ``style_of`` gives the style of a node, for the
    strokes that a placement refers to.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        unknown: Mapping[SceneNode, str],
        style_of: Callable[[SceneNode], ComputedStyle],
    ) -> None:
        self.entries = entries
        self.index = {entry.node: index for index, entry in enumerate(entries)}
        self._style_of = style_of
        self.whole = self._selection(range(len(entries)))
        self.unknown = {**unknown, **self._spread_reasons()}
        self.late_unknown: dict[SceneNode, str] = {}
        """Nodes that only showed to be unknown when they were evaluated."""

    def _spread_reasons(self) -> dict[SceneNode, str]:
        """What cannot be told makes the groups around it unknown, and all that it moves."""
        entries = self.entries
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
        found: dict[SceneNode, str] = {}
        for index, entry in enumerate(entries):
            if entry.parent >= 0:
                matrix_reasons[index] = matrix_reasons[entry.parent] or matrix_reasons[index]
            reason = matrix_reasons[index] or box_reasons[index]
            if reason is not None:
                found[entry.node] = reason
        self._box_reasons, self._matrix_reasons = box_reasons, matrix_reasons
        return found

    # ------------------------------------------------------------------ choosing

    def _selection(self, indices: Iterable[int]) -> Selection:
        order = sorted(indices, key=lambda index: self.entries[index].depth)
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
        chosen = self.whole if whole else self.select(nodes, content=True)
        found = self.evaluate(times, chosen).boxes()
        return found[[chosen.rank[self.index[node]] for node in nodes]]

    def _is_simple(self, node: SceneNode) -> bool:
        """Whether a node has no children here, and nothing around it turns by its own box."""
        return self.entries[self.index[node]].compiled.bounds is not None and not any(
            self._turns_by_box(index) for index in self._lines((node,))
        )

    def _leaf_boxes(self, nodes: Sequence[SceneNode], times: FloatArray) -> FloatArray:
        found = np.empty((len(nodes), len(times), 4))
        matrices = self._multiplied(nodes, times)
        for box, node in zip(found, nodes, strict=True):
            bounds = self._bounds(self.index[node], times)
            assert bounds is not None
            sides = np.stack(np.broadcast_arrays(bounds.left, bounds.top, bounds.right, bounds.bottom))
            with np.errstate(all="ignore"):
                left, top, right, bottom = map_boxes(np.moveaxis(matrices[node], -1, 0), sides)
            box[:, 0], box[:, 1], box[:, 2], box[:, 3] = left, top, right - left, bottom - top
        return found

    def _turns_by_box(self, index: int) -> bool:
        placement = self.entries[index].compiled.placement
        return placement is not None and placement.box != "view" and self._matrix_reasons[index] is None

    def _own_matrix(self, index: int, times: FloatArray) -> FloatArray | None:
        """(6,) or (T, 6): from an entry's space to the one around it, where no box of its own has a part in it."""
        if self._matrix_reasons[index] is not None:
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
        if self._box_reasons[index] is not None and compiled.bounds is not None:
            return UNKNOWN_BOX
        if compiled.shape is not None and compiled.shape.is_animated:
            bounds = compiled.shape.bounds(times)
            return UNKNOWN_BOX if isinstance(bounds, Unknown) else bounds
        return compiled.bounds

    def _pivot(self, index: int, times: FloatArray) -> _BoxPivot:
        compiled = self.entries[index].compiled
        assert compiled.placement is not None
        return _BoxPivot(compiled.placement, compiled.content_at(times), times, compiled.placement.box == "stroke")
