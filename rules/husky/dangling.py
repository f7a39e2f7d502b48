"""References to what is nowhere: ids, paint servers, keyframes, custom properties, elements that script asks for."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from husky_lint.references import XLINK_HREF, token_urls
from husky_lint.rule import Confidence, Finding, Reason, Related, Severity, Undecided, rule
from husky_lint.script.values import Unknown
from husky_lint.source import Span
from husky_lint.style.words import words

from .applied import may_apply, page_sheets, rules_in, single_states

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.parse.css import AtRule, Declaration, StyleRule
    from husky_lint.script.effects import Effect

_ID_LISTS = words(
    """
    aria-labelledby aria-describedby aria-controls aria-owns aria-details aria-activedescendant aria-flowto
    aria-errormessage for list form headers popovertarget commandfor
    """
)
_HTML_ONLY = words("for list form headers popovertarget commandfor")
_PAINT = words("fill stroke filter mask clip-path marker marker-start marker-mid marker-end")
_SYNC = re.compile(r"(?:^|;)\s*([\w-]+)\.(?:begin|end|click|mouse\w+|focus\w*|repeat)\b")
_ANIMATION_WORDS = words(
    """
    none inherit initial unset revert revert-layer normal reverse alternate alternate-reverse forwards backwards both
    running paused infinite linear ease ease-in ease-out ease-in-out step-start step-end auto replace add accumulate
    """
)
_LOOKUP = re.compile(
    r"""getElementById\(\s*(["'`])([\w:.-]+)\1\s*\)|querySelector\(\s*(["'`])#([\w-]+)\3\s*\)""",
)
_NULL = re.compile(r"properties of null|null is not|of null\b", re.IGNORECASE)
_MAX_VARIABLE_DEPTH = 50
#: Globals of Chromium in lower case that the script model may not have.
_PLATFORM = words(
    """
    captureEvents chrome clientInformation close closed cookieStore createImageBitmap credentialless crossOriginIsolated
    documentPictureInPicture external fetchLater find getScreenDetails isSecureContext launchQueue length locationbar
    menubar moveBy moveTo navigation offscreenBuffering originAgentCluster personalbar queryLocalFonts releaseEvents
    resizeBy resizeTo scheduler screenLeft screenTop screenX screenY scrollbars showDirectoryPicker showOpenFilePicker
    showSaveFilePicker speechSynthesis statusbar status stop toolbar trustedTypes viewport
    """
)


@rule("HB1010")
def dangling_reference(evidence: Evidence) -> Iterator[Finding]:
    """Something refers to what is nowhere.

    ## What it checks
    Every `href="#id"`, `url(#id)`, `for`, `aria-labelledby` and its kin names an id of the page, or one that script
    gives; every animation name that wins somewhere has its `@keyframes`; every `var(--name)` without a fallback is
    defined by some rule or script. Script that dereferences an element that is not there throws: at load that decides
    the row, at a click or key it is a failure too. Ids given twice are told, since the first one wins every look-up.

    ## Why it matters
    A `<use>` of nothing draws nothing, a paint of nothing paints nothing, and an error at load stops the script.

    ## Example that fails
    ```html
    <use href="#forest" x="900"/>
    ```

    ```js
    document.getElementById("pause").addEventListener("click", function () {});
    ```

    ```css
    .sky { animation: drift 9s linear infinite; }
    ```

    ```css
    .sky { fill: var(--heaven); }
    ```

    ## Example that passes
    ```css
    .sky { fill: var(--heaven, #bfe0f5); }
    .never-there { animation: drift 9s linear infinite; }
    ```

    ```js
    var pause = document.getElementById("pause");
    if (pause) { pause.focus(); }
    ```
    """
    ids = _Ids(evidence)
    yield from _markup(evidence, ids)
    yield from _paints(evidence, ids)
    yield from _keyframes(evidence)
    yield from _variables(evidence)
    yield from _thrown(evidence)
    yield from _lookups(evidence, ids)
    yield from _duplicates(evidence)
    if ids.missed and ids.open is not None:
        raise Undecided(Reason.DYNAMIC_VALUE, "script gives an id that is known at run time only", ids.open)
    if evidence.script.limit:
        raise Undecided(Reason.LIMIT, "what script does could not be followed to its end")


class _Ids:
    """The ids there are: those of the page, and those that script ever gives."""

    def __init__(self, evidence: Evidence) -> None:
        self.known = {element.get("id") for element in evidence.page.elements if element.get("id")}
        self.open: Span | None = None
        self.missed = False
        for effect in evidence.script.all_effects:
            if effect.kind == "attribute" and effect.name == "id":
                if isinstance(effect.value, str):
                    self.known.add(effect.value)
                elif isinstance(effect.value, Unknown) and self.open is None:
                    self.open = effect.span
            elif effect.kind == "insert" and hasattr(effect.value, "iter"):
                self.known.update(e.get("id") for e in effect.value.iter("*") if e.get("id"))

    def lacks(self, name: str) -> bool:
        """Whether surely nothing has the id."""
        if not name or name in self.known:
            return False
        if self.open is not None:
            self.missed = True
            return False
        return True


# ---------------------------------------------------------------- markup


def _markup(evidence: Evidence, ids: _Ids) -> Iterator[Finding]:
    for element in evidence.page.elements:
        name = str(element.tag).rpartition("}")[2]
        for attribute in ("href", XLINK_HREF):
            href = element.get(attribute)
            target = href[1:] if href is not None and href.startswith("#") else ""
            if target and ids.lacks(target) and not (name == "a" and target.lower() == "top"):
                yield Finding(
                    f'<{name} href="#{target}">: nothing has the id {target!r}{_close(target, ids)}',
                    evidence.attribute_span(element, attribute),
                    data={"id": target},
                )
        foreign = str(element.tag).startswith("{http://www.w3.org/2000/svg}")
        for key in element.attrib:
            attribute = str(key)
            if attribute not in _ID_LISTS or (foreign and attribute in _HTML_ONLY):
                continue
            for target in (element.get(attribute) or "").split():
                if ids.lacks(target):
                    yield Finding(
                        f"{attribute} names {target!r}, which is the id of nothing{_close(target, ids)}",
                        evidence.attribute_span(element, attribute),
                        data={"id": target},
                    )
        for attribute in ("begin", "end"):
            for match in _SYNC.finditer(element.get(attribute) or "" if foreign else ""):
                if ids.lacks(match[1]):
                    span = evidence.attribute_span(element, attribute)
                    yield Finding(f"{attribute} waits for {match[1]!r}, which is the id of nothing", span)


def _close(target: str, ids: _Ids) -> str:
    import difflib

    near = difflib.get_close_matches(target, sorted(str(known) for known in ids.known), n=1, cutoff=0.75)
    return f"; did you mean {near[0]!r}?" if near else ""


def _paints(evidence: Evidence, ids: _Ids) -> Iterator[Finding]:
    from tinycss2 import parse_component_value_list

    page = evidence.page
    for element in page.elements:
        for key, value in element.attrib.items():
            attribute, text = str(key), str(value)
            if "url(" in text and (attribute in _PAINT or attribute == "style"):
                for target in _fragments(parse_component_value_list(text)):
                    if ids.lacks(target):
                        span = evidence.attribute_span(element, attribute)
                        yield Finding(f"url(#{target}) points at nothing{_close(target, ids)}", span)
    for sheet in page_sheets(evidence):
        if "url(" not in sheet.source.text:
            continue
        for one in rules_in(sheet.rules):
            for declaration in one.declarations:
                if "url(" not in declaration.value:
                    continue
                for target in _fragments(declaration.tokens):
                    if ids.lacks(target):
                        yield _of_style(
                            evidence, one, declaration, f"url(#{target}) points at nothing{_close(target, ids)}"
                        )


def _fragments(tokens: Iterable[object]) -> Iterator[str]:
    for url in token_urls(tokens):
        if url.startswith("#"):
            yield url[1:]


def _of_style(evidence: Evidence, one: StyleRule | AtRule, declaration: Declaration, message: str) -> Finding:
    """A finding at a declaration; where its rule applies to nothing, it is a decoy and proves nothing."""
    if may_apply(evidence, one, declaration):
        return Finding(message, declaration.value_span)
    return Finding(
        f"{message}, but the rule applies to nothing",
        declaration.value_span,
        Severity.INFO,
        code="HB9001",
        name="decoy",
    )


# ---------------------------------------------------------------- style


def _keyframes(evidence: Evidence) -> Iterator[Finding]:
    """Names that win on an element and that no ``@keyframes`` of the same state has."""
    told: set[tuple[str, Span | None]] = set()
    for state in single_states(evidence):
        styled = evidence.style(state)
        known = set(styled.keyframes_names)
        seen: set[int] = set()
        for style in styled.declaring("animation-name"):
            if id(style) in seen:
                continue
            seen.add(id(style))
            if style.unknown("animation-name") is not None:
                continue
            for name in _names(style.value("animation-name")):
                if name in known:
                    continue
                declaration = style.declaration("animation-name")
                span = declaration.span if declaration is not None else None
                if (name, span) not in told:
                    told.add((name, span))
                    yield Finding(
                        f"no @keyframes {name}: the animation does nothing ({state.label})", span, data={"name": name}
                    )


def _names(tokens: Iterable[object]) -> Iterator[str]:
    for token in tokens:
        kind = getattr(token, "type", "")
        if kind == "string" or (kind == "ident" and token.lower_value not in _ANIMATION_WORDS):  # type: ignore[attr-defined]
            yield str(token.value)  # type: ignore[attr-defined]


def _variables(evidence: Evidence) -> Iterator[Finding]:
    defined: set[str] = set()
    used: list[tuple[str, StyleRule | AtRule, Declaration]] = []
    for sheet in page_sheets(evidence):
        for one in rules_in(sheet.rules):
            if getattr(one, "keyword", "") == "property":
                defined.add(one.prelude_text.strip())  # type: ignore[union-attr]
            for declaration in one.declarations:
                if declaration.name.startswith("--"):
                    defined.add(declaration.name)
                if "var(" in declaration.value.lower():
                    used.extend((name, one, declaration) for name in _unguarded(declaration.tokens))
    for element in evidence.page.elements:
        if "--" in (element.get("style") or ""):
            declarations, _ = evidence.page.style_attribute(element)
            defined.update(declaration.name for declaration in declarations)
    unclear: Span | None = None
    for effect in evidence.script.all_effects:
        if effect.kind == "style-property":
            if effect.name.startswith("--"):
                defined.add(effect.name)
            elif not effect.name:
                unclear = unclear or effect.span
        elif effect.kind in ("attribute", "insert-rule", "stylesheet-text"):
            defined.update(re.findall(r"(--[\w-]+)\s*:", str(effect.value)))
            if effect.kind == "attribute" and effect.name == "style" and isinstance(effect.value, Unknown):
                unclear = unclear or effect.span
        elif effect.kind == "insert" and hasattr(effect.value, "iter"):
            for element in effect.value.iter("*"):
                defined.update(re.findall(r"(--[\w-]+)\s*:", element.get("style") or ""))
    written = "\n".join(page_script.script.text for page_script in evidence.scripts)  # beyond what is followed
    missing = [use for use in used if use[0] not in defined and use[0] not in written]
    for name, one, declaration in missing:
        if unclear is not None:
            raise Undecided(Reason.DYNAMIC_VALUE, f"script may define {name}", unclear)
        yield _of_style(evidence, one, declaration, f"{name} is defined nowhere and var() has no fallback")


def _unguarded(tokens: Iterable[object], depth: int = 0) -> Iterator[str]:
    """Names in ``var()`` without a fallback."""
    for token in tokens:
        kind = getattr(token, "type", "")
        if kind == "function":
            arguments = [a for a in token.arguments if a.type not in ("whitespace", "comment")]  # type: ignore[attr-defined]
            if token.lower_name == "var" and len(arguments) == 1 and arguments[0].type == "ident":  # type: ignore[attr-defined]
                yield str(arguments[0].value)
            elif depth < _MAX_VARIABLE_DEPTH:
                yield from _unguarded(arguments, depth + 1)
        elif kind.endswith(" block") and depth < _MAX_VARIABLE_DEPTH:
            yield from _unguarded(token.content, depth + 1)  # type: ignore[attr-defined]


# ---------------------------------------------------------------- script


def _thrown(evidence: Evidence) -> Iterator[Finding]:
    """What script throws and nothing catches."""
    open_question: Effect | None = None
    told: set[tuple[Span | None, str]] = set()
    for effect in evidence.script.all_effects:
        text = str(effect.value)
        if effect.kind != "throw" or (effect.span, text) in told:
            continue
        told.add((effect.span, text))
        if effect.trigger != "load" and not _NULL.search(text):
            continue  # a page error of some event: told where the event's own clause is
        if not effect.certain:
            open_question = open_question or effect
        elif _NULL.search(text):
            when = "at load" if effect.trigger == "load" else f"on {effect.trigger}"
            yield Finding(
                f"{when} script asks for an element that is not there: {text}",
                effect.span,
                core=effect.trigger == "load",
                data={"error": text},
            )
        elif _is_sure(effect):
            yield Finding(
                f"at load script throws, and nothing catches it: {effect.name}: {text}", effect.span, core=True
            )
        else:
            open_question = open_question or effect
    if open_question is not None:
        raise Undecided(Reason.NEEDS_BROWSER, f"script may throw: {open_question.value}", open_question.span)


def _is_sure(effect: Effect) -> bool:
    """Whether an error cannot come of what the model of the platform lacks."""
    text = str(effect.value)
    if effect.name == "ReferenceError":
        name = text.split(" ", 1)[0]
        own = name[:1].islower() and not name.startswith(("webkit", "on"))
        return own and "is not defined" in text and name not in _PLATFORM
    return effect.name not in ("TypeError", "RangeError", "NotSupportedError")


def _lookups(evidence: Evidence, ids: _Ids) -> Iterator[Finding]:
    """Look-ups of an id that nothing has, and that do no harm; dereferenced ones are thrown errors."""
    for page_script in evidence.scripts:
        script = page_script.script
        if script.at is not None:
            continue
        missing = [m for m in _LOOKUP.finditer(script.text) if ids.lacks(m[2] or m[4])]
        if not missing:
            continue
        code = {token.span.start for token in script.tokens if token.kind == "Identifier"}
        for match in missing:
            start = script.start + match.start()
            if start in code:
                yield Finding(
                    f"nothing has the id {(match[2] or match[4])!r}: the look-up gives null",
                    Span(script.source.path, start, script.start + match.end()),
                    Severity.WARNING,
                    Confidence.LIKELY,
                )


def _duplicates(evidence: Evidence) -> Iterator[Finding]:
    carriers: defaultdict[str, list[_Element]] = defaultdict(list)
    for element in evidence.page.elements:
        if (name := element.get("id")) is not None:
            carriers[name].append(element)
    for name, elements in carriers.items():
        for element in elements[1:]:
            first = elements[0]
            tags = [str(e.tag).rpartition("}")[2] for e in (first, element)]
            yield Finding(
                f"the id {name!r} is given twice: every look-up finds the <{tags[0]}>, never this <{tags[1]}>",
                evidence.attribute_span(element, "id"),
                Severity.WARNING,
                related=(Related(evidence.attribute_span(first, "id"), "the first one"),),
            )
