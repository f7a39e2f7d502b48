"""Typed CSS values from tinycss2 component values: numbers, lengths, angles, times, and calc() with all math functions.

Every ``parse_*`` function takes a sequence of component values (leading and trailing whitespace and comments do not
matter) and returns ``None`` for whatever is not exactly one value of its type. ``None`` is also the answer for a length
whose size only a browser knows (``ex``, ``ch``, ``ic``, ``cap`` depend on a font).

Lengths are CSS pixels, angles degrees, times seconds, percentages fractions (50 % is 0.5). Math functions follow CSS
Values 4, section 10: type checking with products and quotients of types, IEEE infinities inside, and at the top NaN
becomes 0 and infinity the largest value a browser holds.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import tinycss2.serializer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

# tinycss2 carries no types: a component value (any class of tinycss2.ast).
Node: TypeAlias = Any

MAX_DEPTH = 100
"""Math functions and parentheses nested deeper than this are refused, as Chromium refuses them."""

MAX_LENGTH = 33_554_428.0
"""CSS pixels: the largest length Chromium holds (layout counts 64ths of a pixel in 32 bits)."""

MAX_ANGLE = 2_867_080_569_122_160.0
"""Degrees: the largest angle Chromium holds, a whole number of turns."""

MAX_NUMBER = 3.4028234663852886e38
"""The largest single-precision number, for numbers, percentages and times."""


# ---------------------------------------------------------------------------------------------------------------------
# Token lists


def strip_whitespace(tokens: Iterable[Node]) -> list[Node]:
    """The component values without comments anywhere and without whitespace at both ends."""
    result = [token for token in tokens if token.type != "comment"]
    start, end = 0, len(result)
    while start < end and result[start].type == "whitespace":
        start += 1
    while end > start and result[end - 1].type == "whitespace":
        end -= 1
    return result[start:end] if end - start != len(result) else result


def split_commas(tokens: Iterable[Node]) -> list[list[Node]]:
    """The parts between top-level commas, each stripped; empty parts are kept, and no tokens give no parts."""
    parts: list[list[Node]] = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    stripped = [strip_whitespace(part) for part in parts]
    return stripped if len(stripped) > 1 or stripped[0] else []


def split_spaces(tokens: Iterable[Node]) -> list[Node]:
    """The component values without whitespace and comments."""
    return [token for token in tokens if token.type not in {"whitespace", "comment"}]


# Neighbours that would become one token: tinycss2's list, and what it lacks.
_RUN_TOGETHER = frozenset(
    {
        *tinycss2.serializer.BAD_PAIRS,
        *(("-", "-"), ("<", "!"), ("number", "%"), ("|", "||"), ("|", "|=")),
        *((kind, "-->") for kind in ("-", "#", "@", "number")),
        ("#", "-"),
    }
)


@functools.lru_cache(maxsize=4096)
def _identifier(name: str) -> str:
    return str(tinycss2.serializer.serialize_identifier(name))


def _leaf_text(node: Node) -> str:
    kind = node.type
    if kind == "ident":
        return _identifier(node.value)
    if kind == "dimension" and node.unit[0] not in "eE":
        return f"{node.representation}{_identifier(node.unit)}"
    text: str = node.serialize()
    return text


def serialize(tokens: Iterable[Node]) -> str:
    """CSS text that parses to the same component values; works at any nesting depth."""
    chunks: list[str] = []
    # Open functions and blocks: the siblings still to come, and the text that closes them.
    stack: list[tuple[Any, str]] = [(iter(tokens), "")]
    previous: str | None = None  # what a token would run into, after tinycss2's serializer
    while stack:
        siblings, closing = stack[-1]
        for node in siblings:
            kind = node.type
            if kind == "whitespace" and previous != "\\":
                chunks.append(node.value)
                previous = None
                continue
            pair = node.value if kind == "literal" else kind
            if previous is not None:
                if (previous, pair) in _RUN_TOGETHER:
                    chunks.append("/**/")
                elif previous == "\\" and not (kind == "whitespace" and node.value.startswith("\n")):
                    chunks.append("\n")
            if kind == "function":
                chunks.append(_identifier(node.name) + "(")
                stack.append((iter(node.arguments), ")"))
            elif kind.endswith(" block"):
                chunks.append(kind[0])
                stack.append((iter(node.content), kind[1]))
            else:
                chunks.append(_leaf_text(node))
                previous = pair
                continue
            previous = None
            break
        else:
            stack.pop()
            chunks.append(closing)
            previous = None
    return "".join(chunks)


# ---------------------------------------------------------------------------------------------------------------------
# Lengths with percentages


@dataclass(frozen=True, slots=True)
class Resolution:
    """What relative length units refer to, all in CSS pixels.

    ``line_height`` and ``root_line_height`` (``lh``, ``rlh``) are ``None`` where they are not known. The container
    sizes are those of the nearest query container; without one the units are the viewport's (CSS Conditional 5).
    """

    font_size: float = 16.0
    root_font_size: float = 16.0
    viewport_width: float = 1280.0
    viewport_height: float = 720.0
    line_height: float | None = None
    root_line_height: float | None = None
    container_width: float | None = None
    container_height: float | None = None


DEFAULT_RESOLUTION = Resolution()


@dataclass(frozen=True, slots=True)
class Expression:
    """A math function that cannot be worked out before its percentages are known."""

    operation: str
    operands: tuple[LengthPercentage, ...]

    def evaluate(self, reference: float) -> float:
        return _OPERATIONS[self.operation](*[operand.evaluate(reference) for operand in self.operands])


@dataclass(frozen=True, slots=True)
class LengthPercentage:
    """``px + percent × reference`` and, where a math function mixes both unlinearly, a weighted sum of expressions.

    ``px`` is in CSS pixels, ``percent`` a fraction (50 % is 0.5). Sums, differences, multiples and
    :meth:`interpolate` are exact, with ``deferred`` terms too: resolving the combination equals combining the resolved.
    """

    px: float = 0.0
    percent: float = 0.0
    deferred: tuple[tuple[float, Expression], ...] = ()

    @overload
    def resolve(self, reference: float) -> float: ...
    @overload
    def resolve(self, reference: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def resolve(self, reference: float | NDArray[np.float64]) -> float | NDArray[np.float64]:
        """CSS pixels for a reference length (what 100 % is), one or an array of them."""
        if isinstance(reference, (int, float)):
            return self.evaluate(reference)
        if not self.deferred:
            return self.px + self.percent * reference
        import numpy as np

        flat = [self.evaluate(float(value)) for value in reference.ravel()]
        return np.array(flat, dtype=np.float64).reshape(reference.shape)

    def evaluate(self, reference: float) -> float:
        """:meth:`resolve` for one number, with infinities and NaN as they come inside an expression."""
        value = self.px + self.percent * reference if self.percent else self.px
        for weight, expression in self.deferred:
            value += weight * expression.evaluate(reference)
        return value

    @property
    def is_zero(self) -> bool:
        """Whether this is 0 for every reference, as far as that is known without one."""
        return self.px == 0 and self.percent == 0 and not self.deferred

    @property
    def is_fixed(self) -> bool:
        """Whether no percentage is involved: :attr:`px` is the whole value."""
        return self.percent == 0 and not self.deferred

    def __add__(self, other: LengthPercentage) -> LengthPercentage:
        return LengthPercentage(self.px + other.px, self.percent + other.percent, self.deferred + other.deferred)

    def __sub__(self, other: LengthPercentage) -> LengthPercentage:
        return self + -other

    def __neg__(self) -> LengthPercentage:
        return self * -1.0

    def __mul__(self, factor: float) -> LengthPercentage:
        deferred = tuple((weight * factor, expression) for weight, expression in self.deferred)
        return LengthPercentage(self.px * factor, self.percent * factor if self.percent else 0.0, deferred)

    __rmul__ = __mul__

    def interpolate(self, end: LengthPercentage, progress: float) -> LengthPercentage:
        """The value ``progress`` of the way (0 here, 1 at ``end``, any real number) as CSS interpolates lengths."""
        return self + (end - self) * progress


ZERO = LengthPercentage()

_ABSOLUTE_UNITS = {
    "px": 1.0,
    "in": 96.0,
    "cm": 96 / 2.54,
    "mm": 96 / 25.4,
    "q": 96 / 101.6,
    "pt": 96 / 72,
    "pc": 16.0,
}
_ANGLE_UNITS = {"deg": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}
_TIME_UNITS = {"s": 1.0, "ms": 0.001}
_FREQUENCY_UNITS = {"hz": 1.0, "khz": 1000.0}
_RESOLUTION_UNITS = {"dppx": 1.0, "x": 1.0, "dpi": 1 / 96, "dpcm": 2.54 / 96}
FONT_UNITS = frozenset({"ex", "rex", "ch", "rch", "cap", "rcap", "ic", "ric"})
"""Length units whose size depends on the glyphs of a font."""


def _viewport_unit(axis: str, resolution: Resolution) -> float | None:
    width, height = resolution.viewport_width, resolution.viewport_height
    sizes = {"w": width, "i": width, "h": height, "b": height, "min": min(width, height), "max": max(width, height)}
    size = sizes.get(axis)
    return None if size is None else size / 100


@functools.lru_cache(maxsize=4096)
def length_unit(unit: str, resolution: Resolution) -> float | None:
    """CSS pixels of one ``unit`` (lower case), ``None`` if it is no length unit or only a browser knows."""
    if (absolute := _ABSOLUTE_UNITS.get(unit)) is not None:
        return absolute
    match unit:
        case "em":
            return resolution.font_size
        case "rem":
            return resolution.root_font_size
        case "lh":
            return resolution.line_height
        case "rlh":
            return resolution.root_line_height
    if unit.startswith("cq"):
        width, height = resolution.container_width, resolution.container_height
        container = Resolution(
            viewport_width=resolution.viewport_width if width is None else width,
            viewport_height=resolution.viewport_height if height is None else height,
        )
        return _viewport_unit(unit[2:], container)
    if unit.startswith("v"):
        return _viewport_unit(unit[1:], resolution)
    if unit[1:2] == "v" and unit[0] in "sld":
        return _viewport_unit(unit[2:], resolution)
    return None


# ---------------------------------------------------------------------------------------------------------------------
# Math functions

# A type is the powers of (length, angle, time, frequency, resolution, flex, percentage): CSS Typed OM's numeric type.
Kind: TypeAlias = tuple[int, int, int, int, int, int, int]
NUMBER: Kind = (0, 0, 0, 0, 0, 0, 0)
LENGTH: Kind = (1, 0, 0, 0, 0, 0, 0)
ANGLE: Kind = (0, 1, 0, 0, 0, 0, 0)
TIME: Kind = (0, 0, 1, 0, 0, 0, 0)
FREQUENCY: Kind = (0, 0, 0, 1, 0, 0, 0)
RESOLUTION: Kind = (0, 0, 0, 0, 1, 0, 0)
FLEX: Kind = (0, 0, 0, 0, 0, 1, 0)
PERCENTAGE: Kind = (0, 0, 0, 0, 0, 0, 1)

_CONSTANTS = {"e": math.e, "pi": math.pi, "infinity": math.inf, "-infinity": -math.inf, "nan": math.nan}
_ROUNDING = frozenset({"nearest", "up", "down", "to-zero"})


class InvalidMathError(Exception):
    """The tokens are no valid math expression, or hold a unit that cannot be resolved."""


@dataclass(frozen=True, slots=True)
class Term:
    kind: Kind
    value: LengthPercentage

    @property
    def constant(self) -> float | None:
        return self.value.px if self.value.is_fixed else None


def _divide(dividend: float, divisor: float) -> float:
    if divisor != 0:
        return dividend / divisor
    if dividend == 0 or math.isnan(dividend):
        return math.nan
    return math.copysign(math.inf, dividend) * math.copysign(1.0, divisor)


def _minimum(*values: float) -> float:
    return math.nan if any(map(math.isnan, values)) else min(values)


def _maximum(*values: float) -> float:
    return math.nan if any(map(math.isnan, values)) else max(values)


def _round(strategy: str, value: float, step: float) -> float:
    """CSS Values 4, section 10.3, with its table for infinities."""
    if step == 0 or math.isnan(value) or math.isnan(step) or (math.isinf(value) and math.isinf(step)):
        return math.nan
    if math.isinf(value):
        return value
    if math.isinf(step):
        if strategy == "up" and value > 0:
            return math.inf
        if strategy == "down" and value < 0:
            return -math.inf
        return math.copysign(0.0, value)
    step = abs(step)
    quotient = value / step
    if math.isinf(quotient):
        return value
    lower = math.floor(quotient)
    exact = lower == quotient
    match strategy:
        case "up":
            count = lower if exact else lower + 1
        case "down":
            count = lower
        case "to-zero":
            count = math.trunc(quotient)
        case _:
            count = lower if quotient - lower < 0.5 else lower + 1
    return math.copysign(0.0, value) if count == 0 else count * step


def _modulus(value: float, step: float) -> float:
    if math.isnan(value) or math.isnan(step) or step == 0 or math.isinf(value):
        return math.nan
    if math.isinf(step):
        return value if math.copysign(1.0, value) == math.copysign(1.0, step) else math.nan
    return value % step


def _remainder(value: float, step: float) -> float:
    if math.isnan(value) or math.isnan(step) or step == 0 or math.isinf(value):
        return math.nan
    return math.fmod(value, step)


def _power(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except OverflowError:
        negative = base < 0 and exponent == math.floor(exponent) and exponent % 2 == 1
        return -math.inf if negative else math.inf
    except ValueError:  # 0 to a negative power is infinite, a negative base to a fraction is nothing
        return math.inf if base == 0 else math.nan


def _exponential(value: float) -> float:
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def _logarithm(value: float, base: float = math.e) -> float:
    def natural(number: float) -> float:
        if number == 0:
            return -math.inf
        return math.nan if number < 0 else math.log(number)

    if base == math.e:
        return natural(value)
    if base in {2.0, 10.0} and 0 < value < math.inf:
        return math.log2(value) if base == 2 else math.log10(value)
    return _divide(natural(value), natural(base))


def _sign(value: float) -> float:
    return value if value == 0 or math.isnan(value) else math.copysign(1.0, value)


def _progress(value: float, start: float, end: float) -> float:
    ratio = _divide(value - start, end - start)
    return ratio if math.isnan(ratio) else min(max(ratio, 0.0), 1.0)


def _circular(function: Callable[[float], float]) -> Callable[[float], float]:
    """A trigonometric function of degrees: NaN for infinities, exact at the quarter turns."""

    def evaluate(degrees: float) -> float:
        if math.isinf(degrees) or math.isnan(degrees):
            return math.nan
        quarter, rest = divmod(degrees, 90.0)
        if rest == 0:
            turn = int(quarter % 4)
            if function is math.tan:
                return (math.copysign(0.0, degrees), math.inf, 0.0, -math.inf)[turn]
            table = (math.copysign(0.0, degrees), 1.0, 0.0, -1.0) if function is math.sin else (1.0, 0.0, -1.0, 0.0)
            return table[turn]
        return function(math.radians(math.fmod(degrees, 360.0)))

    return evaluate


def _inverse(function: Callable[[float], float]) -> Callable[[float], float]:
    def evaluate(value: float) -> float:
        return math.degrees(function(value)) if -1 <= value <= 1 else math.nan

    return evaluate


def _arc_tangent(y: float, x: float) -> float:
    return math.degrees(math.atan2(y, x))


def _censor(value: float, low: float, high: float) -> float:
    """The top of a calculation (CSS Values 4, section 10.9.1): NaN is 0, anything else is brought into the range."""
    return min(max(0.0 if math.isnan(value) else value, low), high)


_OPERATIONS: dict[str, Callable[..., float]] = {
    "*": lambda a, b: a * b,
    "/": _divide,
    "censor": _censor,
    "min": _minimum,
    "max": _maximum,
    "clamp": lambda low, value, high: _maximum(low, _minimum(value, high)),
    "mod": _modulus,
    "rem": _remainder,
    "sin": _circular(math.sin),
    "cos": _circular(math.cos),
    "tan": _circular(math.tan),
    "asin": _inverse(math.asin),
    "acos": _inverse(math.acos),
    "atan": lambda value: math.degrees(math.atan(value)),
    "atan2": _arc_tangent,
    "pow": _power,
    "sqrt": lambda value: math.sqrt(value) if value >= 0 else math.nan,
    "hypot": math.hypot,
    "log": _logarithm,
    "exp": _exponential,
    "abs": abs,
    "sign": _sign,
    "progress": _progress,
    **{f"round {strategy}": functools.partial(_round, strategy) for strategy in _ROUNDING},
}

# Arguments a function takes (least, most); all of one type, which the result has too unless the sets below say
# otherwise.
_ARITY = {
    "min": (1, 1 << 16),
    "max": (1, 1 << 16),
    "hypot": (1, 1 << 16),
    "clamp": (3, 3),
    "mod": (2, 2),
    "rem": (2, 2),
    "sin": (1, 1),
    "cos": (1, 1),
    "tan": (1, 1),
    "asin": (1, 1),
    "acos": (1, 1),
    "atan": (1, 1),
    "atan2": (2, 2),
    "pow": (2, 2),
    "sqrt": (1, 1),
    "log": (1, 2),
    "exp": (1, 1),
    "abs": (1, 1),
    "sign": (1, 1),
    "progress": (3, 3),
}
MATH_FUNCTIONS = frozenset({*_ARITY, "round", "calc", "-webkit-calc"})
_TAKES_NUMBERS = frozenset({"asin", "acos", "atan", "pow", "sqrt", "log", "exp"})
_GIVES_ANGLE = frozenset({"asin", "acos", "atan", "atan2"})
_GIVES_NUMBER = frozenset({"sin", "cos", "tan", "sign", "progress"})


def _apply(operation: str, kind: Kind, operands: Sequence[LengthPercentage]) -> Term:
    if all(operand.is_fixed for operand in operands):
        return Term(kind, LengthPercentage(_OPERATIONS[operation](*[operand.px for operand in operands])))
    return Term(kind, LengthPercentage(deferred=((1.0, Expression(operation, tuple(operands))),)))


@dataclass(frozen=True, slots=True)
class Calculation:
    """One math expression being parsed: what its units mean, and the type of its percentages (``None``: forbidden)."""

    resolution: Resolution
    percent_kind: Kind | None

    def function(self, node: Node, depth: int = 0) -> Term:
        name = node.lower_name
        if depth > MAX_DEPTH:
            raise InvalidMathError
        if name in {"calc", "-webkit-calc"}:
            return self.sum(node.arguments, depth + 1)
        arguments = split_commas(node.arguments)
        if name == "round":
            return self._rounded(arguments, depth)
        least, most = _ARITY.get(name, (1, 0))
        if not least <= len(arguments) <= most:
            raise InvalidMathError
        if name == "clamp":
            return self._clamped(arguments, depth)
        terms = [self.sum(argument, depth + 1) for argument in arguments]
        kind = terms[0].kind
        if any(term.kind != kind for term in terms) or (name in _TAKES_NUMBERS and kind != NUMBER):
            raise InvalidMathError
        values = [term.value for term in terms]
        if name in {"sin", "cos", "tan"}:
            if kind not in {NUMBER, ANGLE}:
                raise InvalidMathError
            if kind == NUMBER:
                values = [values[0] * (180 / math.pi)]
        if name in _GIVES_ANGLE:
            kind = ANGLE
        elif name in _GIVES_NUMBER:
            kind = NUMBER
        return _apply(name, kind, values)

    def _clamped(self, arguments: list[list[Node]], depth: int) -> Term:
        def is_none(argument: list[Node]) -> bool:
            return len(argument) == 1 and argument[0].type == "ident" and argument[0].lower_value == "none"

        middle = self.sum(arguments[1], depth + 1)
        low, high = (
            None if is_none(argument) else self.sum(argument, depth + 1) for argument in (arguments[0], arguments[2])
        )
        if any(bound is not None and bound.kind != middle.kind for bound in (low, high)):
            raise InvalidMathError
        if high is not None:
            middle = _apply("min", middle.kind, [middle.value, high.value])
        if low is not None:
            middle = _apply("max", middle.kind, [low.value, middle.value])
        return middle

    def _rounded(self, arguments: list[list[Node]], depth: int) -> Term:
        strategy = "nearest"
        first = arguments[0] if arguments else []
        if len(first) == 1 and first[0].type == "ident" and first[0].lower_value in _ROUNDING:
            strategy = first[0].lower_value
            arguments = arguments[1:]
        if not 1 <= len(arguments) <= 2:
            raise InvalidMathError
        terms = [self.sum(argument, depth + 1) for argument in arguments]
        kind = terms[0].kind
        if len(terms) == 1:
            terms.append(Term(NUMBER, LengthPercentage(1.0)))
        if kind != terms[1].kind:
            raise InvalidMathError
        return _apply(f"round {strategy}", kind, [term.value for term in terms])

    def sum(self, tokens: Iterable[Node], depth: int) -> Term:
        """``calc-sum``; + and - need white space on both sides, * and / bind closer."""
        if depth > MAX_DEPTH:
            raise InvalidMathError
        items = strip_whitespace(tokens)
        if not items:
            raise InvalidMathError
        total: Term | None = None
        product = self._operand(items[0], depth)
        sign = 1.0
        index, end = 1, len(items)
        while index < end:
            spaced = items[index].type == "whitespace"
            if spaced:
                index += 1
            operator = items[index].value if items[index].type == "literal" else None
            index += 1
            if index >= end or operator not in {"+", "-", "*", "/"}:
                raise InvalidMathError
            space_after = items[index].type == "whitespace"
            if space_after:
                index += 1
            operand = self._operand(items[index], depth)
            index += 1
            if operator == "*":
                product = _multiply(product, operand)
            elif operator == "/":
                product = _quotient(product, operand)
            elif spaced and space_after:
                total = _add(total, product, sign)
                product, sign = operand, (1.0 if operator == "+" else -1.0)
            else:
                raise InvalidMathError
        return _add(total, product, sign)

    def _operand(self, token: Node, depth: int) -> Term:
        match token.type:
            case "number":
                return Term(NUMBER, LengthPercentage(float(token.value)))
            case "dimension":
                return self.dimension(token)
            case "percentage":
                if self.percent_kind == LENGTH:
                    return Term(LENGTH, LengthPercentage(percent=token.value / 100))
                if self.percent_kind == PERCENTAGE:
                    return Term(PERCENTAGE, LengthPercentage(token.value / 100))
            case "() block":
                return self.sum(token.content, depth + 1)
            case "function":
                return self.function(token, depth + 1)
            case "ident" if token.lower_value in _CONSTANTS:
                return Term(NUMBER, LengthPercentage(_CONSTANTS[token.lower_value]))
        raise InvalidMathError

    def dimension(self, token: Node) -> Term:
        unit = token.lower_unit
        for kind, units in _UNIT_KINDS:
            if (factor := units.get(unit)) is not None:
                return Term(kind, LengthPercentage(token.value * factor))
        size = length_unit(unit, self.resolution)
        if size is None:
            raise InvalidMathError
        return Term(LENGTH, LengthPercentage(token.value * size))


_UNIT_KINDS: tuple[tuple[Kind, dict[str, float]], ...] = (
    (TIME, _TIME_UNITS),
    (ANGLE, _ANGLE_UNITS),
    (FREQUENCY, _FREQUENCY_UNITS),
    (RESOLUTION, _RESOLUTION_UNITS),
    (FLEX, {"fr": 1.0}),
)


def _add(total: Term | None, term: Term, sign: float) -> Term:
    value = term.value if sign > 0 else -term.value
    if total is None:
        return Term(term.kind, value)
    if total.kind != term.kind:
        raise InvalidMathError
    return Term(term.kind, total.value + value)


def _multiply(left: Term, right: Term) -> Term:
    kind = _power_sum(left.kind, right.kind, 1)
    if (factor := right.constant) is not None and (left.value.is_fixed or math.isfinite(factor)):
        return Term(kind, left.value * factor)
    if (factor := left.constant) is not None and math.isfinite(factor):
        return Term(kind, right.value * factor)
    return _apply("*", kind, [left.value, right.value])


def _quotient(left: Term, right: Term) -> Term:
    kind = _power_sum(left.kind, right.kind, -1)
    divisor = right.constant
    if divisor is not None and divisor != 0 and math.isfinite(divisor) and math.isfinite(1 / divisor):
        value = LengthPercentage(left.value.px / divisor) if left.value.is_fixed else left.value * (1 / divisor)
        return Term(kind, value)
    return _apply("/", kind, [left.value, right.value])


def _power_sum(left: Kind, right: Kind, sign: int) -> Kind:
    a, b, c, d, e, f, g = left
    h, i, j, k, m, n, o = right
    return (a + sign * h, b + sign * i, c + sign * j, d + sign * k, e + sign * m, f + sign * n, g + sign * o)


# ---------------------------------------------------------------------------------------------------------------------
# One value of a type


def _single(tokens: Sequence[Node]) -> Node | None:
    """The one component value, if there is exactly one."""
    if len(tokens) == 1:
        return tokens[0]
    stripped = strip_whitespace(tokens)
    return stripped[0] if len(stripped) == 1 else None


def is_math(token: Node) -> bool:
    """Whether a component value is a math function (CSS Values 4, section 10)."""
    return bool(token.type == "function" and token.lower_name in MATH_FUNCTIONS)


def calculate(
    token: Node, resolution: Resolution = DEFAULT_RESOLUTION, *, percent_kind: Kind | None = None
) -> tuple[Kind, LengthPercentage] | None:
    """Type and value of a math function, not yet censored or clamped; ``None`` if it is not valid.

    ``percent_kind`` is what percentages are where it stands: ``LENGTH``, ``PERCENTAGE`` or ``None`` (forbidden).
    """
    if not is_math(token):
        return None
    try:
        term = Calculation(resolution, percent_kind).function(token)
    except InvalidMathError:
        return None
    return term.kind, term.value


def _scalar(
    token: Node, kind: Kind, low: float, high: float, resolution: Resolution = DEFAULT_RESOLUTION
) -> float | None:
    result = calculate(token, resolution, percent_kind=PERCENTAGE if kind == PERCENTAGE else None)
    if result is None or result[0] != kind:
        return None
    return _censor(result[1].px, low, high)


def _in_range(value: float, minimum: float | None, limit: float) -> float | None:
    """A literal: below the minimum of its range it is invalid (a calculation would be clamped)."""
    if minimum is not None and value < minimum:
        return None
    return min(max(value, -limit), limit)


def parse_number(tokens: Sequence[Node], *, minimum: float | None = None) -> float | None:
    """A ``<number>``. Below ``minimum`` a literal is invalid and a calculation is clamped to it."""
    token = _single(tokens)
    if token is None:
        return None
    if token.type == "number":
        return _in_range(float(token.value), minimum, MAX_NUMBER)
    return _scalar(token, NUMBER, -MAX_NUMBER if minimum is None else minimum, MAX_NUMBER)


def parse_integer(tokens: Sequence[Node], *, minimum: int | None = None) -> int | None:
    """An ``<integer>``; a calculation is rounded to the nearest, halves up."""
    token = _single(tokens)
    if token is None:
        return None
    limit = 2**31 - 1
    if token.type == "number":
        if token.int_value is None or (minimum is not None and token.int_value < minimum):
            return None
        return min(max(int(token.int_value), -limit - 1), limit)
    value = _scalar(token, NUMBER, -limit - 1 if minimum is None else minimum, limit)
    return None if value is None else math.floor(value + 0.5)


def parse_percentage(tokens: Sequence[Node], *, minimum: float | None = None) -> float | None:
    """A ``<percentage>`` as a fraction: 50 % is 0.5; so is ``minimum``."""
    token = _single(tokens)
    if token is None:
        return None
    if token.type == "percentage":
        return _in_range(token.value / 100, minimum, MAX_NUMBER)
    return _scalar(token, PERCENTAGE, -MAX_NUMBER if minimum is None else minimum, MAX_NUMBER)


def parse_number_or_percentage(tokens: Sequence[Node], *, minimum: float | None = None) -> float | None:
    """A ``<number>`` or a ``<percentage>`` as a fraction, as in ``opacity`` and ``scale``."""
    token = _single(tokens)
    if token is None:
        return None
    if token.type != "function":
        return (
            parse_percentage(tokens, minimum=minimum)
            if token.type == "percentage"
            else parse_number(tokens, minimum=minimum)
        )
    result = calculate(token, percent_kind=PERCENTAGE)
    if result is None or result[0] not in {NUMBER, PERCENTAGE}:
        return None
    return _censor(result[1].px, -MAX_NUMBER if minimum is None else minimum, MAX_NUMBER)


def parse_angle(tokens: Sequence[Node], *, unitless_zero: bool = True) -> float | None:
    """An ``<angle>`` in degrees. ``unitless_zero``: a plain 0 counts, as in transform and gradient functions."""
    token = _single(tokens)
    if token is None:
        return None
    if token.type == "dimension":
        factor = _ANGLE_UNITS.get(token.lower_unit)
        return None if factor is None else _in_range(token.value * factor, None, MAX_ANGLE)
    if token.type == "number":
        return 0.0 if unitless_zero and token.value == 0 else None
    return _scalar(token, ANGLE, -MAX_ANGLE, MAX_ANGLE)


def parse_time(tokens: Sequence[Node], *, minimum: float | None = None) -> float | None:
    """A ``<time>`` in seconds; a plain 0 is no time."""
    token = _single(tokens)
    if token is None:
        return None
    if token.type == "dimension":
        factor = _TIME_UNITS.get(token.lower_unit)
        if factor is None:
            return None
        # 700 / 1000 is 0.7 and 700 × 0.001 is not: an iteration would end a little late.
        seconds = token.value / 1000 if token.lower_unit == "ms" else token.value * factor
        return _in_range(seconds, minimum, MAX_NUMBER)
    return _scalar(token, TIME, -MAX_NUMBER if minimum is None else minimum, MAX_NUMBER)


def parse_length(
    tokens: Sequence[Node],
    resolution: Resolution = DEFAULT_RESOLUTION,
    *,
    unitless: bool = False,
    minimum: float | None = None,
) -> float | None:
    """A ``<length>`` in CSS pixels. ``unitless``: any number counts as pixels, as in SVG; otherwise only a plain 0."""
    token = _single(tokens)
    if token is None:
        return None
    if token.type == "dimension":
        size = length_unit(token.lower_unit, resolution)
        return None if size is None else _in_range(token.value * size, minimum, MAX_LENGTH)
    if token.type == "number":
        return _in_range(float(token.value), minimum, MAX_LENGTH) if unitless or token.value == 0 else None
    low = -MAX_LENGTH if minimum is None else minimum
    length = _scalar(token, LENGTH, low, MAX_LENGTH, resolution)
    return _scalar(token, NUMBER, low, MAX_LENGTH) if length is None and unitless else length


def parse_length_percentage(
    tokens: Sequence[Node],
    resolution: Resolution = DEFAULT_RESOLUTION,
    *,
    unitless: bool = False,
    minimum: float | None = None,
) -> LengthPercentage | None:
    """A ``<length-percentage>``; percentages stay apart until :meth:`LengthPercentage.resolve`.

    ``unitless`` as in :func:`parse_length`; below ``minimum`` a literal is invalid and a calculation is clamped, when
    resolved if need be.
    """
    token = _single(tokens)
    if token is None:
        return None
    if token.type == "percentage":
        fraction = _in_range(token.value / 100, minimum, MAX_NUMBER)
        return None if fraction is None else LengthPercentage(percent=fraction)
    if token.type != "function":
        length = parse_length((token,), resolution, unitless=unitless, minimum=minimum)
        return None if length is None else LengthPercentage(length)
    result = calculate(token, resolution, percent_kind=LENGTH)
    if result is None:
        return None
    kind, value = result
    if kind != LENGTH and not (unitless and kind == NUMBER):
        return None
    low = -MAX_LENGTH if minimum is None else minimum
    if value.is_fixed:
        return LengthPercentage(_censor(value.px, low, MAX_LENGTH))
    if not value.deferred and minimum is None and math.isfinite(value.px) and math.isfinite(value.percent):
        return value
    bounds = (LengthPercentage(low), LengthPercentage(MAX_LENGTH))
    return LengthPercentage(deferred=((1.0, Expression("censor", (value, *bounds))),))
