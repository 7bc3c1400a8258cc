"""The working table, made off the GUI thread whenever what it depends on has changed."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from workbench.core.errors import WorkbenchError
from workbench.core.working_table import PreparedTable
from workbench.gui.document import Document
from workbench.session.working_table import WorkingTableMade

ROWS_JOB = "data.rows"


class RowsKeeper(QObject):
    """Sees to it that the session has the working table that its settings ask for.

    Attributes
    ----------
    error
        Why it could not be made, such as a value that must not be there; None if nothing is wrong.

    Signals
    -------
    arrived()
        It is there, or cannot be made.
    """

    arrived = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.error: WorkbenchError | None = None
        document.changed.connect(self._on_changed)
        self.refresh()

    @property
    def prepared(self) -> PreparedTable | None:
        """The working table, None while it is being made or if it cannot be."""
        return self._document.session.data.prepared if self._document.has_data else None

    def refresh(self) -> None:
        """Make the working table if it is not there."""
        self.error = None
        if self._document.has_data and self._document.session.data.needs_preparing:
            self._document.runner.start(
                "Choosing rows",
                self._document.session.data.preparer(),
                on_done=self._take,
                on_failed=self._fail,
                key=ROWS_JOB,
                latest_wins=True,
            )
        else:
            self.arrived.emit()

    def _on_changed(self, section: str) -> None:
        if section in ("data", "schema", "rows", "settings"):
            self.refresh()

    def _take(self, made: WorkingTableMade) -> None:
        if self._document.has_data:
            self._document.session.data.accept_prepared(made)
            self.arrived.emit()

    def _fail(self, error: BaseException) -> bool:
        if isinstance(error, WorkbenchError):
            self.error = error
            self.arrived.emit()
            return True
        return False
