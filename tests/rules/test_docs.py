"""The documentation of every rule of every pack: it is whole, and its examples prove what it says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from husky_lint.documentation import HEADINGS
from husky_lint.evidence import StaticEvidence
from husky_lint.packs import load_pack, pack_names
from husky_lint.rubric import DEFAULT
from husky_lint.rule import Judgement, run_rule
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _pytest.mark.structures import ParameterSet

    from husky_lint.documentation import Example
    from husky_lint.packs import Pack
    from husky_lint.rule import Rule

PACKS = [load_pack(name) for name in pack_names()]


def rules() -> Iterator[ParameterSet]:
    for pack in PACKS:
        for rule in pack.rules.values():
            yield pytest.param(pack, rule, id=f"{pack.name}-{rule.code}")


def examples() -> Iterator[ParameterSet]:
    for pack in PACKS:
        for rule in pack.rules.values():
            page = rule.documentation
            for judgement, shown in ((Judgement.FAIL, page.failing), (Judgement.PASS, page.passing)):
                for number, example in enumerate(shown, 1):
                    name = f"{pack.name}-{rule.code}-{judgement.value}-{number}"
                    yield pytest.param(pack, rule, judgement, example, id=name)


@pytest.mark.parametrize(("pack", "rule"), list(rules()))
def test_every_rule_has_its_page(pack: Pack, rule: Rule) -> None:
    page = rule.documentation
    assert page.summary, "the docstring begins with what the rule finds"
    for heading in HEADINGS:
        assert f"## {heading}\n" in page.text + "\n", f"{rule.code} lacks the heading {heading!r}"
    assert page.what_it_checks
    assert page.why_it_matters
    assert page.failing, f"{rule.code} has no example that fails"
    assert page.passing, f"{rule.code} has no example that passes"


@pytest.mark.parametrize(("pack", "rule", "judgement", "example"), list(examples()))
def test_every_example_proves_its_point(pack: Pack, rule: Rule, judgement: Judgement, example: Example) -> None:
    assert pack.example_files is not None
    evidence = StaticEvidence(Submission.from_files(pack.example_files(example)), pack.rubric)
    clause = pack.rubric.clauses[rule.code]
    ruling = run_rule(rule, evidence, pack.parameters(rule), clause.rows or (None,))
    verdicts = {verdict.judgement for verdict in ruling.verdicts.values()}
    told = [finding.message for finding in ruling.findings if finding.code == rule.code]
    said = f"{[(v.judgement, v.reason, v.detail, v.data) for v in ruling.verdicts.values()]}, findings {told}"
    if judgement is Judgement.FAIL:
        if clause.rows:
            assert Judgement.FAIL in verdicts, said
        assert told, said
    else:
        assert verdicts == {Judgement.PASS}, said


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_every_number_of_the_rubric_is_read(pack: Pack) -> None:
    for code, tolerances in pack.rubric.tolerances.items():
        if code != DEFAULT and code in pack.rules:
            unread = set(tolerances) - set(pack.rules[code].parameters)
            assert not unread, f"no rule reads {code}.{min(unread)}"


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_rule_functions_are_named_for_their_clauses(pack: Pack) -> None:
    for code, rule in pack.rules.items():
        assert rule.judge.__name__ == pack.rubric.clauses[code].name.replace("-", "_")


def test_the_contributing_guide_shows_a_rule_as_it_is() -> None:
    root = Path(__file__).parents[2]
    guide = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    shown = guide.split("````python\n")[1].split("\n````\n")[0]
    assert shown.strip() in (root / "rules" / "husky" / "viewbox.py").read_text(encoding="utf-8")
    assert "## What it checks" in shown
