"""The collar (spec §2.3): a band round neck and throat, tilted forward, behind the skull."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from husky_lint.rule import Finding, Reason, Related, Undecided, rule

from .silhouette import silhouette_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.scene.graph import SceneNode

    from .silhouette import Silhouette

    FloatArray = NDArray[np.float64]

FORWARD_OF_SHOULDER = 500.0
"""A collar whose middle lies left of this wraps the chest."""


@rule("HB2316")
def collar(
    evidence: Evidence,
    tilt: float,
    angle: float,
    width_of_skull: float,
    braincase: float,
    proportion: float,
    flush: float,
    outside: float,
) -> Iterator[Finding]:
    """The collar does not go round the base of the neck.

    ## What it checks
    The band leans forward by about 17°, so that its lower end lies ahead of its upper one; it is about an eighth as
    wide as the skull (measured with or without the muzzle); it stays inside the outline of neck and body and its lower
    end reaches that outline at the throat; its upper end ends at the nape or behind the skull; and where it meets the
    skull it is painted before it.

    ## Why it matters
    A collar is a ring seen from the side. One that stops on the chest is a strap, one as wide as the neck a bandage.

    ## Example that fails
    ```css
    .collar { transform: rotate(-34deg); transform-origin: 526px 205px; }
    ```

    ```css
    .collar { stroke-width: 24; }
    ```

    ```css
    .collar { transform: translate(-9px, -30px); }
    ```

    ## Example that passes
    ```css
    .collar { stroke-width: 10; }
    ```
    """
    silhouette = silhouette_of(evidence)
    rig = silhouette.rig
    if rig.is_absent("collar"):
        head = rig.parts.get("head")
        yield Finding("there is no collar", evidence.element_span(head.node.element) if head is not None else None)
        return
    part, shapes, skull = rig.part("collar"), silhouette.required("collar"), silhouette.required("skull")
    span = evidence.element_span(part.node.element)
    band = _band(silhouette, shapes)
    lean = math.degrees(math.atan2(*(band.foot - band.top).tolist()))
    if abs(lean - tilt) > angle:
        yield Finding(
            f"the collar is tilted {abs(lean):.0f}° {'forward' if lean >= 0 else 'back'}, expected about {tilt:g}° "
            f"forward: its lower end ahead of its upper one",
            span,
            data={"measure": "tilt", "measured": lean, "expected": tilt},
        )
    left, _, right, _ = silhouette.union(skull).bounds
    widest = width_of_skull * (right - left)
    narrowest = widest * braincase
    if not narrowest * (1 - proportion) <= band.width <= widest * (1 + proportion):
        yield Finding(
            f"the collar is {band.width:.1f} wide, expected about an eighth of the skull ({narrowest:.0f} to "
            f"{widest:.0f})",
            span,
            data={"measure": "width", "measured": band.width, "expected": [narrowest, widest]},
        )
    around = silhouette.coat
    beyond = float(band.area.difference(around.buffer(1.0)).area / band.area.area)
    if beyond > outside:
        yield Finding(
            f"{beyond:.0%} of the collar lies outside the outline of neck and body",
            span,
            data={"measure": "outside", "measured": beyond, "expected": outside},
        )
    short = _short_of(band, around)
    if short > flush:
        yield Finding(
            f"the collar ends {short:.0f} units inside the outline at ({band.foot[0]:.0f}, {band.foot[1]:.0f}) and "
            f"does not go round the throat",
            span,
            data={"measure": "short", "measured": short, "expected": flush},
        )
    if band.middle[0] < FORWARD_OF_SHOULDER:
        yield Finding(
            f"the collar lies about x {band.middle[0]:.0f}, round the chest; it goes round neck and throat",
            span,
            data={"measure": "place", "measured": band.middle.tolist()},
        )
    yield from _over_skull(evidence, silhouette, shapes, skull)


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """A collar: its ``area``, the ends of its axis and its ``middle`` (2,), and its ``width`` in units."""

    area: Any
    top: FloatArray
    foot: FloatArray
    middle: FloatArray
    width: float


def _band(silhouette: Silhouette, shapes: tuple[SceneNode, ...]) -> Band:
    from shapely import get_coordinates, minimum_rotated_rectangle

    main = max(shapes, key=lambda shape: silhouette.ink(shape).area, default=None)
    if main is None or silhouette.ink(main).area <= 0:
        raise Undecided(Reason.ROLE_NOT_FOUND, "nothing of the collar is seen")
    area = silhouette.ink(main)
    corners = get_coordinates(minimum_rotated_rectangle(area))[:4]
    sides = np.roll(corners, -1, axis=0) - corners
    long = int(np.argmax(np.hypot(*sides.T))) % 2
    ends = [(corners[(long + k) % 4] + corners[(long + k + 3) % 4]) / 2 for k in (0, 1)]
    ends[1] = (corners[(long + 1) % 4] + corners[(long + 2) % 4]) / 2
    top, foot = sorted(ends, key=lambda end: float(end[1]))
    return Band(area, top, foot, np.array(area.centroid.coords[0]), _thickness(area, top, foot))


def _thickness(area: Any, top: FloatArray, foot: FloatArray) -> float:
    """The median width across the axis, bends followed."""
    from shapely import LineString

    along = foot - top
    across = np.array([-along[1], along[0]]) / max(float(np.hypot(*along)), 1e-9) * 80.0
    widths = []
    for share in np.linspace(0.15, 0.85, 15):
        middle = top + share * along
        cut = area.intersection(LineString([middle - across, middle + across]))
        pieces = [float(piece.length) for piece in getattr(cut, "geoms", [cut]) if piece.length > 0]
        widths += [max(pieces)] if pieces else []
    return float(np.median(widths)) if widths else 0.0


def _short_of(band: Band, around: Any) -> float:
    """How far the outline goes on below the lower end, along the band."""
    from shapely import LineString, Point

    along = (band.foot - band.top) / max(float(np.hypot(*(band.foot - band.top))), 1e-9)
    ray = around.intersection(LineString([band.foot, band.foot + 200.0 * along]))
    pieces = [piece for piece in getattr(ray, "geoms", [ray]) if piece.length > 0]
    here = Point(band.foot)
    return float(next((piece.length for piece in pieces if piece.distance(here) <= 1.0), 0.0))


def _over_skull(
    evidence: Evidence, silhouette: Silhouette, shapes: tuple[SceneNode, ...], skull: tuple[SceneNode, ...]
) -> Iterator[Finding]:
    for shape in shapes:
        for bone in skull:
            if shape.index > bone.index and silhouette.ink(shape).intersection(silhouette.ink(bone)).area > 4.0:
                yield Finding(
                    "the collar is painted after the skull and lies over it; it disappears behind the skull",
                    evidence.element_span(shape.element),
                    related=(Related(evidence.element_span(bone.element), "the skull"),),
                    data={"measure": "order"},
                )
                return
