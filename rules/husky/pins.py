"""Roles that the configuration settles by a selector: parts, and the joints of legs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from husky_lint.script.journal import apply_all, undo_all

from .controls import page_path
from .drawing import with_turns_of
from .limbs import leg_of, leg_with_joints
from .rig import DRAWN_ROLES, LEGS, PAGE_ROLES, SEGMENTS, Conflict, Disagreement, PagePart, Part

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.style.states import PageState

    from .limbs import Stage
    from .rig import Leg
    from .search import Search

_SEVERAL = frozenset({"bib", "mouth_or_tongue", "pace_buttons"})
"""Roles that a selector may give several elements; of any other the first counts."""


def apply_pins(evidence: Evidence, search: Search, page: dict[str, PagePart]) -> None:
    """Put the pinned elements in place of what was inferred. What a pin does not meet is missing, and says so."""
    for role, selector in evidence.pins.items():
        if role not in DRAWN_ROLES and role not in PAGE_ROLES:
            told_so = f"the configuration pins {role!r}, which is no role"
            search.conflicts.append(Conflict(Disagreement.PIN, told_so))
            continue
        told = (f"pinned to {selector!r}",)
        search.parts.pop(role, None)
        page.pop(role, None)
        found = _select(evidence, search.drawing.state, selector)
        if role == "start_button" and not found:
            found = _select(evidence, evidence.states.state(motion="reduced"), selector)
        found = found if role in _SEVERAL else found[:1]
        if role in PAGE_ROLES and found:
            elements, paths = zip(*found, strict=True)
            page[role] = PagePart(role, elements, paths, 1.0, told)
            continue
        scene = search.drawing.scene
        nodes = [node for element, _ in found if (node := scene.node(element)) is not None]
        if not nodes or role in PAGE_ROLES:
            search.missing[role] = (
                f"pinned to {selector!r}, which meets nothing{'' if found == [] else ' in the scene'}"
            )
            continue
        shapes = tuple(ink.node for node in nodes for ink in search.drawing.inside(node))
        search.parts[role] = Part(role, tuple(nodes), 1.0, told, shapes)


def pinned_legs(evidence: Evidence, search: Search, legs: Mapping[str, Leg]) -> dict[str, Leg]:
    """The legs with the joints that are pinned in place of those that were found.

    A leg is left out, and ``search.missing`` says why, where a pinned joint meets nothing, never turns, or does not lie
    in the one above it: then nothing is known of how that leg moves.
    """
    found = dict(legs)
    for name in LEGS:
        pins = {segment: evidence.pins[role] for segment in SEGMENTS if (role := f"{name}.{segment}") in evidence.pins}
        if not pins:
            continue
        found.pop(name, None)
        nodes: dict[str, SceneNode] = {}
        for segment, selector in pins.items():
            met = _select(evidence, search.drawing.state, selector)[:1]
            node = search.drawing.scene.node(met[0][0]) if met else None
            if node is None:
                search.missing[name] = f"its {segment} is pinned to {selector!r}, which meets nothing in the scene"
                break
            nodes[segment] = node
        else:
            leg = _repinned(_turning_stage(evidence, search, nodes.values()), legs.get(name), nodes)
            if leg is None:
                search.missing[name] = "what its joints are pinned to does not turn as the joints of a leg"
            else:
                told = (*leg.evidence, f"{', '.join(pins)} pinned")
                found[name] = replace(leg, name=name, confidence=1.0, evidence=told)
                search.missing.pop(name, None)
    return found


def _turning_stage(evidence: Evidence, search: Search, nodes: Iterable[SceneNode]) -> Stage:
    """The stage; with what turns at other paces where a pinned joint keeps still at its own."""
    stage, states = search.drawing.stage, evidence.states
    for pace in states.values("pace"):
        if all(node in stage.turns for node in nodes):
            break
        stage = with_turns_of(stage, evidence.motion(states.state(pace=pace)))
    return stage


def _repinned(stage: Stage, leg: Leg | None, pinned: Mapping[str, SceneNode]) -> Leg | None:
    """The leg from the pinned root on, else from its own, through the pinned joints to the pinned paw or its own."""
    root = pinned.get("upper") or (leg.joints[0].node if leg is not None else None)
    if root is None:
        return None
    if leg is None or root is not leg.joints[0].node:
        leg = leg_of(stage, root) or leg
    if leg is None:
        return None
    nodes = [root, *(joint.node for joint in leg.joints if root in joint.node.ancestors())]
    if (second := pinned.get("forearm")) is not None:
        nodes = [root, second, *(node for node in nodes if second in node.ancestors())]
    if (paw := pinned.get("paw")) is not None:
        nodes = [*(node for node in nodes if node in paw.ancestors()), paw]
    return leg_with_joints(stage, leg, nodes)


def _select(evidence: Evidence, state: PageState, selector: str) -> list[tuple[_Element, str]]:
    """The elements that a selector meets in a state, with their paths; none for what is no selector."""
    from cssselect2 import ElementWrapper, SelectorError

    apply_all(state.mutations)
    try:
        root = ElementWrapper.from_html_root(evidence.page.root)
        found = [one.etree_element for one in root.query_all(selector)]
        return [(element, page_path(element)) for element in found]
    except (SelectorError, NotImplementedError):
        return []
    finally:
        undo_all(state.mutations)
