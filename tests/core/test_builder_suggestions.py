"""Which builders suit a column, and what they start from."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

from workbench.core.builder_suggestions import (
    Suggested,
    first_specification,
    follows_publicly,
    ordered_builders,
    public_specification,
    suggested_builders,
)
from workbench.core.building import BUILDERS, assess, build_hierarchy
from workbench.core.hierarchy import Provenance
from workbench.core.level_words import cut_intervals, level_words, narrower_words
from workbench.core.schema import ColumnSpec, Format, Kind


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (ColumnSpec("age", Kind.INTEGER), ("intervals", "order")),
        (ColumnSpec("share", Kind.PERCENT), ("intervals", "order")),
        (ColumnSpec("born", Kind.DATE), ("dates", "order")),
        (ColumnSpec("grade", Kind.ORDERED), ("order", "categories")),
        (ColumnSpec("occupation", Kind.CATEGORY), ("categories", "spelling")),
        (ColumnSpec("remark", Kind.TEXT), ("masking", "redaction")),
        (ColumnSpec("zip", Kind.INTEGER), ("masking", "intervals")),
        (ColumnSpec("postcode", Kind.CATEGORY), ("masking", "postcodes")),
        (ColumnSpec("home", Kind.TEXT, format=Format(pattern="UK postcode")), ("postcodes", "masking")),
        (ColumnSpec("zip_since", Kind.DATE), ("dates", "order")),
    ],
    ids=lambda one: one.name if isinstance(one, ColumnSpec) else "",
)
def test_two_builders_are_suggested_by_kind_and_name(column: ColumnSpec, expected: tuple[str, ...]) -> None:
    assert suggested_builders(column) == expected


def test_every_builder_is_offered_once_the_suggested_first_and_the_table_last() -> None:
    offered = ordered_builders(ColumnSpec("zip", Kind.INTEGER))
    assert sorted(offered) == sorted(builder.identifier for builder in BUILDERS)
    assert offered[:2] == ("masking", "intervals")
    assert offered[-1] == "table"


def test_lists_start_from_the_values_and_say_that_they_came_from_the_data() -> None:
    column = ColumnSpec("town", Kind.CATEGORY)
    plain = first_specification("categories", column, ("a", "b"))
    assert plain["details"]["tree"] == ["a", "b"]
    assert plain["parameters"]["declared"] is False
    declared = first_specification("categories", ColumnSpec("town", Kind.CATEGORY, domain=("x", "y")), ("a", "b"))
    assert declared["details"]["tree"] == [{"label": "*", "children": ["x", "y"]}]
    assert declared["parameters"]["declared"] is True


def test_an_order_starts_with_as_many_levels_as_its_values_fill() -> None:
    column = ColumnSpec("age", Kind.INTEGER)
    few = first_specification("order", column, ("1", "2", "3"))
    many = first_specification("order", column, tuple(map(str, range(40))))
    assert len(few["details"]["levels"]) < len(many["details"]["levels"])


def test_amounts_of_money_start_with_wide_intervals() -> None:
    wide = first_specification("intervals", ColumnSpec("salary", Kind.INTEGER))
    assert wide["details"]["intervals"] == [{"from": 0.0, "to": 10_000.0}]


@pytest.mark.parametrize(
    ("column", "widths", "start"),
    [
        (ColumnSpec("charge", Kind.INTEGER, bounds=(50.0, 900.0)), (5, 10, 50, 100, 200, 400), 0),
        (ColumnSpec("charge", Kind.MONEY, bounds=(0.0, 1_000.0)), (5, 10, 50, 100, 200, 400), 0),
        (ColumnSpec("price", Kind.DECIMAL, bounds=(0.0, 1.5)), (0.01, 0.05, 0.1, 0.2, 0.4), 0),
        (ColumnSpec("price", Kind.DECIMAL, bounds=(1_200.0, 1_600.0)), (2, 10, 20, 40, 80, 160), 1_200),
        (ColumnSpec("fee", Kind.MONEY, bounds=(-300.0, 100.0)), (2, 10, 20, 40, 80, 160), -300),
        (ColumnSpec("income", Kind.INTEGER, bounds=(0.0, 120_000.0)), (1_000, 5_000, 10_000, 20_000, 40_000), 0),
        (ColumnSpec("pay", Kind.INTEGER, bounds=(0.0, 40.0)), (2, 4, 8, 16), 0),
        (ColumnSpec("age", Kind.INTEGER, bounds=(18.0, 100.0)), (5, 10, 20, 40), 0),
    ],
    ids=lambda one: f"{one.name} to {one.bounds[1]:g}" if isinstance(one, ColumnSpec) and one.bounds else "",
)
def test_amounts_and_ages_between_public_ends_start_fine_and_end_below_the_whole(
    column: ColumnSpec, widths: tuple[float, ...], start: float
) -> None:
    plain = public_specification(column)
    assert assess(plain, column).provenance is Provenance.PUBLIC
    (base,) = plain["details"]["intervals"]
    assert base["from"] == start and base["to"] - base["from"] == pytest.approx(widths[0])
    groups = [level["group"] for level in plain["details"]["levels"]]
    made = [widths[0] * math.prod(groups[: place + 1]) for place in range(len(groups))]
    assert made == pytest.approx(widths)


def test_coarse_ends_are_round_and_what_was_read_from_the_data_decides_nothing() -> None:
    charge = ColumnSpec("charge", Kind.INTEGER, bounds=(50.0, 900.0))
    made = build_hierarchy(public_specification(charge), ("57", "512"), column=charge)
    assert list(made.rows()) == [
        ("57", "55-59", "50-59", "50-99", "50-99", "50-199", "50-399", "*"),
        ("512", "510-514", "510-519", "500-549", "500-599", "400-599", "400-799", "*"),
    ]
    read = replace(charge, observed=frozenset({"bounds"}))
    assert (
        first_specification("intervals", read)["details"]
        == first_specification("intervals", replace(charge, bounds=None))["details"]
    )


def test_what_is_counted_one_by_one_starts_with_narrow_intervals() -> None:
    for name in ("BMI", "bmi at entry"):
        made = public_specification(ColumnSpec(name, Kind.DECIMAL))
        assert made["details"]["intervals"] == [{"from": 0.0, "to": 2.5}] and len(made["details"]["levels"]) == 3, name
    for name in ("days", "Number of children", "visits_2024", "Tage"):
        plain = public_specification(ColumnSpec(name, Kind.INTEGER))
        made = build_hierarchy(plain, ("1", "9", "30"), column=ColumnSpec(name, Kind.INTEGER))
        assert list(made.rows())[1] == ("9", "8-9", "8-11", "8-15", "0-15", "*")
        assert made.provenance is Provenance.PUBLIC
    bounded = ColumnSpec("days", Kind.INTEGER, bounds=(0.0, 400.0))
    assert first_specification("intervals", bounded)["details"]["intervals"] == [{"from": 0.0, "to": 20.0}]
    for other in (ColumnSpec("age", Kind.INTEGER), ColumnSpec("days", Kind.DECIMAL)):
        assert first_specification("intervals", other)["details"]["intervals"] == [{"from": 0.0, "to": 10.0}]


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("domain", [None, ("a", "b")])
def test_what_is_built_unasked_is_public_whatever_the_column(kind: Kind, domain: tuple[str, ...] | None) -> None:
    column = ColumnSpec("some", kind, domain=domain if kind in (Kind.CATEGORY, Kind.ORDERED) else None)
    plain = public_specification(column)
    assert assess(plain, column).provenance is Provenance.PUBLIC


def test_a_value_nothing_is_known_of_is_spelt_like_others_or_goes() -> None:
    column = ColumnSpec("diagnosis", Kind.CATEGORY)
    plain = public_specification(column)
    small, large = (build_hierarchy(plain, values, None, column) for values in (("flu",), ("flu", "a very long one")))
    assert large.groups() == (2, 2, 1)
    assert small.origin == large.origin and "needs no list of values" in small.origin
    assert list(small.rows()) == [("flu", "flu", "*")]
    assert list(large.rows()) == [("flu", "flu", "*"), ("a very long one", "a very long one", "*")]


@pytest.mark.parametrize("kind", [Kind.INTEGER, Kind.DECIMAL, Kind.MONEY])
@pytest.mark.parametrize(
    ("name", "span"),
    [("fee €", (0, 1_000)), ("pay", (0, 1_001)), ("pay", (15_000, 150_000)), ("age", (0, 110)), ("score", (0, 1_000))],
)
def test_the_last_interval_ends_with_the_range_and_holds_its_number(
    name: str, span: tuple[float, float], kind: Kind
) -> None:
    """At every level: no label is for the last number alone, and what lies beyond has one label."""
    column = ColumnSpec(name, kind, bounds=span)
    low, high = span
    numbers = [f"{low - 1}", f"{low}", f"{high - 1}", f"{high}", f"{high + 1}", f"{high + 5000}"]
    made = build_hierarchy(public_specification(column), numbers, None, column)
    for level in range(1, made.height):
        below, first, almost, last, beyond, far = (
            made.labels[level][made.maps[level][made.values.index(number)]] for number in numbers
        )
        assert (below, beyond, far) == (f"<{low}", f">{high}", f">{high}")
        assert last == almost and re.fullmatch(rf"\d+(-| to ){high}", last)
        assert first.startswith(f"{low}-") or first.startswith(f"{low} to under ")


@pytest.mark.parametrize(
    ("name", "span", "start", "labels"),
    [
        ("score", (0.7, 1.4), (0.7, 0.75), ("0.7 to under 0.75", "1.35 to 1.4")),
        ("price", (0.3, 0.9), (0.2, 0.205), ("0.3 to under 0.305", "0.895 to 0.9")),
        ("score", (-3.6, -2.2), (-3.6, -3.5), ("-3.6 to under -3.5", "-2.3 to -2.2")),
        ("score", (0.00001, 0.00011), (0.00001, 0.000015), ("0.00001 to under 0.000015", "0.000105 to 0.00011")),
    ],
)
def test_a_range_of_decimals_begins_where_it_was_said_without_dust(
    name: str, span: tuple[float, float], start: tuple[float, float], labels: tuple[str, str]
) -> None:
    column = ColumnSpec(name, Kind.DECIMAL, bounds=span)
    plain = public_specification(column)
    assert plain["details"]["intervals"] == [{"from": start[0], "to": start[1]}]
    made = build_hierarchy(plain, [f"{end:f}" for end in span], None, column)
    assert tuple(row[1] for row in made.rows()) == labels
    for way in Suggested:  # as in projects that were saved
        assert follows_publicly(public_specification(column, way=way), column), way
    summed = public_specification(ColumnSpec("score", Kind.DECIMAL, bounds=(0.7, 1.4)), way=Suggested.SUMMED)
    assert summed["details"]["intervals"] == [{"from": 0.65, "to": 0.65 + 0.05}]
    assert summed["details"]["highest"] == {"coding": 1.4, "included": True}


def test_a_range_of_one_number_has_an_interval() -> None:
    column = ColumnSpec("score", Kind.INTEGER, bounds=(5.0, 5.0))
    made = build_hierarchy(public_specification(column), ["4", "5", "6"], None, column)
    assert [row[1] for row in made.rows()] == ["4", "5", "6"] and made.rows()[1][2] == "5-6"


def test_an_end_of_sixteen_digits_is_written_whole() -> None:
    """Its number lies within it, and intervals of another level hold those of the one below."""
    column = ColumnSpec("energy", Kind.DECIMAL, bounds=(0.0, 9007199254740991.0))
    made = build_hierarchy(public_specification(column), ["9007199254740991"], None, column)
    assert [row[1] for row in made.rows()] == ["9000000000000000 to 9007199254740991"]


@pytest.mark.parametrize("way", [Suggested.OPEN, Suggested.FIRST])
def test_what_earlier_programs_suggested_keeps_its_labels_and_is_known_as_suggested(way: Suggested) -> None:
    column = ColumnSpec("salary", Kind.INTEGER, bounds=(15_000, 150_000))
    plain = public_specification(column, way=way)
    assert plain["details"]["highest"] == {} and follows_publicly(plain, column)
    made = build_hierarchy(plain, ["149999", "150000", "170000"], None, column)
    assert [row[1] for row in made.rows()] == ["149000-149999", "150000-150999", "170000-170999"]


def test_the_first_interval_is_named_where_the_numbers_begin_within_it() -> None:
    pay = ColumnSpec("salary €", Kind.DECIMAL, bounds=(15_000, 200_000))
    made = build_hierarchy(public_specification(pay), ["20000", "90000"], pay)
    wide = next(level for level in range(1, made.height) if level_words(made, level) == "intervals of 40,000")
    assert cut_intervals(made, wide) == "The first is from 15,000 to under 40,000, where the numbers begin."
    assert narrower_words(made, wide) == ", the first narrower"
    widest = made.height - 1
    assert cut_intervals(made, widest).endswith("The last is from 160,000 to 200,000, where the numbers end."), (
        "with it"
    )
    assert narrower_words(made, widest) == ", the first and last narrower"
    even = ColumnSpec("salary €", Kind.DECIMAL, bounds=(0, 160_000))
    made = build_hierarchy(public_specification(even), ["20000"], even)
    assert not any(cut_intervals(made, level) for level in range(made.height + 1))
    assert not any(narrower_words(made, level) for level in range(made.height + 1))


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (None, None, ""),
        (20.0, 60.0, ""),
        (25.0, None, ", the first narrower"),
        (None, 55.0, ", the last narrower"),
        (25.0, 55.0, ", the first and last narrower"),
    ],
)
def test_which_intervals_are_narrower_follows_from_the_rule(low: float | None, high: float | None, words: str) -> None:
    score = ColumnSpec("score", Kind.DECIMAL, bounds=(0, 100))
    rule = first_specification("intervals", score)
    of_ten = {"from": 0, "to": 10}
    ends = {"lowest": {"coding": low}, "highest": {"coding": high}, "intervals": [of_ten]}
    made = build_hierarchy({**rule, "details": {**rule["details"], **ends}}, ["30"], score)
    assert level_words(made, 1) == "intervals of 10" and narrower_words(made, 1) == words
    assert ("where the numbers begin" in cut_intervals(made, 1)) is ("first" in words)
    assert ("where the numbers end" in cut_intervals(made, 1)) is ("last" in words)
