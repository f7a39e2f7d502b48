"""The foreleg that goes at hop: what travels away from the dog only there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from .rig import Part
from .search import host
from .words import PARTS, says

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode

    from .rig import Leg
    from .search import Search

    FloatArray = NDArray[np.float64]

FLIGHT: Final = 12.0
"""Seconds after the pace is chosen in which the leg has flown."""
SAMPLES: Final = 40
LEAST_TRAVEL: Final = 60.0
"""Units back that are clearly more than a gait's own motion."""


def tell_detached(evidence: Evidence, search: Search, legs: Mapping[str, Leg]) -> None:
    """What moves away at hop: a group around the near foreleg, or a stand-in for it elsewhere."""
    if "hop" not in evidence.states.values("pace"):
        search.miss("detached_leg", "the page has no hop")
        return
    motion = evidence.motion(evidence.states.state(pace="hop"))
    strips = {one.node.element for one in search.drawing.scrollers}
    shown = [node for node in motion.scene.nodes[1:] if motion.is_displayed(node) and not _in_strip(node, strips)]
    times = np.concatenate([np.linspace(0.0, 3.0, SAMPLES), np.linspace(3.2, FLIGHT, SAMPLES // 2)])
    boxes, matrices = motion.survey(times)
    travelled: dict[SceneNode, float] = {}
    for node in shown:
        if node in boxes and (way := _way_back(matrices[node], boxes[node][0])) >= LEAST_TRAVEL:
            travelled[node] = way
    tops = [node for node in travelled if node.parent not in travelled]
    if not tops:
        unknown = any(search.is_dogs(node) for node in motion.unknown) or not search.legs
        search.miss("detached_leg", ("" if unknown else "absent: ") + "nothing leaves the dog at hop")
        return
    near = legs.get("near_fore")
    leg_elements = {joint.node.element for joint in near.joints} if near is not None else set()

    def fits(node: SceneNode) -> tuple[bool, float, float]:
        holds = any(one.element in leg_elements for one in (node, *node.descendants()))
        named = says(search.drawing.lexicon.names(node), PARTS["detached_leg"])
        return holds, named, travelled[node]

    chosen = max(tops, key=fits)
    holds, named, way = fits(chosen)
    if not holds and named < 0.5 and not _is_leg_sized(boxes[chosen][0]):
        search.miss("detached_leg", "what moves away at hop is no leg")
        return
    told = [f"moves {way:.0f} units back at hop"]
    told += ["holds the near foreleg"] if holds else ["stands in for the foreleg"]
    told += ["named so"] if named >= 0.5 else []
    here = search.drawing.scene.node(chosen.element) if not chosen.uses else None
    search.parts["detached_leg"] = Part("detached_leg", (host(here or chosen),), 0.95 if holds else 0.75, tuple(told))


def _way_back(matrices: FloatArray, box: FloatArray) -> float:
    """How far left the point that is the middle of an element at first gets with its matrices (T, 6)."""
    first = np.array([[matrices[0, 0], matrices[0, 2]], [matrices[0, 1], matrices[0, 3]]])
    if not np.isfinite(matrices).all() or not np.isfinite(box).all() or abs(np.linalg.det(first)) < 1e-9:
        return 0.0
    middle = box[:2] + box[2:] / 2
    x, y = np.linalg.solve(first, middle - matrices[0, 4:])
    way = matrices[:, 0] * x + matrices[:, 2] * y + matrices[:, 4]
    return float(middle[0] - way.min())


def _is_leg_sized(box: FloatArray) -> bool:
    return 60 <= float(box[3]) <= 190 and float(box[2]) <= 120


def _in_strip(node: SceneNode, strips: set[_Element]) -> bool:
    return node.element in strips or any(above.element in strips for above in node.ancestors())
