"""The trace document, from submissions and from single files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from husky_lint.evidence import StaticEvidence
from husky_lint.judging import load
from husky_lint.packs import pack_rubric
from husky_lint.trace import trace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def traced(path: Path, **options: Any) -> dict[str, Any]:
    found = trace(StaticEvidence(load(path), pack_rubric("husky")), **options)
    document: dict[str, Any] = json.loads(json.dumps(found, allow_nan=False))
    return document


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50">
<style>@keyframes k { to { transform: translateX(40px) } } #a { animation: k 2s linear infinite }</style>
<rect id="a" width="10" height="5"/><g/><text>x</text></svg>"""


@pytest.mark.parametrize(("name", "text"), [("a.svg", SVG), ("a.html", f"<!doctype html><p>x</p>{SVG}")])
def test_a_page_without_paces_has_one_entry(tmp_path: Path, name: str, text: str) -> None:
    found = traced(write(tmp_path, name, text), times=[0.0, 1.0])
    assert found == {
        "paces": {
            "page": {
                "cycle_s": 2.0,
                "times": [0.0, 1.0],
                "boxes": {
                    "svg>style:nth-child(1)": [None, None],
                    "svg>rect:nth-child(2)": [[0.0, 0.0, 10.0, 5.0], [20.0, 0.0, 10.0, 5.0]],
                    "svg>g:nth-child(3)": [None, None],
                },
                "unknown": {"svg>text:nth-child(4)": "text"},
                "roles": {},
            }
        }
    }


def test_the_corpus_is_told_in_full(corpus_submission: Path) -> None:
    found = traced(corpus_submission, theme="night")["paces"]
    assert list(found) == ["stroll", "walk", "hop", "zoomies"]
    for pace in found.values():
        assert len(pace["times"]) == 96
        assert pace["unknown"] == {}
        assert all(len(rows) == 96 for rows in pace["boxes"].values())
    assert [pace["cycle_s"] for pace in found.values()] == [1.06, 0.78, 0.62, 0.38]


@pytest.mark.parametrize("options", [{"paces": ["trot"]}, {"theme": "dusk"}])
def test_what_the_page_has_not(tmp_path: Path, options: dict[str, Sequence[str]]) -> None:
    with pytest.raises(KeyError):
        traced(write(tmp_path, "a.svg", SVG), **options)
