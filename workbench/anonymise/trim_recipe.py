"""The recipe of trimming, besides the data and the hierarchies: columns, and a chain of levels with their prices."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from workbench.anonymise.recipe import ColumnPlan, ReleaseMechanism, ReleaseRecipe, Treatment
from workbench.core.errors import WorkbenchError

__all__ = ["MOST_STEPS", "ReleaseMechanism", "TrimRecipe", "TrimStep", "check_trim_recipe"]

MOST_STEPS = 6
"""Steps a chain may have."""


@dataclass(frozen=True)
class TrimStep:
    """One step of a chain: at which levels groups are formed, and what it costs.

    Parameters
    ----------
    levels
        Level of every generalised column.
    epsilon, delta
        What this step spends, as typed: never floats.
    """

    levels: Mapping[str, int]
    epsilon: Fraction
    delta: Fraction


@dataclass(frozen=True)
class TrimRecipe(ReleaseRecipe):
    """Everything trimming needs besides the data and the hierarchies.

    Parameters
    ----------
    columns
        What happens to each column; their levels are those of the first step.
    steps
        The chain, the finest step first; each is at least as coarse in every column as the one before.
    rows_per_person
        A public bound on the rows of one person.
    floor
        Groups of which fewer rows would be released are not released by their step; their rows go on to the next.
    step_column
        Name of a column that tells at which step a row was released, 1 for the first; "" for none.
    count_column
        Name of a column that tells how many rows a line stands for, one line per group; "" for one line per row.
    """

    columns: tuple[ColumnPlan, ...]
    steps: tuple[TrimStep, ...]
    rows_per_person: int = 1
    floor: int = 1
    step_column: str = ""
    count_column: str = ""

    @property
    def mechanism(self) -> ReleaseMechanism:
        return ReleaseMechanism.TRIM

    @property
    def grouped(self) -> tuple[str, ...]:
        """The columns that make rows alike, in the order of the recipe."""
        return tuple(plan.name for plan in self.named(Treatment.GENERALISE))

    @property
    def levels(self) -> dict[str, int]:
        return {name: self.steps[0].levels[name] for name in self.grouped} if self.steps else {}

    @property
    def chain(self) -> tuple[Mapping[str, int], ...]:
        return tuple(step.levels for step in self.steps)

    @property
    def added(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.step_column, self.count_column)))

    def at(self, levels: Mapping[str, int]) -> TrimRecipe:
        """The first step with these levels, and each later one at least as coarse as they are."""
        steps = []
        for place, step in enumerate(self.steps):
            raised = {
                name: level if name not in levels else max(level, levels[name]) if place else levels[name]
                for name, level in step.levels.items()
            }
            steps.append(replace(step, levels=raised))
        columns = (replace(plan, level=levels.get(plan.name, plan.level)) for plan in self.columns)
        return replace(self, columns=tuple(columns), steps=tuple(steps))


def check_trim_recipe(recipe: TrimRecipe, names: Collection[str]) -> None:
    """Refuse a recipe that says nothing or what cannot be.

    Parameters
    ----------
    names
        The columns of the table.

    Raises
    ------
    WorkbenchError
        If no column is generalised, one is kept as it is, the chain is empty, too long or not ever coarser, a number
        is impossible, or a column that is to be added has the name of another.
    """
    kept = recipe.named(Treatment.KEEP)
    if kept:
        raise WorkbenchError(
            f"Trimming releases counts of groups alone, so “{kept[0].name}” cannot be kept as it is.",
            hint=f"Generalise “{kept[0].name}”, leave it out, or release by sampling (--mechanism sample).",
            field=kept[0].name,
        )
    if not recipe.grouped:
        raise WorkbenchError(
            "No column takes part in the release.",
            hint="Attach a hierarchy to at least one column, or group one as it is.",
            field="columns",
            flags="--group",
        )
    _check_chain(recipe)
    if recipe.rows_per_person < 1:
        raise WorkbenchError("A person has at least 1 row.", hint="Give a whole number from 1.", field="rows")
    if recipe.floor < 1:
        raise WorkbenchError("The floor must be at least 1.", hint="1 releases every group.", field="floor")
    taken = set(names)
    for name in recipe.added:
        if name in taken:
            raise WorkbenchError(
                f"There is a column “{name}” already.", hint="Give the added column another name.", field=name
            )
        taken.add(name)


def _check_chain(recipe: TrimRecipe) -> None:
    if not 1 <= len(recipe.steps) <= MOST_STEPS:
        raise WorkbenchError(
            f"A release has 1 to {MOST_STEPS} steps, not {len(recipe.steps)}.",
            hint="Leave some steps out." if recipe.steps else "Give at least one.",
            field="steps",
        )
    before: Mapping[str, int] | None = None
    for number, step in enumerate(recipe.steps, start=1):
        if set(step.levels) != set(recipe.grouped):
            odd = sorted(set(step.levels) ^ set(recipe.grouped))[0]
            raise WorkbenchError(
                f"Step {number} and the columns of the release disagree about “{odd}”.",
                hint="Every step needs a level for every column that is generalised, and for no other.",
                field=odd,
            )
        if step.epsilon < 0 or not 0 < step.delta < 1:
            raise WorkbenchError(
                f"Step {number} needs an ε of at least 0 and a δ between 0 and 1.",
                hint="Give every step a share of both.",
                field="shares",
            )
        finer = [name for name in recipe.grouped if before is not None and step.levels[name] < before[name]]
        if finer:
            raise WorkbenchError(
                f"Step {number} is finer in “{finer[0]}” than the step before it.",
                hint="Each step must be at least as coarse in every column as the one before.",
                field=finer[0],
            )
        before = step.levels
