"""Computed values equal Chromium's: cascade, layers, nesting, scopes, custom properties, media; cases and at random."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import tinycss2
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from husky_lint.style.media import MediaContext, evaluate_media
from tests.style.chromium_styles import PROPERTIES, Snapshot, differences, snapshot, styled_snapshot

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

_FOLDER = Path(__file__).parent / "cases"
CUSTOM = ("--r", "--q", "--l")
BODY = (_FOLDER / "body.html").read_text(encoding="utf-8").strip()

CASES = (_FOLDER / "cascade.txt").read_text(encoding="utf-8").splitlines()


def _html(css: str) -> str:
    return f"<!doctype html><html><head><style>{css}</style></head><body>{BODY}</body></html>"


def _compare(opened: Page, css: str, media: MediaContext | None = None) -> list[tuple[Any, ...]]:
    opened.set_content(_html(css))
    names = (*PROPERTIES, *CUSTOM)
    taken = snapshot(opened, names)
    styled = styled_snapshot(taken.html, media=media)
    tidy = Snapshot(taken.html, [[row[0], *(" ".join(text.split()) for text in row[1:])] for row in taken.styles])
    found = []
    for style, name, expected, actual in differences(tidy, styled, names):
        if " ".join(actual.split()) != expected and not (name == "transform-origin" and _needs_layout(style)):
            found.append((repr(style.node), name, expected, actual))
    return found


def _needs_layout(style: Any) -> bool:
    """A percentage of a box that only layout knows."""
    if style.keyword("transform-box") not in {"view-box", None}:
        return True
    above = style
    while above is not None and above.text("display") != "none":
        above = above.parent
    return above is not None


def test_cases(page: Callable[..., Page]) -> None:
    opened = page()
    wrong = {css: found[:4] for css in CASES if (found := _compare(opened, css))}
    assert not wrong, "\n".join(f"{css}\n    {found}" for css, found in wrong.items())


MEDIA = (_FOLDER / "media.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("options", "context"),
    [
        ({}, MediaContext()),
        ({"viewport": {"width": 390, "height": 844}, "reduced_motion": "reduce"}, MediaContext(390, 844, True)),
        ({"color_scheme": "dark", "contrast": "more"}, MediaContext(color_scheme="dark", contrast="more")),
    ],
    ids=["desktop", "phone", "dark"],
)
def test_media_queries(page: Callable[..., Page], options: dict[str, Any], context: MediaContext) -> None:
    opened = page(**options)
    expected = opened.evaluate("queries => queries.map(q => matchMedia(q).matches)", MEDIA)
    wrong = [
        (query, matches)
        for query, matches in zip(MEDIA, expected, strict=True)
        if evaluate_media(tinycss2.parse_component_value_list(query), context) != matches
    ]
    assert not wrong


# ---- at random

_selectors = st.sampled_from(
    [
        *(".t", ".u", ".p", ".leg", ".paw", ".far", "path", "g", "div", "b", "svg", "#t", "*", ":root", ".leg>.paw"),
        *(".p .t", ".scene .leg", ":not(.far)", ".t.u", "path:first-child", ".t b"),
    ]
)
_declarations = st.sampled_from(
    [
        *("fill:red", "fill:blue", "fill:var(--a)", "fill:currentcolor", "fill:inherit", "fill:revert", "stroke:lime"),
        *("opacity:.5", "opacity:var(--b)", "opacity:unset", "opacity:initial", "opacity:revert-layer", "color:red"),
        *(
            "color:var(--a)",
            "color:inherit",
            "--a:green",
            "--a:var(--c)",
            "--a:initial",
            "--c:var(--a,teal)",
            "--c:red",
        ),
        *(
            "--b:.3",
            "--b:inherit",
            "--r:var(--a,var(--c)) var(--b,q)",
            "--b:calc(var(--d) + .1)",
            "--d:.2",
            "all:revert",
        ),
        *(
            "stroke-width:2em",
            "stroke-width:1%",
            "font-size:2em",
            "font-size:95%",
            "font:10px x",
            "stroke-width:inherit",
        ),
        *(
            "animation:x 1s",
            "animation:var(--r) 2s",
            "animation-delay:-1s",
            "animation-name:y",
            "animation:revert-layer",
        ),
        *(
            "animation-duration:calc(var(--b,1)*2s)",
            "display:none",
            "display:inherit",
            "visibility:hidden",
            "all:unset",
        ),
        *("transform-origin:10% 5px", "transform-box:fill-box", "visibility:visible", "--c:revert-layer", "--a:unset"),
    ]
)


@st.composite
def _block(draw: Any) -> str:
    parts = draw(st.lists(_declarations, min_size=1, max_size=3))
    return ";".join(part + draw(st.sampled_from(["", "", "", " !important"])) for part in parts)


@st.composite
def _rules(draw: Any, depth: int = 2, nested: bool = False) -> str:
    text = ""
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["style", "style", "layer", "layers", "media", "supports", "scope", "nest"]))
        if kind == "layers" and not nested:
            text += draw(st.sampled_from(["@layer a,b;", "@layer b;", "@layer b.c,a;"]))
        elif kind == "style" or not depth:
            start = draw(st.sampled_from(["", "", "&", "> "])) if nested else ""
            text += f"{start}{draw(_selectors)}{{{draw(_block())}}}"
        elif kind == "nest":
            text += f"{draw(_selectors)}{{{draw(_block())};{draw(_rules(depth - 1, True))}{draw(_block())}}}"
        else:
            prelude: Any = {
                "layer": st.sampled_from(["@layer a", "@layer b", "@layer", "@layer b.c"]),
                "layers": st.just("@layer a"),
                "media": st.sampled_from(
                    ["@media (width>1px)", "@media print", "@media (prefers-reduced-motion:reduce)"]
                ),
                "supports": st.just("@supports (fill:red)"),
                "scope": st.sampled_from(["@scope (.leg)", "@scope (.p) to (b)", "@scope (svg)"]),
            }[kind]
            text += f"{draw(prelude)}{{{draw(_rules(depth - 1, nested))}}}"
    return text


@pytest.fixture(scope="module")
def shared_page(chromium: Any) -> Any:
    opened = chromium.new_page()
    yield opened
    opened.close()


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(_rules(), min_size=1, max_size=3).map("".join))
def test_random_sheets(shared_page: Page, css: str) -> None:
    assert not _compare(shared_page, css)
