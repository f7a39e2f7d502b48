"""The tools that come with a page (spec §3): what the audit proves, how poses are timed, what is photographed."""

from __future__ import annotations

import posixpath
import re
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final

from husky_lint.rule import (
    Confidence,
    Finding,
    Judgement,
    Reason,
    Severity,
    Undecided,
    Verdict,
    rule,
    run_rule,
    told_so_far,
)
from husky_lint.source import Span
from husky_lint.style.words import words

from .persistence import theme_toggles
from .tool_facts import Fact
from .tool_items import Status, as_data
from .tool_premises import skewed_measures, unsupported
from .tool_program import bare, dotted, is_function, key_of, literal_text
from .tool_reading import Tools, read_tools, said_within

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.evidence import Evidence
    from husky_lint.parse.js import JsNode
    from husky_lint.rule import Ruling

    from .tool_failure import Assertion, Checks
    from .tool_program import ToolFile

NAMES: Final = ("audit", "poses", "responsive")
_SHOTS: Final = words("screenshot")
_OPENERS: Final = words("newPage newContext launchPersistentContext")
_RESIZERS: Final = words("setViewportSize setViewport")
_ACTIONS: Final = words(
    """
    click tap press evaluate addInitScript evaluateOnNewDocument selectOption check uncheck setChecked emulateMedia
    emulateMediaFeatures addCookies setCookie dispatchEvent goto $eval $$eval addStyleTag addScriptTag
    """
)
_PRESSES: Final = words("click dblclick tap press check uncheck setChecked dispatchEvent $eval")
_WRITERS: Final = words("writeFile writeFileSync outputFile outputFileSync createWriteStream")
_WATCHED: Final = _WRITERS | words("screenshot launch launchPersistentContext")
_BROWSERS: Final = words(
    "playwright playwright-core @playwright/test playwright-chromium puppeteer puppeteer-core playwright-extra"
)
_DEVICES: Final = {
    "iphone 12": 390,
    "iphone 13": 390,
    "iphone 14": 390,
    "iphone 15": 393,
    "pixel 5": 393,
    "pixel 7": 412,
}


def _tool_or_finding(tools: Tools, name: str) -> tuple[ToolFile | None, Finding | None]:
    file = tools.file(name)
    if file is not None:
        return file, None
    problem = tools.syntax_error(name)
    if problem is not None:
        return None, Finding(f"node does not start it: {problem.message}", problem.span)
    return None, Finding(f"there is no tools/{name}.js")


