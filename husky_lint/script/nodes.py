"""DOM nodes as objects of the script, on top of the lxml tree.

An element's wrapper is made when script first gets hold of it. Text is no node in lxml: a parent whose children script
has looked at keeps them as ``kids``, and text nodes among them are written back to the tree's text slots.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from husky_lint.script.values import MISSING, UNDEFINED, ArrayObject, JSObject, JSValue, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

    from husky_lint.script.browser import Browser
    from husky_lint.script.effects import Listener
    from husky_lint.script.machine import Machine


class HostObject(JSObject):
    """An object of the browser: properties by tables of getters and setters, and what is not followed is unknown."""

    __slots__ = ("browser", "tables")
    class_name = "Host"

    def __init__(self, browser: Browser, proto: JSObject | None, tables: Tables) -> None:
        super().__init__(proto)
        self.browser = browser
        self.tables = tables

    def own(self, machine: Machine, key: Any) -> JSValue:
        found = self.props.get(key, MISSING)
        if found is not MISSING:
            return found
        getter = self.tables.getters.get(key)
        if getter is not None:
            return getter(self.browser, self)
        method = self.tables.methods.get(key)
        if method is not None:
            return self.browser.method(self.tables, key)
        return MISSING

    def get(self, machine: Machine, key: Any) -> JSValue:
        if self.unknown is not None:
            return self.unknown
        found = self.own(machine, key)
        if found is MISSING:
            found = super().get(machine, key)
            if found is UNDEFINED and key not in self.props:
                return self.missing(machine, key)
        return found

    def missing(self, machine: Machine, key: Any) -> JSValue:
        """A property that is not modelled: something of the browser's, or one that script has not yet set."""
        if type(key) is not str or key[:1] in "_$#" or key in self.tables.absent or not key[:1].islower():
            return UNDEFINED
        if key.startswith("on"):
            return self.browser.null
        return Unknown("unsupported", machine.at)

    def set(self, machine: Machine, key: Any, value: JSValue) -> bool:
        if self.unknown is not None:
            return True
        setter = self.tables.setters.get(key)
        if setter is not None:
            setter(self.browser, self, value)
            return True
        if key in self.tables.getters:
            return False
        if type(key) is str and key.startswith("on") and key[2:].isalpha() and key.islower():
            self.browser.set_handler(self, key[2:], value)
            return True
        machine.write(self.props, key, value)
        return True


class Tables:
    """What a kind of host object has: getters, setters, methods; ``absent`` are names that are surely undefined."""

    __slots__ = ("absent", "getters", "methods", "setters")

    def __init__(self, parent: Tables | None = None) -> None:
        self.getters: dict[Any, Callable[[Any, Any], JSValue]] = dict(parent.getters) if parent else {}
        self.setters: dict[Any, Callable[[Any, Any, JSValue], None]] = dict(parent.setters) if parent else {}
        self.methods: dict[str, Callable[[Any, JSValue, list[JSValue]], JSValue]] = (
            dict(parent.methods) if parent else {}
        )
        self.absent: frozenset[str] = frozenset({"length", "toJSON", "then", "unknown"})

    def getter(self, *names: str) -> Callable[[Callable[[Any, Any], JSValue]], Callable[[Any, Any], JSValue]]:
        """Enter a getter."""

        def register(body: Callable[[Any, Any], JSValue]) -> Callable[[Any, Any], JSValue]:
            self.getters.update(dict.fromkeys(names, body))
            return body

        return register

    def setter(self, *names: str) -> Callable[[Callable[[Any, Any, JSValue], None]], Any]:
        """Enter a setter."""

        def register(body: Callable[[Any, Any, JSValue], None]) -> Any:
            self.setters.update(dict.fromkeys(names, body))
            return body

        return register


class NodeObject(HostObject):
    """Any node. ``listeners`` are those added to it, ``kids`` its children once script has asked for them."""

    __slots__ = ("handlers", "kids", "listeners")
    class_name = "Node"

    def __init__(self, browser: Browser, proto: JSObject | None, tables: Tables) -> None:
        super().__init__(browser, proto, tables)
        self.listeners: tuple[Listener, ...] = ()
        self.handlers: dict[str, JSValue] = {}
        self.kids: list[NodeObject] | None = None


class ElementObject(NodeObject):
    """An element, or (``holder`` named ``fragment``) a document fragment."""

    __slots__ = ("element",)

    def __init__(self, browser: Browser, tables: Tables, element: _Element) -> None:
        super().__init__(browser, browser.element_prototype, tables)
        self.element = element

    @property
    def is_fragment(self) -> bool:
        return self.element.tag == "fragment"


class TextObject(NodeObject):
    """A text node, or a comment that script has made (which the tree does not show)."""

    __slots__ = ("comment", "data", "parent")

    def __init__(self, browser: Browser, tables: Tables, data: JSValue, *, comment: bool = False) -> None:
        super().__init__(browser, browser.element_prototype, tables)
        self.data = data
        self.parent: ElementObject | None = None
        self.comment = comment

    @property
    def text(self) -> str:
        """What it adds to the tree's text."""
        return "" if self.comment or type(self.data) is not str else self.data


class NodeList(ArrayObject):
    """A NodeList or HTMLCollection, as it was when it was asked for."""

    __slots__ = ()
    class_name = "NodeList"

    def own(self, machine: Machine, key: Any) -> JSValue:
        found = super().own(machine, key)
        if found is MISSING and type(key) is str and key not in NODE_LIST_METHODS:
            for item in self.items:
                if isinstance(item, ElementObject) and item.element.get("id") == key:
                    return item
        return found


NODE_LIST_METHODS = frozenset({"forEach", "item", "entries", "keys", "values", "constructor"})
