"""Judging many submissions in worker processes.

Results come in the order of the paths, whatever ``jobs`` is. A worker that dies (killed, out of memory, a crash in a
library) costs the submission it was on: what was in flight is judged again, one by one, until the culprit is alone. A
submission that runs into the time limit becomes ``unknown(limit)``. ``multiprocessing.Pool`` would hang for ever here.
"""

from __future__ import annotations

import faulthandler
import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from husky_lint.collecting import collect_rarely
from husky_lint.judging import Options, check, not_judged
from husky_lint.packs import default_pack, load_pack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.context import BaseContext

    from husky_lint.scorecard import Scorecard

    Check = Callable[[str, Options], Scorecard]

T = TypeVar("T")

_IN_FLIGHT_PER_JOB = 3
_GRACE_S = 5.0


class OutOfTime(BaseException):
    """Raised by the clock inside a submission; no ``except Exception`` of a rule may swallow it."""


@dataclass(frozen=True, slots=True)
class Task(Generic[T]):
    """What is done with each path. Both functions must be module-level ones, or ``partial`` of such.

    ``lost`` gives the result of a path that ``work`` did not get to the end of, from the reason. An exception of a kind
    in ``fatal`` concerns every path, and is raised to the caller.
    """

    work: Callable[[str, Options], T]
    lost: Callable[[str, Options, str], T]
    fatal: tuple[type[Exception], ...] = ()


def available_jobs() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def judge_paths(
    paths: Sequence[str], options: Options, jobs: int = 1, time_limit: float = 60.0, work: Check = check
) -> Iterator[Scorecard]:
    """The cards of ``paths``, in their order, as they become ready. ``time_limit`` is in seconds a submission.

    One path is judged in this process. ``work`` must be a module-level function.
    """
    return run_paths(paths, options, Task(work, lost_card), jobs, time_limit)


def run_paths(
    paths: Sequence[str], options: Options, task: Task[T], jobs: int = 1, time_limit: float = 60.0
) -> Iterator[T]:
    """The results of a task for ``paths``, as :func:`judge_paths` gives cards."""
    if len(paths) == 1:
        yield run_within(paths[0], options, time_limit, task)
        return
    if paths:
        yield from _Crew(options, min(jobs, len(paths)), time_limit, task).judge(paths)


def run_within(path: str, options: Options, time_limit: float, task: Task[T]) -> T:
    """The task on one path within ``time_limit`` seconds (where this thread can be given a clock)."""
    try:
        with _clock(time_limit):
            return task.work(path, options)
    except OutOfTime:
        return task.lost(path, options, f"judging took more than {time_limit:g} s")
    except task.fatal:
        raise
    except Exception as error:  # a fault of husky-lint outside any rule still costs this submission only
        return task.lost(path, options, f"judging it failed: {type(error).__name__}: {error}"[:500])


def lost_card(path: str, options: Options, message: str) -> Scorecard:
    """The card of a submission that was not judged to the end."""
    return not_judged(path, message, load_pack(options.pack or default_pack()))


@contextmanager
def _clock(seconds: float) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_signal: int, _frame: object) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _start_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and ends its workers
    collect_rarely()


def _work(path: str, options: Options, time_limit: float, task: Task[T]) -> T:
    # The clock cannot interrupt a C library that never returns; this watchdog thread ends the whole worker instead.
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        faulthandler.dump_traceback_later(time_limit + _GRACE_S, exit=True, file=nowhere)
        try:
            return run_within(path, options, time_limit, task)
        finally:
            faulthandler.cancel_dump_traceback_later()
            gc.collect()  # here all of the submission's objects go at once


def _context() -> BaseContext:
    if "forkserver" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["husky_lint.batch.preload"])
        return context
    return multiprocessing.get_context("spawn")


class _Crew(Generic[T]):
    """A pool of workers that is replaced when it breaks."""

    def __init__(self, options: Options, jobs: int, time_limit: float, task: Task[T]) -> None:
        self._options = options
        self._jobs = jobs
        self._time_limit = time_limit
        self._task = task
        self._others = set(multiprocessing.active_children())
        self._pool = self._new_pool(jobs)

    def _new_pool(self, jobs: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(jobs, mp_context=_context(), initializer=_start_worker)

    def _submit(self, path: str) -> Future[T] | None:
        try:
            return self._pool.submit(_work, path, self._options, self._time_limit, self._task)
        except BrokenProcessPool:
            return None  # it broke a moment ago; the path is judged with those in flight

    def judge(self, paths: Sequence[str]) -> Iterator[T]:
        waiting = deque(paths)
        in_flight: deque[tuple[str, Future[T] | None]] = deque()
        clean = False
        try:
            while waiting or in_flight:
                while waiting and len(in_flight) < self._jobs * _IN_FLIGHT_PER_JOB:
                    path = waiting.popleft()
                    in_flight.append((path, self._submit(path)))
                path, future = in_flight[0]
                try:
                    if future is None:
                        raise BrokenProcessPool
                    result = future.result()
                except BrokenProcessPool:
                    yield from self._one_by_one(in_flight)
                    continue
                except self._task.fatal:
                    raise
                except Exception as error:  # a result that cannot cross back from its process
                    result = self._task.lost(path, self._options, f"judging it failed: {type(error).__name__}"[:500])
                in_flight.popleft()
                yield result
            clean = True
        finally:
            self._close(clean)

    def _one_by_one(self, in_flight: deque[tuple[str, Future[T] | None]]) -> Iterator[T]:
        """Judge again, each in a pool where nothing else runs, what was in flight when the pool broke."""
        self._pool.shutdown(wait=True)
        self._pool = self._new_pool(1)
        while in_flight:
            path, done = in_flight.popleft()
            if done is not None and done.done() and done.exception() is None:
                yield done.result()
                continue
            try:
                future = self._submit(path)
                if future is None:
                    raise BrokenProcessPool
                yield future.result()
            except BrokenProcessPool:
                self._pool.shutdown(wait=True)
                self._pool = self._new_pool(1)
                yield self._task.lost(path, self._options, "the process that judged it died")
        self._pool.shutdown(wait=True)
        self._pool = self._new_pool(self._jobs)

    def _close(self, clean: bool) -> None:
        self._pool.shutdown(wait=clean, cancel_futures=True)
        if not clean:  # interrupted, or nobody reads on: what still runs is of no use to anyone
            for process in set(multiprocessing.active_children()) - self._others:
                process.terminate()
