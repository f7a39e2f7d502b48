"""Placements that hang on animated custom properties, against Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.scene.oracle import BY_DELAY, TOLERANCE, differences, measure, static_motion

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

TIMES = (0.0, 0.13, 0.31, 0.52, 0.77, 1.13)


def scene(
    syntax: str | None, end: str, rules: str, content: str, *, inherits: bool = True, initial: str = "1px"
) -> str:
    registered = f'@property --a {{ syntax: "{syntax}"; inherits: {str(inherits).lower()}; initial-value: {initial} }}'
    style = f"""{registered if syntax else ""} :root {{ --t: 0s }} @keyframes k {{ to {{ --a: {end} }} }}
    #g {{ animation: k 1s linear infinite; animation-delay: calc(0s - var(--t)) }} {rules}"""
    return f'<!doctype html><style>{style}</style><svg viewBox="0 0 200 100" width="800" height="400">{content}</svg>'


PAUSED = "<style>* { animation-play-state: paused !important }</style>"
SHAPE = '<rect id="r" width="10" height="5"/>'
SCENES = [
    scene("<angle>", "90deg", "#g { transform: rotate(var(--a)) }", f'<g id="g">{SHAPE}</g>', initial="0deg"),
    scene(
        "<angle>", "90deg", "#r { rotate: calc(var(--a) * 2) }", f'<g id="g">{SHAPE}<circle r="5"/></g>', initial="0deg"
    ),
    scene(None, "90deg", "#g { --a: 10deg } #r { rotate: var(--a) }", f'<g id="g">{SHAPE}</g>'),
    scene("<length>", "90px", "g, rect { translate: var(--a) }", f'<g id="g">{SHAPE}</g>', inherits=False),
    scene(
        "<number>",
        "3",
        "rect { scale: var(--a); transform-box: fill-box; transform-origin: center } #s { --a: 2 }",
        f'<g id="g">{SHAPE}<g id="s"><rect width="2" height="2"/></g></g>',
        initial="1",
    ),
    scene(
        "<length>",
        "30px",
        """@keyframes m { from { transform: translate(var(--a)) } to { transform: translate(0, var(--a)) } }
        #r { animation: m 2s linear infinite; animation-delay: calc(0s - var(--t)) }""",
        f'<g id="g">{SHAPE}</g>',
    ),
]


@pytest.mark.browser
def test_boxes_equal_those_of_chromium(page: Callable[..., Page]) -> None:
    blank = page()
    for html in SCENES:
        blank.set_content(html + PAUSED)
        measured = measure(blank, BY_DELAY, TIMES)
        motion = static_motion(html)
        found = differences(motion, measured, TIMES)
        assert found[0].amount <= TOLERANCE, f"{found[0]}\n{html}"
        assert not motion.unknown


def test_what_is_worked_out_further_up_or_sets_geometry_is_unknown() -> None:
    html = scene(
        "<length>",
        "30px",
        "#s { --b: calc(var(--a) * 2) } #r { translate: var(--b) } circle { r: var(--a) }",
        f'<g id="g"><g id="s">{SHAPE}</g><circle/><line x2="5"/></g>',
    )
    motion = static_motion(html)
    told = {node.name for node in motion.boxes([0.0])}
    assert told == {"line"}
    assert set(motion.unknown.values()) == {"unsupported-css"}
