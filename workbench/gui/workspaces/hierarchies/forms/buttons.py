"""Small buttons of the editors."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton, QToolButton

from workbench.gui.icons import icon
from workbench.gui.theme import set_look


def tool(icon_name: str, name: str, keys: str, press: Callable[[], object]) -> QToolButton:
    """A button of an icon; its name and keys are in the tooltip."""
    button = QToolButton()
    button.setIcon(icon(icon_name))
    button.setAccessibleName(name)
    button.setToolTip(f"{name} ({keys})" if keys else name)
    button.clicked.connect(press)
    return button


def quiet(text: str, press: Callable[[], object], *, icon_name: str = "", tip: str = "") -> QPushButton:
    """A button of words without a frame."""
    button = QPushButton(text)
    set_look(button, quiet=True)
    button.setAccessibleName(text.replace("&", ""))
    if icon_name:
        button.setIcon(icon(icon_name, "link"))
    button.setToolTip(tip)
    button.clicked.connect(press)
    return button
