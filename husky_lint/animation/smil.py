"""SVG animation elements (SMIL Animation, SVG Animations 2): animate, set, animateTransform, animateMotion.

Everything is a function of plain attributes (name to text). Document time 0 is the load of the page. Where Chromium
departs from the specification it is followed: ``calcMode="paced"`` of transforms is linear, and a number as ``rotate``
of a motion is ignored.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from husky_lint.animation.easing import CubicBezier, EasingSequence
from husky_lint.animation.matrices import stack
from husky_lint.animation.offset import PathMeasure
from husky_lint.animation.tracks import intervals, inverse_widths
from husky_lint.animation.transforms import (
    Kind,
    TransformFunction,
    TransformList,
    parse_number_list,
    without_infinities,
)
from husky_lint.animation.unknown import LIMIT, UNSUPPORTED, Unknown
from husky_lint.animation.vectors import Series, Vector
from husky_lint.scene.paths import parse_path

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from husky_lint.animation.matrices import FloatArray

    IntArray: TypeAlias = NDArray[np.intp]

MAX_VALUES = 4096
"""An animation element with more values than this is not evaluated."""

_CLOCK = re.compile(
    r"(?:(?P<hours>\d+):)?(?P<minutes>[0-5]\d):(?P<seconds>[0-5]\d(?:\.\d+)?)"
    r"|(?P<count>\d+(?:\.\d+)?|\.\d+)(?P<unit>h|min|s|ms)?",
    re.ASCII,
)
_UNITS = {"h": 3600.0, "min": 60.0, "s": 1.0, "ms": 0.001, None: 1.0}
_TRANSFORMS = {"translate", "scale", "rotate", "skewX", "skewY"}


def parse_clock(text: str) -> float | None:
    """A clock value in seconds; ``None`` if it is none."""
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        return None
    if found["count"] is not None:
        return float(found["count"]) * _UNITS[found["unit"]]
    return int(found["hours"] or 0) * 3600 + int(found["minutes"]) * 60 + float(found["seconds"])


# ---------------------------------------------------------------------------------------------------------------------
# Timing


@dataclass(frozen=True, slots=True)
class SmilTiming:
    """Intervals of activity and the simple duration, all in seconds of document time.

    ``intervals`` are (begin, end), sorted, each ending where the next begins at the latest.
    """

    intervals: tuple[tuple[float, float], ...]
    duration: float
    freezes: bool

    def phase(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Fraction of the simple duration (0..1), NaN where there is no effect, and the iteration."""
        fraction = np.full(len(times), np.nan)
        iteration = np.zeros(len(times))
        for number, (begin, end) in enumerate(self.intervals):
            following = self.intervals[number + 1][0] if number + 1 < len(self.intervals) else math.inf
            running = (times >= begin) & (times < end)
            frozen = (times >= end) & (times < following) & self.freezes
            for mask, elapsed in ((running, times - begin), (frozen, np.full(len(times), end - begin))):
                if not mask.any():
                    continue
                overall = elapsed[mask] / self.duration if math.isfinite(self.duration) else np.zeros(int(mask.sum()))
                whole = np.floor(overall)
                at_end = (overall == whole) & (overall > 0) & (mask is frozen)
                fraction[mask] = np.where(at_end, 1.0, overall - whole)
                iteration[mask] = np.where(at_end, whole - 1, whole)
        return fraction, iteration


def parse_timing(attributes: Mapping[str, str], *, is_set: bool = False) -> SmilTiming | Unknown | None:
    """``begin``, ``end``, ``dur``, ``repeatCount``, ``repeatDur``, ``fill``; ``None`` if it never runs.

    Begins and ends by event, by another element or by script are not known.
    """
    begins, ends = _parse_offsets(attributes.get("begin", "0")), _parse_offsets(attributes.get("end", ""))
    if begins is None or ends is None:
        return Unknown(UNSUPPORTED, "an SVG animation that begins or ends by an event")
    if not begins:
        return None
    duration = parse_clock(attributes.get("dur", "")) or math.inf
    active = _active_duration(attributes, duration, is_set=is_set)
    begins.sort()
    spans = []
    for number, begin in enumerate(begins):
        stop = begin + active
        if number + 1 < len(begins):
            stop = min(stop, begins[number + 1])
        if ends:
            later = [end for end in ends if end > begin]
            if not later:
                break
            stop = min(stop, *later)
        spans.append((begin, stop))
    return SmilTiming(tuple(spans), duration, attributes.get("fill", "").strip() == "freeze") if spans else None


