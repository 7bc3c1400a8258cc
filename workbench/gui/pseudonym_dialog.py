"""Write a copy with pseudonyms: what becomes of each column, the file of the key, and what is said of the result."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.paths import sample_data
from workbench.core.schema import Role
from workbench.core.visible import visible
from workbench.gui.document import Document
from workbench.gui.key_dialog import KeyDialog
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.save_place import ask_at
from workbench.io.export_format import ExportFormat
from workbench.io.pseudonym_key import usual_pseudonym_key
from workbench.project.names_beside import statement_beside
from workbench.report.pseudonym_statement import LINKAGE, NOT_CLAIMED
from workbench.session.export import Targets
from workbench.session.pseudonyms import PseudonymFile, new_pseudonym_key, pseudonymiser

AS_IT_IS, PSEUDONYM, LEFT_OUT = "Leave as it is", "Replace by pseudonym", "Leave out"
_TREATMENTS = (AS_IT_IS, PSEUDONYM, LEFT_OUT)
_WIDTH, _HEIGHT = 640, 520


class PseudonymDialog(KeyDialog):
    """The columns of the data, what becomes of each, and what came of it.

    Parameters
    ----------
    document
        What is open, and on whose threads files are read and written.
    """

    title, whose, explain = "Write a copy with pseudonyms", "the key", "data.pseudonyms"
    cancelled = "Cancelled: nothing was written."
    job = "pseudonyms"

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document.runner, usual_pseudonym_key(), parent)
        self._document = document
        self._replace: Path | None = None
        self.columns: dict[str, ComboBox] = {}
        for column in document.project.schema.columns:
            box = ComboBox(f"What becomes of {visible(column.name)}", [(words, words) for words in _TREATMENTS])
            named = column.role is Role.IDENTIFYING and not column.undecided
            box.choose(PSEUDONYM if named else AS_IT_IS)
            self.columns[column.name] = box
        self.what = label(NOT_CLAIMED.replace("This file", "The copy"), wrap=True)
        set_look(self.what, tone="warning")
        self.write = push_button("&Write…", self.choose_file, primary=True)
        self.write.setDefault(True)
        self._lay_out()

    def make_key(self) -> None:
        key = self.path
        self._start("Making a key", lambda _progress: new_pseudonym_key(key), self._made, late=True)

    def choose_file(self) -> None:
        """Ask where to, and write the copy with its statement."""
        folder, stem = self._document.session.data.place_beside
        folder = Path.home() if folder.is_relative_to(sample_data()) else folder
        usual = folder / f"{stem}_pseudonyms.csv"
        chosen, _ = ask_at(self, self.windowTitle(), usual, "Data (*.csv *.xlsx *.parquet)")
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
                key=self.path,
            )
        except WorkbenchError as error:
            self._failed(error)
            return
        self._start(f"Writing {path.name}", work, self._written, late=True)

    def _chosen(self, what: str) -> list[str]:
        return [name for name, box in self.columns.items() if box.chosen == what]

    @property
    def _parts(self) -> Iterable[QWidget]:
        return *super()._parts, self.write, *self.columns.values()

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

    def _lay_out(self) -> None:
        each = form_grid()
        for row, (name, box) in enumerate(self.columns.items()):
            each.addWidget(label(visible(name)), row, 0)
            each.addWidget(box, row, 1)
        each.setRowStretch(len(self.columns), 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        buttons.addButton(self.write, QDialogButtonBox.ButtonRole.AcceptRole)
        rows = (self.what, (boxes.scrolled(each), 1), self._row("&Key"), self.told, buttons)
        boxes.column(*rows, margins="l", spacing="m", inside=self)
        self.setMinimumSize(_WIDTH, _HEIGHT)
