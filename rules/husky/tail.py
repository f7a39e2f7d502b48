"""The tail (spec §2.4, §2.5): one length in every gait, streamed out low at zoomies; and the tongue blown back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from husky_lint.rule import Finding, Reason, Undecided, rule
from husky_lint.scene.graph import SHAPES

from .kinematics import SETTLED, outline_points, stride_times, transformed
from .rig import rig_of
from .seen import counterpart, seen
from .strides import strides
from .turning import find_turns
from .visibility import is_visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion

    from .strides import Stride

    FloatArray = NDArray[np.float64]

_LOOKS = (1.0, 2.3, 5.1)
"""Seconds at which the tail is looked for."""
LONG_STRIDES = 16
LONG_WATCH = 24.0
"""Seconds."""
WATCHES = 193
"""Instants of a long watch, at a step that no usual period is a multiple of."""


@rule("HB2413")
def tail_length(evidence: Evidence, length: float, scale: float) -> Iterator[Finding]:
    """The tail changes its length with the gait.

    ## What it checks
    The distance from the base of the tail to its tip, through all transforms, has the same mean at every pace, over
    many strides, since a tail wags in its own time; and nothing from the scene down to its tip scales or skews it
    against the way it is drawn.

    ## Why it matters
    The low streamed tail of the gallop is the same tail turned. A box's diagonal hides a squash, since it changes with
    rotation anyway.

    ## Example that fails
    ```css
    #scene[data-speed="zoomies"] .dog { animation: none; transform: scaleY(.8); }
    ```

    ## Example that passes
    ```css
    #scene[data-speed="zoomies"] .tail { animation-name: wag; transform: rotate(-60deg); }
    ```
    """
    tail = rig_of(evidence).part("tail").node
    lengths: dict[str, float] = {}
    for pace, stride in strides(evidence).items():
        track = tail_track(evidence, stride, tail)
        if not seen(stride.motion, [one for one in (tail, *tail.descendants()) if one.name in SHAPES], _LOOKS).any():
            raise Undecided(Reason.ROLE_NOT_FOUND, f"the tail is not seen at {pace}, so another may be")
        stretch = max(map(_stretch, track.matrices, track.drawn))
        if stretch > scale:
            yield Finding(
                f"the tail is scaled or skewed by up to {stretch:.0%} at {pace}; it only turns",
                evidence.element_span(tail.element),
                data={"pace": pace, "stretch": stretch},
            )
        watched = tail_track(evidence, stride, tail, _long_watch(stride))
        lengths[pace] = float(np.mean(np.hypot(*(watched.tip - watched.base).T)))
    reference = lengths.get("walk", next(iter(lengths.values())))
    for pace, measured in lengths.items():
        if abs(measured - reference) > length * reference:
            yield Finding(
                f"the tail is {measured:.1f} units long at {pace} and {reference:.1f} at walk; its length is the same "
                f"in every gait",
                evidence.element_span(tail.element),
                data={"pace": pace, "measured": measured, "expected": reference},
            )


@rule("HB2511")
def tail_streamed(evidence: Evidence, drop: float, tongue_turn: float) -> Iterator[Finding]:
    """At zoomies the tail is not streamed out low, or the tongue is not blown back.

    ## What it checks
    From walk to zoomies the tip of the tail comes down by some tens of units against its base, and the tongue turns
    back.

    ## Why it matters
    At full speed a curled tail and a hanging tongue make the gallop look like a trot played fast.

    ## Example that fails
    ```css
    #scene[data-speed="zoomies"] .tail { animation-name: wag; }
    ```

    ```css
    #scene[data-speed="zoomies"] .tongue { transform: none; }
    ```

    ## Example that passes
    ```css
    #scene[data-speed="zoomies"] .tail { animation-duration: calc(var(--cycle) * 2); }
    ```
    """
    found = strides(evidence)
    if "walk" not in found or "zoomies" not in found:
        raise Undecided(Reason.STATE_NOT_FOUND, "walk and zoomies are both needed")
    rig = rig_of(evidence)
    tail = rig.part("tail").node
    heights = {}
    for pace in ("walk", "zoomies"):
        track = tail_track(evidence, found[pace], tail)
        heights[pace] = float(np.mean(track.tip[:, 1] - track.base[:, 1]))
    dropped = heights["zoomies"] - heights["walk"]
    if dropped < drop:
        yield Finding(
            f"the tip of the tail comes down by {dropped:.0f} units from walk to zoomies, streamed low it is at least "
            f"{drop:g}",
            evidence.element_span(tail.element),
            data={"drop": dropped, "expected": drop},
        )
    tongue = _tongue(evidence)
    if tongue is None:
        raise Undecided(Reason.ROLE_NOT_FOUND, "no tongue was told from the mouth")
    turned = _turned(found["walk"], found["zoomies"], tongue)
    if turned < tongue_turn:
        yield Finding(
            f"the tongue turns back by {turned:.0f}° from walk to zoomies; blown back it is at least {tongue_turn:g}°",
            evidence.element_span(tongue.element),
            data={"turned": turned, "expected": tongue_turn},
        )


@dataclass(frozen=True, slots=True)
class _Ends:
    """``base`` in the space of the tail, and ``tip``, the farthest point of it, in that of the shape that has it.

    ``drawn`` are the matrices (6,) of the two at rest.
    """

    base: tuple[float, float]
    carrier: SceneNode
    tip: tuple[float, float]
    drawn: tuple[FloatArray, FloatArray]


def _long_watch(stride: Stride) -> FloatArray:
    """Instants over so long that whatever the tail does comes round several times."""
    return SETTLED * stride.cycle + np.linspace(0.0, max(LONG_STRIDES * stride.cycle, LONG_WATCH), WATCHES)


class TailTrack:
    """Base and tip (T, 2) of the tail through a stride, and the matrices (T, 6) of what it is drawn by.

    ``drawn`` are the matrices (6,) of the same at rest, in the drawing of the walk.
    """

    def __init__(
        self, base: FloatArray, tip: FloatArray, matrices: Sequence[FloatArray], drawn: Sequence[FloatArray]
    ) -> None:
        self.base = base
        self.tip = tip
        self.matrices = matrices
        self.drawn = drawn


def tail_track(evidence: Evidence, stride: Stride, tail: SceneNode, times: FloatArray | None = None) -> TailTrack:
    """Follow the tail: its base is where it turns, its tip the point that is farthest from there in the drawing.

    Through the stride, or at other ``times`` in seconds. Raises Undecided where either end could not be told.
    """
    motion = stride.motion
    node = counterpart(motion, tail)
    if node is None or node in motion.unknown or not motion.is_displayed(node):
        raise Undecided(Reason.ROLE_NOT_FOUND, f"the tail at {stride.pace}")
    ends = evidence.derived(_ends)
    carrier = counterpart(motion, ends.carrier)
    if carrier is None or not motion.is_displayed(carrier):
        raise Undecided(Reason.ROLE_NOT_FOUND, f"the tip of the tail at {stride.pace}")
    matrices = motion.matrices([node, carrier], stride.times if times is None else times)
    return TailTrack(
        transformed(matrices[node], np.array([ends.base]))[:, 0],
        transformed(matrices[carrier], np.array([ends.tip]))[:, 0],
        [matrices[node], matrices[carrier]],
        ends.drawn,
    )


def _ends(evidence: Evidence) -> _Ends:
    """The ends of the tail, told in the drawing of the walk."""
    found = strides(evidence)
    stride = found.get("walk") or next(iter(found.values()))
    motion, rest = stride.motion, evidence.rest(stride.state)
    node = counterpart(motion, rig_of(evidence).part("tail").node)
    if node is None or node in motion.unknown or not motion.is_displayed(node):
        raise Undecided(Reason.ROLE_NOT_FOUND, "the tail")
    base = _base(motion, rest, node, stride.cycle)
    shapes = [one for one in (node, *node.descendants()) if one.name in SHAPES and is_visible(motion, one)]
    places = rest.matrices([node, *shapes], [0.0])
    start = transformed(places[node], np.array([base]))[0, 0]
    farthest, best = -1.0, None
    for shape in shapes:
        points = outline_points(motion.outline(shape))
        if not len(points):
            continue
        reach = np.hypot(*(transformed(places[shape], points)[0] - start).T)
        if reach.max() > farthest:
            x, y = points[int(reach.argmax())].tolist()
            drawn = (places[node][0], places[shape][0])
            farthest, best = float(reach.max()), _Ends(base, shape, (x, y), drawn)
    if best is None:
        raise Undecided(Reason.ROLE_NOT_FOUND, "the tail is not seen")
    return best


def _base(motion: Motion, rest: Motion, node: SceneNode, cycle: float) -> tuple[float, float]:
    """Where the tail turns, in its own space; without a turn, the end of its box that is nearest to the body."""
    times = stride_times(cycle, 48)
    around = [node, node.parent] if node.parent is not None else [node]
    turn = find_turns(motion.matrices(around, times)).get(node)
    if turn is not None:
        return turn.centre
    style = motion.style(node)
    box = rest.local_box(node, [0.0])[0]
    origin = style.text("transform-origin").replace("px", "").split()
    if style.declares("transform-origin") and len(origin) >= 2:
        try:
            return float(origin[0]), float(origin[1])
        except ValueError:
            pass
    return float(box[2]), float(box[3])


def _stretch(matrix: FloatArray, drawn: FloatArray) -> float:
    """The greatest part by which any of the matrices (T, 6) lengthens or shortens anything, against one (6,) at rest.

    A drawing that is put into the scene at another scale is not stretched by that.
    """
    linear, rest = matrix[:, [0, 2, 1, 3]].reshape(-1, 2, 2), drawn[[0, 2, 1, 3]].reshape(2, 2)
    if np.isfinite(rest).all() and abs(np.linalg.det(rest)) > 1e-9:
        linear = linear @ np.linalg.inv(rest)
    return float(np.max(np.abs(np.linalg.svd(linear, compute_uv=False) - 1.0)))


def _tongue(evidence: Evidence) -> SceneNode | None:
    """Of the parts of the mouth the one that is filled: a mouth line is a stroke."""
    for node in rig_of(evidence).part("mouth_or_tongue").nodes:
        motion = next(iter(strides(evidence).values())).motion
        here = counterpart(motion, node)
        inside = (here, *here.descendants()) if here is not None else ()
        shapes = [one for one in inside if one.name in SHAPES and motion.is_displayed(one)]
        if any(motion.style(shape).text("fill") != "none" for shape in shapes):
            return node
    return None


def _turned(walk: Stride, zoomies: Stride, tongue: SceneNode) -> float:
    """Degrees the tongue points farther back at zoomies than at walk, mean over a stride; 0 is no change."""
    angles = []
    for stride in (walk, zoomies):
        node = counterpart(stride.motion, tongue)
        if node is None or not stride.motion.is_displayed(node):
            raise Undecided(Reason.ROLE_NOT_FOUND, f"the tongue at {stride.pace}")
        matrix = stride.motion.matrix(node, stride.times)
        angles.append(float(np.mean(np.degrees(np.unwrap(np.arctan2(matrix[:, 1], matrix[:, 0]))))))
    return angles[1] - angles[0]