@rule("HB3001")
def audit_asserts(evidence: Evidence, core_share: float) -> Iterator[Finding | Verdict]:
    """The audit does not measure an item of the list, or cannot fail on it.

    ## What it checks
    Each item of section 3's list has a check in `tools/audit.js` whose condition is made from something that the
    browser sees (`page.evaluate`, a locator, an event) and whose outcome can end the audit with an error: a throw that
    nothing swallows, or a record of errors that the exit status depends on. A comment, a label, a constant, a condition
    with `|| true`, a promise that nobody awaits or a helper that is never called proves nothing. What a check is about
    is told from the APIs, selectors and names in all that its value is made from; its label alone never suffices.
    Each item has its sub-verdict in `data`: `can fail`, `measured` (and nothing comes of it), `vacuous`, `missing`.

    ## Why it matters
    The audit is what keeps the dog from walking backwards after the next edit. A check that cannot fail is worse than
    none, because it is believed.

    ## Example that fails
    ```js
    tools/audit.js:
    const { chromium } = require("playwright");
    const errors = [];
    function check(name, ok) { if (!ok) errors.push(name); }
    (async () => {
      const page = await (await chromium.launch()).newPage();
      await page.goto("file:///index.html");
      check("grounded-paw drift is negative", true);
      check("tail length across gaits", await page.locator(".tail").count() >= 0);
      process.exit(errors.length ? 1 : 0);
    })();
    ```

    ## Example that passes
    ```js
    tools/audit.js:
    const http = require("http"), fs = require("fs"), path = require("path");
    const { chromium } = require("playwright");
    const PACES = { stroll: 1.06, walk: 0.78, hop: 0.62, zoomies: 0.38 };
    const failed = [];
    const check = (name, ok) => { if (!ok) failed.push(name); };
    (async () => {
      http.createServer((q, r) => r.end(fs.readFileSync(path.join(__dirname, "..", q.url)))).listen(8080);
      const browser = await chromium.launch();
      const page = await browser.newPage();
      const errors = [];
      page.on("pageerror", (e) => errors.push(e.message));
      await page.goto("http://127.0.0.1:8080/index.html");
      check("animations run", await page.evaluate(() => document.getAnimations().length) > 20);
      check("walk by day", await page.getAttribute("#scene", "data-speed") === "walk"
        && await page.getAttribute("html", "data-theme") === "day");
      const icon = await page.evaluate(async () => { const i = new Image(); i.src = "favicon.svg"; await i.decode();
        return i.naturalWidth; });
      check("favicon decodes", icon > 0);
      const still = await page.evaluate(() => {
        const style = (s) => getComputedStyle(document.querySelector(s)), p = (x, y) => new DOMPoint(x, y);
        let bib = 0, out = 0;
        for (let x = 350; x < 550; x++) for (let y = 180; y < 290; y++) {
          if (document.querySelector(".bib").isPointInFill(p(x, y))) bib++;
          if (document.querySelector(".blade").isPointInFill(p(x, y))
            && !document.querySelector(".body").isPointInFill(p(x, y))) out++;
        }
        return { bib, blade: out, pivots: [".near .upper", ".near .lower"].map((s) => style(s).transformOrigin).join(),
          taper: parseFloat(style(".arm").strokeWidth) / parseFloat(style(".forearm").strokeWidth) };
      });
      check("bib area", still.bib > 3000);
      check("blade on the body", still.blade === 0);
      check("pivots", still.pivots === "498px 214px,482px 252px");
      check("leg taper", still.taper > 1.4);
      const tails = {};
      for (const [pace, cycle] of Object.entries(PACES)) {
        await page.click(`button[data-speed="${pace}"]`);
        check("dots", await page.evaluate(() => ["near", "far"].every((s) =>
          getComputedStyle(document.querySelector(`.dot.${s}`)).animationDelay
            === getComputedStyle(document.querySelector(`.leg.${s} .upper`)).animationDelay)));
        const paws = [];
        for (let i = 0; i < 48; i++) paws.push(await page.evaluate((t) => {
          for (const a of document.getAnimations()) a.currentTime = t;
          const box = document.querySelector(".paw").getBoundingClientRect();
          const m = new DOMMatrix(getComputedStyle(document.querySelector(".lower")).transform);
          return { x: box.left, low: box.bottom, elbow: Math.atan2(m.b, m.a) };
        }, cycle * 1000 * i / 48));
        let drift = 0;
        paws.forEach((paw, i) => { if (i && paw.low > 338) drift += paw.x - paws[i - 1].x; });
        check("grounded paw drifts backward", drift < 0);
        check("paw envelope", Math.max(...paws.map((p) => p.low)) < 344);
        const bends = paws.map((p) => p.elbow);
        check("elbow sweep", Math.max(...bends) - Math.min(...bends) > 0.6);
        tails[pace] = await page.evaluate(() => {
          const [a, b] = [".tail-base", ".tail-tip"].map((s) => document.querySelector(s).getBoundingClientRect());
          return { length: Math.hypot(a.x - b.x, a.y - b.y), drop: b.y - a.y };
        });
      }
      check("tail length", Math.abs(tails.walk.length - tails.zoomies.length) < 1);
      check("tail drops", tails.zoomies.drop > tails.walk.drop);
      await page.click("#pause");
      const states = await page.evaluate(() => [".upper", ".head"].map((s) =>
        getComputedStyle(document.querySelector(s)).animationPlayState).join());
      check("paused but alive", states === "paused,running");
      await page.click("#pet");
      check("hearts", await page.evaluate(() => [...document.querySelectorAll(".heart")].every((h) =>
        h.getBoundingClientRect().top >= document.querySelector("svg").getBoundingClientRect().top)));
      await page.click("#sky");
      await page.reload();
      check("night is kept", await page.evaluate(() => document.cookie.includes("night")
        && localStorage.getItem("husky-sky") === "night"));
      check("no page errors", errors.length === 0);
      const calm = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
      await calm.goto("http://127.0.0.1:8080/index.html");
      check("still", await calm.evaluate(() => document.getAnimations().length) === 0);
      process.exit(failed.length ? 1 : 0);
    })();
    ```
    """
    tools = evidence.derived(read_tools)
    absent = [name for name in NAMES if tools.find(name) is None]
    for name in absent:
        yield Finding(f"there is no tools/{name}.js", core=True)
    if "audit" in absent:
        yield Verdict.failed("there is no tools/audit.js", core=True)
        return
    file = tools.file("audit")
    if file is None:
        problem = tools.syntax_error("audit")
        yield Finding(
            f"node does not start it: {problem.message if problem else 'it does not parse'}",
            problem.span if problem else None,
        )
        yield Verdict.failed("the audit does not parse", core=True)
        return
    items = tools.items(file)
    _refuse_emptied(tools.checks(file))
    if tools.checks(file).limit:
        raise Undecided(Reason.LIMIT, "the audit could not be followed to its end")
    data = {"items": as_data(items)}
    weak = [item for item in items if item.status in (Status.MISSING, Status.VACUOUS, Status.MEASURED)]
    unclear = [item for item in items if item.status is Status.UNCLEAR]
    for item in weak:
        span = item.file.span(item.at) if item.file is not None and item.at is not None else Span(file.path, 0, 0)
        note = f": {item.note}" if item.note else ""
        said = {
            Status.MISSING: "the audit asserts nothing about",
            Status.VACUOUS: "the audit has a check that cannot fail on",
            Status.MEASURED: "the audit measures, and never fails on,",
        }[item.status]
        sure = Confidence.CERTAIN if item.status is Status.VACUOUS else Confidence.LIKELY
        yield Finding(f"{said} {item.title}{note}", span, confidence=sure, data={"item": item.key})
    detail = f"{len(items) - len(weak) - len(unclear)} of {len(items)} items are measured and can fail"
    if absent or len(weak) > core_share * len(items):
        yield Verdict.failed(detail, core=True, data=data)
    elif weak:
        yield Verdict.failed(detail, core=False, confidence=Confidence.LIKELY, data=data)
    elif unclear:
        names = ", ".join(item.title for item in unclear)
        yield Verdict.unknown(Reason.AMBIGUOUS_ROLE, f"what some checks are of: {names}", core=False, data=data)
    else:
        yield Verdict.passed(detail, data=data)


