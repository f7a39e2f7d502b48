"""Content security policies: those that may keep the page's own code away, and those that cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest

from husky_lint.browser.serving import Origin
from husky_lint.evidence import StaticEvidence
from husky_lint.judging import Options, check
from husky_lint.packs import load_pack
from husky_lint.policy import blocking_policy
from husky_lint.rule import Judgement, Reason
from husky_lint.submission import Submission
from tests.toy_pack import toy_pack  # noqa: F401 - a fixture

if TYPE_CHECKING:
    from husky_lint.browser.session import BrowserSession


def submission(policy: str, name: str = "Content-Security-Policy") -> Submission:
    page = f'<!doctype html><meta http-equiv="{name}" content="{policy}"><title>A page</title>'
    return Submission.from_files({"index.html": page})


BLOCKING = [
    "default-src 'none'",
    "default-src 'self'",
    "script-src 'self'; style-src 'self' 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    "img-src https:",
    "DEFAULT-SRC 'self' 'UNSAFE-INLINE' 'nonce-abc'",
    "default-src 'self' 'unsafe-inline'; style-src-attr 'none'",
    "default-src 'self' 'unsafe-inline', script-src 'none'",
    "require-trusted-types-for 'script'",
    "upgrade-insecure-requests",  # of the page's own files too, where it comes over plain HTTP
]
HARMLESS = [
    "",
    "default-src 'self' 'unsafe-inline'",
    "script-src * 'unsafe-inline'; object-src 'none'; base-uri 'none'",
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
    "block-all-mixed-content",
    "img-src *; img-src 'none'",
]


@pytest.mark.parametrize("policy", BLOCKING)
def test_a_policy_that_may_block_is_a_doubt(policy: str) -> None:
    evidence = StaticEvidence(submission(policy), load_pack("husky").rubric)
    assert blocking_policy(evidence.page) is not None
    assert evidence.doubt is not None


@pytest.mark.parametrize("policy", HARMLESS)
def test_one_that_lets_the_page_be_is_none(policy: str) -> None:
    assert StaticEvidence(submission(policy), load_pack("husky").rubric).doubt is None


@pytest.mark.browser
@pytest.mark.parametrize("origin", get_args(Origin))
def test_chromium_keeps_nothing_away_under_those(visits: BrowserSession, origin: Origin) -> None:
    for policy in HARMLESS:
        page = f"""<!doctype html><meta http-equiv=Content-Security-Policy content="{policy}">
        <link rel=stylesheet href=s.css><style>p {{ width: 7px }}</style><p style="height: 5px">x</p>
        <script>document.title = 'i'</script><script src=a.js></script><img src=i.svg onload="document.title += 'a'">"""
        svg = "<svg xmlns='http://www.w3.org/2000/svg' width='3' height='3'/>"
        files = {"s.css": "p { margin: 1px }", "a.js": "document.title += 'f'", "i.svg": svg}
        with visits.visit(Submission.from_files({"index.html": page, **files}), origin=origin) as visit:
            style = "getComputedStyle(document.querySelector('p'))"
            shown = visit.page.evaluate(f"[{style}.width, {style}.height, {style}.marginTop, document.title]")
        assert shown == ["7px", "5px", "1px", "ifa"], policy


def test_nothing_passes_under_a_policy_that_may_block(toy_pack: str) -> None:  # noqa: F811
    options = Options(pack=toy_pack)
    assert check(submission("default-src 'self'", "Refresh"), options).verdict("HB7001") is Judgement.PASS
    (result,) = check(submission("default-src 'self'"), options).clauses["HB7001"]
    assert (result.verdict.judgement, result.verdict.reason) == (Judgement.UNKNOWN, Reason.NEEDS_BROWSER)
    assert "default-src 'self'" in result.verdict.detail
