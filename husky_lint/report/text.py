"""``check --format text``: for people. A header with the score, the rows, then every finding with its code frame."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.rule import Rule as Line
from rich.table import Table
from rich.text import Text

from husky_lint.report import RenderOptions, count_codes
from husky_lint.report.printable import printable
from husky_lint.rule import Judgement, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from husky_lint.scorecard import Frame, LocatedFinding, Location, Scorecard
    from husky_lint.scoring import RowResult, Score

MARKS = {
    Judgement.PASS: ("✔", "green"),
    Judgement.PARTIAL: ("◐", "yellow"),
    Judgement.FAIL: ("✘", "red"),
    Judgement.UNKNOWN: ("?", "cyan"),
    Judgement.NOT_APPLICABLE: ("–", "dim"),
}
_SEVERITIES = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.INFO: "bold blue"}
_PLAIN_WIDTH = 100
_BAR_WIDTH = 40


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave the exit status to the command line."""
        raise BrokenPipeError


def make_console(out: TextIO, options: RenderOptions) -> Console:
    """A console on ``out``: colour on a terminal or by FORCE_COLOR, never with NO_COLOR; markup is never read."""
    forced = os.environ.get("FORCE_COLOR", "") not in ("", "0")
    color = options.color
    if color is None:
        color = (forced or out.isatty()) and not os.environ.get("NO_COLOR")
    width = options.width if options.width or out.isatty() else _PLAIN_WIDTH
    return _Console(
        file=out,
        force_terminal=color,
        no_color=not color,
        color_system="auto" if color else None,
        width=width,
        markup=False,
        highlight=False,
        emoji=False,
        legacy_windows=False,
    )


def render(cards: Iterable[Scorecard], out: TextIO, options: RenderOptions) -> None:
    """Write the report."""
    console = make_console(out, options)
    seen: list[Scorecard] = []
    for card in cards:
        _card(console, card)
        out.flush()
        seen.append(card)
    if options.statistics:
        _statistics(console, seen)
    if len(seen) > 1:
        _overview(console, seen)
    if any(card.score.of != card.score.stated_total for card in seen):
        score = seen[0].score
        console.print(
            Text(
                f"Points count out of {score.of}, the sum of the rows; the spec states {score.stated_total}. "
                "Nothing is scaled.",
                style="dim",
            )
        )


def _card(console: Console, card: Scorecard) -> None:
    console.print(Line(Text(printable(card.path), style="bold"), align="left", style="dim"))
    console.print(_score_line(card.score))
    console.print(_rows(card.rows))
    for finding in card.findings:
        console.print()
        _finding(console, finding)
    console.print()
    console.print(_summary(card))
    if card.states is not None:
        _states(console, card.states)
    console.print()


def _score_line(score: Score) -> Text:
    exact = score.low == score.high
    numbers = f"{score.low:g}" if exact else f"{score.low:g} – {score.high:g}"
    low = round(_BAR_WIDTH * score.low / score.of)
    high = max(low, round(_BAR_WIDTH * score.high / score.of))
    bar = Text()
    bar.append("█" * low, style="green")
    bar.append("▒" * (high - low), style="cyan")
    bar.append("·" * (_BAR_WIDTH - high), style="dim")
    return Text.assemble("  score ", (numbers, "bold"), f" of {score.of}  ", bar, f"  {score.percent:g} % certain")


