"""The fate of a project when another file is opened."""

from __future__ import annotations

from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from workbench.core.paths import sample_data
from workbench.core.visible import visible
from workbench.project.model import Project

if TYPE_CHECKING:
    from workbench.project.loading import Loaded

ANEW_WORDS, ON_WORDS = "Begin a new project", "Go on with this project"


class GoingOn(Enum):
    """The way in which a file is taken in."""

    WITH_PROJECT = auto()
    ANEW = auto()
    NOT = auto()


def is_unrelated(project: Project, loaded: Loaded) -> bool:
    """Whether a project describes columns, and half of them or of the file's at most are the same: then the file is
    about something else, though both may have a column such as `age`.
    """
    described, there = set(project.schema.names), set(loaded.proposed.names)
    return bool(described) and 2 * len(described & there) <= min(len(described), len(there))


def is_same_table(project: Project, loaded: Loaded) -> bool:
    """Whether it is the table that a project names, if it names one: from the same place, or the same rows elsewhere.

    What was typed of that one holds: its file may have been moved, or a later version of it be in its place.
    """
    from workbench.session.loaded_data import is_other_data

    before = project.data
    return before is None or before.path == str(loaded.reading.path) or not is_other_data(before, loaded)


def is_sample(path: Path) -> bool:
    """Whether a table comes with the program, and so is about nobody in another one."""
    return path.is_relative_to(sample_data())


def ask_about_next(window: QWidget, project: Project, name: str) -> GoingOn:
    """Ask whether another table of similar columns is about the same people, or begins a project of its own."""
    before = "the other table" if project.data is None else Path(project.data.path).name
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Another table")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(visible(f"{name} has columns like those of {before}. Is it to begin a new project?"))
    carried = "the roles, what occurs and the hierarchies you chose"
    people = project.anonymise.trim.expected_rows
    if people is not None:
        carried += f", and {people:,} people expected"
    box.setInformativeText(
        visible(f"The project of {before} would bring {carried}. Go on with it only if all that holds for {name}.")
    )
    anew = box.addButton(ANEW_WORDS, QMessageBox.ButtonRole.AcceptRole)
    on = box.addButton(ON_WORDS, QMessageBox.ButtonRole.ActionRole)
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(anew)
    box.setEscapeButton(cancel)
    box.exec()
    clicked = box.clickedButton()
    box.deleteLater()
    return GoingOn.ANEW if clicked is anew else GoingOn.WITH_PROJECT if clicked is on else GoingOn.NOT
