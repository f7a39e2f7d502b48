"""A snapshot of a document tree, shaped for selector matching.

Selectors ask the same few questions of every element (name, id, classes, attributes, neighbours); asking lxml each
time is slow, and a state of the page must not need its own copy of the document. So the tree is read once into nodes,
indexed by what selectors end in, and a state patches the attributes of the few nodes it changes.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element

XHTML = "http://www.w3.org/1999/xhtml"
SVG = "http://www.w3.org/2000/svg"
XLINK_HREF = "{http://www.w3.org/1999/xlink}href"


class Node:
    """One element of a :class:`Tree`; ``position`` is its place in document order."""

    __slots__ = (
        "attributes",
        "children",
        "classes",
        "element",
        "id",
        "index",
        "lower_name",
        "name",
        "namespace",
        "parent",
        "position",
    )

    def __init__(
        self, element: _Element, attributes: dict[str, str], parent: Node | None, position: int, index: int
    ) -> None:
        tag = element.tag
        self.element = element
        self.namespace, self.name = tag[1:].split("}", 1) if tag[0] == "{" else ("", tag)
        self.lower_name = self.name.lower()
        self.parent = parent
        self.position = position
        self.index = index
        self.children: list[Node] = []
        self.attributes = attributes
        self.id: str | None = None
        self.classes: frozenset[str] = frozenset()

    @property
    def is_html(self) -> bool:
        return self.namespace == XHTML

    @property
    def siblings(self) -> list[Node]:
        """The children of the parent, this node among them."""
        return self.parent.children if self.parent is not None else [self]

    def ancestors(self) -> Iterator[Node]:
        """The parent, its parent, and so on."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def has_text(self) -> bool:
        """Whether any text stands directly inside the element."""
        return bool(self.element.text) or any(child.tail for child in self.element)

    def __repr__(self) -> str:
        return f"<{self.name}{'#' + self.id if self.id else ''} {self.position}>"


class Tree:
    """All elements under a root, in document order.

    ``fold`` compares ids and classes without case, as a page without a doctype does (quirks mode). In an ``xml``
    document names of elements and attributes are compared with case, in HTML without, even those of SVG elements. In
    the ``shadow`` tree of a ``<use>`` element the root has no ancestors either, and it is not ``:root``.
    """

    def __init__(self, *, fold: bool = False, shadow: bool = False) -> None:
        self.fold = fold
        self.shadow = shadow
        self.xml = False
        self.nodes: list[Node] = []
        self.index: defaultdict[str, list[Node]] = defaultdict(list)
        self._by_element: dict[_Element, Node] = {}

    @classmethod
    def of(cls, root: _Element, *, fold: bool = False) -> Tree:
        """The tree of a document, as it is now."""
        tree = cls(fold=fold)
        tree.xml = root.tag != f"{{{XHTML}}}html"
        stack: list[tuple[_Element, Node | None, int]] = [(root, None, 0)]
        while stack:
            element, parent, index = stack.pop()
            node = tree._add(element, dict(element.attrib), parent, index)  # type: ignore[arg-type]
            children = [child for child in element if isinstance(child.tag, str)]
            stack.extend((child, node, place) for place, child in reversed(list(enumerate(children))))
        return tree

    def clone(self, top: Node) -> Tree:
        """The shadow tree that a ``<use>`` of ``top`` makes."""
        tree = Tree(fold=self.fold, shadow=True)
        tree.xml = self.xml
        stack: list[tuple[Node, Node | None, int]] = [(top, None, 0)]
        while stack:
            original, parent, index = stack.pop()
            node = tree._add(original.element, dict(original.attributes), parent, index)
            stack.extend((child, node, child.index) for child in reversed(original.children))
        return tree

    def _add(self, element: _Element, attributes: dict[str, str], parent: Node | None, index: int) -> Node:
        node = Node(element, attributes, parent, len(self.nodes), index)
        self.nodes.append(node)
        self._by_element[element] = node
        if parent is not None:
            parent.children.append(node)
        self._index(node)
        return node

    def let_go(self) -> None:
        """Take the tree apart, whose nodes would wait for Python's collector; nothing can be asked after that."""
        for node in self.nodes:
            node.children.clear()

    @property
    def root(self) -> Node:
        return self.nodes[0]

    def node(self, element: _Element) -> Node | None:
        """The node of an element, None when it is outside the tree."""
        return self._by_element.get(element)

    def candidates(self, keys: Iterable[str] | None) -> Iterable[Node]:
        """The nodes that a selector with these index keys can match; all nodes for None."""
        if keys is None:
            return self.nodes
        found: dict[int, Node] = {}
        for key in keys:
            for node in self.index.get(key, ()):
                found[node.position] = node
        return found.values()

    def set_attribute(self, node: Node, name: str, value: str | None) -> None:
        """Change an attribute of a node (not of its element); ids and classes are indexed again."""
        attributes = node.attributes
        if value is not None and name in attributes and name not in {"id", "class"}:
            attributes[name] = value
            return
        for key in self.keys(node):
            self.index[key].remove(node)
        if value is None:
            attributes.pop(name, None)
        else:
            attributes[name] = value
        self._index(node)

    def _index(self, node: Node) -> None:
        identifier = node.attributes.get("id")
        classes = node.attributes.get("class", "")
        if self.fold:
            identifier = identifier.lower() if identifier else identifier
            classes = classes.lower()
        node.id = identifier or None
        node.classes = frozenset(classes.split())
        for key in self.keys(node):
            self.index[key].append(node)

    @staticmethod
    def keys(node: Node) -> frozenset[str]:
        """The keys under which a node is indexed: its name, classes, attributes and id."""
        keys = {
            node.lower_name,
            *("." + name for name in node.classes),
            *("[" + name.lower() for name in node.attributes),
        }
        if node.id is not None:
            keys.add("#" + node.id)
        return frozenset(keys)
