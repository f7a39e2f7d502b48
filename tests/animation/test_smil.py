"""SVG animation elements against Chromium, and what is refused."""

from __future__ import annotations

import random
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import numpy as np
import pytest

from husky_lint.animation.matrices import multiply_rows
from husky_lint.animation.smil import (
    SmilAnimation,
    SmilMotion,
    evaluate_attribute,
    evaluate_motion,
    evaluate_transform,
    parse_animate,
    parse_animate_motion,
    parse_animate_transform,
    parse_clock,
    parse_set,
    parse_timing,
)
from husky_lint.animation.transforms import parse_number_list, parse_transform_attribute
from husky_lint.animation.unknown import Unknown
from husky_lint.animation.vectors import Vector

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from husky_lint.animation.matrices import FloatArray

T = '<animateTransform attributeName="transform" '
TRANSFORMS = (
    T + 'type="rotate" from="0 10 10" to="90 20 20" dur="1s" repeatCount="3"/>',
    T + 'type="rotate" from="0" to="90" dur="1s" repeatCount="3" additive="sum" accumulate="sum" fill="freeze"/>',
    T + 'type="translate" by="10 20" dur="1s" fill="freeze"/>',
    T + 'type="translate" from="5" by="10 20" dur="1s" fill="freeze"/>',
    T + 'type="translate" to="10 20" dur="1s" fill="freeze"/>',
    T + 'type="scale" by="1" dur="1s" fill="freeze"/>',
    T + 'type="scale" values="1;2 3;0.5" keyTimes="0;0.3;1" dur="1s" fill="freeze"/>',
    T + 'type="scale" values="1;2" dur="0.5s" repeatCount="3" accumulate="sum" fill="freeze"/>',
    T + 'type="skewX" values="0;30" dur="1s" begin="0.5s" fill="freeze" calcMode="discrete"/>',
    T + 'type="skewY" values="0;30;-10" dur="1s" begin="0.5s" fill="freeze"/>',
    T + 'type="translate" values="0;10;50 0;50 100" dur="1s" calcMode="paced"/>',
    T + 'type="translate" values="0;10;50" keyTimes="0;.5;1" keySplines="0.4 0 0.6 1;0 0 1 1" '
    'dur="1s" calcMode="spline"/>',
    T + 'type="translate" values="0;10;50" keyTimes="0;.5;1" keySplines="0.4 0 0.6 1" dur="1s" calcMode="spline"/>',
    T + 'type="translate" values="0;10;50" keyTimes="0;.5" dur="1s"/>',
    T + 'type="translate" values="0;10;50" keyTimes="0.1;.5;1" dur="1s"/>',
    T + 'type="translate" values="0;10;50" keyTimes="0;.5;.9" dur="1s"/>',
    T + 'type="translate" values="0;10;50" keyTimes="0;.5;.9" dur="1s" calcMode="discrete"/>',
    T + 'type="translate" values="0;foo;50" dur="1s"/>',
    T + 'type="translate" values="0;50" dur="1s" fill="freeze"/>'
    + T + 'type="rotate" values="0;90" dur="1s" additive="sum"/>',
    T + 'type="rotate" values="0;90" dur="1s" additive="sum" begin="0.5s"/>'
    + T + 'type="translate" values="0;50" dur="1s"/>',
    T + 'type="translate" values="0;50" dur="1s" begin="0.2s;0.9s;2s"/>',
    T + 'type="translate" values="0;50" dur="1s" begin="0.2s;0.9s" fill="freeze"/>',
    T + 'type="translate" values="0;50" dur="1s" begin="-0.3s" repeatCount="indefinite"/>',
    T + 'type="translate" values="0;50" dur="1s" end="0.7s" fill="freeze"/>',
    T + 'type="translate" values="0;50" dur="1s" repeatDur="1.4s" fill="freeze"/>',
    T + 'type="translate" values="0;50" dur="1s" repeatCount="1.25" fill="freeze"/>',
    T + 'type="translate" values="5;50"/>',
    T + 'type="translate" values="5;50" dur="1s" begin="indefinite"/>',
    T + 'type="translate" values="5;50" dur="00:01" repeatCount="2" min="1.5s"/>',
    T + 'type="translate" values="5;50" dur="1000ms" repeatCount="5" max="2.5s"/>',
    '<animateMotion path="M0 0 H100 V50" dur="1s" rotate="auto"/>',
    '<animateMotion path="M0 0 H100 V50" dur="1s" calcMode="linear" rotate="auto-reverse"/>',
    '<animateMotion path="M0 0 H100 V50" dur="1s" calcMode="linear" keyPoints="0;.8;.2" keyTimes="0;.5;1" rotate="9"/>',
    '<animateMotion path="M0 0 C 0 50 100 50 100 0 A 20 30 10 1 0 60 60" dur="2s" rotate="auto"/>',
    '<animateMotion values="0,0;100,0;100,50" dur="1s" fill="freeze"/>',
    '<animateMotion values="0,0;100,0;100,50" dur="1s" calcMode="linear" rotate="auto"/>',
    '<animateMotion from="10,10" to="50,60" dur="1s" rotate="auto"/>',
    '<animateMotion to="50,60" dur="1s"/>',
    '<animateMotion by="50,60" dur="1s"/>',
    '<animateMotion path="M0 0 H100" dur="0.5s" repeatCount="3" accumulate="sum" fill="freeze"/>',
    '<animateMotion path="M0 0 H100 V50 Z" dur="1s" fill="freeze" rotate="auto"/>',
)  # fmt: skip
ATTRIBUTES = (
    '<animate attributeName="x" from="10" to="50" dur="1s"/>',
    '<animate attributeName="x" by="50" dur="1s" fill="freeze" repeatCount="2" accumulate="sum"/>',
    '<animate attributeName="x" values="1;50" dur="1s" additive="sum"/>',
    '<animate attributeName="x" to="50" dur="1s"/>',
    '<animate attributeName="x" values="0;10;100;40" dur="1s" calcMode="paced"/>',
    '<animate attributeName="x" values="0;10;100;40" dur="1s" calcMode="discrete"/>',
    '<set attributeName="x" to="50" begin="0.5s" dur="0.5s"/>',
    '<set attributeName="x" to="50" begin="0.5s" fill="freeze"/>',
    '<set attributeName="x" to="50" begin="0.5s"/><animate attributeName="x" from="10" to="30" begin="1s" dur="1s"/>',
)  # fmt: skip
TIMES = (0.0, 0.13, 0.26, 0.51, 0.77, 0.93, 1.0, 1.31, 1.62, 2.23, 3.11)
BASE = "translate(3 4)"


