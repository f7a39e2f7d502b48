"""HTML: the tree is the browser's, and every tag and attribute is where the document says."""

from __future__ import annotations

import html as entities
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from husky_lint.parse.html import (
    MAX_ATTRIBUTES,
    MAX_CHARACTERS,
    MAX_DEPTH,
    MAX_ELEMENTS,
    XHTML,
    XLINK,
    HtmlDocument,
    parse_html,
    xml_name,
)
from husky_lint.source import SourceText, Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element
    from playwright.sync_api import Page

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


def document(html: str) -> HtmlDocument:
    return parse_html(SourceText("index.html", html))


def only(parsed: HtmlDocument, name: str) -> _Element:
    (element,) = (e for e in parsed.elements if etree.QName(e).localname == name)
    return element


def codes(parsed: HtmlDocument) -> list[tuple[str, str]]:
    return [(error.code, parsed.source.slice(error.span)) for error in parsed.errors]


def check_spans(parsed: HtmlDocument) -> int:
    """Slices every tag and attribute and reads it again by simple means; gives the number of attributes."""
    source, count = parsed.source, 0
    for element in parsed.elements:
        spans = parsed.spans(element)
        name = etree.QName(element).localname
        if spans.implied:
            continue
        tag = source.slice(spans.start_tag)
        assert tag[: len(name) + 1].lower() == f"<{name}".lower()
        assert tag[-1] == ">"
        if spans.end_tag is not None:
            end_tag = source.slice(spans.end_tag)
            assert end_tag[: len(name) + 2].lower() == f"</{name}".lower()
            assert end_tag[-1] == ">"
            assert spans.content is not None
        assert set(element.attrib) <= set(spans.attributes)
        for key, value in element.attrib.items():
            place = spans.attributes[str(key)]
            count += 1
            assert source.slice(place.name).lower() == etree.QName(str(key)).localname.lower() or ":" in source.slice(
                place.name
            )
            written = "" if place.value is None else source.slice(place.value)
            written = written.replace("\r\n", "\n").replace("\r", "\n")
            assert (written if place.exact else entities.unescape(written)) == value
            assert spans.start_tag.start < place.whole.start <= place.whole.end < spans.start_tag.end
    return count


