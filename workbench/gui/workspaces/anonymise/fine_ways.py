"""Two details of what a release is for beside each other, with the rows that come out with each; one is chosen."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from workbench.core.visible import visible
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import tool_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.haste import pressed_once
from workbench.gui.widgets.labels import on_button
from workbench.session.release.column_details import rows_words
from workbench.session.release.finer_offer import FineChoice

_COME_OUT = (" % of rows come out", " % of rows", " %")
"""What is said of the first range: as much as there is room for."""


class FineWays(QWidget):
    """A coarser detail with more rows and a finer one with fewer. Both stay, so that the way back is where it was."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._choice: FineChoice | None = None
        self.coarse, self.fine = (
            pressed_once(tool_button(act=partial(self._choose, fine), name=name, checkable=True))
            for fine, name in enumerate(("Coarser detail", "Finer detail"))
        )
        set_explain(self, "anonymise.column_details")
        self.setAccessibleName("How fine what is ticked comes out")
        self._line = boxes.row(self.coarse, self.fine, 1, spacing="xs", inside=self)

    @property
    def buttons(self) -> tuple[QToolButton, QToolButton]:
        """The coarser detail and the finer one."""
        return self.coarse, self.fine

    def show_choice(self, choice: FineChoice | None) -> None:
        """Show both details, and which of them the settings stand for."""
        self._choice = choice
        if choice is None:
            return
        whole = self._words(_COME_OUT[0])
        for button, words, about, taken in zip(
            self.buttons, whole, choice.about, (not choice.is_fine, choice.is_fine), strict=True
        ):
            button.setAccessibleName(visible(words))
            button.setToolTip(visible(about))
            button.setChecked(taken)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _words(self, told: str) -> tuple[str, str]:
        choice = self._choice
        if choice is None:
            return "", ""
        coarse, fine = map(rows_words, choice.rows)
        return f"{choice.column} {choice.coarse}: {coarse}{told}", f"{choice.fine}: {fine} %"

    def _fit(self) -> None:
        """Say as much as there is room for; the two ranges in any case."""
        for told in _COME_OUT:
            for button, words in zip(self.buttons, self._words(told), strict=True):
                button.setText(on_button(visible(words)))
            if sum(one.sizeHint().width() for one in self.buttons) + 2 * self._line.spacing() <= self.width():
                return

    def _choose(self, fine: int, _checked: bool = False) -> None:
        # A press does not decide what is down: that follows from the settings.
        choice, button = self._choice, self.buttons[fine]
        button.setChecked(not button.isChecked())
        if choice is not None and choice.is_fine is not bool(fine):
            detail, edit = (choice.fine, choice.choose_fine) if fine else (choice.coarse, choice.choose_coarse)
            self._document.apply(f"{choice.column} {detail}", edit)
