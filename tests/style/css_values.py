"""Random values from the property grammar, for comparisons with a browser."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from husky_lint.style.value_syntax import (
    SEQUENCE_TYPES,
    Block,
    Combination,
    Function,
    Grammar,
    Keyword,
    Literal,
    Repeat,
    Required,
    Syntax,
    TypeReference,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable

MAX_DEPTH = 14

# Written by hand: every property is asked about each.
COMMON_VALUES = (
    *(
        "none",
        "auto",
        "normal",
        "all",
        "0",
        "5",
        "-3",
        "2.5",
        "5px",
        "-3px",
        "50%",
        "-10%",
        "1s",
        "-1s",
        "45deg",
        "1fr",
        "2x",
    ),
    *(
        "red",
        "#123",
        "rgb(1 2 3 / 4%)",
        "'x'",
        "url(a)",
        "--foo",
        "foo",
        "default",
        "1 2",
        "1px 2px",
        "a b",
        "a, b",
        "a,",
        ", a",
    ),
    *("none none", "none, none", "1px, 2px", "calc(3)", "calc(1px * 2)", "calc(10% + 1px)", "calc(50%)", "calc(1deg)"),
    *(
        "calc(1s)",
        "calc(1px + 1s)",
        "calc(1px+1px)",
        "-calc(1px)",
        "-var(--x)",
        "var(--x)",
        "var(x)",
        "var()",
        "env(foo)",
        "attr(x)",
    ),
    *(
        "inherit",
        "initial 1px",
        "inherit, inherit",
        "left top",
        "top left",
        "center",
        "/ 1",
        "1 / 2",
        "initial",
        "revert-layer",
    ),
    *(
        "min(1px, 2%)",
        "max()",
        "rotate(45)",
        "rotate(45deg)",
        "translate(1px 2px)",
        "translate(1px, 2px)",
        "foo(1px)",
        "foo()",
    ),
    *(
        "1px !important",
        "1px;",
        "a ! b",
        "[a]",
        "(1px)",
        "{}",
        "U+26",
        "1e3px",
        "+5px",
        ".5em",
        "infinity",
        "currentcolor",
    ),
    *(
        "calc(1px * sibling-index())",
        "0px",
        "0%",
        "0s",
        "0deg",
        "1px 2px 3px",
        "1px 2px 3px 4px",
        "1px 2px 3px 4px 5px",
    ),
)

_MATH = {
    "number": ("calc(1 + 2)", "min(1, 2)", "sin(1)"),
    "length": ("calc(1px + 2em)", "max(1px, 2rem)", "clamp(1px, 2px, 3px)", "abs(1px)"),
    "percentage": ("calc(10% + 5%)",),
    "angle": ("calc(1deg + 1rad)",),
    "time": ("calc(1s + 20ms)",),
    "integer": ("calc(1.5 + 2)", "round(2.5)"),
}
_UNITS = {
    "number": ("",),
    "integer": ("",),
    "percentage": ("%",),
    "length": ("px", "em", "rem", "vw", "pt"),
    "angle": ("deg", "turn", "rad", "grad"),
    "time": ("s", "ms"),
    "flex": ("fr",),
    "resolution": ("dppx", "x", "dpi"),
}
_EITHER = {
    "length-percentage": ("length", "percentage"),
    "number-percentage": ("number", "percentage"),
    "angle-percentage": ("angle", "percentage"),
}
_SAMPLES = {
    "zero": ("0",),
    "ident": ("foo", "bar-baz"),
    "custom-ident": ("foo", "bar-baz", "_q"),
    "dashed-ident": ("--foo",),
    "string": ('"a"', "'bc'"),
    "opentype-tag": ('"wght"',),
    "path-data": ('"M0 0 L1 1z"', "'m1,2 3-4 a1 1 0 0110 10'"),
    "grid-area-rows": ('"a b" "a c"', '"x"'),
    "url": ("url(a.png)", 'url("#x")'),
    "hex-color": ("#123", "#abcdef", "#1234"),
    "hash-token": ("#id",),
    "unicode-range-token": ("U+26",),
}


def keywords(grammar: Grammar, names: Iterable[str]) -> frozenset[str]:
    """Every keyword in the definitions called ``names`` and in those that they refer to."""
    found: set[str] = set()
    seen = set(names)
    pending: list[Syntax] = [tree for name in seen if (tree := grammar.tree(name)) is not None]
    while pending:
        syntax = pending.pop()
        match syntax:
            case Keyword():
                found.add(syntax.name)
            case TypeReference() if syntax.name not in seen:
                seen.add(syntax.name)
                if (tree := grammar.tree(syntax.name)) is not None:
                    pending.append(tree)
            case Combination():
                pending += syntax.parts
            case Repeat() | Required():
                pending.append(syntax.part)
            case Function():
                pending.append(syntax.arguments)
            case Block():
                pending.append(syntax.content)
    return frozenset(found)


class DeadEndError(Exception):
    """Nothing more can be generated here."""


class ValueGenerator:
    """Random texts that match definitions of a grammar, but for what the grammar leaves to prose."""

    def __init__(self, grammar: Grammar, random: random.Random) -> None:
        self.grammar = grammar
        self.random = random

    def value(self, tree: Syntax) -> str | None:
        try:
            return _tidy(self._text(tree, 0))
        except DeadEndError:
            return None

    def _text(self, syntax: Syntax, depth: int) -> str:
        if depth > MAX_DEPTH:
            raise DeadEndError
        deeper = depth + 1
        match syntax:
            case Keyword():
                return syntax.name
            case Literal():
                return syntax.text
            case TypeReference():
                return self._type(syntax, deeper)
            case Function():
                return f"{syntax.name}({self._text(syntax.arguments, deeper)})"
            case Block():
                return f"[{self._text(syntax.content, deeper)}]"
            case Required():
                return self._retry(lambda: self._text(syntax.part, deeper), bool)
            case Repeat():
                most = syntax.least + 2 if syntax.most is None else min(syntax.most, syntax.least + 2)
                count = self.random.randint(syntax.least, most)
                separator = ", " if syntax.commas else " "
                return separator.join(self._text(syntax.part, deeper) for _ in range(count))
            case Combination("|"):
                return self._retry(lambda: self._text(self.random.choice(syntax.parts), deeper), lambda _: True)
            case Combination(" "):
                return " ".join(self._text(part, deeper) for part in syntax.parts)
            case _:
                parts = list(syntax.parts)
                self.random.shuffle(parts)
                if syntax.kind == "||":
                    parts = parts[: self.random.choice([1, 1, 2, 2, 3, len(parts)])]
                return " ".join(self._text(part, deeper) for part in parts)

    def _retry(self, make: Callable[[], str], good: Callable[[str], bool]) -> str:
        for _ in range(6):
            try:
                if good(text := make()):
                    return text
            except DeadEndError:
                continue
        raise DeadEndError

    def _type(self, reference: TypeReference, depth: int) -> str:
        name = reference.name
        if name in _EITHER:
            inner = self.random.choice(_EITHER[name])
            return self._type(TypeReference(inner, reference.minimum, reference.maximum), depth)
        if name in _UNITS:
            return self._number(name, reference.minimum, reference.maximum)
        if name in _SAMPLES:
            return self.random.choice(_SAMPLES[name])
        tree = self.grammar.tree(name)
        # What takes anything is no statement about what the browser takes; paint() depends on the origin.
        if tree is None or name in SEQUENCE_TYPES or name == "paint()":
            raise DeadEndError
        return self._text(tree, depth)

    def _number(self, name: str, low: float, high: float) -> str:
        bounded = math.isfinite(high)
        if name in _MATH and not bounded and self.random.random() < 0.08:
            return self.random.choice(_MATH[name])
        numbers = [0, 1, 2, 0.5, 3.25, 100, -1, -2.5, 7, 400]
        if name == "flex":
            low = max(low, 0)
        inside = [number for number in numbers if low <= number <= high] or [low if math.isfinite(low) else high]
        number = self.random.choice(inside)
        if name == "integer":
            number = int(number) if low <= int(number) <= high else math.ceil(number)
        if name == "length" and number == 0 and self.random.random() < 0.5:
            return "0"
        return f"{number:g}{self.random.choice(_UNITS[name])}"

    def mutated(self, text: str) -> str:
        """A value with one thing changed: often no longer valid."""
        parts = text.split(" ")
        index = self.random.randrange(len(parts))
        match self.random.randrange(9):
            case 0:
                parts[index] = self.random.choice(COMMON_VALUES)
            case 1:
                parts.insert(index, self.random.choice(COMMON_VALUES))
            case 2:
                del parts[index]
            case 3:
                parts.insert(index, parts[index])
            case 4:
                self.random.shuffle(parts)
            case 5:
                return f"{text}, {text}"
            case 6:
                parts[index] = "-" + parts[index]
            case 7:
                unit = self.random.choice(["px", "", "%", "deg", "s", "fr"])
                return re.sub(
                    r"(\d)(?:px|em|rem|vw|pt|%|deg|s|ms)(?![\w%])", lambda match: match[1] + unit, text, count=1
                )
            case _:
                return text.replace(",", "", 1) if "," in text else text.replace(" ", ", ", 1)
        return _tidy(" ".join(parts))


def _tidy(text: str) -> str:
    """Commas that an empty part left over are dropped, as the notation has it."""
    while True:
        tidied = re.sub(r"\s+", " ", text)
        for pattern, replacement in ((r"\( ?,", "("), (r", ?\)", ")"), (r", ?,", ","), (r"^ ?,|, ?$", "")):
            tidied = re.sub(pattern, replacement, tidied)
        if tidied == text:
            return text.strip()
        text = tidied
