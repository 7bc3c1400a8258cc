"""The guarantee of a release, the claim that can be made for it, and what it is charged with."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from workbench.anonymise.after_draw import AS_DRAWN, AfterDraw
from workbench.anonymise.circumstances import Circumstances
from workbench.anonymise.claim import Claim, assess
from workbench.anonymise.claimed_sum import UNBOUNDED, ClaimedSum, sum_of
from workbench.anonymise.looking import kind_of_look
from workbench.anonymise.promise import Promise, ReleaseGuarantee
from workbench.anonymise.reasons import WorkingTable
from workbench.anonymise.recipe import ColumnPlan, ReleaseMechanism, ReleaseRecipe, Treatment
from workbench.anonymise.sample_guarantee import Guarantee, guarantee
from workbench.anonymise.sampling import Recipe
from workbench.anonymise.terms import known_of
from workbench.anonymise.trim_guarantee import TrimGuarantee, solve_trim
from workbench.anonymise.trim_recipe import TrimRecipe, TrimStep
from workbench.core.errors import WorkbenchError
from workbench.core.kept_results import kept_within
from workbench.core.known_number import KnownNumber
from workbench.core.schema import Role
from workbench.core.trim_law import bytes_of
from workbench.project.loading import Loaded
from workbench.project.model import (
    GuaranteeSettings,
    LevelsBy,
    canonical_filter,
    digest,
    hierarchy_digest,
    preparation_digest,
)
from workbench.project.trim_settings import StepsBy, Survives, TrimUnknown
from workbench.query.recorded_look import RecordedLook
from workbench.session.ledger import LedgerDesk
from workbench.session.number_said import number_said
from workbench.session.release.by_rule import judged_table, limits_rows, without_stops
from workbench.session.release.chain import chain_of, is_balanced, mechanism_of
from workbench.session.release.charges import file_spending
from workbench.session.release.columns import ColumnsDesk
from workbench.session.release.result import Followed
from workbench.session.release.said import said_of
from workbench.session.state import SessionState

_MOST_BYTES = 16 << 20
"""Of the laws of all guarantees that are remembered; those of the settings as they stand are remembered in any case."""


def guarantee_of(state: SessionState, drawn: Mapping[str, int] | None = None) -> ReleaseGuarantee:
    """Solve the calculator for its free field.

    Parameters
    ----------
    drawn
        The levels that were drawn privately, where they are; ε and δ do not depend on them.

    Raises
    ------
    WorkbenchError
        If no value of the free field satisfies the others, or trimming was chosen where it cannot be.
    """
    settings, rows = state.project.anonymise, state.project.schema.unit.rows_per_person
    if mechanism_of(state) is ReleaseMechanism.SAMPLE:
        return _sampled(settings.guarantee, rows)
    wanted, trim = settings.guarantee, settings.trim
    unknown = trim.solve_for
    if unknown is not TrimUnknown.SURVIVAL and trim.steps is StepsBy.DEGREES and ColumnsDesk(state).private_search:
        raise WorkbenchError(
            f"{unknown.words} cannot follow from a group that survives while the levels of the steps are still to be "
            "drawn.",
            hint="Give ε and δ, or release in one step.",
            field=unknown.value,
        )
    survives = None if unknown is TrimUnknown.SURVIVAL else trim.group
    return _trimmed(
        None if unknown is TrimUnknown.EPSILON else wanted.epsilon,
        None if unknown is TrimUnknown.DELTA else wanted.delta,
        survives if trim.survives is Survives.HALF else None,
        survives if trim.survives is Survives.ALWAYS else None,
        rows,
        trim.floor,
        chain_of(state, drawn).shares,
    )


def _bytes_of(found: TrimGuarantee) -> int:
    return sum(map(bytes_of, found.laws))


@kept_within(_MOST_BYTES, _bytes_of)
def _trimmed(
    epsilon: float | None,
    delta: float | None,
    half_survive: int | None,
    always_survive: int | None,
    rows_per_person: int,
    floor: int,
    shares: tuple[Fraction, ...],
) -> TrimGuarantee:
    """Remembered, because a window asks again at every repaint of its state."""
    return solve_trim(
        epsilon=epsilon,
        delta=delta,
        half_survive=half_survive,
        always_survive=always_survive,
        rows_per_person=rows_per_person,
        floor=floor,
        shares=shares,
    )


@lru_cache(maxsize=64)
def _sampled(wanted: GuaranteeSettings, rows_per_person: int) -> Guarantee:
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


def recipe_of(
    state: SessionState, promised: ReleaseGuarantee, drawn: Mapping[str, int] | None = None
) -> Recipe | TrimRecipe:
    """The mechanism's settings as they now stand; levels that are still to be drawn are 0."""
    columns, names = ColumnsDesk(state), state.project.schema.names
    if isinstance(promised, Guarantee):
        plans = (ColumnPlan(name, columns.treatment(name), columns.fixed_level(name)) for name in names)
        recipe = Recipe(tuple(plans), promised.beta, promised.k)
        return recipe if drawn is None else recipe.at(drawn)
    chain, settings = chain_of(state, drawn), state.project.anonymise.trim
    first = chain.vectors[0]
    steps = zip(chain.vectors, promised.steps, strict=True)
    return TrimRecipe(
        tuple(ColumnPlan(name, columns.treatment(name), first.get(name, 0)) for name in names),
        tuple(TrimStep(vector, step.epsilon, step.delta) for vector, step in steps),
        promised.rows_per_person,
        settings.floor,
        settings.step_column,
        settings.count_column,
    )


