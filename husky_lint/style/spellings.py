"""How style sheets spell the states of a page: which attribute or class, on which element, means which value.

A *form* is read off a selector: ``.scene[data-speed="hop"] .leg`` says that the pace is hop while the scene's
``data-speed`` is ``hop``. Only elements that can switch the picture carry forms: the svg, groups in it, and what is
around it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cssselect2 import SelectorError

from husky_lint.parse.css import AtRule, StyleRule
from husky_lint.style import values
from husky_lint.style.selectors import MatchContext, Selector, parse_selector_list
from husky_lint.style.tree import SVG, XHTML
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element

    from husky_lint.parse.css import Stylesheet
    from husky_lint.source import Span
    from husky_lint.style.tree import Node, Tree
    from husky_lint.style.vocabulary import Axis, AxisValue, StateVocabulary

#: The attribute that may be looked at declaration by declaration.
STYLE = "style"
_TRUE = words("true 1 yes on")
_FALSE = words("false 0 no off")
_GENERIC = words("is has are state mode js page on with data aria")
_PLAIN_ATTRIBUTES = words(
    """
    class id href src type role lang dir title style rel name for alt width height viewbox fill stroke d x y points
    transform tabindex value placeholder hidden disabled checked selected
    """
)
_SPLIT = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])")
#: A style sheet with more rules than this is read only so far; real ones have hundreds.
MAX_RULES = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """``carrier`` being ``[name=text]``, ``[name]`` (``text`` None) or ``.name`` means ``value`` on ``axis``.

    ``carriers`` are the elements that the selector allows, the likeliest first. ``selector`` is empty where none looks
    at the place; with the name ``style`` the text may be one declaration of the attribute.
    """

    axis: str
    value: str
    is_class: bool
    name: str
    text: str | None
    carriers: tuple[_Element, ...]
    span: Span
    selector: str

    def holds(self, element: _Element) -> bool:
        """Whether an element, as it is now, is spelled so."""
        if self.is_class:
            return self.name in (element.get("class") or "").split()
        value = element.get(self.name)
        if self.name == STYLE and value is not None and self.text in declarations(value):
            return True
        return value is not None and (self.text is None or value == self.text)

    @property
    def spelling(self) -> str:
        """As a selector."""
        if self.is_class:
            return "." + self.name
        return f"[{self.name}]" if self.text is None else f'[{self.name}="{self.text}"]'


def declarations(text: str) -> list[str]:
    """The declarations of a style attribute, each without the spaces around its name and its value."""
    split = (one.partition(":") for one in text.split(";"))
    return [f"{name.strip()}:{value.strip()}" for name, colon, value in split if colon]


def parts_of(name: str) -> list[str]:
    """The lower-case words of an identifier: ``is-hop``, ``isHop`` and ``IS_HOP`` all give is, hop."""
    return [part.lower() for part in _SPLIT.split(name) if part]


def attribute_meanings(vocabulary: StateVocabulary, name: str, text: str | None) -> Iterator[tuple[Axis, AxisValue]]:
    """The axis values that an attribute selector could mean."""
    lower = name.lower()
    if lower in _PLAIN_ATTRIBUTES or lower.startswith("aria-"):
        return
    parts = [part for part in parts_of(name) if part != "data"]
    for axis in vocabulary.axes:
        hinted = any(part in axis.hints for part in parts)
        if text is not None:
            word = text.strip().lower()
            value = _value_for(axis, word, hinted)
            if value is not None:
                yield axis, value
                continue
        if text is None or text.strip().lower() in _TRUE | _FALSE | {""}:
            named = next((v for v in axis.values if any(part in v.words for part in parts)), None)
            if named is None or any(part not in named.words | axis.hints | _GENERIC for part in parts):
                continue
            if text is not None and text.strip().lower() in _FALSE:
                opposite = axis.opposite(named.name)
                if opposite is not None:
                    yield axis, opposite
            else:
                yield axis, named


def _value_for(axis: Axis, word: str, hinted: bool) -> AxisValue | None:
    for value in axis.values:
        if word in value.words or (hinted and word in value.weak):
            return value
    split = parts_of(word)
    if len(split) > 1:
        return next((v for v in axis.values if _names(split, v, axis)), None)
    return None


def class_meanings(vocabulary: StateVocabulary, name: str) -> Iterator[tuple[Axis, AxisValue]]:
    """The axis values that a class could mean."""
    split = parts_of(name)
    for axis in vocabulary.axes:
        value = next((v for v in axis.values if _names(split, v, axis)), None)
        if value is not None:
            yield axis, value


def _names(parts: Sequence[str], value: AxisValue, axis: Axis) -> bool:
    """Whether the words of a name are a value's own, with nothing but hints of the axis and filler around."""
    hinted = any(part in axis.hints for part in parts)
    found = [part for part in parts if part in value.words or (hinted and part in value.weak)]
    return bool(found) and all(part in found or part in axis.hints or part in _GENERIC for part in parts)


