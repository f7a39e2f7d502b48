"""The rig: the corpus against its labels, idioms of other hands, names that lie and names that are gone."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cssselect2 import ElementWrapper
from husky_lint.rules.husky import infer_parts
from husky_lint.rules.husky.rig import DRAWN_ROLES, LEGS, PAGE_ROLES, Disagreement, rig_of
from husky_lint.rules.husky.skeleton import files as skeleton

from husky_lint.evidence import StaticEvidence
from husky_lint.packs import pack_rubric
from husky_lint.rule import Judgement, Reason, Undecided
from husky_lint.script.journal import apply_all, undo_all
from husky_lint.submission import Submission, load

from .anatomy import ruling
from .renaming import rename

if TYPE_CHECKING:
    from collections.abc import Mapping

    from husky_lint.rules.husky.rig import Rig

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


def evidence_of(files: Mapping[str, str | bytes], pins: Mapping[str, str] | None = None) -> StaticEvidence:
    return StaticEvidence(Submission.from_files(files, name="test"), pack_rubric("husky"), pins=pins or {})


def paths(rig: Rig) -> dict[str, tuple[str, ...]]:
    """The CSS paths of every role that was told."""
    told = {role: tuple(node.css_path for node in part.nodes) for role, part in rig.parts.items()}
    return told | {role: part.paths for role, part in rig.page.items()}


def edited(*edits: tuple[str, str], css: str = "") -> dict[str, str | bytes]:
    """The skeleton with texts of its page or style sheet replaced (each must be there) and CSS added."""
    changed: dict[str, str | bytes] = skeleton()
    page, sheet = str(changed["index.html"]), str(changed["styles.css"])
    for old, new in edits:
        assert old in page or old in sheet, old
        page, sheet = page.replace(old, new), sheet.replace(old, new)
    changed["index.html"], changed["styles.css"] = page, sheet + css
    return changed


def leg(end: str, side: str) -> str:
    """The markup of one leg of the skeleton."""
    page = str(skeleton()["index.html"])
    start = page.index(f'<g class="leg {end} {side}">')
    depth = 0
    for match in re.finditer(r"<g\b|</g>", page[start:]):
        depth += 1 if match[0] != "</g>" else -1
        if depth == 0:
            return page[start : start + match.end()]
    raise AssertionError


# ---------------------------------------------------------------------------------------------------------------------
# The corpus


def _labelled(evidence: StaticEvidence, label: Any, *, reduced: bool) -> set[Any]:
    state = evidence.states.state(motion="reduced") if reduced else evidence.states.initial
    selectors = [label] if isinstance(label, str) else label or []
    apply_all(state.mutations)
    try:
        root = ElementWrapper.from_html_root(evidence.page.root)
        found = [[one.etree_element for one in root.query_all(selector)] for selector in selectors]
    finally:
        undo_all(state.mutations)
    assert all(found), label
    many = not isinstance(label, str) or "button[" in label
    return {element for elements in found for element in (elements if many else elements[:1])}


def test_every_role_of_the_corpus_equals_its_label_or_is_unknown(corpus_submission: Path) -> None:
    labels = json.loads((corpus_submission.parent / "labels" / f"{corpus_submission.name}.json").read_text())["roles"]
    evidence = StaticEvidence(load(corpus_submission), pack_rubric("husky"))
    rig = rig_of(evidence)
    told = {role: {node.element for node in part.nodes} for role, part in rig.parts.items()}
    told |= {role: set(part.elements) for role, part in rig.page.items()}
    wanted = {
        role: _labelled(evidence, label, reduced=role == "start_button")
        for role, label in labels.items()
        if role in {*DRAWN_ROLES, *PAGE_ROLES}
    }
    assert {role: told.get(role, set()) for role in wanted} == wanted


def test_what_the_corpus_surely_lacks_is_absent(corpus: Path) -> None:
    rig = rig_of(StaticEvidence(load(corpus / "garnet"), pack_rubric("husky")))
    assert rig.is_absent("blade")
    assert rig.is_absent("dots.near_fore")
    assert not rig.is_absent("neck")


def _same_shapes(before: Rig, after: Rig, role: str) -> bool:
    """Whether a role went to a group around, or in, the one before that shows the same shapes of the part."""
    old, new = before.parts[role], after.parts[role]
    if role == "head":  # the group that nods and the one that looks around hold the same
        before_path, after_path = str(old.node.css_path), str(new.node.css_path)
        return before_path.startswith(after_path) or after_path.startswith(before_path)
    return str(old.shapes[0].css_path) == str(new.shapes[0].css_path)


@pytest.mark.parametrize("seed", [1, 2])
def test_names_may_all_be_meaningless(corpus_submission: Path, seed: int) -> None:
    texts = {
        path.relative_to(corpus_submission).as_posix(): path.read_text()
        for path in sorted(corpus_submission.rglob("*"))
        if path.suffix in {".html", ".css", ".js"}
    }
    before, after = rig_of(evidence_of(texts)), rig_of(evidence_of(rename(texts, seed)))
    told, still = paths(before), paths(after)
    wrong = [
        role for role in told if role in still and told[role] != still[role] and not _same_shapes(before, after, role)
    ]
    lost = [role for role in told if role not in still]
    assert not wrong
    assert len(lost) <= 1, lost


# ---------------------------------------------------------------------------------------------------------------------
# The skeleton, in idioms of other hands


def test_the_skeleton_is_told_whole() -> None:
    rig = rig_of(evidence_of(skeleton()))
    assert set(rig.legs) == set(LEGS)
    assert all(len(one.joints) == 3 for one in rig.legs.values())
    assert not rig.conflicts
    untold = {role for role in DRAWN_ROLES if role not in rig.parts}
    assert untold <= {"lamppost", "lamp_glass", "detached_leg"}
    assert rig.leg("near_fore").joints[0].pivot == pytest.approx((498, 214), abs=0.01)


def test_translate_wrappers_with_origin_at_zero_turn_about_their_sum() -> None:
    wrapped = """<g transform="translate(498 214)"><g class="upper"><path class="arm" d="M0 0 L-16 38"/>
      <g transform="translate(-16 38)"><g class="lower"><path class="forearm" d="M0 0 L2 72"/>
      <g transform="translate(2 72)"><g class="pawgrp"><path class="paw" d="M-7 16 q-2 -21 7 -21 q8 0 9 9 q6 3 7 9 z"/>
      </g></g></g></g></g></g>"""
    body = re.sub(r'^<g class="leg fore near">|</g>$', "", leg("fore", "near"))
    rig = rig_of(
        evidence_of(
            edited(
                (body, wrapped),
                css=".fore.near .upper, .fore.near .lower, .fore.near .pawgrp { transform-origin: 0 0; }",
            )
        )
    )
    pivots = [joint.pivot for joint in rig.leg("near_fore").joints]
    assert [tuple(round(one) for one in pivot) for pivot in pivots] == [(498, 214), (482, 252), (484, 324)]


def test_names_that_lie_are_a_conflict_and_no_answer() -> None:
    swapped = edited(
        (leg("fore", "far"), "<!-- a -->"),
        (leg("fore", "near"), leg("fore", "near").replace("fore near", "fore far")),
        ("<!-- a -->", leg("fore", "far").replace("fore far", "fore near")),
        (".fore.near .", ".fore.swap ."),
        (".fore.far .", ".fore.near ."),
        (".fore.swap .", ".fore.far ."),
    )
    rig = rig_of(evidence_of(swapped))
    roots = {name: round(one.joints[0].pivot[0]) for name, one in rig.legs.items()}
    assert roots == {"near_fore": 498, "far_fore": 478, "near_hind": 358, "far_hind": 338}
    disagreeing = [one for one in rig.conflicts if one.kind is Disagreement.LEG_NAME]
    assert {str(one) for one in disagreeing} == {
        "a leg is called near fore, but by its place and paint order it is the far fore",
        "a leg is called far fore, but by its place and paint order it is the near fore",
    }
    assert [one.node for one in disagreeing] == [rig.leg(name).joints[0].node for name in ("far_fore", "near_fore")]
    assert rig.leg("near_fore").confidence < rig.leg("near_hind").confidence


@pytest.mark.parametrize("numbers", [(1, 2, 3, 4), (4, 1, 3, 2)])
def test_numbers_for_names_say_nothing(numbers: tuple[int, ...]) -> None:
    places = [("hind", "far"), ("fore", "far"), ("hind", "near"), ("fore", "near")]
    changed = skeleton()
    page, sheet = str(changed["index.html"]), str(changed["styles.css"])
    for (end, side), number in zip(places, numbers, strict=True):
        page = page.replace(f'class="leg {end} {side}"', f'class="leg{number} {"a" if end == "fore" else "b"}"')
        page = page.replace(f'data-leg="{side}-{end}"', f'data-leg="{number}"')
        sheet = sheet.replace(f".{end}.{side}", f".leg{number}").replace(
            f'data-leg="{side}-{end}"', f'data-leg="{number}"'
        )
    sheet = sheet.replace(".fore .", ".a .").replace(".hind .", ".b .")
    changed["index.html"], changed["styles.css"] = page, sheet
    rig = rig_of(evidence_of(changed))
    roots = {name: round(one.joints[0].pivot[0]) for name, one in rig.legs.items()}
    assert roots == {"near_fore": 498, "far_fore": 478, "near_hind": 358, "far_hind": 338}
    assert not rig.conflicts
    assert rig.parts["dots.near_fore"].confidence < 0.9


def test_segments_called_alike_in_every_leg_say_nothing_of_its_end() -> None:
    """Four legs near and far, each of a thigh, a shin and a paw: no foreleg is called a hind one."""
    changed = skeleton()
    page, sheet = str(changed["index.html"]), str(changed["styles.css"])
    for old, new in (("fore", "q1"), ("hind", "q2"), ("upper", "thigh"), ("lower", "shin")):
        page = re.sub(rf'(class="[^"]*?)(?<![\w-]){old}(?![\w-])', rf"\1{new}", page)
        sheet = re.sub(rf"\.{old}(?![\w-])", f".{new}", sheet)
    changed["index.html"], changed["styles.css"] = page.replace('<path class="thigh"', '<path class="ham"'), sheet
    rig = rig_of(evidence_of(changed))
    assert set(rig.legs) == set(LEGS)
    assert not rig.conflicts


def test_an_abbreviation_that_is_also_a_side_says_nothing_of_an_end() -> None:
    """``nr`` is near on both near legs here, and no near rear."""
    changed = skeleton()
    for path in ("index.html", "styles.css"):
        text = str(changed[path])
        for old, new in (("fore near", "fore nr"), ("hind near", "hind nr"), (".near", ".nr")):
            text = text.replace(old, new)
        for old, new in (("leg fore", "leg q1"), ("leg hind", "leg q2"), (".fore", ".q1"), (".hind", ".q2")):
            text = text.replace(old, new)
        changed[path] = text
    rig = rig_of(evidence_of(changed))
    assert set(rig.legs) == set(LEGS)
    assert not rig.conflicts


def test_a_sibling_that_repeats_the_turning_of_the_body_is_no_joint() -> None:
    rocking = """
    @keyframes rock { from { transform: rotate(-1.2deg); } to { transform: translateY(-3px) rotate(1.2deg); } }
    .rocking { transform-origin: 420px 230px; animation: rock calc(var(--cycle) / 2) ease-in-out infinite alternate; }
    .dog { animation: none; }
    """
    near = leg("fore", "near")
    page = edited(
        ('<g class="dog">', '<g class="dog"><g class="rocking">'),
        (near, f'</g><g class="rocking copy">{near}</g>'),
        css=rocking,
    )
    rig = rig_of(evidence_of(page))
    assert {name: len(one.joints) for name, one in rig.legs.items()} == dict.fromkeys(LEGS, 3)
    assert rig.leg("near_fore").joints[0].pivot == pytest.approx((498, 214), abs=0.5)


def siblings() -> dict[str, str | bytes]:
    """The skeleton's dog as three siblings that bob alike, none of which is the dog."""
    near = leg("fore", "near")
    front = '<g class="front">'
    return edited((near, f'</g><g class="dog">{near}'), (front, f'</g><g class="dog">{front}'))


