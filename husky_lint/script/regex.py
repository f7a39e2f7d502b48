"""JavaScript regular expressions as Python ones, where both surely mean the same and matching is fast.

A pattern is translated token by token. Whatever has no faithful or no safe translation (backreferences to groups that
may not have matched, nested repetition that can explode, Unicode properties) gives None, and what such an expression
matches is unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_CLASSES = {
    "d": "0-9",
    "w": "A-Za-z0-9_",
    "s": r"\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff",
}
_SIMPLE_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "v": "\v", "f": "\f", "0": "\0"}
_LINE_ENDS = r"\n\r\u2028\u2029"
_QUANTIFIER = re.compile(r"[*+?]\??|\{[0-9]+(?:,[0-9]*)?\}\??")
_LONGEST = 400


# The longest text, by the number of unbounded repetitions: backtracking may take its length to the power of one more.
_LONGEST_TEXT = (100_000, 4_000, 400, 120, 40)


@dataclass(frozen=True, slots=True)
class Matcher:
    """A Python pattern, and the longest text it is tried on."""

    pattern: re.Pattern[str]
    longest: int


@lru_cache(maxsize=256)
def translate(source: str, flags: str) -> Matcher | None:
    """The Python pattern for ``/source/flags``; None: unknown. Flags g, y and d are the caller's business."""
    if len(source) > _LONGEST or set(flags) - set("gimsuyd"):
        return None
    try:
        translation = _Translation(source, flags)
        translated = translation.run()
        # re.ASCII: without it re.IGNORECASE folds more than JavaScript does.
        pattern = re.compile(translated, (re.IGNORECASE | re.ASCII) if "i" in flags else 0)
        return Matcher(pattern, _LONGEST_TEXT[translation.repeats])
    except (_Unfaithful, re.error, OverflowError, RecursionError):
        return None


class _Unfaithful(Exception):  # noqa: N818
    pass


