"""Path data: the grammar with its error handling, exact bounds, outlines."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from husky_lint.scene.paths import arc_segment, flatten, parse_numbers, parse_path

# What Chromium 156 answers for getBBox: x, y, width, height.
CHROMIUM = {
    "M10 10": (10, 10, 0, 0),
    "M10 10L20 20M100 100": (10, 10, 10, 10),
    "M100 100M10 10L20 20": (10, 10, 10, 10),
    "M10 10L50 50M200 100M0 0": (10, 10, 40, 40),
    "M100 100 M10 10": (10, 10, 0, 0),
    "M100 100M10 10Q20 20 30 10": (10, 10, 20, 5),
    "M10 10Q20 20 30 10M100 100M50 50": (10, 10, 40, 40),
    "M10 10Q20 20 30 10M100 100M5 5L6 6": (5, 5, 25, 10),
    "M10 10A5 5 0 0 1 30 10M100 100": (10, 0, 90, 100),
    "M10 10A0 5 0 0 1 30 10M100 100": (10, 10, 20, 0),
    "M10 10z": (10, 10, 0, 0),
    "M100 100z M10 10L20 20": (10, 10, 90, 90),
    "M10 10Q20 20 30 10 M 100 100 z M 200 100 z": (10, 10, 190, 90),
    "M10 10L30 30 z l5 -9": (10, 1, 20, 29),
    "M10 10ZZL20 20": (10, 10, 10, 10),
    "M10 10Lz": (10, 10, 0, 0),
    "M10 10L20 20L30,foo L50 50": (10, 10, 10, 10),
    "M10 10L20 20 z 5 5": (10, 10, 10, 10),
    "M10 10,L20 20,": (10, 10, 10, 10),
    "M10 10L20 20,,30 30": (10, 10, 10, 10),
    "M10 10L20 20 L5. 5": (10, 10, 10, 10),
    "M10 10L20 20 L5 5.": (10, 10, 10, 10),
    "M10 10L20 20 L5e 5": (10, 10, 10, 10),
    "M10 10 20 20 30": (10, 10, 10, 10),
    "m10 10 20 20m5 5 1 1": (10, 10, 26, 26),
    "M10 10L1e400 20": (10, 10, 0, 0),
    "M10,10\u00a0L20 20": (10, 10, 0, 0),
    "M10 10Xq": (10, 10, 0, 0),
    "  M10 10h10": (10, 10, 10, 0),
    "M10 10h10 #": (10, 10, 10, 0),
    "M10 10 A0 5 0 0 1 40 50": (10, 10, 30, 40),
    "M10 10 A-20 5 0 0 1 40 50": (10, 9.651, 96.394, 40.349),
    "M10 10 A5 5 0 2 1 40 50": (10, 10, 0, 0),
    "M10 10 A5 5 0 1,1,40 50,5 5 0 01 3-2": (-10.41, -2, 60.41, 57.91),
    "M10 10 A5 5 0 0 1 10 10L20 20": (10, 10, 10, 10),
    "M10 10a5 5 0 0110 3": (10, 6.28, 10.22, 6.72),
    "M10 315L110 215A30 50 0 0 1 162.55 162.45L172.55 152.45A30 50 -45 0 1 215.1 109.9": (10, 89.824, 205.1, 225.176),
    "M10 10T20 20T30 5": (10, 5, 20, 17.857),
    "M10 10S20 50 30 5 60 60 70 5": (10, -7.009, 60, 33.393),
    "M10 10 C 0 100 200 -100 100 50 ": (9.636, -7.807, 118.445, 57.807),
}


@pytest.mark.parametrize(("text", "box"), CHROMIUM.items())
def test_bounds_are_those_of_chromium(text: str, box: tuple[float, float, float, float]) -> None:
    bounds = parse_path(text).bounds
    assert bounds is not None
    left, top, right, bottom = bounds
    assert (left, top, right - left, bottom - top) == pytest.approx(box, abs=6e-4)


@pytest.mark.parametrize("text", ["", "  ", "none", "L10 10", "M,10 10L20 20", "M1e39 10L50 50", "10 10"])
def test_nothing_is_drawn(text: str) -> None:
    assert parse_path(text).is_empty
    assert parse_path(text).bounds is None


def test_the_error_is_placed() -> None:
    assert parse_path("M10 10L20 20").error is None
    assert parse_path("M10 10 L20 20 30").error == len("M10 10 L20 20 30")
    assert parse_path("M10 10 A5 5 0 2 1 40 50").error == "M10 10 A5 5 0 2 1 40 50".index("2 1")
    assert parse_path("M0 0 X").error == 5


def test_a_command_after_close_starts_a_subpath_where_the_last_one_started() -> None:
    path = parse_path("M5 6 l10 0 0 10z l1 1")
    assert [(subpath.start, subpath.closed, len(subpath.segments)) for subpath in path.subpaths] == [
        ((5, 6), True, 2),
        ((5, 6), False, 1),
    ]


def test_numbers_take_one_comma() -> None:
    assert parse_numbers("1-2.5.5 , 3e1") == ([1, -2.5, 0.5, 30], None)
    assert parse_numbers("1,,2") == ([1], 2)
    assert parse_numbers("1 2x") == ([1, 2], 3)


coordinates = st.floats(-500, 500, allow_nan=False, width=32)
letters = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}


@st.composite
def path_texts(draw: st.DrawFn) -> str:
    parts = [f"M{draw(coordinates)} {draw(coordinates)}"]
    for letter in draw(st.lists(st.sampled_from("MLHVCSQTAZmlhvcsqtaz"), min_size=1, max_size=8)):
        arity = letters[letter.upper()]
        if arity == 7:
            radii = [draw(st.floats(0, 200, width=32)) for _ in range(2)]
            flags = [draw(st.sampled_from("01")) for _ in range(2)]
            x, y, rotation = (draw(coordinates) for _ in range(3))
            parts.append(f"{letter}{radii[0]} {radii[1]} {rotation} {''.join(flags)}{x} {y}")
        else:
            parts.append(letter + " ".join(str(draw(coordinates)) for _ in range(arity)))
    return "".join(parts)


@settings(deadline=None)
@given(path_texts())
def test_bounds_touch_the_outline(text: str) -> None:
    path = parse_path(text)
    assert path.error is None
    # A move-to draws nothing: only what has segments, or is closed, is in the bounds.
    lines = [
        line
        for line, subpath in zip(flatten(path, 0.001), path.subpaths, strict=True)
        if subpath.segments or subpath.closed
    ]
    lines += [np.array([point]) for point in path.loose_points()]
    if lines:
        points = np.concatenate(lines)
        assert path.bounds == pytest.approx((*points.min(axis=0), *points.max(axis=0)), abs=0.0021)


@settings(deadline=None)
@given(st.text(alphabet="MmLlAaZzCcHhQqSsTtVv0123456789.,-+eE \n#x"))
def test_any_text_is_read(text: str) -> None:
    path = parse_path(text)
    assert all(line.shape[1] == 2 for line in flatten(path, 1.0))
    if path.bounds is not None:
        assert all(math.isfinite(number) for number in path.bounds)


@settings(deadline=None)
@given(
    coordinates, coordinates, st.floats(1, 200), st.floats(1, 200), st.floats(-400, 400), st.booleans(), st.booleans()
)
def test_an_arc_ends_where_it_should(
    x: float, y: float, rx: float, ry: float, rotation: float, large: bool, sweep: bool
) -> None:
    segment = arc_segment(0, 0, rx, ry, rotation, large, sweep, x, y)
    if segment is None or len(segment) == 4:
        return
    center_x, center_y, used_rx, used_ry, phi, start, turn = segment[4:]
    assert turn >= 0 if sweep else turn <= 0
    for angle, expected in ((start, (0, 0)), (start + turn, (x, y))):
        u, v = used_rx * math.cos(angle), used_ry * math.sin(angle)
        point = (center_x + math.cos(phi) * u - math.sin(phi) * v, center_y + math.sin(phi) * u + math.cos(phi) * v)
        assert point == pytest.approx(expected, abs=1e-6 * max(used_rx, used_ry, 1))
