"""A live page as a person has it: what is pressed, what time brings, and what no page can spoil."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from husky_lint.browser.live import Control, LivePage, Look, Measured, Reports, Setting, judge_live, live, look
from husky_lint.browser.session import open_browser
from husky_lint.evidence import StaticEvidence
from husky_lint.packs import load_pack
from husky_lint.rule import Judgement, Reason, Undecided
from husky_lint.style.media import MediaContext
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.browser.session import BrowserSession

pytestmark = pytest.mark.browser

SCENE = '<svg viewBox="0 0 900 460" width="900" height="460"><g><rect width="90" height="46"/></g></svg>'


def evidence(body: str, **files: str) -> StaticEvidence:
    html = f"<!doctype html><meta charset=utf-8><title>A page</title><body>{body}</body>"
    return StaticEvidence(Submission.from_files({"index.html": html, **files}), load_pack("husky").rubric)


@contextmanager
def opened(visits: BrowserSession, body: str, *, held: bool = False) -> Iterator[LivePage]:
    told = evidence(body)
    with visits.visit(told.submission, view=MediaContext(1000, 800), before="" if held else None) as visit:
        live_page = LivePage(visit, told)
        if held:
            live_page.hold_time()
        yield live_page


def test_controls_are_what_can_be_seen_and_they_keep_their_numbers(visits: BrowserSession) -> None:
    body = (
        "<button hidden>No</button><button style='opacity:0'>Nor this</button><button>Hop <i>now</i></button>"
        "<div role=button tabindex=0 aria-label='Hop'>↗</div><input type=button value=Walk>"
        "<button disabled>Off</button>"
        "<label>Zoomies<input type=radio name=r style='width:0;height:0;margin:0;appearance:none'></label>"
        "<span style='cursor:pointer'>Night</span>" + SCENE
    )
    with opened(visits, body) as page:
        first = page.controls()
        assert [(one.tag, one.text or one.label) for one in first] == [
            ("button", "Hop now"),
            ("div", "↗"),
            ("input", "Walk"),
            ("input", "on · Zoomies"),
            ("span", "Night"),
        ]
        assert [one.id for one in page.controls()] == [one.id for one in first]
        assert [one.text for one in page.saying("hop")] == ["Hop now", "↗"]
        assert page.saying("hop", without=["now"])[0].label == "Hop"


@pytest.mark.parametrize(
    ("text", "label", "names", "how"),
    [
        ("Hop", "", "", 3),
        ("hop · HOP", "", "", 3),
        ("Hop along", "", "", 2),
        ("⏵", "hop", "", 2),
        ("⏵", "", "data-speed hop", 1),
        ("Shop", "hope", "hopper", 0),
    ],
)
def test_how_plainly_a_control_says_a_word(text: str, label: str, names: str, how: int) -> None:
    assert Control(0, "button", text, label, names, False, ()).says(["hop"]) == how


def test_a_press_is_a_click_where_the_control_is_seen(visits: BrowserSession) -> None:
    body = (
        "<button onclick='this.textContent = event.isTrusted'>Press</button>"
        "<div style='position:relative'><button onclick='document.title = 1'>Under</button>"
        "<div style='position:absolute;inset:0;background:#fff'></div></div><div style='height:3000px'></div>"
        "<button onclick='requestAnimationFrame(() => { this.textContent = \"done\" })'>Below</button>" + SCENE
    )
    with opened(visits, body) as page:
        press, under, below = page.controls()
        assert page.press(press)
        assert not page.press(under)
        assert page.press(below)
        assert [one.text for one in page.controls()] == ["true", "Under", "done"]
        assert page.visit.page.title() == "A page"


def test_time_passes_when_it_is_told_to_and_for_everything(visits: BrowserSession) -> None:
    body = (
        "<style>rect { animation: go 2s both } @keyframes go { to { transform: translate(500px) } }</style>"
        + SCENE
        + "<script>let log = []; const began = Date.now();"
        "setInterval(() => log.push('tick ' + (Date.now() - began)), 1000);"
        "requestAnimationFrame(function next() { log.frames = (log.frames || 0) + 1; requestAnimationFrame(next) });"
        "document.querySelector('rect').addEventListener('animationend', () => log.push('landed'));"
        "setTimeout(() => { throw new TypeError('at last') }, 2500);</script>"
    )
    with opened(visits, body, held=True) as page:
        assert page.mark({"box": "svg>g:nth-child(1)>rect:nth-child(1)", "none": "svg>g:nth-child(2)"}) == ("none",)
        assert page.see("boxes") == {"box": [0, 0, 90, 46]}
        page.pass_time(1.0)
        assert page.see("boxes")["box"][0] == pytest.approx(401, abs=8)  # the default easing, half-way
        page.pass_time(2.0, 1.0)
        said = page.visit.page.evaluate("log")
        assert [one for one in said if one != "landed"] == ["tick 1000", "tick 2000", "tick 3000"]
        assert "landed" in said
        assert page.visit.page.evaluate("log.frames") > 150
        assert any("at last" in error.message for error in page.visit.page_errors)


def test_nothing_that_a_page_does_to_built_in_objects_reaches_a_look(visits: BrowserSession) -> None:
    body = (
        "<script>for (const name of ['querySelectorAll', 'getAnimations', 'elementFromPoint', 'createTreeWalker'])"
        " document[name] = () => { throw 1 };"
        "Element.prototype.getBoundingClientRect = () => ({ width: 1, height: 1, left: 7, top: 7 });"
        "window.getComputedStyle = () => { throw 2 }; window.sight = { look: () => [] };</script>"
        "<p>Model: m-1</p><button>Walk</button>" + SCENE
    )
    with opened(visits, body) as page:
        assert [one.text for one in page.controls()] == ["Walk"]
        assert page.see("texts", ["Model:", "Engine:"]) == {"Model:": None, "Engine:": "it is not on the page"}
        assert page.visit.page.evaluate("Object.keys(sight)") == ["look"]


@pytest.mark.parametrize(
    ("style", "why"),
    [
        ("", None),
        ("display: none", "it is not displayed"),
        ("visibility: hidden", "it is not displayed"),
        ("opacity: .01", "it is see-through"),
        ("font-size: 0", "it has no size"),
        ("position: absolute; left: -5000px", "it lies outside the page"),
        ("height: 0; overflow: hidden", "it is clipped away"),
        ("color: rgb(240, 240, 240); background: #fff", "its colour is that of its background"),
        ("color: transparent", "its colour is see-through"),
        ("position: relative; z-index: -1", "<div> covers it"),
    ],
)
def test_why_a_text_is_not_seen(visits: BrowserSession, style: str, why: str | None) -> None:
    cover = "<div style='position:absolute;inset:0;background:#eee'></div>" if "z-index" in style else ""
    with opened(visits, f"<footer style='{style}'><b>Mod</b>el: m-1</footer>{cover}") as page:
        assert page.see("texts", ["Model:"]) == {"Model:": why}


def test_a_value_may_be_unseen_beside_its_label(visits: BrowserSession) -> None:
    white, black = "style='color:#fff'", "style='color:#000'"
    body = f"<p><b>Model:</b> <i {white}>m-1</i></p><p {white}><b {black}>Engine:</b> e</p>"
    with opened(visits, body) as page:
        why = "of its value: its colour is that of its background"
        assert page.see("texts", ["Model:", "Engine:"]) == {"Model:": why, "Engine:": why}


# ---------------------------------------------------------------- looks and checks


HERE = Setting("here", 1, "http", MediaContext(500, 400))


@look(HERE, 1)
def title(page: LivePage) -> str:
    return page.visit.page.title()


@look(HERE, 2)
def broken(page: LivePage) -> str:
    return page.submission.files["nowhere"].path


@look(HERE, 3)
def undecided(page: LivePage) -> str:
    raise Undecided(Reason.STATE_NOT_FOUND, f"{page.visit.page.title()} has no state")


def told_by(browser: BrowserSession, checked: Look[str], monkeypatch: pytest.MonkeyPatch, body: str = SCENE):  # type: ignore[no-untyped-def]
    @live("HB2203", checked)
    def check(reports: Reports, default_pace: str):  # type: ignore[no-untyped-def]
        yield Measured("title", f"{reports.of(checked)} at {default_pace}")

    monkeypatch.setattr("husky_lint.browser.live.live_checks", lambda _pack="": {"HB2203": check})
    (found,) = judge_live(evidence(body), browser, ["HB2203", "HB9001"]).values()
    return found


def test_a_check_judges_by_what_its_looks_report(visits: BrowserSession, monkeypatch: pytest.MonkeyPatch) -> None:
    found = told_by(visits, title, monkeypatch)
    assert found.ruling.verdicts[11].judgement is Judgement.PASS
    assert found.facts == {"title": "A page at walk"} == found.ruling.verdicts[11].data["measured"]


def test_a_look_that_fails_costs_its_own_clauses(visits: BrowserSession, monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = told_by(visits, broken, monkeypatch).ruling.verdicts[11]
    assert (verdict.reason, verdict.data["error"]) == (Reason.RULE_CRASH, "KeyError: 'nowhere'")
    verdict = told_by(visits, undecided, monkeypatch).ruling.verdicts[11]
    assert (verdict.reason, verdict.detail) == (Reason.STATE_NOT_FOUND, "A page has no state")


@pytest.mark.parametrize("body", ["<script>for (;;);</script>", "<script>setTimeout(() => { for (;;); })</script>"])
def test_a_page_that_hangs_leaves_its_clauses_unknown(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_browser(visit_s=2.0) as browser:
        verdict = told_by(browser, title, monkeypatch, SCENE + body).ruling.verdicts[11]
    assert (verdict.judgement, verdict.reason) == (Judgement.UNKNOWN, Reason.NO_ANSWER)
