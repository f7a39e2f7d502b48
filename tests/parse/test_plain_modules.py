"""Plain modules have the tree that esprima gives them, or none."""

from __future__ import annotations

import random
import re
from typing import Any

import esprima
import pytest

from husky_lint.parse.js import parse_script
from husky_lint.parse.plain import parse_plain
from husky_lint.source import SourceText

from .test_plain import difference

PLAIN = r"""
import 'side'
import a from "x";
import * as ns from 'y'
import b, { c, d as e, default as f, } from 'z';
import g, * as h from 'w'; import {} from 'v'
export const i = 1, [j, { k }] = l;
export let m
export var n = await a, n2
export function o() { return import.meta.url }
export async function p() { await import('q') }
export class r {}
export { a, b as s, c as default };
export { t, u as v } from 'x'
const w = async () => await fetch(import.meta.url)
await w(); for (const x of await w()) { await x }
import.meta.env; import('z').then(a => a)
function once() {}
"""
DEFAULTS = (
    "function () {}\nf()",
    "function q() {}",
    "class {}",
    "class Q {}",
    "async function () {}",
    "async function q() {}",
    "{ a: 1 };",
    "[1]",
    "a => b",
    "(1, 2)",
    "async () => {}",
    "q",
)
OTHERS = r"""
import a from 'b'; let a
import a, { a } from 'b'
function f(){} function f(){}
export { a }
export const a = 1; export { a }
export default 1; export default 2
{ import a from 'b' }
if (a) { export const b = 1 }
function f() { import a from 'b' }
import a from 'b' with { type: 'json' }
import { 'a' as b } from 'c'
export * from 'x'
export * as y from 'x'
export default from 'x'
export { default } from 'x'
import { default } from 'x'
import { a as default } from 'x'
import { eval } from 'x'
new import('x')
import.foo
import(...a)
import('a', {})
import.meta = 1
function f() { await x }
(a = await b) => a
with (a) b
"""


def by_esprima(code: str) -> Any:
    return esprima.parseModule(code, {"range": True, "positionEncoding": "scalar"})


@pytest.mark.parametrize(
    "code", [PLAIN, *(f"export default {one}" for one in DEFAULTS), "export {}", "export { a }; const a = 1"]
)
def test_plain_modules_have_the_tree_of_esprima(code: str) -> None:
    program = parse_plain(code, module=True)
    assert program is not None
    assert difference(by_esprima(code), program) is None


@pytest.mark.parametrize("code", OTHERS.strip().splitlines())
def test_what_is_not_plain_or_not_right_is_left_to_esprima(code: str) -> None:
    assert parse_plain(code, module=True) is None


def test_scripts_import_by_calls_alone() -> None:
    code = "(async () => { const { chromium } = await import('playwright'); import('a') })()"
    program = parse_plain(code)
    assert program is not None
    assert difference(esprima.parseScript(code, {"range": True, "positionEncoding": "scalar"}), program) is None
    assert parse_plain("import.meta") is None
    assert parse_plain("import a from 'b'") is None
    assert parse_script(SourceText("a.js", "import a from 'b'")).error is not None
    assert parse_script(SourceText("a.mjs", "import a from 'b'"), module=True).error is None


def test_modules_with_pieces_exchanged_are_right_or_left_to_esprima() -> None:
    chance = random.Random(5)
    statements = [*PLAIN.strip().split("\n"), *(f"export default {one}" for one in DEFAULTS)]
    accepted = 0
    for _ in range(1500):
        pieces = re.findall(r"\s+|[A-Za-z_$][\w$]*|'[^']*'|=>|.", "\n".join(chance.sample(statements, 2)))
        place = chance.randrange(len(pieces))
        what = chance.random()
        if what < 0.4:
            del pieces[place]
        else:
            pieces[place] = chance.choice(
                (*pieces, "as", "from", "default", "import", "export", "await", ",", ".", "*", "{", "}")
            )
        code = "".join(pieces)
        program = parse_plain(code, module=True)
        if program is not None:
            accepted += 1
            assert difference(by_esprima(code), program) is None, code
    assert accepted > 100
