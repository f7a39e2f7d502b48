"""Secondary action (spec §2.4): what moves because the dog moves, and because he lives."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.rule import Finding, Reason, Undecided, rule
from husky_lint.scene.graph import SHAPES

from .rig import rig_of
from .seen import counterpart, seen, series
from .strides import strides
from .turning import find_turns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion

    FloatArray = NDArray[np.float64]

_SECONDS: Final = 12.0
"""Longer than anything the animal does now and then, such as a blink or a flick of the ear."""
_STEP: Final = 0.04
_LEAST: Final = 0.2
"""Units that something has to move to be seen moving."""


@rule("HB2414")
def secondary_action(evidence: Evidence, lag: float) -> Iterator[Finding]:
    """Something that should move with the dog stands still.

    ## What it checks
    At walk, within some seconds: the tip of the tail turns against the tail and lags behind it, the tag swings, the ear
    flicks, the eye blinks, and the body takes up the landing.

    ## Why it matters
    Walking legs under a still body are a machine. The small motions that follow the big ones make an animal.

    ## Example that fails
    ```css
    .tail-tip { animation: none; }
    ```

    ```css
    .eye { animation-name: none; }
    ```

    ## Example that passes
    ```css
    .tag { animation-duration: calc(var(--cycle) * 2); }
    ```
    """
    rig = rig_of(evidence)
    found = strides(evidence)
    stride = found.get("walk") or next(iter(found.values()))
    motion = stride.motion
    times = 20 * stride.cycle + np.arange(0.0, _SECONDS, _STEP)
    held: Undecided | None = None
    for role, what, base in (("tag", "swings", "collar"), ("ear", "flicks", "skull"), ("eye", "blinks", "skull")):
        if rig.is_absent(role):
            continue  # other clauses say so
        try:
            part = rig.part(role)
        except Undecided as said:
            held = held or said
            continue
        holder = rig.parts[base].node if base in rig.parts else None
        moves = any(_moves(motion, node, holder, times) for node in part.nodes)
        if not moves and not (role == "eye" and _is_covered_at_times(motion, part.node, holder, times)):
            yield Finding(
                f"the {role} never {what}: nothing in it moves within {_SECONDS:g} s",
                evidence.element_span(part.node.element),
                data={"part": role},
            )
    if not any(_shifts(motion, node, times) for node in (rig.part("body").node, *rig.part("body").node.ancestors())):
        yield Finding(
            "the body does not take up the landing: it does not rise or sink at walk",
            evidence.element_span(rig.part("body").node.element),
            data={"part": "body"},
        )
    yield from _tail_tip(evidence, motion, times, lag)
    if held is not None:
        raise held


def _tail_tip(evidence: Evidence, motion: Motion, times: FloatArray, lag: float) -> Iterator[Finding]:
    """Whether the tip turns by itself, behind the tail."""
    rig = rig_of(evidence)
    tail = counterpart(motion, rig.part("tail").node)
    tip = counterpart(motion, rig.parts["tail_tip"].node) if "tail_tip" in rig.parts else None
    if tail is None:
        raise Undecided(Reason.ROLE_NOT_FOUND, "the tail at walk")
    around = [node for node in (tail, tip, tail.parent, tip.parent if tip is not None else None) if node is not None]
    turns = find_turns(motion.matrices(around, times), least=0.5)
    if tip is None or tip not in turns:
        yield Finding(
            "the tip of the tail does not turn by itself; it lags the tail",
            evidence.element_span((tip or tail).element),
            data={"part": "tail_tip"},
        )
        return
    if tail not in turns:
        return
    behind = _correlation_lag(turns[tail].angles, turns[tip].angles) * _STEP
    style, own = motion.style(tail), motion.style(tip)
    same = style.text("animation-delay") == own.text("animation-delay")
    if abs(behind) < lag and same and style.text("animation-duration") == own.text("animation-duration"):
        yield Finding(
            f"the tip of the tail turns together with the tail ({behind:+.2f} s apart); it lags behind",
            evidence.element_span(tip.element),
            data={"part": "tail_tip", "lag": behind},
        )


def _correlation_lag(reference: FloatArray, follower: FloatArray) -> int:
    """How many samples the follower comes after the reference where the two agree best."""
    a, b = reference - reference.mean(), follower - follower.mean()
    spectrum = np.fft.rfft(b, 2 * len(b)) * np.conj(np.fft.rfft(a, 2 * len(a)))
    agreement = np.fft.irfft(spectrum)
    best = int(np.argmax(agreement))
    return best - len(agreement) if best > len(agreement) // 2 else best


def _moves(motion: Motion, original: SceneNode, holder: SceneNode | None, times: FloatArray) -> bool:
    """Whether a part moves against what it sits on, or anything in it moves, fades or changes its shape."""
    node = counterpart(motion, original)
    if node is None:
        return False
    base = counterpart(motion, holder) if holder is not None else None
    if _is_swung(motion, node, base, times):
        return True
    inside = [one for one in (node, *node.descendants()) if motion.is_displayed(one)]
    matrices = motion.matrices([*inside, *([node.parent] if node.parent is not None else [])], times)
    for one in inside:
        around = matrices.get(one.parent) if one.parent is not None else None
        alone = one is not node or base is None  # what carries the part as the head is carried is no flick
        if alone and one in matrices and around is not None and _relative_shift(matrices[one], around) > 1e-3:
            return True
        if any(series(motion, one, name, times) is not None for name in ("opacity", "visibility")):
            return True
    shapes = [one for one in inside if one.name in SHAPES]
    return any(motion.animations(shape) for shape in shapes)


def _is_covered_at_times(motion: Motion, original: SceneNode, skull: SceneNode | None, times: FloatArray) -> bool:
    """Whether something near the eye is painted over its middle now and then: a lid that is a shape of its own.

    It stands in the group of the eye or of the skull, and after the eye.
    """
    eye = counterpart(motion, original)
    base = counterpart(motion, skull) if skull is not None else None
    if eye is None:
        return False
    around = {group for one in (eye, base) if one is not None and (group := one.parent) is not None}
    own = {eye, *eye.descendants()}
    near = {one for group in around for one in group.descendants()} - own
    lids = [one for one in near if one.index > eye.index and one.name in SHAPES and motion.is_displayed(one)]
    boxes = motion.boxes(times, [eye, *lids])
    if eye not in boxes:
        return False
    middle = boxes[eye][:, :2] + boxes[eye][:, 2:] / 2
    for lid in lids:
        if lid not in boxes:
            continue
        start, size = boxes[lid][:, :2], boxes[lid][:, 2:]
        closed = ((start < middle) & (middle < start + size)).all(axis=1)
        if closed.any():
            closed &= seen(motion, [lid], times)
            if closed.any() and not closed.all():
                return True
    return False


def _is_swung(motion: Motion, node: SceneNode, base: SceneNode | None, times: FloatArray) -> bool:
    """Whether a part, or a group around it that is not around what it sits on, turns and so moves it against that."""
    if base is None:
        return False
    shared = {base, *base.ancestors()}
    line = [node, *(above for above in node.ancestors() if above not in shared)]
    if line[-1].parent is not None:
        line.append(line[-1].parent)
    matrices = motion.matrices([base, *line], times)
    if node not in matrices or base not in matrices:
        return False
    if _relative_shift(matrices[node], matrices[base]) <= 1e-3:
        return False
    steps = [(matrices[below], matrices[above]) for below, above in pairwise(line) if {below, above} <= set(matrices)]
    return any(_relative_shift(own, outer) > 1e-3 for own, outer in steps)


def _relative_shift(own: FloatArray, around: FloatArray) -> float:
    """How much an element's matrix against its parent's changes."""
    full = [np.zeros((len(own), 3, 3)) for _ in range(2)]
    for matrix, rows in zip(full, (own, around), strict=True):
        matrix[:, 0, 0], matrix[:, 1, 0], matrix[:, 0, 1] = rows[:, 0], rows[:, 1], rows[:, 2]
        matrix[:, 1, 1], matrix[:, 0, 2], matrix[:, 1, 2] = rows[:, 3], rows[:, 4], rows[:, 5]
        matrix[:, 2, 2] = 1.0
    if not np.isfinite(full[0]).all() or (np.abs(np.linalg.det(full[1])) < 1e-9).any():
        return 0.0
    return float(np.ptp(np.linalg.solve(full[1], full[0]), axis=0).max())


def _shifts(motion: Motion, original: SceneNode, times: FloatArray) -> bool:
    """Whether an element goes up and down by something that can be seen."""
    node = counterpart(motion, original)
    if node is None or not motion.is_displayed(node) or node in motion.unknown:
        return False
    matrix = motion.matrix(node, times)
    return float(np.ptp(matrix[:, 5])) > _LEAST or float(np.ptp(matrix[:, 3])) > 1e-3
