"""What a page refers to: every URL in its HTML, SVG and CSS, where it leads, and whether opening the page loads it.

URLs are read as a browser reads them (WHATWG URL): white space trimmed, tabs and newlines dropped, a backslash is a
slash, ``<base href>`` counts. What script fetches is not here; it is an effect of the script model.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from husky_lint.parse.css import AtRule, Declaration, StyleRule, Stylesheet
    from husky_lint.parse.html import HtmlDocument
    from husky_lint.source import Span

XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
_SVG = "{http://www.w3.org/2000/svg}"
_SCRIPT_TYPES = frozenset(
    {
        "",
        "module",
        "importmap",
        "text/javascript",
        "application/javascript",
        "application/ecmascript",
        "text/ecmascript",
        "application/x-javascript",
        "text/jscript",
        "text/x-javascript",
    }
)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_NETWORK_SCHEMES = frozenset({"http", "https", "ws", "wss", "ftp"})
_PAINT_ATTRIBUTES = frozenset(
    {
        "fill",
        "stroke",
        "filter",
        "mask",
        "clip-path",
        "marker",
        "marker-start",
        "marker-mid",
        "marker-end",
        "cursor",
    }
)
_CANDIDATE = re.compile(r"[\s,]*([^\s,]\S*)")
_MAX_DEPTH = 200


class Place(StrEnum):
    """Where a URL leads, seen from a page opened by ``file://``."""

    LOCAL = "local"  # a path relative to the file
    ROOT = "root"  # begins with one slash: the root of the disk under file://
    NETWORK = "network"  # http(s), ws(s), ftp or protocol-relative
    FRAGMENT = "fragment"  # a place in the same document
    DATA = "data"
    FILE = "file"  # an explicit file: URL
    OTHER = "other"  # blob:, javascript:, mailto:, about: …
    EMPTY = "empty"


class Kind(StrEnum):
    """What is referred to."""

    STYLESHEET = "stylesheet"
    SCRIPT = "script"
    IMAGE = "image"
    ICON = "icon"
    MEDIA = "media"
    FRAME = "frame"
    OBJECT = "object"
    MANIFEST = "manifest"
    PRELOAD = "preload"
    REFRESH = "refresh"
    USE = "use"
    IMPORT = "import"
    FONT = "font"
    CSS_IMAGE = "css-image"
    ANCHOR = "anchor"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Reference:
    """One URL. ``path`` is the submission's file it resolves to by name (there or not), ``None`` for other places.

    ``loaded`` says that opening the page may fetch it. ``element`` is ``None`` for those of a stylesheet.
    """

    kind: Kind
    url: str
    place: Place
    path: str | None
    fragment: str
    span: Span
    loaded: bool
    element: _Element | None = None


def clean_url(url: str) -> str:
    """A URL as the parser sees it: trimmed, without tabs and newlines, backslashes as slashes unless it is data."""
    url = re.sub(
        r"[\t\r\n]", "", url.strip("\0\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f\x1b\x1c\x1d\x1e\x1f ")
    )
    return url if url[:5].lower() == "data:" else url.replace("\\", "/")


def place_of(url: str) -> Place:
    """Where a URL leads, without a base."""
    url = clean_url(url)
    if not url:
        return Place.EMPTY
    if url.startswith("#"):
        return Place.FRAGMENT
    if scheme := _SCHEME.match(url):
        name = scheme[1].lower()
        if name in _NETWORK_SCHEMES:
            return Place.NETWORK
        return {"data": Place.DATA, "file": Place.FILE}.get(name, Place.OTHER)
    if url.startswith("//"):
        return Place.NETWORK
    return Place.ROOT if url.startswith("/") else Place.LOCAL


def resolve(url: str, base: str) -> str | None:
    """The submission's path that a relative URL in file ``base`` names, or ``None`` (another place, or outside)."""
    if place_of(url) is not Place.LOCAL:
        return None
    path = unquote(re.split(r"[?#]", clean_url(url), maxsplit=1)[0])
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(base), path)) if path else base
    return None if joined.startswith(("..", "/")) else joined


