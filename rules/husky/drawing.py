"""The scene in one state as the rig is told from it: visible shapes with their ink, what scrolls, what turns."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.rule import Undecided
from husky_lint.scene.graph import SHAPES

from .colour import Paint, paint_of
from .kinematics import SETTLED, stride_times
from .limbs import Stage, last_index
from .seen import opacity
from .turning import find_turns
from .visibility import LEAST_OPACITY, visible_shapes
from .words import Lexicon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneGraph, SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.style.states import PageState

    FloatArray = NDArray[np.float64]

SAMPLES: Final = 48
"""Instants of a stride that parts are told from."""
USUAL_CYCLE: Final = 0.78
LONGEST_CYCLE: Final = 3.0
LONG_WATCH: Final = 12.0
"""Seconds in which what blinks or fades in and out is seen at least once."""
STRAIGHT: Final = 0.02
"""How far, of its way, something that scrolls may stray from a straight line at steady speed."""


@dataclass(frozen=True, slots=True, eq=False)
class Ink:
    """A visible shape outside the scrolling strips, as drawn (every animation removed).

    ``left`` … ``bottom`` bound what is painted in scene units, half the stroke included.
    """

    node: SceneNode
    left: float
    top: float
    right: float
    bottom: float
    paint: Paint

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def x(self) -> float:
        """Of the middle."""
        return (self.left + self.right) / 2

    @property
    def y(self) -> float:
        """Of the middle."""
        return (self.top + self.bottom) / 2

    @property
    def area(self) -> float:
        """Of the bounding box."""
        return self.width * self.height

    def covers(self, other: Ink) -> float:
        """The share of the other's box that this one's box covers."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(width, 0.0) * max(height, 0.0) / other.area if other.area > 0 else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Scroller:
    """An element that moves left at a steady speed: ``speed`` in scene units a second, positive to the left."""

    node: SceneNode
    speed: float


@dataclass(frozen=True, eq=False)
class Drawing:
    """One state of the scene; ``times`` are the instants of ``stage``."""

    state: PageState
    motion: Motion
    rest: Motion
    scene: SceneGraph
    cycle: float
    times: FloatArray
    stage: Stage
    scrollers: tuple[Scroller, ...]
    inks: Mapping[SceneNode, Ink]
    rest_boxes: Mapping[SceneNode, FloatArray]
    """(4,) x, y, width, height of every displayed node as drawn."""
    lexicon: Lexicon = field(default_factory=Lexicon)
    mirror: float | None = None
    """Where this drawing was turned over, as the sum of an old and a new x: its inks lie on the other side."""

    @cached_property
    def _ordered(self) -> tuple[list[int], list[Ink]]:
        inks = sorted(self.inks.values(), key=lambda ink: ink.node.index)
        return [ink.node.index for ink in inks], inks

    def inside(self, node: SceneNode) -> Sequence[Ink]:
        """The visible shapes in a node, itself included, in paint order."""
        indices, inks = self._ordered
        return inks[bisect_left(indices, node.index) : bisect_right(indices, last_index(node))]

    def mirrored(self, about: float) -> Drawing:
        """The drawing with left and right exchanged: an x becomes ``about`` − x. Only the inks are turned over."""
        inks = {node: replace(ink, left=about - ink.right, right=about - ink.left) for node, ink in self.inks.items()}
        return replace(self, inks=inks, mirror=about)

    def here(self, place: tuple[float, float]) -> tuple[float, float]:
        """A place of the scene in the drawing as it may be turned over."""
        return place if self.mirror is None else (self.mirror - place[0], place[1])

    def is_animated(self, node: SceneNode) -> bool:
        """Whether the element has an animation of its own, by CSS or by a SMIL child."""
        if any(child.name in {"animate", "animateTransform", "animateMotion", "set"} for child in node.children):
            return True
        try:
            return self.motion.style(node).text("animation-name") not in {"", "none"}
        except KeyError:
            return False


def draw(evidence: Evidence, state: PageState) -> Drawing:
    """The drawing of a state. Raises Undecided where there is no scene or no style of it."""
    motion, rest = evidence.motion(state), evidence.rest(state)
    scene = motion.scene
    shown = [node for node in scene.nodes[1:] if motion.is_displayed(node)]
    groups = [node for node in shown if node.name not in SHAPES]
    cycle = _cycle(motion, shown)
    times = stride_times(cycle, SAMPLES)
    animated = [node for node in shown if node.name in SHAPES and _is_animated_shape(motion, node)]
    matrices = motion.matrices([scene.root, *groups, *animated], times)
    scrollers = _scrollers(groups, matrices, times)
    still = _outside(shown, [scroller.node for scroller in scrollers])
    boxes = motion.boxes(times, _spared(still, scrollers))
    rest_boxes = {node: box[0] for node, box in rest.boxes([0.0]).items()}
    visible = _visible(motion, still, boxes, cycle)
    inks = {node: ink for node in visible if (ink := _ink(motion, node, rest_boxes.get(node))) is not None}
    turning = {node: matrices[node] for node in (scene.root, *still) if node in matrices}
    drawn = {node: row[0] for node, row in rest.matrices(turning, [0.0]).items()}
    stage = Stage(visible, boxes, rest_boxes, turning, drawn, find_turns(turning))
    return Drawing(state, motion, rest, scene, cycle, times, stage, scrollers, inks, rest_boxes)


def _is_animated_shape(motion: Motion, node: SceneNode) -> bool:
    return bool(node.children) or motion.style(node).declares("animation-name")


def _spared(still: Sequence[SceneNode], scrollers: Sequence[Scroller]) -> list[SceneNode]:
    """The nodes without the groups around strips, whose boxes would take all that scrolls with them."""
    around = {above for scroller in scrollers for above in scroller.node.ancestors()}
    return [node for node in still if node not in around]


