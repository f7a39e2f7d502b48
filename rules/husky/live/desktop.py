"""Looks at the page opened from disk: at its paces, paused, by night, on a phone, loaded again, and as time goes by."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from husky_lint.browser.live import look
from husky_lint.rule import Reason, Undecided

from ..clocked import SECONDS
from .stage import (
    DESKTOP,
    Animation,
    animations,
    cast_of,
    choose,
    hidden_labels,
    labels_of,
    meet,
    pace_by_print,
    pace_control,
    pace_print,
    paces_of,
    pause_controls,
    standing,
    theme_controls,
    unseen,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from husky_lint.browser.live import Control, LivePage
    from husky_lint.browser.session import Console, Failed, PageError, Refused

    from .stage import Cast, Print

_SHAPE: Final = re.compile(r"(?:path|circle|ellipse|rect|line|polygon|polyline):\d+\Z")
_PHONE: Final = (390, 844)
_KEYS: Final = 4
_MOST_CONTROLS: Final = 30
_LIKELY: Final = 5
"""So many of the controls that may pause are tried."""
_FRAMES: Final = 2
_LONG: Final = 12.0


@dataclass(frozen=True, slots=True)
class Noise:
    """What a page said and asked for while it loaded, and all in all while it was used."""

    errors: tuple[PageError, ...]
    console: tuple[Console, ...]
    failed: tuple[Failed, ...]
    refused: tuple[Refused, ...]


def noise(page: LivePage) -> Noise:
    """What a page said so far."""
    visit = page.visit
    errors = tuple(one for one in visit.console if one.kind == "error")
    return Noise(tuple(visit.page_errors), errors, tuple(visit.failed), tuple(visit.refused))


@dataclass(frozen=True, slots=True)
class Loaded:
    """The page as it opens: its noise, the fingerprint of its pace, its theme, the labels that are not seen."""

    noise: Noise
    print: Print
    running: tuple[Animation, ...]
    theme: str | None
    hidden: Mapping[str, str]


@look(DESKTOP, 1, cast_of)
def loaded(page: LivePage) -> Loaded:
    """The page as it opens."""
    page.see_all(["frames", 2], ["settle"])
    found = noise(page)
    with suppress(Undecided):
        meet(page)
    running, hidden, theme = standing(page, ["theme"])
    return Loaded(found, pace_print(running), running, theme, hidden)


@dataclass(frozen=True, slots=True)
class Paced:
    """What the controls of the paces do.

    ``buttons`` are the paces in the order of the page with what each says; ``prints`` what the scene looks like after a
    press of each. ``right`` and ``left`` are the paces at walk and after presses of the arrow keys, None where it
    looks like no pace. ``kept`` is what storage gained or changed by pressing a pace.
    """

    buttons: tuple[tuple[str, str], ...]
    prints: Mapping[str, Print]
    cycles: Mapping[str, float]
    hidden: Mapping[str, Mapping[str, str]]
    right: tuple[str | None, ...]
    left: tuple[str | None, ...]
    kept: Mapping[str, str]


@look(DESKTOP, 2, cast_of)
def paced(page: LivePage) -> Paced:
    """Every pace by its button, then by the arrow keys."""
    cast = meet(page)
    paces = paces_of(page.evidence)
    stored = flat(page.see("stored"))
    prints: dict[str, Print] = {}
    cycles: dict[str, float] = {}
    hidden: dict[str, Mapping[str, str]] = {}
    places: dict[str, Control] = {}
    for pace in (*paces[1:], paces[0]):
        control = pace_control(page, pace)
        if control is None or not choose(page, pace):
            continue
        if control.tag != "select":
            places[pace] = control
        running, hidden[pace] = standing(page)
        prints[pace] = pace_print(running)
        cycles[pace] = _cycle(running, cast)
    kept = {name: value for name, value in flat(page.see("stored")).items() if stored.get(name) != value}
    buttons = sorted(places, key=lambda pace: places[pace].id)
    right, left = _by_keys(page, prints)
    return Paced(
        tuple((pace, places[pace].text or places[pace].label) for pace in buttons),
        prints,
        cycles,
        hidden,
        right,
        left,
        kept,
    )


def _by_keys(page: LivePage, prints: Mapping[str, Print]) -> tuple[tuple[str | None, ...], tuple[str | None, ...]]:
    found: list[tuple[str | None, ...]] = []
    for key, presses in (("ArrowRight", _KEYS), ("ArrowLeft", 2)):
        if not choose(page, "walk"):
            return (), ()
        sequence = [pace_by_print(pace_print(animations(page)), prints)]
        for _ in range(presses):
            page.key(key)
            sequence.append(pace_by_print(pace_print(animations(page)), prints))
        found.append(tuple(sequence))
    return found[0], found[1]


def _cycle(running: tuple[Animation, ...], cast: Cast) -> float:
    """The duration that most joints of the legs run at, in seconds; 0 for none."""
    lengths = [round(one.duration, 4) for one in running if one.mark in cast.legs and one.endless and one.moves]
    return max(set(lengths), key=lambda one: (lengths.count(one), one), default=0.0)


def flat(stored: Mapping[str, Any]) -> dict[str, str]:
    """What storage and cookies hold, one name each."""
    found = {f"localStorage {name}": str(value) for name, value in stored["local"].items()}
    found |= {f"sessionStorage {name}": str(value) for name, value in stored["session"].items()}
    for part in filter(None, stored["cookie"].split("; ")):
        name, _, value = part.partition("=")
        found[f"cookie {name}"] = value
    return found


@dataclass(frozen=True, slots=True)
class Pause:
    """The page paused at a pace: what runs, which parts were seen to move within some frames and how far (units)."""

    running: tuple[Animation, ...]
    moved: Mapping[str, float]
    hidden: Mapping[str, str]
    resumed: bool


@dataclass(frozen=True, slots=True)
class Paused:
    """Pause pressed at every pace; ``control`` is what was pressed, None where nothing pauses anything."""

    cast: Cast
    control: str | None
    tried: tuple[str, ...]
    paces: Mapping[str, Pause] = field(default_factory=dict)


@look(DESKTOP, 3, cast_of)
def paused(page: LivePage) -> Paused:
    """Pause pressed at every pace, and pressed again."""
    cast = meet(page)
    found: dict[str, Pause] = {}
    chosen: Control | None = None
    tried: list[str] = []
    for pace in paces_of(page.evidence):
        if not choose(page, pace):
            continue
        before = _run(animations(page))
        for control in pause_controls(page) if chosen is None else [chosen]:
            if not page.press(control):
                continue
            running = animations(page)
            if chosen is None and _run(running) >= before and not _stands(page, cast):
                tried.append(control.text or control.label)
                continue
            chosen = control
            found[pace] = _paused(page, cast, running, before, control)
            break
    return Paused(cast, None if chosen is None else chosen.text or chosen.label, tuple(tried), found)


def _paused(page: LivePage, cast: Cast, running: tuple[Animation, ...], before: int, pressed: Control) -> Pause:
    moved = _moved(page, cast)
    hidden = hidden_labels(page)
    return Pause(running, moved, hidden, goes_on(page, before, pressed))


def goes_on(page: LivePage, before: int, pressed: Control) -> bool:
    """Let a paused page go on, as it did with so many animations: by what paused it, or whatever else may."""
    if page.press(pressed) and _run(animations(page)) >= before:
        return True
    likely = [one for one in pause_controls(page)[:_LIKELY] if one.id != pressed.id or one.text != pressed.text]
    return any(page.press(control) and _run(animations(page)) >= before for control in likely)


def _run(found: tuple[Animation, ...]) -> int:
    """How many animations run on and on: what flies and is gone counts for nothing."""
    return sum(one.runs and one.endless for one in found)


def _stands(page: LivePage, cast: Cast) -> bool:
    moved = _moved(page, cast)
    return bool(cast.legs) and all(moved.get(name, 0.0) < 0.05 for name in cast.legs)


def _moved(page: LivePage, cast: Cast) -> dict[str, float]:
    """How far parts of the gait go within some frames, in units."""
    with page.playing():
        _, before, _, after = page.see_all(["ready"], ["boxes"], ["frames", _FRAMES], ["boxes"])
    found = {}
    for name in cast.gait:
        then, now = before.get(name), after.get(name)
        if then is not None and now is not None:
            found[name] = max(abs(a - b) for a, b in zip(then, now, strict=True))
    return found


@dataclass(frozen=True, slots=True)
class Themed:
    """The page turned to night by its own control, and back; then by ``data-theme`` alone.

    ``changed`` are the places whose colours differ by night, ``apart`` those that differ from night by the control when
    only the attribute says night. ``text_changed`` and ``scene_changed`` are the shares of the texts outside the scene,
    and of its shapes, that have other colours.
    """

    control: str
    themes: tuple[str | None, str | None, str | None]
    grounds: tuple[str, str]
    changed: tuple[str, ...]
    text_changed: float
    scene_changed: float
    apart: tuple[str, ...]
    icons: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    hidden: Mapping[str, str]


@look(DESKTOP, 4)
def themed(page: LivePage) -> Themed:
    """Day and night by the control for it. Raises Undecided where no control changes the theme."""
    choose(page, "walk")
    day = _appearance(page)
    control = turn_theme(page)
    night = _appearance(page)
    hidden = hidden_labels(page)
    if not page.press(control):
        raise Undecided(Reason.STATE_NOT_FOUND, "the control of the theme cannot be pressed a second time")
    theme, icons = page.see_all(["theme"], ["icons"])
    by_night, by_day = ["write", "data-theme", night[0]], ["write", "data-theme", day[0]]
    *_, alone, _, _ = page.see_all(by_night, ["settle"], ["colours"], by_day, ["settle"])
    changed = _differing(day[2], night[2])
    texts = [place for place, said in day[2].items() if said[-1] and ">svg:" not in place and place in night[2]]
    shapes = [place for place in night[2] if ">svg:" in place and _SHAPE.search(place)]
    repainted = [place for place in shapes if place in day[2] and _paint(day[2][place]) != _paint(night[2][place])]
    return Themed(
        control.text or control.label or control.names,
        (day[0], night[0], theme),
        (day[1], night[1]),
        tuple(changed),
        sum(day[2][place][0] != night[2][place][0] for place in texts) / max(len(texts), 1),
        len(repainted) / max(len(shapes), 1),
        tuple(_differing(night[2], alone)),
        (day[3], night[3], tuple(icons)),
        hidden,
    )


def turn_theme(page: LivePage) -> Control:
    """Press the control that changes the theme, and say which it was. Raises Undecided where none does."""
    before = page.see("sky")
    likely = page.once("theme", lambda: theme_controls(page))
    for control in likely:
        if page.press(control) and page.see("sky") != before:
            likely[:] = [control]
            return control
    raise Undecided(Reason.STATE_NOT_FOUND, "no control of the live page changes the theme")


def _appearance(page: LivePage) -> tuple[str | None, str, dict[str, list[str]], tuple[str, ...]]:
    (theme, ground), colours, icons = page.see_all(["sky"], ["colours"], ["icons"])
    return theme, ground, colours, tuple(icons)


def _paint(colours: list[str]) -> tuple[str, str]:
    """Fill and stroke, of what ``sight.js`` says of an element's colours."""
    return colours[3], colours[5]


