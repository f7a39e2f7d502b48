"""The report formats, one module each: results in, text out. A renderer reads scorecards and nothing else.

Every module has ``render(cards, out, options)``. It writes as the cards come, so a report of hundreds of submissions
streams wherever its format allows it.
"""

from __future__ import annotations

import importlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TextIO, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

    from husky_lint.scorecard import Scorecard

FORMATS = {
    "text": "husky_lint.report.text",
    "concise": "husky_lint.report.concise",
    "json": "husky_lint.report.as_json",
    "jsonl": "husky_lint.report.jsonl",
    "html": "husky_lint.report.html",
}


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """How to render. ``color`` None: as the stream and NO_COLOR / FORCE_COLOR say. ``width`` None: of the terminal."""

    statistics: bool = False
    color: bool | None = None
    width: int | None = None


class Renderer(Protocol):
    """A report format."""

    def render(self, cards: Iterable[Scorecard], out: TextIO, options: RenderOptions) -> None:
        """Write the report of ``cards`` to ``out``."""


def renderer(name: str) -> Renderer:
    """The renderer of a format; raises KeyError for one that is not there."""
    return cast("Renderer", importlib.import_module(FORMATS[name]))


def count_codes(cards: Iterable[Scorecard]) -> dict[str, int]:
    """How many findings of each code, the most frequent first."""
    counts = Counter(finding.code for card in cards for finding in card.findings)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
