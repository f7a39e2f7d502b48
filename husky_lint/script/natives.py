"""How functions of the language are written down: ``body(machine, this, arguments)`` in tables by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from husky_lint.script.numbers import to_integer
from husky_lint.script.operators import to_number, to_string
from husky_lint.script.values import UNDEFINED, JSValue, Unknown

if TYPE_CHECKING:
    from husky_lint.script.machine import Machine

Native = Callable[["Machine", JSValue, list[JSValue]], JSValue]
Table = dict[str, Native]


def arg(args: list[JSValue], index: int = 0) -> JSValue:
    """An argument, undefined if it is not given."""
    return args[index] if index < len(args) else UNDEFINED


def native(table: Table, *names: str) -> Callable[[Native], Native]:
    """Enter a function into a table."""

    def register(body: Native) -> Native:
        for name in names:
            table[name] = body
        return body

    return register


def pure(table: Table, name: str, kind: str | None) -> Callable[[Native], Native]:
    """Enter a function that does nothing but compute: with an unknown argument its result is unknown, of ``kind``."""

    def register(body: Native) -> Native:
        def run(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
            if type(this) is Unknown:
                return this.of_kind(kind)
            for value in args:
                if type(value) is Unknown:
                    return value.of_kind(kind)
            return body(m, this, args)

        table[name] = run
        return body

    return register


def unsupported(table: Table, names: str, kind: str | None = None) -> None:
    """Enter functions that exist but are not followed."""
    for name in names.split():

        def run(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
            return m.call_unknown(m.unknown("unsupported", kind), args)

        table[name] = run


def integer(m: Machine, value: JSValue, default: float = 0.0) -> Any:
    """ToIntegerOrInfinity; an unknown value stays unknown."""
    if value is UNDEFINED:
        return default
    number = to_number(m, value)
    return number if type(number) is Unknown else to_integer(number)


def text(m: Machine, value: JSValue) -> Any:
    """ToString; an unknown value stays unknown."""
    return value if type(value) is str else to_string(m, value)


def clamp(index: float, size: int) -> int:
    """A relative index (from the end if negative) within 0 and ``size``."""
    if index < 0:
        return int(max(size + index, 0))
    return int(min(index, size))
