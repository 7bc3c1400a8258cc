"""Write a copy with pseudonyms: what becomes of each column, the file of the key, and what is said of the result.

The dialog holds the path of the key for as long as it is open. No project, setting or list of recent files learns of
it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QLineEdit, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.paths import sample_data, typed_path
from workbench.core.progress import Cancelled, Progress
from workbench.core.schema import Role
from workbench.core.visible import visible
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.tracked import TrackedJob
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.io.export_format import ExportFormat
from workbench.io.pseudonym_key import usual_pseudonym_key
from workbench.report.pseudonym_statement import LINKAGE, NOT_CLAIMED
from workbench.session.export import Targets
from workbench.session.file_names import statement_beside
from workbench.session.pseudonyms import PseudonymFile, new_pseudonym_key, pseudonymiser

PSEUDONYM_JOB = "pseudonyms"
AS_IT_IS, PSEUDONYM, LEFT_OUT = "Leave as it is", "Replace by pseudonym", "Leave out"
_TREATMENTS = (AS_IT_IS, PSEUDONYM, LEFT_OUT)
_WIDTH, _HEIGHT = 640, 520


class PseudonymDialog(QDialog):
    """The columns of the data, what becomes of each, and what came of it.

    Parameters
    ----------
    document
        What is open, and on whose threads files are read and written.
    """

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Write a copy with pseudonyms")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "data.pseudonyms")
        self._document = document
        self._replace: Path | None = None
        self._job = TrackedJob(document.runner, self)
        self._job.ended.connect(lambda _key: self._able(True))
        self.columns: dict[str, ComboBox] = {}
        for column in document.project.schema.columns:
            box = ComboBox(f"What becomes of {visible(column.name)}", [(words, words) for words in _TREATMENTS])
            named = column.role is Role.IDENTIFYING and not column.undecided
            box.choose(PSEUDONYM if named else AS_IT_IS)
            self.columns[column.name] = box
        self.key = QLineEdit(str(usual_pseudonym_key()))
        self.key.setAccessibleName("File of the key")
        self.key.textEdited.connect(lambda _text: self._say(""))
        self.what = label(NOT_CLAIMED.replace("This file", "The copy"), wrap=True)
        set_look(self.what, tone="warning")
        self.told = label(wrap=True, selectable=True)
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.make = push_button("&New key", self.make_key, quiet=True)
        self.make.setToolTip("Make a key in this file, once; nothing that is there is ever overwritten")
        self.write = push_button("&Write…", self.choose_file, primary=True)
        self.write.setDefault(True)
        self._lay_out()

    def make_key(self) -> None:
        """Make a key in the file that is named, where nothing is yet."""
        key = self._path
        self._start("Making a key", lambda _progress: new_pseudonym_key(key), self._made)

    def choose_file(self) -> None:
        """Ask where to, and write the copy with its statement."""
        folder, stem = self._document.session.data.place_beside
        folder = Path.home() if folder.is_relative_to(sample_data()) else folder
        usual = str(folder / f"{stem}_pseudonyms.csv")
        chosen, _ = QFileDialog.getSaveFileName(self, self.windowTitle(), usual, "Data (*.csv *.xlsx *.parquet)")
        if chosen:
            self._replace = Path(chosen)  # the person was asked about what is there
            self.write_to(self._replace)

    def write_to(self, path: Path) -> None:
        """Write the copy with its statement."""
        path = path if path.suffix else path.with_suffix(".csv")
        targets = Targets(path, ExportFormat.of(path), statement_beside(path), force=path == self._replace)
        try:
            work = pseudonymiser(
                self._document.session,
                self._chosen(PSEUDONYM),
                targets,
                left_out=self._chosen(LEFT_OUT),
                key=self._path,
            )
        except WorkbenchError as error:
            self._failed(error)
            return
        self._start(f"Writing {path.name}", work, self._written)

    def _chosen(self, what: str) -> list[str]:
        return [name for name, box in self.columns.items() if box.chosen == what]

    @property
    def _path(self) -> Path:
        return typed_path(self.key.text().strip())

    def _start(self, name: str, work: Callable[[Progress], object], done: Callable[..., None]) -> None:
        if not self.key.text().strip():
            self._say("Name the file of the key.", tone="error")
            return
        self._able(False)
        self._say("")
        self._job.start(
            name, work, on_done=done, on_failed=self._failed, key=PSEUDONYM_JOB, owner=self, keep_late_result=True
        )

    def _written(self, found: PseudonymFile) -> None:
        self._document.changed.emit("file")
        self._say(
            f"{found.rows:,} rows are in {visible(found.path.name)}. Pass {visible(found.statement.name)} on with it, "
            f"and never the key. {' '.join(LINKAGE[:2])}",
            tone="success",
        )

    def _made(self, found: Path) -> None:
        self._say(
            f"The key is made. Keep a copy of {visible(found.name)} in a safe place: without it nobody makes the same "
            "pseudonyms again, and with it anybody can tell whom they stand for.",
            tone="success",
        )

    def _failed(self, error: BaseException) -> bool:
        if isinstance(error, Cancelled):
            self._say("Cancelled: nothing was written.")
            return True
        if not isinstance(error, WorkbenchError):
            return False
        # What names a flag is a way out of the command line; here it stands beside.
        hint = "" if not error.hint or "--" in error.hint else error.hint
        more = "Make one with New key, or name the file of yours." if "There is no key" in error.message else ""
        self._say(" ".join(part for part in (error.message, hint, more) if part), tone="error")
        return True

    def _able(self, able: bool) -> None:
        for part in (self.key, self.make, self.write, *self.columns.values()):
            part.setEnabled(able)

    def _say(self, text: str, tone: str = "none") -> None:
        self.told.setText(text)
        set_look(self.told, tone=tone)

    def _lay_out(self) -> None:
        each = form_grid()
        for row, (name, box) in enumerate(self.columns.items()):
            each.addWidget(label(visible(name)), row, 0)
            each.addWidget(box, row, 1)
        each.setRowStretch(len(self.columns), 1)
        grid = form_grid()
        title = label("&Key")
        title.setBuddy(self.key)
        grid.addWidget(title, 0, 0)
        grid.addWidget(self.key, 0, 1)
        grid.addWidget(self.make, 0, 2)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        buttons.addButton(self.write, QDialogButtonBox.ButtonRole.AcceptRole)
        boxes.column(
            self.what, (boxes.scrolled(each), 1), grid, self.told, buttons, margins="l", spacing="m", inside=self
        )
        self.setMinimumSize(_WIDTH, _HEIGHT)

    def done(self, result: int) -> None:
        self._job.cancel()
        super().done(result)
