"""``python -m validity [NAME…]``: judge the cases whose name begins so, and tell where a verdict is not as expected."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import track

from validity.cases import BASE, base_files, load_cases
from validity.edits import EditError
from validity.judging import Judged, differences, judge_kept, row_differences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from validity.cases import Case

MOST_LINES = 9

console = Console(highlight=False, soft_wrap=True)


def surprises(case: Case, base: Judged, judged: Judged) -> list[str]:
    """Where the verdicts on a case are not what they have to be, a line each; empty when all is as expected."""
    changed, rows = differences(base, judged), row_differences(base, judged)
    if case.kind == "decoy":
        return [f"{code} passes" for code in case.expect if judged.clauses[code] == "pass" and not judged.decoys]
    lines = []
    for code in sorted(changed.keys() | case.from_source.keys()):
        wanted, got = case.from_source.get(code, base.clauses[code]), judged.clauses[code]
        if wanted != got:
            lines.append(f"{code} is {got}, expected {wanted} {judged.reasons.get(code, '')}")
    for row in sorted(rows.keys() | case.rows.keys()):
        wanted, got = case.rows.get(row, base.rows[row]), judged.rows[row]
        if wanted != got:
            lines.append(f"row {row} is {got}, expected {wanted}")
    return lines


def _some(lines: list[str]) -> list[str]:
    return (
        lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], f"… and {len(lines) - MOST_LINES + 1} more"]
    )


def main(names: Sequence[str]) -> None:
    """Judge, and print what is not as expected."""
    cases = [case for kind in ("mutant", "equivalent", "decoy") for case in load_cases(kind)]
    chosen = [case for case in cases if not names or case.name.startswith(tuple(names))]
    misfits = {}
    for case in chosen:
        try:
            case.files()
        except EditError as error:
            misfits[case.name] = error
            console.print(str(error), markup=False)
    chosen = [case for case in chosen if case.name not in misfits]
    work = [(BASE, dict(base_files(BASE))), *((case.name, case.files()) for case in chosen)]
    cards = list(track(judge_kept(work), "judging", len(work), console=Console(stderr=True)))
    for case, judged in zip(chosen, cards[1:], strict=True):
        if lines := surprises(case, cards[0], judged):
            console.print(f"[bold]{case.name}[/] ({case.kind}): {case.what}")
            news = [finding for finding in judged.findings if finding not in cards[0].findings]
            for line in (*_some(lines), *_some([f"  {finding}" for finding in news])):
                console.print(f"    {line}", markup=False)
    console.print(f"{len(chosen)} cases")


if __name__ == "__main__":
    main(sys.argv[1:])
