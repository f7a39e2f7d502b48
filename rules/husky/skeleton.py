"""A small whole submission that the snippets of docstring examples are set into.

HTML goes where it belongs: a whole page replaces the page, an ``<svg>`` the scene, a ``<footer>`` the footer; head
elements go to the end of the head, SVG elements to the end of the scene, anything else before the footer. CSS is
appended to styles.css and JS to app.js. The skeleton is plain and small; it is no submission that would score well.
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

from .skeleton_dog import DOG, DOG_STYLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from husky_lint.documentation import Example

_HEAD = frozenset({"script", "link", "meta", "style", "title", "base"})
_SVG = frozenset(
    {
        "g",
        "path",
        "use",
        "rect",
        "circle",
        "ellipse",
        "line",
        "polyline",
        "polygon",
        "defs",
        "image",
        "symbol",
        "text",
        "animate",
        "clippath",
        "mask",
    }
)
_TAG = re.compile(r"<([a-zA-Z][\w-]*)")

_HEAD_SCRIPT = """\
<script>
(function () {
  var sky = null, match;
  try { match = /husky-sky=(day|night)/.exec(document.cookie); if (match) sky = match[1]; } catch (e) {}
  if (!sky) { try { sky = localStorage.getItem("husky-sky"); } catch (e) {} }
  document.documentElement.setAttribute("data-theme", sky === "night" ? "night" : "day");
})();
</script>"""

_SCENERY = """\
<svg id="scene" viewBox="0 0 900 460" data-speed="walk" data-paused="false">
  <rect class="sky" width="900" height="460"/>
  <g class="strip strip-far"><g id="far"><path class="hill" d="M0 200H900V330H0Z"/></g><use href="#far" x="900"/></g>
  <g class="strip strip-mid"><g id="mid"><path class="tree" d="M0 250H900V330H0Z"/></g><use href="#mid" x="900"/></g>
  <g class="strip strip-near"><g id="near"><path class="bush" d="M0 290H900V330H0Z"/></g><use href="#near" x="900"/></g>
  <g class="strip strip-dirt"><g id="dirt"><path class="dirt" d="M0 330H900V460H0Z"/></g><use href="#dirt" x="900"/></g>
"""
_SCENE = f"{_SCENERY}{DOG}</svg>"

_FOOTER = """\
<footer>
  <div>Time Taken: <span>14m 20s</span></div>
  <div>Tokens Used: <span>unreported</span></div>
  <div>Model: <span>example-1</span></div>
  <div>Engine: <span>example 0.1</span></div>
  <div>Thinking level: <span>high</span></div>
</footer>"""

_PAGE = """\
<!doctype html>
<html lang="en" data-theme="day">
<head>
<meta charset="utf-8">
<title>Husky walk</title>
{head_script}
<link rel="icon" id="favicon" href="favicon.svg">
<link rel="stylesheet" href="styles.css">
{head}</head>
<body>
{scene}
<div class="controls">
  <div class="paces"></div>
  <button id="pause-walk">Pause</button>
</div>
<p class="counters">
  distance <output id="distance">0.0 m</output>, steps <output id="steps">0</output>,
  elapsed <output id="elapsed">0:00</output>
</p>
{body}{footer}
<script src="app.js"></script>
</body>
</html>
"""

_STYLES = """\
:root {
  --page: #f5f2e8; --ink: #222831; --sky: #bfe0f5; --hill: #9db8a5; --tree: #6f9a78; --bush: #4f7f5a; --dirt: #c7a97b;
}
:root[data-theme="night"] {
  --page: #10141d; --ink: #e8ecf5; --sky: #18213a; --hill: #27344a; --tree: #223046; --bush: #1c293c; --dirt: #464e66;
}
body { background: var(--page); color: var(--ink); }
#scene { --cycle: .78s; --glide-far: 48s; --glide-mid: 24s; --glide-near: 12s; --glide-dirt: 6s; }
#scene[data-speed="stroll"] { --cycle: 1.06s; --glide-far: 64s; --glide-mid: 32s; --glide-near: 16s; --glide-dirt: 8s; }
#scene[data-speed="hop"] { --cycle: .62s; --glide-far: 36s; --glide-mid: 18s; --glide-near: 9s; --glide-dirt: 4.5s; }
#scene[data-speed="zoomies"] { --cycle: .38s; --glide-far: 24s; --glide-mid: 12s; --glide-near: 6s; --glide-dirt: 3s; }
.sky { fill: var(--sky); }
.hill { fill: var(--hill); }
.tree { fill: var(--tree); }
.bush { fill: var(--bush); }
.dirt { fill: var(--dirt); }
@keyframes glide { from { transform: translateX(0); } to { transform: translateX(-900px); } }
.strip { animation: glide linear infinite; }
.strip-far { animation-duration: var(--glide-far); }
.strip-mid { animation-duration: var(--glide-mid); }
.strip-near { animation-duration: var(--glide-near); }
.strip-dirt { animation-duration: var(--glide-dirt); }
"""

_APP = """\
var table = {
  stroll: { cycle: 1.06, feet: 4, stride: .8, sheds: false }, walk: { cycle: .78, feet: 4, stride: .9, sheds: false },
  hop: { cycle: .62, feet: 3, stride: .9, sheds: true }, zoomies: { cycle: .38, feet: 4, stride: 2, sheds: true }
};
var paces = Object.keys(table);
var scene = document.getElementById("scene"), pauseButton = document.getElementById("pause-walk");
var keys = { enabled: true };

