"""Custom properties: ``var()``, cycles, registration (CSS Variables 1 and 2, Properties and Values 1).

A scope holds the custom properties that one element declares, over its parent's scope; elements that declare none share
their parent's. Values are resolved when they are asked for. Which fallbacks count for cycles is Chromium's choice: only
those that are used.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import tinycss2
from tinycss2.ast import CurlyBracketsBlock, DimensionToken, FunctionBlock, ParenthesesBlock, SquareBracketsBlock

from husky_lint.style import values
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from husky_lint.parse.css import AtRule, Declaration

Tokens = tuple[Any, ...]

#: Component values that one substituted value may hold. Chromium allows two megabytes of text.
MAX_TOKENS = 50_000
#: How deep references and brackets may nest together while a value is resolved.
MAX_DEPTH = 120

CSS_WIDE = frozenset({"initial", "inherit", "unset", "revert", "revert-layer", "revert-rule"})
REVERTING = frozenset({"revert", "revert-layer", "revert-rule"})

_BLOCKS = {"() block": ParenthesesBlock, "[] block": SquareBracketsBlock, "{} block": CurlyBracketsBlock}
#: Functions whose result depends on what is not modelled here.
_UNSUPPORTED = frozenset(
    {"attr", "if", "inherit", "random", "random-item", "sibling-index", "sibling-count", "anchor", "anchor-size"}
)
_ENVIRONMENT = frozenset({f"safe-area-inset-{side}" for side in ("top", "right", "bottom", "left")})


class LimitError(Exception):
    """A value grew or nested beyond what is evaluated here."""


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """What an ``@property`` rule says: ``syntax`` as text, ``initial`` as tokens (None: none given)."""

    name: str
    syntax: str
    inherits: bool
    initial: Tokens | None
    rule: AtRule


@dataclass(frozen=True, slots=True, eq=False)
class CustomValue:
    """A custom property's value on an element.

    ``tokens`` None is the guaranteed-invalid value. ``declaration`` is where it comes from (None: registered initial
    value, or nowhere). ``uses`` are the custom properties that it was resolved through. ``reason`` is ``limit`` or
    ``unsupported-css`` when a browser may know a value that is not known here.
    """

    name: str
    tokens: Tokens | None
    declaration: Declaration | None = None
    uses: tuple[CustomValue, ...] = ()
    reason: str | None = None


@dataclass(slots=True)
class Usage:
    """What happened while a value was substituted."""

    uses: list[CustomValue] = field(default_factory=list)
    reason: str | None = None

    def add(self, value: CustomValue) -> None:
        self.uses.append(value)
        if value.reason is not None:
            self.reason = value.reason


class Declared(Protocol):
    """A cascaded declaration of a custom property."""

    @property
    def tokens(self) -> Tokens: ...
    @property
    def keyword(self) -> str | None: ...
    @property
    def has_var(self) -> bool: ...
    @property
    def declaration(self) -> Declaration | None: ...
    @property
    def memo(self) -> dict[Any, Any]:
        """What is worked out of the declaration, wherever it applies."""


class Cascaded(Protocol):
    """Where a scope's own declarations come from."""

    @property
    def uncertain(self) -> Mapping[str, str]:
        """Properties that rules set of which it cannot be told whether they apply, with the reason."""

    def lower(self, name: str, declared: Any) -> Any | None:
        """The declaration that a reverting keyword rolls back to."""


