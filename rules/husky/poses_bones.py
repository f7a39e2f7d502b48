"""The bones of the dog at phases of a pace, for whoever draws them over a picture of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.parts import Bone
from husky_lint.rule import Reason, Undecided

from .poses_skeleton import places_at, skeleton_of
from .strides import strides

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from husky_lint.evidence import Evidence

    from .poses_skeleton import Skeleton

SPINE: Final = "spine"
_DRAWN: Final = ("far_hind", "far_fore", SPINE, "near_hind", "near_fore")


def bones_at(evidence: Evidence, pace: str, phases: Sequence[float]) -> tuple[tuple[Bone, ...], ...]:
    """Far legs, spine and near legs at each phase of a settled stride, in scene units.

    Raises Undecided where the page has no such pace, or nothing of the skeleton could be told.
    """
    stride = strides(evidence).get(pace)
    if stride is None:
        raise Undecided(Reason.STATE_NOT_FOUND, f"there is no stride of {pace}")
    skeleton = skeleton_of(evidence, stride)
    count = len(stride.times)
    found = tuple(tuple(_bones(skeleton, round(phase * count) % count)) for phase in phases)
    if not any(found):
        raise Undecided(Reason.ROLE_NOT_FOUND, "; ".join(skeleton.missing)[:300])
    return found


def _bones(skeleton: Skeleton, index: int) -> Iterator[Bone]:
    lines = {name: [places[index].tolist() for places in stride.line] for name, stride in skeleton.legs.items()}
    lines[SPINE] = [list(place) for _, place in places_at(skeleton, index)]
    for name in _DRAWN:
        joints = lines.get(name, [])
        if len(joints) > 1 and np.isfinite(joints).all():
            yield Bone(name.replace("_", " "), tuple((x, y) for x, y in joints))
