"""Media queries and ``@supports`` conditions for one view of the page (Media Queries 4, Conditional Rules 4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from husky_lint.style import values
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

#: Deeper parentheses than this make a condition unknown, which counts as false.
MAX_DEPTH = 32

Truth = bool | None
"""True, false, or None for unknown: Kleene's logic, as the specification asks; unknown ends as false."""


@dataclass(frozen=True, slots=True)
class MediaContext:
    """The view a state is seen in; the defaults are Chromium's on a desktop. Lengths in CSS pixels."""

    width: float = 1280
    height: float = 720
    reduced_motion: bool = False
    color_scheme: Literal["light", "dark"] = "light"
    resolution: float = 1
    """Device pixels for a CSS pixel."""
    hover: bool = True
    fine_pointer: bool = True
    contrast: Literal["no-preference", "more", "less", "custom"] = "no-preference"
    forced_colors: bool = False
    reduced_transparency: bool = False
    reduced_data: bool = False
    medium: Literal["screen", "print"] = "screen"

    @property
    def units(self) -> values.Resolution:
        """What relative lengths in a media query mean: em and rem are the initial font size there."""
        return values.Resolution(viewport_width=self.width, viewport_height=self.height)


def evaluate_media(tokens: Sequence[Any], context: MediaContext) -> bool:
    """Whether a media query list matches; an empty list does, a query that does not parse never does."""
    queries = values.split_commas(tokens)
    if len(queries) <= 1 and not values.strip_whitespace(tokens):
        return True
    return any(_query(_significant(query), context) for query in queries)


def _significant(tokens: Sequence[Any]) -> list[Any]:
    return [token for token in tokens if token.type not in ("whitespace", "comment")]


def _query(tokens: list[Any], context: MediaContext) -> bool:
    if not tokens:
        return False
    negated, rest = False, tokens
    first = tokens[0]
    if first.type == "ident":
        word = first.lower_value
        following_ident = len(tokens) > 1 and tokens[1].type == "ident"
        if word in {"not", "only"} and following_ident:
            negated, rest = word == "not", tokens[1:]
        if not (word == "not" and not following_ident):
            medium = rest[0].lower_value
            if medium in {"and", "or", "not", "only", "layer"}:
                return False
            matches: Truth = medium in {"all", context.medium}
            if len(rest) > 1:
                if rest[1].type != "ident" or rest[1].lower_value != "and" or len(rest) < 3:
                    return False
                condition = _condition(rest[2:], _feature_in(context), allow_or=False)
                if condition is _INVALID:
                    return False
                matches = _and(matches, condition)
            return _not(matches) is True if negated else matches is True
    condition = _condition(tokens, _feature_in(context))
    return condition is True


# ---- conditions: not, and, or, parentheses

_INVALID: Any = object()


def _condition(tokens: list[Any], leaf: Callable[[Any], Truth], *, allow_or: bool = True, depth: int = 0) -> Any:
    """The value of a condition: True, False, None, or ``_INVALID`` when it does not parse."""
    if not tokens or depth > MAX_DEPTH:
        return _INVALID
    if _is_word(tokens[0], "not"):
        if len(tokens) != 2:
            return _INVALID
        inner = _operand(tokens[1], leaf, depth)
        return inner if inner is _INVALID else _not(inner)
    result = _operand(tokens[0], leaf, depth)
    if result is _INVALID or len(tokens) == 1:
        return result
    joiner = tokens[1].lower_value if tokens[1].type == "ident" else None
    if joiner not in ({"and", "or"} if allow_or else {"and"}) or len(tokens) % 2 == 0:
        return _INVALID
    for word, token in zip(tokens[1::2], tokens[2::2], strict=True):
        if not _is_word(word, joiner or ""):
            return _INVALID
        value = _operand(token, leaf, depth)
        if value is _INVALID:
            return _INVALID
        result = _and(result, value) if joiner == "and" else _or(result, value)
    return result


def _operand(token: Any, leaf: Callable[[Any], Truth], depth: int) -> Any:
    if token.type == "() block":
        inner = _significant(token.content)
        if inner and (inner[0].type == "() block" or _is_word(inner[0], "not") or _starts_condition(inner)):
            value = _condition(inner, leaf, depth=depth + 1)
            return None if value is _INVALID else value
        return leaf(token)
    if token.type == "function":
        return leaf(token)
    return _INVALID


