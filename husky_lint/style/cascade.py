"""From style sheets to the declarations that win on an element (CSS Cascade 5 and 6, CSS Nesting, Conditional Rules).

A :class:`CompiledSheet` is what one style sheet says whatever the page's state: its style rules with nesting undone,
each under its media conditions, its layer and its scope. A :class:`RuleBook` is all sheets in a row; seen in one
:class:`~husky_lint.style.media.MediaContext` it knows which rules are active and how layers rank. A :class:`Cascade` is
the result for every element that matches the same rules with the same inline style: property by property, the winner
and what it would be rolled back to.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from cssselect2 import SelectorError

from husky_lint.parse.css import AtRule, Declaration, StyleRule
from husky_lint.style import values
from husky_lint.style.custom_properties import CSS_WIDE, Registration, needs_substitution, valid_syntax
from husky_lint.style.grammar import check_declaration, property_info
from husky_lint.style.media import evaluate_media, evaluate_supports
from husky_lint.style.selectors import Selector, SelectorLimitError, parse_selector_list
from husky_lint.style.shorthands import can_expand, expand
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from husky_lint.parse.css import Stylesheet
    from husky_lint.source import Span
    from husky_lint.style.media import MediaContext

Tokens = tuple[Any, ...]
LayerPath = tuple[str, ...]

MAX_IMPORT_DEPTH = 16

# Precedence, weakest first (CSS Cascade 5, section 6.1), animations and transitions left to whoever runs them.
USER_AGENT, HINT, AUTHOR, AUTHOR_IMPORTANT, USER_AGENT_IMPORTANT = range(5)


# ---------------------------------------------------------------------------------------------------------------------
# Declarations, by longhand


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """One property set by one declaration.

    ``name`` is a longhand (``declaration`` may be a shorthand) or a custom property. ``keyword`` is the CSS-wide
    keyword that the value is. With ``has_var`` the tokens still hold substitutions; ``shorthand`` then names the
    shorthand whose value they are. ``opaque`` says that a shorthand that is not expanded here set the property.
    ``memo`` keeps what readers work out of the tokens.
    """

    name: str
    tokens: Tokens
    declaration: Declaration
    keyword: str | None = None
    has_var: bool = False
    shorthand: str | None = None
    opaque: bool = False
    memo: dict[Any, Any] = field(default_factory=dict)

    @property
    def important(self) -> bool:
        return self.declaration.important


@functools.lru_cache(maxsize=4096)
def longhands(name: str) -> tuple[str, ...]:
    """What a property name sets: itself, or the longhands it is a shorthand or an alias of."""
    info = property_info(name)
    if info is None or name.startswith("--"):
        return (name,)
    return info.shorthand_of or (info.alias_of or name,)


def declared_by(declaration: Declaration) -> tuple[Declared, ...]:
    """What a declaration sets; nothing when a browser drops it."""
    name = declaration.name
    if check_declaration(name, declaration.tokens) is not None:
        return ()
    return _declared(declaration, name, tuple(values.strip_whitespace(declaration.tokens)))


def _declared(declaration: Declaration, name: str, tokens: Tokens) -> tuple[Declared, ...]:
    keyword = None
    if len(tokens) == 1 and tokens[0].type == "ident" and tokens[0].lower_value in CSS_WIDE:
        keyword = tokens[0].lower_value
    if name.startswith("--"):
        return (Declared(name, tokens, declaration, keyword, needs_substitution(tokens)),)
    has_var = needs_substitution(tokens)
    info = property_info(name)
    target = (info.alias_of or name) if info is not None else name
    if target == "all":
        return (Declared("all", tokens, declaration, keyword, has_var),)
    if info is None or not info.shorthand_of:
        return (Declared(target, tokens, declaration, keyword, has_var),)
    if keyword is not None:
        return tuple(Declared(part, tokens, declaration, keyword) for part in info.shorthand_of)
    whole = Declared(target, tokens, declaration, None, has_var)
    if not can_expand(target):
        parts = (Declared(part, tokens, declaration, None, has_var, target, True) for part in info.shorthand_of)
        return (*parts, whole)
    if has_var:
        return (*(Declared(p, tokens, declaration, None, True, target) for p in info.shorthand_of), whole)
    expanded = expand(target, tokens)
    if expanded is None:
        return ()
    return (*(Declared(part, value, declaration) for part, value in expanded), whole)


# ---------------------------------------------------------------------------------------------------------------------
# Style sheets


@dataclass(frozen=True, slots=True, eq=False)
class MediaCondition:
    """The prelude of an ``@media`` rule, or a ``media`` attribute."""

    tokens: Tokens


@dataclass(frozen=True, slots=True, eq=False)
class ScopeCondition:
    """An ``@scope``: from where, and down to where. ``start`` None is the root of the tree."""

    start: tuple[Selector, ...] | None
    end: tuple[Selector, ...]


class Run:
    """Declarations of one place and one importance, which stand next to each other in every cascade."""

    __slots__ = ("declared", "has_all", "last")

    def __init__(self, declared: tuple[Declared, ...]) -> None:
        self.declared = declared
        self.last: dict[str, Declared] = {one.name: one for one in declared}
        """By property the last one, which wins among them."""
        self.has_all = "all" in self.last


def runs_of(declared: Sequence[Declared]) -> tuple[Run | None, Run | None]:
    """The declarations of one place: the normal ones and the important ones; None where there are none."""
    normal = tuple(one for one in declared if not one.declaration.important)
    important = tuple(one for one in declared if one.declaration.important) if len(normal) < len(declared) else ()
    return Run(normal) if normal else None, Run(important) if important else None


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A run of declarations of one style rule, with everything that decides whether and how strongly they apply."""

    rule: StyleRule | AtRule
    selectors: tuple[Selector, ...]
    declared: tuple[Declared, ...]
    runs: tuple[Run | None, Run | None]
    """The same, the normal ones and the important ones apart."""
    conditions: tuple[MediaCondition, ...]
    layer: LayerPath
    scopes: tuple[ScopeCondition, ...]
    uncertain: str | None
    author: bool


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """One selector of a block. ``features`` are what the match depends on, its scopes included."""

    selector: Selector
    block: Block
    features: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class NamedRule:
    """A ``@keyframes`` or ``@property`` rule where it stands."""

    name: str
    rule: AtRule
    conditions: tuple[MediaCondition, ...]
    layer: LayerPath
    uncertain: str | None


