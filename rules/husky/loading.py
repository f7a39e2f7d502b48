"""What the page loads, and whether it can from ``file://`` without a network (spec §1)."""

from __future__ import annotations

import json
import posixpath
import re
from typing import TYPE_CHECKING

from husky_lint.references import Kind, Place, place_of
from husky_lint.rule import Confidence, Edit, Finding, Fix, Reason, Severity, Undecided, rule
from husky_lint.script.requests import Mention, script_requests, unreached_requests
from husky_lint.source import Span

from .loads import READING, Load, page_loads, unused_style_loads

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from husky_lint.evidence import Evidence
    from husky_lint.script.effects import Effect

_CODE_KINDS = frozenset({Kind.SCRIPT, Kind.STYLESHEET, Kind.IMPORT})
_API = re.compile(r"\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts)\s*\(")
_NAMESPACES = re.compile(r"https?://www\.w3\.org/", re.IGNORECASE)
_FAILS_UNREAD = frozenset({Kind.STYLESHEET, Kind.SCRIPT, Kind.IMAGE, Kind.MEDIA})
_SERVED = re.compile(
    r"""protocol\s*!==?\s*["']file:|["']file:["']\s*!==?|protocol[^;{}]{0,40}["'/^(]https?""", re.IGNORECASE
)
_CAUGHT = re.compile(r"[^;{}]{0,200}?\.catch\s*\(", re.DOTALL)


@rule("HB1004")
def runtime_dependency(evidence: Evidence) -> Iterator[Finding]:
    """The page depends on code from elsewhere, or on a package manager or module loader.

    ## What it checks
    No `<script>`, style sheet, `@import` or module comes from another host; there is no import map, no bare module
    specifier (`import "three"`), no `require`, and no package.json outside `tools/`.

    ## Why it matters
    "No runtime dependencies, no build step": the page is what its own files are, today and in ten years.

    ## Example that fails
    ```html
    <script src="https://cdn.example.com/gsap.min.js"></script>
    ```

    ```html
    <script type="importmap">{ "imports": { "three": "./three.js" } }</script>
    ```

    ```js
    var gsap = require("gsap");
    ```

    ```html
    <script type="module">import { gsap } from "gsap";</script>
    ```

    ## Example that passes
    ```js
    if (typeof require === "function") { require("gsap"); }
    ```
    """
    for element in evidence.page.elements:
        if str(element.tag).endswith("}script") and (element.get("type") or "").strip().lower() == "importmap":
            yield Finding("an import map: the page's modules are not its own files", evidence.element_span(element))
    for load in page_loads(evidence):
        foreign = load.place is Place.NETWORK
        if load.how == "import" and (foreign or _is_bare(load.url)):
            which = "from another host" if foreign else "a bare specifier, which only a bundler or import map resolves"
            yield Finding(f"imports {load.url!r}: {which}", load.span, confidence=load.confidence)
        elif load.kind in _CODE_KINDS and foreign:
            yield Finding(
                f"{load.what} from another host: {load.url!r}; keep it in the page's own files",
                load.span,
                confidence=load.confidence,
                data={"url": load.url},
            )
    for effect in evidence.script.all_effects:
        if effect.kind == "throw" and effect.name == "ReferenceError" and "require is not" in str(effect.value):
            yield Finding("require() does not exist in a browser", effect.span, confidence=_sure(effect))
    for path, file in evidence.submission.files.items():
        if posixpath.basename(path) == "package.json" and not path.startswith("tools/"):
            needs = ", ".join(_dependencies(file.text.text)[:5])
            told = f" (it asks for {needs})" if needs else ""
            yield Finding(f"package.json outside tools/{told}: the page may need no package", _start_of(path))
    _stop_at_limit(evidence)


