"""Running a command: wall time, and the processor time and largest memory of everything it started."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# A small process of its own starts the command: the kernel counts a parent's memory at the fork as its child's, and
# this one has next to none. As the subreaper it also waits for what the command leaves behind (a fork server and its
# workers), whose time would otherwise be nobody's. PR_SET_CHILD_SUBREAPER is 36.
_LAUNCHER = """
import json, os, resource, sys, time
try:
    import ctypes
    ctypes.CDLL(None).prctl(36, 1)
except (ImportError, OSError, AttributeError):
    pass
report, *command = sys.argv[1:]
started = time.perf_counter()
child = os.posix_spawnp(command[0], command, os.environ)
_, status = os.waitpid(child, 0)
wall = time.perf_counter() - started
try:
    while True:
        os.waitpid(-1, 0)
except ChildProcessError:
    pass
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(report, "w") as file:
    json.dump({
        "wall": wall, "processor": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss * 1024,
        "status": os.waitstatus_to_exitcode(status),
    }, file)
"""


@dataclass(frozen=True, slots=True)
class Run:
    """``wall`` and ``processor`` in seconds, ``peak`` in bytes (of the largest single process), exit ``status``."""

    wall: float
    processor: float
    peak: int
    status: int
    output: bytes


def run(command: Sequence[str], folder: Path) -> Run:
    """Run a command in a folder; what it prints on stdout is kept, stderr is dropped."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        launch = [sys.executable, "-I", "-S", "-c", _LAUNCHER, report.name, *command]
        done = subprocess.run(launch, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        return Run(**json.loads(Path(report.name).read_text(encoding="utf-8")), output=done.stdout)


def fastest(command: Sequence[str], folder: Path, times: int = 5) -> Run:
    """The run with the least wall time: what else the machine was doing only ever adds."""
    return min((run(command, folder) for _ in range(times)), key=lambda one: one.wall)