def _differing(one: Mapping[str, list[str]], other: Mapping[str, list[str]]) -> list[str]:
    return [place for place, colours in one.items() if place in other and other[place] != colours]


@dataclass(frozen=True, slots=True)
class Narrow:
    """The page on a phone, and there with ``data-theme`` set to night by hand; how far it scrolls sideways (px)."""

    hidden: Mapping[str, str]
    by_night: Mapping[str, str]
    sideways: float


@look(DESKTOP, 5)
def narrow(page: LivePage) -> Narrow:
    """The page on a phone: the window is made as narrow."""
    labels = list(labels_of(page.evidence))
    with page.sized(*_PHONE):
        _, day, hidden, sideways, _, _, by_night = page.see_all(
            ["frames", 1],
            ["theme"],
            ["texts", labels],
            ["scrollsSideways"],
            ["write", "data-theme", "night"],
            ["settle"],
            ["texts", labels],
        )
        page.see_all(["write", "data-theme", day], ["settle"])
    return Narrow(unseen(hidden), unseen(by_night), sideways)


@dataclass(frozen=True, slots=True)
class Again:
    """The page loaded again after it was left by night and at zoomies.

    ``left_theme`` is the theme that it was left in, ``left_pace`` whether it was left at that pace.
    """

    left_theme: str | None
    left_pace: bool
    theme: str | None
    print: Print


