"""The same statistic within bounds that are found first, planned beside a question that adds noise for all of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from workbench.core.errors import WorkbenchError
from workbench.core.schema import Schema
from workbench.query.catalogue import MOST_ROWS, NoiseSource, QueryDraft
from workbench.query.grid import Grid
from workbench.query.narrowed import Narrowed
from workbench.query.plans import QueryPlan
from workbench.query.relevance import with_kind, with_value
from workbench.session.queries import QueryDesk

_NARROWED = "narrowed"
_ASKED = ("mean", "variance", "standard-deviation")
_WIDE = 1000
"""Bounds of ages, shares and grades are no farther apart; those of amounts, of which most are small, mostly are."""


@dataclass(frozen=True)
class FoundFirst:
    """The gain of finding bounds first for a question.

    Parameters
    ----------
    margin
        Its margin, "" while nobody said below what most values lie.
    closer
        Whether that is less than the margin of the question as it stands would be for such values.
    problem
        What is wrong with the number below which most values are said to lie, or "".
    """

    margin: str = ""
    closer: bool = False
    problem: str = ""


def with_bounds_first(draft: QueryDraft, schema: Schema) -> QueryDraft:
    """The question for the same statistic within bounds that are found first; all that was typed stays."""
    return with_value(with_kind(draft, _NARROWED, schema), "figure", draft.kind)


def found_first(desk: QueryDesk, plan: QueryPlan, schema: Schema) -> FoundFirst | None:
    """Plan it for as many rows, of what was typed and declared alone; None where it is no way to answer the question.

    Narrow bounds gain nothing worth the quarter of ε, and of dates nobody says below what most lie.
    """
    draft, frames = plan.draft, plan.mechanism.frames
    if draft.kind not in _ASKED or draft.noise is not NoiseSource.GRID or not frames:
        return None
    grid = frames[0]
    if not isinstance(grid, Grid) or not grid.spec.kind.numeric or grid.upper - grid.lower <= _WIDE:
        return None
    if draft.most_below is None:
        return FoundFirst()
    asked = replace(with_bounds_first(draft, schema), assumed_rows=min(plan.rows, MOST_ROWS), rows_typed=True)
    try:
        other = desk.plan(asked)
    except WorkbenchError as error:
        return FoundFirst(problem=str(error)) if error.field == "most_below" else None
    mechanism, then = other.mechanism, other.expected.half_width
    if then is None or not isinstance(mechanism, Narrowed):
        return None
    # The margin of the question as it stands is the widest wherever values lie: these two are of the same values.
    now = plan.mechanism.expected(mechanism.assumed_in_whole(plan.rows)).half_width
    return FoundFirst(other.half_width_text, now is not None and then < now)
