"""Reference boxes of pivots: the numbers of the drawing against those of the part."""

from __future__ import annotations

import pytest

from tests.rules.scenery import judged, page, places, told

WRONG = {
    "a leg in its own box": ".fore.near .upper { transform-box: fill-box }",
    "every part in its own box": ".upper, .lower, .pawgrp, .ear, .tail { transform-box: fill-box }",
    "the stroke's box": ".hind .upper { transform-box: stroke-box }",
    "percent of the view": ".ear { transform-origin: 50% 100% }",
    "the middle of the view": ".tail-tip { transform-origin: center }",
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_pivot_from_the_wrong_box(fault: str) -> None:
    assert judged("HB2113", page(css=WRONG[fault])) == "fail"


RIGHT = {
    "said": ".upper, .lower, .pawgrp { transform-box: view-box }",
    "in its own box": ".ear { transform-box: fill-box; transform-origin: 50% 100% }",
    "corners of its own box": ".tail { transform-box: fill-box; transform-origin: right bottom }",
    "pixels of its own box": ".ear { transform-box: fill-box; transform-origin: 19px 50px }",
    "a calc": ".fore.near .upper { transform-origin: calc(490px + 8px) 214px }",
    "variables": ".fore.near .upper { --x: 498px; transform-origin: var(--x) 214px }",
    "nothing that turns": ".sky { transform-box: fill-box; transform-origin: 450px 230px }",
    "the sky about the middle of the view": ".sky { transform-origin: 50% 50%; animation: spin 60s infinite } "
    "@keyframes spin { to { transform: rotate(1turn) } }",
    "a rule that loses": ".upper { transform-box: fill-box } #scene .upper { transform-box: view-box }",
}


@pytest.mark.parametrize("way", RIGHT)
def test_a_pivot_from_the_right_box(way: str) -> None:
    made = page(css=RIGHT[way])
    assert judged("HB2113", made) == "pass", told("HB2113", made)


def test_a_joint_by_translation_turns_about_its_own_zero() -> None:
    ear = '<g class="ear">'
    joint = '<g class="ear" style="transform-origin: 0 0">'
    moved = f'<g transform="translate(548 156)">{joint}<g transform="translate(-548 -156)">'
    made = page(edits={ear: moved, '540 166 528.3 163.2 Z"/>\n      </g>': '540 166 528.3 163.2 Z"/></g></g></g>'})
    assert judged("HB2113", made) == "pass", told("HB2113", made)


def test_the_finding_lies_on_the_box() -> None:
    assert places("HB2113", page(css=".fore.near .upper { transform-box: fill-box }")) == ["transform-box: fill-box"]
