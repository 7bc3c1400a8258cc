"""One line that says whose result is shown: none yet, that of these settings, or an old one."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from workbench.gui import tokens
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.status import Status, status_icon


class ResultState(QFrame):
    """A line of constant height, so that nothing below it jumps.

    Parameters
    ----------
    action
        What the button says; by default "Run again".

    Signals
    -------
    run_requested()
        The person wants the result to be made anew.
    """

    run_requested = Signal()

    def __init__(self, action: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = IconLabel(status_icon(Status.INFO), tokens.ICON, "muted")
        self._words = label(wrap=True)
        self.again = QPushButton(action or self.tr("Run again"))
        self.again.setAccessibleName(action or self.tr("Run again with the settings as they stand"))
        self.again.clicked.connect(self.run_requested)
        layout = self._row = QHBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_S, tokens.SPACE_XS, tokens.SPACE_XS, tokens.SPACE_XS)
        layout.setSpacing(tokens.SPACE_S)
        layout.addWidget(self._icon)
        layout.addWidget(self._words, 1)
        layout.addWidget(self.again)
        self.setMinimumHeight(tokens.CONTROL_HEIGHT + 2 * tokens.SPACE_XS)
        self.show_state(Status.NEUTRAL, "")

    def add_mark(self, mark: QWidget) -> None:
        """Put a badge at the right of the words."""
        self._row.insertWidget(2, mark)

    @property
    def text(self) -> str:
        return self._words.text()

    def show_state(self, status: Status, text: str, *, offer_run: bool = False) -> None:
        """Say how things stand; anything but neutral and success stands out by its ground."""
        loud = status not in (Status.NEUTRAL, Status.SUCCESS)
        self._icon.set_icon(
            status_icon(Status.INFO if status is Status.NEUTRAL else status),
            "muted" if status is Status.NEUTRAL else status.value,
        )
        self._words.setText(text)
        self.again.setVisible(offer_run)
        self.setAccessibleName(text)
        self.setProperty("message", status.value if loud else None)
        self.style().unpolish(self)
        self.style().polish(self)
