"""By which error protocols are ranked, and which shares are assumed, one's own among them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.core.settings import declared
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.collect.assumed_shares import SHARES, AssumedShares
from workbench.gui.workspaces.collect.settings_form import settings_form
from workbench.ldp.plan import Shape
from workbench.ldp.share_margin import MARGIN
from workbench.ldp.simulation import METRICS
from workbench.session.collection.mean_decision import MEAN
from workbench.session.collection.words import scale_of

_WORST = Shape.AUTO.words


class AssumptionForm(QWidget):
    """The assumptions of a prediction; its shares are those of a simulation without rows, too.

    Parameters
    ----------
    reached
        Which error is to be reached, as of `NeededCard.reached`.
    """

    def __init__(self, document: Document, reached: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reached = reached
        self.simulated: Callable[[], str] = str
        """Which shares the simulation that belongs to the settings has; "" for none."""
        errors = [(scale_of(metric).title, metric) for metric in METRICS]
        asked = document.project.collect
        every = (name for name, one in declared(type(asked)).items() if one.spec.group == "prediction")
        others = [name for name in every if name not in SHARES]
        self.form = settings_form(self, document, "prediction", choices={"rank_by": errors}, only=others)
        self.assumed = AssumedShares(self, document, self._undeclared)
        self.assumed.changed.connect(self._show_fields)
        self.error_choice, self.shape, self.shares = self.form["rank_by"], self.assumed.shape, self.assumed.shares
        for row, metric in enumerate(METRICS):
            self.error_choice.setItemData(row, scale_of(metric).in_full, Qt.ItemDataRole.ToolTipRole)
        self._of_error = _below("Error", self.error_choice)
        of_shape = _below("Shares assumed, or your own", self.shape)
        self.choices = boxes.boxed(boxes.row((self._of_error, 16), (of_shape, 15), spacing="s"))
        grid = self.form.grid(("rank_by",))
        boxes.column(self.choices, self.shares, grid, spacing="s", inside=self)

    def refresh(self) -> None:
        """Show the settings in force, as far as they have a part in what is to be reached."""
        self.form.refresh()
        self.assumed.refresh()
        self._show_fields()

    def _undeclared(self) -> str:
        # Of several shapes one is simulated, and here stands which one it was.
        simulated = self.simulated()
        return f"{_WORST}; simulated: {simulated}" if simulated else _WORST

    def _show_fields(self) -> None:
        reached = self._reached()
        # A margin holds whatever the shares are, so neither another error nor a shape has a part in it.
        self._of_error.setVisible(reached != MARGIN)
        self.choices.setVisible(reached not in (MARGIN, MEAN))
        self.shares.setVisible(reached not in (MARGIN, MEAN) and self.assumed.own)


def _below(words: str, field: QWidget) -> QWidget:
    """A field below what it is called."""
    field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    above = label(words, muted=True, small=True)
    above.setBuddy(field)
    return boxes.boxed(boxes.column(above, field, spacing="hair"))
