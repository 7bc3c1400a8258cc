"""A card: one choice of a few, with an icon, a title and a sentence."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.pressable_card import PressableCard


class Card(PressableCard):
    """A choice with room for its sentence."""

    def __init__(self, icon_name: str, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(title, text, parent)
        self._text = label(text, muted=True, wrap=True)
        boxes.column(
            IconLabel(icon_name, tokens.SPACE_XL, "accent"),
            label(title, heading=2),
            self._text,
            1,
            margins="l",
            spacing="s",
            inside=self,
        )

    def set_text(self, text: str) -> None:
        """Say what the choice does now."""
        self._text.setText(text)
        self.setAccessibleDescription(text)
