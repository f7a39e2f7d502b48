"""Changing the document: insertion, removal, text and attributes, journaled and entered as effects (WHATWG DOM, 4)."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lxml import etree

from husky_lint.parse.html import XHTML, XLINK, xml_name
from husky_lint.script.journal import InsertNode, RemoveNode, SetAttribute, SetText, SetTextSlot
from husky_lint.script.markup import TooLarge, parse_fragment
from husky_lint.script.nodes import ElementObject, NodeObject, TextObject
from husky_lint.script.operators import to_string
from husky_lint.script.query import Query, Undecided, compile_selector, local_name, read_selector, simple_id
from husky_lint.script.values import NULL, UNKNOWN_NUMBER, JSThrow, JSValue, Unknown, text_with_numbers_for

if TYPE_CHECKING:
    from collections.abc import Hashable

    from lxml.etree import _Element

    from husky_lint.script.journal import Journal
    from husky_lint.script.machine import Machine
    from husky_lint.script.nodes import Tables
    from husky_lint.script.query import Selector

_ID = frozenset({"id"})
_MAX_CREATED = 20_000
_MAX_DEPTH = 600


@dataclass(frozen=True, slots=True)
class Answer:
    """What a query has found, in the tree as it was; ``looked_at`` is how many elements that took."""

    found: list[_Element]
    looked_at: int


class DocumentTree:
    """The part of a browser that knows the tree. ``root`` is the document element."""

    machine: Machine
    journal: Journal
    root: _Element
    wrappers: dict[_Element, ElementObject]
    html_tables: Tables
    svg_tables: Tables
    text_tables: Tables
    created: list[_Element]
    answers: dict[Hashable, Answer]
    ids: dict[Hashable, dict[str, _Element]]
    listed: list[JSValue]

    def host_list(self, items: list[JSValue]) -> JSValue:
        """A NodeList."""
        raise NotImplementedError

    def dom_error(self, name: str, message: str) -> JSThrow:
        """A DOMException."""
        raise NotImplementedError

    # --- wrappers

    def wrap(self, element: _Element | None) -> JSValue:
        """The object of an element; null for None."""
        if element is None:
            return NULL
        known = self.wrappers.get(element)
        if known is None:
            html = str(element.tag).startswith(f"{{{XHTML}}}")
            known = ElementObject(self, self.html_tables if html else self.svg_tables, element)  # type: ignore[arg-type]
            self.wrappers[element] = known
        return known

    def text_node(self, data: JSValue, *, comment: bool = False) -> TextObject:
        """A new text node."""
        return TextObject(self, self.text_tables, data, comment=comment)  # type: ignore[arg-type]

    def create(self, namespace: str, name: str) -> ElementObject:
        """A new element."""
        self.machine.spend(1)
        if len(self.created) > _MAX_CREATED:
            self.machine.spend(10**9)
        element = etree.Element(f"{{{namespace}}}{xml_name(name)}" if namespace else xml_name(name))
        self.created.append(element)
        wrapper: ElementObject = self.wrap(element)
        return wrapper

    def fragment(self) -> ElementObject:
        """A new document fragment."""
        element = etree.Element("fragment")
        self.created.append(element)
        wrapper: ElementObject = self.wrap(element)
        return wrapper

    def keep(self, element: _Element) -> None:
        """Hold on to the elements below, so that they stay the same objects."""
        self.created.extend(element.iter(etree.Element))
        self.machine.check_size(len(self.created))

    def connected(self, element: _Element) -> bool:
        """Whether an element is in the document."""
        above: _Element | None = element
        while above is not None:
            if above is self.root:
                return True
            above = above.getparent()
        return False

    # --- children

    def kids(self, parent: ElementObject) -> list[NodeObject]:
        """The child nodes."""
        if parent.kids is None:
            element = parent.element
            made: list[NodeObject] = []
            text = element.text
            if text:
                made.append(self._adopted_text(parent, text))
            for child in element:
                made.append(self.wrap(child))
                if child.tail:
                    made.append(self._adopted_text(parent, child.tail))
            self.machine.spend(len(made) >> 3)
            parent.kids = made
        return parent.kids

    def _adopted_text(self, parent: ElementObject, text: str) -> TextObject:
        node = self.text_node(text)
        node.parent = parent
        return node

    def parent_of(self, node: NodeObject) -> ElementObject | None:
        """The parent node, if it is an element or fragment."""
        if isinstance(node, TextObject):
            return node.parent
        if isinstance(node, ElementObject):
            above = node.element.getparent()
            return None if above is None else self.wrap(above)
        return None

    def _set_kids(self, parent: ElementObject, kids: list[NodeObject]) -> None:
        self.machine.spend(len(kids) >> 1)
        self.machine.write(parent, "kids", kids)

    def insert(self, parent: ElementObject, node: NodeObject, before: NodeObject | None) -> None:
        """Pre-insert ``node`` in front of ``before`` (None: at the end)."""
        if isinstance(node, ElementObject) and node.is_fragment:
            for kid in list(self.kids(node)):
                self.insert(parent, kid, before)
            return
        if isinstance(node, ElementObject) and self._contains(node.element, parent.element):
            raise self.dom_error("HierarchyRequestError", "The new child element contains the parent.")
        if before is node:
            kids = self.kids(parent)
            place = kids.index(node) + 1
            before = kids[place] if place < len(kids) else None
        moved = self.parent_of(node) is not None
        if moved:
            self.remove(node, quiet=True)
        kids = list(self.kids(parent))
        if before is not None and before not in kids:
            raise self.dom_error("NotFoundError", "The node before which to insert is not a child of this node.")
        place = kids.index(before) if before is not None else len(kids)
        index = sum(isinstance(kid, ElementObject) for kid in kids[:place])
        kids.insert(place, node)
        if isinstance(node, ElementObject):
            split = 0
            for kid in reversed(kids[:place]):
                if not isinstance(kid, TextObject):
                    break
                split += len(kid.text)
            self._set_kids(parent, kids)
            self.journal.apply(InsertNode.of(parent.element, node.element, index, split, self.machine.at))
        else:
            self.machine.write(node, "parent", parent)
            self._set_kids(parent, kids)
            self._write_slot(parent, index)
        self._inserted(parent, node)

    def _contains(self, element: _Element, other: _Element) -> bool:
        above: _Element | None = other
        depth = 0
        while above is not None:
            if above is element:
                return True
            above = above.getparent()
            depth += 1
        self.machine.spend(depth if depth < _MAX_DEPTH else 10**9)
        return False

    def _inserted(self, parent: ElementObject, node: NodeObject) -> None:
        machine = self.machine
        if isinstance(node, TextObject):
            if not node.comment:
                machine.emit("text", parent.element, "append", self.machine.realm.export(node.data))
                if type(node.data) is Unknown:
                    self.journal.mark_unknown(parent.element, "#text", node.data, machine.at)
                self._sheet_text(parent.element)
            return
        element = node.element if isinstance(node, ElementObject) else None
        if element is None:
            return
        name = local_name(element)
        machine.emit("insert", parent.element, name, element)
        if self.connected(parent.element):
            if name == "style":
                self._sheet_text(element)
            elif name == "script":
                machine.emit("network" if element.get("src") else "unknown", element, "script", element.get("src"))
            elif name in ("img", "iframe", "link", "object", "embed", "video", "audio"):
                source = element.get("src") or element.get("href") or element.get("data")
                if source is not None:
                    machine.emit("network", element, name, source)

    def _sheet_text(self, element: _Element) -> None:
        if local_name(element) == "style":
            unknown = self.journal.unknown.get((element, "#text"))
            text: Any = unknown if unknown is not None else "".join(map(str, element.itertext()))
            self.machine.emit("stylesheet-text", element, "textContent", text)

    def _write_slot(self, parent: ElementObject, index: int) -> None:
        """Write the text nodes in front of child element ``index`` back to the tree."""
        pieces: list[str] = []
        place = 0
        for kid in self.kids(parent):
            if isinstance(kid, ElementObject):
                place += 1
                if place > index:
                    break
            elif place == index and isinstance(kid, TextObject):
                pieces.append(kid.text)
        self.journal.apply(SetTextSlot.of(parent.element, index, "".join(pieces), self.machine.at))

    def remove(self, node: NodeObject, *, quiet: bool = False) -> None:
        """Take a node out of its parent."""
        parent = self.parent_of(node)
        if isinstance(node, ElementObject) and node.element is self.root:
            self.machine.emit("remove", node.element, local_name(node.element), node.element)
            return
        if parent is None:
            return
        kids = list(self.kids(parent))
        place = kids.index(node)
        del kids[place]
        if isinstance(node, ElementObject):
            self.journal.apply(RemoveNode.of(node.element, self.machine.at))
            self._set_kids(parent, kids)
            if not quiet:
                self.machine.emit("remove", parent.element, local_name(node.element), node.element)
        else:
            index = sum(isinstance(kid, ElementObject) for kid in kids[:place])
            self.machine.write(node, "parent", None)
            self._set_kids(parent, kids)
            self._write_slot(parent, index)

    def set_text(self, target: NodeObject, value: JSValue) -> None:
        """``node.textContent = value``."""
        machine = self.machine
        if isinstance(target, TextObject):
            machine.write(target, "data", value)
            if target.parent is not None:
                kids = self.kids(target.parent)
                self._write_slot(target.parent, sum(isinstance(k, ElementObject) for k in kids[: kids.index(target)]))
                self._mark(target.parent.element, "#text", value)
                machine.emit("text", target.parent.element, "data", machine.realm.export(value))
            return
        if not isinstance(target, ElementObject):
            return
        element = target.element
        removed = len(element)
        for kid in target.kids or ():
            if isinstance(kid, TextObject):
                machine.write(kid, "parent", None)
        text = value if type(value) is str else ""
        if type(value) is Unknown and local_name(element) == "style":
            text = text_with_numbers_for(value, UNKNOWN_NUMBER) or ""
        self.journal.apply(SetText.of(element, text, machine.at))
        kids = [] if value == "" else [self._adopted_text(target, value)]
        self._set_kids(target, list(kids))
        self._mark(element, "#text", value)
        if self.journal.unknown and (element, "#children") in self.journal.unknown:
            self.journal.mark_unknown(element, "#children", None, machine.at)
        machine.emit("text", element, "textContent", value)
        if removed:
            machine.emit("remove", element, "*", removed)
        self._sheet_text(element)

    def _mark(self, element: _Element, part: str, value: JSValue) -> None:
        self.journal.mark_unknown(element, part, value if type(value) is Unknown else None, self.machine.at)

    def text_of(self, element: _Element) -> JSValue:
        """``element.textContent``."""
        unknown = self.journal.unknown
        if unknown:
            for inner in element.iter(etree.Element):
                for part in ("#text", "#children"):
                    found = unknown.get((inner, part))
                    if found is not None:
                        return found.of_kind("string")
        return "".join(map(str, element.itertext()))

    def set_markup(self, target: ElementObject, value: JSValue) -> None:
        """``element.innerHTML = value``."""
        if type(value) is Unknown:
            self.set_text(target, "")
            self.journal.mark_unknown(target.element, "#children", value, self.machine.at)
            return
        if "<" not in value and "&" not in value:
            self.set_text(target, value)
            return
        holder = self.parse_markup(value, target.element)
        if holder is None:
            self.set_text(target, "")
            self.journal.mark_unknown(target.element, "#children", self.machine.unknown("limit"), self.machine.at)
            return
        self.set_text(target, "")
        self.insert(target, holder, None)

    def parse_markup(self, text: str, context: _Element) -> ElementObject | None:
        """A fragment from HTML; None where it is too large."""
        self.machine.spend(len(text) >> 5)
        try:
            holder = parse_fragment(text, context)
        except TooLarge:
            return None
        self.keep(holder)
        wrapper: ElementObject = self.wrap(holder)
        return wrapper

    def clone(self, node: NodeObject, *, deep: bool) -> NodeObject:
        """``node.cloneNode(deep)``."""
        if isinstance(node, TextObject):
            return self.text_node(node.data, comment=node.comment)
        assert isinstance(node, ElementObject)
        source = node.element
        if deep:
            made = copy.deepcopy(source)
            made.tail = None
            self.keep(made)
        else:
            made = etree.Element(source.tag, {str(key): str(value) for key, value in source.attrib.items()})
            self.created.append(made)
        if self.journal.unknown:
            pairs = zip(source.iter(etree.Element), made.iter(etree.Element), strict=False)
            twins = dict(pairs if deep else [(source, made)])
            for (element, part), value in list(self.journal.unknown.items()):
                if element in twins and (deep or not part.startswith("#")):
                    self.journal.mark_unknown(twins[element], part, value, self.machine.at)
        return self.wrap(made)  # type: ignore[no-any-return]

    # --- attributes

    def attribute(self, element: _Element, name: str, default: JSValue = NULL) -> JSValue:
        """The value of an attribute, unknown where it is."""
        if self.journal.unknown:
            found = self.journal.unknown.get((element, name))
            if found is not None:
                return found if found.kind == "string" or found.choices is not None else found.of_kind("string")
        value = element.get(name)
        return default if value is None else value

    def put_attribute(self, element: _Element, name: str, value: str | None) -> None:
        """Write an attribute, without an effect."""
        if self.journal.unknown:
            self.clear_unknown(element, name)
        if value is not None and len(value) > 300_000:
            self.journal.mark_unknown(element, name, self.machine.unknown("limit"), self.machine.at)
            return
        self.journal.apply(SetAttribute.of(element, name, value, self.machine.at))

    def clear_unknown(self, element: _Element, part: str) -> None:
        """A part is known again."""
        if (element, part) in self.journal.unknown:
            self.journal.mark_unknown(element, part, None, self.machine.at)

    def set_attribute(self, element: _Element, name: str, value: JSValue) -> None:
        """``setAttribute``: an effect, and the mutation. None removes."""
        machine = self.machine
        kind = "class" if name == "class" else "attribute"
        machine.emit(kind, element, name, value)
        if type(value) is Unknown:
            self.journal.mark_unknown(element, name, value, machine.at)
        else:
            if value is None and element.get(name) is None and not self.journal.unknown:
                return
            if name == "style" and self.journal.unknown:
                for place in [key for key in self.journal.unknown if key[0] is element and key[1].startswith("style/")]:
                    self.journal.mark_unknown(element, place[1], None, machine.at)
            self.put_attribute(element, name, value)
        tag = local_name(element)
        if tag == "link" and name == "href" and "icon" in (element.get("rel") or "").split():
            machine.emit("favicon", element, "href", value)
        if name in ("src", "href", f"{{{XLINK}}}href", "data") and value is not None and tag in _LOADING:
            machine.emit("network", element, tag, value)

    def write_style_text(self, element: _Element, text: JSValue) -> None:
        """``style.cssText = text``."""
        from husky_lint.script.inline_style import parse_style, serialize_style

        if type(text) is not Unknown:
            text = serialize_style(parse_style(text)) if len(text) < 100_000 else self.machine.unknown("limit")
        self.set_attribute(element, "style", text)

    # --- queries

    def forget_answers(self) -> None:
        """The tree has changed in a way that no journal tells."""
        self.answers.clear()
        self.ids.clear()

    def by_id(self, scope: _Element, wanted: str) -> _Element | Unknown | None:
        """The first element with an id."""
        if self.machine.maybe:
            doubt = self._doubtful(lambda element: element.get("id") == wanted)
            if doubt is not None:
                return doubt
        key = (scope, self.journal.version(_ID))
        known = self.ids.get(key)
        if known is None:
            known = self.ids[key] = {}
            for element in scope.iter(etree.Element):
                name = element.get("id")
                if name is not None:
                    known.setdefault(name, element)
        return known.get(wanted)

    def _doubtful(self, test: Any) -> Unknown | None:
        """Whether an element that may or may not be in the tree answers a query."""
        for element in self.machine.maybe:
            if any(test(inner) for inner in element.iter(etree.Element)):
                return self.machine.unknown("branch", "element")
        return None

    def select(self, scope: _Element, selector: JSValue, *, document: bool, first: bool) -> JSValue:
        """``querySelector`` and ``querySelectorAll``."""
        machine = self.machine
        text = to_string(machine, selector)
        if type(text) is Unknown:
            return text.of_kind(None)
        try:
            name = simple_id(text)
            if name is not None and first and (document or scope is self.root):
                found = self.by_id(scope, name)
                if type(found) is Unknown:
                    return found
                return self.wrap(None if found is scope and not document else found)
            compiled = read_selector(text)
            if compiled is None:
                raise self.dom_error("SyntaxError", f"'{text[:60]}' is not a valid selector.")
            test = compiled.test
            query = Query(self.journal, None if document else scope)
            doubt = self._doubtful(lambda element: test(element, query)) if machine.maybe else None
            if doubt is not None:
                return doubt
            key: Hashable = None
            if compiled.reads is not None and not self.journal.unknown:
                key = (scope, text, document, first, self.journal.version(compiled.reads))
            answer = self.answers.get(key)
            if answer is None:
                answer = self._search(compiled, query, scope, document=document, first=first)
                if key is not None:
                    self.answers[key] = answer
            machine.spend(answer.looked_at >> 4)
        except Undecided:
            return machine.unknown("unsupported")
        if first:
            return self.wrap(answer.found[0] if answer.found else None)
        return self.host_list([self.wrap(element) for element in answer.found])

    def _search(self, selector: Selector, query: Query, scope: _Element, *, document: bool, first: bool) -> Answer:
        found: list[_Element] = []
        count = 0
        # What is not known of an attribute is told by the test alone.
        candidates = scope.iter(etree.Element) if self.journal.unknown else selector.candidates(scope)
        for element in candidates:
            count += 1
            if (element is not scope or document) and selector.test(element, query):
                found.append(element)
                if first:
                    break
        return Answer(found, count)

    def matches(self, element: _Element, selector: JSValue, *, closest: bool) -> JSValue:
        """``matches`` and ``closest``."""
        text = to_string(self.machine, selector)
        if type(text) is Unknown:
            return text.of_kind(None if closest else "boolean")
        try:
            test = compile_selector(text)
            if test is None:
                raise self.dom_error("SyntaxError", f"'{text[:60]}' is not a valid selector.")
            query = Query(self.journal, element)
            above: _Element | None = element
            while above is not None and above.tag != "fragment":
                self.machine.spend(1)
                if test(above, query):
                    return self.wrap(above) if closest else True
                if not closest:
                    break
                above = above.getparent()
        except Undecided:
            return self.machine.unknown("unsupported", None if closest else "boolean")
        return NULL if closest else False

    def node_argument(self, value: JSValue) -> NodeObject:
        """An argument of ``append`` and its kin: a node, or anything as text."""
        if isinstance(value, NodeObject):
            return value
        if type(value) is Unknown and value.kind != "string":
            return self.text_node(value)
        return self.text_node(to_string(self.machine, value))

    def require_node(self, value: JSValue, what: str) -> NodeObject | None:
        """An argument of ``appendChild`` and its kin: a node; None where it is unknown."""
        if isinstance(value, NodeObject):
            return value
        if type(value) is Unknown:
            return None
        raise self.machine.type_error(f"Failed to execute '{what}' on 'Node': parameter is not of type 'Node'.")


_LOADING = frozenset(["img", "iframe", "script", "object", "embed", "video", "audio", "source", "image"])