def _rows(rows: Iterable[RowResult]) -> Table:
    table = Table(box=None, padding=(0, 1), show_header=False, pad_edge=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for result in rows:
        mark, style = MARKS[result.verdict]
        points = f"{result.low:g}" if result.low == result.high else f"{result.low:g}–{result.high:g}"
        title = Text.assemble(printable(result.row.title), (_why(result), "dim"))
        table.add_row(
            Text(str(result.row.number)),
            Text(f"{mark} {result.verdict.value}", style=style),
            Text(f"{points}/{result.row.weight}"),
            title,
        )
    return table


def _why(result: RowResult) -> str:
    failing = [c.clause.code for c in result.clauses if c.verdict.judgement is Judgement.FAIL]
    reasons = Counter(
        c.verdict.reason.value
        for c in result.clauses
        if c.verdict.judgement is Judgement.UNKNOWN and c.verdict.reason is not None
    )
    parts = []
    if failing:
        parts.append("fails " + _few(failing))
    if reasons and result.verdict is Judgement.UNKNOWN:
        parts.append("unknown: " + ", ".join(f"{reason} ×{n}" if n > 1 else reason for reason, n in reasons.items()))
    return f"  {'; '.join(parts)}" if parts else ""


def _few(codes: list[str]) -> str:
    return ", ".join(codes[:4]) + (f" and {len(codes) - 4} more" if len(codes) > 4 else "")


def _finding(console: Console, finding: LocatedFinding) -> None:
    likely = " (likely)" if finding.confidence.value == "likely" else ""
    head = Text.assemble(
        (f"{finding.severity.value}[{finding.code}]", _SEVERITIES[finding.severity]),
        (f" {finding.name}{likely}: ", "bold"),
        printable(finding.message),
    )
    console.print(head, soft_wrap=True)
    if finding.location is None:
        return
    gutter = len(str(finding.frame.first_line + len(finding.frame.lines))) if finding.frame else 1
    where = _spot(finding.location) + (f"  (row {finding.row})" if finding.row is not None else "")
    console.print(Text.assemble(" " * gutter, ("--> ", "blue"), where), soft_wrap=True)
    if finding.frame is not None:
        _frame(console, finding.frame, finding.location, gutter, _SEVERITIES[finding.severity])
    for note in finding.related:
        spot = f"{_spot(note.location)}: " if note.location is not None else ""
        line = Text.assemble(" " * gutter, (" = ", "blue"), ("see ", "bold"), spot, printable(note.message))
        console.print(line, soft_wrap=True)
    if finding.fix is not None:
        label = "fix " if finding.fix.safe else "fix (by hand) "
        line = Text.assemble(" " * gutter, (" = ", "blue"), (label, "bold"), printable(finding.fix.message))
        console.print(line, soft_wrap=True)


def _spot(place: Location) -> str:
    return f"{printable(place.file)}:{place.line}:{place.column}"


def _frame(console: Console, frame: Frame, place: Location, gutter: int, style: str) -> None:
    for number, raw in enumerate(frame.lines, frame.first_line):
        line = printable(raw)
        text = Text.assemble((f"{number:>{gutter}} │ ", "blue"), line)
        console.print(text, soft_wrap=True)
        if number == place.line:
            start = max(place.column - 1 - frame.shift, 0)
            end = place.end_column - 1 - frame.shift if place.end_line == place.line else len(line)
            before = cell_len(line[:start])
            under = max(1, cell_len(line[start : max(end, start)]))
            carets = Text.assemble((" " * gutter + " │ ", "blue"), " " * before, ("^" * under, style))
            console.print(carets, soft_wrap=True)


def _summary(card: Scorecard) -> Text:
    counts = Counter(finding.severity for finding in card.findings)
    parts = [_number(counts[severity], severity.value) for severity in Severity if counts[severity]]
    incomplete = any(finding.code == "HB0002" for finding in card.findings)
    text = Text("  " + (", ".join(parts) if parts else "no findings"))
    if incomplete:
        text.append("; not everything was read", style="yellow")
    if card.suppressed:
        text.append(f"; {card.suppressed} suppressed", style="dim")
    unknown = sum(c.verdict.judgement is Judgement.UNKNOWN for row in card.rows for c in row.clauses)
    if unknown:
        text.append(f"; {_number(unknown, 'clause')} unknown", style="cyan")
    return text


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 or noun == 'info' else 's'}"


def _states(console: Console, states: object, depth: int = 1) -> None:
    """The inferred state machine, as an indented outline."""
    items = states.items() if isinstance(states, dict) else enumerate(states, 1) if isinstance(states, list) else ()
    for key, value in items:
        label = Text.assemble("  " * depth, (printable(str(key)), "bold"))
        if isinstance(value, (dict, list)):
            console.print(label, soft_wrap=True)
            _states(console, value, depth + 1)
        else:
            console.print(Text.assemble(label, ": ", printable(str(value))), soft_wrap=True)


def _statistics(console: Console, cards: Iterable[Scorecard]) -> None:
    table = Table(box=None, padding=(0, 1), show_header=False)
    table.add_column(justify="right")
    table.add_column()
    for code, count in count_codes(cards).items():
        table.add_row(str(count), code)
    console.print(table)
    console.print()


def _overview(console: Console, cards: list[Scorecard]) -> None:
    console.print(Line(Text(f"{len(cards)} submissions", style="bold"), align="left", style="dim"))
    table = Table(box=None, padding=(0, 1), show_header=False)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for card in sorted(cards, key=lambda c: (-c.score.low, -c.score.high)):
        score = card.score
        interval = f"{score.low:g}" if score.low == score.high else f"{score.low:g}–{score.high:g}"
        marks = Text()
        for result in card.rows:
            mark, style = MARKS[result.verdict]
            marks.append(mark, style=style)
        table.add_row(interval, marks, Text(printable(card.path)))
    console.print(table)
    console.print()
