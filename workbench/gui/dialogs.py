"""Dialogs of Qt as they look here: the icons of the window instead of bitmaps, and plain words on buttons."""

from __future__ import annotations

from PySide6.QtCore import QChildEvent, QEvent, QObject
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHeaderView,
    QMessageBox,
    QToolButton,
    QTreeView,
    QWidget,
)

from workbench.gui import placing, tokens
from workbench.gui.icons import icon
from workbench.gui.widgets.status import Status, status_icon

EXPORT_FIRST = QMessageBox.StandardButton.Open
"""The button that leads to the export of what would be lost; no other question has it."""
_STATUS = {
    QMessageBox.Icon.Critical: Status.ERROR,
    QMessageBox.Icon.Warning: Status.WARNING,
    QMessageBox.Icon.Information: Status.INFO,
}
_TOOLS = {
    "backButton": "chevron-left",
    "forwardButton": "chevron-right",
    "toParentButton": "chevron-up",
    "newFolderButton": "add",
    "listModeButton": "library",
    "detailModeButton": "table",
}
"""Buttons of Qt's own file dialog, whose pictures are dark on dark, and icons that follow the theme."""


class _Tidier(QObject):
    """Tidies the dialogs that a dialog opens, of which the window is not told; one of files may be made larger."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Show and isinstance(watched, QFileDialog):
            watched.setMaximumSize(placing.inside_frame(placing.free(watched.screen())))
        if isinstance(event, QChildEvent) and event.polished():
            child = event.child()
            if isinstance(child, QDialog):
                tidy(child)
        return super().eventFilter(watched, event)


def tidy(dialog: QWidget) -> None:
    """Take the bitmaps of Qt out of a dialog that is about to be seen, and say plainly what its buttons do."""
    if isinstance(dialog, QDialog) and dialog.findChild(_Tidier) is None:
        dialog.installEventFilter(_Tidier(dialog))
    if isinstance(dialog, QFileDialog):
        # That of Qt, where the desktop has none of its own, takes its first size after this, and would hide the window.
        dialog.setMaximumSize(placing.first_size(placing.free(dialog.screen())) * 2 / 3)
        for name, shown in _TOOLS.items():
            tool = dialog.findChild(QToolButton, name)
            if tool is not None:
                tool.setIcon(icon(shown))
        for files in dialog.findChildren(QTreeView):
            header = files.header()
            header.setStretchLastSection(False)
            for section in range(header.count()):
                mode = QHeaderView.ResizeMode.ResizeToContents if section else QHeaderView.ResizeMode.Stretch
                header.setSectionResizeMode(section, mode)
    for box in dialog.findChildren(QDialogButtonBox):
        for button in box.buttons():
            button.setIcon(QIcon())
    if isinstance(dialog, QMessageBox):
        status = _STATUS.get(dialog.icon())
        name, token = ("help", "accent") if status is None else (status_icon(status), status.value)
        if dialog.icon() is not QMessageBox.Icon.NoIcon:
            dialog.setIconPixmap(icon(name, token).pixmap(tokens.ICON_HERO * 2 // 3))
        discard = dialog.button(QMessageBox.StandardButton.Discard)
        if discard is not None:
            discard.setText("Do&n’t save" if dialog.button(QMessageBox.StandardButton.Save) else "&Go on")
        export = dialog.button(EXPORT_FIRST)
        if export is not None:
            export.setText("&Export first")
