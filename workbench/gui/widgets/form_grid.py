"""The grid of a form: labels in one column, fields in the next."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from workbench.gui import tokens
from workbench.gui.widgets.lines_edit import LinesEdit


def form_grid() -> QGridLayout:
    """Labels in one column, fields in the next."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(tokens.SPACE_S)
    grid.setVerticalSpacing(tokens.SPACE_XS)
    grid.setColumnStretch(1, 1)
    grid.setColumnMinimumWidth(0, tokens.METER_WIDTH)
    return grid


def add_row(grid: QGridLayout, words: QLabel, field: QWidget, *, above: bool = False) -> None:
    """Put a label beside its field, or above a long text and where that is wished."""
    row = grid.rowCount()
    if above or isinstance(field, LinesEdit):
        grid.addWidget(words, row, 0, 1, 2)
        grid.addWidget(field, row + 1, 0, 1, 2)
    else:
        grid.addWidget(words, row, 0)
        grid.addWidget(field, row, 1)
