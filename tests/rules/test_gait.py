"""The gait rules on one dog in many spellings, and on dogs with one thing wrong."""

from __future__ import annotations

import copy
import re
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from husky_lint.rules.husky import gait
from husky_lint.rules.husky.kinematics import PawTrack
from husky_lint.rules.husky.rig import LEGS, rig_of
from husky_lint.rules.husky.skeleton import files
from husky_lint.rules.husky.skeleton_dog import DOG
from lxml import etree

from husky_lint.evidence import StaticEvidence
from husky_lint.packs import load_pack
from husky_lint.rule import Judgement, run_rule
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

    Files = dict[str, str | bytes]

PACK = load_pack("husky")
CODES = [
    *("HB2401", "HB2402", "HB2403", "HB2404", "HB2405", "HB2406", "HB2407", "HB2408", "HB2409", "HB2410", "HB2411"),
    *("HB2412", "HB2413", "HB2414", "HB2415", "HB2416", "HB2501", "HB2502", "HB2503", "HB2504", "HB2505", "HB2506"),
    *("HB2507", "HB2508", "HB2509", "HB2510", "HB2511"),
]
PIVOTS = {
    ("fore", "near"): {"upper": (498, 214), "lower": (482, 252), "pawgrp": (484, 324)},
    ("fore", "far"): {"upper": (478, 212), "lower": (464, 250), "pawgrp": (464, 324)},
    ("hind", "near"): {"upper": (358, 226), "lower": (374, 266), "pawgrp": (352, 306)},
    ("hind", "far"): {"upper": (338, 224), "lower": (354, 266), "pawgrp": (332, 304)},
}


def judged(submission: Files, codes: list[str] = CODES) -> dict[str, Judgement]:
    evidence = StaticEvidence(Submission.from_files(submission), PACK.rubric)
    found = {}
    for code in codes:
        clause, rule = PACK.rubric.clauses[code], PACK.rules[code]
        ruling = run_rule(rule, evidence, PACK.parameters(rule), clause.rows or (None,))
        found[code] = next(iter(ruling.verdicts.values())).judgement
    return found


def with_css(css: str) -> Files:
    made: Files = files()
    made["styles.css"] = f"{made['styles.css']!s}{css}"
    return made


def with_dog(change: Callable[[_Element], None]) -> Files:
    """The skeleton with its dog's tree changed."""
    root = etree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{DOG}</svg>')
    change(root)
    text = etree.tostring(root, encoding="unicode")
    made: Files = files()
    made["index.html"] = str(made["index.html"]).replace(DOG, text[text.index(">") + 1 : text.rindex("</svg>")])
    assert DOG not in str(made["index.html"])
    return made


def named(root: _Element, *names: str) -> list[_Element]:
    return [one for one in root.iter() if isinstance(one.tag, str) and set(names) <= set(one.get("class", "").split())]


def legs_in_wrappers(root: _Element) -> None:
    """Each joint as a translate wrapper around a group that turns about 0 0."""
    for kinds, pivots in PIVOTS.items():
        for leg in named(root, "leg", *kinds):
            for part, (x, y) in pivots.items():
                for joint in named(leg, part):
                    outer = etree.Element(f"{{{root.nsmap[None]}}}g", transform=f"translate({x} {y})")
                    inner = etree.Element(f"{{{root.nsmap[None]}}}g", transform=f"translate({-x} {-y})")
                    parent = joint.getparent()
                    assert parent is not None
                    parent.replace(joint, outer)
                    outer.append(joint)
                    inner.extend(list(joint))
                    joint.append(inner)
                    joint.set("style", "transform-origin: 0 0")


def outlines_beneath(root: _Element) -> None:
    """Every leg drawn twice: a wide dark one beneath, in a group of its own."""
    for leg in named(root, "leg"):
        twin = copy.deepcopy(leg)
        twin.set("style", "opacity: .4; stroke: #000")
        leg.addprevious(twin)


def hidden_twin(root: _Element) -> None:
    """A stand-in of the near foreleg that is never shown at walk, painted over everything."""
    (leg,) = named(root, "leg", "fore", "near")
    twin = copy.deepcopy(leg)
    twin.set("style", "visibility: hidden")
    leg.addnext(twin)


def probe(root: _Element) -> None:
    """An invisible measuring point on each paw."""
    for paw in named(root, "pawgrp"):
        etree.SubElement(paw, f"{{{root.nsmap[None]}}}circle", cx="485", cy="352", r="2", fill="none")


def ear_in_wrappers(root: _Element) -> None:
    """The ear's shape beside a line, in a group that leans and one around it that flicks."""
    (ear,) = named(root, "ear")
    ear.set("class", "q1")
    inner = etree.SubElement(ear, f"{{{root.nsmap[None]}}}g")
    inner.extend(list(ear)[:-1])
    etree.SubElement(inner, f"{{{root.nsmap[None]}}}path", d="M535 160 L538 140", fill="#d8b6b0")


