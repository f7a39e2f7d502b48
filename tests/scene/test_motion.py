"""Motions: what is displayed, what is unknown and why, bounds on bad input."""

# ruff: noqa: E501 - markup reads best unbroken

from __future__ import annotations

import warnings

import numpy as np
import pytest

from husky_lint.scene.motion import Motion
from tests.scene.oracle import static_motion


def boxes(html: str, time: float = 0.0) -> dict[str, list[float] | None]:
    motion = static_motion(html)
    return {
        node.css_path: None if np.isnan(rows[0]).all() else rows[0].tolist()
        for node, rows in motion.boxes([time]).items()
    }


def reasons(motion: Motion) -> dict[str, str]:
    return {node.css_path: reason for node, reason in motion.unknown.items() if node.parent is not None}


def test_a_group_is_the_union_of_the_boxes_of_its_children() -> None:
    found = boxes(
        '<svg viewBox="0 0 100 100"><g transform="translate(10 0)"><rect width="4" height="6"/>'
        '<g transform="rotate(45)"><rect width="10" height="10"/></g><rect width="0" height="99"/></g></svg>'
    )
    half = 200**0.5 / 2
    assert found["svg>g:nth-child(1)"] == pytest.approx([10 - half, 0, 2 * half, 2 * half])
    assert found["svg>g:nth-child(1)>rect:nth-child(3)"] == [10, 0, 0, 99]


def test_a_group_is_whole_whatever_was_asked_before() -> None:
    """What is asked later stands later in the picture: the children of a group do not lie together there."""
    html = """<style>@keyframes k { to { transform: translateX(9px) } } .a { animation: k 1s infinite }</style>
    <svg viewBox="0 0 100 100"><g><g class="a"><rect width="4" height="6"/><rect id="m" y="70" width="4" height="4"/></g>
    <g><rect x="50" width="9" height="9"/></g></g><g><rect y="20" width="4" height="6"/></g></svg>"""
    whole = static_motion(html).boxes([0.25])
    paths = [node.css_path for node in whole]
    for first in paths:
        for second in paths:
            motion = static_motion(html)
            by_path = motion.scene.by_path
            motion.boxes([0.25], [by_path[first]])
            motion.boxes([0.25], [by_path[second]])
            for node, rows in motion.boxes([0.25]).items():
                expected = next(box for one, box in whole.items() if one.css_path == node.css_path)
                assert rows == pytest.approx(expected), (first, second, node.css_path)


def test_no_box() -> None:
    found = boxes(
        '<svg viewBox="0 0 9 9"><defs><rect width="1" height="1"/></defs><g/><rect width="0" height="0"/>'
        '<g display="none"><rect width="1" height="1"/></g><rect visibility="hidden" width="1" height="1"/></svg>'
    )
    assert {path for path, box in found.items() if box is not None} == {"svg>rect:nth-child(5)"}


def test_a_pivot_in_the_middle_of_a_group_moves_with_its_children() -> None:
    html = """<style>@keyframes k { to { transform: translateX(100px) } } #inner { animation: k 1s linear infinite }</style>
    <svg viewBox="0 0 400 100"><g style="transform-box: fill-box; transform-origin: 50% 50%; transform: scale(2)">
    <rect id="inner" width="10" height="10"/><rect width="10" height="10"/></g></svg>"""
    assert boxes(html, 0.0)["svg>g:nth-child(1)"] == pytest.approx([-5, -5, 20, 20])
    assert boxes(html, 0.5)["svg>g:nth-child(1)"] == pytest.approx([-30, -5, 120, 20])


