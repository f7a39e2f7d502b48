"""Gait analysis of one stride: where a paw's sole is, when it is down, how far it drifts, how a limb folds.

All positions are scene units, y down; all phases are fractions of the cycle. The definitions are those of the contract:
heights and contacts come from the true outline of the paw, mapped through the full transform, not from its box.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.scene.paths import flatten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from husky_lint.scene.paths import Path

    FloatArray = NDArray[np.float64]

SAMPLES: Final = 192
"""Instants of a cycle. A paw of the contract moves at most a few units between two of them; see PawTrack.step."""

SETTLED: Final = 20
"""Cycles that have passed before the stride that is looked at, so that positive delays and one-shots are over."""

_SPACING: Final = 0.4
"""Distance in user units between outline points, so that a mean over them is a mean along the outline."""
_MAX_POINTS: Final = 4_000


def stride_times(cycle: float, samples: int = SAMPLES, settled: float = SETTLED) -> FloatArray:
    """Instants in seconds, evenly over one settled stride of ``cycle`` seconds, its end left out."""
    return (settled + np.arange(samples) / samples) * cycle


def outline_points(path: Path, half_width: float = 0.0) -> FloatArray:
    """(n, 2) points evenly along a shape's outline, in its own space; grown by ``half_width`` for a stroked line."""
    lines = [line for line in flatten(path) if len(line)]
    if half_width > 0 and lines:
        from shapely import MultiLineString, buffer

        drawn = [line if len(line) > 1 else np.repeat(line, 2, axis=0) for line in lines]
        grown = buffer(MultiLineString(drawn), half_width)
        shapes = getattr(grown, "geoms", [grown])
        lines = [np.asarray(shape.exterior.coords) for shape in shapes if not shape.is_empty]
    points = [_evenly(line) for line in lines]
    return np.concatenate(points)[:_MAX_POINTS] if points else np.empty((0, 2))


def _evenly(line: FloatArray) -> FloatArray:
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    if not math.isfinite(lengths[-1]) or lengths[-1] == 0:
        return line[:1]
    count = min(int(lengths[-1] / _SPACING) + 2, _MAX_POINTS)
    at = np.linspace(0.0, lengths[-1], count)
    return np.stack([np.interp(at, lengths, line[:, axis]) for axis in (0, 1)], axis=1)


def transformed(matrix: FloatArray, points: FloatArray) -> FloatArray:
    """(T, n, 2): points through matrices (T, 6) [a b c d e f]."""
    x, y = points[:, 0], points[:, 1]
    a, b, c, d, e, f = (matrix[:, i, None] for i in range(6))
    return np.stack([a * x + c * y + e, b * x + d * y + f], axis=2)


