"""The scripts of the tools as one program: who defines which name, who calls which function, what can run at all.

Nothing is run. Every script is walked once, without recursion; what the walk notes is enough for
:mod:`~rules.husky.tool_flow` to follow a value backwards from where it is used to where it comes from.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from husky_lint.parse.js import parse_script
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from husky_lint.parse.js import JsNode, Script
    from husky_lint.source import Span

Path = tuple[str, ...]

MAX_NODES: Final = 250_000
_MAX_GUARDS: Final = 50
_MAX_SOURCES: Final = 100
_FUNCTIONS: Final = words("FunctionDeclaration FunctionExpression ArrowFunctionExpression")
_LOOPS: Final = words("ForStatement ForInStatement ForOfStatement WhileStatement DoWhileStatement")
_PLAIN: Final = words(
    """
    ArrayExpression AwaitExpression BinaryExpression ChainExpression ConditionalExpression ExpressionStatement
    IfStatement LogicalExpression ObjectExpression Property SpreadElement TemplateLiteral UnaryExpression
    """
)
_LEAVES: Final = words("ReturnStatement ThrowStatement BreakStatement ContinueStatement")
_ADDERS: Final = words("push unshift add")


@dataclass(eq=False, slots=True)
class Definition:
    """One way a variable gets a value. ``path`` is what of ``value`` it gets, ``store`` which part of it is set.

    ``kind``: ``init``, ``assign``, ``update`` (``+=``, ``++``), ``add`` (``push``), ``element`` (of a loop), ``key``
    (of a for-in), ``parameter`` (number ``index``), ``import``.
    """

    kind: str
    site: JsNode
    value: JsNode | None
    path: Path = ()
    store: Path = ()
    index: int = 0


@dataclass(eq=False, slots=True)
class Variable:
    """A name of one scope. ``home`` is the function whose variable it is."""

    name: str
    home: Function
    definitions: list[Definition] = field(default_factory=list)
    references: list[JsNode] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Call:
    """A place where a function is run: called by name (``direct``) or handed to a call as argument ``position``."""

    node: JsNode
    direct: bool
    position: int = 0


@dataclass(eq=False, slots=True)
class Function:
    """A function, or the top level of a file (``node`` is the Program)."""

    node: JsNode
    file: ToolFile
    outer: Function | None
    returns: list[JsNode] = field(default_factory=list)
    sites: list[Call] = field(default_factory=list)
    own: Variable | None = None
    key: str = ""

    @property
    def is_async(self) -> bool:
        """Whether a call gives a promise."""
        return bool(getattr(self.node, "isAsync", False))


@dataclass(eq=False)
class ToolFile:
    """One script of the tools, walked."""

    path: str
    script: Script
    top: Function = field(init=False)
    functions: list[Function] = field(default_factory=list)
    calls: list[JsNode] = field(default_factory=list)
    throws: list[JsNode] = field(default_factory=list)
    stores: list[JsNode] = field(default_factory=list)
    members: set[str] = field(default_factory=set)
    imports: dict[str, list[JsNode]] = field(default_factory=dict)
    exports: dict[str, list[JsNode]] = field(default_factory=dict)
    globals: dict[str, Variable] = field(default_factory=dict)

    def span(self, node: JsNode) -> Span:
        """Where a node stands."""
        return self.script.span(node)


class ToolProgram:
    """All files of the tools that parse, linked by their imports. ``broken`` are the ones that do not."""

    def __init__(self, scripts: Mapping[str, Script]) -> None:
        self.files: dict[str, ToolFile] = {}
        self.broken: dict[str, Script] = {}
        self.limit = False
        self.by_property: dict[str, list[Function]] = {}
        self.nodes: list[JsNode] = []
        self._function_of: dict[int, Function] = {}
        self._left = MAX_NODES
        self._ends: dict[int, int | None] = {}
        self._guards: dict[int, list[JsNode]] = {}
        self._callees: dict[int, list[Function]] = {}
        self._sources: dict[int, list[Definition]] = {}
        self._linked = False
        for path, script in scripts.items():
            parsed = as_node_reads(script)
            if parsed.program is None:
                self.broken[path] = parsed
                continue
            file = ToolFile(path, parsed)
            self.files[path] = file
            _Walk(self, file).run()
        for file in self.files.values():
            for function in file.functions:
                if function.key:
                    self.by_property.setdefault(function.key, []).append(function)
        self._linked = True
        for file in self.files.values():
            self._note_calls(file)
        self.live = self._reach()

    def let_go(self) -> None:
        """Take away what the nodes of the trees know of each other."""
        for node in self.nodes:
            node.up = node.home = node.names = None
        for file in self.files.values():
            for function in file.functions:
                function.own = None
            vars(file).clear()

    def spend(self, count: int) -> bool:
        """Whether so many more nodes may be looked at."""
        self._left -= count
        self.limit = self.limit or self._left < 0
        return self._left >= 0

    # ------------------------------------------------------------------ what a node stands for

    def function(self, node: JsNode | None) -> Function | None:
        """The function that a node is the text of."""
        return self._function_of.get(id(node)) if node is not None else None

    def add(self, function: Function) -> None:
        """Note a function."""
        self._function_of[id(function.node)] = function

    def variable(self, node: JsNode) -> Variable | None:
        """What an identifier names."""
        found = getattr(node, "names", None)
        return found if isinstance(found, Variable) else None

    def definitions(self, variable: Variable, path: Path) -> list[Definition]:
        """All that is written to a variable, through ``this`` in the methods of the object that it holds included."""
        this = variable.home.file.globals.get("this")
        if this is None or this is variable or not path:
            return variable.definitions
        held = [bare(one.value) for one in variable.definitions if one.kind == "init" and not one.path]
        if not any(one is not None and one.type in ("ObjectExpression", "NewExpression") for one in held):
            return variable.definitions
        return variable.definitions + [one for one in this.definitions if one.store[:1] == path[:1]]

    def sources(self, variable: Variable) -> list[Definition]:
        """The definitions that may make a variable a function or an object; the first of them, if they are many."""
        if not self._linked or id(variable) not in self._sources:
            found = [one for one in variable.definitions if one.kind in ("init", "assign", "import")]
            self._sources[id(variable)] = found[:_MAX_SOURCES]
        return self._sources[id(variable)]

    def getters(self, name: str | None) -> list[Function]:
        """The getters of this name."""
        found = self.by_property.get(name, []) if name else []
        return [one for one in found if one.node.up.kind == "get"]

    def linked(self, file: ToolFile, source: str) -> ToolFile | None:
        """The file that a relative import means."""
        if not source.startswith("."):
            return None
        base = posixpath.normpath(posixpath.join(posixpath.dirname(file.path), source))
        for path in (base, f"{base}.js", f"{base}.mjs", f"{base}.cjs", f"{base}/index.js"):
            if path in self.files:
                return self.files[path]
        return None

    def closure(self, file: ToolFile) -> list[ToolFile]:
        """A file and everything that it imports, itself first."""
        found = [file]
        for one in found:
            for source in one.imports:
                target = self.linked(one, source)
                if target is not None and target not in found:
                    found.append(target)
        return found

    def exported(self, file: ToolFile, name: str) -> list[JsNode]:
        """The expressions or names that a file exports under a name, ``"default"`` and CommonJS included."""
        return file.exports.get(name, [])

    # ------------------------------------------------------------------ calls

    def callees(self, call: JsNode) -> list[Function]:
        """The functions of the program that a call may run."""
        if not self._linked:
            return self.functions_of(call.callee)
        if id(call) not in self._callees:
            self._callees[id(call)] = self.functions_of(call.callee)
        return self._callees[id(call)]

    def functions_of(self, node: JsNode | None, depth: int = 6) -> list[Function]:
        """The functions that an expression may be."""
        node = bare(node)
        if node is None or depth <= 0:
            return []
        own = self.function(node)
        if own is not None:
            return [own]
        if node.type == "Identifier":
            variable = self.variable(node)
            found: list[Function] = []
            for definition in self.sources(variable) if variable is not None else ():
                found += self._functions_of_definition(variable, definition, depth)  # type: ignore[arg-type]
            return found
        if node.type == "MemberExpression":
            name = key_of(node)
            if name is None:
                return []
            if name in ("call", "apply", "bind"):
                return self.functions_of(node.object, depth - 1)
            owned = self._methods(node.object, name, depth)
            if owned is not None:
                return owned
            return [] if name in KNOWN_METHODS else self.by_property.get(name, [])
        if node.type == "CallExpression" and node.callee.type == "MemberExpression" and key_of(node.callee) == "bind":
            return self.functions_of(node.callee.object, depth - 1)
        return []

    def _functions_of_definition(self, variable: Variable, definition: Definition, depth: int) -> list[Function]:
        if definition.kind == "import":
            return [f for node in self.imported(variable, definition) for f in self.functions_of(node, depth - 1)]
        if definition.kind not in ("init", "assign") or definition.store:
            return []
        if not definition.path:
            return self.functions_of(definition.value, depth - 1)
        if len(definition.path) == 1:
            owned = self._methods(definition.value, definition.path[0], depth - 1)
            return owned if owned is not None else []
        return []

    def _methods(self, holder: JsNode | None, name: str, depth: int) -> list[Function] | None:
        """The functions that an object holds under a name; None when it is not known which object it is."""
        holder = bare(holder)
        if holder is None or depth <= 0:
            return None
        if holder.type == "AssignmentExpression":
            return self._methods(holder.right, name, depth - 1)
        if holder.type == "ObjectExpression":
            values = [p.value for p in holder.properties if p.type == "Property" and key_name(p) == name]
            return [f for value in values for f in self.functions_of(value, depth - 1)] if values else None
        key = ""
        if holder.type == "MemberExpression" and bare(holder.object).type == "Identifier":
            key = key_of(holder) or ""
            holder = bare(holder.object)
            if not key:
                return None
        variable = self.variable(holder) if holder.type == "Identifier" else None
        if variable is None:
            return None
        found: list[Function] = []
        for definition in self.sources(variable):
            held: list[Function] | None = None
            if definition.kind == "import":
                for node in [] if key else self.imported(variable, definition):
                    held = held or self._methods(node, name, depth - 1)
            elif definition.kind not in ("init", "assign") or definition.path:
                continue
            elif definition.store == ((key, name) if key else (name,)):
                held = self.functions_of(definition.value, depth - 1)
            elif definition.store == ((key,) if key else ()):
                held = self._methods(definition.value, name, depth - 1)
            found += held or []
        return found or None

    def imported(self, variable: Variable, definition: Definition) -> list[JsNode]:
        """What an imported name stands for in the file that exports it."""
        target = self.linked(variable.home.file, definition.store[0])
        if target is None:
            return []
        name = definition.path[0] if definition.path else ""
        if name:
            return self.exported(target, name)
        return self.exported(target, "module.exports") or self.exported(target, "default")

    def _note_calls(self, file: ToolFile) -> None:
        for call in file.calls:
            for function in self.callees(call):
                function.sites.append(Call(call, True))
            for position, argument in enumerate(call.arguments):
                if argument.type in ("Identifier", "MemberExpression", *_FUNCTIONS):
                    for function in self.functions_of(argument):
                        function.sites.append(Call(call, False, position))

    # ------------------------------------------------------------------ what can run

    def _reach(self) -> set[int]:
        """The functions that something reaches, by the id of their node; every top level is reached."""
        waiting: dict[int, list[Function]] = {}
        queue: list[Function] = []
        members = set().union(*(file.members for file in self.files.values()))
        for file in self.files.values():
            queue.append(file.top)
            for function in file.functions:
                if function.own is not None:
                    for node in function.own.references:
                        if not within(node, function.node) and not self._is_dead(node):
                            waiting.setdefault(id(node.home.node), []).append(function)
                elif function.key and (function.key in members or self._is_listed(function.node.up)):
                    queue.append(function)
                elif function.outer is not None and not function.key and not self._is_dead(function.node):
                    waiting.setdefault(id(function.outer.node), []).append(function)
        live: set[int] = set()
        while queue:
            function = queue.pop()
            if id(function.node) not in live:
                live.add(id(function.node))
                queue += waiting.get(id(function.node), ())
        return live

    def _is_listed(self, entry: JsNode) -> bool:
        """Whether the object that holds a function is gone through, so that its functions need not be named."""
        holder = entry.up
        if entry.type != "Property" or holder.type != "ObjectExpression":
            return False
        if holder.up.type != "VariableDeclarator" or holder.up.id.type != "Identifier":
            return True
        variable = self.variable(holder.up.id)
        return variable is not None and any(
            one.up.type != "MemberExpression" or one.up.computed
            for one in variable.references
            if one is not holder.up.id
        )

    def runs(self, node: JsNode) -> bool:
        """Whether something reaches this place."""
        return id(node.home.node) in self.live and not self._is_dead(node)

    def _last_of(self, block: JsNode) -> int | None:
        """Where the first statement of a block begins that never lets the next one run."""
        if id(block) not in self._ends:
            self._ends[id(block)] = next((one.range[0] for one in block.body if leaves(one)), None)
        return self._ends[id(block)]

    def guards(self, block: JsNode) -> list[JsNode]:
        """The statements of a block that end it early under a condition, and not with an error."""
        if id(block) not in self._guards:
            self._guards[id(block)] = [
                one
                for one in block.body
                if one.type == "IfStatement"
                and one.alternate is None
                and leaves(one.consequent)
                and not gives_up(one.consequent)
            ][:_MAX_GUARDS]
        return self._guards[id(block)]

    def _is_dead(self, node: JsNode) -> bool:
        """Whether the place lies behind a return or a throw, or under a constant condition that never holds."""
        child, parent = node, node.up
        while parent is not None:
            kind = parent.type
            if kind in ("BlockStatement", "Program") and child.type not in _FUNCTIONS:
                last = self._last_of(parent)
                if last is not None and child.range[0] > last and child.type != "FunctionDeclaration":
                    return True
            elif kind in ("IfStatement", "ConditionalExpression") and parent.test.type == "Literal":
                taken = parent.consequent if parent.test.value else parent.alternate
                if child is not parent.test and child is not taken:
                    return True
            elif kind == "LogicalExpression" and child is parent.right and parent.left.type == "Literal":
                if bool(parent.left.value) != (parent.operator == "&&"):
                    return True
            elif kind == "WhileStatement" and parent.test.type == "Literal" and not parent.test.value:
                return child is parent.body
            if kind in _FUNCTIONS:
                return False
            child, parent = parent, parent.up
        return False


KNOWN_METHODS: Final = words(
    """
    map filter forEach reduce some every find findIndex flatMap flat slice sort reverse concat join includes indexOf
    push unshift pop shift splice add set get has delete keys values entries at fill toString toFixed then catch finally
    evaluate evaluateAll evaluateHandle $ $$ $eval $$eval getAttribute textContent innerText innerHTML inputValue
    isVisible isHidden isEnabled isChecked count boundingBox allTextContents allInnerTexts locator first last nth on
    once off goto click reload press screenshot close newPage newContext cookies waitForTimeout waitForSelector
    waitForFunction addInitScript exposeFunction emulateMedia setViewportSize querySelector querySelectorAll
    getElementById getBoundingClientRect getAnimations getComputedStyle match test exec replace split trim log error
    warn exit setAttribute removeAttribute appendChild append remove closest matches dispatchEvent addEventListener
    play pause cancel finish resolve all listen end write writeHead readFileSync existsSync isArray from assign
    """
)
"""Methods of the platform: a property of the tools' own that is called so says nothing about a call of it."""


