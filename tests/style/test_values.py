"""Typed values: units, math functions, percentages that wait for their reference."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import tinycss2
from hypothesis import given, settings
from hypothesis import strategies as st

from husky_lint.style import values
from husky_lint.style.values import (
    LengthPercentage,
    Resolution,
    parse_angle,
    parse_integer,
    parse_length,
    parse_length_percentage,
    parse_number,
    parse_number_or_percentage,
    parse_percentage,
    parse_time,
    serialize,
    split_commas,
    split_spaces,
    strip_whitespace,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page


def tokens(text: str) -> list[Any]:
    return list(tinycss2.parse_component_value_list(text))


def length(text: str, reference: float = 200.0, **options: Any) -> float | None:
    value = parse_length_percentage(tokens(text), **options)
    return None if value is None else value.resolve(reference)


@pytest.mark.parametrize(
    ("text", "pixels"),
    [
        *[("12.5px", 12.5), ("1in", 96), ("2.54cm", 96), ("25.4mm", 96), ("101.6Q", 96), ("72pt", 96), ("6pc", 96)],
        *[("2em", 32), ("2REM", 32), ("10vw", 128), ("10vh", 72), ("10vmin", 72), ("10vmax", 128), ("10dvh", 72)],
        *[("10svi", 128), ("10lvb", 72), ("10cqw", 128), ("10cqmin", 72), ("0", 0), ("-0", 0), (" /**/ 3px ", 3)],
        *[("50%", 100), ("-5%", -10), ("1e1px", 10), ("+.5px", 0.5)],
    ],
)
def test_lengths(text: str, pixels: float) -> None:
    assert length(text) == pytest.approx(pixels)


@pytest.mark.parametrize(
    "text", ["5", "5deg", "", "5px 5px", "5ch", "1lh", "1ex", "px", "'5px'", "#5", "5vx", "5sv", "5l"]
)
def test_not_a_length_or_not_known(text: str) -> None:
    assert length(text) is None


def test_units_refer_to_the_resolution() -> None:
    resolution = Resolution(font_size=10, root_font_size=20, line_height=15, container_width=300, container_height=50)
    for text, pixels in (("2em", 20), ("2rem", 40), ("2lh", 30), ("10cqw", 30), ("10cqmin", 5), ("10vw", 128)):
        assert parse_length(tokens(text), resolution) == pytest.approx(pixels)


def test_unitless_lengths_where_the_property_takes_them() -> None:
    assert length("5", unitless=True) == 5
    assert length("calc(2 * 3)", unitless=True) == 6
    assert length("calc(2 * 3)") is None
    assert parse_length(tokens("calc(50%)"), unitless=True) is None


@pytest.mark.parametrize(
    ("text", "degrees"),
    [
        *[("90deg", 90), ("100grad", 90), ("0.25turn", 90), ("3.14159265rad", 180), ("0", 0), ("calc(1turn / 4)", 90)],
        *[("atan2(1, 1)", 45), ("asin(1)", 90), ("acos(-1)", 180), ("atan(infinity)", 90), ("calc(1deg + 1turn)", 361)],
    ],
)
def test_angles(text: str, degrees: float) -> None:
    assert parse_angle(tokens(text)) == pytest.approx(degrees)


@pytest.mark.parametrize("text", ["45", "calc(45)", "calc(0)", "1px", "calc(1deg + 1)", "asin(1deg)"])
def test_not_an_angle(text: str) -> None:
    assert parse_angle(tokens(text)) is None


def test_a_plain_zero_is_an_angle_only_where_it_may_be() -> None:
    assert parse_angle(tokens("0"), unitless_zero=False) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1.5s", 1.5), ("-200ms", -0.2), ("calc(1s * -0.25)", -0.25), ("calc(2s - 500ms)", 1.5), ("mod(-1s, .4s)", 0.2)],
)
def test_times(text: str, seconds: float) -> None:
    assert parse_time(tokens(text)) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["0", "1", "1px", "calc(1s + 1)", "calc(1s * 1s)", "calc(1s/1s)"])
def test_not_a_time(text: str) -> None:
    assert parse_time(tokens(text)) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *[("1.5", 1.5), ("calc(pi)", math.pi), ("calc(E)", math.e), ("calc(2 * (3 + 4))", 14), ("calc(2*-1)", -2)],
        *[("calc(8 / 2 / 2)", 2), ("calc(1 - 2 - 3)", -4), ("calc(10px * 4s / (2px * 1s))", 20), ("calc(1 - -2)", 3)],
        *[("sin(90deg)", 1), ("sin(0.5turn)", 0), ("cos(pi)", -1), ("tan(45deg)", 1), ("cos(90deg)", 0)],
        *[("pow(2, 10)", 1024), ("sqrt(16)", 4), ("hypot(3, 4)", 5), ("log(8, 2)", 3), ("log(e)", 1), ("exp(0)", 1)],
        *[("abs(-3)", 3), ("sign(-3px)", -1), ("sign(0)", 0), ("min(3, 1, 2)", 1), ("max(3)", 3)],
        *[("clamp(1, 5, 3)", 3), ("clamp(5, 1, 3)", 5), ("clamp(none, 5, 3)", 3), ("clamp(1, 0, none)", 1)],
        *[("mod(5, 3)", 2), ("mod(-5, 3)", 1), ("mod(5, -3)", -1), ("rem(-5, 3)", -2), ("rem(5, -3)", 2)],
        *[("round(2.5)", 3), ("round(-2.5)", -2), ("round(17, 5)", 15), ("round(up, 11, 5)", 15)],
        *[("round(down, -11, 5)", -15), ("round(to-zero, -11, 5)", -10), ("round(nearest, 12.5, 5)", 15)],
        *[("progress(3, 0, 12)", 0.25), ("progress(9, 0, 3)", 1), ("-webkit-calc(1 + 1)", 2), ("calc((((1))))", 1)],
    ],
)
def test_numbers(text: str, number: float) -> None:
    assert parse_number(tokens(text)) == pytest.approx(number)


@pytest.mark.parametrize(
    "text",
    [
        *[
            "calc(1+2)",
            "calc(1 +2)",
            "calc(1+ 2)",
            "calc(1/**/+/**/2)",
            "calc()",
            "calc(1 2)",
            "calc(1 +)",
            "calc(* 1)",
        ],
        *["calc(1px)", "calc(1 + 1px)", "calc(1px * 1px)", "calc(1 / 1px)", "min()", "min(1,)", "clamp(1, 2)"],
        *["round(1px)", "round(sideways, 1, 2)", "mod(1)", "mod(1, 1px)", "pow(1px, 2)", "sin(1px)", "log(1, 2, 3)"],
        *["calc(-pi)", "calc(pie)", "-calc(1)", "calc(1) 2", "calc(var(--x))", "calc(1%)", "calc(1% / 1%)", "none"],
        *["clamp(1, none, 2)", "calc(1ch / 1px)", "hypot(1, 1px)", "calc([1])", "sign(1%)"],
    ],
)
def test_not_a_number(text: str) -> None:
    assert parse_number(tokens(text)) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *[
            ("calc(1 / 0)", math.inf),
            ("calc(-1 / 0)", -math.inf),
            ("calc(1 / (0 * -1))", -math.inf),
            ("calc(0 / 0)", 0),
        ],
        *[("calc(infinity)", math.inf), ("calc(-infinity)", -math.inf), ("calc(NaN)", 0), ("calc(infinity * 0)", 0)],
        *[("calc(infinity - infinity)", 0), ("exp(10000)", math.inf), ("pow(10, 400)", math.inf)],
        *[("pow(-10, 401)", -math.inf), ("pow(0, -1)", math.inf), ("pow(-1, .5)", 0), ("sqrt(-1)", 0)],
        *[("log(0)", -math.inf), ("log(-1)", 0), ("tan(90deg)", math.inf), ("tan(270deg)", -math.inf)],
        *[("sin(infinity)", 0), ("asin(2) ", None), ("mod(1, 0)", 0), ("mod(infinity, 1)", 0), ("mod(1, infinity)", 1)],
        *[("mod(1, -infinity)", 0), ("rem(1, -infinity)", 1), ("round(1, 0)", 0), ("round(infinity, 2)", math.inf)],
        *[("round(up, 1, infinity)", math.inf), ("round(down, 1, infinity)", 0), ("round(1, infinity)", 0)],
        *[("min(1, NaN)", 0), ("max(NaN, 1)", 0), ("clamp(1, NaN, 2)", 0), ("calc(1 / (1 / infinity))", math.inf)],
        *[("progress(5, 5, 5)", 0), ("calc(1e400)", math.inf), ("hypot(infinity, 1)", math.inf)],
    ],
)
def test_infinities_and_nan(text: str, number: float | None) -> None:
    expected = number
    if number is not None and math.isinf(number):
        expected = math.copysign(values.MAX_NUMBER, number)
    assert parse_number(tokens(text)) == expected


def test_infinite_lengths_angles_and_times_are_the_largest_a_browser_holds() -> None:
    assert length("calc(infinity * 1px)") == values.MAX_LENGTH
    assert length("1e30px") == values.MAX_LENGTH
    assert parse_angle(tokens("calc(-infinity * 1deg)")) == -values.MAX_ANGLE
    assert values.MAX_ANGLE % 360 == 0
    assert parse_time(tokens("calc(infinity * 1s)")) == values.MAX_NUMBER


@pytest.mark.parametrize(
    ("text", "integer"),
    [("3", 3), ("-3", -3), ("+3", 3), ("calc(2.5)", 3), ("calc(-2.5)", -2), ("99999999999", 2**31 - 1), ("2.0", None)],
)
def test_integers(text: str, integer: int | None) -> None:
    assert parse_integer(tokens(text)) == integer


def test_percentages_are_fractions() -> None:
    assert parse_percentage(tokens("50%")) == 0.5
    assert parse_percentage(tokens("calc(50% + 10%)")) == pytest.approx(0.6)
    assert parse_percentage(tokens("0.5")) is None
    assert parse_number_or_percentage(tokens("calc(50% / 100%)")) == 0.5
    assert parse_number_or_percentage(tokens("25%")) == 0.25
    assert parse_number_or_percentage(tokens("2")) == 2


def test_below_the_range_a_literal_is_invalid_and_a_calculation_is_clamped() -> None:
    assert length("-1px", minimum=0) is None
    assert length("-1%", minimum=0) is None
    assert length("calc(-1px)", minimum=0) == 0
    assert length("calc(1px - 50%)", minimum=0) == 0
    assert length("calc(1px - 50%)", reference=1, minimum=0) == 0.5
    assert parse_number(tokens("-1"), minimum=0) is None
    assert parse_number(tokens("calc(-1)"), minimum=0) == 0
    assert parse_time(tokens("-1s"), minimum=0) is None
    assert parse_integer(tokens("0"), minimum=1) is None
    assert parse_integer(tokens("calc(0)"), minimum=1) == 1


@pytest.mark.parametrize(
    ("text", "at_200", "at_0"),
    [
        *[("calc(50% - 10px)", 90, -10), ("min(50%, 30px)", 30, 0), ("max(10%, 1em)", 20, 16)],
        *[("clamp(10px, 25%, 40px)", 40, 10), ("calc(1px * sign(50% - 10px))", 1, -1), ("abs(-50%)", 100, 0)],
        *[("calc(2 * min(50%, 30px) + 10%)", 80, 0), ("round(down, 33%, 10px)", 60, 0), ("hypot(30%, 80px)", 100, 80)],
        *[("calc(min(1px, 2%) * 3 / 2)", 1.5, 0), ("mod(55%, 50px)", 10, 0), ("calc(100px * (50% / 100px))", 100, 0)],
    ],
)
def test_percentages_inside_functions_wait_for_the_reference(text: str, at_200: float, at_0: float) -> None:
    assert length(text, 200) == pytest.approx(at_200)
    assert length(text, 0) == pytest.approx(at_0)


def test_a_simple_sum_stays_linear() -> None:
    assert parse_length_percentage(tokens("calc(2 * (50% - 1em) / 4)")) == LengthPercentage(-8, 0.25)


def test_resolving_an_array_of_references() -> None:
    references = np.array([[0.0, 50.0], [100.0, 200.0]])
    for text in ("calc(10% + 1px)", "min(10%, 10px)", "7px"):
        value = parse_length_percentage(tokens(text))
        assert value is not None
        expected = [[value.resolve(float(r)) for r in row] for row in references]
        np.testing.assert_allclose(value.resolve(references), expected)
        assert value.resolve(references).shape == references.shape


_LENGTHS = st.sampled_from(
    ["0", "10px", "50%", "calc(10% + 3px)", "min(50%, 30px)", "max(5%, 1em)", "calc(1px - min(2%, 3px))", "abs(-7%)"]
)


@given(_LENGTHS, _LENGTHS, st.floats(-3, 3), st.floats(0, 5000))
def test_interpolation_is_exact_with_deferred_parts(start: str, end: str, progress: float, reference: float) -> None:
    a, b = parse_length_percentage(tokens(start)), parse_length_percentage(tokens(end))
    assert a is not None
    assert b is not None
    at = a.resolve(reference) + (b.resolve(reference) - a.resolve(reference)) * progress
    assert a.interpolate(b, progress).resolve(reference) == pytest.approx(at, rel=1e-9, abs=1e-6)
    assert (a + b).resolve(reference) == pytest.approx(a.resolve(reference) + b.resolve(reference), rel=1e-9, abs=1e-6)


def test_what_is_zero_and_fixed() -> None:
    assert LengthPercentage().is_zero
    assert not LengthPercentage(0, 0.5).is_zero
    assert LengthPercentage(3).is_fixed
    assert not LengthPercentage(3, 0.5).is_fixed
    deferred = parse_length_percentage(tokens("min(1%, 1px)"))
    assert deferred is not None
    assert not deferred.is_fixed
    assert not deferred.is_zero


def test_splitting() -> None:
    assert [serialize(part) for part in split_commas(tokens(" a b , c(1,2) ,, d "))] == ["a b", "c(1,2)", "", "d"]
    assert split_commas(tokens("  /**/ ")) == []
    assert serialize(strip_whitespace(tokens(" /* x */ a /* y */ b "))) == "a  b"
    assert [token.type for token in split_spaces(tokens(" a /**/ 1px\n, "))] == ["ident", "dimension", "literal"]


_CSS_TEXT = st.lists(
    st.sampled_from(
        [*"a1.-+%#@!(){}[]<>=~|^$*,:;/\\ \n", "url(x)", "'s'", "px", "--x", "/**/", "fn(", "U+1", "e3", "é"]
    ),
    max_size=24,
).map("".join)


@given(_CSS_TEXT)
@settings(max_examples=300)
def test_serialization_keeps_the_tokens(text: str) -> None:
    first = tokens(text)
    if not any(token.type == "error" for token in _flat(first)):
        assert _shapes(tokens(serialize([token for token in first if token.type != "comment"]))) == _shapes(first)


def _flat(nodes: list[Any]) -> list[Any]:
    result = []
    for node in nodes:
        result.append(node)
        result += _flat(_children(node))
    return result


def _children(node: Any) -> list[Any]:
    children: list[Any] = getattr(node, "arguments", None) or getattr(node, "content", None) or []
    return children


def _shapes(nodes: list[Any]) -> list[Any]:
    """What the nodes mean: without comments, and with white space beside white space as one."""
    shapes: list[Any] = []
    for node in nodes:
        if node.type == "whitespace":
            if not shapes or shapes[-1] != "whitespace":
                shapes.append("whitespace")
        elif node.type != "comment":
            plain = (getattr(node, name, None) for name in ("value", "unit", "name"))
            shapes.append((node.type, *plain, _shapes(_children(node))))
    return shapes


def test_hostile_nesting_is_refused_not_followed() -> None:
    for opening in ("calc(", "(", "min(1px,"):
        deep = tokens("calc(" + opening * 20_000 + "1px" + ")" * 20_001)
        assert parse_length_percentage(deep) is None
        assert len(serialize(deep)) > 40_000
    assert length("calc(" * 50 + "1px" + ")" * 50) == 1


def test_long_sums_are_fine() -> None:
    assert length("calc(0px" + " + 1px" * 20_000 + ")") == 20_000
    assert length(f"min({','.join(['1px'] * 20_000)}, 50%)") == 1


# ---------------------------------------------------------------------------------------------------------------------
# Against Chromium

_STEP = st.sampled_from(["1", "2", "3", "0.5", "10", "-4", "7.25"])
_NUMBERS = st.recursive(
    _STEP,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "/"]), inner),
        st.builds("{}({})".format, st.sampled_from(["sin", "cos", "abs", "sign", "exp"]), inner),
        st.builds(
            "{}({}, {})".format, st.sampled_from(["min", "max", "hypot", "atan2", "mod", "rem"]), inner, inner
        ).map(lambda text: f"({text} / 1rad)" if text.startswith("atan2") else text),
        st.builds("sqrt(abs({}))".format, inner),
    ),
    max_leaves=4,
)
_LENGTH_LEAVES = st.builds(
    "{}{}".format, st.sampled_from(["1", "3", "0.5", "-2", "40"]), st.sampled_from(["px", "em", "rem", "vw", "pt", "%"])
)
_LENGTH_TEXTS = st.recursive(
    _LENGTH_LEAVES,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-"]), inner),
        st.builds("({} * {})".format, _NUMBERS, inner),
        st.builds("({} / {})".format, inner, _STEP),
        st.builds("{}({}, {})".format, st.sampled_from(["min", "max", "hypot"]), inner, inner),
        st.builds("clamp({}, {}, {})".format, inner, inner, inner),
        st.builds("abs({})".format, inner),
        st.builds("({} * ({} / {}))".format, inner, inner, st.just("8px")),
    ),
    max_leaves=6,
)


@pytest.fixture
def translations(page: Callable[..., Page]) -> Callable[[list[str]], list[float]]:
    opened = page()
    opened.set_content("<div style='width: 200px; height: 10px; font-size: 20px'></div>")

    def measure(texts: list[str]) -> list[float]:
        matrices: list[str] = opened.evaluate(
            """texts => texts.map(text => {
                const element = document.querySelector('div');
                element.style.transform = '';
                element.style.transform = `translateX(${text})`;
                return getComputedStyle(element).transform;
            })""",
            texts,
        )
        return [math.nan if text == "none" else float(text.strip("matrix()").split(",")[4]) for text in matrices]

    return measure


@pytest.mark.browser
def test_random_calculations_are_chromiums(translations: Callable[[list[str]], list[float]]) -> None:
    resolution = Resolution(font_size=20)

    @given(st.lists(_LENGTH_TEXTS, min_size=20, max_size=20, unique=True))
    @settings(max_examples=25, deadline=None, derandomize=True)
    def check(texts: list[str]) -> None:
        calculations = [f"calc({text})" for text in texts]
        for text, measured in zip(calculations, translations(calculations), strict=True):
            value = parse_length_percentage(tokens(text), resolution)
            assert (value is None) == math.isnan(measured), text
            if value is not None:
                assert value.resolve(200) == pytest.approx(measured, rel=2e-5, abs=2e-3), text

    check()


@pytest.mark.browser
def test_known_traps_are_chromiums(translations: Callable[[list[str]], list[float]]) -> None:
    texts = [
        *["calc(1px+2px)", "calc(1px + 2)", "5", "0", "-0", "calc(infinity * 1px)", "calc(-infinity * 1px)", "1e30px"],
        *["calc(NaN * 1px)", "calc(1px / 0)", "round(55%, 7px)", "round(up, 55%, 7px)", "round(to-zero, -55%, 7px)"],
        *[
            "mod(-55%, 7px)",
            "rem(-55%, 7px)",
            "mod(5px, -infinity * 1px)",
            "clamp(none, 50%, 20px)",
            "clamp(30px, 5px, 2px)",
        ],
        *["calc(1px * progress(1, 2, 3))", "calc(10px * sin(30deg))", "calc(1px * tan(90deg))", "calc(1px * log(8))"],
        *[
            "calc(1px * round(2.5))",
            "calc(1px * round(-2.5))",
            "calc(1px * -pi)",
            "calc(1PX * PI)",
            "calc(5vmin)",
            "1cqw",
        ],
        *[
            "-webkit-calc(1px)",
            "calc(1px * 2px / 4px)",
            "calc(1deg * 1px / 2deg)",
            "min(1px,)",
            "calc(50%)",
            "1in",
            "1q",
        ],
    ]
    for text, measured in zip(texts, translations(texts), strict=True):
        value = parse_length_percentage(tokens(text), Resolution(font_size=20))
        assert (value is None) == math.isnan(measured), text
        if value is not None:
            assert value.resolve(200) == pytest.approx(measured, rel=2e-5, abs=2e-3), text