@rule("HB3002")
def poses_coupled(evidence: Evidence) -> Iterator[Finding]:
    """The poses are taken at fixed times instead of phases of the cycle.

    ## What it checks
    What `tools/poses.js` sets the clocks of the animations to is computed from the cycle of the pace: from `--cycle`,
    from the duration of an animation, or from a table of cycles.

    ## Why it matters
    At fixed milliseconds the pictures drift to other phases as soon as somebody turns the dial.

    ## Example that fails
    ```js
    tools/poses.js:
    const { chromium } = require("playwright");
    (async () => {
      const page = await (await chromium.launch()).newPage();
      for (const t of [0, 200, 400]) {
        await page.evaluate((t) => document.getAnimations().forEach((a) => { a.pause(); a.currentTime = t; }), t);
        await page.screenshot({ path: `/tmp/${t}.png` });
      }
    })();
    ```

    ## Example that passes
    ```js
    tools/poses.js:
    const { chromium } = require("playwright");
    (async () => {
      const page = await (await chromium.launch()).newPage();
      const cycle = await page.evaluate(() => parseFloat(getComputedStyle(scene).getPropertyValue("--cycle")));
      for (const phase of [0, 0.25, 0.5]) {
        await page.evaluate((t) => document.getAnimations().forEach((a) => { a.pause(); a.currentTime = t; }),
          phase * cycle * 1000);
        await page.screenshot({ path: `/tmp/${phase}.png` });
      }
    })();
    ```
    """
    tools = evidence.derived(read_tools)
    file, finding = _tool_or_finding(tools, "poses")
    if file is None:
        if finding is not None:
            yield finding
        return
    fixed: list[tuple[ToolFile, JsNode]] = []
    coupled = False
    for one, node, value in _clocks(tools, file):
        if not _is_reached(tools, file, node):
            continue
        facts = _facts_as_called(tools, file, one, value)
        live = facts & (Fact.MEASURED | Fact.STYLE | Fact.ANIMATIONS | Fact.PACE) or node.type == "CallExpression"
        if facts & (Fact.CYCLE | Fact.DURATION) and live:
            coupled = True
        elif value.type != "Literal" or value.value not in (0, None):
            fixed.append((one, node))
    if coupled:
        return
    for one, node in fixed:
        yield Finding(
            "the time is fixed, expected a phase times the pace's cycle: the poses slip when the dial is turned",
            one.span(node),
        )
    if not fixed:
        waits = list(tools.calls(file, words("waitForTimeout")))
        span = waits[0][0].span(waits[0][1]) if waits else Span(file.path, 0, 0)
        how = "poses are timed by waiting" if waits else "nothing freezes the animations"
        yield Finding(f"{how}, expected clocks set to phases of the cycle", span)


def _is_reached(tools: Tools, file: ToolFile, node: JsNode, seen: frozenset[int] = frozenset()) -> bool:
    """Whether a tool may come to a place: it stands in no function of a shared file that only other tools call."""
    above = node.up
    while above is not None:
        function = tools.program.function(above) if is_function(above) else None
        if function is not None and function.sites and id(function) not in seen:
            inner = seen | {id(function)}
            sites = [site.node for site in function.sites]
            return any(_is_reached(tools, file, site, inner) for site in sites)
        above = above.up
    return any(node.home.file is one for one in tools.program.closure(file))


def _facts_as_called(tools: Tools, file: ToolFile, shared: ToolFile, value: JsNode) -> Fact:
    """What a value is made from; in a file that a tool shares with others, when that tool calls for it."""
    told: list[int] = []
    above = value.up if shared is not file else None
    while above is not None:
        function = tools.program.function(above) if is_function(above) else None
        if function is not None:
            told.extend(
                tools.flow.facts(value, (), tools.flow.context(site.node, function, None))
                for site in function.sites
                if site.direct and site.node.home.file is file
            )
        above = above.up
    return Fact(reduce(or_, told) if told else tools.flow.facts(value))


