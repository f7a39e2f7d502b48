"""Rows and intervals from clause verdicts, by example and by property."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from husky_lint.rubric import Clause, Row
from husky_lint.rule import Judgement, Reason, Verdict
from husky_lint.scoring import ClauseResult, RowResult, score_row, total

PASS, PARTIAL, FAIL = Judgement.PASS, Judgement.PARTIAL, Judgement.FAIL
UNKNOWN, NOTHING = Judgement.UNKNOWN, Judgement.NOT_APPLICABLE
ROW = Row(2, "a row", 8)


def result(judgement: Judgement, core: bool | None = False, override: bool | None = None) -> ClauseResult:
    reason = Reason.LIMIT if judgement is UNKNOWN else None
    return ClauseResult(Clause("HB9999", "name", "title", (2,), core), 2, Verdict(judgement, reason, core=override))


def row(*clauses: ClauseResult) -> RowResult:
    return score_row(ROW, clauses)


@pytest.mark.parametrize(
    ("clauses", "verdict", "low", "high"),
    [
        ([result(PASS, True), result(PASS)], PASS, 8, 8),
        ([result(PASS, True), result(FAIL)], PARTIAL, 4, 4),
        ([result(FAIL, True), result(PASS)], FAIL, 0, 0),
        ([result(FAIL, True), result(FAIL)], FAIL, 0, 0),
        ([result(UNKNOWN, True), result(PASS)], UNKNOWN, 0, 8),
        ([result(PASS, True), result(UNKNOWN)], UNKNOWN, 4, 8),
        ([result(UNKNOWN, True), result(FAIL)], UNKNOWN, 0, 4),
        ([result(PASS, True), result(FAIL), result(UNKNOWN)], PARTIAL, 4, 4),
        ([result(FAIL, True), result(UNKNOWN, True), result(UNKNOWN)], FAIL, 0, 0),
        ([result(NOTHING, True), result(PASS)], PASS, 8, 8),
        ([result(NOTHING, True), result(NOTHING)], PASS, 8, 8),
        # core at run time
        ([result(FAIL, True, False)], PARTIAL, 4, 4),
        ([result(FAIL, False, True)], FAIL, 0, 0),
        ([result(FAIL, None)], PARTIAL, 4, 4),
        ([result(FAIL, None, True)], FAIL, 0, 0),
        ([result(UNKNOWN, None)], UNKNOWN, 0, 8),
        ([result(UNKNOWN, True, False)], UNKNOWN, 4, 8),
    ],
)
def test_a_row(clauses: list[ClauseResult], verdict: Judgement, low: float, high: float) -> None:
    scored = row(*clauses)
    assert (scored.verdict, scored.low, scored.high) == (verdict, low, high)
    assert scored.points == low


def test_the_score_is_the_sum_and_says_what_the_spec_states() -> None:
    rows = [score_row(Row(1, "", 3), [result(PASS)]), score_row(Row(2, "", 8), [result(UNKNOWN, True)])]
    score = total(rows, 75)
    assert (score.low, score.high, score.of, score.stated_total, score.points) == (3, 11, 11, 75, 3)
    assert score.percent == 27.3


clauses = st.lists(
    st.builds(
        result, st.sampled_from([PASS, FAIL, UNKNOWN, NOTHING]), st.booleans(), st.sampled_from([None, True, False])
    ),
    max_size=6,
)


def completions(row_clauses: list[ClauseResult]) -> itertools.product[tuple[ClauseResult, ...]]:
    """Every way in which the unknown clauses can come out, n/a included."""
    ways = [
        [replace(c, verdict=replace(c.verdict, judgement=j)) for j in (PASS, FAIL, NOTHING)]
        if c.verdict.judgement is UNKNOWN
        else [c]
        for c in row_clauses
    ]
    return itertools.product(*ways)


@given(clauses)
def test_the_interval_brackets_every_completion_and_no_more(row_clauses: list[ClauseResult]) -> None:
    open_row = row(*row_clauses)
    decided = [row(*completion) for completion in completions(row_clauses)]
    assert all(d.low == d.high and d.verdict is not UNKNOWN for d in decided)
    assert (min(d.low for d in decided), max(d.high for d in decided)) == (open_row.low, open_row.high)
    if open_row.verdict is not UNKNOWN:
        assert {d.verdict for d in decided} == {open_row.verdict}


@given(clauses, st.data())
def test_deciding_a_clause_only_narrows_the_interval(row_clauses: list[ClauseResult], data: st.DataObject) -> None:
    unknown = [i for i, c in enumerate(row_clauses) if c.verdict.judgement is UNKNOWN]
    if not unknown:
        return
    index = data.draw(st.sampled_from(unknown))
    judgement = data.draw(st.sampled_from([PASS, FAIL, NOTHING]))
    decided = list(row_clauses)
    decided[index] = replace(decided[index], verdict=replace(decided[index].verdict, judgement=judgement))
    before, after = row(*row_clauses), row(*decided)
    assert before.low <= after.low <= after.high <= before.high


@given(clauses, st.data())
def test_a_better_verdict_never_costs_points(row_clauses: list[ClauseResult], data: st.DataObject) -> None:
    if not row_clauses:
        return
    index = data.draw(st.integers(0, len(row_clauses) - 1))
    better = list(row_clauses)
    better[index] = replace(better[index], verdict=replace(better[index].verdict, judgement=PASS))
    before, after = row(*row_clauses), row(*better)
    assert after.low >= before.low
    assert after.high >= before.high


@given(clauses)
def test_the_order_of_clauses_does_not_matter(row_clauses: list[ClauseResult]) -> None:
    forward, backward = row(*row_clauses), row(*reversed(row_clauses))
    assert (forward.verdict, forward.low, forward.high) == (backward.verdict, backward.low, backward.high)
