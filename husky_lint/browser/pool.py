"""Confirming many submissions: one browser a process for one submission after another, as many processes as jobs.

A submission that costs its browser costs nobody else's; one that costs its process is tried once more, alone.
"""

from __future__ import annotations

import functools
import math
import multiprocessing.util
from dataclasses import dataclass
from typing import TYPE_CHECKING

from husky_lint.batch.gate import Decision, decide
from husky_lint.batch.processes import Task, lost_card, run_paths
from husky_lint.browser.chromium import ChromiumMissing, ensure_chromium
from husky_lint.browser.confirming import Confirmation, Mode, SpotCheck, confirm
from husky_lint.browser.live import Using, judge_tools
from husky_lint.browser.session import BrowserSession
from husky_lint.judging import check, load
from husky_lint.submission import SubmissionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from husky_lint.judging import Options
    from husky_lint.scorecard import Scorecard


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be confirmed of each submission.

    ``mode`` and ``rows`` as of :func:`~husky_lint.browser.confirming.confirm`. With ``gate`` only a submission that the
    source alone neither keeps nor drops at so many points. ``seconds`` bounds the visits of one. ``run_tools`` runs the
    tools that it brings along, which is code that no page shuts in.
    """

    mode: Mode = "all"
    rows: tuple[int, ...] | None = None
    gate: float | None = None
    contract: bool = False
    seconds: float = 120.0
    run_tools: bool = False


def confirm_paths(paths: Sequence[str], options: Options, request: Request, jobs: int = 1) -> Iterator[Confirmation]:
    """The confirmations of ``paths``, in their order, as they become ready.

    Raises ChromiumMissing, at the first, where there is no browser.
    """
    ensure_chromium()
    task = Task(functools.partial(confirm_path, request=request), _lost, fatal=(ChromiumMissing,))
    try:
        yield from run_paths(paths, options, task, jobs, 2 * request.seconds)
    finally:
        close_browser()


def confirm_path(path: str, options: Options, request: Request) -> Confirmation:
    """One submission, with the browser of this process. Raises ChromiumMissing."""
    try:
        submission = load(path)
    except SubmissionError:
        return unmeasured(check(path, options))
    if submission.page not in submission.files:
        return unmeasured(check(path, options))
    if request.gate is not None:
        card = check(path, options)
        if decide(card, request.gate, contract=request.contract).decision is not Decision.RENDER:
            return unmeasured(card)
    session = browser()
    session.allow(request.seconds)
    return confirm(
        submission,
        session,
        mode=request.mode,
        options=options,
        rows=request.rows,
        live=Using(options.pack),
        tools=functools.partial(judge_tools, pack=options.pack) if request.run_tools else None,
    )


def unmeasured(card: Scorecard, trouble: str = "") -> Confirmation:
    """What the source says, which nothing was measured of."""
    return Confirmation(card.path, card, card, (), SpotCheck(), trouble, card.elapsed_s)


def _lost(path: str, options: Options, message: str) -> Confirmation:
    return unmeasured(lost_card(path, options, message), message)


_browser: BrowserSession | None = None


def browser() -> BrowserSession:
    """The browser of this process; it is started at the first visit, and ends with the process."""
    global _browser  # noqa: PLW0603  # one a process, for all the submissions that it gets
    if _browser is None:
        _browser = BrowserSession(visit_s=math.inf)
        # Of all that runs at the end of a worker process, this alone does.
        multiprocessing.util.Finalize(None, close_browser, exitpriority=10)
    return _browser


def close_browser() -> None:
    """End the browser of this process."""
    global _browser
    if _browser is not None:
        closed, _browser = _browser, None
        closed.close()
