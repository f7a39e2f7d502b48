"""The foreleg (spec §2.3): a chain hinged at the shoulder on the side of the body, painted over neck and chest.

Joints are told by motion and judged where they turn in the drawing, however the source spells them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from husky_lint.rule import Finding, Reason, Related, Undecided, Verdict, rule

from .kinematics import outline_points, transformed
from .rig import rig_of
from .silhouette import declaration_span, silhouette_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.source import Span

    from .rig import Joint, Leg
    from .silhouette import Silhouette

    FloatArray = NDArray[np.float64]
    Point = tuple[float, float]

FORES = ("near_fore", "far_fore")
BESIDE = 6.0
"""Units that a limb's edge may lie off the line between its joints."""


@dataclass(frozen=True, slots=True)
class Foreleg:
    """A foreleg from the shoulder on, with the joints that turn above the shoulder (a moving blade) left out."""

    leg: Leg
    joints: tuple[Joint, ...]

    @property
    def title(self) -> str:
        """``near foreleg`` or ``far foreleg``."""
        return self.leg.name.replace("_fore", " foreleg")

    def own_shapes(self, place: int) -> list[SceneNode]:
        """The shapes that turn with this joint and not with the next one; of the paw with its toes, if they turn."""
        within = [joint.node for joint in self.joints[:3]]
        found = []
        for shape in self.leg.shapes:
            line = (shape, *shape.ancestors())
            depth = max((i for i, node in enumerate(within) if node in line), default=0)
            if depth == min(place, len(within) - 1):
                found.append(shape)
        return found


def forelegs(evidence: Evidence, near: Point, far: Point, position: float) -> Iterator[tuple[Foreleg, Point]]:
    """Both forelegs, each with the place where its shoulder belongs. Raises Undecided after the one that was found."""
    rig = rig_of(evidence)
    for name, shoulder in zip(FORES, (near, far), strict=True):
        if name in rig.legs:
            leg = rig.legs[name]
            joints = leg.joints
            if len(joints) > 3 and _apart(joints[0].pivot, shoulder) > position >= _apart(joints[1].pivot, shoulder):
                joints = joints[1:]
            yield Foreleg(leg, joints), shoulder
    for name in FORES:
        rig.leg(name)


@rule("HB2306")
def foreleg_chain(
    evidence: Evidence, near_shoulder: Point, far_shoulder: Point, position: float
) -> Iterator[Finding | Verdict]:
    """A foreleg is no chain of upper arm, forearm and paw.

    ## What it checks
    Each foreleg has three parts that turn, one inside the other, and each carries something that is drawn: upper arm,
    forearm, paw. A blade lies on the ribcage above them; a dog without one fails too, but that alone does not decide
    the row.

    ## Why it matters
    A leg that turns in one piece is a table leg. The elbow between shoulder and wrist is what makes it a foreleg.

    ## Example that fails
    ```css
    .fore .lower { animation-name: none !important; }
    ```

    ```css
    .blade { display: none; }
    ```

    ## Example that passes
    ```css
    .fore .pawgrp { animation-timing-function: linear; }
    ```
    """
    parts = ("the upper arm", "the forearm", "the paw")
    for foreleg, _ in forelegs(evidence, near_shoulder, far_shoulder, position):
        span = evidence.element_span(foreleg.joints[0].node.element)
        if len(foreleg.joints) < len(parts):
            yield Finding(
                f"the {foreleg.title} has {len(foreleg.joints)} part{'s' if len(foreleg.joints) > 1 else ''} that "
                f"turn{'s' if len(foreleg.joints) == 1 else ''}; upper arm, forearm and paw each turn, nested",
                span,
                data={"leg": foreleg.leg.name, "joints": len(foreleg.joints), "expected": 3},
            )
            continue
        for place, part in enumerate(parts):
            if not foreleg.own_shapes(place):
                yield Finding(
                    f"nothing that is seen turns with {part} of the {foreleg.title} alone",
                    evidence.element_span(foreleg.joints[place].node.element),
                    data={"leg": foreleg.leg.name, "part": part},
                )
    rig = rig_of(evidence)
    if rig.is_absent("blade"):
        yield Finding(
            "there is no blade: the chain begins with a scapula that lies on the ribcage",
            evidence.element_span(rig.leg("near_fore").joints[0].node.element),
            core=False,
        )
    elif "blade" not in rig.parts:
        yield Verdict.unknown(Reason.ROLE_NOT_FOUND, f"blade: {rig.missing.get('blade', 'not found')}", core=False)


