"""The hop's gag (spec §2.5): the right foreleg comes off, arcs back, lands once behind the dog and stays gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from husky_lint.animation.timeline import animation_specs
from husky_lint.rule import Finding, Reason, Undecided, rule
from husky_lint.scene.animated import LONGHANDS
from husky_lint.scene.graph import SHAPES

from .rig import LEGS, rig_of
from .seen import counterpart, seen
from .strides import SETTLED, on_dog, strides

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from husky_lint.animation.timeline import AnimationSpec
    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion

    from .strides import Stride

    FloatArray = NDArray[np.float64]

_GONE = "near_fore"


@rule("HB2502")
def hop_right_foreleg(evidence: Evidence) -> Iterator[Finding]:
    """At hop it is not the right foreleg that is gone.

    ## What it checks
    When hop has been selected for a while, the near foreleg (the dog faces right, so it is his right one) is not seen
    on the dog any more, and the other three legs are.

    ## Why it matters
    The flank we see is his right side. With near and far confused the gag takes off the wrong leg, behind the body.

    ## Example that fails
    ```css
    #scene[data-speed="hop"] .fore.near { display: inline; }
    #scene[data-speed="hop"] .fore.far { display: none; }
    ```

    ## Example that passes
    ```css
    #scene[data-speed="hop"] .fore.near { display: inline; visibility: hidden; }
    ```
    """
    stride = _hop(evidence)
    rig = rig_of(evidence)
    times = SETTLED * stride.cycle
    for name in LEGS:
        leg = rig.leg(name)
        present = on_dog(stride.motion, leg, times)
        if name == _GONE and present.any():
            yield Finding(
                "the near foreleg, his right one, is still on the dog at hop; it goes and stays gone",
                evidence.element_span(leg.joints[0].node.element),
                data={"leg": name},
            )
        elif name != _GONE and not present.all():
            yield Finding(
                f"the {name.replace('_', ' ')} leg is gone at hop; only the near foreleg, his right one, goes",
                evidence.element_span(leg.joints[0].node.element),
                data={"leg": name},
            )


@rule("HB2503")
def hop_once(evidence: Evidence) -> Iterator[Finding]:
    """The leg does not go exactly once.

    ## What it checks
    What carries the detached leg away at hop is an animation of one iteration that fills both ways, and the leg is gone
    after it.

    ## Why it matters
    A gag that repeats every cycle is no gag, and a leg that comes back when the animation ends was never gone.

    ## Example that fails
    ```css
    #scene[data-speed="hop"] .runaway { animation-iteration-count: infinite; }
    ```

    ```css
    #scene[data-speed="hop"] .runaway { animation-fill-mode: none; }
    ```

    ## Example that passes
    ```css
    #scene[data-speed="hop"] .runaway { animation-duration: 1.8s; }
    ```
    """
    stride = _hop(evidence)
    rig = rig_of(evidence)
    leg = rig.leg(_GONE)
    if on_dog(stride.motion, leg, SETTLED * stride.cycle).any():
        yield Finding(
            "no leg goes at hop: the near foreleg stays on the dog",
            evidence.element_span(leg.joints[0].node.element),
        )
        return
    carrier, spec = flight(evidence, stride)
    style = stride.motion.style(carrier)
    if spec.iteration_count != 1:
        declaration = style.declaration("animation-iteration-count")
        yield Finding(
            f"the leg goes {spec.iteration_count:g} times; it goes once",
            declaration.span if declaration is not None else evidence.element_span(carrier.element),
            data={"iterations": spec.iteration_count, "expected": 1},
        )
    if not spec.fills_forwards or (spec.delay > 0 and not spec.fills_backwards):
        declaration = style.declaration("animation-fill-mode")
        yield Finding(
            "the flight does not fill both ways, so its last frame does not hold; fill-mode is both",
            declaration.span if declaration is not None else evidence.element_span(carrier.element),
            data={"forwards": spec.fills_forwards, "backwards": spec.fills_backwards},
        )


@rule("HB2504")
def hop_travel(
    evidence: Evidence, apart: float, footprint: tuple[float, float], landing: tuple[float, float]
) -> Iterator[Finding]:
    """The detached leg does not arc back and land on the path, clearly apart from the dog.

    ## What it checks
    While it is seen, the flying leg rises above where it came off, and then lies on the path with its middle behind the
    dog's footprint by a clear gap.

    ## Why it matters
    A leg that hangs at the flank, or drops in place, does not read as separated.

    ## Example that fails
    ```css
    @keyframes run-away { to { transform: translate(-60px, 20px) rotate(-90deg); } }
    ```

    ```css
    @keyframes run-away { to { transform: translate(-20px, 20px) rotate(-90deg); } }
    ```

    ```css
    @keyframes run-away { 40% { transform: translate(120px, -120px); } to { transform: translate(240px, 20px); } }
    ```

    ## Example that passes
    ```css
    #scene[data-speed="hop"] .runaway { animation-duration: 1.8s; }
    ```
    """
    stride = _hop(evidence)
    leg = rig_of(evidence).leg(_GONE)
    if on_dog(stride.motion, leg, SETTLED * stride.cycle).any():
        yield Finding(
            "no leg travels at hop: the near foreleg stays on the dog",
            evidence.element_span(leg.joints[0].node.element),
        )
        return
    carrier, spec = flight(evidence, stride)
    times = np.linspace(0.0, max(spec.delay, 0.0) + spec.duration, 160)
    shapes = _shapes(carrier)
    box = _union(stride.motion, shapes, times)
    visible = seen(stride.motion, shapes, times) & np.isfinite(box).all(axis=1)
    if not visible.any():
        raise Undecided(Reason.ROLE_NOT_FOUND, "the detached leg is never seen")
    top, bottom, middle = box[:, 1], box[:, 1] + box[:, 3], box[:, 0] + box[:, 2] / 2
    first = int(np.argmax(visible))
    behind = visible & (middle <= footprint[0] - apart)
    landed = behind & (bottom >= landing[0]) & (bottom <= landing[1])
    rises = float(top[first] - np.min(top[visible]))
    if not landed.any() or rises < apart / 2:
        farthest = float(np.min(middle[visible]))
        yield Finding(
            f"the detached leg gets to x {farthest:.0f} and rises by {rises:.0f} units; it arcs back and lies on the "
            f"path (y {landing[0]:g} to {landing[1]:g}) at x {footprint[0] - apart:g} or farther back",
            evidence.element_span(carrier.element),
            data={"x": farthest, "rise": rises, "landed": bool(landed.any())},
        )


@rule("HB2505")
def hop_still_hidden(evidence: Evidence) -> Iterator[Finding]:
    """In the still of the hop the missing leg is still there.

    ## What it checks
    At hop under reduced motion, with no animation running, neither the near foreleg nor its flying stand-in is seen,
    and the other three legs are: the tripod reads in a still frame.

    ## Why it matters
    A one-shot animation cannot be the only thing that hides a limb. With motion off the gag would not exist at all.

    ## Example that fails
    ```css
    @media (prefers-reduced-motion: reduce) {
      #scene * { animation: none !important; }
      #scene[data-speed="hop"] .fore.near { display: inline; }
    }
    ```

    ## Example that passes
    ```css
    @media (prefers-reduced-motion: reduce) {
      #scene * { animation: none !important; }
      #scene[data-speed="hop"] .runaway { display: none; }
    }
    ```
    """
    states = evidence.states
    for axis, value in (("pace", "hop"), ("motion", "reduced")):
        if states.unknown(axis, value) is not None:
            raise Undecided(Reason.STATE_NOT_FOUND, f"{axis} {value}")
    motion = evidence.motion(states.state(pace="hop", motion="reduced"))
    rig = rig_of(evidence)
    times = np.zeros(1)
    leg = rig.leg(_GONE)
    hidden = [("near foreleg", leg.shapes or leg.sole)]
    if "detached_leg" in rig.parts:
        hidden.append(("detached leg", tuple(_shapes(rig.part("detached_leg").node))))
    for what, shapes in hidden:
        if seen(motion, shapes, times).any():
            yield Finding(
                f"the {what} is seen in the still of the hop; CSS hides it, not only the animation",
                evidence.element_span(leg.joints[0].node.element),
                data={"part": what},
            )
    for name in LEGS:
        other = rig.leg(name)
        if name != _GONE and not seen(motion, other.shapes or other.sole, times).any():
            yield Finding(
                f"the {name.replace('_', ' ')} leg is not seen in the still of the hop; three legs stay",
                evidence.element_span(other.joints[0].node.element),
                data={"part": name},
            )


# ---------------------------------------------------------------- what the rules share


def _hop(evidence: Evidence) -> Stride:
    found = strides(evidence).get("hop")
    if found is None:
        raise Undecided(Reason.STATE_NOT_FOUND, "how the page spells hop could not be told")
    return found


def _shapes(node: SceneNode) -> list[SceneNode]:
    return [one for one in (node, *node.descendants()) if one.name in SHAPES]


def flight(evidence: Evidence, stride: Stride) -> tuple[SceneNode, AnimationSpec]:
    """What carries the detached leg at hop, and its longest animation. Raises Undecided when it could not be told."""
    told = rig_of(evidence).part("detached_leg").node
    part = counterpart(stride.motion, told) or told
    for node in (part, *part.ancestors(), *part.descendants()):
        if not stride.motion.is_displayed(node):
            continue
        style = stride.motion.style(node)
        specs = animation_specs({name: style.value(name) for name in LONGHANDS})
        running = [
            spec for spec in specs if spec.duration > 0 and stride.motion.styled.keyframes(spec.name) is not None
        ]
        if running and (node is part or node.parent is part or part.parent is node):
            return node, max(running, key=lambda spec: spec.duration)
    raise Undecided(Reason.ROLE_NOT_FOUND, "no animation carries the detached leg at hop")


def _union(motion: Motion, shapes: list[SceneNode], times: FloatArray) -> FloatArray:
    """(T, 4) the box around shapes; NaN where none has one."""
    boxes = motion.boxes(times, shapes)
    known = [boxes[shape] for shape in shapes if shape in boxes]
    if not known:
        return np.full((len(times), 4), np.nan)
    stack = np.stack(known)
    with np.errstate(all="ignore"):
        left, top = np.fmin.reduce(stack[:, :, 0]), np.fmin.reduce(stack[:, :, 1])
        right = np.fmax.reduce(stack[:, :, 0] + stack[:, :, 2])
        bottom = np.fmax.reduce(stack[:, :, 1] + stack[:, :, 3])
    return np.stack([left, top, right - left, bottom - top], axis=1)
