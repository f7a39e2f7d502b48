"""Proxies and Reflect do what they do in node; what is not followed is unknown and not as if nothing had happened."""

from __future__ import annotations

import pytest

from .test_against_node import in_node, interpreted

PROGRAMS = {
    "a store that tells": """
        const seen = [];
        const state = new Proxy({ pace: 'walk', n: 1 }, {
          set(target, key, value) { seen.push(key + target[key] + value); target[key] = value; return true; },
        });
        state.pace = 'hop'; state.n += 2; state.fresh = true;
        print(seen.join(), state.pace, state.n, Object.keys(state).join(), 'fresh' in state, JSON.stringify(state));""",
    "no traps": "const p = new Proxy({ a: 1 }, {}); p.b = 2; delete p.a; print(JSON.stringify({ ...p }), p.a);",
    "reading": """
        const p = new Proxy({ a: 1 }, { get(t, k, r) { return k in t ? t[k] : typeof r + k; } });
        print(p.a, p.b, p['c' + 1]); const { a, z } = p; print(a, z);""",
    "reflect in traps": """
        const target = { _v: 1, get v() { return this._v; }, set v(x) { this._v = x; } };
        const p = new Proxy(target, {
          get(t, k, r) { return Reflect.get(t, k, r); }, set(t, k, v, r) { return Reflect.set(t, k, v, r); },
          deleteProperty(t, k) { print('gone', k); return Reflect.deleteProperty(t, k); },
        });
        p.v = 5; p.q = 2; print(p.v, target._v, delete p.q, p.q);
        print(Reflect.has(p, 'v'), Reflect.ownKeys({ x: 1, y: 2 }).join());""",
    "deep": """
        const log = [];
        const wrap = (o) => new Proxy(o, {
          get(t, k) { const v = t[k]; return v && typeof v === 'object' ? wrap(v) : v; },
          set(t, k, v) { t[k] = v; log.push(k); return true; },
        });
        const s = wrap({ a: { b: { c: 1 } } }); s.a.b.c = 2; s.a.x = 3; print(log.join(), s.a.b.c, s.a.x);""",
    "a trap that says no": "'use strict'; const p = new Proxy({ a: 1 }, { set() {} }); p.a = 2; print('never');",
    "in sloppy code": "const p = new Proxy({ a: 1 }, { set(t, k, v) { t[k] = v; } }); p.a = 2; print(p.a);",
    "no object": "new Proxy(1, {});",
    "apply and construct": """
        class P { constructor(a, b) { this.s = a + b; } }
        print(Reflect.apply(Math.max, null, [1, 7]), Reflect.construct(P, [1, 2]).s);""",
    "class instances": """
        class Store { n = 0; get twice() { return this.n * 2; } up() { this.n += 1; } }
        let told = 0; const s = new Proxy(new Store(), { set(t, k, v) { told += 1; t[k] = v; return true; } });
        s.up(); s.up(); print(s.n, s.twice, told);""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_in_node(name: str) -> None:
    program = PROGRAMS[name]
    if program.startswith("'use strict';"):
        program = f"(function () {{ {program} }})();"
    assert [interpreted(program)] == in_node([program])


@pytest.mark.parametrize(
    "program",
    [
        "let n = 0; const p = new Proxy([], { set(t, k, v) { n += 1; t[k] = v; return true; } }); p.push(1); print(n);",
        "let n = 0; const p = new Proxy(() => 1, { apply() { n += 1; return 2; } }); p(); print(n);",
        "let n = 0; new WeakRef({ run() { n += 1; } }); print(n);",
    ],
)
def test_what_is_not_followed_may_have_called_what_it_was_given(program: str) -> None:
    assert interpreted(program) != ["0"]