@dataclass(frozen=True, slots=True)
class DroppedRule:
    """A rule that the browser ignores (``limit``: that is not evaluated here), and why."""

    rule: StyleRule | AtRule
    span: Span
    message: str
    limit: bool = False


@dataclass(slots=True)
class CompiledSheet:
    """What a style sheet says in every state."""

    pairs: list[Pair] = field(default_factory=list)
    layers: list[tuple[LayerPath, tuple[MediaCondition, ...]]] = field(default_factory=list)
    keyframes: list[NamedRule] = field(default_factory=list)
    properties: list[NamedRule] = field(default_factory=list)
    dropped: list[DroppedRule] = field(default_factory=list)
    conditions: list[MediaCondition] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Around:
    """What encloses a rule."""

    conditions: tuple[MediaCondition, ...] = ()
    layer: LayerPath = ()
    scopes: tuple[ScopeCondition, ...] = ()
    uncertain: str | None = None
    parent: tuple[Selector, ...] | None = None
    parent_rule: StyleRule | AtRule | None = None


_anonymous = itertools.count()


def compile_sheet(
    sheet: Stylesheet,
    *,
    media: str = "",
    author: bool = True,
    fold: bool = False,
    import_sheet: Callable[[Stylesheet, str], Stylesheet | None] | None = None,
) -> CompiledSheet:
    """Compile a sheet. ``media`` is the attribute of its element; ``import_sheet(sheet, url)`` finds imports."""
    compiler = _Compiler(author, fold, import_sheet)
    around = _Around()
    if media.strip():
        around = compiler.under_media(around, _parse(media))
    compiler.sheet(sheet, around, ())
    return compiler.result


@functools.lru_cache(maxsize=512)
def _parse(text: str) -> Tokens:
    import tinycss2

    return tuple(tinycss2.parse_component_value_list(text, skip_comments=True))