@dataclass(frozen=True, slots=True)
class _Base:
    """The base URL of a document: a file of the submission, or a foreign address from ``<base href>``."""

    path: str
    place: Place = Place.LOCAL

    def reference(self, kind: Kind, url: str, span: Span, loaded: bool, element: _Element | None = None) -> Reference:
        place = place_of(url)
        if place in (Place.LOCAL, Place.EMPTY) and self.place is not Place.LOCAL:
            place = self.place
        loaded = loaded and place not in (Place.FRAGMENT, Place.EMPTY, Place.OTHER)
        path = resolve(url, self.path) if place is Place.LOCAL else None
        fragment = clean_url(url).partition("#")[2] if place is not Place.DATA else ""
        return Reference(kind, url, place, path, fragment, span, loaded, element)


def document_references(document: HtmlDocument) -> Iterator[Reference]:
    """The references of the elements of a document, in document order, with those of ``style`` attributes."""
    from tinycss2 import parse_component_value_list

    base = _document_base(document)
    for element in document.elements:
        for kind, attribute, url, loaded in element_urls(element):
            yield base.reference(kind, url, document.attribute_span(element, attribute), loaded, element)
        for name, value in element.attrib.items():
            attribute, text = str(name), str(value)
            if "url(" not in text.lower():
                continue
            if attribute == "style":
                for declaration in document.style_attribute(element)[0]:
                    for url in token_urls(declaration.tokens):
                        yield base.reference(Kind.CSS_IMAGE, url, declaration.value_span, loaded=True, element=element)
            elif attribute in _PAINT_ATTRIBUTES:
                for url in token_urls(parse_component_value_list(text)):
                    span = document.attribute_span(element, attribute)
                    yield base.reference(Kind.CSS_IMAGE, url, span, loaded=True, element=element)


def stylesheet_references(sheet: Stylesheet) -> Iterator[Reference]:
    """The ``url()`` and ``@import`` references of a stylesheet, whether or not a rule with one ever applies."""
    base = _Base(sheet.source.path)
    for rule in sheet.rules:
        yield from _rule_references(rule, base, 0)


def _rule_references(rule: StyleRule | AtRule, base: _Base, depth: int) -> Iterator[Reference]:
    keyword = getattr(rule, "keyword", "")
    if keyword == "import":
        url = next((node.value for node in rule.prelude if node.type == "string"), None)
        for found in (url,) if url is not None else token_urls(rule.prelude):
            yield base.reference(Kind.IMPORT, found, getattr(rule, "prelude_span", rule.span), loaded=True)
    if depth > _MAX_DEPTH or keyword == "namespace":
        return
    kind = Kind.FONT if keyword == "font-face" else Kind.CSS_IMAGE
    for declaration in rule.declarations:
        yield from _declaration_references(declaration, kind, base)
    for nested in rule.rules:
        yield from _rule_references(nested, base, depth + 1)


def _declaration_references(declaration: Declaration, kind: Kind, base: _Base) -> Iterator[Reference]:
    for url in token_urls(declaration.tokens):
        yield base.reference(kind, url, declaration.value_span, loaded=True)


def token_urls(tokens: Any) -> Iterator[str]:
    """The URLs in tinycss2 tokens: ``url()``, ``src()``, and the bare strings of ``image-set()`` and ``image()``."""
    stack = [(iter(tokens), False)]
    while stack:
        level, in_image = stack[-1]
        node = next(level, None)
        if node is None:
            stack.pop()
        elif node.type == "url" or (in_image and node.type == "string"):
            yield node.value
        elif node.type == "function":
            name = node.lower_name
            strings = name in ("url", "src", "image", "image-set", "-webkit-image-set")
            stack.append((iter(node.arguments), strings))
        elif node.type in ("() block", "[] block", "{} block"):
            stack.append((iter(node.content), False))


def _document_base(document: HtmlDocument) -> _Base:
    path = document.source.path
    for element in document.elements:
        if _local_name(element) == "base" and (href := element.get("href")) is not None:
            place = place_of(href)
            if place is Place.LOCAL:
                joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), clean_url(href), "x"))
                return _Base(joined, Place.LOCAL if not joined.startswith("..") else Place.FILE)
            if place not in (Place.FRAGMENT, Place.EMPTY):
                return _Base(path, place)
            break
    return _Base(path)


