"""Whatever the files hold, there is a card: no traceback, no hang, no zero-width score."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from husky_lint.evidence import StaticEvidence
from husky_lint.judging import check
from husky_lint.packs import pack_rubric
from husky_lint.rule import PageMissing, Reason, Undecided
from husky_lint.submission import Submission

PIECES = st.sampled_from(
    [
        "<svg viewBox='0 0 900 460'>", "</svg>", "<g id=a>", "<use href='#a'/>", "<script>", "</script>", "<style>",
        "</style>", "<link rel=stylesheet href=styles.css>", "<base href='//x'>", "<img srcset=',,a 1x,b'>", "a{b:url(",
        "Model:", "Time Taken:", "<!--", "-->", "husky-lint-disable-file", "/*", "@import 'styles.css';",
        "\0", "\x1b[2J",
        "\ud800", "\r", "<template>", "<p style='x:url(\"", "}", "{", "viewBox", "🐕",
    ]
)  # fmt: skip
TEXT = st.lists(st.one_of(PIECES, st.text(max_size=6)), max_size=25).map("".join)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(page=TEXT, css=TEXT, script=TEXT, raw=st.binary(max_size=60))
def test_any_files_give_a_card(page: str, css: str, script: str, raw: bytes) -> None:
    files: dict[str, str | bytes] = {"index.html": page, "styles.css": css, "app.js": script, "favicon.ico": raw}
    submission = Submission.from_files(files)
    card = check(submission)
    assert 0 <= card.score.low <= card.score.high <= card.score.of
    crashes = [r for results in card.clauses.values() for r in results if r.verdict.reason is Reason.RULE_CRASH]
    assert not crashes, crashes
    json.dumps(card.to_json(), allow_nan=False)
    ask_everything(submission)


def ask_everything(submission: Submission) -> None:
    """Ask every question that needs no state; the only answers are answers and refusals."""
    evidence = StaticEvidence(submission, pack_rubric("husky"))
    for name in ("stylesheets", "scripts", "tools", "svg_files", "icons", "references", "comments", "scene"):
        with contextlib.suppress(Undecided, PageMissing):
            getattr(evidence, name)


@pytest.mark.parametrize(
    "page",
    [
        "<img srcset='" + "," * 200_000 + "'>",
        "<img srcset='" + "a," * 100_000 + "'>",
        "<svg><path fill='" + "url(" * 50_000 + "'/></svg>",
        "<svg><path fill='url(" + " " * 200_000 + "'/></svg>",
        "<p style='" + "a:url(((" * 30_000 + "'>",
        "<div>" * 20_000,
        "<svg>" + "<g>" * 20_000,
        "<!-- husky-lint-disable-line " + "HB " * 100_000,
        "Model:" * 50_000,
        "<style>" + "@import 'x';" * 5_000,
        "<script>" + "(" * 100_000,
    ],
    ids=lambda page: page[:24],
)
def test_large_and_deep_pages_end(page: str) -> None:
    submission = Submission.from_files({"index.html": page})
    card = check(submission)
    crashes = [r for results in card.clauses.values() for r in results if r.verdict.reason is Reason.RULE_CRASH]
    assert not crashes, crashes
    ask_everything(submission)
