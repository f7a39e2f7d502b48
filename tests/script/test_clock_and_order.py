"""The model where its clock runs, where a literal stands in the other order, and how numbers read in English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from husky_lint.parse.html import parse_html
from husky_lint.script.model import ScriptModel
from husky_lint.script.scope import children
from husky_lint.source import SourceText
from husky_lint.style.media import MediaContext

from .page import page_model, scripts_of

if TYPE_CHECKING:
    from collections.abc import Iterator


def nodes(program: Any, kind: str) -> Iterator[Any]:
    stack = [program]
    while stack:
        node = stack.pop()
        if node.type == kind:
            yield node
        stack.extend(children(node))


@pytest.mark.parametrize(
    ("source", "kind", "expected"),
    [
        ("var out = ['a', 'b', 'c'].join();", "ArrayExpression", "c,b,a"),
        ("var out = [{ n: 1 }, { n: 2 }].map(o => o.n).join();", "ArrayExpression", "2,1"),
        ("var out = Object.keys({ a: 1, b: 2, c: 3 }).join();", "ObjectExpression", "c,b,a"),
        ("var out = 'a b  c'.split(/ +/).join();", "Literal", "c,b,a"),
        ("function f() { return [1, 2]; } var out = f().join() + f().join();", "ArrayExpression", "2,12,1"),
        (
            (
                "var list = ['a', 'b']; class C { #at = list.indexOf('a'); constructor() { this.go(); }"
                " go() { this.#at += 5; } get at() { return this.#at; } } var out = String(new C().at);"
            ),
            "ArrayExpression",
            "6",
        ),
    ],
)
def test_a_literal_in_the_other_order(source: str, kind: str, expected: str) -> None:
    document = parse_html(SourceText("index.html", f"<body><script>{source}</script>"))
    loaded = scripts_of(document, {})
    (literal, *_) = sorted(nodes(loaded[0].script.program, kind), key=lambda node: node.range[0])

    def out(**options: Any) -> Any:
        model = ScriptModel(document, loaded, MediaContext(), **options)
        model.load()
        value = model.global_value("out")
        model.journal.undo_to(0)
        return value

    plain = out()
    assert out(reversed_literal=literal) == expected
    assert out() == plain != expected


def test_dates_follow_the_clock() -> None:
    model = page_model(
        "<body><script>var first = Date.now(), made = new Date(), ticks = 0;"
        "setInterval(function () { ticks = Date.now() - first; }, 250);"
        "function since() { return new Date().getTime() - made; }</script>",
        virtual_clock=True,
    )
    model.advance(1100)
    assert model.global_value("ticks") == 1000
    assert page_model("<body><script>var now = Date.now();</script>").global_value("now") != 0


def test_a_delay_drawn_at_random_is_waited_for_at_its_longest() -> None:
    model = page_model(
        "<body><script>var turns = 0; function turn() { turns++; setTimeout(turn, 100 + Math.random() * 100); }"
        "setTimeout(turn, 100 + Math.random() * 100); setTimeout(function () { turns = 100; }, layout.width);</script>",
        virtual_clock=True,
    )
    model.advance(1000)
    assert model.global_value("turns") in (4, 5)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("(1234567.891).toLocaleString()", "1,234,567.891"),
        ("(1.0005).toLocaleString()", "1.001"),
        ("(-0).toLocaleString('en-US')", "-0"),
        ("(12.5).toLocaleString(undefined, { maximumFractionDigits: 0 })", "13"),
        ("(12.5).toLocaleString('en', { minimumFractionDigits: 2 })", "12.50"),
        ("new Intl.NumberFormat('en-US').format(1234.5)", "1,234.5"),
        ("[1, 2500].map(Intl.NumberFormat().format).join()", "1,2,500"),
        ("Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format('7.25')", "7.3"),
        ("typeof new Intl.NumberFormat('de').format(Math.random())", "string"),
    ],
)
def test_numbers_as_english_writes_them(call: str, expected: str) -> None:
    assert page_model(f"<body><script>var out = {call};</script>").global_value("out") == expected


def test_numbers_in_other_languages_are_not_known() -> None:
    model = page_model("<body><script>var out = (1.5).toLocaleString('de');</script>")
    assert not isinstance(model.global_value("out"), str)
    model = page_model("<body><script>var out = new Intl.DateTimeFormat('en').format(0), end = 1;</script>")
    assert not isinstance(model.global_value("out"), str)
    assert model.global_value("end") == 1
