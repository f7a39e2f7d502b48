"""Computed values as text, equal to ``getComputedStyle`` in Chromium for the properties that rules read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import tinycss2

from husky_lint.style import values
from husky_lint.style.tree import SVG
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from husky_lint.style.element_style import ComputedStyle
    from husky_lint.style.tree import Node

_COLORS = words(
    """
    color stop-color flood-color lighting-color background-color border-top-color border-right-color
    border-bottom-color border-left-color outline-color text-decoration-color caret-color column-rule-color
    -webkit-text-fill-color
    """
)
_PAINTS = frozenset({"fill", "stroke"})
_NUMBERS = words(
    """
    opacity fill-opacity stroke-opacity stop-opacity flood-opacity stroke-miterlimit font-weight z-index order
    flex-grow flex-shrink
    """
)
_LENGTHS = words(
    """
    stroke-width stroke-dashoffset offset-distance x y cx cy r rx ry letter-spacing word-spacing
    margin-top margin-right margin-bottom margin-left padding-top padding-right padding-bottom padding-left
    top right bottom left
    """
)
_EASING_SHORT = {"step-start": "steps(1, start)", "step-end": "steps(1)"}

# CSS Display 3, section 2.7: what an inline-level display becomes when a box is blockified.
_BLOCKIFIED = {
    "inline": "block",
    "inline-block": "block",
    "inline-table": "table",
    "inline-flex": "flex",
    "inline-grid": "grid",
    "ruby": "block",
    "table-row-group": "block",
    "table-header-group": "block",
    "table-footer-group": "block",
    "table-row": "block",
    "table-cell": "block",
    "table-column": "block",
    "table-column-group": "block",
    "table-caption": "block",
    "-webkit-inline-box": "-webkit-box",
    "math": "block math",
}


def format_number(value: float) -> str:
    """A number as Chromium writes it: six significant digits, no exponent sign games."""
    if value == 0:
        return "0"
    return f"{value:.6g}"


def computed_text(style: ComputedStyle, name: str) -> str:
    """The text for one property of one element. Transforms stay as declared: the matrix is the animation's to make."""
    if name.startswith("--"):
        return values.serialize(style.value(name))
    if name in _COLORS:
        color = style.color(name)
        return "" if color is None else color.css
    if name in _PAINTS:
        return _paint(style, name)
    if name in _NUMBERS:
        number = style.number(name)
        return _plain(style, name) if number is None else format_number(number)
    if name in _LENGTHS:
        length = style.length_percentage(name)
        return _plain(style, name) if length is None else length_text(length)
    special = _SPECIAL.get(name)
    if special is not None:
        return special(style)
    layered = _LAYERED.get(name)
    if layered is not None:
        return ", ".join(layered(layer) for layer in style.layers(name))
    return _plain(style, name)


def length_text(length: values.LengthPercentage) -> str:
    """``12px``, ``5%``, or ``calc(5% + 1px)``."""
    percent, pixels = length.percent * 100, length.px
    if not percent:
        return format_number(pixels) + "px"
    if not pixels:
        return format_number(percent) + "%"
    sign = "-" if pixels < 0 else "+"
    return f"calc({format_number(percent)}% {sign} {format_number(abs(pixels))}px)"


def _plain(style: ComputedStyle, name: str) -> str:
    """The tokens, keywords in lower case, lengths in pixels, URLs quoted, one space between."""
    resolved = style.resolve(name)
    units = resolved.style.units if resolved.style is not None else style.units
    return _tokens_text(resolved.tokens, units)


def _tokens_text(tokens: Sequence[Any], units: values.Resolution) -> str:
    parts: list[str] = []
    for token in values.strip_whitespace(tokens):
        kind = token.type
        if kind == "whitespace":
            parts.append(" ")
        elif kind == "ident":
            parts.append(token.lower_value)
        elif kind in {"dimension", "percentage", "number"}:
            parts.append(_numeric_text(token, units))
        elif kind == "url":
            parts.append(f'url("{token.value}")')
        elif kind == "function" and values.is_math(token):
            length = values.parse_length_percentage([token], units)
            number = values.parse_number([token])
            if length is not None:
                parts.append(length_text(length))
            else:
                parts.append(values.serialize([token]) if number is None else format_number(number))
        elif kind == "function":
            inside = ", ".join(_tokens_text(part, units) for part in values.split_commas(token.arguments))
            parts.append(f"{token.lower_name}({inside})")
        elif token == ",":
            while parts and parts[-1] == " ":
                parts.pop()
            parts.append(", ")
        else:
            parts.append(values.serialize([token]))
    return re.sub(r"\s+", " ", "".join(parts)).strip()


