"""Where the dog stands and which way it looks (spec §2.1, §2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from husky_lint.rule import Finding, Reason, Related, Undecided, rule

from .rig import Disagreement, rig_of
from .silhouette import silhouette_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.evidence import Evidence

LEAST_AHEAD = 20.0
"""Units that a part must lie ahead of another to be in front of it."""


@rule("HB2108")
def dog_footprint(
    evidence: Evidence, footprint: tuple[float, float], skull_centre: tuple[float, float], position: float
) -> Iterator[Finding]:
    """The dog does not stand where the spec puts it.

    ## What it checks
    At rest the dog spans about x 300 to 620, and the centre of its skull lies near (560, 180).

    ## Why it matters
    The lamppost, the contact shadow, the hearts and the path of the hop are placed around this footprint.

    ## Example that fails
    ```css
    .dog { translate: 60px 0; }
    ```

    ## Example that passes
    ```css
    .dog { translate: 4px 0; }
    ```
    """
    silhouette = silhouette_of(evidence)
    dog = silhouette.rig.part("dog").node
    detached = set(silhouette.part("detached_leg")) - silhouette.legs
    shapes = [shape for shape in silhouette.shapes if silhouette.is_dogs(shape) and shape not in detached]
    if not shapes:
        raise Undecided(Reason.ROLE_NOT_FOUND, "nothing of the dog is seen")
    left, right = silhouette.extent(shapes)
    if abs(left - footprint[0]) > position or abs(right - footprint[1]) > position:
        yield Finding(
            f"the dog spans x {left:.0f} to {right:.0f}, expected about {footprint[0]:g} to {footprint[1]:g}",
            evidence.element_span(dog.element),
            data={"measured": [left, right], "expected": list(footprint)},
        )
    skull = silhouette.rig.part("skull")
    box = silhouette.union(silhouette.required("skull")).bounds
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    if max(abs(middle[0] - skull_centre[0]), abs(middle[1] - skull_centre[1])) > position:
        yield Finding(
            f"the skull's centre is ({middle[0]:.0f}, {middle[1]:.0f}), expected near ({skull_centre[0]:g}, "
            f"{skull_centre[1]:g})",
            evidence.element_span(skull.node.element),
            data={"measured": middle, "expected": list(skull_centre)},
        )


@rule("HB2301")
def faces_right(evidence: Evidence) -> Iterator[Finding]:
    """The dog does not face right, or its near and far legs are mixed up.

    ## What it checks
    The skull lies right of the body and the body right of the tail; the legs of the far side are painted before the
    body's near ones; and no leg is named for another side or end than its place and paint order show.

    ## Why it matters
    The flank we see is his right one. With near and far mixed up the hop takes the wrong leg away.

    ## Example that fails
    ```css
    .dog { transform: translateX(880px) scaleX(-1); animation: none; }
    ```

    ## Example that passes
    ```css
    .dog { transform: translateX(2px); }
    ```
    """
    rig = rig_of(evidence)
    silhouette = silhouette_of(evidence)
    for conflict in rig.conflicts:
        if conflict.kind is Disagreement.LEG_NAME:
            node = conflict.node or silhouette.rest.scene.root
            yield Finding(conflict.message, evidence.element_span(node.element))
    middles = {role: silhouette.union(silhouette.required(role)).centroid for role in ("skull", "body")}
    if middles["skull"].x < middles["body"].x + LEAST_AHEAD:
        yield Finding(
            f"the skull (x {middles['skull'].x:.0f}) lies left of the body (x {middles['body'].x:.0f}); the dog faces "
            f"right",
            evidence.element_span(rig.part("skull").node.element),
            data={"skull": middles["skull"].x, "body": middles["body"].x},
        )
    behind = silhouette.union(silhouette.part("tail"))
    if not behind.is_empty:
        tail = behind.centroid.x
        if tail > middles["body"].x - LEAST_AHEAD:
            yield Finding(
                f"the tail (x {tail:.0f}) does not lie left of the body (x {middles['body'].x:.0f})",
                evidence.element_span(rig.parts["tail"].node.element),
                data={"tail": tail, "body": middles["body"].x},
            )
    for end in ("fore", "hind"):
        near, far = rig.leg(f"near_{end}"), rig.leg(f"far_{end}")
        first = near.joints[0].node
        if first.index < far.joints[0].node.index:
            yield Finding(
                f"the near {end} leg is painted before the far one",
                evidence.element_span(first.element),
                related=(Related(evidence.element_span(far.joints[0].node.element), "the far one"),),
            )
