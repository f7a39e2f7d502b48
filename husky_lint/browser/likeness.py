"""The tree of the source made like the page that a browser shows, so that both speak of the same elements.

What differs becomes mutations, as script's doings are: they can be undone, and applied again. An element that the
source and what is known of its script have is the one that the live page has at its place; for any other a new element
is made, the same one whenever the page shows it again.
"""

from __future__ import annotations

from collections import defaultdict
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from lxml import etree

from husky_lint.script.journal import InsertNode, RemoveNode, SetAttribute, SetTextSlot, xml_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element

    from husky_lint.browser.stage import LiveElement
    from husky_lint.script.journal import Mutation

_MOST_COMPARED: Final = 2_000
"""Children of one element that are aligned by what they are; with more they are paired in their order."""


class Likeness:
    """Makes one tree like the pages that are shown, one after another."""

    def __init__(self) -> None:
        self._made: dict[tuple[_Element, str, str, int], _Element] = {}

    def follow(
        self, root: _Element, live: Sequence[LiveElement], earlier: Iterable[Mutation] = ()
    ) -> tuple[tuple[Mutation, ...], dict[_Element, int]]:
        """Make the tree at ``root`` like the live page.

        ``earlier`` are mutations that are applied already: what they removed is found again. Gives the further
        mutations, applied, and the live number of each element.
        """
        away: defaultdict[_Element, list[_Element]] = defaultdict(list)
        for mutation in earlier:
            if isinstance(mutation, RemoveNode) and isinstance(mutation.node.tag, str):
                away[mutation.parent].append(mutation.node)
        children: defaultdict[int, list[int]] = defaultdict(list)
        for place, one in enumerate(live):
            children[one.parent].append(place)
        done: list[Mutation] = []
        numbers: dict[_Element, int] = {}
        stack = [(root, 0)] if live else []
        while stack:
            element, place = stack.pop()
            shown = live[place]
            numbers[element] = shown.number
            done.extend(_apply(_attributes(element, shown)))
            below = [(live[child], child) for child in children[place]]
            done.extend(self._children(element, [one for one, _ in below], away))
            done.extend(_apply(_texts(element, shown)))
            stack.extend(zip(_elements(element), (child for _, child in below), strict=True))
        return tuple(done), numbers

    def _children(
        self, parent: _Element, wanted: Sequence[LiveElement], away: dict[_Element, list[_Element]]
    ) -> Iterator[Mutation]:
        """Let the element children of ``parent`` be what is wanted, in number, order and kind."""
        present = _elements(parent)
        if [child.tag for child in present] == [one.tag for one in wanted]:
            return
        partner = _pair(present, wanted)
        kept = {id(child) for child in partner.values()}
        for child in present:
            if id(child) not in kept:
                yield from _apply([RemoveNode.of(child)])
                away[parent].append(child)
        ordinals: defaultdict[tuple[str, str], int] = defaultdict(int)
        before: _Element | None = None
        for place, one in enumerate(wanted):
            kind = (one.tag, one.attributes.get("id", ""))
            ordinal = ordinals[kind]
            ordinals[kind] += 1
            if place not in partner:
                partner[place] = self._new(parent, one, ordinal, away[parent])
                index = 0 if before is None else parent.index(before) + 1
                yield from _apply([InsertNode.of(parent, partner[place], index)])
            before = partner[place]

    def _new(self, parent: _Element, one: LiveElement, ordinal: int, away: list[_Element]) -> _Element:
        for child in away:
            if child.tag == one.tag and child.getparent() is None and child.get("id") == one.attributes.get("id"):
                away.remove(child)
                return child
        key = (parent, one.tag, one.attributes.get("id", ""), ordinal)
        known = self._made.get(key)
        if known is None or known.getparent() is not None:
            known = self._made[key] = parent.makeelement(_tag(one.tag))
        return known


def _apply(mutations: Iterable[Mutation]) -> list[Mutation]:
    applied = []
    for mutation in mutations:
        mutation.apply()
        applied.append(mutation)
    return applied


def _elements(element: _Element) -> list[_Element]:
    return [child for child in element if isinstance(child.tag, str)]


def _attributes(element: _Element, shown: LiveElement) -> list[Mutation]:
    if dict(element.attrib.items()) == shown.attributes:
        return []
    found: list[Mutation] = [
        SetAttribute.of(element, str(name), None) for name in element.attrib if name not in shown.attributes
    ]
    for name, value in shown.attributes.items():
        if _can_be_named(name) and element.get(name) != xml_text(value):
            found.append(SetAttribute.of(element, name, value))
    return found


def _can_be_named(name: str) -> bool:
    """Whether XML allows the name (namespace declarations are no attributes there)."""
    if name == "xmlns" or name.startswith(("{http://www.w3.org/2000/xmlns/}", "xmlns:")):
        return False
    try:
        etree.QName(name)
    except ValueError:
        return False
    return True


def _tag(name: str) -> str:
    try:
        etree.QName(name)
    except ValueError:
        return "{http://www.w3.org/1999/xhtml}unknown"
    return name


def _texts(element: _Element, shown: LiveElement) -> list[Mutation]:
    children = _elements(element)
    if len(children) != len(element):  # something in the tree that is no element: the slots do not correspond
        return []
    slots = [element.text or "", *(child.tail or "" for child in children)]
    texts = list(shown.texts) or [""] * len(slots)
    if slots == texts:
        return []
    return [
        SetTextSlot.of(element, index, text)
        for index, (slot, text) in enumerate(zip(slots, texts, strict=False))
        if slot.split() != xml_text(text).split()
    ]


def _pair(present: Sequence[_Element], wanted: Sequence[LiveElement]) -> dict[int, _Element]:
    """For places of ``wanted`` the child that it is: by name, id and class first, then by name alone."""
    if len(present) > _MOST_COMPARED or len(wanted) > _MOST_COMPARED:
        pairs = zip(present, enumerate(wanted), strict=False)
        return {place: child for child, (place, one) in pairs if child.tag == one.tag}
    ours = [(child.tag, child.get("id"), child.get("class")) for child in present]
    theirs = [(one.tag, one.attributes.get("id"), one.attributes.get("class")) for one in wanted]
    found: dict[int, _Element] = {}
    for kind, a0, a1, b0, b1 in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if kind == "equal":
            found.update(zip(range(b0, b1), present[a0:a1], strict=True))
            continue
        names = SequenceMatcher(
            None, [child.tag for child in present[a0:a1]], [one.tag for one in wanted[b0:b1]], autojunk=False
        )
        for a, b, size in names.get_matching_blocks():
            found.update(zip(range(b0 + b, b0 + b + size), present[a0 + a : a0 + a + size], strict=True))
    return found
