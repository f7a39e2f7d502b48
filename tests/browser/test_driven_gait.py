"""A gait that script draws frame by frame: the source cannot tell it, the browser can."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from husky_lint.rules.husky.skeleton import files as skeleton

from husky_lint.browser.measured import MeasuredEvidence
from husky_lint.browser.stage import staged
from husky_lint.evidence import StaticEvidence
from husky_lint.judging import rulings_of
from husky_lint.packs import default_pack, load_pack
from husky_lint.rule import Judgement, Reason
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from husky_lint.browser.session import BrowserSession

pytestmark = pytest.mark.browser

DRIVE = r"""
(function () {
  var parts = Array.from(document.querySelectorAll(".leg .upper, .leg .lower, .leg .pawgrp")).map(function (part) {
    var own = part.getAnimations()[0], timing = own.effect.getTiming();
    var frames = own.effect.getKeyframes().map(function (frame) {
      var turn = /rotate\(([-0-9.e]+)/.exec(frame.transform);
      return { at: frame.computedOffset, angle: turn ? parseFloat(turn[1]) : 0 };
    });
    return { part: part, frames: frames, lag: timing.delay / timing.duration };
  });
  parts.forEach(function (one) { one.part.style.animation = "none"; });
  function angle(frames, share) {
    var at = frames.length - 1;
    while (at > 0 && frames[at].at > share) at -= 1;
    var from = frames[at], to = frames[Math.min(at + 1, frames.length - 1)];
    return from.angle + (to.at > from.at ? (to.angle - from.angle) * (share - from.at) / (to.at - from.at) : 0);
  }
  function draw(now) {
    parts.forEach(function (one) {
      var cycle = parseFloat(getComputedStyle(one.part).getPropertyValue("--cycle")) * 1000;
      var share = (((FORWARD now / cycle - one.lag) % 1) + 1) % 1;
      one.part.style.transform = "rotate(" + angle(one.frames, share) + "deg)";
    });
    requestAnimationFrame(draw);
  }
  requestAnimationFrame(draw);
})();
"""


@pytest.mark.parametrize(("way", "drift"), [("", Judgement.PASS), ("-", Judgement.FAIL)])
def test_the_drift_of_paws_that_script_moves_is_measured(visits: BrowserSession, way: str, drift: Judgement) -> None:
    made = dict(skeleton())
    made["app.js"] = f"{made['app.js']}{DRIVE.replace('FORWARD ', way)}"
    pack, codes = load_pack(default_pack()), ("HB2401", "HB2410")
    told = StaticEvidence(Submission.from_files(made), pack.rubric)
    for ruling in rulings_of(told, pack, codes).values():
        assert {verdict.judgement for verdict in ruling.verdicts.values()} == {Judgement.UNKNOWN}
    with staged(visits, told.submission) as stage:
        found = rulings_of(MeasuredEvidence(told, stage), pack, codes)
    assert found["HB2401"].verdicts[2].judgement is drift
    delays = found["HB2410"].verdicts[9]  # which no style of what script moves tells
    assert (delays.judgement, delays.reason) == (Judgement.UNKNOWN, Reason.SCRIPT_DRIVEN_MOTION)
