"""SVG animation elements that run in a state: the scene's own clock goes on unless script holds it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from husky_lint.animation.smil import parse_timing
from husky_lint.animation.unknown import Unknown
from husky_lint.rule import Reason, Undecided
from husky_lint.scene.graph import local_name
from husky_lint.scene.smil import MOTION, animation_elements_in
from husky_lint.script.journal import CLOCK_HELD, MarkUnknown, SetAttribute

from .running import INSTANT, MOVING, Running
from .seen import counterpart

if TYPE_CHECKING:
    from lxml.etree import _Element

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.script.effects import Response

_HOLDS: Final = "pauseAnimations"
_RELEASES: Final = "unpauseAnimations"


def smil_running(evidence: Evidence, motion: Motion, node: SceneNode) -> list[Running]:
    """The SVG animations of a node that run for a while and change something; their names are the attributes'.

    Raises Undecided where an event begins one, or where script holds or releases the clock on an event that may have
    led to the state.
    """
    here = counterpart(motion, node)
    if here is None or not motion.is_displayed(here):
        return []
    moved = animation_elements_in(motion.scene, motion.styled.state.mutations)
    found = [
        one
        for attribute, elements in moved.get(here.element, {}).items()
        if attribute in MOVING or attribute == MOTION
        for element in elements
        if (one := _run(here, attribute, element)) is not None
    ]
    return found if found and clock_runs(evidence, motion) else []


def _run(node: SceneNode, attribute: str, element: _Element) -> Running | None:
    attributes = {str(name): str(value) for name, value in element.attrib.items()}
    timing = parse_timing(attributes, is_set=local_name(element) == "set")
    if isinstance(timing, Unknown):
        raise Undecided(Reason.UNSUPPORTED_CSS, timing.reason)
    if timing is None or not math.isfinite(timing.duration) or timing.duration < INSTANT:
        return None
    values = [one.strip() for one in attributes.get("values", "").split(";") if one.strip()]
    if len(set(values)) == 1:
        return None
    return Running(node, attribute, timing.duration, math.isinf(timing.intervals[-1][1]))


def clock_runs(evidence: Evidence, motion: Motion) -> bool:
    """Whether the clock of the SVG animations goes on in the state. Raises Undecided, see :func:`smil_running`."""
    survey = evidence.script_in(motion.styled.state.media)
    said = [effect.name for effect in survey.effects if effect.kind == "smil"]
    if any(name not in (_HOLDS, _RELEASES) for name in said):
        raise Undecided(Reason.SCRIPT_DRIVEN_MOTION, "script begins or ends an SVG animation")
    held = _held(motion)
    if held is not None:
        return not held
    runs = not said or said[-1] == _RELEASES
    turns = _HOLDS if runs else _RELEASES
    for response in survey.responses:
        for effect in (*response.effects, *response.later):
            if effect.kind == "smil" and effect.name == turns and _may_have_led(response, motion):
                raise Undecided(Reason.SCRIPT_DRIVEN_MOTION, "script holds or releases the SVG animations", effect.span)
    return runs


def _held(motion: Motion) -> bool | None:
    """Whether script holds the clock on the way into the state; None where it does not touch it."""
    held: bool | None = None
    for mutation in motion.styled.state.mutations:
        if isinstance(mutation, SetAttribute) and mutation.name == CLOCK_HELD:
            held = mutation.value is not None
        elif isinstance(mutation, MarkUnknown) and mutation.part == CLOCK_HELD and mutation.value is not None:
            raise Undecided(Reason.SCRIPT_DRIVEN_MOTION, "script may hold the SVG animations", mutation.span)
    return held


def _may_have_led(response: Response, motion: Motion) -> bool:
    """Whether the state may be one after the event: all that the event changes is changed in it."""
    changes = {mutation.span for mutation in motion.styled.state.mutations}
    return all(mutation.span in changes for mutation in response.mutations)
