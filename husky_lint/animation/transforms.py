"""Transform lists (CSS Transforms 1 and 2, SVG 1.1 attribute syntax): parsing, and matrices over times.

A function keeps its numbers as written (angles in degrees, lengths in CSS pixels with percentages apart), because
interpolation works on them and not on matrices. Numbers may be arrays over times: then so is the matrix.
3D functions are kept and multiplied as 4×4 matrices; a result that is not 2D is a row of NaN, and
:attr:`TransformList.unknown` says so beforehand.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from husky_lint.animation.matrices import IDENTITY, embed, flatten, multiply, rotation_3d, stack
from husky_lint.animation.unknown import TOO_MANY_FUNCTIONS, UNSUPPORTED_3D
from husky_lint.style.values import (
    DEFAULT_RESOLUTION,
    ZERO,
    LengthPercentage,
    parse_angle,
    parse_length,
    parse_length_percentage,
    parse_number,
    parse_number_or_percentage,
    split_commas,
    split_spaces,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from husky_lint.animation.matrices import Affine, FloatArray, Value
    from husky_lint.animation.unknown import Unknown
    from husky_lint.style.values import Node, Resolution

    IndexArray = NDArray[np.intp] | NDArray[np.bool_]

MAX_FUNCTIONS = 1024
"""A list with more transform functions than this is not evaluated: see :data:`TOO_LONG`."""

_MAX_NUMBER = 1e15


class Kind(Enum):
    """What a function does, and the meaning of its numbers; one kind for all that share a primitive."""

    TRANSLATE = "translate"
    """x px, x fraction, y px, y fraction, z px."""
    SCALE = "scale"
    """x, y, z."""
    ROTATE = "rotate"
    """Degrees in the plane."""
    ROTATE_ABOUT = "rotate-about"
    """Degrees, x, y: the SVG attribute's ``rotate(a x y)``."""
    ROTATE_3D = "rotate3d"
    """Axis x, y, z, degrees."""
    SKEW = "skew"
    """Degrees x, degrees y."""
    SKEW_X = "skewx"
    SKEW_Y = "skewy"
    MATRIX = "matrix"
    """a, b, c, d, e, f."""
    MATRIX_3D = "matrix3d"
    """One array (…, 4, 4), column vectors."""
    PERSPECTIVE = "perspective"
    """1 / distance."""

    __hash__ = object.__hash__


NEUTRAL: dict[Kind, tuple[float, ...]] = {
    Kind.TRANSLATE: (0.0, 0.0, 0.0, 0.0, 0.0),
    Kind.SCALE: (1.0, 1.0, 1.0),
    Kind.ROTATE: (0.0,),
    Kind.ROTATE_ABOUT: (0.0, 0.0, 0.0),
    Kind.ROTATE_3D: (0.0, 0.0, 1.0, 0.0),
    Kind.SKEW: (0.0, 0.0),
    Kind.SKEW_X: (0.0,),
    Kind.SKEW_Y: (0.0,),
    Kind.MATRIX: (1.0, 0.0, 0.0, 1.0, 0.0, 0.0),
    Kind.PERSPECTIVE: (0.0,),
}
"""The numbers of each kind's identity; of ``MATRIX_3D`` see :func:`identity`."""


@dataclass(frozen=True, slots=True, eq=False)
class TransformFunction:
    """One function. ``lengths`` is set where a translation holds a length that is not linear in its percentages."""

    kind: Kind
    numbers: tuple[Value, ...]
    lengths: tuple[LengthPercentage, LengthPercentage] | None = None

    @property
    def is_flat(self) -> bool:
        """Whether it surely stays in the plane."""
        match self.kind:
            case Kind.TRANSLATE:
                return _is_always(self.numbers[4], 0.0)
            case Kind.SCALE:
                return _is_always(self.numbers[2], 1.0)
            case Kind.ROTATE_3D | Kind.MATRIX_3D | Kind.PERSPECTIVE:
                return False
            case _:
                return True

    @property
    def has_percentage(self) -> bool:
        """Whether its matrix depends on the reference box."""
        if self.kind is not Kind.TRANSLATE:
            return False
        return self.lengths is not None or not (_is_always(self.numbers[1], 0.0) and _is_always(self.numbers[3], 0.0))

    def select(self, index: IndexArray) -> TransformFunction:
        """The function at some of its times (an index or mask over the arrays among its numbers)."""
        if all(isinstance(number, float) for number in self.numbers):
            return self
        numbers = tuple(_select(number, index, 2 if self.kind is Kind.MATRIX_3D else 0) for number in self.numbers)
        return TransformFunction(self.kind, numbers, self.lengths)


