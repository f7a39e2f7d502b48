"""Each live check passes on pages that keep its clause, and fails on a page that breaks it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from husky_lint.rules.husky.live.desktop import (
    Again,
    Clock,
    Loaded,
    Noise,
    Paced,
    Passed,
    Used,
    again,
    clock,
    loaded,
    paced,
    used,
)
from husky_lint.rules.husky.live.served import Denied, Kept, kept
from husky_lint.rules.husky.live.stage import Cast
from husky_lint.rules.husky.live.still import Pose, Started, Still, started, still, still_falls
from husky_lint.rules.husky.skeleton import files

from husky_lint.browser.live import Reports, _ruling, judge_live, live_checks
from husky_lint.evidence import StaticEvidence
from husky_lint.judging import load
from husky_lint.packs import load_pack
from husky_lint.rule import Judgement, Reason, Severity
from husky_lint.submission import Submission
from tests.conftest import REPOSITORY
from tests.rules.live.pages import FLIGHT, HEARTS, THEME, page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from husky_lint.browser.live import LiveRuling, Look
    from husky_lint.browser.session import BrowserSession

pytestmark = pytest.mark.browser

BEHAVES = frozenset({"HB1004", "HB1006", "HB1009", "HB1010", "HB2201", "HB2202"})
"""Clauses of which a page that behaves shows a part; the rest is for the source."""


def judged(visits: BrowserSession, submission: Submission, codes: list[str] | None = None) -> Mapping[str, LiveRuling]:
    pack = load_pack("husky")
    return judge_live(StaticEvidence(submission, pack.rubric), visits, codes)


def told(ruling: LiveRuling) -> str:
    return " / ".join(f.message for f in ruling.ruling.findings if f.severity is Severity.ERROR)


@pytest.mark.parametrize("name", ["fixtures/reference", "the small page"])
def test_everything_is_kept(visits: BrowserSession, name: str) -> None:
    found = judged(visits, page() if name == "the small page" else load(REPOSITORY / name))
    assert set(found) == set(live_checks("husky"))
    for code, one in found.items():
        (verdict,) = one.ruling.verdicts.values()
        if code in BEHAVES:
            assert (verdict.judgement, verdict.reason) == (Judgement.UNKNOWN, Reason.NEEDS_SOURCE), (code, told(one))
        else:
            assert verdict.judgement is Judgement.PASS, (code, told(one), verdict.detail)
        assert one.facts, code
        assert verdict.data["measured"] == one.facts


OTHER_CONTROLS = page(
    js="""
    var list = document.createElement("select");
    paces.forEach(function (name) { list.append(new Option(name, name)); });
    list.addEventListener("change", function () { setPace(list.selectedIndex); });
    document.querySelector(".paces").replaceChildren(list);
    document.addEventListener("keydown", function (event) {
      if (event.key === "p") pauseButton.click();
      if (event.key === "n") document.getElementById("sky").click();
    });
    """,
    replaced=(
        ('<button id="sky">', '<button id="sky" hidden>'),
        ('<button id="pause-walk">', '<button id="pause-walk" hidden>'),
    ),
)


def test_lists_and_keys_are_controls_too(visits: BrowserSession) -> None:
    codes = ["HB2201", "HB2202", "HB2203", "HB2204", "HB2206", "HB2607"]
    found = judged(visits, OTHER_CONTROLS, codes)
    told_of = {code: next(iter(one.ruling.verdicts.values())).judgement.value for code, one in found.items()}
    assert told_of == {
        **dict.fromkeys(("HB2201", "HB2202"), "unknown"),
        **dict.fromkeys(("HB2203", "HB2204", "HB2206", "HB2607"), "pass"),
    }


def test_a_page_without_a_scene_is_told_to_throw(visits: BrowserSession) -> None:
    html = "<!doctype html><title>No dog</title><script>missing.bark()</script><p>Model: m-1</p>"
    found = judged(visits, Submission.from_files({"index.html": html}), ["HB1010", "HB2203", "HB5001"])
    (throws,), (paces,), (labels,) = (found[code].ruling.verdicts.values() for code in ("HB1010", "HB2203", "HB5001"))
    assert throws.judgement is Judgement.FAIL
    assert "missing is not defined" in told(found["HB1010"])
    assert paces.judgement is Judgement.UNKNOWN
    assert labels.judgement is Judgement.FAIL
    assert labels.core


LOADING = page(
    js="""
    fetch("paces.json").then(function (answer) { return answer.json(); }).catch(function () {});
    console.error("no such pace");
    document.getElementById("pet").addEventListener("click", function () { nowhere.call(); });
    document.querySelector("#nothing").focus();
    """,
    replaced=(("</title>", '</title><script async src="https://cdn.example.com/gsap.js"></script>'),),
    **{"paces.json": "[]"},
)
CONTROLS = page(
    """
    html { background: #fff !important; } body { background: none !important; color: #222831 !important; }
    html.dark .hill { fill: #123456; }
    """,
    """
    document.querySelector(".paces").append(...[...document.querySelectorAll(".paces button")].reverse());
    keys.enabled = false;
    table.walk.feet = 2;
    table.walk.sheds = true;
    moving = function () { return true; };
    setPace(2);
    """,
    theme=THEME.replace('"favicon-night.svg" : "favicon.svg"', '"favicon.svg" : "favicon.svg"').replace(
        "try {", 'root.classList.toggle("dark", night); try {', 1
    ),
)
STANDING = page(
    """
    #scene[data-paused="true"] .lower { animation-play-state: running; }
    #scene[data-paused="true"] .ear { animation: none; }
    #scene[data-still="true"] .strip { animation: glide 48s linear infinite !important; }
    #scene[data-still="true"] .tail { animation: still-wag 1s infinite !important; }
    @keyframes still-wag { 50% { transform: rotate(9deg); } }
    @media (max-width: 600px) { footer { height: 0; overflow: hidden; } }
    """,
    'if (scene.dataset.still === "true") document.querySelector(".controls").lastElementChild.textContent = "Go";',
    replaced=(("Engine:", "Motor:"),),
    **{"favicon.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle r="9"/></svg>'},
)
MEMORY = page(
    js="""
    document.querySelector(".paces").addEventListener("click", function () {
      localStorage.setItem("husky-pace", scene.dataset.speed);
    });
    if (/husky-sky=night/.test(document.cookie)) document.documentElement.dataset.theme = "night";
    """,
    theme=THEME.replace("try {", "{").replace("} catch (e) {}", "}"),
    replaced=(('localStorage.getItem("husky-sky")', "null"), ("/husky-sky=(day|night)/", "/no-sky=(day|night)/")),
)
BELLY = page(
    """
    .bib-belly { transform: translateX(-36px); }
    :root[data-theme="night"] .dog { filter: brightness(.6); }
    """
)
STRIPE = page(".bib-belly { transform-box: fill-box; transform-origin: 50% 100%; transform: scaleY(.25); }")
HIDDEN_BELLY = page(replaced=(('<g id="hearts"', '<path d="M450 190h20v100h-20z" fill="#48556d"/><g id="hearts"'),))
HEARTS_AT_THE_ORIGIN = page(css="@media (prefers-reduced-motion: reduce) { .heart { transform: none; } }")
HEARTS_AWAY = page(
    flight=FLIGHT.replace("var(--s)", "1")
    .replace("calc(var(--y) - 50px)", "calc(var(--y) - 200px)")
    .replace(" opacity: 0;", "")
)
HEARTS_BY_ATTRIBUTE = page(
    flight=".heart { animation: rise 1.6s both; } @keyframes rise { to { transform: translateY(-50px); } }",
    hearts=HEARTS.replace(
        'heart.style.setProperty("--y", "120px");', 'heart.setAttribute("transform", "translate(560,120)");'
    ),
)


@pytest.mark.parametrize(
    ("submission", "expected"),
    [
        pytest.param(
            LOADING,
            {
                "HB1004": "cdn.example.com",
                "HB1005": "cdn.example.com",
                "HB1006": "opened from disk, and not over HTTP",
                "HB1009": "no such pace",
                "HB1010": "loading throws: Cannot read properties of null",
            },
            id="loading",
        ),
        pytest.param(
            CONTROLS,
            {
                "HB2201": "the buttons stand in the order zoomies, hop, walk, stroll",
                "HB2202": "neither → nor ← changes the pace",
                "HB2203": "the page starts at hop",
                "HB2206": "there is a second switch",
                "HB2207": "by night the page's background stays / by night 0% of the texts",
                "HB2210": "at walk the steps go up by 2.",
                "HB2601": "clumps come loose at walk",
                "HB2610": "the icon is the same by day and by night",
            },
            id="controls",
        ),
        pytest.param(
            STANDING,
            {
                "HB2204": "leg goes on while paused, at every pace",
                "HB2205": "no flick of the ear while paused, at every pace",
                "HB2208": "strip moves at / the tail moves at",
                "HB2209": "no control says “Start the walk”",
                "HB2609": "favicon.svg states the size None × None",
                "HB5001": "the page does not print 'Engine:'",
                "HB5003": "on a phone the footer does not show",
            },
            id="standing",
        ),
        pytest.param(
            MEMORY,
            {
                "HB2606": "where storage throws, so does the page",
                "HB2607": "with data-theme='day', and turns to night only then",
                "HB2608": "choosing a pace stores",
            },
            id="memory",
        ),
        pytest.param(
            BELLY,
            {"HB2317": "the white underside is in pieces", "HB2604": "by night the belly has a luminance of"},
            id="belly",
        ),
        pytest.param(STRIPE, {"HB2318": "units up from the underside"}, id="stripe"),
        pytest.param(HIDDEN_BELLY, {"HB2317": "the white underside is in pieces"}, id="hidden belly"),
        pytest.param(HEARTS_AWAY, {"HB2602": "--s of a heart moves nothing", "HB2603": "out of the view"}, id="away"),
        pytest.param(HEARTS_BY_ATTRIBUTE, {"HB2602": "placed by a transform attribute"}, id="attribute"),
        pytest.param(HEARTS_AT_THE_ORIGIN, {"HB2603": "a heart reaches 8 units out of the viewBox"}, id="origin"),
    ],
)
def test_what_is_broken_is_seen(visits: BrowserSession, submission: Submission, expected: dict[str, str]) -> None:
    found = judged(visits, submission, list(expected))
    for code, message in expected.items():
        (verdict,) = found[code].ruling.verdicts.values()
        assert verdict.judgement is Judgement.FAIL, (code, verdict, found[code].facts)
        for part in message.split(" / "):
            assert part in told(found[code]), code


def test_chance_in_what_script_animates_counts(visits: BrowserSession) -> None:
    script = str(files()["app.js"]).replace("clump.style.setProperty", "void ")
    flight = """coat.append(clump); clump.animate([
      { transform: `translate(${between(340, 460)}px, ${between(190, 240)}px) scale(${between(.5, 1)})` },
      { transform: `translate(${between(100, 200)}px, 330px) rotate(${between(-99, 99)}deg)` },
    ], { duration: between(900, 1500) }).onfinish = () => clump.remove();"""
    thrown: dict[str, Any] = {"app.js": script.replace("coat.append(clump);", flight)}
    alike: dict[str, Any] = {"app.js": thrown["app.js"].replace("low + Math.random() * (high - low)", "high")}
    assert thrown["app.js"] != alike["app.js"] != script
    for more, expected in ((thrown, Judgement.PASS), (alike, Judgement.FAIL)):
        (verdict,) = judged(visits, page(**more), ["HB2601"])["HB2601"].ruling.verdicts.values()
        assert verdict.judgement is expected, verdict


def test_what_fails_from_disk_only_is_no_parse_error(visits: BrowserSession) -> None:
    module = page(replaced=(('<script src="app.js">', '<script type="module" src="app.js">'),))
    found = judged(visits, module, ["HB1006", "HB1009"])
    (disk,), (parse,) = (found[code].ruling.verdicts.values() for code in ("HB1006", "HB1009"))
    assert (disk.judgement, parse.judgement) == (Judgement.FAIL, Judgement.UNKNOWN)


def test_a_script_that_does_not_parse_is_a_parse_error_alone(visits: BrowserSession) -> None:
    broken = page(replaced=(('<script src="app.js">', '<script>if (innerWidth < 9) {</script><script src="app.js">'),))
    found = judged(visits, broken, ["HB1009", "HB1010"])
    (parse,), (reference,) = (found[code].ruling.verdicts.values() for code in ("HB1009", "HB1010"))
    assert (parse.judgement, reference.judgement) == (Judgement.FAIL, Judgement.UNKNOWN)
    assert parse.core


def test_a_call_that_is_refused_is_no_dangling_reference(visits: BrowserSession) -> None:
    calling = page(js='fetch("https://stats.example.com/");')
    found = judged(visits, calling, ["HB1005", "HB1010"])
    (call,), (reference,) = (found[code].ruling.verdicts.values() for code in ("HB1005", "HB1010"))
    assert (call.judgement, reference.judgement) == (Judgement.FAIL, Judgement.UNKNOWN)


# ---------------------------------------------------------------- what could not be reached is no fault of the page


PACES = ("stroll", "walk", "hop", "zoomies")
NOISE = Noise((), (), (), ())
CAST = Cast({}, (), (), (), (), (), {})
KEPT = Kept(
    "Night", True, {"husky-sky": "night"}, {"husky-sky": "night"}, "night", "night", "night", "night",
    Denied("night", ()), None, frozenset(), True, {},
)  # fmt: skip
LOADED = Loaded(NOISE, frozenset(), (), "day", {})
AGAIN = Again("night", True, "night", frozenset())
PACED = Paced((), {pace: frozenset({(pace, pace, 1.0, 0.0)}) for pace in PACES}, {}, {}, (), (), {})
STILL = Still(CAST, {pace: Pose((), {}, {}, {}) for pace in PACES})
CLOCK = Clock(
    {pace: Passed((), (), ({"own": {}},) * (pace in ("hop", "zoomies"))) for pace in PACES}, None, (), 0, None, {}
)
FALLS: dict[str, tuple[object, ...]] = {"hop": (), "zoomies": ()}


@pytest.mark.parametrize(
    ("code", "reports", "how"),
    [
        ("HB2606", {kept: KEPT, again: AGAIN}, Judgement.PASS),
        ("HB2606", {kept: replace(KEPT, denied=None), again: AGAIN}, Judgement.UNKNOWN),
        ("HB2606", {kept: replace(KEPT, denied=Denied("day", ())), again: AGAIN}, Judgement.FAIL),
        ("HB2606", {kept: replace(KEPT, denied=None, both="day"), again: AGAIN}, Judgement.FAIL),
        ("HB2606", {kept: KEPT, again: replace(AGAIN, left_theme="day", theme="day")}, Judgement.UNKNOWN),
        ("HB2606", {kept: KEPT, again: replace(AGAIN, theme="day")}, Judgement.FAIL),
        ("HB2608", {kept: replace(KEPT, chose_pace=False), again: AGAIN}, Judgement.UNKNOWN),
        ("HB2608", {kept: KEPT, again: replace(AGAIN, left_pace=False)}, Judgement.UNKNOWN),
        ("HB2202", {}, Judgement.UNKNOWN),
        ("HB2208", {still: STILL}, Judgement.PASS),
        ("HB2208", {still: Still(CAST, {"walk": STILL.poses["walk"]})}, Judgement.UNKNOWN),
        ("HB2209", {started: Started("Start walking", "page", (), None, False, 0, 0.0)}, Judgement.UNKNOWN),
        ("HB2209", {started: Started("Start walking", "page", (), None, True, 0, 0.0)}, Judgement.FAIL),
        ("HB2601", {}, Judgement.PASS),
        ("HB2601", {still_falls: {"hop": ()}}, Judgement.UNKNOWN),
        ("HB2601", {clock: replace(CLOCK, passed={"walk": CLOCK.passed["walk"]})}, Judgement.UNKNOWN),
        ("HB2601", {clock: replace(CLOCK, fast="hop", paused=None)}, Judgement.UNKNOWN),
    ],
)
def test_what_could_not_be_reached_is_undecided(
    code: str, reports: Mapping[Look[object], object], how: Judgement
) -> None:
    pack = load_pack("husky")
    seen = Reports(
        StaticEvidence(page(), pack.rubric),
        {
            loaded: LOADED,
            kept: KEPT,
            again: AGAIN,
            paced: PACED,
            clock: CLOCK,
            still_falls: FALLS,
            used: Used(NOISE, {}),
            **reports,
        },
    )
    (verdict,) = _ruling(live_checks("husky")[code], seen, "husky").ruling.verdicts.values()
    assert (verdict.judgement, verdict.reason in (None, Reason.STATE_NOT_FOUND)) == (how, True)


def test_another_order_and_another_start_are_each_laid_on_one_clause(visits: BrowserSession) -> None:
    kept = {path: file.raw for path, file in page(js="setPace(0);").files.items()}
    ordered = kept["app.js"].replace(b"Object.keys(table)", b'["stroll", "hop", "walk", "zoomies"]')
    assert ordered != kept["app.js"]
    other = Submission.from_files({**kept, "app.js": ordered})
    found = judged(visits, other, ["HB2201", "HB2202", "HB2608"])
    verdicts = {code: next(iter(one.ruling.verdicts.values())).judgement.value for code, one in found.items()}
    assert verdicts == {"HB2201": "fail", "HB2202": "unknown", "HB2608": "pass"}, [told(one) for one in found.values()]


def test_a_white_that_hangs_on_the_width_of_the_window_is_not_seen_in_one(visits: BrowserSession) -> None:
    dimmed = page('@media (max-width: 500px) { :root[data-theme="night"] .dog { filter: brightness(.4); } }')
    (verdict,) = judged(visits, dimmed, ["HB2604"])["HB2604"].ruling.verdicts.values()
    assert (verdict.judgement, verdict.reason) == (Judgement.UNKNOWN, Reason.NEEDS_SOURCE)
