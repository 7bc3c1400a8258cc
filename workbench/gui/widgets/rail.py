"""The left rail: the workspaces, how each stands, and what to do next."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from workbench.gui import tokens
from workbench.gui.icons import icon, paint_icon
from workbench.gui.theme import colour, small_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.haste import pressed_once
from workbench.gui.widgets.labels import label, on_button
from workbench.gui.widgets.status import Status

_KEY = Qt.ItemDataRole.UserRole
_NUMBER = Qt.ItemDataRole.UserRole + 1
_ICON = Qt.ItemDataRole.UserRole + 2
_STATUS = Qt.ItemDataRole.UserRole + 3
_TIP = Qt.ItemDataRole.UserRole + 4

_LINES = 3
"""So many lines the step that is next has room for."""
_MARKS = {Status.SUCCESS: "check", Status.WARNING: "warning", Status.ERROR: "error"}


class Rail(QFrame):
    """Free navigation between workspaces, by mouse, arrow keys or `select`.

    Signals
    -------
    selected(str)
        Key of the workspace now chosen.
    clicked(str)
        A workspace was chosen by mouse, so that no arrow key goes on from there.
    next_requested(str, str)
        The "Next" hint was pressed; carries the room it leads to, and the control there.
    start_requested()
        Somebody wants back to the start page.
    """

    selected = Signal(str)
    clicked = Signal(str)
    next_requested = Signal(str, str)
    start_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("line", "right")
        self.setFixedWidth(tokens.RAIL_WIDTH)
        self._next = ("", "")
        self._group = ""
        self._list = _RailList()
        self._list.setProperty("plain", "true")
        self._list.setAccessibleName("Workspaces")
        self._list.setItemDelegate(_RailDelegate(self._list))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setMouseTracking(True)
        self._list.currentItemChanged.connect(self._announce)
        self._list.itemClicked.connect(self._tell_click)
        self._caption = label("Next", muted=True, small=True)
        self._hint = pressed_once(
            push_button(act=self._request_next, icon=icon("arrow-right", "link"), quiet=True, align="left")
        )
        self.start = push_button(
            "Start",
            self.start_requested.emit,
            name="Start page",
            icon=icon("chevron-left", "link"),
            quiet=True,
            align="left",
        )
        self.start.setToolTip("The start page  (Ctrl+0)")
        column = boxes.column((self._list, 1), self._caption, self._hint, margins="s s s m", spacing="xs", inside=self)
        column.insertWidget(0, self.start)  # the last that Tab comes to: it is seldom wanted
        self._caption.setContentsMargins(tokens.SPACE_S, 0, 0, 0)
        keeping = self.start.sizePolicy()
        keeping.setRetainSizeWhenHidden(True)
        self.start.setSizePolicy(keeping)
        self._show_start()
        self.set_next("")

    def add(self, key: str, number: int, icon_name: str, name: str, tip: str = "", group: str = "") -> None:
        """Append a workspace; where its group differs from that of the one before, under the name of the group."""
        if group != self._group:
            self._group = group
            heading = QListWidgetItem(group)
            heading.setFlags(Qt.ItemFlag.NoItemFlags)  # the arrow keys go on to the next workspace
            self._list.addItem(heading)
        item = QListWidgetItem(name)
        item.setData(_KEY, key)
        item.setData(_NUMBER, number)
        item.setData(_ICON, icon_name)
        item.setData(_TIP, tip)
        self._list.addItem(item)
        self.set_status(key, None)

    def set_status(self, key: str, status: Status | None, reason: str = "") -> None:
        """Mark a workspace as done (✓), in need of a look (⚠), wrong, or with None as not begun."""
        item = self._item(key)
        if item is None:
            return
        item.setData(_STATUS, status.value if status else "")
        words = (
            {
                Status.SUCCESS: "done",
                Status.WARNING: "needs a look",
                Status.ERROR: "has a problem",
            }.get(status, "")
            if status
            else ""
        )
        name = f"{item.data(_NUMBER)} {item.text()}"
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name}, {words}" if words else name)
        lines = [f"{item.text()}  (Ctrl+{item.data(_NUMBER)})", item.data(_TIP), reason]
        item.setToolTip("\n".join(line for line in lines if line))

    def set_next(self, text: str, key: str = "", field: str = "") -> None:
        """Show what to do next, and where; an empty text takes the hint away but keeps its room.

        Parameters
        ----------
        key, field
            The workspace it leads to, and the control there, as the workspace's `reach` knows it.
        """
        self._next = (key, field)
        self._hint.setText(on_button(self._in_lines(text)))
        # Nothing follows what is done.
        self._hint.setIcon(icon("check" if text.startswith("Done: ") else "arrow-right", "link"))
        self._hint.setToolTip(f"{text}  (F8)")
        self._hint.setAccessibleName(f"Next: {text}")
        for widget in (self._caption, self._hint):
            policy = widget.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            widget.setSizePolicy(policy)
            widget.setVisible(bool(text))

    def follow_next(self) -> None:
        """Follow the hint, if there is one."""
        if self._hint.isVisibleTo(self):
            self._hint.click()

    def take_size(self) -> None:
        """Be as wide, and its lines as high, as text of the present size needs."""
        self.setFixedWidth(tokens.RAIL_WIDTH)
        self._list.scheduleDelayedItemsLayout()

    def _in_lines(self, text: str) -> str:
        """The text broken between words where a button has no room for it, cut short if need be."""
        metrics, room = self._hint.fontMetrics(), tokens.RAIL_WIDTH - 2 * tokens.SPACE_XL - tokens.SPACE_S
        lines = [""]
        # What holds together, such as a name of two words, is parted only where a line has no room for all of it.
        parts = ([one] if metrics.horizontalAdvance(one) <= room else one.split() for one in text.split(" "))
        words = [word for part in parts for word in part if word]
        while words and (len(lines) < _LINES or not lines[-1]):
            longer = f"{lines[-1]} {words[0]}".strip()
            if lines[-1] and metrics.horizontalAdvance(longer) > room:
                lines.append("")
            else:
                lines[-1] = longer
                words.pop(0)
        lines[-1] = " ".join((lines[-1], *words)).strip()
        return "\n".join(metrics.elidedText(line, Qt.TextElideMode.ElideRight, room) for line in lines)

    def _tell_click(self, item: QListWidgetItem) -> None:
        if key := item.data(_KEY):  # headings have none
            self.clicked.emit(str(key))

    def select(self, key: str) -> None:
        """Choose a workspace, as if it were clicked; none with an empty key."""
        item = self._item(key)
        if item is not None:
            self._list.setCurrentItem(item)
        elif not key:
            self._list.selectionModel().clear()
        self._show_start()

    def _show_start(self) -> None:
        """Offer the start page where it is not in view; its room stays."""
        self.start.setVisible(bool(self.current))

    @property
    def current(self) -> str:
        """Key of the chosen workspace, or nothing."""
        item = self._list.currentItem()
        return str(item.data(_KEY)) if item is not None else ""

    def focus_list(self) -> None:
        self._list.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _item(self, key: str) -> QListWidgetItem | None:
        for row in range(self._list.count()):
            item = self._list.item(row)
            if item.data(_KEY) == key:
                return item
        return None

    def _announce(self, current: QListWidgetItem | None, _previous: QListWidgetItem | None) -> None:
        if current is not None:
            self.selected.emit(str(current.data(_KEY)))

    def _request_next(self) -> None:
        self.next_requested.emit(*self._next)


class _RailList(QListWidget):
    """Goes nowhere by itself: a list of Qt that is given the focus chooses its first entry where none is chosen."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        nowhere = self.currentItem() is None
        blocked = self.blockSignals(nowhere or self.signalsBlocked())
        super().focusInEvent(event)
        if nowhere:
            self.selectionModel().clear()
        self.blockSignals(blocked)


