"""Stroke boxes against what Chromium 156 uses for ``transform-box: stroke-box`` (read off the pivot)."""

from __future__ import annotations

import pytest

from husky_lint.scene.paths import parse_path
from husky_lint.scene.strokes import Stroke, stroke_bounds

CORNER = [
    ("M100 50L120 50L100 55", Stroke(6), (99.272, 47)),
    ("M100 50L120 50L100 55", Stroke(6, join="round"), (99.272, 47)),
    ("M100 50L120 50L100 55", Stroke(6, cap="round"), (97, 47)),
    ("M100 50L120 50L100 55", Stroke(6, cap="square"), (96.362, 47)),
    ("M100 50C120 40 140 90 110 80", Stroke(6), (98.658, 45.59)),
    ("M100 50C120 40 140 90 110 80z", Stroke(6), (96.331, 45.59)),
    ("M100 50L120 50L110 80z", Stroke(6), (95.838, 47)),
    ("M100 50z", Stroke(6, cap="round"), (97, 47)),
    ("M100 50h0", Stroke(6, cap="round"), (97, 47)),
    ("M100 50", Stroke(6, cap="round"), (0, 0)),
    ("M100 50h20", Stroke(6), (100, 47)),
    ("M100 50h20", Stroke(0), (100, 50)),
    ("M100 50h20", Stroke(6, cap="square"), (97, 47)),
    ("M100 50 110 50 110 60z", Stroke(4), (95.172, 48)),
    ("M100 50L110 60", Stroke(4), (98.586, 48.586)),
]


@pytest.mark.parametrize(("text", "stroke", "corner"), CORNER)
def test_the_corner_is_that_of_chromium(text: str, stroke: Stroke, corner: tuple[float, float]) -> None:
    box = stroke_bounds(parse_path(text), stroke)
    assert box is not None
    # Of curves Chromium bounds the control points of the outline, which lie a little outside.
    assert box[:2] == pytest.approx(corner, abs=0.1 if "C" in text else 0.01)


def test_a_sharp_mitre_is_cut_off() -> None:
    path = parse_path("M0 0L100 0L0 10")
    assert stroke_bounds(path, Stroke(10, miter_limit=4)) == pytest.approx((-0.498, -5, 100.498, 14.975), abs=0.01)
    sharp = stroke_bounds(path, Stroke(10, miter_limit=100))
    assert sharp is not None
    assert sharp[2] > 150


def test_nothing_to_stroke() -> None:
    assert stroke_bounds(parse_path(""), Stroke(5)) is None
