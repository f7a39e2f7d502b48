"""What script puts into the scene while the page is used: particles, with the ranges of what is random about them."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lxml import etree

from husky_lint.rule import Reason, Undecided
from husky_lint.script.query import local_name
from husky_lint.script.values import Unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lxml.etree import _Element

    from husky_lint.evidence import ScriptSurvey
    from husky_lint.script.effects import Effect, Response
    from husky_lint.source import Span

MAX_VARIANTS = 256
_ANGLE_SAMPLES = 5
_MAX_SPAWNS = 400
_MAX_DEPTH = 20

Value = str | Unknown


@dataclass(eq=False)
class Spawned:
    """An element that script makes, as it is when it is put into the page.

    ``style`` are the inline properties that script sets; ``moved_by`` is where script itself animates it.
    """

    tag: str
    attributes: dict[str, Value] = field(default_factory=dict)
    style: dict[str, Value] = field(default_factory=dict)
    spans: dict[str, Span | None] = field(default_factory=dict)
    children: list[Spawned] = field(default_factory=list)
    text: str = ""
    moved_by: Span | None = None

    @property
    def signature(self) -> str:
        """Equal for elements that differ in nothing but chance."""
        own = sorted(f"{name}={value!r}" for name, value in (*self.attributes.items(), *self.style.items()))
        return f"{self.tag} {own} {[child.signature for child in self.children]}"


@dataclass(frozen=True, eq=False)
class Spawn:
    """A particle and where it goes: ``parent`` is an element of the page."""

    root: Spawned
    parent: _Element
    span: Span | None
    response: Response | None


def spawns(survey: ScriptSurvey, page_root: _Element) -> tuple[Spawn, ...]:
    """What is put into the page after loading, one of each kind and place."""
    found: dict[tuple[object, ...], Spawn] = {}
    for response in survey.responses:
        for spawn in _of_effects((*response.effects, *response.later), page_root, response):
            found.setdefault((spawn.root.signature, spawn.parent, spawn.span), spawn)
            if len(found) >= _MAX_SPAWNS:
                return tuple(found.values())
    return tuple(found.values())


def _of_effects(effects: Iterable[Effect], page_root: _Element, response: Response) -> Iterator[Spawn]:
    made: dict[_Element, Spawned] = {}
    order: list[tuple[Spawned, _Element, Span | None]] = []
    for effect in effects:
        element = effect.element
        if element is None:
            continue
        if effect.kind == "insert" and etree.iselement(effect.value):
            child = _of(made, effect.value)
            if element is page_root or page_root in element.iterancestors():
                order.append((child, element, effect.span))
            elif len(_of(made, element).children) < _MAX_SPAWNS:
                _of(made, element).children.append(child)
        elif element in made or not (element is page_root or page_root in element.iterancestors()):
            _write(_of(made, element), effect)
    for root, parent, span in order:
        yield Spawn(root, parent, span, response)


def _of(made: dict[_Element, Spawned], element: _Element, depth: int = 0) -> Spawned:
    known = made.get(element)
    if known is None:
        known = made[element] = Spawned(str(element.tag))
        known.attributes.update({str(name): str(value) for name, value in element.attrib.items()})
        known.text = element.text or ""
        if depth < _MAX_DEPTH:
            known.children.extend(_of(made, child, depth + 1) for child in element.iterchildren(etree.Element))
    return known


def _write(spawned: Spawned, effect: Effect) -> None:
    value = effect.value
    if effect.kind == "style-property":
        if effect.name:
            spawned.style[effect.name] = value if isinstance(value, str | Unknown) else ""
            spawned.spans[effect.name] = effect.span
    elif effect.kind == "class" and value is True:
        before = spawned.attributes.get("class", "")
        spawned.attributes["class"] = f"{before} {effect.name}".strip() if isinstance(before, str) else before
    elif effect.kind in ("attribute", "class") and isinstance(value, str | Unknown):
        name = "class" if effect.kind == "class" else effect.name
        spawned.attributes[name] = value
        spawned.spans[name] = effect.span
    elif effect.kind == "text" and isinstance(value, str):
        spawned.text = value
    elif effect.kind in ("animation", "smil"):
        spawned.moved_by = effect.span


# ---------------------------------------------------------------- chance


class Variants:
    """The extremes of a particle: every combination of the ends of what is random about it.

    What a style computes from these numbers by sums and products is at its extremes there. Angles are sampled between.
    """

    def __init__(self, root: Spawned) -> None:
        self._root = root
        self._choices: dict[int, tuple[str, ...]] = {}
        self._kept: list[Unknown] = []
        self._survey(root, 0)
        self.count = math.prod(len(choices) for choices in self._choices.values())
        if self.count > MAX_VARIANTS:
            raise Undecided(Reason.LIMIT, f"{len(self._choices)} random numbers place one particle")

    def _survey(self, spawned: Spawned, depth: int) -> None:
        named = (*spawned.attributes.items(), *spawned.style.items())
        for name, value in named:
            if isinstance(value, Unknown):
                self._add(value, spawned.spans.get(name) or value.span, "")
        if depth < _MAX_DEPTH:
            for child in spawned.children:
                self._survey(child, depth + 1)

    def _add(self, value: Unknown, span: Span | None, following: str) -> None:
        if id(value) in self._choices:
            return
        if value.choices is not None:
            self._keep(value, tuple(map(_written, value.choices)))
        elif value.parts is not None:
            parts = value.parts
            for place, part in enumerate(parts):
                if isinstance(part, Unknown):
                    after = (
                        parts[place + 1] if place + 1 < len(parts) and isinstance(parts[place + 1], str) else following
                    )
                    self._add(part, span, after)
        elif value.kind == "number" and math.isfinite(value.low) and math.isfinite(value.high):
            ends = [value.low, value.high]
            if re.match(r"(?:deg|turn|rad|grad)", following):
                step = (value.high - value.low) / (_ANGLE_SAMPLES - 1)
                ends = [value.low + step * number for number in range(_ANGLE_SAMPLES)]
            if re.match(r"m?s\b", following):  # how long it takes changes no place
                ends = [value.high]
            self._keep(value, tuple(dict.fromkeys(f"{end:.6g}" for end in ends)))
        else:
            raise Undecided(Reason.DYNAMIC_VALUE, "a random number of the particle has no range that is told", span)

    def _keep(self, value: Unknown, choices: tuple[str, ...]) -> None:
        self._choices[id(value)] = choices
        self._kept.append(value)

    def elements(self) -> Iterator[tuple[_Element, Mapping[str, str]]]:
        """An element for each combination, and what is written on it."""
        keys = list(self._choices)
        for combination in itertools.product(*self._choices.values()):
            chosen = dict(zip(keys, combination, strict=True))
            element = self._make(self._root, chosen, None, 0)
            written = {name: self._text(value, chosen) for name, value in self._root.style.items()}
            yield element, written

    def _make(self, spawned: Spawned, chosen: Mapping[int, str], parent: _Element | None, depth: int) -> _Element:
        element = etree.Element(spawned.tag) if parent is None else etree.SubElement(parent, spawned.tag)
        for name, value in spawned.attributes.items():
            _set(element, name, self._text(value, chosen))
        declarations = [f"{name}: {self._text(value, chosen)}" for name, value in spawned.style.items()]
        if declarations:
            before = element.get("style")
            _set(element, "style", "; ".join([before, *declarations] if before else declarations))
        element.text = spawned.text or None
        if depth < _MAX_DEPTH:
            for child in spawned.children:
                self._make(child, chosen, element, depth + 1)
        return element

    def _text(self, value: Value, chosen: Mapping[int, str]) -> str:
        if isinstance(value, str):
            return value
        if id(value) in chosen:
            return chosen[id(value)]
        return "".join(
            self._text(part, chosen) if isinstance(part, str | Unknown) else _written(part)
            for part in value.parts or ()
        )


def _written(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _set(element: _Element, name: str, value: str) -> None:
    try:
        element.set(name, value)
    except ValueError:  # what XML cannot hold has no meaning for a style either
        return


def words_of(spawned: Spawned) -> tuple[str, ...]:
    """What names the particle: its id, classes and what it refers to."""
    found = []
    for name, value in spawned.attributes.items():
        if isinstance(value, str) and (
            name in ("id", "class", "href") or name.endswith("}href") or name.startswith("data-")
        ):
            found.extend(value.lstrip("#").split())
    for child in spawned.children:
        found.extend(words_of(child))
    return tuple(found)


def outlines_of(spawned: Spawned) -> tuple[str, ...]:
    """The path data that the particle and its parts are drawn with, where it is no matter of chance."""
    own = spawned.attributes.get("d")
    inner = (data for child in spawned.children for data in outlines_of(child))
    return (*((own,) if isinstance(own, str) else ()), *inner)


def is_drawn(spawned: Spawned) -> bool:
    """Whether it is an SVG element that can show something."""
    return spawned.tag.startswith("{http://www.w3.org/2000/svg}") and local_name(etree.Element(spawned.tag)) not in (
        "animate",
        "animateTransform",
        "animateMotion",
        "set",
        "title",
        "desc",
    )
