"""``make bench``: measure, and print one table a question. A number over its bar is marked; nothing fails."""

from __future__ import annotations

import os
import platform
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from bench import linters
from bench.processes import fastest, run
from bench.subjects import distinct_copies, source_bytes, submissions
from husky_lint.rule import Judgement

if TYPE_CHECKING:
    from collections.abc import Sequence

REPOSITORY = Path(__file__).resolve().parent.parent
HUSKY_LINT = [sys.executable, "-m", "husky_lint"]
WARM_RUNS = 7
CONFIRM_RUNS = 3
LINTER_RUNS = 15

# The bars of the project, in the units of the tables.
WARM_MS = 100.0
HELP_MS = 150.0
COLD_MS = 1000.0
PEAK_MB = 150.0
BATCH_MS_EACH = 60.0  # 500 in 30 s
EVALUATOR_MS = 15.0
CONFIRM_MS = 4000.0
AUTO_MS = 1000.0

JOBS = 2
LONGEST_BATCH_S = 180.0

console = Console(width=None if sys.stdout.isatty() else 110, highlight=False)


def against(value: float, bar: float, form: str = "{:.0f}") -> str:
    """The value, marked when it is over its bar."""
    shown = form.format(value)
    return shown if value <= bar else f"[red]{shown} (bar {form.format(bar)})[/]"


def table(title: str, first: str, *columns: str) -> Table:
    """A table whose first column is words and whose others are numbers."""
    made = Table(title=title, title_justify="left", title_style="bold", show_edge=False, pad_edge=False)
    made.add_column(first, no_wrap=True)
    for column in columns:
        made.add_column(column, justify="right")
    return made


def show(finished: Table) -> None:
    """Print a table with a blank line after it."""
    console.print(finished)
    console.print()


def one_submission(folders: Sequence[Path], scratch: Path, others: bool) -> float:
    """Files in, scorecard out, in a warm process; each run on a copy that was not seen before.

    Returns the mean of the submissions in milliseconds.
    """
    from husky_lint import check

    rivals = linters.warm_milliseconds(list(folders), LINTER_RUNS) if others else {}
    made = table(
        "One submission, processor time in a warm process", "", "KB", f"husky-lint ms (bar {WARM_MS:.0f})",
        "eslint + stylelint + html-validate ms", "ratio",
    )  # fmt: skip
    means = []
    for folder in folders:
        copies = distinct_copies([folder], WARM_RUNS + 2, scratch / "warm" / folder.name)
        times = []
        for copy in copies:
            started = time.process_time()
            check(copy)
            times.append((time.process_time() - started) * 1000)
        warm = statistics.median(times[2:])
        means.append(warm)
        rival = rivals.get(folder)
        made.add_row(
            folder.name,
            f"{source_bytes(folder) / 1024:.0f}",
            against(warm, WARM_MS),
            f"{rival:.0f}" if rival else "-",
            f"{warm / rival:.2f}" if rival else "-",
        )
    show(made)
    return statistics.mean(means)


def one_process(folders: Sequence[Path], others: bool) -> None:
    """What a person waits for: a new process for one call."""
    made = table("One call, a new process", "", "wall ms", "processor ms", "peak MB")
    said = fastest([*HUSKY_LINT, "--help"], REPOSITORY)
    wall = against(said.wall * 1000, HELP_MS)
    made.add_row("husky-lint --help", wall, f"{said.processor * 1000:.0f}", _megabytes(said.peak))
    for folder in folders:
        cold = fastest([*HUSKY_LINT, "check", str(folder), "--format", "json"], REPOSITORY, times=3)
        made.add_row(
            f"husky-lint check {folder.name}",
            against(cold.wall * 1000, COLD_MS),
            f"{cold.processor * 1000:.0f}",
            _megabytes(cold.peak),
        )
    if others:
        for folder in folders:
            runs = linters.lint_folder(folder).values()
            made.add_row(
                f"the three linters, {folder.name}",
                f"{sum(one.wall for one in runs) * 1000:.0f}",
                f"{sum(one.processor for one in runs) * 1000:.0f}",
                f"{max(one.peak for one in runs) / 1e6:.0f}",
            )
    show(made)


def _megabytes(peak: int) -> str:
    return against(peak / 1e6, PEAK_MB)