class _Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {
            name.lower(): name
            for name in ("keyTimes", "keySplines", "keyPoints", "calcMode", "repeatCount", "repeatDur")
        }
        self.found.append((tag, {names.get(name, name): value or "" for name, value in attrs}))

    handle_startendtag = handle_starttag


def elements(markup: str) -> list[tuple[str, dict[str, str]]]:
    parser = _Elements()
    parser.feed(markup)
    return parser.found


def length(text: str) -> Vector | None:
    numbers = parse_number_list(text)
    return Vector.of("length", *numbers) if numbers and len(numbers) == 1 else None


@pytest.mark.browser
def test_transforms_and_motions(page: Callable[..., Page]) -> None:
    rng = random.Random(3)
    times = sorted({*TIMES, *(round(rng.uniform(0, 4), 3) for _ in range(8))})
    tab = page()
    groups = "".join(
        f'<g class="t" transform="{BASE}">{markup}<rect width="9" height="9"/></g>' for markup in TRANSFORMS
    )
    rects = "".join(f'<rect class="a" x="7" width="9" height="9">{markup}</rect>' for markup in ATTRIBUTES)
    tab.set_content(f"<!doctype html><style>body{{margin:0}}</style><svg width=900 height=900>{groups}{rects}</svg>")
    measured = tab.evaluate(
        """times => { const svg = document.querySelector('svg'); svg.pauseAnimations(); return times.map(time => {
          svg.setCurrentTime(time);
          const matrix = g => { const m = g.getCTM(); return [m.a, m.b, m.c, m.d, m.e, m.f]; };
          return [[...document.querySelectorAll('.t')].map(matrix),
                  [...document.querySelectorAll('.a')].map(r => r.x.animVal.value)]; })}""",
        list(times),
    )
    base = parse_transform_attribute(BASE)
    assert base is not None
    moments = np.array(times)
    for number, markup in enumerate(TRANSFORMS):
        rows = _rows(markup, base, moments)
        expected = np.array([row[0][number] for row in measured])
        assert rows == pytest.approx(expected, abs=0.015), markup
    for number, markup in enumerate(ATTRIBUTES):
        parsed = [
            (parse_set if tag == "set" else parse_animate)(attributes, length) for tag, attributes in elements(markup)
        ]
        series = evaluate_attribute(
            [item for item in parsed if isinstance(item, SmilAnimation)], Vector.of("length", 7.0), moments
        )
        assert not isinstance(series, Unknown)
        expected = np.array([row[1][number] for row in measured])
        assert series.numbers()[:, 0] == pytest.approx(expected, abs=0.01), markup


