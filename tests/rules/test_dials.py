"""Dials in many spellings, and literals in many hiding places."""

from __future__ import annotations

import pytest

from husky_lint.rule import Severity
from tests.rules.scenery import judged, page, places, ruling, told

BY_DIAL = {
    "the shorthand": ".strip-far { animation: glide var(--glide-far) linear infinite }",
    "with a delay": ".strip-far { animation: glide var(--glide-far) linear -3s infinite }",
    "a calc": ".strip-far { animation-duration: calc(var(--glide-far) * 2) }",
    "through another": ".strip-far { --d: var(--glide-far); animation-duration: var(--d) }",
    "a fallback that is not used": ".strip-far { animation-duration: var(--glide-far, 10s) }",
    "a dial made of another": "#scene { --glide-far: calc(var(--glide-dirt) * 8) }",
}


@pytest.mark.parametrize("spelling", BY_DIAL)
def test_a_strip_that_reaches_its_dial(spelling: str) -> None:
    made = page(css=BY_DIAL[spelling])
    assert judged("HB2104", made) == "pass", told("HB2104", made)


LITERAL = {
    "a literal": ".strip-far { animation-duration: 64s }",
    "a literal in the shorthand": ".strip-far { animation: glide 64s linear infinite }",
    "a literal by an id": "#scene .strip-far { animation-duration: 48000ms !important }",
    "another property": "#scene { --slow: 48s } .strip-far { animation-duration: var(--slow) }",
    "a dial that is not there": ".strip-far { animation-duration: var(--glide-faar, 48s) }",
    "the dial of another": ".strip-far { animation-duration: calc(var(--glide-mid) * 2) }",
    "the wrong order": "#scene[data-speed] { --glide-far: 2s }",
    "one less": ".strip-near { animation: none }",
}


@pytest.mark.parametrize("fault", LITERAL)
def test_a_strip_without_its_dial(fault: str) -> None:
    assert judged("HB2104", page(css=LITERAL[fault])) == "fail"


def test_the_near_strip_painted_under_the_far_one() -> None:
    made = page(
        css=".strip-far { animation-duration: var(--glide-near) } .strip-near { animation-duration: var(--glide-far) }"
    )
    assert judged("HB2104", made) == "fail"


def test_dials_that_script_sets_for_each_pace() -> None:
    js = """
    var rate = { stroll: .75, walk: 1, hop: 1.3, zoomies: 2 };
    var base = { far: 48, mid: 24, near: 12, dirt: 6 };
    setPace = function (index) {
      var name = paces[(index + 4) % 4];
      scene.dataset.speed = name;
      for (var strip in base) scene.style.setProperty("--glide-" + strip, base[strip] / rate[name] + "s");
    };
    """
    made = page(js=js)
    assert judged("HB2105", made) == "pass", told("HB2105", made)
    uneven = page(js=js.replace("base[strip] / rate[name]", 'base[strip] / (strip === "far" ? 1 : rate[name])'))
    assert judged("HB2105", uneven) == "fail"


RATIOS = {
    "one strip left behind": '#scene[data-speed="zoomies"] { --glide-mid: 24s }',
    "three percent off": '#scene[data-speed="hop"] { --glide-dirt: 4.64s }',
    "slower at a faster pace": '#scene[data-speed="zoomies"] .strip { animation-duration: 60s }',
    "stopped": '#scene[data-speed="zoomies"] .strip-far { animation-duration: 0s }',
}


@pytest.mark.parametrize("fault", RATIOS)
def test_a_ratio_that_a_pace_changes(fault: str) -> None:
    assert judged("HB2105", page(css=RATIOS[fault])) == "fail"


def test_one_percent_is_within_the_tolerance() -> None:
    assert judged("HB2105", page(css='#scene[data-speed="hop"] { --glide-dirt: 4.54s }')) == "pass"


def test_the_used_duration_counts_and_not_the_dial() -> None:
    made = page(css='#scene[data-speed="hop"] .strip-far { animation-duration: calc(var(--glide-far) * .5) }')
    assert judged("HB2105", made) == "fail"
    assert judged("HB2105", page(css='#scene[data-speed="hop"] .nothing { --glide-far: 1s }')) == "pass"


def test_a_pace_out_of_reach_is_unknown() -> None:
    made = page(edits={'[data-speed="hop"]': "[data-y]"}, js="setPace = function () {};")
    assert judged("HB2105", made) == "unknown(state-not-found)"


def test_ground_speed_is_a_warning() -> None:
    css = '#scene[data-speed="zoomies"] { --glide-far: 12s; --glide-mid: 6s; --glide-near: 3s; --glide-dirt: 1.5s; }'
    made = page(css=css)
    said = ruling("HB2114", made)
    assert {finding.severity for finding in said.findings} == {Severity.WARNING}
    assert judged("HB2114", made) == "fail"
    assert judged("HB2105", made) == "pass"


CYCLES = {
    "a tenth more": '#scene[data-speed="hop"] { --cycle: .72s }',
    "set on the dog": ".dog { --cycle: .78s }",
    "no unit": '#scene[data-speed="hop"] { --cycle: .62 }',
    "paces exchanged": '#scene[data-speed="stroll"] { --cycle: .78s } #scene[data-speed="walk"] { --cycle: 1.06s }',
}


@pytest.mark.parametrize("fault", CYCLES)
def test_a_cycle_that_is_not_the_contracts(fault: str) -> None:
    assert judged("HB2211", page(css=CYCLES[fault])) == "fail"


