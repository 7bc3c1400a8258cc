"""The words of the room before anything is asked."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget

from workbench.gui.widgets import boxes
from workbench.gui.widgets.empty_state import EmptyState


def no_data() -> EmptyState:
    """No table is open, and no survey is planned."""
    return EmptyState(
        "collect",
        "No table is open",
        (
            "Plan a survey in which everybody adds noise to their own answer: predict the error of every protocol, "
            "then try it on a table of yours. Files of reports can be aggregated without one."
        ),
        "Open a file…",
        ("Aggregate reports…",),
    )


class Unasked(QStackedWidget):
    """Beside the question: that a column is to be chosen, or answers are to be typed.

    Each in a scroll area of its own: its text has a fixed width, which must not keep both parts from being seen.
    """

    def __init__(self) -> None:
        super().__init__()
        self.no_column = EmptyState(
            "collect",
            "What do you want to ask?",
            "Choose the column that holds the answers, or plan a survey without one. This shows how well each protocol "
            "would do.",
            "Choose a column",
            ("Plan a survey",),
        )
        self.no_answers = EmptyState(
            "collect",
            "Which answers are possible?",
            "Type them, and how many people you ask. This shows how well each protocol does.",
            "",
            ("Ask about a table…", "Aggregate reports…"),
        )
        for page in (self.no_column, self.no_answers):
            self.addWidget(boxes.scrolled(page))
