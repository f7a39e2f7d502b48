"""The skeleton submission with something put into it, judged by one rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from husky_lint.rules.husky.skeleton import fill

from husky_lint.documentation import Example
from husky_lint.evidence import StaticEvidence
from husky_lint.packs import load_pack
from husky_lint.rule import Judgement, run_rule
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Mapping

    from husky_lint.rule import Finding, Ruling, Verdict


def files_with(
    html: str = "", css: str = "", js: str = "", files: Mapping[str, str | bytes | None] | None = None
) -> dict[str, str | bytes]:
    """The skeleton's files: a snippet of HTML where it belongs, CSS and JS appended, files replaced or taken away."""
    filled = dict(fill(Example("html", html, {})))
    filled["styles.css"] = f"{filled['styles.css']!s}{css}"
    filled["app.js"] = f"{filled['app.js']!s}{js}"
    for path, content in (files or {}).items():
        if content is None:
            filled.pop(path, None)
        else:
            filled[path] = content
    return filled


def judge(
    code: str,
    html: str = "",
    css: str = "",
    js: str = "",
    files: Mapping[str, str | bytes | None] | None = None,
) -> Ruling:
    """What the rule of a clause says of :func:`files_with`."""
    pack = load_pack("husky")
    rule = pack.rules[code]
    evidence = StaticEvidence(Submission.from_files(files_with(html, css, js, files)), pack.rubric)
    return run_rule(rule, evidence, pack.parameters(rule), pack.rubric.clauses[code].rows or (None,))


def at(where: str, text: str) -> dict[str, Any]:
    """Keyword arguments of :func:`judge` and :func:`files_with`: a snippet by the name of where it goes."""
    return {where: text}


def verdict(ruling: Ruling, row: int | None = None) -> Verdict:
    """The verdict for a row, or the only one."""
    return ruling.verdicts[row] if row is not None else next(iter(ruling.verdicts.values()))


def judgement(ruling: Ruling, row: int | None = None) -> Judgement:
    found = verdict(ruling, row)
    assert found.data.get("error") is None, found.data
    return found.judgement


def errors(ruling: Ruling) -> list[Finding]:
    return [finding for finding in ruling.findings if finding.severity == "error"]
