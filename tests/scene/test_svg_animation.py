"""SVG animation elements in scenes, against Chromium."""

# ruff: noqa: E501 - markup reads best unbroken

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from husky_lint.evidence import StaticEvidence
from husky_lint.packs import pack_rubric
from husky_lint.submission import Submission
from tests.scene.oracle import BY_DELAY, TOLERANCE, differences, measure, static_motion

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

TIMES = (0.0, 0.21, 0.5, 0.93, 1.32, 2.17)

SCENES = [
    """<rect width="10" height="5"><animateTransform attributeName="transform" type="rotate" from="0 5 5" to="90 5 5"
    dur="1s" repeatCount="indefinite"/></rect>""",
    """<rect width="10" height="5" transform="translate(50 5)"><animateTransform attributeName="transform" type="scale"
    values="1;2;1" additive="sum" dur="1s" repeatCount="2"/></rect>""",
    """<g><animateTransform attributeName="transform" type="translate" values="0 0;30 10" dur="1s" fill="freeze"/>
    <circle r="5" cx="5"><animate attributeName="r" values="2;9;2" dur="2s" repeatCount="indefinite"/>
    <animate attributeName="cx" to="50%" dur="2s"/></circle></g>""",
    """<g style="transform: scale(2)"><animateTransform attributeName="transform" type="translate" values="0 0;30 10"
    dur="1s"/><rect width="3" height="3"/></g>""",
    """<g transform="scale(2)"><animateMotion path="M0 0h50v50" dur="2s" rotate="auto"/><rect width="3" height="3"/></g>""",
    """<path id="p" d="M0 0C50 0 60 90 100 20"/><g style="transform: scale(2); transform-origin: 10px 10px">
    <animateMotion dur="2s" repeatCount="indefinite"><mpath href="#p"/></animateMotion><rect width="3" height="3"/></g>""",
    """<path d="M0 0h10v10"><animate attributeName="d" values="M0 0h10v10;M0 0h30v20" dur="1s"/></path>
    <polygon points="0,0 10,0 10,10"><animate attributeName="points" to="0,0 30,0 5,50" dur="1s" begin="0.3s"/></polygon>
    <line x1="0" x2="10"><animate attributeName="x2" by="30" dur="1s"/><set attributeName="y2" to="30" begin=".4s"/></line>""",
    """<defs><rect id="r" width="5" height="5"><animate attributeName="x" from="0" to="50" dur="1s"/></rect></defs>
    <use href="#r"/><rect id="q" width="2" height="2"/><animate href="#q" attributeName="width" to="50" dur="1s"/>""",
]


@pytest.mark.browser
def test_boxes_equal_those_of_chromium(page: Callable[..., Page]) -> None:
    blank = page()
    for content in SCENES:
        html = f'<!doctype html><svg viewBox="0 0 200 100" width="800" height="400">{content}</svg>'
        blank.set_content(html)
        measured = measure(blank, BY_DELAY, TIMES)
        motion = static_motion(html)
        found = differences(motion, measured, TIMES)
        assert found[0].amount <= TOLERANCE, f"{found[0]}\n{content}"
        assert not motion.unknown


def test_what_waits_for_an_event_is_unknown() -> None:
    motion = static_motion(
        '<svg><g id="g"><animateTransform attributeName="transform" type="rotate" to="9" begin="g.click" dur="1s"/>'
        '<rect width="1" height="1"/></g><rect width="4" height="4"><animate attributeName="fill" to="red"/></rect></svg>'
    )
    assert {node.css_path: reason for node, reason in motion.unknown.items() if node.parent} == {
        "svg>g:nth-child(1)": "unsupported-css",
        "svg>g:nth-child(1)>rect:nth-child(2)": "unsupported-css",
    }


WRITTEN = """<!doctype html><svg id="scene" viewBox="0 0 200 100" width="800" height="400"><g>
<animateTransform id="a" attributeName="transform" type="translate" values="0 0;100 0;0 0" dur="0.8s" repeatCount="indefinite"/>
<rect width="10" height="10"/></g></svg><button id="hop">Hop</button><script>
document.getElementById('hop').onclick = function () {
  document.getElementById('scene').dataset.speed = 'hop';
  document.getElementById('a').setAttribute('dur', '0.4s');
};</script><style>[data-speed=hop] { color: red }</style>"""


def test_a_duration_that_script_writes_counts_in_its_state() -> None:
    evidence = StaticEvidence(Submission.from_files({"index.html": WRITTEN}), pack_rubric("husky"))
    group = evidence.scene.root.children[0]
    times = (10.0, 10.1, 10.2, 10.4)
    fast, slow = (evidence.motion(evidence.states.state(pace=pace)).matrix(group, times) for pace in ("hop", "walk"))
    assert slow[:, 4].tolist() == pytest.approx([100, 75, 50, 0])
    assert fast[:, 4].tolist() == pytest.approx([0, 50, 100, 0])
