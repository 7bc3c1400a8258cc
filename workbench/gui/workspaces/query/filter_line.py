"""The rows a question is about, said where it cannot scroll out of sight: a filter stays with the next question."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain


class FilterLine(QFrame):
    """The filter in force, and the way to ask of all rows; hidden while there is none.

    Signals
    -------
    all_wanted()
        The person wants to ask of all rows.
    """

    all_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("message", "info")
        self.words = ElidedLabel(strong=True, small=True)
        self.all_rows = push_button("All rows", self.all_wanted, quiet=True)
        self.all_rows.setToolTip("Leave the filter out")
        self.setMinimumHeight(tokens.CONTROL_HEIGHT)
        boxes.row((self.words, 1), self.all_rows, margins="s 0 s 0", spacing="s", inside=self)
        set_explain(self, "query.where")
        self.hide()

    def show_filter(self, where: str) -> None:
        """Show a filter; nothing for none."""
        plain = " ".join(where.split())
        self.words.set_text(f"Only where {plain}")
        self.setVisible(bool(plain))
