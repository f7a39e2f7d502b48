"""URLs of pages and stylesheets: where they lead, and whether opening the page loads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from husky_lint.parse.css import parse_stylesheet
from husky_lint.parse.html import parse_html
from husky_lint.references import Kind, Place, Reference, document_references, place_of, resolve, stylesheet_references
from husky_lint.source import SourceText


def of_page(html: str, path: str = "index.html") -> list[Reference]:
    return list(document_references(parse_html(SourceText(path, html))))


def of_css(css: str, path: str = "styles.css") -> list[Reference]:
    return list(stylesheet_references(parse_stylesheet(SourceText(path, css))))


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("a.css", Place.LOCAL),
        ("./a.css?v=1", Place.LOCAL),
        ("?v", Place.LOCAL),
        ("/a.css", Place.ROOT),
        ("\\a.css", Place.ROOT),
        ("//cdn.example/a.css", Place.NETWORK),
        ("\\\\cdn.example/a", Place.NETWORK),
        (" \n https://x ", Place.NETWORK),
        ("ht\ntps://x", Place.NETWORK),
        ("HTTPS:x", Place.NETWORK),
        ("wss://x", Place.NETWORK),
        ("file:///etc/passwd", Place.FILE),
        ("data:image/png;base64,AA", Place.DATA),
        ("blob:x", Place.OTHER),
        ("javascript:void 0", Place.OTHER),
        ("#x", Place.FRAGMENT),
        ("", Place.EMPTY),
        ("http", Place.LOCAL),
    ],
)
def test_places(url: str, place: Place) -> None:
    assert place_of(url) is place


@pytest.mark.parametrize(
    ("url", "base", "path"),
    [
        ("a.css", "index.html", "a.css"),
        ("../a.css", "css/b.css", "a.css"),
        ("./x/../a%20b.css?v=1#f", "css/b.css", "css/a b.css"),
        ("../../a", "css/b.css", None),
        ("a\\b.js", "index.html", "a/b.js"),
        ("/a", "index.html", None),
        ("?v=2", "index.html", "index.html"),
    ],
)
def test_resolving(url: str, base: str, path: str | None) -> None:
    assert resolve(url, base) == path


@pytest.mark.parametrize(
    ("html", "kind", "path", "loaded"),
    [
        ("<link rel=stylesheet href=a.css>", Kind.STYLESHEET, "a.css", True),
        ("<link rel='shortcut icon' href=a.ico>", Kind.ICON, "a.ico", True),
        ("<link rel=canonical href=a.html>", Kind.OTHER, "a.html", False),
        ("<link rel=modulepreload href=a.js>", Kind.PRELOAD, "a.js", True),
        ("<script src=a.js></script>", Kind.SCRIPT, "a.js", True),
        ("<script type=text/template src=a.js></script>", Kind.SCRIPT, "a.js", False),
        ("<img src=a.png>", Kind.IMAGE, "a.png", True),
        ("<iframe src=a.html>", Kind.FRAME, "a.html", True),
        ("<a href=a.html>x</a>", Kind.ANCHOR, "a.html", False),
        ("<svg><image href=a.png /></svg>", Kind.IMAGE, "a.png", True),
        ("<svg><image xlink:href=a.png /></svg>", Kind.IMAGE, "a.png", True),
        ("<svg><use href='a.svg#x'/></svg>", Kind.USE, "a.svg", True),
        ("<svg><use href='#x'/></svg>", Kind.USE, None, False),
        ("<svg><path fill='url(#x)'/></svg>", Kind.CSS_IMAGE, None, False),
        ("<p style='background:url(a.png)'>", Kind.CSS_IMAGE, "a.png", True),
        ("<meta http-equiv=refresh content='0; url=a.html'>", Kind.REFRESH, "a.html", True),
    ],
)
def test_elements(html: str, kind: Kind, path: str | None, loaded: bool) -> None:
    (reference,) = of_page(html)
    assert (reference.kind, reference.path, reference.loaded) == (kind, path, loaded)


def test_the_span_is_the_value() -> None:
    html = '<link rel="stylesheet" href="a.css">'
    (reference,) = of_page(html)
    assert html[reference.span.start : reference.span.end] == "a.css"


def test_srcset() -> None:
    assert [r.url for r in of_page("<img srcset='a.png 1x, b.png 2x,c.png 3x'>")] == ["a.png", "b.png", "c.png"]


def test_a_template_is_no_part_of_the_page() -> None:
    assert of_page("<template><img src=http://x></template><noscript><img src=http://x></noscript>") == []


def test_a_base_counts() -> None:
    foreign = of_page("<base href='https://cdn.example/'><script src=a.js></script>")[-1]
    assert (foreign.place, foreign.path) == (Place.NETWORK, None)
    assert of_page("<base href='lib/'><script src=a.js></script>")[-1].path == "lib/a.js"


@pytest.mark.parametrize(
    ("css", "kinds"),
    [
        ("@import 'b.css' screen;", [(Kind.IMPORT, "b.css", True)]),
        ("@import url(b.css);", [(Kind.IMPORT, "b.css", True)]),
        ("@font-face { src: url('f.woff2') }", [(Kind.FONT, "f.woff2", True)]),
        ("a { b { background: url(//x/y.png) } }", [(Kind.CSS_IMAGE, "//x/y.png", True)]),
        ("a { background: image-set('a.png' 1x, url(b.png) 2x) }", [
            (Kind.CSS_IMAGE, "a.png", True), (Kind.CSS_IMAGE, "b.png", True),
        ]),
        ("a { fill: url(#g) }", [(Kind.CSS_IMAGE, "#g", False)]),
        ("a { content: 'url(x)' }", []),
        ("@namespace svg url(http://www.w3.org/2000/svg);", []),
        ("@media print { a { b: url(c) } }", [(Kind.CSS_IMAGE, "c", True)]),
    ],
)  # fmt: skip
def test_stylesheets(css: str, kinds: list[tuple[Kind, str, bool]]) -> None:
    assert [(r.kind, r.url, r.loaded) for r in of_css(css)] == kinds


@given(st.text(max_size=40), st.sampled_from(["index.html", "a/b.css"]))
def test_any_text_is_some_place_and_never_leads_out(url: str, base: str) -> None:
    place_of(url)
    path = resolve(url, base)
    assert path is None or not path.startswith(("/", ".."))
