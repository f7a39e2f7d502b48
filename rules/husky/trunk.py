"""Body, bib, blade, neck, collar, tag and tail, told from place, paint, motion and names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from .colour import is_pink
from .search import NAMED_ENOUGH, every, near, within
from .words import COAT, PARTS, says

if TYPE_CHECKING:
    from husky_lint.scene.graph import SceneNode

    from .drawing import Drawing, Ink
    from .search import Match, Search

BLADE_AT: Final = (487.0, 207.0)
LOW: Final = 0.7
BACK: Final = 0.9
"""A piece of the bib goes at least this far down the body and begins at least this far back, as shares of its box."""
BIB_OPAQUE: Final = 0.9
"""Less opaque white is a shade laid over the bib."""


def tell_trunk(search: Search) -> None:
    """The parts behind the head. The head is told before, so that what is its own is taken."""
    _tail(search)
    _body(search)
    _blade(search)
    _bib(search)
    _tag(search)
    _collar(search)
    _neck(search)
    _body_group(search)
    _blade_absent(search)


# ---------------------------------------------------------------------------------------------------------------------
# Tail


def _is_tails(search: Search, ink: Ink) -> bool:
    """Whether a shape stands up behind the hips."""
    x, y = search.hips
    return ink.x <= x + 12 and ink.y <= y + 18 and ink.width <= 125 and ink.left >= x - 150


def _tail(search: Search) -> None:
    def placed(ink: Ink) -> float:
        return every(
            within(ink.x, search.hips[0] - 65, search.hips[0] + 2, 40),
            within(ink.y, search.hips[1] - 112, search.hips[1] + 3, 45),
            within(ink.height, 25, 120, 25),
            within(ink.width, 12, 90, 25),
        )

    def belongs(ink: Ink) -> bool:
        return _is_tails(search, ink)

    def painted(ink: Ink) -> float:
        return 1.0 if any(search.is_moving(node) for node in search.group_of(ink.node, belongs)) else 0.0

    matches = search.ranked("tail", placed, painted)
    if not matches:
        search.lack("tail", "nothing that moves stands up behind the hips", belongs)
        return
    lines = {match.ink.node: search.group_of(match.ink.node, belongs) for match in matches}
    tops = {line[-1] for line in lines.values()}
    if len(tops) > 1:
        top = max(tops, key=lambda node: sum(ink.area for ink in search.drawing.inside(node)))
        matches = [match for match in matches if lines[match.ink.node][-1] is top] or matches
    main = max(matches, key=lambda match: match.ink.area)
    node = _tail_element(search, lines[main.ink.node])
    shapes = [ink.node for ink in search.drawing.inside(node)]
    search.take("tail", [node], shapes, main, "it moves" if main.painted else "it stands still")
    _tail_tip(search, node)


def _tail_element(search: Search, line: list[SceneNode]) -> SceneNode:
    """The outermost group of the tail that is called so, else the outermost."""
    lexicon = search.drawing.lexicon
    named = [node for node in line if lexicon.says(node, "tail") >= 0.75]
    return named[-1] if named else line[-1]


def _tail_tip(search: Search, tail: SceneNode) -> None:
    inks = search.drawing.inside(tail)
    root = _tail_root(search, tail)
    lexicon = search.drawing.lexicon

    def reach(node: SceneNode) -> float:
        inside = search.drawing.inside(node)
        return max((float(np.hypot(ink.x - root[0], ink.y - root[1])) for ink in inside), default=0.0)

    parts = [node for node in tail.descendants() if 0 < len(search.drawing.inside(node)) < len(inks)]
    moving = [node for node in parts if search.is_moving(node)]
    named = [node for node in parts if lexicon.says(node, "tail_tip") >= 0.75]
    white = [node for node in parts if node in search.drawing.inks and search.drawing.inks[node].paint.is_white]
    chosen: SceneNode | None = None
    told = ""
    if moving:
        chosen = max(moving, key=lambda node: (node in named, reach(node), -node.depth))
        told = "moves within the tail"
    elif named:
        chosen, told = min(named, key=lambda node: node.depth), "named so"
    elif white:
        chosen, told = max(white, key=reach), "the white end of the tail"
    if chosen is None:
        search.lack(
            "tail_tip", "nothing in the tail moves by itself or is white", lambda ink: tail in ink.node.ancestors()
        )
        return
    shapes = [ink.node for ink in search.drawing.inside(chosen)]
    search.take("tail_tip", [chosen], shapes, None, told, *(["named so"] if chosen in named and moving else []))


def _tail_root(search: Search, tail: SceneNode) -> tuple[float, float]:
    for node in (tail, *tail.descendants()):
        turn = search.drawing.stage.turns.get(node)
        if turn is not None and len(search.drawing.inside(node)) == len(search.drawing.inside(tail)):
            return search.drawing.here(turn.pivot)
    return search.hips


# ---------------------------------------------------------------------------------------------------------------------
# Body, bib, blade, neck


def _body(search: Search) -> None:
    def placed(ink: Ink) -> float:
        return every(
            near(ink.x, 430, 90), near(ink.y, 226, 52), within(ink.width, 150, 290, 60), within(ink.height, 62, 160, 40)
        )

    def painted(ink: Ink) -> float:
        if ink.paint.is_outline or ink.paint.alpha < BIB_OPAQUE:
            return 0.0
        return 0.2 if ink.paint.is_white else 1.0

    matches = search.ranked("body", placed, painted)
    if not matches:
        search.miss("body", "no large filled shape between the legs' roots")
        return
    best = [match for match in matches if match.score >= matches[0].score - 0.1]
    main = max(best, key=lambda match: (match.score + match.ink.area / 200_000, -match.ink.node.index))
    search.take("body", [main.ink.node], [main.ink.node], main)


def _body_group(search: Search) -> None:
    """Where the coat has no name of its own and the group around it is the body and nothing else, the group it is."""
    part = search.parts.get("body")
    if part is None:
        return
    lexicon = search.drawing.lexicon
    group = part.node.parent
    if group is None or group is search.dog or says(lexicon.names(part.node), PARTS["body"] | COAT) >= 0.75:
        return
    if lexicon.says(group, "body") < 1.0:
        return
    inks = search.drawing.inside(group)
    if all(search.taken.get(ink.node, "body") in {"body", "bib"} and ink.node not in search.legs for ink in inks):
        shapes = [ink.node for ink in inks if search.taken.get(ink.node) != "bib"]
        told = (*part.evidence, "the group around it is named so and holds nothing else")
        search.parts["body"] = type(part)("body", (group,), part.confidence, told, tuple(shapes))


def _bib(search: Search) -> None:
    body = search.parts.get("body")
    trunk = search.drawing.inks[body.shapes[0]] if body is not None else None

    def placed(ink: Ink) -> float:
        if ink.width > 260:
            return 0.0
        if trunk is None:
            if ink.bottom < 240 or ink.left > 510:
                return 0.0
        elif ink.bottom < trunk.top + LOW * trunk.height or ink.left > trunk.left + BACK * trunk.width:
            return 0.0  # fur of the throat
        return every(
            within(ink.x, 380, 550, 30), within(ink.y, 225, 275, 40), within(ink.width, 35, 220, 20), _tall(ink)
        )

    def _tall(ink: Ink) -> float:
        return within(ink.height, 15, 130, 10)

    def painted(ink: Ink) -> float:
        solid = ink.paint.alpha >= BIB_OPAQUE and not ink.paint.is_outline
        return 1.0 if ink.paint.is_white and solid else 0.0

    matches = search.ranked("bib", placed, painted, least=0.55)
    if not matches:
        search.miss("bib", "no white shape along the underside")
        return
    named = [match for match in matches if match.named >= 0.5 and match.ink.paint.alpha >= BIB_OPAQUE]
    white = [match for match in matches if painted(match.ink) > 0]
    told = [match for match in named if match in white] or named  # a dark patch may be called chest as well
    chosen = sorted(told or white or matches, key=lambda match: match.ink.node.index)
    nodes = [match.ink.node for match in chosen]
    search.take("bib", nodes, nodes, max(chosen, key=lambda match: match.score), f"{len(chosen)} white shapes")


def _blade_placed(ink: Ink) -> float:
    return every(
        near(ink.x, BLADE_AT[0], 45),
        near(ink.y, BLADE_AT[1], 40),
        within(ink.width, 22, 80, 20),
        within(ink.height, 22, 80, 20),
    )


def _blade_painted(ink: Ink) -> float:
    return 0.0 if ink.paint.is_outline else within(ink.paint.alpha, 0.05, 0.7, 0.15)


def is_blade(drawing: Drawing, ink: Ink) -> bool:
    """Whether a shape over the shoulder is called blade, or filled as a translucent plane."""
    if _blade_placed(ink) <= 0.0:
        return False
    return drawing.lexicon.says(ink.node, "blade") >= 0.5 or _blade_painted(ink) >= 1.0


def _blade(search: Search) -> None:
    matches = search.ranked("blade", _blade_placed, _blade_painted, among=search.inks)
    if not matches:
        return
    search.take("blade", [matches[0].ink.node], [matches[0].ink.node], matches[0])


def _blade_absent(search: Search) -> None:
    """Whether the drawing surely has no blade: nothing of its size over the shoulder that is not something else."""
    if "blade" in search.parts:
        return
    rivals = [
        ink
        for ink in search.inks
        if ink.node not in search.taken
        and not _is_no_blade(search, ink)
        and abs(ink.x - BLADE_AT[0]) <= 45
        and abs(ink.y - BLADE_AT[1]) <= 45
        and 12 <= ink.width <= 110
        and 12 <= ink.height <= 110
    ]
    if "body" not in search.parts or len(search.legs) == 0:
        search.miss("blade", "no translucent plane over the shoulder was found")
    elif rivals:
        search.miss("blade", f"ambiguous: {len(rivals)} shapes lie over the shoulder and none is called blade")
    else:
        search.miss("blade", "absent: nothing is painted over the shoulder but body, legs and neck")


def _is_no_blade(search: Search, ink: Ink) -> bool:
    """Whether a shape is no plane on the ribs, whatever it is called: a solid or a mere line of a leg or of the neck.

    A blade is translucent, and it moves neither with the limb below it nor with the head.
    """
    if not ink.paint.is_outline and ink.paint.alpha < BIB_OPAQUE:
        return False
    if ink.node in search.legs:
        return True
    if ink.paint.served:  # a gradient may end in nothing
        return False
    skull, body = search.parts.get("skull"), search.parts.get("body")
    if skull is None or body is None or not skull.shapes:
        return False
    of_body = {above for shape in body.shapes for above in shape.ancestors()}
    of_head = {above for above in skull.shapes[0].ancestors() if above not in of_body}
    return any(above in of_head for above in ink.node.ancestors())


def _neck(search: Search) -> None:
    def placed(ink: Ink) -> float:
        return every(
            within(ink.left, 445, 500, 20),
            within(ink.right, 530, 592, 15),
            within(ink.top, 128, 172, 20),
            within(ink.bottom, 205, 256, 15),
        )

    def painted(ink: Ink) -> float:
        return 0.0 if ink.paint.is_outline or ink.paint.is_white or ink.paint.alpha < BIB_OPAQUE else 1.0

    matches = search.ranked("neck", placed, painted, least=0.7)
    if not matches:
        search.miss("neck", "there is no separate neck")
        return
    best = [match for match in matches if match.score >= matches[0].score - 0.15]
    main = max(best, key=lambda match: match.ink.area)
    search.take("neck", [main.ink.node], [main.ink.node], main)


# ---------------------------------------------------------------------------------------------------------------------
# Collar and tag


def _is_tags(search: Search, ink: Ink) -> bool:
    x, y = search.on_head(ink)
    return 490 <= x <= 575 and 205 <= y <= 280 and ink.width <= 26 and ink.height <= 30


def _is_colourful(ink: Ink) -> bool:
    return ink.paint.chroma >= 0.28 and not (is_pink(ink.paint.color) and ink.x > 580)


def _tag(search: Search) -> None:
    def placed(ink: Ink) -> float:
        return every(
            near(search.on_head(ink)[0], 527, 42),
            near(search.on_head(ink)[1], 243, 38),
            within(ink.width, 6, 22, 6),
            within(ink.height, 6, 24, 6),
        )

    matches = search.ranked("tag", placed, lambda ink: 1.0 if _is_colourful(ink) else 0.0)
    if not matches:
        search.lack("tag", "no small shape under the collar", lambda ink: _is_tags(search, ink) and ink.height >= 4)
        return
    main = max((match for match in matches if match.score >= matches[0].score - 0.1), key=lambda m: m.ink.area)
    line = search.group_of(main.ink.node, lambda ink: _is_tags(search, ink))
    node = search.element("tag", line)
    search.take("tag", [node], [ink.node for ink in search.drawing.inside(node)], main)


def _collar(search: Search) -> None:
    def placed(ink: Ink) -> float:
        return every(
            near(search.on_head(ink)[0], 523, 40),
            near(search.on_head(ink)[1], 197, 42),
            within(ink.width, 8, 75, 15),
            within(ink.height, 34, 115, 20),
        )

    matches = search.ranked("collar", placed, lambda ink: 1.0 if _is_colourful(ink) else 0.0)
    if not matches:
        search.miss("collar", "no colourful band at the base of the neck")
        return
    main = _band(matches)

    def belongs(ink: Ink) -> bool:
        return search.taken.get(ink.node) == "tag" or placed(ink) > 0 or _is_tags(search, ink)

    line = search.group_of(main.ink.node, belongs)
    node = search.element("collar", line, moving=False)
    shapes = [ink.node for ink in search.drawing.inside(node) if search.taken.get(ink.node) != "tag"]
    search.take("collar", [node], shapes, main)


def _band(matches: list[Match]) -> Match:
    """Of what may be the collar the band, not the stitch on it."""
    best = [match for match in matches if match.score >= matches[0].score - 0.15 or match.named >= NAMED_ENOUGH]
    return max(best, key=lambda match: match.ink.area + match.ink.paint.stroke_width * match.ink.height)


__all__ = ["tell_trunk"]
