"""How pages spell their states, found by working the script model's controls or read off selectors alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from husky_lint.evidence import StaticEvidence
from husky_lint.rubric import load_rubric
from husky_lint.rule import Undecided
from husky_lint.style.computed import StyleEngine
from husky_lint.style.spellings import parts_of
from husky_lint.style.states import PageState, infer_states
from husky_lint.submission import Submission
from tests.style.chromium_styles import differences, snapshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from husky_lint.style.states import PageStates

RUBRIC = load_rubric(Path(__file__).resolve().parents[2] / "rules" / "husky" / "rubric.toml")
PACES = ("stroll", "walk", "hop", "zoomies")
SCENE = '<svg id="scene" class="scene" viewBox="0 0 900 460"{svg}><g id="dog" class="dog"><path class="leg"/></g></svg>'
CONTROLS = """<div id="bar"></div><button id="pause">Pause</button><button id="sky">Night</button>"""


def _evidence(css: str, script: str = "", *, html: str = "", body: str = "", svg: str = "") -> StaticEvidence:
    scene = SCENE.replace("{svg}", f" {svg}" if svg else "")
    page = (
        f"<!doctype html><html{' ' + html if html else ''}><head><style>{css}</style></head>"
        f"<body{' ' + body if body else ''}><div class='stage'>{scene}</div>{CONTROLS}"
        f"<script>{script}</script></body></html>"
    )
    return StaticEvidence(Submission.from_files({"index.html": page}, name="page"), RUBRIC)


def _leg(evidence: StaticEvidence, state: PageState, name: str = "stroke") -> str:
    leg = next(e for e in evidence.page.elements if e.get("class") == "leg")
    return evidence.style(state).computed(leg).text(name)


def _check_paces(evidence: StaticEvidence, source: str) -> None:
    """Every pace is reached, in the way expected, and shows: walk is what is left when no selector holds."""
    states = evidence.states
    assert "pace" in states.axes
    assert set(states.values("pace")) == set(PACES)
    shown = {pace: _leg(evidence, states.state(pace=pace), "stroke-width") for pace in PACES}
    assert shown == {"stroll": "1px", "walk": "2px", "hop": "3px", "zoomies": "4px"}
    assert {pace: states.unknown("pace", pace) for pace in PACES} == dict.fromkeys(PACES)
    assert states.evidence("pace", "hop")[0].source == source
    assert states.evidence("pace", "hop")[0].span is not None
    assert states.initial.axes["pace"] == "walk"


def _css(selector: str) -> str:
    """A style sheet in which ``selector`` (with $ for the pace) decides the leg's stroke width."""
    widths = {"stroll": 1, "hop": 3, "zoomies": 4}
    rules = "".join(
        f"{selector.replace('$', pace)} .leg {{ stroke-width: {width} }}\n" for pace, width in widths.items()
    )
    return ".leg { stroke-width: 2 }\n" + rules


BUTTONS = """
['stroll', 'walk', 'hop', 'zoomies'].forEach(function (p) {
  var b = document.createElement('button'); b.textContent = p[0].toUpperCase() + p.slice(1);
  b.addEventListener('click', function () { set(p); });
  document.getElementById('bar').append(b);
});
"""
SPELLINGS = {
    "attribute on svg": (".scene[data-speed='$']", "scene.dataset.speed = p", {}),
    "attribute on html": ("html[data-pace='$']", "document.documentElement.dataset.pace = p", {}),
    "attribute on body": ("body[data-gait=$]", "document.body.setAttribute('data-gait', p)", {}),
    "attribute on a group": ("#dog[data-mode~='$']", "dog.setAttribute('data-mode', p)", {}),
    "attribute anywhere": ("[data-pace='$']", "document.querySelector('.stage').dataset.pace = p", {}),
    "own attribute": (".scene[pace=$]", "scene.setAttribute('pace', p)", {"svg": 'pace="walk"'}),
    "value with a prefix": ("html[data-state='pace-$']", "document.documentElement.dataset.state = 'pace-' + p", {}),
    "class on svg": (".scene.is-$", "scene.setAttribute('class', 'scene is-' + p)", {}),
    "class on body": ("body.pace-$", "document.body.className = 'pace-' + p", {}),
    "class list on html": (".gait--$", "all.forEach(q => root.classList.toggle('gait--' + q, q === p))", {}),
    "class on a group": ("#dog.$", "dog.classList.remove(...all); dog.classList.add(p)", {}),
    "bare class on html": (".$", "root.className = p", {}),
    "camel case": ("body.paceIs_$", "document.body.className = 'paceIs_' + p", {}),
    "nested css": ("", "scene.dataset.speed = p", {}),
    "is list": ("html:is([data-pace='$'])", "root.dataset.pace = p", {}),
    "is list with something else": ("html:is([data-pace='$'], .zz-$-9)", "root.dataset.pace = p", {}),
}
NESTED = """.leg { stroke-width: 2 }
.scene { &[data-speed=stroll] .leg { stroke-width: 1 } &[data-speed=hop] { .leg { stroke-width: 3 } }
@media screen { &[data-speed="zoomies"] .leg { stroke-width: 4 } } }"""


