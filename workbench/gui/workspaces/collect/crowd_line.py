"""The people who are asked, and what they give away: the first thing to know of a collection, above everything else."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.labels import label
from workbench.session.collection.decision import crowd, gives_away
from workbench.session.collection.results import Asked

_ROWS = (
    "As many as the table has. Who has no value reports only where taking part is hidden; else fewer answer than is "
    "predicted for, and errors are a little larger. Type how many will answer, if you know."
)


class CrowdLine(QWidget):
    """People first: how many, how often each reports, and the ε of a person.

    Signals
    -------
    often_wanted()
        The person wants to say how often each of those asked reports.
    """

    often_wanted = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.people = label(heading=1, wrap=True)
        self.price = label(strong=True, wrap=True)
        self.once = push_button("Let each report once", self._once, name="Let each person report once", quiet=True)
        self.often = push_button("Reports each…", self.often_wanted, name="How often each person reports", quiet=True)
        self.often.setToolTip("As often as a person may have rows, which is said in Data")
        row = boxes.row((self.price, 1), self.once, self.often, spacing="s")
        self.valueless = label(small=True, muted=True, wrap=True)
        self.valueless.hide()
        boxes.column(self.people, self.valueless, row, spacing=0, inside=self)
        # What is below keeps its place when it is known who is asked: an empty label is lower than a line.
        for words in (self.people, self.price):
            words.setText("\u00a0")
        self.keep_room(True)
        self.hide()

    def show_asked(self, asked: Asked | None) -> None:
        """Show who is asked."""
        if asked is None:
            self.hide()
            return
        given = gives_away(asked.epsilon)
        self.people.setText(crowd(asked))
        desk = self._document.session.collection
        counted = desk.answerable and desk.settings.users is None
        self.people.setToolTip(_ROWS if counted else "")
        self.price.setText(given.figure)
        set_look(self.price, tone=given.tone or "none")
        self.once.setVisible(bool(self._document.session.collection.person) and asked.reports_per_person > 1)
        self.often.setVisible(self._document.session.collection.answerable)
        self.show()

    def keep_room(self, keep: bool) -> None:
        """Whether its room is kept while it is not known who is asked."""
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(keep)
        self.setSizePolicy(policy)

    def follow(self, there: bool) -> None:
        """Hide where nothing is asked; else say before the number is there what is counted by it, so nothing moves."""
        words = self._document.session.collection.valueless if there else ""
        self.valueless.setText(words)
        self.valueless.setVisible(bool(words))
        if not there:
            self.hide()

    def _once(self) -> None:
        self._document.apply(
            "One report per person", lambda session: session.collection.change(one_report_per_person=True)
        )
