"""The skeleton of the dog through a stride: the chains of its legs, and its spine from the tail's tip to the nose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from husky_lint.rule import Reason, Undecided

from .kinematics import transformed
from .rig import LEGS, rig_of
from .seen import counterpart
from .strides import GONE_AT
from .tail import tail_track

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence

    from .strides import LegStride, Stride

    FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Skeleton:
    """``spine`` are places (T, 2) by name, tail first; ``legs`` the strides that could be told; ``missing`` says why
    something is not there."""

    spine: Mapping[str, FloatArray]
    legs: Mapping[str, LegStride]
    missing: tuple[str, ...]


def skeleton_of(evidence: Evidence, stride: Stride) -> Skeleton:
    """The skeleton at the instants of a stride."""
    missing = [f"{name.replace('_', ' ')}: {stride.unknown[name]}" for name in LEGS if name in stride.unknown]
    missing += [
        f"{name.replace('_', ' ')}: not seen"
        for name in LEGS
        if name not in stride.unknown and name not in stride.legs and name not in GONE_AT.get(stride.pace, ())
    ]
    spine: dict[str, FloatArray] = {}
    try:
        track = tail_track(evidence, stride, rig_of(evidence).part("tail").node)
        spine |= {"tail tip": track.tip, "tail": track.base}
    except Undecided as said:
        missing.append(f"tail: {said}")
    for name, end in (("hip", "hind"), ("shoulder", "fore")):
        roots = [leg.line[0] for leg in stride.legs.values() if leg.leg.name.endswith(end)]
        if roots:
            spine[name] = np.mean(roots, axis=0)
    for role in ("skull", "nose"):
        try:
            spine[role] = _middle(evidence, stride, role)
        except Undecided as said:
            missing.append(f"{role}: {said}")
    known = {name: places for name, places in spine.items() if np.isfinite(places).all()}
    return Skeleton(known, stride.legs, tuple(missing))


def _middle(evidence: Evidence, stride: Stride, role: str) -> FloatArray:
    """(T, 2) the middle of a part's first shape. Raises Undecided where it could not be told or is not displayed."""
    part, motion = rig_of(evidence).part(role), stride.motion
    shape = counterpart(motion, part.shapes[0] if part.shapes else part.node)
    if shape is None or not motion.is_displayed(shape):
        raise Undecided(Reason.ROLE_NOT_FOUND, f"not displayed at {stride.pace}")
    left, top, right, bottom = motion.local_box(shape, [0.0])[0]
    return transformed(motion.matrix(shape, stride.times), np.array([[(left + right) / 2, (top + bottom) / 2]]))[:, 0]


def places_at(skeleton: Skeleton, index: int) -> Iterator[tuple[str, tuple[float, float]]]:
    """The places of the spine at one instant, tail first."""
    for name, places in skeleton.spine.items():
        x, y = places[index].tolist()
        yield name, (x, y)
