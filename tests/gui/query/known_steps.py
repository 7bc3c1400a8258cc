"""A question that is planned and ready to be asked."""

from __future__ import annotations

from tests.gui.query.helpers import Room
from workbench.query.catalogue import QueryDraft
from workbench.query.plans import QueryPlan


def ready_or_not(room: Room, draft: QueryDraft) -> None:
    """Put a question in hand."""
    room.document.apply("question", lambda session: session.queries.set_draft(draft))
    room.idle()


def ready(room: Room, draft: QueryDraft) -> QueryPlan:
    """Put a question in hand and wait for its plan."""
    ready_or_not(room, draft)
    found = room.workspace.foreseen
    assert found is not None
    return found.plan
