"""Static verdicts of cases, on every processor, kept by content so that only what changed is judged again."""

from __future__ import annotations

import gc
import hashlib
import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from husky_lint import check
from husky_lint.batch.processes import available_jobs
from husky_lint.collecting import collect_rarely, rare_collections
from husky_lint.evidence import StaticEvidence
from husky_lint.judging import rulings_of
from husky_lint.packs import default_pack, load_pack
from husky_lint.submission import Submission

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from husky_lint.scorecard import Scorecard
    from validity.edits import Files

REPOSITORY = Path(__file__).resolve().parent.parent
STORE = REPOSITORY / "build" / "validity"
DECOY = "HB9001"
_WORST = ("fail", "unknown", "pass", "n/a")


@dataclass(frozen=True, slots=True)
class Judged:
    """What was said of one case.

    ``clauses`` has a verdict a code, the worst of its rows; ``reasons`` why some are unknown; ``rows`` a verdict a row;
    ``findings`` one line each, errors first; ``decoys`` whether HB9001 was among them.
    """

    clauses: Mapping[str, str]
    reasons: Mapping[str, str]
    rows: Mapping[int, str]
    findings: tuple[str, ...]
    decoys: bool

    @classmethod
    def of(cls, card: Scorecard) -> Judged:
        """The gist of a card."""
        clauses, reasons = {}, {}
        for code, results in card.clauses.items():
            worst = min((r.verdict for r in results), key=lambda verdict: _WORST.index(verdict.judgement.value))
            clauses[code] = worst.judgement.value
            if worst.reason is not None:
                reasons[code] = f"{worst.reason.value} {worst.detail}".strip()
        return cls(
            clauses,
            reasons,
            {row.row.number: row.verdict.value for row in card.rows},
            tuple(f"{found.severity.value[0].upper()} {found.code} {found.message}" for found in card.findings),
            any(found.code == DECOY for found in card.findings),
        )

    @classmethod
    def loads(cls, text: str) -> Judged:
        """The inverse of :meth:`dumps`."""
        kept = json.loads(text)
        rows = {int(row): verdict for row, verdict in kept["rows"].items()}
        return cls(kept["clauses"], kept["reasons"], rows, tuple(kept["findings"]), kept["decoys"])

    def dumps(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self))


def differences(base: Judged, other: Judged) -> dict[str, str]:
    """The clauses whose verdict is another than the base's, with the verdict."""
    return {code: verdict for code, verdict in other.clauses.items() if verdict != base.clauses[code]}


def row_differences(base: Judged, other: Judged) -> dict[int, str]:
    """The rows whose verdict is another than the base's, with the verdict."""
    return {row: verdict for row, verdict in other.rows.items() if verdict != base.rows[row]}


def judge_files(name: str, files: Files) -> Judged:
    """One submission by the rules of the source."""
    try:
        return Judged.of(check(Submission.from_files(files, name)))
    finally:
        gc.collect()  # what is collected rarely goes here, all at once


def judge_clauses(name: str, files: Files, codes: Collection[str]) -> dict[str, str]:
    """The verdicts on some clauses alone, the worst of their rows."""
    pack = load_pack(default_pack())
    evidence = StaticEvidence(Submission.from_files(files, name), pack.rubric)
    try:
        with rare_collections():
            rulings = rulings_of(evidence, pack, codes)
    finally:
        gc.collect()
    return {
        code: min((verdict.judgement.value for verdict in ruling.verdicts.values()), key=_WORST.index)
        for code, ruling in rulings.items()
    }


def judge_all(work: Sequence[tuple[str, Files]], jobs: int = 0) -> Iterator[Judged]:
    """The verdicts of all, in order, as they become ready."""
    with ProcessPoolExecutor(jobs or available_jobs(), initializer=collect_rarely) as pool:
        yield from pool.map(judge_files, [name for name, _ in work], [files for _, files in work], chunksize=4)


def judge_kept(work: Sequence[tuple[str, Files]], jobs: int = 0) -> Iterator[Judged]:
    """As :func:`judge_all`, but what was judged before by the same code is read from the store."""
    STORE.mkdir(parents=True, exist_ok=True)
    code = code_digest("husky_lint", "rules")
    places = [STORE / f"{digest(files, code)}.json" for _, files in work]
    missing = {place: pair for place, pair in zip(places, work, strict=True) if not place.is_file()}
    fresh = zip(missing, judge_all(list(missing.values()), jobs), strict=True)
    ready: set[Path] = set()
    for place in places:
        while place in missing and place not in ready:
            done, judged = next(fresh)
            done.write_text(judged.dumps())
            ready.add(done)
        yield Judged.loads(place.read_text())


def digest(files: Files, code: str) -> str:
    """A name for these files judged by that code."""
    summed = hashlib.sha256(code.encode())
    for name in sorted(files):
        summed.update(f"\0{name}\0{len(files[name])}\0".encode() + files[name])
    return summed.hexdigest()[:32]


def code_digest(*folders: str) -> str:
    """A name for the present state of the code in these folders of the repository."""
    summed = hashlib.sha256()
    for folder in folders:
        for path in sorted((REPOSITORY / folder).rglob("*")):
            if path.suffix in {".py", ".toml", ".json", ".js"}:
                summed.update(path.read_bytes())
    return summed.hexdigest()
