"""The same rules on what the source says and on what the browser shows, side by side.

Where the two come to different verdicts the fault is husky-lint's, never the submission's: it is reported with both
pieces of evidence, and the measured verdict counts.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from husky_lint.batch.processes import OutOfTime
from husky_lint.browser.aside import Aside, give_way
from husky_lint.browser.grounds import Ground
from husky_lint.browser.measured import MeasuredEvidence
from husky_lint.browser.measured_motion import AGREEMENT
from husky_lint.browser.notes import SHARED, NotedEvidence
from husky_lint.browser.session import VisitLost
from husky_lint.browser.stage import staged
from husky_lint.collecting import rare_collections
from husky_lint.judging import Options, compose, rulings_of
from husky_lint.packs import default_pack, load_pack
from husky_lint.rule import Finding, Judgement, PageMissing, Reason, Ruling, Undecided, Verdict, told_so_far
from husky_lint.scene.unsettled import unsettled_nodes
from husky_lint.scorecard import plain
from husky_lint.script.journal import InsertNode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from lxml.etree import _Element
    from numpy.typing import NDArray

    from husky_lint.browser.live import Using
    from husky_lint.browser.session import BrowserSession
    from husky_lint.evidence import Evidence, StaticEvidence
    from husky_lint.packs import Pack
    from husky_lint.scene.graph import SceneNode
    from husky_lint.scene.motion import Motion
    from husky_lint.scorecard import Scorecard
    from husky_lint.submission import Submission

    FloatArray = NDArray[np.float64]

Mode = Literal["auto", "all"]
Status = Literal["agrees", "decided", "disagrees", "not measured"]

SPOT_TIMES: Final = 3
"""Random times at which the boxes of a pace are compared."""
_LATEST: Final = 2.4
"""Seconds within which they lie: two strides of the slowest pace."""
_SILENT: Final = Verdict.unknown(Reason.NO_ANSWER, "the page did not answer")
_SPOTS: Final = "spots"
_SHOWN: Final = 20
_RELATIVE: Final = 5e-4
"""Of the size of a box beyond 500 units: Chromium's 32-bit floats are magnified too."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One clause in one of its rows: what the source said, what was measured (None: it was not), and what counts."""

    code: str
    name: str
    row: int | None
    static: Verdict
    measured: Verdict | None
    static_findings: tuple[Finding, ...] = ()
    measured_findings: tuple[Finding, ...] = ()
    core: bool | None = None
    """Whether a failure fails the row, where the verdict does not say it; None: that is the verdict's to say."""
    unmeasured: Verdict | None = None
    """Why it was not measured, where the browser was asked and could not tell."""

    @property
    def status(self) -> Status:
        """``decided``: only the browser could tell. ``disagrees``: a fault of husky-lint."""
        if self.measured is None:
            return "not measured"
        if self.static.judgement is Judgement.UNKNOWN:
            return "decided"
        return "agrees" if self._weight(self.static) == self._weight(self.measured) else "disagrees"

    def _weight(self, verdict: Verdict) -> tuple[Judgement, bool]:
        """What a verdict does to its row: whether a failure fails it is a part of that."""
        failed = verdict.judgement is Judgement.FAIL
        return verdict.judgement, failed and bool(self.core if verdict.core is None else verdict.core)

    @property
    def verdict(self) -> Verdict:
        """The verdict that counts."""
        return counting(self.static, self.measured or self.unmeasured)

    def to_json(self) -> dict[str, Any]:
        """The clause's entry of ``confirm --format json``."""
        return {
            "code": self.code,
            "name": self.name,
            "row": self.row,
            "status": self.status,
            "verdict": self.verdict.judgement.value,
            "static": _verdict_json(self.static, self.static_findings),
            "measured": None if self.measured is None else _verdict_json(self.measured, self.measured_findings),
            "unmeasured": None if self.unmeasured is None else _why(self.unmeasured),
        }


@dataclass(frozen=True, slots=True)
class Spot:
    """A box, x y width height in scene units, that is not where the source puts it; None where there is no box."""

    state: str
    time: float
    path: str
    static: tuple[float, ...] | None
    measured: tuple[float, ...] | None

    def to_json(self) -> dict[str, Any]:
        """Its entry of ``confirm --format json``."""
        return {
            "state": self.state,
            "time": self.time,
            "path": self.path,
            "static": plain(self.static),
            "measured": plain(self.measured),
        }


