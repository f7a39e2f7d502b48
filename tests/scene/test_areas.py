"""Shapes as areas: fill rules, strokes, and clip-paths, held to arithmetic, to random polygons and to Chromium."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from husky_lint.animation.unknown import Unknown
from husky_lint.evidence import StaticEvidence
from husky_lint.packs import load_pack
from husky_lint.scene.areas import fill_area, mapped, own_clip, stroke_area
from husky_lint.scene.paths import parse_path
from husky_lint.scene.strokes import Stroke
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

STAR = "M50 0 L79 91 L2 35 L98 35 L21 91 Z"
RING = "M0 0H100V100H0Z M25 25H75V75H25Z"
COUNTER_RING = "M0 0H100V100H0Z M25 25V75H75V25Z"
BOW_TIE = "M0 0 L100 100 L100 0 L0 100 Z"


@pytest.mark.parametrize(
    ("path", "nonzero", "even_odd"),
    [
        ("M0 0H10V10H0Z", 100.0, 100.0),
        ("M0 0H10V10H0", 100.0, 100.0),
        (RING, 10_000.0, 7_500.0),
        (COUNTER_RING, 7_500.0, 7_500.0),
        (BOW_TIE, 5_000.0, 5_000.0),
        ("M0 0H10V10H0Z M5 0H15V10H5Z", 150.0, 100.0),
        ("M0 0 L10 10", 0.0, 0.0),
        ("", 0.0, 0.0),
        ("M5 5", 0.0, 0.0),
        ("M0 50 A50 50 0 1 1 100 50 A50 50 0 1 1 0 50 Z", math.pi * 2500, math.pi * 2500),
    ],
)
def test_both_fill_rules(path: str, nonzero: float, even_odd: float) -> None:
    assert fill_area(parse_path(path)).area == pytest.approx(nonzero, rel=5e-3)
    assert fill_area(parse_path(path), even_odd=True).area == pytest.approx(even_odd, rel=5e-3)


def test_a_star_keeps_its_middle_by_the_nonzero_rule() -> None:
    from shapely import Point

    assert fill_area(parse_path(STAR)).covers(Point(50, 50))
    assert not fill_area(parse_path(STAR), even_odd=True).covers(Point(50, 50))


@pytest.mark.parametrize(
    ("path", "stroke", "area"),
    [
        ("M0 0H100", Stroke(10.0), 1_000.0),
        ("M0 0H100", Stroke(10.0, "square"), 1_100.0),
        ("M0 0H100", Stroke(10.0, "round"), 1_000.0 + math.pi * 25),
        ("M0 0H0", Stroke(10.0, "round"), math.pi * 25),
        ("M0 0H0", Stroke(10.0), 0.0),
        ("", Stroke(10.0), 0.0),
    ],
)
def test_strokes(path: str, stroke: Stroke, area: float) -> None:
    assert stroke_area(parse_path(path), stroke).area == pytest.approx(area, rel=1e-2, abs=1e-9)


def test_a_matrix_scales_areas_by_its_determinant() -> None:
    square = fill_area(parse_path("M0 0H10V10H0Z"))
    assert mapped(square, np.array([2.0, 1.0, -1.0, 3.0, 5.0, 5.0])).area == pytest.approx(700.0)
    assert mapped(square, np.array([1.0, 2.0, 2.0, 4.0, 0.0, 0.0])).is_empty
    assert mapped(square, np.full(6, np.nan)).is_empty


coordinates = st.integers(min_value=0, max_value=20)
rings = st.lists(st.tuples(coordinates, coordinates), min_size=3, max_size=8)


def crossings(ring: list[tuple[int, int]], x: float, y: float) -> tuple[int, int]:
    """(winding number, crossings) of a ray to the right from a point that no vertex shares a height with."""
    winding = count = 0
    for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (y1 > y) != (y2 > y) and x1 + (y - y1) * (x2 - x1) / (y2 - y1) > x:
            winding += 1 if y2 > y1 else -1
            count += 1
    return winding, count


@settings(max_examples=60, deadline=None)
@given(st.lists(rings, min_size=1, max_size=3), st.floats(0.01, 19.99), st.integers(0, 19))
def test_a_point_is_filled_where_a_ray_says_so(outlines: list[list[tuple[int, int]]], x: float, row: int) -> None:
    from shapely import Point

    y = row + 0.4142
    path = parse_path(" ".join("M" + " L".join(f"{a} {b}" for a, b in ring) + " Z" for ring in outlines))
    told = [crossings(ring, x, y) for ring in outlines]
    here = Point(x, y)
    for even_odd, inside in ((False, sum(w for w, _ in told) != 0), (True, sum(c for _, c in told) % 2 == 1)):
        area = fill_area(path, even_odd=even_odd)
        if area.boundary.distance(here) > 1e-6:
            assert area.covers(here) is inside


def clip_of(svg: str) -> object:
    """What ``own_clip`` says of the first shape of class ``it``."""
    page = f'<!doctype html><body><svg viewBox="0 0 100 100">{svg}</svg>'
    evidence = StaticEvidence(Submission.from_files({"index.html": page}), load_pack("husky").rubric)
    motion = evidence.rest(evidence.states.initial)
    node = next(node for node in motion.scene.nodes if node.element.get("class") == "it")
    return own_clip(motion, node)


SHAPE = '<rect class="it" clip-path="url(#c)" width="80" height="40"/>'


@pytest.mark.parametrize(
    ("clip", "area"),
    [
        ('<clipPath id="c"><rect width="10" height="10"/></clipPath>', 100.0),
        ('<clipPath id="c"><rect width="10" height="10"/><rect x="5" width="10" height="10"/></clipPath>', 150.0),
        ('<clipPath id="c" transform="scale(2)"><rect width="10" height="10"/></clipPath>', 400.0),
        ('<clipPath id="c"><g><rect width="10" height="10"/></g></clipPath>', 0.0),
        ('<clipPath id="c"><use href="#r" x="3"/></clipPath><defs><rect id="r" width="10" height="10"/></defs>', 100.0),
        ('<clipPath id="c" clipPathUnits="objectBoundingBox"><rect width=".5" height=".5"/></clipPath>', 800.0),
        (f'<clipPath id="c"><path clip-rule="evenodd" d="{RING}"/></clipPath>', 7_500.0),
        ('<clipPath id="c"></clipPath>', 0.0),
    ],
)
def test_clip_paths_of_the_page(clip: str, area: float) -> None:
    found = clip_of(clip + SHAPE)
    assert found is not None
    assert not isinstance(found, Unknown)
    assert found.area == pytest.approx(area, rel=1e-3)  # type: ignore[attr-defined]


def test_what_script_took_out_clips_nothing() -> None:
    emptied = '<g id="gone"><clipPath id="c"><rect width="10" height="10"/></clipPath></g>'
    script = '</svg><script>document.getElementById("gone").textContent = "";</script><svg>'
    assert clip_of(emptied + SHAPE + script) is None
    shown = '<defs id="gone"><rect id="r" width="10" height="10"/></defs>'
    used = clip_of(f'{shown}<clipPath id="c"><use href="#r"/></clipPath>{SHAPE}{script}')
    assert used is not None
    assert not isinstance(used, Unknown)
    assert used.area == 0  # type: ignore[attr-defined]


def test_no_clip_path_and_a_dangling_one_clip_nothing() -> None:
    assert clip_of('<rect class="it" width="80" height="40"/>') is None
    assert clip_of(SHAPE) is None


@pytest.mark.parametrize("style", ["clip-path: circle(20px)", "mask: url(#c)"])
def test_what_is_not_evaluated_says_so(style: str) -> None:
    assert isinstance(clip_of(SHAPE.replace('clip-path="url(#c)"', f'style="{style}"')), Unknown)


@pytest.mark.browser
@pytest.mark.parametrize("path", [STAR, RING, COUNTER_RING, BOW_TIE, "M0 0C90 10 10 90 100 100S0 50 60 0T20 80Z"])
@pytest.mark.parametrize("rule", ["nonzero", "evenodd"])
def test_fills_as_chromium_fills(page: Callable[..., Page], path: str, rule: str) -> None:
    from shapely import Point

    tab = page()
    tab.set_content(
        f'<svg viewBox="0 0 100 100"><path fill-rule="{rule}" stroke-width="7" stroke="red" d="{path}"/></svg>'
    )
    points = [(x + 0.37, y + 0.61) for x in range(0, 100, 7) for y in range(0, 100, 7)]
    inside = tab.evaluate(
        """points => {
          const path = document.querySelector("path"), svg = path.ownerSVGElement;
          const at = ([x, y]) => Object.assign(svg.createSVGPoint(), { x, y });
          return points.map(p => [path.isPointInFill(at(p)), path.isPointInStroke(at(p))]);
        }""",
        points,
    )
    fill = fill_area(parse_path(path), even_odd=rule == "evenodd")
    stroke = stroke_area(parse_path(path), Stroke(7.0))
    for (x, y), (filled, stroked) in zip(points, inside, strict=True):
        here = Point(x, y)
        if fill.boundary.distance(here) > 0.3:
            assert fill.covers(here) is filled, (x, y)
        if stroke.boundary.distance(here) > 0.3:
            assert stroke.covers(here) is stroked, (x, y)
