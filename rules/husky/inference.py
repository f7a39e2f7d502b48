"""Telling the rig: the legs by their motion first, then everything else around them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .controls import tell_page
from .drawing import draw, with_turns_of
from .head import tell_head
from .hop_leg import tell_detached
from .leg_names import faces_right, name_legs
from .limbs import GROUND, SPAN, WIDEST, find_legs, last_index
from .pins import apply_pins, pinned_legs
from .rig import BY_SCRIPT, DRAWN_ROLES, LEGS, PAGE_ROLES, SEGMENTS, Conflict, Disagreement, Part, Rig
from .scenery import tell_scenery
from .search import Search
from .trunk import is_blade, tell_trunk
from .walk_state import walk_state

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode

    from .drawing import Drawing, Ink
    from .rig import Leg

DOG_SPAN = (230.0, 60.0, 690.0, 375.0)
"""Left, top, right, bottom that a group may fill to be the dog's: the footprint with room around it."""

MIDDLE = 418.0
"""The mean x of the legs' roots where the contract puts them."""
LEAST_LEGS = 2
"""A dog that is looked for the other way round has at least this many."""
LEAST_FACE = 3
"""With fewer parts of a face, what was taken for the skull may be something else."""


def infer_rig(evidence: Evidence) -> Rig:
    """Every part that can be told, from the page at walk. Raises Undecided where there is no scene at all."""
    drawing = draw(evidence, walk_state(evidence))
    found = [without_blade(drawing, leg) for leg in _legs(evidence, drawing)]
    holder = _dog_group(drawing, found)
    search = _told(drawing, holder, found)
    if _face_parts(search) < LEAST_FACE and len(found) >= LEAST_LEGS:
        roots = [leg.joints[0].pivot[0] for leg in found]
        other = _told(drawing.mirrored(MIDDLE + sum(roots) / len(roots)), holder, found)
        if _face_parts(other) > _face_parts(search) and "body" in other.parts:
            search = other
            search.conflicts.append(Conflict(Disagreement.FACES_LEFT, "the dog faces left", holder))
            search.turn_back(drawing)
    body = _ink_of(search, "body")
    skull = _ink_of(search, "skull")
    right = faces_right([leg.joints[0].pivot[0] for leg in found], skull.x if skull is not None else None)
    named = name_legs(drawing, found, holder, body, right)
    search.missing.update(_by_script(drawing, named.missing))
    search.conflicts.extend(named.conflicts)
    told = pinned_legs(evidence, search, named.legs)
    _leg_parts(search, told)
    search.parts["scene"] = Part("scene", (drawing.scene.root,), 1.0, ("the svg that paints most",))
    _dog(search, told)
    tell_scenery(search, told)
    tell_detached(evidence, search, told)
    page, why = tell_page(evidence, search)
    search.missing.update(why)
    apply_pins(evidence, search, page)
    for role in (*DRAWN_ROLES, *PAGE_ROLES):
        if role not in search.parts and role not in page:
            search.miss(role, "nothing in the scene looks like it")
    return Rig(search.parts, told, search.missing, tuple(search.conflicts), page)


def _by_script(drawing: Drawing, missing: Mapping[str, str]) -> Mapping[str, str]:
    """Why legs were not told, with the likeliest reason: that script moves what stands where legs do."""
    left, right = SPAN
    for x, y, width, height in drawing.motion.unmoved.values():
        if left <= x and x + width <= right and width <= WIDEST and y + height >= GROUND:
            return {role: f"{BY_SCRIPT}: {why}" for role, why in missing.items()}
    return missing


def _told(drawing: Drawing, holder: SceneNode | None, legs: Sequence[Leg]) -> Search:
    """Head and trunk, looked for in a drawing."""
    shapes = frozenset(shape for leg in legs for shape in leg.shapes)
    search = Search(drawing, holder, shapes, tuple(drawing.here(leg.joints[0].pivot) for leg in legs))
    tell_head(search)
    tell_trunk(search)
    return search


def _face_parts(search: Search) -> int:
    """How many parts of a face were found on what was taken for the skull."""
    return len({"face_mask", "eye", "brow", "nose", "ear"} & search.parts.keys())


def _ink_of(search: Search, role: str) -> Ink | None:
    part = search.parts.get(role)
    return search.drawing.inks.get(part.shapes[0]) if part is not None and part.shapes else None


def _legs(evidence: Evidence, drawing: Drawing) -> list[Leg]:
    """The legs at walk; where one or a joint of one keeps still there, what turns at the other paces counts too."""
    found = find_legs(drawing.stage)
    if len(found) >= len(LEGS) and all(len(leg.joints) >= len(SEGMENTS) for leg in found):
        return found
    states = evidence.states
    for pace in states.values("pace"):
        state = states.state(pace=pace)
        if state is drawing.state:
            continue
        richer = find_legs(with_turns_of(drawing.stage, evidence.motion(state)))
        if len(richer) >= len(found) and _joint_count(richer) > _joint_count(found):
            found = richer
    return found