SAME_CYCLES = {
    "milliseconds": '#scene[data-speed="hop"] { --cycle: 620ms }',
    "a calc": '#scene[data-speed="hop"] { --cycle: calc(1s * .62) }',
    "through another": '#scene { --hop: .62s } #scene[data-speed="hop"] { --cycle: var(--hop) }',
    "by :is()": ':is(#scene[data-speed="hop"]) { --cycle: .62s }',
    "a rule that loses": '[data-speed="hop"] { --cycle: .9s }',
}


@pytest.mark.parametrize("spelling", SAME_CYCLES)
def test_a_cycle_in_any_spelling(spelling: str) -> None:
    assert judged("HB2211", page(css=SAME_CYCLES[spelling])) == "pass"


def test_nothing_sets_the_cycle() -> None:
    assert judged("HB2211", page(edits={"--cycle": "--stride"})) == "fail"


HIDDEN = {
    "a joint": ".hind .pawgrp { animation-duration: .78s }",
    "a dot": ".dot { animation-duration: 780ms }",
    "the shadow": ".shadow { animation: breathe .39s ease-in-out infinite }",
    "the bob": ".dog { animation-duration: .39s }",
    "the nod": ".front { animation: nod .78s ease-in-out infinite }",
    "the tail's tip": ".tail-tip { animation-duration: .78s }",
    "a delay that reaches the dial": ".tail { animation: wag .78s calc(var(--cycle) * -.3) infinite }",
    "another variable": "#scene { --beat: .78s } .fore .upper { animation-duration: var(--beat) }",
    "one pace": '#scene[data-speed="hop"] .upper { animation-duration: .62s }',
    "only in the fallback": ".fore .lower { animation-duration: var(--own, .78s) }",
    "important": ".upper { animation-duration: .78s !important }",
    "the second of two": ".dog { animation: bob calc(var(--cycle) * .5) infinite, sway .4s infinite } "
    "@keyframes sway { 50% { transform: translateX(2px) } }",
}


@pytest.mark.parametrize("place", HIDDEN)
def test_a_literal_in_the_gait(place: str) -> None:
    made = page(css=HIDDEN[place])
    assert judged("HB2212", made) == "fail", told("HB2212", made)


REACHES = {
    "a fraction": ".dog { animation-duration: calc(var(--cycle) / 2) }",
    "through two": "#scene { --a: var(--cycle); --b: calc(var(--a) * 1) } .tail { animation-duration: var(--b) }",
    "the shorthand": ".tail { animation: var(--cycle) wag infinite }",
    "life": ".ear { animation-duration: 9s } .tongue { animation: pant .4s infinite } "
    "@keyframes pant { 50% { transform: scaleY(.9) } }",
    "a look of seven seconds": ".head { animation: look 7s infinite }",
    "once": '#scene[data-speed="hop"] .runaway { animation: run-away 3s both }',
    "a literal that loses": ".upper { animation-duration: 1s } #scene .upper { animation-duration: var(--cycle) }",
    "on what is not displayed": ".x { animation: bob 1s infinite }",
    "a registered property": "@property --cycle { syntax: '<time>'; inherits: true; initial-value: 1s }",
}


@pytest.mark.parametrize("spelling", REACHES)
def test_the_gait_reaches_the_dial(spelling: str) -> None:
    made = page(css=REACHES[spelling])
    assert judged("HB2212", made) == "pass", told("HB2212", made)


def test_durations_that_script_keeps_in_step() -> None:
    js = """
    setPace = function (index) {
      var name = paces[(index + 4) % 4];
      scene.dataset.speed = name;
      scene.style.setProperty("--cycle", table[name].cycle + "s");
      document.querySelector(".tail").style.animationDuration = table[name].cycle + "s";
    };
    setPace(1);
    """
    made = page(js=js)
    assert judged("HB2212", made) == "pass", told("HB2212", made)
    assert {finding.severity for finding in ruling("HB2212", made).findings} == {Severity.WARNING}
    stuck = page(js=js.replace('style.animationDuration = table[name].cycle + "s"', 'style.animationDuration = ".78s"'))
    assert judged("HB2212", stuck) == "fail"


def test_the_finding_lies_on_the_literal() -> None:
    assert places("HB2212", page(css=".tail-tip { animation-duration: .78s }")) == ["animation-duration: .78s"]


def test_smil_cannot_read_a_dial() -> None:
    tail = '<g class="tail">'
    turn = (
        '<animateTransform attributeName="transform" type="rotate" values="0;5;0" dur=".78s" repeatCount="indefinite"/>'
    )
    moved = tail + turn
    assert judged("HB2212", page(edits={tail: moved})) == "fail"


def test_smil_whose_duration_script_keeps_in_step() -> None:
    tail = '<g class="tail">'
    turn = '<animateTransform id="wag" attributeName="transform" type="rotate" values="0;5;0" dur="9s"/>'
    js = """
    setPace = function (index) {
      var name = paces[(index + 4) % 4];
      scene.dataset.speed = name;
      document.getElementById("wag").setAttribute("dur", table[name].cycle * 2 + "s");
    };
    setPace(1);
    """
    made = page(js=js, edits={tail: tail + turn})
    assert judged("HB2212", made) == "pass", told("HB2212", made)
    assert [one for one in told("HB2212", made) if "the tail is moved" in one and "2 of --cycle" in one]
    stuck = page(js=js.replace("table[name].cycle * 2", "1.56"), edits={tail: tail + turn})
    assert judged("HB2212", stuck) == "fail"
