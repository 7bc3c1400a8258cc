"""The start page of the Data workspace: three ways to begin."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from workbench.core.paths import sample_data
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.card import Card
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label


class NoTablePage(QWidget):
    """Three cards: open a CSV, try a sample, open a project; and the way to the tour.

    Signals
    -------
    open_requested()
        A file dialog is wanted, for data or for a project.
    sample_chosen(object)
        The path of a sample.
    tour_requested()
        The person would like to be shown around.
    """

    open_requested = Signal()
    sample_chosen = Signal(object)
    tour_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_explain(self, "data.open")
        self.open_card = Card(
            "open",
            "Open CSV…",
            "A table with a row for each person or event. Drop it anywhere in this window, or choose it.",
        )
        self.sample_card = Card(
            "table", "Try a sample", "Made-up data with ready hierarchies, to see how it all works."
        )
        self.project_card = Card(
            "save",
            "Open project",
            "Go on with settings you saved earlier, on the same file or the next.",
        )
        self.open_card.activated.connect(self.open_requested)
        self.project_card.activated.connect(self.open_requested)
        self.sample_card.activated.connect(self._offer_samples)
        self.tour = push_button(
            "New here? Take the &tour in six steps",
            self.tour_requested,
            name="Take the tour in six steps",
            icon=icon("arrow-right", "link"),
            quiet=True,
            align="left",
        )
        self.samples = QMenu(self)
        self.samples.setAccessibleName("Samples")
        for path in sorted(sample_data().glob("*.csv*")):
            if "_hierarchy_" not in path.name:
                action = self.samples.addAction(icon("table"), self._sample_title(path))
                action.triggered.connect(partial(self.sample_chosen.emit, path))
        self._lay_out()

    def show_opening(self, words: str) -> None:
        """Say that something is being opened, which can take its time; "" offers the ways to begin again."""
        self._heading.setText(f"{words}…" if words else self._question)
        self._words.setText(
            "How far it has come is shown at the bottom of the window, where it can be cancelled."
            if words
            else self._promise
        )
        for widget in (self._cards, self.tour):
            widget.setVisible(not words)

    def _lay_out(self) -> None:
        self._cards = QWidget()
        cards = boxes.row(spacing="l", inside=self._cards)
        for card in (self.open_card, self.sample_card, self.project_card):
            card.setMaximumWidth(tokens.EXPLAIN_WIDTH)
            card.setMinimumHeight(tokens.EXPLAIN_WIDTH * 3 // 5)
            cards.addWidget(card, 1)
        self._question = "Which table do you want to anonymise?"
        self._promise = "Your data stays where it is. Nothing is changed in the file you open."
        self._heading = label(self._question, heading=1, wrap=True)
        self._words = label(self._promise, muted=True, wrap=True)
        inside = QWidget()
        inside.setMaximumWidth(3 * tokens.EXPLAIN_WIDTH + 2 * tokens.SPACE_L)
        boxes.column(
            self._heading,
            self._words,
            boxes.Gap("l"),
            self._cards,
            boxes.Gap("s"),
            (self.tour, Qt.AlignmentFlag.AlignLeft),
            spacing="s",
            inside=inside,
        )
        boxes.column(2, boxes.row(1, (inside, 100), 1), 3, margins="xl", inside=self)
        self.setFocusProxy(self.open_card)

    def _offer_samples(self) -> None:
        card = self.sample_card
        self.samples.popup(card.mapToGlobal(QPoint(0, card.height())))
        if self.samples.actions():
            self.samples.setActiveAction(self.samples.actions()[0])
        self.samples.setFocus(Qt.FocusReason.PopupFocusReason)

    def _sample_title(self, path: Path) -> str:
        titles = {
            "ages.csv": "Ages – 20,000 persons, one age each",
            "baltimore_salaries.csv": "City salaries – 13,811 employees with job title and pay",
            "nba_salaries.csv": "Basketball salaries – 12,377 seasons of 2,217 players",
            "surgery_charges.csv.gz": "Surgery payments – 200,000 averages by hospital",
        }
        return titles.get(path.name, path.name)
