"""Every rule on real submissions, held to labels that were judged in a browser."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from husky_lint.judging import check
from husky_lint.rule import Judgement, Reason

if TYPE_CHECKING:
    from pathlib import Path

    from husky_lint.scorecard import Scorecard

EXPLAINED: dict[tuple[str, str], str] = {}
"""Clauses on which a verdict differs from its label, each with the measured fact that decides it."""

_CARDS: dict[Path, Scorecard] = {}


def card_of(folder: Path) -> Scorecard:
    if folder not in _CARDS:
        _CARDS[folder] = check(folder)
    return _CARDS[folder]


def labels_of(folder: Path) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads((folder.parent / "labels" / f"{folder.name}.json").read_text())
    return found


def test_no_rule_crashes(corpus_submission: Path) -> None:
    crashed = [
        (code, result.verdict.data)
        for code, results in card_of(corpus_submission).clauses.items()
        for result in results
        if result.verdict.reason is Reason.RULE_CRASH
    ]
    assert crashed == []


def test_clauses_agree_with_their_labels(corpus_submission: Path) -> None:
    labels = labels_of(corpus_submission)["clauses"]
    differing = {}
    for code, results in card_of(corpus_submission).clauses.items():
        verdicts = {result.verdict.judgement for result in results}
        verdict = Judgement.FAIL if Judgement.FAIL in verdicts else results[0].verdict.judgement
        label = labels.get(code)
        decided = verdict in (Judgement.PASS, Judgement.FAIL) and label in ("pass", "fail")
        if decided and verdict.value != label and (corpus_submission.name, code) not in EXPLAINED:
            differing[code] = (verdict.value, label)
    assert differing == {}


def test_rows_agree_with_their_labels_where_these_are_sure(corpus_submission: Path) -> None:
    labels = json.loads(json.dumps(labels_of(corpus_submission)["rows"]))
    differing = {}
    for row in card_of(corpus_submission).rows:
        label = labels[str(row.row.number)]
        if label["sure"] and row.verdict.value not in (label["verdict"], "unknown"):
            differing[row.row.number] = (row.verdict.value, label["verdict"])
    assert differing == {}


def test_every_finding_has_a_place_in_its_file(corpus_submission: Path) -> None:
    placed = 0
    for finding in card_of(corpus_submission).findings:
        place = finding.location
        if place is not None:
            placed += 1
            lines = (corpus_submission / place.file).read_text(encoding="utf-8").split("\n")
            assert place.column <= len(lines[place.line - 1]) + 1, finding.message
            assert (place.line, place.column) <= (place.end_line, place.end_column), finding.message
    assert placed
