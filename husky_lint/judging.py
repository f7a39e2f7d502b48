"""One submission in, one scorecard out: a pure function of the files, the pack and the options."""

from __future__ import annotations

import posixpath
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from husky_lint.collecting import rare_collections
from husky_lint.evidence import UNREAD, Evidence, StaticEvidence
from husky_lint.locating import locate, locate_finding
from husky_lint.packs import Pack, default_pack, load_pack
from husky_lint.rule import (
    Confidence,
    Finding,
    Judgement,
    PageMissing,
    Reason,
    Ruling,
    Severity,
    Undecided,
    Verdict,
    run_rule,
    told_so_far,
)
from husky_lint.scorecard import RUN_FIELDS, LocatedFinding, Scorecard, plain
from husky_lint.scoring import ClauseResult, score_row, total
from husky_lint.suppressions import Suppression, read_suppressions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from husky_lint.pictures import Picture
    from husky_lint.rubric import Clause
    from husky_lint.submission import Submission

UNREADABLE = "HB0001"
SKIPPED_INPUT = "HB0002"
NOT_JUDGED = "HB0003"
NOTICES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        UNREADABLE: ("unreadable", "The submission cannot be read: every row is zero."),
        SKIPPED_INPUT: ("skipped-input", "A part of the submission was left unread, so nothing is shown to be absent."),
        NOT_JUDGED: ("not-judged", "Judging was cut off by its time limit or a crash: every clause is unknown."),
    }
)
"""Findings of husky-lint itself, about the reading: code → (name, what it says). No option silences their errors."""

_EVIDENCE_SHOWN = 8
_TEXT_SUFFIXES = frozenset({"", ".html", ".htm", ".xhtml", ".css", ".js", ".mjs", ".cjs", ".svg"})


@dataclass(frozen=True, slots=True)
class Options:
    """What to judge by and what to report. ``select`` and ``ignore`` are beginnings of codes; no verdict heeds them."""

    pack: str = ""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    show_states: bool = False
    pins: Mapping[str, str] = field(default_factory=dict)
    """Selectors that a configuration pins roles to."""
    pictures: bool = False
    """Whether the card carries the pictures that the pack draws; nothing is drawn otherwise."""

    def reports(self, code: str, severity: Severity) -> bool:
        """Whether findings of this code are reported."""
        if code in NOTICES:
            return severity is Severity.ERROR or not self.ignore or not code.startswith(self.ignore)
        return (not self.select or code.startswith(self.select)) and not (self.ignore and code.startswith(self.ignore))


def load(path: str | Path) -> Submission:
    """Read a submission from a folder, a .zip, or a single .html or .svg file. Raises SubmissionError."""
    from husky_lint.submission import load as read

    return read(Path(path))


def check(submission: Submission | str | Path, options: Options | None = None) -> Scorecard:
    """Judge a submission, or the one at a path. Raises PackError for a pack that is not there, and nothing else."""
    started = time.perf_counter()
    options = options or Options()
    pack = load_pack(options.pack or default_pack())
    if isinstance(submission, (str, Path)):
        from husky_lint.submission import SubmissionError

        path = str(submission)
        try:
            submission = load(submission)
        except SubmissionError as error:
            return replace(
                unreadable(path, str(error).removeprefix(f"{path}: "), pack), elapsed_s=time.perf_counter() - started
            )
        if nested := _nested_submissions(submission):
            message = f"there is no {submission.page} in it, but in {nested}; name those folders"
            return replace(unreadable(path, message, pack), elapsed_s=time.perf_counter() - started)
    else:
        path = submission.path or submission.name
    evidence = StaticEvidence(submission, pack.rubric, pins=options.pins)
    with rare_collections():
        card = judge(evidence, path, pack, options)
        evidence.let_go()
    return replace(card, elapsed_s=time.perf_counter() - started)


def _nested_submissions(submission: Submission) -> str:
    """The folders that are submissions where the whole is none, as text; empty when there are none."""
    if submission.page in submission.files:
        return ""
    tail = f"/{submission.page}"
    folders = [path.removesuffix(tail) for path in submission.files if path.endswith(tail)]
    return ", ".join(folders[:3]) + (f" and {len(folders) - 3} more" if len(folders) > 3 else "")


def judge(evidence: Evidence, path: str, pack: Pack, options: Options) -> Scorecard:
    """Run every rule of ``pack`` on ``evidence``, whoever provides it."""
    return compose(rulings_of(evidence, pack), evidence, path, pack, options)


