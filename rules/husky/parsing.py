"""What a browser cannot read as written (spec §1: no console errors)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from husky_lint.animation.transforms import parse_transform_attribute
from husky_lint.parse.css import AtRule, StyleRule
from husky_lint.parse.problems import LIMIT
from husky_lint.rule import Confidence, Finding, Reason, Severity, Undecided, rule
from husky_lint.scene.graph import parse_view_box
from husky_lint.scene.paths import parse_numbers, parse_path
from husky_lint.style.grammar import check_declaration, check_descriptor, property_info
from husky_lint.style.words import words

from .applied import single_states

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.parse.css import Declaration, Stylesheet
    from husky_lint.parse.html import HtmlDocument
    from husky_lint.parse.problems import ParseProblem

#: Of the HTML parser's errors those at which it throws something away; the others it repairs without a loss.
_LOSSES = frozenset(
    {
        "duplicate-attribute",
        "unmatched-end-tag",
        "ignored-start-tag",
        "foster-parented",
        "non-void-html-element-start-tag-with-trailing-solidus",
        "eof-in-tag",
        "eof-in-comment",
        "eof-before-tag-name",
        "eof-in-script-html-comment-like-text",
        "unexpected-question-mark-instead-of-tag-name",
        "incorrectly-opened-comment",
        "cdata-in-html-content",
        "missing-end-tag-name",
        "unexpected-null-character",
    }
)
_PREFIXED = re.compile(r"-(?:webkit|moz|ms|o|khtml|apple)-", re.IGNORECASE)
_SVG = "{http://www.w3.org/2000/svg}"
_SVG_LENGTH = re.compile(
    r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?:%|px|em|rem|ex|ch|pt|pc|cm|mm|in|q|vw|vh|vmin|vmax)?\s*\Z",
    re.IGNORECASE,
)
_POSITIVE = frozenset({"width", "height", "r", "rx", "ry"})
_LENGTHS = {
    **dict.fromkeys(("rect", "svg", "use", "image", "foreignObject"), ("x", "y", "width", "height")),
    "circle": ("cx", "cy", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
    "line": ("x1", "y1", "x2", "y2"),
}
_CSS_VALUE = re.compile(r"\s*(?:calc|min|max|clamp|var|auto)\b", re.IGNORECASE)
_SVG_TAGS = words(
    """
    a animate animateMotion animateTransform circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer
    feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB
    feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting
    feSpotLight feTile feTurbulence filter foreignObject g image line linearGradient marker mask metadata mpath path
    pattern polygon polyline radialGradient rect script set stop style svg switch symbol text textPath title tspan use
    view
    """
)
_PRESENTED = words(
    """
    clip-path clip-rule color cursor display dominant-baseline fill fill-opacity fill-rule filter flood-color
    flood-opacity font-family font-size font-style font-weight letter-spacing lighting-color marker-end marker-mid
    marker-start mask opacity overflow paint-order pointer-events shape-rendering stop-color stop-opacity stroke
    stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
    text-anchor text-decoration transform-origin vector-effect visibility
    """
)
_UNITLESS = frozenset({"font-size", "letter-spacing", "stroke-dashoffset", "stroke-dasharray", "transform-origin"})
_MAX_DEPTH = 200


@rule("HB1009")
def parse_error(evidence: Evidence) -> Iterator[Finding]:
    """A browser cannot read something as written: it logs an error, or drops it.

    ## What it checks
    A syntax error in a script of the page decides the row: a browser runs none of it. Else: HTML at which the parser
    throws something away (a stray end tag, an attribute twice), CSS rules and declarations that Chromium drops (an
    unknown property, an invalid value or selector), SVG attributes that it logs as errors (path data, transforms,
    lengths), and favicons that are no XML. Names with a vendor's prefix, and a value that the same rule replaces, are
    dropped on purpose.

    ## Why it matters
    What is dropped is not what was meant, and nothing says so on the screen.

    ## Example that fails
    ```js
    var paces = ["stroll", "walk";
    ```

    ```css
    .dog { colour: #333; }
    ```

    ```css
    .dog >> .tail { fill: #333; }
    ```

    ```html
    <path d="M0 340 L nowhere"/>
    ```

    ```html
    <div class="card" class="wide">A card.</div></section>
    ```

    ## Example that passes
    ```css
    .card { -webkit-font-smoothing: antialiased; height: 100vh; height: 100dvh; }
    ```
    """
    yield from _script_problems(evidence)
    page = evidence.page
    for error in page.errors:
        if error.code != LIMIT:
            loses = error.code in _LOSSES or (error.code == "unclosed-element" and error.message.startswith("<s"))
            loses = loses and not error.message.startswith("<svg")
            yield Finding(error.message, error.span, Severity.ERROR if loses else Severity.WARNING)
    for page_sheet in evidence.stylesheets:
        yield from _sheet_problems(page_sheet.sheet, Confidence.CERTAIN)
    for dropped in evidence.style_engine.dropped:
        if not dropped.limit:
            prefixed = bool(_PREFIXED.search(getattr(dropped.rule, "selector_text", "")))
            yield Finding(
                f"a browser ignores this rule: {dropped.message}",
                dropped.span,
                Severity.INFO if prefixed else Severity.ERROR,
            )
    for sheet in _written_sheets(evidence):
        yield from _sheet_problems(sheet, Confidence.LIKELY)
    yield from _attribute_problems(page)
    for path, document in evidence.svg_files.items():
        for error in document.errors:
            if error.code != LIMIT:
                yield Finding(f"{path}: {error.message}", error.span)
    _stop_at_limits(evidence)


def _script_problems(evidence: Evidence) -> Iterator[Finding]:
    for page_script in evidence.scripts:
        error = page_script.script.error
        if error is not None and error.code != LIMIT:
            yield Finding(f"syntax error: {error.message}; a browser runs none of this script", error.span, core=True)
    from husky_lint.parse.js import parse_script
    from husky_lint.source import SourceText

    for element in evidence.page.elements:
        for name, value in map(_as_text, element.attrib.items()):
            if name.startswith("on") and value.strip():
                handler = parse_script(SourceText(evidence.page.source.path, f"(function () {{{value}\n}});"))
                if handler.error is not None and handler.error.code != LIMIT:
                    span = evidence.attribute_span(element, name)
                    yield Finding(f"syntax error in {name}: {handler.error.message}", span, core=True)


# ---------------------------------------------------------------- CSS


def _written_sheets(evidence: Evidence) -> Iterator[Stylesheet]:
    seen: set[int] = set()
    for state in single_states(evidence):
        for sheet in state.sheets:
            if id(sheet) not in seen:
                seen.add(id(sheet))
                yield sheet


def _sheet_problems(sheet: Stylesheet, confidence: Confidence) -> Iterator[Finding]:
    for problem in sheet.problems:
        if problem.code != LIMIT:
            written = sheet.source.text[problem.span.start : problem.span.end]
            severity = Severity.INFO if _PREFIXED.search(written[:80]) else Severity.ERROR
            yield Finding(problem.message, problem.span, severity, confidence)
    yield from _rule_problems(sheet.rules, confidence, "", 0)


def _rule_problems(
    rules: Iterable[StyleRule | AtRule], confidence: Confidence, around: str, depth: int
) -> Iterator[Finding]:
    for one in rules:
        keyword = one.keyword if isinstance(one, AtRule) else ""
        if keyword == "supports" and "not" in one.prelude_text.split("(", 1)[0].lower():  # type: ignore[union-attr]
            continue
        where = f"@{keyword}" if keyword in ("font-face", "property", "counter-style", "page") else ""
        yield from _declaration_problems(one.declarations, confidence, where, around)
        if depth < _MAX_DEPTH:
            yield from _rule_problems(one.rules, confidence, keyword or around, depth + 1)


def _declaration_problems(
    declarations: tuple[Declaration, ...], confidence: Confidence, at_rule: str, around: str
) -> Iterator[Finding]:
    for place, declaration in enumerate(declarations):
        name = declaration.name
        if at_rule and at_rule != "@page":
            reason = check_descriptor(at_rule, name, declaration.tokens, declaration.value)
        else:
            reason = check_declaration(name, declaration.tokens, declaration.value)
        if reason is None and around.endswith("keyframes") and declaration.important:
            reason = f"{name} is !important, which keyframes may not be"
        if reason is None:
            continue
        meant = _PREFIXED.match(name) or _PREFIXED.search(declaration.value)
        replaced = any(
            other.name == name and check_declaration(name, other.tokens) is None
            for number, other in enumerate(declarations)
            if number != place
        )
        severity = Severity.INFO if meant or (replaced and property_info(name) is not None) else Severity.ERROR
        yield Finding(f"a browser drops this declaration: {reason}", declaration.span, severity, confidence)


# ---------------------------------------------------------------- attributes


def _attribute_problems(page: HtmlDocument) -> Iterator[Finding]:
    for element in page.elements:
        if element.get("style"):
            declarations, problems = page.style_attribute(element)
            for problem in problems:
                if problem.code != LIMIT:
                    yield Finding(problem.message, problem.span)
            yield from _declaration_problems(declarations, Confidence.CERTAIN, "", "")
        tag = str(element.tag)
        if tag.startswith(_SVG):
            name = tag[len(_SVG) :]
            if name not in _SVG_TAGS:
                known = next((t for t in _SVG_TAGS if t.lower() == name.lower()), None)
                hint = f"; did you mean <{known}>?" if known else ""
                message = f"<{name}> is no SVG element: nothing of it is drawn{hint}"
                yield Finding(message, page.spans(element).start_tag, Severity.WARNING)
            for attribute, message in _svg_problems(element, name):
                yield Finding(message, page.attribute_span(element, attribute))


def _svg_problems(element: _Element, name: str) -> Iterator[tuple[str, str]]:
    """Attribute and message of what Chromium logs as an error, or drops."""
    if name == "path" and (data := element.get("d")) is not None:
        error = parse_path(data).error
        if error is not None and data.strip().lower() != "none":
            yield (
                "d",
                f"path data: unexpected {data[error : error + 12]!r} at its character {error + 1}; the rest is dropped",
            )
    if name in ("polygon", "polyline") and (points := element.get("points")) is not None:
        numbers, error = parse_numbers(points)
        if error is not None or len(numbers) % 2:
            yield "points", "points: not pairs of numbers; the rest is dropped"
    for attribute in ("transform", "gradientTransform", "patternTransform"):
        value = element.get(attribute)
        if value is not None and value.strip() != "none" and parse_transform_attribute(value) is None:
            yield attribute, f"{attribute}={value[:60]!r} is no list of transforms: all of it is dropped"
    view_box = element.get("viewBox")
    if (
        view_box is not None
        and name in ("svg", "symbol", "marker", "pattern", "view")
        and parse_view_box(view_box) is None
    ):
        yield "viewBox", f"viewBox={view_box[:60]!r} is not four numbers"
    for attribute in _LENGTHS.get(name, ()):
        value = element.get(attribute)
        if value is None or _CSS_VALUE.match(value):
            continue
        if not _SVG_LENGTH.match(value):
            yield attribute, f"{attribute}={value[:60]!r} is no length: it is dropped"
        elif attribute in _POSITIVE and value.strip().startswith("-"):
            yield attribute, f"{attribute}={value[:60]!r} is negative: it is dropped"
    for key, text in map(_as_text, element.attrib.items()):
        if key in _PRESENTED and (reason := _presentation_problem(key, text)) is not None:
            yield key, f"a browser drops this attribute: {reason}"


def _as_text(attribute: tuple[object, object]) -> tuple[str, str]:
    return str(attribute[0]), str(attribute[1])


def _presentation_problem(name: str, value: str) -> str | None:
    from tinycss2 import parse_component_value_list

    from husky_lint.style.values import strip_whitespace

    if name in _UNITLESS and not re.search(r"[a-zA-Z%(]", value):
        return None
    return check_declaration(name, strip_whitespace(parse_component_value_list(value)), value)


def _stop_at_limits(evidence: Evidence) -> None:
    problems: list[ParseProblem] = list(evidence.page.errors)
    for page_sheet in evidence.stylesheets:
        problems.extend(page_sheet.sheet.problems)
    problems.extend(script.script.error for script in evidence.scripts if script.script.error is not None)
    for problem in problems:
        if problem.code == LIMIT:
            raise Undecided(Reason.LIMIT, problem.message, problem.span)
    for dropped in evidence.style_engine.dropped:
        if dropped.limit:
            raise Undecided(Reason.LIMIT, dropped.message, dropped.span)
