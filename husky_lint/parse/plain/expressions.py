"""The expressions of plain JavaScript."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from husky_lint.parse.plain.cursor import DEEPEST, NEVER_BOUND, Node, NotPlainError
from husky_lint.parse.plain.functions import Functions
from husky_lint.parse.plain.literals import LINE_END, is_regex, unescaped
from husky_lint.parse.plain.tokens import (
    KEYWORD,
    NAME,
    NUMBER,
    PUNCTUATOR,
    REGEX,
    STRING,
    TEMPLATE,
    TEMPLATE_HEAD,
    TEMPLATE_TAIL,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_BINARY: Final = {
    **dict.fromkeys(("||", "??"), 1),
    "&&": 2,
    "|": 3,
    "^": 4,
    "&": 5,
    **dict.fromkeys(("==", "!=", "===", "!=="), 6),
    **dict.fromkeys(("<", ">", "<=", ">=", "instanceof", "in"), 7),
    **dict.fromkeys(("<<", ">>", ">>>"), 8),
    **dict.fromkeys("+-", 9),
    **dict.fromkeys("*/%", 11),
    "**": 12,
}
_LOGICAL: Final = frozenset({"||", "&&", "??"})
_ASSIGNING: Final = frozenset(
    ["=", "*=", "**=", "/=", "%=", "+=", "-=", "<<=", ">>=", ">>>=", "&=", "^=", "|=", "&&=", "||=", "??="]
)
_UNARY: Final = frozenset({"+", "-", "~", "!", "delete", "void", "typeof"})
_TAILS: Final = frozenset({".", "(", "[", "?."})
_LITERALS: Final = {"null": None, "true": True, "false": False}
_KEY_ENDS: Final = frozenset({",", ":", "(", "}", "="})


class Expressions(Functions):
    """Everything that has a value."""

    __slots__ = ()

    def expression(self) -> Node:
        start = self.starts[self.i]
        before, self.no_in = self.no_in, False
        first = self.assignment()
        if self.texts[self.i] == ",":
            expressions = [first]
            while self.texts[self.i] == ",":
                self.i += 1
                expressions.append(self.assignment())
            first = self.made("SequenceExpression", start, expressions=expressions)
        self.no_in = before
        return first

    def assignment(self) -> Node:
        i = self.i
        texts = self.texts
        self.depth += 1
        if self.depth > DEEPEST:
            raise NotPlainError
        found: Node | None = None
        if self.kinds[i] == NAME:
            if texts[i + 1] == "=>":
                found = self.arrow(False)
            elif texts[i] == "async":
                found = self.async_()
        elif texts[i] == "(" and texts[self.partner[i] + 1] == "=>":
            found = self.arrow(False)
        if found is None:
            found = self.binary(0)
            text = texts[self.i]
            if text == "?":
                found = self.conditional(i, found)
            elif text in _ASSIGNING:
                found = self.assign(i, text, found)
        self.depth -= 1
        return found

    def assign(self, i: int, text: str, left: Node) -> Node:
        """The rest of an assignment to what begins at token ``i``."""
        if text == "=" and left.type in ("ArrayExpression", "ObjectExpression"):
            self.to_pattern(left)
        else:
            self.check_target(left, i)
        self.i += 1
        right = self.assignment()
        return self.made("AssignmentExpression", self.starts[i], operator=text, left=left, right=right)

    def async_(self) -> Node | None:
        """An async arrow function, if one begins here."""
        i = self.i
        if self.texts[i + 1] == "(":
            if self.texts[self.partner[i + 1] + 1] != "=>":
                raise NotPlainError
        elif self.kinds[i + 1] != NAME:
            if self.texts[i + 1] == "function":
                return None
            raise NotPlainError
        self.i = i + 1
        if self.newline():
            raise NotPlainError
        self.i = i
        return self.arrow(True)

    def conditional(self, i: int, test: Node) -> Node:
        self.i += 1
        before, self.no_in = self.no_in, False
        consequent = self.assignment()
        self.no_in = before
        self.expect(":")
        alternate = self.assignment()
        return self.made("ConditionalExpression", self.starts[i], test=test, consequent=consequent, alternate=alternate)

    def check_target(self, node: Node, i: int) -> None:
        """Stop unless the expression that begins at token ``i`` can be assigned to as it is."""
        kind = node.type
        if (
            kind not in ("Identifier", "MemberExpression")
            or self.grouped.get(i) == self.i
            or (kind == "Identifier" and node.name in NEVER_BOUND)
        ):
            raise NotPlainError

    def to_pattern(self, node: Node) -> None:
        """Turn a literal into the pattern that it is in front of ``=``."""
        kind = node.type
        if id(node) in self.enclosed:
            raise NotPlainError
        if kind == "ArrayExpression":
            node.type = "ArrayPattern"
            for place, element in enumerate(node.elements):
                if element is not None:
                    if element.type == "SpreadElement" and place != len(node.elements) - 1:
                        raise NotPlainError
                    self.to_pattern(element)
        elif kind == "SpreadElement":
            node.type = "RestElement"
            if node.argument.type == "AssignmentExpression":
                raise NotPlainError
            self.to_pattern(node.argument)
        elif kind == "ObjectExpression":
            node.type = "ObjectPattern"
            for inner in node.properties:
                if inner.type != "Property" or inner.kind != "init" or inner.method:
                    raise NotPlainError
                if inner.value.type == "AssignmentPattern":
                    self.covers -= 1
                    self.to_pattern(inner.value.left)
                else:
                    self.to_pattern(inner.value)
        elif kind == "AssignmentExpression" and node.operator == "=":
            node.type = "AssignmentPattern"
            del node.operator
            if node.left.type in ("Identifier", "MemberExpression"):
                self.to_pattern(node.left)
        elif kind not in ("Identifier", "MemberExpression") or (kind == "Identifier" and node.name in NEVER_BOUND):
            raise NotPlainError

    def binary(self, minimum: int) -> Node:
        first = self.i
        start = self.starts[first]
        left = self.unary()
        texts = self.texts
        for _ in range(DEEPEST):
            operator = texts[self.i]
            precedence = _BINARY.get(operator, 0)
            if precedence <= minimum or (operator == "in" and self.no_in):
                return left
            if operator == "**":
                if left.type in ("UnaryExpression", "AwaitExpression"):
                    raise NotPlainError
                precedence = 11  # groups from the right
            place = self.i
            self.i = place + 1
            self.deeper()
            right = self.binary(precedence)
            self.depth -= 1
            kind = "BinaryExpression"
            if operator in _LOGICAL:
                kind = "LogicalExpression"
                nullish = operator == "??"
                if (
                    left.type == kind and (left.operator == "??") is not nullish and self.grouped.get(first) != place
                ) or (
                    right.type == kind
                    and (right.operator == "??") is not nullish
                    and self.grouped.get(place + 1) != self.i
                ):
                    raise NotPlainError
            left = self.made(kind, start, operator=operator, left=left, right=right)
        raise NotPlainError

    def unary(self) -> Node:
        i = self.i
        kind = self.kinds[i]
        if kind in (PUNCTUATOR, KEYWORD):
            text = self.texts[i]
            if text in _UNARY:
                argument = self.operand()
                if text == "delete" and argument.type != "MemberExpression":
                    raise NotPlainError
                return self.made("UnaryExpression", self.starts[i], prefix=True, operator=text, argument=argument)
            if text in ("++", "--"):
                argument = self.operand()
                self.check_target(argument, i + 1)
                return self.made("UpdateExpression", self.starts[i], operator=text, argument=argument, prefix=True)
            if text == "await":
                if not self.in_async:
                    raise NotPlainError
                argument = self.operand()
                return self.made("AwaitExpression", self.starts[i], argument=argument)
        found = self.left_hand_side()
        text = self.texts[self.i]
        if text in ("++", "--") and not self.newline():
            self.check_target(found, i)
            self.i += 1
            return self.made("UpdateExpression", self.starts[i], operator=text, argument=found, prefix=False)
        return found

    def operand(self) -> Node:
        """What the unary operator here is about."""
        self.deeper()
        self.i += 1
        found = self.unary()
        self.depth -= 1
        return found

    def left_hand_side(self) -> Node:
        """A primary expression with its members and calls."""
        i = self.i
        texts, ends = self.texts, self.ends
        found = self.new() if texts[i] == "new" else self.primary()
        start = self.starts[i]
        chain = False
        for _ in range(DEEPEST):
            text = texts[self.i]
            if text not in _TAILS:
                if self.kinds[self.i] in (TEMPLATE, TEMPLATE_HEAD):  # a tagged one
                    raise NotPlainError
                break
            optional = text == "?."
            if optional:
                chain = True
                self.i += 1
                text = texts[self.i]
                if found.type == "NewExpression":
                    raise NotPlainError
            if text == "(":
                arguments = self.arguments()
                found = Node(
                    {
                        "type": "CallExpression",
                        "callee": found,
                        "arguments": arguments,
                        "optional": optional,
                        "range": [start, ends[self.i - 1]],
                    }
                )
            elif text == "[":
                self.i += 1
                inner = self.expression()
                self.expect("]")
                found = Node(
                    {
                        "type": "MemberExpression",
                        "computed": True,
                        "object": found,
                        "property": inner,
                        "optional": optional,
                        "range": [start, ends[self.i - 1]],
                    }
                )
            else:
                if not optional:
                    self.i += 1
                found = self.static_member(found, start, optional)
        else:
            raise NotPlainError
        if chain:
            return Node({"type": "ChainExpression", "expression": found, "range": [start, ends[self.i - 1]]})
        return found

    def static_member(self, found: Node, start: int, optional: bool) -> Node:
        i = self.i
        kind = self.kinds[i]
        if kind not in (NAME, KEYWORD):
            raise NotPlainError
        end = self.ends[i]
        self.i = i + 1
        name = Node({"type": "Identifier", "name": self.texts[i], "range": [self.starts[i], end]})
        return Node(
            {
                "type": "MemberExpression",
                "computed": False,
                "object": found,
                "property": name,
                "optional": optional,
                "range": [start, end],
            }
        )

    def arguments(self) -> list[Node]:
        self.i += 1
        before, self.no_in = self.no_in, False
        found: list[Node] = []
        while self.texts[self.i] != ")":
            found.append(self.spread() if self.texts[self.i] == "..." else self.assignment())
            if self.texts[self.i] != ")":
                self.expect(",")
        self.i += 1
        self.no_in = before
        return found

    def spread(self) -> Node:
        start = self.starts[self.i]
        self.i += 1
        argument = self.assignment()
        return self.made("SpreadElement", start, argument=argument)

    def new(self) -> Node:
        start = self.starts[self.i]
        self.i += 1
        i = self.i
        callee_start = self.starts[i]
        if self.texts[i] in ("new", ".", "import"):  # as in new new A()(), and new.target
            raise NotPlainError
        callee = self.primary()
        while True:
            text = self.texts[self.i]
            if text == ".":
                self.i += 1
                callee = self.static_member(callee, callee_start, False)
            elif text == "[":
                self.i += 1
                inner = self.expression()
                self.expect("]")
                callee = Node(
                    {
                        "type": "MemberExpression",
                        "computed": True,
                        "object": callee,
                        "property": inner,
                        "optional": False,
                        "range": [callee_start, self.ends[self.i - 1]],
                    }
                )
            else:
                break
        if text == "?." or self.kinds[self.i] in (TEMPLATE, TEMPLATE_HEAD):
            raise NotPlainError
        arguments = self.arguments() if text == "(" else []
        return self.made("NewExpression", start, callee=callee, arguments=arguments)

    def primary(self) -> Node:
        i = self.i
        kind = self.kinds[i]
        text = self.texts[i]
        if kind == NAME:
            if text == "async" and self.texts[i + 1] == "function":
                self.i = i + 1
                if self.newline():
                    raise NotPlainError
                self.i = i
                return self.function_expression()
            if text == "arguments" and self.in_class:
                raise NotPlainError
            self.i = i + 1
            return Node({"type": "Identifier", "name": text, "range": [self.starts[i], self.ends[i]]})
        parse = _PRIMARIES.get(text) if kind in (PUNCTUATOR, KEYWORD) else _BY_KIND.get(kind)
        if parse is None:
            raise NotPlainError
        return parse(self)

    def import_expression(self) -> Node:
        """``import(…)``, or ``import.meta`` in a module."""
        i = self.i
        start = self.starts[i]
        self.i = i + 2
        if self.texts[i + 1] == "(":
            if self.texts[self.i] == "...":
                raise NotPlainError
            before, self.no_in = self.no_in, False
            source = self.assignment()
            self.no_in = before
            self.expect(")")
            return self.made("ImportExpression", start, source=source, options=None)
        if self.texts[i + 1] != "." or self.texts[i + 2] != "meta" or not self.in_module:
            raise NotPlainError
        self.i = i + 3
        meta = Node({"type": "Identifier", "name": "import", "range": [start, self.ends[i]]})
        name = Node({"type": "Identifier", "name": "meta", "range": [self.starts[i + 2], self.ends[i + 2]]})
        return self.made("MetaProperty", start, meta=meta, property=name)

    def regex(self) -> Node:
        i = self.i
        raw = self.texts[i]
        self.i = i + 1
        pattern, _, flags = raw[1:].rpartition("/")
        if not is_regex(pattern, flags):
            raise NotPlainError
        return Node(
            {
                "type": "Literal",
                "value": None,
                "raw": raw,
                "regex": Node({"pattern": pattern, "flags": flags}),
                "range": [self.starts[i], self.ends[i]],
            }
        )

    def constant(self) -> Node:
        i = self.i
        raw = self.texts[i]
        self.i = i + 1
        return Node({"type": "Literal", "value": _LITERALS[raw], "raw": raw, "range": [self.starts[i], self.ends[i]]})

    def this(self) -> Node:
        i = self.i
        self.i = i + 1
        return self.made("ThisExpression", self.starts[i])

    def group(self) -> Node:
        i = self.i
        self.i = i + 1
        found = self.expression()
        self.expect(")")
        self.grouped[i] = self.i
        if found.type in ("ArrayExpression", "ObjectExpression", "AssignmentExpression"):
            self.enclosed.add(id(found))
        return found

    def array(self) -> Node:
        start = self.starts[self.i]
        self.i += 1
        before, self.no_in = self.no_in, False
        elements: list[Node | None] = []
        while self.texts[self.i] != "]":
            text = self.texts[self.i]
            if text == ",":
                self.i += 1
                elements.append(None)
                continue
            elements.append(self.spread() if text == "..." else self.assignment())
            if self.texts[self.i] != "]":
                self.expect(",")
        self.i += 1
        self.no_in = before
        return self.made("ArrayExpression", start, elements=elements)

    def object(self) -> Node:
        start = self.starts[self.i]
        self.i += 1
        before, self.no_in = self.no_in, False
        properties: list[Node] = []
        while self.texts[self.i] != "}":
            properties.append(self.spread() if self.texts[self.i] == "..." else self.object_member())
            if self.texts[self.i] != "}":
                self.expect(",")
        self.i += 1
        self.no_in = before
        return self.made("ObjectExpression", start, properties=properties)

    def object_member(self) -> Node:
        i = self.i
        start = self.starts[i]
        word = self.texts[i]
        is_async = False
        if self.kinds[i] == NAME and self.texts[i + 1] not in _KEY_ENDS:
            if word in ("get", "set"):
                self.i = i + 1
                key, computed = self.key()
                value = self.method(False, 0 if word == "get" else 1)
                return self.property(start, word, key, computed, value, False, False)
            if word != "async":
                raise NotPlainError
            self.i = i + 1
            if self.newline():
                raise NotPlainError
            is_async = True
        key, computed = self.key()
        text = self.texts[self.i]
        if text == ":" and not is_async:
            self.i += 1
            if not computed and "__proto__" in (key.name, key.value):
                raise NotPlainError
            value = self.assignment()
            return self.property(start, "init", key, computed, value, False, False)
        if text == "(":
            value = self.method(is_async)
            return self.property(start, "init", key, computed, value, True, False)
        if is_async or self.kinds[i] != NAME or (word == "arguments" and self.in_class):
            raise NotPlainError
        value = Node({"type": "Identifier", "name": word, "range": [start, self.ends[i]]})
        if text == "=":
            self.i += 1
            self.covers += 1
            right = self.assignment()
            value = self.made("AssignmentPattern", start, left=value, right=right)
        return self.property(start, "init", key, computed, value, False, True)

    def template(self) -> Node:
        start = self.starts[self.i]
        quasis: list[Node] = []
        expressions: list[Node] = []
        while True:
            i = self.i
            kind = self.kinds[i]
            self.i = i + 1
            tail = kind in (TEMPLATE, TEMPLATE_TAIL)
            raw = self.texts[i][1 : -1 if tail else -2]
            if "\r" in raw:
                raw = LINE_END.sub("\n", raw)
            cooked = unescaped(raw) if "\\" in raw else raw
            value = Node({"raw": raw, "cooked": cooked})
            quasis.append(self.made("TemplateElement", self.starts[i], value=value, tail=tail))
            if tail:
                break
            expressions.append(self.expression())
            if self.texts[self.i][:1] != "}" or self.kinds[self.i] == PUNCTUATOR:
                raise NotPlainError
        return self.made("TemplateLiteral", start, quasis=quasis, expressions=expressions)


_PRIMARIES: Final[dict[str, Callable[[Expressions], Node]]] = {
    "(": Expressions.group,
    "[": Expressions.array,
    "{": Expressions.object,
    "function": Expressions.function_expression,
    "class": Expressions.class_expression,
    "this": Expressions.this,
    "import": Expressions.import_expression,
    **dict.fromkeys(_LITERALS, Expressions.constant),
}
_BY_KIND: Final[dict[int, Callable[[Expressions], Node]]] = {
    STRING: Expressions.string,
    NUMBER: Expressions.number,
    REGEX: Expressions.regex,
    TEMPLATE: Expressions.template,
    TEMPLATE_HEAD: Expressions.template,
}
