"""The place where a file will be worked on, folded away unless something must be decided."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.engines.budget import in_words
from workbench.engines.choice import EngineChoice
from workbench.gui.document import Document
from workbench.gui.engine_dialog import EngineDialog
from workbench.gui.engines import missing_package, too_large
from workbench.gui.large_data import DataSize
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.engine_field import EngineField
from workbench.gui.widgets.labels import label


class WorkedOn(QWidget):
    """The engine, what it means for a file of this size, and how much memory data may use.

    Parameters
    ----------
    again
        The file is open already: its engine stays until the person chooses another one.

    Signals
    -------
    judged()
        Another engine was chosen, or what it means changed.
    """

    judged = Signal()

    def __init__(self, document: Document, *, again: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._size, self._bound, self._chosen = DataSize(0, 1), False, again
        self.field = EngineField(document.engines.spark)
        self.field.show_engine(document.engine if again else document.engines.wanted)
        self.field.changed.connect(self._choose)
        self.note = label(wrap=True, small=True, selectable=True)
        self.budget = push_button(
            "Change the &memory…",
            self.change_budget,
            name="Change how much memory data may use",
            explain="engine.budget",
            quiet=True,
            align="left",
        )
        inside = boxes.boxed(boxes.column(self.field, self.note, self.budget, spacing="s"))
        self.fold = Disclosure("Memory and engine", inside)
        boxes.column(self.fold, inside=self)
        self.judge()

    @property
    def missing(self) -> str:
        """Which package the chosen engine lacks, in words."""
        return missing_package(self.field.engine)

    @property
    def large(self) -> bool:
        """Whether the file is larger than the memory data may use."""
        return self._size.size > self._document.engines.limit

    def show_size(self, size: DataSize, *, bound: bool) -> None:
        """Judge a file of this size; one that is `bound` can be worked on in memory only."""
        self._size, self._bound = size, bound
        if not self._chosen:
            self._chosen = True
            self.field.show_engine(self._document.engines.proposed(0 if bound else size.size))
        self.judge()

    def judge(self) -> None:
        """Say what the chosen engine means for the file, and unfold if it is not nothing."""
        if self._bound:
            self.field.show_engine(EngineChoice())
        self.field.setEnabled(not self._bound)
        size, limit, missing = self._size, self._document.engines.limit, self.missing
        if missing:
            words = missing
        elif self.large:
            words = too_large(size.size, limit, parts=size.parts > 1)
        elif self._bound:
            words = "Workbooks are read in memory only."
        else:
            words = f"{in_words(size.size)}; up to {in_words(limit)} may be used."
        self.note.setText(words if size.size else "")
        matters = bool(missing) or self.large
        set_look(self.note, tone="warning" if matters else "none", muted=not matters)
        if matters or not self.field.engine.in_memory:
            self.fold.set_open(True)
        self.judged.emit()

    def change_budget(self) -> EngineDialog:
        """Let the person say how much memory data may use."""
        dialog = EngineDialog(self._document, self)
        dialog.engine_chosen.connect(self.field.show_engine)
        dialog.accepted.connect(self.judge)
        dialog.open()
        dialog.budget.setFocus()
        return dialog

    def _choose(self) -> None:
        self._chosen = True
        self.judge()
