"""Something to look up: words with their meanings, under headings, with a field that finds them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLabel, QLineEdit, QWidget

from workbench.core.glossary import GlossaryPart
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import label

_WIDTH, _HEIGHT = 720, 560


class ReferenceDialog(QDialog):
    """A list that is read, not edited; it stays open beside the work.

    Parameters
    ----------
    title
        Of the window.
    parts
        What is listed.
    """

    def __init__(self, title: str, parts: Sequence[GlossaryPart], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Find")
        self.search.setAccessibleName("Find")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._show_found)
        self._rows: list[tuple[str, QLabel, QLabel, QLabel]] = []
        grid = QGridLayout()
        grid.setHorizontalSpacing(tokens.SPACE_L)
        grid.setVerticalSpacing(tokens.SPACE_S)
        grid.setColumnStretch(1, 1)
        for part in parts:
            heading = label(part.heading, heading=2)
            heading.setContentsMargins(0, tokens.SPACE_M, 0, 0)
            grid.addWidget(heading, grid.rowCount(), 0, 1, 2)
            for word, meaning in part.words:
                row = grid.rowCount()
                named = label(word, strong=True, wrap=True, selectable=True)
                told = label(meaning, wrap=True, selectable=True)
                named.setFixedWidth(_WIDTH // 4)
                grid.addWidget(named, row, 0, Qt.AlignmentFlag.AlignTop)
                grid.addWidget(told, row, 1, Qt.AlignmentFlag.AlignTop)
                self._rows.append((f"{word} {meaning}".casefold(), named, told, heading))
        self._none = label("Nothing of that name", muted=True)
        self._none.hide()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        inside = boxes.column(self._none, grid, 1, margins="0 0 m 0")
        boxes.column(self.search, (boxes.scrolled(inside), 1), buttons, margins="l", spacing="s", inside=self)
        self.resize(_WIDTH, _HEIGHT)

    @property
    def shown(self) -> list[tuple[str, str]]:
        """The words that are listed now, with their meanings."""
        return [(word.text(), meaning.text()) for _, word, meaning, _ in self._rows if not word.isHidden()]

    def _show_found(self, text: str) -> None:
        wanted = text.casefold().split()
        seen = set()
        for said, word, meaning, heading in self._rows:
            found = all(one in said for one in wanted)
            word.setVisible(found)
            meaning.setVisible(found)
            if found:
                seen.add(heading)
        for _, _, _, heading in self._rows:
            heading.setVisible(heading in seen)
        self._none.setVisible(not seen)
