"""The reference moved by other means: SMIL, the rig's own leg that comes off, poses held by a transition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.variants.edits import cut, edited
from scripts.variants.joints import moved, siblings

if TYPE_CHECKING:
    from scripts.variants.edits import Files

_FLICK = (
    '<animateTransform attributeName="transform" type="rotate" dur="5.3s" repeatCount="indefinite" '
    'values="0 548 156; 0 548 156; -9 548 156; 4 548 156; 0 548 156; 0 548 156" keyTimes="0; .88; .91; .94; .96; 1"/>'
)
_BLINK = (
    '<animateTransform attributeName="transform" type="scale" dur="4.1s" repeatCount="indefinite" '
    'values="1 1; 1 1; 1 .1; 1 1" keyTimes="0; .94; .97; 1"/>'
)
_LIVES = 'for (const part of [".head", ".ear", ".eye"])'
_LIVES_SMIL = """\
const alive = await page.evaluate(() => {
    const scene = document.getElementById("scene");
    const flick = [0, 4.8].map((at) => { scene.setCurrentTime(at); return window.box(".ear").left; });
    const blink = [0, 3.98].map((at) => { scene.setCurrentTime(at); return window.box(".eye").bottom; });
    return [!scene.animationsPaused(), flick[0] !== flick[1], blink[0] !== blink[1]];
  });
  check("paused: the ear flicks, the eye blinks", alive.every(Boolean), alive.join());
  for (const part of [".head"])"""
_STILL = 'check("still: nothing in the scene runs", (await running()) === 0, await running());\n'
_STILL_SMIL = """\
  check("still: ear and eye too", await page.evaluate(() => document.getElementById("scene").animationsPaused()));
"""


def smil(files: Files) -> Files:
    """Ear and eye are moved by elements of the SVG; script holds them for those who prefer less motion."""
    files, eye = cut(files, "index.html", '<g class="eye">', "</g>")
    inner = moved(eye.removeprefix('<g class="eye">').removesuffix("</g>"), -576, -171)
    eye = f'<g transform="translate(576 171)"><g class="eye">{_BLINK}{inner}</g></g>'
    ear = '            <g class="ear">\n'
    files = edited(
        files,
        "index.html",
        (ear, f"{ear}              {_FLICK}\n"),
        (f"            \n{ear}", f"            {eye}\n{ear}"),
    )
    files = edited(
        files,
        "styles.css",
        (".ear { transform-origin: 548px 156px; }\n.eye { transform-origin: 576px 171px; }\n", ""),
        (".ear { animation: flick 5.3s ease-in-out infinite; }\n.eye { animation: blink 4.1s linear infinite; }\n", ""),
        (
            "@keyframes flick { 0%, 88%, 96%, 100% { rotate: 0deg; } 91% { rotate: -9deg; } 94% { rotate: 4deg; } }\n",
            "",
        ),
        ("@keyframes blink { 0%, 94%, 100% { scale: 1 1; } 97% { scale: 1 .1; } }\n", ""),
        (
            "/* These three are the animal, not the gait: they go on",
            "/* This is the animal, as are ear and eye, which the page moves: it goes on",
        ),
    )
    files = edited(
        files,
        "app.js",
        ("if (stillness.matches) {\n", 'if (stillness.matches) {\n  byId("scene").pauseAnimations();\n'),
        (
            '    body.classList.add("moving");\n',
            '    body.classList.add("moving");\n    byId("scene").unpauseAnimations();\n',
        ),
    )
    return edited(files, "tools/audit.js", (_LIVES, _LIVES_SMIL), (_STILL, _STILL + _STILL_SMIL))


_OFF = "  & .dog-leg, & .dog-leg .leg * { animation: none; }\n"


def own_leg(files: Files) -> Files:
    """No stand-in: at the hop the rig's own near foreleg, which is in no group of the body, goes away."""
    files = siblings(files)
    files, _ = cut(files, "index.html", '      <g class="runaway">', "\n      </g>\n\n")
    files = edited(
        files,
        "styles.css",
        (".runaway { display: none; transform-origin: 490px 280px; }\n\n", ""),
        ("  & .fore.near { display: none; }\n", "  & .dot.fore.near { display: none; }\n"),
        (
            "  & .runaway { display: inline; animation:",
            "  & .leg.fore.near { transform-origin: 490px 280px; animation:",
        ),
        ("  & .dog { animation: spring", "  & .dog:where(:not(.dog-leg)) { animation: spring"),
        ("animation-name: hop-hind-paw; }\n", f"animation-name: hop-hind-paw; }}\n{_OFF}"),
        ("& .tongue, & .runaway, & .clump", "& .tongue, & .leg.fore.near, & .clump"),
        ("body:not(.moving).pace-hop .runaway {", "body:not(.moving).pace-hop .leg.fore.near {"),
    )
    return edited(files, "tools/audit.js", ('[".leg.fore.near", ".runaway"]', '[".leg.fore.near"]'))


_SOLES = {"fore near": (484, 340), "fore far": (464, 340), "hind near": (354, 340), "hind far": (334, 340)}


def posed(files: Files) -> Files:
    """At the zoomies the tail is held low by a static rotation, into which it passes; probes mark where paws stand."""
    page = files["index.html"].decode()
    points = ", ".join(f'"{limb}": [{x}, {y}]' for limb, (x, y) in _SOLES.items())
    for limb, (x, y) in _SOLES.items():
        at = page.index('<g class="pawgrp">', page.index(f'<g class="leg {limb}">')) + len('<g class="pawgrp">')
        page = f'{page[:at]}<circle class="probe" cx="{x}" cy="{y}" r=".05"/>{page[at:]}'
    files = edited(
        {**files, "index.html": page.encode()},
        "styles.css",
        (
            "  & .tail { animation: stream var(--cycle) ease-in-out infinite alternate; }\n",
            "  & .tail { animation: none; rotate: -74deg; }\n",
        ),
        ("@keyframes stream { from { rotate: -70deg; } to { rotate: -78deg; } }\n", ""),
        (
            ".tail { transform-origin: 344px 216px; }\n",
            ".tail { transform-origin: 344px 216px; transition: rotate .35s ease-out; }\n",
        ),
        (".blade { fill:", ".probe { fill: none; }\n.blade { fill:"),
        ("#scene * { animation: none; }", "#scene * { animation: none; transition: none; }"),
    )
    return edited(
        files,
        "tools/audit.js",
        ("x: window.point(selector, ...at[leg])[0] };", "x: window.box(`${selector} .probe`).left };"),
        ("page.evaluate(([wanted, at]) => wanted.map(", "page.evaluate((wanted) => wanted.map("),
        ("}), [legs, paws]);", "}), legs);"),
        (
            "const legs = Object.keys(paws).filter(",
            'const legs = ["fore near", "fore far", "hind near", "hind far"].filter(',
        ),
        (f"  const paws = {{ {points} }};\n", ""),
    )
