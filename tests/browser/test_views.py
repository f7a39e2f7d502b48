"""Pictures of a page held still: the same phase is the same picture, and lies where the scene lies."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from husky_lint.browser.measured import MeasuredEvidence
from husky_lint.browser.sheet import Frame, Section, Sheet
from husky_lint.browser.stage import Stage, stage_script
from husky_lint.browser.views import TALLEST, _Camera, page_sheets
from husky_lint.evidence import StaticEvidence
from husky_lint.packs import load_pack
from husky_lint.parts import Bone
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Iterator

    from husky_lint.browser.session import BrowserSession

pytestmark = pytest.mark.browser

SQUARE = """<style>body { margin: 0; padding: 300px 40px 3000px } svg { display: block }
@keyframes go { to { transform: translateX(400px) } } #a { animation: go 2s linear infinite }
@keyframes once { to { opacity: 0 } } #b { animation: once 1.5s .5s both }</style>
<svg viewBox="0 0 900 460" width="450"><rect width="900" height="460" fill="#fff"/>
<rect id="a" y="200" width="40" height="40" fill="#f00"/><rect id="b" width="9" height="9" fill="#00f"/></svg>"""

RUBRIC = load_pack("husky").rubric

# The middle of what is red in a picture, and the picture's size.
RED = """async data => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + data;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const pixels = context.getImageData(0, 0, image.width, image.height).data;
  const red = [];
  for (let i = 0; i < pixels.length; i += 4) {
    if (pixels[i] > 200 && pixels[i + 1] < 60 && pixels[i + 2] < 60) red.push(i / 4);
  }
  const mean = of => red.map(of).reduce((a, b) => a + b, 0) / red.length;
  return [mean(i => i % image.width), mean(i => Math.floor(i / image.width)), image.width, image.height];
}"""


def evidence(page: str) -> StaticEvidence:
    files = {"index.html": f"<!doctype html><title>A page</title>{page}"}
    return StaticEvidence(Submission.from_files(files), RUBRIC)


def seen(visits: BrowserSession, frame: Frame) -> list[float]:
    import base64

    with visits.visit(Submission.from_files({"index.html": "<title>A page</title>"})) as visit:
        found: list[float] = visit.page.evaluate(RED, base64.b64encode(frame.png).decode())
    return found


@contextmanager
def camera(visits: BrowserSession, told: StaticEvidence, *view: float) -> Iterator[_Camera]:
    scene = told.scene.root.element
    with visits.visit(told.submission, before=stage_script()) as visit:
        shown = MeasuredEvidence(told, Stage(visit))
        number = shown.reach.show(shown.states.initial).numbers[scene]
        x, y, width, height = view
        yield _Camera(visit, number, (x, y, width, height))


def test_a_time_is_a_picture(visits: BrowserSession) -> None:
    with camera(visits, evidence(SQUARE), 100, 100, 500, 200) as taking:
        frames = [taking.frame(time, "", "") for time in (0.5, 20.5, 1.5)]
        assert taking.once() == pytest.approx(2.0)
        bones = (Bone("arm", ((120.0, 220.0), (320.0, 220.0))),)
        overlaid = taking.with_bones(frames[0], bones)
    assert frames[0].png == frames[1].png
    x, y, width, height = seen(visits, frames[0])
    # At half a second the square's middle is (120, 220); half a pixel for a unit, from the corner of the view.
    assert (width, height) == (250, 100)
    assert [x, y] == pytest.approx([10, 60], abs=1)
    assert seen(visits, frames[2])[0] == pytest.approx(110, abs=1)
    (arm,) = overlaid.bones
    scale = overlaid.width / width
    assert arm.joints[0] == pytest.approx((10 * scale, 60 * scale), abs=1)
    assert arm.joints[1][0] == pytest.approx(110 * scale, abs=1)


def test_the_whole_page_is_shown_but_never_more_than_can_be_looked_at(visits: BrowserSession) -> None:
    page = "<style>body { margin: 0; height: 90000px } p { margin: 0; width: 500px }</style><p>x</p>"
    shots = {shot.name: shot.sheet for shot in page_sheets(visits, evidence(page), "runs/a", load_pack("husky"))}
    assert set(shots) == {"desktop-day", "phone-day", "responsive"}
    (frame,) = shots["phone-day"].sections[0].frames
    assert frame.aside == f"390 × 90000 px, scrolls 110 px sideways, cut at {TALLEST} px"
    assert seen(visits, frame)[2:] == [390, TALLEST]


def test_a_page_of_svg_is_a_page(visits: BrowserSession) -> None:
    svg = "<svg xmlns='http://www.w3.org/2000/svg'><rect width='60' height='40' fill='#f00'/></svg>"
    told = StaticEvidence(Submission("icon", None, Submission.from_files({"a.svg": svg}).files, (), "a.svg"), RUBRIC)
    shots = [shot.sheet for shot in page_sheets(visits, told, "a.svg", load_pack("husky"))]
    assert seen(visits, shots[0].sections[0].frames[0])[:2] == pytest.approx([29.5, 19.5], abs=1)


def test_a_sheet_is_drawn_without_running_or_loading_anything(visits: BrowserSession) -> None:
    hostile = "<script>document.body.remove()</script><img src='http://example.com/'>\x1b"
    png = visits.draw("<p>pixel</p>", 8)
    frame = Frame(png, 300, 100, hostile, hostile, (Bone("arm", ((1.0, 2.0), (30.0, 40.0))),))
    sheet = Sheet(hostile, (hostile,), (hostile,), (Section(hostile, 2, (frame, frame, frame)),))
    html = sheet.to_html()
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 10
    assert sheet.width == 2 * 300 + 12 + 40
    drawn: Any = visits.draw(html, sheet.width)
    assert int.from_bytes(drawn[16:20], "big") == sheet.width
    assert int.from_bytes(drawn[20:24], "big") > 2 * 100
