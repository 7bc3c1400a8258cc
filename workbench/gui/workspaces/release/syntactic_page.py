"""What is released without an (ε, δ) claim: the models that hold, what that is not, and the file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from workbench.core.errors import WorkbenchError
from workbench.gui import tokens
from workbench.gui.document import EXPORT_JOB, Document
from workbench.gui.widgets.badge import Badge
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.section import Section
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.release.export_panel import ExportPanel
from workbench.gui.workspaces.release.history import History
from workbench.io.writing import WriteReport
from workbench.project.model import ReleaseRecord
from workbench.session import Recoded, Session, in_words


class SyntacticExport(ExportPanel):
    """Writes the kept rows; there is no statement, because there is nothing to state but the models."""

    ending = "_k_anonymous"

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self.set_description(
            self.tr("Rows are shuffled and suppressed rows stay out. Cells a spreadsheet would run are made harmless.")
        )
        self.statement.setChecked(False)
        self.statement.hide()

    def refresh(self) -> None:
        session = self._document.session
        recoded = session.recoded if self._document.has_data and session.recoded_is_current else None
        self.export.setEnabled(recoded is not None and recoded.rows_out > 0 and bool(self.file.text().strip()))

    def write(self) -> None:
        document, session = self._document, self._document.session
        path = Path(self.file.text().strip()).expanduser()
        try:
            recoded = session.current_recoded()
            work = session.recoded_writer(path, delimiter=self.delimiter.currentData())
        except WorkbenchError as error:
            document.failed.emit(error)
            return
        if not self.may_write(path):
            return
        document.runner.start(
            self.tr("Exporting {name}").format(name=path.name),
            work,
            on_done=partial(self._written, session, path, recoded),
            key=EXPORT_JOB,
            owner=document,
            keep_late_result=True,
        )

    def _written(self, session: Session, path: Path, recoded: Recoded, report: WriteReport) -> None:
        # Recorded where it was made, even if another project is open by now.
        session.record_recoded(path, recoded)
        document = self._document
        if session is not document.session:
            return
        document.changed.emit("file")
        document.changed.emit("result")
        if document.path is not None:
            document.save(document.path)
        document.noted.emit(
            "success", self.tr("{rows} rows were written to {file}.").format(rows=f"{report.rows:,}", file=path.name)
        )


class SyntacticPage(QScrollArea):
    """The page of the Release workspace for k-anonymity and its relatives."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.verdict = Badge(Status.WARNING, self.tr("No (ε, δ) claim"))
        set_explain(self.verdict, "anonymise.approach")
        self.models = label(wrap=True, strong=True, selectable=True)
        self._stale = label(
            self.tr("The settings were changed after this table was made. Make it again to export."), wrap=True
        )
        self.export = SyntacticExport(document)
        self.history = History()
        self._build()

    def refresh(self, records: list[ReleaseRecord]) -> None:
        """Show what holds for the table as it stands."""
        session = self._document.session
        recoded = session.recoded
        self.export.refresh()
        if recoded is None:
            return
        self.models.setText("\n".join(in_words(choice) for choice in recoded.question.models))
        self._stale.setVisible(not session.recoded_is_current)
        self.history.show_records(records)

    def _build(self) -> None:
        claim = Section(self.tr("Release"), level=1)
        top = QHBoxLayout()
        top.addWidget(self.verdict)
        top.addStretch(1)
        claim.add(top)
        claim.add(
            label(
                self.tr(
                    "Every released row satisfies the models below. That is a property of this table, not a guarantee "
                    "against everybody: which rows, groups and levels are in it depends on every row of the data."
                ),
                wrap=True,
            )
        )
        claim.add(self._stale)
        holds = Section(self.tr("What holds"))
        holds.add(self.models)
        not_so = Section(self.tr("What is not promised"))
        for words in (
            self.tr("Somebody who knows more about a person than the grouped columns say may still recognise them."),
            self.tr("A second release of the same people can undo the first; nothing adds up over several releases."),
            self.tr("Columns that are released as they are have no protection of their own."),
        ):
            not_so.add(label(words, muted=True, wrap=True))
        inside = QWidget()
        inside.setProperty("bare", "true")
        column = QVBoxLayout()
        column.setSpacing(tokens.SPACE_XL)
        for part in (claim, holds, self.export, not_so, self.history):
            column.addWidget(part)
        column.addStretch(1)
        middle = QWidget()
        middle.setProperty("bare", "true")
        middle.setMaximumWidth(2 * tokens.EMPTY_TEXT_WIDTH)
        middle.setLayout(column)
        row = QHBoxLayout(inside)
        row.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_XL, tokens.SPACE_XL, tokens.SPACE_XL)
        row.addWidget(middle, 1)
        row.addStretch(0)
        self.setWidget(inside)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