function setPace(index) { scene.dataset.speed = paces[(index + paces.length) % paces.length]; }
function pace() { return table[scene.dataset.speed]; }
paces.forEach(function (name, index) {
  var button = document.createElement("button");
  button.textContent = name;
  button.dataset.speed = name;
  button.addEventListener("click", function () { setPace(index); });
  document.querySelector(".paces").append(button);
});
document.addEventListener("keydown", function (event) {
  var step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step && keys.enabled) setPace(paces.indexOf(scene.dataset.speed) + step);
});

function setPaused(on) {
  scene.dataset.paused = String(on);
  pauseButton.textContent = on ? "Resume" : "Pause";
}
pauseButton.addEventListener("click", function () { setPaused(scene.dataset.paused !== "true"); });

function setStill(on) {
  scene.dataset.still = String(on);
  if (!on) return;
  var start = document.createElement("button");
  start.textContent = "Start the walk";
  start.addEventListener("click", function () { setStill(false); start.remove(); });
  document.querySelector(".controls").append(start);
}
setStill(matchMedia("(prefers-reduced-motion: reduce)").matches);

function moving() { return scene.dataset.paused !== "true" && scene.dataset.still !== "true"; }
function between(low, high) { return low + Math.random() * (high - low); }
setInterval(function () {
  var coat = document.getElementById("clumps");
  if (!moving() || !pace().sheds || coat.childElementCount >= 12) return;
  var clump = document.createElementNS("http://www.w3.org/2000/svg", "path");
  clump.setAttribute("class", "clump");
  clump.setAttribute("d", "M-6 0 q2 -6 7 -4 q5 0 5 5 q-6 5 -12 -1z");
  clump.style.setProperty("--x", between(340, 460) + "px");
  clump.style.setProperty("--y", between(200, 250) + "px");
  clump.style.setProperty("--size", between(.5, 1.3));
  clump.style.setProperty("--spin", between(-700, 700) + "deg");
  clump.style.setProperty("--flight", between(1, 2) + "s");
  clump.addEventListener("animationend", function () { clump.remove(); });
  coat.append(clump);
}, 300);

var walked = { distance: 0, steps: 0, elapsed: 0 }, last = performance.now();
function count(now) {
  var seconds = (now - last) / 1000;
  last = now;
  if (moving()) {
    walked.elapsed += seconds;
    walked.steps += pace().feet / pace().cycle * seconds;
    walked.distance += pace().stride / pace().cycle * seconds;
    var clock = Math.floor(walked.elapsed), rest = clock % 60;
    document.getElementById("distance").textContent = walked.distance.toFixed(1) + " m";
    document.getElementById("steps").textContent = Math.floor(walked.steps);
    document.getElementById("elapsed").textContent = Math.floor(clock / 60) + ":" + (rest < 10 ? "0" : "") + rest;
  }
  requestAnimationFrame(count);
}
requestAnimationFrame(count);
"""

_ICON = '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 32 32"><circle r="9"/></svg>\n'

_README = """\
# Husky walk

A Siberian husky walks through a scrolling park. Open index.html in a browser. The buttons and the arrow keys change
the pace, and the page remembers whether it is day or night.
"""


def _ico() -> bytes:
    """An icon of one white pixel: directory, bitmap header, pixel, mask."""
    bitmap = struct.pack("<IiiHHIIiiII", 40, 1, 2, 1, 32, 0, 8, 0, 0, 0, 0) + b"\xff\xff\xff\xff" + b"\0\0\0\0"
    return struct.pack("<HHH", 0, 1, 1) + struct.pack("<BBBBHHII", 1, 1, 0, 0, 1, 32, len(bitmap), 22) + bitmap


def files() -> dict[str, str | bytes]:
    """The skeleton itself: the ten files."""
    return {
        "index.html": _page(),
        "styles.css": _STYLES + DOG_STYLES,
        "app.js": _APP,
        "favicon.svg": _ICON,
        "favicon-night.svg": _ICON,
        "favicon.ico": _ico(),
        "README.md": _README,
        "tools/audit.js": 'const { chromium } = require("playwright");\n',
        "tools/poses.js": 'const { chromium } = require("playwright");\n',
        "tools/responsive.js": 'const { chromium } = require("playwright");\n',
    }


def fill(example: Example) -> Mapping[str, str | bytes]:
    """The submission that an example stands for."""
    filled = files()
    for path, content in example.files.items():
        if content is None:
            filled.pop(path, None)
        else:
            filled[path] = content
    if example.snippet:
        path, content = _place(example, filled)
        filled[path] = content
    return filled


def _place(example: Example, filled: Mapping[str, str | bytes]) -> tuple[str, str]:
    snippet = example.snippet
    if example.language == "css":
        return "styles.css", f"{filled['styles.css']!s}{snippet}"
    if example.language in ("js", "javascript"):
        return "app.js", f"{filled['app.js']!s}{snippet}"
    if example.language == "markdown":
        return "README.md", snippet
    if snippet.lstrip().lower().startswith(("<!doctype", "<html")):
        return "index.html", snippet
    first = _TAG.search(snippet)
    tag = first[1].lower() if first else ""
    if tag == "svg":
        return "index.html", _page(scene=snippet)
    if tag == "footer":
        return "index.html", _page(footer=snippet)
    if tag in _HEAD:
        return "index.html", _page(head=snippet)
    if tag in _SVG:
        return "index.html", _page(scene=_SCENE.removesuffix("</svg>") + snippet + "</svg>")
    return "index.html", _page(body=snippet)


def _page(scene: str = _SCENE, footer: str = _FOOTER, head: str = "", body: str = "") -> str:
    return _PAGE.format(
        head_script=_HEAD_SCRIPT, scene=scene.rstrip("\n"), footer=footer.rstrip("\n"), head=head, body=body
    )
