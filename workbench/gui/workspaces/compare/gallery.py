"""Published figures to make again: one card each; what to see in it stands on its page and in the tooltip."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from workbench.evaluate.preset import PRESETS
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.choice import ChoiceCard
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label

_COLUMNS = 2


class Gallery(QWidget):
    """The published figures as cards to choose from.

    Signals
    -------
    chosen(str)
        Identifier of the preset whose card was pressed.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: dict[str, ChoiceCard] = {}
        inside = QWidget()
        inside.setProperty("bare", "true")
        layout = boxes.column(
            label("Published figures, made again", heading=1),
            label(
                (
                    "Each runs on a shipped sample, or on a column of your own, and says what to see and where it "
                    "differs from what was published."
                ),
                muted=True,
                wrap=True,
            ),
            margins="l s l l",
            spacing="m",
            inside=inside,
        )
        grid = QGridLayout()
        grid.setSpacing(tokens.SPACE_M)
        for number, preset in enumerate(PRESETS):
            sample = preset.sample.file.removesuffix(".gz").removesuffix(".csv") if preset.sample else ""
            card = self.cards[preset.identifier] = ChoiceCard("chart", preset.title, "", sample)
            card.setAccessibleDescription(preset.look)
            card.setToolTip(f"{preset.look}\n\n{preset.summary}")
            card.activated.connect(partial(self.chosen.emit, preset.identifier))
            grid.addWidget(card, number // _COLUMNS, number % _COLUMNS)
        for column in range(_COLUMNS):
            grid.setColumnStretch(column, 1)
        layout.addLayout(grid)
        layout.addStretch(1)
        boxes.column(boxes.scrolled(inside), inside=self)
        set_explain(self, "compare.presets")