def _spelling(name: str) -> tuple[str, str, dict[str, Any]]:
    selector, write, attributes = SPELLINGS[name]
    script = (
        "var root = document.documentElement, scene = document.getElementById('scene'),"
        "dog = document.getElementById('dog'), all = ['stroll', 'walk', 'hop', 'zoomies'];"
        f"function set(p) {{ {write}; }}\n{BUTTONS}\nset('walk');"
    )
    return NESTED if not selector else _css(selector), script, attributes


@pytest.mark.parametrize("name", SPELLINGS)
def test_spellings_by_control(name: str) -> None:
    css, script, attributes = _spelling(name)
    _check_paces(_evidence(css, script, **attributes), "control")


@pytest.mark.parametrize("name", [name for name in SPELLINGS if name != "attribute anywhere"])
def test_spellings_by_selectors_alone(name: str) -> None:
    css, _, attributes = _spelling(name)
    _check_paces(_evidence(css, **attributes), "style")


WORDLESS = {
    "class with another word": ("body.gear-$", "document.body.className = 'gear-' + p"),
    "numbered attribute": ("#scene[data-g='%']", "scene.setAttribute('data-g', all.indexOf(p))"),
    "class without a word": (".zz%", "dog.setAttribute('class', 'dog zz' + all.indexOf(p))"),
    "nested": ("body { &:is(.q%) { & > .stage", "document.body.className = 'q' + all.indexOf(p)"),
}


@pytest.mark.parametrize("name", WORDLESS)
def test_what_controls_write_spells_the_paces(name: str) -> None:
    """No word of a selector tells the pace: the buttons do, by what they change."""
    selector, write = WORDLESS[name]
    css = ".leg { stroke-width: 2 }\n"
    for index, pace in enumerate(PACES):
        if pace != "walk":
            opened = selector.replace("$", pace).replace("%", str(index))
            css += f"{opened} .leg {{ stroke-width: {index + 1} }}{' }' * opened.count('{')}\n"
    script = (
        "var scene = document.getElementById('scene'), dog = document.getElementById('dog'),"
        f"all = ['stroll', 'walk', 'hop', 'zoomies']; function set(p) {{ {write}; }}\n{BUTTONS}\nset('walk');"
    )
    evidence = _evidence(css, script)
    _check_paces(evidence, "control")
    assert {form.value for form in evidence.states.forms("pace")} == {"stroll", "hop", "zoomies"}


def test_a_button_that_starts_the_walk_is_no_way_to_walking() -> None:
    script = (
        "var s = document.getElementById('scene'), w = { stroll: 1, walk: 2, hop: 3, zoomies: 4 }, now = 'walk';"
        f"function set(p) {{ if (p !== now) s.style.setProperty('--w', w[p] + 'px'); now = p; }} {BUTTONS}"
        "var start = document.createElement('button'); start.textContent = 'Start the walk';"
        "start.onclick = function () { document.body.className = 'lupe'; }; document.body.append(start);"
    )
    evidence = _evidence(".leg { stroke-width: var(--w, 2px) } .lupe .leg { stroke-width: 9px }", script)
    assert _leg(evidence, evidence.states.state(pace="walk"), "stroke-width") == "2px"
    assert _leg(evidence, evidence.states.state(pace="hop"), "stroke-width") == "3px"


