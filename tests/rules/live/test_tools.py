"""The submission's own tools, run: what their endings prove, and the broken copies that the audit is tried on."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from husky_lint.rules.husky.live.mutants import mutants
from husky_lint.rules.husky.live.tools import judge_tools

from husky_lint.browser.live import judge_tools as judge_by_pack
from husky_lint.browser.tools_run import NodeMissing, ToolRun
from husky_lint.evidence import StaticEvidence
from husky_lint.judging import Options, rulings_of
from husky_lint.packs import load_pack
from husky_lint.rule import Confidence, Judgement, Reason, Ruling, Verdict
from husky_lint.submission import Submission
from tests.conftest import REPOSITORY
from tests.rules.live.pages import page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

PACK = load_pack("husky")
NOTHING = "console.log('errors: none');"
# What a copy is broken by stands at the end of the style sheet: an audit that looks there turns red as a measuring one.
WATCHFUL = """
const css = require("fs").readFileSync(require("path").join(__dirname, "../styles.css"), "utf8");
const found = ["direction: reverse", "play-state: running !", "delay: .17s"].filter((one) => css.includes(one));
console.log(`errors: ${found.length || "none"}`);
process.exit(found.length);
"""


WHOLE = StaticEvidence(page(), PACK.rubric)


def evidence(**tools: str) -> StaticEvidence:
    files = {path: file.raw for path, file in page().files.items()}
    files |= {f"tools/{name}.js": text.encode() for name, text in tools.items()}
    return StaticEvidence(Submission.from_files(files), PACK.rubric)


def verdict(ruling: Ruling) -> Judgement:
    return ruling.verdicts[14].judgement


def messages(found: Mapping[str, Ruling], code: str) -> list[str]:
    return [finding.message for finding in found[code].findings]


def test_a_broken_copy_is_broken_where_it_says_and_nowhere_before() -> None:
    told = WHOLE
    found = list(mutants(told))
    assert [one.code for one in found] == ["HB2401", "HB2204", "HB2411"]
    for one in found:
        assert one.submission.files.keys() == told.submission.files.keys()
        changed = [path for path, file in one.submission.files.items() if file.raw != told.submission.files[path].raw]
        assert changed == ["styles.css"]
        (before,) = rulings_of(told, PACK, (one.code,)).values()
        (after,) = rulings_of(StaticEvidence(one.submission, PACK.rubric), PACK, (one.code,)).values()
        assert next(iter(before.verdicts.values())).judgement is Judgement.PASS
        assert next(iter(after.verdicts.values())).judgement is Judgement.FAIL


def test_what_is_broken_already_makes_no_copy() -> None:
    restless = '#scene[data-paused="true"] .lower { animation-play-state: running; }'
    found = mutants(StaticEvidence(page(restless), PACK.rubric))
    assert [one.code for one in found] == ["HB2401", "HB2411", "HB2407"]


def test_styles_in_the_page_are_broken_there() -> None:
    made = page()
    html = made.files["index.html"].text.text.replace(
        '<link rel="stylesheet" href="styles.css">', f"<style>{made.files['styles.css'].text.text}</style>"
    )
    files: dict[str, str | bytes] = {path: file.raw for path, file in made.files.items() if path != "styles.css"}
    inline = Submission.from_files({**files, "index.html": html})
    (moonwalk,) = mutants(StaticEvidence(inline, PACK.rubric), 1)
    assert moonwalk.submission.files["index.html"].text.text.endswith("reverse !important; }\n</style>")


@pytest.mark.browser
@pytest.mark.usefixtures("chromium")
def test_an_audit_that_turns_red_on_every_copy() -> None:
    found = judge_by_pack(evidence(audit=WATCHFUL, poses=NOTHING, responsive=NOTHING), pack="husky")
    assert {code: verdict(ruling) for code, ruling in found.items()} == {
        "HB3007": Judgement.PASS,
        "HB3006": Judgement.PASS,
    }
    told = found["HB3007"].verdicts[14]
    assert told.confidence is Confidence.CERTAIN
    measured: Any = told.data["measured"]
    assert measured["tools"] == dict.fromkeys(("tools/audit.js", "tools/poses.js", "tools/responsive.js"), "clean")
    assert list(measured["the audit on broken copies"].values()) == ["red"] * 3


@dataclass(frozen=True, slots=True)
class Bench:
    """A workshop where tools end as a test has it: the audit of a submission, and on broken copies of it."""

    copy: Path
    submission: Submission
    endings: tuple[ToolRun, ToolRun]

    def run(self, tool: str, *, seconds: float) -> ToolRun:
        assert seconds > 0
        broken = b"!important" in self.submission.files["styles.css"].raw.splitlines()[-1]
        return replace(self.endings[broken and tool == "tools/audit.js"], tool=tool)


@pytest.mark.parametrize(
    ("on_copies", "judgement", "message", "exits"),
    [
        (ToolRun("", "failed", 1, "FAIL drift", 1.0, ""), Judgement.PASS, "", Judgement.PASS),
        (ToolRun("", "too long", None, "", 1.0, ""), Judgement.PASS, "", None),
        (ToolRun("", "clean", 0, "ok\nerrors: none", 1.0, ""), Judgement.FAIL, "stays green on a moonwalk", None),
        (ToolRun("", "clean", 0, "FAIL drift", 1.0, ""), Judgement.FAIL, "stays green on a moonwalk", Judgement.FAIL),
    ],
)
def test_what_the_audit_does_on_a_broken_copy(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    on_copies: ToolRun,
    judgement: Judgement,
    message: str,
    exits: Judgement | None,
) -> None:
    clean = ToolRun("", "clean", 0, "ok   no failures, errors: 0\nerrors: none", 1.0, "namespace")

    @contextmanager
    def bench(submission: Submission) -> Iterator[Bench]:
        yield Bench(tmp_path, submission, (clean, on_copies))

    monkeypatch.setattr("husky_lint.rules.husky.live.tools.workshop", bench)
    found = judge_tools(WHOLE)
    assert verdict(found["HB3007"]) is judgement
    assert message in " / ".join(messages(found, "HB3007"))
    assert (verdict(found["HB3006"]) if "HB3006" in found else None) is exits


@pytest.mark.browser
@pytest.mark.usefixtures("chromium")
def test_tools_that_fail_hang_are_missing_or_litter() -> None:
    told = evidence(
        audit="console.log('FAIL tail'); process.exit(1)",
        poses="require('fs').mkdirSync('tools/out'); require('fs').writeFileSync('tools/out/walk.png', '');",
        responsive="setInterval(() => {}, 1000);",
    )
    found = judge_tools(told, seconds=5.0)
    assert verdict(found["HB3007"]) is Judgement.FAIL
    assert [message.partition(":")[0] for message in messages(found, "HB3007")] == [
        "tools/audit.js exits with 1",
        "tools/responsive.js is too long",
    ]
    assert messages(found, "HB3005") == ["the tools write into the project: tools/out/walk.png"]
    assert "HB3006" not in found  # a red audit proves nothing by staying red


def test_without_node_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise NodeMissing("no Playwright for node: run `pip install 'husky-lint[browser]'`")

    monkeypatch.setattr("husky_lint.browser.tools_run.find_node", missing)
    (ruling,) = judge_tools(WHOLE).values()
    assert ruling.verdicts[14].reason is Reason.NEEDS_BROWSER
    assert "pip install" in ruling.verdicts[14].detail


@pytest.mark.parametrize("run_tools", [True, False])
def test_confirm_runs_tools_only_when_it_is_told_to(monkeypatch: pytest.MonkeyPatch, run_tools: bool) -> None:
    from husky_lint.browser import pool

    told = {"HB3007": Ruling((), {14: Verdict.passed()}), "HB3006": Ruling((), {14: Verdict.unknown(Reason.LIMIT)})}
    monkeypatch.setattr(pool, "judge_tools", lambda *_args, **_options: told)
    asked: dict[str, Any] = {}
    monkeypatch.setattr(pool, "browser", lambda: SimpleNamespace(allow=lambda _seconds: None))
    monkeypatch.setattr(pool, "confirm", lambda *_args, **options: asked.update(options))
    pool.confirm_path(str(REPOSITORY / "fixtures" / "reference"), Options(), pool.Request(run_tools=run_tools))
    assert (asked["tools"](WHOLE) if run_tools else asked["tools"]) == (told if run_tools else None)
