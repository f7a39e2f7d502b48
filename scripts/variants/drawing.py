"""The reference drawn by other means: outlines for strokes, strokes for outlines, paint in attributes."""

from __future__ import annotations

import colorsys
import itertools
import math
import re

from scripts.variants import css
from scripts.variants.edits import EditError, Files, edited

_WIDTHS = {"arm": 21, "forearm": 14.5, "thigh": 30, "shank": 17, "cannon": 12}
_LINE = re.compile(r"M([\d.]+) ([\d.]+) L([\d.]+) ([\d.]+)")


def _capsule(line: str, width: float) -> str:
    """The outline of a straight stroke with round ends, as path data."""
    found = _LINE.fullmatch(line)
    if found is None:
        raise EditError(f"{line!r} is no straight line")
    x0, y0, x1, y1 = map(float, found.groups())
    length = math.hypot(x1 - x0, y1 - y0)
    nx, ny = -(y1 - y0) / length * width / 2, (x1 - x0) / length * width / 2
    a, b, c, d = (
        f"{x:.2f} {y:.2f}" for x, y in ((x0 + nx, y0 + ny), (x0 - nx, y0 - ny), (x1 - nx, y1 - ny), (x1 + nx, y1 + ny))
    )
    arc = f"A{width / 2:g} {width / 2:g} 0 0 1"
    return f"M{a} {arc} {b} L{c} {arc} {d} Z"


_STROKED = """\
.arm, .forearm, .thigh, .shank, .cannon { fill: none; stroke: var(--coat-mid); stroke-linecap: round; }
.arm { stroke-width: 21; }
.forearm { stroke-width: 14.5; stroke: var(--fur-white); }
.thigh { stroke-width: 30; }
.shank { stroke-width: 17; }
.cannon { stroke-width: 12; stroke: var(--fur-white); }
"""
_FILLED = """\
.arm, .thigh, .shank { fill: var(--coat-mid); }
.forearm, .cannon { fill: var(--fur-white); }
"""
_TAPER = 'parseFloat(style(".fore.near .arm").strokeWidth) / parseFloat(style(".fore.near .forearm").strokeWidth),'
_THICKNESS = 'thick(".fore.near .arm", 490, 233, 0.922, 0.388) / thick(".fore.near .forearm", 483, 288, 1, -0.028),'
_FILL = "const fill = (selector, x, y) => document.querySelector(selector).isPointInFill(new DOMPoint(x, y));\n"
_THICK = """\
    // How thick a limb is across the direction (dx, dy), through a point of its middle.
    const thick = (selector, x, y, dx, dy) => {
      let inside = 0;
      for (let at = -20; at <= 20; at += 0.05) inside += fill(selector, x + at * dx, y + at * dy) ? 1 : 0;
      return inside * 0.05;
    };
"""


def filled_limbs(files: Files) -> Files:
    """Limbs are filled outlines; none of their shapes has a stroke."""
    page = re.sub(
        r'<path class="(arm|forearm|thigh|shank|cannon)" d="([^"]*)"',
        lambda found: f'<path class="{found[1]}" d="{_capsule(found[2], _WIDTHS[found[1]])}"',
        files["index.html"].decode(),
    )
    files = edited(
        {**files, "index.html": page.encode()},
        "styles.css",
        (_STROKED, _FILLED),
        ("& .thigh, & .shank { stroke:", "& .thigh, & .shank { fill:"),
        ("& .forearm, & .cannon { stroke:", "& .forearm, & .cannon { fill:"),
    )
    return edited(files, "tools/audit.js", (_TAPER, _THICKNESS), (_FILL, _FILL + _THICK))


def _redrawn(page: str, name: str, *shapes: str) -> str:
    """The page with the shapes of a class given other outlines, in document order; an empty one takes it away."""
    pattern = re.compile(rf'( *)<(path) class="{name}" d="[^"]*"/>(\n?)')
    if len(pattern.findall(page)) != len(shapes):
        raise EditError(f"index.html: {len(pattern.findall(page))} shapes of class {name}, expected {len(shapes)}")
    left = iter(shapes)
    return pattern.sub(
        lambda f: f'{f[1]}<path class="{name}" d="{shape}"/>{f[3]}' if (shape := next(left)) else "", page
    )


_TAIL_FILLED = """\
.tail-fur, .tail-curl { fill: var(--coat-dark); }
.tail-white { fill: var(--fur-white); }
"""
_TAIL_STROKED = """\
.tail-fur, .tail-curl, .tail-white { fill: none; stroke: var(--coat-dark); stroke-width: 23; stroke-linecap: round; }
.tail-white { stroke: var(--fur-white); stroke-width: 17; }
"""


