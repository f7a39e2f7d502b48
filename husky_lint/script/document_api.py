"""The document: its parts, its cookies, making nodes (WHATWG DOM 4.5, HTML 3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from husky_lint.parse.html import XHTML
from husky_lint.script.cookies import is_gone
from husky_lint.script.hosts import (
    DOCUMENT,
    browser_of,
    unknown_layout,
)
from husky_lint.script.natives import arg, native
from husky_lint.script.nodes import ElementObject, NodeObject
from husky_lint.script.operators import to_string, truth
from husky_lint.script.query import local_name
from husky_lint.script.standard import settle, then
from husky_lint.script.values import (
    NULL,
    UNDEFINED,
    FunctionObject,
    JSObject,
    JSValue,
    PromiseObject,
    Unknown,
)
from husky_lint.script.written_rules import is_of_script, take_up_adopted
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

    from husky_lint.script.browser import Browser
    from husky_lint.script.machine import Machine


@DOCUMENT.getter("documentElement", "scrollingElement", "firstElementChild")
def _document_element(b: Browser, this: JSValue) -> JSValue:
    return b.wrap(b.root)


def _section(b: Browser, name: str) -> JSValue:
    return next((b.wrap(child) for child in b.root if local_name(child) == name), NULL)


@DOCUMENT.getter("body")
def _body(b: Browser, this: JSValue) -> JSValue:
    return _section(b, "body")


@DOCUMENT.getter("head")
def _head(b: Browser, this: JSValue) -> JSValue:
    return _section(b, "head")


def _title_element(b: Browser) -> _Element | None:
    return next((e for e in b.root.iter(f"{{{XHTML}}}title")), None)


@DOCUMENT.getter("title")
def _title(b: Browser, this: JSValue) -> JSValue:
    element = _title_element(b)
    text = "" if element is None else b.text_of(element)
    return " ".join(text.split()) if type(text) is str else text


@DOCUMENT.setter("title")
def _set_title(b: Browser, this: JSValue, value: JSValue) -> None:
    element = _title_element(b)
    head = _section(b, "head")
    if element is None and isinstance(head, ElementObject):
        made = b.create(XHTML, "title")
        b.insert(head, made, None)
        element = made.element
    if element is not None:
        b.set_text(b.wrap(element), to_string(b.machine, value))


@DOCUMENT.getter("cookie")
def _cookie(b: Browser, this: JSValue) -> JSValue:
    b.machine.emit("storage-read", "cookie", "", None)
    unknown = next((value for value in b.cookies.values() if type(value) is Unknown), None)
    if unknown is not None:
        return unknown.of_kind("string")
    return "; ".join(f"{name}={value}" if name else value for name, value in b.cookies.items())


@DOCUMENT.setter("cookie")
def _set_cookie(b: Browser, this: JSValue, value: JSValue) -> None:
    text = to_string(b.machine, value)
    b.machine.emit(
        "cookie", "document", text.partition("=")[0].strip() if type(text) is str else _cookie_name(text), text
    )
    if type(text) is Unknown:
        b.machine.write(b.cookies, _cookie_name(text), text)
        return
    pair = text.partition(";")[0]
    name, equals, content = pair.partition("=")
    if not equals:
        name, content = "", pair
    b.machine.write(b.cookies, name.strip(), content.strip() if not is_gone(text) else "")


def _cookie_name(text: Unknown) -> str:
    first = text.parts[0] if text.parts else ""
    return first.partition("=")[0].strip() if type(first) is str else ""


@DOCUMENT.getter("readyState")
def _ready_state(b: Browser, this: JSValue) -> JSValue:
    return b.ready_state


@DOCUMENT.getter("currentScript")
def _current_script(b: Browser, this: JSValue) -> JSValue:
    return b.current_script


@DOCUMENT.getter("hidden")
def _hidden(b: Browser, this: JSValue) -> JSValue:
    return False


@DOCUMENT.getter("visibilityState")
def _visibility(b: Browser, this: JSValue) -> JSValue:
    return "visible"


@DOCUMENT.getter("compatMode")
def _compat_mode(b: Browser, this: JSValue) -> JSValue:
    return "CSS1Compat"


@DOCUMENT.getter("nodeType")
def _document_type(b: Browser, this: JSValue) -> JSValue:
    return 9.0


@DOCUMENT.getter("nodeName")
def _document_name(b: Browser, this: JSValue) -> JSValue:
    return "#document"


@DOCUMENT.getter("defaultView")
def _default_view(b: Browser, this: JSValue) -> JSValue:
    return b.window


@DOCUMENT.getter(
    "parentNode", "parentElement", "ownerDocument", "textContent", "fullscreenElement", "pointerLockElement"
)
def _no_parent(b: Browser, this: JSValue) -> JSValue:
    return NULL


@DOCUMENT.getter("isConnected")
def _document_connected(b: Browser, this: JSValue) -> JSValue:
    return True


@DOCUMENT.getter("activeElement")
def _active_element(b: Browser, this: JSValue) -> JSValue:
    return _section(b, "body") if b.focused is None else b.focused


@DOCUMENT.getter("URL", "baseURI", "referrer", "domain", "documentURI", "lastModified", "characterSet")
def _document_text(b: Browser, this: JSValue) -> JSValue:
    return b.machine.unknown("environment", "string")


@DOCUMENT.getter("children", "childNodes")
def _document_children(b: Browser, this: JSValue) -> JSValue:
    return b.host_list([b.wrap(b.root)])


@DOCUMENT.getter("childElementCount")
def _document_count(b: Browser, this: JSValue) -> JSValue:
    return 1.0


@DOCUMENT.getter("fonts", "timeline", "implementation", "doctype", "location")
def _document_other(b: Browser, this: JSValue) -> JSValue:
    return b.machine.unknown("environment", "element")


def _collection(*names: str) -> Callable[[Any, Any], JSValue]:
    return lambda b, this: b.host_list([b.wrap(e) for e in b.root.iter() if local_name(e) in names])


DOCUMENT.getters["forms"] = _collection("form")
DOCUMENT.getters["images"] = _collection("img")
DOCUMENT.getters["links"] = _collection("a")
DOCUMENT.getters["scripts"] = _collection("script")


@DOCUMENT.getter("styleSheets")
def _style_sheets(b: Browser, this: JSValue) -> JSValue:
    found = [
        e
        for e in b.root.iter()
        if (local_name(e) == "style" and not is_of_script(b, e))
        or (local_name(e) == "link" and "stylesheet" in (e.get("rel") or "").lower().split())
    ]
    return b.host_list([b.sheet_of(e) for e in found])


@DOCUMENT.getter("adoptedStyleSheets")
def _adopted(b: Browser, this: JSValue) -> JSValue:
    found = b.companions.get((None, "adopted"))
    if found is None:
        found = b.companions[None, "adopted"] = b.machine.array([])
    return found


@DOCUMENT.setter("adoptedStyleSheets")
def _set_adopted(b: Browser, this: JSValue, value: JSValue) -> None:
    items = b.machine.iterate(value)
    texts = items if type(items) is Unknown else tuple(getattr(sheet, "text", sheet) for sheet in items)
    b.machine.emit("stylesheet-text", "document", "adoptedStyleSheets", texts)
    b.machine.write(b.companions, (None, "adopted"), value)
    take_up_adopted(b)


@native(DOCUMENT.methods, "createElement")
def _create_element(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    name = to_string(m, arg(args))
    return m.unknown("unsupported", "element") if type(name) is Unknown else _create(m, XHTML, name.lower())


@native(DOCUMENT.methods, "createElementNS")
def _create_element_ns(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    namespace, name = arg(args), to_string(m, arg(args, 1))
    if type(name) is Unknown or type(namespace) is Unknown:
        return m.unknown("unsupported", "element")
    return _create(m, namespace if type(namespace) is str else "", name.rpartition(":")[2])


def _create(m: Machine, namespace: str, name: str) -> JSValue:
    if not name or not (name[0].isalpha() or name[0] == "_") or any(c in name for c in " <>/&\"'"):
        raise browser_of(m).dom_error("InvalidCharacterError", f"'{name[:40]}' is not a valid tag name.")
    if any(c in namespace for c in "{} \x00") or not namespace.isprintable():
        return m.unknown("unsupported", "element")
    return browser_of(m).create(namespace, name)


@native(DOCUMENT.methods, "createTextNode")
def _create_text_node(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return browser_of(m).text_node(to_string(m, arg(args)))


@native(DOCUMENT.methods, "createComment")
def _create_comment(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return browser_of(m).text_node(to_string(m, arg(args)), comment=True)


@native(DOCUMENT.methods, "createDocumentFragment")
def _create_fragment(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return browser_of(m).fragment()


@native(DOCUMENT.methods, "importNode", "adoptNode")
def _import_node(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    node = arg(args)
    if not isinstance(node, NodeObject):
        return m.unknown("unsupported", "element")
    return browser_of(m).clone(node, deep=truth(arg(args, 1)) is True)


@native(DOCUMENT.methods, "createEvent")
def _create_event(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return m.unknown("unsupported", "element")


@native(DOCUMENT.methods, "open", "write", "writeln")
def _document_write(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    m.emit("unknown", "document", "write", m.realm.export(arg(args)))
    return UNDEFINED


@native(DOCUMENT.methods, "close")
def _document_close(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return UNDEFINED


@native(DOCUMENT.methods, "hasFocus")
def _has_focus(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return True


for _name in words(
    """
    elementFromPoint elementsFromPoint createRange createTreeWalker createNodeIterator execCommand
    exitFullscreen getSelection startViewTransition evaluate caretRangeFromPoint
    """
):
    DOCUMENT.methods[_name] = unknown_layout


def _no_insertion(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    raise browser_of(m).dom_error("HierarchyRequestError", "Only one element on document allowed.")


for _name in ("append", "prepend", "appendChild", "insertBefore", "removeChild", "replaceChild", "replaceChildren"):
    DOCUMENT.methods[_name] = _no_insertion
for _name in ("remove", "before", "after", "replaceWith"):
    DOCUMENT.methods.pop(_name, None)


@native(DOCUMENT.methods, "startViewTransition")
def _start_view_transition(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    """The page changes as the callback says, soon; how it is shown on the way there is not followed."""
    update = arg(args)
    if isinstance(update, JSObject) and not isinstance(update, FunctionObject):
        update = update.get(m, "update")
    begun = PromiseObject(m.realm.promise_prototype)
    settle(m, begun, "fulfilled", UNDEFINED)
    # With nothing to call, as with NULL here, a promise passes on what it is settled with.
    done = then(m, begun, NULL if update is UNDEFINED else update, UNDEFINED)
    skip = m.realm.function(lambda machine, _this, _args: UNDEFINED, "skipTransition")
    return m.object({"updateCallbackDone": done, "ready": done, "finished": done, "skipTransition": skip})
