"""The question whether the draw was chosen among several: two answers, each with what is claimed then."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QRadioButton, QWidget

from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.session.release.draw_choice import DrawChoice


class DrawChoiceView(QWidget):
    """There only while there is something the draw could have been chosen by.

    Signals
    -------
    chosen(bool)
        The person says whether it was chosen among several.
    """

    chosen = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_explain(self, "release.chosen")
        self.together, self.alone = QRadioButton(), QRadioButton()
        self.why = label(small=True, wrap=True)
        set_look(self.why, tone="warning")
        boxes.column(self.together, self.alone, self.why, spacing="xs", inside=self)
        for button, chosen in ((self.together, True), (self.alone, False)):
            button.clicked.connect(partial(self._tell, chosen))
        self.hide()

    def show_choice(self, choice: DrawChoice | None) -> None:
        """Show what can be said, and what is."""
        self.setHidden(choice is None)
        if choice is None:
            return
        for button, words in ((self.together, choice.together), (self.alone, choice.alone)):
            button.setText(words)
            button.setAccessibleName(words)
        (self.together if choice.chosen else self.alone).setChecked(True)
        self.together.setEnabled(not choice.refusal)
        self.why.setText(f"Nothing can be claimed for all of them together: {choice.refusal}.")
        self.why.setHidden(not choice.refusal)

    def _tell(self, chosen: bool, _checked: bool = False) -> None:
        self.chosen.emit(chosen)
