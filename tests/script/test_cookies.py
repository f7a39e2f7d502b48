"""When a cookie that script writes is gone at once."""

from __future__ import annotations

import pytest

from husky_lint.script.cookies import is_gone


@pytest.mark.parametrize(
    ("attributes", "gone"),
    [
        ("", False),
        ("; max-age=31536000; path=/", False),
        ("; max-age=0", True),
        ("; Max-Age = -1", True),
        ("; max-age=031536000", False),
        ("; max-age=soon", False),
        ("; expires=Thu, 01 Jan 1970 00:00:00 GMT", True),
        ("; expires=Fri, 31 Dec 9999 23:59:59 GMT", False),
        ("; expires=Thu, 01 Jan 1970 00:00:00 GMT; max-age=60", False),
        ("; expires=then", False),
        ("; path=/1970", False),
        ("; expires=" + "9" * 5000, False),
        ("; max-age=" + "9" * 5000, False),
    ],
)
def test_a_cookie_that_is_gone_at_once(attributes: str, gone: bool) -> None:
    assert is_gone(f"husky-sky=night{attributes}") is gone
