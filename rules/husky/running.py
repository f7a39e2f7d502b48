"""What of the gait runs in a state, told by the animations of the parts that make it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from husky_lint.animation.timeline import animation_specs
from husky_lint.animation.unknown import Unknown
from husky_lint.rule import Reason, Undecided
from husky_lint.scene.animated import LONGHANDS
from husky_lint.scene.graph import SHAPES
from husky_lint.style.values import serialize

from .rig import LEGS, rig_of
from .seen import counterpart, seen
from .strips import strips_of
from .visibility import is_visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.source import Span
    from husky_lint.style.computed import ComputedStyle, StyledDocument
    from husky_lint.style.states import PageState

    from .rig import Rig
    from .strips import Strip

MOVING: Final = frozenset(
    {
        *("transform", "translate", "rotate", "scale", "offset-distance", "offset-path", "d", "opacity", "visibility"),
        *("cx", "cy", "r", "rx", "ry", "x", "y", "width", "height", "left", "top", "stroke-dashoffset"),
    }
)
"""Properties whose animation is seen as motion."""
INSTANT: Final = 0.05
"""Seconds within which an animation is over before it is seen."""
_LOOKS: Final = tuple(0.15 * step for step in range(21))
"""Seconds at which is looked whether a thing is seen."""
_NOD_SHARES: Final = (0.25, 0.5, 1.0, 2.0)
"""Cycles that a nod takes; a look around takes its own time."""


@dataclass(frozen=True, slots=True, eq=False)
class Running:
    """An animation that runs on a node: its name, its seconds, and whether it repeats for ever."""

    node: SceneNode
    name: str
    duration: float
    endless: bool


def state_of(evidence: Evidence, **wanted: str) -> PageState:
    """The page in these values. Raises Undecided where it cannot be put there."""
    state = evidence.states.state(**wanted)
    for axis in (*wanted, "sheets"):
        reason = state.unknown.get(axis)
        if reason is not None:
            known = Reason(reason) if reason in set(Reason) else Reason.STATE_NOT_FOUND
            raise Undecided(known, f"how the page looks at {state.label} could not be told")
    return state


def gait_parts(evidence: Evidence) -> Mapping[SceneNode, str]:
    """The nodes whose motion is the gait or the scenery passing by, with what to call each; worked out once."""
    return evidence.derived(_find_gait_parts)


def head_chain(evidence: Evidence) -> tuple[SceneNode, ...]:
    """The skull and the groups around it that hold nothing of the gait. Raises Undecided where it was not found."""
    gait = gait_parts(evidence)
    skull = rig_of(evidence).part("skull").node
    return tuple(node for node in (skull, *skull.ancestors()) if node not in gait and node.parent is not None)


def _find_gait_parts(evidence: Evidence) -> Mapping[SceneNode, str]:
    rig = rig_of(evidence)
    if not rig.legs:
        rig.leg(LEGS[0])  # says why there is none
    found: dict[SceneNode, str] = {}
    for name in LEGS:
        if name in rig.legs:
            for joint in rig.legs[name].joints:
                found[joint.node] = f"the {name.replace('_', ' ')} leg"
    for role, what in _rigid_parts(rig):
        for node in rig.parts[role].nodes:
            found.setdefault(node, what)
    for node, what in tuple(found.items()):
        for above in node.ancestors():
            if above.parent is not None:
                found.setdefault(above, "the loose leg" if what == "the loose leg" else "the body's bob")
    for strip in _strips(evidence):
        found[strip.node] = f"the {strip.name} strip"
    return found


def _strips(evidence: Evidence) -> Sequence[Strip]:
    try:
        return strips_of(evidence)
    except Undecided:
        return ()


def _rigid_parts(rig: Rig) -> Iterator[tuple[str, str]]:
    names = {"contact_shadow": "the contact shadow", "body": "the body's bob", "dog": "the body's bob"}
    names |= {f"dots.{leg}": f"the contact dot of the {leg.replace('_', ' ')} leg" for leg in LEGS}
    names["detached_leg"] = "the loose leg"
    yield from ((role, what) for role, what in names.items() if role in rig.parts)


def running(motion: Motion, node: SceneNode) -> list[Running]:
    """The animations of a node that run and are seen to move something; none where nothing of it is shown.

    Raises Undecided where script moves it.
    """
    here = counterpart(motion, node)
    if here is None or not motion.is_displayed(here):
        return []
    if motion.is_carried_by_script(here):
        raise Undecided(Reason.SCRIPT_DRIVEN_MOTION, "script moves a part of the gait")
    if not may_run(motion, here):
        return []
    animations = motion.animations(here)
    if isinstance(animations, Unknown):
        raise Undecided(Reason.UNSUPPORTED_CSS, animations.reason)
    found: dict[str, Running] = {}
    for name, applied in animations.items():
        if name not in MOVING:
            continue
        for spec, frames in applied:
            lasts = spec.delay + spec.duration * spec.iteration_count
            if spec.paused or spec.duration <= 0 or lasts < INSTANT:
                continue
            if len({None if frame.value is None else serialize(frame.value) for frame in frames}) > 1:
                found.setdefault(spec.name, Running(here, spec.name, spec.duration, spec.iteration_count == math.inf))
    return list(found.values()) if found and _is_seen(motion, here) else []


def may_run(motion: Motion, node: SceneNode) -> bool:
    """Whether the cascade leaves a node an animation that is not paused."""
    try:
        style = motion.style(node)
    except KeyError:
        return False
    if not style.declares("animation-name") or style.keyword("animation-name") == "none":
        return False
    return not set(style.text("animation-play-state").split(", ")) <= {"paused"}


def is_animated(styled: StyledDocument, node: SceneNode) -> bool:
    """Whether the cascade gives a node that is displayed an animation that runs on: with keyframes, and not paused."""
    try:
        style = styled.clone_computed(node.uses, node.element) if node.uses else styled.computed(node.element)
    except KeyError:
        return False
    above: ComputedStyle | None = style
    while above is not None:
        if above.keyword("display") == "none":
            return False
        above = above.parent
    if not style.declares("animation-name"):
        return False
    return any(
        not spec.paused and spec.duration > INSTANT and spec.iteration_count > 1 and styled.keyframes(spec.name)
        for spec in animation_specs({name: style.value(name) for name in LONGHANDS})
    )


def _is_seen(motion: Motion, node: SceneNode) -> bool:
    """Whether something of a node is seen at some time; an animation may show what the cascade hides."""
    if is_visible(motion, node):
        return True
    shapes = [one for one in (node, *node.descendants()) if one.name in SHAPES and motion.is_displayed(one)]
    return any(seen(motion, [shape], _LOOKS).any() for shape in shapes)


def nods(running_now: Sequence[Running], cycle: float) -> list[Running]:
    """Those of the animations of the head that beat with the stride."""
    if cycle <= 0:
        return []
    return [
        one for one in running_now if any(abs(one.duration / cycle - share) < 0.02 * share for share in _NOD_SHARES)
    ]


def play_state_span(evidence: Evidence, motion: Motion, node: SceneNode) -> Span:
    """What a person would edit to pause a node: the declaration that decides its play state, or its animation."""
    style = motion.style(node)
    for name in ("animation-play-state", "animation-name"):
        declaration = style.declaration(name)
        if declaration is not None:
            return declaration.span
    return evidence.element_span(node.element)
