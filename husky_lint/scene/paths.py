"""SVG path data: text to segments, tight bounds, outlines.

The grammar is SVG 2, section 9.3, with its error handling (9.5.4): a path is rendered up to the first error. Where the
text leaves room, the reading is Chromium's: one comma may follow any number, and a number must fit a 32-bit float.
Bounds are exact: the interior extrema of Bézier curves and of elliptical arcs are found, not sampled.

Everything is in the user units of the element that carries the path.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

FLOAT_MAX: Final = 3.4028234663852886e38
"""The largest 32-bit float; a number beyond it is a syntax error in path data and in ``points``."""

NUMBER: Final = r"[-+]?(?:\d*+\.\d++|\d++(?!\.))(?:[eE][-+]?\d++|(?![eE](?![xm])))"
"""A number of the SVG microsyntaxes: ``5.`` and ``1e`` are none."""

_SPACE = r"[ \t\n\r\f]*+"
_SEPARATOR = rf"{_SPACE},?{_SPACE}"
_NUMBER = re.compile(rf"({NUMBER}){_SEPARATOR}")
_NUMBERS = re.compile(rf"{_SPACE}(?:{NUMBER}{_SEPARATOR})*+\Z")
_FIND_NUMBERS = re.compile(NUMBER)
_FLAG = re.compile(rf"([01]){_SEPARATOR}")
_COMMANDS = re.compile(r"([MmZzLlHhVvCcSsQqTtAa])([^MmZzLlHhVvCcSsQqTtAa]*+)")
_LEADING_SPACE = re.compile(_SPACE)
_ARITY: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}

Segment = tuple[float, ...]
"""The control points x0 y0 x1 y1 … of a line (4 numbers), a quadratic (6) or a cubic Bézier curve (8), or an arc (11).

An arc is x0 y0 x1 y1, centre x y, radii, and in radians: rotation of the ellipse, first angle and turn on the circle.
"""
_ARC: Final = 11
"""The numbers of an arc; curves have fewer."""
_POINTS_AT_ONCE: Final = 200_000
"""Points that curves are flattened to in one turn, to bound memory."""

Command = tuple[str, tuple[float, ...]]
"""One drawing command with exactly its arguments: a letter of ``MmLlHhVvCcSsQqTtAaZz`` and up to seven numbers."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

_NOT_COMPUTED: Final[Box] = (math.nan, math.nan, math.nan, math.nan)


@dataclass(frozen=True, slots=True)
class Subpath:
    """The segments from one move-to on; ``closed`` when a close-path ends it (the closing line is no segment)."""

    start: tuple[float, float]
    segments: tuple[Segment, ...]
    closed: bool


class Path:
    """Parsed path data: its subpaths, the commands they come from, and where the first syntax error stands, if any."""

    __slots__ = ("_bounds", "commands", "error", "flattened", "subpaths")

    def __init__(
        self, subpaths: tuple[Subpath, ...], commands: tuple[Command, ...] = (), error: int | None = None
    ) -> None:
        self.subpaths = subpaths
        self.commands = commands
        self.error = error
        self._bounds: Box | None = _NOT_COMPUTED
        self.flattened: dict[tuple[float, int], Sequence[NDArray[np.float64]]] = {}
        """Its polylines by tolerance and limit, see :func:`flatten`."""

    @property
    def is_empty(self) -> bool:
        """No subpath at all; a lone move-to is not empty, it is a point."""
        return not self.subpaths

    def loose_points(self) -> list[tuple[float, float]]:
        """Points that count towards the bounds although no segment ends there.

        A closed move-to is a point of the path. Open move-tos without a segment are not, but for the last one: it is
        if there is nothing else, and (in Chromium) if the path has a curve anywhere.
        """
        points = [subpath.start for subpath in self.subpaths if subpath.closed and not subpath.segments]
        if self.subpaths:
            last = self.subpaths[-1]
            if not last.closed and not last.segments:
                sizes = {len(segment) for subpath in self.subpaths for segment in subpath.segments}
                if (not points and not sizes) or max(sizes, default=0) > 4:
                    points.append(last.start)
        return points

    @property
    def bounds(self) -> Box | None:
        """Tight bounds of the outline, None for an empty path. See :func:`compute_bounds` for many at once."""
        if self._bounds is _NOT_COMPUTED:
            compute_bounds([self])
        return self._bounds


