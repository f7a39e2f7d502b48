"""The foreleg that goes at hop: what travels away from the dog only there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.rule import Undecided
from husky_lint.scene.graph import SHAPES

from .limbs import last_index
from .rig import Part
from .search import NAMED_ENOUGH, host
from .seen import opacity, visibility
from .visibility import LEAST_OPACITY
from .words import PARTS, says

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion

    from .rig import Leg
    from .search import Search

    FloatArray = NDArray[np.float64]

FLIGHT: Final = 12.0
"""Seconds after the pace is chosen in which the leg has flown."""
SAMPLES: Final = 24
_PLACING: Final = ("animation-name", "transform", "translate", "offset-path")
LEAST_TRAVEL: Final = 60.0
"""Units back that are clearly more than a gait's own motion."""
LEAST_MOVE: Final = 20.0
"""Units in any direction that are more than a part's idle play."""


def tell_detached(evidence: Evidence, search: Search, legs: Mapping[str, Leg]) -> None:
    """What moves away at hop: a group around the near foreleg, or a stand-in for it elsewhere.

    A stand-in that is named so is told wherever it goes, so that its way can be judged.
    """
    if "hop" not in evidence.states.values("pace"):
        search.miss("detached_leg", "the page has no hop")
        return
    motion = evidence.motion(evidence.states.state(pace="hop"))
    placed = [node for node in _outside_strips(motion, search) if _is_placed(motion, node)]
    times = np.concatenate([np.linspace(0.0, 3.0, SAMPLES), np.linspace(3.2, FLIGHT, SAMPLES // 2)])
    matrices = motion.matrices(placed, times)
    homes = _homes(search, matrices)
    homeless = [node for node in matrices if node not in homes]
    boxes = {node: box[0] for node, box in motion.boxes(times[:1], homeless).items()}
    travelled: dict[SceneNode, float] = {}
    moved: dict[SceneNode, float] = {}
    for node, rows in matrices.items():
        home = homes.get(node)
        if home is None and node in boxes:
            home = rows[0], boxes[node]
        if home is None:
            continue
        if (way := _way_back(rows, *home)) >= LEAST_TRAVEL:
            travelled[node] = way
        elif _is_stand_in(search, node, home[1]) and (way := _way(rows, *home)) >= LEAST_MOVE:
            moved[node] = way
    # what goes nowhere behind him is the leg only where nothing else is, and where it is said to be
    if not travelled and moved and not motion.unknown:
        travelled = moved
    tops = [node for node in travelled if not any(above in travelled for above in node.ancestors())]
    if not tops:
        unknown = any(search.is_dogs(node) for node in motion.unknown) or not search.legs
        search.miss("detached_leg", ("" if unknown else "absent: ") + "nothing leaves the dog at hop")
        return
    if len(tops) > 1:  # a leg that is hidden goes on swinging
        tops = [node for node in tops if _is_ever_seen(motion, node, times)] or tops
    near = legs.get("near_fore")
    leg_elements = {joint.node.element for joint in near.joints} if near is not None else set()

    def fits(node: SceneNode) -> tuple[bool, float, float]:
        holds = any(one.element in leg_elements for one in (node, *node.descendants()))
        named = says(search.drawing.lexicon.names(node), PARTS["detached_leg"])
        return holds, named, travelled[node]

    chosen = max(tops, key=fits)
    holds, named, way = fits(chosen)
    size = homes[chosen][1] if chosen in homes else boxes[chosen]
    if not holds and named < 0.5 and not _is_leg_sized(size):
        search.miss("detached_leg", "what moves away at hop is no leg")
        return
    told = [f"moves {way:.0f} units{'' if chosen in moved else ' back'} at hop"]
    told += ["holds the near foreleg"] if holds else ["stands in for the foreleg"]
    told += ["named so"] if named >= 0.5 else []
    here = search.drawing.scene.node(chosen.element) if not chosen.uses else None
    search.parts["detached_leg"] = Part("detached_leg", (host(here or chosen),), 0.95 if holds else 0.75, tuple(told))


def _is_ever_seen(motion: Motion, node: SceneNode, times: FloatArray) -> bool:
    """Whether anything in an element is neither hidden nor transparent at some time, as far as that can be told."""
    shapes = [one for one in (node, *node.descendants()) if one.name in SHAPES and motion.is_displayed(one)]
    try:
        return any(
            bool((visibility(motion, one, times) & (opacity(motion, one, times) >= LEAST_OPACITY)).any())
            for one in shapes
        )
    except Undecided:
        return True


def _is_placed(motion: Motion, node: SceneNode) -> bool:
    """Whether anything of its own may move a displayed element: an animation, a transform, a path."""
    if node.parent is None:
        return False
    try:
        declares = motion.style(node).declares
    except KeyError:
        return False
    placed = any(map(declares, _PLACING)) or any(child.name.startswith("animate") for child in node.children)
    return placed and motion.is_displayed(node)


def _homes(search: Search, nodes: Iterable[SceneNode]) -> dict[SceneNode, tuple[FloatArray, FloatArray]]:
    """The matrix (6,) and the box (4,) of elements as they are drawn at walk; those not shown there left out."""
    drawing = search.drawing
    shown = [node for node in nodes if node in drawing.rest_boxes and drawing.inside(node)]
    matrices = drawing.rest.matrices(shown, [0.0])
    return {node: (matrices[node][0], drawing.rest_boxes[node]) for node in shown}


def _is_stand_in(search: Search, node: SceneNode, box: FloatArray) -> bool:
    """Whether an element is named for the detached leg, has its size and is no part of the dog that walks."""
    drawing = search.drawing
    named = says(drawing.lexicon.names(node), PARTS["detached_leg"]) >= NAMED_ENOUGH
    return named and _is_leg_sized(box) and not (node in drawing.rest_boxes and drawing.inside(node))


def _way_back(matrices: FloatArray, home: FloatArray, box: FloatArray) -> float:
    """How far left the middle of an element at home, with matrix (6,) and box (4,), gets with its matrices (T, 6)."""
    return float(-_path(matrices, home, box)[:, 0].min())


def _way(matrices: FloatArray, home: FloatArray, box: FloatArray) -> float:
    """How far it gets in any direction."""
    return float(np.hypot(*_path(matrices, home, box).T).max())


def _path(matrices: FloatArray, home: FloatArray, box: FloatArray) -> FloatArray:
    """(T, 2) how far its middle is from home; nowhere but there where that could not be told."""
    first = np.array([[home[0], home[2]], [home[1], home[3]]])
    if not np.isfinite(matrices).all() or not np.isfinite(box).all() or abs(np.linalg.det(first)) < 1e-9:
        return np.zeros((len(matrices), 2))
    middle = box[:2] + box[2:] / 2
    x, y = np.linalg.solve(first, middle - home[4:])
    way = matrices[:, :2] * x + matrices[:, 2:4] * y + matrices[:, 4:]
    return np.asarray(way - middle, dtype=np.float64)


def _is_leg_sized(box: FloatArray) -> bool:
    return 60 <= float(box[3]) <= 190 and float(box[2]) <= 120


def _outside_strips(motion: Motion, search: Search) -> list[SceneNode]:
    """The nodes of the scene at hop that lie in no strip."""
    strips = {one.node.element for one in search.drawing.scrollers}
    spans = [(node.index, last_index(node)) for node in motion.scene.nodes if node.element in strips]
    return [node for node in motion.scene.nodes[1:] if not any(first <= node.index <= last for first, last in spans)]
