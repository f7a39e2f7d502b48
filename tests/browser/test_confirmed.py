"""Whole submissions: the browser finds nothing that the source had not told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from husky_lint.browser.confirming import confirm
from husky_lint.judging import load

if TYPE_CHECKING:
    from husky_lint.browser.confirming import Confirmation
    from husky_lint.browser.session import BrowserSession

pytestmark = pytest.mark.browser
FIXTURES = Path(__file__).parents[2] / "fixtures"


def faults(found: Confirmation) -> list[str]:
    """What the browser refutes, one line each."""
    verdicts = [
        f"{clause.code}: {clause.static.judgement} by the source, {clause.verdict.judgement} in the browser, "
        f"{[finding.message for finding in (*clause.static_findings, *clause.measured_findings)][:4]}"
        for clause in found.disagreements
    ]
    return [*verdicts, *map(str, found.spot_check.spots)]


def confirmed(folder: Path, visits: BrowserSession) -> Confirmation:
    found = confirm(load(folder), visits)
    assert not found.trouble
    assert faults(found) == []
    assert not found.spot_check.skipped
    assert found.spot_check.compared > 400
    return found


@pytest.mark.parametrize("name", ["reference", "broken"])
def test_the_bundled_submissions_are_as_the_source_says(visits: BrowserSession, name: str) -> None:
    found = confirmed(FIXTURES / name, visits)
    assert sum(clause.status == "agrees" for clause in found.clauses) > 75


def test_a_corpus_submission_is_as_its_source_says(visits: BrowserSession, corpus_submission: Path) -> None:
    found = confirmed(corpus_submission, visits)
    assert sum(clause.status == "agrees" for clause in found.clauses) > 75
