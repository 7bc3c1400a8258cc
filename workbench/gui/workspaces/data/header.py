"""The lines above the columns: which file, what lies beside it, how it was read, and which of its rows take part."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from workbench.core.number_text import counted
from workbench.core.schema import ColumnSpec
from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.workspaces.data.date_letters import mixed_dates
from workbench.gui.workspaces.data.files_beside import FilesBeside
from workbench.gui.workspaces.data.which_rows import WhichRows
from workbench.io.dialect_words import dialect_words
from workbench.io.reading import Reading
from workbench.session.missing_words import usual_missing

_BY_LIST = "By the program’s own list. Choose a column to change it for that one."


class FileHeader(QWidget):
    """File name, size, what lies beside it, the rows that take part, and what can be done about all that.

    Signals
    -------
    problems_requested(), options_requested()
        The buttons.
    """

    problems_requested = Signal()
    options_requested = Signal()

    def __init__(self, which_rows: WhichRows, beside: FilesBeside, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._beside = beside
        self.name = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        set_look(self.name, heading=1)
        self.facts = ElidedLabel()
        set_look(self.facts, muted=True)
        self._read = self._written = self._missing = self._dates = ""
        self.problems = QPushButton()
        self.problems.hide()
        self.problems.setIcon(icon("warning", "warning"))
        self.problems.setToolTip("Show which lines, and why")
        self.options = QPushButton("Rea&ding options…")
        self.problems.setAccessibleName("Lines with problems")
        self.options.setAccessibleName("Reading options…")
        self.problems.clicked.connect(self.problems_requested)
        self.options.clicked.connect(self.options_requested)
        beside.arrived.connect(self._show_facts)
        set_explain(self, "data.preview")
        boxes.row(
            (boxes.column(self.name, boxes.row(self.facts, (which_rows, 1), 1, spacing="m"), spacing=0), 1),
            self.problems,
            which_rows.choose,
            self.options,
            margins="0 0 xs 0",  # to end where the columns below do
            spacing="s",
            inside=self,
        )

    def show_reading(self, reading: Reading, *, looked: bool) -> None:
        """Describe a file that was read; how many rows it has exactly is the data's, and seen after a look."""
        table = reading.table
        self.name.set_text(reading.path.name)
        rows = f"{counted(table.rows, 'row')} · " if looked else ""
        columns = len(table.columns)
        named = "1 column" if columns == 1 else f"{columns:,} columns"
        self._read, self._written = f"{rows}{named}", dialect_words(reading.dialect)
        self._show_facts()
        self.name.setToolTip(str(reading.path))
        count = reading.problem_count
        words = "1 line with a problem" if count == 1 else "{count} lines with problems"
        self.problems.setText(words.format(count=f"{count:,}"))
        self.problems.setAccessibleName(self.problems.text())
        self.problems.setVisible(bool(count))

    def show_missing(self, columns: Iterable[ColumnSpec]) -> None:
        """Say which texts stand for no value although nobody said so, and which columns have dates of several kinds."""
        specs = list(columns)
        self._missing, self._dates = usual_missing(specs), mixed_dates(specs)
        self._show_facts()

    def _show_facts(self) -> None:
        self.facts.set_text(" · ".join(filter(None, (self._read, self._beside.words, self._dates, self._missing))))
        more = [one for one in (self._beside.tip, _BY_LIST if self._missing else "") if one]
        if more:
            self.facts.setToolTip("\n".join((self.facts.full_text, *more)))
        what = "Delimiter, encoding, quotation mark, header and lines to skip"
        self.options.setToolTip(f"Read as: {self._written}\n{what}" if self._written else what)