def stroked_limbs(files: Files) -> Files:
    """Limbs, tail and collar are thick strokes; the collar is a ``<line>``."""
    page = files["index.html"].decode()
    sleeve = "M482 252 L482.3 264"
    for name, shapes in {
        "haunch": ["M360 228 L372 262"],
        "stifle": [""],
        "calf": ["", ""],
        "sock": ["", ""],
        "sleeve": ["M464 250 L464 262", sleeve, sleeve],
        "tail-fur": ["M344 216 C316 212 296 192 296 164"],
        "tail-curl": ["M296 166 C296 144 310 130 330 130"],
        "tail-white": ["M312 136 C320 131 328 130 336 134"],
    }.items():
        page = _redrawn(page, name, *shapes)
    collar = '<path class="collar" d="M515 174 C524 196 532 218 537 241"/>'
    if collar not in page:
        raise EditError("index.html: no collar")
    page = page.replace(collar, '<line class="collar" x1="515" y1="174" x2="537" y2="241"/>')
    page = re.sub(r' *<path class="stitch"[^>]*>\n', "", page)
    return edited(
        {**files, "index.html": page.encode()},
        "styles.css",
        (".torso, .haunch, .calf, .sleeve, .sock {", ".torso {"),
        (
            ".thigh { stroke-width: 30; }\n",
            ".thigh { stroke-width: 30; }\n.haunch { stroke-width: 54; }\n.sleeve { stroke-width: 17; }\n",
        ),
        (".arm, .forearm, .thigh, .shank,", ".arm, .forearm, .sleeve, .haunch, .thigh, .shank,"),
        ("  & .calf, & .sleeve, & .sock { fill: var(--coat-far); }\n", "  & .sleeve { stroke: var(--coat-far); }\n"),
        (_TAIL_FILLED, _TAIL_STROKED),
    )


_PAINT = {"fill", "stroke", "stroke-width", "stroke-linecap", "stroke-dasharray", "opacity"}


def _respelled(color: str, way: int) -> str:
    """A colour ``#rrggbb`` as a function."""
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    if way == 0:
        return f"rgb({red} {green} {blue})"
    if way == 1:
        return f"rgba({red}, {green}, {blue}, 1)"
    if way == 2:
        return f"color(srgb {red / 255:.4f} {green / 255:.4f} {blue / 255:.4f})"
    hue, light, full = colorsys.rgb_to_hls(red / 255, green / 255, blue / 255)
    return f"hsl({hue * 360:.2f}deg {full * 100:.2f}% {light * 100:.2f}%)"


def attributes_of_paint(files: Files) -> Files:
    """Paint stands in presentation attributes, with custom properties in them; colours are functions."""
    page = files["index.html"].decode()
    paint: dict[str, dict[str, str]] = {}
    kept: list[css.Block | css.Declaration] = []
    for rule in css.parse(files["styles.css"].decode()):
        names = rule.prelude.split(", ") if isinstance(rule, css.Block) else []
        plain = all((re.fullmatch(r"\.[\w-]+", name) and f'"{name[1:]}"' in page) or name == ".bib" for name in names)
        if (
            isinstance(rule, css.Block)
            and names
            and plain
            and all(isinstance(item, css.Declaration) and item.name in _PAINT for item in rule.items)
        ):
            for name in names:
                paint.setdefault(name[1:], {}).update({one.name: one.value for one in rule.declarations})
        else:
            kept.append(rule)

    def painted(found: re.Match[str]) -> str:
        own: dict[str, str] = {}
        for name in found[1].split():
            own |= paint.get(name, {})
        return "".join([found[0], *(f' {name}="{value}"' for name, value in own.items())])

    page = re.sub(r'class="([^"]*)"', painted, page)
    ways = itertools.cycle(range(4))
    text = re.sub(r"#[0-9a-f]{6}\b", lambda found: _respelled(found[0], next(ways)), css.write(kept))
    return {**files, "index.html": page.encode(), "styles.css": text.encode()}


_COLLAR = '<path class="collar" d="M515 174 C524 196 532 218 537 241"/>'
_BAND = (
    '<g clip-path="url(#neckline)"><path class="collar" d="M510 158 L515 174 C524 196 532 218 537 241 L540 256"/></g>'
)


_TWO_MOTIONS = """\
.dog {
  transform-origin: 426px 250px;
  animation:
    bob calc(var(--cycle) * .5) ease-in-out infinite,
    sway var(--cycle) ease-in-out infinite;
}
"""


def one_coat(files: Files) -> Files:
    """Body and neck are one outline, the collar a band that a clip cuts off; the body bobs and sways at once."""
    page = files["index.html"].decode()
    neck = re.search(r' *<path class="neck" d="([^"]*)"/>\n', page)
    if neck is None:
        raise EditError("index.html: no neck")
    files = edited(
        files,
        "index.html",
        (neck[0], ""),
        ('Z"/>\n        <path class="saddle"', f'Z {neck[1]}"/>\n        <path class="saddle"'),
        (_COLLAR, _BAND),
        (
            "      </defs>\n",
            f'        <clipPath id="neckline"><path fill="#ffffff" d="{neck[1]}"/></clipPath>\n      </defs>\n',
        ),
    )
    files = edited(
        files,
        "styles.css",
        (".neck { fill: var(--coat-mid); }\n", ""),
        (".dog { animation: bob calc(var(--cycle) * .5) ease-in-out infinite; }\n", _TWO_MOTIONS),
        (
            "@keyframes breathe",
            "@keyframes sway { 0%, 100% { rotate: -.2deg; } 50% { rotate: .2deg; } }\n@keyframes breathe",
        ),
    )
    stands = '(await state(part)) === "paused", await state(part));'
    all_stand = '(await state(part)).split(",").every((one) => one === "paused"), await state(part));'
    return edited(files, "tools/audit.js", (stands, all_stand))
