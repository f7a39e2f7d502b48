"""The reference box of pivots (spec §3): SVG transforms need view-box where the numbers are those of the drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.rule import Confidence, Finding, Related, rule
from husky_lint.style.values import parse_length_percentage, split_spaces

from .strips import animation_names, walk_state

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.style.computed import ComputedStyle

    FloatArray = NDArray[np.float64]

_BY_BOX: Final = frozenset({"fill-box", "stroke-box", "content-box", "border-box"})
_SIDES: Final = {"left": 0.0, "top": 0.0, "center": 0.5, "right": 1.0, "bottom": 1.0}


@rule("HB2113")
def transform_box(evidence: Evidence, reach: float) -> Iterator[Finding]:
    """A pivot is measured from the wrong box.

    ## What it checks
    The `transform-origin` of every part that turns or scales, where it is given in px or %, resolves against the view
    box where its numbers are those of the drawing, and against the part's own box where they are those of the part. The
    fault is a pivot far outside the part that the other `transform-box` would put on it.

    ## Why it matters
    `498px 214px` is the shoulder in the view box. With `transform-box: fill-box` it lies five hundred units beside
    the leg, which then flies around instead of swinging.

    ## Example that fails
    ```css
    .fore.near .upper { transform-box: fill-box; }
    ```

    ```css
    .ear { transform-origin: 50% 100%; }
    ```

    ## Example that passes
    ```css
    .fore.near .upper { transform-box: view-box; }
    .ear { transform-box: fill-box; transform-origin: 50% 100%; }
    ```
    """
    state = walk_state(evidence)
    motion, rest = evidence.motion(state), evidence.rest(state)
    turning = [node for node in motion.scene.nodes[1:] if motion.is_displayed(node) and _turns(motion, node)]
    boxes = _own_boxes(rest, turning)
    for node in turning:
        style = motion.style(node)
        origin = _origin(style)
        box = boxes.get(node)
        if origin is None or box is None or not np.isfinite(box).all() or not style.declares("transform-origin"):
            continue
        keyword = style.keyword("transform-box") or "view-box"
        view = motion.scene.view_box
        own = _pivot(origin, box)
        page = _pivot(origin, np.array([0.0, 0.0, view.width, view.height])) if view is not None else own
        used, other = (own, page) if keyword in _BY_BOX else (page, own)
        far, near = _outside(used, box), _outside(other, box)
        if far > reach and near <= reach / 4:
            declaration = style.declaration("transform-origin")
            box_declaration = style.declaration("transform-box")
            wanted = "view-box" if keyword in _BY_BOX else "fill-box"
            span = declaration.span if declaration is not None else evidence.element_span(node.element)
            yield Finding(
                f"the pivot {style.text('transform-origin')} lies {far:.0f} units outside the part it turns, measured "
                f"from the {keyword}; from the {wanted} it would be on it",
                box_declaration.span if box_declaration is not None and keyword in _BY_BOX else span,
                confidence=Confidence.CERTAIN if keyword in _BY_BOX else Confidence.LIKELY,
                related=(Related(evidence.element_span(node.element), "the part"),),
                data={"box": keyword, "pivot": used, "outside": far},
            )


def _turns(motion: Motion, node: SceneNode) -> bool:
    """Whether CSS turns or scales the element, by an animation or at rest."""
    style = motion.style(node)
    names = animation_names(style)
    properties = ("transform", "rotate", "scale")
    rules = [keyframes for name in names if (keyframes := motion.styled.keyframes(name)) is not None]
    written = [d.value for rule in rules for stop in rule.rules for d in stop.declarations if d.name in properties]
    written += [style.text(name) for name in properties if style.declares(name)]
    longhands = {d.name for rule in rules for stop in rule.rules for d in stop.declarations} & {"rotate", "scale"}
    return bool(longhands) or any(word in text for text in written for word in ("rotate", "scale", "skew", "matrix"))


def _own_boxes(rest: Motion, nodes: Sequence[SceneNode]) -> dict[SceneNode, FloatArray]:
    """Left, top, right, bottom of each part in its own space, a little wide where the drawing stands turned."""
    found: dict[SceneNode, FloatArray] = {}
    boxes, matrices = rest.boxes([0.0]), rest.matrices(nodes, [0.0])
    for node in nodes:
        box, matrix = boxes.get(node), matrices.get(node)
        if box is None or matrix is None or not np.isfinite(box).all():
            continue
        x, y, width, height = box[0]
        corners = np.array([[x, y, 1.0], [x + width, y, 1.0], [x, y + height, 1.0], [x + width, y + height, 1.0]])
        a, b, c, d, e, f = matrix[0]
        inner = np.array([[a, c, e], [b, d, f], [0.0, 0.0, 1.0]])
        if abs(np.linalg.det(inner)) < 1e-9:
            continue
        own = np.linalg.solve(inner, corners.T)[:2]
        found[node] = np.array([own[0].min(), own[1].min(), own[0].max(), own[1].max()])
    return found


def _origin(style: ComputedStyle) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """The two components as (pixels, share of the box); None for what is no length."""
    tokens = split_spaces(style.value("transform-origin"))
    if not tokens:
        return None
    if len(tokens) == 1:
        tokens = [*tokens, None]
    first, second = tokens[0], tokens[1]
    if getattr(first, "lower_value", "") in ("top", "bottom") or getattr(second, "lower_value", "") in (
        "left",
        "right",
    ):
        first, second = second, first
    parts = [_component(first, style), _component(second, style)]
    return None if parts[0] is None or parts[1] is None else (parts[0], parts[1])


def _component(token: object, style: ComputedStyle) -> tuple[float, float] | None:
    if token is None:
        return 0.0, 0.5
    if getattr(token, "type", "") == "ident":
        share = _SIDES.get(getattr(token, "lower_value", ""))
        return None if share is None else (0.0, share)
    length = parse_length_percentage([token], style.units, unitless=True)
    return None if length is None else (float(length.resolve(0.0)), float(length.resolve(1.0) - length.resolve(0.0)))


def _pivot(origin: tuple[tuple[float, float], tuple[float, float]], box: FloatArray) -> tuple[float, float]:
    """Where an origin lies for a reference box of left, top, right, bottom."""
    (x, x_share), (y, y_share) = origin
    left, top, right, bottom = box.tolist()
    return left + x + x_share * (right - left), top + y + y_share * (bottom - top)


def _outside(point: tuple[float, float], box: FloatArray) -> float:
    left, top, right, bottom = box.tolist()
    across = max(left - point[0], point[0] - right, 0.0)
    down = max(top - point[1], point[1] - bottom, 0.0)
    return float(np.hypot(across, down))
