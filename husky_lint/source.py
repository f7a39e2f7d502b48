"""Source text and places in it.

Every place in a submission is a :class:`Span`: code-point offsets into the decoded text of one file. Parsers that
normalise newlines (HTML, CSS) report offsets into :attr:`SourceText.normalised`; they are mapped back here, once.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

_NEWLINE = re.compile(r"\r\n|\r|\n")
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range ``[start, end)`` of code points in the decoded text of ``file``, a path in the submission."""

    file: str
    start: int
    end: int

    def to(self, other: Span) -> Span:
        """The span from the start of this one to the end of ``other``."""
        return Span(self.file, self.start, max(self.end, other.end))


class Position(NamedTuple):
    """Line and column, both 1-based; the column counts code points. A byte order mark takes no column."""

    line: int
    column: int


@dataclass(frozen=True, eq=False)
class SourceText:
    """One text file, decoded.

    ``text`` keeps the newlines of the file (CRLF, CR or LF) and leaves out a byte order mark. ``lossy`` says that some
    bytes were no valid ``encoding`` and stand as U+FFFD.
    """

    path: str
    text: str = field(repr=False)
    encoding: str = "utf-8"
    lossy: bool = False
    has_bom: bool = field(default=False)

    @classmethod
    def decode(cls, path: str, raw: bytes, encoding: str = "utf-8") -> SourceText:
        """Decode as a browser does: a byte order mark wins over ``encoding`` (WHATWG Encoding, "decode")."""
        for bom, bom_encoding in _BOMS:
            if raw.startswith(bom):
                text, lossy = _decode(raw[len(bom) :], bom_encoding)
                return cls(path, text, bom_encoding, lossy, has_bom=True)
        text, lossy = _decode(raw, encoding)
        return cls(path, text, encoding, lossy)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(m.end() for m in _NEWLINE.finditer(self.text))]

    @property
    def line_count(self) -> int:
        return len(self._line_starts)

    def position(self, offset: int) -> Position:
        """Line and column of a code-point offset; offsets outside the text are clamped to it."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect.bisect_right(self._line_starts, offset)
        return Position(line, offset - self._line_starts[line - 1] + 1)

    def offset(self, line: int, column: int) -> int:
        """The inverse of :meth:`position`, clamped to the text."""
        start = self._line_starts[min(max(line, 1), self.line_count) - 1]
        return min(start + max(column, 1) - 1, len(self.text))

    def line(self, number: int) -> str:
        """Line ``number`` (1-based) without its newline."""
        start = self._line_starts[number - 1]
        end = self._line_starts[number] if number < self.line_count else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    @cached_property
    def normalised(self) -> str:
        """The text with CRLF and CR as LF, as HTML and CSS tokenizers read it."""
        return _NEWLINE.sub("\n", self.text) if "\r" in self.text else self.text

    @cached_property
    def _shrinks(self) -> list[int]:
        # Offsets in the normalised text just behind each former CRLF: the raw text is one longer from there on.
        return [m.start() - i + 1 for i, m in enumerate(re.finditer("\r\n", self.text))]

    def raw_offset(self, normalised_offset: int) -> int:
        """The offset in :attr:`text` of an offset in :attr:`normalised`."""
        shrinks = self._shrinks
        return normalised_offset + bisect.bisect_right(shrinks, normalised_offset) if shrinks else normalised_offset

    def span(self, start: int, end: int) -> Span:
        """A span of this file."""
        return Span(self.path, start, end)

    def slice(self, span: Span) -> str:
        """The text a span of this file covers."""
        return self.text[span.start : span.end]


def _decode(raw: bytes, encoding: str) -> tuple[str, bool]:
    try:
        return raw.decode(encoding), False
    except LookupError:  # an encoding label no codec knows
        return _decode(raw, "utf-8")
    except UnicodeDecodeError:
        return raw.decode(encoding, errors="replace"), True
