"""The pages of the room: nothing is asked yet, or the question with what is known of it beside it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.widgets.side_by_side import SideBySide
from workbench.gui.workspaces.collect.page_tabs import PageTabs
from workbench.gui.workspaces.collect.question_section import CollectQuestionSection
from workbench.gui.workspaces.collect.unasked import Unasked, no_data

_SETTINGS_WIDTH = tokens.EXPLAIN_WIDTH + tokens.COLUMN_MIN
_QUESTION_PART, _ANSWER_PART = 0, 1
_UNASKED, _ASKED = 0, 1


class RoomPages(QStackedWidget):
    """Shows one part where there is room for one only, and leads from what is missing to where it is mended.

    Parameters
    ----------
    settings
        The question, and all that is set of it.
    tabs
        The pages on what is known, which `answers` gets as its second page.

    Signals
    -------
    table_wanted()
        The person wants to open a table.
    reports_wanted()
        The person has files of reports, and nothing is asked here.
    """

    table_wanted = Signal()
    reports_wanted = Signal()

    def __init__(self, document: Document, question: CollectQuestionSection, settings: QWidget, tabs: PageTabs) -> None:
        super().__init__()
        self._document, self._question, self._tabs = document, question, tabs
        self.no_data = no_data()
        self.unasked = Unasked()
        settings.setMinimumWidth(_SETTINGS_WIDTH)
        self.answers = QStackedWidget()
        self.answers.addWidget(self.unasked)
        self.parts = SideBySide(
            "collect",
            ((settings, "Question"), (self.answers, "What to expect")),
            (_SETTINGS_WIDTH, 2 * _SETTINGS_WIDTH),
        )
        self.addWidget(self.no_data)
        self.addWidget(self.parts)
        self.no_data.primary.connect(self.table_wanted)
        self.no_data.secondary.connect(self._aggregate_only)
        self.unasked.no_column.primary.connect(self.choose_column)
        self.unasked.no_column.secondary.connect(question.plan_survey)
        self.unasked.no_answers.secondary.connect(self._go_on_without)

    def show_what_is_there(self, *, anything: bool, planning: bool, answers: bool) -> None:
        """Show what there is something to show in.

        Parameters
        ----------
        anything
            Whether there is a table, a plan or an estimate.
        planning
            Whether a survey is planned, of which answers are typed and no column is chosen.
        answers
            Whether something is known of what is asked.
        """
        self.setCurrentWidget(self.parts if anything else self.no_data)
        self.unasked.setCurrentIndex(int(planning))
        self.answers.setCurrentIndex(_ASKED if answers else _UNASKED)

    def show_question(self) -> None:
        """Show where something is asked, where both parts have no room."""
        self.parts.show_part(_QUESTION_PART)

    def show_page(self, page: QWidget) -> None:
        """Show a page on what is known."""
        self.parts.show_part(_ANSWER_PART)
        self._tabs.setCurrentWidget(page)

    def choose_column(self) -> None:
        """Lead to the columns that can be asked about."""
        self.show_question()
        self._question.column.setFocus()
        self._question.column.showPopup()

    def _aggregate_only(self, _which: int = 0) -> None:
        self.setCurrentWidget(self.parts)
        self.answers.setCurrentIndex(_ASKED)
        self.reports_wanted.emit()

    def _go_on_without(self, which: int) -> None:
        if which:
            self._aggregate_only()
        elif self._document.has_data:
            self.choose_column()
        else:
            self.table_wanted.emit()