def as_node_reads(script: Script) -> Script:
    """The script as node would read it: what parses only as a module is one."""
    if script.program is not None or script.module or not any(w in script.text for w in ("import", "export", "await")):
        return script
    module = parse_script(script.source, script.start, script.end, module=True)
    return module if module.program is not None else script


def bare(node: JsNode | None) -> JsNode:
    """The expression without ``await``, optional chain and spread around it; None for None."""
    while node is not None and node.type in ("AwaitExpression", "ChainExpression", "SpreadElement"):
        node = node.expression if node.type == "ChainExpression" else node.argument
    return node


def key_of(member: JsNode) -> str | None:
    """The property that a member expression reads, None when it is computed."""
    return literal_text(member.property) if member.computed else member.property.name or ""


def key_name(entry: JsNode) -> str | None:
    """The name of a property of an object literal, a pattern or a class."""
    if entry.computed:
        return literal_text(entry.key)
    name = getattr(entry.key, "name", None)
    return str(name) if name is not None else str(entry.key.value) if entry.key.type == "Literal" else None


def literal_text(node: JsNode | None) -> str | None:
    """The text of a string or number literal, or of a template without holes."""
    if node is None:
        return None
    if node.type == "Literal" and isinstance(node.value, str):
        return str(node.value)
    if node.type == "Literal" and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return f"{node.value:g}"
    if node.type == "TemplateLiteral" and not node.expressions:
        return str(node.quasis[0].value.cooked)
    return None


