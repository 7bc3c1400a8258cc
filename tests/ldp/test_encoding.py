"""From columns to public domains."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec, Format, Kind
from workbench.core.settings import declared
from workbench.core.table import Column
from workbench.ldp.binning import DateUnit, date_bins, equal_bins, own_bins, whole_bins
from workbench.ldp.encoding import MISSING, OTHER, Absent, EncodingChoice, EncodingKind, Outside, domain_of, encode
from workbench.ldp.scaling import encode_numbers

AGES = Column.from_texts("age", ["17", "20", "30", "30", "90", "", "55"])
AGE = ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 100.0))
JOBS = Column.from_texts("job", ["cook", "nurse", "cook", "?", "clerk"])
JOB = ColumnSpec("job", Kind.CATEGORY, missing=("?",), domain=("clerk", "cook", "nurse", "pilot"))


def test_categories_follow_the_declared_domain_also_where_nobody_has_a_value() -> None:
    encoded = encode(EncodingChoice(), JOBS, JOB)
    assert encoded.domain.labels == ("clerk", "cook", "nurse", "pilot")
    assert encoded.domain.declared and not encoded.domain.ordinal
    assert encoded.codes.tolist() == [1, 2, 1, 0]
    assert encoded.rows.tolist() == [0, 1, 2, 4]
    assert (encoded.absent, encoded.clipped) == (1, 0)
    assert encoded.counts.tolist() == [1, 2, 1, 0]


def test_people_without_a_value_may_answer_with_a_value_of_their_own() -> None:
    encoded = encode(EncodingChoice(absent=Absent.VALUE), JOBS, JOB)
    assert encoded.domain.labels[-1] == MISSING
    assert encoded.counts.tolist() == [1, 2, 1, 0, 1]


def test_observed_values_are_used_only_if_that_is_said_and_then_it_is_kept_in_mind() -> None:
    undeclared = ColumnSpec("job", Kind.CATEGORY, missing=("?",))
    observed = ColumnSpec(
        "job", Kind.CATEGORY, missing=("?",), domain=("clerk", "cook", "nurse"), observed=frozenset({"domain"})
    )
    for spec in (undeclared, observed):
        with pytest.raises(WorkbenchError, match="not declared"):
            encode(EncodingChoice(), JOBS, spec)
        encoded = encode(EncodingChoice(assume_public=True), JOBS, spec)
        assert not encoded.domain.declared
        assert encoded.domain.labels == ("clerk", "cook", "nurse")
    assert domain_of(EncodingChoice(domain=("nurse", "cook", "clerk")), JOBS, undeclared).declared
    with pytest.raises(WorkbenchError, match="bounds"):
        encode(EncodingChoice(), AGES, ColumnSpec("age", Kind.INTEGER))
    assert not encode(EncodingChoice(assume_public=True), AGES, ColumnSpec("age", Kind.INTEGER)).domain.declared


def test_values_outside_the_domain_stop_or_are_clipped_as_chosen() -> None:
    few = EncodingChoice(domain=("cook", "clerk"))
    with pytest.raises(WorkbenchError, match="a value lies outside") as refused:
        encode(few, JOBS, JOB)
    assert "nurse" not in repr(refused.value) and "“nurse” lies outside" in str(refused.value.for_analyst())
    clipped = encode(EncodingChoice(domain=("cook", "clerk"), outside=Outside.CLIP), JOBS, JOB)
    assert clipped.domain.labels == ("cook", "clerk", OTHER)
    assert clipped.counts.tolist() == [2, 1, 1]
    assert clipped.clipped == 1
    narrow = ColumnSpec("age", Kind.INTEGER, bounds=(20.0, 60.0))
    with pytest.raises(WorkbenchError, match="a value lies outside") as refused:
        encode(EncodingChoice(bins=4), AGES, narrow)
    assert "“17”, “90” lies outside" in str(refused.value.for_analyst())
    ages = encode(EncodingChoice(bins=4, outside=Outside.CLIP), AGES, narrow)
    assert ages.codes.tolist() == [0, 0, 1, 1, 3, 3]
    assert ages.clipped == 2


def test_bins_hold_their_lower_edge_and_the_last_one_both() -> None:
    bins = equal_bins(0.0, 1.0, 10)
    assert bins.labels[2] == "[0.2, 0.3["
    assert bins.labels[-1] == "[0.9, 1]"
    assert bins.locate(np.array([0.0, 0.1, 0.3, 0.29999, 1.0, 1.001, -0.1])).tolist() == [0, 1, 3, 2, 9, 10, -1]
    assert own_bins((0.0, 18.0, 65.0, 120.0)).labels == ("[0, 18[", "[18, 65[", "[65, 120]")
    whole = whole_bins(3, 6)
    assert whole.labels == ("3", "4", "5", "6")
    assert whole.middles.tolist() == [3, 4, 5, 6]
    assert whole.locate(np.array([3.0, 6.0, 7.0, 2.0])).tolist() == [0, 3, 4, -1]


def test_the_binning_error_is_how_far_the_middles_are_from_the_numbers() -> None:
    encoded = encode(EncodingChoice(bins=10), AGES, AGE)
    numbers = [17, 20, 30, 30, 90, 55]
    middles = [15, 25, 35, 35, 95, 55]
    assert encoded.binning_error == pytest.approx(stats.wasserstein_distance(numbers, middles))
    assert encode(EncodingChoice(how=EncodingKind.WHOLE), AGES, AGE).binning_error == 0.0
    assert encode(EncodingChoice(), JOBS, JOB).binning_error == 0.0


@pytest.mark.parametrize(
    "unit,labels",
    [
        (DateUnit.DAY, ("2024-02-28", "2024-02-29", "2024-03-01")),
        (DateUnit.WEEK, ("week of 2024-02-26",)),
        (DateUnit.MONTH, ("2024-02", "2024-03")),
        (DateUnit.QUARTER, ("2024 Q1",)),
        (DateUnit.YEAR, ("2024",)),
    ],
)
def test_dates_by_calendar_unit(unit: DateUnit, labels: tuple[str, ...]) -> None:
    first, last = (float(np.datetime64(day, "D").astype(int)) for day in ("2024-02-28", "2024-03-01"))
    if len(labels) < 2:
        with pytest.raises(WorkbenchError, match="at least two"):
            date_bins(first, last, unit)
        later = float(np.datetime64("2025-06-30", "D").astype(int))
        bins = date_bins(first, later, unit)
        assert bins.labels[0] == labels[0]
        assert bins.edges[0] <= first and bins.edges[-2] <= later < bins.edges[-1]
        if unit is DateUnit.WEEK:
            assert set(np.diff(bins.edges)) == {7.0}
        return
    bins = date_bins(first, last, unit)
    assert bins.labels == labels
    assert bins.locate(np.array([first, last])).tolist() == [0, len(labels) - 1]
    in_seconds = date_bins(first * 86400, last * 86400 + 80_000, unit, seconds=True)
    assert in_seconds.labels == labels
    assert in_seconds.locate(np.array([last * 86400 + 80_000])).tolist() == [len(labels) - 1]


def test_a_column_of_dates_is_binned_by_month() -> None:
    column = Column.from_texts("day", ["03.01.2024", "28.02.2024", "01.02.2024"])
    spec = ColumnSpec("day", Kind.DATE, format=Format(pattern="%d.%m.%Y"))
    bounds = tuple(float(np.datetime64(day, "D").astype(int)) for day in ("2024-01-01", "2024-12-31"))
    encoded = encode(EncodingChoice(how=EncodingKind.DATES, bounds=bounds), column, spec)
    assert encoded.domain.size == 12
    assert encoded.codes.tolist() == [0, 1, 1]
    assert encode(EncodingChoice(bins=12, bounds=bounds), column, spec).domain.labels[0].startswith("[2024-01-01")


def test_a_question_has_two_answers_and_yes_is_the_second() -> None:
    encoded = encode(EncodingChoice(how=EncodingKind.QUESTION, answer="cook"), JOBS, JOB)
    assert encoded.domain.labels == ("not cook", "cook")
    assert encoded.codes.tolist() == [1, 0, 1, 0]
    with pytest.raises(WorkbenchError, match="which value"):
        encode(EncodingChoice(how=EncodingKind.QUESTION), JOBS, JOB)


def test_ordered_and_numeric_categories_are_ordinal_with_places() -> None:
    sizes = Column.from_texts("size", ["10", "2", "2"])
    encoded = encode(
        EncodingChoice(how=EncodingKind.CATEGORIES, assume_public=True), sizes, ColumnSpec("size", Kind.INTEGER)
    )
    assert encoded.domain.labels == ("2", "10")
    assert encoded.domain.ordinal
    assert encoded.domain.positions is not None and encoded.domain.positions.tolist() == [2.0, 10.0]
    assert domain_of(EncodingChoice(), JOBS, ColumnSpec("job", Kind.ORDERED, domain=("clerk", "cook"))).ordinal


@pytest.mark.parametrize(
    "choice,spec,what",
    [
        (EncodingChoice(domain=("cook",)), JOB, "only one value"),
        (EncodingChoice(domain=("cook", "cook")), JOB, "twice"),
        (EncodingChoice(how=EncodingKind.BINS), JOB, "cannot be taken in bins"),
        (EncodingChoice(how=EncodingKind.WHOLE), JOB, "whole numbers"),
        (EncodingChoice(how=EncodingKind.DATES), JOB, "calendar"),
    ],
)
def test_impossible_encodings_of_categories_are_refused(choice: EncodingChoice, spec: ColumnSpec, what: str) -> None:
    with pytest.raises(WorkbenchError, match=what):
        encode(choice, JOBS, spec)


@pytest.mark.parametrize(
    "choice,what",
    [
        (EncodingChoice(bins=1), "at least two"),
        (EncodingChoice(bins=2_000_000), "more than"),
        (EncodingChoice(how=EncodingKind.EDGES, edges=(0.0, 10.0)), "three"),
        (EncodingChoice(how=EncodingKind.EDGES, edges=(0.0, 10.0, 10.0)), "above"),
        (EncodingChoice(how=EncodingKind.WHOLE, bounds=(0.5, 10.0)), "whole"),
        (EncodingChoice(bounds=(10.0, 0.0)), "no bounds"),
    ],
)
def test_impossible_bins_are_refused(choice: EncodingChoice, what: str) -> None:
    with pytest.raises(WorkbenchError, match=what):
        encode(choice, AGES, AGE)


def test_numbers_for_means_are_scaled_by_the_public_bounds() -> None:
    numbers = encode_numbers(EncodingChoice(), AGES, AGE)
    np.testing.assert_allclose(numbers.scaled, [-0.66, -0.6, -0.4, -0.4, 0.8, 0.1])
    assert numbers.mean == pytest.approx(np.mean([17, 20, 30, 30, 90, 55]))
    with pytest.raises(WorkbenchError, match="outside the public bounds"):
        encode_numbers(EncodingChoice(bounds=(20.0, 60.0)), AGES, AGE)
    clipped = encode_numbers(EncodingChoice(bounds=(20.0, 60.0), outside=Outside.CLIP), AGES, AGE)
    assert clipped.scaled.tolist() == [-1.0, -1.0, -0.5, -0.5, 1.0, 0.75]
    with pytest.raises(WorkbenchError, match="no mean"):
        encode_numbers(EncodingChoice(), JOBS, JOB)


def test_what_is_no_number_is_refused_and_not_clipped() -> None:
    ages = Column.from_texts("age", ["17", "many", "30"])
    for outside in Outside:
        with pytest.raises(WorkbenchError, match="is no number"):
            encode_numbers(EncodingChoice(outside=outside), ages, AGE)
    with pytest.raises(WorkbenchError, match="is no number"):
        encode(EncodingChoice(outside=Outside.CLIP), ages, AGE)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a, b ,c", ("a", "b", "c")),
        ("a,,b,", ("a", "", "b", "")),
        ("", ("",)),
        ('"yes, often",no', ("yes, often", "no")),
        (' "a ""b"", c" ,d', ('a "b", c', "d")),
        ('5" pipe,"a" b,"c', ('5" pipe', '"a" b', '"c')),
    ],
)
def test_an_answer_in_quotation_marks_may_hold_a_comma(text: str, values: tuple[str, ...]) -> None:
    flag = declared(EncodingChoice)["domain"].flags[0]
    assert flag.read is not None and flag.read(text) == values
    assert flag.read(flag.write(values)) == values