def _clocks(tools: Tools, file: ToolFile) -> Iterator[tuple[ToolFile, JsNode, JsNode]]:
    """The places that set the time of animations, and what to."""
    for one in tools.program.closure(file):
        for store in one.stores:
            if store.type != "AssignmentExpression" or not tools.program.runs(store):
                continue
            target = store.left
            name = key_of(target) if target.type == "MemberExpression" else None
            if name in ("currentTime", "startTime", "animationDelay"):
                yield one, store, store.right
    for one, call in tools.calls(file, words("setProperty addStyleTag insertRule updateTiming setCurrentTime send")):
        said = said_within(call.arguments)
        if said & (Fact.DELAY | Fact.CLOCK) or key_of(call.callee) == "setCurrentTime":
            for argument in call.arguments[-1:]:
                yield one, call, argument
    for one, call in tools.calls(file, words("waitForTimeout")):
        if call.arguments and Fact(tools.flow.facts(call.arguments[0])) & (Fact.CYCLE | Fact.DURATION):
            yield one, call, call.arguments[0]


@rule("HB3003")
def responsive_views(
    evidence: Evidence, phone_width: float, phone_slack: float, desktop_width: float
) -> Iterator[Finding]:
    """Not every view is photographed: full page, day and night, desktop and phone.

    ## What it checks
    `tools/responsive.js` takes full-page screenshots, in a desktop view (1024 px or wider) and in one of about 390 px,
    and does something to the sky between them.

    ## Why it matters
    The page is themed as a whole, and a phone is where it breaks first.

    ## Example that fails
    ```js
    tools/responsive.js:
    const { chromium } = require("playwright");
    (async () => {
      const browser = await chromium.launch();
      for (const width of [768, 1280]) {
        const page = await browser.newPage({ viewport: { width, height: 800 } });
        await page.screenshot({ path: `/tmp/${width}.png` });
      }
    })();
    ```

    ## Example that passes
    ```js
    tools/responsive.js:
    const { chromium } = require("playwright");
    (async () => {
      const browser = await chromium.launch();
      for (const width of [390, 1280]) {
        const page = await browser.newPage({ viewport: { width, height: 800 } });
        for (const sky of ["day", "night"]) {
          await page.evaluate((sky) => { document.documentElement.dataset.theme = sky; }, sky);
          await page.screenshot({ path: `/tmp/${width}-${sky}.png`, fullPage: true });
        }
      }
    })();
    ```
    """
    tools = evidence.derived(read_tools)
    file, finding = _tool_or_finding(tools, "responsive")
    if file is None:
        if finding is not None:
            yield finding
        return
    shots = list(tools.calls(file, _SHOTS))
    if not shots:
        yield Finding("no screenshot is taken", Span(file.path, 0, 0))
        return
    full = [
        (one, call) for one, call in shots if call.arguments and True in tools.values(call.arguments[0], ("fullPage",))
    ]
    if not full:
        one, call = shots[0]
        yield Finding("no screenshot is of the full page, expected fullPage: true", one.span(call))
    widths, open_ended = _widths(tools, file)
    where = shots[0][0].span(shots[0][1])
    shown = ", ".join(f"{width:g}" for width in sorted(widths)) or "none told"
    phone = any(abs(width - phone_width) <= phone_slack for width in widths)
    desktop = any(width >= desktop_width for width in widths)
    if not phone and not open_ended:
        yield Finding(f"no view of about {phone_width:g} px; the widths are {shown}", where)
    if not desktop and not open_ended:
        yield Finding(f"no desktop view of {desktop_width:g} px or more; the widths are {shown}", where)
    turned = any(
        (said_within([call]) | Fact(_facts_of_all(tools, call.arguments))) & Fact.SKY
        for _, call in tools.calls(file, _ACTIONS)
    ) or _presses_theme(evidence, tools, file)
    skies = {sky for _, sky in _SKIES.findall(file.script.text)}
    themed = turned and not (skies and skies.isdisjoint(_NIGHTS))
    several = len(full or shots) > 1 or any(tools.repeats(call) for _, call in full or shots)
    if turned is None and several:
        raise Undecided(Reason.DYNAMIC_VALUE, "what the tool presses between screenshots could not be told", where)
    if not themed or not several:
        yield Finding("day and night are not both photographed: nothing changes the sky between screenshots", where)
    if (not phone or not desktop) and open_ended:
        raise Undecided(Reason.DYNAMIC_VALUE, "the widths of the views are not written in the tool", where)


def _presses_theme(evidence: Evidence, tools: Tools, file: ToolFile) -> bool | None:
    """Whether a tool presses what turns the page to another theme, whatever it is called; None where it may."""
    from .tool_selectors import meetings

    text = file.script.text
    calls = [
        call
        for _, call in tools.calls(file, _PRESSES)
        if key_of(call.callee) != "$eval" or "click" in text[(span := file.span(call)).start : span.end]
    ]
    met = {
        meeting.use.node: meeting.elements[0]
        for meeting in meetings(evidence, tools)
        if meeting.use.file is file and meeting.elements
    }
    elements = [met[call] for call in calls if call in met]
    pressed = {one for first in elements for one in (first, *first.iterancestors())}
    if pressed and any(toggle.element in pressed for toggle in theme_toggles(evidence)):
        return True
    return False if len(elements) == len(calls) else None


