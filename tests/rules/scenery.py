"""Submissions made of the skeleton for the tests of scenery, dials, night and memory, and what rules say of them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from husky_lint.rules.husky.skeleton import files

from husky_lint.evidence import StaticEvidence
from husky_lint.packs import load_pack
from husky_lint.rule import run_rule
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from husky_lint.packs import Pack
    from husky_lint.rule import Ruling


@cache
def pack() -> Pack:
    return load_pack("husky")


def page(*, css: str = "", js: str = "", edits: dict[str, str] | None = None) -> dict[str, str]:
    """The skeleton with rules and script appended, and pieces of its text replaced (each must be there)."""
    made = {path: content for path, content in files().items() if isinstance(content, str)}
    for old, new in (edits or {}).items():
        holders = [path for path, content in made.items() if old in content]
        assert holders, f"the skeleton has no {old!r}"
        for path in holders:
            made[path] = made[path].replace(old, new)
    made["styles.css"] += css
    made["app.js"] += js
    return made


def ruling(code: str, made: dict[str, str]) -> Ruling:
    evidence = StaticEvidence(Submission.from_files(made), pack().rubric)
    rule = pack().rules[code]
    return run_rule(rule, evidence, pack().parameters(rule), pack().rubric.clauses[code].rows or (None,))


def judged(code: str, made: dict[str, str]) -> str:
    """The verdict in a word, with its reason where it is unknown."""
    verdict = next(iter(ruling(code, made).verdicts.values()))
    return f"unknown({verdict.reason})" if verdict.reason is not None else str(verdict.judgement)


def told(code: str, made: dict[str, str]) -> list[str]:
    return [finding.message for finding in ruling(code, made).findings if finding.code == code]


def places(code: str, made: dict[str, str]) -> list[str]:
    """What the findings point at, as text."""
    submission = Submission.from_files(made)
    found = []
    for finding in ruling(code, made).findings:
        assert finding.span is not None
        text = submission.text(finding.span.file)
        assert text is not None
        found.append(text.slice(finding.span))
    return found
