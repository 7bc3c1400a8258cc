"""A walk over a room: every widget is found, used in every way it can be, and what comes of it must be kept.

Widgets are found, not listed: whoever adds one to a room has it tried. What a turn brings to light is remembered with
the turn that did, so that it is found again after something else has hidden it: a dialog that was accepted, a page
that was left, a draft that was applied. What has become out of reach is looked for once more after all was
undone.
"""

from __future__ import annotations

import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QAbstractListModel, QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QScrollBar,
    QSpinBox,
    QTabBar,
    QWidget,
)
from pytestqt.exceptions import TimeoutError as TookLong
from pytestqt.qtbot import QtBot

from tests.gui.helpers import no_jobs, put_off_is_done
from tests.gui.same_project import difference, forgetting
from workbench.gui.main_window import MainWindow
from workbench.gui.widgets.lines_edit import LinesEdit
from workbench.project.model import Project
from workbench.project.restoring import Memory, restored
from workbench.project.storage import load_project

PATIENCE_MS = 20_000
TEXTS = ("7", "0.25, 0.75", "ä\N{ALEMBIC}", "")
"""What is typed into every field. Most is refused by most; what is accepted must be kept."""
ROWS = 6
"""Of each list, which is more than there are columns; further rows are more of the same."""
KEYS = (Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Delete)
WAIT_MS = 1500
"""For what a click begins; what takes longer is cancelled."""
RETRIES = 4
"""How often something that is out of sight is looked for; once of them from the beginning."""
ENDLESS = 4_000
"""Turns after which a room does not come to an end, and the walk fails."""


# What can be done


@dataclass(frozen=True)
class Turn:
    """One thing a person can do with a widget: which one, what, how, and whether it may lead to another page."""

    where: str
    what: str
    do: Callable[[], object]
    leads_away: bool = False

    @property
    def key(self) -> tuple[str, str]:
        return self.where, self.what


Names = dict[QWidget, tuple[str, ...]]
"""Those of a widget and what it stands in, from the inside outwards, as far as they are known."""


def where_is(widget: QWidget, known: Names) -> str:
    """What the widget is, in words that outlive it: pages are made again while they are changed."""
    return " < ".join(_names(widget, known)[:6])


def _names(widget: QWidget, known: Names) -> tuple[str, ...]:
    if widget not in known:
        above = widget.parentWidget()
        outer = () if above is None or isinstance(above, MainWindow) else _names(above, known)
        known[widget] = (f"{type(widget).__name__}:{widget.accessibleName() or widget.objectName()}", *outer[:5])
    return known[widget]


def turns_of(widget: QWidget, where: str) -> Iterator[Turn]:
    turn = partial(Turn, where)
    if isinstance(widget, QComboBox):
        for row in filter(partial(can_be_chosen, widget), range(widget.count())):
            yield turn(f"choose {widget.itemText(row)}", partial(set_row, widget, row))
    elif isinstance(widget, QTabBar):
        for tab in range(widget.count()):
            if widget.isTabEnabled(tab):
                yield turn(f"tab {tab}", partial(widget.setCurrentIndex, tab), True)
    elif isinstance(widget, QAbstractButton):
        yield from _of_button(widget, turn)
    elif isinstance(widget, QAbstractItemView):
        yield from _of_view(widget, turn)
    elif isinstance(widget, QSpinBox):
        for value in (widget.minimum(), widget.maximum(), 3):
            yield turn(f"set {value}", partial(widget.setValue, value))
    elif isinstance(widget, QAbstractSlider):
        for share in (0.0, 1.0, 0.5):
            value = round(widget.minimum() + share * (widget.maximum() - widget.minimum()))
            yield turn(f"slide to {share}", partial(widget.setValue, value))
    elif isinstance(widget, QLineEdit):
        for text in TEXTS:
            yield turn(f"type {text!r}", partial(write, widget, text))
    elif isinstance(widget, QPlainTextEdit):
        for text in TEXTS:
            yield turn(f"type {text!r}", partial(widget.setPlainText, text))
    if not isinstance(widget, QAbstractButton | QLineEdit | QPlainTextEdit):
        if is_own(widget, "keyPressEvent"):
            for key in KEYS:
                yield turn(f"press {key.name}", partial(QTest.keyClick, widget, key), True)
        if is_own(widget, "mousePressEvent") or is_own(widget, "mouseReleaseEvent"):
            yield turn("click in the middle", partial(QTest.mouseClick, widget, Qt.MouseButton.LeftButton), True)
    if widget.contextMenuPolicy() is Qt.ContextMenuPolicy.CustomContextMenu or is_own(widget, "contextMenuEvent"):
        yield turn("ask for its menu", partial(ask_for_menu, widget), True)


