"""What is around the dog: the strips, the lamppost, the shadows on the ground, where hearts are inserted."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.scene.graph import SHAPES

from .drawing import climb
from .rig import STRIPS, Conflict, Disagreement, Part
from .search import every, host, near, within
from .visibility import is_painted
from .words import FAR, FORE, HIND, NEAR

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from husky_lint.scene.graph import SceneNode

    from .drawing import Drawing, Ink, Scroller
    from .rig import Leg
    from .search import Search

    FloatArray = NDArray[np.float64]

GLASS_AT: Final = (667.5, 166.0)
SHADOW_AT: Final = (426.0, 352.0)
_PAINTED: Final = frozenset({*SHAPES, "image", "text", "foreignObject"})
_STRIP_WORDS: Final = {
    "far": ("far", "hill", "hills", "collis", "mountain", "mountains", "back", "distant"),
    "mid": ("mid", "middle", "tree", "trees", "arbor", "forest"),
    "near": ("near", "bush", "bushes", "frutex", "hedge", "front", "shrubs"),
    "dirt": ("dirt", "path", "trail", "ground", "semita", "road", "pebbles"),
}


def tell_scenery(search: Search, legs: Mapping[str, Leg]) -> None:
    """Strips, lamppost, shadow, dots."""
    _strips(search)
    _lamp(search)
    _shadow(search)
    _dots(search, legs)


# ---------------------------------------------------------------------------------------------------------------------
# Strips


def _strips(search: Search) -> None:
    drawing = search.drawing
    wide = [one for one in drawing.scrollers if _width(drawing, one.node) >= 1_200]
    chosen = _distinct(wide)
    if len(chosen) > len(STRIPS):
        chosen = sorted(chosen, key=lambda one: (-_strip_named(search, one), -_width(drawing, one.node)))[: len(STRIPS)]
    if len(chosen) < len(STRIPS):
        why = f"{len(chosen)} strips scroll left at a steady speed, not {len(STRIPS)}"
        named = {_strip_name(search, one): one for one in chosen}
        for strip in STRIPS:
            if strip in named:
                _take_strip(search, strip, named[strip], 0.6)
            else:
                search.miss(f"strip.{strip}", why)
        return
    for strip, one in zip(STRIPS, sorted(chosen, key=lambda one: one.speed), strict=True):
        name = _strip_name(search, one)
        if name not in (None, strip):
            told = f"a strip named {name} is the one that scrolls as {strip}"
            search.conflicts.append(Conflict(Disagreement.STRIP_NAME, told, one.node))
        _take_strip(search, strip, one, 0.95 if name == strip else 0.8 if name is None else 0.5)


def _take_strip(search: Search, strip: str, one: Scroller, confidence: float) -> None:
    told = [f"scrolls left at {one.speed:.1f} units a second"]
    if _strip_name(search, one) == strip:
        told.append("named so")
    search.parts[f"strip.{strip}"] = Part(f"strip.{strip}", (one.node,), confidence, tuple(told))


def _width(drawing: Drawing, node: SceneNode) -> float:
    box = drawing.rest_boxes.get(node)
    return float(box[2]) if box is not None and np.isfinite(box).all() else 0.0


def _distinct(scrollers: Sequence[Scroller]) -> list[Scroller]:
    """One for each speed: a strip and its clone may be moved apart."""
    kept: list[Scroller] = []
    for one in scrollers:
        if not any(abs(one.speed - other.speed) <= 1e-3 * other.speed for other in kept):
            kept.append(one)
    return kept


def _strip_words(search: Search, one: Scroller) -> frozenset[str]:
    lexicon = search.drawing.lexicon
    nodes = [one.node, *one.node.children[:3]]
    return frozenset(word for node in nodes for name in lexicon.names(node) for word in name.all)


def _strip_name(search: Search, one: Scroller) -> str | None:
    found = _strip_words(search, one)
    told = [strip for strip, vocabulary in _STRIP_WORDS.items() if vocabulary[0] in found]
    if not told:
        told = [strip for strip, vocabulary in _STRIP_WORDS.items() if found.intersection(vocabulary)]
    return told[0] if len(told) == 1 else None


def _strip_named(search: Search, one: Scroller) -> int:
    return 1 if _strip_name(search, one) is not None else 0


# ---------------------------------------------------------------------------------------------------------------------
# Lamp


def _lamp(search: Search) -> None:
    drawing = search.drawing
    shapes = [
        node
        for node, box in drawing.rest_boxes.items()
        if np.isfinite(box).all()
        and not node.children
        and 600 <= box[0] + box[2] / 2 <= 735
        and box[2] <= 90
        and drawing.motion.is_displayed(node)
        and is_painted(drawing.motion, node)
        and not search.is_dogs(node)
    ]
    lexicon = drawing.lexicon

    def said(node: SceneNode, role: str) -> float:
        return max(lexicon.says(node, role), 0.8 * max((lexicon.says(a, role) for a in node.ancestors()), default=0.0))

    def glass(node: SceneNode) -> float:
        x, y, width, height = drawing.rest_boxes[node].tolist()
        place = every(
            near(x + width / 2, GLASS_AT[0], 24),
            near(y + height / 2, GLASS_AT[1], 24),
            within(width, 12, 34, 10),
            within(height, 16, 50, 12),
        )
        filled = drawing.motion.style(node).text("fill") != "none"
        return 0.0 if not filled else 0.6 * place + 0.4 * said(node, "lamp_glass") * (place > 0)

    def post(node: SceneNode) -> float:
        x, _, width, height = drawing.rest_boxes[node].tolist()
        return every(near(x + width / 2, 667, 30), within(width, 2, 30, 10), within(height, 100, 200, 50))

    glasses = sorted(shapes, key=glass)
    posts = sorted(shapes, key=post)
    panes = glasses[-1] if glasses and glass(glasses[-1]) >= 0.4 else None
    pole = posts[-1] if posts and post(posts[-1]) >= 0.5 else None
    bare = bool(drawing.scrollers) and not any(
        said(node, role) >= 0.5 for node in shapes for role in ("lamppost", "lamp_glass")
    )
    sure = "absent: " if bare else ""
    if panes is not None:
        search.parts["lamp_glass"] = Part(
            "lamp_glass", (host(panes),), round(glass(panes), 2), ("the filled shape about (667.5, 166)",), (panes,)
        )
    else:
        free = not any(_about(drawing.rest_boxes[node], GLASS_AT, 45) for node in shapes)
        search.miss("lamp_glass", (sure if free else "") + "no filled shape of a lamp glass's size about (667.5, 166)")
    if pole is None:
        tall = any(drawing.rest_boxes[node][3] >= 60 for node in shapes)
        search.miss("lamppost", ("" if tall else sure) + "nothing tall and thin stands about x 667")
        return
    line = climb(pole, lambda above: _is_lamps(drawing, above, [one.node for one in drawing.scrollers]))
    chosen = line[-1]
    told = ["tall and thin about x 667"] + (["the group holds the glass too"] if chosen is not pole else [])
    if said(chosen, "lamppost") >= 0.75:
        told.append("named so")
    search.parts["lamppost"] = Part("lamppost", (host(chosen),), 0.9 if len(told) > 1 else 0.7, tuple(told), (pole,))


def _about(box: FloatArray, place: tuple[float, float], reach: float) -> bool:
    """Whether the middle of a box is near a place."""
    return bool(abs(box[0] + box[2] / 2 - place[0]) <= reach and abs(box[1] + box[3] / 2 - place[1]) <= reach)


def _is_lamps(drawing: Drawing, node: SceneNode, strips: Sequence[SceneNode]) -> bool:
    box = drawing.rest_boxes.get(node)
    if box is None or not np.isfinite(box).all() or node in strips:
        return False
    return bool(box[0] >= 590 and box[0] + box[2] <= 745)


# ---------------------------------------------------------------------------------------------------------------------
# Shadows on the ground


def _on_ground(search: Search) -> list[Ink]:
    return [ink for ink in search.drawing.inks.values() if ink.node not in search.legs and ink.node not in search.taken]


def _shadow(search: Search) -> None:
    def placed(ink: Ink) -> float:
        return every(
            near(ink.x, SHADOW_AT[0], 60),
            near(ink.y, SHADOW_AT[1], 22),
            within(ink.width, 150, 330, 70),
            within(ink.height, 6, 34, 10),
        )

    def painted(ink: Ink) -> float:
        return 1.0 if ink.node.name == "ellipse" else 0.5

    matches = search.ranked("contact_shadow", placed, painted, among=_on_ground(search))
    if not matches:

        def could(ink: Ink) -> bool:
            return 310 <= ink.y <= 400 and 60 <= ink.width <= 600 and ink.width > 2 * ink.height

        on_ground = [ink for ink in _on_ground(search) if could(ink)]
        surely = not on_ground and bool(search.legs)
        search.miss("contact_shadow", ("absent: " if surely else "") + "no wide flat shape lies under the dog")
        return
    best = [match for match in matches if match.score >= matches[0].score - 0.1]
    main = max(best, key=lambda match: match.ink.area)
    search.take("contact_shadow", [main.ink.node], [main.ink.node], main)


def _dots(search: Search, legs: Mapping[str, Leg]) -> None:
    def placed(ink: Ink) -> float:
        return every(
            within(ink.x, 320, 520, 40),
            within(ink.y, 335, 352, 10),
            within(ink.width, 10, 52, 12),
            within(ink.height, 2, 16, 4),
        )

    def painted(ink: Ink) -> float:
        return 1.0 if search.drawing.is_animated(ink.node) or ink.paint.alpha < 0.9 else 0.3

    found = [
        m for m in search.ranked("dots", placed, painted, among=_on_ground(search)) if m.ink.width > 2 * m.ink.height
    ]
    roles = [f"dots.{name}" for name in ("near_fore", "far_fore", "near_hind", "far_hind")]
    few = len(found) < len(roles)
    if len(legs) < len(roles) or (few and not _are_all_dots(search, [match.ink.node for match in found])):
        surely = not found and bool(search.legs)
        why = (
            "absent: no small flat shapes lie under the paws"
            if surely
            else f"{len(found)} small flat shapes on the ground"
        )
        for role in roles:
            search.miss(role, why)
        return
    inks = [match.ink for match in found[:6]]
    cost = {(ink.node, name): _dot_cost(search, ink, leg) for ink in inks for name, leg in legs.items()}
    size = min(len(inks), len(legs))
    best = min(
        (
            tuple(zip(order, names, strict=True))
            for order in itertools.permutations(inks, size)
            for names in itertools.combinations(legs, size)
        ),
        key=lambda pairs: sum(cost[ink.node, name] for ink, name in pairs),
    )
    score = {match.ink.node: match for match in found}
    for ink, name in best:
        told = [f"lies under the {name.replace('_', ' ')} paw"]
        said = _named_leg(search, ink.node)
        if said is not None and said != name:
            disagree = f"a dot is named {said.replace('_', ' ')} and lies under the {name.replace('_', ' ')} paw"
            search.conflicts.append(Conflict(Disagreement.DOT_NAME, disagree, ink.node))
        elif said == name:
            told.append("named so")
        confidence = score[ink.node].confidence if said == name else 0.6 if said is None else 0.4
        search.parts[f"dots.{name}"] = Part(f"dots.{name}", (host(ink.node),), confidence, tuple(told), (ink.node,))
        search.taken[ink.node] = f"dots.{name}"
    for role in roles:
        if role not in search.parts:
            search.miss(role, f"absent: only {len(found)} small flat shapes lie under the paws")


def _are_all_dots(search: Search, found: Sequence[SceneNode]) -> bool:
    """Whether some dots are surely all there are: siblings on one clock, and nothing else could be one more.

    Shapes without ink count, for a dot may fade in, and so do those that are wider than a dot, for several may be one.
    """
    drawing = search.drawing
    motion = drawing.motion
    if len(found) < 2 or len({node.parent for node in found}) > 1 or motion.unknown:
        return False
    if not all(drawing.is_animated(node) for node in found):
        return False
    strips = {below for one in drawing.scrollers for below in (one.node, *one.node.descendants())}
    known = {*strips, *search.legs, *search.taken, *found}
    return not any(
        node.name in _PAINTED and node not in known and motion.is_displayed(node) and _could_be_dot(box)
        for node, box in drawing.rest_boxes.items()
    )


def _could_be_dot(box: FloatArray) -> bool:
    """Whether a shape lies on the path under the dog and is flat; also one that holds several dots."""
    x, y, width, height = box.tolist()
    if not np.isfinite(box).all():
        return True
    return bool(280 <= x + width / 2 <= 560 and 320 <= y + height / 2 <= 370 and width <= 340 and height <= 40)


def _dot_cost(search: Search, ink: Ink, leg: Leg) -> float:
    """Units between a dot and where the paw stands at rest; a name counts as ten of them."""
    boxes = [search.drawing.rest_boxes[node] for node in leg.sole if node in search.drawing.rest_boxes]
    x = float(np.mean([box[0] + box[2] / 2 for box in boxes])) if boxes else leg.joints[-1].pivot[0]
    named = _named_leg(search, ink.node)
    return abs(ink.x - x) + (0.0 if named is None else 0.0 if named == leg.name else 10.0)


def _named_leg(search: Search, node: SceneNode) -> str | None:
    """The leg that the names of a node tell, where they tell one."""
    return leg_in(search.drawing.lexicon.words_along(node, search.drawing.scene.root))


def leg_in(said: frozenset[str]) -> str | None:
    """``near_fore`` … from words, None where they do not say."""
    side = {"near": bool(said & NEAR), "far": bool(said & FAR)}
    end = {"fore": bool(said & FORE), "hind": bool(said & HIND)}
    sides, ends = [s for s, yes in side.items() if yes], [e for e, yes in end.items() if yes]
    return f"{sides[0]}_{ends[0]}" if len(sides) == 1 and len(ends) == 1 else None


__all__ = ["leg_in", "tell_scenery"]