class Scope:
    """Custom properties of one element."""

    __slots__ = ("_active", "_values", "cascade", "declared", "overrides", "parent", "registry", "resolution")

    def __init__(
        self,
        parent: Scope | None,
        declared: Mapping[str, Any],
        registry: Mapping[str, Registration],
        cascade: Cascaded | None = None,
        resolution: Any = None,
        overrides: Mapping[str, Tokens | None] | None = None,
    ) -> None:
        self.parent = parent
        self.declared = declared
        self.registry = registry
        self.cascade = cascade
        self.resolution = resolution  # a callable giving values.Resolution, for typed lengths
        self.overrides = overrides or {}
        self._values: dict[str, CustomValue] = {}
        self._active: list[str] = []

    def names(self) -> set[str]:
        """Every custom property declared on the element or an ancestor."""
        found: set[str] = set()
        scope: Scope | None = self
        while scope is not None:
            found.update(scope.declared, scope.overrides)
            scope = scope.parent
        return found

    def get(self, name: str, depth: int = 0) -> CustomValue:
        """The computed value of a custom property."""
        registration = self.registry.get(name)
        inherits = registration is None or registration.inherits
        scope: Scope | None = self
        while scope is not None:
            known = scope._values.get(name)
            if known is not None:
                return known
            if name in scope.overrides:
                value = CustomValue(name, scope.overrides[name])
                scope._values[name] = value
                return value
            if scope.cascade is not None and name in scope.cascade.uncertain:
                value = CustomValue(name, None, reason=scope.cascade.uncertain[name])
                scope._values[name] = value
                return value
            declared = scope.declared.get(name)
            while declared is not None and declared.keyword in REVERTING and scope.cascade is not None:
                declared = scope.cascade.lower(name, declared)
            keyword = None if declared is None else declared.keyword
            if declared is not None and keyword is None:
                return scope._own(name, declared, depth)
            if keyword == "initial" or (not inherits and keyword != "inherit"):
                return self._initial(name)
            scope = scope.parent
        return self._initial(name)

    def _initial(self, name: str) -> CustomValue:
        registration = self.registry.get(name)
        return _undefined(name) if registration is None else CustomValue(name, registration.initial)

    def _own(self, name: str, declared: Any, depth: int) -> CustomValue:
        if name in self._active:
            # Everything on the way from the name back to itself is in the cycle.
            for member in self._active[self._active.index(name) :]:
                self._values[member] = CustomValue(member, None, declared.declaration if member == name else None)
            return self._values[name]
        self._active.append(name)
        usage = Usage()
        try:
            tokens = self.substitute(declared.tokens, usage, depth + 2) if declared.has_var else declared.tokens
        except LimitError:
            tokens, usage.reason = None, "limit"
        finally:
            self._active.pop()
        if name in self._values:  # found to be in a cycle meanwhile
            return self._values[name]
        value = self._fallen_back(_custom_value(name, tokens, declared, usage), declared, depth)
        self._values[name] = value
        return value

    def _fallen_back(self, value: CustomValue, declared: Any, depth: int) -> CustomValue:
        """The value after checks at computed-value time: CSS-wide results, and the type of a registered property."""
        name, tokens = value.name, value.tokens
        registration = self.registry.get(name)
        keyword = css_wide(tokens) if tokens is not None and declared.has_var else None
        if keyword is None and registration is not None and tokens is not None:
            typed = self._typed(registration, tokens)
            if typed is not None:
                return CustomValue(name, typed, value.declaration, value.uses, value.reason)
            keyword = "unset"
        if keyword is None and tokens is None and registration is not None and value.reason is None:
            keyword = "unset"
        if keyword is None:
            return value
        inherits = registration is None or registration.inherits
        if keyword == "inherit" or (keyword != "initial" and inherits):
            inherited = self.parent.get(name, depth + 2) if self.parent is not None else self._initial(name)
        else:
            inherited = self._initial(name)
        return CustomValue(name, inherited.tokens, value.declaration, (*value.uses, inherited), value.reason)

    def _typed(self, registration: Registration, tokens: Tokens) -> Tokens | None:
        if registration.syntax.strip() == "*":
            return tokens
        if not matches_syntax(registration.syntax, tokens):
            return None
        if "<color>" in registration.syntax and (color := _computed_color(tokens)) is not None:
            return color
        units = self.resolution() if self.resolution is not None else values.Resolution()
        return computed_tokens(tokens, units)

    def substitute(self, tokens: Sequence[Any], usage: Usage, depth: int = 0) -> Tokens | None:
        """``tokens`` with every ``var()`` and ``env()`` replaced; None when that gives the guaranteed-invalid value.

        Raises :class:`LimitError` when it grows too large or nests too deeply.
        """
        return None if (result := self._substituted(tokens, usage, depth)) is None else tuple(result)

    def _substituted(self, tokens: Sequence[Any], usage: Usage, depth: int) -> list[Any] | None:
        if depth > MAX_DEPTH:
            raise LimitError
        result: list[Any] = []
        for token in tokens:
            kind = token.type
            if kind == "function":
                name = token.lower_name
                if name in {"var", "env"}:
                    replacement = self._reference(token, name, usage, depth + 1)
                    if replacement is None:
                        return None
                    result.extend(replacement)
                else:
                    if name in _UNSUPPORTED or name.startswith("--"):
                        usage.reason = "unsupported-css"
                    inner = self._substituted(token.arguments, usage, depth + 1) if _needs(token.arguments) else None
                    if inner is None:
                        if _needs(token.arguments):
                            return None
                        result.append(token)
                    else:
                        result.append(FunctionBlock(token.source_line, token.source_column, token.name, inner))
            elif kind in _BLOCKS and _needs(token.content):
                inner = self._substituted(token.content, usage, depth + 1)
                if inner is None:
                    return None
                result.append(_BLOCKS[kind](token.source_line, token.source_column, inner))
            else:
                result.append(token)
            if len(result) > MAX_TOKENS:
                raise LimitError
        return result

    def _reference(self, token: Any, function: str, usage: Usage, depth: int) -> Sequence[Any] | None:
        arguments = token.arguments
        comma = next((i for i, argument in enumerate(arguments) if argument == ","), None)
        head = values.split_spaces(arguments if comma is None else arguments[:comma])
        if not head or head[0].type != "ident":
            return None
        if function == "env":
            if head[0].value in _ENVIRONMENT:
                return tinycss2.parse_component_value_list("0px")  # type: ignore[no-any-return]
        else:
            value = self.get(head[0].value, depth + 1)
            usage.add(value)
            if value.tokens is not None:
                return value.tokens
        if comma is None:
            return None
        return self._substituted(values.strip_whitespace(arguments[comma + 1 :]), usage, depth + 1)


