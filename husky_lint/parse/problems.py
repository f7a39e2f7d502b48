"""What a parser could not take as written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from husky_lint.source import Span


class ParseProblem(NamedTuple):
    """A place where a browser repairs, ignores or drops something.

    ``code`` is a stable key: the WHATWG name of the error where it has one (``duplicate-attribute``), else a key of the
    parser's module. ``limit`` always means that husky-lint stopped, not that the file is wrong.
    """

    message: str
    span: Span
    code: str


LIMIT = "limit"
