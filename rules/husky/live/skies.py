"""Day and night as a person has them: one switch, the whole page, remembered, and there before anything is painted."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from husky_lint.browser.live import Measured, live
from husky_lint.rule import Finding, Reason, Undecided

from .desktop import again, loaded, paced, themed, used
from .served import colour_of, kept, opened
from .stage import pace_by_print

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from husky_lint.browser.live import Reports

    from .served import FirstFrame

_PACE_WORDS: Final = frozenset({"pace", "speed", "gait", "tempo", "stride", "velocity"})
_WORD: Final = re.compile(r"[A-Za-z][a-z]*")
_MOST: Final = 0.6
"""Share of the texts of the page that a theme shows in another colour at the least."""
_FEW: Final = 0.25
"""Share of the scene's shapes that a theme repaints at the least."""


@live("HB2206", themed)
def single_theme_source(reports: Reports, themes: Sequence[str]) -> Iterator[Finding | Measured]:
    """Turns the page to night by its control, then by `data-theme` alone, and compares all colours of the two."""
    seen = reports.of(themed)
    day, night = themes
    yield Measured("what was pressed", seen.control)
    yield Measured("data-theme at first, pressed, pressed again", list(seen.themes))
    yield Measured("elements that data-theme alone colours otherwise", list(seen.apart))
    if seen.themes[1] != night:
        yield Finding(f"“{seen.control}” leads to data-theme={seen.themes[1]!r}, not {night!r}")
        return
    if seen.themes[2] != day:
        yield Finding(f"“{seen.control}” pressed again leads to data-theme={seen.themes[2]!r}, not {day!r}")
    if seen.apart:
        yield Finding(
            f"data-theme alone colours {len(seen.apart)} elements otherwise than “{seen.control}” does, the first of "
            f"them {seen.apart[0]}: there is a second switch",
            data={"elements": list(seen.apart)},
        )


@live("HB2207", themed)
def page_wide_theme(reports: Reports) -> Iterator[Finding | Measured]:
    """Turns the page to night and compares its ground, its text and the shapes of the scene."""
    seen = reports.of(themed)
    yield Measured("ground by day and by night", list(seen.grounds))
    yield Measured("share of the scene's shapes painted otherwise by night", round(seen.scene_changed, 3))
    if seen.grounds[0] == seen.grounds[1]:
        yield Finding(f"by night the page's background stays {seen.grounds[0]}")
    yield Measured("share of the texts outside the scene in another colour by night", round(seen.text_changed, 3))
    if seen.text_changed < _MOST:
        yield Finding(f"by night {seen.text_changed:.0%} of the texts outside the scene change their colour")
    if seen.scene_changed < _FEW:
        yield Finding(f"by night {seen.scene_changed:.0%} of the scene's shapes are painted otherwise")


@live("HB2606", kept, again)
def persistence(reports: Reports, cookie: str, themes: Sequence[str]) -> Iterator[Finding | Measured]:
    """Chooses night and loads again: over HTTP with all that is kept, with each of the two alone, with a mirror that
    says day, with storage that throws; and from disk.
    """
    seen = reports.of(kept)
    night = themes[1]
    if not seen.pressed:
        yield Finding("no control of the live page changes the theme, so nothing is ever remembered")
        return
    disk = reports.of(again)
    yield Measured("cookies by night", dict(seen.cookies))
    yield Measured("localStorage by night", dict(seen.mirror))
    yield Measured(
        "theme after loading again",
        {
            "over HTTP": seen.both,
            "cookie night, mirror day": seen.cookie_first,
            "the cookie alone": seen.cookie_alone,
            "the mirror alone": seen.mirror_alone,
            "from disk": disk.theme,
        },
    )
    denied = seen.denied
    yield Measured("theme by the control where storage throws", None if denied is None else denied.theme)
    if night not in seen.cookies.get(cookie, ""):
        yield Finding(
            f"by night no cookie {cookie} says so: {dict(seen.cookies)}", data={"cookies": dict(seen.cookies)}
        )
    if not any(night in value for value in seen.mirror.values()):
        yield Finding("by night localStorage does not say so", data={"localStorage": dict(seen.mirror)})
    if seen.both != night:
        yield Finding(f"night is chosen, and after a reload over HTTP the page is at {seen.both}")
    elif seen.cookie_first != night:
        alone = "the cookie alone is read" if seen.cookie_alone == night else "the cookie is not read"
        yield Finding(f"where the cookie says night and localStorage day, the page loads by day ({alone})")
    if seen.mirror_alone != night:
        yield Finding("without the cookie the page loads by day although localStorage says night")
    if disk.theme != night and disk.left_theme == night:
        yield Finding(f"night is chosen, and after a reload from disk the page is at {disk.theme}")
    for error in denied.errors[:1] if denied is not None else ():
        yield Finding(f"where storage throws, so does the page: {error.message}", data={"error": error.message})
    if denied is not None and denied.theme != night and not denied.errors:
        yield Finding(f"where storage throws, “{seen.control}” leads to {denied.theme}, not to {night}")
    if denied is None or disk.left_theme != night:
        where = "where storage throws" if denied is None else "from disk"
        raise Undecided(Reason.STATE_NOT_FOUND, f"{where} the control of the theme could not be pressed")