def test_inline_custom_properties() -> None:
    """Nothing in a selector tells the pace: what the controls write does."""
    script = (
        "var scene = document.getElementById('scene'), w = { stroll: 1, walk: 2, hop: 3, zoomies: 4 };"
        f"function set(p) {{ scene.style.setProperty('--w', w[p] + 'px'); }} {BUTTONS} set('walk');"
    )
    evidence = _evidence(".leg { stroke-width: var(--w) }", script)
    _check_paces(evidence, "control")


INLINE = (
    ".leg { stroke-width: var(--w) } .scene.is-hop .leg { fill: red } .scene.is-zoomies .leg { fill: blue }",
    "var s = document.getElementById('scene'), w = { stroll: 1, walk: 2, hop: 3, zoomies: 4 };"
    "function set(p) { s.style.setProperty('--w', w[p] + 'px'); $; }" + BUTTONS + "set('walk');",
)


@pytest.mark.parametrize(
    "write",
    [
        "s.setAttribute('class', 'scene is-' + p)",
        "s.classList.toggle('is-hop', p === 'hop'); s.classList.toggle('is-zoomies', p === 'zoomies')",
    ],
    ids=["a class that no selector names", "no class at all"],
)
def test_paces_of_which_selectors_spell_but_two(write: str) -> None:
    css, script = INLINE
    evidence = _evidence(css, script.replace("$", write))
    _check_paces(evidence, "control")
    fills = {pace: _leg(evidence, evidence.states.state(pace=pace), "fill") for pace in PACES}
    assert fills == {
        "stroll": "rgb(0, 0, 0)",
        "walk": "rgb(0, 0, 0)",
        "hop": "rgb(255, 0, 0)",
        "zoomies": "rgb(0, 0, 255)",
    }


def test_a_class_that_always_stands_there_is_no_pace() -> None:
    script = (
        "var s = document.getElementById('scene'); function set(p) { s.classList.toggle('is-hop', p === 'hop');"
        f"s.classList.toggle('is-zoomies', p === 'zoomies'); }} {BUTTONS} s.classList.add('is-stroll');"
    )
    evidence = _evidence(".is-hop .leg { fill: red } .is-zoomies .leg { fill: blue }", script)
    assert evidence.states.state(pace="hop").axes["pace"] == "hop"
    assert _leg(evidence, evidence.states.state(pace="hop"), "fill") == "rgb(255, 0, 0)"


def test_styles_that_script_writes() -> None:
    script = (
        "var s = document.createElement('style'), w = { stroll: 1, walk: 2, hop: 3, zoomies: 4 }; var t = '';"
        "for (var k in w) t += '#scene[data-x=' + k + '] .leg { stroke-width: ' + w[k] + 'px }';"
        "s.textContent = t; document.head.appendChild(s);"
        f"function set(p) {{ document.getElementById('scene').dataset.x = p; }} {BUTTONS} set('walk');"
    )
    evidence = _evidence("", script)
    _check_paces(evidence, "control")
    assert len(evidence.states.initial.sheets) == 1
    assert evidence.states.initial.sheets[0].rules[0].span.file == "index.html"


RULES = """var w = { stroll: 1, walk: 2, hop: 3, zoomies: 4 }, scene = document.getElementById('scene'), rules = [];
for (var k in w) rules.push('#scene[data-speed=' + k + '] .leg { stroke-width: ' + w[k] + 'px }');
"""
INSERTED = {
    "a style element": "var s = document.createElement('style'); document.head.append(s);"
    "rules.forEach(r => s.sheet.insertRule(r, s.sheet.cssRules.length));",
    "the first sheet": "var [s] = document.styleSheets; rules.forEach(r => s.insertRule(r, s.cssRules.length));",
    "in front": "rules.forEach(r => document.styleSheets[0].insertRule(r));",
    "a selector and a block": "for (var k in w) document.styleSheets[0].addRule("
    "'#scene[data-speed=' + k + '] .leg', 'stroke-width:' + w[k] + 'px');",
    "an adopted sheet": "var s = new CSSStyleSheet(); s.replaceSync(rules.join(' '));"
    "document.adoptedStyleSheets = [s];",
    "pushed, then filled": "var s = new CSSStyleSheet(); document.adoptedStyleSheets.push(s);"
    "rules.forEach(r => s.insertRule(r));",
    "one pace at a time": "var s = new CSSStyleSheet();"
    "document.adoptedStyleSheets = [...document.adoptedStyleSheets, s];"
    "wear = p => s.replaceSync('.scene .leg { stroke-width: ' + w[p] + 'px }');",
}


