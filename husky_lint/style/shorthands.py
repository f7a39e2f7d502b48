"""Shorthand properties, expanded into the longhands that anything here reads.

A shorthand resets every longhand it covers. ``animation`` does not reset ``animation-composition``: Chromium 156 leaves
it alone. Which longhands a shorthand covers is :func:`~husky_lint.style.grammar.property_info`'s to say.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import tinycss2

from husky_lint.style.values import split_commas, split_spaces
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Tokens = tuple[Any, ...]

_SIDES = ("top", "right", "bottom", "left")
_EASING_KEYWORDS = frozenset({"linear", "ease", "ease-in", "ease-out", "ease-in-out", "step-start", "step-end"})
_EASING_FUNCTIONS = frozenset({"cubic-bezier", "steps", "linear"})
_MATH = words(
    """
    calc min max clamp round mod rem sin cos tan asin acos atan atan2 pow sqrt hypot log exp abs sign progress
    sibling-index sibling-count
    """
)
_BORDER_STYLES = words("none hidden dotted dashed solid double groove ridge inset outset auto")
_LINE_WIDTHS = frozenset({"thin", "medium", "thick"})
_DIRECTIONS = frozenset({"normal", "reverse", "alternate", "alternate-reverse"})
_FILL_MODES = frozenset({"none", "forwards", "backwards", "both"})
_PLAY_STATES = frozenset({"running", "paused"})
_PATH_FUNCTIONS = words("path ray url circle ellipse inset polygon rect xywh shape")
_COORDINATE_BOXES = words("content-box padding-box border-box margin-box fill-box stroke-box view-box")
_POSITION_BOXES = _COORDINATE_BOXES | {"text", "border-area"}
_IMAGE_FUNCTIONS = words(
    """
    linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient
    repeating-conic-gradient image-set cross-fade url src paint element image -webkit-gradient
    -webkit-linear-gradient -webkit-radial-gradient -webkit-image-set -webkit-cross-fade
    -webkit-repeating-linear-gradient -webkit-repeating-radial-gradient
    """
)
_BACKGROUND_WORDS = (
    words(
        """
    left right top bottom center repeat repeat-x repeat-y no-repeat space round scroll fixed local cover
    contain auto
    """
    )
    | _POSITION_BOXES
)
_FONT_STYLE_WORDS = words(
    """
    normal italic oblique bold bolder lighter small-caps ultra-condensed extra-condensed condensed
    semi-condensed semi-expanded expanded extra-expanded ultra-expanded
    """
)
SYSTEM_FONTS = frozenset({"caption", "icon", "menu", "message-box", "small-caption", "status-bar"})


@functools.cache
def css(text: str) -> Tokens:
    """The component values of a constant."""
    return tuple(tinycss2.parse_component_value_list(text))


def _parts(prefix: str, *parts: str) -> tuple[str, ...]:
    return tuple(f"{prefix}-{part}" for part in parts)


_LINE_PARTS = ("width", "style", "color")
_LONGHANDS: Mapping[str, tuple[str, ...]] = {
    "marker": _parts("marker", "start", "mid", "end"),
    "offset": _parts("offset", "position", "path", "distance", "rotate", "anchor"),
    "inset": _SIDES,
    "margin": _parts("margin", *_SIDES),
    "padding": _parts("padding", *_SIDES),
    "border": tuple(part for side in _SIDES for part in _parts(f"border-{side}", *_LINE_PARTS)),
    "outline": _parts("outline", *_LINE_PARTS),
    **{f"border-{side}": _parts(f"border-{side}", *_LINE_PARTS) for side in _SIDES},
    **{f"border-{part}": tuple(f"border-{side}-{part}" for side in _SIDES) for part in _LINE_PARTS},
}


def can_expand(name: str) -> bool:
    """Whether :func:`expand` knows the shorthand."""
    return name in _EXPANDERS


def expand(name: str, tokens: Sequence[Any]) -> list[tuple[str, Tokens]] | None:
    """The longhands a shorthand's value sets, each with its tokens; None if the value is no value of the shorthand.

    ``tokens`` hold no ``var()`` and are no CSS-wide keyword; the shorthand is one that :func:`can_expand` knows.
    """
    return _EXPANDERS[name](name, tokens)


# ---- lists of layers


def _join(layers: Sequence[Tokens]) -> Tokens:
    joined: list[Any] = []
    for i, layer in enumerate(layers):
        joined.extend((*css(","), *css(" ")) if i else ())
        joined.extend(layer)
    return tuple(joined)


def _is_time(token: Any) -> bool:
    return bool(token.type == "dimension" and token.lower_unit in {"s", "ms"})


def _is_math(token: Any) -> bool:
    return bool(token.type == "function" and token.lower_name in _MATH)


def _math_is_time(token: Any) -> bool:
    """Whether a math function has the type of a time: some time unit occurs in it."""
    stack = list(token.arguments)
    while stack:
        inner = stack.pop()
        if _is_time(inner):
            return True
        stack.extend(_inner(inner))
    return False


def _inner(token: Any) -> Sequence[Any]:
    if token.type == "function":
        return token.arguments  # type: ignore[no-any-return]
    return token.content if token.type.endswith(" block") else ()


def _is_easing(token: Any) -> bool:
    if token.type == "ident":
        return token.lower_value in _EASING_KEYWORDS
    return bool(token.type == "function" and token.lower_name in _EASING_FUNCTIONS)


def _word_in(words: frozenset[str]) -> Callable[[Any], bool]:
    return lambda token: token.type == "ident" and token.lower_value in words


def _takes_time(token: Any) -> bool:
    return _is_time(token) or (_is_math(token) and _math_is_time(token))


def _is_count(token: Any) -> bool:
    if token.type == "ident":
        return bool(token.lower_value == "infinite")
    return bool((token.type == "number" and token.value >= 0) or (_is_math(token) and not _math_is_time(token)))


def _is_name(token: Any) -> bool:
    return bool(token.type in {"ident", "string"})


# In the order in which Chromium offers each component to the longhands, so that `ease ease 1s` names an animation.
_ANIMATION_SLOTS: tuple[tuple[str, Callable[[Any], bool], str], ...] = (
    ("animation-duration", lambda t: _takes_time(t) and not (_is_time(t) and t.value < 0), "0s"),
    ("animation-timing-function", _is_easing, "ease"),
    ("animation-delay", _takes_time, "0s"),
    ("animation-iteration-count", _is_count, "1"),
    ("animation-direction", _word_in(_DIRECTIONS), "normal"),
    ("animation-fill-mode", _word_in(_FILL_MODES), "none"),
    ("animation-play-state", _word_in(_PLAY_STATES), "running"),
    ("animation-name", _is_name, "none"),
)
_TRANSITION_SLOTS: tuple[tuple[str, Callable[[Any], bool], str], ...] = (
    ("transition-duration", lambda t: _takes_time(t) and not (_is_time(t) and t.value < 0), "0s"),
    ("transition-timing-function", _is_easing, "ease"),
    ("transition-delay", _takes_time, "0s"),
    ("transition-behavior", _word_in(frozenset({"normal", "allow-discrete"})), "normal"),
    ("transition-property", lambda t: t.type == "ident", "all"),
)


def _layered(
    slots: tuple[tuple[str, Callable[[Any], bool], str], ...], constants: tuple[tuple[str, str], ...]
) -> Callable[[str, Sequence[Any]], list[tuple[str, Tokens]] | None]:
    def expander(name: str, tokens: Sequence[Any]) -> list[tuple[str, Tokens]] | None:
        columns: dict[str, list[Tokens]] = {slot[0]: [] for slot in slots}
        parts = split_commas(tokens)
        for part in parts:
            components = split_spaces(part)
            if not components:
                return None
            filled: dict[str, Tokens] = {}
            for component in components:
                slot = next((s for s in slots if s[0] not in filled and s[1](component)), None)
                if slot is None:
                    return None
                filled[slot[0]] = (component,)
            for slot_name, _, initial in slots:
                columns[slot_name].append(filled.get(slot_name) or css(initial))
        if not parts:
            return None
        expanded = [(slot_name, _join(layers)) for slot_name, layers in columns.items()]
        return expanded + [(constant, css(value)) for constant, value in constants]

    return expander


# ---- boxes, lines, pairs


def _four_sides(name: str, tokens: Sequence[Any]) -> list[tuple[str, Tokens]] | None:
    parts = split_spaces(tokens)
    if not 1 <= len(parts) <= 4:
        return None
    top = parts[0]
    right = parts[1] if len(parts) > 1 else top
    bottom = parts[2] if len(parts) > 2 else top
    left = parts[3] if len(parts) > 3 else right
    return [(side, (part,)) for side, part in zip(_LONGHANDS[name], (top, right, bottom, left), strict=True)]


def _overflow(name: str, tokens: Sequence[Any]) -> list[tuple[str, Tokens]] | None:
    parts = split_spaces(tokens)
    if not 1 <= len(parts) <= 2:
        return None
    return [("overflow-x", (parts[0],)), ("overflow-y", (parts[-1],))]


def _same(name: str, tokens: Sequence[Any]) -> list[tuple[str, Tokens]] | None:
    return [(longhand, tuple(tokens)) for longhand in _LONGHANDS[name]]


def _line(name: str, tokens: Sequence[Any]) -> list[tuple[str, Tokens]] | None:
    found = {"width": css("medium"), "style": css("none"), "color": css("currentcolor")}
    seen: set[str] = set()
    for token in split_spaces(tokens):
        word = token.lower_value if token.type == "ident" else None
        if word in _LINE_WIDTHS or token.type in {"dimension", "number"} or _is_math(token):
            part = "width"
        elif word in _BORDER_STYLES and "style" not in seen:
            part = "style"
        else:
            part = "color"
        if part in seen:
            return None
        seen.add(part)
        found[part] = (token,)
    return [(longhand, found[longhand.rpartition("-")[2]]) for longhand in _LONGHANDS[name]] if seen else None


def _is_color_like(token: Any) -> bool:
    if token.type == "ident":
        return token.lower_value not in _BACKGROUND_WORDS and token.lower_value != "none"
    return bool(token.type == "hash" or (token.type == "function" and not _is_math(token)))


def _background(name: str, tokens: Sequence[Any]) -> list[tuple[str, Tokens]] | None:
    layers = split_commas(tokens)
    color = css("transparent")
    images: list[Tokens] = []
    for position, layer in enumerate(layers):
        image = css("none")
        for token in split_spaces(layer):
            if token.type == "url" or (token.type == "function" and token.lower_name in _IMAGE_FUNCTIONS):
                image = (token,)
            elif _is_color_like(token):
                if position < len(layers) - 1:
                    return None
                color = (token,)
        images.append(image)
    return [("background-color", color), ("background-image", _join(images))] if layers else None


def _font(name: str, tokens: Sequence[Any]) -> list[tuple[str, Tokens]] | None:
    components = split_spaces(tokens)
    found = {"font-style": css("normal"), "font-weight": css("normal"), "line-height": css("normal")}
    if len(components) == 1 and components[0].type == "ident" and components[0].lower_value in SYSTEM_FONTS:
        return [*found.items(), ("font-size", tuple(components)), ("font-family", css("system-ui"))]
    at = 0
    while at < len(components):
        token = components[at]
        word = token.lower_value if token.type == "ident" else ""
        if word in {"italic", "oblique"}:
            found["font-style"] = (token,)
        elif word in {"bold", "bolder", "lighter"} or token.type == "number":
            found["font-weight"] = (token,)
        elif word not in _FONT_STYLE_WORDS and not (token.type == "dimension" and token.lower_unit in _ANGLES):
            break
        at += 1
    if at >= len(components) - 1:
        return None
    size, at = components[at], at + 1
    if components[at] == "/" and at + 1 < len(components) - 1:
        found["line-height"] = (components[at + 1],)
        at += 2
    family = components[at:]
    spaced: list[Any] = []
    for token in family:
        spaced.extend((token, *css(" ")))
    return [*found.items(), ("font-size", (size,)), ("font-family", tuple(spaced[:-1]))]


_ANGLES = frozenset({"deg", "grad", "rad", "turn"})


def _offset(name: str, tokens: Sequence[Any]) -> list[tuple[str, Tokens]] | None:
    components = split_spaces(tokens)
    found: dict[str, list[Any]] = {longhand: [] for longhand in _LONGHANDS["offset"]}
    slash = next((i for i, token in enumerate(components) if token == "/"), None)
    if slash is not None:
        found["offset-anchor"] = components[slash + 1 :]
        components = components[:slash]
    seen_path = False
    for token in components:
        word = token.lower_value if token.type == "ident" else ""
        is_path = token.type == "url" or (token.type == "function" and token.lower_name in _PATH_FUNCTIONS)
        if is_path or word in _COORDINATE_BOXES or (word == "none" and not seen_path):
            found["offset-path"].append(token)
            seen_path = True
        elif not seen_path:
            found["offset-position"].append(token)
        elif word in {"auto", "reverse"} or (token.type == "dimension" and token.lower_unit in _ANGLES):
            found["offset-rotate"].append(token)
        elif token.type in {"dimension", "percentage", "number"} or _is_math(token):
            found["offset-distance"].append(token)
        else:
            return None
    initial = {
        "offset-position": "normal",
        "offset-path": "none",
        "offset-distance": "0px",
        "offset-rotate": "auto",
        "offset-anchor": "auto",
    }
    expanded = []
    for longhand, parts in found.items():
        spaced: list[Any] = []
        for token in parts:
            spaced.extend((token, *css(" ")))
        expanded.append((longhand, tuple(spaced[:-1]) if spaced else css(initial[longhand])))
    return expanded


_EXPANDERS: Mapping[str, Callable[[str, Sequence[Any]], list[tuple[str, Tokens]] | None]] = {
    "animation": _layered(
        _ANIMATION_SLOTS,
        (("animation-timeline", "auto"), ("animation-range-start", "normal"), ("animation-range-end", "normal")),
    ),
    "transition": _layered(_TRANSITION_SLOTS, ()),
    "font": _font,
    "background": _background,
    "marker": _same,
    "offset": _offset,
    "inset": _four_sides,
    "margin": _four_sides,
    "padding": _four_sides,
    "overflow": _overflow,
    "border": _line,
    "outline": _line,
    **{f"border-{side}": _line for side in _SIDES},
    **{f"border-{part}": _four_sides for part in ("width", "style", "color")},
}
