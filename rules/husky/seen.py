"""What is seen of a shape over time: paint, opacity and visibility, animated ones too, and its place in the view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from husky_lint.animation.properties import animate_property
from husky_lint.animation.unknown import Unknown
from husky_lint.animation.vectors import VectorTrack
from husky_lint.rule import Reason, Undecided

from .visibility import LEAST_OPACITY, is_painted, view_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from husky_lint.animation.vectors import Series
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion

    FloatArray = NDArray[np.float64]
    BoolArray = NDArray[np.bool_]


def series(motion: Motion, node: SceneNode, name: str, times: FloatArray) -> Series | None:
    """An animated property of a node over times; None where nothing animates it. Raises Undecided(unsupported-css)."""
    animations = motion.animations(node)
    if isinstance(animations, Unknown):
        raise Undecided(Reason.UNSUPPORTED_CSS, animations.reason)
    if name not in animations:
        return None
    track = animate_property(name, animations[name], motion.style(node).value(name))
    if isinstance(track, Unknown):
        raise Undecided(Reason.UNSUPPORTED_CSS, track.reason)
    return track.evaluate(times) if isinstance(track, VectorTrack) else None


def counterpart(motion: Motion, node: SceneNode) -> SceneNode | None:
    """The node of the motion's own scene that stands for a node of the scene in another state; None when it is gone.

    Where script changes the structure in a state, that state has a scene of its own. What script makes anew for every
    state is told by its place, its name and its class.
    """
    if motion.is_displayed(node):
        return node
    if node.uses:
        return motion.scene.by_path.get(node.css_path)
    found = motion.scene.node(node.element)
    if found is not None or _top(node.element) is _top(motion.scene.root.element):
        return found
    alike = motion.scene.by_path.get(node.css_path)
    return alike if alike is not None and _looks(alike) == _looks(node) else None


def _top(element: _Element) -> _Element:
    """The root of the tree an element is in: that of the page, but for what script has made."""
    root: _Element = element.getroottree().getroot()
    return root


def _looks(node: SceneNode) -> tuple[str, str | None, str | None]:
    return node.name, node.element.get("class"), node.element.get("id")


def opacity(motion: Motion, node: SceneNode, times: FloatArray) -> FloatArray:
    """(T,) the product of the opacities of a node and everything around it."""
    product = np.ones(len(times))
    for one in (node, *node.ancestors()):
        found = series(motion, one, "opacity", times)
        if found is not None:
            product *= np.clip(found.numbers()[:, 0], 0.0, 1.0)
        elif motion.style(one).declares("opacity"):
            stated = motion.style(one).number("opacity")
            product *= 1.0 if stated is None else stated
    return product


def visibility(motion: Motion, node: SceneNode, times: FloatArray) -> BoolArray:
    """(T,) whether ``visibility`` is visible: of a node, or as it inherits it."""
    for one in (node, *node.ancestors()):
        found = series(motion, one, "visibility", times)
        if found is not None:
            shown = np.ones(len(times), dtype=bool)
            for index, value in found.pieces:
                shown[index] = value.form == "visible"
            return shown
        style = motion.style(one)
        if style.declares("visibility") and not style.takes_parents("visibility"):
            return np.full(len(times), style.keyword("visibility") == "visible")
    return np.ones(len(times), dtype=bool)


def seen(motion: Motion, nodes: Iterable[SceneNode], times: Sequence[float] | FloatArray) -> BoolArray:
    """(T,) whether any of these shapes is painted, opaque enough, visible, and at least partly in the view.

    The shapes may be those of the scene in another state.
    """
    instants = np.asarray(times, dtype=np.float64)
    shown = np.zeros(len(instants), dtype=bool)
    found = [node for original in nodes if (node := counterpart(motion, original)) is not None]
    boxes = motion.boxes(instants, found)
    view = view_of(motion.scene)
    for node in found:
        if node in motion.unknown:
            raise Undecided(Reason.UNSUPPORTED_CSS, motion.unknown[node])
        if node not in boxes or not _could_be_painted(motion, node):
            continue
        box = boxes[node]
        right, bottom = box[:, 0] + box[:, 2], box[:, 1] + box[:, 3]
        inside = (right > view[0]) & (box[:, 0] < view[2]) & (bottom > view[1]) & (box[:, 1] < view[3])
        shown |= inside & visibility(motion, node, instants) & (opacity(motion, node, instants) >= LEAST_OPACITY)
    return shown


def _could_be_painted(motion: Motion, node: SceneNode) -> bool:
    """Whether a shape is painted, its visibility and opacities aside."""
    if is_painted(motion, node):
        return True
    if not motion.is_displayed(node):
        return False
    style = motion.style(node)
    return style.text("fill") != "none" or style.text("stroke") != "none"