def test_why_a_box_is_unknown() -> None:
    motion = static_motion(
        '<svg viewBox="0 0 9 9"><g><text>a<tspan>b</tspan></text></g><text> </text><text display="none">c</text>'
        '<foreignObject><p>d</p></foreignObject><g style="transform: rotateX(9deg)"><rect width="1" height="1"/></g>'
        '<image href="a.png"/><image href="a.png" width="2" height="3"/><use href="b.svg#c"/></svg>'
    )
    assert reasons(motion) == {
        "svg>g:nth-child(1)": "text",
        "svg>g:nth-child(1)>text:nth-child(1)": "text",
        "svg>g:nth-child(1)>text:nth-child(1)>tspan:nth-child(1)": "text",
        "svg>foreignObject:nth-child(4)": "foreign-object",
        "svg>foreignObject:nth-child(4)>p:nth-child(1)": "foreign-object",
        "svg>g:nth-child(5)": "unsupported-css",
        "svg>g:nth-child(5)>rect:nth-child(1)": "unsupported-css",
        "svg>image:nth-child(6)": "needs-browser",
        "svg>use:nth-child(8)": "needs-browser",
    }


def test_what_script_moves_is_unknown_with_all_around_and_in_it() -> None:
    still = static_motion('<svg viewBox="0 0 9 9"><g><g id="m"><rect/></g><rect/></g><rect/></svg>')
    moved = next(node.element for node in still.scene.nodes if node.element.get("id") == "m")
    motion = Motion(still.styled, still.scene, script_driven=[moved])
    assert reasons(motion) == dict.fromkeys(
        [
            "svg>g:nth-child(1)",
            "svg>g:nth-child(1)>g:nth-child(1)",
            "svg>g:nth-child(1)>g:nth-child(1)>rect:nth-child(1)",
        ],
        "script-driven-motion",
    )


def test_percentages_of_a_viewport_that_only_layout_knows() -> None:
    motion = static_motion(
        '<svg width="100%" height="50%"><rect width="50%" height="1"/><rect width="5" height="1"/></svg>'
    )
    assert reasons(motion) == {"svg>rect:nth-child(1)": "needs-browser"}


def test_many_times_are_evaluated_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    html = """<style>@keyframes k { to { transform: rotate(90deg) } } rect { animation: k 1s linear infinite }</style>
    <svg viewBox="0 0 9 9"><rect width="2" height="1"/></svg>"""
    times = np.linspace(0, 1, 50)
    whole = next(iter(static_motion(html).boxes(times).values()))
    monkeypatch.setattr("husky_lint.scene.motion._CELLS", 7)
    assert np.array_equal(whole, next(iter(static_motion(html).boxes(times).values())))


@pytest.mark.parametrize(
    "content",
    [
        '<rect width="1e400" height="NaN" x="Infinity" transform="scale(1e300)"/>',
        '<g transform="matrix(1e38 0 0 1e38 1e38 1e38)"><g transform="scale(1e38)"><rect width="1e38" height="1"/></g></g>',
        '<rect style="width: calc(1px / 0); transform: translate(calc(infinity * 1px)) rotate(calc(NaN * 1deg))" height="1"/>',
        '<path d="M1e38 1e38L1e38 0C1e38 1e38 -1e38 1e38 0 0A1e38 1 0 0 1 5 5"/>',
        '<svg viewBox="0 0 0 0"><rect width="1" height="1"/></svg>',
        '<svg width="-1" viewBox="0 0 1e-300 1"><rect width="1" height="1"/></svg>',
        '<circle r="1e30" cx="1e30"/><line x1="1e400"/><polygon points="1e400,0"/><ellipse rx="-1"/>',
        '<g style="transform-box: fill-box; transform-origin: 50% 50%; transform: scale(1e300)"/>',
        '<rect width="1" height="1"><animateTransform attributeName="transform" type="scale" to="1e300" dur="1e-9s"/></rect>',
        "<g>" * 1000 + '<rect width="1" height="1"/>' + "</g>" * 1000,
        '<rect width="1" height="1"/>' * 10_000,
        '<g id="a"><use href="#a"/></g>' + "".join(f'<g id="b{i}"><use href="#b{i + 1}"/></g>' for i in range(300)),
    ],
    ids=range(12),
)
def test_bad_input_is_bounded(content: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for view_box in ("0 0 100 100", "0 0 0 0", "nonsense"):
            motion = static_motion(f'<svg viewBox="{view_box}">{content}</svg>')
            for rows in motion.boxes([0.0, 0.5, 1e9]).values():
                assert (np.isfinite(rows) | np.isnan(rows)).all()
            assert set(motion.unknown.values()) <= {"limit", "unsupported-css", "needs-browser"}
