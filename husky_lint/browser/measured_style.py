"""The cascade's values as Chromium computes them, with where they were declared as the source says it.

A value that reads the same on both sides stands as the cascade made it. One that differs is Chromium's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import tinycss2

from husky_lint.rule import Reason, Undecided
from husky_lint.style import values
from husky_lint.style.computed import StyledDocument
from husky_lint.style.element_style import ComputedStyle, Resolved, Tokens, is_absolute
from husky_lint.style.serialization import computed_text
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lxml.etree import _Element

    from husky_lint.browser.stage import Styles
    from husky_lint.style.page_state import PageState

MEASURED: Final = tuple(
    sorted(
        words(
            """
            animation-composition animation-delay animation-direction animation-duration animation-fill-mode
            animation-iteration-count animation-name animation-play-state animation-timing-function
            background-color clip-path clip-rule color content-visibility cx cy display fill fill-opacity fill-rule
            filter float font-size font-weight mask mix-blend-mode opacity overflow-x overflow-y position r rotate rx ry
            scale stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
            stroke-miterlimit stroke-opacity stroke-width text-indent text-transform transform-box translate
            vector-effect visibility -webkit-text-fill-color
            """
        )
    )
)
"""What ``getComputedStyle`` gives as computed. Of others it gives used values, which are no matter of the cascade."""


_ANIMATION: Final = frozenset(name for name in MEASURED if name.startswith("animation-"))


class MeasuredDocument(StyledDocument):
    """A document in one state, with Chromium's values for the elements that the page shows.

    ``agreed`` keeps values with the property and text that they are known to have, for all documents of a page.
    ``driven`` are the numbers of the elements that script goes on writing to: what their animations are says nothing.
    """

    def __init__(
        self,
        cascaded: StyledDocument,
        state: PageState,
        styles: Styles,
        numbers: Mapping[_Element, int],
        agreed: set[tuple[Resolved, str, str]],
        driven: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(cascaded._engine, state, cascaded._matching, cascaded._view, cascaded._cascades)
        self._cascaded = cascaded
        self._styles_shown = styles
        self._customs: dict[_Element, dict[str, str]] = {}
        self._numbers = numbers
        self.agreed = agreed
        self._driven = driven
        self._found: dict[_Element, ComputedStyle] = {}
        self.differing: dict[tuple[_Element, str], tuple[str, str]] = {}
        """Where the sides differ: what the cascade computes, and what Chromium does."""

    def computed(self, element: _Element) -> ComputedStyle:
        known = self._found.get(element)
        if known is not None:
            return known
        pending: list[_Element] = []
        above: _Element | None = element
        while above is not None and above not in self._found:
            pending.append(above)
            above = above.getparent()
        parent = None if above is None else self._found[above]
        for current in reversed(pending):
            if current not in self._cascaded:
                raise KeyError(element)
            parent = self._found[current] = self._measure(current, parent)
        if parent is None:
            raise KeyError(element)
        return parent

    def __iter__(self) -> Iterator[ComputedStyle]:
        return (self.computed(style.element) for style in self._cascaded)

    def _measure(self, element: _Element, parent: ComputedStyle | None) -> ComputedStyle:
        cascaded = self._cascaded.computed(element)
        number = self._numbers.get(element, -1)
        own = self._styles_shown.customs.get(number, {})
        above = element.getparent()
        shown = {**self._customs.get(above, {}), **own} if above is not None else own
        self._customs[element] = shown
        overrides: dict[str, Tokens | None] = {}
        if number >= 0:
            for name in own.keys() | set(cascaded.cascade.customs):
                text = shown.get(name, "")
                if name in self._styles_shown.asked and not _agrees(cascaded, name, text):
                    overrides[name] = _tokens(text) or None
                    self.differing[element, name] = (values.serialize(cascaded.value(name)), text)
        shown_here = self._styles_shown.values.get(number, {})
        driven = number in self._driven or element in self.state.scripted.driven
        return MeasuredStyle(cascaded, parent, shown_here, overrides, self, driven=driven)


class MeasuredStyle(ComputedStyle):
    """The style of one element. ``shown`` are the texts of the properties that were measured.

    Raises Undecided(script-driven-motion) for the animations of an element that is ``driven`` by script.
    """

    __slots__ = ("_document", "_driven", "_settled", "_shown")

    def __init__(
        self,
        cascaded: ComputedStyle,
        parent: ComputedStyle | None,
        shown: Mapping[str, str],
        overrides: Mapping[str, Tokens | None],
        document: MeasuredDocument,
        *,
        driven: bool = False,
    ) -> None:
        super().__init__(
            cascaded.environment, cascaded.cascade, cascaded.node, cascaded.tree, parent, overrides or None
        )
        self._shown = shown
        self._settled: set[str] = set()
        self._document = document
        self._driven = driven

    def resolve(self, name: str) -> Resolved:
        if self._driven and name in _ANIMATION:
            raise Undecided(Reason.SCRIPT_DRIVEN_MOTION, f"script moves {self.node!r}")
        cascaded = super().resolve(name)
        if name in self._settled or (name in _ANIMATION and self.element in self._document.state.scripted.declared):
            return cascaded  # of the animations that script makes no computed style says anything
        self._settled.add(name)  # what the text of the cascade's value asks for must not come back here
        shown = self._shown.get(name)
        if shown is None:
            return cascaded
        if name != "font-size":  # which the text of lengths asks for itself
            agreed = self._document.agreed
            if (cascaded, name, shown) in agreed:
                return cascaded
            ours = computed_text(self, name)
            if _same(ours, shown):
                if name != "display" and _means_the_same_everywhere(cascaded):
                    agreed.add((cascaded, name, shown))
                return cascaded
            self._document.differing[self.element, name] = (ours, shown)
        measured = Resolved(_tokens(shown), cascaded.declared, self, cascaded.uses)
        self._resolved[name] = measured
        return measured


def _means_the_same_everywhere(resolved: Resolved) -> bool:
    """Whether the text of a value hangs on nothing of the element that has it."""
    return (
        is_absolute(resolved.memo, resolved.tokens) and "currentcolor" not in values.serialize(resolved.tokens).lower()
    )


def _same(ours: str, theirs: str) -> bool:
    return ours == theirs or _normal(ours) == _normal(theirs)


def _normal(text: str) -> str:
    """The value with numbers as numbers: what differs in its writing alone is the same."""
    parts: list[str] = []
    stack = list(reversed(tinycss2.parse_component_value_list(text, skip_comments=True)))
    while stack:
        token = stack.pop()
        if isinstance(token, str):
            parts.append(token)
        elif token.type == "whitespace":
            continue
        elif token.type in {"number", "dimension", "percentage"}:
            unit = getattr(token, "lower_unit", "%" if token.type == "percentage" else "")
            parts.append(f"{token.value:.4g}{unit}" if token.value else "0")
        elif token.type == "function":
            parts.append(token.lower_name + "(")
            stack.append(")")
            stack.extend(reversed(token.arguments))
        else:
            parts.append(token.serialize())
    return " ".join(parts)


def _tokens(text: str) -> Tokens:
    return tuple(values.strip_whitespace(tinycss2.parse_component_value_list(text, skip_comments=True)))


def _agrees(cascaded: ComputedStyle, name: str, shown: str) -> bool:
    """Whether a custom property has the value that is shown; ``""`` is none."""
    tokens = cascaded.custom(name)
    if tokens is None:
        return not shown.strip()
    return _same(values.serialize(tokens), shown)