def individual_properties() -> Files:
    made: Files = files()
    made["styles.css"] = re.sub(r"transform: rotate\((-?[\d.]+deg)\)", r"rotate: \1", str(made["styles.css"]))
    return made


def registered_angles() -> Files:
    """The joints turn by a registered custom property that their own ``rotate`` reads."""
    made: Files = files()
    turning = re.sub(r"transform: rotate\((-?[\d.]+deg)\)", r"--turn: \1", str(made["styles.css"]))
    made["styles.css"] = (
        f"{turning}@property --turn {{ syntax: '<angle>'; inherits: false; initial-value: 0deg; }}"
        "#scene * { rotate: calc(1 * var(--turn)); }"
    )
    return made


IDIOMS: dict[str, Callable[[], Files]] = {
    "as it is": files,
    "translate wrappers": lambda: with_dog(legs_in_wrappers),
    "outlines beneath": lambda: with_dog(outlines_beneath),
    "a hidden twin": lambda: with_dog(hidden_twin),
    "invisible probes": lambda: with_dog(probe),
    "the rotate property": individual_properties,
    "a registered angle": registered_angles,
    "a body that pitches": lambda: with_css(
        ".torso { transform-origin: 420px 230px; animation: pitch var(--cycle) infinite; }"
        "@keyframes pitch { 50% { transform: rotate(2deg); } }"
    ),
    "positive delays": lambda: with_css(
        ".upper, .lower, .pawgrp, .dot { animation-delay: calc(var(--cycle) * (3 + var(--phase))); }"
    ),
    "one rule for all": lambda: with_css(
        ".leg *, .dot { animation-delay: calc(var(--cycle) * var(--phase)) !important; }"
    ),
}


@pytest.mark.parametrize("idiom", IDIOMS)
def test_the_same_dog_is_judged_the_same_in_any_spelling(idiom: str) -> None:
    verdicts = judged(IDIOMS[idiom]())
    assert {code: verdict.value for code, verdict in verdicts.items() if verdict is not Judgement.PASS} == {}


@pytest.mark.parametrize("idiom", IDIOMS)
def test_legs_and_their_pivots_are_found_in_any_spelling(idiom: str) -> None:
    evidence = StaticEvidence(Submission.from_files(IDIOMS[idiom]()), PACK.rubric)
    rig = rig_of(evidence)
    for name in LEGS:
        side, kind = name.split("_")
        wanted = list(PIVOTS[(kind, side)].values())
        found = [joint.pivot for joint in rig.leg(name).joints]
        assert len(found) == 3, name
        for pivot, expected in zip(found, wanted, strict=True):
            assert pivot == pytest.approx(expected, abs=0.05), name


