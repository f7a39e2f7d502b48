"""The scene's coordinate system (spec §2.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from husky_lint.rule import Confidence, Edit, Finding, Fix, Reason, Undecided, rule
from husky_lint.scene.graph import parse_view_box

from .applied import asks_for_width, narrow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.evidence import Evidence


@rule("HB2101")
def viewbox(evidence: Evidence, view_box: tuple[float, float, float, float]) -> Iterator[Finding]:
    """The scene's viewBox is not `0 0 900 460`.

    ## What it checks
    The `viewBox` of the scene's `<svg>` is exactly `0 0 900 460`, whatever legal separators spell it, and no script
    writes it, neither at load nor on any event.

    ## Why it matters
    Every number of the contract is in these units: the path at y = 340, the shoulder at (498, 214), strips of 900.
    With another box the dog may look right and measure wrong.

    ## Example that fails
    ```html
    <svg viewBox="0 0 800 460"><path d="M0 340H800"/></svg>
    ```

    ```html
    <svg><path d="M0 340H900"/></svg>
    ```

    ```js
    addEventListener("resize", function () { scene.setAttribute("viewBox", "0 0 390 460"); });
    ```

    ```js
    if (innerWidth < 500) scene.setAttribute("viewBox", "300 0 400 460");
    ```

    ## Example that passes
    ```html
    <svg viewBox="0,0 900.0 4.6e2"><path d="M0 340H900"/></svg>
    ```
    """
    svg = evidence.scene.root.element
    written = svg.get("viewBox")
    box = parse_view_box(written)
    expected = " ".join(f"{number:g}" for number in view_box)
    if box is None or (box.x, box.y, box.width, box.height) != tuple(view_box):
        span = evidence.attribute_span(svg, "viewBox")
        yield Finding(
            f"the viewBox is {written!r}, expected {expected!r}" if written else f"no viewBox, expected {expected!r}",
            span,
            data={"measured": written, "expected": expected},
            fix=Fix(f"write {expected}", (Edit(span, expected),), safe=False) if written else None,
        )
    surveys = [evidence.script]
    if asks_for_width(evidence):
        surveys.append(evidence.script_in(narrow(evidence.states.initial).media))
    for effect in (effect for survey in surveys for effect in survey.all_effects):
        if effect.kind == "attribute" and effect.name == "viewBox" and effect.element in (None, svg):
            sure = Confidence.CERTAIN if effect.certain and effect.element is svg else Confidence.LIKELY
            yield Finding(f"script writes the viewBox on {effect.trigger}", effect.span, confidence=sure)
    if any(survey.limit for survey in surveys):
        raise Undecided(Reason.LIMIT, "what script does could not be followed to its end")
