"""The tokens of plain JavaScript, all at once.

Plain is what people write: ASCII outside of strings, comments and regular expressions, no escapes in names, none of the
spellings that only old pages have. For anything else there are no tokens, and the full parser has to look.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from husky_lint.style.words import words

NAME, PUNCTUATOR, STRING, NUMBER, TEMPLATE, TEMPLATE_HEAD = 1, 2, 3, 4, 5, 6
SLASH, OPEN_BRACE, CLOSE_BRACE = 7, 8, 9  # by which the tokenizer has to think; the parser sees punctuators
TEMPLATE_MIDDLE, TEMPLATE_TAIL, REGEX, KEYWORD, END = 10, 11, 12, 13, 14

KEYWORDS: Final = words(
    """
    await break case catch class const continue debugger default delete do else enum export extends false finally for
    function if import in instanceof let new null return super switch this throw true try typeof var void while with
    yield implements interface package private protected public static
    """
)
"""Reserved words, with those that only strict code reserves: plain code uses none of them as a name."""

NEWLINE: Final = re.compile("[\n\r\u2028\u2029]")
# Every repetition keeps what it has taken (++, *+): no text makes the matching go back and forth.
_TRIVIA: Final = r"(?:[ \t\v\f\n\r]++|//[^\n\r\u2028\u2029]*+|/\*(?s:.*?)\*/)*+"
_TEMPLATE_TEXT: Final = r"(?:[^`\\$]++|\\(?s:.)|\$(?!\{))*+"
# One group a kind, in the order of the numbers above. What is not plain matches nothing: a name that goes on with an
# escape or a letter beyond ASCII, a number with a suffix, the comments <!-- and -->.
_TOKEN: Final = re.compile(
    _TRIVIA
    + r"(?:([A-Za-z_$][\w$]*+)(?![\\\x80-\U0010ffff])"
    + r"|([()\[\];,:~]|=(?:==?|>)?|\.(?:\.\.|(?!\d))|&&=?|&=?|\|\|=?|\|=?|!(?:==?)?|\+[+=]?|-(?:-(?!>)|=)?"
    + r"|\?(?:\?=?|\.(?!\d))?|<(?!!--)<?=?|>{1,3}=?|\*\*?=?|[%^]=?)"
    + r"|('(?:[^'\\\n\r\u2028\u2029]++|\\(?s:.))*+'|\"(?:[^\"\\\n\r\u2028\u2029]++|\\(?s:.))*+\")"
    + r"|((?>0[xX][\da-fA-F]+|(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?![\w$\\\x80-\U0010ffff]))"
    + r"|(`"
    + _TEMPLATE_TEXT
    + "`)|(`"
    + _TEMPLATE_TEXT
    + r"\$\{)|(/)|(\{)|(\}))",
    re.ASCII,
)
_TEMPLATE_REST: Final = re.compile(r"\}" + _TEMPLATE_TEXT + r"(?:(`)|\$\{)")
_TRIVIA_ONLY: Final = re.compile(_TRIVIA)
_DIVISION: Final = re.compile("/=?")
_REGEX: Final = re.compile(
    r"/(?![*/])(?:[^\\/\[\n\r\u2028\u2029]++|\\[^\n\r\u2028\u2029]|\[(?:[^\]\\\n\r\u2028\u2029]++|\\[^\n\r\u2028\u2029])*+\])++"
    r"/[A-Za-z]*+(?![\w$\\\x80-\U0010ffff])",
    re.ASCII,
)
_HASHBANG: Final = re.compile("#![^\n\r\u2028\u2029]*")
_OPERANDS: Final = frozenset({NAME, NUMBER, STRING, TEMPLATE, TEMPLATE_TAIL, REGEX})
_OPERAND_TEXTS: Final = frozenset({")", "]", "}", "this", "super", "null", "true", "false"})
_OPENING: Final = {"(": ")", "[": "]", "{": "}"}
_DEEPEST: Final = 120


@dataclass(slots=True, eq=False)
class Tokens:
    """Parallel lists, the last entry of each the end: what a token is, its text, and where it begins and ends.

    ``partner`` is, for every opening parenthesis, the place of the closing one in the lists.
    """

    kinds: list[int]
    texts: list[str]
    starts: list[int]
    ends: list[int]
    partner: dict[int, int]


def plain_tokens(text: str) -> Tokens | None:
    """The tokens of a script, None where it is not plain."""
    kinds: list[int] = []
    texts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    in_template: list[int] = []
    braces = 0
    hashbang = _HASHBANG.match(text)
    place = hashbang.end() if hashbang is not None else 0
    while True:  # once, and again behind each regular expression and template
        for match in iter(_TOKEN.scanner(text, place).match, None):  # type: ignore[attr-defined]
            kind = match.lastindex
            word = match[kind]
            start, place = match.span(kind)
            if kind == NAME:
                if word in KEYWORDS:
                    kind = KEYWORD
            elif kind >= SLASH:
                if kind == SLASH:
                    last = kinds[-1] if kinds else END
                    if last in _OPERANDS or (last != END and texts[-1] in _OPERAND_TEXTS):
                        found = _DIVISION.match(text, start)
                        kind = PUNCTUATOR
                    elif last != END and texts[-1] in ("++", "--"):
                        return None
                    else:
                        found = _REGEX.match(text, start)
                        kind = REGEX
                elif kind == OPEN_BRACE:
                    braces += 1
                    found, kind = None, PUNCTUATOR
                elif in_template and braces == in_template[-1]:
                    found = _TEMPLATE_REST.match(text, start)
                    if found is None:
                        return None
                    kind = TEMPLATE_TAIL if found[1] else TEMPLATE_MIDDLE
                    if found[1]:
                        in_template.pop()
                else:
                    braces -= 1
                    found, kind = None, PUNCTUATOR
                if found is not None:
                    kinds.append(kind)
                    texts.append(found[0])
                    starts.append(start)
                    place = found.end()
                    ends.append(place)
                    break
                if kind == REGEX:
                    return None
            elif kind == TEMPLATE_HEAD:
                in_template.append(braces)
            kinds.append(kind)
            texts.append(word)
            starts.append(start)
            ends.append(place)
        else:
            break
    trivia = _TRIVIA_ONLY.match(text, place)
    if trivia is None or trivia.end() != len(text) or in_template or not kinds:
        return None
    partner = _partners(texts, kinds)
    if partner is None:
        return None
    kinds += (END, END)
    texts += ("", "")
    starts += (len(text), len(text))
    ends += (len(text), len(text))
    return Tokens(kinds, texts, starts, ends, partner)


def _partners(texts: list[str], kinds: list[int]) -> dict[int, int] | None:
    """The places of closing parentheses by those of the opening ones; None where brackets do not match."""
    partner: dict[int, int] = {}
    opened: list[tuple[int, str]] = []
    for place, word in enumerate(texts):
        if word in _OPENING:
            opened.append((place, _OPENING[word]))
            if len(opened) > _DEEPEST:
                return None
        elif word in (")", "]", "}"):
            if not opened:
                return None
            start, closing = opened.pop()
            if closing != word:
                return None
            partner[start] = place
        elif kinds[place] == TEMPLATE_HEAD:
            opened.append((place, "`"))
        elif kinds[place] == TEMPLATE_TAIL and (not opened or opened.pop()[1] != "`"):
            return None
    return None if opened else partner
