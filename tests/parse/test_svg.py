"""SVG files: places by counting tags, no entities, nothing raises."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from husky_lint.parse.html import SVG, XLINK, HtmlDocument
from husky_lint.parse.svg import parse_svg
from husky_lint.source import SourceText

if TYPE_CHECKING:
    from pathlib import Path

OPEN = f'<svg xmlns="{SVG}" xmlns:xlink="{XLINK}">'


def document(text: str) -> HtmlDocument:
    return parse_svg(SourceText("favicon.svg", text))


def test_spans_over_the_corpus(corpus_submission: Path) -> None:
    for path in sorted(corpus_submission.glob("*.svg")):
        source = SourceText.decode(path.name, path.read_bytes())
        parsed = parse_svg(source)
        assert parsed.errors == ()
        assert parsed.root.tag == f"{{{SVG}}}svg"
        for element in parsed.elements:
            spans = parsed.spans(element)
            assert source.slice(spans.start_tag).startswith(f"<{etree.QName(element).localname}")
            for name, value in element.attrib.items():
                place = spans.attributes[str(name)]
                assert place.value is not None
                assert source.slice(place.value) == value
                assert source.slice(place.name) == name


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_places_amid_what_looks_like_tags(newline: str) -> None:
    text = (
        f'<?xml version="1.0" encoding="latin1"?>\n<!DOCTYPE svg [<!ENTITY e "<z/>">]>\n<!-- <a> -->\n<?x <b> ?>{OPEN}'
        "<g\ta='<' b=\">\"\nxlink:href='&#35;😀'><![CDATA[<c>]]></g >\n<style>d&gt;e{top:0}</style></svg>"
    ).replace("'<'", "'&lt;'")
    parsed = document(text.replace("\n", newline))
    assert parsed.errors == ()
    svg, g, style = parsed.elements
    spans = parsed.spans(g)
    assert parsed.source.slice(spans.start_tag) == f"<g\ta='&lt;' b=\">\"{newline}xlink:href='&#35;😀'>"
    assert spans.end_tag is not None
    assert parsed.source.slice(spans.end_tag) == "</g >"
    assert g.text == "<c>"
    assert g.get(f"{{{XLINK}}}href") == "#😀"
    assert parsed.source.slice(parsed.attribute_span(g, f"{{{XLINK}}}href")) == "&#35;😀"
    assert not spans.attributes["a"].exact
    assert spans.attributes["b"].exact
    assert [parsed.source.slice(c.span) for c in parsed.comments] == ["<!-- <a> -->"]
    ((_, sheet),) = parsed.stylesheets
    assert parsed.source.slice(sheet.rules[0].span) == "d&gt;e{top:0}"
    assert parsed.spans(svg).content is not None
    assert style.tag == f"{{{SVG}}}style"


def test_entities_are_neither_expanded_nor_fetched(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    doctype = f'<!DOCTYPE svg [<!ENTITY a "xxxxxxxx"><!ENTITY f SYSTEM "{secret.as_uri()}">]>'
    text = f'{doctype}{OPEN}<g b="&a;">&a;&f;y</g></svg>'
    parsed = document(text)
    assert "x" not in (parsed.elements[1].get("b") or "")
    assert "".join(map(str, parsed.root.itertext())) == "y"
    assert {error.code for error in parsed.errors} == {"xml-error"}


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("", "xml-error", (1, 1)),
        (f"{OPEN}\n<g></svg>", "xml-error", (2, 10)),
        (f'{OPEN}\n<g a="1" a="2"/></svg>', "xml-error", (2, 15)),
        (f"{OPEN}\n&nbsp;</svg>", "xml-error", (2, 7)),
        (OPEN + "<g>" * 10_000, "limit", None),
    ],
)
def test_errors_have_a_place(text: str, code: str, place: tuple[int, int] | None) -> None:
    parsed = document(text)
    assert parsed.errors[0].code == code
    if place is not None:
        assert parsed.source.position(parsed.errors[0].span.start) == place
    assert len(parsed.elements) >= 1


_FRAGMENTS = st.lists(
    st.one_of(
        st.sampled_from(
            [
                *(
                    OPEN,
                    "</svg>",
                    "<g>",
                    "</g>",
                    "<path d='M0 0'/>",
                    "<!--",
                    "-->",
                    "<![CDATA[",
                    "]]>",
                    "<?a",
                    "?>",
                    "<",
                    ">",
                ),
                *(
                    "&lt;",
                    "&x;",
                    "&",
                    "\0",
                    "\r\n",
                    "😀",
                    "\ud800",
                    "<!DOCTYPE svg [",
                    "<!ENTITY a 'b'>",
                    "]>",
                    "'",
                    '"',
                    "=",
                ),
                *("<?xml version='1.0'?>", " a='b'", "<a:b xmlns:a='u' a:c='d'/>", "<style>a{}</style>"),
            ]
        ),
        st.text(max_size=3),
    ),
    max_size=20,
).map("".join)


@given(_FRAGMENTS)
def test_any_text_is_read(text: str) -> None:
    parsed = document(text)
    for element in parsed.elements:
        assert isinstance(element.tag, str)
        spans = parsed.spans(element)
        assert 0 <= spans.start_tag.start <= spans.start_tag.end <= len(text)
        for place in spans.attributes.values():
            assert place.value is not None
            assert spans.start_tag.start < place.name.start < place.value.start <= place.value.end < spans.start_tag.end
    for problem in parsed.errors:
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
    assert [block.kind for block in parsed.style_blocks] == ["css"] * len(parsed.stylesheets)


def test_unfinished_constructs_take_no_quadratic_time() -> None:
    for text in (
        "<!--" * 100_000,
        "<![CDATA[" * 50_000,
        "<?" * 100_000,
        "<!DOCTYPE [" * 50_000,
        "<?xml " * 50_000,
        "<a" * 99_999,
    ):
        assert document(text).errors
