"""Motion path (Motion Path 1): the ``offset-*`` properties as vectors, and the transform they make.

Lengths are pairs of numbers (CSS pixels, fraction of the reference). Chromium 156 gives elements inside an SVG an empty
reference box at the origin for ``offset-path`` and ``offset-position``: percentages there are 0. That is the default
of :class:`OffsetBoxes`.
"""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from husky_lint.animation.matrices import stack
from husky_lint.animation.transforms import Kind, product
from husky_lint.animation.vectors import Series, Vector
from husky_lint.scene.paths import Path, build_path, parse_path
from husky_lint.style.values import (
    DEFAULT_RESOLUTION,
    LengthPercentage,
    parse_angle,
    parse_length_percentage,
    split_commas,
    split_spaces,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from husky_lint.animation.matrices import FloatArray, Value
    from husky_lint.style.values import Node, Resolution

    Numbers: TypeAlias = "list[float]"

NONE = Vector.of("none")
AUTO = Vector.of("auto")
NORMAL = Vector.of("normal")

_BOXES = frozenset({"content-box", "padding-box", "border-box", "fill-box", "stroke-box", "view-box"})
_RAY_SIZES = frozenset({"closest-side", "closest-corner", "farthest-side", "farthest-corner", "sides"})
_RADII = frozenset({"closest-side", "farthest-side"})
_FLATNESS = 0.5
_SMALLEST_SPAN = 2.0**-20
_MAX_CURVES = 5000
_MAX_PIECES = 5000
_MAX_MORPHS = 4096


# ---------------------------------------------------------------------------------------------------------------------
# Parsing


def parse_offset_distance(tokens: Iterable[Node], resolution: Resolution = DEFAULT_RESOLUTION) -> Vector | None:
    """``offset-distance``: (px, fraction)."""
    return _length_vector("length", split_spaces(tokens), resolution)


def _length_vector(form: Hashable, nodes: Sequence[Node], resolution: Resolution) -> Vector | None:
    length = parse_length_percentage(nodes, resolution)
    return None if length is None or length.deferred else Vector.of(form, length.px, length.percent)


def parse_offset_rotate(tokens: Iterable[Node]) -> Vector | None:
    """``offset-rotate``: form ``auto`` (added to the path's direction) or ``angle``; degrees."""
    form, angle = "angle", None
    words = 0
    for node in split_spaces(tokens):
        word = node.lower_value if node.type == "ident" else ""
        if word in {"auto", "reverse"} and not words:
            form, words = "auto", 1 if word == "auto" else 2
        elif angle is None and (angle := parse_angle([node], unitless_zero=False)) is not None:
            continue
        else:
            return None
    if angle is None and not words:
        return None
    return Vector.of(form, (angle or 0.0) + (180.0 if words == 2 else 0.0))


def parse_offset_anchor(tokens: Iterable[Node], resolution: Resolution = DEFAULT_RESOLUTION) -> Vector | None:
    """``offset-anchor``: form ``auto``, or ``position`` with (x px, x fraction, y px, y fraction)."""
    nodes = split_spaces(tokens)
    if _word(nodes) == "auto":
        return AUTO
    return _position_vector(nodes, resolution)


def parse_offset_position(tokens: Iterable[Node], resolution: Resolution = DEFAULT_RESOLUTION) -> Vector | None:
    """``offset-position``: form ``auto``, ``normal`` or ``position`` as :func:`parse_offset_anchor`."""
    nodes = split_spaces(tokens)
    if _word(nodes) == "normal":
        return NORMAL
    return parse_offset_anchor(nodes, resolution)


def _word(nodes: Sequence[Node]) -> str:
    return nodes[0].lower_value if len(nodes) == 1 and nodes[0].type == "ident" else ""


def _position_vector(nodes: Sequence[Node], resolution: Resolution) -> Vector | None:
    position = parse_position(nodes, resolution)
    return None if position is None else Vector.of("position", *position)


_SIDES = {"left": ("x", 0.0), "right": ("x", 1.0), "top": ("y", 0.0), "bottom": ("y", 1.0), "center": ("", 0.5)}


def parse_position(nodes: Sequence[Node], resolution: Resolution) -> Numbers | None:
    """A ``<position>`` (CSS Values 4, section 8.3) as x px, x fraction, y px, y fraction."""
    parts = split_spaces(nodes)
    if not 1 <= len(parts) <= 4:
        return None
    if len(parts) > 2:
        return _parse_edges(parts, resolution) if len(parts) == 4 else None
    axes: list[tuple[str, LengthPercentage]] = []
    for part in parts:
        if part.type == "ident":
            if part.lower_value not in _SIDES:
                return None
            axis, fraction = _SIDES[part.lower_value]
            axes.append((axis, LengthPercentage(0.0, fraction)))
        else:
            length = parse_length_percentage([part], resolution)
            if length is None or length.deferred:
                return None
            axes.append(("", length))
    if len(axes) == 1:
        axes.append(("", LengthPercentage(0.0, 0.5)))
        if axes[0][0] == "y":
            axes.reverse()
    elif axes[0][0] == "y" or axes[1][0] == "x":
        if any(part.type != "ident" for part in parts):
            return None
        axes.reverse()
    if axes[0][0] == "y" or axes[1][0] == "x":
        return None
    (_, x), (_, y) = axes
    return [x.px, x.percent, y.px, y.percent]


def _parse_edges(parts: Sequence[Node], resolution: Resolution) -> Numbers | None:
    """``right 10px bottom 20 %``, in either order."""
    found: dict[str, LengthPercentage] = {}
    for edge, offset in ((parts[0], parts[1]), (parts[2], parts[3])):
        axis, fraction = _SIDES.get(edge.lower_value if edge.type == "ident" else "", ("", 0.0))
        length = parse_length_percentage([offset], resolution)
        if not axis or axis in found or length is None or length.deferred:
            return None
        found[axis] = LengthPercentage(0.0, 1.0) - length if fraction else length
    return [found["x"].px, found["x"].percent, found["y"].px, found["y"].percent]


def parse_offset_path(
    tokens: Iterable[Node],
    resolution: Resolution = DEFAULT_RESOLUTION,
    referenced: Callable[[str], str | None] | None = None,
) -> Vector | None:
    """``offset-path``; ``None`` if it is invalid, form ``unsupported`` if it is valid and not evaluated (``shape()``).

    ``referenced`` gives the path data of the element that a ``url(#id)`` names, ``None`` if there is none.
    The coordinate box is dropped: no box but an empty one is used inside an SVG.
    """
    nodes = split_spaces(tokens)
    if _word(nodes) == "none":
        return NONE
    boxes = [node for node in nodes if node.type == "ident" and node.lower_value in _BOXES]
    shapes = [node for node in nodes if node not in boxes]
    if len(boxes) > 1 or len(shapes) > 1 or not nodes:
        return None
    if not shapes:
        return Vector.of(("inset",), *([0.0] * 8))
    (node,) = shapes
    if node.type == "url":
        if boxes:
            return None
        data = referenced(node.value[1:]) if referenced is not None and node.value.startswith("#") else None
        return NONE if data is None else path_vector(parse_path(data))
    if node.type != "function":
        return None
    if node.lower_name == "path":
        return _parse_path_function(node.arguments)
    if node.lower_name == "shape":
        return Vector.of("unsupported")
    parser = _SHAPES.get(node.lower_name)
    return None if parser is None else parser(node.arguments, resolution)


def _parse_path_function(arguments: Sequence[Node]) -> Vector | None:
    nodes = split_spaces(arguments)
    if len(nodes) != 1 or nodes[0].type != "string":
        return None
    path = parse_path(nodes[0].value)
    return None if path.error is not None or path.is_empty else path_vector(path)


def path_vector(path: Path) -> Vector:
    """Path data in absolute commands: the form holds the letters, the numbers all arguments, arc flags among them."""
    letters: list[str] = []
    numbers: list[float] = []
    x = y = start_x = start_y = 0.0
    for letter, arguments in path.commands:
        kind = letter.upper()
        values = list(arguments)
        if letter != kind:
            if kind == "A":
                values[5], values[6] = values[5] + x, values[6] + y
            elif kind == "H":
                values[0] += x
            elif kind == "V":
                values[0] += y
            else:
                values = [value + (y if index % 2 else x) for index, value in enumerate(values)]
        match kind:
            case "Z":
                x, y = start_x, start_y
            case "H":
                x = values[0]
            case "V":
                y = values[0]
            case _:
                x, y = values[-2], values[-1]
                if kind == "M":
                    start_x, start_y = x, y
        letters.append(kind)
        numbers.extend(values)
    return Vector(("path", "".join(letters)), np.array(numbers, dtype=np.float64))


_ARITY = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}


