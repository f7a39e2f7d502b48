"""``check --format json``: one document, its field names a contract."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TextIO

from husky_lint import __version__
from husky_lint.report import RenderOptions, count_codes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from husky_lint.scorecard import Scorecard

TOOL = {"name": "husky-lint", "version": __version__}


def render(cards: Iterable[Scorecard], out: TextIO, options: RenderOptions) -> None:
    """Write ``{"tool": …, "submissions": […]}``."""
    all_cards = list(cards)
    document: dict[str, object] = {"tool": TOOL, "submissions": [card.to_json() for card in all_cards]}
    if options.statistics:
        document["statistics"] = count_codes(all_cards)
    json.dump(document, out, ensure_ascii=False, indent=2, allow_nan=False)
    out.write("\n")
