"""The white underside: one piece and deep, in other hands' drawings, and what only seems so."""

from __future__ import annotations

import pytest

from husky_lint.rule import Judgement

from .anatomy import judged, piece

TORSO = piece('<path class="torso"', 'Z"/>')
BELLY = piece('<path class="bib bib-belly"', 'Z"/>')
CHEST = piece('<path class="bib bib-chest"', 'Z"/>')
BOTH = ("HB2317", "HB2318")
ONE = (
    '<path class="bib" d="M366 242 C400 236 440 244 474 250 C492 242 508 222 520 200 C536 208 542 222 538 238 C533 262 '
    '508 277 482 276 C452 276 424 258 392 258 C382 261 372 261 364 258 C358 252 360 246 366 242 Z"/>'
)
WHITE_BODY = TORSO.replace('class="torso"', 'class="torso" style="fill: #fff"')
SADDLE = (
    '<path class="saddle" fill="#66738a" d="M330 230 C326 206 344 196 372 197 C420 199 452 186 492 188 C500 190 506 '
    '196 508 206 L474 250 C440 244 400 236 366 242 L340 252 Z"/>'
)
SHADE = BELLY.replace('class="bib bib-belly"', 'fill="#c9d4ea" opacity=".6"')
CLIPPED = (
    '<clipPath id="trunk-clip"><use href="#trunk-shape"/></clipPath>'
    + TORSO.replace("<path", '<path id="trunk-shape"')
    + '<g clip-path="url(#trunk-clip)"><path class="bib" '
    'd="M350 240 L474 248 L524 190 L560 220 L540 300 L350 300 Z"/></g>'
)
GRADIENT = (
    '<linearGradient id="furlight"><stop stop-color="#fff"/><stop offset="1" stop-color="#eef2f8"/></linearGradient>'
)

DRAWINGS = {
    "one path": {BELLY: ONE, CHEST: ""},
    "a white body under a saddle": {TORSO: WHITE_BODY + SADDLE, BELLY: "", CHEST: ""},
    "clipped by the trunk": {TORSO: CLIPPED, BELLY: "", CHEST: ""},
    "with a pale shade along the edge": {CHEST: CHEST + SHADE},
    "filled by a gradient of whites": {
        TORSO: GRADIENT + TORSO,
        BELLY: BELLY.replace("<path", '<path style="fill: url(#furlight)"'),
    },
    "with a third piece between": {
        BELLY: BELLY.replace("<path", '<path transform="translate(-24 0)"')
        + '<path fill="#fff" d="M440 244 L500 246 L492 276 L452 270 Z"/>'
    },
    "in a group that is moved and moved back": {
        BELLY: f'<g transform="translate(40 7)"><g style="translate: -40px -7px">{BELLY}</g></g>'
    },
}


@pytest.mark.parametrize("name", DRAWINGS)
@pytest.mark.parametrize("code", BOTH)
def test_a_bib_may_be_drawn_in_many_ways(code: str, name: str) -> None:
    assert judged(code, DRAWINGS[name]) is Judgement.PASS


@pytest.mark.parametrize(
    "changes",
    [
        {BELLY: BELLY.replace("<path", '<path transform="translate(-40 0)"')},
        {CHEST: CHEST + '<path class="band" fill="#66738a" d="M446 190 h26 v100 h-26 z"/>'},
        {CHEST: CHEST.replace("<path", '<path style="visibility: hidden"')},
        {
            BELLY: BELLY.replace("<path", '<path clip-path="url(#half)"')
            + '<clipPath id="half"><path d="M300 200h110v90h-110z"/></clipPath>'
        },
    ],
)
def test_two_pieces_are_no_bib(changes: dict[str, str]) -> None:
    assert judged("HB2317", changes) is Judgement.FAIL


@pytest.mark.parametrize(
    "changes",
    [
        {
            BELLY: '<path class="bib" d="M366 252 C376 262 392 253 424 253 C452 271 484 271 500 270 L500 275 C452 276 '
            '424 258 392 258 L364 258 Z"/>',
            CHEST: "",
        },
        {CHEST: CHEST + '<path fill="#66738a" d="M330 200 h180 v56 h-180 z"/>'},
        {BELLY: "", CHEST: "", TORSO: TORSO.replace("<path", '<path stroke="#fff" stroke-width="4"')},
    ],
)
def test_a_stripe_is_no_area(changes: dict[str, str]) -> None:
    assert judged("HB2318", changes) is not Judgement.PASS


def test_white_scenery_behind_the_dog_is_no_bib() -> None:
    css = ".sky { fill: #fff } .bib { fill: #555 } .throat, .face-mask { fill: #555 }"
    assert judged("HB2317", css=css) is not Judgement.PASS
    assert judged("HB2318", css=css) is not Judgement.PASS


def test_a_mask_is_not_guessed() -> None:
    masked = BELLY.replace("<path", '<path style="mask: url(#m)"')
    assert judged("HB2317", {BELLY: masked}) is Judgement.UNKNOWN
