"""The knowledge it takes to count with a release, in a few sentences that follow from its settings alone."""

from __future__ import annotations

from collections.abc import Collection

from workbench.anonymise.claim import Claim
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.core.first_few import first_few
from workbench.core.number_text import rounded_up
from workbench.core.trim_law import trim_law
from workbench.session.release.result import Result

_NAMED = 4
_FEW = 5
"""Released groups of so few rows look as if they pointed at somebody."""


def small_groups(result: Result, claim: Claim | None) -> str:
    """What groups of one row, or of few, mean, as the statement has it in more words; "" where there are none.

    Where nothing is promised of the draw, nothing is said either.
    """
    sizes, recipe = result.outcome.released_sizes, result.outcome.recipe
    promised = claim is not None and (claim.holds or claim.given) and result.outcome.secure
    if claim is None or not promised or not isinstance(recipe, TrimRecipe):
        return ""
    if not len(sizes) or sizes.min() > _FEW:
        return ""
    # That few rows mean few people is bounded by the law, so that it is not denied: it is told by how much.
    seen = f"few rows may have had up to {_most_lost(recipe):,} more"
    if sizes.min() == 1:
        seen = "one row is no sign of a single person"
    return (
        f"A group of {seen}: groups may have lost rows at random. One that holds one person alone in the table is in "
        f"the file with a probability of at most δ = {rounded_up(claim.own[1])}."
    )


def shares_hint(result: Result) -> str:
    """The caution for whoever counts shares; "" for a release by sampling, of which this program says nothing."""
    if not isinstance(result.outcome.recipe, TrimRecipe):
        return ""
    return (
        "Shares counted in this file are not those of the table: rare values and combinations look rarer, or are "
        "missing."
    )


def reading_hints(result: Result, left_out: Collection[str] = (), few: str = "") -> str:
    """Which columns hold labels of several levels, and how small groups must be to be missing.

    Nothing of a release by sampling: its groups all have the labels of one level.

    Parameters
    ----------
    left_out
        Columns of the draw that are not in the file.
    few
        What small groups mean, see `small_groups`, which is said between the two.
    """
    recipe = result.outcome.recipe
    if not isinstance(recipe, TrimRecipe):
        return ""
    least = _least(recipe)
    missing = f"Of fewer than {least} equal rows mostly none come out. Of more, some do."
    if len(recipe.steps) > 1:  # of rows that are alike at every step fewer are enough; this is what the statement says
        missing = f"The last step, whose labels are coarsest, mostly releases none of fewer than {least} equal rows."
    said = [few, missing] if few else [missing]
    if mixed := _mixed(recipe, left_out):
        where = first_few(mixed, _NAMED)
        told = f"Finer and coarser labels may stand side by side in {where}: the statement says how to count them."
        said.insert(0, told)  # as whoever sees 20–39 beside 20–29 takes it for a fault
    return " ".join(said)


def reading_brief(result: Result, left_out: Collection[str] = (), few: str = "") -> str:
    """The first of these hints in one short sentence, which is seen whole where there is room for one line.

    Parameters
    ----------
    left_out, few
        As of `reading_hints`.
    """
    recipe = result.outcome.recipe
    if not isinstance(recipe, TrimRecipe):
        return ""
    if _mixed(recipe, left_out):
        return "Finer and coarser labels may stand side by side."
    if few:
        return f"{few.partition(':')[0]}."
    step = "The last step mostly releases" if len(recipe.steps) > 1 else "Mostly the file has"
    return f"{step} none of fewer than {_least(recipe)} equal rows."


def _least(recipe: TrimRecipe) -> str:
    """Of so many equal rows the last step releases some as often as not."""
    last = recipe.steps[-1]
    return f"{trim_law(last.epsilon, last.delta, recipe.rows_per_person).half_survive + recipe.floor - 1:,}"


def _most_lost(recipe: TrimRecipe) -> int:
    """The most rows that a group gives up, at whichever step: one less than a group needs that always keeps one."""
    laws = (trim_law(step.epsilon, step.delta, recipe.rows_per_person) for step in recipe.steps)
    return max(law.always_survive for law in laws) - 1


def _mixed(recipe: TrimRecipe, left_out: Collection[str]) -> list[str]:
    """The columns of the file that have labels of several levels."""
    there = (name for name in recipe.grouped if name not in left_out)
    return [name for name in there if len({step.levels[name] for step in recipe.steps}) > 1]