@look(DESKTOP, 6, cast_of)
def again(page: LivePage) -> Again:
    """Night and zoomies chosen, and the page loaded again. Without a control for the theme the pace alone."""
    with suppress(Undecided):
        turn_theme(page)
    left_pace = choose(page, "zoomies")
    left = page.see("theme")
    page.reload()
    page.see_all(["frames", 1], ["settle"])
    meet(page)
    return Again(left, left_pace, page.see("theme"), pace_print(animations(page)))


@dataclass(frozen=True, slots=True)
class Passed:
    """Some seconds at a pace: what texts of the page read before and after, and what fell into the scene."""

    before: tuple[Mapping[str, str], ...]
    after: tuple[Mapping[str, str], ...]
    added: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Clock:
    """The page on a clock: a run at each pace; what fell while paused at ``fast``; how much lay there after long."""

    passed: Mapping[str, Passed]
    fast: str | None
    paused: tuple[Mapping[str, Any], ...] | None
    crowd: int
    hearts: Hearts | None
    hidden: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Hearts:
    """What a press of ``control`` (or a click on the dog) puts into the scene, and where it flies.

    ``tracks`` hold for each heart its box in units (x, y, width, height) and opacity at shares of its flight; ``added``
    how each was made; ``answers`` what a change of each custom property does to its box.
    """

    control: str
    added: tuple[Mapping[str, Any], ...]
    tracks: tuple[tuple[Mapping[str, Any], ...], ...]
    answers: tuple[Mapping[str, Any], ...]


