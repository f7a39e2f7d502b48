"""Legs, told by what they do: chains of turning parts whose end reaches the path.

Names have no say here. Fore and hind are told by where the roots lie, near and far by paint order.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from .rig import Joint, Leg
from .turning import find_turns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from husky_lint.scene.graph import SceneNode

    from .turning import Turn

    FloatArray = NDArray[np.float64]

GROUND: Final = 318.0
"""A leg reaches at least this deep at some time: well above the path, since a paw may float for the whole cycle."""
UNDERGROUND: Final = 375.0
SPAN: Final = (250.0, 680.0)
"""Where the feet of the dog are looked for; the footprint of the contract with room around it."""
LEAST_LENGTH: Final = 55.0
"""From a leg's root down to its foot."""
ROOTS: Final = (150.0, 300.0)
"""Heights where a leg can be rooted."""
WIDEST: Final = 150.0
"""What is wider than this is no foot and no leg."""
TALLEST: Final = 230.0
"""What is taller than this is no leg."""
SAME: Final = 6.0
"""Two chains with roots and feet closer than this are one leg drawn twice: an under-line, a rim."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What limbs are told from: at the instants of a settled stride, the visible shapes, their boxes and matrices.

    ``boxes`` are (T, 4) x, y, width, height; ``rest`` the matrix (6,) of each node with every animation removed.
    """

    shapes: Sequence[SceneNode]
    boxes: Mapping[SceneNode, FloatArray]
    rest_boxes: Mapping[SceneNode, FloatArray]
    matrices: Mapping[SceneNode, FloatArray]
    rest: Mapping[SceneNode, FloatArray]
    turns: Mapping[SceneNode, Turn]


@dataclass(slots=True)
class _Chain:
    """A leg in the making."""

    root: SceneNode
    feet: list[SceneNode] = field(default_factory=list)


def find_legs(stage: Stage) -> list[Leg]:
    """The legs, not yet told apart (their names are empty), far ones and hind ones in paint order among the others."""
    chains = _merge([_leg(stage, chain) for chain in _chains(stage)])
    return sorted(chains, key=lambda leg: leg.joints[0].node.index)


def leg_of(stage: Stage, root: SceneNode) -> Leg | None:
    """The leg that turns at ``root``, whatever else may be one; None where nothing in it turns and reaches the path."""
    inside = set(_shapes_in(stage, root))
    feet = [foot for foot in _feet(stage) if foot in inside]
    return _leg(stage, _Chain(root, feet)) if feet and root in stage.turns else None


def leg_with_joints(stage: Stage, leg: Leg, nodes: Sequence[SceneNode]) -> Leg | None:
    """A leg with other joints, proximal first; None where one does not turn, or does not lie in the one before it."""
    nested = all(outer in inner.ancestors() for outer, inner in pairwise(nodes))
    if not nodes or not nested or any(node not in stage.turns for node in nodes):
        return None
    shapes = tuple(_shapes_in(stage, nodes[0]))
    ground = _shapes_in(stage, nodes[-1]) or shapes
    return replace(leg, joints=_joints(stage, nodes), sole=sole_of(stage, ground), shapes=shapes)


def _chains(stage: Stage) -> list[_Chain]:
    """The highest turning elements that carry one foot each."""
    feet = _feet(stage)
    stage = _without_copies(stage, feet)
    nearest = {foot: _turning_above(foot, stage.turns) for foot in feet}
    feet_of: dict[SceneNode, list[SceneNode]] = defaultdict(list)
    branches: dict[SceneNode, set[SceneNode | None]] = defaultdict(set)
    for foot, line in nearest.items():
        for position, node in enumerate(line):
            feet_of[node].append(foot)
            branches[node].add(line[position - 1] if position else None)
    chains = []
    for node, feet in feet_of.items():
        if not _carries_one(stage, node, branches[node]):
            continue
        above = [other for other in _turning_above(node, stage.turns) if other is not node]
        if above and _carries_one(stage, above[0], branches[above[0]]):
            continue  # a joint of a longer chain
        chains.append(_Chain(node, feet))
    return chains


