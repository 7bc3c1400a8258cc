"""What a release is likely to be good for, said beside the button before ε is spent, and what would help."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label, on_button
from workbench.session.release.outlook import Outlook
from workbench.session.release.remedies import OutlookRemedy

_OFFERS = 2
_LINES = 3
"""Lines that are kept for the sentences."""


class OutlookBar(QWidget):
    """How many rows are expected, a sentence of public facts alone, and buttons that make it better.

    Parameters
    ----------
    rows
        The field of the number of rows, which whoever makes the bar keeps up to date.

    Signals
    -------
    reach_requested(str)
        What helps is to be said in the control of the room that has this name.
    """

    reach_requested = Signal(str)

    def __init__(self, document: Document, rows: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._offers: Sequence[OutlookRemedy] = ()
        self.rows = rows
        self.asked = label("Rows you expect")
        self.asked.setBuddy(rows)
        self.words = label(small=True, wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.words.ensurePolished()
        self.words.setMinimumHeight(_LINES * self.words.fontMetrics().lineSpacing())  # nothing moves as it changes
        self.buttons: list[QPushButton] = [
            push_button(name=f"Remedy {place + 1}", explain="anonymise.forecast", quiet=True)
            for place in range(_OFFERS)
        ]
        for place, button in enumerate(self.buttons):
            button.clicked.connect(lambda _checked=False, place=place: self._take(place))
        set_explain(self, "anonymise.forecast")
        keeps = self.buttons[0].sizePolicy()
        keeps.setRetainSizeWhenHidden(True)  # nothing above moves when advice comes or goes
        self.buttons[0].setSizePolicy(keeps)
        boxes.column(
            boxes.row(self.asked, (rows, 1), spacing="s"),
            self.words,
            boxes.row(*self.buttons, 1, spacing="s"),
            spacing="xs",
            inside=self,
        )

    def show_outlook(self, found: Outlook | None, offers: Sequence[OutlookRemedy] = (), *, asks: bool = True) -> None:
        """Show what is expected, nothing where nothing is known; `asks` whether anything depends on how many rows."""
        self._offers = offers[:_OFFERS]
        self.words.setText("" if found is None else f"{found.words} {found.vanishing}")
        self.words.setVisible(found is not None)
        set_look(self.words, tone="warning" if found is not None and found.typed and found.wanting else "none")
        for place, button in enumerate(self.buttons):
            offered = found is not None and place < len(self._offers)
            button.setVisible(offered)
            if offered:
                button.setText(on_button(self._offers[place].words))
                button.setAccessibleName(self._offers[place].words)
        for part in (self.asked, self.rows):
            part.setVisible(asks)
        self.setVisible(asks or found is not None)

    def _take(self, place: int) -> None:
        if place < len(self._offers):
            chosen = self._offers[place]
            if chosen.edit is None:
                self.reach_requested.emit(chosen.field)
            else:
                self._document.apply(chosen.words, chosen.edit)
