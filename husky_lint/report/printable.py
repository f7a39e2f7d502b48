"""Text of a submission made safe to print: no escape sequence of a hostile file reaches a terminal."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    """``text`` with tabs as one space and every control, format or lone surrogate character as U+FFFD, length kept."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character == "\t":
        return " "
    return "\ufffd" if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") else character
