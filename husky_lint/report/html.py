"""``check --format html``: one self-contained page for any number of submissions, pictures inside.

It is written as the cards come; only a line of each is kept for the overview, which style puts at the top. The page
loads nothing and runs nothing.
"""

from __future__ import annotations

import base64
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TextIO

from husky_lint import __version__
from husky_lint.report.pages import environment, grouped
from husky_lint.rule import Judgement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from husky_lint.pictures import Picture
    from husky_lint.report import RenderOptions
    from husky_lint.scorecard import LocatedFinding, Location, Scorecard
    from husky_lint.scoring import RowResult, Score

_MARKS: Final = {
    Judgement.PASS: "✔",
    Judgement.PARTIAL: "◐",
    Judgement.FAIL: "✘",
    Judgement.UNKNOWN: "?",
    Judgement.NOT_APPLICABLE: "–",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A submission as the page shows it."""

    number: int
    card: Scorecard

    @property
    def interval(self) -> str:
        """The points, as one number where they are certain."""
        return _interval(self.card.score)

    @property
    def pictures(self) -> list[tuple[str, list[Picture]]]:
        """Its pictures under their headings."""
        return grouped(self.card.pictures)

    def share(self, points: float) -> str:
        """Points of what can be had, in percent."""
        of = self.card.score.of
        return f"{100 * points / of if of else 0:.1f}"


@dataclass(frozen=True, slots=True)
class Summary:
    """What is kept of a submission for the overview."""

    number: int
    path: str
    interval: str
    verdicts: tuple[Judgement, ...]
    order: tuple[float, float, int]


class FrameLine(NamedTuple):
    """A line of source with the part of it that a finding points at."""

    number: int
    before: str
    marked: str
    after: str


def render(cards: Iterable[Scorecard], out: TextIO, options: RenderOptions) -> None:
    """Write the page."""
    summaries: list[Summary] = []
    counts: Counter[str] = Counter()

    def entries() -> Iterator[Entry]:
        for number, card in enumerate(cards, 1):
            counts.update(finding.code for finding in card.findings)
            score = card.score
            verdicts = tuple(row.verdict for row in card.rows)
            order = (-score.low, -score.high, number)
            summaries.append(Summary(number, card.path, _interval(score), verdicts, order))
            yield Entry(number, card)

    page = environment().get_template("report.html.jinja")
    chunks = page.generate(
        title="Submissions judged by husky-lint",
        version=__version__,
        entries=entries(),
        summaries=summaries,
        statistics=(lambda: dict(counts.most_common())) if options.statistics else None,
        css=_css,
        mark=_MARKS.__getitem__,
        points=_points,
        spot=_spot,
        framed=framed,
        embedded=_embedded,
    )
    out.writelines(chunks)


def framed(finding: LocatedFinding) -> Iterator[FrameLine]:
    """The lines of a finding's frame, its own first line marked from column to end."""
    frame, place = finding.frame, finding.location
    if frame is None:
        return
    for number, line in enumerate(frame.lines, frame.first_line):
        if place is None or number != place.line:
            yield FrameLine(number, line, "", "")
            continue
        start = min(max(place.column - 1 - frame.shift, 0), len(line))
        end = place.end_column - 1 - frame.shift if place.end_line == place.line else len(line)
        end = min(max(end, start + 1), max(len(line), start + 1))
        yield FrameLine(number, line[:start], line[start:end] or " ", line[end:])


def _css(judgement: Judgement) -> str:
    return "na" if judgement is Judgement.NOT_APPLICABLE else judgement.value


def _interval(score: Score) -> str:
    return f"{score.low:g}" if score.low == score.high else f"{score.low:g} – {score.high:g}"


def _points(row: RowResult) -> str:
    return f"{row.low:g}" if row.low == row.high else f"{row.low:g}–{row.high:g}"


def _spot(place: Location) -> str:
    return f"{place.file}:{place.line}:{place.column}"


def _embedded(picture: Picture) -> str:
    """A picture as a URL: inside an ``<img>`` it can load nothing, run nothing, and clash with no other's ids."""
    return "data:image/svg+xml;base64," + base64.b64encode(picture.svg.encode("utf-8", "replace")).decode("ascii")