EMPTY: Final = Path(())


@lru_cache(maxsize=4096)
def parse_path(text: str) -> Path:
    """Path data to segments; never raises, a syntax error ends the path at the last whole segment."""
    commands, error = _parse_commands(text)
    return build_path(commands, error)


def build_path(commands: Sequence[Command], error: int | None = None) -> Path:
    """Drawing commands to segments; drawing stops where a coordinate leaves the range of a 32-bit float."""
    pen = _Pen()
    for letter, arguments in commands:
        kind = letter.upper()
        _DRAW[kind](pen, arguments, letter != kind)
        if not (-FLOAT_MAX <= pen.x <= FLOAT_MAX and -FLOAT_MAX <= pen.y <= FLOAT_MAX):
            break
    return Path(pen.finish(), tuple(commands), error)


def _parse_commands(text: str) -> tuple[list[Command], int | None]:
    """The commands before the first syntax error, and the offset of that error."""
    commands: list[Command] = []
    expected = _match_end(_LEADING_SPACE, text, 0)
    if expected == len(text) or text.strip(" \t\n\r\f") == "none":
        return commands, None
    if text[expected] not in "Mm":
        return commands, expected
    for match in _COMMANDS.finditer(text, expected):
        if match.start() != expected:
            return commands, expected
        expected = match.end()
        letter, arguments = match.group(1), match.group(2)
        arity = _ARITY[letter.upper()]
        if arity == 0:
            commands.append((letter, ()))
            end = _match_end(_LEADING_SPACE, arguments, 0)
            if end != len(arguments):
                return commands, match.start(2) + end
            continue
        numbers, error = _parse_arc_arguments(arguments) if arity == 7 else parse_numbers(arguments)
        whole = len(numbers) // arity * arity
        for index in range(0, whole, arity):
            commands.append((letter, tuple(numbers[index : index + arity])))
            # Further pairs after a move-to are line-tos.
            letter = {"M": "L", "m": "l"}.get(letter, letter)
        if error is None and (whole != len(numbers) or whole == 0):
            error = len(arguments)
        if error is not None:
            return commands, match.start(2) + error
    return commands, expected if expected != len(text) else None


