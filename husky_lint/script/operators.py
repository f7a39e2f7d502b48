"""Operators and conversions on abstract values (ECMA-262, 7 and 13).

Each takes what is known as far as it goes: an unknown number has a range, and a comparison of ranges may be decided.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from husky_lint.script.numbers import (
    divide,
    number_to_string,
    power,
    remainder,
    string_to_number,
    to_int32,
    to_uint32,
)
from husky_lint.script.values import (
    HAS_INSTANCE,
    NULL,
    UNDEFINED,
    ArrayObject,
    FunctionObject,
    JSObject,
    JSValue,
    Symbol,
    Unknown,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from husky_lint.script.machine import Machine


def truth(value: JSValue) -> bool | None:
    """ToBoolean; None where it cannot be told."""
    kind = type(value)
    if kind is bool:
        return bool(value is True)
    if kind is float:
        return not (value == 0 or math.isnan(value))
    if kind is str:
        return bool(value != "")
    if kind is int:
        return bool(value != 0)
    if kind is Unknown:
        return _unknown_truth(value)
    return not (value is UNDEFINED or value is NULL)


def _unknown_truth(value: Unknown) -> bool | None:
    if value.choices is not None:
        found = {truth(choice) for choice in value.choices}
        return found.pop() if len(found) == 1 else None
    if value.kind == "number" and (value.low > 0 or value.high < 0 or (value.high == 0 and value.open)):
        return True
    if value.kind in ("function", "element"):
        return True
    if value.parts is not None and any(isinstance(part, str) and part for part in value.parts):
        return True
    return None


def type_of(value: JSValue) -> JSValue:
    """``typeof value``."""
    kind = type(value)
    if kind is str:
        return "string"
    if kind is float:
        return "number"
    if kind is bool:
        return "boolean"
    if value is UNDEFINED:
        return "undefined"
    if kind is Unknown:
        if value.choices is not None:
            found = {type_of(choice) for choice in value.choices}
            return found.pop() if len(found) == 1 else value.of_kind("string")
        if value.kind is None:
            return value.of_kind("string")
        return "object" if value.kind == "element" else value.kind
    if isinstance(value, FunctionObject):
        return "function"
    if kind is Symbol:
        return "symbol"
    return "bigint" if kind is int else "object"


def to_primitive(machine: Machine, value: JSValue, hint: str = "default") -> JSValue:
    """ToPrimitive."""
    if not isinstance(value, JSObject):
        return value
    if value.unknown is not None:
        return value.unknown
    if type(value) is ArrayObject and not value.props:
        return machine.array_to_string(value)
    for name in ("toString", "valueOf") if hint == "string" else ("valueOf", "toString"):
        method = machine.get(value, name)
        if isinstance(method, FunctionObject):
            result = machine.call(method, value, [])
            if not isinstance(result, JSObject):
                return result
        elif type(method) is Unknown:
            return method
    raise machine.type_error("Cannot convert object to primitive value")


_OF_NUMBERS = frozenset("0123456789.eE")


def to_number(machine: Machine, value: JSValue) -> JSValue:
    """ToNumber: a float, or an unknown number."""
    kind = type(value)
    if kind is float:
        return value
    if kind is str:
        return string_to_number(value)
    if kind is bool:
        return 1.0 if value else 0.0
    if value is UNDEFINED:
        return math.nan
    if value is NULL:
        return 0.0
    if kind is Unknown:
        if value.kind == "number":
            return value
        return leading_number(value, alone=True) or value.number()
    if kind is Symbol or kind is int:
        raise machine.type_error("Cannot convert to a number")
    return to_number(machine, to_primitive(machine, value, "number"))


def leading_number(text: Unknown, *, alone: bool = False) -> Unknown | None:
    """The unknown number that an unknown string begins with, where no more of a number follows: ``alone``, nothing."""
    parts = [part for part in text.parts or () if part != ""]
    first = parts[0] if parts else None
    if type(first) is not Unknown or first.kind != "number" or (alone and len(parts) > 1):
        return None
    after = parts[1] if len(parts) > 1 else " "
    return first if type(after) is str and after[0] not in _OF_NUMBERS else None


def to_string(machine: Machine, value: JSValue) -> JSValue:
    """ToString: a string, or an unknown string."""
    kind = type(value)
    if kind is str:
        return value
    if kind is float:
        return number_to_string(value)
    if kind is bool:
        return "true" if value else "false"
    if value is UNDEFINED:
        return "undefined"
    if value is NULL:
        return "null"
    if kind is Unknown:
        return value if value.kind == "string" else value.text((value,))
    if kind is int:
        return str(value) if abs(value) < 10**4000 else Unknown("limit", machine.at, "string")
    if kind is Symbol:
        raise machine.type_error("Cannot convert a Symbol value to a string")
    return to_string(machine, to_primitive(machine, value, "string"))


def to_property_key(machine: Machine, value: JSValue) -> JSValue:
    """ToPropertyKey: a string, a symbol, or unknown."""
    kind = type(value)
    if kind is str or kind is Symbol or kind is Unknown:
        return value
    value = to_primitive(machine, value, "string")
    return value if type(value) is Symbol else to_string(machine, value)


def join_surrogates(text: str) -> str:
    """Halves of a surrogate pair that have met become one character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def units(text: str) -> str:
    """``text`` with one character for each UTF-16 unit."""
    if text.isascii() or max(text, default="") <= "\uffff":
        return text
    raw = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(raw[i] | raw[i + 1] << 8) for i in range(0, len(raw), 2))


