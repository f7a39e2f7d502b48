"""Inline style as script sees it: the declarations of a ``style`` attribute, read and written (CSSOM, 6.6)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from husky_lint.script.natives import Table, arg, native
from husky_lint.script.operators import to_string
from husky_lint.script.values import MISSING, NULL, UNDEFINED, JSObject, JSValue, Unknown

if TYPE_CHECKING:
    from lxml.etree import _Element

    from husky_lint.script.browser import Browser
    from husky_lint.script.machine import Machine

Declarations = tuple[tuple[str, str, bool], ...]
_UPPER = re.compile("[A-Z]")
_NAME = re.compile(r"-{0,2}[A-Za-z_][-A-Za-z0-9_]*|--.*", re.DOTALL)
# Longhands that a shorthand sets, where the name does not begin with the shorthand's.
_SHORTHANDS = {
    "inset": ("top", "right", "bottom", "left"),
    "font": ("line-height",),
    "gap": ("row-gap", "column-gap"),
    "flex-flow": ("flex-direction", "flex-wrap"),
    "place-items": ("align-items", "justify-items"),
    "place-content": ("align-content", "justify-content"),
    "place-self": ("align-self", "justify-self"),
}


@lru_cache(maxsize=1024)
def parse_style(text: str) -> Declarations:
    """The declarations of a style attribute that a browser keeps: name, value, important; the last of a name wins."""
    import tinycss2

    kept: dict[str, tuple[str, str, bool]] = {}
    for node in tinycss2.parse_blocks_contents(text, skip_comments=True, skip_whitespace=True):
        if node.type != "declaration":
            continue
        name = node.name if node.name.startswith("--") else node.lower_name
        value = tinycss2.serialize(node.value).strip()
        if not accepts(name, value):
            continue
        if name in kept:
            if kept[name][2] and not node.important:
                continue
            del kept[name]
        kept[name] = (name, value, node.important)
    return tuple(kept.values())


def serialize_style(declarations: Declarations) -> str:
    """The text of the style attribute."""
    return " ".join(f"{name}: {value}{' !important' if important else ''};" for name, value, important in declarations)


@lru_cache(maxsize=4096)
def accepts(name: str, value: str) -> bool:
    """Whether Chromium keeps a declaration."""
    import tinycss2

    from husky_lint.style.grammar import check_declaration

    tokens = tinycss2.parse_component_value_list(value)
    if any(token.type == "error" or (token.type == "literal" and token.value in ";!") for token in tokens):
        return False
    return name.startswith("--") or check_declaration(name, tokens) is None


def css_name(key: str) -> str:
    """A property of the style object as CSS spells it: ``transformOrigin`` → ``transform-origin``."""
    if key == "cssFloat":
        return "float"
    if "-" in key:
        return key
    name = _UPPER.sub(lambda match: "-" + match.group().lower(), key)
    return f"-{name}" if name.startswith(("webkit-", "moz-", "ms-")) else name


class StyleObject(JSObject):
    """``element.style``."""

    __slots__ = ("browser", "element")
    class_name = "CSSStyleDeclaration"

    def __init__(self, browser: Browser, element: _Element) -> None:
        super().__init__(browser.style_prototype)
        self.browser = browser
        self.element = element

    def own(self, machine: Machine, key: Any) -> JSValue:
        if type(key) is not str or key in STYLE_METHODS or key == "constructor":
            return MISSING
        if key == "cssText":
            return self.browser.attribute(self.element, "style", "")
        if key == "length":
            text = self.browser.attribute(self.element, "style", "")
            return text.number(0, whole=True) if type(text) is Unknown else float(len(parse_style(text)))
        if key in self.props:
            return self.props[key]
        if key[0].isdigit():
            text = self.browser.attribute(self.element, "style", "")
            names = [] if type(text) is Unknown else [name for name, _, _ in parse_style(text)]
            return names[int(key)] if key.isdigit() and int(key) < len(names) else UNDEFINED
        return read_property(self.browser, self.element, css_name(key))

    def set(self, machine: Machine, key: Any, value: JSValue) -> bool:
        if type(key) is not str:
            return super().set(machine, key, value)
        text: JSValue = "" if value is NULL else to_string(machine, value)
        if key == "cssText":
            self.browser.write_style_text(self.element, text)
        elif _NAME.fullmatch(key):
            write_property(self.browser, self.element, css_name(key), text, important=False)
        return True

    def own_keys(self) -> list[str]:
        text = self.browser.attribute(self.element, "style", "")
        return [] if type(text) is Unknown else [str(i) for i in range(len(parse_style(text)))]


STYLE_METHODS: Table = {}


def read_property(browser: Browser, element: _Element, name: str) -> JSValue:
    """``style.getPropertyValue(name)``."""
    unknown = browser.journal.unknown
    if unknown:
        for part in ("style", f"style/{name}"):
            found = unknown.get((element, part))
            if found is not None:
                return found.of_kind("string")
    text = element.get("style")
    if not text:
        return ""
    declarations = {declared: value for declared, value, _ in parse_style(text)}
    if name in declarations:
        return declarations[name]
    related = any(_covers(declared, name) or _covers(name, declared) for declared in declarations)
    return Unknown("unsupported", browser.machine.at, "string") if related else ""


def _covers(shorthand: str, name: str) -> bool:
    if name.startswith("--") or shorthand.startswith("--"):
        return False
    return shorthand == "all" or name.startswith(f"{shorthand}-") or name in _SHORTHANDS.get(shorthand, ())


def write_property(browser: Browser, element: _Element, name: str, value: JSValue, *, important: bool) -> None:
    """``style.setProperty(name, value)``; an empty value removes, one that does not parse is ignored."""
    machine = browser.machine
    name = name if name.startswith("--") else name.lower()
    if type(value) is Unknown:
        machine.emit("style-property", element, name, value)
        machine.journal.mark_unknown(element, f"style/{name}", value, machine.at)
        return
    value = value.strip()
    if len(value) > 100_000:
        machine.journal.mark_unknown(element, f"style/{name}", machine.unknown("limit"), machine.at)
        return
    if value and not accepts(name, value):
        return
    machine.emit("style-property", element, name, value or None)
    before = parse_style(element.get("style") or "")
    if value:
        new = (name, value, important)
        if any(declared == name for declared, _, _ in before):
            after = tuple(new if declared[0] == name else declared for declared in before)
        else:
            # A shorthand takes the place of the longhands it sets.
            after = (*(declared for declared in before if not _covers(name, declared[0])), new)
    else:
        after = tuple(declared for declared in before if declared[0] != name and not _covers(name, declared[0]))
    if browser.journal.unknown:
        browser.clear_unknown(element, f"style/{name}")
    if after != before or value:
        browser.put_attribute(element, "style", serialize_style(after))


@native(STYLE_METHODS, "setProperty")
def _set_property(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, StyleObject):
        name, value = to_string(m, arg(args)), arg(args, 1)
        text = "" if value is NULL else to_string(m, value)
        if type(name) is Unknown:
            m.emit("style-property", this.element, "", name)
            m.journal.mark_unknown(this.element, "style", name, m.at)
        else:
            write_property(this.browser, this.element, name, text, important=arg(args, 2) == "important")
    return UNDEFINED


@native(STYLE_METHODS, "removeProperty")
def _remove_property(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    name = to_string(m, arg(args))
    if not isinstance(this, StyleObject) or type(name) is Unknown:
        return m.unknown("unsupported", "string")
    old = read_property(this.browser, this.element, name)
    write_property(this.browser, this.element, name, "", important=False)
    return old


@native(STYLE_METHODS, "getPropertyValue")
def _get_property_value(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    name = to_string(m, arg(args))
    if not isinstance(this, StyleObject) or type(name) is Unknown:
        return m.unknown("unsupported", "string")
    return read_property(this.browser, this.element, name if name.startswith("--") else name.lower())


@native(STYLE_METHODS, "getPropertyPriority")
def _get_property_priority(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if not isinstance(this, StyleObject):
        return ""
    text = this.element.get("style") or ""
    return next(("important" for name, _, important in parse_style(text) if name == arg(args) and important), "")


@native(STYLE_METHODS, "item")
def _item(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value = this.get(m, to_string(m, arg(args))) if isinstance(this, StyleObject) else UNDEFINED
    return "" if value is UNDEFINED else value
