"""A page held still: its time, its chance, and what is measured of it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import pytest

from husky_lint.browser.session import VisitLost
from husky_lint.browser.stage import Measures, Request, Stage, staged
from husky_lint.rule import Reason, Undecided
from husky_lint.style.media import MediaContext
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.browser.session import BrowserSession
    from husky_lint.browser.stage import LiveElement, LivePage

pytestmark = pytest.mark.browser
DESKTOP = MediaContext()
TURNING = """
<style>
  @keyframes turn { to { transform: rotate(90deg) } }
  @keyframes go { to { transform: translateX(-900px) } }
  .turn { transform-origin: 100px 100px; animation: turn 2s linear infinite }
  .go { animation: go 4s linear infinite }
  .held .go { animation-play-state: paused }
</style>
<svg viewBox='0 0 900 460' width=450>
  <g class=go><g class=turn><rect id=arm x=100 y=100 width=50 height=10 /></g></g>
</svg>
"""


@contextmanager
def page(visits: BrowserSession, body: str) -> Iterator[Stage]:
    submission = Submission.from_files({"index.html": f"<!doctype html><title>A page</title>{body}"})
    with staged(visits, submission) as stage:
        yield stage


def named(live: LivePage, name: str) -> LiveElement:
    return next(e for e in live.elements if e.attributes.get("id") == name or e.tag.endswith("}" + name))


def measured(stage: Stage, live: LivePage, times: list[float], *, play: bool = False) -> Measures:
    number = named(live, "arm").number
    found = Measures()
    stage.survey(
        Request(named(live, "svg").number, sets=[((number,), (number,), (number,))], plan=[(t, 0) for t in times]),
        found,
        play=play,
    )
    return found


def test_animations_are_put_where_they_are_wanted(visits: BrowserSession) -> None:
    with page(visits, TURNING) as stage:
        live = stage.load(DESKTOP)
        number = named(live, "arm").number
        found = measured(stage, live, [0.0, 1.0, 2.5])
        assert found.boxes[number, 0.0] == pytest.approx([100, 100, 50, 10], abs=1e-3)
        turned = 0.5**0.5
        assert found.boxes[number, 1.0] == pytest.approx(
            [100 - 10 * turned - 225, 100, 60 * turned, 60 * turned], abs=1e-2
        )
        assert found.matrices[number, 1.0][:4] == pytest.approx([turned, turned, -turned, turned], abs=1e-4)
        assert found.locals[number, 2.5] == pytest.approx([100, 100, 50, 10])


def test_what_the_style_pauses_stays_where_it_began(visits: BrowserSession) -> None:
    with page(visits, TURNING.replace("<svg", "<svg class=held")) as stage:
        live = stage.load(DESKTOP)
        box = measured(stage, live, [1.0]).boxes[named(live, "arm").number, 1.0]
        assert box[0] == pytest.approx(100 - 10 * 0.5**0.5, abs=1e-2)


def test_rest_is_without_animations_and_they_go_on_after_it(visits: BrowserSession) -> None:
    with page(visits, TURNING) as stage:
        live = stage.load(DESKTOP)
        number, found = named(live, "arm").number, Measures()
        styles = stage.survey(Request(named(live, "svg").number, (("animation-name",), ("--x",)), [number]), found)
        assert styles is not None
        assert styles.values[named(live, "g").number]["animation-name"] == "go"
        assert found.rest[number] == pytest.approx([100, 100, 50, 10, 1, 0, 0, 1, 0, 0, 100, 100, 50, 10], abs=1e-3)
        moved = measured(stage, live, [1.0]).boxes[number, 1.0]
        assert moved[0] < 0


def test_smil_is_put_where_it_is_wanted_and_has_no_part_in_rest(visits: BrowserSession) -> None:
    moves = "<animate attributeName=x from=0 to=100 dur=1s repeatCount=indefinite />"
    with page(visits, f"<svg viewBox='0 0 900 460'><rect id=arm x=7 width=9 height=9>{moves}</rect></svg>") as stage:
        live = stage.load(DESKTOP)
        number, found = named(live, "arm").number, measured(stage, live, [0.25, 0.5])
        assert [found.boxes[number, t][0] for t in (0.25, 0.5)] == pytest.approx([25, 50], abs=1e-3)
        stage.survey(Request(named(live, "svg").number, rest=[number]), found)
        assert found.rest[number][0] == pytest.approx(7, abs=1e-3)


def test_time_passes_for_scripts_when_it_is_told_to(visits: BrowserSession) -> None:
    script = """
    <p id=said></p><script>
      const begun = Date.now();
      let seconds = 0, frames = 0;
      setInterval(() => { seconds += 1; }, 1000);
      const frame = now => {
        frames += 1;
        document.getElementById('said').textContent = [seconds, frames, Math.round(now), Date.now() - begun].join();
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    </script>"""
    with page(visits, script) as stage:
        assert named(stage.load(DESKTOP), "said").texts == ("1,63,1050,1050",)
        assert named(stage.wait(1.0), "said").texts[0].startswith("3,")


def test_what_a_page_puts_off_is_waited_for_and_what_it_changes_then_is_driven(visits: BrowserSession) -> None:
    script = """
    <p id=soon></p><p id=late></p><p id=blinks></p><script>
      const mark = (id, text) => document.getElementById(id).className = text;
      setTimeout(mark, 800, 'soon', 'seen');
      setTimeout(mark, 3000, 'late', 'seen');
      const blink = () => { mark('blinks', 'shut'); setTimeout(mark, 50, 'blinks', ''); setTimeout(blink, 1700); };
      blink();
    </script>"""
    with page(visits, script) as stage:
        live = stage.load(DESKTOP)
        assert [named(live, name).attributes.get("class") for name in ("soon", "late")] == ["seen", "seen"]
        assert live.driven == ((named(live, "late").number, "class"),)


def test_what_frames_move_is_seen_to_be_driven_and_is_played(visits: BrowserSession) -> None:
    script = """
    <svg viewBox='0 0 900 460'><rect id=arm width=10 height=10 /></svg><p id=said></p><script>
      let begun = null;
      const frame = now => {
        begun ??= now;
        document.getElementById('arm').setAttribute('transform', `translate(${(now - begun) / 10} 0)`);
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
      setInterval(() => { document.getElementById('said').textContent += '.'; }, 10);
    </script>"""
    with page(visits, script) as stage:
        live = stage.load(DESKTOP)
        number = named(live, "arm").number
        assert {(number, "transform")} == set(live.driven)
        found = measured(stage, live, [0.0, 0.5, 1.0], play=True)
        at = [found.boxes[number, t][0] for t in (0.0, 0.5, 1.0)]
        assert np.diff(at) == pytest.approx([50, 50], abs=2)


def test_chance_and_loading_are_the_same_each_time(visits: BrowserSession) -> None:
    script = """
    <svg viewBox='0 0 9 9'></svg><script>
      const kept = localStorage.getItem('x') + document.cookie;
      localStorage.setItem('x', 'y'); document.cookie = 'a=b;path=/';
      document.querySelector('svg').setAttribute('class', kept + Math.random() + new Date().getTime());
    </script>"""
    with page(visits, script) as stage:
        first, second = stage.load(DESKTOP), stage.load(DESKTOP)
        assert first.elements == second.elements
        assert named(first, "svg").attributes["class"].startswith("null0.")


def test_presses_are_made_where_a_person_could_make_them(visits: BrowserSession) -> None:
    body = """
    <div style='height: 3000px'></div><button id=low onclick='this.className = "pressed"'>Low</button>
    <button id=under onclick='this.className = "pressed"'>Under</button>
    <button id=gone style='display: none'>Gone</button>
    <div style='position: absolute; inset: 0; height: 100px'></div>
    <style>#under { position: absolute; top: 10px; left: 10px } #low { transition: opacity 9s } .pressed { opacity: .5 }
    </style>
    <script>addEventListener('keydown', event => { document.body.id = event.key })</script>"""
    with page(visits, body) as stage:
        live = stage.load(DESKTOP)
        pressed = stage.click(named(live, "low").number)
        assert pressed is not None
        assert named(pressed, "low").attributes["class"] == "pressed"
        assert stage.click(named(live, "under").number) is None
        assert stage.click(named(live, "gone").number) is None
        assert named(stage.key("ArrowLeft"), "body").attributes["id"] == "ArrowLeft"
        styles = stage.survey(Request(-1, (("opacity",), ())), Measures())
        assert styles is not None
        assert styles.values[named(live, "low").number]["opacity"] == "0.5"  # no transition is under way


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        ("JSON.parse = () => null", []),
        ("Promise.prototype.then = null", [Reason.NO_ANSWER]),
        ("Array.prototype.toJSON = () => 7", [Reason.NO_ANSWER]),
        ("Object.prototype.toJSON = function () { return {tree: [[1, 2, 3, 4, 5, 6]]} }", [Reason.NO_ANSWER]),
    ],
)
def test_what_a_spoilt_page_answers_is_read_or_undecided(
    visits: BrowserSession, spoil: str, told: list[Reason]
) -> None:
    reasons = []
    with page(visits, f"<p></p><script>{spoil}</script>") as stage:
        try:
            live = stage.load(DESKTOP)
            stage.survey(Request(-1, (("opacity",), ())), Measures())
            assert live.elements[0].tag.endswith("html")
        except Undecided as said:
            reasons.append(said.reason)
    assert reasons == told


def test_the_view_is_what_was_asked_for(visits: BrowserSession) -> None:
    script = """<p></p><script>
      document.body.className = matchMedia('(prefers-reduced-motion)').matches + ' ' + innerWidth;
    </script>"""
    with page(visits, script) as stage:
        for media, shown in (
            (MediaContext(390, 844, reduced_motion=True), "true 390"),
            (DESKTOP, "false 1280"),
        ):
            assert named(stage.load(media), "body").attributes["class"] == shown


def test_a_page_that_hangs_costs_its_visit(visits: BrowserSession) -> None:
    body = "<!doctype html><title>A page</title><button id=hang onclick='while (true) {}'>Hang</button>"
    submission = Submission.from_files({"index.html": body})
    with pytest.raises(VisitLost), staged(visits, submission, seconds=4.0) as stage:  # noqa: PT012 - told twice
        number = named(stage.load(DESKTOP), "hang").number
        with pytest.raises(Undecided, match="does not answer"):
            stage.click(number)