def many_submissions(folders: Sequence[Path], count: int, scratch: Path, others: bool) -> None:
    """Distinct copies in one call, and the same files through each of the three in one call."""
    home = scratch / "many"
    copies = distinct_copies(list(folders), count, home)
    megabytes = sum(source_bytes(copy) for copy in copies) / 1e6
    title = f"{count} distinct submissions ({megabytes:.0f} MB of source) in one call"
    made = table(title, "", "wall s", "processor s", "peak MB", "wall ms each")
    ours = run([*HUSKY_LINT, "check", "--jobs", str(JOBS), "--format", "jsonl", *(copy.name for copy in copies)], home)
    lines = ours.output.count(b"\n")
    assert lines == count, f"{lines} lines for {count} submissions, status {ours.status}"

    def row(name: str, wall: float, processor: float, peak: str, each: str) -> None:
        made.add_row(name, f"{wall:.1f}", f"{processor:.1f}", peak, each)

    each = ours.wall * 1000 / count
    row(
        f"husky-lint check --jobs {JOBS}",
        ours.wall,
        ours.processor,
        _megabytes(ours.peak),
        against(each, BATCH_MS_EACH),
    )
    if others:
        runs = linters.lint_folder(home)
        for name, one in runs.items():
            row(name, one.wall, one.processor, f"{one.peak / 1e6:.0f}", f"{one.wall * 1000 / count:.0f}")
        wall, processor = sum(one.wall for one in runs.values()), sum(one.processor for one in runs.values())
        row("the three together", wall, processor, "", f"{wall * 1000 / count:.0f}")
        made.add_row("husky-lint ÷ the three", f"{ours.wall / wall:.2f}", f"{ours.processor / processor:.2f}", "", "")
    show(made)


def evaluator(folders: Sequence[Path]) -> None:
    """Where everything is at 96 times of one pace: from the source, and by asking Chromium."""
    from bench import motion

    made = table(
        f"Boxes of every scene element at {motion.TIMES} times of one pace", "", "elements",
        f"husky-lint ms (bar {EVALUATOR_MS:.0f})", "with reading ms", "Chromium ms", "with loading ms", "ratio",
    )  # fmt: skip
    with motion.Chromium() as browser:
        for folder in folders:
            ours = motion.from_source(folder)
            theirs = browser.measure(folder) if browser.available else None
            made.add_row(
                folder.name,
                str(ours.elements),
                against(ours.evaluate_ms, EVALUATOR_MS, "{:.1f}"),
                f"{ours.total_ms:.0f}",
                f"{theirs.evaluate_ms:.0f}" if theirs else "-",
                f"{theirs.total_ms:.0f}" if theirs else "-",
                f"{ours.evaluate_ms / theirs.evaluate_ms:.3f}" if theirs else "-",
            )
        if not browser.available:
            console.print("no Chromium: its column is left out")
    show(made)

    growth = table("Growth of the evaluator", "", "elements", "times", "ms", "× of the first")
    for rows in (motion.grow_elements(), motion.grow_times()):
        for name, elements, times, milliseconds in rows:
            growth.add_row(name, str(elements), str(times), f"{milliseconds:.1f}", f"{milliseconds / rows[0][3]:.1f}")
    show(growth)


def confirmation(folders: Sequence[Path]) -> None:
    """The browser pass in a warm process with a warm browser, wall time: every row, and only what is unknown."""
    from husky_lint.browser.chromium import ChromiumMissing
    from husky_lint.browser.pool import Request, close_browser, confirm_path
    from husky_lint.judging import Options

    made = table(
        "Confirmed in the browser, a warm process", "", f"all rows ms (bar {CONFIRM_MS:.0f})",
        f"auto ms (bar {AUTO_MS:.0f})", "unknown rows", "clauses measured", "disagree",
    )  # fmt: skip
    try:
        confirm_path(str(folders[0]), Options(), Request())
    except ChromiumMissing as missing:
        console.print(f"without the browser pass: {missing}\n")
        return
    for folder in folders:
        whole = [confirm_path(str(folder), Options(), Request()) for _ in range(CONFIRM_RUNS)]
        auto = [confirm_path(str(folder), Options(), Request("auto")) for _ in range(CONFIRM_RUNS)]
        made.add_row(
            folder.name,
            against(statistics.median(one.elapsed_s for one in whole) * 1000, CONFIRM_MS),
            against(statistics.median(one.elapsed_s for one in auto) * 1000, AUTO_MS),
            str(sum(row.verdict is Judgement.UNKNOWN for row in whole[0].static.rows)),
            str(sum(clause.measured is not None for clause in whole[0].clauses)),
            str(len(whole[0].disagreements)),
        )
    close_browser()
    show(made)


def main() -> None:
    """Run everything, about six minutes on two cores; BENCH_COUNT=50 makes it three."""
    count = int(os.environ.get("BENCH_COUNT", "500"))
    folders = submissions(REPOSITORY)
    reason = linters.missing()
    machine = f"{os.cpu_count()} processors, {platform.machine()}"
    console.print(f"Python {platform.python_version()}, {machine}; {len(folders)} submissions")
    if reason:
        console.print(f"without eslint, stylelint and html-validate: {reason}")
    console.print()
    with tempfile.TemporaryDirectory(prefix="husky-bench-") as scratch:
        each = one_submission(folders, Path(scratch), reason is None)
        one_process(folders, reason is None)
        evaluator(folders)
        confirmation(folders)
        affordable = int(LONGEST_BATCH_S * 1000 * JOBS / each)
        if affordable < count:
            console.print(f"{count} submissions would take more than {LONGEST_BATCH_S:.0f} s: {affordable} of them")
            count = affordable
        many_submissions(folders, count, Path(scratch), reason is None)


if __name__ == "__main__":
    main()
