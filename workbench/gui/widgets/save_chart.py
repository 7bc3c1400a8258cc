"""The button beside a chart that saves it with its caption, or its numbers."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QWidget

from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.save_place import ask_file


class SaveChart(QPushButton):
    """“Save figure…”, with a menu of what there is to save of a chart; enabled while it shows data."""

    def __init__(self, chart: ChartView, parent: QWidget | None = None) -> None:
        super().__init__("Save figure…", parent)
        self.chart = chart
        self.setIcon(icon("save", "link"))
        self.setToolTip("Save the picture with its caption, or the numbers")
        self.setAccessibleName(f"Save the chart “{chart.accessibleName()}”")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        set_look(self, quiet=True)
        self.setEnabled(chart.data is not None)
        chart.filled.connect(self.setEnabled)
        self.clicked.connect(self._open)

    def menu_of_kinds(self) -> QMenu:
        """The menu that it opens."""
        menu = QMenu(self)
        words = "&Picture with caption…" if self.chart.caption else "&Picture…"
        menu.addAction(icon("save"), words, self.chart.choose_file)
        menu.addAction(icon("table"), "&Numbers (CSV)…", self._choose_numbers)
        return menu

    def _open(self) -> None:
        menu = self.menu_of_kinds()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.mapToGlobal(QPoint(0, self.height())))

    def _choose_numbers(self) -> None:
        chosen, _ = ask_file(self, "Save numbers", f"{self.chart.file_stem}.csv", "CSV (*.csv)")
        if chosen:
            self.chart.save_numbers(Path(chosen))
