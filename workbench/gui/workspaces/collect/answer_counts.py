"""Counts of the rows that answer, and the loss of their encoding: for the analyst only."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.labels import label
from workbench.session.collection.results import CollectedQuestion

_LINES = 2


class AnswerCounts(QWidget):
    """A badge with a sentence or two; hidden while there is nothing to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.badge = analyst_badge()
        self.words = label(small=True, muted=True, wrap=True)
        boxes.column((self.badge, Qt.AlignmentFlag.AlignLeft), self.words, spacing="xs", inside=self)
        self.hide()

    def keep_room(self, kept: bool) -> None:
        """Keep the room of the badge and two lines while nothing is known yet: what is below must not jump."""
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(kept)
        self.setSizePolicy(policy)
        self.words.setMinimumHeight(_LINES * self.words.fontMetrics().lineSpacing() if kept else 0)

    def show_asked(self, asked: CollectedQuestion | None) -> None:
        """Show what the column holds, or nothing."""
        lines = []
        encoded, numbers = (asked.encoded, asked.numbers) if asked is not None else (None, None)
        if encoded is not None:
            lines.append(f"{len(encoded):,} rows answer.")
            if encoded.binning_error:
                lines.append(
                    f"The bins alone move a value by {estimate(encoded.binning_error)} on average, before any noise."
                )
        elif numbers is not None:
            lines.append(f"{len(numbers):,} rows answer.")
        found = encoded if encoded is not None else numbers
        if found is not None and found.absent:
            lines.append(f"{found.absent:,} have no value.")
        if found is not None and found.clipped:
            lines.append(f"{found.clipped:,} lie outside the domain.")
        self.words.setText(" ".join(lines))
        set_look(self.words, tone="none", muted=True)
        self.setVisible(bool(lines))

    def show_problem(self, error: WorkbenchError) -> None:
        """Show why the rows cannot be encoded, which names true values."""
        self.words.setText(str(error))
        set_look(self.words, tone="error", muted=False)
        self.show()