def _active_duration(attributes: Mapping[str, str], duration: float, *, is_set: bool) -> float:
    limits = []
    count = attributes.get("repeatCount", "").strip()
    if count == "indefinite":
        limits.append(math.inf)
    elif (numbers := parse_number_list(count)) is not None and len(numbers) == 1 and numbers[0] > 0 and not is_set:
        limits.append(duration * numbers[0])
    repeat = attributes.get("repeatDur", "").strip()
    if repeat == "indefinite":
        limits.append(math.inf)
    elif (clock := parse_clock(repeat)) is not None and clock > 0:
        limits.append(clock)
    active = min(limits) if limits else duration
    low, high = parse_clock(attributes.get("min", "")), parse_clock(attributes.get("max", ""))
    if low is not None and high is not None and low > high:
        return active
    return min(max(active, low or 0.0), high or math.inf)


def _parse_offsets(text: str) -> list[float] | None:
    """Clock offsets between semicolons (``indefinite`` never comes); ``None`` if one is of another kind."""
    offsets: list[float] = []
    for part in text.split(";"):
        word = part.strip()
        if word in {"", "indefinite"}:
            continue
        sign, rest = (word[0], word[1:]) if word[0] in "+-" else ("+", word)
        clock = parse_clock(rest)
        if clock is None:
            return None
        offsets.append(-clock if sign == "-" else clock)
    return offsets if len(offsets) <= MAX_VALUES else None


# ---------------------------------------------------------------------------------------------------------------------
# Values over the simple duration


class CalcMode(Enum):
    """``calcMode``."""

    DISCRETE = "discrete"
    LINEAR = "linear"
    PACED = "paced"
    SPLINE = "spline"


@dataclass(frozen=True, slots=True)
class Course:
    """Where among its values an animation is: the interval and the fraction of it, for fractions of the duration."""

    mode: CalcMode
    key_times: tuple[float, ...]
    easings: EasingSequence | None

    def locate(self, fraction: FloatArray) -> tuple[IntArray, FloatArray]:
        offsets = np.array(self.key_times)
        if self.mode is CalcMode.DISCRETE:
            index = np.clip(np.searchsorted(offsets, fraction, side="right") - 1, 0, len(offsets) - 1)
            return index, np.zeros(len(fraction))
        interval = intervals(offsets, fraction)
        local = (fraction - offsets[interval]) * inverse_widths(offsets)[interval]
        return interval, local if self.easings is None else self.easings(interval, local)


def _parse_course(
    attributes: Mapping[str, str], count: int, distances: Sequence[float] | None, default: CalcMode
) -> Course | None:
    """The course through ``count`` values; ``None`` on an error, when the animation has no effect.

    ``distances`` between consecutive values serve ``paced``; without them it is linear.
    """
    try:
        mode = CalcMode(attributes.get("calcMode", "").strip())
    except ValueError:
        mode = default
    if mode is CalcMode.PACED:
        total = math.fsum(distances) if distances else 0.0
        if distances and total > 0:
            steps = np.cumsum(distances) / total
            return Course(CalcMode.LINEAR, (0.0, *(float(step) for step in steps[:-1]), 1.0), None)
        mode = CalcMode.LINEAR
        key_times: tuple[float, ...] | None = None
    else:
        key_times = _parse_fractions(attributes.get("keyTimes"))
    if "keyTimes" in attributes and key_times is not None:
        ordered = all(first <= second for first, second in pairwise(key_times))
        closed = mode is CalcMode.DISCRETE or (key_times and key_times[-1] == 1)
        if len(key_times) != count or not ordered or key_times[0] != 0 or not closed:
            return None
    elif "keyTimes" in attributes and attributes.get("calcMode", "").strip() != "paced":
        return None
    if key_times is None:
        last = count if mode is CalcMode.DISCRETE else max(count - 1, 1)
        key_times = tuple(index / last for index in range(count))
    if mode is not CalcMode.SPLINE:
        return Course(mode, key_times, None)
    splines = _parse_splines(attributes.get("keySplines", ""))
    if splines is None or len(splines) != count - 1:
        return None
    return Course(mode, key_times, EasingSequence(splines))


def _parse_fractions(text: str | None) -> tuple[float, ...] | None:
    if text is None:
        return None
    numbers = [parse_number_list(part) for part in text.strip().rstrip(";").split(";")]
    if any(number is None or len(number) != 1 or not 0 <= number[0] <= 1 for number in numbers):
        return None
    return tuple(number[0] for number in numbers if number)


