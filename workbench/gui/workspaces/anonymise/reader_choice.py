"""The choice of who gets the file: a first ε for whoever has never heard of it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton, QWidget

from workbench.anonymise.promise import Promise
from workbench.anonymise.readers import Readers
from workbench.gui.widgets.buttons import tool_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.flow import FlowLayout
from workbench.gui.widgets.labels import label


class ReaderChoice(QWidget):
    """Buttons for the usual ε by who reads; that of the present ε is down, none for an ε above them all.

    Signals
    -------
    chosen(float)
        The ε to be typed for these readers.
    """

    chosen = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Who gets the file")
        self._typed: dict[Readers, float] = {}
        line = self._line = FlowLayout(self)
        line.addWidget(label("Read by"))
        self.buttons: dict[Readers, QToolButton] = {}
        for readers in Readers:
            made = tool_button(readers.words, name=f"The file is for {readers.means}", checkable=True)
            made.clicked.connect(lambda _checked=False, readers=readers: self._choose(readers))
            line.addWidget(made)
            self.buttons[readers] = made
        set_explain(self, "anonymise.readers")

    def add_beside(self, part: QWidget) -> None:
        """Give it a place in the same line, where there is room."""
        self._line.addWidget(part)

    def show_promise(self, promised: Promise | None, *, replacing: bool, settable: bool) -> None:
        """Show for whom the promise is usual, and what each choice would make of it."""
        fit = None if promised is None else Readers.fitting(promised, replacing=replacing)
        for readers, button in self.buttons.items():
            typed = 0.0 if promised is None else readers.typed(promised, replacing=replacing)
            self._typed[readers] = typed
            button.setEnabled(settable and typed > 0)
            button.setChecked(readers is fit)
            button.setToolTip("" if promised is None else readers.told(promised, replacing=replacing))

    def _choose(self, readers: Readers) -> None:
        # A press does not decide what is down: that follows from the ε in force.
        button = self.buttons[readers]
        button.setChecked(not button.isChecked())
        self.chosen.emit(self._typed[readers])