def _visible(
    motion: Motion, nodes: Sequence[SceneNode], boxes: Mapping[SceneNode, FloatArray], cycle: float
) -> list[SceneNode]:
    """The shapes that can be seen once everything has settled: those too that an animation alone shows, or hides."""
    fading = {node for node in nodes if _fades(motion, node)}
    visible = visible_shapes(motion, nodes, boxes)
    if not fading:
        return visible
    times = SETTLED * cycle + np.linspace(0.0, LONG_WATCH, 2 * SAMPLES)
    changed: dict[SceneNode, bool] = {}
    for node in nodes:
        if node.name in SHAPES and any(one in fading for one in (node, *node.ancestors())):
            try:
                changed[node] = bool((opacity(motion, node, times) >= LEAST_OPACITY).any())
            except Undecided:
                continue
    kept = {node for node in visible if changed.get(node, True)}
    shown = [node for node, seen in changed.items() if seen and node not in kept and _is_inked(motion, node)]
    return sorted([*kept, *shown], key=lambda node: node.index)


def _is_inked(motion: Motion, node: SceneNode) -> bool:
    """Whether a shape would be painted, opacities aside."""
    style = motion.style(node)
    hidden = style.keyword("visibility") in {"hidden", "collapse"}
    return not hidden and (style.text("fill") != "none" or style.text("stroke") != "none")


def _fades(motion: Motion, node: SceneNode) -> bool:
    """Whether the keyframes of an element's animations say anything of opacity."""
    style = motion.style(node)
    if not style.declares("animation-name"):
        return False
    try:
        names = style.text("animation-name").split(",")[:8]
    except Undecided:  # moved by script: what is seen of it is measured
        return False
    for name in names:
        rule = motion.styled.keyframes(name.strip().strip("\"'"))
        for block in rule.rules if rule is not None else ():
            if any(declaration.name == "opacity" for declaration in block.declarations):
                return True
    return False


def with_turns_of(stage: Stage, motion: Motion) -> Stage:
    """The stage with what turns at another pace counted as turning too, where it keeps still at the stage's own."""
    times = stride_times(
        _cycle(motion, [node for node in motion.scene.nodes[1:] if motion.is_displayed(node)]), SAMPLES
    )
    here = {node.css_path: node for node in stage.matrices}
    there = [node for node in motion.scene.nodes if node.css_path in here]
    matrices = motion.matrices(there, times)
    turns = {here[node.css_path]: turn for node, turn in find_turns(matrices).items()}
    return replace(stage, turns={**turns, **stage.turns})


def _outside(nodes: Sequence[SceneNode], containers: Sequence[SceneNode]) -> list[SceneNode]:
    spans = [(node.index, last_index(node)) for node in containers]
    return [node for node in nodes if not any(first <= node.index <= last for first, last in spans)]


def _cycle(motion: Motion, nodes: Iterable[SceneNode]) -> float:
    """Seconds of the stride: what most animations take, of those that are short enough."""
    durations: Counter[float] = Counter()
    for node in nodes:
        style = motion.style(node)
        try:
            animated = style.declares("animation-name") and style.text("animation-name") != "none"
            taken = style.times("animation-duration") if animated else ()
        except Undecided:  # moved by script: no style says how long it takes
            continue
        if taken and taken[0] is not None and 0 < taken[0] <= LONGEST_CYCLE:
            durations[round(taken[0], 6)] += 1
    return durations.most_common(1)[0][0] if durations else USUAL_CYCLE


def _ink(motion: Motion, node: SceneNode, box: FloatArray | None) -> Ink | None:
    if box is None or not np.isfinite(box).all():
        return None
    paint = paint_of(motion, node)
    grown = paint.stroke_width / 2 if paint.stroke is not None and paint.stroke.alpha > 0 else 0.0
    left, top = float(box[0]) - grown, float(box[1]) - grown
    return Ink(node, left, top, left + float(box[2]) + 2 * grown, top + float(box[3]) + 2 * grown, paint)


# ---------------------------------------------------------------------------------------------------------------------
# What scrolls


def _scrollers(
    groups: Sequence[SceneNode], matrices: Mapping[SceneNode, FloatArray], times: FloatArray
) -> tuple[Scroller, ...]:
    """The outermost elements that move left at a steady speed and do nothing else."""
    found: list[Scroller] = []
    inside: set[SceneNode] = set()
    for node in groups:
        if node.parent in inside:
            inside.add(node)
            continue
        speed = _speed(node, matrices, times)
        if speed is not None:
            found.append(Scroller(node, speed))
            inside.add(node)
    return tuple(found)


def _speed(node: SceneNode, matrices: Mapping[SceneNode, FloatArray], times: FloatArray) -> float | None:
    rows = matrices.get(node)
    if rows is None or not np.isfinite(rows).all() or np.ptp(rows[:, [0, 1, 2, 3, 5]], axis=0).max() > 1e-6:
        return None
    steps = np.diff(rows[:, 4])
    step = float(np.median(steps))
    if step > -1e-4:
        return None
    jumps = np.abs(steps - step) > STRAIGHT * abs(step) + 1e-6
    if np.count_nonzero(jumps) > max(2, len(steps) // 8):  # the places where a strip starts over
        return None
    return -step / float(times[1] - times[0])


def climb(node: SceneNode, allowed: Callable[[SceneNode], bool]) -> list[SceneNode]:
    """The node and the groups around it for as long as they are allowed, innermost first; never the scene's svg."""
    line = [node]
    for above in node.ancestors():
        if above.parent is None or not allowed(above):
            break
        line.append(above)
    return line