def _parse_splines(text: str) -> list[CubicBezier] | None:
    curves = []
    for part in text.strip().rstrip(";").split(";"):
        numbers = parse_number_list(part)
        if numbers is None or len(numbers) != 4 or not all(0 <= number <= 1 for number in numbers):
            return None
        curves.append(CubicBezier(*numbers))
    return curves


class Source(Enum):
    """Which attributes give the values."""

    VALUES = "values"
    FROM_TO = "from-to"
    FROM_BY = "from-by"
    BY = "by"
    TO = "to"


def _value_texts(attributes: Mapping[str, str]) -> tuple[Source, list[str]] | None:
    """The texts to parse: of ``values`` all, otherwise from, to and by as they apply."""
    if "values" in attributes:
        texts = [part.strip() for part in attributes["values"].strip().rstrip(";").split(";")]
        return Source.VALUES, texts
    if "to" in attributes:
        if "from" in attributes:
            return Source.FROM_TO, [attributes["from"], attributes["to"]]
        return Source.TO, [attributes["to"]]
    if "by" in attributes:
        if "from" in attributes:
            return Source.FROM_BY, [attributes["from"], attributes["by"]]
        return Source.BY, [attributes["by"]]
    return None


@dataclass(frozen=True, slots=True, eq=False)
class SmilAnimation:
    """One animation element, its values parsed: rows of ``table`` are what ``course`` walks through.

    For a ``to`` animation the first row is missing: it is the underlying value. ``forms`` are the values' forms, or the
    transform's kind.
    """

    timing: SmilTiming
    course: Course
    source: Source
    forms: tuple[Hashable, ...]
    rows: tuple[FloatArray, ...]
    is_additive: bool
    accumulates: bool

    @property
    def begin(self) -> float:
        return self.timing.intervals[0][0]

    def numbers(self, fraction: FloatArray, iteration: FloatArray, underlying: FloatArray | None) -> FloatArray:
        """(T, d) numbers at fractions and iterations, all values being of one form."""
        if self.source is Source.TO and underlying is not None:
            interval, local = self.course.locate(fraction)
            if self.course.mode is CalcMode.DISCRETE:
                local = interval.astype(np.float64)
            return underlying + (self.rows[0] - underlying) * local[:, None]
        table = np.stack(self.rows)
        interval, local = self.course.locate(fraction)
        following = np.minimum(interval + 1, len(table) - 1)
        result = table[interval] + (table[following] - table[interval]) * local[:, None]
        if self.accumulates:
            result = result + table[-1] * iteration[:, None]
        return np.asarray(result, dtype=np.float64)


def _parse_common(
    attributes: Mapping[str, str],
    parse: Callable[[str], Vector | None],
    distance: Callable[[Vector, Vector], float] | None,
    default_mode: CalcMode = CalcMode.LINEAR,
) -> SmilAnimation | Unknown | None:
    timing = parse_timing(attributes)
    if timing is None or isinstance(timing, Unknown):
        return timing
    found = _value_texts(attributes)
    if found is None:
        return None
    source, texts = found
    if len(texts) > MAX_VALUES:
        return Unknown(LIMIT, f"more than {MAX_VALUES} values in an SVG animation")
    values: list[Vector] = []
    for text in texts:
        value = parse(text)
        if value is None:
            return None
        if value.form == "unsupported":
            return Unknown(UNSUPPORTED, "an SVG animation of a value that is not interpolated here")
        values.append(value)
    alike = all(value.form == values[0].form and value.numbers.size for value in values)
    if source in {Source.BY, Source.FROM_BY}:
        if not alike:
            return None
        start = values[0] if source is Source.FROM_BY else Vector(values[0].form, np.zeros_like(values[0].numbers))
        values = [start, Vector(start.form, start.numbers + values[-1].numbers)]
    distances = [distance(first, second) for first, second in pairwise(values)] if distance and alike else None
    count = 2 if source is Source.TO else len(values)
    mode = default_mode if alike else CalcMode.DISCRETE
    course = _parse_course(attributes, count, distances, mode)
    if course is None:
        return None
    if not alike and course.mode is not CalcMode.DISCRETE:
        course = _parse_course({**attributes, "calcMode": "discrete"}, count, None, CalcMode.DISCRETE) or course
    is_sum = attributes.get("additive", "").strip() == "sum" and source is not Source.TO
    return SmilAnimation(
        timing,
        course,
        source,
        tuple(value.form for value in values),
        tuple(value.numbers for value in values),
        is_additive=(is_sum or source is Source.BY) and alike,
        accumulates=attributes.get("accumulate", "").strip() == "sum" and source is not Source.TO and alike,
    )