def _facts_of_all(tools: Tools, nodes: list[JsNode]) -> int:
    told = 0
    for node in nodes:
        if not is_function(node):
            told |= tools.flow.facts(node)
    return told


def _widths(tools: Tools, file: ToolFile) -> tuple[set[float], bool]:
    """The widths of the views that a tool opens, and whether some width could not be told."""
    found: set[float] = set()
    open_ended = False
    asked = False
    for _, call in tools.calls(file, _OPENERS | _RESIZERS | words("launch")):
        name = key_of(call.callee)
        if name == "launch":
            paths: tuple[tuple[str, ...], ...] = (("defaultViewport", "width"),)
        else:
            paths = (("width",),) if name in _RESIZERS else (("viewport", "width"), ("defaultViewport", "width"))
        told: set[float] = set()
        for argument in call.arguments:
            for path in paths:
                values = tools.values(argument, path)
                told |= {float(v) for v in values if isinstance(v, int | float) and not isinstance(v, bool) and v > 100}
                named = {str(v).lower() for v in values if isinstance(v, str)}
                told |= {width for name_, width in _DEVICES.items() for one in named if one.startswith(name_)}
        found |= told
        asked = asked or bool(told)
        if not told and name in _RESIZERS:
            open_ended = True
    if not asked and not open_ended:
        found.add(1280.0)  # what Playwright opens by itself
    return found, open_ended


@rule("HB3004")
def tooling_trap(evidence: Evidence) -> Iterator[Finding]:
    """A tool steps into one of the traps of section 3.

    ## What it checks
    - `clip` of a screenshot is made from a rectangle of the page (`getBoundingClientRect`), not from SVG units.
    - Nothing below the scene is measured with `getScreenCTM()`.
    - A selector that is clicked does not meet something else before the button that it means, as
      `[data-speed="walk"]` meets the scene.
    - A text that is changed by `replace()` and written to a file is compared or searched first.

    ## Why it matters
    Each of them cost real time in the reference build, because nothing fails: the picture shows another place, the paw
    is 200 units underground, the click does nothing, the edit is not made.

    ## Example that fails
    ```js
    tools/poses.js:
    const { chromium } = require("playwright");
    (async () => {
      const page = await (await chromium.launch()).newPage();
      await page.click('[data-speed="hop"]');
      await page.screenshot({ path: "/tmp/a.png", clip: { x: 300, y: 60, width: 320, height: 300 } });
    })();
    ```

    ```js
    tools/fix.js:
    const fs = require("fs");
    fs.writeFileSync("styles.css", fs.readFileSync("styles.css", "utf8").replace("13deg", "-13deg"));
    ```

    ## Example that passes
    ```js
    tools/poses.js:
    const { chromium } = require("playwright");
    (async () => {
      const page = await (await chromium.launch()).newPage();
      await page.click('button[data-speed="hop"]');
      const clip = await page.evaluate(() => {
        const r = document.getElementById("scene").getBoundingClientRect(), k = r.width / 900;
        return { x: r.left + 300 * k, y: r.top + 60 * k, width: 320 * k, height: 300 * k };
      });
      await page.screenshot({ path: "/tmp/a.png", clip });
    })();
    ```
    """
    tools = evidence.derived(read_tools)
    for file in tools.program.files.values():
        for call in file.calls:
            callee = bare(call.callee)
            name = (key_of(callee) if callee.type == "MemberExpression" else dotted(callee)) or ""
            if name not in _WATCHED or not tools.program.runs(call):
                continue
            if name == "screenshot" and call.arguments:
                yield from _clip(tools, file, call)
            elif name in _WRITERS and len(call.arguments) > 1:
                yield from _rewritten(tools, file, call)
        for call in skewed_measures(tools, file):
            yield Finding(
                f"{key_of(bare(call.callee))}() counts the rotations of ancestors twice under nested CSS transforms; "
                "measure getBoundingClientRect() and divide by the scene's scale",
                file.span(call),
                data={"trap": "ctm"},
            )
    from .tool_selectors import misdirected

    yield from misdirected(evidence, tools)


def _clip(tools: Tools, file: ToolFile, call: JsNode) -> Iterator[Finding]:
    options = call.arguments[0]
    told = tools.values(options, ("clip",))
    numbers = [value for value in told if isinstance(value, int | float) and not isinstance(value, bool)]
    if numbers and not Fact(tools.flow.facts(options, ("clip",))) & Fact.BOX:
        yield Finding(
            "clip takes pixels of the page, and these are numbers of the scene; convert them by the scene's rectangle "
            "and its width / 900",
            file.span(call),
            data={"trap": "clip"},
        )


def _rewritten(tools: Tools, file: ToolFile, call: JsNode) -> Iterator[Finding]:
    facts = Fact(tools.flow.facts(call.arguments[1]))
    if not facts & Fact.REPLACED or not said_within([file.script.program]) & Fact.REPLACED:
        return
    checks = tools.checks(file)
    if checks.assertions or checks.exits:
        return
    yield Finding(
        "replace() does not fail when its pattern is missing, and the result is written all the same; assert that the "
        "pattern is there",
        file.span(call),
        data={"trap": "replace"},
    )


