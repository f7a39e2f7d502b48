"""The files of a submission: what must be there, what must not (spec §1)."""

from __future__ import annotations

import json
import posixpath
import re
from typing import TYPE_CHECKING

from husky_lint.evidence import UNREAD
from husky_lint.references import Kind, Place, clean_url
from husky_lint.rule import Confidence, Finding, PageMissing, Reason, Severity, Undecided, rule
from husky_lint.scene.graph import SHAPES
from husky_lint.source import Span

from .applied import single_states
from .loads import page_loads

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.submission import SubmissionFile

_CODE = frozenset({Kind.SCRIPT, Kind.STYLESHEET, Kind.IMPORT})
_RASTER = re.compile(r"\.(?:png|jpe?g|gif|webp|avif|bmp|ico|tiff?|apng|jxl)(?:[?#]|\Z)", re.IGNORECASE)
_RASTER_DATA = re.compile(r"data:image/(?!svg)", re.IGNORECASE)
_IMAGE_DATA = re.compile(r"data:image/", re.IGNORECASE)
_MAGIC = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM6", b"II*\0", b"MM\0*")
_FOREIGN_PICTURES = frozenset({"img", "picture", "canvas", "video", "object", "embed", "iframe", "frame"})
_BUILD_FILE = re.compile(
    r"(?:(?:vite|vitest|webpack|rollup|esbuild|babel|postcss|tailwind|svelte|next|nuxt|astro|snowpack|metro|rspack|"
    r"remix|gatsby)[.-]?config\.[\w.]+|gulpfile(?:\.\w+)*|gruntfile(?:\.\w+)*|tsconfig[\w.-]*\.json|jsconfig\.json|"
    r"\.babelrc(?:\.\w+)?|\.parcelrc|\.swcrc|\.postcssrc(?:\.\w+)?|turbo\.json|nx\.json|angular\.json|"
    r"package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)\Z",
    re.IGNORECASE,
)
_BUILT_SOURCE = re.compile(
    r"\.(?:ts|mts|cts|tsx|jsx|scss|sass|less|styl|stylus|vue|svelte|coffee|elm|pug|haml)\Z", re.IGNORECASE
)
_BUILT_TYPE = re.compile(r"(?:text|application)/(?:babel|jsx|typescript|tsx?|coffeescript|x-handlebars.*)|ts\Z")
_PLAYWRIGHT = re.compile(
    r"""(?:require\s*\(\s*|from\s*|import\s*\(?\s*)["'`](@?playwright[\w./-]*)["'`]""", re.IGNORECASE
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_SCRIPT_FILE = re.compile(r"\.(?:[cm]?[jt]sx?|html?)\Z", re.IGNORECASE)
_FENCE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|<!--.*?-->", re.DOTALL | re.MULTILINE)
_TEMPLATE = re.compile(
    r"lorem ipsum|\bTODO\b|\bTBD\b|\{\{[^}]*\}\}|your project (?:name|title)|project title", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]{2,}")


def _start(path: str) -> Span:
    return Span(path, 0, 0)


@rule("HB1001")
def required_file(evidence: Evidence, files: Sequence[str], tools: Sequence[str]) -> Iterator[Finding]:
    """A file of the submission is missing or empty.

    ## What it checks
    The ten files are there by their exact names and hold something: index.html, styles.css, app.js, the three favicons,
    README.md and the three tools; and whatever else index.html loads is there too. Without the page, its styles or its
    scripts row 1 fails; without one of the tools row 14 does.

    ## Why it matters
    The page is opened and its tools are run by name.

    ## Example that fails
    ```
    favicon-night.svg: absent
    ```

    ```html
    <script src="paces.js"></script>
    ```

    ## Example that passes
    ```html
    <p>Nothing else is loaded.</p>
    ```
    """
    present = evidence.submission.files
    loaded = _loaded_paths(evidence)
    for path in files:
        file = present.get(path)
        if file is not None and not _is_empty(file):
            continue
        row = 14 if path in tools else 1
        core = path in tools or path == evidence.submission.page or path in loaded or path == files[0]
        if file is None:
            _stop_if_unread(evidence, path)
            yield Finding(f"{path} is missing{_look_alike(path, present)}", row=row, core=core, data={"file": path})
        else:
            yield Finding(f"{path} is empty", _start(path), row=row, core=core, data={"file": path})
    for path, (span, kind) in loaded.items():
        if path not in present and path not in files:
            core = kind in _CODE
            yield Finding(
                f"{path} is loaded and not there{_look_alike(path, present)}",
                span,
                row=1,
                core=core,
                data={"file": path},
            )


def _loaded_paths(evidence: Evidence) -> dict[str, tuple[Span | None, Kind]]:
    """The submission's files that the page loads, by path, with the place that does; code first."""
    found: dict[str, tuple[Span | None, Kind]] = {}
    try:
        loads = page_loads(evidence)
    except (PageMissing, Undecided):
        return found
    for load in loads:
        if load.path is not None and load.kind is not Kind.REFRESH and load.certain:
            known = found.get(load.path)
            if known is None or (known[1] not in _CODE and load.kind in _CODE):
                found[load.path] = (load.span, load.kind)
    return {path: found[path] for path in found if found[path][1] is not Kind.ICON}


def _is_empty(file: SubmissionFile) -> bool:
    return file.size == 0 or (not file.omitted and file.size < 10_000 and not file.raw.strip(b" \t\r\n\xef\xbb\xbf\0"))


def _stop_if_unread(evidence: Evidence, path: str) -> None:
    for problem in evidence.submission.problems:
        if problem.key in UNREAD and problem.path in (path, None):
            raise Undecided(Reason.LIMIT, f"{path}: {problem.message}")


def _look_alike(path: str, present: object) -> str:
    name = posixpath.basename(path).lower()
    for other in present if hasattr(present, "__iter__") else ():
        if posixpath.basename(other).lower() == name:
            return f"; {other} is there"
    return ""


@rule("HB1002")
def unexpected_image(evidence: Evidence, favicons: Sequence[str]) -> Iterator[Finding]:
    """There is an image beside the three favicons.

    ## What it checks
    No raster or vector image file but favicon.svg, favicon-night.svg and favicon.ico, under any name, and no image in
    a `data:` URI, in markup, in a style that applies, or set by script.

    ## Why it matters
    "The only image files in the project are the three favicons": everything seen is drawn in the page.

    ## Example that fails
    ```
    tools/walk.svg:
    <svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>
    ```

    ```css
    body { background: url("data:image/png;base64,iVBORw0KGgo="); }
    ```

    ## Example that passes
    ```css
    .never-used { background: url("data:image/png;base64,iVBORw0KGgo="); }
    ```
    """
    images = set(evidence.image_files)
    for path, file in evidence.submission.files.items():
        if path in favicons:
            continue
        if path in images:
            yield Finding(f"{path}: the only image files are {', '.join(favicons)}", _start(path), data={"file": path})
        elif file.raw.startswith(_MAGIC) or (file.raw[:4] == b"RIFF" and file.raw[8:12] == b"WEBP"):
            yield Finding(f"{path} is an image under another name", _start(path), data={"file": path})
    for load in page_loads(evidence):
        if load.place is Place.DATA and _IMAGE_DATA.match(clean_url(load.url)):
            shown = load.url[:40]
            instead = "name one of the favicon files" if "icon" in load.what else "draw it in the page"
            yield Finding(f"{load.what} embedded as {shown!r}…: {instead}", load.span, confidence=load.confidence)


@rule("HB1003")
def scene_not_inline_svg(evidence: Evidence) -> Iterator[Finding]:
    """The scene is not, or not only, one inline `<svg>` of index.html.

    ## What it checks
    index.html holds an inline `<svg>` with something drawn in it. Nothing that is displayed is an `<img>`, `<picture>`,
    `<canvas>` (2D or WebGL), `<video>`, `<object>`, `<embed>`, `<iframe>` or SVG `<image>`, whether markup has it or
    script makes it, and no style that applies paints a raster image.

    ## Why it matters
    The benchmark is about drawing in inline SVG: only that can be measured and themed part by part.

    ## Example that fails
    ```html
    <canvas width="900" height="460"></canvas>
    ```

    ```html
    <image href="husky.png" width="300" height="200"/>
    ```

    ```js
    document.body.appendChild(document.createElement("canvas")).getContext("webgl");
    ```

    ## Example that passes
    ```js
    function offscreen() { return document.createElement("canvas"); }
    ```
    """
    page = evidence.page
    if not any(str(element.tag) == "{http://www.w3.org/2000/svg}svg" for element in page.elements):
        made = [e for e in evidence.script.effects if e.kind == "insert" and _holds_svg(e.value)]
        if not made:
            yield Finding(f"{evidence.submission.page} has no inline <svg>")
            return
        yield Finding("the <svg> is made by script, not written inline in the page", made[0].span, Severity.WARNING)
    elif not any(node.name in SHAPES for node in evidence.scene.nodes):
        yield Finding("the inline <svg> has nothing in it", evidence.element_span(evidence.scene.root.element))
    for element in page.elements:
        name = _picture_name(element)
        if name is not None and _is_displayed(evidence, element):
            yield Finding(f"<{name}> in the page: the scene is inline SVG only", evidence.element_span(element))
    seen: set[tuple[str, Span | None]] = set()
    for effect in evidence.script.all_effects:
        if effect.kind != "insert" or not hasattr(effect.value, "iter"):
            continue
        for element in effect.value.iter("*"):
            name = _picture_name(element)
            if name is not None and (name, effect.span) not in seen and not _is_page_element(evidence, element):
                seen.add((name, effect.span))
                sure = Confidence.CERTAIN if effect.certain and effect.trigger == "load" else Confidence.LIKELY
                yield Finding(f"script puts a <{name}> into the page", effect.span, confidence=sure)
    for load in page_loads(evidence):
        if load.kind is Kind.CSS_IMAGE and (_RASTER.search(load.url) or _RASTER_DATA.match(load.url)):
            yield Finding(f"a style paints the raster image {load.url[:60]!r}", load.span, confidence=load.confidence)
    if evidence.script.limit:
        raise Undecided(Reason.LIMIT, "what script does could not be followed to its end")


def _picture_name(element: _Element) -> str | None:
    namespace, _, name = str(element.tag).rpartition("}")
    if namespace.endswith("svg"):
        return "image" if name == "image" else None
    return name if name in _FOREIGN_PICTURES else None


def _holds_svg(node: object) -> bool:
    return hasattr(node, "iter") and any(True for _ in node.iter("{http://www.w3.org/2000/svg}svg"))


def _is_page_element(evidence: Evidence, element: _Element) -> bool:
    return evidence.page.root in element.iterancestors()


def _is_displayed(evidence: Evidence, element: _Element) -> bool:
    """Whether an element of the page is displayed in some state."""
    for state in single_states(evidence):
        styled = evidence.style(state)
        if element in styled:
            chain = [element, *element.iterancestors()]
            if not any(styled.computed(above).keyword("display") == "none" for above in chain):
                return True
    return False


@rule("HB1007")
def build_step(evidence: Evidence) -> Iterator[Finding]:
    """The project is made to be built.

    ## What it checks
    Outside `tools/` there is no configuration of a bundler, compiler or package manager, no source that a browser
    cannot run (TypeScript, JSX, SCSS, …), no `<script>` of such a type, and no node_modules.

    ## Why it matters
    "No runtime dependencies, no build step": what is judged is what was written.

    ## Example that fails
    ```
    vite.config.js:
    export default {};
    ```

    ```
    src/styles.scss:
    $ink: #222; body { color: $ink; }
    ```

    ## Example that passes
    ```
    tools/package.json:
    { "devDependencies": { "playwright": "^1.48.0" } }
    ```
    """
    for path in evidence.submission.files:
        if path.startswith("tools/"):
            continue
        if _BUILD_FILE.match(posixpath.basename(path)):
            yield Finding(f"{path} configures a build; the page has none", _start(path))
        elif _BUILT_SOURCE.search(path):
            yield Finding(f"{path} has to be compiled before a browser takes it", _start(path))
    for problem in evidence.submission.problems:
        where = problem.path or ""
        if problem.key == "skipped-folder" and "node_modules" in where and not where.startswith("tools/"):
            yield Finding(f"{where} outside tools/: the page needs no package", data={"folder": where})
    for element in evidence.page.elements:
        name = str(element.tag).rpartition("}")[2]
        kind = (element.get("type") or "").strip().lower()
        if name == "script" and _BUILT_TYPE.match(kind):
            yield Finding(f'<script type="{kind}"> has to be compiled', evidence.attribute_span(element, "type"))
        elif name == "link" and (element.get("rel") or "").lower().startswith("stylesheet/"):
            yield Finding("a style sheet that has to be compiled", evidence.attribute_span(element, "rel"))


@rule("HB1008")
def playwright_outside_tools(evidence: Evidence) -> Iterator[Finding]:
    """Playwright is used outside `tools/`.

    ## What it checks
    No script, page or package file outside `tools/` imports, requires or asks for Playwright. A README may speak of it.

    ## Why it matters
    "Playwright is allowed only under tools/": the page must not know that it is tested.

    ## Example that fails
    ```
    check.mjs:
    import { chromium } from "playwright";
    ```

    ```
    package.json:
    { "devDependencies": { "@playwright/test": "^1.48.0" } }
    ```

    ## Example that passes
    ```js
    // playwright is not used here: require("playwright") would be wrong
    ```
    """
    for path, file in evidence.submission.files.items():
        if path.startswith("tools/") or file.omitted:
            continue
        name = posixpath.basename(path).lower()
        if name.startswith("playwright.config"):
            yield Finding(f"{path} configures Playwright outside tools/", _start(path))
        elif _SCRIPT_FILE.search(name):
            yield from _playwright_imports(file)
        elif name in ("package.json", "package-lock.json") and "playwright" in _asked_for(file.text.text):
            place = file.text.text.find("playwright")
            yield Finding(f"{path} asks for Playwright outside tools/", Span(path, place, place + len("playwright")))
        elif name.endswith((".yml", ".yaml", ".sh")) and "playwright" in file.text.text.lower():
            yield Finding(f"{path} runs Playwright outside tools/", _start(path), Severity.WARNING)


def _playwright_imports(file: SubmissionFile) -> Iterator[Finding]:
    text = file.text.text
    if "playwright" not in text.lower():
        return
    comments = [match.span() for match in _COMMENT.finditer(text)]
    for match in _PLAYWRIGHT.finditer(text):
        if not any(start <= match.start() < end for start, end in comments):
            yield Finding(f"{match[1]} is used outside tools/", Span(file.path, match.start(), match.end()))


def _asked_for(text: str) -> str:
    try:
        package = json.loads(text[:1_000_000])
    except (ValueError, RecursionError):
        return ""
    if not isinstance(package, dict):
        return ""
    keys = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "packages")
    return " ".join(" ".join(map(str, part)) for part in map(package.get, keys) if isinstance(part, dict))


@rule("HB1011")
def readme(evidence: Evidence, least_words: int) -> Iterator[Finding]:
    """README.md does not describe the page.

    ## What it checks
    README.md is there and says in prose, of at least 20 words, what the page is; code blocks do not count, and no
    template text is left in it.

    ## Why it matters
    The spec asks for a "user-facing description".

    ## Example that fails
    ```markdown
    # TODO
    ```

    ## Example that passes
    ```markdown
    # Husky walk

    A husky walks through a scrolling park. Open index.html; the four buttons change the pace, and the moon button
    turns the page to night, which is remembered.
    ```
    """
    name = "README.md"
    source = evidence.submission.text(name)
    if source is None:
        yield Finding(f"{name} is missing")
        return
    prose = _FENCE.sub(" ", source.text)
    words = len(_WORD.findall(prose))
    if words < least_words:
        yield Finding(
            f"{name} has {words} words of prose, expected at least {least_words}", _start(name), data={"words": words}
        )
    if left := _TEMPLATE.search(prose):
        yield Finding(f"template text is left in {name}: {left[0]!r}", _start(name), Severity.WARNING)
