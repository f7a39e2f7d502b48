"""A parser for plain JavaScript: what people write, in a quarter of the time that the full parser takes.

It gives the tree that esprima gives, or none. None means "look again": at every construct that is rare (labels,
generators, private names, ``super``, ``with`` …) and at everything that might be an early error it stops,
and the full parser decides. So a tree from here is right, and no verdict on a syntax error comes from here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from husky_lint.parse.plain.cursor import NotPlainError
from husky_lint.parse.plain.modules import Modules
from husky_lint.parse.plain.statements import Statements
from husky_lint.parse.plain.tokens import plain_tokens

if TYPE_CHECKING:
    from husky_lint.parse.plain.cursor import Node


def parse_plain(text: str, *, module: bool = False) -> Node | None:
    """The ``Program`` of a classic script or a module, None where it is not plain or not surely right."""
    tokens = plain_tokens(text)
    if tokens is None:
        return None
    try:
        return (Modules if module else Statements)(text, tokens).program()
    except (NotPlainError, RecursionError):
        return None
