"""CSS colours (CSS Color 4 and 5): parsing, sRGB, luminance and contrast, compositing, Chromium's serialization.

Names, hexadecimal colours and the Lab families are tinycss2's; the other spaces, mixing and relative colours are here.
Coordinates are in the units of their space as a style sheet writes them: ``hsl`` is (degrees, 0..100, 0..100), the L of
``lab`` is 0..100, that of ``oklab`` 0..1, ``rgb`` and ``color()`` are 0..1. ``None`` is a missing component.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import tinycss2.ast
import tinycss2.color4

from husky_lint.style.values import (
    Node,
    parse_angle,
    parse_number,
    parse_number_or_percentage,
    parse_percentage,
    split_commas,
    split_spaces,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MAX_DEPTH = 16
"""Colours inside colours (``color-mix()``, relative colours, ``light-dark()``)."""

Coordinates: TypeAlias = "tuple[float | None, float | None, float | None]"
Triple: TypeAlias = tuple[float, float, float]
Matrix: TypeAlias = tuple[Triple, Triple, Triple]


@dataclass(frozen=True, slots=True)
class Color:
    """A colour in sRGB: ``red``, ``green``, ``blue`` are 0..1 inside the gamut and beyond it outside; alpha is 0..1.

    ``space`` and ``coordinates`` keep what the style sheet said, for serialization; ``"rgb"`` is legacy sRGB.
    """

    red: float
    green: float
    blue: float
    alpha: float = 1.0
    space: str = field(default="rgb", compare=False)
    coordinates: Coordinates | None = field(default=None, compare=False)

    @property
    def luminance(self) -> float:
        """Relative luminance (WCAG 2), 0 black to 1 white; alpha is not looked at."""
        red, green, blue = (_srgb_to_linear(_clamp(channel)) for channel in (self.red, self.green, self.blue))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def contrast(self, other: Color) -> float:
        """Contrast ratio (WCAG 2), 1 to 21, of two opaque colours; composite translucent ones first."""
        high, low = sorted((self.luminance, other.luminance), reverse=True)
        return (high + 0.05) / (low + 0.05)

    def over(self, background: Color) -> Color:
        """This colour painted on ``background`` (source-over in sRGB, as browsers composite)."""
        alpha = self.alpha + background.alpha * (1 - self.alpha)
        if alpha == 0:
            return TRANSPARENT
        below = background.alpha * (1 - self.alpha)
        red, green, blue = (
            (_clamp(top) * self.alpha + _clamp(bottom) * below) / alpha
            for top, bottom in zip(self.channels, background.channels, strict=True)
        )
        return Color(red, green, blue, alpha)

    @property
    def channels(self) -> Triple:
        return (self.red, self.green, self.blue)

    def with_opacity(self, factor: float) -> Color:
        """The same colour, ``factor`` times as opaque."""
        return Color(self.red, self.green, self.blue, _clamp(self.alpha * factor))

    @property
    def css(self) -> str:
        """The text of ``getComputedStyle`` in Chromium."""
        if self.space == "rgb":
            red, green, blue = (_byte(channel) for channel in self.channels)
            eighth_bits = _byte(self.alpha)
            if eighth_bits == 255:
                return f"rgb({red}, {green}, {blue})"
            # Two decimals where they give the same 8 bits again, else three.
            alpha = round(eighth_bits / 255, 2)
            if _byte(alpha) != eighth_bits:
                alpha = round(eighth_bits / 255, 3)
            return f"rgba({red}, {green}, {blue}, {alpha:g})"
        coordinates = self.coordinates if self.coordinates is not None else self.channels
        listed = " ".join("none" if value is None else _number(value) for value in coordinates)
        if self.alpha != 1:
            listed += f" / {_number(self.alpha)}"
        return f"{self.space}({listed})" if self.space in _LAB_SPACES else f"color({self.space} {listed})"


def luminance(color: Color) -> float:
    """:attr:`Color.luminance`."""
    return color.luminance


def contrast(first: Color, second: Color) -> float:
    """:meth:`Color.contrast`."""
    return first.contrast(second)


BLACK = Color(0.0, 0.0, 0.0)
WHITE = Color(1.0, 1.0, 1.0)
TRANSPARENT = Color(0.0, 0.0, 0.0, 0.0)


def parse_color(tokens: Sequence[Node], current: Color = BLACK, scheme: str = "light") -> Color | None:
    """A ``<color>``, ``None`` if the component values are not exactly one.

    ``current`` is what ``currentcolor`` stands for; ``scheme`` (``"light"`` or ``"dark"``) the used colour scheme, for
    ``light-dark()`` and system colours.
    """
    items = split_spaces(tokens) if len(tokens) != 1 else tokens
    if len(items) != 1:
        return None
    try:
        return _Context(current, "dark" if scheme == "dark" else "light").color(items[0], 0)
    except _InvalidError:
        return None


class _InvalidError(Exception):
    """No valid colour."""


# ---------------------------------------------------------------------------------------------------------------------
# Spaces

_LAB_SPACES = frozenset({"lab", "lch", "oklab", "oklch"})
_POLAR_SPACES = {"hsl": 0, "hwb": 0, "lch": 2, "oklch": 2}  # to the index of the hue
_D65 = (0.3127 / 0.3290, 1.0, (1 - 0.3127 - 0.3290) / 0.3290)
_D50 = (0.3457 / 0.3585, 1.0, (1 - 0.3457 - 0.3585) / 0.3585)
# CIE xy chromaticities of red, green, blue.
_PRIMARIES = {
    "srgb": ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06)),
    "display-p3": ((0.68, 0.32), (0.265, 0.69), (0.15, 0.06)),
    "a98-rgb": ((0.64, 0.33), (0.21, 0.71), (0.15, 0.06)),
    "prophoto-rgb": ((0.734699, 0.265301), (0.159597, 0.840403), (0.036598, 0.000105)),
    "rec2020": ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046)),
}
_LINEAR = {"srgb-linear": "srgb", "display-p3-linear": "display-p3"}
_RGB_SPACES = frozenset({*_PRIMARIES, *_LINEAR})
_XYZ_SPACES = {"xyz": "xyz-d65", "xyz-d65": "xyz-d65", "xyz-d50": "xyz-d50"}
# Bradford adaptation (CSS Color 4, section 10).
_D50_TO_D65: Matrix = (
    (0.955473421488075, -0.02309845494876471, 0.06325924320057072),
    (-0.0283697093338637, 1.0099953980813041, 0.021041441191917323),
    (0.012314014864481998, -0.020507649298898964, 1.330365926242124),
)
_XYZ_TO_LMS: Matrix = (
    (0.8190224379967030, 0.3619062600528904, -0.1288737815209879),
    (0.0329836539323885, 0.9292868615863434, 0.0361446663506424),
    (0.0481771893596242, 0.2642395317527308, 0.6335478284694309),
)
_LMS_TO_OKLAB: Matrix = (
    (0.2104542683093140, 0.7936177747023054, -0.0040720430116193),
    (1.9779985324311684, -2.4285922420485799, 0.4505937096174110),
    (0.0259040424655478, 0.7827717124575296, -0.8086757549230774),
)


def _apply(matrix: Matrix, vector: Triple) -> Triple:
    x, y, z = vector
    a, b, c = (row[0] * x + row[1] * y + row[2] * z for row in matrix)
    return (a, b, c)


def _inverse(matrix: Matrix) -> Matrix:
    (a, b, c), (d, e, f), (g, h, i) = matrix
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    rows = (
        (e * i - f * h, c * h - b * i, b * f - c * e),
        (f * g - d * i, a * i - c * g, c * d - a * f),
        (d * h - e * g, b * g - a * h, a * e - b * d),
    )
    x, y, z = ((row[0] / determinant, row[1] / determinant, row[2] / determinant) for row in rows)
    return (x, y, z)


@functools.cache
def _to_xyz_matrix(space: str) -> Matrix:
    """Linear RGB to XYZ relative to D65."""
    white = _D50 if space == "prophoto-rgb" else _D65
    columns = [(x / y, 1.0, (1 - x - y) / y) for x, y in _PRIMARIES[space]]
    r, g, b = columns
    unscaled: Matrix = ((r[0], g[0], b[0]), (r[1], g[1], b[1]), (r[2], g[2], b[2]))
    scale = _apply(_inverse(unscaled), white)
    x, y, z = ((row[0] * scale[0], row[1] * scale[1], row[2] * scale[2]) for row in unscaled)
    if space != "prophoto-rgb":
        return (x, y, z)
    adapted = [_apply(_D50_TO_D65, (x[k], y[k], z[k])) for k in range(3)]
    i, j, k = adapted
    return ((i[0], j[0], k[0]), (i[1], j[1], k[1]), (i[2], j[2], k[2]))


@functools.cache
def _from_xyz_matrix(space: str) -> Matrix:
    return _inverse(_to_xyz_matrix(space))


def _signed_power(value: float, exponent: float) -> float:
    return math.copysign(abs(value) ** exponent, value)


def _srgb_to_linear(value: float) -> float:
    if abs(value) <= 0.04045:
        return value / 12.92
    return math.copysign(((abs(value) + 0.055) / 1.055) ** 2.4, value)


def _linear_to_srgb(value: float) -> float:
    if abs(value) <= 0.0031308:
        return value * 12.92
    return math.copysign(1.055 * abs(value) ** (1 / 2.4) - 0.055, value)


_REC2020_ALPHA, _REC2020_BETA = 1.09929682680944, 0.018053968510807


def _decode(space: str, value: float) -> float:
    match space:
        case "a98-rgb":
            return _signed_power(value, 563 / 256)
        case "prophoto-rgb":
            return value / 16 if abs(value) <= 16 / 512 else _signed_power(value, 1.8)
        case "rec2020":
            if abs(value) < _REC2020_BETA * 4.5:
                return value / 4.5
            return math.copysign(((abs(value) + _REC2020_ALPHA - 1) / _REC2020_ALPHA) ** (1 / 0.45), value)
    return _srgb_to_linear(value)


def _encode(space: str, value: float) -> float:
    match space:
        case "a98-rgb":
            return _signed_power(value, 256 / 563)
        case "prophoto-rgb":
            return value * 16 if abs(value) < 1 / 512 else _signed_power(value, 1 / 1.8)
        case "rec2020":
            if abs(value) < _REC2020_BETA:
                return value * 4.5
            return math.copysign(_REC2020_ALPHA * abs(value) ** 0.45 - (_REC2020_ALPHA - 1), value)
    return _linear_to_srgb(value)


def _to_xyz(space: str, coordinates: Triple) -> Triple:
    """XYZ relative to D65."""
    if space in _RGB_SPACES:
        linear = coordinates
        primaries = _LINEAR.get(space)
        if primaries is None:
            primaries = space
            x, y, z = (_decode(space, value) for value in coordinates)
            linear = (x, y, z)
        return _apply(_to_xyz_matrix(primaries), linear)
    if space == "xyz-d65":
        return coordinates
    if space == "xyz-d50":
        return _apply(_D50_TO_D65, coordinates)
    if space in {"hsl", "hwb"}:
        red, green, blue = tinycss2.color4.Color(space, coordinates, 1).to("srgb").coordinates
        return _to_xyz("srgb", (red, green, blue))
    if space in {"lab", "lch"}:
        x, y, z = tinycss2.color4.Color(space, coordinates, 1).to("xyz-d50").coordinates
        return _apply(_D50_TO_D65, (x, y, z))
    lightness, a, b = coordinates
    if space == "oklch":
        a, b = a * math.cos(math.radians(b)), a * math.sin(math.radians(b))
    # tinycss2's OKLab matrices are rounded more than Chromium's.
    lms = _apply(_inverse(_LMS_TO_OKLAB), (lightness, a, b))
    return _apply(_inverse(_XYZ_TO_LMS), (lms[0] ** 3, lms[1] ** 3, lms[2] ** 3))


def _from_xyz(space: str, xyz: Triple) -> Triple:
    if space in _RGB_SPACES:
        primaries = _LINEAR.get(space)
        if primaries is not None:
            return _apply(_from_xyz_matrix(primaries), xyz)
        x, y, z = (_encode(space, value) for value in _apply(_from_xyz_matrix(space), xyz))
        return (x, y, z)
    match space:
        case "xyz-d65":
            return xyz
        case "xyz-d50":
            return _apply(_inverse(_D50_TO_D65), xyz)
        case "hsl" | "hwb":
            return _rgb_to_polar(space, _from_xyz("srgb", xyz))
        case "lab" | "lch":
            lab = _xyz_d50_to_lab(_apply(_inverse(_D50_TO_D65), xyz))
            return lab if space == "lab" else _to_polar(lab)
    x, y, z = (math.cbrt(value) for value in _apply(_XYZ_TO_LMS, xyz))
    oklab = _apply(_LMS_TO_OKLAB, (x, y, z))
    return oklab if space == "oklab" else _to_polar(oklab)


def _xyz_d50_to_lab(xyz: Triple) -> Triple:
    def part(value: float) -> float:
        return math.cbrt(value) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116

    x, y, z = (part(value / white) for value, white in zip(xyz, _D50, strict=True))
    return (116 * y - 16, 500 * (x - y), 200 * (y - z))


def _to_polar(lab: Triple) -> Triple:
    lightness, a, b = lab
    return (lightness, math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360)


def _rgb_to_polar(space: str, rgb: Triple) -> Triple:
    red, green, blue = rgb
    high, low = max(rgb), min(rgb)
    spread = high - low
    hue = 0.0
    if spread > 1e-9:
        if high == red:
            hue = 60 * ((green - blue) / spread)
        elif high == green:
            hue = 60 * ((blue - red) / spread + 2)
        else:
            hue = 60 * ((red - green) / spread + 4)
    hue %= 360
    if space == "hwb":
        return (hue, low * 100, (1 - high) * 100)
    lightness = (high + low) / 2
    span = min(lightness, 1 - lightness)
    return (hue, 0.0 if span == 0 else (high - lightness) / span * 100, lightness * 100)


def _filled(coordinates: Coordinates) -> Triple:
    x, y, z = (0.0 if value is None else value for value in coordinates)
    return (x, y, z)


def _convert(source: str, coordinates: Coordinates, target: str) -> Coordinates:
    """Coordinates in another space; a hue without chroma becomes missing (CSS Color 4, section 12)."""
    if source == "rgb":
        source = "srgb"
    if source == target:
        return coordinates
    if source == "srgb" and target in {"hsl", "hwb"}:
        result: Triple = _rgb_to_polar(target, _filled(coordinates))
    else:
        result = _from_xyz(target, _to_xyz(source, _filled(coordinates)))
    x, y, z = result
    if (target == "hsl" and y < 1e-4) or (target == "hwb" and y + z > 99.9999):
        return (None, y, z)
    if (target == "lch" and y < 0.02) or (target == "oklch" and y < 5e-5):
        return (x, y, None)
    return result


def _make(space: str, coordinates: Coordinates, alpha: float | None) -> Color:
    """A colour from coordinates in any space."""
    if not all(value is None or math.isfinite(value) for value in coordinates):
        raise _InvalidError
    opacity = _clamp(0.0 if alpha is None else alpha)
    if space in {"rgb", "srgb"}:
        red, green, blue = _filled(coordinates)
    elif space in {"hsl", "hwb"}:
        red, green, blue = tinycss2.color4.Color(space, _filled(coordinates), 1).to("srgb").coordinates
    else:
        red, green, blue = _from_xyz("srgb", _to_xyz(space, _filled(coordinates)))
    if space == "rgb":
        red, green, blue = _clamp(red), _clamp(green), _clamp(blue)
        return Color(red, green, blue, opacity)
    return Color(red, green, blue, opacity, space, coordinates)


def _specified(color: Color) -> tuple[str, Coordinates]:
    return color.space, color.channels if color.coordinates is None else color.coordinates


# ---------------------------------------------------------------------------------------------------------------------
# Parsing

# What the three components are called in relative colours, and what 100 % is of each.
_FUNCTIONS: dict[str, tuple[str, tuple[str, str, str], tuple[float, float, float]]] = {
    "rgb": ("rgb", ("r", "g", "b"), (255, 255, 255)),
    "rgba": ("rgb", ("r", "g", "b"), (255, 255, 255)),
    "hsl": ("hsl", ("h", "s", "l"), (0, 100, 100)),
    "hsla": ("hsl", ("h", "s", "l"), (0, 100, 100)),
    "hwb": ("hwb", ("h", "w", "b"), (0, 100, 100)),
    "lab": ("lab", ("l", "a", "b"), (100, 125, 125)),
    "lch": ("lch", ("l", "c", "h"), (100, 150, 0)),
    "oklab": ("oklab", ("l", "a", "b"), (1, 0.4, 0.4)),
    "oklch": ("oklch", ("l", "c", "h"), (1, 0.4, 0)),
}
_HUE_METHODS = frozenset({"shorter", "longer", "increasing", "decreasing"})


@dataclass(frozen=True, slots=True)
class _Context:
    current: Color
    scheme: str

    def color(self, token: Node, depth: int) -> Color:
        if depth > MAX_DEPTH:
            raise _InvalidError
        if token.type == "ident":
            name = token.lower_value
            if name == "currentcolor":
                return self.current
            pair = _SYSTEM_COLORS.get(name)
            if pair is not None:
                red, green, blue, alpha = pair[self.scheme == "dark"]
                return Color(red / 255, green / 255, blue / 255, alpha)
        if token.type in {"ident", "hash"}:
            named = tinycss2.color4.parse_color(token)
            if named is None:
                raise _InvalidError
            red, green, blue = named.coordinates
            return Color(red, green, blue, named.alpha)
        if token.type != "function":
            raise _InvalidError
        name = token.lower_name
        if name in _FUNCTIONS:
            return self._function(name, token.arguments, depth)
        match name:
            case "color":
                return self._color_function(split_spaces(token.arguments), depth)
            case "color-mix":
                return self._mix(split_commas(token.arguments), depth)
            case "light-dark":
                parts = [split_spaces(part) for part in split_commas(token.arguments)]
                if len(parts) != 2 or any(len(part) != 1 for part in parts):
                    raise _InvalidError
                light, dark = (self.color(part[0], depth + 1) for part in parts)
                return dark if self.scheme == "dark" else light
            case "contrast-color":
                inner = split_spaces(token.arguments)
                if len(inner) != 1:
                    raise _InvalidError
                color = self.color(inner[0], depth + 1)
                return BLACK if color.contrast(BLACK) >= color.contrast(WHITE) else WHITE
            case "alpha":
                return self._with_alpha(split_spaces(token.arguments), depth)
        raise _InvalidError

    def _function(self, name: str, arguments: Iterable[Node], depth: int) -> Color:
        space, channels, full = _FUNCTIONS[name]
        items = split_spaces(arguments)
        origin = self._origin(items, depth)
        if origin is not None:
            items = items[2:]
            coordinates = _convert(*_specified(origin), "srgb" if space == "rgb" else space)
            if space == "rgb":
                x, y, z = (None if value is None else value * 255 for value in coordinates)
                coordinates = (x, y, z)
            items = _substitute(items, dict(zip((*channels, "alpha"), (*coordinates, origin.alpha), strict=True)))
        legacy = any(_is(item, ",") for item in items)
        if legacy:
            if origin is not None or space not in {"rgb", "hsl"} or any(_is(item, ",") for item in items[::2]):
                raise _InvalidError
            if len(items) not in {5, 7} or not all(_is(item, ",") for item in items[1::2]):
                raise _InvalidError
            components, opacity = items[0:5:2], items[6:7]
            if any(_is_none(item) for item in items):
                raise _InvalidError
            _check_legacy(space, components)
        else:
            components, opacity = _split_alpha(items)
        alpha = _opacity(opacity, 1.0 if origin is None else origin.alpha)
        values = [
            _hue(component) if channel == "h" else _component(component, of)
            for component, channel, of in zip(components, channels, full, strict=True)
        ]
        if space == "hsl" and origin is None and any(parse_percentage([part]) is None for part in components[1:]):
            # Chromium cuts saturation and lightness off at 100 % only where both are percentages.
            hue, saturation, lightness = _filled((values[0], values[1], values[2]))
            color = _make("hsl", (hue, max(saturation, 0.0), max(lightness, 0.0)), alpha)
            return Color(_clamp(color.red), _clamp(color.green), _clamp(color.blue), color.alpha)
        return _normalised(space, values, alpha, relative=origin is not None)

    def _origin(self, items: list[Node], depth: int) -> Color | None:
        if len(items) > 1 and items[0].type == "ident" and items[0].lower_value == "from":
            return self.color(items[1], depth + 1)
        return None

    def _color_function(self, items: list[Node], depth: int) -> Color:
        origin = self._origin(items, depth)
        if origin is not None:
            items = items[2:]
        if not items or items[0].type != "ident":
            raise _InvalidError
        space = _XYZ_SPACES.get(items[0].lower_value, items[0].lower_value)
        if space not in _RGB_SPACES and space not in _XYZ_SPACES:
            raise _InvalidError
        items = items[1:]
        if origin is not None:
            names = ("x", "y", "z") if space in _XYZ_SPACES else ("r", "g", "b")
            coordinates = _convert(*_specified(origin), space)
            items = _substitute(items, dict(zip((*names, "alpha"), (*coordinates, origin.alpha), strict=True)))
        components, opacity = _split_alpha(items)
        alpha = _opacity(opacity, 1.0 if origin is None else origin.alpha)
        x, y, z = (_component(component, 1.0) for component in components)
        return _make(space, (x, y, z), alpha)

    def _with_alpha(self, items: list[Node], depth: int) -> Color:
        origin = self._origin(items, depth)
        if origin is None:
            raise _InvalidError
        rest = _substitute(items[2:], {"alpha": origin.alpha})
        if not rest:
            return origin
        if len(rest) != 2 or not _is(rest[0], "/"):
            raise _InvalidError
        space, coordinates = _specified(origin)
        return _make(space, coordinates, _opacity(rest[1:], 1.0))

    def _mix(self, parts: list[list[Node]], depth: int) -> Color:
        space, method = "oklab", "shorter"
        first = split_spaces(parts[0]) if parts else []
        if first and first[0].type == "ident" and first[0].lower_value == "in":
            space, method = _interpolation(first[1:])
            parts = parts[1:]
        if len(parts) != 2:
            raise _InvalidError
        colors, weights = zip(*(self._weighted(part, depth) for part in parts), strict=True)
        first_weight, second_weight, total = _weights(weights)
        mixed, alpha = _interpolate(colors[0], colors[1], space, method, first_weight, second_weight)
        if space in {"hsl", "hwb"}:
            space, mixed = "srgb", _make(space, mixed, 1.0).channels
        return _make(space, mixed, alpha * min(total, 1.0))

    def _weighted(self, part: list[Node], depth: int) -> tuple[Color, float | None]:
        items = split_spaces(part)
        if len(items) == 1:
            return self.color(items[0], depth + 1), None
        if len(items) != 2:
            raise _InvalidError
        for color, share in (items, items[::-1]):
            weight = parse_percentage([share])
            if weight is not None:
                if not 0 <= weight <= 1:
                    raise _InvalidError
                return self.color(color, depth + 1), weight
        raise _InvalidError


def _interpolation(items: list[Node]) -> tuple[str, str]:
    """Space and hue method of ``in <space> [<method> hue]?``."""
    names = [item.lower_value if item.type == "ident" else "" for item in items]
    space = _XYZ_SPACES.get(names[0], names[0]) if names else ""
    if space not in _RGB_SPACES and space not in {"lab", "oklab", "xyz-d65", "xyz-d50", *_POLAR_SPACES}:
        raise _InvalidError
    if len(names) == 1:
        return space, "shorter"
    if len(names) != 3 or space not in _POLAR_SPACES or names[1] not in _HUE_METHODS or names[2] != "hue":
        raise _InvalidError
    return space, names[1]


def _weights(weights: tuple[float | None, ...]) -> tuple[float, float, float]:
    """Shares that sum to 1, and the sum as specified (below 1 it makes the result translucent)."""
    first, second = weights
    if first is None:
        first = 0.5 if second is None else 1 - second
    if second is None:
        second = 1 - first
    total = first + second
    return (0.5, 0.5, 0.0) if total == 0 else (first / total, second / total, total)


def _interpolate(
    first: Color, second: Color, space: str, method: str, first_weight: float, second_weight: float
) -> tuple[Coordinates, float]:
    """CSS Color 4, section 12: premultiplied, hues apart, missing components taken from the other colour."""
    hue_index = _POLAR_SPACES.get(space)
    start = _carried(first, space)
    end = _carried(second, space)
    alpha = first.alpha * first_weight + second.alpha * second_weight
    mixed: list[float | None] = []
    for index in range(3):
        a, b = start[index], end[index]
        if a is None and b is None:
            mixed.append(None)
            continue
        a = b if a is None else a
        b = a if b is None else b
        assert a is not None
        assert b is not None
        if index == hue_index:
            a, b = _hue_arc(a, b, method)
            mixed.append((a * first_weight + b * second_weight) % 360)
        elif alpha == 0:
            mixed.append(a * first_weight + b * second_weight)
        else:
            mixed.append((a * first.alpha * first_weight + b * second.alpha * second_weight) / alpha)
    return (mixed[0], mixed[1], mixed[2]), alpha


def _carried(color: Color, space: str) -> Coordinates:
    """Coordinates for interpolation: a hue that was missing stays missing in another polar space."""
    source, coordinates = _specified(color)
    result = list(_convert(source, coordinates, space))
    if source in _POLAR_SPACES and space in _POLAR_SPACES and coordinates[_POLAR_SPACES[source]] is None:
        result[_POLAR_SPACES[space]] = None
    return (result[0], result[1], result[2])


def _hue_arc(start: float, end: float, method: str) -> tuple[float, float]:
    difference = end - start
    match method:
        case "shorter":
            if difference > 180:
                start += 360
            elif difference < -180:
                end += 360
        case "longer":
            if 0 < difference < 180:
                start += 360
            elif -180 < difference <= 0:
                end += 360
        case "increasing":
            if difference < 0:
                end += 360
        case _:
            if difference > 0:
                start += 360
    return start, end


def _normalised(space: str, values: Sequence[float | None], alpha: float | None, *, relative: bool) -> Color:
    """Components as written, in the ranges of their function."""
    x, y, z = values
    match space:
        case "rgb":
            red, green, blue = (None if value is None else value / 255 for value in values)
            # Relative colours keep the precision (and gamut) that legacy colours do not have.
            return _make("srgb" if relative else "rgb", (red, green, blue), alpha)
        case "hsl" | "hwb":
            if not relative:
                # White and black may sum to more than 100 %: then they are scaled.
                high = 100.0 if space == "hsl" else math.inf
                y, z = (None if value is None else min(max(value, 0.0), high) for value in (y, z))
            color = _make(space, (x, y, z), alpha)
            if relative:
                return _make("srgb", color.channels, alpha)
            return Color(_clamp(color.red), _clamp(color.green), _clamp(color.blue), color.alpha)
        case "lab" | "oklab":
            return _make(space, (_lightness(space, x), y, z), alpha)
    y = None if y is None else max(y, 0.0)
    return _make(space, (_lightness(space, x), y, z), alpha)


def _lightness(space: str, value: float | None) -> float | None:
    return None if value is None else min(max(value, 0.0), 1.0 if space.startswith("ok") else 100.0)


def _split_alpha(items: list[Node]) -> tuple[list[Node], list[Node]]:
    if len(items) == 3:
        return items, []
    if len(items) == 5 and _is(items[3], "/"):
        return items[:3], items[4:]
    raise _InvalidError


def _check_legacy(space: str, components: list[Node]) -> None:
    """The comma syntax takes all numbers or all percentages; ``hsl()`` takes percentages behind the hue."""
    checked = components if space == "rgb" else components[1:]
    percentages = sum(parse_percentage([component]) is not None for component in checked)
    if percentages != len(checked) and (percentages or space == "hsl"):
        raise _InvalidError


def _opacity(items: list[Node], default: float) -> float | None:
    if not items:
        return default
    if _is_none(items[0]):
        return None
    value = parse_number_or_percentage(items)
    if value is None:
        raise _InvalidError
    return _clamp(value)


def _component(token: Node, full: float) -> float | None:
    """A number, or a percentage of ``full``; ``None`` for ``none``."""
    if _is_none(token):
        return None
    number = parse_number([token])
    if number is not None:
        return number
    share = parse_percentage([token])
    if share is None:
        raise _InvalidError
    return share * full


def _hue(token: Node) -> float | None:
    if _is_none(token):
        return None
    degrees = parse_angle([token])
    if degrees is None:
        degrees = parse_number([token])
    if degrees is None:
        raise _InvalidError
    return degrees % 360


def _substitute(items: Sequence[Node], channels: Mapping[str, float | None], depth: int = 0) -> list[Node]:
    """Channel keywords of a relative colour as numbers, in math functions too."""
    if depth > MAX_DEPTH:
        raise _InvalidError
    result: list[Node] = []
    for item in items:
        match item.type:
            case "ident" if item.lower_value in channels:
                value = channels[item.lower_value] or 0.0
                result.append(tinycss2.ast.NumberToken(item.source_line, item.source_column, value, None, repr(value)))
            case "function":
                arguments = _substitute(item.arguments, channels, depth + 1)
                result.append(tinycss2.ast.FunctionBlock(item.source_line, item.source_column, item.name, arguments))
            case "() block":
                content = _substitute(item.content, channels, depth + 1)
                result.append(tinycss2.ast.ParenthesesBlock(item.source_line, item.source_column, content))
            case _:
                result.append(item)
    return result


def _is(token: Node, mark: str) -> bool:
    return bool(token.type == "literal" and token.value == mark)


def _is_none(token: Node) -> bool:
    return bool(token.type == "ident" and token.lower_value == "none")


def _clamp(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _byte(value: float) -> int:
    # Chromium computes in single precision: what is a half there may be a hair less here.
    return math.floor(_clamp(value) * 255 + 0.5 + 1e-6)


def _number(value: float) -> str:
    text = f"{value:.6g}"
    return "0" if text == "-0" else text


# Chromium on Linux: (light, dark), 0..255 and alpha.
_Pair: TypeAlias = "tuple[tuple[int, int, int, float], tuple[int, int, int, float]]"


def _system_colors() -> dict[str, _Pair]:
    def gray(light: int, dark: int) -> _Pair:
        return (light, light, light, 1.0), (dark, dark, dark, 1.0)

    def both(red: int, green: int, blue: int, alpha: float = 1.0) -> _Pair:
        return (red, green, blue, alpha), (red, green, blue, alpha)

    colors: dict[str, _Pair] = {
        "accentcolor": both(0, 117, 255),
        "accentcolortext": both(255, 255, 255),
        "activetext": both(255, 0, 0),
        "field": gray(255, 59),
        "graytext": both(128, 128, 128),
        "highlight": both(0, 65, 198, 0.8),
        "highlighttext": both(255, 255, 255),
        "linktext": ((0, 0, 238, 1.0), (158, 158, 255, 1.0)),
        "mark": both(255, 255, 0),
        "marktext": both(0, 0, 0),
        "selecteditem": ((25, 103, 210, 1.0), (153, 200, 255, 1.0)),
        "selecteditemtext": gray(255, 59),
        "visitedtext": ((85, 26, 139, 1.0), (208, 173, 240, 1.0)),
        "inactivecaptiontext": both(128, 128, 128),
        "-webkit-link": ((0, 0, 238, 1.0), (158, 158, 255, 1.0)),
        "-webkit-activelink": ((255, 0, 0, 1.0), (255, 158, 158, 1.0)),
    }
    text, canvas, face = gray(0, 255), gray(255, 18), gray(239, 107)
    for name in (
        *("buttonborder", "buttontext", "canvastext", "fieldtext", "activeborder", "captiontext", "inactiveborder"),
        *("infotext", "menutext", "threeddarkshadow", "threedhighlight", "threedlightshadow", "threedshadow"),
        *("windowframe", "windowtext"),
    ):
        colors[name] = text
    for name in (
        *("canvas", "activecaption", "appworkspace", "background", "inactivecaption", "infobackground", "menu"),
        *("scrollbar", "window"),
    ):
        colors[name] = canvas
    for name in ("buttonface", "buttonhighlight", "buttonshadow", "threedface"):
        colors[name] = face
    return colors


_SYSTEM_COLORS = _system_colors()
SYSTEM_COLORS = frozenset(_SYSTEM_COLORS)
"""Names of the system colours, lower case."""
