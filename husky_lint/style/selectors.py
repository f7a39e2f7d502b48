"""Selectors Level 4 and CSS Nesting, as Chromium reads them.

cssselect2 parses the type and attribute selectors; what it lacks is here: forgiving lists, ``:has()`` anchored at its
element, ``:nth-child(of S)``, ``&``, ``:scope``, ``:host``, the pseudo-elements and -classes that Chromium knows, and
the case rules of SVG inside HTML. A selector is compiled once into a test over :class:`~husky_lint.style.tree.Node`,
together with what it depends on, so that states of a page can share the result of matching.

The page is judged at rest: nothing is hovered, focused or active; a checkbox is checked when its markup says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cssselect2 import SelectorError
from cssselect2.parser import (
    AttributeSelector,
    LocalNameSelector,
    NamespaceSelector,
    TokenStream,
    parse_attribute_selector,
    parse_type_selector,
)
from tinycss2.nth import parse_nth

from husky_lint.style.tree import XHTML, XLINK_HREF, Node, Tree
from husky_lint.style.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

Specificity = tuple[int, int, int]

#: A longer chain of compounds, or a deeper nesting of selectors, is refused as :class:`SelectorLimitError`.
MAX_COMPOUNDS = 64
MAX_DEPTH = 32
#: How many calls deep a test may go; nesting multiplies what the two limits above allow.
MAX_HEIGHT = 150
#: More simple selectors in one compound, or selectors in one list, than this are refused too.
MAX_WIDTH = 2048

_NEVER = words(
    """
    active active-view-transition autofill current focus focus-visible focus-within fullscreen future hover
    interest-source interest-target modal past picture-in-picture popover-open target target-after
    target-before target-current user-invalid user-valid visited xr-overlay -webkit-autofill -webkit-drag
    -webkit-full-screen -webkit-full-screen-ancestor -webkit-full-page-media horizontal vertical start end
    increment decrement double-button single-button no-button corner-present window-inactive
    """
)
_LEGACY_PSEUDO_ELEMENTS = frozenset({"before", "after", "first-line", "first-letter"})
_PSEUDO_ELEMENTS = words(
    """
    after backdrop before checkmark column cue details-content file-selector-button first-letter first-line
    grammar-error marker picker-icon placeholder scroll-marker scroll-marker-group search-text selection
    spelling-error target-text view-transition
    """
)
_FUNCTIONAL_PSEUDO_ELEMENTS = words(
    """
    cue highlight part picker scroll-button slotted view-transition-group view-transition-group-children
    view-transition-image-pair view-transition-new view-transition-old
    """
)
#: Attributes whose values HTML compares without case (HTML, "Case-sensitivity of selectors").
_CASELESS_ATTRIBUTES = words(
    """
    accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer
    dir direction disabled enctype face frame hreflang http-equiv lang language link media method multiple
    nohref noresize noshade nowrap readonly rel rev rules scope scrolling selected shape target text type
    valign valuetype vlink
    """
)
_CONTROLS = frozenset({"button", "input", "select", "textarea", "option", "optgroup", "fieldset"})
_TEXT_INPUTS = words(
    """
    text search url tel email password date month week time datetime-local number
    """
)


BESIDE = ":beside"
"""The feature of a selector that looks at siblings, at children or at the whole tree, and not only up."""
_UPWARD = frozenset({"root", "scope", "host", "defined", "link", "any-link", "-webkit-any-link", "open"})
"""Pseudo-classes that look at the element and at what is around it, and at nothing else."""


class SelectorLimitError(SelectorError):  # type: ignore[misc]
    """The selector is longer or deeper than what is evaluated here (a browser would go on)."""


@dataclass(slots=True)
class MatchContext:
    """What a test may look at beside the node. ``memo`` belongs to one tree in one state, one scope and one anchor."""

    tree: Tree
    scope: Node | None = None
    anchor: Node | None = None
    memo: dict[tuple[int, int], bool] = field(default_factory=dict)

    def anchored(self, anchor: Node) -> MatchContext:
        return MatchContext(self.tree, self.scope, anchor)

    def scoped(self, scope: Node) -> MatchContext:
        return MatchContext(self.tree, scope)


@dataclass(frozen=True, slots=True, eq=False)
class Selector:
    """One complex selector.

    ``features`` are what its result depends on beside the element's ancestry: ``.class``, ``#id``, ``[attribute``
    (lower case), ``:empty`` and :data:`BESIDE`. ``keys`` are the index keys one of which a matching node must carry;
    None means any.
    """

    test: Callable[[Node, MatchContext], bool]
    specificity: Specificity
    features: frozenset[str]
    keys: frozenset[str] | None
    pseudo_element: str | None = None
    height: int = 1

    def matches(self, node: Node, context: MatchContext) -> bool:
        return self.test(node, context)


@dataclass(frozen=True, slots=True)
class _Part:
    """A simple or compound selector while it is compiled. ``rank`` orders index keys: ids are the most selective."""

    test: Callable[[Node, MatchContext], bool]
    specificity: Specificity = (0, 0, 0)
    features: frozenset[str] = frozenset()
    keys: frozenset[str] | None = None
    rank: int = 9
    height: int = 1


def parse_selector_list(
    tokens: Iterable[Any],
    *,
    nesting: Sequence[Selector] | None = None,
    nested: bool = False,
    namespaces: Mapping[str | None, str] | None = None,
    fold: bool = False,
) -> tuple[Selector, ...]:
    """Compile a style rule's prelude; raises :class:`cssselect2.SelectorError` where Chromium drops the rule.

    ``nesting`` is what ``&`` stands for (the parent rule's list; None: the scope). ``nested`` says that the rule stands
    inside another one: selectors may then start with a combinator, and without ``&`` they are descendants of it.
    """
    parser = _Parser(namespaces or {}, nesting, fold)
    stream = TokenStream(token for token in tokens if token.type != "comment")
    return tuple(parser.selectors(stream, "nested" if nested else "absolute", 0))


@dataclass(slots=True)
class _Parser:
    namespaces: Mapping[str | None, str]
    nesting: Sequence[Selector] | None
    fold: bool
    saw_nesting: bool = False

    # ---- lists

    def selectors(self, stream: Any, kind: str, depth: int) -> list[Selector]:
        """A comma-separated list in which every selector must be valid. Kinds: absolute, nested, relative, inner."""
        if depth > MAX_DEPTH:
            raise SelectorLimitError(stream.peek(), "selectors nested too deeply")
        selectors = []
        while True:
            selectors.append(self._complex(stream, kind, depth))
            if len(selectors) > MAX_WIDTH:
                raise SelectorLimitError(stream.peek(), "too many selectors in one list")
            token = stream.next()
            if token is None:
                return selectors
            if token != ",":
                raise SelectorError(token, f"unexpected {token.type}")

    def forgiving(self, tokens: Iterable[Any], depth: int) -> list[Selector]:
        """The list of ``:is()`` and ``:where()``: what is invalid, or names a pseudo-element, is left out."""
        if depth > MAX_DEPTH:
            raise SelectorLimitError(None, "selectors nested too deeply")
        groups: list[list[Any]] = [[]]
        for token in tokens:
            if token == ",":
                groups.append([])
            else:
                groups[-1].append(token)
        if len(groups) > MAX_WIDTH:
            raise SelectorLimitError(None, "too many selectors in one list")
        found = []
        for group in groups:
            try:
                (selector,) = self.selectors(TokenStream(group), "inner", depth)
            except SelectorLimitError:
                raise
            except SelectorError:
                continue
            if selector.pseudo_element is None:
                found.append(selector)
        return found

    # ---- complex and compound selectors

    def _complex(self, stream: Any, kind: str, depth: int) -> Selector:
        stream.skip_whitespace_and_comment()
        outer_saw, self.saw_nesting = self.saw_nesting, False
        combinator: str | None = None
        if kind in {"nested", "relative"}:
            peek = stream.peek()
            if peek in (">", "+", "~"):
                combinator = peek.value
                stream.next()
                stream.skip_whitespace_and_comment()
            elif kind == "relative":
                combinator = " "
        parts: list[tuple[str | None, _Part]] = []
        leading = combinator
        while True:
            compound, pseudo_element = self._compound(stream, depth)
            parts.append((leading, compound))
            if len(parts) > MAX_COMPOUNDS:
                raise SelectorLimitError(stream.peek(), "too many compounds in one selector")
            space = stream.skip_whitespace()
            while stream.skip_comment():
                space = stream.skip_whitespace() or space
            peek = stream.peek()
            if peek is None or peek == ",":
                break
            if pseudo_element is not None:
                raise SelectorError(peek, "nothing may follow a pseudo-element")
            if peek in (">", "+", "~"):
                leading = peek.value
                stream.next()
                stream.skip_whitespace_and_comment()
            elif space:
                leading = " "
            else:
                raise SelectorError(peek, f"unexpected {peek.type}")
        if kind == "relative":
            parts.insert(0, (None, _Part(_is_anchor)))
        elif kind == "nested" and (combinator is not None or not self.saw_nesting):
            parts[0] = (combinator or " ", parts[0][1])
            parts.insert(0, (None, self._nesting_part()))
        self.saw_nesting = self.saw_nesting or outer_saw
        test, height = parts[0][1].test, parts[0][1].height
        for leading, part in parts[1:]:
            test = _combine(test, leading or " ", part.test)
            height = max(height, part.height) + 1
        if height > MAX_HEIGHT:
            raise SelectorLimitError(stream.peek(), "selectors nested too deeply")
        last = parts[-1][1]
        beside = {BESIDE} if any(leading in {"+", "~"} for leading, _ in parts[1:]) else set[str]()
        return Selector(
            test,
            _total([part.specificity for _, part in parts] + ([(0, 0, 1)] if pseudo_element else [])),
            frozenset(beside).union(*(part.features for _, part in parts)),
            last.keys,
            pseudo_element,
            height,
        )

    def _compound(self, stream: Any, depth: int) -> tuple[_Part, str | None]:
        parts: list[_Part] = []
        start = stream.peek()
        try:
            types = parse_type_selector(stream, self.namespaces)
        except AttributeError as error:  # cssselect2 reads past the end of a|
            raise SelectorError(start, "incomplete type selector") from error
        if types is not None:
            parts.extend(_type_part(selector) for selector in types)
        elif depth == 0 and self.namespaces.get(None):
            parts.append(_type_part(NamespaceSelector(self.namespaces[None])))
            types = []
        pseudo_element = None
        while True:
            peek = stream.peek()
            if peek is None:
                break
            if peek == ":":
                stream.next()
                token = stream.next()
                if token == ":":
                    pseudo_element = self._pseudo_element(stream.next())
                elif token is not None and token.type == "ident" and token.lower_value in _LEGACY_PSEUDO_ELEMENTS:
                    pseudo_element = token.lower_value
                else:
                    parts.append(self._pseudo_class(token, depth))
                    continue
                self._after_pseudo_element(stream, pseudo_element, depth)
                break
            part = self._simple(stream, peek)
            if part is None:
                break
            parts.append(part)
            if len(parts) > MAX_WIDTH:
                raise SelectorLimitError(peek, "too many simple selectors in one compound")
        if types is None and not parts and pseudo_element is None:
            raise SelectorError(start, "expected a selector")
        return _all_of(parts), pseudo_element

    def _simple(self, stream: Any, peek: Any) -> _Part | None:
        if peek.type == "hash":
            stream.next()
            if not peek.is_identifier:
                raise SelectorError(peek, "not an identifier")
            return _id_part(peek.value.lower() if self.fold else peek.value)
        if peek == ".":
            stream.next()
            token = stream.next()
            if token is None or token.type != "ident":
                raise SelectorError(token, "expected a class name")
            return _class_part(token.value.lower() if self.fold else token.value)
        if peek == "&":
            stream.next()
            return self._nesting_part()
        if peek.type == "[] block":
            stream.next()
            inner = TokenStream(peek.content)
            any_namespace = _any_namespace(peek.content)
            try:
                attribute = parse_attribute_selector(inner, self.namespaces)
            except AttributeError as error:  # cssselect2 reads past the end of [a|]
                raise SelectorError(peek, "incomplete attribute selector") from error
            inner.skip_whitespace()
            if inner.peek() is not None or attribute.case_sensitive:  # Chromium does not know the flag s
                raise SelectorError(peek, "unexpected end of the attribute selector")
            return _attribute_part(attribute, any_namespace)
        return None

    # ---- pseudo-classes and -elements

    def _pseudo_element(self, token: Any) -> str:
        if token is not None and token.type == "ident":
            name: str = token.lower_value
            if name in _PSEUDO_ELEMENTS or name.startswith("-webkit-"):
                return name
        elif token is not None and token.type == "function" and token.lower_name in _FUNCTIONAL_PSEUDO_ELEMENTS:
            return str(token.lower_name)
        raise SelectorError(token, "unknown pseudo-element")

    def _after_pseudo_element(self, stream: Any, pseudo_element: str, depth: int) -> None:
        while stream.peek() == ":":
            stream.next()
            token = stream.next()
            if token == ":":
                inner = self._pseudo_element(stream.next())
                marks = pseudo_element in {"before", "after"} and inner == "marker"
                if not (marks or pseudo_element in {"part", "slotted"}):
                    raise SelectorError(token, "this pseudo-element has none of its own")
                continue
            permissive = pseudo_element.startswith("-webkit-") or pseudo_element == "part"
            logical = token is not None and token.type == "function" and token.lower_name in {"is", "where", "not"}
            if not (permissive or logical):
                raise SelectorError(token, "no pseudo-class may follow this pseudo-element")
            self._pseudo_class(token, depth)

    def _pseudo_class(self, token: Any, depth: int) -> _Part:
        if token is not None and token.type == "ident":
            name = token.lower_value
            if name in _NEVER:
                return _Part(_never, (0, 1, 0))
            if name in _PSEUDO_CLASSES:
                test, features = _PSEUDO_CLASSES[name]
                if name == "scope" and self.nesting is None:  # inside @scope it does what & does
                    self.saw_nesting = True
                return _Part(test, (0, 1, 0), frozenset(features if name in _UPWARD else (*features, BESIDE)))
            raise SelectorError(token, f"unknown pseudo-class :{name}")
        if token is None or token.type != "function":
            raise SelectorError(token, "expected a pseudo-class")
        return self._functional(token, token.lower_name, depth)

    def _functional(self, token: Any, name: str, depth: int) -> _Part:
        arguments = token.arguments
        if name in {"is", "where"}:
            selectors = self.forgiving(arguments, depth + 1)
            return _any_of(selectors, weigh=name == "is")
        if name in {"not", "-webkit-any"}:
            selectors = self._strict(token, "inner", depth)
            any_part = _any_of(selectors)
            if name == "-webkit-any":
                return any_part
            test = any_part.test
            return _Part(
                lambda node, context: not test(node, context),
                any_part.specificity,
                any_part.features,
                height=any_part.height + 1,
            )
        if name == "has":
            if _mentions_has(arguments):
                raise SelectorError(token, ":has() inside :has()")
            return _has_part(self._strict(token, "relative", depth))
        if name in _NTH:
            return self._nth(token, name, depth)
        if name in {"host", "host-context"}:
            self._strict(token, "inner", depth)
            return _Part(_never, (0, 1, 0))  # the document has no host, and what a clone's host shows is not looked at
        if name == "lang":
            names = _idents(arguments)
            if len(names) != 1:
                raise SelectorError(token, "expected one language")
            return _Part(_language_test(names[0].lower()), (0, 1, 0), frozenset({"[lang"}))
        if name == "dir":
            names = _idents(arguments)
            if len(names) != 1:
                raise SelectorError(token, "expected one direction")
            return _Part(_direction_test(names[0].lower()), (0, 1, 0), frozenset({"[dir"}))
        if name in {"state", "active-view-transition-type"}:
            if not _idents(arguments):
                raise SelectorError(token, "expected a name")
            return _Part(_never, (0, 1, 0))
        raise SelectorError(token, f"unknown pseudo-class :{name}()")

    def _strict(self, token: Any, kind: str, depth: int) -> list[Selector]:
        selectors = self.selectors(TokenStream(token.arguments), kind, depth + 1)
        if any(selector.pseudo_element is not None for selector in selectors):
            raise SelectorError(token, "a pseudo-element cannot stand here")
        return selectors

    def _nth(self, token: Any, name: str, depth: int) -> _Part:
        arguments = list(token.arguments)
        split = next((i for i, t in enumerate(arguments) if t.type == "ident" and t.lower_value == "of"), None)
        formula = parse_nth(arguments if split is None else arguments[:split])
        if formula is None or (split is not None and "type" in name):
            raise SelectorError(token, f"invalid arguments of :{name}()")
        among: list[Selector] | None = None
        if split is not None:
            among = self.selectors(TokenStream(arguments[split + 1 :]), "inner", depth + 1)
            if any(selector.pseudo_element for selector in among):
                raise SelectorError(token, "a pseudo-element cannot stand here")
        return _nth_part(formula, among, of_type="type" in name, last="last" in name)

    def _nesting_part(self) -> _Part:
        self.saw_nesting = True
        if self.nesting is None:
            return _Part(_is_scope)
        return _any_of([selector for selector in self.nesting if selector.pseudo_element is None])


# ---- combinators


def _combine(
    left: Callable[[Node, MatchContext], bool], combinator: str, right: Callable[[Node, MatchContext], bool]
) -> Callable[[Node, MatchContext], bool]:
    if combinator == ">":

        def child(node: Node, context: MatchContext) -> bool:
            return right(node, context) and node.parent is not None and left(node.parent, context)

        return child
    if combinator == "+":

        def adjacent(node: Node, context: MatchContext) -> bool:
            return right(node, context) and node.index > 0 and left(node.siblings[node.index - 1], context)

        return adjacent

    def step(node: Node) -> Node | None:
        if combinator == " ":
            return node.parent
        return node.siblings[node.index - 1] if node.index > 0 else None

    def distant(node: Node, context: MatchContext) -> bool:
        if not right(node, context):
            return False
        # Whether any node further on matches is the same question for each node on the way: ask it once, so that
        # chains of descendant and sibling combinators stay linear.
        memo, walked, found, own = context.memo, [], False, id(distant)
        at = step(node)
        while at is not None:
            key = (own, at.position)
            known = memo.get(key)
            if known is not None:
                found = known
                break
            walked.append(key)
            if left(at, context):
                found = True
                break
            at = step(at)
        for key in walked:
            memo[key] = found
        return found

    return distant


def _all_of(parts: Sequence[_Part]) -> _Part:
    if len(parts) == 1:
        return parts[0]
    tests = tuple(part.test for part in parts)
    features = frozenset().union(*(part.features for part in parts))
    keyed = min((part for part in parts if part.keys is not None), key=lambda part: part.rank, default=None)
    keys, rank = (keyed.keys, keyed.rank) if keyed is not None else (None, 9)
    specificity = _total([part.specificity for part in parts])
    height = 2 + max((part.height for part in parts), default=0)
    if len(tests) == 2:
        first, second = tests

        def both(node: Node, context: MatchContext) -> bool:
            return first(node, context) and second(node, context)

        return _Part(both, specificity, features, keys, rank, height)

    def every(node: Node, context: MatchContext) -> bool:
        return all(test(node, context) for test in tests)

    return _Part(every, specificity, features, keys, rank, height)


def _any_of(selectors: Sequence[Selector], *, weigh: bool = True) -> _Part:
    tests = tuple(selector.test for selector in selectors)
    keys: frozenset[str] | None = frozenset()
    for selector in selectors:
        keys = None if keys is None or selector.keys is None else keys | selector.keys

    def some(node: Node, context: MatchContext) -> bool:
        return any(test(node, context) for test in tests)

    return _Part(
        tests[0] if len(tests) == 1 else some,
        max((selector.specificity for selector in selectors), default=(0, 0, 0)) if weigh else (0, 0, 0),
        frozenset().union(*(selector.features for selector in selectors)),
        keys,
        4,
        2 + max((selector.height for selector in selectors), default=0),
    )


def _total(specificities: Sequence[Specificity]) -> Specificity:
    a = b = c = 0
    for one in specificities:
        a, b, c = a + one[0], b + one[1], c + one[2]
    return a, b, c


# ---- simple selectors


def _never(node: Node, context: MatchContext) -> bool:
    return False


def _is_anchor(node: Node, context: MatchContext) -> bool:
    return node is context.anchor


def _is_root(node: Node, context: MatchContext) -> bool:
    return node.parent is None and not context.tree.shadow


def _is_scope(node: Node, context: MatchContext) -> bool:
    return node is context.scope if context.scope is not None else _is_root(node, context)


def _id_part(name: str) -> _Part:
    return _Part(lambda node, context: node.id == name, (1, 0, 0), frozenset({"#" + name}), frozenset({"#" + name}), 0)


def _class_part(name: str) -> _Part:
    return _Part(
        lambda node, context: name in node.classes, (0, 1, 0), frozenset({"." + name}), frozenset({"." + name}), 1
    )


def _type_part(selector: Any) -> _Part:
    if isinstance(selector, NamespaceSelector):
        namespace = selector.namespace
        return _Part(lambda node, context: node.namespace == namespace)
    if not isinstance(selector, LocalNameSelector):
        raise SelectorError(None, "unexpected type selector")
    name, lower = selector.local_name, selector.lower_local_name

    def matches(node: Node, context: MatchContext) -> bool:
        return node.lower_name == lower and (not context.tree.xml or node.name == name)

    return _Part(matches, (0, 0, 1), keys=frozenset({lower}), rank=3)


def _any_namespace(content: Sequence[Any]) -> bool:
    significant = [token for token in content if token.type not in ("whitespace", "comment")]
    return len(significant) > 1 and significant[0] == "*" and significant[1] == "|"


def _attribute_part(selector: Any, any_namespace: bool) -> _Part:
    if not isinstance(selector, AttributeSelector):
        raise SelectorError(None, "expected an attribute selector")
    name, lower = selector.name, selector.lower_name
    prefix = "{" + selector.namespace + "}" if selector.namespace else ""
    caseless_in_html = selector.case_sensitive is None and lower in _CASELESS_ATTRIBUTES
    wanted = selector.value
    caseless = selector.case_sensitive is False
    plain, folded = _value_test(selector.operator, wanted, caseless), _value_test(selector.operator, wanted, True)

    def value_of(node: Node, context: MatchContext) -> str | None:
        attributes = node.attributes
        if not any_namespace:
            value = attributes.get(prefix + name)
            if value is not None or context.tree.xml:
                return value
            if name != lower and (value := attributes.get(prefix + lower)) is not None:
                return value
            if node.namespace == XHTML or not attributes:
                return None
        for key, value in attributes.items():
            local = key.rpartition("}")[2] if any_namespace else key.removeprefix(prefix)
            if local == name or (not context.tree.xml and local.lower() == lower):
                return value
        return None

    keys = None if prefix or any_namespace else frozenset({"[" + lower})
    features = frozenset({"[" + name, "[" + lower})
    specificity = (0, 1, 0)
    if plain is None or folded is None:
        return _Part(lambda node, context: value_of(node, context) is not None, specificity, features, keys, 2)
    check, check_folded = plain, folded

    def matches(node: Node, context: MatchContext) -> bool:
        value = value_of(node, context)
        if value is None:
            return False
        return check_folded(value) if caseless_in_html and node.namespace == XHTML else check(value)

    return _Part(matches, specificity, features, keys, 2)


def _value_test(operator: str | None, wanted: str | None, caseless: bool) -> Callable[[str], bool] | None:
    if operator is None or wanted is None:
        return None
    expected = _ascii_lower(wanted) if caseless else wanted
    tests: dict[str, Callable[[str], bool]] = {
        "=": lambda value: value == expected,
        "~=": lambda value: bool(expected) and not _has_space(expected) and expected in value.split(),
        "|=": lambda value: value == expected or value.startswith(expected + "-"),
        "^=": lambda value: bool(expected) and value.startswith(expected),
        "$=": lambda value: bool(expected) and value.endswith(expected),
        "*=": lambda value: bool(expected) and expected in value,
    }
    test = tests[operator]
    return (lambda value: test(_ascii_lower(value))) if caseless else test


def _ascii_lower(text: str) -> str:
    return text.lower() if text.isascii() else "".join(c.lower() if c.isascii() else c for c in text)


def _has_space(text: str) -> bool:
    return any(c in " \t\n\r\f" for c in text)


def _idents(tokens: Iterable[Any]) -> list[str]:
    significant = [token for token in tokens if token.type not in ("whitespace", "comment")]
    return [token.value for token in significant] if all(token.type == "ident" for token in significant) else []


# ---- structural and functional pseudo-classes

_NTH = frozenset({"nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type"})


def _nth_part(formula: tuple[int, int], among: list[Selector] | None, *, of_type: bool, last: bool) -> _Part:
    step, offset = formula
    counted = _any_of(among) if among is not None else None

    def place(node: Node, context: MatchContext) -> int | None:
        """How many siblings that count stand on the near side of the node, the node included; None: it is none."""
        siblings = node.siblings
        if counted is None and not of_type:
            return len(siblings) - node.index if last else node.index + 1
        if counted is not None and not counted.test(node, context):
            return None
        others = siblings[node.index + 1 :] if last else siblings[: node.index]
        if counted is None:
            return 1 + sum(1 for other in others if other.name == node.name and other.namespace == node.namespace)
        return 1 + sum(1 for other in others if counted.test(other, context))

    def matches(node: Node, context: MatchContext) -> bool:
        at = place(node, context)
        if at is None:
            return False
        distance = at - offset
        return distance == 0 if step == 0 else distance % step == 0 and distance // step >= 0

    specificity = (0, 1, 0) if counted is None else _total([(0, 1, 0), counted.specificity])
    features, height = (frozenset[str](), 0) if counted is None else (counted.features, counted.height)
    return _Part(matches, specificity, features | {BESIDE}, height=height + 4)


def _has_part(selectors: Sequence[Selector]) -> _Part:
    def reachable(node: Node) -> Iterator[Node]:
        # Relative selectors reach into the element or over to what follows it, and into that.
        stack = list(reversed(node.siblings[node.index + 1 :])) + list(reversed(node.children))
        while stack:
            at = stack.pop()
            yield at
            stack.extend(reversed(at.children))

    def matches(node: Node, context: MatchContext) -> bool:
        anchored = context.anchored(node)
        return any(selector.test(other, anchored) for other in reachable(node) for selector in selectors)

    return _Part(
        matches,
        max(selector.specificity for selector in selectors),
        frozenset({BESIDE}).union(*(selector.features for selector in selectors)),
        height=3 + max(selector.height for selector in selectors),
    )


def _mentions_has(tokens: Iterable[Any]) -> bool:
    stack = list(tokens)
    while stack:
        token = stack.pop()
        if token.type == "function":
            if token.lower_name == "has":
                return True
            stack.extend(token.arguments)
    return False


def _language_test(wanted: str) -> Callable[[Node, MatchContext], bool]:
    def matches(node: Node, context: MatchContext) -> bool:
        at: Node | None = node
        while at is not None:
            language = at.attributes.get("lang", at.attributes.get("{http://www.w3.org/XML/1998/namespace}lang"))
            if language is not None:
                language = language.lower()
                return language == wanted or language.startswith(wanted + "-")
            at = at.parent
        return False

    return matches


def _direction_test(wanted: str) -> Callable[[Node, MatchContext], bool]:
    def matches(node: Node, context: MatchContext) -> bool:
        at: Node | None = node
        while at is not None:
            direction = at.attributes.get("dir", "").lower()
            if at.namespace == XHTML and direction in {"ltr", "rtl"}:
                return direction == wanted
            at = at.parent
        return wanted == "ltr"

    return matches


def _same_type(node: Node, others: Iterable[Node]) -> bool:
    return any(other.name == node.name and other.namespace == node.namespace for other in others)


def _is_control(node: Node) -> bool:
    return node.namespace == XHTML and node.name in _CONTROLS


def _is_disabled(node: Node, context: MatchContext) -> bool:
    if not _is_control(node):
        return False
    if "disabled" in node.attributes:
        return True
    if node.name == "option":
        return any(a.name == "optgroup" and "disabled" in a.attributes for a in node.ancestors())
    inside = node
    for ancestor in node.ancestors():
        if ancestor.namespace == XHTML and ancestor.name == "fieldset" and "disabled" in ancestor.attributes:
            # The controls of the first legend stay enabled.
            first_legend = next((child for child in ancestor.children if child.name == "legend"), None)
            if inside is not first_legend:
                return True
        inside = ancestor
    return False


def _is_checked(node: Node, context: MatchContext) -> bool:
    if node.namespace != XHTML:
        return False
    if node.name == "option":
        return "selected" in node.attributes
    return node.name == "input" and _input_type(node) in {"checkbox", "radio"} and "checked" in node.attributes


def _input_type(node: Node) -> str:
    return node.attributes.get("type", "text").lower()


def _is_link(node: Node, context: MatchContext) -> bool:
    if node.name not in {"a", "area"}:
        return False
    return "href" in node.attributes or (node.namespace != XHTML and XLINK_HREF in node.attributes)


def _takes_text(node: Node) -> bool:
    if node.namespace != XHTML:
        return False
    return node.name == "textarea" or (node.name == "input" and _input_type(node) in _TEXT_INPUTS)


def _is_editable(node: Node, context: MatchContext) -> bool:
    if _takes_text(node):
        return "readonly" not in node.attributes and not _is_disabled(node, context)
    at: Node | None = node
    while at is not None:
        editable = at.attributes.get("contenteditable")
        if editable is not None:
            return editable.lower() in {"", "true", "plaintext-only"}
        at = at.parent
    return False


def _can_be_required(node: Node) -> bool:
    return node.namespace == XHTML and node.name in {"input", "select", "textarea"}


def _is_indeterminate(node: Node, context: MatchContext) -> bool:
    if node.namespace != XHTML:
        return False
    if node.name == "progress":
        return "value" not in node.attributes
    if node.name != "input" or _input_type(node) != "radio" or _is_checked(node, context):
        return False
    group = node.attributes.get("name")
    if not group:
        return True
    form = next((a for a in node.ancestors() if a.name == "form"), None)
    return not any(
        other.attributes.get("name") == group
        and _is_checked(other, context)
        and next((a for a in other.ancestors() if a.name == "form"), None) is form
        for other in context.tree.nodes
        if other.name == "input"
    )


def _is_valid(node: Node, context: MatchContext) -> bool | None:
    """None for what has no validity. Only what markup shows is looked at: required but empty, out of range."""
    if node.namespace != XHTML or node.name not in {"input", "select", "textarea", "button", "form", "fieldset"}:
        return None
    if node.name in {"form", "fieldset"}:
        stack = list(node.children)
        while stack:
            at = stack.pop()
            if at.name not in {"form", "fieldset"} and _is_valid(at, context) is False:
                return False
            stack.extend(at.children)
        return True
    kind = node.attributes.get("type", "submit").lower() if node.name == "button" else _input_type(node)
    barred = kind in {"hidden", "reset", "button"} or ("readonly" in node.attributes and node.name != "select")
    if barred or _is_disabled(node, context):
        return None
    if node.name == "input" and _out_of_range(node, context):
        return False
    if "required" not in node.attributes or node.name == "button":
        return True
    if node.name == "input" and _input_type(node) in {"checkbox", "radio"}:
        return "checked" in node.attributes
    return bool(node.attributes.get("value")) or (node.name == "textarea" and node.has_text())


def _placeholder_shown(node: Node, context: MatchContext) -> bool:
    return _takes_text(node) and "placeholder" in node.attributes and not node.attributes.get("value")


def _is_default(node: Node, context: MatchContext) -> bool:
    if _is_checked(node, context):
        return True
    submits = (node.name == "button" and node.attributes.get("type", "submit").lower() == "submit") or (
        node.name == "input" and _input_type(node) in {"submit", "image"}
    )
    form = next((a for a in node.ancestors() if a.name == "form"), None) if submits else None
    if form is None:
        return False
    stack = list(reversed(form.children))
    while stack:
        at = stack.pop()
        if at is node:
            return True
        if at.name == "button" or (at.name == "input" and _input_type(at) in {"submit", "image"}):
            return False
        stack.extend(reversed(at.children))
    return False


_RANGED = frozenset({"number", "range", "date", "month", "week", "time", "datetime-local"})


def _is_ranged(node: Node) -> bool:
    limited = "min" in node.attributes or "max" in node.attributes or _input_type(node) == "range"
    return node.namespace == XHTML and node.name == "input" and _input_type(node) in _RANGED and limited


def _out_of_range(node: Node, context: MatchContext) -> bool:
    if not _is_ranged(node):
        return False
    try:
        value = float(node.attributes.get("value", ""))
        low = float(node.attributes.get("min", "-inf"))
        return not low <= value <= float(node.attributes.get("max", "inf"))
    except ValueError:
        return False


_PSEUDO_CLASSES: dict[str, tuple[Callable[[Node, MatchContext], bool], tuple[str, ...]]] = {
    "root": (_is_root, ()),
    "scope": (_is_scope, ()),
    "host": (_never, ()),
    "defined": (lambda node, context: not (node.is_html and "-" in node.name), ()),
    "empty": (lambda node, context: not node.children and not node.has_text(), (":empty",)),
    "first-child": (lambda node, context: node.index == 0, ()),
    "last-child": (lambda node, context: node.index == len(node.siblings) - 1, ()),
    "only-child": (lambda node, context: len(node.siblings) == 1, ()),
    "first-of-type": (lambda node, context: not _same_type(node, node.siblings[: node.index]), ()),
    "last-of-type": (lambda node, context: not _same_type(node, node.siblings[node.index + 1 :]), ()),
    "only-of-type": (
        lambda node, context: not _same_type(node, (other for other in node.siblings if other is not node)),
        (),
    ),
    "link": (_is_link, ("[href",)),
    "any-link": (_is_link, ("[href",)),
    "-webkit-any-link": (_is_link, ("[href",)),
    "enabled": (lambda node, context: _is_control(node) and not _is_disabled(node, context), ("[disabled",)),
    "disabled": (_is_disabled, ("[disabled",)),
    "checked": (_is_checked, ("[checked", "[selected", "[type")),
    "default": (_is_default, ("[checked", "[selected", "[type")),
    "indeterminate": (
        _is_indeterminate,
        ("[value", "[checked", "[name", "[type"),
    ),
    "required": (lambda node, context: _can_be_required(node) and "required" in node.attributes, ("[required",)),
    "optional": (
        lambda node, context: (
            (_can_be_required(node) and "required" not in node.attributes) or (node.is_html and node.name == "button")
        ),
        ("[required",),
    ),
    "read-write": (_is_editable, ("[readonly", "[disabled", "[contenteditable", "[type")),
    "read-only": (
        lambda node, context: node.is_html and not _is_editable(node, context),
        ("[readonly", "[disabled", "[contenteditable", "[type"),
    ),
    "placeholder-shown": (_placeholder_shown, ("[placeholder", "[value", "[type")),
    "valid": (lambda node, context: _is_valid(node, context) is True, ("[required", "[value", "[disabled")),
    "invalid": (lambda node, context: _is_valid(node, context) is False, ("[required", "[value", "[disabled")),
    "in-range": (
        lambda node, context: _is_ranged(node) and not _out_of_range(node, context),
        ("[min", "[max", "[value", "[type"),
    ),
    "out-of-range": (_out_of_range, ("[min", "[max", "[value", "[type")),
    "open": (
        lambda node, context: node.is_html and node.name in {"details", "dialog"} and "open" in node.attributes,
        ("[open",),
    ),
}
