"""The page's states, styles and motion as a browser shows them, beside what the source says."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import pytest

from husky_lint.browser.grounds import Ground
from husky_lint.browser.measured import MeasuredEvidence
from husky_lint.browser.measured_motion import carried
from husky_lint.browser.notes import NotedEvidence
from husky_lint.browser.stage import staged
from husky_lint.packs import default_pack, load_pack
from husky_lint.rule import Reason, Undecided
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from husky_lint.browser.session import BrowserSession
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><html lang=en data-theme=day><meta charset=utf-8><title>A page</title>
<link rel=stylesheet href=styles.css>
<svg id=scene viewBox="0 0 900 460" data-speed=walk>
  <g id=strip><path class=hill d="M0 300H900V330H0Z"/></g><use href="#strip" x=900 />
  <g class=dog><g class=leg><path class=shin d="M100 100V200" /></g><circle class=eye cx=120 cy=90 r=5 /></g>
</svg>
<div class=controls>
  <button type=button data-speed=stroll>Stroll</button><button type=button data-speed=walk>Walk</button>
  <button type=button data-speed=hop>Hop</button><button type=button data-speed=zoomies>Zoomies</button>
  <button type=button id=night>Night</button>
</div>
<footer>Model: x</footer>
<script src=app.js></script>"""
STYLES = """
:root { --cycle: 1s; --fur: #fff } [data-theme=night] { --fur: #eee }
[data-speed=hop] { --cycle: .5s } [data-speed=zoomies] .leg { animation: none }
@keyframes swing { 50% { transform: rotate(40deg) } }
@keyframes glide { to { transform: translateX(-900px) } }
.leg { transform-origin: 100px 100px; animation: swing var(--cycle) linear infinite }
.dog { transform: translate(10px, 5px) } #strip { animation: glide 4s linear infinite }
.shin { fill: none; stroke: var(--fur); stroke-width: 8 }
"""
SCRIPT = """
document.querySelectorAll('button[data-speed]').forEach(function (button) {
  button.addEventListener('click', function () { scene.setAttribute('data-speed', button.dataset.speed); });
});
var scene = document.getElementById('scene');
document.getElementById('night').onclick = function () { document.documentElement.dataset.theme = 'night'; };
var mark = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
mark.setAttribute('class', 'mark'); mark.setAttribute('width', 20); mark.setAttribute('height', 4);
scene.appendChild(mark);
"""


@contextmanager
def both(
    visits: BrowserSession, page: str = PAGE, styles: str = STYLES, script: str = SCRIPT
) -> Iterator[tuple[NotedEvidence, MeasuredEvidence]]:
    submission = Submission.from_files({"index.html": page, "styles.css": styles, "app.js": script})
    told = NotedEvidence(submission, load_pack(default_pack()).rubric)
    with staged(visits, submission) as stage:
        yield told, MeasuredEvidence(told, stage)


def find(evidence: NotedEvidence | MeasuredEvidence, name: str) -> _Element:
    scene = evidence.scene_in(evidence.states.initial)
    return next(node.element for node in scene.nodes if name in (node.element.get("class"), node.name))


def node_of(motion: Motion, element: _Element) -> SceneNode:
    node = motion.scene.node(element)
    assert node is not None
    return node


def test_states_are_entered_by_the_pages_controls(visits: BrowserSession) -> None:
    with both(visits) as (told, shown):
        for pace in ("stroll", "walk", "hop", "zoomies"):
            state = shown.states.state(pace=pace)
            assert not state.unknown
            assert state.axes["pace"] == pace
            assert state.mutations == told.states.state(pace=pace).mutations  # nothing had to be put right
        assert shown.states.values("theme") == ("day", "night")
        assert shown.states.state(theme="night").axes["theme"] == "night"
        assert "true" not in shown.states.values("paused")


@pytest.mark.parametrize("mark", ["", "scene.setAttribute('data-gear', pace);"])
def test_states_that_no_selector_spells_are_told_by_what_controls_write(visits: BrowserSession, mark: str) -> None:
    script = """
    var scene = document.getElementById('scene'), cycles = { stroll: 2, walk: 1, hop: .5, zoomies: .25 };
    function go(pace) { document.documentElement.style.setProperty('--cycle', cycles[pace] + 's'); MARK }
    document.querySelectorAll('button[data-speed]').forEach(function (button) {
      button.addEventListener('click', function () { go(button.dataset.speed); });
    });
    go('walk');""".replace("MARK", mark)
    page = PAGE.replace(" data-speed=walk>\n  <g id=strip", ">\n  <g id=strip")
    styles = "\n".join(line for line in STYLES.splitlines() if "data-speed" not in line)
    with both(visits, page, styles, script) as (_, shown):
        for pace, cycle in {"stroll": "2s", "walk": "1s", "hop": "0.5s", "zoomies": "0.25s"}.items():
            state = shown.states.state(pace=pace)
            assert not state.unknown
            assert shown.style(state).computed(find(shown, "leg")).text("animation-duration") == cycle


