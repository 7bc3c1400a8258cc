"""Settings, guarantee, claim and run."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from workbench.anonymise.claim import Circumstances, Claim, assess
from workbench.anonymise.dp_search import DrawnLevels
from workbench.anonymise.guarantee import Guarantee, guarantee
from workbench.anonymise.mechanism import (
    ColumnPlan,
    Outcome,
    Recipe,
    Treatment,
)
from workbench.anonymise.promise import Promise
from workbench.anonymise.reasons import WorkingTable
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import source_for
from workbench.core.rationals import rational
from workbench.core.schema import Role
from workbench.engines.release import release
from workbench.project.model import (
    GuaranteeSettings,
    LevelsBy,
    canonical_filter,
    digest,
    hierarchy_digest,
    preparation_digest,
)
from workbench.query.ledger import Charge
from workbench.session.choosing import ChoosingSession
from workbench.session.result import Result, levels_key, new_draw

_DRAWS = 2
"""Results that are remembered, so that undoing a change of settings brings back the draw that was made then."""


@discreet
@dataclass(frozen=True)
class Produced:
    """What a run has produced, and the session as it was when the run was bound together. `draw` is its name."""

    outcome: Outcome
    guarantee: Guarantee
    then: RunningSession
    draw: str
    drawn: DrawnLevels | None = None


class RunningSession(ChoosingSession):
    """A session that can be run: what is promised, what may be claimed, and the results."""

    # Settings

    def set_guarantee(self, settings: GuaranteeSettings) -> None:
        self._settings(guarantee=settings)

    def set_seed(self, seed: int | None) -> None:
        """Make runs repeatable simulations, or with None real ones."""
        source_for(seed)
        self._settings(seed=seed)

    # Guarantee and claim

    def guarantee(self) -> Guarantee:
        """Solve the calculator for its free field. This is what the release alone promises.

        Raises
        ------
        WorkbenchError
            If no value of the free field satisfies the others.
        """
        return _solve(self.project.anonymise.guarantee, self.project.schema.unit.rows_per_person)

    def recipe(self, promised: Guarantee | None = None) -> Recipe:
        """The mechanism's settings as they now stand; levels that are still to be drawn are 0."""
        promised = promised or self.guarantee()
        plans = tuple(
            ColumnPlan(
                name,
                self.treatment(name),
                self.fixed_level(name),
            )
            for name in self.project.schema.names
        )
        return Recipe(plans, promised.beta, promised.k)

    @property
    def drawn_levels(self) -> dict[str, int] | None:
        """The levels that were drawn privately for the settings as they stand; None if there are none."""
        if self.result is None or self.result.drawn is None or not self.result_is_current:
            return None
        return dict(self.result.drawn.choice.levels)

    def settled_recipe(self, promised: Guarantee) -> Recipe:
        """The mechanism's settings with their levels, those that were drawn privately too.

        Raises
        ------
        WorkbenchError
            If the levels are still to be drawn.
        """
        recipe = self.recipe(promised)
        if self.private_search is None:
            return recipe
        if self.drawn_levels is None:
            raise WorkbenchError(
                "The levels are drawn privately when the release is made, so there are none yet.",
                hint="Run first, or let the levels be set by hand or by a degree.",
                field="levels",
            )
        return recipe.at(self.drawn_levels)

    def claim(self) -> Claim:
        """What could be claimed for a run with the settings as they now stand."""
        recipe, promised = self.recipe(), self.promise()
        result = self.result if self.result_is_current else None
        # Whose result is there does not draw again; once it has left, a run makes another one.
        known = result is not None and self.entry_of(result.fingerprint, result.draw) is None
        mine = result.keys if result is not None and known else ()
        return self._assess(recipe, promised, secure=self.project.anonymise.seed is None, mine=mine)

    def promise(self) -> Promise:
        """What a run with the settings as they now stand would promise in all.

        Raises
        ------
        WorkbenchError
            If no value of the free field satisfies the others.
        """
        return Promise(self.guarantee(), self.private_search)

    def _assess(self, recipe: Recipe, promised: Promise, *, secure: bool, mine: Collection[str] = ()) -> Claim:
        """The claim for a recipe; what has one of the keys `mine` in the ledger is part of it and not beside it."""
        reading, prepared = self.reading, self._prepare()
        looks = self.looks(self.data_fingerprint)
        earlier, ledger_problem = self.earlier_releases(mine)
        this = self._recipe_digest(recipe)
        choice = self.project.anonymise.level_choice
        return assess(
            recipe,
            promised,
            self.project.hierarchies,
            self.project.schema,
            prepared.table,
            Circumstances(
                levels_blind=self.project.anonymise.levels_blind,
                degree=choice.degree.value if choice.by is LevelsBy.DEGREE else "",
                limits=choice.limits,
                secure=secure,
                tuned=bool(looks) and looks[0].recipe != this,
                draws=sum(look.drawn for look in looks if look.recipe == this) or 1,
                others=len({look.recipe for look in looks} - {this}),
                earlier=earlier,
                ledger_problem=ledger_problem,
                near=self.nearly_same().releases,
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
        """Digest of what a run does to this data: two runs with the same one differ by their draws alone."""
        search = self.private_search
        grouped = {
            name: (
                level if search is None else None,
                hierarchy_digest(self.project.hierarchies[name]) if name in self.project.hierarchies else "",
            )
            for name, level in recipe.levels.items()
        }
        kept = [plan.name for plan in recipe.named(Treatment.KEEP)]
        plain: dict[str, Any] = {"beta": recipe.beta, "k": recipe.k, "grouped": grouped, "kept": kept}
        if search is not None:
            limits = self._limits({name: self.project.hierarchies[name] for name in grouped if grouped[name][1]})
            rows = self.project.schema.unit.rows_per_person
            plain["search"] = [search.epsilon, search.draw.value, search.score.value, limits, rows]
        working = preparation_digest(self.project.schema, self.project.preparation, (*grouped, *kept))
        if working:
            plain["working table"] = working
        return digest(plain)

    # Running

    def anonymiser(self) -> Callable[[Progress], Produced]:
        """Everything a run needs, bound together now; call it on any thread. It makes the working table first.

        A private draw of the levels is charged before it is made, and what follows it cannot be cancelled.

        Raises
        ------
        WorkbenchError
            Also when it is called: if the budget does not suffice for the draw, which is said with what would fit.
        """
        then = self.snapshot()
        promised = then.guarantee()
        recipe = then.recipe(promised)
        for plan in recipe.columns:
            if plan.treatment is not Treatment.LEAVE_OUT:
                # What an engine does not list could not be written after the draw.
                then.reading.table.require_listed(plan.name)
        hierarchies = dict(then.project.hierarchies)
        source = source_for(then.project.anonymise.seed)
        then._loaded()

        def run(progress: Progress = SILENT) -> Produced:
            share = 0.4 if then.needs_preparing else 0.0
            table = then._prepare(progress.part(0.0, share)).table
            half = share if then.private_search is None else (share + 1) / 2
            draw = new_draw()

            def pay(nodes: int) -> None:
                if source.secure:
                    then._pay_for_levels(draw, nodes)

            drawn = then._draw_levels(table, promised, source, pay, progress.part(share, half))
            chosen = recipe if drawn is None else recipe.at(drawn.choice.levels)
            step = progress.part(half, 1.0) if drawn is None else SILENT
            # The sample is drawn after the levels and from numbers of its own: one sample must not serve both.
            outcome = release(table, chosen, hierarchies, source, step)
            return Produced(outcome, promised, then, draw, drawn)

        return run

    def _pay_for_levels(self, draw: str, nodes: int) -> None:
        """Charge the private draw of the levels for the settings as they stand."""
        promised = self.promise()
        search = promised.search
        if search is None:
            return
        charge = Charge(
            kind="search",
            what=f"Levels drawn privately among {nodes:,} combinations",
            epsilon=rational(search.epsilon),
            rows_per_person=promised.rows_per_person,
            engine=LevelsBy.SEARCH.value,
            parameters=MappingProxyType(
                {
                    "draw": search.draw.value,
                    "score": search.score.value,
                    "nodes": nodes,
                    "beta": promised.beta,
                    "k": promised.k,
                }
            ),
            claimed=self.claim().choice_holds,
            key=levels_key(draw),
        )
        self.ledger_of(self.data_fingerprint).charge(charge)

    def accept(self, produced: Produced) -> Result:
        """Take in what `anonymiser` produced, and remember that a result of this recipe was seen.

        The claim and the key are those of the settings the run was made with; if other ones hold by now, the
        result is out of date from the start.
        """
        outcome, then = produced.outcome, produced.then
        fingerprint, recipe = then.data_fingerprint, then._recipe_digest(outcome.recipe)
        self.saw(fingerprint, recipe, drawn=outcome.secure)
        if produced.drawn is not None and outcome.secure:
            with contextlib.suppress(WorkbenchError):  # it was charged a moment ago; the claim says what is wrong now
                self.copy_ledger(fingerprint)
        then.project = replace(then.project, histories=self.project.histories)
        promised = Promise(produced.guarantee, then.private_search)
        mine = (levels_key(produced.draw), produced.draw)
        claim = then._assess(outcome.recipe, promised, secure=outcome.secure, mine=mine)
        described = then.project.schema, dict(then.project.hierarchies)
        self.result = Result(
            outcome,
            claim,
            then.result_key(),
            then.table,
            fingerprint,
            *described,
            recipe,
            produced.drawn,
            produced.draw,
            canonical_filter(then.project.schema, then.project.preparation),
        )
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
                "data": self.data_fingerprint,
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


_TUNED = (
    "But what is changed now is tuned on this outcome and carries no (ε, δ) claim on this data, a degree or a private "
    "search too: a claim needs settings that were settled before the first run."
)
"""What `claim` says of settings that were changed after a result had been seen."""


def nothing_survived(result: Result) -> WorkbenchError:
    """Why every row was dropped, and what would help."""
    outcome = result.outcome
    spent = f" {result.spent}" if result.spent else ""
    largest = int(outcome.class_sizes.max()) if len(outcome.class_sizes) else 0
    k = outcome.recipe.k
    of_filter = f" (filter: {result.where})" if result.where else ""
    if not outcome.rows_in:
        return WorkbenchError(
            f"No row takes part{of_filter}, so there is nothing to release.",
            hint=f"Choose other rows in Data. {_TUNED}{spent}",
            field="where",
        )
    if not outcome.sampled.rows:
        return WorkbenchError(
            f"None of the rows that take part{of_filter} was sampled, so there is nothing to release.",
            hint=f"β is {estimate(outcome.recipe.beta)}; a larger β or a larger table would give more rows. "
            f"{_TUNED}{spent}",
            field="beta",
        )
    return WorkbenchError(
        f"Every row was dropped: the largest group of alike rows has {largest:,} sampled rows, and k is {k:,}.",
        hint="Higher levels, fewer columns, or a larger ε or δ, which makes k smaller, would leave more rows. "
        f"{_TUNED}{spent}",
        field="k",
    )