@dataclass(frozen=True)
class PawTrack:
    """The sole of one paw over one cycle: ``lowest`` (T,) the greatest y of its outline, ``sole_x`` (T,) the mean x of
    the outline within the sole depth above it, ``slide`` (T,) how far those points of the paw go along x to the next
    sample. The last sample is followed by the first.

    A paw that rolls from its flat sole onto its toes moves the middle of the sole forward, and slides no point."""

    times: FloatArray
    cycle: float
    lowest: FloatArray
    sole_x: FloatArray
    slide: FloatArray

    @cached_property
    def step(self) -> float:
        """The farthest the sole goes between two samples: what may lie between them and was not seen."""
        return float(np.max(np.hypot(self._travel, np.roll(self.lowest, -1) - self.lowest)))

    @cached_property
    def _travel(self) -> FloatArray:
        return np.roll(self.sole_x, -1) - self.sole_x

    def down(self, threshold: float) -> NDArray[np.bool_]:
        """(T,) whether the outline reaches the path: its lowest point lies at ``threshold`` or below."""
        return self.lowest >= threshold

    def share_down(self, threshold: float) -> float:
        """The part of the cycle that the paw is down: the duty factor where it lifts at all."""
        return float(np.mean(self.down(threshold)))

    def drift(self, threshold: float) -> float:
        """Σ dx of the sole over consecutive times down; negative is backward, as the ground goes."""
        down = self.down(threshold)
        return float(np.sum(self._travel[down & np.roll(down, -1)]))

    def drag(self, threshold: float) -> tuple[float, float]:
        """The longest forward run while down, in units, and the phase where it begins."""
        down = self.down(threshold)
        both = down & np.roll(down, -1)
        gains = np.where(both, np.minimum(self._travel, self.slide), -np.inf)
        count = len(gains)
        best, best_start, run, start = 0.0, 0.0, 0.0, 0
        for i in range(2 * count):  # twice around, so that a run across the end of the cycle counts whole
            gain = float(gains[i % count])
            if gain <= 0:
                run, start = 0.0, i + 1
                continue
            if i - start >= count:
                break
            run += gain
            if run > best:
                best, best_start = run, (start % count) / count
        return best, best_start

    def lift(self, threshold: float) -> float:
        """Greatest rise of the lowest outline point above its mean height in stance; NaN when it is never down."""
        down = self.down(threshold)
        return float(np.mean(self.lowest[down]) - np.min(self.lowest)) if down.any() else math.nan

    def skate(self, threshold: float, ground_speed: float) -> float:
        """Mean of abs(v_paw − v_dirt) ÷ abs(v_dirt) over stance; speeds in units per second, NaN without either."""
        both = self.down(threshold) & np.roll(self.down(threshold), -1)
        if not both.any() or ground_speed == 0:
            return math.nan
        speed = self._travel[both] * len(self.lowest) / self.cycle
        return float(np.mean(np.abs(speed - ground_speed)) / abs(ground_speed))

    def contacts(self, threshold: float) -> list[tuple[float, float]]:
        """(strike, toe-off) phases of each time on the ground, in the page's cycle; several when the paw bounces."""
        down = self.down(threshold)
        if down.all() or not down.any():
            return []
        count = len(down)
        strikes = np.flatnonzero(down & ~np.roll(down, 1))
        lifts = np.flatnonzero(~down & np.roll(down, 1))
        return [(int(s) / count, int(lifts[np.argmin((lifts - s) % count)]) / count) for s in strikes]


def paw_track(times: FloatArray, cycle: float, outlines: Sequence[FloatArray], sole_depth: float) -> PawTrack:
    """A track from outlines (T, n, 2) in scene units."""
    points = np.concatenate(list(outlines), axis=1)
    y = points[:, :, 1]
    lowest = y.max(axis=1)
    within = y >= lowest[:, None] - sole_depth
    x = points[:, :, 0]
    sole_x = np.where(within, x, 0.0).sum(axis=1) / within.sum(axis=1)
    stays = within & np.roll(within, -1, axis=0)
    stays = np.where(stays.any(axis=1, keepdims=True), stays, within)
    slide = np.where(stays, np.roll(x, -1, axis=0) - x, 0.0).sum(axis=1) / stays.sum(axis=1)
    return PawTrack(times, cycle, lowest, sole_x, slide)


def direction(start: FloatArray, end: FloatArray) -> FloatArray:
    """(T,) degrees of the line from ``start`` to ``end`` (T, 2), 0 straight down, positive toward the tail (−x)."""
    delta = end - start
    return np.degrees(np.arctan2(-delta[..., 0], delta[..., 1]))


def fold(root: FloatArray, middle: FloatArray, end: FloatArray) -> FloatArray:
    """(T,) degrees between the upper and the second segment, signed (positive: the second turned toward the tail)."""
    turn = direction(middle, end) - direction(root, middle)
    return (turn + 180.0) % 360.0 - 180.0


def pivots(matrix: FloatArray, pivot: tuple[float, float]) -> FloatArray:
    """(T, 2): a point of an element's parent space through time, by the parent's matrices (T, 6)."""
    return transformed(matrix, np.array([pivot], dtype=np.float64))[:, 0, :]
