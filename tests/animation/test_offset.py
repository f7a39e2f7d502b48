"""Motion path: parsing, and where it puts an element, against Chromium."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import tinycss2

from husky_lint.animation import offset
from husky_lint.animation.matrices import multiply_rows
from husky_lint.animation.offset import (
    OffsetBoxes,
    PathMeasure,
    offset_matrices,
    parse_offset_path,
    parse_offset_rotate,
)
from husky_lint.animation.properties import Context, parse_transform_property, property_types
from husky_lint.animation.transforms import NONE
from husky_lint.animation.vectors import Series, Vector
from husky_lint.scene.paths import parse_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from husky_lint.animation.matrices import FloatArray

LINE = 'offset-path: path("M100 100 H200"); offset-distance: 50%;'
CASES = (
    LINE,
    LINE + "offset-rotate: 0deg",
    LINE + "offset-rotate: reverse",
    LINE + "offset-rotate: auto 30deg",
    LINE + "offset-rotate: 90deg; offset-anchor: 10px 5px",
    LINE + "offset-rotate: 90deg; offset-anchor: 50% 50%",
    LINE + "offset-rotate: 90deg; offset-anchor: right 5px bottom 10%",
    LINE + "offset-rotate: 90deg; transform-box: fill-box; transform-origin: 50% 50%",
    LINE + "offset-rotate: 90deg; transform-box: fill-box; transform-origin: 50% 50%; offset-anchor: 0 0",
    LINE + "offset-rotate: 90deg; transform-box: fill-box; offset-anchor: 100% 0",
    LINE + "offset-rotate: 90deg; transform-origin: 30px 30px; offset-anchor: 5px 7px",
    LINE + "transform-origin: 30px 30px; translate: 7px 3px; rotate: 20deg; scale: 2; transform: translate(5px, 6px)",
    LINE + "offset-position: 20px 20px",
    LINE + "offset-distance: 25px",
    LINE + "offset-distance: -25px",
    LINE + "offset-distance: 150%",
    'offset-path: path("M100 100 H200 V200 Z"); offset-distance: -25px',
    'offset-path: path("M100 100 H200 V200 Z"); offset-distance: 120%',
    'offset-path: path("M100 100 H200 V200 Z"); offset-distance: 100%',
    'offset-path: path("M100 100 H200 V200 H 100 V100 Z"); offset-distance: 100%',
    'offset-path: path("M0 0 C 0 100 100 100 100 0"); offset-distance: 30%',
    'offset-path: path("M0 0 C 0 0 100 100 100 0"); offset-distance: 0%',
    'offset-path: path("M0 0 Q 60 100 100 0 T 180 40"); offset-distance: 71%',
    'offset-path: path("M10 10 A 50 30 20 1 1 80 60"); offset-distance: 70%',
    'offset-path: path("M10 10 h 20 M 100 100 h 20"); offset-distance: 75%',
    'offset-path: path("M10 10 h 20 M 100 100 h 20"); offset-distance: 50%',
    'offset-path: path("M10 10 h 20 v 20"); offset-distance: 50%',
    'offset-path: path("M10 10"); offset-distance: 50%',
    'offset-path: path("M10 10 h 0 v 0"); offset-distance: 50%',
    "offset-path: ray(45deg closest-side); offset-distance: 100%",
    "offset-path: ray(45deg closest-side); offset-distance: 20px",
    "offset-path: ray(45deg farthest-corner); offset-distance: 100%; offset-position: 20px 30px",
    "offset-path: ray(45deg farthest-side at 50px 50px); offset-distance: 100%",
    "offset-path: ray(20deg closest-corner at 50px 50px); offset-distance: 100%",
    "offset-path: ray(100deg sides at 50px 50px); offset-distance: 100%",
    "offset-path: ray(45deg closest-side contain at 50px 50px); offset-distance: 100%; offset-anchor: 50% 50%",
    "offset-path: ray(45deg at 5px 5px) view-box; offset-distance: 100%",
    "offset-path: ray(-30deg at 400px 50px); offset-distance: 100%",
    "offset-path: ray(-30deg sides at 400px 50px); offset-distance: 100%",
    "offset-path: circle(50px at 100px 100px); offset-distance: 0%",
    "offset-path: circle(50px at 100px 100px); offset-distance: 37%",
    "offset-path: circle(50px); offset-distance: 10%",
    "offset-path: circle(); offset-distance: 10%",
    "offset-path: circle(farthest-side at 50px 60px); offset-distance: 10%",
    "offset-path: circle(20%); offset-distance: 10%",
    "offset-path: circle(10px) fill-box; offset-distance: 10%",
    "offset-path: fill-box; offset-distance: 10%",
    "offset-path: ellipse(50px 30px at 100px 100px); offset-distance: 10%",
    "offset-path: ellipse(farthest-side 20px at 100px 100px); offset-distance: 40%",
    "offset-path: inset(10px 20px 30px 40px); offset-distance: 0%",
    "offset-path: inset(10% 20%); offset-distance: 60%",
    "offset-path: polygon(0 0, 100px 0, 50% 50%); offset-distance: 90%",
    "offset-path: polygon(evenodd, 0 0, 100px 0, 70px 80px); offset-distance: 70%",
    "offset-path: xywh(10px 20px 30px 40px); offset-distance: 60%",
    "offset-path: rect(10px 200px 100px 5px); offset-distance: 60%",
    "offset-path: rect(auto auto auto auto); offset-distance: 60%",
    "offset-path: none; offset-distance: 50px; offset-rotate: 45deg; offset-anchor: 5px 5px",
    "offset-path: url(#absent); offset-distance: 50%",
    "offset-path: url(#line); offset-distance: 50%",
)  # fmt: skip
VIEW = (0.0, 0.0, 300.0, 200.0)
BOX = (10.0, 20.0, 40.0, 20.0)


def tokens(text: str) -> list[Any]:
    return list(tinycss2.parse_component_value_list(text))


def still(vector: Vector) -> Series:
    return Series(1, [(np.array([0]), vector)])


def placed(style: str) -> FloatArray:
    """The matrix that the static side gives the test's rectangle."""
    found = {
        node.lower_name: node.value for node in tinycss2.parse_blocks_contents(style) if node.type == "declaration"
    }
    context = Context(path_of=lambda name: "M5 5 L 50 20" if name == "line" else None)

    def vector(name: str) -> Vector:
        kind = property_types()[name]
        value = kind.parse(found[name], context) if name in found else kind.initial
        assert value is not None, name
        return value

    box = BOX if "fill-box" in tinycss2.serialize(found.get("transform-box", ())) else VIEW
    x_px, x_part, y_px, y_part, _ = vector("transform-origin").numbers
    origin = box[0] + x_px + x_part * box[2], box[1] + y_px + y_part * box[3]
    moved = offset_matrices(
        *(still(vector(f"offset-{name}")) for name in ("path", "distance", "rotate", "anchor", "position")),
        origin=origin,
        boxes=OffsetBoxes(anchor=box),
    )
    lists = {
        name: parse_transform_property(name, found[name], context) if name in found else NONE
        for name in ("translate", "rotate", "scale", "transform")
    }
    result = np.array([[1.0, 0.0, 0.0, 1.0, *origin]])
    for name in ("translate", "rotate", "scale"):
        value = lists[name]
        assert value is not None
        result = multiply_rows(result, value.matrix(box[2], box[3])[None])
    result = multiply_rows(result, moved)
    transform = lists["transform"]
    assert transform is not None
    result = multiply_rows(result, transform.matrix(box[2], box[3])[None])
    back = np.array([[1.0, 0.0, 0.0, 1.0, -origin[0], -origin[1]]])
    found_row: FloatArray = multiply_rows(result, back)[0]
    return found_row


