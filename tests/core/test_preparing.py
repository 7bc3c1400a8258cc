"""The working table: every step looks at one row, or one person's rows, and is counted."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.randomness import SecureSource, SeededSource
from workbench.core.schema import ColumnSpec, Format, Kind, Misfits, PrivacyUnit, Schema
from workbench.core.table import Column, Table
from workbench.core.working_table import Preparation, PreparedTable, changes_nothing, limited, prepare


def table(**columns: list[str]) -> Table:
    return Table(tuple(Column.from_texts(name, texts) for name, texts in columns.items()))


PEOPLE = table(
    who=["ann", "bob", "ann", "", "cid", "ann", "bob", ""],
    age=["30", "x", "31", "5", "", "n/a", "40", "7"],
    city=["Ulm", "Bonn", "Ulm", "Bonn", "Ulm", "Bonn", "Ulm", "Bonn"],
)
SCHEMA = Schema((ColumnSpec("who"), ColumnSpec("age", Kind.INTEGER), ColumnSpec("city", Kind.CATEGORY)))


def with_age(policy: Misfits, schema: Schema = SCHEMA, **changes: object) -> Schema:
    return schema.changed(["age"], lambda c: ColumnSpec("age", Kind.INTEGER, misfits=policy, **changes))  # type: ignore[arg-type]


def made(preparation: Preparation, schema: Schema = SCHEMA, seed: int = 1) -> PreparedTable:
    return prepare(PEOPLE, schema, preparation, SeededSource(seed))


def test_the_default_changes_and_copies_nothing() -> None:
    prepared = made(Preparation())
    assert prepared.table is PEOPLE
    assert prepared.population is PEOPLE
    assert (prepared.rows_read, prepared.filtered_out, prepared.over_limit, dict(prepared.misfits)) == (8, 0, 0, {})
    assert changes_nothing(SCHEMA, Preparation(where="  "))
    assert not changes_nothing(with_age(Misfits.MISSING), Preparation())
    # A filter that lets every row through copies nothing either.
    assert made(Preparation(where="city is not missing")).table is PEOPLE


def test_a_filter_keeps_order_and_counts() -> None:
    prepared = made(Preparation(where="city = 'Ulm'"))
    assert prepared.table["age"].texts() == ["30", "31", "", "40"]
    assert (prepared.rows_read, prepared.filtered_out) == (8, 4)
    assert prepared.population is prepared.table


def test_misfits_become_missing_before_the_filter_looks() -> None:
    prepared = made(Preparation(where="age is missing"), with_age(Misfits.MISSING))
    assert prepared.table["who"].texts() == ["bob", "cid", "ann"]
    assert prepared.table["age"].texts() == ["", "", ""]
    assert dict(prepared.misfits) == {"age": 2}
    kept = made(Preparation(where="age is missing"))
    assert kept.table["age"].texts() == [""]
    assert PEOPLE["age"].texts()[1] == "x", "the table that was read stays as it is"


def test_the_text_for_missing_values_is_one_that_counts_as_missing() -> None:
    prepared = made(Preparation(), with_age(Misfits.MISSING, missing=("n/a",)))
    assert prepared.table["age"].texts() == ["30", "n/a", "31", "5", "n/a", "n/a", "40", "7"]
    assert dict(prepared.misfits) == {"age": 2}


def test_stopping_names_column_count_examples_and_lines() -> None:
    schema = with_age(Misfits.STOP)
    with pytest.raises(WorkbenchError, match=r"“age” 2 rows .* “x” in line 13, “n/a” in line 17") as caught:
        prepare(PEOPLE, schema, Preparation(), SecureSource(), place_of=lambda row: f"line {row + 12}")
    assert caught.value.field == "age"
    assert caught.value.hint
    with pytest.raises(WorkbenchError, match=r"1 row has a value that does not fit: “x” in row 2\."):
        made(Preparation(where="city = 'Bonn' and who = 'bob'"), schema)
    # Rows that take no part stop nothing.
    assert made(Preparation(where="city = 'Ulm'"), schema).table.rows == 4


def test_a_kind_without_a_way_of_writing_is_refused_rather_than_emptying_the_column() -> None:
    schema = SCHEMA.changed(["age"], lambda _: ColumnSpec("age", Kind.DATE, misfits=Misfits.MISSING))
    with pytest.raises(WorkbenchError, match="“age”: There is no pattern"):
        made(Preparation(), schema)


@pytest.mark.parametrize("share", [0.0, -0.1, 1.01, math.nan, math.inf])
def test_impossible_samples(share: float) -> None:
    with pytest.raises(WorkbenchError) as caught:
        Preparation(sample=share)
    assert caught.value.field == "sample"


def test_a_sample_is_a_coin_for_each_row() -> None:
    many = table(n=[str(i % 7) for i in range(40_000)])
    schema = Schema((ColumnSpec("n", Kind.INTEGER),))
    prepared = prepare(many, schema, Preparation(sample=0.25), SeededSource(3))
    assert abs(prepared.table.rows - 10_000) < 5 * math.sqrt(40_000 * 0.25 * 0.75)
    assert prepared.left_by_sample == 40_000 - prepared.table.rows
    assert prepared.population is many
    # Which rows are drawn does not depend on which other rows the filter lets through.
    half = prepare(many, schema, Preparation("n < 3", 0.25), SeededSource(3))
    expected = [text for text in prepared.table["n"].texts() if int(text) < 3]
    assert half.table["n"].texts() == expected
    assert half.population.rows == sum(1 for i in range(40_000) if i % 7 < 3)


def test_the_limit_needs_a_column_of_persons() -> None:
    for unit in (PrivacyUnit(2), PrivacyUnit(2, "gone")):
        with pytest.raises(WorkbenchError, match="no column says") as caught:
            made(Preparation(limit_rows=True), Schema(SCHEMA.columns, unit))
        assert caught.value.field == "limit_rows"


@pytest.mark.parametrize("most", [1, 2, 3])
def test_the_limit_holds_and_rows_without_a_person_are_left_out(most: int) -> None:
    schema = Schema(SCHEMA.columns, PrivacyUnit(most, "who"))
    prepared = made(Preparation(limit_rows=True), schema)
    found = Counter(prepared.table["who"].texts())
    assert found == {"ann": min(3, most), "bob": min(2, most), "cid": 1}
    assert (prepared.without_person, prepared.over_limit) == (2, 6 - sum(found.values()))
    assert prepared.population is prepared.table


@settings(max_examples=examples(150), deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 6), st.booleans()), max_size=60),
    st.integers(1, 4),
    st.sampled_from([1.0, 0.5]),
    st.integers(0, 2**32),
)
def test_whatever_the_table_nobody_keeps_more_than_the_limit(
    rows: list[tuple[int, bool]], most: int, sample: float, seed: int
) -> None:
    people = table(who=[f"p{who}" if who else " " for who, _ in rows], flag=[str(flag) for _, flag in rows])
    schema = Schema((ColumnSpec("who"), ColumnSpec("flag", Kind.CATEGORY)), PrivacyUnit(most, "who"))
    prepared = prepare(people, schema, Preparation("flag = 'True'", sample, True), SeededSource(seed))
    found = Counter(prepared.table["who"].texts())
    assert all(count <= most for count in found.values())
    assert " " not in found
    assert set(prepared.table["flag"].texts()) <= {"True"}
    lost = prepared.filtered_out + prepared.left_by_sample + prepared.without_person + prepared.over_limit
    assert prepared.table.rows + lost == prepared.rows_read == len(rows)
    if sample == 1:
        passing = Counter(f"p{who}" for who, flag in rows if flag and who)
        assert found == {who: min(count, most) for who, count in passing.items()}


def test_every_choice_of_rows_is_equally_likely() -> None:
    persons = np.array([0, 1, 0, 0, 1, 0, 0])
    rows = np.arange(7)
    source = SeededSource(11)
    seen: Counter[tuple[int, ...]] = Counter()
    repetitions = 6000
    for _ in range(repetitions):
        kept = limited(persons, rows, 2, source)
        assert kept.tolist() == sorted(kept.tolist())
        seen[tuple(row for row in kept.tolist() if persons[row] == 0)] += 1
    pairs = list(combinations([0, 2, 3, 5, 6], 2))
    assert set(seen) == set(pairs)
    expected = repetitions / len(pairs)
    statistic = sum((seen[pair] - expected) ** 2 / expected for pair in pairs)
    assert statistic < 58  # χ² with 9 degrees of freedom exceeds this once in 3e8


def test_one_person_more_changes_nobody_elses_chances() -> None:
    # Ann's rows are chosen among Ann's rows: whoever else is there, each is kept with the same probability.
    for others in (0, 5):
        persons = np.array([0] * 4 + [1] * others)
        source = SeededSource(7)
        kept = Counter(row for _ in range(4000) for row in limited(persons, np.arange(4 + others), 1, source).tolist())
        statistic = sum((kept[row] - 1000) ** 2 / 1000 for row in range(4))
        assert statistic < 45  # χ² with 3 degrees of freedom exceeds this once in 1e9


def test_cancel_stops_it() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        prepare(PEOPLE, SCHEMA, Preparation("age > 3"), SecureSource(), Progress(None, token))


def test_dates_that_do_not_fit_become_missing() -> None:
    dates = table(day=["2020-01-01", "2020-02-30", "", "2021-12-31"])
    spec = ColumnSpec("day", Kind.DATE, format=Format(pattern="%Y-%m-%d"), misfits=Misfits.MISSING)
    prepared = prepare(dates, Schema((spec,)), Preparation(), SecureSource())
    assert prepared.table["day"].texts() == ["2020-01-01", "", "", "2021-12-31"]
