"""The parts of the head, told from where they lie on the skull, how they are painted and what they are called."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .colour import is_pink
from .search import every, host, near, within

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from husky_lint.scene.graph import SceneNode

    from .drawing import Ink
    from .search import Match, Search


MUZZLE = (8.0, 60.0)
"""Units that a muzzle sticks out beyond a skull drawn without one."""
LEAST_MUZZLE = (22.0, 15.0)
"""Its least width and height: more than a nose."""

ABOUT_EYE = 30.0
"""Units from the eye's middle in which a brow would lie."""


@dataclass(frozen=True, slots=True)
class _Face:
    """Coordinates on the skull, its muzzle included: u along it and v down, 0 in the middle, ±½ at the box's edges."""

    skull: Ink

    def u(self, ink: Ink) -> float:
        return (ink.x - self.skull.x) / self.skull.width

    def v(self, ink: Ink) -> float:
        return (ink.y - self.skull.y) / self.skull.height

    def about(self, ink: Ink, u: float, v: float, du: float, dv: float) -> bool:
        """Whether the middle of a shape is within ``du``, ``dv`` of a place."""
        return abs(self.u(ink) - u) <= du and abs(self.v(ink) - v) <= dv

    def size(self, ink: Ink) -> float:
        """Area as a share of the skull's."""
        return ink.area / self.skull.area

    @property
    def eye(self) -> Ink:
        """Where an eye would lie."""
        x, y = self.skull.x + 0.07 * self.skull.width, self.skull.y - 0.1 * self.skull.height
        return replace(self.skull, left=x - 6, top=y - 6, right=x + 6, bottom=y + 6)


def tell_head(search: Search) -> None:
    """Skull, mask, eye, brow, ear, nose, mouth or tongue and the group that holds them."""
    skull = _skull(search)
    if skull is None:
        for role in ("skull", "face_mask", "eye", "brow", "ear", "nose", "mouth_or_tongue", "head"):
            search.miss(role, "no skull was found to look on")
        return
    face = _Face(_with_muzzle(search, skull))
    _mask(search, face)
    _brow(search, face)
    _eye(search, face)
    _nose(search, face)
    _ear(search, face)
    _mouth_or_tongue(search, face)
    _head(search, face)
    _lack_brow(search, face)


def _skull(search: Search) -> Ink | None:
    def placed(ink: Ink) -> float:
        return every(
            near(ink.x, 568, 90), near(ink.y, 179, 60), within(ink.width, 80, 130, 45), within(ink.height, 58, 105, 30)
        )

    matches = search.ranked("skull", placed, lambda ink: 0.2 if ink.paint.is_white else _filled(ink))
    if not matches:
        search.miss("skull", "no filled shape of a skull's size near (568, 179)")
        return None
    search.take("skull", [matches[0].ink.node], [matches[0].ink.node], matches[0])
    return matches[0].ink


def _with_muzzle(search: Search, skull: Ink) -> Ink:
    """The skull's box and that of a muzzle drawn apart from it: a filled shape at its lower front that sticks out."""
    muzzles = [
        ink
        for ink in search.free
        if ink.node is not skull.node
        and not ink.paint.is_outline
        and MUZZLE[0] <= ink.right - skull.right <= MUZZLE[1]
        and skull.x - 0.25 * skull.width <= ink.left <= skull.right
        and ink.width >= LEAST_MUZZLE[0]
        and LEAST_MUZZLE[1] <= ink.height <= 0.9 * skull.height
        and ink.top >= skull.top + 0.1 * skull.height
    ]
    if not muzzles:
        return skull
    right, bottom = max(ink.right for ink in muzzles), max(ink.bottom for ink in muzzles)
    return replace(skull, right=right, bottom=max(skull.bottom, bottom))


def _filled(ink: Ink) -> float:
    return 0.0 if ink.paint.is_outline else 1.0


def _simple(
    search: Search,
    role: str,
    placed: Callable[[Ink], float],
    painted: Callable[[Ink], float],
    why: str,
    belongs: Callable[[Ink], bool] | None = None,
    could: Callable[[Ink], bool] | None = None,
) -> Match | None:
    """A part that is one shape, or the group of nothing but what belongs to it."""
    matches = search.ranked(role, placed, painted)
    if not matches:
        search.lack(role, why, could, placed) if could is not None else search.miss(role, why)
        return None
    shape = matches[0].ink.node
    if belongs is None:
        search.take(role, [shape], [shape], matches[0])
    else:
        line = search.group_of(shape, belongs)
        node = search.element(role, line)
        search.take(role, [node], [ink.node for ink in search.drawing.inside(node)], matches[0])
    return matches[0]


def _mask(search: Search, face: _Face) -> None:
    def placed(ink: Ink) -> float:
        return every(
            near(face.u(ink), 0.1, 0.35), near(face.v(ink), 0.17, 0.3), within(face.size(ink), 0.2, 0.85, 0.15)
        )

    def painted(ink: Ink) -> float:
        return 1.0 if ink.paint.is_white and ink.node.index > face.skull.node.index else 0.0

    _simple(search, "face_mask", placed, painted, "no white shape over the lower front of the skull")


