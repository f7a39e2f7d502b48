"""Sheets of screenshots with captions, composed as a page of husky-lint's own and drawn by the browser itself."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lxml.html import builder as h
from lxml.html import tostring

from husky_lint.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.html import HtmlElement

    from husky_lint.parts import Bone, Point

COLOURS: Final = ("#0057d9", "#c2185b", "#00838f", "#d35400", "#6a1b9a", "#2e7d32")
_MARGIN: Final = 20
_GAP: Final = 12
_STYLE: Final = """
* { margin: 0; box-sizing: border-box }
body { background: #fff; color: #1d232b; font: 15px/1.4 system-ui, "DejaVu Sans", sans-serif; padding: 20px }
h1 { font-size: 22px; line-height: 1.3 }
h2 { font-size: 17px; margin-top: 18px }
p { color: #5a6572 } p.note { color: #a4420b }
.grid { display: grid; gap: 12px; margin-top: 10px; align-items: start }
figure { min-width: 0 }
.frame { position: relative; outline: 1px solid #c9d1da; overflow: hidden }
.frame img { display: block; width: 100% }
.frame svg { position: absolute; inset: 0; width: 100%; height: 100% }
.pale img { filter: saturate(.35) opacity(.6) }
figcaption { padding: 3px 2px 0; font-size: 14px; font-weight: 600; overflow-wrap: anywhere }
figcaption span { float: right; font-weight: 400; color: #5a6572 }
.key { float: right; font-size: 14px }
.key i { display: inline-block; width: 22px; height: 4px; margin: 4px 6px 4px 16px }
.bones path { fill: none; stroke-linecap: round; stroke-linejoin: round }
"""


@dataclass(frozen=True, slots=True)
class Frame:
    """One screenshot, ``width`` × ``height`` CSS pixels of the sheet. ``bones`` are in pixels of it, drawn over it."""

    png: bytes
    width: int
    height: int
    caption: str
    aside: str = ""
    bones: tuple[Bone, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """Frames in rows of ``columns`` under a heading; ``""`` for none."""

    title: str
    columns: int
    frames: tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole picture: a title, lines of facts and of doubts under it, and its frames."""

    title: str
    facts: tuple[str, ...]
    notes: tuple[str, ...]
    sections: tuple[Section, ...]

    @property
    def width(self) -> int:
        """CSS pixels."""
        rows = [row for section in self.sections for row in _rows(section)]
        widest = max((sum(frame.width for frame in row) + _GAP * (len(row) - 1) for row in rows), default=600)
        return max(widest, 360) + 2 * _MARGIN

    def to_html(self) -> str:
        """The page that is drawn: no script, and nothing that is loaded."""
        names = list(dict.fromkeys(bone.name for s in self.sections for f in s.frames for bone in f.bones))
        colours = {name: COLOURS[place % len(COLOURS)] for place, name in enumerate(names)}
        head = [_key(colours)] if names else []
        head += [h.H1(printable(self.title)), *(h.P(printable(fact)) for fact in self.facts)]
        head += [h.P(h.CLASS("note"), printable(note)) for note in self.notes]
        body = [part for section in self.sections for part in _section(section, colours)]
        page = h.HTML(h.HEAD(h.META(charset="utf-8"), h.STYLE(_STYLE)), h.BODY(*head, *body))
        text: str = tostring(page, encoding="unicode", doctype="<!doctype html>")
        return text


def _rows(section: Section) -> list[Sequence[Frame]]:
    return [section.frames[at : at + section.columns] for at in range(0, len(section.frames), section.columns)]


def _key(colours: dict[str, str]) -> HtmlElement:
    parts = [part for name, colour in colours.items() for part in (h.I(style=f"background:{colour}"), h.SPAN(name))]
    return h.DIV(h.CLASS("key"), *parts)


def _section(section: Section, colours: dict[str, str]) -> list[HtmlElement]:
    heading = [h.H2(printable(section.title))] if section.title else []
    widths = " ".join(f"{max(column)}px" for column in _columns(section))
    figures = [
        h.FIGURE(
            h.DIV(
                h.CLASS("frame pale" if frame.bones else "frame"),
                h.IMG(src="data:image/png;base64," + base64.b64encode(frame.png).decode("ascii"), alt=""),
                *([_drawn(frame, colours)] if frame.bones else []),
            ),
            h.E.figcaption(h.SPAN(printable(frame.aside)), printable(frame.caption)),
        )
        for frame in section.frames
    ]
    return [*heading, h.DIV(h.CLASS("grid"), *figures, style=f"grid-template-columns: {widths}")]


def _columns(section: Section) -> list[list[int]]:
    rows = _rows(section)
    return [
        [row[column].width for row in rows if column < len(row)]
        for column in range(min(section.columns, len(section.frames)))
    ]


def _drawn(frame: Frame, colours: dict[str, str]) -> HtmlElement:
    """The bones over a frame: each a white edge, its line, and a ring at every joint."""
    drawn = []
    for bone in frame.bones:
        line = "M" + "L".join(map(_place, bone.joints))
        drawn.append(h.E.path(d=line, stroke="#fff", **{"stroke-width": "7"}))
        drawn.append(h.E.path(d=line, stroke=colours[bone.name], **{"stroke-width": "3.5"}))
        for x, y in bone.joints:
            ring = {"stroke-width": "2", "stroke": colours[bone.name], "fill": "#fff"}
            drawn.append(h.E.circle(cx=f"{x:.1f}", cy=f"{y:.1f}", r="4", **ring))
    return h.E.svg(h.CLASS("bones"), *drawn, viewBox=f"0 0 {frame.width} {frame.height}")


def _place(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"
