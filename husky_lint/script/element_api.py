"""Properties and methods of elements, text nodes and fragments (WHATWG DOM and HTML, CSSOM, SVG 2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lxml import etree

from husky_lint.parse.html import XHTML, XLINK, xml_name
from husky_lint.script.inline_style import StyleObject
from husky_lint.script.journal import CLOCK_HELD, SetAttribute
from husky_lint.script.markup import serialize
from husky_lint.script.natives import arg, native
from husky_lint.script.nodes import ElementObject, HostObject, NodeObject, Tables, TextObject
from husky_lint.script.operators import to_number, to_string, truth
from husky_lint.script.query import local_name
from husky_lint.script.values import MISSING, NULL, UNDEFINED, JSObject, JSValue, Unknown
from husky_lint.style.words import words

if TYPE_CHECKING:
    from husky_lint.script.browser import Browser
    from husky_lint.script.machine import Machine

NODE = Tables()
TEXT = Tables(NODE)

_UPPER = re.compile("[A-Z]")


def attribute_key(browser: Browser, element: Any, name: str) -> str:
    """The lxml name of an attribute as script names it."""
    if str(element.tag).startswith(f"{{{XHTML}}}"):
        name = name.lower()
    if name == "xlink:href":
        return f"{{{XLINK}}}href"
    return xml_name(name)


# --- nodes


@NODE.getter("nodeType")
def _node_type(b: Browser, node: NodeObject) -> JSValue:
    if isinstance(node, TextObject):
        return 8.0 if node.comment else 3.0
    return 11.0 if isinstance(node, ElementObject) and node.is_fragment else 1.0


@NODE.getter("nodeName", "tagName")
def _node_name(b: Browser, node: NodeObject) -> JSValue:
    if isinstance(node, TextObject):
        return "#comment" if node.comment else "#text"
    if not isinstance(node, ElementObject) or node.is_fragment:
        return "#document-fragment"
    name = local_name(node.element)
    return name.upper() if str(node.element.tag).startswith(f"{{{XHTML}}}") else name


@NODE.getter("ownerDocument")
def _owner(b: Browser, node: NodeObject) -> JSValue:
    return b.document_object


@NODE.getter("parentNode")
def _parent_node(b: Browser, node: NodeObject) -> JSValue:
    if isinstance(node, ElementObject) and node.element is b.root:
        return b.document_object
    return b.parent_of(node) or NULL


@NODE.getter("parentElement")
def _parent_element(b: Browser, node: NodeObject) -> JSValue:
    parent = b.parent_of(node)
    return NULL if parent is None or parent.is_fragment else parent


@NODE.getter("isConnected")
def _is_connected(b: Browser, node: NodeObject) -> JSValue:
    holder = node if isinstance(node, ElementObject) else b.parent_of(node)
    return holder is not None and b.connected(holder.element)


@NODE.getter("textContent")
def _text_content(b: Browser, node: NodeObject) -> JSValue:
    if isinstance(node, TextObject):
        return node.data
    return b.text_of(node.element) if isinstance(node, ElementObject) else NULL


@NODE.setter("textContent")
def _set_text_content(b: Browser, node: NodeObject, value: JSValue) -> None:
    b.set_text(node, "" if value is NULL else to_string(b.machine, value))


def _siblings(b: Browser, node: NodeObject) -> tuple[list[NodeObject], int]:
    parent = b.parent_of(node)
    if parent is None:
        return [], 0
    kids = b.kids(parent)
    return kids, kids.index(node)


@NODE.getter("nextSibling")
def _next_sibling(b: Browser, node: NodeObject) -> JSValue:
    kids, place = _siblings(b, node)
    return kids[place + 1] if place + 1 < len(kids) else NULL


@NODE.getter("previousSibling")
def _previous_sibling(b: Browser, node: NodeObject) -> JSValue:
    kids, place = _siblings(b, node)
    return kids[place - 1] if place > 0 else NULL


@NODE.getter("nextElementSibling")
def _next_element(b: Browser, node: NodeObject) -> JSValue:
    kids, place = _siblings(b, node)
    return next((kid for kid in kids[place + 1 :] if isinstance(kid, ElementObject)), NULL)


@NODE.getter("previousElementSibling")
def _previous_element(b: Browser, node: NodeObject) -> JSValue:
    kids, place = _siblings(b, node)
    return next((kid for kid in reversed(kids[:place]) if isinstance(kid, ElementObject)), NULL)


@TEXT.getter("data", "nodeValue", "wholeText")
def _data(b: Browser, node: TextObject) -> JSValue:
    return node.data


@TEXT.setter("data", "nodeValue")
def _set_data(b: Browser, node: TextObject, value: JSValue) -> None:
    b.set_text(node, "" if value is NULL else to_string(b.machine, value))


@TEXT.getter("length")
def _data_length(b: Browser, node: TextObject) -> JSValue:
    return b.machine.get(node.data, "length")


def _browser(this: JSValue, m: Machine) -> Browser:
    return m.realm  # type: ignore[return-value]


@native(NODE.methods, "remove")
def _remove(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, NodeObject):
        _browser(this, m).remove(this)
    return UNDEFINED


def _receiver(m: Machine, this: JSValue) -> ElementObject | None:
    """The element a method is called on; None if it is unknown."""
    if isinstance(this, ElementObject):
        return this
    if type(this) is Unknown:
        return None
    raise m.type_error("Illegal invocation")


def _insert_beside(m: Machine, this: JSValue, args: list[JSValue], *, after: bool) -> None:
    b = _browser(this, m)
    parent = b.parent_of(this) if isinstance(this, NodeObject) else None
    if parent is None:
        return
    nodes = [b.node_argument(value) for value in args]
    kids = b.kids(parent)
    place = kids.index(this) + after
    reference = next((kid for kid in kids[place:] if kid not in nodes), None)
    for node in nodes:
        b.insert(parent, node, reference)


@native(NODE.methods, "before")
def _before(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    _insert_beside(m, this, args, after=False)
    return UNDEFINED


@native(NODE.methods, "after")
def _after(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    _insert_beside(m, this, args, after=True)
    return UNDEFINED


@native(NODE.methods, "replaceWith")
def _replace_with(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    b = _browser(this, m)
    parent = b.parent_of(this) if isinstance(this, NodeObject) else None
    if parent is None:
        return UNDEFINED
    nodes = [b.node_argument(value) for value in args]
    kids = b.kids(parent)
    reference = next((kid for kid in kids[kids.index(this) + 1 :] if kid not in nodes), None)
    if this not in nodes:
        b.remove(this)
    for node in nodes:
        b.insert(parent, node, reference)
    return UNDEFINED


@native(NODE.methods, "cloneNode")
def _clone_node(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _browser(this, m).clone(this, deep=truth(arg(args)) is True) if isinstance(this, NodeObject) else UNDEFINED


@native(NODE.methods, "contains")
def _contains(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    other = arg(args)
    if type(other) is Unknown:
        return other.of_kind("boolean")
    b = _browser(this, m)
    node: Any = other
    while isinstance(node, NodeObject):
        if node is this:
            return True
        node = b.parent_of(node)
    return this is b.document_object and isinstance(other, NodeObject)


@native(NODE.methods, "isSameNode")
def _is_same_node(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return this is arg(args)


@native(NODE.methods, "getRootNode")
def _root_node(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _browser(this, m).document_object


@native(NODE.methods, "hasChildNodes")
def _has_child_nodes(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return isinstance(this, ElementObject) and bool(_browser(this, m).kids(this))


@native(NODE.methods, "normalize")
def _normalize(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return UNDEFINED


# --- parents

PARENT = Tables(NODE)


def _unknown_children(b: Browser, node: ElementObject) -> Unknown | None:
    return b.journal.unknown.get((node.element, "#children")) if b.journal.unknown else None


def _elements(b: Browser, node: ElementObject) -> list[JSValue]:
    return [b.wrap(child) for child in node.element]


@PARENT.getter("children")
def _children(b: Browser, node: ElementObject) -> JSValue:
    return _unknown_children(b, node) or b.host_list(_elements(b, node))


@PARENT.getter("childNodes")
def _child_nodes(b: Browser, node: ElementObject) -> JSValue:
    return _unknown_children(b, node) or b.host_list(list(b.kids(node)))


@PARENT.getter("childElementCount")
def _child_count(b: Browser, node: ElementObject) -> JSValue:
    unknown = _unknown_children(b, node)
    return float(len(node.element)) if unknown is None else unknown.number(0, whole=True)


@PARENT.getter("firstElementChild")
def _first_element(b: Browser, node: ElementObject) -> JSValue:
    return _unknown_children(b, node) or (b.wrap(node.element[0]) if len(node.element) else NULL)


@PARENT.getter("lastElementChild")
def _last_element(b: Browser, node: ElementObject) -> JSValue:
    return _unknown_children(b, node) or (b.wrap(node.element[-1]) if len(node.element) else NULL)


@PARENT.getter("firstChild")
def _first_child(b: Browser, node: ElementObject) -> JSValue:
    kids = b.kids(node)
    return _unknown_children(b, node) or (kids[0] if kids else NULL)


@PARENT.getter("lastChild")
def _last_child(b: Browser, node: ElementObject) -> JSValue:
    kids = b.kids(node)
    return _unknown_children(b, node) or (kids[-1] if kids else NULL)


@native(PARENT.methods, "append")
def _append(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target = _receiver(m, this)
    b = _browser(this, m)
    for value in args:
        if target is not None:
            b.insert(target, b.node_argument(value), None)
    return UNDEFINED


@native(PARENT.methods, "prepend")
def _prepend(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target = _receiver(m, this)
    if target is None:
        return UNDEFINED
    b = _browser(this, m)
    nodes = [b.node_argument(value) for value in args]
    first = next((kid for kid in b.kids(target) if kid not in nodes), None)
    for node in nodes:
        b.insert(target, node, first)
    return UNDEFINED


@native(PARENT.methods, "appendChild")
def _append_child(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target = _receiver(m, this)
    b = _browser(this, m)
    node = b.require_node(arg(args), "appendChild")
    if target is not None and node is not None:
        b.insert(target, node, None)
    elif target is not None:
        b.journal.mark_unknown(target.element, "#children", arg(args), m.at)
    return arg(args)


@native(PARENT.methods, "insertBefore")
def _insert_before(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target = _receiver(m, this)
    b = _browser(this, m)
    node = b.require_node(arg(args), "insertBefore")
    reference = arg(args, 1)
    if target is not None and node is not None:
        b.insert(target, node, reference if isinstance(reference, NodeObject) else None)
    return arg(args)


@native(PARENT.methods, "removeChild")
def _remove_child(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    b = _browser(this, m)
    node = b.require_node(arg(args), "removeChild")
    if node is not None:
        if b.parent_of(node) is not this:
            raise b.dom_error("NotFoundError", "The node to be removed is not a child of this node.")
        b.remove(node)
    return arg(args)


@native(PARENT.methods, "replaceChild")
def _replace_child(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    b = _browser(this, m)
    old = b.require_node(arg(args, 1), "replaceChild")
    if old is not None:
        if b.parent_of(old) is not this:
            raise b.dom_error("NotFoundError", "The node to be replaced is not a child of this node.")
        _replace_with(m, old, args[:1])
    return arg(args, 1)


@native(PARENT.methods, "replaceChildren")
def _replace_children(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target = _receiver(m, this)
    if target is not None:
        b = _browser(this, m)
        nodes = [b.node_argument(value) for value in args]
        b.set_text(target, "")
        for node in nodes:
            b.insert(target, node, None)
    return UNDEFINED


def _scope(b: Browser, this: JSValue) -> tuple[Any, bool]:
    return (this.element, False) if isinstance(this, ElementObject) else (b.root, True)


@native(PARENT.methods, "querySelector")
def _query_selector(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    b = _browser(this, m)
    scope, document = _scope(b, this)
    return b.select(scope, arg(args), document=document, first=True)


@native(PARENT.methods, "querySelectorAll")
def _query_selector_all(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    b = _browser(this, m)
    scope, document = _scope(b, this)
    return b.select(scope, arg(args), document=document, first=False)


@native(PARENT.methods, "getElementById")
def _get_element_by_id(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    b = _browser(this, m)
    wanted = to_string(m, arg(args))
    if type(wanted) is Unknown:
        return wanted.of_kind(None)
    found = b.by_id(_scope(b, this)[0], wanted)
    return found if type(found) is Unknown else b.wrap(found)


@native(PARENT.methods, "getElementsByClassName")
def _by_class(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    name = to_string(m, arg(args))
    if type(name) is Unknown:
        return name.of_kind(None)
    wanted = set(name.split())
    b = _browser(this, m)
    scope, document = _scope(b, this)
    found = [e for e in scope.iter(etree.Element) if wanted <= set((e.get("class") or "").split()) and wanted]
    return b.host_list([b.wrap(e) for e in found if document or e is not scope])


@native(PARENT.methods, "getElementsByTagName", "getElementsByTagNameNS")
def _by_tag(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    name = to_string(m, args[-1] if args else UNDEFINED)
    if type(name) is Unknown:
        return name.of_kind(None)
    b = _browser(this, m)
    scope, document = _scope(b, this)
    found = [
        e
        for e in scope.iter(etree.Element)
        if name == "*" or local_name(e) == (name.lower() if str(e.tag).startswith(f"{{{XHTML}}}") else name)
    ]
    return b.host_list([b.wrap(e) for e in found if document or e is not scope])


@native(PARENT.methods, "getElementsByName")
def _by_name(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    b = _browser(this, m)
    name = to_string(m, arg(args))
    return b.host_list([b.wrap(e) for e in b.root.iter(etree.Element) if e.get("name") == name])


# --- elements

ELEMENT = Tables(PARENT)


@ELEMENT.getter("localName")
def _local_name(b: Browser, node: ElementObject) -> JSValue:
    return local_name(node.element)


@ELEMENT.getter("namespaceURI")
def _namespace(b: Browser, node: ElementObject) -> JSValue:
    return str(node.element.tag)[1:].rpartition("}")[0] or NULL


@native(ELEMENT.methods, "getAttribute")
def _get_attribute(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target, name = _receiver(m, this), to_string(m, arg(args))
    if target is None or type(name) is Unknown:
        return m.unknown("branch", "string")
    b = _browser(this, m)
    return b.attribute(target.element, attribute_key(b, target.element, name))


@native(ELEMENT.methods, "getAttributeNS")
def _get_attribute_ns(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target, name = _receiver(m, this), to_string(m, arg(args, 1))
    if target is None or type(name) is Unknown:
        return m.unknown("branch", "string")
    return _browser(this, m).attribute(target.element, _namespaced(arg(args), name))


def _namespaced(namespace: JSValue, name: str) -> str:
    local = xml_name(name.rpartition(":")[2])
    return f"{{{namespace}}}{local}" if type(namespace) is str and namespace else local


@native(ELEMENT.methods, "setAttribute")
def _set_attribute(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target, name = _receiver(m, this), to_string(m, arg(args))
    if target is not None:
        if type(name) is Unknown:
            m.emit("unknown", target.element, "setAttribute", name)
        else:
            b = _browser(this, m)
            if not name or any(c in name for c in " \t\n<>/=\"'"):
                raise b.dom_error("InvalidCharacterError", f"'{name[:40]}' is not a valid attribute name.")
            b.set_attribute(target.element, attribute_key(b, target.element, name), to_string(m, arg(args, 1)))
            if name.startswith("on"):
                b.inline_handler(target, name.lower(), arg(args, 1))
    return UNDEFINED


@native(ELEMENT.methods, "setAttributeNS")
def _set_attribute_ns(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target, name = _receiver(m, this), to_string(m, arg(args, 1))
    if target is not None and type(name) is not Unknown:
        _browser(this, m).set_attribute(target.element, _namespaced(arg(args), name), to_string(m, arg(args, 2)))
    return UNDEFINED


@native(ELEMENT.methods, "removeAttribute")
def _remove_attribute(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target, name = _receiver(m, this), to_string(m, arg(args))
    if target is not None and type(name) is not Unknown:
        b = _browser(this, m)
        b.set_attribute(target.element, attribute_key(b, target.element, name), None)
    return UNDEFINED


@native(ELEMENT.methods, "removeAttributeNS")
def _remove_attribute_ns(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target, name = _receiver(m, this), to_string(m, arg(args, 1))
    if target is not None and type(name) is not Unknown:
        _browser(this, m).set_attribute(target.element, _namespaced(arg(args), name), None)
    return UNDEFINED


@native(ELEMENT.methods, "hasAttribute")
def _has_attribute(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value = _get_attribute(m, this, args)
    return value.of_kind("boolean") if type(value) is Unknown else value is not NULL


@native(ELEMENT.methods, "hasAttributeNS")
def _has_attribute_ns(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value = _get_attribute_ns(m, this, args)
    return value.of_kind("boolean") if type(value) is Unknown else value is not NULL


@native(ELEMENT.methods, "hasAttributes")
def _has_attributes(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return isinstance(this, ElementObject) and bool(this.element.attrib)


@native(ELEMENT.methods, "getAttributeNames")
def _attribute_names(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return m.array([str(k) for k in this.element.attrib] if isinstance(this, ElementObject) else [])


@native(ELEMENT.methods, "toggleAttribute")
def _toggle_attribute(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target, name = _receiver(m, this), to_string(m, arg(args))
    if target is None or type(name) is Unknown:
        return m.unknown("branch", "boolean")
    b = _browser(this, m)
    key = attribute_key(b, target.element, name)
    present = _has_attribute(m, this, args[:1])
    wanted: Any = (
        truth(args[1])
        if len(args) > 1 and args[1] is not UNDEFINED
        else (None if type(present) is Unknown else not present)
    )
    if wanted is None:
        b.set_attribute(target.element, key, m.unknown("branch", "string"))
        return m.unknown("branch", "boolean")
    if wanted and present is not True:
        b.set_attribute(target.element, key, "")
    elif not wanted and present is not False:
        b.set_attribute(target.element, key, None)
    return bool(wanted)


@native(ELEMENT.methods, "matches", "webkitMatchesSelector")
def _matches(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target = _receiver(m, this)
    if target is None:
        return m.unknown("branch", "boolean")
    return _browser(this, m).matches(target.element, arg(args), closest=False)


@native(ELEMENT.methods, "closest")
def _closest(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target = _receiver(m, this)
    return m.unknown("branch") if target is None else _browser(this, m).matches(target.element, arg(args), closest=True)


# --- class, data, style


def _tokens(b: Browser, element: Any) -> list[str] | Unknown:
    value = b.attribute(element, "class", "")
    return value if type(value) is Unknown else list(dict.fromkeys(value.split()))


class ClassList(HostObject):
    """``element.classList``."""

    __slots__ = ("element",)
    class_name = "DOMTokenList"

    def __init__(self, browser: Browser, element: Any) -> None:
        super().__init__(browser, browser.object_prototype, CLASS_LIST)
        self.element = element

    def own(self, machine: Machine, key: Any) -> JSValue:
        if type(key) is str and key.isdigit():
            tokens = _tokens(self.browser, self.element)
            if type(tokens) is Unknown:
                return tokens.of_kind("string")
            return tokens[int(key)] if len(key) < 6 and int(key) < len(tokens) else UNDEFINED
        return super().own(machine, key)


CLASS_LIST = Tables()


@CLASS_LIST.getter("length")
def _class_count(b: Browser, node: ClassList) -> JSValue:
    tokens = _tokens(b, node.element)
    return tokens.number(0, whole=True) if type(tokens) is Unknown else float(len(tokens))


@CLASS_LIST.getter("value")
def _class_value(b: Browser, node: ClassList) -> JSValue:
    return b.attribute(node.element, "class", "")


@CLASS_LIST.setter("value")
def _set_class_value(b: Browser, node: ClassList, value: JSValue) -> None:
    b.set_attribute(node.element, "class", to_string(b.machine, value))


def _change_classes(m: Machine, this: ClassList, names: list[JSValue], *, add: bool) -> None:
    b, element = this.browser, this.element
    tokens = _tokens(b, element)
    before = None if type(tokens) is Unknown else list(tokens)
    for value in names:
        name = to_string(m, value)
        if type(name) is Unknown or type(tokens) is Unknown:
            why = name if type(name) is Unknown else tokens if type(tokens) is Unknown else None
            m.emit("class", element, name if type(name) is str else "", add)
            b.journal.mark_unknown(element, "class", why, m.at)
            continue
        if not name or any(c.isspace() for c in name):
            raise b.dom_error(
                "SyntaxError" if not name else "InvalidCharacterError", "The token provided is not valid."
            )
        m.emit("class", element, name, add)
        if add and name not in tokens:
            tokens.append(name)
        elif not add and name in tokens:
            tokens.remove(name)
    if type(tokens) is not Unknown and (tokens != before or element.get("class") is not None):
        text = " ".join(tokens)
        if text != element.get("class"):
            b.put_attribute(element, "class", text)


@native(CLASS_LIST.methods, "add")
def _class_add(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, ClassList):
        _change_classes(m, this, args, add=True)
    return UNDEFINED


@native(CLASS_LIST.methods, "remove")
def _class_remove(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, ClassList):
        _change_classes(m, this, args, add=False)
    return UNDEFINED


@native(CLASS_LIST.methods, "contains")
def _class_contains(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    name = to_string(m, arg(args))
    tokens = _tokens(this.browser, this.element) if isinstance(this, ClassList) else m.unknown("branch")
    if type(tokens) is Unknown or type(name) is Unknown:
        return (name if type(name) is Unknown else m.unknown("branch")).of_kind("boolean")
    return name in tokens


@native(CLASS_LIST.methods, "toggle")
def _class_toggle(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if not isinstance(this, ClassList):
        return m.unknown("branch", "boolean")
    if len(args) > 1 and args[1] is not UNDEFINED:
        wanted = truth(args[1])
        if wanted is None:
            return m.fork(
                lambda: _class_toggle(m, this, [args[0], True]), lambda: _class_toggle(m, this, [args[0], False])
            )
    else:
        present = _class_contains(m, this, args)
        if type(present) is Unknown:
            m.emit("class", this.element, to_string(m, arg(args)), present)
            this.browser.journal.mark_unknown(this.element, "class", present, m.at)
            return present
        wanted = not present
    _change_classes(m, this, args[:1], add=bool(wanted))
    return bool(wanted)


@native(CLASS_LIST.methods, "replace")
def _class_replace(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    present = _class_contains(m, this, args)
    if present is True and isinstance(this, ClassList):
        tokens = _tokens(this.browser, this.element)
        old, new = to_string(m, arg(args)), to_string(m, arg(args, 1))
        if type(tokens) is not Unknown and type(new) is str:
            m.emit("class", this.element, old, False)
            m.emit("class", this.element, new, True)
            replaced = dict.fromkeys(new if token == old else token for token in tokens)
            this.browser.put_attribute(this.element, "class", " ".join(replaced))
    return present


@native(CLASS_LIST.methods, "item")
def _class_item(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value = this.own(m, to_string(m, arg(args))) if isinstance(this, ClassList) else UNDEFINED
    return NULL if value is UNDEFINED or value is MISSING else value


@native(CLASS_LIST.methods, "forEach")
def _class_for_each(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    tokens = _tokens(this.browser, this.element) if isinstance(this, ClassList) else []
    return UNDEFINED if type(tokens) is Unknown else m.call(m.get(m.array(tokens), "forEach"), m.array(tokens), args)


@native(CLASS_LIST.methods, "toString")
def _class_text(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return this.browser.attribute(this.element, "class", "") if isinstance(this, ClassList) else ""


class Dataset(JSObject):
    """``element.dataset``."""

    __slots__ = ("browser", "element")
    class_name = "DOMStringMap"

    def __init__(self, browser: Browser, element: Any) -> None:
        super().__init__(browser.object_prototype)
        self.browser = browser
        self.element = element

    @staticmethod
    def name(key: str) -> str:
        return xml_name("data-" + _UPPER.sub(lambda match: "-" + match.group().lower(), key))

    def own(self, machine: Machine, key: Any) -> JSValue:
        if type(key) is not str:
            return MISSING
        return self.browser.attribute(self.element, self.name(key), MISSING)

    def set(self, machine: Machine, key: Any, value: JSValue) -> bool:
        if type(key) is str:
            self.browser.set_attribute(self.element, self.name(key), to_string(machine, value))
        return True

    def delete(self, machine: Machine, key: Any) -> bool:
        if type(key) is str:
            self.browser.set_attribute(self.element, self.name(key), None)
        return True

    def own_keys(self) -> list[str]:
        names = [str(name) for name in self.element.attrib if str(name).startswith("data-")]
        return [re.sub("-([a-z])", lambda match: match.group(1).upper(), name[5:]) for name in names]


@ELEMENT.getter("classList")
def _class_list(b: Browser, node: ElementObject) -> JSValue:
    return b.companion(node, "classList", ClassList)


@ELEMENT.getter("dataset")
def _dataset(b: Browser, node: ElementObject) -> JSValue:
    return b.companion(node, "dataset", Dataset)


@ELEMENT.getter("style", "attributeStyleMap")
def _style(b: Browser, node: ElementObject) -> JSValue:
    return b.companion(node, "style", StyleObject)


@ELEMENT.setter("style")
def _set_style(b: Browser, node: ElementObject, value: JSValue) -> None:
    b.write_style_text(node.element, to_string(b.machine, value))


@ELEMENT.setter("classList")
def _set_class_list(b: Browser, node: ElementObject, value: JSValue) -> None:
    b.set_attribute(node.element, "class", to_string(b.machine, value))


# --- markup


@ELEMENT.getter("innerHTML")
def _inner_html(b: Browser, node: ElementObject) -> JSValue:
    text = b.text_of(node.element)
    return text if type(text) is Unknown else serialize(node.element, outer=False)


@ELEMENT.setter("innerHTML")
def _set_inner_html(b: Browser, node: ElementObject, value: JSValue) -> None:
    b.set_markup(node, "" if value is NULL else to_string(b.machine, value))


@ELEMENT.getter("outerHTML")
def _outer_html(b: Browser, node: ElementObject) -> JSValue:
    return serialize(node.element, outer=True)


@ELEMENT.setter("outerHTML")
def _set_outer_html(b: Browser, node: ElementObject, value: JSValue) -> None:
    parent = b.parent_of(node)
    text = to_string(b.machine, value)
    if parent is None or type(text) is Unknown:
        b.machine.emit("unknown", node.element, "outerHTML", text)
        return
    holder = b.parse_markup(text, parent.element)
    if holder is not None:
        _replace_with(b.machine, node, [holder])


@native(ELEMENT.methods, "insertAdjacentHTML")
def _insert_adjacent_html(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target, text = _receiver(m, this), to_string(m, arg(args, 1))
    if target is None:
        return UNDEFINED
    b = _browser(this, m)
    inside = str(arg(args)).lower() in ("afterbegin", "beforeend")
    parent = target if inside else b.parent_of(target)
    holder = None if type(text) is Unknown or parent is None else b.parse_markup(text, parent.element)
    if holder is None:
        if parent is not None:
            why = text if type(text) is Unknown else m.unknown("limit")
            b.journal.mark_unknown(parent.element, "#children", why, m.at)
        return UNDEFINED
    return _adjacent(m, target, arg(args), holder)


@native(ELEMENT.methods, "insertAdjacentElement", "insertAdjacentText")
def _insert_adjacent(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target = _receiver(m, this)
    return (
        UNDEFINED if target is None else _adjacent(m, target, arg(args), _browser(this, m).node_argument(arg(args, 1)))
    )


def _adjacent(m: Machine, target: ElementObject, where: JSValue, node: JSValue) -> JSValue:
    place = str(to_string(m, where)).lower()
    move = {"beforebegin": _before, "afterbegin": _prepend, "beforeend": _append, "afterend": _after}.get(place)
    if move is None:
        raise _browser(target, m).dom_error("SyntaxError", "The value provided is not a valid position.")
    move(m, target, [node])
    return node


# --- reflected attributes


def reflect(tables: Tables, key: str, name: str, default: JSValue = "") -> None:
    """A property that is an attribute."""

    def read(b: Browser, node: ElementObject) -> JSValue:
        return b.attribute(node.element, name, default)

    def write(b: Browser, node: ElementObject, value: JSValue) -> None:
        b.set_attribute(node.element, name, to_string(b.machine, value))

    tables.getters[key] = read
    tables.setters[key] = write


def reflect_nullable(tables: Tables, key: str, name: str) -> None:
    """A property that is an attribute, null where there is none (ARIA)."""

    def read(b: Browser, node: ElementObject) -> JSValue:
        return b.attribute(node.element, name, NULL)

    def write(b: Browser, node: ElementObject, value: JSValue) -> None:
        b.set_attribute(
            node.element, name, None if value is NULL or value is UNDEFINED else to_string(b.machine, value)
        )

    tables.getters[key] = read
    tables.setters[key] = write


def reflect_flag(tables: Tables, key: str, name: str) -> None:
    """A property that says whether an attribute is there."""

    def read(b: Browser, node: ElementObject) -> JSValue:
        value = b.attribute(node.element, name)
        return value.of_kind("boolean") if type(value) is Unknown else value is not NULL

    def write(b: Browser, node: ElementObject, value: JSValue) -> None:
        on = truth(value)
        if on is None:
            b.set_attribute(node.element, name, value.of_kind("string"))
        elif on or node.element.get(name) is not None or b.journal.unknown:
            b.set_attribute(node.element, name, "" if on else None)

    tables.getters[key] = read
    tables.setters[key] = write


reflect(ELEMENT, "id", "id")
reflect(ELEMENT, "slot", "slot")
for _name in words(
    """
    atomic busy checked current description disabled expanded hasPopup hidden invalid keyShortcuts label level live
    modal multiLine multiSelectable orientation placeholder posInSet pressed readOnly required roleDescription selected
    setSize sort valueMax valueMin valueNow valueText
    """
):
    reflect_nullable(ELEMENT, f"aria{_name[0].upper()}{_name[1:]}", f"aria-{_name.lower()}")
reflect_nullable(ELEMENT, "role", "role")
reflect_flag(ELEMENT, "autofocus", "autofocus")


@ELEMENT.getter("tabIndex")
def _tab_index(b: Browser, node: ElementObject) -> JSValue:
    value = b.attribute(node.element, "tabindex")
    if value is NULL:
        return 0.0 if local_name(node.element) in ("button", "input", "select", "textarea", "a") else -1.0
    return to_number(b.machine, value)


@ELEMENT.setter("tabIndex")
def _set_tab_index(b: Browser, node: ElementObject, value: JSValue) -> None:
    b.set_attribute(node.element, "tabindex", to_string(b.machine, value))


SVG = Tables(ELEMENT)
HTML = Tables(ELEMENT)

for _key in words(
    """
    title lang dir name rel media alt placeholder sizes target download label
    """
):
    reflect(HTML, _key, _key)
for _key in words(
    """
    min max step pattern crossOrigin loading charset content as integrity summary
    """
):
    reflect(HTML, _key, _key.lower())
reflect(HTML, "className", "class")
reflect(HTML, "htmlFor", "for")
reflect(HTML, "httpEquiv", "http-equiv")
reflect(HTML, "accessKey", "accesskey")
for _key in words(
    """
    hidden disabled required multiple open inert defer controls loop autoplay
    """
):
    reflect_flag(HTML, _key, _key)
reflect_flag(HTML, "readOnly", "readonly")
reflect_flag(HTML, "defaultChecked", "checked")
reflect_flag(HTML, "selected", "selected")


@HTML.getter("innerText")
def _inner_text(b: Browser, node: ElementObject) -> JSValue:
    text = b.text_of(node.element)
    return text if type(text) is Unknown or len(node.element) == 0 else b.machine.unknown("layout", "string")


@HTML.setter("innerText")
def _set_inner_text(b: Browser, node: ElementObject, value: JSValue) -> None:
    text = "" if value is NULL else to_string(b.machine, value)
    if type(text) is str and "\n" in text:
        b.set_markup(node, "<br>".join(line.replace("&", "&amp;").replace("<", "&lt;") for line in text.splitlines()))
    else:
        b.set_text(node, text)


HTML.getters["outerText"] = _inner_text


@HTML.getter("text")
def _script_text(b: Browser, node: ElementObject) -> JSValue:
    return b.text_of(node.element)


@HTML.setter("text")
def _set_script_text(b: Browser, node: ElementObject, value: JSValue) -> None:
    b.set_text(node, to_string(b.machine, value))


@HTML.getter("type")
def _type(b: Browser, node: ElementObject) -> JSValue:
    default = {"button": "submit", "input": "text", "select": "select-one"}.get(local_name(node.element), "")
    return b.attribute(node.element, "type", default)


@HTML.setter("type")
def _set_type(b: Browser, node: ElementObject, value: JSValue) -> None:
    b.set_attribute(node.element, "type", to_string(b.machine, value))


def _address(key: str) -> None:
    def read(b: Browser, node: ElementObject) -> JSValue:
        value = b.attribute(node.element, key, "")
        # The property is the absolute address, and where the page lies is not known.
        return (
            value
            if value == "" or type(value) is Unknown
            else Unknown(
                "environment", b.machine.at, "string", parts=(Unknown("environment", b.machine.at, "string"), value)
            )
        )

    def write(b: Browser, node: ElementObject, value: JSValue) -> None:
        b.set_attribute(node.element, key, to_string(b.machine, value))

    HTML.getters[key] = read
    HTML.setters[key] = write


for _key in ("href", "src", "action", "data"):
    _address(_key)


def _state(b: Browser, node: ElementObject, name: str) -> JSValue:
    if b.journal.unknown:
        found = b.journal.unknown.get((node.element, f"property/{name}"))
        if found is not None:
            return found
    return b.journal.properties.get((node.element, name))


@HTML.getter("checked", "indeterminate")
def _checked(b: Browser, node: ElementObject) -> JSValue:
    state = _state(b, node, "checked")
    return node.element.get("checked") is not None if state is None else state


@HTML.setter("checked")
def _set_checked(b: Browser, node: ElementObject, value: JSValue) -> None:
    set_checked(b, node.element, truth(value) if truth(value) is not None else value)


def set_checked(b: Browser, element: Any, value: JSValue) -> None:
    """Check or uncheck; of radio buttons of one name, one is checked."""
    if value is True and (element.get("type") or "").lower() == "radio" and element.get("name"):
        for other in b.root.iter(element.tag):
            if other is not element and other.get("name") == element.get("name") and other.get("type") == "radio":
                set_property(b, other, "checked", False)
    set_property(b, element, "checked", value)


def set_property(b: Browser, element: Any, name: str, value: JSValue) -> None:
    """Write state that is no attribute."""
    b.machine.emit("property", element, name, value)
    if type(value) is Unknown:
        b.journal.mark_unknown(element, f"property/{name}", value, b.machine.at)
        return
    if b.journal.unknown:
        b.clear_unknown(element, f"property/{name}")
    b.journal.set_property(element, name, value, b.machine.at)


@HTML.getter("value")
def _value(b: Browser, node: ElementObject) -> JSValue:
    state = _state(b, node, "value")
    if state is not None:
        return state
    element = node.element
    name = local_name(element)
    if name == "select":
        options = [e for e in element.iter(etree.Element) if local_name(e) == "option"]
        chosen = next((o for o in options if o.get("selected") is not None), options[0] if options else None)
        return "" if chosen is None else chosen.get("value", "".join(map(str, chosen.itertext())).strip())
    if name == "textarea":
        return b.text_of(element)
    if name == "option":
        return b.attribute(element, "value", b.text_of(element))
    default = "on" if element.get("type") in ("checkbox", "radio") else "50" if element.get("type") == "range" else ""
    return b.attribute(element, "value", default)


@HTML.setter("value")
def _set_value(b: Browser, node: ElementObject, value: JSValue) -> None:
    if local_name(node.element) in ("button", "option", "li", "meter", "progress", "data", "param"):
        b.set_attribute(node.element, "value", to_string(b.machine, value))
    else:
        set_property(b, node.element, "value", to_string(b.machine, value))


@HTML.getter("valueAsNumber")
def _value_as_number(b: Browser, node: ElementObject) -> JSValue:
    return to_number(b.machine, _value(b, node))


@HTML.getter("options")
def _options(b: Browser, node: ElementObject) -> JSValue:
    return b.host_list([b.wrap(e) for e in node.element.iter(etree.Element) if local_name(e) == "option"])


@HTML.getter("content")
def _content(b: Browser, node: ElementObject) -> JSValue:
    if local_name(node.element) != "template":
        return b.attribute(node.element, "content", "")
    content = b.page.templates.get(node.element) if b.page is not None else None
    if content is None:
        return b.companion(node, "content", lambda browser, element: _content_of_made(browser, node))
    return b.companion(node, "content", lambda browser, element: browser.template_content(content))


def _content_of_made(b: Browser, node: ElementObject) -> ElementObject:
    """The content of a template that script makes: what script has put into it."""
    fragment = b.fragment()
    for kid in list(b.kids(node)):
        b.insert(fragment, kid, None)
    return fragment


@HTML.getter("sheet")
def _sheet(b: Browser, node: ElementObject) -> JSValue:
    return b.sheet_of(node.element) if local_name(node.element) in ("style", "link") else UNDEFINED


SVG.getters["sheet"] = _sheet


@SVG.getter("className")
def _svg_class_name(b: Browser, node: ElementObject) -> JSValue:
    value = b.attribute(node.element, "class", "")
    return b.machine.object({"baseVal": value, "animVal": value})


@SVG.getter("href")
def _svg_href(b: Browser, node: ElementObject) -> JSValue:
    value = b.attribute(node.element, "href", b.attribute(node.element, f"{{{XLINK}}}href", ""))
    return b.machine.object({"baseVal": value, "animVal": value})


@SVG.getter("ownerSVGElement", "viewportElement", "farthestViewportElement", "nearestViewportElement")
def _owner_svg(b: Browser, node: ElementObject) -> JSValue:
    return next((b.wrap(e) for e in node.element.iterancestors() if local_name(e) == "svg"), NULL)


_CLOCK = {"pauseAnimations": True, "unpauseAnimations": False}


def _smil(name: str) -> None:
    def run(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
        if isinstance(this, ElementObject):
            m.emit("smil", this.element, name, m.realm.export(arg(args)))
            if name in _CLOCK:
                held = "true" if _CLOCK[name] else None
                this.browser.journal.apply(SetAttribute.of(this.element, CLOCK_HELD, held, m.at))
        return UNDEFINED

    SVG.methods[name] = run


for _name in (
    "beginElement",
    "beginElementAt",
    "endElement",
    "endElementAt",
    "pauseAnimations",
    "unpauseAnimations",
    "setCurrentTime",
):
    _smil(_name)


# --- what layout or the clock would tell


def _measured(kind: str | None) -> Any:
    def run(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
        return m.unknown("layout", kind)

    return run


for _name in words(
    """
    getBoundingClientRect getClientRects getBBox getCTM getScreenCTM getPointAtLength createSVGPoint
    createSVGRect createSVGMatrix createSVGTransform getIntersectionList getContext attachShadow getAttributeNode
    assignedNodes computedStyleMap checkVisibility
    """
):
    ELEMENT.methods[_name] = _measured(None)
for _name in (
    "getTotalLength",
    "getComputedTextLength",
    "getNumberOfChars",
    "getCurrentTime",
    "compareDocumentPosition",
):
    ELEMENT.methods[_name] = _measured("number")
for _name in (
    "isPointInFill",
    "isPointInStroke",
    "animationsPaused",
    "isEqualNode",
    "checkValidity",
    "hasPointerCapture",
):
    ELEMENT.methods[_name] = _measured("boolean")


def _unmeasured(kind: str | None) -> Any:
    return lambda b, node: b.machine.unknown("layout", kind)


for _name in words(
    """
    offsetWidth offsetHeight offsetTop offsetLeft clientWidth clientHeight clientTop clientLeft scrollWidth scrollHeight
    scrollTop scrollLeft naturalWidth naturalHeight width height selectedIndex
    """
):
    ELEMENT.getters[_name] = _unmeasured("number")
for _name in words(
    """
    transform viewBox x y cx cy r rx ry x1 y1 x2 y2 points attributes shadowRoot offsetParent form
    """
):
    SVG.getters[_name] = _unmeasured(None)
for _name in ("attributes", "shadowRoot", "offsetParent", "form", "files", "relList", "labels", "validity"):
    HTML.getters[_name] = _unmeasured(None)


def _ignored(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return UNDEFINED


for _name in words(
    """
    focus blur scrollIntoView scrollTo scrollBy scroll setPointerCapture releasePointerCapture select setSelectionRange
    requestPointerLock setCustomValidity reportValidity play pause load
    """
):
    ELEMENT.methods[_name] = _ignored


def _dialog(name: str, *, opens: bool) -> None:
    def run(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
        if isinstance(this, ElementObject):
            _browser(this, m).set_attribute(this.element, "open", "" if opens else None)
        return UNDEFINED

    HTML.methods[name] = run


_dialog("show", opens=True)
_dialog("showModal", opens=True)
_dialog("close", opens=False)


@native(NODE.methods, "addEventListener")
def _add_event_listener(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    _browser(this, m).add_listener(this, arg(args), arg(args, 1), arg(args, 2))
    return UNDEFINED


@native(NODE.methods, "removeEventListener")
def _remove_event_listener(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    _browser(this, m).remove_listener(this, arg(args), arg(args, 1), arg(args, 2))
    return UNDEFINED


@native(NODE.methods, "dispatchEvent")
def _dispatch_event(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    event = arg(args)
    if isinstance(this, NodeObject) and isinstance(event, JSObject):
        return _browser(this, m).fire(this, event)
    return m.unknown("unsupported", "boolean")


@native(ELEMENT.methods, "click")
def _click(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, ElementObject):
        b = _browser(this, m)
        b.click(this, b.event("click", {}))
    return UNDEFINED


for _table in (PARENT, ELEMENT, HTML, SVG, TEXT):
    for _name, _body in NODE.methods.items():
        _table.methods.setdefault(_name, _body)
for _table in (HTML, SVG):
    for _name, _body in ELEMENT.methods.items():
        _table.methods.setdefault(_name, _body)
    for _name, _getter in ELEMENT.getters.items():
        _table.getters.setdefault(_name, _getter)
