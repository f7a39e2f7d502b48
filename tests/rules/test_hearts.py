"""Hearts: how they move, and where they get to."""

from __future__ import annotations

import pytest

from husky_lint.rule import Judgement, Reason

from .skeletal import errors, judge, judgement, verdict

PASS, FAIL, UNKNOWN = Judgement.PASS, Judgement.FAIL, Judgement.UNKNOWN
SHAPE = "M0 6C-12-2-8-12 0-6C8-12 12-2 0 6Z"
RISE = (
    "@keyframes rise { from { transform: translate(var(--x), var(--y)) scale(0); }"
    " to { transform: translate(var(--x), calc(var(--y) - 50px)) scale(var(--s)); opacity: 0; } }"
    ".heart { transform: translate(var(--x), var(--y)) scale(var(--s)); animation: rise 1.6s ease-out both; }"
)
BUTTON = '<button id="pet">Good dog</button>'

SPAWNS = {
    "properties": (
        "function rnd(a, b) { return a + Math.random() * (b - a); }"
        "document.getElementById('pet').addEventListener('click', function () {"
        " for (var i = 0; i < 5; i++) {"
        "  var h = document.createElementNS('http://www.w3.org/2000/svg', 'path');"
        f"  h.setAttribute('class', 'heart'); h.setAttribute('d', '{SHAPE}');"
        "  h.style.setProperty('--x', rnd(530, 640).toFixed(1) + 'px');"
        "  h.style.setProperty('--y', Math.round(rnd(90, 130)) + 'px');"
        "  h.style.setProperty('--s', rnd(.8, 1.4)); document.getElementById('hearts').appendChild(h);"
        " } });"
    ),
    "css text": (
        "document.querySelector('#pet').onclick = () => {"
        " const h = document.createElementNS('http://www.w3.org/2000/svg', 'path');"
        f" h.classList.add('heart'); h.setAttribute('d', '{SHAPE}');"
        " h.setAttribute('style', `--x: ${540 + 80 * Math.random()}px; --y: 120px; --s: ${1 + Math.random() / 4}`);"
        " document.querySelector('#hearts').append(h); };"
    ),
    "markup": (
        "document.querySelector('#pet').onclick = () => document.querySelector('#hearts').insertAdjacentHTML("
        f'\'beforeend\', \'<path class="heart" d="{SHAPE}" style="--x: 560px; --y: 110px; --s: 1.2"/>\');'
    ),
    "later": (
        "function add() { var h = document.createElementNS('http://www.w3.org/2000/svg', 'g'), p = "
        " document.createElementNS('http://www.w3.org/2000/svg', 'path'); h.setAttribute('class', 'heart');"
        f" p.setAttribute('d', '{SHAPE}'); h.appendChild(p); h.style.setProperty('--x', '560px');"
        " h.style.setProperty('--y', 100 + Math.random() * 30 + 'px'); h.style.setProperty('--s', '1');"
        " hearts.appendChild(h); setTimeout(function () { h.remove(); }, 1700); }"
        "var hearts = document.getElementById('hearts');"
        "document.getElementById('pet').addEventListener('click', function () {"
        " for (var i = 0; i < 4; i++) setTimeout(add, i * 140); });"
    ),
}


@pytest.mark.parametrize("code", ["HB2602", "HB2603"])
@pytest.mark.parametrize("js", SPAWNS.values(), ids=SPAWNS)
def test_ways_of_making_hearts(code: str, js: str) -> None:
    ruling = judge(code, html=BUTTON, css=RISE, js=js)
    assert (judgement(ruling), errors(ruling)) == (PASS, [])


@pytest.mark.parametrize(
    ("old", "new", "side"),
    [
        ("rnd(530, 640)", "rnd(530, 920)", "right"),
        ("rnd(530, 640)", "rnd(-30, 640)", "left"),
        ("rnd(90, 130)", "rnd(40, 130)", "top"),
        ("rnd(90, 130)", "rnd(90, 480)", "bottom"),
        ("rnd(.8, 1.4)", "rnd(.8, 60)", "top"),
    ],
)
def test_the_worst_of_chance_counts(old: str, new: str, side: str) -> None:
    assert old in SPAWNS["properties"]
    ruling = judge("HB2603", html=BUTTON, css=RISE, js=SPAWNS["properties"].replace(old, new))
    assert judgement(ruling) is FAIL
    found = errors(ruling)[0]
    assert found.data["side"] == side
    assert found.span is not None
    assert found.span.file == "app.js"


