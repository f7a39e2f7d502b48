"""A gait that script hands to ``animate()`` is judged from its source, as one of a style sheet is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from husky_lint.rules.husky.skeleton import files as skeleton

from husky_lint.browser.measured import MeasuredEvidence
from husky_lint.browser.stage import staged
from husky_lint.evidence import StaticEvidence
from husky_lint.judging import rulings_of
from husky_lint.packs import default_pack, load_pack
from husky_lint.rule import Judgement
from husky_lint.style.values import serialize
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from husky_lint.browser.session import BrowserSession

PACES = ("stroll", "walk", "hop", "zoomies")
CODES = ("HB2204", "HB2212", "HB2314", "HB2401", "HB2403", "HB2405", "HB2410", "HB2501", "HB2506", "HB2508", "HB2509")
DRIVE = """
(function () {
  var TABLE = %s, alive = [];
  function drive() {
    alive.forEach(function (one) { one.cancel(); });
    alive = TABLE[scene.dataset.speed].map(function (row) {
      var frames = row.frames.map(function (stop) {
        return { offset: stop[0], transform: stop[1], easing: "ease-in-out" };
      });
      var timing = { duration: row.duration, delay: row.delay, iterations: Infinity, direction: "%s" };
      return document.querySelector(row.path).animate(frames, timing);
    });
    if (HOLDS && scene.dataset.paused === "true") alive.forEach(function (one) { one.pause(); });
  }
  drive();
  document.addEventListener("click", drive);
  document.addEventListener("keydown", drive);
})();
"""


def driven(direction: str, *, holds: bool = True) -> dict[str, str | bytes]:
    """The skeleton's page, its legs moved by script and by nothing else."""
    made: dict[str, Any] = dict(skeleton())
    evidence = StaticEvidence(Submission.from_files(made), load_pack(default_pack()).rubric)
    table: dict[str, list[dict[str, Any]]] = {pace: [] for pace in PACES}
    for pace, rows in table.items():
        motion = evidence.motion(evidence.states.state(pace=pace))
        for node in motion.scene.nodes:
            if {"upper", "lower", "pawgrp"} & set((node.element.get("class") or "").split()):
                animations: Any = motion.animations(node)
                spec, frames = animations["transform"][0]
                stops = [(frame.offset, serialize(frame.value)) for frame in frames]
                path = node.css_path.replace("svg>", "#scene > ", 1)
                rows.append({"path": path, "frames": stops, "duration": 1e3 * spec.duration, "delay": 1e3 * spec.delay})
    script = DRIVE % (json.dumps(table), direction)
    made["app.js"] = f"{made['app.js']}{script.replace('HOLDS', str(holds).lower())}"
    made["styles.css"] = f"{made['styles.css']}\n.upper, .lower, .pawgrp {{ animation: none !important; }}"
    return made


def judged(files: dict[str, str | bytes]) -> dict[str, set[Judgement]]:
    pack = load_pack(default_pack())
    rulings = rulings_of(StaticEvidence(Submission.from_files(files), pack.rubric), pack, CODES)
    return {code: {verdict.judgement for verdict in ruling.verdicts.values()} for code, ruling in rulings.items()}


def test_a_scripted_gait_passes_but_for_the_dial_that_it_does_not_follow() -> None:
    assert judged(driven("normal")) == {
        code: {Judgement.FAIL if code == "HB2212" else Judgement.PASS} for code in CODES
    }


@pytest.mark.parametrize(("direction", "holds", "code"), [("reverse", True, "HB2401"), ("normal", False, "HB2204")])
def test_a_scripted_gait_that_is_wrong_fails(direction: str, holds: bool, code: str) -> None:
    assert judged(driven(direction, holds=holds))[code] == {Judgement.FAIL}


def test_a_pause_of_the_animations_themselves_is_told() -> None:
    made: dict[str, Any] = dict(skeleton())
    made["app.js"] = f"""{made["app.js"]}
    document.querySelector("button[id*=pause]").addEventListener("click", function () {{
      var on = scene.dataset.paused === "true";
      scene.getAnimations({{ subtree: true }}).forEach(function (one) {{
        var part = one.effect.target;
        if (!part.closest(".leg, .strip, .dot, .shadow") && !part.classList.contains("dog")) return;
        if (on) one.pause(); else one.play();
      }});
    }});"""
    kept = ", ".join(f'[data-paused="true"] {part}' for part in (".leg *", ".strip", ".dot", ".shadow", ".dog"))
    made["styles.css"] = f"{made['styles.css']}\n{kept} {{ animation-play-state: running !important; }}"
    assert judged(made)["HB2204"] == {Judgement.PASS}
    still = made["app.js"].replace("one.pause();", "one.play();")
    assert judged({**made, "app.js": still})["HB2204"] == {Judgement.FAIL}


@pytest.mark.browser
def test_source_and_browser_agree_on_a_scripted_gait(visits: BrowserSession) -> None:
    pack, codes = load_pack(default_pack()), ("HB2204", "HB2401", "HB2501")
    told = StaticEvidence(Submission.from_files(driven("normal")), pack.rubric)
    with staged(visits, told.submission) as stage:
        shown = rulings_of(MeasuredEvidence(told, stage), pack, codes)
    for ruling in shown.values():
        assert {verdict.judgement for verdict in ruling.verdicts.values()} == {Judgement.PASS}
