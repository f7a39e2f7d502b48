# ruff: noqa: E501 - pieces of programs read best on one line
"""Random JavaScript programs of the subset that the abstract interpreter follows; everything in them is known."""

from __future__ import annotations

import random

PRELUDE = """
function show(v) {
  if (typeof v === 'string') return JSON.stringify(v);
  if (typeof v === 'number') return Object.is(v, -0) ? '-0' : String(v);
  if (typeof v === 'function') return 'function';
  if (v === null || typeof v !== 'object') return String(v);
  if (Array.isArray(v)) return '[' + Array.from(v, show).join(',') + ']';
  if (v instanceof Map) return 'Map' + show([...v]);
  if (v instanceof Set) return 'Set' + show([...v]);
  if (v instanceof Error) return v.name;
  return '{' + Object.keys(v).map(k => k + ':' + show(v[k])).join(',') + '}';
}
"""

_NUMBERS = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "10",
    "-1",
    "-5",
    "0.5",
    "0.1",
    "0.2",
    "1.005",
    "2.5",
    "-2.5",
    "100",
    "255",
    "1e21",
    "1e-7",
    "123456789",
    "4294967296",
    "-0",
    "NaN",
    "Infinity",
    "0x1f",
    "1_000",
    "3.14159",
    "1.45",
    "8.345",
    "0.000001",
    "1e300",
    "5e-324",
    "9007199254740993",
]
_STRINGS = [
    "''", "'a'", "'abc'", "'12'", "' 3.5 '", "'0x10'", "'x-y-z'", "'Hello World'", "'1e3'", "'é'", "'🐕 dog'", "'a,b,,c'",
    "'true'", "'-0'", "'calc(1px)'", "'aAbB'", "`t${1 + 1}`", "'\\n'",
]  # fmt: skip
_KEYS = ["a", "b", "c", "k1", "2", "10"]