def rulings_of(evidence: Evidence, pack: Pack, codes: Iterable[str] | None = None) -> dict[str, Ruling]:
    """What the rules of some clauses (None: of all) say of ``evidence``, by code, in the rubric's order."""
    wanted = None if codes is None else frozenset(codes)
    told = evidence.derived(told_so_far)
    for code, clause in pack.rubric.clauses.items():
        if wanted is None or code in wanted:
            told[code] = _rule_on(clause, evidence, pack)
    return {code: told[code] for code in pack.rubric.clauses if wanted is None or code in wanted}


def compose(rulings: Mapping[str, Ruling], evidence: Evidence, path: str, pack: Pack, options: Options) -> Scorecard:
    """The card of what was said of every clause of the pack."""
    submission = evidence.submission
    found = [finding for ruling in rulings.values() for finding in ruling.findings]
    located = [_located(finding, pack, submission) for finding in dict.fromkeys(map(_Same, found))]
    kept, suppressed = _unsuppressed(located, submission)
    skipped = [_skipped(problem.message, problem.path) for problem in submission.problems]
    card = _card(path, pack, rulings, submission)
    return replace(
        card,
        findings=tuple(f for f in (*skipped, *sorted(kept, key=_place)) if options.reports(f.code, f.severity)),
        suppressed=suppressed,
        run=_run_metadata(pack, evidence),
        states=_state_machine(evidence) if options.show_states else None,
        pictures=draw_pictures(evidence, pack)[0] if options.pictures else (),
    )


def unreadable(path: str, message: str, pack: Pack) -> Scorecard:
    """The card of a submission that cannot be read: one finding and a row of zeros."""
    verdict = Verdict(Judgement.FAIL, Reason.NO_SUBMISSION, message, core=True)
    return _blank(path, pack, verdict, UNREADABLE, message)


def not_judged(path: str, message: str, pack: Pack) -> Scorecard:
    """The card of a submission that husky-lint did not get to the end of: nothing is known of it."""
    return _blank(path, pack, Verdict.unknown(Reason.LIMIT, message, core=True), NOT_JUDGED, message)


def _blank(path: str, pack: Pack, verdict: Verdict, code: str, message: str) -> Scorecard:
    rulings = {name: Ruling((), dict.fromkeys(_rows(c), verdict)) for name, c in pack.rubric.clauses.items()}
    finding = LocatedFinding(code, NOTICES[code][0], Severity.ERROR, Confidence.CERTAIN, message, None, None)
    return replace(_card(path, pack, rulings), findings=(finding,))


def _card(path: str, pack: Pack, rulings: Mapping[str, Ruling], submission: Submission | None = None) -> Scorecard:
    results = [
        ClauseResult(
            pack.rubric.clauses[code],
            row,
            replace(verdict, data=plain(verdict.data)),
            locate(verdict.span, submission) if submission is not None else None,
        )
        for code, ruling in rulings.items()
        for row, verdict in ruling.verdicts.items()
    ]
    rows = tuple(score_row(row, [r for r in results if r.row == row.number]) for row in pack.rubric.rows)
    contract = tuple(result for result in results if result.row is None)
    return Scorecard(path, pack.name, total(rows, pack.rubric.stated_total), rows, contract, ())


def _rows(clause: Clause) -> tuple[int | None, ...]:
    return clause.rows or (None,)


def _rule_on(clause: Clause, evidence: Evidence, pack: Pack) -> Ruling:
    rule = pack.rules.get(clause.code)
    if rule is None:
        return Ruling((), dict.fromkeys(_rows(clause), Verdict.unknown(Reason.NOT_IMPLEMENTED)))
    ruling = run_rule(rule, evidence, pack.parameters(rule), _rows(clause))
    if all(verdict.judgement is not Judgement.PASS for verdict in ruling.verdicts.values()):
        return ruling
    unread = _unread_text(evidence.submission)
    if unread is not None:
        doubt = Verdict.unknown(Reason.LIMIT, unread)
    elif evidence.doubt is not None:
        doubt = Verdict.unknown(Reason.NEEDS_BROWSER, evidence.doubt)
    else:
        return ruling
    # What was not read, or is not as it is read, may hold the counterexample: nothing passes on what is left.
    verdicts = {row: doubt if v.judgement is Judgement.PASS else v for row, v in ruling.verdicts.items()}
    return Ruling(ruling.findings, verdicts)


