"""The grid of a form: labels in one column, fields in the next."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout

from workbench.gui import tokens


def form_grid() -> QGridLayout:
    """Labels in one column, fields in the next."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(tokens.SPACE_S)
    grid.setVerticalSpacing(tokens.SPACE_XS)
    grid.setColumnStretch(1, 1)
    grid.setColumnMinimumWidth(0, tokens.METER_WIDTH)
    return grid