# ---------------------------------------------------------------------------------------------------------------------
# Selectors


@dataclass(frozen=True, slots=True)
class _Marker:
    is_class: bool
    name: str
    text: str | None


def find_forms(sheets: Iterable[Stylesheet], tree: Tree, vocabulary: StateVocabulary) -> tuple[Form, ...]:
    """Every form in the sheets' selectors, in their order."""
    carriers = Carriers(tree)
    found: list[Form] = []
    meanings: dict[_Marker, tuple[tuple[Axis, AxisValue], ...]] = {}
    for rule, nesting in _style_rules(sheets, tree.fold):
        for compounds in _complexes(rule.prelude):
            for place, compound in enumerate(compounds):
                markers = tuple(_markers(compound))
                for marker in markers:
                    if marker not in meanings:
                        meanings[marker] = tuple(_meanings(vocabulary, marker))
                meant = [(marker, axis, value) for marker in markers for axis, value in meanings[marker]]
                if not meant:
                    continue
                rest = _without(compound, {marker for marker, _, _ in meant})
                subject = rule if place == len(compounds) - 1 else None
                for marker, axis, value in meant:
                    allowed = carriers.of(rest, nesting, marker, subject)
                    if allowed:
                        found.append(
                            Form(
                                axis.name,
                                value.name,
                                marker.is_class,
                                marker.name,
                                marker.text,
                                allowed,
                                rule.selector_span,
                                rule.selector_text,
                            )
                        )
    return tuple(found)


def named_marks(sheets: Iterable[Stylesheet], fold: bool) -> Iterator[tuple[StyleRule, bool, str, str | None]]:
    """Every class and attribute that a selector names: the rule, whether it is a class, its name, its value."""
    for rule, _ in _style_rules(sheets, fold):
        for compounds in _complexes(rule.prelude):
            for compound in compounds:
                for marker in _markers(compound):
                    yield rule, marker.is_class, marker.name, marker.text


_Nesting = tuple[Selector, ...] | None


def _style_rules(sheets: Iterable[Stylesheet], fold: bool) -> Iterator[tuple[StyleRule, _Nesting]]:
    """The style rules, each with what ``&`` means in it."""
    count = 0
    for sheet in sheets:
        stack: list[tuple[StyleRule | AtRule, _Nesting, bool]] = [(rule, None, False) for rule in reversed(sheet.rules)]
        while stack:
            rule, nesting, nested = stack.pop()
            if isinstance(rule, StyleRule):
                count += 1
                if count > MAX_RULES:
                    return
                yield rule, nesting
                if not rule.rules:
                    continue
                try:
                    nesting = parse_selector_list(rule.prelude, nesting=nesting, nested=nested, fold=fold)
                except SelectorError:
                    continue
                nested = True
            elif rule.keyword in {"keyframes", "-webkit-keyframes"}:
                continue
            stack.extend((inner, nesting, nested) for inner in reversed(rule.rules))


def _complexes(prelude: Sequence[Any]) -> Iterator[list[list[Any]]]:
    """Each complex selector as its compounds, each a list of tokens."""
    for part in values.split_commas(prelude):
        compounds: list[list[Any]] = [[]]
        for token in part:
            if token.type == "whitespace" or token in (">", "+", "~"):
                if compounds[-1]:
                    compounds.append([])
            else:
                compounds[-1].append(token)
        yield [compound for compound in compounds if compound]