@rule("HB2307")
def shoulder_pivot(evidence: Evidence, near_shoulder: Point, far_shoulder: Point, position: float) -> Iterator[Finding]:
    """A foreleg does not turn about the shoulder's place.

    ## What it checks
    The root joint of the near foreleg turns about (498, 214), that of the far one about (478, 212), within a few units.

    ## Why it matters
    The arc of the paw, the reach of the stride and the fit of the arm into the body all follow from this point.

    ## Example that fails
    ```css
    .fore.near .upper { transform-origin: 498px 234px; }
    ```

    ## Example that passes
    ```css
    .fore.near .upper { transform-box: view-box; transform-origin: 500px 212px; }
    ```
    """
    for foreleg, shoulder in forelegs(evidence, near_shoulder, far_shoulder, position):
        yield from _misplaced(evidence, foreleg, 0, "shoulder", shoulder, position)


@rule("HB2308")
def elbow_pivot(
    evidence: Evidence,
    near_shoulder: Point,
    far_shoulder: Point,
    near_elbow: Point,
    far_elbow: Point,
    position: float,
) -> Iterator[Finding]:
    """The elbow is not the second joint, or not in its place.

    ## What it checks
    The second joint of the near foreleg turns about (482, 252), that of the far one about (464, 250), within a few
    units; and the root joint does not lie there.

    ## Why it matters
    A leg that is attached at its elbow swings from the belly line: closer to anatomy than a leg on the ribs, and still
    wrong.

    ## Example that fails
    ```css
    .fore.near .lower { transform-origin: 484px 270px; }
    ```

    ## Example that passes
    ```css
    .fore.near .lower { transform-origin: 481px 251px; }
    ```
    """
    elbows = {"near_fore": near_elbow, "far_fore": far_elbow}
    for foreleg, _ in forelegs(evidence, near_shoulder, far_shoulder, position):
        elbow = elbows[foreleg.leg.name]
        root = foreleg.joints[0]
        if _apart(root.pivot, elbow) <= position:
            yield Finding(
                f"the {foreleg.title} is hinged at the elbow, at {_at(root.pivot)}; the elbow is its second joint",
                _pivot_span(evidence, root),
                data={"leg": foreleg.leg.name, "root": root.pivot},
            )
        elif len(foreleg.joints) < 2:
            yield Finding(
                f"the {foreleg.title} turns in one piece: it has no elbow; one belongs at {_at(elbow)}",
                evidence.element_span(root.node.element),
                data={"leg": foreleg.leg.name, "expected": elbow},
            )
        else:
            yield from _misplaced(evidence, foreleg, 1, "elbow", elbow, position)


@rule("HB2310")
def leg_rooted_at_ribs(
    evidence: Evidence, near_shoulder: Point, far_shoulder: Point, near_elbow: Point, far_elbow: Point, reach: float
) -> Iterator[Finding]:
    """A foreleg is rooted on the ribs or at the elbow instead of the shoulder.

    ## What it checks
    The root joint of each foreleg lies on the shoulder: not farther from its place than a shoulder is wide, nearer to
    it than to the elbow, and on the body.

    ## Why it matters
    The visible top of a leg, where it comes out of the fur, looks like the place to hinge it. It is not: the shoulder
    lies higher and farther forward, on the side of the body.

    ## Example that fails
    ```css
    .fore.near .upper { transform-origin: 488px 234px; }
    ```

    ```css
    .fore.near .upper { transform-origin: 482px 252px; }
    ```

    ## Example that passes
    ```css
    .fore.near .upper { transform-origin: 501px 216px; }
    ```
    """
    silhouette = silhouette_of(evidence)
    elbows = {"near_fore": near_elbow, "far_fore": far_elbow}
    for foreleg, shoulder in forelegs(evidence, near_shoulder, far_shoulder, reach):
        root, elbow = foreleg.joints[0], elbows[foreleg.leg.name]
        distance = _apart(root.pivot, shoulder)
        below = root.pivot[1] - _topline(silhouette, root.pivot[0])
        if _apart(root.pivot, elbow) < distance:
            where = "nearer to the elbow than to the shoulder"
        elif distance > reach:
            where = f"{distance:.0f} units from the shoulder"
        elif not _is_on(silhouette, root.pivot):
            where = "off the body"
        else:
            continue
        yield Finding(
            f"the {foreleg.title} is rooted at {_at(root.pivot)}, {where}, {below:.0f} units under the topline; "
            f"the shoulder is at {_at(shoulder)}",
            _pivot_span(evidence, root),
            data={"leg": foreleg.leg.name, "root": root.pivot, "expected": shoulder, "distance": distance},
        )


