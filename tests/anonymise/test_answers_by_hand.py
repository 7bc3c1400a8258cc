"""What a release says beside the truth, worked out by hand: what labels stand for, answers, pairs, and risk."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from workbench.anonymise._limits import beta_limit, checked_beta, checked_k
from workbench.anonymise.compared import Compared, Meaning, order_of_labels
from workbench.anonymise.contingency import cross
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.query_error import answer, with_spread
from workbench.anonymise.questions import ComparedAnswer, ReleaseQuestion, ReleaseStatistic
from workbench.anonymise.risk import assess_risk
from workbench.anonymise.subset import rows_per_value, subset_of
from workbench.core.errors import WorkbenchError
from workbench.core.filtering import parse
from workbench.core.hierarchy import Hierarchy
from workbench.core.promised_ranges import checked_delta, checked_epsilon, checked_rows
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.table import Column, Table

AGES = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}s", "*") for age in (20, 22, 28, 30, 36)])
AGE, TOWN = ColumnSpec("age", Kind.INTEGER), ColumnSpec("town", Kind.CATEGORY, domain=("A", "B", "C"))
SCHEMA = Schema((AGE, TOWN))


def table(*rows: tuple[str, str]) -> Table:
    return Table(
        tuple(
            Column.from_texts(name, list(texts))
            for name, texts in zip(("age", "town"), zip(*rows, strict=True), strict=True)
        )
    )


BEFORE = table(("20", "A"), ("20", "A"), ("22", "A"), ("28", "B"), ("30", "B"), ("36", "C"))
AFTER = table(("20s", "A"), ("20s", "A"), ("20s", "B"), ("30s", "B"))
RELEASE = Compared(BEFORE, AFTER, SCHEMA, {"age": AGES}, {"age": 1}, beta=0.5)


def asked(statistic: str, column: str = "", where: str = "", release: Compared = RELEASE) -> ComparedAnswer:
    return answer(release, ReleaseQuestion(ReleaseStatistic(statistic), column, where))


# What labels stand for


def test_a_label_is_the_middle_of_the_values_under_it() -> None:
    meaning = Meaning(AGE, AGES, 1)
    labels = ["20s", "30s", "*", "28", "21-24", "[30, 36[", "unknown"]
    assert meaning.numbers(labels)[:2].tolist() == [24.0, 33.0]
    found = meaning.numbers(labels).tolist()
    assert math.isnan(found[2]) and found[3:6] == [28.0, 22.5, 33.0] and math.isnan(found[6])
    among = np.array([True, True, False, False, False])
    assert np.array_equal(meaning.numbers(["20s", "30s"], among), [21.0, math.nan], equal_nan=True)
    assert np.isnan(Meaning(TOWN, None, 0).numbers(["A", "1"])).all()
    assert np.array_equal(Meaning(AGE, None, 0).numbers(["7", "*"]), [7.0, math.nan], equal_nan=True)


def test_a_label_counts_evenly_for_the_values_under_it() -> None:
    meaning = Meaning(AGE, AGES, 1)
    assert meaning.spread(["20s", "30s"], np.array([6.0, 1.0])) == {"20": 2, "22": 2, "28": 2, "30": 0.5, "36": 0.5}
    among = np.array([True, False, True, False, False])
    assert meaning.spread(["20s", "30s"], np.array([6.0, 1.0]), among) == {"20": 3, "28": 3, "30s": 1}
    assert meaning.spread(["30s", "no label", "20"], np.array([0.0, 2.0, 1.0])) == {"20": 1, "no label": 2}
    assert Meaning(TOWN, None, 0).spread(["A", "B"], np.array([2.0, 0.0])) == {"A": 2}


def test_a_filter_is_fulfilled_by_a_share_of_a_label() -> None:
    rule = parse("age < 25", SCHEMA)
    meaning = Meaning(AGE, AGES, 1)
    assert meaning.shares(["20s", "30s", "22", "28", "*"], rule).tolist() == [2 / 3, 0, 1, 0, 2 / 5]
    held = meaning.holds(rule)
    assert held is not None and held.tolist() == [True, True, False, False, False]
    assert Meaning(AGE, None, 0).holds(rule) is None
    assert Meaning(AGE, None, 0).shares(["22", "28"], rule).tolist() == [1, 0]


def test_stars_and_blanks_are_told_apart() -> None:
    meaning = Meaning(replace(AGE, missing=("", "none")), AGES, 1)
    assert meaning.nothing_said(["*", "20s", ""]).tolist() == [True, False, False]
    assert Meaning(TOWN, None, 0).nothing_said(["*"]).tolist() == [False]
    assert meaning.no_value(["", "none", "20s"]).tolist() == [True, True, False]


def test_labels_are_in_the_order_of_their_numbers_or_the_most_frequent_first() -> None:
    counts = np.array([1, 5, 5, 2])
    assert Meaning(AGE, AGES, 1).order(["30s", "20s", "*", "22"], counts).tolist() == [3, 1, 0, 2]
    assert Meaning(ColumnSpec("town", Kind.CATEGORY), None, 0).order(["x", "y", "z", "w"], counts).tolist() == [
        1,
        2,
        3,
        0,
    ]
    ordered = ColumnSpec("size", Kind.ORDERED, domain=("small", "large"))
    assert Meaning(ordered, None, 0).order(["large", "?", "small", "!"], counts).tolist() == [2, 0, 1, 3]
    # Of labels alone: half of the rows must read as numbers for these to count.
    few = order_of_labels(("b", "3", "1"), np.array([2, 1, 1]), ColumnSpec("x", Kind.TEXT))
    assert few.tolist() == [2, 1, 0]
    assert order_of_labels(("b", "3", "1"), np.array([3, 1, 1]), ColumnSpec("x", Kind.TEXT)).tolist() == [0, 1, 2]


# Answers


def test_counts_and_sums_of_a_sample_are_divided_by_its_share() -> None:
    count = asked("count")
    assert (count.true, count.released, count.absolute, count.scale, count.unread) == (6, 8, 2, 2, 0)
    assert count.percent == pytest.approx(100 / 3) and math.isnan(count.total_variation) and count.bars is None
    total = asked("sum", "age")
    assert (total.true, total.released) == (156, 2 * (3 * 24 + 33))
    mean = asked("mean", "age")
    assert (mean.true, mean.released) == (26, (3 * 24 + 33) / 4)
    some = asked("count", where="town = 'A'")
    assert (some.true, some.released) == (3, 4)
    young = asked("count", where="age < 25")
    assert (young.true, young.released) == (3, pytest.approx(2 * 3 * 2 / 3))


def test_of_a_label_that_is_asked_about_only_the_values_that_are_meant_count() -> None:
    young = asked("mean", "age", "age < 25")
    assert (young.true, young.released) == (62 / 3, 21)
    total = asked("sum", "age", "age < 25")
    assert total.released == pytest.approx(2 * 3 * (2 / 3) * 21)
    nobody = asked("mean", "age", "age > 90")
    assert math.isnan(nobody.true) and math.isnan(nobody.released)


def test_rows_whose_label_is_no_number_are_left_out_and_told() -> None:
    starred = replace(RELEASE, released=table(("20s", "A"), ("*", "A"), ("*", "B"), ("30s", "B")))
    mean = asked("mean", "age", release=starred)
    assert (mean.released, mean.unread) == ((24 + 33) / 2, 0.5)
    assert asked("sum", "age", release=starred).unread == 0.5
    assert asked("count", "", release=starred).unread == 0.0


def test_rows_before_and_after_may_be_a_part() -> None:
    part = replace(RELEASE, rows=np.array([0, 3, 4]), kept=np.array([True, False, False, True]), beta=1.0)
    assert (part.rows_before, part.rows_after) == (3, 2)
    assert (asked("count", release=part).true, asked("count", release=part).released) == (3, 2)
    assert asked("mean", "age", release=part).true == 26 and asked("mean", "age", release=part).released == 28.5
    assert part.grouped("age").texts() == ["20s", "20s", "30s"] and part.grouped("town").texts() == ["A", "B", "B"]


def test_a_histogram_is_moved_by_what_must_go_elsewhere() -> None:
    towns = asked("histogram", "town")
    bars = towns.bars
    assert bars is not None and bars.values == ("A", "B", "C")
    assert bars.before.tolist() == [3, 2, 1] and bars.after.tolist() == [4, 4, 0]
    assert (towns.true, towns.released, towns.absolute) == (6, 8, 4)
    assert towns.percent == pytest.approx(100 * 4 / 6)
    assert towns.total_variation == pytest.approx((abs(1 / 2 - 1 / 2) + abs(1 / 3 - 1 / 2) + 1 / 6) / 2)
    ages = asked("histogram", "age").bars
    assert ages is not None and ages.values == ("20", "22", "28", "30", "36")
    assert ages.after.tolist() == [2, 2, 2, 1, 1] and ages.before.tolist() == [2, 1, 1, 1, 1]
    nothing = asked("histogram", "town", "age > 90")
    assert math.isnan(nothing.total_variation) and nothing.absolute == 0


@pytest.mark.parametrize(
    ("statistic", "column", "where", "field"),
    [
        ("sum", "town", "", "column"),
        ("mean", "town", "", "column"),
        ("histogram", "", "", "column"),
        ("mean", "pay", "", "column"),
        ("count", "", "age > 1 and town = 'A'", "where"),
    ],
)
def test_what_a_release_cannot_be_asked_is_refused(statistic: str, column: str, where: str, field: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        asked(statistic, column, where)
    assert caught.value.field == field


def test_where_nothing_is_random_there_is_no_spread() -> None:
    found = asked("count")
    assert with_spread(RELEASE, found) is found


# Pairs


def test_pairs_are_counted_before_and_after() -> None:
    pairs = cross(RELEASE, "age", "town")
    assert pairs.before.first == ("20", "22", "28", "30", "36") and pairs.before.second == ("A", "B", "C")
    assert pairs.before.counts.tolist() == [[2, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1]]
    assert pairs.grouped.first == pairs.after.first == ("20s", "30s")
    assert pairs.grouped.counts.tolist() == [[3, 1, 0], [0, 1, 1]] and pairs.after.counts.tolist() == [
        [2, 1, 0],
        [0, 1, 0],
    ]
    assert (pairs.after.total, pairs.before.total) == (4, 6)
    assert pairs.after.shares.tolist() == [[0.5, 0.25, 0], [0, 0.25, 0]]
    # 3/6, 1/6, 1/6, 1/6 before, 2/4, 1/4, 1/4 after.
    assert pairs.difference == pytest.approx(1 / 6)
    assert pairs.before.association == pytest.approx(1.0)
    # χ² = Σ n²/(r·c)·n − n: 6·(9/12 + 1/8 + 1/4 + 1/2) − 6 of 6 rows, two values at least.
    assert pairs.grouped.association == pytest.approx(math.sqrt(9 / 12 + 1 / 8 + 1 / 4 + 1 / 2 - 1))
    with pytest.raises(WorkbenchError, match="the same") as caught:
        cross(RELEASE, "age", "age")
    assert caught.value.field == "second"


@pytest.mark.parametrize(("most", "shown", "others"), [(5, 5, 0), (4, 5, 0), (3, 3, 2), (1, 1, 4)])
def test_rare_values_are_put_together_unless_it_is_only_one(most: int, shown: int, others: int) -> None:
    pairs = cross(RELEASE, "age", "town", most)
    assert len(pairs.before.first) == shown and pairs.before.others_first == others
    assert pairs.before.counts.shape == (
        shown + (others > 0),
        len(pairs.before.second) + (pairs.before.others_second > 0),
    )
    assert pairs.before.total == 6


def test_columns_of_one_value_have_no_association_and_no_rows_no_distance() -> None:
    alike = Compared(table(("20", "A"), ("22", "A")), table(("20s", "A")), SCHEMA, {"age": AGES}, {"age": 1})
    assert math.isnan(cross(alike, "age", "town").before.association)
    gone = replace(alike, kept=np.array([False]))
    assert math.isnan(cross(gone, "age", "town").difference)
    assert cross(gone, "age", "town").after.shares.tolist() == [[0.0], [0.0]][:1]


# Which rows, and how exposed


def test_a_subset_is_the_rows_with_its_value() -> None:
    chosen = subset_of(BEFORE, [ModelChoice("k-anonymity", {"k": 2}), ModelChoice.parse("k-map=2:town=B")])
    assert chosen is not None and chosen.rows == 2
    assert chosen.mask.tolist() == [False, False, False, True, True, False] and chosen.mark.tolist() == [0, 1, 0]
    assert rows_per_value(BEFORE, BEFORE["age"], chosen).tolist() == [0, 0, 1, 1, 0]
    assert rows_per_value(BEFORE, BEFORE["age"], None).tolist() == [2, 1, 1, 1, 1]
    assert chosen.take(np.array([0, 4])).mask.tolist() == [False, True]
    assert subset_of(BEFORE, [ModelChoice("k-anonymity", {"k": 2})]) is None
    with pytest.raises(WorkbenchError, match="No row has “Z”") as caught:
        subset_of(BEFORE, [ModelChoice.parse("k-map=2:town=Z")])
    assert caught.value.field == "subset_value" and caught.value.hint == "Values of “town” are: A, B, C."


def test_a_row_is_at_risk_above_the_threshold_only() -> None:
    risk = assess_risk(np.array([5, 0, 4, 1]), 0.2)
    assert (risk.rows, risk.classes, risk.smallest, risk.largest, risk.uniques) == (10, 3, 1, 5, 0.1)
    assert (risk.prosecutor.highest, risk.prosecutor.average, risk.prosecutor.at_risk) == (1.0, 0.3, 0.5)
    assert assess_risk(np.array([5, 4]), 0.25).prosecutor.at_risk == 0.0
    assert assess_risk(np.array([5, 4]), 0.2499).prosecutor.at_risk == pytest.approx(4 / 9)
    known = assess_risk(np.array([5, 4, 1]), 0.2, np.array([10, 4, 2]))
    assert (known.journalist.highest, known.marketer, known.journalist.at_risk) == (0.5, pytest.approx(0.2), 0.5)
    assert known.prosecutor == assess_risk(np.array([5, 4, 1]), 0.2).prosecutor


# What may be asked of a guarantee


def test_the_ends_of_every_range_are_in_it_and_what_is_beyond_is_not() -> None:
    before, after = (lambda x: math.nextafter(x, 0.0)), (lambda x: math.nextafter(x, math.inf))
    for check, least, most in (
        (checked_epsilon, 1e-9, 10.0),
        (checked_delta, 1e-300, before(1.0)),
        (checked_beta, 1e-10, before(1.0)),
    ):
        assert (check(least), check(most)) == (least, most)
        for beyond in (before(least), after(most), math.nan, math.inf, True, "0.5", None):
            with pytest.raises(WorkbenchError):
                check(beyond)
    for whole, most in ((checked_k, 100_000), (checked_rows, 1_000_000)):
        assert (whole(1), whole(most)) == (1, most)
        for beyond in (0, most + 1, 2.0, True, "2", None):
            with pytest.raises(WorkbenchError):
                whole(beyond)
    for epsilon in (0.1, 0.5, 1.0, math.log(2), 3.0, 10.0):
        limit = beta_limit(epsilon)
        assert limit == pytest.approx(-math.expm1(-epsilon), rel=1e-15) and limit <= -math.expm1(-epsilon) * (1 + 1e-15)


def test_the_largest_chance_of_a_row_is_the_nearest_float_that_is_not_above_its_limit() -> None:
    """1 − e^−ε by its series, ε − ε²/2 + ε³/6 − …, of which the terms left out are below 10⁻⁴⁰."""
    for number in range(1, 60):
        epsilon = number / 23
        term, limit, place = Fraction(epsilon), Fraction(0), 1
        while abs(term) > Fraction(1, 10**40):
            limit, place = limit + term, place + 1
            term *= -Fraction(epsilon) / place
        assert Fraction(beta_limit(epsilon)) <= limit < Fraction(math.nextafter(beta_limit(epsilon), 1.0))
