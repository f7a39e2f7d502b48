"""What the page loads, however that is written."""

from __future__ import annotations

import pytest

from husky_lint.rule import Judgement, Reason

from .skeletal import at, errors, judge, judgement, verdict

PASS, FAIL, UNKNOWN = Judgement.PASS, Judgement.FAIL, Judgement.UNKNOWN

NETWORK = [
    ("html", '<link rel="stylesheet" href="https://x.example/a.css">'),
    ("html", '<link rel="preconnect" href="//fonts.example">'),
    ("html", '<link rel="icon" href="HTTP://x.example/i.svg">'),
    ("html", '<script src="//cdn.example/a.js"></script>'),
    ("html", '<img srcset="a.png 1x, https://x.example/b.png 2x" alt="">'),
    ("html", '<img src=" \n https:\\\\x.example/b.png" alt="">'),
    ("html", '<base href="https://x.example/"><link rel="stylesheet" href="a.css">'),
    ("html", '<image href="https://x.example/dog.png" width="9" height="9"/>'),
    ("html", '<p style="background: url(https://x.example/p.png)">x</p>'),
    ("html", '<style>@import url("https://x.example/a.css") screen;</style>'),
    ("html", '<meta http-equiv="refresh" content="3; url=https://x.example/">'),
    ("css", ".sky { background: URL( 'https://x.example/p.png' ); }"),
    ("css", "footer::before { content: url(https://x.example/p.png); }"),
    ("css", "button:hover { cursor: url(https://x.example/c.cur), auto; }"),
    ("css", "@font-face { font-family: P; src: url(//x.example/p.woff2) } h1, body { font: 1em P, serif; }"),
    ("css", ":root { --photo: url(https://x.example/p.png); } body { background: var(--photo); }"),
    ("js", "fetch('https://x.example/a').catch(function () {});"),
    ("js", "var h = 'https://'; fetch(`${h}x.example/${Math.random()}`);"),
    ("js", "window['fe' + 'tch'](['https:', '', 'x.example'].join('/'));"),
    ("js", "var x = new XMLHttpRequest(); x.open('GET', 'https://x.example/'); x.send();"),
    ("js", "new WebSocket('wss://x.example');"),
    ("js", "new EventSource('https://x.example/e');"),
    ("js", "addEventListener('pagehide', function () { navigator.sendBeacon('https://x.example/b'); });"),
    ("js", "import('https://x.example/m.js');"),
    ("js", "new Image().src = 'https://x.example/p.gif';"),
    ("js", "var s = document.createElement('script'); s.src = 'https://x.example/a.js'; document.head.append(s);"),
    (
        "js",
        (
            "var l = document.createElement('link'); l.rel = 'stylesheet'; l.href = 'https://x.example/a.css';"
            "document.head.appendChild(l);"
        ),
    ),
    ("js", "document.body.insertAdjacentHTML('beforeend', '<div><img src=\"https://x.example/p.png\"></div>');"),
    ("js", "document.write('<scr' + 'ipt src=\"https://x.example/a.js\"></scr' + 'ipt>');"),
    ("js", "document.body.style.background = 'url(https://x.example/p.png)';"),
    ("js", "document.styleSheets[0].insertRule('.sky { mask: url(https://x.example/m.svg) }');"),
    ("js", "setTimeout(function () { fetch('https://x.example/'); }, 9000);"),
    (
        "js",
        (
            "document.querySelector('.controls').addEventListener('click', function () {"
            "  setTimeout(function () { fetch('https://x.example/'); }, 10);"
            "});"
        ),
    ),
    ("js", "if (Math.random() < .5) fetch('https://x.example/');"),
]