def concatenate(machine: Machine, left: str, right: str) -> JSValue:
    """``left + right`` of two strings."""
    joined = left + right
    if len(joined) > 2000:
        if len(joined) > machine.longest_string:
            return Unknown("limit", machine.at, "string")
        machine.spend(len(joined) >> 8)
    if right.isascii() or not "\udc00" <= right[0] <= "\udfff":
        return joined
    return join_surrogates(joined)


def add(machine: Machine, left: JSValue, right: JSValue) -> JSValue:
    """``left + right``."""
    kind_l, kind_r = type(left), type(right)
    if kind_l is float and kind_r is float:
        return left + right
    if kind_l is str:
        if kind_r is str:
            return concatenate(machine, left, right)
        if kind_r is float:
            return concatenate(machine, left, number_to_string(right))
    left, right = to_primitive(machine, left), to_primitive(machine, right)
    left_text, right_text = _is_text(left), _is_text(right)
    if left_text or right_text:
        left, right = to_string(machine, left), to_string(machine, right)
        if type(left) is str and type(right) is str:
            return concatenate(machine, left, right)
        first = left if type(left) is Unknown else right
        return first.text(_parts(left) + _parts(right))
    if type(left) is Unknown or type(right) is Unknown:
        for side in (left, right):
            if type(side) is Unknown and side.kind not in ("number", "boolean"):
                return side.of_kind(None)
    return _arithmetic(machine, "+", left, right)


def _is_text(value: JSValue) -> bool:
    return type(value) is str or (type(value) is Unknown and value.kind == "string")


def _parts(value: JSValue) -> tuple[JSValue, ...]:
    return value.parts if type(value) is Unknown and value.parts is not None else (value,)


def subtract(machine: Machine, left: JSValue, right: JSValue) -> JSValue:
    """``left - right``."""
    if type(left) is float and type(right) is float:
        return left - right
    return _arithmetic(machine, "-", left, right)


def multiply(machine: Machine, left: JSValue, right: JSValue) -> JSValue:
    """``left * right``."""
    if type(left) is float and type(right) is float:
        return left * right
    return _arithmetic(machine, "*", left, right)


def divide_values(machine: Machine, left: JSValue, right: JSValue) -> JSValue:
    """``left / right``."""
    if type(left) is float and type(right) is float:
        return left / right if right else divide(left, right)
    return _arithmetic(machine, "/", left, right)


