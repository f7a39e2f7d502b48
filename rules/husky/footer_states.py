"""The states in which the footer could look different: as few as show all there is to see."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from husky_lint.rule import Reason, Undecided
from husky_lint.script.journal import RemoveNode, SetAttribute, SetText

from .applied import WIDTH_WORDS, asks_for_width, narrow
from .footer_sight import HIDING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.source import Span
    from husky_lint.style.page_state import PageState
    from husky_lint.style.states import PageStates

_MAX_STATES = 256
_PHONE = "phone"
_ARGUMENTS = re.compile(r"\([^()]*\)|\[[^\]]*\]")
_NAMES = re.compile(r"[.#][\w-]+")


@dataclass(frozen=True, slots=True)
class Seen:
    """A state to look at the footer in. ``changes_text`` says that script may take its text away there."""

    state: PageState
    when: str
    span: Span | None = None
    changes_text: bool = False


def footer_states(evidence: Evidence, elements: Sequence[_Element], phone_width: float) -> Iterator[Seen]:
    """The page as it loads, each value of each axis, what selectors and script combine, a phone, and other events."""
    states = evidence.states
    chain = {above for element in elements for above in (element, *element.iterancestors())}
    reached: set[tuple[tuple[str, str], ...]] = set()
    groups = _groups(evidence, states, chain)
    count = 0
    for group in sorted(groups, key=lambda group: (len(group), sorted(group))):
        axes = sorted(group - {_PHONE})
        columns = [[(axis, value) for value in states.values(axis)] for axis in axes]
        if _PHONE in group:
            columns.append([(_PHONE, "no"), (_PHONE, "yes")])
        for combination in itertools.product(*columns):
            key = tuple(sorted(combination))
            if key in reached:
                continue
            reached.add(key)
            count += 1
            if count > _MAX_STATES:
                raise Undecided(Reason.LIMIT, f"more than {_MAX_STATES} states would have to be looked at")
            yield _seen(evidence, dict(combination), phone_width, chain)
    yield from _after_events(evidence, chain)


def _seen(evidence: Evidence, wanted: dict[str, str], phone_width: float, chain: set[_Element]) -> Seen:
    phone = wanted.pop(_PHONE, "no") == "yes"
    states = evidence.states
    if phone and asks_for_width(evidence):  # script may do other things there
        states = evidence.states_in(narrow(states.initial, phone_width).media)
    state = states.state(**wanted) if wanted else states.initial
    words = [f"{axis}={value}" for axis, value in wanted.items()]
    if phone:
        state = narrow(state, phone_width)
        words.append(f"a width of {phone_width:g}px")
    loses = any(isinstance(m, RemoveNode | SetText) for m in state.mutations if _touches(m, chain))
    return Seen(state, f"with {', '.join(words)}" if words else "on the page as it loads", None, loses)


def _groups(evidence: Evidence, states: PageStates, chain: set[_Element]) -> set[frozenset[str]]:
    """Sets of axes that have to be combined."""
    groups = {frozenset[str](), frozenset({_PHONE}), *(frozenset({axis}) for axis in states.axes)}
    tokens: dict[str, set[str]] = {}
    for form in states.forms():
        tokens.setdefault(f".{form.name}" if form.is_class else f"[{form.name.lower()}", set()).add(form.axis)
    carried = {f".{name}" for element in chain for name in (element.get("class") or "").split()}
    carried.update(f"#{element.get('id')}" for element in chain if element.get("id"))
    for block, features in evidence.style_engine.selectors:
        if any(declared.name in HIDING or declared.name.startswith("--") for declared in block.declared):
            if not _may_match(block, carried, tokens):
                continue
            named = {axis for feature in features for axis in tokens.get(feature, ())}
            named.update(_media_axes(block.conditions, states))
            if len(named) > 1:
                groups.add(frozenset(named & {*states.axes, _PHONE}))
    if any(_hides(effect, chain) for effect in evidence.script.all_effects):
        groups.add(frozenset(states.axes))
    return groups


def _may_match(block: object, carried: set[str], tokens: Container[str]) -> bool:
    """Whether the footer or what is around it may match a selector, by the classes and ids that it asks for."""
    written = getattr(getattr(block, "rule", None), "selector_text", "")
    if any(mark in written for mark in ("~", "+", ":has", "\\")):  # asks for what is elsewhere, or is not read here
        return True
    plain = _ARGUMENTS.sub("", written)
    return any(all(name in carried or name in tokens for name in _NAMES.findall(part)) for part in plain.split(","))


def _media_axes(conditions: Iterable[object], states: PageStates) -> Iterator[str]:
    from husky_lint.style.values import serialize

    for condition in conditions:
        text = serialize(getattr(condition, "tokens", ())).lower()
        if any(word in text for word in WIDTH_WORDS):
            yield _PHONE
        for axis in states.vocabulary.axes:
            features = {name.replace("_", "-") for fields in axis.media.values() for name in fields}
            if any(feature in text for feature in features):
                yield axis.name


def _hides(effect: object, chain: set[_Element]) -> bool:
    """Whether an effect of script after loading may hide or take away a part of the footer."""
    kind, trigger = getattr(effect, "kind", ""), getattr(effect, "trigger", "load")
    if trigger == "load":
        return False
    target = getattr(effect, "element", None)
    if kind == "remove":
        return getattr(effect, "value", None) in chain
    name = getattr(effect, "name", "")
    if str(getattr(target, "tag", "")).endswith(("}html", "}body")):
        return kind == "style-property" and name in HIDING
    return target in chain and (
        (kind == "style-property" and name in HIDING)
        or (kind == "attribute" and name in ("hidden", "style", "open"))
        or kind in ("class", "text")
    )


def _touches(mutation: object, chain: set[_Element]) -> bool:
    if isinstance(mutation, RemoveNode):
        return mutation.node in chain
    return isinstance(mutation, SetAttribute | SetText) and mutation.element in chain


def _after_events(evidence: Evidence, chain: set[_Element]) -> Iterator[Seen]:
    """What each event and timer does to the loaded page, where it touches the footer or what is around it."""
    initial = evidence.states.initial
    in_source = set(evidence.page.elements)
    told: set[tuple[object, ...]] = set()
    for response in evidence.script.responses:
        kept = tuple(
            mutation
            for mutation in response.mutations
            if _touches(mutation, chain) and _place_of(mutation) in in_source
        )
        key = tuple(_key(mutation) for mutation in kept)
        if not kept or key in told:
            continue
        told.add(key)
        state = replace(initial, label=f"after {response.type}", mutations=(*initial.mutations, *kept))
        loses = any(isinstance(mutation, RemoveNode | SetText) for mutation in kept)
        yield Seen(state, f"after {_named(response.type)}", kept[0].span, loses)


def _named(kind: str) -> str:
    return {"timer": "a timer", "frame": "a frame"}.get(kind, f"a {kind}")


def _place_of(mutation: object) -> object:
    return getattr(mutation, "node", None) if isinstance(mutation, RemoveNode) else getattr(mutation, "element", None)


def _key(mutation: object) -> tuple[object, ...]:
    name, value = getattr(mutation, "name", ""), getattr(mutation, "value", None)
    return type(mutation).__name__, id(_place_of(mutation)), name, value
