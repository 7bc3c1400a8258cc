"""What the data says about columns and hierarchies, against counting by hand."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.core.column_facts import BARS, column_facts, coverage, misfitting
from workbench.core.hierarchy import Hierarchy
from workbench.core.kinds import misfits
from workbench.core.schema import ColumnSpec, Format, Kind
from workbench.core.table import Column


def _facts(texts: list[str], kind: Kind, **description: object):
    return column_facts(Column.from_texts("c", texts), ColumnSpec("c", kind, **description))  # type: ignore[arg-type]


def test_categories_are_counted_most_frequent_first() -> None:
    facts = _facts(["b", "a", "b", "", "c", "b", "c"], Kind.CATEGORY)
    assert facts.frequent == (("b", 3), ("c", 2), ("a", 1))
    assert facts.bars.tolist() == [3, 2, 1]
    assert (facts.distinct, facts.missing, facts.most_rows) == (3, 1, 3)
    assert not facts.along_axis


def test_missing_texts_are_those_of_the_description() -> None:
    facts = _facts(["NA", "1", " NA ", "2", ""], Kind.INTEGER, missing=("", "NA"))
    assert (facts.distinct, facts.missing, facts.misfit_count) == (2, 3, 0)


def test_values_no_row_uses_do_not_count() -> None:
    column = Column("c", np.array([0, 0, 2]), ("a", "unused", "b"))
    facts = column_facts(column, ColumnSpec("c", Kind.CATEGORY))
    assert facts.distinct == 2
    assert facts.frequent == (("a", 2), ("b", 1))


def test_few_whole_numbers_have_a_bar_each_with_gaps() -> None:
    facts = _facts(["3", "5", "5", "8"], Kind.INTEGER)
    assert facts.bars.tolist() == [1, 0, 2, 0, 0, 1]
    assert (facts.least, facts.greatest) == (3, 8)


@pytest.mark.parametrize("count", [2, 39, 40, 41, 97, 1000])
def test_whole_numbers_that_are_all_alike_make_level_bars(count: int) -> None:
    facts = _facts([str(number) for number in range(count)], Kind.INTEGER)
    assert len(facts.bars) <= BARS
    assert facts.bars.sum() == count
    # Only the last bar may have fewer numbers to cover.
    assert len(set(facts.bars[:-1].tolist())) == 1
    assert facts.bars[-1] <= facts.bars[0]


def test_decimals_fall_into_bars_of_equal_width() -> None:
    facts = _facts(["0.0", "1.0", "0.26"], Kind.DECIMAL)
    expected = np.zeros(BARS, dtype=int)
    expected[0] = expected[int(0.26 * BARS)] = expected[-1] = 1
    assert facts.bars.tolist() == expected.tolist()


def test_a_single_number_is_one_bar() -> None:
    assert _facts(["7", "7"], Kind.INTEGER).bars.tolist() == [2]


def test_misfits_are_named_and_counted() -> None:
    facts = _facts(["1", "x", "x", *(f"y{i}" for i in range(9))], Kind.INTEGER)
    assert facts.misfit_count == 10
    assert facts.misfits == ("x", "y0", "y1", "y2", "y3")
    assert facts.bars.tolist() == [1]


def test_rows_with_misfits_are_counted_and_ordered_categories_have_some_too() -> None:
    assert _facts(["1", "x", "x", "", "y"], Kind.INTEGER).misfit_rows == 3
    ordered = _facts(["low", "odd", "odd", "high", ""], Kind.ORDERED, domain=("low", "high"))
    assert (ordered.misfits, ordered.misfit_count, ordered.misfit_rows) == (("odd",), 1, 2)
    assert _facts(["a", "b"], Kind.ORDERED).misfit_count == 0


@pytest.mark.parametrize(
    "spec",
    [
        ColumnSpec("c", Kind.INTEGER, missing=("", "NA")),
        ColumnSpec("c", Kind.MONEY, format=Format(".", ",", "$")),
        ColumnSpec("c", Kind.DATE, format=Format(pattern="%d.%m.%Y")),
        ColumnSpec("c", Kind.ORDERED, domain=("1", "x")),
        ColumnSpec("c", Kind.TEXT),
    ],
    ids=lambda spec: spec.kind.value,
)
def test_misfitting_codes_are_the_misfits_that_occur(spec: ColumnSpec) -> None:
    texts = ["1", "x", "", "NA", " NA ", "007", "$1,000", "01.02.2020", "31.02.2020", "1.5", *map(str, range(20_000))]
    column = Column.from_texts("c", [*texts, "never"]).take(np.arange(len(texts)))
    codes = misfitting(column, spec)
    assert codes.tolist() == sorted(codes.tolist())
    assert [column.values[code] for code in codes] == misfits(dict.fromkeys(texts), spec)


def test_a_date_without_a_pattern_reads_as_nothing_and_does_not_fail() -> None:
    facts = _facts(["2020-01-01", "2020-01-02"], Kind.DATE)
    assert facts.misfit_count == 2
    assert facts.bars.size == 0
    assert np.isnan(facts.least)


def test_dates_run_along_their_axis() -> None:
    facts = _facts(["1970-01-03", "1970-01-01"], Kind.DATE, format=Format(pattern="%Y-%m-%d"))
    assert (facts.least, facts.greatest) == (0, 2)
    assert facts.bars.sum() == 2


def test_an_empty_column_has_nothing() -> None:
    facts = _facts([], Kind.INTEGER)
    assert (facts.distinct, facts.missing, facts.most_rows, facts.frequent) == (0, 0, 0, ())


def test_the_most_frequent_of_very_many_values_are_found() -> None:
    texts = [str(number) for number in range(5000)] + ["4321"] * 3 + ["17"] * 7
    facts = _facts(texts, Kind.TEXT)
    assert facts.frequent[:2] == (("17", 8), ("4321", 4))
    assert len(facts.bars) == BARS
    assert facts.bars[0] == 8


def test_coverage_counts_rows_per_value_and_per_label() -> None:
    hierarchy = Hierarchy.from_rows([("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"), ("unused", "y", "*")])
    column = Column("c", np.array([0, 1, 1, 2, 3, 3, 3]), ("b", "a", "c", "new", "no row"))
    found = coverage(hierarchy, column)
    assert found.rows.tolist() == [2, 1, 1, 0]
    assert found.uncovered == ("new",)
    assert found.uncovered_rows == 3
    assert found.rows_per_label(hierarchy, 1).tolist() == [3, 1]
    assert found.rows_per_label(hierarchy, 2).tolist() == [4]
