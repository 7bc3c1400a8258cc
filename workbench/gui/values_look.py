"""Stands where the values of the data would be seen, says what seeing them costs, and takes the look."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.gui.document import Document
from workbench.gui.look_question import LookQuestion
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.labels import label
from workbench.session.looking import LATER, AtStake

VALUES = "values"
"""Kind of look in the record of a look."""

LOOK_FIRST = "Look at the values first: the button says what that costs."
_COSTS = "Counts and ranges are hidden: seeing them weakens your promise."
_TAKEN = f"The look is recorded. From now on {LATER}"


class _Values:
    """The look at the values of the table itself."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @property
    def looked(self) -> bool:
        return self._document.looked

    @property
    def at_stake(self) -> AtStake:
        return self._document.session.looks.at_stake

    def look(self, *, publish: bool = False, lasting: bool = False) -> None:
        self._document.session.looks.take(VALUES, publish=publish, lasting=lasting)


class ValuesLook(QWidget):
    """A few words and the button; hidden once a look at the data is recorded, from whichever room.

    It cannot be taken back, so it asks before it takes the look, and what becomes of a draw that would lose its claim.

    Signals
    -------
    looked()
        The values may be shown.
    """

    looked = Signal()

    def __init__(self, document: Document, what: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._desk, self._waits = _Values(document), False
        self.question = LookQuestion(document, "show them", desk=lambda: self._desk)
        self.words = label(_COSTS, wrap=True, small=True, muted=True)
        # Not what is due: quiet, and it asks first.
        self.look = push_button(
            "&Look at the values…", self._look, name="Look at the values", explain="data.look", quiet=True, inline=True
        )
        self.look.setToolTip(f"Shows {what}. From then on {LATER}")
        self._offer = boxes.boxed(boxes.column(self.words, boxes.row(self.look, 1), spacing="s"))
        boxes.column(self._offer, self.question, spacing=0, inside=self)
        self.question.agreed.connect(self._tell)
        self.question.closed.connect(self._offer.show)
        document.changed.connect(self._follow)
        if not self._wanted:
            self.hide()  # and not shown otherwise: before it has a place it would be a window

    @property
    def _wanted(self) -> bool:
        return self._document.has_data and not self._document.looked and not self._waits

    def wait(self, waits: bool) -> None:
        """Offer nothing while another question is open, for whose answer no value matters."""
        if waits != self._waits:
            self._waits = waits
            self.setVisible(self._wanted)

    def _follow(self, section: str) -> None:
        if section in ("data", "file", "ledger"):
            self.question.follow()
            self.setVisible(self._wanted)

    def _tell(self) -> None:
        self._document.noted.emit("info", _TAKEN)
        self.looked.emit()

    def _look(self) -> None:
        self._offer.hide()
        self.question.ask()
