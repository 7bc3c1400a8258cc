"""The sentence on what becomes of values that are not listed, said before anything is spent."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from workbench.core.schema import Schema
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.io.opening import FileContent
from workbench.io.reading import Reading
from workbench.query import relevance
from workbench.query.catalogue import QueryDraft
from workbench.query.partition import OTHER

_COUNTED = f"Values not listed, also those spelt otherwise, count together as “{OTHER}”; rows without a value do not."
_LEFT_OUT = "Values not listed, also those spelt otherwise, are left out, and so are rows without a value."
_ALIKE = " “\N{NO-BREAK SPACE}NORTH” counts as “north”."
_WHERE = "Leads to the reading options: with spaces after a delimiter ignored, “ north” is read as “north”"


class OthersNote(QWidget):
    """A sentence below the listed values. Whether there are such values it does not know: no true value is read for it.

    Attributes
    ----------
    spaces
        Leads to the reading options, where spaces of the whole file can be ignored.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = label(small=True, wrap=True)
        self.spaces = push_button("Ignore spaces in the whole file…", quiet=True)
        self.spaces.setToolTip(_WHERE)
        set_explain(self, "query.parameters")
        boxes.column(self.words, (self.spaces, Qt.AlignmentFlag.AlignLeft), spacing="xs", inside=self)
        self.hide()

    def show_question(self, draft: QueryDraft, schema: Schema, reading: Reading | None) -> None:
        """Say it for a question of a file that was read so; nothing where no values are listed."""
        said = relevance.lists_values(draft, schema)
        words = _COUNTED if relevance.value_of(draft, "other") else _LEFT_OUT
        alike = _ALIKE if relevance.value_of(draft, "alike") else ""
        self.words.setText(f"{words}{alike}" if said else "")
        text = reading is not None and reading.form is FileContent.CSV
        self.spaces.setVisible(text and reading is not None and not reading.dialect.skip_spaces)
        self.setVisible(said)
