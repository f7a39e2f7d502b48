"""Comments that silence findings where they stand. They are counted, and never change a verdict or a score.

``husky-lint-disable-line``, ``husky-lint-disable-next-line`` and ``husky-lint-disable-file`` at the beginning of an
HTML, CSS or JS comment, each followed by codes or beginnings of codes (none: all of them) and, after ``--``, a reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from husky_lint.source import SourceText

_COMMENT = re.compile(
    r"(?:<!--|/\*|//)[ \t]*husky-lint-disable-(line|next-line|file)\b[ \t]*((?:HB\d*[ \t,]*)*)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Suppression:
    """Codes silenced on one ``line``, or in the whole file when it is None. No codes stand for all."""

    line: int | None
    codes: tuple[str, ...]

    def covers(self, line: int, code: str) -> bool:
        """Whether it silences a finding that starts on ``line``."""
        return self.line in (None, line) and (not self.codes or code.startswith(self.codes))


def read_suppressions(source: SourceText) -> tuple[Suppression, ...]:
    """The suppressions of one file."""
    if "husky-lint-disable" not in source.text.lower():
        return ()
    found = []
    for match in _COMMENT.finditer(source.text):
        where = match[1].lower()
        line = source.position(match.start()).line
        codes = tuple(code.upper() for code in re.split(r"[ \t,]+", match[2]) if code)
        found.append(Suppression({"line": line, "next-line": line + 1}.get(where), codes))
    return tuple(found)
