"""What can make a tool fail: the checks whose outcome reaches a throw or a non-zero exit.

It is read from the end backwards. What a process exits with depends on a record of errors; what is written to the
record stands under conditions; a condition that is a parameter is decided by the calls of the helper. What is thrown
counts when nothing on its way out swallows it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from husky_lint.style.words import words

from .tool_facts import MEASURING, Fact, facts_of_name, facts_of_text
from .tool_flow import ANY, Condition, inner, is_index, meet
from .tool_program import bare, children, dotted, is_function, key_of, literal_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from husky_lint.parse.js import JsNode

    from .tool_flow import Context, Flow
    from .tool_program import Definition, Function, Path, ToolFile, ToolProgram, Variable

_MAX_DEPTH: Final = 12
_MAX_CONTEXTS: Final = 400
_MAX_ASSERTIONS: Final = 3000
_ASSERT_MODULES: Final = words(
    "assert node:assert assert/strict node:assert/strict chai expect @playwright/test vitest @jest/globals"
)
_NEGATIVE: Final = words("== != === !== < > <= >=")
_MATCHER: Final = words("to toBe toEqual not resolves rejects is be have deep")


@dataclass(eq=False, frozen=True, slots=True)
class Decision:
    """One condition of a check, in the context of the call that asks it."""

    node: JsNode
    path: Path
    context: Context | None
    holds: bool | None
    outcome: bool = False


@dataclass(eq=False, slots=True)
class Assertion:
    """One check: where it stands, what decides it, the words it comes with.

    ``label`` are the facts of its texts. ``constant`` says that it can never fail, whatever the page does.
    """

    site: JsNode
    decisions: tuple[Decision, ...]
    label: int
    facts: int = 0
    constant: bool = False
    text: str = ""

    @property
    def measured(self) -> bool:
        """Whether anything seen in the page goes into it."""
        return bool(self.facts & (Fact.MEASURED | Fact.PAGE_ERROR))


@dataclass(eq=False, slots=True)
class Checks:
    """The checks of a tool. ``exits`` are the places that end it with a non-zero status.

    ``emptied`` is where the record that an exit hangs on loses what was noted in it.
    """

    assertions: list[Assertion] = field(default_factory=list)
    exits: list[JsNode] = field(default_factory=list)
    swallowed: list[JsNode] = field(default_factory=list)
    overridden: JsNode | None = None
    emptied: JsNode | None = None
    limit: bool = False


def find_checks(program: ToolProgram, flow: Flow, file: ToolFile) -> Checks:
    """The checks that can make one tool fail."""
    return _Search(program, flow, file).run()


class _Promise:
    """The value of a call that nobody awaits: true, whatever comes of it."""


_PROMISE = _Promise()


class _Search:
    def __init__(self, program: ToolProgram, flow: Flow, file: ToolFile) -> None:
        self.program = program
        self.flow = flow
        self.files = program.closure(file)
        self.checks = Checks()
        self.recording: set[int] = set()
        self.dynamic: list[JsNode] | None = None
        self._plumbed: set[tuple[int, Path]] = set()
        self._written: set[int] = set()
        self._followed: set[tuple[int, Path]] = set()
        self._noting: dict[int, bool] = {}
        self._emitted: set[tuple[int, int]] = set()
        self._escaping: dict[int, bool] = {}
        self._records: set[int] = set()

    def run(self) -> Checks:
        self._exits()
        for file in self.files:
            for call in file.calls:
                if self.program.runs(call):
                    self._asserted(call)
            for node in file.throws:
                if self.program.runs(node):
                    self._thrown(node)
        for assertion in self.checks.assertions:
            for one in assertion.decisions:
                assertion.facts |= self.flow.facts(one.node, one.path, one.context)
        self.checks.emptied = next(self._emptyings(), None)
        self.checks.limit = self.flow.limit or self.program.limit or len(self.checks.assertions) >= _MAX_ASSERTIONS
        return self.checks

    # ------------------------------------------------------------------ ends

    def _exits(self) -> None:
        found: list[tuple[JsNode, JsNode | None]] = []
        for file in self.files:
            for call in file.calls:
                if dotted(call.callee) in ("process.exit", "exit") and self.program.runs(call):
                    argument = call.arguments[0] if call.arguments else None
                    if argument is None or self._fold(argument) == 0:
                        if call.arguments and not list(self.flow.conditions(call, None)):
                            self.checks.overridden = call
                        continue
                    found.append((call, argument))
            for store in file.stores:
                written = store.type == "AssignmentExpression" and dotted(store.left) == "process.exitCode"
                if written and self.program.runs(store) and self._fold(store.right) != 0:
                    found.append((store, store.right))
        if self.checks.overridden is not None:
            found = [(n, a) for n, a in found if n.type == "CallExpression" and _before(n, self.checks.overridden)]
        for node, _ in found:
            self.checks.exits.append(node)
            self._mark(node)
        for node, argument in found:
            constant = self._fold(argument) if argument is not None else None
            if constant is None and argument is not None:
                self._plumb(argument, (), 0)
            self._reached(node, 0)

    def _mark(self, node: JsNode) -> None:
        """Note that the function around a place ends the tool with an error, for handlers that call it."""
        self.recording.add(id(node))

    def _emptyings(self) -> Iterator[JsNode]:
        """Where a record of failures is emptied: by its length, by ``splice``, or by a new array."""
        for file in self.files:
            for store in file.stores:
                if store.type == "AssignmentExpression" and self.program.runs(store):
                    left, right = bare(store.left), bare(store.right)
                    if left.type == "MemberExpression" and key_of(left) == "length":
                        if self._is_exit_record(left.object) and self._fold(right) == 0:
                            yield store
                    elif right.type == "ArrayExpression" and not right.elements and self._is_exit_record(left):
                        yield store
            for call in file.calls:
                callee = call.callee
                spliced = callee.type == "MemberExpression" and key_of(callee) == "splice" and self.program.runs(call)
                if spliced and self._is_exit_record(callee.object):
                    yield call

    def _is_exit_record(self, node: JsNode) -> bool:
        name = bare(node)
        variable = self.program.variable(name) if name is not None and name.type == "Identifier" else None
        return variable is not None and id(variable) in self._records

    # ------------------------------------------------------------------ backwards through records of errors

    def _plumb(self, node: JsNode | None, path: Path, depth: int) -> None:
        """Follow what an exit depends on to the checks that decide it."""
        node = bare(node)
        if node is None or depth > _MAX_DEPTH or (id(node), path) in self._plumbed:
            return
        self._plumbed.add((id(node), path))
        kind = node.type
        if kind in ("Literal", "TemplateLiteral"):
            return
        if kind == "UnaryExpression":
            self._plumb(node.argument, path, depth + 1)
        elif kind == "ConditionalExpression":
            for one in (node.test, node.consequent, node.alternate):
                self._plumb(one, path, depth + 1)
        elif kind == "LogicalExpression" or (kind == "BinaryExpression" and node.operator in ("+", "|", "-", "&")):
            self._plumb(node.left, path, depth + 1)
            self._plumb(node.right, path, depth + 1)
        elif kind == "BinaryExpression" and "Literal" in (node.left.type, node.right.type):
            other = node.right if node.left.type == "Literal" else node.left
            self._plumb_compared(node, other, depth)
        elif kind == "AssignmentExpression":
            self._plumb(node.right, path, depth + 1)
        elif kind == "MemberExpression" and self.program.getters(key_of(node)):
            for getter in self.program.getters(key_of(node)):
                self._plumb_returns(getter, path, depth)
        elif kind == "MemberExpression" and node.object.type != "ThisExpression":
            name = key_of(node)
            self._plumb(node.object, (name if name is not None else ANY, *path), depth + 1)
        elif kind == "MemberExpression":
            this = node.home.file.globals.get("this")
            if this is not None:
                self._plumb_variable(node, this, (key_of(node) or ANY, *path), depth)
        elif kind == "Identifier":
            variable = self.program.variable(node)
            if variable is not None:
                self._plumb_variable(node, variable, path, depth)
        elif kind == "CallExpression":
            self._plumb_call(node, path, depth)
        elif kind == "ArrayExpression":
            for one in node.elements:
                self._plumb(one, inner(path), depth + 1)
        elif kind == "ObjectExpression":
            for one in self._parts(node, path):
                self._plumb(one, (), depth + 1)
        else:
            self._emit([Condition(node, None, path)], node)

    def _plumb_compared(self, node: JsNode, other: JsNode, depth: int) -> None:
        """``errors.length > 0`` leads on to the record, ``drift < 0`` is a check itself."""
        root = bare(other)
        while root is not None and root.type == "MemberExpression":
            root = bare(root.object)
        variable = self.program.variable(root) if root is not None and root.type == "Identifier" else None
        if (variable is not None and self._is_record(variable)) or (root is not None and root.type != "Identifier"):
            self._plumb(other, (), depth + 1)
        else:
            self._emit([Condition(node, None)], node)

    def _is_record(self, variable: Variable) -> bool:
        """Whether a variable notes errors: it is added to, counted up or set to a constant, never computed with."""
        for one in variable.definitions:
            if one.kind == "add" or one.site.type == "UpdateExpression":
                return True
            if one.kind in ("update", "assign"):
                return True
            if one.kind in ("import", "parameter"):
                return True
            if one.kind == "init" and one.value is not None:
                value = bare(one.value)
                if value.type == "CallExpression" and (
                    self.program.callees(value)
                    or (value.callee.type == "MemberExpression" and key_of(value.callee) in ("filter", "some", "every"))
                ):
                    return True
        return False

    def _plumb_variable(self, node: JsNode, variable: Variable, path: Path, depth: int) -> None:
        if (id(variable), path) in self._followed:
            return
        self._followed.add((id(variable), path))
        self._records.add(id(variable))
        for one in self.program.definitions(variable, path):
            if one.kind == "parameter":
                function = self.program.function(one.site)
                for site in function.sites if function is not None else ():
                    if site.direct and one.index < len(site.node.arguments):
                        self._plumb(site.node.arguments[one.index], (*one.path, *path), depth + 1)
            elif one.kind == "import":
                for exported in self.program.imported(variable, one):
                    self._plumb(exported, path, depth + 1)
            elif one.kind == "init":
                if one.value is not None and one.site.type == "VariableDeclarator":
                    self._plumb_initial(node, variable, one, path, depth)
            elif one.kind == "element":
                self._plumb(one.value, (ANY, *one.path, *path), depth + 1)
            elif self.program.runs(one.site):
                self._written_at(one, path, depth)

    def _plumb_initial(self, node: JsNode, variable: Variable, one: Definition, path: Path, depth: int) -> None:
        value = bare(one.value)
        whole = (*one.path, *path)
        if value is None or value.type == "Literal" or (value.type == "ArrayExpression" and not value.elements):
            return
        self._plumb(value, whole, depth + 1)

    def _plumb_call(self, node: JsNode, path: Path, depth: int) -> None:
        local = self.program.callees(node)
        if local:
            for function in local:
                self._plumb_returns(function, path, depth)
            return
        callee = bare(node.callee)
        name = key_of(callee) if callee.type == "MemberExpression" else getattr(callee, "name", None)
        whole = dotted(callee)
        if whole in ("Boolean", "Number", "Math.min", "Math.max", "Math.sign", "String", "parseInt", "Promise.all"):
            for one in node.arguments:
                self._plumb(one, path, depth + 1)
        elif whole in ("Object.values", "Object.entries") and node.arguments:
            at = path if whole == "Object.values" else (ANY, *inner(inner(path)))
            self._plumb(node.arguments[0], at, depth + 1)
        elif name in (
            "filter",
            "some",
            "every",
            "find",
            "findIndex",
            "map",
            "flatMap",
            "reduce",
            "flat",
            "concat",
        ) and (callee.type == "MemberExpression"):
            rest = inner(path) if name in ("map", "flatMap") else ()
            receiver = bare(callee.object)
            if receiver.type == "CallExpression" and dotted(receiver.callee) == "Object.keys" and receiver.arguments:
                self._plumb(receiver.arguments[0], (ANY,), depth + 1)
                return
            for asked in self._asked(node, rest) or [rest]:
                self._plumb(receiver, (ANY, *asked), depth + 1)
            if path[:1] == ("length",) and name in ("filter", "map", "flatMap", "concat"):
                self._plumb(receiver, path, depth + 1)
        elif name in ("slice", "sort", "values", "get", "at", "pop") and callee.type == "MemberExpression":
            self._plumb(callee.object, path, depth + 1)
        else:
            self._emit([Condition(node, None, path)], node)

    def _plumb_returns(self, function: Function, path: Path, depth: int) -> None:
        for result in function.returns:
            value = result
            if result.type in ("ReturnStatement", "YieldExpression"):
                self._reached(result, depth + 1)
                value = result.argument
            self._plumb(value, path, depth + 1)

    def _asked(self, call: JsNode, rest: Path) -> list[Path]:
        """Which parts of an element the callback of ``filter`` and the like looks at."""
        found: list[Path] = []
        for function in self.program.functions_of(call.arguments[0]) if call.arguments else ():
            parameters = function.node.params
            if not parameters:
                continue
            for variable, start in _bound(self.program, parameters[0]):
                for reference in variable.references:
                    if reference.home is not function or reference in parameters:
                        continue
                    path = list(start)
                    node = reference
                    while node.up is not None and node.up.type == "MemberExpression" and node.up.object is node:
                        name = key_of(node.up)
                        if name is None:
                            break
                        path.append(name)
                        node = node.up
                    if _is_pattern(reference):
                        continue
                    found.append(tuple(path[:4]))
        return found[:8]

    def _parts(self, node: JsNode, path: Path) -> list[JsNode]:
        entries = [p for p in node.properties if p.type == "Property"]
        if not path or is_index(path[0]):
            return [p.value for p in entries]
        return [p.value for p in entries if getattr(p.key, "name", None) == path[0] or literal_text(p.key) == path[0]]

    def _written_at(self, one: Definition, path: Path, depth: int) -> None:
        """A place that writes to a record of errors."""
        key = id(one)
        site = one.site
        rest = meet(one.store, path)
        if rest is None:
            return
        path = rest
        length = path[:1] in (("length",), ("size",))
        value = one.value
        self._mark(site)
        if one.kind == "add" and not length and value is not None:
            rest = inner(path)
            if value.type == "SpreadElement":
                self._plumb(value.argument, path, depth + 1)
                return
            projected = self._projected(value, rest) if rest else []
            if projected:
                for part in projected:
                    self._judge(part, site, depth)
                return
        if key in self._written:
            return
        self._written.add(key)
        if one.kind == "add" and length and value is not None and value.type == "SpreadElement":
            self._plumb(value.argument, ("length",), depth + 1)
            return
        if one.kind in ("update", "assign") and value is not None and self._fold(value) is None:
            written = site.left.name if site.type == "AssignmentExpression" and site.left.type == "Identifier" else ""
            for part in _operands(value, written):
                if part.type in ("Identifier", "CallExpression", "AwaitExpression", "ConditionalExpression") or (
                    one.kind == "update" and site.operator == "+="
                ):
                    self._plumb(part, (), depth + 1)
                else:
                    self._judge(part, site, depth)
            if not any(c.holds is not None for c, _ in self.flow.conditions(site, None)):
                return
        self._reached(site, depth)

    def _projected(self, value: JsNode, path: Path) -> list[JsNode]:
        """The expressions that a part of a literal is."""
        node = bare(value)
        for step in path:
            if node is None:
                return []
            if node.type == "ObjectExpression" and not is_index(step):
                parts = self._parts(node, (step,))
            elif node.type == "ArrayExpression" and step.isdigit() and int(step) < len(node.elements):
                parts = [node.elements[int(step)]]
            else:
                return [node]
            if not parts:
                return []
            node = bare(parts[0])
        return [node] if node is not None else []

    def _judge(self, node: JsNode, site: JsNode, depth: int) -> None:
        """A value that is an outcome: a check by itself, in every call of the function around it."""
        conditions = [Condition(node, None, outcome=True)]
        conditions += [c for c, _ in self.flow.conditions(site, None) if c.holds is not None]
        self._emit(conditions[:1], site)

    def _reached(self, site: JsNode, depth: int) -> None:
        """What decides whether a place is reached; without a condition it is every call of the function around it."""
        if depth > _MAX_DEPTH:
            return
        conditions = [one for one, _ in self.flow.conditions(site, None)]
        weak = [c for c in conditions if c.holds is None and c.node.type == "Literal"]
        if self._constant(tuple(Decision(c.node, c.path, None, c.holds) for c in conditions)):
            self._emit(conditions, site)
            return
        if conditions and not self._only_records(conditions):
            self._emit(conditions, site)
            return
        for one in conditions:
            if one not in weak:
                self._plumb(one.node, one.path, depth + 1)
        if conditions:
            return
        function = _named(site)
        if function is not None and function.sites:
            if id(function.node) in self._written:
                return
            self._written.add(id(function.node))
            for call in function.sites:
                if self.program.runs(call.node):
                    self._mark(call.node)
                    self._reached(call.node, depth + 1)

    def _only_records(self, conditions: list[Condition]) -> bool:
        """Whether all that a place waits for is a record of errors: ``if (errors.length) process.exit(1)``."""
        for one in conditions:
            node = bare(one.node)
            while node is not None:
                if node.type == "UnaryExpression":
                    node = bare(node.argument)
                elif node.type == "MemberExpression":
                    node = bare(node.object)
                elif node.type == "BinaryExpression" and "Literal" in (node.left.type, node.right.type):
                    node = bare(node.right if node.left.type == "Literal" else node.left)
                elif node.type == "LogicalExpression":
                    node = bare(node.left)
                else:
                    break
            if node is None or node.type == "ThisExpression":
                continue
            if node.type == "CallExpression" and self.program.callees(node):
                continue
            if node.type == "CallExpression" and node.callee.type == "MemberExpression":
                if not self._asks_outcome(node):
                    return False
                node = bare(node.callee.object)
            if node is None or node.type != "Identifier":
                return False
            variable = self.program.variable(node)
            if variable is None:
                return False
            if id(variable) not in self._noting:
                self._noting[id(variable)] = False
                self._noting[id(variable)] = self._notes(variable)
            if not self._noting[id(variable)]:
                return False
        return True

    def _notes(self, variable: Variable) -> bool:
        """Whether a variable holds outcomes rather than measures."""
        kinds = {one.kind for one in variable.definitions}
        if "parameter" in kinds or "element" in kinds:
            return False
        if "add" in kinds:
            return any(
                self._under(one.site)
                or bare(one.value).type in ("ArrayExpression", "ObjectExpression")
                or not self.flow.facts(one.value) & Fact.MEASURED.value
                for one in variable.definitions
                if one.kind == "add" and one.value is not None
            )
        if any(one.site.type == "UpdateExpression" for one in variable.definitions):
            return True
        if kinds & {"update", "assign"}:
            return all(
                one.value is None or one.kind == "init" or not self.flow.facts(one.value) & Fact.BOX.value
                for one in variable.definitions
            )
        for one in variable.definitions:
            value = bare(one.value)
            if one.kind == "import":
                return True
            if value is not None and value.type == "CallExpression":
                if self.program.callees(value):
                    return not self.flow.facts(value) & Fact.MEASURED.value or True
                if value.callee.type == "MemberExpression" and key_of(value.callee) in (
                    "filter",
                    "some",
                    "every",
                    "find",
                ):
                    root = bare(value.callee.object)
                    if root is not None and root.type == "Identifier":
                        named = self.program.variable(root)
                        return named is not None and named is not variable and self._notes(named)
        return False

    def _asks_outcome(self, call: JsNode) -> bool:
        """Whether ``filter`` and the like ask for an outcome (``!r.ok``) and compare no numbers."""
        for function in self.program.functions_of(call.arguments[0]) if call.arguments else ():
            for result in function.returns:
                value = bare(result.argument if result.type == "ReturnStatement" else result)
                while value is not None and value.type == "UnaryExpression":
                    value = bare(value.argument)
                if value is None or value.type in ("Identifier", "MemberExpression"):
                    continue
                sides = [value.left, value.right] if value.type == "BinaryExpression" else []
                if not any(one.type == "Literal" and isinstance(one.value, bool | str) for one in sides):
                    return False
        return True

    def _under(self, site: JsNode) -> bool:
        return any(c.holds is not None for c, _ in self.flow.conditions(site, None))

    # ------------------------------------------------------------------ assertions that throw

    def _asserted(self, call: JsNode) -> None:
        callee = bare(call.callee)
        root, names = _chain(callee)
        if root is None:
            return
        if root.type == "Identifier" and _source_of(self.program, root) in _ASSERT_MODULES:
            kind = _source_of(self.program, root)
            imported = _imported_name(self.program, root)
            if imported == "expect" or kind == "expect":
                self._expected(call, callee)
                return
            if kind not in ("assert", "node:assert", "assert/strict", "node:assert/strict") and imported != "assert":
                return
            if not call.arguments or not self._escapes(call):
                return
            name = names[-1] if names else imported or "ok"
            compared = name not in ("ok", "assert", "default", "", "strict", "isTrue", "fail", "ifError", "isOk")
            if name == "fail":
                self._reached(call, 0)
                return
            decisive = call.arguments[:2] if compared else call.arguments[:1]
            self._emit([Condition(one, None if compared else False, outcome=compared) for one in decisive], call)
            return
        if root.type == "CallExpression" and names:
            self._expected(call, callee)
        elif names and names[-1] == "waitForFunction" and self._escapes(call):
            self._emit([Condition(call, None)], call)

    def _expected(self, call: JsNode, callee: JsNode) -> None:
        """``expect(value).toBe(other)`` of a test library."""
        node = callee
        while node is not None and node.type == "MemberExpression":
            node = bare(node.object)
        if node is None or node.type != "CallExpression" or (not call.arguments and callee is None):
            return
        root = bare(node.callee)
        if root.type == "MemberExpression":
            root = bare(root.object)
        if root.type != "Identifier" or _source_of(self.program, root) not in _ASSERT_MODULES or node is call:
            return
        if self._escapes(call) and node.arguments:
            compared = (*node.arguments[:1], *call.arguments[:1])
            self._emit([Condition(one, None, outcome=True) for one in compared], call)

    def _thrown(self, node: JsNode) -> None:
        if not self._escapes(node):
            self.checks.swallowed.append(node)
            return
        self.checks.exits.append(node)
        self._reached(node, 0)

    def _escapes(self, node: JsNode, depth: int = 0) -> bool:
        """Whether what is thrown at a place ends the tool with an error."""
        if id(node) in self._escaping:
            return self._escaping[id(node)]
        self._escaping[id(node)] = True
        told = self._escape(node, depth)
        self._escaping[id(node)] = told
        return told

    def _escape(self, node: JsNode, depth: int) -> bool:
        child, parent = node, node.up
        while parent is not None:
            kind = parent.type
            if kind == "TryStatement" and child is parent.block and parent.handler is not None:
                return self._fails(parent.handler)
            if kind == "MemberExpression" and child is parent.object and parent.up.type == "CallExpression":
                name = key_of(parent)
                call = parent.up
                handler = call.arguments[0] if name == "catch" and call.arguments else None
                if name == "then" and len(call.arguments) > 1:
                    handler = call.arguments[1]
                if handler is not None and parent is call.callee:
                    return self._handles(handler)
            if is_function(parent):
                return self._leaves(parent, depth)
            child, parent = parent, parent.up
        return True

    def _leaves(self, node: JsNode, depth: int) -> bool:
        """Whether what a function throws ends the tool."""
        function = self.program.function(node)
        if function is None or depth > _MAX_DEPTH:
            return True
        holder = node.up
        places: list[JsNode] = []
        if holder is not None and holder.type == "CallExpression" and holder.callee is node:
            places.append(holder)
        for site in function.sites:
            if not self.program.runs(site.node):
                continue
            inside = self._runs_of(site.node, site.position) if not site.direct else None
            places += inside or [site.node]
        if not places and function.node.type != "Program":
            places = self._dynamic_calls()
        if not places:
            return True
        return any(self._escapes(place, depth + 1) for place in places[:60])

    def _runs_of(self, call: JsNode, position: int) -> list[JsNode]:
        """Where a local function runs what it is handed as an argument."""
        found: list[JsNode] = []
        for function in self.program.callees(call):
            parameters = function.node.params
            if position < len(parameters):
                for variable, _ in _bound(self.program, parameters[position]):
                    found += [r.up for r in variable.references if r.up.type == "CallExpression" and r.up.callee is r]
        if not found and self.program.callees(call):
            return self._dynamic_calls()
        return found

    def _dynamic_calls(self) -> list[JsNode]:
        """Calls of what a loop or a parameter gives: ``for (const test of tests) await test.run()``."""
        if self.dynamic is None:
            self.dynamic = []
            for file in self.files:
                for call in file.calls:
                    root, names = _chain(bare(call.callee))
                    if root is None or root.type != "Identifier" or len(names) > 1 or not self.program.runs(call):
                        continue
                    variable = self.program.variable(root)
                    if variable is None or self.program.callees(call):
                        continue
                    if names and not self.program.by_property.get(names[0]) and names[0] not in ("run", "fn", "test"):
                        continue
                    if any(one.kind == "element" for one in variable.definitions):
                        self.dynamic.append(call)
        return self.dynamic

    def _handles(self, handler: JsNode) -> bool:
        """Whether a rejection handler turns the rejection into an error of the tool."""
        functions = self.program.functions_of(handler)
        return any(self._fails(function.node) for function in functions)

    def _fails(self, node: JsNode) -> bool:
        """Whether anything below a node throws, exits with an error or notes one."""
        stack = [node]
        seen = 0
        while stack and seen < 4000:
            one = stack.pop()
            seen += 1
            if one.type == "ThrowStatement" or id(one) in self.recording:
                return True
            if one.type == "CallExpression" and one is not node:
                for function in self.program.callees(one):
                    if id(function.node) in self.recording or self._records_within(function):
                        return True
            stack.extend(children(one))
        return False

    def _records_within(self, function: Function) -> bool:
        stack = [function.node]
        seen = 0
        while stack and seen < 1000:
            one = stack.pop()
            seen += 1
            if id(one) in self.recording or one.type == "ThrowStatement":
                return True
            stack.extend(children(one))
        return False

    # ------------------------------------------------------------------ one assertion for each call of the helper

    def _emit(self, conditions: list[Condition], site: JsNode) -> None:
        key = (id(site), id(conditions[0].node))
        if key in self._emitted or len(self.checks.assertions) >= _MAX_ASSERTIONS:
            return
        self._emitted.add(key)
        helper = _named(site)
        for context in self._contexts(helper, 0):
            where = _outermost(context) or site
            if context is not None and not self.program.runs(where):
                continue
            decisions = tuple(Decision(c.node, c.path, context, c.holds, c.outcome) for c in conditions)
            spread = self._tables(decisions)
            for variant, entry in spread:
                texts = list(self._texts(where, context)) + ([] if entry is None else list(_literals(entry)))
                label = 0
                for text in texts:
                    label |= facts_of_text(text)
                if where.type == "CallExpression":
                    label |= facts_of_name(dotted(where.callee))
                self.checks.assertions.append(
                    Assertion(where, variant, label, constant=self._constant(variant), text=" ".join(texts)[:120])
                )

    def _contexts(self, function: Function | None, depth: int) -> Iterable[Context | None]:
        if function is None or depth > 3:
            return [None]
        sites = [site for site in function.sites if site.direct and self.program.runs(site.node)]
        if not sites:
            return [None]
        found: list[Context | None] = []
        for site in sites:
            for outer in self._contexts(_named(site.node), depth + 1):
                if len(found) >= _MAX_CONTEXTS:
                    return found
                found.append(self.flow.call_context(site.node, function, outer))
        return found

    def _tables(self, decisions: tuple[Decision, ...]) -> list[tuple[tuple[Decision, ...], JsNode | None]]:
        """One check for each entry of a literal table that a loop goes through."""
        if not decisions:
            return []
        for at, one in enumerate(decisions):
            if one.holds is None and len(decisions) > 1:
                continue
            entries = self._entries(one.node, one.path, one.context, 0)
            if entries:
                return [
                    (
                        (*decisions[:at], Decision(value, rest, context, one.holds, one.outcome), *decisions[at + 1 :]),
                        entry,
                    )
                    for value, rest, context, entry in entries
                ]
        return [(decisions, None)]

    def _entries(
        self, node: JsNode | None, path: Path, context: Context | None, depth: int
    ) -> list[tuple[JsNode, Path, Context | None, JsNode]]:
        node = bare(node)
        if node is None or depth > 8:
            return []
        if node.type == "UnaryExpression":
            return self._entries(node.argument, path, context, depth + 1)
        if node.type == "MemberExpression":
            name = key_of(node)
            return self._entries(node.object, (name, *path), context, depth + 1) if name else []
        if node.type == "CallExpression" and not self.program.callees(node) and not node.arguments[2:]:
            callee = bare(node.callee)
            if callee.type == "Identifier" or (callee.type == "MemberExpression" and key_of(callee) not in MEASURING):
                return self._entries(callee, path, context, depth + 1) if callee.type == "Identifier" else []
            return []
        if node.type != "Identifier":
            return []
        variable = self.program.variable(node)
        if variable is None or len(variable.definitions) != 1:
            return []
        one = variable.definitions[0]
        if one.kind == "init":
            return self._entries(one.value, (*one.path, *path), context, depth + 1)
        if one.kind == "parameter":
            for kind, value, rest, inside in self.flow_argument(variable, one, path, context):
                if kind == "expression":
                    if rest and rest[0] == ANY:
                        return self._table(value, rest[1:], inside, depth + 1)
                    return self._entries(value, rest, inside, depth + 1)
            return []
        if one.kind == "element":
            return self._table(one.value, (*one.path, *path), context, depth + 1)
        return []

    def flow_argument(
        self, variable: Variable, one: Definition, path: Path, context: Context | None
    ) -> list[tuple[str, JsNode, Path, Context | None]]:
        """What a parameter is, in the context of a call or at the only one there is."""
        owner = self.program.function(one.site)
        inside = context
        while inside is not None and inside.function is not owner:
            inside = inside.outer
        if owner is None:
            return []
        if inside is not None:
            return self.flow.argument(inside.call, owner, one.index, (*one.path, *path), inside.outer)
        if len(owner.sites) == 1:
            return self.flow.argument(owner.sites[0].node, owner, one.index, (*one.path, *path), None)
        return []

    def _table(
        self, node: JsNode | None, path: Path, context: Context | None, depth: int
    ) -> list[tuple[JsNode, Path, Context | None, JsNode]]:
        node = bare(node)
        if node is None or depth > 8:
            return []
        if node.type == "CallExpression" and dotted(node.callee) in ("Object.entries", "Object.values"):
            held = self._literal(node.arguments[0] if node.arguments else None)
            if held is None or held.type != "ObjectExpression":
                return []
            rest = inner(path) if dotted(node.callee) == "Object.entries" else path
            return [(p.value, rest, context, p) for p in held.properties if p.type == "Property"]
        held = self._literal(node)
        found: list[tuple[JsNode, Path, Context | None, JsNode]] = []
        if held is not None and held.type == "ArrayExpression":
            for one in held.elements:
                if one is None or one.type == "SpreadElement":
                    return []
                parts = self._projected(one, path)
                if parts:
                    found.append((parts[0], (), context, one))
        if node.type == "Identifier":
            variable = self.program.variable(node)
            for definition in variable.definitions if variable is not None else ():
                if definition.kind == "add" and definition.value is not None and self.program.runs(definition.site):
                    found += [(part, (), context, definition.value) for part in self._projected(definition.value, path)]
        return found[:_MAX_CONTEXTS]

    def _literal(self, node: JsNode | None) -> JsNode | None:
        node = bare(node)
        if node is not None and node.type == "Identifier":
            variable = self.program.variable(node)
            first = [d for d in variable.definitions if d.kind == "init"] if variable is not None else []
            node = bare(first[0].value) if len(first) == 1 and not first[0].path else None
        return node if node is not None and node.type in ("ArrayExpression", "ObjectExpression") else None

    def _texts(self, where: JsNode, context: Context | None) -> Iterator[str]:
        """The words that a check comes with: strings among the arguments of the call."""
        calls = [where]
        while context is not None:
            if context.call is not where:
                calls.append(context.call)
            context = context.outer
        for call in calls[:2]:
            if call.type in ("CallExpression", "NewExpression"):
                for one in call.arguments:
                    yield from _literals(one)
            elif call.type == "ThrowStatement":
                yield from _literals(call.argument)
            elif call.type == "AssignmentExpression" and call.left.type == "MemberExpression":
                yield from _literals(call.left.property)
        branch = where
        while branch is not None and branch.type != "IfStatement" and not is_function(branch):
            branch = branch.up
        if branch is not None and branch.type == "IfStatement" and branch.test is not where:
            body = branch.consequent.body if branch.consequent.type == "BlockStatement" else [branch.consequent]
            for one in body[:6]:
                said = bare(one.expression) if one.type == "ExpressionStatement" else None
                if said is not None and said.type == "CallExpression" and said is not where:
                    for argument in said.arguments:
                        yield from _literals(argument)

    # ------------------------------------------------------------------ constants

    def _constant(self, decisions: tuple[Decision, ...]) -> bool:
        """Whether a condition of the failure never comes true."""
        for one in decisions:
            if one.holds is None:
                continue
            value = self._fold(one.node, one.path, one.context)
            if value is not None and bool(value) is not one.holds:
                return True
        outcomes = [one for one in decisions if one.outcome]
        return bool(outcomes) and all(self._fold(o.node, o.path, o.context) is not None for o in outcomes)

    def _fold(self, node: JsNode | None, path: Path = (), context: Context | None = None, depth: int = 0) -> object:
        """What an expression always is; None when it depends on something."""
        if node is None or depth > 24:
            return None
        kind = node.type
        if kind == "Literal":
            if node.regex is not None:
                return True
            return node.value if node.value is not None else False
        if kind == "TemplateLiteral":
            return literal_text(node)
        if kind == "AwaitExpression":
            value = self._fold(node.argument, path, context, depth + 1)
            return None if value is _PROMISE else value
        if kind == "ChainExpression":
            return self._fold(node.expression, path, context, depth + 1)
        if kind in ("ArrayExpression", "ObjectExpression", "NewExpression") or is_function(node):
            return True if not path and kind != "NewExpression" else None
        if kind == "UnaryExpression":
            value = self._fold(node.argument, (), context, depth + 1)
            if node.operator == "void":
                return False
            if value is None:
                return None
            if node.operator == "!":
                return not value
            return -value if node.operator == "-" and isinstance(value, int | float) else None
        if kind == "LogicalExpression":
            left = self._fold(node.left, path, context, depth + 1)
            right = self._fold(node.right, path, context, depth + 1)
            return _joined(node.operator, left, right)
        if kind == "ConditionalExpression":
            test = self._fold(node.test, (), context, depth + 1)
            yes = self._fold(node.consequent, path, context, depth + 1)
            no = self._fold(node.alternate, path, context, depth + 1)
            if test is not None:
                return yes if test else no
            return yes if yes is not None and no is not None and bool(yes) == bool(no) else None
        if kind == "BinaryExpression":
            return self._compared(node, context, depth)
        if kind == "CallExpression":
            return self._called(node, context, depth)
        if kind == "SequenceExpression":
            return self._fold(node.expressions[-1], path, context, depth + 1)
        if kind == "AssignmentExpression" and node.operator == "=":
            return self._fold(node.right, path, context, depth + 1)
        if kind == "Identifier":
            return self._named_value(node, path, context, depth)
        return None

    def _compared(self, node: JsNode, context: Context | None, depth: int) -> object:
        operator = node.operator
        left = self._fold(node.left, (), context, depth + 1)
        right = self._fold(node.right, (), context, depth + 1)
        if left is not None and right is not None and left is not _PROMISE and right is not _PROMISE:
            return _compare(operator, left, right)
        if operator not in _NEGATIVE:
            return None
        text = node.home.file.script.slice
        if left is None and right is None and text(node.left) == text(node.right) and not _calls_in(node.left):
            return operator in ("==", "===", "<=", ">=")
        if operator in (">=", ">") and isinstance(right, int | float) and _never_negative(node.left):
            return True if (right <= 0 if operator == ">=" else right < 0) else None
        if operator in ("<=", "<") and isinstance(left, int | float) and _never_negative(node.right):
            return True if (left <= 0 if operator == "<=" else left < 0) else None
        return None

    def _called(self, node: JsNode, context: Context | None, depth: int) -> object:
        callee = bare(node.callee)
        name = key_of(callee) if callee.type == "MemberExpression" else getattr(callee, "name", "")
        local = self.program.callees(node)
        if local:
            if all(function.is_async for function in local):
                return _PROMISE
            if len(local) == 1 and len(local[0].returns) == 1 and depth < 8:
                value = local[0].returns[0]
                value = value.argument if value.type == "ReturnStatement" else value
                if not list(self.flow.conditions(local[0].returns[0], None)):
                    return self._fold(value, (), self.flow.call_context(node, local[0], context), depth + 1)
            return None
        if callee.type == "Identifier" and name == "Boolean" and node.arguments:
            return self._fold(node.arguments[0], (), context, depth + 1)
        if callee.type == "Identifier":
            variable = self.program.variable(callee)
            given_in: list[tuple[str, JsNode, Path, Context | None]] = []
            if variable is not None and [one.kind for one in variable.definitions] == ["parameter"]:
                given_in = self.flow_argument(variable, variable.definitions[0], (), context)
            for kind, given, rest, inside in given_in:
                function = self.program.function(given) if kind == "expression" and not rest else None
                if function is not None and len(function.returns) == 1 and depth < 12:
                    value = function.returns[0]
                    value = value.argument if value.type == "ReturnStatement" else value
                    return self._fold(value, (), inside, depth + 1)
        if callee.type == "MemberExpression" and name in MEASURING and name != "title":
            return _PROMISE
        return None

    def _named_value(self, node: JsNode, path: Path, context: Context | None, depth: int) -> object:
        if node.name in ("undefined", "NaN"):
            return False
        variable = self.program.variable(node)
        if variable is None or not variable.definitions:
            return None
        last = self._last(node, variable)
        if last is not None:
            return self._fold(last, path, context, depth + 1)
        if len(variable.definitions) > 1 and any(d.kind == "parameter" for d in variable.definitions):
            return None
        if len(variable.definitions) != 1:
            return None
        one = variable.definitions[0]
        if one.kind == "init" and not one.path and not path:
            return self._fold(one.value, (), context, depth + 1)
        if one.kind == "init" and one.value is not None:
            parts = self._projected(one.value, (*one.path, *path))
            literal = bare(one.value)
            if literal is not None and literal.type in ("ObjectExpression", "ArrayExpression") and parts != [literal]:
                return self._fold(parts[0], (), context, depth + 1) if parts else None
            return None
        if one.kind == "parameter":
            for kind, value, rest, inside in self.flow_argument(variable, one, path, context):
                if kind == "expression" and not rest:
                    return self._fold(value, (), inside, depth + 1)
        return None

    def _last(self, node: JsNode, variable: Variable) -> JsNode | None:
        """The constant that a variable was set to right before, in the same block and without a condition."""
        before: Definition | None = None
        for one in variable.definitions:
            if (
                one.kind == "assign"
                and not one.store
                and one.site.range[1] <= node.range[0]
                and one.site.home is node.home
            ):
                before = one if before is None or one.site.range[0] > before.site.range[0] else before
        if before is None or before.value is None:
            return None
        later = [d for d in variable.definitions if d is not before and d.site.range[0] > before.site.range[0]]
        if any(d.site.home is not node.home or d.site.range[0] < node.range[0] for d in later):
            return None
        block = before.site.up.up
        child = node
        for _ in range(200):
            if child is None or child.up is block:
                return before.value if child is not None else None
            child = child.up
        return None


def _joined(operator: str, left: object, right: object) -> object:
    if operator == "||":
        if left is not None and left:
            return left
        if right is not None and right:
            return right  # whatever the left side is, the whole is true
        return right if left is not None else None
    if operator == "&&":
        if left is not None and not left:
            return left
        if right is not None and not right:
            return right
        return right if left is not None else None
    return left


def _compare(operator: str, left: object, right: object) -> object:
    if operator in ("===", "=="):
        return left == right
    if operator in ("!==", "!="):
        return left != right
    if not isinstance(left, int | float) or not isinstance(right, int | float):
        return None
    if operator == "<":
        return left < right
    if operator == ">":
        return left > right
    if operator == "<=":
        return left <= right
    if operator == ">=":
        return left >= right
    return None


def _operands(node: JsNode, without: str) -> list[JsNode]:
    """The operands of a chain of logical operators, but for the variable that is written."""
    found: list[JsNode] = []
    root = bare(node)
    operator = root.operator if root.type in ("LogicalExpression", "BinaryExpression") else ""
    stack = [root] if operator in ("&&", "||", "&", "|") else []
    while stack:
        one = stack.pop()
        if one.type in ("LogicalExpression", "BinaryExpression") and one.operator == operator:
            stack += [bare(one.right), bare(one.left)]
        elif one.type != "Identifier" or one.name != without:
            found.append(one)
    return found if without and len(found) < 6 and _names_in(node, without) else [root]


def _names_in(node: JsNode, name: str) -> bool:
    stack = [node]
    while stack:
        one = stack.pop()
        if one.type == "Identifier" and one.name == name:
            return True
        stack.extend(children(one))
    return False


def _never_negative(node: JsNode) -> bool:
    node = bare(node)
    if node.type == "MemberExpression":
        return key_of(node) in ("length", "size")
    if node.type == "CallExpression":
        return dotted(node.callee) in ("Math.abs", "Math.hypot", "Math.sqrt")
    return False


def _calls_in(node: JsNode) -> bool:
    stack = [node]
    while stack:
        one = stack.pop()
        if one.type in ("CallExpression", "NewExpression"):
            return True
        stack.extend(children(one))
    return False


def _before(node: JsNode, other: JsNode) -> bool:
    return bool(node.range[0] < other.range[0])


def _named(site: JsNode) -> Function | None:
    """The function around a place that is called by name; callbacks belong to the function they stand in."""
    function: Function | None = site.home
    while function is not None:
        if any(one.direct for one in function.sites):
            return function
        function = function.outer
    return None


def _outermost(context: Context | None) -> JsNode | None:
    """The call that says what is checked: the helper's own call."""
    return context.call if context is not None else None