class _Compiler:
    def __init__(
        self, author: bool, fold: bool, import_sheet: Callable[[Stylesheet, str], Stylesheet | None] | None
    ) -> None:
        self.author = author
        self.fold = fold
        self.import_sheet = import_sheet
        self.result = CompiledSheet()
        self.namespaces: dict[str | None, str] = {}

    def sheet(self, sheet: Stylesheet, around: _Around, importing: tuple[int, ...]) -> None:
        self.namespaces = {}
        for rule in sheet.rules:
            if isinstance(rule, AtRule) and rule.keyword == "import":
                self._import(sheet, rule, around, (*importing, id(sheet)))
            elif isinstance(rule, AtRule) and rule.keyword == "namespace":
                self._namespace(rule)
            else:
                self._rule(rule, around)

    # ---- at-rules

    def _import(self, sheet: Stylesheet, rule: AtRule, around: _Around, importing: tuple[int, ...]) -> None:
        tokens = values.split_spaces(rule.prelude)
        if not tokens or self.import_sheet is None or len(importing) > MAX_IMPORT_DEPTH:
            return
        head, rest = tokens[0], tokens[1:]
        if head.type in {"string", "url"}:
            url = head.value
        elif head.type == "function" and head.lower_name == "url" and head.arguments:
            url = head.arguments[0].value
        else:
            return
        if rest and rest[0].type == "ident" and rest[0].lower_value == "layer":
            around, rest = self._enter_layer(around, None), rest[1:]
        elif rest and rest[0].type == "function" and rest[0].lower_name == "layer":
            names = _layer_names(rest[0].arguments)
            if names is None or len(names) != 1:
                return
            around, rest = self._enter_layer(around, names[0]), rest[1:]
        if rest and rest[0].type == "function" and rest[0].lower_name == "supports":
            arguments = rest[0].arguments
            bare = values.split_spaces(arguments)
            if len(bare) > 1 and bare[0].type == "ident" and bare[1] == ":":
                arguments = list(_parse("(" + values.serialize(arguments) + ")"))
            if not self._supports(arguments):
                return
            rest = rest[1:]
        if rest:
            around = self.under_media(around, tuple(rest))
        imported = self.import_sheet(sheet, url)
        if imported is None or id(imported) in importing:
            return
        namespaces = self.namespaces
        self.sheet(imported, around, importing)
        self.namespaces = namespaces

    def _namespace(self, rule: AtRule) -> None:
        tokens = values.split_spaces(rule.prelude)
        prefix = None
        if len(tokens) == 2 and tokens[0].type == "ident":
            prefix, tokens = tokens[0].value, tokens[1:]
        if len(tokens) == 1:
            token = tokens[0]
            if token.type in {"string", "url"}:
                self.namespaces[prefix] = token.value
            elif token.type == "function" and token.lower_name == "url" and token.arguments:
                self.namespaces[prefix] = token.arguments[0].value

    def under_media(self, around: _Around, tokens: Tokens) -> _Around:
        condition = MediaCondition(tokens)
        self.result.conditions.append(condition)
        return replace(around, conditions=(*around.conditions, condition))

    def _enter_layer(self, around: _Around, name: LayerPath | None) -> _Around:
        path = (*around.layer, *(name or (f"\0{next(_anonymous)}",)))
        self.result.layers.append((path, around.conditions))
        return replace(around, layer=path)

    def _supports(self, tokens: Sequence[Any]) -> bool:
        def accepts(name: str, value: list[Any]) -> bool:
            return check_declaration(name, tuple(values.strip_whitespace(value))) is None

        def selector(inner: list[Any]) -> bool:
            try:
                return len(parse_selector_list(inner, namespaces=self.namespaces)) == 1
            except SelectorError:
                return False

        return evaluate_supports(tokens, accepts, selector)

    def _rules(self, rules: Sequence[StyleRule | AtRule], around: _Around) -> None:
        for rule in rules:
            self._rule(rule, around)

    def _body(self, rule: StyleRule | AtRule, around: _Around) -> None:
        """The contents of a style rule, or of a group rule inside one: declarations and rules in their order."""
        run: list[Declaration] = []
        for item in rule.body:
            if isinstance(item, Declaration):
                run.append(item)
                continue
            self._block(around, run)
            run = []
            self._rule(item, around)
        self._block(around, run)

    def _rule(self, rule: StyleRule | AtRule, around: _Around) -> None:
        if isinstance(rule, StyleRule):
            self._style_rule(rule, around)
            return
        keyword = rule.keyword
        if keyword in {"keyframes", "-webkit-keyframes"}:
            self._named(self.result.keyframes, rule, around)
        elif keyword == "property":
            self._named(self.result.properties, rule, around)
        elif keyword == "media":
            self._body(rule, self.under_media(around, rule.prelude))
        elif keyword == "supports":
            if self._supports(rule.prelude):
                self._body(rule, around)
        elif keyword == "container":
            self._body(rule, replace(around, uncertain="unsupported-css"))
        elif keyword == "layer":
            self._layer(rule, around)
        elif keyword == "scope":
            self._scope(rule, around)

    def _layer(self, rule: AtRule, around: _Around) -> None:
        names = _layer_names(rule.prelude)
        if names is None or (rule.has_block and len(names) > 1):
            self._drop(rule, rule.prelude_span, "not the name of a layer")
            return
        if rule.has_block:
            self._body(rule, self._enter_layer(around, names[0] if names else None))
            return
        for name in names:
            self._enter_layer(around, name)

    def _scope(self, rule: AtRule, around: _Around) -> None:
        tokens = values.split_spaces(rule.prelude)
        start: tuple[Selector, ...] | None = None
        end: tuple[Selector, ...] = ()
        try:
            if tokens and tokens[0].type == "() block":
                # Inside a style rule or a scope the start is relative to it, as a nested rule would be (Chromium 156).
                start = parse_selector_list(
                    tokens[0].content,
                    nesting=around.parent,
                    nested=around.parent_rule is not None,
                    namespaces=self.namespaces,
                    fold=self.fold,
                )
                tokens = tokens[1:]
            if tokens and tokens[0].type == "ident" and tokens[0].lower_value == "to":
                end = parse_selector_list(
                    tokens[1].content, nested=True, nesting=None, namespaces=self.namespaces, fold=self.fold
                )
                tokens = tokens[2:]
        except (SelectorError, IndexError, AttributeError):
            tokens = [None]
        if tokens:
            self._drop(rule, rule.prelude_span, "not a scope")
            return
        scope = ScopeCondition(start, end)
        # Without a start, the scope is the parent of the <style> element: which one that is, is not known here.
        uncertain = around.uncertain or ("unsupported-css" if start is None else None)
        inner = replace(around, scopes=(*around.scopes, scope), parent=None, parent_rule=rule, uncertain=uncertain)
        self._body(rule, inner)

    def _named(self, into: list[NamedRule], rule: AtRule, around: _Around) -> None:
        tokens = values.split_spaces(rule.prelude)
        if len(tokens) != 1 or tokens[0].type not in {"ident", "string"}:
            self._drop(rule, rule.span, f"@{rule.keyword} without a name")
            return
        name = tokens[0].value
        if rule.keyword == "property":
            if not name.startswith("--"):
                self._drop(rule, rule.span, f"{name} is not the name of a custom property")
                return
        elif tokens[0].type == "ident" and tokens[0].lower_value in CSS_WIDE | {"none", "default"}:
            self._drop(rule, rule.span, f"{name} cannot name keyframes")
            return
        into.append(NamedRule(name, rule, around.conditions, around.layer, around.uncertain))

    # ---- style rules

    def _style_rule(self, rule: StyleRule, around: _Around) -> None:
        nested = around.parent_rule is not None
        try:
            selectors = parse_selector_list(
                rule.prelude, nesting=around.parent, nested=nested, namespaces=self.namespaces, fold=self.fold
            )
        except SelectorLimitError as error:
            self._drop(rule, rule.selector_span, str(error.args[-1]), limit=True)
            return
        except SelectorError as error:
            self._drop(rule, rule.selector_span, str(error.args[-1]))
            return
        self._body(rule, replace(around, parent=selectors, parent_rule=rule))

    def _block(self, around: _Around, declarations: list[Declaration]) -> None:
        rule = around.parent_rule
        if not declarations or rule is None:
            return
        declared = tuple(itertools.chain.from_iterable(declared_by(declaration) for declaration in declarations))
        selectors = around.parent
        if selectors is None:  # directly inside @scope: the scope itself, without specificity
            selectors = (replace(parse_selector_list(_parse(":scope"))[0], specificity=(0, 0, 0)),)
        block = Block(
            rule,
            selectors,
            declared,
            runs_of(declared),
            around.conditions,
            around.layer,
            around.scopes,
            around.uncertain,
            self.author,
        )
        scope_features = frozenset().union(
            *(s.features for scope in around.scopes for s in (*(scope.start or ()), *scope.end))
        )
        for selector in selectors:
            if selector.pseudo_element is None:
                self.result.pairs.append(Pair(selector, block, selector.features | scope_features))

    def _drop(self, rule: StyleRule | AtRule, span: Span, message: str, *, limit: bool = False) -> None:
        self.result.dropped.append(DroppedRule(rule, span, message, limit))