@rule("HB1005")
def network_call(evidence: Evidence) -> Iterator[Finding]:
    """The page loads something from the network.

    ## What it checks
    No `http(s):`, `ws(s):` or protocol-relative URL is loaded: by `<link>`, `src`, `srcset`, `@import`, `url()` or
    `@font-face` of a rule that applies, nor by script: `fetch`, `XMLHttpRequest`, `WebSocket`, `EventSource`,
    `sendBeacon`, `import()`, workers, images, style sheets and markup that script makes. Namespaces, comments,
    `<a href>` and functions that nothing calls load nothing.

    ## Why it matters
    "Runs offline. No fonts, CDNs, or network calls."

    ## Example that fails
    ```html
    <link rel="stylesheet" href="//fonts.example.com/css?family=Paws">
    ```

    ```css
    @font-face { font-family: Paws; src: url(https://example.com/paws.woff2); }
    body { font-family: Paws, sans-serif; }
    ```

    ```js
    var beacon = new Image();
    beacon.src = ["https:", "", "example.com", "hit.gif"].join("/");
    ```

    ## Example that passes
    ```html
    <p>Drawn after <a href="https://example.com/husky">a real one</a>.</p>
    ```
    """
    for load in page_loads(evidence):
        if load.place is Place.NETWORK:
            when = "" if load.trigger == "load" else f" on {load.trigger}"
            yield Finding(
                f"{load.what} from the network{when}: {load.url!r}; the page has to run offline",
                load.span,
                confidence=load.confidence,
                data={"url": load.url},
            )
    for reference in unused_style_loads(evidence):
        if reference.place is Place.NETWORK:
            yield Finding(
                f"{reference.url!r} would come from the network, but the rule applies to nothing",
                reference.span,
                Severity.INFO,
                code="HB9001",
                name="decoy",
            )
    yield from _decoys(evidence)
    for load in page_loads(evidence):
        if not load.whole and load.place is Place.OTHER and load.how:
            raise Undecided(Reason.DYNAMIC_VALUE, f"what {load.what} loads is known at run time only", load.span)
    for effect in evidence.script.all_effects:
        if effect.kind == "unknown" and (url := _network_argument(effect)) is not None:
            raise Undecided(
                Reason.DYNAMIC_VALUE, f"{url!r} is handed to something that cannot be followed", effect.span
            )
    _stop_where_unreached(evidence, (Place.NETWORK,))
    _stop_at_limit(evidence)


@rule("HB1006")
def breaks_on_file_url(evidence: Evidence) -> Iterator[Finding]:
    """Something works from a server only, not from a `file://` page.

    ## What it checks
    What a browser refuses to a page opened by `file://`: module scripts and imports of files, `crossorigin` and
    `integrity` on them, `fetch`, `XMLHttpRequest`, workers and service workers, an external `<use>`, filter or clip
    path, `history.pushState` to another path; and paths from the root (`/app.js`) or of one machine (`file:///…`).

    ## Why it matters
    "index.html opened directly (file://) must work": the page is judged that way.

    ## Example that fails
    ```html
    <script type="module" src="app.js"></script>
    ```

    ```html
    <link rel="stylesheet" href="/styles.css">
    ```

    ```js
    fetch("./paces.json").then(function (answer) { return answer.json(); });
    ```

    ## Example that passes
    ```js
    function load() { return fetch("paces.json"); }
    ```

    ```html
    <script type="module">document.title = "Husky";</script>
    ```
    """
    for load in page_loads(evidence):
        yield from _on_file_url(evidence, load)
    for effect in evidence.script.all_effects:
        if effect.kind == "history" and effect.name in ("pushState", "replaceState"):
            url = effect.value[2] if isinstance(effect.value, tuple) and len(effect.value) > 2 else None
            if isinstance(url, str) and place_of(url) in (Place.LOCAL, Place.ROOT) and not url.startswith("?"):
                yield Finding(
                    f"history.{effect.name}({url!r}) throws on a file: page; change the fragment only",
                    effect.span,
                    confidence=Confidence.LIKELY,
                )
    for load in page_loads(evidence):
        if load.how in READING and not load.whole and not load.url:
            raise Undecided(Reason.DYNAMIC_VALUE, f"what {load.what} reads is known at run time only", load.span)
    _stop_where_unreached(evidence, (Place.LOCAL, Place.ROOT, Place.FILE, Place.EMPTY))
    _stop_at_limit(evidence)


def _on_file_url(evidence: Evidence, load: Load) -> Iterator[Finding]:
    local = load.place in (Place.LOCAL, Place.ROOT, Place.FILE) or (
        load.how in READING and load.place is Place.EMPTY and load.whole
    )
    if not local or (load.how == "import" and _is_bare(load.url)) or _on_servers_only(evidence, load):
        return
    message = _refusal(load)
    fix = None
    severity = Severity.ERROR
    if message is None and load.place is Place.ROOT:
        message = f"{load.url!r} is a path from the root: of the disk, under file://"
        if load.span is not None and not load.how and evidence.submission.text(load.span.file) is not None:
            fix = _without_root(evidence, load)
    elif message is None and load.place is Place.FILE:
        message = f"{load.url!r} is a file of one machine"
    if message is None:
        return
    if load.how == "serviceWorker" and load.span is not None:
        source = evidence.submission.text(load.span.file)
        if source is not None and _CAUGHT.match(source.text, load.span.end):
            severity = Severity.WARNING
    yield Finding(message, load.span, severity, confidence=load.confidence, fix=fix, data={"url": load.url})