def promise_of(state: SessionState) -> Promise:
    """The whole promise of a run with the present settings.

    Raises
    ------
    WorkbenchError
        If no value of the free field satisfies the others.
    """
    return Promise(guarantee_of(state), ColumnsDesk(state).private_search)


def claim_of(
    state: SessionState, *, chosen: bool = False, known: KnownNumber = KnownNumber.NONE, anew: bool = False
) -> Claim:
    """The claim that a run with the present settings could make; where one was made, that of its result.

    With `anew` it is that of another run all the same: what was looked at after a draw is looked at before the next.
    """
    promised, result = promise_of(state), state.results.result
    current = result if not anew and result is not None and result.key == key_of_result(state) else None
    mine = () if current is None else current.keys
    answered = number_said(state) if current is None else number_answered(state)
    secure = state.project.anonymise.seed is None
    recipe = recipe_of(state, promised.release)
    return assessed(
        state,
        recipe,
        promised,
        secure=secure,
        mine=mine,
        chosen=chosen,
        known=known.with_other(answered),
        followed=None if current is None else current.followed,
    )


def number_answered(state: SessionState) -> KnownNumber:
    """Which number is said to be known of the draw that was made with the settings as they stand, if there is one."""
    result = state.results.result
    current = result is not None and result.key == key_of_result(state)
    return known_of(state.results.said.get(result.draw, ())) if result is not None and current else KnownNumber.NONE


def drawn_levels(state: SessionState) -> dict[str, int] | None:
    """The levels that were drawn privately for the settings as they stand; None if there are none."""
    result = state.results.result
    if result is None or result.drawn is None or result.key != key_of_result(state):
        return None
    return dict(result.drawn.choice.levels)


def settled_recipe(state: SessionState, promised: ReleaseGuarantee) -> Recipe | TrimRecipe:
    """The mechanism's settings with their levels, those that were drawn privately too.

    Raises
    ------
    WorkbenchError
        If the levels are still to be drawn.
    """
    if ColumnsDesk(state).private_search is None:
        return recipe_of(state, promised)
    drawn = drawn_levels(state)
    if drawn is None:
        raise WorkbenchError(
            "The levels are drawn privately when the release is made, so there are none yet.",
            hint="Run first, or let the levels be set by hand or by a degree.",
            field="levels",
        )
    return recipe_of(state, promised, drawn)