def _numeric_text(token: Any, units: values.Resolution) -> str:
    if token.type == "number":
        return format_number(token.value)
    if token.type == "percentage":
        return format_number(token.value) + "%"
    pixels = values.parse_length([token], units)
    if pixels is not None:
        return format_number(pixels) + "px"
    seconds = values.parse_time([token])
    if seconds is not None:
        return format_number(seconds) + "s"
    degrees = values.parse_angle([token])
    if degrees is not None:
        return format_number(degrees) + "deg"
    return str(token.serialize())


def _paint(style: ComputedStyle, name: str) -> str:
    tokens = values.split_spaces(style.value(name))
    if not tokens:
        return ""
    color = style.color(name)
    if color is not None:
        return color.css
    url = style.paint_server(name)
    if url is None:
        return _plain(style, name)
    rest = tokens[1:]
    if not rest:
        return f'url("{url}")'
    if len(rest) == 1 and rest[0].type == "ident" and rest[0].lower_value == "none":
        return f'url("{url}") none'
    from husky_lint.style.colors import parse_color

    fallback = parse_color(rest, style.current_color, style.scheme)
    return f'url("{url}")' if fallback is None else f'url("{url}") {fallback.css}'


# ---- display


#: Elements that `display: contents` hides instead of opening up (CSS Display 3, appendix B); other SVG elements vanish.
_UNOPENABLE = words(
    """
    br canvas embed object audio iframe img video input textarea select meter progress frame frameset wbr
    """
)
_OPENABLE_SVG = words("g svg a use tspan textPath")


def _display(style: ComputedStyle) -> str:
    """The computed display; worked out from the top down, because it depends on the parent's."""
    pending: list[ComputedStyle] = []
    above: ComputedStyle | None = style
    while above is not None and above.display is None:
        pending.append(above)
        above = above.parent
    parent = above.display if above is not None else None
    for current in reversed(pending):
        current.display = parent = _own_display(current, parent)
    return parent or ""


def _own_display(style: ComputedStyle, parent: str | None) -> str:
    text = parent if parent is not None and style.takes_parents("display") else _plain(style, "display")
    text = {"block flow": "block", "inline flow": "inline", "inline flow-root": "inline-block"}.get(text, text)
    node = style.node
    if text == "none":
        return text
    if text == "contents":
        if node.namespace == SVG:
            opens = node.name in _OPENABLE_SVG and not is_outermost_svg(node)
        else:
            opens = node.name not in _UNOPENABLE
        if not opens:
            return "none"
        return "block" if style.parent is None else text
    if _is_blockified(style):
        return _BLOCKIFIED.get(text, text)
    if node.namespace == SVG and node.name in {"text", "foreignObject"} and text.startswith("inline"):
        return "block"
    return text


def is_outermost_svg(node: Node) -> bool:
    """Whether the node is an ``<svg>`` with a CSS box: not inside another one."""
    return node.namespace == SVG and node.name == "svg" and (node.parent is None or node.parent.namespace != SVG)


def _position(style: ComputedStyle) -> str:
    """SVG elements without a CSS box have no position."""
    if style.node.namespace == SVG and not is_outermost_svg(style.node):
        return "static"
    return _plain(style, "position")


_BLOCKIFYING = words("flex inline-flex grid inline-grid -webkit-box -webkit-inline-box")


def _is_blockified(style: ComputedStyle) -> bool:
    if style.parent is None:
        return True
    if style.keyword("position") in {"absolute", "fixed"} or style.keyword("float") in {"left", "right"}:
        return True
    above: ComputedStyle | None = style.parent
    while above is not None and above.display == "contents":
        above = above.parent
    return above is not None and above.display in _BLOCKIFYING


# ---- filters

_AMOUNTS = words("brightness contrast grayscale invert opacity saturate sepia")


