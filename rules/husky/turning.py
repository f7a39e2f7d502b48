"""What turns about what: joints told by motion alone, however the source spells them.

A nested group with a CSS pivot, a translate wrapper with origin 0 0, a fill-box pivot and an SVG ``rotate(a x y)`` move
alike. So a joint is an element that turns relative to its parent, and its pivot is the point of it that stays in place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from husky_lint.scene.graph import SceneNode

    FloatArray = NDArray[np.float64]

LEAST_TURN: Final = 1.5
"""Degrees an element turns through at least, to count as one that turns."""


@dataclass(frozen=True, slots=True)
class Turn:
    """How an element turns relative to its parent: ``angles`` (T,) degrees, unwrapped, positive as CSS has it.

    ``centre`` is the point of the element's own space that stays in place, as nearly as one does, and ``pivot`` where
    it stays in the parent's space: the same numbers for a CSS pivot, 0 0 and the translation for a translated joint.
    ``residual`` is how far it strays all the same, in units, root mean square.
    """

    node: SceneNode
    angles: FloatArray
    centre: tuple[float, float]
    pivot: tuple[float, float]
    residual: float

    @property
    def range(self) -> float:
        """Degrees from the least to the greatest angle."""
        return float(np.ptp(self.angles))


def find_turns(matrices: Mapping[SceneNode, FloatArray], least: float = LEAST_TURN) -> dict[SceneNode, Turn]:
    """The elements that turn, by their scene matrices (T, 6) at the same instants. Unknown matrices are passed over."""
    nodes = [node for node in matrices if _is_moved(node, matrices)]
    if not nodes:
        return {}
    own = _linear(matrices[node] for node in nodes)
    around = _linear(matrices[node.parent] for node in nodes if node.parent is not None)
    with np.errstate(all="ignore"):
        relative = np.linalg.solve(np.where(_regular(around), around, np.eye(3)), own)
    known = np.isfinite(relative).all(axis=(1, 2, 3)) & _regular(around).all(axis=(1, 2, 3))
    angles = np.degrees(np.unwrap(np.arctan2(relative[:, :, 1, 0], relative[:, :, 0, 0]), axis=1))
    turning = known & (np.ptp(angles, axis=1) >= least)
    return {nodes[i]: Turn(nodes[i], angles[i], *_fixed_point(relative[i])) for i in np.flatnonzero(turning).tolist()}


def _is_moved(node: SceneNode, matrices: Mapping[SceneNode, FloatArray]) -> bool:
    """Whether an element has a matrix of its own beside its parent's."""
    around = None if node.parent is None else matrices.get(node.parent)
    return around is not None and not np.array_equal(matrices[node], around)


def _linear(rows: Iterable[FloatArray]) -> FloatArray:
    """(N, T, 3, 3) from [a b c d e f] rows."""
    stacked = np.stack(list(rows))
    full = np.zeros((*stacked.shape[:2], 3, 3))
    full[..., 0, 0], full[..., 1, 0] = stacked[..., 0], stacked[..., 1]
    full[..., 0, 1], full[..., 1, 1] = stacked[..., 2], stacked[..., 3]
    full[..., 0, 2], full[..., 1, 2] = stacked[..., 4], stacked[..., 5]
    full[..., 2, 2] = 1.0
    return full


def _regular(matrices: FloatArray) -> NDArray[np.bool_]:
    """(N, T, 1, 1) whether a matrix can be inverted."""
    determinant = matrices[..., 0, 0] * matrices[..., 1, 1] - matrices[..., 0, 1] * matrices[..., 1, 0]
    return (np.abs(determinant) > 1e-9)[..., None, None]


def _fixed_point(relative: FloatArray) -> tuple[tuple[float, float], tuple[float, float], float]:
    """The point that affine maps (T, 3, 3) agree on best, where they put it, and how far they stray, by least squares.

    With mean matrix subtracted, the place drops out and the point alone is left to solve for.
    """
    linear, shift = relative[:, :2, :2], relative[:, :2, 2]
    system = (linear - linear.mean(axis=0)).reshape(-1, 2)
    target = -(shift - shift.mean(axis=0)).reshape(-1)
    point, *_ = np.linalg.lstsq(system, target, rcond=None)
    place = linear.mean(axis=0) @ point + shift.mean(axis=0)
    stray = float(np.sqrt(np.mean((system @ point - target) ** 2) * 2))
    return (float(point[0]), float(point[1])), (float(place[0]), float(place[1])), stray
