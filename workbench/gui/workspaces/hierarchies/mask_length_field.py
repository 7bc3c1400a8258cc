"""The length of the codes that a mask is made for, beside what it makes of one of them."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.core.hierarchy import Hierarchy
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.finer_rules import make_masks
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.session.mask_lengths import LONGEST, mask_length

_TIP = "Characters of a whole code, from what you know and not from this file; the mask is made anew as you leave it"


class MaskLengthField(QWidget):
    """Seen where a mask has a length of its own; another one makes it anew at once, and undo takes that back."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._column = document, ""
        self._shown: Hierarchy | None = None
        self.field = NumberField("Length of a whole code", minimum=1, maximum=LONGEST, integer=True, compact=True)
        self.field.edit.setMinimumWidth(tokens.COLUMN_MIN // 2)
        self.field.setMaximumWidth(tokens.COLUMN_MIN)
        words = label("Length", small=True, muted=True)
        words.setBuddy(self.field)
        words.setToolTip(_TIP)
        boxes.row(words, self.field, spacing="xs", inside=self)
        set_explain(self, "hierarchies.masking")
        self.field.committed.connect(self._change)
        self.hide()

    def show_hierarchy(self, column: str, hierarchy: Hierarchy) -> None:
        """Show the length of the mask of a column; nothing where it has none."""
        length, is_other = mask_length(hierarchy), (column, hierarchy) != (self._column, self._shown)
        self._column, self._shown = column, hierarchy
        if length is not None and is_other:  # else somebody may be typing
            self.field.set_value(length)
        self.setVisible(length is not None)

    def _change(self, length: float) -> None:
        make_masks(self._document, {self._column: int(length)}, told=False)
