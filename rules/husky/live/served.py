"""Looks at the page over real HTTP: its icons, and what it remembers of the theme."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from husky_lint.browser.live import look
from husky_lint.browser.session import ACTION_S
from husky_lint.rule import Reason, Undecided

from .desktop import Noise, flat, noise, turn_theme
from .stage import SERVED, animations, cast_of, choose, meet, pace_print

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playwright.sync_api import Route

    from husky_lint.browser.live import Control, LivePage
    from husky_lint.browser.session import PageError

    from .stage import Print

_HOLD: Final = "held-by-the-network.js"
_DENIED: Final = """
for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
}
Object.defineProperty(Document.prototype, "cookie", {
  get() { throw new DOMException("denied", "SecurityError"); },
  set() { throw new DOMException("denied", "SecurityError"); },
});
"""
_FRAMES: Final = 8


@dataclass(frozen=True, slots=True)
class Opened:
    """The page over HTTP: its noise, and what became of the icons, by file."""

    noise: Noise
    pictures: Mapping[str, Mapping[str, Any]]
    sizes: Mapping[str, Sequence[str | None] | None]


@look(SERVED, 1)
def opened(page: LivePage) -> Opened:
    """The page as it opens over HTTP, and its icons decoded."""
    page.see("frames", 1)
    found = noise(page)
    icons = [path for path in _favicons(page) if path in page.submission.files]
    drawn = [path for path in icons if path.endswith(".svg")]
    return Opened(found, *page.see_all(["pictures", icons], ["sizes", drawn]))


def _favicons(page: LivePage) -> Sequence[str]:
    value: Any = page.evidence.rubric.tolerance("HB2609", "favicons").value
    return tuple(value)


@dataclass(frozen=True, slots=True)
class Kept:
    """What the page keeps of the theme and of a pace.

    ``control`` changes the theme; without one (``pressed`` is False) night is put into cookie and mirror by hand.
    ``cookies`` and ``mirror`` are what they hold by night. The themes are those that the page loads with: with both,
    with the cookie saying night and the mirror day, with the cookie alone, with the mirror alone. ``denied`` is None
    without a control, and where it could not be pressed again. ``stored_by_pace`` is what was stored when a pace was
    chosen (``chose_pace`` says whether one could be), ``print`` the look of the pace that the page loads with after.
    """

    control: str
    pressed: bool
    cookies: Mapping[str, str]
    mirror: Mapping[str, str]
    both: str | None
    cookie_first: str | None
    cookie_alone: str | None
    mirror_alone: str | None
    denied: Denied | None
    first: FirstFrame | None
    print: Print
    chose_pace: bool
    stored_by_pace: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Denied:
    """A visit whose storage throws: the theme after the control was pressed, and the exceptions that nothing caught."""

    theme: str | None
    errors: tuple[PageError, ...]


@dataclass(frozen=True, slots=True)
class FirstFrame:
    """What stands when ``<head>`` has come over a slow network and ``<body>`` has only begun: theme and ground.

    ``painted`` says whether the browser painted a frame by then; ``pixel`` is what it shows in the corner.
    """

    theme: str | None
    ground: str
    painted: bool
    pixel: tuple[int, int, int] | None
    day_ground: str
    night_ground: str


@look(SERVED, 3, cast_of)
def kept(page: LivePage) -> Kept:
    """Night and another pace chosen, then loads with what is remembered taken away piece by piece."""
    page.settle()
    stored = {**flat(page.see("stored")), **_cookies(page)}
    chose_pace = choose(page, "hop")
    kept_by_pace, day = page.see_all(["stored"], ["ground"])
    by_pace = {n: v for n, v in {**flat(kept_by_pace), **_cookies(page)}.items() if stored.get(n) != v}
    control, cookies, mirror, by_day = _turn_to_night(page)
    night, ground = page.see("sky")
    page.see("store", by_day)
    page.reload()
    page.see_all(["frames", 1], ["settle"])
    meet(page)
    pace = pace_print(animations(page))
    both = cookie_first = cookie_alone = page.see("theme")
    if control is None or cookie_first != night:  # else the cookie is read, and read first
        _set_cookies(page, cookies)
        page.see("store", mirror)
        page.reload()
        page.see_all(["frames", 1], ["settle"])
        both, ground_again = page.see("sky")
        if control is None:
            night, ground = both, ground_again
    if cookie_first != night:
        page.see("store", None)
        _set_cookies(page, cookies)
        page.reload()
        cookie_alone = page.see("theme")
    _set_cookies(page, {})
    page.see("store", mirror)
    page.reload()
    mirror_alone = page.see("theme")
    first = None
    if "night" in (both, mirror_alone):
        _set_cookies(page, cookies)
        first = _first_frame(page, day, ground)
    return Kept(
        "" if control is None else control.text or control.label or control.names,
        control is not None,
        cookies,
        mirror,
        both,
        cookie_first,
        cookie_alone,
        mirror_alone,
        _denied(page, control) if control is not None else None,
        first,
        pace,
        chose_pace,
        by_pace,
    )


def _turn_to_night(page: LivePage) -> tuple[Control | None, dict[str, str], dict[str, str], dict[str, str]]:
    """Night by its control, else by hand: the control, and what cookies and mirror hold by night, the mirror by day."""
    by_day = page.see("stored")["local"]
    try:
        control = turn_theme(page)
    except Undecided:
        name = str(page.evidence.rubric.tolerance("HB2606", "cookie").value)
        _set_cookies(page, {name: "night"})
        page.see("store", {name: "night"})
        return None, {name: "night"}, {name: "night"}, {name: "day"}
    by_night = page.see("stored")["local"]
    if by_day.keys() != by_night.keys():  # nothing was kept before: what the mirror says by day it says now
        page.press(control)
        by_day = page.see("stored")["local"]
        page.press(control)
    return control, _cookies(page), page.see("stored")["local"], by_day


def _cookies(page: LivePage) -> dict[str, str]:
    return {str(one.get("name")): str(one.get("value")) for one in page.visit.context.cookies()}


def _set_cookies(page: LivePage, cookies: Mapping[str, str]) -> None:
    page.visit.context.clear_cookies()
    if cookies:
        page.visit.context.add_cookies(
            [{"name": name, "value": value, "url": page.visit.site.page} for name, value in cookies.items()]
        )


def _denied(page: LivePage, control: Control) -> Denied | None:
    """What pressing the control of the theme does where storage throws; None where it cannot be pressed."""
    before = len(page.visit.page_errors)
    prepared = page.visit.prepare(_DENIED)
    page.open()
    page.visit.unprepare(prepared)
    with suppress(Undecided):
        turn_theme(page)
        choose(page, "hop")
        return Denied(page.see("theme"), tuple(page.visit.page_errors[before:]))
    again = next((one for one in (*page.controls(), *page.keys("theme")) if _is_same(one, control)), None)
    pressed = again is not None and page.press(again)
    theme, errors = page.see("theme"), tuple(page.visit.page_errors[before:])
    return Denied(theme, errors) if pressed or errors else None


def _is_same(one: Control, other: Control) -> bool:
    return (one.tag, one.text, one.label, one.names) == (other.tag, other.text, other.label, other.names)


def _first_frame(page: LivePage, day: str, night: str) -> FirstFrame | None:
    """The page as it stands when its head has come and the rest is still on its way, timers and frames held."""
    source = page.evidence.page
    body = next(iter(source.root.iter("{http://www.w3.org/1999/xhtml}body")), None)
    if body is None:
        return None
    end = source.spans(body).start_tag.end
    text = source.source.text
    if end <= 0:
        return None
    held = text[:end] + f'<script src="{_HOLD}"></script>' + text[end:]
    loading = page.visit.page
    waiting: list[Route] = []
    over: list[bool] = []
    blocking = _blocking_scripts(page)

    def answer(route: Route) -> None:
        request = route.request
        if over:
            route.fallback()
        elif request.is_navigation_request() and request.frame == loading.main_frame:
            route.fulfill(status=200, content_type="text/html; charset=utf-8", body=held)
        elif request.resource_type == "script" and page.visit.site.path(request.url) not in blocking:
            waiting.append(route)
        else:
            route.fallback()

    loading.route("**/*", answer)
    try:
        page.left()
        loading.goto(page.visit.site.page, wait_until="commit")
        return _held(page, day, night)
    finally:
        over.append(True)
        for route in waiting:
            route.abort()
        loading.unroute("**/*", answer)
        page.left()
        loading.goto("about:blank")


def _held(page: LivePage, day: str, night: str) -> FirstFrame:
    """The page when its parser waits at the beginning of its body, and a frame of that if the browser paints one.

    Raises Undecided where it does not get there: the theme that the head sets is not set yet.
    """
    until = time.monotonic() + ACTION_S
    state: dict[str, Any] = {"paints": 0, "theme": None, "ground": ""}
    shown = 0
    while shown < _FRAMES and not state["paints"]:
        if time.monotonic() > until:
            raise Undecided(Reason.NO_ANSWER, "the head of the page did not come to its end")
        page.left()
        _, state = page.see_all(["frames", 2], ["painted"])
        shown += bool(state["body"])
    pixel = None
    if state["paints"]:
        red, green, blue, _ = page.shot(0, 0, 1, 1)[0, 0].tolist()
        pixel = red, green, blue
    return FirstFrame(state["theme"], state["ground"], bool(state["paints"]), pixel, day, night)


def _blocking_scripts(page: LivePage) -> frozenset[str]:
    """Files whose scripts stand in head and hold up everything behind them."""
    early = [s for s in page.evidence.scripts if s.in_head and not s.inline and not s.deferred and not s.module]
    return frozenset(s.script.source.path for s in early if s.element.get("async") is None)


def colour_of(ground: str) -> tuple[int, int, int] | None:
    """The channels of a plain ``rgb(…)``; None for anything else."""
    found = re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", ground)
    return None if found is None else (int(found[1]), int(found[2]), int(found[3]))
