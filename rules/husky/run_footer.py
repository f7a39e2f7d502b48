"""The footer's five labels and what stands behind them (spec §5)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lxml.etree import _Element

    from husky_lint.parse.html import HtmlDocument

LABELS = {
    "time_taken": "Time Taken:",
    "tokens_used": "Tokens Used:",
    "model": "Model:",
    "engine": "Engine:",
    "thinking_level": "Thinking level:",
}
_LABEL = re.compile(
    "|".join(rf"(?P<{name}>{re.escape(label[:-1])}\s*:)" for name, label in LABELS.items()), re.IGNORECASE
)
_UNSEEN = frozenset({"script", "style", "template", "title", "noscript"})
_INLINE = frozenset(
    {"a", "abbr", "b", "bdi", "cite", "code", "em", "i", "kbd", "mark", "samp", "small", "span", "strong"}
)
_MAX_VALUE = 200


def read_footer(document: HtmlDocument) -> Mapping[str, str]:
    """The value behind each label that the page has: the rest of its line, else the next line of text.

    Where a label stands twice the last one counts: the footer is at the end of the page.
    """
    text = body_text(document)
    matches = list(_LABEL.finditer(text))
    found: dict[str, str] = {}
    for match, following in zip(matches, [*matches[1:], None], strict=True):
        lines = text[match.end() : following.start() if following is not None else len(text)].split("\n")
        value = next((" ".join(line.split()) for line in lines if line.strip()), "")
        if value and match.lastgroup is not None:
            found[match.lastgroup] = value[:_MAX_VALUE]
    return found


def body_text(document: HtmlDocument) -> str:
    """The text of the page in reading order, a new line wherever a block begins or ends."""
    return "".join(_pieces(document.root))


def _pieces(root: _Element) -> Iterator[str]:
    unseen = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        name = str(element.tag).rpartition("}")[2]
        if event == "start":
            unseen += name in _UNSEEN
            if name not in _INLINE:
                yield "\n"
            if not unseen and element.text:
                yield re.sub(r"\s+", " ", element.text)
        else:
            unseen -= name in _UNSEEN
            if name not in _INLINE:
                yield "\n"
            if not unseen and element.tail:
                yield re.sub(r"\s+", " ", element.tail)
