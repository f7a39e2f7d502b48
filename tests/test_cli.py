"""The command line: exit statuses, formats, pure stdout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from husky_lint.cli import main
from tests.toy_pack import toy_pack  # noqa: F401 - a fixture

Toy = Callable[..., int]
Capture: TypeAlias = pytest.CaptureFixture[str]

GOOD = "<!doctype html><title>t</title>\n"
BAD = GOOD + "<p>\n<marquee>x</marquee>\n"


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a good and a bad submission, away from any configuration."""
    for name, page in (("good", GOOD), ("bad", BAD)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(page)
    monkeypatch.chdir(tmp_path)
    for variable in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


@pytest.fixture
def toy(toy_pack: str, folders: Path) -> Toy:  # noqa: F811
    """Run a command with the toy pack; one path at a time, so that it stays in this process."""

    def run(command: str, *arguments: str) -> int:
        return main([command, *arguments, "--pack", toy_pack])

    return run


def test_help_names_every_command(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["--help"])
    assert exit_.value.code == 0
    out = capsys.readouterr().out
    assert all(command in out for command in ("check", "gate", "explain", "rules", "trace"))


def test_a_good_submission_exits_0(toy: Toy, capsys: Capture) -> None:
    assert toy("check", "good") == 0
    captured = capsys.readouterr()
    assert "no findings" in captured.out
    assert captured.err == ""


def test_an_error_exits_1_whatever_the_format(toy: Toy, capsys: Capture) -> None:
    for name in ("text", "concise", "json", "jsonl"):
        assert toy("check", "bad", "--format", name) == 1
        assert capsys.readouterr().err == ""


def test_min_score(toy: Toy) -> None:
    assert toy("check", "good", "--min-score", "7") == 0
    assert toy("check", "good", "--min-score", "7.5") == 1


def test_concise_can_be_clicked(toy: Toy, capsys: Capture) -> None:
    toy("check", "bad", "--format", "concise")
    assert capsys.readouterr().out == "bad/index.html:3:1: HB7002 1 marquee, expected none\n"


def test_concise_of_a_single_file_names_it_once(toy: Toy, capsys: Capture) -> None:
    toy("check", "bad/index.html", "--format", "concise")
    assert capsys.readouterr().out.startswith("bad/index.html:3:1: ")


def test_json(toy: Toy, capsys: Capture) -> None:
    toy("check", "bad", "--format", "json", "--statistics")
    document = json.loads(capsys.readouterr().out)
    assert document["tool"]["name"] == "husky-lint"
    assert document["submissions"][0]["path"] == "bad"
    assert document["submissions"][0]["findings"][0]["end_column"] == 10
    assert document["statistics"] == {"HB7002": 1}


def test_output_is_a_whole_file(toy: Toy, folders: Path, capsys: Capture) -> None:
    assert toy("check", "bad", "--format", "json", "--output", "report.json") == 1
    assert capsys.readouterr().out == ""
    assert json.loads(Path("report.json").read_text())["submissions"]
    assert sorted(p.name for p in folders.iterdir()) == ["bad", "good", "report.json"]


def test_text_shows_the_frame(toy: Toy, capsys: Capture) -> None:
    toy("check", "bad")
    out = capsys.readouterr().out
    assert "error[HB7002] marquee: 1 marquee, expected none" in out
    assert "3 │ <marquee>x</marquee>\n  │ ^^^^^^^^^\n" in out
    assert "4 – 10 of 10" not in out
    assert "7 of 10" in out


def test_text_has_no_escape_sequences_unless_asked(toy: Toy, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    toy("check", "bad")
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setenv("FORCE_COLOR", "1")
    toy("check", "bad")
    assert "\x1b[" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    toy("check", "bad")
    assert "\x1b" not in capsys.readouterr().out


def test_no_escape_sequence_of_a_file_reaches_the_terminal(toy: Toy, folders: Path, capsys: Capture) -> None:
    (folders / "bad" / "index.html").write_text(GOOD + "\x1b[2J\u202e<marquee>")
    toy("check", "bad")
    toy("check", "bad", "--format", "concise")
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_carets_stand_under_wide_and_tabbed_text(toy: Toy, folders: Path, capsys: Capture) -> None:
    (folders / "bad" / "index.html").write_text(GOOD + "\t犬<marquee>")
    toy("check", "bad")
    assert "2 │  犬<marquee>\n  │    ^^^^^^^^^\n" in capsys.readouterr().out


def test_select_and_ignore(toy: Toy, capsys: Capture) -> None:
    assert toy("check", "bad", "--select", "HB7001") == 0
    assert toy("check", "bad", "--ignore", "marquee,HB7001") == 0
    assert toy("check", "bad", "--select", "hb7") == 1
    capsys.readouterr()


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["frobnicate"],
        ["check"],
        ["check", "good", "--format", "pdf"],
        ["check", "good", "--select", "HB8"],
        ["check", "good", "--select", ""],
        ["check", "good", "--min-score", "much"],
        ["check", "good", "--pack", "wolf"],
        ["check", "good", "--jobs", "0"],
        ["check", "good", "--time-limit", "nan"],
        ["check", "good", "--config", "nowhere.toml"],
        ["check", "good", "--output", "no/such/folder/report"],
        ["gate", "good"],
        ["explain", "HB9999"],
    ],
)
def test_a_wrong_call_exits_2_with_one_line(arguments: list[str], folders: Path, capsys: Capture) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("husky-lint: error: ")
    assert captured.err.count("\n") == 1


