"""Where everything in a scene is at any time, as Chromium shows it.

Boxes are bounding rectangles divided by the scene's scale, matrices the browser's own. Matrices are believed where they
carry an element's local box onto its rectangle, and nowhere else. What stands in the clone of a ``<use>`` has no
element that a script could ask: it lies in the clone as the cascade places it, the clone where the browser shows it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from husky_lint.browser.notes import Wanted
from husky_lint.rule import Reason, Undecided
from husky_lint.scene.animated import KeyframesReader
from husky_lint.scene.graph import SHAPES, Place
from husky_lint.scene.motion import SCRIPT_DRIVEN, Motion
from husky_lint.scene.placement import multiply_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from husky_lint.animation.unknown import Unknown
    from husky_lint.browser.reach import Reach, Shown
    from husky_lint.scene.animated import Animations
    from husky_lint.scene.graph import SceneGraph, SceneNode
    from husky_lint.scene.paths import Path
    from husky_lint.style.computed import ComputedStyle, StyledDocument

    FloatArray = NDArray[np.float64]

Part = Literal["boxes", "matrices", "locals"]

AGREEMENT: Final = 0.25
"""User units by which a box may differ (the bar of the project)."""
_STROKING: Final = ("stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "vector-effect")
_IN_REST: Final = {"boxes": slice(0, 4), "matrices": slice(4, 10), "locals": slice(10, 14)}
LOOKS: Final = (0.0, 0.137, 0.411, 1.003)
"""Seconds at which matrices are tried against rectangles."""


class MeasuredMotion(Motion):
    """The motion of a scene in one state that the page was put into; ``cascaded`` is what the source says of it."""

    def __init__(
        self,
        scene: SceneGraph,
        cascaded: Callable[[], Motion],
        styled: Callable[[], StyledDocument],
        shown: Shown,
        reach: Reach,
        *,
        animated: bool,
    ) -> None:  # nothing of Motion's own is wanted: every answer is measured, or asked of ``cascaded``
        self.scene = scene
        self._animated = animated
        self._tell = cascaded
        self._style = styled
        self._shown = shown
        self._reach = reach
        self._numbers = shown.numbers
        self._reader = KeyframesReader()
        self._displayed: dict[SceneNode, bool] = {}
        self._late: dict[SceneNode, str] = {}
        self._kept: dict[tuple[Part, bytes], dict[SceneNode, FloatArray]] = {}

    @cached_property
    def _own(self) -> frozenset[SceneNode]:
        return frozenset(self.scene.nodes)

    @cached_property
    def _cascaded(self) -> Motion:
        return self._tell()

    @cached_property
    def styled(self) -> StyledDocument:  # type: ignore[override]  # worked out when it is asked for
        return self._style()

    # ---- what is there

    def _is_live(self, node: SceneNode) -> bool:
        return not node.uses and node.element in self._numbers and node in self._own

    @property
    def unknown(self) -> Mapping[SceneNode, str]:
        cascaded = {node: reason for node, reason in self._cascaded.unknown.items() if not self._is_live(node)}
        return {**cascaded, **self._late}

    @property
    def unmoved(self) -> Mapping[SceneNode, FloatArray]:
        """Nothing: where script moves an element to is measured."""
        return {}

    def is_script_driven(self, node: SceneNode) -> bool:
        return self.unknown.get(node) == SCRIPT_DRIVEN

    def is_carried_by_script(self, node: SceneNode) -> bool:
        return self.is_script_driven(node)

    def is_displayed(self, node: SceneNode) -> bool:
        if node not in self._displayed:
            above = node in self._own if node.parent is None else self.is_displayed(node.parent)
            self._displayed[node] = above and node.place is not Place.NEVER and self._generates(node)
        return self._displayed[node]

    def _generates(self, node: SceneNode) -> bool:
        if not self._is_live(node):
            return self._cascaded.is_displayed(node)
        try:
            return self.style(node).keyword("display") != "none"
        except KeyError:
            return False

    def style(self, node: SceneNode) -> ComputedStyle:
        if node.uses:
            return self.styled.clone_computed(node.uses, node.element)
        return self.styled.computed(node.element)

    def animations(self, node: SceneNode) -> Mapping[str, Animations] | Unknown:
        return self._reader.animations(self.style(node), self.styled)

    @cached_property
    def _leaves(self) -> tuple[SceneNode, ...]:
        return tuple(node for node in tried_in(self.scene) if self._is_live(node) and self.is_displayed(node))

    @cached_property
    def _refuted(self) -> frozenset[SceneNode]:
        """Nodes whose matrix does not carry their box onto their rectangle, and the ones around them."""
        leaves = self._leaves
        if not leaves:
            return frozenset()
        instants = np.array(LOOKS if self._animated else (0.0,))
        boxes, matrices, locals_ = (
            np.stack([self._measured(part, leaves, instants)[node] for node in leaves], axis=1)
            for part in ("boxes", "matrices", "locals")
        )
        off = np.abs(carried(matrices, locals_) - boxes).max(axis=2)
        nothing = (boxes[:, :, 2] == 0) & (boxes[:, :, 3] == 0)
        wrong = ~nothing & ~(off <= AGREEMENT + 1e-3 * np.abs(boxes).max(axis=2))
        found = (leaves[place] for place in np.flatnonzero(wrong.any(axis=0)))
        return frozenset(above for node in found for above in (node, *node.ancestors()) if above.parent is not None)

    def outline(self, node: SceneNode) -> Path:
        path = self._cascaded.outline(node)
        bounds = path.bounds
        if self._is_live(node) and bounds is not None:
            shown = self._rest[self._numbers[node.element]][10:]
            left, top, right, bottom = bounds
            if not np.allclose((left, top, right - left, bottom - top), shown, rtol=1e-3, atol=AGREEMENT):
                raise Undecided(Reason.NEEDS_BROWSER, f"{node.css_path} has another outline in the browser")
        return path

    def stroke(self, node: SceneNode) -> Any:
        style, cascaded = self.style(node), self._cascaded.style(node)
        if any(style.text(name) != cascaded.text(name) for name in _STROKING):
            raise Undecided(Reason.NEEDS_BROWSER, f"{node.css_path} has another stroke in the browser")
        return self._cascaded.stroke(node)

    # ---- measuring

    @cached_property
    def _rest(self) -> Mapping[int, FloatArray]:
        """By number the box, matrix and local box of each live element without animations, in one row."""
        self._reach.measure(self._shown, Wanted(rest=True))
        return self._shown.held.measures.rest

    def _measured(self, part: Part, nodes: Sequence[SceneNode], instants: FloatArray) -> Mapping[SceneNode, FloatArray]:
        """Rows of live nodes at times. They are kept, and not to be written to."""
        kept = self._kept.setdefault((part, instants.tobytes()), {})
        missing = [node for node in nodes if node not in kept]
        if missing and not self._animated:
            chosen, rest = _IN_REST[part], self._rest
            for node in missing:
                kept[node] = self._settled(part, node, rest[self._numbers[node.element]][chosen][None], len(instants))
        elif missing:
            wanted = Wanted()
            wanted.add(part, missing, instants)
            self._reach.measure(self._shown, wanted)
            found: dict[tuple[int, float], FloatArray] = getattr(self._shown.held.measures, part)
            times = instants.tolist()
            for node in missing:
                number = self._numbers[node.element]
                kept[node] = self._settled(part, node, np.array([found[number, time] for time in times]), 1)
        return kept

    def _settled(self, part: Part, node: SceneNode, rows: FloatArray, repeated: int) -> FloatArray:
        """Measured rows as they are given to whoever asks."""
        if part == "boxes":
            nothing = (rows[:, 2] == 0) & (rows[:, 3] == 0)
            rows = np.where((nothing | ~np.isfinite(rows).all(axis=1))[:, None], np.nan, rows)
        elif part == "matrices":
            rows = self._inner(node, rows)
        if repeated != 1:
            rows = np.repeat(rows, repeated, axis=0)
        rows.flags.writeable = False
        return rows

    def boxes(
        self, times: Sequence[float] | FloatArray, nodes: Iterable[SceneNode] | None = None
    ) -> Mapping[SceneNode, FloatArray]:
        instants = np.asarray(times, dtype=np.float64).reshape(-1)
        wanted = list(self.scene.nodes[1:]) if nodes is None else [node for node in nodes if node.parent is not None]
        live = [node for node in wanted if self._is_live(node)]
        clones = [node for node in wanted if not self._is_live(node)]
        result: dict[SceneNode, FloatArray] = {}
        if live and len(instants):
            measured = self._measured("boxes", live, instants)
            result = {node: measured[node] for node in live}
        if clones:
            result.update(self._clone_boxes(clones, instants))
        return {node: result[node] for node in wanted if node in result}

    def matrix(self, node: SceneNode, times: Sequence[float] | FloatArray) -> FloatArray:
        found = self.matrices((node,), times)
        return found[node]

    def matrices(
        self, nodes: Iterable[SceneNode], times: Sequence[float] | FloatArray
    ) -> Mapping[SceneNode, FloatArray]:
        instants = np.asarray(times, dtype=np.float64).reshape(-1)
        wanted = [node for node in nodes if self.is_displayed(node)]
        root = self.scene.root
        live = [node for node in wanted if self._is_live(node) and node is not root]
        result: dict[SceneNode, FloatArray] = {root: np.tile([1.0, 0.0, 0.0, 1.0, 0.0, 0.0], (len(instants), 1))}
        if live and len(instants):
            measured = self._measured("matrices", live, instants)
            for node in live:
                result[node] = np.full_like(measured[node], np.nan) if node in self._refuted else measured[node]
        for node in wanted:
            if node not in result:
                result[node] = self._clone_matrix(node, instants)
        return {node: result[node] for node in wanted}

    def local_box(self, node: SceneNode, times: Sequence[float] | FloatArray) -> FloatArray:
        if not self._is_live(node):
            return self._cascaded.local_box(node, times)
        if not self.is_displayed(node):
            raise KeyError(node)
        instants = np.asarray(times, dtype=np.float64).reshape(-1)
        rows = self._measured("locals", [node], instants)[node]
        sides = np.column_stack([rows[:, 0], rows[:, 1], rows[:, 0] + rows[:, 2], rows[:, 1] + rows[:, 3]])
        sides[(rows[:, 2] == 0) & (rows[:, 3] == 0)] = np.nan
        return sides

    # ---- clones

    def _inner(self, node: SceneNode, rows: FloatArray) -> FloatArray:
        """The space of what a ``<use>`` holds is moved by its x and y, which the browser's matrix leaves out."""
        if node.name != "use":
            return rows
        x, y = (self.style(node).length(name) or 0.0 for name in ("x", "y"))
        return multiply_rows(rows, np.array([1.0, 0.0, 0.0, 1.0, x, y]))

    def _clone_matrix(self, node: SceneNode, instants: FloatArray) -> FloatArray:
        """The matrix of what stands in a clone: the clone's own, measured, and what the cascade has inside it."""
        host: SceneNode | None = node
        while host is not None and host.uses:
            host = host.parent
        cascaded = self._cascaded.matrices((node, *([host] if host is not None else [])), instants)
        if node not in cascaded:
            return np.full((len(instants), 6), np.nan)
        if host is None or host not in cascaded or not self._is_live(host):
            return cascaded[node]
        measured = self.matrices((host,), instants)[host]
        return multiply_rows(measured, multiply_rows(inverted(cascaded[host]), cascaded[node]))

    def _clone_boxes(self, nodes: Sequence[SceneNode], instants: FloatArray) -> Mapping[SceneNode, FloatArray]:
        """Boxes in clones, where the box of the whole clone is the one that the browser shows."""
        cascaded = self._cascaded.boxes(instants, nodes)
        hosts = {node: next((above for above in node.ancestors() if not above.uses), None) for node in nodes}
        shown = self.boxes(instants, {host: None for host in hosts.values() if host is not None})
        told = self._cascaded.boxes(instants, list(shown))
        found: dict[SceneNode, FloatArray] = {}
        for node, rows in cascaded.items():
            host = hosts[node]
            if host is None or host not in shown or host not in told:
                continue
            same = np.isclose(shown[host], told[host], rtol=1e-3, atol=AGREEMENT, equal_nan=True).all()
            if same:
                found[node] = rows
            else:
                self._late[node] = Reason.NEEDS_BROWSER.value
        return found


