"""Ends a browser whose page takes too long or too much memory.

Playwright waits for ever for a page that never returns. A thread looks on from outside and kills the browser: what
waits for it then gets its error.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_LOOK_EVERY_S = 0.2
_PROC = Path("/proc")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Watchdog:
    """Watches one browser, for as many reasons at a time as there are. ``bite`` says why it was killed, else ``""``.

    It says so until another browser is watched.
    """

    def __init__(self) -> None:
        self.bite = ""
        self._changed = threading.Condition()
        self._pid = 0
        self._most_bytes = 0
        self._reasons: dict[int, tuple[float, float]] = {}
        """By number the moment by which a reason to watch is over, and the seconds that it had."""
        self._count = 0
        self._ended = False
        self._thread = threading.Thread(target=self._look, name="browser watchdog", daemon=True)
        self._thread.start()

    def watch(self, pid: int, seconds: float, most_bytes: int) -> int:
        """Kill ``pid`` and all below it in ``seconds`` from now, or when together they hold over ``most_bytes``.

        The number is what :meth:`rest` ends that by. Another pid than before ends all that was watched.
        """
        with self._changed:
            if pid != self._pid:
                self._reasons.clear()
                self.bite = ""
            self._pid, self._most_bytes = pid, most_bytes
            self._count += 1
            self._reasons[self._count] = (time.monotonic() + seconds, seconds)
            self._changed.notify()
            return self._count

    def rest(self, reason: int) -> None:
        """Watch no longer for that reason."""
        with self._changed:
            self._reasons.pop(reason, None)

    def end(self) -> None:
        """End the thread."""
        with self._changed:
            self._reasons.clear()
            self._ended = True
            self._changed.notify()
        self._thread.join()

    def _look(self) -> None:
        with self._changed:
            while not self._ended:
                if not self._reasons:
                    self._changed.wait()
                    continue
                family = descendants(self._pid)
                held = sum(map(resident_bytes, family))
                deadline, seconds = min(self._reasons.values())
                if time.monotonic() >= deadline:
                    self.bite = f"it took more than {seconds:g} s"
                elif held > self._most_bytes:
                    self.bite = f"it took more than {self._most_bytes // 1_000_000} MB of memory"
                if self.bite:
                    _kill(family)
                    self._reasons.clear()
                    continue
                self._changed.wait(max(min(_LOOK_EVERY_S, deadline - time.monotonic()), 0.01))


def kill(pid: int) -> None:
    """Kill a process and all below it."""
    _kill(descendants(pid))


def _kill(processes: Iterable[int]) -> None:
    for process in processes:
        with suppress(OSError):
            os.kill(process, signal.SIGKILL)


def descendants(pid: int) -> list[int]:
    """``pid`` and the processes below it; only itself where the system does not tell (outside Linux)."""
    children: dict[int, list[int]] = {}
    if _PROC.is_dir():
        for name in os.listdir(_PROC):
            if name.isdigit():
                with suppress(OSError, ValueError, IndexError):
                    # The name of a process may hold spaces and brackets; what follows the last one does not.
                    said = (_PROC / name / "stat").read_text(errors="replace").rpartition(")")[2].split()
                    children.setdefault(int(said[1]), []).append(int(name))
    family = [pid]
    for parent in family:
        family.extend(children.get(parent, ()))
    return family


def resident_bytes(pid: int) -> int:
    """The memory that a process alone holds, without what it shares with others; 0 where the system does not tell."""
    try:
        _, resident, shared, *_ = (_PROC / str(pid) / "statm").read_text().split()
    except (OSError, ValueError):
        return 0
    return (int(resident) - int(shared)) * _PAGE_BYTES
