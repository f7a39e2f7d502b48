"""Objects of the browser that are no nodes, and the tables of what each kind of object has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from husky_lint.script.element_api import PARENT
from husky_lint.script.nodes import HostObject, NodeObject, Tables
from husky_lint.script.operators import to_string
from husky_lint.script.values import (
    MISSING,
    NULL,
    UNDEFINED,
    JSValue,
    NativeFunction,
    Unknown,
)
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

    from husky_lint.script.browser import Browser
    from husky_lint.script.machine import Machine

DOCUMENT = Tables(PARENT)
WINDOW = Tables()
MEDIA_QUERY = Tables()
STORAGE = Tables()
EVENT = Tables()
SHEET = Tables()
COMPUTED = Tables()
LOCATION = Tables()


_BUBBLES = words(
    """
    click dblclick mousedown mouseup mousemove mouseover mouseout pointerdown pointerup pointermove pointerover
    pointerout pointercancel keydown keyup keypress input change submit touchstart touchend touchmove touchcancel wheel
    contextmenu focusin focusout animationstart animationend animationiteration transitionend transitionstart
    DOMContentLoaded visibilitychange scroll beforeinput dragstart drop copy paste
    """
)


class WindowObject(NodeObject):
    """The window, whose properties are the global names."""

    __slots__ = ()
    class_name = "Window"

    def own(self, machine: Machine, key: Any) -> JSValue:
        found = machine.globals.get(key, MISSING)
        if found is MISSING:
            found = super().own(machine, key)
        if found is MISSING and type(key) is str:
            found = self.browser.global_value(key)
        return found

    def missing(self, machine: Machine, key: Any) -> JSValue:
        # Globals of the browser that are not modelled begin in lower case or in upper case alike; those of the script
        # have been set before they are read.
        return self.browser.null if type(key) is str and key.startswith("on") else UNDEFINED

    def set(self, machine: Machine, key: Any, value: JSValue) -> bool:
        if type(key) is str and key not in self.tables.setters and not (key.startswith("on") and key[2:].isalpha()):
            machine.write(machine.globals, key, value)
            return True
        return super().set(machine, key, value)

    def delete(self, machine: Machine, key: Any) -> bool:
        if key in machine.globals:
            machine.write(machine.globals, key, UNDEFINED)
        return True


class InterfaceFunction(NativeFunction):
    """``HTMLElement`` and the like: good for ``instanceof``. ``test`` is None where it cannot tell."""

    __slots__ = ("test",)

    test: Callable[[JSValue], bool | None]

    @property
    def instance_test(self) -> Callable[[JSValue], bool | None]:
        return self.test


class EventObject(HostObject):
    """An event."""

    __slots__ = ("current", "fields", "interface", "kind", "prevented", "stopped", "stopped_now", "target")
    class_name = "Event"

    def __init__(self, browser: Browser, kind: str) -> None:
        super().__init__(browser, browser.object_prototype, EVENT)
        self.kind = kind
        self.interface = ""  # of one that a script has made
        self.target: JSValue = NULL
        self.current: JSValue = NULL
        self.fields: dict[str, Any] = {}
        self.prevented: Any = False
        self.stopped = False
        self.stopped_now = False

    @property
    def bubbles(self) -> bool:
        given = self.fields.get("bubbles")
        return self.kind in _BUBBLES if given is None else given is True

    def own(self, machine: Machine, key: Any) -> JSValue:
        if key in self.fields and key not in self.props and key != "bubbles":
            return self.fields[key]
        return super().own(machine, key)


class MediaQueryObject(NodeObject):
    """What ``matchMedia`` gives."""

    __slots__ = ("query",)
    class_name = "MediaQueryList"

    def __init__(self, browser: Browser, query: str) -> None:
        super().__init__(browser, browser.object_prototype, MEDIA_QUERY)
        self.query = query


class StorageObject(HostObject):
    """localStorage or sessionStorage."""

    __slots__ = ("name",)
    class_name = "Storage"

    def __init__(self, browser: Browser, name: str) -> None:
        super().__init__(browser, browser.object_prototype, STORAGE)
        self.name = name

    @property
    def store(self) -> dict[str, JSValue]:
        return self.browser.stores[self.name]

    def read(self, machine: Machine, key: JSValue) -> JSValue:
        name = to_string(machine, key)
        machine.emit("storage-read", self.name, name if type(name) is str else "", None)
        if type(name) is Unknown:
            return name.of_kind(None)
        return self.store.get(name, NULL)

    def write(self, machine: Machine, key: JSValue, value: JSValue) -> None:
        name, content = to_string(machine, key), to_string(machine, value)
        machine.emit("storage", self.name, name if type(name) is str else "", content)
        if type(name) is str:
            machine.write(self.store, name, content)

    def own(self, machine: Machine, key: Any) -> JSValue:
        found = super().own(machine, key)
        if found is MISSING and type(key) is str and key in self.store:
            return self.read(machine, key)
        return found

    def missing(self, machine: Machine, key: Any) -> JSValue:
        if type(key) is str:
            machine.emit("storage-read", self.name, key, None)
        return UNDEFINED

    def set(self, machine: Machine, key: Any, value: JSValue) -> bool:
        self.write(machine, key, value)
        return True

    def delete(self, machine: Machine, key: Any) -> bool:
        machine.emit("storage", self.name, str(key), None)
        if key in self.store:
            machine.write(self.store, key, NULL)
        return True

    def own_keys(self) -> list[str]:
        return list(self.store)


class SheetObject(HostObject):
    """A style sheet. What script makes of it is in the effects; ``text`` is what a constructed one holds."""

    __slots__ = ("element", "text")
    class_name = "CSSStyleSheet"

    def __init__(self, browser: Browser, element: _Element | None) -> None:
        super().__init__(browser, browser.object_prototype, SHEET)
        self.element = element
        self.text: JSValue = ""


class ComputedStyle(HostObject):
    """What ``getComputedStyle`` gives."""

    __slots__ = ("element",)
    class_name = "CSSStyleDeclaration"

    def __init__(self, browser: Browser, element: _Element) -> None:
        super().__init__(browser, browser.object_prototype, COMPUTED)
        self.element = element

    def own(self, machine: Machine, key: Any) -> JSValue:
        found = super().own(machine, key)
        if (
            found is MISSING
            and type(key) is str
            and key[:1].isalpha()
            and key not in ("constructor", "toString", "valueOf")
        ):
            from husky_lint.script.inline_style import css_name

            return self.browser.computed(self.element, css_name(key))
        return found


def browser_of(m: Machine) -> Browser:
    return m.realm  # type: ignore[return-value]


def nothing(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return UNDEFINED


def illegal(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    raise m.type_error("Illegal constructor")


def unknown_layout(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return m.unknown("layout")


def performance_now(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return browser_of(m).now()


def discard(value: JSValue) -> None:
    """Let a result go that nobody wants."""
