"""The share that would survive with other β and k, or ε. Computed from the true rows: analyst only."""

from __future__ import annotations

from collections.abc import Callable

from workbench.anonymise.promise import ReleaseGuarantee, sampling_guarantee
from workbench.anonymise.survival import population_sizes, simulate
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.anonymise.trim_survival import simulate_trimming
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import source_for
from workbench.engines.dispatch import engine_of
from workbench.project.model import digest
from workbench.session.ledger import LedgerDesk
from workbench.session.release.by_rule import release_table
from workbench.session.release.claims import (
    drawn_levels,
    guarantee_of,
    recipe_digest,
    recipe_of,
    settled_recipe,
)
from workbench.session.release.result import Explored
from workbench.session.state import Desk, SessionState

SEED = 1
"""Simulations of what survives are repeatable unless another seed is asked for; nothing of them is released."""

_LOOK = "survival"


class SurvivalDesk(Desk):
    """The share of the data that would survive.

    It is computed from the true rows, so it is a look at the data: a draw made afterwards can have (ε, δ) for its
    choices as they are only.
    """

    @property
    def explored(self) -> Explored | None:
        """The survival of groups as it was simulated last."""
        return self._state.results.explored

    def simulator(self, seed: int = SEED) -> Callable[[Progress], Explored]:
        """A simulation of what survives for every β, or by trimming for every ε, bound together now.

        Call it on any thread.

        Nothing of it may be shown before `accept` has recorded that it was seen.

        Raises
        ------
        WorkbenchError
            If the guarantee has no solution, or the levels are still to be drawn privately.
        """
        then = self._state.snapshot()
        drawn = drawn_levels(then)
        promised = guarantee_of(then, drawn)
        recipe = settled_recipe(then, promised)
        if isinstance(promised, TrimGuarantee) and isinstance(recipe, TrimRecipe):
            return self._trimmer(then, promised, recipe, seed)
        hierarchies = dict(then.project.hierarchies)
        key, fingerprint = self._key(promised), then.opened.content

        def explore(progress: Progress = SILENT) -> Explored:
            table = release_table(then, progress.part(0.0, 0.2)).table
            found = population_sizes(table, hierarchies, recipe.levels, progress.part(0.2, 0.5))
            survival = simulate(found, sampling_guarantee(promised), seed=seed, progress=progress.part(0.5, 1.0))
            return Explored(survival, key, fingerprint)

        return explore

    def _trimmer(
        self, then: SessionState, promised: TrimGuarantee, recipe: TrimRecipe, seed: int
    ) -> Callable[[Progress], Explored]:
        hierarchies = dict(then.project.hierarchies)
        key, fingerprint = self._key(guarantee_of(then)), then.opened.content

        def explore(progress: Progress = SILENT) -> Explored:
            table = release_table(then, progress.part(0.0, 0.1)).table
            made = engine_of(table).release(recipe, hierarchies, source_for(seed), progress.part(0.1, 0.3))
            survival = simulate_trimming(made, promised, seed=seed, progress=progress.part(0.3, 1.0))
            return Explored(survival, key, fingerprint)

        return explore

    def accept(self, explored: Explored) -> None:
        """Take in what would survive, and remember that it was seen."""
        LedgerDesk(self._state).looked(explored.fingerprint, _LOOK)
        self._state.results.explored = explored

    @property
    def is_current(self) -> bool:
        """Whether what was explored belongs to the settings as they stand."""
        return self.explored is not None and self.explored.key == self._key(guarantee_of(self._state))

    def _key(self, promised: ReleaseGuarantee) -> str:
        return digest(
            {
                "data": self._state.opened.content,
                "recipe": recipe_digest(self._state, recipe_of(self._state, promised)),
                "promised": [promised.epsilon, promised.delta, promised.rows_per_person],
                "drawn": drawn_levels(self._state),
            }
        )