def _of_button(button: QAbstractButton, turn: Callable[..., Turn]) -> Iterator[Turn]:
    box = button.parentWidget()
    if isinstance(box, QDialogButtonBox) and box.buttonRole(button) in ENDINGS:
        return  # what ends a dialog is pressed after each turn in it
    menu = button.menu() if hasattr(button, "menu") else None
    if isinstance(menu, QMenu):
        menu.aboutToShow.emit()
        for action in actions_of(menu):
            yield turn(f"menu: {action.text()}", action.trigger, True)
        return
    group = button.group()
    one_of_many = button.autoExclusive() or (group is not None and group.exclusive())
    yield turn("click", button.click, one_of_many or not button.isCheckable())
    if button.isCheckable() and not one_of_many:
        yield turn("click again", button.click)


def _of_view(view: QAbstractItemView, turn: Callable[..., Turn]) -> Iterator[Turn]:
    model = view.model()
    if model is None or isinstance(view, QHeaderView):
        return
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    for row in range(min(model.rowCount(), ROWS)):
        yield turn(f"go to row {row}", partial(go_to, view, row))
        for column in range(columns if row < 2 else 0):
            place = model.index(row, column)
            if place.flags() & Qt.ItemFlag.ItemIsUserCheckable:
                for state in (Qt.CheckState.Checked, Qt.CheckState.Unchecked):
                    yield turn(f"{state.name} {row}, {column}", partial(fill, view, row, column, state))
            if place.flags() & Qt.ItemFlag.ItemIsEditable:
                for text in TEXTS:
                    yield turn(f"write {text!r} in {row}, {column}", partial(fill, view, row, column, text))


ENDINGS = (QDialogButtonBox.ButtonRole.AcceptRole, QDialogButtonBox.ButtonRole.RejectRole)


def is_own(widget: QWidget, name: str) -> bool:
    """Whether the program itself answers such an event of a widget."""
    return _is_own(type(widget), name)


@cache
def _is_own(kind: type, name: str) -> bool:
    return any(name in vars(one) for one in kind.__mro__ if one.__module__.startswith("workbench."))


def actions_of(menu: QMenu) -> list[QAction]:
    """What can be chosen in a menu and those it opens."""
    found = []
    for action in menu.actions():
        below = action.menu()
        if isinstance(below, QMenu):
            below.aboutToShow.emit()
            found += actions_of(below)
        elif action.isEnabled() and action.isVisible() and not action.isSeparator():
            found.append(action)
    return found


def go_to(view: QAbstractItemView, row: int) -> None:
    place = view.model().index(row, 0)
    view.setCurrentIndex(place)
    view.clicked.emit(place)


def fill(view: QAbstractItemView, row: int, column: int, value: object) -> None:
    role = Qt.ItemDataRole.EditRole if isinstance(value, str) else Qt.ItemDataRole.CheckStateRole
    view.model().setData(view.model().index(row, column), value, role)


def can_be_chosen(box: QComboBox, row: int) -> bool:
    """Whether it is an entry, rather than a heading over those below it."""
    return bool(box.model().flags(box.model().index(row, box.modelColumn())) & Qt.ItemFlag.ItemIsEnabled)


def set_row(box: QComboBox, row: int) -> None:
    box.setCurrentIndex(row)
    if box.currentIndex() == row:
        box.activated.emit(row)


def write(field: QLineEdit, text: str) -> None:
    field.setText(text)
    field.textEdited.emit(text)
    field.editingFinished.emit()


def ask_for_menu(widget: QWidget) -> None:
    face = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    place = QPoint(4, 4)
    if isinstance(widget, QAbstractItemView) and widget.model() is not None and not isinstance(widget, QHeaderView):
        place = widget.visualRect(widget.model().index(0, 0)).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, face.mapToGlobal(place))
    QApplication.sendEvent(face, event)


