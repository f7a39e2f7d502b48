"""From clause verdicts to rows and a score interval.

With every clause decided: any core clause fails → the row fails; else any other clause fails → ``partial``; else it
passes. A pass is worth the weight, partial half of it, a failure nothing. ``n/a`` has no effect; a row with nothing but
``n/a`` has no failing clause and so passes. With unknown clauses a row is worked out twice, all of them failing and all
of them passing: if both give one verdict that is the row's, else the row is ``unknown`` and worth the interval between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from husky_lint.rule import Judgement, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from husky_lint.rubric import Clause, Row
    from husky_lint.scorecard import Location

_SHARE = {Judgement.PASS: 1.0, Judgement.PARTIAL: 0.5, Judgement.FAIL: 0.0}


@dataclass(frozen=True, slots=True)
class ClauseResult:
    """The verdict of a clause in one of the rows it feeds (``row`` is None for a clause that feeds none).

    ``location`` is the place that the verdict points at, such as what made it unknown.
    """

    clause: Clause
    row: int | None
    verdict: Verdict
    location: Location | None = None

    @property
    def core(self) -> bool:
        """Whether it decides its row: as the verdict says, else the rubric; an open one may, while it is unknown."""
        if self.verdict.core is not None:
            return self.verdict.core
        if self.clause.core is None:
            return self.verdict.judgement is Judgement.UNKNOWN
        return self.clause.core


@dataclass(frozen=True, slots=True)
class RowResult:
    """A row's verdict and the interval of points it is worth; ``low == high`` unless the verdict is unknown."""

    row: Row
    verdict: Judgement
    low: float
    high: float
    clauses: tuple[ClauseResult, ...]

    @property
    def points(self) -> float:
        """What is certain."""
        return self.low


@dataclass(frozen=True, slots=True)
class Score:
    """Points of all rows: an interval out of ``of``, the sum of the weights; the spec claims ``stated_total``."""

    low: float
    high: float
    of: int
    stated_total: int

    @property
    def points(self) -> float:
        """What is certain."""
        return self.low

    @property
    def percent(self) -> float:
        """``points`` of ``of``, in percent, to one decimal."""
        return round(100 * self.low / self.of, 1) if self.of else 0.0


def score_row(row: Row, clauses: Sequence[ClauseResult]) -> RowResult:
    """The result of a row from the verdicts of its clauses."""
    worst, best = _settle(clauses, unknown_fails=True), _settle(clauses, unknown_fails=False)
    verdict = worst if worst is best else Judgement.UNKNOWN
    return RowResult(row, verdict, _SHARE[worst] * row.weight, _SHARE[best] * row.weight, tuple(clauses))


def _settle(clauses: Iterable[ClauseResult], *, unknown_fails: bool) -> Judgement:
    failing = {Judgement.FAIL, Judgement.UNKNOWN} if unknown_fails else {Judgement.FAIL}
    failures = [clause.core for clause in clauses if clause.verdict.judgement in failing]
    if any(failures):
        return Judgement.FAIL
    return Judgement.PARTIAL if failures else Judgement.PASS


def total(rows: Iterable[RowResult], stated_total: int) -> Score:
    """The score of a submission."""
    rows = tuple(rows)
    return Score(
        sum(row.low for row in rows), sum(row.high for row in rows), sum(row.row.weight for row in rows), stated_total
    )
