# ruff: noqa: E501 - pieces of programs read best on one line
"""The quick parser gives the tree that esprima gives, or none."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path
from typing import Any

import esprima
import pytest

from husky_lint.parse.plain import parse_plain

REPOSITORY = Path(__file__).parents[2]
PLAIN = r"""
const a = 1, {b, c = 2, ...d} = e, [f, , g = 3, ...h] = i;
let x; var y = 0x1F + 1.5e3 - .5 * 2 ** 3 ** 2 % 7 / 2 + 1. + 100000000000000000000 + 0;
for (let i = 0, n = 3; i < n; i++) { if (i === 2) continue; else break; }
for (const k in o) { delete o[k]; } for (const v of xs) f(v); for (;;) { break }
for (x in o) y = x
for (a.b of [1, 2]) { var z = 1; } for (i = 0, j = 1; ;) ; for (var q = 1, r; ;) break
for (let {a, b: [c]} of xs) ; for (let i = ('a' in b); ;) {}
while (a < b && !(c || d)) { a += 1; do { b -= 1 } while (b > 0) }
switch (v) { case 1: case 'two': let w = 1; break; default: f(); }
try { f() } catch (e) { throw new Error(`bad ${e.message} and ${`inner ${1}`}`) } finally { done() }
try { f() } catch ({message: [m]}) { let e } try { g() } catch { h() }
function named(p, {q, r: [s], ...t}, [u] = [], ...rest) { return p ? q : r }
function strict() { 'use strict'; 'and more'
  return }
async function later(u) { const r = await fetch(u); for (const x of r) { await x; } return await r.json() }
const arrow = x => x * 2, two = (a, b = 1, ) => ({ a, b }), none = () => {}, as = async (x) => { await x }, at = async y => y;
const obj = { a, 'b': 1, 3: c, [d + 1]: 2, get e() { return 1 }, set e(v) {}, f() {}, async g() { await 1 }, h: function () {}, if: 2, get: 1, set, async, ...rest, };
a?.b?.[c]?.(d).e; (a?.b).c = 1; new Foo; new Foo.Bar(1, ...xs).baz(); new (f())(2); new a[b](1); a ?? b; (a || b) ?? c; a && (b ?? c);
[a, b] = [b, a]; ({ a, b: c.d, e = 1 } = f); [a.b, [c = 2], ...d] = e; [a, [b], (c)] = d; ({ a: [b] = [1] } = c)
x++; --y; -x; +y; ~z; !w; typeof v; void 0; delete a.b; a.b++; a[b]--; (a, b).c += 1
a, b, c; (a, b); a = b = c; a += b; a ||= b; a ??= c; a **= 2; a >>>= 1; a >>> 1 >> 2 << 3; a <= b !== c >= d
var re = /ab+[/\]]c/gi, t = a / b / c, u = x.replace(/\s+/g, ' ') / 2; a /= 2; return_ = this / 2; [/a/, /=b/]
class A { constructor(x) { this.x = x } static s = 1; f = 2; g; static m() {} get v() { return 1 } set v(x) {} async n() {} 'str'() {} [k]() {} }
const B = class Named { m() { return 1 }; get; set = 1; static async p() {} async() {} }
if (a) b; else if (c) d
else { e }
;;{ let inner = 1; function inBlock() {} }
f("str\n\x41\u0041\u{1F600}\0 \'\
cont" + 'it\'s 😀' + `raw\t \`é\``)
var i = a
++b
var j = function () {} ()
let k1 = async function () {}, k2 = function own() {}
!function () { return }(); (function () { 'use strict'; 'other'; x })();
function ends() { if (a) { return } if (b) return c
  do x; while (y) z }
