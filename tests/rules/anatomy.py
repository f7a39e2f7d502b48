"""What the tests of the anatomy rules share: the skeleton's dog redrawn, and verdicts on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from husky_lint.rules.husky.skeleton import files
from husky_lint.rules.husky.skeleton_dog import DOG

from husky_lint.evidence import StaticEvidence
from husky_lint.packs import load_pack
from husky_lint.rule import Judgement, run_rule
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Mapping

    from husky_lint.rule import Finding, Verdict

PACK = load_pack("husky")


def redrawn(changes: Mapping[str, str] | None = None, css: str = "", html: str = "") -> dict[str, str | bytes]:
    """The skeleton with pieces of its dog replaced, rules appended and shapes put at the end of the dog's group."""
    dog: str = DOG
    for old, new in (changes or {}).items():
        assert dog.count(old) == 1, (dog.count(old), old)
        dog = dog.replace(old, new)
    if html:
        assert dog.count('</g>\n<g class="runaway">') == 1
        dog = dog.replace('</g>\n<g class="runaway">', f'{html}</g>\n<g class="runaway">')
    made: dict[str, str | bytes] = files()
    made["index.html"] = str(made["index.html"]).replace(DOG, dog)
    made["styles.css"] = f"{made['styles.css']!s}{css}"
    return made


def ruling(code: str, submission: Mapping[str, str | bytes]) -> tuple[Verdict, tuple[Finding, ...]]:
    """The verdict of a rule and its findings."""
    evidence = StaticEvidence(Submission.from_files(submission), PACK.rubric)
    rule, clause = PACK.rules[code], PACK.rubric.clauses[code]
    said = run_rule(rule, evidence, PACK.parameters(rule), clause.rows or (None,))
    return next(iter(said.verdicts.values())), said.findings


def judged(code: str, changes: Mapping[str, str] | None = None, css: str = "", html: str = "") -> Judgement:
    """The verdict of a rule on the dog redrawn."""
    verdict, findings = ruling(code, redrawn(changes, css, html))
    assert verdict.reason is None or verdict.reason.value != "rule-crash", verdict.data
    if verdict.judgement is Judgement.FAIL:
        assert all(finding.message for finding in findings)
    return verdict.judgement


def piece(first: str, last: str) -> str:
    """A stretch of the skeleton's dog, from the first place of one text to the end of the next one after it."""
    dog: str = DOG
    begin = dog.index(first)
    return dog[begin : dog.index(last, begin) + len(last)]