@rule("HB2309")
def paw_place(
    evidence: Evidence,
    near_shoulder: Point,
    far_shoulder: Point,
    near_paw: Point,
    far_paw: Point,
    position: float,
) -> Iterator[Finding]:
    """A foreleg at rest does not end on the ground under the shoulder.

    ## What it checks
    With every animation removed the sole of the near forepaw stands at (485, 340), that of the far one at (466, 340),
    and the wrist turns above it, on the forearm. Where a static rotation poses a leg, it is looked at as it is drawn.

    ## Why it matters
    The rest pose is what a reader with reduced motion sees, and what every keyframe is measured from. A wrist on the
    ground would turn the paw about its toes.

    ## Example that fails
    ```css
    .fore.near .pawgrp { transform: translateY(-14px); }
    ```

    ```css
    .fore.far .pawgrp { transform-origin: 464px 340px; }
    ```

    ## Example that passes
    ```css
    .fore.near .upper { transform: rotate(-14deg); }
    ```
    """
    silhouette = silhouette_of(evidence)
    paws = {"near_fore": near_paw, "far_fore": far_paw}
    for foreleg, _ in forelegs(evidence, near_shoulder, far_shoulder, position):
        place = paws[foreleg.leg.name]
        stands = [_sole(silhouette, foreleg, drawn=False)]
        if any(_is_posed(silhouette, joint) for joint in foreleg.joints):
            stands.append(_sole(silhouette, foreleg, drawn=True))
        if not any(_stands_at(sole, place, position) for sole in stands):
            left, right, lowest = stands[0]
            yield Finding(
                f"the {foreleg.title} ends at x {left:.0f} to {right:.0f}, y {lowest:.0f} at rest; it ends on the "
                f"ground at {_at(place)}",
                evidence.element_span(foreleg.joints[-1].node.element),
                data={"leg": foreleg.leg.name, "sole": stands[0], "expected": place},
            )
        wrist = foreleg.joints[min(2, len(foreleg.joints) - 1)]
        if len(foreleg.joints) >= 3 and wrist.pivot[1] > place[1] - position:
            yield Finding(
                f"the paw of the {foreleg.title} turns about {_at(wrist.pivot)}, on the ground; a wrist lies above it",
                _pivot_span(evidence, wrist),
                data={"leg": foreleg.leg.name, "wrist": wrist.pivot},
            )


@rule("HB2311")
def foreleg_over_neck(evidence: Evidence, sheared: float, hidden: float) -> Iterator[Finding]:
    """Head, neck or chest fur is painted over the near foreleg.

    ## What it checks
    Nothing of head, neck, collar, chest and body that is seen is painted after the near foreleg where they overlap,
    and nothing else hides a good part of its upper arm.

    ## Why it matters
    Overlap is the only depth a flat profile has. A leg under the neck coat has its shoulder sheared off.

    ## Example that fails
    ```html
    <path class="torso" d="M470 190 L540 190 L540 240 L470 240 Z"/>
    ```

    ## Example that passes
    ```html
    <path class="blade" d="M560 330 h4 v4 h-4 z"/>
    ```
    """
    silhouette = silhouette_of(evidence)
    leg = silhouette.rig.leg("near_fore")
    arm = [shape for shape in leg.shapes if silhouette.covers(shape)]
    if not arm:
        raise Undecided(Reason.ROLE_NOT_FOUND, "nothing that is seen of the near foreleg is opaque")
    first = min(shape.index for shape in arm)
    last = max(shape.index for shape in arm)
    upper = _upper_shapes(leg, arm)
    whole = silhouette.union(upper)
    roles = {shape: role for role in _OVER for shape in silhouette.part(role)}
    head = silhouette.rig.parts.get("head")
    for later in silhouette.shapes:
        if later.index <= first or later in silhouette.legs or not silhouette.covers(later):
            continue
        under = [shape for shape in arm if shape.index < later.index]
        role = roles.get(later)
        if role is None and head is not None and head.node in later.ancestors():
            role = "head"
        covered = silhouette.union(under).intersection(silhouette.ink(later)).area if under else 0.0
        if role is not None and covered > sheared:
            what = f"the {role.replace('_', ' ')}"
        elif (
            whole.area > 0
            and whole.intersection(silhouette.ink(later)).area > hidden * whole.area
            and (later.index > max(shape.index for shape in upper))
        ):
            what = "a shape"
        else:
            continue
        yield Finding(
            f"{what} is painted after the near foreleg and covers {covered:.0f} square units of it; the near foreleg "
            f"is painted last, over head, neck and chest",
            evidence.element_span(later.element),
            related=(Related(evidence.element_span(leg.joints[0].node.element), "the near foreleg"),),
            data={"covered": covered, "part": role, "leg_ends_at": last},
        )


