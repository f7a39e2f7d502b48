"""States of a page, entered by its own controls as a person would, and found again when something is measured there.

What each state is called and how style sheets spell it comes from the source. Whether the page really gets there is
seen in the browser: after every press its elements are looked at.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from husky_lint.browser.changes import effects_of
from husky_lint.browser.likeness import Likeness
from husky_lint.browser.pressing import Press, controls_for, press
from husky_lint.browser.stage import Measures, Request
from husky_lint.rule import Reason, Undecided
from husky_lint.script.journal import Journal, apply_all, undo_all
from husky_lint.style.page_state import PageState
from husky_lint.style.spellings import reading
from husky_lint.style.states import PageStates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lxml.etree import _Element

    from husky_lint.browser.notes import Wanted
    from husky_lint.browser.stage import LivePage, Sets, Stage, Styles
    from husky_lint.script.journal import Mutation
    from husky_lint.style.media import MediaContext
    from husky_lint.style.playthrough import Model, Playthrough
    from husky_lint.style.vocabulary import Axis, AxisValue

_TRIES: Final = 6
_KEY_PRESSES: Final = 8


Address = tuple["MediaContext", tuple[Press, ...]]
"""How the page gets where it is: the view that it is loaded in, and the presses after that."""


@dataclass(slots=True, eq=False)
class Held:
    """What is known of the page at an address: what it shows there, and what was measured of it."""

    page: LivePage
    styles: Styles | None = None
    measures: Measures = field(default_factory=Measures)


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A state that the page was put into. ``numbers`` are the live numbers of the elements of the tree.

    ``scene`` is the number of the scene's svg, -1 where there is none.
    """

    state: PageState
    address: Address
    held: Held
    numbers: Mapping[_Element, int]
    scene: int


