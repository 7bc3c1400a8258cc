"""Published figures to make again, by chapter: one card each, and below those with settings of their own."""

from __future__ import annotations

from functools import partial
from itertools import groupby

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from workbench.evaluate.preset import PRESETS
from workbench.evaluate.published.catalogue import FIGURES, LEFT_OUT, LEFT_OUT_BEFORE
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.choice import ChoiceCard
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.compare.figure_card import FigureCard, LeftOutCard
from workbench.gui.workspaces.compare.verdict_marks import verdict_marks
from workbench.session.published_figures import marks_of_all

_COLUMNS, _FIGURES = 2, 3


class Gallery(QWidget):
    """The published figures as cards to choose from.

    Signals
    -------
    chosen(str)
        Identifier of the preset whose card was pressed.
    figure_chosen(str)
        Identifier of the figure whose card was pressed.
    """

    chosen = Signal(str)
    figure_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: dict[str, ChoiceCard] = {}
        self.figures: dict[str, FigureCard] = {}
        inside = QWidget()
        inside.setProperty("bare", "true")
        layout = boxes.column(
            verdict_marks(marks_of_all(FIGURES)),
            margins="l s l l",
            spacing="m",
            inside=inside,
        )
        for chapter, figures in groupby(FIGURES, lambda figure: figure.chapter):
            layout.addWidget(label(chapter, heading=2))
            grid = _grid(_FIGURES)
            tiles: list[QWidget] = []
            for figure in figures:
                if figure.identifier == LEFT_OUT_BEFORE:
                    tiles += [LeftOutCard(number, why) for number, why in LEFT_OUT]
                tile = self.figures[figure.identifier] = FigureCard(figure)
                tile.activated.connect(partial(self.figure_chosen.emit, figure.identifier))
                tiles.append(tile)
            for place, one in enumerate(tiles):
                grid.addWidget(one, place // _FIGURES, place % _FIGURES)
            layout.addLayout(grid)
        layout.addWidget(label("With settings of your own", heading=2))
        grid = _grid(_COLUMNS)
        for number, preset in enumerate(PRESETS):
            sample = preset.sample.file.removesuffix(".gz").removesuffix(".csv") if preset.sample else ""
            card = self.cards[preset.identifier] = ChoiceCard("chart", preset.title, "", sample)
            card.setAccessibleDescription(preset.look)
            card.setToolTip(f"{preset.look}\n\n{preset.summary}")
            card.activated.connect(partial(self.chosen.emit, preset.identifier))
            grid.addWidget(card, number // _COLUMNS, number % _COLUMNS)
        layout.addLayout(grid)
        layout.addStretch(1)
        boxes.column(boxes.scrolled(inside), inside=self)
        set_explain(self, "compare.presets")


def _grid(columns: int) -> QGridLayout:
    grid = QGridLayout()
    grid.setSpacing(tokens.SPACE_M)
    for column in range(columns):
        grid.setColumnStretch(column, 1)
    return grid
