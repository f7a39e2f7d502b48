"""Which of a state's mutations change the scene: most that script does to a page happens beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from husky_lint.scene.graph import SVG, XLINK_HREF
from husky_lint.script.journal import InsertNode, RemoveNode, SetAttribute, SetText

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element

    from husky_lint.script.journal import Mutation

_DECIDING: Final = frozenset({"href", XLINK_HREF, "id", "systemLanguage", "requiredExtensions"})
"""Attributes that decide which nodes a scene has."""


def shown_ids(root: _Element) -> frozenset[str]:
    """The ids that the ``<use>`` elements of a document refer to."""
    references = (use.get("href", use.get(XLINK_HREF, "")) for use in root.iter(f"{{{SVG}}}use"))
    return frozenset(reference.strip().removeprefix("#") for reference in references)


def scene_changes(mutations: Iterable[Mutation], shown: frozenset[str]) -> tuple[Mutation, ...]:
    """The mutations that make another scene than the page's own, as it is before any of them; empty for none.

    ``shown`` are that page's :func:`shown_ids`. Where one mutation touches the scene, all that move nodes count, since
    it may hang on them.
    """
    found: list[Mutation] = []
    touched = False
    for mutation in mutations:
        if isinstance(mutation, SetAttribute):
            if mutation.name in _DECIDING and _is_deciding(mutation, shown):
                found.append(mutation)
                touched = True
        elif isinstance(mutation, InsertNode | RemoveNode):
            found.append(mutation)
            touched = touched or _concerns(mutation.node, shown)
        elif isinstance(mutation, SetText) and mutation.children_before:
            found.append(mutation)
            touched = touched or any(_concerns(child, shown) for child in mutation.children_before)
    return tuple(found) if touched else ()


def _is_deciding(mutation: SetAttribute, shown: frozenset[str]) -> bool:
    return _is_svg(mutation.element) or (
        mutation.name == "id" and not shown.isdisjoint({mutation.value, mutation.before})
    )


def _concerns(node: _Element, shown: frozenset[str]) -> bool:
    """Whether a node has SVG in it, or something that a ``<use>`` takes for its target."""
    return any(_is_svg(element) or element.get("id") in shown for element in node.iter("*"))


def _is_svg(element: _Element) -> bool:
    return str(element.tag).startswith(f"{{{SVG}}}")