def _filter(style: ComputedStyle) -> str:
    resolved = style.resolve("filter")
    units = resolved.style.units if resolved.style is not None else style.units
    parts: list[str] = []
    for token in values.split_spaces(resolved.tokens):
        name = token.lower_name if token.type == "function" else ""
        if name in _AMOUNTS:
            amount = values.parse_number_or_percentage(token.arguments)
            parts.append(f"{name}({format_number(1.0 if amount is None else amount)})")
        elif name == "blur":
            parts.append(f"blur({format_number(values.parse_length(token.arguments, units) or 0.0)}px)")
        elif name == "hue-rotate":
            parts.append(f"hue-rotate({format_number(values.parse_angle(token.arguments) or 0.0)}deg)")
        elif name == "drop-shadow":
            parts.append(_shadow(token.arguments, style, units))
        else:
            parts.append(_tokens_text([token], units))
    return " ".join(parts)


def _shadow(tokens: Sequence[Any], style: ComputedStyle, units: values.Resolution) -> str:
    from husky_lint.style.colors import parse_color

    color, lengths = style.current_color, []
    for token in values.split_spaces(tokens):
        length = values.parse_length([token], units)
        if length is not None:
            lengths.append(length)
        else:
            color = parse_color([token], style.current_color, style.scheme) or color
    lengths += [0.0] * (3 - len(lengths))
    return f"drop-shadow({color.css} {' '.join(format_number(length) + 'px' for length in lengths)})"


# ---- origins


def transform_origin(
    style: ComputedStyle,
) -> tuple[values.LengthPercentage, values.LengthPercentage, float]:
    """``transform-origin`` as two lengths or percentages of the reference box, and a depth in pixels."""
    resolved = style.resolve("transform-origin")
    if "origin" not in resolved.memo:
        units = resolved.style.units if resolved.style is not None else style.units
        resolved.memo["origin"] = parse_origin(resolved.tokens, units)
    found: tuple[values.LengthPercentage, values.LengthPercentage, float] = resolved.memo["origin"]
    return found


_HALF = values.LengthPercentage(0.0, 0.5)
_EDGES = {"left": 0.0, "top": 0.0, "center": 0.5, "right": 1.0, "bottom": 1.0}


def parse_origin(
    tokens: Sequence[Any], units: values.Resolution
) -> tuple[values.LengthPercentage, values.LengthPercentage, float]:
    """The value of ``transform-origin`` (CSS Transforms 1, section 6); centred where it does not parse."""
    parts = values.split_spaces(tokens)
    words = [part.lower_value if part.type == "ident" else None for part in parts]
    depth = 0.0
    if len(parts) == 3:
        depth = values.parse_length([parts[2]], units, unitless=True) or 0.0
        parts, words = parts[:2], words[:2]
    if not parts or len(parts) > 2:
        return _HALF, _HALF, depth
    if len(parts) == 2 and (words[0] in {"top", "bottom"} or words[1] in {"left", "right"}):
        parts.reverse()
        words.reverse()
    if len(parts) == 1:
        one = _offset(parts[0], words[0], units)
        return (_HALF, one, depth) if words[0] in {"top", "bottom"} else (one, _HALF, depth)
    return _offset(parts[0], words[0], units), _offset(parts[1], words[1], units), depth


def _offset(token: Any, word: str | None, units: values.Resolution) -> values.LengthPercentage:
    if word in _EDGES:
        return values.LengthPercentage(0.0, _EDGES[word])
    return values.parse_length_percentage([token], units, unitless=True) or _HALF


def origin_text(style: ComputedStyle, width: float | None, height: float | None) -> str:
    """``transform-origin`` in used pixels for a reference box of that size; percentages stay where it is None."""
    horizontal, vertical, depth = transform_origin(style)
    parts = [
        length_text(part) if size is None else format_number(float(part.resolve(size))) + "px"
        for part, size in ((horizontal, width), (vertical, height))
    ]
    if depth:
        parts.append(format_number(depth) + "px")
    return " ".join(parts)


def _origin(style: ComputedStyle) -> str:
    size = view_box_size(style) if style.keyword("transform-box") in {"view-box", None} else None
    return origin_text(style, *(size or (None, None)))


#: SVG elements without a box: percentages in their transform-origin stay.
_BOXLESS = words(
    """
    stop title desc metadata style script animate animateTransform animateMotion set mpath view feBlend
    feColorMatrix feComposite feFlood feGaussianBlur feMerge feMergeNode feOffset
    """
)


