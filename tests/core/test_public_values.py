"""What is shown of a hierarchy before anybody looks at the data does not follow from the data."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from workbench.core.building import build_hierarchy, specification
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.public_values import ShownValues, public_view, stand_in_values
from workbench.core.schema import ColumnSpec, Format, Kind
from workbench.core.widening import level_ends, widening_specification

NUMBERS = ColumnSpec("salary", Kind.MONEY)
DATES = ColumnSpec("born", Kind.DATE, format=Format(pattern="%d.%m.%Y"))
TEXTS = ColumnSpec("code")
RULES: list[tuple[ColumnSpec, dict[str, Any], list[str]]] = [
    (NUMBERS, specification("intervals", {"unlisted": "any"}, {"intervals": [{"from": 0, "to": 10_000}]}), ["12000"]),
    (
        DATES,
        specification("dates", {"unlisted": "any"}, {"levels": [{"unit": "month"}, {"unit": "year"}]}),
        ["01.02.1990"],
    ),
    (TEXTS, specification("masking", {"length": 5}), ["20095", "80333"]),
    (TEXTS, specification("spelling", {}), ["nurse", "Nurse"]),
]


@pytest.mark.parametrize(
    ("column", "plain", "values"), RULES, ids=lambda one: one.get("builder") if isinstance(one, dict) else ""
)
def test_neighbours_show_the_same(column: ColumnSpec, plain: dict[str, Any], values: list[str]) -> None:
    shown = []
    for occurring in (values, [*values, "98765"], values[:1]):
        found = public_view(build_hierarchy(plain, occurring, None, column), column)
        assert found is not None
        shown.append((found.values, found.hierarchy.rows()))
        assert not set(found.hierarchy.values) & set(values), "none of them is the data's"
    assert shown[0] == shown[1] == shown[2]
    assert shown[0][0] is ShownValues.MADE_UP
    assert len({row[1] for row in shown[0][1]}) > 1, "the rule is seen"


def test_public_bounds_and_values_come_before_what_is_made_up() -> None:
    bounded = ColumnSpec("age", Kind.INTEGER, bounds=(18.0, 67.0))
    values, which = stand_in_values(bounded, "intervals")
    assert which is ShownValues.BOUNDED
    assert values[0] == "18" and values[-2:] == ("67", "") and len(values) == 51, "and what stands for no value"
    named = ColumnSpec("sex", domain=("f", "m"))
    assert stand_in_values(named, "categories") == (("f", "m"), ShownValues.LISTED)


def test_what_is_made_up_says_so_itself_and_is_of_the_size_of_the_column() -> None:
    words, shown = stand_in_values(ColumnSpec("ward"), "spelling")
    assert shown is ShownValues.MADE_UP and all("example" in word.casefold() for word in words if word)
    days, _ = stand_in_values(ColumnSpec("days", Kind.INTEGER), "intervals")
    assert days[:3] == ("0", "1", "2") and days[-2] == "60"


def test_codes_are_made_up_as_long_as_the_rule_says_and_share_what_it_keeps() -> None:
    for length in (3, 5, 12):
        for kind, first in ((Kind.TEXT, "0"), (Kind.INTEGER, "1")):
            column = ColumnSpec("zip", kind)
            plain = specification("masking", {"length": length})
            found = public_view(build_hierarchy(plain, ["9" * length], None, column), column)
            assert found is not None and found.values is ShownValues.MADE_UP
            codes = [value for value in found.hierarchy.values if value]
            assert codes[0].startswith(first) and {len(code) for code in codes} == {length}
            groups = found.hierarchy.groups()
            assert groups[0] > groups[1] and all(more >= fewer for more, fewer in pairwise(groups)), "one sees it join"
    assert stand_in_values(ColumnSpec("code"), "masking")[0][0] == "01234"


def test_examples_are_such_as_somebody_says_can_occur() -> None:
    codes, shown = stand_in_values(ColumnSpec("postcode"), "masking", 7, ("B15", "SW1A", "LS*"))
    assert shown is ShownValues.SAID and {code[:2] for code in codes if code} == {"B1", "SW", "LS"}
    assert {len(code) for code in codes if code} == {7} and "" in codes, "and what stands for no value"
    money = ColumnSpec("charges", Kind.DECIMAL)
    amounts = [float(one) for one in stand_in_values(money, "intervals", said=("0-20000",))[0] if one]
    assert (min(amounts), max(amounts)) == (0, 20_000)
    whole, _ = stand_in_values(ColumnSpec("age", Kind.INTEGER), "intervals", said=("16-20", "30-32"))
    assert [one for one in whole if one] == ["16", "17", "18", "19", "20", "30", "31", "32"]
    admitted = ColumnSpec("admitted", Kind.DATE, format=Format(pattern="%d.%m.%Y"))
    days, _ = stand_in_values(admitted, "dates", said=("2021-2024",))
    assert days[0] == "01.01.2021" and {day[-4:] for day in days if day} == {"2021", "2022", "2023", "2024"}


INTERVALS = {"intervals": [{"from": 0, "to": 10}], "levels": [{"group": 1, "function": "interval"}]}


@pytest.mark.parametrize(
    ("said", "pattern", "ends"),
    [
        ("2023-01-01 to 2024-12-31", "%Y-%m-%d", ("2023-01-01", "2024-12-31")),
        ("2024", "%Y-%m-%d", ("2024-01-01", "2024-12-31")),
        ("1980s", "%Y-%m-%d", ("1980-01-01", "1989-12-31")),
        ("2023-03 to 2024-02", "%Y-%m-%d", ("2023-03-01", "2024-02-29")),
        ("1.3.2023 - 5.4.2023", "%Y-%m-%d", ("2023-03-01", "2023-04-05")),
        ("3/1/2023 - 4/5/2023", "%m/%d/%Y", ("03/01/2023", "04/05/2023")),
        ("13/14/2023", "%Y-%m-%d", ("2023-01-01", "2023-12-31")),
        ("2023-03-04", "%Y-%m-%d", ("2023-03-04", "2023-03-04")),
    ],
)
def test_days_are_such_as_somebody_says_can_occur(said: str, pattern: str, ends: tuple[str, str]) -> None:
    column = ColumnSpec("admitted", Kind.DATE, format=Format(pattern=pattern))
    days, shown = stand_in_values(column, "dates", said=(said,))
    assert shown is ShownValues.SAID and (days[0], days[-2]) == ends and days[-1] == ""


def test_days_that_nobody_spoke_of_are_recent_and_of_births_over_a_life() -> None:
    for name, first in (("joined", "2009"), ("date of birth", "1950")):
        days, shown = stand_in_values(ColumnSpec(name, Kind.DATE), "dates")
        assert shown is ShownValues.MADE_UP and min(day for day in days if day)[:4] == first


def test_numbers_that_were_listed_are_the_rows_and_nothing_lies_between_them() -> None:
    fee, plain = ColumnSpec("fee", Kind.MONEY), specification("intervals", {}, INTERVALS)
    views = [public_view(build_hierarchy(plain, [own], None, fee), fee, ("60", "90", "240")) for own in ("60", "70")]
    assert views[0] is not None and views[1] is not None
    assert views[0].hierarchy.values == ("60", "90", "240") and views[0].values is ShownValues.LISTED
    assert not any(views[0].gaps) and views[0].hierarchy.rows() == views[1].hierarchy.rows()
    comma = ColumnSpec("fee", Kind.DECIMAL, format=Format(decimal_mark=","))
    assert stand_in_values(comma, "intervals", said=("1.5", "1234567"))[0] == ("1,5", "1234567")


def test_between_two_ranges_that_were_said_there_is_nothing() -> None:
    fee, plain = ColumnSpec("fee", Kind.INTEGER), specification("intervals", {}, INTERVALS)
    found = public_view(build_hierarchy(plain, ["60"], None, fee), fee, ("0-9", "900-4000"))
    assert found is not None and found.values is ShownValues.SAID
    labels = found.hierarchy.labels[1]
    assert {labels[place] for place in found.gaps[1]} and all(
        not labels[place].startswith("[0,") for place in found.gaps[1]
    )


def test_codes_from_one_to_another_have_its_digits_and_words_are_those_that_were_said() -> None:
    column = ColumnSpec("postcode", Kind.INTEGER)
    codes, shown = stand_in_values(column, "masking", 5, ("1000-1999", "8000 – 8999"))
    assert shown is ShownValues.SAID and {len(code) for code in codes if code} == {4}
    assert {code[0] for code in codes if code} == {"1", "8"} and {"1000", "1999", "8999"} <= set(codes)
    assert stand_in_values(column, "masking", 5, ("0100-0200",))[0][0] == "0100"
    words, shown = stand_in_values(ColumnSpec("department"), "spelling", said=("Sales", "Logistics"))
    assert shown is ShownValues.SPELT and words == ("Sales", "Logistics", "SALES"), "the rule joins spellings"
    assert stand_in_values(ColumnSpec("ward"), "spelling", said=("A1", "B2"))[0] == ("A1", "B2", "a1")
    for said in (("9-1",), (f"1-{'9' * 20}",)):
        assert stand_in_values(column, "masking", 5, said)[0], "and nothing fails"


@pytest.mark.parametrize("said", [(), ("",), ("soon",), ("9-1",), (f"0-{'9' * 400}",), ("0-99999999999999999999",)])
def test_what_cannot_be_followed_leaves_the_examples_as_they_are(said: tuple[str, ...]) -> None:
    for column, builder in ((ColumnSpec("pay", Kind.DECIMAL), "intervals"), (ColumnSpec("day", Kind.DATE), "dates")):
        assert stand_in_values(column, builder, said=said) == stand_in_values(column, builder)


def test_what_is_said_reaches_the_view_and_no_row_does() -> None:
    column, plain = ColumnSpec("zip"), specification("masking", {"length": 5})
    found = [public_view(build_hierarchy(plain, [code], None, column), column, ("OX",)) for code in ("OX112", "B1500")]
    assert found[0] is not None and found[1] is not None
    assert found[0].hierarchy.rows() == found[1].hierarchy.rows() and found[0].values is ShownValues.SAID


def test_what_was_read_from_the_data_stands_in_for_nothing() -> None:
    read = ColumnSpec("age", Kind.INTEGER, bounds=(19.0, 61.0), observed=frozenset({"bounds"}))
    assert stand_in_values(read, "intervals")[1] is ShownValues.MADE_UP
    named = ColumnSpec("sex", domain=("f", "m"), observed=frozenset({"domain"}))
    assert stand_in_values(named, "categories")[0] == (), "nobody could sort made-up values"


def test_a_list_is_shown_without_what_was_added_to_it() -> None:
    listed = Hierarchy.from_rows([("a", "x"), ("b", "x"), ("c", "y")])
    found = public_view(listed.covering(["a", "rare"]), TEXTS)
    assert found is not None
    assert found.hierarchy.values == ("a", "b", "c")
    assert found.values is ShownValues.LISTED


def test_a_tree_of_what_is_declared_of_the_column_is_shown_with_each_value_once() -> None:
    column = ColumnSpec("ward", Kind.CATEGORY, domain=("North", "South", "ICU"))
    tree = [{"label": "wards", "children": ["North", "South"]}, "ICU"]
    plain = specification("categories", {"declared": True}, {"tree": tree})
    found = public_view(build_hierarchy(plain, ["North"], None, column), column)
    assert found is not None and found.values is ShownValues.LISTED
    assert sorted(found.hierarchy.values) == ["ICU", "North", "South"]


def test_of_what_was_made_from_the_data_nothing_is_shown() -> None:
    made = Hierarchy.from_rows([("a", "x"), ("b", "x")], provenance=Provenance.DERIVED, origin="sorted")
    made = replace(made, specification=specification("order", {}, {}))
    assert made.provenance is Provenance.DERIVED
    assert public_view(made, TEXTS) is None


def test_numbers_that_are_made_up_have_no_more_places_than_tell_them_apart() -> None:
    masses = ColumnSpec("BMI", Kind.DECIMAL, format=Format(decimal_mark=","))
    said, shown = stand_in_values(masses, "intervals", said=("10-40",))
    assert shown is ShownValues.SAID and said[0] == "10" and said[-2 if "" in said else -1] == "40"
    assert max(len(one.partition(",")[2]) for one in said) == 1 and len(set(said)) == len(said) > 50
    ends = stand_in_values(masses, "intervals", said=("0.125-0.5",))[0]
    assert ends[:2] == ("0,125", "0,13"), "an end that was said stays, beside round ones"
    made, shown = stand_in_values(masses, "intervals")
    assert shown is ShownValues.MADE_UP and {"10", "49"} <= set(made) and "1000" not in made
    alike = stand_in_values(masses, "intervals", said=("7-7",))[0]
    assert [one for one in alike if one] == ["7"]


@pytest.mark.parametrize(
    ("kind", "said", "bounds"), [(Kind.DECIMAL, ("0 to 100000",), None), (Kind.INTEGER, (), (0.0, 100_000.0))]
)
def test_of_intervals_that_widen_each_is_shown(
    kind: Kind, said: tuple[str, ...], bounds: tuple[float, float] | None
) -> None:
    """Evenly over the range none would be in the narrow ones, where most of the data is."""
    column = ColumnSpec("charge", kind, bounds=bounds)
    plain = widening_specification(column, (0.0, 100_000.0))
    found = public_view(build_hierarchy(plain, ["17", "450"], None, column), column, said)
    assert found is not None and not any(found.gaps), "nothing is hidden between two of them"
    ends = level_ends(plain, 1)
    numbers = [float(value) for value in found.hierarchy.values if value]
    assert numbers == sorted(numbers) and (numbers[0], numbers[-1]) == (0.0, 100_000.0)
    assert all(sum(low <= number < high for number in numbers) > 1 for low, high in pairwise(ends))
    assert len(numbers) <= 120 and all(number in (0, 100_000) or number == round(number) for number in numbers)
    other = public_view(build_hierarchy(plain, ["99999", "3", "5"], None, column), column, said)
    assert other is not None and other.hierarchy.rows() == found.hierarchy.rows(), "whatever the rows are"
