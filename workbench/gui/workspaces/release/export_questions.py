"""Questions before a release is written in a way that cannot be taken back."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QMessageBox, QWidget

from workbench.core.visible import visible


def may_leave_unclaimed(parent: QWidget, path: Path) -> bool:
    """Ask, because it cannot be taken back; `path` is where the file would be written."""
    both = QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No
    answer = QMessageBox.question(
        parent,
        "Export without a claim?",
        "The statement will say that nothing is promised, and what you could not say. From then on nothing can be "
        "promised for all releases of this data together, and this draw can carry no claim any more.\n\n"
        f"The file would be {visible(str(path))}",
        both,
        QMessageBox.StandardButton.No,
    )
    return answer == QMessageBox.StandardButton.Yes


def may_create(parent: QWidget, folder: Path) -> bool:
    """Offer to make a folder that is not there."""
    both = QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No
    words = f"There is no folder {visible(str(folder))}\n\nCreate it?"
    answer = QMessageBox.question(parent, "Create the folder?", words, both, QMessageBox.StandardButton.Yes)
    return answer == QMessageBox.StandardButton.Yes


def may_take_back(parent: QWidget, words: str) -> bool:
    """Ask before an answer is taken back that a claim would be larger without."""
    both = QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No
    answer = QMessageBox.question(parent, "Was that a mistake?", words, both, QMessageBox.StandardButton.No)
    return answer == QMessageBox.StandardButton.Yes


def may_replace(parent: QWidget, names: list[str]) -> bool:
    """Ask about files that are not of this result, or not any more as they were written."""
    text = (
        "“{names}” exists already and is not this release. Replace it by what is written now?"
        if len(names) == 1
        else "“{names}” exist already and are not this release. Replace them by what is written now?"
    )
    text = f"{text} What an earlier release has cost stays spent."
    both = QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No
    answer = QMessageBox.question(
        parent,
        "Replace the file?",
        text.format(names="”, “".join(names)),
        both,
        QMessageBox.StandardButton.No,
    )
    return answer == QMessageBox.StandardButton.Yes