def _starts_condition(tokens: list[Any]) -> bool:
    return tokens[0].type == "function" and (len(tokens) == 1 or tokens[1].type == "ident")


def _is_word(token: Any, word: str) -> bool:
    return bool(token.type == "ident" and token.lower_value == word)


def _not(value: Truth) -> Truth:
    return None if value is None else not value


def _and(left: Truth, right: Truth) -> Truth:
    if left is False or right is False:
        return False
    return None if left is None or right is None else True


def _or(left: Truth, right: Truth) -> Truth:
    if left or right:
        return True
    return None if left is None or right is None else False


# ---- media features


def _feature_in(context: MediaContext) -> Callable[[Any], Truth]:
    def leaf(token: Any) -> Truth:
        return None if token.type == "function" else _feature(_significant(token.content), context)

    return leaf


def _discrete(context: MediaContext) -> dict[str, tuple[str, ...]]:
    """Features with keyword values: the values that match; the first of them decides a bare ``(feature)``."""
    pointer = "fine" if context.fine_pointer else "coarse"
    hover = "hover" if context.hover else "none"
    return {
        "prefers-reduced-motion": ("reduce" if context.reduced_motion else "no-preference",),
        "prefers-color-scheme": (context.color_scheme,),
        "prefers-contrast": (context.contrast,),
        "prefers-reduced-transparency": ("reduce" if context.reduced_transparency else "no-preference",),
        "prefers-reduced-data": ("reduce" if context.reduced_data else "no-preference",),
        "forced-colors": ("active" if context.forced_colors else "none",),
        "orientation": ("portrait" if context.height >= context.width else "landscape",),
        "hover": (hover,),
        "any-hover": (hover,),
        "pointer": (pointer,),
        "any-pointer": (pointer,),
        "update": ("fast",),
        "scripting": ("enabled",),
        "overflow-block": ("scroll",),
        "overflow-inline": ("scroll",),
        "color-gamut": ("srgb",),
        "dynamic-range": ("standard",),
        "video-dynamic-range": ("standard",),
        "display-mode": ("browser",),
        "scan": (),
        "device-posture": ("continuous",),
    }


_FALSE_KEYWORDS = frozenset({"none", "no-preference"})


def _ranges(context: MediaContext) -> dict[str, tuple[float, str]]:
    """Features with ordered values: the value and what it is written in."""
    ratio = context.width / context.height if context.height else math.inf
    return {
        "width": (context.width, "length"),
        "height": (context.height, "length"),
        "device-width": (context.width, "length"),
        "device-height": (context.height, "length"),
        "aspect-ratio": (ratio, "ratio"),
        "device-aspect-ratio": (ratio, "ratio"),
        "resolution": (context.resolution, "resolution"),
        "-webkit-device-pixel-ratio": (context.resolution, "number"),
        "color": (8, "integer"),
        "color-index": (0, "integer"),
        "monochrome": (0, "integer"),
        "grid": (0, "integer"),
        "horizontal-viewport-segments": (1, "integer"),
        "vertical-viewport-segments": (1, "integer"),
    }


def _feature(tokens: list[Any], context: MediaContext) -> Truth:
    if not tokens:
        return None
    if tokens[0].type == "ident" and (len(tokens) == 1 or tokens[1] == ":"):
        return _plain_feature(tokens[0].lower_value, tokens[2:], context, bare=len(tokens) == 1)
    return _range_feature(tokens, context)


def _plain_feature(name: str, value: list[Any], context: MediaContext, *, bare: bool) -> Truth:
    discrete = _discrete(context)
    if name in discrete:
        current = discrete[name]
        if bare:
            return bool(current) and current[0] not in _FALSE_KEYWORDS
        return value[0].lower_value in current if len(value) == 1 and value[0].type == "ident" else None
    ranges = _ranges(context)
    if name in ranges:
        current_value, kind = ranges[name]
        if bare:
            return current_value != 0
        wanted = _range_value(value, kind, context)
        return None if wanted is None else _close(current_value, wanted)
    for prefix, compare in (("min-", float.__ge__), ("max-", float.__le__)):
        bound_name = name.replace("-webkit-" + prefix, "-webkit-") if name.startswith("-webkit-") else name
        if not name.startswith("-webkit-") and name.startswith(prefix):
            bound_name = name[len(prefix) :]
        elif bound_name == name:
            continue
        if bound_name in ranges and not bare and bound_name != "grid":
            current_value, kind = ranges[bound_name]
            wanted = _range_value(value, kind, context)
            return None if wanted is None else bool(compare(float(current_value), wanted))
    return None


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-9)


