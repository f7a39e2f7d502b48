"""The rig as the engine shows it: parts by role with their CSS paths, and the picture of the drawing at rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.parts import Bone, Figure, InferredPart, Label, Outline
from husky_lint.scene.paths import flatten

from .kinematics import transformed
from .rig import DRAWN_ROLES, PAGE_ROLES, rig_of
from .walk_state import walk_state

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion

    from .rig import Leg, Rig

    FloatArray = NDArray[np.float64]

SHOWN: Final = (240.0, 70.0, 460.0, 310.0)
"""The part of the scene that the picture shows: the dog with room around it, and the lamppost."""
_MAX_POINTS: Final = 400
_UNLABELLED: Final = frozenset({"scene", "dog", "head", "lamppost", "lamp_glass", "hearts", "detached_leg"})


def picture_of(evidence: Evidence) -> Figure:
    """Parts and picture. Raises Undecided where there is no scene."""
    rig = rig_of(evidence)
    parts: dict[str, InferredPart | None] = {}
    for role in DRAWN_ROLES:
        part = rig.parts.get(role)
        paths = tuple(node.css_path for node in part.nodes) if part is not None else ()
        parts[role] = InferredPart(paths, part.confidence, part.evidence) if part is not None else None
    for role in PAGE_ROLES:
        found = rig.page.get(role)
        parts[role] = None if found is None else InferredPart(found.paths, found.confidence, found.evidence)
    rest = evidence.rest(walk_state(evidence))
    boxes = rest.boxes([0.0])
    matrices = rest.matrices(rest.scene.nodes, [0.0])
    return Figure(
        parts,
        rig.missing,
        tuple(map(str, rig.conflicts)),
        SHOWN,
        tuple(_outlines(rest, rig, matrices)),
        tuple(_bone(leg, boxes) for leg in rig.legs.values()),
        tuple(_labels(rig, boxes)),
    )


def _outlines(rest: Motion, rig: Rig, matrices: Mapping[SceneNode, FloatArray]) -> Iterator[Outline]:
    """The shapes of the dog and the other parts, in paint order."""
    roles = {shape: role for role, part in rig.parts.items() for shape in part.shapes}
    roles.update({shape: leg.name for leg in rig.legs.values() for shape in leg.shapes})
    dog = rig.parts.get("dog")
    shown = {*roles, *(node for group in (dog.nodes if dog is not None else ()) for node in group.descendants())}
    for node in sorted(shown, key=lambda one: one.index):
        if node not in matrices or node.children:
            continue
        lines = [line for line in flatten(rest.outline(node)) if len(line) > 1]
        placed = [transformed(matrices[node], line[:: 1 + len(line) // _MAX_POINTS])[0] for line in lines]
        if placed:
            yield Outline(
                tuple(tuple((float(x), float(y)) for x, y in line) for line in placed),
                roles.get(node, ""),
                rest.style(node).keyword("fill") != "none",
            )


def _bone(leg: Leg, boxes: Mapping[SceneNode, FloatArray]) -> Bone:
    joints = [joint.pivot for joint in leg.joints]
    soles = [boxes[node][0] for node in leg.sole if node in boxes]
    if soles:
        joints.append((float(soles[0][0] + soles[0][2] / 2), float(soles[0][1] + soles[0][3])))
    return Bone(leg.name, tuple(joints))


def _labels(rig: Rig, boxes: Mapping[SceneNode, FloatArray]) -> Iterator[Label]:
    for role, part in rig.parts.items():
        box = boxes.get(part.node)
        if role in _UNLABELLED or "." in role or box is None or not np.isfinite(box[0]).all():
            continue
        left, top, width, height = box[0].tolist()
        yield Label(role.replace("_", " "), (left + width / 2, top + height / 2))
    for leg in rig.legs.values():
        x, y = leg.joints[-1].pivot
        below = 14 if leg.name.startswith("near") else 8
        yield Label(leg.name.replace("_", " "), (x - 12, max(y, 330) + below))
