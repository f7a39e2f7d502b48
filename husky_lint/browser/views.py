"""Screenshots of a submission: every pace at phases of its cycle, and the whole page on a desktop and on a phone.

The page is held still by the clock of its animations, never by waiting, so the same phase is the same picture.
"""

from __future__ import annotations

import base64
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from husky_lint.browser.measured import MeasuredEvidence
from husky_lint.browser.sheet import Frame, Section, Sheet
from husky_lint.browser.stage import Stage, answering, stage_script
from husky_lint.parts import Bone
from husky_lint.rule import PageMissing, Reason, Undecided
from husky_lint.scene.graph import parse_view_box
from husky_lint.style.media import MediaContext
from husky_lint.trace import PACE, PAGE, THEME, cycle_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from husky_lint.browser.session import BrowserSession, Visit
    from husky_lint.evidence import StaticEvidence
    from husky_lint.packs import Pack
    from husky_lint.style.page_state import PageState

    Limbs = Callable[[str, Sequence[float]], Sequence[Sequence[Bone]]]
    """The bones at phases of a pace's settled stride, in scene units. Raises Undecided."""

PHASES: Final = 8
COLUMNS: Final = 4
SETTLED: Final = 20
"""Cycles that have passed before the stride that is shown: what happens once is over, every delay has run out."""
FRAME: Final = 420
"""Width of a frame of a contact sheet, in CSS pixels of the sheet."""
OVERVIEW: Final = 800
"""Width of the desktop's frames where all pages are shown on one sheet."""
LONGEST_ONCE_S: Final = 8.0
WIDTHS: Final[Mapping[str, tuple[int, int]]] = {"desktop": (1280, 800), "phone": (390, 844)}
TALLEST: Final = 6_000
"""CSS pixels of a page that are shown; a page can be as high as it likes."""

# The page's scene in page pixels, and how long what happens only once takes to its end, in seconds.
_PLACE = """number => {
  const [a, b, c, d, e, f] = __stage.place(number);
  return [a, b, c, d, e + scrollX, f + scrollY];
}"""
_ONCE = """() => Math.max(0, ...document.getAnimations()
  .map(animation => animation.effect ? animation.effect.getComputedTiming() : {})
  .filter(timing => timing.iterations !== Infinity && Number.isFinite(timing.endTime) && timing.duration > 0)
  .map(timing => timing.endTime)) / 1000"""
