"""The scene: what is under the scene's ``<svg>``, in paint order, with the instances that ``<use>`` makes.

The graph depends on the document alone. Style decides later which nodes are displayed (``display``) and where.
Paint order is document order; ``z-index`` does not apply to SVG (SVG 2, section 3.4).
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import networkx as nx
    from lxml.etree import _Element

SVG: Final = "http://www.w3.org/2000/svg"
XLINK_HREF: Final = "{http://www.w3.org/1999/xlink}href"

MAX_NODES: Final = 30_000
"""Instances and elements of one scene; beyond it a ``<use>`` is left unexpanded and marked."""

LANGUAGE: Final = "en"
"""The user's language that ``systemLanguage`` is compared with."""

SHAPES: Final = frozenset({"rect", "circle", "ellipse", "line", "polyline", "polygon", "path"})
CONTAINERS: Final = frozenset({"svg", "g", "a", "switch", "use"})
_LEAVES: Final = SHAPES | {"image", "text", "foreignObject"}
_TEXT_CHILDREN: Final = frozenset({"tspan", "textPath", "a"})
_CLONED: Final = SHAPES | CONTAINERS | {"symbol", "image", "text"}
_CONDITIONAL: Final = SHAPES | CONTAINERS | {"image", "text", "foreignObject", "defs", "tspan", "textPath"}
_EXTENSIONS: Final = frozenset({"http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML"})


class Place(Enum):
    """Whether the structure lets an element be painted where it stands."""

    RENDERED = "rendered"
    TEXT = "text"
    """Inside ``<text>``: painted, laid out with the fonts of the reader."""
    FOREIGN = "foreign"
    """Inside ``<foreignObject>``: laid out as HTML."""
    NEVER = "never"
    """In ``<defs>`` and its like, not chosen by ``<switch>``, or no element that SVG paints."""


class SceneDocument(Protocol):
    """What the scene needs of a parsed document: its root."""

    @property
    def root(self) -> _Element: ...