def _brow_placed(face: _Face, ink: Ink) -> float:
    flat = within(ink.width / max(ink.height, 0.1), 1.2, 9.0, 0.3)
    return every(
        near(face.u(ink), 0.06, 0.2),
        near(face.v(ink), -0.28, 0.13),
        within(ink.width, 8, 32, 6),
        within(ink.height, 2, 14, 4),
        flat,
    )


def _brow(search: Search, face: _Face) -> None:
    def painted(ink: Ink) -> float:
        return 1.0 if ink.paint.is_white else 0.2

    matches = search.ranked("brow", lambda ink: _brow_placed(face, ink), painted)
    if matches:
        shape = matches[0].ink.node
        search.take("brow", [shape], [shape], matches[0])


def _lack_brow(search: Search, face: _Face) -> None:
    """Why no brow was told: as absent where all else of the face was, and nothing seen could be or hold one.

    An eye and an ear that are absent themselves leave no doubt either.

    What was taken for the eye or the ear counts unless it lies within them, for a brow may be grouped with either.
    """
    if "brow" in search.parts:
        return
    why = "no small flat shape above the eye"
    inks = search.drawing.inks
    shapes = {role: [inks[one] for one in part.shapes if one in inks] for role, part in search.parts.items()}
    untold = {role for role in ("skull", "eye", "ear", "face_mask", "nose") if not shapes.get(role)}
    if any(role not in ("eye", "ear") or not search.missing.get(role, "").startswith("absent") for role in untold):
        search.miss("brow", why)
        return
    skull, eye = face.skull, _largest(shapes.get("eye")) or face.eye
    ear = _largest(shapes.get("ear"))
    its_own = {ink.node for ink in shapes.get("eye", ()) if _middle_in(ink, eye)}
    if ear is not None:
        its_own |= {ink.node for ink in shapes["ear"] if _middle_in(ink, ear) and ink.x < eye.left}

    def could(ink: Ink) -> bool:
        about = abs(ink.x - eye.x) <= ABOUT_EYE and eye.y - ABOUT_EYE <= ink.y <= eye.bottom
        if ink.width <= ABOUT_EYE * 2 and (about or face.about(ink, 0.06, -0.28, 0.3, 0.3)):
            return True
        over = ink.left < eye.right and ink.right > eye.left and ink.top < eye.top and ink.bottom > eye.top - ABOUT_EYE
        return over and (ink.paint.served or _luminance(ink) > _luminance(skull) + 0.02 or _pieces(ink) > 1)

    if any(could(ink) for ink in inks.values() if ink.node.index >= skull.node.index and ink.node not in its_own):
        search.miss("brow", why)
    else:
        search.lack("brow", why, lambda ink: False, lambda ink: _brow_placed(face, ink))


def _largest(inks: Sequence[Ink] | None) -> Ink | None:
    return max(inks, key=lambda ink: ink.area) if inks else None


def _middle_in(ink: Ink, other: Ink) -> bool:
    return other.left <= ink.x <= other.right and other.top <= ink.y <= other.bottom


def _luminance(ink: Ink) -> float:
    color = ink.paint.color
    return 1.0 if color is None else color.luminance


def _pieces(ink: Ink) -> int:
    """How many outlines a shape has."""
    return sum(letter in "Mm" for letter in ink.node.element.get("d", ""))


def _eye(search: Search, face: _Face) -> None:
    def placed(ink: Ink) -> float:
        return every(
            near(face.u(ink), 0.07, 0.2),
            near(face.v(ink), -0.1, 0.16),
            within(ink.width, 4, 24, 8),
            within(ink.height, 3, 20, 6),
        )

    def belongs(ink: Ink) -> bool:
        return abs(face.u(ink) - 0.07) < 0.22 and abs(face.v(ink) + 0.1) < 0.22 and ink.width <= 32 and ink.height <= 26

    def painted(ink: Ink) -> float:
        return 1.0 if ink.node.name in {"circle", "ellipse"} else 0.5

    def could(ink: Ink) -> bool:
        return face.about(ink, 0.07, -0.1, 0.25, 0.2) and ink.width <= 50

    _simple(search, "eye", placed, painted, "no small round shape where the eye belongs", belongs, could)


def _nose(search: Search, face: _Face) -> None:
    def placed(ink: Ink) -> float:
        return every(
            near(face.u(ink), 0.43, 0.18),
            near(face.v(ink), 0.02, 0.25),
            within(ink.width, 6, 24, 5),
            within(ink.height, 6, 24, 5),
        )

    def painted(ink: Ink) -> float:
        return 1.0 if ink.paint.is_dark and not ink.paint.is_outline else 0.0

    _simple(search, "nose", placed, painted, "no small dark shape at the end of the muzzle")


