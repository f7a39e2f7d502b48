"""Runs the tools that a submission brings along, under node, shut in, and says how each ended.

Their code is as hostile as the page, and it is no page: it runs on this machine, under the account that runs
husky-lint. It gets a scratch copy of the submission, Playwright and the Chromium that was found, a bare environment, no
network but its own loopback where the system allows that, and so many seconds, bytes of memory and characters of
output; then it is ended, with all that it started.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from husky_lint.browser.chromium import ChromiumMissing, find_chromium
from husky_lint.browser.serving import write_files
from husky_lint.browser.watchdog import descendants, resident_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from husky_lint.submission import Submission

Ending = Literal["clean", "failed", "too long", "too large", "not run"]

TOOL_S: Final = 90.0
MOST_BYTES: Final = 2_000_000_000
MOST_OUTPUT: Final = 60_000
"""Characters kept of what a tool prints: its beginning and, twice as much, its end."""
_LOOK_S: Final = 0.2
_SHIMS: Final = ("playwright", "@playwright/test", "playwright-chromium")
"""Names under which tools ask for Playwright, beside ``playwright-core``, which is what Playwright for Python holds."""
_CHROMIUM_NAMES: Final = ("CHROMIUM", "CHROMIUM_PATH", "CHROME", "CHROME_PATH", "CHROME_BIN", "BROWSER_PATH")


class NodeMissing(Exception):  # noqa: N818
    """There is no node, or no Playwright for it, to run tools with; the message is one line."""


@dataclass(frozen=True, slots=True)
class ToolRun:
    """How a tool ended. ``exit_code`` is None where it had to be ended, or was not run; ``output`` is what it printed.

    ``network`` says how it was kept off the network: ``namespace``, or ``open: …`` with the reason why only its own
    module for connections and Chromium's host rules did.
    """

    tool: str
    ending: Ending
    exit_code: int | None
    output: str
    seconds: float
    network: str

    @property
    def last_line(self) -> str:
        """The last line that it printed, for a report."""
        return next((line.strip() for line in reversed(self.output.splitlines()) if line.strip()), "")[:300]


@dataclass(frozen=True, slots=True)
class Workshop:
    """A folder that holds a copy of a submission, Playwright for its tools, and room for what they write."""

    node: str
    chromium: str
    base: Path

    @property
    def copy(self) -> Path:
        """The copy of the submission."""
        return self.base / "submission"

    def run(self, tool: str, *, seconds: float = TOOL_S, most_bytes: int = MOST_BYTES) -> ToolRun:
        """Run a tool of the copy, by its path, from the root of the copy."""
        if not (self.copy / tool).is_file():
            return ToolRun(tool, "not run", None, f"there is no {tool}", 0.0, "")
        started = time.monotonic()
        status_read, status_write = os.pipe()
        command = [
            *(sys.executable, "-I", str(Path(__file__).with_name("shut_in.py")), str(status_write)),
            *(self.node, "--require", str(self.base / "preload.cjs"), str(self.copy / tool)),
        ]
        process = subprocess.Popen(
            command,
            cwd=self.copy,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=(status_write,),
            start_new_session=True,
        )
        os.close(status_write)
        try:
            ending, output = _follow(process, started + seconds, most_bytes)
        finally:
            _end(process)
        with os.fdopen(status_read, "rb") as status:
            network = status.read(200).decode("utf-8", "replace") or "open: unknown"
        code = process.returncode if ending is None else None
        told: Ending = ending or ("clean" if code == 0 else "failed")
        return ToolRun(tool, told, code, output, time.monotonic() - started, network)

    def _environment(self) -> Mapping[str, str]:
        scratch = str(self.base / "scratch")
        return {
            "PATH": os.pathsep.join((str(Path(self.node).parent), "/usr/local/bin", "/usr/bin", "/bin")),
            "HOME": scratch,
            "TMPDIR": scratch,
            "LANG": "C.UTF-8",
            "CI": "1",
            "NODE_PATH": str(self.base / "node_modules"),
            "HUSKY_LINT_TOOL_CHROMIUM": self.chromium,
            "PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH": self.chromium,
            **dict.fromkeys(_CHROMIUM_NAMES, self.chromium),
        }


@contextmanager
def workshop(submission: Submission) -> Iterator[Workshop]:
    """A workshop for a submission, gone with the ``with``. Raises NodeMissing or ChromiumMissing."""
    node, package = find_node()
    chromium = find_chromium()
    with tempfile.TemporaryDirectory(prefix="husky-lint-tools-", ignore_cleanup_errors=True) as folder:
        base = Path(folder).resolve()
        made = Workshop(node, chromium, base)
        made.copy.mkdir()
        (base / "scratch").mkdir()
        write_files(submission, made.copy)
        _equip(base / "node_modules", package)
        preload = Path(__file__).with_name("preload.js").read_text(encoding="utf-8")
        (base / "preload.cjs").write_text(preload, encoding="utf-8")
        yield made


def find_node() -> tuple[str, Path]:
    """Node and the Playwright package for it that Playwright for Python brings along. Raises NodeMissing."""
    try:
        import playwright
    except ImportError as error:
        raise NodeMissing("no Playwright for node: run `pip install 'husky-lint[browser]'`") from error
    driver = Path(playwright.__file__).parent / "driver"
    node, package = driver / ("node.exe" if os.name == "nt" else "node"), driver / "package"
    if not node.is_file() or not (package / "package.json").is_file():
        raise NodeMissing(f"no node or no Playwright for it in {driver}")
    return str(node), package


def _equip(modules: Path, package: Path) -> None:
    """Put Playwright where ``require`` and ``import`` of a tool look for it, under every name that tools use."""
    modules.mkdir()
    (modules / "playwright-core").symlink_to(package, target_is_directory=True)
    for name in _SHIMS:
        folder = modules / name
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(
            '{"main": "index.js", "exports": {"import": "./index.mjs", "require": "./index.js"}}', encoding="utf-8"
        )
        (folder / "index.js").write_text('module.exports = require("playwright-core");\n', encoding="utf-8")
        (folder / "index.mjs").write_text(
            'export * from "playwright-core";\nexport { default } from "playwright-core";\n', encoding="utf-8"
        )


def _follow(process: subprocess.Popen[bytes], until: float, most_bytes: int) -> tuple[Ending | None, str]:
    """Read what a tool prints until it ends; why it was ended before, None where it was not."""
    assert process.stdout is not None
    first, last = bytearray(), bytearray()
    third = MOST_OUTPUT // 3
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        looked = time.monotonic()
        while True:
            now = time.monotonic()
            if now > until:
                return "too long", _text(first, last)
            if now - looked > _LOOK_S:
                looked = now
                if sum(map(resident_bytes, descendants(process.pid))) > most_bytes:
                    return "too large", _text(first, last)
                if process.poll() is not None:
                    return None, _text(first, last)
            if not selector.select(_LOOK_S):
                continue
            chunk = os.read(process.stdout.fileno(), 65_536)
            if not chunk:
                break
            room = third - len(first)
            first += chunk[: max(room, 0)]
            last = (last + chunk[max(room, 0) :])[-2 * third :]
    try:
        process.wait(max(until - time.monotonic(), 0.1))
    except subprocess.TimeoutExpired:
        return "too long", _text(first, last)
    return None, _text(first, last)


def _text(first: bytearray, last: bytearray) -> str:
    cut = "\n…\n" if len(last) >= 2 * (MOST_OUTPUT // 3) else ""
    return first.decode("utf-8", "replace") + cut + last.decode("utf-8", "replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a tool and all that it started; the one that shuts it in first gets the time to do so itself."""
    if process.poll() is None:
        family = descendants(process.pid)
        for pid in reversed(family[1:]):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        process.terminate()
        try:
            process.wait(5.0)
        except subprocess.TimeoutExpired:
            for pid in descendants(process.pid):
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            process.wait()
    if process.stdout is not None:
        process.stdout.close()


__all__ = ["ChromiumMissing", "NodeMissing", "ToolRun", "Workshop", "find_node", "workshop"]
