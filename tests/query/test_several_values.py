"""An answer of several values: how far off each is, how far all of them at once, and which bins are wider."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from tests.query.helpers import question, seeded
from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.query.answer import AnswerForm, ReleasedAnswer
from workbench.query.catalogue import QueryDraft
from workbench.query.circumstances import of_drawn_rows
from workbench.query.partition import uneven_cells, uneven_ranges
from workbench.query.relevance import without_rows_of_others
from workbench.session.answer_shares import shares_headline
from workbench.session.query_words import (
    bounds_words,
    estimate_words,
    headline_words,
    interval_words,
    range_words,
    value_words,
)

SCHEMA = Schema((ColumnSpec("age", Kind.INTEGER), ColumnSpec("town", Kind.CATEGORY, domain=("A", "B", "C"))))
AGE = {"column": "age", "lower": "15", "upper": "95"}


@pytest.mark.parametrize(
    "kind, values, cells, unit, sensitivity",
    [
        ("histogram", {**AGE, "bins": 16}, 16, 1, 1),
        ("histogram", {"column": "town"}, 3, 1, 1),
        ("histogram2d", {**AGE, "bins": 4, "second_column": "town"}, 12, 1, 1),
        ("group-by", {"by_column": "town", "statistic": "sum", **AGE}, 3, 1, 95),
    ],
)
@pytest.mark.parametrize("epsilon", ["0.1", "1"])
def test_all_values_at_once_are_within_their_margin(
    kind: str, values: dict[str, Any], cells: int, unit: int, sensitivity: int, epsilon: str
) -> None:
    expected = question(kind, epsilon, described=SCHEMA, **values).expected
    q = math.exp(-float(epsilon) / sensitivity)
    margin = expected.together
    assert margin is not None and expected.half_width is not None and margin > expected.half_width

    def within(reach: int) -> float:
        return float((1 - 2 * q ** (reach + 1) / (1 + q)) ** cells)

    reach = round(margin / unit)
    assert within(reach) >= 0.95 > within(reach - 1)


def test_one_value_has_one_margin() -> None:
    plan = question("count", "1", described=SCHEMA)
    assert plan.expected.together is None and plan.together_text == plan.of_one == ""


def test_a_histogram_says_what_holds_of_each_bin_and_what_of_all() -> None:
    plan = question("histogram", "0.1", described=SCHEMA, **AGE, bins=16)
    assert plan.half_width_text == "± 30 rows" and plan.of_one == "bin"
    assert plan.together_text == "All 16 bins at once are within ± 57 rows in 95 % of answers."
    assert plan.error_text == "Off by 9.98 rows on average."
    assert plan.cautions == "90–95 holds 6 whole numbers, every other bin 5."
    assert uneven_cells(plan.parameters) == (plan.cautions,)
    assert question("histogram", "0.1", described=SCHEMA, column="town").of_one == "group"
    # Made to agree with their total, all may be further off than their noise, by what those below 0 take from them.
    agreed = question("histogram", "0.1", described=SCHEMA, **AGE, bins=16, post="consistent")
    assert agreed.expected.together is None and agreed.together_text == ""


@pytest.mark.parametrize(
    "edges, said",
    [
        ((0, 10, 20, 31), "20–31 holds 12 whole numbers, every other bin 10."),
        ((0, 10, 20, 30), "20–30 holds 11 whole numbers, every other bin 10."),
        ((0, 18, 65, 99), "The bins hold 18 to 47 whole numbers each."),
        ((0, 5, 9), ""),
        ((15, Fraction(199, 10), 25, 29), ""),
        ((), ""),
    ],
)
def test_bins_of_more_whole_numbers_than_the_others_are_named(edges: tuple[Fraction, ...], said: str) -> None:
    assert uneven_ranges([Fraction(edge) for edge in edges]) == said


def test_only_bins_of_whole_numbers_are_compared_by_how_many_they_hold() -> None:
    measured = Schema((ColumnSpec("age", Kind.DECIMAL),))
    plan = question("histogram", "1", described=measured, **AGE, bins=16)
    assert plan.cautions == "" and uneven_cells(plan.parameters) == ()


def test_a_count_of_groups_is_of_no_column() -> None:
    grouped = {"by_column": "town", **AGE}
    assert question("group-by", "1", described=SCHEMA, statistic="sum", **grouped).what.startswith("Sum of age by town")
    assert question("group-by", "1", described=SCHEMA, statistic="count", **grouped).what.startswith("Count by town")


def test_bounds_that_were_bought_are_a_range_and_no_bars() -> None:
    released = ReleasedAnswer(AnswerForm.LIST, [1.0, 111.0], labels=(("0.01", "0.99"),))
    assert value_words(released, "bounds") == "1 to 111" and value_words(released) == "1 · 111"
    assert bounds_words(released).startswith("About 1 % of the values lie below 1, and as many above 111")


def test_why_bounds_are_needed_depends_on_the_question() -> None:
    for kind, reason in (("histogram", "where the bins begin and end"), ("mean", "influence on the answer")):
        with pytest.raises(WorkbenchError, match=reason) as caught:
            question(kind, "1", described=SCHEMA, column="age")
        assert "command line" not in caught.value.hint and caught.value.flags == "--bounds"


def test_one_margin_of_a_grouped_mean_is_of_equal_groups_and_says_so() -> None:
    plan = question("group-by", "1", described=SCHEMA, by_column="town", statistic="mean", **AGE)
    assert plan.of_equal_groups and ", all in these groups, equally many in each group: of fewer" in plan.assumption
    for statistic in ("sum", "count"):  # whose noise is the same in groups of any size
        other = question("group-by", "1", described=SCHEMA, by_column="town", statistic=statistic, **AGE)
        assert not other.of_equal_groups and "equally" not in other.assumption
    assert not question("mean", "1", described=SCHEMA, **AGE).of_equal_groups


def test_that_a_median_comes_without_an_interval_is_said_before_it_is_paid() -> None:
    plan = question("median", "1", described=SCHEMA, **AGE)
    # ln(85 ÷ 0.05) = 7.44; of three that share ε, ln(255 ÷ 0.05) · 2 · 11 · 3 ÷ 20 = 28.2 rows, of 0.05 · n.
    assert plan.cautions == (
        "Only its rank is sure, to 8 rows with 95 %. "
        "The quantiles 0.45, 0.5, 0.55 enclose it with 95 %, from 581 rows on."
    )
    assert plan.mechanism.enclosing == "0.45, 0.5, 0.55"
    end = question("quantile", "1", described=SCHEMA, quantile="0.99", **AGE)
    together = question("quantile", "1", described=SCHEMA, quantile=plan.mechanism.enclosing, **AGE)
    assert re.fullmatch(r"Only its rank is sure, to [0-9]+ rows with 95 %\.", end.cautions)
    assert not end.mechanism.enclosing and not together.mechanism.enclosing
    asked = together.mechanism
    assert "at least 581 rows match" in asked.release(asked.assumed(2_000), seeded(1)).notes[1]
    assert question("quantile", "1", described=SCHEMA, quantile="0.45, 0.5, 0.55", **AGE).cautions == ""
    assert question("mean", "1", described=SCHEMA, **AGE).cautions == ""


def test_few_groups_are_named_with_what_the_noise_does_to_each() -> None:
    labels = (("A", "a very long name of a town"),)
    released = ReleasedAnswer(AnswerForm.LIST, [39.2, 36.9], labels=labels, interval=([39.1, 36.5], [39.25, 37.0]))
    assert value_words(released, "", labels) == "A 39.2 · a very long n… 36.9"
    assert value_words(released, "", labels, margin=True) == "A 39.2 ± 0.1 · a very long n… 36.9 ± 0.4"
    assert range_words(released) == "± 0.1 · ± 0.4, each with 95 %"
    assert headline_words(released, "", labels) == value_words(released, "", labels)
    # Of many the largest margin stands for each: 6 below the second, 9 above the fourth.
    bars = ReleasedAnswer(AnswerForm.LIST, [40, 36, 9, 7], interval=([35, 30, 4, 2], [45, 40, 14, 16]))
    assert headline_words(bars) == "± 9" and range_words(bars) == "for each of 4 numbers, with 95 %"
    few = replace(bars, value=[40, 36, 9, 15], interval=([35, 30, 4, 0], [45, 40, 14, 200]))
    assert headline_words(few) == "± 5 to 185", "a group of few people does not stand for all"
    named = [("A", "B", "C", "other values")]
    wards = replace(bars, interval=([35, 31, 4, 0], [45, 41, 14, 13]))
    assert headline_words(wards, "", named) == "± 5; other values ± 7", "nor do these stand for the wards"
    last = replace(few, interval=([35, 30, 4, 0], [45, 40, 14, 915]))
    assert headline_words(last, "", named) == "± 6; other values ± 900", "which nobody may have"
    assert range_words(wards, named) == "each of 4 numbers, with 95 %"
    assert headline_words(replace(bars, interval=None)) == "4 cells" and range_words(replace(bars, interval=None)) == ""
    paid = replace(released, unit="$")
    assert headline_words(paid, "", labels) == "A 39.2\N{NO-BREAK SPACE}$ · a very long n… 36.9\N{NO-BREAK SPACE}$"
    assert headline_words(replace(bars, unit="$")) == "± 9\N{NO-BREAK SPACE}$"
    assert headline_words(replace(bars, unit="rows")) == "± 9", "that rows are counted is known"
    number = ReleasedAnswer(AnswerForm.NUMBER, 12, interval=(9, 15), shown="12", unit="rows")
    assert value_words(number, margin=True) == "12 ± 3 rows" and value_words(number) == "12 rows"
    assert value_words(replace(number, interval=None), margin=True) == "12 rows"


@pytest.mark.parametrize("form", [AnswerForm.NUMBER, AnswerForm.LIST, AnswerForm.TABLE])
def test_of_each_answer_it_is_said_that_its_interval_is_the_noise_alone(form: AnswerForm) -> None:
    value: Any = {AnswerForm.NUMBER: 5, AnswerForm.LIST: [5, 6], AnswerForm.TABLE: [[5, 6]]}[form]
    released = ReleasedAnswer(form, value, interval=(value, value), shown="5")
    assert interval_words(released).endswith("This covers the noise, not how well the table represents other people.")
    assert interval_words(released, "values up to 9").startswith("Of values up to 9, the table's value")
    assert interval_words(replace(released, interval=None)) == ""


def test_what_is_within_a_margin_of_a_number_as_it_is_written_is_all_of_its_interval() -> None:
    """21.7651 is written 21.77, from which 21.6449 is 0.1251 off, and not 0.1202."""
    number = ReleasedAnswer(AnswerForm.NUMBER, 21.7651, (21.6449, 21.8853), shown="21.7651")
    assert value_words(number, margin=True) == "21.77 ± 0.13"
    for place in range(400):
        value = 3.0 + 0.137 * place**1.7
        low, high = value - 0.0101 * (place + 3), value + 0.0093 * (place + 7)
        several = ReleasedAnswer(AnswerForm.LIST, [value, 1.0], ([low, 0.5], [high, 1.5]), (("a", "b"),))
        alone = ReleasedAnswer(AnswerForm.NUMBER, value, (low, high), shown=str(value))
        for text in (value_words(alone, margin=True), value_words(several, margin=True).split(" · ")[0]):
            said, margin = (float(one.replace(",", "")) for one in text.split(" ± "))
            assert said - margin <= low + 1e-9 * value and high <= said + margin + 1e-9 * value, text


def test_of_rows_that_chance_decided_on_nothing_is_said_of_the_table() -> None:
    """Of 200 rows of one person one takes part: the interval is about that one."""
    released = ReleasedAnswer(AnswerForm.NUMBER, 5.0, interval=(4.0, 6.0))
    assert interval_words(released).startswith("The table's value lies between")
    drawn = interval_words(released, whose="rows that took part")
    assert drawn.startswith("The value of the rows that took part lies between") and "table's" not in drawn
    assert drawn.endswith("not which rows chance took, nor how well the table represents other people.")
    both = interval_words(released, "values up to 9", "rows that took part")
    assert both.startswith("Of values up to 9, the value of the rows that took part lies")
    for table, drawn_rows in (
        ({}, False),
        ({"where": "a = 1"}, False),
        ({"sample": 0.5}, True),
        ({"limit": {}}, False),
    ):
        assert of_drawn_rows({"table": table}) is drawn_rows
    assert of_drawn_rows({"table": {"limit": {"person": "p", "rows": 1}}}) and not of_drawn_rows({"table": 3})


def test_rows_that_were_typed_are_those_of_one_question() -> None:
    asked = QueryDraft("mean", "1", {"column": "age"}, assumed_rows=13_800, rows_typed=True)
    grouped = replace(asked, kind="group-by", values={"by_column": "town"})
    some = replace(asked, where="age > 30")
    for other in (grouped, some):
        forgotten = without_rows_of_others(other, asked)
        assert not forgotten.says_rows and replace(forgotten, assumed_rows=13_800, rows_typed=True) == other
    for same in (replace(asked, kind="sum"), replace(asked, epsilon="2")):
        assert without_rows_of_others(same, asked) == same, "as many rows match"
    typed = replace(some, assumed_rows=900)
    assert without_rows_of_others(typed, asked) == typed, "typed with it"


def test_a_count_far_below_0_does_not_widen_the_margin_of_the_others() -> None:
    """P(|noise| > 20) is below 5 % at ε = 0.147, of each: −22 is only 22 away from 0, the least there can be."""
    keys = "A, B, C, D, E"
    asked = question("histogram", "0.147", column="town", keys=keys, other=True)
    assert asked.expected.half_width == 20
    names = (("A", "B", "C", "D", "E", "other values"),)

    def answered(*noisy: int) -> ReleasedAnswer:
        ends = [max(one - 20, 0) for one in noisy], [max(one + 20, 0) for one in noisy]
        return ReleasedAnswer(AnswerForm.LIST, list(noisy), ends, names, {"count": noisy}, unit="rows")

    one = answered(1800, 2100, 1500, 1700, 1900, -22)
    assert headline_words(one, "histogram", names) == "± 20; other values ± 22"
    assert range_words(one, names) == "each of 6 numbers, with 95 %"
    assert estimate_words(one, "histogram", names) == "each ± 20; other values ± 22, with 95 %"
    assert headline_words(answered(1800, 2100, -23, 1700, 1900, 4), "histogram", names) == "± 20; C ± 23"
    two = answered(1800, 2100, -23, 1700, 1900, -31)
    assert headline_words(two, "histogram", names) == "± 20; C and other values up to ± 31"
    three = answered(1800, -21, -23, 1700, 1900, -31)
    assert headline_words(three, "histogram", names) == "± 20; 3 below 0 up to ± 31"
    assert headline_words(answered(1800, 2100, 1500, 1700, 1900, -12), "histogram", names) == "± 20", "0 to 8"
    assert headline_words(answered(*(-30,) * 6), "histogram", names) == "± 30", "there is nothing else"
    given = {"query": "histogram"}
    line, beside = shares_headline(one, given, names, 9_000)
    assert (line, beside) == ("± 0.23 points; other values ± 0.24 points", "each of 6 shares, with 95 %")
    assert shares_headline(three, given, names, 9_000)[0] == "± 0.23 points; 2 below 0 up to ± 0.34 points", (
        "of one it is 0.23"
    )
