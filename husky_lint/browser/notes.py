"""What rules ask of the source's evidence, noted, so that the browser can measure it all at the first sight of a state.

The same rules ask the same of the page. What they ask beyond it costs another look.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from husky_lint.browser.grounds import GroundedEvidence
from husky_lint.scene.motion import Motion

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.style.computed import StyledDocument
    from husky_lint.style.states import PageState

    FloatArray = NDArray[np.float64]

SHARED: Final = "shared"
"""Who asks where an inference does that several rules share."""


@dataclass(slots=True)
class Wanted:
    """What is to be measured of a state: its styles, its rest, and of which elements what at which times."""

    styles: bool = False
    rest: bool = False
    boxes: dict[float, set[_Element]] = field(default_factory=lambda: defaultdict(set))
    matrices: dict[float, set[_Element]] = field(default_factory=lambda: defaultdict(set))
    locals: dict[float, set[_Element]] = field(default_factory=lambda: defaultdict(set))

    def add(self, part: str, nodes: Iterable[SceneNode], times: Any) -> None:
        """Note boxes, matrices or locals of nodes; for what stands in a ``<use>`` that of the ``<use>``."""
        elements = {node.uses[0] if node.uses else node.element for node in nodes}
        by_time: dict[float, set[_Element]] = getattr(self, part)
        for time in np.asarray(times, dtype=np.float64).reshape(-1).tolist():
            by_time[time] |= elements

    def include(self, other: Wanted) -> None:
        """Want what another wants, too."""
        self.styles = self.styles or other.styles
        self.rest = self.rest or other.rest
        for part in ("boxes", "matrices", "locals"):
            for time, elements in getattr(other, part).items():
                getattr(self, part)[time] |= elements


class Notes:
    """What was asked of which state, and by whom: the code of a rule, or :data:`SHARED`."""

    def __init__(self) -> None:
        self.asker = SHARED
        self._wanted: dict[PageState, dict[str, Wanted]] = {}

    def of(self, state: PageState) -> Wanted:
        """Where the present asker's wishes about a state are noted."""
        return self._wanted.setdefault(state, {}).setdefault(self.asker, Wanted())

    def collected(self, state: PageState, askers: Collection[str]) -> Wanted:
        """What some askers want to know of a state, or of one that is the same by another name."""
        found = Wanted()
        for other, by_asker in self._wanted.items():
            if other is state or (other.media == state.media and other.mutations == state.mutations):
                for asker, wanted in by_asker.items():
                    if asker in askers:
                        found.include(wanted)
        return found

    @contextmanager
    def asked_by(self, asker: str) -> Iterator[None]:
        """Who asks for the time of the block."""
        before, self.asker = self.asker, asker
        try:
            yield
        finally:
            self.asker = before


class NotedEvidence(GroundedEvidence):
    """The source's evidence, which notes what it is asked."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.notes = Notes()

    def derived(self, infer: Callable[[Evidence], Any]) -> Any:
        with self.notes.asked_by(SHARED):
            return super().derived(infer)

    def style(self, state: PageState) -> StyledDocument:
        self.notes.of(state).styles = True
        return super().style(state)

    def motion(self, state: PageState) -> Motion:
        motion = super().motion(state)
        return self._once(("noted", state), lambda: NotedMotion.of(motion, self.notes, state, animated=True))

    def rest(self, state: PageState) -> Motion:
        motion = super().rest(state)
        return self._once(("noted rest", state), lambda: NotedMotion.of(motion, self.notes, state, animated=False))

    def motion_of(self, state: PageState, elements: Sequence[_Element]) -> Motion:
        return NotedMotion.of(super().motion_of(state, elements), self.notes, state, animated=True)


class NotedMotion(Motion):
    """A motion that notes which boxes and matrices it is asked for."""

    notes: Notes
    state: PageState
    _noted_animated: bool

    @classmethod
    def of(cls, motion: Motion, notes: Notes, state: PageState, *, animated: bool) -> NotedMotion:
        """The same motion, noting."""
        if isinstance(motion, NotedMotion):
            return motion
        noted = cls.__new__(cls)
        noted.__dict__.update(motion.__dict__)
        noted.notes, noted.state, noted._noted_animated = notes, state, animated
        return noted

    def _note(self, part: str, nodes: Iterable[SceneNode], times: Any) -> None:
        wanted = self.notes.of(self.state)
        wanted.styles = True
        if self._noted_animated:
            wanted.add(part, nodes, times)
        else:
            wanted.rest = True

    def boxes(
        self, times: Sequence[float] | FloatArray, nodes: Iterable[SceneNode] | None = None
    ) -> Mapping[SceneNode, FloatArray]:
        asked = list(self.scene.nodes[1:] if nodes is None else nodes)
        self._note("boxes", asked, times)
        return super().boxes(times, None if nodes is None else asked)

    def matrices(
        self, nodes: Iterable[SceneNode], times: Sequence[float] | FloatArray
    ) -> Mapping[SceneNode, FloatArray]:
        asked = list(nodes)
        self._note("matrices", asked, times)
        return super().matrices(asked, times)

    def local_box(self, node: SceneNode, times: Sequence[float] | FloatArray) -> FloatArray:
        self._note("locals", (node,), times)
        return super().local_box(node, times)

    def outline(self, node: SceneNode) -> Any:
        self.notes.of(self.state).rest = True
        return super().outline(node)
