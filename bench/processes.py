"""Running a command: wall time, processor time and the largest memory of it and its descendants."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Run:
    """``wall`` and ``processor`` in seconds, ``peak`` in bytes (of the largest single process), exit ``status``."""

    wall: float
    processor: float
    peak: int
    status: int
    output: bytes


def run(command: Sequence[str], folder: Path, environment: dict[str, str] | None = None) -> Run:
    """Run a command in a folder; what it prints on stdout is kept, stderr is dropped."""
    started = time.perf_counter()
    with subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **(environment or {})},
    ) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        # wait4, not wait: it tells what this child and those it waited for have used.
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return Run(
        wall=time.perf_counter() - started,
        processor=usage.ru_utime + usage.ru_stime,
        peak=usage.ru_maxrss * 1024,
        status=process.returncode,
        output=output,
    )


def fastest(command: Sequence[str], folder: Path, times: int = 5) -> Run:
    """The run with the least wall time: what else the machine was doing only ever adds."""
    return min((run(command, folder) for _ in range(times)), key=lambda one: one.wall)