_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": _close,
}


def _range_feature(tokens: list[Any], context: MediaContext) -> Truth:
    sides: list[list[Any]] = [[]]
    operators: list[str] = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token.type == "literal" and token.value in {"<", ">", "=", "<=", ">="}:
            operator = token.value
            if operator in {"<", ">"} and i + 1 < len(tokens) and tokens[i + 1] == "=":
                operator += "="
                i += 1
            operators.append(operator)
            sides.append([])
        else:
            sides[-1].append(token)
        i += 1
    ranges = _ranges(context)
    at = next((k for k, side in enumerate(sides) if _name_of(side) in ranges), None)
    if at is None or len(operators) not in {1, 2} or (len(operators) == 2 and at != 1):
        return None
    if len(operators) == 2 and operators[0][0] != operators[1][0]:
        return None
    current, kind = ranges[_name_of(sides[at])]
    for k, operator in enumerate(operators):
        other = _range_value(sides[k if k < at else k + 1], kind, context)
        if other is None:
            return None
        left, right = (other, current) if k < at else (current, other)
        if not _COMPARE[operator](left, right):
            return False
    return True


def _name_of(side: list[Any]) -> str:
    return side[0].lower_value if len(side) == 1 and side[0].type == "ident" else ""


def _range_value(tokens: list[Any], kind: str, context: MediaContext) -> float | None:
    if kind == "length":
        return values.parse_length(tokens, context.units)
    if kind == "integer":
        return values.parse_integer(tokens)
    if kind == "number":
        return values.parse_number(tokens)
    if kind == "resolution":
        return _resolution(tokens)
    slash = next((k for k, token in enumerate(tokens) if token == "/"), None)
    left = values.parse_number(tokens if slash is None else tokens[:slash])
    right = 1.0 if slash is None else values.parse_number(tokens[slash + 1 :])
    if left is None or right is None:
        return None
    return left / right if right else math.inf


def _resolution(tokens: list[Any]) -> float | None:
    if len(tokens) != 1:
        return None
    token = tokens[0]
    if token.type == "ident" and token.lower_value == "infinite":
        return math.inf
    factors = {"dppx": 1.0, "x": 1.0, "dpi": 1 / 96, "dpcm": 2.54 / 96}
    if token.type == "dimension" and token.lower_unit in factors:
        return float(token.value) * factors[token.lower_unit]
    return None


# ---- @supports


def evaluate_supports(
    tokens: Sequence[Any],
    accepts: Callable[[str, list[Any]], bool],
    selector: Callable[[list[Any]], bool],
) -> bool:
    """An ``@supports`` condition; ``accepts(property, value)`` and ``selector(tokens)`` say what is supported."""

    def leaf(token: Any) -> Truth:
        if token.type == "function":
            if token.lower_name == "selector":
                return selector(list(token.arguments))
            if token.lower_name in {"font-tech", "font-format"}:
                words = [t.lower_value for t in _significant(token.arguments) if t.type == "ident"]
                return bool(words) and words[0] in _FONT_SUPPORT
            return False
        inner = _significant(token.content)
        if len(inner) >= 2 and inner[0].type == "ident" and inner[1] == ":":
            content = list(token.content)
            colon = next(k for k, t in enumerate(content) if t == ":")
            name = inner[0].value
            return accepts(name if name.startswith("--") else name.lower(), _without_important(content[colon + 1 :]))
        return False

    significant = _significant(tokens)
    if significant and significant[0].type == "ident" and len(significant) > 2 and significant[1] == ":":
        return False
    return _condition(significant, leaf) is True


_FONT_SUPPORT = words(
    """
    woff woff2 truetype opentype collection color-colrv0 color-colrv1 color-svg color-sbix color-cbdt variations
    palettes features-opentype features-aat incremental
    """
)


def _without_important(tokens: list[Any]) -> list[Any]:
    end = len(tokens)
    trimmed = values.strip_whitespace(tokens)
    if len(trimmed) >= 2 and _is_word(trimmed[-1], "important"):
        at = next(k for k in range(len(tokens) - 1, -1, -1) if _is_word(tokens[k], "important"))
        bang = next((k for k in range(at - 1, -1, -1) if tokens[k].type not in ("whitespace", "comment")), None)
        if bang is not None and tokens[bang] == "!":
            end = bang
    return tokens[:end]