def _is_always(number: Value, value: float) -> bool:
    return number == value if isinstance(number, float) else bool(np.all(number == value))


def _select(number: Value, index: IndexArray, inner: int) -> Value:
    return number if isinstance(number, float) or np.ndim(number) == inner else number[index]


def identity(kind: Kind) -> TransformFunction:
    """The function of a kind that does nothing."""
    if kind is Kind.MATRIX_3D:
        return TransformFunction(kind, (np.eye(4),))
    return TransformFunction(kind, NEUTRAL[kind])


@dataclass(frozen=True, slots=True, eq=False)
class TransformList:
    """Functions, outermost first; none at all is ``none``."""

    functions: tuple[TransformFunction, ...] = ()

    @property
    def unknown(self) -> Unknown | None:
        """Set where a function may leave the plane: then matrices hold NaN at the times when the whole is not 2D.

        Also set for a list that is too long to evaluate.
        """
        if all(function.is_flat for function in self.functions):
            return None
        return TOO_MANY_FUNCTIONS if any(function is _NOTHING for function in self.functions) else UNSUPPORTED_3D

    def resolved(self, width: Value, height: Value) -> TransformList:
        """The list with its nonlinear lengths worked out for a reference box in CSS pixels."""
        if all(function.lengths is None for function in self.functions):
            return self
        return TransformList(tuple(_resolve(function, width, height) for function in self.functions))

    def select(self, index: IndexArray) -> TransformList:
        """The list at some of its times (an index or mask over the arrays among its numbers)."""
        return TransformList(tuple(function.select(index) for function in self.functions))

    def affine(self, width: Value = 0.0, height: Value = 0.0) -> Affine:
        """The 2D matrix for a reference box in CSS pixels; entries are NaN where it is not 2D."""
        functions = self.resolved(width, height).functions
        if all(function.is_flat for function in functions):
            return product([(function.kind, function.numbers) for function in functions], width, height)
        rows = flatten(self.matrix_3d(width, height))
        return (rows[..., 0], rows[..., 1], rows[..., 2], rows[..., 3], rows[..., 4], rows[..., 5])

    def matrix(self, width: Value = 0.0, height: Value = 0.0) -> FloatArray:
        """The matrix [a b c d e f] for a reference box in CSS pixels: (6,), or (T, 6) if anything is over times.

        Rows are NaN where the matrix is not 2D or too large to hold.
        """
        with np.errstate(all="ignore"):
            entries = self.affine(width, height)
            sizes = {len(entry) for entry in entries if isinstance(entry, np.ndarray) and entry.ndim}
            return without_infinities(stack(entries, max(sizes) if sizes else None))

    def matrix_3d(self, width: Value = 0.0, height: Value = 0.0) -> FloatArray:
        """The 4×4 matrix (column vectors), (4, 4) or (T, 4, 4)."""
        result = np.eye(4)
        for function in self.resolved(width, height).functions:
            result = result @ _matrix_3d(function, width, height)
        return result


NONE = TransformList()
_NOTHING = TransformFunction(Kind.MATRIX_3D, (np.full((4, 4), np.nan),))
TOO_LONG = TransformList((_NOTHING,))
"""Stands for a valid list that is not evaluated: its matrix is NaN."""


def _resolve(function: TransformFunction, width: Value, height: Value) -> TransformFunction:
    if function.lengths is None:
        return function
    x, y = function.lengths
    return TransformFunction(Kind.TRANSLATE, (x.resolve(width), 0.0, y.resolve(height), 0.0, function.numbers[4]))


def without_infinities(rows: FloatArray) -> FloatArray:
    """Rows of NaN instead of rows with an infinite or undefined entry."""
    if math.isfinite(rows.sum()):
        return rows
    finite = np.isfinite(rows)
    return np.where(finite.all(axis=-1, keepdims=True), rows, np.nan)


