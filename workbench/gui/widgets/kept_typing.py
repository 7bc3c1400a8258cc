"""Dialogs that do not lose at one Escape what was typed in them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QLineEdit, QPlainTextEdit, QRadioButton

from workbench.gui.widgets.labels import label

_ONCE_MORE = "What you entered here is not dropped yet: Escape again, or Cancel, drops it."


class _Keeper(QObject):
    """Event filter that stops the first Escape, or press on the window's cross, after something was typed or ticked.

    Whoever presses Cancel means it, and is not stopped.
    """

    def __init__(self, dialog: QDialog) -> None:
        super().__init__(dialog)
        self._dialog = dialog
        self._dropped = self._written()
        self._told = label(_ONCE_MORE, small=True, tone="warning", wrap=True)
        self._told.hide()
        layout = dialog.layout()
        if layout is not None:
            layout.addWidget(self._told)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.KeyPress:
            leaves = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        else:
            leaves = event.type() is QEvent.Type.Close and event.spontaneous()
        written = self._written() if leaves else self._dropped
        if written == self._dropped:
            return False
        self._dropped = written
        if self._told.isHidden():
            self._told.show()
            layout = self._dialog.layout()
            room = self._told.sizeHint().height() + (0 if layout is None else layout.spacing())
            self._dialog.resize(self._dialog.width(), self._dialog.height() + room)  # nothing else gives way to it
        event.ignore()
        return True

    def _written(self) -> list[object]:
        find = self._dialog.findChildren
        lines = [edit.text() for edit in find(QLineEdit)]
        return [
            *lines,
            *(edit.toPlainText() for edit in find(QPlainTextEdit)),
            *(tick.isChecked() for kind in (QCheckBox, QRadioButton) for tick in find(kind)),
        ]


def keep_typing(dialog: QDialog) -> None:
    """Let nobody lose by one key what they typed or ticked; to be called once the dialog is laid out and filled."""
    dialog.installEventFilter(_Keeper(dialog))
