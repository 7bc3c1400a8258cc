"""The dialogs of the data room: how the file is read, what differs from the project, its values, its problem lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from workbench.core.schema import Kind
from workbench.engines.choice import EngineChoice
from workbench.gui.document import Document
from workbench.gui.engines import unlisted
from workbench.gui.workspaces.data.differences import DifferencesDialog
from workbench.gui.workspaces.data.import_preview import ImportPreview
from workbench.gui.workspaces.data.problems import ProblemsDialog
from workbench.gui.workspaces.data.values_dialog import ValuesDialog
from workbench.io.column_troubles import ColumnTrouble
from workbench.io.dialect import Dialect


class DataDialogs(QObject):
    """Opens them over the room; `values` is the one that stands beside the table, if it is open.

    Signals
    -------
    picked(str, str)
        A column, and the value of it whose rows alone are to be shown in the table.
    """

    picked = Signal(str, str)

    def __init__(self, document: Document, room: QWidget) -> None:
        super().__init__(room)
        self._document, self._room = document, room
        self.values: ValuesDialog | None = None

    def show_options(self) -> ImportPreview:
        """Show how the file is read, and let the person change it."""
        reading = self._document.session.data.reading
        dialog = ImportPreview(reading.path, reading.dialect, self._document, self._room, again=True)
        # The file that was looked at: by then another one may be open, or none.
        dialog.applied.connect(partial(self._open_as, reading.path))
        dialog.open()
        return dialog

    def _open_as(
        self,
        path: Path,
        dialect: Dialect,
        strict: bool,
        engine: EngineChoice,
        kinds: Mapping[str, Kind],
        mended: Sequence[ColumnTrouble],
    ) -> None:
        self._document.open_data(path, dialect, strict=strict, engine=engine, kinds=kinds, mended=mended)

    def show_differences(self) -> DifferencesDialog:
        """List how the file differs from what the project described."""
        name = self._document.session.data.reading.path.name
        dialog = DifferencesDialog(self._document.told_differences, name, self._room)
        dialog.open()
        return dialog

    def show_problems(self) -> ProblemsDialog:
        """Show the lines with problems; what stands in them only after a look."""
        dialog = ProblemsDialog(self._document.session.data.reading, self._room, looked=self._document.looked)
        dialog.open()
        return dialog

    def show_values(self, name: str, misfits: bool = False) -> ValuesDialog | None:
        """Show the distinct values of a column beside the table, or only those that do not fit its kind.

        None if the engine that has the data does not list them; the person has been told why.
        """
        self.close_values()
        document = self._document
        table = document.session.data.reading.table
        why = unlisted(table, name)
        if why:
            document.noted.emit("info", why)
            return None
        spec = document.project.schema[name]
        dialog = ValuesDialog(table[name], spec, document.runner, self._room, misfits=misfits)
        dialog.picked.connect(self.picked)
        dialog.finished.connect(self._forget_values)
        self.values = dialog
        dialog.show()
        return dialog

    def close_values(self) -> None:
        """Close the list of values: it is of a table that is no longer open."""
        if self.values is not None:
            self.values.close()

    def _forget_values(self, _result: int) -> None:
        self.values = None
