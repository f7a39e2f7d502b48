"""``husky-lint confirm``: what the source says and what the browser shows, side by side.

Where they differ that is a fault of husky-lint, told with both pieces of evidence; it is none of the submission's.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, TextIO

from rich.rule import Rule as Line
from rich.table import Table
from rich.text import Text

from husky_lint.report import RenderOptions
from husky_lint.report.as_json import TOOL
from husky_lint.report.printable import printable
from husky_lint.report.text import MARKS, make_console

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import Console

    from husky_lint.browser.confirming import Confirmation, Spot
    from husky_lint.rule import Finding, Judgement, Verdict
    from husky_lint.scoring import Score

_SPOTS_SHOWN = 5
_FINDINGS_SHOWN = 3
_CODES_SHOWN = 6


def render_json(confirmations: Iterable[Confirmation], out: TextIO) -> None:
    """Write ``{"tool": …, "submissions": […]}``, each with its card and every clause that was measured."""
    document = {"tool": TOOL, "submissions": [confirmation.to_json() for confirmation in confirmations]}
    json.dump(document, out, ensure_ascii=False, indent=2, allow_nan=False)
    out.write("\n")


def render_text(confirmations: Iterable[Confirmation], out: TextIO) -> None:
    """Write the report, as the confirmations come."""
    console = make_console(out, RenderOptions())
    for confirmation in confirmations:
        _confirmation(console, confirmation)
        out.flush()


def _confirmation(console: Console, confirmation: Confirmation) -> None:
    console.print(Line(Text(printable(confirmation.path), style="bold"), align="left", style="dim"))
    static, counts = confirmation.static.score, confirmation.card.score
    console.print(
        Text.assemble(
            "  source ", (_points(static), "bold"), ", browser ", (_points(counts), "bold"), f" of {counts.of}"
        )
    )
    console.print(Text(f"  {_tally(confirmation)}", style="dim"))
    if confirmation.trouble:
        console.print(Text(printable(f"  not all was measured: {confirmation.trouble}"), style="yellow"))
    console.print(_rows(confirmation))
    for fault in faults(confirmation):
        console.print()
        head, *rest = fault
        console.print(Text(head, style="bold magenta"))
        for line in rest:
            console.print(Text(f"  {line}"))
    console.print()


def _points(score: Score) -> str:
    return f"{score.low:g}" if score.low == score.high else f"{score.low:g} – {score.high:g}"


def _tally(confirmation: Confirmation) -> str:
    counts = Counter(clause.status for clause in confirmation.clauses)
    parts = [f"{counts['agrees']} clauses agree"]
    if counts["decided"]:
        parts.append(f"{counts['decided']} decided by the browser")
    parts.append(f"{counts['disagrees']} disagree")
    if counts["not measured"]:
        parts.append(f"{counts['not measured']} not measured")
    spots = confirmation.spot_check
    if spots.compared:
        parts.append(f"{spots.compared} boxes compared, {spots.differing} differ")
    parts.extend(printable(f"{state} not compared ({reason})") for state, reason in spots.skipped.items())
    return ", ".join(parts)


def _rows(confirmation: Confirmation) -> Table:
    table = Table(box=None, padding=(0, 1), pad_edge=True, header_style="dim")
    table.add_column(justify="right", no_wrap=True)
    table.add_column("source", no_wrap=True)
    table.add_column("browser", no_wrap=True)
    table.add_column(overflow="fold")
    decided = Counter(clause.row for clause in confirmation.clauses if clause.measured is not None)
    for told, counts in zip(confirmation.static.rows, confirmation.card.rows, strict=True):
        measured = _mark(counts.verdict) if decided[counts.row.number] else Text("–", style="dim")
        title = Text(printable(counts.row.title))
        changed = _changed(confirmation, counts.row.number)
        table.add_row(str(counts.row.number), _mark(told.verdict), measured, title.append(changed, style="dim"))
    return table


def _changed(confirmation: Confirmation, row: int) -> str:
    """What the browser said of the row's clauses that the source did not."""
    parts = []
    for status, words in (("decided", "the browser decides"), ("disagrees", "refuted:")):
        codes = [clause.code for clause in confirmation.clauses if clause.row == row and clause.status == status]
        if codes:
            more = f" and {len(codes) - _CODES_SHOWN} more" if len(codes) > _CODES_SHOWN else ""
            parts.append(f"{words} {', '.join(codes[:_CODES_SHOWN])}{more}")
    return f"  {'; '.join(parts)}" if parts else ""


def _mark(judgement: Judgement) -> Text:
    mark, style = MARKS[judgement]
    return Text(f"{mark} {judgement.value}", style=style)


def faults(confirmation: Confirmation) -> Iterator[list[str]]:
    """What husky-lint gets wrong of the submission, one fault after another: a headline, then the evidence of both."""
    for clause in confirmation.disagreements:
        assert clause.measured is not None
        where = f" (row {clause.row})" if clause.row is not None else ""
        yield [
            printable(f"fault of husky-lint: {clause.code} {clause.name}{where}"),
            *_side("the source says", clause.static, clause.static_findings),
            *_side("the browser shows", clause.measured, clause.measured_findings),
            f"{clause.measured.judgement.value} counts",
        ]
    spots = confirmation.spot_check
    if spots.differing:
        yield [
            f"fault of husky-lint: {spots.differing} boxes are not where the source puts them",
            *(_spot(spot) for spot in spots.spots[:_SPOTS_SHOWN]),
        ]


def _side(who: str, verdict: Verdict, findings: tuple[Finding, ...]) -> list[str]:
    said = [finding.message for finding in findings[:_FINDINGS_SHOWN]]
    said = said or [verdict.detail or "nothing against it"]
    more = len(findings) - _FINDINGS_SHOWN
    lines = [printable(f"{who} {verdict.judgement.value}: {said[0]}"), *(printable(f"  {line}") for line in said[1:])]
    return [*lines, f"  and {more} more"] if more > 0 else lines


def _spot(spot: Spot) -> str:
    both = f"source {_box(spot.static)}, browser {_box(spot.measured)}"
    return printable(f"{spot.state} at {spot.time:g} s, {spot.path}: {both}")


def _box(box: tuple[float, ...] | None) -> str:
    return "no box" if box is None else "(" + ", ".join(f"{side:.2f}" for side in box) + ")"
