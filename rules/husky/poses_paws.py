"""Plots of the paws: the path of each sole in the scene, where it is down, and what that sums to."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.pictures import Picture
from husky_lint.svg import document, element, number, polyline_data

from .poses_sheet import BAND, DOWN, GROUND, PHASES
from .poses_style import (
    FAINT,
    GAP,
    INK,
    LEAST_DRIFT,
    LEG_COLOURS,
    MARGIN,
    SOFT,
    STYLE,
    WIDTH,
    background,
    header,
    painted,
    towards,
)
from .rig import LEGS
from .strides import GONE_AT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from .strides import LegStride, Stride

    FloatArray = NDArray[np.float64]

PANEL_WIDTH: Final = (WIDTH - 2 * MARGIN - GAP) / 2
TITLE: Final = 46.0
"""Pixels of a panel above its plot."""
BELOW: Final = 366.0
"""The lowest y of the scene that is shown: the path band, and room for the drift arrow."""
TALLEST: Final = 330.0
"""Pixels of a plot."""
GRID: Final = 20.0
ARROW_Y: Final = 354.0
MOST_CONTACTS: Final = 3


def paw_plot(stride: Stride) -> Picture:
    """Four panels in one scale: near and far foreleg, near and far hind leg."""
    gone = GONE_AT.get(stride.pace, frozenset())
    notes = [f"{name.replace('_', ' ')}: {stride.unknown[name]}" for name in LEGS if name in stride.unknown]
    under = (
        f"where each sole goes in one stride of {number(stride.cycle, 3)} s; down is y {DOWN:g} or lower; "
        f"small numbers are the phases of the contact sheet"
    )
    drawn, top = header(f"{stride.pace}: paths of the paws", under, notes)
    legs = {name: leg for name, leg in stride.legs.items() if np.isfinite(_path(leg)).all()}
    half, highest, scale = _scale(legs.values())
    panel = TITLE + (BELOW - highest) * scale
    for place, name in enumerate(LEGS):
        x = MARGIN + (place % 2) * (PANEL_WIDTH + GAP)
        y = top + (place // 2) * (panel + GAP)
        drawn.append(element("rect", x=x, y=y, width=PANEL_WIDTH, height=panel, fill="#fbfcfd", stroke=FAINT))
        drawn.append(
            element(
                "text", name.replace("_", " "), x=x + 12, y=y + 20, class_="strong", style=painted(LEG_COLOURS[name])
            )
        )
        if name in legs:
            drawn.extend(_panel(legs[name], x, y, half, highest, scale))
        else:
            why = "it goes at this pace" if name in gone else "not told"
            drawn.append(element("text", why, x=x + 12, y=y + 38, class_="small"))
    height = top + 2 * panel + GAP + MARGIN
    svg = document(WIDTH, height, STYLE, f"Paths of the paws at {stride.pace}", [background(height), *drawn])
    title = f"{stride.pace}: paths of the paws"
    return Picture(f"{stride.pace}-paws", stride.pace, title, svg, WIDTH, height, tuple(notes))


def _path(leg: LegStride) -> FloatArray:
    """(T, 2) the sole in scene units."""
    return np.stack([leg.track.sole_x, leg.track.lowest], axis=1)


def _scale(legs: Iterable[LegStride]) -> tuple[float, float, float]:
    """Half the width of a panel and its top in scene units, and pixels a unit: the same for all of a pace."""
    paths = [_path(leg) for leg in legs]
    if not paths:
        return 60.0, 300.0, 3.0
    half = max(float(np.ptp(path[:, 0])) for path in paths) / 2 + 34
    highest = min(float(path[:, 1].min()) for path in paths) - 12
    half, highest = min(max(half, 40.0), 400.0), max(min(highest, 320.0), 60.0)
    scale = min(PANEL_WIDTH / (2 * half), TALLEST / (BELOW - highest))
    return PANEL_WIDTH / scale / 2, highest, scale


def _panel(leg: LegStride, x: float, y: float, half: float, highest: float, scale: float) -> Iterator[_Element]:
    """One paw. What is drawn in scene units lies in a nested svg, what is written beside it in pixels."""
    track, path = leg.track, _path(leg)
    middle = float(path[:, 0].min() + path[:, 0].max()) / 2
    left = middle - half
    yield element("text", _figures(leg), x=x + 12, y=y + 38, class_="small")
    pixel = 1 / scale
    plot = [*_grid(left, half, highest, pixel), *_curve(leg, path, pixel), *_drift(leg, path, pixel)]
    yield element(
        "svg",
        *plot,
        x=x,
        y=y + TITLE,
        width=PANEL_WIDTH,
        height=(BELOW - highest) * scale,
        viewBox=f"{number(left)} {number(highest)} {number(2 * half)} {number(BELOW - highest)}",
    )

    def at(place_x: float, place_y: float) -> tuple[float, float]:
        return x + (place_x - left) * scale, y + TITLE + (place_y - highest) * scale

    yield from _marks(leg, path, at)
    drift = track.drift(DOWN)
    if track.down(DOWN).any():
        arrow = path[track.down(DOWN)][:, 0]
        px, py = at(float(arrow.min() + arrow.max()) / 2, ARROW_Y)
        look = {"style": painted(towards(drift)), "class_": "strong halo", "text_anchor": "middle"}
        yield element("text", f"drift {_signed(drift)}", x=px, y=py + 18, **look)


def _figures(leg: LegStride) -> str:
    track = leg.track
    lift, drag = track.lift(DOWN), track.drag(DOWN)[0]
    parts = [f"down {track.share_down(DOWN):.0%} of the cycle", f"drift {_signed(track.drift(DOWN))}"]
    parts.append("never down" if math.isnan(lift) else f"lift {lift:.1f}")
    parts.append(f"forward drag {drag:.1f}")
    parts.append(f"lowest y {float(track.lowest.max()):.1f}")
    return "  ·  ".join(parts)


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{abs(value):.1f}"


def _grid(left: float, half: float, highest: float, pixel: float) -> Iterator[_Element]:
    """The path band on squared paper; ``pixel`` is how many units one takes."""
    width = 2 * half
    letters = {"class_": "small", "style": f"font-size:{number(11 * pixel, 3)}px"}
    yield element("rect", x=left, y=BAND[0], width=width, height=BAND[1] - BAND[0], fill="#efe4cc")
    for x in np.arange(math.ceil(left / GRID) * GRID, left + width, GRID).tolist():
        yield element("line", x1=x, y1=highest, x2=x, y2=BELOW, stroke="#e3e8ec", stroke_width=f"{pixel:.3f}")
        yield element("text", number(x), x=x, y=BELOW - 4 * pixel, text_anchor="middle", **letters)
    for y in np.arange(math.ceil(highest / GRID) * GRID, BELOW, GRID).tolist():
        yield element("line", x1=left, y1=y, x2=left + width, y2=y, stroke="#e3e8ec", stroke_width=f"{pixel:.3f}")
        if y - highest > 14 * pixel:
            yield element("text", number(y), x=left + 4 * pixel, y=y - 3 * pixel, **letters)
    yield element("line", x1=left, y1=GROUND, x2=left + width, y2=GROUND, stroke="#a98647", stroke_width=f"{pixel:.3f}")


def _curve(leg: LegStride, path: FloatArray, pixel: float) -> Iterator[_Element]:
    """The whole way thin, the part on the ground thick, and which way it goes."""
    colour = LEG_COLOURS[leg.leg.name]
    both = leg.track.down(DOWN) & np.roll(leg.track.down(DOWN), -1)
    onward = np.roll(path, -1, axis=0)
    whole = [(float(x), float(y)) for x, y in np.vstack([path, path[:1]])]
    steps = [[(float(x), float(y)) for x, y in (path[i], onward[i])] for i in np.flatnonzero(both)]
    for lines, width in (([whole], 2.2), (steps, 8.0)):
        yield element(
            "path",
            d=polyline_data(lines) or "M0 0",
            fill="none",
            stroke=colour,
            stroke_width=f"{width * pixel:.3f}",
            stroke_linecap="round",
            stroke_linejoin="round",
        )
    count = len(path)
    for place in range(PHASES):
        index = (place * count // PHASES + count // (2 * PHASES)) % count
        yield from _chevron(path[index], onward[index] - path[index], colour, 7 * pixel)


def _chevron(at: FloatArray, way: FloatArray, colour: str, size: float) -> Iterator[_Element]:
    length = float(np.hypot(*way))
    if length < 1e-3:
        return
    along = way / length
    aside = np.array([-along[1], along[0]])
    corners = (at - size * (0.6 * along - 0.75 * aside), at + size * along, at - size * (0.6 * along + 0.75 * aside))
    points = [(float(x), float(y)) for x, y in corners]
    yield element(
        "path", d=polyline_data([points], closed=True), fill=colour, stroke="#fff", stroke_width=f"{size / 6:.3f}"
    )


def _drift(leg: LegStride, path: FloatArray, pixel: float) -> Iterator[_Element]:
    """An arrow as long as the drift, under the ground it was covered on."""
    down, drift = leg.track.down(DOWN), leg.track.drift(DOWN)
    if not down.any() or abs(drift) < LEAST_DRIFT:
        return
    grounded = path[down][:, 0]
    middle = float(grounded.min() + grounded.max()) / 2
    start, end = middle - drift / 2, middle + drift / 2
    colour = towards(drift)
    back = -math.copysign(min(16 * pixel, abs(drift)), drift)
    yield element(
        "line", x1=start, y1=ARROW_Y, x2=end + 0.7 * back, y2=ARROW_Y, stroke=colour, stroke_width=f"{4 * pixel:.3f}"
    )
    head = [(end, ARROW_Y), (end + back, ARROW_Y - 8 * pixel), (end + back, ARROW_Y + 8 * pixel)]
    yield element("path", d=polyline_data([head], closed=True), fill=colour)


def _marks(leg: LegStride, path: FloatArray, at: Callable[[float, float], tuple[float, float]]) -> Iterator[_Element]:
    """Phases, strike and toe-off, and the lift, written in pixels."""
    count = len(path)
    colour = LEG_COLOURS[leg.leg.name]
    centre = path.mean(axis=0)
    for place in range(PHASES):
        here = path[place * count // PHASES]
        x, y = at(*here.tolist())
        above = here[1] <= centre[1]
        yield element("circle", cx=x, cy=y, r=3.4, fill="#fff", stroke=colour, stroke_width=1.6)
        yield element("text", str(place), x=x, y=y - 8 if above else y + 17, class_="small halo", text_anchor="middle")
    longest = max(leg.track.contacts(DOWN), key=lambda contact: (contact[1] - contact[0]) % 1.0, default=None)
    for contact in leg.track.contacts(DOWN)[:MOST_CONTACTS]:
        for phase, word, shape in zip(contact, ("strike", "toe-off"), ("l-5 -9h10z", "l-5 9h10z"), strict=True):
            px, py = path[round(phase * count) % count].tolist()
            x, y = at(px, py)
            start = y - 5 if word == "strike" else y - 14
            yield element("path", d=f"M{number(x)} {number(start)}{shape}", fill=INK, stroke="#fff", stroke_width=1)
            if contact != longest:
                continue
            _, line = at(px, ARROW_Y)
            yield element("line", x1=x, y1=y, x2=x, y2=line, stroke=SOFT, stroke_dasharray="2 3")
            other = path[round(contact[word == "strike"] * count) % count][0]
            text, side = f"{word} {leg.own_phase(phase):.2f}", 1 if px >= other else -1
            anchor = "start" if side > 0 else "end"
            yield element("text", text, x=x + side * 8, y=line + 4.5, class_="halo", text_anchor=anchor)
    lift = leg.track.lift(DOWN)
    if not math.isnan(lift) and lift > 1:
        top = path[int(np.argmin(path[:, 1]))]
        x, y = at(float(top[0]), float(top[1]))
        _, base = at(float(top[0]), float(top[1]) + lift)
        yield element(
            "path",
            d=f"M{number(x)} {number(y + 5)}V{number(base)}m-5 0h10",
            fill="none",
            stroke=SOFT,
            stroke_dasharray="3 3",
        )
        side = 1 if top[0] < centre[0] else -1
        anchor = "start" if side > 0 else "end"
        middle = (y + base) / 2 + 4
        yield element("text", f"lift {lift:.1f}", x=x + side * 7, y=middle, class_="halo", text_anchor=anchor)


__all__ = ["paw_plot"]
