"""The white underside as it is painted: one piece, deep, and white by night. Told from the pixels of the scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.browser.live import Measured, live, look
from husky_lint.rule import Finding, Reason, Undecided, Verdict

from ..applied import paints_by_width
from ..bib import ELSEWHERE, FLUSH
from ..colour import WHITE_ENOUGH
from ..night import TRAIL_AT
from ..silhouette import silhouette_of
from .desktop import turn_theme
from .stage import SERVED, choose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from husky_lint.browser.live import LivePage, Reports
    from husky_lint.evidence import Evidence

    Pixels = NDArray[np.uint8]
    Mask = NDArray[np.bool_]

_WINDOW: Final = (320.0, 150.0, 240.0, 170.0)
"""What is looked at of the scene: x, y, width, height in units."""
_TRAIL: Final = (40.0, TRAIL_AT, 200.0, 2.0)
_PALE: Final = 0.2
"""Difference of the channels of what still reads white."""
_HALF: Final = 455.0
"""An abscissa between belly and chest."""
_FEW: Final = 30


@dataclass(frozen=True, slots=True, eq=False)
class Belly:
    """Pixels of the window: where the trunk alone is painted, where it is white, and what is seen by day and night.

    ``trail`` is the path by night. ``night`` and ``trail`` are None where no control turns the page to night.
    """

    trunk: Mask
    white: Mask
    day: Pixels
    night: Pixels | None
    trail: Pixels | None

    @property
    def scale(self) -> float:
        """Pixels to a unit."""
        return float(self.white.shape[1] / _WINDOW[2])

    def column(self, x: float) -> int:
        """The column of pixels at an abscissa of the scene."""
        return int(np.clip(round((x - _WINDOW[0]) * self.scale), 0, self.white.shape[1] - 1))


def trunk_of(evidence: Evidence) -> list[str]:
    """Paths of the shapes of the trunk (no leg, head, tail, collar or blade), and of what hides it."""
    silhouette = silhouette_of(evidence)
    silhouette.rig.part("bib")
    elsewhere = {shape for role in ELSEWHERE for shape in silhouette.part(role)} | silhouette.legs
    head = silhouette.rig.parts.get("head")
    dog = silhouette.rig.part("dog").node
    found = [
        shape
        for shape in silhouette.shapes
        if shape not in elsewhere and not shape.uses and (head is None or head.node not in shape.ancestors())
    ]
    own = {shape for shape in found if dog in shape.ancestors()}
    first = min((shape.index for shape in own), default=0)
    return [s.css_path for s in found if s in own or (s.index > first and silhouette.covers(s))]


@look(SERVED, 2, trunk_of)
def belly(page: LivePage) -> Belly:
    """The trunk alone, then the whole scene by day and by night, every animation ended."""
    shapes = page.evidence.derived(trunk_of)
    choose(page, "walk")
    lost = page.see("isolate", shapes)
    if len(lost) * 4 > len(shapes):
        raise Undecided(Reason.ROLE_NOT_FOUND, "the live page's scene is not the one that was read")
    alone = page.picture(_WINDOW)
    page.see("restore")
    day = page.picture(_WINDOW)
    night = trail = None
    try:
        control = turn_theme(page)
    except Undecided:
        control = None
    if control is not None:
        night, trail = page.picture(_WINDOW), page.picture(_TRAIL)
        page.press(control)
    trunk = ~((alone[..., 0] > 250) & (alone[..., 1] < 5) & (alone[..., 2] > 250))
    return Belly(trunk, trunk & _reads_white(alone), day, night, trail)


def _luminance(pixels: Pixels) -> NDArray[np.float64]:
    channels = pixels[..., :3].astype(np.float64) / 255.0
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    found: NDArray[np.float64] = linear @ np.array([0.2126, 0.7152, 0.0722])
    return found


def _reads_white(pixels: Pixels) -> Mask:
    channels = pixels[..., :3].astype(np.float64) / 255.0
    found: Mask = (_luminance(pixels) >= WHITE_ENOUGH) & (np.ptp(channels, axis=-1) < _PALE)
    return found


def _pieces(white: Mask) -> list[Mask]:
    """What hangs together by more than a touch, the largest first."""
    core = white.copy()
    core[1:] &= white[:-1]
    core[:-1] &= white[1:]
    core[:, 1:] &= white[:, :-1]
    core[:, :-1] &= white[:, 1:]
    left = core.copy()
    found: list[Mask] = []
    while left.any():
        piece = np.zeros_like(left)
        start = np.unravel_index(int(np.argmax(left)), left.shape)
        waiting = [(int(start[0]), int(start[1]))]
        left[start] = False
        while waiting:
            row, column = waiting.pop()
            piece[row, column] = True
            for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if 0 <= near[0] < left.shape[0] and 0 <= near[1] < left.shape[1] and left[near]:
                    left[near] = False
                    waiting.append(near)
        found.append(piece)
    return sorted(found, key=lambda piece: -int(piece.sum()))


@live("HB2317", belly)
def bib_continuous(reports: Reports, belly: float, chest: float) -> Iterator[Finding | Measured]:
    """Shows the trunk alone, and looks whether one piece of white pixels runs from the belly to the chest."""
    seen = reports.of(_BELLY)
    extents = []
    for piece in _pieces(seen.white):
        columns = np.flatnonzero(piece.any(axis=0))
        if int(piece.sum()) >= _FEW * seen.scale:
            extents.append([round(float(_WINDOW[0] + columns[end] / seen.scale), 1) for end in (0, -1)])
    yield Measured("white pieces, from x to x", extents)
    yield Measured("white, in square units", round(float(seen.white.sum()) / seen.scale**2))
    if not any(left <= belly + 1 and right >= chest - 1 for left, right in extents):
        told = "; ".join(f"x {left:.0f} to {right:.0f}" for left, right in extents) or "nothing"
        yield Finding(
            f"the white underside is in pieces ({told}); one piece runs from the belly (x {belly:g}) to the chest (x "
            f"{chest:g})",
            data={"pieces": extents},
        )


@live("HB2318", belly)
def bib_depth(
    reports: Reports, depth: float, proportion: float, belly: float, chest: float
) -> Iterator[Finding | Measured]:
    """Shows the trunk alone, and measures how far white reaches up from the underside, column by column."""
    seen = reports.of(_BELLY)
    found = []
    for x in np.arange(belly, chest, 4.0):
        column = seen.column(float(x))
        trunk, white = np.flatnonzero(seen.trunk[:, column]), np.flatnonzero(seen.white[:, column])
        if not len(trunk) or not len(white) or trunk[-1] - white[-1] > FLUSH * seen.scale:
            found.append(0.0)
            continue
        breaks = np.flatnonzero(np.diff(white) > 1)
        top = white[breaks[-1] + 1] if len(breaks) else white[0]
        found.append(float(white[-1] - top + 1) / seen.scale)
    median = float(np.median(found))
    yield Measured("depth of the white, median in units", round(median, 1))
    if median < depth * (1 - proportion):
        yield Finding(
            f"the white reaches {median:.0f} units up from the underside (median from x {belly:g} to {chest:g}), "
            f"expected about {depth:g} or more",
            data={"measured": median, "expected": depth},
        )


@live("HB2604", belly)
def night_white(
    reports: Reports, least_luminance: float, least_contrast: float
) -> Iterator[Finding | Measured | Verdict]:
    """Turns the page to night, and reads the pixels of belly and chest that are white by day, and of the trail.

    That is the night of one window: where the stylesheet paints by width it is not the whole answer.
    """
    white = True
    seen = reports.of(_BELLY)
    if seen.night is None or seen.trail is None:
        raise Undecided(Reason.STATE_NOT_FOUND, "no control of the live page changes the theme")
    shown = seen.white & _reads_white(seen.day)
    trail = float(np.median(_luminance(seen.trail)))
    half = seen.column(_HALF)
    for name, part in (("belly", shown[:, :half]), ("chest", shown[:, half:])):
        night = seen.night[:, :half] if name == "belly" else seen.night[:, half:]
        if int(part.sum()) < _FEW:
            continue
        light = float(np.median(_luminance(night)[part]))
        contrast = (max(light, trail) + 0.05) / (min(light, trail) + 0.05)
        yield Measured(f"{name} by night: luminance, contrast to the trail", [round(light, 3), round(contrast, 1)])
        if light < least_luminance or contrast < least_contrast:
            white = False
            yield Finding(
                f"by night the {name} has a luminance of {light:.2f} and a contrast of {contrast:.1f} to the trail, "
                f"expected {least_luminance:g} and {least_contrast:g}",
                data={"luminance": light, "contrast": contrast},
            )
    if not shown.any():
        raise Undecided(Reason.ROLE_NOT_FOUND, "no white of the underside is seen by day")
    if white and paints_by_width(reports.evidence):
        yield Verdict.unknown(Reason.NEEDS_SOURCE, "the underside is white in a wide window")


_BELLY: Final = belly
