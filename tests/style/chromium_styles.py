"""Asking Chromium for computed styles, and asking the same of the static side."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from husky_lint.parse.css import parse_stylesheet
from husky_lint.parse.html import parse_html
from husky_lint.source import SourceText
from husky_lint.style.computed import StyleEngine
from husky_lint.style.states import MediaContext, PageState
from husky_lint.style.tree import SVG

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from playwright.sync_api import Page

    from husky_lint.style.computed import ComputedStyle, StyledDocument

PROPERTIES = (
    *("fill", "stroke", "stroke-width", "stroke-linecap", "opacity", "fill-opacity", "stroke-opacity", "color"),
    *("stop-color", "display", "visibility", "transform-origin", "transform-box", "font-size", "background-color"),
    *("animation-name", "animation-duration", "animation-delay", "animation-timing-function", "animation-composition"),
    *("animation-iteration-count", "animation-direction", "animation-fill-mode", "animation-play-state"),
    *("offset-path", "offset-distance", "filter", "clip-path", "overflow-x", "position", "pointer-events"),
)

# One evaluation, so that markup and styles are of one moment. Cancelled animations keep their animation-* values.
_SNAPSHOT = """
([properties, remove]) => {
  if (remove) document.querySelectorAll(remove).forEach(e => e.remove());
  for (let i = 0; i < 5 && document.getAnimations().length; i++) document.getAnimations().forEach(a => a.cancel());
  const all = [...document.documentElement.querySelectorAll('*')];
  const elements = [document.documentElement, ...all];
  return {
    html: '<!doctype html>' + document.documentElement.outerHTML,
    styles: elements.map(e => {
      const style = getComputedStyle(e);
      return [e.tagName, ...properties.map(p => style.getPropertyValue(p))];
    }),
  };
}
"""


@dataclass(frozen=True)
class Snapshot:
    """A page's markup at a moment, and what Chromium computes for every element in document order."""

    html: str
    styles: list[list[str]]


def snapshot(page: Page, properties: Sequence[str] = PROPERTIES, remove: str = "") -> Snapshot:
    """The page as it is now, without what the selector ``remove`` matches."""
    result = page.evaluate(_SNAPSHOT, [list(properties), remove])
    return Snapshot(result["html"], result["styles"])


def styled_snapshot(html: str, folder: Path | None = None, media: MediaContext | None = None) -> StyledDocument:
    """The static side of the same markup: its ``<style>`` elements and local ``<link>`` sheets in document order."""
    document = parse_html(SourceText("index.html", html))
    blocks = {block.element: sheet for block, sheet in document.stylesheets}
    sheets = []
    for element in document.elements:
        if element in blocks:
            sheets.append(blocks[element])
        elif folder is not None and element.tag.endswith("}link") and element.get("rel") == "stylesheet":
            path = folder / str(element.get("href"))
            sheets.append(parse_stylesheet(SourceText.decode(path.name, path.read_bytes())))
    state = PageState("snapshot", media or MediaContext())
    return StyleEngine(document, sheets).style(state)


def differences(
    taken: Snapshot, styled: StyledDocument, properties: Sequence[str] = PROPERTIES
) -> list[tuple[ComputedStyle, str, str, str]]:
    """Every element and property on which the two sides disagree: (element's style, property, Chromium, static).

    The used transform-origin of a box that layout sizes (HTML, the outermost ``<svg>``) is not compared, nor are
    values that the static side itself calls unknown.
    """
    static = list(styled)
    ours, theirs = [style.node.name.lower() for style in static], [row[0].lower() for row in taken.styles]
    assert ours == theirs, "\n".join(difflib.unified_diff(theirs, ours, "Chromium", "static", lineterm=""))
    found: list[tuple[ComputedStyle, str, str, str]] = []
    for style, (_, *row) in zip(static, taken.styles, strict=True):
        laid_out = style.node.namespace != SVG or (style.parent is not None and style.parent.node.namespace != SVG)
        for name, expected in zip(properties, row, strict=True):
            if style.unknown(name) is not None or (name == "transform-origin" and laid_out):
                continue
            actual = style.text(name)
            if actual != expected:
                found.append((style, name, expected, actual))
    return found