def _layer_names(prelude: Sequence[Any]) -> list[LayerPath] | None:
    """The names in an ``@layer`` prelude; None when it does not parse."""
    names: list[LayerPath] = []
    for part in values.split_commas(prelude):
        if not part or len(part) % 2 == 0:
            return None
        if any(token.type != "ident" or token.lower_value in CSS_WIDE for token in part[::2]):
            return None
        if any(token != "." for token in part[1::2]):
            return None
        names.append(tuple(token.value for token in part[::2]))
    return names


# ---------------------------------------------------------------------------------------------------------------------
# All sheets, in a view


class RuleBook:
    """Compiled sheets in cascade order (the user agent's first)."""

    def __init__(self, sheets: Sequence[CompiledSheet]) -> None:
        self.sheets = tuple(sheets)
        self.pairs: list[Pair] = [pair for sheet in sheets for pair in sheet.pairs]
        self.conditions = [condition for sheet in sheets for condition in sheet.conditions]
        self.cascades: dict[Any, dict[Any, Cascade]] = {}
        """Cascades by what matches, for each ranking of the layers: views differ in little else."""
        self._views: dict[tuple[bool, ...], BookView] = {}
        self._by_media: dict[MediaContext, BookView] = {}

    def let_go(self) -> None:
        """Forget how the book looks; see :meth:`~husky_lint.style.computed.StyleEngine.let_go`."""
        self._views.clear()
        self._by_media.clear()

    def view(self, media: MediaContext) -> BookView:
        """The book as a media context shows it; views with the same active conditions are one."""
        known = self._by_media.get(media)
        if known is None:
            signature = tuple(evaluate_media(condition.tokens, media) for condition in self.conditions)
            known = self._views.get(signature)
            if known is None:
                active = {id(c) for c, holds in zip(self.conditions, signature, strict=True) if holds}
                known = self._views[signature] = BookView(self, active)
            self._by_media[media] = known
        return known


