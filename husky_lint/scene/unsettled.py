"""What script writes that cannot be told, such as a place drawn at random: the tree shows what was there before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from husky_lint.script.journal import MarkUnknown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element

    from husky_lint.scene.graph import SceneGraph, SceneNode
    from husky_lint.script.journal import Mutation

_STYLE: Final = "style/"
_PLACES: Final = frozenset(
    {
        *("transform", "viewBox", "preserveAspectRatio", "d", "points", "x1", "y1", "x2", "y2", "style", "class"),
        *("x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "href"),
    }
)
"""Attributes that say where something is, or whose style says it."""


def unsettled_nodes(scene: SceneGraph, mutations: Iterable[Mutation]) -> frozenset[SceneNode]:
    """The nodes whose boxes hang on what is unknown after mutations: those written to, with all in and around them.

    What is written on the scene's root or on what is around it is left out: a custom property of all of it may place
    nothing.
    """
    parts: dict[tuple[_Element, str], bool] = {}
    for mutation in mutations:
        if isinstance(mutation, MarkUnknown):
            parts[mutation.element, mutation.part] = mutation.value is not None
    elements = {element for (element, part), unknown in parts.items() if unknown and _places(part)}
    written = [node for node in scene.nodes if node.element in elements and node.parent is not None]
    return frozenset(one for node in written for one in (node, *node.ancestors(), *node.descendants()))


def _places(part: str) -> bool:
    return part in _PLACES or part.startswith(_STYLE)
