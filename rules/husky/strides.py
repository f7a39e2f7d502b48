"""One settled stride of every pace: where each leg's joints and sole are, for all rules about the gait.

Worked out once a submission. What cannot be evaluated is unknown with its reason for that leg alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.rule import Reason, Undecided

from .kinematics import (
    PawTrack,
    direction,
    fold,
    outline_points,
    paw_track,
    stride_times,
    transformed,
)
from .rig import LEGS, rig_of
from .seen import counterpart, seen
from .visibility import is_visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.style.computed import ComputedStyle
    from husky_lint.style.states import PageState

    from .rig import Joint, Leg

    FloatArray = NDArray[np.float64]

GONE_AT: Final = {"hop": frozenset({"near_fore"})}
"""Legs that a pace takes off the dog: their stride means nothing there."""

SETTLED: Final = np.array([20.0, 20.25, 20.5, 20.75, 60.0])
"""Cycles after which a one-shot is over and the leg it has taken is still to be gone."""

_ON_DOG: Final = 60.0
"""A leg whose root is nearer than this to its place, in units, is on the dog."""

SOLE_DEPTH: Final = 3.0

FRAME_S: Final = 1 / 60
"""Seconds from one frame to the next: what script moves stands for so long."""

LEAST_TURN: Final = 0.02
"""What a turn changes in a matrix at least: some one degree."""


@dataclass(frozen=True)
class LegStride:
    """One leg through a stride of a pace.

    ``line`` are the places (T, 2) of its joints, proximal first, and of the middle of its sole last. ``lag`` is the
    delay of the root joint in seconds, or why it cannot be told; ``paw_matrix`` (T, 6) the matrix of the last joint.
    """

    leg: Leg
    pace: str
    cycle: float
    track: PawTrack
    line: tuple[FloatArray, ...]
    lag: float | Undecided
    paw_matrix: FloatArray

    @property
    def delay(self) -> float:
        """The root joint's, in seconds. Raises Undecided where script moves the leg from frame to frame."""
        if isinstance(self.lag, Undecided):
            raise self.lag.with_traceback(None)
        return self.lag

    @cached_property
    def phases(self) -> FloatArray:
        """(T,) the leg's own phase, its delay taken out."""
        return ((self.track.times - self.delay) / self.cycle) % 1.0

    def own_phase(self, page_phase: float) -> float:
        """A phase of the page's cycle as the leg's own."""
        return (page_phase - self.delay / self.cycle) % 1.0

    @cached_property
    def swing_angle(self) -> FloatArray:
        """(T,) degrees of the line from the root to the sole: negative ahead, positive toward the tail."""
        return direction(self.line[0], self.line[-1])

    @cached_property
    def fold(self) -> FloatArray | None:
        """(T,) degrees between upper and second segment, which ends at the third joint or sole; None without one."""
        return fold(self.line[0], self.line[1], self.line[2]) if len(self.line) >= 3 else None


@dataclass(frozen=True)
class Stride:
    """A pace, its state and its legs. ``unknown`` says why a leg that is missing from ``legs`` could not be told."""

    pace: str
    state: PageState
    cycle: float
    motion: Motion
    legs: Mapping[str, LegStride]
    unknown: Mapping[str, Undecided] = field(default_factory=dict)

    @cached_property
    def times(self) -> FloatArray:
        """Instants in seconds of the settled stride."""
        return stride_times(self.cycle)


def strides(evidence: Evidence) -> Mapping[str, Stride]:
    """A stride of each pace the page can be put into. Raises Undecided(state-not-found) where it has no paces."""
    return evidence.derived(_all_strides)


def leg_strides(evidence: Evidence, *names: str) -> Iterator[LegStride]:
    """The strides of these legs (default: all four) at every pace where they are on the dog.

    Raises the first Undecided of a leg that could not be told, after all others.
    """
    held: Undecided | None = None
    for stride in strides(evidence).values():
        for name in names or LEGS:
            if name in stride.legs:
                yield stride.legs[name]
            elif name in stride.unknown:
                held = held or stride.unknown[name]
    if held is not None:
        raise held


