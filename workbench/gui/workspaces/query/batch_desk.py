"""Edits of the batch: each is a step that can be undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject

from workbench.gui.document import Document
from workbench.gui.workspaces.query.batch_page import BatchPage
from workbench.query.catalogue import QUERIES, QueryDraft


class BatchDesk(QObject):
    """Carries what the person does on the page of the batch into the document."""

    def __init__(self, document: Document, page: BatchPage) -> None:
        super().__init__(page)
        self._document = document
        self._page = page
        page.weighed.connect(self._weigh)
        page.removed.connect(self._remove)
        page.opened.connect(self._open)
        page.epsilon_chosen.connect(self._choose_epsilon)

    def add(self) -> bool:
        """Put the question in hand into the batch; False if it is one that is asked on its own."""
        settings = self._document.project.queries
        if settings.draft.kind in QUERIES and not QUERIES[settings.draft.kind].needs_epsilon:
            self._document.noted.emit(
                "info", "ε of this question follows from its own settings, so it is asked on its own."
            )
            return False
        return self._document.apply("Add to the batch", lambda session: session.queries.add_to_batch(settings.draft))

    def take_out(self, asked: Sequence[QueryDraft]) -> None:
        """Take out what was answered: with the next question it would be asked, and paid for, once more."""
        batch = self._document.project.queries.batch
        places = [place for place, draft in enumerate(batch) if draft in asked]
        if places:
            self._document.apply("Empty the batch", lambda session: session.queries.take_from_batch(places))

    def _put(self, text: str, drafts: Sequence[QueryDraft], merge: str = "") -> bool:
        return self._document.apply(text, lambda session: session.queries.set_batch(drafts), merge=merge)

    def _current(self) -> list[QueryDraft]:
        """The questions, if they are those of the rows; else none: a second press is quicker than the new rows."""
        drafts = self._document.project.queries.batch
        return list(drafts) if len(drafts) == len(self._page.weights) else []

    def _weigh(self, place: int, weight: str) -> None:
        drafts = self._current()
        if drafts:
            drafts[place] = replace(drafts[place], weight=weight)
            self._put("Change a weight", drafts, f"query weight {place}")

    def _remove(self, place: int) -> None:
        if place < len(self._current()):
            self._document.apply("Remove from the batch", lambda session: session.queries.take_from_batch([place]))

    def _open(self, place: int) -> None:
        if place < len(self._current()):
            self._document.apply(
                "Take a question from the batch", lambda session: session.queries.take_into_hand(place)
            )

    def _choose_epsilon(self, epsilon: str) -> None:
        self._document.apply(
            "Choose ε of the batch",
            lambda session: session.queries.set_batch_epsilon(epsilon),
            merge="query batch epsilon",
        )
