"""Random animations, frozen at random times in Chromium, against the static evaluation of the same style text."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import tinycss2

from husky_lint.animation.keyframes import KeyframeBlock, keyframe_blocks, property_keyframes
from husky_lint.animation.properties import (
    TRANSFORM_PROPERTIES,
    Context,
    animate_property,
    parse_transform_property,
    property_types,
)
from husky_lint.animation.timeline import SHORTHAND_LONGHANDS, animation_specs, parse_animation_shorthand
from husky_lint.animation.tracks import TransformTrack
from husky_lint.animation.unknown import Unknown
from husky_lint.animation.vectors import Vector, VectorTrack

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

ELEMENTS = 400
BOX = (100.0, 80.0)

EASINGS = (
    "linear", "ease", "ease-in", "ease-out", "ease-in-out", "step-start", "step-end",
    "cubic-bezier(0.3, -1.2, 0.6, 2)", "cubic-bezier(1, 0, 0, 0.9)",
    "cubic-bezier(0, 0, 0, 1)", "cubic-bezier(0, 2, 1, 3)",
    "steps(3)", "steps(4, jump-both)", "steps(5, jump-none)", "steps(2, start)",
    "linear(0, 0.25, 1)", "linear(0, 1.2 30% 40%, 0.5 20%, 1)",
    "linear(0.2 -20%, 0.9 50%, 1.4 120%)", "linear(0, 2 50%, 1)",
)  # fmt: skip
TIMES = ("0s", "0.4s", "1s", "2.5s", "300ms")
DELAYS = ("0s", "0s", "0.5s", "-0.3s", "-1.7s", "1.2s", "-10s")
COUNTS = ("1", "2", "infinite", "0.6", "2.3", "3", "infinite")
DIRECTIONS = ("normal", "reverse", "alternate", "alternate-reverse")
FILLS = ("none", "forwards", "backwards", "both")
COMPOSITIONS = ("replace", "replace", "replace", "replace", "add", "add", "accumulate")


@dataclass(frozen=True)
class PlainDeclaration:
    name: str
    tokens: tuple[Any, ...]
    important: bool


@dataclass(frozen=True)
class PlainBlock:
    prelude: tuple[Any, ...]
    declarations: tuple[PlainDeclaration, ...]


def tokens(text: str) -> tuple[Any, ...]:
    return tuple(tinycss2.parse_component_value_list(text))


def declarations(content: Any) -> tuple[PlainDeclaration, ...]:
    found = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
    return tuple(
        PlainDeclaration(
            node.name if node.name.startswith("--") else node.lower_name, tuple(node.value), node.important
        )
        for node in found
        if node.type == "declaration"
    )


def keyframe_rules(css: str) -> dict[str, list[PlainBlock]]:
    """The blocks of every ``@keyframes`` rule of a style sheet, by name; the last rule of a name wins."""
    rules = {}
    for rule in tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True):
        if rule.type == "at-rule" and rule.lower_at_keyword == "keyframes":
            name = tinycss2.serialize(rule.prelude).strip()
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            rules[name] = [
                PlainBlock(tuple(block.prelude), declarations(block.content))
                for block in inner
                if block.type == "qualified-rule"
            ]
    return rules


def random_transform(rng: random.Random) -> str:
    def number(low: float = -3.0, high: float = 3.0) -> str:
        return f"{rng.choice((0.0, 1.0, round(rng.uniform(low, high), 2))):g}"

    def angle() -> str:
        return rng.choice(
            (f"{rng.randint(-400, 400)}deg", f"{rng.uniform(-1, 1):.2f}turn", "0", "calc(30deg + 0.1rad)")
        )

    def length() -> str:
        return rng.choice(
            (f"{rng.randint(-90, 90)}px", f"{rng.randint(-90, 90)}%", "0", "calc(10px + 20%)", "2em", "min(30px, 50%)")
        )

    functions = (
        lambda: f"rotate({angle()})",
        lambda: f"translate({length()}, {length()})",
        lambda: f"translateX({length()})",
        lambda: f"translateY({length()})",
        lambda: f"scale({number()})",
        lambda: f"scale({number()}, {number()})",
        lambda: f"scaleX({number()})",
        lambda: f"scaleY({number()})",
        lambda: f"skewX({rng.randint(-60, 60)}deg)",
        lambda: f"skewY({rng.randint(-60, 60)}deg)",
        lambda: f"skew({rng.randint(-40, 40)}deg, {rng.randint(-40, 40)}deg)",
        lambda: (
            f"matrix({number()}, {number()}, {number()}, {number()}, {rng.randint(-50, 50)}, {rng.randint(-50, 50)})"
        ),
        lambda: f"rotateZ({angle()})",
        lambda: f"translate3d({length()}, {length()}, 0)",
    )
    if rng.random() < 0.1:
        return "none"
    return " ".join(rng.choice(functions)() for _ in range(rng.choice((1, 1, 2, 2, 3))))


def random_value(rng: random.Random, name: str, shape: random.Random) -> str:
    """``shape`` is seeded alike for the keyframes of one element, so that lists often match."""
    match name:
        case "transform":
            return random_transform(random.Random(shape.random()) if rng.random() < 0.4 else rng)
        case "translate":
            return rng.choice(
                ("none", f"{rng.randint(-50, 50)}px", f"{rng.randint(-50, 50)}% 3em", "calc(1px - 10%) 4px")
            )
        case "rotate":
            return rng.choice(("none", f"{rng.randint(-400, 400)}deg", "z 0.3turn", "-1rad"))
        case "scale":
            return rng.choice(("none", f"{rng.uniform(-2, 2):.2f}", f"{rng.uniform(-2, 2):.2f} 50%", "0"))
        case "opacity":
            return rng.choice((f"{rng.random():.2f}", "40%", "1", "0"))
        case "visibility":
            return rng.choice(("visible", "hidden", "collapse"))
        case "stroke-width":
            return rng.choice((f"{rng.randint(0, 40)}px", "2em", "5"))
        case "stroke-dasharray":
            return rng.choice(("none", "1px, 2px", "5px", "3px 4px 5px"))
        case "fill-rule":
            return rng.choice(("nonzero", "evenodd"))
        case "color":
            return rng.choice(("red", "#0af8", "rgb(10 200 30 / 40%)", "transparent", "hsl(200 50% 40%)"))
        case "filter":
            return rng.choice(
                ("none", "blur(3px)", "brightness(2) saturate(0.4)", "brightness(50%)", "blur(1px) sepia(1)")
            )
    raise AssertionError(name)


PROPERTIES = (
    "transform", "transform", "transform", "opacity", "translate", "rotate", "scale",
    "visibility", "stroke-width", "stroke-dasharray", "fill-rule", "color", "filter",
)  # fmt: skip


def random_sheet(rng: random.Random, count: int) -> tuple[str, list[tuple[str, str, str]]]:
    """A style sheet, and for each element its property, its own style text and its animation style text."""
    sheet: list[str] = []
    elements = []
    for number in range(count):
        name = rng.choice(PROPERTIES)
        seed = rng.random()
        names = []
        for layer in range(rng.choice((1, 1, 1, 1, 2, 3))):
            frames = []
            for _ in range(rng.choice((1, 2, 2, 3, 5))):
                selector = rng.choice(
                    ("from", "to", "0%", "100%", "50%", "25%, 75%", f"{rng.randint(0, 100)}%", "33.3%")
                )
                own = f"{name}: {random_value(rng, name, random.Random(seed))};"
                if rng.random() < 0.5:
                    own += f"animation-timing-function: {rng.choice(EASINGS)};"
                if rng.random() < 0.2:
                    own += f"animation-composition: {rng.choice(COMPOSITIONS)};"
                frames.append(f"{selector} {{ {own} }}")
            names.append(f"k{number}-{layer}")
            sheet.append(f"@keyframes k{number}-{layer} {{ {' '.join(frames)} }}")

        def several(values: tuple[str, ...]) -> str:
            return ", ".join(rng.choice(values) for _ in range(rng.randint(1, 3)))

        animation = (
            f"animation-name: {', '.join(names)}; animation-duration: {several(TIMES)};"
            f"animation-delay: {several(DELAYS)}; animation-iteration-count: {several(COUNTS)};"
            f"animation-direction: {several(DIRECTIONS)}; animation-fill-mode: {several(FILLS)};"
            f"animation-timing-function: {several(EASINGS)}; animation-composition: {several(COMPOSITIONS)};"
        )
        base = f"{name}: {random_value(rng, name, random.Random(seed))};" if rng.random() < 0.7 else ""
        elements.append((name, base, animation))
    return "\n".join(sheet), elements


READ = """([times, names]) => { const animations = document.getAnimations(); return times.map(time => {
  for (const animation of animations) { animation.pause(); animation.currentTime = time * 1000; }
  return names.map((name, i) => getComputedStyle(document.getElementById('e' + i)).getPropertyValue(name));
})}"""


def compile_track(
    name: str, base: str, animation: str, rules: dict[str, tuple[KeyframeBlock, ...]]
) -> TransformTrack | VectorTrack | Unknown:
    longhands = {item.name: item.tokens for item in declarations(tokens(animation))}
    animations = []
    for spec in animation_specs(longhands):
        frames = property_keyframes(rules[spec.name], spec)
        if name in frames:
            animations.append((spec, frames[name]))
    own = [item.tokens for item in declarations(tokens(base))]
    track = animate_property(name, animations, own[0] if own else tokens("initial"))
    return track.unknown or track if isinstance(track, TransformTrack) else track


def expected_matrix(name: str, text: str) -> np.ndarray[Any, Any]:
    value = parse_transform_property(name, tokens(text), Context())
    assert value is not None
    return value.matrix(*BOX)


@pytest.mark.browser
@pytest.mark.usefixtures("calibrated")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_animations(page: Callable[..., Page], seed: int) -> None:
    rng = random.Random(seed)
    sheet, elements = random_sheet(rng, ELEMENTS)
    body = "".join(
        f'<div id="e{number}" style="{base}{animation}"></div>' for number, (_, base, animation) in enumerate(elements)
    )
    rules_of_all = f"position: absolute; width: {BOX[0]}px; height: {BOX[1]}px; color: black"
    style = f"<style>div {{ {rules_of_all}; animation-play-state: paused }} {sheet}</style>"
    tab = page()
    tab.set_content(f"<!doctype html>{style}{body}")
    times = [0.0, 0.7, 1.0, 2.5, *(round(rng.uniform(0, 8), 3) for _ in range(10)), 500.123]
    measured = tab.evaluate(READ, [times, [name for name, _, _ in elements]])
    rules = {}
    for name, blocks in keyframe_rules(sheet).items():
        found = keyframe_blocks(blocks)
        assert isinstance(found, tuple)
        rules[name] = found
    wrong = []
    skipped = 0
    for number, (name, base, animation) in enumerate(elements):
        track = compile_track(name, base, animation, rules)
        if isinstance(track, Unknown):
            skipped += 1
            continue
        columns = [row[number] for row in measured]
        for time, got, text in compare(track, name, times, columns):
            wrong.append((number, name, base, animation, time, got, text))
    assert skipped <= ELEMENTS / 4
    assert not wrong, f"{len(wrong)} differ, the first: {wrong[0]}"


def compare(
    track: TransformTrack | VectorTrack, name: str, times: list[float], texts: list[str]
) -> list[tuple[float, Any, str]]:
    """The times at which a track and the browser's computed values differ."""
    moments = np.array(times)
    wrong: list[tuple[float, Any, str]] = []
    if isinstance(track, TransformTrack):
        rows = track.evaluate(moments, *BOX)
        expected = np.array([expected_matrix(name, text) for text in texts])
        scale = np.maximum(np.abs(expected).max(axis=1, keepdims=True), 1.0)
        known = ~np.isnan(rows).any(axis=1)
        bad = known & ~(np.abs(rows - expected) <= 2e-5 * scale + 2e-5).all(axis=1)
        return [(times[i], rows[i].tolist(), texts[i]) for i in np.flatnonzero(bad)]
    assert name not in TRANSFORM_PROPERTIES
    series = track.evaluate(moments)
    for index, value in series.pieces:
        for position, moment in enumerate(index.tolist()):
            wanted = property_types()[name].parse(tokens(texts[moment]), Context())
            assert wanted is not None
            wanted = property_types()[name].arithmetic.finish(wanted)
            numbers = value.numbers[position] if value.numbers.ndim == 2 else value.numbers
            if not same(name, Vector(value.form, numbers), wanted):
                wrong.append((times[moment], (value.form, numbers.tolist()), texts[moment]))
    return wrong


