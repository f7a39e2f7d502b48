"""Chromium as the judge: boxes of all elements of a scene at times, and the differences to the static ones."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from husky_lint.parse.css import parse_stylesheet
from husky_lint.parse.html import parse_html
from husky_lint.scene.graph import build_scene
from husky_lint.scene.motion import Motion
from husky_lint.source import SourceText
from husky_lint.style.computed import StyleEngine
from husky_lint.style.media import MediaContext
from husky_lint.style.states import PageState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray
    from playwright.sync_api import Page

TOLERANCE = 0.25
"""User units (the bar of the project)."""
RELATIVE = 5e-4
"""Of the size of a box beyond 500 units: Chromium's 32-bit floats and coarse outlines of strokes are magnified too."""

_COMMON = """
const scene = document.querySelector(selector);
const elements = [...scene.querySelectorAll('*')];
const css = e => e === scene ? 'svg'
  : css(e.parentNode) + '>' + e.localName + ':nth-child(' + ([...e.parentNode.children].indexOf(e) + 1) + ')';
// A probe of one user unit tells where the scene's own space lies on the screen, whatever its CSS box is.
const probe = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
probe.setAttribute('style', 'all:initial;x:0;y:0;width:1px;height:1px;transform:none;animation:none!important');
scene.appendChild(probe);
const unit = probe.getBoundingClientRect();
probe.remove();
const values = new Float64Array(times.length * elements.length * 4);
let at = 0;
const measure = () => {
  for (const element of elements) {
    const r = element.getBoundingClientRect();
    values[at++] = (r.x - unit.x) / unit.width;
    values[at++] = (r.y - unit.y) / unit.height;
    values[at++] = r.width / unit.width;
    values[at++] = r.height / unit.height;
  }
};
const answer = () => {
  const bytes = new Uint8Array(values.buffer);
  let text = '';
  for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(text);
};
"""

BY_DELAY = (
    "([selector, times]) => {"
    + _COMMON
    + """
const svgs = [...document.querySelectorAll('svg')].filter(s => !s.parentNode.closest('svg'));
svgs.forEach(s => s.pauseAnimations());
for (const t of times) {
  document.documentElement.style.setProperty('--t', t + 's');
  svgs.forEach(s => s.setCurrentTime(t));
  measure();
}
return {paths: elements.map(css), values: answer()};
}"""
)
"""For pages whose delays hang on ``--t`` and whose animations are paused (see generator.py)."""

BY_CURRENT_TIME = (
    "([selector, times]) => {"
    """
// Nothing of the page's own script may run on in between, and what it spawned moves by script.
for (let id = 0; id < 10000; id++) { clearTimeout(id); clearInterval(id); cancelAnimationFrame(id); }
for (const animation of document.getAnimations()) {
  if (animation instanceof CSSAnimation) animation.pause(); else animation.cancel();
}
const html = document.documentElement.outerHTML;
"""
    + _COMMON
    + """
const animations = document.getAnimations().filter(a => a instanceof CSSAnimation);
for (const t of times) {
  for (const animation of animations) animation.currentTime = t * 1000;
  measure();
}
return {paths: elements.map(css), values: answer(), html};
}"""
)
"""For any page; also gives its markup as it is at that moment."""


@dataclass
class Measured:
    """``boxes`` (T, n, 4): x, y, width, height in user units of the scene, for the element at each of ``paths``."""

    paths: list[str]
    boxes: NDArray[np.float64]
    html: str = ""


def measure(page: Page, script: str, times: Sequence[float], selector: str = "svg") -> Measured:
    answer = page.evaluate(script, [selector, list(times)])
    boxes = np.frombuffer(base64.b64decode(answer["values"])).reshape(len(times), -1, 4)
    return Measured(answer["paths"], boxes, answer.get("html", ""))


def static_motion(
    html: str,
    sheets: Mapping[str, str] | None = None,
    *,
    media: MediaContext | None = None,
    scene_id: str | None = None,
) -> Motion:
    """The motion of a page as its markup and sheets say. ``sheets`` are the linked ones, by href."""
    document = parse_html(SourceText("index.html", html))
    found: list[Any] = []
    for element in document.root.iter("{*}link", "{*}style"):
        if element.tag.endswith("}link"):
            text = (sheets or {}).get(element.get("href", ""))
            if text is not None and element.get("rel") == "stylesheet":
                found.append(parse_stylesheet(SourceText(element.get("href", ""), text)))
        else:
            found += [sheet for block, sheet in document.stylesheets if block.element is element]
    engine = StyleEngine(document, found)
    styled = engine.style(PageState("test", media or MediaContext()))
    root = None
    if scene_id is not None:
        root = next(element for element in document.root.iter("{*}svg") if element.get("id") == scene_id)
    return Motion(styled, build_scene(document, root))


@dataclass
class Difference:
    """One element at the time when it is farthest off."""

    amount: float
    path: str
    time: float
    static: list[float]
    chromium: list[float]


def differences(
    motion: Motion, measured: Measured, times: Sequence[float], skip: frozenset[str] = frozenset()
) -> list[Difference]:
    """Every known element's largest difference, the worst first; infinite where one side has a box and one has none.

    Chromium shows no box as a rectangle without size.
    """
    boxes = {node.css_path: rows for node, rows in motion.boxes(times).items() if not node.uses}
    unknown = {node.css_path for node in motion.unknown}
    found: list[Difference] = []
    for column, path in enumerate(measured.paths):
        if path in unknown or any(path == one or path.startswith(one + ">") for one in skip):
            continue
        theirs = measured.boxes[:, column]
        if path not in boxes:
            found.append(Difference(np.inf, path, times[0], [], theirs[0].tolist()))
            continue
        ours = np.nan_to_num(boxes[path], nan=0.0)
        none = np.isnan(boxes[path]).all(axis=1)
        theirs_none = (theirs[:, 2] <= TOLERANCE) & (theirs[:, 3] <= TOLERANCE)
        off = np.abs(ours - theirs).max(axis=1)
        off[none] = np.where(theirs_none[none], 0.0, np.inf)
        tiny = (theirs[:, 2] == 0) & (theirs[:, 3] == 0) & (ours[:, 2] <= TOLERANCE) & (ours[:, 3] <= TOLERANCE)
        off[tiny] = 0.0
        off[off < RELATIVE * np.abs(theirs).max(axis=1)] = 0.0
        worst = int(np.argmax(off))
        found.append(Difference(float(off[worst]), path, times[worst], ours[worst].tolist(), theirs[worst].tolist()))
    return sorted(found, key=lambda difference: -difference.amount)
