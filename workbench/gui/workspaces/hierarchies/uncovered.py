"""The banner that names the values a hierarchy misses and offers what can be done about them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from workbench.core.first_few import first_few
from workbench.core.hierarchy import ANY
from workbench.core.number_text import counted
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel, label

_NAMED = 6


class UncoveredBanner(QFrame):
    """Hidden while every value is covered. `cover` is the button that lets the others become `*`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("message", "warning")
        set_explain(self, "hierarchies.uncovered")
        self._words = label(strong=True, wrap=True)
        self._values = label(wrap=True, selectable=True)
        self.cover = push_button(
            f"&Let them become {ANY}",
            name=f"Let the missing values become {ANY}",
            tip=f"Level 0 keeps the values; every level above shows {ANY} for them.",
        )
        side = boxes.column(self.cover, (analyst_badge(), Qt.AlignmentFlag.AlignRight), spacing="s")
        boxes.row(
            (IconLabel("warning", tokens.ICON_LARGE, "warning"), Qt.AlignmentFlag.AlignTop),
            (boxes.column(self._words, self._values, spacing="xs"), 1),
            side,
            margins="m s m s",
            spacing="s",
            inside=self,
        )
        self.hide()

    def show_values(self, values: Sequence[str], rows: int) -> None:
        """Name the missing values and how many rows they are in."""
        self.setVisible(bool(values))
        if not values:
            return
        within = f" ({counted(rows, 'row')})"
        if len(values) == 1:
            words = f"1 value of the data{within} is not in the hierarchy."
        else:
            words = f"{len(values):,} values of the data{within} are not in the hierarchy."
        self._words.setText(words)
        self._values.setText(first_few(values, _NAMED, quoted=True))
        self.setAccessibleName(f"{self._words.text()} {self._values.text()}")
