"""The gaits one by one (spec §2.5): the four-beat walk, the tripod's spring, the gallop."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from husky_lint.rule import Finding, Reason, Related, Undecided, rule

from .gait import main_stance
from .rig import LEGS, rig_of
from .seen import counterpart
from .strides import strides, timing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.source import Span

    from .strides import LegStride, Stride

    FloatArray = NDArray[np.float64]

FORES = ("near_fore", "far_fore")


@rule("HB2501")
def four_beat(evidence: Evidence, pair_offset: float, far_offset: float, phase: float) -> Iterator[Finding]:
    """The legs of the walk do not beat in diagonal pairs half a cycle apart.

    ## What it checks
    At walk and stroll near and far leg of each pair are half a cycle apart, and each far hind leg beats with the near
    foreleg, each far foreleg with the near hind one, up to the few percent that break the lockstep.

    ## Why it matters
    Four beats in the right order are what makes a walk; another order is a pace, a trot or a shuffle.

    ## Example that fails
    ```css
    .fore.far { --phase: -.25; }
    ```

    ## Example that passes
    ```css
    .fore.far { --phase: .46; }
    ```
    """
    for pace in ("stroll", "walk"):
        legs = _legs(evidence, pace)
        beats = {name: beat(stride) for name, stride in legs.items()}
        expected = {
            "near_fore": 0.0,
            "far_hind": far_offset,
            "near_hind": pair_offset,
            "far_fore": pair_offset + far_offset,
        }
        yield from _beats_off(
            evidence, pace, legs, beats, {leg: -ahead for leg, ahead in expected.items()}, phase + far_offset
        )


@rule("HB2506")
def hop_together(evidence: Evidence, phase: float) -> Iterator[Finding]:
    """The three legs of the hop do not beat together.

    ## What it checks
    At hop the far foreleg and both hind legs have one phase.

    ## Why it matters
    A tripod hops: all three limbs push off and land at once while the whole dog springs.

    ## Example that fails
    ```css
    #scene[data-speed="hop"] .hind.far { --phase: -.3; }
    ```

    ## Example that passes
    ```css
    #scene[data-speed="hop"] .hind.far { --phase: -1; }
    ```
    """
    names = ("far_fore", "near_hind", "far_hind")
    legs = _legs(evidence, "hop", names)
    beats = {name: beat(stride) for name, stride in legs.items()}
    yield from _beats_off(evidence, "hop", legs, beats, dict.fromkeys(names, 0.0), phase)


@rule("HB2508")
def gallop_pairs(evidence: Evidence, delays: Mapping[str, float], phase: float) -> Iterator[Finding]:
    """The legs of the gallop do not beat in pairs.

    ## What it checks
    At zoomies, counted from the near foreleg, the far foreleg is a tenth of a cycle ahead, the near hind leg half a
    cycle and the far hind leg six tenths.

    ## Why it matters
    A gallop is no fast trot: fore pair and hind pair alternate, each with a leading leg.

    ## Example that fails
    ```css
    #scene[data-speed="zoomies"] .hind.far { --phase: -.04; }
    ```

    ## Example that passes
    ```css
    #scene[data-speed="zoomies"] .hind.far { --phase: .4; }
    ```
    """
    legs = _legs(evidence, "zoomies")
    beats = {name: beat(stride) for name, stride in legs.items()}
    yield from _beats_off(evidence, "zoomies", legs, beats, delays, phase)


@rule("HB2509")
def gallop_fold(
    evidence: Evidence, least_fold: float, contact_threshold: float, always_down: float
) -> Iterator[Finding]:
    """The legs of the gallop are not folded in the air, or not straight at the ground.

    ## What it checks
    At zoomies each leg is folded most while its paw is off the path, and by some degrees more than when it strikes and
    leaves the ground.

    ## Why it matters
    The knees fold in the air and the limbs straighten at the ground beats. Without it the gallop is a fast trot.

    ## Example that fails
    ```css
    #scene[data-speed="zoomies"] .fore .lower { animation-name: none; }
    ```

    ## Example that passes
    ```css
    .fore .lower { animation-name: fore-lower; }
    ```
    """
    for name, stride in _legs(evidence, "zoomies").items():
        if stride.fold is None:
            raise Undecided(Reason.ROLE_NOT_FOUND, f"{name} has no second joint that turns")
        folds = np.unwrap(stride.fold, period=360)
        at_ground = _ground_fold(stride, folds, contact_threshold, always_down)
        bent = np.abs(folds - at_ground)
        most = int(np.argmax(bent))
        down = stride.track.down(contact_threshold)
        if bent[most] < least_fold or (down[most] and not down.all()):
            where = "on the path" if down[most] else "in the air"
            yield Finding(
                f"the {name.replace('_', ' ')} leg at zoomies folds by {bent[most]:.0f}° at most, {where}; a gallop "
                f"folds by at least {least_fold:g}° in the air and is straight at the ground beats",
                evidence.element_span(stride.leg.joints[1].node.element),
                data={"leg": name, "fold": float(bent[most]), "expected": least_fold},
            )


@rule("HB2507")
def hop_spring(evidence: Evidence, peak: float, touchdown: float, position: float) -> Iterator[Finding]:
    """The hop does not spring.

    ## What it checks
    At hop the body rises to about 27 units above its place and sinks to about 2 below it at touchdown.

    ## Why it matters
    On three legs the whole dog springs. A few units look like a walk with a leg missing.

    ## Example that fails
    ```css
    @keyframes spring { 0%, 46%, 100% { transform: translateY(1px); } 73% { transform: translateY(-6px); } }
    ```

    ## Example that passes
    ```css
    @keyframes spring { 0%, 46%, 100% { transform: translateY(2px); } 73% { transform: translateY(-28px); } }
    ```
    """
    stride = _stride(evidence, "hop")
    body = rig_of(evidence).part("body").node
    rise = body_height(evidence, stride, body)
    highest, lowest = float(rise.min()), float(rise.max())
    if abs(highest - peak) > position or abs(lowest - touchdown) > position:
        yield Finding(
            f"the body springs between {highest:+.0f} and {lowest:+.0f} units at hop; expected about {peak:+g} at the "
            f"peak and {touchdown:+g} at touchdown",
            _bob_span(evidence, stride, body),
            data={"peak": highest, "touchdown": lowest, "expected": [peak, touchdown]},
        )


@rule("HB2510")
def gallop_bounce(evidence: Evidence, share: float) -> Iterator[Finding]:
    """Body or shadow does not bounce twice a stride in the gallop.

    ## What it checks
    At zoomies the body's rise and fall and the contact shadow repeat after half a cycle.

    ## Why it matters
    Full extension happens twice in a gallop stride, so bounce and shadow run at half the cycle.

    ## Example that fails
    ```css
    #scene[data-speed="zoomies"] .dog { animation-duration: var(--cycle); }
    ```

    ## Example that passes
    ```css
    #scene[data-speed="zoomies"] .dog { animation-timing-function: linear; }
    ```
    """
    stride = _stride(evidence, "zoomies")
    rig = rig_of(evidence)
    body = rig.part("body").node
    rise = body_height(evidence, stride, body)
    if not _repeats(rise, share):
        yield Finding(
            f"the body at zoomies does not repeat its bounce ({float(np.ptp(rise)):.1f} units) after {share:g} of a "
            f"cycle",
            _bob_span(evidence, stride, body),
            data={"range": float(np.ptp(rise)), "expected_period": share * stride.cycle},
        )
    shadow = _here(stride, rig.part("contact_shadow").node)
    duration, _ = timing(stride.motion.style(shadow))
    periods = duration / (share * stride.cycle) if stride.cycle else 0.0
    if duration == 0 or abs(periods - round(periods)) > 0.02 or round(periods) > 1:
        style = stride.motion.style(shadow)
        declaration = style.declaration("animation-duration")
        told = f"has a period of {duration:.3f} s" if duration else "does not change"
        yield Finding(
            f"the contact shadow at zoomies {told}; expected every {share * stride.cycle:.3f} s, half a cycle",
            declaration.span if declaration is not None else evidence.element_span(shadow.element),
            data={"duration": duration, "expected": share * stride.cycle},
        )


# ---------------------------------------------------------------- what the rules share


def _stride(evidence: Evidence, pace: str) -> Stride:
    found = strides(evidence).get(pace)
    if found is None:
        raise Undecided(Reason.STATE_NOT_FOUND, f"how the page spells {pace} could not be told")
    return found


def _here(stride: Stride, node: SceneNode) -> SceneNode:
    """A node as the scene of the pace has it. Raises Undecided where the pace does not show it."""
    here = counterpart(stride.motion, node)
    if here is None or not stride.motion.is_displayed(here):
        raise Undecided(Reason.ROLE_NOT_FOUND, f"not displayed at {stride.pace}")
    return here


def _legs(evidence: Evidence, pace: str, names: tuple[str, ...] = LEGS) -> Mapping[str, LegStride]:
    """The strides of these legs at a pace. Raises Undecided when one could not be told or is not seen."""
    stride = _stride(evidence, pace)
    for name in names:
        if name in stride.unknown:
            raise stride.unknown[name]
        if name not in stride.legs:
            raise Undecided(Reason.ROLE_NOT_FOUND, f"{name} is not seen at {pace}")
    return {name: stride.legs[name] for name in names}


def beat(stride: LegStride) -> float:
    """The phase of a leg in the page's cycle: where its own cycle begins, by its delay.

    A leg whose joints nothing delays may have its phase in the keyframes; then where it strikes.
    """
    return (stride.delay / stride.cycle) % 1.0


def _beats_off(
    evidence: Evidence,
    pace: str,
    legs: Mapping[str, LegStride],
    beats: Mapping[str, float],
    expected: Mapping[str, float],
    tolerance: float,
) -> Iterator[Finding]:
    """Findings for legs whose beat is off, counted from the first of ``expected``.

    Where the delays of two legs disagree with their strikes, the keyframes carry a phase of their own: unknown.
    """
    first = next(iter(expected))
    for name, wanted in expected.items():
        measured = (beats[name] - beats[first] - (wanted - expected[first]) + 0.5) % 1.0 - 0.5
        if abs(measured) <= tolerance:
            continue
        if (
            _other_keyframes(legs[name], legs[first])
            and _struck(legs[name], legs[first], wanted - expected[first]) <= tolerance
        ):
            continue
        style = strides(evidence)[pace].motion.style(legs[name].leg.joints[0].node)
        declaration = style.declaration("animation-delay")
        offset = (beats[name] - beats[first] + 0.5) % 1.0 - 0.5
        yield Finding(
            f"the {name.replace('_', ' ')} leg at {pace} is {offset:+.2f} of a cycle from the "
            f"{first.replace('_', ' ')} one; expected {wanted - expected[first]:+.2f}",
            declaration.span if declaration is not None else evidence.element_span(style.element),
            related=(Related(evidence.element_span(style.element), "this leg"),),
            data={"pace": pace, "leg": name, "offset": offset, "expected": wanted - expected[first]},
        )


def _other_keyframes(leg: LegStride, reference: LegStride) -> bool:
    """Whether two legs of one kind (both fore, both hind) could differ by keyframes instead of delays."""
    return (
        leg.leg.name.endswith("fore") == reference.leg.name.endswith("fore") and abs(leg.delay - reference.delay) < 1e-6
    )


def _struck(leg: LegStride, reference: LegStride, wanted: float) -> float:
    """How far apart from ``wanted`` the strikes of two legs are, in cycles; infinite where one has no clear stance."""
    stances = [main_stance(one, 336.0, 0.9) for one in (leg, reference)]
    if stances[0] is None or stances[1] is None:
        return math.inf
    apart = (stances[0][0] - stances[1][0]) / len(leg.track.times)
    return abs((apart - wanted + 0.5) % 1.0 - 0.5)


def _ground_fold(stride: LegStride, folds: FloatArray, threshold: float, always_down: float) -> float:
    """The fold at the ground beats: the mean of that at strike and at toe-off; the least one without a clear stance."""
    stance = main_stance(stride, threshold, always_down)
    if stance is None:
        return float(folds[int(np.argmin(np.abs(folds)))])
    return float((folds[stance[0]] + folds[stance[-1]]) / 2)


def body_height(evidence: Evidence, stride: Stride, body: SceneNode) -> FloatArray:
    """(T,) how far below its place in the drawing of the walk the body is through a stride, in units.

    At the middle of its box; a pose that a pace holds all along counts too.
    """
    from .kinematics import transformed

    drawn, body = body, _here(stride, body)
    box = stride.motion.local_box(body, [0.0])[0]
    middle = np.array([[(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]])
    drawing = strides(evidence).get("walk", stride).state
    rest = evidence.rest(drawing).matrix(drawn, [0.0])
    moving = transformed(stride.motion.matrix(body, stride.times), middle)[:, 0, 1]
    still = transformed(rest, middle)[0, 0, 1]
    if not np.isfinite(moving).all() or not math.isfinite(still):
        raise Undecided(Reason.UNSUPPORTED_CSS, "the motion of the body")
    return np.asarray(moving - still)


def _repeats(values: FloatArray, share: float) -> bool:
    """Whether something moves mostly with a period of that share of the cycle: its harmonic leads the fundamental."""
    strength = np.abs(np.fft.rfft(values - values.mean()))
    return float(np.ptp(values)) > 0.3 and bool(strength[round(1 / share)] > strength[1 : round(1 / share)].max())


def _bob_span(evidence: Evidence, stride: Stride, body: SceneNode) -> Span:
    """The animation of the group that carries the body, else the body."""
    here = _here(stride, body)
    for node in (here, *here.ancestors()):
        style = stride.motion.style(node)
        if timing(style)[0] > 0:
            declaration = style.declaration("animation-name")
            return declaration.span if declaration is not None else evidence.element_span(node.element)
    return evidence.element_span(body.element)