def _inserting(how: str) -> StaticEvidence:
    script = f"{RULES} var wear = () => {{}}; {INSERTED[how]} function set(p) {{ scene.dataset.speed = p; wear(p); }}"
    css = ".leg { stroke-width: 9px } #scene[data-speed] { --x: 1 } #scene[data-speed] { color: red }"
    return _evidence(css, f"{script} {BUTTONS} set('walk');")


@pytest.mark.parametrize("how", INSERTED)
def test_rules_that_script_inserts(how: str) -> None:
    _check_paces(_inserting(how), "control")


@pytest.mark.browser
@pytest.mark.parametrize("how", INSERTED)
def test_rules_that_script_inserts_are_those_of_chromium(how: str, page: Callable[..., Page]) -> None:
    evidence = _inserting(how)
    opened = page()
    opened.set_content(evidence.page.source.text)
    for pace in PACES:
        opened.get_by_role("button", name=pace.capitalize(), exact=True).dispatch_event("click")
        shown = opened.evaluate("getComputedStyle(document.querySelector('.leg')).strokeWidth")
        assert shown == _leg(evidence, evidence.states.state(pace=pace), "stroke-width")


def test_what_holds_inserted_rules_is_no_sheet_that_script_sees() -> None:
    script = (
        "document.styleSheets[0].insertRule('.leg { stroke: blue }', 1);"
        "document.body.title = document.styleSheets.length;"
    )
    evidence = _evidence(".leg { stroke: red }", script)
    assert _leg(evidence, evidence.states.initial) == "rgb(0, 0, 255)"
    written = {getattr(m, "name", ""): getattr(m, "value", None) for m in evidence.states.initial.mutations}
    assert written["title"] == "1"


@pytest.mark.parametrize(
    "script",
    [
        "document.styleSheets[0].deleteRule(0)",
        "document.styleSheets[0].insertRule(navigator.userAgent)",
        "var s = document.createElement('style'); s.textContent = navigator.userAgent; document.head.append(s)",
        "var s = new CSSStyleSheet(); s.replaceSync(navigator.userAgent); document.adoptedStyleSheets = [s]",
        "var s = document.createElement('style'); s.textContent = 'a {}'; if (navigator.userAgent) h.append(s)",
    ],
)
def test_rules_that_cannot_be_told_leave_the_sheets_unknown(script: str) -> None:
    evidence = _evidence(".leg { stroke: red }", f"var h = document.head; {script}")
    assert evidence.states.initial.unknown["sheets"] == "unsupported-css"
    with pytest.raises(Undecided):
        evidence.style(evidence.states.initial)


@pytest.mark.parametrize(
    "write",
    [
        "var s = document.createElement('style'); s.textContent = css; document.head.append(s)",
        "document.styleSheets[0].insertRule(css, 1)",
    ],
)
def test_a_number_drawn_at_random_is_all_that_is_unknown_of_a_sheet(write: str) -> None:
    script = f"var css = `.leg {{ stroke: blue; stroke-width: ${{Math.random() * 9}}px }}`; {write}"
    evidence = _evidence(".leg { stroke: red }", script)
    leg = next(one for one in evidence.page.elements if one.get("class") == "leg")
    style = evidence.style(evidence.states.initial).computed(leg)
    assert style.text("stroke") == "rgb(0, 0, 255)"
    assert (style.unknown("stroke"), style.unknown("stroke-width")) == (None, "unsupported-css")


def test_a_sheet_that_is_adopted_no_more() -> None:
    script = (
        "var s = new CSSStyleSheet(); s.replaceSync('.leg { stroke: blue }'); document.adoptedStyleSheets = [s];"
        "document.adoptedStyleSheets = [];"
    )
    evidence = _evidence(".leg { stroke: red }", script)
    assert _leg(evidence, evidence.states.initial) == "rgb(255, 0, 0)"


