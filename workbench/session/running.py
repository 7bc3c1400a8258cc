"""Settings, guarantee, claim and run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from workbench.anonymise.claim import Circumstances, Claim, WorkingTable, assess
from workbench.anonymise.composition import Released
from workbench.anonymise.guarantee import Guarantee, guarantee
from workbench.anonymise.mechanism import (
    ColumnPlan,
    Outcome,
    Recipe,
    Treatment,
    sample_generalise_suppress,
)
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import source_for
from workbench.core.schema import Role
from workbench.project.model import (
    AnonymiseSettings,
    GuaranteeSettings,
    Look,
    ReleaseRecord,
    canonical_filter,
    digest,
    hierarchy_digest,
    preparation_digest,
)
from workbench.session.describing import DescribingSession
from workbench.session.result import Result

_DRAWS = 2
"""Results that are remembered, so that undoing a change of settings brings back the draw that was made then."""


@dataclass(frozen=True)
class Produced:
    """What a run has produced, and the session as it was when the run was bound together."""

    outcome: Outcome
    guarantee: Guarantee
    then: RunningSession


class RunningSession(DescribingSession):
    """A session that can be run: what is promised, what may be claimed, and the results."""

    # Settings

    def set_guarantee(self, settings: GuaranteeSettings) -> None:
        self._settings(guarantee=settings)

    def set_level(self, name: str, level: int) -> None:
        """Choose the level of a column.

        Raises
        ------
        WorkbenchError
            If the column's hierarchy has no such level.
        """
        height = self.project.hierarchies[name].height if name in self.project.hierarchies else 0
        if not 0 <= level <= height:
            raise WorkbenchError(
                f"Column “{name}” has no level {level}.",
                hint=f"It has the levels 0 to {height}." if height else "It has no hierarchy, only level 0.",
                field=name,
            )
        self.project.schema[name]
        self._settings(levels=MappingProxyType({**self.project.anonymise.levels, name: level}))

    def set_treatment(self, name: str, treatment: Treatment | None) -> None:
        """Say what happens to a column; None lets its role decide."""
        self.project.schema[name]
        treatments = {n: t for n, t in self.project.anonymise.treatments.items() if n != name}
        if treatment is not None:
            treatments[name] = treatment
        self._settings(treatments=MappingProxyType(treatments))

    def set_levels_blind(self, blind: bool) -> None:
        self._settings(levels_blind=blind)

    def set_seed(self, seed: int | None) -> None:
        """Make runs repeatable simulations, or with None real ones."""
        source_for(seed)
        self._settings(seed=seed)

    def _settings(self, **changes: Any) -> None:
        changed: AnonymiseSettings = replace(self.project.anonymise, **changes)
        self.project = replace(self.project, anonymise=changed)

    # Guarantee and claim

    def guarantee(self) -> Guarantee:
        """Solve the calculator for its free field.

        Raises
        ------
        WorkbenchError
            If no value of the free field satisfies the others.
        """
        return _solve(self.project.anonymise.guarantee, self.project.schema.unit.rows_per_person)

    def treatment(self, name: str) -> Treatment:
        """What happens to a column: what was chosen for it, else what its role and hierarchy suggest."""
        chosen = self.project.anonymise.treatments.get(name)
        if chosen is not None:
            return chosen
        if name in self.project.hierarchies and self.project.schema[name].role is not Role.IDENTIFYING:
            return Treatment.GENERALISE
        return Treatment.LEAVE_OUT

    def recipe(self, promised: Guarantee | None = None) -> Recipe:
        """The mechanism's settings as they now stand."""
        promised = promised or self.guarantee()
        plans = tuple(
            ColumnPlan(
                name,
                self.treatment(name),
                self.project.anonymise.levels.get(name, 0) if name in self.project.hierarchies else 0,
            )
            for name in self.project.schema.names
        )
        return Recipe(plans, promised.beta, promised.k)

    def claim(self) -> Claim:
        """What could be claimed for a run with the settings as they now stand."""
        promised = self.guarantee()
        return self._assess(self.recipe(promised), promised, secure=self.project.anonymise.seed is None)

    def _assess(
        self, recipe: Recipe, promised: Guarantee, *, secure: bool, itself: ReleaseRecord | None = None
    ) -> Claim:
        reading, prepared = self.reading, self._prepare()
        looks = [look for look in self.project.looks if look.fingerprint == reading.fingerprint]
        mine = self._recipe_digest(recipe)
        return assess(
            recipe,
            promised,
            self.project.hierarchies,
            self.project.schema,
            prepared.table,
            Circumstances(
                levels_blind=self.project.anonymise.levels_blind,
                secure=secure,
                tuned=bool(looks) and looks[0].recipe != mine,
                draws=sum(look.draws for look in looks if look.recipe == mine) or 1,
                others=len({look.recipe for look in looks} - {mine}),
                earlier=tuple(
                    Released(record.epsilon, record.delta, record.rows_per_person, record.claim)
                    for record in self.project.releases
                    if record.fingerprint == reading.fingerprint and record is not itself
                ),
                rows=prepared.table.rows,
                suspected=tuple(
                    name for name, (role, _) in self._loaded().suggested_roles.items() if role is Role.IDENTIFYING
                ),
                working_table=WorkingTable(
                    original=reading.table,
                    population=prepared.population,
                    where=canonical_filter(self.project.schema, self.project.preparation),
                    sample=self.project.preparation.sample,
                    limited=self.project.preparation.limit_rows,
                ),
            ),
        )

    def _recipe_digest(self, recipe: Recipe) -> str:
        """Digest of what a run does to this data: two runs with the same one differ by their draw alone."""
        grouped = {
            name: (
                level,
                hierarchy_digest(self.project.hierarchies[name]) if name in self.project.hierarchies else "",
            )
            for name, level in recipe.levels.items()
        }
        kept = [plan.name for plan in recipe.named(Treatment.KEEP)]
        plain: dict[str, Any] = {"beta": recipe.beta, "k": recipe.k, "grouped": grouped, "kept": kept}
        working = preparation_digest(self.project.schema, self.project.preparation, (*grouped, *kept))
        if working:
            plain["working table"] = working
        return digest(plain)

    # Running

    def anonymiser(self) -> Callable[[Progress], Produced]:
        """Everything a run needs, bound together now; call it on any thread. It makes the working table first."""
        then = self.snapshot()
        promised = then.guarantee()
        recipe = then.recipe(promised)
        hierarchies = dict(then.project.hierarchies)
        source = source_for(then.project.anonymise.seed)
        then._loaded()

        def run(progress: Progress = SILENT) -> Produced:
            share = 0.4 if then.needs_preparing else 0.0
            table = then._prepare(progress.part(0.0, share)).table
            outcome = sample_generalise_suppress(table, recipe, hierarchies, source, progress.part(share, 1.0))
            return Produced(outcome, promised, then)

        return run

    def accept(self, produced: Produced) -> Result:
        """Take in what `anonymiser` produced, and remember that a result of this recipe was seen.

        The claim and the key are those of the settings the run was made with; if other ones hold by now, the
        result is out of date from the start.
        """
        outcome, then = produced.outcome, produced.then
        fingerprint, recipe = then.reading.fingerprint, then._recipe_digest(outcome.recipe)
        looks = list(self.project.looks)
        for position, look in enumerate(looks):
            if (look.fingerprint, look.recipe) == (fingerprint, recipe):
                looks[position] = replace(look, draws=look.draws + 1)
                break
        else:
            looks.append(Look(fingerprint, recipe))
        self.project = replace(self.project, looks=tuple(looks))
        then.project = replace(then.project, looks=self.project.looks, releases=self.project.releases)
        claim = then._assess(outcome.recipe, produced.guarantee, secure=outcome.secure)
        self.result = Result(outcome, claim, then.result_key(), then.table, fingerprint)
        self._drawn = [self.result, *self._drawn][:_DRAWS]
        return self.result

    def recall(self) -> bool:
        """Take back the draw that was made with the settings as they stand, if it is still there.

        Drawing again would be a choice between samples; the first one is the honest one.
        """
        if self.result_is_current:
            return True
        key = self.result_key()
        found = next((result for result in self._drawn if key and result.key == key), None)
        if found is not None:
            self.result = found
        return found is not None

    def anonymise(self, progress: Progress = SILENT) -> Result:
        """Run the mechanism with the settings as they stand."""
        return self.accept(self.anonymiser()(progress))

    def result_key(self) -> str:
        """Digest of everything the result depends on."""
        settings = self.project.anonymise
        try:
            promised = self.guarantee()
        except WorkbenchError:
            return ""
        return digest(
            {
                "data": self.reading.fingerprint,
                "recipe": self._recipe_digest(self.recipe(promised)),
                "promised": [promised.epsilon, promised.delta, promised.rows_per_person],
                "blind": settings.levels_blind,
                "origins": {n: (h.provenance.value, h.origin) for n, h in self.project.hierarchies.items()},
                "seed": settings.seed,
                "roles": [
                    (column.name, column.missing)
                    for column in self.project.schema.columns
                    if column.role is Role.IDENTIFYING or column.name == self.project.schema.unit.person_column
                ],
                "unit": [
                    self.project.schema.unit.rows_per_person,
                    self.project.schema.unit.person_column,
                ],
            }
        )

    @property
    def result_is_current(self) -> bool:
        return self.result is not None and self.result.key == self.result_key()