HARMLESS = [
    ("html", '<p><a href="https://x.example/">a link</a></p>'),
    ("html", '<meta property="og:image" content="https://x.example/p.png">'),
    ("html", '<link rel="canonical" href="https://x.example/">'),
    ("html", "<!-- <script src='https://x.example/a.js'></script> -->"),
    ("html", '<script type="application/ld+json">{"@context": "https://schema.org"}</script>'),
    ("html", '<form action="https://x.example/"></form>'),
    ("css", "/* https://x.example/a.css */ .a::after { content: 'https://x.example/'; }"),
    ("css", ".nowhere { background: url(https://x.example/p.png); }"),
    ("css", "@font-face { font-family: Unused; src: url(https://x.example/p.woff2); }"),
    ("css", "@namespace svg url(http://www.w3.org/2000/svg);"),
    ("js", "document.createElementNS('http://www.w3.org/2000/svg', 'path');"),
    ("js", "// fetch('https://x.example/')\nvar text = \"fetch('https://x.example/')\";"),
    ("js", "function never() { fetch('https://x.example/'); }"),
    ("js", "var link = 'https://x.example/'; document.title = link.length;"),
    ("js", "var i = document.createElement('a'); i.href = 'https://x.example/'; document.body.append(i);"),
]


@pytest.mark.parametrize(("where", "text"), NETWORK)
def test_a_network_load_is_found(where: str, text: str) -> None:
    ruling = judge("HB1005", **at(where, text))
    assert judgement(ruling) is FAIL
    assert all(finding.span is not None for finding in errors(ruling))


@pytest.mark.parametrize(("where", "text"), HARMLESS)
def test_what_loads_nothing_is_none(where: str, text: str) -> None:
    ruling = judge("HB1005", **at(where, text))
    assert (judgement(ruling), errors(ruling)) == (PASS, [])


def test_code_that_nothing_calls_is_a_decoy() -> None:
    ruling = judge("HB1005", js="function never() { fetch('https://x.example/'); }")
    assert [(f.code, f.severity) for f in ruling.findings] == [("HB9001", "info")]
    ruling = judge("HB1005", css=".nowhere { background: url(https://x.example/p.png); }")
    assert [(f.code, f.severity) for f in ruling.findings] == [("HB9001", "info")]


@pytest.mark.parametrize(
    "js",
    [
        "fetch(navigator.language);",
        "function late() { fetch('https://x.example/'); } someLibrary.onDone(late);",
        "customElements.define('x-y', class extends HTMLElement { load() { fetch(this.address); } });",
    ],
)
def test_what_only_running_tells_is_left_open(js: str) -> None:
    assert verdict(judge("HB1005", js=js)).judgement is UNKNOWN


@pytest.mark.parametrize("code", ["HB1004", "HB1005"])
def test_the_stylesheet_of_another_host_is_a_dependency_too(code: str) -> None:
    assert judgement(judge(code, html='<link rel="stylesheet" href="https://x.example/a.css">')) is FAIL


# ---------------------------------------------------------------- HB1004


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("html", '<script src="https://cdn.example/a.js"></script>'),
        ("html", '<script type="module">import { gsap } from "gsap";</script>'),
        ("html", '<script type="module">import "https://esm.example/a.js";</script>'),
        ("html", '<script type="importmap">{}</script>'),
        ("js", "const gsap = require('gsap');"),
        ("js", "import('three').then(function (t) { window.t = t; });"),
        (
            "js",
            (
                "var s = document.createElement('script'); s.setAttribute('src', '//cdn.example/a.js');"
                "document.body.appendChild(s);"
            ),
        ),
    ],
)
def test_a_dependency(where: str, text: str) -> None:
    assert judgement(judge("HB1004", **at(where, text))) is FAIL


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("html", '<img src="https://x.example/p.png" alt="">'),
        ("html", '<script type="module">import "./own.js";</script>'),
        ("js", "if (typeof module !== 'undefined') module.exports = require('./x');"),
        ("js", "function cjs() { return require('gsap'); }"),
    ],
)
def test_no_dependency(where: str, text: str) -> None:
    assert judgement(judge("HB1004", **at(where, text))) is PASS


