"""The dog as it is drawn at walk, every animation removed: its visible shapes as areas in scene units.

What the rules of anatomy measure: outlines, overlaps, what is covered. Static rotations of groups count, since they are
seen; a pose that only an animation strikes does not.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from husky_lint.animation.unknown import Unknown
from husky_lint.rule import Reason, Undecided
from husky_lint.scene.areas import fill_area, mapped, nothing, own_clip, stroke_area
from husky_lint.scene.graph import SHAPES

from .colour import paint_of
from .rig import rig_of
from .visibility import visible_shapes
from .walk_state import walk_state

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.source import Span

    from .colour import Paint
    from .rig import Rig

    FloatArray = NDArray[np.float64]

COVERING: Final = 0.5
"""Paint at least this opaque hides what is under it."""
WINDOW: Final = (230.0, 60.0, 690.0, 375.0)
"""Left, top, right, bottom within which something may be the dog's: the footprint with room around it."""
APART: Final = ("collar", "tag", "tail", "tail_tip", "ear", "skull", "face_mask", "blade", "detached_leg")
SPECK: Final = 60.0
"""Square units below which a shape is a detail and no part of an outline."""
BESIDES: Final = ("strip.far", "strip.mid", "strip.near", "strip.dirt", "hearts", "lamppost", "contact_shadow")
"""Parts of the scene that are no dog."""


@dataclass(eq=False)
class Silhouette:
    """The visible shapes of the scene without its strips, in paint order, and their areas in scene units.

    ``rest`` has every animation removed, ``motion`` is the same state alive.
    """

    evidence: Evidence
    rig: Rig
    rest: Motion
    motion: Motion
    shapes: tuple[SceneNode, ...]
    boxes: Mapping[SceneNode, tuple[float, float, float, float]]
    """Left, top, right, bottom of the shapes with their strokes, before any clipping."""
    _areas: dict[tuple[SceneNode, str], Any] = field(default_factory=dict)
    _matrices: dict[SceneNode, FloatArray] = field(default_factory=dict)

    def paint(self, node: SceneNode) -> Paint:
        """The paint of a shape."""
        return paint_of(self.rest, node)

    def covers(self, node: SceneNode) -> bool:
        """Whether a shape hides what it lies on."""
        return self.paint(node).alpha >= COVERING

    def matrix(self, node: SceneNode) -> FloatArray:
        """(6,) from the node's own space to the scene's."""
        return self._matrices[node]

    def point(self, node: SceneNode, point: tuple[float, float]) -> tuple[float, float]:
        """A point of a node's own space, in scene units."""
        a, b, c, d, e, f = self.matrix(node).tolist()
        x, y = point
        return (a * x + c * y + e, b * x + d * y + f)

    def ink(self, node: SceneNode) -> Any:
        """What a shape paints: its fill and its stroke, clipped; nothing for what is not seen without animations.

        Raises Undecided(unsupported-css) for masks.
        """
        return self._area(node, "ink")

    def body(self, node: SceneNode) -> Any:
        """The shape itself: its fill where it is filled, without an outline around it, else its stroke; clipped."""
        return self._area(node, "body")

    def is_filled(self, node: SceneNode) -> bool:
        """Whether a shape paints its inside."""
        paint = self.paint(node)
        if paint.fill is not None and paint.fill.alpha > 0:
            return True
        return paint.served and self.rest.style(node).keyword("fill") != "none"

    def union(self, nodes: Iterable[SceneNode]) -> Any:
        """What several shapes paint together."""
        from shapely import unary_union

        return unary_union([self.ink(node) for node in nodes])

    def seen(self, node: SceneNode, *, but: Iterable[SceneNode] = ()) -> Any:
        """What is left to see of a shape under everything painted later, ``but`` for some shapes."""
        area, spared = self.ink(node), frozenset(but)
        for later in self.shapes:
            if later.index > node.index and later not in spared and self.covers(later):
                area = area.difference(self.ink(later))
        return area

    def extent(self, nodes: Iterable[SceneNode]) -> tuple[float, float]:
        """Left and right end of what shapes paint together; NaN for nothing."""
        ends = []
        for side, pick in ((0, min), (2, max)):
            end = math.nan
            # Clipping only takes away, so a shape whose box does not reach the end found so far need not be drawn.
            for node in sorted(nodes, key=lambda node: (1 - side) * self.boxes[node][side]):
                if pick(end, self.boxes[node][side]) == end:
                    break
                area = self.ink(node)
                if not area.is_empty:
                    end = float(area.bounds[side]) if math.isnan(end) else pick(end, float(area.bounds[side]))
            ends.append(end)
        return ends[0], ends[1]

    def part(self, role: str) -> tuple[SceneNode, ...]:
        """The shapes of a part that are seen without animations; none where it could not be told."""
        part = self.rig.parts.get(role)
        return tuple(shape for shape in part.shapes if shape in self.boxes) if part is not None else ()

    def required(self, role: str) -> tuple[SceneNode, ...]:
        """:meth:`part` of a part that must be seen. Raises Undecided(role-not-found)."""
        self.rig.part(role)
        shapes = tuple(shape for shape in self.part(role) if not self.ink(shape).is_empty)
        if not shapes:
            raise Undecided(Reason.ROLE_NOT_FOUND, f"nothing of the {role.replace('_', ' ')} is seen at rest")
        return shapes

    def is_dogs(self, node: SceneNode) -> bool:
        """Whether a shape belongs to the dog: by its groups, where there are any, else by size and place."""
        dog = self.rig.parts.get("dog")
        if dog is not None:
            return any(one in dog.nodes for one in node.ancestors())
        left, top, right, bottom = self.boxes[node]
        return bool(left >= WINDOW[0] and top >= WINDOW[1] and right <= WINDOW[2] and bottom <= WINDOW[3])

    @cached_property
    def legs(self) -> frozenset[SceneNode]:
        """Every shape of a leg."""
        return frozenset(shape for leg in self.rig.legs.values() for shape in leg.shapes)

    @cached_property
    def trunk(self) -> Any:
        """The silhouette of body, neck and bib. Raises Undecided where there is no body."""
        return self.union([*self.required("body"), *self.part("neck"), *self.part("bib")])

    @cached_property
    def coat(self) -> Any:
        """The trunk with everything opaque that adjoins it, such as a throat or a flank drawn by itself.

        Legs, tail, head and what the dog wears are no part of it. Raises Undecided where there is no body.
        """
        from shapely import unary_union

        trunk, head = self.trunk, self.rig.parts.get("head")
        apart = {shape for role in APART for shape in self.part(role)} | self.legs
        left, top, right, bottom = trunk.bounds
        more = []
        for shape in self.shapes:
            if shape in apart or not self.is_dogs(shape) or not self.covers(shape):
                continue
            box = self.boxes[shape]
            if box[0] > right or box[1] > bottom or box[2] < left or box[3] < top:
                continue
            if head is None or head.node not in shape.ancestors():
                area = self.ink(shape)
                if area.area > SPECK and area.distance(trunk) <= 1.0:
                    more.append(area)
        return unary_union([trunk, *more])

    def _area(self, node: SceneNode, kind: str) -> Any:
        known = self._areas.get((node, kind))
        if known is None and node not in self.boxes:
            return nothing()
        if known is None:
            known = self._areas[node, kind] = self._clipped(node, mapped(self._own(node, kind), self.matrix(node)))
        return known

    def _own(self, node: SceneNode, kind: str) -> Any:
        paint, path = self.paint(node), self.rest.outline(node)
        style = self.rest.style(node)
        area = fill_area(path, even_odd=style.keyword("fill-rule") == "evenodd") if self.is_filled(node) else nothing()
        stroke = self.rest.stroke(node) if paint.stroke is not None and paint.stroke.alpha > 0 else None
        if stroke is None or (kind == "body" and not area.is_empty):
            return area
        return area.union(stroke_area(path, stroke))

    def _clipped(self, node: SceneNode, area: Any) -> Any:
        for one in (node, *node.ancestors()):
            if one.parent is None or one not in self._matrices:
                continue
            clip = own_clip(self.rest, one)
            if isinstance(clip, Unknown):
                raise Undecided(Reason(clip.reason), clip.detail, self.evidence.element_span(one.element))
            if clip is not None:
                area = area.intersection(mapped(clip, self.matrix(one)))
        return area