def vector_path(letters: str, numbers: Sequence[float]) -> Path:
    """The path of a vector that :func:`path_vector` made."""
    commands = []
    position = 0
    for letter in letters:
        end = position + _ARITY[letter]
        commands.append((letter, tuple(numbers[position:end])))
        position = end
    return build_path(commands)


def _split_at(nodes: Sequence[Node], resolution: Resolution) -> tuple[list[Node], Numbers | None] | None:
    """The words before ``at`` and the position after it; ``None`` if that is invalid."""
    for index, node in enumerate(nodes):
        if node.type == "ident" and node.lower_value == "at":
            position = parse_position(nodes[index + 1 :], resolution)
            return None if position is None else (list(nodes[:index]), position)
    return list(nodes), None


def _parse_ray(arguments: Sequence[Node], resolution: Resolution) -> Vector | None:
    split = _split_at(split_spaces(arguments), resolution)
    if split is None:
        return None
    words, position = split
    angle: float | None = None
    size: str | None = None
    contain = False
    for node in words:
        word = node.lower_value if node.type == "ident" else ""
        if word in _RAY_SIZES and size is None:
            size = word
        elif word == "contain" and not contain:
            contain = True
        elif angle is None and (angle := parse_angle([node])) is not None:
            continue
        else:
            return None
    if angle is None:
        return None
    return Vector.of(("ray", size or "closest-side", contain, position is not None), angle, *(position or ()))