@rule("HB3005")
def tooling_local(evidence: Evidence) -> Iterator[Finding]:
    """A tool leaves something behind, shows a window, or takes its browser from elsewhere.

    ## What it checks
    Browsers are launched headless; screenshots are written to a temp folder (`os.tmpdir()`, `mkdtemp`, or a folder that
    the caller names); Playwright is required by its name, so that it is found in tools/ and nowhere else.

    ## Why it matters
    "Headless Chromium via Playwright, screenshots in a temp directory, nothing committed."

    ## Example that fails
    ```js
    tools/poses.js:
    const { chromium } = require("playwright");
    (async () => {
      const browser = await chromium.launch({ headless: false });
      await (await browser.newPage()).screenshot({ path: __dirname + "/out/pose.png" });
    })();
    ```

    ## Example that passes
    ```html
    tools/audit.js:
    const { chromium } = require("playwright");
    chromium.launch();
    tools/poses.js:
    const os = require("os"), path = require("path"), fs = require("fs");
    const { chromium } = require("playwright");
    (async () => {
      const out = fs.mkdtempSync(path.join(os.tmpdir(), "poses-"));
      await (await (await chromium.launch()).newPage()).screenshot({ path: path.join(out, "pose.png") });
    })();
    tools/responsive.js:
    const { chromium } = require("playwright");
    chromium.launch();
    ```
    """
    tools = evidence.derived(read_tools)
    for name in NAMES:
        file = tools.file(name)
        if file is None:
            continue
        if not _loads_browser(tools, file):
            yield Finding(f"{file.path} loads no Playwright, so it sees no page", Span(file.path, 0, 0))
    for file in tools.program.files.values():
        yield from _foreign(file)
        for call in file.calls:
            callee = bare(call.callee)
            name = (key_of(callee) if callee.type == "MemberExpression" else dotted(callee)) or ""
            if name not in _WATCHED or not tools.program.runs(call):
                continue
            if name in ("launch", "launchPersistentContext"):
                for argument in call.arguments:
                    if False in tools.values(argument, ("headless",)) or True in tools.values(argument, ("devtools",)):
                        yield Finding("the browser is launched with a window, expected headless", file.span(call))
            elif name == "screenshot" and call.arguments:
                yield from _placed(tools, file, call, call.arguments[0], ("path",))
            elif name in ("writeFile", "writeFileSync") and call.arguments and _is_picture(call):
                yield from _placed(tools, file, call, call.arguments[0], ())


def _is_picture(call: JsNode) -> bool:
    said = [literal_text(one) or "" for one in call.arguments]
    return any(text.endswith((".png", ".jpg", ".jpeg", ".webp")) for text in said)


def _placed(tools: Tools, file: ToolFile, call: JsNode, node: JsNode, path: tuple[str, ...]) -> Iterator[Finding]:
    values = tools.values(node, path)
    facts = Fact(tools.flow.facts(node, path))
    named = [value for value in values if isinstance(value, str)]
    if not named and not facts & (Fact.HERE | Fact.TEMPORARY | Fact.GIVEN):
        return  # no file: the picture is kept in memory
    if facts & Fact.TEMPORARY or (facts & Fact.GIVEN and not facts & Fact.HERE):
        return
    yield Finding(
        "the screenshot is written beside the sources, expected a temp folder such as os.tmpdir()", file.span(call)
    )


def _loads_browser(tools: Tools, file: ToolFile) -> bool:
    for one in tools.program.closure(file):
        if any(source in _BROWSERS for source in one.imports):
            return True
        if any(f'"{name}"' in one.script.text or f"'{name}'" in one.script.text for name in _BROWSERS):
            return True
    return False


def _foreign(file: ToolFile) -> Iterator[Finding]:
    for source, nodes in file.imports.items():
        named = any(name in source for name in ("playwright", "puppeteer")) and source not in _BROWSERS
        if named and source.startswith(("/", ".", "http")):
            yield Finding(f"Playwright is taken from {source}, expected its name alone", file.span(nodes[0]))


