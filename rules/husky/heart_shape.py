"""Whether an outline is a heart's, whatever it is called."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from shapely import LineString, Polygon

from husky_lint.scene.paths import flatten, parse_path

if TYPE_CHECKING:
    from collections.abc import Iterator

_MAX_TEXT: Final = 2_000
_PROPORTIONS: Final = (0.6, 1.7)
_ROWS: Final = (0.2, 0.35, 0.5, 0.65, 0.8)
_LEAN: Final = 0.06
_NOTCH: Final = 0.05
_TIP: Final = (0.92, 0.4)
_WIDEST: Final = 0.6


@lru_cache(maxsize=256)
def is_heart_shaped(data: str) -> bool:
    """Whether path data draws one heart, upright (y down): two lobes with a notch between them, and a point below.

    It is as wide as high within 0.6 to 1.7, its rows are centred on one line, the notch is at least a twentieth of the
    height deep, and the lowest twelfth is narrow.
    """
    if len(data) > _MAX_TEXT:
        return False
    path = parse_path(data)
    box = path.bounds
    if len(path.subpaths) != 1 or box is None:
        return False
    outline = flatten(path, 0.05)[0]
    (left, top), (right, bottom) = outline.min(axis=0), outline.max(axis=0)
    width, height = float(right - left), float(bottom - top)
    if len(outline) < 4 or not (math.isfinite(width) and math.isfinite(height)) or min(width, height) <= 0:
        return False
    if not _PROPORTIONS[0] <= width / height <= _PROPORTIONS[1]:
        return False
    drawn = Polygon((outline - (left, top)) / (width, height)).buffer(0)
    return not drawn.is_empty and all(_signs(drawn))


def _signs(drawn: Polygon) -> Iterator[bool]:
    """What makes a heart, of an outline in the unit square."""
    rows = {y: drawn.intersection(LineString([(-1, y), (2, y)])).bounds for y in (*_ROWS, _TIP[0])}
    yield all(rows.values())
    yield all(abs((row[0] + row[2]) / 2 - 0.5) <= _LEAN for row in rows.values())
    yield rows[_TIP[0]][2] - rows[_TIP[0]][0] <= _TIP[1]
    yield max(_ROWS, key=lambda y: rows[y][2] - rows[y][0]) <= _WIDEST
    left, middle, right = (drawn.intersection(LineString([(x, -1), (x, 2)])).bounds for x in (0.25, 0.5, 0.75))
    yield bool(left and middle and right)
    yield middle[1] - max(left[1], right[1]) >= _NOTCH
    yield middle[3] >= 1 - _NOTCH
