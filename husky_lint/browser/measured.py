"""Evidence measured in Chromium: the same interface, so that the same rules judge.

What is a fact of files stays what it is. What the page shows is measured: which elements are there in a state that its
own controls lead to, the values that styles compute to, where everything is at any time. What script does inside is
told by the source as before; the evidence keeps account of what an answer rests on, so that a verdict in which nothing
was measured is not taken for one that was.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from husky_lint.browser.grounds import Ground, GroundedEvidence
from husky_lint.browser.measured_motion import LOOKS, MeasuredMotion, tried_in
from husky_lint.browser.measured_style import MEASURED, MeasuredDocument
from husky_lint.browser.notes import NotedEvidence, Wanted
from husky_lint.browser.reach import MeasuredStates, Reach
from husky_lint.rule import Undecided
from husky_lint.scene.motion import Motion

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from lxml.etree import _Element

    from husky_lint.browser.stage import Stage
    from husky_lint.evidence import ScriptSurvey, StaticEvidence
    from husky_lint.scene.graph import SceneGraph
    from husky_lint.script.model import ScriptModel
    from husky_lint.style.computed import StyledDocument
    from husky_lint.style.element_style import Resolved
    from husky_lint.style.media import MediaContext
    from husky_lint.style.states import PageState, PageStates

T = TypeVar("T")

_CUSTOM: Final = re.compile(r"--[A-Za-z_][\w-]*")
_MOST_CUSTOMS: Final = 400
_OF_FILES: Final = frozenset({"page", "stylesheets", "scripts", "references", "comments", "style engine"})
_READ_ONCE: Final = ("pages", "svg_files", "tools", "image_files")


class MeasuredEvidence(GroundedEvidence):
    """What ``stage`` shows of the submission that ``told`` speaks of. Facts of files are shared with it.

    ``askers`` are the rules that will ask: what they asked of a state, if it was noted, is measured at its first sight.
    """

    def __init__(self, told: StaticEvidence, stage: Stage, askers: Iterable[str] = ()) -> None:
        super().__init__(told.submission, told.rubric, pins=told.pins)
        self._told = told
        self._stage = stage
        self._askers = frozenset(askers)
        self._agreed: set[tuple[Resolved, str, str]] = set()
        for name in _READ_ONCE:  # the elements of the page are the same for both
            self.__dict__[name] = getattr(told, name)

    # ---- what answers rest on

    @contextmanager
    def watched(self) -> Iterator[set[Ground]]:
        failures = self._stage.failures
        with super().watched() as grounds:
            try:
                yield grounds
            finally:
                if self._stage.failures != failures:
                    grounds.add(Ground.SILENCE)

    def _once(self, key: Hashable, work: Callable[[], T]) -> T:
        return self._told._once(key, work) if _is_of_files(key) else super()._once(key, work)

    @property
    def doubt(self) -> str | None:
        """Nothing: what is measured is what the page is."""
        return None

    # ---- states

    @property
    def reach(self) -> Reach:
        """What puts the page into its states."""
        return self._once("reach", self._make_reach)

    def _make_reach(self) -> Reach:
        def wants(state: PageState) -> Wanted:
            told = self._told
            if not isinstance(told, NotedEvidence):
                return Wanted()
            found = told.notes.collected(state, self._askers)
            if found.matrices:  # which are tried against rectangles
                for part in ("boxes", "matrices", "locals"):
                    found.add(part, tried_in(told.scene_in(state)), LOOKS)
            return found

        def scene_of(state: PageState) -> _Element | None:
            try:
                return self.scene_in(state).root.element
            except Undecided:
                return None

        return Reach(self._stage, self.page.root, lambda: (MEASURED, self._custom_names), wants, scene_of)

    @property
    def states(self) -> PageStates:
        return self._once("states", lambda: MeasuredStates(self._told.states, self.reach, self._looked))

    def states_in(self, media: MediaContext) -> PageStates:
        told = self._told.states_in
        return self._once(("states", media), lambda: MeasuredStates(told(media), self.reach, self._looked))

    def _looked(self) -> None:
        self._rests_on(Ground.PAGE)

    # ---- the scene

    def style(self, state: PageState) -> StyledDocument:
        return self._once(("style", state), lambda: self._measure_style(state))

    def _measure_style(self, state: PageState) -> MeasuredDocument:
        shown = self.reach.shown(state)
        self.reach.measure(shown, Wanted(styles=True))
        styles = shown.held.styles
        assert styles is not None
        driven = frozenset(number for number, _ in shown.held.page.driven)
        return MeasuredDocument(self.style_engine.style(state), state, styles, shown.numbers, self._agreed, driven)

    @property
    def _custom_names(self) -> tuple[str, ...]:
        return self._once("custom names", self._find_custom_names)

    def _find_custom_names(self) -> tuple[str, ...]:
        texts = [page_sheet.sheet.source.text for page_sheet in self.stylesheets]
        texts += [script.script.source.text for script in self.scripts]
        texts.append(self.page.source.text)
        found = dict.fromkeys(name for text in texts for name in _CUSTOM.findall(text))
        return tuple(found)[:_MOST_CUSTOMS]

    def motion_of(self, state: PageState, elements: Sequence[_Element]) -> Motion:
        return self._measure_motion(state, self.scene_in(state).around(elements), animated=True)

    def _make_motion(self, state: PageState, *, animated: bool) -> Motion:
        return self._measure_motion(state, self.scene_in(state), animated=animated)

    def _measure_motion(self, state: PageState, scene: SceneGraph, *, animated: bool) -> Motion:
        shown = self.reach.shown(state)

        def cascaded() -> Motion:
            return Motion(self.style_engine.style(state), scene, animated=animated)

        return MeasuredMotion(scene, cascaded, lambda: self.style(state), shown, self.reach, animated=animated)

    # ---- script

    def script_in(self, media: MediaContext) -> ScriptSurvey:
        self._rests_on(Ground.SCRIPT)
        return self._told.script_in(media)

    @contextmanager
    def at_work(self, media: MediaContext | None = None) -> Iterator[ScriptModel]:
        self._rests_on(Ground.SCRIPT)
        with self._told.at_work(media) as model:
            yield model

    def load_page(self, media: MediaContext | None = None, **options: Any) -> ScriptModel:
        self._rests_on(Ground.SCRIPT)
        return self._told.load_page(media, **options)


def _is_of_files(key: object) -> bool:
    return key in _OF_FILES or (isinstance(key, tuple) and key[0] == "sheet")
