"""The evaluator's own time, its growth, and the same question put to Chromium."""

from __future__ import annotations

import gc
import statistics
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from husky_lint import Submission, load
from husky_lint.browser.chromium import ChromiumMissing, launch
from husky_lint.evidence import StaticEvidence
from husky_lint.packs import default_pack, load_pack

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    import numpy.typing as npt

    from husky_lint.scene.motion import Motion

TIMES = 96
PACE = "walk"
CYCLE_S = 0.78
_REPEATS = 7

# Every animation held at a time, then the box of every element of the scene; once for each time.
_SAMPLE = """times => {
  const elements = [...document.querySelector('svg').querySelectorAll('*')];
  const started = performance.now();
  let sum = 0;
  for (const time of times) {
    for (const animation of document.getAnimations()) { animation.pause(); animation.currentTime = time * 1000; }
    for (const element of elements) sum += element.getBoundingClientRect().x;
  }
  return performance.now() - started;
}"""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """``evaluate_ms``: the boxes alone, all else ready. ``total_ms``: from the files on disk, in a warm process."""

    elements: int
    evaluate_ms: float
    total_ms: float


def _times(count: int = TIMES) -> npt.NDArray[np.float64]:
    return np.arange(count, dtype=np.float64) * (CYCLE_S / TIMES)


def _motion(submission: Submission) -> Motion:
    evidence = StaticEvidence(submission, load_pack(default_pack()).rubric)
    states = evidence.states
    chosen = states.state(pace=PACE) if PACE in states.values("pace") else states.initial
    return evidence.motion(chosen)


def _evaluate_ms(submission: Submission, times: npt.NDArray[np.float64], repeats: int = _REPEATS) -> float:
    """Median over fresh evaluators: an evaluator may remember what it has worked out.

    Garbage is not collected meanwhile, as with ``timeit``: what other measurements left is not the evaluator's.
    """
    spent = []
    for _ in range(repeats):
        motion = _motion(submission)
        gc.collect()
        gc.disable()
        try:
            started = time.process_time()
            motion.boxes(times)
            spent.append((time.process_time() - started) * 1000)
        finally:
            gc.enable()
    return statistics.median(spent[1:])


def from_source(folder: Path) -> Evaluation:
    """Evaluate one pace of a submission."""
    submission = load(folder)
    elements = len(_motion(submission).boxes(_times()))
    totals = []
    for _ in range(3):
        started = time.perf_counter()
        _motion(load(folder)).boxes(_times())
        totals.append((time.perf_counter() - started) * 1000)
    return Evaluation(elements, _evaluate_ms(submission, _times()), min(totals))


@lru_cache
def _legs(count: int) -> Submission:
    """A page of ``count`` legs of eight elements each, three of them animated, each leg with its own keyframes."""
    legs, rules = [], []
    for number in range(count):
        legs.append(
            f'<g class="leg{number}" transform="translate({number % 40 * 20} {number // 40 * 40})"><g class="upper">'
            '<path d="M0 0 L-4 20"/><g class="lower"><path d="M-4 20 L0 40"/><g class="paw">'
            '<path d="M0 40 q8 0 10 6 h-12 z"/><circle cx="4" cy="44" r="1.5"/></g></g></g></g>'
        )
        for part, pivot in (("upper", "0 0"), ("lower", "-4px 20px"), ("paw", "0 40px")):
            rules.append(
                f".leg{number} .{part} {{ transform-box: view-box; transform-origin: {pivot};"
                f" animation: leg{number}-{part} .78s linear -{number % 8 / 10}s infinite; }}\n"
                f"@keyframes leg{number}-{part} {{ 0% {{ transform: rotate(-{10 + number % 7}deg); }}"
                " 46% { transform: rotate(24deg); animation-timing-function: cubic-bezier(.4, .1, .6, .9); }"
                f" 100% {{ transform: rotate(-{10 + number % 7}deg); }} }}\n"
            )
    page = f'<!DOCTYPE html><style>{"".join(rules)}</style><svg viewBox="0 0 900 460">{"".join(legs)}</svg>'
    return Submission.from_files({"index.html": page}, name=f"{count} legs")


def _growth_row(name: str, legs: int, times: int) -> tuple[str, int, int, float]:
    return name, legs * 8, times, _evaluate_ms(_legs(legs), _times(times), repeats=4)


def grow_elements() -> list[tuple[str, int, int, float]]:
    """1, 4 and 16 times the elements: name, elements, times, milliseconds."""
    return [_growth_row(f"{factor} × the elements", 20 * factor, TIMES) for factor in (1, 4, 16)]


def grow_times() -> list[tuple[str, int, int, float]]:
    """1, 4 and 16 times the times."""
    return [_growth_row(f"{factor} × the times", 20, TIMES * factor) for factor in (1, 4, 16)]


class Chromium:
    """One headless browser for the measurements; ``available`` is False where there is none."""

    def __init__(self) -> None:
        self._browser: Any = None

    @property
    def available(self) -> bool:
        return self._browser is not None

    def __enter__(self) -> Chromium:
        with suppress(ChromiumMissing):
            self._browser = launch()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._browser is not None:
            self._browser.close()

    def measure(self, folder: Path) -> Evaluation:
        """Load the page in a new context and sample it; the page starts in its default pace, which is a walk."""
        totals, sampled = [], []
        for _ in range(3):
            started = time.perf_counter()
            context = self._browser.new_context()
            page = context.new_page()
            page.goto((folder / "index.html").as_uri())
            sampled.append(float(page.evaluate(_SAMPLE, _times().tolist())))
            totals.append((time.perf_counter() - started) * 1000)
            context.close()
        return Evaluation(0, min(sampled), min(totals))
