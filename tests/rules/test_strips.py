"""Strips in many spellings: how they are told, cloned, scrolled; and what is wrong with others."""

from __future__ import annotations

import pytest

from tests.rules.scenery import judged, page, places, told

PATHS = {"far": ("hill", "M0 200H900V330H0Z"), "dirt": ("dirt", "M0 330H900V460H0Z")}


def strip(name: str) -> str:
    """A strip as the skeleton writes it."""
    shape, d = PATHS[name]
    tile = f'<g id="{name}"><path class="{shape}" d="{d}"/></g><use href="#{name}" x="900"/>'
    return f'<g class="strip strip-{name}">{tile}</g>'


FAR, DIRT = strip("far"), strip("dirt")

CLONED = {
    "as written": DIRT,
    "by xlink": DIRT.replace("<use href", "<use xlink:href"),
    "by a translate": DIRT.replace('x="900"', 'transform="translate(900 0)"'),
    "by css": DIRT.replace('x="900"', 'style="transform: translateX(900px)"'),
    "both from defs": '<defs><g id="dirt"><path class="dirt" d="M0 330H900V460H0Z"/></g></defs>'
    '<g class="strip strip-dirt"><use href="#dirt"/><use href="#dirt" x="900"/></g>',
    "a symbol": '<symbol id="dirt" overflow="visible"><path class="dirt" d="M0 330H900V460H0Z"/></symbol>'
    '<g class="strip strip-dirt"><use href="#dirt"/><use href="#dirt" x="900"/></g>',
    "three times": DIRT.replace("</g></g>", '</g><use href="#dirt" x="1800"/></g>').replace(
        '<use href="#dirt" x="900"/></g>', '<use href="#dirt" x="900"/><use href="#dirt" x="1800"/></g>'
    ),
    "the strip itself": '<g id="dirt" class="strip strip-dirt"><path class="dirt" d="M0 330H900V460H0Z"/></g>'
    '<use href="#dirt" x="900"/>',
    "a little wider than the tile": DIRT.replace("M0 330H900V460H0Z", "M-4 330H904V460H-4Z"),
    "pebbles in one path": DIRT.replace("</g>", '<path class="dirt" d="M40 350h6v4h-6zM850 360h6v4h-6z"/></g>', 1),
}


@pytest.mark.parametrize("spelling", CLONED)
def test_a_clone_at_900_in_any_spelling(spelling: str) -> None:
    made = page(edits={DIRT: CLONED[spelling]})
    assert judged("HB2102", made) == "pass", told("HB2102", made)
    assert judged("HB2103", made) == "pass", told("HB2103", made)


