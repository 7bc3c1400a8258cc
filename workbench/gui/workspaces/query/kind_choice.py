"""The list of questions, each with its purpose in a line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionViewItem, QWidget

from workbench.core.unit_words import ROWS
from workbench.gui import tokens
from workbench.gui.theme import colour
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.shown_text import ShownText
from workbench.query.catalogue import QueryKind

_PURPOSE = int(Qt.ItemDataRole.UserRole) + 1
_MOST_VISIBLE = 40
"""All of them, also with those of plugins: what a screen has no room for is scrolled to."""
_NO_DELTA = "Costs a δ, of which the budget of this data has none"
_FIRST = (
    "count", "sum", "mean", "median", "histogram", "group-by", "histogram2d", "quantile", "minimum", "maximum",
    "variance", "standard-deviation", "narrowed", "mode", "noisy-max", "above-threshold", "bounds",
)  # fmt: skip


class KindChoice(ComboBox):
    """A combo box whose list says beside each question what it answers."""

    def __init__(self, name: str, kinds: Sequence[QueryKind], parent: QWidget | None = None) -> None:
        super().__init__(name, [(kind.title, kind.identifier) for kind in kinds], parent)
        self._kinds, self._matching = tuple(kinds), ROWS
        for row, kind in enumerate(kinds):
            self._say_purpose(row, kind, purpose(kind))
            self.setItemData(row, kind.summary, Qt.ItemDataRole.ToolTipRole)
        self.offers_delta = True
        self._with_delta = [(row, kind) for row, kind in enumerate(kinds) if _needs_delta(kind)]
        self._pressed: tuple[QWidget, ...] = ()
        """What may be pressed beside the open list without closing it."""
        self._kept = False
        self._lines = _BesideEachOther(self)
        self.setMaxVisibleItems(_MOST_VISIBLE)

    def say_matching(self, matching: str) -> None:
        """Say what is counted of those that match, rows or people, as the form does below it."""
        if matching == self._matching:
            return
        self._matching = matching
        for row, kind in enumerate(self._kinds):
            self._say_purpose(row, kind, purpose(kind, matching))
        self.offer_delta(self.offers_delta)

    def _say_purpose(self, row: int, kind: QueryKind, words: str) -> None:
        self.setItemData(row, words, _PURPOSE)
        self.setItemData(row, f"{kind.title}. {words}", Qt.ItemDataRole.AccessibleTextRole)

    def offer_delta(self, offered: bool) -> None:
        """Offer what costs a δ, or say in its place why it cannot be asked."""
        self.offers_delta = offered
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        for row, kind in self._with_delta:
            model.item(row).setEnabled(offered)
            self._say_purpose(row, kind, purpose(kind, self._matching) if offered else _NO_DELTA)

    def showPopup(self) -> None:
        self.setItemDelegate(self._lines)
        room = self.window().width() - self.mapTo(self.window(), QPoint()).x() - tokens.SPACE_S
        self.view().setMinimumWidth(min(self._lines.measure(self), room))
        super().showPopup()

    def open_from(self, button: QWidget) -> None:
        """Open the list for a button elsewhere: a press of that does not close it, nor does the first on the field.

        Whoever does not see at once that it is open presses again, and what lay below it would get the next press.
        """
        self.showPopup()
        self._pressed = (button, self)
        self.view().window().installEventFilter(self)

    def hidePopup(self) -> None:
        self._pressed = ()
        super().hidePopup()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep from the open list presses beside it that are not to close it, each with its release."""
        if not isinstance(event, QMouseEvent) or not self._pressed:
            return super().eventFilter(watched, event)
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            where = event.globalPosition().toPoint()
            on = next((one for one in self._pressed if one.rect().contains(one.mapFromGlobal(where))), None)
            self._kept = on is not None
            if on is self:  # which the next one closes, as any list
                self._pressed = tuple(one for one in self._pressed if one is not self)
            return self._kept
        kept = self._kept and event.type() is QEvent.Type.MouseButtonRelease
        self._kept = self._kept and not kept
        return kept


def _needs_delta(kind: QueryKind) -> bool:
    return any(spec.name == "delta" for spec in kind.parameters)


def ordered(kinds: Iterable[QueryKind]) -> tuple[QueryKind, ...]:
    """The plainest questions first, what is chosen by hand last; those of plugins between."""
    known = {name: place for place, name in enumerate(_FIRST)}
    return tuple(sorted(kinds, key=lambda kind: (not kind.needs_epsilon, known.get(kind.identifier, len(known)))))


def purpose(kind: QueryKind, matching: str = ROWS) -> str:
    """The first sentence of what a question answers; of people, where at most one row of each takes part."""
    words = kind.summary.split(". ")[0].split("; ")[0].rstrip(".")
    return words.replace(f"How many {ROWS} match", f"How many {matching} match")


class _BesideEachOther(ShownText):
    """Paints a title with its purpose beside it, so that a screen has room for all questions."""

    _titles = 0

    def measure(self, choice: QComboBox) -> int:
        """Take the width of the longest title, and tell that of the widest line."""
        rows = range(choice.count())
        bold, small = choice.font(), choice.font()
        bold.setBold(True)
        small.setPixelSize(tokens.FONT_SMALL)
        of_title, of_purpose = QFontMetrics(bold).horizontalAdvance, QFontMetrics(small).horizontalAdvance
        self._titles = max((of_title(choice.itemText(row)) for row in rows), default=0) + tokens.SPACE_L
        purposes = max((of_purpose(str(choice.itemData(row, _PURPOSE))) for row in rows), default=0)
        return self._titles + purposes + 2 * tokens.SPACE_S + tokens.SPACE_L  # a bar may take some of it

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(self._titles, option.fontMetrics.lineSpacing() + tokens.SPACE_S)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        rect: QRect = option.rect
        state = option.state
        offered = bool(state & QStyle.StateFlag.State_Enabled)
        chosen = offered and bool(state & (QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_MouseOver))
        painter.save()
        if chosen:
            painter.fillRect(rect, colour("selection"))
        inside = rect.adjusted(tokens.SPACE_S, 0, -tokens.SPACE_S, 0)
        font = painter.font()
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(colour("on_selection" if chosen else "text" if offered else "muted"))
        middle = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(inside, middle, str(index.data()))
        font.setBold(False)
        font.setPixelSize(tokens.FONT_SMALL)
        painter.setFont(font)
        painter.setPen(colour("on_selection" if chosen else "muted"))
        beside = inside.adjusted(self._titles, 0, 0, 0)
        words = painter.fontMetrics().elidedText(str(index.data(_PURPOSE)), Qt.TextElideMode.ElideRight, beside.width())
        painter.drawText(beside, middle, words)
        painter.restore()
