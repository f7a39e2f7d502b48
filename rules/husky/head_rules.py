"""The head in profile (spec §2.3): one eye, one ear, one brow, and an ear that stands in front of the skull."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from husky_lint.animation.keyframes import parse_selector
from husky_lint.rule import Finding, Reason, Related, Undecided, rule

from .silhouette import declaration_span, silhouette_of
from .turning import find_turns
from .words import Lexicon

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode

    from .silhouette import Silhouette

    FloatArray = NDArray[np.float64]

FEATURES: Final = ("eye", "ear", "brow")
OF_THE_HEAD: Final = (*FEATURES, "skull", "face_mask", "nose", "mouth_or_tongue")
PLACES: Final = {
    "eye": ((0.25, 0.1), (0.95, 0.7)),
    "ear": ((-0.4, -1.0), (0.8, 0.45)),
}
"""Corners of where a feature's middle may lie, in shares of the skull's width and height from its top left.

A brow is too small and too easily part of something else to be told missing by its place alone.
"""
ALIVE: Final = tuple(np.linspace(0.0, 13.0, 27).tolist())
"""Instants in seconds over which the ear's lean is looked at: its flicks and the head's looks are short."""
INSIDE: Final = 0.85
"""What lies in the ear by this share is a detail of it, such as its inner side."""
HULL: Final = 32
"""Outline points that the triangle of an ear is looked for among."""


@rule("HB2302")
def one_of_each(evidence: Evidence, apart: float, alike: float) -> Iterator[Finding]:
    """A profile shows a second eye, ear or brow, or lacks one.

    ## What it checks
    One eye, one ear and one brow can be seen: each is there and not painted over, and nothing else on the head has the
    name, or the size, the paint and the place, of a second one.

    ## Why it matters
    A dog seen from the side has one of each. A second ear behind the skull turns him half to us.

    ## Example that fails
    ```html
    <g transform="translate(-30 2)">
      <path class="ear-fur" d="M528 163 C524 140 525 120 530 106 C546 116 560 132 568 149 C556 160 540 166 528 163 Z"/>
    </g>
    ```

    ```css
    .eye { display: none; }
    ```

    ```css
    .ear { opacity: 0; }
    ```

    ```css
    .brow { stroke: transparent; }
    ```

    ## Example that passes
    ```html
    <path class="ear-fur" style="display: none" d="M528 163 L530 106 L568 149 Z"/>
    ```
    """
    silhouette = silhouette_of(evidence)
    rig = silhouette.rig
    doubtful: Undecided | None = None
    for role in FEATURES:
        if rig.is_absent(role) or (role in PLACES and role not in rig.parts and _is_bare(silhouette, role)):
            yield Finding(f"no {role} is seen", data={"role": role, "seen": 0})
            continue
        try:
            part = rig.part(role)
        except Undecided as said:
            doubtful = doubtful or said
            continue
        own = frozenset(silhouette.part(role))
        whole = silhouette.union(own)
        if whole.is_empty:
            doubtful = doubtful or Undecided(Reason.ROLE_NOT_FOUND, f"nothing of the {role} is seen at rest")
            continue
        left = _what_is_left(silhouette, own)
        if left.area < 0.15 * whole.area:
            yield Finding(
                f"the {role} is painted over: {left.area:.0f} of its {whole.area:.0f} square units are left to see",
                evidence.element_span(part.node.element),
                data={"role": role, "seen": 0},
            )
        for other in _others(silhouette, role, own, apart, alike):
            yield Finding(
                f"a second {role} is seen; a profile has one",
                evidence.element_span(other.element),
                related=(Related(evidence.element_span(part.node.element), f"the {role}"),),
                data={"role": role, "seen": 2},
            )
    if doubtful is not None:
        raise doubtful


@rule("HB2303")
def ear_over_skull(evidence: Evidence, hidden: float) -> Iterator[Finding]:
    """The ear is painted behind the skull or the face mask.

    ## What it checks
    Of what is seen, the ear comes after the skull and after the face mask in paint order, and nothing painted later
    hides a good part of it.

    ## Why it matters
    An ear behind the skull loses its base to the dome and collapses into a horn.

    ## Example that fails
    ```html
    <path class="skull" d="M520 184 C516 160 532 146 552 146 C574 145 588 156 593 170 C604 173 614 178 618 184
      C598 204 544 213 520 184 Z"/>
    ```

    ## Example that passes
    ```html
    <path class="skull" style="visibility: hidden" d="M520 184 L552 146 L618 184 Z"/>
    ```
    """
    silhouette = silhouette_of(evidence)
    ear = silhouette.required("ear")
    silhouette.required("skull")
    main = _largest(silhouette, ear)
    roles = {shape: role for role in ("skull", "face_mask") for shape in silhouette.part(role)}
    area = silhouette.body(main)
    for later in silhouette.shapes:
        if later.index <= main.index or later in ear or not silhouette.covers(later):
            continue
        covered = float(area.intersection(silhouette.ink(later)).area)
        role = roles.get(later)
        inside = covered >= INSIDE * silhouette.ink(later).area
        if role is None and (inside or covered <= hidden * area.area):
            continue
        yield Finding(
            f"{'the ' + role.replace('_', ' ') if role else 'a shape'} is painted after the ear and covers "
            f"{covered / area.area:.0%} of it; the ear comes after skull and mask, or it reads as a horn",
            evidence.element_span(silhouette.rig.part("ear").node.element),
            related=(Related(evidence.element_span(later.element), "painted over it"),),
            data={"covered": covered, "share": covered / area.area},
        )


@rule("HB2304")
def ear_shape(
    evidence: Evidence, base: float, height: float, lean: float, proportion: float, angle: float
) -> Iterator[Finding]:
    """The ear is no broad-based triangle that leans back.

    ## What it checks
    The triangle that fits the ear best has a base of about 42 units and a height of about 53, and its tip leans back,
    toward the tail, by about 20° from the upright over the middle of the base, as it is seen most of the time.

    ## Why it matters
    A narrow or upright ear makes a fox or a rabbit of a husky.

    ## Example that fails
    ```css
    .ear { rotate: 20deg; }
    ```

    ```css
    .ear { scale: .7 1; }
    ```

    ## Example that passes
    ```css
    .ear { rotate: -2deg; }
    ```
    """
    silhouette = silhouette_of(evidence)
    ear = _triangle(evidence)
    span = evidence.element_span(ear.shape.element)
    for name, measured, expected in (("base", ear.base, base), ("height", ear.height, height)):
        if abs(measured - expected) > proportion * expected:
            yield Finding(
                f"the ear's {name} is {measured:.0f} units, expected about {expected:g}",
                span,
                data={"measure": name, "measured": measured, "expected": expected},
            )
    if abs(ear.lean - lean) > angle:
        way = "back" if ear.lean >= 0 else "forward"
        yield Finding(
            f"the ear leans {abs(ear.lean):.0f}° {way}, expected about {lean:g}° back",
            declaration_span(evidence, silhouette.motion, ear.shape, "transform", "rotate"),
            data={"measure": "lean", "measured": ear.lean, "expected": lean},
        )


@rule("HB2305")
def ear_pivot(evidence: Evidence, position: float) -> Iterator[Finding]:
    """The ear does not turn about its base.

    ## What it checks
    The point that the ear flicks about lies on its base, within a few units.

    ## Why it matters
    An ear that turns about another point slides over the skull.

    ## Example that fails
    ```css
    .ear { transform-origin: 560px 200px; }
    ```

    ```css
    .ear { animation: none; }
    ```

    ## Example that passes
    ```css
    .ear { transform-origin: 545px 158px; }
    ```
    """
    silhouette = silhouette_of(evidence)
    triangle = _triangle(evidence)
    turning = _ear_turn(silhouette, triangle.shape)
    if turning is None:
        node = silhouette.rig.part("ear").node
        yield Finding("the ear never turns, so it has no pivot at its base", evidence.element_span(node.element))
        return
    node, pivot = turning
    distance = _to_segment(np.array(pivot), *triangle.corners)
    if distance > position:
        yield Finding(
            f"the ear turns about ({pivot[0]:.0f}, {pivot[1]:.0f}), {distance:.0f} units from its base",
            declaration_span(evidence, silhouette.motion, node, "transform-origin"),
            data={"measured": pivot, "base": [corner.tolist() for corner in triangle.corners], "distance": distance},
        )


# ---------------------------------------------------------------- the ear's triangle


@dataclass(frozen=True, slots=True, eq=False)
class Triangle:
    """The triangle of an ear: ``base`` and ``height`` in units, ``lean`` in degrees back from upright as mostly seen;
    ``corners`` of the base as drawn, in scene units. ``shape`` is the ear's largest shape."""

    shape: SceneNode
    base: float
    height: float
    lean: float
    corners: tuple[FloatArray, FloatArray]


