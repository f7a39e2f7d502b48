"""HTML text in, an lxml tree with a place for every tag and attribute out.

turbohtml builds the tree as a browser with scripting does (WHATWG tree construction, foreign-content case fixes,
implied and adopted elements) and knows where tags and attributes stand; selectors and rules want lxml. What XML cannot
hold is mapped as the HTML standard says for that (§13.2.9, coercing an HTML DOM into an infoset).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, Protocol

from lxml import etree

from husky_lint.parse.formatting import exploding_from
from husky_lint.parse.problems import LIMIT, ParseProblem
from husky_lint.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lxml.etree import _Element

    from husky_lint.parse.css import CssProblem, Declaration, Stylesheet
    from husky_lint.parse.js import Script
    from husky_lint.source import SourceText

XHTML = "http://www.w3.org/1999/xhtml"
SVG = "http://www.w3.org/2000/svg"
MATHML = "http://www.w3.org/1998/Math/MathML"
XLINK = "http://www.w3.org/1999/xlink"
XML = "http://www.w3.org/XML/1998/namespace"

# Chromium flattens what is nested deeper (kMaximumHTMLParserDOMTreeDepth); so the tree here is never deeper either.
MAX_DEPTH = 512
# A page of the benchmark has some hundreds of elements; these keep a hostile one from taking the memory.
MAX_ELEMENTS = 50_000
MAX_CHARACTERS = 1_000_000
MAX_ATTRIBUTES = 500
MAX_PROBLEMS = 500

_NAMESPACES = {"html": XHTML, "svg": SVG, "math": MATHML}
_FOREIGN_PREFIXES = {"xlink": XLINK, "xml": XML}

_VOID = re.compile("(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)\\Z")
_END_OPTIONAL = re.compile(
    "(?:html|head|body|p|li|dt|dd|option|optgroup|rb|rt|rtc|rp|tr|td|th|thead|tbody|tfoot|colgroup|caption)\\Z"
)
# Whose content is text to the tokenizer, scripting being on.
_RAW_TEXT = re.compile("(?:script|style|textarea|title|xmp|iframe|noembed|noframes|noscript|plaintext)\\Z")

_XML_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
_NOT_IN_NAME = re.compile(
    "[^A-Za-z0-9_.\\-\u00b7\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u037d\u037f-\u1fff\u200c\u200d\u203f\u2040\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff]"
)
_NOT_AT_START = re.compile("[-.0-9\u00b7\u0300-\u036f\u203f\u2040]")
_NOT_IN_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_MARKUP = re.compile(
    r"<!--|<!\[CDATA\[.*?(?:\]\]>|\Z)|<!doctype[^>]*>?|<(/?)([a-zA-Z][^\s/>]*)[^>]*>?|<[!?/][^>]*>?",
    re.IGNORECASE | re.DOTALL,
)
_COMMENT_END = re.compile(r"--!?>")
_SPACE = " \t\n\f\r"


@dataclass(frozen=True, slots=True)
class AttributeSpans:
    """Where an attribute stands. ``value`` leaves out the quotes, and is None where no value is written.

    ``exact`` says that the value is written as it is: no character references, so offsets inside it can be told.
    """

    name: Span
    value: Span | None
    exact: bool = True

    @property
    def whole(self) -> Span:
        """From the name to the end of the value, an end quote left out."""
        return self.name if self.value is None else self.name.to(self.value)


@dataclass(frozen=True, slots=True)
class ElementSpans:
    """Where an element stands.

    ``attributes`` has the names as on the lxml element; namespace declarations, which lxml does not call attributes,
    are there too. An ``implied`` element has no tag of its own (``<tbody>``, a formatting element opened anew, one that
    script made): its ``start_tag`` is then the closest place that can be shown.
    """

    start_tag: Span
    end_tag: Span | None
    attributes: Mapping[str, AttributeSpans] = field(default_factory=dict)
    implied: bool = False

    @property
    def content(self) -> Span | None:
        """Between the tags; None without an end tag."""
        return None if self.end_tag is None else Span(self.start_tag.file, self.start_tag.end, self.end_tag.start)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment; ``span`` has the delimiters in it. Comments are not in the tree."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class EmbeddedBlock:
    """The text of a ``<style>`` or an inline ``<script>``.

    ``kind``: ``css``, ``classic``, ``module``, or ``data`` for a type that browsers neither apply nor run. ``text`` is
    None where the source holds the text as it is, else what the markup (an SVG ``<style>`` with references) comes to.
    """

    element: _Element
    span: Span
    kind: Literal["css", "classic", "module", "data"]
    text: str | None = None

    def stylesheet(self, source: SourceText) -> Stylesheet:
        """Parsed as CSS, with places in ``source``, the document's."""
        from husky_lint.parse.css import parse_stylesheet
        from husky_lint.source import SourceText

        if self.text is None:
            return parse_stylesheet(source, self.span.start, self.span.end, inline=True)
        return parse_stylesheet(SourceText(source.path, self.text), inline=True, at=self.span)

    def script(self, source: SourceText) -> Script:
        """As a script (parsed lazily), with places in ``source``, the document's."""
        from husky_lint.parse.js import parse_script
        from husky_lint.source import SourceText

        module = self.kind == "module"
        if self.text is None:
            return parse_script(source, self.span.start, self.span.end, module=module)
        return parse_script(SourceText(source.path, self.text), module=module, at=self.span)