@rule("HB3006")
def exits_nonzero(evidence: Evidence) -> Iterator[Finding]:
    """A failed audit ends like a good one.

    ## What it checks
    At least one check of `tools/audit.js` leads to a non-zero exit: by `process.exit(1)` or `process.exitCode` that
    depends on the record of errors, or by an error that nothing catches.

    ## Why it matters
    Whoever runs the audit in a script sees the status, and nothing else.

    ## Example that fails
    ```js
    tools/audit.js:
    const { chromium } = require("playwright");
    let failed = 0;
    const check = (name, ok) => { if (!ok) { failed++; console.log("FAIL " + name); } };
    (async () => {
      const page = await (await chromium.launch()).newPage();
      check("four strips", await page.locator(".strip").count() === 4);
      console.log(failed + " failed");
    })();
    ```

    ```js
    tools/audit.js:
    const assert = require("assert");
    const { chromium } = require("playwright");
    (async () => {
      const page = await (await chromium.launch()).newPage();
      assert.equal(await page.locator(".strip").count(), 4);
    })().catch(console.error);
    ```

    ## Example that passes
    ```js
    tools/audit.js:
    const { chromium } = require("playwright");
    let failed = 0;
    const check = (name, ok) => { if (!ok) { failed++; console.log("FAIL " + name); } };
    (async () => {
      const page = await (await chromium.launch()).newPage();
      check("four strips", await page.locator(".strip").count() === 4);
      process.exitCode = failed ? 1 : 0;
    })();
    ```
    """
    tools = evidence.derived(read_tools)
    file, finding = _tool_or_finding(tools, "audit")
    if file is None:
        if finding is not None:
            yield finding
        return
    checks = tools.checks(file)
    _refuse_emptied(checks)
    statuses = [item.status for item in tools.items(file)]
    # What waits for the page throws by itself; it is what is measured that has to reach the exit.
    if checks.assertions and statuses.count(Status.MEASURED) <= statuses.count(Status.CAN_FAIL):
        return
    if checks.limit:
        raise Undecided(Reason.LIMIT, "the audit could not be followed to its end")
    if checks.overridden is not None:
        yield Finding("the audit always ends with status 0", checks.overridden.home.file.span(checks.overridden))
    elif checks.swallowed:
        node = checks.swallowed[0]
        yield Finding("what is thrown here is caught, and nothing comes of it", node.home.file.span(node))
    else:
        yield Finding("no check leads to a non-zero exit", Span(file.path, 0, 0), Severity.ERROR)


def _refuse_emptied(checks: Checks) -> None:
    """What was noted may be gone again before the end."""
    if checks.emptied is not None:
        span = checks.emptied.home.file.span(checks.emptied)
        raise Undecided(Reason.DYNAMIC_VALUE, "the record of failures is emptied on the way to the end", span)


_SKIES: Final = re.compile(r"""(["'`])(day|light|night|dark)\1""")
_NIGHTS: Final = frozenset({"night", "dark"})
_TOOLS_ROW: Final = 14
_ASSERTED: Final = {
    "paw-drift": ("HB2401",),
    "tail": ("HB2413",),
    "dot-delays": ("HB2411",),
    "foreleg-pins": ("HB2307", "HB2308"),
    "leg-taper": ("HB2314",),
    "alive": ("HB2205",),
}
"""Clauses that fail where the check of an item must fail too."""


@rule("HB3007")
def tools_run_clean(evidence: Evidence) -> Iterator[Finding | Verdict]:
    """A tool does not run clean on this page.

    ## What it checks
    From the source: all three tools are there and parse as node reads them, what they import is there, each selector
    that they click or read meets an element, the element that is clicked can be seen, and nothing that the audit
    asserts is found failing by the other rules. Where a check of it speaks of a clause that fails, and whether it looks
    at what is broken cannot be read, that is unknown; so is an audit whose checks go by `getScreenCTM()` of a part, or
    want nothing to move where nothing asks for reduced motion. A pass is likely and no more; `confirm --run-tools`
    makes it certain.

    ## Why it matters
    An audit that dies of a timeout in its third line checks nothing after it.

    ## Example that fails
    ```html
    index.html:
    <!doctype html><html><body><svg viewBox="0 0 900 460"><defs><linearGradient id="sky"/></defs></svg>
    <button id="sky">Night</button></body></html>
    tools/audit.js:
    const { chromium } = require("playwright");
    (async () => {
      const page = await (await chromium.launch()).newPage();
      await page.click("#sky");
    })();
    ```

    ## Example that passes
    ```html
    index.html:
    <!doctype html><html><body><svg viewBox="0 0 900 460"><defs><linearGradient id="dusk"/></defs></svg>
    <button id="sky">Night</button></body></html>
    tools/audit.js:
    const { chromium } = require("playwright");
    (async () => {
      const page = await (await chromium.launch()).newPage();
      await page.click("#sky");
    })();
    ```
    """
    tools = evidence.derived(read_tools)
    found: list[Finding] = []
    for name in NAMES:
        file, finding = _tool_or_finding(tools, name)
        if finding is not None:
            found.append(finding)
        elif file is not None:
            found += _unloadable(evidence, tools, file)
    from .tool_selectors import unmet

    found += unmet(evidence, tools)
    audit = tools.file("audit")
    if audit is not None:
        found += _failing(evidence, tools, audit)
    yield from found
    if any(one.severity is Severity.ERROR for one in found):
        sure = any(one.confidence is Confidence.CERTAIN for one in found)
        yield Verdict.failed(confidence=Confidence.CERTAIN if sure else Confidence.LIKELY)
        return
    doubt = None
    if audit is not None:
        doubt = _asserted_and_broken(evidence, tools, audit) or _unsupported(tools, audit)
    if doubt is not None:
        yield doubt
    else:
        yield Verdict.passed("nothing in their source stops them", confidence=Confidence.LIKELY)