@dataclass(frozen=True, slots=True)
class SpotCheck:
    """Boxes of all elements at random times: how many were compared, and the ones that differ."""

    compared: int = 0
    differing: int = 0
    worst: float = 0.0
    """The largest distance of two sides, in units."""
    spots: tuple[Spot, ...] = ()
    skipped: Mapping[str, str] = field(default_factory=dict)
    """States that were not compared, with the reason."""
    silence: str = ""
    """What is the matter with a page that was there and did not answer in one of them."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What the browser makes of a submission. ``card`` is the one that counts: measured where it was measured."""

    path: str
    static: Scorecard
    card: Scorecard
    clauses: tuple[Compared, ...]
    spot_check: SpotCheck
    trouble: str = ""
    """Why nothing, or not all, could be measured: the page did not load, or was ended."""
    elapsed_s: float = 0.0

    @property
    def disagreements(self) -> tuple[Compared, ...]:
        """Verdicts that the browser refutes."""
        return tuple(clause for clause in self.clauses if clause.status == "disagrees")

    @property
    def is_confirmed(self) -> bool:
        """Whether nothing that was measured contradicts the source."""
        return not self.disagreements and not self.spot_check.differing

    def to_json(self) -> dict[str, Any]:
        """The submission's entry of ``confirm --format json``; without ``elapsed_s`` it is the same each time."""
        return {
            "path": self.path,
            "confirmed": self.is_confirmed,
            "trouble": self.trouble or None,
            "static_score": {"low": self.static.score.low, "high": self.static.score.high},
            "clauses": [clause.to_json() for clause in self.clauses],
            "spot_check": {
                "compared": self.spot_check.compared,
                "differing": self.spot_check.differing,
                "worst": round(self.spot_check.worst, 4),
                "spots": [spot.to_json() for spot in self.spot_check.spots],
                "skipped": dict(self.spot_check.skipped),
            },
            "card": self.card.to_json(),
            "elapsed_s": round(self.elapsed_s, 4),
        }


def confirm(
    submission: Submission,
    session: BrowserSession,
    *,
    mode: Mode = "all",
    options: Options | None = None,
    rows: Iterable[int] | None = None,
    live: Using | None = None,
    tools: Callable[[Evidence], Mapping[str, Ruling]] | None = None,
) -> Confirmation:
    """Judge a submission by its source and by the browser, and compare.

    ``auto`` measures the unknown clauses of unknown rows and of the contract, ``all`` every one; ``rows`` narrows both
    to these rows.
    ``live`` says what using the page says of clauses; a clause that it judges is taken from there, and no rule is
    asked of it; the page is used and measured at once, in two tabs. What ``tools`` says of clauses counts before all
    else. What passes by the source alone and rests on a page that does not answer is unknown.

    Raises PackError and ChromiumMissing; whatever the submission does, it does not raise. When the clock of
    :func:`~husky_lint.batch.processes.run_within` rings meanwhile, what was measured by then counts.
    """
    started = time.perf_counter()
    options = options or Options()
    pack = load_pack(options.pack or default_pack())
    path = submission.path or submission.name
    with rare_collections():
        told = NotedEvidence(submission, pack.rubric, pins=options.pins)
        session.prepare(2 if live is not None and mode == "all" else 1)
        rulings, shown = _noted_rulings(told, pack)
        static = compose(rulings, told, path, pack, options)
        codes = _wanted(static, pack, mode, rows)
        exposed = _wanted(static, pack, "all", rows) if mode == "auto" else codes
        seen = _Seen()
        try:
            _measure(told, session, pack, codes, rulings, shown, live, seen)
            if tools is not None:
                seen.rulings.update((code, said) for code, said in tools(told).items() if _decides(said))
        except OutOfTime:
            seen.lost = "the time was over before all was measured"
        if seen.lost:
            silent = Verdict.unknown(Reason.NO_ANSWER, seen.lost)
            for code in (code for code in exposed if code in shown and not _decides(seen.rulings.get(code))):
                seen.rulings[code] = Ruling((), dict.fromkeys(rulings[code].verdicts, silent))
        merged = {code: merge(ruling, seen.rulings.get(code)) for code, ruling in rulings.items()}
        card = compose(merged, told, path, pack, options)
    elapsed = time.perf_counter() - started
    return Confirmation(
        path,
        static,
        replace(card, elapsed_s=elapsed),
        tuple(_compare(pack, codes, rulings, seen.rulings)),
        seen.spots,
        seen.lost or seen.trouble,
        elapsed,
    )


