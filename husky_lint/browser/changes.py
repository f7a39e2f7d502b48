"""What changed on a live page, told as effects of script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from husky_lint.script.effects import Effect
from husky_lint.script.journal import InsertNode, RemoveNode, SetAttribute, SetText, SetTextSlot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from husky_lint.script.journal import Mutation


def effects_of(mutations: Iterable[Mutation], trigger: str) -> Iterator[Effect]:
    """One effect for each thing that is seen to have changed; certain, and without the place of the script."""
    for mutation in mutations:
        match mutation:
            case SetAttribute(element=element, name="class", value=value):
                yield Effect("class", element, "class", value, trigger, True, None)
            case SetAttribute(element=element, name=name, value=value):
                yield Effect("attribute", element, name, value, trigger, True, None)
            case SetText(element=element, text=text):
                yield Effect("text", element, "textContent", text, trigger, True, None)
            case SetTextSlot(parent=parent, text=text):
                yield Effect("text", parent, "textContent", text, trigger, True, None)
            case InsertNode(node=node):
                yield Effect("insert", node, "", None, trigger, True, None)
            case RemoveNode(node=node):
                yield Effect("remove", node, "", None, trigger, True, None)