def test_keys_where_there_is_no_control() -> None:
    script = """
    var all = ['stroll', 'walk', 'hop', 'zoomies'], at = 1, scene = document.getElementById('scene');
    document.addEventListener('keydown', function (e) {
      if (e.key === 'ArrowRight') at = (at + 1) % 4; else if (e.key === 'ArrowLeft') at = (at + 3) % 4; else return;
      scene.dataset.speed = all[at];
    });
    scene.dataset.speed = 'walk';"""
    _check_paces(_evidence(_css(".scene[data-speed='$']"), script), "key")


def test_delegated_clicks() -> None:
    script = """
    document.getElementById('bar').innerHTML = '<button data-p="stroll">A</button><button data-p="walk">B</button>' +
      '<button data-p="hop">C</button><button data-p="zoomies">D</button>';
    document.addEventListener('click', function (e) {
      var b = e.target.closest('[data-p]');
      if (b) document.body.dataset.speed = b.dataset.p;
    });"""
    _check_paces(_evidence(_css("body[data-speed='$']"), script, body='data-speed="walk"'), "control")


PAUSES = {
    "true": (".scene[data-paused='true']", "scene.dataset.paused = String(scene.dataset.paused !== 'true')", {}),
    "presence": ("svg[data-paused]", "scene.toggleAttribute('data-paused')", {}),
    "class": (".is-paused", "document.body.classList.toggle('is-paused')", {}),
    "playing class": ("body:not(.playing)", "document.body.classList.toggle('playing')", {"body": 'class="playing"'}),
    "state": ("html[data-state=paused]", "r.dataset.state = r.dataset.state === 'paused' ? 'playing' : 'paused'", {}),
    "running": (
        "[data-running='false']",
        "scene.dataset.running = String(scene.dataset.running === 'false')",
        {"svg": "data-running='true'"},
    ),
}


@pytest.mark.parametrize("followed", [True, False], ids=["control", "selectors"])
@pytest.mark.parametrize("name", PAUSES)
def test_pauses(name: str, followed: bool) -> None:
    selector, toggle, attributes = PAUSES[name]
    script = (
        "var r = document.documentElement, scene = document.getElementById('scene');"
        f"document.getElementById('pause').onclick = function () {{ {toggle}; this.textContent = 'Resume'; }};"
    )
    css = f".leg {{ animation: a 1s }} {selector} .leg {{ animation-play-state: paused }}"
    evidence = _evidence(css, script if followed else "", **attributes)
    states = evidence.states
    assert _leg(evidence, states.initial, "animation-play-state") == "running"
    paused, playing = states.state(paused="true"), states.state(paused="false")
    assert _leg(evidence, paused, "animation-play-state") == "paused"
    assert _leg(evidence, playing, "animation-play-state") == "running"
    assert not paused.unknown
    assert states.evidence("paused", "true")[0].source == ("control" if followed else "style")


THEMES: dict[str, tuple[str, str, dict[str, str]]] = {
    "attribute": ("html[data-theme=night]", "r.dataset.theme = r.dataset.theme === 'night' ? 'day' : 'night'", {}),
    "dark": ("[data-theme='dark']", "r.dataset.theme = r.dataset.theme === 'dark' ? 'light' : 'dark'", {}),
    "class": ("body.dark", "document.body.classList.toggle('dark')", {}),
    "night class": (".scene.night", "scene.classList.toggle('night')", {}),
    "mode": ("html.theme-dark", "r.classList.toggle('theme-dark')", {}),
}


@pytest.mark.parametrize("followed", [True, False], ids=["control", "selectors"])
@pytest.mark.parametrize("name", THEMES)
def test_themes(name: str, followed: bool) -> None:
    selector, toggle, attributes = THEMES[name]
    script = (
        "var r = document.documentElement, scene = document.getElementById('scene');"
        f"document.getElementById('sky').addEventListener('click', () => {{ {toggle}; }});"
    )
    evidence = _evidence(
        f".leg {{ fill: red }} {selector} .leg {{ fill: blue }}", script if followed else "", **attributes
    )
    states = evidence.states
    assert _leg(evidence, states.state(theme="night"), "fill") == "rgb(0, 0, 255)"
    assert _leg(evidence, states.state(theme="day"), "fill") == "rgb(255, 0, 0)"
    assert states.evidence("theme", "night")[0].source == ("control" if followed else "style")


