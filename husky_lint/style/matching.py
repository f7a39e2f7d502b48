"""Which rules match which elements, worked out once and shared between the states of a page.

A state is the base tree with some attributes changed. Only selectors that mention a changed class, id or attribute are
matched again, and states that change the same things the same way share even that.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from husky_lint.style.cascade import Cascade
from husky_lint.style.selectors import BESIDE, MatchContext

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lxml.etree import _Element

    from husky_lint.style.cascade import BookView, Declared, Pair, RuleBook, ScopeCondition
    from husky_lint.style.tree import Node, Tree

#: Node positions that a pair matches, with the proximity of its scope (0 without one).
Positions = dict[int, int]
#: A pair as an element sees it: its place in the book, and the proximity.
Matched = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Delta:
    """How a state differs from the base tree: attribute changes, and the selector features they touch."""

    changes: tuple[tuple[Node, str, str | None], ...]
    features: Mapping[str, tuple[tuple[int, str | None], ...]]


NO_DELTA = Delta((), {})


@dataclass(slots=True, eq=False)
class _Indexed:
    """A book's pairs by the features their matches depend on, and what each element of one tree matches."""

    matches: list[list[Matched]]
    positions: list[Positions]
    by_feature: dict[str, list[int]]


@dataclass(slots=True, eq=False)
class AttributeStyles:
    """Declarations from presentation attributes and ``style`` attributes, as ``(hints key, inline key)`` lookups.

    ``hints(node)`` and ``inline(node)`` give what the node's attributes, as they are now, declare. The same attribute
    values on the same element give the same objects.
    """

    hints: Callable[[Node], tuple[Declared, ...]]
    inline: Callable[[Node], tuple[Declared, ...]]
    names: frozenset[str]


