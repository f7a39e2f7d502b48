"""Compiled code: closures over (machine, environment), made once for a script and run as often as wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from husky_lint.script.values import NULL, UNDEFINED, Closure, JSThrow, JSValue, PromiseObject
from husky_lint.style.words import words

if TYPE_CHECKING:
    from husky_lint.script.machine import Completion, Machine
    from husky_lint.script.scope import Scope
    from husky_lint.source import Span

Env = list[Any]
Evaluate = Callable[["Machine", Env], JSValue]
Execute = Callable[["Machine", Env], "Completion | None"]
Store = Callable[["Machine", Env, JSValue], None]


class Code:
    """A function of the source. Its body is compiled when it is first called.

    ``kind``: ``function``, ``arrow``, ``method``, ``constructor`` or ``derived`` (the constructor of a class that
    extends another).
    """

    __slots__ = words(
        """
        arity body constructs kind name node only_new prepare scope span strict
        """
    )

    def __init__(
        self,
        node: Any,
        name: str,
        kind: str,
        scope: Scope,
        span: Span,
        prepare: Callable[[Code], Callable[[Machine, Closure, JSValue, list[JSValue], JSValue], JSValue]],
    ) -> None:
        self.node = node
        self.name = name
        self.kind = kind
        self.scope = scope
        self.span = span
        self.prepare = prepare
        params = [] if node is None else node.params
        self.arity = next(
            (i for i, p in enumerate(params) if p.type in ("AssignmentPattern", "RestElement")), len(params)
        )
        plain = node is None or not (node.isAsync or node.generator)
        self.constructs = kind in ("constructor", "derived") or (kind == "function" and plain)
        self.only_new = kind in ("constructor", "derived")
        self.strict = scope.strict
        self.body: Callable[[Machine, Closure, JSValue, list[JSValue], JSValue], JSValue] = self._first

    def _first(
        self, machine: Machine, function: Closure, this: JSValue, args: list[JSValue], new_target: JSValue
    ) -> JSValue:
        """What ``body`` is until the function is called: compiles it. ``body`` runs it in a new environment."""
        body = self.body = self.prepare(self)
        return body(machine, function, this, args, new_target)


def run_async(machine: Machine, run: Callable[[], JSValue]) -> JSValue:
    """The promise of an async function whose body was run at once."""
    promise = PromiseObject(machine.realm.promise_prototype)
    try:
        value = run()
    except JSThrow as thrown:
        promise.state, promise.value = "rejected", thrown.value
        machine.realm.rejections.append((promise, thrown.span))
        return promise
    machine.realm.resolve(promise, value)
    return promise


def this_of(machine: Machine, this: JSValue, *, strict: bool) -> JSValue:
    """OrdinaryCallBindThis."""
    if not strict and (this is UNDEFINED or this is NULL):
        return machine.realm.global_object
    return this