def remainder_values(machine: Machine, left: JSValue, right: JSValue) -> JSValue:
    """``left % right``."""
    return _arithmetic(machine, "%", left, right)


def power_values(machine: Machine, left: JSValue, right: JSValue) -> JSValue:
    """``left ** right``."""
    return _arithmetic(machine, "**", left, right)


_NUMERIC: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": divide,
    "%": remainder,
    "**": power,
}


def _arithmetic(machine: Machine, operator: str, left: JSValue, right: JSValue) -> JSValue:
    left, right = to_primitive(machine, left, "number"), to_primitive(machine, right, "number")
    if type(left) is int or type(right) is int:
        return _bigint(machine, operator, left, right)
    left, right = to_number(machine, left), to_number(machine, right)
    if type(left) is float and type(right) is float:
        return _NUMERIC[operator](left, right)
    return _range_arithmetic(operator, left, right)


def _bigint(machine: Machine, operator: str, left: JSValue, right: JSValue) -> JSValue:
    for side in (left, right):
        if type(side) is Unknown:
            return side.of_kind("bigint")
    if type(left) is not int or type(right) is not int:
        raise machine.type_error("Cannot mix BigInt and other types, use explicit conversions")
    if operator in "+-*":
        result = {"+": left + right, "-": left - right}[operator] if operator != "*" else left * right
    elif operator == "**":
        if right < 0:
            raise machine.range_error("Exponent must be non-negative")
        if left.bit_length() * right > 20000:
            return Unknown("limit", machine.at, "bigint")
        result = left**right
    else:
        if right == 0:
            raise machine.range_error("Division by zero")
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        result = quotient if operator == "/" else left - quotient * right
    return result if result.bit_length() < 20000 else Unknown("limit", machine.at, "bigint")


def span_of(value: JSValue) -> tuple[float, float, bool, bool]:
    """Range of a number, known or not: low, high, whether high is excluded, whether it is whole."""
    if type(value) is Unknown:
        return value.low, value.high, value.open, value.whole
    return value, value, False, value == math.floor(value) if math.isfinite(value) else False


def _range_arithmetic(operator: str, left: JSValue, right: JSValue) -> Unknown:
    first: Unknown = left if type(left) is Unknown else right
    low_l, high_l, open_l, whole_l = span_of(left)
    low_r, high_r, open_r, whole_r = span_of(right)
    whole = whole_l and whole_r
    known_left, known_right = type(left) is float, type(right) is float
    if operator == "+":
        return first.number(low_l + low_r, high_l + high_r, open_=open_l or open_r, whole=whole)
    if operator == "-":
        # The low end of the right side is the high end of the result; only that of the left side may stay open.
        return first.number(low_l - high_r, high_l - low_r, open_=open_l and known_right, whole=whole)
    if operator == "*":
        ends = [_product(a, b) for a in (low_l, high_l) for b in (low_r, high_r)]
        open_ = (open_l and known_right and right > 0) or (open_r and known_left and left > 0)
        return first.number(min(ends), max(ends), open_=open_, whole=whole)
    if operator == "/" and (low_r > 0 or high_r < 0):
        ends = [divide(a, b) for a in (low_l, high_l) for b in (low_r, high_r)]
        if not any(math.isnan(end) for end in ends):
            return first.number(min(ends), max(ends), open_=open_l and known_right and right > 0)
    if operator == "%" and known_right and right > 0:
        if low_l >= 0:
            return first.number(0, min(right, high_l), open_=high_l >= right, whole=whole)
        return first.number(-right, right, whole=whole)
    return first.number()


def _product(left: float, right: float) -> float:
    return 0.0 if left == 0 or right == 0 else left * right


