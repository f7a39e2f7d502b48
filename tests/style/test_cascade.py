"""The cascade seen from inside: which declaration, from where, through which custom properties; and hostile input."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from husky_lint.parse.css import parse_stylesheet
from husky_lint.parse.html import parse_html
from husky_lint.script.journal import InsertNode, Mutation, RemoveNode, SetAttribute, SetText
from husky_lint.source import SourceText
from husky_lint.style.computed import StyleEngine
from husky_lint.style.states import MediaContext, PageState

if TYPE_CHECKING:
    from lxml.etree import _Element

    from husky_lint.style.computed import ComputedStyle

BODY = (
    '<svg id="s" class="scene" data-speed="walk"><g class="leg" fill="red">'
    '<path class="paw" style="opacity: .5"/></g></svg>'
)


def _engine(css: str, body: str = BODY) -> StyleEngine:
    document = parse_html(SourceText("index.html", f"<!doctype html><html><body>{body}</body></html>"))
    return StyleEngine(document, [parse_stylesheet(SourceText("styles.css", css))])


def _find(engine: StyleEngine, name: str) -> _Element:
    return next(e for e in engine.document.elements if e.tag.endswith("}" + name))


def _style(css: str, name: str = "path", body: str = BODY, *mutations: Mutation) -> ComputedStyle:
    engine = _engine(css, body)
    return engine.style(PageState("page", mutations=mutations)).computed(_find(engine, name))


def _written(style: ComputedStyle, name: str) -> str:
    """The source text of the winning declaration."""
    declaration = style.declaration(name)
    assert declaration is not None
    return f"{declaration.span.file}: {declaration.name}: {declaration.value}"


def test_the_winning_declaration_has_its_place() -> None:
    css = ".paw { animation: step 1s; }\n.leg .paw { animation-delay: -1s }"
    style = _style(css)
    declaration = style.declaration("animation-delay")
    assert declaration is not None
    assert css[declaration.span.start : declaration.span.end] == "animation-delay: -1s"
    assert _written(style, "animation-name") == "styles.css: animation: step 1s"
    assert style.declaration("fill") is not None
    assert style.declaration("stroke") is None


def test_presentation_attributes_and_inline_styles_have_places_in_the_page() -> None:
    source = f"<!doctype html><html><body>{BODY}</body></html>"
    style = _style("")
    fill, opacity = style.declaration("fill"), style.declaration("opacity")
    assert fill is not None
    assert opacity is not None
    assert source[fill.span.start : fill.span.end] == "red"
    assert source[opacity.span.start : opacity.span.end] == "opacity: .5"


def test_the_same_attribute_on_two_elements_has_two_places() -> None:
    engine = _engine("", '<svg><path fill="red"/><g fill="red"/></svg>')
    styled = engine.style(PageState("page"))
    spans = {styled.computed(_find(engine, name)).declaration("fill").span for name in ("path", "g")}  # type: ignore[union-attr]
    assert len(spans) == 2


@pytest.mark.parametrize(
    ("written", "used"),
    [
        ("498 214", "498px 214px"),
        ("50% 7", "150px 7px"),
        ("left 4px", "0px 4px"),
        ("1,2", "0px 0px"),
        ("9", "9px 100px"),
    ],
)
def test_a_pivot_may_be_an_attribute_in_user_units(written: str, used: str) -> None:
    """As Chromium has it; in a style sheet a plain number is no length."""
    engine = _engine("", f'<svg viewBox="0 0 300 200"><g transform-origin="{written}"/></svg>')
    assert engine.style(PageState("page")).computed(_find(engine, "g")).text("transform-origin") == used


def test_dependencies_are_transitive_and_name_their_declarations() -> None:
    css = """
    .scene { --cycle: .8s; --glide: calc(var(--cycle) * 5); --idle: 7s }
    .paw { animation: step var(--glide) linear infinite; opacity: var(--o, .3) }
    """
    style = _style(css)
    trace = style.dependencies("animation-duration")
    assert trace.names == {"--glide", "--cycle"}
    assert [declaration.name for declaration in trace.declarations] == ["animation", "--cycle", "--glide"]
    assert style.text("animation-duration") == "4s"
    assert style.dependencies("animation-name").names == {"--glide", "--cycle"}, "one declaration sets both"
    assert style.dependencies("--glide").names == {"--cycle"}
    assert style.dependencies("stroke").names == set()


def test_inherited_values_know_their_ancestor() -> None:
    style = _style(".scene { --tone: red; stroke: var(--tone); font-size: 20px } .leg { stroke-width: 2em }")
    assert _written(style, "stroke") == "styles.css: stroke: var(--tone)"
    assert style.dependencies("stroke").names == {"--tone"}
    assert style.length("stroke-width") == 40
    assert not style.declares("stroke")


def test_typed_values() -> None:
    style = _style(
        ".paw { fill: #ff0000; stroke: url(#p) blue; stroke-width: 5%; opacity: 140%; visibility: HIDDEN;"
        "animation-duration: 1s, 200ms; x: 3 }"
    )
    fill = style.color("fill")
    assert fill is not None
    assert (fill.red, fill.green, fill.blue) == (1, 0, 0)
    assert style.paint_server("stroke") == "#p"
    assert style.length("stroke-width", 200) == 10
    assert style.number("opacity") == 0.5, "the inline style wins"
    assert style.keyword("visibility") == "hidden"
    assert style.times("animation-duration") == (1.0, 0.2)


def test_keyframes_are_the_last_active_ones_of_the_strongest_layer() -> None:
    css = """
    @keyframes a { to { opacity: 1 } } @keyframes a { to { opacity: 2 } }
    @layer weak, strong; @layer strong { @keyframes b { to { opacity: 3 } } } @layer weak { @keyframes b {} }
    @media print { @keyframes a {} } @keyframes none {} @keyframes "c d" {}
    """
    engine = _engine(css)
    styled = engine.style(PageState("page"))
    found = {name: styled.keyframes(name) for name in ("a", "b", "c d", "none")}
    assert found["a"] is not None
    assert found["b"] is not None
    assert found["a"].rules[0].declarations[0].value == "2"
    assert found["b"].rules[0].declarations[0].value == "3"
    assert found["c d"] is not None
    assert found["none"] is None


def test_dropped_rules_are_reported() -> None:
    engine = _engine(".a:foo { } .ok, { } @layer 1 { } @keyframes { } .fine { .b::nope { } }")
    assert [rule.message for rule in engine.dropped] == [
        "unknown pseudo-class :foo",
        "expected a selector",
        "not the name of a layer",
        "@keyframes without a name",
        "unknown pseudo-element",
    ]


def test_container_queries_are_unknown_not_guessed() -> None:
    style = _style("@container (width > 1px) { .paw { stroke: red; --x: 1 } } .paw { fill: var(--x, blue) }")
    assert style.unknown("stroke") == "unsupported-css"
    assert style.unknown("fill") == "unsupported-css"
    assert style.unknown("opacity") is None


def test_keyframe_values_are_substituted_on_the_element() -> None:
    style = _style(".leg { --a: 4deg } .paw { --b: calc(var(--a) * 2) }")
    tokens = parse_stylesheet(SourceText("k", "x{transform:rotate(var(--b))}")).rules[0].declarations[0].tokens
    assert "".join(t.serialize() for t in style.substitute(tokens) or ()) == "rotate(calc(4deg * 2))"
    changed = style.substitute(tokens, {"--b": tuple(tokens[0].arguments[:0])})
    assert changed is not None
    assert "".join(t.serialize() for t in changed) == "rotate()"
    assert style.substitute(parse_stylesheet(SourceText("k", "x{y:var(--no)}")).rules[0].declarations[0].tokens) is None


# ---- states


def test_states_share_what_they_can() -> None:
    engine = _engine('.scene[data-speed="hop"] .paw { fill: blue } .leg { stroke: red }')
    svg, path, group = (_find(engine, name) for name in ("svg", "path", "g"))
    plain = engine.style(PageState("walk"))
    hop = engine.style(PageState("hop", mutations=(SetAttribute.of(svg, "data-speed", "hop"),)))
    again = engine.style(PageState("hop", mutations=(SetAttribute.of(svg, "data-speed", "hop"),)))
    assert plain.computed(path).text("fill") == "rgb(255, 0, 0)"
    assert hop.computed(path).text("fill") == "rgb(0, 0, 255)"
    assert svg.get("data-speed") == "walk", "the document is as it was"
    assert hop.computed(group) is plain.computed(group)
    assert again.computed(path) is hop.computed(path)


def test_a_value_that_means_the_same_everywhere_is_one_object() -> None:
    css = """:root { --w: 3px } [data-speed=hop] .paw { fill: red } .paw { color: teal; stroke-width: var(--w);
    stroke: currentcolor; stroke-dashoffset: 2em; font-size: 20px } .leg { color: canvastext; stroke-width: 3px }"""
    engine = _engine(css)
    paw, svg = _find(engine, "path"), _find(engine, "svg")
    hop = PageState("hop", mutations=(SetAttribute.of(svg, "data-speed", "hop"),))
    first, second = engine.style(PageState("page")).computed(paw), engine.style(hop).computed(paw)
    assert first is not second
    for name in ("stroke-width", "stroke"):
        assert first.resolve(name) is second.resolve(name)
        assert first.resolve(name).declared is not None
    for name in ("color", "font-size", "stroke-dashoffset"):  # their meaning hangs on the element
        assert first.resolve(name).style is first
        assert second.resolve(name).style is second
    assert first.resolve("fill") is not second.resolve("fill")
    assert (first.text("stroke"), first.text("stroke-dashoffset")) == ("rgb(0, 128, 128)", "40px")
    assert first.resolve("opacity").declared is not None
    assert first.resolve("fill-opacity").declared is None


@pytest.mark.parametrize(
    ("css", "color"),
    [
        (".paw { color: red; all: initial; fill: blue } .leg .paw { stroke: red }", "rgb(0, 0, 0)"),
        (".paw { all: initial; color: red }", "rgb(255, 0, 0)"),
        (".paw { color: red !important } .leg .paw { all: initial }", "rgb(255, 0, 0)"),
        (".paw { color: red; all: initial !important; color: blue }", "rgb(0, 0, 0)"),
        (".leg .paw { color: blue } .leg .paw { color: red; color: revert-rule }", "rgb(0, 0, 255)"),
        (
            "@layer a, b; @layer b { .paw { color: red } } @layer a { .paw { color: blue !important } }",
            "rgb(0, 0, 255)",
        ),
    ],
)
def test_what_stands_later_in_a_rule_or_in_all_of_them(css: str, color: str) -> None:
    assert _style(css).text("color") == color


def test_classes_ids_and_inline_styles_of_a_state() -> None:
    engine = _engine(".is-hop #p { fill: blue } .scene { opacity: .9 } [style*=width] .paw { stroke: red }")
    svg, path = _find(engine, "svg"), _find(engine, "path")
    mutations = (
        SetAttribute.of(svg, "class", "is-hop"),
        SetAttribute.of(path, "id", "p"),
        SetAttribute.of(svg, "style", "stroke-width: 3px"),
        SetAttribute.of(path, "fill", "lime"),
    )
    styled = engine.style(PageState("s", mutations=mutations))
    assert styled.computed(path).text("fill") == "rgb(0, 0, 255)"
    assert styled.computed(path).text("stroke-width") == "3px"
    assert styled.computed(path).text("stroke") == "rgb(255, 0, 0)"
    assert styled.computed(svg).text("opacity") == "1"
    assert engine.style(PageState("s")).computed(svg).text("opacity") == "0.9"


def test_structure_of_a_state() -> None:
    engine = _engine(".leg:nth-child(2) { fill: lime } g:only-child { stroke: red }")
    svg, group = _find(engine, "svg"), _find(engine, "g")
    added = group.makeelement(group.tag, {"class": "leg"})
    inserted = engine.style(PageState("two", mutations=(InsertNode.of(svg, added, 0),)))
    assert inserted.computed(group).text("fill") == "rgb(0, 255, 0)"
    assert inserted.computed(added).text("stroke") == "none"
    assert added.getparent() is None
    plain = engine.style(PageState("one"))
    assert plain.computed(group).text("stroke") == "rgb(255, 0, 0)"
    with pytest.raises(KeyError):
        plain.computed(added)
    for mutation in (RemoveNode.of(group), SetText.of(svg, "gone")):
        emptied = engine.style(PageState("none", mutations=(mutation,)))
        assert group not in emptied
        assert group in plain
        assert group.getparent() is svg


def test_media_and_sheets_of_a_state() -> None:
    engine = _engine("@media (prefers-reduced-motion: reduce) { .paw { fill: lime } } .paw { fill: blue }")
    path = _find(engine, "path")
    reduced = engine.style(PageState("r", MediaContext(reduced_motion=True)))
    assert engine.style(PageState("p")).computed(path).text("fill") == "rgb(0, 0, 255)"
    assert reduced.computed(path).text("fill") == "rgb(0, 0, 255)", "the later rule wins, media or not"
    written = parse_stylesheet(SourceText("written", ".leg .paw { fill: red } @keyframes k { }"))
    styled = engine.style(PageState("w", sheets=(written,)))
    assert styled.computed(path).text("fill") == "rgb(255, 0, 0)"
    assert styled.keyframes("k") is not None
    assert engine.style(PageState("p2")).keyframes("k") is None


def test_imports_layers_and_cycles() -> None:
    sheets = {
        "a.css": parse_stylesheet(SourceText("a.css", "@import 'b.css' layer(x) screen; .paw { fill: lime }")),
        "b.css": parse_stylesheet(SourceText("b.css", "@import 'a.css'; .paw { fill: red !important; stroke: red }")),
        "c.css": parse_stylesheet(SourceText("c.css", ".paw { stroke: blue }")),
    }
    text = "@import url(a.css); @import 'c.css' print; @import 'c.css' supports(foo: bar); @import 'none.css'; .paw { }"
    document = parse_html(SourceText("index.html", f"<!doctype html><body>{BODY}"))
    main = parse_stylesheet(SourceText("styles.css", text))
    engine = StyleEngine(document, [main], import_sheet=lambda _, url: sheets.get(url))
    style = engine.style(PageState("page")).computed(_find(engine, "path"))
    assert style.text("fill") == "rgb(255, 0, 0)"
    assert style.text("stroke") == "rgb(255, 0, 0)"


def test_quirks_mode_ignores_case() -> None:
    body = '<svg><path class="Paw" id="P"/></svg>'
    css = ".paw { fill: lime } #p { stroke: red }"
    sheet = parse_stylesheet(SourceText("s.css", css))
    for doctype, fill in (("", "rgb(0, 255, 0)"), ("<!doctype html>", "rgb(0, 0, 0)")):
        engine = StyleEngine(parse_html(SourceText("i.html", f"{doctype}<body>{body}")), [sheet])
        assert engine.style(PageState("p")).computed(_find(engine, "path")).text("fill") == fill


# ---- hostile input


def _doubling(levels: int) -> str:
    steps = "".join(f"--v{n}: var(--v{n - 1}) var(--v{n - 1});" for n in range(1, levels))
    return f".paw {{ --v0: x; {steps} stroke: var(--v{levels - 1}); --end: var(--v{levels - 1}) }}"


def test_doubling_chains_and_deep_chains_end() -> None:
    style = _style(_doubling(40))
    assert style.unknown("stroke") == "limit"
    assert style.unknown("--end") == "limit"
    chain = "".join(f"--v{n}: var(--v{n - 1});" for n in range(1, 5000))
    assert _style(f".paw {{ --v0: red; {chain} stroke: var(--v4999) }}").unknown("stroke") == "limit"
    short = "".join(f"--v{n}: var(--v{n - 1});" for n in range(1, 20))
    assert _style(f".paw {{ --v0: red; {short} stroke: var(--v19) }}").text("stroke") == "rgb(255, 0, 0)"


@pytest.mark.parametrize(
    "selector",
    [
        " ".join(["*"] * 60) + " .none",
        "~".join(["*"] * 60) + "~.none",
        ":is(" * 20 + ".paw" + ")" * 20,
        ":not(" * 500 + ".paw" + ")" * 500,
        "a " * 5000 + "b",
        ",".join(["a"] * 5000),
        ":has(:is(:has(a)))",
        ".a" * 5000,
    ],
    ids=["descendants", "siblings", "nested", "deep", "long", "wide", "has", "compound"],
)
def test_extreme_selectors_end(selector: str) -> None:
    body = "<div>" * 200 + BODY + "<i></i>" * 300
    style = _style(f"{selector} {{ fill: lime }}", body=body)
    assert style.text("fill") in {"rgb(255, 0, 0)", "rgb(0, 255, 0)"}


def test_deep_documents_and_deep_inheritance() -> None:
    body = "<div>" * 400 + BODY
    css = "* { font-size: 1.01em; --a: inherit; display: inherit; color: inherit; --b: var(--a, 1) } :root { --a: red }"
    style = _style(css, body=body)
    limit = sys.getrecursionlimit()
    assert style.text("display") == "block"
    assert style.custom("--b") is not None
    assert style.font_size > 100
    assert sys.getrecursionlimit() == limit


def test_deep_nesting_of_rules() -> None:
    css = ".leg {" * 60 + "fill: lime;" + "}" * 60 + ".paw" + "{ &" * 40 + "{ fill: lime }" + "}" * 40
    assert _style(css).text("fill") in {"rgb(255, 0, 0)", "rgb(0, 255, 0)"}


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="{}[]()<>:;,.#&*@!'\"/\\-+~|^$= \nabvrx0159%é\x00", max_size=80), st.integers(0, 3))
def test_garbage_never_raises(text: str, place: int) -> None:
    css, body = "", BODY
    if place == 0:
        css = text
    elif place == 1:
        css = f".paw{text}{{ fill: blue }} .paw {{ {text}; stroke: var(--x{text}) }}"
    elif place == 2:
        css = f"@media {text} {{ .paw {{ fill: blue }} }} @layer {text}; @scope {text} {{ a {{}} }}"
        css += f"@supports {text} {{ }} @container {text} {{ .paw {{ fill: red }} }}"
        css += f'@property --x {{ syntax: "{text}"; inherits: true; initial-value: {text} }} .paw {{ --x: {text} }}'
    else:
        attribute = text.replace('"', "'")
        paints = f'fill="{attribute}" stroke-width="{attribute}"'
        body = f'<svg viewBox="{attribute}"><path class="paw" style="{attribute}" {paints}/></svg>'
    style = _style(css, body=body)
    for name in ("fill", "stroke", "stroke-width", "animation-name", "transform-origin", "display", "filter", "--x"):
        assert isinstance(style.text(name), str)
