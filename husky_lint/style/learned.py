"""What the page's own controls write where no word tells: if the button "Hop" sets ``.gear-3``, that class means hop.

A trial is a page after one control was worked. A mark that stands after the control of one value and after that of no
other value, and that some selector looks at, spells the value. Where none looks (script writes what is different as
custom properties, say), the place that holds something else after each of them tells in which value the page is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from husky_lint.style.spellings import STYLE, Carriers, Form, declarations, named_marks
from husky_lint.style.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lxml.etree import _Element

    from husky_lint.parse.css import Stylesheet
    from husky_lint.source import Span
    from husky_lint.style.vocabulary import Axis

#: Values that must be told apart before anything is believed.
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Mark:
    """``element`` has the class ``name`` (``text`` None), or the attribute ``name`` with the value ``text``."""

    element: _Element
    name: str
    text: str | None


def marks_of(elements: Iterable[_Element]) -> frozenset[Mark]:
    """Every class and attribute that the elements have now."""
    found: set[Mark] = set()
    for element in elements:
        for name, value in element.attrib.items():
            if name == "class":
                found.update(Mark(element, one, None) for one in str(value).split())
            else:
                found.add(Mark(element, str(name), str(value)))
    return frozenset(found)


def carriers_of(root: _Element) -> tuple[_Element, ...]:
    """The elements that can switch the picture: the svg, groups in it, and what is around it."""
    carriers = Carriers(Tree.of(root))
    found = tuple(node.element for node in (*carriers.around, *carriers.inside))
    carriers.let_go()
    return found


def learned_forms(
    axis: Axis, trials: Mapping[str, frozenset[Mark]], sheets: Sequence[Stylesheet], fold: bool
) -> tuple[Form, ...]:
    """The forms of an axis that trials show: for each value, what stands after its control and after no other.

    ``trials`` hold the marks of :func:`carriers_of` after the control of each value; ``fold`` is whether names are
    compared without case. Empty unless at least two values are told apart.
    """
    own = {
        value: marks - frozenset().union(*(others for other, others in trials.items() if other != value))
        for value, marks in trials.items()
    }
    found: list[Form] = []
    for rule, is_class, name, text in named_marks(sheets, fold):
        for value, marks in own.items():
            carriers = tuple(
                mark.element
                for mark in marks
                if mark.name == name and (mark.text is None) == is_class and (is_class or mark.text == text)
            )
            if carriers:
                found.append(
                    Form(axis.name, value, is_class, name, text, carriers, rule.selector_span, rule.selector_text)
                )
    return tuple(found) if len({form.value for form in found}) >= _FEWEST else ()


def inline_forms(
    axis: Axis, trials: Mapping[str, frozenset[Mark]], spans: Mapping[str, Span | None]
) -> tuple[Form, ...]:
    """The inline styles that stand after the control of one value and after no other's, as forms of that value.

    ``trials`` as for :func:`learned_forms`, empty for the values that selectors spell; ``spans`` are where script
    makes the change.
    """
    return tuple(
        Form(axis.name, value, False, mark.name, mark.text, (mark.element,), span, f'[style="{mark.text}"]')
        for value, marks in trials.items()
        for mark in sorted(marks, key=lambda mark: mark.text or "")
        if mark.name == STYLE
        and (span := spans.get(value)) is not None
        and not any(mark in others for other, others in trials.items() if other != value)
    )


def written_forms(
    axis: Axis, trials: Mapping[str, frozenset[Mark]], spans: Mapping[str, Span | None], order: Sequence[_Element]
) -> tuple[Form, ...]:
    """The forms of an axis that no selector looks at: a place that says something else after each control.

    A place is an attribute, or a declaration of a style attribute, which comes after attributes; an element counts
    before those that come later in ``order``, where all watched ones are. The forms have no ``selector``.
    """
    said: dict[tuple[_Element, str, str], dict[str, str]] = {}
    for value, marks in trials.items():
        for mark in marks:
            if mark.text is None or spans.get(value) is None:
                continue
            for text in declarations(mark.text) if mark.name == STYLE else (mark.text,):
                field = text.partition(":")[0] if mark.name == STYLE else ""
                said.setdefault((mark.element, mark.name, field), {})[value] = text
    telling = {
        place: texts
        for place, texts in said.items()
        if len(texts) == len(trials) >= _FEWEST and len(set(texts.values())) == len(texts)
    }
    if not telling:
        return ()
    rank = {element: place for place, element in enumerate(order)}
    best = min(telling, key=lambda place: (place[1] == STYLE, rank[place[0]], place[1:]))
    element, name, _ = best
    return tuple(
        Form(axis.name, value, False, name, text, (element,), span, "")
        for value, text in telling[best].items()
        if (span := spans[value]) is not None
    )
