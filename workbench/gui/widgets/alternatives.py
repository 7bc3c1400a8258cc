"""One of a few short words, all of them in view: what is chosen decides what the fields below are about."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QToolButton, QWidget

from workbench.gui.widgets import boxes


class Alternatives(QWidget):
    """A row of buttons of which one is pressed.

    Parameters
    ----------
    name
        What is chosen, for screen readers.
    choices
        The words and what each stands for.

    Signals
    -------
    chosen(object)
        The person chose another one.
    """

    chosen = Signal(object)

    def __init__(self, name: str, choices: Sequence[tuple[str, object]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._values = [value for _, value in choices]
        self._group = QButtonGroup(self)
        self.buttons: list[QToolButton] = []
        layout = boxes.row(spacing="xs", inside=self)
        for place, (words, _) in enumerate(choices):
            button = QToolButton()
            button.setText(words)
            button.setAccessibleName(f"{name}: {words}")
            button.setCheckable(True)
            self._group.addButton(button, place)
            layout.addWidget(button)
            self.buttons.append(button)
        layout.addStretch(1)
        self._group.idClicked.connect(self._tell)
        self.show_chosen(self._values[0])

    @property
    def value(self) -> object:
        """What is chosen."""
        return self._values[self._group.checkedId()]

    def show_chosen(self, value: object) -> None:
        """Show what is chosen, without telling."""
        for button, one in zip(self.buttons, self._values, strict=True):
            button.setChecked(one == value)
            # Tab stops at the chosen one; the arrows go on from it.
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if one == value else Qt.FocusPolicy.ClickFocus)

    def _tell(self, place: int) -> None:
        self.show_chosen(self._values[place])
        self.chosen.emit(self._values[place])
