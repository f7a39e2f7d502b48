"""How each property animates, and the compilation of one property of one element into a track.

Transforms give :class:`~husky_lint.animation.tracks.TransformTrack`, everything else
:class:`~husky_lint.animation.vectors.VectorTrack` with these forms and numbers:

=====================  ==========================================================================================
``number``             one number (``opacity`` clamped to 0..1)
``length``             CSS pixels, fraction of the reference of percentages
``color``              red, green, blue, alpha, 0..1 each, not premultiplied
``origin``             x px, x fraction, y px, y fraction, z px
``position``           x px, x fraction, y px, y fraction
``filter``             the functions' numbers, in order; the form is ``("filter", name, …)``
offset properties      see :mod:`husky_lint.animation.offset`
a keyword              no numbers; the form is the value's text
=====================  ==========================================================================================
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np

from husky_lint.animation import offset
from husky_lint.animation.timeline import Composition
from husky_lint.animation.tracks import Keyframe, Layer, SingleArithmetic, TransformArithmetic, TransformTrack
from husky_lint.animation.transforms import NONE, parse_rotate, parse_scale, parse_transform, parse_translate
from husky_lint.animation.unknown import LIMIT, UNSUPPORTED, Unknown
from husky_lint.animation.vectors import Vector, VectorArithmetic, VectorTrack, always, never
from husky_lint.style.values import (
    DEFAULT_RESOLUTION,
    parse_angle,
    parse_integer,
    parse_length,
    parse_length_percentage,
    parse_number,
    parse_number_or_percentage,
    parse_percentage,
    parse_time,
    serialize,
    split_spaces,
    strip_whitespace,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from husky_lint.animation.matrices import FloatArray
    from husky_lint.animation.timeline import AnimationSpec
    from husky_lint.animation.transforms import TransformList
    from husky_lint.style.colors import Color
    from husky_lint.style.values import Resolution

    Tokens: TypeAlias = Sequence[Any]
    Parser: TypeAlias = Callable[[Tokens, "Context"], "Vector | None"]


@dataclass(frozen=True, slots=True)
class Context:
    """What the values of one element refer to.

    ``current`` is the element's ``color``; ``path_of`` gives the path data of an element by id, for ``offset-path:
    url(#id)``; ``syntaxes`` are the registered custom properties (name to syntax string).
    """

    resolution: Resolution = DEFAULT_RESOLUTION
    current: Color | None = None
    scheme: str = "light"
    path_of: Callable[[str], str | None] | None = None
    syntaxes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PropertyType:
    """``parse`` gives ``None`` for an invalid value; ``initial`` stands for the CSS-wide keywords that reach it."""

    parse: Parser
    initial: Vector
    arithmetic: VectorArithmetic


# ---------------------------------------------------------------------------------------------------------------------
# Parsers


def _keyword(tokens: Tokens) -> Vector:
    nodes = strip_whitespace(tokens)
    return Vector.of(nodes[0].lower_value if len(nodes) == 1 and nodes[0].type == "ident" else serialize(nodes))


def _discrete(tokens: Tokens, context: Context) -> Vector | None:
    del context
    return _keyword(tokens)


def _number(tokens: Tokens, context: Context) -> Vector | None:
    del context
    number = parse_number_or_percentage(tokens)
    return None if number is None else Vector.of("number", number)


def _plain_number(tokens: Tokens, context: Context) -> Vector | None:
    del context
    number = parse_number(tokens)
    return None if number is None else Vector.of("number", number)


def _integer(tokens: Tokens, context: Context) -> Vector | None:
    del context
    number = parse_integer(tokens)
    return _keyword(tokens) if number is None else Vector.of("number", number)


def _length(tokens: Tokens, context: Context) -> Vector | None:
    nodes = split_spaces(tokens)
    length = parse_length_percentage(nodes, context.resolution, unitless=True)
    if length is None:
        return _keyword(nodes) if len(nodes) == 1 and nodes[0].type == "ident" else None
    return Vector.of("unsupported") if length.deferred else Vector.of("length", length.px, length.percent)


def _color(tokens: Tokens, context: Context) -> Vector | None:
    """Premultiplied, which is what is interpolated; a paint that is no colour is a keyword."""
    from husky_lint.style.colors import Color, parse_color

    nodes = split_spaces(tokens)
    color = parse_color(nodes, context.current or Color(0.0, 0.0, 0.0, 1.0), context.scheme)
    if color is None:
        return _keyword(nodes)
    if any(node.type == "function" and node.lower_name in _MODERN_COLORS for node in nodes):
        return Vector.of("unsupported")
    alpha = color.alpha
    return Vector.of("color", color.red * alpha, color.green * alpha, color.blue * alpha, alpha)


_MODERN_COLORS = frozenset({"color", "lab", "lch", "oklab", "oklch", "color-mix"})
"""Their values interpolate in Oklab, which is not evaluated."""


def _unpremultiplied(value: Vector) -> Vector:
    if value.form != "color":
        return value
    numbers = value.numbers
    alpha = np.clip(numbers[..., 3:], 0.0, 1.0)
    rgb = np.clip(numbers[..., :3] / np.where(alpha == 0, 1.0, alpha), 0.0, 1.0)
    return Vector(value.form, np.concatenate([np.where(alpha == 0, 0.0, rgb), alpha], axis=-1))


def _origin(tokens: Tokens, context: Context) -> Vector | None:
    nodes = split_spaces(tokens)
    depth = 0.0
    if len(nodes) == 3:
        length = parse_length(nodes[2:], context.resolution)
        if length is None:
            return None
        nodes, depth = nodes[:2], length
    position = offset.parse_position(nodes, context.resolution) if len(nodes) <= 2 else None
    return None if position is None else Vector.of("origin", *position, depth)


def _dashes(tokens: Tokens, context: Context) -> Vector | None:
    nodes = [node for node in split_spaces(tokens) if not (node.type == "literal" and node.value == ",")]
    if len(nodes) == 1 and nodes[0].type == "ident":
        return _keyword(nodes)
    numbers: list[float] = []
    for node in nodes:
        length = parse_length_percentage([node], context.resolution, unitless=True)
        if length is None or length.deferred:
            return None
        numbers.extend((length.px, length.percent))
    return Vector.of(("dashes", len(nodes)), *numbers) if nodes else None


def _match_dashes(start: Vector, end: Vector) -> tuple[Vector, Vector] | None:
    """Dash lists of different lengths are repeated to their least common multiple."""
    if not (start.numbers.size and end.numbers.size):
        return None
    first, second = start.numbers.shape[-1] // 2, end.numbers.shape[-1] // 2
    count = math.lcm(first, second)
    if count > 1000:
        return None
    form = ("dashes", count)
    return tuple(
        Vector(form, np.tile(value.numbers, (1,) * (value.numbers.ndim - 1) + (count // size,)))
        for value, size in ((start, first), (end, second))
    )  # type: ignore[return-value]


_FILTERS: dict[str, tuple[str, float, float]] = {
    "brightness": ("number", 1.0, 1.0),
    "contrast": ("number", 1.0, 1.0),
    "saturate": ("number", 1.0, 1.0),
    "opacity": ("number", 1.0, 1.0),
    "grayscale": ("number", 1.0, 0.0),
    "invert": ("number", 1.0, 0.0),
    "sepia": ("number", 1.0, 0.0),
    "blur": ("length", 0.0, 0.0),
    "hue-rotate": ("angle", 0.0, 0.0),
}
"""Filter functions of one number: its type, its value when left out, its value that changes nothing."""


_CAPPED = frozenset({"grayscale", "invert", "sepia", "opacity"})


def _filter(tokens: Tokens, context: Context) -> Vector | None:
    nodes = split_spaces(tokens)
    if len(nodes) == 1 and nodes[0].type == "ident" and nodes[0].lower_value == "none":
        return Vector(("filter",), np.zeros(0))
    names: list[str] = []
    numbers: list[float] = []
    for node in nodes:
        name = node.lower_name if node.type == "function" else ""
        if name not in _FILTERS:
            return Vector.of("unsupported")
        kind, default, _ = _FILTERS[name]
        number: float | None = default
        if strip_whitespace(node.arguments):
            match kind:
                case "number":
                    number = parse_number_or_percentage(node.arguments, minimum=0.0)
                case "length":
                    number = parse_length(node.arguments, context.resolution, minimum=0.0)
                case _:
                    number = parse_angle(node.arguments)
        if number is None:
            return None
        names.append(name)
        numbers.append(min(number, 1.0) if name in _CAPPED else number)
    return Vector.of(("filter", *names), *numbers)


def _match_filters(start: Vector, end: Vector) -> tuple[Vector, Vector] | None:
    """A list that is a prefix of the other one is padded with functions that change nothing."""
    if not isinstance(start.form, tuple) or not isinstance(end.form, tuple):
        return None
    longest = max(start.form, end.form, key=len)
    padded = []
    for value in (start, end):
        form = value.form
        assert isinstance(form, tuple)
        if form != longest[: len(form)]:
            return None
        neutral = np.array([_FILTERS[name][2] for name in longest[len(form) :]])
        shape = (*value.numbers.shape[:-1], len(neutral))
        padded.append(Vector(longest, np.concatenate([value.numbers, np.broadcast_to(neutral, shape)], axis=-1)))
    return padded[0], padded[1]


class _FilterArithmetic(VectorArithmetic):
    """Addition appends a filter list; accumulation sums functions that match, as distances from changing nothing."""

    __slots__ = ()

    def add(self, underlying: Vector, value: Vector) -> Vector:
        if not isinstance(underlying.form, tuple) or not isinstance(value.form, tuple):
            return value
        form = (*underlying.form, *value.form[1:])
        return Vector(form, _joined(underlying.numbers, value.numbers))

    def accumulate(self, underlying: Vector, value: Vector) -> Vector:
        pair = (underlying, value) if underlying.form == value.form else self.match(underlying, value)
        if pair is None:
            return value
        first, second = pair
        assert isinstance(second.form, tuple)
        neutral = np.array([_FILTERS[name][2] for name in second.form[1:]])
        return Vector(second.form, first.numbers + second.numbers - neutral)


def _joined(first: FloatArray, second: FloatArray) -> FloatArray:
    count = max(first.shape[:-1], second.shape[:-1], key=len)
    parts = [np.broadcast_to(part, (*count, part.shape[-1])) for part in (first, second)]
    return np.concatenate(parts, axis=-1)


def _path_data(tokens: Tokens, context: Context) -> Vector | None:
    vector = offset.parse_offset_path(tokens, context.resolution)
    return vector if vector is None or vector.form == "none" or isinstance(vector.form, tuple) else None


# ---------------------------------------------------------------------------------------------------------------------
# The registry


def _between(low: float, high: float) -> Callable[[Vector], Vector]:
    return lambda value: Vector(value.form, np.clip(value.numbers, low, high))


def _not_negative(value: Vector) -> Vector:
    """Of a length only the part that is known: with a percentage the sum is clamped when it is resolved."""
    numbers = value.numbers
    if value.form == "length" and numbers[..., 1].any():
        return value
    return Vector(value.form, np.maximum(numbers, 0.0))


def _whole(value: Vector) -> Vector:
    return Vector(value.form, np.floor(value.numbers + 0.5))


def _filter_range(value: Vector) -> Vector:
    if not isinstance(value.form, tuple):
        return value
    low = [-np.inf if name == "hue-rotate" else 0.0 for name in value.form[1:]]
    high = [1.0 if name in _CAPPED else np.inf for name in value.form[1:]]
    return Vector(value.form, np.clip(value.numbers, low, high))


_ADDITIVE = VectorArithmetic(additive=always)
_FRACTION = VectorArithmetic(additive=always, finish=_between(0.0, 1.0))
_POSITIVE = VectorArithmetic(additive=always, finish=_not_negative)
_COLORS = VectorArithmetic(additive=lambda form: form == "color", finish=_unpremultiplied)
_INTEGERS = VectorArithmetic(additive=always, finish=_whole)
_DASHES = VectorArithmetic(match=_match_dashes, finish=_not_negative)
_FILTERED = _FilterArithmetic(match=_match_filters, finish=_filter_range)
_PLAIN = VectorArithmetic()
_BLACK = Vector.of("color", 0.0, 0.0, 0.0, 1.0)
_ZERO = Vector.of("length", 0.0, 0.0)
_ONE = Vector.of("length", 1.0, 0.0)


_SIGNED_LENGTHS = frozenset(
    ["x", "y", "cx", "cy", "stroke-dashoffset", "left", "top", "right", "bottom", "margin-left", "margin-top"]
)
_COLOR_PROPERTIES = frozenset(
    ["color", "fill", "stroke", "stop-color", "flood-color", "lighting-color", "background-color", "outline-color"]
)
_DISCRETE_PROPERTIES = {
    "fill-rule": "nonzero",
    "clip-rule": "nonzero",
    "stroke-linecap": "butt",
    "stroke-linejoin": "miter",
    "transform-box": "view-box",
    "transform-style": "flat",
    "paint-order": "normal",
    "pointer-events": "auto",
    "cursor": "auto",
    "text-anchor": "start",
    "vector-effect": "none",
    "shape-rendering": "auto",
    "mix-blend-mode": "normal",
    "isolation": "auto",
    "overflow": "visible",
    "position": "static",
    "text-transform": "none",
    "content": "normal",
    "backface-visibility": "visible",
}
"""Properties that flip, with their initial values."""
_SHOWN = VectorArithmetic(dominates=lambda form: form == "visible")
_DISPLAYED = VectorArithmetic(dominates=lambda form: form != "none")


def _types() -> dict[str, PropertyType]:
    def offset_type(parse: Callable[[Tokens, Resolution], Vector | None]) -> Parser:
        return lambda tokens, context: parse(tokens, context.resolution)

    types = {
        "opacity": PropertyType(_number, Vector.of("number", 1.0), _FRACTION),
        "stroke-miterlimit": PropertyType(_plain_number, Vector.of("number", 4.0), _ADDITIVE),
        "z-index": PropertyType(_integer, Vector.of("auto"), _INTEGERS),
        "transform-origin": PropertyType(_origin, Vector.of("origin", 0.0, 0.0, 0.0, 0.0, 0.0), _ADDITIVE),
        "offset-distance": PropertyType(offset_type(offset.parse_offset_distance), _ZERO, _ADDITIVE),
        "offset-rotate": PropertyType(
            lambda tokens, _: offset.parse_offset_rotate(tokens), Vector.of("auto", 0.0), _ADDITIVE
        ),
        "offset-anchor": PropertyType(offset_type(offset.parse_offset_anchor), offset.AUTO, _ADDITIVE),
        "offset-position": PropertyType(offset_type(offset.parse_offset_position), offset.NORMAL, _ADDITIVE),
        "offset-path": PropertyType(
            lambda tokens, context: offset.parse_offset_path(tokens, context.resolution, context.path_of),
            offset.NONE,
            VectorArithmetic(additive=offset.is_additive),
        ),
        "d": PropertyType(_path_data, offset.NONE, _PLAIN),
        "stroke-dasharray": PropertyType(_dashes, Vector.of("none"), _DASHES),
        "filter": PropertyType(_filter, Vector(("filter",), np.zeros(0)), _FILTERED),
        "visibility": PropertyType(_discrete, Vector.of("visible"), _SHOWN),
        "display": PropertyType(_discrete, Vector.of("inline"), _DISPLAYED),
    }
    for name in ("fill-opacity", "stroke-opacity", "stop-opacity", "flood-opacity"):
        types[name] = types["opacity"]
    for name in ["stroke-width", "r", "rx", "ry", "width", "height"]:
        types[name] = PropertyType(_length, _ONE if name == "stroke-width" else _ZERO, _POSITIVE)
    for name in _SIGNED_LENGTHS:
        types[name] = PropertyType(_length, _ZERO, _ADDITIVE)
    for name in _COLOR_PROPERTIES:
        types[name] = PropertyType(_color, _BLACK, _COLORS)
    for name, initial in _DISCRETE_PROPERTIES.items():
        types[name] = PropertyType(_discrete, Vector.of(initial), _PLAIN)
    return types


@functools.cache
def property_types() -> Mapping[str, PropertyType]:
    """The properties whose animation is evaluated, transforms apart."""
    return _types()


TRANSFORM_PROPERTIES = frozenset({"transform", "translate", "rotate", "scale"})
_CSS_WIDE = frozenset({"initial", "inherit", "unset", "revert", "revert-layer"})


def parse_transform_property(name: str, tokens: Tokens, context: Context) -> TransformList | None:
    """The value of ``transform``, ``translate``, ``rotate`` or ``scale``; ``None`` if it is invalid."""
    match name:
        case "transform":
            return parse_transform(tokens, context.resolution)
        case "translate":
            return parse_translate(tokens, context.resolution)
        case "rotate":
            return parse_rotate(tokens)
    return parse_scale(tokens)


TokenKeyframes: TypeAlias = "Sequence[Keyframe[tuple[Any, ...]]]"


@overload
def animate_property(
    name: str,
    animations: Sequence[tuple[AnimationSpec, TokenKeyframes]],
    underlying: TransformList,
    context: Context = ...,
) -> TransformTrack: ...
@overload
def animate_property(
    name: str,
    animations: Sequence[tuple[AnimationSpec, TokenKeyframes]],
    underlying: Tokens | Vector,
    context: Context = ...,
) -> TransformTrack | VectorTrack | Unknown: ...
def animate_property(
    name: str,
    animations: Sequence[tuple[AnimationSpec, TokenKeyframes]],
    underlying: Tokens | Vector | TransformList,
    context: Context | None = None,
) -> TransformTrack | VectorTrack | Unknown:
    """Compiles the animations of one property of one element, lowest first, over its value without animations.

    ``animations`` are the specs that animate the property with its part of :func:`~.keyframes.property_keyframes`.
    ``underlying`` is the computed value as tokens, or already parsed (so that a ``transform`` attribute can be one).
    The track's ``evaluate(times)`` can be called as often as wanted. Keyframes with invalid values are dropped;
    CSS-wide keywords count as the initial value, so the resolver must have replaced ``inherit`` and what inherits.
    """
    from husky_lint.animation.transforms import TransformList

    context = context or Context()
    if name in TRANSFORM_PROPERTIES:
        base = (
            underlying
            if isinstance(underlying, TransformList)
            else parse_transform_property(name, _tokens(underlying), context) or NONE
        )
        layers = [
            Layer(spec, _transform_keyframes(name, tuple(frames), context.resolution)) for spec, frames in animations
        ]
        track = TransformTrack(layers, base, TransformArithmetic if name == "transform" else SingleArithmetic)
        if name == "rotate" and any(_builds_on_lower(layer) for layer in layers[1:]):
            # Chromium 156 adds angles wrongly here: at the end of both animations nothing is left of them.
            track.unknown = track.unknown or Unknown(UNSUPPORTED, "animations of rotate that build on each other")
        return track
    kind = property_type(name, context)
    if kind is None:
        return _constant(name, animations, underlying)
    parse = kind.parse
    start = kind.initial
    if isinstance(underlying, Vector):
        start = underlying
    elif not _is_css_wide(_tokens(underlying)):
        start = parse(_tokens(underlying), context) or start
    vectors = [
        Layer(spec, _parsed(frames, lambda tokens: parse(tokens, context), kind.initial)) for spec, frames in animations
    ]
    values = [start, *(frame.value for layer in vectors for frame in layer.keyframes if frame.value is not None)]
    if any(value.form == "unsupported" for value in values) and name != "offset-path":
        return Unknown(UNSUPPORTED, f"a value of {name} that is not interpolated here")
    if _adds_translucent_colors(vectors, values):
        return Unknown(UNSUPPORTED, f"addition of translucent colours in {name}")
    if kind.arithmetic.dominates is never and _flips_over_lower(vectors, values):
        return Unknown(UNSUPPORTED, f"animations of {name} that flip on top of each other")
    return VectorTrack(vectors, start, kind.arithmetic)


def _adds_translucent_colors(layers: Sequence[Layer[Vector]], values: Sequence[Vector]) -> bool:
    """Browsers do not sum opacities as the specification's premultiplied addition does."""
    if all(value.form != "color" or value.numbers[3] == 1 for value in values):
        return False
    return any(frame.composition is not Composition.REPLACE for layer in layers for frame in layer.keyframes)


def _flips_over_lower(layers: Sequence[Layer[Vector]], values: Sequence[Vector]) -> bool:
    """Whether a missing keyframe over a lower animation takes part in a flip.

    Chromium 156 keeps what it stood for when first asked, so that the value depends on the past.
    """
    neutral = any(frame.value is None for layer in layers[1:] for frame in layer.keyframes)
    return neutral and (not values[0].numbers.size or any(value.form != values[0].form for value in values))


def _builds_on_lower(layer: Layer[Any]) -> bool:
    return any(frame.value is None or frame.composition is not Composition.REPLACE for frame in layer.keyframes)


def _tokens(underlying: Tokens | Vector | TransformList) -> Tokens:
    assert not isinstance(underlying, Vector)
    return underlying  # type: ignore[return-value]


@functools.lru_cache(maxsize=1024)
def _transform_keyframes(
    name: str, frames: tuple[Keyframe[tuple[Any, ...]], ...], resolution: Resolution
) -> tuple[Keyframe[TransformList], ...]:
    """The keyframes of a transform property, parsed once for whatever elements and states they apply to."""
    context = Context(resolution)
    return _parsed(frames, lambda tokens: parse_transform_property(name, tokens, context), NONE)


def _parsed(frames: TokenKeyframes, parse: Callable[[Tokens], Any], initial: Any) -> tuple[Keyframe[Any], ...]:
    parsed: list[Keyframe[Any]] = []
    for frame in frames:
        value = None
        if frame.value is not None:
            value = initial if _is_css_wide(frame.value) else parse(frame.value)
        if value is not None:
            parsed.append(Keyframe(frame.offset, value, frame.easing, frame.composition))
        elif frame.offset in {0.0, 1.0}:
            parsed.append(Keyframe(frame.offset, None, frame.easing))
    return tuple(parsed)


def _is_css_wide(tokens: Tokens) -> bool:
    return len(tokens) == 1 and tokens[0].type == "ident" and tokens[0].lower_value in _CSS_WIDE


def _constant(
    name: str, animations: Sequence[tuple[AnimationSpec, TokenKeyframes]], underlying: Tokens | Vector | TransformList
) -> VectorTrack | Unknown:
    """A property with no known interpolation is told only if nothing about it changes."""
    base = _keyword(_tokens(underlying))
    values = [frame.value for _, frames in animations for frame in frames if frame.value is not None]
    if all(_keyword(value).form == base.form for value in values):
        return VectorTrack([], base)
    return Unknown(UNSUPPORTED, f"the animation of {name} is not evaluated")


# ---------------------------------------------------------------------------------------------------------------------
# Custom properties


def property_type(name: str, context: Context) -> PropertyType | None:
    """How a property animates; a custom property by its registered syntax, otherwise it flips."""
    if not name.startswith("--"):
        return property_types().get(name)
    syntax = context.syntaxes.get(name, "*").strip()
    parse = _SYNTAXES.get(syntax)
    if parse is None:
        return PropertyType(_custom, Vector.of(""), _PLAIN)
    arithmetic = _COLORS if syntax == "<color>" else _INTEGERS if syntax == "<integer>" else _ADDITIVE
    return PropertyType(lambda tokens, own: parse(tokens, own) or _custom(tokens, own), Vector.of(""), arithmetic)


def _custom(tokens: Tokens, context: Context) -> Vector:
    del context
    return Vector(("tokens", serialize(strip_whitespace(tokens))), np.zeros(0))


def _typed(form: str, parse: Callable[[Tokens], float | None]) -> Parser:
    def parser(tokens: Tokens, context: Context) -> Vector | None:
        del context
        number = parse(tokens)
        return None if number is None else Vector.of(form, number)

    return parser


def _fixed_length(tokens: Tokens, context: Context) -> Vector | None:
    length = parse_length(tokens, context.resolution)
    return None if length is None else Vector.of("length", length, 0.0)


def _length_percentage(tokens: Tokens, context: Context) -> Vector | None:
    length = parse_length_percentage(tokens, context.resolution)
    return None if length is None or length.deferred else Vector.of("length", length.px, length.percent)


_SYNTAXES: dict[str, Parser] = {
    "<number>": _typed("number", parse_number),
    "<integer>": _typed("number", parse_integer),
    "<percentage>": _typed("percentage", parse_percentage),
    "<angle>": _typed("angle", parse_angle),
    "<time>": _typed("time", parse_time),
    "<length>": _fixed_length,
    "<length-percentage>": _length_percentage,
    "<color>": _color,
}


MAX_GROUPS = 512
"""More different states of an element's animated custom properties than this are not told apart."""


def custom_groups(
    tracks: Mapping[str, VectorTrack], times: FloatArray
) -> list[tuple[NDArray[np.intp], dict[str, str]]] | Unknown:
    """The times grouped by the values of animated custom properties: indices, and CSS text by name.

    Whatever uses ``var()`` of them is worked out once for each group.
    """
    texts: list[list[str]] = []
    for track in tracks.values():
        column = [""] * len(times)
        for index, value in track.evaluate(times).pieces:
            rows = np.broadcast_to(value.numbers, (len(index), value.numbers.shape[-1])).tolist()
            for time, numbers in zip(index.tolist(), rows, strict=True):
                column[time] = custom_text(value.form, numbers)
        texts.append(column)
    groups: dict[tuple[str, ...], list[int]] = {}
    for time, state in enumerate(zip(*texts, strict=True)):
        groups.setdefault(state, []).append(time)
    if len(groups) > MAX_GROUPS:
        return Unknown(LIMIT, f"more than {MAX_GROUPS} states of animated custom properties")
    return [(np.array(index), dict(zip(tracks, state, strict=True))) for state, index in groups.items()]


def custom_text(form: Hashable, numbers: Sequence[float]) -> str:
    """The CSS text of a custom property's value at one time, from its form and (finished) numbers."""
    match form:
        case ("tokens", str(text)):
            return text
        case "number":
            return f"{numbers[0]:.12g}"
        case "percentage":
            return f"{numbers[0] * 100:.12g}%"
        case "angle":
            return f"{numbers[0]:.12g}deg"
        case "time":
            return f"{numbers[0]:.12g}s"
        case "length":
            if numbers[1] == 0:
                return f"{numbers[0]:.12g}px"
            return f"calc({numbers[0]:.12g}px + {numbers[1] * 100:.12g}%)"
        case "color":
            red, green, blue = (f"{number * 255:.8g}" for number in numbers[:3])
            return f"rgb({red} {green} {blue} / {numbers[3]:.8g})"
    return str(form)