def _local_name(element: _Element) -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def element_urls(element: _Element) -> Iterator[tuple[Kind, str, str, bool]]:
    """Kind, attribute, URL and whether it loads, for each URL attribute of one element (``style`` is not looked at)."""
    tag = str(element.tag)
    name = _local_name(element)
    if tag.startswith(_SVG):
        attribute = "href" if element.get("href") is not None else XLINK_HREF
        href = element.get(attribute)
        if href is not None:
            kinds = {
                "image": Kind.IMAGE,
                "feImage": Kind.IMAGE,
                "use": Kind.USE,
                "script": Kind.SCRIPT,
                "a": Kind.ANCHOR,
            }
            kind = kinds.get(name, Kind.OTHER)
            yield kind, attribute, href, kind not in (Kind.ANCHOR, Kind.OTHER)
        return
    if name == "link":
        yield from _link_urls(element)
    elif name == "script":
        kind_of_script = (element.get("type") or "").strip().lower()
        if (src := element.get("src")) is not None:
            yield Kind.SCRIPT, "src", src, kind_of_script in _SCRIPT_TYPES
    elif name == "meta":
        content = element.get("content") or ""
        if (element.get("http-equiv") or "").lower() == "refresh" and (
            found := re.search(r"url\s*=\s*['\"]?([^'\"]+)", content, re.IGNORECASE)
        ):
            yield Kind.REFRESH, "content", found[1], True
    else:
        plain = {
            "img": ((Kind.IMAGE, "src"),),
            "input": ((Kind.IMAGE, "src"),) if (element.get("type") or "").lower() == "image" else (),
            "body": ((Kind.IMAGE, "background"),),
            "source": ((Kind.MEDIA, "src"),),
            "video": ((Kind.MEDIA, "src"), (Kind.IMAGE, "poster")),
            "audio": ((Kind.MEDIA, "src"),),
            "track": ((Kind.MEDIA, "src"),),
            "iframe": ((Kind.FRAME, "src"),),
            "frame": ((Kind.FRAME, "src"),),
            "embed": ((Kind.OBJECT, "src"),),
            "object": ((Kind.OBJECT, "data"),),
            "a": ((Kind.ANCHOR, "href"),),
            "area": ((Kind.ANCHOR, "href"),),
            "form": ((Kind.ANCHOR, "action"),),
        }
        for kind, attribute in plain.get(name, ()):
            if (url := element.get(attribute)) is not None:
                yield kind, attribute, url, kind is not Kind.ANCHOR
        if name in ("img", "source"):
            yield from ((Kind.IMAGE, "srcset", url, True) for url in _srcset(element.get("srcset")))


def _link_urls(element: _Element) -> Iterator[tuple[Kind, str, str, bool]]:
    rel = set((element.get("rel") or "").lower().split())
    kind, loaded = Kind.OTHER, False
    if "stylesheet" in rel:
        kind, loaded = Kind.STYLESHEET, True
    elif rel & {"icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon"}:
        kind, loaded = Kind.ICON, True
    elif "manifest" in rel:
        kind, loaded = Kind.MANIFEST, True
    elif rel & {"preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch", "prerender", "import"}:
        kind, loaded = Kind.PRELOAD, True
    if (href := element.get("href")) is not None:
        yield kind, "href", href, loaded
    yield from ((kind, "imagesrcset", url, loaded) for url in _srcset(element.get("imagesrcset")))


def _srcset(value: str | None) -> Iterator[str]:
    """The URLs of a ``srcset`` (HTML, "parse a srcset attribute")."""
    text = value or ""
    position = 0
    while match := _CANDIDATE.match(text, position):
        yield match[1].rstrip(",")
        position = match.end()
        if not match[1].endswith(","):  # descriptors follow, to the next comma
            comma = text.find(",", position)
            position = len(text) if comma < 0 else comma
