"""Where names live: scopes of the source, resolved to slots before anything runs.

At run time an environment is a list: slot 0 is the enclosing environment, the others hold variables. A block whose
variables no function can capture borrows slots of the environment around it.
"""

from __future__ import annotations

from typing import Any

from husky_lint.style.words import words

Node = Any  # an esprima node; esprima is untyped

FUNCTIONS = frozenset({"FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"})
_CAPTURES = FUNCTIONS | {"ClassDeclaration", "ClassExpression"}
_SKIPPED = frozenset({"type", "range", "loc", "raw", "kind", "operator", "name"})


class Frame:
    """The compile-time side of one environment: how many slots it has got so far."""

    __slots__ = ("size",)

    def __init__(self) -> None:
        self.size = 1

    def slot(self) -> int:
        self.size += 1
        return self.size - 1


class Scope:
    """Names of one block or function; ``frame`` is the environment that holds them."""

    __slots__ = ("constants", "frame", "function", "names", "parent", "private", "strict")

    def __init__(self, parent: Scope | None, frame: Frame, *, function: bool = False, strict: bool = False) -> None:
        self.parent = parent
        self.frame = frame
        self.function = function
        self.strict: bool = strict or (parent is not None and parent.strict)
        self.names: dict[str, int] = {}
        self.private: dict[str, Any] = {}
        self.constants: set[str] = set()

    def declare(self, name: str) -> int:
        """The slot of a name of this scope."""
        slot = self.names.get(name)
        if slot is None:
            slot = self.names[name] = self.frame.slot()
        return slot

    def resolve(self, name: str) -> tuple[int, int] | None:
        """How many environments up, and which slot; None: a global name."""
        scope: Scope | None = self
        hops = 0
        while scope is not None:
            slot = scope.names.get(name)
            if slot is not None:
                return hops, slot
            if scope.parent is not None and scope.parent.frame is not scope.frame:
                hops += 1
            scope = scope.parent
        return None

    def is_constant(self, name: str) -> bool:
        """Whether ``name`` is a ``const`` here."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return name in scope.constants
            scope = scope.parent
        return False

    def resolve_private(self, name: str) -> Any:
        """The key of ``#name``."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.private:
                return scope.private[name]
            scope = scope.parent
        return None

    def var_scope(self) -> Scope:
        """The scope that ``var`` declares in."""
        scope = self
        while not scope.function and scope.parent is not None:
            scope = scope.parent
        return scope


def children(node: Node) -> list[Node]:
    """The nodes directly inside a node."""
    found: list[Node] = []
    for key, value in node.__dict__.items():
        if key in _SKIPPED or key[0] == "_":
            continue
        if isinstance(value, list):
            found.extend(item for item in value if hasattr(item, "type"))
        elif hasattr(value, "type"):
            found.append(value)
    return found


def captures(node: Node) -> bool:
    """Whether a function or class stands anywhere inside."""
    stack = [node]
    while stack:
        node = stack.pop()
        if node.type in _CAPTURES:
            return True
        if node.type != "Literal":
            stack.extend(children(node))
    return False


def pattern_names(node: Node | None) -> list[str]:
    """The names that a binding pattern declares."""
    if node is None:
        return []
    kind = node.type
    if kind == "Identifier":
        return [node.name]
    if kind == "AssignmentPattern":
        return pattern_names(node.left)
    if kind == "RestElement":
        return pattern_names(node.argument)
    if kind == "ArrayPattern":
        return [name for element in node.elements for name in pattern_names(element)]
    if kind == "ObjectPattern":
        return [
            name
            for prop in node.properties
            for name in pattern_names(prop.argument if prop.type == "RestElement" else prop.value)
        ]
    return []


def var_names(statements: list[Node]) -> list[str]:
    """The names that ``var`` declares in statements, and that functions in inner blocks declare (annex B.3.3)."""
    names: list[str] = []
    stack: list[tuple[Node, bool]] = [(statement, True) for statement in reversed(statements)]
    while stack:
        node, top = stack.pop()
        kind = node.type
        if kind == "VariableDeclaration":
            if node.kind == "var":
                names.extend(name for declarator in node.declarations for name in pattern_names(declarator.id))
        elif kind == "FunctionDeclaration":
            if not top and node.id is not None:
                names.append(node.id.name)
        elif kind in ("ExportNamedDeclaration", "ExportDefaultDeclaration"):
            if node.declaration is not None:
                stack.append((node.declaration, top))
        elif kind in _HOLDERS:
            inner = children(node)
            stack.extend((child, False) for child in reversed(inner) if child.type in _STATEMENTS)
    return names


_HOLDERS = words(
    """
    BlockStatement IfStatement ForStatement ForInStatement ForOfStatement WhileStatement DoWhileStatement TryStatement
    CatchClause SwitchStatement SwitchCase LabeledStatement WithStatement
    """
)
_STATEMENTS = _HOLDERS | {"VariableDeclaration", "FunctionDeclaration"}


def lexical_names(statements: list[Node]) -> list[tuple[str, str]]:
    """Names that ``let``, ``const``, ``class``, ``import`` and functions declare directly in a list of statements."""
    names: list[tuple[str, str]] = []
    for statement in statements:
        node = statement
        if node.type in ("ExportNamedDeclaration", "ExportDefaultDeclaration") and node.declaration is not None:
            node = node.declaration
        if node.type == "VariableDeclaration" and node.kind != "var":
            names.extend((name, node.kind) for declarator in node.declarations for name in pattern_names(declarator.id))
        elif node.type in ("ClassDeclaration", "FunctionDeclaration") and node.id is not None:
            names.append((node.id.name, "class" if node.type == "ClassDeclaration" else "function"))
        elif node.type == "ImportDeclaration":
            names.extend((specifier.local.name, "import") for specifier in node.specifiers)
    return names