class Places(Protocol):
    """Where the things of one document stand, worked out when asked for."""

    def spans(self, element: _Element) -> ElementSpans | None:
        """None for an element that is not from the source."""

    def comments(self) -> tuple[Comment, ...]: ...

    def problems(self) -> list[ParseProblem]: ...


class HtmlDocument:
    """A parsed page.

    The tree holds elements and text. Comments are in :attr:`comments`; the content of a ``<template>`` and of a shadow
    root is no part of the document and hangs off :attr:`templates` and :attr:`shadow_roots`, under an element named
    ``content``.
    Elements are kept alive here, so that an element is the same object whenever lxml is asked for it.
    """

    def __init__(self, source: SourceText, root: _Element, places: Places, problems: tuple[ParseProblem, ...]) -> None:
        self.source = source
        self.root = root
        self.elements: tuple[_Element, ...] = tuple(root.iter(etree.Element))
        self.templates: dict[_Element, _Element] = {}
        self.shadow_roots: dict[_Element, _Element] = {}
        self._places = places
        self._problems = problems
        self._spans: dict[_Element, ElementSpans] = {}

    def spans(self, element: _Element) -> ElementSpans:
        """Where ``element`` stands; for one that script made, the closest ancestor that stands somewhere."""
        known = self._spans.get(element)
        if known is not None:
            return known
        spans = self._places.spans(element)
        if spans is None:
            parent = element.getparent()
            above = self.spans(parent) if parent is not None else None
            start = above.start_tag if above is not None else Span(self.source.path, 0, 0)
            return ElementSpans(start, None, {}, implied=True)
        self._spans[element] = spans
        return spans

    def attribute_span(self, element: _Element, name: str) -> Span:
        """The value of an attribute, else its name, else the start tag: the best place to point at."""
        spans = self.spans(element)
        attribute = spans.attributes.get(name)
        if attribute is None:
            return spans.start_tag
        return attribute.value if attribute.value is not None else attribute.name

    @cached_property
    def errors(self) -> tuple[ParseProblem, ...]:
        """What the browser repairs or ignores, in source order (at most :data:`MAX_PROBLEMS`)."""
        repaired = sorted(self._places.problems(), key=_by_place)[:MAX_PROBLEMS]
        return tuple(sorted((*self._problems, *repaired), key=_by_place))

    @cached_property
    def comments(self) -> tuple[Comment, ...]:
        return self._places.comments()

    @cached_property
    def style_blocks(self) -> tuple[EmbeddedBlock, ...]:
        """Every ``<style>`` of HTML or SVG, in document order; ``kind`` is ``data`` for a type that is not CSS."""
        return tuple(
            self._block(element, "css" if _mime(element) in ("", "text/css") else "data")
            for element in self.elements
            if element.tag in (f"{{{XHTML}}}style", f"{{{SVG}}}style")
        )

    @cached_property
    def script_blocks(self) -> tuple[EmbeddedBlock, ...]:
        """Every ``<script>`` without a source of its own, in document order."""
        return tuple(
            self._block(element, _script_kind(element))
            for element in self.elements
            if (element.tag == f"{{{XHTML}}}script" and element.get("src") is None)
            or (element.tag == f"{{{SVG}}}script" and element.get("href", element.get(f"{{{XLINK}}}href")) is None)
        )

    @cached_property
    def stylesheets(self) -> tuple[tuple[EmbeddedBlock, Stylesheet], ...]:
        """The ``<style>`` blocks that browsers apply, parsed; places are places of this file."""
        return tuple((block, block.stylesheet(self.source)) for block in self.style_blocks if block.kind == "css")

    @cached_property
    def scripts(self) -> tuple[tuple[EmbeddedBlock, Script], ...]:
        """The inline scripts that browsers run, each parsed when looked into; places are places of this file."""
        return tuple((block, block.script(self.source)) for block in self.script_blocks if block.kind != "data")

    def style_attribute(self, element: _Element) -> tuple[tuple[Declaration, ...], tuple[CssProblem, ...]]:
        """The declarations of a ``style`` attribute, as the attribute is now, and what is wrong in them.

        Places are exact where the source has this very value without character references, else the whole value.
        """
        from husky_lint.parse.css import parse_declarations
        from husky_lint.source import SourceText

        value = element.get("style")
        if not value:
            return (), ()
        place = self.spans(element).attributes.get("style")
        if (
            place is not None
            and place.value is not None
            and place.exact
            and _same(self.source.slice(place.value), value)
        ):
            return parse_declarations(self.source, place.value.start, place.value.end)
        return parse_declarations(SourceText(self.source.path, value), at=self.attribute_span(element, "style"))

    def _block(self, element: _Element, kind: Literal["css", "classic", "module", "data"]) -> EmbeddedBlock:
        spans = self.spans(element)
        text = "".join(map(str, element.itertext())) if len(element) else element.text or ""
        start = spans.start_tag.end
        end = (
            spans.end_tag.start
            if spans.end_tag is not None
            else spans.start_tag.end
            if spans.implied
            else len(self.source.text)
        )
        written = self.source.text[start:end]
        return EmbeddedBlock(element, Span(self.source.path, start, end), kind, None if _same(written, text) else text)