def assessed(
    state: SessionState,
    recipe: ReleaseRecipe,
    promised: Promise,
    *,
    secure: bool,
    mine: Collection[str] = (),
    asserted: bool = True,
    unsaid: Collection[str] = (),
    by_data: bool = False,
    chosen: bool = False,
    known: KnownNumber = KnownNumber.NONE,
    after: AfterDraw = AS_DRAWN,
    followed: Followed | None = None,
) -> Claim:
    """The claim for a recipe; what has one of the keys `mine` in the ledger is part of it and not beside it.

    Without what the publisher asserts there is none, and `unsaid` are the sentences that are missing; with `by_data`,
    they say that what the data shows decided some choice; `known` is the number of the table that is known, beside what
    left that says so; `after` is what is done to the released rows; `followed` is what the levels of a draw that was
    made follow from. With `chosen` all else of the data is part of it too.
    """
    project, opened, prepared = state.project, state.opened, judged_table(state)
    ledger = LedgerDesk(state)
    looks = ledger.looks(opened.content)
    # What earlier programs recorded stays what it was: every result that was seen, by its settings.
    results = _results_seen(looks)
    others = [look for look in looks if look.settled is not None and set(mine).isdisjoint(look.settled)]
    before = ledger.looks_before(opened.content, mine)
    first = next((look for look in before if look in others), None)
    earlier, ledger_problem = ledger.earlier_releases(mine)
    this = recipe_digest(state, recipe)
    followed = followed_by(state, recipe) if followed is None else followed
    return assess(
        recipe,
        promised,
        project.hierarchies,
        project.schema,
        prepared.table,
        Circumstances(
            levels_blind=project.anonymise.levels_blind,
            degree=followed.degree,
            limits=project.anonymise.level_choice.limits,
            degrees=followed.degrees,
            balanced=followed.balanced,
            occurring=followed.said,
            expected=followed.expected,
            expected_rows=followed.rows,
            secure=secure,
            asserted=asserted,
            unsaid=tuple(unsaid),
            by_data=by_data,
            known=known.with_other(ledger.number_known(opened.content)),
            looked=any(look not in before for look in others),
            looked_before="" if first is None else kind_of_look(first.recipe),
            looked_after=not others and any(look.settled is not None for look in looks),
            tuned=bool(results) and results[0].recipe != this,
            draws=1 + sum(look.drawn for look in results if look.recipe == this),
            others=len({look.recipe for look in results} - {this}),
            uncounted=bool(results),
            others_drawn=ledger.others_drawn(opened.content, mine),
            earlier=earlier,
            own=ledger.own_releases(mine, file_spending(promised), drawn=promised.search_epsilon > 0),
            chosen=chosen,
            ledger_problem=ledger_problem,
            near=ledger.nearly_same().releases,
            rows=prepared.table.rows,
            suspected=_suspected(opened),
            after=after,
            working_table=WorkingTable(
                original=opened.reading.table,
                population=prepared.population,
                where=canonical_filter(project.schema, project.preparation),
                sample=project.preparation.sample,
                limited=limits_rows(project),
            ),
        ),
    )


def sum_of_all(
    state: SessionState, promised: Promise, mine: Collection[str], known: KnownNumber = KnownNumber.NONE
) -> ClaimedSum | str | None:
    """The promise of a release charged under the keys `mine` and of everything else of its data; see `summed`."""
    ledger = LedgerDesk(state)
    earlier, problem = ledger.earlier_releases(mine)
    if problem:
        return UNBOUNDED
    circumstances = Circumstances(
        uncounted=bool(_results_seen(ledger.looks(state.opened.content))),
        earlier=earlier,
        own=ledger.own_releases(mine, file_spending(promised), drawn=promised.search_epsilon > 0),
        near=ledger.nearly_same().releases,
        known=known.with_other(ledger.number_known(state.opened.content)),
    )
    return sum_of(promised, circumstances)


def _results_seen(looks: Iterable[RecordedLook]) -> list[RecordedLook]:
    """The results that earlier programs recorded as seen, which no ledger counts."""
    return [look for look in looks if look.settled is None]