FAULTS = {
    "every stop of the root negated": (
        """@keyframes fore-upper { 0%, 100% { transform: rotate(24deg); } 46% { transform: rotate(-20deg); } }
        @keyframes fore-lower { 0%, 46%, 100% { transform: none; } 70% { transform: rotate(-60deg); } }""",
        {"HB2401", "HB2402"},
    ),
    "played backward": (".upper, .lower, .pawgrp { animation-direction: reverse; }", {"HB2401"}),
    "paw left out of one pace's delay rule": (
        '#scene[data-speed="zoomies"] .hind.far .pawgrp { animation-delay: calc(var(--cycle) * -.04); }',
        {"HB2410"},
    ),
    "shorthand after the delay": (".far .lower { animation: fore-lower var(--cycle) infinite; }", {"HB2410"}),
    "dot on another phase": ('.dot[data-leg="far-hind"] { --phase: -.2; }', {"HB2411"}),
    "dog squashed in the gallop": (
        '#scene[data-speed="zoomies"] .dog { animation: none; transform: scaleY(.85); }',
        {"HB2413"},
    ),
    "far foreleg comes off": (
        """#scene[data-speed="hop"] .fore.near { display: inline; }
        #scene[data-speed="hop"] .fore.far { display: none; }""",
        {"HB2502"},
    ),
    "leg comes off again and again": (
        '#scene[data-speed="hop"] .runaway { animation-iteration-count: infinite; }',
        {"HB2503"},
    ),
    "a hop that hardly springs": (
        "@keyframes spring { 0%, 46%, 100% { transform: none; } 73% { transform: translateY(-8px); } }",
        {"HB2507"},
    ),
    "zoomies as a trot": ('#scene[data-speed="zoomies"] .leg.far { --phase: -.54; }', {"HB2508"}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_fails_its_clause(fault: str) -> None:
    css, codes = FAULTS[fault]
    verdicts = judged(with_css(css), sorted(codes))
    assert {code: verdict.value for code, verdict in verdicts.items() if verdict is not Judgement.FAIL} == {}


def test_a_hidden_leg_that_swings_on_is_not_the_one_that_flies() -> None:
    hidden = """#scene[data-speed="hop"] .fore.near { display: inline; visibility: hidden; }
    #scene[data-speed="hop"] .fore.near .upper { animation: wild .6s infinite; }
    @keyframes wild { 50% { transform: rotate(100deg); } }"""
    verdicts = judged(with_css(hidden), ["HB2502", "HB2503", "HB2504"])
    assert set(verdicts.values()) == {Judgement.PASS}


@pytest.mark.parametrize(("around", "verdict"), [("flick", Judgement.PASS), ("nod", Judgement.FAIL)])
def test_a_group_around_the_ear_flicks_it_unless_it_moves_as_the_head_does(around: str, verdict: Judgement) -> None:
    made = with_dog(ear_in_wrappers)
    made["styles.css"] = (
        f"{made['styles.css']!s}\n.q1 {{ transform-origin: 548px 156px; animation: flick 5.3s infinite; }}"
    )
    if around == "nod":
        text = str(made["index.html"])
        start, end = text.index('<g class="q1">'), text.index("</g></g>", text.index('<g class="q1">')) + 8
        ear, text = text[start:end], text[:start] + text[end:]
        behind_head = '</g>\n  <path class="blade"'
        assert behind_head in text
        made["index.html"] = text.replace(behind_head, ear + behind_head)
        copied = re.findall(r"\.head \{[^}]*\}", str(made["styles.css"]))
        assert len(copied) == 2
        made["styles.css"] = f"{made['styles.css']!s}\n{' '.join(copied).replace('.head', '.q1')}"
    assert judged(made, ["HB2414"])["HB2414"] is verdict


@pytest.mark.parametrize(
    "css",
    [
        "@keyframes never-used { from { transform: rotate(90deg); } }",
        ".never .upper { animation-direction: reverse; } @media print { .upper { animation: none; } }",
        "@supports (display: nonsense) { .lower { animation-delay: 1s; } }",
    ],
)
def test_rules_that_never_win_change_nothing(css: str) -> None:
    assert set(judged(with_css(css)).values()) == {Judgement.PASS}


def test_a_correct_but_hidden_leg_does_not_excuse_the_one_that_is_seen() -> None:
    """A decoy: the right keyframes on a leg nobody sees, a moonwalking one painted over it."""

    def decoy(root: _Element) -> None:
        for leg in named(root, "leg"):
            twin = copy.deepcopy(leg)
            twin.set("class", f"{leg.get('class')} seen")
            leg.set("style", "opacity: 0")
            leg.addnext(twin)

    made: Files = with_dog(decoy)
    made["styles.css"] = f"{made['styles.css']!s}.seen * {{ animation-direction: reverse !important; }}"
    assert judged(made, ["HB2401"])["HB2401"] is not Judgement.PASS


@pytest.mark.parametrize(
    "shape", ['<rect x="322" y="338" width="40" height="24"', '<path d="M320 344 h200 v2 h-200 z"']
)
def test_what_may_be_a_fourth_dot_is_not_missed(shape: str) -> None:
    made: Files = files()
    page, count = re.subn(
        r'<ellipse class="dot"[^>]*far-hind[^>]*/>', f'{shape} class="smudge"/>', str(made["index.html"])
    )
    made["index.html"] = page
    assert count == 1
    assert judged(made, ["HB2411"])["HB2411"] is not Judgement.FAIL


@pytest.mark.parametrize(("height", "expected"), [(335.6, "pass"), (336.5, "unknown"), (340.0, "fail")])
def test_a_drag_counts_from_the_height_where_the_path_begins(
    monkeypatch: pytest.MonkeyPatch, height: float, expected: str
) -> None:
    """A paw that goes back along the path at 342, and on its way forward dips to a height for 30 units."""
    phase = np.arange(200) / 200
    x = np.where(phase < 0.5, 500 - 160 * phase, 420 + 160 * (phase - 0.5))
    y = np.where(phase < 0.5, 342.0, np.where(abs(phase - 0.75) < 0.1, height, 320.0))
    track = PawTrack(phase, 1.0, y, x, np.roll(x, -1) - x)
    stride = SimpleNamespace(track=track, pace="walk", leg=SimpleNamespace(name="near_fore"), own_phase=float)
    monkeypatch.setattr(gait, "leg_strides", lambda _: [stride])
    monkeypatch.setattr(gait, "_stop_before", lambda *_: None)
    monkeypatch.setattr(gait, "_leg_span", lambda *_: None)
    evidence = StaticEvidence(Submission.from_files(files()), PACK.rubric)
    rule = PACK.rules["HB2403"]
    (verdict,) = run_rule(rule, evidence, PACK.parameters(rule), (2,)).verdicts.values()
    assert verdict.judgement.value == expected