def test_how_far_it_goes_is_exact() -> None:
    js = SPAWNS["markup"].replace("--y: 110px", "--y: 40px")
    css = RISE.replace("; opacity: 0;", ";").replace("ease-out", "linear")
    ruling = judge("HB2603", html=BUTTON, css=css, js=js)
    # At its end y is 40 - 50 and the heart reaches 12 × 1.2 above; its box is that of the curve, 7.875 × 1.2.
    assert errors(ruling)[0].data["beyond"] == pytest.approx(10 + 1.2 * 8.05, abs=0.3)


def test_what_is_not_seen_may_leave() -> None:
    css = (
        "@keyframes rise { from { transform: translate(var(--x), var(--y)) scale(var(--s)); }"
        " 50% { opacity: 0; transform: translate(var(--x), calc(var(--y) - 40px)) scale(var(--s)); }"
        " to { opacity: 0; transform: translate(var(--x), calc(var(--y) - 400px)) scale(var(--s)); } }"
        ".heart { animation: rise 1.6s linear both; transform: translate(var(--x), var(--y)); }"
    )
    assert judgement(judge("HB2603", html=BUTTON, css=css, js=SPAWNS["markup"])) is PASS
    assert judgement(judge("HB2603", html=BUTTON, css=css.replace("opacity: 0;", ""), js=SPAWNS["markup"])) is FAIL


def test_a_heart_that_waits_at_the_origin() -> None:
    css = RISE.replace(
        "transform: translate(var(--x), var(--y)) scale(var(--s)); animation: rise 1.6s ease-out both",
        "animation: rise 1.6s .5s ease-out",
    )
    ruling = judge("HB2603", html=BUTTON, css=css, js=SPAWNS["markup"])
    assert judgement(ruling) is FAIL
    assert errors(ruling)[0].data["time"] == 0


def test_a_heart_that_stands_at_the_origin_without_motion() -> None:
    still = "@media (prefers-reduced-motion: reduce) { * { animation: none !important; } }"
    placed = judge("HB2603", html=BUTTON, css=RISE + still, js=SPAWNS["markup"])
    assert judgement(placed) is PASS
    only_animated = RISE.replace("transform: translate(var(--x), var(--y)) scale(var(--s)); animation", "animation")
    assert only_animated != RISE
    assert judgement(judge("HB2603", html=BUTTON, css=only_animated + still, js=SPAWNS["markup"])) is FAIL


PLACED = [
    "h.setAttribute('transform', 'translate(' + (540 + 60 * Math.random()) + ' 120)');",
    "h.style.transform = 'translate(560px, 120px)';",
]


@pytest.mark.parametrize("place", PLACED)
def test_a_transform_that_the_animation_replaces(place: str) -> None:
    css = "@keyframes rise { to { transform: translateY(-50px); opacity: 0; } } .heart { animation: rise 1.6s both; }"
    js = (
        "document.getElementById('pet').onclick = function () {"
        " var h = document.createElementNS('http://www.w3.org/2000/svg', 'path');"
        f" h.setAttribute('class', 'heart'); h.setAttribute('d', '{SHAPE}'); {place}"
        " document.getElementById('hearts').appendChild(h); };"
    )
    ruling = judge("HB2602", html=BUTTON, css=css, js=js)
    assert judgement(ruling) is FAIL
    assert len(errors(ruling)[0].related) == 1
    assert judgement(judge("HB2603", html=BUTTON, css=css, js=js)) is FAIL


def test_hearts_that_do_not_move() -> None:
    css = ".heart { transform: translate(var(--x), var(--y)) scale(var(--s)); }"
    assert judgement(judge("HB2602", html=BUTTON, css=css, js=SPAWNS["markup"])) is FAIL


def test_other_names_are_told() -> None:
    css, js = (text.replace("--x", "--left").replace("--y", "--up") for text in (RISE, SPAWNS["markup"]))
    ruling = judge("HB2602", html=BUTTON, css=css, js=js)
    assert judgement(ruling) is PASS
    assert [finding.severity for finding in ruling.findings] == ["warning"]


