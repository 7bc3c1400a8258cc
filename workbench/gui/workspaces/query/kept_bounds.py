"""The offer to keep bounds that were typed for a question with their column, where every page finds them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.core.schema import Schema
from workbench.gui.theme import set_look
from workbench.gui.widgets.explain import set_explain
from workbench.query.catalogue import QueryDraft
from workbench.session.bought_bounds import typed_bounds


class KeptBounds(QPushButton):
    """Is there while bounds are typed that are not declared.

    Signals
    -------
    wanted(str, float, float)
        The person wants these to be the declared bounds of this column.
    """

    wanted = Signal(str, float, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Use on every page", parent)
        self._typed: tuple[str, float, float] | None = None
        self.setToolTip("Say in Data that these bounds are public, so that Query, Collect and Compare all use them")
        set_look(self, quiet=True, align="left")
        set_explain(self, "query.bounds")
        self.clicked.connect(self._tell)
        self.setVisible(False)

    def show_draft(self, draft: QueryDraft, schema: Schema) -> None:
        """Offer it for this question."""
        self._typed = typed_bounds(draft, schema)
        self.setVisible(self._typed is not None)

    def _tell(self) -> None:
        if self._typed is not None:
            self.wanted.emit(*self._typed)
