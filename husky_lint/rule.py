"""What a rule is, what it says, and how one is run.

A rule is a small generator function. It asks the :class:`~husky_lint.evidence.Evidence` it is given, yields a
:class:`Finding` for everything worth telling, and may yield one :class:`Verdict`. Without one, the clause fails when a
finding of level ``error`` was yielded and passes otherwise. Whatever a rule cannot show it says by
``raise Undecided(reason)``; an exception makes the clause ``unknown(rule-crash)`` and leaves the other rules running.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from husky_lint.documentation import Documentation, parse_documentation

if TYPE_CHECKING:
    from husky_lint.source import Span

MAX_FINDINGS = 100
"""Findings kept per rule; the rest are counted in one more finding."""
_MAX_YIELDS = 20_000


class Severity(StrEnum):
    """How bad it is. Only ``error`` decides a verdict."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Confidence(StrEnum):
    """How sure the source makes us; severity is a different question."""

    CERTAIN = "certain"
    LIKELY = "likely"


class Judgement(StrEnum):
    """The words of a verdict. ``partial`` is for rows alone, ``n/a`` for clauses alone."""

    PASS = "pass"
    PARTIAL = "partial"
    FAIL = "fail"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "n/a"


class Reason(StrEnum):
    """Why a clause is ``unknown``: a closed set, documented in :data:`REASONS`."""

    NOT_IMPLEMENTED = "not-implemented"
    SCRIPT_DRIVEN_MOTION = "script-driven-motion"
    ROLE_NOT_FOUND = "role-not-found"
    AMBIGUOUS_ROLE = "ambiguous-role"
    UNSUPPORTED_CSS = "unsupported-css"
    PARSE_ERROR = "parse-error"
    LIMIT = "limit"
    RULE_CRASH = "rule-crash"
    STATE_NOT_FOUND = "state-not-found"
    SCENE_NOT_FOUND = "scene-not-found"
    THRESHOLD_SENSITIVE = "threshold-sensitive"
    TEXT = "text"
    FOREIGN_OBJECT = "foreign-object"
    DYNAMIC_VALUE = "dynamic-value"
    NEEDS_BROWSER = "needs-browser"
    NEEDS_SOURCE = "needs-source"
    NO_ANSWER = "no-answer"
    NO_SUBMISSION = "no-submission"


REASONS: Mapping[Reason, str] = MappingProxyType(
    {
        Reason.NOT_IMPLEMENTED: "No rule judges this clause yet.",
        Reason.SCRIPT_DRIVEN_MOTION: "Script moves the element in a way that only running it shows.",
        Reason.ROLE_NOT_FOUND: "No element could be told to be the part that the clause speaks of.",
        Reason.AMBIGUOUS_ROLE: "Several elements could be the part, and the verdict depends on which one is.",
        Reason.UNSUPPORTED_CSS: "The style uses a feature that the evaluator does not compute, such as 3D transforms.",
        Reason.PARSE_ERROR: "The text that holds the answer does not parse.",
        Reason.LIMIT: "A limit on size, depth, steps or time ended the reading.",
        Reason.RULE_CRASH: "The rule failed on this submission: a fault of husky-lint, not of the page.",
        Reason.STATE_NOT_FOUND: "How the page spells the state (a pace, paused, a theme) could not be told.",
        Reason.SCENE_NOT_FOUND: "No inline svg of the page could be told to be the scene.",
        Reason.THRESHOLD_SENSITIVE: "The verdict turns on the exact threshold, so it is left to a measurement.",
        Reason.TEXT: "It depends on the size of text, which only a browser with its fonts knows.",
        Reason.FOREIGN_OBJECT: "It depends on HTML laid out inside a foreignObject.",
        Reason.DYNAMIC_VALUE: "It depends on a value that exists only at run time.",
        Reason.NEEDS_BROWSER: "Only a browser can observe it.",
        Reason.NEEDS_SOURCE: "The page behaves as it should; whether it is made as it should be only its source shows.",
        Reason.NO_ANSWER: "The live page did not answer, or had to be ended.",
        Reason.NO_SUBMISSION: "There was nothing to read.",
    }
)


