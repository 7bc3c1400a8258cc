"""The knowledge it takes to count with a release, in two sentences that follow from its settings alone."""

from __future__ import annotations

import numpy as np

from workbench.anonymise.claim import Claim
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.core.trim_law import trim_law
from workbench.report.plain_promise import alone
from workbench.session.release.result import Result

_HALF = 0.5
_NAMED = 4
_FEW = 5
"""Released groups of so few rows look as if they pointed at somebody."""


def small_groups(result: Result, claim: Claim | None) -> str:
    """Why groups of one row, or of few, point at nobody, as the statement has it; "" where there are none.

    Where nothing is promised of the draw, nothing is said either.
    """
    sizes = result.outcome.released_sizes
    promised = claim is not None and (claim.holds or claim.given) and result.outcome.secure
    if claim is None or not promised or not isinstance(result.outcome.recipe, TrimRecipe):
        return ""
    return alone(claim.own[1]) if len(sizes) and sizes.min() <= _FEW else ""


def reading_hints(result: Result) -> str:
    """How small groups must be to be missing, and which columns hold labels of several levels.

    Nothing of a release by sampling: its groups all have the labels of one level.
    """
    recipe = result.outcome.recipe
    if not isinstance(recipe, TrimRecipe):
        return ""
    few = f"{_as_often_as_not(recipe):,}"
    missing = f"Of fewer than {few} equal rows mostly none come out."
    if len(recipe.steps) > 1:
        missing = f"Where fewer than {few} rows share even their coarsest labels, mostly none of them come out."
    said = [
        "Shares counted in this file are not those of the table: small groups are lost first, so rare values and "
        f"combinations look rarer than they are, or are missing. {missing}"
    ]
    mixed = [name for name in recipe.grouped if len({step.levels[name] for step in recipe.steps}) > 1]
    if mixed:
        more = f" and {len(mixed) - _NAMED:,} more" if len(mixed) > _NAMED else ""
        where = f"{', '.join(mixed[:_NAMED])}{more}"
        said.append(f"Finer and coarser labels may stand side by side in {where}: to count a finer one alone is wrong.")
    return " ".join(said)


def _as_often_as_not(recipe: TrimRecipe) -> int:
    """The smallest number of rows of which something comes out at least as often as not, if they are alike throughout.

    They are one group at every step then, of which nothing comes out with the chance Π(1 − π(n)) over the steps; the
    last step alone says less where an earlier one has more ε. Fewer rows that differ at finer levels come out less.
    """
    laws = [trim_law(step.epsilon, step.delta, recipe.rows_per_person) for step in recipe.steps]
    most = min(law.half_survive for law in laws) + recipe.floor - 1
    beyond = np.maximum(0, np.arange(1, most + 1) - recipe.floor + 1)
    nothing = np.prod([1.0 - law.keep(beyond) for law in laws], axis=0)
    found = np.flatnonzero(nothing <= _HALF)
    return int(found[0]) + 1 if len(found) else most
