"""The keys of the menus, and those that hold everywhere."""

from __future__ import annotations

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from workbench.core.glossary import GlossaryPart

_EVERYWHERE = (
    ("Enter, Space", "Press the button that has the focus"),
    ("Tab, Shift+Tab", "Go to the next control, or back; also out of a table"),
    ("Esc", "Put away what lies over the page"),
    ("Alt and a letter", "Go to the control or menu with that letter underlined"),
)


def shortcuts(bar: QMenuBar) -> tuple[GlossaryPart, ...]:
    """By menu, keys and what they do."""
    parts = [GlossaryPart("Everywhere", _EVERYWHERE)]
    for head in bar.actions():
        menu = head.menu()
        actions = menu.actions() if isinstance(menu, QMenu) else []
        words = tuple((_keys(action), _plain(action.text())) for action in actions if action.shortcuts())
        if words:
            parts.append(GlossaryPart(_plain(head.text()), words))
    return tuple(parts)


def _keys(action: QAction) -> str:
    native = QKeySequence.SequenceFormat.NativeText
    return ", ".join(dict.fromkeys(keys.toString(native).replace("Return", "Enter") for keys in action.shortcuts()))


def _plain(text: str) -> str:
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").removesuffix("…")
