"""What plain JavaScript binds and defines: patterns, parameters, functions, classes, and the keys of their members."""

from __future__ import annotations

from typing import Any, Final

from husky_lint.parse.plain.cursor import Cursor, Node, NotPlainError, Scope
from husky_lint.parse.plain.literals import number, unescaped
from husky_lint.parse.plain.tokens import END, KEYWORD, NAME, NUMBER, STRING

_FIELD_ENDS: Final = frozenset({"(", "=", ";", "}"})


class Functions(Cursor):
    """Patterns, functions and classes; expressions and statements are the business of the classes below."""

    __slots__ = ()

    # --- patterns

    def pattern(self, names: list[str]) -> Node:
        """What a declaration or parameter binds."""
        text = self.texts[self.i]
        if text == "{":
            return self.object_pattern(names)
        if text == "[":
            return self.array_pattern(names)
        return self.binding(names)

    def element(self, names: list[str]) -> Node:
        """A pattern, with the value it has where there is none."""
        start = self.starts[self.i]
        left = self.pattern(names)
        if self.texts[self.i] != "=":
            return left
        self.i += 1
        right = self.assignment()
        return self.made("AssignmentPattern", start, left=left, right=right)

    def rest(self, names: list[str], closing: str) -> Node:
        start = self.starts[self.i]
        self.i += 1
        argument = self.pattern(names)
        if self.texts[self.i] != closing:
            raise NotPlainError
        return self.made("RestElement", start, argument=argument)

    def array_pattern(self, names: list[str]) -> Node:
        start = self.starts[self.i]
        self.i += 1
        elements: list[Node | None] = []
        while self.texts[self.i] != "]":
            text = self.texts[self.i]
            if text == ",":
                self.i += 1
                elements.append(None)
                continue
            elements.append(self.rest(names, "]") if text == "..." else self.element(names))
            if self.texts[self.i] != "]":
                self.expect(",")
        self.i += 1
        return self.made("ArrayPattern", start, elements=elements)

    def object_pattern(self, names: list[str]) -> Node:
        start = self.starts[self.i]
        self.i += 1
        properties: list[Node] = []
        while self.texts[self.i] != "}":
            if self.texts[self.i] == "...":
                if self.kinds[self.i + 1] != NAME:
                    raise NotPlainError
                properties.append(self.rest(names, "}"))
                break
            i = self.i
            begin = self.starts[i]
            key, computed = self.key()
            shorthand = False
            if self.texts[self.i] == ":":
                self.i += 1
                value = self.element(names)
            else:
                if self.kinds[i] != NAME or self.i != i + 1:
                    raise NotPlainError
                shorthand = True
                self.i = i
                value = self.binding(names)
                if self.texts[self.i] == "=":
                    self.i += 1
                    right = self.assignment()
                    value = self.made("AssignmentPattern", begin, left=value, right=right)
            properties.append(self.property(begin, "init", key, computed, value, False, shorthand))
            if self.texts[self.i] != "}":
                self.expect(",")
        self.expect("}")
        return self.made("ObjectPattern", start, properties=properties)

    # --- functions

    def function_declaration(self) -> Node:
        start = self.starts[self.i]
        is_async = self.texts[self.i] == "async"
        if is_async:
            self.i += 1
            if self.newline():
                raise NotPlainError
        self.i += 1
        names: list[str] = []
        name = self.binding(names)
        self.declare("var" if self.scopes[-1].hoists else "let", names)
        params, body = self.function_rest(is_async)
        return self.function("FunctionDeclaration", start, is_async, name, params, body)

    def function_expression(self) -> Node:
        start = self.starts[self.i]
        is_async = self.texts[self.i] == "async"
        if is_async:
            self.i += 1
        self.i += 1
        name = None if self.texts[self.i] == "(" else self.binding([])
        params, body = self.function_rest(is_async)
        return self.function("FunctionExpression", start, is_async, name, params, body)

    def method(self, is_async: bool, count: int | None = None) -> Node:
        """The function of a method; ``count`` is how many parameters an accessor has."""
        start = self.starts[self.i]
        params, body = self.function_rest(is_async)
        if count is not None and (len(params) != count or any(param.type == "RestElement" for param in params)):
            raise NotPlainError
        return self.function("FunctionExpression", start, is_async, None, params, body)

    def function(
        self, type_: str, start: int, is_async: bool, name: Node | None, params: list[Node], body: Node
    ) -> Node:
        return self.made(
            type_, start, id=name, params=params, body=body, isAsync=is_async, generator=False, expression=False
        )

    def function_rest(self, is_async: bool) -> tuple[list[Node], Node]:
        before = self.enter_function(is_async)
        params, names = self.params()
        body = self.function_body(params, names)
        self.leave_function(before)
        return params, body

    def enter_function(self, is_async: bool) -> tuple[bool, ...]:
        before = self.in_function, self.in_async, self.in_loop, self.in_switch, self.no_in
        self.in_function, self.in_async = True, is_async
        self.in_loop = self.in_switch = self.no_in = False
        return before

    def leave_function(self, before: tuple[bool, ...]) -> None:
        self.in_function, self.in_async, self.in_loop, self.in_switch, self.no_in = before

    def params(self) -> tuple[list[Node], list[str]]:
        self.expect("(")
        before, self.in_async = self.in_async, False  # no await among parameters
        params: list[Node] = []
        names: list[str] = []
        while self.texts[self.i] != ")":
            if self.texts[self.i] == "...":
                params.append(self.rest(names, ")"))
                break
            params.append(self.element(names))
            if self.texts[self.i] != ")":
                self.expect(",")
        self.expect(")")
        self.in_async = before
        return params, names

    def function_body(self, params: list[Node], names: list[str]) -> Node:
        start = self.starts[self.i]
        self.expect("{")
        self.scopes.append(Scope(True, distinct(names)))
        body = self.directives(all(param.type == "Identifier" for param in params))
        while self.texts[self.i] != "}":
            if self.kinds[self.i] == END:
                raise NotPlainError
            body.append(self.item())
        self.i += 1
        self.scopes.pop()
        return self.made("BlockStatement", start, body=body)

    def arrow(self, is_async: bool) -> Node:
        """An arrow function, from ``async`` or its parameters on."""
        start = self.starts[self.i]
        before_in = self.no_in
        if is_async:
            self.i += 1
        before = self.enter_function(is_async)
        if self.texts[self.i] == "(":
            params, names = self.params()
        else:
            names = []
            params = [self.binding(names)]
        if self.newline():
            raise NotPlainError
        self.expect("=>")
        if self.texts[self.i] == "{":
            body = self.function_body(params, names)
        else:
            self.no_in = before_in
            distinct(names)
            body = self.assignment()
        self.leave_function(before)
        return self.made(
            "ArrowFunctionExpression",
            start,
            generator=False,
            id=None,
            isAsync=is_async,
            params=params,
            body=body,
            expression=body.type != "BlockStatement",
        )

    # --- classes

    def class_declaration(self) -> Node:
        start = self.starts[self.i]
        self.i += 1
        names: list[str] = []
        name = self.binding(names)
        self.declare("let", names)
        return self.class_rest("ClassDeclaration", start, name)

    def class_expression(self) -> Node:
        start = self.starts[self.i]
        self.i += 1
        name = None if self.texts[self.i] == "{" else self.binding([])
        return self.class_rest("ClassExpression", start, name)

    def class_rest(self, kind: str, start: int, name: Node | None) -> Node:
        body_start = self.starts[self.i]
        self.expect("{")
        before, self.in_class = self.in_class, True
        members: list[Node] = []
        while self.texts[self.i] != "}":
            if self.texts[self.i] == ";":
                self.i += 1
            else:
                members.append(self.member())
        self.i += 1
        self.in_class = before
        if sum(member.kind == "constructor" for member in members) > 1:
            raise NotPlainError
        end = self.ends[self.i - 1]
        body = Node({"type": "ClassBody", "body": members, "range": [body_start, end]})
        return Node({"type": kind, "id": name, "superClass": None, "body": body, "range": [start, end]})

    def member(self) -> Node:
        """A method or field of a class."""
        start = self.starts[self.i]
        static = is_async = False
        if self.texts[self.i] == "static" and self.texts[self.i + 1] not in _FIELD_ENDS:
            if self.texts[self.i + 1] == "{":
                raise NotPlainError
            static = True
            self.i += 1
        if self.texts[self.i] == "async" and self.texts[self.i + 1] not in _FIELD_ENDS:
            is_async = True
            self.i += 1
            if self.newline():
                raise NotPlainError
        word = self.texts[self.i]
        kind = "method"
        if word in ("get", "set") and not is_async and self.texts[self.i + 1] not in _FIELD_ENDS:
            kind = word
            self.i += 1
            if self.newline():
                raise NotPlainError
        key, computed = self.key()
        name = None if computed else key.name if key.type == "Identifier" else key.value
        if name == "prototype" or (name == "constructor" and (static or is_async or kind != "method")):
            raise NotPlainError
        if self.texts[self.i] == "(":
            if name == "constructor":
                kind = "constructor"
            value: Node | None = self.method(is_async, {"get": 0, "set": 1}.get(kind))
            return self.made(
                "MethodDefinition", start, key=key, computed=computed, value=value, kind=kind, static=static
            )
        if is_async or kind != "method" or name == "constructor":
            raise NotPlainError
        value = None
        if self.texts[self.i] == "=":
            self.i += 1
            before = self.enter_function(False)
            value = self.assignment()
            self.leave_function(before)
        self.semicolon()
        return self.made("PropertyDefinition", start, key=key, computed=computed, value=value, static=static)

    # --- keys

    def key(self) -> tuple[Node, bool]:
        """The name of a property, and whether it is computed."""
        i = self.i
        kind = self.kinds[i]
        if kind in (NAME, KEYWORD):
            self.i = i + 1
            return Node({"type": "Identifier", "name": self.texts[i], "range": [self.starts[i], self.ends[i]]}), False
        if kind == STRING:
            return self.string(), False
        if kind == NUMBER:
            return self.number(), False
        self.expect("[")
        before, self.no_in = self.no_in, False
        found = self.assignment()
        self.no_in = before
        self.expect("]")
        return found, True

    def property(
        self, start: int, kind: str, key: Node, computed: bool, value: Node, method: bool, shorthand: bool
    ) -> Node:
        return self.made(
            "Property", start, key=key, computed=computed, value=value, kind=kind, method=method, shorthand=shorthand
        )

    def string(self) -> Node:
        i = self.i
        raw = self.texts[i]
        self.i = i + 1
        value = raw[1:-1]
        return Node(
            {
                "type": "Literal",
                "value": unescaped(value) if "\\" in value else value,
                "raw": raw,
                "range": [self.starts[i], self.ends[i]],
            }
        )

    def number(self) -> Node:
        i = self.i
        raw = self.texts[i]
        self.i = i + 1
        value: float = int(raw) if raw.isdecimal() and len(raw) < 15 else number(raw)
        return Node({"type": "Literal", "value": value, "raw": raw, "range": [self.starts[i], self.ends[i]]})

    # --- bodies

    def directives(self, simple: bool) -> list[Node]:
        """The strings that a script or function begins with."""
        body: list[Node] = []
        while self.kinds[self.i] == STRING:
            i = self.i
            start, raw = self.starts[i], self.texts[i][1:-1]
            expression = self.expression()
            self.semicolon()
            fields: dict[str, Any] = {"type": "ExpressionStatement", "expression": expression}
            if expression.type == "Literal" and raw:
                fields["directive"] = raw
            fields["range"] = [start, self.ends[self.i - 1]]
            body.append(Node(fields))
            if "directive" not in fields:
                break
            if raw == "use strict" and not simple:
                raise NotPlainError
        return body


def distinct(names: list[str]) -> frozenset[str]:
    """The names of parameters; stops where one is there twice."""
    found = frozenset(names)
    if len(found) != len(names):
        raise NotPlainError
    return found