def _match_end(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return position if match is None else match.end()


def parse_numbers(text: str) -> tuple[list[float], int | None]:
    """Numbers separated by spaces and at most one comma each; the offset of the first error, if any."""
    if _NUMBERS.match(text):
        numbers = [float(number) for number in _FIND_NUMBERS.findall(text)]
        if all(-FLOAT_MAX <= number <= FLOAT_MAX for number in numbers):
            return numbers, None
    numbers = []
    position = _match_end(_LEADING_SPACE, text, 0)
    while position < len(text):
        match = _NUMBER.match(text, position)
        if match is None:
            return numbers, position
        number = float(match.group(1))
        if not -FLOAT_MAX <= number <= FLOAT_MAX:
            return numbers, position
        numbers.append(number)
        position = match.end()
    return numbers, None


def _parse_arc_arguments(text: str) -> tuple[list[float], int | None]:
    """Arc arguments: the fourth and fifth of seven are flags, one character each, so ``0110`` is two flags and 10."""
    numbers: list[float] = []
    position = _match_end(_LEADING_SPACE, text, 0)
    while position < len(text):
        match = (_FLAG if len(numbers) % 7 in (3, 4) else _NUMBER).match(text, position)
        if match is None:
            return numbers, position
        number = float(match.group(1))
        if not -FLOAT_MAX <= number <= FLOAT_MAX:
            return numbers, position
        numbers.append(number)
        position = match.end()
    return numbers, None


class _Pen:
    """Draws commands into segments, keeping the current point and what S and T reflect."""

    __slots__ = ("control", "control_kind", "drawing", "segments", "start", "subpaths", "x", "y")

    def __init__(self) -> None:
        self.subpaths: list[Subpath] = []
        self.segments: list[Segment] = []
        self.start: tuple[float, float] = (0.0, 0.0)
        self.x = self.y = 0.0
        self.control: tuple[float, float] = (0.0, 0.0)
        self.control_kind = ""
        self.drawing = False

    def finish(self) -> tuple[Subpath, ...]:
        self._end(closed=False)
        return tuple(self.subpaths)

    def _end(self, *, closed: bool) -> None:
        if self.drawing or closed:
            self.subpaths.append(Subpath(self.start, tuple(self.segments), closed))
        self.segments = []
        self.drawing = False
        self.control_kind = ""

    def _draw(self, segment: Segment) -> None:
        """Add a segment; after a close-path the next subpath starts where the last one did."""
        self.drawing = True
        self.segments.append(segment)

    def _close(self, a: tuple[float, ...], relative: bool) -> None:
        self._end(closed=True)
        self.x, self.y = self.start

    def _move(self, a: tuple[float, ...], relative: bool) -> None:
        self._end(closed=False)
        self.x, self.y = (self.x + a[0], self.y + a[1]) if relative else (a[0], a[1])
        self.start = (self.x, self.y)
        self.drawing = True

    def _line_to(self, x: float, y: float) -> None:
        self._draw((self.x, self.y, x, y))
        self.x, self.y = x, y
        self.control_kind = ""

    def _line(self, a: tuple[float, ...], relative: bool) -> None:
        if relative:
            self._line_to(self.x + a[0], self.y + a[1])
        else:
            self._line_to(a[0], a[1])

    def _horizontal(self, a: tuple[float, ...], relative: bool) -> None:
        self._line_to(self.x + a[0] if relative else a[0], self.y)

    def _vertical(self, a: tuple[float, ...], relative: bool) -> None:
        self._line_to(self.x, self.y + a[0] if relative else a[0])

    def _cubic(self, a: tuple[float, ...], relative: bool) -> None:
        x, y = (self.x, self.y) if relative else (0.0, 0.0)
        self._cubic_to(x + a[0], y + a[1], x + a[2], y + a[3], x + a[4], y + a[5])

    def _smooth_cubic(self, a: tuple[float, ...], relative: bool) -> None:
        x, y = (self.x, self.y) if relative else (0.0, 0.0)
        x1, y1 = self._reflected("C")
        self._cubic_to(x1, y1, x + a[0], y + a[1], x + a[2], y + a[3])

    def _cubic_to(self, x1: float, y1: float, x2: float, y2: float, x: float, y: float) -> None:
        self._draw((self.x, self.y, x1, y1, x2, y2, x, y))
        self.x, self.y = x, y
        self.control, self.control_kind = (x2, y2), "C"

    def _quadratic(self, a: tuple[float, ...], relative: bool) -> None:
        x, y = (self.x, self.y) if relative else (0.0, 0.0)
        self._quadratic_to(x + a[0], y + a[1], x + a[2], y + a[3])

    def _smooth_quadratic(self, a: tuple[float, ...], relative: bool) -> None:
        x, y = (self.x, self.y) if relative else (0.0, 0.0)
        x1, y1 = self._reflected("Q")
        self._quadratic_to(x1, y1, x + a[0], y + a[1])

    def _quadratic_to(self, x1: float, y1: float, x: float, y: float) -> None:
        self._draw((self.x, self.y, x1, y1, x, y))
        self.x, self.y = x, y
        self.control, self.control_kind = (x1, y1), "Q"

    def _reflected(self, kind: str) -> tuple[float, float]:
        if self.control_kind != kind:
            return (self.x, self.y)
        return (2 * self.x - self.control[0], 2 * self.y - self.control[1])

    def _arc(self, a: tuple[float, ...], relative: bool) -> None:
        x, y = (self.x + a[5], self.y + a[6]) if relative else (a[5], a[6])
        segment = arc_segment(self.x, self.y, a[0], a[1], a[2], a[3] >= 0.5, a[4] >= 0.5, x, y)
        if segment is not None:
            self._draw(segment)
        self.x, self.y = x, y
        self.control_kind = ""


_DRAW: Final[dict[str, Callable[[_Pen, tuple[float, ...], bool], None]]] = {
    "M": _Pen._move,
    "L": _Pen._line,
    "H": _Pen._horizontal,
    "V": _Pen._vertical,
    "C": _Pen._cubic,
    "S": _Pen._smooth_cubic,
    "Q": _Pen._quadratic,
    "T": _Pen._smooth_quadratic,
    "A": _Pen._arc,
    "Z": _Pen._close,
}


def arc_segment(
    x0: float, y0: float, rx: float, ry: float, rotation: float, large: bool, sweep: bool, x: float, y: float
) -> Segment | None:
    """An elliptical arc in centre form, SVG 2 appendix B.2; ``rotation`` in degrees.

    Equal end points give nothing, a zero radius gives a line, radii too small are scaled up.
    """
    if x0 == x and y0 == y:
        return None
    rx, ry = abs(rx), abs(ry)
    if rx == 0 or ry == 0:
        return (x0, y0, x, y)
    phi = math.radians(math.fmod(rotation, 360))
    cos, sin = math.cos(phi), math.sin(phi)
    # The end points in the frame of a unit circle.
    ux0, uy0 = (cos * x0 + sin * y0) / rx, (cos * y0 - sin * x0) / ry
    ux1, uy1 = (cos * x + sin * y) / rx, (cos * y - sin * x) / ry
    dx, dy = ux1 - ux0, uy1 - uy0
    squared = dx * dx + dy * dy
    if not 0 < squared < math.inf:
        return (x0, y0, x, y)
    if squared > 4:
        scale = math.sqrt(squared) / 2
        rx, ry = rx * scale, ry * scale
        ux0, uy0, ux1, uy1, dx, dy = (value / scale for value in (ux0, uy0, ux1, uy1, dx, dy))
        squared = 4.0
    height = math.sqrt(max(1 / squared - 0.25, 0.0))
    if large == sweep:
        height = -height
    center_x, center_y = (ux0 + ux1) / 2 - height * dy, (uy0 + uy1) / 2 + height * dx
    start = math.atan2(uy0 - center_y, ux0 - center_x)
    turn = math.atan2(uy1 - center_y, ux1 - center_x) - start
    if turn < 0 and sweep:
        turn += math.tau
    elif turn > 0 and not sweep:
        turn -= math.tau
    center = (cos * rx * center_x - sin * ry * center_y, sin * rx * center_x + cos * ry * center_y)
    return (x0, y0, x, y, *center, rx, ry, phi, start, turn)


def compute_bounds(paths: Iterable[Path]) -> None:
    """Work out :attr:`Path.bounds` of many paths together, which is much faster than one by one."""
    pending = list({id(path): path for path in paths if path._bounds is _NOT_COMPUTED}.values())
    low = np.full((len(pending), 2), np.inf)
    high = np.full((len(pending), 2), -np.inf)
    by_size: dict[int, tuple[list[float], list[int]]] = {size: ([], []) for size in (2, 4, 6, 8, 11)}
    for index, path in enumerate(pending):
        for point in path.loose_points():
            by_size[2][0].extend(point)
            by_size[2][1].append(index)
        for subpath in path.subpaths:
            for segment in subpath.segments:
                values, owners = by_size[len(segment)]
                values.extend(segment)
                owners.append(index)
    for size, (values, owners) in by_size.items():
        if owners:
            segment_low, segment_high = extent(np.array(values).reshape(-1, size))
            np.minimum.at(low, owners, segment_low)
            np.maximum.at(high, owners, segment_high)
    for path, (left, top), (right, bottom) in zip(pending, low.tolist(), high.tolist(), strict=True):
        path._bounds = (left, top, right, bottom) if path.subpaths else None


def extent(segments: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Smallest and largest coordinates of segments ``(…, n)`` of one kind, both ``(…, 2)``."""
    size = segments.shape[-1]
    if size == 11:
        return arc_extent(segments)
    return curve_extent(segments.reshape(*segments.shape[:-1], size // 2, 2))


def curve_extent(points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Smallest and largest coordinates of Bézier curves of one degree (0 to 3).

    ``points`` is ``(…, degree + 1, 2)``; both results are ``(…, 2)``. Interior extrema are roots of the derivative.
    """
    first, last = points[..., 0, :], points[..., -1, :]
    low, high = np.minimum(first, last), np.maximum(first, last)
    degree = points.shape[-2] - 1
    if degree < 2:
        return low, high
    with np.errstate(all="ignore"):
        for t in _derivative_roots(points, degree):
            value = _evaluate(points, np.clip(t, 0.0, 1.0))
            inside = (t > 0) & (t < 1)
            low = np.where(inside, np.fmin(low, value), low)
            high = np.where(inside, np.fmax(high, value), high)
    return low, high


def _derivative_roots(points: NDArray[np.float64], degree: int) -> list[NDArray[np.float64]]:
    """Roots of the derivative for each coordinate; NaN or infinite where there is none."""
    differences = np.diff(points, axis=-2)
    if degree == 2:
        d0, d1 = differences[..., 0, :], differences[..., 1, :]
        return [d0 / (d0 - d1)]
    d0, d1, d2 = differences[..., 0, :], differences[..., 1, :], differences[..., 2, :]
    a, half_b = d0 - 2 * d1 + d2, d1 - d0
    # The stable form: neither root subtracts numbers of one size, and a vanishing `a` leaves the linear root.
    q = -(half_b + np.copysign(np.sqrt(half_b * half_b - a * d0), half_b))
    return [q / a, d0 / q]


def _evaluate(points: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bézier curves at ``t`` by de Casteljau's steps; ``t`` has one value for each coordinate."""
    level = [points[..., index, :] for index in range(points.shape[-2])]
    while len(level) > 1:
        level = [a + (b - a) * t for a, b in pairwise(level)]
    return level[0]


def arc_extent(arcs: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Smallest and largest coordinates of arcs ``(…, 11)``; both results are ``(…, 2)``."""
    low, high = np.minimum(arcs[..., 0:2], arcs[..., 2:4]), np.maximum(arcs[..., 0:2], arcs[..., 2:4])
    rx, ry, phi = arcs[..., 6], arcs[..., 7], arcs[..., 8]
    start, turn = arcs[..., 9, None], arcs[..., 10, None]
    cos, sin = np.cos(phi), np.sin(phi)
    # The angles at which x, then y, is extreme; the other extremum lies half a turn on.
    extreme = np.stack([np.arctan2(-ry * sin, rx * cos), np.arctan2(ry * cos, rx * sin)], axis=-1)
    reach = np.stack([np.hypot(rx * cos, ry * sin), np.hypot(rx * sin, ry * cos)], axis=-1)
    for angle, sign in ((extreme, 1.0), (extreme + np.pi, -1.0)):
        passed = np.where(turn >= 0, (angle - start) % math.tau <= turn, (start - angle) % math.tau <= -turn)
        value = np.where(passed, arcs[..., 4:6] + sign * reach, arcs[..., 0:2])
        low, high = np.minimum(low, value), np.maximum(high, value)
    return low, high


def flatten(path: Path, tolerance: float = 0.05, *, limit: int = 100_000) -> Sequence[NDArray[np.float64]]:
    """One polyline ``(n, 2)`` a subpath, never farther than ``tolerance`` user units from the curve. Not to be written.

    A closed subpath repeats its first point at the end. ``limit`` bounds the points of one curve.
    """
    known = path.flattened.get((tolerance, limit))
    if known is None:
        known = path.flattened[tolerance, limit] = tuple(_flatten(path, tolerance, limit))
    return known


def _flatten(path: Path, tolerance: float, limit: int) -> Iterator[NDArray[np.float64]]:
    by_size: dict[int, list[Segment]] = {}
    for subpath in path.subpaths:
        for segment in subpath.segments:
            by_size.setdefault(len(segment), []).append(segment)
    flat = {
        size: iter(_flatten_curves(np.array(segments).reshape(len(segments), -1, 2), tolerance, limit))
        for size, segments in by_size.items()
        if size != _ARC
    }
    for subpath in path.subpaths:
        pieces = [np.array([subpath.start])]
        for segment in subpath.segments:
            is_arc = len(segment) == _ARC
            pieces.append(_flatten_arc(segment, tolerance, limit) if is_arc else next(flat[len(segment)]))
        if subpath.closed:
            pieces.append(np.array([subpath.start]))
        outline = np.concatenate(pieces)
        outline.flags.writeable = False
        yield outline


def _flatten_curves(points: NDArray[np.float64], tolerance: float, limit: int) -> Iterator[NDArray[np.float64]]:
    """The points after the first one of Bézier curves of one degree, (n, degree + 1, 2), curve by curve."""
    degree = points.shape[1] - 1
    if degree == 1:
        yield from points[:, 1:]
        return
    # A chord over 1/n of the parameter strays by at most |second derivative| / (8 n²).
    second = np.diff(points, 2, axis=1)
    with np.errstate(all="ignore"):
        bend = degree * (degree - 1) * np.hypot(second[..., 0], second[..., 1]).max(axis=1)
        wanted = np.ceil(np.sqrt(bend / (8 * tolerance)))
    counts = np.where(np.isfinite(bend), np.clip(wanted, 1, limit), 1).astype(np.intp)
    at = 0
    while at < len(counts):
        within = max(1, int(np.searchsorted(np.cumsum(counts[at:]), _POINTS_AT_ONCE, side="right")))
        chosen = counts[at : at + within]
        ends = np.cumsum(chosen)
        curve = np.repeat(np.arange(len(chosen)), chosen)
        step = np.arange(1, ends[-1] + 1) - (ends - chosen)[curve]
        flat = _evaluate(points[at : at + within][curve], (step * (1.0 / chosen)[curve])[:, None])
        flat[ends - 1] = points[at : at + within, -1]
        yield from np.split(flat, ends[:-1])
        at += within


def _flatten_arc(segment: Segment, tolerance: float, limit: int) -> NDArray[np.float64]:
    _, _, x, y, center_x, center_y, rx, ry, phi, start, turn = segment
    radius = max(rx, ry)
    # A chord over an angle strays from a circle by radius · (1 - cos(angle / 2)).
    step = 2 * math.acos(1 - min(tolerance / radius, 1.0)) if math.isfinite(radius) else math.pi
    count = min(max(1, math.ceil(abs(turn) / max(step, 1e-9))), limit)
    angle = start + turn * np.linspace(0.0, 1.0, count + 1)[1:]
    u, v = rx * np.cos(angle), ry * np.sin(angle)
    cos, sin = math.cos(phi), math.sin(phi)
    flat = np.stack([center_x + cos * u - sin * v, center_y + sin * u + cos * v], axis=1)
    flat[-1] = (x, y)
    return flat
