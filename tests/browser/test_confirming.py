"""What the source says and what the browser shows, compared."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from husky_lint.rules.husky.skeleton import files as skeleton

from husky_lint.batch.processes import OutOfTime
from husky_lint.browser import confirming, session
from husky_lint.browser.confirming import Compared, confirm, merge, spots_of
from husky_lint.browser.live import Using
from husky_lint.browser.notes import NotedEvidence
from husky_lint.packs import default_pack, load_pack
from husky_lint.rule import Finding, Judgement, Reason, Ruling, Verdict
from husky_lint.scene.motion import Motion
from husky_lint.submission import Submission
from tests.browser.test_measured import PAGE, SCRIPT, STYLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from husky_lint.browser.session import BrowserSession
    from husky_lint.scene.graph import SceneNode

PASSED, FAILED = Verdict.passed(), Verdict.failed("moonwalk")
UNKNOWN = Verdict.unknown(Reason.SCRIPT_DRIVEN_MOTION)


def submission(**files: str) -> Submission:
    return Submission.from_files({"index.html": PAGE, "styles.css": STYLES, "app.js": SCRIPT, **files})


def test_nothing_passes_on_a_page_that_does_not_answer() -> None:
    silent = Verdict.unknown(Reason.NO_ANSWER, "the page was ended")
    for static, counts in ((PASSED, silent), (FAILED, FAILED), (UNKNOWN, UNKNOWN)):
        compared = Compared("HB2401", "grounded-paw-drift", 2, static, None, unmeasured=silent)
        assert (compared.status, compared.verdict) == ("not measured", counts)
        assert merge(Ruling((), {2: static}), Ruling((), {2: silent})).verdicts[2] is counts
    assert Compared("HB2401", "grounded-paw-drift", 2, PASSED, None, unmeasured=UNKNOWN).verdict is PASSED


@pytest.mark.parametrize(
    ("static", "measured", "status", "counts"),
    [
        (PASSED, PASSED, "agrees", PASSED),
        (FAILED, PASSED, "disagrees", PASSED),
        (PASSED, FAILED, "disagrees", FAILED),
        (UNKNOWN, FAILED, "decided", FAILED),
        (UNKNOWN, None, "not measured", UNKNOWN),
        (PASSED, None, "not measured", PASSED),
    ],
)
def test_the_measured_verdict_counts(static: Verdict, measured: Verdict | None, status: str, counts: Verdict) -> None:
    compared = Compared("HB2401", "grounded-paw-drift", 2, static, measured)
    assert compared.status == status
    assert compared.verdict is counts


def test_a_failure_that_fails_the_row_is_another_than_one_that_does_not() -> None:
    partly, wholly = Verdict.failed(core=False), Verdict.failed(core=True)
    assert Compared("HB5003", "footer-visible", 15, partly, wholly).status == "disagrees"
    assert Compared("HB5003", "footer-visible", 15, FAILED, wholly, core=True).status == "agrees"
    assert Compared("HB5003", "footer-visible", 15, PASSED, Verdict.passed()).status == "agrees"


def test_findings_go_with_the_verdict_that_counts() -> None:
    here, there = Finding("by the source"), Finding("by the browser")
    static = Ruling((here,), {2: FAILED, 3: PASSED})
    assert merge(static, None) is static
    assert merge(static, Ruling((there,), {2: UNKNOWN, 3: UNKNOWN})) == static
    refuted = merge(static, Ruling((there,), {2: PASSED, 3: UNKNOWN}))
    assert dict(refuted.verdicts) == {2: PASSED, 3: PASSED}
    assert refuted.findings == (there,)
    assert merge(static, Ruling((there,), {2: FAILED, 3: PASSED})).findings == (here,)


def test_random_times_hang_on_the_files_alone() -> None:
    rubric = load_pack(default_pack()).rubric
    one, same, other = (
        [spot.times for spot in spots_of(NotedEvidence(made, rubric))]
        for made in (submission(), submission(), submission(**{"README.md": "another"}))
    )
    assert one == same
    assert one != other
    assert [len(times) for times in one] == [confirming.SPOT_TIMES] * 4


@pytest.mark.browser
def test_a_submission_that_is_told_right_is_confirmed_the_same_each_time(visits: BrowserSession) -> None:
    documents = []
    for _ in range(2):
        found = confirm(submission(), visits)
        assert found.is_confirmed
        assert not found.trouble
        assert found.spot_check.compared == 4 * 8
        assert found.spot_check.worst < 0.01
        assert not found.spot_check.skipped
        assert sum(clause.status == "agrees" for clause in found.clauses) > 15
        document = found.to_json()
        del document["elapsed_s"], document["card"]["elapsed_s"]
        documents.append(json.dumps(document, allow_nan=False))
    assert documents[0] == documents[1]


CHANCE = """
function put(parent, x) {
  var one = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
  one.setAttribute('cx', x); one.setAttribute('cy', 30); one.setAttribute('r', 9);
  document.getElementById(parent).append(one);
}
put('sky', Math.random() * 900);
(function fall() { if (coat.childElementCount < 3) put('coat', 300); requestAnimationFrame(fall); })();
setInterval(function () { if (scene.dataset.speed === "hop") put('later', 500); }, 40);
"""


@pytest.mark.browser
def test_what_chance_places_and_what_comes_by_itself_is_not_compared(visits: BrowserSession) -> None:
    page = PAGE.replace("<g class=dog>", "<g id=sky></g><g id=coat></g><g id=later></g><g class=dog>")
    found = confirm(submission(**{"index.html": page, "app.js": SCRIPT + CHANCE}), visits)
    assert found.spot_check.differing == 0, found.spot_check.spots
    assert found.spot_check.compared == 4 * 9  # the first that falls is known to come


@pytest.mark.browser
def test_a_fault_of_the_evaluator_is_reported_with_both_boxes(
    visits: BrowserSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Motion.boxes

    def wrong(
        self: Motion, times: Iterable[float], nodes: Iterable[SceneNode] | None = None
    ) -> Mapping[SceneNode, np.ndarray]:
        found = right(self, list(times), nodes)
        return {node: rows + np.array([3.0 * (node.name == "circle"), 0, 0, 0]) for node, rows in found.items()}

    monkeypatch.setattr(Motion, "boxes", wrong)
    found = confirm(submission(), visits, mode="auto", rows=())
    assert not found.is_confirmed
    assert found.clauses == ()
    assert found.spot_check.differing == 4
    spot = found.spot_check.spots[0]
    assert spot.path == "svg>g:nth-child(3)>circle:nth-child(2)"
    assert spot.static is not None
    assert spot.measured is not None
    assert spot.static[0] - spot.measured[0] == pytest.approx(3, abs=0.01)


TWITCH = """
document.querySelector('.ear').style.animation = 'none';
function twitch(now) {
  document.querySelector('.ear').style.transform = 'rotate(' + 3 * Math.sin(now / 300) + 'deg)';
  requestAnimationFrame(twitch);
}
requestAnimationFrame(twitch);
"""


@pytest.mark.browser
def test_auto_measures_what_is_unknown_and_no_more(visits: BrowserSession) -> None:
    made = dict(skeleton())
    made["app.js"] = f"{made['app.js']}{TWITCH}"
    found = confirm(Submission.from_files(made), visits, mode="auto", rows=(6,))
    row = next(row for row in found.static.rows if row.row.number == 6)
    unknown = {one.clause.code for one in row.clauses if one.verdict.judgement is Judgement.UNKNOWN}
    assert "HB2303" in unknown
    assert {clause.code for clause in found.clauses if clause.row == 6} == unknown
    decided = next(clause for clause in found.clauses if clause.code == "HB2303")
    assert (decided.status, decided.verdict.judgement) == ("decided", Judgement.PASS)
    assert found.card.score.low > found.static.score.low


@pytest.mark.browser
def test_what_other_measurements_say_counts_too(visits: BrowserSession) -> None:
    class Asked(Using):
        @property
        def codes(self) -> frozenset[str]:
            return frozenset({"HB1005"})

        def __call__(self, _evidence: object, _browser: object, codes: Iterable[str]) -> dict[str, Ruling]:
            assert set(codes) == {"HB1005"}
            return {"HB1005": Ruling((Finding("it asked for https://example.com/"),), {1: Verdict.failed(core=True)})}

    found = confirm(submission(), visits, live=Asked())
    told = next(clause for clause in found.clauses if clause.code == "HB1005")
    assert told.status == "disagrees"
    assert found.card.verdict("HB1005") is Judgement.FAIL
    assert any(finding.message.startswith("it asked for") for finding in found.card.findings)


@pytest.mark.browser
@pytest.mark.parametrize("mode", ["all", "auto"])
def test_what_the_clock_cuts_off_keeps_what_the_source_says(
    visits: BrowserSession, monkeypatch: pytest.MonkeyPatch, mode: confirming.Mode
) -> None:
    def ring(*_: object) -> None:
        raise OutOfTime

    monkeypatch.setattr(confirming, "spot_check", ring)
    monkeypatch.setattr(session, "abandon_driver", lambda: None)  # it is not amid its loop, and other tests need it
    found = confirm(submission(), visits, mode=mode)
    assert found.static.verdict("HB2101") is Judgement.PASS
    assert (found.trouble, "\n" in found.trouble) == ("the time was over before all was measured", False)
    told = {one.code: one for one in found.clauses}
    assert all(one.measured is None for one in told.values())
    assert told["HB2101"].verdict.reason is Reason.NO_ANSWER  # it rests on a page that was not looked at
    assert found.card.verdict("HB2101") is Judgement.UNKNOWN
    assert found.card.verdict("HB1004") is found.static.verdict("HB1004")  # the files say that
    assert found.card.score.low <= found.static.score.low


@pytest.mark.browser
def test_what_passes_on_a_page_that_hangs_is_not_known(visits: BrowserSession) -> None:
    ask = "/^(a|a)+$/.test('a'.repeat(64) + 'b')"  # which takes for ever, and no script of the page says so
    hang = f"document.querySelector('button').addEventListener('mouseup', function () {{ {ask}; }});"
    visits.visit_s, before = 4.0, visits.visit_s
    try:
        found = confirm(submission(**{"app.js": SCRIPT + hang}), visits)
    finally:
        visits.visit_s = before
    assert "the page" in found.trouble
    silent = [one for one in found.clauses if one.verdict.reason is Reason.NO_ANSWER]
    assert any(one.static.judgement is Judgement.PASS for one in silent)
    assert found.card.score.low < found.static.score.low


@pytest.mark.browser
def test_why_no_boxes_were_compared_is_told(visits: BrowserSession) -> None:
    found = confirm(
        submission(**{"app.js": SCRIPT + "setTimeout(() => { location = 'elsewhere.html' }, 9e6);"}), visits
    )
    assert "leaves the page" in found.trouble
    assert found.spot_check.compared == 0


@pytest.mark.browser
def test_a_page_that_does_not_load_leaves_what_the_source_says(visits: BrowserSession) -> None:
    visits.visit_s, before = 3.0, visits.visit_s
    try:
        found = confirm(submission(**{"app.js": "while (true) {}"}), visits)
    finally:
        visits.visit_s = before
    assert found.trouble
    assert {clause.status for clause in found.clauses} == {"not measured"}
    assert found.card.score == found.static.score
