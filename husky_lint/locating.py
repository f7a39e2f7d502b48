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


def locate_finding(finding: Finding, name: str, row: int | None, submission: Submission) -> LocatedFinding:
    """``finding`` with its places in lines and columns; a span of a file that is not there becomes no place."""
    return LocatedFinding(
        code=finding.code,
        name=finding.name or name,
        severity=finding.severity,
        confidence=finding.confidence,
        message=finding.message,
        row=row,
        location=locate(finding.span, submission),
        frame=_frame(finding.span, submission),
        related=tuple(Note(r.message, locate(r.span, submission)) for r in finding.related),
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
    lines = tuple(source.line(number)[shift : shift + _FRAME_WIDTH] for number in range(first, last + 1))
    return Frame(first, lines, shift)


def _source(span: Span | None, submission: Submission) -> SourceText | None:
    return submission.text(span.file) if span is not None else None
