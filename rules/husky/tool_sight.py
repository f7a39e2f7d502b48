"""What of the page a check reads: the elements that its selectors meet, where all of them are written out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from husky_lint.rule import Undecided
from husky_lint.script.journal import applied
from husky_lint.style.words import words

from .rig import rig_of
from .tool_program import key_of
from .tool_selectors import elements_met, elements_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.parse.js import JsNode

    from .tool_failure import Assertion
    from .tool_flow import Key
    from .tool_reading import Tools

_WANDERING: Final = words(
    """
    getAnimations closest parentElement parentNode children childNodes firstElementChild lastElementChild firstChild
    lastChild nextElementSibling previousElementSibling nextSibling previousSibling elementFromPoint elementsFromPoint
    getElementsByTagName getElementsByTagNameNS createTreeWalker createNodeIterator styleSheets concat replace
    replaceAll join toLowerCase toUpperCase repeat fromCharCode
    """
)
"""Ways to an element, or to the text of a selector, that no selector in the source tells of."""
_NAME: Final = re.compile(r"[A-Za-z_][\w-]*")
_MAX_STEPS: Final = 4000
_MAX_TEXTS: Final = 24


def overlooks_leg(evidence: Evidence, tools: Tools, check: Assertion, leg: str) -> bool:
    """Whether a check surely reads nothing of a leg: all that it reads is written out, and is of other legs' parts.

    That leaves the other checks of an audit to be asked. False where there are too many texts to be tried.
    """
    try:
        legs = rig_of(evidence).legs
    except Undecided:
        return False
    texts = _texts_read(tools, check)
    if leg not in legs or texts is None or len(texts) > _MAX_TEXTS:
        return False
    with applied(evidence.states.initial.mutations):
        read = _met(evidence, texts)
        own = _line(legs[leg].joints[0].node.element, read)
        others = [_line(one.joints[0].node.element, read) for name, one in legs.items() if name != leg]
    return not own and any(others)


def _line(root: _Element, read: frozenset[_Element]) -> bool:
    """Whether anything that is read is a part, or a group around it, of what hangs at ``root``.

    The drawing's svg is none: its box is what scales the others.
    """
    around = set(root.iter("*")) | {above for above in root.iterancestors() if not str(above.tag).endswith("}svg")}
    return not around.isdisjoint(read)


def _met(evidence: Evidence, texts: Iterable[str]) -> frozenset[_Element]:
    """The elements that texts may mean, as selectors or as names."""
    found: set[_Element] = set()
    every = elements_of(evidence)
    for text in texts:
        found.update(elements_met(text, every) or ())
        if _NAME.fullmatch(text):
            found.update(one for one in every if text == one.get("id") or text in (one.get("class") or "").split())
    return frozenset(found)


def _texts_read(tools: Tools, check: Assertion) -> frozenset[str] | None:
    """All texts that go into what decides a check; None where one is put together, or an element is found otherwise."""
    found: set[str] = set()
    seen: set[tuple[str, int, tuple[str, ...], int]] = set()
    stack: list[Key] = []
    for one in check.decisions:
        stack += (("expression", one.node, one.path, one.context), ("control", one.node, (), one.context))
    while stack:
        key = stack.pop()
        ident = (key[0], id(key[1]), tuple(key[2]), id(key[3]))
        if ident in seen:
            continue
        seen.add(ident)
        if len(seen) > _MAX_STEPS:
            return None
        if key[0] == "expression":
            node: JsNode = key[1]
            if not _is_plain(node):
                return None
            if node.type == "Literal" and isinstance(node.value, str):
                found.add(node.value)
            elif node.type == "TemplateLiteral":
                found.update(str(one.value.cooked or "") for one in node.quasis)
        stack += tools.flow.following(key)
    return frozenset(found)


def _is_plain(node: JsNode) -> bool:
    """Whether nothing but the literals in it says which elements an expression speaks of."""
    if node.type == "TemplateLiteral":
        return not node.expressions
    if node.type == "BinaryExpression" and node.operator == "+":
        return not any(isinstance(getattr(one, "value", None), str) for one in (node.left, node.right))
    if node.type == "CallExpression":
        node = node.callee
    return node.type != "MemberExpression" or key_of(node) not in _WANDERING