@look(DESKTOP, 7, cast_of)
def clock(page: LivePage) -> Clock:
    """Every pace for some seconds of a clock that is set, pause, a long run, and a dog that is made happy."""
    page.hold_time()
    cast = meet(page)
    page.pass_time(0.3, 0.1)
    passed: dict[str, Passed] = {}
    for pace in paces_of(page.evidence):
        if not choose(page, pace):
            continue
        page.pass_time(0.5)
        _, before = page.see_all(["watch"], ["readings"])
        page.pass_time(SECONDS, SECONDS)
        after, added = page.see_all(["readings"], ["watched"])
        passed[pace] = Passed(tuple(before), tuple(after), fallen(added, cast))
    fast = next((pace for pace in ("zoomies", "hop") if pace in passed and passed[pace].added), None)
    crowd, kept = 0, None
    if fast is not None and choose(page, fast):
        page.see("watch")
        page.pass_time(_LONG, 2.0)
        crowd = sum(one["there"] for one in fallen(page.see("watched"), cast))
        kept = _while_paused(page, cast)
    return Clock(passed, fast, kept, crowd, hearts_of(page, cast), hidden_labels(page))


def fallen(added: list[Mapping[str, Any]], cast: Cast) -> tuple[Mapping[str, Any], ...]:
    """What fell of the dog: what was added, hearts left out."""
    return tuple(one for one in added if not _is_heart(one, cast))


