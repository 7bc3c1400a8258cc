"""The offer to declare bounds that somebody typed, here or in another room, so that every page finds them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.gui.theme import set_look
from workbench.gui.widgets.explain import set_explain
from workbench.project.model import Project
from workbench.session.bought_bounds import typed_bounds
from workbench.session.typed_bounds import bounds_for_query, bounds_words

_HERE = "Use on every page", "Say in Data that these bounds are public, so that Query, Collect and Compare all use them"


class KeptBounds(QPushButton):
    """Is there while bounds are typed that are not declared, or are missing here and were typed in another room.

    Signals
    -------
    wanted(str, float, float)
        The person wants these to be the declared bounds of this column.
    """

    wanted = Signal(str, float, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_HERE[0], parent)
        self._typed: tuple[str, float, float] | None = None
        set_look(self, quiet=True, align="left")
        set_explain(self, "query.bounds")
        self.clicked.connect(self._tell)
        self.setVisible(False)

    def show_project(self, project: Project) -> None:
        """Offer it for the question in hand."""
        self._typed, words = typed_bounds(project.queries.draft, project.schema), _HERE
        known = bounds_for_query(project) if self._typed is None else None
        if known is not None:
            column, bounds, room = known
            self._typed = column, *bounds
            words = (
                f"Use {bounds_words(bounds)}, from {room}",
                f"As typed there for “{column}”; every page then uses it",
            )
        self.setText(words[0])
        self.setToolTip(words[1])
        self.setVisible(self._typed is not None)

    def _tell(self) -> None:
        if self._typed is not None:
            self.wanted.emit(*self._typed)
