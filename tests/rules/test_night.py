"""The white underside by night, dimmed in many ways, and left alone in others."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np
import pytest
from husky_lint.rules.husky.filters import apply_filters
from husky_lint.rules.husky.pixels import Canvas, Scenario
from husky_lint.rules.husky.theme import theme_states
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from husky_lint.evidence import StaticEvidence
from husky_lint.style.shorthands import css as tokens
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Page
from tests.rules.scenery import judged, pack, page, places, ruling, told

NEIGHBOURS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
NIGHT = ':root[data-theme="night"]'
DOG_END = '<g id="hearts"></g>'

DIMMED = {
    "the fill": f"{NIGHT} {{ --fur-white: #9aa3b5 }}",
    "the fill of the belly alone": f"{NIGHT} .bib-belly {{ fill: #9aa3b5 }}",
    "fill-opacity": f"{NIGHT} .bib {{ fill-opacity: .5 }}",
    "opacity": f"{NIGHT} .bib-chest {{ opacity: .5 }}",
    "opacity of the dog": f"{NIGHT} .dog {{ opacity: .6 }}",
    "brightness": f"{NIGHT} .bib {{ filter: brightness(.8) }}",
    "brightness of the dog": f"{NIGHT} .dog {{ filter: brightness(75%) }}",
    "brightness of the scene": f"{NIGHT} #scene {{ filter: brightness(.7) }}",
    "brightness of the body": f"{NIGHT} body {{ filter: brightness(.7) }}",
    "contrast": f"{NIGHT} .dog {{ filter: contrast(.4) }}",
    "invert": f"{NIGHT} .dog {{ filter: invert(1) hue-rotate(180deg) }}",
    "sepia and brightness": f"{NIGHT} .dog {{ filter: sepia(1) brightness(.8) }}",
    "filters one in another": f"{NIGHT} .dog, {NIGHT} .bib {{ filter: brightness(.9) }}",
    "opacity of the page": f"{NIGHT} body {{ opacity: .6; background: none }} {NIGHT} {{ background: #000 }}",
    "a fill as a mix": f"{NIGHT} .bib {{ fill: color-mix(in srgb, #f4f7fc 60%, #000) }}",
}


@pytest.mark.parametrize("way", DIMMED)
def test_a_dimmed_underside(way: str) -> None:
    made = page(css=DIMMED[way])
    assert judged("HB2604", made) == "fail", told("HB2604", made)


WHITE = {
    "brighter": f"{NIGHT} .dog {{ filter: brightness(1.1) }}",
    "the coat alone": f"{NIGHT} .torso, {NIGHT} .haunch {{ filter: brightness(.5) }}",
    "grey is white": f"{NIGHT} .bib {{ filter: grayscale(1) }}",
    "a shadow under the dog": f"{NIGHT} .dog {{ filter: drop-shadow(0 2px 3px #000) }}",
    "a soft edge": f"{NIGHT} .bib {{ filter: blur(1px) }}",
    "the strips dimmed": f"{NIGHT} .strip {{ filter: brightness(.6) }}",
    "by day only": ":root:not([data-theme=night]) .bib { opacity: .4 }",
    "a rule that loses": f"{NIGHT} .bib {{ fill: #888 }} #scene .bib {{ fill: var(--fur-white) }}",
    "another white": f"{NIGHT} .bib {{ fill: #fdf6e8 }}",
    "clipped": ".bib { clip-path: inset(0) }",
    "the sky dimmed": f"{NIGHT} .sky {{ opacity: .3; mix-blend-mode: multiply }}",
}


@pytest.mark.parametrize("way", WHITE)
def test_an_underside_that_stays_white(way: str) -> None:
    made = page(css=WHITE[way])
    assert judged("HB2604", made) == "pass", told("HB2604", made)


def veil(attributes: str) -> dict[str, str]:
    return page(edits={DOG_END: f'{DOG_END}<rect width="900" height="460" {attributes}/>'})


def test_what_is_painted_over_the_dog() -> None:
    assert judged("HB2604", veil('fill="#0a1030" fill-opacity=".4"')) == "fail"
    assert judged("HB2604", veil('fill="#0a1030" fill-opacity=".03"')) == "pass"
    assert judged("HB2604", veil('fill="none" stroke="#0a1030"')) == "pass"
    assert judged("HB2604", veil('fill="#0a1030" opacity=".4" visibility="hidden"')) == "pass"


def test_what_is_not_followed_is_unknown() -> None:
    assert judged("HB2604", veil('fill="#0a1030" style="mix-blend-mode: multiply"')) == "unknown(unsupported-css)"
    assert judged("HB2604", veil('fill="#0a1030" opacity=".4" mask="url(#hole)"')) == "unknown(unsupported-css)"
    assert judged("HB2604", page(css=f"{NIGHT} .dog {{ filter: url(#dim) }}")) == "unknown(unsupported-css)"
    over = '<div style="position:fixed;top:0;right:0;bottom:0;left:0;background:rgba(0,0,30,.4)"></div><footer>'
    assert judged("HB2604", page(edits={"<footer>": over})) == "unknown(needs-browser)"


def test_the_numbers_are_those_of_the_colours() -> None:
    found = [finding.data for finding in ruling("HB2604", page(css=f"{NIGHT} .bib-belly {{ fill: #808080 }}")).findings]
    assert len(found) == 1
    assert found[0]["luminance"] == pytest.approx(0.2159, abs=1e-3)
    assert found[0]["contrast"] == pytest.approx((0.2159 + 0.05) / (0.0769 + 0.05), abs=0.01)


def test_the_finding_lies_on_what_dims() -> None:
    assert places("HB2604", page(css=f"{NIGHT} .dog {{ filter: brightness(.7) }}"))[0] == "filter: brightness(.7)"
    assert places("HB2604", page(css=f"{NIGHT} .bib-belly {{ opacity: .5 }}")) == ["opacity: .5"]


def test_white_on_a_white_trail() -> None:
    made = page(css=f"{NIGHT} {{ --dirt: #e8ecf5 }}")
    assert judged("HB2604", made) == "fail"


PALETTE = {
    "another coat": (f"{NIGHT} {{ --coat-mid: #667085 }}", "fail"),
    "nearly the same": (f"{NIGHT} {{ --coat-mid: #4a576f }}", "pass"),
    "another spelling": (f"{NIGHT} {{ --coat-mid: rgb(72 85 109) }}", "pass"),
    "by the colour scheme": (f"{NIGHT} {{ color-scheme: dark; --coat-mid: light-dark(#8a94a6, #48556d) }}", "pass"),
    "by a colour scheme that stays light": (f"{NIGHT} {{ --coat-mid: light-dark(#8a94a6, #48556d) }}", "fail"),
    "set and not used": (f"{NIGHT} .dirt {{ fill: #555 !important }} #dirt .dirt {{ fill: #555 }}", "fail"),
}


@pytest.mark.parametrize("way", PALETTE)
def test_the_palette(way: str) -> None:
    css, expected = PALETTE[way]
    made = page(css=css)
    assert judged("HB2605", made) == expected, told("HB2605", made)


def test_other_names_for_the_same_colours() -> None:
    made = page(edits={"--coat-dark": "--pelt", "--coat-mid": "--pelt-2", "--fur-white": "--snow"})
    assert judged("HB2605", made) == "pass", told("HB2605", made)


EXPECTED = {  # computed by the formulas of Filter Effects 1 by hand
    "brightness(.5)": (0.4, 0.3, 0.2),
    "brightness(2)": (1.0, 1.0, 0.8),
    "contrast(0)": (0.5, 0.5, 0.5),
    "invert(1)": (0.2, 0.4, 0.6),
    "invert(50%)": (0.5, 0.5, 0.5),
    "grayscale(1)": (0.62808, 0.62808, 0.62808),
    "saturate(0)": (0.6282, 0.6282, 0.6282),
    "saturate(1)": (0.8, 0.6, 0.4),
    "hue-rotate(0deg)": (0.8, 0.6, 0.4),
    "sepia(1)": (0.8514, 0.758, 0.5904),
}


@pytest.mark.parametrize("text", EXPECTED)
def test_filter_functions(text: str) -> None:
    pixels = np.array([[0.8, 0.6, 0.4, 1.0], [0.4, 0.3, 0.2, 0.5]])
    found = apply_filters(tokens(text), pixels)
    assert found is not None
    assert found[0, :3] == pytest.approx(EXPECTED[text], abs=2e-3)
    assert found[1, :3] * 2 == pytest.approx(EXPECTED[text], abs=2e-3)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.sampled_from(["brightness", "contrast", "saturate", "grayscale", "sepia", "invert", "opacity"]), max_size=4
    ),
    st.floats(0, 4),
    st.lists(st.floats(0, 1), min_size=4, max_size=4),
)
def test_filters_keep_colours_in_gamut(names: list[str], amount: float, channels: list[float]) -> None:
    alpha = channels[3]
    pixels = np.array([[*(channel * alpha for channel in channels[:3]), alpha]])
    found = apply_filters(tokens(" ".join(f"{name}({amount})" for name in names) or "none"), pixels)
    assert found is not None
    assert (found >= -1e-9).all()
    assert (found[:, :3] <= found[:, 3:] + 1e-9).all()


# ---------------------------------------------------------------------------------------------------------------------
# Against Chromium's pixels


def read_png(data: bytes) -> np.ndarray:
    """(height, width, 3) of a PNG as browsers write it: eight bits, RGB or RGBA, not interlaced."""
    place, parts = 8, []
    width = height = channels = 0
    while place < len(data):
        (length,) = struct.unpack(">I", data[place : place + 4])
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color, *_ = struct.unpack(">IIBBBBB", body)
            assert depth == 8
            channels = {2: 3, 6: 4}[color]
        elif kind == b"IDAT":
            parts.append(body)
        place += 12 + length
    raw = np.frombuffer(zlib.decompress(b"".join(parts)), dtype=np.uint8).reshape(height, 1 + width * channels)
    rows = np.zeros((height, width * channels), dtype=np.int64)
    above = np.zeros(width * channels, dtype=np.int64)
    for index in range(height):
        line = raw[index, 1:].astype(np.int64)
        match raw[index, 0]:
            case 1:
                line = np.cumsum(line.reshape(width, channels), axis=0).reshape(-1) % 256
            case 2:
                line = (line + above) % 256
            case 3 | 4 as method:
                paeth = method == 4
                for i in range(len(line)):
                    left = int(line[i - channels]) if i >= channels else 0
                    up, corner = int(above[i]), int(above[i - channels]) if i >= channels else 0
                    if paeth:
                        line[i] = (line[i] + min((left, up, corner), key=lambda v: abs(left + up - corner - v))) % 256
                    else:
                        line[i] = (line[i] + (left + up) // 2) % 256
        rows[index] = above = line
    return rows.reshape(height, width, channels)[:, :, :3]


@pytest.mark.browser
@pytest.mark.parametrize(
    "way", [*DIMMED, "brighter", "grey is white", "the coat alone", "a shadow under the dog", "the strips dimmed"]
)
def test_points_are_painted_as_in_chromium(way: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    open_page: Callable[..., Page] = request.getfixturevalue("page")
    css = (DIMMED | WHITE)[way]
    still = "* { animation: none !important } body { margin: 0 } #scene { display: block; width: 900px; height: 460px }"
    made = page(css=css + still)
    for path, text in made.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    opened = open_page(viewport={"width": 900, "height": 700})
    opened.goto((tmp_path / "index.html").as_uri())
    opened.evaluate("document.documentElement.dataset.theme = 'night'")
    seen = read_png(opened.screenshot(clip={"x": 0, "y": 0, "width": 900, "height": 460}))
    evidence = StaticEvidence(Submission.from_files(made), pack().rubric)
    state = theme_states(evidence, ["day", "night"])["night"]
    x, y = np.meshgrid(np.arange(305.5, 620, 9), np.arange(100.5, 420, 9))
    points = np.stack([x.ravel(), y.ravel()], axis=1)
    painted = Canvas(evidence.rest(state), points).paint(Scenario()).colors * 255
    shown = seen[points[:, 1].astype(int), points[:, 0].astype(int)]
    # An edge through the pixel is smoothed there: only points whose neighbours look alike are compared.
    around = np.stack([seen[(points[:, 1] + dy).astype(int), (points[:, 0] + dx).astype(int)] for dx, dy in NEIGHBOURS])
    inner = np.ptp(around.astype(int), axis=0).max(axis=1) <= 1
    assert inner.sum() > 500
    off = np.abs(painted - shown).max(axis=1) * inner
    assert off.max() <= 2.5, [(*points[i], painted[i].round(), shown[i]) for i in np.argsort(-off)[:8]]