@dataclass(slots=True)
class _Seen:
    """What was measured so far. ``trouble`` is why that is not all, ``lost`` why nothing more could be measured."""

    rulings: dict[str, Ruling] = field(default_factory=dict)
    spots: SpotCheck = SpotCheck()
    trouble: str = ""
    lost: str = ""


def _measure(
    told: NotedEvidence,
    session: BrowserSession,
    pack: Pack,
    codes: frozenset[str],
    rulings: Mapping[str, Ruling],
    shown: frozenset[str],
    live: Using | None,
    seen: _Seen,
) -> None:
    """Compare boxes and let the rules judge, while the page is used; then the rules on what that did not decide."""
    with told.notes.asked_by(_SPOTS):
        boxes = spots_of(told)
    in_use = codes & live.codes if live is not None else frozenset()
    # A rule that settled its clause without asking what the page shows is none to ask again.
    ruled = {code for code in codes if code in shown or not _decides(rulings[code])}
    using: Aside[dict[str, Ruling]] | None = None
    if live is not None and in_use:
        live.ahead(told, in_use)  # while the page is measured, its tree is not always as the source has it
        using = Aside(partial(live, told, session, in_use))
    try:
        try:
            with staged(session, told.submission) as stage:
                first = ruled - in_use
                evidence = MeasuredEvidence(told, stage, (_SPOTS, SHARED, *first) if first else (_SPOTS,))
                evidence.derived(told_so_far).update(rulings)
                seen.spots = spot_check(boxes, evidence)
                seen.rulings.update(measured_rulings(evidence, pack, first))
                if using is not None:
                    used = using.result()
                    seen.rulings.update(used)
                    evidence.derived(told_so_far).update(used)
                    left = {code for code in ruled & in_use if not _decides(used.get(code))}
                    seen.rulings.update(measured_rulings(evidence, pack, left))
            if not seen.spots.compared:
                seen.lost = seen.spots.silence
        except VisitLost as lost:
            seen.lost = str(lost)
        if using is not None:
            seen.rulings.update((code, said) for code, said in using.result().items() if code not in seen.rulings)
    finally:
        if using is not None:
            using.drop()
    silent = [one for ruling in seen.rulings.values() for one in ruling.verdicts.values() if _is_silent(one)]
    seen.trouble = silent[0].detail if silent else seen.spots.silence
    if told.doubt is not None:
        seen.trouble = seen.trouble or f"boxes were not compared: {told.doubt}"


def _decides(ruling: Ruling | None) -> bool:
    return ruling is not None and any(map(is_measured, ruling.verdicts.values()))


def _is_silent(verdict: Verdict) -> bool:
    return verdict.reason is Reason.NO_ANSWER


def _wanted(static: Scorecard, pack: Pack, mode: Mode, rows: Iterable[int] | None) -> frozenset[str]:
    chosen = None if rows is None else frozenset(rows)
    if mode == "all":
        clauses = pack.rubric.clauses.values()
        return frozenset(one.code for one in clauses if chosen is None or chosen.intersection(one.rows))
    asked = [row for row in static.rows if chosen is None or row.row.number in chosen]
    results = [clause for row in asked if row.verdict is Judgement.UNKNOWN for clause in row.clauses]
    results += static.contract if chosen is None else ()
    return frozenset(one.clause.code for one in results if one.verdict.judgement is Judgement.UNKNOWN)


def _noted_rulings(told: NotedEvidence, pack: Pack) -> tuple[dict[str, Ruling], frozenset[str]]:
    """What the source says of every clause, and the clauses of which it was asked what the page shows."""
    found: dict[str, Ruling] = {}
    shown: set[str] = set()
    for code in pack.rubric.clauses:
        with told.notes.asked_by(code), told.watched() as grounds:
            found.update(rulings_of(told, pack, (code,)))
        give_way()  # the browser opens its tabs meanwhile
        if Ground.PAGE in grounds:
            shown.add(code)
    return found, frozenset(shown)


