"""The hierarchy files that lie beside the table, by their names alone: none is read before somebody attaches it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from workbench.core.first_few import first_few
from workbench.core.progress import Progress
from workbench.core.visible import visible
from workbench.gui.document import Document
from workbench.io.hierarchy_files import matching_hierarchies

BESIDE_JOB = "data.beside"
_NAMED = 4
"""Of so many files the names are told."""


class FilesBeside(QObject):
    """Looks for them whenever a table is opened, or when it is asked to.

    Signals
    -------
    arrived()
        It is known which there are.
    """

    arrived = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._names: tuple[str, ...] = ()
        document.changed.connect(self._on_changed)
        self.look()

    @property
    def words(self) -> str:
        """That there are some, "" where there are none.

        Not how many: which of them are attached depends on the columns that take part, and on what is in them.
        """
        return (
            ("a hierarchy file" if len(self._names) == 1 else "hierarchy files") + " beside it" if self._names else ""
        )

    @property
    def tip(self) -> str:
        """Which they are, and what becomes of them; "" where there are none."""
        if not self._names:
            return ""
        them = "it" if len(self._names) == 1 else "them"
        return f"{first_few(self._names, _NAMED)}: named like the table. Hierarchies attaches {them}, if you want."

    def look(self) -> None:
        """Look for them anew; until then those that were found are told."""
        if not self._document.has_data:
            self._take(())
            return
        reading = self._document.session.data.reading
        self._document.runner.start(
            "Looking beside the table",
            partial(_names_beside, reading.path, reading.table.names),
            on_done=self._take,
            key=BESIDE_JOB,
            latest_wins=True,
        )

    def _on_changed(self, section: str) -> None:
        if section == "data":
            self._take(())  # those of another table are not told of this one
            self.look()

    def _take(self, names: tuple[str, ...]) -> None:
        if names != self._names:
            self._names = names
            self.arrived.emit()


def _names_beside(data: Path, columns: tuple[str, ...], progress: Progress) -> tuple[str, ...]:
    """The names of the files, in the order of the columns."""
    found = matching_hierarchies(data, columns)
    progress(1.0)
    return tuple(visible(file.path.name) for files in found.values() for file in files)
