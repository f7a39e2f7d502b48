"""Visits to submissions in one Chromium.

A submission is hostile. Each visit has a fresh context; every request but for the submission's own files is refused and
listed; nothing is downloaded, no dialog stays open, no window, no worker between pages and network, no permission. A
visit that takes too long or too much memory costs the browser, never the caller: it ends with :class:`VisitLost`, and
the next visit gets a new browser.

Playwright's sync API, so one thread: the one that opened the session.
"""

from __future__ import annotations

import math
import sys
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from husky_lint.browser.aside import Aside, DriverLost
from husky_lint.browser.chromium import ChromiumMissing, abandon_driver, driver, launch
from husky_lint.browser.serving import Origin, Site, content_type, serve
from husky_lint.browser.watchdog import Watchdog, kill
from husky_lint.style.media import MediaContext

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import (
        Browser,
        BrowserContext,
        CDPSession,
        ConsoleMessage,
        Page,
        Route,
        ViewportSize,
        WebSocket,
    )
    from playwright.sync_api import Dialog as PlaywrightDialog
    from playwright.sync_api import Error as PlaywrightError

    from husky_lint.submission import Submission

    Tab = tuple[BrowserContext, Page]
    """A context and the one page in it."""

__all__ = [
    "BrowserSession",
    "ChromiumMissing",
    "Console",
    "Dialog",
    "Failed",
    "PageError",
    "Refused",
    "Visit",
    "VisitLost",
    "open_browser",
]

T = TypeVar("T")

VISIT_S = 60.0
MOST_BYTES = 1_500_000_000
"""A page of the benchmark takes some 200 MB with the browser around it."""
LOAD_S = 10.0
ACTION_S = 5.0
_CLOSE_S = 5.0
_EVENT_S = 1.0
_LOOK_MS = 5
_NOT_LOADED = f"the page did not finish loading in {LOAD_S:g} s"
_LISTED = 500
_LONGEST_TEXT = 2_000
_FORGETTING = """if (window === top) {
  name = "";
  for (const kept of ["localStorage", "sessionStorage"]) try { window[kept].clear(); } catch { /* it keeps nothing */ }
}"""
_GONE = "Execution context was destroyed"
"""What Playwright says where a page loads itself anew amid a question."""


@cache
def clock_script() -> str:
    """What makes time stand in a document that runs it first; ``__clock`` lets it pass there."""
    return files("husky_lint.browser").joinpath("clock.js").read_text("utf-8")


class VisitLost(Exception):  # noqa: N818
    """The page, or the browser with it, had to be ended before the visit was over. The message is one line."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A request to elsewhere. ``kind`` is Playwright's resource type, or ``websocket``, ``popup``, ``download``."""

    url: str
    kind: str


@dataclass(frozen=True, slots=True)
class Failed:
    """A request for a file that the submission does not have; ``why`` is ``missing`` or ``unread``."""

    path: str
    kind: str
    why: str


@dataclass(frozen=True, slots=True)
class Console:
    """A message on the console. ``kind`` is ``error``, ``warning``, ``log`` …; ``url`` and ``line`` say from where."""

    kind: str
    text: str
    url: str
    line: int


@dataclass(frozen=True, slots=True)
class PageError:
    """An exception that nothing caught."""

    message: str
    stack: str


@dataclass(frozen=True, slots=True)
class Dialog:
    """A dialog that was dismissed: ``alert``, ``confirm``, ``prompt`` or ``beforeunload``."""

    kind: str
    message: str


class _Listed(list[T], Generic[T]):
    """A list that stops growing: a page can do things for ever."""

    def append(self, item: T) -> None:
        if len(self) < _LISTED:
            super().append(item)


