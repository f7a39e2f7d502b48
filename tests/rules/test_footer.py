"""The footer: labels, values, and whether it is seen."""

from __future__ import annotations

import pytest

from husky_lint.rule import Judgement, Reason

from .skeletal import errors, files_with, judge, judgement, verdict

PASS, FAIL, UNKNOWN = Judgement.PASS, Judgement.FAIL, Judgement.UNKNOWN
LABELS = ("Time Taken:", "Tokens Used:", "Model:", "Engine:", "Thinking level:")


def footer(form: str, *, join: str = "", around: str = "<footer>{}</footer>", **values: str) -> str:
    """A footer with each label and value in a form such as ``<p>{label} {value}</p>``."""
    told = {label: values.get(label.split()[0].rstrip(":").lower(), "unreported") for label in LABELS}
    return around.format(join.join(form.format(label=label, value=value) for label, value in told.items()))


FORMS = [
    footer("<p>{label} {value}</p>"),
    footer("<div><b>{label}</b><span>{value}</span></div>"),
    footer("<dt>{label}</dt><dd>{value}</dd>", around="<footer><dl>{}</dl></footer>"),
    footer("<tr><th>{label}<td>{value}", around="<footer><table>{}</table></footer>"),
    footer("{label} {value}", join="<br>"),
    footer("{label} {value}", join=" · "),
    footer("{label} {value}\n", around="<footer><pre>\n{}</pre></footer>"),
    footer("<li><em>{label}</em>\n   <code>{value}</code></li>", around='<footer class="x"><ul>{}</ul></footer>'),
    footer("<p>{label} {value}</p>", around='<section id="run">{}</section>'),
    footer("<p>{label} {value}</p>").replace("Time Taken", "<i>Time</i>&nbsp;<i>Taken</i>"),
]
WRITTEN = [
    "document.querySelector('footer').innerHTML = LABELS.map(l => `<p>${l} unreported</p>`).join('');",
    (
        "const f = document.querySelector('footer'); f.textContent = ''; for (const l of LABELS) {"
        "const p = document.createElement('p'), b = document.createElement('b'); b.textContent = l; p.append(b, ' 1');"
        "f.append(p); }"
    ),
    (
        "document.querySelector('footer').remove(); var n = document.createElement('div');"
        "n.insertAdjacentHTML('beforeend', LABELS.map(function (l) { return '<p>' + l + ' x1</p>' }).join(''));"
        "document.body.appendChild(n);"
    ),
]


@pytest.mark.parametrize("code", ["HB5001", "HB5002", "HB5003"])
@pytest.mark.parametrize("html", FORMS)
def test_ways_of_writing_it(code: str, html: str) -> None:
    ruling = judge(code, html=html)
    assert (judgement(ruling), errors(ruling)) == (PASS, [])


@pytest.mark.parametrize("code", ["HB5001", "HB5002", "HB5003"])
@pytest.mark.parametrize("js", WRITTEN)
def test_ways_of_having_script_write_it(code: str, js: str) -> None:
    ruling = judge(code, html="<footer></footer>", js=f"const LABELS = {list(LABELS)};{js}")
    assert (judgement(ruling), errors(ruling)) == (PASS, [])


# ---------------------------------------------------------------- HB5001


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Time Taken:", "Time taken:"),
        ("Model:", "Model"),
        ("Engine:", "ENGINE:"),
        ("Thinking level:", "Thinking Level:"),
    ],
)
def test_a_label_that_is_off_is_repaired(old: str, new: str) -> None:
    html = footer("<p>{label} {value}</p>").replace(old, new).replace("<p>Model unreported", "<p>Model<br>unreported")
    ruling = judge("HB5001", html=html)
    assert (judgement(ruling), verdict(ruling).core) == (FAIL, False)
    fix = errors(ruling)[0].fix
    assert fix is not None
    edit = fix.edits[0]
    page = str(files_with(html=html)["index.html"])
    assert (page[edit.span.start : edit.span.end], edit.replacement) == (new, old)


def test_a_label_that_is_missing() -> None:
    ruling = judge("HB5001", html=footer("<p>{label} {value}</p>").replace("<p>Engine: unreported</p>", ""))
    assert (judgement(ruling), verdict(ruling).core) == (FAIL, False)


@pytest.mark.parametrize("code", ["HB5001", "HB5003"])
@pytest.mark.parametrize(
    "html",
    [
        "<footer>Made with care</footer>",
        "<!-- " + " ".join(LABELS) + " --><footer></footer>",
        "<footer><template>" + " ".join(LABELS) + "</template></footer>",
        f'<footer title="{" ".join(LABELS)}"></footer>',
        "<footer></footer><script>var text = '" + " ".join(LABELS) + "';</script>",
    ],
)
def test_without_a_footer_the_row_is_decided(code: str, html: str) -> None:
    ruling = judge(code, html=html)
    assert (judgement(ruling), verdict(ruling).core) == (FAIL, True)


