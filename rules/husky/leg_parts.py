"""The parts of a leg in motion (spec §2.4): the elbow folds, the paw turns at the wrist, and all run on one clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from husky_lint.rule import Finding, Reason, Related, Severity, Undecided, rule

from .kinematics import direction
from .rig import LEGS, rig_of
from .strides import GONE_AT, joints_in_motion, leg_strides, strides, timing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.evidence import Evidence
    from husky_lint.source import Span
    from husky_lint.style.computed import ComputedStyle

    from .strides import LegStride

FORES = ("near_fore", "far_fore")
_WALKS = ("stroll", "walk")


@rule("HB2407")
def elbow_fold(evidence: Evidence, fold: float, angle: float, least_sweep: float) -> Iterator[Finding]:
    """The elbow does not fold in swing.

    ## What it checks
    The angle between upper arm and forearm of each foreleg sweeps through about 60° at walk and stroll (more is no
    fault), and visibly at every other pace. The sweep counts: a standing pose may be drawn with a bent elbow. One that
    bends as a knee does is told, without failing.

    ## Why it matters
    A stiff leg swung from the shoulder is a pendulum. The fold is what makes a foreleg a chain.

    ## Example that fails
    ```css
    .fore .lower { animation-name: none; }
    ```

    ## Example that passes
    ```css
    .fore .lower { animation-name: fore-lower; }
    ```
    """
    for stride in leg_strides(evidence, *FORES):
        if stride.fold is None:
            yield Finding(
                f"{_whose(stride)} has no second joint that turns, so its elbow cannot fold",
                _span(evidence, stride, 0),
                data={"pace": stride.pace, "leg": stride.leg.name},
            )
            continue
        sweep = float(np.ptp(np.unwrap(stride.fold, period=360)))
        needed = fold - angle if stride.pace in _WALKS else least_sweep
        if sweep < needed:
            yield Finding(
                f"the elbow of {_whose(stride)} sweeps {sweep:.0f}°; in swing it folds about {fold:g}°, at least "
                f"{needed:g}° here",
                _span(evidence, stride, 1),
                data={"pace": stride.pace, "leg": stride.leg.name, "sweep": sweep, "needed": needed},
            )
        back, ahead = float(stride.fold.max()), -float(stride.fold.min())
        if back > max(ahead, least_sweep):
            yield Finding(
                f"the elbow of {_whose(stride)} bends the wrong way, its forearm {back:.0f}° toward the tail; an elbow "
                f"points back, and the forearm folds up before it",
                _span(evidence, stride, 1),
                severity=Severity.WARNING,
                data={"pace": stride.pace, "leg": stride.leg.name, "fold": back},
            )


@rule("HB2409")
def paw_articulation(evidence: Evidence, least_turn: float) -> Iterator[Finding]:
    """A paw is welded to its shin.

    ## What it checks
    Each leg has a third part that turns, at the wrist: its last joint swings by some degrees against the segment above
    it, about a point near the ground end of the leg, at walk and at zoomies.

    ## Why it matters
    A paw is flexed when it reaches, flat when loaded, extended at toe-off and tucked through the swing. Welded, it is a
    peg.

    ## Example that fails
    ```css
    .pawgrp { animation-name: none !important; }
    ```

    ## Example that passes
    ```css
    .pawgrp { animation-timing-function: linear; }
    ```
    """
    for stride in leg_strides(evidence):
        if stride.pace not in ("walk", "zoomies"):
            continue
        joints = len(stride.leg.joints)
        turn = _last_turn(stride) if joints >= 3 else 0.0
        if turn < least_turn:
            told = (
                f"its paw turns {turn:.0f}° at the wrist" if joints >= 3 else f"it has {joints} turning parts, no paw"
            )
            yield Finding(
                f"{_whose(stride)} is welded: {told}; a paw is the third part and turns at least {least_turn:g}°",
                _span(evidence, stride, joints - 1),
                data={"pace": stride.pace, "leg": stride.leg.name, "turn": turn, "joints": joints},
            )


@rule("HB2410")
def delay_coupling(evidence: Evidence, delay: float) -> Iterator[Finding]:
    """A part of a leg runs on another phase than the rest of it.

    ## What it checks
    At every pace all animated parts of a leg have one computed `animation-delay` and one duration. Delays count as the
    phase they give: whole cycles apart is the same.

    ## Why it matters
    A rule that leaves the paw out, or an `animation` shorthand that resets the delay after it, puts the paw on another
    phase than its shin. Each keyframe is right, and the leg is wrong.

    ## Example that fails
    ```css
    .far .pawgrp { animation-delay: 0s; }
    ```

    ```css
    #scene[data-speed="zoomies"] .hind .lower { animation: hind-lower var(--cycle) infinite; }
    ```

    ## Example that passes
    ```css
    .hind.near .lower { animation-delay: calc(var(--cycle) * (var(--phase) - 1)); }
    ```
    """
    rig = rig_of(evidence)
    held: Undecided | None = None
    for stride in strides(evidence).values():
        for name in LEGS:
            if name in GONE_AT.get(stride.pace, ()):
                continue
            try:
                leg = rig.leg(name)
            except Undecided as said:
                held = held or said
                continue
            parts = joints_in_motion(stride, leg)
            if not parts:
                continue
            reference, *others = parts
            for _, style in others:
                apart = _phase_apart(style, reference[1])
                if apart > delay:
                    duration, own = timing(style)
                    first = timing(reference[1])
                    yield Finding(
                        f"a part of the {name.replace('_', ' ')} leg at {stride.pace} has delay {own:.3f} s and "
                        f"duration {duration:.3f} s, its upper part {first[1]:.3f} s and {first[0]:.3f} s; they share "
                        f"one clock",
                        _delay_span(evidence, style),
                        related=(Related(_delay_span(evidence, reference[1]), "the delay of the upper part"),),
                        data={"pace": stride.pace, "leg": name, "delay": own, "expected": first[1]},
                    )
    if held is not None:
        raise held
    if not rig.legs:
        raise Undecided(Reason.ROLE_NOT_FOUND, "no legs")


# ---------------------------------------------------------------- what the rules share


def _last_turn(stride: LegStride) -> float:
    """Degrees the last joint swings against the segment above it: of its foot seen from the joint."""
    above = direction(stride.line[-3], stride.line[-2])
    own = np.degrees(np.unwrap(np.radians(_own_angle(stride))))
    relative = np.unwrap(own - above, period=360)
    return float(np.ptp(relative))


def _own_angle(stride: LegStride) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    matrix = stride.paw_matrix
    return np.degrees(np.arctan2(matrix[:, 1], matrix[:, 0]))


def _phase_apart(style: ComputedStyle, reference: ComputedStyle) -> float:
    """Seconds between the phases of two animations; whole durations when they do not even share one."""
    duration, own = timing(style)
    cycle, delay = timing(reference)
    if abs(duration - cycle) > 1e-4:
        return max(duration, cycle)
    return abs((own - delay + cycle / 2) % cycle - cycle / 2)


def _delay_span(evidence: Evidence, style: ComputedStyle) -> Span:
    declaration = style.declaration("animation-delay")
    return declaration.span if declaration is not None else evidence.element_span(style.element)


def _span(evidence: Evidence, stride: LegStride, joint: int) -> Span:
    return evidence.element_span(stride.leg.joints[joint].node.element)


def _whose(stride: LegStride) -> str:
    return f"the {stride.leg.name.replace('_', ' ')} leg at {stride.pace}"
