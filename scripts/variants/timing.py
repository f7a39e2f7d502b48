"""The reference with its numbers given in other ways: delays, speeds of the scenery, keyframes."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from scripts.variants import css
from scripts.variants.edits import EditError, edited

if TYPE_CHECKING:
    from scripts.variants.edits import Files

CYCLES = {"stroll": 1.06, "walk": 0.78, "hop": 0.62, "zoomies": 0.38}
GLIDES = {"far": 68, "mid": 34, "near": 17, "dirt": 8.5}
PHASES = {
    "walk": {"near-fore": "0", "far-fore": "-.54", "near-hind": "-.5", "far-hind": "-.04"},
    "hop": {"near-fore": "0", "far-fore": "0", "near-hind": "0", "far-hind": "0"},
    "zoomies": {"near-fore": "0", "far-fore": "-.1", "near-hind": "-.5", "far-hind": "-.6"},
}
PARTS = ("upper", "lower", "pawgrp")


def _without_phases(files: Files) -> Files:
    """The style sheet with no word of a delay in it."""
    for pace in ("hop", "zoomies"):
        text = " ".join(f"--{leg}: {phase};" for leg, phase in PHASES[pace].items())
        files = edited(files, "styles.css", (f" {text} }}", " }"))
    return edited(
        files,
        "styles.css",
        *((f"  --{leg}: {phase};\n", "") for leg, phase in PHASES["walk"].items()),
        *(
            (f".{end}.{side} {{ --phase: var(--{side}-{end}); }}\n", "")
            for end in ("fore", "hind")
            for side in ("near", "far")
        ),
        ("  animation-delay: calc(var(--cycle) * var(--phase));\n", ""),
        ("one dial, one phase a leg", "one dial"),
    )


def _delay(phase: str) -> str:
    return "0s" if phase == "0" else f"calc(var(--cycle) * {phase})"


def _shorthands(files: Files) -> Files:
    """Every ``animation-name`` of a limb as the whole shorthand, which resets delay and pause."""
    text = files["styles.css"].decode()
    text, count = re.subn(r"animation-name: ([\w-]+)(?=; \}\n)", r"animation: \1 var(--cycle) linear infinite", text)
    if count != 19:
        raise EditError(f"styles.css: {count} names of keyframes, expected 19")
    pause = "{ animation-play-state: paused; }"
    return edited(
        {**files, "styles.css": text.encode()}, "styles.css", (pause, pause.replace("paused", "paused !important"))
    )


def written_out(files: Files) -> Files:
    """No custom property but the dials: delays win by their place in the sheet alone, speeds are seconds."""
    files = _shorthands(_without_phases(files))
    rules = "\n/* Delays come after the shorthands, which are as specific. */\n"
    for pace, phases in PHASES.items():
        for leg, phase in phases.items():
            side, end = leg.split("-")
            outer = "" if pace == "walk" else f".pace-{pace} "
            limb = f"{outer}.{end}:where(.{side})"
            parts = ", ".join([*(f"{limb} .{part}" for part in PARTS), f"{outer}.dot:where(.{side}.{end})"])
            rules += f"{parts} {{ animation-delay: {_delay(phase)}; }}\n"
    files = edited(files, "styles.css", ("\n/* ---- fluff and hearts", f"{rules}\n/* ---- fluff and hearts"))
    for pace, cycle in CYCLES.items():
        seconds = {name: f"--glide-{name}: {times * cycle:.5g}s;" for name, times in GLIDES.items()}
        if pace == "walk":
            files = edited(
                files,
                "styles.css",
                *((f"--glide-{name}: calc(var(--cycle) * {GLIDES[name]:g});", text) for name, text in seconds.items()),
            )
        else:
            dial = f"--cycle: {cycle:.4g}s;".replace("0.", ".")
            files = edited(files, "styles.css", (f"{dial} }}", f"{dial} {' '.join(seconds.values())} }}"))
    return files


def important(files: Files) -> Files:
    """Delays stand before the shorthands and hold by ``!important``."""
    files = _shorthands(_without_phases(files))
    rules = ""
    for pace, phases in PHASES.items():
        for leg, phase in phases.items():
            side, end = leg.split("-")
            limb = f"{'' if pace == 'walk' else f'.pace-{pace} '}.{end}.{side}"
            parts = ", ".join([*(f"{limb} .{part}" for part in PARTS), f"{limb}.dot"])
            rules += f"{parts} {{ animation-delay: {_delay(phase)} !important; }}\n"
    return edited(
        files, "styles.css", (".upper, .lower, .pawgrp, .dot {", f"{rules}\n.upper, .lower, .pawgrp, .dot {{")
    )


_CHOOSE = """\
    paceButtons[at].setAttribute("aria-pressed", String(at === current));
  });