class Undecided(Exception):  # noqa: N818 - it is an answer, not an error
    """Raised by a rule, or by the evidence it asks, where the source cannot decide the clause."""

    def __init__(self, reason: Reason, detail: str = "", span: Span | None = None) -> None:
        super().__init__(detail or reason.value)
        self.reason = reason
        self.detail = detail
        self.span = span


class PageMissing(Exception):  # noqa: N818 - an answer too
    """Raised by the evidence when a submission that was read whole has no page: every clause about the page fails."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of ``span`` (empty for an insertion) by ``replacement``."""

    span: Span
    replacement: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that repair a finding. ``safe`` edits keep everything else as it is; the others wait for a person."""

    message: str
    edits: tuple[Edit, ...]
    safe: bool = True


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding, with a note on what it has to do with it."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing worth telling, at one place.

    ``message`` says what was measured and what was expected. ``code`` and ``name`` are the clause's unless given (a
    rule that meets a decoy yields a finding of that code). ``row`` narrows the finding to one of the rows that the
    clause feeds; ``core`` says whether this failure decides its row, where the rubric leaves that to the rule.
    """

    message: str
    span: Span | None = None
    severity: Severity = Severity.ERROR
    confidence: Confidence = Confidence.CERTAIN
    related: tuple[Related, ...] = ()
    data: Mapping[str, object] = field(default_factory=dict)
    fix: Fix | None = None
    row: int | None = None
    core: bool | None = None
    code: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a clause comes to. ``row`` narrows it to one of several rows; ``core`` overrides the rubric at run time.

    ``confidence`` of ``likely`` marks a verdict that the browser pass may still sharpen. ``data`` may carry
    sub-verdicts.
    """

    judgement: Judgement
    reason: Reason | None = None
    detail: str = ""
    span: Span | None = None
    core: bool | None = None
    row: int | None = None
    confidence: Confidence = Confidence.CERTAIN
    data: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def passed(
        cls,
        detail: str = "",
        *,
        row: int | None = None,
        confidence: Confidence = Confidence.CERTAIN,
        data: Mapping[str, object] | None = None,
    ) -> Verdict:
        """The clause is kept."""
        return cls(Judgement.PASS, detail=detail, row=row, confidence=confidence, data=data or {})

    @classmethod
    def failed(
        cls,
        detail: str = "",
        *,
        core: bool | None = None,
        row: int | None = None,
        span: Span | None = None,
        confidence: Confidence = Confidence.CERTAIN,
        data: Mapping[str, object] | None = None,
    ) -> Verdict:
        """The clause is broken."""
        return cls(Judgement.FAIL, None, detail, span, core, row, confidence, data or {})

    @classmethod
    def unknown(
        cls,
        reason: Reason,
        detail: str = "",
        *,
        span: Span | None = None,
        core: bool | None = None,
        row: int | None = None,
        data: Mapping[str, object] | None = None,
    ) -> Verdict:
        """The source does not decide it; ``core=False`` says that not even the worst answer would be a core failure."""
        return cls(Judgement.UNKNOWN, reason, detail, span, core, row, data=data or {})

    @classmethod
    def not_applicable(cls, detail: str = "", *, row: int | None = None) -> Verdict:
        """There is nothing to judge; the clause has no effect on its row."""
        return cls(Judgement.NOT_APPLICABLE, detail=detail, row=row)


Judge = Callable[..., Iterable["Finding | Verdict"]]


@dataclass(frozen=True)
class Rule:
    """A judging function under the code of its clause.

    The numbers it needs are its keyword parameters; they come by name from the tolerances of the rubric.
    """

    code: str
    judge: Judge

    def __call__(self, *args: object, **parameters: object) -> Iterable[Finding | Verdict]:
        return self.judge(*args, **parameters)

    @functools.cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names of the tolerances that the rule reads (all parameters but the evidence)."""
        return tuple(inspect.signature(self.judge).parameters)[1:]

    @functools.cached_property
    def documentation(self) -> Documentation:
        """The docstring, read; ``explain`` and the tests of the examples use it."""
        return parse_documentation(self.judge.__doc__ or "")


