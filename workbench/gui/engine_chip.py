"""A button in the bottom strip that says which engine has the data."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QWidget

from workbench.engines.budget import in_words
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.widgets.explain import set_explain


class EngineChip(QPushButton):
    """Shows itself while the rows are in an engine rather than in memory. Pressed, it leads to where that is chosen."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.setIcon(icon("data", "link"))
        set_look(self, quiet=True)
        set_explain(self, "engine.chip")
        document.changed.connect(self._on_changed)
        document.engines.limit_changed.connect(self.refresh)
        self.hide()

    def refresh(self) -> None:
        """Show the engine the data is in now."""
        document = self._document
        engine = document.engine
        in_engine = document.has_data and not document.session.data.reading.table.in_memory
        self.setVisible(in_engine)
        if not in_engine:
            return
        self.setText(f"Spark {engine.name}" if engine.spark else engine.title)
        self.setToolTip(
            f"The rows are in {engine.title}, and only what is needed is brought into memory: up to "
            f"{in_words(document.engines.limit)}. Click to "
            "change that."
        )
        self.setAccessibleName(f"Data engine: {engine.title}")
        self.setAccessibleDescription(self.toolTip())

    def _on_changed(self, section: str) -> None:
        if section in ("data", "file"):
            self.refresh()