def _in_order(animations: Sequence[SmilAnimation]) -> list[SmilAnimation] | None:
    """Lowest priority first: by begin, then by document order; ``None`` where restarts change the order over time."""
    if len(animations) > 1 and any(len(animation.timing.intervals) > 1 for animation in animations):
        return None
    return sorted(animations, key=lambda animation: animation.begin)


# ---------------------------------------------------------------------------------------------------------------------
# animate, set


def parse_animate(
    attributes: Mapping[str, str], parse: Callable[[str], Vector | None]
) -> SmilAnimation | Unknown | None:
    """An ``animate`` element; ``None`` if it has no effect. ``parse`` reads a value of the attribute it animates."""

    def distance(first: Vector, second: Vector) -> float:
        return float(np.sqrt(((second.numbers - first.numbers) ** 2).sum()))

    return _parse_common(attributes, parse, distance)


def parse_set(attributes: Mapping[str, str], parse: Callable[[str], Vector | None]) -> SmilAnimation | Unknown | None:
    """A ``set`` element; ``None`` if it has no effect."""
    timing = parse_timing(attributes, is_set=True)
    if timing is None or isinstance(timing, Unknown):
        return timing
    value = parse(attributes["to"]) if "to" in attributes else None
    if value is None:
        return None
    if value.form == "unsupported":
        return Unknown(UNSUPPORTED, "an SVG animation of a value that is not interpolated here")
    course = Course(CalcMode.DISCRETE, (0.0,), None)
    return SmilAnimation(
        timing, course, Source.VALUES, (value.form,), (value.numbers,), is_additive=False, accumulates=False
    )


def evaluate_attribute(animations: Sequence[SmilAnimation], base: Vector, times: FloatArray) -> Series | Unknown:
    """The animated value of one attribute over times, ``animations`` being in document order."""
    ordered = _in_order(animations)
    if ordered is None:
        return Unknown(UNSUPPORTED, "several SVG animations of one attribute that restart")
    pieces: list[tuple[IntArray, Vector]] = [(np.arange(len(times)), base)]
    with np.errstate(all="ignore"):
        for animation in ordered:
            fraction, iteration = animation.timing.phase(times)
            in_effect = ~np.isnan(fraction)
            composed: list[tuple[IntArray, Vector]] = []
            for index, underlying in pieces:
                active = in_effect[index]
                if not active.all():
                    composed.append((index[~active], _selected(underlying, ~active)))
                if active.any():
                    own = index[active]
                    beneath = _selected(underlying, active)
                    composed.extend(_apply(animation, own, beneath, fraction[own], iteration[own]))
            pieces = composed
    return Series(len(times), pieces)


def _selected(value: Vector, index: NDArray[np.bool_]) -> Vector:
    return Vector(value.form, value.numbers[index]) if value.numbers.ndim == 2 else value


def _apply(
    animation: SmilAnimation, index: IntArray, underlying: Vector, fraction: FloatArray, iteration: FloatArray
) -> list[tuple[IntArray, Vector]]:
    forms = animation.forms
    alike = all(form == forms[0] for form in forms) and animation.rows[0].size > 0
    if alike and (animation.source is not Source.TO or underlying.form == forms[0]):
        numbers = animation.numbers(fraction, iteration, underlying.numbers)
        if animation.is_additive and underlying.form == forms[0]:
            numbers = numbers + underlying.numbers
        return [(index, Vector(forms[0], numbers))]
    where, local = animation.course.locate(fraction)
    chosen = where if animation.source is not Source.TO else np.where((where > 0) | (local >= 0.5), 0, -1)
    result: list[tuple[IntArray, Vector]] = []
    for number in np.unique(chosen):
        mask = chosen == number
        value = underlying if number < 0 else Vector(forms[number], animation.rows[number])
        result.append((index[mask], _selected(value, mask) if number < 0 else value))
    return result


# ---------------------------------------------------------------------------------------------------------------------
# animateTransform