@pytest.mark.parametrize("code", ["HB2602", "HB2603"])
def test_hearts_are_told_by_their_shape(code: str) -> None:
    css, js = (text.replace(".heart", ".bit") for text in (RISE, SPAWNS["later"]))
    js = js.replace("'heart'", "'bit'").replace("'hearts'", "'scene'").replace("hearts", "bits")
    assert judgement(judge(code, html=BUTTON, css=css, js=js)) is PASS
    assert judgement(judge(code, html=BUTTON, css=css, js=js.replace(SHAPE, "M0 0H9V9H0Z"))) is UNKNOWN


@pytest.mark.parametrize("code", ["HB2602", "HB2603"])
def test_what_cannot_be_told_is_left_open(code: str) -> None:
    none = judge(code)
    assert (judgement(none), verdict(none).reason) == (UNKNOWN, Reason.ROLE_NOT_FOUND)
    moved = SPAWNS["css text"].replace(".append(h);", ".append(h); h.animate([{}, {}], 900);")
    driven = judge(code, html=BUTTON, css=RISE, js=moved)
    assert (judgement(driven), verdict(driven).reason) == (UNKNOWN, Reason.SCRIPT_DRIVEN_MOTION)


def test_a_place_without_bounds_is_left_open() -> None:
    js = SPAWNS["css text"].replace("540 + 80 * Math.random()", "performance.now()")
    ruling = judge("HB2603", html=BUTTON, css=RISE, js=js)
    assert (judgement(ruling), verdict(ruling).reason) == (UNKNOWN, Reason.DYNAMIC_VALUE)


def test_hearts_in_markup_that_a_click_shows() -> None:
    drawn = f'<g class="hearts"><path class="heart" d="{SHAPE}" style="--x: 560px; --y: 110px; --s: 1"/></g>'
    css = ".hearts { display: none } [data-happy=true] .hearts { display: inline } " + RISE
    button = "var b = document.createElement('button'); b.textContent = 'Pet'; document.body.append(b);"
    js = button + "b.addEventListener('click', function () { scene.dataset.happy = 'true'; });"
    assert judgement(judge("HB2603", html=drawn, css=css, js=js)) is PASS
    assert judgement(judge("HB2603", html=drawn.replace("110px", "20px"), css=css, js=js)) is FAIL


@pytest.mark.parametrize(
    ("shown", "d", "y", "expected"),
    [
        ("opacity: 0", SHAPE, "110px", PASS),
        ("opacity: 0", SHAPE, "20px", FAIL),
        ("opacity: 0", "M0 0H9V9H0Z", "20px", UNKNOWN),
        ("opacity: 1", SHAPE, "20px", UNKNOWN),
    ],
)
def test_hearts_in_markup_that_nothing_calls_so(shown: str, d: str, y: str, expected: Judgement) -> None:
    drawn = f'<g><path class="bit" d="{d}" style="--x: 560px; --y: {y}; --s: 1"/></g>'
    css = f".bit {{ {shown} }} " + RISE.replace(".heart {", "[data-happy=true] .bit { opacity: 1;")
    button = "var b = document.createElement('button'); b.textContent = 'Pet'; document.body.append(b);"
    js = button + "b.addEventListener('click', function () { scene.dataset.happy = 'true'; });"
    assert judgement(judge("HB2603", html=drawn, css=css, js=js)) is expected


@pytest.mark.parametrize("code", ["HB2602", "HB2603"])
def test_hostile_hearts_raise_nothing(code: str) -> None:
    js = (
        "document.getElementById('pet').onclick = function () { for (var i = 0; i < 900; i++) {"
        " var h = document.createElementNS('http://www.w3.org/2000/svg', 'path'); h.setAttribute('class', 'heart');"
        " for (var k = 0; k < 30; k++) h.style.setProperty('--p' + k, Math.random());"
        " document.getElementById('hearts').appendChild(h); } };"
    )
    found = verdict(judge(code, html=BUTTON, css=RISE, js=js))
    assert found.reason is not Reason.RULE_CRASH, found.data
