"""Which browser is taken, and how it is started."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from husky_lint.browser import chromium
from husky_lint.browser.chromium import ChromiumMissing, find_chromium, launch

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of PATH, without a browser."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(chromium.VARIABLE, raising=False)
    monkeypatch.setattr(chromium, "_SYSTEM_FOLDERS", str(tmp_path))
    return tmp_path


def program(place: Path) -> str:
    place.parent.mkdir(exist_ok=True)
    place.write_text("#!/bin/sh\n", "utf-8")
    place.chmod(0o755)
    return str(place)


def playwright(own: str) -> Any:
    return SimpleNamespace(chromium=SimpleNamespace(executable_path=own))


def test_the_variable_then_playwrights_own_then_the_systems(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = program(places / "chromium")
    own, chosen = places / "own" / "chrome", program(places / "chosen" / "chrome")
    assert find_chromium(playwright(str(own))) == system
    program(own)
    assert find_chromium(playwright(str(own))) == str(own)
    monkeypatch.setenv(chromium.VARIABLE, chosen)
    assert find_chromium(playwright(str(own))) == chosen


@pytest.mark.parametrize("named", [None, "/no/such/browser", "nosuchbrowser"])
def test_a_missing_one_is_one_line(places: Path, monkeypatch: pytest.MonkeyPatch, named: str | None) -> None:
    if named is not None:
        monkeypatch.setenv(chromium.VARIABLE, named)
    with pytest.raises(ChromiumMissing) as missing:
        find_chromium(playwright("/no/such/chrome"))
    said = str(missing.value)
    assert "\n" not in said
    assert (named or "python -m playwright install chromium") in said


@pytest.mark.browser
def test_what_is_no_browser_is_said_in_one_line(visits: object, places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUSKY_LINT_CHROMIUM", program(places / "false"))
    with pytest.raises(ChromiumMissing, match=r"^\S+false does not start: .+$"):
        launch()


@pytest.mark.parametrize(("user", "sandbox"), [(0, False), (1000, True)])
def test_the_sandbox_stays_on_unless_root(monkeypatch: pytest.MonkeyPatch, user: int, sandbox: bool) -> None:
    given: dict[str, Any] = {}
    fake = playwright(sys.executable)
    fake.chromium.launch = lambda **options: given.update(options)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    launch(fake)
    assert given["chromium_sandbox"] is sandbox
    assert "--no-sandbox" not in given["args"]
