"""The work of the window as Python: one room on the clipboard, or all of them as a notebook."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from workbench.core.paths import sample_data
from workbench.core.progress import Progress
from workbench.gui.document import Document
from workbench.gui.widgets.save_place import ask_at
from workbench.session.python.notebook import NotebookFile, notebook_writer
from workbench.session.python.rooms import PublishedInView, room_code

PYTHON_JOB = "python"


class PythonCode(QObject):
    """Writes code in the background, since files of hierarchies are read again for it."""

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self._document, self._window = document, parent

    def copy(self, room: str, published: PublishedInView | None = None) -> None:
        """Put what a room does, or the published figure that it shows, on the clipboard, as code for the library."""
        state = self._document.session.state.snapshot()

        def work(_progress: Progress) -> str:
            return room_code(state, room, published)

        self._document.runner.start(
            "Writing Python", work, on_done=self._copied, key=PYTHON_JOB, latest_wins=True, owner=self
        )

    def _copied(self, code: str) -> None:
        QGuiApplication.clipboard().setText(code)
        lines = f"{len(code.splitlines()):,} lines"
        self._document.noted.emit("success", f"{lines} of Python were copied. Running them spends what they ask for.")

    def choose_notebook(self) -> None:
        """Ask where to, and write a notebook of everything that was set and asked."""
        session = self._document.session
        folder, stem = session.data.place_beside if self._document.has_data else (Path.home(), "mechanisms")
        folder = Path.home() if folder.is_relative_to(sample_data()) else folder
        chosen, _ = ask_at(self._window, "Export notebook", folder / f"{stem}.ipynb", "Notebook (*.ipynb)")
        if chosen:
            self.write(Path(chosen))

    def write(self, path: Path) -> None:
        """Write the notebook."""
        document = self._document
        work = notebook_writer(document.session.state, path, tuple(document.session.ledger.protected))
        document.runner.start(f"Writing {path.name}", work, on_done=self._written, owner=self, keep_late_result=True)

    def _written(self, made: NotebookFile) -> None:
        if made.left_out:
            text = f"{made.path.name} was written without what Python cannot say: {' '.join(made.left_out)}"
            self._document.noted.emit("warning", text)
        else:
            self._document.noted.emit("success", f"The notebook was written to {made.path.name}.")
