"""The global objects of the language, made for one run; a browser adds its own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from husky_lint.script import arrays, proxies, standard, strings
from husky_lint.script.machine import Completion, Pending, State
from husky_lint.script.natives import Native, Table, arg, unsupported
from husky_lint.script.operators import span_of, to_number, to_string, truth
from husky_lint.script.regex import translate
from husky_lint.script.values import (
    HOLE,
    ITERATOR,
    MISSING,
    NULL,
    UNDEFINED,
    WELL_KNOWN,
    ArrayObject,
    BoxedObject,
    ErrorObject,
    FunctionObject,
    IteratorObject,
    JSObject,
    JSThrow,
    JSValue,
    MapObject,
    NativeFunction,
    NativeObject,
    PromiseObject,
    RegExpObject,
    Symbol,
    Unknown,
)
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from husky_lint.script.machine import Machine
    from husky_lint.source import Span

ERRORS = ("Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "URIError", "EvalError")
_BIGINT: Table = {"toString": standard.NUMBER["toString"], "valueOf": standard.NUMBER["valueOf"]}
_SYMBOL: Table = {}
_DATE: Table = {}
_LOADED_AT = 1.7e12
"""When a page is loaded whose clock is let run, in milliseconds since 1970; any time would do."""
unsupported(
    _DATE,
    "getTime getHours getMinutes getSeconds getMilliseconds getFullYear getMonth getDate getDay getTimezoneOffset "
    "valueOf getUTCHours getUTCMinutes getUTCSeconds getUTCDate getUTCDay getUTCMonth getUTCFullYear setTime setHours",
    "number",
)
unsupported(
    _DATE,
    "toISOString toString toLocaleString toLocaleTimeString toLocaleDateString toDateString toTimeString toUTCString "
    "toJSON",
    "string",
)


class Realm:
    """Prototypes, constructors and global functions."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.object_prototype = NativeObject(None, standard.OBJECT)
        self.function_prototype = NativeObject(self.object_prototype, standard.FUNCTION)
        self.array_prototype = self._prototype(arrays.ARRAY)
        self.string_prototype = self._prototype(strings.STRING)
        self.number_prototype = self._prototype(standard.NUMBER)
        self.boolean_prototype = self._prototype(standard.BOOLEAN)
        self.bigint_prototype = self._prototype(_BIGINT)
        self.symbol_prototype = self._prototype(_SYMBOL)
        self.regexp_prototype = self._prototype(strings.REGEXP)
        self.map_prototype = self._prototype(standard.MAP)
        self.set_prototype = self._prototype(standard.SET)
        self.iterator_prototype = self._prototype(standard.ITERATOR)
        self.promise_prototype = self._prototype(standard.PROMISE)
        self.date_prototype = self._prototype(_DATE)
        self.error_prototypes = self._error_prototypes()
        self.global_object: JSObject = NativeObject(self.object_prototype, {})
        self.builtins: dict[str, JSValue] = {}
        self.microtasks: list[Callable[[], None]] = []
        self.rejections: list[tuple[PromiseObject, Span | None]] = []
        self.handled: set[int] = set()
        self._makers: dict[str, Callable[[], JSValue]] = self._language()

    def now(self) -> JSValue:
        """Milliseconds since the script began; unknown without a clock."""
        return self.machine.unknown("clock", "number")

    def _prototype(self, table: Table) -> NativeObject:
        return NativeObject(self.object_prototype, table)

    def _error_prototypes(self) -> dict[str, JSObject]:
        base = NativeObject(self.object_prototype, standard.ERROR)
        made: dict[str, JSObject] = {}
        for name in ERRORS:
            proto = base if name == "Error" else JSObject(base)
            proto.props |= {"name": name, "message": ""}
            proto.hidden = frozenset({"name", "message", "constructor"})
            made[name] = proto
        return made

    # --- globals

    def _language(self) -> dict[str, Callable[[], JSValue]]:
        makers: dict[str, Callable[[], JSValue]] = {
            "globalThis": lambda: self.global_object,
            "NaN": lambda: math.nan,
            "Infinity": lambda: math.inf,
            "undefined": lambda: UNDEFINED,
            "Math": self._math,
            "JSON": lambda: self._prototype(standard.JSON),
            "Reflect": lambda: self._prototype(proxies.REFLECT),
            "Proxy": lambda: NativeFunction(self.function_prototype, "Proxy", _unsupported, proxies.construct_proxy),
            "Object": lambda: self.constructor(
                "Object",
                self.object_prototype,
                standard.OBJECT_STATIC,
                _call_object,
                lambda m, a, t: _call_object(m, t, a),
            ),
            "Function": lambda: self.constructor(
                "Function", self.function_prototype, {}, _unsupported, lambda m, a, t: m.unknown("unsupported")
            ),
            "Array": lambda: self.constructor(
                "Array",
                self.array_prototype,
                arrays.ARRAY_STATIC,
                lambda m, this, a: arrays.construct_array(m, a, UNDEFINED),
                arrays.construct_array,
            ),
            "String": lambda: self.constructor(
                "String", self.string_prototype, strings.STRING_STATIC, strings.call_string, strings.construct_string
            ),
            "Number": self._number,
            "Boolean": lambda: self.constructor(
                "Boolean",
                self.boolean_prototype,
                {},
                _call_boolean,
                lambda m, a, t: BoxedObject(m.realm.boolean_prototype, _call_boolean(m, t, a)),
            ),
            "BigInt": lambda: self.constructor("BigInt", self.bigint_prototype, {}, _call_bigint, None),
            "Symbol": self._symbol,
            "RegExp": lambda: self.constructor(
                "RegExp",
                self.regexp_prototype,
                {},
                lambda m, this, a: _construct_regexp(m, a, UNDEFINED),
                _construct_regexp,
            ),
            "Promise": lambda: self.constructor(
                "Promise", self.promise_prototype, standard.PROMISE_STATIC, _unsupported, standard.construct_promise
            ),
            "Date": lambda: self.constructor(
                "Date",
                self.date_prototype,
                {"now": _now, "parse": _some_time, "UTC": _some_time},
                lambda m, this, a: m.unknown("clock", "string"),
                lambda m, a, t: BoxedObject(
                    m.realm.date_prototype, _some_time(m, UNDEFINED, a) if a else _now(m, UNDEFINED, a)
                ),
            ),
        }
        for name in ("Map", "WeakMap"):
            makers[name] = self._collection(name, self.map_prototype, is_set=False)
        for name in ("Set", "WeakSet"):
            makers[name] = self._collection(name, self.set_prototype, is_set=True)
        for name in ERRORS:
            makers[name] = self._error_constructor(name)
        for name, body in standard.GLOBAL.items():
            makers[name] = self._maker(name, body)
        makers["Intl"] = self._intl
        for name in _UNKNOWN_GLOBALS:
            makers[name] = lambda: Unknown("unsupported", self.machine.at)
        return makers

    def _maker(self, name: str, body: Native) -> Callable[[], JSValue]:
        return lambda: self.function(body, name)

    def _collection(self, name: str, prototype: JSObject, *, is_set: bool) -> Callable[[], JSValue]:
        weak = name.startswith("Weak")
        return lambda: self.constructor(
            name,
            prototype,
            {},
            _unsupported,
            lambda m, a, t: standard.construct_map(m, a, is_set=is_set, weak=weak),
        )

    def _error_constructor(self, name: str) -> Callable[[], JSValue]:
        def construct(m: Machine, args: list[JSValue], new_target: JSValue) -> JSValue:
            proto: JSObject = self.error_prototypes[name]
            if isinstance(new_target, FunctionObject):
                own = new_target.get(m, "prototype")
                proto = own if isinstance(own, JSObject) else proto
            error = ErrorObject(proto)
            if arg(args) is not UNDEFINED:
                error.props["message"] = to_string(m, arg(args))
            error.props["stack"] = m.unknown("environment", "string")
            error.hidden = frozenset({"message", "stack"})
            return error

        prototype = self.error_prototypes[name]
        return lambda: self.constructor(name, prototype, {}, lambda m, this, a: construct(m, a, UNDEFINED), construct)

    def _math(self) -> JSValue:
        made = self._prototype(standard.MATH)
        made.props |= standard.MATH_CONSTANTS
        made.hidden = frozenset(standard.MATH_CONSTANTS)
        return made

    def _number(self) -> JSValue:
        made = self.constructor(
            "Number",
            self.number_prototype,
            standard.NUMBER_STATIC,
            _call_number,
            lambda m, a, t: BoxedObject(m.realm.number_prototype, _call_number(m, t, a)),
        )
        constants = {
            "EPSILON": 2.0**-52,
            "MAX_SAFE_INTEGER": 2.0**53 - 1,
            "MIN_SAFE_INTEGER": 1 - 2.0**53,
            "MAX_VALUE": 1.7976931348623157e308,
            "MIN_VALUE": 5e-324,
            "POSITIVE_INFINITY": math.inf,
            "NEGATIVE_INFINITY": -math.inf,
            "NaN": math.nan,
        }
        made.props |= constants
        made.hidden |= constants.keys()
        return made

    def _intl(self) -> JSValue:
        """``Intl``: numbers are written as ``toLocaleString`` writes them, what else it does is not followed."""

        def construct(m: Machine, args: list[JSValue], new_target: JSValue) -> JSValue:
            given = args[:2]

            def write(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
                value = to_number(m, arg(args))
                known = type(value) is float
                return (
                    standard.NUMBER["toLocaleString"](m, value, given) if known else m.unknown("environment", "string")
                )

            others = {name: m.unknown("unsupported") for name in ("formatToParts", "formatRange", "resolvedOptions")}
            return JSObject(self.object_prototype, {"format": self.function(write, "format"), **others})

        made = JSObject(self.object_prototype)
        made.props |= {name: self.machine.unknown("unsupported") for name in _OF_INTL}
        made.props["NumberFormat"] = self.constructor(
            "NumberFormat",
            JSObject(self.object_prototype),
            {},
            lambda m, this, a: construct(m, a, UNDEFINED),
            construct,
        )
        return made

    def _symbol(self) -> JSValue:
        def make(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
            name = "" if arg(args) is UNDEFINED else to_string(m, arg(args))
            return Symbol(name if type(name) is str else "")

        made = self.constructor("Symbol", self.symbol_prototype, {"for": _unsupported}, make, None)
        made.props |= WELL_KNOWN
        made.hidden |= WELL_KNOWN.keys()
        return made

    def constructor(
        self,
        name: str,
        prototype: JSObject,
        statics: Table,
        call: Native,
        construct: Callable[[Any, list[JSValue], JSValue], JSValue] | None,
    ) -> NativeFunction:
        """A built-in constructor."""
        made = NativeFunction(self.function_prototype, name, call, construct)
        made.natives = statics
        made.props["prototype"] = prototype
        made.hidden = frozenset({"prototype"})
        if "constructor" not in prototype.props:
            prototype.props["constructor"] = made
            prototype.hidden |= {"constructor"}
        return made

    def function(self, body: Native, name: str = "") -> NativeFunction:
        """A built-in function."""
        return NativeFunction(self.function_prototype, name, body)

    def has_builtin(self, name: str) -> bool:
        """Whether a global name means something before any script runs."""
        return name in self.builtins or name in self._makers

    def global_value(self, name: str) -> JSValue:
        """A global that no script has written, or :data:`MISSING`."""
        found = self.builtins.get(name, MISSING)
        if found is MISSING and name in self._makers:
            found = self.builtins[name] = self._makers[name]()
        return found

    def set_global(self, name: str, value: JSValue) -> None:
        """An assignment to a global name."""
        self.machine.write(self.machine.globals, name, value)

    # --- making things

    def error(self, name: str, message: str) -> JSObject:
        """A new error object."""
        error = ErrorObject(self.error_prototypes[name], {"message": message})
        error.hidden = frozenset({"message"})
        return error

    def throw(self, name: str, message: str) -> JSThrow:
        """An error, to be raised."""
        return JSThrow(self.error(name, message), self.machine.at)

    def reference_error(self, name: str, span: Span) -> JSThrow:
        """The error of an undeclared name."""
        return JSThrow(self.error("ReferenceError", f"{name} is not defined"), span)

    def regexp(self, source: str, flags: str) -> RegExpObject:
        """A regular expression object."""
        return RegExpObject(self.regexp_prototype, source, flags, translate(source, flags))

    def iterator(self, items: list[JSValue]) -> IteratorObject:
        """An iterator over known values."""
        return IteratorObject(self.iterator_prototype, items)

    # --- looking at things

    def prototype_of(self, value: JSValue) -> JSObject:
        """The prototype behind a primitive."""
        kind = type(value)
        if kind is float:
            return self.number_prototype
        if kind is bool:
            return self.boolean_prototype
        if kind is str:
            return self.string_prototype
        return self.bigint_prototype if kind is int else self.symbol_prototype

    def items_of(self, value: JSObject) -> list[JSValue] | None:
        """The elements of a built-in collection; None: it is none, or out of sight."""
        if value.unknown is not None:
            return None
        if isinstance(value, ArrayObject):
            return value.items
        if isinstance(value, MapObject):
            if value.is_set:
                return [key for key, _ in value.table.values()]
            return [self.machine.array(pair) for pair in value.table.values()]
        if isinstance(value, IteratorObject):
            rest = value.items[value.position :]
            self.machine.write(value, "position", len(value.items))
            return rest
        return None

    def is_iterable(self, value: JSObject) -> bool:
        """Whether ``Array.from`` iterates over it, or reads its length."""
        if isinstance(value, ArrayObject | MapObject | IteratorObject) or value.unknown is not None:
            return True
        return value.get(self.machine, ITERATOR) is not UNDEFINED

    def has_property(self, value: JSObject, key: Any) -> JSValue:
        """``key in value``."""
        holder: JSObject | None = value
        while holder is not None:
            if holder.own(self.machine, key) is not MISSING:
                return True
            holder = holder.proto
        return False

    def kind_of(self, value: JSValue) -> str | None:
        """The type that a value is known to have."""
        kind = type(value)
        if kind is Unknown:
            return str(value.kind) if value.kind is not None else None
        names: dict[type, str] = {str: "string", float: "number", bool: "boolean", int: "bigint"}
        if kind in names:
            return names[kind]
        if isinstance(value, FunctionObject):
            return "function"
        return "element" if isinstance(value, JSObject) else None

    def range_of(self, value: JSValue) -> tuple[float, float]:
        """The range of a number."""
        low, high, _, _ = span_of(value)
        return low, high

    def element_at_unknown(self, value: JSValue, index: Unknown) -> JSValue:
        """``value[index]`` where the index is not known: one of the elements, if they are few."""
        if not isinstance(value, ArrayObject) or value.unknown is not None:
            if type(value) is JSObject and value.unknown is None and index.choices is not None:
                found = [value.get(self.machine, to_string(self.machine, choice)) for choice in index.choices]
                return self._one_of(found, index)
            return (value if type(value) is Unknown else index).of_kind(None)
        if not index.whole or not 1 <= len(value.items) <= 64:
            return index.of_kind(None)
        low = int(max(index.low, 0)) if math.isfinite(index.low) else 0
        high = int(min(index.high, len(value.items) - 1)) if math.isfinite(index.high) else len(value.items) - 1
        found = [UNDEFINED if item is HOLE else item for item in value.items[low : high + 1]]
        if index.low < 0 or index.high > len(value.items) - 1:
            found.append(UNDEFINED)
        return self._one_of(found, index)

    def _one_of(self, values: list[JSValue], why: Unknown) -> JSValue:
        if not values:
            return UNDEFINED
        first = values[0]
        if all(type(value) is ArrayObject and value.unknown is None for value in values):
            if all(len(value.items) == len(first.items) for value in values) and len(first.items) <= 16:
                columns = zip(*(value.items for value in values), strict=True)
                return self.machine.array(self._one_of(list(column), why) for column in columns)
            return why.of_kind("element")
        if all(type(value) is JSObject and value.unknown is None for value in values):
            keys = first.own_keys()
            if all(value.own_keys() == keys for value in values) and len(keys) <= 16:
                return self.machine.object(
                    {key: self._one_of([value.get(self.machine, key) for value in values], why) for key in keys}
                )
        result = first
        for value in values[1:]:
            result = self.machine.join_values(result, value)
        if type(result) is Unknown and result.reason == "branch":
            result = Unknown(
                why.reason, why.span, result.kind, result.low, result.high, whole=result.whole, choices=result.choices
            )
        return result

    def export(self, value: JSValue, depth: int = 0) -> Any:
        """A value for the table of effects, in plain Python where it is known."""
        if value is UNDEFINED or value is NULL:
            return None
        if not isinstance(value, JSObject) or isinstance(value, FunctionObject):
            return value
        if value.unknown is not None:
            return value.unknown
        if isinstance(value, BoxedObject):
            return self.export(value.value, depth + 1)
        if depth > 4:
            return Unknown("limit", self.machine.at)
        if isinstance(value, ArrayObject):
            return tuple(self.export(item, depth + 1) for item in value.items[:200] if item is not HOLE)
        return {key: self.export(value.own(self.machine, key), depth + 1) for key in value.own_keys()[:100]}

    # --- promises

    def resolve(self, promise: PromiseObject, value: JSValue) -> None:
        """Resolve a promise."""
        standard.resolve(self.machine, promise, value)

    def await_value(self, value: JSValue) -> JSValue:
        """What ``await`` gives; where that comes later, the rest of the function may happen, later."""
        if isinstance(value, PromiseObject):
            self.handled.add(id(value))
            if value.state == "pending":
                self.run_microtasks()
            if value.state == "fulfilled":
                return value.value
            if value.state == "rejected":
                raise JSThrow(value.value, self.machine.at)
        elif not (type(value) is Unknown and value.kind in (None, "object")):
            return value
        machine = self.machine
        mark = machine.journal.mark()
        machine.pending.append(Pending(mark, State({}, []), Completion("return")))
        return value.of_kind(None) if type(value) is Unknown else machine.unknown("clock")

    def run_microtasks(self) -> None:
        """Run what promises have queued."""
        while self.microtasks:
            self.machine.spend(1)
            self.microtasks.pop(0)()

    # --- joining

    def join_host(self, container: Any, key: Any, value: Any, elsewhere: Any, why: Unknown) -> None:
        """Join an attribute of an object of the host or of the interpreter that differs between two paths."""
        if isinstance(container, PromiseObject):
            self.machine.write(container, "state", "unknown")
            self.machine.write(container, "value", why)
        elif isinstance(container, IteratorObject | JSObject):
            self.machine.havoc(container, why)


_OF_INTL = words(
    """
    Collator DateTimeFormat DisplayNames DurationFormat ListFormat Locale PluralRules RelativeTimeFormat Segmenter
    getCanonicalLocales supportedValuesOf
    """
)
_UNKNOWN_GLOBALS = words(
    """
    WebAssembly ArrayBuffer SharedArrayBuffer DataView Uint8Array Int8Array Uint16Array Int16Array
    Uint32Array Int32Array Float32Array Float64Array Uint8ClampedArray BigInt64Array WeakRef FinalizationRegistry eval
    Atomics AggregateError Iterator
    """
)


def _unsupported(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return m.call_unknown(m.unknown("unsupported"), args)


def _some_time(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return m.unknown("clock").number()


def _time_of(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return this.value if isinstance(this, BoxedObject) else _some_time(m, this, args)


_DATE.update(dict.fromkeys(("getTime", "valueOf"), _time_of))


def _now(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    since_loading = m.realm.now()
    return _LOADED_AT + since_loading if type(since_loading) is float else _some_time(m, this, args)


def _call_object(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value = arg(args)
    if isinstance(value, JSObject) or type(value) is Unknown:
        return value
    if value is UNDEFINED or value is NULL:
        return m.object()
    return BoxedObject(m.realm.prototype_of(value), value)


def _call_number(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if not args:
        return 0.0
    if type(args[0]) is int:
        return float(args[0]) if abs(args[0]) < 10**300 else m.unknown("limit", "number")
    return to_number(m, args[0])


def _call_boolean(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    known = truth(arg(args))
    return arg(args).of_kind("boolean") if known is None else known


def _call_bigint(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value = arg(args)
    if type(value) is float and value.is_integer():
        return int(value)
    return value if type(value) is int else m.unknown("unsupported", "bigint")


def _construct_regexp(m: Machine, args: list[JSValue], new_target: JSValue) -> JSValue:
    source, flags = arg(args), arg(args, 1)
    if isinstance(source, RegExpObject):
        given: JSValue = source.flags if flags is UNDEFINED else to_string(m, flags)
        return m.realm.regexp(source.source, given) if type(given) is str else given.of_kind(None)
    pattern = "(?:)" if source is UNDEFINED or source == "" else to_string(m, source)
    wanted = "" if flags is UNDEFINED else to_string(m, flags)
    for part in (pattern, wanted):
        if type(part) is Unknown:
            return part.of_kind(None)
    return m.realm.regexp(pattern, wanted)
