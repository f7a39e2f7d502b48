"""SVG (XML) text in, the same kind of document as for HTML out.

lxml builds the tree with entities, external files and the network off. It knows only lines, so the tags are found a
second time here; in well-formed XML the n-th start tag is the n-th element.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from husky_lint.parse.html import (
    MAX_CHARACTERS,
    MAX_ELEMENTS,
    SVG,
    XML,
    AttributeSpans,
    Comment,
    ElementSpans,
    HtmlDocument,
)
from husky_lint.parse.problems import LIMIT, ParseProblem

if TYPE_CHECKING:
    from lxml.etree import _Element

    from husky_lint.source import SourceText

# Every construct that may contain a ">" of its own; one without an end goes to the end of the file.
_TAG = re.compile(
    r"""<!--(?:(?P<comment>.*?)-->|.*)
    | <!\[CDATA\[(?:.*?\]\]>|.*)
    | <\?(?:.*?\?>|.*)
    | <!DOCTYPE
    | </(?P<end>[^\s<>/]+)\s*>
    | <(?P<start>[^\s<>/!?]+)(?P<attributes>(?:[^<>"']|"[^<"]*"|'[^<']*')*)>""",
    re.DOTALL | re.VERBOSE,
)
_ATTRIBUTE = re.compile(r"""([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')""")
_DECLARATION = re.compile(r"<\?xml\s[^>]*?\?>")
_DOCTYPE = re.compile(r"<!DOCTYPE(?:[^\[>\"']|\"[^\"]*\"|'[^']*')*(?P<subset>\[.*?\]\s*)?>", re.DOTALL)


class _Tag(NamedTuple):
    start: int
    end: int
    name: str
    attributes: int  # where they begin
    end_tag: tuple[int, int] | None


def parse_svg(source: SourceText) -> HtmlDocument:
    """Parse an SVG file. Never raises for what it reads.

    Of a file that is not well-formed, the tree holds what could be read, at least an empty ``<svg>``; browsers show it
    up to the error, or as an icon not at all. A document type is ignored: what it declares is not known.
    """
    text = source.text[:MAX_CHARACTERS]
    # The declaration's encoding has done its work, and a document type can only do harm; both leave their places empty.
    blanked = _blank(text, _DECLARATION.match(text))
    blanked = _blank(blanked, _DOCTYPE.match(blanked, max(blanked.find("<!DOCTYPE"), 0)))
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=True,
        remove_comments=True,
        remove_pis=True,
    )
    root: _Element | None = None
    faults: list[ParseProblem] = []
    if len(source.text) > MAX_CHARACTERS:
        message = f"The file has more than {MAX_CHARACTERS} characters; the rest is not read"
        faults.append(ParseProblem(message, source.span(MAX_CHARACTERS, MAX_CHARACTERS + 1), LIMIT))
    try:
        root = etree.fromstring(blanked.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError as error:
        if not len(parser.error_log):
            faults.append(_problem(source, 1, 1, str(error), "xml-error"))
    faults += [
        _problem(source, entry.line, entry.column, entry.message, LIMIT if "depth" in entry.message else "xml-error")
        for entry in list(parser.error_log)[:100]
    ]
    if root is None:
        root = etree.Element(f"{{{SVG}}}svg")
    _drop_entities(root)
    places = _XmlPlaces(source, root, blanked)
    return HtmlDocument(source, root, places, tuple(faults))


def _blank(text: str, match: re.Match[str] | None) -> str:
    """``text`` with spaces in the place of what matched."""
    if match is None:
        return text
    return text[: match.start()] + re.sub(r"[^\r\n]", " ", match[0]) + text[match.end() :]


def _problem(source: SourceText, line: int, column: int, message: str, code: str) -> ParseProblem:
    start = source.offset(line, column)
    return ParseProblem(f"XML: {message.strip()}", source.span(start, min(start + 1, len(source.text))), code)


def _drop_entities(root: _Element) -> None:
    """References that were not resolved stand in the tree as nodes; what reads it expects elements only."""
    for entity in list(root.iter(etree.Entity)):
        parent = entity.getparent()
        if parent is not None:
            before = entity.getprevious()
            if before is not None:
                before.tail = (before.tail or "") + (entity.tail or "")
            else:
                parent.text = (parent.text or "") + (entity.tail or "")
            entity.tail = None
            parent.remove(entity)


class _XmlPlaces:
    """:class:`husky_lint.parse.html.Places` by the order of the tags."""

    def __init__(self, source: SourceText, root: _Element, text: str) -> None:
        self.source = source
        self.text = text
        self._comments: list[Comment] = []
        self._tags: dict[_Element, _Tag] = {}
        tags = self._scan()
        for element, tag in zip(root.iter(etree.Element), tags, strict=False):
            if etree.QName(element).localname != tag.name.rpartition(":")[2]:
                break  # not well-formed from here on
            self._tags[element] = tag

    def _scan(self) -> list[_Tag]:
        found: list[_Tag] = []
        open_tags: list[int] = []
        for match in _TAG.finditer(self.text):
            if match["start"] is not None:
                found.append(_Tag(match.start(), match.end(), match["start"], match.start("attributes"), None))
                if not match["attributes"].endswith("/"):
                    open_tags.append(len(found) - 1)
                if len(found) >= MAX_ELEMENTS:
                    break
            elif match["end"] is not None:
                if open_tags:
                    index = open_tags.pop()
                    found[index] = found[index]._replace(end_tag=match.span())
            elif match["comment"] is not None:
                self._comments.append(Comment(match["comment"], self.source.span(*match.span())))
        return found

    def spans(self, element: _Element) -> ElementSpans | None:
        tag = self._tags.get(element)
        if tag is None:
            return None
        span = self.source.span
        attributes = {}
        for match in _ATTRIBUTE.finditer(self.text, tag.attributes, tag.end):
            start, end = match.start(2) + 1, match.end(2) - 1
            exact = "&" not in match[2]
            attributes[_key(match[1], element)] = AttributeSpans(span(*match.span(1)), span(start, end), exact)
        return ElementSpans(span(tag.start, tag.end), span(*tag.end_tag) if tag.end_tag else None, attributes)

    def comments(self) -> tuple[Comment, ...]:
        return tuple(self._comments)

    def problems(self) -> list[ParseProblem]:
        return []


def _key(name: str, element: _Element) -> str:
    """The lxml name of an attribute as written; namespace declarations keep theirs."""
    prefix, colon, local = name.partition(":")
    if not colon or prefix == "xmlns":
        return name
    namespace = XML if prefix == "xml" else element.nsmap.get(prefix)
    return f"{{{namespace}}}{local}" if namespace else name
