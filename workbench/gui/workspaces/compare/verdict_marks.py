"""Marks of what is said of published values: a sign for each, which needs no colour, in a colour besides."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from workbench.evaluate.published.agreement import Said
from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import label

_TONES = {
    Said.AGREES: "success",
    Said.TOGETHER: "success",
    Said.DIFFERS: "error",
    Said.APART: "error",
}


def verdict_marks(marks: Sequence[tuple[Said, str]]) -> QWidget:
    """The marks beside each other, each with its number; what decides nothing, or is fitted, has no colour."""
    shown = [label(words, tone=_TONES.get(said, ""), muted=said not in _TONES) for said, words in marks]
    row = QWidget()
    row.setProperty("bare", "true")
    boxes.row(*shown, 1, spacing="m", inside=row)
    return row
