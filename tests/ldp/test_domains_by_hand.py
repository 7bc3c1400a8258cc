"""Which code each value gets, by each way to encode: small columns by hand, limits, and what is said to be public."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec, Format, Kind
from workbench.core.table import Column
from workbench.ldp import encoding
from workbench.ldp.encoding import (
    MISSING,
    OTHER,
    Absent,
    Domain,
    EncodingChoice,
    EncodingKind,
    Outside,
    chosen_how,
    domain_of,
    encode,
    public_bounds,
)

AGES = Column.from_texts("age", ["17", "20", "30", "30", "90", "", "55"])
AGE = ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 100.0))
BARE = ColumnSpec("age", Kind.INTEGER)
JOBS = Column.from_texts("job", ["cook", "nurse", "cook", "?", "clerk"])
JOB = ColumnSpec("job", Kind.CATEGORY, missing=("?",), domain=("clerk", "cook", "nurse", "pilot"))
KINDS = {
    "number": ColumnSpec("c", Kind.DECIMAL),
    "whole": ColumnSpec("c", Kind.INTEGER),
    "day": ColumnSpec("c", Kind.DATE, format=Format(pattern="%Y-%m-%d")),
    "moment": ColumnSpec("c", Kind.DATETIME),
    "text": ColumnSpec("c", Kind.TEXT),
    "category": ColumnSpec("c", Kind.CATEGORY),
    "order": ColumnSpec("c", Kind.ORDERED),
}
ALONG = {"number", "whole", "day", "moment"}
FITTING: dict[EncodingKind, set[str]] = {
    EncodingKind.CATEGORIES: set(KINDS),
    EncodingKind.QUESTION: set(KINDS),
    EncodingKind.BINS: ALONG,
    EncodingKind.EDGES: ALONG,
    EncodingKind.WHOLE: {"whole"},
    EncodingKind.DATES: {"day", "moment"},
}


def test_every_way_goes_with_the_kinds_it_can_be_made_of() -> None:
    for how, fitting in FITTING.items():
        for name, spec in KINDS.items():
            if name in fitting:
                assert chosen_how(EncodingChoice(how=how), spec) is how
            else:
                with pytest.raises(WorkbenchError) as caught:
                    chosen_how(EncodingChoice(how=how), spec)
                assert caught.value.field == "how"


def test_numbers_and_dates_are_binned_unless_their_values_are_named() -> None:
    for name, spec in KINDS.items():
        usual = EncodingKind.BINS if name in ALONG else EncodingKind.CATEGORIES
        assert chosen_how(EncodingChoice(), spec) is usual
        assert chosen_how(EncodingChoice(domain=("1", "2")), spec) is EncodingKind.CATEGORIES
        declared = ColumnSpec("c", spec.kind, domain=("1", "2"))
        assert chosen_how(EncodingChoice(), declared) is EncodingKind.CATEGORIES
        read = ColumnSpec("c", spec.kind, domain=("1", "2"), observed=frozenset({"domain"}))
        assert chosen_how(EncodingChoice(), read) is usual, "what was read from the data is not declared"


@pytest.mark.parametrize("absent", list(Absent))
@pytest.mark.parametrize("outside", list(Outside))
def test_every_value_gets_its_code(absent: Absent, outside: Outside) -> None:
    choice = EncodingChoice(domain=("cook", "clerk"), outside=outside, absent=absent)
    if absent is Absent.STOP or outside is Outside.STOP:
        with pytest.raises(WorkbenchError) as caught:
            encode(choice, JOBS, JOB)
        assert caught.value.flags == ("--missing" if absent is Absent.STOP else "--clip")
        named = str(caught.value.for_analyst())
        assert "?" not in named and ("nurse" in named) is (absent is not Absent.STOP)
        assert "nurse" not in str(caught.value), "which value it is is for the analyst alone"
        return
    found = encode(choice, JOBS, JOB)
    labels = ["cook", "clerk", OTHER, *([MISSING] if absent is Absent.VALUE else [])]
    said = ["cook", OTHER, "cook", MISSING, "clerk"]
    if absent is Absent.LEAVE_OUT:
        said.remove(MISSING)
    assert list(found.domain.labels) == labels and domain_of(choice, JOBS, JOB).labels == found.domain.labels
    assert [labels[code] for code in found.codes.tolist()] == said
    assert found.rows.tolist() == ([0, 1, 2, 3, 4] if absent is Absent.VALUE else [0, 1, 2, 4])
    assert (len(found), found.clipped, found.absent, found.binning_error) == (len(said), 1, 1, 0.0)
    assert found.counts.tolist() == [said.count(label) for label in labels]
    assert found.answering.tolist() == [absent is Absent.VALUE or value != "?" for value in JOBS.values]
    part = found.of(JOBS.take(np.array([0, 3])))
    assert len(part) == (2 if absent is Absent.VALUE else 1) and part.domain is found.domain


@pytest.mark.parametrize("outside", list(Outside))
@pytest.mark.parametrize("absent", [Absent.LEAVE_OUT, Absent.VALUE])
def test_numbers_at_and_beyond_the_bounds(outside: Outside, absent: Absent) -> None:
    """Bins [0, 10[, [10, 20[ and [20, 30]: the last holds both its ends."""
    texts = ["0", "9.5", "10", "19.9", "20", "30", "", *(["-1", "31"] if outside is Outside.CLIP else [])]
    codes = [0, 0, 1, 1, 2, 2, 3, *([0, 2] if outside is Outside.CLIP else [])]
    column, spec = Column.from_texts("c", texts), ColumnSpec("c", Kind.DECIMAL, bounds=(0.0, 30.0))
    found = encode(EncodingChoice(bins=3, outside=outside, absent=absent), column, spec)
    if absent is Absent.LEAVE_OUT:
        codes.remove(3)
    assert found.codes.tolist() == codes
    assert found.clipped == (2 if outside is Outside.CLIP else 0) and found.absent == 1
    middles, numbers = [5.0, 15.0, 25.0], [0, 9.5, 10, 19.9, 20, 30, *([0, 30] if outside is Outside.CLIP else [])]
    right = [abs(n - middles[code]) for n, code in zip(numbers, [c for c in codes if c < 3], strict=True)]
    assert found.binning_error == pytest.approx(math.fsum(right) / len(right))
    positions = found.domain.positions
    assert (positions is None) if absent is Absent.VALUE else (positions is not None and positions.tolist() == middles)
    assert found.domain.ordinal and found.domain.declared and not found.domain.whole
    if outside is Outside.STOP:
        for beyond in ("-0.1", "30.1"):
            with pytest.raises(WorkbenchError, match="a value lies outside") as refused:
                encode(EncodingChoice(bins=3), Column.from_texts("c", ["1", beyond]), spec)
            assert f"“{beyond}” lies outside" in str(refused.value.for_analyst())


def test_a_question_is_answered_by_those_who_have_a_value() -> None:
    for absent, codes in ((Absent.LEAVE_OUT, [0, 1, 0, 0]), (Absent.VALUE, [0, 1, 0, 2, 0])):
        found = encode(EncodingChoice(how=EncodingKind.QUESTION, answer="nurse", absent=absent), JOBS, JOB)
        assert found.codes.tolist() == codes and found.clipped == 0
        assert found.domain.labels[:2] == ("not nurse", "nurse")
        assert not found.domain.ordinal and found.domain.declared and found.domain.positions is None


@pytest.mark.parametrize(
    ("domain", "spec", "positions"),
    [
        (("1", "2.5", "7"), KINDS["number"], [1, 2.5, 7]),
        (("7", "2.5", "1"), KINDS["number"], None),
        (("1", "1.0", "7"), KINDS["number"], None),
        (("1", "many"), KINDS["number"], None),
        (("1", "2"), KINDS["order"], None),
        (("1", "2"), KINDS["category"], None),
        (("1970-01-02", "1970-01-05"), KINDS["day"], [1, 4]),
    ],
)
def test_listed_values_have_places_where_they_rise(
    domain: tuple[str, ...], spec: ColumnSpec, positions: list[float] | None
) -> None:
    column = Column.from_texts("c", list(domain))
    found = domain_of(EncodingChoice(how=EncodingKind.CATEGORIES, domain=domain), column, spec)
    assert found.ordinal is (spec.kind is not Kind.CATEGORY)
    assert (None if found.positions is None else found.positions.tolist()) == positions
    clipped = EncodingChoice(how=EncodingKind.CATEGORIES, domain=domain, outside=Outside.CLIP)
    assert domain_of(clipped, column, spec).positions is None, "“(other)” has no place"
    assert domain_of(clipped, column, spec).labels == (*domain, OTHER)


def test_a_domain_may_have_its_own_other_values_and_no_missing_ones_of_its_own() -> None:
    own = EncodingChoice(domain=("cook", OTHER), outside=Outside.CLIP)
    assert encode(own, JOBS, JOB).domain.labels == ("cook", OTHER)
    assert encode(own, JOBS, JOB).codes.tolist() == [0, 1, 0, 1]
    with pytest.raises(WorkbenchError) as caught:
        domain_of(EncodingChoice(domain=("cook", MISSING), absent=Absent.VALUE), JOBS, JOB)
    assert caught.value.field == "domain"
    assert domain_of(EncodingChoice(domain=("cook", MISSING)), JOBS, JOB).size == 2


def test_values_of_rows_that_were_left_out_are_not_taken_for_public_ones() -> None:
    part = JOBS.take(np.array([0, 1, 3]))
    spec = ColumnSpec("job", Kind.CATEGORY, missing=("?",))
    assert domain_of(EncodingChoice(assume_public=True), part, spec).labels == ("cook", "nurse")


@pytest.mark.parametrize(("size", "fits"), [(0, False), (1, False), (2, True), (5, True), (6, False)])
def test_a_domain_has_two_values_and_not_too_many(size: int, fits: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "LARGEST_DOMAIN", 5)
    choice = EncodingChoice(domain=tuple(f"v{number}" for number in range(size)), assume_public=False)
    spec = ColumnSpec("c", Kind.CATEGORY)
    if fits:
        assert domain_of(choice, JOBS, spec).size == size
    else:
        with pytest.raises(WorkbenchError) as caught:
            domain_of(choice, JOBS, spec)
        assert caught.value.field == "domain"


def test_bounds_are_typed_else_declared_else_those_of_the_data_if_that_is_said() -> None:
    typed, assumed = EncodingChoice(bounds=(5.0, 9.0)), EncodingChoice(assume_public=True)
    read = ColumnSpec("age", Kind.INTEGER, bounds=(1.0, 2.0), observed=frozenset({"bounds"}))
    assert public_bounds(typed, AGES, AGE) == ((5.0, 9.0), True)
    assert public_bounds(EncodingChoice(), AGES, AGE) == public_bounds(assumed, AGES, AGE) == ((0.0, 100.0), True)
    for spec in (BARE, read):
        assert public_bounds(assumed, AGES, spec) == ((17.0, 90.0), False)
        assert public_bounds(assumed, AGES.take(np.array([1, 2, 5])), spec) == ((20.0, 30.0), False)
        assert not domain_of(assumed, AGES, spec).declared
        with pytest.raises(WorkbenchError, match="not declared"):
            public_bounds(EncodingChoice(), AGES, spec)
    for texts in (["", ""], ["4", "4", ""], ["many"]):
        with pytest.raises(WorkbenchError, match="no two different numbers"):
            public_bounds(assumed, Column.from_texts("age", texts), BARE)


@pytest.mark.parametrize("bounds", [(1.0, 1.0), (2.0, 1.0)])
def test_what_is_no_range_is_refused(bounds: tuple[float, float]) -> None:
    with pytest.raises(WorkbenchError, match="no bounds"):
        public_bounds(EncodingChoice(bounds=bounds), AGES, BARE)


def test_whole_numbers_are_known_to_be_whole() -> None:
    for spec, whole in ((AGE, True), (ColumnSpec("age", Kind.DECIMAL, bounds=(0.0, 100.0)), False)):
        for absent in (Absent.LEAVE_OUT, Absent.VALUE):
            assert domain_of(EncodingChoice(bins=10, absent=absent), AGES, spec).whole is whole


@pytest.mark.parametrize(
    ("labels", "summary"),
    [
        (("a", "b"), "2 possible answers: a, b"),
        (("a", "b", "c"), "3 possible answers: a, b, c"),
        (("a", "b", "c", "d"), "4 possible answers: a, b, c, d"),
    ],
)
def test_a_domain_is_summed_up(labels: tuple[str, ...], summary: str) -> None:
    assert Domain(labels, ordinal=False, declared=True).summary == summary


def test_places_are_those_of_distinct_values_in_few_bits() -> None:
    found: Any = encode(EncodingChoice(bins=10), AGES, AGE)
    assert found.places.dtype == np.int32
    assert dict(zip(AGES.values, found.places.tolist(), strict=True)) == {
        "17": 1, "20": 2, "30": 3, "90": 9, "": -1, "55": 5
    }  # fmt: skip
