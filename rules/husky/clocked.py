"""The page at work on a clock of its own: what its texts say after some seconds at a pace."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from husky_lint.rule import Reason, Undecided
from husky_lint.style.spellings import reading

from .pace_list import enter_pace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.script.effects import Effect
    from husky_lint.script.model import ScriptModel
    from husky_lint.style.media import MediaContext


class Clocked:
    """The loaded page, its clock at 0."""

    def __init__(self, evidence: Evidence, model: ScriptModel) -> None:
        self._evidence = evidence
        self.model = model

    def enter(self, pace: str) -> None:
        """Choose a pace by its button or the keys. Raises Undecided where none leads there."""
        if not enter_pace(self._evidence, self.model, pace):
            raise Undecided(Reason.STATE_NOT_FOUND, f"no control could be told to lead to {pace}")

    def run(self, seconds: float, frame: float) -> tuple[Effect, ...]:
        """Let time pass, with a frame every ``frame`` seconds."""
        return self.model.advance(seconds * 1000.0, frames=frame * 1000.0)


@contextmanager
def clocked(evidence: Evidence, paces: Sequence[str], media: MediaContext | None = None) -> Iterator[Clocked]:
    """The page freshly loaded, on a virtual clock, with computed style known by what its paces are known to look like.

    Raises Undecided where it is too much to follow.
    """
    states = evidence.states
    forms, vocabulary = states.forms("pace"), evidence.rubric.vocabulary
    known = {pace: states.state(pace=pace) for pace in paces}
    initial = states.initial
    for state in (initial, *known.values()):
        evidence.style(state)

    def computed(element: _Element, name: str) -> str | None:
        pace = reading(forms, vocabulary).get("pace")
        styled = evidence.style(known.get(pace or "", initial))
        return styled.computed(element).text(name) if element in styled else None

    with evidence.at_work(media, virtual_clock=True, computed_style=computed) as model:
        if model.limit:
            raise Undecided(Reason.LIMIT, "the scripts are too much to follow")
        yield Clocked(evidence, model)
