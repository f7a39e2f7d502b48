"""Everything that opening or using the page loads, from markup, style sheets and script alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from husky_lint.references import Kind, Place, clean_url, place_of, resolve
from husky_lint.rule import Confidence
from husky_lint.script.requests import script_requests

from .applied import enclosing_rule, may_apply

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.references import Reference
    from husky_lint.source import Span

_NAMES = {
    Kind.STYLESHEET: "a style sheet",
    Kind.SCRIPT: "a script",
    Kind.IMAGE: "an image",
    Kind.ICON: "an icon",
    Kind.MEDIA: "audio or video",
    Kind.FRAME: "a frame",
    Kind.OBJECT: "an object",
    Kind.MANIFEST: "a manifest",
    Kind.PRELOAD: "a preload",
    Kind.REFRESH: "another page",
    Kind.USE: "the target of a <use>",
    Kind.IMPORT: "an imported style sheet",
    Kind.FONT: "a font",
    Kind.CSS_IMAGE: "a url() of a style",
}
#: Interfaces that take their answer into the script, for which a file: page may not read files.
READING = frozenset({"fetch", "XMLHttpRequest", "EventSource", "import", "Worker", "SharedWorker", "WebSocket"})


@dataclass(frozen=True, slots=True, eq=False)
class Load:
    """One URL that is loaded.

    ``how`` is an interface of script, the tag of an element that script makes, ``style`` for what script writes into
    styles, or empty for what the files say themselves. ``url`` is what is known of it; ``whole`` says that it is all.
    """

    kind: Kind
    url: str
    place: Place
    path: str | None
    span: Span | None
    how: str = ""
    trigger: str = "load"
    certain: bool = True
    whole: bool = True
    element: _Element | None = None
    attributes: Mapping[str, str] | None = None

    @property
    def what(self) -> str:
        """In words, for a message."""
        if self.how in READING or self.how in ("sendBeacon", "serviceWorker", "Audio", "FontFace", "location"):
            return f"{self.how}()" if self.how[0].islower() else self.how
        name = _NAMES.get(self.kind, "a resource")
        return f"script loads {name}" if self.how else name

    @property
    def confidence(self) -> Confidence:
        return Confidence.CERTAIN if self.certain and self.whole else Confidence.LIKELY

    def attribute(self, name: str) -> str | None:
        """An attribute of the element that loads it."""
        if self.attributes is not None:
            return self.attributes.get(name)
        return None if self.element is None else self.element.get(name)


def page_loads(evidence: Evidence) -> tuple[Load, ...]:
    """What markup, style sheets, SVG files and script load; rules of a style sheet that never apply load nothing."""
    return evidence.derived(_page_loads)


def _page_loads(evidence: Evidence) -> tuple[Load, ...]:
    return (*_static(evidence), *script_loads(evidence))


def unused_style_loads(evidence: Evidence) -> tuple[Reference, ...]:
    """The references of style rules that apply to nothing."""
    return evidence.derived(_unused)


def _unused(evidence: Evidence) -> tuple[Reference, ...]:
    return tuple(r for r in evidence.references if r.loaded and _is_style(r) and not _applies(evidence, r))


def _is_style(reference: Reference) -> bool:
    return reference.element is None and reference.kind in (Kind.CSS_IMAGE, Kind.FONT)


def _applies(evidence: Evidence, reference: Reference) -> bool:
    found = enclosing_rule(evidence, reference.span)
    if found is None:
        return True
    rule, declaration = found
    if getattr(rule, "keyword", "") == "font-face":
        family = next((d.value.strip("\"' ").lower() for d in rule.declarations if d.name == "font-family"), "")
        return not family or _family_is_used(evidence, family)
    if declaration.name.startswith("--"):
        return any(f"var({declaration.name}" in s.sheet.source.text.replace(" ", "") for s in evidence.stylesheets)
    return may_apply(evidence, rule, declaration)


def _family_is_used(evidence: Evidence, family: str) -> bool:
    """Whether anything outside ``@font-face`` names the family."""
    from .applied import page_sheets, rules_in

    for sheet in page_sheets(evidence):
        for rule in rules_in(sheet.rules):
            if getattr(rule, "keyword", "") != "font-face":
                for declaration in rule.declarations:
                    if (declaration.name in ("font", "font-family") or declaration.name.startswith("--")) and (
                        family in declaration.value.lower()
                    ):
                        return True
    for element in evidence.page.elements:
        if family in (element.get("style") or "").lower() or family in (element.get("font-family") or "").lower():
            return True
    return any(
        effect.kind == "style-property" and family in str(effect.value).lower()
        for effect in evidence.script.all_effects
    )


def _static(evidence: Evidence) -> Iterator[Load]:
    unused = {id(reference) for reference in unused_style_loads(evidence)} if _needs_look(evidence) else set()
    for reference in evidence.references:
        if reference.loaded and id(reference) not in unused:
            yield Load(
                reference.kind,
                reference.url,
                reference.place,
                reference.path,
                reference.span,
                element=reference.element,
            )


def _needs_look(evidence: Evidence) -> bool:
    return any(r.loaded and _is_style(r) for r in evidence.references)


def script_loads(evidence: Evidence) -> tuple[Load, ...]:
    """What script loads, at load and at every event and timer."""
    return evidence.derived(_script_loads)


def _script_loads(evidence: Evidence) -> tuple[Load, ...]:
    page = evidence.page
    base = page.source.path
    found = []
    for request in script_requests(evidence.script.all_effects, page.root):
        whole = isinstance(request.url, str)
        url = clean_url(request.prefix)
        place = place_of(url) if whole or url else Place.OTHER
        path = resolve(url, base) if whole and place is Place.LOCAL else None
        found.append(
            Load(
                request.kind,
                url,
                place,
                path,
                request.span,
                request.how,
                request.trigger,
                request.certain,
                whole,
                request.element,
                request.attributes if request.element is not None else None,
            )
        )
    return tuple(found)
