"""The tools of a submission, read once: which file is which tool, its checks, the calls it makes to the browser."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from husky_lint.rule import Reason, Undecided

from .tool_facts import Fact, facts_of_name, facts_of_text
from .tool_failure import Checks, find_checks
from .tool_flow import Flow
from .tool_items import ItemStatus, judge_items
from .tool_program import ToolFile, ToolProgram, children, is_function, is_loop, key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from husky_lint.evidence import Evidence
    from husky_lint.parse.js import JsNode, Script
    from husky_lint.parse.problems import ParseProblem

_MAX_VALUES: Final = 4000
_SUFFIXES: Final = (".js", ".mjs", ".cjs")


@dataclass(eq=False)
class Tools:
    """The tools as one program, and what was worked out of it so far."""

    program: ToolProgram
    flow: Flow
    names: frozenset[str]
    _checks: dict[str, Checks] = field(default_factory=dict)
    _items: dict[str, tuple[ItemStatus, ...]] = field(default_factory=dict)

    def let_go(self) -> None:
        """Open the circles of the trees; nothing can be asked of them after that."""
        self.program.let_go()

    def find(self, name: str) -> str | None:
        """The path of ``tools/NAME.js``, or of the file that is called so."""
        wanted = [f"tools/{name}{suffix}" for suffix in _SUFFIXES]
        for path in wanted:
            if path in self.names:
                return path
        near = sorted(path for path in self.names if posixpath.splitext(posixpath.basename(path))[0] == name)
        return near[0] if near else None

    def file(self, name: str) -> ToolFile | None:
        """The tool, None when it is not there. Raises Undecided when it was too much to be read."""
        path = self.find(name)
        if path is None:
            return None
        broken = self.program.broken.get(path)
        if broken is not None and broken.error is not None and broken.error.code == "limit":
            raise Undecided(Reason.LIMIT, f"{path}: {broken.error.message}", broken.error.span)
        if self.program.limit:
            raise Undecided(Reason.LIMIT, "the tools are too long to be followed")
        return self.program.files.get(path)

    def syntax_error(self, name: str) -> ParseProblem | None:
        """Why node would not even start a tool."""
        broken: Script | None = self.program.broken.get(self.find(name) or "")
        return broken.error if broken is not None else None

    def checks(self, file: ToolFile) -> Checks:
        """What can make a tool fail."""
        if file.path not in self._checks:
            self._checks[file.path] = find_checks(self.program, self.flow, file)
        return self._checks[file.path]

    def items(self, file: ToolFile) -> tuple[ItemStatus, ...]:
        """The list of section 3 held against a tool."""
        if file.path not in self._items:
            self._items[file.path] = judge_items(self.program, self.flow, file, self.checks(file))
        return self._items[file.path]

    # ------------------------------------------------------------------ calls to the browser

    def calls(self, file: ToolFile, names: frozenset[str]) -> Iterator[tuple[ToolFile, JsNode]]:
        """The calls of these methods that a tool (with all it imports) can make."""
        for one in self.program.closure(file):
            for call in one.calls:
                callee = call.callee
                name = key_of(callee) if callee.type == "MemberExpression" else None
                if name in names and self.program.runs(call):
                    yield one, call

    def values(self, node: JsNode, path: tuple[str, ...]) -> frozenset[object]:
        """The literals that a part of an expression may be, and the names of literal keys on the way to it."""
        found: set[object] = set()
        seen: set[tuple[str, int, tuple[str, ...], int]] = set()
        stack = [("expression", node, path, None)]
        while stack and len(seen) < _MAX_VALUES:
            key = stack.pop()
            ident = (key[0], id(key[1]), key[2], id(key[3]))
            if ident in seen or key[0] == "control":
                continue
            seen.add(ident)
            what = key[1]
            if key[0] == "expression":
                if what.type == "Literal":
                    found.add(what.value)
                elif what.type == "MemberExpression" and what.computed and what.property.type == "Literal":
                    found.add(what.property.value)
                elif what.type == "ConditionalExpression":
                    stack += [("expression", one, key[2], key[3]) for one in (what.consequent, what.alternate)]
                    continue
            stack += self.flow.following(key)  # type: ignore[arg-type]
        return frozenset(found)

    def repeats(self, node: JsNode, depth: int = 3) -> bool:
        """Whether a place is reached more than once: in a loop, or in a function that is called more than once."""
        child, parent = node, node.up
        while parent is not None:
            if is_loop(parent) and child is not getattr(parent, "right", None):
                return True
            if is_function(parent):
                function = self.program.function(parent)
                sites = [one for one in function.sites if self.program.runs(one.node)] if function is not None else []
                if len(sites) > 1 or any(not one.direct for one in sites):
                    return True
                return bool(sites and depth and self.repeats(sites[0].node, depth - 1))
            child, parent = parent, parent.up
        return False


def read_tools(evidence: Evidence) -> Tools:
    """The tools: script files under tools/."""
    scripts = {path: script for path, script in evidence.tools.items() if path.startswith("tools/")}
    program = ToolProgram(scripts)
    return Tools(program, Flow(program), frozenset(scripts))


def said_within(nodes: Iterable[JsNode]) -> Fact:
    """The facts of all names and strings that stand in the text of some nodes."""
    told = 0
    stack = list(nodes)
    while stack:
        node = stack.pop()
        if node.type == "Identifier":
            told |= facts_of_name(node.name)
        elif node.type == "Literal" and isinstance(node.value, str):
            told |= facts_of_text(node.value)
        elif node.type == "TemplateElement":
            told |= facts_of_text(str(node.value.cooked or ""))
        stack.extend(children(node))
    return Fact(told)
