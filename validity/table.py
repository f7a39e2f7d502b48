"""The numbers: static verdicts against expected and measured ones, as text for a terminal and for the README."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from husky_lint.packs import default_pack, pack_rubric
from validity.cases import AUDITED
from validity.judging import differences, row_differences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from validity.cases import Case
    from validity.judging import Judged
    from validity.measuring import Measured

LIKELY = frozenset({AUDITED})
"""Clauses whose pass from the source is said to be likely and no more."""


@dataclass(frozen=True)
class Outcome:
    """A case with what was said of it; ``base`` is what is said of the submission that it edits."""

    case: Case
    base: Judged
    judged: Judged
    measured: Measured | None = None

    @property
    def surprises(self) -> list[str]:
        """Where the verdicts from the source are not what they have to be, a line each."""
        if self.case.kind == "decoy":
            passing = [code for code in self.case.expect if self.judged.clauses[code] == "pass"]
            return [] if self.judged.decoys else [f"{code} passes" for code in passing]
        lines = []
        changed = differences(self.base, self.judged)
        for code in sorted(changed.keys() | self.case.from_source.keys()):
            wanted, got = self.case.from_source.get(code, self.base.clauses[code]), self.judged.clauses[code]
            if wanted != got and not (code == AUDITED and self.doubtful):
                lines.append(f"{code} is {got}, expected {wanted} {self.judged.reasons.get(code, '')}".rstrip())
        for row in sorted(row_differences(self.base, self.judged).keys() | self.case.rows.keys()):
            expected, found = self.case.rows.get(row, self.base.rows[row]), self.judged.rows[row]
            if expected != found and not (row in self._rows_of_tools and self.doubtful and found == "unknown"):
                lines.append(f"row {row} is {found}, expected {expected}")
        return lines

    @property
    def doubtful(self) -> bool:
        """Whether running the audit has to show if it finds what is broken: right wherever another clause is."""
        others = self.case.from_source.keys() - {AUDITED}
        return bool(others) and self.judged.clauses[AUDITED] == "unknown"

    @property
    def _rows_of_tools(self) -> tuple[int, ...]:
        return pack_rubric(default_pack()).clauses[AUDITED].rows

    @property
    def killed(self) -> bool:
        """Whether the source shows that every clause the mutant is about no longer holds."""
        return all(self.judged.clauses[code] == "fail" for code in self.case.expect)

    @property
    def kept(self) -> bool:
        """Whether at least nothing of what the mutant is about passes."""
        return all(self.judged.clauses[code] not in ("pass", "n/a") for code in self.case.expect)

    @property
    def refuted(self) -> list[str]:
        """Clauses that pass by the source and fail in the browser."""
        if self.measured is None:
            return []
        static = self.measured.static
        return [c for c, said in self.measured.clauses.items() if said == "fail" and static.get(c) == "pass"]

    @property
    def rows(self) -> Iterator[tuple[int, str, str]]:
        """Row, verdict by the source, verdict that counts in the end, of the rows that were measured."""
        if self.measured is not None:
            rubric = pack_rubric(default_pack())
            seen = {row for code in self.measured.clauses for row in rubric.clauses[code].rows}
            for row in sorted(seen):
                yield row, self.judged.rows[row], self.measured.rows[row]


@dataclass
class RowCount:
    """How often a row's static verdict met the browser's."""

    cases: int = 0
    agree: int = 0
    unknown: int = 0
    wrong_pass: int = 0
    wrong_other: int = 0
    undecided: int = 0

    def add(self, static: str, measured: str) -> None:
        """Count one case."""
        self.cases += 1
        if static == "unknown":
            self.unknown += 1
        elif measured == "unknown":
            self.undecided += 1
        elif static == measured:
            self.agree += 1
        elif static == "pass":
            self.wrong_pass += 1
        else:
            self.wrong_other += 1


@dataclass
class Tally:
    """All that is counted."""

    outcomes: Sequence[Outcome]
    by_row: dict[int, RowCount] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for row in pack_rubric(default_pack()).rows:
            self.by_row[row.number] = RowCount()
        for outcome in self.outcomes:
            for number, static, measured in outcome.rows:
                self.by_row[number].add(static, measured)

    def of(self, *kinds: str) -> list[Outcome]:
        """The outcomes of these kinds."""
        return [one for one in self.outcomes if one.case.kind in kinds]

    def markdown(self) -> str:
        """The tables of the README."""
        seen = any(row.cases for row in self.by_row.values())
        return "\n".join((*self._summary(), *(("", *self._rows()) if seen else ())))

    def _summary(self) -> Iterator[str]:
        mutants, equivalents, decoys = self.of("mutant"), self.of("equivalent"), self.of("decoy")
        whole = self.of("whole")
        yield "| | cases | from the source |"
        yield "|---|--:|---|"
        killed, kept = sum(m.killed for m in mutants), sum(m.kept for m in mutants)
        exact = sum(not m.surprises for m in mutants)
        yield (
            f"| mutants | {len(mutants)} | {killed} fail on the clause they break ({_share(killed, len(mutants))}), "
            f"{kept - killed} are unknown there, {len(mutants) - kept} pass; "
            f"{exact} change exactly what they have to ({_share(exact, len(mutants))}) |"
        )
        yield f"| equivalents | {len(equivalents)} | {sum(bool(e.surprises) for e in equivalents)} flagged |"
        yield f"| decoys | {len(decoys)} | {sum(bool(d.surprises) for d in decoys)} pass on what they attack |"
        for name, chosen in _groups(whole):
            said = [verdict for one in chosen for verdict in one.judged.rows.values()]
            yield f"| {name} | {len(chosen)} | {said.count('unknown')} of {len(said)} rows unknown |"
        seen = [one for one in self.outcomes if one.measured is not None and not one.measured.trouble]
        if not seen:
            return
        refuted = [code for one in seen for code in one.refuted]
        sure = [code for code in refuted if code not in LIKELY]
        yield (
            f"| measured in Chromium | {len(seen)} | {len(sure)} clauses pass that the browser refutes"
            f"{f', and {len(refuted) - len(sure)} that were only likely' if len(refuted) > len(sure) else ''} |"
        )

    def _rows(self) -> Iterator[str]:
        yield "| row | measured | agree | unknown from the source | wrong pass | wrong otherwise | Chromium unsure |"
        yield "|--:|--:|--:|--:|--:|--:|--:|"
        for number, row in self.by_row.items():
            yield (
                f"| {number} | {row.cases} | {row.agree} | {row.unknown} | {row.wrong_pass} | {row.wrong_other} | "
                f"{row.undecided} |"
            )


def _groups(whole: Sequence[Outcome]) -> Iterator[tuple[str, list[Outcome]]]:
    for name in dict.fromkeys(one.case.what for one in whole):
        yield name, [one for one in whole if one.case.what == name]


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"
