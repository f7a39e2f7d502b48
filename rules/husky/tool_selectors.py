"""What the selectors of the tools meet in the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.evidence import Evidence
    from husky_lint.rule import Finding

    from .tool_reading import Tools


def misdirected(evidence: Evidence, tools: Tools) -> Iterator[Finding]:
    """Clicks that meet something else before what they mean."""
    return iter(())
