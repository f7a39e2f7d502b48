"""Shapes that no rule paints (spec §2.3): they come out black."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.rule import Finding, Related, rule
from husky_lint.scene.graph import SHAPES, Place
from husky_lint.scene.paths import flatten

from .colour import paint_of
from .visibility import is_painted, view_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.parse.css import Declaration
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.source import Span
    from husky_lint.style.computed import ComputedStyle
    from husky_lint.style.states import PageState

    FloatArray = NDArray[np.float64]

LEAST_AREA: Final = 0.5
"""Square units that a fill covers at least, to be seen."""
_OPAQUE: Final = 0.95


@rule("HB2313")
def black_path(evidence: Evidence, paces: Sequence[str], themes: Sequence[str]) -> Iterator[Finding]:
    """A shape is filled with the initial black, for no rule paints it.

    ## What it checks
    Every visible shape of the scene that encloses an area gets its fill from some declaration, by day and by night, at
    every pace, in clones too. A fill that is declared black is fine; a `var()` that leads nowhere is not.

    ## Why it matters
    A path without a matching fill rule renders black: a hole in the shoulder where the blade should be.

    ## Example that fails
    ```html
    <path class="blade-plane" d="M470 200 L504 204 L494 232 Z"/>
    ```

    ```css
    .blade { fill: var(--no-such-coat); }
    ```

    ```css
    #scene[data-speed="hop"] .torso { fill: initial; }
    ```

    ## Example that passes
    ```html
    <path d="M470 200 L504 204" stroke="#333"/><path d="M470 200 L504 204 L494 232 Z" fill="#000"/>
    ```
    """
    told: set[_Element] = set()
    for state in _states(evidence, paces, themes):
        for node, style in _unpainted(evidence, state):
            motion = evidence.motion(state)
            if node.element in told or not is_painted(motion, node) or not _is_seen(motion, node):
                continue
            told.add(node.element)
            where = "in its clone " if node.uses else ""
            lost = _invalid(style)
            yield Finding(
                f"<{node.name}> gets its fill from no rule {where}and is painted black"
                + (f": {lost.value} is no paint" if lost is not None else ""),
                lost.span if lost is not None else evidence.element_span(node.element),
                related=(Related(_use_span(evidence, node), "the clone"),) if node.uses else (),
                data={"state": state.label, "path": node.css_path},
            )


def _states(evidence: Evidence, paces: Sequence[str], themes: Sequence[str]) -> list[PageState]:
    states = evidence.states
    found = [states.initial]
    found += [states.state(theme=theme) for theme in themes if theme in states.values("theme")]
    found += [states.state(pace=pace) for pace in paces if pace in states.values("pace")]
    found.append(states.state(motion="reduced"))
    return found


def _unpainted(evidence: Evidence, state: PageState) -> Iterator[tuple[SceneNode, ComputedStyle]]:
    """The shapes that no declaration fills, instances included."""
    styled = evidence.style(state)
    for node in evidence.scene_in(state).nodes:
        if node.name not in SHAPES or node.name == "line" or node.place is not Place.RENDERED:
            continue
        try:
            style = styled.clone_computed(node.uses, node.element) if node.uses else styled.computed(node.element)
        except KeyError:
            continue
        if _is_initial(style):
            yield node, style


def _is_initial(style: ComputedStyle) -> bool:
    """Whether nothing declares the fill, on the shape or around it, and no animation sets it."""
    fill = style.resolve("fill")
    if fill.declared is not None or fill.style is not None or fill.reason is not None:
        return False
    return (style.number("fill-opacity") or 0.0) > 0.0


def _invalid(style: ComputedStyle) -> Declaration | None:
    """The declaration that should paint the shape and comes to nothing."""
    one: ComputedStyle | None = style
    while one is not None:
        declared = one.cascade.winner("fill")
        if declared is not None:
            return declared.declaration
        one = one.parent
    return None


def _use_span(evidence: Evidence, node: SceneNode) -> Span:
    return evidence.element_span(node.uses[0])


def _is_seen(motion: Motion, node: SceneNode) -> bool:
    """Whether a shape's fill covers an area of the view that nothing opaque is painted over."""
    matrix = motion.matrix(node, [0.0])[0]
    if not np.isfinite(matrix).all():
        return True
    lines = [_mapped(line, matrix) for line in flatten(motion.outline(node)) if len(line) > 2]
    areas = [_area(line) for line in lines]
    if not lines or max(areas) < LEAST_AREA:
        return False
    left, top, right, bottom = view_of(motion.scene)
    points = np.concatenate(lines)
    if not node.uses and (
        points[:, 0].max() < left
        or points[:, 0].min() > right
        or points[:, 1].max() < top
        or points[:, 1].min() > bottom
    ):
        return False
    return not _is_covered(motion, node, lines[int(np.argmax(areas))])


def _mapped(line: FloatArray, matrix: FloatArray) -> FloatArray:
    a, b, c, d, e, f = matrix
    return np.stack([a * line[:, 0] + c * line[:, 1] + e, b * line[:, 0] + d * line[:, 1] + f], axis=1)


def _area(line: FloatArray) -> float:
    x, y = line[:, 0], line[:, 1]
    return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


def _is_covered(motion: Motion, node: SceneNode, line: FloatArray) -> bool:
    """Whether later opaque fills lie over the whole shape, as it stands at the begin."""
    import shapely
    from shapely import Polygon

    left = Polygon(line).buffer(0)
    boxes = motion.boxes([0.0])
    bounds = left.bounds
    for other in motion.scene.nodes[node.index + 1 :]:
        box = boxes.get(other)
        if other.name not in SHAPES or box is None or not np.isfinite(box).all() or not motion.is_displayed(other):
            continue
        x, y, width, height = box[0]
        if x > bounds[2] or y > bounds[3] or x + width < bounds[0] or y + height < bounds[1]:
            continue
        fill = paint_of(motion, other).fill
        style = motion.style(other)
        if (
            fill is None
            or fill.alpha < _OPAQUE
            or _is_initial(style)
            or not is_painted(motion, other)
            or _is_cut(motion, other)
        ):
            continue
        matrix = motion.matrix(other, [0.0])[0]
        parts = [Polygon(_mapped(one, matrix)).buffer(0) for one in flatten(motion.outline(other)) if len(one) > 3]
        left = left.difference(shapely.unary_union(parts))
        if left.area < LEAST_AREA:
            return True
    return False


def _is_cut(motion: Motion, node: SceneNode) -> bool:
    """Whether a clip or a mask may leave holes in what a shape covers."""
    return any(
        motion.style(one).text(name) not in ("", "none")
        for one in (node, *node.ancestors())
        for name in ("clip-path", "mask")
    )
