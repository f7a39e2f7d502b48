"""The blade (spec §2.3): the scapula as a filled plane that lies on the ribcage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from husky_lint.rule import Finding, rule

from .silhouette import declaration_span, silhouette_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.evidence import Evidence

OUTLINED = 0.05
"""A stroke more opaque than this is seen."""


@rule("HB2312")
def blade_plane(evidence: Evidence, greatest_opacity: float, on_body: float, least_seen: float) -> Iterator[Finding]:
    """The blade is no plane on the body.

    ## What it checks
    The blade is there; it is filled, with low opacity; it has no outline; it lies on the body, under the topline; and
    something of it is left to see under what is painted later.

    ## Why it matters
    The scapula is a plane of the ribcage that catches the light. Outlined it is a scar, opaque it is a patch, and above
    the topline a hump.

    ## Example that fails
    ```css
    .blade { opacity: 1; }
    ```

    ```css
    .blade { fill: none; stroke: #222; stroke-width: 2; }
    ```

    ```css
    .blade { transform: translateY(-24px); }
    ```

    ## Example that passes
    ```css
    .blade { opacity: 1; fill-opacity: .25; }
    ```
    """
    silhouette = silhouette_of(evidence)
    rig = silhouette.rig
    if rig.is_absent("blade"):
        leg = rig.legs.get("near_fore")
        yield Finding(
            "there is no blade: a filled plane of low opacity lies on the ribcage behind the shoulder",
            evidence.element_span(leg.joints[0].node.element) if leg is not None else None,
        )
        return
    for shape in silhouette.required("blade"):
        paint, rest = silhouette.paint(shape), silhouette.rest
        here = evidence.element_span(shape.element)
        if not paint.served and (paint.fill is None or paint.fill.alpha <= 0):
            yield Finding(
                "the blade has no fill; it is a filled plane", declaration_span(evidence, rest, shape, "fill")
            )
        elif paint.fill is not None and paint.fill.alpha > greatest_opacity:
            yield Finding(
                f"the blade's fill is {paint.fill.alpha:.2f} opaque, at most {greatest_opacity:g} lets fur through",
                declaration_span(evidence, rest, shape, "fill-opacity", "opacity", "fill"),
                data={"opacity": paint.fill.alpha, "most": greatest_opacity},
            )
        if paint.stroke is not None and paint.stroke.alpha > OUTLINED and paint.stroke_width > 0:
            yield Finding(
                f"the blade has an outline {paint.stroke_width:g} wide; a plane has none",
                declaration_span(evidence, rest, shape, "stroke"),
                data={"stroke_width": paint.stroke_width},
            )
        area = silhouette.ink(shape)
        share = float(area.intersection(silhouette.coat.buffer(0.5)).area / area.area) if area.area > 0 else 0.0
        if share < on_body:
            yield Finding(
                f"{1 - share:.0%} of the blade lies off the body, above its topline or beside it",
                here,
                data={"on_body": share, "expected": on_body},
            )
        seen = silhouette.seen(shape)
        if area.area > 0 and seen.area < least_seen * area.area:
            yield Finding(
                f"the blade is painted over: {seen.area / area.area:.0%} of it can be seen",
                here,
                data={"seen": seen.area / area.area},
            )
