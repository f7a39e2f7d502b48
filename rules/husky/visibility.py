"""What can be seen of a scene in a state: painted, opaque enough, inside the view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.scene.graph import SHAPES

from .colour import paint_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from husky_lint.scene.graph import SceneGraph, SceneNode
    from husky_lint.scene.motion import Motion

    FloatArray = NDArray[np.float64]

LEAST_OPACITY: Final = 0.05
"""What is less opaque than this is not seen (the contract's definitions)."""


def is_visible(motion: Motion, node: SceneNode) -> bool:
    """Whether a shape is displayed and painted opaquely enough, by the cascade; of a group, whether one in it is."""
    shapes = [node] if node.name in SHAPES else [one for one in node.descendants() if one.name in SHAPES]
    return any(is_painted(motion, shape) for shape in shapes)


def is_painted(motion: Motion, shape: SceneNode) -> bool:
    """Whether a shape is displayed and leaves paint of at least :data:`LEAST_OPACITY`."""
    if not motion.is_displayed(shape):
        return False
    try:
        style = motion.style(shape)
    except KeyError:
        return False
    if style.keyword("visibility") in {"hidden", "collapse"}:
        return False
    return paint_of(motion, shape).alpha >= LEAST_OPACITY


def visible_shapes(
    motion: Motion, nodes: Iterable[SceneNode], boxes: Mapping[SceneNode, FloatArray]
) -> list[SceneNode]:
    """The shapes among the nodes that can be seen and meet the view at some of the instants of their boxes (T, 4)."""
    view = view_of(motion.scene)
    return [
        node
        for node in nodes
        if node.name in SHAPES and node in boxes and _meets(boxes[node], view) and is_painted(motion, node)
    ]


def view_of(scene: SceneGraph) -> FloatArray:
    """Left, top, right, bottom of the view; without a viewBox everything."""
    box = scene.view_box
    if box is None or box.width <= 0 or box.height <= 0:
        return np.array([-np.inf, -np.inf, np.inf, np.inf])
    return np.array([box.x, box.y, box.x + box.width, box.y + box.height])


def _meets(boxes: FloatArray, view: FloatArray) -> bool:
    left, top = boxes[:, 0], boxes[:, 1]
    right, bottom = left + boxes[:, 2], top + boxes[:, 3]
    inside = (right >= view[0]) & (left <= view[2]) & (bottom >= view[1]) & (top <= view[3])
    return bool(inside.any())
