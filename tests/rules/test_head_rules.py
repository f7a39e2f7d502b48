"""The rules of the head: what is seen of an ear, its triangle and pivot, and that there is one of each."""

from __future__ import annotations

import pytest

from husky_lint.rule import Judgement

from .anatomy import judged, piece

EAR = piece('<g class="ear">', "</g>")
SKULL = piece('<path class="skull"', 'Z"/>')
MASK = piece('<path class="face-mask"', 'Z"/>')
EYE = piece('<g class="eye">', "</g>")
BROW = piece('<path class="brow"', '"/>')
ALL = ("HB2302", "HB2303", "HB2304", "HB2305")
UPRIGHT = "M-21 2 C-19 -18 -11 -40 0 -53 C11 -40 19 -18 21 0 C10 7 -10 8 -21 2 Z"


@pytest.mark.parametrize("code", ALL)
def test_the_skeleton_is_right(code: str) -> None:
    assert judged(code) is Judgement.PASS


EARS = {
    "in a rotated set": '<g class="set" transform="translate(548 156) rotate(-20)">'
    f'<g class="ear" style="transform-origin: 0 0"><path class="ear-fur" d="{UPRIGHT}"/></g></g>',
    "leaning by a custom property": '<g class="set" style="--lean: -20deg; transform: rotate(var(--lean)); '
    'transform-origin: 548px 156px"><g class="ear"><path class="ear-fur" '
    'd="M527 158 C529 138 537 116 548 103 C559 116 567 138 569 156 C558 163 538 164 527 158 Z"/></g></g>',
    "a polygon with an inner ear": '<g class="ear"><polygon class="ear-fur" '
    'points="528.3,163.2 529.9,106.2 567.7,148.8"/><path fill="#e79aa4" d="M536 156 L534 122 L556 148 Z"/></g>',
    "scaled about its pivot": '<g class="ear"><g transform="translate(548 156) scale(.5) translate(-548 -156)"><path '
    'class="ear-fur" d="M508.6 170.4 L511.8 56.4 L587.4 141.6 Z"/></g></g>',
    "unnamed": '<path class="ear k1" fill="#3c4759" d="M528.3 163.2 C524 140 525 120 529.9 106.2 C546 116 560 132 '
    '567.7 148.8 C556 160 540 166 528.3 163.2 Z"/>',
}


@pytest.mark.parametrize("name", EARS)
@pytest.mark.parametrize("code", ALL)
def test_an_ear_may_be_drawn_in_many_ways(code: str, name: str) -> None:
    assert judged(code, {EAR: EARS[name]}) is Judgement.PASS


def test_an_ear_that_leans_by_its_animation_alone_is_seen_leaning() -> None:
    upright = '<g class="ear"><path class="ear-fur" d="M527 158 L548 103 L569 156 C558 163 538 164 527 158 Z"/></g>'
    css = """.ear { animation: lean 5s infinite; }
    @keyframes lean { 0%, 90%, 100% { transform: rotate(-20deg) } 95% { transform: rotate(-30deg) } }"""
    assert judged("HB2304", {EAR: upright}, css) is Judgement.PASS
    assert judged("HB2304", {EAR: upright}) is Judgement.FAIL


@pytest.mark.parametrize(
    ("css", "failing"),
    [
        (".ear { rotate: 40deg; }", {"HB2304"}),
        (".ear { scale: 1.3; }", {"HB2304"}),
        (".ear { scale: 1 .7; }", {"HB2304"}),
        (".ear { transform-origin: 532px 110px; }", {"HB2305"}),
        (".ear { animation-duration: 0s; }", {"HB2305"}),
        (".ear { display: none; }", {"HB2302"}),
    ],
)
def test_an_ear_that_is_wrong_fails_its_own_clause(css: str, failing: set[str]) -> None:
    assert {code for code in ALL if judged(code, css=css) is Judgement.FAIL} == failing


@pytest.mark.parametrize(
    "changes",
    [
        {EAR: "", SKULL: EAR + SKULL},
        {EAR: "", MASK: EAR + MASK},
        {EAR: "", '<g class="head">': f'<g class="head">{EAR}'},
        {EAR: EAR + SKULL.replace('class="skull"', 'fill="#66738a"')},
    ],
)
def test_an_ear_behind_the_skull_is_a_horn(changes: dict[str, str]) -> None:
    assert judged("HB2303", changes) is Judgement.FAIL


