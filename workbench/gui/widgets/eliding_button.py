"""A button that shortens its words where there is no room for all of them."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from workbench.gui import tokens
from workbench.gui.widgets.labels import on_button


class ElidingButton(QPushButton):
    """For names of other people, which may be long: it takes the room of its column, and asks for none.

    Of what is said about the name the last part goes first, and then all of it, and then the middle of the name.

    Parameters
    ----------
    name, about
        What it says; an ampersand is one.
    """

    def __init__(self, name: str, about: str = "") -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._name, self._about = name, about
        self._show()

    @property
    def words(self) -> str:
        """All that it says where there is room."""
        return " · ".join(filter(None, (self._name, self._about)))

    def set_words(self, name: str, about: str = "") -> None:
        """Say something else."""
        if (name, about) != (self._name, self._about):
            self._name, self._about = name, about
            self._show()

    def minimumSizeHint(self) -> QSize:
        return QSize(tokens.FIELD_WIDTH, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show()

    def _show(self) -> None:
        self.ensurePolished()
        metrics = self.fontMetrics()
        # The icon, and what the style leaves free.
        beside = self.sizeHint().width() - metrics.horizontalAdvance(self.text().replace("&&", "&"))
        room = max(self.width() - beside, 0)
        shorter = " · ".join(filter(None, (self._name, self._about.rpartition(", ")[0])))
        fitting = (words for words in (self.words, shorter) if metrics.horizontalAdvance(words) <= room)
        self.setText(on_button(next(fitting, metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, room))))