(async () => { try { await x } catch (e) { process.exit(1) } })()
a = b // comment
/* and */ c = d /* over
two lines */ e()
f(function () { return `
  many ${lines}
` })
var of, get, set, from, target; of = get + set
"""
# What it leaves to esprima, be it right or wrong; ⏎ is a new line.
OTHERS = r"""
label: for (;;) break label
function* g() { yield 1 }
class A extends B { constructor() { super() } }
class A { #x = 1 }
class A { static { f() } }
with (a) b
let a; let a
let a; var a
{ var a; let a }
function f(a) { let a }
function f(a, a) {}
(a, a) => 1
try {} catch (e) { let e }
const a
for (const a;;) ;
for (let a, b of c) ;
return 1
break
continue
while (1) { (() => { break })() }
1 = 2
f() = 1
a?.b = 1
(a) = 1
[([a])] = 1
({a}) = 1
({a = 1})
f({a = 1})
({ a() {} } = 1)
[...a, b] = c
(...a)
(a, ...b)
() + 1
a => {} + 1
a⏎=> 1
async⏎x => x
await x
async function f(a = await b) {}
a ?? b || c
a || b ?? c
-a ** 2
delete a
new a?.b()
f`t`
a⏎`t`
07
1_000
10n
1abc
5.toString()
'\07'
"\u{110000}"
'\ud800'
`\1`
/(/
/a/gg
if (a) /b/g.test(c)
a++ / 2 / 3
{}⏎/re/g
if (a) function f() {}
if (a) let b
if (a) class B {}
import a from 'b'
export default 1
import.meta
new.target
super.a
eval = 1
arguments++
let let = 1
var yield
var static
var é
var \u0061
a <!-- b
--> c
({ __proto__: a, __proto__: b })
({ get a(b) {} })
({ set a() {} })
class A { constructor() {} constructor() {} }
class A { static prototype() {} }
class A { get constructor() {} }
function f(a = 1) { 'use strict' }
throw⏎a
switch (a) { default: default: }
switch (a) { case 1: let b; case 2: let b }
( ]
`${
"""
_PIECE = re.compile(
    r"\s+|[A-Za-z_$][\w$]*|\d[\w.]*|'[^'\n]*'|\"[^\"\n]*\"|\$\{|=>|\.\.\.|\?\.|\?\?|[=!]==?|&&|\|\||\+\+|--|[-+*/]=|.",
    re.DOTALL,
)
_THROWN_IN = """
    ( ) [ ] { } ; , . : ? ?. ?? => = == + - ++ -- ** / % ! && || << ... += ??= a b i let const var function async await
    of in new class static get set return if else for while do break switch case default try catch throw typeof delete
    this null 1 'a' `t` `a${ }b` /r/ arguments eval yield /* */ constructor __proto__ #x super label:
"""


def difference(expected: Any, found: Any, path: str = "program") -> str | None:
    """Where two trees differ, in whatever script could see; None when nowhere."""
    if isinstance(expected, list):
        if not isinstance(found, list) or len(expected) != len(found):
            return f"{path}: {expected!r:.60} is {found!r:.60}"
        inner = (difference(a, b, f"{path}[{i}]") for i, (a, b) in enumerate(zip(expected, found, strict=True)))
        return next((one for one in inner if one), None)
    if hasattr(expected, "__dict__"):
        wanted = {name: value for name, value in vars(expected).items() if not name.startswith("_")}
        given = vars(found) if hasattr(found, "__dict__") else {}
        if wanted.keys() != given.keys():
            return f"{path}: {list(wanted)} are {list(given)}"
        nested = [
            name for name, value in wanted.items() if name != "range" and isinstance(value, list | esprima.nodes.Node)
        ]
        if nested != [name for name in given if name in nested]:
            return f"{path}: in the order {nested}"
        inner = (difference(value, given[name], f"{path}.{name}") for name, value in wanted.items())
        return next((one for one in inner if one), None)
    same = type(expected) is type(found) and expected == found
    return None if same else f"{path}: {expected!r:.60} is {found!r:.60}"


def by_esprima(code: str) -> Any:
    return esprima.parseScript(code, {"range": True, "positionEncoding": "scalar"})


def test_plain_programs_have_the_tree_of_esprima() -> None:
    program = parse_plain(PLAIN)
    assert program is not None
    assert difference(by_esprima(PLAIN), program) is None


@pytest.mark.parametrize("path", sorted(REPOSITORY.glob("fixtures/*/**/*.js"))[:12], ids=lambda path: path.name)
def test_bundled_submissions_are_plain(path: Path) -> None:
    code = path.read_text("utf-8-sig")
    program = parse_plain(code)
    assert program is not None
    assert difference(by_esprima(code), program) is None


@pytest.mark.parametrize("code", OTHERS.strip().split("\n"))
def test_what_is_not_plain_or_not_right_is_left_to_esprima(code: str) -> None:
    assert parse_plain(code) is None


@pytest.mark.parametrize(
    "code", ["", "  // nothing", "'use strict'", "#!/usr/bin/env node\nf()", "#!x", "\ufefff()", "f()\r\ng()\u2028h()"]
)
def test_edges_of_files(code: str) -> None:
    program = parse_plain(code)
    assert program is None or difference(by_esprima(code), program) is None


def test_programs_with_pieces_exchanged_are_right_or_left_to_esprima() -> None:
    chance = random.Random(11)
    statements = PLAIN.strip().split("\n")
    thrown_in = _THROWN_IN.split()
    accepted = 0
    for _ in range(2500):
        pieces = _PIECE.findall("\n".join(chance.sample(statements, 2)))
        for _ in range(chance.choice((1, 1, 2))):
            place = chance.randrange(len(pieces))
            what = chance.random()
            if what < 0.3:
                del pieces[place]
            elif what < 0.8:
                pieces.insert(place, f" {chance.choice(thrown_in)} ")
            else:
                pieces[place] = chance.choice(pieces)
        code = "".join(pieces)
        program = parse_plain(code)
        if program is not None:
            accepted += 1
            assert difference(by_esprima(code), program) is None, code
    assert accepted > 100


@pytest.mark.parametrize(
    "code",
    [
        "a" + "+a" * 5000,
        "a" + ".b" * 5000,
        "a" + "**a" * 5000,
        "!" * 5000 + "a",
        "x=>" * 5000 + "1",
        "a?b:" * 5000 + "c",
        "a=" * 5000 + "c",
        "if(a);" + "else if(a);" * 5000,
        "{" * 5000 + "}" * 5000,
        "((" * 60 + "a" + "))" * 60 + ";" + "[" * 130 + "]" * 130,
        "`${" * 3000 + "}`" * 3000,
    ],
)
def test_what_is_too_deep_is_left_to_esprima(code: str) -> None:
    assert parse_plain(code) is None


@pytest.mark.parametrize(
    "code",
    [
        " " * 200_000 + "é",
        "/*" * 100_000,
        "'" + "a\\" * 100_000,
        "`" + "$" * 200_000,
        "/" + "[a" * 100_000,
        "a/" * 3,
        "0" * 200_000,
    ],
)
def test_hostile_tokens_cost_no_more_than_their_length(code: str) -> None:
    started = time.process_time()
    assert parse_plain(code) is None
    assert time.process_time() - started < 5
