"""``new EventTarget()`` and classes that extend it (DOM, 2.7): stores and buses that are no part of the page.

What listens to one is known to it alone: no person can press it, so it is no listener of the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from husky_lint.script.hosts import EventObject, InterfaceFunction, browser_of
from husky_lint.script.natives import Table, arg, native
from husky_lint.script.nodes import NodeObject
from husky_lint.script.operators import to_string, truth
from husky_lint.script.values import NULL, UNDEFINED, FunctionObject, JSObject, JSValue, NativeObject, Unknown

if TYPE_CHECKING:
    from husky_lint.script.browser import Browser
    from husky_lint.script.machine import Machine

_METHODS: Table = {}


class EventTargetObject(JSObject):
    """One that a script has made. ``heard`` has by the type of an event what listens: (listener, whether once)."""

    __slots__ = ("heard",)
    class_name = "EventTarget"

    def __init__(self, proto: JSObject) -> None:
        super().__init__(proto)
        self.heard: dict[str, tuple[tuple[JSValue, bool], ...]] = {}


def event_target_interface(browser: Browser) -> InterfaceFunction:
    """The global ``EventTarget``."""
    prototype = NativeObject(browser.object_prototype, _METHODS)

    def construct(m: Machine, args: list[JSValue], new_target: JSValue) -> JSValue:
        own = new_target.get(m, "prototype") if isinstance(new_target, FunctionObject) else prototype
        return EventTargetObject(own if isinstance(own, JSObject) else prototype)

    def illegal(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
        raise m.type_error("Class constructor EventTarget cannot be invoked without 'new'")

    made = InterfaceFunction(browser.function_prototype, "EventTarget", illegal, construct)
    made.test = lambda value: isinstance(value, NodeObject | EventTargetObject)
    made.props["prototype"] = prototype
    prototype.props["constructor"] = made
    prototype.hidden |= {"constructor"}
    return made


def _kind(m: Machine, value: JSValue) -> str | None:
    text = to_string(m, value)
    return text if type(text) is str else None


def _option(m: Machine, args: list[JSValue], name: str) -> bool:
    options = arg(args, 2)
    return isinstance(options, JSObject) and truth(options.get(m, name)) is True


@native(_METHODS, "addEventListener")
def _add(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if not isinstance(this, EventTargetObject):
        return m.call_unknown(m.unknown("unsupported"), args)
    kind, listener = _kind(m, arg(args)), arg(args, 1)
    if kind is None or type(listener) is Unknown:
        return m.call_unknown(m.unknown("unsupported"), args)
    present = this.heard.get(kind, ())
    if isinstance(listener, JSObject) and all(one is not listener for one, _ in present):
        m.write(this.heard, kind, (*present, (listener, _option(m, args, "once"))))
    return UNDEFINED


@native(_METHODS, "removeEventListener")
def _remove(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    kind = _kind(m, arg(args))
    if isinstance(this, EventTargetObject) and kind is not None:
        _forget(m, this, kind, arg(args, 1))
    return UNDEFINED


def _forget(m: Machine, target: EventTargetObject, kind: str, listener: JSValue) -> None:
    present = target.heard.get(kind, ())
    left = tuple(one for one in present if one[0] is not listener)
    if len(left) != len(present):
        m.write(target.heard, kind, left)


@native(_METHODS, "dispatchEvent")
def _dispatch(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    event: Any = arg(args)
    if not isinstance(this, EventTargetObject) or not isinstance(event, EventObject):
        return m.call_unknown(m.unknown("unsupported", "boolean"), args)
    m.write(event, "target", this)
    m.write(event, "current", this)
    for listener, once in this.heard.get(event.kind, ()):
        if event.stopped_now:
            break
        if once:
            _forget(m, this, event.kind, listener)
        _call(m, this, listener, event)
    m.write(event, "current", NULL)
    return event.prevented.of_kind("boolean") if type(event.prevented) is Unknown else not event.prevented


def _call(m: Machine, target: EventTargetObject, listener: JSObject, event: EventObject) -> None:
    """What a listener throws is reported, and stops nothing."""
    if isinstance(listener, FunctionObject):
        browser_of(m).guarded(lambda: m.call(listener, target, [event]))
    else:
        browser_of(m).guarded(lambda: m.call(listener.get(m, "handleEvent"), listener, [event]))