def usable(widget: QWidget) -> bool:
    if not shiboken6.isValid(widget) or not (widget.isVisible() and widget.isEnabled()):
        return False
    if isinstance(widget, QScrollBar) or (isinstance(widget, QLineEdit | QPlainTextEdit) and widget.isReadOnly()):
        return False
    return not isinstance(widget.parentWidget(), QAbstractSpinBox | QComboBox)


# Doing it


class Walk:
    """Uses every widget of a room, and looks after each change whether everything is kept.

    Parameters
    ----------
    room
        Key of the workspace.
    applies
        What the button is called that takes over what was edited in this room; "" where there is none.
    share
        Which of how many shares of the changes are looked at in full; the others are only made.
    """

    def __init__(
        self,
        qtbot: QtBot,
        window: MainWindow,
        path: Path,
        room: str,
        applies: str = "",
        share: tuple[int, int] = (0, 1),
    ) -> None:
        self.qtbot, self.window, self.path, self.room, self.applies = qtbot, window, path, room, applies
        self.share = share
        self.known: dict[tuple[str, str], tuple[str, str] | None] = {}
        """Every turn there ever was, and which one brought it to light."""
        self.tried: set[tuple[str, str]] = set()
        self.changed: Counter[str] = Counter()
        """How often which widget changed the project."""
        self.looked_at = 0
        self._menus: dict[tuple[str, str], list[str]] = {}
        self._retries: Counter[tuple[str, str]] = Counter()
        self._last: tuple[str, str] | None = None
        self._first = window.document.undo_stack.index()
        self._seen: Project | None = None
        self._trail: deque[str] = deque(maxlen=6)

    @property
    def untried(self) -> list[tuple[str, str]]:
        return [key for key in self.known if key not in self.tried]

    def go(self) -> None:
        """Walk until nothing is left to try."""
        for _ in range(ENDLESS):
            here = self._look()
            left = [key for key in here if key not in self.tried]
            if left:
                # What came to light last goes first, for the next change may hide it again; what leads away goes last.
                order = {key: place for place, key in enumerate(self.known)}
                self._take(here[min(left, key=lambda key: (here[key].leads_away, -order[key]))])
            elif not self._look_for_the_rest(here):
                return
        pytest.fail(f"{self.room} has no end: {self.untried[:5]}")

    def _look(self) -> dict[tuple[str, str], Turn]:
        """What can be done now: in the dialog in front, else in the room."""
        part = self._part
        here: dict[tuple[str, str], Turn] = {}
        again, names = Counter[str](), Names()
        for widget in part.findChildren(QWidget):
            if usable(widget):
                name = where_is(widget, names)
                again[name] += 1
                for turn in turns_of(widget, f"{name} #{again[name]}" if again[name] > 1 else name):
                    here[turn.key] = turn
                    for text in self._menus.get(turn.key, ()):
                        chosen = Turn(turn.where, f"{turn.what}: {text}", partial(from_menu, turn, text), True)
                        here[chosen.key] = chosen
        for key in here:
            self.known.setdefault(key, self._last)
        return here

    def _look_for_the_rest(self, here: Mapping[tuple[str, str], Turn]) -> bool:
        """Go one step towards something that was seen and not tried; whether there is any hope."""
        for key in self.untried:
            if self._retries[key] >= RETRIES:
                continue
            self._retries[key] += 1
            if self._retries[key] == RETRIES // 2:
                self._begin_again()
                return True
            at, seen = self.known[key], set()
            while at is not None and at not in seen:
                seen.add(at)
                if at in here:
                    self._do(here[at])
                    return True
                at = self.known.get(at)  # None for the first, and for what was begun again
        if self._dialog() is not None:
            self._begin_again()
            return True
        return False

    def _begin_again(self) -> None:
        while (dialog := self._dialog()) is not None:
            dialog.reject()
            QApplication.processEvents()
        stack = self.window.document.undo_stack
        stack.setIndex(min(self._first, stack.count()))
        self._do(Turn(self.room, "begin again", lambda: None))

    @property
    def _part(self) -> QWidget:
        """Where things can be done: the dialog in front, else the room."""
        return self._dialog() or self.window.workspaces[self.room]

    def _dialog(self) -> QDialog | None:
        front = QApplication.activeModalWidget()
        return front if isinstance(front, QDialog) else None

    def _do(self, turn: Turn) -> None:
        turn.do()
        QApplication.processEvents()
        popup = QApplication.activePopupWidget()
        if isinstance(popup, QMenu):
            self._menus[turn.key] = [action.text() for action in actions_of(popup)]
        while (popup := QApplication.activePopupWidget()) is not None:
            popup.close()
        self._settle(turn.leads_away)
        if not self.window.workspaces[self.room].isVisible():
            self.window.show_workspace(self.room)
            self._settle(True)
        self._last = turn.key
        self._trail.append(f"{turn.where.split(' < ')[0]} {turn.what}")

    def _settle(self, wait: bool) -> None:
        """Let come what comes of a turn, and give up what takes long."""
        QApplication.processEvents()
        for lines in self._part.findChildren(LinesEdit):
            lines.tell()  # what is typed there counts after a pause
        if self.window.document.project is not self._seen:
            self._seen = self.window.document.project
            for room in self.window.workspaces.built().values():
                room.status()  # which makes a room do what it put off
        if self.applies or (self.window.runner.jobs and wait):
            try:
                if self.applies:  # a preview that is still to begin decides whether it can be applied
                    put_off_is_done(self.qtbot, self.window, WAIT_MS)
                else:
                    self.qtbot.waitUntil(lambda: not self.window.runner.jobs, timeout=WAIT_MS)
            except TookLong:
                self.window.cancel()
                no_jobs(self.qtbot, self.window)

    def _take_over(self) -> QAbstractButton | None:
        """The button that takes over what was edited: of a dialog, or of the room."""
        dialog = self._dialog()
        if dialog is not None:
            for box in dialog.findChildren(QDialogButtonBox):
                for button in box.buttons():
                    if box.buttonRole(button) is QDialogButtonBox.ButtonRole.AcceptRole and button.isVisible():
                        return button
            return None
        buttons = self.window.workspaces[self.room].findChildren(QPushButton) if self.applies else []
        return next((one for one in buttons if one.isVisible() and one.text().replace("&", "") == self.applies), None)

    def _take(self, turn: Turn) -> None:
        self.tried.add(turn.key)
        document = self.window.document
        before, index = document.project, document.undo_stack.index()
        ready = self._take_over()
        self._do(turn)
        button = self._take_over()
        if button is not None and button is ready and button.isEnabled():
            self._look()  # what is there now is gone in a moment
            button.click()
            self._settle(True)
        if document.project is before:
            return
        words = f"{turn.where}: {turn.what}"
        self.changed[turn.where] += 1
        if zlib.crc32(words.encode()) % self.share[1] == self.share[0]:
            self.looked_at += 1
            self._look_at_change(before, index, words)

    def _look_at_change(self, before: Project, index: int, words: str) -> None:
        document = self.window.document
        self._kept(words)
        assert document.save(self.path), words
        after = document.project  # with what came of it meanwhile
        if not document.modified:
            self._survives(load_project(self.path), words)
        steps = document.undo_stack.index() - index
        if steps <= 0:
            return
        for _ in range(steps):
            document.undo_stack.undo()
        self._equal(document.project, forgetting(before, document.project), f"{words}, undone")
        for _ in range(steps):
            document.undo_stack.redo()
        self._equal(document.project, forgetting(after, document.project), f"{words}, done again")
        document.save(self.path)

    def _kept(self, words: str) -> None:
        """What a crash would leave is what is there."""
        kept = self.window.recovery

        def is_kept() -> bool:
            kept.keep()  # again, if something was still being thought about when it was kept
            return kept.is_kept()

        self.qtbot.waitUntil(is_kept, timeout=PATIENCE_MS)
        if self.window.document.modified:
            self._survives(load_project(kept.slot.file), words)

    def _equal(self, one: Project, other: Project, words: str) -> None:
        found = difference(one, other)
        if found:
            pytest.fail(f"{words}: {found}; after: {' · '.join(self._trail)}", pytrace=False)

    def _survives(self, loaded: Project, words: str) -> None:
        session = self.window.document.session
        again = restored(loaded, session.data.reading.table, Memory())
        assert not again.failed, words
        self._equal(again.project, self.window.document.project, words)


def from_menu(opener: Turn, text: str) -> None:
    """Open a menu again, and choose from it."""
    opener.do()
    QApplication.processEvents()
    popup = QApplication.activePopupWidget()
    chosen = [one for one in actions_of(popup) if one.text() == text] if isinstance(popup, QMenu) else []
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    for action in chosen[:1]:
        action.trigger()
