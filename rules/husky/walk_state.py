"""The state that the rig is told in: the page at walk."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from husky_lint.evidence import Evidence
    from husky_lint.style.states import PageState


def walk_state(evidence: Evidence) -> PageState:
    """The page at walk, and on everything else as it loads; where it has no walk, as it loads."""
    states = evidence.states
    return states.state(pace="walk") if "walk" in states.values("pace") else states.initial
