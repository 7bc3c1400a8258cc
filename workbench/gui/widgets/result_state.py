"""One line that says whose result is shown: none yet, that of these settings, or an old one; and what it is."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from workbench.gui import tokens
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.status import Status, status_icon


class ResultState(QFrame):
    """A line of constant height, so that nothing below it jumps.

    Parameters
    ----------
    action
        What the button says; by default "Run again".
    low
        Whether it stands in a line with other things, no higher than they are.

    Signals
    -------
    run_requested()
        The person wants a new result.
    """

    run_requested = Signal()

    def __init__(self, action: str = "", parent: QWidget | None = None, *, low: bool = False) -> None:
        super().__init__(parent)
        self._icon = IconLabel(status_icon(Status.INFO), tokens.ICON, "muted")
        self._words = label(wrap=True, small=low)
        self._action, self._named = action or "Run again", action or "Run again with the settings as they stand"
        self.again = push_button(
            self._action,
            self.run_requested,
            name=self._named,
            quiet=low,  # in a low line a frame would be cut
        )
        row = self._row = QHBoxLayout()
        row.setSpacing(tokens.SPACE_S)
        row.addWidget(self._icon)
        row.addWidget(self._words, 1)
        row.addWidget(self.again)
        layout = QVBoxLayout(self)
        edge = 0 if low else tokens.SPACE_XS
        layout.setContentsMargins(tokens.SPACE_S, edge, tokens.SPACE_XS, edge)
        layout.setSpacing(0)
        layout.addLayout(row)
        self.setMinimumHeight(tokens.CONTROL_HEIGHT + 2 * edge)
        self.show_state(Status.NEUTRAL, "")

    def add_mark(self, mark: QWidget) -> None:
        """Put a badge at the right of the words, left of the button if that is there."""
        self._row.insertWidget(self._row.indexOf(self.again), mark)

    @property
    def text(self) -> str:
        return self._words.text()

    def show_state(self, status: Status, text: str, *, offer_run: bool = False, action: str = "") -> None:
        """Say how things stand; anything but neutral and success stands out by its ground.

        Parameters
        ----------
        offer_run
            Whether the button is there.
        action
            What it says now, where that is something else.
        """
        loud = status not in (Status.NEUTRAL, Status.SUCCESS)
        self._icon.set_icon(
            status_icon(Status.INFO if status is Status.NEUTRAL else status),
            "muted" if status is Status.NEUTRAL else status.value,
        )
        self._words.setText(text)
        self.again.setText(action or self._action)
        self.again.setAccessibleName(action or self._named)
        self.again.setVisible(offer_run)
        self.setAccessibleName(text)
        self.setProperty("message", status.value if loud else None)
        self.style().unpolish(self)
        self.style().polish(self)