GROUND = '<path class="dirt" d="M0 330H900V460H0Z"/>'
WRONG = {
    "too near": (DIRT.replace('x="900"', 'x="899"'), "899 units"),
    "too far": (DIRT.replace('x="900"', 'x="920"'), "920"),
    "lower": (DIRT.replace('x="900"', 'x="900" y="4"'), "(900, 4)"),
    "no clone": (DIRT.replace('<use href="#dirt" x="900"/>', ""), "no clone"),
    "copied by hand": (
        '<g class="strip strip-dirt"><path class="dirt" d="M0 330H900V460H0ZM900 330H1800V460H900Z"/></g>',
        "no clone",
    ),
    "a gap": (DIRT.replace("M0 330H900V460H0Z", "M0 330H890V460H0Z"), "10.0 units of gap"),
    "a step": (DIRT.replace("M0 330H900V460H0Z", "M0 330L900 350V460H0Z"), "a step"),
    "a tree over the end": (
        DIRT.replace("</g>", '<rect class="tree" x="880" y="100" width="60" height="230"/></g>', 1),
        "appear or vanish",
    ),
    "itself and its clone apart": (
        f'<g id="dirt" class="strip strip-dirt">{GROUND}</g><use href="#dirt" x="880"/>',
        "880",
    ),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_clone_that_does_not_meet(fault: str) -> None:
    replacement, words = WRONG[fault]
    made = page(edits={DIRT: replacement})
    assert judged("HB2102", made) == "fail"
    assert any(words in message for message in told("HB2102", made)), told("HB2102", made)


def test_a_shape_over_the_end_that_is_drawn_at_the_begin_too() -> None:
    both = "".join(f'<rect class="tree" x="{x}" y="100" width="60" height="230"/>' for x in (880, -20))
    assert judged("HB2102", page(edits={DIRT: DIRT.replace("</g>", f"{both}</g>", 1)})) == "pass"


SCROLLS = {
    "percent stops": "@keyframes glide { 0% { transform: translateX(0) } 100% { transform: translateX(-900px) } }",
    "only an end": "@keyframes glide { to { transform: translate(-900px) } }",
    "the translate property": "@keyframes glide { to { translate: -900px 0 } }",
    "3d": "@keyframes glide { to { transform: translate3d(-900px, 0, 0) } }",
    "calc": "@keyframes glide { to { transform: translateX(calc(-1 * 900px)) } }",
    "by a variable": "#scene { --tile: -900px } @keyframes glide { to { transform: translateX(var(--tile)) } }",
    "a delay": ".strip { animation-delay: -2s; }",
    "the longhands": ".strip { animation: none } "
    "g.strip { animation-name: glide; animation-timing-function: linear; animation-iteration-count: infinite } "
    + "".join(f"g.strip-{n} {{ animation-duration: var(--glide-{n}) }}" for n in ("far", "mid", "near", "dirt")),
    "linear in the stops": ".strip { animation-timing-function: ease } "
    "@keyframes glide { from { animation-timing-function: linear } to { transform: translateX(-900px) } }",
    "even stops": "@keyframes glide { 50% { transform: translateX(-450px) } to { transform: translateX(-900px) } }",
}


@pytest.mark.parametrize("spelling", SCROLLS)
def test_a_scroll_in_any_spelling(spelling: str) -> None:
    made = page(css=SCROLLS[spelling])
    verdict = judged("HB2103", made)
    allowed = {"pass", "unknown(unsupported-css)"} if spelling == "3d" else {"pass"}
    assert verdict in allowed, told("HB2103", made)


SLIPS = {
    "right": ("@keyframes glide { to { transform: translateX(900px) } }", "moves right"),
    "reverse": (".strip { animation-direction: reverse }", "moves right"),
    "short": ("@keyframes glide { to { transform: translateX(-890px) } }", "890"),
    "there and back": (".strip { animation-direction: alternate }", "at"),
    "steps": (".strip { animation-timing-function: steps(6) }", "goes evenly"),
    "eased": (".strip-near { animation-timing-function: ease-in-out }", "even scroll"),
    "uneven stops": (
        "@keyframes glide { 50% { transform: translateX(-600px) } to { transform: translateX(-900px) } }",
        "even scroll",
    ),
    "once": (".strip { animation-iteration-count: 1 }", "stops after"),
    "shifted": (
        "@keyframes glide { from { transform: translateX(20px) } to { transform: translateX(-880px) } }",
        "starts its scroll",
    ),
    "rising": ("@keyframes glide { to { transform: translate(-900px, -20px) } }", "up or down"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_scroll_that_is_wrong(slip: str) -> None:
    css, words = SLIPS[slip]
    made = page(css=css)
    assert judged("HB2103", made) == "fail"
    assert any(words in message for message in told("HB2103", made)), told("HB2103", made)


def test_the_finding_lies_on_what_eases() -> None:
    made = page(css=".strip-near { animation-timing-function: ease-in-out }")
    assert places("HB2103", made) == ["animation-timing-function: ease-in-out"]


def test_a_dead_rule_proves_nothing() -> None:
    made = page(css=".no-such-strip { animation-timing-function: ease } @media print { .strip { animation: none } }")
    assert judged("HB2103", made) == "pass"


def test_three_strips_are_too_few() -> None:
    assert judged("HB2103", page(css=".strip-far { animation: none }")) == "fail"


def test_strips_that_script_moves_are_not_judged() -> None:
    js = """
    var mid = document.querySelector(".strip-mid"), x = 0;
    function step() { x -= 1; mid.style.transform = "translateX(" + (x % 900) + "px)"; requestAnimationFrame(step); }
    requestAnimationFrame(step);
    """
    assert judged("HB2103", page(js=js, css=".strip-mid { animation: none }")).startswith("unknown")


def test_legs_that_script_moves_are_no_scenery() -> None:
    js = """
    var leg = document.querySelector(".leg.fore.near"), t = 0;
    function step() { t += 0.1; leg.setAttribute("transform", "rotate(" + Math.sin(t) * 20 + " 498 214)"); }
    setInterval(step, 16);
    """
    for code in ("HB2102", "HB2103", "HB2105"):
        assert judged(code, page(js=js)) == "pass", told(code, page(js=js))


def test_clouds_of_their_own_are_no_fifth_strip() -> None:
    cloud = '<path d="M10 40h80v20h-80zM700 60h90v20h-90z" fill="#fff"/>'
    clouds = f'<g class="drift"><g id="cl">{cloud}</g><use href="#cl" x="900"/></g>'
    made = page(
        edits={FAR: clouds + FAR},
        css=".drift { animation: cloud 90s linear infinite } @keyframes cloud { to { transform: translateX(-900px) } }",
    )
    assert judged("HB2103", made) == "pass"
    assert judged("HB2104", made) == "pass"


REAUTHORED = {
    "other keyframes": "@keyframes rush { to { transform: translateX(-900px) } } "
    '#scene[data-speed="zoomies"] .strip { animation-name: rush }',
    "another path": '#scene[data-speed="hop"] .dirt { d: path("M0 320H900V460H0Z") }',
    "no scroll": '#scene[data-speed="stroll"] .strip-far { animation-name: none }',
}


@pytest.mark.parametrize("way", REAUTHORED)
def test_what_a_pace_may_not_change(way: str) -> None:
    assert judged("HB2106", page(css=REAUTHORED[way])) == "fail"


def test_script_that_redraws_a_strip_for_a_pace() -> None:
    js = """
    setPace = function (index) {
      scene.dataset.speed = paces[(index + 4) % 4];
      document.querySelector(".hill").setAttribute("d", index === 2 ? "M0 150H900V330H0Z" : "M0 200H900V330H0Z");
    };
    """
    assert judged("HB2106", page(js=js)) == "fail"


def test_the_same_keyframes_named_again_are_the_same() -> None:
    css = '#scene[data-speed="zoomies"] .strip { animation-name: glide; animation-timing-function: linear }'
    assert judged("HB2106", page(css=css)) == "pass"