@rule("HB2314")
def leg_taper(
    evidence: Evidence,
    near_shoulder: Point,
    far_shoulder: Point,
    upper_width: float,
    forearm_width: float,
    proportion: float,
    filled_proportion: float,
    position: float,
) -> Iterator[Finding]:
    """The upper arm is not thicker than the forearm in the proportion of the spec.

    ## What it checks
    The width of each foreleg's upper arm is about 21 and that of its forearm about 14.5: of the limb itself, a thick
    stroke or a filled outline across its axis, not of the line under it or around it. The numbers are stroke widths: a
    filled outline, which has another width everywhere, may be off by twice as much. Widths that are off while the limb
    does taper do not decide the row.

    ## Why it matters
    A leg of one width from shoulder to paw is a pipe.

    ## Example that fails
    ```css
    .arm { stroke-width: 14.5; }
    ```

    ## Example that passes
    ```css
    .fore .arm { stroke-width: 20; }
    .fore .forearm { stroke-width: 15; }
    ```
    """
    silhouette = silhouette_of(evidence)
    doubtful: Undecided | None = None
    for foreleg, _ in forelegs(evidence, near_shoulder, far_shoulder, position):
        if len(foreleg.joints) < 2:
            continue
        limbs = [_limb(silhouette, foreleg, place) for place in (0, 1)]
        (arm, arm_width), (forearm, width) = limbs
        if arm is None or forearm is None:
            part = "upper arm" if arm is None else "forearm"
            doubtful = doubtful or Undecided(
                Reason.ROLE_NOT_FOUND, f"no shape runs along the {part} of the {foreleg.title}"
            )
            continue
        least_taper = upper_width / forearm_width * (1 - proportion)
        tapers = arm_width / width >= least_taper
        off = any(
            abs(measured - asked) > asked * (filled_proportion if silhouette.is_filled(shape) else proportion)
            for shape, measured, asked in ((arm, arm_width, upper_width), (forearm, width, forearm_width))
        )
        if tapers and not off:
            continue
        yield Finding(
            f"the upper arm of the {foreleg.title} is {arm_width:.1f} wide and its forearm {width:.1f}"
            f"{'' if tapers else ', so that it hardly tapers'}; {upper_width:g} and {forearm_width:g} are asked for",
            declaration_span(evidence, silhouette.rest, arm, "stroke-width"),
            related=(Related(declaration_span(evidence, silhouette.rest, forearm, "stroke-width"), "the forearm"),),
            data={"leg": foreleg.leg.name, "upper": arm_width, "forearm": width},
            core=not tapers,
        )
    if doubtful is not None:
        raise doubtful


# ---------------------------------------------------------------- what the rules share

_OVER = ("body", "neck", "bib", "collar", "skull", "face_mask")


def _apart(a: Point, b: Point) -> float:
    return math.hypot(a[0] - b[0], a[1] - b[1])


def _at(point: Point) -> str:
    return f"({point[0]:.0f}, {point[1]:.0f})"


def _pivot_span(evidence: Evidence, joint: Joint) -> Span:
    silhouette = silhouette_of(evidence)
    return declaration_span(evidence, silhouette.motion, joint.node, "transform-origin")


def _misplaced(
    evidence: Evidence, foreleg: Foreleg, place: int, name: str, expected: Point, position: float
) -> Iterator[Finding]:
    joint = foreleg.joints[place]
    distance = _apart(joint.pivot, expected)
    if distance > position:
        yield Finding(
            f"the {name} of the {foreleg.title} turns about {_at(joint.pivot)}, {distance:.0f} units from "
            f"{_at(expected)}",
            _pivot_span(evidence, joint),
            data={"leg": foreleg.leg.name, "measured": joint.pivot, "expected": expected, "distance": distance},
        )


def _topline(silhouette: Silhouette, x: float) -> float:
    """Height of the body's back at x; NaN beside the body."""
    from shapely import LineString

    column = silhouette.coat.intersection(LineString([(x, -1e4), (x, 1e4)]))
    return math.nan if column.is_empty else float(column.bounds[1])


def _is_on(silhouette: Silhouette, point: Point) -> bool:
    from shapely import Point as ShapelyPoint

    return bool(silhouette.coat.buffer(2.0).covers(ShapelyPoint(point)))