class Matching:
    """The matches in one tree.

    ``origin`` are those in another tree of the same page, before script inserted or removed elements: what cannot have
    changed is taken from there.
    """

    def __init__(self, tree: Tree, attributes: AttributeStyles, origin: Matching | None = None) -> None:
        self.tree = tree
        self.attributes = attributes
        self._origin = origin
        self._context = MatchContext(tree)
        self._indexed: dict[int, _Indexed] = {}
        self._books: list[RuleBook] = []
        self._base: dict[int, list[Cascade]] = {}
        self._first: dict[int, tuple[list[Sequence[Matched]], list[Cascade]]] = {}
        self._views: list[BookView] = []
        self._variants: dict[
            tuple[int, int, tuple[tuple[str, tuple[tuple[int, str | None], ...]], ...]], Positions
        ] = {}
        self._clones: dict[int, Matching] = {}

    def clone(self, top: Node) -> Matching:
        """The matching in the shadow tree of a ``<use>`` that references ``top``."""
        known = self._clones.get(top.position)
        if known is None:
            twin = self._untouched(top)
            if twin is not None and self._origin is not None:
                known = self._origin.clone(twin)
            else:
                known = Matching(self.tree.clone(top), self.attributes)
            self._clones[top.position] = known
        return known

    def let_go(self) -> None:
        """Take the trees apart, those of clones too; nothing can be asked after that."""
        for clone in self._clones.values():
            clone.let_go()
        self.tree.let_go()
        self._clones.clear()

    # ---- what the origin knows already

    @cached_property
    def _twins(self) -> dict[int, Node]:
        """By position the node of the origin's tree that is the same element with the same ancestry, where one is."""
        found: dict[int, Node] = {}
        if self._origin is None:
            return found
        for node in self.tree.nodes:
            twin = self._origin.tree.node(node.element)
            above = found.get(node.parent.position) if node.parent is not None else None
            if twin is not None and twin.parent is above and twin.attributes == node.attributes:
                found[node.position] = twin
        return found

    @cached_property
    def _others(self) -> Mapping[str | None, list[Node]]:
        """The nodes without a twin, by their index keys; all of them under None."""
        found: dict[str | None, list[Node]] = {None: []}
        for node in self.tree.nodes:
            if node.position not in self._twins:
                for key in (None, *self.tree.keys(node)):
                    found.setdefault(key, []).append(node)
        return found

    @cached_property
    def _positions(self) -> dict[int, int]:
        """From positions in the origin's tree to those here, for the twins."""
        return {twin.position: position for position, twin in self._twins.items()}

    def _untouched(self, top: Node) -> Node | None:
        """The twin of a node below which nothing is inserted, removed or written."""
        stack = [top]
        while stack:
            node = stack.pop()
            twin = self._twins.get(node.position)
            if twin is None or len(twin.children) != len(node.children):
                return None
            stack.extend(node.children)
        return self._twins[top.position]

    def _carried(self, pair: Pair, before: Positions) -> Positions:
        """What a pair that only looks upward matches, given what it matches in the origin's tree."""
        positions = self._positions
        found = {positions[at]: proximity for at, proximity in before.items() if at in positions}
        keys, test = pair.selector.keys, pair.selector.test
        for key in (None,) if keys is None else keys:
            for node in self._others.get(key, ()):
                if test(node, self._context):
                    found[node.position] = 0
        return found

    # ---- states

    def delta(self, values: Mapping[tuple[_Element, str], str | None]) -> Delta:
        """The difference that these attribute values make to the base tree."""
        changes: list[tuple[Node, str, str | None]] = []
        features: dict[str, list[tuple[int, str | None]]] = {}
        for (element, name), value in values.items():
            node = self.tree.node(element)
            if node is None or node.attributes.get(name) == value:
                continue
            changes.append((node, name, value))
            touched = {"[" + name, "[" + name.lower()}
            if name == "class":
                words = set((value or "").lower().split() if self.tree.fold else (value or "").split())
                touched.update("." + word for word in node.classes ^ words)
            elif name == "id":
                touched.update("#" + word for word in (node.id, value) if word)
            for feature in touched:
                features.setdefault(feature, []).append((node.position, value))
        if not changes:
            return NO_DELTA
        return Delta(tuple(changes), {name: tuple(sorted(places)) for name, places in features.items()})

    def cascades(self, view: BookView, delta: Delta) -> list[Cascade]:
        """The cascade of every node, by position."""
        base = self._base_cascades(view)
        if not delta.changes:
            return base
        indexed = self._index(view.book)
        book, result = view.book, list(base)
        affected = {order for feature in delta.features for order in indexed.by_feature.get(feature, ())}
        gained: dict[int, dict[int, int | None]] = {}
        previous = [(node, name, node.attributes.get(name)) for node, name, _ in delta.changes]
        try:
            for node, name, value in delta.changes:
                self.tree.set_attribute(node, name, value)
            context = MatchContext(self.tree)
            for order in affected:
                if not view.active[order]:
                    continue
                before = indexed.positions[order]
                now = self._variant(book, order, delta, context)
                if now == before:
                    continue
                for position in before.keys() - now.keys():
                    gained.setdefault(position, {})[order] = None
                for position, depth in now.items():
                    if before.get(position) != depth:
                        gained.setdefault(position, {})[order] = depth
            for node, name, _ in delta.changes:
                if name == "style" or name in self.attributes.names:
                    gained.setdefault(node.position, {})
            for position, different in gained.items():
                kept = {order: proximity for order, proximity in indexed.matches[position] if view.active[order]}
                for order, proximity in different.items():
                    if proximity is None:
                        kept.pop(order, None)
                    else:
                        kept[order] = proximity
                result[position] = self._cascade(view, self.tree.nodes[position], sorted(kept.items()))
        finally:
            for node, name, value in reversed(previous):
                self.tree.set_attribute(node, name, value)
        return result

    def _base_cascades(self, view: BookView) -> list[Cascade]:
        known = self._base.get(id(view))
        if known is None:
            active = view.active
            matches = self._index(view.book).matches
            known = self._base[id(view)] = []
            before, cascades = matches, known
            if self._origin is not None:
                before, cascades = self._origin._index(view.book).matches, self._origin._base_cascades(view)
            held: list[Sequence[Matched]] = [
                matched if view.all_active else [match for match in matched if active[match[0]]] for matched in matches
            ]
            # Views in which layers rank alike differ on the few elements whose rules are under a condition.
            others, made = self._first.setdefault(id(view.cascades), (held, known))
            for node, matched, holding in zip(self.tree.nodes, matches, held, strict=True):
                twin = self._twins.get(node.position)
                if twin is not None and before[twin.position] == matched:
                    known.append(cascades[twin.position])
                elif made is not known and others[node.position] == holding:
                    known.append(made[node.position])
                else:
                    known.append(self._cascade(view, node, holding))
            self._views.append(view)  # its identity is a key: keep it alive
        return known

    def _cascade(self, view: BookView, node: Node, matched: Sequence[Matched]) -> Cascade:
        hints, inline = self.attributes.hints(node), self.attributes.inline(node)
        key = (tuple(matched), hints, inline)
        found = view.cascades.get(key)
        if found is None:
            pairs = view.book.pairs
            found = view.cascades[key] = Cascade(
                view, [(pairs[order], order, proximity) for order, proximity in matched], hints, inline
            )
        return found

    def _index(self, book: RuleBook) -> _Indexed:
        known = self._indexed.get(id(book))
        if known is None:
            matches: list[list[Matched]] = [[] for _ in self.tree.nodes]
            positions: list[Positions] = []
            by_feature: dict[str, list[int]] = {}
            before = self._origin._index(book).positions if self._origin is not None else None
            for order, pair in enumerate(book.pairs):
                if before is None or BESIDE in pair.features or pair.block.scopes:
                    found = self._evaluate(pair, self._context)
                else:
                    found = self._carried(pair, before[order])
                positions.append(found)
                for position, proximity in found.items():
                    matches[position].append((order, proximity))
                for feature in pair.features:
                    by_feature.setdefault(feature, []).append(order)
            known = self._indexed[id(book)] = _Indexed(matches, positions, by_feature)
            self._books.append(book)
        return known

    def _variant(self, book: RuleBook, order: int, delta: Delta, context: MatchContext) -> Positions:
        pair = book.pairs[order]
        relevant = tuple(
            sorted((feature, delta.features[feature]) for feature in pair.features if feature in delta.features)
        )
        key = (id(book), order, relevant)
        known = self._variants.get(key)
        if known is None:
            known = self._variants[key] = self._evaluate(pair, context)
        return known

    def _evaluate(self, pair: Pair, context: MatchContext) -> Positions:
        selector, scopes = pair.selector, pair.block.scopes
        test = selector.test
        candidates = self.tree.candidates(selector.keys)
        if not scopes:
            return {node.position: 0 for node in candidates if test(node, context)}
        found: Positions = {}
        contexts: dict[int, MatchContext] = {}
        for node in candidates:
            for root in _scope_roots(node, scopes, context):
                scoped = contexts.setdefault(root.position, context.scoped(root))
                if test(node, scoped):
                    proximity = 0
                    at = node
                    while at is not root and at.parent is not None:
                        at, proximity = at.parent, proximity + 1
                    found[node.position] = proximity
                    break
        return found


def _scope_roots(node: Node, scopes: Sequence[ScopeCondition], context: MatchContext) -> list[Node]:
    """The roots of the innermost scope that hold ``node``, nearest first."""
    lineage = [node, *node.ancestors()]
    roots: list[Node] = [lineage[-1]]
    for scope in scopes:
        inside: list[Node] = []
        for depth, candidate in enumerate(lineage):
            outer = next((root for root in roots if root is candidate or root in candidate.ancestors()), None)
            if outer is None:
                continue
            if scope.start is None:
                starts = candidate.parent is None
            else:
                starts = any(s.test(candidate, context.scoped(outer)) for s in scope.start)
            if starts and not any(
                s.test(between, context.scoped(candidate)) for between in lineage[: depth + 1] for s in scope.end
            ):
                inside.append(candidate)
        roots = inside
    return roots
