"""A small table in which somebody types how many reports name each answer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QTableView,
    QWidget,
)

from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.theme import colour, tabular_font

Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_DISPLAY, _EDIT = int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.EditRole)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_MOST_SEEN = 12
"""Answers that are seen at once; of more one scrolls."""


class TallyModel(QAbstractTableModel):
    """One number for each answer, as it was typed; what was typed for an answer comes back with it.

    Signals
    -------
    changed()
        Another number was typed.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answers: tuple[str, ...] = ()
        self._typed: dict[str, str] = {}

    def show_answers(self, answers: Sequence[str]) -> None:
        """Ask for these."""
        if tuple(answers) != self._answers:
            self.beginResetModel()
            self._answers = tuple(answers)
            self.endResetModel()

    @property
    def tallies(self) -> tuple[int, ...]:
        """The numbers in the order of the answers; 0 where nothing is typed, or what is no number."""
        return tuple(_whole(self._typed.get(one, "")) or 0 for one in self._answers)

    @property
    def problem(self) -> str:
        """What is no number, in a sentence; "" where everything is."""
        wrong = (one for one in self._answers if self._typed.get(one) and _whole(self._typed[one]) is None)
        first = next(wrong, None)
        return "" if first is None else f"“{visible(self._typed[first])}” at {visible(first)} is no whole number."

    @property
    def empty(self) -> bool:
        """Whether nothing is typed yet."""
        return not any(self._typed.get(one) for one in self._answers)

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._answers)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else 1

    def data(self, index: Index, role: int = _DISPLAY) -> object:
        answer = self._answers[index.row()]
        text = self._typed.get(answer, "")
        if role in (_DISPLAY, _EDIT):
            return text
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{visible(answer)}: {text or 'not typed yet'}"
        if role == Qt.ItemDataRole.ForegroundRole and text and _whole(text) is None:
            return QBrush(colour("error"))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if orientation is Qt.Orientation.Horizontal else _LEFT
        if orientation is Qt.Orientation.Horizontal:
            return "How many reported it" if role == _DISPLAY else None
        return visible(self._answers[section]) if role in (_DISPLAY, Qt.ItemDataRole.ToolTipRole) else None

    def setData(self, index: Index, value: object, role: int = _EDIT) -> bool:
        if role != _EDIT:
            return False
        self.fill(index.row(), [str(value)])
        return True

    def fill(self, row: int, texts: Sequence[str]) -> None:
        """Type these, from an answer on downwards."""
        for answer, text in zip(self._answers[row:], texts, strict=False):
            self._typed[answer] = text.strip()
        self.dataChanged.emit(self.index(row, 0), self.index(len(self._answers) - 1, 0))
        self.changed.emit()

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable


def _whole(text: str) -> int | None:
    """A whole number from 0; None for what is none."""
    digits = text.replace(",", "").replace("\u202f", "").replace(" ", "")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 16 else None


class _Downwards(QStyledItemDelegate):
    """Enter goes on with the next answer; several lines that are pasted go on by themselves."""

    pasted = Signal()

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            hints = QAbstractItemDelegate.EndEditHint
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.commitData.emit(editor)
                self.closeEditor.emit(editor, hints.EditNextItem)
                return True
            if event.matches(QKeySequence.StandardKey.Paste) and len(_pasted()) > 1:
                self.closeEditor.emit(editor, hints.RevertModelCache)
                self.pasted.emit()
                return True
        return super().eventFilter(editor, event)


def _pasted() -> list[str]:
    return QGuiApplication.clipboard().text().splitlines()


class TallyTable(QTableView):
    """Shows a `TallyModel`; a column that was copied from a sheet is pasted downwards.

    Signals
    -------
    typed_last()
        Enter was pressed at the last answer.
    """

    typed_last = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.tallies = TallyModel(self)
        self.setModel(self.tallies)
        downwards = _Downwards(self)
        downwards.pasted.connect(self._paste)
        self.setItemDelegate(downwards)
        self.setAccessibleName("How many reported each answer")
        self.setFont(tabular_font())
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.AllEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        across, down = self.horizontalHeader(), self.verticalHeader()
        across.setStretchLastSection(True)
        across.setFixedHeight(tokens.CONTROL_HEIGHT)
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        down.setDefaultSectionSize(tokens.ROW_HEIGHT)
        down.setMaximumWidth(tokens.COLUMN_MAX)
        self.setCornerButtonEnabled(False)

    def show_answers(self, answers: Sequence[str]) -> None:
        """Ask for these, as many at once as can be read without scrolling."""
        self.tallies.show_answers(answers)
        rows = min(len(answers), _MOST_SEEN)
        self.setFixedHeight(tokens.CONTROL_HEIGHT + rows * tokens.ROW_HEIGHT + 2 * self.frameWidth())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste):
            self._paste()
        else:
            super().keyPressEvent(event)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        hints = QAbstractItemDelegate.EndEditHint
        # By itself it would begin again above.
        last = hint is hints.EditNextItem and self.currentIndex().row() == self.tallies.rowCount() - 1
        super().closeEditor(editor, hints.NoHint if last else hint)
        if last:
            self.typed_last.emit()

    def begin(self) -> None:
        """Type at the first answer."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.setCurrentIndex(self.tallies.index(0, 0))

    def _paste(self) -> None:
        self.tallies.fill(max(self.currentIndex().row(), 0), _pasted())