@dataclass(eq=False, slots=True)
class SceneNode:
    """An element of the scene, or an instance of one inside a ``<use>``.

    ``index`` is the place in paint order (of the start tag: a group comes before what it contains). ``uses`` are the
    ``<use>`` elements this is an instance through, outermost first; empty for an element that is in the scene itself.
    ``position`` counts element siblings from 1, as ``:nth-child`` does.
    """

    element: _Element
    name: str
    parent: SceneNode | None
    position: int
    index: int
    depth: int
    place: Place
    uses: tuple[_Element, ...] = ()
    children: list[SceneNode] = field(default_factory=list)
    cut_off: bool = False
    """What stands below an instance was left out because the scene had grown to :data:`MAX_NODES`."""
    external: bool = False
    """A ``<use>`` that refers to another file."""

    @property
    def is_instance(self) -> bool:
        return bool(self.uses)

    @property
    def is_instance_root(self) -> bool:
        """Whether this is what a ``<use>`` refers to, standing in it."""
        return self.parent is not None and len(self.uses) > len(self.parent.uses)

    @property
    def css_path(self) -> str:
        """The path from the scene's svg: ``svg>g:nth-child(3)>path:nth-child(1)``.

        Inside a ``<use>`` it goes on after ``>>>``, which no selector of the page can follow.
        """
        steps: list[str] = []
        node: SceneNode | None = self
        while node is not None:
            if node.parent is None:
                steps.append(node.name)
            elif node.is_instance_root:
                steps.append(f">>>{node.name}")
            else:
                steps.append(f">{node.name}:nth-child({node.position})")
            node = node.parent
        return "".join(reversed(steps))

    def ancestors(self) -> Iterator[SceneNode]:
        """The parent, its parent, and so on."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def descendants(self) -> Iterator[SceneNode]:
        """Everything below, in paint order."""
        stack = list(reversed(self.children))
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def __repr__(self) -> str:
        return f"<SceneNode {self.index} {self.css_path}>"


class SceneGraph:
    """All nodes of a scene; ``nodes`` is in paint order and starts with the scene's svg.

    ``kept`` is what others work out once, keyed by nodes and elements, for all scenes of one page: it has several where
    script inserts nodes. (Not in a weak map, whose values would lead back to its keys.)
    """

    def __init__(self, nodes: Iterable[SceneNode], kept: dict[str, Any] | None = None) -> None:
        self.nodes: tuple[SceneNode, ...] = tuple(nodes)
        self.root: SceneNode = self.nodes[0]
        self.kept: dict[str, Any] = {} if kept is None else kept

    def let_go(self) -> None:
        """Take the scene apart, and what is kept of it; nothing can be asked after that."""
        for one in self.kept.values():
            if hasattr(one, "let_go"):
                one.let_go()
        self.kept.clear()
        for node in self.nodes:
            node.children.clear()

    @cached_property
    def elements(self) -> Mapping[_Element, SceneNode]:
        """The node of each element that is in the scene itself, not an instance."""
        return {node.element: node for node in self.nodes if not node.uses}

    @cached_property
    def by_path(self) -> Mapping[str, SceneNode]:
        """Nodes by :attr:`SceneNode.css_path`."""
        return {node.css_path: node for node in self.nodes}

    def node(self, element: _Element) -> SceneNode | None:
        """The node of an element, None when it is outside the scene."""
        return self.elements.get(element)

    @cached_property
    def _instances(self) -> Mapping[_Element, tuple[SceneNode, ...]]:
        found: defaultdict[_Element, list[SceneNode]] = defaultdict(list)
        for node in self.nodes:
            found[node.element].append(node)
        return {element: tuple(nodes) for element, nodes in found.items()}

    def instances(self, element: _Element) -> tuple[SceneNode, ...]:
        """Every node of an element, in paint order: where it stands, and its instances in each ``<use>``."""
        return self._instances.get(element, ())

    def around(self, elements: Iterable[_Element]) -> SceneGraph:
        """Only the nodes of some elements, with what is in them and the groups around them, in paint order."""
        roots = {node for element in elements for node in self.instances(element)}
        kept = {above for node in roots for above in (node, *node.ancestors())}
        inside: set[SceneNode] = set()
        for node in self.nodes:  # parents come before children
            if node in roots or node.parent in inside:
                inside.add(node)
        chosen = [node for node in self.nodes if node in kept or node in inside or node is self.root]
        return SceneGraph(chosen, self.kept)

    @cached_property
    def view_box(self) -> ViewBox | None:
        return parse_view_box(self.root.element.get("viewBox"))

    @cached_property
    def graph(self) -> nx.DiGraph[SceneNode]:
        """Edges from parent to child; ``kind`` is ``child``, or ``instance`` from a ``<use>`` to what it shows."""
        import networkx

        graph: nx.DiGraph[SceneNode] = networkx.DiGraph()
        graph.add_nodes_from(self.nodes)
        for node in self.nodes:
            if node.parent is not None:
                graph.add_edge(node.parent, node, kind="instance" if node.is_instance_root else "child")
        return graph


# ---------------------------------------------------------------------------------------------------------------------
# Building


def local_name(element: _Element) -> str:
    """The name of an SVG element, "" for an element of another namespace and for comments."""
    tag = element.tag
    if isinstance(tag, str) and tag.startswith("{" + SVG + "}"):
        return tag[len(SVG) + 2 :]
    return ""


def _plain_name(element: _Element) -> str:
    return element.tag.rsplit("}", 1)[-1]


def find_scene(document: SceneDocument) -> _Element | None:
    """The svg that is the scene: of the outermost ones the one that paints most shapes, then the largest viewBox.

    Icons and sprite sheets paint little where they stand. None when the document has no svg.
    """
    best: tuple[int, float] | None = None
    scene: _Element | None = None
    targets = _Targets(document.root)
    for svg in _outermost(document.root):
        view_box = parse_view_box(svg.get("viewBox"))
        score = (_painted_shapes(svg, targets), view_box.width * view_box.height if view_box else 0.0)
        if best is None or score > best:
            best, scene = score, svg
    return scene


def _elements(element: _Element) -> list[_Element]:
    return [child for child in element if isinstance(child.tag, str)]


def _outermost(root: _Element) -> Iterator[_Element]:
    stack = [root]
    while stack:
        element = stack.pop()
        if local_name(element) == "svg":
            yield element
        else:
            stack.extend(reversed(_elements(element)))


def _painted_shapes(svg: _Element, targets: _Targets) -> int:
    """Shapes that stand in the svg, and the ones in what its ``<use>`` elements refer to (not followed further)."""
    count = 0
    stack = [(svg, True)]
    while stack and count < MAX_NODES:
        element, follow = stack.pop()
        name = local_name(element)
        if name in SHAPES or name in {"image", "text"}:
            count += 1
        elif name == "use" and follow:
            target = targets.of(element)
            if target is not None:
                stack.extend((child, False) for child in (target, *_elements(target)))
        elif name in CONTAINERS:
            stack.extend((child, follow) for child in _elements(element))
    return count


class _Targets:
    """What ``<use>`` elements of a document refer to."""

    def __init__(self, root: _Element) -> None:
        self._root = root

    @cached_property
    def _by_id(self) -> Mapping[str, _Element]:
        found: dict[str, _Element] = {}
        for element in self._root.iter("*"):
            identifier = element.get("id")
            if identifier:
                found.setdefault(identifier, element)
        return found

    def fragment(self, use: _Element) -> str | None:
        """The fragment of a reference into this document; None when it refers elsewhere, or nowhere."""
        href = use.get("href", use.get(XLINK_HREF, "")).strip()
        return href[1:] if href.startswith("#") else None

    def of(self, use: _Element) -> _Element | None:
        """The element that is shown, None when there is none or SVG does not allow it there."""
        fragment = self.fragment(use)
        if not fragment:
            return None
        target = self._by_id.get(fragment)
        if target is None:
            target = self._by_id.get(unquote(fragment))
        return target if target is not None and local_name(target) in _CLONED else None


def passes_conditions(element: _Element) -> bool:
    """Conditional processing attributes (SVG 2, section 5.8) for a reader of English."""
    languages = element.get("systemLanguage")
    if languages is not None:
        tags = (tag.strip().lower() for tag in languages.split(","))
        if not any(tag == LANGUAGE or tag.startswith(LANGUAGE + "-") for tag in tags):
            return False
    extensions = element.get("requiredExtensions")
    if extensions is not None:
        names = extensions.split()
        return bool(names) and all(name in _EXTENSIONS for name in names)
    return True


def build_scene(
    document: SceneDocument, root: _Element | None = None, *, kept: dict[str, Any] | None = None
) -> SceneGraph:
    """The graph of the scene at ``root`` (by default :func:`find_scene`). Raises ValueError without an svg.

    ``kept`` is that of other scenes of the same page.
    """
    if root is None:
        root = find_scene(document)
    if root is None:
        raise ValueError("the document has no svg")
    targets = _Targets(document.root)
    nodes: list[SceneNode] = []
    # Pushed in reverse, so that nodes come in document order without recursion.
    stack: list[_Pending] = [(root, None, 1, ())]
    while stack:
        element, parent, position, uses = stack.pop()
        depth = 0 if parent is None else parent.depth + 1
        name = _plain_name(element)
        node = SceneNode(element, name, parent, position, len(nodes), depth, Place.RENDERED, uses)
        node.place = _place(node)
        nodes.append(node)
        if parent is not None:
            parent.children.append(node)
        if name == "use" and local_name(element) == "use":
            _expand(node, targets, stack, len(nodes))
        elif uses and len(nodes) + len(stack) >= MAX_NODES:
            node.cut_off = True
            continue
        # The children of a <use> itself are never painted, but they are elements of the scene.
        children = _elements(element)
        stack.extend((child, node, place, uses) for place, child in reversed(list(enumerate(children, 1))))
    return SceneGraph(nodes, kept)


_Pending = tuple["_Element", "SceneNode | None", int, tuple["_Element", ...]]
"""An element still to become a node: its parent, its position among siblings, the ``<use>`` elements it is in."""


def _expand(use: SceneNode, targets: _Targets, stack: list[_Pending], size: int) -> None:
    """Let what a ``<use>`` refers to follow as its child."""
    if use.place is not Place.RENDERED:
        return
    target = targets.of(use.element)
    if target is None:
        use.external = targets.fragment(use.element) is None and _has_reference(use.element)
    elif not _is_cyclic(use, target):
        if size + len(stack) >= MAX_NODES:
            use.cut_off = True
        else:
            stack.append((target, use, 1, (*use.uses, use.element)))


def _has_reference(use: _Element) -> bool:
    return bool(use.get("href", use.get(XLINK_HREF, "")).strip())


def _is_cyclic(use: SceneNode, target: _Element) -> bool:
    """Whether the ``<use>`` stands inside what it refers to, directly or through other ``<use>`` elements."""
    ancestor = use.element.getparent()
    while ancestor is not None:
        if ancestor is target:
            return True
        ancestor = ancestor.getparent()
    if use.element is target:
        return True
    return any(node.element is target for node in use.ancestors())


def _place(node: SceneNode) -> Place:
    parent = node.parent
    if parent is None:
        return Place.RENDERED
    if parent.place is not Place.RENDERED:
        return parent.place
    if parent.name == "foreignObject":
        return Place.FOREIGN
    name = local_name(node.element)
    if parent.name == "text":
        return Place.TEXT if name in _TEXT_CHILDREN else Place.NEVER
    if name == "symbol":
        return Place.RENDERED if node.is_instance_root else Place.NEVER
    if name not in _LEAVES and name not in CONTAINERS:
        return Place.NEVER
    if parent.name in _LEAVES or (parent.name == "a" and name == "a"):
        return Place.NEVER
    if parent.name == "use" and not node.is_instance_root:
        return Place.NEVER
    if not passes_conditions(node.element):
        return Place.NEVER
    # A link in a switch is a switch itself, in Chromium.
    switching = parent.name == "switch" or (
        parent.name == "a" and parent.parent is not None and parent.parent.name == "switch"
    )
    if switching and _chosen(parent.element) is not node.element:
        return Place.NEVER
    return Place.RENDERED


def _chosen(switch: _Element) -> _Element | None:
    """The first SVG child whose conditions hold, whatever it is: a ``<title>`` too is chosen."""
    for child in _elements(switch):
        name = local_name(child)
        if name and (name not in _CONDITIONAL or passes_conditions(child)):
            return child
    return None


# ---------------------------------------------------------------------------------------------------------------------
# viewBox


@dataclass(frozen=True, slots=True)
class ViewBox:
    """The rectangle of user space that fills a viewport; user units."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class AspectRatio:
    """``preserveAspectRatio``: alignment 0, 0.5 or 1 on each axis; ``fit`` is ``meet``, ``slice`` or ``none``."""

    x: float = 0.5
    y: float = 0.5
    fit: str = "meet"


