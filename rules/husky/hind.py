"""The hind limb (spec §2.3): femur back, shank forward, with numbers of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from husky_lint.rule import Finding, Related, rule

from .strides import strides

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence

    from .strides import LegStride

    FloatArray = NDArray[np.float64]

PHASES = 96
LEAST_FOLD = 6.0
"""Degrees that a second joint must turn through for its curve to be anybody's."""


@rule("HB2315")
def hind_not_mirrored(evidence: Evidence, alike: float, least_bend: float) -> Iterator[Finding]:
    """A hind limb is driven by the foreleg's numbers.

    ## What it checks
    At every pace the fold of each hind leg's knee follows a curve of its own: neither that of the elbow on its side
    nor its negation, shifted in phase or not. And as drawn, the leg is bent at the knee: femur and shank lean apart.

    ## Why it matters
    The joints of a hind limb point the other way and carry it differently. With the foreleg's numbers the rear paws
    never leave the path and skid.

    ## Example that fails
    ```css
    .hind .lower { animation-name: fore-lower; }
    ```

    ```css
    @keyframes fore-lower { 0%, 46%, 100% { transform: rotate(4deg); } 70% { transform: rotate(-40deg); } }
    @keyframes hind-lower { 0%, 46%, 100% { transform: rotate(-4deg); } 70% { transform: rotate(40deg); } }
    ```

    ## Example that passes
    ```css
    .hind .upper { animation-name: fore-upper; }
    ```
    """
    told: set[str] = set()
    for pace, stride in strides(evidence).items():
        for side in ("near", "far"):
            hind, fore = stride.legs.get(f"{side}_hind"), stride.legs.get(f"{side}_fore")
            if hind is None or f"{side}_hind" in told:
                continue
            joint = hind.leg.joints[min(1, len(hind.leg.joints) - 1)]
            span = evidence.element_span(joint.node.element)
            fore = fore or stride.legs.get("far_fore")
            sign = _mirrored(hind, fore, alike) if fore is not None else None
            if sign is not None and fore is not None:
                told.add(f"{side}_hind")
                yield Finding(
                    f"the knee of the {side} hind leg at {pace} follows the {'' if sign > 0 else 'negated '}fold of "
                    f"the elbow; a hind limb needs fold numbers of its own",
                    span,
                    related=(Related(evidence.element_span(fore.leg.joints[1].node.element), "the elbow"),),
                    data={"leg": hind.leg.name, "pace": pace, "sign": sign},
                )
    for stride in list(strides(evidence).values())[:1]:
        for hind in stride.legs.values():
            if not hind.leg.name.endswith("hind") or len(hind.leg.joints) < 3:
                continue
            hip, knee, hock = (np.array(joint.pivot) for joint in hind.leg.joints[:3])
            leans = [float(np.degrees(np.arctan2(b[0] - a[0], b[1] - a[1]))) for a, b in ((hip, knee), (knee, hock))]
            if abs(leans[0] - leans[1]) < least_bend:
                name = hind.leg.name.replace("_", " ")
                yield Finding(
                    f"the {name} leg is drawn straight: its femur leans {leans[0]:+.0f}° and its shank "
                    f"{leans[1]:+.0f}°; they lean apart at the knee",
                    evidence.element_span(hind.leg.joints[1].node.element),
                    data={"leg": hind.leg.name, "leans": leans},
                )


def _mirrored(hind: LegStride, fore: LegStride, alike: float) -> int | None:
    """1 where the knee's curve is the elbow's, -1 where it is its negation, at any phase; None where it is its own."""
    knee, elbow = _curve(hind), _curve(fore)
    if knee is None or elbow is None:
        return None
    limit = max(alike * float(np.ptp(elbow)), 1.0)
    at = np.arange(PHASES)
    shifted = elbow[(at[:, None] + at) % PHASES]
    for sign in (1, -1):
        if float(np.min(np.max(np.abs(knee - sign * shifted), axis=1))) <= limit:
            return sign
    return None


def _curve(stride: LegStride) -> FloatArray | None:
    """(PHASES,) the fold through the leg's own cycle, about its mean; None where there is none to speak of."""
    if stride.fold is None or not np.isfinite(stride.fold).all():
        return None
    order = np.argsort(stride.phases)
    at = np.arange(PHASES) / PHASES
    folds = np.unwrap(stride.fold, period=360.0)
    curve = np.interp(at, stride.phases[order], folds[order], period=1.0)
    return None if np.ptp(curve) < LEAST_FOLD else curve - (curve.max() + curve.min()) / 2