def measured_rulings(shown: MeasuredEvidence, pack: Pack, codes: Iterable[str]) -> dict[str, Ruling]:
    """What the rules say of the page as it is shown, without the clauses in which nothing of it counts."""
    found: dict[str, Ruling] = {}
    wanted = frozenset(codes)
    for code in (code for code in pack.rubric.clauses if code in wanted):
        with shown.watched() as grounds:
            ruling = rulings_of(shown, pack, (code,))[code]
        if Ground.SILENCE in grounds:
            found[code] = Ruling((), dict.fromkeys(ruling.verdicts, _SILENT))
        elif Ground.PAGE in grounds:
            found[code] = ruling
    return found


def is_measured(verdict: Verdict) -> bool:
    """Whether a verdict of the measured side says anything."""
    return verdict.judgement is not Judgement.UNKNOWN


def counting(static: Verdict, shown: Verdict | None) -> Verdict:
    """The verdict that counts of the two sides. Nothing passes on a page that does not answer."""
    if shown is None or is_measured(shown):
        return shown or static
    return shown if _is_silent(shown) and static.judgement is Judgement.PASS else static


def merge(static: Ruling, measured: Ruling | None) -> Ruling:
    """What counts of two rulings on one clause: a verdict for each row, and the findings that go with them."""
    if measured is None:
        return static
    verdicts = {row: counting(verdict, measured.verdicts.get(row)) for row, verdict in static.verdicts.items()}
    same = all(verdict.judgement is static.verdicts[row].judgement for row, verdict in verdicts.items())
    return Ruling(static.findings if same or not _decides(measured) else measured.findings, verdicts)


def _compare(
    pack: Pack, codes: frozenset[str], rulings: Mapping[str, Ruling], measured: Mapping[str, Ruling]
) -> Iterator[Compared]:
    for code, ruling in rulings.items():
        if code not in codes and code not in measured:
            continue
        found = measured.get(code, Ruling(()))
        for row, verdict in ruling.verdicts.items():
            shown = found.verdicts.get(row)
            clause = pack.rubric.clauses[code]
            if shown is None or not is_measured(shown):
                yield Compared(code, clause.name, row, verdict, None, ruling.findings, (), clause.core, shown)
            else:
                yield Compared(code, clause.name, row, verdict, shown, ruling.findings, found.findings, clause.core)


@dataclass(frozen=True, slots=True)
class PutDown:
    """Where the source puts every element in a state at some times; ``reason`` why it does not say.

    ``grown`` are the elements that script puts others into.
    """

    axes: Mapping[str, str]
    times: tuple[float, ...]
    boxes: Mapping[SceneNode, FloatArray] = field(default_factory=dict)
    unknown: frozenset[SceneNode] = frozenset()
    grown: frozenset[_Element] = frozenset()
    reason: str | None = None


def spots_of(told: StaticEvidence) -> tuple[PutDown, ...]:
    """Boxes of every element at a few random times of every value of the axis with the most values.

    The times hang on the submission's files alone, so that every run takes the same.
    """
    axis = max(told.rubric.vocabulary.axes, key=lambda one: len(one.values), default=None)
    if axis is None:
        return ()
    chance = random.Random(_digest(told.submission))
    found: list[PutDown] = []
    # A page is in its default state when it is loaded: from there the others are reached.
    for value in sorted(axis.values, key=lambda one: one.name != axis.default):
        times = tuple(sorted(round(chance.uniform(0.0, _LATEST), 4) for _ in range(SPOT_TIMES)))
        axes = {axis.name: value.name}
        try:
            if told.doubt is not None:
                raise Undecided(Reason.NEEDS_BROWSER, told.doubt)
            state = told.states.state(**axes)
            if axis.name in state.unknown:
                raise Undecided(Reason.STATE_NOT_FOUND, state.unknown[axis.name])
            motion = told.motion(state)
            boxes = {node: rows for node, rows in motion.boxes(times).items() if not node.uses}
            unsettled = unsettled_nodes(motion.scene, state.mutations)
            grown = frozenset(one.parent for one in state.mutations if isinstance(one, InsertNode))
            found.append(PutDown(axes, times, boxes, frozenset(motion.unknown) | unsettled, grown))
        except (Undecided, PageMissing) as said:
            found.append(PutDown(axes, times, reason=str(said)))
    return tuple(found)


