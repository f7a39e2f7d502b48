"""What a rule says is settled into verdicts exactly as the contract has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from husky_lint.documentation import parse_documentation
from husky_lint.rule import (
    MAX_FINDINGS,
    REASONS,
    Confidence,
    Finding,
    Judgement,
    PageMissing,
    Reason,
    Rule,
    Ruling,
    Severity,
    Undecided,
    Verdict,
    rule,
    run_rule,
)
from husky_lint.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

Said = Finding | Verdict


def settle(*said: Said | Exception, rows: tuple[int | None, ...] = (None,)) -> dict[int | None, Verdict]:
    return dict(run(*said, rows=rows).verdicts)


def run(*said: Said | Exception, rows: tuple[int | None, ...] = (None,)) -> Ruling:
    @rule("HB9999")
    def judge(evidence: object) -> Iterator[Said]:
        for item in said:
            if isinstance(item, Exception):
                raise item
            yield item

    return run_rule(judge, object(), {}, rows)


def test_silence_is_a_pass() -> None:
    assert settle()[None] == Verdict.passed()


def test_an_error_fails_and_a_warning_does_not() -> None:
    assert settle(Finding("bad"))[None].judgement is Judgement.FAIL
    assert (
        settle(Finding("hm", severity=Severity.WARNING), Finding("fyi", severity=Severity.INFO))[None].judgement
        is Judgement.PASS
    )


def test_the_explicit_verdict_wins_over_findings() -> None:
    said = Verdict.unknown(Reason.THRESHOLD_SENSITIVE, "four numbers", data={"335": -1, "338": 2})
    assert settle(Finding("bad"), said)[None] is said


def test_findings_carry_the_code_of_the_rule_unless_they_name_another() -> None:
    ruling = run(Finding("own"), Finding("hidden", code="HB9001"))
    assert [f.code for f in ruling.findings] == ["HB9999", "HB9001"]


def test_a_finding_of_another_code_does_not_fail_this_clause() -> None:
    assert settle(Finding("hidden", code="HB9001"))[None].judgement is Judgement.PASS


def test_findings_reach_only_the_rows_they_name() -> None:
    verdicts = settle(Finding("no tool", row=14, core=True), rows=(1, 14))
    assert verdicts[1].judgement is Judgement.PASS
    assert verdicts[14].judgement is Judgement.FAIL
    assert verdicts[14].core is True


def test_one_core_failure_makes_the_clause_core() -> None:
    assert settle(Finding("css", core=False), Finding("syntax", core=True))[None].core is True
    assert settle(Finding("css", core=False))[None].core is False
    assert settle(Finding("plain"))[None].core is None


def test_a_failure_is_likely_only_if_every_error_is() -> None:
    likely = Finding("maybe", confidence=Confidence.LIKELY)
    assert settle(likely)[None].confidence is Confidence.LIKELY
    assert settle(likely, Finding("sure"))[None].confidence is Confidence.CERTAIN


def test_undecided_is_unknown_with_its_place() -> None:
    span = Span("a.css", 3, 9)
    verdict = settle(Undecided(Reason.UNSUPPORTED_CSS, "rotateX", span))[None]
    assert verdict == Verdict.unknown(Reason.UNSUPPORTED_CSS, "rotateX", span=span)


def test_a_counterexample_before_undecided_still_fails() -> None:
    assert settle(Finding("bad"), Undecided(Reason.LIMIT))[None].judgement is Judgement.FAIL


def test_a_missing_page_fails_the_clause() -> None:
    assert settle(PageMissing("there is no index.html"))[None] == Verdict.failed("there is no index.html", core=True)


@pytest.mark.parametrize("crash", [ValueError("boom"), RecursionError("deep"), MemoryError(), AssertionError()])
def test_a_crash_is_unknown_on_this_clause_and_keeps_its_message_out_of_the_verdict(crash: Exception) -> None:
    verdict = settle(Finding("bad"), crash)[None]
    assert verdict.reason is Reason.RULE_CRASH
    assert type(crash).__name__ in str(verdict.data["error"])
    assert verdict.detail == ""


def test_an_interrupt_is_not_swallowed() -> None:
    @rule("HB9999")
    def judge(evidence: object) -> Iterator[Said]:
        raise KeyboardInterrupt
        yield

    with pytest.raises(KeyboardInterrupt):
        run_rule(judge, object(), {})


def test_two_verdicts_for_one_row_are_a_crash_of_the_rule() -> None:
    assert settle(Verdict.passed(), Verdict.failed())[None].reason is Reason.RULE_CRASH


def test_a_verdict_for_each_row() -> None:
    verdicts = settle(Verdict.failed(row=1), Verdict.unknown(Reason.LIMIT, row=14), rows=(1, 14))
    assert [verdicts[1].judgement, verdicts[14].judgement] == [Judgement.FAIL, Judgement.UNKNOWN]


def test_findings_are_capped_and_counted() -> None:
    ruling = run(*(Finding(f"number {n}") for n in range(MAX_FINDINGS + 50)))
    assert len(ruling.findings) == MAX_FINDINGS + 1
    assert "50 more" in ruling.findings[-1].message
    assert ruling.verdicts[None].judgement is Judgement.FAIL


def test_an_error_behind_the_cap_still_decides() -> None:
    warnings = [Finding("w", severity=Severity.WARNING)] * (MAX_FINDINGS + 1)
    assert settle(*warnings, Finding("bad"))[None].judgement is Judgement.FAIL


def test_a_rule_that_never_ends_is_cut_off() -> None:
    @rule("HB9999")
    def judge(evidence: object) -> Iterator[Said]:
        while True:
            yield Finding("again", severity=Severity.WARNING)

    assert run_rule(judge, object(), {}).verdicts[None].reason is Reason.LIMIT


def test_parameters_come_by_name() -> None:
    @rule("HB9999")
    def judge(evidence: object, least: float, words: tuple[str, ...]) -> Iterator[Said]:
        if least > 3 and words:
            yield Finding("bad")

    assert isinstance(judge, Rule)
    assert judge.parameters == ("least", "words")
    assert run_rule(judge, object(), {"least": 4, "words": ("a",)}).verdicts[None].judgement is Judgement.FAIL
    assert run_rule(judge, object(), {"least": 3, "words": ("a",)}).verdicts[None].judgement is Judgement.PASS


def test_every_reason_is_documented() -> None:
    assert set(REASONS) == set(Reason)
    assert all(text.endswith(".") for text in REASONS.values())


PAGE = """One line.

    ## What it checks
    That it is.

    ## Why it matters
    Because.

    ## Example that fails
    ```html
    <svg viewBox="0 0 1 1">
    ```

    ```html
    index.html:
    <p>one
    tools/audit.js:
    x: 1
    favicon.ico: absent
    ```

    ## Example that passes
    ```css
    a { b: c }
    ```
    """


def test_documentation_is_read_by_its_headings() -> None:
    page = parse_documentation(PAGE)
    assert page.summary == "One line."
    assert page.what_it_checks == "That it is."
    assert page.why_it_matters == "Because."
    assert [e.snippet for e in page.failing] == ['<svg viewBox="0 0 1 1">\n', ""]
    assert page.failing[1].files == {"index.html": "<p>one\n", "tools/audit.js": "x: 1\n", "favicon.ico": None}
    assert page.passing[0].language == "css"


def test_a_docstring_without_headings_has_no_examples() -> None:
    assert parse_documentation("Only this.").failing == ()
