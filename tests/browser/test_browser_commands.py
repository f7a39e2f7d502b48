"""The commands that open a browser, as they are called."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from husky_lint.browser import pool
from husky_lint.browser.confirming import Compared, Confirmation, SpotCheck
from husky_lint.cli import main
from husky_lint.judging import check
from husky_lint.rule import Verdict
from tests.toy_pack import toy_pack  # noqa: F401 - a fixture

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from husky_lint.browser.pool import Request
    from husky_lint.judging import Options

Capture: TypeAlias = pytest.CaptureFixture[str]

STRIDE = "<style>@keyframes go { to { transform: translateX(400px) } } #a { animation: go 2s linear infinite }</style>"
PAGE = f"""<!doctype html><title>A page</title>{STRIDE}<body style="margin: 0; height: 2000px">
<svg id="scene" viewBox="0 0 900 460" width="900"><rect id="a" y="200" width="60" height="60" fill="#c00"/></svg>"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A submission ``page`` in the current folder."""
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "index.html").write_text(PAGE, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "call",
    [
        ["confirm", "page"],
        ["confirm", "page", "page", "--format", "json"],
        ["check", "page", "--confirm", "auto"],
        ["gate", "page", "--min", "1", "--confirm", "auto"],
        ["poses", "page", "-o", "out", "--browser"],
        ["responsive", "page", "-o", "out"],
    ],
    ids=" ".join,
)
def test_a_missing_browser_is_one_line_and_2(
    call: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("HUSKY_LINT_CHROMIUM", "/no/such/browser")
    assert main(call) == 2
    said = capsys.readouterr()
    assert said.err == "husky-lint: error: HUSKY_LINT_CHROMIUM names '/no/such/browser', which cannot be run\n"
    assert said.out == ""
    assert not (folder / "out").exists()


@pytest.mark.parametrize("rows", ["", "0", "16", "two", "1,,2", "2 3"])
def test_rows_that_are_none_are_a_wrong_call(folder: Path, capsys: Capture, rows: str) -> None:
    assert main(["confirm", "page", "--rows", rows]) == 2
    assert capsys.readouterr().err == (
        "husky-lint: error: --rows takes numbers of rows (1 to 15) with commas, or 'unknown'\n"
    )


class TestWhatTheBrowserSaysCounts:
    """With a browser that always finds the toy's title clause broken, where the source finds it kept."""

    @pytest.fixture(autouse=True)
    def _refuting(self, folder: Path, monkeypatch: pytest.MonkeyPatch, toy_pack: str) -> None:  # noqa: F811
        def confirm_paths(
            paths: list[str], options: Options, request: Request, jobs: int = 1
        ) -> Iterator[Confirmation]:
            self.requests.append(request)
            for path in paths:
                static = check(path, options)
                (folder / "page" / "index.html").write_text("<p>", "utf-8")
                clause = Compared("HB7001", "title", 1, Verdict.passed(), Verdict.failed("it went away"))
                yield Confirmation(path, static, check(path, options), (clause,), SpotCheck())

        self.requests: list[Request] = []
        self.pack = toy_pack
        monkeypatch.setattr(pool, "confirm_paths", confirm_paths)

    def run(self, *call: str) -> int:
        return main([*call, "--pack", self.pack])

    def test_in_confirm(self, capsys: Capture) -> None:
        assert self.run("confirm", "page") == 1
        assert "fault of husky-lint: HB7001 title (row 1)" in capsys.readouterr().out
        assert [request.mode for request in self.requests] == ["all"]

    def test_in_confirm_as_json(self, capsys: Capture) -> None:
        assert self.run("confirm", "page", "--format", "json", "--rows", "unknown") == 1
        (entry,) = json.loads(capsys.readouterr().out)["submissions"]
        assert (entry["confirmed"], entry["clauses"][0]["status"]) == (False, "disagrees")
        assert [request.mode for request in self.requests] == ["auto"]

    def test_in_check(self, capsys: Capture) -> None:
        assert self.run("check", "page", "--format", "json", "--confirm", "always") == 1
        said = capsys.readouterr()
        card: dict[str, Any] = json.loads(said.out)["submissions"][0]
        assert card["rows"][0]["verdict"] == "fail"
        assert said.err.startswith("husky-lint: page: fault of husky-lint: HB7001 title (row 1); the source says pass")

    def test_in_gate(self, capsys: Capture) -> None:
        assert self.run("gate", "page", "--min", "9", "--confirm", "auto", "--format", "json") == 1
        assert [item["path"] for item in json.loads(capsys.readouterr().out)["drop"]] == ["page"]
        assert [(request.mode, request.gate) for request in self.requests] == [("auto", 9.0)]


def size(picture: Path) -> tuple[int, int]:
    """Width and height that the head of a PNG states."""
    head = picture.read_bytes()[:24]
    assert head.startswith(b"\x89PNG\r\n")
    width, height = struct.unpack(">II", head[16:24])
    return width, height


@pytest.mark.browser
@pytest.mark.usefixtures("visits")
def test_pictures_are_written(folder: Path, capsys: Capture) -> None:
    assert main(["poses", "page", "-o", "poses", "--browser"]) == 0
    assert capsys.readouterr().out == "poses: 2 pictures\n"
    assert {path.name for path in (folder / "poses").iterdir()} == {"walk.png", "walk-skeleton.png"}
    assert size(folder / "poses" / "walk.png")[0] == 4 * 420 + 3 * 12 + 2 * 20
    assert main(["responsive", "page", "-o", "pages"]) == 0
    capsys.readouterr()
    shots = {path.stem: size(path) for path in (folder / "pages").iterdir()}
    assert set(shots) == {"desktop-day", "phone-day", "responsive"}
    assert shots["desktop-day"][0] == 1280 + 40
    assert shots["desktop-day"][1] > 2000
    assert shots["phone-day"][0] == 390 + 40


@pytest.mark.parametrize("command", ["responsive", "poses"])
@pytest.mark.browser
@pytest.mark.usefixtures("visits")
def test_what_cannot_be_shown_is_1_and_a_line(folder: Path, capsys: Capture, command: str) -> None:
    (folder / "page" / "index.html").unlink()
    (folder / "page" / "other.txt").write_text("x", "utf-8")
    assert main([command, "page", "-o", "out", *(["--browser"] if command == "poses" else [])]) == 1
    said = capsys.readouterr()
    assert said.err == "husky-lint: page: there is no index.html\n"
    assert not (folder / "out").exists()


def test_a_theme_goes_with_the_browser(folder: Path, capsys: Capture) -> None:
    assert main(["poses", "page", "-o", "out", "--theme", "night"]) == 2
    assert capsys.readouterr().err == "husky-lint: error: --theme goes with --browser\n"