def rule(code: str) -> Callable[[Judge], Rule]:
    """Make a function the rule of clause ``code``. Name, rows, core and tolerances come from the rubric."""

    def decorate(judge: Judge) -> Rule:
        return Rule(code, judge)

    return decorate


@dataclass(frozen=True, slots=True)
class Ruling:
    """What one rule said of one submission: its findings and a verdict for each row that its clause feeds.

    A clause without a row has its verdict under ``None``.
    """

    findings: tuple[Finding, ...]
    verdicts: Mapping[int | None, Verdict] = field(default_factory=dict)


def told_so_far(_evidence: object) -> dict[str, Ruling]:
    """The rulings on one evidence, by code, as far as its judging has got (asked for by ``evidence.derived``)."""
    return {}


def run_rule(
    rule: Rule, evidence: object, parameters: Mapping[str, object], rows: Sequence[int | None] = (None,)
) -> Ruling:
    """Run ``rule`` and settle its verdicts for ``rows``; never raises but for an interrupt."""
    findings: list[Finding] = []
    explicit: dict[int | None, Verdict] = {}
    interruption: Verdict | None = None
    dropped = 0
    try:
        yielded = iter(rule.judge(evidence, **parameters))
        for said in itertools.islice(yielded, _MAX_YIELDS):
            if isinstance(said, Verdict):
                if said.row in explicit:
                    raise ValueError(f"{rule.code} gave two verdicts")
                explicit[said.row] = said
            elif len(findings) < MAX_FINDINGS or (said.severity is Severity.ERROR and not _fails(findings)):
                findings.append(said)
            else:
                dropped += 1
        if next(yielded, None) is not None:
            raise Undecided(Reason.LIMIT, f"more than {_MAX_YIELDS} findings")
    except Undecided as undecided:
        interruption = Verdict.unknown(undecided.reason, undecided.detail, span=undecided.span)
    except PageMissing as missing:
        interruption = Verdict.failed(str(missing), core=True)  # no row is half right without a page
    except Exception as crash:  # the promise: a fault in one rule costs its own clause only
        explicit.clear()
        interruption = Verdict.unknown(Reason.RULE_CRASH, data={"error": f"{type(crash).__name__}: {crash}"[:500]})
    if dropped:
        findings.append(
            Finding(f"… and {dropped} more of the same kind", severity=Severity.INFO, data={"count": dropped})
        )
    coded = tuple(f if f.code else replace(f, code=rule.code) for f in findings)
    own = [f for f in coded if f.code == rule.code and f.severity is Severity.ERROR]
    return Ruling(coded, {row: _settle(row, own, explicit, interruption) for row in rows})


def _fails(findings: Iterable[Finding]) -> bool:
    return any(f.severity is Severity.ERROR for f in findings)


def _settle(
    row: int | None, errors: Sequence[Finding], explicit: Mapping[int | None, Verdict], interruption: Verdict | None
) -> Verdict:
    said = explicit.get(row) or explicit.get(None)
    if said is not None:
        return said
    crashed = interruption is not None and interruption.reason is Reason.RULE_CRASH
    failures = [f for f in errors if row is None or f.row in (None, row)]
    if failures and not crashed:  # one counterexample decides, whatever could not be told after it
        cores = [f.core for f in failures if f.core is not None]
        sure = any(f.confidence is Confidence.CERTAIN for f in failures)
        return Verdict.failed(
            core=any(cores) if cores else None, confidence=Confidence.CERTAIN if sure else Confidence.LIKELY
        )
    return interruption or Verdict.passed()