def _is_heart(one: Mapping[str, Any], cast: Cast) -> bool:
    if set(one["marked"]) & set(cast.hearts):
        return True
    said = " ".join([*map(str, one["own"].values()), one["into"]]).lower()
    return "heart" in said or "love" in said


def _while_paused(page: LivePage, cast: Cast) -> tuple[Mapping[str, Any], ...] | None:
    """What falls while paused; None where nothing pauses."""
    before = _run(animations(page))
    for control in pause_controls(page)[:_LIKELY]:
        if not page.press(control) or _run(animations(page)) >= before:
            continue
        page.pass_time(0.6, 0.6)
        page.see("forget")
        page.pass_time(3.0, 3.0)
        found = fallen(page.see("watched"), cast)
        goes_on(page, before, control)
        return found
    return None


_CHANCE: Final = """(rule) => {
  // Chance at its ends: a draw is the least, the most, or either in turn; after many draws it is a drawn number again.
  const drawn = window.__drawn ?? Math.random;
  Object.defineProperty(window, "__drawn", { value: drawn, enumerable: false, configurable: true });
  let count = 0;
  let seed = 20260101;
  const next = () => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648; };
  Math.random = () => {
    count += 1;
    if (count > 400 || rule === "drawn") return next();
    if (rule === "least") return 0;
    if (rule === "most") return 1 - 2 ** -30;
    return count % 2 ? 0 : 1 - 2 ** -30;
  };
}"""
_SHARES: Final = tuple(step / 16 for step in range(17))


def hearts_of(page: LivePage, cast: Cast) -> Hearts | None:
    """Make the dog happy by whatever does that: a control that is no other's, or a click on the dog."""
    choose(page, "walk")
    chosen: Control | None = None
    found: list[Mapping[str, Any]] = []
    words = ("pet", "praise", "good", "love", "heart", "hearts", "treat", "pat", "stroke", "boop", "happy", "cuddle")
    likely = page.saying(*words)
    tries: list[Control | None] = [*likely[:4], None]
    answers: list[Mapping[str, Any]] = []
    tracks: list[tuple[Mapping[str, Any], ...]] = []
    for control in tries:
        if not _make_happy(page, control, "drawn"):
            continue
        found = [one for one in page.see("watched") if _is_heart(one, cast) or set(one["own"]) & {"--x", "--y", "--s"}]
        if found:
            chosen = control
            break
    if not found:
        return None
    answers = page.see("answers", ["--x", "--y", "--s"])
    tracks.extend(tuple(track) for track in page.see("tracks", _SHARES))
    for rule in ("least", "most", "turns"):
        if _make_happy(page, chosen, rule):
            tracks.extend(tuple(track) for track in page.see("tracks", _SHARES))
    name = (chosen.text or chosen.label) if chosen is not None else "a click on the dog"
    return Hearts(name, tuple(found), tuple(tracks), tuple(answers))


def _make_happy(page: LivePage, control: Control | None, chance: str) -> bool:
    page.pass_time(2.0, 2.0)  # what flies has flown
    page.see("watch")
    page.run(_CHANCE, chance)
    pressed = page.click_marked("dog 0") if control is None else page.press(control)
    if pressed:
        page.pass_time(0.4, 0.4)
    page.run(_CHANCE, "drawn")
    return pressed


@dataclass(frozen=True, slots=True)
class Used:
    """What the page said all in all, and what storage gained or changed when every control was pressed."""

    noise: Noise
    stored: Mapping[str, str]


@look(DESKTOP, 8)
def used(page: LivePage) -> Used:
    """Every control pressed once, but for links, which lead elsewhere."""
    before = flat(page.see("stored"))
    for control in page.controls()[:_MOST_CONTROLS]:
        if control.tag != "a" and not control.in_scene:
            page.press(control)
    after = flat(page.see("stored"))
    return Used(noise(page), {name: value for name, value in after.items() if before.get(name) != value})
