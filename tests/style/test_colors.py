"""Colours: parsing, arithmetic, and Chromium's text for them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
import tinycss2
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from husky_lint.style.colors import BLACK, SYSTEM_COLORS, TRANSPARENT, WHITE, Color, contrast, luminance, parse_color

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

CURRENT = Color(1 / 255, 2 / 255, 3 / 255)


def color(text: str, scheme: str = "light") -> Color | None:
    tokens: list[Any] = list(tinycss2.parse_component_value_list(text))
    return parse_color(tokens, CURRENT, scheme)


def css(text: str, scheme: str = "light") -> str | None:
    parsed = color(text, scheme)
    return None if parsed is None else parsed.css


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *[("red", "rgb(255, 0, 0)"), (" REBECCAPURPLE ", "rgb(102, 51, 153)"), ("transparent", "rgba(0, 0, 0, 0)")],
        *[("#1a2b3c", "rgb(26, 43, 60)"), ("#abc", "rgb(170, 187, 204)"), ("#0000007f", "rgba(0, 0, 0, 0.498)")],
        *[("currentColor", "rgb(1, 2, 3)"), ("rgb(127.5 10.49 10.5)", "rgb(128, 10, 11)")],
        *[("rgba(0,0,0,.3)", "rgba(0, 0, 0, 0.3)"), ("rgba(10,20,30,.999)", "rgb(10, 20, 30)")],
        *[("rgb(1 2% 3)", "rgb(1, 5, 3)"), ("rgb(none 1 2 / none)", "rgba(0, 1, 2, 0)")],
        *[("hsl(-30 100% 50%)", "rgb(255, 0, 128)"), ("hsl(120, 50%, 50%, 50%)", "rgba(64, 191, 64, 0.5)")],
        *[("hwb(90 10% 20%)", "rgb(115, 204, 26)"), ("lab(50% 20% 30%)", "lab(50 25 37.5)")],
        *[("oklch(70% 25% 200deg / 50%)", "oklch(0.7 0.1 200 / 0.5)"), ("color(xyz 0 .2 1)", "color(xyz-d65 0 0.2 1)")],
        *[("rgb(calc(1 + 1) calc(NaN) calc(infinity))", "rgb(2, 0, 255)"), ("LinkText", "rgb(0, 0, 238)")],
        *[
            ("color-mix(in srgb, red 30%, blue 30%)", "color(srgb 0.5 0 0.5 / 0.6)"),
            ("contrast-color(red)", "rgb(0, 0, 0)"),
        ],
        *[
            ("color-mix(in hsl longer hue, red, lime)", "color(srgb 0 0 1)"),
            ("light-dark(red, blue)", "rgb(255, 0, 0)"),
        ],
        *[("rgb(from red calc(r / 2) g b / 50%)", "color(srgb 0.5 0 0 / 0.5)"), ("lch(50 -10 380)", "lch(50 0 20)")],
    ],
)
def test_as_computed(text: str, expected: str) -> None:
    assert css(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *["", "reddish", "#12", "#12345", "#ggg", "red blue", "rgb()", "rgb(1 2)", "rgb(1 2 3 4)", "rgb(1,2,3/4)", "5"],
        *["rgb(1,2,3,)", "rgb(none,1,2)", "rgb(1,2%,3)", "hsl(1,2,3)", "color()", "color(foo 1 2 3)", "lab(1,2,3)"],
        *[
            "color-mix(in srgb, red)",
            "color-mix(in foo, red, blue)",
            "color-mix(in srgb, red 120%, blue)",
            "hsl(1px 2 3)",
        ],
        *[
            "color-mix(in srgb longer hue, red, blue)",
            "light-dark(red)",
            "rgb(from red r g)",
            "rgb(from r g b)",
            "url(x)",
        ],
    ],
)
def test_not_a_color(text: str) -> None:
    assert color(text) is None


def test_the_scheme_decides() -> None:
    assert css("light-dark(red, blue)", "dark") == "rgb(0, 0, 255)"
    assert css("Canvas", "dark") == "rgb(18, 18, 18)"
    assert css("Canvas", "light") == "rgb(255, 255, 255)"


def test_luminance_and_contrast() -> None:
    assert luminance(WHITE) == pytest.approx(1)
    assert luminance(BLACK) == 0
    assert contrast(BLACK, WHITE) == pytest.approx(21)
    gray = color("#777")
    assert gray is not None
    assert gray.contrast(WHITE) == pytest.approx(4.48, abs=0.005)  # the famous almost-AA gray
    assert gray.luminance == pytest.approx(0.1845, abs=1e-4)


def test_compositing() -> None:
    half_red = Color(1, 0, 0, 0.5)
    assert half_red.over(WHITE) == Color(1, 0.5, 0.5)
    assert TRANSPARENT.over(TRANSPARENT) == TRANSPARENT
    assert half_red.over(TRANSPARENT) == half_red
    both = half_red.over(Color(0, 0, 1, 0.5))
    assert both.alpha == 0.75
    assert both.channels == pytest.approx((2 / 3, 0, 1 / 3))
    assert half_red.with_opacity(0.5).alpha == 0.25


_CHANNEL = st.floats(0, 1)
_COLORS = st.builds(Color, _CHANNEL, _CHANNEL, _CHANNEL, _CHANNEL)


@given(_COLORS, _COLORS, _COLORS)
def test_compositing_is_associative(top: Color, middle: Color, bottom: Color) -> None:
    left, right = top.over(middle).over(bottom), top.over(middle.over(bottom))
    assert left.alpha == pytest.approx(right.alpha)
    if left.alpha > 1e-3:
        assert left.channels == pytest.approx(right.channels, abs=1e-6)


@given(_COLORS, _COLORS)
def test_contrast_is_symmetric_and_bounded(first: Color, second: Color) -> None:
    assert first.contrast(second) == second.contrast(first)
    assert 1 <= first.contrast(second) <= 21.000001


@given(
    st.sampled_from(["lab", "oklab", "lch", "oklch", "srgb", "display-p3", "rec2020", "a98-rgb", "xyz", "hsl", "hwb"]),
    _COLORS,
)
def test_mixing_a_colour_with_itself_gives_it_back(space: str, mixed: Color) -> None:
    text = "rgb({:.6f} {:.6f} {:.6f})".format(*(channel * 255 for channel in mixed.channels))
    result = color(f"color-mix(in {space}, {text}, {text})")
    assert result is not None
    assert result.channels == pytest.approx(mixed.channels, abs=2e-4)


def test_hostile_nesting_is_refused() -> None:
    assert color("light-dark(" * 3000 + "red" + ", red)" * 3000) is None
    assert color("rgb(from " * 3000 + "red" + " r g b)" * 3000) is None
    assert color("rgb(from red " + "calc(" * 3000 + "r" + ")" * 3000 + " g b)") is None


# ---------------------------------------------------------------------------------------------------------------------
# Against Chromium

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
_COMPONENT = st.sampled_from(["0", "1", "0.5", "50%", "20", "100%", "200", "-10", "calc(0.25 * 2)"])
_HUE = st.sampled_from(["0", "30", "120deg", "0.5turn", "-90", "300", "400grad"])
_ALPHA = st.sampled_from(["", "", " / 0.5", " / 33%", " / 0"])
_SIMPLE = st.one_of(
    st.sampled_from(["red", "white", "#345", "#12345678", "currentcolor", "transparent", "gold", "Mark"]),
    st.builds(
        "{}({} {} {}{})".format, st.sampled_from(["rgb", "lab", "oklab"]), _COMPONENT, _COMPONENT, _COMPONENT, _ALPHA
    ),
    st.builds("{}({} {} {}{})".format, st.sampled_from(["hsl", "hwb"]), _HUE, _COMPONENT, _COMPONENT, _ALPHA),
    st.builds("{}({} {} {}{})".format, st.sampled_from(["lch", "oklch"]), _COMPONENT, _COMPONENT, _HUE, _ALPHA),
    st.builds(
        "color({} {} {} {}{})".format,
        st.sampled_from(["srgb", "srgb-linear", "display-p3", "rec2020", "a98-rgb", "prophoto-rgb", "xyz", "xyz-d50"]),
        _COMPONENT,
        _COMPONENT,
        _COMPONENT,
        _ALPHA,
    ),
    st.builds(
        "rgba({}, {}, {}, {})".format,
        *[st.sampled_from(["0", "20", "300", "5.5"])] * 3,
        st.sampled_from(["1", ".4", "30%"]),
    ),
)
_SRGB = st.sampled_from(["red", "white", "#345", "#12345678", "gold", "teal", "rgb(10 200 30 / 0.4)", "gray"])
_MIXED = st.one_of(
    st.builds(
        "color-mix(in {}, {}{}, {})".format,
        st.sampled_from(["srgb", "hsl", "hwb", "lab", "oklab", "lch", "oklch", "xyz", "display-p3", "hsl longer hue"]),
        _SRGB,
        st.sampled_from(["", " 20%", " 75%"]),
        _SRGB,
    ),
    st.builds("light-dark({}, {})".format, _SRGB, _SRGB),
    st.builds("rgb(from {} {} g calc(b / 2))".format, _SRGB, st.sampled_from(["r", "b", "100"])),
    st.builds("hsl(from {} h s calc(l * 0.5))".format, _SRGB),
    st.builds("oklch(from {} calc(l + 0.1) c h)".format, _SRGB),
)


def _close(mine: str | None, theirs: str | None, tolerance: float) -> bool:
    if mine is None or theirs is None:
        return mine == theirs
    if _NUMBER.sub("#", mine) != _NUMBER.sub("#", theirs):
        return False
    pairs = zip(_NUMBER.findall(mine), _NUMBER.findall(theirs), strict=True)
    return all(abs(float(a) - float(b)) <= tolerance * max(1.0, abs(float(b))) for a, b in pairs)


@pytest.fixture
def computed(page: Callable[..., Page]) -> Callable[[list[str]], list[str | None]]:
    opened = page()
    opened.set_content("<p></p>")

    def ask(texts: list[str]) -> list[str | None]:
        answers: list[str | None] = opened.evaluate(
            """texts => {
                const element = document.querySelector('p'), style = element.style;
                style.color = 'rgb(1, 2, 3)';
                return texts.map(text => {
                    style.backgroundColor = '';
                    style.backgroundColor = text;
                    return style.backgroundColor === '' ? null : getComputedStyle(element).backgroundColor;
                });
            }""",
            texts,
        )
        return answers

    return ask


@pytest.mark.browser
def test_random_colors_are_chromiums(computed: Callable[[list[str]], list[str | None]]) -> None:
    @given(st.lists(_SIMPLE, min_size=25, max_size=25), st.lists(_MIXED, min_size=15, max_size=15))
    @settings(max_examples=20, deadline=None, derandomize=True, phases=[Phase.generate])
    def check(simple: list[str], mixed: list[str]) -> None:
        for text, theirs in zip(simple, computed(simple), strict=True):
            assert _close(css(text), theirs, 1e-6), f"{text}: {css(text)}, Chromium {theirs}"
        # Chromium mixes in single precision with rounded matrices.
        for text, theirs in zip(mixed, computed(mixed), strict=True):
            if not _has_powerless_hue(theirs):
                tolerance = 0.02 if theirs is not None and theirs.startswith(("lab", "lch", "oklch")) else 2e-3
                assert _close(css(text), theirs, tolerance), f"{text}: {css(text)}, Chromium {theirs}"

    check()


def _has_powerless_hue(text: str | None) -> bool:
    """Whether the result is so gray that its hue, or its a and b, are rounding errors."""
    if text is None or not text.startswith(("lch", "oklch", "lab", "oklab")):
        return False
    _, a, b, *_ = [0.0 if part == "none" else float(part) for part in re.findall(r"none|" + _NUMBER.pattern, text)]
    limit = 0.5 if text.startswith("l") else 0.005
    return abs(a) < limit and (text.startswith(("lch", "oklch")) or abs(b) < limit)


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_system_colors_are_chromiums(page: Callable[..., Page], scheme: str) -> None:
    opened = page()
    opened.set_content(f"<html style='color-scheme: {scheme}'><p></p></html>")
    names = sorted(SYSTEM_COLORS)
    measured = opened.evaluate(
        """names => names.map(name => {
            document.querySelector('p').style.backgroundColor = name;
            return getComputedStyle(document.querySelector('p')).backgroundColor;
        })""",
        names,
    )
    assert dict(zip(names, measured, strict=True)) == {name: css(name, scheme) for name in names}