class Reach:
    """Puts one page into its states, and back into one that it was in.

    ``properties`` are the properties and custom properties that styles are measured in; ``wants(state)`` says what of a
    state, as the source tells it, is worth measuring at first sight; ``scene_of(state)`` gives the scene's svg in it.
    """

    def __init__(
        self,
        stage: Stage,
        root: _Element,
        properties: Callable[[], tuple[Sequence[str], Sequence[str]]],
        wants: Callable[[PageState], Wanted],
        scene_of: Callable[[PageState], _Element | None],
    ) -> None:
        self.stage = stage
        self.root = root
        self._properties = properties
        self._wants = wants
        self._scene_of = scene_of
        self._likeness = Likeness()
        self._corrections: tuple[Mutation, ...] = ()
        self._shown: dict[PageState, Shown] = {}
        self._held: dict[Address, Held] = {}
        self._on_stage: Address | None = None
        self._page: LivePage | None = None

    def shown(self, state: PageState) -> Shown:
        """How a state was entered. Raises Undecided for one that the browser was never in."""
        found = self._shown.get(state)
        if found is None:
            raise Undecided(Reason.NEEDS_BROWSER, f"{state.label}: not a state that the page was put into")
        return found

    def show(self, state: PageState) -> Shown:
        """Put the page into a state again. Raises Undecided where it does not show the same as the first time."""
        shown = self.shown(state)
        self._show(shown)
        return shown

    def _show(self, shown: Shown, *, anew: bool = False) -> None:
        if anew or self._on_stage != shown.address:
            page = self._replay(*shown.address)
            if page is None or page.elements != shown.held.page.elements:
                raise Undecided(
                    Reason.DYNAMIC_VALUE, f"{shown.state.label}: the page is not the same each time it is loaded"
                )

    def is_driven(self, shown: Shown) -> bool:
        """Whether script moves the scene, something in it or around it, as time goes by."""
        return any(number in self._in_scene(shown) for number, _ in shown.held.page.driven)

    def _in_scene(self, shown: Shown) -> frozenset[int]:
        scene = next((element for element, number in shown.numbers.items() if number == shown.scene), None)
        if scene is None:
            return frozenset()
        around = {scene, *scene.iterancestors()}
        return frozenset(
            number for element, number in shown.numbers.items() if element in around or scene in element.iterancestors()
        )

    def measure(self, shown: Shown, wanted: Wanted) -> None:
        """Measure what is wanted and not known yet."""
        held = shown.held
        request = self._request(shown, wanted)
        if request is None:
            return
        play = bool(request.plan) and self.is_driven(shown)
        if play:
            still = replace(request, sets=(), plan=())
            if still.styles is not None or still.rest is not None:
                self._show(shown)
                held.styles = self.stage.survey(still, held.measures) or held.styles
            self._show(shown, anew=True)
            self._on_stage = None
            request = replace(request, styles=None, rest=None)
        else:
            self._show(shown)
        held.styles = self.stage.survey(request, held.measures, play=play) or held.styles

    def _request(self, shown: Shown, wanted: Wanted) -> Request | None:
        """What is wanted and not known yet, None where that is nothing."""
        held, numbers = shown.held, shown.numbers
        styles = self._properties() if wanted.styles and held.styles is None else None
        rest = None
        if wanted.rest and not held.measures.rest and shown.scene >= 0:
            rest = sorted(self._in_scene(shown) - {shown.scene})
        at: dict[float, list[set[int]]] = {}
        for place, (part, kept) in enumerate(
            (
                (wanted.boxes, held.measures.boxes),
                (wanted.matrices, held.measures.matrices),
                (wanted.locals, held.measures.locals),
            )
        ):
            for time, elements in part.items():
                new = {numbers[e] for e in elements if e in numbers and (numbers[e], time) not in kept}
                if new:
                    at.setdefault(time, [set(), set(), set()])[place] |= new
        if styles is None and rest is None and not at:
            return None
        codes: dict[Sets, int] = {}
        plan = []
        for time in sorted(at):
            chosen = cast("Sets", tuple(tuple(sorted(part)) for part in at[time]))
            plan.append((time, codes.setdefault(chosen, len(codes))))
        return Request(shown.scene, styles, rest, tuple(codes), plan if shown.scene >= 0 else ())

    def _replay(self, media: MediaContext, presses: Sequence[Press]) -> LivePage | None:
        self._on_stage = None
        page: LivePage | None = self.stage.load(media)
        done: tuple[Press, ...] = ()
        for one in presses:
            page = press(self.stage, one)
            if page is None:
                return None
            done = (*done, one)
        self._on_stage, self._page = (media, tuple(presses)), page
        return page

    def _press(self, one: Press) -> LivePage | None:
        """One more press on what is on stage."""
        if self._on_stage is None:
            return None
        media, before = self._on_stage
        self._on_stage = None
        page = press(self.stage, one)
        if page is not None:
            self._on_stage, self._page = (media, (*before, one)), page
        return page

    # ---- entering

    def enter(
        self,
        play: Playthrough,
        media: MediaContext,
        wanted: Mapping[str, str],
        expected: PageState,
        act: Callable[[Model], None] | None = None,
    ) -> PageState:
        """The page in some values of the axes, and then as ``act`` works it.

        ``expected`` is the state as the source tells it. What the page shows is taken from the page.
        """
        unknown: dict[str, str] = {}
        page = self._fresh(media)
        for axis in play.vocabulary.axes:
            value = axis.value(wanted.get(axis.name, ""))
            if value is None or axis.media_decides:
                continue
            found = self._enter_value(play, media, axis, value, page)
            if found is None:
                unknown[axis.name] = Reason.STATE_NOT_FOUND.value
            else:
                page = found
        return self._look(play, media, wanted, expected, page, unknown, act)

    def _fresh(self, media: MediaContext) -> LivePage:
        if self._on_stage == (media, ()) and self._page is not None:
            return self._page
        page = self._replay(media, ())
        assert page is not None
        return page

    def _enter_value(
        self, play: Playthrough, media: MediaContext, axis: Axis, value: AxisValue, page: LivePage
    ) -> LivePage | None:
        """Press what leads to the value, from where the page is; None where nothing does."""
        with self._like(play.loading, page) as numbers:
            now = reading(play.forms, play.vocabulary).get(axis.name)
            if now == value.name or (now is None and value.name == axis.default and not play.tells(axis)):
                return page
            tries = list(self._tries(play, axis, value, numbers))
        start = self._on_stage[1] if self._on_stage is not None else ()
        for attempt, (one, repeat) in enumerate(tries):
            if attempt and self._replay(media, start) is None:
                return None
            for _ in range(repeat):
                before = page if self._page is None else self._page
                after = self._press(one)
                if after is None:
                    break
                if self._is_in(play, axis, value, before, after):
                    return after
        self._replay(media, start)
        return None

    def _is_in(self, play: Playthrough, axis: Axis, value: AxisValue, before: LivePage, after: LivePage) -> bool:
        with self._like(play.loading, after):
            if play.tells(axis):
                return reading(play.forms, play.vocabulary).get(axis.name) == value.name
        return before.elements != after.elements

    def _tries(
        self, play: Playthrough, axis: Axis, value: AxisValue, numbers: Mapping[_Element, int]
    ) -> Iterator[tuple[Press, int]]:
        """Presses that may lead to a value, each with how often it is made at most; the likeliest first."""
        seen: set[Press] = set()
        way = play.way_to(axis, value)
        if way is not None and way.source in {"control", "key"}:
            told = Press.of(way.target, way.event_type, dict(way.fields), numbers)
            if told is not None:
                seen.add(told)
                yield told, way.repeat
        for element in controls_for(self.root, axis, value)[:_TRIES]:
            number = numbers.get(element)
            if number is not None and (one := Press("click", number)) not in seen:
                seen.add(one)
                yield one, 1
        for key in axis.keys:
            if (one := Press("key", -1, key)) not in seen:
                yield one, _KEY_PRESSES

    def _look(
        self,
        play: Playthrough,
        media: MediaContext,
        wanted: Mapping[str, str],
        expected: PageState,
        page: LivePage,
        unknown: dict[str, str],
        act: Callable[[Model], None] | None,
    ) -> PageState:
        with self._like(expected.mutations, page) as found:
            numbers = found
            worked: list[Mutation] = []
            if act is not None:
                model = _LiveModel(self, page, numbers, [*expected.mutations, *self._corrections])
                try:
                    act(cast("Model", model))
                finally:
                    worked, page, numbers = model.mutations, model.page, model.numbers
            try:
                now = reading(play.forms, play.vocabulary)
                mutations = (*expected.mutations, *self._corrections, *worked)
                sheets, lost = play.written(mutations)
            finally:
                undo_all(worked)
        for name, value in wanted.items():
            axis = play.vocabulary.axis(name)
            if act is None and axis is not None and not axis.media_decides and now.get(name, value) != value:
                unknown.setdefault(name, Reason.STATE_NOT_FOUND.value)
        if lost:
            unknown["sheets"] = Reason.UNSUPPORTED_CSS.value
        axes = {**expected.axes, **now, **wanted}
        state = PageState(
            expected.label, media, mutations, sheets, MappingProxyType(axes), MappingProxyType(dict(unknown))
        )
        address = self._on_stage or (media, ())
        held = self._held.setdefault(address, Held(page))
        svg = self._scene_of(state)
        scene = numbers.get(svg, -1) if svg is not None else -1
        shown = self._shown[state] = Shown(state, address, held, dict(numbers), scene)
        self.measure(shown, self._wants(expected))
        return state

    @contextmanager
    def _like(self, known: Sequence[Any], page: LivePage) -> Iterator[Mapping[_Element, int]]:
        """The tree as the live page is, for the time of the block; ``known`` is what script is known to do first."""
        apply_all(known)
        self._corrections = ()
        try:
            self._corrections, numbers = self._likeness.follow(self.root, page.elements, known)
            try:
                yield numbers
            finally:
                undo_all(self._corrections)
        finally:
            undo_all(known)


