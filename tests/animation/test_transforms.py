"""Transform syntax, matrices and their decomposition."""

from __future__ import annotations

import math

import numpy as np
import pytest
import tinycss2
from hypothesis import assume, given
from hypothesis import strategies as st

from husky_lint.animation import blending
from husky_lint.animation.matrices import decompose, multiply, multiply_rows, recompose
from husky_lint.animation.transforms import (
    TransformList,
    parse_rotate,
    parse_scale,
    parse_transform,
    parse_transform_attribute,
    parse_translate,
)
from husky_lint.style.values import Resolution

C, S = math.cos(math.radians(30)), math.sin(math.radians(30))


def matrix(text: str, width: float = 200, height: float = 100) -> list[float]:
    value = parse_transform(tinycss2.parse_component_value_list(text), Resolution(font_size=10))
    assert value is not None, text
    return [float(entry) for entry in value.matrix(width, height)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("none", (1, 0, 0, 1, 0, 0)), ("rotate(30deg)", (C, S, -S, C, 0, 0)), ("rotate(0)", (1, 0, 0, 1, 0, 0)),
     ("ROTATE(0.25TURN)", (0, 1, -1, 0, 0, 0)), ("translate(10px)", (1, 0, 0, 1, 10, 0)),
     ("translate(10%, 2em)", (1, 0, 0, 1, 20, 20)), ("translateX(calc(50% - 10px))", (1, 0, 0, 1, 90, 0)),
     ("translateY(min(10px, 50%))", (1, 0, 0, 1, 0, 10)), ("scale(2)", (2, 0, 0, 2, 0, 0)),
     ("scale(200%, -1)", (2, 0, 0, -1, 0, 0)), ("skewX(45deg)", (1, 0, 1, 1, 0, 0)),
     ("skewY(45deg)", (1, 1, 0, 1, 0, 0)),
     ("skew(45deg)", (1, 0, 1, 1, 0, 0)), ("matrix(1, 2, 3, 4, 5, 6)", (1, 2, 3, 4, 5, 6)),
     ("translate(10px, 20px) scale(2, 3)", (2, 0, 0, 3, 10, 20)),
     ("scale(2, 3)/**/translate(10px,20px)", (2, 0, 0, 3, 20, 60)),
     ("rotateX(0deg) rotateY(360deg)", (1, 0, 0, 1, 0, 0)), ("rotateX(180deg) rotateX(180deg)", (1, 0, 0, 1, 0, 0))],
)  # fmt: skip
def test_matrices(text: str, expected: tuple[float, ...]) -> None:
    assert matrix(text) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "text",
    ["", "rotate(45)", "rotate()", "rotate(5deg, 1px, 1px)", "translate(5)", "translate(1px 2px)", "translate(1px,)",
     "translateX(1px, 2px)", "scale(1px)", "scale(1, 2, 3)", "skew(5)", "skewX(5deg, 5deg)", "matrix(1, 2, 3, 4, 5)",
     "matrix(1, 0, 0, 1, 5px, 0)", "none rotate(5deg)", "rotate(5deg),scale(2)", "spin(5deg)", "rotate(-var(--x))",
     "translateZ(5%)", "translate3d(1px, 2px, 5%)", "perspective(-5px)"],
)  # fmt: skip
def test_invalid(text: str) -> None:
    assert parse_transform(tinycss2.parse_component_value_list(text)) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    # As Chromium 156 answers; None where it drops the whole attribute.
    [("", (1, 0, 0, 1, 0, 0)), ("rotate(90 10 20)", (0, 1, -1, 0, 30, 10)), ("rotate(45,10)", None),
     ("translate(10)", (1, 0, 0, 1, 10, 0)), ("translate(10,20) foo(1)", None), ("translate(10) rotate(30", None),
     ("translate(10),rotate(90)", (0, 1, -1, 0, 10, 0)), ("translate(10),,rotate(30)", None), (",translate(10)", None),
     ("translate(10),", None), ("translate(1e1 2E-1)", (1, 0, 0, 1, 10, 0.2)),
     ("translate(10-20)", (1, 0, 0, 1, 10, -20)),
     ("translate(.5.5)", (1, 0, 0, 1, 0.5, 0.5)), ("scale(2)", (2, 0, 0, 2, 0, 0)), ("skewX(10 20)", None),
     ("matrix(1 0 0 1 5 6)", (1, 0, 0, 1, 5, 6)), ("matrix(1 0 0 1 5)", None), ("translate (10)", (1, 0, 0, 1, 10, 0)),
     ("TRANSLATE(10)", None), ("rotate(45deg)", None), ("translate(10px)", None), ("translate(10%)", None),
     ("translate(10 20 30)", None), ("rotate(45) garbage", None), ("translate()", None), ("none", None),
     ("translate(5)scale(4)", (4, 0, 0, 4, 5, 0)), ("translate( 5 , 6 )", (1, 0, 0, 1, 5, 6)), ("translate(5,)", None),
     ("translateX(5)", None), ("translate(+5)", (1, 0, 0, 1, 5, 0)), ("translate(5.)", None), ("translate(1e)", None),
     ("translate(1e400)", None), ("/**/translate(5)", None), ("rotate(45 10 20 30)", None)],
)  # fmt: skip
def test_attribute(text: str, expected: tuple[float, ...] | None) -> None:
    value = parse_transform_attribute(text)
    if expected is None:
        assert value is None
    else:
        assert value is not None
        assert value.matrix().tolist() == pytest.approx(expected, abs=1e-12)


