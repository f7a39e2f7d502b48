"""Random scenes: static boxes equal Chromium's, at every time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.scene.generator import TIMES, Scene, scenes
from tests.scene.oracle import BY_DELAY, TOLERANCE, differences, measure, static_motion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

EXAMPLES = 300
PAUSED = "<style>* { animation-play-state: paused !important }</style>"


@pytest.fixture(scope="module")
def blank(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": 1280, "height": 720})
    yield page
    page.close()


@pytest.mark.browser
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)
@given(scene=scenes())
def test_boxes_equal_those_of_chromium(blank: Page, scene: Scene) -> None:
    blank.set_content(scene.html + PAUSED)
    measured = measure(blank, BY_DELAY, TIMES)
    found = differences(static_motion(scene.html), measured, TIMES)
    assert not found or found[0].amount <= TOLERANCE, f"{found[0]}\n{scene.html}"
