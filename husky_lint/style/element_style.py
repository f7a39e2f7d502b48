"""The computed style of one element: values resolved property by property, when they are asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from husky_lint.style import values
from husky_lint.style.colors import BLACK, SYSTEM_COLORS, parse_color
from husky_lint.style.custom_properties import (
    REVERTING,
    CustomValue,
    LimitError,
    Scope,
    Usage,
    css_wide,
    referenced_names,
)
from husky_lint.style.grammar import check_declaration, property_info
from husky_lint.style.shorthands import css, expand

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lxml.etree import _Element

    from husky_lint.parse.css import Declaration
    from husky_lint.source import Span
    from husky_lint.style.cascade import BookView, Cascade, Declared
    from husky_lint.style.colors import Color
    from husky_lint.style.media import MediaContext
    from husky_lint.style.tree import Node, Tree

Tokens = tuple[Any, ...]
_Substituted = dict[str, tuple[Tokens, dict[Any, Any]]]

_FONT_SIZES = {
    "xx-small": 9.0,
    "x-small": 10.0,
    "small": 13.0,
    "medium": 16.0,
    "large": 18.0,
    "x-large": 24.0,
    "xx-large": 32.0,
    "xxx-large": 48.0,
}


@dataclass(frozen=True, slots=True, eq=False)
class Environment:
    """What all elements of a styled document share. One object for each rule book and viewport.

    ``substituted`` is what became of declarations with ``var()``, by the values they name; ``resolved`` are the values
    that mean the same everywhere, by declaration and memo. All of an engine share them.
    """

    view: BookView
    media: MediaContext
    substituted: dict[Any, Any]
    resolved: dict[tuple[Declared, int], Resolved]

    @property
    def non_inheriting(self) -> bool:
        """Whether some registered property does not inherit, so that scopes cannot be shared with the parent."""
        return any(not registration.inherits for registration in self.view.registrations.values())


@dataclass(frozen=True, slots=True, eq=False)
class Resolved:
    """A property's value: tokens without ``var()``, where it was declared, and what it was resolved through.

    ``declared`` is None for the initial value. ``style`` is the element whose declaration it is (an ancestor for an
    inherited value), to which relative units refer; None where none do, and then the same object is the value of every
    element that the declaration wins on, in all states. ``memo`` keeps parsed forms.
    """

    tokens: Tokens
    declared: Declared | None = None
    style: ComputedStyle | None = None
    uses: tuple[CustomValue, ...] = ()
    reason: str | None = None
    memo: dict[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trace:
    """How a value came to be: the winning declaration and every custom property it was resolved through."""

    declaration: Declaration | None
    custom_properties: tuple[CustomValue, ...]

    @property
    def names(self) -> frozenset[str]:
        """The names of the custom properties, transitively."""
        return frozenset(value.name for value in self.custom_properties)

    @property
    def declarations(self) -> tuple[Declaration, ...]:
        """Every declaration that had a part in the value, the winning one first."""
        found = [] if self.declaration is None else [self.declaration]
        found.extend(value.declaration for value in self.custom_properties if value.declaration is not None)
        return tuple(dict.fromkeys(found))

    @property
    def spans(self) -> tuple[Span, ...]:
        return tuple(declaration.span for declaration in self.declarations)


class _Facts(dict[str, "tuple[bool, Resolved]"]):
    """Whether a property inherits, and its initial value; kept for every property that was asked for."""

    def __missing__(self, name: str) -> tuple[bool, Resolved]:
        info = property_info(name)
        if info is None:
            return False, Resolved(())
        facts = (info.inherited, Resolved(tuple(values.strip_whitespace(css(info.initial)))))
        self[name] = facts
        return facts


_FACTS = _Facts()
_BY_STYLE = frozenset({"color", "font-size"})
"""Properties of which it matters whose value it is: system colours hang on the element's scheme, ``em`` on its size."""