def bitwise(machine: Machine, operator: str, left: JSValue, right: JSValue) -> JSValue:
    """``| & ^ << >> >>>``."""
    left, right = to_primitive(machine, left, "number"), to_primitive(machine, right, "number")
    if type(left) is int and type(right) is int:
        return _bigint_bits(machine, operator, left, right)
    left, right = to_number(machine, left), to_number(machine, right)
    if type(left) is Unknown or type(right) is Unknown:
        first: Unknown = left if type(left) is Unknown else right
        if operator == "|" and right == 0.0 and type(right) is float:
            return truncate_range(left)
        return first.number(whole=True)
    if operator == ">>>":
        return float(to_uint32(left) >> (to_uint32(right) & 31))
    a, b = to_int32(left), to_int32(right)
    if operator == "|":
        return float(a | b)
    if operator == "&":
        return float(a & b)
    if operator == "^":
        return float(a ^ b)
    return float(to_int32(float(a << (b & 31)))) if operator == "<<" else float(a >> (b & 31))


def _bigint_bits(machine: Machine, operator: str, left: int, right: int) -> JSValue:
    if operator in ("<<", ">>"):
        shift = right if operator == "<<" else -right
        if abs(shift) > 10000:
            return Unknown("limit", machine.at, "bigint")
        return left << shift if shift >= 0 else left >> -shift
    if operator == ">>>":
        raise machine.type_error("BigInts have no unsigned right shift, use >> instead")
    return {"|": left | right, "&": left & right, "^": left ^ right}[operator]


def truncate_range(value: Unknown) -> Unknown:
    """Range of ``Math.trunc``."""
    return floor_range(value) if value.low >= 0 else value.number(value.low, value.high, whole=True)


def floor_range(value: Unknown) -> Unknown:
    """Range of ``Math.floor``."""
    low = math.floor(value.low) if math.isfinite(value.low) else value.low
    high = value.high
    if math.isfinite(high):
        high = math.ceil(high) - 1 if value.open else math.floor(high)
    return value.number(float(low), float(max(high, low)), whole=True)


def strictly_equal(left: JSValue, right: JSValue) -> JSValue:
    """``left === right``: a boolean, or unknown."""
    kind_l, kind_r = type(left), type(right)
    if kind_l is Unknown or kind_r is Unknown:
        return _unknown_equal(left, right)
    if kind_l is not kind_r:
        return False
    if kind_l is float or kind_l is str or kind_l is bool or kind_l is int:
        return left == right
    return left is right


def _unknown_equal(left: JSValue, right: JSValue) -> JSValue:
    first, other = (left, right) if type(left) is Unknown else (right, left)
    if first.choices is not None and type(other) is not Unknown:
        found = {strictly_equal(choice, other) for choice in first.choices}
        return found.pop() if len(found) == 1 else first.of_kind("boolean")
    kind, other_kind = type_of(first), type_of(other)
    if type(kind) is str and type(other_kind) is str and kind != other_kind:
        return False
    if other is NULL and first.kind in ("element", "function"):
        return False
    if kind == "number" and other_kind == "number":
        low_l, high_l, _, _ = span_of(first)
        low_r, high_r, _, _ = span_of(other)
        if high_l < low_r or high_r < low_l:
            return False
    return first.of_kind("boolean")


def loosely_equal(machine: Machine, left: JSValue, right: JSValue) -> JSValue:
    """``left == right``."""
    nothing_l, nothing_r = left is UNDEFINED or left is NULL, right is UNDEFINED or right is NULL
    if nothing_l and nothing_r:
        return True
    if type(left) is Unknown or type(right) is Unknown:
        first, other = (left, right) if type(left) is Unknown else (right, left)
        if nothing_l or nothing_r:
            return False if first.kind not in (None, "object") else _nothing(first)
        same = type_of(first) == type_of(other)
        return _unknown_equal(first, other) if same is True or first.choices else first.of_kind("boolean")
    if nothing_l or nothing_r:
        return False
    kind_l, kind_r = type(left), type(right)
    if kind_l is kind_r or (isinstance(left, JSObject) and isinstance(right, JSObject)):
        return strictly_equal(left, right)
    if isinstance(left, JSObject):
        return loosely_equal(machine, to_primitive(machine, left), right)
    if isinstance(right, JSObject):
        return loosely_equal(machine, left, to_primitive(machine, right))
    if kind_l is Symbol or kind_r is Symbol:
        return False
    if kind_l is int or kind_r is int:
        number = string_to_number(left) if kind_l is str else left
        other = string_to_number(right) if kind_r is str else right
        return bool(number == other)
    return bool(to_number(machine, left) == to_number(machine, right))


