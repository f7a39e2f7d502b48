"""Proxy and Reflect (ECMA-262, 28.1 and 28.2): stores that redraw the page where they are written to.

A proxy of an ordinary object asks its handler's traps for reading, writing and deleting a property; all else goes to
the object. What would want the rest of the standard (functions and arrays behind a proxy) is not followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from husky_lint.script.natives import Table, arg, native
from husky_lint.script.operators import to_property_key, truth
from husky_lint.script.values import MISSING, UNDEFINED, Accessor, JSObject, JSValue, Unknown

if TYPE_CHECKING:
    from husky_lint.script.machine import Machine

REFLECT: Table = {}


class ProxyObject(JSObject):
    """A proxy; its properties are those of its target."""

    __slots__ = ("handler", "target")

    def __init__(self, target: JSObject, handler: JSObject) -> None:
        super().__init__(target.proto, target.props)
        self.hidden = target.hidden
        self.target = target
        self.handler = handler

    def _trap(self, machine: Machine, name: str) -> JSValue:
        return self.handler.get(machine, name)

    def get(self, machine: Machine, key: Any) -> JSValue:
        if self.unknown is not None:
            return self.unknown
        trap = self._trap(machine, "get")
        if trap is UNDEFINED:
            return get_for(machine, self.target, key, self)
        return machine.call(trap, self.handler, [self.target, key, self])

    def set(self, machine: Machine, key: Any, value: JSValue) -> bool:
        trap = self._trap(machine, "set")
        if trap is UNDEFINED:
            return self.target.set(machine, key, value)
        return truth(machine.call(trap, self.handler, [self.target, key, value, self])) is not False

    def define(self, machine: Machine, key: Any, value: JSValue, *, hidden: bool = False) -> None:
        self.target.define(machine, key, value, hidden=hidden)

    def delete(self, machine: Machine, key: Any) -> bool:
        trap = self._trap(machine, "deleteProperty")
        if trap is UNDEFINED:
            return self.target.delete(machine, key)
        return truth(machine.call(trap, self.handler, [self.target, key])) is not False


def get_for(machine: Machine, target: JSObject, key: Any, receiver: JSValue) -> JSValue:
    """[[Get]] of a target, its getters called for a receiver."""
    holder: JSObject | None = target
    while holder is not None and holder.unknown is None:
        found = holder.own(machine, key)
        if type(found) is Accessor and found.getter is not UNDEFINED:
            return machine.call(found.getter, receiver, [])
        if found is not MISSING:
            break
        holder = holder.proto
    return target.get(machine, key)


def construct_proxy(m: Machine, args: list[JSValue], new_target: JSValue) -> JSValue:
    """``new Proxy(target, handler)``; unknown where the target is more than an ordinary object."""
    target, handler = arg(args), arg(args, 1)
    if isinstance(target, JSObject) and isinstance(handler, JSObject):
        followed = type(target) is JSObject or type(target) is ProxyObject
        if followed and target.unknown is None and handler.unknown is None:
            return ProxyObject(target, handler)
    elif type(target) is not Unknown and type(handler) is not Unknown:
        raise m.type_error("Cannot create proxy with a non-object as target or handler")
    return m.call_unknown(m.unknown("unsupported"), args, "new")


def _target(m: Machine, args: list[JSValue]) -> JSObject | Unknown:
    target = arg(args)
    if isinstance(target, JSObject):
        return target if target.unknown is None else target.unknown
    if type(target) is Unknown:
        return target
    raise m.type_error("Reflect called on non-object")


@native(REFLECT, "get")
def _get(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target, key = _target(m, args), to_property_key(m, arg(args, 1))
    if isinstance(target, Unknown) or type(key) is Unknown:
        return target.of_kind(None) if isinstance(target, Unknown) else key.of_kind(None)
    return get_for(m, target, key, args[2]) if len(args) > 2 and type(target) is JSObject else target.get(m, key)


@native(REFLECT, "set")
def _set(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target, key = _target(m, args), to_property_key(m, arg(args, 1))
    if isinstance(target, Unknown):
        return m.call_unknown(target, args[2:], "set")
    if type(key) is Unknown:
        m.havoc(target, key)
        return key.of_kind("boolean")
    return target.set(m, key, arg(args, 2))


@native(REFLECT, "has")
def _has(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target, key = _target(m, args), to_property_key(m, arg(args, 1))
    if isinstance(target, Unknown) or type(key) is Unknown:
        return (target if isinstance(target, Unknown) else key).of_kind("boolean")
    holder: JSObject | None = target
    while holder is not None:
        if holder.own(m, key) is not MISSING:
            return True
        holder = holder.proto
    return False


@native(REFLECT, "deleteProperty")
def _delete(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target, key = _target(m, args), to_property_key(m, arg(args, 1))
    if isinstance(target, Unknown):
        return target.of_kind("boolean")
    if type(key) is Unknown:
        m.havoc(target, key)
        return key.of_kind("boolean")
    return target.delete(m, key)


@native(REFLECT, "ownKeys")
def _own_keys(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target = _target(m, args)
    if isinstance(target, Unknown) or target.hidden or type(target) not in (JSObject, ProxyObject):
        return m.unknown("unsupported")
    return m.array(list(target.own_keys()))


@native(REFLECT, "apply")
def _apply(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    given = m.iterate(arg(args, 2))
    if type(given) is Unknown:
        return m.call_unknown(given, args[:2])
    return m.call(arg(args), arg(args, 1), list(given))


@native(REFLECT, "construct")
def _construct(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    given = m.iterate(arg(args, 1))
    if type(given) is Unknown:
        return m.call_unknown(given, args[:1], "new")
    return m.construct(arg(args), list(given), *args[2:3])