def _on_servers_only(evidence: Evidence, load: Load) -> bool:
    """Whether script asks for the protocol before it loads, and does so for a served page only."""
    source = evidence.submission.text(load.span.file) if load.span is not None and not load.certain else None
    if source is None or load.span is None:
        return False
    return _SERVED.search(source.text, max(load.span.start - 400, 0), load.span.start) is not None


def _refusal(load: Load) -> str | None:
    """Why Chromium does not load a local file on a file: page; None if it does. All of it tried there."""
    shown = repr(load.url) if load.whole else f"{load.url!r}…"
    if load.how == "serviceWorker":
        return f"a service worker ({shown}) cannot be registered from file://"
    if load.how == "sendBeacon":
        return f"sendBeacon({shown}) throws on a file: page"
    if load.how in ("Worker", "SharedWorker"):
        return f"a {load.how} ({shown}) cannot be started from file://"
    if load.how in READING:
        return f"{load.what} of {shown} is refused on a file: page (CORS); put the data into the script"
    if load.kind is Kind.SCRIPT and (load.attribute("type") or "").strip().lower() == "module":
        return f"the module {shown} is refused on a file: page (CORS); use a classic <script>"
    if load.kind is Kind.PRELOAD and "modulepreload" in (load.attribute("rel") or "").lower():
        return f"the module {shown} is refused on a file: page (CORS)"
    if load.kind in _FAILS_UNREAD:
        for name in ("crossorigin", "integrity"):
            if load.attribute(name) is not None:
                return f"{name} makes a file: page refuse {shown}; leave it out"
    if load.kind is Kind.USE or (load.kind is Kind.CSS_IMAGE and "#" in load.url):
        return f"{shown} lies in another file, which a file: page may not look into; put it inline"
    return None


def _without_root(evidence: Evidence, load: Load) -> Fix | None:
    source = evidence.submission.text(load.span.file) if load.span is not None else None
    if source is None or load.span is None or source.slice(load.span) != load.url:
        return None
    span = Span(load.span.file, load.span.start, load.span.start + 1)
    relative = load.url.lstrip("/")
    if relative not in evidence.submission.files:
        return None
    return Fix(f"write {relative}", (Edit(span, ""),), safe=False)


def _is_bare(specifier: str) -> bool:
    return bool(specifier) and place_of(specifier) is Place.LOCAL and not specifier.startswith((".", "/"))


def _sure(effect: Effect) -> Confidence:
    return Confidence.CERTAIN if effect.certain else Confidence.LIKELY


def _start_of(path: str) -> Span:
    return Span(path, 0, 0)


def _dependencies(text: str) -> list[str]:
    try:
        package = json.loads(text[:200_000])
    except (ValueError, RecursionError):
        return []
    names: list[str] = []
    if isinstance(package, dict):
        for key in ("dependencies", "devDependencies", "peerDependencies"):
            part = package.get(key)
            if isinstance(part, dict):
                names.extend(map(str, part))
    return names


def _network_argument(effect: Effect) -> str | None:
    """A network URL among the arguments of a call that is not followed."""
    if effect.name in ("open", "sendBeacon", "register", "write"):  # read as requests
        return None
    values = effect.value if isinstance(effect.value, tuple) else (effect.value,)
    for value in values:
        if isinstance(value, str) and place_of(value) is Place.NETWORK and not _NAMESPACES.match(value):
            return value[:200]
        if isinstance(value, str) and effect.name in ("setTimeout", "eval", "Function") and _API.search(value):
            return value[:200]
    return None


def _unreached(evidence: Evidence) -> tuple[Mention, ...]:
    """Network interfaces in code that no event was seen to reach."""
    handlers = " ".join(
        str(value) for e in evidence.page.elements for name, value in e.attrib.items() if str(name).startswith("on")
    )
    scripts = [page_script.script for page_script in evidence.scripts]
    made = script_requests(evidence.script.all_effects, evidence.page.root)
    return unreached_requests(scripts, made, handlers)


def _decoys(evidence: Evidence) -> Iterator[Finding]:
    for mention in evidence.derived(_unreached):
        if mention.dead:
            yield Finding(
                f"{mention.api} stands in a function that nothing calls",
                mention.span,
                Severity.INFO,
                code="HB9001",
                name="decoy",
            )


def _stop_where_unreached(evidence: Evidence, places: Collection[Place]) -> None:
    """Code that may run, though no event was seen to reach it, and that may load from such a place."""
    for mention in evidence.derived(_unreached):
        if not mention.dead and (mention.url is None or place_of(mention.url) in places):
            raise Undecided(
                Reason.DYNAMIC_VALUE,
                f"no event was seen to reach this {mention.api}, and nothing rules it out",
                mention.span,
            )


def _stop_at_limit(evidence: Evidence) -> None:
    if evidence.script.limit:
        raise Undecided(Reason.LIMIT, "what script does could not be followed to its end")