@dataclass(eq=False)
class Visit:
    """One page of a submission, loaded, and what it did so far. Playwright's errors come through as they are.

    ``served(origin)`` is the submission's site there, for as long as the visit lasts.
    """

    site: Site
    view: MediaContext
    context: BrowserContext
    page: Page
    refused: list[Refused] = field(default_factory=_Listed)
    failed: list[Failed] = field(default_factory=_Listed)
    console: list[Console] = field(default_factory=_Listed)
    page_errors: list[PageError] = field(default_factory=_Listed)
    dialogs: list[Dialog] = field(default_factory=_Listed)
    crashed: bool = False
    served: Callable[[Origin], Site] | None = None
    _devtools: CDPSession | None = field(default=None, init=False)
    _rate: float | None = field(default=None, init=False)
    _opened: bool = field(default=False, init=False)
    _forgetting: bool = field(default=False, init=False)

    def reload(self) -> None:
        """Load the page again, as a person would. Raises VisitLost when it does not finish loading."""
        self._loading(lambda most_ms: self.page.reload(wait_until="commit", timeout=most_ms))

    def open(self) -> None:
        """Load the submission's page. Raises VisitLost when it does not finish loading."""
        prepared = self.prepare(_FORGETTING) if self._forgetting else ""
        self._loading(lambda most_ms: self.page.goto(self.site.page, wait_until="commit", timeout=most_ms))
        self._opened = True
        if prepared:
            self.unprepare(prepared)
            self._forgetting = False

    def move(self, origin: Origin, view: MediaContext) -> None:
        """The page's place and view are others from now on, as if in a new tab: the page is blank, nothing is kept.

        What was listed so far goes. The submission is loaded there by ``open``. Much cheaper than another visit.
        """
        if self._opened:
            self.page.goto("about:blank", timeout=LOAD_S * 1000)
            self.context.clear_cookies()
        self._forgetting = self._opened
        self.show(view)
        if self.served is not None:
            self.site = self.served(origin)
        for listed in (self.refused, self.failed, self.console, self.page_errors, self.dialogs):
            listed.clear()

    def _loading(self, load: Callable[[float], object]) -> None:
        from playwright.sync_api import TimeoutError as PlaywrightTimeout

        until = time.monotonic() + LOAD_S
        try:
            load(LOAD_S * 1000)
        except PlaywrightTimeout:
            raise VisitLost(_NOT_LOADED) from None
        # Playwright's own wait for the load event never ends where a page tried to leave before it: that one is asked.
        with suppress(PlaywrightTimeout):
            self.page.wait_for_load_state("load", timeout=_EVENT_S * 1000)
        while not self._is_loaded():
            if time.monotonic() > until:
                raise VisitLost(_NOT_LOADED)
            self.page.wait_for_timeout(_LOOK_MS)

    def _is_loaded(self) -> bool:
        from playwright.sync_api import Error

        try:
            return bool(self.page.evaluate("document.readyState === 'complete'"))
        except Error as error:
            if _GONE in error.message:
                return False
            raise

    # -------------------------------------------------------------- how it is seen

    @property
    def devtools(self) -> CDPSession:
        """What Playwright has no words for is asked of the page here."""
        if self._devtools is None:
            self._devtools = self.context.new_cdp_session(self.page)
        return self._devtools

    def show(self, view: MediaContext) -> None:
        """See the page in another view: its size, motion and colour scheme."""
        if _viewport(view) != _viewport(self.view):
            self.page.set_viewport_size(_viewport(view))
        if _preferences(view) != _preferences(self.view):
            self.page.emulate_media(**_preferences(view))
        self.view = view

    def play(self, rate: float) -> None:
        """How fast animations run by themselves, here and after every load; with 0 they stand."""
        if self._rate is None:
            self.devtools.send("Animation.enable")
        if rate != self._rate:
            self._rate = rate
            self.devtools.send("Animation.setPlaybackRate", {"playbackRate": rate})

    def prepare(self, script: str) -> str:
        """Have each document that is loaded run a script before its own; what :meth:`unprepare` ends that by."""
        self.devtools.send("Page.enable")
        added = self.devtools.send("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        return str(added["identifier"])

    def unprepare(self, prepared: str) -> None:
        """No document runs that script any more."""
        self.devtools.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": prepared})

    # -------------------------------------------------------------- what it does

    def start(self, *, load: bool = True) -> None:
        """Listen to everything, then load the page."""
        self.context.route("**/*", self._answer)
        self.context.on("page", self._popup)
        self._watch(self.page)
        if load:
            self.open()

    def _watch(self, page: Page) -> None:
        page.on("console", self._said)
        page.on("pageerror", self._threw)
        page.on("dialog", self._asked)
        page.on("websocket", self._socket)
        page.on("download", lambda download: self.refused.append(Refused(_cut(download.url), "download")))
        page.on("crash", self._broke)

    def _answer(self, route: Route) -> None:
        from playwright.sync_api import Error

        request = route.request
        with suppress(Error):  # the page may be gone before its request is answered
            if request.url.startswith(("data:", "blob:", "about:")):
                route.continue_()
                return
            path = self.site.path(request.url)
            if path is None:
                self.refused.append(Refused(_cut(request.url), request.resource_type))
                if request.is_navigation_request() and request.frame == self.page.main_frame:
                    route.fulfill(status=204)  # "no content": the page stays where it is
                else:
                    route.abort("blockedbyclient")
                return
            file = self.site.file(path)
            if file is None:
                known = path in self.site.submission.files
                self.failed.append(Failed(_cut(path), request.resource_type, "unread" if known else "missing"))
            if self.site.origin == "file":
                route.continue_()
            elif file is None:
                route.fulfill(status=404, content_type="text/plain", body="not found")
            else:
                route.fulfill(status=200, content_type=content_type(path), body=file.raw)

    def _popup(self, page: Page) -> None:
        from playwright.sync_api import Error

        with suppress(Error):
            self.refused.append(Refused(_cut(page.url), "popup"))
            page.close()

    def _said(self, message: ConsoleMessage) -> None:
        place = message.location
        url, line = str(place.get("url", "")), int(place.get("lineNumber", 0))
        self.console.append(Console(message.type, _cut(message.text), _cut(url), line))

    def _threw(self, error: PlaywrightError) -> None:
        self.page_errors.append(PageError(_cut(error.message), _cut(error.stack or "")))

    def _asked(self, dialog: PlaywrightDialog) -> None:
        from playwright.sync_api import Error

        self.dialogs.append(Dialog(dialog.type, _cut(dialog.message)))
        with suppress(Error):
            # To stay would be to never get away from the page.
            dialog.accept() if dialog.type == "beforeunload" else dialog.dismiss()

    def _socket(self, socket: WebSocket) -> None:
        self.refused.append(Refused(_cut(socket.url), "websocket"))

    def _broke(self, _page: Page) -> None:
        self.crashed = True


class BrowserSession:
    """One browser for visits to submissions; started at the first, and again after one that cost it.

    Visits may overlap: the one begun later aside, see :mod:`~husky_lint.browser.aside`.
    """

    def __init__(self, *, visit_s: float = VISIT_S, most_bytes: int = MOST_BYTES) -> None:
        self.visit_s = visit_s
        self.most_bytes = most_bytes
        self.starts = 0
        self._browser: Browser | None = None
        self._pid = 0
        self._left = math.inf
        self._open = 0
        self._began = 0.0
        self._tabs: list[Aside[Tab]] = []
        self._watchdog = Watchdog()

    def allow(self, seconds: float) -> None:
        """All visits until the next call together may take so many seconds; after a lost one there is no other."""
        self._left = seconds

    def prepare(self, tabs: int) -> None:
        """Begin to open tabs for the next visits, so that there are so many. Raises ChromiumMissing."""
        from playwright.sync_api import Error

        try:
            browser = self._running()
        except Error:  # the visit is told
            return
        while len(self._tabs) < tabs:
            self._tabs.append(Aside(lambda: self._new_tab(browser)))

    def _new_tab(self, browser: Browser) -> Tab:
        watched = self._watchdog.watch(self._pid, VISIT_S, self.most_bytes)
        try:
            context = browser.new_context(**_options(MediaContext()))
            return context, context.new_page()
        finally:
            self._watchdog.rest(watched)

    def _drop_tabs(self) -> None:
        tabs, self._tabs = self._tabs, []
        for tab in tabs:
            tab.drop()

    def _tab(self, browser: Browser, view: MediaContext) -> Tab:
        """A fresh context and its page: one that is prepared where it can be seen in that view."""
        if self._tabs and view.resolution == 1:
            context, page = self._tabs.pop(0).result()
            if view != MediaContext():
                page.set_viewport_size(_viewport(view))
                page.emulate_media(**_preferences(view))
            return context, page
        context = browser.new_context(**_options(view))
        return context, context.new_page()

    @contextmanager
    def visit(
        self,
        submission: Submission,
        *,
        view: MediaContext | None = None,
        origin: Origin = "http",
        seconds: float | None = None,
        before: str | None = None,
    ) -> Iterator[Visit]:
        """A submission's page, loaded in a fresh context; the context goes with the ``with``.

        ``before`` is a script that each document runs before its own; with it, nothing is loaded until ``open``.

        ``seconds`` bounds the whole visit. Raises VisitLost, from within the ``with`` too, when the page does not load,
        crashes, or takes more time or memory than allowed; ChromiumMissing when no browser can be started.
        """
        from playwright.sync_api import Error

        view = view or MediaContext()
        visit: Visit | None = None
        with self._context(lambda browser: self._tab(browser, view), seconds) as (context, page), ExitStack() as sites:
            served = cache(lambda origin: sites.enter_context(serve(submission, origin)))
            try:
                context.set_default_timeout(ACTION_S * 1000)
                visit = Visit(served(origin), view, context, page, served=served)
                if before is not None:
                    context.add_init_script(before)
                visit.start(load=before is None)
                yield visit
                if self._lost(visit):
                    raise VisitLost(self._reason(visit))
            except Error as error:
                if not self._lost(visit):
                    if _GONE in error.message:
                        raise VisitLost("the page went away while it was looked at") from error
                    raise
                raise VisitLost(self._reason(visit)) from error

    @contextmanager
    def _context(self, opened: Callable[[Browser], Tab], seconds: float | None = None) -> Iterator[Tab]:
        """A context, watched for so many seconds, and closed; a browser that cannot even do that is let go of."""
        from greenlet import GreenletExit  # type: ignore[import-untyped]
        from playwright.sync_api import Error

        context: BrowserContext | None = None
        try:
            browser = self._running()
            if self._left <= 0:
                raise VisitLost("no time was left for another visit")
            if not self._open:
                self._began = time.monotonic()
            self._open += 1
            longest = self.visit_s if seconds is None else min(seconds, self.visit_s)
            watched = self._watchdog.watch(self._pid, min(longest, self._left), self.most_bytes)
            try:
                context, page = opened(browser)
                yield context, page
            except (Error, DriverLost) as error:
                if context is None:
                    raise VisitLost(self._reason(None)) from error
                raise
            except VisitLost:
                if math.isfinite(self._left):
                    self._left = 0.0
                raise
            finally:
                self._open -= 1
                if not self._open:
                    self._left -= time.monotonic() - self._began
                self._watchdog.rest(watched)
                self._leave(browser, context)
        except (Exception, GeneratorExit):
            raise
        except GreenletExit:
            self._forsake()  # dropped where it waited: Playwright's loop goes on, but there is nobody to close the tab
            raise
        except BaseException:
            # Interrupted amid Playwright's own loop, which does not go on after that: waiting for it would not end.
            self._abandon()
            raise

    def _leave(self, browser: Browser, context: BrowserContext | None) -> None:
        if not isinstance(sys.exception(), GeneratorExit | Exception | None):
            return  # interrupted: there is nobody to ask to close it
        if context is not None and browser.is_connected() and not self._watchdog.bite:
            watched = self._watchdog.watch(self._pid, _CLOSE_S, self.most_bytes)
            with suppress(Exception):
                context.close()
            self._watchdog.rest(watched)
        if self._browser is browser and (self._watchdog.bite or not browser.is_connected()):
            self._discard()

    def draw(self, html: str, width: int) -> bytes:
        """A PNG of a page of husky-lint's own, ``width`` CSS pixels wide and as high as it is; no script runs.

        Raises VisitLost when the browser dies over it.
        """
        from playwright.sync_api import Error

        view = MediaContext(width=width, height=100)
        with self._context(lambda browser: _quiet_tab(browser, view)) as (_, page):
            try:
                page.set_content(html, wait_until="load", timeout=LOAD_S * 1000)
                return page.screenshot(full_page=True)
            except Error as error:
                raise VisitLost(self._reason(None)) from error

    def _lost(self, visit: Visit | None) -> bool:
        browser = self._browser if visit is None else visit.context.browser
        crashed = visit is not None and visit.crashed
        return bool(self._watchdog.bite) or crashed or browser is None or not browser.is_connected()

    def _reason(self, visit: Visit | None) -> str:
        if self._watchdog.bite:
            return f"the page was ended: {self._watchdog.bite}"
        return "the page crashed" if visit is not None and visit.crashed else "the browser died"

    def _running(self) -> Browser:
        if self._browser is None or not self._browser.is_connected():
            self._discard()
            self._browser = launch(driver())
            self.starts += 1
            session = self._browser.new_browser_cdp_session()
            processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
            self._pid = next(int(process["id"]) for process in processes if process["type"] == "browser")
            session.detach()
        return self._browser

    def _discard(self) -> None:
        """Let go of the browser, in whatever state it is."""
        browser, self._browser = self._browser, None
        self._drop_tabs()
        if browser is None:
            return
        kill(self._pid)
        with suppress(Exception):
            browser.close()

    def _forsake(self) -> None:
        """Kill the browser without a word to it."""
        browser, self._browser = self._browser, None
        self._drop_tabs()
        if browser is not None:
            kill(self._pid)

    def _abandon(self) -> None:
        """Kill the browser and the driver without a word to either."""
        self._forsake()
        abandon_driver()

    def close(self) -> None:
        """End the browser."""
        browser, self._browser = self._browser, None
        self._drop_tabs()
        if browser is not None:
            self._watchdog.watch(self._pid, _CLOSE_S, self.most_bytes)
            with suppress(Exception):
                browser.close()
        self._watchdog.end()


@contextmanager
def open_browser(*, visit_s: float = VISIT_S, most_bytes: int = MOST_BYTES) -> Iterator[BrowserSession]:
    """A browser to visit submissions with; it ends with the ``with``. Raises ChromiumMissing at once."""
    session = BrowserSession(visit_s=visit_s, most_bytes=most_bytes)
    try:
        session._running()
        yield session
    finally:
        session.close()


def _options(view: MediaContext) -> dict[str, Any]:
    return {
        "viewport": _viewport(view),
        "device_scale_factor": view.resolution,
        **_preferences(view),
        "accept_downloads": False,
        "service_workers": "block",
        "permissions": [],
    }


def _quiet_tab(browser: Browser, view: MediaContext) -> Tab:
    context = browser.new_context(**_options(view), java_script_enabled=False, offline=True)
    return context, context.new_page()


def _viewport(view: MediaContext) -> ViewportSize:
    return {"width": round(view.width), "height": round(view.height)}


def _preferences(view: MediaContext) -> dict[str, Any]:
    return {"reduced_motion": "reduce" if view.reduced_motion else "no-preference", "color_scheme": view.color_scheme}


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT] + "…"
