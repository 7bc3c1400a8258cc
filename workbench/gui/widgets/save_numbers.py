"""A button that saves a table of numbers that is seen, as CSV."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from workbench.core.progress import Progress
from workbench.gui.icons import icon
from workbench.gui.runner import Runner
from workbench.gui.theme import set_look
from workbench.gui.widgets.save_place import ask_file
from workbench.io.atomic import atomic_write


class SaveNumbers(QPushButton):
    """“Save numbers…”; enabled while there are numbers.

    Signals
    -------
    noted(str, str)
        How it went: a status and words.

    Parameters
    ----------
    name
        What the numbers are, for screen readers.
    stem
        What a file of them is called, without its ending.
    """

    noted = Signal(str, str)

    def __init__(self, name: str, stem: str, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__("Save numbers…", parent)
        self._stem, self._runner, self._text = stem, runner, ""
        self.setIcon(icon("save", "link"))
        self.setToolTip("Save the numbers as a CSV file")
        self.setAccessibleName(f"Save “{name}”")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        set_look(self, quiet=True)
        self.hold("")
        self.clicked.connect(self._choose)

    def hold(self, text: str) -> None:
        """What is saved; "" for nothing."""
        self._text = text
        self.setEnabled(bool(text))

    def save(self, path: Path) -> None:
        """Write the numbers that are held now."""
        text = self._text

        def work(_progress: Progress) -> Path:
            with atomic_write(path) as file:
                file.write(text.encode())
            return path

        self._runner.start(f"Saving {path.name}", work, on_done=self._saved, aside=True)

    def _choose(self) -> None:
        chosen, _ = ask_file(self, "Save numbers", f"{self._stem}.csv", "CSV (*.csv)")
        if chosen:
            self.save(Path(chosen))

    def _saved(self, path: Path) -> None:
        self.noted.emit("success", f"The numbers were saved as {path.name}.")