def leaves(statement: JsNode | None) -> bool:
    """Whether a statement never lets the next one run."""
    for _ in range(20):
        if statement is None:
            return False
        if statement.type in _LEAVES:
            return True
        if statement.type == "ExpressionStatement":
            call = bare(statement.expression)
            return bool(call is not None and call.type == "CallExpression" and dotted(call.callee) == "process.exit")
        if statement.type == "BlockStatement" and statement.body:
            if any(one.type in _LEAVES for one in statement.body[:-1]):
                return True
            statement = statement.body[-1]
        elif statement.type == "IfStatement" and statement.alternate is not None and leaves_flat(statement.consequent):
            statement = statement.alternate
        else:
            return False
    return False


def gives_up(statement: JsNode) -> bool:
    """Whether a statement that leaves does so with an error: what follows is no special case of something else."""
    last = statement.body[-1] if statement.type == "BlockStatement" and statement.body else statement
    if last.type == "ExpressionStatement":
        call = bare(last.expression)
        return not (call.arguments and call.arguments[0].type == "Literal" and call.arguments[0].value == 0)
    return bool(last.type == "ThrowStatement")


def leaves_flat(statement: JsNode) -> bool:
    """The same for a statement or the last one of its block, no deeper."""
    last = statement.body[-1] if statement.type == "BlockStatement" and statement.body else statement
    return bool(last.type in _LEAVES)