class Generator:
    """Writes one program."""

    def __init__(self, seed: int, *, doubt: bool = False) -> None:
        self.random = random.Random(seed)
        self.doubt = doubt
        self.in_function = 0
        self.count = 0
        self.scopes: list[dict[str, str]] = [{}]
        self.constants: set[str] = set()
        self.functions: list[tuple[str, int]] = []
        self.depth = 0
        self.calls = 0

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def name(self, kind: str) -> str:
        self.count += 1
        name = f"{kind[0]}{self.count}"
        self.scopes[-1][name] = kind
        return name

    def variable(self, kind: str) -> str | None:
        found = [name for scope in self.scopes for name, of in scope.items() if of == kind]
        return self.random.choice(found) if found else None

    def expression(self, kind: str = "", depth: int = 3) -> str:
        kind = kind or self.pick("number", "number", "string", "boolean", "array", "object")
        known = self.variable(kind)
        if known is not None and self.random.random() < 0.3:
            return known
        return str(getattr(self, f"_{kind}")(depth))

    def any(self, depth: int) -> str:
        if self.random.random() < 0.15:
            return self.pick("undefined", "null", "true", "''", "[]", "({})", "[1]")
        return self.expression("", depth)

    def _number(self, depth: int) -> str:
        e = self.expression
        if self.doubt and self.random.random() < 0.06:
            return self.pick("U()", "(U() * 10)", "Math.floor(U() * 3)", "(U() < 0.5 ? 1 : 2)")
        if depth <= 0:
            return f"({self.pick(*_NUMBERS)})"
        d = depth - 1
        which = self.random.randrange(26)
        if which < 6:
            operator = self.pick("+", "-", "*", "/", "%", "|", "&", "^", "<<", ">>", ">>>", "-", "*", "/")
            return f"({e('number', d)} {operator} {e('number', d)})"
        if which == 6:
            return f"Math.{self.pick('floor', 'ceil', 'round', 'abs', 'trunc', 'sign', 'sqrt')}({e('number', d)})"
        if which == 7:
            return f"Math.{self.pick('max', 'min')}({e('number', d)}, {e('number', d)}, ...{e('array', d)})"
        if which == 8:
            return f"{e('string', d)}.length"
        if which == 9:
            return f"{e('array', d)}.length"
        if which == 10:
            return f"{e('string', d)}.indexOf({e('string', d)})"
        if which == 11:
            return f"{e('array', d)}.indexOf({self.any(d)})"
        if which == 12:
            return f"parseFloat({self.any(d)})"
        if which == 13:
            return f"parseInt({self.any(d)}{self.pick('', ', 10', ', 16', ', 2')})"
        if which == 14:
            return f"Number({self.any(d)})"
        if which == 15:
            return f"(+{self.any(d)})"
        if which == 16:
            return f"(- {e('number', d)})"
        if which == 17:
            return f"({e('boolean', d)} ? {e('number', d)} : {e('number', d)})"
        if which == 18:
            return f"{e('array', d)}.reduce((s, x) => s + (typeof x === 'number' ? x : 1), {e('number', d)})"
        if which == 19:
            return f"{e('string', d)}.charCodeAt({self.pick('0', '1', '-1')})"
        if which == 20:
            return f"{e('array', d)}.findIndex(x => {self._test('x', d)})"
        if which == 21:
            return f"(~{e('number', d)})"
        if which == 22:
            return f"{e('string', d)}.lastIndexOf({e('string', d)})"
        if which == 23 and self.functions and self.calls < 30:
            name, arity = self.random.choice(self.functions)
            self.calls += 1
            return f"Number({name}({', '.join(self.any(0) for _ in range(arity))}))"
        return f"({e('number', d)} {self.pick('??', '||', '&&')} {e('number', d)})"

    def _string(self, depth: int) -> str:
        e = self.expression
        if depth <= 0:
            return self.pick(*_STRINGS)
        d = depth - 1
        which = self.random.randrange(22)
        if which < 3:
            return f"({e('string', d)} + {self.any(d)})"
        if which == 3:
            return f"`<${{{self.any(d)}}}|${{{e('number', d)}}}>`"
        if which == 4:
            return f"String({self.any(d)})"
        if which == 5:
            return f"({e('number', d)}).toFixed({self.pick('0', '1', '2', '4', '10')})"
        if which == 6:
            return f"{e('array', d)}.join({self.pick('', ',', '')}{e('string', 0)})".replace("(,", "(")
        if which == 7:
            return f"{e('string', d)}.slice({e('number', 0)}{self.pick('', ', 3', ', -1')})"
        if which == 8:
            return f"{e('string', d)}.{self.pick('toUpperCase', 'toLowerCase', 'trim')}()"
        if which == 9:
            return f"{e('string', d)}.{self.pick('padStart', 'padEnd')}({self.pick('3', '6', '12')}{self.pick('', ', `0`', ', `ab`')})"
        if which == 10:
            return f"{e('string', d)}.replace({self._pattern()}, {self.pick(chr(39) + '$&$&' + chr(39), chr(39) + 'x' + chr(39), '(m) => m + m', chr(39) + '$1-' + chr(39))})"
        if which == 11:
            return f"typeof {self.any(d)}"
        if which == 12:
            return f"({e('number', d)}).toString({self.pick('', '2', '16', '10')})"
        if which == 13:
            return f"{e('string', d)}.substring({self.pick('0', '1', '-2', '5')}, {self.pick('2', '1', '9')})"
        if which == 14:
            return f"String({e('string', d)}[{self.pick('0', '1', '7')}])"
        if which == 15:
            return f"{e('string', d)}.repeat({self.pick('0', '1', '2')})"
        if which == 16:
            return f"String(JSON.stringify({self.any(d)}))"
        if which == 17:
            return f"({e('number', d)}).{self.pick('toPrecision(3)', 'toPrecision(12)', 'toExponential(2)', 'toPrecision(1)')}"
        if which == 18:
            return f"Object.keys({e('object', d)}).join()"
        if which == 19:
            return f"String({e('string', d)}.at({self.pick('0', '-1', '2')}))"
        if which == 20:
            return f"String({e('string', d)}.match({self._pattern()}))"
        return f"({e('boolean', d)} ? {e('string', d)} : {e('string', d)})"

    def _pattern(self) -> str:
        return self.pick(
            "'a'",
            "/a/g",
            "/([a-z])(b)?/",
            "/\\d+/g",
            "/^\\s+|\\s+$/g",
            "/[A-Z]/g",
            "/(?:^|;\\s*)x=(\\w+)/",
            "/x|-/i",
            "/./",
        )

    def _boolean(self, depth: int) -> str:
        e = self.expression
        if self.doubt and self.random.random() < 0.3:
            return f"(U() < {self.pick('0.5', '0.2', '0.8')})"
        if depth <= 0:
            return self.pick("true", "false")
        d = depth - 1
        which = self.random.randrange(12)
        if which < 3:
            return f"({e('number', d)} {self.pick('<', '<=', '>', '>=', '===', '!==', '==', '!=')} {e('number', d)})"
        if which == 3:
            return f"({self.any(d)} {self.pick('===', '!==', '==', '!=', '<', '>=')} {self.any(d)})"
        if which == 4:
            return f"(!{self.any(d)})"
        if which == 5:
            return f"Boolean({self.any(d)})"
        if which == 6:
            return f"{e('array', d)}.{self.pick('some', 'every')}(x => {self._test('x', d)})"
        if which == 7:
            return f"{e('string', d)}.{self.pick('includes', 'startsWith', 'endsWith')}({e('string', d)})"
        if which == 8:
            return f"{e('array', d)}.includes({self.any(d)})"
        if which == 9:
            return f"('{self.pick(*_KEYS)}' in {e('object', d)})"
        if which == 10:
            return f"Boolean({e('boolean', d)} {self.pick('&&', '||')} {e('boolean', d)})"
        return f"{self.pick('Number.isInteger', 'isNaN', 'Number.isFinite', 'Array.isArray')}({self.any(d)})"

    def _test(self, name: str, depth: int) -> str:
        return self.pick(
            f"{name} > 1",
            f"typeof {name} === 'number'",
            f"{name}",
            f"!{name}",
            f"{name} == {self.expression('number', 0)}",
        )

    def _array(self, depth: int) -> str:
        e = self.expression
        if depth <= 0:
            return self.pick("[1, 2, 3]", "[]", "['b', 'a']", "[3, 1, 2]", "[0.5, 10, 9]", "[[1, 2], [3]]")
        d = depth - 1
        which = self.random.randrange(18)
        if which < 3:
            return "[" + ", ".join(self.any(d) for _ in range(self.random.randrange(4))) + "]"
        if which == 3:
            return f"{e('array', d)}.map((x, i) => {self.pick('x', 'i', 'x + i', '[x]', 'String(x)', 'i * 2')})"
        if which == 4:
            return f"{e('array', d)}.filter(x => {self._test('x', d)})"
        if which == 5:
            return f"{e('array', d)}.slice({self.pick('1', '-2', '0, 2', '1, -1', '')})"
        if which == 6:
            return f"{e('array', d)}.concat({self.any(d)})"
        if which == 7:
            return f"[...{e('array', d)}, ...{e('string', 0)}]"
        if which == 8:
            return f"{e('string', d)}.split({self.pick(chr(39) * 2, chr(39) + ',' + chr(39), chr(39) + '-' + chr(39), '/[,-]/')})"
        if which == 9:
            return f"Array.from({{ length: {self.pick('0', '3', '5')} }}, (_, i) => {self.pick('i', 'i * i', 'String(i)')})"
        if which == 10:
            return f"Object.{self.pick('keys', 'values', 'entries')}({e('object', d)})"
        if which == 11:
            return f"[...{e('array', d)}].sort({self.pick('', '(a, b) => a - b', '(a, b) => b - a')})"
        if which == 12:
            return f"[...{e('array', d)}].reverse()"
        if which == 13:
            return f"{e('array', d)}.flat({self.pick('', '2')})"
        if which == 14:
            return f"[...new Set({e('array', d)})]"
        if which == 15:
            return f"{e('array', d)}.flatMap(x => [x, {e('number', 0)}])"
        if which == 16:
            return f"Array({self.pick('2', '3')}).fill({e('number', 0)})"
        return f"(a => {{ a.{self.pick('push(1)', 'pop()', 'shift()', 'unshift(0)', 'splice(1, 1)', 'splice(0, 2, 9, 8)', 'length = 2')}; return a; }})([...{e('array', d)}])"

    def _object(self, depth: int) -> str:
        e = self.expression
        d = depth - 1
        if depth <= 0:
            return self.pick("({ a: 1, b: 2 })", "({})", "({ b: 'x', a: [1] })", "({ 10: 'x', 2: 'y', c: null })")
        which = self.random.randrange(6)
        if which < 3:
            pairs = ", ".join(f"{self.pick(*_KEYS)}: {self.any(d)}" for _ in range(self.random.randrange(4)))
            return f"({{ {pairs} }})"
        if which == 3:
            return f"({{ ...{e('object', d)}, [{e('string', 0)}]: {self.any(d)} }})"
        if which == 4:
            return f"Object.fromEntries(Object.entries({e('object', d)}).map(([k, v]) => [k + 'q', v]))"
        return f"Object.assign({{}}, {e('object', d)}, {e('object', d)})"

    # --- statements

    def block(self, depth: int, count: int) -> list[str]:
        self.scopes.append({})
        lines = [line for _ in range(count) for line in self.statement(depth)]
        self.scopes.pop()
        return lines

    def statement(self, depth: int) -> list[str]:
        which = self.random.randrange(22)
        e = self.expression
        if self.doubt and depth > 0 and self.random.random() < 0.25:
            return self.doubtful(depth)
        if which < 5 or depth <= 0:
            kind = self.pick("number", "string", "array", "object", "boolean")
            value = e(kind)
            keyword = self.pick("let", "const", "var")
            name = self.name(kind)
            if keyword == "const":
                self.constants.add(name)
            return [f"{keyword} {name} = {value};", *([f"print(show({name}));"] if self.random.random() < 0.5 else [])]
        if which == 5:
            kind = self.pick("number", "string")
            found = self.variable(kind)
            if found is None or found in self.constants:
                return [f"print(show({self.any(2)}));"]
            operator = (
                self.pick("=", "+=")
                if kind == "string"
                else self.pick("=", "+=", "-=", "*=", "/=", "%=", "||=", "&&=", "??=")
            )
            return [f"{found} {operator} {e(kind)};"]
        if which == 6:
            return [f"if ({e('boolean')}) {{", *self.block(depth - 1, 2), "} else {", *self.block(depth - 1, 1), "}"]
        if which == 7:
            self.count += 1
            i = f"i{self.count}"
            inner = self.block(depth - 1, 2)
            exits = self.pick("", f"if ({i} === 2) break;", f"if ({i} % 2) continue;")
            return [
                f"for (let {i} = 0; {i} < {self.pick('2', '3', '4')}; {i}++) {{",
                exits,
                *inner,
                f"print({i});",
                "}",
            ]
        if which == 8:
            self.count += 1
            x = f"x{self.count}"
            source = self.pick(f"of {e('array')}", f"of {e('string', 1)}", f"in {e('object')}", f"in {e('array', 1)}")
            return [
                f"for ({self.pick('const', 'let', 'var')} {x} {source}) {{",
                f"print(show({x}));",
                *self.block(depth - 1, 1),
                "}",
            ]
        if which == 9:
            self.count += 1
            name = f"f{self.count}"
            self.scopes.append({"p": "any", "q": "number"})
            self.in_function += 1
            body = self.block(depth - 1, 2)
            result = self.any(2)
            self.in_function -= 1
            self.scopes.pop()
            parameters = self.pick("p, q = 3", "{ a = 1, b } = {}, q = 2", "p, ...q", "[p, q = 1] = [], r")
            lines = [
                f"function {name}({parameters}) {{",
                "if (--fuel < 0) return 0;",
                *list(body),
                f"return {result};",
                "}",
            ]
            self.functions.append((name, 2))
            # Parameters may be anything: only what cannot throw for sure is called, and throws are caught.
            return [*lines, f"try {{ print(show({name}({self.any(1)}))); }} catch (e) {{ print(e.name); }}"]
        if which == 10:
            return [
                f"try {{ {self.pick('null.x', 'undefined()', 'throw new RangeError(1)', '(1).x.y', 'undeclared', 'JSON.parse(chr)')}; }} catch (e) {{ print(e.name, e instanceof Error); }} finally {{ print('f'); }}"
            ]
        if which == 11:
            return [
                f"switch ({self.any(2)}) {{",
                f"case {e('number', 0)}: print('one');",
                f"case {e('string', 0)}: print('two'); break;",
                "default: print('none');",
                f"case {e('number', 0)}: print('last');",
                "}",
            ]
        if which == 12:
            value = e("array")
            names = [self.name("any") for _ in range(3)]
            return [
                f"const [{names[0]}, {names[1]} = 5, ...{names[2]}] = {value};",
                f"print(show([{', '.join(names)}]));",
            ]
        if which == 13:
            names = [self.name("any") for _ in range(3)]
            return [
                f"const {{ a: {names[0]} = 'd', b: {names[1]}, ...{names[2]} }} = {e('object')};",
                f"print(show([{', '.join(names)}]));",
            ]
        if which == 14:
            self.count += 1
            c = f"C{self.count}"
            return [
                f"class {c} {{ #v = {e('number', 1)}; w = this.#v * 2; static s = {e('string', 0)}; constructor(x) {{ this.x = x; }}",
                "get v() { return this.#v; } set v(n) { this.#v = n; } add(n) { this.#v += n; return this; } static of(x) { return new this(x); } }",
                f"class {c}b extends {c} {{ y = 1; constructor(x) {{ super(x); this.z = this.v + 1; }} add(n) {{ super.add(n); super.add(1); return this; }} }}",
                f"{{ const o = {c}b.of({self.any(1)}); o.v = o.add({e('number', 0)}).v + 1; print(show(o), show(o.v), {c}b.s, o instanceof {c}); }}",
            ]
        if which == 15:
            self.count += 1
            a = f"a{self.count}"
            return [
                f"const {a} = []; for (let i = 0; i < 3; i++) {a}.push(() => i * {e('number', 0)});",
                f"print(show({a}.map(f => f())));",
            ]
        if which == 16:
            self.count += 1
            m = f"m{self.count}"
            return [
                f"const {m} = new Map({self.pick('', 'Object.entries(' + e('object', 1) + ')')}); {m}.set({self.any(1)}, {self.any(1)});",
                f"print(show({m}), {m}.size, {m}.has({self.any(0)}));",
            ]
        if which == 17:
            self.count += 1
            label = f"L{self.count}"
            return [
                f"{label}: for (const i of [1, 2, 3]) {{ for (const j of [1, 2, 3]) {{ if (j === 2) continue {label}; if (i === 3) break {label}; print(i, j); }} }}"
            ]
        if which == 18:
            self.count += 1
            w = f"w{self.count}"
            return [f"let {w} = {self.pick('3', '5')}; {self.pick(f'while ({w}-- > 0)', '')} {{ print({w}); }}"]
        if which == 19:
            return [f"print(show((({self.any(1)}))?.{self.pick('a', 'length', 'b?.c', 'x?.()')}));"]
        return [f"print(show({self.any(3)}));"]

    def doubtful(self, depth: int) -> list[str]:
        """Something that hangs on what is not known."""
        self.count += 1
        i = f"u{self.count}"
        test = f"U() < {self.pick('0.5', '0.3', '0.7')}"
        inner = self.block(depth - 1, 1)
        more = self.block(depth - 1, 1)
        which = self.random.randrange(9)
        if which == 0:
            return [f"if ({test}) {{", *inner, "} else {", *more, "}"]
        if which == 1:
            return [f"for (let {i} = 0; {i} < U() * 4; {i}++) {{", *inner, "}"]
        if which == 2:
            jump = self.pick("break", "continue")
            return [f"for (const {i} of [1, 2, 3]) {{", *inner, f"if ({test}) {jump};", *more, "}"]
        if which == 3:
            return [
                "try {",
                *inner,
                f"if ({test}) throw new Error('{i}');",
                *more,
                "} catch (e) { total += 1; print(e.name); }",
            ]
        if which == 4:
            return [
                "switch (Math.floor(U() * 3)) { case 0: {",
                *inner,
                "} case 1: {",
                *more,
                "} break; default: total += 5; }",
            ]
        if which == 5:
            self.functions.append((f"g{i}", 1))
            return [
                f"function g{i}(p) {{ if (--fuel < 0) return 0; if ({test}) {{ total += 1; return p; }} total += 10; {'return 3;' if self.random.random() < 0.5 else ''} }}"
            ]
        if which == 6:
            return [f"while (fuel-- > 0) {{ if ({test}) break; total += 2; }}"]
        if which == 7:
            return [
                f"seen.push({self.expression('number', 1)}); {test} && seen.push(1); box.{self.pick('a', 'b')} = {self.any(1)};"
            ]
        if self.in_function:
            return [f"if ({test}) return {self.any(1)};"]
        return [f"if ({test}) {{ total += {self.expression('number', 1)}; box.c = 1; delete box.a; }}"]

    def program(self) -> str:
        lines = self.block(3, 6)
        return "\n".join(["let fuel = 200;", *lines])

    def doubtful_program(self) -> str:
        """A program that ends by telling what its variables hold."""
        lines = [line for _ in range(7) for line in self.statement(3)]
        names = [*self.scopes[0], "total", "seen", "box"]
        tell = [f"tell('{name}', () => {name}, show);" for name in names]
        return "\n".join(["let fuel = 200, total = 0; const seen = [], box = { a: 1, b: 2 };", *lines, *tell])


def program(seed: int) -> str:
    """A program."""
    return Generator(seed).program()


def doubtful_program(seed: int) -> str:
    """A program whose course hangs on ``U()``, a number from 0 to 1 that is not known."""
    return Generator(seed, doubt=True).doubtful_program()
