"""What a loaded page does by itself and once: its first timers and frames, until it stands as it does a second later.

A callback that is set again and again, or whose doing cannot be told, is none of these: it waits as loading left it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from husky_lint.script.values import Closure, Unknown

if TYPE_CHECKING:
    from husky_lint.script.browser import Browser
    from husky_lint.script.effects import Timer
    from husky_lint.script.machine import Machine

SETTLED: Final = 1000.0
"""Milliseconds after which a page is looked at."""
_FRAME: Final = 1000 / 60
_MOST_RUNS: Final = 32
"""Callbacks that may come of one that loading has set."""
_MOST_TRIALS: Final = 8


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A timer: when it is due, the one of those that loading has set which it comes of, and the code run until then."""

    due: float
    root: float
    codes: frozenset[Any]


@dataclass(frozen=True, slots=True)
class Present:
    """A moment to return to: a mark of the journal, and the lengths of lists that only grow."""

    mark: int
    effects: int
    doubtful: int
    observers: int
    queries: int

    @classmethod
    def of(cls, machine: Machine, browser: Browser) -> Present:
        """Now."""
        return cls(
            machine.journal.mark(),
            len(machine.effects),
            len(machine.maybe),
            len(browser.observers),
            len(browser.media_queries),
        )

    def forget_later(self, machine: Machine, browser: Browser) -> None:
        """Forget what those lists have got since; the journal is left alone."""
        del machine.effects[self.effects :]
        del machine.maybe[self.doubtful :]
        del browser.observers[self.observers :]
        del browser.media_queries[self.queries :]

    def restore(self, machine: Machine, browser: Browser) -> None:
        """Take back everything since."""
        machine.journal.undo_to(self.mark)
        self.forget_later(machine, browser)


def settle(machine: Machine, browser: Browser) -> None:
    """Let everything happen that the page does once within its first second."""
    endless: set[float] = set()
    for _ in range(_MOST_TRIALS):
        before = Present.of(machine, browser)
        root = _run(machine, browser, endless)
        if root is None:
            return
        before.restore(machine, browser)
        endless.add(root)


def _run(machine: Machine, browser: Browser, endless: set[float]) -> float | None:
    """Run what is due, but for what comes of ``endless``; the first one found that belongs to these is returned."""
    waiting = {
        timer.handle: _Waiting(_due(timer, 0.0), timer.handle, frozenset())
        for timer in browser.timers.values()
        if timer.handle not in endless and timer.certain
    }
    runs = dict.fromkeys(waiting, 0)
    while due := [(one.due, handle) for handle, one in waiting.items() if one.due <= SETTLED]:
        now, handle = min(due)
        one, timer = waiting.pop(handle), browser.timers.get(handle)
        if timer is None:
            continue
        runs[one.root] += 1
        known, unknown = set(browser.timers), len(machine.journal.unknown)
        machine.trigger = trigger_of(timer)
        browser.run_timer(timer)
        made = [new for number, new in browser.timers.items() if number not in known]
        codes = one.codes | {_code(timer)}
        if (
            runs[one.root] > _MOST_RUNS
            or len(machine.journal.unknown) > unknown
            or any(_goes_on(new, codes) for new in made)
        ):
            return one.root
        waiting.update((new.handle, _Waiting(_due(new, now), one.root, codes)) for new in made)
    return None


def _goes_on(timer: Timer, codes: frozenset[Any]) -> bool:
    """Whether what has come to a timer may not end with it, or happen at another time or not at all."""
    if not timer.certain or (timer.kind != "frame" and type(timer.delay) is Unknown):
        return True
    return timer.kind != "interval" and _code(timer) in codes


def _due(timer: Timer, now: float) -> float:
    """When a timer that is set ``now`` runs, in milliseconds; NaN for one that does not run once at a known time."""
    if timer.kind == "frame":
        return (math.floor(now / _FRAME + 1e-6) + 1) * _FRAME
    if timer.kind == "interval" or type(timer.delay) is Unknown:
        return math.nan
    return now + float(timer.delay)


def _code(timer: Timer) -> Any:
    return timer.handler.code if type(timer.handler) is Closure else timer.handler


def trigger_of(timer: Timer) -> str:
    """What an effect of a timer is told to be on."""
    return "frame" if timer.kind == "frame" else "timer"
