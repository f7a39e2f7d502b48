"""Animations that script makes: boxes equal those of Chromium, and what cannot be told is unknown."""

# ruff: noqa: E501 - markup reads best unbroken

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from husky_lint.evidence import StaticEvidence
from husky_lint.packs import pack_rubric
from husky_lint.submission import Submission
from tests.scene.oracle import TOLERANCE, differences, measure

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from husky_lint.style.page_state import PageState

TIMES = (0.0, 0.1, 0.25, 0.5, 0.93, 1.0, 1.32, 2.17, 4.0, 7.3)

# At the end of the page's own script, when nothing has had the time to run.
LAST = """{
  const all = new Set([...made, ...document.getAnimations()]);
  window.all = [...all].filter(one => one.playState !== 'idle');
  window.begin = window.all.map(one => {
    const css = one instanceof CSSAnimation, put = one.currentTime, rate = one.playbackRate;
    const held = one.playState === 'paused';
    one.pause();
    return t => held ? put : css ? t : put + t * rate;
  });
}"""
FIRST = """const el = id => document.getElementById(id), made = [], animate = Element.prototype.animate;
Element.prototype.animate = function (...given) { const one = animate.apply(this, given); made.push(one); return one; };"""
BY_SEEKING = """([selector, times]) => {
  const scene = document.querySelector(selector);
  const elements = [...scene.querySelectorAll('*')];
  const css = e => e === scene ? 'svg' : css(e.parentNode) + '>' + e.localName + ':nth-child(' + ([...e.parentNode.children].indexOf(e) + 1) + ')';
  const box = scene.getBoundingClientRect(), scale = box.width / scene.viewBox.baseVal.width;
  const values = new Float64Array(times.length * elements.length * 4);
  let at = 0;
  for (const t of times) {
    window.all.forEach((one, place) => { one.currentTime = window.begin[place](t * 1000); });
    for (const element of elements) {
      const r = element.getBoundingClientRect();
      values.set([(r.x - box.x) / scale, (r.y - box.y) / scale, r.width / scale, r.height / scale], at);
      at += 4;
    }
  }
  return {paths: elements.map(css), values: btoa(String.fromCharCode(...new Uint8Array(values.buffer)))};
}"""
SCENE = """<g id="a"><rect width="20" height="10"/><g id="b"><rect x="5" y="5" width="9" height="4"/></g></g>
<circle id="c" r="6" cx="30" cy="30"/><use href="#a" x="60"/>"""
SCRIPTS = [
    "el('a').animate([{ transform: 'rotate(0deg)' }, { transform: 'rotate(90deg)' }], { duration: 1000, iterations: Infinity });",
    "el('a').animate({ transform: ['none', 'translateX(40px)', 'translate(10px, 30px)'] }, 1300);",
    "el('a').animate({ transform: ['translateX(10px)', 'translateX(50px)'], rotate: ['0deg', '20deg', '5deg', '90deg'] }, { duration: 2000, iterations: 2.5, direction: 'alternate', easing: 'ease-in' });",
    "el('a').animate([{ transform: 'translateX(40px)' }], { duration: 800, iterations: 3, delay: 300, endDelay: -500, fill: 'both' });",
    "el('a').animate([{ transform: 'none', easing: 'steps(3)' }, { transform: 'rotate(45deg)', offset: .2, easing: 'ease-out' }, { transform: 'scale(2)' }], { duration: 1500, iterations: Infinity, easing: 'cubic-bezier(.3, -1, .7, 2)' });",
    "el('a').animate({ translate: ['0px', '30px', '50px'], offset: [0, .7], easing: ['ease', 'linear'] }, { duration: 900, delay: -400, iterations: Infinity, direction: 'reverse' });",
    "el('c').animate([{ cx: '30px', r: '6px' }, { cx: '90px', r: '12px' }], { duration: 1000, iterationStart: .5, iterations: 2, fill: 'forwards' });",
    "const a = el('a').animate({ transform: ['none', 'rotate(120deg)'] }, { duration: 1000, iterations: Infinity }); a.currentTime = 350;",
    "const a = el('a').animate({ transform: ['none', 'rotate(120deg)'] }, { duration: 1000, iterations: Infinity, delay: -200 }); a.playbackRate = 1.7; a.currentTime = 350;",
    "const a = el('a').animate({ transform: ['none', 'rotate(120deg)'] }, { duration: 1000, iterations: Infinity }); a.pause(); a.currentTime = 250;",
    "const a = el('a').animate({ transform: ['none', 'rotate(120deg)'] }, 1000); a.cancel(); el('b').animate({ transform: 'scale(3)' }, { duration: 500, fill: 'forwards' }).finish();",
    "const a = el('a').animate({ transform: ['none', 'rotate(120deg)'] }, 1000); a.effect.updateTiming({ iterations: Infinity, duration: 700 }); a.effect.setKeyframes({ translate: ['0 0', '0 30px'] });",
    "const a = new Animation(new KeyframeEffect(el('a'), { transform: ['none', 'scale(2)'] }, { duration: 600, iterations: Infinity, direction: 'alternate' })); a.play();",
    "const a = el('a').animate({ transform: ['none', 'rotate(50deg)'] }, { duration: 1000, iterations: Infinity }); el('a').animate({ transform: ['translateX(10px)', 'translateX(40px)'] }, { duration: 700, iterations: Infinity, composite: 'add' });",
    "el('k').animate([{ transform: 'translateX(40px)', composite: 'accumulate' }, { transform: 'translateX(0)' }], { duration: 700, iterations: Infinity, composite: 'accumulate' });",
    "el('k').animate({ transform: ['rotate(0deg)', 'rotate(60deg)'] }, { duration: 900, iterations: Infinity });",
    "el('k').animate({ transform: ['rotate(0deg)', 'rotate(60deg)'] }, { duration: 900, iterations: 2, composite: 'add' }); el('h').animate({ transform: ['scale(2)', 'scale(1)'] }, { duration: 900, iterations: Infinity });",
    "el('a').animate({ '--x': ['10px', '40px'], transform: 'translateX(var(--x))' }, { duration: 900, iterations: Infinity }); el('a').style.setProperty('--x', '7px');",
    "el('a').animate([{ transform: 'nonsense(3)', x: '3px' }, { transform: 'rotate(9deg)' }], { duration: 900, iterations: Infinity }); try { el('b').animate([{ offset: 3 }], 100) } catch (e) { el('b').animate({ transform: ['none', 'scale(2)'] }, 1e3) }",
    "const KF = { swing: [[0, -20], [.25, 10], [1, -20]] }; for (const [i, id] of ['a', 'b'].entries()) el(id).animate(KF.swing.map(([offset, deg]) => ({ offset, transform: `rotate(${deg}deg)`, easing: 'ease-in-out' })), { duration: 780, delay: -i * .25 * 780, iterations: Infinity });",
]
STYLES = """<style>@keyframes k { to { transform: translateX(40px) } } @keyframes l { to { translate: 0 20px } } #k { animation: k 1s linear infinite, none 3s, l 2s infinite .3s }
#h { transform: rotate(10deg) !important; animation: l 1s infinite paused !important }</style>
<svg viewBox="0 0 200 100" width="800" height="400"><g id="k"><rect width="8" height="8"/></g><rect id="h" width="8" height="8"/>"""