def _by_place(problem: ParseProblem) -> tuple[Span, str]:
    return problem.span, problem.code


def _same(written: str, value: str) -> bool:
    # Line ends are normalised, and what XML cannot hold is replaced one for one.
    if written == value:
        return True
    written = written.replace("\r\n", "\n").replace("\r", "\n")
    return written == value or xml_text(written) == value


def _mime(element: _Element) -> str:
    return element.get("type", "").split(";")[0].strip(_SPACE).lower()


_JAVASCRIPT = frozenset(
    f"{top}/{sub}"
    for top in ("text", "application")
    for sub in ("javascript", "ecmascript", "x-javascript", "x-ecmascript")
) | {"text/jscript", "text/livescript", *(f"text/javascript1.{minor}" for minor in range(6))}


def _script_kind(element: _Element) -> Literal["classic", "module", "data"]:
    """What a browser does with it (HTML, "prepare the script element")."""
    kind = element.get("type")
    language = element.get("language")
    if kind is None:
        kind = f"text/{language}" if language else ""
    kind = kind.strip(_SPACE).lower()
    if kind == "module":
        return "module"
    return "classic" if kind == "" or kind in _JAVASCRIPT else "data"


def xml_text(text: str) -> str:
    """``text`` with the code points that XML cannot hold replaced, each by one."""
    if text.isascii() and text.isprintable():
        return text
    return _NOT_IN_TEXT.sub(lambda match: " " if match[0] == "\x0c" else "\ufffd", text)


def xml_name(name: str) -> str:
    """``name`` as XML can spell it: other characters become ``U`` and six hexadecimal digits."""
    if _XML_NAME.match(name):
        return name
    escaped = _NOT_IN_NAME.sub(_escape, name)
    return _NOT_AT_START.sub(_escape, escaped[:1]) + escaped[1:]


def _escape(match: re.Match[str]) -> str:
    return f"U{ord(match[0]):06X}"


