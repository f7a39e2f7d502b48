"""The static motion of a page as plain data: the document that ``husky-lint trace`` prints."""

from __future__ import annotations

import math
from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from husky_lint.animation.timeline import animation_specs
from husky_lint.scene.animated import LONGHANDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from husky_lint.evidence import StaticEvidence
    from husky_lint.scene.motion import Motion
    from husky_lint.style.page_state import PageState

PACE: Final = "pace"
THEME: Final = "theme"
PAGE: Final = "page"
"""The one entry of a page that has no paces."""

SAMPLES: Final = 96
"""Times in a cycle when none are asked for."""

_DECIMALS: Final = 4


def trace(
    evidence: StaticEvidence,
    *,
    paces: Sequence[str] | None = None,
    theme: str | None = None,
    times: Sequence[float] | None = None,
    roles: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """Boxes of every element of the scene, by pace, in the scene's user units.

    ``paces`` defaults to all that the page has, ``theme`` to the one it loads with, ``times`` (seconds) to
    :data:`SAMPLES` over one cycle. ``roles`` are the CSS paths of parts, which a pace's entry repeats where the element
    is there. Raises KeyError for a pace or theme that the page does not have.
    """
    states = evidence.states
    known = states.values(PACE)
    fixed = {} if theme is None else {THEME: theme}
    if theme is not None and theme not in states.values(THEME):
        raise KeyError(f"{THEME}={theme}")
    if not known:
        if paces and list(paces) != [PAGE]:
            raise KeyError(f"{PACE}={paces[0]}")
        return {"paces": {PAGE: trace_state(evidence, states.state(**fixed), times, roles)}}
    for pace in paces or ():
        if pace not in known:
            raise KeyError(f"{PACE}={pace}")
    return {
        "paces": {
            pace: trace_state(evidence, states.state(**fixed, pace=pace), times, roles) for pace in (paces or known)
        }
    }


def trace_state(
    evidence: StaticEvidence,
    state: PageState,
    times: Sequence[float] | None = None,
    roles: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """One state: ``cycle_s``, ``times``, ``boxes`` by CSS path (None: no box), ``unknown`` with reasons, ``roles``."""
    motion = evidence.motion(state)
    cycle = cycle_of(motion)
    instants = [cycle * sample / SAMPLES for sample in range(SAMPLES)] if times is None else [float(t) for t in times]
    found = motion.boxes(np.array(instants))
    boxes: dict[str, list[list[float] | None]] = {}
    for node in motion.scene.nodes[1:]:
        if not node.uses and node in found:
            rows = np.round(found[node], _DECIMALS).tolist()
            boxes[node.css_path] = [None if math.isnan(row[0]) else row for row in rows]
    unknown = {
        node.css_path: reason for node, reason in motion.unknown.items() if not node.uses and node.parent is not None
    }
    return {
        "cycle_s": round(cycle, 6),
        "times": [round(time, 6) for time in instants],
        "boxes": boxes,
        "unknown": unknown,
        "roles": {role: path for role, path in roles.items() if path in boxes or path in unknown or path == "svg"},
    }


def cycle_of(motion: Motion) -> float:
    """The duration that most endless animations of the scene share, in seconds; 1 without any.

    Of durations with equally many animations the longest is the cycle: the shorter ones are its parts.
    """
    durations: Counter[float] = Counter()
    for node in motion.scene.nodes:
        if node.uses or not motion.is_displayed(node):
            continue
        style = motion.style(node)
        if not style.declares("animation-name"):
            continue
        for spec in animation_specs({name: style.value(name) for name in LONGHANDS}):
            if spec.duration > 0 and spec.iteration_count == math.inf and motion.styled.keyframes(spec.name):
                durations[round(spec.duration, 9)] += 1
    if not durations:
        return 1.0
    most = max(durations.values())
    return max(duration for duration, count in durations.items() if count == most)