def test_both_sides_speak_of_the_same_elements(visits: BrowserSession) -> None:
    with both(visits) as (told, shown):
        for name in ("hill", "shin", "rect"):  # which script adds
            assert find(told, name) is find(shown, name)


def test_what_the_source_gets_wrong_is_as_the_page_shows_it(visits: BrowserSession) -> None:
    hidden = (
        SCRIPT + "eval(atob('" + "ZG9jdW1lbnQucXVlcnlTZWxlY3RvcignLmV5ZScpLnNldEF0dHJpYnV0ZSgncicsICc5Jyk7" + "'));"
    )
    with both(visits, script=hidden) as (told, shown):
        eye = find(shown, "eye")
        assert told.style(told.states.initial).computed(eye).length("r") == 5
        assert shown.style(shown.states.initial).computed(eye).length("r") == 9


def test_styles_keep_where_they_were_declared(visits: BrowserSession) -> None:
    with both(visits) as (told, shown):
        shin = find(shown, "shin")
        for theme, white in (("day", "rgb(255, 255, 255)"), ("night", "rgb(238, 238, 238)")):
            style = shown.style(shown.states.state(theme=theme)).computed(shin)
            assert style.text("stroke") == white
            assert style.dependencies("stroke").names == {"--fur"}
            assert style.declaration("stroke") == told.style(told.states.initial).computed(shin).declaration("stroke")


def test_motion_is_the_sources_where_that_is_right(visits: BrowserSession) -> None:
    with both(visits) as (told, shown):
        times = [0.0, 0.1, 0.31, 0.77]
        for pace in ("walk", "hop", "zoomies"):
            ours, theirs = (evidence.motion(evidence.states.state(pace=pace)) for evidence in (told, shown))
            boxes = {node: rows for node, rows in ours.boxes(times).items() if not node.uses}
            measured = {node.css_path: rows for node, rows in theirs.boxes(times).items() if not node.uses}
            assert {node.css_path for node in boxes} == measured.keys()
            for node, rows in boxes.items():
                np.testing.assert_allclose(measured[node.css_path], rows, atol=0.01, err_msg=node.css_path)
            shin = find(told, "shin")
            here, there = node_of(ours, shin), node_of(theirs, shin)
            np.testing.assert_allclose(theirs.matrix(there, times), ours.matrix(here, times), atol=1e-3)
            np.testing.assert_allclose(theirs.local_box(there, times), ours.local_box(here, times), atol=1e-3)
            assert theirs.outline(there).bounds == ours.outline(here).bounds


LEGS = """<!doctype html><html lang=en><meta charset=utf-8><title>A page</title><link rel=stylesheet href=styles.css>
<svg id=scene viewBox="0 0 900 460"><defs><symbol id=limb overflow=visible><g class=upper>
<path class=bone d="M0 0H8V100H0Z"/></g></symbol></defs>
<use class="limb a" href="#limb" x=100 y=100 /><use class="limb b" href="#limb" x=400 y=100 /></svg>
<script src=app.js></script>"""
SLIDING = """@keyframes slide { to { transform: translateX(80px) } }
@media screen { .limb { --wait: 0s } } .limb.b { --wait: calc(var(--turn, 1s) * -.5) }
g { animation: slide 1s linear infinite 0s } .upper { animation-delay: var(--wait) }"""


def test_each_clone_has_the_delay_that_it_inherits(visits: BrowserSession) -> None:
    """No matrix of the cascade's is asked for: the boxes of the two uses are what the browser paints."""
    with both(visits, LEGS, SLIDING, "") as (told, shown):
        for evidence in (told, shown):
            motion = evidence.motion(evidence.states.initial)
            uses = [node for node in motion.scene.nodes if node.name == "use"]
            boxes = motion.boxes([0.0, 0.25, 0.75], uses)
            assert [boxes[use][:, 0].round(2).tolist() for use in uses] == [[100, 120, 160], [440, 460, 420]]


def test_clones_lie_where_the_page_shows_them(visits: BrowserSession) -> None:
    with both(visits) as (told, shown):
        for evidence in (told, shown):
            motion, rest = evidence.motion(evidence.states.initial), evidence.rest(evidence.states.initial)
            clone = next(node for node in motion.scene.nodes if node.uses and node.name == "path")
            np.testing.assert_allclose(motion.boxes([1.0], [clone])[clone][0], [675, 300, 900, 30], atol=0.01)
            np.testing.assert_allclose(motion.matrix(clone, [1.0])[0], [1, 0, 0, 1, 675, 0], atol=0.01)
            np.testing.assert_allclose(rest.boxes([0.0], [clone])[clone][0], [900, 300, 900, 30], atol=0.01)


