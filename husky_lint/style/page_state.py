"""One state of a page, as everything that computes in a state takes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from husky_lint.style.media import MediaContext

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element

    from husky_lint.animation.timeline import EffectTiming
    from husky_lint.parse.css import Stylesheet
    from husky_lint.script.journal import Mutation
    from husky_lint.source import Span
    from husky_lint.style.computed import SheetOfPage


@dataclass(frozen=True, slots=True, eq=False)
class ScriptedMotion:
    """Animations that script has made, as style sheets would make them.

    ``declared`` are declarations behind those of an element's own style, ``sheets`` hold the keyframes, ``timings`` is
    by the name of an animation what no property says of it, and ``driven`` are the elements that script moves in a way
    that is not known.
    """

    declared: Mapping[_Element, str] = field(default_factory=lambda: MappingProxyType({}))
    sheets: tuple[Stylesheet, ...] = ()
    timings: Mapping[str, EffectTiming] = field(default_factory=lambda: MappingProxyType({}))
    driven: frozenset[_Element] = frozenset()


NOT_SCRIPTED: Final = ScriptedMotion()


@dataclass(frozen=True, eq=False)
class PageState:
    """A page in a view, with mutations applied to its tree and further style sheets after its own.

    ``links`` are the ``<link>`` elements that give another sheet than in the source, or none.

    ``axes`` says in the pack's words what the state is, such as ``pace`` = ``hop``. ``unknown`` maps an axis to the
    reason key why it cannot be told that the page really is in that value of it.

    ``scripted`` are the animations that script has made.
    """

    label: str
    media: MediaContext = field(default_factory=MediaContext)
    mutations: tuple[Mutation, ...] = ()
    sheets: tuple[Stylesheet, ...] = ()
    axes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    unknown: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    scripted: ScriptedMotion = NOT_SCRIPTED
    links: Mapping[_Element, SheetOfPage | None] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class StateEvidence:
    """Why a page is taken to get into a value of an axis.

    ``source``: ``load`` (it loads so), ``control`` or ``key`` (the script was followed), ``style`` (only selectors say
    it), ``media``.
    """

    axis: str
    value: str
    source: str
    text: str
    span: Span | None = None