def dotted(node: JsNode) -> str:
    """``a.b.c`` as text, ``""`` for anything else."""
    parts: list[str] = []
    node = bare(node)
    while node is not None and node.type == "MemberExpression" and len(parts) < 8:
        name = key_of(node)
        if name is None:
            return ""
        parts.append(name)
        node = bare(node.object)
    if node is None or node.type != "Identifier":
        return ""
    return ".".join([str(node.name), *reversed(parts)])


def within(node: JsNode, outer: JsNode) -> bool:
    """Whether a node lies in the text of another (of the same file)."""
    return bool(
        outer.range[0] <= node.range[0] and node.range[1] <= outer.range[1] and node.home.file is outer_file(outer)
    )


def outer_file(node: JsNode) -> Any:
    """The file that a node stands in."""
    return node.home.file


def is_function(node: JsNode) -> bool:
    """Whether a node is a function of any spelling."""
    return node.type in _FUNCTIONS


def is_loop(node: JsNode) -> bool:
    """Whether a node is a loop statement."""
    return node.type in _LOOPS


def children(node: JsNode) -> list[JsNode]:
    """The nodes right below one, in source order."""
    found: list[JsNode] = []
    for name in _PARTS.get(node.type, ()):
        value = getattr(node, name)
        if value.__class__ is list:
            found += [one for one in value if one is not None]
        elif value is not None:
            found.append(value)
    return found


_PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    kind: tuple(parts.split())
    for kind, parts in {
        "ArrayExpression": "elements",
        "ArrayPattern": "elements",
        "ArrowFunctionExpression": "params body",
        "AssignmentExpression": "left right",
        "AssignmentPattern": "left right",
        "AwaitExpression": "argument",
        "BinaryExpression": "left right",
        "BlockStatement": "body",
        "CallExpression": "callee arguments",
        "CatchClause": "param body",
        "ChainExpression": "expression",
        "ClassBody": "body",
        "ClassDeclaration": "id superClass body",
        "ClassExpression": "id superClass body",
        "ConditionalExpression": "test consequent alternate",
        "DoWhileStatement": "body test",
        "ExportDefaultDeclaration": "declaration",
        "ExportNamedDeclaration": "declaration specifiers",
        "ExportSpecifier": "local",
        "ExpressionStatement": "expression",
        "FieldDefinition": "key value",
        "ForInStatement": "left right body",
        "ForOfStatement": "left right body",
        "ForStatement": "init test update body",
        "FunctionDeclaration": "id params body",
        "FunctionExpression": "id params body",
        "IfStatement": "test consequent alternate",
        "ImportDeclaration": "",
        "ImportExpression": "source",
        "LabeledStatement": "body",
        "LogicalExpression": "left right",
        "MemberExpression": "object property",
        "MethodDefinition": "key value",
        "NewExpression": "callee arguments",
        "ObjectExpression": "properties",
        "ObjectPattern": "properties",
        "Program": "body",
        "Property": "key value",
        "PropertyDefinition": "key value",
        "RestElement": "argument",
        "ReturnStatement": "argument",
        "SequenceExpression": "expressions",
        "SpreadElement": "argument",
        "StaticBlock": "body",
        "SwitchCase": "test consequent",
        "SwitchStatement": "discriminant cases",
        "TaggedTemplateExpression": "tag quasi",
        "TemplateLiteral": "quasis expressions",
        "ThrowStatement": "argument",
        "TryStatement": "block handler finalizer",
        "UnaryExpression": "argument",
        "UpdateExpression": "argument",
        "VariableDeclaration": "declarations",
        "VariableDeclarator": "id init",
        "WhileStatement": "test body",
        "YieldExpression": "argument",
    }.items()
}