def _all_strides(evidence: Evidence) -> Mapping[str, Stride]:
    paces = evidence.states.values("pace")
    if not paces:
        raise Undecided(Reason.STATE_NOT_FOUND, "how the page spells its paces could not be told")
    return {pace: _stride(evidence, pace) for pace in paces}


def _stride(evidence: Evidence, pace: str) -> Stride:
    state = evidence.states.state(pace=pace)
    motion = evidence.motion(state)
    rig = rig_of(evidence)
    cycle = _cycle(evidence, motion, [leg for name, leg in rig.legs.items() if name not in GONE_AT.get(pace, ())], pace)
    times = stride_times(cycle)
    unknown: dict[str, Undecided] = {}
    wanted: dict[str, Leg] = {}
    for name in LEGS:
        if name in GONE_AT.get(pace, ()):
            continue
        try:
            if pace in GONE_AT and _has_gone(motion, rig.leg(name), SETTLED * cycle):
                continue  # the wrong leg has gone: other clauses say so, and none judges how it walks
            leg = leg_in(motion, rig.leg(name))
            _refuse_unknown(motion, leg)
        except Undecided as said:
            unknown[name] = said
            continue
        if any(is_visible(motion, sole) for sole in leg.sole):
            wanted[name] = leg
    nodes = {node for leg in wanted.values() for node in (*leg.sole, *(joint.node for joint in leg.joints))}
    matrices = motion.matrices(nodes, times)
    legs = {name: _leg_stride(leg, pace, cycle, times, motion, matrices) for name, leg in wanted.items()}
    return Stride(pace, state, cycle, motion, legs, unknown)


def _has_gone(motion: Motion, leg: Leg, times: FloatArray) -> bool:
    """Whether a leg is never on the dog; one of which that cannot be told is taken to be there."""
    try:
        return not on_dog(motion, leg, times).any()
    except Undecided:
        return False


def on_dog(motion: Motion, leg: Leg, times: FloatArray) -> NDArray[np.bool_]:
    """(T,) whether a leg is seen with its root near its place in the drawing."""
    here = {node: counterpart(motion, node) for node in (*leg.shapes, *leg.sole)}
    shapes = [shape for node in leg.shapes or leg.sole if (shape := here[node]) is not None]
    if not any(motion.is_displayed(shape) for shape in shapes):
        return np.zeros(len(times), dtype=bool)
    root = leg_in(motion, leg).joints[0]
    if not motion.is_displayed(root.node):
        return seen(motion, shapes, times)
    at = transformed(motion.matrix(root.node, times), np.array([root.centre]))[:, 0]
    near = np.hypot(at[:, 0] - root.pivot[0], at[:, 1] - root.pivot[1]) <= _ON_DOG
    return np.asarray(seen(motion, shapes, times) & near)


def leg_in(motion: Motion, leg: Leg) -> Leg:
    """A leg as the scene of a state has it: where script changes the structure, a state has a scene of its own.

    Raises Undecided(role-not-found) where the state lacks a joint or the sole.
    """
    nodes = {
        node: counterpart(motion, node) for node in (*(joint.node for joint in leg.joints), *leg.sole, *leg.shapes)
    }
    if all(here is node for node, here in nodes.items()):
        return leg
    joints = [replace(joint, node=here) for joint in leg.joints if (here := nodes[joint.node]) is not None]
    sole = [here for node in leg.sole if (here := nodes[node]) is not None]
    if len(joints) < len(leg.joints) or not sole:
        raise Undecided(Reason.ROLE_NOT_FOUND, f"{leg.name} is not in the scene of this state")
    shapes = [here for node in leg.shapes if (here := nodes[node]) is not None]
    return replace(leg, joints=tuple(joints), sole=tuple(sole), shapes=tuple(shapes))


def _refuse_unknown(motion: Motion, leg: Leg) -> None:
    for node in (*(joint.node for joint in leg.joints), *leg.sole):
        if not motion.is_displayed(node):
            raise Undecided(Reason.ROLE_NOT_FOUND, f"{leg.name} is not displayed at this pace")
        reason = motion.unknown.get(node)
        if reason is not None:
            raise Undecided(Reason(reason) if reason in set(Reason) else Reason.UNSUPPORTED_CSS, leg.name)