def test_generated_text_is_seen() -> None:
    html = footer('<p data-label="{label}">{value}</p>')
    ruling = judge("HB5001", html=html, css="footer p::before { content: attr(data-label) ' '; }")
    assert judgement(ruling) is PASS
    assert {finding.severity for finding in ruling.findings} == {"warning"}
    colons = footer("<dt>{label}</dt><dd>{value}</dd>").replace(":</dt>", "</dt>")
    assert judgement(judge("HB5001", html=colons)) is FAIL
    assert judgement(judge("HB5001", html=colons, css='dt::after { content: ":"; }')) is PASS


def test_a_sixth_label_and_a_block_above_the_scene_are_told() -> None:
    sixth = judge("HB5001", html=footer("<p>{label} {value}</p>", around="<footer>{}<p>Tool calls: 9</p></footer>"))
    assert [finding.severity for finding in sixth.findings] == ["warning"]
    plain = footer("<p>{label} {value}</p>")
    page = f'<!doctype html><html><body>{plain}<svg viewBox="0 0 900 460"><path d="M0 0H9"/></svg></body></html>'
    assert [finding.severity for finding in judge("HB5001", html=page).findings] == ["warning"]


# ---------------------------------------------------------------- HB5002


@pytest.mark.parametrize(
    "value",
    [
        *("", " ", "&nbsp;", "—", "-", "…", "...", "?", "TBD", "tba", "TODO", "undefined", "null", "NaN", "xx", "XXX"),
        *("{{model}}", "${model}", "[model]", "&lt;model&gt;", "YOUR_MODEL", "your model here", "MODEL_ID", "%MODEL%"),
        *("__MODEL__", "fill in", "placeholder", "to be filled in", "<!-- model -->", "model name", "loading…"),
    ],
)
def test_a_value_that_says_nothing(value: str) -> None:
    ruling = judge("HB5002", html=footer("<p>{label} <span>{value}</span></p>", model=value))
    assert judgement(ruling) is FAIL
    assert [finding.data["label"] for finding in errors(ruling)] == ["Model:"]


@pytest.mark.parametrize(
    "value",
    [
        *(
            "unreported",
            "Unreported",
            "claude-x-1",
            "gpt-4.1",
            "llama.cpp 0.1.51",
            "off",
            "high",
            "14m 20s",
            "1,234,567",
        ),
        *("0.9M (prompt + completion)", "qwen3-[thinking]-32b", "x-ai/grok", "none", "N/A", "Model-X", "A_B-c 1"),
    ],
)
def test_a_value_that_says_something(value: str) -> None:
    ruling = judge("HB5002", html=footer("<p>{label} <span>{value}</span></p>", model=value))
    assert (judgement(ruling), errors(ruling)) == (PASS, [])


def test_a_value_that_only_running_tells() -> None:
    html = footer("<p>{label} <span>{value}</span></p>", engine='<i id="e"></i>')
    ruling = judge("HB5002", html=html, js="document.getElementById('e').textContent = navigator.userAgent;")
    assert (judgement(ruling), verdict(ruling).reason) == (UNKNOWN, Reason.DYNAMIC_VALUE)


# ---------------------------------------------------------------- HB5003


@pytest.mark.parametrize(
    "css",
    [
        "footer { display: none }",
        "footer { display: none !important } #x footer { display: block }",
        "body { visibility: hidden }",
        "footer span { opacity: .01 }",
        "body { opacity: .2 } footer { opacity: .2 }",
        "footer { font-size: 0 }",
        "footer { height: 0; overflow: hidden }",
        "footer { max-height: 0; overflow: clip; padding: 0 }",
        "footer { position: absolute; left: -9999px }",
        "footer { position: fixed; bottom: -400px }",
        "footer { position: fixed; top: 100vh }",
        "footer { transform: scale(0) }",
        "footer { transform: rotateX(90deg) scaleY(0) }",
        "footer { translate: -200vw; transform: translateX(-200vw) }",
        "footer { clip-path: inset(50%) }",
        "footer { clip-path: circle(0) }",
        "footer { position: absolute; clip: rect(0 0 0 0) }",
        "footer { content-visibility: hidden }",
        "footer { filter: blur(0) opacity(0%) }",
        "footer { text-indent: -9999px }",
        "footer { color: transparent }",
        "footer { color: #f5f2e8 }",
        "footer { color: rgb(245 242 232 / .9) }",
        "footer { background: #222831 }",
        "footer { animation: bye 2s 5s forwards } @keyframes bye { to { opacity: 0 } }",
        "footer { animation: bye 2s forwards } @keyframes bye { to { visibility: hidden } }",
    ],
)
def test_ways_of_hiding_it_everywhere(css: str) -> None:
    ruling = judge("HB5003", css=css)
    assert (judgement(ruling), verdict(ruling).core) == (FAIL, True)


