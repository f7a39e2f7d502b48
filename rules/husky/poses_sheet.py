"""Contact sheets: the dog at eight phases of a pace, its skeleton over its silhouette, and the ground going by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from husky_lint.pictures import Picture
from husky_lint.rule import Undecided
from husky_lint.svg import document, element, number, polyline_data

from .detached import flight
from .poses_cutout import Cutout, cut_out
from .poses_skeleton import places_at, skeleton_of
from .poses_style import FAINT, GAP, INK, LEG_COLOURS, MARGIN, SKY, SOFT, STYLE, WIDTH, background, header, legend
from .rig import LEGS, rig_of
from .seen import counterpart

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from husky_lint.evidence import Evidence
    from husky_lint.scene.motion import Motion

    from .poses_skeleton import Skeleton
    from .strides import LegStride, Stride

    FloatArray = NDArray[np.float64]
    Window = tuple[float, float, float, float]

PHASES: Final = 8
COLUMNS: Final = 4
SHOWN: Final = (250.0, 70.0, 660.0, 366.0)
"""Left, top, right, bottom of the scene that a frame shows at least: the dog of the contract with room around it."""
FARTHEST: Final = (-60.0, 0.0, 960.0, 460.0)
"""And at most, wherever the dog is."""
CAPTION: Final = 24.0
BAND: Final = (336.0, 344.0)
GROUND: Final = 340.0
DOWN: Final = 336.0
PEBBLES: Final = 45.0
"""Units between the pebbles of the drawn ground."""
MARKED: Final = 560.0
"""Where the pebble that the eye is to follow lies at the first phase."""
STRIP: Final = 900.0
GONE_FLIGHT: Final = 1.75
"""Cycles after the hop is chosen that its own sheet shows, where how long the leg flies could not be told."""
LONGEST_FLIGHT: Final = 8.0
"""Seconds."""


def contact_sheet(evidence: Evidence, stride: Stride) -> Picture:
    """Eight phases of a settled stride, coupled to the pace's own cycle."""
    places = np.arange(PHASES) * len(stride.times) // PHASES
    times = stride.times[places]
    skeleton = skeleton_of(evidence, stride)
    cutout, notes = _cutout(evidence, stride.motion, times)
    ground, ground_note = _ground(evidence, stride.motion, times)
    notes = [*skeleton.missing, *notes, *ground_note]
    captions = [f"{place}/{PHASES}  ·  {1000 * place * stride.cycle / PHASES:.0f} ms" for place in range(PHASES)]
    overlays = [list(_bones(skeleton, int(index))) for index in places]
    under = f"{PHASES} phases of a settled stride of {number(stride.cycle, 3)} s, from the source alone"
    drawn, top = header(stride.pace, under, notes)
    drawn += legend(WIDTH - MARGIN, MARGIN + 20)
    frames, bottom = _frames(top, _window(cutout), cutout, overlays, ground, captions)
    diagram, height = _gait_diagram(bottom + 10, skeleton.legs)
    children = [background(height), element("defs", *cutout.definitions), *drawn, *frames, *diagram]
    svg = document(WIDTH, height, STYLE, f"Contact sheet of {stride.pace}", children)
    return Picture(stride.pace, stride.pace, f"{stride.pace}: {PHASES} phases", svg, WIDTH, height, tuple(notes))


def flight_sheet(evidence: Evidence, stride: Stride) -> Picture | None:
    """The first moments of a pace that takes a leg off, from the instant it is chosen; None where nothing leaves."""
    part = rig_of(evidence).parts.get("detached_leg")
    if part is None:
        return None
    times = np.linspace(0.0, _flight_time(evidence, stride), PHASES)
    cutout, notes = _cutout(evidence, stride.motion, times, follow_detached=True)
    ground, ground_note = _ground(evidence, stride.motion, times)
    notes = [*notes, *ground_note]
    drawn, top = header(f"{stride.pace}: the leg that goes", "from the instant the pace is chosen", notes)
    captions = [f"{time / stride.cycle:.2f} cycles  ·  {1000 * time:.0f} ms" for time in times]
    frames, bottom = _frames(top, _window(cutout), cutout, [[] for _ in times], ground, captions)
    height = bottom + MARGIN
    children = [background(height), element("defs", *cutout.definitions), *drawn, *frames]
    svg = document(WIDTH, height, STYLE, f"The leg that goes at {stride.pace}", children)
    title = f"{stride.pace}: the leg that goes"
    return Picture(f"{stride.pace}-leg", stride.pace, title, svg, WIDTH, height, tuple(notes))


