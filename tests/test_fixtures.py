"""The bundled submissions, whole: what each is found to be, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from husky_lint import check
from husky_lint.rule import Judgement, Reason
from scripts.make_variants import MAKERS
from scripts.variants.edits import read

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from husky_lint import Scorecard

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
#: The reference, and the same dog in other idioms.
WHOLE = ["reference", *(f"variants/{folder.name}" for folder in sorted((FIXTURES / "variants").iterdir()))]

#: What was done to fixtures/broken (its edits are listed in fixtures/README.md), clause by clause.
SEEDED = {
    "HB1004": "a style sheet from another host",
    "HB1005": "the same, loaded from the network",
    "HB1009": "a declaration that browsers drop",
    "HB1010": "a <use> of nothing",
    "HB2101": "a wrong viewBox",
    "HB2102": "the strip that the <use> should have cloned",
    "HB2105": "one glide off its ratio",
    "HB2107": "the leg that walks backward stands too high",
    "HB2204": "the paw that lost its leg's delay to a shorthand lost its pause too",
    "HB2205": "a pause that stops the head, the ear and the eye",
    "HB2212": "a literal duration",
    "HB2303": "the ear behind the skull",
    "HB2313": "a shape black by omission",
    "HB2314": "an arm as thin as the forearm",
    "HB2401": "a leg that walks backward",
    "HB2403": "the same paw drags forward",
    "HB2406": "and strikes late",
    "HB2410": "a paw off its leg's phase",
    "HB2417": "and skates",
    "HB2606": "no script that reads the remembered sky",
    "HB2607": "no theme before first paint",
    "HB2608": "a remembered pace",
    "HB2609": "an icon without a size",
    "HB3007": "tools that assert what fails",
    "HB5002": "an empty footer value",
    "HB5003": "a footer hidden at night",
}


def failed(card: Scorecard) -> set[str]:
    return {
        code
        for code, results in card.clauses.items()
        if any(result.verdict.judgement is Judgement.FAIL for result in results)
    }


def not_implemented(card: Scorecard) -> set[str]:
    return {
        code
        for code, results in card.clauses.items()
        if any(result.verdict.reason is Reason.NOT_IMPLEMENTED for result in results)
    }


@pytest.mark.parametrize("name", WHOLE)
def test_full_marks_from_the_source_alone(name: str) -> None:
    card = check(FIXTURES / name)
    assert [f"{finding.code} {finding.message}" for finding in card.findings] == []
    assert (card.score.low, card.score.high) == (71, 71)
    unknown = {
        code
        for code, results in card.clauses.items()
        if any(result.verdict.judgement is Judgement.UNKNOWN for result in results)
    }
    assert unknown <= not_implemented(card)


@pytest.mark.parametrize("name", MAKERS)
def test_what_derives_from_the_reference_is_up_to_date(name: str) -> None:
    made = MAKERS[name](read(FIXTURES / "reference"))
    kept = read(FIXTURES / name)
    assert [file for file in {**made, **kept} if made.get(file) != kept.get(file)] == [], "run: make variants"


def test_each_seeded_fault_is_found_and_no_other() -> None:
    card = check(FIXTURES / "broken")
    assert failed(card) == set(SEEDED) - not_implemented(card)


def test_broken_differs_from_the_reference_in_its_faults_alone() -> None:
    files = {path.relative_to(FIXTURES / "reference") for path in (FIXTURES / "reference").rglob("*") if path.is_file()}
    changed = {
        name.as_posix()
        for name in files
        if (FIXTURES / "reference" / name).read_bytes() != (FIXTURES / "broken" / name).read_bytes()
    }
    assert changed == {"index.html", "styles.css", "app.js", "favicon.svg"}


@pytest.mark.browser
@pytest.mark.parametrize("name", WHOLE)
def test_loads_and_runs_in_silence(page: Callable[..., Page], name: str) -> None:
    tab = page()
    said: list[str] = []
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.on("console", lambda message: said.append(message.text))
    tab.on("requestfailed", lambda request: said.append(request.url))
    tab.goto((FIXTURES / name / "index.html").as_uri())
    for pace, seconds in {"Stroll": 1.06, "Walk": 0.78, "Hop": 0.62, "Zoomies": 0.38}.items():
        tab.get_by_role("button", name=pace, exact=True).click()
        periods = "document.getAnimations().map(one => Math.round(one.effect.getTiming().duration) / 1000)"
        assert tab.evaluate(periods).count(seconds) >= 9, pace
    shapes = tab.locator("svg path").count()
    for button in ("Night", "Pause", "Good dog"):
        tab.get_by_role("button", name=button, exact=True).click()
    assert tab.evaluate("document.documentElement.dataset.theme") == "night"
    assert tab.locator("svg path").count() >= shapes + 5
    assert said == []