def _triangle(evidence: Evidence) -> Triangle:
    return evidence.derived(_fit_triangle)


def _fit_triangle(evidence: Evidence) -> Triangle:
    from shapely import get_coordinates

    silhouette = silhouette_of(evidence)
    skull = silhouette.required("skull")
    main = _largest(silhouette, silhouette.required("ear"))
    hull = get_coordinates(silhouette.body(main).convex_hull.simplify(0.4).segmentize(4.0))[:-1]
    if len(hull) < 3:
        raise Undecided(Reason.ROLE_NOT_FOUND, "the ear has no area")
    hull = hull[np.linspace(0, len(hull) - 1, min(len(hull), HULL)).astype(int)]
    corners = _largest_triangle(hull)
    middle = np.array(silhouette.union(skull).centroid.coords[0])
    order = np.argsort(-np.hypot(*(corners - middle).T))
    tip, one, other = corners[order]
    own = _inverse(silhouette.matrix(main))
    places = np.stack([tip, one, other]) @ own[:2, :2].T + own[:2, 2]
    rows = silhouette.motion.matrix(main, ALIVE)
    if not np.isfinite(rows).all():
        raise Undecided(Reason.SCRIPT_DRIVEN_MOTION, "where the ear is at any time is not known")
    linear = rows[:, :4].reshape(-1, 2, 2)
    seen = np.einsum("pi,tij->tpj", places, linear) + rows[:, None, 4:]
    base = np.hypot(*(seen[:, 1] - seen[:, 2]).T)
    up = seen[:, 0] - (seen[:, 1] + seen[:, 2]) / 2
    lean = np.degrees(np.arctan2(-up[:, 0], -up[:, 1]))
    return Triangle(
        main, float(np.median(base)), float(np.median(np.hypot(*up.T))), float(np.median(lean)), (one, other)
    )