@pytest.mark.parametrize(
    "css",
    [
        "[data-theme=night] footer { display: none }",
        ":root[data-theme='night'] { --ink: #10141d }",
        "#scene[data-speed=zoomies] ~ footer { opacity: 0 }",
        "body:has([data-paused=true]) footer { visibility: hidden }",
        "@media (prefers-reduced-motion: reduce) { footer { display: none } }",
        "@media (width < 420px) { footer { display: none } }",
        "@media (max-width: 600px) { html[data-theme=night] footer { display: none } }",
        "html[data-theme=night]:has([data-speed=hop]) footer { display: none }",
        "@media (prefers-reduced-motion) { html[data-theme=night] footer { opacity: 0 } }",
    ],
)
def test_ways_of_hiding_it_in_one_state(css: str) -> None:
    ruling = judge("HB5003", css=css)
    assert (judgement(ruling), verdict(ruling).core) == (FAIL, False)
    span = errors(ruling)[0].span
    assert span is not None
    assert span.file == "styles.css"


@pytest.mark.parametrize(
    "css",
    [
        "@media print { footer { display: none } }",
        ".nowhere footer, footer.gone { display: none }",
        "footer { display: none } footer { display: flex }",
        "footer { opacity: .7; font-size: 10px; color: #777; position: relative; top: 4px; overflow: hidden }",
        "footer { height: 3em; overflow: hidden; clip-path: inset(2px); transform: translateY(-4px) rotate(1deg) }",
        "footer { position: fixed; bottom: 0; left: 0; right: 0; background: rgb(0 0 0 / .1) }",
        "footer { animation: hello 1s } @keyframes hello { from { opacity: 0 } }",
        "footer { animation: bye 1s } @keyframes bye { to { opacity: 0 } }",
        "footer { background: linear-gradient(#222831, #fff) }",
        "footer::before { display: none; opacity: 0 }",
        "#scene { opacity: 0 }",
    ],
)
def test_what_does_not_hide_it(css: str) -> None:
    ruling = judge("HB5003", css=css)
    assert (judgement(ruling), errors(ruling)) == (PASS, [])


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        (".controls { position: fixed; bottom: 0; background: #fff }", Judgement.UNKNOWN),
        (".controls { position: absolute; bottom: 0; background: #fff }", Judgement.UNKNOWN),
        (".controls { position: fixed; bottom: 0 }", Judgement.PASS),
        (".controls { position: fixed; bottom: 0; background: #fff; z-index: -1 }", Judgement.PASS),
        (".controls { position: fixed; bottom: 0; background: #fff; display: none }", Judgement.PASS),
        (".controls { position: absolute; background: #fff } body { position: relative }", Judgement.UNKNOWN),
    ],
)
def test_what_may_lie_over_it(css: str, expected: Judgement) -> None:
    assert judgement(judge("HB5003", css=css)) is expected


@pytest.mark.parametrize(
    ("js", "core"),
    [
        ("document.querySelector('footer').hidden = true;", True),
        ("document.querySelector('footer').style.cssText = 'display: none';", True),
        ("setTimeout(function () { document.querySelector('footer').remove(); }, 5000);", False),
        ("document.querySelector('footer').onclick = function () { this.innerHTML = ''; };", False),
        ("setInterval(() => { document.querySelector('footer').style.opacity = 0; }, 99);", False),
        ("addEventListener('keydown', e => { if (e.key === 'z') document.body.classList.add('zen'); });", False),
        ("if (matchMedia('(max-width: 500px)').matches) document.querySelector('footer').remove();", False),
    ],
)
def test_ways_of_hiding_it_by_script(js: str, core: bool) -> None:
    ruling = judge("HB5003", css=".zen footer { display: none }", js=js)
    assert (judgement(ruling), verdict(ruling).core) == (FAIL, core)


@pytest.mark.parametrize(
    ("around", "expected"),
    [
        ("<footer><details><summary>Run</summary>{}</details></footer>", FAIL),
        ("<footer><details open><summary>Run</summary>{}</details></footer>", PASS),
        ("<footer><details><summary>{}</summary>More</details></footer>", PASS),
        ("<footer><dialog>{}</dialog></footer>", FAIL),
        ("<footer hidden>{}</footer>", FAIL),
        ('<footer aria-hidden="true">{}</footer>', PASS),
    ],
)
def test_what_markup_hides(around: str, expected: Judgement) -> None:
    assert judgement(judge("HB5003", html=footer("<span>{label} {value}</span>", around=around))) is expected


def test_every_label_and_value_counts() -> None:
    ruling = judge("HB5003", css="footer div:nth-child(4) span { display: none }")
    assert judgement(ruling) is FAIL
    assert errors(ruling)[0].data["label"] == "Engine:"


@pytest.mark.parametrize("code", ["HB5001", "HB5002", "HB5003"])
def test_hostile_pages_raise_nothing(code: str) -> None:
    deep = "<div>" * 3000 + "Time Taken: 1" + "</div>" * 3000
    many = "<footer>" + "<p>Model: x</p>" * 3000 + "</footer>"
    for html in (deep, many, "<footer>Time Taken:" + "\x00\ud800" * 99 + "</footer>"):
        found = verdict(judge(code, html=html, css="footer { color: rgb(calc(1/0) nan 3 / calc(infinity)) }"))
        assert found.reason is not Reason.RULE_CRASH, found.data