def test_a_dog_of_siblings_is_all_of_them() -> None:
    rig = rig_of(evidence_of(siblings()))
    assert len(rig.part("dog").nodes) == 3
    for code in ("HB2108", "HB2412"):
        assert ruling(code, siblings())[0].judgement is Judgement.PASS
    dots = '<g class="dots">'
    page = str(siblings()["index.html"])
    drawn = page[page.index(dots) : page.index("</g>", page.index(dots)) + len("</g>")]
    moved = page.replace(drawn, "").replace('<g class="dog">', f'<g class="dog">{drawn}', 1)
    assert ruling("HB2412", {**siblings(), "index.html": moved})[0].judgement is Judgement.FAIL


def test_an_outline_drawn_as_a_leg_of_its_own_beneath_is_the_same_leg() -> None:
    near = leg("fore", "near")
    under = near.replace('class="leg fore near"', 'class="leg fore near under"')
    rig = rig_of(evidence_of(edited((near, under + near), css=".under .arm { stroke-width: 25; }")))
    assert len(rig.legs) == 4
    assert rig.leg("near_fore").joints[0].pivot == pytest.approx((498, 214), abs=0.5)
    assert not rig.conflicts


def test_joints_of_smil() -> None:
    """The near foreleg turns by ``<animateTransform>`` alone: the same pivots, the same leg."""
    page = leg("fore", "near")
    turned = page
    for part, pivot, angles in (
        ("upper", "498 214", (-20, 20, -20)),
        ("lower", "482 252", (0, 0, -50)),
        ("pawgrp", "484 324", (-5, 15, 30)),
    ):
        values = ";".join(f"{angle} {pivot}" for angle in (*angles, angles[0]))
        smil = f'<animateTransform attributeName="transform" type="rotate" values="{values}" dur="0.78s"'
        turned = turned.replace(f'<g class="{part}">', f'<g class="{part}">{smil} repeatCount="indefinite"/>')
    changed = edited(
        (page, turned), css=".fore.near :is(.upper, .lower, .pawgrp) { animation: none; transform-origin: 0 0; }"
    )
    rig = rig_of(evidence_of(changed))
    assert set(rig.legs) == set(LEGS)
    found = [tuple(round(at) for at in joint.pivot) for joint in rig.leg("near_fore").joints]
    assert found == [(498, 214), (482, 252), (484, 324)]