def _leg_stride(
    leg: Leg,
    pace: str,
    cycle: float,
    times: FloatArray,
    motion: Motion,
    matrices: Mapping[SceneNode, FloatArray],
) -> LegStride:
    outlines = [transformed(matrices[node], sole_points(motion, node)) for node in leg.sole]
    track = paw_track(times, cycle, outlines, SOLE_DEPTH)
    line = [transformed(matrices[joint.node], np.array([joint.centre]))[:, 0] for joint in leg.joints]
    line.append(np.stack([track.sole_x, track.lowest], axis=1))
    lag: float | Undecided
    try:
        lag = timing(motion.style(leg.joints[0].node))[1]
    except Undecided as said:
        lag = said
    return LegStride(leg, pace, cycle, track, tuple(line), lag, matrices[leg.joints[-1].node])


def sole_points(motion: Motion, node: SceneNode) -> FloatArray:
    """Points of what is seen of a sole: of its outline, grown by half the stroke where it has one and no fill."""
    style = motion.style(node)
    filled = style.text("fill") != "none"
    stroke = motion.stroke(node)
    return outline_points(motion.outline(node), 0.0 if filled or stroke is None else stroke.width / 2)


def timing(style: ComputedStyle) -> tuple[float, float]:
    """Duration and delay in seconds of the first animation of an element; zeros when nothing animates it.

    Raises Undecided where script moves it, and no style says when.
    """
    duration, delay = style.times("animation-duration"), style.times("animation-delay")
    if style.text("animation-name") == "none":
        return 0.0, 0.0
    return (duration[0] if duration else None) or 0.0, (delay[0] if delay else None) or 0.0


def _cycle(evidence: Evidence, motion: Motion, legs: Sequence[Leg], pace: str) -> float:
    """Seconds of a stride: what most joints take, else what the contract says.

    Raises Undecided where script moves the joints and they do not repeat in what the contract says.
    """
    durations: Counter[float] = Counter()
    held: Undecided | None = None
    driven: list[SceneNode] = []
    for leg in legs:
        for joint in leg.joints:
            node = counterpart(motion, joint.node)
            if node is None or not motion.is_displayed(node):
                continue
            try:
                duration = timing(motion.style(node))[0]
            except Undecided as said:
                held = said
                driven.append(node)
                continue
            if duration > 0:
                durations[round(duration, 6)] += 1
    if durations:
        return durations.most_common(1)[0][0]
    cycles = evidence.rubric.tolerance("default", "cycles").value
    stated = cycles.get(pace) if isinstance(cycles, Mapping) else None
    cycle = float(stated) if isinstance(stated, int | float) else 1.0
    if held is not None and not _repeats(motion, driven, cycle):
        raise held
    return cycle


def _repeats(motion: Motion, nodes: Sequence[SceneNode], cycle: float) -> bool:
    """Whether nodes turn, and stand at all times as they stand a cycle later, but for what a frame makes of it."""
    times = stride_times(cycle)
    both = motion.matrices(nodes, np.concatenate([times, times + cycle]))
    turning = np.stack([rows[:, :4] for rows in both.values()])
    now, later = turning[:, : len(times)], turning[:, len(times) :]
    frame = min(math.ceil(FRAME_S * len(times) / cycle) + 1, len(times) - 1)
    allowed = np.abs(now[:, frame:] - now[:, :-frame]).max(axis=(1, 2)) + LEAST_TURN
    turns = (np.ptp(now, axis=1) > LEAST_TURN).any()
    return bool(turns and (np.abs(now - later).max(axis=(1, 2)) <= allowed).all())


def joints_in_motion(stride: Stride, leg: Leg) -> list[tuple[Joint, ComputedStyle]]:
    """The joints that something animates at this pace, with their styles. Raises Undecided for a leg that is gone."""
    here = leg_in(stride.motion, leg)
    styles = [
        (joint, stride.motion.style(joint.node)) for joint in here.joints if stride.motion.is_displayed(joint.node)
    ]
    return [(joint, style) for joint, style in styles if timing(style)[0] > 0]
