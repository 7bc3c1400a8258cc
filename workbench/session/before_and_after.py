"""The table before beside the one released, of either approach: what a release cost. Analyst only.

What is asked of the two is imported from here too: summaries of columns, counts of pairs, questions.
"""

from __future__ import annotations

from workbench.anonymise.compared import Compared, OtherDraws
from workbench.anonymise.contingency import cross as cross
from workbench.anonymise.lost_values import lost_values as lost_values
from workbench.anonymise.query_error import answer as answer
from workbench.anonymise.query_error import with_spread as with_spread
from workbench.anonymise.redraws import SampledDraws, TrimmedDraws
from workbench.anonymise.summary import summarise as summarise
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.schema import Schema
from workbench.engines.dispatch import engine_of
from workbench.session.release.result import Result
from workbench.session.syntactic.results import Recoded


def compared_result(result: Result) -> Compared:
    """The working table and its (ε, δ) release, without what was added to tell steps and sizes of groups."""
    outcome = result.outcome
    redraw: OtherDraws
    if isinstance(outcome, TrimOutcome):
        released, beta, redraw = outcome.rows_alone, 1.0, TrimmedDraws(outcome)
    else:
        released, beta, redraw = outcome.release, outcome.recipe.beta, SampledDraws(outcome.recipe.k)
    return Compared(
        table=result.table,
        released=released,
        schema=result.schema,
        hierarchies=result.hierarchies,
        levels=outcome.recipe.levels,
        beta=beta,
        redraw=redraw,
    )


def compared_recoded(recoded: Recoded, schema: Schema) -> Compared:
    """The rows that were to be released, and those that were not suppressed."""
    made = recoded.anonymised
    if made.row_by_row is None:
        return Compared(
            table=engine_of(recoded.table).rows_to_release(recoded.question.models),
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
