"""How many rows answer, and what their encoding loses: for the analyst only."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.core.errors import WorkbenchError
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.collect.wording import figure
from workbench.session.collected import Asked


class AnswerCounts(QWidget):
    """A badge with a sentence or two; hidden while there is nothing to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.badge = analyst_badge()
        self.words = label(small=True, muted=True, wrap=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_XS)
        layout.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.words)
        self.hide()

    def show_asked(self, asked: Asked | None) -> None:
        """Show what the column holds, or nothing."""
        lines = []
        encoded, numbers = (asked.encoded, asked.numbers) if asked is not None else (None, None)
        if encoded is not None:
            lines.append(self.tr("{n} rows answer.").format(n=f"{len(encoded):,}"))
            if encoded.binning_error:
                lines.append(
                    self.tr("The bins alone move a value by {error} on average, before any noise.").format(
                        error=figure(encoded.binning_error)
                    )
                )
        elif numbers is not None:
            lines.append(self.tr("{n} rows answer.").format(n=f"{len(numbers):,}"))
        found = encoded if encoded is not None else numbers
        if found is not None and found.absent:
            lines.append(self.tr("{n} have no value.").format(n=f"{found.absent:,}"))
        if found is not None and found.clipped:
            lines.append(self.tr("{n} lie outside the domain.").format(n=f"{found.clipped:,}"))
        self.words.setText(" ".join(lines))
        set_look(self.words, tone="none", muted=True)
        self.setVisible(bool(lines))

    def show_problem(self, error: WorkbenchError) -> None:
        """Show why the rows cannot be encoded, which names true values."""
        self.words.setText(f"{error.message} {error.hint}".strip())
        set_look(self.words, tone="error", muted=False)
        self.show()
