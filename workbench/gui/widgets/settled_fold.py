"""A part of a page that is open at first, without a heading, and folded under one once it is done with."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.gui.widgets.disclosure import Disclosure


class SettledFold(Disclosure):
    """It folds when it is settled, and whoever opens it again finds it open until it is settled anew."""

    def __init__(self, title: str, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(title, content, parent)
        self._settled = False
        self.button.hide()
        self.set_open(True)

    def show_settled(self, settled: bool) -> None:
        """Fold it or, where there is something to do in it, show it without a heading."""
        if settled != self._settled:
            self._settled = settled
            self.button.setVisible(settled)
            self.set_open(not settled)