def test_an_inner_ear_beside_the_ear_s_group_hides_no_ear() -> None:
    ears = EAR.replace('<g class="ear">', "<g class='ear'>") + '<path fill="#e79aa4" d="M531 160 L531 112 L562 149 Z"/>'
    assert judged("HB2303", {EAR: ears}) is Judgement.PASS


def test_what_is_not_seen_hides_no_ear() -> None:
    assert judged("HB2303", {EAR: f'{EAR}<g style="opacity: 0">{SKULL}</g>'}) is Judgement.PASS


@pytest.mark.parametrize(
    "changes",
    [
        {SKULL: f'<g transform="translate(-26 4)">{EAR}</g>{SKULL}'},
        {SKULL: f'<path fill="#525e73" d="M506 172 L512 112 L546 152 Z"/>{SKULL}'},
        {EYE: f'{EYE}<g transform="translate(20 1)">{EYE}</g>'},
        {EYE: f'{EYE}<ellipse fill="#63bdf0" cx="596" cy="173" rx="4.4" ry="5"/>'},
        {BROW: f'{BROW}<path class="brow" transform="translate(19 3)" d="M567 162 C573 157 580 158 584 163"/>'},
        {BROW: ""},
        {EYE: ""},
        {EYE: f'{EYE}<path fill="#66738a" d="M560 160 h30 v24 h-30 z"/>'},
    ],
)
def test_two_or_none_of_a_feature(changes: dict[str, str]) -> None:
    assert judged("HB2302", changes) is Judgement.FAIL


@pytest.mark.parametrize(
    "changes",
    [
        {EYE: f'{EYE}<circle fill="#fff" cx="578.4" cy="169.4" r="1"/>'},
        {
            MASK: f'{MASK}<circle fill="#20242e" cx="598" cy="190" r="1.2"/>'
            '<circle fill="#20242e" cx="602" cy="192" r="1.2"/>'
        },
        {SKULL: f'{SKULL}<path fill="#3c4759" d="M536 150 C548 146 566 148 574 156 L560 160 Z"/>'},
        {EYE: f'{EYE}<g style="display: none" transform="translate(20 1)">{EYE}</g>'},
        {EAR: f'{EAR}<path fill="#fff" d="M532 166 l6 -12 l6 10 l5 -12 l8 8 z"/>'},
    ],
)
def test_details_are_no_second_feature(changes: dict[str, str]) -> None:
    assert judged("HB2302", changes) is Judgement.PASS


@pytest.mark.parametrize(
    "changes",
    [
        {BROW: '<path class="murk" fill="#222" d="M567 162 L584 163 L576 158 Z"/>'},
        {BROW: "", EYE: EYE.replace("</g>", '<path fill="#ddd" d="M567 162 C573 157 580 158 584 163 Z"/></g>')},
        {BROW: "", EAR: EAR.replace("</g>", '<path fill="#ddd" d="M567 162 C573 157 580 158 584 163 Z"/></g>')},
        {BROW: "", MASK: MASK.replace('Z"/>', 'Z M567 162 C573 157 580 158 584 163 Z"/>')},
        {BROW: "", SKULL: f'{SKULL}<image href="icon.svg" x="566" y="156" width="18" height="8"/>'},
        {BROW: '<path class="murk" fill="#fff" d="M540 150 L590 150 L604 178 L566 164 L540 164 Z"/>'},
    ],
)
def test_what_may_be_a_brow_is_not_missed(changes: dict[str, str]) -> None:
    assert judged("HB2302", changes) is not Judgement.FAIL


def test_svg_animation_elements_turn_an_ear_too() -> None:
    smil = EAR.replace(
        '<g class="ear">',
        '<g class="earset"><animateTransform attributeName="transform" type="rotate" dur="4s" repeatCount="indefinite" '
        'values="0 548 156;0 548 156;-9 548 156;0 548 156"/>',
    )
    assert judged("HB2305", {EAR: smil}) in (Judgement.PASS, Judgement.UNKNOWN)
    assert judged("HB2305", {EAR: smil.replace("548 156", "600 200")}) in (Judgement.FAIL, Judgement.UNKNOWN)
