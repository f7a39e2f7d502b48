"""Gait physics (spec §2.4): a paw on the ground goes back with the ground, and leaves it to come forward.

Judged on the composed leg through a settled stride of every pace, never on the sign of one keyframe.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from husky_lint.rule import Finding, Reason, Related, Severity, Undecided, Verdict, rule

from .keyframe_stops import stops_of
from .kinematics import direction
from .rig import rig_of
from .seen import counterpart
from .strides import LegStride, leg_strides, strides

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.evidence import Evidence
    from husky_lint.source import Span

    from .keyframe_stops import Stop

HINDS = ("near_hind", "far_hind")
SMEARED = 10.0
"""Units of forward travel on the path beyond which a contact is no stance any more."""


@rule("HB2401")
def grounded_paw_drift(
    evidence: Evidence, contact_thresholds: tuple[float, ...], contact_threshold: float, always_down: float
) -> Iterator[Finding]:
    """A paw on the path slides forward: the dog moonwalks.

    ## What it checks
    For every paw at every pace: over the times when the lowest point of its outline is down at the path, its sole's
    travel sums to something negative, toward the tail. Where the sign hangs on the exact height that counts as down, it
    is unknown. A paw that hardly ever leaves the path has no stance to speak of; that is HB2415.

    ## Why it matters
    The ground goes left. A paw that stands on it must go left too, or the dog skates or walks backward, which looks
    finished and is wrong.

    ## Example that fails
    ```css
    .upper, .lower, .pawgrp { animation-direction: reverse; }
    ```

    ## Example that passes
    ```css
    .upper, .lower, .pawgrp { animation-timing-function: linear; }
    ```
    """
    doubtful: Undecided | None = None
    for stride in leg_strides(evidence):
        if stride.track.share_down(contact_threshold) >= always_down:
            continue
        drifts = [stride.track.drift(height) for height in contact_thresholds]
        told = ", ".join(
            f"{drift:+.1f} at {height:g}" for drift, height in zip(drifts, contact_thresholds, strict=True)
        )
        data = {
            "pace": stride.pace,
            "leg": stride.leg.name,
            "drift": dict(zip(contact_thresholds, drifts, strict=True)),
        }
        if min(drifts) > 0:
            drift = stride.track.drift(contact_threshold)
            yield Finding(
                f"{_who(stride)} travels {drift:+.1f} units while on the path; it must go backward (below 0) with the "
                f"ground",
                _turning_stop(evidence, stride, forward=True) or _leg_span(evidence, stride),
                related=(Related(_leg_span(evidence, stride), "this leg"),),
                data=data,
            )
        elif max(drifts) >= 0:
            doubtful = doubtful or Undecided(
                Reason.THRESHOLD_SENSITIVE, f"{_who(stride)} drifts {told}", _leg_span(evidence, stride)
            )
    if doubtful is not None:
        raise doubtful


@rule("HB2402")
def rotation_sign(evidence: Evidence, swing: float, contact_threshold: float, always_down: float) -> Iterator[Finding]:
    """A leg swings forward through stance.

    ## What it checks
    The line from shoulder or hip to the sole points ahead when the paw strikes and behind when it leaves, and turns
    backward (positive, y down) by some degrees in between. Judged on the composed leg; where its contact is not clear,
    on the root joint between strike and toe-off.

    ## Why it matters
    In a y-down space a positive rotation carries a hanging limb toward the tail. With the sign flipped every keyframe
    looks plausible and the dog walks backward.

    ## Example that fails
    ```css
    @keyframes fore-upper { 0%, 100% { transform: rotate(22deg); } 46% { transform: rotate(-22deg); } }
    @keyframes fore-lower { 0%, 100% { transform: rotate(0deg); } }
    ```

    ## Example that passes
    ```css
    .fore .pawgrp { animation-name: none; }
    ```
    """
    for stride in leg_strides(evidence):
        stance = main_stance(stride, contact_threshold, always_down)
        if stance is None:
            root = _root_turn(stride)
            if root < -swing:
                yield _wrong_sign(evidence, stride, f"its root turns {root:+.0f}° from strike to toe-off", root)
            continue
        angles = stride.swing_angle[stance]
        turned = float(angles[-1] - angles[0])
        if turned < swing:
            yield _wrong_sign(
                evidence,
                stride,
                f"it points {angles[0]:+.0f}° at strike and {angles[-1]:+.0f}° at toe-off (negative is ahead)",
                turned,
            )


@rule("HB2403")
def late_drag(
    evidence: Evidence, contact_thresholds: tuple[float, ...], contact_threshold: float, drag: float
) -> Iterator[Finding]:
    """A paw is dragged forward along the path.

    ## What it checks
    The longest forward run of a paw while it is down at the path stays within a few units, at toe-off and in the last
    quarter of the swing too. A paw that rolls onto its toes runs nowhere: it is points of the sole that slide.

    ## Why it matters
    The subtler moonwalk: the limb reaches out too early, so that the paw scuffs forward over the ground it should
    clear, before it comes down.

    ## Example that fails
    ```css
    .fore .lower { animation-name: none; }
    ```

    ## Example that passes
    ```css
    .fore .lower { animation-name: fore-lower; }
    ```
    """
    doubtful: Undecided | None = None
    heights = [height for height in contact_thresholds if height >= contact_threshold]
    for stride in leg_strides(evidence):
        runs = [stride.track.drag(height) for height in heights]
        longest, begin = max(runs)
        if min(run for run, _ in runs) > drag:
            phase = stride.own_phase(begin)
            yield Finding(
                f"{_who(stride)} goes {longest:.1f} units forward while down on the path, from {phase:.0%} of its "
                f"cycle on; at most {drag:g} pass as a scuff",
                _stop_before(evidence, stride, phase) or _leg_span(evidence, stride),
                related=(Related(_leg_span(evidence, stride), "this leg"),),
                data={"pace": stride.pace, "leg": stride.leg.name, "drag": longest, "phase": phase},
            )
        elif longest > drag:
            told = ", ".join(f"{run:.1f} at {height:g}" for (run, _), height in zip(runs, heights, strict=True))
            doubtful = doubtful or Undecided(Reason.THRESHOLD_SENSITIVE, f"{_who(stride)} is dragged {told}")
    if doubtful is not None:
        raise doubtful


@rule("HB2415")
def rear_paw_lift(
    evidence: Evidence,
    least_lift: float,
    contact_threshold: float,
    contact_thresholds: tuple[float, ...],
    always_down: float,
) -> Iterator[Finding]:
    """A paw never leaves the path; most often a hind one.

    ## What it checks
    Each paw, the hind ones above all, rises in swing by some units above its mean height in stance, and is not down for
    nearly the whole cycle: such a paw has no swing, and its drift means nothing. A rise that is enough only above some
    of the heights at which contact may begin is unknown, unless the paw hugs the path all the while.

    ## Why it matters
    A hind limb driven by the foreleg's numbers folds too little or at the wrong time, and the rear paws skid.

    ## Example that fails
    ```css
    .hind .lower, .hind .pawgrp { animation-name: none; }
    .hind .upper { animation-name: slide; }
    @keyframes slide { 0%, 100% { transform: rotate(-2deg); } 50% { transform: rotate(2deg); } }
    ```

    ```css
    .fore .lower, .fore .pawgrp { animation-name: none; }
    .fore .upper { animation-name: slide; }
    @keyframes slide { 0%, 100% { transform: rotate(-2deg); } 50% { transform: rotate(2deg); } }
    ```

    ## Example that passes
    ```css
    .hind .lower { animation-name: hind-lower; }
    ```
    """
    doubtful: Undecided | None = None
    for stride in leg_strides(evidence):
        share = stride.track.share_down(contact_threshold)
        lifts = [stride.track.lift(height) for height in contact_thresholds]
        known = [lift for lift in lifts if not math.isnan(lift)]
        lift = stride.track.lift(contact_threshold)
        # hardly risen, and hardly ever out of what the least generous contact height still counts as down
        hugs = lift < least_lift and stride.track.share_down(min(contact_thresholds)) >= always_down
        if share >= always_down or hugs or (known and max(known) < least_lift):
            yield Finding(
                f"{_who(stride)} skids: it is down for {share:.0%} of the cycle and rises by {lift:.1f} units; a step "
                f"rises by at least {least_lift:g}",
                _leg_span(evidence, stride),
                data={"pace": stride.pace, "leg": stride.leg.name, "lift": lift, "down": share},
            )
        elif known and min(known) < least_lift:
            told = ", ".join(f"{lift:.1f}" for lift in known)
            doubtful = doubtful or Undecided(Reason.THRESHOLD_SENSITIVE, f"{_who(stride)} rises by {told}")
    if doubtful is not None:
        raise doubtful


@rule("HB2416")
def paw_envelope(evidence: Evidence, path_band: tuple[float, float], margin: float) -> Iterator[Finding]:
    """A paw sinks below the path, or never comes down to it.

    ## What it checks
    The lowest point of each paw's outline through the stride lies in the path band: not below it, and down to it.

    ## Why it matters
    Paws land at 336 to 344. Deeper ones walk in the dirt, higher ones on air.

    ## Example that fails
    ```css
    .leg { transform: translateY(14px); }
    ```

    ```css
    .leg { transform: translateY(-14px); }
    ```

    ## Example that passes
    ```css
    .leg { transform: translateY(1px); }
    ```
    """
    top, bottom = path_band
    for stride in leg_strides(evidence):
        lowest = float(stride.track.lowest.max())
        if not top - margin <= lowest <= bottom + margin:
            what = "sinks to" if lowest > bottom else "floats: it comes down to"
            yield Finding(
                f"{_who(stride)} {what} y {lowest:.1f}; paws land at {top:g} to {bottom:g}",
                _leg_span(evidence, stride),
                data={"pace": stride.pace, "leg": stride.leg.name, "lowest": lowest, "expected": list(path_band)},
            )


@rule("HB2107")
def ground_line(evidence: Evidence, path_band: tuple[float, float], margin: float) -> Iterator[Finding]:
    """A paw in stance stands off the path band.

    ## What it checks
    The mean height of each paw's lowest point while it goes backward lies in the band 336 to 344.

    ## Why it matters
    The path is drawn there; a paw that lands elsewhere stands on nothing.

    ## Example that fails
    ```css
    .leg { transform: translateY(14px); }
    ```

    ## Example that passes
    ```css
    .leg { transform: translateY(1px); }
    ```
    """
    top, bottom = path_band
    for stride in leg_strides(evidence):
        back = np.roll(stride.track.sole_x, -1) < stride.track.sole_x
        heights = stride.track.lowest[back]
        height = float(np.median(heights[heights >= np.median(heights)])) if heights.size else math.nan
        if not top - margin <= height <= bottom + margin:
            yield Finding(
                f"{_who(stride)} stands at y {height:.1f}; paws land at {top:g} to {bottom:g}",
                _leg_span(evidence, stride),
                data={"pace": stride.pace, "leg": stride.leg.name, "height": height, "expected": list(path_band)},
            )


@rule("HB2417")
def foot_skate(
    evidence: Evidence, skate: float, contact_threshold: float, always_down: float
) -> Iterator[Finding | Verdict]:
    """A standing paw moves over the ground instead of with it.

    ## What it checks
    The mean difference between the speed of a paw in stance and the speed of the dirt strip, as a share of the dirt's:
    a figure for each paw and pace, and a warning above a limit. Beyond the spec; it feeds no row.

    ## Why it matters
    A planted foot moves exactly as the ground does. What differs is seen as skating.

    ## Example that fails
    ```css
    #scene { --glide-dirt: 60s; }
    ```

    ## Example that passes
    ```css
    #scene { --glide-dirt: 4.2s; }
    #scene[data-speed="stroll"] { --glide-dirt: 5.7s; }
    #scene[data-speed="hop"] { --glide-dirt: 3.4s; }
    #scene[data-speed="zoomies"] { --glide-dirt: 2.05s; }
    ```
    """
    strip = rig_of(evidence).part("strip.dirt").node
    speeds: dict[str, float] = {}
    for pace, stride in strides(evidence).items():
        for leg in stride.legs.values():
            leg.own_phase(0.0)  # Undecided for what script moves from frame to frame: it has no speed at an instant
        here = counterpart(stride.motion, strip)
        shown = here is not None and stride.motion.is_displayed(here)
        shift = stride.motion.matrix(here, [0.0, 0.01])[:, 4] if here is not None and shown else np.zeros(2)
        speeds[pace] = float(shift[1] - shift[0]) / 0.01
    worst = 0.0
    for leg in leg_strides(evidence):
        if leg.track.share_down(contact_threshold) >= always_down:
            continue
        figure = leg.track.skate(contact_threshold, speeds[leg.pace])
        worst = max(worst, figure)
        if figure > skate:
            yield Finding(
                f"{_who(leg)} skates: it differs from the ground's speed ({speeds[leg.pace]:+.0f} units/s) by "
                f"{figure:.0%} on average; at most {skate:.0%} pass unseen",
                _leg_span(evidence, leg),
                severity=Severity.WARNING,
                data={"pace": leg.pace, "leg": leg.leg.name, "skate": figure, "ground_speed": speeds[leg.pace]},
            )
    yield Verdict.failed() if worst > skate else Verdict.passed(data={"worst": worst})


# ---------------------------------------------------------------- what the rules share


def main_stance(stride: LegStride, threshold: float, always_down: float) -> list[int] | None:
    """Indices of the longest time on the ground, strike first; None where there is no clear one.

    A paw that is dragged forward over the path is down in its swing as well: its contact says nothing of its stance.
    """
    track = stride.track
    if track.share_down(threshold) >= always_down or track.drag(threshold)[0] > SMEARED:
        return None
    contacts = track.contacts(threshold)
    if not contacts:
        return None
    strike, toe_off = max(contacts, key=lambda contact: (contact[1] - contact[0]) % 1.0)
    count = len(track.times)
    first, length = round(strike * count), round(((toe_off - strike) % 1.0) * count)
    return [(first + i) % count for i in range(length)] if length > 1 else None


def _root_turn(stride: LegStride) -> float:
    """Degrees the upper segment turns from own phase 0 to 46 %, positive toward the tail."""
    if len(stride.line) < 2:
        return 0.0
    angles = direction(stride.line[0], stride.line[1])
    at = [int(np.argmin(np.abs((stride.phases - phase + 0.5) % 1.0 - 0.5))) for phase in (0.0, 0.46)]
    return float(angles[at[1]] - angles[at[0]])


def _who(stride: LegStride) -> str:
    return f"the {stride.leg.name.replace('_', ' ')} paw at {stride.pace}"


def _leg_span(evidence: Evidence, stride: LegStride) -> Span:
    return evidence.element_span(stride.leg.joints[0].node.element)


def _stops(evidence: Evidence, stride: LegStride) -> tuple[Stop, ...]:
    """The stops of the root joint; none where script moves it."""
    motion = strides(evidence)[stride.pace].motion
    node = stride.leg.joints[0].node
    try:
        return stops_of(motion.style(node), motion.styled)
    except Undecided:
        return ()


def _turning_stop(evidence: Evidence, stride: LegStride, *, forward: bool) -> Span | None:
    """The root's stop in stance from which it turns most the wrong way."""
    stops = [stop for stop in _stops(evidence, stride) if stop.degrees is not None]
    worst: tuple[float, Span] | None = None
    for here, then in itertools.pairwise(stops):
        if here.offset >= 0.5 or here.degrees is None or then.degrees is None:
            continue
        turn = (here.degrees - then.degrees) if forward else (then.degrees - here.degrees)
        if turn > 0 and (worst is None or turn > worst[0]):
            worst = (turn, then.span)
    return worst[1] if worst else None


def _stop_before(evidence: Evidence, stride: LegStride, phase: float) -> Span | None:
    stops = [stop for stop in _stops(evidence, stride) if stop.offset <= phase]
    return stops[-1].span if stops else None


def _wrong_sign(evidence: Evidence, stride: LegStride, told: str, turned: float) -> Finding:
    return Finding(
        f"{_who(stride)} does not swing backward through stance: {told}",
        _turning_stop(evidence, stride, forward=True) or _leg_span(evidence, stride),
        related=(Related(_leg_span(evidence, stride), "this leg"),),
        data={"pace": stride.pace, "leg": stride.leg.name, "turned": turned},
    )