def test_spans_over_the_corpus(corpus_submission: Path) -> None:
    text = (corpus_submission / "index.html").read_text(encoding="utf-8")
    parsed = document(text)
    assert parsed.errors == ()
    assert check_spans(parsed) > 300
    assert len(parsed.comments) == text.count("<!--")
    windows = document(text.replace("\n", "\r\n"))
    assert check_spans(windows) == check_spans(parsed)
    assert [parsed.source.position(parsed.spans(e).start_tag.start) for e in parsed.elements] == [
        windows.source.position(windows.spans(e).start_tag.start) for e in windows.elements
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_spans_amid_everything_that_shifts_columns(newline: str) -> None:
    text = (
        "<!DOCTYPE html>\n<html\tlang = en>\n<body CLASS='a&amp;b  c' data-x data-y=\"q\nr\" Class=2>\n😀<p id=é😀>\tx"
        "<svg viewbox='0 0 1 1' xmlns:xlink=u xlink:HREF=#a><lineargradient gradienttransform=1 /></svg>"
    ).replace("\n", newline)
    parsed = document(text)
    assert check_spans(parsed) == 8
    body, svg = only(parsed, "body"), only(parsed, "svg")
    assert body.get("class") == "a&b  c"
    assert body.get("data-x") == ""
    assert parsed.spans(body).attributes["data-x"].value is None
    assert not parsed.spans(body).attributes["class"].exact
    assert parsed.source.slice(parsed.attribute_span(body, "data-y")) == f"q{newline}r"
    assert parsed.source.slice(parsed.attribute_span(body, "data-x")) == "data-x"
    assert parsed.attribute_span(body, "absent") == parsed.spans(body).start_tag
    assert parsed.source.position(parsed.spans(only(parsed, "p")).start_tag.start) == (5, 2)
    assert svg.get(f"{{{XLINK}}}href") == "#a"
    assert svg.get("viewBox") == "0 0 1 1"
    assert only(parsed, "linearGradient").get("gradientTransform") == "1"
    assert parsed.source.slice(parsed.spans(svg).attributes["xmlns:xlink"].name) == "xmlns:xlink"


def test_a_byte_order_mark_shifts_nothing() -> None:
    parsed = parse_html(SourceText.decode("index.html", b"\xef\xbb\xbf<!DOCTYPE html><p id=a>"))
    assert parsed.source.slice(parsed.spans(only(parsed, "p")).start_tag) == "<p id=a>"
    assert parsed.errors == ()


def test_names_that_xml_cannot_hold() -> None:
    parsed = document('<!DOCTYPE html><p @click=a :b=c d"e=f xlink:href=g><o:p></o:p><1></p>')
    p = only(parsed, "p")
    assert dict(p.items()) == {"U000040click": "a", "U00003Ab": "c", "dU000022e": "f", "xlinkU00003Ahref": "g"}
    assert parsed.source.slice(parsed.attribute_span(p, "U000040click")) == "a"
    assert only(parsed, "oU00003Ap").getparent() is p


@given(st.text(min_size=1, max_size=8))
def test_every_name_becomes_one_that_xml_holds(name: str) -> None:
    element = etree.Element(xml_name(name), {xml_name(name): ""})
    assert etree.fromstring(etree.tostring(element, encoding="unicode")).tag == element.tag


def test_implied_and_adopted_elements_have_the_closest_place() -> None:
    parsed = document("<!DOCTYPE html><table><tr id=r></table><b class=x>1<p>2</b>3")
    tbody = only(parsed, "tbody")
    assert parsed.spans(tbody).implied
    assert parsed.spans(tbody).start_tag.start == parsed.spans(only(parsed, "tr")).start_tag.start
    first, anew = (e for e in parsed.elements if etree.QName(e).localname == "b")
    assert not parsed.spans(first).implied
    assert parsed.spans(anew).implied
    assert parsed.spans(anew).start_tag == parsed.spans(first).start_tag
    assert parsed.source.slice(parsed.attribute_span(anew, "class")) == "x"


def test_an_element_that_script_made_points_at_its_parent() -> None:
    parsed = document("<!DOCTYPE html><div id=a></div>")
    div = only(parsed, "div")
    made = etree.SubElement(etree.SubElement(div, f"{{{XHTML}}}p"), f"{{{XHTML}}}i")
    assert parsed.spans(made).start_tag == parsed.spans(div).start_tag
    assert parsed.spans(made).implied
    assert parsed.spans(etree.Element("x")).start_tag == Span("index.html", 0, 0)


def test_template_and_shadow_content_is_not_in_the_document() -> None:
    parsed = document(
        "<!DOCTYPE html><template><p id=t>x</p></template><div><template shadowrootmode=open><i>s</i></template>y</div>"
    )
    template, div = only(parsed, "template"), only(parsed, "div")
    assert len(template) == 0
    (inside,) = parsed.templates[template]
    assert inside.get("id") == "t"
    assert parsed.source.slice(parsed.spans(inside).start_tag) == "<p id=t>"
    assert [etree.QName(e).localname for e in parsed.shadow_roots[div]] == ["i"]
    assert div.text == "y"
    assert parsed.errors == ()


def test_embedded_blocks() -> None:
    text = (
        "<!DOCTYPE html><style>a{color:red}</style><style type=text/plain>b{}</style><script>let 😀</script>"
        "<script src=x.js></script><script type=module>\r\nexport default 1</script><script type=application/json>{}"
        "</script><svg><style>c&gt;d{}</style><style><![CDATA[e{}]]></style><script>f&amp;&amp;g</script></svg>"
        "<noscript><style>no{}</style></noscript><script>open("
    )
    parsed = document(text)
    assert [(block.kind, parsed.source.slice(block.span), block.text) for block in parsed.style_blocks] == [
        ("css", "a{color:red}", None),
        ("data", "b{}", None),
        ("css", "c&gt;d{}", "c>d{}"),
        ("css", "<![CDATA[e{}]]>", "e{}"),
    ]
    assert [(block.kind, parsed.source.slice(block.span), block.text) for block in parsed.script_blocks] == [
        ("classic", "let 😀", None),
        ("module", "\r\nexport default 1", None),
        ("data", "{}", None),
        ("classic", "f&amp;&amp;g", "f&&g"),
        ("classic", "open(", None),
    ]
    (_, sheet), (_, escaped), _ = parsed.stylesheets
    assert parsed.source.slice(sheet.rules[0].span) == "a{color:red}"
    assert parsed.source.slice(escaped.rules[0].span) == "c&gt;d{}"
    (_, broken), (_, module), (_, escaped_script), (_, cut) = parsed.scripts
    assert broken.error is not None
    assert parsed.source.slice(broken.error.span) == "😀"
    assert module.program is not None
    assert escaped_script.program is not None
    assert parsed.source.slice(module.span(module.program.body[0])) == "export default 1"
    assert parsed.source.slice(escaped_script.span(escaped_script.program.body[0])) == "f&amp;&amp;g"
    assert cut.error is not None
    assert cut.error.span.start == len(text)


def test_style_attribute() -> None:
    parsed = document("<!DOCTYPE html><p style='color: red;\r\n top:0'><i style='content:&quot;a&quot;'><b style>")
    declarations, problems = parsed.style_attribute(only(parsed, "p"))
    assert [parsed.source.slice(d.span) for d in declarations] == ["color: red", "top:0"]
    assert problems == ()
    (escaped,), _ = parsed.style_attribute(only(parsed, "i"))
    assert escaped.value == '"a"'
    assert parsed.source.slice(escaped.span) == "content:&quot;a&quot;"
    assert parsed.style_attribute(only(parsed, "b")) == ((), ())
    p = only(parsed, "p")
    p.set("style", "left:1px")  # as script does
    (changed,), _ = parsed.style_attribute(p)
    assert (changed.name, changed.value) == ("left", "1px")
    assert parsed.source.slice(changed.span) == "color: red;\r\n top:0"


@pytest.mark.parametrize(
    ("html", "code", "place"),
    [
        ("<p>", "missing-doctype", ""),
        ("<!DOCTYPE html><p a=1 a=2>", "duplicate-attribute", "="),
        ("<!DOCTYPE html></p></b>", "unmatched-end-tag", "</b>"),
        ("<!DOCTYPE html><b>1<p>2</b>3</p></b>", "unmatched-end-tag", "</b>"),
        ("<!DOCTYPE html><div><span></div>", "unclosed-element", "<span>"),
        ("<!DOCTYPE html><div>", "unclosed-element", "<div>"),
        ("<!DOCTYPE html><svg><g></svg>", "unclosed-element", "<g>"),
        ("<!DOCTYPE html><style>a{}", "unclosed-element", "<style>"),
        ("<!DOCTYPE html><tr>", "ignored-start-tag", "<tr>"),
        ("<!DOCTYPE html><body><body class=x>", "ignored-start-tag", "<body class=x>"),
        ("<!DOCTYPE html><table><tr><div id=a></div></table>", "foster-parented", "<div id=a>"),
        ("<!DOCTYPE html><div/></div>", "non-void-html-element-start-tag-with-trailing-solidus", "<"),
        ("<!DOCTYPE html><!-- <p>", "eof-in-comment", ""),
        ("<!DOCTYPE html>\0", "unexpected-null-character", "\0"),
    ],
)
def test_what_the_browser_repairs(html: str, code: str, place: str) -> None:
    assert (code, place) in codes(document(html))


@pytest.mark.parametrize(
    "html",
    [
        "<!DOCTYPE html><p>a<p>b<ul><li>c<li>d</ul><br><img src=x><input/>",
        "<!DOCTYPE html><html><head><title>a<b></title><body><table><tr><td>x<td>y</table></body></html>\n<!-- c -->\n",
        "<!DOCTYPE html><svg><path/><g><circle /></g><title>a</title><style>b</style></svg>",
        "<!DOCTYPE html><script>'</b><c>'</script><textarea></b></textarea><style>/*</b>*/</style>",
        "<!doctype HTML><svg><![CDATA[</b><c>]]></svg><!--<b></c>-->",
        "<!DOCTYPE html><select><option>a<option>b</select><dl><dt>a<dd>b</dl>",
        "<!DOCTYPE html><p title='</b>' data-a=\"<c>\">a &lt; b</p>",
        "<!DOCTYPE html><noscript><b></noscript><template><tr><td>x</template>",
    ],
)
def test_what_is_right_is_no_error(html: str) -> None:
    assert codes(document(html)) == []


def test_comments() -> None:
    text = (
        "<!DOCTYPE html><!-- a --><script>'<!-- no -->'</script><p title='<!-- no -->'><!--😀--!><!-->"
        "<svg><!--b--></svg><?pi?>"
    )
    parsed = document(text)
    assert [(c.text, parsed.source.slice(c.span)) for c in parsed.comments] == [
        (" a ", "<!-- a -->"),
        ("😀", "<!--😀--!>"),
        ("", "<!-->"),
        ("b", "<!--b-->"),
        ("pi?", "<?pi?>"),
    ]


def test_depth_is_chromiums() -> None:
    parsed = document("<!DOCTYPE html>" + "<div>" * 10_000)
    depth = max(sum(1 for _ in e.iterancestors()) + 1 for e in parsed.elements[:: len(parsed.elements) // 50])
    assert depth == MAX_DEPTH + 1
    assert len(parsed.elements) == 10_003
    assert "limit" in [error.code for error in parsed.errors]
    assert not parsed.spans(parsed.elements[-1]).implied


def test_limits() -> None:
    many = document("<!DOCTYPE html>" + "<p>" * (MAX_ELEMENTS + 10))
    assert len(many.elements) == MAX_ELEMENTS
    assert [error.code for error in many.errors] == ["limit"]
    wide = document("<!DOCTYPE html><p " + " ".join(f"a{i}" for i in range(MAX_ATTRIBUTES + 10)) + ">")
    assert len(only(wide, "p").attrib) == MAX_ATTRIBUTES
    assert [error.code for error in wide.errors] == ["limit"]
    # Each paragraph opens every formatting element anew: a million elements from a few kilobytes.
    long = document("<!DOCTYPE html><p>" + "x" * MAX_CHARACTERS + "<b>")
    assert [etree.QName(e).localname for e in long.elements] == ["html", "head", "body", "p"]
    assert [error.code for error in long.errors] == ["limit"]
    square = document("<p>" + "".join(f"<b a{i}>" for i in range(1000)) + "<p>x" * 100_000)
    assert len(square.elements) == MAX_ELEMENTS
    assert "limit" in [error.code for error in square.errors]


_FRAGMENTS = st.lists(
    st.one_of(
        st.sampled_from(
            [
                *(
                    "<p>",
                    "</p>",
                    "<b class='a b'>",
                    "</b>",
                    "<i>",
                    "</i>",
                    "<table>",
                    "<tr>",
                    "<td>",
                    "</table>",
                    "<svg>",
                    "<g>",
                ),
                *(
                    "</svg>",
                    "<foreignObject>",
                    "<title>",
                    "</title>",
                    "<style>",
                    "a{}",
                    "</style>",
                    "<script>",
                    "</script>",
                ),
                *(
                    "<template>",
                    "</template>",
                    "<!--",
                    "-->",
                    "<![CDATA[",
                    "]]>",
                    "<br/>",
                    "<p/>",
                    "<",
                    ">",
                    "&amp;",
                    "&",
                    "\0",
                ),
                *(
                    "\r\n",
                    "\r",
                    "\n",
                    "😀",
                    "\ud800",
                    "\x0c",
                    "<a href=x y = 'z' Z=\"w\">",
                    "</a>",
                    "<o:p @a=b>",
                    "<select>",
                ),
                *(
                    "<math><mi>",
                    "<form>",
                    "</form>",
                    "<body a=b>",
                    "<html c>",
                    "<frameset>",
                    "<plaintext>",
                    "<image>",
                    "<li>",
                ),
            ]
        ),
        st.text(max_size=3),
    ),
    max_size=30,
).map("".join)


@given(_FRAGMENTS)
def test_any_text_is_read(text: str) -> None:
    parsed = document(text)
    end = len(text)

    def inside(*spans: Span | None) -> None:
        for span in spans:
            assert span is None or 0 <= span.start <= span.end <= end

    for element in parsed.elements:
        spans = parsed.spans(element)
        inside(spans.start_tag, spans.end_tag, spans.content)
        for place in spans.attributes.values():
            inside(place.name, place.value)
            assert place.value is None or place.name.end < place.value.start
        if not spans.implied and spans.end_tag is not None:
            assert spans.start_tag.end <= spans.end_tag.start
        parsed.style_attribute(element)
    for error in parsed.errors:
        inside(error.span)
    for comment in parsed.comments:
        inside(comment.span)
    for block in (*parsed.style_blocks, *parsed.script_blocks):
        inside(block.span)
    assert etree.tostring(parsed.root)
    # Tags are all accounted for, each once.
    tags = [parsed.spans(e) for e in parsed.elements]
    starts = [spans.start_tag.start for spans in tags if not spans.implied]
    assert len(starts) == len(set(starts))


_DUMP = """html => {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const dump = node => {
    if (node.nodeType === Node.TEXT_NODE) return [node.data];
    if (node.nodeType !== Node.ELEMENT_NODE) return [];
    const attributes = Array.from(node.attributes).filter(a => !a.name.startsWith('xmlns'));
    const children = (node.localName === 'template' ? node.content || node : node).childNodes;
    const named = attributes.map(a => [a.namespaceURI || '', a.localName, a.value]).sort();
    return [[node.namespaceURI, node.localName, named,
      Array.from(children).flatMap(dump)]];
  };
  return dump(page.documentElement)[0];
}"""


def dump(parsed: HtmlDocument, element: _Element) -> list[Any]:
    name = etree.QName(element)
    attributes = sorted(
        [etree.QName(str(key)).namespace or "", etree.QName(str(key)).localname, value]
        for key, value in element.attrib.items()
    )
    holder = parsed.templates.get(element, element)
    children: list[Any] = [holder.text] if holder.text else []
    for child in holder:
        children.append(dump(parsed, child))
        children += [child.tail] if child.tail else []
    return [name.namespace, name.localname, attributes, children]


def merged(node: list[Any]) -> list[Any]:
    """Neighbouring texts (a comment stood between them) as one."""
    children: list[Any] = []
    for child in node[3]:
        if isinstance(child, str):
            if children and isinstance(children[-1], str):
                children[-1] += child
            else:
                children.append(child)
        else:
            children.append(merged(child))
    return [*node[:3], children]


@pytest.fixture
def browser_page(page: Callable[..., Page]) -> Page:
    opened = page()
    opened.set_content("<!DOCTYPE html>")
    return opened


@pytest.mark.browser
def test_the_tree_is_chromiums(browser_page: Page, corpus_submission: Path) -> None:
    text = (corpus_submission / "index.html").read_text(encoding="utf-8")
    parsed = document(text)
    assert merged(dump(parsed, parsed.root)) == merged(browser_page.evaluate(_DUMP, text))


@pytest.mark.browser
@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.lists(
        st.sampled_from(
            [
                *(
                    "<p>",
                    "</p>",
                    "<b class='a'>",
                    "</b>",
                    "<i>",
                    "</i>",
                    "<table>",
                    "<tr>",
                    "<td>",
                    "</table>",
                    "<svg>",
                    "<g>",
                ),
                *(
                    "</svg>",
                    "<foreignObject>",
                    "<style>",
                    "a{}",
                    "</style>",
                    "<clippath viewbox=a>",
                    "<template>",
                    "</template>",
                ),
                *(
                    "<!--",
                    "-->",
                    "<br/>",
                    "<p/>",
                    "x",
                    "&amp;",
                    "\r\n",
                    "<a href=x>",
                    "</a>",
                    "<li>",
                    "<div>",
                    "</div>",
                ),
            ]
        ),
        max_size=16,
    ).map("".join)
)
def test_random_trees_are_chromiums(text: str, browser_page: Page) -> None:
    parsed = document(text)
    assert merged(dump(parsed, parsed.root)) == merged(browser_page.evaluate(_DUMP, text))
