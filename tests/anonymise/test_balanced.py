"""Balanced steps: what is coarsened next, what is kept, and that no row has a say in it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from workbench.anonymise.balanced import Importance, balanced_chain
from workbench.anonymise.chains import check_chain
from workbench.anonymise.released_columns import AS_IT_IS, LevelRule
from workbench.core.building import build_hierarchy, specification
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.level_words import level_words
from workbench.core.public_sizes import FEW_VALUES, public_sizes
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column

PROMISE: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-5}
AGE, SEX, TOWN = (100, 20, 10, 5, 1), (2, 1), (40, 5, 1)
THREE = {"age": AGE, "sex": SEX, "town": TOWN}


def chain(steps: int = 3, **more: Any) -> list[tuple[int, ...]]:
    found = balanced_chain(more.pop("labels", THREE), more.pop("importance", {}), steps=steps, **PROMISE, **more)
    return [tuple(levels.values()) for levels in found]


def test_the_column_with_most_labels_left_is_coarsened_next() -> None:
    # 16·N/12 groups at the first step: 100·2·40 = 8,000 are few enough for 10,000 rows, and 20·2·5 for a tenth of it.
    assert chain(rows=10_000) == [(0, 0, 0), (1, 0, 1), (2, 0, 1)]
    assert chain(rows=1_000) == [(1, 0, 1), (2, 0, 1), (3, 0, 2)]
    assert chain(rows=100) == [(2, 0, 1), (3, 0, 2), (4, 1, 2)]


def test_two_values_stay_longer_than_many_and_without_a_number_ten_thousand_are_taken() -> None:
    assert chain() == chain(rows=10_000)
    assert all(sex == 0 for rows in (100, 1_000, 10_000) for _, sex, _ in chain(rows=rows)[:2])


def test_what_is_to_be_kept_becomes_nothing_last_and_what_is_given_up_first() -> None:
    assert chain(4, rows=100)[-1] == (4, 1, 2)
    assert chain(1, rows=4)[0] == (4, 0, 2)
    assert chain(1, rows=4, importance={"age": Importance.KEEP})[0] == (3, 1, 2)
    assert chain(rows=1_000, importance={"sex": Importance.GIVE_UP})[2][1] == 1


def test_less_epsilon_and_more_rows_of_a_person_ask_for_coarser_steps() -> None:
    first = chain(rows=300)[0]
    for harder in (
        balanced_chain(THREE, {}, steps=1, epsilon=0.1, delta=1e-5, rows=300),
        balanced_chain(THREE, {}, steps=1, epsilon=1.0, delta=1e-5, rows=300, rows_per_person=5),
    ):
        assert sum(harder[0].values()) > sum(first)


def test_levels_stay_within_their_limits() -> None:
    for levels in chain(6, rows=50, limits={"age": (2, 3), "sex": (1, 1)}):
        assert 2 <= levels[0] <= 3 and levels[1] == 1


@pytest.mark.parametrize("steps", range(1, 7))
def test_every_step_is_at_least_as_coarse_as_the_one_before(steps: int) -> None:
    found = chain(steps, rows=500)
    assert len(found) == steps
    for finer, coarser in pairwise(found):
        assert all(one <= other for one, other in zip(finer, coarser, strict=True))
    hierarchies = {name: _listed(sizes) for name, sizes in THREE.items()}
    check_chain(hierarchies, balanced_chain(THREE, {}, steps=steps, rows=500, **PROMISE))


def test_levels_that_only_write_the_same_in_another_way_are_left_at_once() -> None:
    assert chain(1, labels={"job": (8, 8, 1)}, rows=10_000) == [(1,)]


def _listed(sizes: tuple[int, ...]) -> Hierarchy:
    least = sizes[0]
    return Hierarchy.from_rows(
        [
            (str(value), *(str(value * size // least) if size > 1 else "*" for size in sizes[1:]))
            for value in range(least)
        ]
    )


class TestPublicSizes:
    """What is counted of a hierarchy must be the same for two tables that differ by one row."""

    @pytest.mark.parametrize(
        "builder,parameters,details,kind,pattern,values,more",
        [
            (
                "dates",
                {},
                {"levels": [{"unit": "month"}, {"unit": "decade"}]},
                Kind.DATE,
                "%Y-%m-%d",
                ("1990-01-02",),
                ("1821-05-06",),
            ),
            ("masking", {"length": 5}, {}, Kind.TEXT, "", ("12345", "12346"), ("99999",)),
            ("spelling", {}, {}, Kind.CATEGORY, "", ("Cook", "cook"), ("Lord Mayor",)),
            (
                "intervals",
                {},
                {"intervals": [{"from": 0, "to": 10}], "levels": [{"group": 1}, {"group": 2}]},
                Kind.INTEGER,
                "",
                ("1", "12"),
                ("9999",),
            ),
        ],
    )
    def test_of_a_rule_one_value_more_changes_nothing(
        self,
        builder: str,
        parameters: dict[str, Any],
        details: dict[str, Any],
        kind: Kind,
        pattern: str,
        values: tuple[str, ...],
        more: tuple[str, ...],
    ) -> None:
        spec = ColumnSpec("x", kind)
        if pattern:
            spec = replace(spec, format=replace(spec.format, pattern=pattern))
        plain = specification(builder, {"unlisted": "any", **parameters}, details)
        made = [build_hierarchy(plain, *_column(texts), spec) for texts in (values, (*values, *more))]
        assert made[0].groups() != made[1].groups(), "the list of values did change"
        assert public_sizes(made[0]) == public_sizes(made[1])
        assert [level_words(made[0], level) for level in range(made[0].height + 1)] == [
            level_words(made[1], level) for level in range(made[1].height + 1)
        ]
        sizes = public_sizes(made[0]).labels
        assert sizes[-1] == 1 and list(sizes) == sorted(sizes, reverse=True) and len(sizes) == made[0].height + 1

    def test_values_added_because_they_occur_do_not_count(self) -> None:
        towns = Hierarchy.from_rows([("Bern", "BE", "*"), ("Thun", "BE", "*"), ("Chur", "GR", "*")])
        assert public_sizes(towns).labels == (3, 2, 1) and public_sizes(towns).listed
        assert public_sizes(towns.covering(["Basel"])) == public_sizes(towns)

    def test_of_what_was_made_from_the_data_the_height_alone_counts(self) -> None:
        short, long = (
            Hierarchy.from_rows([(str(v), str(v // 2), "*") for v in range(n)], provenance=Provenance.DERIVED)
            for n in (4, 40)
        )
        assert public_sizes(short) == public_sizes(long) and not public_sizes(long).listed

    def test_few_public_values(self) -> None:
        assert public_sizes(None).labels == (FEW_VALUES, 1)


def _column(texts: tuple[str, ...]) -> tuple[tuple[str, ...], Any]:
    made = Column.from_texts("x", list(texts))
    return made.values, made.counts


def test_balanced_levels_follow_from_heights_so_a_hierarchy_from_the_data_is_told() -> None:
    ages = Hierarchy.from_rows([(str(age), f"{age // 10}", "*") for age in range(20, 40)])
    rule = LevelRule(balanced=True)
    assert [rule.told_without("age", level, ages) for level in range(3)] == ["", "", ""]
    fixed = LevelRule(balanced=True, limits={"age": (2, 2)})
    assert fixed.told_without("age", 2, ages) == "*" and LevelRule().told_without("age", 0, ages) == AS_IT_IS
