"""The path of one value up the levels of a hierarchy, in a line."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView, QWidget

from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.hierarchies.values_model import ROWS_COLUMN, HierarchyValuesModel

_ARROW = " → "
_FEWEST = 3
_TRIED = 200
"""Values among which an example is looked for."""


class StepsLabel(ElidedLabel):
    """Labels with arrows between them, in two lines where one has no room for them.

    Where these are too narrow as well long ones are cut, and then some between are left out. The first and the last are
    always there: from what to what it leads.
    """

    _steps: tuple[str, ...] = ()

    def set_steps(self, steps: Sequence[str]) -> None:
        self._steps = tuple(steps)
        self.set_text(_ARROW.join(steps))

    def _cut(self, width: int) -> str:
        metrics, all_of_them = self.fontMetrics(), len(self._steps)
        advance = metrics.horizontalAdvance
        if advance(_ARROW.join(self._steps)) > width:
            for place in range(all_of_them - 1, 0, -1):
                lines = _ARROW.join(self._steps[:place]), _ARROW.lstrip() + _ARROW.join(self._steps[place:])
                if max(map(advance, lines)) <= width:
                    return "\n".join(lines)
        for kept in range(all_of_them, _FEWEST - 1, -1):
            between = [] if kept == all_of_them else ["…"]
            shown = [*self._steps[: kept - 1 - len(between)], *between, self._steps[-1]]
            widths = [advance(step) for step in shown]
            most = _most(widths, width - advance(_ARROW) * (len(shown) - 1) - tokens.SPACE_HAIR)
            if most >= min(max(widths), tokens.COLUMN_MIN):
                right = Qt.TextElideMode.ElideRight
                return _ARROW.join(
                    step if wide <= most else metrics.elidedText(step, right, most)
                    for step, wide in zip(shown, widths, strict=True)
                )
        return super()._cut(width)


def _most(widths: Sequence[int], room: int) -> int:
    """As much as each may take at most, so that all of them fit: what is shorter leaves its share to the others."""
    for place, width in enumerate(rising := sorted(widths)):
        share = room // (len(rising) - place)
        if width > share:
            return share
        room -= width
    return max(widths)


class LevelPath(QWidget):
    """The path of the value that is chosen in a table of values, or else of the first that shows most levels.

    So whoever opens a hierarchy sees first what it does: 1294 → 129* → 12** → 1*** → *.
    """

    def __init__(self, table: QTableView, values: HierarchyValuesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table, self._values = table, values
        self.set_aside: Sequence[str] = ()
        """Values that nobody wrote: as an example only whoever chooses one sees it."""
        self.steps = StepsLabel()
        set_look(self.steps, heading=2)
        self.line = boxes.row(label("Example", small=True, muted=True), (self.steps, 1), spacing="s", inside=self)
        values.modelReset.connect(self.refresh)
        values.layoutChanged.connect(self.refresh)
        table.selectionModel().currentChanged.connect(self.refresh)
        self.refresh()

    def refresh(self, *_: object) -> None:
        """Show the path anew, through the levels that the table shows."""
        chosen = self._table.currentIndex().row()
        every = [*range(min(self._values.rowCount(), _TRIED))] if chosen < 0 else [chosen]
        some = [row for row in every if chosen >= 0 or self._values.text(row, 0) not in self.set_aside] or every
        # Nobody chose one: the first of those that each level makes coarser, as far as any does. Intervals at the ends
        # may be cut off, which looks like a mistake: of these the one in the middle.
        paths = [self._steps(row) for row in some]
        best = [path for path in paths if len(path) == max(map(len, paths))]
        steps = best[(len(best) - 1) // 2 if self._values.is_of_intervals else 0] if best else []
        self.steps.set_steps(steps)
        self.steps.setAccessibleName(f"Example, level by level: {_ARROW.join(steps)}" if steps else "")

    def _steps(self, row: int) -> list[str]:
        """What a value is at the levels that the table shows; a level that leaves it as it is teaches nothing."""
        values, is_hidden = self._values, self._table.isColumnHidden
        if row >= values.rowCount():
            return []
        columns = (column for column in range(values.columnCount()) if column != ROWS_COLUMN and not is_hidden(column))
        steps = [visible(values.text(row, column)) for column in columns]
        return [step for place, step in enumerate(steps) if not place or step != steps[place - 1]]
