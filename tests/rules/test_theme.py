"""Day and night: one source, the whole page, and clones."""

from __future__ import annotations

import pytest

from tests.rules.scenery import judged, page, places, told

REACHES_OUT = {
    "the theme": ':root[data-theme="night"] .hill { fill: #101820 }',
    "the theme on the html element": "html[data-theme=night] .dirt { fill: #101820 }",
    "the strip around": ".hill { fill: #ccc } .strip-far .hill { fill: #9db8a5 }",
    "a child combinator": ".strip-mid > g > .tree { fill: #223 }",
    "a stroke": '[data-theme="night"] .hill { stroke: #fff; stroke-width: 2px }',
    "opacity": "[data-theme=night] .tree { opacity: .4 }",
    "opacity of the group": "[data-theme=night] #mid { opacity: .4 }",
    "hidden by night": "[data-theme=night] .bush { display: none }",
    "a filter": "[data-theme=night] #near { filter: brightness(.5) }",
    "a custom property set inside": '[data-theme="night"] #far { --hill: #101820 }',
    "by :is()": ':is([data-theme="night"] .hill) { fill: #101820 }',
}


@pytest.mark.parametrize("way", REACHES_OUT)
def test_a_paint_that_hangs_on_what_is_outside_the_clone(way: str) -> None:
    assert judged("HB2111", page(css=REACHES_OUT[way])) == "fail"


STAYS = {
    "a property of the root": ":root[data-theme=night] { --hill: #123 }",
    "a property of the strip": "[data-theme=night] .strip-far { --hill: #123 }",
    "inherited through the use": ".hill { fill: inherit } .strip-far { fill: #9db8a5 } "
    "[data-theme=night] .strip-far { fill: #123 }",
    "a selector inside": "#far > .hill { fill: var(--hill) }",
    "the same value": '[data-theme="night"] .hill { fill: #27344a }',
    "outside of the strips": "[data-theme=night] .sky { fill: #000 }",
    "a filter on the strip": "[data-theme=night] .strip-far { filter: brightness(.5) }",
    "a rule that loses": "[data-theme=night] .hill { fill: #123 } .hill { fill: var(--hill) !important }",
    "a stroke of no width": "[data-theme=night] .hill { stroke: #fff } .hill { stroke-width: 0 }",
    "a stroke that is clear": "[data-theme=night] .hill { stroke: #fff } .hill { stroke-opacity: 0 }",
    "color that no paint takes": "[data-theme=night] .hill { color: red }",
}


@pytest.mark.parametrize("way", STAYS)
def test_a_paint_that_reaches_the_clone(way: str) -> None:
    made = page(css=STAYS[way])
    assert judged("HB2111", made) == "pass", told("HB2111", made)


def test_the_finding_lies_on_the_declaration() -> None:
    assert places("HB2111", page(css="[data-theme=night] .hill { fill: #101820 }")) == ["fill: #101820"]


def test_tiles_that_stand_only_in_defs() -> None:
    far = '<g id="far"><path class="hill" d="M0 200H900V330H0Z"/></g><use href="#far" x="900"/>'
    both = f"<defs>{far.split('<use', maxsplit=1)[0]}</defs>" + '<use href="#far"/><use href="#far" x="900"/>'
    made = page(edits={far: both}, css="[data-theme=night] .hill { fill: #101820 }")
    assert judged("HB2111", made) == "fail"
    assert judged("HB2111", page(edits={far: both})) == "pass"


SERVERS = {
    "a fill": ".bush { fill: url(#dusk) }",
    "a stroke": ".hill { stroke: url(#dusk); stroke-width: 2px }",
    "a fallback": ".hill { fill: url(#dusk) #123 }",
    "by a property": ":root { --hill: url(#dusk) }",
    "only by night": ":root[data-theme=night] { --dirt: url(#dusk) }",
    "inherited": ".hill { fill: inherit } .strip-far { fill: url(#dusk) }",
}


@pytest.mark.parametrize("way", SERVERS)
def test_a_paint_server_in_a_clone(way: str) -> None:
    assert judged("HB2112", page(css=SERVERS[way])) == "fail"


NO_SERVERS = {
    "outside": ".sky { fill: url(#dusk) }",
    "a clip": ".strip-far { clip-path: url(#edge) }",
    "overridden": ".hill { fill: url(#dusk) } .strip .hill, #far .hill { fill: #123 }",
    "invisible": "#far .hill { stroke: url(#dusk); stroke-opacity: 0; opacity: 0 }",
}


@pytest.mark.parametrize("way", NO_SERVERS)
def test_no_paint_server_in_a_clone(way: str) -> None:
    assert judged("HB2112", page(css=NO_SERVERS[way])) == "pass"


def test_an_attribute_is_a_paint_too() -> None:
    made = page(edits={'<path class="hill"': '<path fill="url(#dusk)" class="hillock"'})
    assert judged("HB2112", made) == "fail"


SECOND = {
    "a class on body": (
        "body.dark { background: #000 }",
        'document.body.classList.add("dark");',
    ),
    "an attribute of the scene": (
        '#scene[data-sky="night"] .sky { fill: #000 }',
        'scene.setAttribute("data-sky", "night");',
    ),
    "the system's preference": ("@media (prefers-color-scheme: dark) { .sky { fill: #000 } }", ""),
    "the preference for a property": ("@media (prefers-color-scheme: dark) { :root { --page: #000 } }", ""),
}


@pytest.mark.parametrize("switch", SECOND)
def test_a_second_switch(switch: str) -> None:
    css, js = SECOND[switch]
    assert judged("HB2206", page(css=css, js=js)) == "fail"


def test_dead_switches_prove_nothing() -> None:
    assert judged("HB2206", page(css="body.dark { background: #000 } .moon-theme .sky { fill: #000 }")) == "pass"


def test_other_words_for_the_values() -> None:
    made = page(edits={'data-theme="night"': 'data-theme="dark"', '"night" : "day"': '"dark" : "light"'})
    assert judged("HB2206", made) == "fail"


def test_a_page_without_night() -> None:
    made = page(edits={':root[data-theme="night"]': ".never", "data-theme": "data-z"})
    assert judged("HB2206", made) == "fail"
    assert judged("HB2207", made) == "fail"


PARTIAL = {
    "the page stays white": "html, body { background: #fff !important }",
    "the text stays dark": "* { color: #222 !important }",
    "the ink of the page stays dark": "body { color: #222 !important } h1, p, a { color: #222 !important } "
    "footer * { color: #333 } [data-theme=night] footer * { color: #eee }",
    "a button alone lights up": "* { color: #222 !important } "
    "[data-theme=night] body button { color: #fff !important }",
    "the scene stays by day": "#scene * { fill: #9db8a5 !important; stroke: #123 !important }",
}


@pytest.mark.parametrize("part", PARTIAL)
def test_a_part_that_night_leaves_out(part: str) -> None:
    assert judged("HB2207", page(css=PARTIAL[part])) == "fail"


WHOLE = {
    "the background of html": "body { background: none } html { background: var(--page) }",
    "a gradient": "body { background: linear-gradient(var(--page), #888) }",
    "color-scheme": "body { background: canvas; color: canvastext } [data-theme=night] { color-scheme: dark }",
    "a filter on the scene": "#scene * { fill: #9db8a5 !important } "
    "[data-theme=night] #scene { filter: brightness(.4) }",
}


@pytest.mark.parametrize("way", WHOLE)
def test_a_night_of_the_whole_page(way: str) -> None:
    made = page(css=WHOLE[way])
    assert judged("HB2207", made) == "pass", told("HB2207", made)
