"""``check --format concise``: one line a finding, ``file:line:column: CODE message``."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, TextIO

from husky_lint.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from husky_lint.report import RenderOptions
    from husky_lint.scorecard import LocatedFinding, Scorecard


def render(cards: Iterable[Scorecard], out: TextIO, options: RenderOptions) -> None:
    """Write the findings; paths begin with the submission's own path, so that an editor can open them."""
    del options
    for card in cards:
        out.writelines(f"{_where(card.path, f)}: {f.code} {printable(f.message)}\n" for f in card.findings)
        out.flush()


def _where(path: str, finding: LocatedFinding) -> str:
    place = finding.location
    if place is None:
        return printable(path)
    single = path.lower().endswith((".html", ".htm", ".svg")) and posixpath.basename(path) == place.file
    file = path if single else posixpath.join(path, place.file)
    return f"{printable(file)}:{place.line}:{place.column}"
