"""Who is asked and what they give away: the first thing to know of a collection, above everything else."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.labels import label
from workbench.ldp.persons import person_column
from workbench.session.collection.decision import crowd, gives_away
from workbench.session.collection.results import Asked


class CrowdLine(QWidget):
    """People first: how many, how often each reports, and the ε of a person."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.people = label(heading=1, wrap=True)
        self.price = label(strong=True, wrap=True)
        self.once = push_button("Let each report once", self._once, name="Let each person report once", quiet=True)
        boxes.column(self.people, boxes.row((self.price, 1), self.once, spacing="s"), spacing=0, inside=self)
        self.hide()

    def show_asked(self, asked: Asked | None) -> None:
        """Show who is asked."""
        if asked is None:
            self.hide()
            return
        given = gives_away(asked.epsilon)
        self.people.setText(crowd(asked))
        self.price.setText(given.figure)
        set_look(self.price, tone=given.tone or "none")
        session = self._document.session
        named = self._document.has_data and person_column(session.project.schema, session.data.reading.table)
        self.once.setVisible(bool(named) and asked.reports_per_person > 1)
        self.show()

    def follow(self, there: bool) -> None:
        """Hide where nothing is asked."""
        if not there:
            self.hide()

    def _once(self) -> None:
        self._document.apply(
            "One report per person", lambda session: session.collection.change(one_report_per_person=True)
        )