def _largest_triangle(points: FloatArray) -> FloatArray:
    """(3, 2) the three of the points that span the largest area."""
    i, j, k = (index.ravel() for index in np.meshgrid(*[np.arange(len(points))] * 3, indexing="ij"))
    kept = (i < j) & (j < k)
    i, j, k = i[kept], j[kept], k[kept]
    first, second = points[j] - points[i], points[k] - points[i]
    best = int(np.argmax(np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0])))
    return points[[i[best], j[best], k[best]]]


def _ear_turn(silhouette: Silhouette, shape: SceneNode) -> tuple[SceneNode, tuple[float, float]] | None:
    """The element that turns the ear and not the skull, and the point it turns about as drawn; None for none."""
    motion = silhouette.motion
    skull = silhouette.required("skull")[0]
    line = [one for one in (shape, *shape.ancestors()) if one not in (skull, *skull.ancestors())]
    times = sorted({time for node in line for time in _instants(silhouette, node)})
    if not times:
        return None
    top = line[-1].parent
    if top is None:
        return None
    matrices = motion.matrices([*line, top], times)
    if not all(np.isfinite(rows).all() for rows in matrices.values()):
        raise Undecided(Reason.SCRIPT_DRIVEN_MOTION, "how the ear turns is not known")
    turns = find_turns(matrices, least=0.5)
    if not turns:
        if any(_has_animation_element(node) for node in line):
            raise Undecided(Reason.UNSUPPORTED_CSS, "how an SVG animation element turns the ear is not evaluated")
        return None
    turn = max(turns.values(), key=lambda one: one.range)
    parent = turn.node.parent or top
    return turn.node, silhouette.point(parent, turn.pivot)


