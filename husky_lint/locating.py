"""From spans to lines, columns and code frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

from husky_lint.scorecard import Frame, LocatedEdit, LocatedFinding, LocatedFix, Location, Note, plain

if TYPE_CHECKING:
    from husky_lint.rule import Finding
    from husky_lint.source import SourceText, Span
    from husky_lint.submission import Submission

_FRAME_WIDTH = 160
_CONTEXT_LINES = 1
_LONGEST_MESSAGE = 1_000


def locate_finding(finding: Finding, name: str, row: int | None, submission: Submission) -> LocatedFinding:
    """``finding`` with its places in lines and columns; a span of a file that is not there becomes no place."""
    return LocatedFinding(
        code=finding.code,
        name=finding.name or name,
        severity=finding.severity,
        confidence=finding.confidence,
        message=_shortened(finding.message),
        row=row,
        location=locate(finding.span, submission),
        frame=_frame(finding.span, submission),
        related=tuple(Note(_shortened(r.message), locate(r.span, submission)) for r in finding.related),
        data=plain(finding.data),
        fix=_fix(finding, submission),
    )


def locate(span: Span | None, submission: Submission) -> Location | None:
    """Lines and columns of a span."""
    source = _source(span, submission)
    if span is None or source is None:
        return None
    start, end = source.position(span.start), source.position(max(span.start, span.end))
    return Location(span.file, start.line, start.column, end.line, end.column)


def _shortened(message: str) -> str:
    """A message that quotes a submission may be as long as a file."""
    return message if len(message) <= _LONGEST_MESSAGE else message[:_LONGEST_MESSAGE] + "…"


def _fix(finding: Finding, submission: Submission) -> LocatedFix | None:
    if finding.fix is None:
        return None
    located = [(locate(edit.span, submission), edit.replacement) for edit in finding.fix.edits]
    edits = tuple(LocatedEdit(place, replacement) for place, replacement in located if place is not None)
    return LocatedFix(finding.fix.message, finding.fix.safe, edits) if len(edits) == len(located) else None


def _frame(span: Span | None, submission: Submission) -> Frame | None:
    source = _source(span, submission)
    if span is None or source is None:
        return None
    line, column = source.position(span.start)
    first = max(1, line - _CONTEXT_LINES)
    last = min(source.line_count, line + _CONTEXT_LINES)
    # A minified file is one long line: the frame is a window on it.
    shift = max(0, column - _FRAME_WIDTH // 2) if column > _FRAME_WIDTH * 3 // 4 else 0
    return Frame(first, tuple(_cut(source, number, shift) for number in range(first, last + 1)), shift)


def _cut(source: SourceText, number: int, shift: int) -> str:
    start = source.offset(number, 1)
    end = source.offset(number + 1, 1) if number < source.line_count else len(source.text)
    return source.text[start + shift : min(end, start + shift + _FRAME_WIDTH)].rstrip("\r\n")


def _source(span: Span | None, submission: Submission) -> SourceText | None:
    return submission.text(span.file) if span is not None else None