def _parse_transform_value(kind: str, text: str) -> Vector | None:
    numbers = parse_number_list(text)
    if not numbers or len(numbers) > (3 if kind == "rotate" else 1 if kind.startswith("skew") else 2):
        return None
    full: tuple[float, ...]
    match kind:
        case "translate":
            full = (numbers[0], numbers[1] if len(numbers) > 1 else 0.0)
        case "scale":
            full = (numbers[0], numbers[-1])
        case "rotate":
            if len(numbers) == 2:
                return None
            full = (numbers[0], *(numbers[1:] or (0.0, 0.0)))
        case _:
            full = (numbers[0],)
    return Vector.of(kind, *full)


def parse_animate_transform(attributes: Mapping[str, str]) -> SmilAnimation | Unknown | None:
    """An ``animateTransform`` element; ``None`` if it has no effect."""
    kind = attributes.get("type", "translate").strip()
    if kind not in _TRANSFORMS:
        return None
    return _parse_common(attributes, lambda text: _parse_transform_value(kind, text), None)


def evaluate_transform(
    animations: Sequence[SmilAnimation], base: TransformList, times: FloatArray
) -> FloatArray | Unknown:
    """Matrices (T, 6) of the ``transform`` attribute under its ``animateTransform`` elements, in document order.

    ``base`` is the attribute without animation. A CSS ``transform`` takes the place of the result.
    """
    ordered = _in_order(animations)
    if ordered is None:
        return Unknown(UNSUPPORTED, "several SVG animations of one transform that restart")
    result = np.empty((len(times), 6))
    pieces: list[tuple[IntArray, TransformList]] = [(np.arange(len(times)), base)]
    with np.errstate(all="ignore"):
        for animation in ordered:
            fraction, iteration = animation.timing.phase(times)
            in_effect = ~np.isnan(fraction)
            composed: list[tuple[IntArray, TransformList]] = []
            for index, underlying in pieces:
                active = in_effect[index]
                if not active.all():
                    composed.append((index[~active], underlying.select(~active)))
                if not active.any():
                    continue
                own = index[active]
                beneath = underlying.select(active)
                kind = str(animation.forms[0])
                start = None
                if animation.source is Source.TO:
                    start = _underlying_row(kind, beneath)
                    if start is None:
                        return Unknown(UNSUPPORTED, "an SVG transform animated from a value of another type")
                numbers = animation.numbers(fraction[own], iteration[own], start)
                moved = _function(kind, numbers)
                kept = beneath.functions if animation.is_additive else ()
                composed.append((own, TransformList((*kept, moved))))
            pieces = composed
        for index, value in pieces:
            result[index] = value.matrix()
        return without_infinities(result)


def _underlying_row(kind: str, underlying: TransformList) -> FloatArray | None:
    if not underlying.functions:
        return np.array({"translate": (0.0, 0.0), "scale": (1.0, 1.0), "rotate": (0.0, 0.0, 0.0)}.get(kind, (0.0,)))
    if len(underlying.functions) > 1:
        return None
    function = underlying.functions[0]
    columns = {
        ("translate", Kind.TRANSLATE): (0, 2),
        ("scale", Kind.SCALE): (0, 1),
        ("rotate", Kind.ROTATE_ABOUT): (0, 1, 2),
        ("skewX", Kind.SKEW_X): (0,),
        ("skewY", Kind.SKEW_Y): (0,),
    }.get((kind, function.kind))
    if kind == "rotate" and function.kind is Kind.ROTATE:
        return np.stack(np.broadcast_arrays(function.numbers[0], 0.0, 0.0), axis=-1)
    if columns is None:
        return None
    return np.stack(np.broadcast_arrays(*(function.numbers[column] for column in columns)), axis=-1)


def _function(kind: str, numbers: FloatArray) -> TransformFunction:
    columns = numbers.T
    match kind:
        case "translate":
            return TransformFunction(Kind.TRANSLATE, (columns[0], 0.0, columns[1], 0.0, 0.0))
        case "scale":
            return TransformFunction(Kind.SCALE, (columns[0], columns[1], 1.0))
        case "rotate":
            return TransformFunction(Kind.ROTATE_ABOUT, (columns[0], columns[1], columns[2]))
        case "skewX":
            return TransformFunction(Kind.SKEW_X, (columns[0],))
    return TransformFunction(Kind.SKEW_Y, (columns[0],))


# ---------------------------------------------------------------------------------------------------------------------
# animateMotion


@dataclass(frozen=True, slots=True, eq=False)
class SmilMotion:
    """One ``animateMotion``: the course gives fractions of the path's length, or walks through ``vertices``."""

    animation: SmilAnimation
    measure: PathMeasure | None
    rotation: str

    @property
    def timing(self) -> SmilTiming:
        return self.animation.timing