def tried_in(scene: SceneGraph) -> list[SceneNode]:
    """The shapes of a scene on which matrices are tried."""
    return [node for node in scene.nodes if not node.uses and node.name in SHAPES and node.place is Place.RENDERED]


def carried(matrices: FloatArray, boxes: FloatArray) -> FloatArray:
    """The bounds (…, 4), x y width height, of boxes carried by matrices (…, 6)."""
    a, b, c, d, e, f = np.moveaxis(matrices, -1, 0)
    x, y, width, height = np.moveaxis(boxes, -1, 0)
    xs = np.stack([a * (x + u * width) + c * (y + v * height) + e for u in (0, 1) for v in (0, 1)])
    ys = np.stack([b * (x + u * width) + d * (y + v * height) + f for u in (0, 1) for v in (0, 1)])
    left, top = xs.min(axis=0), ys.min(axis=0)
    return np.stack([left, top, xs.max(axis=0) - left, ys.max(axis=0) - top], axis=-1)


def inverted(rows: FloatArray) -> FloatArray:
    """The inverses of matrices (T, 6); NaN where there is none."""
    a, b, c, d, e, f = np.moveaxis(rows, -1, 0)
    with np.errstate(all="ignore"):
        det = a * d - b * c
        det = np.where(det == 0, np.nan, det)
        return np.stack([d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det], axis=-1)