class ComputedStyle:
    """The style of one element in one state, animations left out.

    States in which an element and its ancestors match the same rules share one object.
    """

    __slots__ = (
        "_font_size",
        "_resolved",
        "_substitutions",
        "_units_known",
        "cascade",
        "display",
        "environment",
        "node",
        "parent",
        "root",
        "scope",
        "tree",
    )

    def __init__(
        self,
        environment: Environment,
        cascade: Cascade,
        node: Node,
        tree: Tree,
        parent: ComputedStyle | None,
        overrides: Mapping[str, Tokens | None] | None = None,
    ) -> None:
        self.environment = environment
        self.cascade = cascade
        self.node = node
        self.tree = tree
        self.parent = parent
        self.root: ComputedStyle = parent.root if parent is not None else self
        self._resolved: dict[str, Resolved] = {}
        self._font_size: float | None = None
        self._units_known: values.Resolution | None = None
        self._substitutions: dict[Declaration, tuple[Usage, _Substituted | None]] | None = None
        self.display: str | None = None  # kept by serialization, which works it out from the root down
        if cascade.customs or overrides or parent is None or cascade.uncertain or environment.non_inheriting:
            above = parent.scope if parent is not None else None
            self.scope: Scope = Scope(
                above, cascade.customs, environment.view.registrations, cascade, self._units, overrides
            )
        else:
            self.scope = parent.scope

    @property
    def element(self) -> _Element:
        return self.node.element

    # ---- resolution

    def resolve(self, name: str) -> Resolved:
        """The computed value of a longhand with everything known about it."""
        known = self._resolved.get(name)
        if known is not None:
            return known
        cascade = self.cascade
        if cascade.is_silent_on(name):  # the usual case, worth being quick
            inherited, initial = _FACTS[name]
            above = self.parent._resolved.get(name) if inherited and self.parent is not None else initial
            if above is not None:
                self._resolved[name] = above
                return above
        return self._resolve(name)

    def _resolve(self, name: str) -> Resolved:
        inherited, initial = _FACTS[name]
        style: ComputedStyle = self
        walked: list[ComputedStyle] = []
        uncertain: str | None = None
        while True:
            known = style._resolved.get(name)
            if known is not None:
                break
            walked.append(style)
            uncertain = uncertain or style.cascade.uncertain.get(name)
            declared = style.cascade.winner(name)
            while declared is not None and declared.keyword in REVERTING:
                declared = style.cascade.lower(name, declared)
            keyword: str | None
            if declared is None:
                keyword = "unset"
            elif declared.keyword is None:
                outcome = style._specified(name, declared)
                if isinstance(outcome, Resolved):
                    known = outcome
                    break
                keyword = outcome
            else:
                keyword = declared.keyword
            if keyword == "initial" or (keyword != "inherit" and not inherited) or style.parent is None:
                known = initial
                break
            style = style.parent
        if uncertain is not None and known.reason is None:
            known = Resolved(known.tokens, known.declared, known.style, known.uses, uncertain)
        for walked_style in walked:
            walked_style._resolved[name] = known
        return known

    def _specified(self, name: str, declared: Declared) -> Resolved | str:
        """The value of a winning declaration, or the CSS-wide keyword that it comes to."""
        if declared.opaque:
            return Resolved(_FACTS[name][1].tokens, declared, self, (), "unsupported-css")
        if not declared.has_var:
            return self._resolved_to(name, declared.tokens, declared.memo, declared, ())
        usage, substituted = self._substituted(declared)
        if usage.reason is not None:
            return Resolved(_FACTS[name][1].tokens, declared, self, tuple(usage.uses), usage.reason)
        longhand = substituted.get(name) if substituted is not None else None
        if longhand is None:
            return "unset"
        found, memo = longhand
        if "keyword" not in memo:
            memo["keyword"] = css_wide(found)
        keyword: str | None = memo["keyword"]
        if keyword is not None:
            return "unset" if keyword in REVERTING else keyword
        return self._resolved_to(name, found, memo, declared, usage.uses)

    def _resolved_to(
        self, name: str, tokens: Tokens, memo: dict[Any, Any], declared: Declared, uses: Sequence[CustomValue]
    ) -> Resolved | str:
        """A value without ``var()``; what means the same on every element is one object."""
        shared = self.environment.resolved
        known = shared.get((declared, id(memo)))
        if known is not None:
            return known
        if name == "color" and _is_current_color(tokens):
            return "inherit"
        if not is_absolute(memo, tokens):
            return Resolved(tokens, declared, self, tuple(uses), None, {})
        if name in _BY_STYLE or name != declared.name:
            return Resolved(tokens, declared, self, tuple(uses), None, memo)
        known = shared[declared, id(memo)] = Resolved(tokens, declared, None, tuple(uses), None, memo)
        return known

    def _substituted(self, declared: Declared) -> tuple[Usage, _Substituted | None]:
        """The longhands of a declaration with ``var()``, substituted, each with a memo; None where none is valid.

        The result depends on the custom properties that the declaration names, and on nothing else.
        """
        declaration = declared.declaration
        if self._substitutions is None:
            self._substitutions = {}
        known = self._substitutions.get(declaration)  # the longhands of one shorthand ask one after the other
        if known is not None:
            return known
        names = declared.memo.get("names")
        if names is None:
            names = declared.memo["names"] = tuple(sorted(referenced_names(declared.tokens)))
        read = tuple(map(self.scope.get, names))
        cache = self.environment.substituted
        key = (declaration, tuple(map(id, read)))
        if key not in cache:
            cache[key] = (*self._substitute(declared), read)  # the values stay alive, and their ids taken
        usage, longhands, _ = cache[key]
        self._substitutions[declaration] = (usage, longhands)
        return usage, longhands

    def _substitute(self, declared: Declared) -> tuple[Usage, _Substituted | None]:
        usage = Usage()
        try:
            tokens = self.scope.substitute(declared.tokens, usage)
        except LimitError:
            usage.reason = "limit"
            return usage, None
        shorthand = declared.shorthand
        if tokens is None:
            return usage, None
        if (keyword := css_wide(tokens)) is not None:
            names = (declared.name,) if shorthand is None else _longhands(shorthand)
            return usage, {name: (css(keyword), {}) for name in names}
        if check_declaration(shorthand or declared.name, tokens) is not None:
            return usage, None
        stripped = tuple(values.strip_whitespace(tokens))
        if shorthand is None:
            return usage, {declared.name: (stripped, {})}
        expanded = expand(shorthand, stripped)
        if expanded is None:
            return usage, None
        return usage, {name: (value, {}) for name, value in (*expanded, (shorthand, stripped))}

    # ---- what rules ask

    def value(self, name: str) -> Tokens:
        """The computed tokens, ``var()`` substituted; relative units refer to the element that declared them."""
        if name.startswith("--"):
            return self.scope.get(name).tokens or ()
        return self.resolve(name).tokens

    def custom(self, name: str) -> Tokens | None:
        """The tokens of a custom property; None for the guaranteed-invalid value."""
        return self.scope.get(name).tokens

    def custom_value(self, name: str) -> CustomValue:
        """A custom property with where it comes from."""
        return self.scope.get(name)

    def declaration(self, name: str) -> Declaration | None:
        """The declaration that the value comes from, on this element or, for an inherited value, an ancestor."""
        if name.startswith("--"):
            return self.scope.get(name).declaration
        declared = self.resolve(name).declared
        return None if declared is None else declared.declaration

    def declares(self, name: str) -> bool:
        """Whether a declaration that applies to this very element wins for the property."""
        return self.cascade.winner(name) is not None

    def takes_parents(self, name: str) -> bool:
        """Whether ``inherit`` wins here for a property that does not inherit by itself."""
        declared = self.cascade.winner(name)
        while declared is not None and declared.keyword in REVERTING:
            declared = self.cascade.lower(name, declared)
        if declared is None:
            return False
        if declared.keyword is None and declared.has_var:
            return self._specified(name, declared) == "inherit"
        return declared.keyword == "inherit"

    def dependencies(self, name: str) -> Trace:
        """The declarations and custom properties that the value was resolved through, transitively."""
        if name.startswith("--"):
            value = self.scope.get(name)
            declaration, pending = value.declaration, list(value.uses)
        else:
            resolved = self.resolve(name)
            declaration = None if resolved.declared is None else resolved.declared.declaration
            pending = list(resolved.uses)
        found: dict[int, CustomValue] = {}
        while pending:
            value = pending.pop()
            if id(value) not in found:
                found[id(value)] = value
                pending.extend(value.uses)
        return Trace(declaration, tuple(sorted(found.values(), key=lambda value: value.name)))

    def unknown(self, name: str) -> str | None:
        """The reason key why a browser may have another value: ``unsupported-css`` or ``limit``."""
        return self.scope.get(name).reason if name.startswith("--") else self.resolve(name).reason

    def substitute(self, tokens: Sequence[Any], overrides: Mapping[str, Tokens | None] | None = None) -> Tokens | None:
        """Tokens from elsewhere (a keyframe) with ``var()`` replaced by this element's custom properties.

        ``overrides`` are values that custom properties have instead, as an animation gives them. None: invalid.
        """
        scope = self.scope
        if overrides:
            scope = Scope(self.scope, {}, self.environment.view.registrations, None, self._units, overrides)
        try:
            return scope.substitute(tokens, Usage())
        except LimitError:
            return None

    def with_overrides(self, overrides: Mapping[str, Tokens | None]) -> ComputedStyle:
        """This style with some custom properties set to other values, as by an animation."""
        return ComputedStyle(self.environment, self.cascade, self.node, self.tree, self.parent, overrides)

    def under(self, parent: ComputedStyle) -> ComputedStyle:
        """This style inheriting from another parent."""
        return ComputedStyle(self.environment, self.cascade, self.node, self.tree, parent)

    # ---- units and typed values

    def _units(self) -> values.Resolution:
        return self.units

    @property
    def units(self) -> values.Resolution:
        """What relative lengths mean on this element."""
        known = self._units_known
        if known is None:
            media = self.environment.media
            size, of_root = self.font_size, self.root.font_size
            known = self._units_known = values.Resolution(size, of_root, media.width, media.height)
        return known

    @property
    def font_size(self) -> float:
        """The computed font size in pixels."""
        if self._font_size is not None:
            return self._font_size
        pending: list[ComputedStyle] = []
        style: ComputedStyle | None = self
        while style is not None and style._font_size is None:
            pending.append(style)
            style = style.parent
        size = 16.0 if style is None or style._font_size is None else style._font_size
        for below in reversed(pending):
            below._font_size = size  # what em means while the size itself is worked out
            below._font_size = size = below._own_font_size(size)
            below._units_known = None
        return size

    def _own_font_size(self, inherited: float) -> float:
        resolved = self.resolve("font-size")
        if resolved.style is not self:
            return inherited if resolved.style is not None else 16.0
        tokens = values.split_spaces(resolved.tokens)
        if len(tokens) == 1 and tokens[0].type == "ident":
            word = tokens[0].lower_value
            if word in {"smaller", "larger"}:
                return inherited / 1.2 if word == "smaller" else inherited * 1.2
            return _FONT_SIZES.get(word, inherited)
        media = self.environment.media
        root = self.root._font_size if self.root is not self and self.root._font_size is not None else 16.0
        units = values.Resolution(inherited, root, media.width, media.height)
        size = values.parse_length_percentage(tokens, units, unitless=True)
        return inherited if size is None else max(float(size.resolve(inherited)), 0.0)

    def _memo(self, name: str, kind: Any, parse: Any) -> Any:
        resolved = self.resolve(name)
        if kind not in resolved.memo:
            resolved.memo[kind] = parse(resolved)
        return resolved.memo[kind]

    def _origin_units(self, resolved: Resolved) -> values.Resolution:
        return resolved.style.units if resolved.style is not None else self.units

    def keyword(self, name: str) -> str | None:
        """The lower-case keyword that the value consists of, None when it is something else."""
        tokens = self.resolve(name).tokens
        return tokens[0].lower_value if len(tokens) == 1 and tokens[0].type == "ident" else None

    def number(self, name: str) -> float | None:
        """A number or percentage (50 % is 0.5); opacities are kept between 0 and 1."""
        number: float | None = self._memo(name, "number", lambda r: values.parse_number_or_percentage(r.tokens))
        if number is not None and name.endswith("opacity"):
            return min(max(number, 0.0), 1.0)
        return number

    def length_percentage(self, name: str) -> values.LengthPercentage | None:
        """A length, percentage or both, in pixels; a plain number counts as pixels, as in SVG."""
        found: values.LengthPercentage | None = self._memo(
            name,
            "length",
            lambda r: values.parse_length_percentage(r.tokens, self._origin_units(r), unitless=True),
        )
        return found

    def length(self, name: str, reference: float = 0.0) -> float | None:
        """A length in pixels; percentages refer to ``reference``."""
        found = self.length_percentage(name)
        return None if found is None else float(found.resolve(reference))

    def layers(self, name: str) -> list[list[Any]]:
        """The comma-separated items of a list value."""
        found: list[list[Any]] = self._memo(name, "layers", lambda r: values.split_commas(r.tokens))
        return found

    def times(self, name: str) -> tuple[float | None, ...]:
        """A list of times in seconds; ``auto`` is 0, None is what is no time."""
        found: tuple[float | None, ...] = self._memo(name, "times", _times)
        return found

    @property
    def scheme(self) -> str:
        """The used color scheme, ``light`` or ``dark``."""
        words = [t.lower_value for t in self.resolve("color-scheme").tokens if t.type == "ident"]
        wanted = self.environment.media.color_scheme
        supported = [word for word in words if word in {"light", "dark"}]
        if not supported:
            return "light"
        return wanted if wanted in supported else supported[0]

    @property
    def current_color(self) -> Color:
        """The value of ``color``."""
        resolved = self.resolve("color")
        style = resolved.style
        if style is None:  # the initial color follows the color scheme of the root
            return parse_color(css("canvastext"), BLACK, self.root.scheme) or BLACK
        return self._color_of(resolved, BLACK, style.scheme) or BLACK

    def color(self, name: str) -> Color | None:
        """A color, or the color of a paint; None for ``none``, a paint server, and what is not understood."""
        if name == "color":
            return self.current_color
        resolved = self.resolve(name)
        if _PLAIN in resolved.memo:
            plain: Color | None = resolved.memo[_PLAIN]
            return plain
        return self._color_of(resolved, self.current_color, self.scheme)

    def _color_of(self, resolved: Resolved, current: Color, scheme: str) -> Color | None:
        memo = resolved.memo
        if _PLAIN in memo:
            plain: Color | None = memo[_PLAIN]
            return plain
        key = ("color", current, scheme)
        if key not in memo:
            tokens = values.split_spaces(resolved.tokens)
            memo[key] = parse_color(tokens, current, scheme) if tokens else None
            if len(tokens) == 1 and _is_plain_color(tokens[0]):
                memo[_PLAIN] = memo[key]
        color: Color | None = memo[key]
        return color

    def paint_server(self, name: str) -> str | None:
        """The URL of a paint such as ``url(#sky)``, a filter or a marker; None when it holds none."""
        for token in self.resolve(name).tokens:
            if token.type == "url":
                return str(token.value)
            if token.type == "function" and token.lower_name == "url" and token.arguments:
                return str(token.arguments[0].value)
        return None

    def text(self, name: str) -> str:
        """The value as ``getComputedStyle`` in Chromium gives it, for the properties that rules read."""
        from husky_lint.style.serialization import OF_THE_VALUE, PAINTED, computed_text

        if name not in OF_THE_VALUE:
            return computed_text(self, name)
        resolved = self.resolve(name)
        memo = resolved.memo
        key = ("text", name)
        known: str | None = memo.get(key)
        if known is None:
            known = computed_text(self, name)
            if resolved.style is None and (name not in PAINTED or _PLAIN in memo):
                memo[key] = known
        return known

    def let_go(self) -> None:
        """Forget what was worked out; nothing can be asked after that."""
        self._resolved.clear()
        self.scope.resolution = None
        self.root = None  # type: ignore[assignment]  # that of a root is itself

    def __repr__(self) -> str:
        return f"<style of {self.node!r}>"


