"""How the pictures of the dog look: one set of colours and letters for sheets and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from husky_lint.svg import element

from .rig import LEGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element

WIDTH: Final = 1440.0
MARGIN: Final = 28.0
GAP: Final = 14.0
LEG_COLOURS: Final = {
    "near_fore": "#1558b0",
    "far_fore": "#6aa5e3",
    "near_hind": "#c2410c",
    "far_hind": "#f0975a",
}
"""Fore blue and hind orange; the far one of a pair is paler."""
GOOD: Final = "#1a7f37"
BAD: Final = "#cf222e"
INK: Final = "#1f2933"
SOFT: Final = "#66727f"
FAINT: Final = "#d5dbe1"
SKY: Final = "#dde7f0"
"""Dark enough for white fur to stand out from it."""
LEAST_DRIFT: Final = 0.5
"""Units."""
NOTED: Final = "#9a5b00"
MOST_NOTES: Final = 4
_LONGEST_NOTE: Final = 150

STYLE: Final = f"""
text{{font-family:ui-sans-serif,system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:{INK};font-size:13px}}
.title{{font-size:25px;font-weight:700}}
.under{{font-size:14px;fill:{SOFT}}}
.small{{font-size:11.5px;fill:{SOFT}}}
.strong{{font-weight:650}}
.note{{font-size:12.5px;fill:{NOTED}}}
.halo{{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}}
"""


def header(title: str, under: str, notes: Iterable[str]) -> tuple[list[_Element], float]:
    """Title, what it is, and notes beneath each other; and the height they take."""
    drawn = [
        element("text", title, x=MARGIN, y=MARGIN + 20, class_="title"),
        element("text", under, x=MARGIN, y=MARGIN + 42, class_="under"),
    ]
    listed = list(dict.fromkeys(notes))
    if len(listed) > MOST_NOTES:
        listed[MOST_NOTES - 1 :] = [f"and {len(listed) - MOST_NOTES + 1} more"]
    top = MARGIN + 56
    for note in listed:
        text = note if len(note) <= _LONGEST_NOTE else note[:_LONGEST_NOTE] + "…"
        top += 18
        drawn.append(element("text", f"⚠ {text}", x=MARGIN, y=top - 4, class_="note"))
    return drawn, top + 6


def legend(right: float, y: float) -> list[_Element]:
    """The colours of the legs and what a filled paw means, ending at ``right``."""
    drawn: list[_Element] = []
    x = right - 4 * 104 - 176
    for leg in LEGS:
        drawn.append(
            element(
                "line",
                x1=x,
                y1=y - 4,
                x2=x + 22,
                y2=y - 4,
                stroke=LEG_COLOURS[leg],
                stroke_width=4,
                stroke_linecap="round",
            )
        )
        drawn.append(element("text", leg.replace("_", " "), x=x + 29, y=y))
        x += 104
    for text, fill in (("paw down", INK), ("in the air", "#fff")):
        drawn.append(element("circle", cx=x + 6, cy=y - 4.5, r=4.5, fill=fill, stroke=INK, stroke_width=1.5))
        drawn.append(element("text", text, x=x + 16, y=y))
        x += 88
    return drawn


def towards(drift: float) -> str:
    """The colour of a drift: backward is right, forward is wrong, and less than half a unit is neither."""
    return SOFT if abs(drift) < LEAST_DRIFT else GOOD if drift < 0 else BAD


def painted(colour: str) -> str:
    """The style of a text in a colour of its own: the sheet's rules win over a ``fill`` attribute."""
    return f"fill:{colour}"


def background(height: float) -> _Element:
    """The sheet of paper."""
    return element("rect", width=WIDTH, height=height, fill="#fff")
