"""CSS: every span covers what it says it covers, and nothing raises."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import tinycss2
from hypothesis import given
from hypothesis import strategies as st

from husky_lint.parse.css import (
    MAX_CHARACTERS,
    MAX_RULE_DEPTH,
    AtRule,
    Declaration,
    StyleRule,
    Stylesheet,
    parse_declarations,
    parse_stylesheet,
)
from husky_lint.source import SourceText, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Node = Declaration | StyleRule | AtRule

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


def sheet(css: str) -> Stylesheet:
    return parse_stylesheet(SourceText("styles.css", css))


def walk(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        if not isinstance(node, Declaration):
            yield from walk(node.body)


def tokens_of(text: str) -> str:
    """Tokens as text, without comments and without white space at the ends, to compare two ways of reading a value."""
    return str(tinycss2.serialize(tinycss2.parse_component_value_list(text, skip_comments=True))).strip()


def check_spans(parsed: Stylesheet) -> int:
    """Every span slices to exactly the thing it stands for; gives the number of nodes looked at."""
    source = parsed.source
    count = 0
    for node in walk(parsed.rules):
        count += 1
        text = source.slice(node.span)
        assert text == text.strip()
        if isinstance(node, Declaration):
            name = source.slice(node.name_span)
            assert (name if name.startswith("--") else name.lower()) == node.name
            value = source.slice(node.value_span)
            assert value == node.value == value.strip()
            assert tokens_of(value) == tinycss2.serialize(node.tokens).strip()
            assert text.startswith(name)
            between = re.sub(
                r"/\*.*?\*/", "", text[len(name) : node.value_span.start - node.span.start], flags=re.DOTALL
            )
            assert between.strip() == ":"
            rest = re.sub(r"/\*.*?\*/|\s", "", text[node.value_span.end - node.span.start :], flags=re.DOTALL)
            assert rest.lower() == ("!important" if node.important else "")
        elif isinstance(node, StyleRule):
            assert source.slice(node.selector_span) == node.selector_text == node.selector_text.strip()
            assert tokens_of(node.selector_text) == tinycss2.serialize(node.prelude).strip()
            block = source.slice(node.block_span)
            assert block[0] == "{"
            assert block[-1] == "}"
            assert text.startswith(node.selector_text)
            assert text.endswith(block)
        else:
            assert source.slice(node.keyword_span).lower() == f"@{node.keyword}"
            assert source.slice(node.prelude_span) == node.prelude_text == node.prelude_text.strip()
            assert tokens_of(node.prelude_text) == tinycss2.serialize(node.prelude).strip()
            assert text[-1] == ("}" if node.has_block else ";")
    return count


def texts(folder: Path) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.css"))]


def test_spans_over_the_corpus(corpus_submission: Path) -> None:
    (css,) = texts(corpus_submission)
    parsed = sheet(css)
    assert parsed.problems == ()
    # As many rules and declarations as there are blocks and colons before values, counted without the parser.
    bare = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    blocks = sum(1 for node in walk(parsed.rules) if not isinstance(node, Declaration))
    assert blocks == bare.count("{") + len(re.findall(r"@(?:layer|import)[^{;]*;", bare))
    assert check_spans(parsed) > 300


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\f"])
@pytest.mark.parametrize("css", texts(FIXTURES))
def test_spans_with_other_line_ends(css: str, newline: str) -> None:
    parsed = sheet(css.replace("\n", newline))
    assert check_spans(parsed) == sum(1 for _ in walk(sheet(css).rules))


def test_spans_amid_everything_that_shifts_columns() -> None:
    css = (
        "\t/* 😀 */ .a\u00e9😀 > b\t{\r\n  /* x: y; */ color /*😀*/ : /* 1 */ red /* 2 */ ! /* 3 */ IMPORTANT /* 4 */ ;"
        "\r--\\41 😀: { a: b; c } ;\n width:calc(1px /* ) */ + 2px)}@media  (width>1px)\r\n and print{a{}}@layer a , b;"
    )
    parsed = sheet(css)
    assert parsed.problems == ()
    rule, media, layer = parsed.rules
    assert isinstance(rule, StyleRule)
    assert isinstance(media, AtRule)
    assert isinstance(layer, AtRule)
    color, custom, width = rule.declarations
    assert rule.selector_text == ".a\u00e9😀 > b"
    assert (color.name, color.value, color.important) == ("color", "red", True)
    assert parsed.source.slice(color.span) == "color /*😀*/ : /* 1 */ red /* 2 */ ! /* 3 */ IMPORTANT"
    assert (custom.name, custom.value) == ("--A😀", "{ a: b; c }")
    assert parsed.source.slice(custom.name_span) == "--\\41 😀"
    assert parsed.source.slice(width.span) == "width:calc(1px /* ) */ + 2px)"
    assert media.prelude_text == "(width>1px)\r\n and print"
    assert (layer.keyword, layer.prelude_text, layer.has_block) == ("layer", "a , b", False)
    assert parsed.source.position(media.span.start) == (4, 32)


def test_a_part_of_a_file_keeps_places_of_the_file() -> None:
    html = "<p>😀</p>\r\n<style>\r\na{color:red}</style>}"
    source = SourceText("index.html", html)
    parsed = parse_stylesheet(source, html.index("<style>") + 7, html.index("</style>"), inline=True)
    (rule,) = parsed.rules
    assert parsed.inline
    assert parsed.problems == ()
    assert source.slice(rule.span) == "a{color:red}"
    assert rule.span.file == "index.html"
    assert source.position(rule.span.start) == (3, 1)


def test_text_that_stands_nowhere_has_one_place() -> None:
    at = Span("app.js", 10, 20)
    parsed = parse_stylesheet(SourceText("app.js", "a{color:red} }"), at=at)
    (rule,) = parsed.rules
    assert isinstance(rule, StyleRule)
    assert {rule.span, rule.selector_span, rule.declarations[0].value_span, parsed.problems[0].span} == {at}
    assert rule.declarations[0].value == "red"


def test_order_is_kept_in_the_body() -> None:
    (rule,) = sheet("a{color:red; b{width:1px} height:2px; @media print{top:0}}").rules
    assert isinstance(rule, StyleRule)
    assert [type(node).__name__ for node in rule.body] == ["Declaration", "StyleRule", "Declaration", "AtRule"]
    assert [declaration.name for declaration in rule.declarations] == ["color", "height"]
    assert rule.rules[1].declarations[0].name == "top"


@pytest.mark.parametrize(
    ("css", "code", "place"),
    [
        ("a{color:red}}b{color:red}", "stray-brace", "}"),
        ("a{color:red}}b{color:red}", "invalid-rule", "}b{color:red}"),
        ("a{color:red", "unclosed-block", "{"),
        ("a{b{c{}", "unclosed-block", "{"),
        ("a{width:calc(1px", "unclosed-block", "c"),
        ("a{color red; top:0}", "invalid-declaration", "color red"),
        ("a{color:;top:0}", "empty-value", "color:"),
        ("a{content:'x\n; top:0}", "invalid-value", "content:'x"),
        ("a{top:url(a b)}", "invalid-value", "top:url(a b)"),
        ("a{top:f(1))}", "invalid-value", "top:f(1))"),
        ("top:0; a{top:1px}", "invalid-rule", "top:0; a{top:1px}"),
        ("a", "invalid-rule", "a"),
        ("{top:0}", "invalid-rule", "{top:0}"),
        ("@foo{a{}}", "unknown-at-rule", "@foo{a{}}"),
        ("@media print;", "invalid-at-rule", "@media print;"),
        ("a{} @import 'x';", "invalid-at-rule", "@import 'x';"),
        ("a{@import 'x';}", "invalid-at-rule", "@import 'x';"),
        ("a{content:'x", "unclosed-string", "'x"),
    ],
)
def test_what_is_dropped_is_said_at_its_place(css: str, code: str, place: str) -> None:
    parsed = sheet(css)
    assert (code, place) in [(problem.code, parsed.source.slice(problem.span)) for problem in parsed.problems]


@pytest.mark.parametrize(
    ("css", "still_open"),
    [
        ("a{b{}", [1]),
        ("a{b{c:d\\}", [1, 3]),
        ("a{b:'}", [1]),
        ("a{/*}", [1]),
        ("a{b:f(g(", [1, 4, 6]),
        ("a{b:f(g()", [1, 4]),
        ("a{b:url(x", [1]),
        ("a{b:[", [1, 4]),
        ("a{b:[]", [1]),
        ("a{", [1]),
        ("a{}", []),
        ("a{(}", [1, 2]),
        ("a{(})", [1]),
        ("a{(})}", []),
    ],
)
def test_open_blocks_are_found_where_they_open(css: str, still_open: list[int]) -> None:
    found = [problem.span.start for problem in sheet(css).problems if problem.code == "unclosed-block"]
    assert found == still_open


def test_what_the_end_of_the_file_cuts_off_still_counts() -> None:
    (rule,) = sheet("a{color:red;b{width:calc(1px + 2px").rules
    assert isinstance(rule, StyleRule)
    (nested,) = rule.rules
    assert [declaration.name for declaration in rule.declarations] == ["color"]
    assert nested.declarations[0].value == "calc(1px + 2px"


def test_imports_come_first() -> None:
    parsed = sheet("@charset 'utf-8'; @layer a; @import 'x'; @import 'y' layer(z); @namespace 'u'; @import 'v'; a{}")
    assert [rule.keyword for rule in parsed.rules if isinstance(rule, AtRule)] == [
        *("charset", "layer", "import", "import", "namespace")
    ]
    assert [problem.code for problem in parsed.problems] == ["invalid-at-rule"]


def test_style_attribute() -> None:
    source = SourceText("x.html", "<p style='color:red; b{top:0} left:0; --x: {a;b} ; TOP : 1px'>")
    declarations, problems = parse_declarations(source, 10, 60)
    assert [(d.name, d.value) for d in declarations] == [("color", "red"), ("--x", "{a;b}"), ("top", "1px")]
    assert [source.slice(problem.span) for problem in problems] == ["b{top:0} left:0"]


@pytest.mark.parametrize("opener", ["a{", "@media print{", "a{b:f(", "a{b:[", "a{--x:{", "a,", "(", "a{b:url("])
def test_deep_nesting_ends_in_a_limit_or_in_nothing(opener: str) -> None:
    parsed = sheet(opener * 10_000)
    assert parsed.problems
    for node in walk(parsed.rules):
        assert node.span.end <= len(parsed.source.text)


def test_nesting_up_to_the_limit_is_kept() -> None:
    parsed = sheet("a{" * MAX_RULE_DEPTH + "top:0" + "}" * MAX_RULE_DEPTH)
    assert parsed.problems == ()
    assert sum(1 for _ in walk(parsed.rules)) == MAX_RULE_DEPTH + 1
    too_deep = sheet("a{" * (MAX_RULE_DEPTH + 1) + "top:0" + "}" * (MAX_RULE_DEPTH + 1))
    assert [problem.code for problem in too_deep.problems] == ["limit"]


def test_a_value_nested_too_deeply_is_a_limit() -> None:
    parsed = sheet("a{width:" + "(" * 5000 + ")" * 5000 + ";top:0}")
    (rule,) = parsed.rules
    assert [declaration.name for declaration in rule.declarations] == ["top"]
    assert "limit" in [problem.code for problem in parsed.problems]


def test_a_long_sheet_is_cut() -> None:
    parsed = sheet("a{}" * (MAX_CHARACTERS // 3 + 10))
    assert len(parsed.rules) in (MAX_CHARACTERS // 3, MAX_CHARACTERS // 3 + 1)
    assert parsed.problems[0].code == "limit"


def test_endless_numbers() -> None:
    parsed = sheet("a{width:" + "9" * 100_000 + "px;height:1px}")
    (rule,) = parsed.rules
    assert [declaration.name for declaration in rule.declarations] == ["width", "height"]
    assert rule.declarations[0].tokens[0].value == float("inf")
    assert [problem.code for problem in parsed.problems] == ["limit"]


_FRAGMENTS = st.lists(
    st.one_of(
        st.sampled_from(
            [
                *"{}()[];:,!@#.>'\"\\ \n\r\f\0/*%",
                *("\r\n", "/*", "*/", "url(", "a", "--b", "1px", "u+1?", "<!--", "-->", "calc(", "1e9"),
                *("@media", "@import", "important", "\\41 ", "😀", "\ud800"),
            ]
        ),
        st.text(max_size=4),
    ),
    max_size=40,
).map("".join)


@given(_FRAGMENTS, _FRAGMENTS)
def test_any_text_is_read(before: str, css: str) -> None:
    source = SourceText("x.css", f"{before}{css}!")
    start, end = len(before), len(before) + len(css)
    parsed = parse_stylesheet(source, start, end)
    declarations, problems = parse_declarations(source, start, end)

    def check(nodes: Sequence[Node], low: int, high: int) -> None:
        for node in nodes:
            span = node.span
            assert low <= span.start < span.end <= high
            low = span.end
            if isinstance(node, Declaration):
                assert span.start < node.name_span.end <= node.value_span.start <= node.value_span.end <= span.end
            elif isinstance(node, StyleRule):
                assert span.start < node.selector_span.end <= node.block_span.start < node.block_span.end == span.end
                check(node.body, node.block_span.start + 1, node.block_span.end)
            else:
                assert (
                    span.start < node.keyword_span.end <= node.prelude_span.start <= node.prelude_span.end <= span.end
                )
                if node.block_span is not None:
                    check(node.body, node.block_span.start + 1, node.block_span.end)

    check(parsed.rules, start, end)
    check(declarations, start, end)
    for problem in (*parsed.problems, *problems):
        assert start <= problem.span.start <= problem.span.end <= end
