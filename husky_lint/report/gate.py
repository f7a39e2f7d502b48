"""The gate's three lists, as text and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TextIO

from rich.text import Text

from husky_lint.batch.gate import Decision, Gated
from husky_lint.report import RenderOptions
from husky_lint.report.printable import printable
from husky_lint.report.text import make_console

if TYPE_CHECKING:
    from collections.abc import Sequence

_STYLES = {Decision.KEEP: "bold green", Decision.DROP: "bold red", Decision.RENDER: "bold cyan"}


def render_text(gated: Sequence[Gated], minimum: float, out: TextIO) -> None:
    """Write the lists for people."""
    console = make_console(out, RenderOptions())
    for decision in Decision:
        chosen = [item for item in gated if item.decision is decision]
        console.print(
            Text.assemble((decision.value, _STYLES[decision]), f"  {len(chosen)} of {len(gated)}, minimum {minimum:g}")
        )
        for item in chosen:
            interval = f"{item.low:g}" if item.low == item.high else f"{item.low:g}–{item.high:g}"
            why = f"  ({item.why})" if item.why else ""
            console.print(Text(f"  {interval:>9}  {printable(item.path)}{why}"), soft_wrap=True)


def render_json(gated: Sequence[Gated], minimum: float, out: TextIO) -> None:
    """Write ``{"min": N, "keep": […], "drop": […], "render": […]}``."""
    document: dict[str, object] = {"min": minimum}
    for decision in Decision:
        document[decision.value] = [item.to_json() for item in gated if item.decision is decision]
    json.dump(document, out, ensure_ascii=False, indent=2, allow_nan=False)
    out.write("\n")
