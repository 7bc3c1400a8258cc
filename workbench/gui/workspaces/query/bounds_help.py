"""The refusal to read bounds from the data, and what gives them instead."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.workspaces.query.kept_bounds import KeptBounds
from workbench.project.model import Project
from workbench.query.relevance import ASKING_BOUNDS

_REFUSED = (
    "Refused: the smallest and largest value belong to somebody, and whatever noise is added later, the bounds would "
    "give them away. Type what is known without this data, or pay for private bounds."
)


class BoundsHelp(QWidget):
    """Buttons below the bounds of a question; what they do is up to the form."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asked: object = None
        self._about: object = None
        self.why = QPushButton("Read bounds from the data?")
        self.why.setAccessibleDescription("Explains why that is refused, and what to do instead")
        self.refusal = QFrame()
        self.refusal.setProperty("message", "warning")
        self.pay = QPushButton("Ask for private bounds")
        self.bought = QPushButton()
        self.bought.setToolTip("They are in the ledger; using them costs nothing more")
        self.keep = KeptBounds()
        self._held: object = None
        self.keep.pressed.connect(self._hold)
        for button in (self.why, self.bought):
            set_look(button, quiet=True, align="left")
            set_explain(button, "query.bounds")
        left = Qt.AlignmentFlag.AlignLeft
        sign = IconLabel("warning", tokens.ICON, "warning")
        words = label(_REFUSED, small=True, wrap=True)
        row = boxes.row((sign, Qt.AlignmentFlag.AlignTop), (words, 1), spacing="s")
        boxes.column(row, (self.pay, left), margins="s", spacing="s", inside=self.refusal)
        self.bought.hide()
        self.refusal.hide()
        offers = [(one, left) for one in (self.keep, self.bought, self.why)]
        boxes.column(*offers, self.refusal, spacing="xs", inside=self)

    def show_project(self, project: Project, *, bounded: bool) -> None:
        """Offer what the question in hand can do with; `bounded` says whether it has bounds."""
        draft = project.queries.draft
        asked = (draft.kind, draft.values)
        if asked != self._asked:
            self._asked = asked
            self.refusal.hide()  # what was refused was asked of another question
        self._about = draft.kind, draft.values.get("column")
        self.keep.show_project(project)
        # What was taken over from another room leaves its line, so that nothing moves under the pointer.
        held = self.keep.isHidden() and self._held == self._about
        room = self.keep.sizePolicy()
        room.setRetainSizeWhenHidden(held)
        self.keep.setSizePolicy(room)
        # Typed bounds need none from the data: what keeps them takes the place of the question, and nothing moves.
        self.why.setVisible(bounded and draft.kind != ASKING_BOUNDS and not self.keep.offers_typed)
        self.setVisible(held or not (self.why.isHidden() and self.keep.isHidden()))

    def _hold(self) -> None:
        self._held = None if self.keep.offers_typed else self._about
