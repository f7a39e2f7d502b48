"""Which leg is which: fore and hind by where they are rooted, near and far by paint order; names only agree or not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from .rig import Conflict, Disagreement
from .scenery import leg_in
from .words import ENDS_OF_NONE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from husky_lint.scene.graph import SceneNode

    from .drawing import Drawing, Ink
    from .rig import Leg

LEAST_GAP = 60.0
"""Between the roots of hind legs and of forelegs, in units."""


@dataclass(frozen=True, slots=True)
class NamedLegs:
    """The legs by name, and what names say otherwise."""

    legs: dict[str, Leg]
    missing: dict[str, str]
    conflicts: tuple[Conflict, ...]


def name_legs(
    drawing: Drawing, legs: Sequence[Leg], dog: SceneNode | None, body: Ink | None, faces_right: bool
) -> NamedLegs:
    """Tell the legs apart. A dog that faces left has its forelegs on the left; its near legs are painted last too."""
    named: dict[str, Leg] = {}
    missing: dict[str, str] = {}
    conflicts: list[Conflict] = []
    ends = _fore_and_hind(drawing, legs, faces_right)
    calls = _what_names_say(drawing, dog, ends)
    for end, group in ends.items():
        pair = sorted(group, key=lambda leg: leg.joints[0].node.index)
        if len(pair) == 1:
            side = _single_side(pair[0], calls, body)
            if side is None:
                missing[f"near_{end}"] = missing[f"far_{end}"] = (
                    f"one {end} leg was found, whether near or far is unclear"
                )
            else:
                _add(named, conflicts, f"{side}_{end}", pair[0], calls, body)
        elif len(pair) >= 2:
            _add(named, conflicts, f"far_{end}", pair[0], calls, body)
            _add(named, conflicts, f"near_{end}", pair[-1], calls, body)
            if len(pair) > 2:
                told = f"{len(pair)} chains look like {end} legs; the first and the last painted are taken"
                conflicts.append(Conflict(Disagreement.LEG_COUNT, told, pair[1].joints[0].node))
    for end in ("fore", "hind"):
        for side in ("near", "far"):
            if f"{side}_{end}" not in named:
                missing.setdefault(f"{side}_{end}", f"{len(legs)} legs were found by their motion, not this one")
    return NamedLegs(named, missing, tuple(conflicts))


def _fore_and_hind(drawing: Drawing, legs: Sequence[Leg], faces_right: bool) -> dict[str, list[Leg]]:
    if not legs:
        return {}
    order = sorted(legs, key=lambda leg: leg.joints[0].pivot[0])
    roots = [leg.joints[0].pivot[0] for leg in order]
    gaps = [b - a for a, b in pairwise(roots)]
    if len(order) == 4:
        left, right = order[:2], order[2:]
    elif gaps and max(gaps) >= LEAST_GAP:
        cut = gaps.index(max(gaps)) + 1
        left, right = order[:cut], order[cut:]
    else:
        middle = 430.0
        left = [leg for leg in order if leg.joints[0].pivot[0] < middle]
        right = [leg for leg in order if leg.joints[0].pivot[0] >= middle]
    return {"fore": right, "hind": left} if faces_right else {"fore": left, "hind": right}


def _what_names_say(
    drawing: Drawing, dog: SceneNode | None, ends: Mapping[str, Sequence[Leg]]
) -> dict[SceneNode, str | None]:
    """The leg that names tell for each root; a word of an end that legs of both bear tells nothing."""
    said = {
        end: {leg.joints[0].node: drawing.lexicon.words_along(leg.joints[0].node, dog) for leg in group}
        for end, group in ends.items()
    }
    borne = [frozenset().union(*words.values()) for words in said.values()]
    common = frozenset.intersection(*borne) & ENDS_OF_NONE if borne else frozenset()
    return {node: leg_in(words - common) for group in said.values() for node, words in group.items()}


def _single_side(leg: Leg, calls: Mapping[SceneNode, str | None], body: Ink | None) -> str | None:
    if body is not None:
        return "near" if leg.joints[0].node.index > body.node.index else "far"
    said = calls[leg.joints[0].node]
    return said.partition("_")[0] if said is not None else None


def _add(
    named: dict[str, Leg],
    conflicts: list[Conflict],
    name: str,
    leg: Leg,
    calls: Mapping[SceneNode, str | None],
    body: Ink | None,
) -> None:
    told = [*leg.evidence, f"rooted at x {leg.joints[0].pivot[0]:.0f}"]
    confidence = 0.85
    if body is not None:
        near = name.startswith("near")
        if (leg.joints[0].node.index > body.node.index) == near:
            told.append(f"painted {'after' if near else 'before'} the body")
        else:
            told.append(f"painted {'before' if near else 'after'} the body like the other one of its pair")
            confidence -= 0.2
    said = calls[leg.joints[0].node]
    if said == name:
        told.append("named so")
        confidence += 0.12
    elif said is not None:
        confidence -= 0.25
        called, found = said.replace("_", " "), name.replace("_", " ")
        disagree = f"a leg is called {called}, but by its place and paint order it is the {found}"
        conflicts.append(Conflict(Disagreement.LEG_NAME, disagree, leg.joints[0].node))
    named[name] = replace(leg, name=name, confidence=round(max(confidence, 0.1), 2), evidence=tuple(told))


def faces_right(roots: Sequence[float], head_x: float | None) -> bool:
    """Whether the head lies to the right of the legs' middle; a dog without a head is taken to face right."""
    if head_x is None or not roots:
        return True
    return head_x >= sum(roots) / len(roots)
