"""The values of literals."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from husky_lint.parse.plain.cursor import NotPlainError

_ESCAPE: Final = re.compile(
    r"\\(?:u\{0*([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|[\n\r\u2028\u2029])|([^ux\d])|(0)(?!\d))"
    r"|\\(?s:.)"
)
_ESCAPED: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v"}
LINE_END: Final = re.compile("\r\n?")


def number(raw: str) -> float:
    """The value of a numeric literal, whole ones as int."""
    if raw[:2] in ("0x", "0X"):
        if len(raw) > 15:
            raise NotPlainError
        return int(raw, 16)
    value = float(raw)
    return int(value) if value.is_integer() else value


def unescaped(text: str) -> str:
    """A string or template with its escapes replaced; stops at one that is not plain."""
    return _ESCAPE.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    points, unit, byte, line, plain, zero = match.groups()
    if plain is not None:
        return _ESCAPED.get(plain, plain)
    if line is not None:
        return ""
    if zero is not None:
        return "\0"
    digits = points or unit or byte
    code = int(digits, 16) if digits else 0xD800
    if 0xD800 <= code < 0xE000 or code > 0x10FFFF:
        raise NotPlainError
    return chr(code)


@lru_cache(maxsize=1024)
def is_regex(pattern: str, flags: str) -> bool:
    """Whether a regular expression is valid."""
    from esprima.regexp_validator import RegExpSyntaxError, validate_regexp

    try:
        validate_regexp(pattern, flags, 2026)
    except (RegExpSyntaxError, ValueError):
        return False
    return True
