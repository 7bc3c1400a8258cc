"""One line that says whose result is shown: none yet, that of these settings, or an old one; and what it is."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.gui import tokens
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
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
        self.again = push_button(
            action or "Run again", self.run_requested, name=action or "Run again with the settings as they stand"
        )
        row = self._row = QHBoxLayout()
        row.setSpacing(tokens.SPACE_S)
        row.addWidget(self._icon)
        row.addWidget(self._words, 1)
        row.addWidget(self.again)
        layout = self._lines = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_S, tokens.SPACE_XS, tokens.SPACE_XS, tokens.SPACE_XS)
        layout.setSpacing(0)
        layout.addLayout(row)
        self._below: QHBoxLayout | None = None
        self._detail: ElidedLabel | None = None
        self.setMinimumHeight(tokens.CONTROL_HEIGHT + 2 * tokens.SPACE_XS)
        self.show_state(Status.NEUTRAL, "")

    def add_mark(self, mark: QWidget) -> None:
        """Put a badge at the right of the words, left of the button if that is there; a detail needs its line."""
        if self._below is not None:
            self._row.addWidget(mark)
        else:
            self._row.insertWidget(self._row.indexOf(self.again), mark)

    def add_detail(self, button: QPushButton) -> None:
        """Leave the first line to the words alone; a second one has room for a detail and this button."""
        self._detail = ElidedLabel(muted=True)
        below = self._below = QHBoxLayout()
        below.setSpacing(tokens.SPACE_S)
        below.addSpacing(tokens.ICON + tokens.SPACE_S)
        below.addWidget(self._detail, 1)
        below.addWidget(button)
        below.addWidget(self.again)
        self._lines.addLayout(below)

    @property
    def text(self) -> str:
        return self._words.text()

    @property
    def detail(self) -> str:
        """The second line, "" if there is none."""
        return self._detail.full_text if self._detail is not None else ""

    def show_state(self, status: Status, text: str, detail: str = "", *, offer_run: bool = False) -> None:
        """Say how things stand; anything but neutral and success stands out by its ground."""
        if self._detail is not None:
            self._detail.set_text(detail)
        loud = status not in (Status.NEUTRAL, Status.SUCCESS)
        self._icon.set_icon(
            status_icon(Status.INFO if status is Status.NEUTRAL else status),
            "muted" if status is Status.NEUTRAL else status.value,
        )
        self._words.setText(text)
        self.again.setVisible(offer_run)
        self.setAccessibleName(f"{text} {detail}".strip())
        self.setProperty("message", status.value if loud else None)
        self.style().unpolish(self)
        self.style().polish(self)
