"""From files to a scorecard: scores, findings, suppressions, what was not read."""

from __future__ import annotations

import gc
import json
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from husky_lint.rules.husky.tool_program import ToolFile
from husky_lint.rules.husky.tool_reading import Tools

import husky_lint
from husky_lint.judging import Options, check
from husky_lint.packs import PackError, load_pack, pack_names
from husky_lint.rule import Judgement, Reason, Severity
from husky_lint.scene.compiled import Compiler
from husky_lint.scene.graph import SceneNode
from husky_lint.scene.motion import Motion
from husky_lint.scorecard import RUN_FIELDS, Scorecard, plain
from husky_lint.script.machine import Machine
from husky_lint.script.model import ScriptModel
from husky_lint.style.computed import ComputedStyle, StyleEngine
from husky_lint.style.tree import Node
from husky_lint.submission import Submission
from tests.toy_pack import toy_pack  # noqa: F401 - a fixture

Judged = Callable[..., Scorecard]

TITLE = "<!doctype html><title>t</title>"


@pytest.fixture
def judged(toy_pack: str) -> Judged:  # noqa: F811
    def judge(page: str, **files: str) -> Scorecard:
        return check(Submission.from_files({"index.html": page, **files}), Options(pack=toy_pack))

    return judge


def test_the_pack_is_discovered(toy_pack: str) -> None:  # noqa: F811
    assert {"husky", "toy"} <= set(pack_names())
    assert set(load_pack(toy_pack).rules) == {"HB7001", "HB7002", "HB7003", "HB7005"}


def test_a_good_page(judged: Judged) -> None:
    card = judged(TITLE)
    assert (card.score.low, card.score.high, card.score.of, card.score.stated_total) == (7, 10, 10, 12)
    assert card.findings == ()
    assert not card.has_errors
    assert card.verdict("HB7004") is Judgement.UNKNOWN
    assert card.clauses["HB7004"][0].verdict.reason is Reason.NOT_IMPLEMENTED
    assert card.run == {**dict.fromkeys(RUN_FIELDS), "model": "toy-1"}


def test_a_finding_has_its_place_and_frame(judged: Judged) -> None:
    card = judged(f"{TITLE}\n<p>\n<marquee>x</marquee>\n<p>")
    (finding,) = card.findings
    place = finding.location
    assert place is not None
    assert finding.frame is not None
    assert (finding.code, finding.name, finding.row) == ("HB7002", "marquee", 2)
    assert (place.file, place.line, place.column, place.end_line, place.end_column) == ("index.html", 3, 1, 3, 10)
    assert finding.frame.first_line == 2
    assert finding.frame.lines == ("<p>", "<marquee>x</marquee>", "<p>")


def test_a_long_line_is_cut_around_the_finding(judged: Judged) -> None:
    card = judged(TITLE + "x" * 5000 + "<marquee>")
    (finding,) = card.findings
    assert finding.location is not None
    assert finding.frame is not None
    assert finding.location.column > 5000
    line = finding.frame.lines[0]
    assert len(line) <= 160
    start = finding.location.column - 1 - finding.frame.shift
    assert line[start : start + 9] == "<marquee>"


def test_a_crash_costs_its_own_clause(judged: Judged) -> None:
    card = judged(TITLE + "CRASH<marquee>")
    assert card.clauses["HB7003"][0].verdict.reason is Reason.RULE_CRASH
    assert card.verdict("HB7001") is Judgement.PASS
    assert [f.code for f in card.findings] == ["HB7002"]
    assert "asked to" in json.dumps(card.to_json())
    assert "Traceback" not in json.dumps(card.to_json())


def test_no_page_fails_what_speaks_of_the_page(toy_pack: str) -> None:  # noqa: F811
    card = check(Submission.from_files({"README.md": "x"}), Options(pack=toy_pack))
    assert card.verdict("HB7001") is Judgement.FAIL
    assert card.score.low == card.score.high == 0


def lines(card: Scorecard) -> list[int]:
    return [f.location.line for f in card.findings if f.location is not None]


def test_suppressions_silence_and_never_score(judged: Judged) -> None:
    page = f"{TITLE}\n<marquee> <!-- husky-lint-disable-line HB7002 -- wanted -->\n<marquee>"
    loud, quiet = judged(page.replace("disable-line", "nothing")), judged(page)
    assert lines(loud) == [2, 3]
    assert lines(quiet) == [3]
    assert quiet.suppressed == 1
    assert quiet.score == loud.score
    assert [r.verdict for r in quiet.rows] == [r.verdict for r in loud.rows]


@pytest.mark.parametrize(
    ("comment", "silenced"),
    [
        ("<!-- husky-lint-disable-next-line HB70 -->\n<marquee>", True),
        ("<!-- husky-lint-disable-next-line -->\n<marquee>", True),
        ("<!-- husky-lint-disable-next-line HB7001, HB7002 -->\n<marquee>", True),
        ("<!-- husky-lint-disable-next-line HB7001 -->\n<marquee>", False),
        ("<!-- husky-lint-disable-next-line HB7002 -->\n\n<marquee>", False),
        ("<!-- husky-lint-disable-file hb7002 -->\n\n\n<marquee>", True),
        ("<p>husky-lint-disable-file HB7002</p><marquee>", False),
    ],
)
def test_forms_of_suppression(judged: Judged, comment: str, silenced: bool) -> None:
    card = judged(f"{TITLE}\n{comment}")
    assert card.suppressed == int(silenced)
    assert len(card.findings) == int(not silenced)


