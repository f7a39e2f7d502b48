"""The keyframe stops of one animated element, with the place of each: what a person would edit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from husky_lint.animation.easing import EASE, parse_easing
from husky_lint.animation.keyframes import parse_selector
from husky_lint.style.values import parse_angle, split_spaces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from husky_lint.animation.easing import Easing
    from husky_lint.parse.css import AtRule, StyleRule
    from husky_lint.source import Span
    from husky_lint.style.computed import ComputedStyle, StyledDocument

_TURNING: Final = ("transform", "rotate")


@dataclass(frozen=True, slots=True)
class Stop:
    """One stop of a ``@keyframes`` rule as one element sees it.

    ``offset`` runs from 0 to 1. ``degrees`` is the rotation it asks for, None where it has none that is a plain number.
    ``easing`` governs from here to the next stop.
    """

    offset: float
    degrees: float | None
    easing: Easing
    own_easing: bool
    span: Span


def stops_of(style: ComputedStyle, styled: StyledDocument) -> tuple[Stop, ...]:
    """The stops of the first animation of an element that turns it, by offset; empty when nothing does."""
    names = [part for part in style.text("animation-name").split(", ") if part != "none"]
    easings = [parse_easing(tokens) for tokens in style.layers("animation-timing-function")]
    for position, name in enumerate(names):
        rule = styled.keyframes(name)
        if rule is None:
            continue
        default = easings[position % len(easings)] if easings else None
        stops = _stops(rule, style, default or EASE)
        if any(stop.degrees is not None for stop in stops):
            return stops
    return ()


def _stops(rule: AtRule, style: ComputedStyle, default: Easing) -> tuple[Stop, ...]:
    found: list[Stop] = []
    for block in rule.rules:
        offsets = parse_selector(block.prelude) if hasattr(block, "selector_span") else None
        for offset in offsets or ():
            easing = _own_easing(block)
            found.append(Stop(offset, _degrees(block, style), easing or default, easing is not None, block.span))
    return tuple(sorted(found, key=lambda stop: stop.offset))


def _own_easing(block: StyleRule | AtRule) -> Easing | None:
    easing = None
    for declaration in block.declarations:
        if declaration.name == "animation-timing-function" and not declaration.important:
            easing = parse_easing(tuple(declaration.tokens)) or easing
    return easing


def _degrees(block: StyleRule | AtRule, style: ComputedStyle) -> float | None:
    """The sum of the rotations of a stop; None for a stop that says nothing of rotation, 0 for ``none``.

    A stop may turn an element by a custom property that the element's own ``transform`` or ``rotate`` reads.
    """
    said = [one for one in block.declarations if not one.important]
    customs = {one.name: tuple(one.tokens) for one in said if one.name.startswith("--")}
    total: float | None = None
    for declaration in said:
        if declaration.name in _TURNING:
            total = _turned(declaration.name, style.substitute(tuple(declaration.tokens), customs), total)
    for name in _TURNING if customs and total is None else ():
        declared = style.resolve(name).declared
        if declared is not None and declared.has_var and not customs.keys().isdisjoint(style.dependencies(name).names):
            total = _turned(name, style.substitute(tuple(declared.tokens), customs), total)
    return total


def _turned(name: str, tokens: Sequence[Any] | None, before: float | None) -> float | None:
    """The rotation after a declaration of ``transform`` or ``rotate``, in degrees."""
    if tokens is None:
        return before
    if name == "rotate":
        angles = [0.0] if _is_none(tokens) else [parse_angle([token]) for token in split_spaces(tokens)]
        angle = next((one for one in angles if one is not None), None)
        return angle if angle is not None else before
    return sum(parse_angle(list(node.arguments)) or 0.0 for node in tokens if _is_rotation(node))


def _is_none(tokens: Sequence[object]) -> bool:
    return [getattr(node, "lower_value", "") for node in tokens if getattr(node, "type", "") == "ident"] == ["none"]


def _is_rotation(node: object) -> bool:
    return getattr(node, "type", "") == "function" and getattr(node, "lower_name", "") in ("rotate", "rotatez")
