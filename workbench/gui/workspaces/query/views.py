"""The views of a question: what to expect of it, its answer, the batch and what it comes to in simulations."""

from __future__ import annotations

from PySide6.QtWidgets import QTabWidget, QWidget

from workbench.gui.document import Document
from workbench.gui.workspaces.query.answer_page import AnswerPage
from workbench.gui.workspaces.query.batch_page import BatchPage
from workbench.gui.workspaces.query.expected_page import ExpectedPage
from workbench.gui.workspaces.query.experiments_page import ExperimentsPage
from workbench.project.query_settings import QuerySettings


class QuestionViews(QTabWidget):
    """Tabs, one a view."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.expected = ExpectedPage(document.runner)
        self.answer = AnswerPage(document)
        self.batch = BatchPage()
        self.experiments = ExperimentsPage(document)
        self.setDocumentMode(True)
        for bar in (self, self.tabBar()):
            bar.setAccessibleName("Views of the question")
        for page, title in (
            (self.expected, "Expected"),
            (self.answer, "Answer"),
            (self.batch, "Batch"),
            (self.experiments, "Experiments"),
        ):
            self.addTab(page, title)

    def show_batch(self, settings: QuerySettings) -> None:
        """Show the batch, and how many questions are in it beside its name."""
        self.batch.show_batch(settings.batch, settings.batch_epsilon)
        count = len(settings.batch)
        self.setTabText(self.indexOf(self.batch), f"Batch ({count})" if count else "Batch")
