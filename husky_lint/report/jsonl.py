"""``check --format jsonl``: one submission a line, each written as soon as it is judged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterable

    from husky_lint.report import RenderOptions
    from husky_lint.scorecard import Scorecard


def render(cards: Iterable[Scorecard], out: TextIO, options: RenderOptions) -> None:
    """Write the submissions' entries of ``--format json``, one a line."""
    del options
    for card in cards:
        out.write(json.dumps(card.to_json(), ensure_ascii=False, allow_nan=False) + "\n")
        out.flush()
