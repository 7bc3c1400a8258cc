"""The words beside a published figure: its values, its settings, where it differs, and what the marks mean."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from workbench.evaluate.published.agreement import Said
from workbench.evaluate.published.entry import FigureOutcome, PublishedFigure
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.ample_table import AmpleTable
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.gui.workspaces.compare.figure_values import RATIO, settings_table, values_table
from workbench.gui.workspaces.compare.side_view import unbroken
from workbench.session.published_figures import MARKS
from workbench.session.published_meanings import ALLOWED, MEANINGS, meaning_of

_VALUES, _SETTINGS, _DIFFERS, _MARKS = range(4)
"""Views of what is said of a figure, in the order of the buttons."""
_LEAST_ROWS, _WHOLE, _FEW = 4, 12, 6
"""The least rows shown at once, and of how many lines and values at most a table is whole."""


class FigureSaid(ViewSwitch):
    """Four views of what is said of a figure, one at a time.

    Signals
    -------
    fitted()
        Rows of a table may need another height.
    """

    fitted = Signal()

    def __init__(self) -> None:
        values = AmpleTable("Published values beside ours")
        values.setToolTip(meaning_of(Said))
        settings = AmpleTable("Settings, as published and mended")
        differs = label(wrap=True, selectable=True)
        meanings = (f"{'≈ ≉ together' if one is Said.TOGETHER else f'{MARKS[one]} {one}'}: {words}" for one, words in (
            MEANINGS.items()))  # fmt: skip
        marks = label("\n".join((ALLOWED, *meanings)), wrap=True, selectable=True)
        super().__init__(
            "What is said of the figure",
            (
                (boxes.boxed(boxes.column(values, 1)), "Values"),
                (boxes.boxed(boxes.column(settings, 1)), "Settings"),
                (_told(differs), "Where it differs, and why"),
                (_told(marks), "What the marks mean"),
            ),
        )
        self.values, self.settings, self.differs, self.marks = values, settings, differs, marks
        for table in (values, settings):
            table.fitted.connect(self.fitted)

    def show_figure(self, figure: PublishedFigure) -> None:
        """Begin with another figure: with its values, if it has any."""
        self.buttons[_DIFFERS].setText("What it shows" if figure.document.ours else "Where it differs, and why")
        self.show_view(_VALUES if figure.values else _DIFFERS)

    def show_outcome(self, outcome: FigureOutcome) -> None:
        """Show the settings, and the values as far as they are there."""
        self.settings.show_texts(*settings_table(outcome))
        heading, rows, verdict, inks = values_table(outcome)
        self.values.show_texts(heading, rows, (*heading[1:verdict], heading[verdict + 1]), spare=RATIO)
        self.values.ink_column(verdict, inks)
        for view in (_VALUES, _MARKS):
            self.buttons[view].setVisible(bool(rows))
        if not rows and self.pages.currentIndex() in (_VALUES, _MARKS):
            self.show_view(_DIFFERS)

    def say_why(self, outcome: FigureOutcome, waits: str) -> None:
        """Where it differs, and why; until that is known, what it waits for."""
        self.differs.setText("\n".join(f"• {unbroken(line)}" for line in outcome.differs) or waits)

    def heights(self, room: int) -> tuple[int, int]:
        """The least height of what is said, and that of the highest view.

        So the buttons stay where they are when another view is seen.

        Parameters
        ----------
        room
            How wide a text is.
        """
        tables = [table.whole_height(self._wide) for table in (self.values, self.settings)]
        words = [one.heightForWidth(room) + 3 * tokens.SPACE_S for one in (self.differs, self.marks)]
        seen = (not button.isHidden() for button in self.buttons)
        needed = max(high for high, one in zip((*tables, *words), seen, strict=True) if one)
        usual = (_LEAST_ROWS + 1) * tokens.ROW_HEIGHT + tokens.SPACE_S
        return min(needed, max(usual, self._whole(tables[_VALUES]))), needed

    def fit_tables(self, most: int) -> None:
        """Tables end where their rows do, or where there is no more room."""
        for table in (self.values, self.settings):
            table.setFixedHeight(min(table.whole_height(self._wide), most))

    @property
    def _wide(self) -> int:
        return self.width() - 2 * tokens.SPACE_XS

    def _whole(self, high: int) -> int:
        """The height of a table of values that is seen as a whole; 0 of a longer one, which scrolls."""
        few = self.values.model().rowCount() <= _FEW and high <= _WHOLE * tokens.ROW_HEIGHT
        return high if few else 0


def _told(words: QLabel) -> QWidget:
    """Scrolling area for words that are read beside the pictures, which stay where they are."""
    words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    return boxes.scrolled(boxes.column(words, 1, margins="s"))