class BookView:
    """Which rules of a book are active, how layers rank, which keyframes and registrations hold."""

    def __init__(self, book: RuleBook, active: set[int]) -> None:
        self.book = book
        self._active_conditions = active
        self._ranks = self._rank_layers()
        self.active: list[bool] = [self._holds(pair.block.conditions) for pair in book.pairs]
        self.all_active = all(self.active)
        self._keyframes = self._last_of([k for sheet in book.sheets for k in sheet.keyframes])
        self.registrations = self._registrations()
        self.cascades = book.cascades.setdefault(tuple(self._ranks.items()), {})

    def _holds(self, conditions: tuple[MediaCondition, ...]) -> bool:
        return all(id(condition) in self._active_conditions for condition in conditions)

    def _rank_layers(self) -> dict[LayerPath, int]:
        children: dict[LayerPath, list[LayerPath]] = {}
        for sheet in self.book.sheets:
            for path, conditions in sheet.layers:
                if not self._holds(conditions):
                    continue
                for depth in range(1, len(path) + 1):
                    siblings = children.setdefault(path[: depth - 1], [])
                    if path[:depth] not in siblings:
                        siblings.append(path[:depth])
        # A layer's own rules are stronger than those of the layers in it: number them in post-order.
        ranks: dict[LayerPath, int] = {}
        stack: list[tuple[LayerPath, bool]] = [((), False)]
        while stack:
            path, left = stack.pop()
            if left or path not in children:
                ranks[path] = len(ranks)
                continue
            stack.append((path, True))
            stack.extend((child, False) for child in reversed(children[path]))
        return ranks

    def rank(self, layer: LayerPath) -> int:
        """The strength of a layer for normal declarations; the unlayered ones have the highest."""
        return self._ranks.get(layer, len(self._ranks))

    def _last_of(self, rules: Sequence[NamedRule]) -> dict[str, NamedRule]:
        found: dict[str, tuple[int, NamedRule]] = {}
        for rule in rules:
            if self._holds(rule.conditions):
                rank = self.rank(rule.layer)
                if rule.name not in found or found[rule.name][0] <= rank:
                    found[rule.name] = (rank, rule)
        return {name: rule for name, (_, rule) in found.items()}

    def keyframes(self, name: str) -> AtRule | None:
        """The ``@keyframes`` rule that an animation name refers to."""
        rule = self._keyframes.get(name)
        return None if rule is None else rule.rule

    @property
    def keyframes_names(self) -> tuple[str, ...]:
        return tuple(self._keyframes)

    def _registrations(self) -> dict[str, Registration]:
        valid = []
        for sheet in self.book.sheets:
            for rule in sheet.properties:
                registration = registration_of(rule.rule, rule.name)
                if registration is not None:
                    valid.append((rule, registration))
        winners = self._last_of([rule for rule, _ in valid])
        return {rule.name: registration for rule, registration in valid if winners.get(rule.name) is rule}


