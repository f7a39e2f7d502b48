"""What an answer of evidence rests on: what the page shows, what script does, or neither and so the files alone."""

from __future__ import annotations

from contextlib import contextmanager
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from husky_lint.evidence import StaticEvidence

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from husky_lint.evidence import ScriptSurvey
    from husky_lint.script.model import ScriptModel
    from husky_lint.style.media import MediaContext
    from husky_lint.style.states import PageStates

T = TypeVar("T")


class Ground(Enum):
    """What an answer rests on, beside the files."""

    PAGE = "page"
    """What the page shows, told by the source or by the browser."""
    SCRIPT = "script"
    """What the source says of script."""
    SILENCE = "silence"
    """That the page did not answer."""


class GroundedEvidence(StaticEvidence):
    """Evidence that keeps account of what its answers rest on, those that were worked out earlier included."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._grounds: list[set[Ground]] = []
        self._grounds_of: dict[Hashable, frozenset[Ground]] = {}

    @contextmanager
    def watched(self) -> Iterator[set[Ground]]:
        """What the answers given within the ``with`` rest on."""
        grounds: set[Ground] = set()
        self._grounds.append(grounds)
        try:
            yield grounds
        finally:
            self._grounds.pop()
            self._rests_on(*grounds)

    def _rests_on(self, *grounds: Ground) -> None:
        if self._grounds:
            self._grounds[-1].update(grounds)

    def _once(self, key: Hashable, work: Callable[[], T]) -> T:
        if key in self._kept:
            self._rests_on(*self._grounds_of.get(key, ()))
            return super()._once(key, work)
        with self.watched() as grounds:
            try:
                return super()._once(key, work)
            finally:
                if Ground.PAGE in grounds:  # an inference from what is seen is one, whatever else it looked at
                    grounds.discard(Ground.SCRIPT)
                self._grounds_of[key] = frozenset(grounds)

    @property
    def states(self) -> PageStates:
        self._rests_on(Ground.PAGE)
        return super().states

    def states_in(self, media: MediaContext) -> PageStates:
        self._rests_on(Ground.PAGE)
        return super().states_in(media)

    def script_in(self, media: MediaContext) -> ScriptSurvey:
        self._rests_on(Ground.SCRIPT)
        return super().script_in(media)

    @contextmanager
    def at_work(self, media: MediaContext | None = None) -> Iterator[ScriptModel]:
        self._rests_on(Ground.SCRIPT)
        with super().at_work(media) as model:
            yield model

    def load_page(self, media: MediaContext | None = None, **options: Any) -> ScriptModel:
        self._rests_on(Ground.SCRIPT)
        return super().load_page(media, **options)
