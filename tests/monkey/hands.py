"""What a monkey does: clicks, keys, menus, rooms, files, undo, cancel, save; in any order, at any time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import shiboken6
from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QWidget,
)

from tests.monkey.eyes import Eyes
from workbench.gui.main_window import MainWindow
from workbench.gui.workspaces import ROOMS

_TEXTS = (
    *("1", "0.5", "-3", "abc", "", "1e-5", "age", "10,20,30", "0,100", "age >= 18", "'", "<b>x</b>", "9" * 30, "ln(3)"),
    *("1/3", "nan", "inf", "*", "k=5", "(", "[a-z]+$", "=1+1", "2024-01-01", "é\u202e", "\x1b[2J", "/", "/**/*", "~"),
)
_NAMES = ("Tab Return Space Up Down Left Right Delete", "Home End PageDown F1 F2 Backspace Escape")
_KEYS = tuple(getattr(Qt.Key, f"Key_{name}") for names in _NAMES for name in names.split())
_HELD = (
    *(Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.NoModifier),
    *(Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier),
)
_TOUCHED = (
    *(QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox, QAbstractItemView, QAbstractSlider, QTabBar),
    QPlainTextEdit,
)
_ENDINGS = (".csv", ".html", ".pdf", ".wbench", ".json", ".xlsx", ".parquet", ".png", ".svg", "")
_QUIT = ("quit", "exit")


class Hands:
    """The monkey's ten fingers. `choose` decides everything, so that a seed repeats what can be repeated."""

    def __init__(self, choose: random.Random, folder: Path, eyes: Eyes) -> None:
        self.choose = choose
        self.eyes = eyes
        self.food = folder / "files"
        self.out = folder / "out"
        self.out.mkdir()

    def prepare(self) -> None:
        """Answer for the system, which no click reaches: its dialogs mostly with a file, and it may show a folder."""
        dialog: Any = QFileDialog
        dialog.getOpenFileName = staticmethod(lambda *_, **__: (self._file() if self._often(0.85) else "", ""))
        dialog.getOpenFileNames = staticmethod(
            lambda *_, **__: ([self._file() for _ in range(self.choose.choice((1, 1, 2)))], "")
        )
        dialog.getExistingDirectory = staticmethod(lambda *_, **__: str(self.food) if self._often(0.5) else "")
        dialog.getSaveFileName = staticmethod(self._target)
        desktop: Any = QDesktopServices
        desktop.openUrl = staticmethod(lambda _: self._often(0.5))

    def act(self, window: MainWindow) -> None:
        """Do one thing: with what stands in front, with the window as a whole, or with one control of it."""
        menu = QApplication.activePopupWidget()
        if menu is not None:
            self._in_popup(menu)
            return
        dialog = QApplication.activeModalWidget()
        if dialog is None and self._often(0.13):
            self._with_window(window)
        elif dialog is not None and self._often(0.2):
            self._did(f"close {type(dialog).__name__}")
            dialog.close()
        else:
            self._touch(dialog or self._some_window(window))

    # With the window

    def _with_window(self, window: MainWindow) -> None:
        stack = window.document.undo_stack
        things: list[tuple[int, str, Callable[[], object]]] = [
            (50, "room", lambda: window.show_workspace(self.choose.choice(ROOMS).key)),
            (14, "undo", stack.undo),
            (11, "redo", stack.redo),
            (9, "open", lambda: self._open(window)),
            (5, "cancel", window.cancel),
            (10, "spend", window.spend),
            (3, "save", window.save),
            (3, "resize", lambda: window.resize(self.choose.randrange(500, 1800), self.choose.randrange(350, 1200))),
            (22, "action", lambda: self._trigger(list(_actions(window)))),
        ]
        _, name, do = self.choose.choices(things, [weight for weight, _, _ in things])[0]
        self._did(name)
        do()

    def _open(self, window: MainWindow) -> None:
        path = Path(self._file())
        self._did(path.name)
        self.choose.choice([window.open_path, window.open_recent, window.preview_path])(path)

    def _trigger(self, actions: list[QAction]) -> None:
        able = [one for one in actions if one.isEnabled() and one.isVisible() and not one.isSeparator() and one.text()]
        able = [one for one in able if one.menu() is None and not self._quits(one)]
        if able:
            action = self.choose.choice(able)
            self._did(action.text())
            action.trigger()

    def _quits(self, action: QAction) -> bool:
        words = action.text().replace("&", "").lower()
        return any(word in words for word in _QUIT)

    def _in_popup(self, popup: QWidget) -> None:
        if isinstance(popup, QMenu) and self._often(0.8):
            actions = popup.actions()
            popup.close()
            self._trigger(actions)
            return
        key = self.choose.choice((Qt.Key.Key_Escape, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Escape))
        QTest.keyClick(popup, key)
        if shiboken6.isValid(popup) and QApplication.activePopupWidget() is popup and self._often(0.3):
            popup.close()

    # With one control

    def _some_window(self, window: MainWindow) -> QWidget:
        shown = [one for one in QApplication.topLevelWidgets() if one.isVisible()]
        others = sorted((one for one in shown if one.windowType() is not Qt.WindowType.ToolTip), key=_face)
        return self.choose.choice(others) if others and self._often(0.07) else window

    def _touch(self, top: QWidget) -> None:
        seen = [one for one in _in_sight(top) if one.isEnabled() and one.width() > 2]
        meant = [one for one in seen if isinstance(one, _TOUCHED) and one.height() > 2]
        control = self.choose.choice(meant if meant and self._often(0.85) else seen or [top])
        text = control.text() if isinstance(control, QAbstractButton | QLabel | QLineEdit) else ""
        name = control.accessibleName() or text or control.objectName()
        self._did(f"{type(control).__name__} “{name!s:.40}”")
        writes = isinstance(control, QLineEdit | QPlainTextEdit | QAbstractSpinBox)
        if writes and self._often(0.6):
            self._write(control)
        elif isinstance(control, QComboBox) and control.count() and self._often(0.7):
            place = self.choose.randrange(control.count())
            if control.model().flags(control.model().index(place, 0)) & Qt.ItemFlag.ItemIsEnabled:
                control.setCurrentIndex(place)
                control.activated.emit(place)
        else:
            self._point(control)

    def _write(self, control: QWidget) -> None:
        control.setFocus()
        QTest.keyClick(control, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        text = self.choose.choice(_TEXTS)
        if text.isascii() and (text.isprintable() or not text):
            QTest.keyClicks(control, text)
        else:  # no key writes these, but a clipboard may hold them
            QApplication.clipboard().setText(text)
            QTest.keyClick(control, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        if shiboken6.isValid(control) and self._often(0.6):
            QTest.keyClick(control, self.choose.choice((Qt.Key.Key_Return, Qt.Key.Key_Tab)))

    def _point(self, control: QWidget) -> None:
        face = control.viewport() if isinstance(control, QAbstractScrollArea) else control
        place = QPoint(self.choose.randrange(max(1, face.width())), self.choose.randrange(max(1, face.height())))
        none = Qt.KeyboardModifier.NoModifier
        what = self.choose.random()
        if what < 0.70:
            place = face.rect().center() if isinstance(control, QAbstractButton) else place
            spot = face.mapToGlobal(place)
            QTest.mouseClick(face, Qt.MouseButton.LeftButton, none, place)
            if self._often(0.15):
                self._again(spot)
        elif what < 0.78:
            QTest.mouseDClick(face, Qt.MouseButton.LeftButton, none, place)
        elif what < 0.83:
            QTest.mouseClick(face, Qt.MouseButton.RightButton, none, place)
        else:
            held = self.choose.choice(
                (none, none, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier)
            )
            QTest.keyClick(control, self.choose.choice(_KEYS), held)

    def _again(self, spot: QPoint) -> None:
        """Click once more in haste, on whatever is there by now."""
        QApplication.processEvents()
        under = QApplication.widgetAt(spot)
        if under is not None:
            QTest.mouseClick(
                under, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, under.mapFromGlobal(spot)
            )

    # What it decides

    def _often(self, chance: float) -> bool:
        return self.choose.random() < chance

    def _file(self) -> str:
        return str(self.choose.choice(sorted(path for path in self.food.iterdir() if path.is_file())))

    def _files(self) -> list[str]:
        return [self._file() for _ in range(self.choose.choice((1, 1, 2)))]

    def _target(self, *given: Any, **_: Any) -> tuple[str, str]:
        if self._often(0.15):
            return "", ""
        kinds = str(given[3]) if len(given) > 3 else ""
        name = f"f{self.choose.randrange(6)}{self.choose.choice(_ENDINGS)}"
        return str(self.out / name), kinds.split(";;", maxsplit=1)[0]

    def _did(self, what: str) -> None:
        self.eyes.did(what)


def _face(window: QWidget) -> tuple[str, ...]:
    """What tells windows apart: Qt lists them in any order."""
    return type(window).__name__, window.windowTitle(), window.accessibleName(), str(window.geometry())


def _actions(top: QObject) -> Iterator[QAction]:
    """The actions of a widget and its insides; not by `findChildren`, as below."""
    for one in top.children():
        if isinstance(one, QAction):
            yield one
        yield from _actions(one)


def _in_sight(top: QWidget) -> Iterator[QWidget]:
    """What is seen of a widget's insides, in the order of the tree.

    Not by `findChildren`: what it finds belongs, for Python, to the widget that was asked, and is held as long as that,
    even when it is gone: some thousand dead widgets of Qt's own in half an hour.
    """
    for one in top.children():
        if isinstance(one, QWidget) and one.isVisible():
            yield one
            yield from _in_sight(one)