def registration_of(rule: AtRule, name: str) -> Registration | None:
    """What an ``@property`` rule registers; None when it is invalid and ignored."""
    from husky_lint.style.custom_properties import matches_syntax

    descriptors = {d.name: values.strip_whitespace(d.tokens) for d in rule.declarations}
    syntax, inherits = descriptors.get("syntax", []), descriptors.get("inherits", [])
    initial = descriptors.get("initial-value")
    if len(syntax) != 1 or syntax[0].type != "string" or not valid_syntax(syntax[0].value):
        return None
    if len(inherits) != 1 or inherits[0].type != "ident" or inherits[0].lower_value not in {"true", "false"}:
        return None
    text = syntax[0].value.strip()
    if text != "*":
        if initial is None or not matches_syntax(text, initial) or not _independent(initial):
            return None
    elif initial is not None and needs_substitution(initial):
        return None
    return Registration(
        name, text, inherits[0].lower_value == "true", None if initial is None else tuple(initial), rule
    )


_RELATIVE_UNITS = words(
    """
    em rem ex rex ch rch cap rcap ic ric lh rlh vw vh vi vb vmin vmax svw svh lvw lvh dvw dvh cqw cqh cqi cqb
    cqmin cqmax
    """
)


def _independent(tokens: Sequence[Any]) -> bool:
    """Whether a value is the same on every element (Properties and Values 1, "computationally independent")."""
    stack = list(tokens)
    while stack:
        token = stack.pop()
        if token.type == "dimension" and token.lower_unit in _RELATIVE_UNITS:
            return False
        if token.type == "function":
            if token.lower_name in {"var", "env"}:
                return False
            stack.extend(token.arguments)
        elif token.type.endswith(" block"):
            stack.extend(token.content)
    return True


# ---------------------------------------------------------------------------------------------------------------------
# The winners on an element


#: Where a run stands: level, whether it is an attribute's, layer, specificity, proximity of the scope, order.
_Key = tuple[int, int, int, tuple[int, int, int], int, int]

#: Without a scope a declaration is further away than in any (CSS Cascade 6, section 2.2.2).
_UNSCOPED = 1 << 30
_NO_SPECIFICITY = (0, 0, 0)
_OF_HINTS: _Key = (HINT, 0, 0, _NO_SPECIFICITY, 0, 0)
_OF_STYLE: _Key = (AUTHOR, 1, 0, _NO_SPECIFICITY, 0, 0)
_OF_IMPORTANT_STYLE: _Key = (AUTHOR_IMPORTANT, 1, 0, _NO_SPECIFICITY, 0, 0)