class _LiveModel:
    """The live page at work, as rules work a script model. What script did is not told: ``dispatch`` gives changes."""

    def __init__(
        self, reach: Reach, page: LivePage, numbers: Mapping[_Element, int], before: Sequence[Mutation]
    ) -> None:
        self._reach = reach
        self._before = list(before)
        self.page = page
        self.numbers = numbers
        self.mutations: list[Mutation] = []

    @property
    def journal(self) -> Journal:
        """What the presses changed."""
        return Journal(list(self.mutations))

    @property
    def listeners(self) -> Sequence[Any]:
        raise Undecided(Reason.NEEDS_BROWSER, "which events are listened to is not measured")

    def dispatch(self, target: Any, event_type: str, **fields: Any) -> tuple[Any, ...]:
        """Press, look, and let the tree follow; the mutations that came of it."""
        one = Press.of(target, event_type, fields, self.numbers)
        after = self._reach._press(one) if one is not None else None
        if after is None:
            return ()
        more, self.numbers = self._reach._likeness.follow(
            self._reach.root, after.elements, [*self._before, *self.mutations]
        )
        self.page = after
        self.mutations += more
        return tuple(effects_of(more, event_type))


class MeasuredStates(PageStates):
    """The states of a page as it gets into them in the browser; how they are spelled is the source's to say."""

    def __init__(self, told: PageStates, reach: Reach) -> None:
        super().__init__(told._document, told._sheets, told.vocabulary, told._models, told.media)
        self._told = told
        self._plays = told._plays
        self._reach = reach

    def values(self, axis: str) -> tuple[str, ...]:
        found = self.vocabulary.axis(axis)
        if found is None:
            return ()
        names = (value.name for value in found.values)
        if found.media_decides:
            return tuple(names)
        return tuple(name for name in names if axis not in self.state(**{axis: name}).unknown)

    def _make(self, wanted: Mapping[str, str], act: Callable[[Model], None] | None = None) -> PageState:
        media = self._view(wanted)
        expected = self._told.state(**wanted)
        return self._reach.enter(self._play(media), media, wanted, expected, act)
