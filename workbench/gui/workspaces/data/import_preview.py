"""Looking at a file before it is loaded: how it is written, what its columns are, which lines do not fit."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QProgressBar,
    QRadioButton,
    QTabWidget,
    QWidget,
)

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import counted
from workbench.core.schema import Kind
from workbench.core.table import Table
from workbench.engines.choice import EngineChoice
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.later import Later
from workbench.gui.runner import Job
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.buttons import push_button, tool_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label, on_button
from workbench.gui.workspaces.data.dialect_fields import DialectFields
from workbench.gui.workspaces.data.kinds_table import KindsTable
from workbench.gui.workspaces.data.previewing import PreviewContent, look
from workbench.gui.workspaces.data.raw_lines import RawLines
from workbench.gui.workspaces.data.troubles import ProblemsPage
from workbench.gui.workspaces.data.worked_on import WorkedOn
from workbench.io.addresses import PASSWORD
from workbench.io.column_troubles import ColumnTrouble
from workbench.io.dialect import Dialect
from workbench.io.opening import FileContent
from workbench.io.reading import ReadingProblem
from workbench.session.file_preview import WholeContent, look_through

PREVIEW_JOB = "data.preview"
WHOLE_JOB = "data.preview.whole"

_WAIT_MS = 150


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
    applied(object, bool, object, object)
        The `Dialect` to read the file with, whether to refuse it if rows cannot be read, the `EngineChoice` to work
        on it with, the `Kind` of columns by name, where the person said it, and each `ColumnTrouble` to be mended.
    refused_who_asked()
        The server of a database wants another user or password, and the dialog was closed.
    """

    applied = Signal(object, bool, object, object, object)
    refused_who_asked = Signal()

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
        self._readable = self._led = False
        self.dialect: Dialect | None = dialect
        self.setWindowTitle(f"How {path.name} is read" if again else f"Open {path.name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "data.preview")
        self._wait = Later(self, self._preview, _WAIT_MS)
        self.fields = DialectFields()
        self.kept = KindsTable()
        self.table, self.kind, self.kind_of = self.kept.table, self.kept.kind, self.kept.kind_of
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setMaximumWidth(tokens.METER_WIDTH)
        self.bar.setAccessibleName("How much of the file was read")
        self.stop_reading = tool_button(act=self._stop, icon=icon("close"), tip="Do not read the whole file")
        self.stop_reading.setAccessibleName(self.stop_reading.toolTip())
        self.refusal = label(wrap=True, tone="error", selectable=True)
        self.refusal.hide()
        self._whole: Job | None = None
        self._lines = 0
        self.raw = RawLines()
        self.problems = ProblemsPage()
        self.problems.changed.connect(self._mended)
        self.pages = QTabWidget()
        self.summary = ElidedLabel()
        self.where = WorkedOn(document, again=again)
        self.engine, self.engine_note = self.where.field, self.where.note
        self._lay_out()
        self.fields.changed.connect(self._changed)
        if dialect is not None:
            self.fields.show_dialect(dialect)
        self._runner.progress.connect(self._show_progress)
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
            self.where,
            1,
            spacing="s",
        )
        self.pages.addTab(self.kept, "As a table")
        self.pages.addTab(self.raw, "As it is written")
        self.pages.addTab(self.problems, "Problems")
        set_look(self.summary, muted=True, small=True)
        self.summary.setMinimumWidth(1)
        below = boxes.row(analyst_badge(), (self.summary, 1), self.bar, self.stop_reading, spacing="s")
        below.addStrut(tokens.CONTROL_HEIGHT)
        self._rest = QWidget()
        self._rest.hide()
        right = boxes.column(self.refusal, (self.pages, 1), (self._rest, 1), boxes.boxed(below), spacing="s")
        across = boxes.row(left, (right, 1), spacing="l")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.apply = self.buttons.addButton("", QDialogButtonBox.ButtonRole.AcceptRole)
        self.in_memory = self.buttons.addButton("Open in &memory", QDialogButtonBox.ButtonRole.ActionRole)
        self.in_memory.clicked.connect(self._apply_in_memory)
        self.mend = self.buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        set_look(self.mend, primary=True)
        self.mend.clicked.connect(self._mend_and_apply)
        self._show_buttons()
        self.where.judged.connect(self._show_buttons)
        self.buttons.accepted.connect(self._apply)
        self.buttons.rejected.connect(self.reject)
        boxes.column((across, 1), self.buttons, margins="l", spacing="m", inside=self)
        self.setSizeGripEnabled(True)
        self._show_reading(None)
        over = self.parentWidget()
        room = over.window().size() if over is not None else QSize(tokens.WINDOW_WIDTH, tokens.WINDOW_HEIGHT)
        screen = self.screen().availableGeometry().size()  # a window may be larger than it, or not be placed yet
        self.resize(room.boundedTo(screen) - QSize(2 * tokens.SPACE_XL, 3 * tokens.SPACE_XL))

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
        self._stop()
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
        if seen.form is not FileContent.CSV or self.dialect != seen.dialect:
            self.fields.show_form(seen.form, seen.sheets)
            self.fields.show_dialect(seen.dialect)
        self.dialect = seen.dialect
        self.recognise.setVisible(seen.form is FileContent.CSV or seen.form.sheets)
        self._show_pages(True)
        self.kept.show_table(found.table)
        self.raw.show_lines(seen.lines, seen.dialect)
        self.kept.show_kinds(found.specs)
        self._show_problems(seen.problems, len(seen.problems), found.troubles)
        self._summarise(found.table.rows, seen.problems, len(seen.problems), whole=found.whole)
        if not found.whole and found.size.size <= self._document.engines.limit:
            self._read_on()
        waited = not self.apply.isEnabled() and not self._looked
        self._looked = True
        self._readable = bool(seen.names)
        self.where.show_size(found.size, bound=not seen.form.for_engines)
        if waited and self.apply.isEnabled():
            (self.mend if self.problems.to_mend else self.apply).setFocus()

    # All of the file

    def _read_on(self) -> None:
        """Read the whole file, so that kinds and problems are those it will be opened with."""
        assert self.dialect is not None
        self._whole = self._runner.start(
            f"Reading {self._path.name}",
            partial(look_through, self._path, self.dialect),
            on_done=self._show_whole,
            on_failed=self._whole_failed,
            key=WHOLE_JOB,
            latest_wins=True,
            only_reads=True,
        )
        self._show_reading(0.0)

    def _show_progress(self, job: Job, fraction: float, _text: str) -> None:
        if job is self._whole:
            self._show_reading(fraction)

    def _show_reading(self, fraction: float | None) -> None:
        """Show how much was read; None where nothing is being read. What is beside it keeps its place."""
        for widget in (self.bar, self.stop_reading):
            widget.setVisible(fraction is not None)
        self.bar.setValue(round(100 * (fraction or 0)))

    def _show_whole(self, found: WholeContent) -> None:
        self._whole = None
        self._show_reading(None)
        self.kept.show_kinds(found.specs)
        self._show_problems(found.problems, found.problem_count, found.troubles)
        self._summarise(found.rows, found.problems, found.problem_count, whole=True)

    def _whole_failed(self, error: BaseException) -> bool:
        self._whole = None
        self._show_reading(None)
        return self._failed(error)

    def _stop(self) -> None:
        if self._whole is not None:
            self._whole.cancel()
            self._whole = None
            self._show_reading(None)

    def done(self, result: int) -> None:
        self._stop()
        super().done(result)

    # What was found

    def _show_pages(self, shown: bool) -> None:
        """Show what is in the file, or in its place why nothing can be shown."""
        for widget in (self.pages, self.summary):
            widget.setVisible(shown)
        for other in (self.refusal, self._rest):
            other.setVisible(not shown)

    @property
    def kinds(self) -> dict[str, Kind]:
        """Kinds that the user chose for columns, by name."""
        return self.kept.kinds

    def _show_problems(
        self, problems: tuple[ReadingProblem, ...], count: int, troubles: tuple[ColumnTrouble, ...]
    ) -> None:
        self.problems.show_problems(problems, troubles)
        self._lines = count
        self._mended()
        if self._lines + self.problems.to_mend and not self._led and not self._again:
            self._led = True  # once: whoever turns to another page stays there
            self.pages.setCurrentWidget(self.problems)
        if self.problems.to_mend and self.apply.hasFocus():
            self.mend.setFocus()

    def _mended(self) -> None:
        """Tell what is left to be looked at, and what kinds follow."""
        left = self._lines + self.problems.open_troubles
        self.pages.setTabText(2, f"Problems ({left:,})" if left else "Problems")
        self.kept.mark_kinds(self.problems.mended_specs(self.kept.specs))
        self._show_buttons()

    def _summarise(self, rows: int, problems: tuple[ReadingProblem, ...], count: int, *, whole: bool) -> None:
        columns = len(self.kept.specs)
        parts = ["1 column" if columns == 1 else f"{columns} columns"]
        looked = self._again and self._document.looked
        every = counted(rows, "row") if looked else "every row read"
        parts.append(every if whole else f"kinds from the first {rows:,} rows")
        if problems:
            first = problems[0]
            more = f", and {count - 1:,} more" if count > 1 else ""
            parts.insert(0, f"Line {first.line:,}: {first.reason}{more}")
        self.summary.set_text(" · ".join(parts))
        set_look(self.summary, tone="warning" if problems else "none", muted=not problems)

    def _failed(self, error: BaseException) -> bool:
        if isinstance(error, WorkbenchError):
            self._refuse(error)
            return True
        return False

    def _refuse(self, error: WorkbenchError) -> None:
        if error.field == PASSWORD:
            self.reject()
            self.refused_who_asked.emit()
            return
        self.dialect = None
        self._stop()
        self.kept.show_table(Table(()))
        self.kept.show_kinds(())
        self.refusal.setText(str(error))
        self._show_pages(False)
        self.summary.set_text(str(error))
        set_look(self.summary, tone="error", muted=False)
        self._readable = False
        self._show_buttons()

    # Opening it

    def _show_buttons(self) -> None:
        """Say what the buttons do; while something can be mended, to mend it first is what is proposed."""
        engine, to_mend = self.engine.engine, self.problems.to_mend
        words = "&Open like this" if self._again else "&Open"
        if to_mend:
            words = "&Open as it is"
        if not engine.in_memory:
            words = f"{words} with {engine.title}"
        ready = self._readable and not self.where.missing
        self.apply.setText(words)
        self.mend.setText(on_button(f"Mend {self.problems.named} and open"))
        self.mend.setAccessibleName(f"Mend {self.problems.named} and open")
        self.mend.setVisible(to_mend > 0)
        for button in (self.apply, self.mend):
            button.setEnabled(ready)
        set_look(self.apply, primary=not to_mend)
        (self.mend if to_mend else self.apply).setDefault(True)
        self.in_memory.setVisible(self.where.large and not engine.in_memory)
        self.in_memory.setEnabled(self._readable)

    def _mend_and_apply(self) -> None:
        self.problems.mend_everything()
        self._apply()

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
        self.applied.emit(dialect, strict, engine, dict(self.kinds), self.problems.mended)
