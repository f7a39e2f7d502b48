"""``husky-lint rig``: JSON, table and picture of a figure made by hand."""

from __future__ import annotations

import io
import json
import math
from typing import TYPE_CHECKING

from lxml import etree

from husky_lint.cli import main
from husky_lint.parts import Bone, Figure, InferredPart, Label, Outline
from husky_lint.report.rig import render_json, render_svg, render_text
from tests.toy_pack import toy_pack  # noqa: F401 - a fixture

if TYPE_CHECKING:
    import pytest

FIGURE = Figure(
    parts={
        "skull": InferredPart(("svg>g:nth-child(2)>path:nth-child(1)",), 0.93, ("named so", "its place fits")),
        "bib": InferredPart(("svg>path:nth-child(3)", "svg>path:nth-child(4)"), 0.4, ("2 white\x1b[31m shapes",)),
        "blade": None,
    },
    missing={"blade": "absent: nothing is painted <there>"},
    conflicts=("a leg is called near & painted far",),
    view=(240.0, 70.0, 460.0, 310.0),
    outlines=(
        Outline((((250.0, 80.0), (300.0, 80.0), (300.0, 120.0)),), "skull"),
        Outline((((250.0, 80.0), (math.nan, 80.0), (math.inf, 120.0)),), "", closed=False),
    ),
    bones=(Bone("near_fore", ((498.0, 214.0), (482.0, 252.0), (485.0, 340.0))),),
    labels=(Label("skull <1>", (275.0, 100.0)), Label("lost", (math.nan, 1.0))),
)


def test_json_has_a_path_or_a_list_or_null() -> None:
    out = io.StringIO()
    render_json(FIGURE, out)
    assert json.loads(out.getvalue()) == {
        "skull": {
            "path": "svg>g:nth-child(2)>path:nth-child(1)",
            "confidence": 0.93,
            "evidence": ["named so", "its place fits"],
        },
        "bib": {
            "path": ["svg>path:nth-child(3)", "svg>path:nth-child(4)"],
            "confidence": 0.4,
            "evidence": ["2 white\x1b[31m shapes"],
        },
        "blade": None,
    }


def test_the_table_says_why_a_role_is_missing_and_prints_no_escapes() -> None:
    out = io.StringIO()
    render_text(FIGURE, out)
    text = " ".join(out.getvalue().split())
    assert "absent: nothing is painted <there>" in text
    assert "conflict: a leg is called near & painted far" in text
    assert "\x1b" not in out.getvalue()


def test_the_picture_is_svg_with_what_is_known() -> None:
    out = io.StringIO()
    render_svg(FIGURE, out)
    root = etree.fromstring(out.getvalue().encode())
    assert root.get("viewBox") == "240 70 460 310"
    namespace = {"s": "http://www.w3.org/2000/svg"}
    assert root.xpath("string(//s:path/s:title)", namespaces=namespace) == "skull"
    assert [text.text for text in root.iterfind("s:text", namespace)] == ["skull <1>"]
    assert len(root.findall("s:circle", namespace)) == 3
    assert "nan" not in out.getvalue()
    assert "inf " not in out.getvalue()


def test_first_paths_by_role() -> None:
    assert FIGURE.paths == {"skull": "svg>g:nth-child(2)>path:nth-child(1)", "bib": "svg>path:nth-child(3)"}


def test_a_pack_that_tells_no_parts(toy_pack: str, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: F811
    assert main(["rig", "nowhere", "--pack", toy_pack]) == 2
    assert "tells no parts" in capsys.readouterr().err
