"""The number below which most values lie, beside the bounds, and what finding bounds first would make of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from workbench.core.errors import WorkbenchError
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.bound_form import BoundForm
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.labels import label
from workbench.query.catalogue import QUERIES, QueryDraft
from workbench.query.relevance import takes_most_below
from workbench.session.found_first import FoundFirst

_TIP = "Asks “Average, bounds found first” with all that is typed; a quarter of ε finds the bounds"
_FAR_LOWER = "If most values are far lower, finding bounds first is closer."
_NO_CLOSER = "For such values finding bounds first is no closer."


class BoundsFirst(QWidget):
    """Is there where the plan depends on that number, or that of the same question with bounds found first would.

    Signals
    -------
    edited(object, str, str)
        Another draft, what undo calls the step, and the key under which steps merge.
    wanted()
        Ask for the same statistic within bounds that are found first.
    """

    edited = Signal(object, str, str)
    wanted = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._first: FoundFirst | None = None
        self._asked: object = None
        self.form = BoundForm("query", lambda: self._draft, "privacy", only=("most_below",), parent=self)
        self.number = self.form["most_below"]
        self.words = label(small=True, muted=True, wrap=True)
        self.first = push_button("", tip=_TIP, quiet=True)
        set_look(self.first, quiet=True, align="left")
        grid = self.form.grid(into=form_grid(), squeezed=True)
        boxes.column(grid, self.words, (self.first, Qt.AlignmentFlag.AlignLeft), spacing="xs", inside=self)
        self.form.edited.connect(self._edit)
        self.first.clicked.connect(self._want)
        self.hide()

    @property
    def _draft(self) -> QueryDraft:
        return self._document.project.queries.draft

    @property
    def problem(self) -> str:
        """Why what is typed is not in force, or ""."""
        return "" if self.form.valid else str(self.number.problem)

    @property
    def refusal(self) -> WorkbenchError | None:
        """The same as an error that speaks of the field; None where what is typed is in force."""
        return WorkbenchError(self.problem, field="most_below") if self.problem else None

    def refresh(self) -> None:
        """Show the draft as the project has it; what was planned of another question is no offer."""
        draft = self._draft
        asked = draft.kind, draft.values.get("column"), draft.noise
        if asked != self._asked:
            self._asked, self._first = asked, None
        self.form.refresh()
        self._show()

    def show_plan(self, first: FoundFirst | None) -> None:
        """Offer to find bounds first where that is closer; else say how far it is, or of what it would be."""
        self._first = first
        self._mark(wrong=first is not None and bool(first.problem))
        self._show()

    def show_refused(self, error: WorkbenchError) -> None:
        """Nothing is known of the question as it stands; the number stays where it is asked for."""
        self._first = None if self._first is None else FoundFirst()
        self._mark(wrong=error.field == "most_below")
        self._show()

    def _mark(self, *, wrong: bool) -> None:
        set_look(self.number.edit, invalid=wrong or not self.number.valid)

    def _show(self) -> None:
        draft, first = self._draft, self._first
        words = "" if first is None or first.closer else first.problem or _FAR_LOWER
        if first is not None and first.margin and not first.closer:
            words = _NO_CLOSER
        self.words.setText(words)
        self.words.setVisible(bool(words))
        if first is not None and first.closer:
            self.first.setText(f"{first.margin} by finding bounds first")
        self.first.setVisible(first is not None and first.closer)
        takes = draft.kind in QUERIES and takes_most_below(draft, self._document.project.schema)
        self.setVisible(takes or first is not None)

    def _want(self) -> None:
        self.number.setFocus()  # the button goes, and hands the focus on
        self.wanted.emit()

    def _edit(self, name: str, value: Any, words: str, merge: str) -> None:
        self.edited.emit(replace(self._draft, **{name: value}), words, merge)
