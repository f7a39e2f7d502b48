"""Where the dog stands, which way it faces, and whose numbers drive its hind limbs."""

from __future__ import annotations

import pytest
from husky_lint.rules.husky.skeleton_dog import DOG

from husky_lint.rule import Judgement

from .anatomy import judged, redrawn, ruling


@pytest.mark.parametrize("code", ["HB2108", "HB2301", "HB2315"])
def test_the_skeleton_is_right(code: str) -> None:
    assert judged(code) is Judgement.PASS


@pytest.mark.parametrize("css", [".dog { translate: 40px }", ".dog { scale: .8 }", ".dog { translate: 0 -40px }"])
def test_a_dog_that_stands_elsewhere(css: str) -> None:
    assert judged("HB2108", css=css) is Judgement.FAIL


def test_a_dog_that_faces_left() -> None:
    assert (
        judged("HB2301", css=".dog { transform: scaleX(-1); transform-origin: 460px 0; animation: none }")
        is Judgement.FAIL
    )


def test_names_of_the_wrong_side_are_told() -> None:
    swapped = DOG.replace("fore near", "fore NEXT").replace("fore far", "fore near").replace("fore NEXT", "fore far")
    submission = redrawn()
    submission["index.html"] = str(submission["index.html"]).replace(DOG, swapped)
    verdict, findings = ruling("HB2301", submission)
    assert verdict.judgement is Judgement.FAIL
    assert any("is called" in finding.message for finding in findings)


MIRRORED = """
@keyframes fore-lower {{ 0%, 46%, 100% {{ transform: rotate(4deg) }} 70% {{ transform: rotate(-40deg) }} }}
@keyframes hind-lower {{ {0}%, {1}% {{ transform: rotate({2}deg) }} {3}% {{ transform: rotate({4}deg) }} }}
"""


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        (("0%, 46", 100, -4, 70, 40), Judgement.FAIL),
        (("0%, 46", 100, 4, 70, -40), Judgement.FAIL),
        (("0%, 46", 100, 13, 70, -31), Judgement.FAIL),
        (("0%, 46", 100, 4, 60, 40), Judgement.PASS),
        (("0%, 46", 100, -4, 70, 28), Judgement.PASS),
    ],
)
def test_whose_numbers_fold_the_knee(numbers: tuple[object, ...], expected: Judgement) -> None:
    css = MIRRORED.format(*numbers) + "#scene[data-speed] .fore .lower { animation-name: fore-lower !important }"
    assert judged("HB2315", css=css) is expected


def test_the_foreleg_s_curve_at_another_phase_is_still_the_foreleg_s() -> None:
    css = ".hind .lower { animation-name: fore-lower; animation-delay: -.3s !important }"
    assert judged("HB2315", css=css) is Judgement.FAIL


def test_a_hind_leg_drawn_as_a_pole() -> None:
    css = ".hind.near .lower { transform-origin: 356px 266px } .hind.near .pawgrp { transform-origin: 354px 306px }"
    assert judged("HB2315", css=css) is Judgement.FAIL
