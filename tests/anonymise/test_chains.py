"""Chains of levels: by degrees, what is refused, how steps share ε and δ, and what to expect of a release."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby, pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.properties import examples
from workbench.anonymise.chains import check_chain, default_shares
from workbench.anonymise.dp_search import Degree, degree_levels
from workbench.anonymise.forecast import expected_rows, forecast, possible_groups
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.randomness import SeededSource
from workbench.core.trim_law import trim_law
from workbench.io.hierarchy_csv import read_hierarchy

SAMPLES = Path(__file__).parents[2] / "sample_data"
AGES = Hierarchy.from_rows([(str(age), f"{age // 5}", f"{age // 10}", "*") for age in range(20, 60)])
SEX = Hierarchy.from_rows([("f", "*"), ("m", "*")])
TWO = {"age": AGES, "sex": SEX}
PROMISE: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-5}


def of_degrees(hierarchies: dict[str, Hierarchy], degrees: Sequence[Degree]) -> tuple[dict[str, int], ...]:
    """The levels of each degree; degrees that lead to the same levels make one step."""
    return tuple(levels for levels, _ in groupby(degree_levels(hierarchies, degree) for degree in degrees))


# --- chains ----------------------------------------------------------------------------------------------------------


def torn() -> Hierarchy:
    """A hierarchy of which a level tears a label apart, as none that is read can be."""
    maps = list(AGES.maps)
    maps[2] = (np.arange(40) % 4).astype(np.int32)
    return replace(AGES, maps=tuple(maps))


@pytest.mark.parametrize(
    ("vectors", "field"),
    [
        ([], "steps"),
        ([{"age": level // 3, "sex": 0} for level in range(7)], "steps"),
        ([{"age": 2, "sex": 0}, {"age": 1, "sex": 1}], "steps"),
        ([{"age": 0, "sex": 0}, {"age": 4, "sex": 0}], "steps"),
        ([{"age": -1, "sex": 0}], "steps"),
        ([{"age": 0, "sex": 0}, {"age": 1}], "steps"),
        ([{"age": 1, "torn": 0}, {"age": 1, "torn": 0}, {"age": 1, "torn": 2}], ""),
        ([{"age": 1, "torn": 1}, {"age": 1, "torn": 2}], "torn"),
        ([{"age": 1, "as it is": 0}, {"age": 1, "as it is": 2}], "steps"),
    ],
)
def test_what_is_no_chain_is_refused(vectors: list[dict[str, int]], field: str) -> None:
    hierarchies = {**TWO, "torn": torn()}
    if not field:
        # From level 0 on every label is one value, so nothing is torn.
        check_chain(hierarchies, vectors)
        return
    with pytest.raises(WorkbenchError) as caught:
        check_chain(hierarchies, vectors)
    assert caught.value.field == field
    assert caught.value.hint


# --- shares ----------------------------------------------------------------------------------------------------------


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=6).map(sorted),
    st.floats(0.01, 10),
    st.floats(-20, -0.1).map(lambda power: 10.0**power),
    st.integers(1, 20),
    st.one_of(st.none(), st.integers(1, 10**9)),
)
def test_shares_are_tenths_and_make_a_guarantee(
    levels: list[int], epsilon: float, delta: float, persons_rows: int, rows: int | None
) -> None:
    vectors = [{"age": level, "sex": level // 3} for level in levels]
    promise = {"epsilon": epsilon, "delta": delta, "rows_per_person": persons_rows}
    shares = default_shares(vectors, {"age": 3, "sex": 1}, **promise, rows=rows)
    assert len(shares) == len(levels)
    assert sum(shares) == 1
    assert all(share > 0 and (10 * share).denominator == 1 for share in shares)


def test_what_hierarchies_list_has_no_say_in_the_shares() -> None:
    vectors = of_degrees(TWO, [Degree.NONE, Degree.MEDIUM, Degree.COMPLETE])
    heights = {name: hierarchy.height for name, hierarchy in TWO.items()}
    with_more = {**TWO, "age": TWO["age"].covering([str(age) for age in range(90)])}
    grown = {name: hierarchy.height for name, hierarchy in with_more.items()}
    assert default_shares(vectors, heights, **PROMISE) == default_shares(vectors, grown, **PROMISE)


def test_a_step_that_can_hardly_release_anything_gets_little() -> None:
    names = [f"c{number}" for number in range(9)]
    vectors = [dict.fromkeys(names, level) for level in (0, 2, 4)]
    shares = default_shares(vectors, dict.fromkeys(names, 4), **PROMISE, rows=1000)
    assert shares[0] == Fraction(1, 10)
    few = [{"sex": 0}, {"sex": 1}]
    assert default_shares(few, {"sex": 1}, **PROMISE, rows=100_000)[0] >= Fraction(8, 10)


class Counted:
    """A table by the sizes of its groups at the first step, and what they become."""

    def __init__(self, hierarchies: Mapping[str, Hierarchy], columns: Mapping[str, list[str]], degrees: list[Degree]):
        self.vectors = of_degrees(hierarchies, degrees)
        self.heights = {name: hierarchy.height for name, hierarchy in hierarchies.items()}
        codes = {}
        for name, hierarchy in hierarchies.items():
            place = {value: number for number, value in enumerate(hierarchy.values)}
            codes[name] = np.array([place[text] for text in columns[name]])
        groups = []
        for vector in self.vectors:
            labels = np.stack([hierarchies[name].maps[vector[name]][codes[name]] for name in hierarchies], axis=1)
            groups.append(np.unique(labels, axis=0, return_inverse=True)[1].ravel())
        self.rows = len(groups[0])
        self.first = np.bincount(groups[0])
        self.parents: list[NDArray[np.intp]] = []
        for finer, coarser in pairwise(groups):
            parent = np.zeros(finer.max() + 1, dtype=np.intp)
            parent[finer] = coarser
            self.parents.append(parent)

    def released(self, shares: tuple[Fraction, ...], persons_rows: int) -> int:
        """Rows that the steps release, in one seeded draw."""
        promised, source = TrimGuarantee(1, 1e-5, persons_rows, shares=shares), SeededSource(5)
        counts, total = self.first, 0
        for place, law in enumerate(promised.laws):
            kept = np.maximum(counts - law.draw(source, len(counts)), 0)
            total, counts = total + int(kept.sum()), counts - kept
            if place < len(self.parents):
                counts = np.bincount(self.parents[place], weights=counts).astype(np.int64)
        return total


def all_tenths(steps: int) -> list[tuple[Fraction, ...]]:
    """All shares in tenths."""
    whole = [tenths for tenths in product(range(1, 10), repeat=steps) if sum(tenths) == 10]
    return [tuple(Fraction(part, 10) for part in tenths) for tenths in whole]


def columns_of(path: Path, delimiter: str = ",") -> dict[str, list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        heading, *rows = list(csv.reader(file, delimiter=delimiter))
    return {name: [row[place] for row in rows] for place, name in enumerate(heading)}


CHAINS = {
    "three": [Degree.LOW, Degree.MEDIUM, Degree.HIGH],
    "four": [Degree.LOW, Degree.MEDIUM, Degree.HIGH, Degree.COMPLETE],
}


def check_shares(table: Counted, persons_rows: int) -> None:
    """The shares by the rule keep at least 95 % of the rows that the best ones keep, whether N is typed or not."""
    most = max(table.released(shares, persons_rows) for shares in all_tenths(len(table.vectors)))
    for rows in (None, table.rows):
        promise = {**PROMISE, "rows_per_person": persons_rows, "rows": rows}
        shares = default_shares(table.vectors, table.heights, **promise)
        assert table.released(shares, persons_rows) >= 0.95 * most


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize(
    ("name", "columns", "persons_rows"),
    [
        ("nba", ("position", "year", "age", "team", "salary"), 1),
        ("nba", ("position", "year", "age", "team", "salary"), 5),
        ("baltimore", ("job title", "annual salary", "gross pay"), 1),
    ],
)
def test_default_shares_keep_what_the_best_keep(
    name: str, columns: tuple[str, ...], persons_rows: int, chain: str
) -> None:
    hierarchies = {
        column: read_hierarchy(SAMPLES / f"{name}_hierarchy_{column.replace(' ', '_')}.csv") for column in columns
    }
    texts = columns_of(SAMPLES / f"{name}_salaries.csv")
    check_shares(Counted(hierarchies, texts, CHAINS[chain]), persons_rows)


@pytest.mark.parametrize("chain", CHAINS)
def test_default_shares_keep_what_the_best_keep_of_adult(shared_data: Path, chain: str) -> None:
    texts = columns_of(shared_data / "adult" / "adult.csv", ";")
    hierarchies = {name: read_hierarchy(shared_data / "adult" / f"adult_hierarchy_{name}.csv") for name in texts}
    check_shares(Counted(hierarchies, texts, CHAINS[chain]), 1)


# --- forecast --------------------------------------------------------------------------------------------------------


def test_a_forecast_needs_no_rows() -> None:
    promised = TrimGuarantee(1, 1e-5, shares=(Fraction(7, 10), Fraction(3, 10)))
    vectors = [{"age": 1, "sex": 0}, {"age": 3, "sex": 0}]
    said = forecast(promised, TWO, vectors, 10_000)
    assert [step.possible_groups for step in said.steps] == [9 * 3, 1 * 3]
    assert (said.epsilon, said.delta, said.rows) == (1, 1e-5, 10_000)
    assert [step.half_survive for step in said.steps] == [law.half_survive for law in promised.laws]
    first, second = (step.released for step in said.steps)
    assert first is not None and second is not None and said.released is not None
    # 10,000 rows in 27 groups are 370 each, and each gives up as many as the law takes.
    assert first == pytest.approx(1 - 27 * promised.laws[0].mean_lost / 10_000, rel=1e-9)
    assert said.released == pytest.approx(first + second)
    assert first < said.released < 1


def test_a_forecast_without_a_number_of_rows_says_no_share() -> None:
    said = forecast(TrimGuarantee(1, 1e-5), TWO, [{"age": 0, "sex": 0}])
    assert (said.rows, said.released, said.steps[0].released) == (None, None, None)
    assert said.steps[0].possible_groups == 41 * 3


def test_few_rows_in_many_groups_are_hardly_released() -> None:
    said = forecast(TrimGuarantee(1, 1e-5), TWO, [{"age": 0, "sex": 0}], 60)
    # One row in each of 60 groups: each is kept with the probability δ.
    assert said.released == pytest.approx(1e-5)


def test_what_occurs_in_the_data_is_not_counted_as_possible() -> None:
    listed = possible_groups(TWO, {"age": 0, "sex": 0})
    covering = {"age": AGES.covering(["99", "x"]), "sex": SEX}
    assert possible_groups(covering, {"age": 0, "sex": 0}) == listed
    assert possible_groups(covering, {"age": 1, "sex": 1}) == 9
    assert possible_groups(TWO, {"age": 1, "town": 0}) is None
    assert possible_groups(TWO, {"age": 1, "town": 1}) == 9
    said = forecast(TrimGuarantee(1, 1e-5, shares=(Fraction(1, 2),) * 2), TWO, [{"town": 0}, {"town": 1}], 100)
    assert [(step.possible_groups, step.released) for step in said.steps] == [(None, None), (1, None)]
    assert said.released is None


@pytest.mark.parametrize("floor", [1, 2, 7])
@pytest.mark.parametrize("per_person", [1, 3])
def test_sizes_that_survive_are_the_smallest_that_do(floor: int, per_person: int) -> None:
    """Of a group something is released where at least as many rows as the floor are left of it."""
    shares = (Fraction(7, 10), Fraction(3, 10))
    promised = TrimGuarantee(1, 1e-5, per_person, floor, shares)
    vectors = [{"age": 0, "sex": 0}, {"age": 1, "sex": 1}]
    every: list[tuple[int, int]] = []
    for step, law in zip(forecast(promised, TWO, vectors, 10_000).steps, promised.laws, strict=True):
        lost = np.array(law.weights) / law.total
        chances = [float(lost[: max(0, rows - floor + 1)].sum()) for rows in range(len(lost) + floor + 1)]
        assert step.half_survive == next(rows for rows, chance in enumerate(chances) if chance >= 0.5 - 1e-12)
        assert step.always_survive == next(rows for rows in range(len(chances)) if rows - floor + 1 >= len(lost))
        every.append((step.half_survive, step.always_survive))
        for rows in (0, floor - 1, floor, step.half_survive, step.always_survive - 1, step.always_survive):
            nowhere = math.prod(1 - one.keep(max(0, rows - floor + 1)) for one in promised.laws)
            assert promised.keep_somewhere(rows) == pytest.approx(1 - nowhere, abs=1e-12)
            if len(every) == 1:
                assert promised.keep(rows) == pytest.approx(chances[rows], abs=1e-12)
    assert (promised.half_survive, promised.always_survive) == every[0]
    assert promised.always_somewhere == min(always for _, always in every)
    half = promised.half_somewhere
    assert promised.keep_somewhere(half) >= 0.5 > promised.keep_somewhere(half - 1)


@pytest.mark.parametrize("floor", [1, 2, 7])
def test_expected_rows_of_a_group(floor: int) -> None:
    law = trim_law(Fraction(1), Fraction(1, 100))
    chances = [weight / law.total for weight in law.weights]
    for rows in (0, 1, 2, 5, 9, 12, 40):
        whole = sum(chance * (rows - z) for z, chance in enumerate(chances) if rows - z >= floor)
        assert expected_rows(law, rows, floor) == pytest.approx(whole, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(
    ("shares", "vectors", "rows", "field"),
    [
        ((Fraction(1),), [{"age": 0}, {"age": 1}], None, "shares"),
        ((Fraction(1),), [{"age": 9}], None, "steps"),
        ((Fraction(1),), [{"age": 0}], 0, "rows"),
    ],
)
def test_a_forecast_of_nothing_is_refused(
    shares: tuple[Fraction, ...], vectors: list[dict[str, int]], rows: int | None, field: str
) -> None:
    with pytest.raises(WorkbenchError) as caught:
        forecast(TrimGuarantee(1, 1e-5, shares=shares), TWO, vectors, rows)
    assert caught.value.field == field
