"""Looking at a file before it is loaded: how it is written, what its columns are, which lines do not fit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QRadioButton,
    QTabWidget,
    QWidget,
)

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, Progress
from workbench.core.schema import ColumnSpec
from workbench.core.table import Column, Table
from workbench.engines.budget import in_words
from workbench.engines.choice import EngineChoice
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.engine_dialog import EngineDialog
from workbench.gui.engines import missing_package, too_large
from workbench.gui.large_data import DataSize, weigh
from workbench.gui.later import Later
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.engine_field import EngineField
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.table_view import CodesTableModel, DataTableView
from workbench.gui.workspaces.data.dialect_fields import DialectFields
from workbench.gui.workspaces.data.problems import problems_view
from workbench.gui.workspaces.data.raw_lines import RawLines
from workbench.io.dialect import Dialect
from workbench.io.infer import propose
from workbench.io.opening import FileContent
from workbench.io.parts import parts_of
from workbench.io.reading import FilePreview, preview

PREVIEW_JOB = "data.preview"

_ROWS = 500
_WAIT_MS = 150


@dataclass(frozen=True)
class PreviewContent:
    """The beginning of a file, as a table, with what its columns seem to be."""

    preview: FilePreview
    table: Table
    specs: tuple[ColumnSpec, ...]
    size: DataSize

    @property
    def doubtful(self) -> bool:
        """Whether somebody should look before the file is loaded: lines do not fit, or nothing names the columns."""
        return bool(self.preview.problems) or not self.preview.dialect.header


def look(path: Path, dialect: Dialect | None, progress: Progress) -> PreviewContent:
    """The first rows of a file, or of the first of several parts, and what its columns seem to be; for any thread.

    Raises
    ------
    WorkbenchError
        If the file cannot be read as a table.
    """
    size = weigh(path, progress)
    seen = preview(parts_of(path)[0], dialect, rows=_ROWS)
    progress(0.5)
    columns = zip(*seen.rows, strict=True) if seen.rows else ([] for _ in seen.names)
    table = Table(tuple(Column.from_texts(n, list(c)) for n, c in zip(seen.names, columns, strict=True)))
    specs = tuple(propose(column) for column in table.columns)
    progress(1.0)
    return PreviewContent(seen, table, specs, size)


class ImportPreview(QDialog):
    """A file as it would be read, with everything about that open to change.

    Parameters
    ----------
    dialect
        How to read it; recognised if not given.
    again
        The file is open already and is to be read in another way.

    Signals
    -------
    applied(object, bool, object)
        The `Dialect` to read the file with, whether to refuse it if rows cannot be read, and the `EngineChoice` to work
        on it with.
    """

    applied = Signal(object, bool, object)

    def __init__(
        self,
        path: Path,
        dialect: Dialect | None,
        document: Document,
        parent: QWidget | None = None,
        *,
        again: bool = False,
    ) -> None:
        super().__init__(parent)
        self._path = path
        self._document = document
        self._runner = document.runner
        self._again = again
        self._looked = False
        self._size, self._form, self._readable = DataSize(0, 1), FileContent.CSV, False
        self._engine_chosen = again
        self.dialect: Dialect | None = dialect
        self.setWindowTitle(f"How {path.name} is read" if again else f"Open {path.name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "data.preview")
        self._wait = Later(self, self._preview, _WAIT_MS)
        self.fields = DialectFields()
        self.table = DataTableView("First rows of the file")
        self.table.setModel(_PreviewModel(self.table))
        self.table.show_table(Table(()))
        self.table.horizontalHeader().setFixedHeight(2 * tokens.ROW_HEIGHT)
        self.raw = RawLines()
        self.problems, self._problems_model = problems_view("Lines that do not fit")
        self.pages = QTabWidget()
        self.summary = ElidedLabel()
        self.engine = EngineField(document.engines.spark)
        self.engine.show_engine(document.engine if again else document.engines.wanted)
        self.engine.changed.connect(self._choose_engine)
        self._lay_out()
        self.fields.changed.connect(self._changed)
        if dialect is not None:
            self.fields.show_dialect(dialect)
        self._start(dialect)

    def _lay_out(self) -> None:
        self.recognise = push_button("&Recognise again", self._recognise, name="Recognise how the file is written")
        self.skip_lines = QRadioButton("&Leave them out")
        self.stop = QRadioButton("Do &not open the file")
        self.skip_lines.setChecked(True)
        choice = QButtonGroup(self)
        for button in (self.skip_lines, self.stop):
            button.setAccessibleName(button.text().replace("&", ""))
            choice.addButton(button)
        left = boxes.column(
            self.fields,
            (self.recognise, Qt.AlignmentFlag.AlignLeft),
            boxes.Gap("m"),
            label("Rows that cannot be read", strong=True),
            self.skip_lines,
            self.stop,
            boxes.Gap("m"),
            label("Where it is worked on", strong=True),
            self.engine,
            spacing="s",
        )
        self.engine_note = label(wrap=True, small=True, selectable=True)
        left.addWidget(self.engine_note)
        self.budget = push_button(
            "Change the &budget…",
            self.change_budget,
            name="Change the memory budget",
            explain="engine.budget",
            quiet=True,
            align="left",
        )
        left.addWidget(self.budget)
        left.addStretch(1)
        self.pages.addTab(self.table, "As a table")
        self.pages.addTab(self.raw, "As it is written")
        self.pages.addTab(self.problems, "Problems")
        set_look(self.summary, muted=True, small=True)
        self.summary.setMinimumWidth(1)
        right = boxes.column((self.pages, 1), spacing="xs")
        below = boxes.row((self.summary, 1), analyst_badge(), spacing="s")
        right.addLayout(below)
        across = boxes.row(left, (right, 1), spacing="l")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.apply = self.buttons.addButton("", QDialogButtonBox.ButtonRole.AcceptRole)
        set_look(self.apply, primary=True)
        self.apply.setEnabled(False)
        self.apply.setDefault(True)
        self.in_memory = self.buttons.addButton("Open in &memory", QDialogButtonBox.ButtonRole.ActionRole)
        self.in_memory.clicked.connect(self._apply_in_memory)
        self._judge_engine()
        self.buttons.accepted.connect(self._apply)
        self.buttons.rejected.connect(self.reject)
        boxes.column((across, 1), self.buttons, margins="l", spacing="m", inside=self)
        self.resize(
            3 * tokens.EXPLAIN_WIDTH + 4 * tokens.SPACE_XL, 2 * tokens.EXPLAIN_WIDTH + 3 * tokens.CONTROL_HEIGHT
        )

    def _changed(self) -> None:
        self._wait.start()

    def _preview(self) -> None:
        try:
            self.dialect = self.fields.dialect()
        except WorkbenchError as error:
            self._refuse(error)
            return
        self._start(self.dialect)

    def _recognise(self) -> None:
        self._start(None)

    def _start(self, dialect: Dialect | None) -> None:
        self._wait.stop()
        self._runner.start(
            f"Previewing {self._path.name}",
            partial(look, self._path, dialect),
            on_done=self.show_seen,
            on_failed=self._failed,
            key=PREVIEW_JOB,
            latest_wins=True,
            only_reads=True,
        )

    def show_seen(self, found: PreviewContent) -> None:
        """Show the beginning of the file."""
        seen = found.preview
        self._size, self._form = found.size, seen.form
        if seen.form is not FileContent.CSV or self.dialect != seen.dialect:
            self.fields.show_form(seen.form, seen.sheets)
            self.fields.show_dialect(seen.dialect)
        self.dialect = seen.dialect
        self.recognise.setVisible(seen.form is not FileContent.PARQUET)
        model = self.table.model()
        assert isinstance(model, _PreviewModel)
        model.kinds = [spec.kind.words for spec in found.specs]
        self.table.show_table(found.table)
        model.set_numeric(spec.name for spec in found.specs if spec.kind.numeric)
        self.raw.show_lines(seen.lines, seen.dialect)
        self._problems_model.show_records(seen.problems)
        count = len(seen.problems)
        self.pages.setTabText(2, f"Problems ({count})" if count else "Problems")
        self._summarise(found)
        waited = not self.apply.isEnabled() and not self._looked
        self._looked = True
        self._readable = bool(seen.names)
        if not self._engine_chosen:
            self._engine_chosen = True
            self.engine.show_engine(self._document.engines.proposed(0 if self._bound else found.size.size))
        self._judge_engine()
        if waited and self.apply.isEnabled():
            self.apply.setFocus()

    def _summarise(self, found: PreviewContent) -> None:
        seen, rows = found.preview, found.table.rows
        all_of_it = rows < _ROWS
        words = "{rows} rows" if all_of_it else "the first {rows} rows"
        parts = [
            "1 column" if len(seen.names) == 1 else f"{len(seen.names)} columns",
            words.format(rows=f"{rows:,}"),
        ]
        if seen.problems:
            first = seen.problems[0]
            parts.insert(0, f"Line {first.line:,}: {first.reason}")
        self.summary.set_text(" · ".join(parts))
        set_look(self.summary, tone="warning" if seen.problems else "none", muted=not seen.problems)

    def _failed(self, error: BaseException) -> bool:
        if isinstance(error, WorkbenchError):
            self._refuse(error)
            return True
        return isinstance(error, Cancelled)

    def _refuse(self, error: WorkbenchError) -> None:
        self.dialect = None
        self.table.show_table(Table(()))
        self.summary.set_text(" ".join(filter(None, (error.message, error.hint))))
        set_look(self.summary, tone="error", muted=False)
        self._readable = False
        self._judge_engine()

    # Where it is worked on

    @property
    def _bound(self) -> bool:
        """Whether it can be worked on in memory only."""
        return self._form is FileContent.EXCEL

    def _choose_engine(self) -> None:
        self._engine_chosen = True
        self._judge_engine()

    def change_budget(self) -> EngineDialog:
        """Let the person say how much memory data may use."""
        dialog = EngineDialog(self._document, self)
        dialog.engine_chosen.connect(self.engine.show_engine)
        dialog.accepted.connect(self._judge_engine)
        dialog.open()
        dialog.budget.setFocus()
        return dialog

    def _judge_engine(self) -> None:
        """Say what the chosen engine means for a file of this size, and what the buttons do."""
        size, limit, engine = self._size, self._document.engines.limit, self.engine.engine
        if self._bound:
            self.engine.show_engine(EngineChoice())
            engine = self.engine.engine
        self.engine.setEnabled(not self._bound)
        large = size.size > limit
        missing = missing_package(engine)
        if missing:
            words = missing
        elif large:
            words = too_large(size.size, limit, parts=size.parts > 1)
        elif self._bound:
            words = "Workbooks are read in memory only."
        else:
            words = f"{in_words(size.size)}; up to {in_words(limit)} may be used."
        self.engine_note.setText(words if size.size else "")
        set_look(self.engine_note, tone="warning" if missing or large else "none", muted=not (missing or large))
        if engine.in_memory:
            self.apply.setText("&Open like this" if self._again else "&Open")
        else:
            self.apply.setText(f"&Open with {engine.title}")
        self.apply.setEnabled(self._readable and not missing)
        self.in_memory.setVisible(large and not engine.in_memory)
        self.in_memory.setEnabled(self._readable)

    def _apply_in_memory(self) -> None:
        self.engine.show_engine(EngineChoice())
        self._apply()

    def _apply(self) -> None:
        try:
            dialect = self.fields.dialect()
        except WorkbenchError as error:
            self._refuse(error)
            return
        strict, engine = self.stop.isChecked(), self.engine.engine
        # First: who hears of it may ask the person something, and meanwhile a closed window is taken down.
        self.accept()
        self.applied.emit(dialect, strict, engine)


class _PreviewModel(CodesTableModel):
    """A table whose headings also say what each column seems to be."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent=parent)
        self.kinds: list[str] = []

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        found = super().headerData(section, orientation, role)
        across = orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        if across and found is not None and section < len(self.kinds):
            return f"{found}\n{self.kinds[section]}"
        return found
