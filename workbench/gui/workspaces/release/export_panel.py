"""Where the release is written to, and the button that writes it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QWidget,
)

from workbench.core.paths import sample_data
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.section import Section
from workbench.session.targets import statement_beside

_DELIMITERS = (",", ";", "\t", "|")


class ExportPanel(Section):
    """File, delimiter, statement, and Export."""

    ending = "_release"
    """What is added to the name of the data for the proposed file."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self.set_title(self.tr("Export"))
        self.set_description(
            self.tr("Rows are shuffled and dropped rows stay out. Cells a spreadsheet would run are made harmless.")
        )
        self._document = document
        self._touched = False
        self._own_files: set[Path] = set()
        set_explain(self, "release.export")
        self.file = QLineEdit()
        self.file.setAccessibleName(self.tr("File to write"))
        self.file.setPlaceholderText(self.tr("Choose where to write the release"))
        self.file.textEdited.connect(self._mark_touched)
        self.file.textChanged.connect(self.refresh)
        browse = QPushButton(self.tr("&Browse…"))
        browse.clicked.connect(self.choose)
        row = QHBoxLayout()
        row.setSpacing(tokens.SPACE_S)
        row.addWidget(self.file, 1)
        row.addWidget(browse)
        self.delimiter = QComboBox()
        self.delimiter.setAccessibleName(self.tr("Delimiter"))
        for sign, name in zip(
            _DELIMITERS, (self.tr("Comma"), self.tr("Semicolon"), self.tr("Tab"), self.tr("Pipe")), strict=True
        ):
            self.delimiter.addItem(name, sign)
        self.statement = QCheckBox(self.tr("Write the privacy &statement beside it (HTML)"))
        self.statement.setChecked(True)
        set_explain(self.statement, "release.statement")
        form = QFormLayout()
        form.setHorizontalSpacing(tokens.SPACE_M)
        form.setVerticalSpacing(tokens.SPACE_S)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(self.tr("File"), row)
        form.addRow(self.tr("Delimiter"), self.delimiter)
        form.addRow("", self.statement)
        self.add(form)
        self.export = QPushButton(self.tr("&Export release"))
        set_look(self.export, primary=True)
        self.export.clicked.connect(self.write)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.export)
        self.add(foot)

    def propose(self) -> None:
        """Suggest a file beside the data, until the person chose one."""
        data = self._document.project.data
        if data is None or self._touched:
            return
        source = Path(data.path)
        # The samples belong to the program; what is made from them belongs to the person.
        folder = Path.home() if source.is_relative_to(sample_data()) else source.parent
        self.file.setText(str(folder / f"{source.name.split('.')[0]}{self.ending}.csv"))

    def refresh(self) -> None:
        session = self._document.session
        ready = session.result_is_current and session.result is not None and session.result.outcome.rows_out > 0
        self.export.setEnabled(ready and bool(self.file.text().strip()))

    def choose(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self, self.tr("Export release"), self.file.text(), self.tr("CSV files (*.csv)")
        )
        if chosen:
            self._touched = True
            self.file.setText(chosen)

    def write(self) -> None:
        path = Path(self.file.text().strip()).expanduser()
        statement = statement_beside(path) if self.statement.isChecked() else None
        if not self.may_write(path):
            return
        self._document.export(path, statement, delimiter=self.delimiter.currentData())

    def may_write(self, path: Path) -> bool:
        """Whether the file may be replaced: the person is asked about one this panel did not write."""
        if path.is_file() and path not in self._own_files:
            answer = QMessageBox.question(
                self,
                self.tr("Replace the file?"),
                self.tr("“{name}” exists already. Replace it by the release?").format(name=path.name),
            )
            if answer != QMessageBox.StandardButton.Yes:
                return False
        self._own_files.add(path)
        return True

    def _mark_touched(self) -> None:
        self._touched = True