def page_of(script: str) -> str:
    return f"<!doctype html>{STYLES}{SCENE}</svg><script>{{ const el = id => document.getElementById(id); {script} }}</script>"


def instrumented(html: str) -> str:
    """The page with what notes the animations that it makes, and how they begin."""
    return html.replace("const el = id => document.getElementById(id);", FIRST).replace(
        " }</script>", f" {LAST} }}</script>"
    )


def loaded(html: str) -> tuple[StaticEvidence, PageState]:
    evidence = StaticEvidence(Submission.from_files({"index.html": html}), pack_rubric("husky"))
    return evidence, evidence.states.initial


@pytest.mark.browser
def test_boxes_equal_those_of_chromium(page: Callable[..., Page]) -> None:
    blank = page()
    for script in SCRIPTS:
        html = page_of(script)
        blank.set_content(instrumented(html))
        measured = measure(blank, BY_SEEKING, TIMES)
        evidence, state = loaded(html)
        motion = evidence.motion(state)
        assert not motion.unknown, f"{motion.unknown}\n{script}"
        found = differences(motion, measured, TIMES)
        assert found[0].amount <= TOLERANCE, f"{found[0]}\n{script}"


def random_script(chance: random.Random) -> str:
    """Some animations of some elements, whatever their timing."""
    transforms = [
        "none",
        "translateX(40px)",
        "rotate(70deg)",
        "scale(1.5, .5)",
        "translate(10px, 20px) rotate(-30deg)",
        "skewX(20deg)",
    ]
    easings = [
        "linear",
        "ease",
        "steps(4, jump-both)",
        "cubic-bezier(.3, -1, .7, 2)",
        "linear(0, .2 30%, 1)",
        "ease-in",
    ]
    lines = []
    for number in range(chance.randint(1, 3)):
        count = chance.randint(1, 4)
        frames = []
        for offset in sorted(chance.choices([0, 0, 0.2, 0.5, 0.5, 0.8, 1], k=count)):
            given = [f"transform: '{chance.choice(transforms)}'"]
            given += [f"offset: {offset}"] * chance.randint(0, 1)
            given += [f"easing: '{chance.choice(easings)}'"] * chance.randint(0, 1)
            given += [f"composite: '{chance.choice(['add', 'auto'])}'"] * (chance.random() < 0.1)
            given += [f"scale: '{chance.choice(['2', '1 3'])}'"] * (chance.random() < 0.3)
            frames.append(f"{{ {', '.join(given)} }}")
        if chance.random() < 0.3:
            shown = [chance.choice(transforms) for _ in range(count)]
            keyframes = f"{{ transform: {shown}, easing: {chance.choices(easings, k=chance.randint(1, 3))} }}"
        else:
            keyframes = f"[{', '.join(frames)}]"
        options = {
            "duration": chance.choice([400, 1000, 1730]),
            "iterations": chance.choice(["Infinity", 1, 2.5, 0]),
            "delay": chance.choice([0, -300, 500]),
            "endDelay": chance.choice([0, 0, -100, 300]),
            "iterationStart": chance.choice([0, 0, 0.3, 1.5]),
            "direction": repr(chance.choice(["normal", "reverse", "alternate", "alternate-reverse"])),
            "fill": repr(chance.choice(["none", "both", "forwards", "backwards", "auto"])),
            "easing": repr(chance.choice(easings)),
            "composite": repr(chance.choice(["replace", "add"])),
        }
        chosen = [f"{name}: {value}" for name, value in options.items() if chance.random() < 0.6 or name == "duration"]
        made = f"el('{chance.choice('abk')}').animate({keyframes}, {{ {', '.join(chosen)} }})"
        lines.append(f"const m{number} = {made};")
        lines.append(
            chance.choice(
                [f"m{number}.playbackRate = 1.5;", f"m{number}.currentTime = 450;", f"m{number}.pause();", "", "", ""]
            )
        )
    return " ".join(lines)