def parse_animate_motion(attributes: Mapping[str, str], path_data: str | None = None) -> SmilMotion | Unknown | None:
    """An ``animateMotion`` element; ``None`` if it has no effect. ``path_data`` is that of its ``mpath``'s target."""
    rotation = attributes.get("rotate", "").strip()
    data = path_data if path_data is not None else attributes.get("path")
    if data is None:
        points = _parse_common(attributes, _parse_point, _point_distance, CalcMode.PACED)
        return SmilMotion(points, None, rotation) if isinstance(points, SmilAnimation) else points
    path = parse_path(data)
    if path.is_empty:
        return None
    key_points = attributes.get("keyPoints")
    fractions: tuple[float, ...] | None = (0.0, 1.0)
    mode = attributes.get("calcMode", "paced").strip()
    if key_points is not None and mode != "paced":
        fractions = _parse_fractions(key_points)
        if fractions is None:
            return None
    texts = ";".join(repr(fraction) for fraction in fractions or ())
    along = {**attributes, "values": texts}
    if key_points is None or mode == "paced":
        along.pop("keyTimes", None)
        along["calcMode"] = "discrete" if mode == "discrete" else "linear"
    course = _parse_common(along, lambda text: Vector.of("fraction", float(text)), None)
    if not isinstance(course, SmilAnimation):
        return course
    return SmilMotion(course, PathMeasure(path), rotation)


def _parse_point(text: str) -> Vector | None:
    numbers = parse_number_list(text)
    return None if numbers is None or len(numbers) != 2 else Vector.of("point", *numbers)


def _point_distance(first: Vector, second: Vector) -> float:
    return float(np.hypot(*(second.numbers - first.numbers)))


def evaluate_motion(motions: Sequence[SmilMotion], times: FloatArray) -> FloatArray | Unknown:
    """Matrices (T, 6) of an element's ``animateMotion`` elements, in document order.

    To be multiplied before the element's transform (attribute or CSS): motion × transform.
    """
    if len(motions) > 1 and any(len(motion.timing.intervals) > 1 for motion in motions):
        return Unknown(UNSUPPORTED, "several SVG motions of one element that restart")
    ordered = sorted(motions, key=lambda motion: motion.animation.begin)
    x, y, angle = np.zeros(len(times)), np.zeros(len(times)), np.zeros(len(times))
    with np.errstate(all="ignore"):
        for motion in ordered:
            fraction, iteration = motion.timing.phase(times)
            index = np.flatnonzero(~np.isnan(fraction))
            if not index.size:
                continue
            own_x, own_y, own_angle = _motion_points(motion, fraction[index], iteration[index])
            if motion.animation.is_additive:
                own_x, own_y = own_x + x[index], own_y + y[index]
            x[index], y[index] = own_x, own_y
            match motion.rotation:
                case "auto":
                    angle[index] = own_angle
                case "auto-reverse":
                    angle[index] = own_angle + 180
                case _:
                    angle[index] = 0.0
        radians = np.radians(angle)
        cos, sin = np.cos(radians), np.sin(radians)
        return without_infinities(stack((cos, sin, -sin, cos, x, y), len(times)))


def _motion_points(
    motion: SmilMotion, fraction: FloatArray, iteration: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    animation = motion.animation
    if motion.measure is not None:
        interval, local = animation.course.locate(fraction)
        places = np.concatenate(animation.rows)
        following = places[np.minimum(interval + 1, len(places) - 1)]
        along = (places[interval] + (following - places[interval]) * local) * motion.measure.length
        x, y, angle = motion.measure.at(along, wrap=False)
        if animation.accumulates:
            end_x, end_y, _ = motion.measure.at(np.array([motion.measure.length]), wrap=False)
            x, y = x + end_x[0] * iteration, y + end_y[0] * iteration
        return x, y, angle
    zero = np.zeros(2)
    numbers = animation.numbers(fraction, iteration, zero)
    vertices = [zero, *animation.rows] if animation.source is Source.TO else list(animation.rows)
    interval, _ = animation.course.locate(fraction)
    headings = np.array(
        [math.degrees(math.atan2(*(second - first)[::-1])) for first, second in pairwise(vertices)] or [0.0]
    )
    return numbers[:, 0], numbers[:, 1], headings[np.minimum(interval, len(headings) - 1)]
