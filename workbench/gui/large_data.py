"""The question before data is opened that is larger than the memory it may use."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from workbench.core.progress import Progress
from workbench.engines.choice import DUCKDB, EngineChoice
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.engine_dialog import EngineDialog
from workbench.gui.engines import missing_package, too_large
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.io.parts import parts_of


@dataclass(frozen=True)
class DataSize:
    """The size of data before it is read.

    Parameters
    ----------
    size, parts
        Bytes in all, and files.
    """

    size: int
    parts: int


def weigh(path: Path, progress: Progress) -> DataSize:
    """The bytes of a file, a folder of parts, or what a pattern names; for any thread.

    Raises
    ------
    WorkbenchError
        If a folder or pattern stands for no file.
    """
    parts = parts_of(path, progress)
    return DataSize(sum(part.stat().st_size for part in parts if part.exists()), len(parts))


class LargeData(QDialog):
    """Offers DuckDB for data that is larger than the memory it may use.

    Signals
    -------
    chosen(object)
        The `EngineChoice` to open it with.
    """

    chosen = Signal(object)

    def __init__(self, path: Path, size: DataSize, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._size, self._document = size, document
        self.setWindowTitle(f"Open {path.name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "engine.choice")
        self.words = label(wrap=True, strong=True)
        self.why = label(
            (
                "DuckDB keeps the rows in a private folder on this computer and brings into memory only what is "
                "needed. In memory, a table usually takes less room than its file, but it may not fit."
            ),
            wrap=True,
        )
        self.missing = label(missing_package(EngineChoice(DUCKDB)), wrap=True, selectable=True, tone="warning")
        self.missing.setVisible(bool(self.missing.text()))
        self.budget = push_button("Change the &budget…", name="Change the memory budget", quiet=True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.duckdb = self.buttons.addButton("Open with &DuckDB", QDialogButtonBox.ButtonRole.AcceptRole)
        self.memory = self.buttons.addButton("Open in &memory", QDialogButtonBox.ButtonRole.ActionRole)
        self.duckdb.clicked.connect(self._with_duckdb)
        self.memory.clicked.connect(self._in_memory)
        self.budget.clicked.connect(self.change_budget)
        self.buttons.rejected.connect(self.reject)
        layout = boxes.column(
            self.words,
            self.why,
            self.missing,
            (self.budget, Qt.AlignmentFlag.AlignLeft),
            1,
            self.buttons,
            margins="l",
            spacing="m",
            inside=self,
        )
        self.setMinimumWidth(2 * tokens.EXPLAIN_WIDTH)
        self._judge()
        width = self.minimumWidth()
        self.resize(width, layout.totalHeightForWidth(width))

    def change_budget(self) -> EngineDialog:
        """Let the person say how much memory data may use."""
        dialog = EngineDialog(self._document, self)
        dialog.accepted.connect(self._judge)
        dialog.open()
        dialog.budget.setFocus()
        return dialog

    def _judge(self) -> None:
        limit = self._document.engines.limit
        fits = self._size.size <= limit
        words = "It fits the memory that may be used now."
        self.words.setText(words if fits else too_large(self._size.size, limit, parts=self._size.parts > 1))
        can = not self.missing.text()
        self.duckdb.setEnabled(can)
        best = self.memory if fits or not can else self.duckdb
        for button in (self.memory, self.duckdb):
            set_look(button, primary=button is best)
            button.setDefault(button is best)
        best.setFocus()

    def _with_duckdb(self) -> None:
        self._choose(EngineChoice(DUCKDB))

    def _in_memory(self) -> None:
        self._choose(EngineChoice())

    def _choose(self, engine: EngineChoice) -> None:
        # First: who hears of it may ask the person something, and meanwhile a closed window is taken down.
        self.accept()
        self.chosen.emit(engine)