class _Translation:
    def __init__(self, source: str, flags: str) -> None:
        self.source = source
        self.flags = flags
        self.at = 0
        self.repeats = 0

    def run(self) -> str:
        out, _ = self.alternatives(0)
        if self.at < len(self.source):
            raise _Unfaithful
        if self.repeats >= len(_LONGEST_TEXT):
            raise _Unfaithful
        return out

    def alternatives(self, depth: int) -> tuple[str, bool]:
        """A disjunction up to its end, and whether it holds an unbounded repetition or a choice."""
        if depth > 20:
            raise _Unfaithful
        parts: list[str] = []
        loose = False
        while self.at < len(self.source):
            char = self.source[self.at]
            if char == ")":
                break
            if char == "|":
                self.at += 1
                parts.append("|")
                continue
            atom, atom_loose, quantifiable = self.atom(depth)
            loose = loose or atom_loose
            match = _QUANTIFIER.match(self.source, self.at)
            if match and quantifiable:
                self.at = match.end()
                text = match.group()
                unbounded = text[0] in "*+" or text.rstrip("?").endswith(",}")
                if atom_loose and text[0] != "?":
                    raise _Unfaithful  # (a+)+ and its kin: exponential
                loose = loose or unbounded
                self.repeats += unbounded
                if text[0] == "{":
                    bounds = [int(n) for n in text.strip("{}?").split(",") if n]
                    if max(bounds) > 1000:
                        raise _Unfaithful
                atom += text
            elif match or char == "{":
                raise _Unfaithful
            parts.append(atom)
        return "".join(parts), loose

    def atom(self, depth: int) -> tuple[str, bool, bool]:
        char = self.source[self.at]
        self.at += 1
        if char == "(":
            return self.group(depth)
        if char == "[":
            return self.character_class(), False, True
        if char == "\\":
            return self.escape()
        if char == ".":
            return ("(?s:.)" if "s" in self.flags else f"[^{_LINE_ENDS}]"), False, True
        if char == "^":
            return (f"(?:(?<![^{_LINE_ENDS}]))" if "m" in self.flags else r"\A"), False, False
        if char == "$":
            return (f"(?=[{_LINE_ENDS}]|\\Z)" if "m" in self.flags else r"\Z"), False, False
        if char in "*+?{}]":
            raise _Unfaithful
        self.only_ascii_case(char)
        return re.escape(char), False, True

    def only_ascii_case(self, char: str) -> None:
        if "i" in self.flags and not char.isascii():
            raise _Unfaithful
        if char > "\uffff" and "u" not in self.flags:
            raise _Unfaithful

    def group(self, depth: int) -> tuple[str, bool, bool]:
        rest = self.source[self.at : self.at + 3]
        opening, skip = "(", 0
        look = False
        if rest.startswith(("?:", "?=", "?!")):
            opening, skip = "(" + rest[:2], 2
            look = rest[1] != ":"
        elif rest.startswith(("?<=", "?<!")):
            raise _Unfaithful
        elif rest.startswith("?<"):
            end = self.source.find(">", self.at)
            name = self.source[self.at + 2 : end]
            if end < 0 or not name.isidentifier() or not name.isascii():
                raise _Unfaithful
            opening, skip = f"(?P<{name}>", end + 1 - self.at
        elif rest.startswith("?"):
            raise _Unfaithful
        self.at += skip
        inner, loose = self.alternatives(depth + 1)
        if self.at >= len(self.source):
            raise _Unfaithful
        self.at += 1
        # Alternatives inside a repetition may overlap, which can be exponential as well.
        return f"{opening}{inner})", loose or "|" in inner, not look

    def escape(self) -> tuple[str, bool, bool]:
        if self.at >= len(self.source):
            raise _Unfaithful
        char = self.source[self.at]
        if char in "bB":
            self.at += 1
            word = "(?<![A-Za-z0-9_])(?=[A-Za-z0-9_])|(?<=[A-Za-z0-9_])(?![A-Za-z0-9_])"
            return (f"(?:{word})" if char == "b" else f"(?!{word})"), False, False
        if char.lower() in _CLASSES:
            self.at += 1
            negation = "^" if char.isupper() else ""
            return f"[{negation}{_CLASSES[char.lower()]}]", False, True
        literal = self.escaped_character()
        self.only_ascii_case(literal)
        return re.escape(literal), False, True

    def escaped_character(self) -> str:
        char = self.source[self.at]
        self.at += 1
        if char in _SIMPLE_ESCAPES:
            if char == "0" and self.source[self.at : self.at + 1].isdigit():
                raise _Unfaithful
            return _SIMPLE_ESCAPES[char]
        if char in "xu":
            width = 2 if char == "x" else 4
            digits = self.source[self.at : self.at + width]
            if not re.fullmatch(f"[0-9a-fA-F]{{{width}}}", digits):
                raise _Unfaithful
            self.at += width
            return chr(int(digits, 16))
        if char.isalnum():
            raise _Unfaithful  # backreferences, \p, \c, \k
        return char

    def character_class(self) -> str:
        out = "["
        if self.source.startswith("^", self.at):
            out += "^"
            self.at += 1
        start = self.at
        while True:
            if self.at >= len(self.source):
                raise _Unfaithful
            char = self.source[self.at]
            if char == "]":
                break
            if char == "\\":
                self.at += 1
                kind = self.source[self.at : self.at + 1]
                if kind == "b":
                    self.at += 1
                    out += r"\x08"
                    continue
                if kind.lower() in _CLASSES and kind:
                    if kind.isupper():
                        raise _Unfaithful
                    self.at += 1
                    out += _CLASSES[kind]
                    continue
                literal = self.escaped_character() if kind else ""
                self.only_ascii_case(literal)
                out += re.escape(literal)
                continue
            self.at += 1
            self.only_ascii_case(char)
            out += char if char == "-" else re.escape(char)
        if self.at == start:
            out = "(?!)" if out == "[" else "(?s:.)"
            self.at += 1
            return out
        self.at += 1
        return out + "]"