def _sole(silhouette: Silhouette, foreleg: Foreleg, *, drawn: bool) -> tuple[float, float, float]:
    """Left, right and lowest of the sole: at rest, or with every joint at the angle it is drawn at."""
    points = []
    wrist = foreleg.joints[-1]
    for shape in foreleg.leg.sole:
        stroke = silhouette.rest.stroke(shape)
        own = outline_points(silhouette.rest.outline(shape), 0.0 if stroke is None else stroke.width / 2)
        matrix = silhouette.matrix(shape)
        if drawn:
            inner = _full(silhouette.matrix(wrist.node))
            matrix = _row(_full(_unturned(silhouette, wrist)) @ np.linalg.pinv(inner) @ _full(matrix))
        points.append(transformed(matrix[None, :], own)[0])
    outline = np.concatenate(points) if points else np.zeros((0, 2))
    if not len(outline):
        raise Undecided(Reason.ROLE_NOT_FOUND, f"no sole of the {foreleg.title} was found")
    lowest = float(outline[:, 1].max())
    sole = outline[outline[:, 1] >= lowest - 3.0, 0]
    return float(sole.min()), float(sole.max()), lowest


def _is_posed(silhouette: Silhouette, joint: Joint) -> bool:
    """Whether a static rotation turns a joint from the angle it is drawn at."""
    if joint.node.parent is None:
        return False
    own, around = (silhouette.matrix(node) for node in (joint.node, joint.node.parent))
    turned = math.degrees(math.atan2(own[1], own[0]) - math.atan2(around[1], around[0]))
    return abs((turned + 180.0) % 360.0 - 180.0) > 1.0


def _unturned(silhouette: Silhouette, joint: Joint) -> FloatArray:
    """(6,) the matrix of a joint's space with the joint in its place and not turned."""
    a, b = silhouette.matrix(joint.node.parent or joint.node)[:2].tolist()
    scale = math.hypot(a, b)
    x, y = joint.pivot
    return np.array([scale, 0.0, 0.0, scale, x - scale * joint.centre[0], y - scale * joint.centre[1]])


def _full(row: FloatArray) -> FloatArray:
    full = np.eye(3)
    full[:2] = row.reshape(3, 2).T
    return full


def _row(full: FloatArray) -> FloatArray:
    return full[:2].T.reshape(6)


def _stands_at(sole: tuple[float, float, float], place: Point, position: float) -> bool:
    left, right, lowest = sole
    return left - position <= place[0] <= right + position and abs(lowest - place[1]) <= position


def _upper_shapes(leg: Leg, arm: list[SceneNode]) -> list[SceneNode]:
    """Of the leg's shapes those that turn with its first joint and not with the second."""
    second = leg.joints[1].node if len(leg.joints) > 1 else None
    return [shape for shape in arm if second is None or second not in (shape, *shape.ancestors())] or arm


def _limb(silhouette: Silhouette, foreleg: Foreleg, place: int) -> tuple[SceneNode | None, float]:
    """The shape that is a segment of the limb and its width across the axis, in units.

    Of what runs along the axis the one of which most is seen: not the line under it nor the detail on it.
    """
    joints = foreleg.joints
    start = silhouette.point(joints[place].node, joints[place].centre)
    if place + 1 < len(joints):
        end = silhouette.point(joints[place + 1].node, joints[place + 1].centre)
    else:
        left, right, lowest = _sole(silhouette, foreleg, drawn=False)
        end = ((left + right) / 2, lowest - 14.0)
    shapes = foreleg.own_shapes(place)
    best: tuple[float, SceneNode | None, float] = (0.0, None, math.nan)
    for shape in shapes:
        area = silhouette.ink(shape)
        width = _width(silhouette.body(shape), start, end) if silhouette.covers(shape) else None
        if width is None or area.area <= best[0]:
            continue
        for later in shapes:
            if later.index > shape.index and silhouette.covers(later):
                area = area.difference(silhouette.ink(later))
        if area.area > best[0]:
            best = (area.area, shape, width)
    return best[1], best[2]


def _width(area: Any, start: Point, end: Point) -> float | None:
    """The median width of an area across the line from start to end; None where it does not run along it."""
    from shapely import distance, get_parts, intersection, length, linestrings, points

    begin, along = np.array(start), np.subtract(end, start)
    reach = float(np.hypot(*along))
    if reach < 1.0:
        return None
    across = np.array([-along[1], along[0]]) / reach * 60.0
    middles = begin + np.array([0.25, 0.35, 0.45, 0.55, 0.65, 0.75])[:, None] * along
    cuts, owner = get_parts(
        intersection(area, linestrings(np.stack([middles - across, middles + across], axis=1))), return_index=True
    )
    near = distance(cuts, points(middles)[owner]) <= BESIDE
    widths = [
        float(length(cuts[near & (owner == i)]).max()) for i in range(len(middles)) if (near & (owner == i)).any()
    ]
    return float(np.median(widths)) if len(widths) >= 4 else None
