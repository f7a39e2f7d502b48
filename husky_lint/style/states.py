"""The states a page is judged in, and how the page gets into them.

A rule pack's :class:`~husky_lint.style.vocabulary.StateVocabulary` names axes such as pace and theme. How a page spells
their values is found out by working its controls in the script model and looking what that changes; where no control
leads there, by what the selectors of its style sheets spell; where only a media feature tells the values apart, by
that. Every answer carries its evidence, and what cannot be told is unknown with a reason.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

from husky_lint.style.media import MediaContext
from husky_lint.style.page_state import PageState, StateEvidence
from husky_lint.style.playthrough import Playthrough, SourceStyles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from husky_lint.parse.css import Stylesheet
    from husky_lint.parse.html import HtmlDocument
    from husky_lint.style.playthrough import Model
    from husky_lint.style.spellings import Form
    from husky_lint.style.vocabulary import Axis, StateVocabulary

__all__ = ["MediaContext", "PageState", "PageStates", "StateEvidence", "infer_states"]


def infer_states(
    document: HtmlDocument,
    sheets: Sequence[Stylesheet],
    vocabulary: StateVocabulary,
    models: Callable[[MediaContext], Model] | None = None,
    media: MediaContext | None = None,
    finish: Callable[[PageState], PageState] | None = None,
) -> PageStates:
    """How a page spells the axes of a vocabulary.

    ``sheets`` are the author's; ``models(media)`` makes a script model of the page in a view and applies what loading
    does to the tree (None: script is not looked at). The tree is left as it was found. ``finish`` is what a state goes
    through before it is handed out.
    """
    return PageStates(document, sheets, vocabulary, models, media or MediaContext(), finish)


class PageStates:
    """The states of one page; each is worked out when it is asked for, once."""

    def __init__(
        self,
        document: HtmlDocument,
        sheets: Sequence[Stylesheet],
        vocabulary: StateVocabulary,
        models: Callable[[MediaContext], Model] | None,
        media: MediaContext,
        finish: Callable[[PageState], PageState] | None = None,
    ) -> None:
        self.vocabulary = vocabulary
        self.media = media
        self._finish = finish
        self._document = document
        self._models = models
        self._sheets = tuple(sheets)
        self._source_styles = SourceStyles(document)
        self._plays: dict[MediaContext, Playthrough] = {}
        self._states: dict[tuple[tuple[str, str], ...], PageState] = {}

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes on which the page can be in more than one value."""
        return tuple(axis.name for axis in self.vocabulary.axes if len(self.values(axis.name)) > 1)

    def values(self, axis: str) -> tuple[str, ...]:
        """The values of an axis that the page can be put into, in the vocabulary's order."""
        found = self.vocabulary.axis(axis)
        if found is None:
            return ()
        if found.media_decides:
            return tuple(value.name for value in found.values)
        play = self._play(self.media)
        return tuple(value.name for value in found.values if play.way_to(found, value) is not None)

    @property
    def initial(self) -> PageState:
        """The page as it loads."""
        return self.state()

    def state(self, **wanted: str) -> PageState:
        """The page in these values of the axes; on the others it is as it loads.

        A value that the page cannot be shown to reach leaves the page as it is on that axis, with the reason in
        :attr:`PageState.unknown`. Raises KeyError for an axis or value that the vocabulary does not have.
        """
        for name, value in wanted.items():
            axis = self.vocabulary.axis(name)
            if axis is None or axis.value(value) is None:
                raise KeyError(f"{name}={value}")
        key = tuple(sorted(wanted.items()))
        known = self._states.get(key)
        if known is None:
            known = self._states[key] = self._make(wanted)
        return known

    def after(self, act: Callable[[Model], None], **wanted: str) -> PageState:
        """The page in these values of the axes, and then as ``act`` works it. Made anew at each call."""
        return self._make(wanted, act)

    def all(self, *names: str, **fixed: str) -> Iterator[PageState]:
        """Every combination of the values of the named axes; the others are fixed, or as the page loads."""
        columns = [[(name, value) for value in self.values(name)] for name in names]
        for combination in itertools.product(*columns):
            yield self.state(**{**fixed, **dict(combination)})

    def evidence(self, axis: str, value: str) -> tuple[StateEvidence, ...]:
        """How the page gets into a value; empty where nothing on the page spells it."""
        found = self.vocabulary.axis(axis)
        wanted = found.value(value) if found is not None else None
        if found is None or wanted is None:
            return ()
        if not found.media_decides:
            return self._play(self.media).evidence(found, wanted)
        fields = found.media.get(value, {})
        text = ", ".join(f"{name.replace('_', '-')}: {setting}" for name, setting in fields.items())
        given = StateEvidence(axis, value, "media", text or "no such preference")
        play = self._play(replace(self.media, **fields))
        return (given, *play.evidence(found, wanted))

    def unknown(self, axis: str, value: str) -> str | None:
        """The reason why the page cannot be put into a value; None when it can."""
        return self.state(**{axis: value}).unknown.get(axis)

    def forms(self, axis: str | None = None) -> tuple[Form, ...]:
        """How selectors spell the axis (None: all axes), those of script-written sheets included."""
        return tuple(form for form in self._play(self.media).forms if axis is None or form.axis == axis)

    def tells(self, axis: str | None = None) -> tuple[Form, ...]:
        """What tells the value of the axis (None: of all axes): :meth:`forms`, and places that no selector looks at."""
        return tuple(form for form in self._play(self.media).telling if axis is None or form.axis == axis)

    def _play(self, media: MediaContext) -> Playthrough:
        known = self._plays.get(media)
        if known is None:
            model = self._models(media) if self._models is not None else None
            known = Playthrough(self._document, self._sheets, self._source_styles, self.vocabulary, media, model)
            self._plays[media] = known
        return known

    def _make(self, wanted: Mapping[str, str], act: Callable[[Model], None] | None = None) -> PageState:
        state = self._play(self._view(wanted)).state(wanted, act)
        return state if self._finish is None else self._finish(state)

    def _view(self, wanted: Mapping[str, str]) -> MediaContext:
        """The view that the wanted values mean."""
        media = self.media
        for axis in self.vocabulary.axes:
            if axis.name in wanted and (axis.media_decides or self._only_media(axis, wanted[axis.name])):
                media = replace(media, **axis.media.get(wanted[axis.name], {}))
        return media

    def _only_media(self, axis: Axis, value: str) -> bool:
        """Whether nothing but a media feature spells the value."""
        named = axis.value(value)
        way = self._play(self.media).way_to(axis, named) if named is not None else None
        return way is not None and way.source == "media"