def _markers(compound: Sequence[Any]) -> Iterator[_Marker]:
    """Classes and attribute selectors of a compound, also inside ``:is()``, ``:where()`` and ``:not()``."""
    for place, token in enumerate(compound):
        before = compound[place - 1] if place else None
        if token.type == "ident" and before == ".":
            yield _Marker(True, token.value, None)
        elif token.type == "[] block":
            marker = _attribute(token)
            if marker is not None:
                yield marker
        elif token.type == "function" and token.lower_name in {"is", "where", "not"} and before == ":":
            for inner in _complexes(token.arguments):
                if len(inner) == 1:
                    yield from _simple_markers(inner[0])


def _simple_markers(compound: Sequence[Any]) -> Iterator[_Marker]:
    for place, token in enumerate(compound):
        if token.type == "ident" and place and compound[place - 1] == ".":
            yield _Marker(True, token.value, None)
        elif token.type == "[] block":
            marker = _attribute(token)
            if marker is not None:
                yield marker


def _attribute(block: Any) -> _Marker | None:
    tokens = values.split_spaces(block.content)
    if not tokens or tokens[0].type != "ident":
        return None
    if len(tokens) == 1:
        return _Marker(False, tokens[0].value, None)
    if len(tokens) >= 3 and tokens[1] in ("=", "~=") and tokens[2].type in {"ident", "string"}:
        return _Marker(False, tokens[0].value, tokens[2].value)
    return None


def _meanings(vocabulary: StateVocabulary, marker: _Marker) -> Iterator[tuple[Axis, AxisValue]]:
    if marker.is_class:
        return class_meanings(vocabulary, marker.name)
    return attribute_meanings(vocabulary, marker.name, marker.text)


class Carriers:
    """The elements of a page that can carry its state, the likeliest first."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._context = MatchContext(tree)
        around: dict[int, Node] = {}
        inside: dict[int, Node] = {}
        for node in tree.nodes:
            if node.namespace == SVG and node.name == "svg":
                around[node.position] = node
                around.update((above.position, above) for above in node.ancestors())
            elif node.namespace == SVG and node.name == "g":
                inside[node.position] = node
        self.around = [around[position] for position in sorted(around)]
        self.inside = [inside[position] for position in sorted(inside)]
        self._matching: dict[tuple[str, _Nesting, bool], list[Node] | None] = {}

    def of(
        self, rest: Sequence[Any], nesting: _Nesting, marker: _Marker, subject: StyleRule | None
    ) -> tuple[_Element, ...]:
        """The elements that can carry a marker: those that match the rest of its compound.

        ``subject`` is the rule where it styles the carrier itself, instead of what is inside.
        """
        found = self._fitting(rest, nesting, deep=subject is None)
        if found is None:
            return ()
        nodes = list(found)
        if not rest and marker.is_class:
            if self._names_a_thing(marker.name, nodes):
                return ()
            if subject is not None and not any(d.name.startswith("--") for d in subject.declarations):
                # `.night { opacity: 0 }` is rather a thing of that name; `.night { --sky: navy }` is the page at night.
                nodes = [node for node in nodes if self._has(node, marker)]
        nodes.sort(key=lambda node: not self._has(node, marker))
        return tuple(node.element for node in nodes)

    def _fitting(self, rest: Sequence[Any], nesting: _Nesting, *, deep: bool) -> list[Node] | None:
        """What the rest of a compound matches; None where it is no selector. Most markers have the same few rests."""
        key = (values.serialize(rest), nesting, deep)
        if key not in self._matching:
            nodes: list[Node] | None = [node for node in self.around if node.namespace in {SVG, XHTML}]
            if deep and nodes is not None:
                nodes += self.inside
            if rest and nodes is not None:
                try:
                    selectors = parse_selector_list(rest, nesting=nesting, fold=self.tree.fold)
                    nodes = [n for n in nodes if any(s.matches(n, self._context) for s in selectors)]
                except SelectorError:
                    nodes = None
            self._matching[key] = nodes
        return self._matching[key]

    def let_go(self) -> None:
        """Take the tree apart; nothing can be asked after that."""
        self.tree.let_go()

    def _names_a_thing(self, name: str, allowed: Sequence[Node]) -> bool:
        """Whether the page's markup already calls something so that cannot carry a state."""
        positions = {node.position for node in allowed}
        return any(node.position not in positions for node in self.tree.index.get("." + name, ()))

    @staticmethod
    def _has(node: Node, marker: _Marker) -> bool:
        return marker.name in (node.classes if marker.is_class else node.attributes)