def _radius(node: Node, resolution: Resolution) -> tuple[str, Numbers] | None:
    if node.type == "ident":
        return (node.lower_value, []) if node.lower_value in _RADII else None
    length = parse_length_percentage([node], resolution, minimum=0.0)
    return None if length is None or length.deferred else ("length", [length.px, length.percent])


def _parse_round(radii: int) -> Callable[[Sequence[Node], Resolution], Vector | None]:
    name = "circle" if radii == 1 else "ellipse"

    def parse(arguments: Sequence[Node], resolution: Resolution) -> Vector | None:
        split = _split_at(split_spaces(arguments), resolution)
        if split is None:
            return None
        words, position = split
        if len(words) not in {0, radii}:
            return None
        found = [_radius(word, resolution) for word in words] or [("closest-side", [])] * radii
        kinds: list[str] = []
        numbers: Numbers = []
        for radius in found:
            if radius is None:
                return None
            kinds.append(radius[0])
            numbers.extend(radius[1])
        return Vector.of((name, *kinds, position is not None), *numbers, *(position or ()))

    return parse


def _lengths(nodes: Iterable[Node], resolution: Resolution) -> list[LengthPercentage] | None:
    lengths = []
    for node in nodes:
        length = parse_length_percentage([node], resolution)
        if length is None or length.deferred:
            return None
        lengths.append(length)
    return lengths


def _inset(sides: Sequence[LengthPercentage]) -> Vector:
    return Vector.of(("inset",), *[number for side in sides for number in (side.px, side.percent)])


