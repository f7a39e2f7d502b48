"""The rubric file: what it says, and what it may not say."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

from husky_lint.packs import default_pack, pack_rubric
from husky_lint.rubric import RubricError, load_rubric, parse_rubric
from husky_lint.style.media import MediaContext

if TYPE_CHECKING:
    from pathlib import Path

TABLE: dict[str, Any] = {
    "score": {"title": "t", "stated_total": 5},
    "row": [{"number": 1, "title": "one", "weight": 5}],
    "clauses": {
        "HB7001": {"name": "a", "title": "A", "row": 1, "core": True},
        "HB7002": {"name": "b", "title": "B", "rows": [1], "core": "conditional"},
        "HB7003": {"name": "c", "title": "C"},
    },
    "tolerance": {
        "default": {"angle": {"value": 5, "source": "chosen"}},
        "HB7001": {"angle": {"value": [1, 2], "source": "spec §1", "unit": "degrees"}},
    },
    "states": {"pace": {"default": "go", "values": [{"name": "go", "words": ["go"]}, {"name": "stop"}]}},
}


def test_the_husky_rubric() -> None:
    rubric = pack_rubric("husky")
    assert default_pack() == "husky"
    assert [row.weight for row in rubric.rows] == [3, 8, 8, 4, 6, 4, 6, 6, 5, 4, 4, 3, 2, 6, 2]
    assert (rubric.total, rubric.stated_total) == (71, 75)
    assert rubric.clauses["HB1001"].rows == (1, 14)
    assert rubric.clauses["HB2114"].rows == ()
    assert rubric.clauses["HB2401"].core is True
    assert rubric.clauses["HB1009"].core is None
    sources = {t.source for table in rubric.tolerances.values() for t in table.values()}
    assert all(source == "chosen" or source.startswith("spec §") for source in sources)


def test_a_clauses_own_number_wins_over_the_default() -> None:
    rubric = parse_rubric(TABLE)
    assert rubric.tolerance("HB7001", "angle").value == (1, 2)
    assert rubric.tolerance("HB7002", "angle").value == 5
    with pytest.raises(RubricError, match="no tolerance 'width' for HB7002"):
        rubric.tolerance("HB7002", "width")


def test_the_states_of_a_husky_page() -> None:
    vocabulary = pack_rubric("husky").vocabulary
    names = {axis.name: [value.name for value in axis.values] for axis in vocabulary.axes}
    assert names == {
        "pace": ["stroll", "walk", "hop", "zoomies"],
        "theme": ["day", "night"],
        "paused": ["false", "true"],
        "motion": ["full", "reduced"],
    }
    assert [axis.default for axis in vocabulary.axes] == ["walk", "day", "false", "full"]
    for axis in vocabulary.axes:
        for fields in axis.media.values():
            MediaContext(**fields)


def test_core() -> None:
    clauses = parse_rubric(TABLE).clauses
    assert [clauses[code].core for code in sorted(clauses)] == [True, None, False]


@pytest.mark.parametrize(
    ("place", "value", "complaint"),
    [
        (("score",), {}, "title"),
        (("row",), [{"number": 1, "title": "one", "weight": 0}], "weights"),
        (("row",), [*TABLE["row"], *TABLE["row"]], "distinct"),
        (("row",), [*TABLE["row"], {"number": 2, "title": "two", "weight": 1}], "feeds row 2"),
        (("clauses", "HB7003", "name"), "a", "share a name"),
        (("clauses", "HB7003", "row"), 9, "does not exist"),
        (("clauses", "HB7003", "core"), "maybe", "core"),
        (("clauses", "HB7003", "colour"), "red", "means nothing"),
        (("clauses", "X1"), {"name": "x", "title": "X"}, "no code"),
        (("tolerance", "HB7009"), {"a": {"value": 1, "source": "chosen"}}, "no clause"),
        (("tolerance", "default", "angle"), {"value": 5}, "where its number comes from"),
        (("tolerance", "default", "angle"), {"value": None, "source": "chosen"}, "no number"),
        (("clauses",), [], "lacks"),
        (("states", "pace", "default"), "fly", "must name its values"),
        (("states", "pace", "media"), {"fly": {"width": 1}}, "must name its values"),
        (("states", "pace", "colour"), "red", "means nothing"),
        (("states", "pace", "values"), [{"name": "go"}, {"name": "go"}], "stands once"),
    ],
)
def test_what_is_refused(place: tuple[str, ...], value: Any, complaint: str) -> None:
    table = copy.deepcopy(TABLE)
    inner = table
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    with pytest.raises(RubricError, match=complaint):
        parse_rubric(table)


def test_a_file_that_is_no_toml(tmp_path: Path) -> None:
    (tmp_path / "rubric.toml").write_text("[score")
    with pytest.raises(RubricError):
        load_rubric(tmp_path / "rubric.toml")
