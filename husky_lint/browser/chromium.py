"""Which Chromium is used, how it is started, and the one Playwright driver of this process."""

from __future__ import annotations

import asyncio
import atexit
import importlib.util
import logging
import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from husky_lint.browser.aside import Aside
from husky_lint.browser.watchdog import descendants

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

VARIABLE = "HUSKY_LINT_CHROMIUM"
_SYSTEM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_SYSTEM_FOLDERS = "/usr/bin:/usr/local/bin:/snap/bin"
_NO_PLAYWRIGHT = "no Playwright: run `python -m pip install 'husky-lint[browser]'`"
_LAUNCH_MS = 30_000.0

_QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-gpu",
    "--disable-sync",
    "--no-first-run",
)
#: What request routing does not see (name look-ups, preconnects, sockets, WebRTC) finds no way out either.
_OFFLINE = (
    "--disable-quic",
    "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-bypass-list=<-loopback>",
    "--proxy-server=http://127.0.0.1:9",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)
_BOUNDED = (
    "--deny-permission-prompts",
    "--js-flags=--max-old-space-size=512",
)
#: Playwright lets every page open windows; Chromium's own rule (one for a click) bounds a storm of them.
_WITHOUT = ("--disable-popup-blocking",)


class ChromiumMissing(Exception):  # noqa: N818
    """There is no browser, or no Playwright, to use; the message is one line and says how to install it."""


def find_chromium(playwright: Playwright | None = None) -> str:
    """The browser's executable: what HUSKY_LINT_CHROMIUM names, else Playwright's own, else the system's.

    Raises ChromiumMissing.
    """
    if chosen := os.environ.get(VARIABLE):
        if found := shutil.which(chosen):
            return found
        raise ChromiumMissing(f"{VARIABLE} names {chosen!r}, which cannot be run")
    if Path(own := (playwright or driver()).chromium.executable_path).is_file():
        return own
    for name in _SYSTEM_NAMES:
        if found := _system_browser(name):
            return found
    raise ChromiumMissing(
        f"no Chromium: run `python -m playwright install chromium`, or name one in the variable {VARIABLE}"
    )


def _system_browser(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path=_SYSTEM_FOLDERS)


def ensure_chromium() -> None:
    """Raise ChromiumMissing where there is nothing to visit a page with; a browser is not started to know it."""
    if importlib.util.find_spec("playwright") is None:
        raise ChromiumMissing(_NO_PLAYWRIGHT)
    if os.environ.get(VARIABLE) or not any(map(_system_browser, _SYSTEM_NAMES)):
        find_chromium()


def sandboxed() -> bool:
    """Whether Chromium keeps its sandbox: always, but for root, for whom it does not start with one."""
    return not (hasattr(os, "geteuid") and os.geteuid() == 0)


def launch(playwright: Playwright | None = None) -> Browser:
    """A headless Chromium without a way to any network. Raises ChromiumMissing."""
    playwright = playwright or driver()
    executable = find_chromium(playwright)
    from playwright.sync_api import Error

    try:
        return playwright.chromium.launch(
            executable_path=executable,
            args=[*_QUIET, *_OFFLINE, *_BOUNDED],
            chromium_sandbox=sandboxed(),
            ignore_default_args=list(_WITHOUT),
            timeout=_LAUNCH_MS,
        )
    except Error as error:
        said = next(iter(str(error).splitlines()), "")
        raise ChromiumMissing(f"{executable} does not start: {said}"[:400]) from error


_driver: Playwright | None = None


def driver() -> Playwright:
    """The Playwright of this process, started at the first call: its sync API allows one a thread.

    Raises ChromiumMissing where Playwright is not installed.
    """
    global _driver  # noqa: PLW0603
    if _driver is None:
        try:
            from playwright.sync_api import sync_playwright
        except ImportError as error:
            raise ChromiumMissing(_NO_PLAYWRIGHT) from error
        # Answers that a page did not live to get are told on stderr else, with a traceback each.
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        _driver = sync_playwright().start()
        Aside(lambda: None)  # begun at the first wait: from then on there is something to give way to
        atexit.register(stop_driver)
    return _driver


def stop_driver() -> None:
    """End the driver and with it every browser that it started."""
    global _driver
    if _driver is not None:
        stopped, _driver = _driver, None
        stopped.stop()


def abandon_driver() -> None:
    """Kill the driver, whose loop was interrupted and cannot be asked any more; the next call starts another."""
    global _driver  # noqa: PLW0603
    if _driver is not None:
        _driver = None
        atexit.unregister(stop_driver)
        asyncio._set_running_loop(None)  # Playwright says for its loop that it runs, between calls too
        for pid in descendants(os.getpid())[1:]:
            with suppress(OSError):
                if b"run-driver" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    os.kill(pid, signal.SIGKILL)
