"""Event objects, and other things that ``new`` makes (UI Events, URL)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from husky_lint.script.hosts import (
    EVENT,
    EventObject,
    browser_of,
)
from husky_lint.script.natives import arg, native
from husky_lint.script.operators import to_string
from husky_lint.script.values import (
    NULL,
    UNDEFINED,
    JSObject,
    JSValue,
    NativeObject,
    Unknown,
)

if TYPE_CHECKING:
    from husky_lint.script.browser import Browser
    from husky_lint.script.machine import Machine

EVENT_FIELDS: dict[str, Any] = {
    "altKey": False,
    "ctrlKey": False,
    "metaKey": False,
    "shiftKey": False,
    "repeat": False,
    "isComposing": False,
    "isTrusted": True,
    "cancelable": True,
    "defaultPrevented": False,
    "button": 0.0,
    "detail": 1.0,
    "isPrimary": True,
}


@EVENT.getter("type")
def _event_type(b: Browser, event: EventObject) -> JSValue:
    return event.kind


@EVENT.getter("target", "srcElement")
def _event_target(b: Browser, event: EventObject) -> JSValue:
    return event.target


@EVENT.getter("currentTarget")
def _event_current(b: Browser, event: EventObject) -> JSValue:
    return event.current


@EVENT.getter("bubbles")
def _event_bubbles(b: Browser, event: EventObject) -> JSValue:
    return event.bubbles


@EVENT.getter("timeStamp")
def _event_time(b: Browser, event: EventObject) -> JSValue:
    return b.now()


@native(EVENT.methods, "preventDefault")
def _prevent_default(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, EventObject):
        m.write(this, "prevented", True if m.certain else m.unknown("branch", "boolean"))
        m.write(this.fields, "defaultPrevented", True)
    return UNDEFINED


@native(EVENT.methods, "stopPropagation")
def _stop_propagation(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, EventObject):
        m.write(this, "stopped", True)
    return UNDEFINED


@native(EVENT.methods, "stopImmediatePropagation")
def _stop_immediately(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(this, EventObject):
        m.write(this, "stopped", True)
        m.write(this, "stopped_now", True)
    return UNDEFINED


@native(EVENT.methods, "composedPath")
def _composed_path(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return m.array(browser_of(m).path_of(this.target) if isinstance(this, EventObject) else [])


@native(EVENT.methods, "getModifierState")
def _modifier_state(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return False


def construct_event(m: Machine, args: list[JSValue], target: JSValue) -> JSValue:
    kind = to_string(m, arg(args))
    if type(kind) is not str:
        return m.unknown("unsupported")
    made = EventObject(browser_of(m), kind)
    fields: dict[str, Any] = {"bubbles": False, "isTrusted": False}
    options = arg(args, 1)
    if isinstance(options, JSObject):
        fields |= {key: options.get(m, key) for key in options.own_keys()}
    made.fields = {**EVENT_FIELDS, **fields}
    return made


def construct_search_params(m: Machine, args: list[JSValue], target: JSValue) -> JSValue:
    from urllib.parse import parse_qsl

    text = arg(args)
    if type(text) is not str:
        return text.of_kind("element") if type(text) is Unknown else m.unknown("environment", "element")
    pairs = dict(reversed(parse_qsl(text.removeprefix("?"), keep_blank_values=True)[:100]))

    def get(machine: Machine, this: JSValue, given: list[JSValue]) -> JSValue:
        return pairs.get(arg(given), NULL) if type(arg(given)) is str else machine.unknown("environment")

    def has(machine: Machine, this: JSValue, given: list[JSValue]) -> JSValue:
        return arg(given) in pairs if type(arg(given)) is str else machine.unknown("environment", "boolean")

    return NativeObject(m.realm.object_prototype, {"get": get, "has": has})
