"""Object, Function, Number, Math, JSON, Map, Set, Promise and the global functions (ECMA-262, 19 to 27)."""

from __future__ import annotations

import json
import math
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote_to_bytes

from husky_lint.script.machine import same
from husky_lint.script.natives import Table, arg, integer, native, pure, text, unsupported
from husky_lint.script.numbers import (
    js_round,
    number_to_string,
    parse_float,
    parse_int,
    power,
    to_exponential,
    to_fixed,
    to_int32,
    to_precision,
    to_radix,
    to_uint32,
)
from husky_lint.script.operators import (
    floor_range,
    leading_number,
    span_of,
    to_number,
    to_property_key,
    to_string,
    truncate_range,
)
from husky_lint.script.proxies import REFLECT
from husky_lint.script.values import (
    HOLE,
    MISSING,
    NULL,
    UNDEFINED,
    Accessor,
    ArrayObject,
    BoundFunction,
    BoxedObject,
    FunctionObject,
    IteratorObject,
    JSObject,
    JSValue,
    MapObject,
    PromiseObject,
    Symbol,
    Unknown,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from husky_lint.script.machine import Machine

OBJECT: Table = {}
OBJECT_STATIC: Table = {}
FUNCTION: Table = {}
NUMBER: Table = {}
NUMBER_STATIC: Table = {}
MATH: Table = {}
JSON: Table = {}
MAP: Table = {}
SET: Table = {}
ITERATOR: Table = {}
PROMISE: Table = {}
PROMISE_STATIC: Table = {}
ERROR: Table = {}
BOOLEAN: Table = {}
GLOBAL: Table = {}


# --- Object


@native(OBJECT, "hasOwnProperty")
def _has_own_property(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return has_own(m, this, arg(args))


def has_own(m: Machine, value: JSValue, key: JSValue) -> JSValue:
    """Whether a value has an own property."""
    if type(value) is Unknown or type(key) is Unknown:
        return (value if type(value) is Unknown else key).of_kind("boolean")
    if not isinstance(value, JSObject):
        return False
    if value.unknown is not None:
        return value.unknown.of_kind("boolean")
    return value.own(m, to_property_key(m, key)) is not MISSING


@native(OBJECT, "toString")
def _object_to_string(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if this is UNDEFINED or this is NULL:
        return f"[object {'Undefined' if this is UNDEFINED else 'Null'}]"
    if type(this) is Unknown:
        return this.of_kind("string")
    if isinstance(this, JSObject):
        known = this.class_name if this.class_name in ("Array", "Function", "Error", "RegExp") else "Object"
        return f"[object {known}]" if this.class_name != "Node" else m.unknown("unsupported", "string")
    names: dict[type, str] = {str: "String", float: "Number", bool: "Boolean", int: "BigInt"}
    return f"[object {names.get(type(this), 'Symbol')}]"


@native(OBJECT, "toLocaleString")
def _object_locale_string(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return m.unknown("environment", "string")


@native(OBJECT, "valueOf")
def _object_value_of(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return this.value if isinstance(this, BoxedObject) else this


@native(OBJECT, "isPrototypeOf")
def _is_prototype_of(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value = arg(args)
    holder = value.proto if isinstance(value, JSObject) else None
    for _ in range(200):
        if holder is None or holder is this:
            break
        holder = holder.proto
    return holder is not None


@native(OBJECT, "propertyIsEnumerable")
def _is_enumerable(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    found = has_own(m, this, arg(args))
    return found if type(found) is Unknown else bool(found and to_property_key(m, arg(args)) in this.own_keys())


def _own_pairs(m: Machine, value: JSValue) -> list[tuple[str, JSValue]] | Unknown:
    if type(value) is Unknown:
        return value
    if value is UNDEFINED or value is NULL:
        raise m.type_error("Cannot convert undefined or null to object")
    if type(value) is str:
        return [(str(i), char) for i, char in enumerate(value)]
    if not isinstance(value, JSObject):
        return []
    if value.unknown is not None:
        return value.unknown
    keys = value.own_keys()
    m.spend(len(keys) >> 2)
    return [(key, value.get(m, key)) for key in keys]


def _unknown_array(m: Machine, why: Unknown) -> ArrayObject:
    result = m.array([])
    result.unknown = why
    return result


@native(OBJECT_STATIC, "keys")
def _keys(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value = arg(args)
    if isinstance(value, JSObject) and value.unknown is None:
        return m.array(value.own_keys())
    pairs = _own_pairs(m, value)
    return _unknown_array(m, pairs) if type(pairs) is Unknown else m.array(key for key, _ in pairs)


@native(OBJECT_STATIC, "getOwnPropertyNames")
def _property_names(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value = arg(args)
    if not isinstance(value, JSObject) or value.unknown is not None:
        return _keys(m, this, args)
    extra = ["length"] if isinstance(value, ArrayObject) else []
    return m.array([*value.own_keys(), *extra, *(key for key in value.props if key in value.hidden)])


@native(OBJECT_STATIC, "values")
def _values(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    pairs = _own_pairs(m, arg(args))
    return _unknown_array(m, pairs) if type(pairs) is Unknown else m.array(value for _, value in pairs)


@native(OBJECT_STATIC, "entries")
def _entries(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    pairs = _own_pairs(m, arg(args))
    return _unknown_array(m, pairs) if type(pairs) is Unknown else m.array(m.array(pair) for pair in pairs)


@native(OBJECT_STATIC, "fromEntries")
def _from_entries(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    result = m.object()
    entries = m.iterate(arg(args))
    if type(entries) is Unknown:
        result.unknown = entries
        return result
    for entry in entries:
        key = m.get(entry, "0")
        key = key if type(key) is Unknown else to_property_key(m, key)
        if type(key) is Unknown:
            result.unknown = key
        else:
            result.define(m, key, m.get(entry, "1"))
    return result


@native(OBJECT_STATIC, "assign")
def _assign(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    target = arg(args)
    if target is UNDEFINED or target is NULL:
        raise m.type_error("Cannot convert undefined or null to object")
    for source in args[1:]:
        why = source.unknown if isinstance(source, JSObject) else source
        if type(why) is Unknown:
            if isinstance(target, JSObject):
                m.havoc(target, why)
        elif isinstance(source, JSObject):
            for key in source.own_keys():
                m.set(target, key, source.get(m, key))
    return target


@native(OBJECT_STATIC, "freeze", "seal", "preventExtensions")
def _freeze(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value = arg(args)
    if isinstance(value, JSObject) and type(value) in (JSObject, ArrayObject):
        m.write(value, "frozen", True)
    return value


@native(OBJECT_STATIC, "isFrozen", "isSealed")
def _is_frozen(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value = arg(args)
    return value.frozen if isinstance(value, JSObject) else True


@native(OBJECT_STATIC, "create")
def _create(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    proto = arg(args)
    if not isinstance(proto, JSObject) and proto is not NULL:
        raise m.type_error("Object prototype may only be an Object or null")
    result = JSObject(proto if isinstance(proto, JSObject) else None)
    if isinstance(arg(args, 1), JSObject):
        _define_properties(m, this, [result, arg(args, 1)])
    return result


@native(OBJECT_STATIC, "getPrototypeOf")
def _get_prototype_of(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value = arg(args)
    if type(value) is Unknown:
        return value.of_kind(None)
    proto = value.proto if isinstance(value, JSObject) else m.realm.prototype_of(value)
    return NULL if proto is None else proto


@native(OBJECT_STATIC, "setPrototypeOf")
def _set_prototype_of(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value, proto = arg(args), arg(args, 1)
    above = proto if isinstance(proto, JSObject) else None
    while above is not None:
        m.spend(1)
        if above is value:
            raise m.type_error("Cyclic __proto__ value")
        above = above.proto
    if isinstance(value, JSObject):
        m.write(value, "proto", proto if isinstance(proto, JSObject) else None)
    return value


@native(OBJECT_STATIC, "defineProperty")
def _define_property(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value, key, descriptor = arg(args), to_property_key(m, arg(args, 1)), arg(args, 2)
    if not isinstance(value, JSObject):
        raise m.type_error("Object.defineProperty called on non-object")
    if type(key) is Unknown or not isinstance(descriptor, JSObject):
        m.havoc(value, key if type(key) is Unknown else m.unknown("unsupported"))
        return value
    getter, setter = descriptor.get(m, "get"), descriptor.get(m, "set")
    if getter is not UNDEFINED or setter is not UNDEFINED:
        value.define(m, key, Accessor(getter, setter), hidden=descriptor.get(m, "enumerable") is not True)
    elif descriptor.get(m, "writable") is True:
        value.define(m, key, descriptor.get(m, "value"), hidden=descriptor.get(m, "enumerable") is not True)
    else:
        content = descriptor.get(m, "value")
        reader = m.realm.function(lambda machine, this, args: content, "get")
        value.define(m, key, Accessor(reader, UNDEFINED), hidden=descriptor.get(m, "enumerable") is not True)
    return value


@native(OBJECT_STATIC, "defineProperties")
def _define_properties(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    table = arg(args, 1)
    if isinstance(table, JSObject):
        for key in table.own_keys():
            _define_property(m, this, [arg(args), key, table.get(m, key)])
    return arg(args)


@native(OBJECT_STATIC, "is")
def _is(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    for value in (arg(args), arg(args, 1)):
        if type(value) is Unknown:
            return value.of_kind("boolean")
    return same(arg(args), arg(args, 1))


@native(OBJECT_STATIC, "hasOwn")
def _has_own_static(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return has_own(m, arg(args), arg(args, 1))


@native(OBJECT_STATIC, "groupBy")
def _group_by(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    items = m.iterate(arg(args))
    result = JSObject(None)
    if type(items) is Unknown:
        result.unknown = items
        return result
    for index, item in enumerate(items):
        key = to_property_key(m, m.call(arg(args, 1), UNDEFINED, [item, float(index)]))
        if type(key) is Unknown:
            result.unknown = key
            return result
        group = result.props.get(key)
        if group is None:
            group = m.array([])
            result.define(m, key, group)
        group.touch(m).append(item)
    return result


unsupported(OBJECT_STATIC, "getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertySymbols isExtensible")
unsupported(OBJECT, "__defineGetter__ __defineSetter__")

for _name in ("getPrototypeOf", "setPrototypeOf", "defineProperty"):
    REFLECT[_name] = OBJECT_STATIC[_name]
unsupported(REFLECT, "getOwnPropertyDescriptor")


@native(GLOBAL, "structuredClone")
def _structured_clone(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _clone(m, arg(args), 0)


def _clone(m: Machine, value: JSValue, depth: int) -> JSValue:
    m.spend(1)
    if depth > 50:
        return m.unknown("limit")
    if isinstance(value, ArrayObject):
        if value.unknown is not None:
            return _unknown_array(m, value.unknown)
        return m.array(_clone(m, item, depth + 1) for item in value.items)
    if type(value) is JSObject:
        result = m.object()
        result.unknown = value.unknown
        for key in value.own_keys():
            result.define(m, key, _clone(m, value.get(m, key), depth + 1))
        return result
    return m.unknown("unsupported") if isinstance(value, JSObject) else value


# --- Function


@native(FUNCTION, "call")
def _call(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return m.call(this, arg(args), args[1:])


@native(FUNCTION, "apply")
def _apply(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    given = arg(args, 1)
    if given is UNDEFINED or given is NULL:
        return m.call(this, arg(args), [])
    items = m.realm.items_of(given) if isinstance(given, JSObject) and given.unknown is None else None
    if items is None:
        why = given if type(given) is Unknown else getattr(given, "unknown", None) or m.unknown("unsupported")
        number = isinstance(this, FunctionObject) and this.name in ("min", "max")
        return why.of_kind("number" if number else None) if number else m.call_unknown(why, [this])
    return m.call(this, arg(args), [UNDEFINED if item is HOLE else item for item in items])


@native(FUNCTION, "bind")
def _bind(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return BoundFunction(m.realm.function_prototype, this, arg(args), args[1:])


@native(FUNCTION, "toString")
def _function_text(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return m.unknown("unsupported", "string")


# --- Number and Boolean


def _number(m: Machine, this: JSValue) -> Any:
    value = this.value if isinstance(this, BoxedObject) else this
    if type(value) not in (float, Unknown, int):
        raise m.type_error("Number.prototype method called on something else")
    return value


@native(NUMBER, "toString")
def _number_to_string(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value = _number(m, this)
    radix = integer(m, arg(args), 10.0)
    if type(value) is Unknown or type(radix) is Unknown:
        return value.text((value,)) if type(value) is Unknown else radix.of_kind("string")
    if not 2 <= radix <= 36:
        raise m.range_error("toString() radix must be between 2 and 36")
    if type(value) is int:
        return str(value) if radix == 10 else m.unknown("unsupported", "string")
    return to_radix(value, int(radix))


@native(NUMBER, "toFixed")
def _to_fixed(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value, digits = _number(m, this), integer(m, arg(args))
    if type(digits) is Unknown:
        return digits.of_kind("string")
    if not 0 <= digits <= 100:
        raise m.range_error("toFixed() digits argument must be between 0 and 100")
    if type(value) is Unknown:
        return value.text((_rounded(value, lambda end: to_fixed(end, int(digits)), whole=digits == 0),))
    return to_fixed(float(value), int(digits))


def _rounded(value: Unknown, write: Callable[[float], str], *, whole: bool) -> Unknown:
    """An unknown number as its digits are written: the ends of its range are rounded as all between them is."""
    if value.kind != "number" or not (math.isfinite(value.low) and math.isfinite(value.high)):
        return value
    low, high = float(write(value.low)), float(write(value.high))
    if (low, high) == (value.low, value.high) and not value.open and (value.whole or not whole):
        return value
    return value.number(low, high, whole=whole or value.whole)


@native(NUMBER, "toPrecision")
def _to_precision(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value = _number(m, this)
    if arg(args) is UNDEFINED:
        return to_string(m, value)
    digits = integer(m, arg(args))
    if type(digits) is Unknown:
        return digits.of_kind("string")
    if type(value) is not Unknown and not math.isfinite(value):
        return number_to_string(value)
    if not 1 <= digits <= 100:
        raise m.range_error("toPrecision() argument must be between 1 and 100")
    if type(value) is Unknown:
        return value.text((_rounded(value, lambda end: to_precision(end, int(digits)), whole=False),))
    return to_precision(float(value), int(digits))


@native(NUMBER, "toExponential")
def _to_exponential(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value, digits = _number(m, this), integer(m, arg(args))
    if type(value) is Unknown or type(digits) is Unknown:
        return m.unknown("unsupported", "string")
    if not math.isfinite(value):
        return number_to_string(value)
    if not 0 <= digits <= 100:
        raise m.range_error("toExponential() argument must be between 0 and 100")
    return to_exponential(float(value), None if arg(args) is UNDEFINED else int(digits))


@native(NUMBER, "toLocaleString")
def _number_locale_string(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    """In English as the United States write it, the language of a browser that nobody has set up."""
    value = this.value if isinstance(this, BoxedObject) else this
    language, options = arg(args), arg(args, 1)
    english = language is UNDEFINED or (type(language) is str and language.lower() in ("en", "en-us"))
    if type(value) is not float or not math.isfinite(value) or abs(value) >= 1e15 or not english:
        return m.unknown("environment", "string")
    least: JSValue = 0.0
    most: JSValue = 3.0
    if options is not UNDEFINED:
        if type(options) is not JSObject or not set(options.own_keys()) <= _FRACTION_DIGITS:
            return m.unknown("environment", "string")
        given = options.get(m, "minimumFractionDigits")
        least = given if given is not UNDEFINED else least
        given = options.get(m, "maximumFractionDigits")
        most = given if given is not UNDEFINED else max(most, least) if type(least) is float else least
    if not all(type(digits) is float and 0 <= digits <= 20 for digits in (least, most)) or least > most:
        return m.unknown("environment", "string")
    exact = Decimal(repr(value)).quantize(Decimal(1).scaleb(-int(most)), ROUND_HALF_UP)
    whole, point, fraction = f"{exact:,f}".partition(".")
    fraction = fraction.rstrip("0").ljust(int(least), "0")
    return f"{whole}{point}{fraction}" if fraction else whole


_FRACTION_DIGITS = {"minimumFractionDigits", "maximumFractionDigits"}


@native(NUMBER, "valueOf")
def _number_value_of(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _number(m, this)


@pure(BOOLEAN, "toString", "string")
def _boolean_to_string(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return to_string(m, this.value if isinstance(this, BoxedObject) else this)


@pure(BOOLEAN, "valueOf", "boolean")
def _boolean_value_of(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return this.value if isinstance(this, BoxedObject) else this


def _number_test(table: Table, name: str, test: Callable[[float], bool], *, convert: bool = False) -> None:
    def run(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
        value = to_number(m, arg(args)) if convert else arg(args)
        if type(value) is Unknown:
            if test is math.isnan and value.kind == "number" and math.isfinite(value.low + value.high):
                return False
            return value.of_kind("boolean")
        return type(value) is float and test(value)

    table[name] = run


_number_test(NUMBER_STATIC, "isNaN", math.isnan)
_number_test(NUMBER_STATIC, "isFinite", math.isfinite)
_number_test(NUMBER_STATIC, "isInteger", lambda value: math.isfinite(value) and value.is_integer())
_number_test(
    NUMBER_STATIC, "isSafeInteger", lambda value: math.isfinite(value) and value.is_integer() and abs(value) < 2**53
)
_number_test(GLOBAL, "isNaN", math.isnan, convert=True)
_number_test(GLOBAL, "isFinite", math.isfinite, convert=True)


def _parse_float(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value = text(m, arg(args))
    if type(value) is not Unknown:
        return parse_float(value)
    if value.choices is not None:
        numbers = [parse_float(text(m, choice)) for choice in value.choices]
        return Unknown(value.reason, value.span, "number", choices=tuple(numbers))
    return leading_number(value) or value.number()


def _parse_int(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    value, radix = text(m, arg(args)), to_number(m, arg(args, 1))
    if type(value) is Unknown or type(radix) is Unknown:
        return (value if type(value) is Unknown else radix).number(whole=True)
    return parse_int(value, to_int32(radix))


for _table in (NUMBER_STATIC, GLOBAL):
    _table["parseFloat"] = _parse_float
    _table["parseInt"] = _parse_int


# --- Math


def _math(name: str, compute: Callable[[float], float], low: float = -math.inf, high: float = math.inf) -> None:
    def run(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
        value = to_number(m, arg(args))
        if type(value) is Unknown:
            return value.number(low, high)
        try:
            return compute(value)
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    MATH[name] = run


_math("sin", math.sin, -1, 1)
_math("cos", math.cos, -1, 1)
_math("tan", math.tan)
_math("asin", math.asin, -2, 2)
_math("acos", math.acos, 0, 4)
_math("atan", math.atan, -2, 2)
_math("sinh", math.sinh)
_math("cosh", math.cosh)
_math("tanh", math.tanh, -1, 1)
_math("exp", math.exp)
_math("expm1", math.expm1)
_math("cbrt", math.cbrt)
_math("log10", lambda v: -math.inf if v == 0 else math.log10(v))
_math("log2", lambda v: -math.inf if v == 0 else math.log2(v))
_math("log", lambda v: -math.inf if v == 0 else math.log(v))
_math("log1p", lambda v: -math.inf if v == -1 else math.log1p(v))
_math("clz32", lambda v: float(32 - to_uint32(v).bit_length()), 0, 32)
_math("sign", lambda v: v if v == 0 or math.isnan(v) else math.copysign(1.0, v), -1, 1)


def _monotonic(name: str, compute: Callable[[float], float], bounds: Callable[[Unknown], Unknown]) -> None:
    def run(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
        value = to_number(m, arg(args))
        return bounds(value) if type(value) is Unknown else compute(value)

    MATH[name] = run


def _whole(compute: Callable[[float], int]) -> Callable[[float], float]:
    def run(value: float) -> float:
        return math.copysign(float(compute(value)), value) if math.isfinite(value) else value

    return run


def _rounded_range(value: Unknown) -> Unknown:
    low = js_round(value.low)
    return value.number(low, js_round(value.high), whole=True)


def _absolute_range(value: Unknown) -> Unknown:
    low, high = abs(value.low), abs(value.high)
    if value.low <= 0 <= value.high:
        return value.number(0, max(low, high), whole=value.whole)
    return value.number(min(low, high), max(low, high), whole=value.whole)


def _root_range(value: Unknown) -> Unknown:
    return value.number(math.sqrt(value.low), math.sqrt(value.high)) if value.low >= 0 else value.number()


def _floor(value: float) -> float:
    return value if not math.isfinite(value) or value == 0 else float(math.floor(value))


_monotonic("floor", _floor, floor_range)
_monotonic(
    "ceil",
    _whole(math.ceil),
    lambda v: v.number(_floor(v.low), math.inf if math.isinf(v.high) else math.ceil(v.high), whole=True),
)
_monotonic("trunc", _whole(math.trunc), truncate_range)
_monotonic("round", js_round, _rounded_range)
_monotonic("abs", abs, _absolute_range)
_monotonic("sqrt", lambda v: math.nan if v < 0 else math.sqrt(v), _root_range)


def _fround(value: float) -> float:
    import struct

    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


_math("fround", _fround)


@native(MATH, "max")
def _max(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _extreme(m, args, largest=True)


@native(MATH, "min")
def _min(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _extreme(m, args, largest=False)


def _extreme(m: Machine, args: list[JSValue], *, largest: bool) -> JSValue:
    numbers = [to_number(m, value) for value in args]
    if any(type(value) is float and math.isnan(value) for value in numbers):
        return math.nan
    best = -math.inf if largest else math.inf
    unknown = next((value for value in numbers if type(value) is Unknown), None)
    if unknown is not None:
        lows, highs = zip(*(span_of(value)[:2] for value in numbers), strict=True)
        pick = max if largest else min
        low, high = pick(lows), pick(highs)
        return low if low == high else unknown.number(low, high, whole=all(span_of(v)[3] for v in numbers))
    for value in numbers:
        if value == best == 0:
            # +0 is larger than -0
            best = value if (math.copysign(1, value) > 0) == largest else best
        elif (value > best) if largest else (value < best):
            best = value
    return best


@pure(MATH, "pow", "number")
def _pow(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return power(to_number(m, arg(args)), to_number(m, arg(args, 1)))


@pure(MATH, "atan2", "number")
def _atan2(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return math.atan2(to_number(m, arg(args)), to_number(m, arg(args, 1)))


@pure(MATH, "hypot", "number")
def _hypot(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return math.hypot(*(to_number(m, value) for value in args))


@pure(MATH, "imul", "number")
def _imul(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return float(to_int32(float(to_int32(to_number(m, arg(args))) * to_int32(to_number(m, arg(args, 1))) & 0xFFFFFFFF)))


@native(MATH, "random")
def _random(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return m.unknown("random").number(0, 1, open_=True)


MATH_CONSTANTS = {
    "PI": math.pi,
    "E": math.e,
    "LN2": math.log(2),
    "LN10": math.log(10),
    "LOG2E": 1 / math.log(2),
    "LOG10E": 1 / math.log(10),
    "SQRT2": math.sqrt(2),
    "SQRT1_2": math.sqrt(0.5),
}


# --- JSON


@native(JSON, "stringify")
def _stringify(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    replacer, space = arg(args, 1), arg(args, 2)
    if isinstance(replacer, JSObject) or type(replacer) is Unknown or type(space) is Unknown:
        return m.unknown("unsupported", "string")
    gap = ""
    if type(space) is float:
        gap = " " * int(min(max(space, 0), 10))
    elif type(space) is str:
        gap = space[:10]
    pieces = _to_json(m, arg(args), "", gap, "", 0)
    if type(pieces) is str and len(pieces) > m.longest_string:
        return m.unknown("limit", "string")
    return pieces


def _to_json(m: Machine, value: JSValue, key: str, gap: str, indent: str, depth: int) -> JSValue:
    m.spend(1)
    if depth > 60:
        return m.unknown("limit", "string")
    if isinstance(value, JSObject):
        convert = value.get(m, "toJSON")
        if isinstance(convert, FunctionObject):
            value = m.call(convert, value, [key])
    if type(value) is Unknown:
        return value.of_kind("string")
    if isinstance(value, BoxedObject):
        value = value.value
    if value is NULL:
        return "null"
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is float:
        return number_to_string(value) if math.isfinite(value) else "null"
    if type(value) is str:
        return _quote(value)
    if type(value) is int:
        raise m.type_error("Do not know how to serialize a BigInt")
    if value is UNDEFINED or isinstance(value, FunctionObject | Symbol):
        return UNDEFINED
    return _composite_to_json(m, value, gap, indent, depth)


def _composite_to_json(m: Machine, value: JSObject, gap: str, indent: str, depth: int) -> JSValue:
    if value.unknown is not None:
        return value.unknown.of_kind("string")
    inner = indent + gap
    pieces: list[str] = []
    if isinstance(value, ArrayObject):
        for index, item in enumerate(value.items):
            content = _to_json(m, UNDEFINED if item is HOLE else item, str(index), gap, inner, depth + 1)
            if type(content) is Unknown:
                return content
            pieces.append("null" if content is UNDEFINED else content)
        brackets = "[]"
    else:
        for name in value.own_keys():
            content = _to_json(m, value.get(m, name), name, gap, inner, depth + 1)
            if type(content) is Unknown:
                return content
            if content is not UNDEFINED:
                pieces.append(f"{_quote(name)}:{' ' if gap else ''}{content}")
        brackets = "{}"
    if not pieces:
        return brackets
    size = sum(map(len, pieces))
    if size > m.longest_string:
        return m.unknown("limit", "string")
    m.spend(size >> 8)
    if not gap:
        return f"{brackets[0]}{','.join(pieces)}{brackets[1]}"
    return f"{brackets[0]}\n{inner}" + f",\n{inner}".join(pieces) + f"\n{indent}{brackets[1]}"


def _quote(value: str) -> str:
    quoted = json.dumps(value, ensure_ascii=False).replace("\x7f", "\x7f")
    return "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in quoted)


@native(JSON, "parse")
def _parse(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    source = text(m, arg(args))
    if type(source) is Unknown:
        return source.of_kind(None)
    m.spend(len(source) >> 4)
    try:
        parsed = json.loads(source, parse_constant=_refuse, parse_int=float, parse_float=float)
    except ValueError:
        raise m.realm.throw("SyntaxError", "Unexpected token in JSON") from None
    except RecursionError:
        return m.unknown("limit")
    if isinstance(arg(args, 1), FunctionObject):
        return m.unknown("unsupported")
    return _from_json(m, parsed, 0)


def _refuse(name: str) -> float:
    raise ValueError(name)


def _from_json(m: Machine, value: Any, depth: int) -> JSValue:
    m.spend(1)
    if depth > 60:
        return m.unknown("limit")
    if value is None:
        return NULL
    if isinstance(value, list):
        return m.array(_from_json(m, item, depth + 1) for item in value)
    if isinstance(value, dict):
        return m.object({key: _from_json(m, item, depth + 1) for key, item in value.items()})
    return value


# --- Map and Set


def map_key(value: JSValue) -> Any:
    """What identifies a key of a Map (SameValueZero)."""
    if type(value) is float:
        return "nan" if math.isnan(value) else ("number", value + 0.0)
    if type(value) in (str, bool, int):
        return (type(value).__name__, value)
    return ("object", id(value))


def _map(m: Machine, this: JSValue) -> MapObject:
    if not isinstance(this, MapObject):
        raise m.type_error("Method called on incompatible receiver")
    return this


@native(MAP, "get")
def _map_get(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    table = _map(m, this)
    if table.unknown is not None or type(arg(args)) is Unknown:
        return (table.unknown or arg(args)).of_kind(None)
    return table.table.get(map_key(arg(args)), (UNDEFINED, UNDEFINED))[1]


@native(MAP, "has")
@native(SET, "has")
def _map_has(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    table = _map(m, this)
    if table.unknown is not None or type(arg(args)) is Unknown:
        return (table.unknown or arg(args)).of_kind("boolean")
    return map_key(arg(args)) in table.table


def _put(m: Machine, table: MapObject, key: JSValue, value: JSValue) -> None:
    if table.unknown is not None:
        return
    if type(key) is Unknown:
        m.havoc(table, key)
        return
    entries = m.touch_map(table)
    if type(key) is float:
        key += 0.0  # no negative zero
    entries[map_key(key)] = (key, value)
    if len(entries) > 100_000:
        m.check_size(len(entries))


@native(MAP, "set")
def _map_set(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    _put(m, _map(m, this), arg(args), arg(args, 1))
    return this


@native(SET, "add")
def _set_add(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    table = _map(m, this)
    if type(arg(args)) is Unknown or map_key(arg(args)) not in table.table:
        value = arg(args) + 0.0 if type(arg(args)) is float else arg(args)
        _put(m, table, value, value)
    return this


@native(MAP, "delete")
@native(SET, "delete")
def _map_delete(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    table = _map(m, this)
    if type(arg(args)) is Unknown:
        m.havoc(table, arg(args))
    if table.unknown is not None:
        return table.unknown.of_kind("boolean")
    return m.touch_map(table).pop(map_key(arg(args)), None) is not None


@native(MAP, "clear")
@native(SET, "clear")
def _map_clear(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    m.touch_map(_map(m, this)).clear()
    return UNDEFINED


@native(MAP, "forEach")
@native(SET, "forEach")
def _map_for_each(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    table = _map(m, this)
    if table.unknown is not None:
        m.may_call(arg(args), table.unknown)
        return UNDEFINED
    for key, value in list(table.table.values()):
        m.call(arg(args), arg(args, 1), [value, key, this])
    return UNDEFINED


def _map_listing(table: Table, name: str, make: Callable[[Machine, JSValue, JSValue], JSValue]) -> None:
    def run(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
        entries = _map(m, this)
        if entries.unknown is not None:
            return entries.unknown.of_kind(None)
        return m.realm.iterator([make(m, key, value) for key, value in entries.table.values()])

    table[name] = run


_map_listing(MAP, "keys", lambda m, key, value: key)
_map_listing(MAP, "values", lambda m, key, value: value)
_map_listing(MAP, "entries", lambda m, key, value: m.array([key, value]))
_map_listing(SET, "keys", lambda m, key, value: key)
_map_listing(SET, "values", lambda m, key, value: key)
_map_listing(SET, "entries", lambda m, key, value: m.array([key, key]))
unsupported(SET, "union intersection difference symmetricDifference isSubsetOf isSupersetOf isDisjointFrom")


def construct_map(m: Machine, args: list[JSValue], *, is_set: bool, weak: bool = False) -> JSValue:
    """``new Map(entries)`` or ``new Set(values)``."""
    table = MapObject(m.realm.set_prototype if is_set else m.realm.map_prototype, is_set=is_set, weak=weak)
    source = arg(args)
    if source is UNDEFINED or source is NULL:
        return table
    items = m.iterate(source)
    if type(items) is Unknown:
        table.unknown = items
        return table
    for item in items:
        if is_set:
            _set_add(m, table, [item])
        else:
            _put(m, table, m.get(item, "0"), m.get(item, "1"))
    return table


@native(ITERATOR, "next")
def _next(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if not isinstance(this, IteratorObject):
        return m.unknown("unsupported")
    if this.position >= len(this.items):
        return m.object({"value": UNDEFINED, "done": True})
    value = this.items[this.position]
    m.write(this, "position", this.position + 1)
    return m.object({"value": value, "done": False})


unsupported(ITERATOR, "map filter take drop flatMap reduce toArray forEach some every find")


# --- Promise


def settle(m: Machine, promise: PromiseObject, state: str, value: JSValue) -> None:
    """Fulfil or reject a pending promise, or make its end unknown."""
    if promise.state != "pending":
        return
    m.write(promise, "state", state)
    m.write(promise, "value", value)
    waiting = promise.reactions
    m.write(promise, "reactions", ())
    for on_fulfilled, on_rejected, result in waiting:
        m.realm.microtasks.append(_reaction(m, promise, on_fulfilled, on_rejected, result))


def resolve(m: Machine, promise: PromiseObject, value: JSValue) -> None:
    """The resolve function of a promise."""
    if isinstance(value, PromiseObject):
        if value.state == "pending":
            m.write(value, "reactions", (*value.reactions, (UNDEFINED, UNDEFINED, promise)))
        else:
            settle(m, promise, value.state, value.value)
    elif type(value) is Unknown and value.kind in (None, "object"):
        settle(m, promise, "unknown", value)
    else:
        settle(m, promise, "fulfilled", value)


def _reaction(
    m: Machine, promise: PromiseObject, on_fulfilled: JSValue, on_rejected: JSValue, result: PromiseObject
) -> Callable[[], None]:
    def run() -> None:
        if promise.state == "unknown":
            why = promise.value if type(promise.value) is Unknown else m.unknown("network")
            for callback in (on_fulfilled, on_rejected):
                if isinstance(callback, FunctionObject):
                    m.may_call(callback, why)
            settle(m, result, "unknown", why)
            return
        callback = on_fulfilled if promise.state == "fulfilled" else on_rejected
        if not isinstance(callback, FunctionObject):
            settle(m, result, promise.state, promise.value)
            return
        from husky_lint.script.values import JSThrow

        try:
            value = m.call(callback, UNDEFINED, [promise.value])
        except JSThrow as thrown:
            settle(m, result, "rejected", thrown.value)
            m.realm.rejections.append((result, thrown.span))
            return
        resolve(m, result, value)

    return run


def then(m: Machine, promise: PromiseObject, on_fulfilled: JSValue, on_rejected: JSValue) -> PromiseObject:
    """``promise.then(…)``."""
    result = PromiseObject(m.realm.promise_prototype)
    m.realm.handled.add(id(promise))
    if promise.state == "pending":
        m.write(promise, "reactions", (*promise.reactions, (on_fulfilled, on_rejected, result)))
    else:
        m.realm.microtasks.append(_reaction(m, promise, on_fulfilled, on_rejected, result))
    return result


@native(PROMISE, "then")
def _then(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return then(m, this, arg(args), arg(args, 1)) if isinstance(this, PromiseObject) else m.unknown("unsupported")


@native(PROMISE, "catch")
def _catch(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return then(m, this, UNDEFINED, arg(args)) if isinstance(this, PromiseObject) else m.unknown("unsupported")


@native(PROMISE, "finally")
def _finally(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if not isinstance(this, PromiseObject):
        return m.unknown("unsupported")
    callback = m.realm.function(lambda machine, _this, _args: machine.call(arg(args), UNDEFINED, []), "finally")
    return then(m, this, callback, callback)


def construct_promise(m: Machine, args: list[JSValue], new_target: JSValue) -> JSValue:
    """``new Promise(executor)``."""
    from husky_lint.script.values import JSThrow

    promise = PromiseObject(m.realm.promise_prototype)

    def fulfil(machine: Machine, this: JSValue, given: list[JSValue]) -> JSValue:
        resolve(machine, promise, arg(given))
        return UNDEFINED

    def reject(machine: Machine, this: JSValue, given: list[JSValue]) -> JSValue:
        settle(machine, promise, "rejected", arg(given))
        return UNDEFINED

    accept, refuse = m.realm.function(fulfil, "resolve"), m.realm.function(reject, "reject")
    try:
        m.call(arg(args), UNDEFINED, [accept, refuse])
    except JSThrow as thrown:
        settle(m, promise, "rejected", thrown.value)
        m.realm.rejections.append((promise, thrown.span))
    return promise


@native(PROMISE_STATIC, "resolve")
def _promise_resolve(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    if isinstance(arg(args), PromiseObject):
        return arg(args)
    promise = PromiseObject(m.realm.promise_prototype)
    resolve(m, promise, arg(args))
    return promise


@native(PROMISE_STATIC, "reject")
def _promise_reject(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    promise = PromiseObject(m.realm.promise_prototype)
    promise.state, promise.value = "rejected", arg(args)
    return promise


@native(PROMISE_STATIC, "all")
def _promise_all(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    items = m.iterate(arg(args))
    result = PromiseObject(m.realm.promise_prototype)
    if type(items) is Unknown:
        settle(m, result, "unknown", items)
        return result
    values: list[JSValue] = []
    for item in items:
        if isinstance(item, PromiseObject) and item.state != "fulfilled":
            settle(m, result, "unknown", m.unknown("unsupported"))
            return result
        values.append(item.value if isinstance(item, PromiseObject) else item)
    settle(m, result, "fulfilled", m.array(values))
    return result


unsupported(PROMISE_STATIC, "race any allSettled withResolvers try")


# --- errors and globals


@native(ERROR, "toString")
def _error_text(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    name, message = to_string(m, m.get(this, "name")), to_string(m, m.get(this, "message"))
    if type(name) is Unknown or type(message) is Unknown:
        return m.unknown("branch", "string")
    return f"{name}: {message}" if name and message else name or message


@pure(GLOBAL, "encodeURIComponent", "string")
def _encode_component(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _encode(m, text(m, arg(args)), "-_.!~*'()")


@pure(GLOBAL, "encodeURI", "string")
def _encode_uri(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    return _encode(m, text(m, arg(args)), "-_.!~*'();/?:@&=+$,#")


def _encode(m: Machine, value: str, safe: str) -> JSValue:
    try:
        return quote(value, safe=safe)
    except UnicodeEncodeError:
        raise m.realm.throw("URIError", "URI malformed") from None


@pure(GLOBAL, "decodeURIComponent", "string")
@pure(GLOBAL, "decodeURI", "string")
def _decode(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
    try:
        return unquote_to_bytes(text(m, arg(args))).decode("utf-8")
    except UnicodeError:
        raise m.realm.throw("URIError", "URI malformed") from None


unsupported(GLOBAL, "escape unescape", "string")
