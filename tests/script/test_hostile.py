# ruff: noqa: E501 - pieces of programs read best on one line
"""No script makes the model raise, hang or eat the memory."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from husky_lint.script.regex import translate

from .page import page_model


@pytest.mark.parametrize(
    "code",
    [
        "for (;;);",
        "while (true) { document.body.append('x') }",
        "function f() { f() } f()",
        "function f() { return f() + f() } f()",
        "const f = () => { if (Math.random() < .5) return f(); return f() }; f()",
        "let s = 'x'; for (;;) s += s;",
        "let a = [1]; for (;;) a = a.concat(a);",
        "new Array(1e9).fill(0)",
        "'x'.repeat(2 ** 29)",
        "'x'.padEnd(1e12)",
        "let a = []; a[4e9] = 1; a.length = 4e9; for (const x of a);",
        "let o = {}; o.o = o; JSON.stringify(o); String(o); structuredClone(o)",
        "let a = []; a.push(a); String(a); a.flat(Infinity); a.join()",
        "/(a+)+$/.test('a'.repeat(30) + '!')",
        "/(a|a)*b/.test('a'.repeat(40)); /(.*)(.*)(.*)(.*)(.*)(.*)(.*)x/.test('y'.repeat(9999))",
        "document.body.addEventListener('x', e => document.body.dispatchEvent(new Event('x'))); document.body.dispatchEvent(new Event('x'))",
        "document.body.innerHTML = '<div>'.repeat(100000)",
        "let e = document.body; for (;;) { const c = document.createElement('div'); e.append(c); e = c }",
        "setTimeout(function f() { setTimeout(f, 0); setTimeout(f, 0) }, 0)",
        "Promise.resolve().then(function f() { return Promise.resolve().then(f) })",
        "(async function f() { for (;;) await null })()",
        "10n ** 10n ** 10n; 2n << 99999n; BigInt('9'.repeat(9999))",
        "let x = 0; for (let i = 0; i < Math.random() * 9; i++) for (let j = 0; j < Math.random(); j++) for (let k = 0; k < Math.random(); k++) for (let l = 0; l < Math.random(); l++) x++",
        "let o = {}; for (let i = 0; i < 1e7; i++) o['k' + i] = i; ",
        "Object.defineProperty(Object.prototype, 'x', { get() { return this.x } }); ({}).x",
        "Object.setPrototypeOf(Object.prototype, Object.create(Object.prototype)); ({}).y; ({}) instanceof Array",
        "({ toString() { return this } }) + ''",
        "({ [Symbol.toPrimitive]() { throw 1 } }) + 1; throw { get message() { throw 2 } }",
        "class A extends A {} new A",
        "class A extends null { constructor() { super() } } new A",
        "with (document) { title = 1 }",
        "document.createElement('<'); ",
        "document.body.setAttribute('\\u0000', '\\ud800'); document.body.setAttribute('x', '\\u0000\\ud800')",
        "document.createElementNS('a b{}', 'x:y'); document.querySelector('[['); document.querySelector(':has('.repeat(500))",
        "document.body.style.cssText = 'a:'.repeat(99999); document.body.style.setProperty('}{', ';')",
        "document.documentElement.remove(); document.body.remove(); document.body.id = 1",
        "document.head.remove(); document.currentScript.remove(); document.head.append('x')",
        "document.body.textContent = ''; document.documentElement.textContent = ''; document.body.x.y",
        "document.currentScript.replaceWith(document.body)",
        "Array.prototype.map.call(Math.random() > .5 ? null : [1], x => x); [].reduce((a, b) => a)",
        "JSON.parse('['.repeat(100000)); JSON.parse('1e999')",
        "Function('return 1')(); eval('1'); new Proxy({}, {}); Reflect.ownKeys({})",
        "let {a: {b: [c]}} = {}; ",
        "label: { break label } switch (1) { case 1: let q; default: break }",
        "function* g() { yield* g() } for (const x of g()) document.body.append(x)",
        "window.window = 1; window = 2; document = 3; var document; undefined = 4; globalThis.Math = 5; Math.floor(1)",
        "Object.freeze(document.body); Object.freeze(Array.prototype); Array.prototype.push = null; [].push(1)",
        "1e400.toFixed(101)", "(1).toString(99)", "''.at(1e99)", "[].at(-1e99)", "[1].splice(NaN, Infinity)",
        "'a'.replace(/./g, '$<x>$99$0'); RegExp('['); new RegExp('a', 'gg').test('a')",
        "let e = document.body; e.append(e.cloneNode(true), ...e.childNodes, e.firstChild)",
        "for (let i = 0; i < 60; i++) if (Math.random() < .5) document.body.append(i)",
        "let v = 0; " + "if (Math.random() < .5) v++; else v--; " * 400,
        "[3, 1].sort(() => { throw 1 })",
        "var x = " + "+".join(["'a'"] * 3000),
        "var x = " + "[" * 200 + "]" * 200,
        "if (1) " * 300 + ";",
    ],
)  # fmt: skip
def test_hostile_code(code: str) -> None:
    model = page_model(f"<body><p>t</p><script>{code}</script><p id=q>u</p></body>")
    model.survey()
    model.script_driven()
    model.journal.undo_to(0)
    assert str(model.document.root[1][0].tag).endswith("}p")


_PIECES = st.sampled_from(
    [
        "document", ".body", ".append(", ")", "(", "[0]", "null", "x", "=", "=>", "{", "}", ";", "if", "for", "let x", "'a'",
        "Math.random()", "<", "+", ".querySelector('p')", ".style", ".cssText", ".map", "[", "]", ",", "function f()",
        "return", "class A", "await", "async", "?.", "??", "...", "`${", "}`", "1", ".innerHTML", "throw", "try", "catch",
    ]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(_PIECES, max_size=25))
def test_any_heap_of_tokens(pieces: list[str]) -> None:
    model = page_model(f"<body><p></p><script>{' '.join(pieces)}</script>")
    model.survey()
    model.journal.undo_to(0)


@given(st.text(alphabet="ab(|)*+?{1,}[]^$\\dws.-", max_size=14))
def test_regular_expressions_are_translated_or_unknown(source: str) -> None:
    matcher = translate(source, "")
    if matcher is not None:
        for text in ("ab" * 400, "a" * 2000):
            matcher.pattern.search(text[: matcher.longest])