@pytest.mark.browser
def test_random_animations_equal_those_of_chromium(page: Callable[..., Page]) -> None:
    chance = random.Random(7)
    blank = page()
    for _ in range(40):
        script = random_script(chance)
        html = page_of(script)
        blank.set_content(instrumented(html))
        measured = measure(blank, BY_SEEKING, TIMES)
        evidence, state = loaded(html)
        found = differences(evidence.motion(state), measured, TIMES)
        assert found[0].amount <= TOLERANCE, f"{found[0]}\n{script}"


BUTTONS = """<button id="walk">walk</button><button id="hop">hop</button><button id="pause">pause</button>"""
PACES = """const KF = { walk: 20, hop: 60 }; let running = [];
function go(pace) {
  running.forEach(one => one.cancel());
  document.getElementById('scene').dataset.speed = pace;
  running = ['a', 'b'].map((id, i) => document.getElementById(id).animate(
    { transform: ['translateX(0px)', `translateX(${KF[pace]}px)`] }, { duration: 1000, delay: i * -500, iterations: Infinity }));
}
go('walk');
for (const pace of ['walk', 'hop']) document.getElementById(pace).addEventListener('click', () => go(pace));
let paused = false;
document.getElementById('pause').addEventListener('click', () => {
  paused = !paused;
  document.getElementById('scene').dataset.paused = String(paused);
  running.forEach(one => paused ? one.pause() : one.play());
});"""
PACED = f"""<!doctype html><style>#scene[data-speed="hop"] .x {{ fill: red }} #scene[data-speed="walk"] .x {{ fill: blue }}
#scene[data-paused="true"] .x {{ opacity: .5 }}</style>{BUTTONS}
<svg id="scene" viewBox="0 0 200 100" width="800" height="400"><rect id="a" class="x" width="8" height="8"/><rect id="b" width="8" height="8"/></svg>
<script>{PACES}</script>"""


