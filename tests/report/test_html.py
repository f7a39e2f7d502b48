"""``check --format html``: one page that holds everything, loads nothing and cannot be written to by a submission."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from husky_lint.rules.husky.skeleton import files as skeleton

from husky_lint.cli import main
from husky_lint.judging import check
from husky_lint.parse.html import parse_html
from husky_lint.pictures import Picture
from husky_lint.report import RenderOptions, renderer
from husky_lint.report.html import framed
from husky_lint.report.pages import write_gallery
from husky_lint.source import SourceText

from .test_formats import card, render

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from husky_lint.scorecard import Scorecard

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=y>\x1b[2J\u202e"
PICTURES = (
    Picture("walk", "walk", "walk: 8 phases", "<svg xmlns='http://www.w3.org/2000/svg'/>", 1440, 700),
    Picture("walk-paws", "walk", "paws", "<svg xmlns='http://www.w3.org/2000/svg'/>", 1440, 700),
    Picture("hop", "hop", HOSTILE, "<svg xmlns='http://www.w3.org/2000/svg'/>", 1440, 700, (HOSTILE,)),
)


def hostile() -> Scorecard:
    plain = card(path=HOSTILE)
    first = plain.findings[0]
    assert first.frame is not None
    assert first.location is not None
    assert first.fix is not None
    return replace(
        plain,
        findings=(
            replace(
                first,
                message=HOSTILE,
                location=replace(first.location, file=HOSTILE),
                frame=replace(first.frame, lines=(HOSTILE, HOSTILE, HOSTILE)),
                related=(replace(first.related[0], message=HOSTILE),),
                fix=replace(first.fix, message=HOSTILE),
            ),
        ),
        run={"model": HOSTILE},
        pictures=PICTURES,
    )


def test_a_card_is_shown_whole() -> None:
    out = render("html", replace(card(), pictures=PICTURES))
    text = " ".join(re.sub(r"<[^>]+>", " ", out).split())
    assert "6 – 10 of 16" in text
    assert "the sum of the rows; the spec states 17" in text
    assert "✔ pass Row 1 4 / 4" in text
    assert "? unknown Row 4 0–4 / 4" in text
    assert "text: how wide is it" in text
    assert "error HB2101 viewbox: the viewBox is &#39;0 0 800 460&#39;" in text
    assert "index.html:12:15 · row 3" in text
    assert "<b>12</b>&lt;svg viewBox=&#34;<mark>0 0 800 460</mark>&#34;&gt;" in out
    assert "see styles.css:3:1 : the strips are 900 wide" in text
    assert "fix (by hand): write 0 0 900 460" in text
    assert "2 suppressed" in text
    assert out.count("<img ") == 3


def test_nothing_of_a_submission_becomes_markup() -> None:
    out = render("html", hostile())
    page = parse_html(SourceText("report.html", out))
    names = {str(element.tag).rpartition("}")[2] for element in page.elements}
    assert not names & {"script", "iframe", "object", "link", "base", "form"}
    assert not [name for element in page.elements for name in element.attrib if str(name).startswith("on")]
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_the_page_holds_all_that_it_shows() -> None:
    out = render("html", hostile(), card(path="b"))
    page = parse_html(SourceText("report.html", out))
    sources = [element.get("src") for element in page.elements if element.get("src") is not None]
    assert len(sources) == 3
    assert all(str(source).startswith("data:image/svg+xml;base64,") for source in sources)
    links = {element.get("href") for element in page.elements if element.get("href") is not None}
    assert links == {"#s1", "#s2"}
    assert "url(" not in out
    assert "default-src 'none'" in out


def test_several_begin_with_an_overview_best_first() -> None:
    out = render("html", card(path="worse", findings=False), card(path="b"), options=RenderOptions(statistics=True))
    overview = out[out.index('class="card overview"') :]
    assert overview.index("worse") < overview.index(">b<")
    assert "order: -1" in out
    assert "<td>HB1011</td>" in out
    assert "overview" not in render("html", card()).replace(".overview", "")


def test_it_is_written_as_the_cards_come() -> None:
    out = io.StringIO()

    def cards() -> Iterator[Scorecard]:
        for path in ("first", "second"):
            yield card(path=path)
            assert f"<h2>{path}</h2>" in out.getvalue()

    renderer("html").render(cards(), out, RenderOptions())


def test_marked_lines_hold_up_with_odd_places() -> None:
    finding = card().findings[0]
    assert finding.frame is not None
    assert finding.location is not None
    short = replace(finding, frame=replace(finding.frame, lines=("", "", "")))
    assert [line.marked for line in framed(short)] == ["", " ", ""]
    long = replace(finding, location=replace(finding.location, end_line=99, end_column=1))
    assert [line.marked for line in framed(long)][1] == '0 0 800 460">'
    assert list(framed(replace(finding, frame=None))) == []


def test_a_gallery_is_files_and_an_index(tmp_path: Path) -> None:
    write_gallery(PICTURES, HOSTILE, tmp_path / "new" / "folder", [HOSTILE])
    written = sorted(path.name for path in (tmp_path / "new" / "folder").iterdir())
    assert written == ["hop.svg", "index.html", "walk-paws.svg", "walk.svg"]
    text = (tmp_path / "new" / "folder" / "index.html").read_text()
    page = parse_html(SourceText("index.html", text))
    assert [element.get("src") for element in page.elements if element.get("src")] == [
        "walk.svg",
        "walk-paws.svg",
        "hop.svg",
    ]
    assert "<script" not in text


def test_the_command_draws_pictures_unless_told_not_to(tmp_path: Path) -> None:
    dog = tmp_path / "dog"
    for name, content in skeleton().items():
        (dog / name).parent.mkdir(parents=True, exist_ok=True)
        (dog / name).write_bytes(content.encode() if isinstance(content, str) else content)
    report = tmp_path / "report.html"
    assert main(["check", str(dog), "--format", "html", "-o", str(report), "--statistics"]) in (0, 1)
    text = report.read_text()
    assert text.count("<img ") == 9
    assert "Findings by code" in text
    assert check(dog).pictures == ()