_SIZE = """() => {
  const root = document.documentElement;
  return [root.clientWidth, Math.max(root.scrollWidth, document.body ? document.body.scrollWidth : 0),
    Math.max(root.scrollHeight, document.body ? document.body.scrollHeight : 0)];
}"""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture to be written: its name without suffix, and what it shows as a sheet or as it is."""

    name: str
    sheet: Sheet


def pose_sheets(
    session: BrowserSession,
    evidence: StaticEvidence,
    path: str,
    pack: Pack,
    *,
    theme: str | None = None,
) -> Iterator[Shot]:
    """A contact sheet of every pace, and another with the skeleton that the pack tells from the source over it.

    Raises KeyError for a theme that the page does not have; VisitLost, Undecided and PageMissing where there is nothing
    to show.
    """
    if theme is not None and theme not in evidence.states.values(THEME):
        raise KeyError(f"{THEME}={theme}")
    limbs = partial(pack.infer_limbs, evidence) if pack.infer_limbs is not None else None
    view = _view(evidence, pack)
    scene = evidence.scene.root  # of the tree that what is measured shares
    with session.visit(evidence.submission, before=stage_script()) as visit:
        measured = MeasuredEvidence(evidence, Stage(visit))
        fixed = {THEME: theme} if theme is not None else {}
        for pace in evidence.states.values(PACE) or measured.states.values(PACE) or (PAGE,):
            wanted = {**fixed, PACE: pace} if pace != PAGE else fixed
            state = measured.states.state(**wanted)
            cycle = cycle_of(evidence.motion(evidence.states.state(**wanted)))
            number = measured.reach.show(state).numbers.get(scene.element)
            if number is None:
                raise Undecided(Reason.SCENE_NOT_FOUND, f"at {pace} the page does not show the scene that was read")
            camera = _Camera(visit, number, view)
            yield from _pose_sheets(camera, state, pace, cycle, path, limbs)


def _pose_sheets(
    camera: _Camera, state: PageState, pace: str, cycle: float, path: str, limbs: Limbs | None
) -> Iterator[Shot]:
    phases = [place / PHASES for place in range(PHASES)]
    frames = [
        camera.frame((SETTLED + phase) * cycle, f"{place}/{PHASES}", f"{1000 * phase * cycle:.0f} ms")
        for place, phase in enumerate(phases)
    ]
    facts = (f"{path} · {_axes(state)} · {PHASES} phases of a settled stride of {cycle:g} s, in Chromium",)
    sections = [Section("", COLUMNS, tuple(frames))]
    if (once := camera.once()) > 0:
        # Closer together at the beginning, when most of what happens once does.
        times = [min(once, LONGEST_ONCE_S) * (place / (PHASES - 1)) ** 2 for place in range(PHASES)]
        moments = [camera.frame(time, f"{time / cycle:.2f} cycles", f"{1000 * time:.0f} ms") for time in times]
        sections.append(Section(f"From the instant that {pace} begins", COLUMNS, tuple(moments)))
    yield Shot(pace, Sheet(pace, facts, (), tuple(sections)))
    if limbs is None:
        return
    try:
        bones = limbs(pace, phases)
    except Exception as error:  # a picture is for looking at; what was drawn before is worth keeping
        said = str(error) if isinstance(error, Undecided | PageMissing) else type(error).__name__
        yield Shot(f"{pace}-skeleton", Sheet(f"{pace}: the skeleton", facts, (f"no skeleton: {said}",), ()))
        return
    overlaid = tuple(camera.with_bones(frame, found) for frame, found in zip(frames, bones, strict=True))
    title = f"{pace}: the skeleton that the source tells, over what Chromium shows"
    yield Shot(f"{pace}-skeleton", Sheet(title, facts, (), (Section("", COLUMNS, overlaid),)))


def page_sheets(session: BrowserSession, evidence: StaticEvidence, path: str, _pack: Pack) -> Iterator[Shot]:
    """The whole page in every theme, on a desktop and on a phone, and all of that on one sheet.

    Raises VisitLost and Undecided, and PageMissing without a page.
    """
    frames: list[Frame] = []
    _ = evidence.page  # the tree that what is measured shares
    with session.visit(evidence.submission, before=stage_script()) as visit:
        measured = MeasuredEvidence(evidence, Stage(visit))
        for device, (width, height) in WIDTHS.items():
            states = measured.states_in(MediaContext(width=width, height=height))
            for theme in states.values(THEME) or ("",):
                state = states.state(**({THEME: theme} if theme else {}))
                measured.reach.show(state)
                frame = _whole_page(visit, width, f"{device} {theme}".strip())
                frames.append(frame)
                doubts = tuple(f"{axis} could not be shown: {reason}" for axis, reason in state.unknown.items())
                name = "-".join(part for part in (device, theme) if part)
                facts = (f"{path} · {frame.aside}",)
                yield Shot(name, Sheet(frame.caption, facts, doubts, (Section("", 1, (frame,)),)))
        said = [f"{len(visit.page_errors)} page errors"] if visit.page_errors else []
        said += [f"{len(visit.refused)} requests to elsewhere refused"] if visit.refused else []
    small = tuple(_narrowed(frame, OVERVIEW) for frame in frames)
    overview = Section("", len(small), small)
    yield Shot("responsive", Sheet("The whole page", (path,), tuple(said), (overview,)))


def _narrowed(frame: Frame, width: int) -> Frame:
    """The frame no wider than ``width`` pixels of the sheet."""
    if frame.width <= width:
        return frame
    return replace(frame, width=width, height=round(frame.height * width / frame.width))


@dataclass(frozen=True, slots=True)
class _Camera:
    """Takes the scene, whose live number is ``scene``, as it is at a time; ``view`` is in its units."""

    visit: Visit
    scene: int
    view: tuple[float, float, float, float]

    def frame(self, time: float, caption: str, aside: str) -> Frame:
        """The scene ``time`` seconds after its state began."""
        with answering():
            self.visit.page.evaluate("t => __stage.pose(t)", time)
            x, y, width, height = self._clip()
            png = _shoot(self.visit, x, y, width, height)
        return Frame(png, FRAME, round(FRAME * height / width), caption, aside)

    def once(self) -> float:
        """Seconds until the last of what happens only once is over; 0 where nothing does."""
        with answering():
            return float(self.visit.page.evaluate(_ONCE))

    def with_bones(self, frame: Frame, bones: Sequence[Bone]) -> Frame:
        """The frame with bones, given in scene units, over it."""
        matrix = self._matrix()
        with answering():
            left, top, width, _ = self._clip()
        scale = frame.width / width
        placed = [
            Bone(
                bone.name,
                tuple(((x - left) * scale, (y - top) * scale) for x, y in (_map(matrix, at) for at in bone.joints)),
            )
            for bone in bones
        ]
        return Frame(frame.png, frame.width, frame.height, frame.caption, frame.aside, tuple(placed))

    def _matrix(self) -> list[float]:
        with answering():
            return [float(number) for number in self.visit.page.evaluate(_PLACE, self.scene)]

    def _clip(self) -> tuple[float, float, float, float]:
        """What is shown, in whole page pixels."""
        matrix = self._matrix()
        x, y, width, height = self.view
        corners = [_map(matrix, at) for at in ((x, y), (x + width, y), (x, y + height), (x + width, y + height))]
        left, top = (max(0, round(min(values))) for values in zip(*corners, strict=True))
        right, bottom = (round(max(values)) for values in zip(*corners, strict=True))
        return left, top, min(max(right - left, 1), TALLEST), min(max(bottom - top, 1), TALLEST)


def _map(matrix: Sequence[float], at: tuple[float, float]) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * at[0] + c * at[1] + e, b * at[0] + d * at[1] + f


def _whole_page(visit: Visit, width: int, caption: str) -> Frame:
    with answering():
        visit.page.evaluate("() => { scrollTo(0, 0); __stage.pose(0); }")
        shown, wide, high = (int(number) for number in visit.page.evaluate(_SIZE))
        height = min(max(high, 1), TALLEST)
        png = _shoot(visit, 0, 0, width, height)
    aside = f"{shown} × {high} px"
    if wide > shown:
        aside += f", scrolls {wide - shown} px sideways"
    if high > height:
        aside += f", cut at {height} px"
    return Frame(png, width, height, caption, aside)


def _shoot(visit: Visit, x: float, y: float, width: float, height: float) -> bytes:
    """A PNG of a part of the page, in its own pixels, wherever it is scrolled to.

    Playwright's own picture of a whole page waits for a body, which a page of SVG has not.
    """
    clip = {"x": x, "y": y, "width": width, "height": height, "scale": 1}
    session = visit.context.new_cdp_session(visit.page)
    shot = session.send("Page.captureScreenshot", {"format": "png", "captureBeyondViewport": True, "clip": clip})
    session.detach()
    return base64.b64decode(shot["data"])


def _view(evidence: StaticEvidence, pack: Pack) -> tuple[float, float, float, float]:
    """What of the scene is shown, in its units: what the pack's own picture shows, else all of it."""
    if pack.infer_parts is not None:
        with suppress(Undecided):
            return pack.infer_parts(evidence).view
    box = parse_view_box(evidence.scene.root.element.get("viewBox"))
    return (box.x, box.y, box.width, box.height) if box is not None else (0.0, 0.0, 900.0, 460.0)


def _axes(state: PageState) -> str:
    shown = [f"{axis} {value}" for axis, value in state.axes.items() if axis in (PACE, THEME)]
    doubted = [f"{axis} could not be shown ({reason})" for axis, reason in state.unknown.items()]
    return ", ".join([*shown, *doubted]) or state.label
