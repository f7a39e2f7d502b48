"""The timing model: phases, directions, iterations, and the coupling of lists."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import tinycss2
from hypothesis import given
from hypothesis import strategies as st

from husky_lint.animation.easing import EASE, LINEAR
from husky_lint.animation.timeline import (
    AnimationSpec,
    Composition,
    Direction,
    animation_specs,
    before_flag,
    parse_animation_shorthand,
    progress,
)

NAN = math.nan


def tokens(text: str) -> list[Any]:
    return list(tinycss2.parse_component_value_list(text))


def shown(spec: AnimationSpec, *times: float) -> list[float]:
    return [float(value) for value in progress(spec, np.array(times))[0]]


def approx(values: list[float]) -> Any:
    return pytest.approx(values, nan_ok=True)


def test_phases_exclude_the_end() -> None:
    spec = AnimationSpec("a", duration=2, delay=1)
    assert shown(spec, 0, 0.999, 1, 2, 2.999, 3, 9) == approx([NAN, NAN, 0, 0.5, 0.9995, NAN, NAN])


@pytest.mark.parametrize(("backwards", "forwards", "expected"), [
    (False, False, [NAN, 0.5, NAN]), (True, False, [0, 0.5, NAN]), (False, True, [NAN, 0.5, 1]),
    (True, True, [0, 0.5, 1]),
])  # fmt: skip
def test_fill(backwards: bool, forwards: bool, expected: list[float]) -> None:
    spec = AnimationSpec("a", duration=2, delay=1, fills_backwards=backwards, fills_forwards=forwards)
    assert shown(spec, 0.5, 2, 3) == approx(expected)


@pytest.mark.parametrize(("direction", "expected"), [
    (Direction.NORMAL, [0.25, 0.25, 0.25]), (Direction.REVERSE, [0.75, 0.75, 0.75]),
    (Direction.ALTERNATE, [0.25, 0.75, 0.25]), (Direction.ALTERNATE_REVERSE, [0.75, 0.25, 0.75]),
])  # fmt: skip
def test_direction(direction: Direction, expected: list[float]) -> None:
    spec = AnimationSpec("a", duration=4, iteration_count=math.inf, direction=direction)
    assert shown(spec, 1, 5, 9) == approx(expected)


def test_a_negative_delay_starts_in_the_middle() -> None:
    assert shown(AnimationSpec("a", duration=4, delay=-1, iteration_count=math.inf), 0, 3, 4) == approx([0.25, 0, 0.25])
    assert shown(AnimationSpec("a", duration=4, delay=-5), 0, 1) == approx([NAN, NAN])
    assert shown(AnimationSpec("a", duration=4, delay=-5, fills_forwards=True), 0) == approx([1])


@pytest.mark.parametrize(("count", "direction", "final"), [
    (1, Direction.NORMAL, 1), (2, Direction.NORMAL, 1), (2.25, Direction.NORMAL, 0.25), (0.5, Direction.NORMAL, 0.5),
    (0, Direction.NORMAL, 0), (0, Direction.REVERSE, 1), (2, Direction.ALTERNATE, 0), (3, Direction.ALTERNATE, 1),
    (1, Direction.REVERSE, 0), (1.75, Direction.ALTERNATE, 0.25),
])  # fmt: skip
def test_what_fills_forwards(count: float, direction: Direction, final: float) -> None:
    spec = AnimationSpec("a", duration=0.3, iteration_count=count, direction=direction, fills_forwards=True)
    assert shown(spec, 50) == approx([final])


def test_the_end_of_many_iterations_is_the_end() -> None:
    """0.4 s × 3 is a little more than 1.2 s in binary: the last iteration still ends at 1."""
    assert shown(AnimationSpec("a", duration=0.4, iteration_count=3, fills_forwards=True), 2) == [1]


def test_no_duration() -> None:
    spec = AnimationSpec("a", duration=0, delay=1, fills_backwards=True, fills_forwards=True)
    assert shown(spec, 0, 1, 2) == approx([0, 1, 1])
    endless = AnimationSpec("a", duration=0, iteration_count=math.inf, fills_forwards=True)
    assert shown(endless, 0, 5) == approx([1, 1])
    assert shown(AnimationSpec("a", duration=0), 0, 5) == approx([NAN, NAN])


def test_iteration_start() -> None:
    spec = AnimationSpec("a", duration=2, iteration_start=0.5, iteration_count=1, fills_forwards=True)
    assert shown(spec, 0, 0.5, 1, 1.5, 2) == approx([0.5, 0.75, 0, 0.25, 0.5])


def test_current_iteration() -> None:
    spec = AnimationSpec("a", duration=2, iteration_count=3, fills_forwards=True)
    assert progress(spec, np.array([0.0, 2.0, 5.9, 7.0]))[1].tolist() == [0, 1, 2, 2]


def test_paused_holds_what_it_shows_at_zero() -> None:
    assert shown(AnimationSpec("a", duration=4, delay=-1, paused=True), 0, 2, 99) == approx([0.25, 0.25, 0.25])
    assert shown(AnimationSpec("a", duration=4, delay=1, paused=True), 0, 2) == approx([NAN, NAN])


def test_before_flag() -> None:
    times = np.array([0.0, 1.0, 2.0, 3.0])
    plain = AnimationSpec("a", duration=1, delay=1, fills_backwards=True, fills_forwards=True)
    for spec, expected in (
        (plain, [True, False, False, False]),
        (AnimationSpec("a", duration=1, delay=1, direction=Direction.REVERSE), [False, False, True, True]),
    ):
        flags = before_flag(spec, times, progress(spec, times)[1])
        assert np.broadcast_to(flags, 4).tolist() == expected
    assert before_flag(AnimationSpec("a", duration=1, iteration_count=math.inf), times, times) is False


@given(
    st.floats(0, 5), st.floats(-8, 8), st.sampled_from([0, 0.5, 1, 2.5, 3, math.inf]), st.sampled_from(list(Direction)),
    st.booleans(), st.booleans(), st.floats(0, 3), st.lists(st.floats(0, 1e6), max_size=8),
)  # fmt: skip
def test_progress_is_a_fraction(
    duration: float, delay: float, count: float, direction: Direction, backwards: bool, forwards: bool, start: float,
    times: list[float],
) -> None:  # fmt: skip
    spec = AnimationSpec("a", duration, delay, count, start, direction, backwards, forwards)
    values, iteration = progress(spec, np.array(times))
    in_effect = ~np.isnan(values)
    assert ((values[in_effect] >= 0) & (values[in_effect] <= 1)).all()
    assert (np.isnan(iteration) == ~in_effect).all()


def test_lists_are_coupled() -> None:
    specs = animation_specs({
        "animation-name": tokens('a, none, "b", c, D'),
        "animation-duration": tokens("1s, 2s"),
        "animation-delay": tokens("100ms, -1s, calc(1s * 3), 4s, 5s, 6s"),
        "animation-timing-function": tokens("linear, ease"),
        "animation-iteration-count": tokens("infinite, 2.5"),
        "animation-fill-mode": tokens("both"),
        "animation-play-state": tokens("running, paused, running"),
        "animation-direction": tokens("alternate-reverse"),
        "animation-composition": tokens("add, replace, accumulate"),
    })  # fmt: skip
    assert [spec.name for spec in specs] == ["a", "b", "c", "D"]
    assert [spec.duration for spec in specs] == [1, 1, 2, 1]
    assert [spec.delay for spec in specs] == pytest.approx([0.1, 3, 4, 5])
    assert [spec.easing for spec in specs] == [LINEAR, LINEAR, EASE, LINEAR]
    assert [spec.iteration_count for spec in specs] == [math.inf, math.inf, 2.5, math.inf]
    assert [spec.paused for spec in specs] == [False, False, False, True]
    assert [spec.composition for spec in specs] == [
        Composition.ADD,
        Composition.ACCUMULATE,
        Composition.ADD,
        Composition.REPLACE,
    ]
    assert all(spec.fills_backwards and spec.fills_forwards for spec in specs)


@pytest.mark.parametrize("names", ["", "none", "none, none", "inherit", "1s", "a b"])
def test_no_animation(names: str) -> None:
    assert animation_specs({"animation-name": tokens(names), "animation-duration": tokens("1s")}) == []


def test_invalid_lists_count_as_initial() -> None:
    (spec,) = animation_specs({"animation-name": tokens("a"), "animation-duration": tokens("1s, -2s")})
    assert spec == AnimationSpec("a")


def test_numbers_without_end() -> None:
    (spec,) = animation_specs({
        "animation-name": tokens("a"),
        "animation-duration": tokens("calc(infinity * 1s)"),
        "animation-delay": tokens("calc(-infinity * 1s)"),
        "animation-iteration-count": tokens("calc(infinity)"),
    })  # fmt: skip
    assert np.isfinite(progress(spec, np.array([0.0, 1.0]))[0]).all()


@pytest.mark.parametrize(
    ("text", "nodes"),
    # CSS Animations 1, section 4.9: the first time is the duration, keywords go to their property before the name
    [("3s ease-in 1s 2 reverse both paused slidein",
      ["3s", "ease-in", "1s", "2", "reverse", "both", "paused", "slidein"]),
     ("3s linear 1s slidein", ["3s", "linear", "1s", None, None, None, None, "slidein"]),
     ("3s none backwards", ["3s", None, None, None, None, "none", None, "backwards"]),
     ("3s backwards", ["3s", None, None, None, None, "backwards", None, None])],
)  # fmt: skip
def test_shorthand_order(text: str, nodes: list[str | None]) -> None:
    (entry,) = parse_animation_shorthand(tokens(text)) or []
    assert [None if node is None else node.serialize() for node in entry.nodes] == nodes
