"""The white underside (spec §2.3): one piece from chest to belly, deep enough to be an area."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from husky_lint.rule import Finding, Reason, Related, Undecided, rule
from husky_lint.style.colors import Color

from .colour import WHITE_ENOUGH, chroma
from .silhouette import silhouette_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode
    from husky_lint.source import Span

    from .silhouette import Silhouette

WHITE: Final = Color(1.0, 1.0, 1.0)
OPAQUE: Final = 0.9
"""White less opaque than this is a shade over the fur."""
HELD_BY: Final = 0.75
"""Pieces that hang together by less than twice this many units only touch."""
LEAST_PIECE: Final = 30.0
"""Square units from which a piece counts."""
COLUMNS: Final = 4.0
"""Units between the places where the depth is measured."""
FLUSH: Final = 6.0
"""White that begins higher than this above the underside does not lie on it."""
ELSEWHERE: Final = (
    *("skull", "face_mask", "eye", "brow", "ear", "nose", "mouth_or_tongue"),
    *("tail", "tail_tip", "collar", "tag", "blade"),
)


@dataclass(frozen=True, slots=True)
class Underside:
    """What is seen white of the trunk: ``white`` under everything painted later but legs, collar and head."""

    shapes: tuple[SceneNode, ...]
    white: Any
    silhouette: Any


@rule("HB2317")
def bib_continuous(evidence: Evidence, belly: float, chest: float) -> Iterator[Finding]:
    """The white underside is not one piece from chest to belly.

    ## What it checks
    The white shapes of the underside, as far as they are seen (clip-paths applied, what is painted over them taken
    away, legs and collar aside), overlap into one piece that runs from the belly to the chest.

    ## Why it matters
    Two white patches with a dark gap between them are two patches. A husky's bib runs through.

    ## Example that fails
    ```css
    .bib-belly { transform: translateX(-36px); }
    ```

    ```html
    <path class="saddle" style="fill: var(--coat-mid)" d="M450 190 h20 v100 h-20 z"/>
    ```

    ## Example that passes
    ```css
    .bib-chest { transform: translateX(-3px); }
    ```
    """
    underside = _underside(evidence)
    pieces = _pieces(underside.white)
    if any(piece.bounds[0] <= belly and piece.bounds[2] >= chest for piece in pieces):
        return
    told = "; ".join(f"x {piece.bounds[0]:.0f} to {piece.bounds[2]:.0f}" for piece in pieces) or "nothing"
    spans = _spans(evidence, underside)
    yield Finding(
        f"the white underside is {len(pieces)} piece{'' if len(pieces) == 1 else 's'} ({told}); one piece runs from "
        f"the belly (x {belly:g}) to the chest (x {chest:g})",
        spans[0] if spans else None,
        related=tuple(Related(span, "white of the underside too") for span in spans[1:4]),
        data={"pieces": [[float(edge) for edge in piece.bounds] for piece in pieces]},
    )


@rule("HB2318")
def bib_depth(evidence: Evidence, depth: float, proportion: float, belly: float, chest: float) -> Iterator[Finding]:
    """The white underside is a stripe, not an area.

    ## What it checks
    Between belly and chest the white reaches up from the underside by about 19 units or more (median over x).

    ## Why it matters
    A thin white line along the belly reads as an outline. The bib is fur that has a surface.

    ## Example that fails
    ```css
    .bib-belly { transform-box: fill-box; transform-origin: 50% 100%; transform: scaleY(.25); }
    .bib-chest { clip-path: url(#thin); }
    ```

    ```css
    .bib { display: none; }
    .torso { stroke: var(--fur-white); stroke-width: 5; }
    ```

    ## Example that passes
    ```css
    .bib-belly { transform: translateY(-1px); }
    ```
    """
    underside = _underside(evidence)
    depths = _depths(underside, belly, chest)
    median = float(np.median(depths)) if len(depths) else 0.0
    if median < depth * (1 - proportion):
        spans = _spans(evidence, underside)
        yield Finding(
            f"the white reaches {median:.0f} units up from the underside (median from x {belly:g} to {chest:g}), "
            f"expected about {depth:g} or more",
            spans[0] if spans else None,
            related=tuple(Related(span, "white of the underside too") for span in spans[1:4]),
            data={"measured": median, "expected": depth, "depths": [round(float(one), 1) for one in depths]},
        )


# ---------------------------------------------------------------- what is white of the trunk


def _underside(evidence: Evidence) -> Underside:
    return evidence.derived(_find_underside)


def _find_underside(evidence: Evidence) -> Underside:
    """Raises Undecided where neither a bib nor a white body could be told."""
    from shapely import unary_union

    silhouette = silhouette_of(evidence)
    elsewhere = {shape for role in ELSEWHERE for shape in silhouette.part(role)} | silhouette.legs
    trunk = [shape for shape in silhouette.shapes if shape not in elsewhere and silhouette.covers(shape)]
    head = silhouette.rig.parts.get("head")
    trunk = [shape for shape in trunk if head is None or head.node not in shape.ancestors()]
    outline = silhouette.trunk
    around = outline.buffer(8.0)
    whites = [shape for shape in trunk if silhouette.is_dogs(shape) and _is_white(silhouette, shape)]
    if not whites and not silhouette.rig.is_absent("bib"):
        silhouette.rig.part("bib")
        raise Undecided(Reason.ROLE_NOT_FOUND, "no white of the underside is opaque")
    seen = []
    for shape in whites:
        area = silhouette.ink(shape)
        for later in trunk:
            if later.index > shape.index and later not in whites and _darkens(silhouette, later):
                area = area.difference(silhouette.ink(later))
        seen.append(area)
    white = unary_union(seen).intersection(around)
    return Underside(tuple(whites), white, unary_union([outline, white]))


def _is_white(silhouette: Silhouette, shape: SceneNode) -> bool:
    """Whether a shape is opaque white fur, or filled with a gradient of nothing else."""
    paint = silhouette.paint(shape)
    if paint.alpha < OPAQUE:
        return False
    return all(_reads_white(stop) for stop in _stops(silhouette, shape)) if paint.served else paint.is_white


def _darkens(silhouette: Silhouette, shape: SceneNode) -> bool:
    """Whether white under a shape is white no more: a pale shade over the fur leaves it so."""
    paint = silhouette.paint(shape)
    if paint.served:
        return not _is_white(silhouette, shape)
    return paint.color is None or not _reads_white(paint.color.over(WHITE))


def _reads_white(color: Color) -> bool:
    return color.luminance >= WHITE_ENOUGH and chroma(color) < 0.2


def _stops(silhouette: Silhouette, shape: SceneNode) -> list[Color]:
    """The colours of a gradient's stops. Raises Undecided for what else serves a fill."""
    url = silhouette.rest.style(shape).paint_server("fill") or ""
    root = shape.element.getroottree().getroot()
    gradient = next((one for one in root.iter("{*}*") if one.get("id") == url.removeprefix("#")), None)
    found = []
    for stop in gradient.iter("{*}stop") if gradient is not None else ():
        styled = silhouette.rest.styled
        color = styled.computed(stop).color("stop-color") if stop in styled else None
        if color is not None:
            found.append(color)
    if not found:
        span = silhouette.evidence.element_span(shape.element)
        raise Undecided(Reason.UNSUPPORTED_CSS, f"what {url} paints is not evaluated", span)
    return found


