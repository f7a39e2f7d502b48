"""The foreleg's rules: joints in their places whatever draws the limb, paint order of what is seen, true widths."""

from __future__ import annotations

import pytest

from husky_lint.rule import Judgement

from .anatomy import judged, piece, redrawn, ruling

NEAR_ARM = piece('<path class="arm" d="M498', '<path class="forearm" d="M482 252 L484 324"/>')
JOINTS = ("HB2306", "HB2307", "HB2308", "HB2309", "HB2310")
ALL = (*JOINTS, "HB2311", "HB2314")


@pytest.mark.parametrize("code", ALL)
def test_the_skeleton_is_right(code: str) -> None:
    assert judged(code) is Judgement.PASS


UNDERLINED = {
    NEAR_ARM: '<path class="arm" style="stroke-width: 24; stroke: #111" d="M498 214 L482 252"/>'
    '<path class="arm" d="M498 214 L482 252"/>'
    '<path class="arm" style="stroke: #fff; stroke-width: 3" d="M497 220 L484 246"/>\n      <g class="lower">\n'
    '<path class="forearm" style="stroke-width: 17; stroke: #111" d="M482 252 L484 324"/>'
    '<path class="forearm" d="M482 252 L484 324"/>',
}
RECTANGLES = {
    NEAR_ARM: '<rect transform="rotate(22.8 498 214)" x="487.5" y="210" width="21" height="46" rx="9" fill="#666"/>\n'
    '<g class="lower"><rect x="475.7" y="246" width="14.6" height="80" rx="6" fill="#fff"/>',
}
OUTLINED = {
    NEAR_ARM: '<path style="fill: #666; stroke: #111; stroke-width: 2.5" d="M507.7 218 L491.7 256 L472.3 248 '
    'L488.3 210 Z"/><g class="lower"><path style="fill: #fff; stroke: #111; stroke-width: 2.5" d="M474.8 252 '
    'L476.8 324 L491.2 324 L489.2 252 Z"/>',
}
THIN_OVER_UNDERLINE = {
    NEAR_ARM: '<path class="arm" style="stroke: #ddd" d="M498 214 L482 252"/>'
    '<path class="arm" style="stroke-width: 15" d="M498 214 L482 252"/>\n      <g class="lower">\n'
    '<path class="forearm" d="M482 252 L484 324"/>',
}
SCALED = {
    '<g class="leg fore near">': '<g class="leg fore near"><g transform="scale(.5)"><g transform="scale(2)">',
    '</g>\n</g>\n<g class="runaway">': '</g></g></g>\n</g>\n<g class="runaway">',
}


@pytest.mark.parametrize("changes", [UNDERLINED, RECTANGLES, OUTLINED, SCALED])
@pytest.mark.parametrize("code", ALL)
def test_a_limb_may_be_drawn_in_many_ways(code: str, changes: dict[str, str]) -> None:
    assert judged(code, changes) is Judgement.PASS


def test_the_line_under_a_thin_arm_does_not_make_it_thick() -> None:
    verdict, findings = ruling("HB2314", redrawn(THIN_OVER_UNDERLINE))
    assert verdict.judgement is Judgement.FAIL
    assert verdict.core is True
    assert "15.0" in findings[0].message


def test_a_thick_limb_that_tapers_does_not_decide_the_row() -> None:
    verdict, _ = ruling("HB2314", redrawn(css=".fore .arm { stroke-width: 30 } .fore .forearm { stroke-width: 20 }"))
    assert verdict.judgement is Judgement.FAIL
    assert verdict.core is False


def test_a_filled_limb_has_no_one_width() -> None:
    """The numbers are stroke widths: a bone that is filled may be a quarter thicker, one that is stroked may not."""
    arm = RECTANGLES[NEAR_ARM].replace('x="487.5"', 'x="485"').replace('width="21"', 'width="26"')
    assert judged("HB2314", {NEAR_ARM: arm}) is Judgement.PASS
    assert judged("HB2314", css=".fore .arm { stroke-width: 26 }") is Judgement.FAIL
    pipe = RECTANGLES[NEAR_ARM].replace('x="487.5"', 'x="490"').replace('width="21"', 'width="16"')
    assert judged("HB2314", {NEAR_ARM: pipe}) is Judgement.FAIL