@lru_cache(maxsize=64)
def _solve(wanted: GuaranteeSettings, rows_per_person: int) -> Guarantee:
    """Remembered, because a window asks again at every repaint of its state."""
    given: dict[str, Any] = {
        "epsilon": wanted.epsilon,
        "delta": wanted.delta,
        "beta": wanted.beta,
        "k": wanted.k,
    }
    given[wanted.solve_for] = None
    if wanted.solve_for != "k" and isinstance(given["beta"], str):
        raise WorkbenchError(
            "A rule for β can only be used while k is the unknown.", hint="Give β as a number.", field="beta"
        )
    return guarantee(**given, accounting=wanted.accounting, rows_per_person=rows_per_person)


def nothing_survived(outcome: Outcome) -> WorkbenchError:
    """Why every row was dropped, and what would help."""
    largest = int(outcome.class_sizes.max()) if len(outcome.class_sizes) else 0
    k = outcome.recipe.k
    if not len(outcome.sampled_rows):
        return WorkbenchError(
            "No row was sampled, so there is nothing to release.",
            hint=f"β is {outcome.recipe.beta:.4g}; use a larger β or a larger table.",
            field="beta",
        )
    return WorkbenchError(
        f"Every row was dropped: the largest group of alike rows has {largest:,} sampled rows, and k is {k:,}.",
        hint="Generalise to higher levels, leave a column out, or allow a larger ε or δ, which makes k smaller.",
        field="k",
    )