"""
_DELAY = """\
  for (const part of document.querySelectorAll("[data-leg]")) {
    const phase = PHASES[part.dataset.leg][PACES[current].name] ?? PHASES[part.dataset.leg].walk;
    part.style.animationDelay = `${phase * PACES[current].cycle}s`;
  }
"""


def inline_delays(files: Files) -> Files:
    """Script writes each part's delay into its style attribute whenever the pace changes."""
    files = _without_phases(files)
    page = files["index.html"].decode()
    for leg in PHASES["walk"]:
        side, end = leg.split("-")
        page = page.replace(f'<ellipse class="dot {end} {side}"', f'<ellipse class="dot {end} {side}" data-leg="{leg}"')
        start = page.index(f'<g class="leg {end} {side}">')
        stop = page.index('class="paw"', start)
        inner = re.sub(r'<g class="(upper|lower|pawgrp)">', rf'<g class="\1" data-leg="{leg}">', page[start:stop])
        page = page[:start] + inner + page[stop:]
    table = {
        leg: {
            pace: float(phases[leg])
            for pace, phases in PHASES.items()
            if pace == "walk" or phases[leg] != PHASES["walk"][leg]
        }
        for leg in PHASES["walk"]
    }
    lines = "".join(f"  {json.dumps(leg)}: {json.dumps(own)},\n" for leg, own in table.items())
    comment = "// Phase of each leg, in cycles; where a pace is not named, it is that of the walk."
    return edited(
        {**files, "index.html": page.encode()},
        "app.js",
        ("const SVG =", f"{comment}\nconst PHASES = {{\n{lines}}};\nconst SVG ="),
        (_CHOOSE, _CHOOSE + _DELAY),
    )


_WRITER = """
// The strides are tables: at each of these hundredths of a cycle, the angles of the three joints. A foot on the ground
// goes at constant speed, whatever the pace; through the air it is eased.
const keyframes = document.createElement("style");
keyframes.textContent = Object.entries(STRIDES)
  .flatMap(([name, { stops, down, ...joints }]) =>
    Object.entries(joints).map(([joint, angles]) => {
      const lines = stops.map((stop, at) => {
        const easing = at < down ? "linear" : "cubic-bezier(.4, .15, .65, .9)";
        return `${stop}% { rotate: ${angles[at]}deg; animation-timing-function: ${easing}; }`;
      });
      return `@keyframes ${name}-${joint} { ${lines.join(" ")} }`;
    }),
  )
  .join("\\n");
document.head.append(keyframes);
"""


def generated_keyframes(files: Files) -> Files:
    """The strides are tables of numbers in the script, which writes their keyframes when the page loads."""
    text = files["styles.css"].decode()
    at = text.index("/* ---- the strides")
    tables: dict[str, dict[str, object]] = {}
    for block in css.parse(text[at:]):
        if not isinstance(block, css.Block):
            raise EditError("styles.css: a declaration outside of a rule")
        stride, _, joint = block.prelude.removeprefix("@keyframes ").rpartition("-")
        stops = [stop for stop in block.items if isinstance(stop, css.Block)]
        table = tables.setdefault(
            stride,
            {
                "stops": [float(stop.prelude.rstrip("%")) for stop in stops],
                "down": sum(one.value == "linear" for stop in stops for one in stop.declarations),
            },
        )
        table[joint] = [
            float(one.value.removesuffix("deg")) for stop in stops for one in stop.declarations if one.name == "rotate"
        ]
    lines = "".join(
        f'  "{name}": {{\n' + "".join(f"    {key}: {json.dumps(row)},\n" for key, row in table.items()) + "  },\n"
        for name, table in tables.items()
    )
    files = {**files, "styles.css": text[:at].rstrip().encode() + b"\n"}
    return edited(
        files,
        "app.js",
        ("const SVG =", f"const STRIDES = {{\n{lines.replace('.0,', ',').replace('.0]', ']')}}};\nconst SVG ="),
        ("// ---- pace -", f"{_WRITER.lstrip()}\n// ---- pace -"),
    )
