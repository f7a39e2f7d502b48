"""The level-by-level evaluator against a plain recursive one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from husky_lint.scene.boxes import Evaluator, Part
from husky_lint.scene.geometry import Bounds

TIMES = 3
numbers = st.floats(-50, 50, allow_nan=False, width=32)
lengths = st.one_of(numbers, st.lists(numbers, min_size=TIMES, max_size=TIMES).map(np.array))
matrices = st.one_of(
    st.none(),
    st.lists(st.floats(-2, 2, width=32), min_size=6, max_size=6).map(np.array),
    st.lists(st.lists(st.floats(-2, 2, width=32), min_size=6, max_size=6), min_size=TIMES, max_size=TIMES).map(
        np.array
    ),
)


@dataclass
class AboutCorner:
    """Scales by two about a corner of the box."""

    by_stroke: bool = False

    def matrix(self, box: np.ndarray) -> np.ndarray:
        rows = np.zeros((box.shape[1], 6))
        rows[:, 0] = rows[:, 3] = 2
        rows[:, 4], rows[:, 5] = -box[0], -box[1]
        return rows


@st.composite
def bounds(draw: st.DrawFn) -> Bounds:
    left, top = draw(lengths), draw(lengths)
    width, height = draw(st.floats(0, 20)), draw(st.floats(0, 20))
    return Bounds(left, top, left + width, top + height, counts=draw(st.booleans()))


@st.composite
def scenes(draw: st.DrawFn) -> tuple[list[Part], list[int]]:
    parts, levels, above = [Part(-1)], [0, 1], [0]
    for _ in range(draw(st.integers(1, 4))):
        here = []
        for parent in above:
            for _ in range(draw(st.integers(0, 3))):
                here.append(len(parts))
                leaf = draw(st.booleans())
                pivot = AboutCorner() if draw(st.integers(0, 4)) == 0 else None
                matrix = None if pivot else draw(matrices)
                parts.append(Part(parent, draw(bounds()) if leaf else None, matrix, pivot))
        if not here:
            break
        levels.append(len(parts))
        above = [index for index in here if parts[index].bounds is None]
    return parts, levels


def corners(box: list[float], m: np.ndarray) -> list[float]:
    points = [(m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]) for x in box[::2] for y in box[1::2]]
    return [min(p[0] for p in points), min(p[1] for p in points), max(p[0] for p in points), max(p[1] for p in points)]


def plain(parts: list[Part], t: int) -> list[list[float]]:
    """Boxes in the scene's space at one time."""

    def at(value: float | np.ndarray) -> float:
        return float(value[t]) if isinstance(value, np.ndarray) else value

    own: dict[int, tuple[list[float], bool]] = {}
    matrix: dict[int, np.ndarray] = {}
    for index in reversed(range(len(parts))):
        part = parts[index]
        if part.bounds is not None:
            b = part.bounds
            own[index] = [at(b.left), at(b.top), at(b.right), at(b.bottom)], bool(b.counts)
        else:
            inner = [
                corners(own[child][0], matrix[child])
                for child in range(len(parts))
                if parts[child].parent == index and own[child][1]
            ]
            box = [f(column) for f, column in zip((min, min, max, max), zip(*inner, strict=True), strict=False)]
            own[index] = (box, True) if inner else ([0.0] * 4, False)
        if part.pivot is not None:
            matrix[index] = part.pivot.matrix(np.array(own[index][0])[:, None])[0]
        elif part.matrix is not None:
            matrix[index] = part.matrix[t] if part.matrix.ndim == 2 else part.matrix
        else:
            matrix[index] = np.array([1.0, 0, 0, 1, 0, 0])
    whole: dict[int, np.ndarray] = {}
    for index, part in enumerate(parts):
        m = np.array([[matrix[index][0], matrix[index][2], matrix[index][4]], [*matrix[index][1::2]], [0, 0, 1]])
        whole[index] = m if part.parent < 0 else whole[part.parent] @ m
    result = []
    for index in range(len(parts)):
        w = whole[index]
        left, top, right, bottom = corners(
            own[index][0], np.array([w[0, 0], w[1, 0], w[0, 1], w[1, 1], w[0, 2], w[1, 2]])
        )
        result.append([left, top, right - left, bottom - top])
    return result


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(scenes())
def test_boxes_equal_those_of_a_plain_evaluation(scene: tuple[list[Part], list[int]]) -> None:
    parts, levels = scene
    found = Evaluator(parts, levels, TIMES).boxes()
    for t in range(TIMES):
        assert found[:, t].tolist() == [pytest.approx(box, abs=1e-6, rel=1e-9) for box in plain(parts, t)]


def test_what_cannot_be_told_spreads_to_the_groups_around_and_to_what_it_moves() -> None:
    unknown = np.full(6, np.nan)
    box = Bounds(1.0, 1.0, 2.0, 2.0)
    parts = [
        Part(-1),
        Part(0),  # a group with a text
        Part(0),  # a group moved in an unknown way
        Part(0),  # a group apart
        Part(1, Bounds(np.nan, np.nan, np.nan, np.nan)),
        Part(1, box),
        Part(2, box, unknown),
        Part(3, box),
    ]
    found = np.isnan(Evaluator(parts, [0, 1, 4, 8], 1).boxes()[:, 0]).all(axis=1)
    assert found.tolist() == [True, True, True, False, True, False, True, False]


def test_the_pivot_of_a_group_may_refer_to_the_strokes_of_what_it_holds() -> None:
    parts = [
        Part(-1),
        Part(0, pivot=AboutCorner(by_stroke=True)),
        Part(1, Bounds(10.0, 10.0, 20.0, 20.0), np.array([1.0, 0, 0, 1, 5, 0]), stroke=Bounds(9.0, 8.0, 21.0, 22.0)),
    ]
    # The corner is (14, 8): 15 goes to 16, 10 to 12.
    assert Evaluator(parts, [0, 1, 2, 3], 2).boxes()[2].tolist() == [[16, 12, 20, 20]] * 2
