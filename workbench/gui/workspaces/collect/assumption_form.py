"""By which error protocols are ranked, and which shares are assumed, one's own among them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.core.settings import matters
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.collect.own_shares import fit
from workbench.gui.workspaces.collect.settings_form import settings_form
from workbench.ldp.plan import Shape
from workbench.ldp.share_margin import MARGIN
from workbench.ldp.simulation import METRICS
from workbench.project.collect_settings import CollectSettings
from workbench.session.collection.mean_decision import MEAN
from workbench.session.collection.words import scale_of

_WORST = Shape.AUTO.words
_SHAPES = [(shape.words, shape) for shape in Shape if shape is not Shape.WORSE]  # which is what undeclared ones mean


class AssumptionForm(QWidget):
    """The one place where the shares are chosen that a prediction, or a simulation without rows, assumes.

    Parameters
    ----------
    reached
        Which error is to be reached, as of `NeededCard.reached`.
    """

    def __init__(self, document: Document, reached: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._reached = document, reached
        self._own = False
        """Whether own shares are to be assumed, and none are typed yet."""
        self._wanted = False
        """Whether the shape is to be seen also where it has no part in what is to be reached."""
        self.simulated: Callable[[], str] = str
        """Which shares the simulation that belongs to the settings has; "" for none."""
        self._typed: tuple[float, ...] = ()
        """The last shares that were assumed: who tries another shape gets them back."""
        errors = [(scale_of(metric).title, metric) for metric in METRICS]
        self.form = settings_form(
            self, document, "prediction", self._edit, choices={"rank_by": errors, "shape": _SHAPES}, shown=self._shown
        )
        self.error_choice, self.shape, self.shares = (self.form[name] for name in ("rank_by", "shape", "guess"))
        for row, metric in enumerate(METRICS):
            self.error_choice.setItemData(row, scale_of(metric).in_full, Qt.ItemDataRole.ToolTipRole)
        self.shape.setToolTip("Which distribution is assumed")
        self.shares.hide()
        self._of_error = _below("Error", self.error_choice)
        of_shape = _below("Shares assumed, or your own", self.shape)
        self.choices = boxes.boxed(boxes.row((self._of_error, 16), (of_shape, 15), spacing="s"))
        grid = self.form.grid(("rank_by", "shape", "guess"))
        boxes.column(self.choices, self.shares, grid, spacing="s", inside=self)

    def refresh(self) -> None:
        """Show the settings in force, as far as they have a part in what is to be reached."""
        settings = self._document.project.collect
        if settings.guess:
            self._own, self._typed = False, settings.guess
        self._show_settings()

    def focus_shape(self) -> None:
        """Put the keyboard focus where the shares are chosen, though a margin is to be reached, which needs none."""
        self._wanted = True
        self._show_settings()
        self.shape.setFocus(Qt.FocusReason.OtherFocusReason)

    def _shown(self) -> CollectSettings:
        """The settings as they are shown: the worst of three shapes is what nobody chose."""
        settings = self._document.project.collect
        if self._own:
            return replace(settings, shape=Shape.OWN)
        return replace(settings, shape=Shape.AUTO) if settings.shape is Shape.WORSE else settings

    def _show_settings(self) -> None:
        self.form.refresh()
        # Of several shapes one is simulated: who comes from there to choose another finds which one it was.
        simulated = self.simulated()
        worst = self.shape.findData(Shape.AUTO)
        self.shape.setItemText(worst, f"{_WORST}; simulated: {simulated}" if simulated else _WORST)
        reached = self._reached()
        # A margin holds whatever the shares are, so neither another error nor a shape has a part in it: the shape is
        # there for who wants to simulate with another one.
        self._wanted &= reached == MARGIN
        assumes = self._wanted or reached not in (MARGIN, MEAN)
        self._of_error.setVisible(reached != MARGIN)
        self.choices.setVisible(assumes)
        self.form.set_shown("guess", assumes and matters(self._shown(), "guess"))

    def _edit(self, name: str, value: Any, words: str, merge: str) -> None:
        changes = {name: value}
        if name == "shape":
            own = value is Shape.OWN
            self._own = own and not fit(self._document, self.shares, self._typed)
            if self._own:
                self.shares.refuse("")
                self._show_settings()
                self.shares.setFocus()
                return
            changes["guess"] = self._typed if own else ()
        elif name == "guess":
            if not fit(self._document, self.shares, value):
                return
            changes["shape"] = Shape.OWN
        self._document.apply(words, lambda session: session.collection.change(**changes), merge=merge)
        self._show_settings()


def _below(words: str, field: QWidget) -> QWidget:
    """A field below what it is called."""
    field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    above = label(words, muted=True, small=True)
    above.setBuddy(field)
    return boxes.boxed(boxes.column(above, field, spacing="hair"))
