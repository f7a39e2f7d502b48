"""The abstract machine: calls, properties, budgets, and what happens at a branch that is not decided.

Every write to a variable or object goes through the journal. So both sides of an undecided branch can be tried on
the same state: the first is run, what it wrote is kept aside (:class:`State`) and undone, the second is run, and the
two are joined: what differs becomes unknown. A side that leaves early (``return``, ``throw``, ``break``) waits as
:class:`Pending` until the statement it leaves is done, and is joined there; until then everything that happens is
uncertain. A loop with unknown bounds runs its body once on a state in which all it writes is unknown.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from husky_lint.script.animations import ANIMATION
from husky_lint.script.effects import Effect
from husky_lint.script.journal import (
    InsertNode,
    Journal,
    RemoveNode,
    SetAnimation,
    SetAttribute,
    SetProperty,
    SetText,
    SetTextSlot,
)
from husky_lint.script.operators import add, to_string, truth, units
from husky_lint.script.values import (
    HOLE,
    ITERATOR,
    MISSING,
    NULL,
    UNDEFINED,
    WHOLE,
    ArrayObject,
    BoundFunction,
    Closure,
    FunctionObject,
    JSObject,
    JSThrow,
    JSValue,
    LimitReached,
    MapObject,
    NativeFunction,
    Symbol,
    Unknown,
    array_index,
)
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lxml.etree import _Element

    from husky_lint.script.journal import Mutation
    from husky_lint.script.realm import Realm
    from husky_lint.source import Span

MAX_DEPTH = 150
MAX_EFFECTS = 20_000
MAX_LOOP = 20_000
MAX_ITEMS = 100_000


@dataclass(slots=True, eq=False)
class Completion:
    """How a statement ended, if not normally: ``break``, ``continue``, ``return`` or ``throw``.

    Never changed; frozen it would take three times as long to make, and one is made for every return.
    """

    kind: str
    label: str | None = None
    value: JSValue = UNDEFINED
    span: Span | None = None


BREAK = Completion("break")
CONTINUE = Completion("continue")


@dataclass(slots=True, eq=False)
class State:
    """What was written since a mark: places on the heap with their values, and mutations of the tree."""

    heap: dict[tuple[int, Any], tuple[Any, Any, Any, Any]]  # place -> container, key, value, value at the mark
    mutations: list[Mutation]


@dataclass(slots=True, eq=False)
class Pending:
    """A path that has left early: its state since ``mark``, and how it left."""

    mark: int
    state: State
    completion: Completion


class Machine:
    """One run of a page's scripts."""

    longest_string = 400_000

    def __init__(self, realm_of: Callable[[Machine], Realm], *, steps: int = 400_000) -> None:
        self.journal = Journal()
        self.log = self.journal.entries
        self.steps = steps
        self.depth = 0
        self.tries = 0  # how many try blocks with a catch are around what runs now
        self.at: Span | None = None
        self.trigger = "load"
        self.forks = 0
        self.pending: list[Pending] = []
        self.effects: list[Effect] = []
        self.maybe: list[_Element] = []
        self.followed: list[Any] = []
        self.globals: dict[str, JSValue] = {}
        self.realm: Realm = realm_of(self)

    # --- budget and reports

    def spend(self, steps: int) -> None:
        """Use up part of the budget."""
        self.steps -= steps
        if self.steps < 0:
            raise LimitReached

    def check_size(self, size: int) -> None:
        """Refuse arrays beyond all reason."""
        if size > MAX_ITEMS:
            raise LimitReached
        self.spend(size >> 4)

    def unknown(self, reason: str, kind: str | None = None) -> Unknown:
        """An unknown value that comes from the present expression."""
        return Unknown(reason, self.at, kind)

    @property
    def certain(self) -> bool:
        return not self.forks and not self.pending

    def emit(self, kind: str, target: Any, name: str, value: Any = None) -> None:
        """Write an effect down."""
        if len(self.effects) >= MAX_EFFECTS and kind != "limit":
            raise LimitReached
        self.effects.append(
            Effect(kind, target, name, value, self.trigger, self.certain, self.at, guarded=self.tries > 0)
        )

    def type_error(self, message: str) -> JSThrow:
        """A TypeError, to be raised."""
        return JSThrow(self.realm.error("TypeError", message), self.at)

    def range_error(self, message: str) -> JSThrow:
        """A RangeError, to be raised."""
        return JSThrow(self.realm.error("RangeError", message), self.at)

    # --- heap

    def write(self, container: Any, key: Any, value: JSValue) -> None:
        """A journaled write to an item or (other containers) an attribute."""
        if type(container) is dict:
            self.log.append((container, key, container.get(key, MISSING)))
            container[key] = value
        elif type(container) is list:
            self.log.append((container, key, container[key]))
            container[key] = value
        else:
            self.log.append((container, key, getattr(container, key)))
            setattr(container, key, value)

    def touch_map(self, table: MapObject) -> dict[Any, tuple[JSValue, JSValue]]:
        """The table of a Map, about to be changed."""
        if table.epoch != self.journal.epoch:
            table.epoch = self.journal.epoch
            self.spend(len(table.table) >> 4)
            self.log.append((table, "table", dict(table.table)))
        return table.table

    def array(self, items: Iterable[JSValue]) -> ArrayObject:
        """A new array."""
        return ArrayObject(self.realm.array_prototype, list(items))

    def object(self, props: dict[Any, JSValue] | None = None) -> JSObject:
        """A new ordinary object."""
        return JSObject(self.realm.object_prototype, props)

    # --- properties

    def get(self, value: JSValue, key: Any) -> JSValue:
        """``value[key]`` with a property key."""
        if isinstance(value, JSObject):
            return value.get(self, key)
        kind = type(value)
        if kind is str:
            if key == "length":
                return float(len(value) if value.isascii() else len(units(value)))
            index = array_index(key)
            if index >= 0:
                text = units(value)
                return text[index] if index < len(text) else UNDEFINED
            return self.realm.string_prototype.get(self, key)
        if kind is Unknown:
            return self._get_unknown(value, key)
        if value is UNDEFINED or value is NULL:
            name = key if type(key) is str else "property"
            raise self.type_error(f"Cannot read properties of {value!r} (reading '{name}')")
        return self.realm.prototype_of(value).get(self, key)

    def _get_unknown(self, value: Unknown, key: Any) -> JSValue:
        if value.kind == "string" and key == "length":
            return value.number(0, whole=True)
        if key in ("length", "childElementCount", "size"):
            return value.number(0, whole=True)
        return value.of_kind(None)

    def set(self, value: JSValue, key: Any, content: JSValue, *, strict: bool = True) -> None:
        """``value[key] = content``."""
        if type(key) is Unknown:
            if isinstance(value, JSObject):
                self.havoc(value, key)
            return
        if isinstance(value, JSObject):
            if not value.set(self, key, content) and strict:
                raise self.type_error(f"Cannot assign to read only property '{key}' of object")
        elif type(value) is Unknown:
            self.emit("unknown", value, str(key), self.realm.export(content))
        elif value is UNDEFINED or value is NULL:
            raise self.type_error(f"Cannot set properties of {value!r} (setting '{key}')")

    def havoc(self, value: JSObject, why: Unknown) -> None:
        """Anything may have happened to an object."""
        if value.unknown is None and not value.frozen:
            self.write(value, "unknown", why)

    # --- calls

    def call(self, function: JSValue, this: JSValue, args: list[JSValue]) -> JSValue:
        """``function.call(this, …args)``."""
        kind = type(function)
        if kind is Closure:
            return self.call_closure(function, this, args, UNDEFINED)
        if kind is NativeFunction:
            self.steps -= 1
            if self.steps < 0:
                raise LimitReached
            return function.body(self, this, args)
        if kind is BoundFunction:
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise LimitReached
            try:
                return self.call(function.target, function.this, function.args + args)
            finally:
                self.depth -= 1
        if kind is Unknown:
            return self.call_unknown(function, args)
        raise self.type_error(f"{self.describe(function)} is not a function")

    def describe(self, value: JSValue) -> str:
        """A value for an error message."""
        if isinstance(value, JSObject):
            return f"[object {value.class_name}]"
        text = to_string(self, value) if type(value) is not Symbol else "Symbol()"
        return text[:80] if type(text) is str else "a value"

    def call_closure(self, function: Closure, this: JSValue, args: list[JSValue], new_target: JSValue) -> JSValue:
        """Call a function of the script."""
        code = function.code
        self.steps -= 2
        self.depth += 1
        if self.steps < 0 or self.depth > MAX_DEPTH:
            raise LimitReached
        outstanding = len(self.pending)
        try:
            if code.only_new and new_target is UNDEFINED:
                raise self.type_error(f"Class constructor {code.name} cannot be invoked without 'new'")
            value = code.body(self, function, this, args, new_target)
        except JSThrow as thrown:
            if len(self.pending) == outstanding:
                raise
            value = self._returned_before_throw(outstanding, thrown)
        finally:
            self.depth -= 1
        if len(self.pending) > outstanding:
            value = self.join_returns(outstanding, value)
        return value

    def _returned_before_throw(self, outstanding: int, thrown: JSThrow) -> JSValue:
        """A definite throw behind an undecided return: the other way round, the call returns and may have thrown."""
        for index in range(outstanding, len(self.pending)):
            path = self.pending[index]
            if path.completion.kind == "return":
                del self.pending[index]
                state = self.capture(path.mark)
                self.rebase_pending(outstanding, path.mark)
                self.journal.undo_to(path.mark)
                self.replay(path.state)
                self.pending.append(Pending(path.mark, state, Completion("throw", None, thrown.value, thrown.span)))
                return path.completion.value
        raise thrown

    def join_returns(self, outstanding: int, value: JSValue) -> JSValue:
        """Join the early returns of a call that is done."""
        for path in self.take_pending(outstanding, lambda completion: completion.kind == "return"):
            self.join(path.mark, path.state)
            value = self.join_values(path.completion.value, value)
        return value

    def call_unknown(
        self, function: Unknown, args: list[JSValue], name: str = "", this: JSValue = UNDEFINED
    ) -> JSValue:
        """Call what is not known: functions it is given may be called, objects it is given may be changed."""
        for arg in args:
            if isinstance(arg, FunctionObject):
                self.may_call(arg, function)
            elif isinstance(arg, ArrayObject) or type(arg) is JSObject:
                for held in [one for one in arg.props.values() if isinstance(one, FunctionObject)]:
                    self.may_call(held, function, this=arg)
                self.havoc(arg, function)
        if name and name not in _HARMLESS and function.kind not in ("string", "number", "boolean"):
            self.emit("unknown", function, name, tuple(self.realm.export(arg) for arg in args))
        if name in _TEXT_METHODS:
            if function.kind != "number":
                return function.of_kind("string")
            if name in _ROUNDING_METHODS:  # no number is called: it is what a method is called on
                return self.call(self.get(self.realm.number_prototype, name), function, args)
            return function.text((function,))
        if name in _NUMBER_METHODS:
            return function.number()
        if name in _BOOLEAN_METHODS:
            return function.of_kind("boolean")
        return function.of_kind(None)

    def may_call(
        self, function: JSValue, why: Unknown, args: list[JSValue] | None = None, this: JSValue = UNDEFINED
    ) -> None:
        """A callback that may be called any number of times, by code that is not followed."""
        given = [why.of_kind(None)] * 4 if args is None else args
        identity = function.code if type(function) is Closure else function
        if identity in self.followed:
            # Inside such a call already: this one writes what that one writes, and all of that is taken as unknown.
            return

        def once() -> None:
            self.call(function, this, given)

        self.followed.append(identity)
        try:
            self.unknown_loop(once, why)
        finally:
            self.followed.pop()

    def construct(self, function: JSValue, args: list[JSValue], new_target: JSValue = None) -> JSValue:
        """``new function(…args)``."""
        kind = type(function)
        if kind is Closure:
            return self._construct_closure(function, args, function if new_target is None else new_target)
        if isinstance(function, NativeFunction) and function.construct is not None:
            self.spend(1)
            return function.construct(self, args, function if new_target is None else new_target)
        if kind is BoundFunction:
            return self.construct(function.target, function.args + args)
        if kind is Unknown:
            self.call_unknown(function, args, "new")
            return function.of_kind(None)
        raise self.type_error(f"{self.describe(function)} is not a constructor")

    def _construct_closure(self, function: Closure, args: list[JSValue], new_target: JSValue) -> JSValue:
        code = function.code
        if not code.constructs:
            raise self.type_error(f"{function.name} is not a constructor")
        if function.parent is not None and function.parent is not NULL:
            # A derived class: `this` comes from super().
            return self.call_closure(function, MISSING, args, new_target)
        prototype = self.get(new_target, "prototype")
        this = JSObject(prototype if isinstance(prototype, JSObject) else self.realm.object_prototype)
        self.initialise_fields(function, this)
        result = self.call_closure(function, this, args, new_target)
        return result if isinstance(result, JSObject) or type(result) is Unknown else this

    def initialise_fields(self, function: Closure, this: JSObject) -> None:
        """Run the field initialisers of a class on a new instance."""
        for initialiser in function.fields:
            initialiser(self, this)

    # --- iteration

    def iterate(self, value: JSValue) -> list[JSValue] | Unknown:
        """What ``for … of`` goes through, all at once; unknown if that cannot be told."""
        if type(value) is str:
            self.spend(len(value) >> 3)
            return list(value)
        if type(value) is Unknown:
            return value
        if isinstance(value, JSObject):
            if value.unknown is not None:
                return value.unknown
            items = self.realm.items_of(value)
            if items is not None:
                self.spend(len(items) >> 4)
                return [UNDEFINED if item is HOLE else item for item in items]
            return self._iterate_protocol(value)
        raise self.type_error(f"{self.describe(value)} is not iterable")

    def _iterate_protocol(self, value: JSObject) -> list[JSValue] | Unknown:
        method = value.get(self, ITERATOR)
        if type(method) is Unknown:
            return method
        if not isinstance(method, FunctionObject):
            raise self.type_error(f"{self.describe(value)} is not iterable")
        iterator = self.call(method, value, [])
        if isinstance(iterator, JSObject) and iterator is not value:
            items = self.realm.items_of(iterator)
            if items is not None:
                return list(items)
        result: list[JSValue] = []
        while True:
            step = self.call(self.get(iterator, "next"), iterator, [])
            done = truth(self.get(step, "done"))
            if done is None:
                return self.unknown("branch")
            if done:
                return result
            result.append(self.get(step, "value"))
            self.check_size(len(result))

    # --- undecided branches

    def fork(self, first: Callable[[], JSValue], second: Callable[[], JSValue]) -> JSValue:
        """Evaluate both of two expressions, each on the state before, and join."""

        def run(side: Callable[[], JSValue]) -> Callable[[], Completion]:
            return lambda: Completion("value", None, side())

        done = self.fork_statements(run(first), run(second))
        return UNDEFINED if done is None else done.value

    def fork_statements(
        self, first: Callable[[], Completion | None], second: Callable[[], Completion | None]
    ) -> Completion | None:
        """Run both of two statements, each on the state before, and join.

        Returns how the statement ends; paths that end in another way become :class:`Pending`.
        """
        mark = self.journal.mark()
        outstanding = len(self.pending)
        done_first = self._attempt(first)
        self.rebase_pending(outstanding, mark)
        state = self.capture(mark)
        self.journal.undo_to(mark)
        middle = len(self.pending)
        done_second = self._attempt(second)
        self.rebase_pending(middle, mark)
        leaves_first, leaves_second = _leaves(done_first), _leaves(done_second)
        if not leaves_second and leaves_first:
            self.pending.append(Pending(mark, state, cast("Completion", done_first)))
            return done_second
        if leaves_second and not leaves_first:
            late = self.capture(mark)
            self.journal.undo_to(mark)
            self.replay(state)
            self.pending.append(Pending(mark, late, cast("Completion", done_second)))
            return done_first
        if done_first is None or done_second is None or _same_exit(done_first, done_second):
            self.join(mark, state)
            if done_first is None or done_second is None:
                return done_first or done_second
            value = self.join_values(done_first.value, done_second.value)
            done = Completion(done_second.kind, done_second.label, value, done_second.span)
        else:
            self.pending.append(Pending(mark, state, done_first))
            done = done_second
        if done.kind == "throw":
            raise JSThrow(done.value, done.span)
        return done

    def _attempt(self, side: Callable[[], Completion | None]) -> Completion | None:
        self.forks += 1
        self.spend(1)
        depth = self.depth
        try:
            return side()
        except JSThrow as thrown:
            self.depth = depth
            return Completion("throw", None, thrown.value, thrown.span)
        finally:
            self.forks -= 1

    def take_pending(self, start: int, wanted: Callable[[Completion], bool]) -> list[Pending]:
        """Take out the paths, of those that came up since ``start``, that end here; latest first."""
        taken = [path for path in self.pending[start:] if wanted(path.completion)]
        if taken:
            self.pending[start:] = [path for path in self.pending[start:] if not wanted(path.completion)]
            taken.reverse()
        return taken

    def rebase_pending(self, start: int, mark: int) -> None:
        """Let the paths since ``start`` outlive the undoing of everything after ``mark``."""
        for path in self.pending[start:]:
            if path.mark > mark:
                before = self.capture(mark, path.mark)
                for place, (container, key, value, _) in path.state.heap.items():
                    old = before.heap[place][3] if place in before.heap else path.state.heap[place][3]
                    before.heap[place] = (container, key, value, old)
                before.mutations.extend(path.state.mutations)
                path.mark, path.state = mark, before

    def capture(self, mark: int, until: int | None = None) -> State:
        """What was written between ``mark`` and ``until`` (now, by default)."""
        log = self.log
        self.spend((len(log) - mark) >> 3)
        heap: dict[tuple[int, Any], tuple[Any, Any, Any, Any]] = {}
        mutations: list[Mutation] = []
        end = len(log) if until is None else until
        for entry in log[mark:end]:
            if type(entry) is not tuple:
                mutations.append(cast("Mutation", entry))
                continue
            container, key, before = entry
            if key is WHOLE:
                for name in {*before, *container}:
                    heap.setdefault((id(container), name), (container, name, None, before.get(name, MISSING)))
            else:
                heap.setdefault((id(container), key), (container, key, None, before))
        later: dict[tuple[int, Any], Any] = {}
        for entry in log[end:]:
            if type(entry) is tuple:
                container, key, before = entry
                if key is WHOLE:
                    for name in {*before, *container}:
                        later.setdefault((id(container), name), before.get(name, MISSING))
                else:
                    later.setdefault((id(container), key), before)
        for place, (container, key, _, before) in heap.items():
            value = later[place] if place in later else read(container, key)
            if type(value) is list and key == "items":
                value = list(value)
            elif type(value) is dict and key == "table":
                value = dict(value)
            heap[place] = (container, key, value, before)
        return State(heap, mutations)

    def replay(self, state: State) -> None:
        """Do again what a state holds."""
        for container, key, value, _ in state.heap.values():
            self._put(container, key, value)
        for mutation in state.mutations:
            self.journal.apply(mutation)

    def _put(self, container: Any, key: Any, value: JSValue) -> None:
        if value is MISSING:
            if key in container:
                self.log.append((container, WHOLE, dict(container)))
                del container[key]
            return
        if type(value) is list and key == "items":
            container.epoch = -1
            value = list(value)
        elif type(value) is dict and key == "table":
            container.epoch = -1
            value = dict(value)
        self.write(container, key, value)

    def join(self, mark: int, other: State) -> None:
        """Join the present state with another path from the same ``mark``: what differs becomes unknown."""
        present = self.capture(mark)
        why = self.unknown("branch")
        for place in {**present.heap, **other.heap}:
            container, key, value, before = present.heap.get(place) or (*other.heap[place][:2], None, None)
            if place not in present.heap:
                before = other.heap[place][3]
                value = before
            elsewhere = other.heap[place][2] if place in other.heap else before
            if same(value, elsewhere):
                continue
            self._join_place(container, key, value, elsewhere, why)
        self._join_tree(present.mutations, other.mutations, why)

    def _join_place(self, container: Any, key: Any, value: Any, elsewhere: Any, why: Unknown) -> None:
        if key == "items" and isinstance(container, ArrayObject):
            if len(value) == len(elsewhere):
                joined = [self.join_values(a, b) for a, b in zip(elsewhere, value, strict=True)]
                self.log.append((container, "items", list(container.items)))
                container.items = joined
                container.epoch = -1
            else:
                self.write(container, "unknown", why)
        elif key == "table" and isinstance(container, MapObject):
            self.write(container, "unknown", why)
        elif type(container) in (dict, list):
            self.write(container, key, self.join_values(elsewhere, value))
        elif key in ("unknown", "last_index"):
            self.write(container, key, why)
        else:
            self.realm.join_host(container, key, value, elsewhere, why)

    def join_values(self, first: JSValue, second: JSValue) -> JSValue:
        """The value of a place that holds ``first`` on one path and ``second`` on another."""
        if same(first, second):
            return second
        if first is MISSING or first is HOLE:
            first = UNDEFINED
        if second is MISSING or second is HOLE:
            second = UNDEFINED
        unknown = first if type(first) is Unknown else second if type(second) is Unknown else self.unknown("branch")
        sides = (first, second)
        choices: list[JSValue] = []
        for side in sides:
            options = side.choices if type(side) is Unknown and side.choices is not None else (side,)
            choices.extend(option for option in options if not any(same(option, choice) for choice in choices))
        if len(choices) <= 8 and not any(isinstance(c, JSObject) or type(c) is Unknown for c in choices):
            if all(type(choice) is float for choice in choices) and not any(math.isnan(c) for c in choices):
                whole = all(choice.is_integer() for choice in choices)
                number = unknown.number(min(choices), max(choices), whole=whole)
                return Unknown(
                    number.reason, number.span, "number", number.low, number.high, whole=whole, choices=tuple(choices)
                )
            kinds = {type(choice) for choice in choices}
            kind = "string" if kinds == {str} else "boolean" if kinds == {bool} else None
            return Unknown(unknown.reason, unknown.span, kind, choices=tuple(choices))
        kinds_of = {self.realm.kind_of(side) for side in sides}
        kind = kinds_of.pop() if len(kinds_of) == 1 else None
        if kind == "number":
            lows, highs = zip(*(self.realm.range_of(side) for side in sides), strict=True)
            if not any(map(math.isnan, lows + highs)):
                return unknown.number(min(lows), max(highs))
        return unknown.of_kind(kind)

    def _join_tree(self, here: list[Mutation], there: list[Mutation], why: Unknown) -> None:
        if not here and not there:
            return
        values_here, values_there = _final_values(here), _final_values(there)
        for place in {**values_here, **values_there}:
            element, part = place
            if part == "#children":
                continue
            before, value = values_here.get(place, (None, None))
            if place not in values_here:
                before, _ = values_there[place]
                value = before
            elsewhere = values_there[place][1] if place in values_there else before
            if value != elsewhere:
                self.journal.mark_unknown(element, part, why, self.at)
        for mutation in (*here, *there):
            if isinstance(mutation, InsertNode | RemoveNode):
                self.journal.mark_unknown(mutation.parent, "#children", why, mutation.span)
                self.maybe.append(mutation.node)
            elif isinstance(mutation, SetText) and not _same_clearing(mutation, here, there):
                self.journal.mark_unknown(mutation.element, "#children", why, mutation.span)
                self.maybe.extend(mutation.children_before)

    def unknown_loop(self, body: Callable[[], Completion | None], why: Unknown) -> Completion | None:
        """A loop whose number of turns is not known: none, one or many."""
        mark = self.journal.mark()
        outstanding = len(self.pending)
        effects = len(self.effects)
        self._attempt(body)
        del self.pending[outstanding:]
        del self.effects[effects:]
        trial = self.capture(mark)
        self.journal.undo_to(mark)
        self._widen(trial, why)
        done = self._attempt(body)
        self.rebase_pending(outstanding, mark)
        for path in self.take_pending(outstanding, lambda c: c.kind in ("break", "continue") and c.label is None):
            self._merge_into(trial, path.state)
        state = self.capture(mark)
        self._merge_into(trial, state)
        self.journal.undo_to(mark)
        if done is not None and (done.kind in ("return", "throw") or done.label is not None):
            self.pending.append(Pending(mark, state, done))
        self._widen(trial, why)
        return None

    def _merge_into(self, into: State, state: State) -> None:
        for place, entry in state.heap.items():
            into.heap.setdefault(place, entry)
        into.mutations.extend(state.mutations)

    def _widen(self, state: State, why: Unknown) -> None:
        """Everything that a state writes becomes unknown."""
        for container, key, value, before in state.heap.values():
            if same(value, before) and key not in ("items", "table"):
                continue
            if key in ("items", "table"):
                if container.unknown is None:
                    self.write(container, "unknown", why)
            elif type(container) in (dict, list):
                kind = self.realm.kind_of(before)
                kind = kind if kind == self.realm.kind_of(value) and kind in ("string", "number", "boolean") else None
                self.write(container, key, why.number() if kind == "number" else why.of_kind(kind))
            elif key == "unknown":
                self.write(container, key, why)
            else:
                self.realm.join_host(container, key, value, before, why)
        self._join_tree([], state.mutations, why)

    def array_to_string(self, value: ArrayObject) -> JSValue:
        """``array.join()``, guarding against arrays that contain themselves."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise LimitReached
        try:
            return self.join_items(value, ",")
        finally:
            self.depth -= 1

    def join_items(self, value: ArrayObject, separator: JSValue) -> JSValue:
        """``array.join(separator)``."""
        if value.unknown is not None:
            return value.unknown.of_kind("string")
        self.spend(len(value.items) >> 2)
        empty = (UNDEFINED, NULL, HOLE)
        pieces: list[JSValue] = ["" if item in empty else to_string(self, item) for item in value.items]
        if type(separator) is str and all(type(piece) is str for piece in pieces):
            size = sum(map(len, pieces)) + len(separator) * len(pieces)
            if size > self.longest_string:
                return self.unknown("limit", "string")
            self.spend(size >> 8)
            return separator.join(pieces)
        result: JSValue = ""
        for i, piece in enumerate(pieces):
            result = add(self, add(self, result, separator) if i else result, piece)
        return result


def read(container: Any, key: Any) -> Any:
    """What a place holds now."""
    if type(container) is dict:
        return container.get(key, MISSING)
    return container[key] if type(container) is list else getattr(container, key)


def same(left: Any, right: Any) -> bool:
    """Whether two values are the same for sure (SameValue; of unknown ones only the identical)."""
    if left is right:
        return True
    kind = type(left)
    if kind is not type(right):
        return False
    if kind is float:
        return (left == right and math.copysign(1, left) == math.copysign(1, right)) or (
            math.isnan(left) and math.isnan(right)
        )
    if kind is list:
        return len(left) == len(right) and all(same(a, b) for a, b in zip(left, right, strict=True))
    if kind is dict:
        return left.keys() == right.keys() and all(same(left[k][1], right[k][1]) for k in left)
    return bool(kind in (str, bool, int) and left == right)


def _leaves(done: Completion | None) -> bool:
    return done is not None and done.kind != "value"


def _same_exit(first: Completion, second: Completion) -> bool:
    return first.kind == second.kind and first.label == second.label


def _final_values(mutations: list[Mutation]) -> dict[tuple[_Element, str], tuple[Any, Any]]:
    """Per attribute, property or text: what it was before these mutations, and what after."""
    values: dict[tuple[_Element, str], tuple[Any, Any]] = {}
    for mutation in mutations:
        if isinstance(mutation, SetAttribute):
            place, before, value = (mutation.element, mutation.name), mutation.before, cast("Any", mutation.value)
        elif isinstance(mutation, SetProperty):
            place, before, value = (
                (mutation.element, f"property/{mutation.name}"),
                cast("Any", mutation.before),
                mutation.value,
            )
        elif isinstance(mutation, SetText):
            place, before, value = (mutation.element, "#text"), mutation.text_before, mutation.text
        elif isinstance(mutation, SetTextSlot):
            place, before, value = (mutation.parent, "#text"), mutation.before, mutation.text
        elif isinstance(mutation, SetAnimation):
            place, before, value = (
                (mutation.element, f"{ANIMATION}{mutation.called}"),
                cast("Any", mutation.before),
                mutation.value,
            )
        else:
            continue
        values[place] = (values[place][0] if place in values else before, value)
    return values


def _same_clearing(mutation: SetText, here: list[Mutation], there: list[Mutation]) -> bool:
    """Whether both paths empty the same element of the same children."""
    return not mutation.children_before or all(
        any(
            isinstance(other, SetText)
            and other.element is mutation.element
            and other.children_before == mutation.children_before
            for other in side
        )
        for side in (here, there)
    )


_TEXT_METHODS = words(
    """
    toFixed toPrecision toExponential toString toLocaleString toUpperCase toLowerCase trim trimStart trimEnd padStart
    padEnd repeat replace replaceAll charAt substring substr join toISOString toLocaleTimeString toLocaleDateString
    toDateString getAttribute getPropertyValue
    """
)
_ROUNDING_METHODS = words("toFixed toPrecision")
_NUMBER_METHODS = words(
    """
    indexOf lastIndexOf findIndex charCodeAt codePointAt getTime valueOf getHours getMinutes getSeconds getFullYear
    getMonth getDate getDay getMilliseconds getTotalLength now localeCompare push unshift search
    """
)
_BOOLEAN_METHODS = words(
    """
    includes startsWith endsWith has test matches contains hasAttribute some every hasOwnProperty getModifierState
    """
)
_HARMLESS = (
    _TEXT_METHODS
    | _NUMBER_METHODS
    | _BOOLEAN_METHODS
    | words(
        """
        forEach map filter find reduce flatMap flat sort slice concat entries keys values then catch finally closest
        querySelector querySelectorAll getElementById getBoundingClientRect getComputedTiming getTiming getAnimations
        getKeyframes getPointAtLength getBBox getScreenCTM inverse matrixTransform createSVGPoint preventDefault
        stopPropagation getPropertyPriority at match split item get exec json text blob observe disconnect composedPath
        createLinearGradient getContext measureText
        """
    )
)