def _suspected(opened: Loaded) -> tuple[str, ...]:
    """Columns that look as if they named persons, or as if they said which rows are the same person's."""
    named = [name for name, (role, _) in opened.suggested_roles.items() if role is Role.IDENTIFYING]
    return tuple(dict.fromkeys((*named, *(one.name for one in opened.persons))))


def followed_by(state: SessionState, recipe: ReleaseRecipe) -> Followed:
    """The settings, as they stand, that levels and shares of a recipe follow from."""
    choice, trim = state.project.anonymise.level_choice, state.project.anonymise.trim
    degree = choice.degree.value if choice.by is LevelsBy.DEGREE else ""
    if not isinstance(recipe, TrimRecipe):
        return Followed(degree, said=_said_of(state, recipe))
    if trim.steps in (StepsBy.TYPED, StepsBy.BALANCED):
        degree = ""
    chain = chain_of(state, recipe.levels if choice.by is LevelsBy.SEARCH else None)
    return Followed(
        "" if trim.steps is StepsBy.DEGREES else degree,
        chain.degrees,
        chain.expected,
        is_balanced(state),
        _said_of(state, recipe),
        trim.expected_rows if chain.expected else None,
    )


def _said_of(state: SessionState, recipe: ReleaseRecipe) -> dict[str, tuple[str, ...]]:
    """What was said to occur in the columns that take part; of others nothing must be told, not even their names."""
    said = said_of(state.project)
    return {name: said[name] for name in recipe.levels if name in said}


def recipe_digest(state: SessionState, recipe: ReleaseRecipe) -> str:
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
    plain: dict[str, Any] = {"grouped": grouped, "kept": kept, **_mechanism_digest(state, recipe)}
    if search is not None:
        limits = columns.limits({name: project.hierarchies[name] for name in grouped if grouped[name][1]})
        rows = project.schema.unit.rows_per_person
        plain["search"] = [search.epsilon, search.draw.value, search.score.value, limits, rows]
    # A limit that the rule brings is not in it: the digest of what was released before stays what it was.
    schema = without_stops(project).schema
    working = preparation_digest(schema, project.preparation, (*grouped, *kept))
    if working:
        plain["working table"] = working
    return digest(plain)


def _mechanism_digest(state: SessionState, recipe: ReleaseRecipe) -> dict[str, Any]:
    """The other settings of the mechanism; the steps above drawn levels follow from these levels and from settings."""
    if isinstance(recipe, Recipe):
        return {"beta": recipe.beta, "k": recipe.k}
    assert isinstance(recipe, TrimRecipe)
    trim, wanted = state.project.anonymise.trim, state.project.anonymise.guarantee
    plain: dict[str, Any] = {"mechanism": recipe.mechanism.value, "floor": recipe.floor, "c": recipe.rows_per_person}
    if ColumnsDesk(state).private_search is None:
        steps = [[dict(step.levels), str(step.epsilon), str(step.delta)] for step in recipe.steps]
        return {**plain, "steps": steps}
    degrees = [degree.value for degree in trim.degrees] if trim.steps is StepsBy.DEGREES else []
    spent = [trim.solve_for.value, trim.survives.value, trim.group, wanted.epsilon, wanted.delta]
    return {**plain, "above": degrees, "shares": trim.shares, "expected": trim.expected_rows, "spent": spent}


def _written(state: SessionState, promised: ReleaseGuarantee) -> dict[str, Any]:
    """How the counts of a trimmed release are written."""
    trim = state.project.anonymise.trim
    return {} if isinstance(promised, Guarantee) else {"written": [trim.step_column, trim.count_column]}


def key_of_result(state: SessionState) -> str:
    """Digest of everything the result depends on; "" if the guarantee has no solution."""
    if state.loaded is None:
        return _key_of_result(state)
    project, content, known = state.project, state.loaded.content, state.result_key
    if known is None or known[0] is not project or known[1] != content:
        known = state.result_key = project, content, _key_of_result(state)
    return known[2]


def _key_of_result(state: SessionState) -> str:
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
            **_written(state, promised),
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
