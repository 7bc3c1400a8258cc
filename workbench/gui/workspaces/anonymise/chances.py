"""The chances of levels that were drawn privately; analyst only."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from workbench.anonymise.dp_search import DrawnLevels
from workbench.core.number_text import percent
from workbench.gui import tokens
from workbench.gui.theme import tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label

_LEAST_CHANCE = 0.001


class Chances(QWidget):
    """The chances of the drawn levels and of the likeliest ones; analyst only, and folded away until asked for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drawn: DrawnLevels | None = None
        self.lines: list[tuple[QLabel, QLabel]] = []
        content = QWidget()
        column = boxes.column(spacing="xs", inside=content)
        top = boxes.row(analyst_badge(), 1)
        column.addLayout(top)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(tokens.SPACE_M)
        self._grid.setVerticalSpacing(tokens.SPACE_XS)
        self._grid.setColumnStretch(1, 1)
        column.addLayout(self._grid)
        self.disclosure = Disclosure("How likely these levels were", content)
        boxes.column(self.disclosure, inside=self)
        set_explain(self, "anonymise.chances")

    def show_drawn(self, drawn: DrawnLevels | None) -> None:
        """Show the chances of a draw, or nothing."""
        self.setVisible(drawn is not None)
        if drawn is None or drawn is self._drawn:
            return
        self._drawn = drawn
        levels = drawn.choice.levels
        # What was next to impossible tells nobody anything.
        likely = [one for one in drawn.likeliest if one.probability >= _LEAST_CHANCE or one.levels == levels]
        shown = [(one.probability, self._words(one.levels, levels)) for one in likely]
        if all(one.levels != levels for one in drawn.likeliest):
            shown.append((drawn.chance, self._words(levels, levels)))
        while len(self.lines) < len(shown):
            line = label(), label(wrap=True)
            line[0].setFont(tabular_font())
            self._grid.addWidget(line[0], len(self.lines), 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(line[1], len(self.lines), 1)
            self.lines.append(line)
        for place, (figure, words) in enumerate(self.lines):
            for part in (figure, words):
                part.setVisible(place < len(shown))
            if place < len(shown):
                figure.setText(self._percent(shown[place][0]))
                words.setText(shown[place][1])

    def _percent(self, chance: float) -> str:
        if chance > 1 - _LEAST_CHANCE:
            return f"over {percent(1 - _LEAST_CHANCE, 12)}"
        if chance < _LEAST_CHANCE:
            return f"under {percent(_LEAST_CHANCE)}"
        return percent(chance)

    def _words(self, levels: Mapping[str, int], drawn: Mapping[str, int]) -> str:
        """Other levels that would have been drawn, only those that differ from the drawn ones."""
        other = [f"{name} {level}" for name, level in levels.items() if drawn[name] != level]
        return ", ".join(other) if other else "the levels that were drawn"
