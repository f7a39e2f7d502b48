"""What is counted of the outcomes, and that outcomes come in the order of the cases."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from validity import judging
from validity.cases import Case
from validity.judging import Judged, judge_kept
from validity.measuring import Measured
from validity.table import Outcome, RowCount, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from validity.edits import Files

BASE = Judged(
    {"HB2101": "pass", "HB2313": "pass", "HB3007": "pass"}, {}, {4: "pass", 10: "pass", 14: "pass"}, (), False
)
MUTANT = Case("mutant", "m", "what", expect={"HB2101": "fail"}, rows={10: "partial"})


def said(clauses: dict[str, str], rows: dict[int, str]) -> Judged:
    return replace(BASE, clauses={**BASE.clauses, **clauses}, rows={**BASE.rows, **rows})


def test_what_is_expected_is_no_surprise() -> None:
    outcome = Outcome(MUTANT, BASE, said({"HB2101": "fail"}, {10: "partial"}))
    assert outcome.surprises == []
    assert outcome.killed


@pytest.mark.parametrize(
    ("clauses", "rows", "surprises"),
    [
        ({}, {}, ["HB2101 is pass, expected fail", "row 10 is pass, expected partial"]),
        ({"HB2101": "unknown"}, {10: "partial"}, ["HB2101 is unknown, expected fail"]),
        ({"HB2101": "fail", "HB2313": "fail"}, {10: "partial"}, ["HB2313 is fail, expected pass"]),
        ({"HB2101": "fail"}, {10: "partial", 4: "fail"}, ["row 4 is fail, expected pass"]),
        ({"HB2101": "fail", "HB3007": "unknown"}, {10: "partial", 14: "unknown"}, []),
        ({"HB2101": "fail", "HB3007": "fail"}, {10: "partial"}, ["HB3007 is fail, expected pass"]),
    ],
)
def test_what_is_not_expected(clauses: dict[str, str], rows: dict[int, str], surprises: list[str]) -> None:
    assert Outcome(MUTANT, BASE, said(clauses, rows)).surprises == surprises


def test_an_equivalent_may_not_even_make_the_audit_doubtful() -> None:
    outcome = Outcome(Case("equivalent", "e", "what"), BASE, said({"HB3007": "unknown"}, {14: "unknown"}))
    assert len(outcome.surprises) == 2


def test_a_decoy_may_fail_or_be_unknown_and_must_not_pass() -> None:
    decoy = Case("decoy", "d", "what", expect={"HB2101": "fail"})
    assert Outcome(decoy, BASE, BASE).surprises == ["HB2101 passes"]
    assert Outcome(decoy, BASE, said({"HB2101": "unknown"}, {})).surprises == []
    assert Outcome(decoy, BASE, replace(BASE, decoys=True)).surprises == []


def test_rows_are_held_against_the_browser() -> None:
    wrong = Measured({"HB2101": "pass"}, {"HB2101": "fail"}, {4: "pass", 10: "partial", 14: "pass"})
    tally = Tally([Outcome(Case("whole", "w", "reference"), BASE, BASE, wrong)])
    assert tally.by_row[10] == RowCount(cases=1, wrong_pass=1)
    assert tally.by_row[4] == RowCount()
    assert "| 1 clauses pass that the browser refutes |" in tally.markdown()


def test_what_is_kept_comes_back_as_it_was() -> None:
    judged = said({"HB2101": "fail"}, {10: "partial"})
    measured = Measured({"HB2101": "pass"}, {}, {10: "pass"}, 3, "late")
    assert Judged.loads(judged.dumps()) == replace(judged, findings=())
    assert Measured.loads(measured.dumps()) == measured


def test_alike_cases_are_judged_once_and_all_come_in_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[str] = []

    def judge(work: Sequence[tuple[str, Files]], jobs: int = 0) -> Iterator[Judged]:
        for name, files in work:
            asked.append(name)
            yield replace(BASE, reasons={"file": files["f"].decode()})

    monkeypatch.setattr(judging, "STORE", tmp_path)
    monkeypatch.setattr(judging, "judge_all", judge)
    work = [(name, {"f": name[0].encode()}) for name in ("a", "b", "a again", "c")]
    assert [one.reasons["file"] for one in judge_kept(work)] == ["a", "b", "a", "c"]
    assert len(asked) == 3
    assert [one.reasons["file"] for one in judge_kept(work)] == ["a", "b", "a", "c"]
    assert len(asked) == 3