def test_a_path_that_is_not_there_is_a_finding(toy: Toy, capsys: Capture) -> None:
    assert toy("check", "nowhere", "--format", "json") == 1
    card = json.loads(capsys.readouterr().out)["submissions"][0]
    assert card["findings"][0]["code"] == "HB0001"
    assert card["score"]["high"] == 0


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[tool.husky-lint]\nselect = 'HB'", "select"),
        ("[tool.husky-lint]\nmin-score = true", "min-score"),
        ("[tool.husky-lint]\nmin_score = 3", "min_score"),
        ("[tool.husky-lint]\nselect = ['HB8']", "HB8"),
        ("[tool.husky-lint]\njobs = 1.5", "jobs"),
        ("[tool.husky-lint]\nrig = {ear = 3}", "rig"),
        ("[tool]\nhusky-lint = 3", "table"),
        ("[tool", "pyproject.toml"),
    ],
)
def test_a_wrong_configuration_exits_2_with_one_line(text: str, complaint: str, folders: Path, capsys: Capture) -> None:
    (folders / "pyproject.toml").write_text(text)
    assert main(["check", "good"]) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert err.count("\n") == 1


def test_configuration_is_read_and_the_call_wins(toy: Toy, folders: Path, capsys: Capture) -> None:
    (folders / "husky-lint.toml").write_text("ignore = ['HB7002']\nmin-score = 7")
    assert toy("check", "bad") == 0
    assert toy("check", "bad", "--min-score", "9") == 1
    assert toy("check", "bad", "--ignore", "HB7001") == 1
    capsys.readouterr()


def test_a_submission_does_not_configure_its_own_judgement(toy: Toy, folders: Path, capsys: Capture) -> None:
    (folders / "bad" / "husky-lint.toml").write_text("ignore = ['HB7002']")
    assert toy("check", "bad") == 1
    capsys.readouterr()


def test_gate(toy: Toy, capsys: Capture) -> None:
    assert toy("gate", "good", "--min", "7", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["keep"] == [{"path": "good", "low": 7.0, "high": 10.0, "why": ""}]
    assert toy("gate", "good", "--min", "8") == 3
    assert "render  1 of 1" in capsys.readouterr().out
    assert toy("gate", "bad", "--min", "8", "--format", "json") == 1
    assert json.loads(capsys.readouterr().out)["drop"][0]["path"] == "bad"
    assert toy("gate", "nowhere", "--min", "0") == 1
    capsys.readouterr()


def test_explain(toy: Toy, capsys: Capture) -> None:
    for topic in ("HB7001", "hb7001", "title"):
        assert toy("explain", topic) == 0
        page = capsys.readouterr().out
        assert page.startswith("# HB7001 title\n")
        assert "row 1 (Has a title, 4 points); core" in page
        assert "## Example that fails" in page
    assert toy("explain", "short") == 0
    assert "- `longest`: 10 (chosen)" in capsys.readouterr().out
    assert toy("explain", "rule-crash") == 0
    assert "fault of husky-lint" in capsys.readouterr().out
    assert toy("explain", "HB0001") == 0
    assert toy("explain", "later") == 0
    assert "not-implemented" in capsys.readouterr().out


def test_rules(toy: Toy, capsys: Capture) -> None:
    assert toy("rules", "--format", "json") == 0
    rules = {rule["code"]: rule for rule in json.loads(capsys.readouterr().out)["rules"]}
    assert rules["HB7001"]["core"] is True
    assert rules["HB7001"]["rows"] == [1]
    assert rules["HB7004"]["implemented"] is False
    assert rules["HB7005"]["tolerances"] == {"longest": 10}
    assert toy("rules") == 0
    assert "no rule yet" in capsys.readouterr().out


def test_show_states(folders: Path, capsys: Capture) -> None:
    css = "<style>[data-theme=night] svg{fill:red}</style><svg><rect/></svg>"
    (folders / "good" / "index.html").write_text(GOOD + css)
    main(["check", "good", "--show", "states", "--format", "json"])
    states = json.loads(capsys.readouterr().out)["submissions"][0]["states"]
    assert set(states) == {"pace", "theme", "paused", "motion"}
    assert "data-theme" in states["theme"]["night"]["style"]
    assert "index.html:2:8" in states["theme"]["night"]["style"]
    assert states["pace"]["hop"] == {"unknown": "nothing on the page spells it"} or "reason" in states["pace"]["hop"]
    main(["check", "good", "--show", "states"])
    assert "    night\n" in capsys.readouterr().out
    main(["check", "nowhere", "--show", "states"])
    assert "unreadable" in capsys.readouterr().out


def test_the_order_of_output_is_the_order_of_the_call(folders: Path, capsys: Capture) -> None:
    paths = ["good", "nowhere", "bad", "good", "also-nowhere"]
    seen = []
    for jobs in ("1", "2"):
        main(["check", *paths, "--format", "jsonl", "--jobs", jobs])
        cards = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [card["path"] for card in cards] == paths
        for card in cards:
            card["elapsed_s"] = 0
        seen.append(cards)
    assert seen[0] == seen[1]


def run_command(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "husky_lint", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **options)


def test_help_loads_nothing_heavy() -> None:
    code = "import sys; from husky_lint.cli import build_parser; build_parser(); print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"numpy", "lxml", "rich", "tinycss2", "turbohtml", "shapely", "networkx", "multiprocessing", "tomllib"}
    assert heavy.isdisjoint(loaded)
    assert not any(name.startswith("husky_lint.rules") for name in loaded)


def test_a_reader_that_leaves_ends_it_quietly(folders: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        command = [sys.executable, "-m", "husky_lint", "check", "good", "bad", "--jobs", "1"]
        done = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert done.stderr == ""
    assert done.returncode == 141


def test_a_stdout_that_cannot_say_it_all(folders: Path) -> None:
    done = run_command("check", "bad", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode in (0, 1)
    assert done.stderr == ""
    assert "\\u" in done.stdout
