"""Plain modules: imports and exports at the top, and ``await`` outside of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from husky_lint.parse.plain.cursor import Node, NotPlainError
from husky_lint.parse.plain.statements import Statements
from husky_lint.parse.plain.tokens import KEYWORD, NAME, STRING

if TYPE_CHECKING:
    from husky_lint.parse.plain.tokens import Tokens


class Modules(Statements):
    """Reads a module: see :func:`husky_lint.parse.plain.parse_plain`."""

    __slots__ = ("exported", "exported_locals")

    source_type = "module"

    def __init__(self, text: str, tokens: Tokens) -> None:
        super().__init__(text, tokens)
        self.in_async = self.in_module = True
        self.scopes[0].hoists = False
        self.exported: list[str] = []
        self.exported_locals: list[str] = []

    def program(self) -> Node:
        found = super().program()
        top = self.scopes[0]
        known = top.lexical | top.variables
        if len(set(self.exported)) != len(self.exported) or not known.issuperset(self.exported_locals):
            raise NotPlainError
        return found

    def item(self) -> Node:
        text = self.texts[self.i]
        if self.kinds[self.i] == KEYWORD and text in ("import", "export"):
            if text == "import" and self.texts[self.i + 1] in ("(", "."):
                return self.statement()
            if len(self.scopes) != 1 or self.in_function:
                raise NotPlainError
            start = self.starts[self.i]
            self.i += 1
            return self.import_(start) if text == "import" else self.export(start)
        return super().item()

    # --- imports

    def import_(self, start: int) -> Node:
        specifiers: list[Node] = []
        names: list[str] = []
        if self.kinds[self.i] != STRING:
            if self.kinds[self.i] == NAME:
                local = self.binding(names)
                specifiers.append(self.made("ImportDefaultSpecifier", local.range[0], local=local))
                more = self.texts[self.i] == ","
                self.i += more
            else:
                more = True
            if more and self.texts[self.i] == "*":
                specifiers.append(self.namespace(names))
            elif more:
                self.expect("{")
                while self.texts[self.i] != "}":
                    specifiers.append(self.import_specifier(names))
                    if self.texts[self.i] != "}":
                        self.expect(",")
                self.i += 1
            self.expect("from")
        source = self.source()
        self.semicolon()
        self.declare("let", names)
        return self.made("ImportDeclaration", start, specifiers=specifiers, source=source, attributes=[])

    def namespace(self, names: list[str]) -> Node:
        start = self.starts[self.i]
        self.i += 1
        self.expect("as")
        return self.made("ImportNamespaceSpecifier", start, local=self.binding(names))

    def import_specifier(self, names: list[str]) -> Node:
        i = self.i
        start = self.starts[i]
        if self.texts[i + 1] != "as" or self.kinds[i] == STRING:
            local = imported = self.binding(names)
        else:
            imported, _ = self.key()
            self.i += 1
            local = self.binding(names)
        return self.made("ImportSpecifier", start, local=local, imported=imported)

    def source(self) -> Node:
        if self.kinds[self.i] != STRING:
            raise NotPlainError
        found = self.string()
        if self.texts[self.i] == "with":
            raise NotPlainError
        return found

    # --- exports

    def export(self, start: int) -> Node:
        i = self.i
        text = self.texts[i]
        if text == "default":
            self.i = i + 1
            self.exported.append("default")
            declaration = self.default()
            return self.made("ExportDefaultDeclaration", start, declaration=declaration)
        if text == "{":
            return self.export_list(start)
        if text not in ("let", "const", "var", "class", "function") and not (
            text == "async" and self.texts[i + 1] == "function"
        ):
            raise NotPlainError
        top = self.scopes[0]
        before = top.lexical | top.variables
        declaration = self.item()
        self.exported += (top.lexical | top.variables) - before
        return self.made(
            "ExportNamedDeclaration", start, declaration=declaration, specifiers=[], source=None, attributes=[]
        )

    def default(self) -> Node:
        i = self.i
        text = self.texts[i]
        named = self.kinds[i + 1] == NAME and self.texts[i + 1] != "function"
        if text == "function" or (text == "async" and self.texts[i + 1] == "function"):
            named = self.kinds[i + 1 + (text == "async")] == NAME
            found = self.function_declaration() if named else self.function_expression()
            found.type = "FunctionDeclaration"
            return found
        if text == "class":
            found = self.class_declaration() if named else self.class_expression()
            found.type = "ClassDeclaration"
            return found
        if text == "from":
            raise NotPlainError
        found = self.object() if text == "{" else self.array() if text == "[" else self.assignment()
        self.semicolon()
        return found

    def export_list(self, start: int) -> Node:
        self.i += 1
        specifiers: list[Node] = []
        names: list[str] = []
        while self.texts[self.i] != "}":
            begin = self.starts[self.i]
            if self.kinds[self.i] != NAME:
                raise NotPlainError
            local, _ = self.key()
            exported = local
            if self.texts[self.i] == "as":
                self.i += 1
                if self.kinds[self.i] not in (NAME, KEYWORD):
                    raise NotPlainError
                exported, _ = self.key()
            names.append(local.name)
            self.exported.append(exported.name)
            specifiers.append(self.made("ExportSpecifier", begin, exported=exported, local=local))
            if self.texts[self.i] != "}":
                self.expect(",")
        self.i += 1
        source = None
        if self.texts[self.i] == "from":
            self.i += 1
            source = self.source()
        else:
            self.exported_locals += names
        self.semicolon()
        return self.made(
            "ExportNamedDeclaration", start, declaration=None, specifiers=specifiers, source=source, attributes=[]
        )
