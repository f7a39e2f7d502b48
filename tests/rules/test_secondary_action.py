"""Secondary action: what a blink may be."""

from __future__ import annotations

import pytest

from husky_lint.rule import Judgement

from .anatomy import judged, piece

EYE = piece('<g class="eye">', "</g>")
STILL_EYE = EYE.replace('class="eye"', 'class="gaze"')
LID = '<path class="lid" d="M569 164 H584 V178 H569 Z"/>'
CLOSING = "@keyframes shut { 0%, 92%, 100% { opacity: 0 } 95% { opacity: 1 } }"
LIDS = {
    "fades in": f".lid {{ fill: #333; opacity: 0; animation: shut 4s infinite }} {CLOSING}",
    "comes down": """.lid { transform-origin: 576px 164px; animation: down 4s infinite }
        @keyframes down { 0%, 92%, 100% { transform: scaleY(0) } 95% { transform: none } }""",
    "is shown": """.lid { animation: on 4s infinite }
        @keyframes on { 0%, 94% { visibility: hidden } 95% { visibility: visible } }""",
}
NOT_LIDS = {
    "nothing moves": ".lid { opacity: 0 }",
    "beside the eye": f".lid {{ translate: 0 -20px; animation: shut 4s infinite }} {CLOSING}",
    "never seen": f".lid {{ fill: none; animation: shut 4s infinite }} {CLOSING}",
}


@pytest.mark.parametrize("way", LIDS)
def test_a_lid_may_be_a_shape_beside_the_eye(way: str) -> None:
    assert judged("HB2414", {EYE: STILL_EYE + LID}, LIDS[way]) is Judgement.PASS


@pytest.mark.parametrize("way", NOT_LIDS)
def test_what_covers_no_eye_is_no_blink(way: str) -> None:
    assert judged("HB2414", {EYE: STILL_EYE + LID}, NOT_LIDS[way]) is Judgement.FAIL


def test_a_lid_painted_before_the_eye_covers_nothing() -> None:
    assert judged("HB2414", {EYE: LID + STILL_EYE}, LIDS["fades in"]) is Judgement.FAIL