def _pieces(white: Any) -> list[Any]:
    """The pieces that hang together by more than a touch, from the tail on."""
    eroded = white.buffer(-HELD_BY)
    pieces = [piece.buffer(HELD_BY) for piece in getattr(eroded, "geoms", [eroded]) if piece.area >= LEAST_PIECE]
    return sorted(pieces, key=lambda piece: float(piece.bounds[0]))


def _depths(underside: Underside, belly: float, chest: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    """How far white reaches up from the underside, at each column; 0 where it does not lie on it."""
    from shapely import LineString

    found = []
    for x in np.arange(belly, chest, COLUMNS):
        column = LineString([(x, -1e4), (x, 1e4)])
        body = underside.silhouette.intersection(column)
        if body.is_empty:
            found.append(0.0)
            continue
        bottom = float(body.bounds[3])
        cut = underside.white.intersection(column)
        pieces = [piece.bounds for piece in getattr(cut, "geoms", [cut]) if piece.length > 0]
        lowest = max(pieces, key=lambda bounds: float(bounds[3]), default=None)
        found.append(lowest[3] - lowest[1] if lowest is not None and bottom - lowest[3] <= FLUSH else 0.0)
    return np.array(found)


def _spans(evidence: Evidence, underside: Underside) -> list[Span]:
    part = silhouette_of(evidence).rig.parts.get("bib")
    shapes = part.shapes if part is not None else underside.shapes
    return [evidence.element_span(shape.element) for shape in shapes]
