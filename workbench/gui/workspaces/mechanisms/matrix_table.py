"""The matrix as a table: every probability in its cell, shaded, larger or smaller as one likes."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from math import sqrt

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QKeySequence, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from workbench.core.number_text import estimate, percent
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.theme import colour, contrast, tabular_font
from workbench.mechanisms.channel import Channel

ZOOMS = (0.25, 0.4, 0.6, 0.8, 1.0, 1.3, 1.7, 2.2)
FIT = 4
_STRONGEST = 0.9
_NO_PARENT = QModelIndex()
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_TOOLTIP = int(Qt.ItemDataRole.ToolTipRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_CELL_WIDTH, _CELL_HEIGHT = (
    tokens.ROW_HEIGHT + tokens.SPACE_XS + tokens.SPACE_HAIR,
    tokens.CONTROL_HEIGHT + tokens.SPACE_HAIR,
)
_LETTERS = 12
_SEMIBOLD = 1.1
"""How much wider a heading is than the same words in a cell."""
_JUDGED = 200
_CELLS = 20
"""So many rows and columns are looked at for how wide numbers are."""
_DIGITS = 3
_LARGEST_FONT = 2 * tokens.FONT_BASE
_LINES = 4
"""A cell is so many lines high before its number grows."""
_READABLE = 4.5
"""The contrast that small text needs, after WCAG 2.2; of black and white one has it on any ground."""
_SMALLEST_FONT = tokens.FONT_SMALL - tokens.SPACE_HAIR

Index = QModelIndex | QPersistentModelIndex


class NumberForm(StrEnum):
    """The spelling of probabilities."""

    FRACTIONS = "Fractions"
    DECIMALS = "Decimals"
    PERCENT = "Per cent"


class MatrixModel(QAbstractTableModel):
    """A channel for Qt; texts are made when a cell is seen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.channel: Channel | None = None
        self.marked: frozenset[tuple[int, int]] = frozenset()
        self.form = NumberForm.FRACTIONS

    def show_channel(self, channel: Channel | None, marked: frozenset[tuple[int, int]]) -> None:
        """Show another channel, some cells of it marked."""
        self.beginResetModel()
        self.channel, self.marked = channel, marked
        self.endResetModel()

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() or self.channel is None else len(self.channel.inputs)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() or self.channel is None else len(self.channel.outputs)

    def data(self, index: Index, role: int = _DISPLAY) -> object:
        if self.channel is None:
            return None
        row, column = index.row(), index.column()
        if role == _DISPLAY:
            if self.form is NumberForm.FRACTIONS:
                return self.channel.text(row, column)
            return _texts(self.channel, row, column, self.form)[0]
        if role == _TOOLTIP:
            value = float(self.channel.floats[row, column])
            exact = f" = {self.channel.text(row, column)}" if self.channel.exact is not None else ""
            where = f"output {self.channel.outputs[column]} | input {self.channel.inputs[row]}"
            words = f"P({where}){exact} ≈ {estimate(value, 6)}"
            mark = "\n" + "This cell shows the ε." if (row, column) in self.marked else ""
            return words + mark
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> object:
        if self.channel is None:
            return None
        names = self.channel.outputs if orientation == Qt.Orientation.Horizontal else self.channel.inputs
        if not 0 <= section < len(names):
            return None
        if role == _DISPLAY:
            name = visible(names[section])
            return name if len(name) <= 2 * _LETTERS else f"{name[: 2 * _LETTERS - 1]}…"
        if role == _TOOLTIP:
            kind = "Output" if orientation == Qt.Orientation.Horizontal else "Input"
            return f"{kind} {names[section]}"
        return None


