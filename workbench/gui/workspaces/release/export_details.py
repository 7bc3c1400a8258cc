"""Details of an export that are seldom changed: how text is written, and what lies beside the file."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QWidget

from workbench.gui.widgets import boxes
from workbench.gui.widgets.apart_fold import ApartFold
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.release.file_style import FileStyle


class ExportDetails(ApartFold):
    """It scrolls with all that is said above the file, so that neither takes the room of the other.

    Parameters
    ----------
    file_style
        Whose further choices for text are shown.
    """

    def __init__(self, file_style: FileStyle, parent: QWidget | None = None) -> None:
        super().__init__("Details", parent, above=True)
        set_explain(self, "release.export")
        self.parts = QCheckBox("In &parts: a folder of files")
        self.parts.setAccessibleName("In parts: a folder of files")
        set_explain(self.parts, "release.parts")
        self.statement = QCheckBox("Privacy &statement beside it (HTML)")
        self.statement.setChecked(True)
        set_explain(self.statement, "release.statement")
        self.note = QCheckBox("&Note for programs beside it (JSON)")
        self.note.setChecked(True)
        set_explain(self.note, "release.note")
        self.words = push_button("&Your words…", explain="release.publisher", quiet=True)
        self.whose = ElidedLabel(small=True, muted=True)
        self.section = Section("Details of the file")
        own = boxes.row(self.words, (self.whose, 1), spacing="s")
        for one in (file_style.grid(), self.parts, self.statement, self.note, own):
            self.section.add(one)
        boxes.column(self.section, inside=self)
