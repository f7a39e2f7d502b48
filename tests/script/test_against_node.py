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
from husky_lint.script.values import UNDEFINED, JSObject, JSThrow, JSValue, LimitReached
from husky_lint.source import SourceText

from .programs import PRELUDE, program

if TYPE_CHECKING:
    from collections.abc import Sequence

_COUNT = 500
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


def in_node(programs: Sequence[str]) -> list[list[str]]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    done = subprocess.run(
        [node, "-e", _RUNNER], input=json.dumps(programs), capture_output=True, text=True, check=True, timeout=120
    )
    found: list[list[str]] = json.loads(done.stdout)
    return found


def interpreted(source: str) -> list[str] | None:
    """What a program prints; None beyond the budget."""
    lines: list[str] = []
    machine = Machine(Realm, steps=3_000_000)

    def write(m: Machine, this: JSValue, args: list[JSValue]) -> JSValue:
        joined = m.join_items(m.array(args), " ")
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
