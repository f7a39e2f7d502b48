"""JavaScript: nodes and tokens are where they are said to be, errors too, and nothing raises."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from husky_lint.parse import js
from husky_lint.parse.js import parse_script
from husky_lint.parse.plain import parse_plain
from husky_lint.source import SourceText, Span

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_tokens_cover_the_corpus(corpus_submission: Path) -> None:
    for path in sorted(corpus_submission.rglob("*.js")):
        source = SourceText.decode(path.name, path.read_bytes())
        script = parse_script(source, module=path.parent.name == "tools" and "import " in source.text)
        assert script.error is None
        assert script.program is not None
        for token in script.tokens:
            assert source.slice(token.span) == token.value
        for statement in script.program.body:
            assert script.slice(statement) == source.slice(script.span(statement))
            assert script.slice(statement)[-1] in ";}"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r", "\u2028"])
def test_offsets_are_code_points_of_the_file(newline: str) -> None:
    code = f"// 😀{newline}var a = '😀😀', b = `x${{a}}{newline}😀`;{newline}foo?.bar(/😀/u, 1_000, a ?? b)"
    source = SourceText("index.html", f"<p>😀{newline}<script>{code}</script>")
    start = source.text.index("// ")
    script = parse_script(source, start, start + len(code))
    assert script.error is None
    assert script.program is not None
    first, second = script.program.body
    assert source.slice(script.span(first)) == f"var a = '😀😀', b = `x${{a}}{newline}😀`;"
    assert script.slice(second) == "foo?.bar(/😀/u, 1_000, a ?? b)"
    assert first.declarations[0].init.value == "😀😀"
    assert "`x${" in [source.slice(token.span) for token in script.tokens]


@pytest.mark.parametrize(("code", "by_esprima"), [("let a = 1", 0), ("again: for (;;) break again", 1)])
def test_parsed_once_and_only_when_asked(monkeypatch: pytest.MonkeyPatch, code: str, by_esprima: int) -> None:
    import esprima

    calls: list[str] = []

    def counted(name: str, real: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **options: object) -> object:
            calls.append(name)
            return real(*arguments, **options)

        return call

    monkeypatch.setattr(esprima, "parseScript", counted("esprima", esprima.parseScript))
    monkeypatch.setattr(js, "parse_plain", counted("plain", parse_plain))
    script = parse_script(SourceText("app.js", code))
    assert calls == []
    assert script.program is script.program
    assert script.error is None
    assert calls == ["plain"] + ["esprima"] * by_esprima


@pytest.mark.parametrize(
    ("code", "place"),
    [
        ("let a = ;", ";"),
        ("a b", "b"),
        ("let a; let a;", "a"),
        ("return 1", "1"),
        ("/* 😀", ""),
        ("class A { #x; #x }", "#"),
        ("var x = 'abc", "'"),
        ("import a from 'b'", "i"),
    ],
)
def test_syntax_errors_have_a_place_and_leave_tokens(code: str, place: str) -> None:
    source = SourceText("app.js", f"// 😀\n{code}")
    script = parse_script(source)
    assert script.program is None
    assert script.error is not None
    assert script.error.code == "syntax-error"
    assert source.slice(script.error.span) == place
    assert not script.error.message.startswith("Line")
    expected = {"var x = 'abc": ["var", "x", "="], "/* 😀": []}.get(code)
    if expected is not None:
        assert [token.value for token in script.tokens] == expected
    else:
        assert len(script.tokens) > 1


def test_modules() -> None:
    source = SourceText("app.mjs", "import a from './b.js'; await a; export {a}")
    assert parse_script(source).program is None
    assert parse_script(source, module=True).error is None


@pytest.mark.parametrize(
    "code",
    [
        "(" * 10_000 + ")" * 10_000,
        "[" * 10_000,
        "{" * 10_000 + "}" * 10_000,
        "!" * 10_000 + "a",
        "a" + "+a" * 10_000,
        "a" + ".b" * 10_000,
        "x=>" * 10_000 + "1",
        "if(a);" + "else if(a);" * 10_000,
        "`${" * 3000 + "}`" * 3000,
        "a = /" + "(" * 10_000 + ")" * 10_000 + "/.test(x)",
    ],
)
def test_deep_nesting_is_a_limit(code: str) -> None:
    script = parse_script(SourceText("app.js", code))
    assert script.program is None
    assert script.error is not None
    assert script.error.code == "limit"
    assert script.tokens


def test_a_long_script_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(js, "MAX_SCRIPT_CHARACTERS", 10)
    script = parse_script(SourceText("app.js", "let abcdefgh"))
    assert script.error is not None
    assert script.error.code == "limit"
    assert script.tokens == ()


def test_text_that_stands_nowhere_has_one_place() -> None:
    at = Span("index.html", 5, 9)
    script = parse_script(SourceText("index.html", "f(1)"), at=at)
    assert script.program is not None
    assert script.span(script.program.body[0]) == at
    assert script.slice(script.program.body[0]) == "f(1)"
    broken = parse_script(SourceText("index.html", "f("), at=at)
    assert broken.error is not None
    assert broken.error.span == at


@settings(deadline=None)
@given(
    st.text(max_size=5),
    st.lists(
        st.one_of(
            st.sampled_from(
                [
                    *(
                        "let ",
                        "a",
                        "=",
                        "1",
                        ";",
                        "(",
                        ")",
                        "{",
                        "}",
                        "=>",
                        "`",
                        "${",
                        "'",
                        '"',
                        "/",
                        "*",
                        "//",
                        "/*",
                        "*/",
                    ),
                    *(
                        "\n",
                        "\r\n",
                        "class ",
                        "#",
                        "?.",
                        "??",
                        "...",
                        "async ",
                        "await ",
                        "yield ",
                        "import ",
                        "<!--",
                        "-->",
                    ),
                    *(
                        "\\",
                        "\\u{",
                        "\0",
                        "😀",
                        "\ud800",
                        "0x",
                        "1n",
                        "[",
                        "]",
                        ",",
                        ":",
                        "?",
                        "in ",
                        "of ",
                        "for",
                        "if",
                    ),
                ]
            ),
            st.text(max_size=3),
        ),
        max_size=25,
    ).map("".join),
    st.booleans(),
)
def test_any_text_is_read(before: str, code: str, module: bool) -> None:
    source = SourceText("index.html", f"{before}{code}</script>")
    start, end = len(before), len(before) + len(code)
    script = parse_script(source, start, end, module=module)
    assert (script.program is None) == (script.error is not None)
    if script.program is not None:
        for statement in script.program.body:
            span = script.span(statement)
            assert start <= span.start < span.end <= end
    if script.error is not None:
        assert start <= script.error.span.start <= script.error.span.end <= end
    position = start
    for token in script.tokens:
        assert position <= token.span.start < token.span.end <= end
        position = token.span.end


def test_an_assertion_of_the_parser_is_no_traceback() -> None:
    script = parse_script(SourceText("a.js", "`${ } `${"))
    assert script.program is None
    assert script.error is not None
