"""Intervals that are narrow at the low end of a public range and widen."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.building import assess, build_hierarchy, specification
from workbench.core.column_words import is_skewed
from workbench.core.covering import covers_all, one_of_two
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.level_words import (
    can_be_stated,
    cut_intervals,
    interval_words,
    level_words,
    stated_words,
)
from workbench.core.occurring import entries_of, occurring_labels
from workbench.core.public_sizes import public_sizes
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.widening import can_widen, is_widening, level_ends, widening_specification, widens_by_name
from workbench.core.widening_labels import widening_labels

CHARGE = ColumnSpec("charge", Kind.DECIMAL)
ROW = [0.0, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000]


def made(*values: str, high: float = 100_000, low: float = 0, column: ColumnSpec = CHARGE) -> Hierarchy:
    return build_hierarchy(widening_specification(column, (low, high)), values or ("57",), column=column)


def labels(hierarchy: Hierarchy, level: int) -> dict[str, str]:
    codes = hierarchy.maps[level].tolist()
    return {value: hierarchy.labels[level][code] for value, code in zip(hierarchy.values, codes, strict=True)}


def test_charges_have_ends_of_one_two_and_five_then_of_tens_then_two_and_then_none() -> None:
    plain = widening_specification(CHARGE, (0, 100_000))
    assert level_ends(plain, 1) == ROW
    assert level_ends(plain, 2) == [0, 100, 1000, 10_000, 100_000]
    assert level_ends(plain, 3) == [0, 1000, 100_000]
    assert level_ends(plain, 4) == level_ends(plain, 0) == []
    found = made("57", "100", "512", "99999.99", "100000", "250000", "-3", "much")
    assert labels(found, 1) == {
        "57": "0 to under 100",
        "100": "100 to under 200",
        "512": "500 to under 1000",
        "99999.99": "50000 to 100000",
        "100000": "50000 to 100000",
        "250000": ">100000",
        "-3": "<0",
        "much": "*",
    }
    assert labels(found, 2)["512"] == "100 to under 1000" and labels(found, 3)["512"] == "0 to under 1000"
    assert set(labels(found, 4).values()) == {"*"} and found.ends_in_any
    whole = made("57", "512", column=ColumnSpec("charge", Kind.INTEGER))
    assert labels(whole, 1) == {"57": "0-99", "512": "500-999"}


@pytest.mark.parametrize(
    "low, high, kind, ends",
    [
        (0, 120_000, Kind.DECIMAL, [0, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000]),
        (0, 20, Kind.INTEGER, [0, 2, 5, 10, 20]),
        (0, 20, Kind.DECIMAL, [0, 1, 2, 5, 10, 20]),
        (10, 5000, Kind.DECIMAL, [0, 20, 50, 100, 200, 500, 1000, 2000, 5000]),
        (1, 5000, Kind.INTEGER, [0, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]),
        (50_000, 120_000, Kind.MONEY, [50_000 + end for end in (0, *ROW[1:])]),
    ],
)
def test_the_ends_follow_from_the_range_and_the_kind(low: float, high: float, kind: Kind, ends: list[float]) -> None:
    assert level_ends(widening_specification(ColumnSpec("cost", kind), (low, high)), 1) == ends


def test_they_make_sense_of_amounts_that_reach_far_and_not_of_ages_years_or_what_lies_below_0() -> None:
    assert can_widen(CHARGE, (0, 20)) and not can_widen(CHARGE, (0, 19)) and not can_widen(CHARGE, (-100, 1000))
    for name, kind in (
        ("age", Kind.INTEGER),
        ("year of birth", Kind.INTEGER),
        ("bmi", Kind.DECIMAL),
        ("charge", Kind.TEXT),
    ):
        assert not can_widen(ColumnSpec(name, kind), (0, 5000)), name
    assert can_widen(ColumnSpec("days", Kind.INTEGER), (0, 365)), "whoever wants it may have it"
    assert not can_widen(CHARGE, (0, float("inf")))


def test_by_name_they_widen_from_0_to_a_thousand_or_more_and_never_for_what_people_earn() -> None:
    assert widens_by_name(CHARGE, (0, 1000)) and not widens_by_name(CHARGE, (0, 999))
    assert not widens_by_name(CHARGE, (1, 1000))
    for name in (
        "Total cost",
        "payment",
        "claim_amount",
        "donations",
        "turnover",
        "debt",
        "fine",
        "invoice",
        "Rechnung",
    ):
        assert is_skewed(name), name
    for name in ("salary", "wages", "amount of pay", "income", "age", "score", "days", "costume"):
        assert not widens_by_name(ColumnSpec(name, Kind.DECIMAL), (0, 100_000)), name


def test_the_rule_is_public_and_no_value_decides_its_words() -> None:
    one, other = made("57"), made("57", "99999", "3", "much")
    assert one.specification is not None and one.specification == other.specification
    assert assess(one.specification).provenance is Provenance.PUBLIC
    words = [level_words(one, level) for level in range(one.height + 1)]
    assert words == [level_words(other, level) for level in range(other.height + 1)]
    assert words == [
        "as it is",
        "10 intervals, widening to 50,000",
        "4 intervals, widening to 90,000",
        "2 intervals, widening to 99,000",
        "*",
    ]
    assert [stated_words(one, level) for level in range(5)] == words, "in notes as in the window"
    assert all(can_be_stated(said, level) for level, said in enumerate(words))
    assert cut_intervals(one, 2) == "They run from 0 to 100, 1,000, 10,000 and 100,000."
    told = "Numbers become intervals that widen, between 0, 100, 200, 500, … and 100,000; then fewer, then *."
    assert interval_words(one.specification) == told


def test_they_are_counted_one_by_one_and_not_by_a_width_on_average() -> None:
    found = made()
    assert occurring_labels(found, entries_of("0-100000")) == (10_000_001, 10, 4, 2, 1)
    assert (occurring_labels(found, entries_of("0-1000")) or ())[1:] == (4, 2, 1, 1)
    assert (occurring_labels(found, entries_of("0-250000")) or ())[1:] == (11, 5, 3, 1)
    assert public_sizes(found, entries_of("0-100000")).labels[1:] == (10, 4, 2, 1)
    assert public_sizes(found).labels[1:] == (11, 5, 3, 1), "with what lies beyond, where nobody says what occurs"


def test_one_that_holds_all_is_told_and_so_are_two_of_which_one_may_hold_nearly_all() -> None:
    found = made()
    assert not covers_all(found, 1, ("0-1000",)) and covers_all(found, 3, ("0-1000",))
    assert one_of_two(found, 3, ("0-100000",)) and not one_of_two(found, 2, ("0-100000",))
    few = made(high=20)
    assert not one_of_two(few, 3, ("0-20",)), "of narrow ones it is not said"


def test_other_intervals_are_not_taken_for_them() -> None:
    plain = widening_specification(CHARGE, (0, 100_000))
    assert is_widening(plain) and not is_widening(None)
    for change in (
        {"parameters": {**plain["parameters"], "repeat": True}},
        {"details": {**plain["details"], "levels": plain["details"]["levels"][:2]}},
        {"details": {**plain["details"], "intervals": [{"from": 0, "to": 10}, {"from": 10, "to": 30}]}},
        {"details": {**plain["details"], "intervals": plain["details"]["intervals"][:-1]}},
    ):
        assert not is_widening({**plain, **change}), change
    equal = specification("intervals", {}, {"intervals": [{"from": 0, "to": 10}], "levels": [{"group": 1}]})
    assert not is_widening(equal)


@given(
    st.floats(0, 1e9, allow_nan=False).map(lambda number: round(number, 2)),
    st.floats(20, 1e9, allow_nan=False).map(lambda number: round(number, 2)),
    st.sampled_from([Kind.INTEGER, Kind.DECIMAL, Kind.MONEY]),
)
@settings(max_examples=examples(400))
def test_every_range_is_covered_by_intervals_that_rise_widen_and_nest(low: float, wide: float, kind: Kind) -> None:
    column = ColumnSpec("cost", kind)
    plain = widening_specification(column, (low, low + wide))
    assert is_widening(plain) and assess(plain, column).provenance is Provenance.PUBLIC
    levels = [level_ends(plain, level) for level in range(1, len(plain["details"]["levels"]) + 1)]
    for ends in levels:
        assert ends[0] <= low < ends[1] and ends[-2] < low + wide <= ends[-1]
        assert ends == sorted(ends) and all(end == int(end) for end in ends)
    for finer, coarser in itertools.pairwise(levels):
        assert set(coarser) < set(finer) and len(coarser) > 2
    widths = [b - a for a, b in zip(levels[0], levels[0][1:], strict=False)]
    assert widths == sorted(widths) and widths[-1] > widths[0]
    numbers = [low, low + wide / 3, low + wide]
    build = build_hierarchy(plain, [re.sub(r"\.0$", "", f"{number:.2f}") for number in numbers], column=column)
    assert build.height == len(levels) + 1
    for level in range(1, len(levels) + 1):
        known = {path[0] for path in widening_labels(plain, (level,), ())}
        assert {build.labels[level][code] for code in build.maps[level].tolist()} <= known | {"*"}
