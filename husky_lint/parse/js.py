"""JavaScript text in, an ESTree with places out.

The parser is esprima's maintained continuation. It is slow (about 2 ms a kilobyte), so it is asked where the quick one
for plain JavaScript (:mod:`husky_lint.parse.plain`) gives no tree; and a :class:`Script` parses when its tree is first
asked for, and once. Of esprima's options none makes it faster; ``range`` costs a tenth, ``loc``, ``comment``,
``tokens`` and every older ``ecmaVersion`` much more.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from husky_lint.parse.plain import parse_plain
from husky_lint.parse.problems import LIMIT, ParseProblem
from husky_lint.source import Span

if TYPE_CHECKING:
    from husky_lint.source import SourceText

JsNode: TypeAlias = Any  # a node as esprima makes them; esprima is untyped

# Beyond this the parse alone would take longer than everything else together.
MAX_SCRIPT_CHARACTERS = 1_000_000

# Offsets in code points; the default is UTF-16 units.
_OPTIONS = {"range": True, "positionEncoding": "scalar"}
_SPACE = re.compile(r"\s*")
_RESOURCE_LIMIT = re.compile("resource limit")
_LINE_PREFIX = re.compile(r"Line \d+: ")


@dataclass(frozen=True, slots=True)
class JsToken:
    """A lexical token; ``kind`` is esprima's word: ``Keyword``, ``Identifier``, ``Punctuator``, ``String`` …"""

    kind: str
    value: str
    span: Span


@dataclass(frozen=True, eq=False)
class Script:
    """``source.text[start:end]`` as a script or module. ``at``: see :func:`parse_script`."""

    source: SourceText
    start: int
    end: int
    module: bool = False
    at: Span | None = None

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def program(self) -> JsNode | None:
        """The ESTree ``Program``; None if the script has a syntax error, when a browser runs none of it."""
        return self._parsed[0]

    @property
    def error(self) -> ParseProblem | None:
        """The first syntax error (code ``syntax-error``), or why there is no tree (code ``limit``)."""
        return self._parsed[1]

    @cached_property
    def tokens(self) -> tuple[JsToken, ...]:
        """The tokens, up to the first character that starts none; there even when ``program`` is not.

        Without the parser the tokenizer has to guess whether a slash divides or starts a regular expression.
        """
        import esprima

        if len(self.text) > MAX_SCRIPT_CHARACTERS:
            return ()
        tokens: list[Any] = []
        with suppress(esprima.Error, *_FAULTS_OF_ESPRIMA):
            # Collected on the way, because nothing is returned when something is raised.
            esprima.tokenize(self.text, _OPTIONS, tokens.append)
        return tuple(JsToken(token.type, token.value, self._span(*token.range)) for token in tokens)

    def span(self, node: JsNode) -> Span:
        """Where a node of :attr:`program` stands in the file."""
        return self._span(*node.range)

    def slice(self, node: JsNode) -> str:
        """The source text of a node of :attr:`program`."""
        start, end = node.range
        return self.source.text[self.start + start : self.start + end]

    def _span(self, start: int, end: int) -> Span:
        return self.at or Span(self.source.path, self.start + start, self.start + end)

    @cached_property
    def _parsed(self) -> tuple[JsNode | None, ParseProblem | None]:
        if self.end - self.start > MAX_SCRIPT_CHARACTERS:
            return None, self._problem("The script is too long to be parsed", 0, LIMIT)
        text = self.text
        plain = parse_plain(text, module=self.module)
        return (plain, None) if plain is not None else self._parse_fully(text)

    def _parse_fully(self, text: str) -> tuple[JsNode | None, ParseProblem | None]:
        import esprima

        try:
            parse = esprima.parseModule if self.module else esprima.parseScript
            return parse(text, _OPTIONS), None
        except esprima.Error as error:
            message = _LINE_PREFIX.sub("", str(error.message), count=1)
            if _RESOURCE_LIMIT.search(message):
                return None, self._problem("Nested too deeply", error.index, LIMIT)
            return None, self._problem(message, error.index, "syntax-error")
        except _FAULTS_OF_ESPRIMA as error:
            return None, self._problem(f"The parser failed ({type(error).__name__})", 0, LIMIT)

    def _problem(self, message: str, index: int | None, code: str) -> ParseProblem:
        offset = min(self.start + (index or 0), self.end)
        if offset < self.end:  # some errors are reported in the space before what is wrong
            offset = _SPACE.match(self.source.text, offset, self.end).end()  # type: ignore[union-attr]
        return ParseProblem(message, self.at or Span(self.source.path, offset, min(offset + 1, self.end)), code)


# What a hostile script may make esprima raise in place of its own Error.
_FAULTS_OF_ESPRIMA = (
    *(RecursionError, ValueError, IndexError, TypeError, AttributeError, KeyError, OverflowError),
    AssertionError,
)


def parse_script(
    source: SourceText, start: int = 0, end: int | None = None, *, module: bool = False, at: Span | None = None
) -> Script:
    """``source.text[start:end]`` as a classic script or a module, parsed when first looked into.

    ``at`` is for text that stands nowhere as it is (escaped in an SVG ``<script>``): every span is then ``at``.
    """
    return Script(source, start, len(source.text) if end is None else end, module, at)