def test_a_shared_leg_in_use_elements() -> None:
    """Rules match within the clone; what tells the legs apart is inherited through the use."""
    fore = leg("fore", "near").replace('class="leg fore near"', 'id="fore-leg" class="leg fore shared"')
    page = edited(
        ('<g class="dog">', f'<defs>{fore}</defs><g class="dog">'),
        (leg("fore", "far"), '<use class="fore far" href="#fore-leg" x="-20" y="-2"/>'),
        (leg("fore", "near"), '<use class="fore near" href="#fore-leg"/>'),
        (".fore.near .upper {", ".fore.shared .upper {"),
        (".fore.near .lower {", ".fore.shared .lower {"),
        (".fore.near .pawgrp {", ".fore.shared .pawgrp {"),
    )
    rig = rig_of(evidence_of(page))
    assert set(rig.legs) == set(LEGS)
    assert [round(joint.pivot[0]) for joint in rig.leg("far_fore").joints] == [478, 462, 464]
    assert [round(joint.pivot[0]) for joint in rig.leg("near_fore").joints] == [498, 482, 484]


def test_a_welded_paw_is_missing() -> None:
    rig = rig_of(evidence_of(edited(css=".fore.near .pawgrp { animation: none; }")))
    assert len(rig.leg("near_fore").joints) == 2
    assert "near_fore.paw" not in rig.parts
    assert "welded" in rig.missing["near_fore.paw"]