def product(
    functions: Sequence[tuple[Kind, Sequence[Value]]], width: Value = 0.0, height: Value = 0.0, start: Affine = IDENTITY
) -> Affine:
    """``start`` times the matrices of 2D functions, given as kinds and numbers, for a reference box in CSS pixels.

    The signs of zeros come out as in browsers, which tell a turn by +180 degrees from one by −180: a matrix stays
    without its second diagonal as long as nothing but scales and translations went into it.
    """
    a, b, c, d, e, f = start
    upright = start is IDENTITY
    for kind, numbers in functions:
        if kind is Kind.SCALE and upright:
            a, d = a * numbers[0], d * numbers[1]
            continue
        if kind in _TURNING and upright and all(isinstance(number, float) and number == 0 for number in numbers):
            continue
        upright = upright and kind is Kind.TRANSLATE
        match kind:
            case Kind.TRANSLATE:
                x, x_part, y, y_part, _ = numbers
                if not (isinstance(x_part, float) and x_part == 0):
                    x = x + x_part * width
                if not (isinstance(y_part, float) and y_part == 0):
                    y = y + y_part * height
                e, f = a * x + c * y + e, b * x + d * y + f
            case Kind.SCALE:
                x, y, _ = numbers
                a, b, c, d = a * x, b * x, c * y, d * y
            case Kind.ROTATE:
                cos, sin = _circle(numbers[0])
                a, b, c, d = a * cos + c * sin, b * cos + d * sin, c * cos - a * sin, d * cos - b * sin
            case Kind.ROTATE_ABOUT:
                angle, x, y = numbers
                cos, sin = _circle(angle)
                e, f = a * x + c * y + e, b * x + d * y + f
                a, b, c, d = a * cos + c * sin, b * cos + d * sin, c * cos - a * sin, d * cos - b * sin
                e, f = e - a * x - c * y, f - b * x - d * y
            case Kind.SKEW | Kind.SKEW_X | Kind.SKEW_Y:
                x = 0.0 if kind is Kind.SKEW_Y else np.tan(np.radians(numbers[0]))
                y = 0.0 if kind is Kind.SKEW_X else np.tan(np.radians(numbers[-1]))
                a, b, c, d = a + c * y, b + d * y, a * x + c, b * x + d
            case _:
                g, h, i, j, k, l = numbers  # noqa: E741 - the letters in order
                a, b, c, d, e, f = multiply((a, b, c, d, e, f), (g, h, i, j, k, l))
    return (a, b, c, d, e, f)


_TURNING = frozenset({Kind.ROTATE, Kind.SKEW, Kind.SKEW_X, Kind.SKEW_Y})
_QUARTERS = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
"""Cosine and sine of whole quarter turns, exact as in browsers."""


