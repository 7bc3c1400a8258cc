"""Drawn and released: everything the ledger of the data knows, and the statement on each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QStackedWidget, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.save_place import ask_at
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.release.history import HistorySection
from workbench.gui.workspaces.release.statement_view import StatementView
from workbench.io.atomic import atomic_write
from workbench.query.ledger import LedgerEntry
from workbench.session.ledger_statement import StatementText, statement_of


class ReleasedPage(QStackedWidget):
    """The ledger above, the statement on the chosen entry below."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._entries: tuple[LedgerEntry, ...] = ()
        self._twice, self._rows = "", 1
        self._shown: StatementText | None = None
        self.empty = EmptyState(
            "release",
            "Nothing has left yet",
            (
                "Files, answers to questions and perturbed reports of this data are listed here, each with a statement "
                "that may be published, and with what all of them cost together."
            ),
            "Go to Query",
        )
        self.history = HistorySection()
        self.history.chosen.connect(self._show)
        self.view = StatementView()
        set_explain(self.view, "release.certificate")
        self.save = push_button("Save statement…", self.save_statement, quiet=True)
        statement = Section("Statement", "May be published with what was released.")
        statement.add_action(self.save)
        statement.add(self.view, 1)
        page = boxes.boxed(boxes.column(self.history, (statement, 1), margins="xl l xl xl", spacing="xl"))
        self.addWidget(self.empty)
        self.addWidget(page)

    def show_entries(self, entries: Sequence[LedgerEntry]) -> None:
        """Show what the ledger knows, oldest first in `entries`, newest first on the screen."""
        found = tuple(entries)
        self.setCurrentIndex(1 if found else 0)
        standing = self._document.session.standing if found else None
        twice, rows = ("", 1) if standing is None else (standing.twice, standing.spent.rows_per_person)
        if (found, twice, rows) == (self._entries, self._twice, self._rows):
            if found:
                self._show(max(self.history.current, 0))
            return
        chosen = self.history.current if len(found) == len(self._entries) else 0
        self._entries, self._twice, self._rows = found, twice, rows
        self.history.show_entries(found, twice, rows)
        if found:
            self.history.choose(max(chosen, 0))
            self._show(max(chosen, 0))

    def _show(self, line: int) -> None:
        if not 0 <= line < len(self._entries):
            return
        try:
            self._shown = statement_of(self._document.session, self._entries[-1 - line])
        except WorkbenchError as error:
            self._document.failed.emit(error)
            return
        self.view.show_body(self._shown.body)

    def save_statement(self) -> None:
        """Ask where to, and write the statement that is shown."""
        if self._shown is None:
            return
        chosen, _ = ask_at(self, "Save statement", Path.home() / "statement.html", "HTML (*.html)")
        if not chosen:
            return
        path, page, protected = Path(chosen), self._shown.page, self._document.session.ledger.protected

        def work(_progress: Progress) -> Path:
            with atomic_write(path, protected=protected) as stream:
                stream.write(page.encode())
            return path

        self._document.runner.start(f"Writing {path.name}", work, on_done=self._saved, keep_late_result=True)

    def _saved(self, path: Path) -> None:
        self._document.noted.emit("success", f"The statement was written to {path.name}.")
