"""What it takes to count with a release is true of the law of its steps, whichever of them has most of ε."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from math import prod
from pathlib import Path

import pytest

from tests.test_to_say import by_rule
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.trim_law import trim_law
from workbench.session.release.reading import reading_hints


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
    found = re.search(r"fewer than ([\d,]+) (equal )?rows", reading_hints(drawn))
    assert found is not None and bool(found[2]) is (len(shares) == 1)
    told = int(found[1].replace(",", ""))
    laws = [trim_law(step.epsilon, step.delta, outcome.recipe.rows_per_person) for step in steps]

    def nothing(rows: int) -> Fraction:
        """The exact chance that none of so many rows comes out, which are one group at every step."""
        chances = []
        for law in laws:
            weights = [Fraction(one) for one in law.weights]
            chances.append(1 - sum(weights[: max(0, rows - floor + 1)]) / sum(weights))
        return prod(chances)

    assert nothing(told) <= Fraction(1, 2) < nothing(told - 1)
    last = laws[-1].half_survive + floor - 1
    assert told < last if shares == (2, 1) else told <= last
