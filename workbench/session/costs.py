"""What a result cost: the table before beside the one released, and how much would survive with other settings.

Everything here is computed from the true rows: analyst only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workbench.anonymise.compared import Compared
from workbench.anonymise.guarantee import Guarantee
from workbench.anonymise.survival import Survival, population_sizes, simulate
from workbench.core.discreet import discreet
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import Schema
from workbench.engines.recoding import rows_to_release
from workbench.project.loading import Differences, Loaded
from workbench.project.model import Project, digest
from workbench.session.recoding import Recoded
from workbench.session.result import Result
from workbench.session.syntactic import SyntacticSession

SEED = 1
"""Simulations of what survives are repeatable unless another seed is asked for; nothing of them is released."""

_EXPLORED = "survival"
"""Stands for all the other β and k whose outcome was seen."""


def compared_result(result: Result) -> Compared:
    """The working table and its (ε, δ) release."""
    outcome = result.outcome
    return Compared(
        table=result.table,
        released=outcome.release,
        schema=result.schema,
        hierarchies=result.hierarchies,
        levels=outcome.recipe.levels,
        beta=outcome.recipe.beta,
    )


def compared_recoded(recoded: Recoded, schema: Schema) -> Compared:
    """The rows that were to be released, and those that were not suppressed."""
    made = recoded.anonymised
    if made.row_by_row is None:
        return Compared(
            table=rows_to_release(recoded.table, recoded.question.models),
            released=made.released(),
            schema=schema,
            hierarchies=recoded.hierarchies,
            levels=recoded.levels,
        )
    everything = made.rows_in == recoded.table.rows
    return Compared(
        table=recoded.table,
        released=made.table,
        schema=schema,
        hierarchies=recoded.hierarchies,
        levels=recoded.levels,
        rows=None if everything else made.rows,
        kept=made.kept,
    )


@discreet
@dataclass(frozen=True, eq=False)
class Explored:
    """What would survive, and which settings it was simulated for.

    Parameters
    ----------
    survival
        From the true rows: analyst only.
    key
        Whether it still belongs to the settings.
    recipe, fingerprint
        The settings that were in force and the file, for the record that this was seen.
    """

    survival: Survival
    key: str
    recipe: str
    fingerprint: str


class CostingSession(SyntacticSession):
    """A session that can also be asked how much of its data would survive.

    Whoever has seen that for many β can choose by the outcome. So the simulation counts as a look at the
    settings in force: they keep the claim they have, and any others chosen afterwards have none.
    """

    def __init__(self, project: Project | None = None) -> None:
        super().__init__(project)
        self.explored: Explored | None = None

    def adopt(self, loaded: Loaded, found: Differences | None = None) -> Differences:
        differences = super().adopt(loaded, found)
        self.explored = None
        return differences

    def survival_simulator(self, seed: int = SEED) -> Callable[[Progress], Explored]:
        """A simulation of what survives for every β, bound together now; call it on any thread.

        Nothing of it may be shown before `accept_explored` has recorded that it was seen.

        Raises
        ------
        WorkbenchError
            If the guarantee has no solution, or the levels are still to be drawn privately.
        """
        then = self.snapshot()
        promised = then.guarantee()
        recipe = then.settled_recipe(promised)
        hierarchies = dict(then.project.hierarchies)
        key, fingerprint, mine = self._survival_key(promised), self.data_fingerprint, self._recipe_digest(recipe)

        def explore(progress: Progress = SILENT) -> Explored:
            table = then._prepare(progress.part(0.0, 0.2)).table
            found = population_sizes(table, hierarchies, recipe.levels, progress.part(0.2, 0.5))
            survival = simulate(found, promised, seed=seed, progress=progress.part(0.5, 1.0))
            return Explored(survival, key, mine, fingerprint)

        return explore

    def accept_explored(self, explored: Explored) -> None:
        """Take in what would survive, and remember that it was seen.

        The settings it was simulated for come first in that memory, unless others were looked at before; those for
        all other β and k stand behind them.
        """
        for recipe in (explored.recipe, _EXPLORED):
            self.saw(explored.fingerprint, recipe)
        self.explored = explored

    @property
    def explored_is_current(self) -> bool:
        """Whether what was explored belongs to the settings as they stand."""
        return self.explored is not None and self.explored.key == self._survival_key(self.guarantee())

    def _survival_key(self, promised: Guarantee) -> str:
        return digest(
            {
                "data": self.data_fingerprint,
                "recipe": self._recipe_digest(self.recipe(promised)),
                "promised": [promised.epsilon, promised.delta, promised.rows_per_person],
                "drawn": self.drawn_levels,
            }
        )