class Cascade:
    """Which declaration wins for each property on elements that match the same rules.

    ``matches`` are ``(pair, place of the pair in the book, scope proximity)``; ``hints`` and ``inline`` are what
    presentation attributes and the ``style`` attribute declare.
    """

    __slots__ = ("_has_all", "_important", "_runs", "_winners", "customs", "uncertain")

    def __init__(
        self,
        view: BookView,
        matches: Sequence[tuple[Pair, int, int]],
        hints: Sequence[Declared] = (),
        inline: Sequence[Declared] = (),
    ) -> None:
        self.uncertain: dict[str, str] = {}
        self._runs = sorted(self._find_runs(view, matches, hints, inline), key=_key_of)
        winners: dict[str, Declared] = {}
        for _, run in self._runs:
            if not run.has_all:
                winners.update(run.last)
                continue
            for declared in run.declared:
                if declared.name == "all":
                    winners = {name: winner for name, winner in winners.items() if not _is_in_all(name)}
                winners[declared.name] = declared
        self._winners = winners
        self._has_all = "all" in winners
        self._important: frozenset[str] | None = None
        self.customs: dict[str, Declared] = {n: d for n, d in winners.items() if n.startswith("--")}

    def _find_runs(
        self,
        view: BookView,
        matches: Sequence[tuple[Pair, int, int]],
        hints: Sequence[Declared],
        inline: Sequence[Declared],
    ) -> Iterator[tuple[_Key, Run]]:
        strongest: dict[Block, tuple[tuple[int, int, int], int, int]] = {}
        for pair, order, proximity in matches:
            # Of a rule's selectors that match, the most specific one counts.
            block, specificity = pair.block, pair.selector.specificity
            known = strongest.get(block)
            if known is None or (specificity, -proximity) > (known[0], -known[2]):
                strongest[block] = (specificity, order, proximity)
        for block, (specificity, order, proximity) in strongest.items():
            if block.uncertain is not None:
                for declared in block.declared:
                    self.uncertain[declared.name] = block.uncertain
                continue
            rank = view.rank(block.layer)
            near = -proximity if block.scopes else -_UNSCOPED
            normal, important = block.runs
            if normal is not None:
                yield (AUTHOR if block.author else USER_AGENT, 0, rank, specificity, near, order), normal
            if important is not None:
                level = AUTHOR_IMPORTANT if block.author else USER_AGENT_IMPORTANT
                yield (level, 0, -rank, specificity, near, order), important
        if hints:
            yield _OF_HINTS, Run(tuple(hints))
        for key, run in zip((_OF_STYLE, _OF_IMPORTANT_STYLE), runs_of(inline), strict=True):
            if run is not None:
                yield key, run

    def is_silent_on(self, name: str) -> bool:
        """Whether surely nothing declares the property."""
        return name not in self._winners and not self._has_all and name not in self.uncertain

    def winner(self, name: str) -> Declared | None:
        """The declaration that wins for a longhand or a custom property."""
        found = self._winners.get(name)
        return self._winners.get("all") if found is None and self._has_all and _is_in_all(name) else found

    def lower(self, name: str, declared: Declared) -> Declared | None:
        """What ``revert``, ``revert-layer`` or ``revert-rule`` (here, or of ``all``) rolls a property back to."""
        entries = [(key, one) for key, run in self._runs for one in run.declared]
        at = next((i for i, (_, entry) in enumerate(entries) if entry is declared), None)
        if at is None:
            return None
        key = entries[at][0]
        for other_key, other in reversed(entries[:at]):
            if other.name != name and (other.name != "all" or not _is_in_all(name)):
                continue
            if _is_lower(other_key, key, declared.keyword):
                return other
        return None

    @property
    def important(self) -> frozenset[str]:
        """The properties that a declaration with ``!important`` wins."""
        if self._important is None:
            self._important = frozenset(name for name, declared in self._winners.items() if declared.important)
        return self._important

    def properties(self) -> Iterator[str]:
        """The properties that any declaration sets on the element."""
        return iter(self._winners)


def _is_in_all(name: str) -> bool:
    return not name.startswith("--") and name not in {"direction", "unicode-bidi"}


def _key_of(entry: tuple[_Key, Run]) -> _Key:
    return entry[0]


def _is_lower(other: _Key, key: _Key, keyword: str | None) -> bool:
    """Whether a run's key lies below what a reverting keyword at ``key`` takes back."""
    if keyword == "revert":
        # Author declarations, important or not, and presentation attributes are one origin.
        return bool(other[0] == USER_AGENT and key[0] != USER_AGENT)
    important = key[0] in {AUTHOR_IMPORTANT, USER_AGENT_IMPORTANT}
    if keyword == "revert-layer":
        if important:
            # The layer is taken back in its normal declarations too.
            rank = -key[2]
            return bool(
                other[0] < AUTHOR or (other[0] == AUTHOR and (other[1], other[2]) < (key[1], rank if not key[1] else 0))
            )
        return bool((other[0], other[1], other[2]) < (key[0], key[1], key[2]))
    return other != key
