"""Reading the tokens of plain JavaScript: nodes, places, and the names that are declared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from husky_lint.parse.plain.tokens import END, NAME, NEWLINE

if TYPE_CHECKING:
    from husky_lint.parse.plain.tokens import Tokens

NEVER_BOUND: Final = frozenset({"eval", "arguments"})
DEEPEST: Final = 200
"""How deep a plain tree may be; the tree of one long sum is as deep as the sum is long."""


class Node:
    """A node of the tree, or a part of one (``regex`` of a literal, ``value`` of a template's element).

    Fields are those of ESTree as esprima spells them; one that a node does not have is None, as there.
    """

    def __init__(self, fields: dict[str, Any]) -> None:
        self.__dict__ = fields

    def __getattr__(self, name: str) -> Any:
        return None

    if TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None: ...


class NotPlainError(Exception):
    """The full parser has to look."""


class Scope:
    """The names of a block or function, to see that none is declared twice.

    ``hoists``: a function may be declared in it again, as by ``var``.
    """

    __slots__ = ("function", "hoists", "lexical", "params", "variables")

    def __init__(self, function: bool, params: frozenset[str] = frozenset(), lexical: frozenset[str] = frozenset()):
        self.function = self.hoists = function
        self.params = params
        self.lexical = set(lexical)
        self.variables: set[str] = set()


class Cursor:
    """One script; ``i`` is the place of the next token in the lists."""

    __slots__ = (
        "covers",
        "depth",
        "enclosed",
        "ends",
        "grouped",
        "i",
        "in_async",
        "in_class",
        "in_function",
        "in_loop",
        "in_module",
        "in_switch",
        "kinds",
        "no_in",
        "partner",
        "scopes",
        "starts",
        "text",
        "texts",
    )

    def __init__(self, text: str, tokens: Tokens) -> None:
        self.text = text
        self.kinds, self.texts = tokens.kinds, tokens.texts
        self.starts, self.ends = tokens.starts, tokens.ends
        self.partner = tokens.partner
        self.i = 0
        self.in_function = self.in_async = self.in_class = False
        self.in_loop = self.in_switch = self.no_in = self.in_module = False
        self.covers = 0  # of `{a = 1}` that has not turned out to be a pattern
        self.grouped: dict[int, int] = {}  # where parentheses begin around an expression -> behind where they end
        self.enclosed: set[int] = set()  # identities of what cannot be a pattern, because it stands in parentheses
        self.scopes = [Scope(True)]
        self.depth = 0

    def made(self, type_: str, start: int, /, **fields: Any) -> Node:
        """A node from ``start`` to where the last token ends."""
        fields["type"] = type_
        fields["range"] = [start, self.ends[self.i - 1]]
        return Node(fields)

    def deeper(self) -> None:
        """One level down; stop where it is too deep. Coming up again is ``depth -= 1``."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise NotPlainError

    # --- tokens

    def expect(self, text: str) -> None:
        if self.texts[self.i] != text:
            raise NotPlainError
        self.i += 1

    def newline(self) -> bool:
        """Whether a line ends in front of the next token."""
        return NEWLINE.search(self.text, self.ends[self.i - 1], self.starts[self.i]) is not None

    def semicolon(self) -> None:
        """A semicolon, or a place where one is put in."""
        i = self.i
        text = self.texts[i]
        if text == ";":
            self.i = i + 1
        elif not self.newline():
            if text != "}" and self.kinds[i] != END:
                raise NotPlainError
            # So esprima has it: what ends here reaches up to the token behind.
            self.ends[i - 1] = self.starts[i]

    # --- names

    def binding(self, names: list[str]) -> Node:
        """An identifier that is declared."""
        i = self.i
        name = self.texts[i]
        if self.kinds[i] != NAME or name in NEVER_BOUND:
            raise NotPlainError
        self.i = i + 1
        names.append(name)
        return Node({"type": "Identifier", "name": name, "range": [self.starts[i], self.ends[i]]})

    def declare(self, kind: str, names: list[str]) -> None:
        """Enter declared names; stop at one that is there already."""
        scope = self.scopes[-1]
        if kind == "var":
            for name in names:
                for around in reversed(self.scopes):
                    if name in around.lexical:
                        raise NotPlainError
                    around.variables.add(name)
                    if around.function:
                        break
            return
        for name in names:
            if name in scope.lexical or name in scope.variables or name in scope.params:
                raise NotPlainError
            scope.lexical.add(name)

    # --- what the grammar above this goes through

    def assignment(self) -> Node:
        """An expression without a comma."""
        raise NotImplementedError

    def expression(self) -> Node:
        """An expression."""
        raise NotImplementedError

    def item(self) -> Node:
        """A statement or declaration."""
        raise NotImplementedError
