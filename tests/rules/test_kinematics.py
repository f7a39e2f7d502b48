"""Gait analysis on paws whose motion is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from husky_lint.rules.husky.kinematics import PawTrack, direction, fold, outline_points, paw_track, stride_times
from husky_lint.rules.husky.turning import find_turns
from hypothesis import given
from hypothesis import strategies as st

from husky_lint.scene.paths import parse_path

if TYPE_CHECKING:
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]

COUNT = 200


def track(x: FloatArray, y: FloatArray) -> PawTrack:
    return PawTrack(stride_times(1.0, len(x)), 1.0, y, x, np.roll(x, -1) - x)


def walker(stance: float = 0.5, length: float = 80.0, height: float = 20.0) -> PawTrack:
    """Back along the path at y 340 for a part of the cycle, forward through the air for the rest."""
    phase = np.arange(COUNT) / COUNT
    along = np.where(phase < stance, 1 - phase / stance, (phase - stance) / (1 - stance))
    lifted = np.where(phase < stance, 0.0, np.sin(np.pi * (phase - stance) / (1 - stance)))
    return track(500 + length * (along - 0.5), 340 - height * lifted)


def test_a_walker_drifts_back_by_its_step_and_lifts() -> None:
    paw = walker()
    assert paw.drift(336) == pytest.approx(-76.0, abs=6)
    assert paw.drift(339.9) == pytest.approx(-80.0, abs=2)
    assert paw.lift(339.9) == pytest.approx(20.0, abs=0.1)
    assert paw.share_down(339.9) == pytest.approx(0.5, abs=0.02)


def test_a_moonwalker_drifts_forward() -> None:
    paw = walker()
    backward = track(paw.sole_x[::-1].copy(), paw.lowest[::-1].copy())
    assert backward.drift(336) > 60
    assert backward.drag(336)[0] > 60


def test_a_forward_run_across_the_end_of_the_cycle_counts_whole() -> None:
    phase = np.arange(COUNT) / COUNT
    x = np.where((phase >= 0.9) | (phase < 0.1), 10 * ((phase + 0.1) % 1.0), 2 * (1 - phase))
    paw = track(x, np.full(COUNT, 340.0))
    run, begin = paw.drag(336)
    assert run == pytest.approx(2.0, abs=0.4)
    assert begin == pytest.approx(0.9, abs=0.02)


@given(st.floats(0.1, 0.85), st.floats(5, 150), st.integers(0, COUNT - 1))
def test_drift_and_lift_do_not_depend_on_where_the_cycle_is_cut(stance: float, length: float, cut: int) -> None:
    paw = walker(stance, length)
    cut_paw = track(np.roll(paw.sole_x, cut), np.roll(paw.lowest, cut))
    for threshold in (335, 336, 338):
        assert cut_paw.drift(threshold) == pytest.approx(paw.drift(threshold), abs=1e-6)
        assert cut_paw.drag(threshold)[0] == pytest.approx(paw.drag(threshold)[0], abs=1e-6)
        assert cut_paw.lift(threshold) == pytest.approx(paw.lift(threshold), abs=1e-6)


def test_skate_is_the_share_by_which_a_planted_paw_misses_the_ground() -> None:
    paw = walker(stance=0.5, length=80)
    assert paw.skate(339.9, -160.0) == pytest.approx(0.0, abs=0.05)
    assert paw.skate(339.9, -80.0) == pytest.approx(1.0, abs=0.05)


def test_contacts_give_strike_and_toe_off() -> None:
    contacts = walker(0.4).contacts(339.9)
    assert len(contacts) == 1
    strike, toe_off = contacts[0]
    assert strike == pytest.approx(0.0, abs=0.02)
    assert toe_off == pytest.approx(0.4, abs=0.02)


def test_the_sole_is_the_outline_near_its_lowest_point() -> None:
    outline = np.array([[[0.0, 0.0], [10.0, 0.0], [10.0, 20.0], [4.0, 18.0]]])
    found = paw_track(np.zeros(1), 1.0, [outline], 3.0)
    assert found.lowest.tolist() == [20.0]
    assert found.sole_x.tolist() == [7.0]


def test_a_paw_that_rolls_onto_its_toes_is_not_dragged() -> None:
    """Heel-off about the tip of a toe that goes back with the ground: the sole's middle runs ahead, no point does."""
    paw = np.stack([np.linspace(-20.0, 0.0, 41), np.zeros(41)], axis=1)
    lift = np.radians(np.linspace(0.0, 40.0, 60))
    toe = np.stack([500.0 - np.arange(60) * 0.1, np.full(60, 340.0)], axis=1)
    turned = np.stack([paw[None, :, 0] * np.cos(lift)[:, None], paw[None, :, 0] * np.sin(lift)[:, None]], axis=2)
    rolling = paw_track(stride_times(1.0, 60), 1.0, [turned + toe[:, None]], 3.0)
    assert np.ptp(rolling.sole_x) > 4
    assert np.diff(rolling.sole_x).max() > 0.2
    assert rolling.drag(336)[0] < 0.5
    assert track(rolling.sole_x, rolling.lowest).drag(336)[0] > 3


def test_outline_points_are_even_and_a_stroke_grows_them() -> None:
    points = outline_points(parse_path("M0 0H100V1H0Z"))
    steps = np.hypot(*np.diff(points, axis=0).T)
    assert steps.max() < 0.5
    grown = outline_points(parse_path("M0 0H100"), half_width=5)
    assert grown[:, 1].max() == pytest.approx(5, abs=0.05)
    assert grown[:, 0].min() == pytest.approx(-5, abs=0.05)


def test_angles_are_positive_toward_the_tail() -> None:
    hip, ahead, behind = np.array([[0.0, 0.0]]), np.array([[10.0, 10.0]]), np.array([[-10.0, 10.0]])
    assert direction(hip, ahead) == pytest.approx([-45.0])
    assert direction(hip, behind) == pytest.approx([45.0])
    assert fold(hip, np.array([[0.0, 10.0]]), np.array([[-10.0, 10.0]])) == pytest.approx([90.0])


class _Node:
    """All that turning asks of a node."""

    def __init__(self, parent: _Node | None = None) -> None:
        self.parent = parent


@given(st.floats(-500, 500), st.floats(-500, 500), st.floats(-300, 300), st.floats(-300, 300))
def test_a_pivot_is_found_however_the_joint_is_put(px: float, py: float, tx: float, ty: float) -> None:
    """rotate about (px, py), and translate(t) rotate() translate(-p): the same centre, put in another place."""
    angles = np.radians(np.linspace(-20, 30, 24))
    cos, sin = np.cos(angles), np.sin(angles)
    root, joint = _Node(), _Node()
    joint.parent = root
    still = np.tile([1.0, 0, 0, 1, 0, 0], (24, 1))
    moved = np.stack([cos, sin, -sin, cos, tx - cos * px + sin * py, ty - sin * px - cos * py], axis=1)
    turn = find_turns({root: still, joint: moved})[joint]
    assert turn.centre == pytest.approx((px, py), abs=1e-4)
    assert turn.pivot == pytest.approx((tx, ty), abs=1e-4)
    assert turn.range == pytest.approx(50.0)
    assert turn.residual == pytest.approx(0.0, abs=1e-6)
