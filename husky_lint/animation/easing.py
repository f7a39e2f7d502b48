"""CSS easing functions (CSS Easing 2), vectorised over progress values.

Progress and result are fractions; inputs outside 0..1 are extrapolated as the specification says. All classes are
immutable and hashable, so compiled keyframes can share them.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from husky_lint.style.values import parse_integer, parse_number, parse_percentage, split_commas, split_spaces

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from husky_lint.style.values import Node

    FloatArray: TypeAlias = NDArray[np.float64]
    BoolArray: TypeAlias = NDArray[np.bool_]

MAX_POINTS = 10_000
"""A ``linear()`` with more control points than this is refused."""

_GRID_CELLS = 512
_TOLERANCE = 1e-13


class Easing(Protocol):
    """Maps progress to eased progress."""

    @property
    def is_linear(self) -> bool:
        """Whether every progress maps to itself."""

    def __call__(self, progress: FloatArray, before: BoolArray | bool = False) -> FloatArray:
        """Eased progress. ``before`` is the before flag of CSS Easing 2, which only ``steps()`` heeds."""


@dataclass(frozen=True, slots=True)
class LinearEasing:
    """``linear``, and ``linear()`` with its control points ``(input, output)`` after canonicalisation."""

    points: tuple[tuple[float, float], ...] = ()

    @property
    def is_linear(self) -> bool:
        return len(self.points) != 1 and all(start == end for start, end in self.points)

    def __call__(self, progress: FloatArray, before: BoolArray | bool = False) -> FloatArray:
        if self.is_linear:
            return progress
        inputs, outputs = _columns(self.points)
        if len(inputs) == 1:
            return np.full_like(progress, outputs[0])
        index = np.clip(np.searchsorted(inputs, progress, side="right") - 1, 0, len(inputs) - 2)
        start, width = inputs[index], inputs[index + 1] - inputs[index]
        low, high = outputs[index], outputs[index + 1]
        flat = width == 0
        return np.where(flat, high, low + (high - low) * (progress - start) / np.where(flat, 1.0, width))


@functools.lru_cache(maxsize=256)
def _columns(points: tuple[tuple[float, float], ...]) -> tuple[FloatArray, FloatArray]:
    table = np.array(points, dtype=np.float64)
    return table[:, 0], table[:, 1]


@dataclass(frozen=True, slots=True)
class CubicBezier:
    """``cubic-bezier(x1, y1, x2, y2)``, with x1 and x2 in 0..1; outside 0..1 it goes on along its end tangents."""

    x1: float
    y1: float
    x2: float
    y2: float

    @property
    def is_linear(self) -> bool:
        return self.x1 == self.y1 and self.x2 == self.y2

    @property
    def gradients(self) -> tuple[float, float]:
        """Slopes of the tangents that extend the curve before 0 and after 1."""
        x1, y1, x2, y2 = self.x1, self.y1, self.x2, self.y2
        if x1 > 0:
            start = y1 / x1
        elif y1 == 0 and x2 > 0:
            start = y2 / x2
        else:
            start = 1.0 if y1 == 0 and y2 == 0 else 0.0
        if x2 < 1:
            end = (y2 - 1) / (x2 - 1)
        elif y2 == 1 and x1 < 1:
            end = (y1 - 1) / (x1 - 1)
        else:
            end = 1.0 if y2 == 1 and y1 == 1 else 0.0
        return start, end

    def __call__(self, progress: FloatArray, before: BoolArray | bool = False) -> FloatArray:
        if self.is_linear:
            return progress
        inside = np.clip(progress, 0.0, 1.0)
        eased = _Curves.of((self,))(np.zeros(progress.shape, dtype=np.intp), inside)
        if bool((inside == progress).all()):
            return eased
        start, end = self.gradients
        return np.where(progress < 0, start * progress, np.where(progress > 1, 1 + end * (progress - 1), eased))


@dataclass(frozen=True, slots=True)
class Steps:
    """``steps(count, position)``; ``at_start`` and ``at_end`` say whether the function jumps at 0 and at 1."""

    count: int
    at_start: bool
    at_end: bool

    @property
    def is_linear(self) -> bool:
        return False

    def __call__(self, progress: FloatArray, before: BoolArray | bool = False) -> FloatArray:
        jumps = self.count - 1 + self.at_start + self.at_end
        scaled = progress * self.count
        floor = np.floor(scaled)
        step = floor + self.at_start
        if before is not False:
            step = np.where(np.logical_and(before, scaled == floor), step - 1, step)
        step = np.where(progress >= 0, np.maximum(step, 0), step)
        step = np.where(progress <= 1, np.minimum(step, jumps), step)
        return step / jumps


LINEAR = LinearEasing()
EASE = CubicBezier(0.25, 0.1, 0.25, 1.0)
_KEYWORDS: dict[str, Easing] = {
    "linear": LINEAR,
    "ease": EASE,
    "ease-in": CubicBezier(0.42, 0.0, 1.0, 1.0),
    "ease-out": CubicBezier(0.0, 0.0, 0.58, 1.0),
    "ease-in-out": CubicBezier(0.42, 0.0, 0.58, 1.0),
    "step-start": Steps(1, at_start=True, at_end=False),
    "step-end": Steps(1, at_start=False, at_end=True),
}
_POSITIONS = {
    "jump-start": (True, False),
    "start": (True, False),
    "jump-end": (False, True),
    "end": (False, True),
    "jump-none": (False, False),
    "jump-both": (True, True),
}


# ---------------------------------------------------------------------------------------------------------------------
# Many curves at once


class _Curves:
    """Several cubic Béziers solved in one pass: row ``k`` of the arrays belongs to curve ``k``.

    x(t) is monotonic, so a table of x at growing t (denser at both ends, where tangents may be vertical) gives a
    first t by interpolation, Newton's method the rest, and bisection whatever Newton left.
    """

    __slots__ = ("_cx", "_cy", "_is_smooth", "_keys", "_parameters")

    def __init__(self, curves: Sequence[CubicBezier]) -> None:
        control = np.array([(c.x1, c.y1, c.x2, c.y2) for c in curves], dtype=np.float64)
        self._cx = _power_basis(control[:, 0], control[:, 2])
        self._cy = _power_basis(control[:, 1], control[:, 3])
        t = np.sin(np.linspace(0, np.pi / 2, _GRID_CELLS + 1)) ** 2
        t[-1] = 1.0
        x = ((self._cx[0][:, None] * t + self._cx[1][:, None]) * t + self._cx[2][:, None]) * t
        # Curve k's table is shifted by 2k, so that one sorted table serves all of them.
        x = np.maximum.accumulate(np.clip(x, 0.0, 1.0), axis=1)
        self._keys = (x + 2.0 * np.arange(len(curves))[:, None]).ravel()
        self._parameters = np.tile(t, len(curves))
        slope = (3 * self._cx[0][:, None] * t + 2 * self._cx[1][:, None]) * t + self._cx[2][:, None]
        self._is_smooth = float(slope.min()) > 0.25

    @staticmethod
    @functools.lru_cache(maxsize=512)
    def of(curves: tuple[CubicBezier, ...]) -> _Curves:
        return _Curves(curves)

    def __call__(self, which: NDArray[np.intp], x: FloatArray) -> FloatArray:
        """y of curve ``which[i]`` at ``x[i]``, with ``x`` in 0..1."""
        if self._keys.size == _GRID_CELLS + 1:
            (ax, bx, cx), (ay, by, cy) = self._cx[:, 0], self._cy[:, 0]
            t = np.interp(x, self._keys, self._parameters)
        else:
            (ax, bx, cx), (ay, by, cy) = self._cx[:, which], self._cy[:, which]
            t = np.interp(x + 2.0 * which, self._keys, self._parameters)
        ax3, bx2 = 3 * ax, 2 * bx
        if self._is_smooth:
            for _ in range(2):
                t -= (((ax * t + bx) * t + cx) * t - x) / ((ax3 * t + bx2) * t + cx)
        else:
            for _ in range(3):
                slope = np.maximum((ax3 * t + bx2) * t + cx, 1e-7)
                t -= (((ax * t + bx) * t + cx) * t - x) / slope
                np.minimum(np.maximum(t, 0.0, out=t), 1.0, out=t)
            lost = np.flatnonzero(np.abs(((ax * t + bx) * t + cx) * t - x) > _TOLERANCE)
            if lost.size:
                a, b, c = (np.broadcast_to(each, x.shape)[lost] for each in (ax, bx, cx))
                t[lost] = _bisect(a, b, c, x[lost])
        return np.asarray(((ay * t + by) * t + cy) * t, dtype=np.float64)


def _power_basis(first: FloatArray, second: FloatArray) -> FloatArray:
    """Coefficients (a, b, c) of a t³ + b t² + c t for the Bézier 0, first, second, 1."""
    c = 3 * first
    b = 3 * (second - first) - c
    return np.stack([1 - c - b, b, c])


def _bisect(a: FloatArray, b: FloatArray, c: FloatArray, x: FloatArray) -> FloatArray:
    low, high = np.zeros_like(x), np.ones_like(x)
    for _ in range(54):
        middle = (low + high) / 2
        below = ((a * middle + b) * middle + c) * middle < x
        low = np.where(below, middle, low)
        high = np.where(below, high, middle)
    return (low + high) / 2


class EasingSequence:
    """The easings of consecutive keyframe intervals, evaluated together.

    ``sequence(interval, progress)``: ``progress[i]`` eased by the function of interval ``interval[i]``. The before
    flag matters only if ``has_steps``. Progress inside an interval is in 0..1, but where a timing function around all
    of them has taken it beyond.
    """

    __slots__ = ("_curve_of", "_curves", "_easings", "_others", "has_steps", "is_linear")

    def __init__(self, easings: Sequence[Easing]) -> None:
        self._easings = tuple(easings)
        self.is_linear = all(easing.is_linear for easing in easings)
        self.has_steps = any(isinstance(easing, Steps) for easing in easings)
        curves: dict[CubicBezier, int] = {}
        self._curve_of = np.zeros(len(easings), dtype=np.intp)
        others: dict[Easing, list[int]] = {}
        for interval, easing in enumerate(easings):
            if easing.is_linear:
                easing = _STRAIGHT  # noqa: PLW2901 - a straight curve joins the others in one pass
            if isinstance(easing, CubicBezier):
                self._curve_of[interval] = curves.setdefault(easing, len(curves))
            else:
                others.setdefault(easing, []).append(interval)
        self._curves = _Curves.of(tuple(curves)) if curves and not self.is_linear else None
        self._others = tuple((easing, np.array(intervals)) for easing, intervals in others.items())

    def __call__(
        self, interval: NDArray[np.intp], progress: FloatArray, before: BoolArray | bool = False
    ) -> FloatArray:
        if self.is_linear:
            return progress
        eased = progress
        if self._curves is not None:
            # Rounding may have left an interval by a hair.
            eased = self._curves(self._curve_of[interval], np.clip(progress, 0.0, 1.0))
            beyond = (progress < -_HAIR) | (progress > 1 + _HAIR)
            if beyond.any():
                for number, easing in enumerate(self._easings):
                    mask = beyond & (interval == number)
                    eased[mask] = easing(progress[mask])
        for easing, intervals in self._others:
            mask = np.isin(interval, intervals)
            if bool(mask.any()):
                eased = np.where(mask, easing(progress, before), eased)
        return eased


_HAIR = 1e-9
_STRAIGHT = CubicBezier(1 / 3, 1 / 3, 2 / 3, 2 / 3)


# ---------------------------------------------------------------------------------------------------------------------
# Parsing


def parse_easing(tokens: Iterable[Node]) -> Easing | None:
    """An ``<easing-function>``, or ``None`` if the tokens are none."""
    nodes = split_spaces(tokens)
    if len(nodes) != 1:
        return None
    node = nodes[0]
    if node.type == "ident":
        return _KEYWORDS.get(node.lower_value)
    if node.type != "function":
        return None
    arguments = split_commas(node.arguments)
    match node.lower_name:
        case "cubic-bezier":
            return _parse_bezier(arguments)
        case "steps":
            return _parse_steps(arguments)
        case "linear":
            return _parse_linear(arguments)
    return None


def _parse_bezier(arguments: list[list[Node]]) -> CubicBezier | None:
    numbers = [parse_number(argument) for argument in arguments]
    if len(numbers) != 4 or None in numbers:
        return None
    x1, y1, x2, y2 = (float(number or 0.0) for number in numbers)
    if not (0 <= x1 <= 1 and 0 <= x2 <= 1):
        return None
    return CubicBezier(x1, _bounded(y1), x2, _bounded(y2))


def _bounded(value: float) -> float:
    """Keeps later sums and products finite; nothing visible is larger."""
    return min(max(value, -1e15), 1e15)


def _parse_steps(arguments: list[list[Node]]) -> Steps | None:
    if not 1 <= len(arguments) <= 2:
        return None
    count = parse_integer(arguments[0])
    position = (False, True)
    if len(arguments) == 2:
        words = split_spaces(arguments[1])
        if len(words) != 1 or words[0].type != "ident" or words[0].lower_value not in _POSITIONS:
            return None
        position = _POSITIONS[words[0].lower_value]
    if count is None or count < (1 if any(position) else 2):
        return None
    return Steps(count, *position)


def _parse_linear(arguments: list[list[Node]]) -> LinearEasing | None:
    if not 2 <= len(arguments) <= MAX_POINTS:
        return None
    stops: list[tuple[float | None, float]] = []
    largest = -np.inf
    for index, argument in enumerate(arguments):
        stop = _parse_linear_stop(argument)
        if stop is None:
            return None
        output, positions = stop
        for position in positions:
            largest = max(largest, position)
            stops.append((largest, output))
        if not positions:
            missing: float | None = None
            if index == 0:
                missing = largest = 0.0
            elif index == len(arguments) - 1:
                missing = largest = max(1.0, largest)
            stops.append((missing, output))
    known = [index for index, (position, _) in enumerate(stops) if position is not None]
    inputs = np.interp(np.arange(len(stops)), known, [stops[index][0] or 0.0 for index in known])
    return LinearEasing(tuple((float(x), output) for x, (_, output) in zip(inputs, stops, strict=True)))


def _parse_linear_stop(argument: list[Node]) -> tuple[float, list[float]] | None:
    """``<number> && <percentage>{0,2}``: the output and the inputs written with it."""
    output: float | None = None
    positions: list[float] = []
    nodes = split_spaces(argument)
    for index, node in enumerate(nodes):
        if (number := parse_number([node])) is not None and output is None and index in {0, len(nodes) - 1}:
            output = _bounded(number)
        elif (position := parse_percentage([node])) is not None:
            positions.append(_bounded(position))
        else:
            return None
    return None if output is None or len(positions) > 2 else (output, positions)
