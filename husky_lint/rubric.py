"""The rubric of a pack: rows and weights, what each clause feeds, every tolerance. Read from ``rubric.toml``."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from husky_lint.style.vocabulary import Axis, AxisValue, StateVocabulary

if TYPE_CHECKING:
    from pathlib import Path

Value: TypeAlias = "float | int | str | tuple[Value, ...] | Mapping[str, Value]"
"""A tolerance: numbers and texts, tuples of them, or a mapping such as pace → seconds."""

DEFAULT = "default"
_CODE = re.compile(r"HB\d{4}")


class RubricError(ValueError):
    """``rubric.toml`` does not say what a rubric must say."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the score: ``weight`` points."""

    number: int
    title: str
    weight: int


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of the contract. ``rows`` is empty for a clause that is reported and never scored.

    ``core`` is ``None`` where it depends on what fails: the rule says so at run time (not core unless it does), and an
    unknown verdict counts as core in the worst case.
    """

    code: str
    name: str
    title: str
    rows: tuple[int, ...]
    core: bool | None


@dataclass(frozen=True, slots=True)
class Tolerance:
    """A number of the contract with its source: a section of the spec, or ``chosen``."""

    name: str
    value: Value
    source: str
    unit: str = ""


@dataclass(frozen=True)
class Rubric:
    """Everything a pack says about scoring.

    ``vocabulary`` has the words of each state axis, for the state inference. ``default`` marks the pack that judges
    when none is named and there are several.
    """

    title: str
    stated_total: int
    rows: tuple[Row, ...]
    clauses: Mapping[str, Clause]
    tolerances: Mapping[str, Mapping[str, Tolerance]]
    vocabulary: StateVocabulary
    default: bool = False

    @functools.cached_property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(row.weight for row in self.rows)

    def row(self, number: int) -> Row:
        """The row of that number."""
        return next(row for row in self.rows if row.number == number)

    def tolerance(self, code: str, name: str) -> Tolerance:
        """A tolerance of a clause, else the default of that name; raises :class:`RubricError` when there is neither."""
        found = self.tolerances.get(code, {}).get(name) or self.tolerances.get(DEFAULT, {}).get(name)
        if found is None:
            raise RubricError(f"the rubric has no tolerance {name!r} for {code}")
        return found


def load_rubric(path: Path) -> Rubric:
    """Read and validate a rubric file; raises :class:`RubricError`."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RubricError(f"{path.name}: {error}") from error
    return parse_rubric(table)


def parse_rubric(table: Mapping[str, Any]) -> Rubric:
    """A rubric from its TOML table; raises :class:`RubricError`."""
    try:
        rows = tuple(Row(int(r["number"]), str(r["title"]), int(r["weight"])) for r in table["row"])
        clauses = {code: _clause(code, entry) for code, entry in table["clauses"].items()}
        tolerances = {
            code: MappingProxyType({name: _tolerance(f"{code}.{name}", name, entry) for name, entry in entries.items()})
            for code, entries in table.get("tolerance", {}).items()
        }
        rubric = Rubric(
            title=str(table["score"]["title"]),
            stated_total=int(table["score"]["stated_total"]),
            rows=rows,
            clauses=MappingProxyType(clauses),
            tolerances=MappingProxyType(tolerances),
            vocabulary=StateVocabulary(tuple(_axis(name, entry) for name, entry in table.get("states", {}).items())),
            default=bool(table["score"].get("default", False)),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise RubricError(f"the rubric lacks {error}") from error
    _validate(rubric)
    return rubric


def _validate(rubric: Rubric) -> None:
    numbers = [row.number for row in rubric.rows]
    if len(set(numbers)) != len(numbers) or any(row.weight <= 0 for row in rubric.rows):
        raise RubricError("rows need distinct numbers and positive weights")
    names = [clause.name for clause in rubric.clauses.values()]
    if len(set(names)) != len(names):
        raise RubricError("two clauses share a name")
    for clause in rubric.clauses.values():
        if not _CODE.fullmatch(clause.code):
            raise RubricError(f"{clause.code!r} is no code")
        if not set(clause.rows) <= set(numbers):
            raise RubricError(f"{clause.code} feeds a row that does not exist")
    unfed = set(numbers) - {number for clause in rubric.clauses.values() for number in clause.rows}
    if unfed:
        raise RubricError(f"no clause feeds row {min(unfed)}")
    for code in rubric.tolerances:
        if code != DEFAULT and code not in rubric.clauses:
            raise RubricError(f"tolerances for {code}, which is no clause")


def _clause(code: str, entry: Mapping[str, Any]) -> Clause:
    _only_known(code, entry, {"name", "title", "row", "rows", "core"})
    rows = tuple(int(r) for r in entry.get("rows", [entry["row"]] if "row" in entry else []))
    core = entry.get("core", False)
    if core not in (True, False, "conditional"):
        raise RubricError(f"{code}: core is true, false or 'conditional'")
    return Clause(code, str(entry["name"]), str(entry["title"]), rows, None if core == "conditional" else bool(core))


def _tolerance(place: str, name: str, entry: Mapping[str, Any]) -> Tolerance:
    if not str(entry.get("source", "")):
        raise RubricError(f"{place} does not say where its number comes from")
    return Tolerance(name, _frozen(entry["value"]), str(entry["source"]), str(entry.get("unit", "")))


def _axis(name: str, entry: Mapping[str, Any]) -> Axis:
    _only_known(f"states.{name}", entry, {"default", "hints", "keys", "media", "media_decides", "values"})
    values = tuple(_axis_value(f"states.{name}", value) for value in entry["values"])
    media = {str(value): dict(fields) for value, fields in entry.get("media", {}).items()}
    names = {value.name for value in values}
    if len(names) != len(values) or not {entry["default"], *media} <= names:
        raise RubricError(f"states.{name}: default and media must name its values, each of which stands once")
    return Axis(
        name,
        values,
        str(entry["default"]),
        frozenset(entry.get("hints", ())),
        tuple(entry.get("keys", ())),
        MappingProxyType(media),
        bool(entry.get("media_decides", False)),
    )


def _axis_value(place: str, entry: Mapping[str, Any]) -> AxisValue:
    _only_known(place, entry, {"name", "words", "weak", "labels"})
    words, weak, labels = (frozenset(map(str, entry.get(key, ()))) for key in ("words", "weak", "labels"))
    return AxisValue(str(entry["name"]), words, weak, labels)


def _only_known(place: str, entry: Mapping[str, Any], known: set[str]) -> None:
    unknown = set(entry) - known
    if unknown:
        raise RubricError(f"{place} says {', '.join(sorted(unknown))}, which means nothing")


def _frozen(value: Any) -> Value:
    if isinstance(value, Mapping):
        return MappingProxyType({str(key): _frozen(item) for key, item in value.items()})
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, (int, float, str)):
        return value
    raise RubricError(f"{value!r} is no number, text, list or table")
