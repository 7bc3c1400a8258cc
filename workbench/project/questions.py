"""The questions a project holds ready: drafts that were not asked yet, or may be asked again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from workbench.core.typed_fields import typed_fields
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft


@dataclass(frozen=True)
@typed_fields
class QuerySettings:
    """Drafts of questions.

    Parameters
    ----------
    draft
        The question in hand.
    batch
        Questions to be asked together.
    batch_epsilon
        What those cost together, as decimal text.
    """

    draft: QueryDraft = field(default_factory=QueryDraft)
    batch: tuple[QueryDraft, ...] = ()
    batch_epsilon: str = "1"


def to_json(settings: QuerySettings) -> dict[str, Any]:
    """As JSON."""
    return {
        "draft": draft_to_json(settings.draft),
        "batch": [draft_to_json(draft) for draft in settings.batch],
        "batch_epsilon": settings.batch_epsilon,
    }


def from_json(plain: Mapping[str, Any]) -> QuerySettings:
    """The settings of `to_json`; what is missing takes its default.

    A parameter that a question does not have would keep it from ever being asked, and no field could take it away:
    it is left out.

    Raises
    ------
    ValueError, TypeError, KeyError
        If something in it has the wrong type or an unknown name.
    """
    batch = plain.get("batch", [])
    if not isinstance(batch, list) or set(plain) - {"draft", "batch", "batch_epsilon"}:
        raise ValueError("unexpected questions")
    return QuerySettings(
        _with_known_values(draft_from_json(plain.get("draft", {}))),
        tuple(_with_known_values(draft_from_json(one)) for one in batch),
        _text(plain.get("batch_epsilon", "1")),
    )


def draft_to_json(draft: QueryDraft) -> dict[str, Any]:
    """As JSON."""
    return {**vars(draft), "values": dict(draft.values), "engine": draft.engine.value}


def draft_from_json(plain: Mapping[str, Any]) -> QueryDraft:
    """The draft of `draft_to_json`; whether it can be asked is another question.

    Raises
    ------
    ValueError, TypeError
        If something in it has the wrong type or an unknown name.
    """
    start = QueryDraft()
    found = dict(plain)
    unknown = set(found) - set(vars(start))
    if unknown:
        raise ValueError(f"an unexpected {sorted(unknown)[0]}")
    rows = found.get("assumed_rows", start.assumed_rows)
    if not isinstance(rows, int) or isinstance(rows, bool):
        raise TypeError("a number of rows that is no whole number")
    typed = found.get("rows_typed", start.rows_typed)
    if not isinstance(typed, bool):
        raise TypeError("a mark that is neither true nor false")
    return QueryDraft(
        kind=_text(found.get("kind", start.kind)),
        epsilon=_text(found.get("epsilon", start.epsilon)),
        values=_values(found.get("values", {})),
        where=_text(found.get("where", start.where)),
        engine=NoiseSource(found.get("engine", start.engine)),
        tool=_text(found.get("tool", start.tool)),
        weight=_text(found.get("weight", start.weight)),
        assumed_rows=rows,
        rows_typed=typed,
    )


def _with_known_values(draft: QueryDraft) -> QueryDraft:
    if draft.kind not in QUERIES:
        return draft  # made by a plugin that is not here, which alone knows its parameters
    known = {spec.name for spec in QUERIES[draft.kind].parameters}
    kept = {name: value for name, value in draft.values.items() if name in known}
    return replace(draft, values=MappingProxyType(kept))


def _values(plain: Any) -> Mapping[str, Any]:
    if not isinstance(plain, dict):
        raise TypeError("parameters that are no object")
    for value in plain.values():
        if not isinstance(value, bool | int | float | str) or (isinstance(value, float) and not math.isfinite(value)):
            raise TypeError("a parameter that is no text, number or truth value")
    return MappingProxyType(dict(plain))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("expected a text")
    return value