def test_select_and_ignore_report_less_and_score_the_same(toy_pack: str) -> None:  # noqa: F811
    submission = Submission.from_files({"index.html": "<marquee>"})
    everything = check(submission, Options(pack=toy_pack))
    selected = check(submission, Options(pack=toy_pack, select=("HB7002",)))
    ignored = check(submission, Options(pack=toy_pack, ignore=("HB7002",)))
    assert {f.code for f in everything.findings} == {"HB7001", "HB7002"}
    assert {f.code for f in selected.findings} == {"HB7002"}
    assert {f.code for f in ignored.findings} == {"HB7001"}
    assert everything.score == selected.score == ignored.score


def test_what_cannot_be_read_is_a_finding_and_zeros(tmp_path: Path, toy_pack: str) -> None:  # noqa: F811
    card = check(tmp_path / "nowhere", Options(pack=toy_pack, select=("HB7002",), ignore=("HB",)))
    assert [(f.code, f.severity) for f in card.findings] == [("HB0001", Severity.ERROR)]
    assert [(r.verdict, r.low, r.high) for r in card.rows] == [(Judgement.FAIL, 0, 0)] * 2
    assert card.score.high == 0


def test_a_folder_of_submissions_is_named_not_expanded(tmp_path: Path, toy_pack: str) -> None:  # noqa: F811
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(TITLE)
    card = check(tmp_path, Options(pack=toy_pack))
    assert card.findings[0].code == "HB0001"
    assert "a, b" in card.findings[0].message


def test_an_unread_file_leaves_no_pass(toy_pack: str) -> None:  # noqa: F811
    from husky_lint.submission import MAX_FILE_BYTES

    files: dict[str, str | bytes] = {"index.html": TITLE + "<marquee>", "styles.css": b" " * (MAX_FILE_BYTES + 1)}
    card = check(Submission.from_files(files), Options(pack=toy_pack))
    assert card.findings[0].code == "HB0002"
    assert card.findings[0].severity is Severity.WARNING
    assert card.verdict("HB7001") is Judgement.UNKNOWN
    assert card.clauses["HB7001"][0].verdict.reason is Reason.LIMIT
    assert card.verdict("HB7002") is Judgement.FAIL


def test_a_pack_that_is_not_there() -> None:
    with pytest.raises(PackError):
        check(Submission.from_files({"index.html": ""}), Options(pack="wolf"))


def test_a_card_crosses_processes(judged: Judged) -> None:
    card = judged(TITLE + "<marquee>CRASH")
    assert pickle.loads(pickle.dumps(card)).to_json() == card.to_json()


def test_the_json_contract(judged: Judged) -> None:
    card = judged("<marquee>").to_json()
    assert set(card["score"]) == {"points", "low", "high", "of", "stated_total", "percent"}
    assert {"row", "title", "weight", "verdict", "points", "low", "high", "clauses"} == set(card["rows"][0])
    assert {"code", "name", "core", "verdict", "reason"} <= set(card["rows"][0]["clauses"][0])
    assert {
        "code", "name", "severity", "confidence", "message", "row",
        "file", "line", "column", "end_line", "end_column", "data", "fix",
    } <= set(card["findings"][0])  # fmt: skip
    assert set(card["run"]) == set(RUN_FIELDS)
    assert isinstance(card["elapsed_s"], float)
    json.dumps(card, allow_nan=False)


def test_public_names() -> None:
    card = husky_lint.check(Submission.from_files({"index.html": TITLE}))
    assert isinstance(card, husky_lint.Scorecard)
    assert card.score.of == 71
    assert card.score.stated_total == 75
    assert len(card.rows) == 15
    with pytest.raises(AttributeError):
        husky_lint.nothing  # noqa: B018
    with pytest.raises(husky_lint.SubmissionError):
        husky_lint.load("/no/such/folder")


def test_plain_makes_json_of_anything() -> None:
    import numpy as np

    said = plain({"a": float("nan"), 1: (np.float64(2), np.arange(3)), "s": {"y", "x"}, "o": object})
    assert said["a"] is None
    assert said["1"] == [2.0, [0, 1, 2]]
    assert said["s"] == ["x", "y"]
    nested: list[object] = []
    nested.append(nested)
    json.dumps(plain(nested))


def test_what_was_judged_does_not_wait_for_the_collector() -> None:
    """Nothing is left in circles that only the collector would find."""
    fixture = Path(__file__).parents[1] / "fixtures" / "reference"
    kinds = (ScriptModel, Machine, ToolFile, Tools, StyleEngine, ComputedStyle, Node, SceneNode, Motion, Compiler)
    check(fixture)
    gc.collect()
    gc.disable()
    try:
        before = {id(one) for one in gc.get_objects() if isinstance(one, kinds)}
        check(fixture)
        left = [type(one).__name__ for one in gc.get_objects() if isinstance(one, kinds) and id(one) not in before]
    finally:
        gc.enable()
    assert left == []
