"""What Chromium says of cases, next to what the source says: the confirm pass on files in memory, kept by content."""

from __future__ import annotations

import json
import time
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from husky_lint.batch.processes import available_jobs
from husky_lint.submission import Submission
from validity.judging import STORE, code_digest, digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from husky_lint.browser.confirming import Confirmation
    from validity.edits import Files

Work = tuple[str, "Files", "tuple[int, ...] | None"]
"""A name, the files, and the rows to measure (None: all, and the contract)."""
PACK = "husky"
SECONDS = 180.0


@dataclass(frozen=True, slots=True)
class Measured:
    """The confirm pass on one case.

    ``static`` and ``clauses`` have a verdict a code, the worst of its rows, by the source and by the browser; only
    what was measured is in ``clauses``. ``rows`` are the rows by what counts in the end. ``trouble`` says why little
    could be measured.
    """

    static: Mapping[str, str] = field(default_factory=dict)
    clauses: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[int, str] = field(default_factory=dict)
    moved: int = 0
    """Boxes that are not where the source puts them."""
    trouble: str = ""

    @classmethod
    def of(cls, confirmation: Confirmation) -> Measured:
        """The gist of a confirmation."""
        order = ("fail", "unknown", "pass", "n/a")
        static: dict[str, str] = {}
        clauses: dict[str, str] = {}
        for one in confirmation.clauses:
            pairs = [(static, one.static.judgement.value)]
            pairs += [(clauses, one.measured.judgement.value)] if one.measured is not None else []
            for into, said in pairs:
                into[one.code] = min(said, into.get(one.code, said), key=order.index)
        rows = {row.row.number: row.verdict.value for row in confirmation.card.rows}
        return cls(static, clauses, rows, confirmation.spot_check.differing, confirmation.trouble)

    @classmethod
    def loads(cls, text: str) -> Measured:
        """The inverse of :meth:`dumps`."""
        kept = json.loads(text)
        rows = {int(row): verdict for row, verdict in kept["rows"].items()}
        return cls(kept["static"], kept["clauses"], rows, kept["moved"], kept["trouble"])

    def dumps(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self))


def measure(work: Work) -> Measured:
    """One case, with the browser of this process."""
    from husky_lint.browser.confirming import confirm
    from husky_lint.browser.live import Using
    from husky_lint.browser.pool import browser

    name, files, rows = work
    session = browser()
    session.allow(SECONDS)
    return Measured.of(confirm(Submission.from_files(files, name), session, rows=rows, live=Using(PACK)))


def measure_kept(work: Sequence[Work], seconds: float, jobs: int = 0) -> Iterator[Measured | None]:
    """All cases in order, what was measured before by the same code from the store.

    After so many seconds nothing more is begun: what is left gives None.
    """
    ends = time.monotonic() + seconds
    STORE.mkdir(parents=True, exist_ok=True)
    code = code_digest("husky_lint", "rules", "validity")
    places = [STORE / f"{digest(files, f'{code} {rows}')}.measured.json" for _, files, rows in work]
    waiting = {place: one for place, one in zip(places, work, strict=True) if not place.is_file()}
    fresh = _measured(list(waiting.values()), jobs or available_jobs(), ends)
    for place in places:
        while place in waiting:
            done = next(iter(waiting))
            found = next(fresh, None)
            if found is None:
                break
            del waiting[done]
            done.write_text(found.dumps())
        yield Measured.loads(place.read_text()) if place.is_file() else None


def _measured(work: Sequence[Work], jobs: int, ends: float) -> Iterator[Measured]:
    """In processes; a case that costs its process is told as trouble, and those in flight with it are done again.

    Ends early at the time ``ends``.
    """
    rest = list(work)
    alone = False
    while rest and time.monotonic() < ends:
        with ProcessPoolExecutor(1 if alone else jobs) as pool:
            batch = rest[:1] if alone else rest[: 2 * jobs]
            futures: list[Future[Measured]] = [pool.submit(measure, one) for one in batch]
            alone = False
            for future in futures:
                try:
                    found = future.result()
                except BrokenProcessPool:
                    if len(batch) > 1:
                        alone = True
                        break
                    found = Measured(trouble="the process that measured it died")
                except Exception as error:
                    found = Measured(trouble=f"{type(error).__name__}: {error}"[:200])
                del rest[0]
                yield found