def spot_check(told: Iterable[PutDown], shown: MeasuredEvidence) -> SpotCheck:
    """What the source says of boxes, compared with the page."""
    result = SpotCheck()
    skipped: dict[str, str] = {}
    silence = ""
    for one in told:
        label = " ".join(f"{name}={value}" for name, value in one.axes.items())
        try:
            if one.reason is not None:
                raise Undecided(Reason.STATE_NOT_FOUND, one.reason)
            state = shown.states.state(**one.axes)
            if not one.axes.keys().isdisjoint(state.unknown):
                raise Undecided(Reason.STATE_NOT_FOUND, "no control of the page leads there")
            found = compare_boxes(one, shown.motion(state), label)
        except (Undecided, PageMissing) as said:
            skipped[label] = str(said)
            if isinstance(said, Undecided) and said.reason is Reason.NO_ANSWER:
                silence = silence or str(said)
            continue
        result = SpotCheck(
            result.compared + found.compared,
            result.differing + found.differing,
            max(result.worst, found.worst),
            (*result.spots, *found.spots)[:_SHOWN],
        )
    return replace(result, skipped=skipped, silence=silence)


def _digest(submission: Submission) -> int:
    digest = sha256()
    for path, file in sorted(submission.files.items()):
        digest.update(path.encode("utf-8", "surrogatepass"))
        digest.update(file.raw)
    return int.from_bytes(digest.digest()[:8], "big")


def compare_boxes(told: PutDown, measured: Motion, label: str) -> SpotCheck:
    """Boxes of one state, element by element; those that the source cannot tell are left out.

    So are particles, with the group around: what has come by itself into one that is empty in the source, or that
    script puts others into.
    """
    ours = {node.element: rows for node, rows in told.boxes.items()}
    theirs = {node.element: (node, rows) for node, rows in measured.boxes(told.times).items() if not node.uses}
    nothing = np.full((len(told.times), 4), np.nan)
    left_out = {node.element for node in told.unknown}
    for node, _ in theirs.values():
        parent = node.parent.element if node.parent is not None else None
        if node.name == "g" and not node.children and np.isnan(ours.get(node.element, nothing)).all():
            left_out.add(node.element)  # it has a box for what is not among the elements that the source knows
        if parent is None or node.element in ours:
            continue
        if parent in told.grown or bool(np.isnan(ours.get(parent, nothing)).all()):
            left_out.update((node.element, parent))
    spots: list[tuple[float, Spot]] = []
    compared, worst = 0, 0.0
    for element, (node, b) in theirs.items():
        if element in left_out:
            continue
        a = ours.get(element, nothing)
        compared += 1
        far, allowed = _distances(a, b)
        row = int(np.argmax(far - allowed))
        worst = max(worst, float(far[np.isfinite(far)].max(initial=0.0)))
        if far[row] > allowed[row]:
            spots.append((float(far[row]), Spot(label, told.times[row], node.css_path, _box(a[row]), _box(b[row]))))
    spots.sort(key=lambda item: (-item[0], item[1].path))
    return SpotCheck(compared, len(spots), worst, tuple(spot for _, spot in spots[:_SHOWN]))


def _distances(ours: FloatArray, theirs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How far two boxes are apart at each time, and how far they may be.

    Infinite where one side has a box of some size and the other has none: Chromium shows no box as one without size.
    """
    none, absent = np.isnan(ours).any(axis=1), np.isnan(theirs).any(axis=1)
    a, b = np.nan_to_num(ours), np.nan_to_num(theirs)
    far = np.abs(a - b).max(axis=1)
    far[none != absent] = np.inf
    far[(a[:, 2:].max(axis=1) <= AGREEMENT) & (b[:, 2:].max(axis=1) <= AGREEMENT)] = 0.0
    return far, np.maximum(AGREEMENT, _RELATIVE * np.abs(b).max(axis=1))


def _box(row: Any) -> tuple[float, ...] | None:
    return None if np.isnan(row).any() else tuple(round(float(side), 4) for side in row)


def _why(verdict: Verdict) -> str:
    return f"{verdict.reason.value if verdict.reason is not None else ''} {verdict.detail}".strip()


def _verdict_json(verdict: Verdict, findings: tuple[Finding, ...]) -> dict[str, Any]:
    return {
        "verdict": verdict.judgement.value,
        "core": verdict.core,
        "reason": None if verdict.reason is None else verdict.reason.value,
        "detail": verdict.detail,
        "data": plain(verdict.data),
        "evidence": [{"message": f.message, "data": plain(f.data)} for f in findings[:_SHOWN]],
    }