@live("HB2607", kept)
def before_first_paint(reports: Reports, themes: Sequence[str]) -> Iterator[Finding | Measured]:
    """Loads the page by night over a network that has brought no more than its head, and looks at the first frame."""
    seen = reports.of(kept)
    night = themes[1]
    first = seen.first
    if first is None:
        if night not in (seen.both, seen.mirror_alone):
            yield Finding("no script sets a remembered night")
            return
        raise Undecided(Reason.PARSE_ERROR, "where the body begins could not be told")
    yield Measured("data-theme in the first frame", first.theme)
    yield Measured("ground in the first frame, by day, by night", [first.ground, first.day_ground, first.night_ground])
    yield Measured("pixel in the corner of the first frame", list(first.pixel) if first.pixel else None)
    if first.theme != night:
        when = "is painted" if first.painted else "begins"
        yield Finding(f"the page {when} with data-theme={first.theme!r}, and turns to night only then")
    elif _flashes(first):
        yield Finding(f"the first frame shows {first.pixel}, as by day; by night it is {first.night_ground}")


def _flashes(first: FirstFrame) -> bool:
    day, night = colour_of(first.day_ground), colour_of(first.night_ground)
    if first.pixel is None or day is None or night is None or day == night:
        return False
    return _distance(first.pixel, day) < _distance(first.pixel, night)


def _distance(one: tuple[int, int, int], other: tuple[int, int, int]) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


@live("HB2608", loaded, kept, again, paced, used)
def pace_not_persisted(reports: Reports, paces: Sequence[str], default_pace: str) -> Iterator[Finding | Measured]:
    """Chooses another pace and loads again, from disk and over HTTP; and looks what was stored by that."""
    known = reports.of(paced)
    start = pace_by_print(reports.of(loaded).print, known.prints) or default_pace
    disk = pace_by_print(reports.of(again).print, known.prints)
    http = reports.of(kept)
    served = pace_by_print(http.print, known.prints)
    stored = {**reports.of(used).stored, **known.kept, **http.stored_by_pace}
    telling = {name: value for name, value in stored.items() if _says_pace(name, value, paces)}
    yield Measured("pace after loading again, from disk and over HTTP", [disk, served])
    yield Measured("stored when controls are pressed", stored)
    for name, value in telling.items():
        yield Finding(f"choosing a pace stores {value!r} as {name}; the pace is not remembered", data={"key": name})
    for where, pace in (("from disk", disk), ("over HTTP", served)):
        if pace not in (None, start):
            yield Finding(f"loaded again {where}, the page is at {pace}; it starts at {start}")
    if not (http.chose_pace and reports.of(again).left_pace):
        raise Undecided(Reason.STATE_NOT_FOUND, "another pace could not be chosen on the live page")
    if not telling and None in (disk, served):
        raise Undecided(Reason.STATE_NOT_FOUND, "the page opens with animations that are those of no pace")


def _says_pace(name: str, value: str, paces: Sequence[str]) -> bool:
    named = {word.lower() for word in _WORD.findall(name)}
    said = {word.lower() for word in _WORD.findall(value)}
    return bool(named & _PACE_WORDS or said & set(paces))


@live("HB2609", opened)
def favicon_size(reports: Reports) -> Iterator[Finding | Measured]:
    """Lets the browser decode the icons over HTTP, draws each, and reads the size that the SVG files state."""
    seen = reports.of(opened)
    if not seen.pictures:
        raise Undecided(Reason.NO_SUBMISSION, "there is no favicon")
    for path, picture in seen.pictures.items():
        yield Measured(path, dict(picture))
        if "error" in picture:
            yield Finding(f"{path} does not decode: {picture['error']}", data={"error": picture["error"]})
        elif not picture["painted"]:
            yield Finding(f"{path} decodes, and is blank")
    for path, size in seen.sizes.items():
        yield Measured(f"size that {path} states", size)
        if size is None:
            yield Finding(f"{path} is no well-formed SVG")
        elif not all(side and re.match(r"\s*\+?0*[1-9.]", side) and not side.strip().endswith("%") for side in size):
            yield Finding(f"{path} states the size {size[0]} × {size[1]}: the tab may show a blank icon")


@live("HB2610", themed)
def favicon_swap(reports: Reports, favicons: Sequence[str]) -> Iterator[Finding | Measured]:
    """Turns the page to night and back, and reads the addresses of its icons."""
    seen = reports.of(themed)
    day, night, back = ([posixpath.basename(url.partition("?")[0]) for url in urls] for urls in seen.icons)
    yield Measured("icons by day, by night, by day again", [day, night, back])
    if set(day) == set(night):
        yield Finding(f"the icon is the same by day and by night: {', '.join(day) or 'none'}")
        return
    known = {posixpath.basename(path) for path in favicons}
    for name in (name for name in night if name not in day):
        if name not in known or "night" not in name:
            yield Finding(f"by night the icon is {name!r}", data={"icon": name})
    if not set(night) - set(day):
        yield Finding("by night the page only loses an icon")
    if set(back) != set(day):
        yield Finding(f"by day again the icons are {', '.join(back) or 'none'}, not {', '.join(day)}")
