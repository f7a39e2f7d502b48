"""The files of a submission, and what a browser cannot read or find in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from husky_lint.rule import Judgement, Reason

from .skeletal import at, errors, files_with, judge, judgement, verdict

if TYPE_CHECKING:
    from husky_lint.rule import Finding

PASS, FAIL, UNKNOWN = Judgement.PASS, Judgement.FAIL, Judgement.UNKNOWN
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"


def text_at(finding: Finding, **put: Any) -> str:
    """The text that a finding points at."""
    assert finding.span is not None
    text = files_with(**put)[finding.span.file]
    return str(text)[finding.span.start : finding.span.end]


# ---------------------------------------------------------------- HB1001


@pytest.mark.parametrize("path", ["styles.css", "app.js"])
def test_missing_code_decides_the_first_row(path: str) -> None:
    ruling = judge("HB1001", files={path: None})
    assert judgement(ruling, 1) is FAIL
    assert verdict(ruling, 1).core is True
    assert judgement(ruling, 14) is PASS


@pytest.mark.parametrize("path", ["README.md", "favicon.ico", "favicon-night.svg"])
def test_other_missing_files_do_not_decide_it(path: str) -> None:
    ruling = judge("HB1001", files={path: None})
    assert judgement(ruling, 1) is FAIL
    assert verdict(ruling, 1).core is False


@pytest.mark.parametrize("content", [None, "", " \n\t\n", b"\xef\xbb\xbf"])
def test_a_missing_or_empty_tool_decides_its_own_row(content: str | bytes | None) -> None:
    ruling = judge("HB1001", files={"tools/poses.js": content})
    assert (judgement(ruling, 1), judgement(ruling, 14)) == (PASS, FAIL)
    assert verdict(ruling, 14).core is True


def test_names_are_exact() -> None:
    ruling = judge("HB1001", files={"README.md": None, "readme.md": "A husky.\n"})
    assert judgement(ruling, 1) is FAIL
    assert "readme.md is there" in errors(ruling)[0].message


def test_whatever_else_the_page_loads_must_be_there() -> None:
    page = '<link rel="stylesheet" href="extra.css">'
    assert verdict(judge("HB1001", html=page), 1).core is True
    assert judgement(judge("HB1001", html=page, files={"extra.css": "p { color: red }"}), 1) is PASS
    assert judgement(judge("HB1001", html='<link rel="icon" href="other.svg">'), 1) is PASS


# ---------------------------------------------------------------- HB1002


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("assets/tree.png", PNG),
        ("tools/shot.jpg", b"\xff\xd8\xff\xe0"),
        ("assets/favicon.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("data.bin", PNG),
        ("notes.txt", b"RIFF\0\0\0\0WEBPVP8 "),
    ],
)
def test_no_image_but_the_favicons(path: str, content: str | bytes) -> None:
    assert judgement(judge("HB1002", files={path: content})) is FAIL


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("html", '<link rel="icon" href="data:image/svg+xml,<svg/>">'),
        ("html", '<p style="background: url(data:image/gif;base64,R0lGODlhAQABAAAAACw=)">x</p>'),
        ("css", "body { cursor: url('data:image/png;base64,AAAA'), auto; }"),
        ("css", ".sky::before { content: url(data:image/png;base64,AAAA); }"),
        ("js", "document.body.style.backgroundImage = 'url(data:image/png;base64,' + 'AAAA)';"),
        ("js", "document.getElementById('favicon').href = 'data:image/svg+xml,' + encodeURIComponent('<svg/>');"),
    ],
)
def test_no_embedded_image(where: str, text: str) -> None:
    assert judgement(judge("HB1002", **at(where, text))) is FAIL


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("css", ".nowhere { background: url(data:image/png;base64,AAAA); }"),
        ("css", "/* url(data:image/png;base64,AAAA) */"),
        ("html", '<link rel="icon" href="data:,">'),
        ("html", '<a href="data:image/png;base64,AAAA">a picture</a>'),
        ("js", "function unused() { document.body.style.background = 'url(data:image/png;base64,AAAA)'; }"),
    ],
)
def test_what_is_not_shown_is_no_image(where: str, text: str) -> None:
    assert judgement(judge("HB1002", **at(where, text))) is PASS


# ---------------------------------------------------------------- HB1003


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("html", '<img src="dog.png" alt="">'),
        ("html", "<picture><source srcset='dog.webp'><img src='dog.png' alt=''></picture>"),
        ("html", "<canvas></canvas>"),
        ("html", '<object data="scene.svg"></object>'),
        ("html", '<embed src="scene.svg">'),
        ("html", '<iframe src="scene.html"></iframe>'),
        ("html", '<g><image xlink:href="dog.png" width="9" height="9"/></g>'),
        ("css", "body { background-image: url(park.png); }"),
        ("css", "#scene { background: image-set('park.webp' 1x, url(park@2x.webp) 2x); }"),
        ("js", "document.body.insertAdjacentHTML('beforeend', '<p><img src=dog.gif></p>');"),
        ("js", "var i = new Image(); i.src = 'dog.png'; document.body.append(i);"),
        (
            "js",
            (
                "var i = document.createElementNS('http://www.w3.org/2000/svg', 'image');"
                "i.setAttribute('href', 'x.png'); scene.appendChild(i);"
            ),
        ),
    ],
)
def test_the_scene_is_drawn_inline_and_only_so(where: str, text: str) -> None:
    ruling = judge("HB1003", **at(where, text))
    assert judgement(ruling) is FAIL
    assert all(finding.span is not None for finding in errors(ruling))


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("html", '<canvas style="display: none"></canvas>'),
        ("html", '<div hidden><img src="dog.png" alt=""></div>'),
        ("html", "<template><img src='dog.png'></template>"),
        ("html", "<noscript><img src='dog.png'></noscript>"),
        ("html", "<!-- <canvas></canvas> -->"),
        ("css", ".nowhere { background-image: url(park.png); }"),
        ("js", "var c = document.createElement('canvas'); c.getContext('2d');"),
    ],
)
def test_what_is_not_displayed_is_no_scene(where: str, text: str) -> None:
    assert judgement(judge("HB1003", **at(where, text))) is PASS


def test_a_page_without_an_svg_has_no_scene() -> None:
    assert judgement(judge("HB1003", html="<!doctype html><html><body><p>A dog.</p></body></html>")) is FAIL
    assert judgement(judge("HB1003", html='<svg viewBox="0 0 900 460"><g></g></svg>')) is FAIL


def test_an_svg_that_script_makes_is_told() -> None:
    page = "<!doctype html><html><body><div id='stage'></div><script src='app.js'></script></body></html>"
    script = "document.getElementById('stage').innerHTML = '<svg viewBox=\"0 0 900 460\"><path d=\"M0 0H9\"/></svg>';"
    ruling = judge("HB1003", html=page, files={"app.js": script})
    assert judgement(ruling) is PASS
    assert [finding.severity for finding in ruling.findings] == ["warning"]


# ---------------------------------------------------------------- HB1007, HB1008, HB1011


@pytest.mark.parametrize(
    "path",
    [
        *("vite.config.ts", "webpack.config.js", "rollup.config.mjs", "tsconfig.json", ".babelrc", "package-lock.json"),
        *("src/app.ts", "src/App.jsx", "styles.scss", "Dog.vue", "yarn.lock", "postcss.config.cjs"),
    ],
)
def test_nothing_is_built(path: str) -> None:
    assert judgement(judge("HB1007", files={path: "{}"})) is FAIL
    assert judgement(judge("HB1007", files={f"tools/{path}": "{}"})) is PASS


def test_a_script_of_a_type_to_compile() -> None:
    assert judgement(judge("HB1007", html='<p>x</p><script type="text/babel">let a = <b/>;</script>')) is FAIL
    assert judgement(judge("HB1007", html='<script type="application/ld+json">{}</script>')) is PASS


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("audit.mjs", 'import { chromium } from "playwright";'),
        ("app.js", 'const { chromium } = require("playwright-core");'),
        ("test/a.spec.ts", "import { test } from '@playwright/test';"),
        ("playwright.config.js", "module.exports = {};"),
        ("package.json", '{"devDependencies": {"playwright": "1"}}'),
    ],
)
def test_playwright_stays_in_tools(path: str, content: str) -> None:
    assert judgement(judge("HB1008", files={path: content})) is FAIL
    assert judgement(judge("HB1008", files={f"tools/{path}": content})) is PASS


def test_speaking_of_playwright_is_no_use_of_it() -> None:
    assert judgement(judge("HB1008", js='/* require("playwright") */ var x = "playwright";')) is PASS
    assert judgement(judge("HB1008", files={"README.md": 'import { chromium } from "playwright"'})) is PASS


def test_the_readme_says_what_the_page_is() -> None:
    assert errors(judge("HB1011", files={"README.md": None}))
    assert errors(judge("HB1011", files={"README.md": "# Husky\n\n```\n" + "code " * 50 + "\n```\n"}))
    assert not errors(judge("HB1011"))
    told = judge("HB1011", files={"README.md": "A husky walks in the park and TODO " * 9})
    assert [finding.severity for finding in told.findings] == ["warning"]


# ---------------------------------------------------------------- HB1009


@pytest.mark.parametrize(
    ("where", "text", "shown"),
    [
        ("css", ".a { colour: red; }", "colour: red"),
        ("css", ".a { fill: #12; }", "fill: #12"),
        ("css", ".a { transform: rotate(45); }", "transform: rotate(45)"),
        ("css", "@keyframes k { to { opacity: 0 !important; } }", "opacity: 0 !important"),
        ("css", ".a { color red; }", "color red"),
        ("css", ".a >> .b { color: red; }", ".a >> .b"),
        ("css", "@fnot-face { }", None),
        ("css", ".a { color: red;", None),
        ("html", '<rect width="-3" height="9"/>', "-3"),
        ("html", '<rect width="3" height="tall"/>', "tall"),
        ("html", '<path d="M0 0 L x"/>', "M0 0 L x"),
        ("html", '<g transform="rotate(9deg)"></g>', "rotate(9deg)"),
        ("html", '<polygon points="1,2 3"/>', "1,2 3"),
        ("html", '<path d="M0 0H9" fill="purpel"/>', "purpel"),
        ("html", '<p id="a" id="b">x</p>', None),
        ("html", "<p>x</p></section>", "</section>"),
        ("html", '<p style="colr: red">x</p>', "colr: red"),
    ],
)
def test_what_a_browser_drops_is_found_where_it_stands(where: str, text: str, shown: str | None) -> None:
    ruling = judge("HB1009", **at(where, text))
    assert judgement(ruling) is FAIL
    assert verdict(ruling).core is None
    found = errors(ruling)[0]
    assert shown is None or text_at(found, **at(where, text)) == shown


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("css", ".a { -webkit-font-smoothing: antialiased; -moz-osx-font-smoothing: grayscale; }"),
        ("css", ".a { width: -moz-available; width: stretch; } ::-moz-focus-inner { border: 0; }"),
        ("css", ".a { height: 100vh; height: 100dwh; }"),
        ("css", ".a { --x: {anything}; color: var(--nothing, 12 34); }"),
        ("css", "@supports not (display: grid) { .a { displaay: block; } }"),
        ("css", "@layer base, theme; @layer base { .a { & .b { color: red } } }"),
        ("html", '<path d="M0 0h9" transform=" rotate( 9 , 1 2 )  scale(2)"/>'),
        ("html", '<rect width="50%" height="calc(3px + 1em)" rx="2mm"/>'),
        ("html", "<ul><li>one<li>two</ul>"),
    ],
)
def test_what_a_browser_takes_or_is_meant_to_drop(where: str, text: str) -> None:
    ruling = judge("HB1009", **at(where, text))
    assert (judgement(ruling), errors(ruling)) == (PASS, [])


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("js", "var a = [1, 2;"),
        ("html", "<p>x</p><script>if (</script>"),
        ("html", '<button onclick="go(">x</button>'),
    ],
)
def test_a_syntax_error_decides_the_row(where: str, text: str) -> None:
    assert verdict(judge("HB1009", **at(where, text))).core is True


def test_styles_that_script_writes_are_read_too() -> None:
    script = "var s = document.createElement('style'); s.textContent = '.a { colour: red }'; document.head.append(s);"
    ruling = judge("HB1009", js=script)
    assert judgement(ruling) is FAIL
    span = errors(ruling)[0].span
    assert span is not None
    assert span.file == "app.js"


def test_a_broken_favicon() -> None:
    assert (
        judgement(judge("HB1009", files={"favicon.svg": "<svg xmlns='http://www.w3.org/2000/svg'><g></svg>"})) is FAIL
    )


# ---------------------------------------------------------------- HB1010


@pytest.mark.parametrize(
    ("where", "text", "shown"),
    [
        ("html", '<use href="#nothing"/>', "#nothing"),
        ("html", '<rect width="9" height="9" fill="url(#dawn)"/>', "url(#dawn)"),
        ("html", '<p><a href="#below">down</a></p>', "#below"),
        ("html", '<label for="speed">Speed</label>', "speed"),
        ("html", '<p aria-describedby="a scene">x</p>', "a scene"),
        ("html", '<p style="filter: url(#blur)">x</p>', "filter: url(#blur)"),
        ("html", '<circle r="9"><animate attributeName="r" to="3" begin="go.click"/></circle>', "go.click"),
        ("css", ".sky { mask: url(#m); }", "url(#m)"),
        ("css", ".sky { animation-name: glide, wander; }", "animation-name: glide, wander"),
        ("css", ".sky { stroke: var(--no-such); }", "var(--no-such)"),
    ],
)
def test_a_reference_to_nothing(where: str, text: str, shown: str) -> None:
    ruling = judge("HB1010", **at(where, text))
    assert judgement(ruling) is FAIL
    assert verdict(ruling).core is None
    assert text_at(errors(ruling)[0], **at(where, text)) == shown


def test_keyframes_of_a_media_query_that_does_not_hold() -> None:
    css = ".sky { animation: drift 3s } @media print { @keyframes drift { to { opacity: .5 } } }"
    assert judgement(judge("HB1010", css=css)) is FAIL
    assert judgement(judge("HB1010", css=css.replace("print", "screen"))) is PASS


@pytest.mark.parametrize(
    ("where", "text"),
    [
        ("html", '<a href="#">up</a> <a href="#top">top</a> <a href="other.html#x">else</a>'),
        ("css", ".nowhere { fill: var(--no-such); mask: url(#m); animation: drift 1s; }"),
        ("css", ".sky { fill: var(--no-such, var(--sky)); }"),
        ("css", "@property --later { syntax: '*'; inherits: true; } .sky { stroke: var(--later); }"),
        ("js", "scene.style.setProperty('--given', '#fff'); /* */"),
        ("js", "var x = document.querySelector('#nothing'); if (x) x.focus(); document.getElementById('no')?.click();"),
        ("js", "document.querySelectorAll('.nothing').forEach(function (e) { e.remove(); });"),
        ("js", "try { document.getElementById('nothing').focus(); } catch (e) {}"),
        ("js", "function unused() { document.getElementById('nothing').focus(); }"),
    ],
)
def test_what_refers_to_something_or_does_no_harm(where: str, text: str) -> None:
    ruling = judge("HB1010", **at(where, text))
    assert (judgement(ruling), errors(ruling)) == (PASS, [])


def test_ids_that_script_gives_count() -> None:
    js = "var g = document.createElementNS('http://www.w3.org/2000/svg', 'g'); g.id = 'late'; scene.append(g);"
    assert judgement(judge("HB1010", html='<use href="#late"/>')) is FAIL
    assert judgement(judge("HB1010", html='<use href="#late"/>', js=js)) is PASS


def test_an_id_known_at_run_time_only_leaves_it_open() -> None:
    js = "document.querySelector('footer').id = 'f' + Math.random();"
    ruling = judge("HB1010", html='<use href="#late"/>', js=js)
    assert (judgement(ruling), verdict(ruling).reason) == (UNKNOWN, Reason.DYNAMIC_VALUE)
    assert judgement(judge("HB1010", js=js)) is PASS


@pytest.mark.parametrize(
    ("js", "core"),
    [
        ("document.getElementById('nothing').focus();", True),
        ("document.querySelector('.nothing').textContent = 'x';", True),
        ("addEventListener('DOMContentLoaded', function () { document.getElementById('no').hidden = true; });", True),
        ("undefinedFunction();", True),
        ("throw new Error('no dog');", True),
        ("document.addEventListener('click', function () { document.getElementById('no').hidden = true; });", False),
        ("setTimeout(function () { document.querySelector('#no').remove(); }, 500);", False),
    ],
)
def test_a_null_that_is_dereferenced(js: str, core: bool) -> None:
    ruling = judge("HB1010", js=js)
    assert judgement(ruling) is FAIL
    assert verdict(ruling).core is core


def test_what_the_model_of_the_platform_may_lack_is_no_failure() -> None:
    ruling = judge("HB1010", js="new SomethingOfThePlatform();")
    assert (judgement(ruling), verdict(ruling).reason) == (UNKNOWN, Reason.NEEDS_BROWSER)


def test_an_id_given_twice_is_told() -> None:
    ruling = judge("HB1010", html='<linearGradient id="favicon"/>')
    assert judgement(ruling) is PASS
    assert [(f.severity, len(f.related)) for f in ruling.findings] == [("warning", 1)]


# ---------------------------------------------------------------- hostile


@pytest.mark.parametrize("code", ["HB1001", "HB1002", "HB1003", "HB1007", "HB1008", "HB1009", "HB1010", "HB1011"])
def test_hostile_files_raise_nothing(code: str) -> None:
    noise = bytes(range(256)) * 20
    files: dict[str, str | bytes | None] = {
        "package.json": "[" * 50_000,
        "styles.css": noise,
        "favicon.svg": noise,
        "README.md": noise,
        "index.html": b"<!doctype html><svg>" + noise + b"<svg viewBox='nan'><g transform='((('><use href='#\xff'/>",
    }
    for found in judge(code, files=files).verdicts.values():
        assert found.reason is not Reason.RULE_CRASH, found.data
