"""Names of combo boxes where screen readers look for them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLabel, QWidget


def name_choices(part: QWidget) -> None:
    """Give every combo box of a part, and the part itself if it is one, a label that names it.

    On Unix, Qt tells the chosen text as the name of a combo box, and its name only as that of a label that has it as
    buddy. Those without one get a label that nobody sees.
    """
    boxes = part.findChildren(QComboBox)
    if isinstance(part, QComboBox):
        boxes.append(part)
    for box in boxes:
        parent, name = box.parentWidget(), box.accessibleName()
        if parent is None or not name:
            continue
        beside = parent.findChildren(QLabel, options=Qt.FindChildOption.FindDirectChildrenOnly)
        if not any(one.buddy() is box for one in beside):
            label = QLabel(parent)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setText(name.replace("&", "&&"))
            label.setBuddy(box)
            label.hide()