def test_package_json_belongs_under_tools() -> None:
    package = '{"dependencies": {"gsap": "3"}}'
    ruling = judge("HB1004", files={"package.json": package})
    assert "gsap" in errors(ruling)[0].message
    assert judgement(judge("HB1004", files={"tools/package.json": package})) is PASS


# ---------------------------------------------------------------- HB1006


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("html", '<script type="module" src="extra.js"></script>'),
        ("html", '<script type="module">import "./extra.js";</script>'),
        ("html", '<script src="app.js" crossorigin></script>'),
        ("html", '<script src="app.js" integrity="sha384-x"></script>'),
        ("html", '<link rel="stylesheet" href="styles.css" crossorigin="anonymous">'),
        ("html", '<link rel="modulepreload" href="extra.js">'),
        ("html", '<link rel="icon" href="/favicon.svg">'),
        ("html", '<script src="file:///home/me/app.js"></script>'),
        ("html", '<base href="/walk/"><script src="app.js"></script>'),
        ("html", '<use href="icons.svg#heart"/>'),
        ("css", ".sky { clip-path: url(shapes.svg#round); }"),
        ("html", '<style>@import "/reset.css";</style>'),
        ("js", "fetch('paces.json');"),
        ("js", "var x = new XMLHttpRequest(); x.open('GET', './paces.json'); x.send();"),
        ("js", "new Worker('worker.js');"),
        ("js", "import('./extra.js');"),
        ("js", "navigator.serviceWorker.register('sw.js');"),
        ("js", "history.replaceState(null, '', '/walk');"),
        ("js", "document.querySelector('.controls').addEventListener('click', () => fetch('a.json'));"),
    ],
)
def test_what_a_file_page_is_refused(where: str, text: str) -> None:
    assert judgement(judge("HB1006", **at(where, text))) is FAIL


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("html", '<script type="module">document.title = "x";</script>'),
        ("html", '<script defer src="app.js"></script>'),
        ("html", '<a href="/">home</a>'),
        ("html", '<link rel="stylesheet" href="./styles.css?v=2">'),
        ("css", ".sky { mask: linear-gradient(#000, #0000); }"),
        ("js", "history.replaceState(null, '', '#night');"),
        ("js", "function never() { fetch('paces.json'); }"),
        ("js", "if (location.protocol !== 'file:') { document.title = 'served'; }"),
        ("js", "navigator.serviceWorker.register('sw.js').catch(function () {});"),
    ],
)
def test_what_a_file_page_may_do(where: str, text: str) -> None:
    ruling = judge("HB1006", **at(where, text))
    assert (judgement(ruling), errors(ruling)) == (PASS, [])


def test_a_path_from_the_root_is_repaired() -> None:
    ruling = judge("HB1006", html='<link rel="stylesheet" href="/styles.css">')
    fix = errors(ruling)[0].fix
    assert fix is not None
    assert [edit.replacement for edit in fix.edits] == [""]
    assert fix.edits[0].span.end - fix.edits[0].span.start == 1


@pytest.mark.parametrize("test", ["location.protocol.startsWith('http')", "window.location.protocol !== 'file:'"])
def test_a_load_that_the_protocol_rules_out(test: str) -> None:
    assert judgement(judge("HB1006", js=f"if ({test}) {{ fetch('paces.json'); }}")) is PASS
    assert judgement(judge("HB1006", js="if (navigator.onLine) { fetch('paces.json'); }")) is FAIL


@pytest.mark.parametrize("code", ["HB1004", "HB1005", "HB1006"])
def test_hostile_pages_raise_nothing(code: str) -> None:
    page = '<link rel="stylesheet" href="' + "/" * 5000 + '"><script src="\x00http:\ud800//"></script>'
    script = "fetch(" * 400 + "'x'" + ")" * 400
    for ruling in (judge(code, html=page), judge(code, js=script), judge(code, css="a { b: url(" * 500)):
        assert verdict(ruling).reason is not Reason.RULE_CRASH, verdict(ruling).data
