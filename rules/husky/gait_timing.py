"""The timing of a stride (spec §2.4): when a leg strikes, leaves the ground and straightens; how stops are eased."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from husky_lint.rule import Finding, Reason, Related, Undecided, rule

from .gait import SMEARED, main_stance
from .keyframe_stops import stops_of
from .kinematics import direction
from .strides import leg_strides, strides

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode

    from .keyframe_stops import Stop
    from .strides import LegStride

_WALKS = ("stroll", "walk")
CONTACT = 336.0
ROLL = 0.08
"""How long before the farthest point behind a paw may have begun to roll off, of a cycle."""


class Interval(NamedTuple):
    """From one stop to the next."""

    start: Stop
    end: Stop


@rule("HB2404")
def stance_linear(evidence: Evidence, toe_off: float) -> Iterator[Finding]:
    """A stop of the stance is eased.

    ## What it checks
    At every pace the keyframes of the upper and the second segment run `linear` between the stops of stance: those
    before the stop at which the limb leaves the ground.

    ## Why it matters
    A planted foot cannot accelerate. Eased stance stops make it slip on the path at both ends of each interval.

    ## Example that fails
    ```css
    @keyframes fore-upper {
      0% { transform: rotate(-22deg); animation-timing-function: ease-in-out; }
      23% { transform: rotate(0deg); animation-timing-function: ease-in-out; }
      46% { transform: rotate(20deg); animation-timing-function: cubic-bezier(.3, 0, .6, 1); }
      100% { transform: rotate(-22deg); }
    }
    ```

    ## Example that passes
    ```css
    .upper { animation-timing-function: ease; }
    ```
    """
    for stride, stops in _jointed(evidence):
        leaves = leaving_stop(stride, stops, toe_off)
        for start, end in _intervals(stops):
            if end.offset <= leaves.offset and not start.easing.is_linear and start.degrees != end.degrees:
                yield Finding(
                    f"{_whose(stride)} is eased from {start.offset:.0%} to {end.offset:.0%} of its cycle, while its "
                    f"paw is planted; stance runs linear",
                    start.span,
                    data={"pace": stride.pace, "leg": stride.leg.name, "from": start.offset, "to": end.offset},
                )


@rule("HB2405")
def swing_eased(evidence: Evidence, toe_off: float) -> Iterator[Finding]:
    """The free swing runs at constant speed.

    ## What it checks
    At every pace some interval in the swing of the upper or the second segment of each leg has a timing function that
    is not linear.

    ## Why it matters
    Eased swing stops make the limb whip and the body dwell at the top of its arc; the dwell reads as suspension.

    ## Example that fails
    ```css
    @keyframes fore-upper { 0%, 100% { transform: rotate(-22deg); } 46% { transform: rotate(20deg); } }
    @keyframes fore-lower { 0%, 46%, 100% { transform: rotate(0deg); } 70% { transform: rotate(-60deg); } }
    .fore .upper, .fore .lower { animation-timing-function: linear; }
    ```

    ## Example that passes
    ```css
    .upper, .lower { animation-timing-function: linear; }
    ```
    """
    swings: dict[tuple[str, str], tuple[LegStride, list[Interval]]] = {}
    for stride, stops in _jointed(evidence):
        leaves = leaving_stop(stride, stops, toe_off)
        free = [pair for pair in _intervals(stops) if pair.start.offset >= leaves.offset]
        swings.setdefault((stride.pace, stride.leg.name), (stride, []))[1].extend(free)
    for stride, free in swings.values():
        moving = [pair for pair in free if pair.start.degrees != pair.end.degrees]
        if moving and all(pair.start.easing.is_linear for pair in moving):
            yield Finding(
                f"{_whose(stride)} swings at constant speed from {moving[0].start.offset:.0%} of its cycle on; the "
                f"free swing wants a cubic-bezier",
                moving[0].start.span,
                related=tuple(Related(pair.start.span, "linear too") for pair in moving[1:4]),
                data={"pace": stride.pace, "leg": stride.leg.name},
            )


@rule("HB2406")
def strike_toeoff(
    evidence: Evidence,
    strike: float,
    toe_off: float,
    phase: float,
    roll: float,
) -> Iterator[Finding]:
    """A leg strikes or leaves the ground at another time than the reference walk.

    ## What it checks
    At walk and stroll each leg, its delay taken out, strikes at 0 % and leaves the ground at 46 % of its cycle. The paw
    may come into the path band a little before it bears and roll off a little after. Of a paw that never clears the
    path, the turning points of the upper segment are taken.

    ## Why it matters
    A duty factor of 46 % is what makes this a walk and not a shuffle; the phase table of the legs counts from strike.

    ## Example that fails
    ```css
    @keyframes fore-upper { 0%, 100% { transform: rotate(-22deg); } 62% { transform: rotate(20deg); } }
    @keyframes fore-lower { 0%, 62%, 100% { transform: rotate(0deg); } 80% { transform: rotate(-60deg); } }
    ```

    ## Example that passes
    ```css
    .upper { animation-timing-function: linear; }
    ```
    """
    for stride in leg_strides(evidence):
        if stride.pace not in _WALKS:
            continue
        struck, left = _contact(stride)
        early, late = -_apart(struck, strike), _apart(left, toe_off)
        if not (-phase <= early <= roll and -phase <= late <= roll):
            yield Finding(
                f"{_whose(stride)} strikes at {struck:.0%} and leaves the ground at {left:.0%} of its cycle; the walk "
                f"strikes at {strike:.0%} and leaves at {toe_off:.0%}",
                evidence.element_span(stride.leg.joints[0].node.element),
                data={"pace": stride.pace, "leg": stride.leg.name, "strike": struck, "toe_off": left},
            )


@rule("HB2408")
def late_straighten(
    evidence: Evidence, window: float, contact_threshold: float, least_sweep: float, drag: float
) -> Iterator[Finding]:
    """A foreleg is straight again too early in its swing.

    ## What it checks
    At walk and stroll each foreleg stays folded, by a fourth of its sweep or more, until the last few percent before it
    strikes, and its paw is in the air till then.

    ## Why it matters
    The reach finishes in the air and the descent comes last. A limb that extends early drags its paw forward over the
    path for the last quarter of the cycle: the subtle moonwalk.

    ## Example that fails
    ```css
    @keyframes fore-lower { 0%, 46%, 75%, 100% { transform: rotate(0deg); } 58% { transform: rotate(-60deg); } }
    ```

    ## Example that passes
    ```css
    .upper { animation-timing-function: linear; }
    ```
    """
    for stride in leg_strides(evidence, "near_fore", "far_fore"):
        if stride.pace not in _WALKS or stride.fold is None:
            continue
        order = np.argsort(stride.phases)
        folded, phases = np.abs(stride.fold[order] - stride.fold[order][0]), stride.phases[order]
        sweep = float(folded.max())
        if sweep < least_sweep:
            continue  # a leg that does not fold cannot straighten; HB2407 says so
        bent = phases[folded >= sweep / 4]
        straight = float(bent.max())
        dragged, begin = stride.track.drag(contact_threshold)
        early = dragged > drag and stride.own_phase(begin) > 0.5
        if straight < 1.0 - window or early:
            told = (
                f"is straight again at {straight:.0%}"
                if straight < 1.0 - window
                else (f"reaches with its paw on the path, {dragged:.0f} units forward")
            )
            yield Finding(
                f"{_whose(stride)} {told}; it straightens only in the last {window:.0%} of its cycle, in the air",
                evidence.element_span(stride.leg.joints[1].node.element),
                data={"pace": stride.pace, "leg": stride.leg.name, "straight": straight, "drag": dragged},
            )


# ---------------------------------------------------------------- what the rules share


def _jointed(evidence: Evidence) -> Iterator[tuple[LegStride, tuple[Stop, ...]]]:
    """The stops of the first two joints of every leg at every pace; raises Undecided where none can be read at all."""
    seen: dict[tuple[SceneNode, str], bool] = {}
    read = 0
    for stride in leg_strides(evidence):
        motion = strides(evidence)[stride.pace].motion
        for joint in stride.leg.joints[:2]:
            stops = stops_of(motion.style(joint.node), motion.styled)
            key = (joint.node, motion.style(joint.node).text("animation-name"))
            if stops and not seen.get(key):
                seen[key] = True
                read += 1
                yield stride, stops
    if not read:
        raise Undecided(Reason.ROLE_NOT_FOUND, "no keyframes turn the legs")


def _intervals(stops: tuple[Stop, ...]) -> list[Interval]:
    turning = [stop for stop in stops if stop.degrees is not None]
    return [Interval(a, b) for a, b in itertools.pairwise(turning) if b.offset > a.offset]


def leaving_stop(stride: LegStride, stops: tuple[Stop, ...], toe_off: float) -> Stop:
    """The stop at which the limb leaves the ground: the nearest to where its sole, still down, is farthest behind.

    A paw rolls off for a while, so the first eased stop a little before that is the one. A paw that smears over the
    path does not show it; then the upper segment's farthest point behind is taken, or a walk's own toe-off near it.
    """
    turning = [stop for stop in stops if stop.degrees is not None]
    down = stride.track.down(CONTACT)
    if not down.any() or stride.track.share_down(CONTACT) > 0.75 or stride.track.drag(CONTACT)[0] > SMEARED:
        behind = int(np.argmax(direction(stride.line[0], stride.line[1])))
    else:
        behind = int(np.argmin(np.where(down, stride.track.sole_x, np.inf)))
    aim = float(stride.phases[behind])
    if stride.pace in _WALKS and abs(aim - toe_off) < 0.12:
        aim = toe_off
    rolling = [stop for stop in turning if aim - ROLL <= stop.offset <= aim + 0.03 and not stop.easing.is_linear]
    return rolling[0] if rolling else min(turning, key=lambda stop: abs(stop.offset - aim))


def _contact(stride: LegStride) -> tuple[float, float]:
    """Own phases of strike and toe-off; of a paw that smears over the path, where its upper segment turns around."""
    stance = main_stance(stride, CONTACT, 0.9)
    if stance is None:
        angles = direction(stride.line[0], stride.line[1])
        return float(stride.phases[int(np.argmin(angles))]), float(stride.phases[int(np.argmax(angles))])
    return float(stride.phases[stance[0]]), float(stride.phases[stance[-1]])


def _apart(phase: float, reference: float) -> float:
    """The signed distance of two phases around the cycle."""
    return (phase - reference + 0.5) % 1.0 - 0.5


def _whose(stride: LegStride) -> str:
    return f"the {stride.leg.name.replace('_', ' ')} leg at {stride.pace}"
