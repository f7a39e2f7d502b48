"""Selectors match what they match in Chromium, and are refused where it refuses them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import tinycss2
from cssselect2 import SelectorError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from husky_lint.parse.html import parse_html
from husky_lint.source import SourceText
from husky_lint.style.selectors import MatchContext, parse_selector_list
from husky_lint.style.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

_FOLDER = Path(__file__).parent / "cases"
HTML = (_FOLDER / "selectors.html").read_text(encoding="utf-8").strip()

CASES = (_FOLDER / "selectors.txt").read_text(encoding="utf-8").splitlines()

_MATCH = """(selectors) => {
  const all = [document.documentElement, ...document.documentElement.querySelectorAll('*')];
  const sheet = new CSSStyleSheet();
  return selectors.map(s => {
    sheet.replaceSync(s + '{}');
    if (!sheet.cssRules.length) return null;
    try { return all.flatMap((e, i) => e.matches(s) ? [i] : []); } catch (e) { return []; }
  });
}"""


def _static(tree: Tree, text: str) -> list[int] | None:
    try:
        selectors = parse_selector_list(tinycss2.parse_component_value_list(text))
    except SelectorError:
        return None
    context = MatchContext(tree)
    usable = [selector for selector in selectors if selector.pseudo_element is None]
    return [node.position for node in tree.nodes if any(s.matches(node, context) for s in usable)]


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree.of(parse_html(SourceText("index.html", HTML)).root)


@pytest.fixture(scope="module")
def opened(chromium: Any) -> Any:
    page = chromium.new_page()
    page.set_content(HTML)
    yield page
    page.close()


def test_cases(tree: Tree, page: Callable[..., Page]) -> None:
    opened = page()
    opened.set_content(HTML)
    wrong = [
        (case, expected, actual)
        for case, expected in zip(CASES, opened.evaluate(_MATCH, CASES), strict=True)
        if (actual := _static(tree, case)) != expected
    ]
    assert not wrong


_simple = st.sampled_from(
    [
        *(".a", ".b", ".paw", ".leg", "[data-leg]", "[class]", ":first-child", ":last-child", ":only-child", ":empty"),
        *("#main", ":nth-child(2n+1)", ":nth-last-child(2)", ":first-of-type", ":nth-child(2 of .paw)", ":root"),
    ]
)
_type = st.sampled_from(["", "", "*", "p", "path", "g", "span", "div", "svg"])


@st.composite
def _compound(draw: Any, depth: int) -> str:
    text = draw(_type) + "".join(draw(st.lists(_simple, max_size=2)))
    if depth and draw(st.booleans()):
        inner = ", ".join(draw(st.lists(_complex(depth - 1), min_size=1, max_size=2)))
        text += draw(st.sampled_from([":is(%s)", ":where(%s)", ":not(%s)"])) % inner
    if depth and ":has" not in text and draw(st.integers(0, 5)) == 0:
        text += f":has({draw(st.sampled_from(['', '> ', '+ ', '~ ']))}{draw(_compound(0))})"
    return text or "*"


@st.composite
def _complex(draw: Any, depth: int = 2) -> str:
    parts = draw(st.lists(_compound(depth), min_size=1, max_size=4))
    text = str(parts[0])
    for part in parts[1:]:
        text += draw(st.sampled_from([" ", " > ", " + ", " ~ "])) + part
    return text


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(_complex(), min_size=5, max_size=12))
def test_random_selectors(tree: Tree, opened: Any, selectors: list[str]) -> None:
    for text, expected in zip(selectors, opened.evaluate(_MATCH, selectors), strict=True):
        assert _static(tree, text) == expected, text