def test_a_long_attribute_ends() -> None:
    value = parse_transform_attribute("translate(1)" * 100_000)
    assert value is not None
    assert value.unknown is not None
    assert value.unknown.reason == "limit"
    assert np.isnan(value.matrix()).all()
    assert parse_transform_attribute("translate(" + "1 " * 100_000 + ")") is None
    assert parse_transform_attribute("(" * 100_000) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [("none", (0, 0)), ("5px", (5, 0)), ("5px 10%", (5, 10)), ("5px 6px 0", (5, 6)), ("", None), ("5", None),
     ("5px 6px 7%", None)],
)  # fmt: skip
def test_translate(text: str, expected: tuple[float, float] | None) -> None:
    value = parse_translate(tinycss2.parse_component_value_list(text))
    if expected is None:
        assert value is None
    else:
        assert value is not None
        assert value.matrix(200, 100)[4:].tolist() == list(expected)


@pytest.mark.parametrize(("text", "degrees"), [
    ("none", 0), ("90deg", 90), ("z 90deg", 90), ("90deg z", 90), ("0 0 -1 90deg", -90), ("90", None),
     ("90deg 90deg", None),
    ("x y 90deg", None), ("0 0 90deg", None),
])  # fmt: skip
def test_rotate(text: str, degrees: float | None) -> None:
    value = parse_rotate(tinycss2.parse_component_value_list(text))
    if degrees is None:
        assert value is None
    else:
        assert value is not None
        assert math.degrees(math.atan2(*value.matrix()[[1, 0]])) == pytest.approx(degrees)


@pytest.mark.parametrize(("text", "expected"), [
    ("none", (1, 1)), ("2", (2, 2)), ("2 50%", (2, 0.5)), ("2 3 1", (2, 3)), ("", None), ("2px", None),
     ("1 2 3 4", None),
])  # fmt: skip
def test_scale(text: str, expected: tuple[float, float] | None) -> None:
    value = parse_scale(tinycss2.parse_component_value_list(text))
    assert (value is None) == (expected is None)
    if value is not None and expected is not None:
        assert value.matrix()[[0, 3]].tolist() == list(expected)


entry = st.floats(-50, 50).map(lambda number: round(number, 3))


@given(st.tuples(*[entry] * 6))
def test_decomposition_is_undone_by_recomposition(entries: tuple[float, ...]) -> None:
    a, b, c, d, e, f = entries
    assume(abs(a * d - b * c) > 1e-3)
    parts, singular = decompose((a, b, c, d, e, f))
    assert not singular
    assert [float(value) for value in recompose(parts)] == pytest.approx(list(entries), abs=1e-6, rel=1e-6)


