"""The rules on tools: audits in many hands' spellings, audits that cannot fail, and the other tools."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from husky_lint.evidence import StaticEvidence
from husky_lint.packs import load_pack
from husky_lint.rule import Confidence, Judgement, Reason, run_rule
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from husky_lint.rule import Ruling, Verdict

PACK = load_pack("husky")

PAGE = """<!doctype html><html data-theme="day"><head><link rel="icon" href="favicon.svg"></head><body>
<svg id="scene" data-speed="walk" viewBox="0 0 900 460"><path class="body" d="M0 0H9V9Z"/></svg>
<div class="controls"><button data-speed="walk">walk</button><button id="pause">Pause</button>
<button id="sky">Night</button></div></body></html>"""

# What an audit does, in order: a statement, or a check of an item by its label and its condition.
STEPS: list[str | tuple[str, str]] = [
    "const errors = []; page.on('pageerror', (e) => errors.push(e.message)); await page.goto(URL);",
    ("animations run", "await page.evaluate(() => document.getAnimations().length) > 20"),
    ("starts at walk", "await page.getAttribute('#scene', 'data-speed') === 'walk'"),
    ("starts by day", "await page.getAttribute('html', 'data-theme') === 'day'"),
    """const icon = await page.evaluate(async () => {
      const i = new Image(); i.src = 'favicon.svg'; await i.decode(); return i.naturalWidth; });""",
    ("favicon decodes", "icon > 0"),
    """const still = await page.evaluate(() => {
      const style = (s) => getComputedStyle(document.querySelector(s)), p = (x, y) => new DOMPoint(x, y);
      let bib = 0, out = 0;
      for (let x = 350; x < 550; x++) for (let y = 180; y < 290; y++) {
        if (document.querySelector('.bib').isPointInFill(p(x, y))) bib++;
        if (document.querySelector('.blade').isPointInFill(p(x, y))
          && !document.querySelector('.body').isPointInFill(p(x, y))) out++;
      }
      return { bib, blade: out, pivots: ['.near .upper', '.near .lower'].map((s) => style(s).transformOrigin).join(),
        taper: parseFloat(style('.arm').strokeWidth) / parseFloat(style('.forearm').strokeWidth) };
    });""",
    ("bib area", "still.bib > 3000"),
    ("blade on the body", "still.blade === 0"),
    ("foreleg pivots", "still.pivots === '498px 214px,482px 252px'"),
    ("leg taper", "still.taper > 1.4"),
    """const tails = {};
    for (const pace of ['stroll', 'walk', 'hop', 'zoomies']) {
      await page.click(`button[data-speed="${pace}"]`);""",
    (
        "contact dots",
        (
            "await page.evaluate(() => ['near', 'far'].every((s) => getComputedStyle(document.querySelector(`.dot.${s}`))"
            ".animationDelay === getComputedStyle(document.querySelector(`.leg.${s} .upper`)).animationDelay))"
        ),
    ),
    """const paws = [];
      for (let i = 0; i < 48; i++) paws.push(await page.evaluate((t) => {
        for (const a of document.getAnimations()) a.currentTime = t;
        const box = document.querySelector('.paw').getBoundingClientRect();
        const m = new DOMMatrix(getComputedStyle(document.querySelector('.lower')).transform);
        return { x: box.left, low: box.bottom, elbow: Math.atan2(m.b, m.a) };
      }, 20 * i));
      let drift = 0;
      paws.forEach((paw, i) => { if (i && paw.low > 338) drift += paw.x - paws[i - 1].x; });""",
    ("grounded paw drift", "drift < 0"),
    ("paw envelope", "Math.max(...paws.map((p) => p.low)) < 344"),
    "const bends = paws.map((p) => p.elbow);",
    ("elbow sweep", "Math.max(...bends) - Math.min(...bends) > 0.6"),
    """tails[pace] = await page.evaluate(() => {
        const [a, b] = ['.tail-base', '.tail-tip'].map((s) => document.querySelector(s).getBoundingClientRect());
        return { length: Math.hypot(a.x - b.x, a.y - b.y), drop: b.y - a.y };
      });
    }""",
    ("tail length", "Math.abs(tails.walk.length - tails.zoomies.length) < 1"),
    ("tail drops", "tails.zoomies.drop > tails.walk.drop"),
    """await page.click('#pause');
    const states = await page.evaluate(() => ['.upper', '.head'].map((s) =>
      getComputedStyle(document.querySelector(s)).animationPlayState).join());""",
    ("paused but alive", "states === 'paused,running'"),
    (
        "hearts inside",
        (
            "await page.evaluate(() => [...document.querySelectorAll('.heart')].every((h) => h.getBoundingClientRect().top"
            " >= document.querySelector('svg').getBoundingClientRect().top))"
        ),
    ),
    "await page.click('#sky'); await page.reload();",
    (
        "night is kept",
        "await page.evaluate(() => document.cookie.includes('night') && localStorage.getItem('husky-sky') === 'night')",
    ),
    ("no page errors", "errors.length === 0"),
    "const calm = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage(); await calm.goto(URL);",
    ("still", "await calm.evaluate(() => document.getAnimations().length) === 0"),
]
START = """const http = require('http'), fs = require('fs'), path = require('path');
const { chromium } = require('playwright');
http.createServer((q, r) => r.end(fs.readFileSync(path.join(__dirname, '..', q.url)))).listen(8080);
const URL = 'http://127.0.0.1:8080/index.html';
"""
OPEN = "const browser = await chromium.launch(); const page = await browser.newPage();\n"


def body(check: Callable[[str, str], str], only: Callable[[str], bool] = lambda label: True) -> str:
    lines = [step if isinstance(step, str) else check(*step) if only(step[0]) else "" for step in STEPS]
    return OPEN + "\n".join(lines)


def call(label: str, condition: str) -> str:
    return f"check('{label}', {condition});"


def audit(helper: str, check: Callable[[str, str], str], end: str) -> str:
    return f"{START}{helper}\n(async () => {{\n{body(check)}\n{end}\n}})();"


RECORD = "const failed = []; function check(name, ok) { if (!ok) failed.push(name); }"
END = "process.exit(failed.length ? 1 : 0);"

SPELLINGS: dict[str, str] = {
    "record": audit(RECORD, call, END),
    "counter": audit(
        "let failed = 0; const check = (name, ok, note) => { console.log(name, note); if (!ok) failed++; };",
        call,
        "process.exitCode = failed > 0 ? 1 : 0;",
    ),
    "early return": audit(
        "const failed = []; function check(name, ok) { if (ok) { console.log('ok'); return; } failed.push(name); }",
        call,
        "if (failed.length) process.exit(1);",
    ),
    "throwing helper": START
    + "function check(name, ok) { if (!ok) throw new Error(name); }\nasync function main() {\n"
    + body(call)
    + "}\nmain().catch((e) => { console.error(e); process.exit(1); });",
    "node assert": START
    + "const assert = require('node:assert/strict');\n(async () => {\n"
    + body(lambda label, c: f"assert.ok({c}, '{label}');")
    + "})();",
    "named assert": START
    + "const { ok } = require('assert');\n(async () => {\n"
    + body(lambda label, c: f"ok({c}, '{label}');")
    + "})();",
    "assert equal": START
    + "const assert = require('assert');\n(async () => {\n"
    + body(lambda label, c: f"assert.strictEqual({c}, true, '{label}');")
    + "})();",
    "fail under if": audit(
        "const failed = []; function fail(name) { failed.push(name); }",
        lambda label, c: f"if (!({c})) fail('{label}');",
        END,
    ),
    "throw under if": START
    + "(async () => {\n"
    + body(lambda label, c: f"if (!({c})) throw new Error('{label}');")
    + "})();",
    "direct exit": START
    + "(async () => {\n"
    + body(lambda label, c: f"if (!({c})) {{ console.error('{label}'); process.exit(1); }}")
    + "})();",
    "results filtered": audit(
        "const results = []; const check = (name, ok) => results.push({ name, ok });",
        call,
        "const bad = results.filter((r) => !r.ok); process.exit(bad.length ? 1 : 0);",
    ),
    "results as pairs": audit(
        "const results = []; const check = (name, ok) => { results.push([name, Boolean(ok)]); };",
        call,
        "if (results.some(([, ok]) => !ok)) process.exitCode = 1;",
    ),
    "class": audit(
        """class Report { constructor() { this.failures = []; }
        check(name, ok) { if (!ok) this.failures.push(name); }
        finish() { process.exit(this.failures.length ? 1 : 0); } }
        const report = new Report();""",
        lambda label, c: f"report.check('{label}', {c});",
        "report.finish();",
    ),
    "object": audit(
        "const report = { failed: 0, check(name, ok) { if (!ok) this.failed += 1; } };",
        lambda label, c: f"report.check('{label}', {c});",
        "process.exitCode = report.failed ? 1 : 0;",
    ),
    "own expect": audit(
        """const failed = [];
        function expect(actual, name) { return { toBe(wanted) { if (actual !== wanted) failed.push(name); } }; }""",
        lambda label, c: f"expect({c}, '{label}').toBe(true);",
        END,
    ),
    "thunks": audit(
        """let failed = 0;
        async function check(name, fn) {
          try { const ok = await fn(); if (!ok) throw new Error('not so'); console.log('ok', name); }
          catch (e) { failed++; console.log('FAIL', name, e.message); } }""",
        lambda label, c: f"await check('{label}', async () => {c});",
        "process.exit(failed ? 1 : 0);",
    ),
    "expression": audit(
        "const failed = []; const fail = (name) => { failed.push(name); };",
        lambda label, c: f"({c}) || fail('{label}');",
        END,
    ),
    "ternary": audit(
        "let bad = 0; const pass = (n) => console.log(n), fail = (n) => { console.log(n); bad += 1; };",
        lambda label, c: f"({c}) ? pass('{label}') : fail('{label}');",
        "process.exit(bad === 0 ? 0 : 1);",
    ),
    "one flag": audit(
        "let ok = true;",
        lambda label, c: f"if (!({c})) {{ ok = false; console.log('{label}'); }}",
        "process.exit(ok ? 0 : 1);",
    ),
    "flag and": audit(
        "let good = true;", lambda label, c: f"good = ({c}) && good; // {label}", "process.exit(good ? 0 : 1);"
    ),
    "compared": audit(
        "const failed = []; function same(name, actual, wanted) { if (actual !== wanted) failed.push(name + actual); }",
        lambda label, c: f"same('{label}', {c}, true);",
        END,
    ),
    "keyed": audit(
        "const checks = {};",
        lambda label, c: f"checks['{label}'] = {c};",
        "const bad = Object.entries(checks).filter(([, ok]) => !ok); process.exit(bad.length ? 1 : 0);",
    ),
    "listed": audit(
        "const failed = []; const checks = [];",
        lambda label, c: f"checks.push(['{label}', {c}]);",
        "for (const [name, ok] of checks) { if (!ok) failed.push(name); }\n" + END,
    ),
    "returned": START
    + RECORD.replace("const failed = [];", "")
    + "const failed = [];\nasync function main() {\n"
    + body(call)
    + "\nreturn failed.length; }\nmain().then((n) => process.exit(n ? 1 : 0));",
    "exit of main": START
    + "async function main() { const failed = []; const check = (name, ok) => { if (!ok) failed.push(name); };\n"
    + body(call)
    + "\nif (failed.length) { console.log(failed); return 1; } return 0; }\n"
    + "(async () => { process.exit(await main()); })();",
    "finally": audit(RECORD + "\n", call, "try { console.log(failed); } finally { " + END + " }"),
    "thrown at the end": audit(RECORD, call, "if (failed.length > 0) throw new Error(failed.join());"),
    "test library": "import { test, expect } from '@playwright/test';\nimport http from 'node:http';\n"
    "const URL = 'http://127.0.0.1/';\ntest('page', async ({ browser, page }) => {\n"
    + body(lambda label, c: f"expect({c}, '{label}').toBe(true);").replace(OPEN, "")
    + "});",
}


def evidence_of(files: Mapping[str, str]) -> StaticEvidence:
    tools = dict.fromkeys(("tools/audit.js", "tools/poses.js", "tools/responsive.js"), "require('playwright');")
    return StaticEvidence(Submission.from_files({"index.html": PAGE, **tools, **files}), PACK.rubric)


def ruling_of(code: str, files: Mapping[str, str]) -> Ruling:
    rule = PACK.rules[code]
    return run_rule(rule, evidence_of(files), PACK.parameters(rule), PACK.rubric.clauses[code].rows)


def verdict_of(code: str, files: Mapping[str, str]) -> Verdict:
    return ruling_of(code, files).verdicts[14]


def items_of(text: str, **files: str) -> Mapping[str, str]:
    data = verdict_of("HB3001", {"tools/audit.js": text, **files}).data
    items = data["items"]
    assert isinstance(items, dict)
    return items


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_whole_audit_in_any_spelling(spelling: str) -> None:
    text = SPELLINGS[spelling]
    weak = {title: status for title, status in items_of(text).items() if not status.startswith("can fail")}
    assert weak == {}
    assert verdict_of("HB3006", {"tools/audit.js": text}).judgement is Judgement.PASS


def test_the_taper_of_limbs_that_have_no_stroke() -> None:
    strokes = "parseFloat(style('.arm').strokeWidth) / parseFloat(style('.forearm').strokeWidth)"
    across = (
        "['.arm', '.forearm'].map((s) => { let n = 0; for (let i = -20; i < 20; i += .1) "
        "n += document.querySelector(s).isPointInFill(p(490 + i, 230)) ? 1 : 0; return n; }).reduce((a, b) => a / b)"
    )
    filled = SPELLINGS["record"].replace(strokes, across)
    assert item(items_of(filled), "leg taper").startswith("can fail")
    other = filled.replace(across, across.replace("'.arm', '.forearm'", "'.torso', '.collar'"))
    assert not item(items_of(other), "leg taper").startswith("can fail")


def test_pivots_that_wrappers_hold() -> None:
    """A joint that turns about 0 0 in a translated group has its pin in the transform of the group."""
    origins = "style(s).transformOrigin).join()"
    wrapped = (
        "document.querySelector(s).parentElement.transform.baseVal.consolidate().matrix)"
        ".map((m) => m.e + ',' + m.f).join(' ')"
    )
    text = SPELLINGS["record"].replace(origins, wrapped)
    pinned = text.replace("'498px 214px,482px 252px'", "'498,214 -16,38 478,212'")
    assert pinned != text != SPELLINGS["record"]
    assert item(items_of(pinned), "foreleg pivots").startswith("can fail")
    assert not item(items_of(text.replace("'498px 214px,482px 252px'", "''")), "foreleg pivots").startswith("can fail")


TITLES = {
    "animations run": "running-animation count",
    "favicon decodes": "favicon files",
    "bib area": "white-bib",
    "blade on the body": "blade under",
    "foreleg pivots": "foreleg pivot",
    "leg taper": "leg taper",
    "contact dots": "contact-dot",
    "grounded paw drift": "grounded-paw",
    "paw envelope": "paw envelope",
    "elbow sweep": "elbow sweep",
    "tail length": "tail drop",
    "tail drops": "tail drop",
    "paused but alive": "paused but alive",
    "hearts inside": "hearts",
    "night is kept": "cookie",
    "no page errors": "no page errors",
    "still": "a second context",
}
CONDITIONS = {step[0]: step[1] for step in STEPS if not isinstance(step, str)}


def item(items: Mapping[str, str], label: str) -> str:
    return next(status for title, status in items.items() if title.startswith(TITLES[label]))


@pytest.mark.parametrize("label", TITLES)
@pytest.mark.parametrize("instead", ["true", "({}) || true", "/* {} */ 1 < 2", "Boolean('{0!r:.0}x')", "[{}]"])
def test_a_check_that_cannot_fail_proves_nothing(label: str, instead: str) -> None:
    text = SPELLINGS["record"].replace(CONDITIONS[label], instead.format(CONDITIONS[label]))
    items = items_of(text)
    assert not item(items, label).startswith("can fail")
    others = {title for title, status in items.items() if not status.startswith("can fail")}
    assert len(others) == 1  # and no other item is touched


@pytest.mark.parametrize(
    "spelling", ["node assert", "thunks", "flag and", "keyed", "own expect", "throw under if", "class"]
)
def test_the_same_in_other_spellings(spelling: str) -> None:
    condition = CONDITIONS["grounded paw drift"]
    for instead in ("true", f"({condition}) || true"):
        items = items_of(SPELLINGS[spelling].replace(condition, instead))
        assert not item(items, "grounded paw drift").startswith("can fail")


def test_a_measure_that_is_only_printed() -> None:
    text = SPELLINGS["record"].replace(call("grounded paw drift", "drift < 0"), "console.log('drift', drift);")
    assert not item(items_of(text), "grounded paw drift").startswith("can fail")


def test_a_promise_that_nobody_awaits_is_true() -> None:
    condition = CONDITIONS["hearts inside"]
    items = items_of(SPELLINGS["record"].replace(condition, condition.replace("await ", "")))
    assert item(items, "hearts inside").startswith("vacuous")


def test_a_value_that_is_set_before_it_is_checked() -> None:
    text = SPELLINGS["record"].replace(
        call("grounded paw drift", "drift < 0"), "let back = drift < 0; back = true; check('grounded paw drift', back);"
    )
    assert item(items_of(text), "grounded paw drift").startswith("vacuous")


HOLLOW = {
    "nothing is recorded": audit("const check = (name, ok) => console.log(ok ? 'ok' : 'FAIL', name);", call, ""),
    "nobody asks the record": audit(RECORD, call, "console.log(failed.length ? 'bad' : 'good');"),
    "always zero": audit(RECORD, call, END.replace("? 1 : 0", "? 0 : 0")),
    "exit zero at once": audit(RECORD, call, "process.exitCode = failed.length ? 1 : 0; process.exit(0);"),
    "console.assert": audit("", lambda label, c: f"console.assert({c}, '{label}');", ""),
    "swallowed": START
    + "const assert = require('assert');\n(async () => {\ntry {\n"
    + body(lambda label, c: f"assert.ok({c}, '{label}');")
    + "} catch (e) { console.log('some check failed', e.message); }\n})();",
    "swallowed one by one": audit(
        "const assert = require('assert');",
        lambda label, c: f"try {{ assert.ok({c}); }} catch (e) {{ console.log('{label}', e); }}",
        "",
    ),
    "rejection printed": START
    + "const check = (name, ok) => { if (!ok) throw new Error(name); };\nasync function main() {\n"
    + body(call)
    + "}\nmain().catch(console.error);",
    "never called": START
    + RECORD
    + "\nasync function main() {\n"
    + body(call)
    + "\n"
    + END
    + "\n}\nconsole.log('ok');",
    "behind a return": audit(RECORD, call, END).replace(OPEN, OPEN + "return;\n"),
    "under false": audit("const failed = []; function check(name, ok) { if (false) failed.push(name); }", call, END),
    "or true": audit(
        "const failed = []; function check(name, ok) { if (!(ok || true)) failed.push(name); }", call, END
    ),
    "wrong way round": audit(
        "const failed = []; function check(name, ok) { ok = true; if (!ok) failed.push(name); }", call, END
    ),
    "a comment": START + "(async () => {\n/*\n" + body(call).replace("*/", "") + "*/\n})();",
    "a string": START + "const text = `" + body(call).replace("`", "'").replace("${", "{") + "`;",
    "made up": audit(
        RECORD, lambda label, c: f"const m{abs(hash(label))} = -5; check('{label}', m{abs(hash(label))} < 0);", END
    ),
}


@pytest.mark.parametrize("how", HOLLOW)
def test_an_audit_that_cannot_fail(how: str) -> None:
    verdict = verdict_of("HB3001", {"tools/audit.js": HOLLOW[how]})
    assert verdict.judgement is Judgement.FAIL
    assert verdict.core
    items = verdict.data["items"]
    assert isinstance(items, dict)
    assert not [title for title, status in items.items() if status.startswith("can fail")]


@pytest.mark.parametrize(
    "how",
    [
        "nothing is recorded",
        "nobody asks the record",
        "always zero",
        "exit zero at once",
        "console.assert",
        "swallowed",
        "rejection printed",
        "never called",
    ],
)
def test_an_audit_that_never_ends_with_an_error(how: str) -> None:
    assert verdict_of("HB3006", {"tools/audit.js": HOLLOW[how]}).judgement is Judgement.FAIL


def test_a_shared_module() -> None:
    library = (
        "const failed = [];\nexports.check = (name, ok) => { if (!ok) failed.push(name); };\n"
        "exports.finish = () => process.exit(failed.length ? 1 : 0);"
    )
    text = audit("const { check, finish } = require('./lib.js');", call, "finish();")
    items = items_of(text, **{"tools/lib.js": library})
    assert {title for title, status in items.items() if not status.startswith("can fail")} == set()
    whole = audit("const lib = require('./lib');", lambda label, c: f"lib.check('{label}', {c});", "lib.finish();")
    items = items_of(whole, **{"tools/lib.js": library})
    assert {title for title, status in items.items() if not status.startswith("can fail")} == set()


def test_a_module_with_await_at_its_top() -> None:
    text = (
        "import http from 'node:http';\nimport { chromium } from 'playwright';\nimport fs from 'node:fs';\n"
        "http.createServer((q, r) => r.end(fs.readFileSync(q.url))).listen(8080);\n"
        "const URL = 'http://127.0.0.1:8080/';\n" + RECORD + "\n" + body(call) + "\nprocess.exitCode = failed.length;"
    )
    items = items_of(text)
    assert {title for title, status in items.items() if not status.startswith("can fail")} == set()


def test_file_urls_prove_no_persistence_and_emulation_no_second_context() -> None:
    text = (
        SPELLINGS["record"]
        .replace("http://127.0.0.1:8080", "file:///page")
        .replace(
            "const calm = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()",
            "const calm = page; await page.emulateMedia({ reducedMotion: 'reduce' })",
        )
    )
    items = items_of(text)
    assert item(items, "night is kept").startswith("missing (no page is served over HTTP")
    assert item(items, "still").startswith("missing (emulateMedia")


def test_words_that_nobody_knows_are_unclear_and_not_missing() -> None:
    text = SPELLINGS["record"].replace("grounded paw drift", "quux").replace("drift", "zork").replace("paw", "knurf")
    verdict = verdict_of("HB3001", {"tools/audit.js": text})
    assert verdict.judgement is Judgement.UNKNOWN


@pytest.mark.parametrize(
    ("instead", "status"),
    [
        (("the paw leaves the ground", "paws.reduce((sum, p) => sum + p.low, 0) < 16000"), "missing"),
        (("the paw moonwalks while it lifts", "drift < 0"), "unclear"),
        (("quux", "drift < 0"), "can fail"),
        (("the paw runs a lap", "paws.reduce((sum, p) => sum + p.x, 0) < 9000"), "unclear"),
        (("the tail is steady", "paws.reduce((sum, p) => sum + p.tail, 0) < 9000"), "missing"),
    ],
)
def test_a_check_that_names_another_thing_is_not_of_the_drift(instead: tuple[str, str], status: str) -> None:
    text = SPELLINGS["record"].replace(call("grounded paw drift", "drift < 0"), call(*instead))
    assert text != SPELLINGS["record"]
    assert item(items_of(text), "grounded paw drift").startswith(status)


def test_a_tool_that_is_not_there_or_does_not_parse() -> None:
    assert verdict_of("HB3001", {"tools/audit.js": "const = 1;"}).core
    files = {"index.html": PAGE, "tools/audit.js": SPELLINGS["record"]}
    rule = PACK.rules["HB3001"]
    evidence = StaticEvidence(Submission.from_files(files), PACK.rubric)
    verdict = run_rule(rule, evidence, PACK.parameters(rule), (14,)).verdicts[14]
    assert (verdict.judgement, verdict.core) == (Judgement.FAIL, True)
    for code, text in [(c, t) for c in ("HB3002", "HB3003", "HB3006") for t in ("const = 1;", "")]:
        broken = dict.fromkeys(("tools/audit.js", "tools/poses.js", "tools/responsive.js"), text)
        assert verdict_of(code, broken).judgement is Judgement.FAIL
    assert verdict_of("HB3007", {"tools/poses.js": "const = 1;"}).judgement is Judgement.FAIL


SHOT = "await page.screenshot({ path: require('os').tmpdir() + '/a.png' });"


def poses(text: str) -> dict[str, str]:
    opening = "const { chromium } = require('playwright');\n(async () => { const browser = await chromium.launch();\n"
    return {"tools/poses.js": f"{opening}const page = await browser.newPage();\n{text}\n}})();"}


@pytest.mark.parametrize(
    "text",
    [
        (
            "const CYCLES = { stroll: 1.06, walk: .78 }; for (const [pace, cycle] of Object.entries(CYCLES)) "
            "await page.evaluate((t) => { document.getAnimations().forEach((a) => { a.currentTime = t; }); }, cycle * 250);"
        ),
        (
            "await page.evaluate((p) => document.getAnimations().forEach((a) => {"
            " a.currentTime = a.effect.getComputedTiming().duration * p; }), .25);"
        ),
        (
            "const d = await page.$eval('.leg', (e) => parseFloat(getComputedStyle(e).animationDuration));"
            "const freeze = (t) => page.evaluate((t) => { for (const a of document.getAnimations()) a.currentTime = t; }, t);"
            "await freeze(d * 500);"
        ),
        "await page.addStyleTag({ content: '* { animation-play-state: paused; animation-delay: calc(var(--cycle) * -.25) }' });",
    ],
)
def test_poses_that_follow_the_cycle(text: str) -> None:
    assert verdict_of("HB3002", poses(text + SHOT)).judgement is Judgement.PASS


@pytest.mark.parametrize(
    "text",
    [
        "for (const t of [0, 200]) { await page.waitForTimeout(t);" + SHOT + "}",
        "await page.evaluate(() => document.getAnimations().forEach((a) => { a.currentTime = 450; }));",
        (
            "const cycle = 780; await page.evaluate((t) => { document.timeline.currentTime; "
            "document.getAnimations()[0].currentTime = t; }, 300);"
        ),
        "// a.currentTime = cycle * phase\n" + SHOT,
    ],
)
def test_poses_at_fixed_times(text: str) -> None:
    assert verdict_of("HB3002", poses(text + SHOT)).judgement is Judgement.FAIL


SHARED = """
exports.freeze = async (page, share) => {
  const cycle = await page.$eval("#scene", (n) => parseFloat(getComputedStyle(n).getPropertyValue("--cycle")));
  const ms = (20 + share) * cycle * 1000;
  await page.evaluate((t) => { for (const a of document.getAnimations()) { a.pause(); a.currentTime = t; } }, ms);
};
exports.hold = async (page, ms) => {
  await page.evaluate((t) => { for (const a of document.getAnimations()) { a.pause(); a.currentTime = t; } }, ms);
};
"""
COUPLED_AUDIT = """
const lib = require('./lib.js');
lib.freeze(page, 0.5);
lib.hold(page, parseFloat(getComputedStyle(scene).getPropertyValue('--cycle')) * 250);
"""


@pytest.mark.parametrize(
    ("call", "judgement"), [("freeze(page, 0.25)", Judgement.PASS), ("hold(page, 400)", Judgement.FAIL)]
)
def test_poses_that_a_shared_module_times(call: str, judgement: Judgement) -> None:
    """What shared code makes of what the poses hand to it counts, and not what the audit hands to it."""
    made = poses(f"const lib = require('./lib.js');\nawait lib.{call};\n{SHOT}")
    audits = {"tools/audit.js": COUPLED_AUDIT, "tools/lib.js": SHARED}
    assert verdict_of("HB3002", {**made, **audits}).judgement is judgement


def views(text: str) -> dict[str, str]:
    return {"tools/responsive.js": poses(text)["tools/poses.js"]}


FULL = "await page.screenshot({ path: '/tmp/x.png', fullPage: true });"


@pytest.mark.parametrize(
    "text",
    [
        (
            "for (const width of [390, 1440]) { await page.setViewportSize({ width, height: 900 });"
            f"for (const s of ['day', 'night']) {{ await page.click('#sky'); {FULL} }} }}"
        ),
        (
            "const shoot = async (view, night) => { const page = await browser.newPage({ viewport: view });"
            f"if (night) await page.click('#sky'); {FULL} }};"
            "for (const v of [{ width: 1280, height: 1 }, { width: 393, height: 2 }]) { await shoot(v, false); await shoot(v, true); }"
        ),
        (
            "const { devices } = require('playwright');"
            "for (const o of [devices['iPhone 13'], { viewport: { width: 1366, height: 9 } }]) {"
            " const page = await (await browser.newContext({ ...o })).newPage();"
            f" {FULL} await page.evaluate(() => {{ document.documentElement.dataset.theme = 'night'; }}); {FULL} }}"
        ),
        (
            "const options = { fullPage: true }; const VIEWS = { desk: [1280, 800], phone: [390, 844] };"
            "for (const [name, [width, height]] of Object.entries(VIEWS)) {"
            " await page.setViewportSize({ width, height });"
            " for (const sky of ['day', 'night']) { await page.evaluate((s) => setSky(s), sky); await page.screenshot(options); } }"
        ),
    ],
)
def test_all_views(text: str) -> None:
    assert verdict_of("HB3003", views(text)).judgement is Judgement.PASS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"await page.setViewportSize({{ width: 390, height: 9 }}); await page.click('#sky'); {FULL}{FULL}", "desktop"),
        (f"await page.click('#sky'); {FULL}{FULL}", "390"),
        (
            "for (const width of [390, 1280]) { await page.setViewportSize({ width, height: 1 });" + FULL + "}",
            "day and night",
        ),
        (
            (
                "for (const width of [390, 1280]) { await page.setViewportSize({ width, height: 1 });"
                "for (const t of ['day', 'night']) { await page.click('#sky'); await page.screenshot({ path: '/tmp/x' }); } }"
            ),
            "full page",
        ),
    ],
)
def test_a_view_that_is_not_there(text: str, said: str) -> None:
    ruling = ruling_of("HB3003", views(text))
    assert ruling.verdicts[14].judgement is Judgement.FAIL
    assert said in ruling.findings[0].message


TERSE = """<svg viewBox="0 0 900 460"></svg><button id="b">x</button><button id="c">y</button><script>
  var h = document.documentElement;
  document.getElementById("b").addEventListener("click", function () {
    h.setAttribute("data-theme", h.getAttribute("data-theme") === "night" ? "day" : "night");
  });
  document.getElementById("c").addEventListener("click", function () { h.setAttribute("data-x", "1"); });
