"""Selectors of ``querySelector``, ``matches`` and ``closest`` as tests on lxml elements of a tree that changes.

The cascade has its own, richer matcher (style/selectors.py), on an index of a tree that stands still. Here each query
may meet another tree, so a test walks lxml itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from cssselect2 import parser
from lxml import etree
from tinycss2.nth import parse_nth

from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lxml.etree import _Element

    from husky_lint.script.journal import Journal

    Test = Callable[[_Element, "Query"], bool]

XHTML = "{http://www.w3.org/1999/xhtml}"
_MAX_LENGTH = 2000
_NEVER = words(
    """
    hover focus focus-within focus-visible active visited target fullscreen modal popover-open
    """
)


class Undecided(Exception):  # noqa: N818 - no error: the answer depends on what is not known
    """The tree is not known where the selector looks."""


class Query:
    """One evaluation: what ``:scope`` is, and what is unknown of the tree."""

    __slots__ = ("journal", "scope")

    def __init__(self, journal: Journal, scope: _Element | None) -> None:
        self.journal = journal
        self.scope = scope

    def attribute(self, element: _Element, name: str) -> str | None:
        if self.journal.unknown and (element, name) in self.journal.unknown:
            raise Undecided
        return element.get(name)


@dataclass(frozen=True, slots=True)
class Selector:
    """A selector list. ``reads`` are the attributes that decide what it matches, beside where elements stand.

    None says that something else decides too, such as a box that is ticked. ``needs`` is an attribute that whatever it
    matches has, and a piece of its value.
    """

    test: Test
    reads: frozenset[str] | None
    needs: tuple[str, str] | None

    def candidates(self, scope: _Element) -> Iterator[_Element]:
        """The elements in a scope, itself included, that may match."""
        everything = scope.iter(etree.Element)
        if self.needs is None:
            return everything
        name, piece = self.needs
        return (one for one in everything if (value := one.get(name)) is not None and piece in value)


def local_name(element: _Element) -> str:
    """The tag without its namespace."""
    tag = str(element.tag)
    return tag.rpartition("}")[2]


def compile_selector(text: str) -> Test | None:
    """The test for a selector list; None if it is no selector. Raises :class:`Undecided` for what is not followed."""
    selector = read_selector(text)
    return None if selector is None else selector.test


@lru_cache(maxsize=512)
def read_selector(text: str) -> Selector | None:
    """A selector list; None if it is no selector. Raises :class:`Undecided` for what is not followed."""
    if len(text) > _MAX_LENGTH:
        raise Undecided
    try:
        selectors = list(parser.parse(text))
    except (parser.SelectorError, ValueError):
        return None
    except RecursionError:
        raise Undecided from None
    if not selectors or any(selector.pseudo_element for selector in selectors):
        return None
    trees = [selector.parsed_tree for selector in selectors]
    needs = _needs(trees[0]) if len(trees) == 1 else None
    return Selector(_any([_compile(tree) for tree in trees]), _reads(trees), needs)


def _needs(tree: Any) -> tuple[str, str] | None:
    subject = tree.right if type(tree).__name__ == "CombinedSelector" else tree
    for node in subject.simple_selectors if type(subject).__name__ == "CompoundSelector" else (subject,):
        kind = type(node).__name__
        if kind == "IDSelector":
            return "id", node.ident
        if kind == "ClassSelector":
            return "class", node.class_name
        if kind == "AttributeSelector" and node.name == node.lower_name:
            exact = node.operator is not None and getattr(node, "case_sensitive", None) is not False
            return node.name, node.value if exact else ""
    return None


def _reads(trees: list[Any]) -> frozenset[str] | None:
    found: set[str] = set()
    waiting = list(trees)
    while waiting:
        node = waiting.pop()
        kind = type(node).__name__
        if kind == "CompoundSelector":
            waiting += node.simple_selectors
        elif kind == "CombinedSelector":
            waiting += (node.left, node.right)
        elif kind == "AttributeSelector":
            found |= {node.name, node.lower_name}
        elif kind in _READS:
            found |= _READS[kind]
        elif kind == "PseudoClassSelector" and node.name in _PLACES:
            continue
        elif kind in ("NegationSelector", "MatchesAnySelector", "SpecificityAdjustmentSelector"):
            waiting += [selector.parsed_tree for selector in node.selector_list]
        else:
            return None
    return frozenset(found)


_READS: dict[str, frozenset[str]] = {
    "LocalNameSelector": frozenset(),
    "FunctionalPseudoClassSelector": frozenset(),
    "IDSelector": frozenset({"id"}),
    "ClassSelector": frozenset({"class"}),
}
_PLACES = words("first-child last-child only-child root scope first-of-type last-of-type")


def simple_id(text: str) -> str | None:
    """The id, if the selector is no more than that."""
    name = text.strip()[1:]
    plain = name.replace("-", "").replace("_", "")
    return name if text.strip()[:1] == "#" and plain.isalnum() and not name[0].isdigit() else None


def _any(tests: list[Test]) -> Test:
    if len(tests) == 1:
        return tests[0]
    return lambda element, query: any([test(element, query) for test in tests])  # noqa: C419 - no short cut past Undecided


def _compile(node: Any) -> Test:
    rule = _RULES.get(type(node).__name__)
    if rule is None:
        raise Undecided
    return rule(node)


def _compound(node: Any) -> Test:
    tests = [_compile(part) for part in node.simple_selectors]
    if len(tests) == 1:
        return tests[0]

    def run(element: _Element, query: Query) -> bool:
        return all(test(element, query) for test in tests)

    return run


def _combined(node: Any) -> Test:
    left, right = _compile(node.left), _compile(node.right)
    combinator = node.combinator

    def candidates(element: _Element) -> Iterator[_Element]:
        if combinator == " ":
            yield from element.iterancestors()
        elif combinator == ">":
            parent = element.getparent()
            if parent is not None:
                yield parent
        elif combinator == "+":
            before = next(element.itersiblings(etree.Element, preceding=True), None)
            if before is not None:
                yield before
        else:
            yield from element.itersiblings(etree.Element, preceding=True)

    def run(element: _Element, query: Query) -> bool:
        return right(element, query) and any(left(other, query) for other in candidates(element))

    return run


def _local_name(node: Any) -> Test:
    exact, lowered = node.local_name, node.lower_local_name
    html = XHTML + lowered

    def run(element: _Element, query: Query) -> bool:
        tag = element.tag
        return tag == html or (not str(tag).startswith(XHTML) and local_name(element) == exact)

    return run


def _id(node: Any) -> Test:
    wanted = node.ident
    return lambda element, query: query.attribute(element, "id") == wanted


def _class(node: Any) -> Test:
    wanted = node.class_name

    def run(element: _Element, query: Query) -> bool:
        value = query.attribute(element, "class")
        return value is not None and wanted in value and wanted in value.split()

    return run


def _attribute(node: Any) -> Test:
    name, lowered = node.name, node.lower_name
    operator, wanted = node.operator, node.value
    caseless = getattr(node, "case_sensitive", None) is False

    def run(element: _Element, query: Query) -> bool:
        value = query.attribute(element, name)
        if value is None and name != lowered and str(element.tag).startswith(XHTML):
            value = query.attribute(element, lowered)
        if value is None or operator is None:
            return value is not None
        return _compare(operator, value.lower(), wanted.lower()) if caseless else _compare(operator, value, wanted)

    return run


def _compare(operator: str, value: str, wanted: str) -> bool:
    if operator == "=":
        return value == wanted
    if operator == "~=":
        return wanted in value.split() and " " not in wanted
    if operator == "|=":
        return value == wanted or value.startswith(wanted + "-")
    if not wanted:
        return False
    if operator == "^=":
        return value.startswith(wanted)
    return value.endswith(wanted) if operator == "$=" else wanted in value


def _pseudo_class(node: Any) -> Test:
    name = node.name
    if name in _NEVER:
        return lambda element, query: False
    rule = _PSEUDO.get(name)
    if rule is None:
        raise Undecided
    return rule


def _is_first(element: _Element, query: Query) -> bool:
    return next(element.itersiblings(etree.Element, preceding=True), None) is None


def _is_last(element: _Element, query: Query) -> bool:
    return next(element.itersiblings(etree.Element), None) is None


def _is_root(element: _Element, query: Query) -> bool:
    return element.getparent() is None


def _is_scope(element: _Element, query: Query) -> bool:
    return element is query.scope if query.scope is not None else element.getparent() is None


def _is_empty(element: _Element, query: Query) -> bool:
    return len(element) == 0 and not element.text


def _is_checked(element: _Element, query: Query) -> bool:
    state = query.journal.properties.get((element, "checked"))
    if state is not None:
        return bool(state)
    name = "selected" if local_name(element) == "option" else "checked"
    return query.attribute(element, name) is not None


def _is_disabled(element: _Element, query: Query) -> bool:
    return query.attribute(element, "disabled") is not None


_PSEUDO: dict[str, Test] = {
    "first-child": _is_first,
    "last-child": _is_last,
    "only-child": lambda element, query: _is_first(element, query) and _is_last(element, query),
    "root": _is_root,
    "scope": _is_scope,
    "empty": _is_empty,
    "checked": _is_checked,
    "disabled": _is_disabled,
    "enabled": lambda element, query: not _is_disabled(element, query),
    "first-of-type": lambda element, query: next(element.itersiblings(str(element.tag), preceding=True), None) is None,
    "last-of-type": lambda element, query: next(element.itersiblings(str(element.tag)), None) is None,
}


def _functional(node: Any) -> Test:
    if node.name not in ("nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"):
        raise Undecided
    formula = parse_nth(node.arguments)
    if formula is None:
        raise Undecided
    step, offset = formula
    preceding = "last" not in node.name
    typed = node.name.endswith("of-type")

    def run(element: _Element, query: Query) -> bool:
        kind: Any = str(element.tag) if typed else etree.Element
        place = 1 + sum(1 for _ in element.itersiblings(kind, preceding=preceding))
        count, rest = (0, place - offset) if step == 0 else divmod(place - offset, step)
        return rest == 0 and count >= 0

    return run


def _not(node: Any) -> Test:
    inner = _any([_compile(selector.parsed_tree) for selector in node.selector_list])
    return lambda element, query: not inner(element, query)


def _matches_any(node: Any) -> Test:
    return _any([_compile(selector.parsed_tree) for selector in node.selector_list])


_RULES: dict[str, Callable[[Any], Test]] = {
    "CompoundSelector": _compound,
    "CombinedSelector": _combined,
    "LocalNameSelector": _local_name,
    "IDSelector": _id,
    "ClassSelector": _class,
    "AttributeSelector": _attribute,
    "PseudoClassSelector": _pseudo_class,
    "FunctionalPseudoClassSelector": _functional,
    "NegationSelector": _not,
    "MatchesAnySelector": _matches_any,
    "SpecificityAdjustmentSelector": _matches_any,
}
