"""States of a page, entered by its own controls as a person would, and found again when something is measured there.

What each state is called and how style sheets spell it comes from the source. Whether the page really gets there is
seen in the browser: after every press its elements are looked at.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from husky_lint.browser.changes import effects_of
from husky_lint.browser.likeness import Likeness
from husky_lint.browser.paths import Address, Beside, Paths
from husky_lint.browser.pressing import Press, controls_for
from husky_lint.browser.stage import Request
from husky_lint.rule import Reason, Undecided
from husky_lint.script.journal import Journal, SetTextSlot, apply_all, undo_all
from husky_lint.style.page_state import PageState, StateEvidence
from husky_lint.style.spellings import reading
from husky_lint.style.states import PageStates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lxml.etree import _Element

    from husky_lint.browser.notes import Wanted
    from husky_lint.browser.paths import Held
    from husky_lint.browser.stage import LivePage, Sets, Stage
    from husky_lint.script.journal import Mutation
    from husky_lint.style.media import MediaContext
    from husky_lint.style.playthrough import Model, Playthrough
    from husky_lint.style.vocabulary import Axis, AxisValue

_TRIES: Final = 6
_KEY_PRESSES: Final = 8
_WAYS: Final = frozenset({"control", "key"})


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
        self._alike: dict[tuple[int, ...], tuple[tuple[Mutation, ...], dict[_Element, int]]] = {}
        self._shown: dict[PageState, Shown] = {}
        self._paths = Paths(stage)
        self.entered: dict[tuple[str, str], Press] = {}
        """The press that last led into a value of an axis."""

    def shown(self, state: PageState) -> Shown:
        """How a state was entered, or one that is the same but for the view. Raises Undecided for any other."""
        found = self._shown.get(state)
        if found is None:
            found = self._shown[state] = self._in_other_view(state)
        return found

    def _in_other_view(self, state: PageState) -> Shown:
        alike = next((one for one in self._shown if one.mutations == state.mutations), None)
        if alike is None:
            raise Undecided(Reason.NEEDS_BROWSER, f"{state.label}: not a state that the page was put into")
        known = self._shown[alike]
        address = Address(state.media, known.address.presses)
        page = self._page(address)
        with self._like(state.mutations, page) as numbers:
            if any(not isinstance(one, SetTextSlot) for one in self._corrections):
                raise Undecided(Reason.DYNAMIC_VALUE, f"{state.label}: the page has other elements in this view")
        scene = next((element for element, number in known.numbers.items() if number == known.scene), None)
        held = self._paths.held(address)
        assert held is not None
        return Shown(state, address, held, dict(numbers), numbers.get(scene, -1) if scene is not None else -1)

    def show(self, state: PageState) -> Shown:
        """Put the page into a state again. Raises Undecided where it does not show the same as the first time."""
        shown = self.shown(state)
        self._paths.bring(shown.address)
        return shown

    def is_driven(self, shown: Shown) -> bool:
        """Whether script moves the scene, something in it or around it, as time goes by."""
        driven = {number for number, _ in shown.held.page.driven}
        return bool(driven) and not driven.isdisjoint(self._in_scene(shown))

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
                self._paths.bring(shown.address)
                held.styles = self.stage.survey(still, held.measures) or held.styles
            self._paths.bring(shown.address, anew=True)
            self._paths.leave()
            request = replace(request, styles=None, rest=None)
        else:
            self._paths.bring(shown.address)
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

    # ---- entering

    def enter(
        self,
        play: Playthrough,
        media: MediaContext,
        wanted: Mapping[str, str],
        told: Callable[..., PageState],
        act: Callable[[Model], None] | None = None,
    ) -> PageState:
        """The page in some values of the axes, and then as ``act`` works it.

        ``told`` gives states as the source tells them. What the page shows is taken from the page.
        """
        unknown: dict[str, str] = {}
        address = Address(media)
        prefix = {
            axis.name: wanted[axis.name] for axis in play.vocabulary.axes if axis.media_decides & (axis.name in wanted)
        }
        for axis in play.vocabulary.axes:
            value = axis.value(wanted.get(axis.name, ""))
            if value is None or axis.media_decides:
                continue
            prefix[axis.name] = value.name
            found = self._enter_value(play, axis, value, address, told(**prefix))
            if found is None:
                unknown[axis.name] = Reason.STATE_NOT_FOUND.value
            else:
                address = found
        return self._look(play, wanted, told(**wanted), address, unknown, act)

    def _page(self, address: Address) -> LivePage:
        held = self._paths.held(address)
        if held is None:
            raise Undecided(Reason.STATE_NOT_FOUND, "a control of the page cannot be pressed")
        return held.page

    def _enter_value(
        self, play: Playthrough, axis: Axis, value: AxisValue, start: Address, told: PageState
    ) -> Address | None:
        """Where the presses are that lead from an address to the value; None where nothing does."""
        page = self._page(start)
        with self._like(play.loading, page) as numbers:
            if _tell(play, axis, value):
                return start
            tries = list(self._tries(play, axis, value, numbers))
        base = start
        for one, repeat in tries:
            before, address = page, base
            for _ in range(repeat):
                address = address.after(one)
                held = self._paths.held(address, self._beside(axis, address, told))
                if held is None:
                    break
                if self._is_in(play, axis, value, before, held.page):
                    self.entered[axis.name, value.name] = one
                    return address
                if held.page.looks == before.looks:
                    base = address  # nothing came of it: the page need not be loaded anew to try another
                    break
                before = held.page
        return self._written(play, axis, value, start)

    def _beside(self, axis: Axis, address: Address, told: PageState) -> Beside:
        """A page in another value of an axis may be pressed on, if it then is as the source tells the state."""
        first = len(self._page(Address(address.media)).elements)

        def is_clean(page: LivePage) -> bool:
            if any(element.number >= first for element in page.elements):
                return False
            with self._like(told.mutations, page):
                return all(isinstance(one, SetTextSlot) for one in self._corrections)

        presses = frozenset(one for (name, _), one in self.entered.items() if name == axis.name and one.kind == "click")
        return Beside(presses, is_clean)

    def _written(self, play: Playthrough, axis: Axis, value: AxisValue, start: Address) -> Address | None:
        """No control leads there: the page as it looks when what selectors ask for is written."""
        address = start
        with self._like(play.loading, self._page(start)) as numbers:
            for change in play.spelled_out(axis, value):
                number = numbers.get(change.element)
                if number is None:
                    return None
                address = address.after(Press("write", number, change.name, (("value", change.value),)))
        held = self._paths.held(address)
        if address == start or held is None or not self._is_in(play, axis, value, self._page(start), held.page):
            return None
        self.entered[axis.name, value.name] = address.presses[-1]
        return address

    def _is_in(self, play: Playthrough, axis: Axis, value: AxisValue, before: LivePage, after: LivePage) -> bool:
        if not play.tells(axis):
            return before.looks != after.looks
        with self._like(play.loading, after):
            return _tell(play, axis, value)

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
        wanted: Mapping[str, str],
        expected: PageState,
        address: Address,
        unknown: dict[str, str],
        act: Callable[[Model], None] | None,
    ) -> PageState:
        with self._like(expected.mutations, self._page(address)) as found:
            numbers = found
            worked: list[Mutation] = []
            if act is not None:
                model = _LiveModel(self, address, numbers, [*expected.mutations, *self._corrections])
                try:
                    act(cast("Model", model))
                finally:
                    worked, address, numbers = model.mutations, model.address, model.numbers
            try:
                now = reading(play.telling, play.vocabulary)
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
            expected.label,
            address.media,
            mutations,
            sheets,
            MappingProxyType(axes),
            MappingProxyType(dict(unknown)),
            scripted=expected.scripted,
        )
        held = self._paths.held(address)
        assert held is not None
        svg = self._scene_of(state)
        shown = Shown(state, address, held, dict(numbers), numbers.get(svg, -1) if svg is not None else -1)
        self._shown[state] = shown
        self.measure(shown, self._wants(expected))
        return state

    @contextmanager
    def _like(self, known: Sequence[Any], page: LivePage) -> Iterator[Mapping[_Element, int]]:
        """The tree as the live page is, for the time of the block; ``known`` is what script is known to do first."""
        apply_all(known)
        self._corrections = ()
        try:
            key = (*map(id, known), id(page))  # states and addresses hold both, so their identities stay taken
            if key in self._alike:
                self._corrections, numbers = self._alike[key]
                apply_all(self._corrections)
            else:
                self._corrections, numbers = self._likeness.follow(self.root, page.elements, known)
                self._alike[key] = self._corrections, numbers
            try:
                yield numbers
            finally:
                undo_all(self._corrections)
        finally:
            undo_all(known)


def _tell(play: Playthrough, axis: Axis, value: AxisValue) -> bool:
    """Whether the tree, as it is now, is in a value; the default one may be that no other is spelled."""
    now = reading(play.telling, play.vocabulary).get(axis.name)
    return now == value.name or (now is None and value.name == axis.default)


class _LiveModel:
    """The live page at work, as rules work a script model. What script did is not told: ``dispatch`` gives changes."""

    def __init__(
        self, reach: Reach, address: Address, numbers: Mapping[_Element, int], before: Sequence[Mutation]
    ) -> None:
        self._reach = reach
        self._before = list(before)
        self.address = address
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
        held = self._reach._paths.held(self.address.after(one)) if one is not None else None
        if one is None or held is None:
            return ()
        self.address = self.address.after(one)
        more, self.numbers = self._reach._likeness.follow(
            self._reach.root, held.page.elements, [*self._before, *self.mutations]
        )
        self.mutations += more
        return tuple(effects_of(more, event_type))


class MeasuredStates(PageStates):
    """The states of a page as it gets into them in the browser; how they are spelled is the source's to say.

    ``looked`` is told whenever an answer hangs on what the browser shows.
    """

    def __init__(self, told: PageStates, reach: Reach, looked: Callable[[], None]) -> None:
        super().__init__(told._document, told._sheets, told.vocabulary, told._models, told.media)
        self._told = told
        self._plays = told._plays
        self._reach = reach
        self._looked = looked

    def state(self, **wanted: str) -> PageState:
        self._looked()
        return super().state(**wanted)

    def after(self, act: Callable[[Model], None], **wanted: str) -> PageState:
        self._looked()
        return super().after(act, **wanted)

    def values(self, axis: str) -> tuple[str, ...]:
        found = self.vocabulary.axis(axis)
        if found is None:
            return ()
        names = (value.name for value in found.values)
        if found.media_decides:
            return tuple(names)
        return tuple(name for name in names if axis not in self.state(**{axis: name}).unknown)

    def evidence(self, axis: str, value: str) -> tuple[StateEvidence, ...]:
        """How the source spells a value; what it takes for a way there, and is none, is left out."""
        told = self._told.evidence(axis, value)
        found = self.vocabulary.axis(axis)
        if found is None or found.media_decides or found.value(value) is None:
            return told
        self.state(**{axis: value})
        entered = self._reach.entered.get((axis, value))
        if entered is None:
            return told
        if entered.kind == "write":
            return tuple(given for given in told if given.source not in _WAYS)
        if any(given.source in _WAYS for given in told):
            return told
        source = "key" if entered.kind == "key" else "control"
        return (StateEvidence(axis, value, source, f"{source} {entered.name}".strip()), *told)

    def _make(self, wanted: Mapping[str, str], act: Callable[[Model], None] | None = None) -> PageState:
        media = self._view(wanted)
        return self._reach.enter(self._play(media), media, wanted, self._told.state, act)
