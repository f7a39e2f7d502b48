"""Boxes of a whole scene over times, level by level.

The scene is a list of parts in breadth-first order, so the children of one part stand together and a level is one
slice. Going up, a group's box is the union of its children's boxes, each mapped into the group's space and bounded
there; going down, matrices multiply. What nothing moves has one column, the rest has one for each time.

NaN stands for what cannot be told, and spreads: to the boxes of all groups around it, and to all that a matrix moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from husky_lint.scene.geometry import Bounds, Value

    FloatArray = NDArray[np.float64]
    BoolArray = NDArray[np.bool_]
    IntArray = NDArray[np.intp]

IDENTITY = np.array([1.0, 0.0, 0.0, 1.0, 0.0, 0.0])


class Pivot(Protocol):
    """A matrix that depends on the part's own box, as with ``transform-box: fill-box``."""

    by_stroke: bool
    """Whether it is the stroke box that counts."""

    def matrix(self, box: FloatArray) -> FloatArray:
        """[a b c d e f], (6,) or (T, 6), for a box (4, 1) or (4, T): left, top, right, bottom."""


@dataclass(slots=True)
class Part:
    """One displayed element or instance, as the evaluator sees it.

    ``parent`` is the index of the group whose box it is in, -1 for the scene itself. ``bounds`` is the fill box of a
    leaf, None for a group. ``matrix``, (6,) or (T, 6), maps the part's space to its parent's; None is the identity.
    A ``pivot`` takes its place.
    """

    parent: int
    bounds: Bounds | None = None
    matrix: FloatArray | None = None
    pivot: Pivot | None = None
    stroke: Bounds | None = None
    """The stroke box of a leaf, where the pivot of the part or of a group around it refers to it."""


def multiply(m: FloatArray, n: FloatArray) -> FloatArray:
    """The product m n of matrices with the six entries on the first axis: what n maps to, mapped by m."""
    a, b, c, d, e, f = m
    product = np.empty((6, *np.broadcast_shapes(m.shape[1:], n.shape[1:])))
    product[0] = a * n[0] + c * n[1]
    product[1] = b * n[0] + d * n[1]
    product[2] = a * n[2] + c * n[3]
    product[3] = b * n[2] + d * n[3]
    product[4] = a * n[4] + c * n[5] + e
    product[5] = b * n[4] + d * n[5] + f
    return product


def map_boxes(matrix: FloatArray, box: FloatArray) -> FloatArray:
    """Boxes (4, …) left, top, right, bottom, mapped by matrices (6, …) and bounded: the box of the four corners."""
    a, b, c, d, e, f = matrix
    left, top, right, bottom = box
    x, y = (left + right) / 2, (top + bottom) / 2
    reach_x, reach_y = right - x, bottom - y
    center_x, center_y = a * x + c * y + e, b * x + d * y + f
    span_x = np.abs(a) * reach_x + np.abs(c) * reach_y
    span_y = np.abs(b) * reach_x + np.abs(d) * reach_y
    return np.stack([center_x - span_x, center_y - span_y, center_x + span_x, center_y + span_y])


def _rows(bounds: Bounds) -> tuple[Value, Value, Value, Value]:
    return (bounds.left, bounds.top, bounds.right, bounds.bottom)


def _moves(bounds: Bounds | None) -> bool:
    return bounds is not None and (
        isinstance(bounds.counts, np.ndarray) or any(isinstance(value, np.ndarray) for value in _rows(bounds))
    )


_NOWHERE = np.array([np.inf, np.inf, -np.inf, -np.inf])
"""What adds nothing to a union."""