def _custom_value(name: str, tokens: Tokens | None, declared: Declared, usage: Usage) -> CustomValue:
    """What a declaration comes to: one object for the same declaration resolved through the same values.

    So scopes of different states share what does not differ, and whoever works with a value can tell by identity.
    """
    key = ("custom", usage.reason, tokens is None, *map(id, usage.uses))
    known: CustomValue | None = declared.memo.get(key)
    if known is None:  # the value holds what it was resolved through, so the identities in the key stay taken
        known = CustomValue(name, tokens, declared.declaration, tuple(usage.uses), usage.reason)
        declared.memo[key] = known
    return known


@functools.lru_cache(maxsize=1024)
def _undefined(name: str) -> CustomValue:
    return CustomValue(name, None)


def _needs(tokens: Sequence[Any]) -> bool:
    """Whether anything in the tokens is to be substituted, or is a function that is not modelled."""
    stack = list(tokens)
    while stack:
        token = stack.pop()
        if token.type == "function":
            if token.lower_name in {"var", "env"} or token.lower_name in _UNSUPPORTED or token.name.startswith("--"):
                return True
            stack.extend(token.arguments)
        elif token.type in _BLOCKS:
            stack.extend(token.content)
    return False


needs_substitution = _needs


def css_wide(tokens: Sequence[Any]) -> str | None:
    """The CSS-wide keyword that a value consists of."""
    significant = values.split_spaces(tokens)
    if len(significant) == 1 and significant[0].type == "ident" and significant[0].lower_value in CSS_WIDE:
        return str(significant[0].lower_value)
    return None


def referenced_names(tokens: Iterable[Any]) -> frozenset[str]:
    """The custom properties that ``var()`` in the tokens names, fallbacks included."""
    names: set[str] = set()
    stack = list(tokens)
    while stack:
        token = stack.pop()
        if token.type == "function":
            if token.lower_name == "var":
                head = values.split_spaces(token.arguments)
                if head and head[0].type == "ident":
                    names.add(head[0].value)
            stack.extend(token.arguments)
        elif token.type in _BLOCKS:
            stack.extend(token.content)
    return frozenset(names)


# ---- registered syntaxes


def _is_string(tokens: Sequence[Any]) -> bool:
    return len(tokens) == 1 and tokens[0].type == "string"


def _is_color(tokens: Sequence[Any]) -> bool:
    from husky_lint.style.colors import Color, parse_color

    return parse_color(tokens, Color(0, 0, 0, 1)) is not None


def _computed_color(tokens: Sequence[Any]) -> Tokens | None:
    """A colour as it computes; None for what is none, or depends on the element's own colour or scheme."""
    from husky_lint.style.colors import WHITE, parse_color

    color = parse_color(tokens)
    if color is None or color != parse_color(tokens, WHITE, "dark"):
        return None
    return tuple(tinycss2.parse_component_value_list(color.css))


def _is_call(*names: str) -> Any:
    return lambda tokens: len(tokens) == 1 and tokens[0].type == "function" and tokens[0].lower_name in names


