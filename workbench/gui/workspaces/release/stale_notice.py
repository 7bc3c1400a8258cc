"""Says on every page that what it shows belongs to other settings than those that stand."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget

from workbench.gui.theme import set_look


class StaleNotice(QLabel):
    """There only while the result is out of date."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(
            "The settings were changed after the last run. What is shown here is about that run and its settings. "
            "Run again in Anonymise to export."
        )
        self.setWordWrap(True)
        set_look(self, tone="warning")
        self.hide()

    def show_current(self, current: bool) -> None:
        """Say it unless the result is current."""
        self.setHidden(current)