_PARTS_BACKWARDS: Final = {kind: parts[::-1] for kind, parts in _PARTS.items()}


class _Scope:
    """The names of a block or a function."""

    __slots__ = ("function", "is_function", "names", "outer")

    def __init__(self, outer: _Scope | None, function: Function, is_function: bool) -> None:
        self.outer = outer
        self.function = function
        self.is_function = is_function
        self.names: dict[str, Variable] = {}

    def find(self, name: str) -> Variable | None:
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def declare(self, name: str, *, function_wide: bool = False) -> Variable:
        scope = self
        while function_wide and not scope.is_function and scope.outer is not None:
            scope = scope.outer
        return scope.names.setdefault(name, Variable(name, scope.function))


class _Walk:
    """One pass over a file: parents, scopes, then what every name is."""

    def __init__(self, program: ToolProgram, file: ToolFile) -> None:
        self.program = program
        self.file = file
        self.uses: list[tuple[JsNode, _Scope]] = []
        self.later: list[tuple[str, JsNode, _Scope]] = []

    def run(self) -> None:
        tree: JsNode = self.file.script.program
        top = Function(tree, self.file, None)
        self.file.top = top
        self.file.functions.append(top)
        self.program.add(top)
        tree.up, tree.home = None, top
        stack: list[tuple[JsNode, _Scope]] = [(tree, _Scope(None, top, True))]
        waiting, met = stack.append, self.program.nodes.append
        while stack:
            node, scope = stack.pop()
            met(node)
            if not self.program.spend(1):
                return
            kind = node.type
            if kind == "Identifier":
                if not _is_label(node):
                    self.uses.append((node, scope))
                continue
            parts = _PARTS_BACKWARDS.get(kind)
            if parts is None:
                continue
            inner = self._enter(node, scope) if kind not in _PLAIN else scope
            home = inner.function
            for part in parts:
                value = getattr(node, part)
                if value is None:
                    continue
                for child in reversed(value) if value.__class__ is list else (value,):
                    if child is not None:
                        child.up = node
                        child.home = home
                        waiting((child, inner))
        for kind, node, scope in self.later:
            self._define(kind, node, scope)
        for node, scope in self.uses:
            variable = scope.find(node.name)
            if variable is None:
                variable = self.file.globals.setdefault(node.name, Variable(node.name, top))
            node.names = variable
            variable.references.append(node)

    # ------------------------------------------------------------------ first pass

    def _enter(self, node: JsNode, scope: _Scope) -> _Scope:
        kind = node.type
        if kind in _FUNCTIONS:
            return self._function(node, scope)
        if kind in ("BlockStatement", "CatchClause", "ForStatement", "ForOfStatement", "ForInStatement"):
            inner = _Scope(scope, scope.function, False)
            if kind == "CatchClause" and node.param is not None:
                for name, _ in bindings(node.param):
                    inner.declare(name.name)
            elif kind in ("ForOfStatement", "ForInStatement"):
                self.later.append(("loop", node, inner))
            return inner
        if kind == "VariableDeclaration":
            for one in node.declarations:
                for name, _ in bindings(one.id):
                    scope.declare(name.name, function_wide=node.kind == "var")
        elif kind == "VariableDeclarator":
            if node.init is not None:
                self.later.append(("init", node, scope))
        elif kind == "AssignmentExpression":
            self.file.stores.append(node)
            self.later.append(("assign", node, scope))
        elif kind == "UpdateExpression":
            self.file.stores.append(node)
            self.later.append(("update", node, scope))
        elif kind in ("CallExpression", "NewExpression"):
            self.file.calls.append(node)
            self.later.append(("call", node, scope))
        elif kind == "MemberExpression":
            name = key_of(node)
            if name:
                self.file.members.add(name)
        elif kind == "ThrowStatement":
            self.file.throws.append(node)
        elif kind in ("ReturnStatement", "YieldExpression"):
            scope.function.returns.append(node)
        elif kind == "ClassDeclaration" and node.id is not None:
            scope.declare(node.id.name)
        elif kind == "ImportDeclaration":
            self._import(node, scope)
        elif kind in ("ExportNamedDeclaration", "ExportDefaultDeclaration"):
            self._export(node)
        elif kind == "ObjectPattern":
            for entry in node.properties:
                if entry.type == "Property":
                    self.file.members.add(key_name(entry) or "")
        return scope

    def _function(self, node: JsNode, scope: _Scope) -> _Scope:
        function = Function(node, self.file, scope.function)
        self.file.functions.append(function)
        self.program.add(function)
        if node.type == "FunctionDeclaration" and node.id is not None:
            variable = scope.declare(node.id.name)
            variable.definitions.append(Definition("init", node, node))
            function.own = variable
        inner = _Scope(scope, function, True)
        if node.type == "FunctionExpression" and node.id is not None:
            inner.declare(node.id.name).definitions.append(Definition("init", node, node))
        for index, parameter in enumerate(node.params):
            for name, path in bindings(parameter):
                inner.declare(name.name).definitions.append(Definition("parameter", node, None, path, index=index))
            if parameter.type == "AssignmentPattern" and parameter.left.type == "Identifier":
                inner.names[parameter.left.name].definitions.append(Definition("init", parameter, parameter.right))
        if node.type == "ArrowFunctionExpression" and node.body.type != "BlockStatement":
            function.returns.append(node.body)
        self._name(function)
        return inner

    def _name(self, function: Function) -> None:
        """What a function expression is kept in: a property whose name others call it by."""
        holder = function.node.up
        while holder is not None and holder.type in ("AwaitExpression", "ConditionalExpression", "LogicalExpression"):
            holder = holder.up
        if holder is None:
            return
        if holder.type in ("Property", "MethodDefinition", "PropertyDefinition", "FieldDefinition"):
            function.key = key_name(holder) or ""
        elif holder.type == "AssignmentExpression" and holder.left.type == "MemberExpression":
            function.key = key_of(holder.left) or ""

    def _import(self, node: JsNode, scope: _Scope) -> None:
        source = str(node.source.value)
        self.file.imports.setdefault(source, []).append(node)
        for one in node.specifiers:
            name = "default" if one.type == "ImportDefaultSpecifier" else ""
            if one.type == "ImportSpecifier":
                name = getattr(one.imported, "name", None) or str(one.imported.value)
            variable = scope.declare(one.local.name)
            variable.definitions.append(Definition("import", node, None, (name,) if name else (), (source,)))

    def _export(self, node: JsNode) -> None:
        exports = self.file.exports
        if node.type == "ExportDefaultDeclaration":
            exports.setdefault("default", []).append(node.declaration)
            return
        declared = node.declaration
        if declared is not None and declared.type == "VariableDeclaration":
            for one in declared.declarations:
                for name, _ in bindings(one.id):
                    exports.setdefault(name.name, []).append(name)
        elif declared is not None and declared.id is not None:
            exports.setdefault(declared.id.name, []).append(declared.id)
        for one in node.specifiers or ():
            name = getattr(one.exported, "name", None)
            if name and node.source is None:
                exports.setdefault(name, []).append(one.local)

    # ------------------------------------------------------------------ second pass: every scope is known

    def _define(self, kind: str, node: JsNode, scope: _Scope) -> None:
        if kind == "init":
            self._bind(node.id, node.init, "init", node, scope)
        elif kind == "loop":
            target = node.left.declarations[0].id if node.left.type == "VariableDeclaration" else node.left
            self._bind(target, node.right, "element" if node.type == "ForOfStatement" else "key", node, scope)
        elif kind == "assign":
            if node.left.type in ("ObjectPattern", "ArrayPattern"):
                self._bind(node.left, node.right, "assign", node, scope)
            else:
                self._store(node.left, node.right, "assign" if node.operator == "=" else "update", node, scope)
        elif kind == "update":
            self._store(node.argument, None, "update", node, scope)
        else:
            self._call(node, scope)

    def _bind(self, target: JsNode, value: JsNode, kind: str, site: JsNode, scope: _Scope) -> None:
        source = _required(value) if kind == "init" else None
        if source is not None:
            self.file.imports.setdefault(source[0], []).append(value)
        for name, path in bindings(target):
            variable = scope.find(name.name)
            if variable is None:
                variable = self.file.globals.setdefault(name.name, Variable(name.name, self.file.top))
            if source is not None:
                whole = (*source[1], *path)
                variable.definitions.append(Definition("import", site, value, whole[:1], (source[0],)))
                continue
            variable.definitions.append(Definition(kind, site, value, path))
            function = self.program.function(value)
            if function is not None and not path:
                function.own = variable

    def _store(self, target: JsNode, value: JsNode | None, kind: str, site: JsNode, scope: _Scope) -> None:
        store: list[str] = []
        name = dotted(target)
        if name in ("module.exports", "exports") or name.startswith(("module.exports.", "exports.")):
            self._export_common(name, value)
            return
        node = target
        while node.type == "MemberExpression" and len(store) < 8:
            key = key_of(node)
            store.append(key if key is not None else "*")
            node = bare(node.object)
        if node.type == "ThisExpression":
            variable: Variable | None = self.file.globals.setdefault("this", Variable("this", self.file.top))
        elif node.type == "Identifier":
            variable = scope.find(node.name)
            if variable is None:
                variable = self.file.globals.setdefault(node.name, Variable(node.name, self.file.top))
        else:
            return
        assert variable is not None
        variable.definitions.append(Definition(kind, site, value, (), tuple(reversed(store))))
        function = self.program.function(value)
        if function is not None and not store:
            function.own = variable

    def _export_common(self, name: str, value: JsNode | None) -> None:
        exports = self.file.exports
        if value is None:
            return
        if name in ("module.exports", "exports"):
            exports.setdefault("module.exports", []).append(value)
            if value.type == "ObjectExpression":
                for entry in value.properties:
                    if entry.type == "Property":
                        exports.setdefault(key_name(entry) or "", []).append(entry.value)
        else:
            exports.setdefault(name.rpartition(".")[2], []).append(value)

    def _call(self, node: JsNode, scope: _Scope) -> None:
        callee = bare(node.callee)
        source = _required(node)
        if source is not None:
            self.file.imports.setdefault(source[0], []).append(node)
        if callee.type != "MemberExpression":
            return
        name = key_of(callee)
        if name in _ADDERS:
            for argument in node.arguments:
                self._store(callee.object, argument, "add", node, scope)
        elif name == "set" and len(node.arguments) == 2:
            key = literal_text(node.arguments[0])
            holder = callee.object
            self._store(holder, node.arguments[1], "assign", node, scope)
            if key is not None:
                variable = scope.find(holder.name) if holder.type == "Identifier" else None
                if variable is not None:
                    variable.definitions[-1].store = (key,)
        elif dotted(callee) == "Object.assign" and node.arguments:
            for argument in node.arguments[1:]:
                self._store(node.arguments[0], argument, "add", node, scope)


