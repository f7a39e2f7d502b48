"""The docstring of a rule: its manual page and, in its examples, its proof.

Four headings, each a line ``## Heading``, with Markdown below::

    One line that says what the rule finds.

    ## What it checks
    ## Why it matters
    ## Example that fails
    ## Example that passes

Every fenced block under an example heading is one example. A plain block is a snippet that the pack wraps into a whole
submission; a block may instead name whole files, each by a line such as ``index.html:`` or ``tools/audit.js:``, that
replace the pack's own, or take one away with ``favicon.ico: absent``.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_HEADING = re.compile(r"^##\s+(.+?)\s*$", re.MULTILINE)
_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"^([\w./-]+\.\w+):[ \t]*(absent)?[ \t]*$", re.MULTILINE)

CHECKS = "What it checks"
MATTERS = "Why it matters"
FAILS = "Example that fails"
PASSES = "Example that passes"
HEADINGS = (CHECKS, MATTERS, FAILS, PASSES)


@dataclass(frozen=True, slots=True)
class Example:
    """One example: either a ``snippet`` in ``language``, or whole ``files`` (``None`` for a file that is absent)."""

    language: str
    snippet: str
    files: Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class Documentation:
    """A rule's docstring by its headings. ``text`` is the whole of it, in Markdown."""

    summary: str
    what_it_checks: str
    why_it_matters: str
    failing: tuple[Example, ...]
    passing: tuple[Example, ...]
    text: str


def parse_documentation(docstring: str) -> Documentation:
    """Read a docstring; a heading that is missing gives an empty text, or no examples."""
    text = inspect.cleandoc(docstring)
    parts = _HEADING.split(text)
    sections = dict(zip(parts[1::2], (body.strip() for body in parts[2::2]), strict=True))
    return Documentation(
        summary=parts[0].strip(),
        what_it_checks=sections.get(CHECKS, ""),
        why_it_matters=sections.get(MATTERS, ""),
        failing=_examples(sections.get(FAILS, "")),
        passing=_examples(sections.get(PASSES, "")),
        text=text,
    )


def _examples(section: str) -> tuple[Example, ...]:
    return tuple(_example(language, body) for language, body in _FENCE.findall(section))


def _example(language: str, body: str) -> Example:
    parts = _FILE.split(body)
    if len(parts) == 1 or parts[0].strip():
        return Example(language, body, {})
    files: dict[str, str | None] = {}
    for path, absent, content in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        files[path] = None if absent else content.lstrip("\n")
    return Example(language, "", files)
