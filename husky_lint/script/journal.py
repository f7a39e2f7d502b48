"""What script does to the document tree, as mutations that can be undone and applied again.

The tree is lxml's: text is not a node there but a *slot*, ``parent.text`` in front of the first child and ``tail``
behind each child. A mutation says what it changes in DOM terms and moves the slots' text as a browser would: text
around a removed element stays, text around an inserted one is split.

Mutations remember what they replaced, so ``undo`` is exact when mutations are undone in the reverse order, and
``apply`` afterwards gives the same tree again.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, cast

from husky_lint.script.values import MISSING, WHOLE

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from lxml.etree import _Element

    from husky_lint.script.animations import ScriptAnimation
    from husky_lint.script.values import Unknown
    from husky_lint.source import Span

CLOCK_HELD = "{about:state}clock-held"
"""Stands on an ``<svg>`` whose SVG animations script has paused; no page can write it."""

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
        if name in element.attrib:
            del element.attrib[name]
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


@dataclass(frozen=True, slots=True, eq=False)
class SetProperty:
    """State of an element that is no attribute: ``checked``, ``value``, ``selectedIndex``, ``indeterminate``."""

    properties: dict[tuple[_Element, str], object]
    element: _Element
    name: str
    value: object
    before: object
    span: Span | None = None

    def apply(self) -> None:
        _store(self.properties, (self.element, self.name), self.value)

    def undo(self) -> None:
        _store(self.properties, (self.element, self.name), self.before)


@dataclass(frozen=True, slots=True, eq=False)
class MarkUnknown:
    """What ``part`` of ``element`` holds cannot be told, for this ``value.reason`` (None: it can be told again).

    A part is an attribute's name, ``style/PROPERTY`` for one inline declaration, ``#text`` or ``#children``. The tree
    does not change: it shows what was there before.
    """

    unknown: dict[tuple[_Element, str], Unknown]
    element: _Element
    part: str
    value: Unknown | None
    before: Unknown | None
    span: Span | None = None

    def apply(self) -> None:
        _store(self.unknown, (self.element, self.part), self.value)

    def undo(self) -> None:
        _store(self.unknown, (self.element, self.part), self.before)


@dataclass(frozen=True, slots=True, eq=False)
class SetAnimation:
    """An animation of ``element`` is from now on as ``value`` says; None: one that script has made has no effect.

    ``called`` is the number of one that script has made, in the order in which it made them, and the name of one of
    the style sheets that script has taken into its hands.
    """

    animations: dict[tuple[_Element, int | str], ScriptAnimation]
    element: _Element
    called: int | str
    value: ScriptAnimation | None
    before: ScriptAnimation | None
    span: Span | None = None

    def apply(self) -> None:
        _store(self.animations, (self.element, self.called), self.value)

    def undo(self) -> None:
        _store(self.animations, (self.element, self.called), self.before)


def _store(table: dict[Any, Any], key: Hashable, value: object) -> None:
    if value is None:
        table.pop(key, None)
    else:
        table[key] = value


TreeMutation = SetAttribute | InsertNode | RemoveNode | SetText | SetTextSlot | SetProperty | MarkUnknown | SetAnimation


# (container, key, value before): a dictionary's item, a list's item, or an attribute of any other object. A dictionary
# with key WHOLE is restored from a copy, so that the order of its keys comes back too.
HeapWrite = tuple[Any, Any, Any]


def restore(write: HeapWrite) -> None:
    """Undo one write to a variable, property or array."""
    container, key, before = write
    kind = type(container)
    if kind is list:
        container[key] = before
    elif kind is dict:
        if key is WHOLE:
            container.clear()
            container.update(before)
        elif before is MISSING:
            container.pop(key, None)
        else:
            container[key] = before
    else:
        setattr(container, key, before)


@dataclass(slots=True)
class Journal:
    """Everything that happened, in order: mutations of the tree, and writes to the variables and objects of scripts.

    A mark is a length of the journal; ``undo_to`` takes back whatever came after it, in reverse. ``epoch`` changes
    with every mark and undo: what is journaled as a whole copy is copied once an epoch.

    ``versions`` has, by attribute name and (``""``) for which elements stand where, the number of the last mutation
    that touched it. They come back with an undo, as the tree does.
    """

    entries: list[Mutation | HeapWrite] = field(default_factory=list)
    unknown: dict[tuple[_Element, str], Unknown] = field(default_factory=dict)
    properties: dict[tuple[_Element, str], object] = field(default_factory=dict)
    animations: dict[tuple[_Element, int | str], ScriptAnimation] = field(default_factory=dict)
    epoch: int = 0
    versions: dict[str, int] = field(default_factory=dict)
    _before: list[tuple[str, int]] = field(default_factory=list)
    _number: int = 0

    def mark(self) -> int:
        """The present, to return to."""
        self.epoch += 1
        return len(self.entries)

    def since(self, mark: int = 0) -> tuple[TreeMutation, ...]:
        """The mutations of the tree after ``mark``, oldest first."""
        return tuple(entry for entry in self.entries[mark:] if isinstance(entry, _TREE_MUTATIONS))

    def apply(self, mutation: Mutation) -> None:
        """Do a mutation and write it down."""
        part = _touched(mutation)
        if part is not None:
            self._number += 1
            self._before.append((part, self.versions.get(part, 0)))
            self.versions[part] = self._number
        mutation.apply()
        self.entries.append(mutation)

    def version(self, attributes: Iterable[str]) -> Hashable:
        """Equal when no element has come, gone or moved, and none of these attributes been written."""
        versions = self.versions
        return (versions.get("", 0), *[versions.get(name, 0) for name in attributes])

    def undo_to(self, mark: int = 0) -> None:
        """Take back everything after ``mark``."""
        self.epoch += 1
        entries = self.entries
        while len(entries) > mark:
            entry = entries.pop()
            if type(entry) is tuple:
                restore(entry)
            else:
                mutation = cast("Mutation", entry)
                mutation.undo()
                if _touched(mutation) is not None:
                    part, number = self._before.pop()
                    self.versions[part] = number

    def set_property(self, element: _Element, name: str, value: object, span: Span | None = None) -> None:
        """Write state of an element that is no attribute."""
        before = self.properties.get((element, name))
        self.apply(SetProperty(self.properties, element, name, value, before, span))

    def set_animation(
        self, element: _Element, called: int | str, value: ScriptAnimation | None, span: Span | None = None
    ) -> None:
        """Say how an animation is from now on."""
        before = self.animations.get((element, called))
        self.apply(SetAnimation(self.animations, element, called, value, before, span))

    def mark_unknown(self, element: _Element, part: str, value: Unknown | None, span: Span | None = None) -> None:
        """Say that a part of an element is unknown, or known again."""
        before = self.unknown.get((element, part))
        if before is not value:
            self.apply(MarkUnknown(self.unknown, element, part, value, before, span))


def _touched(mutation: Mutation) -> str | None:
    """The attribute that a mutation writes, ``""`` where elements move, None for what no selector looks at."""
    kind = type(mutation)
    if kind is SetAttribute:
        return cast("SetAttribute", mutation).name
    if kind is SetText:
        return "" if cast("SetText", mutation).children_before else None
    return "" if kind is InsertNode or kind is RemoveNode else None


_TREE_MUTATIONS = (SetAttribute, InsertNode, RemoveNode, SetText, SetTextSlot, SetProperty, MarkUnknown, SetAnimation)


def apply_all(mutations: Iterable[Mutation]) -> None:
    """Apply mutations of a journal again, in their order."""
    for mutation in mutations:
        mutation.apply()


def undo_all(mutations: Iterable[Mutation]) -> None:
    """Undo mutations, in the reverse of their order."""
    for mutation in reversed(tuple(mutations)):
        mutation.undo()


@contextmanager
def applied(mutations: Iterable[Mutation]) -> Iterator[None]:
    """The tree with mutations applied, for the time of the block."""
    kept = tuple(mutations)
    apply_all(kept)
    try:
        yield
    finally:
        undo_all(kept)