def _flight_time(evidence: Evidence, stride: Stride) -> float:
    """Seconds until the leg is down, as far as its animation says."""
    try:
        _, spec = flight(evidence, stride)
    except Undecided:
        return GONE_FLIGHT * stride.cycle
    return min(max(max(spec.delay, 0.0) + spec.duration, stride.cycle), LONGEST_FLIGHT)


def _cutout(
    evidence: Evidence, motion: Motion, times: FloatArray, *, follow_detached: bool = False
) -> tuple[Cutout, list[str]]:
    try:
        cutout = cut_out(evidence, motion, times, prefix="s", follow_detached=follow_detached)
    except Undecided as said:
        return Cutout((), ((),) * len(times), None), [f"silhouette: {said}"]
    notes = [f"{cutout.left_out} shapes of the dog are left out"] if cutout.left_out else []
    return cutout, notes if cutout.definitions else ["silhouette: nothing of the dog is seen"]


def _window(cutout: Cutout) -> Window:
    """Left, top, width, height of what the frames show."""
    left, top, right, bottom = SHOWN
    if cutout.bounds is not None:
        left, right = min(left, cutout.bounds[0] - 10), max(right, cutout.bounds[2] + 10)
        top, bottom = min(top, cutout.bounds[1] - 10), max(bottom, cutout.bounds[3] + 10)
    left, top, right, bottom = (
        max(left, FARTHEST[0]),
        max(top, FARTHEST[1]),
        min(right, FARTHEST[2]),
        min(bottom, FARTHEST[3]),
    )
    return left, top, right - left, bottom - top


