"""Confirming many: order, deaths, what opens a browser at all."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from husky_lint.browser import pool
from husky_lint.browser.chromium import ChromiumMissing
from husky_lint.browser.pool import Request, close_browser, confirm_path, confirm_paths
from husky_lint.browser.watchdog import descendants
from husky_lint.judging import Options
from tests.toy_pack import toy_pack  # noqa: F401 - a fixture

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from husky_lint.browser.confirming import Confirmation
    from husky_lint.browser.session import BrowserSession

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("visits")]

PAGE = "<!doctype html><title>A page</title><svg viewBox='0 0 900 460'><path d='M0 0h9v9z'/></svg><footer>x</footer>"
FOOTER = Request(rows=(15,), seconds=60.0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of submissions, which is the current one."""
    pages = {f"good{place}": PAGE for place in range(2)}
    pages["hangs"] = PAGE + "<script>while (true) {}</script>"
    pages["bursts"] = PAGE + "<script>const kept = []; while (true) kept.push(new Array(1e6).fill(0.5))</script>"
    for name, page in pages.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(page, "utf-8")
    (tmp_path / "pageless").mkdir()
    (tmp_path / "pageless" / "readme.md").write_text("no page", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def _no_browser_is_kept() -> Iterator[None]:
    yield
    close_browser()


def said(confirmations: Sequence[Confirmation]) -> list[dict[str, Any]]:
    """All that a report shows, without how long it took."""
    entries = [confirmation.to_json() for confirmation in confirmations]
    for entry in entries:
        entry["elapsed_s"] = entry["card"]["elapsed_s"] = 0
    return entries


def test_many_come_in_their_order_whatever_the_jobs(folder: Path) -> None:
    paths = ["good0", "bursts", "pageless", "missing", "good1"]
    before = set(descendants(os.getpid()))
    found = list(confirm_paths(paths, Options(), FOOTER, jobs=2))
    assert [confirmation.path for confirmation in found] == paths
    by_path = {confirmation.path: confirmation for confirmation in found}
    assert by_path["bursts"].trouble == "the page crashed"
    assert by_path["missing"].card.findings[0].code == "HB0001"
    assert [by_path[path].trouble for path in paths if path != "bursts"] == [""] * 4
    assert {clause.row for clause in by_path["good1"].clauses} == {15}
    assert any(clause.measured is not None for clause in by_path["good1"].clauses)
    again = said([confirm_path("good1", Options(), FOOTER)])
    assert said([by_path["good1"]]) == again
    assert json.loads(json.dumps(again, allow_nan=False)) == again
    close_browser()
    for _ in range(50):  # the workers' browsers go a moment after the workers
        left = [pid for pid in set(descendants(os.getpid())) - before if _is_chromium(pid)]
        if not left:
            break
        time.sleep(0.1)
    assert left == []


def test_a_page_that_hangs_costs_the_time_of_a_submission_and_no_more(folder: Path) -> None:
    found = confirm_path("hangs", Options(), replace(FOOTER, seconds=2.0))
    assert found.trouble == "the page was ended: it took more than 2 s"
    assert found.card.score == found.static.score
    assert confirm_path("good0", Options(), FOOTER).trouble == ""


def _is_chromium(pid: int) -> bool:
    try:
        return b"--headless" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def test_a_gate_opens_a_browser_for_those_alone_that_it_hangs_on(
    toy_pack: str,  # noqa: F811
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    visited: list[str] = []

    def browser() -> BrowserSession:
        visited.append("")
        raise ChromiumMissing("not needed")

    monkeypatch.setattr(pool, "browser", browser)
    options = Options(pack=toy_pack)
    # The toy's rubric leaves one row unknown: the score is 7 to 10.
    for minimum, opens in ((4.0, False), (9.0, True), (11.0, False)):
        visited.clear()
        try:
            confirmation = confirm_path("good0", options, Request("auto", gate=minimum))
            assert confirmation.card is confirmation.static
        except ChromiumMissing:
            pass
        assert bool(visited) is opens, minimum


def test_no_browser_concerns_every_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUSKY_LINT_CHROMIUM", "/no/such/browser")
    with pytest.raises(ChromiumMissing):
        next(confirm_paths(["good0", "good1"], Options(), FOOTER, jobs=2))


def test_a_browser_that_does_not_start_is_told_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = folder / "browser"
    program.write_text("#!/bin/sh\nexit 3\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("HUSKY_LINT_CHROMIUM", str(program))
    with pytest.raises(ChromiumMissing, match="does not start"):
        list(confirm_paths(["good0"], Options(), FOOTER))


@pytest.mark.parametrize(
    "hostile",
    [
        # As text that becomes code: what the source tells of itself (departures.py) is not asked of the page.
        "addEventListener('load', () => Function('document.documentElement.remove()')())",
        "addEventListener('load', () => Function('setTimeout(() => location.reload(), 10)')())",
        "Promise = Array.from = Object.freeze = null",
    ],
)
def test_a_page_that_cannot_be_asked_is_not_confirmed(folder: Path, hostile: str) -> None:
    (folder / "good0" / "index.html").write_text(f"{PAGE}<script>{hostile}</script>", "utf-8")
    assert "does not answer" in confirm_path("good0", Options(), FOOTER).trouble


def test_what_the_source_is_in_doubt_about_is_no_fault(folder: Path) -> None:
    policy = "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"
    page = PAGE.replace("<svg", f"{policy}<style>svg {{ width: 90px }} path {{ transform: scale(9) }}</style><svg")
    (folder / "good0" / "index.html").write_text(page, "utf-8")
    found = confirm_path("good0", Options(), FOOTER)
    assert (found.is_confirmed, found.spot_check.compared) == (True, 0)
    assert all("content security policy" in reason for reason in found.spot_check.skipped.values())
