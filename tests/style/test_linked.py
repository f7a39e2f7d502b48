"""Style sheets of links that script switches on, off or exchanges are in the states that have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from husky_lint.evidence import StaticEvidence
from husky_lint.rubric import load_rubric
from husky_lint.submission import Submission

RUBRIC = load_rubric(Path(__file__).resolve().parents[2] / "rules" / "husky" / "rubric.toml")
HEAD = (
    '<link rel="stylesheet" href="main.css"><link id="sheet" rel="stylesheet" {link}>'
    "<style>.last.last {{ stroke: green; }}</style>"
)
TOGGLE = "var on = false; sky.onclick = function () {{ on = !on; {write} }};"
FILES = {
    "main.css": "path { fill: white; stroke: white; }",
    "day.css": "path { fill: yellow; stroke: yellow; }",
    "night.css": "path { fill: blue; stroke: blue; }",
    "dark.css": "path { fill: blue; stroke: blue; } html.dark path { fill: navy; }",
}
DARK = "document.documentElement.classList.toggle('dark', on);"


def painted(link: str, write: str, theme: str | None, head: str = HEAD) -> tuple[str, str]:
    """The fill of a path, and the stroke of one that the sheet behind the link paints too."""
    page = (
        f"<!doctype html><html><head>{head.format(link=link)}</head><body>"
        '<svg viewBox="0 0 900 460"><path d="M0 0H9"/><path class="last" d="M0 0H9"/></svg>'
        f'<button id="sky">Night</button><script>{TOGGLE.format(write=write)}</script></body></html>'
    )
    evidence = StaticEvidence(Submission.from_files({"index.html": page, **FILES}), RUBRIC)
    state = evidence.states.state(theme=theme) if theme is not None else evidence.states.initial
    assert state.unknown == {}
    first, last = evidence.page.root.iter("{*}path")
    styled = evidence.style(state)
    return styled.computed(first).text("fill"), styled.computed(last).text("stroke")


@pytest.mark.parametrize(
    ("link", "write", "day", "night"),
    [
        ('href="night.css" disabled', "sheet.disabled = !on;", "white", "blue"),
        ('href="dark.css" disabled', f"sheet.disabled = !on; {DARK}", "white", "navy"),
        ('href="day.css"', "sheet.disabled = on;", "yellow", "white"),
        ('href="day.css"', "sheet.href = on ? 'night.css' : 'day.css';", "yellow", "blue"),
        ('href="day.css"', f"sheet.setAttribute('href', on ? 'dark.css' : 'day.css'); {DARK}", "yellow", "navy"),
        ('href="night.css" media="print"', "sheet.media = on ? 'all' : 'print';", "white", "blue"),
        ('href="day.css"', "sheet.href = on ? 'none.css' : 'day.css';", "yellow", "white"),
    ],
)
def test_what_a_link_gives_in_a_state(link: str, write: str, day: str, night: str) -> None:
    names = {"white": "rgb(255, 255, 255)", "yellow": "rgb(255, 255, 0)", "blue": "rgb(0, 0, 255)"}
    names["navy"] = "rgb(0, 0, 128)"
    green = "rgb(0, 128, 0)"  # the sheet behind the link wins, whatever the link gives
    assert painted(link, write, None) == (names[day], green)
    assert painted(link, write, "day") == (names[day], green)
    assert painted(link, write, "night") == (names[night], green)


@pytest.mark.parametrize(
    "write",
    [
        "let a = document.createElement('link'); a.rel = 'stylesheet'; a.href = 'night.css'; document.head.append(a);",
        "sheet.remove();",
        "sheet.rel = 'alternate stylesheet';",
        "sheet.href = window.name;",
    ],
)
def test_what_is_not_followed_is_said(write: str) -> None:
    page = (
        f'<!doctype html><html><head>{HEAD.format(link="href=day.css")}</head><body><svg><path d="M0 0"/></svg>'
        f'<button id="sky">Night</button><script>{TOGGLE.format(write=write)}</script></body></html>'
    )
    evidence = StaticEvidence(Submission.from_files({"index.html": page, **FILES}), RUBRIC)
    assert set(evidence.states.state(theme="night").unknown.values()) & {"unsupported-css", "state-not-found"}
