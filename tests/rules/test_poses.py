"""Pictures of the dog: whole, true to what the rules measure, and safe whatever the submission holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from husky_lint.rules.husky import draw_pictures
from husky_lint.rules.husky.poses_cutout import MOST_POINTS, MOST_SHAPES
from husky_lint.rules.husky.skeleton import files as skeleton
from husky_lint.rules.husky.strides import strides
from lxml import etree

from husky_lint.cli import main
from husky_lint.evidence import StaticEvidence
from husky_lint.packs import pack_rubric
from husky_lint.rule import Undecided
from husky_lint.submission import Submission

from .skeletal import files_with

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from lxml.etree import _Element

    from husky_lint.pictures import Picture

SVG = "{http://www.w3.org/2000/svg}"
HARMLESS = {
    SVG + name
    for name in ("svg", "style", "defs", "path", "clipPath", "use", "g", "rect", "line", "circle", "ellipse", "text")
}


def evidence_of(files: Mapping[str, str | bytes]) -> StaticEvidence:
    return StaticEvidence(Submission.from_files(files), pack_rubric("husky"))


def drawn(files: Mapping[str, str | bytes]) -> dict[str, Picture]:
    return {picture.name: picture for picture in draw_pictures(evidence_of(files))}


def tree(picture: Picture) -> _Element:
    root = etree.fromstring(picture.svg.encode("utf-8"))
    found = {str(one.tag) for one in root.iter()}
    assert found <= HARMLESS, found - HARMLESS
    for one in root.iter():
        assert not [name for name in one.attrib if str(name).startswith("on")]
        href = one.get("href")
        assert href is None or href.startswith("#")
    assert not re.search(r"\b(nan|inf)\b", picture.svg)
    return root


def texts(picture: Picture) -> list[str]:
    return ["".join(map(str, one.itertext())) for one in tree(picture).iter(f"{SVG}text")]


@pytest.fixture(scope="module")
def plain() -> dict[str, Picture]:
    return drawn(skeleton())


def test_every_pace_has_a_sheet_and_a_plot(plain: dict[str, Picture]) -> None:
    assert set(plain) == {
        *("stroll", "walk", "hop", "zoomies"),
        *("stroll-paws", "walk-paws", "hop-paws", "zoomies-paws"),
        "hop-leg",
    }
    for picture in plain.values():
        root = tree(picture)
        assert float(root.get("width") or 0) == pytest.approx(picture.width, abs=0.1)
        assert float(root.get("height") or 0) == pytest.approx(picture.height, abs=0.1)
        assert len(picture.svg) < 200_000
    assert not plain["walk"].notes


def test_eight_phases_are_coupled_to_the_cycle(plain: dict[str, Picture]) -> None:
    walk, zoomies = texts(plain["walk"]), texts(plain["zoomies"])
    assert "0/8  ·  0 ms" in walk
    assert "4/8  ·  390 ms" in walk
    assert "4/8  ·  190 ms" in zoomies
    frames = tree(plain["walk"]).findall(f"{SVG}svg")
    assert len(frames) == 8
    assert len({etree.tostring(frame) for frame in frames}) == 8
    slower = drawn(files_with(css="#scene { --cycle: 1.56s; }"))
    assert "4/8  ·  780 ms" in texts(slower["walk"])


def test_the_silhouette_is_where_the_evaluator_has_it(plain: dict[str, Picture]) -> None:
    evidence = evidence_of(skeleton())
    stride = strides(evidence)["walk"]
    paw = stride.legs["near_fore"].leg.sole[0]
    place = len(stride.times) // 4
    expected = stride.motion.matrix(paw, stride.times[place : place + 1])[0]
    frame = tree(plain["walk"]).findall(f"{SVG}svg")[2]
    found = [
        np.array([float(part) for part in (used.get("transform") or "matrix(0)")[7:-1].split()])
        for used in frame.iter(f"{SVG}use")
    ]
    assert min(float(np.abs(row - expected).max()) for row in found if len(row) == 6) < 0.01


def test_the_plot_says_what_the_rules_measure(plain: dict[str, Picture]) -> None:
    written = texts(plain["walk-paws"])
    for leg in strides(evidence_of(skeleton()))["walk"].legs.values():
        drift, lift = leg.track.drift(336), leg.track.lift(336)
        assert f"drift −{-drift:.1f}" in written
        assert f"lift {lift:.1f}" in written
    assert len([one for one in written if one.startswith("strike ")]) == 4
    assert len([one for one in written if one.startswith("toe-off ")]) == 4


def test_a_moonwalk_points_forward_in_red() -> None:
    back = drawn(files_with(css=".upper, .lower, .pawgrp { animation-direction: reverse; }"))["walk-paws"]
    assert [one for one in texts(back) if one.startswith("drift +")]
    assert "#cf222e" in back.svg


def test_the_ground_goes_by(plain: dict[str, Picture]) -> None:
    gone = [float(one[7:-6].replace("−", "-")) for one in texts(plain["walk"]) if one.startswith("ground ")]
    assert gone[0] == 0
    assert gone == sorted(gone, reverse=True)
    assert gone[4] == pytest.approx(-900 / 6 * 0.39, abs=0.6)


def test_what_could_not_be_told_is_a_note() -> None:
    changed = files_with()
    page = str(changed["index.html"])
    for name in ("tail", "strip strip-dirt"):
        page = re.sub(rf'<g class="{name}">.*?</g>\s*(?=<g|<ellipse|</g>)', "", page, flags=re.DOTALL)
    changed["index.html"] = page.replace('<g class="leg fore far">', '<g class="leg fore far" style="display:none">')
    sheet = drawn(changed)["walk"]
    said = "\n".join(sheet.notes)
    assert "far fore" in said
    assert "ground" in said
    assert [one for one in texts(sheet) if one.startswith("⚠ ")]


def test_a_dog_moved_by_script_alone_is_a_silhouette_and_notes() -> None:
    js = """
    var parts = document.querySelectorAll(".upper, .lower, .pawgrp");
    function step(now) {
      parts.forEach(function (part) { part.style.transform = "rotate(" + Math.sin(now / 100) * 20 + "deg)"; });
      requestAnimationFrame(step);
    }
    requestAnimationFrame(step);
    """
    sheet = drawn(files_with(css=".upper, .lower, .pawgrp { animation: none; }", js=js))["walk"]
    assert [one for one in sheet.notes if "near fore" in one]
    assert len(tree(sheet).findall(f"{SVG}svg")) == 8


def test_a_page_without_paces_is_undecided() -> None:
    page = {"index.html": '<!doctype html><svg viewBox="0 0 900 460"><rect width="9" height="9"/></svg>'}
    with pytest.raises(Undecided):
        drawn(page)


def test_clips_are_drawn_once_and_placed_at_every_phase() -> None:
    clip = '<clipPath id="band"><rect x="300" y="150" width="200" height="200"/></clipPath>'
    changed = files_with()
    page = str(changed["index.html"]).replace('<g class="front">', f'{clip}<g class="front" clip-path="url(#band)">')
    changed["index.html"] = page
    root = tree(drawn(changed)["walk"])
    assert len(list(root.iter(f"{SVG}clipPath"))) == 8
    assert len([one for one in root.iter(f"{SVG}path") if (one.get("id") or "").startswith("so")]) == 1


def test_hostile_sizes_and_names_stay_in_bounds() -> None:
    zigzag = "M330 230" + "L420 200L421 260" * 4_000
    many = "".join(f'<path class="torso" d="M{330 + i % 90} 230h9v9z"/>' for i in range(MOST_SHAPES + 200))
    odd = '<path class="&lt;script&gt;" style="fill:red" d="M1e300 0L-1e300 5V1e99z"/>'
    changed = files_with()
    changed["index.html"] = str(changed["index.html"]).replace(
        '<g class="front">', f'<path class="torso" d="{zigzag}"/>{many}{odd}<g class="front">'
    )
    sheet = drawn(changed)["walk"]
    root = tree(sheet)
    assert [one for one in sheet.notes if "are left out" in one]
    assert max((one.get("d") or "").count("L") for one in root.iter(f"{SVG}path")) <= MOST_POINTS + 2
    assert len(sheet.svg) < 2_000_000


def test_the_command_writes_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "dog"
    for name, content in skeleton().items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(content.encode() if isinstance(content, str) else content)
    assert main(["poses", str(source), "-o", str(tmp_path / "out")]) == 0
    assert "9 pictures" in capsys.readouterr().out
    index = (tmp_path / "out" / "index.html").read_text()
    assert index.count("<img ") == 9
    assert (tmp_path / "out" / "hop-leg.svg").is_file()
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "index.html").write_text("<p>no dog")
    assert main(["poses", str(empty), "-o", str(tmp_path / "none")]) == 1
    assert "no inline svg" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