def _has_animation_element(node: SceneNode) -> bool:
    return any(child.name in {"animate", "animateTransform", "animateMotion", "set"} for child in node.children)


def _instants(silhouette: Silhouette, node: SceneNode) -> list[float]:
    """The instants of the keyframe stops of a node's animations, once around; evenly for SVG animation elements."""
    motion = silhouette.motion
    if _has_animation_element(node):
        return [step / 8 for step in range(96)]
    style = motion.style(node)
    found: list[float] = []
    names = [name for name in style.text("animation-name").split(", ") if name not in {"", "none"}]
    durations, delays = style.times("animation-duration"), style.times("animation-delay")
    for position, name in enumerate(names):
        keyframes = motion.styled.keyframes(name)
        duration = durations[position % len(durations)] if durations else None
        delay = delays[position % len(delays)] if delays else None
        if keyframes is None or not duration or duration <= 0:
            continue
        offsets = {0.0, 0.25, 0.5, 0.75}
        for block in keyframes.rules:
            if hasattr(block, "selector_span"):
                offsets.update(parse_selector(block.prelude) or ())
        found += [
            max(0.0, (delay or 0.0) + turn * duration + offset * duration) for turn in (0, 1) for offset in offsets
        ]
    return found


def _to_segment(point: FloatArray, start: FloatArray, end: FloatArray) -> float:
    along = end - start
    share = float(np.clip(np.dot(point - start, along) / max(float(np.dot(along, along)), 1e-9), 0.0, 1.0))
    return float(np.hypot(*(point - start - share * along)))


def _inverse(row: FloatArray) -> FloatArray:
    full = np.eye(3)
    full[:2] = row.reshape(3, 2).T
    return np.asarray(np.linalg.pinv(full), dtype=np.float64)


# ---------------------------------------------------------------- what is seen of a feature


def _largest(silhouette: Silhouette, shapes: tuple[SceneNode, ...]) -> SceneNode:
    if not shapes:
        raise Undecided(Reason.ROLE_NOT_FOUND, "nothing of the ear is seen")
    return max(shapes, key=lambda shape: silhouette.body(shape).area)


def _is_bare(silhouette: Silhouette, role: str) -> bool:
    """Whether the skull was found and nothing that could be the feature is seen where it belongs."""
    if "skull" not in silhouette.rig.parts:
        return False
    left, top, right, bottom = silhouette.union(silhouette.required("skull")).bounds
    width, height = right - left, bottom - top
    (u1, v1), (u2, v2) = PLACES[role]
    window = (left + u1 * width, top + v1 * height, left + u2 * width, top + v2 * height)
    parts = silhouette.rig.parts
    others = {shape for one in OF_THE_HEAD if one in parts for shape in parts[one].shapes} | silhouette.legs
    for shape in silhouette.shapes:
        if shape in others or not silhouette.is_dogs(shape):
            continue  # what was taken for a part of the trunk is no such part here: its name may lie
        box = silhouette.boxes[shape]
        small = (box[2] - box[0]) * (box[3] - box[1]) <= width * height
        if small and _within(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) * 2, window):
            return False
    return True


