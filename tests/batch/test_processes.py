"""Worker processes: order, deaths, time limits. Each costs its own submission only."""

from __future__ import annotations

import gc
import os
import signal
import time
from typing import TYPE_CHECKING

import pytest

from husky_lint.batch.processes import Task, judge_paths, lost_card, run_paths, run_within
from husky_lint.judging import Options, unreadable
from husky_lint.packs import load_pack

if TYPE_CHECKING:
    from husky_lint.scorecard import Scorecard

OPTIONS = Options(pack="husky")


def work(path: str, options: Options) -> Scorecard:
    """Stands in for ``check``: what it does is in the path."""
    del options
    if path.startswith("die"):
        os.kill(os.getpid(), signal.SIGKILL)
    if path.startswith("exit"):
        os._exit(3)
    if path.startswith("hang"):
        while True:
            try:
                time.sleep(0.01)
            except Exception:
                continue
    if path.startswith("raise"):
        raise RecursionError("deep")
    if path.startswith("slow"):
        time.sleep(0.2)
    return unreadable(path, "done", load_pack("husky"))


def messages(paths: list[str], jobs: int, time_limit: float = 20) -> list[tuple[str, str]]:
    cards = judge_paths(paths, OPTIONS, jobs, time_limit, work)
    return [(card.path, card.findings[0].message) for card in cards]


def test_cards_come_in_the_order_of_the_paths() -> None:
    paths = ["slow", "a", "slow2", *(f"p{n}" for n in range(20))]
    assert messages(paths, 2) == [(path, "done") for path in paths]


def test_a_dead_worker_costs_its_submission_only() -> None:
    paths = ["a", "die1", "b", "slow", "exit", "c", *(f"p{n}" for n in range(10)), "die2"]
    told = dict(messages(paths, 2))
    assert list(told) == paths
    assert {path for path, message in told.items() if message != "done"} == {"die1", "exit", "die2"}
    assert "died" in told["die1"]


def test_a_crash_outside_any_rule_costs_its_submission_only() -> None:
    told = dict(messages(["a", "raise", "b"], 2))
    assert "RecursionError" in told["raise"]
    assert told["a"] == told["b"] == "done"


def test_a_time_limit_ends_what_hangs() -> None:
    told = dict(messages(["a", "hang", "b"], 1, time_limit=0.3))
    assert "more than 0.3 s" in told["hang"]
    assert told["a"] == told["b"] == "done"


def test_the_time_limit_holds_in_this_process_too() -> None:
    card = run_within("hang", OPTIONS, 0.2, Task(work, lost_card))
    assert card.findings[0].code == "HB0003"
    assert (card.score.low, card.score.high) == (0, 71)
    before = signal.getsignal(signal.SIGALRM)
    run_within("a", OPTIONS, 5, Task(work, lost_card))
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_nothing_to_do() -> None:
    assert messages([], 4) == []


@pytest.mark.parametrize("jobs", [1, 3])
def test_leaving_early_leaves_no_process(jobs: int) -> None:
    import multiprocessing

    before = set(multiprocessing.active_children())
    cards = judge_paths([f"slow{n}" for n in range(30)], OPTIONS, jobs, 20, work)
    next(cards)
    del cards  # a generator that nobody can read on is closed
    gc.collect()
    for process in set(multiprocessing.active_children()) - before:
        process.join(10)
    assert set(multiprocessing.active_children()) <= before


@pytest.mark.parametrize("paths", [["raise"], ["a", "raise", "b"]])
def test_what_concerns_every_path_is_raised(paths: list[str]) -> None:
    task = Task(work, lost_card, fatal=(RecursionError,))
    with pytest.raises(RecursionError, match="deep"):
        list(run_paths(paths, OPTIONS, task, jobs=2))