def _times(resolved: Resolved) -> tuple[float | None, ...]:
    found: list[float | None] = []
    for part in values.split_commas(resolved.tokens):
        is_auto = len(part) == 1 and part[0].type == "ident" and part[0].lower_value == "auto"
        found.append(0.0 if is_auto else values.parse_time(part))
    return tuple(found)


_ABSOLUTE = frozenset(
    {"px", "cm", "mm", "q", "in", "pt", "pc", "deg", "grad", "rad", "turn", "s", "ms", "hz", "khz", "dpi", "dppx", "x"}
)


def is_absolute(memo: dict[Any, Any], tokens: Tokens) -> bool:
    """Whether the tokens mean the same on every element, colours aside; kept in the memo itself."""
    known = memo.get("absolute")
    if known is None:
        known = True
        stack = list(tokens)
        while stack and known:
            token = stack.pop()
            if token.type == "dimension":
                known = token.lower_unit in _ABSOLUTE
            elif token.type == "function":
                stack.extend(token.arguments)
            elif token.type.endswith(" block"):
                stack.extend(token.content)
        memo["absolute"] = known
    return bool(known)


_PLAIN = "plain color"
"""Where a memo keeps a colour that is the same on every element."""


def _is_plain_color(token: Any) -> bool:
    """Whether a word or hash (of a colour or not) means the same on every element."""
    if token.type == "ident":
        return token.lower_value != "currentcolor" and token.lower_value not in SYSTEM_COLORS
    return bool(token.type == "hash")


def _is_current_color(tokens: Tokens) -> bool:
    return len(tokens) == 1 and tokens[0].type == "ident" and tokens[0].lower_value == "currentcolor"


def _longhands(shorthand: str) -> tuple[str, ...]:
    info = property_info(shorthand)
    return (shorthand,) if info is None else (*info.shorthand_of, shorthand)
