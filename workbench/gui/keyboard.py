"""Keys that do the same everywhere in a window: one history, buttons that Enter presses, tables that Tab leaves."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, SignalInstance
from PySide6.QtGui import QKeyEvent, QKeySequence, QUndoStack
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QToolButton,
    QWidget,
)

from workbench.gui.menus import REDO_KEYS, UNDO_KEYS
from workbench.gui.widgets.named_choices import name_choices

_HISTORY = [QKeySequence(key) for key in (*UNDO_KEYS, *REDO_KEYS)]
_Text = QLineEdit | QPlainTextEdit | QTextEdit


class Keyboard(QObject):
    """Follows the focus through a window.

    Fields of text have a history of their own, which would take the keys of the document's: they keep them only while
    somebody is typing what has not become a step of the document yet.

    Parameters
    ----------
    window
        Whose controls are looked after.
    stack
        The history of its document.
    keys
        Those of its menus, which are the window's while somebody types as well.
    """

    def __init__(self, window: QWidget, stack: QUndoStack, keys: Sequence[QKeySequence]) -> None:
        super().__init__(window)
        self._window, self._keys = window, keys
        self._field: QWidget | None = None
        self._typing = False
        stack.indexChanged.connect(self._taken)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow)

    def press(self, event: QKeyEvent) -> bool:
        """Press the button that has the focus, if the event is Enter; whether it was."""
        focus = QApplication.focusWidget()
        pressed = (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            and isinstance(focus, QPushButton | QToolButton)
        )
        if pressed and isinstance(focus, QAbstractButton):
            focus.click()
        return pressed

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        pressed = QKeySequence(event.keyCombination())
        # Fields know keys of their own besides, such as Ctrl+E for the end of a line, and nothing says so.
        wanted = not self._typing if pressed in _HISTORY else pressed in self._keys
        if wanted:
            event.ignore()  # so that it is the window's
        return wanted

    def _follow(self, _old: QWidget | None, new: QWidget | None) -> None:
        if self._field is not None:
            self._leave(self._field)
        if new is None or (new is not self._window and not self._window.isAncestorOf(new)):
            return
        if isinstance(new, QAbstractItemView):
            new.setTabKeyNavigation(False)
        elif isinstance(new, QComboBox):
            name_choices(new)
        text = _text_of(new)
        if text is not None:
            self._field, self._typing = new, False
            new.installEventFilter(self)
            new.destroyed.connect(self._forget)
            _edited(text).connect(self._edited)
            if isinstance(text, QLineEdit):
                text.editingFinished.connect(self._taken)

    def _leave(self, field: QWidget) -> None:
        self._field = None
        field.removeEventFilter(self)
        field.destroyed.disconnect(self._forget)
        text = _text_of(field)
        if text is not None:
            _edited(text).disconnect(self._edited)
            if isinstance(text, QLineEdit):
                text.editingFinished.disconnect(self._taken)

    def _forget(self) -> None:
        self._field = None

    def _edited(self) -> None:
        self._typing = True

    def _taken(self) -> None:
        self._typing = False


def _text_of(field: QWidget) -> _Text | None:
    """The text that somebody types in a field, or None where there is none to be changed."""
    if isinstance(field, QAbstractSpinBox):
        inside = field.findChild(QLineEdit)
        return inside if isinstance(inside, QLineEdit) else None
    if isinstance(field, QComboBox):
        return field.lineEdit() if field.isEditable() else None
    if isinstance(field, QLineEdit | QPlainTextEdit | QTextEdit):
        return None if field.isReadOnly() else field
    return None


def _edited(text: _Text) -> SignalInstance:
    return text.textEdited if isinstance(text, QLineEdit) else text.textChanged
