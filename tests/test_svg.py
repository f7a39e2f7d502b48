"""Writing SVG: nothing hostile becomes markup, no number is no number."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from husky_lint.pictures import Picture
from husky_lint.svg import document, element, matrix_attribute, number, polyline_data


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(1.0, 1, "1"), (-0.04, 1, "0"), (2.46, 1, "2.5"), (math.nan, 1, "0"), (math.inf, 1, "100000"), (0.78, 3, "0.78")],
)
def test_numbers_are_short_and_finite(value: float, digits: int, text: str) -> None:
    assert number(value, digits) == text


@given(st.text())
def test_any_text_stays_text(text: str) -> None:
    drawn = document(10, 10, "", text, [element("text", text, class_=text)])
    root = etree.fromstring(drawn.encode("utf-8"))
    assert [etree.QName(one).localname for one in root.iter()] == ["svg", "style", "text"]


def test_markup_of_a_submission_is_escaped() -> None:
    drawn = document(10, 10, "text{fill:red}", 'a"><script>', [element("text", "</svg><script>alert(1)</script>&")])
    assert "<script" not in drawn
    root = etree.fromstring(drawn.encode())
    assert root.findtext("{*}text") == "</svg><script>alert(1)</script>&"
    assert root.findtext("{*}style") == "text{fill:red}"


def test_lines_leave_out_what_is_not_known() -> None:
    assert polyline_data([[(0, 0), (math.nan, 1), (2, 3.25)], [(1, 1)]]) == "M0 0L2 3.2"
    assert polyline_data([[(0, 0), (1, 0), (1, 1)]], closed=True) == "M0 0L1 0L1 1Z"
    assert matrix_attribute([1, 0, 0, 1, math.inf, 0]) is None
    assert matrix_attribute([0.5, 0, 0, 1, 10, -2]) == "matrix(0.5 0 0 1 10 -2)"


@pytest.mark.parametrize(
    ("name", "file"), [("walk", "walk.svg"), ("../../etc/passwd", "etc-passwd.svg"), ("犬", "picture.svg")]
)
def test_a_picture_is_written_inside_its_folder(name: str, file: str) -> None:
    assert Picture(name, "", "", "", 1, 1).file_name == file