def _circle(degrees: Value) -> tuple[Value, Value]:
    if isinstance(degrees, float):
        if degrees % 90 == 0:
            return _QUARTERS[int(degrees // 90 % 4)]
        radians = math.radians(degrees)
        return math.cos(radians), math.sin(radians)
    turned = np.radians(degrees)
    return np.cos(turned), np.sin(turned)


def _matrix_3d(function: TransformFunction, width: Value, height: Value) -> FloatArray:
    numbers = function.numbers
    match function.kind:
        case Kind.ROTATE_3D:
            return rotation_3d(numbers[0], numbers[1], numbers[2], numbers[3])
        case Kind.MATRIX_3D:
            return np.asarray(numbers[0])
        case Kind.PERSPECTIVE:
            matrix = np.zeros((*np.shape(numbers[0]), 4, 4)) + np.eye(4)
            matrix[..., 3, 2] = -numbers[0]
            return matrix
    matrix = embed(product([(function.kind, numbers)], width, height))
    if function.kind is Kind.TRANSLATE:
        matrix = matrix + np.asarray(numbers[4])[..., None, None] * _UNIT_Z_SHIFT
    elif function.kind is Kind.SCALE:
        matrix = matrix + (np.asarray(numbers[2])[..., None, None] - 1) * _UNIT_Z_SCALE
    return matrix


_UNIT_Z_SHIFT = np.zeros((4, 4))
_UNIT_Z_SHIFT[2, 3] = 1.0
_UNIT_Z_SCALE = np.zeros((4, 4))
_UNIT_Z_SCALE[2, 2] = 1.0


# ---------------------------------------------------------------------------------------------------------------------
# CSS syntax


def parse_transform(tokens: Iterable[Node], resolution: Resolution = DEFAULT_RESOLUTION) -> TransformList | None:
    """The value of the property ``transform`` (``none`` or a list), ``None`` if it is invalid."""
    nodes = split_spaces(tokens)
    if len(nodes) == 1 and nodes[0].type == "ident":
        return NONE if nodes[0].lower_value == "none" else None
    if not nodes:
        return None
    if len(nodes) > MAX_FUNCTIONS:
        return TOO_LONG
    functions = []
    for node in nodes:
        parser = _FUNCTIONS.get(node.lower_name) if node.type == "function" else None
        function = None if parser is None else parser(split_commas(node.arguments), resolution)
        if function is None:
            return None
        functions.append(function)
    return TransformList(tuple(functions))


_Arguments = list[list[Any]]


def _bounded(number: float) -> float:
    """Keeps products finite for long; nothing visible is larger."""
    return min(max(float(number), -_MAX_NUMBER), _MAX_NUMBER)


def translation(x: LengthPercentage, y: LengthPercentage = ZERO, z: float = 0.0) -> TransformFunction:
    """``translate3d(x, y, z)``."""
    lengths = (x, y) if x.deferred or y.deferred else None
    return TransformFunction(Kind.TRANSLATE, tuple(map(_bounded, (x.px, x.percent, y.px, y.percent, z))), lengths)


def scaling(x: float, y: float, z: float = 1.0) -> TransformFunction:
    """``scale3d(x, y, z)``."""
    return TransformFunction(Kind.SCALE, (_bounded(x), _bounded(y), _bounded(z)))


def rotation(x: float, y: float, z: float, angle: float) -> TransformFunction:
    """``rotate3d(x, y, z, angle)``; about the z axis it is a rotation in the plane."""
    if x == 0 and y == 0 and z != 0:
        return TransformFunction(Kind.ROTATE, (_bounded(math.copysign(1.0, z) * angle),))
    return TransformFunction(Kind.ROTATE_3D, (_bounded(x), _bounded(y), _bounded(z), _bounded(angle)))


def _translate(axes: str) -> Callable[[_Arguments, Resolution], TransformFunction | None]:
    def parse(arguments: _Arguments, resolution: Resolution) -> TransformFunction | None:
        if len(arguments) != len(axes) and not (axes == "xy" and len(arguments) == 1):
            return None
        values: dict[str, LengthPercentage] = {}
        for axis, argument in zip(axes, arguments, strict=False):
            if axis == "z":
                depth = parse_length(argument, resolution)
                value = None if depth is None else LengthPercentage(depth)
            else:
                value = parse_length_percentage(argument, resolution)
            if value is None:
                return None
            values[axis] = value
        return translation(values.get("x", ZERO), values.get("y", ZERO), values.get("z", ZERO).px)

    return parse


def _scale(axes: str) -> Callable[[_Arguments, Resolution], TransformFunction | None]:
    def parse(arguments: _Arguments, _: Resolution) -> TransformFunction | None:
        numbers = [parse_number_or_percentage(argument) for argument in arguments]
        if axes == "xy" and len(numbers) == 1:
            numbers *= 2
        if len(numbers) != len(axes):
            return None
        values = dict.fromkeys("xyz", 1.0)
        for axis, number in zip(axes, numbers, strict=True):
            if number is None:
                return None
            values[axis] = number
        return scaling(values["x"], values["y"], values["z"])

    return parse


def _rotate(x: float, y: float, z: float) -> Callable[[_Arguments, Resolution], TransformFunction | None]:
    def parse(arguments: _Arguments, _: Resolution) -> TransformFunction | None:
        angle = parse_angle(arguments[0]) if len(arguments) == 1 else None
        return None if angle is None else rotation(x, y, z, angle)

    return parse


def _rotate_3d(arguments: _Arguments, _: Resolution) -> TransformFunction | None:
    if len(arguments) != 4:
        return None
    x, y, z = (parse_number(argument) for argument in arguments[:3])
    angle = parse_angle(arguments[3])
    if x is None or y is None or z is None or angle is None:
        return None
    return rotation(x, y, z, angle)


def _skew(kind: Kind) -> Callable[[_Arguments, Resolution], TransformFunction | None]:
    def parse(arguments: _Arguments, _: Resolution) -> TransformFunction | None:
        angles = [parse_angle(argument) for argument in arguments]
        if kind is Kind.SKEW and len(angles) == 1:
            angles.append(0.0)
        if len(angles) != (2 if kind is Kind.SKEW else 1) or None in angles:
            return None
        return TransformFunction(kind, tuple(_bounded(angle or 0.0) for angle in angles))

    return parse


def _matrix(arguments: _Arguments, _: Resolution) -> TransformFunction | None:
    numbers = [parse_number(argument) for argument in arguments]
    if len(numbers) != 6 or None in numbers:
        return None
    return TransformFunction(Kind.MATRIX, tuple(_bounded(number or 0.0) for number in numbers))


def _matrix3d(arguments: _Arguments, _: Resolution) -> TransformFunction | None:
    numbers = [parse_number(argument) for argument in arguments]
    if len(numbers) != 16 or None in numbers:
        return None
    matrix = np.array([_bounded(number or 0.0) for number in numbers]).reshape(4, 4).T
    row = flatten(matrix)
    if np.isnan(row).any():
        return TransformFunction(Kind.MATRIX_3D, (matrix,))
    return TransformFunction(Kind.MATRIX, tuple(float(number) for number in row))


def _perspective(arguments: _Arguments, resolution: Resolution) -> TransformFunction | None:
    if len(arguments) != 1:
        return None
    nodes = split_spaces(arguments[0])
    if len(nodes) == 1 and nodes[0].type == "ident" and nodes[0].lower_value == "none":
        return TransformFunction(Kind.PERSPECTIVE, (0.0,))
    distance = parse_length(arguments[0], resolution, minimum=0.0)
    return None if distance is None else TransformFunction(Kind.PERSPECTIVE, (1 / max(distance, 1.0),))


_FUNCTIONS: dict[str, Callable[[_Arguments, Resolution], TransformFunction | None]] = {
    "translate": _translate("xy"),
    "translatex": _translate("x"),
    "translatey": _translate("y"),
    "translatez": _translate("z"),
    "translate3d": _translate("xyz"),
    "scale": _scale("xy"),
    "scalex": _scale("x"),
    "scaley": _scale("y"),
    "scalez": _scale("z"),
    "scale3d": _scale("xyz"),
    "rotate": _rotate(0, 0, 1),
    "rotatez": _rotate(0, 0, 1),
    "rotatex": _rotate(1, 0, 0),
    "rotatey": _rotate(0, 1, 0),
    "rotate3d": _rotate_3d,
    "skew": _skew(Kind.SKEW),
    "skewx": _skew(Kind.SKEW_X),
    "skewy": _skew(Kind.SKEW_Y),
    "matrix": _matrix,
    "matrix3d": _matrix3d,
    "perspective": _perspective,
}


def _is_none(nodes: list[Node]) -> bool:
    return len(nodes) == 1 and nodes[0].type == "ident" and nodes[0].lower_value == "none"


def parse_translate(tokens: Iterable[Node], resolution: Resolution = DEFAULT_RESOLUTION) -> TransformList | None:
    """The value of the property ``translate``: no function or one of kind ``TRANSLATE``; ``None`` if invalid."""
    nodes = split_spaces(tokens)
    if _is_none(nodes):
        return NONE
    if not 1 <= len(nodes) <= 3:
        return None
    x = parse_length_percentage(nodes[:1], resolution)
    y = parse_length_percentage(nodes[1:2], resolution) if len(nodes) > 1 else ZERO
    z = parse_length(nodes[2:], resolution) if len(nodes) > 2 else 0.0
    return None if x is None or y is None or z is None else TransformList((translation(x, y, z),))


def parse_scale(tokens: Iterable[Node]) -> TransformList | None:
    """The value of the property ``scale``: no function or one of kind ``SCALE``; ``None`` if invalid."""
    nodes = split_spaces(tokens)
    if _is_none(nodes):
        return NONE
    numbers = [parse_number_or_percentage([node]) for node in nodes]
    if not 1 <= len(numbers) <= 3:
        return None
    x, y, z = numbers[0], numbers[1 if len(numbers) > 1 else 0], numbers[2] if len(numbers) > 2 else 1.0
    return None if x is None or y is None or z is None else TransformList((scaling(x, y, z),))


_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def parse_rotate(tokens: Iterable[Node]) -> TransformList | None:
    """The value of the property ``rotate``: no function, or one of ``ROTATE`` or ``ROTATE_3D``; ``None`` if invalid."""
    nodes = split_spaces(tokens)
    if _is_none(nodes):
        return NONE
    for angle_nodes, axis_nodes in ((nodes[-1:], nodes[:-1]), (nodes[:1], nodes[1:])):
        angle = parse_angle(angle_nodes, unitless_zero=False)
        axis = _parse_axis(axis_nodes)
        if angle is not None and axis is not None:
            return TransformList((rotation(*axis, angle),))
    return None


def _parse_axis(nodes: list[Node]) -> tuple[float, float, float] | None:
    if not nodes:
        return _AXES["z"]
    if len(nodes) == 1 and nodes[0].type == "ident":
        return _AXES.get(nodes[0].lower_value)
    numbers = [parse_number([node]) for node in nodes]
    if len(numbers) != 3:
        return None
    x, y, z = numbers
    return None if x is None or y is None or z is None else (x, y, z)


# ---------------------------------------------------------------------------------------------------------------------
# SVG attribute syntax

_SVG_FUNCTION = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)[ \t\n\f\r]*\(([^()]*)\)")
_SVG_NUMBER = re.compile(r"[ \t\n\f\r]*([+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)[ \t\n\f\r]*(,?)", re.ASCII)
_SVG_SPACE = " \t\n\f\r"
_SVG_COUNTS = {"matrix": {6}, "translate": {1, 2}, "scale": {1, 2}, "rotate": {1, 3}, "skewX": {1}, "skewY": {1}}


def parse_transform_attribute(text: str) -> TransformList | None:
    """The value of the SVG attribute ``transform``; ``None`` on any error, when browsers drop the whole list."""
    functions: list[TransformFunction] = []
    position, comma = 0, False
    while True:
        while position < len(text) and text[position] in _SVG_SPACE:
            position += 1
        if position == len(text):
            if comma:
                return None
            return TransformList(tuple(functions)) if len(functions) <= MAX_FUNCTIONS else TOO_LONG
        if functions and not comma and text[position] == ",":
            position, comma = position + 1, True
            continue
        found = _SVG_FUNCTION.match(text, position)
        if found is None:
            return None
        numbers = parse_number_list(found[2])
        if numbers is None or len(numbers) not in _SVG_COUNTS[found[1]]:
            return None
        functions.append(svg_function(found[1], numbers))
        position, comma = found.end(), False


def parse_number_list(text: str) -> list[float] | None:
    """SVG numbers between spaces, single commas or nothing where unambiguous; ``None`` on an error."""
    numbers: list[float] = []
    position, comma = 0, False
    while position < len(text):
        found = _SVG_NUMBER.match(text, position)
        if found is None:
            return numbers if not text[position:].strip(_SVG_SPACE) and not comma else None
        number = float(found[1])
        if abs(number) > 3.4028234663852886e38:
            return None
        numbers.append(_bounded(number))
        position, comma = found.end(), bool(found[2])
    return None if comma else numbers


def svg_function(name: str, numbers: Sequence[float]) -> TransformFunction:
    """The function of an SVG transform with the right count of numbers; missing ones as in SVG 1.1, section 7.6."""
    match name:
        case "translate":
            return TransformFunction(
                Kind.TRANSLATE, (numbers[0], 0.0, numbers[1] if len(numbers) > 1 else 0.0, 0.0, 0.0)
            )
        case "scale":
            return TransformFunction(Kind.SCALE, (numbers[0], numbers[-1], 1.0))
        case "rotate" if len(numbers) == 3:
            return TransformFunction(Kind.ROTATE_ABOUT, tuple(numbers))
        case "rotate":
            return TransformFunction(Kind.ROTATE, (numbers[0],))
        case "skewX":
            return TransformFunction(Kind.SKEW_X, (numbers[0],))
        case "skewY":
            return TransformFunction(Kind.SKEW_Y, (numbers[0],))
    return TransformFunction(Kind.MATRIX, tuple(numbers))
