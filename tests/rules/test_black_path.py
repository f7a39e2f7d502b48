"""Shapes that come out black because nothing paints them."""

from __future__ import annotations

import pytest

from tests.rules.scenery import judged, page, places, told

TRIANGLE = "M470 200 L504 204 L494 232 Z"
DOG_END = '<g id="hearts"></g>'


def with_shape(shape: str, css: str = "") -> dict[str, str]:
    return page(edits={DOG_END: shape + DOG_END}, css=css)


BLACK = {
    "a path": f'<path d="{TRIANGLE}"/>',
    "an open path": '<path d="M470 200 L504 204 L494 232"/>',
    "an arc with a stroke": '<path d="M470 200 Q490 240 510 200" stroke="#333"/>',
    "a circle": '<circle cx="480" cy="220" r="6"/>',
    "a polyline": '<polyline points="470,200 504,204 494,232"/>',
    "a class that no rule has": f'<path class="scapula-plane" d="{TRIANGLE}"/>',
    "a bad colour": f'<path d="{TRIANGLE}" fill="#ggg"/>',
    "half open": f'<path d="{TRIANGLE}" opacity=".5"/>',
    "in a group": f'<g class="whatever"><path d="{TRIANGLE}"/></g>',
}


@pytest.mark.parametrize("shape", BLACK)
def test_a_shape_without_a_fill(shape: str) -> None:
    assert judged("HB2313", with_shape(BLACK[shape])) == "fail"


FINE = {
    "declared black": f'<path d="{TRIANGLE}" fill="#000"/>',
    "declared black by name": f'<path d="{TRIANGLE}" style="fill: black"/>',
    "current colour": f'<path d="{TRIANGLE}" fill="currentColor"/>',
    "inherited": f'<g fill="#123"><path d="{TRIANGLE}"/></g>',
    "no area": '<path d="M470 200 L504 204" stroke="#333"/>',
    "a line": '<line x1="470" y1="200" x2="504" y2="204" stroke="#333"/>',
    "no fill": f'<path d="{TRIANGLE}" fill="none" stroke="#333"/>',
    "clear": f'<path d="{TRIANGLE}" fill-opacity="0"/>',
    "hidden": f'<path d="{TRIANGLE}" visibility="hidden"/>',
    "not displayed": f'<g style="display: none"><path d="{TRIANGLE}"/></g>',
    "in defs": f'<defs><path d="{TRIANGLE}"/></defs>',
    "in a clip": f'<clipPath id="c"><path d="{TRIANGLE}"/></clipPath>',
    "outside": '<path d="M-90 -90 h40 v40 z"/>',
    "covered": f'<path d="{TRIANGLE}"/><rect x="460" y="190" width="60" height="60" fill="#456"/>',
    "a paint server": f'<path d="{TRIANGLE}" fill="url(#nowhere)"/>',
    "transparent": f'<g opacity="0"><path d="{TRIANGLE}"/></g>',
}


@pytest.mark.parametrize("shape", FINE)
def test_a_shape_that_is_fine(shape: str) -> None:
    made = with_shape(FINE[shape])
    assert judged("HB2313", made) == "pass", told("HB2313", made)


def test_a_clone_that_its_rule_does_not_reach() -> None:
    made = page(edits={'<path class="hill"': '<path class="hillock"'}, css=".strip-far .hillock { fill: #9db8a5 }")
    assert judged("HB2313", made) == "fail"
    assert any("clone" in message for message in told("HB2313", made))


def test_a_fill_that_only_one_pace_has() -> None:
    shape = f'<path class="spare" d="{TRIANGLE}"/>'
    css = '.spare { fill: none } #scene[data-speed="zoomies"] .spare { fill: initial }'
    assert judged("HB2313", with_shape(shape, css)) == "fail"


def test_the_finding_lies_on_the_variable_that_leads_nowhere() -> None:
    assert places("HB2313", page(css=".blade { fill: var(--nothing) }")) == ["fill: var(--nothing)"]