def places(evidence: StaticEvidence, time: float, **wanted: str) -> list[float]:
    motion = evidence.motion(evidence.states.state(**wanted))
    assert not motion.unknown
    return [round(float(rows[0, 0]), 3) for rows in motion.boxes([time]).values()]


def test_a_pace_has_the_animations_that_choosing_it_makes_and_pausing_holds_them() -> None:
    evidence, _ = loaded(PACED)
    assert places(evidence, 0.25) == [5, 15]
    assert places(evidence, 0.25, pace="hop") == [15, 45]
    assert places(evidence, 0.25, pace="hop", paused="true") == [0, 30]
    # Elements and states that script has not touched are as they were.
    assert places(evidence, 0.25, pace="walk") == [5, 15]


@pytest.mark.parametrize(
    "script",
    [
        "el('a').animate({ transform: ['none', `rotate(${Math.random()}deg)`] }, 1000);",
        "el('a').animate({ transform: ['none', 'rotate(9deg)'] }, { duration: performance.now() });",
        "const m = el('a').animate({ transform: ['none', 'rotate(9deg)'] }, 900); if (Math.random() < .5) m.cancel();",
        "if (Math.random() < .5) el('a').animate({ transform: ['none', 'rotate(9deg)'] }, 900);",
        "const m = el('a').animate({ transform: ['none', 'rotate(9deg)'] }, 900); m.reverse();",
        "const m = el('a').animate({ transform: ['none', 'rotate(9deg)'] }, 900); m.currentTime = Date.now();",
        "const m = el('a').animate({ transform: ['none', 'rotate(9deg)'] }, 900); m.effect = new KeyframeEffect(el('a'), [], 9);",
        "el('a').animate([{ rotate: '0deg', composite: 'add' }, { rotate: '9deg' }], 900);",
        "el('a').animate([{ rotate: '5deg' }, { rotate: '0deg', offset: 0 }, { rotate: '9deg' }], { duration: 900, easing: 'cubic-bezier(.3, -1, .7, 2)' });",
        "for (let i = 0; i < Math.random() * 9; i++) el('a').animate({ transform: ['none', 'rotate(9deg)'] }, 900);",
    ],
)
def test_what_cannot_be_told_of_an_animation_is_unknown(script: str) -> None:
    evidence, state = loaded(page_of(script))
    unknown = {node.css_path: reason for node, reason in evidence.motion(state).unknown.items()}
    assert unknown["svg>g:nth-child(3)"] == "script-driven-motion"
    assert "svg>circle:nth-child(4)" not in unknown


def test_what_is_begun_and_ended_leaves_nothing() -> None:
    evidence, state = loaded(
        page_of("const m = el('a').animate({ rotate: ['0deg', '9deg'] }, Math.random()); m.cancel();")
    )
    motion = evidence.motion(state)
    assert not motion.unknown
    assert state.scripted.declared == {}


