"""Roles that the configuration settles by a selector."""

from __future__ import annotations

from typing import TYPE_CHECKING

from husky_lint.script.journal import apply_all, undo_all

from .controls import page_path
from .rig import DRAWN_ROLES, PAGE_ROLES, PagePart, Part

if TYPE_CHECKING:
    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.style.states import PageState

    from .search import Search

_SEVERAL = frozenset({"bib", "mouth_or_tongue", "pace_buttons"})
"""Roles that a selector may give several elements; of any other the first counts."""


def apply_pins(evidence: Evidence, search: Search, page: dict[str, PagePart]) -> None:
    """Put the pinned elements in place of what was inferred. What a pin does not meet is missing, and says so."""
    for role, selector in evidence.pins.items():
        if role not in DRAWN_ROLES and role not in PAGE_ROLES:
            search.conflicts.append(f"the configuration pins {role!r}, which is no role")
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