def test_a_paw_that_bends_at_another_pace_only_is_a_joint() -> None:
    rig = rig_of(evidence_of(edited(css='#scene:not([data-speed="zoomies"]) .fore.near .pawgrp { animation: none; }')))
    assert len(rig.leg("near_fore").joints) == 3
    assert rig.leg("near_fore").joints[2].pivot == pytest.approx((484, 324), abs=0.5)


def test_a_leg_that_moves_at_another_pace_only_is_found() -> None:
    still = '#scene:not([data-speed="zoomies"]) .fore.near :is(.upper, .lower, .pawgrp) { animation: none; }'
    rig = rig_of(evidence_of(edited(css=still)))
    assert set(rig.legs) == set(LEGS)
    assert rig.leg("near_fore").joints[0].pivot == pytest.approx((498, 214), abs=0.5)


def test_hidden_legs_and_probes_are_no_legs() -> None:
    near = leg("fore", "near")
    decoy = near.replace('class="leg fore near"', 'class="leg fore near" style="opacity:0"')
    probe = '<g class="leg fore near" style="fill:none;stroke:none">' + near.split(">", 1)[1]
    rig = rig_of(
        evidence_of(edited((near, near + decoy), ('</g>\n<g class="runaway">', f'{probe}</g>\n<g class="runaway">')))
    )
    assert set(rig.legs) == set(LEGS)
    assert not [one for one in rig.conflicts if one.kind is Disagreement.LEG_COUNT]