def _nothing(first: Unknown) -> JSValue:
    if first.choices is not None:
        found = {choice is UNDEFINED or choice is NULL for choice in first.choices}
        if len(found) == 1:
            return found.pop()
    return first.of_kind("boolean")


def compare(machine: Machine, operator: str, left: JSValue, right: JSValue) -> JSValue:
    """``< <= > >=``: a boolean, or unknown."""
    left, right = to_primitive(machine, left, "number"), to_primitive(machine, right, "number")
    if type(left) is str and type(right) is str:
        if left.isascii() and right.isascii():
            a: JSValue = left
            b: JSValue = right
        else:
            a, b = left.encode("utf-16-be", "surrogatepass"), right.encode("utf-16-be", "surrogatepass")
        return _ordered(operator, a, b)
    for side in (left, right):
        if type(side) is Unknown and side.kind not in ("number", "boolean"):
            return side.of_kind("boolean")
    if type(left) is int or type(right) is int:
        a = left if type(left) is int else to_number(machine, left)
        b = right if type(right) is int else to_number(machine, right)
    else:
        a, b = to_number(machine, left), to_number(machine, right)
    if type(a) is Unknown or type(b) is Unknown:
        return _compare_ranges(operator, a, b)
    return _ordered(operator, a, b)


def _ordered(operator: str, left: JSValue, right: JSValue) -> bool:
    if operator == "<":
        return bool(left < right)
    if operator == ">":
        return bool(left > right)
    return bool(left <= right) if operator == "<=" else bool(left >= right)


def _compare_ranges(operator: str, left: JSValue, right: JSValue) -> JSValue:
    if operator in (">", ">="):
        return _compare_ranges("<" if operator == ">" else "<=", right, left)
    first: Unknown = left if type(left) is Unknown else right
    low_l, high_l, open_l, _ = span_of(left)
    low_r, high_r, open_r, _ = span_of(right)
    if any(type(side) is float and math.isnan(side) for side in (left, right)):
        return False
    # A range without a finite end may hold NaN, of which nothing can be said.
    known_above = math.isfinite(high_l) and math.isfinite(low_r)
    if known_above and (high_l < low_r or (operator == "<=" and high_l <= low_r) or (high_l == low_r and open_l)):
        return True
    known_below = math.isfinite(low_l) and math.isfinite(high_r)
    if known_below and (high_r < low_l or (operator == "<" and high_r <= low_l) or (high_r == low_l and open_r)):
        return False
    return first.of_kind("boolean")


def instance_of(machine: Machine, value: JSValue, target: JSValue) -> JSValue:
    """``value instanceof target``."""
    if type(target) is Unknown or type(value) is Unknown:
        return (target if type(target) is Unknown else value).of_kind("boolean")
    if not isinstance(target, FunctionObject):
        raise machine.type_error("Right-hand side of 'instanceof' is not callable")
    if HAS_INSTANCE in target.props:
        return Unknown("unsupported", machine.at, "boolean")
    test = getattr(target, "instance_test", None)
    if test is not None:
        known = test(value)
        return Unknown("environment", machine.at, "boolean") if known is None else bool(known)
    prototype = machine.get(target, "prototype")
    proto = value.proto if isinstance(value, JSObject) else None
    depth = 0
    while proto is not None and depth < 200:
        if proto is prototype:
            return True
        proto = proto.proto
        depth += 1
    return False
