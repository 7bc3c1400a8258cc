"""Asks before a project is saved over what somebody else has saved there."""

from __future__ import annotations

from enum import Enum, auto
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget


class Wanted(Enum):
    """The wish of a person whose project somebody else has saved meanwhile."""

    SAVE_AS = auto()
    OVERWRITE = auto()
    NOTHING = auto()


def ask_about_newer(window: QWidget, path: Path) -> Wanted:
    """Let the person say what to do; whoever only presses Enter loses nothing."""
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle("Saved elsewhere")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(f"{path.name} was saved by somebody else since it was opened here.")
    box.setInformativeText(
        "Save as… keeps both. Overwrite replaces what the other window or program did by what you see here; what "
        "was released stays recorded either way."
    )
    save_as = box.addButton("Save as…", QMessageBox.ButtonRole.AcceptRole)
    overwrite = box.addButton("Overwrite", QMessageBox.ButtonRole.DestructiveRole)
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(save_as)
    box.setEscapeButton(cancel)
    box.exec()
    clicked = box.clickedButton()
    box.deleteLater()
    if clicked is save_as:
        return Wanted.SAVE_AS
    return Wanted.OVERWRITE if clicked is overwrite else Wanted.NOTHING
