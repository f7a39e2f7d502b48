"""``husky-lint rig``: the inferred parts as JSON, as a table, and as an SVG picture of the drawing at rest."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, TextIO
from xml.sax.saxutils import escape

from rich.table import Table
from rich.text import Text

from husky_lint.report import RenderOptions
from husky_lint.report.printable import printable
from husky_lint.report.text import make_console

if TYPE_CHECKING:
    from collections.abc import Iterable

    from husky_lint.parts import Figure, Outline, Point

_SURE = 0.8
_HALF = 0.5
_SCALE = 2.0
"""Pixels of the picture for one scene unit."""
_COLOURS = ("#0b7285", "#9c36b5", "#e8590c", "#2b8a3e")
_STYLE = """\
.shape{fill:#868e96;fill-opacity:.1;stroke:#adb5bd;stroke-width:.5}
.line{fill:none;stroke:#adb5bd;stroke-width:.8}
.part{fill:#4dabf7;fill-opacity:.14;stroke:#1c7ed6}
.bone{fill:none;stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}
.joint{stroke:#fff;stroke-width:.7}
text{font:5.5px ui-monospace,monospace;fill:#212529;stroke:#fff;stroke-width:1.6;paint-order:stroke}
"""


def render_json(figure: Figure, out: TextIO) -> None:
    """One object: role → path, confidence, evidence, or null."""
    json.dump(figure.to_json(), out, ensure_ascii=False, indent=2, allow_nan=False)
    out.write("\n")


def render_text(figure: Figure, out: TextIO) -> None:
    """A table for people: every role, what plays it, how sure that is and why; then the conflicts."""
    console = make_console(out, RenderOptions())
    table = Table(box=None, pad_edge=False)
    for heading in ("role", "sure", "element", "because"):
        table.add_column(heading, overflow="fold", no_wrap=heading in ("role", "sure"))
    for role, part in figure.parts.items():
        if part is None:
            table.add_row(role, "–", "", Text(printable(figure.missing.get(role, "could not be told")), "dim"))
            continue
        style = "green" if part.confidence >= _SURE else "yellow" if part.confidence >= _HALF else "red"
        paths = "\n".join(printable(_short(path)) for path in part.paths)
        table.add_row(
            role, Text(f"{part.confidence:.2f}", style), Text(paths), Text(printable("; ".join(part.evidence)))
        )
    console.print(table)
    for conflict in figure.conflicts:
        console.print(Text(printable(f"conflict: {conflict}"), "yellow"))


def _short(path: str) -> str:
    """A path without the ``:nth-child()`` spelled out: ``svg>g3>path1``."""
    return path.replace(":nth-child(", " ").replace(")", "")


def render_svg(figure: Figure, out: TextIO) -> None:
    """The shapes as they are drawn, the bones of the limbs over them, the roles beside."""
    x, y, width, height = figure.view
    out.write(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_n(x)} {_n(y)} {_n(width)} {_n(height)}" '
        f'width="{_n(width * _SCALE)}" height="{_n(height * _SCALE)}" role="img" aria-label="Inferred parts">\n'
        f"<style>{_STYLE}</style>\n"
        f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" fill="#fff"/>\n'
    )
    for outline in figure.outlines:
        kind = "line" if not outline.closed else "shape part" if outline.role else "shape"
        title = f"<title>{_text(outline.role)}</title>" if outline.role else ""
        out.write(f'<path class="{kind}" d="{_path(outline)}">{title}</path>\n')
    for position, bone in enumerate(figure.bones):
        colour = _COLOURS[position % len(_COLOURS)]
        points = " ".join(f"{_n(px)},{_n(py)}" for px, py in _known(bone.joints))
        out.write(f'<polyline class="bone" stroke="{colour}" points="{points}"><title>{_text(bone.name)}</title>')
        out.write("</polyline>\n")
        out.writelines(
            f'<circle class="joint" cx="{_n(px)}" cy="{_n(py)}" r="2.4" fill="{colour}"/>\n'
            for px, py in _known(bone.joints)
        )
    for label in figure.labels:
        if all(map(math.isfinite, label.at)):
            out.write(f'<text x="{_n(label.at[0])}" y="{_n(label.at[1])}">{_text(label.text)}</text>\n')
    out.write("</svg>\n")


def _known(points: Iterable[Point]) -> list[Point]:
    return [point for point in points if all(map(math.isfinite, point))]


def _path(outline: Outline) -> str:
    pieces = []
    for line in outline.lines:
        points = _known(line)
        if len(points) > 1:
            pieces.append("M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points) + ("Z" if outline.closed else ""))
    return "".join(pieces)


def _n(number: float) -> str:
    return f"{number:.1f}".rstrip("0").rstrip(".")


def _text(text: str) -> str:
    return escape(printable(text))
