"""The three favicons: real files with a size, swapped by script with the theme (spec §2.6)."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from husky_lint.references import Place, clean_url, place_of, resolve
from husky_lint.rule import Edit, Finding, Fix, Reason, Related, Severity, Undecided, Verdict, rule
from husky_lint.scene.graph import SHAPES
from husky_lint.script.journal import applied
from husky_lint.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from husky_lint.evidence import Evidence
    from husky_lint.parse.html import HtmlDocument
    from husky_lint.style.page_state import PageState

_LENGTH = re.compile(r"\s*\+?(\d*\.?\d+(?:e[-+]?\d+)?)(?:px|pt|pc|mm|cm|in|em|rem|ex|q)?\s*\Z", re.IGNORECASE)
_DRAWN = SHAPES | {"text", "image", "use"}


@rule("HB2609")
def favicon_size(evidence: Evidence, favicons: Sequence[str]) -> Iterator[Finding | Verdict]:
    """A favicon has no size of its own, or is not a real icon.

    ## What it checks
    The root of favicon.svg and of favicon-night.svg carries `width` and `height`, both lengths above zero; each is
    well-formed SVG and draws something. favicon.ico is an icon by its content: a directory with images inside the file.

    ## Why it matters
    "An SVG with only a viewBox rasterises blank": the tab shows nothing.

    ## Example that fails
    ```
    favicon.svg:
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle r="9"/></svg>
    ```

    ```
    favicon.ico:
    placeholder
    ```

    ## Example that passes
    ```
    favicon.svg:
    <svg xmlns="http://www.w3.org/2000/svg" height="32px" width="32" viewBox="0 0 64 64"><circle r="9"/></svg>
    ```
    """
    there = [path for path in favicons if path in evidence.submission.files]
    if not there:
        yield Verdict.not_applicable("there is no favicon; HB1001 says so")
        return
    for path in there:
        if path in evidence.svg_files:
            yield from _svg_problems(path, evidence.svg_files[path])
        else:
            yield from _icon_problems(evidence, path)


def _svg_problems(path: str, document: HtmlDocument) -> Iterator[Finding]:
    root = document.root
    if root.tag != "{http://www.w3.org/2000/svg}svg":
        yield Finding(f"{path} has no <svg> in the SVG namespace as its root: browsers show nothing", Span(path, 0, 0))
        return
    box = re.split(r"[\s,]+", (root.get("viewBox") or "").strip())
    for name, place in (("width", 2), ("height", 3)):
        value = root.get(name)
        match = _LENGTH.match(value) if value is not None else None
        if match is not None and float(match[1]) > 0:
            continue
        span = document.attribute_span(root, name)
        fix = None
        if value is None and len(box) == 4 and _LENGTH.match(box[place]):
            end = document.spans(root).start_tag.start + len("<svg")
            if document.source.text[end - 4 : end] == "<svg":
                insertion = Edit(Span(path, end, end), f' {name}="{box[place]}"')
                fix = Fix(f"add {name}", (insertion,))
        told = f"no {name}" if value is None else f"{name}={value!r}"
        yield Finding(
            f'{path} has {told} on its root: the tab may show a blank icon; write a length such as {name}="64"',
            span,
            fix=fix,
            data={"measured": value},
        )
    for error in document.errors:
        yield Finding(f"{path}: {error.message}", error.span)
    if not any(str(element.tag).rpartition("}")[2] in _DRAWN for element in document.elements):
        yield Finding(f"{path} draws nothing", document.spans(root).start_tag)


def _icon_problems(evidence: Evidence, path: str) -> Iterator[Finding]:
    icon = evidence.icons.get(path)
    start = Span(path, 0, 0)
    if icon is None:
        return
    for problem in icon.problems:
        yield Finding(f"{path}: {problem[0].lower()}{problem[1:]}", start)
    if icon.kind == "svg" and not icon.problems:
        yield Finding(f"{path} is an SVG under another name: no binary fallback", start)
    elif icon.kind == "png" and path.endswith(".ico"):
        yield Finding(f"{path} is a PNG, not an ICO; browsers take it all the same", start, Severity.WARNING)


@dataclass(frozen=True, slots=True)
class _Icons:
    """The icons that a page shows in a state: addresses of ``<link rel=icon>``, and one such link."""

    hrefs: tuple[str, ...]
    span: Span | None


@rule("HB2610")
def favicon_swap(evidence: Evidence, favicons: Sequence[str]) -> Iterator[Finding]:
    """Script does not swap the day and the night icon.

    ## What it checks
    The `<link rel="icon">` elements of the page by day and by night: turning the page to night by its own control makes
    script show favicon-night.svg, and turning it back shows favicon.svg. Both files are there.

    ## Why it matters
    "Real files, swapped day/night by JS": a media query follows the system, not the page.

    ## Example that fails
    ```html
    <button id="sky">Night</button>
    <script>
    document.getElementById("sky").onclick = function () {
      var root = document.documentElement;
      root.dataset.theme = root.dataset.theme === "night" ? "day" : "night";
    };
    </script>
    ```

    ## Example that passes
    ```html
    <button id="sky">Night</button>
    <script>
    document.getElementById("sky").onclick = function () {
      var night = document.documentElement.dataset.theme !== "night";
      document.documentElement.dataset.theme = night ? "night" : "day";
      document.getElementById("favicon").href = night ? "favicon-night.svg" : "favicon.svg";
    };
    </script>
    ```
    """
    states = evidence.states
    day, night = (_theme_state(evidence, value) for value in ("day", "night"))
    by_day, by_night = _icons(evidence, day), _icons(evidence, night)
    way = next((e for e in states.evidence("theme", "night") if e.source in ("control", "key")), None)
    unclear = next(
        (e for e in evidence.script.all_effects if e.kind == "favicon" and not isinstance(e.value, str)), None
    )
    related = (Related(way.span, "script turns the page to night here"),) if way is not None and way.span else ()
    if set(by_day.hrefs) == set(by_night.hrefs):
        if unclear is not None:
            raise Undecided(Reason.DYNAMIC_VALUE, "the icon's address is known at run time only", unclear.span)
        shown = ", ".join(by_day.hrefs) or "none"
        yield Finding(f"the icon is the same by day and by night: {shown}", by_day.span, related=related)
        return
    wanted = {posixpath.basename(path): path for path in favicons}
    night_only = [href for href in by_night.hrefs if href not in by_day.hrefs]
    day_only = [href for href in by_day.hrefs if href not in by_night.hrefs]
    for href, theme in ((href, theme) for theme, hrefs in (("day", day_only), ("night", night_only)) for href in hrefs):
        path = resolve(href, evidence.page.source.path)
        span = _written_at(evidence, href) or by_day.span
        if place_of(href) is not Place.LOCAL or path is None:
            yield Finding(f"by {theme} the icon is {href[:60]!r}, not one of the files", span)
        elif path not in evidence.submission.files:
            yield Finding(f"by {theme} the icon is {href!r}, which is not there", span)
        elif ("night" in path) != (theme == "night") and path in wanted.values():
            yield Finding(f"by {theme} the icon is {href!r}: the two are exchanged", span)
    if not night_only:
        yield Finding("by night the page only loses an icon", by_night.span or by_day.span, related=related)


def _theme_state(evidence: Evidence, value: str) -> PageState:
    states = evidence.states
    state = states.state(theme=value)
    ways = {given.source for given in states.evidence("theme", value)}
    if "theme" in state.unknown or (state is not states.initial and not ways & {"control", "key", "load"}):
        reason = state.unknown.get("theme", "state-not-found")
        raise Undecided(Reason(reason), f"no control was found that turns the page to {value}")
    return state


def _icons(evidence: Evidence, state: PageState) -> _Icons:
    """What ``<link>`` elements say in a state: the icons in force, in document order."""
    found: list[str] = []
    span = None
    with applied(state.mutations):
        for element in evidence.page.root.iter("{http://www.w3.org/1999/xhtml}link"):
            rel = (element.get("rel") or "").lower().split()
            href = element.get("href")
            if "icon" in rel and href and _media_holds(element.get("media"), state):
                found.append(clean_url(href))
                span = span or evidence.element_span(element)
    return _Icons(tuple(found), span)


def _media_holds(media: str | None, state: PageState) -> bool:
    if not media:
        return True
    from tinycss2 import parse_component_value_list

    from husky_lint.style.media import evaluate_media

    return evaluate_media(parse_component_value_list(media), state.media)


def _written_at(evidence: Evidence, href: str) -> Span | None:
    for effect in evidence.script.all_effects:
        if (
            effect.kind in ("favicon", "attribute")
            and isinstance(effect.value, str)
            and clean_url(effect.value) == href
        ):
            return effect.span
    return None