_TRANSFORMS = tuple(
    sorted(
        words(
            """
    matrix matrix3d translate translatex translatey translatez translate3d scale scalex scaley scalez scale3d
    rotate rotatex rotatey rotatez rotate3d skew skewx skewy perspective
    """
        )
    )
)
_TYPES: Mapping[str, Any] = {
    "length": lambda tokens: values.parse_length(tokens, values.Resolution()) is not None,
    "number": lambda tokens: values.parse_number(tokens) is not None,
    "percentage": lambda tokens: values.parse_percentage(tokens) is not None,
    "length-percentage": lambda tokens: values.parse_length_percentage(tokens, values.Resolution()) is not None,
    "color": _is_color,
    "image": lambda tokens: len(tokens) == 1 and tokens[0].type in {"url", "function"},
    "url": lambda tokens: len(tokens) == 1 and tokens[0].type == "url",
    "integer": lambda tokens: values.parse_integer(tokens) is not None,
    "angle": lambda tokens: values.parse_angle(tokens) is not None,
    "time": lambda tokens: values.parse_time(tokens) is not None,
    "resolution": lambda tokens: (
        len(tokens) == 1 and tokens[0].type == "dimension" and tokens[0].lower_unit in {"dppx", "x", "dpi", "dpcm"}
    ),
    "string": _is_string,
    "custom-ident": lambda tokens: (
        len(tokens) == 1 and tokens[0].type == "ident" and tokens[0].lower_value not in CSS_WIDE | {"default"}
    ),
    "transform-function": _is_call(*_TRANSFORMS),
}


def valid_syntax(syntax: str) -> bool:
    """Whether a ``syntax`` descriptor's text is one (Properties and Values 1, section 5)."""
    text = syntax.strip()
    if text == "*":
        return True
    return bool(text) and all(_component(part) is not None for part in text.split("|"))


def _component(text: str) -> tuple[str, bool, str] | None:
    """Name, whether it is a type, and the multiplier of one component of a syntax."""
    text = text.strip()
    multiplier = text[-1:] if text[-1:] in {"+", "#"} else ""
    text = text[: len(text) - len(multiplier)]
    if text.startswith("<") and text.endswith(">"):
        name = text[1:-1]
        if name == "transform-list":
            return None if multiplier else ("transform-function", True, "+")
        return (name, True, multiplier) if name in _TYPES else None
    tokens = tinycss2.parse_component_value_list(text)
    if len(tokens) == 1 and tokens[0].type == "ident" and tokens[0].lower_value not in CSS_WIDE | {"default"}:
        return tokens[0].value, False, multiplier
    return None


def matches_syntax(syntax: str, tokens: Sequence[Any]) -> bool:
    """Whether a value has the type that a registered property asks for."""
    text = syntax.strip()
    if text == "*":
        return True
    for part in text.split("|"):
        component = _component(part)
        if component is None:
            return False
        name, is_type, multiplier = component
        if multiplier == "#":
            groups = values.split_commas(tokens)
        elif multiplier == "+":
            groups = [[token] for token in values.split_spaces(tokens)]
        else:
            groups = [values.strip_whitespace(tokens)]
        if groups and all(_is_of(group, name, is_type) for group in groups):
            return True
    return False


def _is_of(tokens: Sequence[Any], name: str, is_type: bool) -> bool:
    if is_type:
        return bool(tokens) and bool(_TYPES[name](tokens))
    return len(tokens) == 1 and tokens[0].type == "ident" and tokens[0].value == name


def computed_tokens(tokens: Sequence[Any], units: values.Resolution, depth: int = 0) -> Tokens:
    """The tokens with relative lengths in pixels, as a registered property computes them."""
    if depth > MAX_DEPTH:
        raise LimitError
    result: list[Any] = []
    for token in tokens:
        if token.type == "dimension":
            pixels = values.parse_length([token], units)
            if pixels is not None and token.lower_unit != "px":
                token = dimension(pixels, "px")  # noqa: PLW2901
        elif token.type == "function":
            inner = list(computed_tokens(token.arguments, units, depth + 1))
            token = FunctionBlock(token.source_line, token.source_column, token.name, inner)  # noqa: PLW2901
        elif token.type == "() block":
            inner = list(computed_tokens(token.content, units, depth + 1))
            token = ParenthesesBlock(token.source_line, token.source_column, inner)  # noqa: PLW2901
        result.append(token)
    return tuple(result)


def dimension(value: float, unit: str) -> Any:
    """A dimension token."""
    is_integer = abs(value) < 1e15 and value == int(value)
    return DimensionToken(0, 0, value, int(value) if is_integer else None, f"{value:.15g}", unit)
