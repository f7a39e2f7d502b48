"""``make validity``: every case judged by its source, and in Chromium, and what came of it as tables.

``python -m validity NAME…`` judges only the cases whose name begins so, by their source, and tells where a verdict is
not the expected one.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.progress import track

from validity.cases import FOLDERS, Case, base_files, load_cases, whole_cases
from validity.edits import EditError
from validity.judging import REPOSITORY, judge_kept
from validity.measuring import measure_kept
from validity.table import Outcome, Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from validity.judging import Judged

MOST_LINES = 9
README = REPOSITORY / "README.md"
_MARKED = re.compile(r"(<!-- validity -->\n).*?(<!-- /validity -->)", re.DOTALL)

console = Console(highlight=False, soft_wrap=True)
progress = Console(stderr=True)


def judged(cases: Sequence[Case]) -> list[Outcome]:
    """The cases by their source, with their bases."""
    bases = list(dict.fromkeys(case.base for case in cases if case.kind != "whole"))
    work = [(name, dict(base_files(name))) for name in bases] + [(case.name, case.files()) for case in cases]
    cards = list(track(judge_kept(work), "judging", len(work), console=progress))
    known: dict[str, Judged] = dict(zip(bases, cards, strict=False))
    return [
        Outcome(case, known.get(case.base, card) if case.kind != "whole" else card, card)
        for case, card in zip(cases, cards[len(bases) :], strict=True)
    ]


def measured(outcomes: Sequence[Outcome], minutes: float) -> list[Outcome]:
    """The same with what Chromium says, as far as the time goes: first what is whole, then a spread of the others."""
    turns = dict.fromkeys(FOLDERS, 0)
    order = []
    for index, outcome in enumerate(outcomes):
        kind = outcome.case.kind
        order.append((turns.get(kind, -1), index))
        turns[kind] = turns.get(kind, -2) + 1
    chosen = [index for _, index in sorted(order)]
    work = [(outcomes[i].case.name, outcomes[i].case.files(), outcomes[i].case.rows_measured) for i in chosen]
    found = track(measure_kept(work, minutes * 60), "measuring", len(work), console=progress)
    results = dict(zip(chosen, found, strict=True))
    return [replace(outcome, measured=results[index]) for index, outcome in enumerate(outcomes)]


def tell(outcomes: Sequence[Outcome]) -> None:
    """Print what is not as it has to be."""
    for one in outcomes:
        refuted = [f"{code} passes, and fails in Chromium" for code in one.refuted]
        lines = refuted if one.case.kind == "whole" else [*one.surprises, *refuted]
        if lines:
            console.print(f"[bold]{escape(one.case.name)}[/] ({one.case.kind}): {escape(one.case.what)}")
            news = [f"  {finding}" for finding in one.judged.findings if finding not in one.base.findings]
            for line in (*_some(lines), *_some(news)):
                console.print(f"    {line}", markup=False)


def _some(lines: list[str]) -> list[str]:
    return (
        lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], f"… and {len(lines) - MOST_LINES + 1} more"]
    )


def fitting(cases: Sequence[Case]) -> list[Case]:
    """The cases whose edits find their place; what does not is told."""
    good = []
    for case in cases:
        try:
            case.files()
            good.append(case)
        except EditError as error:
            console.print(str(error), markup=False)
    return good


def main() -> None:
    """Judge, measure, print, and write the tables into the README."""
    parser = argparse.ArgumentParser(prog="python -m validity", description=__doc__)
    parser.add_argument("names", nargs="*", help="beginnings of names: judge those cases by their source alone")
    parser.add_argument("--minutes", type=float, default=240.0, help="time to measure in; 0 reads what was kept")
    parser.add_argument("--write", action="store_true", help="write the tables into the README")
    options = parser.parse_args()
    cases = [case for kind in FOLDERS for case in load_cases(kind)]
    if options.names:
        outcomes = judged([case for case in fitting(cases) if case.name.startswith(tuple(options.names))])
        tell(outcomes)
        console.print(f"{len(outcomes)} cases")
        return
    outcomes = measured(judged([*whole_cases(), *fitting(cases)]), options.minutes)
    tell(outcomes)
    tables = Tally(outcomes).markdown()
    console.print(tables, markup=False)
    if options.write:
        text = README.read_text(encoding="utf-8")
        README.write_text(_MARKED.sub(lambda found: f"{found[1]}{tables}\n{found[2]}", text), encoding="utf-8")


if __name__ == "__main__":
    main()
