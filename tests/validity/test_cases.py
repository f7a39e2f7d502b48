"""The mutants, equivalents and decoys: every edit finds its place, and the lists are as wide as they must be."""

from __future__ import annotations

from typing import Any

import pytest

from husky_lint.packs import default_pack, load_pack
from validity.cases import FOLDERS, CaseError, base_files, load_cases, read_case
from validity.edits import EditError

EDIT = {"file": "index.html", "find": "<main>", "replace": "<main >"}


@pytest.mark.parametrize("kind", FOLDERS)
def test_every_edit_finds_its_place_and_changes_something(kind: Any) -> None:
    misfits = []
    for case in load_cases(kind):
        try:
            if case.files() == base_files(case.base):
                misfits.append(f"{case.name} changes nothing")
        except EditError as error:
            misfits.append(str(error))
    assert misfits == []


def test_every_clause_with_a_rule_has_a_mutant() -> None:
    attacked = {code for case in load_cases("mutant") for code, verdict in case.expect.items() if verdict == "fail"}
    assert load_pack(default_pack()).rules.keys() - attacked == set()


def test_every_failure_mode_of_the_spec_has_a_mutant() -> None:
    assert {case.mode for case in load_cases("mutant")} >= set(range(1, 12))


@pytest.mark.parametrize(
    "table",
    [
        {"name": "a", "edits": [EDIT], "expect": {"HB2101": "fail"}},
        {"name": "a", "what": "b", "edits": [EDIT], "expect": {"HB2999": "fail"}},
        {"name": "a", "what": "b", "edits": [EDIT]},
        {"name": "a", "what": "b", "edits": [EDIT], "expect": {"HB2101": "fail", "HB2102": "fail"}},
        {"name": "a", "what": "b", "edits": [EDIT], "expect": {"HB2101": "fail"}, "colour": 1},
        {"name": "a", "what": "b", "edits": [{"file": "x"}], "expect": {"HB2101": "fail"}},
    ],
)
def test_a_case_that_says_too_little_is_an_error(table: dict[str, Any]) -> None:
    with pytest.raises(CaseError):
        read_case("mutant", table)