def test_a_theme_that_only_a_media_query_has() -> None:
    evidence = _evidence(".leg { fill: red } @media (prefers-color-scheme: dark) { .leg { fill: blue } }")
    states = evidence.states
    assert states.evidence("theme", "night")[0].source == "media"
    assert _leg(evidence, states.state(theme="night"), "fill") == "rgb(0, 0, 255)"
    assert _leg(evidence, states.initial, "fill") == "rgb(255, 0, 0)"


@pytest.mark.parametrize("followed", [True, False])
def test_reduced_motion_is_what_the_page_shows_then(followed: bool) -> None:
    css = ".leg { animation: a 1s } html[data-still=true] .leg { animation: none }"
    script = (
        "if (matchMedia('(prefers-reduced-motion: reduce)').matches) document.documentElement.dataset.still = 'true';"
    )
    evidence = _evidence(css, script)
    states = evidence.states
    if not followed:
        sheets = [page_sheet.sheet for page_sheet in evidence.stylesheets]
        states = infer_states(evidence.page, sheets, RUBRIC.vocabulary)
    assert _leg(evidence, states.state(motion="reduced"), "animation-name") == "none"
    assert _leg(evidence, states.state(motion="full"), "animation-name") == "a"
    assert states.state(motion="reduced").media.reduced_motion


def test_combinations_and_labels() -> None:
    css, script, attributes = _spelling("attribute on svg")
    css += ".scene[data-paused=true] .leg { stroke: red } html[data-theme=night] .leg { fill: blue }"
    script += (
        "document.getElementById('pause').onclick = () => { scene.dataset.paused = 'true'; };"
        "document.getElementById('sky').onclick = () => { root.dataset.theme = 'night'; };"
    )
    evidence = _evidence(css, script, **attributes)
    states = list(evidence.states.all("pace", "theme", "paused"))
    assert len({state.label for state in states}) == len(states) == 16
    seen = {(_leg(evidence, s, "stroke-width"), _leg(evidence, s), _leg(evidence, s, "fill")) for s in states}
    assert len(seen) == 16
    assert all(not state.unknown for state in states)
    assert evidence.states.state(pace="hop") is evidence.states.state(pace="hop")


def test_what_is_not_there_is_unknown() -> None:
    evidence = _evidence(".leg { fill: red }")
    states = evidence.states
    assert "pace" not in states.axes
    assert states.unknown("pace", "hop") == "state-not-found"
    assert states.unknown("theme", "day") is None, "what the page is in anyway"
    assert states.evidence("pace", "hop") == ()
    with pytest.raises(KeyError):
        states.state(pace="fly")
    with pytest.raises(KeyError):
        states.state(weather="rain")


@pytest.mark.parametrize(
    "css",
    [
        ".walk { fill: red } .hop { fill: blue }",
        ".night { opacity: 0 } .paused { color: red }",
        "button[data-speed=hop] { color: red } a[data-pace=stroll] { color: red }",
        "#lost[data-speed=hop] .leg { fill: red }",
        ".night-only { opacity: 0 } .hop-hint .x { fill: red }",
    ],
)
def test_things_that_only_sound_like_states(css: str) -> None:
    states = _evidence(css).states
    assert states.unknown("pace", "hop") == "state-not-found"
    assert states.unknown("theme", "night") == "state-not-found"


def test_a_dead_control_is_no_control() -> None:
    script = "document.getElementById('sky').onclick = function () { };"
    evidence = _evidence("html[data-theme=night] .leg { fill: blue }", script, html='data-theme="day"')
    assert evidence.states.evidence("theme", "night")[0].source == "style"
    assert _leg(evidence, evidence.states.state(theme="night"), "fill") == "rgb(0, 0, 255)"


def test_the_tree_is_left_alone() -> None:
    from lxml import etree

    css, script, attributes = _spelling("attribute on svg")
    evidence = _evidence(css, script, **attributes)
    before = etree.tostring(evidence.page.root)
    list(evidence.states.all("pace", "motion"))
    assert etree.tostring(evidence.page.root) == before


