"""What trimming is told: a chain of levels, ever coarser, and what is refused before anything is drawn."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from workbench.anonymise.recipe import ColumnPlan, ReleaseMechanism, Treatment
from workbench.anonymise.sampling import Recipe
from workbench.anonymise.trim_recipe import TrimRecipe, TrimStep, check_trim_recipe
from workbench.core.errors import WorkbenchError

NAMES = ("age", "sex", "job")


def step(age: int, sex: int, epsilon: Fraction = Fraction(1, 2), delta: Fraction = Fraction(1, 1000)) -> TrimStep:
    return TrimStep({"age": age, "sex": sex}, epsilon, delta)


RECIPE = TrimRecipe(
    (
        ColumnPlan("age", Treatment.GENERALISE, 1),
        ColumnPlan("sex", Treatment.GENERALISE),
        ColumnPlan("job", Treatment.LEAVE_OUT),
    ),
    (step(1, 0), step(2, 0), step(2, 1)),
)


def test_a_sound_recipe_passes_and_tells_its_finest_levels() -> None:
    check_trim_recipe(RECIPE, NAMES)
    assert RECIPE.levels == {"age": 1, "sex": 0}
    assert RECIPE.mechanism is ReleaseMechanism.TRIM
    assert Recipe(RECIPE.columns, 0.5, 10).mechanism is ReleaseMechanism.SAMPLE


def test_levels_drawn_later_lift_the_whole_chain() -> None:
    lifted = RECIPE.at({"age": 0, "sex": 1})
    assert [dict(one.levels) for one in lifted.steps] == [
        {"age": 0, "sex": 1},
        {"age": 2, "sex": 1},
        {"age": 2, "sex": 1},
    ]
    assert lifted.levels == {"age": 0, "sex": 1}
    assert {plan.name: plan.level for plan in lifted.columns} == {"age": 0, "sex": 1, "job": 0}
    check_trim_recipe(lifted, NAMES)


@pytest.mark.parametrize(
    ("recipe", "field", "words"),
    [
        (replace(RECIPE, columns=(ColumnPlan("job", Treatment.KEEP), *RECIPE.columns[:2])), "job", "cannot be kept"),
        (replace(RECIPE, columns=RECIPE.columns[2:]), "columns", "No column takes part"),
        (replace(RECIPE, steps=()), "steps", "1 to 6 steps"),
        (replace(RECIPE, steps=(step(1, 0),) * 7), "steps", "1 to 6 steps"),
        (replace(RECIPE, steps=(step(1, 1), step(2, 0))), "sex", "finer in “sex”"),
        (replace(RECIPE, steps=(TrimStep({"age": 1}, Fraction(1), Fraction(1, 9)),)), "sex", "disagree about “sex”"),
        (replace(RECIPE, steps=(step(1, 0, delta=Fraction(0)),)), "shares", "δ between 0 and 1"),
        (replace(RECIPE, steps=(step(1, 0, delta=Fraction(1)),)), "shares", "δ between 0 and 1"),
        (replace(RECIPE, steps=(step(1, 0, epsilon=Fraction(-1)),)), "shares", "ε of at least 0"),
        (replace(RECIPE, rows_per_person=0), "rows", "at least 1 row"),
        (replace(RECIPE, floor=0), "floor", "at least 1"),
        (replace(RECIPE, step_column="job"), "job", "already"),
        (replace(RECIPE, step_column="n", count_column="n"), "n", "already"),
    ],
)
def test_what_cannot_be_is_refused_with_the_way_out(recipe: TrimRecipe, field: str, words: str) -> None:
    with pytest.raises(WorkbenchError, match=words) as refused:
        check_trim_recipe(recipe, NAMES)
    assert refused.value.field == field
    assert refused.value.hint
