"""A few ways to share detail among columns, so that it is seen which pays for which, and one can be taken as it is."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QBrush, QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QDialog, QHeaderView, QWidget

from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import colour, set_look, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.records import RIGHT, RecordColumn, RecordsModel, records_view
from workbench.session.release.ways import SharedDetail, ways

TITLE = "Ready-made choices"
_ABOUT = (
    "Not all columns can be fine at once: each line keeps others longest from becoming *. No row is read for it, and "
    "nothing is spent. Choose by what the release is for, never by its rows."
)
_NONE = "No other ticks were found that tell more. To try other details, press one in the table."
_LINES = 6


class WaysDialog(QDialog):
    """Shows the ways as soon as they are worked out; the line that is taken is one step of undo."""

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self._document = document
        self.setWindowTitle(TITLE)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "anonymise.ways")
        self.model = _Ways(
            (
                RecordColumn("Told in most rows", lambda one: ", ".join(one.mostly) or "–"),
                RecordColumn("In part of them", lambda one: ", ".join(one.partly) or "–"),
                RecordColumn("Not told", lambda one: ", ".join(one.never) or "–"),
                RecordColumn(
                    "% of rows", lambda one: one.rows_words, RIGHT, "How many of all rows are likely to come out"
                ),
            )
        )
        self.view = records_view(f"{TITLE}: ways to choose from", self.model)
        self.view.setWordWrap(True)
        # What a line says is whole, in as many lines of text as it takes.
        self.view.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.view.setMinimumHeight((_LINES + 1) * 2 * tokens.ROW_HEIGHT)
        head = self.view.horizontalHeader()
        for place in range(3):
            head.setSectionResizeMode(place, QHeaderView.ResizeMode.Stretch)
        head.setSectionResizeMode(3, QHeaderView.ResizeMode.ResizeToContents)
        self.told = label("Working them out…", small=True, muted=True, wrap=True)
        self.use = push_button("&Take this way", self.accept, primary=True)
        self.use.setDefault(True)
        self.use.setEnabled(False)
        close = push_button("Close", self.reject)
        self.about = label(_ABOUT, wrap=True)
        boxes.column(
            self.about,
            (self.view, 1),
            self.told,
            boxes.row(1, self.use, close, spacing="s"),
            margins="l",
            spacing="m",
            inside=self,
        )
        self.resize(2 * tokens.STEPS_WIDTH + tokens.RAIL_WIDTH, self.sizeHint().height())
        self.view.selectionModel().currentRowChanged.connect(self._pick)
        self.view.doubleClicked.connect(self.accept)
        document.runner.start(
            TITLE,
            partial(ways, document.session.snapshot()),
            on_done=self._show,
            key="ways to share detail",
            latest_wins=True,
            owner=self,
            aside=True,
        )

    def accept(self) -> None:
        """Take the chosen line over."""
        row = self.view.currentIndex().row()
        if row < 0 or self.model.records[row].is_now:
            return
        if self._document.apply("Which columns matter most", self.model.records[row].edit):
            super().accept()

    def _show(self, found: tuple[SharedDetail, ...]) -> None:
        self.model.show_records(found)
        self._fit()
        if len(found) > 1:
            self.told.setText("The first line, in bold, is how the settings stand.")
            self.view.selectRow(0)  # another is taken by whoever chooses it
            self.view.setFocus()
            return
        self.told.setText(_NONE)
        for part in (self.about, self.view, self.use):  # how the settings stand is in the table behind it
            part.hide()
        set_look(self.told, tone="none")
        self.adjustSize()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give each line the room of its words at the width that the columns have."""
        metrics = QFontMetrics(_bold())
        for row in range(len(self.model.records)):
            one = self.model.records[row]
            lines = 1
            for place, words in enumerate((one.mostly, one.partly, one.never)):
                room = max(self.view.columnWidth(place) - 2 * tokens.SPACE_M, tokens.COLUMN_MIN)
                shape = metrics.boundingRect(0, 0, room, 0, Qt.TextFlag.TextWordWrap, ", ".join(words))
                lines = max(lines, -(-shape.height() // metrics.lineSpacing()))
            self.view.setRowHeight(row, lines * metrics.lineSpacing() + tokens.SPACE_S)

    def _pick(self, now: QModelIndex) -> None:
        self.use.setEnabled(now.isValid() and not self.model.records[now.row()].is_now)


def _bold() -> QFont:
    font = QFont(tabular_font())
    font.setBold(True)
    return font


class _Ways(RecordsModel[SharedDetail]):
    """Lines of ways; the present one is bold."""

    def look(self, row: int, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.FontRole and self.records[row].is_now:
            return _bold()
        if role == Qt.ItemDataRole.ForegroundRole and column == 2:
            return QBrush(colour("muted"))
        return self.columns[column].text(self.records[row]) if role == Qt.ItemDataRole.ToolTipRole else None
