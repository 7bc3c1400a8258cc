"""The true statistics behind the noise, against plain Python on random tables."""

from __future__ import annotations

import itertools
import statistics
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.query.helpers import Watched, measured, question

Row = tuple[str, str]

ROWS = st.lists(
    st.tuples(st.sampled_from(["0", "1", "2", "3", "7", "-4", "", "x"]), st.sampled_from(["A", "B", "C", "D", ""])),
    max_size=30,
)
FILTERS: dict[str, Callable[[Row], bool]] = {
    "": lambda row: True,
    "town = 'A'": lambda row: row[1] == "A",
    "age >= 1": lambda row: row[0] in ("1", "2", "3", "7"),
    "town is missing": lambda row: row[1] == "",
}


def ages(rows: list[Row], missing: int | None = None) -> list[tuple[int, str]]:
    """Clipped to 0 … 3; rows without a number are left out or get `missing`."""
    found = []
    for age, town in rows:
        number = missing if age in ("", "x") else min(max(int(age), 0), 3)
        if number is not None:
            found.append((number, town))
    return found


def numbers(where: str, rows: list[Row], kind: str, **values: Any) -> dict[str, list[int]]:
    statistic = measured(question(kind, "1", where, **values), rows)
    return {name: [int(number) for number in part] for name, part in statistic.items()}


@given(ROWS, st.sampled_from(list(FILTERS)), st.sampled_from([None, 2]))
def test_sums_and_counts(rows: list[Row], where: str, missing: int | None) -> None:
    chosen = [row for row in rows if FILTERS[where](row)]
    assert numbers(where, rows, "count") == {"count": [len(chosen)]}
    values: dict[str, Any] = {"column": "age"} | ({} if missing is None else {"missing": str(missing)})
    known = [age for age, _ in ages(chosen, missing)]
    assert numbers(where, rows, "sum", **values) == {"sum": [sum(known)]}
    assert numbers(where, rows, "mean", **values) == {"steps": [sum(known), sum(3 - age for age in known)]}
    products = ([age**2 for age in known], [2 * age * (3 - age) for age in known], [(3 - age) ** 2 for age in known])
    assert numbers(where, rows, "variance", **values) == {"squares": list(map(sum, products))}


@given(ROWS, st.sampled_from(list(FILTERS)), st.booleans())
def test_cells(rows: list[Row], where: str, other: bool) -> None:
    chosen = [row for row in rows if FILTERS[where](row)]
    towns = ["A", "B", "C"]
    count = Counter("other" if town == "D" else town for _, town in chosen)
    expected = [count[town] for town in towns] + ([count["other"]] if other else [])
    assert numbers(where, rows, "histogram", column="town", other=other) == {"count": expected}
    assert numbers(where, rows, "mode", column="town", other=other) == {"count": expected}
    # Three bars of [0, 1), [1, 2), [2, 3]; numbers beyond count in the first and last.
    bars = Counter(min(age, 2) for age, _ in ages(chosen))
    assert numbers(where, rows, "histogram", column="age", bins=3) == {"count": [bars[bar] for bar in range(3)]}
    inside = Counter(min(int(age), 2) for age, _ in chosen if age in ("0", "1", "2", "3"))
    found = numbers(where, rows, "histogram", column="age", bins=3, outside="exclude")
    assert found == {"count": [inside[bar] for bar in range(3)]}


@given(ROWS, st.sampled_from(list(FILTERS)))
def test_pairs_and_groups(rows: list[Row], where: str) -> None:
    chosen = [row for row in rows if FILTERS[where](row)]
    towns = ["A", "B", "C"]
    pairs = Counter((min(age, 2), town) for age, town in ages(chosen))
    found = numbers(where, rows, "histogram2d", column="age", bins=3, second_column="town")
    assert found == {"count": [pairs[bar, town] for bar in range(3) for town in towns]}
    groups = {town: [age for age, whose in ages(chosen) if whose == town] for town in towns}
    found = numbers(where, rows, "group-by", by_column="town", statistic="sum", column="age")
    assert found == {"sum": [sum(groups[town]) for town in towns]}
    found = numbers(where, rows, "group-by", by_column="town", statistic="mean", column="age")
    assert found == {
        "steps": [*(sum(groups[town]) for town in towns), *(sum(3 - age for age in groups[town]) for town in towns)]
    }


@given(ROWS, st.sampled_from(list(FILTERS)))
def test_values_beyond_the_bounds(rows: list[Row], where: str) -> None:
    chosen = [float(age) for age, town in rows if FILTERS[where]((age, town)) and age not in ("", "x")]
    found = numbers(where, rows, "limited", column="age", lower="0.5", upper="2")
    assert found == {"count": [sum(age < 0.5 for age in chosen), sum(age > 2 for age in chosen)]}


@given(ROWS, st.sampled_from(list(FILTERS)))
def test_quantiles(rows: list[Row], where: str) -> None:
    one = question("quantile", "1", where, column="age", quantile="0.25, 0.5, 1")
    statistic = measured(one, rows)
    known = sorted(age for age, _ in ages([row for row in rows if FILTERS[where](row)]))
    counted = dict(zip(statistic["points"].tolist(), statistic["counts"].tolist(), strict=True))
    assert counted == Counter(known)
    if known:
        expected = [known[max(-(-len(known) * top // bottom) - 1, 0)] for top, bottom in ((1, 4), (1, 2), (1, 1))]
        assert one.mechanism.truth(statistic).tolist() == expected


@given(ROWS)
def test_without_noise_the_answer_is_the_plain_one(rows: list[Row]) -> None:
    known = [age for age, _ in ages(rows)]

    def answer(kind: str, **values: Any) -> Any:
        one = question(kind, "1", **values)
        return one.mechanism.release(measured(one, rows), Watched(itertools.repeat(0))).value

    assert answer("count") == len(rows)
    assert answer("sum", column="age") == sum(known)
    halves = {"column": "age", "lower": "-0.5", "upper": "3.5", "resolution": "0.5"}
    held = [min(max(float(age), -0.5), 3.5) for age, _ in rows if age not in ("", "x")]
    assert answer("sum", **halves) == sum(held)
    assert answer("mean", column="age") == pytest.approx(statistics.fmean(known) if known else 1.5)
    assert answer("mean", **halves) == pytest.approx(statistics.fmean(held) if held else 1.5)
    if known:
        assert answer("variance", column="age") == pytest.approx(statistics.pvariance(known))
        assert answer("standard-deviation", column="age") == pytest.approx(statistics.pstdev(known))
        assert answer("variance", **halves) == pytest.approx(statistics.pvariance(held))
    groups = {town: [age for age, whose in ages(rows) if whose == town] for town in "ABC"}
    means = [statistics.fmean(group) if group else 1.5 for group in groups.values()]
    assert answer("group-by", by_column="town", statistic="mean", column="age") == pytest.approx(means)
    largest = Counter(town for _, town in rows if town in groups)
    if largest:
        assert largest[answer("noisy-max", column="town")] == max(largest.values())
