"""Static styles equal Chromium's over the corpus, in every state that the page's own controls reach."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from husky_lint.style.states import MediaContext
from tests.style.chromium_styles import PROPERTIES, differences, snapshot, styled_snapshot

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def _check(page: Page, folder: Path, media: MediaContext, label: str) -> None:
    taken = snapshot(page)
    styled = styled_snapshot(taken.html, folder, media)
    found = [(repr(style.node), *row) for style, *row in differences(taken, styled)]
    counted = Counter(row[1] for row in found)
    assert not found, f"{label}: {len(found)} differences {dict(counted)}: {found[:8]}"


def test_every_pace_and_theme(corpus_submission: Path, page: Callable[..., Page]) -> None:
    opened = page()
    opened.goto((corpus_submission / "index.html").as_uri())
    for theme in ("day", "night"):
        opened.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        for pace in ("Stroll", "Walk", "Hop", "Zoomies"):
            opened.get_by_role("button", name=pace, exact=True).dispatch_event("click")
            _check(opened, corpus_submission, MediaContext(), f"{pace} {theme}")
    opened.get_by_role("button", name="Pause").first.dispatch_event("click")
    _check(opened, corpus_submission, MediaContext(), "paused")


def test_reduced_motion(corpus_submission: Path, page: Callable[..., Page]) -> None:
    opened = page(reduced_motion="reduce")
    opened.goto((corpus_submission / "index.html").as_uri())
    media = MediaContext(reduced_motion=True)
    for pace in ("Walk", "Hop", "Zoomies"):
        opened.get_by_role("button", name=pace, exact=True).dispatch_event("click")
        _check(opened, corpus_submission, media, f"still {pace}")
    opened.get_by_role("button", name="Start the walk").dispatch_event("click")
    _check(opened, corpus_submission, media, "started")


def test_narrow_viewport(corpus_submission: Path, page: Callable[..., Page]) -> None:
    opened = page(viewport={"width": 390, "height": 844})
    opened.goto((corpus_submission / "index.html").as_uri())
    _check(opened, corpus_submission, MediaContext(width=390, height=844), "390 px")


def test_the_comparison_can_fail(corpus_submission: Path, page: Callable[..., Page]) -> None:
    opened = page()
    opened.goto((corpus_submission / "index.html").as_uri())
    taken = snapshot(opened)
    wrong = styled_snapshot(taken.html.replace('data-theme="day"', 'data-theme="night"', 1), corpus_submission)
    assert "fill" in {row[1] for row in differences(taken, wrong)}
    assert len(PROPERTIES) > 20