def same(name: str, value: Vector, wanted: Vector) -> bool:
    if name == "stroke-dasharray" and value.numbers.size and wanted.numbers.size:
        count = math.lcm(value.numbers.size, wanted.numbers.size)
        mine, theirs = (np.tile(each.numbers, count // each.numbers.size) for each in (value, wanted))
        return np.allclose(mine, theirs, atol=1e-4, rtol=1e-4)
    if value.form != wanted.form:
        return False
    if name == "color":
        # The browser rounds what it reports; of a faint colour little is left to compare.
        if wanted.numbers[3] < 0.01:
            return bool(value.numbers[3] < 0.016)
        close = np.abs(value.numbers - wanted.numbers) <= 0.6 / 255 / max(float(wanted.numbers[3]), 0.02)
        return bool(close[:3].all()) and abs(float(value.numbers[3] - wanted.numbers[3])) <= 0.0055
    return np.allclose(value.numbers, wanted.numbers, atol=1e-4, rtol=1e-4)


def test_the_generator_covers_what_it_should() -> None:
    sheet, elements = random_sheet(random.Random(1), ELEMENTS)
    assert len(elements) >= 300
    assert all(f"animation-composition: {word}" in sheet for word in ("add", "accumulate"))
    assert tinycss2.parse_stylesheet(sheet)


SHORTHANDS = (
    "a 1s", "1s a", "1s 2s", "none", "1s none", "none 1s none", "ease ease", "ease linear 1s", "infinite infinite 1s",
    '"none" 1s', '"foo" 1s', "initial 1s", "1s a add", "1s, 2s none", "steps(2, jump-both) a 3s", "a -1s", "-1s -2s",
    "1s -2s a", "0.5", "2 3 a", "alternate normal a", "normal normal normal", "normal normal", "running paused a",
    "both both", "both forwards", "forwards both none", "none none none", "auto a", "a b", "a 1s,", "a 1s a", "default",
    "ease ease ease", "1 a 2s 3", "infinite 1s linear wag 2", "1s linear(0, 1) a", "-foo 1s", "calc(1s*2) a",
    "a 1s cubic-bezier(2,0,0,0)", "paused infinite alternate both 2s ease-in 300ms wag", "A 1S Infinite", "a 0s 0s",
)  # fmt: skip


@pytest.mark.browser
def test_the_shorthand(page: Callable[..., Page]) -> None:
    tab = page()
    tab.set_content("<!doctype html><div></div>")
    names = list(SHORTHAND_LONGHANDS)
    measured = tab.evaluate(
        """([texts, names]) => texts.map(text => {
          const style = document.querySelector('div').style;
          style.cssText = ''; style.animation = text;
          return style.animation === '' ? null : names.map(name => style.getPropertyValue(name));
        })""",
        [list(SHORTHANDS), names],
    )
    initial = dict(zip(names, ("auto", "ease", "0s", "1", "normal", "none", "running", "none"), strict=True))
    for text, expected in zip(SHORTHANDS, measured, strict=True):
        entries = parse_animation_shorthand(tokens(text))
        if expected is None:
            assert entries is None, text
            continue
        assert entries is not None, text
        longhands = {
            name: tokens(", ".join(initial[name] if node is None else node.serialize() for node in column))
            for name, column in zip(names, zip(*(entry.nodes for entry in entries), strict=True), strict=True)
        }
        wanted = {name: tokens(value) for name, value in zip(names, expected, strict=True)}
        assert animation_specs(longhands) == animation_specs(wanted), text
