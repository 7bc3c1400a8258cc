"""What a release is likely to be good for, said beside the button before ε is spent, and what would help."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import Treatment
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label, on_button
from workbench.session import Session
from workbench.session.release.outlook import Outlook
from workbench.session.release.steps import LevelSource

_OFFERS = 2
_Offer = tuple[str, Callable[[Session], object]]


class OutlookBar(QWidget):
    """A sentence of public facts alone, and buttons that change what it says.

    Signals
    -------
    rows_requested()
        The person wants to say about how many rows there are.
    """

    rows_requested = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._offers: list[_Offer] = []
        self.words = label(small=True, wrap=True)
        self.buttons: list[QPushButton] = [
            push_button(name=f"Remedy {place + 1}", explain="anonymise.forecast", quiet=True)
            for place in range(_OFFERS)
        ]
        self.rows = push_button(
            "Expected rows…",
            self.rows_requested,
            name="Say about how many rows there are",
            explain="anonymise.expected_rows",
            quiet=True,
        )
        for place, button in enumerate(self.buttons):
            button.clicked.connect(lambda _checked=False, place=place: self._take(place))
        set_explain(self, "anonymise.forecast")
        boxes.column(self.words, boxes.row(*self.buttons, self.rows, 1, spacing="s"), spacing="xs", inside=self)

    def show_outlook(self, found: Outlook | None) -> None:
        """Show what is expected; nothing where nothing is known."""
        self._offers = [] if found is None else self._helps(found)[:_OFFERS]
        self.words.setText("" if found is None else found.words)
        set_look(self.words, tone="warning" if found is not None and found.wanting else "none")
        for place, button in enumerate(self.buttons):
            offered = place < len(self._offers)
            button.setVisible(offered)
            if offered:
                button.setText(on_button(self._offers[place][0]))
                button.setAccessibleName(self._offers[place][0])
        self.rows.setVisible(found is not None and not found.typed)
        self.setVisible(found is not None)

    def _helps(self, found: Outlook) -> list[_Offer]:
        steps = self._document.session.release.steps
        if found.wanting and steps.source is not LevelSource.BALANCED:
            return [("In steps (recommended)", lambda session: session.release.steps.set_source(LevelSource.BALANCED))]
        spoken = [name for name in found.widest if name not in found.silent]
        helps: list[_Offer] = []
        if steps.source is LevelSource.BALANCED:
            kept = next((name for name in found.starred if steps.importance(name) is Importance.NORMAL), "")
            if kept and found.wanting:
                helps.append((f"Keep {kept}", partial(_keep, kept)))
        spare = [name for name in spoken if steps.importance(name) is not Importance.KEEP and found.wanting]
        drop = next(iter((*found.silent, *spare)), "")
        if drop and len(spoken) > 1:
            helps.append((f"Leave {drop} out", partial(_leave_out, drop)))
        return helps

    def _take(self, place: int) -> None:
        if place < len(self._offers):
            words, edit = self._offers[place]
            self._document.apply(words, edit)


def _keep(name: str, session: Session) -> None:
    session.release.steps.set_importance(name, Importance.KEEP)


def _leave_out(name: str, session: Session) -> None:
    session.release.columns.set_treatment(name, Treatment.LEAVE_OUT)
    session.release.steps.mend()