_ALIGNMENT: Final = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
_ASPECT_RATIO = re.compile(r"\s*(?:none|x(Min|Mid|Max)Y(Min|Mid|Max))(?:\s+(meet|slice))?\s*\Z")


def parse_view_box(text: str | None) -> ViewBox | None:
    """Four numbers; None when they do not parse or a size is negative. A size of 0 turns it off, see :func:`fit`."""
    from husky_lint.scene.paths import parse_numbers

    if text is None:
        return None
    numbers, error = parse_numbers(text)
    if error is not None or len(numbers) != 4 or numbers[2] < 0 or numbers[3] < 0:
        return None
    return ViewBox(*numbers)


def parse_aspect_ratio(text: str | None) -> AspectRatio:
    """``preserveAspectRatio``; text that does not parse means the default, ``xMidYMid meet``."""
    match = _ASPECT_RATIO.match(text) if text else None
    if match is None:
        return AspectRatio()
    if match.group(1) is None:
        return AspectRatio(0.0, 0.0, "none")
    return AspectRatio(_ALIGNMENT[match.group(1)], _ALIGNMENT[match.group(2)], match.group(3) or "meet")


def fit(
    view_box: ViewBox | None, aspect: AspectRatio, width: float, height: float
) -> tuple[float, float, float, float, float, float]:
    """The matrix a b c d e f from a viewBox to a viewport of this size (SVG 2, section 8.2).

    Chromium ignores the viewBox where it or the viewport is empty.
    """
    if view_box is None or view_box.width <= 0 or view_box.height <= 0 or width <= 0 or height <= 0:
        return (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    scale_x, scale_y = width / view_box.width, height / view_box.height
    if aspect.fit == "meet":
        scale_x = scale_y = min(scale_x, scale_y)
    elif aspect.fit == "slice":
        scale_x = scale_y = max(scale_x, scale_y)
    shift_x = (width - view_box.width * scale_x) * aspect.x
    shift_y = (height - view_box.height * scale_y) * aspect.y
    return (scale_x, 0.0, 0.0, scale_y, shift_x - view_box.x * scale_x, shift_y - view_box.y * scale_y)
