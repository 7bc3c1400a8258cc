"""The files that an export wrote, named as long as their result is shown: all of them go to whoever receives it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from workbench.core.visible import visible
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.labels import label
from workbench.session.export import Exported

_MOST = 3
"""Files of an export: the release, its statement and its note."""


_UNSAVED = "The project is not saved yet."
HELD = "The file is what its statement says. What rests on your word nobody can verify."
"""What it means that a file was verified."""


def what_left(exported: Exported, *, verified: bool) -> tuple[str, str]:
    """What became of a file that was written, in a few words, and the tone they are said in.

    Parameters
    ----------
    verified
        Whether it was found to hold since, as by whoever receives it.
    """
    claim = exported.claim
    if claim is None or claim.holds or claim.given:
        counted = f"{exported.rows:,} rows written and counted again"
        return "Exported, verified as a receiver would" if verified else counted, "success"
    return f"Written without a claim{', and verified' if verified else ''}", "warning"


class WrittenFiles(QWidget):
    """A line for each file, and ways to copy the statement and to save the project; hidden while nothing was written.

    Signals
    -------
    copy_wanted()
        The statement is to be copied.
    """

    copy_wanted = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.setAccessibleName("Files that were written")
        self.lines = [ElidedLabel(mode=Qt.TextElideMode.ElideMiddle, small=True) for _ in range(_MOST)]
        self.copy = push_button("Copy statement", self.copy_wanted.emit, name="Copy the exported statement", quiet=True)
        self.copy.setToolTip("Copy the statement as text and as a page, for a message or a web site")
        names = boxes.column(*self.lines, spacing=0)
        self.save = push_button("Save…", document.saving.wanted.emit, name="Save the project…", inline=True)
        self.save.setToolTip("Keep settings and hierarchies in a file, so that you can go on another day")
        self.unsaved = boxes.boxed(boxes.row(label(_UNSAVED, small=True, muted=True), self.save, 1, spacing="xs"))
        files = boxes.row((names, 1), self.copy, spacing="s")
        boxes.column(files, self.unsaved, spacing="xs", inside=self)
        document.saving.done.connect(self._show_unsaved)
        self.hide()

    @property
    def names(self) -> list[str]:
        """The names that are shown."""
        return [line.full_text for line in self.lines if not line.isHidden()]

    def show_files(self, files: Sequence[Path]) -> None:
        """Show these files; none hide it."""
        for place, line in enumerate(self.lines):
            there = place < len(files)
            line.setHidden(not there)
            line.set_text(visible(files[place].name) if there else "")
            line.setToolTip(visible(str(files[place])) if there else "")
        self.setHidden(not files)
        self._show_unsaved()

    def _show_unsaved(self, _saved: object = None) -> None:
        self.unsaved.setHidden(not self._document.modified)