def _carries_one(stage: Stage, node: SceneNode, branches: set[SceneNode | None]) -> bool:
    """Whether what an element carries to the ground is one leg: at most one branch of it turns, or they coincide."""
    turning = [branch for branch in branches if branch is not None]
    if not _is_leg_sized(stage, node):
        return False
    if len(turning) <= 1:
        return True
    ends = np.array([_rest_box(stage, branch)[[0, 1]] + _rest_box(stage, branch)[[2, 3]] for branch in turning])
    return bool(np.all(np.ptp(ends, axis=0) <= 3 * SAME))


def _is_leg_sized(stage: Stage, node: SceneNode) -> bool:
    """Whether what an element shows could be one leg: the front half of a dog that nods is none."""
    boxes = np.array([_rest_box(stage, shape) for shape in _shapes_in(stage, node)])
    boxes = boxes[np.isfinite(boxes).all(axis=1)] if len(boxes) else boxes
    if not len(boxes):
        return False
    left, top = boxes[:, 0].min(), boxes[:, 1].min()
    right, bottom = (boxes[:, 0] + boxes[:, 2]).max(), (boxes[:, 1] + boxes[:, 3]).max()
    return bool(right - left <= WIDEST and bottom - top <= TALLEST)


def _shapes_in(stage: Stage, node: SceneNode) -> list[SceneNode]:
    """The visible shapes in an element; shapes are in paint order."""
    first = bisect_left(stage.shapes, node.index, key=lambda shape: shape.index)
    end = bisect_right(stage.shapes, last_index(node), key=lambda shape: shape.index)
    return list(stage.shapes[first:end])


def last_index(node: SceneNode) -> int:
    """The paint index of the last node inside."""
    while node.children:
        node = node.children[-1]
    return node.index


