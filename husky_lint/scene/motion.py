"""Where everything in a scene is at any time, in one state of the page.

All results are in the user units of the scene's svg (the space that its viewBox sets up). A time t, in seconds, means
that the page has run for t in that state with every animation started at 0.
"""

from __future__ import annotations

import math
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
from husky_lint.scene.picture import Entry, Picture
from husky_lint.scene.placement import BOXES
from husky_lint.scene.varying import Tracks, VaryingPlacement, custom_tracks, dependence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
    """The motion of a scene in one state.

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
        self._picture = self._find_picture()

    # ------------------------------------------------------------------ what is there

    @property
    def unknown(self) -> Mapping[SceneNode, str]:
        """Nodes whose box cannot be told, with the reason key; may grow when times are evaluated."""
        return {**self._picture.late_unknown, **self._picture.unknown}

    def is_displayed(self, node: SceneNode) -> bool:
        """Whether the node generates a box at all: it stands where SVG paints, and no ``display: none`` is around."""
        return node in self._picture.index or node in self._picture.unknown

    def style(self, node: SceneNode) -> ComputedStyle:
        """The style of a node, also of an instance in a ``<use>``. Raises KeyError for what is not in the document."""
        return self._compiler.style(node)

    def animations(self, node: SceneNode) -> Mapping[str, Animations] | Unknown:
        """For each animated property of a node its animations, lowest first. Raises KeyError as :meth:`style` does."""
        return self._reader.animations(self.style(node), self.styled)

    # ------------------------------------------------------------------ compiling

    def _find_picture(self) -> Picture:
        """The picture of this state; of those that show the same compiled elements, the first."""
        compiled = self._compile()
        by_stroke = any(one.placement is not None and one.placement.box == "stroke" for one in compiled.values())
        key = (self.scene, tuple(map(id, compiled.values())), self.styled if by_stroke else None)
        pictures = self._compiler.shared.pictures
        known: Picture | None = pictures.get(key)
        if known is None:  # it holds what it is made of, so the identities in the key stay taken
            known = pictures[key] = self._put_together(compiled)
        return known

    def _compile(self) -> dict[SceneNode, Compiled]:
        """Every node that stands where SVG paints and has no ``display: none`` around it, in paint order."""
        root = self.scene.root
        style = self.style(root)
        if style.keyword("display") == "none":
            return {}
        found = {root: self._compiler.root(root, style)}
        inside = {root: found[root].inner or _NOWHERE}
        self._customs[root] = self._customs_around(style)
        compiler = self._compiler
        for node in self.scene.nodes:
            parent = node.parent
            viewport = inside.get(parent) if parent is not None else None
            if parent is None or viewport is None or node.place is not Place.RENDERED:
                continue
            try:
                compiled = compiler.compile(node, viewport)
            except KeyError:
                continue
            if compiled.display == "none":
                continue
            if self._animated and (compiled.animates_customs or self._customs.get(parent)):
                compiled = self._vary(node, compiled)
            found[node] = compiled
            if compiled.bounds is None and compiled.shape is None:
                inside[node] = compiled.inner or viewport
        return found

    def _put_together(self, compiled: Mapping[SceneNode, Compiled]) -> Picture:
        entries: list[Entry] = []
        places: dict[SceneNode, int] = {}
        unknown: dict[SceneNode, str] = {}
        for node in self.scene.nodes:
            one = compiled.get(node)
            above = places.get(node.parent, -1) if node.parent is not None else -1
            if one is None:
                if node.parent in unknown and node.place in {Place.TEXT, Place.FOREIGN}:
                    unknown[node] = TEXT if node.place is Place.TEXT else FOREIGN_OBJECT
            elif one.display == "contents":
                places[node] = above
            else:
                places[node] = len(entries)
                entries.append(Entry(node, above, entries[above].depth + 1 if above >= 0 else 0, one))
                if one.own_reason is not None:
                    unknown[node] = one.own_reason
        return Picture(entries, unknown, self.style)

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
        picture = self._picture
        instants = np.asarray(times, dtype=np.float64).reshape(-1)
        wanted = self.scene.nodes[1:] if nodes is None else [node for node in nodes if node.parent is not None]
        nothing = np.full((len(instants), 4), np.nan)
        nothing.flags.writeable = False
        result: dict[SceneNode, FloatArray] = {
            node: nothing for node in wanted if node not in picture.index and node not in picture.unknown
        }
        shown = [node for node in wanted if node in picture.index and node not in picture.unknown]
        if not shown or not len(instants):
            return result
        step = max(1, _CELLS // len(picture.entries))
        turns = (instants[at : at + step] for at in range(0, len(instants), step))
        found = np.concatenate([picture.boxes(shown, turn, whole=nodes is None) for turn in turns], axis=1)
        told = np.isfinite(found).all(axis=(1, 2))
        found[(found[:, :, 2] == 0) & (found[:, :, 3] == 0)] = np.nan
        result.update((node, rows) for node, rows, known in zip(shown, found, told, strict=True) if known)
        picture.late_unknown.update((node, LIMIT) for node, known in zip(shown, told, strict=True) if not known)
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
        picture = self._picture
        instants = np.asarray(times, dtype=np.float64).reshape(-1)
        return picture.matrices([node for node in nodes if node in picture.index], instants)

    def local_box(self, node: SceneNode, times: Sequence[float] | FloatArray) -> FloatArray:
        """(T, 4) left, top, right, bottom in the node's own space. Raises KeyError for a node that is not displayed."""
        picture = self._picture
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
        return self._picture.entries[self._picture.index[node]].compiled.shape
