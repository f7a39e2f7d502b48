"""Styles of a whole document in the states of a page.

:class:`StyleEngine` holds what all states share: the compiled sheets, the tree, the matches. ``style(state)`` gives a
:class:`StyledDocument`, whose ``computed(element)`` is the :class:`ComputedStyle` of an element.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol

from husky_lint.parse.css import Stylesheet
from husky_lint.script.journal import InsertNode, RemoveNode, SetAttribute, SetText, apply_all, undo_all
from husky_lint.style.cascade import (
    CompiledSheet,
    Declared,
    DroppedRule,
    RuleBook,
    compile_sheet,
    declared_by,
)
from husky_lint.style.element_style import ComputedStyle, Environment, Resolved, Trace
from husky_lint.style.grammar import check_declaration
from husky_lint.style.matching import AttributeStyles, Matching
from husky_lint.style.tree import SVG, XLINK_HREF, Node, Tree
from husky_lint.style.user_agent import user_agent_sheets
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lxml.etree import _Element

    from husky_lint.parse.css import AtRule, Declaration
    from husky_lint.parse.html import HtmlDocument
    from husky_lint.style.cascade import BookView, Cascade
    from husky_lint.style.custom_properties import Registration
    from husky_lint.style.page_state import PageState

__all__ = ["ComputedStyle", "Resolved", "StyleEngine", "StyledDocument", "Trace"]


class SheetOfPage(Protocol):
    """A sheet with the ``media`` attribute of the element that brings it."""

    @property
    def sheet(self) -> Stylesheet: ...
    @property
    def media(self) -> str: ...


_PRESENTATION = words(
    """
    alignment-baseline baseline-shift clip-path clip-rule color color-interpolation
    color-interpolation-filters color-rendering cursor direction display dominant-baseline fill fill-opacity
    fill-rule filter flood-color flood-opacity font-family font-size font-size-adjust font-stretch font-style
    font-variant font-weight image-rendering letter-spacing lighting-color marker-end marker-mid marker-start
    mask mask-type opacity overflow paint-order pointer-events shape-rendering stop-color stop-opacity stroke
    stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity
    stroke-width text-anchor text-decoration text-overflow text-rendering transform-origin unicode-bidi
    vector-effect visibility white-space word-spacing writing-mode
    """
)
#: Geometry attributes are presentation attributes on the elements that they mean something on (SVG 2, section 7.2).
_GEOMETRY: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("x", "y"), frozenset({"svg", "rect", "image", "foreignObject", "use"})),
    **dict.fromkeys(("width", "height"), frozenset({"svg", "rect", "image", "foreignObject", "use"})),
    **dict.fromkeys(("cx", "cy"), frozenset({"circle", "ellipse"})),
    "r": frozenset({"circle"}),
    **dict.fromkeys(("rx", "ry"), frozenset({"ellipse", "rect"})),
}
#: Here a number without a unit means pixels in an attribute, though it is no length in a style sheet.
_UNITLESS = frozenset({"font-size", "letter-spacing", "word-spacing", "baseline-shift", *_GEOMETRY})
_ATTRIBUTES = _PRESENTATION | _GEOMETRY.keys()
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")
_DOCTYPE = re.compile(r"(?:\s|<!--.*?-->|\ufeff)*<!doctype", re.IGNORECASE | re.DOTALL)


class StyledDocument:
    """The document in one state."""

    def __init__(
        self, engine: StyleEngine, state: PageState, matching: Matching, view: BookView, cascades: list[Cascade]
    ) -> None:
        self.state = state
        self._engine = engine
        self._matching = matching
        self._view = view
        self._cascades = cascades
        self._environment = engine._environment(view, state)
        self._styles: list[ComputedStyle | None] = [None] * len(cascades)
        self._shadow: dict[int, tuple[Matching, list[Cascade]]] = {}
        self._shadows: dict[tuple[_Element, ...], tuple[Matching, list[Cascade]]] = {}
        self._clones: dict[tuple[tuple[_Element, ...], _Element], ComputedStyle] = {}

    def computed(self, element: _Element) -> ComputedStyle:
        """The style of an element. Raises KeyError for one that is not in the document in this state."""
        node = self._matching.tree.node(element)
        if node is None:
            raise KeyError(element)
        return self._computed(node)

    def _computed(self, node: Node) -> ComputedStyle:
        styles = self._styles
        style = styles[node.position]
        if style is not None:
            return style
        pending = [node]
        above = node.parent
        while above is not None and styles[above.position] is None:
            pending.append(above)
            above = above.parent
        parent = styles[above.position] if above is not None else None
        for current in reversed(pending):
            parent = styles[current.position] = self._engine._element_style(
                self._environment, self._cascades[current.position], current, self._matching.tree, parent
            )
        if parent is None:
            raise KeyError(node.element)
        return parent

    def __contains__(self, element: _Element) -> bool:
        return self._matching.tree.node(element) is not None

    def __iter__(self) -> Iterator[ComputedStyle]:
        """The styles of all elements in document order."""
        return (self._computed(node) for node in self._matching.tree.nodes)

    def declaring(self, name: str) -> Iterator[ComputedStyle]:
        """The styles of the elements on which something may declare a property, in document order."""
        for node, cascade in zip(self._matching.tree.nodes, self._cascades, strict=True):
            if not cascade.is_silent_on(name):
                yield self._computed(node)

    def clone_computed(self, use_chain: Sequence[_Element], element: _Element) -> ComputedStyle:
        """The style of the clone of ``element`` that a ``<use>`` makes.

        ``use_chain`` are the ``<use>`` elements around the clone, the outermost first: that one is in the document,
        each further one inside what the one before it references. ``element`` is the original inside what the last one
        references. Rules match within the clone only, and values are inherited through the ``<use>`` (Chromium 156).
        Raises KeyError where the chain does not lead to the element.
        """
        chain = tuple(use_chain)
        at, within = len(chain), element
        pending: list[tuple[int, _Element]] = []
        while at and (chain[:at], within) not in self._clones:
            pending.append((at, within))
            at -= 1
            within = chain[at]
        style = self._clones[chain[:at], within] if at else self.computed(within)
        for at, within in reversed(pending):
            style = self._clone(chain[:at], within, style)
        return style

    def _clone(self, chain: tuple[_Element, ...], element: _Element, host: ComputedStyle) -> ComputedStyle:
        """The style of what stands in the last clone of a chain, where its ``<use>`` has the style ``host``."""
        known = self._clones
        matching, cascades = self._within(chain)
        above = matching.tree.node(element)
        if above is None:
            raise KeyError(element)
        pending: list[Node] = []
        while above is not None and (chain, above.element) not in known:
            pending.append(above)
            above = above.parent
        style = host if above is None else known[chain, above.element]
        for node in reversed(pending):
            style = known[chain, node.element] = self._engine._element_style(
                self._environment, cascades[node.position], node, matching.tree, style
            )
        return style

    def cascade(self, element: _Element, use_chain: tuple[_Element, ...] = ()) -> Cascade:
        """The declarations that apply to an element, or to its clone as in :meth:`clone_computed`, without its style.

        Raises KeyError for one that is not in the document in this state.
        """
        matching, cascades = self._within(use_chain) if use_chain else (self._matching, self._cascades)
        node = matching.tree.node(element)
        if node is None:
            raise KeyError(element)
        return cascades[node.position]

    def _within(self, use_chain: tuple[_Element, ...]) -> tuple[Matching, list[Cascade]]:
        """The matches in the shadow tree that the last ``<use>`` of a chain makes."""
        known = self._shadows.get(use_chain)
        if known is None:
            referenced = self._referenced(use_chain[-1])
            if referenced is None:
                raise KeyError(use_chain[-1])
            known = self._shadows[use_chain] = self._shadow_of(referenced)
        return known

    def _referenced(self, use: _Element) -> Node | None:
        tree = self._matching.tree
        node = tree.node(use)
        if node is None:
            return None
        href = node.attributes.get("href", node.attributes.get(XLINK_HREF, ""))
        found = tree.index.get(href) if href.startswith("#") else None
        return min(found, key=lambda candidate: candidate.position) if found else None

    def _shadow_of(self, referenced: Node) -> tuple[Matching, list[Cascade]]:
        known = self._shadow.get(referenced.position)
        if known is None:
            matching = self._matching.clone(referenced)
            delta = matching.delta(_final_attributes(self.state))
            known = self._shadow[referenced.position] = (matching, matching.cascades(self._view, delta))
        return known

    def keyframes(self, name: str) -> AtRule | None:
        """The ``@keyframes`` rule that an animation name refers to: the last active one of the strongest layer."""
        return self._view.keyframes(name)

    @property
    def keyframes_names(self) -> tuple[str, ...]:
        return self._view.keyframes_names

    @property
    def property_rules(self) -> Mapping[str, Registration]:
        """The registered custom properties (valid ``@property`` rules, the last of each name)."""
        return self._view.registrations


class StyleEngine:
    """Styles for the states of one page. ``document.root`` is read once, as it is when the engine is made.

    ``sheets`` are the author's sheets in cascade order, plain or with a ``media``; ``import_sheet(sheet, url)`` finds
    what ``@import`` names (without it, imports are taken to be in the list already).
    """

    def __init__(
        self,
        document: HtmlDocument,
        sheets: Sequence[Stylesheet | SheetOfPage],
        *,
        user_agent: Sequence[Stylesheet] | None = None,
        import_sheet: Callable[[Stylesheet, str], Stylesheet | None] | None = None,
    ) -> None:
        self.document = document
        self._import_sheet = import_sheet
        self.fold = _is_quirky(document)
        agent = user_agent_sheets() if user_agent is None else user_agent
        self._agent = [_agent_sheet(sheet) for sheet in agent]
        self._sheets = [self._compile(sheet) for sheet in sheets]
        self._places = [getattr(sheet, "element", None) for sheet in sheets]
        self._compiled: dict[int, tuple[Stylesheet | SheetOfPage, CompiledSheet]] = {}
        self._books: dict[tuple[Any, ...], RuleBook] = {}
        self._environments: dict[Any, Environment] = {}
        self._substituted: dict[Any, Any] = {}
        self._resolved: dict[tuple[Declared, int], Resolved] = {}
        self._inline_cache: dict[tuple[_Element, str], tuple[Declared, ...]] = {}
        self._hint_cache: dict[tuple[_Element, tuple[tuple[str, str], ...]], tuple[Declared, ...]] = {}
        self._hint_values: dict[tuple[str, str], Declaration | None] = {}
        self._attributes = AttributeStyles(self._hints, self._inline, _ATTRIBUTES)
        self._base = Matching(Tree.of(document.root, fold=self.fold), self._attributes)
        self._structures: dict[tuple[Any, ...], tuple[tuple[Any, ...], Matching]] = {}
        self._element_styles: dict[tuple[int, int, int], ComputedStyle] = {}
        self._styled: dict[Any, StyledDocument] = {}

    @property
    def dropped(self) -> tuple[DroppedRule, ...]:
        """Rules of the author's sheets that the browser ignores, such as those with a bad selector."""
        return tuple(rule for sheet in self._sheets for rule in sheet.dropped)

    @property
    def selectors(self) -> Iterator[tuple[Any, frozenset[str]]]:
        """Every author rule's block with the classes, ids and attributes that its selectors mention."""
        for sheet in self._sheets:
            for pair in sheet.pairs:
                yield pair.block, pair.features

    def style(self, state: PageState) -> StyledDocument:
        """The document in a state. Mutations of the state are applied to the tree for the time that takes."""
        links = tuple((link, id(sheet)) for link, sheet in state.links.items())
        sheets = (*state.sheets, *state.scripted.sheets)
        key = (state.media, tuple(map(id, state.mutations)), tuple(map(id, sheets)), links, id(state.scripted))
        known = self._styled.get(key)
        if known is not None:
            return known
        matching = self._matching(state)
        view = self._book(sheets, state.links).view(state.media)
        delta = matching.delta(_with_declared(_final_attributes(state), state))
        styled = StyledDocument(self, state, matching, view, matching.cascades(view, delta))
        self._styled[key] = styled  # it holds the state, so the identities in the key stay taken
        return styled

    def let_go(self) -> None:
        """Open the circles in which styles and trees hang together; nothing can be asked after that."""
        for style in self._element_styles.values():
            style.let_go()
        for matching in (self._base, *(matching for _, matching in self._structures.values())):
            matching.let_go()
        for book in self._books.values():
            book.let_go()
        vars(self).clear()

    # ---- what states share

    def _compile(self, sheet: Stylesheet | SheetOfPage) -> CompiledSheet:
        plain, media = (sheet, "") if isinstance(sheet, Stylesheet) else (sheet.sheet, sheet.media)
        return compile_sheet(plain, media=media, fold=self.fold, import_sheet=self._import_sheet)

    def _book(self, extra: Sequence[Stylesheet], links: Mapping[_Element, SheetOfPage | None]) -> RuleBook:
        key = (*map(id, extra), *((link, id(sheet)) for link, sheet in links.items()))
        known = self._books.get(key)
        if known is None:
            own = self._with_links(links) if links else self._sheets
            known = self._books[key] = RuleBook([*self._agent, *own, *map(self._compiled_once, extra)])
        return known

    def _compiled_once(self, sheet: Stylesheet | SheetOfPage) -> CompiledSheet:
        if id(sheet) not in self._compiled:
            self._compiled[id(sheet)] = (sheet, self._compile(sheet))
        return self._compiled[id(sheet)][1]

    def _with_links(self, links: Mapping[_Element, SheetOfPage | None]) -> list[CompiledSheet]:
        """The author's sheets, those of these links exchanged, each in the place of its element in the document."""
        order = {element: number for number, element in enumerate(self.document.root.iter())}
        placed: list[tuple[int, CompiledSheet]] = []
        last = 0
        for element, sheet in zip(self._places, self._sheets, strict=True):
            last = order.get(element, last) if element is not None else last
            if element not in links:
                placed.append((last, sheet))
        placed.extend(
            (order.get(link, last), self._compiled_once(new)) for link, new in links.items() if new is not None
        )
        return [sheet for _, sheet in sorted(placed, key=lambda entry: entry[0])]

    def _environment(self, view: BookView, state: PageState) -> Environment:
        media = state.media
        key = (id(view), media.width, media.height, media.color_scheme)
        known = self._environments.get(key)
        if known is None:
            known = self._environments[key] = Environment(view, media, self._substituted, self._resolved)
        return known

    def _matching(self, state: PageState) -> Matching:
        structural = tuple(mutation for mutation in state.mutations if _is_structural(mutation))
        if not structural:
            return self._base
        key = tuple(map(_structure_key, structural))
        known = self._structures.get(key)
        if known is None:
            apply_all(state.mutations)
            try:
                tree = Tree.of(self.document.root, fold=self.fold)
            finally:
                undo_all(state.mutations)
            # Attributes are the business of deltas: back to what they were before the state.
            before: dict[tuple[Any, str], str | None] = {}
            for mutation in state.mutations:
                if isinstance(mutation, SetAttribute):
                    before.setdefault((mutation.element, mutation.name), mutation.before)
            for (element, name), value in before.items():
                node = tree.node(element)
                if node is not None and node.attributes.get(name) != value:
                    tree.set_attribute(node, name, value)
            known = self._structures[key] = (structural, Matching(tree, self._attributes, self._base))
        return known[1]

    def _element_style(
        self, environment: Environment, cascade: Cascade, node: Node, tree: Tree, parent: ComputedStyle | None
    ) -> ComputedStyle:
        key = (id(node), id(cascade), id(environment if parent is None else parent))
        known = self._element_styles.get(key)
        if known is None:
            known = self._element_styles[key] = ComputedStyle(environment, cascade, node, tree, parent)
        return known

    # ---- attributes that declare

    def _inline(self, node: Node) -> tuple[Declared, ...]:
        text = node.attributes.get("style")
        if not text:
            return ()
        key = (node.element, text)
        known = self._inline_cache.get(key)
        if known is None:
            declared = (declared_by(declaration) for declaration in self._inline_declarations(node.element, text))
            known = self._inline_cache[key] = tuple(one for several in declared for one in several)
        return known

    def _inline_declarations(self, element: _Element, text: str) -> tuple[Declaration, ...]:
        if element.get("style") == text:
            return self.document.style_attribute(element)[0]
        from husky_lint.parse.css import parse_declarations
        from husky_lint.source import SourceText

        source = SourceText(self.document.source.path, text)
        return parse_declarations(source, at=self.document.attribute_span(element, "style"))[0]

    def _hints(self, node: Node) -> tuple[Declared, ...]:
        if node.namespace != SVG:
            return ()
        present = tuple(
            (name, value)
            for name, value in node.attributes.items()
            if name in _PRESENTATION or (name in _GEOMETRY and node.name in _GEOMETRY[name])
        )
        if not present:
            return ()
        key = (node.element, present)
        known = self._hint_cache.get(key)
        if known is None:
            known = self._hint_cache[key] = tuple(
                declared for name, value in present for declared in self._hint(node.element, name, value)
            )
        return known

    def _hint(self, element: _Element, name: str, value: str) -> tuple[Declared, ...]:
        key = (name, value)
        if key not in self._hint_values:
            self._hint_values[key] = self._parse_hint(name, value)
        declaration = self._hint_values[key]
        if declaration is None:
            return ()
        return declared_by(declaration.placed(self.document.attribute_span(element, name)))

    def _parse_hint(self, name: str, value: str) -> Declaration | None:
        from husky_lint.parse.css import parse_declarations
        from husky_lint.source import SourceText

        if name in _UNITLESS and _NUMBER.fullmatch(value):
            value = value.strip() + "px"
        elif name == "transform-origin":  # a list, in which some may be words or percentages
            value = " ".join(f"{part}px" if _NUMBER.fullmatch(part) else part for part in value.split())
        declarations, _ = parse_declarations(SourceText(self.document.source.path, f"{name}:{value}"))
        if len(declarations) != 1 or declarations[0].name != name or declarations[0].important:
            return None
        return declarations[0] if check_declaration(name, declarations[0].tokens) is None else None


