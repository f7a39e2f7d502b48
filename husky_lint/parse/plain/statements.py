"""The statements of plain JavaScript, and the whole script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from husky_lint.parse.plain.cursor import Node, NotPlainError, Scope
from husky_lint.parse.plain.expressions import Expressions
from husky_lint.parse.plain.functions import distinct
from husky_lint.parse.plain.tokens import END, KEYWORD, NAME, NEWLINE, PUNCTUATOR, STRING, TEMPLATE, TEMPLATE_HEAD

if TYPE_CHECKING:
    from collections.abc import Callable


class Statements(Expressions):
    """Reads a script: see :func:`husky_lint.parse.plain.parse_plain`."""

    __slots__ = ()

    source_type = "script"

    def program(self) -> Node:
        """The whole script."""
        start = self.starts[0]
        body = self.directives(True)
        while self.kinds[self.i] != END:
            body.append(self.item())
        if self.covers:
            raise NotPlainError
        program = self.made("Program", start, sourceType=self.source_type, body=body)
        if self.text.startswith("#!"):
            program.hashbang = NEWLINE.split(self.text[2:], maxsplit=1)[0]
        return program

    def item(self) -> Node:
        """A statement or declaration."""
        text = self.texts[self.i]
        if self.kinds[self.i] == KEYWORD:
            if text in ("const", "let"):
                return self.variables(text)
            if text == "function":
                return self.function_declaration()
            if text == "class":
                return self.class_declaration()
        elif text == "async" and self.texts[self.i + 1] == "function":
            return self.function_declaration()
        return self.statement()

    def statement(self) -> Node:
        i = self.i
        kind = self.kinds[i]
        text = self.texts[i]
        if kind in (KEYWORD, PUNCTUATOR):
            parse = _STATEMENTS.get(text)
            if parse is not None:
                self.i = i + 1
                self.deeper()
                found = parse(self, self.starts[i])
                self.depth -= 1
                return found
            if text in ("class", "function", "let", "const"):
                raise NotPlainError
        elif kind == NAME and (self.texts[i + 1] == ":" or (text == "async" and self.texts[i + 1] == "function")):
            raise NotPlainError
        start = self.starts[i]
        expression = self.expression()
        self.semicolon()
        return self.made("ExpressionStatement", start, expression=expression)

    def block(self, start: int, scope: Scope | None = None) -> Node:
        """The rest of a block, behind its brace."""
        self.scopes.append(scope or Scope(False))
        body: list[Node] = []
        while self.texts[self.i] != "}":
            if self.kinds[self.i] == END:
                raise NotPlainError
            body.append(self.item())
        self.i += 1
        self.scopes.pop()
        return self.made("BlockStatement", start, body=body)

    def inner_block(self) -> Node:
        start = self.starts[self.i]
        self.expect("{")
        return self.block(start)

    def empty(self, start: int) -> Node:
        return self.made("EmptyStatement", start)

    def condition(self) -> Node:
        self.expect("(")
        test = self.expression()
        self.expect(")")
        return test

    def if_(self, start: int) -> Node:
        test = self.condition()
        consequent = self.statement()
        alternate = None
        if self.texts[self.i] == "else":
            self.i += 1
            alternate = self.statement()
        return self.made("IfStatement", start, test=test, consequent=consequent, alternate=alternate)

    def loop_body(self) -> Node:
        before, self.in_loop = self.in_loop, True
        body = self.statement()
        self.in_loop = before
        return body

    def while_(self, start: int) -> Node:
        test = self.condition()
        body = self.loop_body()
        return self.made("WhileStatement", start, test=test, body=body)

    def do(self, start: int) -> Node:
        body = self.loop_body()
        self.expect("while")
        test = self.condition()
        if self.texts[self.i] == ";":
            self.i += 1
        return self.made("DoWhileStatement", start, body=body, test=test)

    def for_(self, start: int) -> Node:
        self.expect("(")
        self.scopes.append(Scope(False))
        node = self.for_head(start)
        self.scopes.pop()
        return node

    def for_head(self, start: int) -> Node:
        i = self.i
        text = self.texts[i]
        init: Node | None = None
        if text in ("var", "let", "const") and self.kinds[i] == KEYWORD:
            self.i = i + 1
            before, self.no_in = self.no_in, True
            names: list[str] = []
            declarations = self.declarators(text, names, in_for=True)
            self.no_in = before
            self.declare(text, names)
            word = self.texts[self.i]
            first = declarations[0]
            if word in ("in", "of") and len(declarations) == 1 and first.init is None:
                init = self.made("VariableDeclaration", self.starts[i], declarations=declarations, kind=text)
                return self.for_each(start, init, word)
            if word != ";" or any(
                one.init is None and (text == "const" or one.id.type != "Identifier") for one in declarations
            ):
                raise NotPlainError
            end = self.ends[self.i - 1] if text == "var" else self.ends[self.i]
            self.i += 1
            init = Node(
                {
                    "type": "VariableDeclaration",
                    "declarations": declarations,
                    "kind": text,
                    "range": [self.starts[i], end],
                }
            )
        elif text == ";":
            self.i = i + 1
        else:
            before, self.no_in = self.no_in, True
            init = self.assignment()
            self.no_in = before
            word = self.texts[self.i]
            if word in ("in", "of"):
                if text == "async":
                    raise NotPlainError
                self.check_target(init, i)
                return self.for_each(start, init, word)
            if word == ",":
                expressions = [init]
                while self.texts[self.i] == ",":
                    self.i += 1
                    expressions.append(self.assignment())
                init = self.made("SequenceExpression", self.starts[i], expressions=expressions)
            self.expect(";")
        test = None if self.texts[self.i] == ";" else self.expression()
        self.expect(";")
        update = None if self.texts[self.i] == ")" else self.expression()
        self.expect(")")
        body = self.loop_body()
        return self.made("ForStatement", start, init=init, test=test, update=update, body=body)

    def for_each(self, start: int, left: Node, word: str) -> Node:
        self.i += 1
        right = self.expression() if word == "in" else self.assignment()
        self.expect(")")
        body = self.loop_body()
        if word == "in":
            return self.made("ForInStatement", start, each=False, left=left, right=right, body=body)
        return self.made("ForOfStatement", start, left=left, right=right, body=body, allowAwait=False)

    def return_(self, start: int) -> Node:
        if not self.in_function:
            raise NotPlainError
        argument = None
        if self.texts[self.i] not in (";", "}") and self.kinds[self.i] != END and not self.newline():
            argument = self.expression()
        elif self.kinds[self.i] in (STRING, TEMPLATE, TEMPLATE_HEAD):
            raise NotPlainError
        self.semicolon()
        return self.made("ReturnStatement", start, argument=argument)

    def throw(self, start: int) -> Node:
        if self.newline():
            raise NotPlainError
        argument = self.expression()
        self.semicolon()
        return self.made("ThrowStatement", start, argument=argument)

    def break_(self, start: int) -> Node:
        if not self.in_loop and not self.in_switch:
            raise NotPlainError
        return self.leave("BreakStatement", start)

    def continue_(self, start: int) -> Node:
        if not self.in_loop:
            raise NotPlainError
        return self.leave("ContinueStatement", start)

    def leave(self, kind: str, start: int) -> Node:
        self.semicolon()  # a label is no semicolon
        return self.made(kind, start, label=None)

    def switch(self, start: int) -> Node:
        discriminant = self.condition()
        self.expect("{")
        before, self.in_switch = self.in_switch, True
        self.scopes.append(Scope(False))
        cases: list[Node] = []
        while self.texts[self.i] != "}":
            case_start = self.starts[self.i]
            test = None
            if self.texts[self.i] == "default":
                self.i += 1
                if any(case.test is None for case in cases):
                    raise NotPlainError
            else:
                self.expect("case")
                test = self.expression()
            self.expect(":")
            consequent: list[Node] = []
            while self.texts[self.i] not in ("case", "default", "}"):
                if self.kinds[self.i] == END:
                    raise NotPlainError
                consequent.append(self.item())
            cases.append(self.made("SwitchCase", case_start, test=test, consequent=consequent))
        self.i += 1
        self.scopes.pop()
        self.in_switch = before
        return self.made("SwitchStatement", start, discriminant=discriminant, cases=cases)

    def try_(self, start: int) -> Node:
        block = self.inner_block()
        handler = finalizer = None
        if self.texts[self.i] == "catch":
            catch_start = self.starts[self.i]
            self.i += 1
            names: list[str] = []
            param = None
            if self.texts[self.i] == "(":
                self.i += 1
                param = self.pattern(names)
                self.expect(")")
            body_start = self.starts[self.i]
            self.expect("{")
            body = self.block(body_start, Scope(False, lexical=distinct(names)))
            handler = self.made("CatchClause", catch_start, param=param, body=body)
        if self.texts[self.i] == "finally":
            self.i += 1
            finalizer = self.inner_block()
        if handler is None and finalizer is None:
            raise NotPlainError
        return self.made("TryStatement", start, block=block, handler=handler, finalizer=finalizer)

    def variables(self, kind: str) -> Node:
        start = self.starts[self.i]
        self.i += 1
        return self.variable_statement(start, kind)

    def var(self, start: int) -> Node:
        return self.variable_statement(start, "var")

    def variable_statement(self, start: int, kind: str) -> Node:
        names: list[str] = []
        declarations = self.declarators(kind, names)
        self.semicolon()
        self.declare(kind, names)
        return self.made("VariableDeclaration", start, declarations=declarations, kind=kind)

    def declarators(self, kind: str, names: list[str], in_for: bool = False) -> list[Node]:
        found: list[Node] = []
        while True:
            start = self.starts[self.i]
            target = self.pattern(names)
            init = None
            if self.texts[self.i] == "=":
                self.i += 1
                init = self.assignment()
            elif not in_for and (kind == "const" or target.type != "Identifier"):
                raise NotPlainError
            found.append(self.made("VariableDeclarator", start, id=target, init=init))
            if self.texts[self.i] != ",":
                return found
            self.i += 1


_STATEMENTS: Final[dict[str, Callable[[Statements, int], Node]]] = {
    "{": Statements.block,
    ";": Statements.empty,
    "if": Statements.if_,
    "for": Statements.for_,
    "while": Statements.while_,
    "do": Statements.do,
    "return": Statements.return_,
    "throw": Statements.throw,
    "break": Statements.break_,
    "continue": Statements.continue_,
    "switch": Statements.switch,
    "try": Statements.try_,
    "var": Statements.var,
}
