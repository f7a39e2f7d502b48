"""Where the lamppost and the dog's shadow stand (spec §2.1)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from husky_lint.rule import Finding, Reason, Related, Undecided, rule

from .rig import rig_of
from .strips import walk_state
from .visibility import is_painted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode

    from .rig import Part


class Box(NamedTuple):
    """Left, top, right, bottom in scene units, every animation removed."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def centre(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


@rule("HB2109")
def contact_shadow(evidence: Evidence, shadow_centre: tuple[float, float], position: float) -> Iterator[Finding]:
    """The dog's shadow does not lie under him.

    ## What it checks
    A shadow is painted under the dog, with its centre at about (426, 352) at rest.

    ## Why it matters
    The shadow is what sets the dog on the path. Beside or above him, he floats.

    ## Example that fails
    ```css
    .shadow { cx: 470px; }
    ```

    ## Example that passes
    ```css
    .shadow { cx: 424px; rx: 110px; }
    ```
    """
    rig = rig_of(evidence)
    if rig.is_absent("contact_shadow"):
        yield Finding("the dog has no shadow", evidence.element_span(evidence.scene.root.element))
        return
    part = rig.part("contact_shadow")
    box = _box(evidence, part)
    apart = math.dist(box.centre, shadow_centre)
    if apart > position:
        yield Finding(
            f"the shadow's centre is {_point(box.centre)}, {apart:.1f} units from {_point(shadow_centre)}",
            evidence.element_span(part.node.element),
            data={"measured": box.centre, "expected": tuple(shadow_centre)},
        )


@rule("HB2110")
def lamppost(
    evidence: Evidence, post_x: float, glass_centre: tuple[float, float], position: float
) -> Iterator[Finding]:
    """The lamppost or its glass stands somewhere else.

    ## What it checks
    The post stands at about x = 664 and the glass is centred at about (667.5, 166). Of a lamp that scrolls these are
    coordinates of its strip, of a still one those of the scene.

    ## Why it matters
    The lamp is the one upright of the scene that the eye measures the scroll by.

    ## Example that fails
    ```html
    <g class="lamp">
      <rect x="640" y="180" width="7" height="150" fill="#333"/>
      <rect x="660" y="148" width="16" height="36" fill="#fe9"/>
    </g>
    ```

    ## Example that passes
    ```html
    <g class="lamp">
      <rect x="661" y="180" width="7" height="150" fill="#333"/>
      <rect x="658" y="148" width="19" height="36" fill="#fe9"/>
    </g>
    ```
    """
    rig = rig_of(evidence)
    absent = [role for role in ("lamppost", "lamp_glass") if rig.is_absent(role)]
    scene = evidence.element_span(evidence.scene.root.element)
    faults = [Finding(f"there is no {_NAMES[role]}", scene) for role in absent]
    if "lamppost" not in absent:
        part = rig.part("lamppost")
        x = _box(evidence, part).centre[0]
        if abs(x - post_x) > position:
            faults.append(
                Finding(
                    f"the post stands at x = {x:.1f}, not at {post_x:g}",
                    evidence.element_span((part.shapes or part.nodes)[0].element),
                    data={"measured": x, "expected": post_x},
                )
            )
    if "lamp_glass" not in absent:
        part = rig.part("lamp_glass")
        centre = _box(evidence, part).centre
        if math.dist(centre, glass_centre) > position:
            faults.append(
                Finding(
                    f"the glass is centred at {_point(centre)}, not at {_point(glass_centre)}",
                    evidence.element_span((part.shapes or part.nodes)[0].element),
                    related=(Related(evidence.element_span(part.node.element), "the lamp"),),
                    data={"measured": centre, "expected": tuple(glass_centre)},
                )
            )
    yield from faults


_NAMES = {"lamppost": "lamppost", "lamp_glass": "glass of a lamp"}


def _box(evidence: Evidence, part: Part) -> Box:
    """The box of a part's shapes at rest, where a strip stands at the begin of its scroll."""
    rest = evidence.rest(walk_state(evidence))
    shapes = part.shapes or part.nodes
    rows = [row for node in _painted(evidence, shapes) if (row := rest.boxes([0.0]).get(node)) is not None]
    rows = [row for row in rows if np.isfinite(row).all()]
    if not rows:
        raise Undecided(Reason.ROLE_NOT_FOUND, f"{part.role} has no box that can be told")
    boxes = np.concatenate(rows)
    far = boxes[:, :2] + boxes[:, 2:]
    return Box(float(boxes[:, 0].min()), float(boxes[:, 1].min()), float(far[:, 0].max()), float(far[:, 1].max()))


def _painted(evidence: Evidence, shapes: Sequence[SceneNode]) -> list[SceneNode]:
    motion = evidence.motion(walk_state(evidence))
    return [node for node in shapes if is_painted(motion, node) or node.children]


def _point(point: Sequence[float]) -> str:
    return f"({point[0]:.4g}, {point[1]:.4g})"