def test_limbs_of_rects_and_paths() -> None:
    page = edited(
        (
            '<path class="arm" d="M498 214 L482 252"/>',
            '<rect class="bar" x="488" y="210" width="20" height="48" rx="9"/>',
        ),
        ('<path class="forearm" d="M482 252 L484 324"/>', '<path class="bar" d="M475 246 H489 V326 H477 Z"/>'),
        css=".bar { fill: var(--coat-mid); }",
    )
    assert len(rig_of(evidence_of(page)).leg("near_fore").joints) == 3


def test_a_hock_is_a_joint_and_the_paw_stays_the_last() -> None:
    shank = '<path class="shank" d="M374 266 L352 306"/>'
    page = edited(
        (shank, shank + '<g class="hock">'),
        (
            '<path class="paw" d="M345 340 q-1 -14 9 -14 q11 1 15 9 q1 5 -3 5 z"/>\n        </g>',
            '<path class="paw" d="M345 340 q-1 -14 9 -14 q11 1 15 9 q1 5 -3 5 z"/>\n        </g></g>',
        ),
        css=""".hock { transform-origin: 360px 290px; animation: hock var(--cycle) linear infinite alternate; }
        @keyframes hock { from { transform: rotate(-4deg); } to { transform: rotate(6deg); } }""",
    )
    rig = rig_of(evidence_of(page))
    assert len(rig.leg("near_hind").joints) == 4
    assert rig.parts["near_hind.paw"].node.element.get("class") == "pawgrp"


def test_dots_that_only_an_animation_shows() -> None:
    fading = """
    .dot { opacity: 0; animation-name: fade; }
    @keyframes fade { 0%, 40% { opacity: .4; } 50%, 92% { opacity: 0; } 100% { opacity: .4; } }
    """
    rig = rig_of(evidence_of(edited(css=fading)))
    assert {f"dots.{name}" for name in LEGS} <= set(rig.parts)


def test_a_blade_that_turns_is_the_blade_and_no_joint_of_the_leg() -> None:
    near = leg("fore", "near")
    blade = re.search(r'<path class="blade"[^>]*/>', str(skeleton()["index.html"]))
    assert blade is not None
    turning = """
    .sway { transform-origin: 480px 196px; animation: sway var(--cycle) ease-in-out infinite alternate; }
    @keyframes sway { from { transform: rotate(-3deg); } to { transform: rotate(3deg); } }
    """
    moved = near.replace('<g class="upper">', f'<g class="sway">{blade[0]}<g class="upper">').replace(
        "</g>", "</g></g>", 1
    )
    rig = rig_of(evidence_of(edited((blade[0], ""), (near, moved), css=turning)))
    assert rig.leg("near_fore").joints[0].node.element.get("class") == "upper"
    assert len(rig.leg("near_fore").joints) == 3


