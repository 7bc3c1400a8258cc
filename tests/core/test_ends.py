"""Top and bottom coding: exact tables, what is refused, and that no label depends on the data."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.anonymise.origins import made_from_data
from workbench.core.building import build_hierarchy, specification
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.schema import ColumnSpec, Format, Kind

WHOLE = ColumnSpec("", Kind.INTEGER)
DECIMAL = ColumnSpec("", Kind.DECIMAL)
EURO = ColumnSpec("", Kind.MONEY, format=Format(decimal_mark=",", thousands=".", symbol="€"))
DATE = ColumnSpec("", Kind.DATE, format=Format(pattern="%d.%m.%Y"))
MOMENT = ColumnSpec("", Kind.DATETIME, format=Format(pattern="%Y-%m-%d %H:%M"))


def built(values: str | list[str], column: ColumnSpec, **parameters: Any) -> Hierarchy:
    listed = values.split() if isinstance(values, str) else values
    return build_hierarchy(specification("ends", {"top": False, **parameters}), listed, None, column)


def table(hierarchy: Hierarchy) -> list[str]:
    return [" ".join(row) for row in hierarchy.rows()]


def test_values_beyond_the_bounds_share_a_label_and_the_others_stay() -> None:
    found = built("3 17 18 89 90 104", WHOLE, low="18", high="90")
    assert table(found) == ["3 <18", "17 <18", "18 18", "89 89", "90 ≥90", "104 ≥90"]
    assert found.provenance is Provenance.PUBLIC


def test_a_bound_may_itself_stay_or_go() -> None:
    found = built("17 18 19 89 90 91", WHOLE, low="18", high="90", low_end="through", high_end="above")
    assert table(found) == ["17 ≤18", "18 ≤18", "19 19", "89 89", "90 90", "91 >90"]


def test_one_bound_and_an_own_label() -> None:
    assert table(built("5 99 100", DECIMAL, high="100", high_label="many")) == ["5 5", "99 99", "100 many"]
    assert table(built("5 99", DECIMAL, low="99", low_label="few")) == ["5 few", "99 99"]


@pytest.mark.parametrize(
    ("ends", "rows"),
    [
        ({}, ["17 <18 <18", "18 [18, 23[ [18, 28[", "27 [23, 28[ [18, 28[", "28 [28, 30[ [28, 30[", "30 ≥30 ≥30"]),
        (
            {"low_end": "through", "high_end": "above"},
            ["18 ≤18 ≤18", "18.5 ]18, 23[ ]18, 28[", "28 [28, 30] [28, 30]", "30 [28, 30] [28, 30]", "31 >30 >30"],
        ),
    ],
)
def test_further_levels_stop_at_the_bounds(ends: dict[str, str], rows: list[str]) -> None:
    found = built([row.split()[0] for row in rows], DECIMAL, low="18", high="30", steps="5; 10", **ends)
    assert [" ".join((row[0], *row[2:])) for row in found.rows()] == rows


def test_a_bound_that_stays_belongs_to_the_interval_that_ends_there() -> None:
    found = built("87 88 89", WHOLE, low="18", high="88", high_end="above", steps="5 10")
    assert table(found) == ["87 87 83-88 78-88", "88 88 83-88 78-88", "89 >88 >88 >88"]


def test_without_a_low_bound_intervals_are_counted_from_the_high_one() -> None:
    assert table(built("-1 49 50 89", WHOLE, high="90", steps="20 40")) == [
        "-1 -1 -10 to 9 -30 to 9",
        "49 49 30-49 10-49",
        "50 50 50-69 50-89",
        "89 89 70-89 50-89",
    ]


def test_bounds_are_read_as_the_column_is() -> None:
    found = built(["€999,99", "€1.000,00", "€1.250,50"], EURO, low="€1.000,00", steps="0,5 500")
    assert [row[1:] for row in found.rows()] == [
        ("<€1.000,00", "<€1.000,00", "<€1.000,00"),
        ("€1.000,00", "[1000; 1000,5[", "[1000; 1500["),
        ("€1.250,50", "[1250,5; 1251[", "[1000; 1500["),
    ]


def test_dates() -> None:
    found = built(
        "30.12.1999 31.12.1999 1.1.2000 14.6.2010 15.6.2010",
        DATE,
        low="31.12.1999",
        high="2010-06-15",
        steps="month, year",
    )
    assert [row[1:] for row in found.rows()] == [
        ("<31.12.1999",) * 3,
        ("31.12.1999", "1999-12", "1999"),
        ("1.1.2000", "2000-01", "2000"),
        ("14.6.2010", "2010-06", "2010"),
        ("≥2010-06-15",) * 3,
    ]
    moments = built(["2020-01-01 11:59", "2020-01-01 12:00"], MOMENT, high="2020-01-01 12:00", steps="day")
    assert [row[1:] for row in moments.rows()] == [
        ("2020-01-01 11:59", "2020-01-01"),
        ("≥2020-01-01 12:00", "≥2020-01-01 12:00"),
    ]


def test_words_and_missing_values_follow_the_common_rules() -> None:
    found = built(["5", "many", ""], WHOLE, high="90", unlisted="any", missing_label="unknown")
    assert found.rows() == [("5", "5"), ("", "unknown"), ("many", "*")]


@pytest.mark.parametrize(
    ("parameters", "column", "field", "words"),
    [
        ({}, WHOLE, "high", "No bound"),
        ({"low": "90", "high": "18"}, WHOLE, "low", "not below"),
        ({"low": "90", "high": "90"}, WHOLE, "low", "not below"),
        ({"low": "few"}, WHOLE, "low", "no number"),
        ({"high": "inf"}, DECIMAL, "high", "no number"),
        ({"high": "31.02.2020"}, DATE, "high", "no date"),
        ({"high": "9", "steps": "5 12"}, WHOLE, "steps", "do not join"),
        ({"high": "9", "steps": "10 5"}, WHOLE, "steps", "do not join"),
        ({"high": "9", "steps": "0"}, WHOLE, "steps", "no width"),
        ({"high": "9", "steps": "year"}, WHOLE, "steps", "no width"),
        ({"high": "1.1.2020", "steps": "5"}, DATE, "steps", "no calendar unit"),
        ({"high": "1.1.2020", "steps": "week month"}, DATE, "steps", "not coarser"),
    ],
)
def test_what_makes_no_sense_is_refused(parameters: dict[str, str], column: ColumnSpec, field: str, words: str) -> None:
    with pytest.raises(WorkbenchError, match=words) as caught:
        built("1.1.2000" if column.kind.temporal else "1 2", column, **parameters)
    assert caught.value.field == field
    assert caught.value.hint


@given(
    low=st.integers(-50, 0) | st.none(),
    high=st.integers(10, 60) | st.none(),
    values=st.lists(st.decimals(-99, 99, places=1), min_size=1, max_size=12, unique=True),
    more=st.lists(st.decimals(-99, 99, places=1), max_size=12, unique=True),
    low_end=st.sampled_from(("below", "through")),
    high_end=st.sampled_from(("from", "above")),
    steps=st.sampled_from(("", "5", "2.5 5 20")),
)
def test_a_label_follows_from_the_bounds_and_the_value_alone(
    low: int | None, high: int | None, values: list[Any], more: list[Any], low_end: str, high_end: str, steps: str
) -> None:
    if low is None and high is None:
        return
    parameters = {
        "low": "" if low is None else str(low),
        "high": "" if high is None else str(high),
        "low_end": low_end,
        "high_end": high_end,
        "steps": steps,
    }
    texts = [str(value) for value in values]
    found = {row[0]: row[1:] for row in built(texts, DECIMAL, **parameters).rows()}
    among = built([*texts, *(text for text in map(str, more) if text not in texts)], DECIMAL, **parameters)
    assert {row[0]: row[1:] for row in among.rows() if row[0] in texts} == found
    for text, labels in found.items():
        number = float(text)
        beyond = (low is not None and (number < low or (low_end == "through" and number == low))) or (
            high is not None and (number > high or (high_end == "from" and number == high))
        )
        assert (labels[0] == text) != beyond
        if beyond:
            assert len(set(labels)) == 1
            continue
        for label in labels[1:]:
            start, stop = (float(part) for part in label[1:-1].split(", "))
            assert (start < number if label[0] == "]" else start <= number) and (
                number <= stop if label[-1] == "]" else number < stop
            )


def test_it_is_not_taken_for_made_from_the_data() -> None:
    ages = [str(number) for number in range(20, 80)]
    hierarchy = built(ages, WHOLE, low="25", high="70", steps="5 10")
    assert not made_from_data(hierarchy, WHOLE)