def test_words_of_names() -> None:
    assert parts_of("is-hopMode__x2") == ["is", "hop", "mode", "x2"]


# ---- the corpus, against the page's own controls in Chromium


@pytest.mark.browser
def test_states_of_the_corpus(corpus_submission: Path, page: Callable[..., Page]) -> None:
    """In every pace and theme, what is computed for the inferred state is what the page shows after its controls."""
    evidence = StaticEvidence(Submission.from_folder(corpus_submission), RUBRIC)
    states = evidence.states
    assert set(states.axes) == {"pace", "theme", "paused", "motion"}
    opened = page()
    opened.goto((corpus_submission / "index.html").as_uri())
    for theme in ("day", "night"):
        if opened.evaluate("document.documentElement.dataset.theme") != theme:
            button = opened.get_by_role("button", name="Night" if theme == "night" else "Day", exact=True)
            if states.evidence("theme", theme)[0].source == "control":
                button.dispatch_event("click")
            else:
                opened.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        for pace in PACES:
            opened.get_by_role("button", name=pace.capitalize(), exact=True).dispatch_event("click")
            _same_scene(evidence, states, opened, {"pace": pace, "theme": theme})
    opened.get_by_role("button", name="Pause", exact=True).dispatch_event("click")
    _same_scene(evidence, states, opened, {"pace": "zoomies", "theme": "night", "paused": "true"})


@pytest.mark.browser
def test_reduced_motion_of_the_corpus(corpus_submission: Path, page: Callable[..., Page]) -> None:
    evidence = StaticEvidence(Submission.from_folder(corpus_submission), RUBRIC)
    opened = page(reduced_motion="reduce")
    opened.goto((corpus_submission / "index.html").as_uri())
    for pace in ("walk", "hop"):
        opened.get_by_role("button", name=pace.capitalize(), exact=True).dispatch_event("click")
        _same_scene(evidence, evidence.states, opened, {"pace": pace, "motion": "reduced"})


#: What random timers put into the corpus pages.
_PARTICLES = ":is(#fluff, #shed, #hearts, .pili, .corda) > *"


def _same_scene(evidence: StaticEvidence, states: PageStates, opened: Page, wanted: dict[str, str]) -> None:
    state = states.state(**wanted)
    assert not state.unknown
    found = differences(snapshot(opened, remove=_PARTICLES), evidence.style(state))
    assert not found, (state.label, len(found), [(repr(row[0].node), *row[1:]) for row in found[:6]])


def test_an_engine_made_before_the_states_are_asked_for() -> None:
    css, script, attributes = _spelling("class on body")
    evidence = _evidence(css, script, **attributes)
    engine = StyleEngine(evidence.page, [page_sheet.sheet for page_sheet in evidence.stylesheets])
    leg = next(e for e in evidence.page.elements if e.get("class") == "leg")
    for pace, width in (("hop", "3px"), ("stroll", "1px")):
        assert engine.style(evidence.states.state(pace=pace)).computed(leg).text("stroke-width") == width


WRITES_VALUES = """
const paces = { stroll: [1, "1.06s"], walk: [2, ".78s"], hop: [3, ".62s"], zoomies: [4, ".38s"] };
function go(pace) {
  document.documentElement.style.setProperty("--width", paces[pace][0] + "px");
  document.documentElement.style.setProperty("--cycle", paces[pace][1]);
  %s
}
for (const pace of Object.keys(paces)) {
  const button = document.createElement("button");
  button.textContent = pace;
  button.addEventListener("click", () => go(pace));
  document.getElementById("bar").append(button);
}
go("walk");
"""


@pytest.mark.parametrize("mark", ["", 'document.getElementById("scene").dataset.speed = pace;'])
def test_a_pace_that_no_selector_spells_is_told_by_what_its_control_writes(mark: str) -> None:
    evidence = _evidence(".leg { stroke-width: var(--width) }", WRITES_VALUES % mark)
    _check_paces(evidence, "control")
    told = evidence.states.tells("pace")
    assert {form.value for form in told} == set(PACES)
    assert {form.name for form in told} == {"data-speed" if mark else "style"}
    assert evidence.states.forms("pace") == ()
    assert evidence.states.evidence("pace", "walk")[0].source == "load"
