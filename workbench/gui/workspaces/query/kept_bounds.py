"""The offer to declare bounds or values that somebody typed, here or in another room, so that every page has them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.gui.theme import set_look
from workbench.gui.widgets.explain import set_explain
from workbench.project.model import Project
from workbench.session.bought_bounds import typed_bounds
from workbench.session.typed_bounds import bounds_for_query, bounds_words, values_for_query

_HERE = "Use on every page", "Say in Data that these bounds are public, so that Query, Collect and Compare all use them"
_THERE = "As typed there for “{}”; every page then uses it"


class KeptBounds(QPushButton):
    """Is there while bounds are typed that are not declared, or these or values are missing and were typed elsewhere.

    Signals
    -------
    wanted(str, float, float)
        The person wants these to be the declared bounds of this column.
    values_wanted(str, object)
        The same of its possible values, a tuple of texts.
    """

    wanted = Signal(str, float, float)
    values_wanted = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_HERE[0], parent)
        self._typed: tuple[str, float, float] | None = None
        self._values: tuple[str, tuple[str, ...]] | None = None
        set_look(self, quiet=True, align="left")
        set_explain(self, "query.bounds")
        self.clicked.connect(self._tell)
        self.setVisible(False)

    @property
    def offers_typed(self) -> bool:
        """Whether it offers to keep the bounds that are typed in the question."""
        return not self.isHidden() and self.text() == _HERE[0]

    def show_project(self, project: Project) -> None:
        """Offer it for the question in hand."""
        self._typed, words = typed_bounds(project.queries.draft, project.schema), _HERE
        known = bounds_for_query(project) if self._typed is None else None
        if known is not None:
            column, bounds, room = known
            self._typed = column, *bounds
            words = f"Use {bounds_words(bounds)}, from {room}", _THERE.format(column)
        listed, self._values = (values_for_query(project) if self._typed is None else None), None
        if listed is not None:
            column, values, room = listed
            self._values = column, values
            words = f"Use the {len(values):,} from {room}", _THERE.format(column)
        self.setText(words[0])
        self.setToolTip(words[1])
        self.setVisible(self._typed is not None or listed is not None)

    def _tell(self) -> None:
        if self._typed is not None:
            self.wanted.emit(*self._typed)
        elif self._values is not None:
            self.values_wanted.emit(*self._values)