def _without(compound: Sequence[Any], markers: set[_Marker]) -> list[Any]:
    """The compound's tokens without the state markers; ``:is()``, ``:where()`` and ``:not()`` of them go too."""
    kept: list[Any] = []
    for token in compound:
        if token.type == "[] block" and _attribute(token) in markers:
            continue
        if token.type == "ident" and kept and kept[-1] == "." and _Marker(True, token.value, None) in markers:
            kept.pop()
            continue
        if token.type == "function" and kept and kept[-1] == ":" and token.lower_name in {"is", "where", "not"}:
            alternatives = [
                [marker for compound in part for marker in _simple_markers(compound)]
                for part in _complexes(token.arguments)
            ]
            # One alternative that the state can bring about is enough of `:is()`; `:not()` is about them all.
            enough = all if token.lower_name == "not" else any
            if alternatives and enough(inner and all(m in markers for m in inner) for inner in alternatives):
                kept.pop()
                continue
        kept.append(token)
    return [] if len(kept) == 1 and kept[0] == "*" else kept


def reading(forms: Sequence[Form], vocabulary: StateVocabulary) -> dict[str, str]:
    """The value of each axis that the document, as it is now, spells where the forms look.

    An attribute may hold a value that no selector names (the walk is often what is left): its text is read too, and so
    is a class that is built as those which selectors name. Of two values of which selectors spell but one, the other
    is when that one is not.
    """
    found: dict[str, str] = {}
    for form in forms:
        if form.axis in found:
            continue
        for carrier in form.carriers:
            value = _read(form, carrier, vocabulary)
            if value is not None:
                found[form.axis] = value
                break
    for axis in vocabulary.axes:
        if axis.name not in found:
            unnamed = _read_classes([form for form in forms if form.axis == axis.name and form.is_class], axis)
            if unnamed is not None:
                found[axis.name] = unnamed
        spelled = {form.value for form in forms if form.axis == axis.name}
        other = axis.opposite(next(iter(spelled))) if len(spelled) == 1 else None
        if other is not None:
            found.setdefault(axis.name, other.name)
    return found


def _read(form: Form, carrier: _Element, vocabulary: StateVocabulary) -> str | None:
    if form.holds(carrier):
        return form.value
    text = None if form.is_class else carrier.get(form.name)
    if text is None:
        return None
    meanings = attribute_meanings(vocabulary, form.name, text)
    return next((value.name for axis, value in meanings if axis.name == form.axis), None)


def _read_classes(forms: Sequence[Form], axis: Axis) -> str | None:
    """The value that a carrier's class spells as the forms do, if no selector names it: ``is-walk`` by ``is-hop``."""
    values = {value.name: value for value in axis.values}
    looked: set[tuple[frozenset[str], _Element]] = set()
    for form in forms:
        around = _around(form.name, values[form.value], axis)
        for carrier in form.carriers:
            if (around, carrier) in looked:
                continue
            looked.add((around, carrier))
            for name in (carrier.get("class") or "").split():
                split = parts_of(name)
                for value in axis.values:
                    if _names(split, value, axis) and _around(name, value, axis) == around:
                        return value.name
    return None


def _around(name: str, value: AxisValue, axis: Axis) -> frozenset[str]:
    """The words of a class that are not the value's own."""
    split = parts_of(name)
    return frozenset(
        part for part in split if (part not in value.words and part not in value.weak) or part in axis.hints
    )