def _unloadable(evidence: Evidence, tools: Tools, file: ToolFile) -> Iterator[Finding]:
    """Imports of files that are not there."""
    for one in tools.program.closure(file):
        for source, nodes in one.imports.items():
            if not source.startswith(".") or not tools.program.runs(nodes[0]):
                continue
            base = posixpath.normpath(posixpath.join(posixpath.dirname(one.path), source))
            names = (base, *(f"{base}{end}" for end in (".js", ".json", ".cjs", ".mjs", "/index.js")))
            if not any(name in evidence.submission.files for name in names):
                yield Finding(f"there is no {base}: the tool dies when it starts", one.span(nodes[0]))


def _failing(evidence: Evidence, tools: Tools, audit: ToolFile) -> Iterator[Finding]:
    """What the audit asserts and other rules find broken."""
    for item in tools.items(audit):
        if item.status is not Status.CAN_FAIL or item.at is None or item.file is None:
            continue
        checks = [one for one in tools.checks(audit).assertions if one.site is item.at]
        for code in _ASSERTED.get(item.key, ()):
            ruling = _ruling(evidence, code)
            if ruling is None or not _fails(ruling):
                continue
            told = [f for f in ruling.findings if f.code == code and f.severity is Severity.ERROR]
            seen = [one for one in told if not _is_overlooked(evidence, tools, checks, one)]
            if told and not seen:
                continue
            yield Finding(
                f"the audit asserts {item.title}, and {code} fails: {seen[0].message if seen else 'see there'}",
                item.file.span(item.at),
                confidence=Confidence.LIKELY,
                data={"clause": code},
            )


def _is_overlooked(evidence: Evidence, tools: Tools, checks: list[Assertion], broken: Finding) -> bool:
    """Whether what is broken is one leg, and every check of the item reads other legs alone."""
    from .tool_sight import overlooks_leg

    leg = broken.data.get("leg")
    return isinstance(leg, str) and bool(checks) and all(overlooks_leg(evidence, tools, one, leg) for one in checks)


def _asserted_and_broken(evidence: Evidence, tools: Tools, audit: ToolFile) -> Verdict | None:
    """The doubt that a check may find what another rule finds; None when no check speaks of anything broken."""
    from .tool_claims import spoken_of

    # What feeds no row goes beyond the spec, or can be read either way: no reason to doubt an audit.
    others = [one for one in evidence.rubric.clauses.values() if any(row != _TOOLS_ROW for row in one.rows)]
    spoken = spoken_of(others, tools.items(audit), tools.checks(audit).assertions)
    for code in sorted(spoken.keys() & {one.code for one in others}):
        site = spoken[code]
        ruling = _ruling(evidence, code)
        if ruling is not None and (_fails(ruling) or _lacks_part(ruling)):
            if _is_of_unnamed_files(evidence, audit, ruling):
                continue
            what = "fails" if _fails(ruling) else "finds no such part"
            return Verdict.unknown(
                Reason.NEEDS_BROWSER,
                f"the audit speaks of {evidence.rubric.clauses[code].name}, and {code} {what}: whether its check fails "
                "shows when it runs",
                span=site.home.file.span(site),
            )
    return None


def _is_of_unnamed_files(evidence: Evidence, audit: ToolFile, ruling: Ruling) -> bool:
    """Whether all that is broken are files that are not there, and that neither the page nor the audit names."""
    missing = [finding.data.get("file") for finding in ruling.findings]
    names = [posixpath.basename(path) for path in missing if isinstance(path, str)]
    if not names or len(names) < len(missing) or any(name in audit.script.text for name in names):
        return False
    texts = [evidence.page.source.text, *(sheet.sheet.source.text for sheet in evidence.stylesheets)]
    texts += [script.script.text for script in evidence.scripts]
    return not any(name in text for name in names for text in texts)


def _unsupported(tools: Tools, audit: ToolFile) -> Verdict | None:
    """The doubt that a check fails on a sound page; None when its source gives no reason for one."""
    why = unsupported(tools, audit)
    if why is None:
        return None
    said, node = why
    return Verdict.unknown(
        Reason.NEEDS_BROWSER, f"{said}: whether it fails shows when it runs", span=node.home.file.span(node)
    )


def _ruling(evidence: Evidence, code: str) -> Ruling | None:
    """What another rule says; from the judging that is under way, where it has got so far."""
    from husky_lint.packs import load_pack

    told = evidence.derived(told_so_far).get(code)
    if told is not None:
        return told
    pack = load_pack("husky")
    other = pack.rules.get(code)
    return None if other is None else run_rule(other, evidence, pack.parameters(other))


def _lacks_part(ruling: Ruling) -> bool:
    return any(verdict.reason in (Reason.ROLE_NOT_FOUND, Reason.AMBIGUOUS_ROLE) for verdict in ruling.verdicts.values())


def _fails(ruling: Ruling) -> bool:
    return any(verdict.judgement is Judgement.FAIL for verdict in ruling.verdicts.values())
