"""CSS value definition syntax (CSS Values 4, section 2): parsing a definition and matching component values to it.

:func:`parse_syntax` makes a small tree of a definition text; :class:`Grammar` compiles trees to matchers, each only
when it is first needed, and answers whether a list of component values matches. A matcher takes the tokens and a
position and gives every position where it may stop, so that ambiguous definitions need no backtracking.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from husky_lint.style import values
from husky_lint.style.values import Node, serialize, split_spaces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

MAX_STEPS = 50_000
"""Matching work after which the answer is left open."""

MAX_ITEMS = 4096
"""Component values side by side that are looked at; more leave the answer open."""

MAX_NESTING = 40
"""Functions inside functions that are looked into."""

# ---------------------------------------------------------------------------------------------------------------------
# Definitions


@dataclass(frozen=True, slots=True)
class Keyword:
    name: str


@dataclass(frozen=True, slots=True)
class Literal:
    """A delimiter that stands for itself; an unquoted comma may be left out where nothing is before or after it."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class TypeReference:
    """``<name>`` with its bracketed range, or ``<'property'>`` (the name keeps its quotes).

    The bounds of percentages are in percent. ``excluded`` are keywords that a ``<custom-ident>`` cannot be there;
    they are written ``<custom-ident !none,auto>``, an addition to the notation, which leaves them to prose.
    """

    name: str
    minimum: float = -math.inf
    maximum: float = math.inf
    excluded: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    arguments: Syntax


@dataclass(frozen=True, slots=True)
class Block:
    """A ``'['`` … ``']'`` in quotes: square brackets in the value itself."""

    content: Syntax


