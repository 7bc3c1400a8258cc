"""Predicted errors in numbers, with what they rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.gui.widgets import boxes
from workbench.gui.widgets.folded_words import FoldedWords
from workbench.gui.widgets.whole_rows import WholeRows
from workbench.gui.workspaces.collect.figures_table import FiguresTable
from workbench.ldp.choice import ProtocolChoice
from workbench.session.collection.predicted_table import Line
from workbench.session.collection.words import CURATOR, CURATOR_IN_TABLES, short_names


class PredictedNumbers(QWidget):
    """Lines of protocols, of which those that are ticked are shaded.

    Signals
    -------
    chosen(object)
        The person takes the protocol of a line, a `ProtocolChoice`.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._listed: tuple[ProtocolChoice | None, ...] = ()
        self.sentence = FoldedWords("What the numbers rest on", 1)
        self.table = FiguresTable("Expected errors")
        self.table.setToolTip("Enter or a double click ticks a protocol; ticked ones are shaded")
        self.table.chosen.connect(self._choose_row)
        boxes.column(self.sentence, (WholeRows(self.table), 1), spacing="xs", inside=self)

    def show_lines(
        self,
        headings: Sequence[str],
        lines: Sequence[Line],
        ticked: Sequence[bool],
        tips: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Show these lines; shade those that are ticked. Tips say more of some headings."""
        self._listed = tuple(choice for choice, _ in lines)
        short = {row[0]: short_names(choice, row[0]) for choice, row in lines if choice is not None}
        self.table.shorten({**short, CURATOR: CURATOR_IN_TABLES})
        self.table.show_rows(headings, [row for _, row in lines], bands=np.array(ticked, dtype=np.bool_))
        self.table.explain_headings(tips)

    def _choose_row(self, row: int) -> None:
        choice = self._listed[row] if 0 <= row < len(self._listed) else None
        if choice is not None:
            self.chosen.emit(choice)
