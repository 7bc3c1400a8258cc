"""The loss of a release: that of the search where all rows go out; else levels and lost rows count row by row."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from workbench.anonymise import trimming
from workbench.anonymise.goal import Goal
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import prepare
from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.release_loss import release_loss
from workbench.anonymise.sampling import Recipe, sample_generalise_suppress
from workbench.anonymise.search import evaluate
from workbench.anonymise.trim_recipe import TrimRecipe, TrimStep
from workbench.anonymise.trimming import trim
from workbench.core.hierarchy import Hierarchy
from workbench.core.randomness import SeededSource
from workbench.core.table import Column, Table

TENS = Hierarchy.from_rows([(str(age), f"{age // 10}0s", "*") for age in range(40)])
SIDES = Hierarchy.from_rows([("left", "*"), ("right", "*")])
TABLE = Table(
    (
        Column.from_texts("age", [str(age) for age in (1, 1, 1, 12, 12, 39, 3, 38) * 2]),
        Column.from_texts("side", ["left", "right", "left", "left", "right", "right", "left", "left"] * 2),
    )
)
KNOWN = {"age": TENS, "side": SIDES}


def plans(**levels: int) -> tuple[ColumnPlan, ...]:
    return tuple(ColumnPlan(name, Treatment.GENERALISE, level) for name, level in levels.items())


@pytest.mark.parametrize("levels", [{"age": 0, "side": 0}, {"age": 1, "side": 0}, {"age": 1, "side": 1}])
def test_where_every_row_goes_out_it_is_the_loss_of_the_search(levels: dict[str, int]) -> None:
    made = sample_generalise_suppress(TABLE, Recipe(plans(**levels), 1.0, 1), KNOWN, SeededSource(0))
    searched = evaluate(
        prepare(TABLE, KNOWN, Goal([ModelChoice("k-anonymity", {"k": 2})], suppression_limit=1.0)), levels
    )
    found = release_loss(made, TABLE, KNOWN)
    assert found.loss == pytest.approx(searched.score, abs=1e-9)
    assert found.columns == pytest.approx(searched.losses, abs=1e-9)


def test_each_row_counts_at_the_level_it_was_released_at_and_a_lost_one_for_everything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table((Column.from_texts("age", ["1"] * 4 + ["2"] * 3 + ["elsewhere"]),))
    lost = iter([[0, 1, 3], [0, 1]])  # what is missed, 1 and 2; then what is missed and the tens of both

    class Scripted:
        def draw(self, _source: object, _groups: int) -> np.ndarray:
            return np.array(next(lost), dtype=np.int64)

    monkeypatch.setattr(trimming, "trim_law", lambda *_spent: Scripted())
    steps = tuple(TrimStep({"age": level}, Fraction(1), Fraction(1, 9)) for level in (0, 1))
    made = trim(table, TrimRecipe(plans(age=0), steps), {"age": TENS}, SeededSource(0))
    assert sorted(made.release["age"].texts()) == ["*", "00s", "00s", "00s", "1", "1", "1"]
    # Three rows stand for themselves, three for ten ages, a star for all forty, and so does the row that is lost.
    expected = ((3 * 1 + 3 * 10 + 40 + 40) / 8 - 1) / 39
    found = release_loss(made, table, {"age": TENS})
    assert found.columns == {"age": pytest.approx(expected)}
    assert found.mean == pytest.approx(expected)
    assert found.loss == pytest.approx(expected)


def test_a_column_without_a_hierarchy_is_known_or_a_star(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nothing:
        def draw(self, _source: object, groups: int) -> np.ndarray:
            return np.zeros(groups, dtype=np.int64)

    monkeypatch.setattr(trimming, "trim_law", lambda *_spent: Nothing())
    for level, wanted in ((0, 0.0), (1, 1.0)):
        recipe = TrimRecipe(plans(side=level), (TrimStep({"side": level}, Fraction(1), Fraction(1, 9)),))
        made = trim(TABLE, recipe, {}, SeededSource(0))
        assert release_loss(made, TABLE, {}).columns == {"side": wanted}


@pytest.mark.parametrize("values", [["a"], ["a", "b"], ["a", "b", "c"]])
def test_a_column_without_a_hierarchy_has_as_many_values_as_occur_once_or_more(values: list[str]) -> None:
    """Its domain is what occurs, not what is listed beside: all as they are is no loss, and all lost is everything."""
    listed = Table((Column("side", np.arange(len(values), dtype=np.int32), (*values, "given up")),))
    made = sample_generalise_suppress(listed, Recipe(plans(side=0), 1.0, 1), {}, SeededSource(0))
    assert release_loss(made, listed, {}).columns["side"] == 0
    gone = sample_generalise_suppress(listed, Recipe(plans(side=0), 1.0, 99), {}, SeededSource(0))
    assert release_loss(gone, listed, {}).columns["side"] == (1 if len(values) > 1 else 0)


def test_of_no_rows_nothing_is_lost() -> None:
    empty = Table((Column("age", np.empty(0, dtype=np.int32), ("1", "2")),))
    made = sample_generalise_suppress(empty, Recipe(plans(age=1), 1.0, 1), {"age": TENS}, SeededSource(0))
    assert release_loss(made, empty, {"age": TENS}).columns["age"] == 0
