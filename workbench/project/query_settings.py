"""The questions a project holds ready: drafts that were not asked yet, or may be asked again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar

from workbench.core.json_values import listed
from workbench.core.settings import Stored, setting
from workbench.core.settings_json import from_json, to_json
from workbench.core.typed_fields import typed_fields
from workbench.query.amounts import LARGEST_EPSILON
from workbench.query.catalogue import QUERIES, QueryDraft


def _known_draft(plain: Any) -> QueryDraft:
    """A draft of a file.

    A parameter that a question does not have would keep it from ever being asked, and no field could take it away:
    it is left out.
    """
    draft = from_json(QueryDraft, plain, "a question")
    if draft.kind not in QUERIES:
        return draft  # made by a plugin that is not here, which alone knows its parameters
    known = {spec.name for spec in QUERIES[draft.kind].parameters}
    kept = {name: value for name, value in draft.values.items() if name in known}
    return replace(draft, values=MappingProxyType(kept))


def _known_drafts(plain: Any) -> tuple[QueryDraft, ...]:
    return tuple(map(_known_draft, listed(plain, "“batch”")))


def _written_draft(draft: QueryDraft) -> dict[str, Any]:
    found = to_json(draft)
    if draft.most_below is None:
        del found["most_below"]  # it came later: a file without it can be read by every version
    return found


def _written(drafts: Sequence[QueryDraft]) -> list[dict[str, Any]]:
    return [_written_draft(draft) for draft in drafts]


@dataclass(frozen=True)
@typed_fields
class QuerySettings:
    """Drafts of questions."""

    REFUSES_UNKNOWN: ClassVar[bool] = True

    draft: QueryDraft = setting(
        factory=QueryDraft,
        title="Question",
        about="The question in hand.",
        explain="kind",
        stored=Stored(write=_written_draft, read=_known_draft, written=QueryDraft),
    )
    batch: tuple[QueryDraft, ...] = setting(
        (),
        title="Batch",
        about="Questions that are asked together and share one ε by their weights.",
        stored=Stored(write=_written, read=_known_drafts, written=list[QueryDraft]),
    )
    batch_epsilon: str = setting(
        "1",
        title="ε of all questions together",
        about="What the questions of the batch cost together.",
        amount=True,
        minimum=0,
        offered=(0, LARGEST_EPSILON),
        open_minimum=True,
        group="batch",
        undo="Choose ε of the batch",
        explain="batch",
    )