def _unread_text(submission: Submission) -> str | None:
    for problem in submission.problems:
        path = problem.path or ""
        if problem.key in UNREAD and posixpath.splitext(path)[1].lower() in _TEXT_SUFFIXES:
            return f"{path}: {problem.message}" if path else problem.message
    return None


def _located(same: _Same, pack: Pack, submission: Submission) -> LocatedFinding:
    finding = same.finding
    clause = pack.rubric.clauses.get(finding.code)
    row = finding.row if finding.row is not None else next(iter(clause.rows), None) if clause else None
    return locate_finding(finding, clause.name if clause else "", row, submission)


class _Same:
    """Makes equal what reads the same: one finding at one place is told once, whichever rules met it."""

    __slots__ = ("_key", "finding")

    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        self._key = (finding.code, finding.span, finding.message, finding.row)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def _skipped(message: str, path: str | None) -> LocatedFinding:
    text = f"{path}: {message}" if path and path not in message else message
    return LocatedFinding(
        SKIPPED_INPUT,
        NOTICES[SKIPPED_INPUT][0],
        Severity.WARNING,
        Confidence.CERTAIN,
        text,
        None,
        None,
        data={"path": path},
    )


def _place(finding: LocatedFinding) -> tuple[object, ...]:
    place = finding.location
    where = (1, place.file, place.line, place.column) if place else (0, "", 0, 0)
    return (*where, finding.code, finding.message)


def _unsuppressed(findings: Iterable[LocatedFinding], submission: Submission) -> tuple[list[LocatedFinding], int]:
    kept: list[LocatedFinding] = []
    suppressed = 0
    comments: dict[str, tuple[Suppression, ...]] = {}
    for finding in findings:
        place = finding.location
        if place is not None and place.file not in comments:
            source = submission.text(place.file)
            comments[place.file] = read_suppressions(source) if source is not None else ()
        if place is not None and any(c.covers(place.line, finding.code) for c in comments[place.file]):
            suppressed += 1
        else:
            kept.append(finding)
    return kept, suppressed


def _run_metadata(pack: Pack, evidence: Evidence) -> Mapping[str, str | None]:
    said: Mapping[str, str] = {}
    if pack.run_metadata is not None:
        try:
            said = pack.run_metadata(evidence)
        except Exception:  # what a submission says of itself is a courtesy; it must not cost the score
            said = {}
    return {name: said.get(name) for name in RUN_FIELDS}


def draw_pictures(evidence: Evidence, pack: Pack) -> tuple[tuple[Picture, ...], tuple[str, ...]]:
    """The pictures that the pack draws of a submission, and why some are missing."""
    drawn: list[Picture] = []
    if pack.draw_pictures is None:
        return (), (f"the pack {pack.name} draws no pictures",)
    try:
        drawn.extend(pack.draw_pictures(evidence))
    except (Undecided, PageMissing) as said:
        return tuple(drawn), (str(said),)
    except Exception as error:  # a picture is for looking at; no verdict hangs on it
        return tuple(drawn), (f"drawing failed: {type(error).__name__}",)
    return tuple(drawn), ()


def _state_machine(evidence: Evidence) -> Mapping[str, object]:
    """For each axis and value: how the page gets into it, where its source says so, or why that cannot be told."""
    try:
        return {
            axis.name: {value.name: _state_value(evidence, axis.name, value.name) for value in axis.values}
            for axis in evidence.states.vocabulary.axes
        }
    except (Undecided, PageMissing) as said:
        return {"unknown": str(said)}
    except Exception as error:  # it is shown for reading; the verdicts do not hang on it
        return {"unknown": f"{Reason.RULE_CRASH.value} {type(error).__name__}"}


def _state_value(evidence: Evidence, axis: str, value: str) -> Mapping[str, object]:
    found = evidence.states.evidence(axis, value)
    shown: dict[str, object] = {"reason": reason} if (reason := evidence.states.unknown(axis, value)) else {}
    for given in found[:_EVIDENCE_SHOWN]:
        place = locate(given.span, evidence.submission)
        where = f" ({place.file}:{place.line}:{place.column})" if place is not None else ""
        shown.setdefault(given.source, f"{given.text}{where}")
    return shown or {"unknown": "nothing on the page spells it"}