def _telling(silhouette: Silhouette, shapes: frozenset[SceneNode]) -> SceneNode:
    """The shape of an eye that another one would be known by: the iris where it has a colour, else the largest."""
    iris = max(shapes, key=lambda shape: silhouette.paint(shape).chroma)
    return iris if silhouette.paint(iris).chroma >= 0.15 else _largest(silhouette, tuple(shapes))


def _what_is_left(silhouette: Silhouette, shapes: frozenset[SceneNode]) -> Any:
    from shapely import unary_union

    return unary_union([silhouette.seen(shape, but=shapes) for shape in shapes])


def _others(
    silhouette: Silhouette, role: str, own: frozenset[SceneNode], apart: float, alike: float
) -> Iterator[SceneNode]:
    """Shapes that are a second one of a feature, seen beside the first."""
    lexicon = Lexicon()
    main = _telling(silhouette, own) if role == "eye" else _largest(silhouette, tuple(own))
    others = {shape for name, part in silhouette.rig.parts.items() if name != role for shape in part.shapes}
    box = silhouette.ink(main).bounds
    head = _head_window(silhouette)
    where = silhouette.union(own)
    for shape in silhouette.shapes:
        if shape in own or shape in others or shape in silhouette.legs or not _meets(silhouette.boxes[shape], head):
            continue
        area = silhouette.ink(shape)
        if area.is_empty or not silhouette.covers(shape) or not _within(area.bounds, head):
            continue
        named = (
            max(lexicon.says(shape, role), *(lexicon.says(one, role) for one in list(shape.ancestors())[:2])) >= 0.75
        )
        same = _size_alike(area.bounds, box, alike)
        if role == "ear":
            second = _stands_up(silhouette, area, own) and (named or same)
        else:
            second = same and (named or _paint_alike(silhouette, shape, main))
            second = second and _between(area.centroid, where.centroid) >= apart
        if second and silhouette.seen(shape, but=own).difference(where).area >= 0.3 * area.area:
            yield shape
            return


def _head_window(silhouette: Silhouette) -> tuple[float, float, float, float]:
    left, top, right, bottom = silhouette.union(silhouette.required("skull")).bounds
    width, height = right - left, bottom - top
    return left - 0.6 * width, top - 1.4 * height, right + 0.3 * width, bottom + 0.3 * height


def _within(box: tuple[float, ...], window: tuple[float, float, float, float]) -> bool:
    return box[0] >= window[0] and box[1] >= window[1] and box[2] <= window[2] and box[3] <= window[3]


def _meets(box: tuple[float, ...], window: tuple[float, float, float, float]) -> bool:
    return box[0] <= window[2] and box[1] <= window[3] and box[2] >= window[0] and box[3] >= window[1]


def _size_alike(box: tuple[float, ...], other: tuple[float, ...], alike: float) -> bool:
    sizes = [((b[2] - b[0]), (b[3] - b[1])) for b in (box, other)]
    return all(1 - alike <= a / max(b, 0.1) <= 1 + alike for a, b in zip(*sizes, strict=True))


def _paint_alike(silhouette: Silhouette, shape: SceneNode, other: SceneNode) -> bool:
    paints = [silhouette.paint(one) for one in (shape, other)]
    colors = [paint.color for paint in paints]
    if colors[0] is None or colors[1] is None:
        return False
    return all(abs(a - b) <= 0.08 for a, b in zip(colors[0].channels, colors[1].channels, strict=True))


def _between(one: Any, other: Any) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)


def _stands_up(silhouette: Silhouette, area: Any, own: frozenset[SceneNode]) -> bool:
    """Whether an area rises above the skull like an ear and is filled, not a hair's breadth."""
    skull = silhouette.union(silhouette.required("skull"))
    top = skull.bounds[1]
    ear_top = silhouette.union(own).bounds[1]
    rises = top - area.bounds[1] >= 0.4 * max(top - ear_top, 1.0)
    return bool(rises and area.distance(skull) <= 8.0 and area.bounds[0] >= skull.bounds[0] - 40.0)