@pytest.mark.browser
def test_places_as_chromium_does(page: Callable[..., Page]) -> None:
    tab = page()
    rects = "".join(f"<rect class=r x=10 y=20 width=40 height=20 style='{style}' />" for style in CASES)
    tab.set_content(
        '<!doctype html><svg width=300 height=200 viewBox="0 0 300 200">'
        f'<path id="line" d="M5 5 L 50 20"/>{rects}</svg>'
    )
    measured = tab.evaluate(
        """() => [...document.querySelectorAll('.r')].map(r => {
          const m = r.getCTM(); return [m.a, m.b, m.c, m.d, m.e, m.f]; })"""
    )
    for style, expected in zip(CASES, measured, strict=True):
        assert placed(style) == pytest.approx(expected, abs=2e-3), style


@pytest.mark.parametrize(
    "text",
    ["path()", "path('')", "path('L 5 5')", "path('M0 0 L 5 x')", "path(evenodd, 'M0 0 L5 5')",
     "ray()", "ray(5px)", "ray(45deg 30deg)", "circle(closest-corner)", "circle(-5px)", "ellipse(5px)", "polygon()",
     "polygon(1px)", "inset()", "xywh(1px 2px 3px)", "rect(1px 2px)", "none view-box", "view-box fill-box", "5px", ""],
)  # fmt: skip
def test_invalid_paths(text: str) -> None:
    assert parse_offset_path(tokens(text)) is None


