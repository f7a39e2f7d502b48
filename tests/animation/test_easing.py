"""Easing functions: the specification's examples, properties of curves, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import tinycss2
from hypothesis import given
from hypothesis import strategies as st

from husky_lint.animation.easing import CubicBezier, Easing, EasingSequence, LinearEasing, Steps, parse_easing


def easing(text: str):  # type: ignore[no-untyped-def]
    found = parse_easing(tinycss2.parse_component_value_list(text))
    assert found is not None, text
    return found


def at(text: str, *progress: float, before: bool = False) -> list[float]:
    return [float(value) for value in easing(text)(np.array(progress), before)]


@pytest.mark.parametrize(
    ("text", "curve"),
    [("ease", (0.25, 0.1, 0.25, 1)), ("ease-in", (0.42, 0, 1, 1)), ("ease-out", (0, 0, 0.58, 1)),
     ("ease-in-out", (0.42, 0, 0.58, 1)), ("cubic-bezier(0, 2, 1, calc(-1 * 3))", (0, 2, 1, -3))],
)  # fmt: skip
def test_curves(text: str, curve: tuple[float, ...]) -> None:
    assert easing(text) == CubicBezier(*map(float, curve))


@pytest.mark.parametrize(
    ("text", "values"),
    # At 0, just below and at each third, and 1.
    [("steps(3)", [0, 0, 1 / 3, 1 / 3, 2 / 3, 1]), ("steps(3, jump-start)", [1 / 3, 1 / 3, 2 / 3, 2 / 3, 1, 1]),
     ("steps(3, jump-none)", [0, 0, 0.5, 0.5, 1, 1]), ("steps(3, jump-both)", [0.25, 0.25, 0.5, 0.5, 0.75, 1]),
     ("step-start", [1, 1, 1, 1, 1, 1]), ("step-end", [0, 0, 0, 0, 0, 1]), ("steps(1, start)", [1, 1, 1, 1, 1, 1])],
)  # fmt: skip
def test_steps(text: str, values: list[float]) -> None:
    assert at(text, 0, 0.3333, 1 / 3, 0.6666, 2 / 3, 1) == pytest.approx(values)


def test_steps_outside() -> None:
    assert at("steps(2)", -0.4, 1.4) == [-0.5, 1]
    assert at("steps(2, start)", -0.4, 1.6) == [0, 2]


def test_the_before_flag_holds_a_step_back() -> None:
    assert at("steps(2, start)", 0.0, 0.25, 0.5, before=True) == [0, 0.5, 0.5]
    assert at("steps(2, end)", 0.5, 1.0, before=True) == [0, 0.5]


@pytest.mark.parametrize(
    ("text", "points"),
    # CSS Easing 2, section 2.2.2, example 1 and the canonicalisation of section 2.2.3
    [("linear(0, 0.25, 1)", [(0, 0), (0.5, 0.25), (1, 1)]),
     ("linear(0, 0.25 25% 75%, 1)", [(0, 0), (0.25, 0.25), (0.75, 0.25), (1, 1)]),
     ("linear(0, 0.5 50%, 0.2 20%, 1)", [(0, 0), (0.5, 0.5), (0.5, 0.2), (1, 1)]),
     ("linear(0 20%, 0.5, 1, 2 80%)", [(0.2, 0), (0.4, 0.5), (0.6, 1), (0.8, 2)]),
     ("linear(10% 0, 1 40% 60%)", [(0.1, 0), (0.4, 1), (0.6, 1)]),
     ("linear(0 120%, 1)", [(1.2, 0), (1.2, 1)]),
     ("linear(0, 1 50%, 2, 3)", [(0, 0), (0.5, 1), (0.75, 2), (1, 3)])],
)  # fmt: skip
def test_linear_points(text: str, points: list[tuple[float, float]]) -> None:
    found = easing(text)
    assert isinstance(found, LinearEasing)
    assert np.array(found.points) == pytest.approx(np.array(points))


def test_linear_values() -> None:
    assert at("linear(0, 0.25, 1)", 0, 0.25, 0.5, 0.75, 1, -0.5, 1.5) == pytest.approx(
        [0, 0.125, 0.25, 0.625, 1, -0.25, 1.75]
    )
    assert at("linear(0, 1 50%, 0 50%, 1)", 0.499999, 0.5, 0.75) == pytest.approx([1, 0, 0.5], abs=1e-4)
    assert LinearEasing(((0.0, 0.7),))(np.array([-1.0, 0.5, 2.0])).tolist() == [0.7, 0.7, 0.7]
    assert easing("linear").is_linear
    assert easing("cubic-bezier(0.3, 0.3, 0.8, 0.8)").is_linear
    assert easing("linear(0, 1)").is_linear
    assert not easing("linear(0, .4 50%, 1)").is_linear


@pytest.mark.parametrize(
    "text",
    ["", "eas", "linear()", "linear(0 1)", "linear(0 1% 2% 3%)", "linear(1%, 2)", "linear(0,,1)", "linear(0 1px)",
     "cubic-bezier(1, 2, 3)", "cubic-bezier(-0.1, 0, 0, 0)", "cubic-bezier(0, 0, 1.1, 0)", "cubic-bezier(0 0 0 0)",
     "steps()", "steps(0)", "steps(-1)", "steps(1.5)", "steps(1, jump-none)", "steps(2, middle)", "steps(2, start end)",
     "ease ease", "steps(2, var(--x))", "1", "linear(0.7)"],
)  # fmt: skip
def test_invalid(text: str) -> None:
    assert parse_easing(tinycss2.parse_component_value_list(text)) is None


@pytest.mark.parametrize("text", ["linear(calc(NaN), 1)", "cubic-bezier(0, 1e400, 1, -1e400)", "steps(999999999999)"])
def test_huge_numbers_stay_numbers(text: str) -> None:
    found = parse_easing(tinycss2.parse_component_value_list(text))
    if found is not None:
        assert np.isfinite(found(np.linspace(0, 1, 9))).all()


unit = st.floats(0, 1)
height = st.floats(-3, 3)


@given(unit, height, unit, height, st.lists(unit, min_size=1, max_size=20))
def test_a_curve_is_solved_exactly(x1: float, y1: float, x2: float, y2: float, progress: list[float]) -> None:
    """The point of the result lies on the curve: some t gives both the progress and the result."""
    curve = CubicBezier(x1, y1, x2, y2)
    results = curve(np.array(progress))
    for x, y in zip(progress, results.tolist(), strict=True):
        low, high = 0.0, 1.0
        for _ in range(80):
            middle = (low + high) / 2
            if 3 * middle * (1 - middle) ** 2 * x1 + 3 * middle**2 * (1 - middle) * x2 + middle**3 < x:
                low = middle
            else:
                high = middle
        t = (low + high) / 2
        expected = 3 * t * (1 - t) ** 2 * y1 + 3 * t**2 * (1 - t) * y2 + t**3
        slope = 3 * (1 - t) ** 2 * x1 + 6 * t * (1 - t) * (x2 - x1) + 3 * t**2 * (1 - x2)
        # Where the curve is vertical, x says little of t; y is as sure as its slope lets it be.
        assert y == pytest.approx(expected, abs=1e-9 if slope > 1e-3 else 1e-3)


@given(unit, height, unit, height)
def test_a_curve_goes_from_corner_to_corner(x1: float, y1: float, x2: float, y2: float) -> None:
    assert CubicBezier(x1, y1, x2, y2)(np.array([0.0, 1.0])) == pytest.approx([0, 1], abs=1e-9)


def test_extrapolation_follows_the_tangents() -> None:
    assert at("cubic-bezier(0.5, 1, 0.5, 1)", -1, 2) == pytest.approx([-2, 1])
    assert at("cubic-bezier(0, 0, 0.5, 1)", -1) == pytest.approx([-2])
    assert at("cubic-bezier(0, 0.5, 1, 0.5)", -1, 2) == pytest.approx([0, 1])
    assert at("cubic-bezier(0, 0, 0, 0)", -1) == pytest.approx([-1])


def test_a_sequence_is_each_function_in_its_interval() -> None:
    functions: list[Easing] = [
        CubicBezier(0.1, -1, 0.9, 2),
        Steps(3, True, False),
        LinearEasing(),
        CubicBezier(0, 0, 1, 1),
        LinearEasing(((0.0, 0.0), (0.3, 2.0), (1.0, 1.0))),
        CubicBezier(0.42, 0, 1, 1),
    ]
    progress = np.tile(np.linspace(0, 1, 21), len(functions))
    interval = np.repeat(np.arange(len(functions)), 21)
    together = EasingSequence(functions)(interval, progress)
    apart = np.concatenate([function(np.linspace(0, 1, 21)) for function in functions])
    assert together == pytest.approx(apart, abs=1e-9)
