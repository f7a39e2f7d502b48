"""HTML fragments in and out: what ``innerHTML`` sets and gives (WHATWG HTML, 13.3 and 13.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lxml import etree

from husky_lint.parse.html import MATHML, SVG, XHTML, XLINK, XML, lxml_attribute, xml_name, xml_text
from husky_lint.style.words import words

if TYPE_CHECKING:
    from lxml.etree import _Element

_VOID = words(
    """
    area base br col embed hr img input link meta source track wbr
    """
)
_RAW = frozenset(["style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext", "noscript"])
_NAMESPACES = {"html": XHTML, "svg": SVG, "math": MATHML}
_MAX_DEPTH = 400
_MAX_ELEMENTS = 5000
_MAX_LENGTH = 200_000


class TooLarge(Exception):  # noqa: N818
    """A fragment beyond what is followed."""


def parse_fragment(text: str, context: _Element) -> _Element:
    """The nodes of a fragment, as the children of a new element named ``fragment``.

    Raises :class:`TooLarge`.
    """
    import turbohtml

    if len(text) > _MAX_LENGTH:
        raise TooLarge
    namespace, _, name = str(context.tag)[1:].rpartition("}")
    where = f"svg {name}" if namespace == SVG else name
    try:
        origin = turbohtml.parse_fragment(text, context=where, positions=False, scripting=True)
    except ValueError:
        origin = turbohtml.parse_fragment(
            text, context="svg g" if namespace == SVG else "div", positions=False, scripting=True
        )
    holder = etree.Element("fragment")
    count = 0
    stack: list[tuple[_Element, Any, int]] = [(holder, origin, 0)]
    while stack:
        parent, source, depth = stack.pop()
        for child in source.children:
            kind = type(child).__name__
            if kind == "Text":
                _append_text(parent, xml_text(child.data))
            elif kind == "Element":
                count += 1
                if count > _MAX_ELEMENTS or depth > _MAX_DEPTH:
                    raise TooLarge
                stack.append((_make(child, parent), child, depth + 1))
    return holder


def _append_text(parent: _Element, text: str) -> None:
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def _make(origin: Any, parent: _Element) -> _Element:
    namespace = origin.namespace.value
    element = etree.SubElement(parent, f"{{{_NAMESPACES[namespace]}}}{xml_name(origin.tag)}")
    for name, value in origin.attrs.items():
        key = lxml_attribute(name, foreign=namespace != "html")
        if key is not None:
            text = origin.attr("class") if key == "class" else value
            element.set(key, xml_text(text or ""))
    return element


def escape_text(text: str) -> str:
    """Text content as HTML."""
    return text.replace("&", "&amp;").replace("\xa0", "&nbsp;").replace("<", "&lt;").replace(">", "&gt;")


def serialize(element: _Element, *, outer: bool) -> str:
    """``outerHTML`` or ``innerHTML``."""
    pieces: list[str] = []
    # An element to open, or text to copy; popped from the end.
    stack: list[_Element | str] = [element] if outer else _content(element)
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            pieces.append(item)
            continue
        name = qualified_name(item)
        pieces.append(f"<{name}")
        for key, value in item.attrib.items():
            escaped = str(value).replace("&", "&amp;").replace("\xa0", "&nbsp;").replace('"', "&quot;")
            escaped = escaped.replace("<", "&lt;").replace(">", "&gt;")
            pieces.append(f' {attribute_name(str(key))}="{escaped}"')
        pieces.append(">")
        if name not in _VOID or not str(item.tag).startswith(f"{{{XHTML}}}"):
            stack.append(f"</{name}>")
            stack.extend(_content(item))
    return "".join(pieces)


def _content(element: _Element) -> list[_Element | str]:
    """Content in reverse order, text escaped."""
    raw = qualified_name(element) in _RAW and str(element.tag).startswith(f"{{{XHTML}}}")
    items: list[_Element | str] = []
    texts = [element.text or "", *(child.tail or "" for child in element)]
    escaped = texts if raw else [escape_text(text) for text in texts]
    items.append(escaped[0])
    for child, tail in zip(element, escaped[1:], strict=True):
        items += [child, tail]
    items.reverse()
    return items


def qualified_name(element: _Element) -> str:
    """The tag as it is written."""
    return str(element.tag).rpartition("}")[2]


def attribute_name(key: str) -> str:
    """An attribute's lxml name as it is written."""
    if key.startswith(f"{{{XLINK}}}"):
        return f"xlink:{key.rpartition('}')[2]}"
    if key.startswith(f"{{{XML}}}"):
        return f"xml:{key.rpartition('}')[2]}"
    return key