@dataclass(frozen=True, slots=True)
class Combination:
    """``kind`` is the combinator: ``" "``, ``"&&"``, ``"||"`` or ``"|"``."""

    kind: str
    parts: tuple[Syntax, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    part: Syntax
    least: int
    most: int | None
    commas: bool = False


@dataclass(frozen=True, slots=True)
class Required:
    """``[ … ]!``: at least one component value."""

    part: Syntax


Syntax: TypeAlias = Keyword | Literal | TypeReference | Function | Block | Combination | Repeat | Required

_LEXEME = re.compile(
    r"\s*(?:"
    r"(?P<type><(?P<type_name>'[\w-]+'|[\w+-]+(?:\(\))?)\s*(?:\[\s*(?P<low>[^,\]]+),\s*(?P<high>[^\]]+)\]|!(?P<excluded>[\w,-]+))?\s*>)"
    r"|(?P<quoted>'[^']*')"
    r"|(?P<combinator>\|\||&&|\|)"
    r"|(?P<multiplier>\#?\{\s*(?P<least>\d+)\s*(?P<range>,\s*(?P<most>\d*)\s*)?\}|[*+?\#!])"
    r"|(?P<word>@?-?-?[\w][\w-]*|-)"
    r"|(?P<punctuation>[\[\](),/:;=.<>{}])"
    r")"
)


class SyntaxDefinitionError(ValueError):
    """A definition text that is no value definition syntax."""


def _bound(text: str) -> float:
    text = text.strip().replace("∞", "inf")
    number = re.match(r"[-+]?(?:inf|[\d.]+)", text)
    if number is None:
        raise SyntaxDefinitionError(text)
    return float(number[0])


class _Definition:
    """Recursive descent over the lexemes of one definition; definitions are our own data and nest little."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lexemes: list[re.Match[str]] = []
        position = 0
        end = len(text.rstrip())
        while position < end:
            lexeme = _LEXEME.match(text, position)
            if lexeme is None:
                raise SyntaxDefinitionError(f"{text!r} at {position}")
            self.lexemes.append(lexeme)
            position = lexeme.end()
        self.index = 0

    def peek(self, group: str) -> str | None:
        return self.lexemes[self.index][group] if self.index < len(self.lexemes) else None

    def parse(self) -> Syntax:
        result = self.combination(0)
        if self.index != len(self.lexemes):
            raise SyntaxDefinitionError(self.text)
        return result

    def combination(self, level: int) -> Syntax:
        """Alternatives bind loosest: ``|``, then ``||``, ``&&``, and juxtaposition."""
        kinds = ("|", "||", "&&")
        if level == len(kinds):
            return self.juxtaposition()
        parts = [self.combination(level + 1)]
        while self.peek("combinator") == kinds[level]:
            self.index += 1
            parts.append(self.combination(level + 1))
        return parts[0] if len(parts) == 1 else Combination(kinds[level], tuple(parts))

    def juxtaposition(self) -> Syntax:
        parts = []
        while self.index < len(self.lexemes):
            if self.peek("combinator") or self.peek("punctuation") in {"]", ")"}:
                break
            parts.append(self.multiplied())
        return parts[0] if len(parts) == 1 else Combination(" ", tuple(parts))

    def multiplied(self) -> Syntax:
        part = self.primary()
        while multiplier := self.peek("multiplier"):
            lexeme = self.lexemes[self.index]
            self.index += 1
            commas = multiplier[0] == "#"
            if lexeme["least"] is not None:
                least = int(lexeme["least"])
                most = least if lexeme["range"] is None else int(lexeme["most"]) if lexeme["most"] else None
                part = Repeat(part, least, most, commas)
            elif multiplier == "!":
                part = Required(part)
            else:
                part = Repeat(part, int(multiplier in "+#"), 1 if multiplier == "?" else None, commas)
        return part

    def primary(self) -> Syntax:
        lexeme = self.lexemes[self.index]
        self.index += 1
        if (name := lexeme["type_name"]) is not None:
            if lexeme["excluded"] is not None:
                return TypeReference(name, excluded=frozenset(lexeme["excluded"].split(",")))
            if lexeme["low"] is None:
                return TypeReference(name)
            return TypeReference(name, _bound(lexeme["low"]), _bound(lexeme["high"]))
        if (quoted := lexeme["quoted"]) is not None:
            if quoted == "'['":
                block = Block(self.juxtaposition_until_quoted_bracket())
                self.index += 1
                return block
            return Literal(quoted[1:-1], quoted=True)
        if (word := lexeme["word"]) is not None:
            if self.peek("punctuation") == "(" and self.lexemes[self.index].start("punctuation") == lexeme.end():
                self.index += 1
                arguments = self.combination(0)
                self.expect(")")
                return Function(word.lower(), arguments)
            return Keyword(word.lower())
        if lexeme["punctuation"] == "[":
            group = self.combination(0)
            self.expect("]")
            return group
        if (mark := lexeme["punctuation"]) is not None:
            return Literal(mark)
        raise SyntaxDefinitionError(self.text)

    def juxtaposition_until_quoted_bracket(self) -> Syntax:
        parts = []
        while self.index < len(self.lexemes) and self.peek("quoted") != "']'":
            parts.append(self.multiplied())
        return Combination(" ", tuple(parts))

    def expect(self, mark: str) -> None:
        if self.peek("punctuation") != mark:
            raise SyntaxDefinitionError(self.text)
        self.index += 1


def parse_syntax(text: str) -> Syntax:
    """The tree of a definition. :raises SyntaxDefinitionError: the text is none."""
    return _Definition(text).parse()


def references(syntax: Syntax) -> Iterator[str]:
    """Names of the types, functions and ``'properties'`` that a definition refers to."""
    match syntax:
        case TypeReference():
            yield syntax.name
        case Combination():
            for part in syntax.parts:
                yield from references(part)
        case Repeat() | Required():
            yield from references(syntax.part)
        case Function():
            yield from references(syntax.arguments)
        case Block():
            yield from references(syntax.content)


# ---------------------------------------------------------------------------------------------------------------------
# Types that are no definition but a test of one component value


def _numeric(
    literals: Mapping[str, frozenset[str] | None], kinds: Mapping[values.Kind, bool], *, zero: bool = False
) -> Callable[[TypeReference], Callable[[Node], bool]]:
    """A numeric type.

    ``literals`` maps token types to the units allowed (``None``: no unit); ``kinds`` the types a math function may have
    to whether percentages stand for them there; ``zero``: a plain 0 counts too.
    """

    def make(reference: TypeReference) -> Callable[[Node], bool]:
        low, high = reference.minimum, reference.maximum

        def accepts(token: Node) -> bool:
            kind = token.type
            if kind in literals:
                units = literals[kind]
                # Bounds other than 0 and ∞ have no unit in the data; Chromium compares the bare number, too.
                return (units is None or token.lower_unit in units) and bool(low <= token.value <= high)
            if kind == "number":
                return zero and token.value == 0
            return kind == "function" and math_type(token, kinds)

        return accepts

    return make


class _TypeCheck(values.Calculation):
    """Types of math expressions alone: font units count, and so do the functions that only a document can resolve."""

    __slots__ = ()

    def dimension(self, token: Node) -> values.Term:
        if token.lower_unit in values.FONT_UNITS or token.lower_unit in {"lh", "rlh"}:
            return values.Term(values.LENGTH, values.LengthPercentage(token.value))
        return super().dimension(token)

    def function(self, node: Node, depth: int = 0) -> values.Term:
        name = node.lower_name
        if name in {"sibling-index", "sibling-count"} and not split_spaces(node.arguments):
            return values.Term(values.NUMBER, values.LengthPercentage(1.0))
        if name in _OPEN_FUNCTIONS:
            raise _OpenError
        return super().function(node, depth)


class _OpenError(Exception):
    """The matcher cannot decide; the value is given the benefit of the doubt."""


_OPEN_FUNCTIONS = frozenset({"random", "anchor", "anchor-size", "calc-size", "attr", "env", "var", "if", "inherit"})


def math_type(token: Node, kinds: Mapping[values.Kind, bool]) -> bool:
    """Whether a function is a math function with one of the types ``kinds`` (to whether a percentage is one there)."""
    name = token.lower_name
    if name not in values.MATH_FUNCTIONS and name not in {"random", "sibling-index", "sibling-count"}:
        return False
    percent = next((kind for kind, with_percent in kinds.items() if with_percent), None)
    try:
        term = _TypeCheck(values.DEFAULT_RESOLUTION, percent).function(token)
    except values.InvalidMathError:
        return False
    return term.kind in kinds


_LENGTH_UNITS = frozenset(
    {
        *("px", "cm", "mm", "q", "in", "pt", "pc", "em", "rem", "lh", "rlh"),
        *values.FONT_UNITS,
        *(size + "v" + axis for size in ("", "s", "l", "d") for axis in ("w", "h", "i", "b", "min", "max")),
        *("cq" + axis for axis in ("w", "h", "i", "b", "min", "max")),
    }
)
_ANGLE_UNITS = frozenset({"deg", "grad", "rad", "turn"})
_TIME_UNITS = frozenset({"s", "ms"})
_RESOLUTION_UNITS = frozenset({"dpi", "dpcm", "dppx", "x"})
_NO_UNIT = None


def _integer(reference: TypeReference) -> Callable[[Node], bool]:
    low, high = reference.minimum, reference.maximum

    def accepts(token: Node) -> bool:
        if token.type == "number":
            return token.int_value is not None and low <= token.int_value <= high
        return token.type == "function" and math_type(token, {values.NUMBER: False})

    return accepts


def _token_test(test: Callable[[Node], bool]) -> Callable[[TypeReference], Callable[[Node], bool]]:
    return lambda reference: test


CSS_WIDE_KEYWORDS = frozenset({"initial", "inherit", "unset", "revert", "revert-layer", "revert-rule"})


def _ident(reference: TypeReference) -> Callable[[Node], bool]:
    return lambda token: token.type == "ident" and token.lower_value not in reference.excluded


def _custom_ident(reference: TypeReference) -> Callable[[Node], bool]:
    excluded = reference.excluded | CSS_WIDE_KEYWORDS | {"default"}
    return lambda token: token.type == "ident" and token.lower_value not in excluded


def _is_url(token: Node) -> bool:
    if token.type == "url":
        return True
    if token.type != "function" or token.lower_name not in {"url", "src"}:
        return False
    arguments = split_spaces(token.arguments)
    return bool(arguments) and arguments[0].type == "string"


def _is_opentype_tag(token: Node) -> bool:
    return token.type == "string" and re.fullmatch(r"[\x20-\x7e]{4}", token.value) is not None


# Atomic and possessive throughout: a number takes all its digits, and nothing is tried twice.
_PATH_SEPARATOR = r"[ \t\n\r\f]*+,?+[ \t\n\r\f]*+"
_PATH_NUMBER = rf"(?>[-+]?(?:\d++\.?+\d*+|\.\d++)(?:[eE][-+]?\d++)?){_PATH_SEPARATOR}"
_PATH_ARC = rf"(?:{_PATH_NUMBER}){{3}}[01]{_PATH_SEPARATOR}[01]{_PATH_SEPARATOR}(?:{_PATH_NUMBER}){{2}}"
_PATH_SEGMENT = re.compile(
    r"[ \t\n\r\f]*(?:"
    r"[zZ]"
    + "".join(
        rf"|[{letters}][ \t\n\r\f]*(?:(?:{_PATH_NUMBER}){{{count}}})++"
        for letters, count in (("mMlLtT", 2), ("hHvV", 1), ("sSqQ", 4), ("cC", 6))
    )
    + rf"|[aA][ \t\n\r\f]*(?:{_PATH_ARC})++"
    r")[ \t\n\r\f]*"
)


def is_path_data(text: str) -> bool:
    """Whether a string is SVG path data without errors (SVG 2, section 9.3.9); empty data are."""
    position = len(text) - len(text.lstrip(" \t\n\r\f"))
    if text[position : position + 1] not in {"", "m", "M"}:
        return False
    while position < len(text):
        segment = _PATH_SEGMENT.match(text, position)
        if segment is None:
            return False
        position = segment.end()
    return True


def _is_hex_color(token: Node) -> bool:
    return token.type == "hash" and re.fullmatch(r"(?:[0-9a-fA-F]{3,4}){1,2}", token.value) is not None


BASIC_TYPES: dict[str, Callable[[TypeReference], Callable[[Node], bool]]] = {
    "number": _numeric({"number": _NO_UNIT}, {values.NUMBER: False}),
    "percentage": _numeric({"percentage": _NO_UNIT}, {values.PERCENTAGE: True}),
    "number-percentage": _numeric(
        {"number": _NO_UNIT, "percentage": _NO_UNIT}, {values.NUMBER: False, values.PERCENTAGE: True}
    ),
    "length": _numeric({"dimension": _LENGTH_UNITS}, {values.LENGTH: False}, zero=True),
    "length-percentage": _numeric(
        {"dimension": _LENGTH_UNITS, "percentage": _NO_UNIT}, {values.LENGTH: True}, zero=True
    ),
    "angle": _numeric({"dimension": _ANGLE_UNITS}, {values.ANGLE: False}),
    "angle-percentage": _numeric({"dimension": _ANGLE_UNITS, "percentage": _NO_UNIT}, {values.ANGLE: True}),
    "time": _numeric({"dimension": _TIME_UNITS}, {values.TIME: False}),
    "resolution": _numeric({"dimension": _RESOLUTION_UNITS}, {values.RESOLUTION: False}),
    "flex": _numeric({"dimension": frozenset({"fr"})}, {values.FLEX: False}),
    "integer": _integer,
    "zero": _token_test(lambda token: token.type == "number" and token.value == 0),
    "ident": _ident,
    "custom-ident": _custom_ident,
    "dashed-ident": _token_test(lambda token: token.type == "ident" and token.value.startswith("--")),
    "string": _token_test(lambda token: token.type == "string"),
    "opentype-tag": _token_test(_is_opentype_tag),
    "path-data": _token_test(lambda token: token.type == "string" and is_path_data(token.value)),
    "url": _token_test(_is_url),
    "hex-color": _token_test(_is_hex_color),
    "hash-token": _token_test(lambda token: token.type == "hash"),
    "unicode-range-token": _token_test(lambda token: token.type == "unicode-range"),
}

ANY_VALUE = frozenset({"any-value", "declaration-value"})
"""Types that take all component values that are left."""

SEQUENCE_TYPES = frozenset({*ANY_VALUE, "grid-area-rows"})
"""Types without a definition that take several component values."""


# ---------------------------------------------------------------------------------------------------------------------
# Matching


@dataclass(slots=True)
class _Run:
    """The work of one answer, and the place where the longest attempt failed."""

    steps: int = 0
    nesting: int = 0
    furthest: tuple[int, int] = (0, 0)
    failures: list[tuple[Node, str]] = field(default_factory=list)
    explain: bool = False

    def step(self, work: int = 1) -> None:
        self.steps += work
        if self.steps > MAX_STEPS:
            raise _OpenError

    def fail(self, tokens: Sequence[Node], position: int, expected: str) -> tuple[int, ...]:
        if self.explain and position < len(tokens):
            token = tokens[position]
            place = (token.source_line, token.source_column)
            if place > self.furthest:
                self.furthest = place
                self.failures.clear()
            if place == self.furthest:
                self.failures.append((token, expected))
        return ()


_Ends: TypeAlias = "tuple[int, ...]"
_Matcher: TypeAlias = "Callable[[Sequence[Node], int, _Run], _Ends]"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a value does not match: the component value where it stops to make sense (``None``: it ends too early)."""

    token: Node | None
    expected: tuple[str, ...]


class Grammar:
    """Definitions by name: ``lookup("angle-percentage")``, ``lookup("blur()")``, ``lookup("'fill'")``.

    A reference to a name without a definition (``None``) makes the answer open, which counts as a match.
    """

    def __init__(self, lookup: Callable[[str], str | None]) -> None:
        self._lookup = lookup
        self._trees: dict[str, Syntax | None] = {}
        self._matchers: dict[TypeReference, _Matcher] = {}
        self._whole: dict[str, _Matcher] = {}

    def accepts(self, reference: str, tokens: Sequence[Node]) -> bool:
        """Whether the component values (whitespace does not matter) match the definition called ``reference``."""
        items = split_spaces(tokens)
        # “u+26” is an identifier and a number in a value; tinycss2 makes it a range of characters everywhere.
        if len(items) > MAX_ITEMS or any(item.type == "unicode-range" for item in items):
            return True
        try:
            return bool(items) and len(items) in self._definition(reference)(items, 0, _Run())
        except _OpenError:
            return True

    def mismatch(self, reference: str, tokens: Sequence[Node]) -> Mismatch | None:
        """``None`` if :meth:`accepts`, else where and why not."""
        if self.accepts(reference, tokens):
            return None
        items = split_spaces(tokens)
        run = _Run(explain=True)
        ends = self._definition(reference)(items, 0, run) if items else ()
        longest = max(ends, default=0)
        if longest < len(items):
            run.fail(items, longest, "the end of the value" if longest else "")
        place = run.failures[0][0] if run.failures else None
        expected = tuple(dict.fromkeys(text for _, text in run.failures if text))
        return Mismatch(place, expected)

    def _definition(self, name: str) -> _Matcher:
        """The whole definition of a name: of a property with its top-level list."""
        matcher = self._whole.get(name)
        if matcher is None:
            tree = self.tree(name)
            matcher = self._whole[name] = _open if tree is None else self._compile(tree)
        return matcher

    def tree(self, name: str) -> Syntax | None:
        """The parsed definition of a name."""
        if name not in self._trees:
            text = self._lookup(name)
            self._trees[name] = None if text is None else parse_syntax(text)
        return self._trees[name]

    def _reference(self, reference: TypeReference) -> _Matcher:
        matcher = self._matchers.get(reference)
        if matcher is None:
            matcher = self._matchers[reference] = self._compile_reference(reference)
        return matcher

    def _compile_reference(self, reference: TypeReference) -> _Matcher:
        basic = BASIC_TYPES.get(reference.name)
        if basic is not None:
            return _single(basic(reference), f"<{reference.name}>")
        if reference.name in ANY_VALUE:
            return _anything
        if reference.name == "grid-area-rows":
            return _grid_area_rows
        tree = self.tree(reference.name)
        if tree is None:
            return _open
        if reference.name.startswith("'") and isinstance(tree, Repeat) and tree.commas:
            # A reference to a property leaves out its top-level list (CSS Values 4, section 2.1).
            tree = tree.part
        return self._compile(tree)

    def _compile(self, syntax: Syntax) -> _Matcher:
        match syntax:
            case TypeReference():
                # Late, because definitions are recursive (an image in an image).
                return _Deferred(self, syntax)
            case Keyword():
                return _keywords(frozenset({syntax.name}))
            case Literal():
                return _comma if syntax.text == "," and not syntax.quoted else _literal(syntax.text)
            case Function():
                return _Alternatives(frozenset(), {syntax.name: _Deferred(self, syntax.arguments)}, ())
            case Block():
                return _block(_Deferred(self, syntax.content))
            case Repeat():
                return _repeat(self._compile(syntax.part), syntax.least, syntax.most, syntax.commas)
            case Required():
                return _required(self._compile(syntax.part))
            case Combination(" "):
                return _sequence([self._compile(part) for part in syntax.parts])
            case Combination("&&"):
                return _permutation([self._compile(part) for part in syntax.parts], need_all=True)
            case Combination("||"):
                return _permutation([self._compile(part) for part in syntax.parts], need_all=False)
            case _:
                return self._alternatives(syntax)

    def compile_now(self, syntax: Syntax) -> _Matcher:
        return self._reference(syntax) if isinstance(syntax, TypeReference) else self._compile(syntax)

    def _alternatives(self, syntax: Syntax) -> _Matcher:
        """``|``, seen through named alternatives, so that keywords and functions are found by their name."""
        keywords: set[str] = set()
        functions: dict[str, _Matcher] = {}
        numeric: dict[str, TypeReference] = {}
        others: list[_Matcher] = []

        def add(part: Syntax, seen: frozenset[str]) -> None:
            match part:
                case Keyword():
                    keywords.add(part.name)
                case Function() if part.name not in functions:
                    functions[part.name] = _Deferred(self, part.arguments)
                case Combination("|"):
                    for alternative in part.parts:
                        add(alternative, seen)
                case TypeReference() if part.name in {"number", "length", "percentage"} and part.name not in numeric:
                    numeric[part.name] = part
                case TypeReference() if part.name not in BASIC_TYPES and part.name not in seen:
                    tree = self.tree(part.name)
                    if isinstance(tree, Keyword | Function | TypeReference) or (
                        isinstance(tree, Combination) and tree.kind == "|"
                    ):
                        add(tree, seen | {part.name})
                    else:
                        others.append(_Deferred(self, part))
                case _:
                    others.append(self._compile(part))

        add(syntax, frozenset())
        # “<length> | <percentage>” takes calc(1px + 2%) as <length-percentage> does.
        percentage = numeric.get("percentage")
        for name in ("length", "number"):
            if percentage is not None and name in numeric:
                mixed = f"{name}-percentage"
                others.append(_single(_mixed_math(mixed), f"<{mixed}>"))
        others.extend(self._reference(part) for part in numeric.values())
        return _Alternatives(frozenset(keywords), functions, tuple(others))


def _anything(tokens: Sequence[Node], position: int, run: _Run) -> _Ends:
    return (len(tokens),)


def _grid_area_rows(tokens: Sequence[Node], position: int, run: _Run) -> _Ends:
    """The strings of ``grid-template-areas``: equally many cells in each row, every named area a rectangle."""
    end = position
    while end < len(tokens) and tokens[end].type == "string":
        end += 1
    rows = [re.findall(r"\.+|[^\s.]+", token.value) for token in tokens[position:end]]
    if any(re.search(r"[^\w.-]", cell) for row in rows for cell in row):
        return run.fail(tokens, position, "names of areas")
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        return run.fail(tokens, position, "rows of equally many cells")
    cells: dict[str, list[tuple[int, int]]] = {}
    for y, row in enumerate(rows):
        for x, name in enumerate(row):
            if not name.startswith("."):
                cells.setdefault(name, []).append((x, y))
    for places in cells.values():
        (left, top), (right, bottom) = places[0], places[-1]
        if len(places) != (right - left + 1) * (bottom - top + 1) or any(not left <= x <= right for x, _ in places):
            return run.fail(tokens, position, "areas that are rectangles")
    return (end,)


def _mixed_math(name: str) -> Callable[[Node], bool]:
    accepts = BASIC_TYPES[name](TypeReference(name))
    return lambda token: token.type == "function" and accepts(token)


def _open(tokens: Sequence[Node], position: int, run: _Run) -> _Ends:
    raise _OpenError


class _Deferred:
    """A matcher that is compiled when it is first used."""

    __slots__ = ("_grammar", "_matcher", "_syntax")

    def __init__(self, grammar: Grammar, syntax: Syntax) -> None:
        self._grammar = grammar
        self._syntax = syntax
        self._matcher: _Matcher | None = None

    def __call__(self, tokens: Sequence[Node], position: int, run: _Run) -> _Ends:
        matcher = self._matcher
        if matcher is None:
            matcher = self._matcher = self._grammar.compile_now(self._syntax)
        return matcher(tokens, position, run)


def _single(accepts: Callable[[Node], bool], name: str) -> _Matcher:
    def match(tokens: Sequence[Node], position: int, run: _Run) -> _Ends:
        if position < len(tokens) and accepts(tokens[position]):
            return (position + 1,)
        return run.fail(tokens, position, name)

    return match


def _keywords(names: frozenset[str]) -> _Matcher:
    return _Alternatives(names, {}, ())


def _literal(text: str) -> _Matcher:
    return _single(lambda token: token.type == "literal" and token.value == text, f"“{text}”")


def _comma(tokens: Sequence[Node], position: int, run: _Run) -> _Ends:
    """A comma in a definition: left out where nothing is on one of its sides, and never first, last or double."""
    end = len(tokens)
    if position >= end or position == 0:
        return () if position < end and _is_comma(tokens[0]) else (position,)
    if _is_comma(tokens[position - 1]):
        return (position,)
    if _is_comma(tokens[position]) and position + 1 < end:
        return (position + 1,)
    return run.fail(tokens, position, "“,”")


def _is_comma(token: Node) -> bool:
    return bool(token.type == "literal" and token.value == ",")


def _inside(matcher: _Matcher, content: Sequence[Node], run: _Run) -> bool:
    """Whether the content of a function or block matches as a whole."""
    run.step()
    if run.nesting >= MAX_NESTING:
        raise _OpenError
    items = split_spaces(content)
    if len(items) > MAX_ITEMS:
        raise _OpenError
    run.nesting += 1
    try:
        ends = matcher(items, 0, run)
    finally:
        run.nesting -= 1
    if len(items) in ends:
        return True
    run.fail(items, max(ends, default=0), "")
    return False


def _block(content: _Matcher) -> _Matcher:
    def match(tokens: Sequence[Node], position: int, run: _Run) -> _Ends:
        if position < len(tokens) and tokens[position].type == "[] block":
            return (position + 1,) if _inside(content, tokens[position].content, run) else ()
        return run.fail(tokens, position, "“[”")

    return match


class _Alternatives:
    """One of many: keywords and functions by name, then everything else in turn."""

    __slots__ = ("_functions", "_keywords", "_others")

    def __init__(
        self, keywords: frozenset[str], functions: Mapping[str, _Matcher], others: tuple[_Matcher, ...]
    ) -> None:
        self._keywords = keywords
        self._functions = functions
        self._others = others

    def __call__(self, tokens: Sequence[Node], position: int, run: _Run) -> _Ends:
        ends: list[int] = []
        if position < len(tokens):
            token = tokens[position]
            if token.type == "ident":
                if token.lower_value in self._keywords:
                    ends.append(position + 1)
            elif token.type == "function":
                arguments = self._functions.get(token.lower_name)
                if arguments is not None and _inside(arguments, token.arguments, run):
                    ends.append(position + 1)
            if run.explain and not ends:
                for name in sorted(self._keywords):
                    run.fail(tokens, position, name)
                if not (token.type == "function" and token.lower_name in self._functions):
                    for name in self._functions:
                        run.fail(tokens, position, f"{name}()")
        for other in self._others:
            for end in other(tokens, position, run):
                if end not in ends:
                    ends.append(end)
        return tuple(ends)


def _required(part: _Matcher) -> _Matcher:
    def match(tokens: Sequence[Node], position: int, run: _Run) -> _Ends:
        return tuple(end for end in part(tokens, position, run) if end > position)

    return match


def _repeat(part: _Matcher, least: int, most: int | None, commas: bool) -> _Matcher:
    def match(tokens: Sequence[Node], position: int, run: _Run) -> _Ends:
        ends: dict[int, None] = {}
        if least == 0:
            ends[position] = None
        frontier: _Ends = (position,)
        count = 0
        seen: set[int] = set()
        while frontier and (most is None or count < most):
            run.step(len(frontier))
            reached: dict[int, None] = {}
            for start in frontier:
                begin = start
                if commas and count:
                    if begin >= len(tokens) or not _is_comma(tokens[begin]):
                        run.fail(tokens, begin, "“,”")
                        continue
                    begin += 1
                for end in part(tokens, begin, run):
                    if end > start or count < least:
                        reached[end] = None
            count += 1
            if count >= least:
                ends.update(reached)
                # Beyond the minimum a position reached before leads nowhere new.
                fresh = tuple(end for end in reached if most is not None or end not in seen)
                seen.update(fresh)
                frontier = fresh
            else:
                frontier = tuple(reached)
        return tuple(ends)

    return match


def _sequence(parts: Sequence[_Matcher]) -> _Matcher:
    def match(tokens: Sequence[Node], position: int, run: _Run) -> _Ends:
        frontier: _Ends = (position,)
        for part in parts:
            if len(frontier) == 1:
                frontier = part(tokens, frontier[0], run)
            else:
                run.step(len(frontier))
                frontier = tuple({end: None for start in frontier for end in part(tokens, start, run)})
            if not frontier:
                return ()
        return frontier

    return match


def _permutation(parts: Sequence[_Matcher], *, need_all: bool) -> _Matcher:
    complete = (1 << len(parts)) - 1

    def match(tokens: Sequence[Node], position: int, run: _Run) -> _Ends:
        ends: dict[int, None] = {}
        seen = {(0, position)}
        pending = [(0, position)]
        while pending:
            run.step()
            used, start = pending.pop()
            if used == complete or (used and not need_all):
                ends[start] = None
            for index, part in enumerate(parts):
                if used >> index & 1:
                    continue
                for end in part(tokens, start, run):
                    state = (used | 1 << index, end)
                    if state not in seen and (need_all or end > start):
                        seen.add(state)
                        pending.append(state)
        return tuple(ends)

    return match


def describe(mismatch: Mismatch, tokens: Sequence[Node]) -> str:
    """A mismatch in words."""
    if mismatch.token is None:
        return f"“{_shorten(serialize(tokens))}” ends too early"
    text = f"“{_shorten(serialize([mismatch.token]))}” is not expected here"
    if mismatch.expected:
        listed = ", ".join(mismatch.expected[:8]) + (" …" if len(mismatch.expected) > 8 else "")
        text += f" (expected {listed})"
    return text


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "…"