def parse_html(source: SourceText) -> HtmlDocument:
    """Parse a page. Never raises for what it reads: see :attr:`HtmlDocument.errors`."""
    import turbohtml

    text = source.normalised
    builder = _Builder(source)
    end, message = len(text), ""
    if end > MAX_CHARACTERS:
        end, message = MAX_CHARACTERS, f"The page has more than {MAX_CHARACTERS} characters; the rest is not read"
    exploding = exploding_from(text[:end])
    if exploding is not None:
        end, message = exploding, "Formatting elements left open are opened anew too often; the rest is not read"
    if message:
        raw = source.raw_offset(end)
        builder.problems.append(ParseProblem(message, Span(source.path, raw, raw + 1), LIMIT))
        builder.complete = False
        text = text[:end]
    tree = turbohtml.parse(text, source_locations=True, scripting=True)
    root = builder.build(tree)
    places = _HtmlPlaces(source, builder, tree)
    document = HtmlDocument(source, root, places, tuple(builder.problems))
    document.templates = builder.templates
    document.shadow_roots = builder.shadow_roots
    return document


class _Builder:
    """turbohtml's tree as lxml's, iteratively."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.origins: dict[_Element, Any] = {}
        self.templates: dict[_Element, _Element] = {}
        self.shadow_roots: dict[_Element, _Element] = {}
        self.problems: list[ParseProblem] = []
        self.complete = True

    def build(self, tree: Any) -> _Element:
        root = self._make(tree.root, None)
        self._fill(root, tree.root)
        return root

    def _make(self, origin: Any, parent: _Element | None) -> _Element:
        namespace = origin.namespace.value
        tag = f"{{{_NAMESPACES[namespace]}}}{xml_name(origin.tag)}"
        attributes = {}
        for name, value in origin.attrs.items():
            key = lxml_attribute(name, foreign=namespace != "html")
            if key is not None:
                attributes[key] = xml_text(" ".join(value) if isinstance(value, list) else value or "")
        if "class" in attributes:  # turbohtml splits it
            attributes["class"] = xml_text(origin.attr("class") or "")
        if len(attributes) > MAX_ATTRIBUTES:
            attributes = dict(list(attributes.items())[:MAX_ATTRIBUTES])
            self._limit(f"An element has more than {MAX_ATTRIBUTES} attributes", origin)
        element = etree.Element(tag, attributes) if parent is None else etree.SubElement(parent, tag, attributes)
        self.origins[element] = origin
        return element

    def _fill(self, root: _Element, origin: Any) -> None:
        from turbohtml import Element, Text

        too_deep = False
        stack: list[tuple[_Element, Iterator[Any], int]] = [(root, iter(origin.children), 1)]
        while stack:
            parent, children, depth = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                continue
            if isinstance(child, Text):
                _append_text(parent, xml_text(child.data))
            elif isinstance(child, Element):
                if len(self.origins) >= MAX_ELEMENTS:
                    self.complete = False
                    self._limit(f"The page has more than {MAX_ELEMENTS} elements; the rest is not read", child)
                    return
                element = self._make(child, parent)
                content: Any = child.children
                inner: tuple[_Element, Iterator[Any], int] = (element, iter(content), depth + 1)
                if len(content) and not isinstance(content[0], (Element, Text)) and child.tag == "template":
                    holder = self.templates[element] = etree.Element("content")
                    inner = (holder, iter(content[0].children), depth + 1)
                elif child.shadow_root is not None:
                    holder = self.shadow_roots[element] = etree.Element("content")
                    stack.append(inner)
                    inner = (holder, iter(child.shadow_root.children), depth + 1)
                if depth >= MAX_DEPTH:
                    # Children of what is too deep become siblings of it.
                    if not too_deep:
                        too_deep = True
                        self._limit("Elements are nested too deeply; browsers flatten them", child)
                    inner = (parent, inner[1], depth)
                stack.append(inner)

    def _limit(self, message: str, origin: Any) -> None:
        location = origin.source_location
        if location is None:
            span = Span(self.source.path, 0, 0)
        else:
            start, end = location.start_tag.start_offset, location.start_tag.end_offset
            span = Span(self.source.path, self.source.raw_offset(start), self.source.raw_offset(end))
        self.problems.append(ParseProblem(message, span, LIMIT))


def lxml_attribute(name: str, *, foreign: bool) -> str | None:
    """The lxml name of an attribute; None for namespace declarations, which are no attributes to lxml."""
    if ":" not in name:
        return None if name == "xmlns" else xml_name(name)
    if foreign:
        prefix, local = name.split(":", 1)
        if prefix == "xmlns":
            return None
        if prefix in _FOREIGN_PREFIXES and local and ":" not in local:
            return f"{{{_FOREIGN_PREFIXES[prefix]}}}{xml_name(local)}"
    return xml_name(name)


def _append_text(parent: _Element, text: str) -> None:
    if len(parent):
        last = parent[-1]
        last.tail = (last.tail or "") + text
    else:
        parent.text = (parent.text or "") + text


class _HtmlPlaces:
    """:class:`Places` by what turbohtml knows."""

    def __init__(self, source: SourceText, builder: _Builder, tree: Any) -> None:
        self.source = source
        self.tree = tree
        self.origins = builder.origins
        self.complete = builder.complete
        self.has_shadow_roots = bool(builder.shadow_roots)

    def spans(self, element: _Element) -> ElementSpans | None:
        origin = self.origins.get(element)
        if origin is None:
            return None
        location = origin.source_location
        if location is None:
            location = self._located.get(origin.position) if origin.position is not None else None
            if location is None:
                return self._implied(element)
            return ElementSpans(self._span(location.start_tag), None, self._attributes(origin, location), implied=True)
        end_tag = None if location.end_tag is None else self._span(location.end_tag)
        return ElementSpans(self._span(location.start_tag), end_tag, self._attributes(origin, location))

    def _span(self, location: Any) -> Span:
        raw = self.source.raw_offset
        return Span(self.source.path, raw(location.start_offset), raw(location.end_offset))

    @cached_property
    def _located(self) -> dict[tuple[int, int], Any]:
        # A formatting element opened anew has the position of its original, and no place of its own.
        return {
            origin.position: location
            for origin in self.origins.values()
            if (location := origin.source_location) is not None and origin.position is not None
        }

    def _implied(self, element: _Element) -> ElementSpans:
        """Where an element without a tag begins: at its first element that has one, else behind its neighbour."""
        for inside in element.iterdescendants():
            location = self.origins[inside].source_location if inside in self.origins else None
            if location is not None:
                start = self.source.raw_offset(location.start_tag.start_offset)
                return ElementSpans(Span(self.source.path, start, start), None, {}, implied=True)
        before = element.getprevious()
        before = before if before is not None else element.getparent()
        location = self.origins[before].source_location if before is not None and before in self.origins else None
        start = 0
        if location is not None:
            start = self.source.raw_offset((location.end_tag or location.start_tag).end_offset)
        return ElementSpans(Span(self.source.path, start, start), None, {}, implied=True)

    def _attributes(self, origin: Any, location: Any) -> Mapping[str, AttributeSpans]:
        names = {name.lower(): name for name in origin.attrs}
        foreign = origin.namespace.value != "html"
        found = {}
        for written, place in location.attrs.items():
            name = names.get(written, written)
            key = lxml_attribute(name, foreign=foreign)
            found[name if key is None else key] = self._attribute(written, place.start_offset, place.end_offset)
        return found

    def _attribute(self, name: str, start: int, end: int) -> AttributeSpans:
        text, raw, path = self.source.normalised, self.source.raw_offset, self.source.path
        name_end = start + len(name)
        place = Span(path, raw(start), raw(name_end))
        low = name_end
        while low < end and text[low] in _SPACE:
            low += 1
        if low >= end or text[low] != "=":
            return AttributeSpans(place, None)
        low += 1
        while low < end and text[low] in _SPACE:
            low += 1
        if low < end and text[low] in "\"'":
            low += 1
            end = max(end - 1, low)
        return AttributeSpans(place, Span(path, raw(low), raw(end)), exact="&" not in text[low:end])

    # ---- what stands between the tags of the tree

    @cached_property
    def _tags(self) -> list[tuple[int, int, bool]]:
        """Start, end and "text content follows" of every tag that made or closed an element, in source order."""
        tags = []
        for origin in self.origins.values():
            location = origin.source_location
            if location is None:
                continue
            raw_text = origin.namespace.value == "html" and _RAW_TEXT.match(origin.tag) is not None
            tags.append((location.start_tag.start_offset, location.start_tag.end_offset, raw_text))
            if location.end_tag is not None:
                tags.append((location.end_tag.start_offset, location.end_tag.end_offset, False))
        tags.sort()
        return tags

    @cached_property
    def _between(self) -> list[tuple[str, int, int]]:
        """Kind (``comment``, ``doctype``, the text of an ignored tag, ``bogus``), start and end, in source order."""
        text = self.source.normalised
        found: list[tuple[str, int, int]] = []
        position, raw_text = 0, False
        tags = [*self._tags, (len(text), len(text), False)] if self.complete else self._tags
        for start, end, opens_text in tags:
            if not raw_text:
                self._scan(text, position, start, found)
            position, raw_text = max(position, end), opens_text
        return found

    def _scan(self, text: str, position: int, end: int, found: list[tuple[str, int, int]]) -> None:
        while position < end:
            match = _MARKUP.search(text, position, end)
            if match is None:
                return
            start, position = match.span()
            if match[0] == "<!--":
                position = _comment_end(text, start, end)
                found.append(("comment", start, position))
            elif match[2] is not None:
                found.append((match[1] + match[2].lower(), start, position))
            elif match[0][:9].lower() == "<!doctype":
                found.append(("doctype", start, position))
            elif not match[0].startswith("<![CDATA["):
                found.append(("bogus", start, position))

    def comments(self) -> tuple[Comment, ...]:
        text = self.source.normalised
        found = []
        for kind, start, end in self._between:
            if kind in ("comment", "bogus"):
                written = text[start:end]
                if kind == "bogus":
                    inner = written[2:].removesuffix(">")
                else:
                    inner = "" if written in ("<!-->", "<!--->") else _COMMENT_END.sub("", written[4:])
                raw = self.source.raw_offset
                found.append(Comment(inner, Span(self.source.path, raw(start), raw(end))))
        return tuple(found)

    def problems(self) -> list[ParseProblem]:
        found = (self._tokenizer_errors(), self._misplaced_tags(), self._misplaced_elements())
        return [problem for kind in found for problem in islice(kind, MAX_PROBLEMS)]

    def _problem(self, message: str, start: int, end: int, code: str) -> ParseProblem:
        raw = self.source.raw_offset
        return ParseProblem(message, Span(self.source.path, raw(start), raw(max(start, end))), code)

    def _tokenizer_errors(self) -> Iterator[ParseProblem]:
        text = self.source.normalised
        starts = [0, *(match.end() for match in re.finditer("\n", text))]
        for error in self.tree.errors:
            start = min(starts[min(error.line, len(starts)) - 1] + error.col, len(text))
            message = f"HTML parse error: {error.code.replace('-', ' ')}"
            yield self._problem(message, start, min(start + 1, len(text)), error.code)

    def _misplaced_tags(self) -> Iterator[ParseProblem]:
        from turbohtml import Doctype

        if not any(isinstance(child, Doctype) for child in self.tree.children):
            yield self._problem("No <!DOCTYPE html>: browsers lay the page out in quirks mode", 0, 0, "missing-doctype")
        for kind, start, end in self._between:
            if kind in ("comment", "doctype", "bogus") or (self.has_shadow_roots and kind in ("template", "/template")):
                continue
            what = "end tag closes nothing" if kind.startswith("/") else "start tag may not stand here"
            code = "unmatched-end-tag" if kind.startswith("/") else "ignored-start-tag"
            yield self._problem(f"The <{kind}> {what}: it is ignored", start, end, code)

    def _misplaced_elements(self) -> Iterator[ParseProblem]:
        for element, origin in self.origins.items():
            location = origin.source_location
            if location is None:
                continue
            start, end = location.start_tag.start_offset, location.start_tag.end_offset
            if location.end_tag is None and self._needs_end_tag(origin, end):
                yield self._problem(f"<{origin.tag}> is never closed", start, end, "unclosed-element")
            parent = element.getparent()
            if parent is not None and origin.tag != "table":
                following = element.getnext()
                if following is not None and following.tag == f"{{{XHTML}}}table" and following in self.origins:
                    table = self.origins[following].source_location
                    if table is not None and table.start_tag.start_offset < start:
                        message = f"<{origin.tag}> may not stand in a table: it is moved in front of it"
                        yield self._problem(message, start, end, "foster-parented")

    def _needs_end_tag(self, origin: Any, tag_end: int) -> bool:
        if origin.namespace.value != "html":
            return not self.source.normalised.startswith("/>", tag_end - 2)
        return not _VOID.match(origin.tag) and not _END_OPTIONAL.match(origin.tag)


def _comment_end(text: str, start: int, end: int) -> int:
    if text.startswith(("<!-->", "<!--->"), start):
        return text.index(">", start) + 1
    match = _COMMENT_END.search(text, start + 4, end)
    return match.end() if match else end
