"""Random programs do in the abstract interpreter what they do in node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from husky_lint.parse.js import parse_script
from husky_lint.script.compiler import compile_script
from husky_lint.script.machine import Machine
from husky_lint.script.realm import Realm
from husky_lint.script.values import (
    UNDEFINED,
    ArrayObject,
    JSObject,
    JSThrow,
    JSValue,
    LimitReached,
    MapObject,
    Unknown,
)
from husky_lint.source import SourceText

from .programs import PRELUDE, doubtful_program, program

if TYPE_CHECKING:
    from collections.abc import Sequence

_COUNT = 400
_RUNS = 8
_RUNNER = """
const programs = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const results = programs.map(source => {
  const lines = [];
  const print = (...values) => { if (lines.length < 2000) lines.push(values.join(' ')); };
  try { new Function('print', source)(print); } catch (error) { lines.push('! ' + error.name); }
  return lines;
});
process.stdout.write(JSON.stringify(results));
"""


def run_node(runner: str, data: Any) -> Any:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    given = json.dumps(data)
    done = subprocess.run([node, "-e", runner], input=given, capture_output=True, text=True, check=True, timeout=120)
    return json.loads(done.stdout)


def in_node(programs: Sequence[str]) -> list[list[str]]:
    found: list[list[str]] = run_node(_RUNNER, list(programs))
    return found


_DOUBTFUL_RUNNER = """
const [programs, runs] = JSON.parse(require('fs').readFileSync(0, 'utf8'));
let state = 1;
const U = () => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return state / 4294967296; };
const results = programs.map((source, index) => Array.from({ length: runs }, (_, run) => {
  const told = {};
  state = (index * 7919 + run * 104729 + 1) >>> 0;
  const tell = (name, value, show) => {
    try { told[name] = show(value()); } catch (error) { told[name] = '! ' + error.name; }
  };
  try { new Function('print', 'U', 'tell', source)(() => {}, U, tell); } catch (error) { told['!'] = error.name; }
  return told;
}));
process.stdout.write(JSON.stringify(results));
"""


def interpreted(source: str) -> list[str] | None:
    """What a program prints; None beyond the budget."""
    lines: list[str] = []
    machine = Machine(Realm, steps=3_000_000)

    def write(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
        joined = m.join_items(m.array(args), " ")
        if len(lines) < 2000:
            lines.append(joined if isinstance(joined, str) else repr(joined))
        return UNDEFINED

    machine.realm.builtins["print"] = machine.realm.function(write, "print")
    script = parse_script(SourceText("program.js", f"(function () {{{source}\n}})();"))
    compiled = compile_script(script)
    assert compiled is not None, script.error
    recursion = sys.getrecursionlimit()
    sys.setrecursionlimit(12_000)
    try:
        compiled.run(machine)
    except JSThrow as thrown:
        name: Any = thrown.value.get(machine, "name") if isinstance(thrown.value, JSObject) else thrown.value
        lines.append(f"! {name}")
    except LimitReached:
        return None
    finally:
        sys.setrecursionlimit(recursion)
    return lines


def test_random_programs_agree_with_node() -> None:
    first = int(os.environ.get("HUSKY_LINT_SEED", "1"))
    programs = [f"{PRELUDE}{program(seed)}" for seed in range(first, first + _COUNT)]
    expected = in_node(programs)
    wrong, limited = [], 0
    for seed, (source, lines) in enumerate(zip(programs, expected, strict=True), first):
        mine = interpreted(source)
        if mine is None:
            limited += 1
        elif mine != lines:
            at = next(
                (i for i, (a, b) in enumerate(zip(mine, lines, strict=False)) if a != b), min(len(mine), len(lines))
            )
            wrong.append((seed, at, mine[at : at + 1], lines[at : at + 1]))
    assert wrong == [], f"{len(wrong)} differ"
    assert limited <= _COUNT // 50


def is_known(m: Machine, value: JSValue, depth: int = 0) -> bool:
    """Whether a value is known through and through."""
    if not isinstance(value, JSObject):
        return type(value) is not Unknown
    if value.unknown is not None or depth > 20:
        return False
    items = m.realm.items_of(value) if isinstance(value, ArrayObject | MapObject) else value.props.values()
    return all(is_known(m, item, depth + 1) for item in items or ())


def told(source: str) -> dict[str, Any] | None:
    """What a doubtful program tells for sure: a text for a variable that is known, None for one that is not."""
    found: dict[str, Any] = {}
    machine = Machine(Realm, steps=3_000_000)

    def tell(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
        outstanding = len(m.pending)
        try:
            value = m.call(args[1], UNDEFINED, [])
            value = m.call(args[2], UNDEFINED, [value]) if is_known(m, value) else None
        except JSThrow as thrown:
            name = thrown.value.get(m, "name") if isinstance(thrown.value, JSObject) else None
            value = f"! {name}"
        found[args[0]] = value if isinstance(value, str) and not outstanding else None
        return UNDEFINED

    builtins = machine.realm.builtins
    builtins["tell"] = machine.realm.function(tell, "tell")
    builtins["print"] = machine.realm.function(lambda m, this, args: UNDEFINED, "print")
    builtins["U"] = machine.realm.function(lambda m, this, args: m.unknown("random").number(0, 1, open_=True), "U")
    compiled = compile_script(parse_script(SourceText("program.js", f"(function () {{{source}\n}})();")))
    assert compiled is not None
    recursion = sys.getrecursionlimit()
    sys.setrecursionlimit(12_000)
    try:
        compiled.run(machine)
    except JSThrow as thrown:
        certain = isinstance(thrown.value, JSObject) and not machine.pending
        found["!"] = thrown.value.get(machine, "name") if certain else None
    except LimitReached:
        return None
    finally:
        sys.setrecursionlimit(recursion)
    return found


def test_what_is_known_of_a_doubtful_program_is_so_in_every_run() -> None:
    first = int(os.environ.get("HUSKY_LINT_SEED", "1"))
    programs = [f"{PRELUDE}{doubtful_program(seed)}" for seed in range(first, first + _COUNT)]
    expected = run_node(_DOUBTFUL_RUNNER, [programs, _RUNS])
    wrong, known, unknown = [], 0, 0
    for seed, (source, runs) in enumerate(zip(programs, expected, strict=True), first):
        mine = told(source)
        for name, value in (mine or {}).items():
            known += value is not None
            unknown += value is None
            for run in runs:
                if value is not None and name in run and run[name] != value:
                    wrong.append((seed, name, value, run[name]))
                    break
    assert wrong == [], f"{len(wrong)} of {known + unknown} are wrong"
    # Were everything unknown, nothing would be tested.
    assert known > unknown