def without_blade(drawing: Drawing, leg: Leg) -> Leg:
    """The leg from its shoulder on, where its first joint turns nothing else than a translucent or so named blade."""
    if len(leg.joints) <= len(SEGMENTS):
        return leg
    inner = {ink.node for ink in drawing.inside(leg.joints[1].node)}
    own = [ink for ink in drawing.inside(leg.joints[0].node) if ink.node not in inner]
    if not own or not all(is_blade(drawing, ink) for ink in own):
        return leg
    shapes = tuple(shape for shape in leg.shapes if shape in inner)
    return replace(leg, joints=leg.joints[1:], shapes=shapes, evidence=(*leg.evidence, "the blade above it turns too"))


def _joint_count(legs: Sequence[Leg]) -> int:
    return sum(min(len(leg.joints), len(SEGMENTS)) for leg in legs)


def _dog_group(drawing: Drawing, legs: Sequence[Leg]) -> SceneNode | None:
    """The largest group that holds the legs and is no larger than a dog; None where only the whole scene holds them."""
    if not legs:
        return _dog_by_size(drawing)
    common = common_ancestor([leg.joints[0].node for leg in legs])
    if common is None or common.parent is None:
        return None
    best = common
    for above in common.ancestors():
        if above.parent is None or not _is_dog_sized(drawing, above):
            break
        best = above
    return best


def _dog_by_size(drawing: Drawing) -> SceneNode | None:
    """Without legs: the group of the dog's size with most shapes."""
    fitting = [
        (len(drawing.inside(node)), -node.depth, node)
        for node in drawing.stage.matrices
        if node.children and node.parent is not None and _is_dog_sized(drawing, node)
    ]
    fitting = [entry for entry in fitting if entry[0] >= 8]
    return max(fitting, key=lambda entry: entry[:2])[2] if fitting else None


def _is_dog_sized(drawing: Drawing, node: SceneNode) -> bool:
    inks = drawing.inside(node)
    if not inks or any(node.index <= one.node.index <= last_index(node) for one in drawing.scrollers):
        return False
    left, top, right, bottom = DOG_SPAN
    return (
        min(ink.left for ink in inks) >= left
        and min(ink.top for ink in inks) >= top
        and max(ink.right for ink in inks) <= right
        and max(ink.bottom for ink in inks) <= bottom
    )


def common_ancestor(nodes: Iterable[SceneNode]) -> SceneNode | None:
    """The smallest group that holds all the nodes; of a single node itself."""
    lines = [[node, *node.ancestors()][::-1] for node in nodes]
    common = None
    for step in zip(*lines, strict=False):
        if any(node is not step[0] for node in step):
            break
        common = step[0]
    return common


def _leg_parts(search: Search, legs: Mapping[str, Leg]) -> None:
    for name, leg in legs.items():
        places = {"upper": 0, "forearm": 1} if len(leg.joints) >= 2 else {"upper": 0}
        if len(leg.joints) >= 3:
            places["paw"] = len(leg.joints) - 1
        for segment, place in places.items():
            role = f"{name}.{segment}"
            told = (f"turns at ({leg.joints[place].pivot[0]:.0f}, {leg.joints[place].pivot[1]:.0f})", *leg.evidence)
            search.parts[role] = Part(role, (leg.joints[place].node,), leg.confidence, told)
        if len(leg.joints) < 3:
            search.miss(f"{name}.paw", f"{len(leg.joints)} parts of the leg turn: the paw is welded on")
        if len(leg.joints) < 2:
            search.miss(f"{name}.forearm", "the leg turns in one piece")
    for name in ("near_fore", "far_fore", "near_hind", "far_hind"):
        if name not in legs:
            for segment in ("upper", "forearm", "paw"):
                search.miss(f"{name}.{segment}", search.missing.get(name, "no such leg was found"))


def _dog(search: Search, legs: Mapping[str, Leg]) -> None:
    """The smallest group that holds legs, body and head; or the siblings that hold them between them."""
    nodes = [leg.joints[0].node for leg in legs.values()]
    nodes += [search.parts[role].node for role in ("body", "head", "skull", "tail") if role in search.parts]
    common = common_ancestor(nodes) if len(nodes) >= 3 else search.dog
    if common is not None and common.parent is not None and common.children:
        named = search.drawing.lexicon.says(common, "dog") >= 0.5
        told = ["the smallest group that holds legs, body and head"] + (["named so"] if named else [])
        search.take_group("dog", [common], 0.95 if named else 0.85, told)
        return
    holders = (
        [one for one in common.children if any(one in (node, *node.ancestors()) for node in nodes)] if common else []
    )
    if len(holders) > 1 and all(one.children and _is_dog_sized(search.drawing, one) for one in holders):
        search.take_group("dog", holders, 0.75, ["siblings that hold the legs, the body and the head between them"])
        return
    search.miss("dog", "no group holds the legs, the body and the head")


__all__ = ["common_ancestor", "infer_rig"]
