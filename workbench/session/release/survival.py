"""How much would survive with other β and k. Computed from the true rows: analyst only."""

from __future__ import annotations

from collections.abc import Callable

from workbench.anonymise.guarantee import Guarantee
from workbench.anonymise.survival import population_sizes, simulate
from workbench.core.progress import SILENT, Progress
from workbench.project.model import digest
from workbench.session.ledger import LedgerDesk
from workbench.session.release.claims import drawn_levels, guarantee_of, recipe_digest, recipe_of, settled_recipe
from workbench.session.release.result import Explored
from workbench.session.state import Desk
from workbench.session.working_table import working_table

SEED = 1
"""Simulations of what survives are repeatable unless another seed is asked for; nothing of them is released."""

_EXPLORED = "survival"
"""Stands for all the other β and k whose outcome was seen."""


class SurvivalDesk(Desk):
    """How much of the data would survive.

    Whoever has seen that for many β can choose by the outcome. So the simulation counts as a look at the
    settings in force: they keep the claim they have, and any others chosen afterwards have none.
    """

    @property
    def explored(self) -> Explored | None:
        """What would survive, as it was simulated last."""
        return self._state.results.explored

    def simulator(self, seed: int = SEED) -> Callable[[Progress], Explored]:
        """A simulation of what survives for every β, bound together now; call it on any thread.

        Nothing of it may be shown before `accept` has recorded that it was seen.

        Raises
        ------
        WorkbenchError
            If the guarantee has no solution, or the levels are still to be drawn privately.
        """
        then = self._state.snapshot()
        promised = guarantee_of(then)
        recipe = settled_recipe(then, promised)
        hierarchies = dict(then.project.hierarchies)
        key, fingerprint, mine = (
            self._key(promised),
            then.opened.content,
            recipe_digest(then, recipe),
        )

        def explore(progress: Progress = SILENT) -> Explored:
            table = working_table(then, progress.part(0.0, 0.2)).table
            found = population_sizes(table, hierarchies, recipe.levels, progress.part(0.2, 0.5))
            survival = simulate(found, promised, seed=seed, progress=progress.part(0.5, 1.0))
            return Explored(survival, key, mine, fingerprint)

        return explore

    def accept(self, explored: Explored) -> None:
        """Take in what would survive, and remember that it was seen.

        The settings it was simulated for come first in that memory, unless others were looked at before; those for
        all other β and k stand behind them.
        """
        for recipe in (explored.recipe, _EXPLORED):
            LedgerDesk(self._state).saw(explored.fingerprint, recipe)
        self._state.results.explored = explored

    @property
    def is_current(self) -> bool:
        """Whether what was explored belongs to the settings as they stand."""
        return self.explored is not None and self.explored.key == self._key(guarantee_of(self._state))

    def _key(self, promised: Guarantee) -> str:
        return digest(
            {
                "data": self._state.opened.content,
                "recipe": recipe_digest(self._state, recipe_of(self._state, promised)),
                "promised": [promised.epsilon, promised.delta, promised.rows_per_person],
                "drawn": drawn_levels(self._state),
            }
        )
