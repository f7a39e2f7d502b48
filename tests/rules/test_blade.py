"""The blade's rule."""

from __future__ import annotations

import pytest

from husky_lint.rule import Judgement

from .anatomy import judged, piece

BLADE = piece('<path class="blade"', '"/>')
PATH = BLADE.replace('class="blade"', 'class="scapula" {}')


@pytest.mark.parametrize(
    "style",
    [
        'fill="#fff" fill-opacity=".3"',
        'fill="#fff" opacity=".3"',
        'fill="rgb(255 255 255 / 25%)" stroke="none"',
        'style="fill: #ffffff55; stroke: #0000; stroke-width: 2"',
    ],
)
def test_a_plane_may_be_painted_in_many_ways(style: str) -> None:
    assert judged("HB2312", {BLADE: PATH.format(style)}) is Judgement.PASS


@pytest.mark.parametrize(
    "style",
    [
        'fill="#fff"',
        'fill="none" stroke="#222"',
        'fill="#fff" fill-opacity=".3" stroke="#222"',
        'fill="#fff" opacity=".3" transform="translate(0 -22)"',
        'fill="#fff" opacity=".3" transform="translate(44 20)"',
        'fill="#fff" opacity=".3" visibility="hidden"',
    ],
)
def test_what_is_no_plane_on_the_body(style: str) -> None:
    assert judged("HB2312", {BLADE: PATH.format(style)}) is not Judgement.PASS


def test_a_blade_painted_over_is_not_seen() -> None:
    torso = piece('<path class="torso"', 'Z"/>')
    changes = {BLADE: "", torso: f"{BLADE}{torso}"}
    assert judged("HB2312", changes) is Judgement.FAIL


@pytest.mark.parametrize(
    ("where", "paint", "lacks"),
    [
        ("neck", 'fill="#456"', True),
        ("neck", 'fill="#456" opacity=".4"', False),
        ("torso", 'fill="#456"', False),
    ],
)
def test_a_solid_shade_that_goes_with_the_neck_is_no_blade(where: str, paint: str, lacks: bool) -> None:
    part = piece(f'<path class="{where}"', 'Z"/>')
    shade = f'<path class="murk" {paint} d="M456 176 C470 150 500 149 542 160 L536 200 C510 210 480 208 456 200 Z"/>'
    changes = {BLADE: "", part: f"{part}{shade}"}
    assert (judged("HB2306", changes) is Judgement.FAIL) == lacks
    assert judged("HB2312", changes) is not Judgement.PASS


def test_a_blade_beside_the_dog_s_group_counts() -> None:
    changes = {
        BLADE: "",
        '<g class="dog">': '<g class="dog"><g class="all">',
        '</g>\n<g class="runaway">': f'</g>{BLADE}</g>\n<g class="runaway">',
    }
    assert judged("HB2312", changes) is Judgement.PASS


def test_the_body_may_be_drawn_in_pieces() -> None:
    torso = piece('<path class="torso"', 'Z"/>')
    halves = "".join(
        f'<clipPath id="c{x}"><rect x="{x}" y="0" width="{width}" height="460"/></clipPath>'
        + torso.replace("<path", f'<path clip-path="url(#c{x})"')
        for x, width in ((300, 182), (481, 100))
    )
    assert judged("HB2312", {torso: halves}) is Judgement.PASS