def test_the_width_of_an_inherited_attribute_counts() -> None:
    css = ".fore .arm { stroke-width: inherit } .fore .upper { stroke-width: 9 }"
    assert judged("HB2314", css=css) is Judgement.FAIL


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        (".fore.far .upper { transform-origin: 490px 212px }", {"HB2307"}),
        (".fore.far .upper { transform-origin: 494px 212px }", {"HB2307", "HB2310"}),
        (".fore.near .upper { transform-origin: 482px 252px }", {"HB2307", "HB2308", "HB2310"}),
        (".fore.near .lower { transform-origin: 482px 262px }", {"HB2308"}),
        (".fore.near .pawgrp { transform-origin: 484px 338px }", {"HB2309"}),
        (".fore .pawgrp { animation-name: none !important }", {"HB2306"}),
        (".fore.near { transform: translateX(10px) }", {"HB2307", "HB2308"}),
    ],
)
def test_a_joint_out_of_place_fails_its_own_clause(css: str, expected: set[str]) -> None:
    assert {code for code in JOINTS if judged(code, css=css) is not Judgement.PASS} == expected


def test_a_leg_in_one_piece_is_no_chain() -> None:
    css = ".fore .lower, .fore .pawgrp { animation-name: none !important }"
    assert [judged(code, css=css) for code in ("HB2306", "HB2307", "HB2308", "HB2310")] == [
        Judgement.FAIL,
        Judgement.PASS,
        Judgement.FAIL,
        Judgement.PASS,
    ]


def test_a_pose_by_static_rotation_is_judged_as_it_is_drawn() -> None:
    css = ".fore .upper { transform: rotate(-30deg) } .fore .lower { transform: rotate(50deg) }"
    assert [judged(code, css=css) for code in ALL] == [Judgement.PASS] * len(ALL)


def test_pivots_as_fill_boxes_count_where_they_fall() -> None:
    css = ".fore.near .pawgrp { transform-box: fill-box; transform-origin: 30% 20% }"
    assert judged("HB2309", css=css) is Judgement.PASS


NECK = piece('<path class="neck"', 'Z"/>')


@pytest.mark.parametrize(
    ("over", "expected"),
    [
        (NECK, Judgement.FAIL),
        (NECK.replace('class="neck"', 'class="x9" fill="#66738a"'), Judgement.FAIL),
        (f'<g style="visibility: hidden">{NECK}</g>', Judgement.PASS),
        (f'<g opacity=".2">{NECK}</g>', Judgement.PASS),
        (f'<g style="display: none">{NECK}</g>', Judgement.PASS),
        ('<path class="neck" d="M540 150 h30 v30 h-30 z"/>', Judgement.PASS),
        (
            f'<clipPath id="up"><rect x="490" width="90" height="460"/></clipPath><g clip-path="url(#up)">{NECK}</g>',
            Judgement.FAIL,
        ),
        (
            f'<clipPath id="up"><rect x="520" width="90" height="460"/></clipPath><g clip-path="url(#up)">{NECK}</g>',
            Judgement.PASS,
        ),
        ('<circle cx="478" cy="300" r="2" fill="#222"/>', Judgement.PASS),
    ],
)
def test_what_is_seen_over_the_near_foreleg(over: str, expected: Judgement) -> None:
    assert judged("HB2311", html=over) is expected


def test_a_leg_painted_before_the_front_is_under_the_neck() -> None:
    leg = piece('  <g class="leg fore near">', "</g>\n    </g>\n  </g>\n")
    changes = {leg: "", '  <g class="front">': f'{leg}  <g class="front">'}
    assert judged("HB2311", changes) is Judgement.FAIL


TOES = piece('<g class="pawgrp"><path class="paw" d="M477 340', "</g>")


def test_a_foreleg_with_toes_that_turn_too() -> None:
    inner = TOES.replace('class="pawgrp"', 'class="pawgrp" id="wrist"').replace("<path", '<g id="toes"><path')
    css = "#toes { transform-origin: 490px 337px; animation: curl var(--cycle) infinite }"
    css += "@keyframes curl { 50% { transform: rotate(9deg) } }"
    assert [judged(code, {TOES: inner.replace("</g>", "</g></g>")}, css) for code in ALL] == [Judgement.PASS] * len(ALL)


def test_a_blade_that_turns_is_the_root_and_not_the_shoulder() -> None:
    leg = '<g class="leg fore near">'
    end = '</g>\n<g class="runaway">'
    css = "#scap { transform-origin: 487px 200px; animation: slide var(--cycle) infinite }"
    css += "@keyframes slide { 50% { transform: rotate(3deg) } }"
    changes = {leg: f'{leg}<g id="scap">', end: f"</g>{end}"}
    assert [judged(code, changes, css) for code in JOINTS] == [Judgement.PASS] * len(JOINTS)


def test_an_elbow_that_bends_as_a_knee_does_is_told() -> None:
    knee = "@keyframes fore-lower { 0%, 46%, 100% { transform: rotate(0) } 70% { transform: rotate(75deg) } }"
    verdict, findings = ruling("HB2407", redrawn(css=knee))
    assert verdict.judgement is Judgement.PASS
    assert findings
    assert all("the wrong way" in one.message for one in findings)
    assert ruling("HB2407", redrawn())[1] == ()
