"""What script does to the document tree, as mutations that can be undone and applied again.

The tree is lxml's: text is not a node there but a *slot*, ``parent.text`` in front of the first child and ``tail`` behind
each child. A mutation says what it changes in DOM terms and moves the slots' text as a browser would: text around a
removed element stays, text around an inserted one is split.

Mutations remember what they replaced, so ``undo`` is exact when mutations are undone in the reverse order, and ``apply``
afterwards gives the same tree again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lxml.etree import _Element

    from husky_lint.source import Span

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    """``text`` as an lxml tree can hold it: characters that XML 1.0 has no place for become U+FFFD."""
    return text if text.isascii() and text.isprintable() else _NOT_XML.sub("\ufffd", text)


def text_slot(parent: _Element, index: int) -> str:
    """The text in front of child ``index``; ``len(parent)`` names the slot behind the last child."""
    return (parent.text if index == 0 else parent[index - 1].tail) or ""


def set_text_slot(parent: _Element, index: int, text: str) -> None:
    """Replace the text in front of child ``index``."""
    if index == 0:
        parent.text = text or None
    else:
        parent[index - 1].tail = text or None


class Mutation(Protocol):
    """One change of the tree, already applied when it is found in a journal."""

    @property
    def span(self) -> Span | None:
        """The expression of the script that does it."""

    def apply(self) -> None:
        """Do it again, on the tree it was first done on."""

    def undo(self) -> None:
        """Take it back; mutations done after it must have been undone before."""


@dataclass(frozen=True, slots=True, eq=False)
class SetAttribute:
    """``element`` gets ``name="value"``, or loses the attribute where ``value`` is None.

    The inline style and the class are attributes too.
    """

    element: _Element
    name: str
    value: str | None
    before: str | None
    span: Span | None = None

    @classmethod
    def of(cls, element: _Element, name: str, value: str | None, span: Span | None = None) -> SetAttribute:
        """The mutation that leads from the tree as it is to that value."""
        return cls(element, name, None if value is None else xml_text(value), element.get(name), span)

    def apply(self) -> None:
        _set_attribute(self.element, self.name, self.value)

    def undo(self) -> None:
        _set_attribute(self.element, self.name, self.before)


@dataclass(frozen=True, slots=True, eq=False)
class InsertNode:
    """``node`` (an element or a comment, detached until now) becomes child ``index`` of ``parent``.

    ``split`` is how many characters of the text in that slot stay in front of it.
    """

    parent: _Element
    node: _Element
    index: int
    split: int
    span: Span | None = None

    @classmethod
    def of(
        cls, parent: _Element, node: _Element, index: int, split: int | None = None, span: Span | None = None
    ) -> InsertNode:
        """``split`` None means behind all of the slot's text."""
        return cls(parent, node, index, len(text_slot(parent, index)) if split is None else split, span)

    def apply(self) -> None:
        _insert(self.parent, self.node, self.index, self.split)

    def undo(self) -> None:
        _remove(self.node)


@dataclass(frozen=True, slots=True, eq=False)
class RemoveNode:
    """``node`` leaves the tree; the text behind it stays."""

    node: _Element
    parent: _Element
    index: int
    split: int
    span: Span | None = None

    @classmethod
    def of(cls, node: _Element, span: Span | None = None) -> RemoveNode:
        """``node`` must have a parent."""
        parent = node.getparent()
        if parent is None:
            msg = "the node is not in a tree"
            raise ValueError(msg)
        index = parent.index(node)
        return cls(node, parent, index, len(text_slot(parent, index)), span)

    def apply(self) -> None:
        _remove(self.node)

    def undo(self) -> None:
        _insert(self.parent, self.node, self.index, self.split)


@dataclass(frozen=True, slots=True, eq=False)
class SetText:
    """The children of ``element`` are replaced by ``text`` (``textContent``)."""

    element: _Element
    text: str
    text_before: str
    children_before: tuple[_Element, ...]
    tails_before: tuple[str, ...]
    span: Span | None = None

    @classmethod
    def of(cls, element: _Element, text: str, span: Span | None = None) -> SetText:
        """The mutation that leads from the tree as it is to that text."""
        children = tuple(element)
        tails = tuple(child.tail or "" for child in children)
        return cls(element, xml_text(text), element.text or "", children, tails, span)

    def apply(self) -> None:
        for child in self.children_before:
            if child.getparent() is self.element:
                self.element.remove(child)
                child.tail = None
        self.element.text = self.text or None

    def undo(self) -> None:
        self.element.text = self.text_before or None
        for index, (child, tail) in enumerate(zip(self.children_before, self.tails_before, strict=True)):
            child.tail = tail or None
            self.element.insert(index, child)


@dataclass(frozen=True, slots=True, eq=False)
class SetTextSlot:
    """The text in front of child ``index`` of ``parent`` changes: a text node is inserted, removed or edited."""

    parent: _Element
    index: int
    text: str
    before: str
    span: Span | None = None

    @classmethod
    def of(cls, parent: _Element, index: int, text: str, span: Span | None = None) -> SetTextSlot:
        """The mutation that leads from the tree as it is to that text."""
        return cls(parent, index, xml_text(text), text_slot(parent, index), span)

    def apply(self) -> None:
        set_text_slot(self.parent, self.index, self.text)

    def undo(self) -> None:
        set_text_slot(self.parent, self.index, self.before)


def _set_attribute(element: _Element, name: str, value: str | None) -> None:
    if value is None:
        element.attrib.pop(name, None)
    else:
        element.set(name, value)


def _insert(parent: _Element, node: _Element, index: int, split: int) -> None:
    text = text_slot(parent, index)
    set_text_slot(parent, index, text[:split])
    node.tail = text[split:] or None
    parent.insert(index, node)


def _remove(node: _Element) -> None:
    parent = node.getparent()
    if parent is None:
        return
    index = parent.index(node)
    tail = node.tail or ""
    parent.remove(node)
    node.tail = None
    if tail:
        set_text_slot(parent, index, text_slot(parent, index) + tail)


@dataclass(slots=True)
class Journal:
    """Everything that happened, in order: mutations of the tree, and how to restore what script variables held.

    A mark is a length of the journal; ``undo_to`` takes back whatever came after it, in reverse.
    """

    entries: list[Mutation | Callable[[], None]] = field(default_factory=list)

    def mark(self) -> int:
        """The present, to return to."""
        return len(self.entries)

    def since(self, mark: int = 0) -> tuple[Mutation, ...]:
        """The mutations of the tree after ``mark``, oldest first."""
        return tuple(entry for entry in self.entries[mark:] if not callable(entry))

    def apply(self, mutation: Mutation) -> None:
        """Do a mutation and write it down."""
        mutation.apply()
        self.entries.append(mutation)

    def undo_to(self, mark: int = 0) -> None:
        """Take back everything after ``mark``."""
        while len(self.entries) > mark:
            entry = self.entries.pop()
            if callable(entry):
                entry()
            else:
                entry.undo()


def apply_all(mutations: Iterable[Mutation]) -> None:
    """Apply mutations of a journal again, in their order."""
    for mutation in mutations:
        mutation.apply()


def undo_all(mutations: Iterable[Mutation]) -> None:
    """Undo mutations, in the reverse of their order."""
    for mutation in reversed(tuple(mutations)):
        mutation.undo()
