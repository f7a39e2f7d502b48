"""The result of one submission: all that a report reads. Plain data, so it crosses processes and becomes JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from husky_lint.rule import Confidence, Judgement, Severity

if TYPE_CHECKING:
    from husky_lint.pictures import Picture
    from husky_lint.scoring import ClauseResult, RowResult, Score

_LONGEST_TEXT = 2_000

RUN_FIELDS = ("time_taken", "tokens_used", "model", "engine", "thinking_level")
"""What a submission says of its own run; recorded beside the score, never in it."""


@dataclass(frozen=True, slots=True)
class Location:
    """A place as people count: line and column from 1, columns in code points, the end exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Frame:
    """The source lines around a finding. ``shift`` code points are cut off at the left of each (long lines)."""

    first_line: int
    lines: tuple[str, ...]
    shift: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """A related place, or one without a place, with what it has to do with the finding."""

    message: str
    location: Location | None


@dataclass(frozen=True, slots=True)
class LocatedEdit:
    """Replace ``location`` by ``replacement``."""

    location: Location
    replacement: str


@dataclass(frozen=True, slots=True)
class LocatedFix:
    """The edits of a fix."""

    message: str
    safe: bool
    edits: tuple[LocatedEdit, ...]


@dataclass(frozen=True, slots=True)
class LocatedFinding:
    """A finding with its place in lines and columns, its row, and the lines around it."""

    code: str
    name: str
    severity: Severity
    confidence: Confidence
    message: str
    row: int | None
    location: Location | None
    frame: Frame | None = None
    related: tuple[Note, ...] = ()
    data: Mapping[str, object] = field(default_factory=dict)
    fix: LocatedFix | None = None

    def to_json(self) -> dict[str, Any]:
        """The fields of ``check --format json``."""
        place = self.location
        return {
            "code": self.code,
            "name": self.name,
            "severity": self.severity.value,
            "confidence": self.confidence.value,
            "message": self.message,
            "row": self.row,
            "file": place.file if place else None,
            "line": place.line if place else None,
            "column": place.column if place else None,
            "end_line": place.end_line if place else None,
            "end_column": place.end_column if place else None,
            "related": [{"message": note.message, **_place(note.location)} for note in self.related],
            "data": plain(self.data),
            "fix": None
            if self.fix is None
            else {
                "message": self.fix.message,
                "safe": self.fix.safe,
                "edits": [{**_place(edit.location), "replacement": edit.replacement} for edit in self.fix.edits],
            },
        }


@dataclass(frozen=True)
class Scorecard:
    """What husky-lint says of one submission.

    ``contract`` holds the clauses that feed no row. ``suppressed`` counts findings silenced by comments. ``run`` is
    what the submission says of its own run. ``states`` is the inferred state machine where it was asked for, and so
    are ``pictures``; they are for reports that can show them, and no part of the JSON.
    """

    path: str
    pack: str
    score: Score
    rows: tuple[RowResult, ...]
    contract: tuple[ClauseResult, ...]
    findings: tuple[LocatedFinding, ...]
    suppressed: int = 0
    run: Mapping[str, str | None] = field(default_factory=lambda: dict.fromkeys(RUN_FIELDS))
    elapsed_s: float = 0.0
    states: Mapping[str, object] | None = None
    pictures: tuple[Picture, ...] = ()

    @cached_property
    def clauses(self) -> Mapping[str, tuple[ClauseResult, ...]]:
        """The verdicts by code; a clause that feeds several rows has one for each."""
        found: dict[str, tuple[ClauseResult, ...]] = {}
        for result in (*(c for row in self.rows for c in row.clauses), *self.contract):
            found[result.clause.code] = (*found.get(result.clause.code, ()), result)
        return found

    def verdict(self, code: str, row: int | None = None) -> Judgement:
        """The verdict of a clause (in ``row``, else the first that it feeds). Raises KeyError for an unknown code."""
        results = self.clauses[code]
        return next((r for r in results if r.row == row), results[0]).verdict.judgement

    @property
    def has_errors(self) -> bool:
        """Whether any finding is at error level."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        """The submission's entry of ``check --format json``."""
        card: dict[str, Any] = {
            "path": self.path,
            "pack": self.pack,
            "score": {
                "points": self.score.points,
                "low": self.score.low,
                "high": self.score.high,
                "of": self.score.of,
                "stated_total": self.score.stated_total,
                "percent": self.score.percent,
            },
            "rows": [
                {
                    "row": result.row.number,
                    "title": result.row.title,
                    "weight": result.row.weight,
                    "verdict": result.verdict.value,
                    "points": result.points,
                    "low": result.low,
                    "high": result.high,
                    "clauses": [clause_json(clause) for clause in result.clauses],
                }
                for result in self.rows
            ],
            "contract": [clause_json(clause) for clause in self.contract],
            "findings": [finding.to_json() for finding in self.findings],
            "suppressed": self.suppressed,
            "run": dict(self.run),
            "elapsed_s": round(self.elapsed_s, 4),
        }
        if self.states is not None:
            card["states"] = plain(self.states)
        return card


def clause_json(result: ClauseResult) -> dict[str, Any]:
    """One clause of a row."""
    verdict = result.verdict
    return {
        "code": result.clause.code,
        "name": result.clause.name,
        "core": result.core,
        "verdict": verdict.judgement.value,
        "reason": verdict.reason.value if verdict.reason is not None else None,
        "confidence": verdict.confidence.value,
        "detail": verdict.detail,
        "place": _place(result.location) if result.location is not None else None,
        "data": plain(verdict.data),
    }


def plain(value: Any, depth: int = 0) -> Any:
    """``value`` as JSON can say it: NaN and infinities become null, arrays lists, anything else its text."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return str(value) if len(value) <= _LONGEST_TEXT else value[:_LONGEST_TEXT] + "…"
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if depth > 20:
        return "…"
    if isinstance(value, Mapping):
        return {str(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((plain(item, depth + 1) for item in value), key=str)
    if hasattr(value, "tolist"):  # numpy arrays and scalars
        return plain(value.tolist(), depth + 1)
    return str(value)


def _place(location: Location | None) -> dict[str, Any]:
    return {
        "file": location.file if location else None,
        "line": location.line if location else None,
        "column": location.column if location else None,
        "end_line": location.end_line if location else None,
        "end_column": location.end_column if location else None,
    }
