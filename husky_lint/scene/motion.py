"""Where everything in a scene is at any time, in one state of the page.

All results are in the user units of the scene's svg (the space that its viewBox sets up). A time t, in seconds, means
that the page has run for t in that state with every animation started at 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from husky_lint.animation.properties import Context
from husky_lint.animation.unknown import LIMIT, Unknown
from husky_lint.scene.compiled import (
    FOREIGN_OBJECT,
    NEEDS_BROWSER,
    SCRIPT_DRIVEN,
    TEXT,
    Compiled,
    Compiler,
    default_origin,
)
from husky_lint.scene.fill import Viewport
from husky_lint.scene.graph import Place, SceneGraph, SceneNode
from husky_lint.scene.paths import Path
from husky_lint.scene.picture import Picture
from husky_lint.scene.placement import BOXES
from husky_lint.scene.varying import Tracks, VaryingPlacement, custom_tracks, dependence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from husky_lint.scene.animated import Animations
    from husky_lint.scene.fill import Shape
    from husky_lint.style.computed import ComputedStyle, StyledDocument

    FloatArray = NDArray[np.float64]

__all__ = ["FOREIGN_OBJECT", "NEEDS_BROWSER", "SCRIPT_DRIVEN", "TEXT", "Motion"]

_CELLS: Final = 2_000_000
"""Parts × times that are evaluated at once; more times are done in turns, to bound memory."""
_NOWHERE: Final = Viewport(math.nan, math.nan)


class Motion:
    """The motion of a scene in one state. Of the scene so much is looked at as is asked about.

    ``script_driven`` are elements that script moves in ways that only running it shows: they, what is in them and the
    groups around them are unknown. ``animated=False`` gives the rest pose: every animation removed.
    """

    def __init__(
        self,
        styled: StyledDocument,
        scene: SceneGraph,
        *,
        script_driven: Iterable[_Element] = (),
        animated: bool = True,
    ) -> None:
        self.styled = styled
        self.scene = scene
        self._animated = animated
        self._compiler = Compiler(styled, scene, frozenset(script_driven), animated=animated)
        self._reader = self._compiler.shared.reader
        self._customs: dict[SceneNode, Tracks] = {}
        self._compiled: dict[SceneNode, Compiled | None] = {}
        self._inside: dict[SceneNode, Viewport] = {}
        self._animations: dict[SceneNode, Mapping[str, Animations] | Unknown] = {}
        self._covered: set[SceneNode] = set()
        self._filled: set[SceneNode] = set()
        """Of what is in the picture, and all that is in it too."""
        self._picture = Picture(self.style)
        self._still: dict[float, Mapping[SceneNode, FloatArray]] = {}
        """The boxes of the whole scene at the instant that was asked about last."""
        self._late: dict[SceneNode, str] = {}
        """Nodes that only showed to be unknown when they were evaluated."""

    # ------------------------------------------------------------------ what is there

    @property
    def unknown(self) -> Mapping[SceneNode, str]:
        """Nodes whose box cannot be told, with the reason key; may grow when times are evaluated."""
        return _Unknown(self)

    def is_displayed(self, node: SceneNode) -> bool:
        """Whether the node generates a box at all: it stands where SVG paints, and no ``display: none`` is around."""
        compiled = self._compile(node)
        if compiled is None:
            return node.place in {Place.TEXT, Place.FOREIGN} and node in self.unknown
        return compiled.display not in {"none", "contents"}

    @property
    def unmoved(self) -> Mapping[SceneNode, FloatArray]:
        """The box (4,) of each element that script moves, as it would lie without that and without animation."""
        moved = [node for node in self.scene.nodes[1:] if node.element in self._compiler.script_driven]
        boxes = Motion(self.styled, self.scene, animated=False).boxes([0.0], moved) if moved else {}
        return {node: box[0] for node, box in boxes.items()}

    def is_script_driven(self, node: SceneNode) -> bool:
        """Whether script moves the node, something around it or something in it, in ways that only running it shows."""
        return bool(self._compiler.script_driven) and self.unknown.get(node) == SCRIPT_DRIVEN

    def is_carried_by_script(self, node: SceneNode) -> bool:
        """Whether script moves the node or a group around it, in ways that only running it shows."""
        driven = self._compiler.script_driven
        return bool(driven) and any(one.element in driven and one.parent for one in (node, *node.ancestors()))

    def style(self, node: SceneNode) -> ComputedStyle:
        """The style of a node, also of an instance in a ``<use>``. Raises KeyError for what is not in the document."""
        return self._compiler.style(node)

    def animations(self, node: SceneNode) -> Mapping[str, Animations] | Unknown:
        """For each animated property of a node its animations, lowest first. Raises KeyError as :meth:`style` does."""
        known = self._animations.get(node)
        if known is None:
            known = self._animations[node] = self._reader.animations(self.style(node), self.styled)
        return known

    # ------------------------------------------------------------------ compiling

    def _compile(self, node: SceneNode) -> Compiled | None:
        """What a node is; None where it does not stand where SVG paints, or a ``display: none`` is around it."""
        found = self._compiled
        pending: list[SceneNode] = []
        at: SceneNode | None = node
        while at is not None and at not in found:
            pending.append(at)
            at = at.parent
        for one in reversed(pending):
            found[one] = self._compile_in(one)
        return found[node]

    def _compile_in(self, node: SceneNode) -> Compiled | None:
        """:meth:`_compile`, of a node whose parent is compiled."""
        parent = node.parent
        if parent is None:
            return self._compile_root(node)
        viewport = self._inside.get(parent)
        if viewport is None or node.place is not Place.RENDERED:
            return None
        try:
            compiled = self._compiler.compile(node, viewport)
        except KeyError:
            return None
        if compiled.display == "none":
            return None
        if self._animated and (compiled.animates_customs or self._customs.get(parent)):
            compiled = self._vary(node, compiled)
        if compiled.bounds is None and compiled.shape is None:
            self._inside[node] = compiled.inner or viewport
        return compiled

    def _compile_root(self, node: SceneNode) -> Compiled | None:
        if node is not self.scene.root:
            return None  # of another scene
        style = self.style(node)
        if style.keyword("display") == "none":
            return None
        compiled = self._compiler.root(node, style)
        self._inside[node] = compiled.inner or _NOWHERE
        self._customs[node] = self._customs_around(style)
        return compiled

    def _showing(self, nodes: Iterable[SceneNode], *, content: bool) -> Picture:
        """The picture, so far that it tells the matrices of nodes; with ``content`` their boxes and whys too."""
        new: list[SceneNode] = []
        for node in nodes:
            self._cover(node, new)
            if content:
                self._fill(node, new)
        if new:
            new.sort(key=_index_of)
            shown = ((node, self._compiled[node]) for node in new)
            self._picture.add((node, compiled) for node, compiled in shown if compiled is not None)
        return self._picture

    def _cover(self, node: SceneNode, new: list[SceneNode]) -> None:
        """Add a node with what is around it, and with what is in whatever of that turns about its own box."""
        at: SceneNode | None = node
        while at is not None and at not in self._covered:
            self._covered.add(at)
            new.append(at)
            compiled = self._compile(at)
            if compiled is not None and compiled.placement is not None and compiled.placement.box != "view":
                self._fill(at, new)
            at = at.parent

    def _fill(self, node: SceneNode, new: list[SceneNode]) -> None:
        """Add what is in a node."""
        pending = [node]
        while pending:
            at = pending.pop()
            if at in self._filled:
                continue
            self._filled.add(at)
            if at not in self._covered:
                self._covered.add(at)
                new.append(at)
            if self._compile(at) is not None:
                pending.extend(at.children)

    def _customs_around(self, style: ComputedStyle) -> Tracks:
        """The animated custom properties that the scene's svg has, its own among them."""
        styles = [style]
        while styles[-1].parent is not None:
            styles.append(styles[-1].parent)
        tracks: Tracks = {}
        for current in reversed(styles) if self._animated else ():
            animations = self._reader.animations(current, self.styled)
            if not isinstance(animations, Unknown):
                found = custom_tracks(current, self.styled, animations, tracks)
                tracks = {} if isinstance(found, Unknown) else found
        return tracks

    def _vary(self, node: SceneNode, compiled: Compiled) -> Compiled:
        """What animated custom properties make of an element."""
        inherited = self._customs.get(node.parent, {}) if node.parent is not None else {}
        style = self.style(node)
        animations = self._reader.animations(style, self.styled)
        if isinstance(animations, Unknown):
            return compiled
        tracks = custom_tracks(style, self.styled, animations, inherited)
        depends = tracks if isinstance(tracks, Unknown) else bool(tracks)
        if not isinstance(tracks, Unknown) and tracks:
            self._customs[node] = tracks
            depends = dependence(style, self.styled, animations, self._compiler.relevant(node), tracks)
        if isinstance(depends, Unknown):
            varied = replace(compiled, matrix_reason=depends.reason, box_reason=depends.reason)
        elif not depends or compiled.display == "contents" or isinstance(tracks, Unknown):
            return compiled
        else:
            origin = default_origin(node)
            base = compiled.placement
            placement = VaryingPlacement(
                (),
                origin,
                BOXES.get(style.keyword("transform-box") or "", "view"),
                motion=None if base is None else base.motion,
                style=style,
                styled=self.styled,
                reader=self._reader,
                attribute=self._compiler.attribute(node.element, "transform"),
                context=Context(style.units, path_of=self._compiler.path_of),
                default_origin=origin,
                tracks=tracks,
            )
            varied = replace(compiled, placement=placement, matrix=None)
        self._compiler.doubt(varied, node)
        return varied

    # ------------------------------------------------------------------ evaluating

    def boxes(
        self, times: Sequence[float] | FloatArray, nodes: Iterable[SceneNode] | None = None
    ) -> Mapping[SceneNode, FloatArray]:
        """For each node the box at times in seconds: (T, 4), x, y, width, height in scene units.

        This is what ``getBoundingClientRect`` shows, divided by the scale of the scene. A row is NaN where there is no
        box: no size at all, or not displayed. Nodes in :attr:`unknown` are left out, and so is the scene's svg. With
        ``nodes`` only theirs are evaluated.
        """
        instants = np.asarray(times, dtype=np.float64).reshape(-1)
        if nodes is not None:
            return self._boxes(instants, [node for node in nodes if node.parent is not None], whole=False)
        if len(instants) != 1:
            return self._boxes(instants, self.scene.nodes[1:], whole=True)
        at = float(instants[0])
        known = self._still.get(at)
        if known is None:
            known = self._boxes(instants, self.scene.nodes[1:], whole=True)
            for rows in known.values():
                rows.flags.writeable = False
            self._still = {at: known}
        return known

    def _boxes(
        self, instants: FloatArray, wanted: Sequence[SceneNode], *, whole: bool
    ) -> Mapping[SceneNode, FloatArray]:
        picture = self._showing(wanted, content=True)
        unknown = {node for node in wanted if picture.why_unknown(node) is not None}
        nothing = np.full((len(instants), 4), np.nan)
        nothing.flags.writeable = False
        result: dict[SceneNode, FloatArray] = {
            node: nothing for node in wanted if node not in picture.index and node not in unknown
        }
        shown = [node for node in wanted if node in picture.index and node not in unknown]
        if not shown or not len(instants):
            return result
        step = max(1, _CELLS // len(picture.entries))
        turns = (instants[at : at + step] for at in range(0, len(instants), step))
        found = np.concatenate([picture.boxes(shown, turn, whole=whole) for turn in turns], axis=1)
        told = np.isfinite(found).all(axis=(1, 2))
        found[(found[:, :, 2] == 0) & (found[:, :, 3] == 0)] = np.nan
        result.update((node, rows) for node, rows, known in zip(shown, found, told, strict=True) if known)
        self._late.update((node, LIMIT) for node, known in zip(shown, told, strict=True) if not known)
        return result

    def matrix(self, node: SceneNode, times: Sequence[float] | FloatArray) -> FloatArray:
        """(T, 6) [a b c d e f]: from the node's own space to the scene's. NaN where it cannot be told.

        Raises KeyError for a node that is not displayed.
        """
        return self.matrices((node,), times)[node]

    def matrices(
        self, nodes: Iterable[SceneNode], times: Sequence[float] | FloatArray
    ) -> Mapping[SceneNode, FloatArray]:
        """:meth:`matrix` of several nodes, evaluated at once. Nodes that are not displayed are left out."""
        wanted = list(nodes)
        picture = self._showing(wanted, content=False)
        instants = np.asarray(times, dtype=np.float64).reshape(-1)
        return picture.matrices([node for node in wanted if node in picture.index], instants)

    def local_box(self, node: SceneNode, times: Sequence[float] | FloatArray) -> FloatArray:
        """(T, 4) left, top, right, bottom in the node's own space. Raises KeyError for a node that is not displayed."""
        picture = self._showing((node,), content=True)
        instants = np.asarray(times, dtype=np.float64).reshape(-1)
        chosen = picture.select((node,), content=True)
        return np.ascontiguousarray(picture.evaluate(instants, chosen).local_box(chosen.rank[picture.index[node]]))

    def outline(self, node: SceneNode) -> Path:
        """The shape of a node as a path in its own space, without animations of its geometry; empty for a group.

        Raises KeyError for a node that is not displayed.
        """
        shape = self._shape(node)
        return Path(()) if shape is None else shape.outline()

    def stroke(self, node: SceneNode) -> Any:
        """How a shape is stroked (:class:`~husky_lint.scene.strokes.Stroke`), None for no stroke."""
        shape = self._shape(node)
        return None if shape is None else shape.stroke(self.style(node))

    def _shape(self, node: SceneNode) -> Shape | None:
        compiled = self._compile(node)
        if compiled is None or compiled.display == "contents":
            raise KeyError(node)
        return compiled.shape

    def _why_unknown(self, node: SceneNode) -> str | None:
        """Why the box of a node cannot be told; None where it can."""
        picture = self._picture if node in self._filled else self._showing((node,), content=True)
        return picture.why_unknown(node) or self._late.get(node)

    def _all_unknown(self) -> Iterator[SceneNode]:
        self._showing(self.scene.nodes, content=True)
        return (node for node in self.scene.nodes if self._why_unknown(node) is not None)

    def let_go(self) -> None:
        """Forget everything; nothing can be asked after that."""
        vars(self).clear()


class _Unknown(Mapping[SceneNode, str]):
    """The nodes of a motion that cannot be told; of one node no more of the scene is looked at than it hangs on."""

    __slots__ = ("_motion",)

    def __init__(self, motion: Motion) -> None:
        self._motion = motion

    def __getitem__(self, node: SceneNode) -> str:
        reason = self._motion._why_unknown(node)
        if reason is None:
            raise KeyError(node)
        return reason

    def __contains__(self, node: object) -> bool:
        return isinstance(node, SceneNode) and self._motion._why_unknown(node) is not None

    def __iter__(self) -> Iterator[SceneNode]:
        return self._motion._all_unknown()

    def __len__(self) -> int:
        return sum(1 for _ in self._motion._all_unknown())


def _index_of(node: SceneNode) -> int:
    return node.index
