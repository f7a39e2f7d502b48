"""CSS text in, rules and declarations with exact spans out.

The tokens are tinycss2's; the structure is built here by CSS Syntax 3 (§5.5, "consume a block's contents") because
tinycss2 keeps no ends, and because nesting, custom properties with blocks and stray braces must come out as browsers
read them. Whatever a browser drops on the way is a :class:`CssProblem`, never an exception. Selectors, media queries
and values are *not* judged here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias

from husky_lint.parse.problems import LIMIT, ParseProblem
from husky_lint.source import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from husky_lint.source import SourceText

CssToken: TypeAlias = Any  # a tinycss2.ast.Node; tinycss2 is untyped
CssProblem = ParseProblem

# Deeper than any page written by hand or by a preprocessor, and shallow enough for every recursive reader of the tree.
MAX_CHARACTERS = 500_000  # ten times the longest sheet seen; a token takes half a kilobyte
MAX_PROBLEMS = 500
MAX_RULE_DEPTH = 64
MAX_VALUE_DEPTH = 64

_LINE_END = re.compile(r"\r\n|[\r\n\f]")
# int() refuses more than 4300 digits, and tinycss2 does not expect it to.
_ENDLESS_NUMBER = re.compile(r"[0-9]{4000,}")
_NO_BLOCK = frozenset({"import", "charset", "namespace"})
_GROUPING = frozenset({"media", "supports", "layer", "container", "starting-style", "document"})
_WITH_CONTENT = frozenset({"function", "() block", "[] block", "{} block"})
_DESCRIPTORS = frozenset(
    {
        *("font-face", "property", "counter-style", "font-palette-values", "view-transition", "position-try"),
        *("font-feature-values", "page"),
    }
)
_KEYFRAMES = frozenset({"keyframes", "-webkit-keyframes"})
# What Chromium implements; everything else is dropped whole.
KNOWN_AT_RULES = _NO_BLOCK | (_GROUPING - {"document"}) | _DESCRIPTORS | _KEYFRAMES | {"scope", "function"}


@dataclass(frozen=True, slots=True)
class _Place:
    """Turns offsets into spans: of the file the text stands in, or all of them one given span (``whole``)."""

    source: SourceText
    whole: Span | None

    def span(self, start: int, end: int) -> Span:
        return self.whole or Span(self.source.path, start, end)


@dataclass(frozen=True, slots=True, eq=False)
class Declaration:
    """``name: value`` with its marker.

    ``name`` is in lower case unless it is a custom property. ``tokens`` are the value's component values without
    comments and without white space at the ends, the ``!important`` marker left out.
    """

    name: str
    tokens: tuple[CssToken, ...]
    important: bool
    _place: _Place = field(repr=False)
    _start: int
    _name_end: int
    _value_start: int
    _value_end: int
    _end: int

    @property
    def span(self) -> Span:
        """From the name to the end of the value or marker; the semicolon is outside."""
        return self._place.span(self._start, self._end)

    @property
    def name_span(self) -> Span:
        return self._place.span(self._start, self._name_end)

    @property
    def value_span(self) -> Span:
        """The value, without white space and comments at its ends and without ``!important``."""
        return self._place.span(self._value_start, self._value_end)

    @property
    def value(self) -> str:
        """The value as written, comments included."""
        return self._place.source.text[self._value_start : self._value_end]

    def placed(self, at: Span) -> Declaration:
        """The same declaration at another place, as the same attribute on another element declares it."""
        return replace(self, _place=_Place(self._place.source, at))


@dataclass(frozen=True, slots=True, eq=False)
class StyleRule:
    """``prelude { … }``: a style rule, a nested one, or a keyframe of ``@keyframes``.

    ``body`` keeps declarations and nested rules in the order written; ``declarations`` and ``rules`` are its two parts.
    """

    prelude: tuple[CssToken, ...]
    body: tuple[Declaration | StyleRule | AtRule, ...]
    declarations: tuple[Declaration, ...] = field(repr=False)
    rules: tuple[StyleRule | AtRule, ...] = field(repr=False)
    _place: _Place = field(repr=False)
    _start: int
    _prelude_end: int
    _block_start: int
    _end: int

    @property
    def span(self) -> Span:
        return self._place.span(self._start, self._end)

    @property
    def selector_span(self) -> Span:
        """The prelude without white space and comments at its ends."""
        return self._place.span(self._start, self._prelude_end)

    @property
    def selector_text(self) -> str:
        return self._place.source.text[self._start : self._prelude_end]

    @property
    def block_span(self) -> Span:
        """The braces and what they hold."""
        return self._place.span(self._block_start, self._end)


@dataclass(frozen=True, slots=True, eq=False)
class AtRule:
    """``@keyword prelude;`` or ``@keyword prelude { … }``; ``keyword`` in lower case, without the ``@``."""

    keyword: str
    prelude: tuple[CssToken, ...]
    body: tuple[Declaration | StyleRule | AtRule, ...]
    declarations: tuple[Declaration, ...] = field(repr=False)
    rules: tuple[StyleRule | AtRule, ...] = field(repr=False)
    has_block: bool
    _place: _Place = field(repr=False)
    _start: int
    _keyword_end: int
    _prelude_start: int
    _prelude_end: int
    _block_start: int
    _end: int

    @property
    def span(self) -> Span:
        """From the ``@`` to the closing brace or the semicolon, both inside."""
        return self._place.span(self._start, self._end)

    @property
    def keyword_span(self) -> Span:
        """The ``@`` and the keyword."""
        return self._place.span(self._start, self._keyword_end)

    @property
    def prelude_span(self) -> Span:
        return self._place.span(self._prelude_start, self._prelude_end)

    @property
    def prelude_text(self) -> str:
        return self._place.source.text[self._prelude_start : self._prelude_end]

    @property
    def block_span(self) -> Span | None:
        return self._place.span(self._block_start, self._end) if self.has_block else None


@dataclass(frozen=True, slots=True, eq=False)
class Stylesheet:
    """One style sheet: a ``.css`` file, the text of a ``<style>`` element, or text that script builds."""

    source: SourceText
    rules: tuple[StyleRule | AtRule, ...]
    problems: tuple[CssProblem, ...]
    inline: bool = False


class _Context(Enum):
    """What a block may hold."""

    SHEET = "the top level"
    RULES = "rules only"
    STYLE = "declarations and nested rules"
    DECLARATIONS = "declarations only"
    KEYFRAMES = "keyframes only"


_Node: TypeAlias = Declaration | StyleRule | AtRule


def parse_stylesheet(
    source: SourceText, start: int = 0, end: int | None = None, *, inline: bool = False, at: Span | None = None
) -> Stylesheet:
    """Parse ``source.text[start:end]`` as a style sheet; spans are places in ``source``.

    ``inline`` is kept on the result (a ``<style>`` element). ``at`` is for text that stands nowhere as it is
    (built by script, or escaped in markup): ``source`` then holds the text and every span is ``at``.
    """
    parser = _Parser(source, start, end, at)
    nodes = parser.parse(_Context.SHEET)
    rules = tuple(node for node in nodes if not isinstance(node, Declaration))
    return Stylesheet(source, rules, tuple(parser.problems), inline)


def parse_declarations(
    source: SourceText, start: int = 0, end: int | None = None, *, at: Span | None = None
) -> tuple[tuple[Declaration, ...], tuple[CssProblem, ...]]:
    """Parse ``source.text[start:end]`` as the value of a ``style`` attribute (CSS Style Attributes §3).

    Rules in it are dropped, as browsers do. ``at`` as in :func:`parse_stylesheet`: for escaped values.
    """
    parser = _Parser(source, start, end, at)
    nodes = parser.parse(_Context.DECLARATIONS)
    return tuple(node for node in nodes if isinstance(node, Declaration)), tuple(parser.problems)


class _Parser:
    def __init__(self, source: SourceText, start: int, end: int | None, at: Span | None) -> None:
        self.text = source.text
        self.start = start
        self.end = len(source.text) if end is None else end
        self.place = _Place(source, at)
        self.problems: list[CssProblem] = []
        self.unclosed: set[int] = set()
        self.imports_allowed = self.namespaces_allowed = True
        self.import_seen = False

    def parse(self, context: _Context) -> tuple[_Node, ...]:
        from tinycss2 import parse_component_value_list

        if self.end - self.start > MAX_CHARACTERS:
            cut = self.start + MAX_CHARACTERS
            self._problem(f"More than {MAX_CHARACTERS} characters; the rest is not read", cut, cut + 1, LIMIT)
            self.end = cut
        css = self.text[self.start : self.end]
        self.lines = [self.start, *(self.start + match.end() for match in _LINE_END.finditer(css))]
        tokens = parse_component_value_list(self._finite(css))
        depth, errors = _survey(tokens)
        self.is_clean = depth <= MAX_VALUE_DEPTH and not errors  # as good as always: then values need no second look
        self._find_unclosed(tokens)
        return self._contents(tokens, self.end, context, 0)

    def _finite(self, css: str) -> str:
        def shorten(match: re.Match[str]) -> str:
            self._problem("The number has too many digits", self.start + match.start(), self.start + match.end(), LIMIT)
            return match[0][:-2] + "e2"  # as long and as large, and no integer

        return _ENDLESS_NUMBER.sub(shorten, css)

    # ---- places

    def _at(self, token: CssToken) -> int:
        # tinycss2 counts columns in code points from the last line end, so that the newline's own length never matters.
        return self.lines[token.source_line - 1] + token.source_column - 1  # type: ignore[no-any-return]

    def _problem(self, message: str, start: int, end: int, code: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(CssProblem(message, self.place.span(start, end), code))

    def _find_unclosed(self, root: list[CssToken]) -> None:
        """Which blocks are open at the end of the text: those on the path to the last token, less their closers."""
        from tinycss2 import parse_component_value_list

        path: list[CssToken] = []
        tokens = root
        leaf: CssToken | None = None
        while tokens:
            leaf = tokens[-1]
            content = _content(leaf)
            if content is None:
                break
            path.append(leaf)
            tokens = content
        if not path:
            return
        # Behind the last token stand closers and nothing else (white space and comments are tokens); read by itself,
        # each of them is an unmatched one.
        if tokens:
            tail = parse_component_value_list(self.text[self._at(leaf) : self.end])
            closers = sum(1 for token in tail[1:] if token.type == "error" and token.kind in (")", "]", "}"))
        else:
            tail = parse_component_value_list(self.text[self._at(leaf) : self.end] + ";")
            closers = len(tail) - 1
        still_open = path[: len(path) - closers]
        self.unclosed.update(map(id, still_open))
        for token in still_open[:MAX_PROBLEMS]:
            offset = self._at(token)
            self._problem(f"{_opener(token)} is never closed", offset, offset + 1, "unclosed-block")

    # ---- structure

    def _contents(self, tokens: list[CssToken], end: int, context: _Context, depth: int) -> tuple[_Node, ...]:
        body: list[_Node] = []
        index, count = 0, len(tokens)
        declares = context is _Context.STYLE or context is _Context.DECLARATIONS
        while index < count:
            token = tokens[index]
            kind = token.type
            if kind == "whitespace" or kind == "comment":  # noqa: PLR1714  # the hottest line of the parser
                index += 1
            elif kind == "at-keyword":
                index = self._at_rule(tokens, index, end, context, depth, body)
            elif kind == "literal" and (
                (declares and token.value == ";") or (context is _Context.SHEET and token.value in ("<!--", "-->"))
            ):
                index += 1
            elif declares:
                index = self._declaration_or_rule(tokens, index, end, context, depth, body)
            else:
                index = self._qualified_rule(tokens, index, end, context, depth, body)
        return tuple(body)

    def _declaration_or_rule(
        self, tokens: list[CssToken], index: int, end: int, context: _Context, depth: int, body: list[_Node]
    ) -> int:
        count = len(tokens)
        first = tokens[index]
        colon = 0
        if first.type == "ident":
            colon = index + 1
            while colon < count and tokens[colon].type in ("whitespace", "comment"):
                colon += 1
            if colon >= count or tokens[colon].type != "literal" or tokens[colon].value != ":":
                colon = 0
        custom = colon and first.value.startswith("--")
        # Where no rule can be nested, what is no declaration ends at a semicolon only.
        nests = context is _Context.STYLE
        stop, block = index, -1
        while stop < count:
            token = tokens[stop]
            kind = token.type
            if kind == "literal":
                if token.value == ";":
                    break
            elif kind == "{} block" and not custom:
                block = stop
                if nests:
                    break
            stop += 1
        if block >= 0 and not nests:
            colon = 0
        elif block >= 0:
            # A value that is one block and nothing else is a declaration by the grammar, though no property takes it.
            if not colon or any(t.type not in ("whitespace", "comment") for t in tokens[colon + 1 : block]):
                return self._qualified_rule(tokens, index, end, context, depth, body)
            while stop < count and not (tokens[stop].type == "literal" and tokens[stop].value == ";"):
                stop += 1
            if any(t.type not in ("whitespace", "comment") for t in tokens[block + 1 : stop]):
                return self._qualified_rule(tokens, index, end, context, depth, body)
        stop_at = self._at(tokens[stop]) if stop < count else end
        if not colon:
            last = _last_significant(tokens, index, stop)
            self._problem(
                "Neither a declaration nor a rule: it is ignored",
                self._at(first),
                self._end_of(tokens, last, end),
                "invalid-declaration",
            )
        else:
            declaration = self._declaration(tokens, index, colon, stop, stop_at)
            if declaration is not None:
                body.append(declaration)
        return stop + 1

    def _declaration(
        self, tokens: list[CssToken], index: int, colon: int, stop: int, stop_at: int
    ) -> Declaration | None:
        first, after = tokens[index], tokens[index + 1]
        start = self._at(first)
        low, high = colon + 1, stop
        while low < high and tokens[low].type in ("whitespace", "comment"):
            low += 1
        while high > low and tokens[high - 1].type in ("whitespace", "comment"):
            high -= 1
        whole_end = self._at(tokens[high]) if high < stop else stop_at
        important = False
        if high > low and tokens[high - 1].type == "ident" and tokens[high - 1].lower_value == "important":
            bang = high - 2
            while bang >= low and tokens[bang].type in ("whitespace", "comment"):
                bang -= 1
            if bang >= low and tokens[bang].type == "literal" and tokens[bang].value == "!":
                important = True
                high = bang
                while high > low and tokens[high - 1].type in ("whitespace", "comment"):
                    high -= 1
        value = tokens[low:high]
        value_start = self._at(tokens[low]) if low < stop else stop_at
        value_end = (self._at(tokens[high]) if high < stop else stop_at) if value else value_start
        name = first.value
        if not name.startswith("--"):
            name = first.lower_value
            if not value:
                self._problem(f"{name} has no value: it is ignored", start, max(whole_end, start + 1), "empty-value")
                return None
        checked = self._checked(value, value_start, value_end)
        if checked is None:
            self._problem(f"The value of {name} cannot be read: it is ignored", start, whole_end, "invalid-value")
            return None
        return Declaration(
            name, checked, important, self.place, start, self._at(after), value_start, value_end, whole_end
        )

    def _checked(self, tokens: list[CssToken], start: int, end: int) -> tuple[CssToken, ...] | None:
        """The tokens without comments; None if there is an error in them, or too deep a nesting for what reads them."""
        rewritten = self.text.find("/*", start, end) >= 0
        if rewritten:
            from tinycss2 import parse_component_value_list

            tokens = parse_component_value_list(self._finite(self.text[start:end]), skip_comments=True)
        if self.is_clean:
            return tuple(tokens)
        if _survey(tokens)[0] > MAX_VALUE_DEPTH:
            self._problem("Nested too deeply", start, end, LIMIT)
            return None
        return self._without_errors(tokens, start if rewritten else None)

    def _without_errors(self, tokens: list[CssToken], start: int | None) -> tuple[CssToken, ...] | None:
        """None for a token that is an error; ``start`` is a place for tokens that have lost theirs."""
        for position, token in enumerate(tokens):
            if token.type == "error":
                if not token.kind.startswith("eof-"):
                    return None
                # A string or URL that the end of the file cuts off still counts.
                offset = min(self._at(token) if start is None else start, max(self.end - 1, 0))
                self._problem(token.message, offset, self.end, "unclosed-string")
                del tokens[position:]
            else:
                content = _content(token)
                if content and self._without_errors(content, start) is None:
                    return None
        return tuple(tokens)

    def _qualified_rule(
        self, tokens: list[CssToken], index: int, end: int, context: _Context, depth: int, body: list[_Node]
    ) -> int:
        count = len(tokens)
        nested = context is _Context.STYLE
        start = self._at(tokens[index])
        block = index
        while block < count and tokens[block].type != "{} block":
            if nested and tokens[block].type == "literal" and tokens[block].value == ";":
                break
            block += 1
        if block >= count or tokens[block].type != "{} block":
            last = _last_significant(tokens, index, block)
            self._problem(
                "Neither a declaration nor a rule: it is ignored"
                if nested
                else "A selector without a block is ignored",
                start,
                self._end_of(tokens, last, end),
                "invalid-declaration" if nested else "invalid-rule",
            )
            return block + 1
        rule_end = self._end_of(tokens, block, end)
        prelude = tokens[index:block]
        while prelude and prelude[-1].type in ("whitespace", "comment"):
            prelude.pop()
        prelude_end = self._end_of(tokens, index + len(prelude) - 1, end) if prelude else start
        reason = _why_dropped(prelude)
        if reason is not None:
            self._problem(reason, start, rule_end, "invalid-rule")
            return block + 1
        checked = self._checked(prelude, start, prelude_end)
        if checked is None:
            for token in prelude:
                if token.type == "error" and token.kind == "}":
                    offset = self._at(token)
                    self._problem("This } closes nothing", offset, offset + 1, "stray-brace")
            self._problem("The selector cannot be read: the rule is ignored", start, rule_end, "invalid-rule")
            return block + 1
        if depth >= MAX_RULE_DEPTH:
            self._problem("Rules are nested too deeply", start, rule_end, LIMIT)
            return block + 1
        self.imports_allowed = self.namespaces_allowed = False
        token = tokens[block]
        inner = _Context.DECLARATIONS if context is _Context.KEYFRAMES else _Context.STYLE
        content_end = rule_end if id(token) in self.unclosed else rule_end - 1
        contents = self._contents(token.content, content_end, inner, depth + 1)
        body.append(
            StyleRule(checked, contents, *_parts(contents), self.place, start, prelude_end, self._at(token), rule_end)
        )
        return block + 1

    def _at_rule(
        self, tokens: list[CssToken], index: int, end: int, context: _Context, depth: int, body: list[_Node]
    ) -> int:
        count = len(tokens)
        head = tokens[index]
        keyword: str = head.lower_value
        start = self._at(head)
        stop = index + 1
        while stop < count:
            token = tokens[stop]
            if token.type == "{} block" or (token.type == "literal" and token.value == ";"):
                break
            stop += 1
        rule_end = self._end_of(tokens, min(stop, count - 1), end)
        has_block = stop < count and tokens[stop].type == "{} block"
        low, high = index + 1, stop
        while low < high and tokens[low].type in ("whitespace", "comment"):
            low += 1
        while high > low and tokens[high - 1].type in ("whitespace", "comment"):
            high -= 1
        keyword_end = self._end_of(tokens, index, end)
        prelude_start = self._at(tokens[low]) if low < high else keyword_end
        prelude_end = self._end_of(tokens, high - 1, end) if low < high else prelude_start
        reason = self._why_at_rule_dropped(keyword, has_block, context)
        if reason is not None:
            code = "unknown-at-rule" if keyword not in KNOWN_AT_RULES else "invalid-at-rule"
            self._problem(f"@{keyword}: {reason}", start, rule_end, code)
            return stop + 1
        prelude = self._checked(tokens[low:high], prelude_start, prelude_end)
        if prelude is None:
            self._problem(
                f"What stands behind @{keyword} cannot be read: it is ignored", start, rule_end, "invalid-at-rule"
            )
            return stop + 1
        self._advance(keyword, has_block)
        contents: tuple[_Node, ...] = ()
        block_start = rule_end
        if has_block:
            if depth >= MAX_RULE_DEPTH:
                self._problem("Rules are nested too deeply", start, rule_end, LIMIT)
                return stop + 1
            block = tokens[stop]
            block_start = self._at(block)
            content_end = rule_end if id(block) in self.unclosed else rule_end - 1
            contents = self._contents(block.content, content_end, _inner_context(keyword, context), depth + 1)
        body.append(
            AtRule(
                *(keyword, prelude, contents, *_parts(contents), has_block, self.place),
                *(start, keyword_end, prelude_start, prelude_end, block_start, rule_end),
            )
        )
        return stop + 1

    def _why_at_rule_dropped(self, keyword: str, has_block: bool, context: _Context) -> str | None:
        if keyword not in KNOWN_AT_RULES:
            return "no browser knows this rule; it is ignored"
        if context is _Context.KEYFRAMES:
            return "no such rule may stand here; it is ignored"
        if keyword in _NO_BLOCK:
            if has_block:
                return "it takes no block; it is ignored"
            if context is not _Context.SHEET:
                return "it may only stand at the top level; it is ignored"
            if keyword == "import" and not self.imports_allowed:
                return "it must come before all other rules; it is ignored"
            if keyword == "namespace" and not self.namespaces_allowed:
                return "it must come right behind the imports; it is ignored"
        elif not has_block and keyword != "layer":
            return "its block is missing; it is ignored"
        return None

    def _advance(self, keyword: str, has_block: bool) -> None:
        """Which of ``@import`` and ``@namespace`` may still follow a rule that counts (CSS Cascade 5 §2)."""
        if keyword == "import":
            self.import_seen = True
        elif keyword == "namespace":
            self.imports_allowed = False
        elif keyword != "charset" and (has_block or keyword != "layer" or self.import_seen or not self.imports_allowed):
            self.imports_allowed = self.namespaces_allowed = False

    def _end_of(self, tokens: list[CssToken], index: int, end: int) -> int:
        # Tokens touch: one ends where the next starts, the last one where its block does.
        return self._at(tokens[index + 1]) if index + 1 < len(tokens) else end


def _why_dropped(prelude: Sequence[CssToken]) -> str | None:
    if not prelude:
        return "A block without a selector is ignored"
    if any(token.type == "literal" and token.value == ";" for token in prelude):
        return "A declaration stands outside a rule: it is ignored, and the rule behind it too"
    if prelude[0].type == "ident" and prelude[0].value.startswith("--"):
        rest = [token for token in prelude[1:] if token.type not in ("whitespace", "comment")]
        if rest and rest[0].type == "literal" and rest[0].value == ":":
            return "A custom property stands outside a rule: it is ignored"
    return None


def _inner_context(keyword: str, outer: _Context) -> _Context:
    if keyword in _KEYFRAMES:
        return _Context.KEYFRAMES
    if keyword in _GROUPING:
        return _Context.STYLE if outer is _Context.STYLE else _Context.RULES
    if keyword in ("scope", "page", "font-feature-values", "function"):
        return _Context.STYLE
    return _Context.DECLARATIONS


def _parts(body: tuple[_Node, ...]) -> tuple[tuple[Declaration, ...], tuple[StyleRule | AtRule, ...]]:
    declarations = tuple(node for node in body if isinstance(node, Declaration))
    if len(declarations) == len(body):
        return declarations, ()
    return declarations, tuple(node for node in body if not isinstance(node, Declaration))


def _content(token: CssToken) -> list[CssToken] | None:
    """What a block or function token holds; None for every other token."""
    kind = token.type
    if kind not in _WITH_CONTENT:
        return None
    return token.arguments if kind == "function" else token.content  # type: ignore[no-any-return]


def _opener(token: CssToken) -> str:
    return f"{token.name}(" if token.type == "function" else str(token.type[0])


def _last_significant(tokens: list[CssToken], index: int, stop: int) -> int:
    last = max(stop - 1, index)
    while last > index and tokens[last].type in ("whitespace", "comment"):
        last -= 1
    return last


def _survey(tokens: list[CssToken]) -> tuple[int, bool]:
    """How deeply blocks nest, and whether there is an error among the tokens; without recursion."""
    depth, errors = -1, False
    level = [tokens]
    while level:
        depth += 1
        inner = []
        for content in level:
            for token in content:
                kind = token.type
                if kind in _WITH_CONTENT:
                    inner.append(token.arguments if kind == "function" else token.content)
                elif kind == "error":
                    errors = True
        level = inner
    return depth, errors
