"""Where lamp and shadow stand, however they are drawn."""

from __future__ import annotations

import pytest

from tests.rules.scenery import judged, page, told

GLASS = '<rect x="658" y="148" width="19" height="36" fill="#fe9"/>'
POSTS = {
    "a rect": '<rect x="660.5" y="184" width="7" height="140" fill="#333"/>',
    "a line": '<path d="M664 184V324" stroke="#333" stroke-width="7"/>',
    "a path": '<path d="M661 184h6v140h-6z" fill="#333"/>',
    "translated": '<g transform="translate(664 184)"><rect x="-3" width="6" height="140" fill="#333"/></g>',
    "a polygon": '<polygon points="661,184 667,184 668,324 660,324" fill="#333"/>',
}
NEAR = '<g id="near"><path class="bush" d="M0 290H900V330H0Z"/>'


def lamp(post: str, glass: str = GLASS) -> dict[str, str]:
    return page(edits={NEAR: f'{NEAR}<g class="lamp">{post}{glass}</g>'})


@pytest.mark.parametrize("post", POSTS)
def test_a_post_at_664_in_a_strip(post: str) -> None:
    made = lamp(POSTS[post])
    assert judged("HB2110", made) == "pass", told("HB2110", made)


@pytest.mark.parametrize("post", POSTS)
def test_a_post_elsewhere(post: str) -> None:
    made = lamp(f'<g transform="translate(-14 0)">{POSTS[post]}</g>')
    assert judged("HB2110", made) == "fail"


@pytest.mark.parametrize("y", [140, 156])
def test_a_glass_elsewhere(y: int) -> None:
    made = lamp(POSTS["a rect"], GLASS.replace('y="148"', f'y="{y}"'))
    assert judged("HB2110", made) == "fail"


def test_no_lamp_is_unknown_or_fails_and_never_passes() -> None:
    assert judged("HB2110", page(css=".lamp, .lamp * { display: none }")) != "pass"


SHADOWS = {
    "moved": (".shadow { transform: translate(3px, 2px); animation: none }", "pass"),
    "moved away": (".shadow { transform: translate(30px, 0); animation: none }", "fail"),
    "a little lower": (".shadow { cy: 355px }", "pass"),
    "up on the dog": (".shadow { cy: 340px }", "fail"),
    "breathing is no place": (".shadow { animation-duration: var(--cycle) }", "pass"),
}


@pytest.mark.parametrize("way", SHADOWS)
def test_where_the_shadow_lies(way: str) -> None:
    css, expected = SHADOWS[way]
    made = page(css=css)
    assert judged("HB2109", made) == expected, told("HB2109", made)