def silhouette_of(evidence: Evidence) -> Silhouette:
    """The silhouette of a submission, worked out once. Raises Undecided where there is no scene."""
    return evidence.derived(_silhouette)


def _silhouette(evidence: Evidence) -> Silhouette:
    rig, state = rig_of(evidence), walk_state(evidence)
    rest, motion = evidence.rest(state), evidence.motion(state)
    besides = [node for role in BESIDES if role in rig.parts for node in rig.parts[role].nodes]
    besides += [node for role, part in rig.parts.items() if role.startswith("dots.") for node in part.nodes]
    hidden = {one for node in besides for one in (node, *node.descendants())}
    nodes = [node for node in rest.scene.nodes if node.name in SHAPES and node not in hidden]
    boxes = rest.boxes([0.0])
    shapes = tuple(visible_shapes(rest, nodes, boxes))
    wanted = {one for node in shapes for one in (node, *node.ancestors())}
    joints = [joint.node for leg in rig.legs.values() for joint in leg.joints]
    wanted.update(one for joint in joints for one in (joint, *joint.ancestors()))
    matrices = {node: rows[0] for node, rows in rest.matrices(wanted, [0.0]).items()}
    spans = {node: _with_stroke(boxes[node][0], paint_of(rest, node)) for node in shapes}
    return Silhouette(evidence, rig, rest, motion, shapes, spans, _matrices=matrices)


def _with_stroke(box: FloatArray, paint: Paint) -> tuple[float, float, float, float]:
    grown = paint.stroke_width / 2 if paint.stroke is not None and paint.stroke.alpha > 0 else 0.0
    left, top, width, height = box.tolist()
    return (left - grown, top - grown, left + width + grown, top + height + grown)


def declaration_span(evidence: Evidence, motion: Motion, node: SceneNode, *names: str) -> Span:
    """The declaration that gives a node one of these properties, else its start tag."""
    style = motion.style(node)
    for name in names:
        declaration = style.declaration(name) if style.declares(name) else None
        if declaration is not None:
            return declaration.span
    return evidence.element_span(node.element)
