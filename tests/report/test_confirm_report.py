"""The report of the browser pass, of hand-made results."""

from __future__ import annotations

import io
import json
from dataclasses import replace

from husky_lint.browser.confirming import Compared, Confirmation, Spot, SpotCheck
from husky_lint.report.confirm import faults, render_json, render_text
from husky_lint.rubric import Clause, Row
from husky_lint.rule import Finding, Reason, Verdict
from husky_lint.scorecard import Scorecard
from husky_lint.scoring import ClauseResult, score_row, total
from husky_lint.source import Span

CLAUSES = {number: Clause(f"HB000{number}", f"clause-{number}", "", (number,), True) for number in (1, 2, 3)}


def card(verdicts: dict[int, Verdict]) -> Scorecard:
    rows = tuple(
        score_row(Row(number, f"Row {number}", 4), [ClauseResult(CLAUSES[number], number, verdict)])
        for number, verdict in verdicts.items()
    )
    return Scorecard("runs/a", "toy", total(rows, 12), rows, (), ())


def compared(number: int, static: Verdict, measured: Verdict | None, *findings: Finding) -> Compared:
    return Compared(f"HB000{number}", f"clause-{number}", number, static, measured, (), findings)


def confirmation(trouble: str = "") -> Confirmation:
    """One clause that both pass, one that the browser decides, one that it refutes; and a box elsewhere."""
    open_one = Verdict.unknown(Reason.TEXT, "how wide is it")
    static = {1: Verdict.passed(), 2: open_one, 3: Verdict.passed("paws go back by 40 units")}
    shown = {1: Verdict.passed(), 2: Verdict.passed(), 3: Verdict.failed()}
    finding = Finding("paws go forward by 12 units\x1b[31m", Span("index.html", 0, 1))
    spot = Spot("pace=hop", 1.25, "svg>g:nth-child(1)", (1.0, 2.0, 3.0, 4.0), None)
    return Confirmation(
        "runs/a",
        card(static),
        card(shown),
        tuple(compared(n, static[n], shown[n], *([finding] if n == 3 else [])) for n in static),
        SpotCheck(240, 1, 3.0, (spot,), {"pace=walk": "state-not-found"}),
        trouble,
    )


def text(*confirmations: Confirmation) -> str:
    out = io.StringIO()
    render_text(confirmations, out)
    return out.getvalue()


def test_verdicts_stand_side_by_side() -> None:
    lines = [" ".join(line.split()) for line in text(confirmation()).splitlines()]
    assert lines[1] == "source 8 – 12, browser 8 of 12"
    assert "1 clauses agree, 1 decided by the browser, 1 disagree" in lines[2]
    assert "1 ✔ pass ✔ pass Row 1" in lines
    assert "2 ? unknown ✔ pass Row 2 the browser decides HB0002" in lines
    assert "3 ✔ pass ✘ fail Row 3 refuted: HB0003" in lines


def test_a_disagreement_is_a_fault_of_husky_lint_with_both_pieces_of_evidence() -> None:
    verdict, boxes = faults(confirmation())
    assert verdict == [
        "fault of husky-lint: HB0003 clause-3 (row 3)",
        "the source says pass: paws go back by 40 units",
        "the browser shows fail: paws go forward by 12 units�[31m",
        "fail counts",
    ]
    assert boxes == [
        "fault of husky-lint: 1 boxes are not where the source puts them",
        "pace=hop at 1.25 s, svg>g:nth-child(1): source (1.00, 2.00, 3.00, 4.00), browser no box",
    ]
    assert all(line in text(confirmation()) for fault in (verdict, boxes) for line in fault)


def test_what_was_not_measured_is_a_dash_and_trouble_is_told() -> None:
    found = confirmation("the page crashed")
    found = replace(found, card=found.static, clauses=(compared(1, Verdict.passed(), None),), spot_check=SpotCheck())
    said = text(found)
    assert "not all was measured: the page crashed" in said
    assert "fault" not in said
    assert " ".join(said.splitlines()[5].split()) == "1 ✔ pass – Row 1"


def test_json_holds_the_card_and_every_clause() -> None:
    out = io.StringIO()
    render_json([confirmation()], out)
    (entry,) = json.loads(out.getvalue())["submissions"]
    assert entry["confirmed"] is False
    assert [clause["status"] for clause in entry["clauses"]] == ["agrees", "decided", "disagrees"]
    assert entry["clauses"][2]["static"]["detail"] == "paws go back by 40 units"
    assert entry["card"]["score"]["points"] == 8