def _parse_inset(arguments: Sequence[Node], resolution: Resolution) -> Vector | None:
    words = split_spaces(arguments)
    if _has_round(words):
        return Vector.of("unsupported")
    sides = _lengths(words, resolution)
    if sides is None or not 1 <= len(sides) <= 4:
        return None
    top = sides[0]
    right = sides[1] if len(sides) > 1 else top
    bottom = sides[2] if len(sides) > 2 else top
    return _inset((top, right, bottom, sides[3] if len(sides) > 3 else right))


def _has_round(words: Sequence[Node]) -> bool:
    return any(word.type == "ident" and word.lower_value == "round" for word in words)


_FULL = LengthPercentage(0.0, 1.0)


def _parse_xywh(arguments: Sequence[Node], resolution: Resolution) -> Vector | None:
    words = split_spaces(arguments)
    if _has_round(words):
        return Vector.of("unsupported")
    sides = _lengths(words, resolution)
    if sides is None or len(sides) != 4:
        return None
    x, y, width, height = sides
    return _inset((y, _FULL - x - width, _FULL - y - height, x))


def _parse_rect(arguments: Sequence[Node], resolution: Resolution) -> Vector | None:
    words = split_spaces(arguments)
    if _has_round(words):
        return Vector.of("unsupported")
    if len(words) != 4:
        return None
    sides: list[LengthPercentage] = []
    for index, word in enumerate(words):
        far = index in {1, 2}
        if word.type == "ident":
            if word.lower_value != "auto":
                return None
            sides.append(LengthPercentage())
            continue
        lengths = _lengths([word], resolution)
        if lengths is None:
            return None
        sides.append(_FULL - lengths[0] if far else lengths[0])
    return _inset(sides)


def _parse_polygon(arguments: Sequence[Node], resolution: Resolution) -> Vector | None:
    parts = split_commas(arguments)
    if parts and _word(parts[0]) in {"nonzero", "evenodd"}:
        parts = parts[1:]
    numbers: Numbers = []
    for part in parts:
        pair = _lengths(split_spaces(part), resolution)
        if pair is None or len(pair) != 2:
            return None
        numbers.extend((pair[0].px, pair[0].percent, pair[1].px, pair[1].percent))
    return Vector.of(("polygon", len(parts)), *numbers) if parts else None


_SHAPES: dict[str, Callable[[Sequence[Any], Any], Vector | None]] = {
    "ray": _parse_ray,
    "circle": _parse_round(1),
    "ellipse": _parse_round(2),
    "inset": _parse_inset,
    "xywh": _parse_xywh,
    "rect": _parse_rect,
    "polygon": _parse_polygon,
}


def is_additive(form: Hashable) -> bool:
    """Which offset paths are summed in composition: rays alone."""
    return isinstance(form, tuple) and form[0] == "ray"