class _CellDelegate(QStyledItemDelegate):
    """Shade, fraction in two lines, and a frame around marked cells."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if not isinstance(model, MatrixModel) or model.channel is None:
            return
        row, column = index.row(), index.column()
        box: QRect = option.rect
        ground, ink = cell_colours(float(model.channel.floats[row, column]))
        painter.save()
        painter.fillRect(box, ground)
        painter.setPen(ink)
        painter.setFont(option.font)
        _write(painter, box, model.channel, row, column, model.form)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        if (row, column) in model.marked or chosen or focused:
            pen = painter.pen()
            pen.setColor(colour("chart_local" if (row, column) in model.marked and not focused else "focus"))
            pen.setWidth(2)
            painter.setPen(pen)
            painter.drawRect(box.adjusted(1, 1, -1, -1))
        painter.restore()


def cell_colours(value: float) -> tuple[QColor, QColor]:
    """The ground of a cell with this probability, and what is written on it: of the theme, if that can be read."""
    ground = _shade(value)
    for inks in ((colour("text"), colour("surface")), (QColor("black"), QColor("white"))):
        ink = max(inks, key=lambda one: contrast(one.name(), ground.name()))
        if contrast(ink.name(), ground.name()) >= _READABLE:
            break
    return ground, ink


def _shade(value: float) -> QColor:
    """The root of the probability, so that small ones can be seen."""
    share = _STRONGEST * sqrt(max(value, 0.0))
    ground, strong = colour("surface"), colour("chart_global")
    mixed = QColor()
    mixed.setRgbF(
        ground.redF() + (strong.redF() - ground.redF()) * share,
        ground.greenF() + (strong.greenF() - ground.greenF()) * share,
        ground.blueF() + (strong.blueF() - ground.blueF()) * share,
    )
    return mixed


def _texts(channel: Channel, row: int, column: int, form: NumberForm) -> list[str]:
    """The number in the wanted form, the longest first, each shorter than the one before."""
    number = float(channel.floats[row, column])
    if form is NumberForm.PERCENT:
        return [percent(number, digits) for digits in range(_DIGITS + 1, 0, -1)]
    exact = [channel.text(row, column)] if form is NumberForm.FRACTIONS and channel.exact is not None else []
    most = _DIGITS if form is NumberForm.FRACTIONS else _DIGITS + 1
    return exact + [estimate(number, digits) for digits in range(most, 0, -1)]


def _write(painter: QPainter, box: QRect, channel: Channel, row: int, column: int, form: NumberForm) -> None:
    """The number as it best fits, large in large cells: a fraction in two lines or one, a short decimal, or nothing."""
    inside = box.adjusted(1, 0, -1, 0)
    stacked = form is NumberForm.FRACTIONS and channel.exact is not None
    value = channel.exact[row][column] if stacked and channel.exact is not None else None
    centred = int(Qt.AlignmentFlag.AlignCenter)
    usual = painter.font()
    large = min(max(box.height() // _LINES, usual.pixelSize()), _LARGEST_FONT)
    for size in dict.fromkeys((large, usual.pixelSize(), _SMALLEST_FONT)):
        font = QFont(usual)
        font.setPixelSize(size)
        painter.setFont(font)
        if value is not None and value.denominator != 1 and _stacked(painter, inside, painter.fontMetrics(), value):
            return
    texts = _texts(channel, row, column, form)
    for size in dict.fromkeys((large, usual.pixelSize(), _SMALLEST_FONT)):
        font = QFont(usual)
        font.setPixelSize(size)
        painter.setFont(font)
        if painter.fontMetrics().horizontalAdvance(texts[0]) <= inside.width():
            break
    metrics = painter.fontMetrics()
    if metrics.height() > inside.height():
        return
    fitting = next((text for text in texts if metrics.horizontalAdvance(text) <= inside.width()), "")
    painter.drawText(inside, centred, fitting)


def _stacked(painter: QPainter, box: QRect, metrics: QFontMetrics, value: Fraction) -> bool:
    """Numerator over denominator, if there is room."""
    if value.denominator.bit_length() > 40:
        return False
    top, bottom = str(value.numerator), str(value.denominator)
    width = max(metrics.horizontalAdvance(top), metrics.horizontalAdvance(bottom))
    height = metrics.ascent() + tokens.SPACE_HAIR
    if width > box.width() or 2 * height + tokens.SPACE_HAIR > box.height():
        return False
    middle = box.center().y()
    centred = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter)
    painter.drawText(QRect(box.left(), middle - height, box.width(), height), centred, top)
    painter.drawText(QRect(box.left(), middle + tokens.SPACE_HAIR, box.width(), height), centred, bottom)
    left = box.center().x() - width // 2
    painter.drawLine(QPoint(left, middle), QPoint(left + width, middle))
    return True


class MatrixTable(QTableView):
    """The heat map. Ctrl and the wheel, or + and −, make the cells larger and smaller."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cells = MatrixModel(self)
        self.setModel(self.cells)
        self.setItemDelegate(_CellDelegate(self))
        self.setAccessibleName(name)
        self.setFont(tabular_font())
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setHighlightSections(False)
            header.setMinimumSectionSize(tokens.SPACE_XS)
            header.setDefaultAlignment(Qt.AlignmentFlag.AlignCenter)
        self._zoom = FIT

    @property
    def zoom(self) -> int:
        """Position among `ZOOMS`."""
        return self._zoom

    def show_channel(self, channel: Channel | None, marked: frozenset[tuple[int, int]] = frozenset()) -> None:
        """Show a channel; cells fill the pane as far as they stay readable."""
        self.cells.show_channel(channel, marked)
        self._fit()

    def show_form(self, form: NumberForm) -> None:
        """Write the probabilities in another form."""
        self.cells.form = form
        self._fit()
        self.viewport().update()

    def set_zoom(self, place: int) -> None:
        """Make the cells larger or smaller."""
        self._zoom = min(max(place, 0), len(ZOOMS) - 1)
        self._fit()

    def _fit(self) -> None:
        rows, columns = self.cells.rowCount(), self.cells.columnCount()
        if not rows or not columns:
            return
        self._fit_heads(columns)
        if self.verticalHeader().width() != (wanted := self._names_width()):
            self.verticalHeader().setFixedWidth(wanted)
            # Else the cells stay where they were, partly below the names.
            self.updateGeometries()
        # Room for the headings, unless it is taken off already.
        taken = self.viewportMargins()
        heads = QSize(self.verticalHeader().width() - taken.left(), self.horizontalHeader().height() - taken.top())
        view = self.maximumViewportSize() - heads
        # A bar for what is too long must not make the other direction too long as well.
        if rows * _CELL_HEIGHT > view.height():
            view.setWidth(view.width() - self.verticalScrollBar().sizeHint().width())
        if columns * self._least_width() > view.width():
            view.setHeight(view.height() - self.horizontalScrollBar().sizeHint().height())
        width = max(view.width() // columns, self._least_width())
        height = max(view.height() // rows, _CELL_HEIGHT)
        factor = ZOOMS[self._zoom]
        self.horizontalHeader().setDefaultSectionSize(max(round(width * factor), tokens.SPACE_XS))
        self.verticalHeader().setDefaultSectionSize(max(round(height * factor), tokens.SPACE_XS))

    def _fit_heads(self, columns: int) -> None:
        """Two lines of headings where one has no room for the names of the outputs, as of several answers."""
        header = self.horizontalHeader()
        room = (self.maximumViewportSize().width() - self._names_width()) // columns
        padded = round(_SEMIBOLD * _widest(header, self._outputs)) + 2 * tokens.SPACE_S
        several = padded > max(room, self._least_width()) and any(" " in name for name in self._outputs[:_JUDGED])
        centred = Qt.AlignmentFlag.AlignCenter
        header.setDefaultAlignment(centred | Qt.TextFlag.TextWordWrap if several else centred)
        # Of one line both ends would be cut, and nothing would say so; what is broken into lines is not cut before.
        header.setTextElideMode(Qt.TextElideMode.ElideNone if several else Qt.TextElideMode.ElideRight)
        header.setMinimumHeight(2 * header.fontMetrics().lineSpacing() + tokens.SPACE_S if several else 0)

    @property
    def _outputs(self) -> Sequence[str]:
        return () if self.cells.channel is None else self.cells.channel.outputs

    def _least_width(self) -> int:
        """Room for a number and, where it is short, for the name of the output."""
        # Semibold, and within the padding of headings, into which no letter is drawn.
        padded = round(_SEMIBOLD * _widest(self.horizontalHeader(), self._outputs)) + 2 * tokens.SPACE_S
        return max(_CELL_WIDTH, min(max(padded, self._numbers_width()), tokens.METER_WIDTH))

    def _numbers_width(self) -> int:
        """Room for decimals with all their digits, as the text beside the matrix has them; fractions may be decimals.

        As of headings, that of some hundred numbers is enough.
        """
        channel, form = self.cells.channel, self.cells.form
        if channel is None or form is NumberForm.FRACTIONS:
            return 0
        font = QFont(self.font())
        font.setPixelSize(_SMALLEST_FONT)
        metrics = QFontMetrics(font)
        rows, columns = (range(min(count, _CELLS)) for count in channel.floats.shape)
        texts = {_texts(channel, row, column, form)[0] for row in rows for column in columns}
        return max(map(metrics.horizontalAdvance, texts), default=0) + tokens.SPACE_XS

    def _names_width(self) -> int:
        channel = self.cells.channel
        widest = _widest(self.verticalHeader(), channel.inputs if channel is not None else ())
        return min(max(widest + 3 * tokens.SPACE_S, tokens.ICON + tokens.SPACE_S), tokens.FIELD_WIDTH)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.set_zoom(self._zoom + (1 if event.angleDelta().y() > 0 else -1))
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.ZoomIn) or event.text() == "+":
            self.set_zoom(self._zoom + 1)
        elif event.matches(QKeySequence.StandardKey.ZoomOut) or event.text() in ("-", "−"):
            self.set_zoom(self._zoom - 1)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()


def _widest(header: QHeaderView, names: Sequence[str]) -> int:
    """Pixels of the widest name, judged from some hundred."""
    metrics = header.fontMetrics()
    return max((metrics.horizontalAdvance(name[: 2 * _LETTERS]) for name in names[:_JUDGED]), default=0)
