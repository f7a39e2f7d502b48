"""The page at work on a clock of its own: what it does and what its texts say in some seconds at a pace."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from husky_lint.rule import Reason, Undecided
from husky_lint.style.spellings import reading

from .pace_list import enter_pace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.script.effects import Effect
    from husky_lint.script.model import ScriptModel
    from husky_lint.style.media import MediaContext


_MOST_CHILDREN: Final = 3
_LONGEST: Final = 60
SECONDS: Final = 4.8
"""How long a pace is looked at."""
FRAMES: Final = (0.24, 0.048, 1 / 60)
"""Seconds of a frame: long ones first, which cost least. A page may cap the time of a frame, so that they lose some."""


@dataclass(frozen=True, slots=True, eq=False)
class PaceRun:
    """:data:`SECONDS` at a pace: the short texts of elements before and after, and what script did.

    ``opening`` is what it did in the two frames that go before.
    """

    before: Mapping[_Element, str]
    after: Mapping[_Element, str]
    effects: tuple[Effect, ...]
    limit: bool
    opening: tuple[Effect, ...] = ()


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
    with evidence.derived(_ClockedPage(tuple(paces), media)).at_work() as model:
        if model.limit:
            raise Undecided(Reason.LIMIT, "the scripts are too much to follow")
        yield Clocked(evidence, model)


@dataclass(frozen=True, slots=True)
class _ClockedPage:
    """Loads the page of :func:`clocked`, once for all who ask for the same."""

    paces: tuple[str, ...]
    media: MediaContext | None

    def __call__(self, evidence: Evidence) -> ScriptModel:
        states = evidence.states
        forms, vocabulary = states.tells("pace"), evidence.rubric.vocabulary
        known = {pace: states.state(pace=pace) for pace in self.paces}
        initial = states.initial
        for state in (initial, *known.values()):
            evidence.style(state)

        def computed(element: _Element, name: str) -> str | None:
            pace = reading(forms, vocabulary).get("pace")
            styled = evidence.style(known.get(pace or "", initial))
            return styled.computed(element).text(name) if element in styled else None

        return evidence.load_page(self.media, virtual_clock=True, computed_style=computed)


def pace_runs(evidence: Evidence, frames: int = 0) -> Mapping[str, PaceRun]:
    """A look at each pace that the page can be put into, with frames of :data:`FRAMES`; worked out once.

    Raises Undecided where no control leads to a pace.
    """
    return evidence.derived(_RUNS[frames])


def _run_paces(frame: float, evidence: Evidence) -> Mapping[str, PaceRun]:
    paces = evidence.states.values("pace")
    found: dict[str, PaceRun] = {}
    with clocked(evidence, paces) as page:
        mark = page.model.journal.mark()
        for pace in paces:
            page.enter(pace)
            opening = page.run(2 * frame, frame)
            before = _texts(evidence)
            effects = page.run(SECONDS, frame)
            found[pace] = PaceRun(before, _texts(evidence), effects, page.model.limit, opening)
            page.model.journal.undo_to(mark)
    return found


_RUNS: Final[tuple[Callable[[Evidence], Mapping[str, PaceRun]], ...]] = tuple(
    partial(_run_paces, frame) for frame in FRAMES
)


def _texts(evidence: Evidence) -> dict[_Element, str]:
    """The short texts that stand in elements of the page, also in those of a few elements more."""
    found: dict[_Element, str] = {}
    for element in evidence.page.root.iter("*"):
        if len(element) > _MOST_CHILDREN or str(element.tag).endswith(("}script", "}style")):
            continue
        text = "".join(map(str, element.itertext())) if len(element) else element.text
        if text and len(text) <= _LONGEST:
            found[element] = text
    return found
