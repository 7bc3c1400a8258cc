"""Rows that something else counts: the same whole numbers as where the rows themselves are at hand."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from tests.query.helpers import question
from workbench.core.filtering import parse
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.table import Column, Table
from workbench.query import rows as rows_module
from workbench.query.rows import Rows

SCHEMA = Schema(
    (
        ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 90.0), missing=("", "?")),
        ColumnSpec("pay", Kind.DECIMAL, bounds=(-1.0, 1e6)),
        ColumnSpec("town", Kind.CATEGORY, domain=("A", "B", "C", "D")),
    )
)
AGES = ("17", "18", "30", "031", "89", "120", "-4", "", "?", "many")
PAYS = ("0", "0.005", "12.5", "-3", "999999.99", "7", "", "1e3", "1234.56")
TOWNS = ("A", "B", "C", "D", "elsewhere", "")
FILTERS = ("", "age >= 18", "town = 'A' or pay > 7", "not (age < 30 and town = 'B')", "age = 17 and age = 18")
PAY = {"column": "pay", "lower": "-1", "upper": "1000000", "resolution": "0.005"}
AGE = {"column": "age", "lower": "0", "upper": "90"}
QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("count", {}),
    ("sum", AGE),
    ("sum", PAY),
    ("mean", PAY),
    ("variance", AGE),
    ("standard-deviation", PAY),
    ("histogram", {**AGE, "bins": 4}),
    ("histogram2d", {**AGE, "bins": 4, "second_column": "town"}),
    ("group-by", {"by_column": "town", "statistic": "mean", **PAY}),
    ("group-by", {"by_column": "town", "statistic": "sum", **PAY, "missing": "3", "other": True}),
    ("group-by", {"by_column": "town", "statistic": "count"}),
    ("above-threshold", {"questions": "age > 17\ntown = 'A' or age < 3\nnot pay < 7\npay is missing", "threshold": 2}),
    ("above-threshold", {"column": "town", "threshold": 2}),
]


class Elsewhere(Table):
    """A table whose rows nobody may look at; it tells how many rows have which numbers, and how often it did."""

    in_memory = False

    def combinations(self, numbers: Any, progress: Any = None) -> Any:
        found = super().combinations(numbers)
        self.brought.append(len(found[1]))
        return found

    @property
    def brought(self) -> list[int]:
        return self.__dict__.setdefault("_brought", [])


def columns(count: int, seed: int = 1) -> tuple[Column, ...]:
    draw = random.Random(seed)
    kinds = {"age": AGES, "pay": PAYS, "town": TOWNS}
    return tuple(Column.from_texts(name, draw.choices(kind, k=count)) for name, kind in kinds.items())


def measured(table: Table, kind: str, values: dict[str, Any], where: str) -> dict[str, list[Any]]:
    asked = question(kind, where=where, described=SCHEMA, **values)
    statistic = asked.mechanism.measure(Rows.of(table, SCHEMA, asked.where))
    return {name: found.tolist() for name, found in statistic.items()}


@pytest.mark.parametrize("most", [5, 40, rows_module._MOST_COMBINATIONS])
def test_every_question_finds_the_same(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few combinations may be brought at once: numbers are then added up by some of their bits at a time."""
    monkeypatch.setattr(rows_module, "_MOST_COMBINATIONS", most)
    here, there = Table(columns(120)), Elsewhere(columns(120))
    for kind, values in QUESTIONS:
        for where in FILTERS:
            assert measured(there, kind, values, where) == measured(here, kind, values, where), (kind, values, where)


@pytest.mark.parametrize("where", FILTERS)
def test_as_many_rows_are_chosen(where: str) -> None:
    chosen = parse(where, SCHEMA) if where else None
    rows = [len(Rows.of(table, SCHEMA, chosen)) for table in (Table(columns(300)), Elsewhere(columns(300)))]
    assert rows[0] == rows[1] and (rows[0] < 300) == bool(where)


def test_what_is_brought_follows_what_is_asked_and_not_the_rows() -> None:
    """Places of the age, of the town and the three answers of a filter; six hundred rows have many more values."""
    draw = random.Random(2)
    pays = Column.from_texts("pay", [str(draw.random()) for _ in range(600)])
    there = Elsewhere((*columns(600)[::2], pays))
    measured(there, "histogram2d", {**AGE, "bins": 4, "second_column": "town"}, "pay > 0.5 and pay < 0.7")
    assert there.brought and max(there.brought) <= (4 + 2) * (4 + 1) * 3


def test_many_numbers_by_few_groups_are_brought_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 40
    monkeypatch.setattr(rows_module, "_MOST_COMBINATIONS", most)
    there = Elsewhere(columns(2000))
    measured(there, "group-by", {"by_column": "town", "statistic": "mean", **PAY}, "")
    assert len(there.brought) > 1 and max(there.brought) <= most


def test_the_number_of_rows_one_by_one_is_checked_before(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, str]] = []
    monkeypatch.setattr(Table, "check_room", lambda self, size, what: asked.append((size, what)))
    there = Elsewhere(columns(100))
    chosen = parse("age >= 18", SCHEMA)
    rows = Rows.of(there, SCHEMA, chosen).one_by_one("medians")
    assert asked[0][0] >= 100 * 16 and "100 rows one by one, for medians" in asked[0][1]
    here = Rows.of(Table(columns(100)), SCHEMA, chosen)
    assert rows.codes("age").tolist() == here.codes("age").tolist()
    assert len(Rows.of(there, SCHEMA, None).one_by_one("medians")) == 100


def test_counting_can_be_cancelled() -> None:
    token = CancelToken()
    token.cancel()
    filters = [parse(text, SCHEMA) for text in ("age > 17", "pay > 7")]
    with pytest.raises(Cancelled):
        Rows.of(Table(columns(10)), SCHEMA, None).matching(filters, SCHEMA, Progress(token=token))


def test_what_is_described_otherwise_is_counted_otherwise() -> None:
    """A filter of a question means what its own description says."""
    town = SCHEMA["town"]
    other = replace(SCHEMA, columns=(*SCHEMA.columns[:2], replace(town, missing=("A",))))
    missing = parse("town is missing", other)
    for table in (Table(columns(50)), Elsewhere(columns(50))):
        assert Rows.of(table, SCHEMA, None).matching([missing], other)[0] >= table["town"].texts().count("A") > 0