def test_a_value_that_no_control_leads_to_is_written(visits: BrowserSession) -> None:
    with both(visits, script=SCRIPT.replace("onclick", "ondragstart")) as (_, shown):
        state = shown.states.state(theme="night")
        assert not state.unknown
        assert {given.source for given in shown.states.evidence("theme", "night")} == {"style"}
        assert shown.style(state).computed(find(shown, "shin")).text("stroke") == "rgb(238, 238, 238)"


def test_the_same_state_in_another_view(visits: BrowserSession) -> None:
    from dataclasses import replace

    styles = STYLES + "@media (max-width: 500px) { .shin { stroke-width: 3 } }"
    with both(visits, styles=styles) as (_, shown):
        state = shown.states.initial
        narrow = replace(state, media=replace(state.media, width=390, height=844))
        shin = find(shown, "shin")
        assert [shown.style(one).computed(shin).length("stroke-width") for one in (state, narrow)] == [8, 3]
        made_up = replace(state, mutations=state.mutations[1:])
        with pytest.raises(Undecided, match="not a state that the page was put into"):
            shown.style(made_up)


def test_script_at_work_is_the_page_at_work(visits: BrowserSession) -> None:
    with both(visits) as (_, shown):
        told: list[object] = []

        def press(model: object) -> None:
            button = next(e for e in shown.page.root.iter("{*}button") if e.get("id") == "night")
            told.extend(model.dispatch(button, "click"))  # type: ignore[attr-defined]

        state = shown.states.after(press, pace="hop")
        assert [(effect.kind, effect.name, effect.value) for effect in told] == [  # type: ignore[attr-defined]
            ("attribute", "data-theme", "night")
        ]
        style = shown.style(state)
        assert style.computed(find(shown, "shin")).text("stroke") == "rgb(238, 238, 238)"
        assert style.computed(find(shown, "leg")).times("animation-duration") == (0.5,)


def test_what_an_answer_rests_on_is_known(visits: BrowserSession) -> None:
    with both(visits) as (_, shown):
        with shown.watched() as grounds:
            assert shown.script.limit is False
        assert grounds == {Ground.SCRIPT}
        with shown.watched() as grounds:
            shown.derived(lambda evidence: (evidence.script.limit, evidence.rest(evidence.states.initial)))
        assert grounds == {Ground.PAGE}
        with shown.watched() as grounds:
            assert shown.submission.page == "index.html"
        assert grounds == set()


DRIVEN = (
    SCRIPT
    + """
function turn(now) {
  document.querySelector('.leg').style.transform = 'rotate(' + now / 10 + 'deg)';
  requestAnimationFrame(turn);
}
requestAnimationFrame(turn);
"""
)


def test_what_script_moves_is_played(visits: BrowserSession) -> None:
    with both(visits, script=DRIVEN, styles=STYLES.replace("animation: swing", "--x: swing")) as (told, shown):
        shin = find(told, "shin")
        ours, theirs = told.motion(told.states.initial), shown.motion(shown.states.initial)
        assert ours.unknown[node_of(ours, shin)] == Reason.SCRIPT_DRIVEN_MOTION.value
        assert node_of(theirs, shin) not in theirs.unknown
        a, b, *_ = theirs.matrix(node_of(theirs, shin), [0.0, 1.0]).T
        turned = np.degrees(np.arctan2(b, a))
        assert (turned[1] - turned[0]) % 360 == pytest.approx(100, abs=2)
        leg = shown.style(shown.states.initial).computed(find(shown, "leg"))
        with pytest.raises(Undecided, match="script moves"):
            leg.times("animation-delay")


def test_a_matrix_that_misses_the_rectangle_is_not_believed(visits: BrowserSession) -> None:
    lie = "<script>SVGGraphicsElement.prototype.getScreenCTM = function () { return new DOMMatrix([2, 0, 0, 2, 0, 0]) }"
    with both(visits, page=PAGE.replace("<svg", lie + "</script><svg")) as (_, shown):
        motion = shown.motion(shown.states.initial)  # the page cannot even lie: the stage has its own
        shin = node_of(motion, find(shown, "shin"))
        assert np.isfinite(motion.matrix(shin, [0.3])).all()
    warped = STYLES + ".shin { transform: perspective(200px) rotateY(40deg) }"
    with both(visits, styles=warped) as (_, shown):
        motion = shown.motion(shown.states.initial)
        shin = node_of(motion, find(shown, "shin"))
        found, box = motion.matrix(shin, [0.3]), motion.boxes([0.3], [shin])[shin]
        left, top, right, bottom = motion.local_box(shin, [0.3])[0]
        reached = carried(found, np.array([[left, top, right - left, bottom - top]]))
        assert np.isnan(found).all() or np.allclose(reached, box, atol=0.3)