def _ear(search: Search, face: _Face) -> None:
    def placed(ink: Ink) -> float:
        return every(
            near(face.u(ink), -0.25, 0.4),
            near(face.v(ink), -0.65, 0.45),
            within(ink.width, 22, 70, 20),
            within(ink.height, 26, 85, 20),
        )

    def belongs(ink: Ink) -> bool:
        return -0.75 <= face.u(ink) <= 0.3 and -1.4 <= face.v(ink) <= -0.15 and face.size(ink) < 0.6

    matches = search.ranked("ear", placed, _filled)
    if not matches:

        def could(ink: Ink) -> bool:
            return face.about(ink, -0.25, -0.65, 0.7, 0.7) and ink.height >= 15

        search.lack("ear", "no filled shape of an ear's size above the skull", could, placed)
        return
    best = [match for match in matches if match.score >= matches[0].score - 0.12]
    main = max(best, key=lambda match: (match.ink.area, match.ink.node.index))
    line = search.group_of(main.ink.node, belongs)
    node = search.element("ear", line)
    search.take("ear", [node], [ink.node for ink in search.drawing.inside(node)], main)


def _mouth_or_tongue(search: Search, face: _Face) -> None:
    def mouth_place(ink: Ink) -> float:
        return every(
            near(face.u(ink), 0.27, 0.25),
            near(face.v(ink), 0.19, 0.2),
            within(ink.width, 12, 60, 12),
            within(ink.height, 3, 22, 8),
        )

    def mouth_paint(ink: Ink) -> float:
        return 1.0 if ink.paint.is_outline and not ink.paint.is_white else 0.0

    def tongue_place(ink: Ink) -> float:
        return every(
            near(face.u(ink), 0.28, 0.28),
            near(face.v(ink), 0.38, 0.35),
            within(ink.width, 6, 32, 8),
            within(ink.height, 7, 48, 8),
        )

    def tongue_paint(ink: Ink) -> float:
        return 1.0 if is_pink(ink.paint.color) and not ink.paint.is_outline else 0.0

    def tongue_belongs(ink: Ink) -> bool:
        return tongue_place(ink) > 0 or (
            abs(face.u(ink) - 0.28) < 0.25 and abs(face.v(ink) - 0.38) < 0.35 and face.size(ink) < 0.15
        )

    mouth = _simple(search, "mouth", mouth_place, mouth_paint, "no line under the muzzle")
    tongue = _simple(search, "tongue", tongue_place, tongue_paint, "no pink shape under the muzzle", tongue_belongs)
    found = [search.parts.pop(role) for role in ("mouth", "tongue") if role in search.parts]
    why = [search.missing.pop(role) for role in ("mouth", "tongue") if role in search.missing]
    if not found:
        search.miss("mouth_or_tongue", "; ".join(why))
        return
    shapes = [shape for part in found for shape in part.shapes]
    nodes = [node for part in found for node in part.nodes]
    best = max((match for match in (mouth, tongue) if match is not None), key=lambda match: match.score)
    search.take("mouth_or_tongue", nodes, shapes, best)


def _head(search: Search, face: _Face) -> None:
    """The group that holds skull and face and neither body nor legs; the one called head, else the inmost."""
    wanted = [
        search.parts[role].shapes[0]
        for role in ("skull", "face_mask", "eye", "nose", "ear", "brow")
        if role in search.parts and search.parts[role].shapes
    ]
    holding = [
        above
        for above in host(face.skull.node).ancestors()
        if above.parent is not None and above is not search.dog and _is_heads(search, above)
    ]
    lexicon = search.drawing.lexicon
    ranked: list[tuple[int, float, int, SceneNode]] = []
    for depth, group in enumerate(holding):
        inside = {ink.node for ink in search.drawing.inside(group)}
        ranked.append((sum(shape in inside for shape in wanted), lexicon.says(group, "head"), -depth, group))
    ranked = [entry for entry in ranked if entry[0] >= max(2, len(wanted) - 1)]
    if not ranked:
        search.miss("head", "no group holds the skull and the face and nothing else")
        return
    most, named, _, group = max(ranked, key=lambda entry: (entry[1] >= 0.75, entry[0], entry[1], entry[2]))
    confidence = 0.95 if named >= 0.75 else 0.8
    told = [f"holds {most} of {len(wanted)} parts of the head"] + (["named so"] if named >= 0.75 else [])
    search.take_group("head", [group], confidence, told)


def _is_heads(search: Search, group: SceneNode) -> bool:
    """Whether a group is small enough to be a head, with or without its neck."""
    inks = search.drawing.inside(group)
    if any(ink.node in search.legs for ink in inks):
        return False
    left, right = min(ink.left for ink in inks), max(ink.right for ink in inks)
    top, bottom = min(ink.top for ink in inks), max(ink.bottom for ink in inks)
    return right - left <= 230 and bottom - top <= 190


__all__ = ["tell_head"]
