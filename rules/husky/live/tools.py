"""The submission's own tools, run: on the submission as it is, and the audit on broken copies of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from husky_lint.browser.chromium import ChromiumMissing
from husky_lint.browser.tools_run import TOOL_S, NodeMissing, Workshop, workshop
from husky_lint.rule import Confidence, Finding, Reason, Ruling, Verdict

from .mutants import mutants

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from husky_lint.browser.tools_run import ToolRun
    from husky_lint.evidence import Evidence

ROW: Final = 14
_AUDIT: Final = "tools/audit.js"
_RED: Final = re.compile(
    r"(?<!\bno )(?<!\b0 )\bfail(?:s|ed|ure|ures)?\b|\bnot ok\b|[✗✘❌]|\berrors?: (?!none\b|0\b)", re.IGNORECASE
)
_THROWN: Final = re.compile(r"\b\w*(?:Error|Exception): \S")
_LONGER: Final = 3.0
"""How much longer than on the submission itself the audit may take on a broken copy."""
_GRACE_S: Final = 15.0


def judge_tools(evidence: Evidence, *, seconds: float = TOOL_S) -> Mapping[str, Ruling]:
    """Run the tools, ``seconds`` each at the most, and judge what they do.

    HB3007 is judged always, HB3005 and HB3006 where something shows them broken or kept.

    Raises nothing for what a submission does; without node or a browser HB3007 is unknown.
    """
    try:
        with workshop(evidence.submission) as place:
            runs = {tool: place.run(tool, seconds=seconds) for tool in _tools(evidence)}
            litter = _litter(evidence, place)
    except (NodeMissing, ChromiumMissing) as missing:
        return {"HB3007": Ruling((), {ROW: Verdict.unknown(Reason.NEEDS_BROWSER, str(missing))})}
    audit = runs.get(_AUDIT)
    broken = _broken(evidence, audit, seconds) if audit is not None and audit.ending == "clean" else {}
    found = {"HB3007": _clean(runs, broken)}
    if litter:
        found["HB3005"] = _failed("HB3005", f"the tools write into the project: {', '.join(litter[:5])}")
    if audit is not None and broken:
        silent = [title for title, run in broken.items() if run.ending == "clean" and _reds(run) > _reds(audit)]
        if silent:
            found["HB3006"] = _failed("HB3006", f"on {silent[0]} the audit says that it fails, and exits with 0")
        elif any(run.ending == "failed" for run in broken.values()):
            found["HB3006"] = Ruling((), {ROW: Verdict.passed("a broken copy makes the audit exit non-zero")})
    return found


def _tools(evidence: Evidence) -> Sequence[str]:
    value: Any = evidence.rubric.tolerance("HB1001", "tools").value
    return tuple(value)


def _broken(evidence: Evidence, audit: ToolRun, seconds: float) -> dict[str, ToolRun]:
    """The audit on broken copies, by what is wrong with each."""
    most = min(seconds, audit.seconds * _LONGER + _GRACE_S)
    found = {}
    for mutant in mutants(evidence):
        with workshop(mutant.submission) as place:
            found[mutant.title] = place.run(_AUDIT, seconds=most)
    return found


def _reds(run: ToolRun) -> int:
    return sum(bool(_RED.search(line)) for line in run.output.splitlines())


def _clean(runs: Mapping[str, ToolRun], broken: Mapping[str, ToolRun]) -> Ruling:
    findings = [
        Finding(_how(run), code="HB3007", data={"tool": tool, "exit": run.exit_code, "output": run.output[-1000:]})
        for tool, run in runs.items()
        if run.ending != "clean"
    ]
    findings += [
        Finding(f"the audit stays green on {title}", code="HB3007", data={"copy": title, "output": run.last_line})
        for title, run in broken.items()
        if run.ending == "clean"
    ]
    facts = {
        "tools": {tool: run.ending for tool, run in runs.items()},
        "the audit on broken copies": {title: _word(run) for title, run in broken.items()},
        "network": next((run.network for run in runs.values() if run.network), None),
    }
    data = {"measured": facts}
    if findings:
        return Ruling(tuple(findings), {ROW: Verdict.failed(data=data)})
    if not broken:
        detail = "the tools run clean; no broken copy could be made to try the audit on"
        return Ruling((), {ROW: Verdict.passed(detail, confidence=Confidence.LIKELY, data=data)})
    return Ruling((), {ROW: Verdict.passed("the tools run clean, and the audit fails on broken copies", data=data)})


def _word(run: ToolRun) -> str:
    return "green" if run.ending == "clean" else "red" if run.ending == "failed" else run.ending


def _how(run: ToolRun) -> str:
    if run.ending == "not run":
        return run.output
    if run.ending == "failed":
        return f"{run.tool} exits with {run.exit_code}: {_telling(run)}"
    return f"{run.tool} is {run.ending}: it was ended after {run.seconds:.0f} s"


def _telling(run: ToolRun) -> str:
    """The first line that says a failure, or what was thrown; else the last one."""
    lines = (line.strip() for line in run.output.splitlines())
    return next((line[:200] for line in lines if _RED.search(line) or _THROWN.search(line)), run.last_line)


def _litter(evidence: Evidence, place: Workshop) -> list[str]:
    """Files that the tools left in the copy."""
    known = set(evidence.submission.files)
    found = (path.relative_to(place.copy).as_posix() for path in sorted(place.copy.rglob("*")) if path.is_file())
    return [path for path in found if path not in known and "node_modules/" not in path]


def _failed(code: str, message: str) -> Ruling:
    return Ruling((Finding(message, code=code),), {ROW: Verdict.failed()})
