"""Mutants fail on what they break, decoys do not pass on what they attack; of a sample nothing else changes.

Here each case is judged on the clauses that it is about, and a sample of all kinds whole. ``make validity`` judges
every case whole, and in Chromium.
"""

from __future__ import annotations

import functools
import random

import pytest

from validity.cases import Case, base_files, load_cases
from validity.judging import Judged, judge_clauses, judge_files
from validity.table import Outcome

SAMPLED = {"mutant": 8, "equivalent": 6, "decoy": 2}
CASES = {kind: load_cases(kind) for kind in ("mutant", "equivalent", "decoy")}
SAMPLE = [case for kind, count in SAMPLED.items() for case in random.Random(6).sample(CASES[kind], count)]
REST = [case for kind in ("mutant", "decoy") for case in CASES[kind] if case not in SAMPLE]


@functools.cache
def base(name: str) -> Judged:
    return judge_files(name, dict(base_files(name)))


@pytest.mark.parametrize("case", SAMPLE, ids=lambda case: case.name)
def test_the_whole_card_is_as_expected(case: Case) -> None:
    assert Outcome(case, base(case.base), judge_files(case.name, case.files())).surprises == []


@pytest.mark.parametrize("case", REST, ids=lambda case: case.name)
def test_what_a_case_is_about(case: Case) -> None:
    verdicts = judge_clauses(case.name, case.files(), case.expect)
    if case.kind == "decoy":
        assert "pass" not in verdicts.values(), verdicts
    else:
        assert verdicts == {code: case.from_source[code] for code in case.expect}