def _rows(markup: str, base: object, moments: FloatArray) -> FloatArray:
    transforms, motions = [], []
    for tag, attributes in elements(markup):
        item = parse_animate_motion(attributes) if tag == "animatemotion" else parse_animate_transform(attributes)
        assert not isinstance(item, Unknown), markup
        if isinstance(item, SmilMotion):
            motions.append(item)
        elif item is not None:
            transforms.append(item)
    rows = evaluate_transform(transforms, base, moments)  # type: ignore[arg-type]
    moved = evaluate_motion(motions, moments)
    assert not isinstance(rows, Unknown)
    assert not isinstance(moved, Unknown)
    return multiply_rows(moved, rows)


@pytest.mark.parametrize(
    ("text", "seconds"),
    # SMIL Animation, section 3.2.4.2 (its examples)
    [("02:30:03", 9003), ("50:00:10.25", 180010.25), ("02:33", 153), ("00:10.5", 10.5), ("3.2h", 11520),
     ("45min", 2700), ("30s", 30), ("5ms", 0.005), ("12.467", 12.467), ("00.5s", 0.5), ("1:2", None), ("02:60", None),
     ("", None), ("5x", None)],
)  # fmt: skip
def test_clock_values(text: str, seconds: float | None) -> None:
    assert parse_clock(text) == pytest.approx(seconds)


@pytest.mark.parametrize("begin", ["click", "a.end+1s", "0s;b.begin", "accessKey(s)"])
def test_events_are_unknown(begin: str) -> None:
    assert isinstance(parse_timing({"begin": begin, "dur": "1s"}), Unknown)


def test_restarts_of_several_are_unknown() -> None:
    first = parse_animate_transform({"type": "translate", "values": "0;5", "dur": "1s", "begin": "0s;3s"})
    second = parse_animate_transform({"type": "translate", "values": "0;5", "dur": "1s", "begin": "1s"})
    assert isinstance(first, SmilAnimation)
    assert isinstance(second, SmilAnimation)
    base = parse_transform_attribute("")
    assert base is not None
    assert isinstance(evaluate_transform([first, second], base, np.array([0.0])), Unknown)


def test_too_many_values_are_unknown() -> None:
    assert isinstance(parse_animate_transform({"values": ";".join(["1"] * 5000), "dur": "1s"}), Unknown)


@pytest.mark.parametrize(
    "attributes",
    [{}, {"values": ""}, {"values": ";;"}, {"from": "1"}, {"to": "x"}, {"values": "1;2", "keyTimes": ""},
     {"values": "1;2", "keyTimes": "0;nan"}, {"values": "1e999;2"}, {"values": "1;2", "calcMode": "spline"},
     {"values": "1;2", "calcMode": "spline", "keySplines": "0 0 2 1"}, {"type": "warp", "values": "1;2"}],
)  # fmt: skip
def test_errors_have_no_effect(attributes: dict[str, str]) -> None:
    assert parse_animate_transform({"dur": "1s", **attributes}) is None


def test_huge_numbers_do_not_overflow() -> None:
    item = parse_animate_transform({"values": "1e30;3e38", "dur": "1e9", "type": "scale", "accumulate": "sum"})
    assert item is None or isinstance(item, SmilAnimation)
    nested = [parse_animate_transform({"values": "1e38;3e38", "dur": "1s", "type": "scale", "additive": "sum"})] * 40
    base = parse_transform_attribute("scale(1e15)")
    assert base is not None
    rows = evaluate_transform([item for item in nested if isinstance(item, SmilAnimation)], base, np.linspace(0, 1, 5))
    assert isinstance(rows, np.ndarray)
    assert np.isnan(rows[0]).all()
