"""Numbers as ECMAScript prints, parses and rounds them (ECMA-262, 6.1.6.1, 7.1 and 21.1)."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Context, Decimal

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_DECIMAL = re.compile(r"[+-]?(?:Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_RADIX = re.compile(r"0(?:[xX]([0-9a-fA-F]+)|[oO]([0-7]+)|[bB]([01]+))")
_LONG = 4300  # what int() takes of a decimal string
SPACE = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_EXACT = Context(prec=1200, rounding=ROUND_HALF_UP)


def number_to_string(value: float) -> str:
    """``String(value)``."""
    if -9e15 < value < 9e15 and value == value // 1:
        return str(int(value))
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    sign = "-" if value < 0 else ""
    digits, point = _shortest(abs(value))
    if 0 < point <= 21:
        if len(digits) <= point:
            return sign + digits.ljust(point, "0")
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    exponent = point - 1
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{'+' if exponent > 0 else '-'}{abs(exponent)}"


def _shortest(value: float) -> tuple[str, int]:
    """The shortest digits that give ``value`` again, and where the decimal point stands in them."""
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    if fraction == "0":
        fraction = ""
    point = len(whole) + int(exponent or 0)
    digits = whole + fraction
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    return stripped.rstrip("0") or "0", point


def to_fixed(value: float, digits: int) -> str:
    """``value.toFixed(digits)``."""
    if math.isnan(value) or abs(value) >= 1e21:
        return number_to_string(value)
    rounded = Decimal(abs(value)).quantize(Decimal(1).scaleb(-digits), context=_EXACT)
    return f"{'-' if value < 0 else ''}{rounded:f}"


def to_exponential(value: float, digits: int | None) -> str:
    """``value.toExponential(digits)``; None: as many digits as needed."""
    if math.isnan(value) or math.isinf(value):
        return number_to_string(value)
    sign = "-" if value < 0 else ""
    if digits is None:
        text, point = _shortest(abs(value))
        exponent = point - 1 if value else 0
    else:
        text, exponent = _significant(abs(value), digits + 1)
    fraction = f".{text[1:]}" if len(text) > 1 else ""
    return f"{sign}{text[0]}{fraction}e{'+' if exponent >= 0 else '-'}{abs(exponent)}"


def to_precision(value: float, precision: int) -> str:
    """``value.toPrecision(precision)``."""
    if math.isnan(value) or math.isinf(value):
        return number_to_string(value)
    sign = "-" if value < 0 else ""
    digits, exponent = _significant(abs(value), precision)
    if exponent < -6 or exponent >= precision:
        return to_exponential(value, precision - 1)
    if exponent == precision - 1:
        return sign + digits
    if exponent >= 0:
        return f"{sign}{digits[: exponent + 1]}.{digits[exponent + 1 :]}"
    return f"{sign}0.{'0' * (-exponent - 1)}{digits}"


def _significant(value: float, count: int) -> tuple[str, int]:
    if value == 0:
        return "0" * count, 0
    exact = Decimal(value)
    exponent = exact.adjusted()
    rounded = exact.quantize(Decimal(1).scaleb(exponent - count + 1), context=_EXACT)
    if rounded.adjusted() > exponent:
        exponent += 1
        rounded = exact.quantize(Decimal(1).scaleb(exponent - count + 1), context=_EXACT)
    return "".join(map(str, rounded.as_tuple().digits)), exponent


def to_radix(value: float, radix: int) -> str:
    """``value.toString(radix)``."""
    if radix == 10 or math.isnan(value) or math.isinf(value):
        return number_to_string(value)
    sign = "-" if value < 0 else ""
    value = abs(value)
    whole, fraction = int(value), value - math.floor(value)
    text = ""
    while whole:
        whole, digit = divmod(whole, radix)
        text = _DIGITS[digit] + text
    return sign + (text or "0") + (_radix_fraction(value, fraction, radix) if fraction else "")


def _radix_fraction(value: float, fraction: float, radix: int) -> str:
    # As many digits as tell the number from its neighbours.
    delta = max(0.5 * (math.nextafter(value, math.inf) - value), 5e-324)
    digits: list[int] = []
    while True:
        fraction *= radix
        delta *= radix
        digit = int(fraction)
        digits.append(digit)
        fraction -= digit
        if (fraction > 0.5 or (fraction == 0.5 and digit & 1)) and fraction + delta > 1:
            while digits:
                digits[-1] += 1
                if digits[-1] < radix:
                    break
                digits.pop()
            break
        if fraction < delta:
            break
    return "." + "".join(_DIGITS[d] for d in digits) if digits else ""


def string_to_number(text: str) -> float:
    """``Number(text)``."""
    text = text.strip(SPACE)
    if not text:
        return 0.0
    if _DECIMAL.fullmatch(text):
        return _decimal(text)
    match = _RADIX.fullmatch(text)
    if match is None:
        return math.nan
    digits, base = next((d, b) for d, b in zip(match.groups(), (16, 8, 2), strict=True) if d)
    return _big(int(digits[:_LONG], base))


def _decimal(text: str) -> float:
    return float(text.replace("Infinity", "inf"))


def _big(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def parse_float(text: str) -> float:
    """``parseFloat(text)``."""
    match = _DECIMAL.match(text.lstrip(SPACE))
    return math.nan if match is None else _decimal(match.group())


def parse_int(text: str, radix: int) -> float:
    """``parseInt(text, radix)``; radix 0 means by prefix."""
    text = text.lstrip(SPACE)
    sign = -1.0 if text.startswith("-") else 1.0
    text = text.removeprefix("-") if sign < 0 else text.removeprefix("+")
    if radix in (0, 16) and text[:2].lower() == "0x":
        text, radix = text[2:], 16
    radix = radix or 10
    if not 2 <= radix <= 36:
        return math.nan
    allowed = _DIGITS[:radix]
    end = 0
    lowered = text[:_LONG].lower()
    while end < len(lowered) and lowered[end] in allowed:
        end += 1
    return sign * _big(int(lowered[:end], radix)) if end else math.nan


def to_integer(value: float) -> float:
    """ToIntegerOrInfinity."""
    if math.isnan(value):
        return 0.0
    return value if math.isinf(value) else float(math.trunc(value)) + 0.0


def to_int32(value: float) -> int:
    """ToInt32."""
    if math.isnan(value) or math.isinf(value):
        return 0
    wrapped = math.trunc(value) & 0xFFFFFFFF
    return wrapped - 0x100000000 if wrapped & 0x80000000 else wrapped


def to_uint32(value: float) -> int:
    """ToUint32."""
    return to_int32(value) & 0xFFFFFFFF


def divide(left: float, right: float) -> float:
    """``left / right``."""
    if right:
        return left / right
    if math.isnan(left) or math.isnan(right) or left == 0:
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def remainder(left: float, right: float) -> float:
    """``left % right``."""
    if right == 0 or math.isinf(left) or math.isnan(left) or math.isnan(right):
        return math.nan
    return math.fmod(left, right)


def power(base: float, exponent: float) -> float:
    """``base ** exponent``."""
    if math.isnan(exponent) or (abs(base) == 1 and math.isinf(exponent)):
        return math.nan
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0 and exponent % 2 == 1 else math.inf
    except ValueError:
        if base == 0:
            return math.copysign(math.inf, base) if exponent % 2 == 1 else math.inf
        return math.nan


def js_round(value: float) -> float:
    """``Math.round(value)``: halves go up."""
    if math.isnan(value) or math.isinf(value) or abs(value) >= 2**52:
        return value
    floor = math.floor(value)
    rounded = float(floor if value - floor < 0.5 else floor + 1)
    return math.copysign(rounded, value) if rounded == 0 else rounded
