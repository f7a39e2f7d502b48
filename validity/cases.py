"""What there is to judge: the bundled submissions, and the mutants, equivalents and decoys made of them.

The three are data, ``fixtures/mutants``, ``fixtures/equivalents`` and ``fixtures/decoys``: TOML files with a table for
each case (:func:`read_case` says what it holds).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from husky_lint.packs import default_pack, pack_rubric
from husky_lint.submission import Submission
from validity.edits import Change, EditError, Files, read_edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
CORPUS = FIXTURES.parent.parent / "shared" / "corpus"
BASE = "reference"

Kind = Literal["mutant", "equivalent", "decoy", "whole"]
FOLDERS: Mapping[Kind, str] = {"mutant": "mutants", "equivalent": "equivalents", "decoy": "decoys"}
AUDITED = "HB3007"
"""The clause that fails too when the audit asserts what a mutant breaks: its tools no longer run clean."""
_KEYS = {"name", "what", "base", "edits", "expect", "also", "static", "rows", "audited", "because", "mode"}


class CaseError(ValueError):
    """A case that is not spelled as it must be. The message is one line."""


@dataclass(frozen=True)
class Case:
    """One submission to judge, and what has to come of it.

    ``expect`` has the clauses that it is about, ``also`` those that change as a consequence, both with the truth;
    ``static`` what is said instead where the source alone cannot tell. ``rows`` are the rows that differ. For a decoy
    ``expect`` names the clauses that it attacks: nothing of them may pass.
    """

    kind: Kind
    name: str
    what: str
    base: str = BASE
    edits: tuple[Change, ...] = ()
    expect: Mapping[str, str] = field(default_factory=dict)
    also: Mapping[str, str] = field(default_factory=dict)
    static: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[int, str] = field(default_factory=dict)
    because: str = ""
    mode: int = 0
    """The one of the spec's failure modes (section 7) that it shows, from 1."""
    folder: Path | None = None
    """A submission that is judged as it is."""

    @property
    def truth(self) -> dict[str, str]:
        """The verdicts that are other than the base's."""
        return {**self.expect, **self.also}

    @property
    def from_source(self) -> dict[str, str]:
        """The verdicts that the source alone gives, other than the base's."""
        return {**self.expect, **self.also, **self.static}

    @property
    def rows_measured(self) -> tuple[int, ...] | None:
        """The rows that the case has to do with; None for all."""
        if self.kind in ("whole", "equivalent"):
            return None
        clauses = pack_rubric(default_pack()).clauses
        fed = {row for code in self.truth for row in clauses[code].rows}
        return tuple(sorted(fed | self.rows.keys())) or None

    def files(self) -> Files:
        """The files of the case; raises EditError where an edit does not fit its base."""
        files = dict(base_files(self.base) if self.folder is None else folder_files(self.folder))
        for edit in self.edits:
            try:
                edit(files)
            except EditError as error:
                raise EditError(f"{self.kind} {self.name}: {error}") from None
        return files

    def submission(self) -> Submission:
        """The case as a submission in memory."""
        return Submission.from_files(self.files(), self.name)


@cache
def folder_files(folder: Path) -> Mapping[str, bytes]:
    """The files of a submission in a folder."""
    return {path: file.raw for path, file in Submission.from_folder(folder).files.items()}


def base_files(name: str) -> Mapping[str, bytes]:
    """The files of a bundled submission, by name within ``fixtures``."""
    return folder_files(FIXTURES / name)


def whole_cases() -> tuple[Case, ...]:
    """The submissions that are judged as they are: the reference, its variants, and the corpus where there is one."""
    places = {"reference": [FIXTURES / BASE], "variants": _folders(FIXTURES / "variants"), "corpus": _folders(CORPUS)}
    return tuple(
        Case("whole", folder.name, what, folder=folder) for what, folders in places.items() for folder in folders
    )


def _folders(home: Path) -> list[Path]:
    return sorted(path.parent for path in home.glob("*/index.html"))


def load_cases(kind: Kind) -> tuple[Case, ...]:
    """All cases of a kind in the order of their files; raises CaseError."""
    found: dict[str, Case] = {}
    for path in sorted((FIXTURES / FOLDERS[kind]).glob("*.toml")):
        for case in _read_file(kind, path):
            if case.name in found:
                raise CaseError(f"{path.name}: there are two named {case.name}")
            found[case.name] = case
    return tuple(found.values())


def _read_file(kind: Kind, path: Path) -> Iterator[Case]:
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        if tables.keys() != {kind}:
            raise CaseError(f"only [[{kind}]] tables, not {sorted(tables)}")
        for table in tables[kind]:
            yield read_case(kind, table)
    except (tomllib.TOMLDecodeError, CaseError) as error:
        raise CaseError(f"{path.name}: {error}") from error


def read_case(kind: Kind, table: Mapping[str, Any]) -> Case:
    """A case from its table; raises CaseError.

    ``name``; ``what``, a sentence; ``edits`` (:func:`~validity.edits.read_edit`) of ``base``; ``expect``, ``also`` and
    ``static``, code → verdict; ``rows``, row → verdict; ``audited``, the audit asserts what is broken, so that HB3007
    fails with it; ``because``, why more than one clause changes, or why the source cannot tell; ``mode``, the number
    of a failure mode of the spec.
    """
    name = str(table.get("name", "?"))
    if table.keys() - _KEYS or not {"name", "what", "edits"} <= table.keys():
        raise CaseError(f"{name}: keys {sorted(table)}")
    expect = {str(code): str(verdict) for code, verdict in table.get("expect", {}).items()}
    also = {str(code): str(verdict) for code, verdict in table.get("also", {}).items()}
    static = {str(code): str(verdict) for code, verdict in table.get("static", {}).items()}
    rows = {int(row): str(verdict) for row, verdict in table.get("rows", {}).items()}
    because = str(table.get("because", ""))
    if table.get("audited"):
        also[AUDITED] = "fail"
        rows.setdefault(14, "partial")
        because = because or "the audit asserts it"
    clauses = pack_rubric(default_pack()).clauses
    if unknown := {*expect, *also, *static} - clauses.keys():
        raise CaseError(f"{name}: no clause {', '.join(sorted(unknown))}")
    if (kind == "equivalent") is bool(expect):
        raise CaseError(f"{name}: {'nothing may change' if expect else 'says nothing of what changes'}")
    if kind == "mutant" and (also or static or len(expect) > 1) and not because:
        raise CaseError(f"{name}: does not say why more than one clause changes, or why the source cannot tell")
    try:
        edits = tuple(read_edit(edit) for edit in table["edits"])
    except (EditError, KeyError) as error:
        raise CaseError(f"{name}: {error}") from error
    return Case(
        kind,
        name,
        str(table["what"]),
        str(table.get("base", BASE)),
        edits,
        expect,
        also,
        static,
        rows,
        because,
        int(table.get("mode", 0)),
    )
