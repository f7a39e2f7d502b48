"""The gate before expensive render audits: which submissions to keep, to drop, and to look at in the browser."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from husky_lint.rule import Judgement

if TYPE_CHECKING:
    from collections.abc import Iterable

    from husky_lint.scorecard import Scorecard


class Decision(StrEnum):
    """What to do with a submission."""

    KEEP = "keep"
    DROP = "drop"
    RENDER = "render"


@dataclass(frozen=True, slots=True)
class Gated:
    """A submission's path, score interval and decision; ``why`` names the clauses of the contract that decided."""

    path: str
    low: float
    high: float
    decision: Decision
    why: str = ""

    def to_json(self) -> dict[str, Any]:
        """One entry of the lists."""
        return {"path": self.path, "low": self.low, "high": self.high, "why": self.why}


def decide(card: Scorecard, minimum: float, *, contract: bool = False) -> Gated:
    """Drop if the score cannot reach ``minimum``, keep if it certainly does, else render.

    With ``contract`` the clauses that feed no row must hold as well: a failing one drops, an unknown one renders.
    """
    low, high = card.score.low, card.score.high
    decision = Decision.DROP if high < minimum else Decision.KEEP if low >= minimum else Decision.RENDER
    why = ""
    if any(finding.code == "HB0001" for finding in card.findings):
        return Gated(card.path, low, high, Decision.DROP, "unreadable")
    if contract and decision is not Decision.DROP:
        failing = [c.clause.code for c in card.contract if c.verdict.judgement is Judgement.FAIL]
        unknown = [c.clause.code for c in card.contract if c.verdict.judgement is Judgement.UNKNOWN]
        if failing:
            decision, why = Decision.DROP, "fails " + ", ".join(failing)
        elif unknown:
            decision, why = Decision.RENDER, "unknown " + ", ".join(unknown)
    return Gated(card.path, low, high, decision, why)


def exit_status(gated: Iterable[Gated]) -> int:
    """0 all kept, 1 some dropped, 3 none dropped but some need the browser."""
    decisions = {item.decision for item in gated}
    return 1 if Decision.DROP in decisions else 3 if Decision.RENDER in decisions else 0