def _is_label(identifier: JsNode) -> bool:
    """Whether an identifier is a key or a member's name and no variable."""
    parent = identifier.up
    if parent is None:
        return False
    kind = parent.type
    if kind == "MemberExpression":
        return parent.property is identifier and not parent.computed
    if kind == "Property":
        return parent.key is identifier and not parent.computed and parent.value is not identifier
    if kind in ("MethodDefinition", "PropertyDefinition", "FieldDefinition"):
        return parent.key is identifier and not parent.computed
    return kind in (
        "LabeledStatement",
        "BreakStatement",
        "ContinueStatement",
        "ImportSpecifier",
        "ImportDefaultSpecifier",
        "ImportNamespaceSpecifier",
        "MetaProperty",
    )


def bindings(pattern: JsNode | None) -> Iterator[tuple[JsNode, Path]]:
    """The names that a pattern binds, and what part of the value each gets."""
    stack: list[tuple[JsNode | None, Path]] = [(pattern, ())]
    while stack:
        node, path = stack.pop()
        if node is None:
            continue
        if node.type == "Identifier":
            yield node, path[:6]
        elif node.type == "AssignmentPattern":
            stack.append((node.left, path))
        elif node.type == "RestElement":
            stack.append((node.argument, path))
        elif node.type == "ArrayPattern":
            stack.extend((one, (*path, str(index))) for index, one in enumerate(node.elements))
        elif node.type == "ObjectPattern":
            for entry in node.properties:
                if entry.type == "Property":
                    key = key_name(entry)
                    stack.append((entry.value, (*path, key) if key is not None else path))
                else:
                    stack.append((entry, path))


def _required(value: JsNode | None) -> tuple[str, Path] | None:
    """The source of ``require("x")``, ``require("x").y`` or ``await import("x")``, and the part that is taken."""
    path: list[str] = []
    value = bare(value)
    while value is not None and value.type == "MemberExpression" and len(path) < 4:
        path.append(key_of(value) or "")
        value = bare(value.object)
    if value is None:
        return None
    source: JsNode | None = None
    if value.type == "CallExpression" and value.callee.type == "Identifier" and value.callee.name == "require":
        source = value.arguments[0] if value.arguments else None
    elif value.type == "ImportExpression":
        source = value.source
    text = literal_text(source)
    return (text, tuple(reversed(path))) if text else None