def test_what_is_not_drawn_is_absent() -> None:
    page = skeleton()
    text = str(page["index.html"])
    for name in ("shadow", "brow", "blade"):
        text = re.sub(rf'<(?:path|ellipse) class="{name}"[^>]*/>', "", text)
    text = re.sub(r'<g class="dots">.*?</g>', "", text, flags=re.DOTALL)
    text = re.sub(r'<g class="(ear|eye|tag)">.*?</g>', "", text, flags=re.DOTALL)
    page["index.html"] = text
    rig = rig_of(evidence_of(page))
    gone = {role for role in DRAWN_ROLES if rig.is_absent(role)}
    assert {"contact_shadow", "brow", "blade", "ear", "eye", "tag", *(f"dots.{name}" for name in LEGS)} <= gone
    assert not gone & {"neck", "skull", "body", "tail", "bib", "collar", "nose", "mouth_or_tongue"}


@pytest.mark.parametrize("place", ["translate: 10px 4px", "translate: -12px -6px", "translate: 0 12px"])
def test_the_dog_may_stand_a_little_elsewhere(place: str) -> None:
    before = paths(rig_of(evidence_of(skeleton())))
    after = paths(rig_of(evidence_of(edited(css=f".dog {{ {place}; animation: none; }}"))))
    assert after == before


def test_a_dog_that_faces_left_is_told_all_the_same() -> None:
    before = paths(rig_of(evidence_of(skeleton())))
    rig = rig_of(evidence_of(edited(css=".dog { transform: translateX(880px) scaleX(-1); animation: none; }")))
    after = paths(rig)
    dots = {role for role in before if role.startswith("dots.")}  # they stay where they are
    assert {role: after.get(role) for role in before if role not in dots} == {
        role: path for role, path in before.items() if role not in dots
    }
    assert Disagreement.FACES_LEFT in [one.kind for one in rig.conflicts]


def test_one_leg_to_the_side_of_its_place() -> None:
    rig = rig_of(evidence_of(edited(('class="leg fore far"', 'class="leg fore far" transform="translate(-60 0)"'))))
    assert round(rig.leg("far_fore").joints[0].pivot[0]) == 418
    assert round(rig.leg("far_hind").joints[0].pivot[0]) == 338


def test_a_mask_that_sticks_out_of_the_skull_is_its_muzzle() -> None:
    page = str(skeleton()["index.html"])
    (skull,) = re.findall(r'<path class="skull"[^>]*>', page)
    (mask,) = re.findall(r'<path class="face-mask"[^>]*>', page)
    round_skull = '<ellipse class="skull" cx="554" cy="178" rx="37" ry="33"/>'
    long_mask = mask.replace("536 203 C548 202 556 194 562 186", "542 206 C544 200 545 192 552 184")
    assert long_mask != mask
    rig = rig_of(evidence_of(edited((skull, round_skull), (mask, long_mask))))
    for role in ("face_mask", "brow", "eye", "ear", "nose", "mouth_or_tongue"):
        assert paths(rig)[role] == paths(rig_of(evidence_of(skeleton())))[role], role


def test_a_flat_dog_without_a_group() -> None:
    page = edited(('<g class="dog">', ""), ('</g>\n<g class="runaway">', '<g class="runaway">'))
    rig = rig_of(evidence_of(page))
    assert set(rig.legs) == set(LEGS)
    assert {"skull", "eye", "ear", "body", "tail", "bib"} <= set(rig.parts)
    assert "dog" not in rig.parts


def test_motion_by_script_alone_leaves_the_legs_unknown() -> None:
    still = ".upper, .lower, .pawgrp { animation: none; }"
    changed = edited(css=still)
    changed["app.js"] = (
        str(changed["app.js"])
        + """
    var parts = document.querySelectorAll(".upper, .lower, .pawgrp");
    function step(now) {
      parts.forEach(function (part) { part.style.transform = "rotate(" + Math.sin(now / 100) * 20 + "deg)"; });
      requestAnimationFrame(step);
    }
    requestAnimationFrame(step);
    """
    )
    rig = rig_of(evidence_of(changed))
    assert not rig.legs
    assert {"skull", "ear", "body"} <= set(rig.parts)
    with pytest.raises(Undecided) as of_leg:
        rig.leg("near_hind")
    with pytest.raises(Undecided) as of_part:
        rig.part("far_fore.forearm")
    assert {raised.value.reason for raised in (of_leg, of_part)} == {Reason.SCRIPT_DRIVEN_MOTION}