@pytest.mark.parametrize("text", ["shape(from 0 0, close)", "inset(5px round 2px)", "xywh(0 0 5px 5px round 1px)"])
def test_paths_that_are_not_evaluated_are_nan(text: str) -> None:
    path = parse_offset_path(tokens(text))
    assert path is not None
    assert path.form == "unsupported"
    rows = offset_matrices(
        still(path), still(Vector.of("length", 0.0, 0.5)), still(Vector.of("auto", 0.0)), still(offset.AUTO),
        still(offset.NORMAL), origin=(0.0, 0.0),
    )  # fmt: skip
    assert np.isnan(rows).all()


@pytest.mark.parametrize(("text", "form", "angle"), [
    ("auto", "auto", 0), ("reverse", "auto", 180), ("auto 45deg", "auto", 45), ("45deg auto", "auto", 45),
    ("reverse -30deg", "auto", 150), ("0.25turn", "angle", 90), ("calc(10deg + 0.1turn)", "angle", 46),
])  # fmt: skip
def test_rotate(text: str, form: str, angle: float) -> None:
    value = parse_offset_rotate(tokens(text))
    assert value is not None
    assert (value.form, value.numbers[0]) == (form, pytest.approx(angle))


@pytest.mark.parametrize("text", ["", "0", "auto reverse", "45deg 45deg", "auto auto", "45px"])
def test_invalid_rotate(text: str) -> None:
    assert parse_offset_rotate(tokens(text)) is None


@pytest.mark.parametrize(("data", "length"), [
    ("M0 0 H 100", 100), ("M0 0 H 30 V 40 Z", 120), ("M0 0 H 10 M 50 50 V 60", 20), ("M0 0", 0), ("", 0),
    ("M0 0 A 50 50 0 0 1 100 0", math.pi * 50),
])  # fmt: skip
def test_lengths(data: str, length: float) -> None:
    # A curve is measured by chords, as in browsers: half a unit of flatness.
    assert PathMeasure(parse_path(data)).length == pytest.approx(length, rel=3e-3)


def test_a_path_of_many_segments_is_bounded() -> None:
    measure = PathMeasure(parse_path("M0 0 " + "C 0 900 900 900 900 0 " * 20_000))
    x, y, angle = measure.at(np.array([0.0, measure.length, np.inf]))
    assert np.isfinite([x, y, angle]).all()


def test_huge_coordinates() -> None:
    measure = PathMeasure(parse_path("M0 0 C 1e38 1e38 -1e38 1e38 3e38 3e38 A 1e30 1 0 0 0 0 0"))
    with np.errstate(all="ignore"):
        points = measure.at(np.array([0.0, 1.0]))
    assert all(len(part) == 2 for part in points)