class Evaluator:
    """The boxes and matrices of parts at ``count`` times.

    ``parts`` is in breadth-first order: parents before children, the children of one parent together, levels one after
    the other; ``levels`` holds where each level starts, and the end.
    """

    def __init__(self, parts: Sequence[Part], levels: Sequence[int], count: int) -> None:
        self._parts = parts
        self._levels = levels
        self._count = count
        self._parents = np.array([part.parent for part in parts], dtype=np.intp)
        self._classify()
        with np.errstate(all="ignore"):
            self._fill()
            self._go_up()
            self._go_down()

    # ------------------------------------------------------------------ what moves

    def _classify(self) -> None:
        """Which boxes, own matrices and whole matrices change over time."""
        parts, size = self._parts, len(self._parts)
        box_moves = [_moves(part.bounds) for part in parts]
        matrix_moves = [part.matrix is not None and part.matrix.ndim == 2 for part in parts]
        for index in range(size - 1, 0, -1):
            part = parts[index]
            if part.pivot is not None:
                # Whether the pivot itself is animated shows only when it is asked.
                matrix_moves[index] = True
            if (box_moves[index] or matrix_moves[index]) and part.parent >= 0:
                box_moves[part.parent] = True
        whole_moves = matrix_moves[:]
        for index, part in enumerate(parts):
            if part.parent >= 0 and whole_moves[part.parent]:
                whole_moves[index] = True
        self._box_moves = np.array(box_moves)
        self._matrix_moves = np.array(matrix_moves)
        self._whole_moves = np.array(whole_moves)
        self._box_row = np.cumsum(self._box_moves) - 1
        self._matrix_row = np.cumsum(self._matrix_moves) - 1

    def _fill(self) -> None:
        """The boxes of leaves and the matrices that are known beforehand, as arrays with the components first."""
        parts, size, count = self._parts, len(self._parts), self._count
        self._still_box = np.zeros((4, size, 1))
        self._still_counts = np.zeros((size, 1), dtype=bool)
        self._moving_box = np.zeros((4, int(self._box_moves.sum()), count))
        self._moving_counts = np.zeros((int(self._box_moves.sum()), count), dtype=bool)
        self._still_matrix = np.repeat(IDENTITY[:, None, None], size, axis=1)
        self._moving_matrix = np.empty((6, int(self._matrix_moves.sum()), count))
        self._has_matrix = np.zeros(size, dtype=bool)
        leaves = [index for index, part in enumerate(parts) if part.bounds is not None and not self._box_moves[index]]
        if leaves:
            found = [parts[index].bounds for index in leaves]
            self._still_box[:, leaves, 0] = np.array([_rows(bounds) for bounds in found if bounds is not None]).T
            self._still_counts[leaves, 0] = [bounds.counts for bounds in found if bounds is not None]
        for index in np.flatnonzero(self._box_moves).tolist():
            bounds = parts[index].bounds
            if bounds is not None:
                row = self._box_row[index]
                for component, value in enumerate(_rows(bounds)):
                    self._moving_box[component, row] = value
                self._moving_counts[row] = bounds.counts
        for index, part in enumerate(parts):
            if part.pivot is not None:
                self._has_matrix[index] = True
            elif part.matrix is not None:
                self._has_matrix[index] = True
                if part.matrix.ndim == 2:
                    self._moving_matrix[:, self._matrix_row[index]] = part.matrix.T
                else:
                    self._still_matrix[:, index, 0] = part.matrix

    # ------------------------------------------------------------------ reading

    def _mix(self, moving_here: BoolArray, still: FloatArray, moving: FloatArray) -> FloatArray:
        """Still columns and moving rows, each already chosen, put together in the order of ``moving_here``."""
        if moving_here.all():
            return moving
        mixed = np.empty((len(still), len(moving_here), self._count))
        mixed[:, ~moving_here] = still
        mixed[:, moving_here] = moving
        return mixed

    def _boxes(self, indices: IntArray) -> FloatArray:
        """Own boxes (4, n, T)."""
        moving = self._box_moves[indices]
        still_box, moving_box = self._still_box, self._moving_box
        return self._mix(moving, still_box[:, indices[~moving]], moving_box[:, self._box_row[indices[moving]]])

    def _own_matrices(self, indices: IntArray) -> FloatArray:
        """Matrices (6, n, T) to the space of the parent."""
        moving = self._matrix_moves[indices]
        still = self._still_matrix[:, indices[~moving]]
        return self._mix(moving, still, self._moving_matrix[:, self._matrix_row[indices[moving]]])

    def _whole_matrices(self, indices: IntArray) -> FloatArray:
        """Matrices (6, n, T) to the scene's space."""
        moving = self._whole_moves[indices]
        still = self._still_whole[:, self._slot[indices[~moving]]]
        return self._mix(moving, still, self._moving_whole[:, self._slot[indices[moving]]])

    def _counts(self, indices: IntArray) -> BoolArray:
        counts = np.empty((len(indices), self._count), dtype=bool)
        moving = self._box_moves[indices]
        counts[~moving] = self._still_counts[indices[~moving]]
        counts[moving] = self._moving_counts[self._box_row[indices[moving]]]
        return counts

    # ------------------------------------------------------------------ up: boxes of groups

    def _go_up(self) -> None:
        """Each level gives its boxes to the groups above, deepest first."""
        size = len(self._parts)
        self._union = np.repeat(_NOWHERE[:, None, None], size, axis=1)
        is_group = np.array([part.bounds is None for part in self._parts])
        by_box = [index for index, part in enumerate(self._parts) if part.pivot is not None]
        for level in range(len(self._levels) - 2, -1, -1):
            start, end = self._levels[level], self._levels[level + 1]
            here = np.arange(start, end)
            self._finish_groups(here[is_group[start:end]])
            while by_box and by_box[-1] >= start:
                self._place_by_box(by_box.pop())
            if level:
                still = ~(self._box_moves[start:end] | self._matrix_moves[start:end])
                self._unite_still(here[still])
                self._unite_moving(here[~still])

    def _finish_groups(self, groups: IntArray) -> None:
        """A group without anything that counts is a point at its origin."""
        still = groups[~self._box_moves[groups]]
        union = self._union[:, still]
        empty = union[0] > union[2]
        self._still_box[:, still] = np.where(empty, 0.0, union)
        self._still_counts[still] = ~empty
        moving = groups[self._box_moves[groups]]
        if moving.size:
            rows = self._box_row[moving]
            box = self._moving_box[:, rows]
            union = self._union[:, moving]
            box[:2] = np.minimum(np.where(self._moving_counts[rows], box[:2], np.inf), union[:2])
            box[2:] = np.maximum(np.where(self._moving_counts[rows], box[2:], -np.inf), union[2:])
            empty = box[0] > box[2]
            self._moving_box[:, rows] = np.where(empty, 0.0, box)
            self._moving_counts[rows] = ~empty

    def _place_by_box(self, index: int) -> None:
        part = self._parts[index]
        assert part.pivot is not None
        box = self._stroke_box(index) if part.pivot.by_stroke else self._boxes(np.array([index]))[:, 0]
        self._moving_matrix[:, self._matrix_row[index]] = part.pivot.matrix(box).T.reshape(6, -1)

    def _unite_still(self, indices: IntArray) -> None:
        indices = indices[self._still_counts[indices, 0]]
        if indices.size:
            box = map_boxes(self._still_matrix[:, indices], self._still_box[:, indices])
            parents, low, high = self._reduce(indices, box)
            self._union[:2, parents], self._union[2:, parents] = low, high

    def _unite_moving(self, indices: IntArray) -> None:
        if not indices.size:
            return
        box = self._boxes(indices)
        placed = self._has_matrix[indices]
        if placed.any():
            box[:, placed] = map_boxes(self._own_matrices(indices[placed]), box[:, placed])
        counts = self._counts(indices)
        if not counts.all():
            box = np.where(counts, box, _NOWHERE[:, None, None])
        parents, low, high = self._reduce(indices, box)
        rows = self._box_row[parents]
        self._moving_box[:2, rows], self._moving_box[2:, rows] = low, high
        self._moving_counts[rows] = ~(low[0] > high[0])

    def _reduce(self, indices: IntArray, box: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
        """The union of boxes by parent; ``indices`` have the children of one parent together."""
        parents = self._parents[indices]
        starts = np.flatnonzero(np.r_[True, parents[1:] != parents[:-1]])
        low = np.minimum.reduceat(box[:2], starts, axis=1)
        high = np.maximum.reduceat(box[2:], starts, axis=1)
        return parents[starts], low, high

    @cached_property
    def _children(self) -> list[list[int]]:
        children: list[list[int]] = [[] for _ in self._parts]
        for index, part in enumerate(self._parts):
            if part.parent >= 0:
                children[part.parent].append(index)
        return children

    def _stroke_box(self, index: int) -> FloatArray:
        """The stroke box (4, T) of a part; the matrices of the parts below it are known already."""
        order = [index]
        for current in order:
            order.extend(self._children[current])
        nowhere = np.repeat(_NOWHERE[:, None], self._count, axis=1)
        found: dict[int, FloatArray] = {}
        for current in reversed(order):
            part = self._parts[current]
            if part.bounds is not None:
                bounds = part.stroke or part.bounds
                rows = np.array([np.broadcast_to(np.asarray(value), self._count) for value in _rows(bounds)])
                found[current] = rows if current == index else np.where(bounds.counts, rows, nowhere)
                continue
            box = nowhere.copy()
            for child in self._children[current]:
                inner = found.pop(child)
                mapped = map_boxes(self._own_matrices(np.array([child]))[:, 0], inner)
                # Chromium's union of stroke boxes: a box without an area gives way to the next one, and adds nothing.
                counts = inner[0] <= inner[2]
                replaced = counts & ((box[0] >= box[2]) | (box[1] >= box[3]))
                joined = counts & ~replaced & (mapped[0] < mapped[2]) & (mapped[1] < mapped[3])
                union = np.concatenate([np.minimum(box[:2], mapped[:2]), np.maximum(box[2:], mapped[2:])])
                box = np.where(replaced, mapped, np.where(joined, union, box))
            found[current] = box
        box = found[index]
        return np.where(box[0] > box[2], 0.0, box)

    # ------------------------------------------------------------------ down: matrices

    def _go_down(self) -> None:
        """Matrices to the scene's space. A part without a matrix of its own shares the one of its parent."""
        moves = self._whole_moves
        slot = [0] * len(self._parts)
        # Slot 0 of the still ones is the scene's own space.
        used = [1, 0]
        for index, part in enumerate(self._parts):
            if part.parent < 0:
                continue
            if self._has_matrix[index]:
                kind = int(moves[index])
                slot[index] = used[kind]
                used[kind] += 1
            else:
                slot[index] = slot[part.parent]
        self._slot = np.array(slot, dtype=np.intp)
        self._still_whole = np.repeat(IDENTITY[:, None, None], used[0], axis=1)
        self._moving_whole = np.empty((6, used[1], self._count))
        for start, end in pairwise(self._levels[1:]):
            here = np.arange(start, end)[self._has_matrix[start:end]]
            still, moving = here[~moves[here]], here[moves[here]]
            if still.size:
                above = self._still_whole[:, self._slot[self._parents[still]]]
                self._still_whole[:, self._slot[still]] = multiply(above, self._still_matrix[:, still])
            if moving.size:
                above = self._whole_matrices(self._parents[moving])
                self._moving_whole[:, self._slot[moving]] = multiply(above, self._own_matrices(moving))

    # ------------------------------------------------------------------ results

    def boxes(self) -> FloatArray:
        """(n, T, 4): left, top, width, height of each part in the scene's space."""
        result = np.empty((len(self._parts), self._count, 4))
        moving = self._whole_moves | self._box_moves
        for indices, mapped in (
            (np.flatnonzero(~moving), self._mapped_still(np.flatnonzero(~moving))),
            (np.flatnonzero(moving), self._mapped_moving(np.flatnonzero(moving))),
        ):
            result[indices, :, 0], result[indices, :, 1] = mapped[0], mapped[1]
            result[indices, :, 2], result[indices, :, 3] = mapped[2] - mapped[0], mapped[3] - mapped[1]
        return result

    def _mapped_still(self, indices: IntArray) -> FloatArray:
        with np.errstate(all="ignore"):
            return map_boxes(self._still_whole[:, self._slot[indices]], self._still_box[:, indices])

    def _mapped_moving(self, indices: IntArray) -> FloatArray:
        with np.errstate(all="ignore"):
            return map_boxes(self._whole_matrices(indices), self._boxes(indices))

    def local_box(self, index: int) -> FloatArray:
        """(T, 4): left, top, right, bottom of one part in its own space."""
        return self._boxes(np.array([index]))[:, 0].T

    def matrix(self, index: int) -> FloatArray:
        """(T, 6): from the space of one part to the scene's."""
        return self._whole_matrices(np.array([index]))[:, 0].T