</script>"""


@pytest.mark.parametrize(
    ("press", "expected"),
    [
        ("page.click('#b')", Judgement.PASS),
        ("page.click('#c')", Judgement.FAIL),
        ("page.locator('#b').click()", Judgement.PASS),
        ("page.$eval('#b', (one) => one.click())", Judgement.PASS),
        ("page.$eval('#b', (one) => one.textContent)", Judgement.FAIL),
        ("page.dispatchEvent('#b', 'click')", Judgement.PASS),
        ("page.getByRole('button', { name: 'Night' }).click()", Judgement.PASS),
        ("page.getByRole('button', { name: 'x' }).click()", Judgement.UNKNOWN),
        ("page.keyboard.press('x')", Judgement.UNKNOWN),
    ],
)
def test_the_sky_is_changed_by_what_a_press_does(press: str, expected: Judgement) -> None:
    text = (
        "for (const width of [390, 1280]) { await page.setViewportSize({ width, height: 1 });"
        f"for (const again of [false, true]) {{ if (again) await {press}; {FULL} }} }}"
    )
    files = {"index.html": TERSE, "styles.css": "[data-theme=night] body { background: #111 }", **views(text)}
    assert verdict_of("HB3003", files).judgement is expected


def test_widths_that_come_from_outside() -> None:
    text = "await page.setViewportSize({ width: +process.argv[2], height: 1 }); await page.click('#sky');" + FULL + FULL
    assert verdict_of("HB3003", views(text)).judgement is Judgement.UNKNOWN


@pytest.mark.parametrize(
    ("text", "trap"),
    [
        ("await page.click('[data-speed=\"walk\"]');", "selector"),
        ("for (const p of ['walk', 'hop']) await page.locator(`[data-speed=\"${p}\"]`).first().click();", "selector"),
        ("await page.evaluate(() => document.querySelector('[data-speed=\"walk\"]').click());", "selector"),
        ("const CLIP = { x: 300, y: 60, width: 320, height: 300 }; await page.screenshot({ clip: CLIP });", "clip"),
        ("await page.$eval('.paw', (e) => e.getScreenCTM().f);", "ctm"),
    ],
)
def test_traps(text: str, trap: str) -> None:
    findings = ruling_of("HB3004", poses(text)).findings
    assert [finding.data["trap"] for finding in findings] == [trap]
    assert findings[0].span is not None
    assert findings[0].span.file == "tools/poses.js"


@pytest.mark.parametrize(
    "text",
    [
        "await page.click('button[data-speed=\"walk\"]'); await page.click('.controls [data-speed]');",
        "const b = await page.locator('#scene').boundingBox(); await page.screenshot({ clip: { ...b, width: b.width / 2 } });",
        "await page.evaluate(() => document.querySelector('svg').getScreenCTM().a);",
        "const old = 'getScreenCTM() [data-speed]'; // clip: { x: 1 }",
    ],
)
def test_no_traps(text: str) -> None:
    assert verdict_of("HB3004", poses(text)).judgement is Judgement.PASS


def test_edits_by_script() -> None:
    edit = "const fs = require('fs'); const a = fs.readFileSync('a.css', 'utf8'); const b = a.replace('x', 'y');"
    unsafe = {"tools/fix.js": edit + "fs.writeFileSync('a.css', b);"}
    safe = {"tools/fix.js": edit + "if (a === b) throw new Error('no x'); fs.writeFileSync('a.css', b);"}
    assert verdict_of("HB3004", unsafe).judgement is Judgement.FAIL
    assert verdict_of("HB3004", safe).judgement is Judgement.PASS


@pytest.mark.parametrize(
    ("text", "judgement"),
    [
        (
            "const out = process.env.OUT || require('os').tmpdir(); await page.screenshot({ path: out + '/a.png' });",
            "pass",
        ),
        ("await page.screenshot();", "pass"),
        ("await page.screenshot({ path: 'shots/a.png' });", "fail"),
        ("const { join } = require('path'); await page.screenshot({ path: join(__dirname, 'a.png') });", "fail"),
        ("await chromium.launch({ headless: false });", "fail"),
        ("await chromium.launch({ headless: !process.env.HEADED });", "pass"),
        ("require('/usr/lib/node_modules/playwright');", "fail"),
    ],
)
def test_what_stays_local(text: str, judgement: str) -> None:
    assert verdict_of("HB3005", poses(text)).judgement.value == judgement


@pytest.mark.parametrize(
    ("text", "judgement"),
    [
        (
            "await page.click('#pause'); await page.locator('#sky').click(); await page.getAttribute('#scene', 'x');",
            "pass",
        ),
        ("await page.click('#nowhere');", "fail"),
        ("const go = (s) => page.click(s); await go('#sky'); await go('#gone');", "fail"),
        ("require('./helpers.js');", "fail"),
        ("await page.click('.controls >> text=Night'); await page.click('button:has-text(\"Pause\")');", "pass"),
    ],
)
def test_selectors_meet_the_page(text: str, judgement: str) -> None:
    verdict = verdict_of("HB3007", poses(text))
    assert verdict.judgement.value == judgement
    assert judgement == "fail" or verdict.confidence is Confidence.LIKELY


@pytest.mark.parametrize(
    "text",
    [
        "a(" * 400 + ")" * 400,
        "x = " + "+".join(["a"] * 20_000),
        "\n".join(f"function f{i}(a) {{ return f{i + 1}(a, f{i + 2}(a)); }}" for i in range(1500))
        + "\nprocess.exit(f0(1));",
        "let v = [];\n" + "\n".join(f"v.push(...v, v[{i}].x);" for i in range(3000)) + "\nprocess.exit(v.length);",
        "if (a) b(); else " * 300 + "process.exit(1);",
        "\n".join(f"check('n{i}', x{i});" for i in range(3000))
        + "\nfunction check(n, ok) { if (!ok) process.exit(1); }",
        "const f = () => f(); f(f); process.exit(f(f)); class A { get a() { return this.a; } } process.exit(new A().a);",
        "\0\ud800 ```${",
        "const a = a; process.exit(a ? a : a); throw a;",
    ],
)
def test_hostile_tools_end(text: str) -> None:
    evidence = evidence_of(dict.fromkeys(("tools/audit.js", "tools/poses.js", "tools/responsive.js"), text))
    for code in [code for code in PACK.rules if code.startswith("HB30")]:
        rule = PACK.rules[code]
        verdict = run_rule(rule, evidence, PACK.parameters(rule), (14,)).verdicts[14]
        assert verdict.reason is not Reason.RULE_CRASH


def test_the_corpus_agrees_with_its_labels(corpus_submission: Path) -> None:
    labels = json.loads((corpus_submission.parent / "labels" / f"{corpus_submission.name}.json").read_text())["clauses"]
    evidence = StaticEvidence(Submission.from_folder(corpus_submission), PACK.rubric)
    told = {}
    for code in sorted(code for code in PACK.rules if code.startswith("HB30") and code in labels):
        rule = PACK.rules[code]
        told[code] = run_rule(rule, evidence, PACK.parameters(rule), (14,)).verdicts[14].judgement.value
    assert told == {code: labels[code] for code in told}
    assert len(told) >= 6
