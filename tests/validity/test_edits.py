"""Edits do what they say, or say why they cannot."""

from __future__ import annotations

from typing import Any

import pytest

from validity.edits import EditError, read_edit

TEXT = "a { x: 1; }\nb { x: 1; }\nc { x: 3; }\n"


def edited(**table: Any) -> str:
    files = {"s.css": TEXT.encode()}
    read_edit({"file": "s.css", **table})(files)
    return files["s.css"].decode()


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ({"find": "x: 3", "replace": "x: 4"}, TEXT.replace("x: 3", "x: 4")),
        ({"find": "x: 1", "count": 2, "replace": "y"}, TEXT.replace("x: 1", "y")),
        ({"find": "x: 1", "within": ["b {", "}"], "replace": "y"}, "a { x: 1; }\nb { y; }\nc { x: 3; }\n"),
        ({"find": ["b {", "}\n"], "replace": ""}, "a { x: 1; }\nc { x: 3; }\n"),
        ({"find": ["c {", "}\n"], "move_before": "a {"}, "c { x: 3; }\na { x: 1; }\nb { x: 1; }\n"),
        ({"find": ["a {", "}\n"], "move_after": ["c {", "}\n"]}, "b { x: 1; }\nc { x: 3; }\na { x: 1; }\n"),
        ({"find": ["a {", "}\n"], "copy_after": ["c {", "}\n"]}, TEXT + "a { x: 1; }\n"),
        ({"find": "x: 3;", "wrap": ["/*", "*/"]}, TEXT.replace("x: 3;", "/*x: 3;*/")),
        ({"pattern": r"x: (\d)", "count": 3, "replace": r"x: -\1"}, TEXT.replace("x: ", "x: -")),
        ({"append": "d {}\n"}, TEXT + "d {}\n"),
        ({"overwrite": "e {}"}, "e {}"),
    ],
)
def test_text_is_edited(table: dict[str, Any], expected: str) -> None:
    assert edited(**table) == expected


@pytest.mark.parametrize(
    "table",
    [
        {"find": "x: 1", "replace": "y"},
        {"find": "x: 9", "replace": "y"},
        {"find": ["c {", "z"], "replace": ""},
        {"find": "x: 1", "count": 3, "replace": "y"},
        {"find": "x: 3", "within": ["b {", "}"], "replace": "y"},
        {"pattern": r"x: \d", "replace": "y"},
        {"find": "x: 3", "move_before": "x: 1"},
        {"find": "x: 3", "replace": "y", "wrap": ["", ""]},
        {"find": "x: 3", "pattern": "x", "replace": "y"},
        {"find": "x: 3"},
        {"find": "x: 3", "replace": "y", "colour": 1},
        {"append": "y", "find": "x: 3"},
        {"add": "y"},
        {"rename": "s.css"},
    ],
)
def test_an_edit_that_does_not_fit_is_an_error(table: dict[str, Any]) -> None:
    with pytest.raises(EditError):
        edited(**table)


def test_files_come_and_go() -> None:
    files = {"a": b"1", "b": b"2"}
    for table in ({"file": "a", "delete": True}, {"file": "b", "rename": "c"}, {"file": "d", "add_base64": "/w=="}):
        read_edit(table)(files)
    assert files == {"c": b"2", "d": b"\xff"}


@pytest.mark.parametrize(
    "table", [{"file": "x", "delete": True}, {"file": "x", "append": ""}, {"file": "x", "rename": "y"}]
)
def test_what_is_not_there_is_not_edited(table: dict[str, Any]) -> None:
    with pytest.raises(EditError):
        read_edit(table)({})