def test_values_that_would_break_a_style_sheet_stay_values() -> None:
    script = """el('a').animate([{ '--x': '1px } * { display: none', transform: 'translate(5px' }, { '--x': '"', transform: 'none } g { display: none' }], 1000);
      el('b').animate({ transform: 'translateX(10px) /*', '--y': '{;}' }, { duration: 1000, fill: 'both', delay: -1000 });"""
    evidence, state = loaded(page_of(script))
    motion = evidence.motion(state)
    boxes = {node.css_path: rows[0].tolist() for node, rows in motion.boxes([0.5]).items()}
    assert boxes["svg>g:nth-child(3)>g:nth-child(2)"][0] == pytest.approx(15 + 2.5)


STYLED = """<!doctype html><style>@keyframes k { from { transform: translateX(0) } to { transform: translateX(40px) } }
@keyframes l { from { translate: 0 } to { translate: 0 20px } } @keyframes once { from { opacity: 0 } }
.x { animation: k 1s linear infinite, l 2s linear infinite, once 1s } #b { animation-delay: -.5s } #gone { display: none }
#scene[data-paused="true"] { outline: 1px solid }</style><button id="pause">pause</button>
<svg id="scene" viewBox="0 0 200 100" width="800" height="400"><rect id="a" class="x" width="8" height="8"/><rect id="b" class="x" width="8" height="8"/>
<g id="gone"><rect class="x"/></g></svg><script>document.getElementById('pause').addEventListener('click', () => {
const scene = document.getElementById('scene'); scene.dataset.paused = 'true'; DO });</script>"""


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("", [10, 30]),
        ("document.getAnimations().forEach(one => one.pause())", [0, 20]),
        ("scene.getAnimations({ subtree: true }).forEach(one => one.pause())", [0, 20]),
        ("scene.getAnimations().forEach(one => one.pause())", [10, 30]),
        ("for (const one of document.getAnimations()) if (one.animationName === 'l') one.pause()", [10, 30]),
        ("for (const one of document.getAnimations()) if (one.effect.target.id === 'b') one.pause()", [10, 20]),
        ("document.getElementById('b').getAnimations()[0].cancel()", [10, 0]),
        (
            "document.getAnimations().filter(one => one instanceof CSSAnimation).map(one => { one.playbackRate = 2 })",
            [20, 0],
        ),
        ("document.getAnimations().forEach(one => { one.pause(); one.currentTime = 0; })", [0, 20]),
        ("document.getAnimations().forEach(one => { one.currentTime = one.currentTime + 99; })", [10, 30]),
        ("document.getAnimations().forEach(one => one.effect.updateTiming({ duration: 500 }))", [20, 20]),
        (
            "document.getAnimations().forEach(one => one.pause()); document.getAnimations().forEach(one => one.play())",
            [10, 30],
        ),
    ],
)
def test_animations_of_style_sheets_in_the_hands_of_script(script: str, expected: list[float]) -> None:
    evidence, _ = loaded(STYLED.replace("DO", script))
    motion = evidence.motion(evidence.states.state(paused="true"))
    assert not motion.unknown
    boxes = {node.css_path: rows[0] for node, rows in motion.boxes([0.25]).items()}
    assert [round(float(boxes[f"svg>rect:nth-child({place})"][0]), 3) for place in (1, 2)] == expected
    assert evidence.states.initial.scripted.declared == {}


def test_which_animations_of_style_sheets_script_takes_may_be_unknown() -> None:
    script = "document.getAnimations().filter(one => Math.random() < .5).forEach(one => one.pause())"
    evidence, _ = loaded(STYLED.replace("DO", script))
    assert ("unknown", "pause") in {(one.kind, one.name) for one in evidence.script.all_effects}


def test_asking_for_animations_over_and_over_ends() -> None:
    script = "for (let i = 0; i < 500; i++) { scene.dataset.turn = i; document.getAnimations().forEach(one => one.pause()); }"
    evidence, _ = loaded(STYLED.replace("DO", script))
    assert ("unknown", "pause") in {
        (one.kind, one.name) for one in evidence.script.all_effects
    } or evidence.script.limit
    assert len(evidence._asked_for) <= 60
