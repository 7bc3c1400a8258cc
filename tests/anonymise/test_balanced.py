"""Balanced steps: what is coarsened next, what is kept, and that no row has a say in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations_with_replacement, pairwise, product
from typing import Any

import numpy as np
import pytest

from workbench.anonymise._trim_solving import rows_needed
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
    path = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (2, 0, 1), (3, 0, 1), (3, 0, 2), (4, 0, 2), (4, 1, 2)]
    for rows in (100, 1_000, 10_000, 100_000):
        places = [path.index(levels) for levels in chain(rows=rows)]
        assert places == sorted(places)
    assert chain(rows=10_000) == [(1, 0, 1), (3, 0, 1), (3, 0, 1)], "the second has two shares of three"
    assert chain(rows=1_000) == [(3, 0, 1), (3, 0, 2), (3, 0, 2)]
    assert chain(rows=100) == [(4, 0, 2)] * 3, "one step"


@pytest.mark.parametrize("rows", [60, 300, 2_500, 30_000])
def test_no_other_steps_of_the_path_tell_more(rows: int) -> None:
    """All chains of up to three steps, each with the rows that come out counted one group after the other."""
    labels = {"age": (16, 8, 4, 1), "sex": (2, 1), "town": (9, 3, 1)}
    path = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (2, 0, 1), (3, 0, 1), (3, 0, 2), (3, 1, 2)]
    sizes = [[labels[name][level] for name, level in zip(labels, levels, strict=True)] for levels in path]

    def told(places: Sequence[int]) -> float:
        whole = 0.0
        shares = [places.count(place) for place in sorted(set(places))]
        lost = [rows_needed(share / 3, 1e-5 * share / 3, 1)[0] for share in shares]
        for together in (False, True):
            for steepness in (0.9, 0.3):
                left = float(rows)
                for place, given_up in zip(sorted(set(places)), lost, strict=True):
                    most = math.prod(sizes[place])
                    groups = math.sqrt(most * max(sizes[place])) if together else most
                    weights = np.arange(1, int(groups) + 1) ** -steepness
                    kept = float(np.maximum(left * weights / weights.sum() - given_up, 0).sum())
                    left -= kept
                    whole += kept * float(np.mean([1 - 1 / size for size in sizes[place]]))
        return whole

    found = [path.index(levels) for levels in chain(labels=labels, rows=rows)]
    most = max(told(list(places)) for places in combinations_with_replacement(range(len(path)), 3))
    assert told(found) >= 0.95 * most, "Euler and Maclaurin, and whole groups, make the difference"


def test_what_was_said_of_a_column_never_makes_steps_that_nothing_comes_out_of() -> None:
    """Between 0 and 200,000 a rule has intervals of 1,000: of 2,500 people few are in one of them together."""
    seven, coarse, fine = (7, 1), (20, 10, 5, 1), (200, 40, 20, 4, 2, 1)
    for sizes in (coarse, fine):
        found = chain(labels={"department": seven, "salary": sizes}, rows=2_500)
        assert all(sizes[salary] <= 20 for _, salary in found)
        assert found[0][0] == 0


def test_two_values_stay_longer_than_many_and_without_a_number_ten_thousand_are_taken() -> None:
    assert chain() == chain(rows=10_000)
    assert all(sex == 0 for rows in (100, 1_000, 10_000) for _, sex, _ in chain(rows=rows)[:2])


def test_what_is_to_be_kept_becomes_nothing_last_and_what_is_given_up_first() -> None:
    assert chain(1, rows=4) == [(4, 1, 2)], "where nothing comes out of any, the coarsest"
    kept = chain(rows=1_000, importance={"age": Importance.KEEP})
    assert kept == [(2, 0, 2), (2, 0, 2), (2, 0, 2)], "finer, in the place of a town"
    assert all(sex == 1 for _, sex, _ in chain(rows=1_000, importance={"sex": Importance.GIVE_UP}))


@pytest.mark.parametrize("steps", [2, 3, 5])
def test_what_is_to_be_kept_has_one_level_in_all_steps_or_says_nothing(steps: int) -> None:
    seen = set()
    for rows, name in product((100, 400, 1_000, 4_000, 20_000, 200_000), THREE):
        found = balanced_chain(THREE, {name: Importance.KEEP}, steps=steps, rows=rows, **PROMISE)
        levels = {step[name] for step in found}
        assert len({level for level in levels if THREE[name][level] > 1}) <= 1, (rows, name)
        seen.add(len(dict.fromkeys(tuple(step.values()) for step in found)))
    assert len(seen) > 1, "the others differ from step to step where that tells more"


def test_less_epsilon_and_more_rows_of_a_person_ask_for_coarser_steps() -> None:
    first = chain(1, rows=3_000)[0]
    for harder in (
        balanced_chain(THREE, {}, steps=1, epsilon=0.1, delta=1e-5, rows=3_000),
        balanced_chain(THREE, {}, steps=1, epsilon=1.0, delta=1e-5, rows=3_000, rows_per_person=5),
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


@pytest.mark.parametrize("rows", [1_000, 2_000, 3_000])
def test_nothing_is_spent_on_the_chance_that_a_column_nobody_asked_for_goes_with_the_others(rows: int) -> None:
    """5 · 7 · 3 · 2 = 210 groups of 14 rows at most do not come out, unless few of them have most of the rows."""
    labels = {"ward": (5, 1), "diagnosis": (7, 1), "age": (111, 12, 3, 1), "sex": (2, 1)}
    kept = dict.fromkeys(("ward", "diagnosis"), Importance.KEEP)
    chain = balanced_chain(labels, kept, steps=3, epsilon=1, delta=1e-6, rows=rows)
    assert all(step == {"ward": 0, "diagnosis": 0, "age": 3, "sex": 1} for step in chain)
    many = balanced_chain(labels, kept, steps=3, epsilon=1, delta=1e-6, rows=10_000)
    assert any(step["age"] < 3 for step in many), "where they come out however columns lie, they are told"
    alike = balanced_chain(labels, {}, steps=3, epsilon=1, delta=1e-6, rows=rows)
    assert any(step["sex"] == 0 for step in alike), "where nobody said what matters, as before"
