"""Bounds that were bought: what private bounds of a column were answered with may be used in any later question."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import shown
from workbench.core.schema import ColumnSpec, Schema
from workbench.core.working_table import Preparation, canonical_filter
from workbench.query import relevance
from workbench.query.catalogue import QueryDraft
from workbench.query.circumstances import reading, working_table
from workbench.query.readings import number_of
from workbench.session.query_answers import PaidAnswer

_DIGITS = 15
_ENDS = ("lower", "upper")
_ALL = "", "", 1
"""Of `_rows_of` a question about all rows."""


@dataclass(frozen=True)
class BoughtBounds:
    """Private bounds that the ledger holds, as they are typed.

    Parameters
    ----------
    prefix
        Begins the names of the parameters that they are for.
    ends
        The same as numbers.
    """

    column: str
    lower: str
    upper: str
    when: str
    prefix: str = ""
    ends: tuple[float, float] = (math.nan, math.nan)

    def used_in(self, draft: QueryDraft) -> QueryDraft:
        """The question with these bounds."""
        for name, text in zip(_ENDS, (self.lower, self.upper), strict=True):
            draft = relevance.with_value(draft, f"{self.prefix}{name}", text)
        return draft

    def is_used_in(self, draft: QueryDraft) -> bool:
        """Whether the question has them already."""
        return self.used_in(draft) == draft


def bounds_bought(
    draft: QueryDraft, schema: Schema, answers: Iterable[PaidAnswer], preparation: Preparation
) -> BoughtBounds | None:
    """The latest private bounds of a column whose bounds the question needs; None if there are none.

    Using them costs nothing more: they were paid for, and what is done with them is post-processing.

    Parameters
    ----------
    answers
        To questions about this very data, oldest first.
    preparation
        Which rows take part by now: bounds of a part of the rows are for that part alone.
    """
    if draft.kind == relevance.ASKING_BOUNDS:
        return None
    here = canonical_filter(schema, Preparation(where=draft.where)), *_part(working_table(schema, preparation))
    known = [one for one in answers if _rows_of(one) in (_ALL, here)]
    wanted = relevance.fields(draft, schema)
    names = {spec.name for spec in (*wanted.main, *wanted.more)}
    for prefix in relevance.PREFIXES:
        spec = relevance.column_of(draft, schema, prefix)
        if spec is None or f"{prefix}lower" not in names:
            continue
        found = _latest(spec, known, prefix)
        if found is not None:
            return found
    return None


def latest_bought(spec: ColumnSpec, answers: Iterable[PaidAnswer]) -> BoughtBounds | None:
    """The latest private bounds of a column in all rows among answers about this very data, oldest first; None if none.

    Those of a part of the rows may be narrower than the column, for which these may be declared.
    """
    return _latest(spec, [one for one in answers if _rows_of(one) == _ALL], "")


def _latest(spec: ColumnSpec, answers: Sequence[PaidAnswer], prefix: str) -> BoughtBounds | None:
    return next((one for answer in reversed(answers) if (one := _bought(spec, prefix, answer)) is not None), None)


def _rows_of(answer: PaidAnswer) -> tuple[Any, ...]:
    """The filter of a question, and which rows took part in its table."""
    table = answer.question.get("table")
    return answer.question.get("where") or "", *_part(table if isinstance(table, Mapping) else {})


def _part(table: Mapping[str, Any]) -> tuple[Any, Any]:
    return table.get("where") or "", table.get("sample") or 1


def typed_bounds(draft: QueryDraft, schema: Schema) -> tuple[str, float, float] | None:
    """The column of a question and the bounds typed for it, where these are not the declared ones; None if none are."""
    spec = relevance.column_of(draft, schema, "")
    if spec is None or draft.kind == relevance.ASKING_BOUNDS or not relevance.applies(draft, schema, _ENDS[0]):
        return None
    try:
        low, high = (float(number_of(str(draft.values.get(end) or ""), spec, end)) for end in _ENDS)
    except WorkbenchError:
        return None
    return (spec.name, low, high) if low < high and (low, high) != spec.declared().bounds else None


def with_bought(error: WorkbenchError, bought: BoughtBounds | None) -> WorkbenchError:
    """An error that bounds are missing, with those that were bought in its hint; another one as it is."""
    if bought is None or error.field not in {f"{bought.prefix}{end}" for end in _ENDS}:
        return error
    offer = f"Private bounds of “{bought.column}”, {bought.lower} to {bought.upper}, were bought on {bought.when}: "
    return WorkbenchError(error.message, hint=f"{offer}using them costs nothing more. {error.hint}", field=error.field)


def _bought(spec: ColumnSpec, prefix: str, answer: PaidAnswer) -> BoughtBounds | None:
    question = answer.question
    # What another version wrote may look like anything.
    with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError, WorkbenchError):
        asked = question["query"], question["values"]["column"], question["columns"][spec.name]["kind"]
        if asked != (relevance.ASKING_BOUNDS, spec.name, spec.kind.value) or answer.unclaimed:
            return None
        # 35.150 that was read as 35.15 has other bounds than 35,150.
        if question["columns"][spec.name].get("format") != reading(spec).get("format"):
            return None
        low, high = (float(end) for end in answer.released.value)
        if not (math.isfinite(low) and math.isfinite(high)):
            return None
        lower, upper = (shown(end, spec, _DIGITS, grouped=False) for end in (low, high))
        ends = float(number_of(lower, spec, "lower")), float(number_of(upper, spec, "upper"))
        if not ends[0] < ends[1]:
            return None
        return BoughtBounds(spec.name, lower, upper, answer.entry.when[:10], prefix, ends)
    return None