@given(st.tuples(*[entry] * 6), st.tuples(*[entry] * 6))
def test_rows_multiply_as_tuples_do(m: tuple[float, ...], n: tuple[float, ...]) -> None:
    assert multiply_rows(np.array(m), np.array(n)) == pytest.approx(np.array(multiply(m, n)))  # type: ignore[arg-type]


def _list(text: str) -> TransformList:
    value = parse_transform(tinycss2.parse_component_value_list(text))
    assert value is not None
    return value


@pytest.mark.parametrize(
    ("start", "end", "middle"),
    # As Chromium 156 computes them, at a quarter of the way.
    [("skewX(45deg)", "skew(0deg, 45deg)", (1.08235, 0.215293, 0.728164, 1.08977, 0, 0)),
     ("matrix(-1,0,0,1,0,0)", "matrix(1,0,0,1,0,0)", (-0.5, 0, 0, 1, 0, 0)),
     ("matrix(0,1,1,0,0,0)", "none", (0.382683, 0.92388, 0.46194, -0.191342, 0, 0)),
     ("matrix(2,1,-3,4,5,6)", "matrix(-1,2,3,1,0,0)", (1.11522, 0.0792563, -0.766011, 4.42898, 3.75, 4.5)),
     ("rotate(30deg) scale(2)", "translate(10px) scale(3)", (2.07873, 0.861038, -0.861038, 2.07873, 2.5, 0)),
     ("translate(50%) scale(2)", "scale(3) translate(10px)", (2.25, 0, 0, 2.25, 45, 0)),
     ("rotate3d(0,0,-1,40deg)", "rotate(20deg)", (0.906308, -0.422618, 0.422618, 0.906308, 0, 0)),
     ("matrix(-2,0.5,1,2,0,0)", "matrix(-1,0.1,0,-1,0,0)", (-0.706119, 1.08545, 1.7265, 0.804418, 0, 0))],
)  # fmt: skip
def test_interpolation(start: str, end: str, middle: tuple[float, ...]) -> None:
    value = blending.interpolate(_list(start), _list(end), np.array([0.25]), 100.0, 100.0)
    assert value is not None
    assert value.matrix(100.0, 100.0).ravel().tolist() == pytest.approx(middle, abs=1e-4)


@pytest.mark.parametrize(
    ("start", "end"),
    [("rotate(10deg) translate(0)", "scale(0) rotate(300deg)"), ("matrix(1,1,1,1,0,0)", "none"),
     ("translateX(10px) scaleX(0)", "translateX(30px) rotate(20deg)")],
)  # fmt: skip
def test_singular_lists_flip(start: str, end: str) -> None:
    assert blending.interpolate(_list(start), _list(end), np.array([0.25])) is None


@pytest.mark.parametrize(
    ("underlying", "value", "expected"),
    [("skewX(45deg)", "skewY(45deg)", (1, 1, 0.5, 1.5, 0, 0)), ("scale(2)", "translate(10px)", (2, 0, 0, 2, 10, 0)),
     ("rotate(30deg) scale(2)", "translate(10px)", (1.73205, 1, -1, 1.73205, 10, 0)),
     ("matrix(2,1,-3,4,5,6)", "matrix(-1,2,3,1,0,0)", (-0.8, 0.6, 4.01017, 5.80468, 5, 6)),
     ("translate(5px)", "translate(10px) rotate(20deg)", (0.939693, 0.34202, -0.34202, 0.939693, 15, 0)),
     ("matrix(-1,0,0,1,0,0)", "matrix(1,0,0,-1,0,0)", (-1, 0, 0, -1, 0, 0))],
)  # fmt: skip
def test_accumulation(underlying: str, value: str, expected: tuple[float, ...]) -> None:
    result = blending.accumulate(_list(underlying), _list(value))
    assert result.matrix().tolist() == pytest.approx(expected, abs=1e-4)