def test_a_page_without_a_dog() -> None:
    rig = rig_of(
        evidence_of({"index.html": '<!doctype html><svg viewBox="0 0 900 460"><rect width="9" height="9"/></svg>'})
    )
    assert not rig.legs
    assert {role for role in rig.parts if role != "scene"} == set()
    assert all(role in rig.missing for role in DRAWN_ROLES if role not in rig.parts)


# ---------------------------------------------------------------------------------------------------------------------
# Pins, and what the command line shows


def test_a_pin_settles_a_role() -> None:
    rig = rig_of(evidence_of(skeleton(), {"skull": ".neck", "tag": ".nowhere", "eye": "((", "nonsense": ".dog"}))
    assert rig.parts["skull"].node.element.get("class") == "neck"
    assert rig.parts["skull"].confidence == 1.0
    assert "pinned" in rig.missing["tag"]
    assert "eye" not in rig.parts
    assert [one.kind for one in rig.conflicts] == [Disagreement.PIN]
    assert "nonsense" in str(rig.conflicts[0])


def test_a_pin_settles_a_joint() -> None:
    """The elbow pinned to the wrist: the leg bends there, in every rule."""
    plain = rig_of(evidence_of(skeleton())).leg("near_fore")
    rig = rig_of(evidence_of(skeleton(), {"near_fore.forearm": ".fore.near .pawgrp"}))
    leg = rig.leg("near_fore")
    assert [joint.node.element.get("class") for joint in leg.joints] == ["upper", "pawgrp"]
    assert leg.joints[1].pivot == pytest.approx(plain.joints[2].pivot, abs=0.01)
    assert leg.confidence == 1.0
    assert "near_fore.paw" not in rig.parts
    assert rig.parts["near_fore.forearm"].node.element.get("class") == "pawgrp"
    assert len(rig.leg("far_fore").joints) == 3


def test_a_pinned_root_makes_a_leg_of_what_turns_in_it() -> None:
    """Two legs mixed up on purpose: the pins decide, not the paint order."""
    pins = {"near_fore.upper": ".fore.far .upper", "far_fore.upper": ".fore.near .upper"}
    rig = rig_of(evidence_of(skeleton(), pins))
    assert rig.leg("near_fore").joints[0].pivot == pytest.approx((478, 212), abs=0.01)
    assert rig.leg("far_fore").joints[0].pivot == pytest.approx((498, 214), abs=0.01)
    assert len(rig.leg("near_fore").joints) == 3
    assert set(rig.leg("near_fore").shapes).isdisjoint(rig.leg("far_fore").shapes)


@pytest.mark.parametrize(
    ("selector", "why"), [(".nowhere", "meets nothing"), (".torso", "does not turn"), (".fore.far .lower", "not turn")]
)
def test_a_leg_whose_pinned_joint_is_none_is_not_judged(selector: str, why: str) -> None:
    rig = rig_of(evidence_of(skeleton(), {"near_fore.forearm": selector}))
    with pytest.raises(Undecided, match=why):
        rig.leg("near_fore")
    assert set(rig.legs) == set(LEGS) - {"near_fore"}


def test_figure_shows_every_role() -> None:
    infer = infer_parts
    figure = infer(evidence_of(skeleton()))
    assert set(figure.parts) == {*DRAWN_ROLES, *PAGE_ROLES}
    shown = figure.to_json()
    assert shown["lamppost"] is None
    assert shown["bib"]["path"] == [path for path in shown["bib"]["path"] if path.startswith("svg>g")]
    assert {bone.name for bone in figure.bones} == set(LEGS)
    assert all(part is not None or role in figure.missing for role, part in figure.parts.items())