def _without_copies(stage: Stage, feet: Sequence[SceneNode]) -> Stage:
    """The stage without turns that repeat the body's: a sibling group that rocks as the body does is no joint."""
    carried = Counter(node for foot in feet for node in _turning_above(foot, stage.turns))
    alike: dict[tuple[float, ...], list[SceneNode]] = defaultdict(list)
    for node in carried:
        angles = stage.turns[node].angles
        alike[tuple(np.round(angles[:: max(1, len(angles) // 8)], 2).tolist())].append(node)
    copies = set()
    for nodes in alike.values():
        pattern = max(nodes, key=lambda node: carried[node])
        for node in nodes:
            if (
                carried[node] < carried[pattern]
                and pattern not in node.ancestors()
                and _share_pivot(stage, node, pattern)
            ):
                copies.add(node)
    return replace(stage, turns={node: turn for node, turn in stage.turns.items() if node not in copies})


def _share_pivot(stage: Stage, node: SceneNode, other: SceneNode) -> bool:
    """Whether two elements turn about the same place of the drawing, to a unit."""
    places = []
    for one in (node, other):
        around = _matrix(stage.rest.get(one.parent) if one.parent is not None else None)
        places.append(around @ (*stage.turns[one].pivot, 1.0))
    return bool(np.abs(places[0] - places[1]).max() <= 1.0)


def _turning_above(node: SceneNode, turns: Mapping[SceneNode, Turn]) -> list[SceneNode]:
    """The turning elements among a node and its ancestors, innermost first."""
    return [one for one in (node, *node.ancestors()) if one in turns]


def _feet(stage: Stage) -> list[SceneNode]:
    """The shapes that turn and reach the ground within the dog's span."""
    turning = [shape for shape in stage.shapes if _turning_above(shape, stage.turns)]
    if not turning:
        return []
    boxes = np.stack([stage.boxes[shape] for shape in turning])
    bottom = boxes[:, :, 1] + boxes[:, :, 3]
    centre = (boxes[:, :, 0] + boxes[:, :, 2] / 2).mean(axis=1)
    lowest, widest = bottom.max(axis=1), boxes[:, :, 2].max(axis=1)
    fits = (lowest >= GROUND) & (lowest <= UNDERGROUND) & (centre >= SPAN[0]) & (centre <= SPAN[1]) & (widest < WIDEST)
    return [turning[i] for i in np.flatnonzero(fits).tolist()]


def _leg(stage: Stage, chain: _Chain) -> Leg:
    inside = [node for node in (chain.root, *chain.root.descendants()) if node in stage.boxes]
    shapes = tuple(_shapes_in(stage, chain.root))
    deepest = max(chain.feet, key=lambda foot: len(_turning_above(foot, stage.turns)))
    line = _turning_above(deepest, stage.turns)
    nodes = list(reversed(line[: line.index(chain.root) + 1]))
    joints = _joints(stage, nodes)
    told = [
        f"{len(joints)} turning parts in a chain",
        f"{len(inside)} elements, the lowest reaches y {_depth(stage, chain):.0f}",
    ]
    return Leg("", joints, sole_of(stage, shapes), 0.0, tuple(told), shapes)


def _depth(stage: Stage, chain: _Chain) -> float:
    return max(float(np.nanmax(stage.boxes[foot][:, 1] + stage.boxes[foot][:, 3])) for foot in chain.feet)


def _joints(stage: Stage, nodes: Sequence[SceneNode]) -> tuple[Joint, ...]:
    """The joints, proximal first, with their pivots in the drawing.

    From the first joint's parent on, matrices of what lies between two joints count, and of a joint itself only where
    it is put, not how it is turned.
    """
    joints = []
    drawn = _matrix(stage.rest.get(nodes[0].parent)) if nodes[0].parent is not None else np.eye(3)
    for position, node in enumerate(nodes):
        if position:
            between = _matrix(stage.rest.get(node.parent)) if node.parent is not None else np.eye(3)
            before = _matrix(stage.rest.get(nodes[position - 1]))
            drawn = drawn @ np.linalg.lstsq(before, between, rcond=None)[0]
        turn = stage.turns[node]
        x, y, _ = drawn @ (*turn.pivot, 1.0)
        joints.append(Joint(node, (float(x), float(y)), turn.centre))
        put = np.eye(3)
        put[:2, 2] = np.subtract(turn.pivot, turn.centre)
        drawn = drawn @ put
    return tuple(joints)


def _matrix(row: FloatArray | None) -> FloatArray:
    full = np.eye(3)
    if row is not None and np.isfinite(row).all():
        full[:2] = row.reshape(3, 2).T
    return full


def _rest_box(stage: Stage, node: SceneNode) -> FloatArray:
    box = stage.rest_boxes.get(node)
    return np.full(4, np.nan) if box is None else box


def sole_of(stage: Stage, shapes: Iterable[SceneNode]) -> tuple[SceneNode, ...]:
    """The shape whose outline meets the ground: of the lowest ones at rest the last painted that is no mere detail."""
    boxes = [(shape, _rest_box(stage, shape)) for shape in shapes]
    boxes = [(shape, box) for shape, box in boxes if np.isfinite(box).all()]
    if not boxes:
        return ()
    bottom = max(float(box[1] + box[3]) for _, box in boxes)
    low = [(shape, float(box[2] * box[3])) for shape, box in boxes if box[1] + box[3] >= bottom - 4.0]
    largest = max(area for _, area in low)
    return (max((shape for shape, area in low if area >= largest / 2), key=lambda shape: shape.index),)


def _merge(legs: Sequence[Leg]) -> list[Leg]:
    """One leg for chains that lie on each other, the last painted; those that are no legs of a dog left out."""
    kept: list[Leg] = []
    for found in sorted(legs, key=lambda one: one.joints[0].node.index):
        leg = found
        root, end = leg.joints[0].pivot, leg.joints[-1].pivot
        if not ROOTS[0] <= root[1] <= ROOTS[1] or not leg.sole:
            continue
        for other in kept:
            if _close(other.joints[0].pivot, root) and _close(other.joints[-1].pivot, end):
                kept.remove(other)
                both = sorted({*other.shapes, *leg.shapes}, key=lambda shape: shape.index)
                leg = replace(leg, shapes=tuple(both))
                break
        kept.append(leg)
    return kept


def _close(a: tuple[float, float], b: tuple[float, float]) -> bool:
    return abs(a[0] - b[0]) <= SAME and abs(a[1] - b[1]) <= SAME


__all__ = ["Stage", "find_legs", "find_turns", "leg_of", "leg_with_joints", "sole_of"]
