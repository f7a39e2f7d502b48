"""The collector's setting is raised while judging and given back, whatever happens."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from husky_lint.collecting import rare_collections

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def _given_back() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def judge_and_fail() -> None:
    with rare_collections():
        assert gc.get_threshold()[0] >= 100_000
        raise ZeroDivisionError


def test_raised_inside_and_given_back_after_an_error() -> None:
    gc.set_threshold(700, 10, 10)
    with pytest.raises(ZeroDivisionError):
        judge_and_fail()
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("chosen", [(0, 10, 10), (1_000_000, 500, 500)])
def test_a_caller_who_collects_less_is_not_overruled(chosen: tuple[int, int, int]) -> None:
    gc.set_threshold(*chosen)
    with rare_collections():
        assert gc.get_threshold() == chosen