# ---------------------------------------------------------------------------------------------------------------------
# Points along a path


Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Curve:
    """A Bézier curve by its two to four control points, or a conic by three and the weight of the middle one."""

    points: tuple[Point, ...]
    weight: float | None = None

    def at(self, t: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Points and tangents, (n, 2) each, at parameters."""
        control = np.array(self.points)
        if self.weight is not None:
            weights = np.array([[1.0], [self.weight], [1.0]])
            upper, upper_slope = _bezier(control * weights, t)
            lower, lower_slope = _bezier(weights, t)
            return upper / lower, (upper_slope * lower - upper * lower_slope) / (lower * lower)
        points, slopes = _bezier(control, t)
        flat = np.hypot(slopes[:, 0], slopes[:, 1]) < 1e-9
        if flat.any() and len(control) > 2:
            # A control point lies on its end: the direction is that towards the next one.
            ahead = control[2] - control[0] if np.any(control[2] != control[0]) else control[-1] - control[0]
            behind = control[-1] - control[-3] if np.any(control[-1] != control[-3]) else control[-1] - control[0]
            slopes = np.where(flat[:, None], np.where(t[:, None] < 0.5, ahead, behind), slopes)
        return points, slopes

    def point(self, t: float) -> Point:
        """The point of a conic at one parameter."""
        (x0, y0), (x1, y1), (x2, y2) = self.points
        first, middle, last = (1 - t) ** 2, 2 * t * (1 - t) * (self.weight or 1.0), t * t
        total = first + middle + last
        return (first * x0 + middle * x1 + last * x2) / total, (first * y0 + middle * y1 + last * y2) / total

    def pieces(self) -> list[tuple[float, float]]:
        """(end parameter, chord length) of the pieces the curve is measured by: halved until flat to half a unit."""
        if self.weight is not None:
            return self._conic_pieces()
        found: list[tuple[float, float]] = []
        stack = [(self.points, 0.0, 1.0)]
        while stack and len(found) < _MAX_PIECES:
            points, low, high = stack.pop()
            if high - low > _SMALLEST_SPAN and _is_curvy(points):
                left, right = _halves(points)
                stack.append((right, (low + high) / 2, high))
                stack.append((left, low, (low + high) / 2))
            else:
                found.append((high, math.dist(points[0], points[-1])))
        return found

    def _conic_pieces(self) -> list[tuple[float, float]]:
        found: list[tuple[float, float]] = []
        stack = [(0.0, self.points[0], 1.0, self.points[2])]
        while stack and len(found) < _MAX_PIECES:
            low, start, high, end = stack.pop()
            half = (low + high) / 2
            middle = self.point(half)
            off = max(abs(middle[axis] - (start[axis] + end[axis]) / 2) for axis in (0, 1))
            if high - low > _SMALLEST_SPAN and off > _FLATNESS:
                stack.append((half, middle, high, end))
                stack.append((low, start, half, middle))
            else:
                found.append((high, math.dist(start, end)))
        return found


def _is_curvy(points: tuple[Point, ...]) -> bool:
    if len(points) == 2:
        return False
    if len(points) == 3:
        return any(abs(b / 2 - (a + c) / 4) > _FLATNESS for a, b, c in zip(*points, strict=True))
    return any(
        abs(b - a - (d - a) / 3) > _FLATNESS or abs(c - d + (d - a) / 3) > _FLATNESS
        for a, b, c, d in zip(*points, strict=True)
    )


def _halves(points: tuple[Point, ...]) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    left, right = [points[0]], [points[-1]]
    while len(points) > 1:
        points = tuple(((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in itertools.pairwise(points))
        left.append(points[0])
        right.append(points[-1])
    return tuple(left), tuple(reversed(right))


def _bezier(control: FloatArray, t: FloatArray) -> tuple[FloatArray, FloatArray]:
    rows = [np.broadcast_to(point, (len(t), len(point))) for point in control]
    slopes = np.zeros_like(rows[0])
    degree = len(rows) - 1
    while len(rows) > 1:
        if len(rows) == 2:
            slopes = (rows[1] - rows[0]) * degree
        rows = [a + (b - a) * t[:, None] for a, b in itertools.pairwise(rows)]
    return np.asarray(rows[0]), slopes


def _curves_of(segment: Sequence[float]) -> list[_Curve]:
    """What a segment of scene/paths.py is drawn with: itself, or for an arc conics of a third of a turn at most."""
    if len(segment) != 11:
        return [_Curve(tuple(zip(segment[::2], segment[1::2], strict=True)))]
    cx, cy, rx, ry, phi, first, turn = segment[4:]
    cos, sin = math.cos(phi), math.sin(phi)
    count = max(1, math.ceil(abs(turn) / (math.tau / 3)))
    half = turn / count / 2
    corners: list[Point] = []
    for index in range(2 * count + 1):
        angle = first + half * index
        reach = 1 / math.cos(half) if index % 2 else 1.0
        u, v = rx * reach * math.cos(angle), ry * reach * math.sin(angle)
        corners.append((cx + cos * u - sin * v, cy + sin * u + cos * v))
    # The segment's own end points, without rounding.
    corners[0], corners[-1] = (segment[0], segment[1]), (segment[2], segment[3])
    return [
        _Curve((corners[index], corners[index + 1], corners[index + 2]), math.cos(half))
        for index in range(0, 2 * count, 2)
    ]


class PathMeasure:
    """Length along a path as Chromium measures it: points and directions at distances from its start.

    User units and degrees. What is added up are the chords of flat pieces; the point itself lies on the curve.
    """

    __slots__ = ("_curve_of", "_curves", "_distances", "_start", "_t", "is_closed", "length")

    def __init__(self, path: Path) -> None:
        self._curves: list[_Curve] = []
        self._start = path.subpaths[0].start if path.subpaths else (0.0, 0.0)
        self.is_closed = bool(path.subpaths) and path.subpaths[-1].closed
        curve_of, parameters, chords = [0], [0.0], [0.0]
        for subpath in path.subpaths:
            segments = list(subpath.segments)
            end = segments[-1][_end_index(segments[-1]) :][:2] if segments else subpath.start
            if subpath.closed and end != subpath.start:
                segments.append((*end, *subpath.start))
            for segment in segments[: max(_MAX_CURVES - len(self._curves), 0)]:
                for curve in _curves_of(segment):
                    for stop, chord in curve.pieces():
                        curve_of.append(len(self._curves))
                        parameters.append(stop)
                        chords.append(chord)
                    self._curves.append(curve)
        self._curve_of = np.array(curve_of)
        self._t = np.array(parameters)
        self._distances = np.cumsum(chords)
        self.length = float(self._distances[-1])

    def at(self, distance: FloatArray, *, wrap: bool = True) -> tuple[FloatArray, FloatArray, FloatArray]:
        """x, y and direction at distances; a closed path wraps around, others (and without ``wrap``) end."""
        count = len(distance)
        if not 0 < self.length < np.inf:
            return np.full(count, self._start[0]), np.full(count, self._start[1]), np.zeros(count)
        if self.is_closed and wrap:
            distance = np.mod(distance, self.length)
        distance = np.clip(distance, 0.0, self.length)
        index = np.clip(np.searchsorted(self._distances, distance, side="left"), 1, len(self._distances) - 1)
        step = self._distances[index] - self._distances[index - 1]
        along = np.where(step > 0, (distance - self._distances[index - 1]) / np.where(step > 0, step, 1.0), 0.0)
        curve = self._curve_of[index]
        before = np.where((self._curve_of[index - 1] == curve) & (index > 1), self._t[index - 1], 0.0)
        t = before + (self._t[index] - before) * along
        x, y, angle = np.empty(count), np.empty(count), np.empty(count)
        for number in np.unique(curve):
            mask = curve == number
            points, slopes = self._curves[number].at(t[mask])
            x[mask], y[mask] = points[:, 0], points[:, 1]
            angle[mask] = np.degrees(np.arctan2(slopes[:, 1], slopes[:, 0]))
        return x, y, angle


def _end_index(segment: Sequence[float]) -> int:
    return 2 if len(segment) == 11 else len(segment) - 2


# ---------------------------------------------------------------------------------------------------------------------
# The transform


@dataclass(frozen=True, slots=True)
class OffsetBoxes:
    """Boxes (x, y, width, height) that offsets refer to, in the element's user units.

    ``path``: percentages of the offset path and position. ``anchor``: the element's transform box, which a percentage
    of ``offset-anchor`` refers to.
    """

    path: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    anchor: tuple[Value, Value, Value, Value] = (0.0, 0.0, 0.0, 0.0)


def offset_matrices(
    path: Series,
    distance: Series,
    rotate: Series,
    anchor: Series,
    position: Series,
    *,
    origin: tuple[Value, Value],
    boxes: OffsetBoxes | None = None,
) -> FloatArray:
    """The offset transform (T, 6) to multiply in between ``scale`` and ``transform``; identity without a path.

    ``origin`` is the transform origin in user units, a number or an array over times for each axis: ``offset-anchor:
    auto`` is that point. Rows are NaN where the path is not evaluated (``shape()``, rounded rectangles).
    """
    boxes = boxes or OffsetBoxes()
    result = np.tile(np.array([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]), (path.count, 1))
    turns = rotate.numbers()[:, 0]
    follows = np.array([form == "auto" for form in rotate.forms])
    lengths = distance.numbers("length")
    starts = position.numbers("position") if "position" in position.forms else None
    origin_x, origin_y = (np.broadcast_to(np.asarray(value, dtype=np.float64), path.count) for value in origin)
    anchor_x, anchor_y = _anchor_points(anchor, boxes.anchor, origin_x, origin_y)
    with np.errstate(all="ignore"):
        for index, value in path.pieces:
            if value.form == "none":
                continue
            if value.form == "unsupported":
                result[index] = np.nan
                continue
            start = None if starts is None else starts[index]
            found = _points(value, lengths[index], start, boxes.path)
            if found is None:
                continue
            x, y, direction = found
            angle = turns[index] + np.where(follows[index], direction, 0.0)
            functions: list[tuple[Kind, Sequence[Value]]] = [
                (Kind.TRANSLATE, (x - origin_x[index], 0.0, y - origin_y[index], 0.0, 0.0)),
                (Kind.ROTATE, (angle,)),
                (
                    Kind.TRANSLATE,
                    (origin_x[index] - anchor_x[index], 0.0, origin_y[index] - anchor_y[index], 0.0, 0.0),
                ),
            ]
            result[index] = stack(product(functions), len(index))
    return result


def _anchor_points(
    anchor: Series, box: tuple[Value, Value, Value, Value], origin_x: FloatArray, origin_y: FloatArray
) -> tuple[FloatArray, FloatArray]:
    x, y = origin_x.copy(), origin_y.copy()
    left, top, width, height = (np.broadcast_to(np.asarray(value, dtype=np.float64), anchor.count) for value in box)
    for index, value in anchor.pieces:
        if value.form == "position":
            numbers = value.numbers
            x[index] = left[index] + numbers[..., 0] + numbers[..., 1] * width[index]
            y[index] = top[index] + numbers[..., 2] + numbers[..., 3] * height[index]
    return x, y


_Found = tuple["FloatArray", "FloatArray", "FloatArray"]


def _points(
    value: Vector, lengths: FloatArray, start: FloatArray | None, box: tuple[float, float, float, float]
) -> _Found | None:
    """x, y and direction for each of the piece's times."""
    form = value.form
    assert isinstance(form, tuple)
    if form[0] == "ray":
        return _ray_points(form, value.numbers, lengths, start, box)
    if value.numbers.ndim == 1:
        measure = _measure(form, tuple(value.numbers.tolist()), box)
        return None if measure is None else measure.at(lengths[:, 0] + lengths[:, 1] * measure.length)
    if len(lengths) > _MAX_MORPHS:
        return (np.full(len(lengths), np.nan),) * 3
    rows = np.zeros((3, len(lengths)))
    for time, numbers in enumerate(value.numbers.tolist()):
        measure = _measure(form, tuple(numbers), box)
        if measure is not None:
            along = lengths[time : time + 1, 0] + lengths[time : time + 1, 1] * measure.length
            rows[:, time] = [float(part[0]) for part in measure.at(along)]
    return rows[0], rows[1], rows[2]


@functools.lru_cache(maxsize=256)
def _measure(
    form: tuple[Any, ...], numbers: tuple[float, ...], box: tuple[float, float, float, float]
) -> PathMeasure | None:
    path = vector_path(form[1], numbers) if form[0] == "path" else _shape_path(form, numbers, box)
    return None if path is None or path.is_empty else PathMeasure(path)


def _ray_points(
    form: tuple[Any, ...],
    numbers: FloatArray,
    lengths: FloatArray,
    start: FloatArray | None,
    box: tuple[float, float, float, float],
) -> _Found:
    left, top, width, height = box
    count = len(lengths)
    if form[3]:
        x = left + numbers[..., 1] + numbers[..., 2] * width
        y = top + numbers[..., 3] + numbers[..., 4] * height
    elif start is not None:
        x = left + start[:, 0] + start[:, 1] * width
        y = top + start[:, 2] + start[:, 3] * height
    else:
        x, y = np.full(count, left + width / 2), np.full(count, top + height / 2)
    angle = np.broadcast_to(numbers[..., 0], count)
    x, y = np.broadcast_to(x, count), np.broadcast_to(y, count)
    sides = np.abs(np.stack([x - left, left + width - x, y - top, top + height - y]))
    corner_x = np.minimum(sides[0], sides[1]), np.maximum(sides[0], sides[1])
    corner_y = np.minimum(sides[2], sides[3]), np.maximum(sides[2], sides[3])
    direction_x, direction_y = np.sin(np.radians(angle)), -np.cos(np.radians(angle))
    match form[1]:
        case "closest-side":
            reach = sides.min(axis=0)
        case "farthest-side":
            reach = sides.max(axis=0)
        case "closest-corner":
            reach = np.hypot(corner_x[0], corner_y[0])
        case "farthest-corner":
            reach = np.hypot(corner_x[1], corner_y[1])
        case _:
            inside = (x >= left) & (x <= left + width) & (y >= top) & (y <= top + height)
            across = np.where(direction_x > 0, left + width - x, x - left) / np.abs(direction_x)
            down = np.where(direction_y > 0, top + height - y, y - top) / np.abs(direction_y)
            reach = np.where(inside, np.nan_to_num(np.fmin(across, down)), 0.0)
    along = lengths[:, 0] + lengths[:, 1] * reach
    return x + direction_x * along, y + direction_y * along, angle - 90.0


def _shape_path(form: tuple[Any, ...], numbers: Sequence[float], box: tuple[float, float, float, float]) -> Path | None:
    left, top, width, height = box
    name = form[0]
    if name == "polygon":
        points = [
            (left + numbers[i] + numbers[i + 1] * width, top + numbers[i + 2] + numbers[i + 3] * height)
            for i in range(0, len(numbers), 4)
        ]
        return build_path([("M", points[0]), *(("L", point) for point in points[1:]), ("Z", ())])
    if name == "inset":
        y1, x2, y2, x1 = (numbers[i] + numbers[i + 1] * (height if i in {0, 4} else width) for i in range(0, 8, 2))
        x1, y1 = left + x1, top + y1
        x2, y2 = max(left + width - x2, x1), max(top + height - y2, y1)
        corners = [("M", (x1, y1)), ("L", (x2, y1)), ("L", (x2, y2)), ("L", (x1, y2)), ("Z", ())]
        return build_path([(letter, tuple(values)) for letter, values in corners])
    *kinds, has_position = form[1:]
    position = numbers[-4:] if has_position else (0.0, 0.5, 0.0, 0.5)
    x = left + position[0] + position[1] * width
    y = top + position[2] + position[3] * height
    gaps = ((abs(x - left), abs(left + width - x)), (abs(y - top), abs(top + height - y)))
    radii: list[float] = []
    used = 0
    for axis, kind in enumerate(kinds):
        if kind == "length":
            reference = float(np.hypot(width, height) / np.sqrt(2)) if name == "circle" else (width, height)[axis]
            radii.append(numbers[used] + numbers[used + 1] * reference)
            used += 2
        else:
            distances = (*gaps[0], *gaps[1]) if name == "circle" else gaps[axis]
            radii.append(min(distances) if kind == "closest-side" else max(distances))
    rx, ry = radii[0], radii[-1]
    if rx <= 0 and ry <= 0:
        return None
    quarters = [(x, y + ry), (x - rx, y), (x, y - ry), (x + rx, y)]
    arcs = [("A", (rx, ry, 0.0, 0.0, 1.0, *point)) for point in quarters]
    return build_path([("M", (x + rx, y)), *arcs, ("Z", ())])