def _agent_sheet(sheet: Stylesheet) -> CompiledSheet:
    known = _AGENT_SHEETS.get(id(sheet))
    if known is None:
        known = _AGENT_SHEETS[id(sheet)] = (sheet, compile_sheet(sheet, author=False))
    return known[1]


_AGENT_SHEETS: dict[int, tuple[Stylesheet, CompiledSheet]] = {}


def _is_structural(mutation: Any) -> bool:
    """Whether a mutation changes which elements there are (``:empty`` looks at the document's own text)."""
    if isinstance(mutation, SetText):
        return bool(mutation.children_before)
    if isinstance(mutation, InsertNode | RemoveNode):
        return isinstance(mutation.node.tag, str)
    return False


_METADATA = frozenset({"link", "meta", "title", "base", "style", "script"})


def _structure_key(mutation: Any) -> Any:
    """What tells the structure after a mutation from others.

    A ``<link>`` exchanged for an equal one, as a new icon is, makes no other structure, though each time script does it
    that is a new element.
    """
    node = getattr(mutation, "node", None)
    if node is not None and node.tag.rpartition("}")[2] in _METADATA and not len(node):
        return type(mutation), id(mutation.parent), mutation.index, node.tag
    return id(mutation)


def _final_attributes(state: PageState) -> dict[tuple[_Element, str], str | None]:
    return {
        (mutation.element, mutation.name): mutation.value
        for mutation in state.mutations
        if isinstance(mutation, SetAttribute)
    }


def _with_declared(
    attributes: dict[tuple[_Element, str], str | None], state: PageState
) -> dict[tuple[_Element, str], str | None]:
    """Attributes with what the state declares behind the elements' own styles; no clone in a ``<use>`` has that."""
    for element, text in state.scripted.declared.items():
        own = attributes.get((element, "style"), element.get("style"))
        attributes[element, "style"] = f"{own or ''};{text}"
    return attributes


def _is_quirky(document: HtmlDocument) -> bool:
    """Quirks mode: an HTML page that does not start with a doctype."""
    tag = document.root.tag
    if not isinstance(tag, str) or not tag.endswith("}html"):
        return False
    return _DOCTYPE.match(document.source.text) is None
