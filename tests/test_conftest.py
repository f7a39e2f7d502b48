"""The browser fixture itself: local pages load, everything else is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page


@pytest.mark.browser
def test_local_files_load_and_the_network_is_refused(page: Callable[..., Page], tmp_path: Path) -> None:
    (tmp_path / "style.css").write_text("html { color: rgb(1, 2, 3) }", encoding="utf-8")
    (tmp_path / "index.html").write_text(
        "<link rel=stylesheet href=style.css><link rel=stylesheet href='http://localhost:9/x.css'>", encoding="utf-8"
    )
    tab = page(reduced_motion="reduce")
    refused: list[str] = []
    tab.on("requestfailed", lambda request: refused.append(request.url))
    tab.goto((tmp_path / "index.html").as_uri())
    assert tab.evaluate("getComputedStyle(document.documentElement).color") == "rgb(1, 2, 3)"
    assert tab.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches")
    assert refused == ["http://localhost:9/x.css"]


def test_corpus_submission_is_a_folder_with_a_page(corpus_submission: Path) -> None:
    assert (corpus_submission / "index.html").is_file()
