"""Keyframe rules and animated properties: the cases behind every assertion were asked of Chromium first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import tinycss2

from husky_lint.animation.keyframes import keyframe_blocks, parse_selector, property_keyframes
from husky_lint.animation.properties import Context, animate_property, custom_groups
from husky_lint.animation.timeline import AnimationSpec, animation_specs
from husky_lint.animation.tracks import TransformTrack
from husky_lint.animation.transforms import parse_transform_attribute
from husky_lint.animation.unknown import Unknown
from husky_lint.animation.vectors import VectorTrack


@dataclass(frozen=True)
class Declaration:
    name: str
    tokens: tuple[Any, ...]
    important: bool


@dataclass(frozen=True)
class Block:
    prelude: tuple[Any, ...]
    declarations: tuple[Declaration, ...]


def tokens(text: str) -> tuple[Any, ...]:
    return tuple(tinycss2.parse_component_value_list(text))


def declared(text: Any) -> tuple[Declaration, ...]:
    return tuple(
        Declaration(node.name if node.name.startswith("--") else node.lower_name, tuple(node.value), node.important)
        for node in tinycss2.parse_blocks_contents(text)
        if node.type == "declaration"
    )


def blocks(css: str) -> list[Block]:
    return [
        Block(tuple(rule.prelude), declared(rule.content))
        for rule in tinycss2.parse_rule_list(css)
        if rule.type == "qualified-rule"
    ]


def frames(css: str, style: str = "", **options: Any) -> Any:
    (spec,) = animation_specs(
        {d.name: d.tokens for d in declared(f"animation-name: k; animation-duration: 1s; {style}")}
    )
    found = keyframe_blocks(blocks(css))
    assert isinstance(found, tuple)
    return spec, property_keyframes(found, spec, **options)


def opacity(
    css: str, *times: float, style: str = "animation-timing-function: linear", base: str = "1", **options: Any
) -> Any:
    spec, found = frames(css, style, **options)
    track = animate_property("opacity", [(spec, found["opacity"])] if "opacity" in found else [], tokens(base))
    assert isinstance(track, VectorTrack)
    return pytest.approx(track.evaluate(np.array(times)).numbers()[:, 0].tolist(), abs=1e-5)


@pytest.mark.parametrize(
    ("selector", "offsets"),
    [("from", (0,)), ("TO", (1,)), ("0%, 50% , 100%", (0, 0.5, 1)), ("33.3%", (0.333,)), ("-1%", None), ("101%", None),
     ("25", None), ("0", None), ("50%, 110%", None), ("calc(25%)", None), ("", None), ("from to", None)],
)  # fmt: skip
def test_selectors(selector: str, offsets: tuple[float, ...] | None) -> None:
    found = parse_selector(tokens(selector))
    assert found is None if offsets is None else found == pytest.approx(offsets)


def test_missing_ends_are_the_value_underneath() -> None:
    assert opacity("50% { opacity: .2 }", 0, 0.25, 0.5, 0.75, base="0.8") == [0.8, 0.5, 0.2, 0.5]


def test_a_keyframe_may_leave_a_property_out() -> None:
    css = "0% { opacity: 0 } 50% { color: red } 100% { opacity: 1 }"
    assert opacity(css, 0.25, 0.5, 0.75) == [0.25, 0.5, 0.75]


def test_important_is_ignored() -> None:
    assert opacity("0% { opacity: 0; opacity: .5 !important } 100% { opacity: 1 !important }", 0.25) == [0.25]


@pytest.mark.parametrize(
    ("css", "expected"),
    [("0% { opacity: 0; animation-timing-function: var(--e) } 100% { opacity: 1 }", 0.25),
     ("0% { opacity: 0; @TF: steps(1); @TF: var(--e) } to { opacity: 1 }", 0.25),
     ("0% { opacity: 0; @TF: steps(1); @TF: bogus } to { opacity: 1 }", 0),
     ("0% { opacity: 0; animation-timing-function: steps(1), ease } to { opacity: 1 }", 0),
     ("0% { opacity: 0; animation-timing-function: ease, steps(1) } to { opacity: 1 }", 0.408511),
     ("0% { opacity: 0; animation-timing-function: initial } to { opacity: 1 }", 0.408511),
     ("0% { opacity: 0; animation-timing-function: steps(1) } 0% { opacity: .1 } to { opacity: 1 }", 0.325),
     ("0% { opacity: 0; animation-timing-function: steps(1) } 0% { color: red } to { opacity: 1 }", 0),
     ("0% { opacity: 0 } 25%, 110% { opacity: .9 } to { opacity: 1 }", 0.25),
     ("0% { opacity: .1; animation-composition: add, replace } to { opacity: .1 }", 0.475)],
)  # fmt: skip
def test_timing_functions_and_merging(css: str, expected: float) -> None:
    css = css.replace("@TF", "animation-timing-function")
    assert [expected] == opacity(css, 0.25, base="0.5" if "composition" in css else "1")


def test_each_stop_s_function_governs_to_the_next() -> None:
    css = "0% { opacity: 0; animation-timing-function: step-end } 50% { opacity: .5 } 100% { opacity: 1 }"
    assert opacity(css, 0, 0.49, 0.5, 0.75) == [0, 0, 0.5, 0.75]


def test_the_default_function_is_the_element_s_and_restarts_at_each_stop() -> None:
    css = "0% { opacity: 0 } 50% { opacity: 1 } 100% { opacity: 0 }"
    assert opacity(css, 0.25, 0.75, style="animation-timing-function: ease-in-out") == [0.5, 0.5]


def test_var_is_resolved_and_invalid_is_unset() -> None:
    def resolve(name: str, value: tuple[Any, ...]) -> tuple[Any, ...] | None:
        text = tinycss2.serialize(value)
        return None if "--nope" in text else tokens(text.replace("var(--x)", ".5"))

    assert opacity("0% { opacity: var(--x) } 100% { opacity: 1 }", 0.25, resolve=resolve) == [0.625]
    assert opacity("0% { opacity: 0; opacity: var(--nope) } 100% { opacity: 1 }", 0.25, resolve=resolve) == [1]


def test_shorthands_are_expanded() -> None:
    def expand(name: str, value: tuple[Any, ...]) -> Any:
        return [("opacity", value)] if name == "shine" else [(name, value)]

    assert opacity("0% { shine: 0 } 100% { shine: 1 }", 0.5, expand=expand) == [0.5]


def test_an_invalid_declaration_leaves_the_earlier_one() -> None:
    found = keyframe_blocks(
        blocks("0% { opacity: .5; opacity: nonsense }"),
        lambda name, value: tinycss2.serialize(value).strip() != "nonsense",
    )
    assert isinstance(found, tuple)
    assert [tinycss2.serialize(value) for _, value in found[0].declarations] == [".5"]


def test_doubled_offsets_jump() -> None:
    css = """0% { opacity: 0 } 50% { opacity: .2; animation-timing-function: linear }
             50% { opacity: .8; animation-timing-function: step-end } 100% { opacity: 1 }"""
    assert opacity(css, 0.25, 0.5, 0.75, style="animation-timing-function: linear") == [0.1, 0.8, 0.8]


def test_at_the_very_end_the_last_of_doubles_holds() -> None:
    css = """0% { opacity: 0 } 100% { opacity: .2 } 100% { opacity: .8; animation-timing-function: step-end }"""
    style = "animation-timing-function: linear; animation-fill-mode: forwards"
    assert opacity(css, 0.5, 1, style=style) == [0.1, 0.8]


def test_a_later_animation_wins_and_composes() -> None:
    low, high = AnimationSpec("a", 1.0, iteration_count=math.inf), AnimationSpec("b", 1.0, delay=0.5)
    first = property_keyframes(_blocks("0%, 100% { opacity: .5 }"), low)["opacity"]
    second = property_keyframes(_blocks("0%, 100% { opacity: .25; animation-composition: add }"), high)["opacity"]
    track = animate_property("opacity", [(low, first), (high, second)], tokens("1"))
    assert isinstance(track, VectorTrack)
    assert track.evaluate(np.array([0.0, 0.5, 1.4, 1.5])).numbers()[:, 0] == pytest.approx([0.5, 0.75, 0.75, 0.5])


def _blocks(css: str) -> Any:
    found = keyframe_blocks(blocks(css))
    assert isinstance(found, tuple)
    return found


@pytest.mark.parametrize(
    ("css", "expected"),
    [("0% { display: none } 100% { display: block }", ["none", "block", "block", "block"]),
     ("0% { display: block } 100% { display: none }", ["block", "block", "block", "block"]),
     ("0% { display: block } 100% { display: inline }", ["block", "block", "inline", "inline"]),
     ("0% { visibility: hidden } 100% { visibility: visible }", ["hidden", "visible", "visible", "visible"]),
     ("0% { visibility: hidden } 100% { visibility: collapse }", ["hidden", "hidden", "collapse", "collapse"]),
     ("0% { fill-rule: evenodd } 100% { fill-rule: nonzero }", ["evenodd", "evenodd", "nonzero", "nonzero"])],
)  # fmt: skip
def test_keywords(css: str, expected: list[str]) -> None:
    spec, found = frames(css, "animation-timing-function: linear")
    ((name, sequence),) = found.items()
    track = animate_property(name, [(spec, sequence)], tokens("initial"))
    assert isinstance(track, VectorTrack)
    assert track.evaluate(np.array([0.0, 0.25, 0.5, 0.99])).forms == expected


def test_whole_numbers_are_rounded() -> None:
    spec, found = frames("0% { z-index: 0 } 100% { z-index: 4 }", "animation-timing-function: linear")
    track = animate_property("z-index", [(spec, found["z-index"])], tokens("auto"))
    assert isinstance(track, VectorTrack)
    assert track.evaluate(np.array([0.1, 0.25, 0.375, 0.5])).numbers()[:, 0].tolist() == [0, 1, 2, 2]


@pytest.mark.parametrize(
    ("syntax", "css", "expected"),
    [("*", "0% { --p: .1 } 100% { --p: red }", [".1", ".1", "red"]),
     ("<number>", "0% { --p: .1 } 100% { --p: .9 }", ["0.1", "0.3", "0.5"]),
     ("<angle>", "0% { --p: 10deg } 100% { --p: .5turn }", ["10deg", "52.5deg", "95deg"]),
     ("<integer>", "0% { --p: 1 } 100% { --p: 4 }", ["1", "2", "3"]),
     ("<length>", "0% { --p: 1px } 100% { --p: 2em }", ["1px", "8.75px", "16.5px"]),
     ("<percentage>", "0% { --p: 10% } 100% { --p: 50% }", ["10%", "20%", "30%"]),
     ("<length-percentage>", "0% { --p: 10% } 100% { --p: 8px }",
      ["calc(0px + 10%)", "calc(2px + 7.5%)", "calc(4px + 5%)"]),
     ("<color>", "0% { --p: black } 100% { --p: white }",
      ["rgb(0 0 0 / 1)", "rgb(63.75 63.75 63.75 / 1)", "rgb(127.5 127.5 127.5 / 1)"]),
     ("<transform-list>", "0% { --p: scale(1) } 100% { --p: scale(2) }", ["scale(1)", "scale(1)", "scale(2)"])],
)  # fmt: skip
def test_custom_properties(syntax: str, css: str, expected: list[str]) -> None:
    spec, found = frames(css, "animation-timing-function: linear")
    context = Context(syntaxes={"--p": syntax})
    track = animate_property("--p", [(spec, found["--p"])], tokens("0"), context)
    assert isinstance(track, VectorTrack)
    groups = custom_groups({"--p": track}, np.array([0.0, 0.25, 0.5]))
    assert not isinstance(groups, Unknown)
    texts = [""] * 3
    for index, state in groups:
        for time in index.tolist():
            texts[time] = state["--p"]
    assert texts == expected


def test_too_many_states_of_custom_properties() -> None:
    spec, found = frames("0% { --p: 0 } 100% { --p: 1 }")
    track = animate_property("--p", [(spec, found["--p"])], tokens("0"), Context(syntaxes={"--p": "<number>"}))
    assert isinstance(track, VectorTrack)
    assert isinstance(custom_groups({"--p": track}, np.linspace(0, 0.9, 600)), Unknown)


def test_an_attribute_can_be_the_base_of_a_transform() -> None:
    base = parse_transform_attribute("translate(10 20)")
    assert base is not None
    spec, found = frames("50% { transform: translate(30px, 40px) }", "animation-timing-function: linear")
    track = animate_property("transform", [(spec, found["transform"])], base)
    assert track.evaluate(np.array([0.0, 0.25, 2.0]))[:, 4:] == pytest.approx(np.array([[10, 20], [20, 30], [10, 20]]))


def test_a_reference_box_that_moves() -> None:
    spec, found = frames("0%, 100% { transform: translate(50%, min(30px, 10%)) }")
    track = animate_property("transform", [(spec, found["transform"])], tokens("none"))
    assert isinstance(track, TransformTrack)
    rows = track.evaluate(np.array([0.0, 0.5, 5.0]), np.array([10.0, 20.0, 30.0]), np.array([100.0, 1000.0, 1000.0]))
    assert rows[:, 4:] == pytest.approx(np.array([[5, 10], [10, 30], [0, 0]]))


@pytest.mark.parametrize(
    "value", ["rotateX(20deg)", "translateZ(5px)", "perspective(100px)", "rotate3d(1, 1, 0, 9deg)", "scaleZ(2)"]
)
def test_three_dimensions_are_never_two(value: str) -> None:
    spec, found = frames(f"0% {{ transform: {value} }}")
    track = animate_property("transform", [(spec, found["transform"])], tokens("none"))
    assert isinstance(track, TransformTrack)
    assert track.unknown is not None
    assert track.unknown.reason == "unsupported-css"
    assert np.isnan(track.evaluate(np.array([0.0, 0.3, 0.6]))).all()


@pytest.mark.parametrize(
    "value",
    ["translateZ(0)", "translate3d(1px, 2px, 0)", "rotateZ(20deg)", "rotate3d(0, 0, -2, 9deg)", "scale3d(2, 3, 1)"],
)
def test_three_dimensional_spelling_of_two(value: str) -> None:
    spec, found = frames(f"0% {{ transform: {value} }}")
    track = animate_property("transform", [(spec, found["transform"])], tokens("none"))
    assert isinstance(track, TransformTrack)
    assert track.unknown is None
    assert np.isfinite(track.evaluate(np.array([0.0, 0.3, 0.6]))).all()


def test_what_is_not_interpolated_is_unknown_unless_it_rests() -> None:
    spec, found = frames("0% { clip-path: circle(5px) } 100% { clip-path: circle(9px) }")
    assert isinstance(animate_property("clip-path", [(spec, found["clip-path"])], tokens("none")), Unknown)
    spec, found = frames("0%, 100% { clip-path: none }")
    assert isinstance(animate_property("clip-path", [(spec, found["clip-path"])], tokens("none")), VectorTrack)


def test_ten_thousand_stops() -> None:
    css = " ".join(f"{number / 100}% {{ transform: rotate({number}deg) }}" for number in range(10_000))
    found = keyframe_blocks(blocks(css))
    assert isinstance(found, Unknown)
    assert found.reason == "limit"
    spec, many = frames(" ".join(f"{n / 30}% {{ transform: rotate({n}deg) }}" for n in range(3000)))
    track = animate_property("transform", [(spec, many["transform"])], tokens("none"))
    assert isinstance(track, TransformTrack)
    assert np.isfinite(track.evaluate(np.linspace(0, 1, 50))).all()


@pytest.mark.parametrize(
    "value",
    ["translate(calc(infinity * 1px))", "scale(calc(NaN))", "scale(1e300)", "rotate(calc(infinity * 1deg))",
     "matrix(1e38, 1e38, 1e38, 1e38, 1e38, 1e38) scale(1e38) scale(1e38)", "skewX(90deg) " * 30,
     "matrix(1e15, 0, 0, 1e15, 0, 0) " * 100, "translate(1px) " * 2000, "skew(calc(1deg / 0))"],
)  # fmt: skip
@pytest.mark.parametrize("other", ["none", "rotate(5deg) scale(2)", "matrix(1, 2, 3, 4, 5, 6)"])
def test_numbers_without_sense_give_a_number_or_nothing(value: str, other: str) -> None:
    curve = "animation-timing-function: cubic-bezier(0, 1e30, 1, -1e30)"
    css = f"0% {{ transform: {value}; {curve} }} 60% {{ transform: {other} }}"
    spec, found = frames(css, "animation-composition: accumulate")
    track = animate_property("transform", [(spec, found["transform"])], tokens("rotate(1deg)"))
    assert isinstance(track, TransformTrack)
    rows = track.evaluate(np.linspace(-1, 2, 20))
    assert rows.shape == (20, 6)
    assert (np.isfinite(rows).all(axis=1) | np.isnan(rows).all(axis=1)).all()


def test_no_times() -> None:
    spec, found = frames("0% { transform: scale(2); opacity: .5 }")
    track = animate_property("transform", [(spec, found["transform"])], tokens("none"))
    assert isinstance(track, TransformTrack)
    assert track.evaluate(np.zeros(0)).shape == (0, 6)
    other = animate_property("opacity", [(spec, found["opacity"])], tokens("1"))
    assert isinstance(other, VectorTrack)
    assert other.evaluate(np.zeros(0)).count == 0