def _literals(node: JsNode) -> Iterator[str]:
    """The strings of an expression, as far as they stand in it."""
    stack = [node]
    seen = 0
    while stack and seen < 60:
        one = stack.pop()
        seen += 1
        if one.type == "Literal" and isinstance(one.value, str):
            yield str(one.value)
        elif one.type == "TemplateLiteral":
            for quasi in one.quasis:
                yield str(quasi.value.cooked or "")
            stack.extend(one.expressions)
        elif one.type == "Identifier":
            yield str(one.name)
        elif one.type == "Property":
            stack.append(one.key)
            if one.value.type in ("Literal", "TemplateLiteral"):
                stack.append(one.value)
        elif one.type in (
            "BinaryExpression",
            "ArrayExpression",
            "ObjectExpression",
            "ConditionalExpression",
            "NewExpression",
        ):
            stack.extend(reversed(children(one)))


def _chain(node: JsNode | None) -> tuple[JsNode | None, list[str]]:
    """The root of a member expression and the names on the way."""
    names: list[str] = []
    node = bare(node)
    while node is not None and node.type == "MemberExpression" and len(names) < 8:
        names.append(key_of(node) or "")
        node = bare(node.object)
    return node, names[::-1]


def _source_of(program: ToolProgram, identifier: JsNode) -> str:
    variable = program.variable(identifier)
    for one in variable.definitions if variable is not None else ():
        if one.kind == "import":
            return one.store[0]
    return ""


def _imported_name(program: ToolProgram, identifier: JsNode) -> str:
    variable = program.variable(identifier)
    for one in variable.definitions if variable is not None else ():
        if one.kind == "import":
            return one.path[0] if one.path else ""
    return ""


def _bound(program: ToolProgram, pattern: JsNode) -> Iterator[tuple[Variable, Path]]:
    from .tool_program import bindings

    for name, path in bindings(pattern):
        variable = program.variable(name)
        if variable is not None:
            yield variable, path


def _is_pattern(identifier: JsNode) -> bool:
    """Whether an identifier is where a parameter is bound, and no use of it."""
    child, parent = identifier, identifier.up
    while parent is not None:
        if is_function(parent):
            return child in parent.params
        if parent.type not in ("Property", "ObjectPattern", "ArrayPattern", "AssignmentPattern", "RestElement"):
            return False
        child, parent = parent, parent.up
    return False