def view_box_size(style: ComputedStyle) -> tuple[float, float] | None:
    """Width and height of the view box that an SVG element's percentages refer to.

    None for HTML, for an outermost ``<svg>``, and where the size is only known by layout.
    """
    node: Node | None = style.node
    if node is None or node.namespace != SVG or node.name in _BOXLESS:
        return None
    if is_outermost_svg(node):
        return None
    node = node.parent
    while node is not None and node.name != "svg":
        node = node.parent
    if node is None or node.namespace != SVG:
        return None
    numbers = re.split(r"[\s,]+", node.attributes.get("viewBox", "").strip())
    try:
        box = [float(number) for number in numbers]
    except ValueError:
        return None
    return (box[2], box[3]) if len(box) == 4 else None


# ---- lists


def _time_layer(layer: Sequence[Any]) -> str:
    if len(layer) == 1 and layer[0].type == "ident":
        return "0s"  # auto
    seconds = values.parse_time(layer)
    return "" if seconds is None else format_number(seconds) + "s"


def _count_layer(layer: Sequence[Any]) -> str:
    number = values.parse_number(layer)
    return "infinite" if number is None else format_number(number)


def _word_layer(layer: Sequence[Any]) -> str:
    return layer[0].lower_value if len(layer) == 1 and layer[0].type == "ident" else values.serialize(layer)


_RESERVED_NAMES = frozenset({"none", "initial", "inherit", "unset", "revert", "revert-layer", "revert-rule", "default"})


def _name_layer(layer: Sequence[Any]) -> str:
    if len(layer) != 1:
        return values.serialize(layer)
    token = layer[0]
    if token.type == "string":
        if token.value.lower() in _RESERVED_NAMES or not token.value:
            return f'"{token.value}"'
        return str(tinycss2.serializer.serialize_identifier(token.value))
    if token.type == "ident":
        return "none" if token.lower_value == "none" else str(tinycss2.serializer.serialize_identifier(token.value))
    return str(values.serialize(layer))


def _easing_layer(layer: Sequence[Any]) -> str:
    if len(layer) != 1:
        return str(values.serialize(layer))
    token = layer[0]
    if token.type == "ident":
        return str(_EASING_SHORT.get(token.lower_value, token.lower_value))
    parts = values.split_commas(token.arguments)
    name = token.lower_name
    if name == "cubic-bezier":
        numbers = [values.parse_number(part) for part in parts]
        return f"cubic-bezier({', '.join(format_number(number or 0.0) for number in numbers)})"
    if name == "steps":
        count = values.parse_integer(parts[0])
        position = parts[1][0].lower_value if len(parts) > 1 and parts[1] else "end"
        position = {"jump-start": "start", "jump-end": "end"}.get(position, position)
        return f"steps({count})" if position == "end" else f"steps({count}, {position})"
    return _linear_text(token)


def _linear_text(token: Any) -> str:
    from husky_lint.animation.easing import LinearEasing, parse_easing

    easing = parse_easing([token])
    if not isinstance(easing, LinearEasing):
        return str(values.serialize([token]))
    stops = (f"{format_number(output)} {format_number(at * 100)}%" for at, output in easing.points)
    return f"linear({', '.join(stops)})"


_LAYERED: Mapping[str, Callable[[Sequence[Any]], str]] = {
    **dict.fromkeys(("animation-duration", "animation-delay", "transition-duration", "transition-delay"), _time_layer),
    **dict.fromkeys(("animation-timing-function", "transition-timing-function"), _easing_layer),
    **dict.fromkeys(
        ("animation-direction", "animation-fill-mode", "animation-play-state", "animation-composition"), _word_layer
    ),
    "animation-iteration-count": _count_layer,
    "animation-name": _name_layer,
}
_SPECIAL: Mapping[str, Callable[[ComputedStyle], str]] = {
    "display": _display,
    "position": _position,
    "transform-origin": _origin,
    "filter": _filter,
    "font-size": lambda style: format_number(style.font_size) + "px",
}
PAINTED: Final = _COLORS | _PAINTS
OF_THE_VALUE: Final = (PAINTED - {"color"}) | _NUMBERS | _LENGTHS | _LAYERED.keys()
"""Properties whose text hangs on the value alone where that means the same on every element (and is a plain colour)."""