class _RailDelegate(QStyledItemDelegate):
    """Number, icon, name and mark of a workspace on one line, and the names of groups between them."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, tokens.RAIL_ROW if index.data(_KEY) else tokens.RAIL_HEADING)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        if not index.data(_KEY):
            self._paint_heading(painter, option, str(index.data()))
            return
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        box: QRect = option.rect.adjusted(0, tokens.SPACE_HAIR, 0, -tokens.SPACE_HAIR)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen or hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("selection" if chosen else "hover"))
            painter.drawRoundedRect(box, tokens.RADIUS, tokens.RADIUS)
        if focused:
            pen = painter.pen()
            pen.setStyle(Qt.PenStyle.SolidLine)
            pen.setColor(colour("focus"))
            pen.setWidth(2)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), tokens.RADIUS, tokens.RADIUS)
        ink = "on_selection" if chosen else "text"
        font = QFont(option.font)
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        x = box.left() + tokens.SPACE_S
        painter.setFont(font)
        painter.setPen(colour(ink if chosen else "muted"))
        painter.drawText(QRect(x, box.top(), tokens.SPACE_M, box.height()), middle, str(index.data(_NUMBER)))
        x += tokens.SPACE_L
        top = box.center().y() - tokens.ICON_LARGE // 2 + 1
        paint_icon(painter, QRect(x, top, tokens.ICON_LARGE, tokens.ICON_LARGE), index.data(_ICON), ink)
        x += tokens.ICON_LARGE + tokens.SPACE_S
        font.setWeight(QFont.Weight.DemiBold if chosen else QFont.Weight.Normal)
        painter.setFont(font)
        painter.setPen(colour(ink))
        right = box.right() - tokens.SPACE_S - tokens.ICON - tokens.SPACE_XS
        painter.drawText(QRect(x, box.top(), right - x, box.height()), middle, index.data())
        status = index.data(_STATUS)
        if status:
            mark = QRect(
                box.right() - tokens.SPACE_S - tokens.ICON,
                box.center().y() - tokens.ICON // 2 + 1,
                tokens.ICON,
                tokens.ICON,
            )
            paint_icon(painter, mark, _MARKS[Status(status)], status)
        painter.restore()

    def _paint_heading(self, painter: QPainter, option: QStyleOptionViewItem, text: str) -> None:
        painter.save()
        painter.setFont(small_font())
        painter.setPen(colour("muted"))
        box = option.rect.adjusted(tokens.SPACE_S, 0, -tokens.SPACE_S, -tokens.SPACE_HAIR)
        painter.drawText(box, Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft, text)
        painter.restore()
