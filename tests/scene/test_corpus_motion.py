"""The corpus: static boxes equal Chromium's in every pace and theme, still and moving, on every element."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from husky_lint.style.media import MediaContext
from tests.scene.oracle import BY_CURRENT_TIME, TOLERANCE, differences, measure, static_motion

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page

PACES = ("stroll", "walk", "hop", "zoomies")
TIMES = np.linspace(0.0, 2.3, 48).tolist()

# Press the page's own button that is called so, now (a click by coordinates waits for the page to hold still).
_PRESS = """name => {
  const words = button => (button.textContent + ' ' + Object.values(button.dataset).join(' ')).toLowerCase();
  [...document.querySelectorAll('button')].find(button => words(button).includes(name)).click();
}"""


@pytest.mark.browser
@pytest.mark.parametrize("reduced_motion", [False, True], ids=["moving", "reduced"])
def test_boxes_equal_those_of_chromium(
    page: Callable[..., Page], corpus_submission: Path, reduced_motion: bool
) -> None:
    options: dict[str, Any] = {"reduced_motion": "reduce"} if reduced_motion else {}
    sheets = {path.name: path.read_text("utf-8") for path in corpus_submission.glob("*.css")}
    for pace, night in itertools.product(PACES, (False, True)):
        browser_page = page(**options)  # a fresh one: the page keeps its theme
        browser_page.goto((corpus_submission / "index.html").as_uri())
        browser_page.evaluate(_PRESS, pace)
        if night:
            browser_page.evaluate(_PRESS, "night")
        measured = measure(browser_page, BY_CURRENT_TIME, TIMES)
        motion = static_motion(measured.html, sheets, media=MediaContext(reduced_motion=reduced_motion))
        found = differences(motion, measured, TIMES)
        worst = [difference for difference in found if difference.amount > TOLERANCE]
        assert not worst, f"{pace}, {'night' if night else 'day'}: {len(worst)} elements, first {worst[0]}"
        assert not motion.unknown
        assert len(found) == len(measured.paths) > 100
