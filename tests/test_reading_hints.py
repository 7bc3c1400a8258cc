"""What it takes to count with a release is true of the law of its last step, and the same as in its statement."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from tests.test_to_say import by_rule
from workbench.anonymise.note_versions import NUMBER_APART
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.trim_law import trim_law
from workbench.report.counting_words import before_counting
from workbench.session.release.reading import reading_brief, reading_hints


@pytest.mark.parametrize("shares", [(2, 1), (1, 2), (1, 1), (1,)])
@pytest.mark.parametrize("floor", [1, 3])
def test_fewer_rows_than_are_told_mostly_do_not_come_out(tmp_path: Path, shares: tuple[int, ...], floor: int) -> None:
    result = by_rule(tmp_path).release.anonymise()
    outcome = result.outcome
    assert isinstance(outcome, TrimOutcome) and isinstance(outcome.recipe, TrimRecipe)
    first, whole = outcome.recipe.steps[0], sum(shares)
    steps = tuple(
        replace(first, epsilon=Fraction(share, whole), delta=Fraction(share, whole * 100_000)) for share in shares
    )
    drawn = replace(result, outcome=replace(outcome, recipe=replace(outcome.recipe, steps=steps, floor=floor)))
    found = re.search(r"fewer than ([\d,]+) equal rows", reading_hints(drawn))
    assert reading_hints(drawn).startswith(("Of fewer than ", "The last step")), "nothing else where no group is small"
    assert reading_hints(drawn, few="A group of few.").startswith("A group of few. ")
    assert found is not None and ("last step" in reading_hints(drawn)) is (len(shares) > 1)
    name = next(iter(first.levels))
    steps_apart = (first, replace(first, levels={**first.levels, name: first.levels[name] + 1}))
    mixed = replace(result, outcome=replace(outcome, recipe=replace(outcome.recipe, steps=steps_apart)))
    assert f"side by side in {name}" in reading_hints(mixed)
    assert "side by side" not in reading_hints(mixed, (name,)), "what is not in the file is beside nothing"
    assert reading_brief(mixed) == "Finer and coarser labels may stand side by side."
    assert reading_brief(drawn, few="A group of few: because.") == "A group of few."
    assert f"none of fewer than {found[1]} equal rows." in reading_brief(drawn)
    assert all(len(one) <= 75 for one in (reading_brief(mixed), reading_brief(drawn))), "whole in one line"
    told = int(found[1].replace(",", ""))
    last, rows_per_person = steps[-1], outcome.recipe.rows_per_person
    law = trim_law(last.epsilon, last.delta, rows_per_person)
    weights = [Fraction(one) for one in law.weights]

    def nothing(rows: int) -> Fraction:
        """The exact chance that the last step releases none of so many rows that were left to it."""
        return 1 - sum(weights[: max(0, rows - floor + 1)]) / sum(weights)

    assert nothing(told) <= Fraction(1, 2) < nothing(told - 1)
    facts = {"steps": [{"half_survive": told, "always_survive": 99, "levels": {}}] * len(steps), "terms": None}
    stated = before_counting({**facts, "rows_per_person": 1, "step_column": ""}, NUMBER_APART)[0]
    assert f"fewer than {told:,}" in stated and law.half_survive + floor - 1 == told, "as the statement has it"
