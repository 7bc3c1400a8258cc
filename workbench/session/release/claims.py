"""The guarantee of a release, the claim that can be made for it, and what it is charged with."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.anonymise.claim import Circumstances, Claim, assess
from workbench.anonymise.dp_search import PrivateSearch
from workbench.anonymise.guarantee import Guarantee, guarantee
from workbench.anonymise.mechanism import ColumnPlan, Recipe, Treatment
from workbench.anonymise.promise import Promise
from workbench.anonymise.reasons import WorkingTable
from workbench.core.errors import WorkbenchError
from workbench.core.rationals import rational
from workbench.core.schema import Role
from workbench.project.model import (
    GuaranteeSettings,
    LevelsBy,
    ReleaseRecord,
    canonical_filter,
    digest,
    hierarchy_digest,
    preparation_digest,
)
from workbench.query.ledger import Charge
from workbench.session.ledger import LedgerDesk
from workbench.session.release.columns import ColumnsDesk
from workbench.session.release.result import levels_key
from workbench.session.state import SessionState
from workbench.session.working_table import working_table


def guarantee_of(state: SessionState) -> Guarantee:
    """Solve the calculator for its free field.

    Raises
    ------
    WorkbenchError
        If no value of the free field satisfies the others.
    """
    return _solved(state.project.anonymise.guarantee, state.project.schema.unit.rows_per_person)


@lru_cache(maxsize=64)
def _solved(wanted: GuaranteeSettings, rows_per_person: int) -> Guarantee:
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


def recipe_of(state: SessionState, promised: Guarantee) -> Recipe:
    """The mechanism's settings as they now stand; levels that are still to be drawn are 0."""
    project, columns = state.project, ColumnsDesk(state)
    plans = tuple(
        ColumnPlan(
            name,
            columns.treatment(name),
            columns.fixed_level(name),
        )
        for name in project.schema.names
    )
    return Recipe(plans, promised.beta, promised.k)


def drawn_levels(state: SessionState) -> dict[str, int] | None:
    """The levels that were drawn privately for the settings as they stand; None if there are none."""
    result = state.results.result
    if result is None or result.drawn is None or result.key != key_of_result(state):
        return None
    return dict(result.drawn.choice.levels)


def settled_recipe(state: SessionState, promised: Guarantee) -> Recipe:
    """The mechanism's settings with their levels, those that were drawn privately too.

    Raises
    ------
    WorkbenchError
        If the levels are still to be drawn.
    """
    recipe = recipe_of(state, promised)
    if ColumnsDesk(state).private_search is None:
        return recipe
    drawn = drawn_levels(state)
    if drawn is None:
        raise WorkbenchError(
            "The levels are drawn privately when the release is made, so there are none yet.",
            hint="Run first, or let the levels be set by hand or by a degree.",
            field="levels",
        )
    return recipe.at(drawn)


def assessed(
    state: SessionState, recipe: Recipe, promised: Promise, *, secure: bool, mine: Collection[str] = ()
) -> Claim:
    """The claim for a recipe; what has one of the keys `mine` in the ledger is part of it and not beside it."""
    project, opened, prepared = state.project, state.opened, working_table(state)
    ledger = LedgerDesk(state)
    looks = ledger.looks(opened.content)
    earlier, ledger_problem = ledger.earlier_releases(mine)
    this = recipe_digest(state, recipe)
    choice = project.anonymise.level_choice
    return assess(
        recipe,
        promised,
        project.hierarchies,
        project.schema,
        prepared.table,
        Circumstances(
            levels_blind=project.anonymise.levels_blind,
            degree=choice.degree.value if choice.by is LevelsBy.DEGREE else "",
            limits=choice.limits,
            secure=secure,
            tuned=bool(looks) and looks[0].recipe != this,
            draws=sum(look.drawn for look in looks if look.recipe == this) or 1,
            others=len({look.recipe for look in looks} - {this}),
            earlier=earlier,
            ledger_problem=ledger_problem,
            near=ledger.nearly_same().releases,
            rows=prepared.table.rows,
            suspected=tuple(name for name, (role, _) in opened.suggested_roles.items() if role is Role.IDENTIFYING),
            working_table=WorkingTable(
                original=opened.reading.table,
                population=prepared.population,
                where=canonical_filter(project.schema, project.preparation),
                sample=project.preparation.sample,
                limited=project.preparation.limit_rows,
            ),
        ),
    )


def recipe_digest(state: SessionState, recipe: Recipe) -> str:
    """Digest of what a run does to this data: two runs with the same one differ by their draws alone."""
    project, columns = state.project, ColumnsDesk(state)
    search = columns.private_search
    grouped = {
        name: (
            level if search is None else None,
            hierarchy_digest(project.hierarchies[name]) if name in project.hierarchies else "",
        )
        for name, level in recipe.levels.items()
    }
    kept = [plan.name for plan in recipe.named(Treatment.KEEP)]
    plain: dict[str, Any] = {"beta": recipe.beta, "k": recipe.k, "grouped": grouped, "kept": kept}
    if search is not None:
        limits = columns.limits({name: project.hierarchies[name] for name in grouped if grouped[name][1]})
        rows = project.schema.unit.rows_per_person
        plain["search"] = [search.epsilon, search.draw.value, search.score.value, limits, rows]
    working = preparation_digest(project.schema, project.preparation, (*grouped, *kept))
    if working:
        plain["working table"] = working
    return digest(plain)


def key_of_result(state: SessionState) -> str:
    """Digest of everything the result depends on; "" if the guarantee has no solution."""
    project = state.project
    settings = project.anonymise
    try:
        promised = guarantee_of(state)
    except WorkbenchError:
        return ""
    return digest(
        {
            "data": state.opened.content,
            "recipe": recipe_digest(state, recipe_of(state, promised)),
            "promised": [promised.epsilon, promised.delta, promised.rows_per_person],
            "blind": settings.levels_blind,
            "origins": {n: (h.provenance.value, h.origin) for n, h in project.hierarchies.items()},
            "seed": settings.seed,
            "roles": [
                (column.name, column.missing)
                for column in project.schema.columns
                if column.role is Role.IDENTIFYING or column.name == project.schema.unit.person_column
            ],
            "unit": [
                project.schema.unit.rows_per_person,
                project.schema.unit.person_column,
            ],
        }
    )


def charge_of_release(path: Path, fingerprint: str, promised: Promise, claim: Claim, draw: str = "") -> Charge:
    """What the release of a result costs; the same draw costs once, wherever it is written to.

    A private draw of its levels was charged when it was made.
    """
    return ReleaseRecord(
        when="",
        fingerprint=fingerprint,
        file=path.name,
        epsilon=promised.release.epsilon,
        delta=promised.delta,
        beta=promised.beta,
        k=promised.k,
        claim=claim.holds,
        rows_per_person=promised.rows_per_person,
        levels_epsilon=promised.search_epsilon,
    ).charge(draw)


def charge_of_levels(promised: Promise, search: PrivateSearch, nodes: int, draw: str, *, claimed: bool) -> Charge:
    """What drawing the levels privately among so many combinations costs."""
    return Charge(
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
        claimed=claimed,
        key=levels_key(draw),
    )
