"""The collar's rule on bands drawn in many ways, and on bandages and straps."""

from __future__ import annotations

import pytest

from husky_lint.rule import Judgement

from .anatomy import judged, piece

COLLAR = piece('<path class="collar"', '"/>')
SET = piece('<g class="collar-set">', '      <g class="tag">')
HEAD = '<g class="head">'

BANDS = {
    "a line": '<line class="collar" x1="513" y1="168" x2="537" y2="243"/>',
    "a filled band": '<path class="collar" style="fill: #d2383f; stroke: none" '
    'd="M510 175 C519 197 527 219 532 243 L541 240 C536 217 528 195 519 172 Z"/>',
    "clipped to the neck": '<clipPath id="nape"><path d="M466 191 C496 184 516 170 534 150 L572 200 C562 214 548 230 '
    '537 244 C512 236 482 222 466 191 Z"/></clipPath><g clip-path="url(#nape)"><path class="collar" '
    'd="M506 148 L545 270"/></g>',
    "with a stitch": f'{COLLAR}<path fill="none" stroke="#ffd9a0" stroke-dasharray="3 2" '
    'd="M515 174 C524 196 532 218 537 241"/>',
    "turned by an attribute": '<path class="collar" transform="rotate(-17 526 205)" d="M526 168 V244"/>',
}


def test_the_skeleton_is_right() -> None:
    assert judged("HB2316") is Judgement.PASS


@pytest.mark.parametrize("name", BANDS)
def test_a_collar_may_be_drawn_in_many_ways(name: str) -> None:
    assert judged("HB2316", {COLLAR: BANDS[name]}) is Judgement.PASS


@pytest.mark.parametrize(
    "band",
    [
        '<path class="collar" transform="rotate(17 526 205)" d="M526 168 V244"/>',
        '<path class="collar" d="M526 168 V244"/>',
        '<path class="collar" style="stroke-width: 30" d="M515 174 C524 196 532 218 537 241"/>',
        '<path class="collar" style="stroke-width: 4" d="M515 174 C524 196 532 218 537 241"/>',
        '<path class="collar" d="M513 168 L526 212"/>',
        '<path class="collar" d="M513 168 L548 278"/>',
        '<path class="collar" d="M478 192 L502 270"/>',
    ],
)
def test_a_band_that_is_no_collar(band: str) -> None:
    assert judged("HB2316", {COLLAR: band}) is not Judgement.PASS


def test_a_collar_over_the_skull_is_in_front_of_it() -> None:
    ring = '<path class="collar" d="M509 150 L537 241"/>'
    assert judged("HB2316", {COLLAR: ""}, html=ring) is not Judgement.PASS


def test_no_collar_at_all() -> None:
    assert judged("HB2316", {COLLAR: ""}) is not Judgement.PASS
