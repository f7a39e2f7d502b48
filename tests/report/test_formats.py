"""Every format of one hand-made result, whole."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest

from husky_lint.report import FORMATS, RenderOptions, renderer
from husky_lint.report.printable import printable
from husky_lint.rubric import Clause, Row
from husky_lint.rule import Confidence, Judgement, Reason, Severity, Verdict
from husky_lint.scorecard import Frame, LocatedEdit, LocatedFinding, LocatedFix, Location, Note, Scorecard
from husky_lint.scoring import ClauseResult, score_row, total

if TYPE_CHECKING:
    from collections.abc import Iterator

PLACE = Location("index.html", 12, 15, 12, 26)
WIDE = RenderOptions(width=100)


def card(*, path: str = "runs/a", findings: bool = True) -> Scorecard:
    """One row of each verdict, two findings."""
    verdicts = {
        1: (Verdict.passed(), True),
        2: (Verdict.failed(), False),
        3: (Verdict.failed(), True),
        4: (Verdict.unknown(Reason.TEXT, "how wide is it"), True),
    }
    rows = tuple(
        score_row(
            Row(number, f"Row {number}", 4),
            [ClauseResult(Clause(f"HB000{number}", f"c{number}", "", (number,), core), number, verdict)],
        )
        for number, (verdict, core) in verdicts.items()
    )
    found = (
        LocatedFinding(
            "HB2101",
            "viewbox",
            Severity.ERROR,
            Confidence.CERTAIN,
            "the viewBox is '0 0 800 460', expected '0 0 900 460'",
            3,
            PLACE,
            Frame(11, ("<body>", '<svg viewBox="0 0 800 460">', "</svg>")),
            (Note("the strips are 900 wide", Location("styles.css", 3, 1, 3, 9)),),
            {"measured": "0 0 800 460"},
            LocatedFix("write 0 0 900 460", False, (LocatedEdit(PLACE, "0 0 900 460"),)),
        ),
        LocatedFinding("HB1011", "readme", Severity.WARNING, Confidence.LIKELY, "README.md is short", None, None),
    )
    return Scorecard(path, "toy", total(rows, 17), rows, (), found if findings else (), suppressed=2)


def render(name: str, *cards: Scorecard, options: RenderOptions = WIDE) -> str:
    out = io.StringIO()
    renderer(name).render(iter(cards), out, options)
    return out.getvalue()


def test_text() -> None:
    lines = [line.rstrip() for line in render("text", card()).splitlines()]
    assert (
        "\n".join(lines)
        == """\
runs/a ─────────────────────────────────────────────────────────────────────────────────────────────
  score 6 – 10 of 16  ███████████████▒▒▒▒▒▒▒▒▒▒···············  37.5 % certain
 1  ✔ pass       4/4  Row 1
 2  ◐ partial    2/4  Row 2  fails HB0002
 3  ✘ fail       0/4  Row 3  fails HB0003
 4  ? unknown  0–4/4  Row 4  unknown: text

error[HB2101] viewbox: the viewBox is '0 0 800 460', expected '0 0 900 460'
  --> index.html:12:15  (row 3)
11 │ <body>
12 │ <svg viewBox="0 0 800 460">
   │               ^^^^^^^^^^^
13 │ </svg>
   = see styles.css:3:1: the strips are 900 wide
   = fix (by hand) write 0 0 900 460

warning[HB1011] readme (likely): README.md is short

  1 error, 1 warning; 2 suppressed; 1 clause unknown

Points count out of 16, the sum of the rows; the spec states 17. Nothing is scaled."""
    )


def test_text_of_several_ends_with_an_overview() -> None:
    out = render(
        "text", card(path="b", findings=False), card(path="a"), options=RenderOptions(statistics=True, width=100)
    )
    assert "1  HB1011" in out
    assert out.index("6–10  ✔◐✘?  b") < out.index("6–10  ✔◐✘?  a")
    assert out.count("the spec states") == 1


def test_concise() -> None:
    assert render("concise", card()) == (
        "runs/a/index.html:12:15: HB2101 the viewBox is '0 0 800 460', expected '0 0 900 460'\n"
        "runs/a: HB1011 README.md is short\n"
    )


def test_json_and_jsonl_say_the_same() -> None:
    document = json.loads(render("json", card(), card(path="b")))
    lines = [json.loads(line) for line in render("jsonl", card(), card(path="b")).splitlines()]
    assert document["submissions"] == lines
    first = lines[0]["findings"][0]
    assert (first["line"], first["column"], first["end_line"], first["end_column"]) == (12, 15, 12, 26)
    assert first["fix"]["edits"][0]["replacement"] == "0 0 900 460"
    assert lines[0]["findings"][1]["line"] is None
    assert lines[0]["score"] == {
        "points": 6.0, "low": 6.0, "high": 10.0, "of": 16, "stated_total": 17, "percent": 37.5,
    }  # fmt: skip
    clause = lines[0]["rows"][3]["clauses"][0]
    assert (clause["verdict"], clause["reason"], clause["core"]) == ("unknown", "text", True)


@pytest.mark.parametrize("name", FORMATS)
def test_no_submission_is_no_trouble(name: str) -> None:
    out = render(name)
    assert name != "json" or json.loads(out)["submissions"] == []


def test_jsonl_is_written_as_the_cards_come() -> None:
    out = io.StringIO()

    def cards() -> Iterator[Scorecard]:
        for path in ("a", "b"):
            yield card(path=path)
            assert f'"path": "{path}"' in out.getvalue()

    renderer("jsonl").render(cards(), out, WIDE)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\tb", "a b"),
        ("\x1b[2J", "\ufffd[2J"),
        ("\u202ex", "\ufffdx"),
        ("犬 é", "犬 é"),
        ("\udc80", "\ufffd"),
    ],
)
def test_printable_keeps_the_length(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert len(printable(text)) == len(text)


def test_the_judgement_words_are_the_contract() -> None:
    assert [j.value for j in Judgement] == ["pass", "partial", "fail", "unknown", "n/a"]
