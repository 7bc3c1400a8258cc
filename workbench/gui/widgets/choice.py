"""A choice of several, small: an icon, a title and a sentence in one line or two."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.pressable_card import PressableCard


class ChoiceCard(PressableCard):
    """A choice in one line or two.

    Parameters
    ----------
    sentence
        Below the title; without one the title stands alone.
    note
        A word at the right of the title, such as where it comes from.
    """

    def __init__(
        self, icon_name: str, title: str, sentence: str, note: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(f"{title}, {note}" if note else title, sentence, parent)
        heading = boxes.row((label(title, strong=True, wrap=True), 1), spacing="s")
        if note:
            heading.addWidget(label(note, muted=True, small=True))
        words = boxes.column(heading, spacing="hair")
        if sentence:
            words.addWidget(label(sentence, muted=True, small=True, wrap=True))
            words.addStretch(1)
        boxes.row(
            (IconLabel(icon_name, tokens.ICON_LARGE, "accent"), Qt.AlignmentFlag.AlignTop),
            (words, 1),
            margins="m s m s",
            spacing="m",
            inside=self,
        )
