"""What is drawn as a heart is told from what is not."""

from __future__ import annotations

import pytest
from husky_lint.rules.husky.heart_shape import is_heart_shaped


@pytest.mark.parametrize(
    "data",
    [
        "M0 6C-12-2-8-12 0-6C8-12 12-2 0 6Z",
        "M0,6 C-10,-2 -6,-10 0,-5 C6,-10 10,-2 0,6 Z",
        "M0 7C-9 1-9-6-4.5-7C-2-7.5 0-5.5 0-4C0-5.5 2-7.5 4.5-7C9-6 9 1 0 7Z",
        "M0 4C-8-6-14 4 0 14C14 4 8-6 0 4",
        "M12 21L3 12A5 5 0 0 1 12 7A5 5 0 0 1 21 12Z",
    ],
)
def test_hearts(data: str) -> None:
    assert is_heart_shaped(data)


@pytest.mark.parametrize(
    "data",
    [
        "",
        "M0 0",
        "M0 0H9",
        "M0 0H10V10H0Z",
        "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0-5 0Z",
        "M-5 0C-6-4-1-6 1-3C4-6 7-2 5 1C7 4 2 6 0 3C-3 6-7 3-5 0Z",
        "M-6 0Q-5-6 0-4Q6-6 6 0Q6 5 0 4Q-6 6-6 0Z",
        "M0-6C-12 2-8 12 0 6C8 12 12 2 0-6Z",
        "M0 0L5 10L-5 10Z",
        "M0 0L5-10L-5-10Z",
        "M0 6C-12-2-8-12 0-6C8-12 12-2 0 6ZM30 6C18-2 22-12 30-6C38-12 42-2 30 6Z",
        "M0 0L1e308 1e308L-1e308 1e308Z",
    ],
)
def test_what_is_no_heart(data: str) -> None:
    assert not is_heart_shaped(data)