def _frames(
    top: float,
    window: Window,
    cutout: Cutout,
    overlays: Sequence[Sequence[_Element]],
    ground: FloatArray | None,
    captions: Sequence[str],
) -> tuple[list[_Element], float]:
    """The frames in rows, and where they end."""
    width = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
    height = width * window[3] / window[2]
    drawn = []
    for place, caption in enumerate(captions):
        x = MARGIN + (place % COLUMNS) * (width + GAP)
        y = top + (place // COLUMNS) * (height + CAPTION + GAP)
        went = float(ground[place]) if ground is not None and np.isfinite(ground[place]) else None
        content = [*_ground_drawn(window, went), *_silhouette(cutout.frames[place]), *overlays[place]]
        drawn.append(
            element(
                "svg",
                element("rect", x=window[0], y=window[1], width=window[2], height=window[3], fill=SKY),
                *content,
                x=x,
                y=y,
                width=width,
                height=height,
                viewBox=" ".join(map(number, window)),
            )
        )
        drawn.append(element("rect", x=x, y=y, width=width, height=height, fill="none", stroke=FAINT))
        drawn.append(element("text", caption, x=x + 2, y=y + height + 16, class_="strong"))
        if went is not None:
            said = f"ground {'' if went < 0.5 else '−'}{went:.0f} units"
            drawn.append(element("text", said, x=x + width - 2, y=y + height + 16, class_="small", text_anchor="end"))
    rows = -(-len(captions) // COLUMNS)
    return drawn, top + rows * (height + CAPTION) + (rows - 1) * GAP


def _silhouette(shapes: Sequence[_Element]) -> Iterator[_Element]:
    if shapes:
        yield element("g", *shapes, opacity="0.7")


def _ground_drawn(window: Window, went: float | None) -> Iterator[_Element]:
    """The path band, its middle, and pebbles where the dirt has carried them; ``went`` units to the left so far."""
    left, _, width, _ = window
    bottom = window[1] + window[3]
    yield element("rect", x=left, y=BAND[0], width=width, height=max(bottom - BAND[0], 0.0), fill="#efe6d4")
    yield element("rect", x=left, y=BAND[0], width=width, height=BAND[1] - BAND[0], fill="#e2d2b0")
    yield element("line", x1=left, y1=GROUND, x2=left + width, y2=GROUND, stroke="#a98647", stroke_width=0.9)
    if went is None:
        return
    first = left + (MARKED - went - left) % PEBBLES
    for x in np.arange(first, left + width, PEBBLES).tolist():
        yield element("ellipse", cx=x, cy=352, rx=3.4, ry=1.9, fill="#b89a66")
    at = MARKED - went
    if left <= at <= left + width:
        yield element(
            "line", x1=MARKED, y1=352, x2=at, y2=352, stroke=INK, stroke_width=1, stroke_dasharray="2 2", opacity="0.55"
        )
        yield element(
            "path", d=f"M{number(at - 5)} 352L{number(at)} 347.5L{number(at + 5)} 352L{number(at)} 356.5Z", fill=INK
        )


def _bones(skeleton: Skeleton, index: int) -> Iterator[_Element]:
    """Far legs, spine, near legs; a filled sole is down."""
    for name in ("far_hind", "far_fore"):
        if name in skeleton.legs:
            yield from _limb(skeleton.legs[name], index)
    line = list(places_at(skeleton, index))
    for colour, width in (("#fff", 5.0), (INK, 2.4)):
        yield element(
            "path",
            d=polyline_data([[place for _, place in line]]) or "M0 0",
            fill="none",
            stroke=colour,
            stroke_width=width,
            stroke_linecap="round",
            stroke_linejoin="round",
        )
    for _, (x, y) in line:
        yield element("circle", cx=x, cy=y, r=3, fill="#fff", stroke=INK, stroke_width=1.6)
    for name in ("near_hind", "near_fore"):
        if name in skeleton.legs:
            yield from _limb(skeleton.legs[name], index)


def _limb(stride: LegStride, index: int) -> Iterator[_Element]:
    colour = LEG_COLOURS[stride.leg.name]
    points = [(float(x), float(y)) for x, y in (places[index] for places in stride.line)]
    if not np.isfinite(points).all():
        return
    for stroke, width in (("#fff", 6.4), (colour, 3.8)):
        yield element(
            "path",
            d=polyline_data([points]) or "M0 0",
            fill="none",
            stroke=stroke,
            stroke_width=width,
            stroke_linecap="round",
            stroke_linejoin="round",
        )
    for place, (x, y) in enumerate(points[:-1]):
        yield element("circle", cx=x, cy=y, r=4 if place == 0 else 3.2, fill="#fff", stroke=colour, stroke_width=1.8)
    down = bool(stride.track.down(DOWN)[index])
    x, y = points[-1]
    yield element("circle", cx=x, cy=y, r=4.6, fill=colour if down else "#fff", stroke=colour, stroke_width=2)


def _gait_diagram(top: float, legs: Mapping[str, LegStride]) -> tuple[list[_Element], float]:
    """When each paw is down, through the cycle; and the height of the whole sheet."""
    left, right, row = MARGIN + 84, WIDTH - MARGIN - 12, 17.0
    drawn = [element("text", "Paws on the ground", x=MARGIN, y=top + 14, class_="strong")]
    top += 20
    height = top + 22 + row * len(LEGS) + MARGIN
    y = top + 20
    for name in LEGS:
        drawn.append(element("text", name.replace("_", " "), x=left - 10, y=y + 11, class_="small", text_anchor="end"))
        drawn.append(element("rect", x=left, y=y + 2, width=right - left, height=row - 5, fill="#eef1f4"))
        if name in legs:
            for start, end in _runs(legs[name].track.down(DOWN)):
                drawn.append(
                    element(
                        "rect",
                        x=left + start * (right - left),
                        y=y + 2,
                        width=(end - start) * (right - left),
                        height=row - 5,
                        fill=LEG_COLOURS[name],
                    )
                )
        y += row
    for place in range(PHASES + 1):
        x = left + place / PHASES * (right - left)
        drawn.append(
            element("line", x1=x, y1=top + 18, x2=x, y2=y, stroke=SOFT, stroke_width=0.8, stroke_dasharray="2 3")
        )
        drawn.append(element("text", f"{place}/{PHASES}", x=x, y=top + 12, class_="small", text_anchor="middle"))
    return drawn, height


def _runs(down: NDArray[np.bool_]) -> Iterator[tuple[float, float]]:
    """Start and end of each run of true, as shares of the whole."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], down.astype(np.int8), [0]])))
    for start, end in edges.reshape(-1, 2).tolist():
        yield start / len(down), end / len(down)


def _ground(evidence: Evidence, motion: Motion, times: FloatArray) -> tuple[FloatArray | None, list[str]]:
    """(T,) how many units the dirt has gone to the left since the first instant, within one strip."""
    try:
        strip = counterpart(motion, rig_of(evidence).part("strip.dirt").node)
    except Undecided as said:
        return None, [f"ground: {said}"]
    if strip is None or not motion.is_displayed(strip):
        return None, ["ground: the dirt strip is not displayed"]
    along = motion.matrix(strip, times)[:, 4]
    if not np.isfinite(along).all():
        return None, ["ground: how the dirt strip moves could not be told"]
    return (along[0] - along) % STRIP, []
