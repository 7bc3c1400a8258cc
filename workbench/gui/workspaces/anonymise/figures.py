"""The numbers of a run, those for the analyst apart from those of the release."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLabel, QSizePolicy, QWidget

from workbench.anonymise.mechanism import Outcome
from workbench.gui import tokens
from workbench.gui.theme import set_look, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge, badge_height
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label

NO_FIGURE = "–"
_IN_A_ROW = 3


class FigureGroups(QWidget):
    """Figures in groups side by side; they stand one above the other where the window is narrow."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: dict[str, QLabel] = {}
        self._blanks: list[QWidget] = []
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(tokens.SPACE_L)
        set_explain(self, "anonymise.result")

    def add_group(self, heading: QWidget | None, figures: tuple[tuple[str, str], ...]) -> None:
        """Add a group of (name, words) below a heading; without one it belongs to that of the group before."""
        if heading is None:
            heading = QWidget()
            heading.setFixedHeight(badge_height())
            self._blanks.append(heading)
        self._layout.addWidget(self._group(heading, figures), 1)

    def value(self, name: str) -> str:
        """The text of a figure, by its name."""
        return self._values[name].text()

    def show_values(self, shown: Mapping[str, str]) -> None:
        """Show these texts, and a dash for every other figure."""
        for name, value in self._values.items():
            text = shown.get(name, NO_FIGURE)
            value.setText(text)
            value.setToolTip(text)
            set_look(value, muted=text == NO_FIGURE)
            value.setAccessibleName(f"{value.property('figure')}: {text}")
        self._fit()

    def _fit(self) -> None:
        """Smaller letters for all where one of the numbers would be cut off, for then it would be another number."""
        largest = QFont(self.font())
        largest.setPixelSize(tokens.FONT_HEADING_1)
        largest.setWeight(QFont.Weight.DemiBold)
        metrics = QFontMetrics(largest)
        fits = all(metrics.horizontalAdvance(value.text()) <= value.width() for value in self._values.values())
        for value in self._values.values():
            set_look(value, heading=1 if fits else 2)

    def _group(self, heading: QWidget, figures: tuple[tuple[str, str], ...]) -> QWidget:
        group = QWidget()
        grid = QGridLayout()
        grid.setHorizontalSpacing(tokens.SPACE_M)
        grid.setVerticalSpacing(0)
        for column, (name, words) in enumerate(figures):
            value = label(heading=1)
            value.setFont(tabular_font())
            value.setProperty("figure", words)
            value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            value.setMinimumWidth(tokens.COLUMN_MIN)
            self._values[name] = value
            grid.addWidget(value, 0, column)
            grid.addWidget(label(words, small=True, muted=True), 1, column)
            grid.setColumnStretch(column, 1)
        boxes.column(boxes.row(heading, 1), grid, spacing="xs", inside=group)
        return group

    def minimumSizeHint(self) -> QSize:
        # That of one group, whichever way they stand: the layout could otherwise never become narrow.
        return QSize(_IN_A_ROW * (tokens.COLUMN_MIN + tokens.SPACE_L), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < 2 * tokens.EXPLAIN_WIDTH
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._layout.direction() != direction:
            self._layout.setDirection(direction)
            self._layout.setSpacing(tokens.SPACE_S if narrow else tokens.SPACE_L)
            for blank in self._blanks:
                # Side by side it keeps the figures of both groups on one line.
                blank.setVisible(not narrow)
        self._fit()


class Figures(FigureGroups):
    """Six figures of an (ε, δ) run in two groups."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        public_heading = label("In the release", small=True, muted=True)
        # Both headings stand on one line.
        public_heading.setMinimumHeight(badge_height())
        self.add_group(
            analyst_badge(),
            (("rows_in", "Rows"), ("sampled", "Sampled"), ("suppressed", "Dropped")),
        )
        self.add_group(
            public_heading,
            (
                ("kept", "Rows kept"),
                ("classes", "Groups"),
                ("smallest", "Smallest group"),
            ),
        )
        self.show_outcome(None)

    def show_outcome(self, outcome: Outcome | None) -> None:
        """Show the figures of a run, or dashes."""
        if outcome is None:
            self.show_values({})
            return
        released = outcome.class_sizes[outcome.class_sizes >= outcome.recipe.k]
        self.show_values(
            {
                "rows_in": f"{outcome.rows_in:,}",
                "sampled": f"{outcome.sampled.rows:,}",
                "suppressed": f"{outcome.suppressed:,}",
                "kept": f"{outcome.rows_out:,}",
                "classes": f"{outcome.classes_out:,}",
                "smallest": f"{int(released.min()):,}" if len(released) else NO_FIGURE,
            }
        )
