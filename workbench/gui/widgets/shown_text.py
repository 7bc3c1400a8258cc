"""Lists whose entries are texts of other people: what would be obeyed in them is spelled out, as in the tables.

Models spell out what they show themselves, since headings are read from them too. Where Qt keeps the entries (combo
boxes, completions), an entry is also the value, so there it is spelled out as it is drawn.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QCompleter, QStyledItemDelegate

from workbench.core.visible import visible


class ShownText(QStyledItemDelegate):
    """Draws entries as text that is seen and not obeyed."""

    def displayText(self, value: Any, locale: QLocale | QLocale.Language) -> str:
        # Before Qt makes an end of a line of its own of each in it.
        return visible(value) if isinstance(value, str) else super().displayText(value, locale)


def show_as_text(completer: QCompleter) -> None:
    """Spell out what is obeyed in the offers of a completer; what is taken over is what was offered."""
    offers = completer.popup()
    if offers is not None:
        offers.setItemDelegate(ShownText(offers))
