"""Interpolation and composition against web-platform-tests, as far as Chromium agrees with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tinycss2

from husky_lint.animation.easing import LinearEasing
from husky_lint.animation.offset import path_vector, vector_path
from husky_lint.animation.properties import Context, animate_property, parse_transform_property, property_types
from husky_lint.animation.timeline import AnimationSpec, Composition
from husky_lint.animation.tracks import Keyframe, Layer, SingleArithmetic, TransformTrack, evaluate_stack
from husky_lint.animation.transforms import NONE
from husky_lint.animation.vectors import VectorTrack
from husky_lint.scene.paths import parse_path

VECTORS = Path(__file__).resolve().parents[3] / "shared" / "wpt" / "interpolation.json"
CASES: list[dict[str, Any]] = json.loads(VECTORS.read_text())["cases"] if VECTORS.is_file() else []
NOW = np.array([0.0])
INITIAL = {"transform-origin": "50% 50%", "offset-rotate": "auto", "offset-distance": "0px"}


def tokens(text: str, name: str) -> tuple[Any, ...]:
    if text in {"initial", "inherit", "unset"}:
        text = INITIAL.get(name, "none")
    return tuple(tinycss2.parse_component_value_list(text))


def keyframes(case: dict[str, Any]) -> list[Keyframe[tuple[Any, ...]]]:
    frames = []
    easing = LinearEasing(((0.0, case["at"]),))
    for offset, end in ((0.0, "From"), (1.0, "To")):
        for key, composition in (
            (end.lower(), Composition.REPLACE),
            ("replace" + end, Composition.REPLACE),
            ("add" + end, Composition.ADD),
            ("accumulate" + end, Composition.ACCUMULATE),
        ):
            if key in case:
                frames.append(Keyframe(offset, tokens(case[key], case["property"]), easing, composition))
    assert len(frames) == 2
    return frames


def identify(case: dict[str, Any]) -> str:
    shown = {key: value for key, value in case.items() if key not in {"file", "kind", "expect", "chromium", "matrix"}}
    return " ".join(str(value) for value in shown.values())


@pytest.mark.skipif(not CASES, reason="no test vectors beside the repository")
def test_the_vectors_are_whole() -> None:
    assert len(CASES) == 692


@pytest.mark.parametrize("case", CASES, ids=identify)
def test_interpolates_as_chromium_does(case: dict[str, Any]) -> None:
    name = case["property"]
    spec = AnimationSpec("a", duration=1.0, paused=True)
    frames = keyframes(case)
    underlying = tokens(case.get("underlying", "initial"), name)
    track = animate_property(name, [(spec, frames)], underlying)
    if name == "transform":
        assert isinstance(track, TransformTrack)
        assert track.evaluate(NOW, 100.0, 100.0)[0] == pytest.approx(case["matrix"], abs=1e-3, rel=1e-5)
    elif name in {"translate", "rotate", "scale"}:
        _check_individual(name, spec, frames, underlying, tokens(case["chromium"], name))
    else:
        assert isinstance(track, VectorTrack)
        expected = property_types()[name].parse(tokens(case["chromium"], name), Context())
        ((_, value),) = track.evaluate(NOW).pieces
        assert expected is not None
        if name == "transform-origin":
            assert _used_origin(value.numbers) == pytest.approx(_used_origin(expected.numbers), abs=1e-3)
            return
        assert value.form == expected.form
        numbers = np.atleast_2d(value.numbers)[0]
        if name == "offset-path" and isinstance(value.form, tuple) and value.form[0] == "path":
            numbers = _with_flags(value.form[1], numbers)
        assert numbers == pytest.approx(expected.numbers, abs=1e-3, rel=1e-5)


def _check_individual(
    name: str, spec: AnimationSpec, frames: list[Keyframe[Any]], underlying: tuple[Any, ...], expected: tuple[Any, ...]
) -> None:
    def parse(value: tuple[Any, ...]) -> Any:
        return parse_transform_property(name, value, Context())

    layer = Layer(spec, tuple(Keyframe(f.offset, parse(f.value or ()), f.easing, f.composition) for f in frames))
    for box in ((100.0, 100.0), (37.0, 250.0)):
        ((_, value),) = evaluate_stack([layer], parse(underlying) or NONE, NOW, SingleArithmetic(*box))
        got = np.broadcast_to(value.matrix_3d(*box), (1, 4, 4))[0]
        assert got == pytest.approx(parse(expected).matrix_3d(*box), abs=1e-3, rel=1e-5)


def _used_origin(numbers: np.ndarray[Any, Any]) -> list[float]:
    x, x_part, y, y_part, z = np.atleast_2d(numbers)[0].tolist()
    return [x + x_part * 100, y + y_part * 100, z]


def _with_flags(letters: str, numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Arc flags as they are used: an interpolated flag counts from one half on."""
    result = numbers.copy()
    position = 0
    for letter, arguments in vector_path(letters, numbers.tolist()).commands:
        if letter == "A":
            result[position + 3 : position + 5] = result[position + 3 : position + 5] >= 0.5
        position += len(arguments)
    return result


def test_relative_commands_become_absolute() -> None:
    relative = path_vector(parse_path("m 10 20 l 40 50 z h 5 v 6 q 1 2 3 4 a 5 6 7 0 1 8 9"))
    absolute = path_vector(parse_path("M10 20 L50 70 Z H15 V26 Q16 28 18 30 A5 6 7 0 1 26 39"))
    assert relative.form == absolute.form
    assert relative.numbers == pytest.approx(absolute.numbers)
