"""Published figures to make again, by chapter: one card each, and below those with settings of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QLineEdit, QVBoxLayout, QWidget

from workbench.evaluate.preset import PRESETS
from workbench.evaluate.published.agreement import Said
from workbench.evaluate.published.catalogue import (
    FIGURES,
    LEFT_OUT,
    LEFT_OUT_BEFORE,
    NOT_FOUND,
    begins,
    first_found,
    rank,
)
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.choice import ChoiceCard
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.compare.figure_card import FigureCard, LeftOutCard
from workbench.gui.workspaces.compare.verdict_marks import VerdictFilter
from workbench.session.published_figures import agree_by_source, marks_of_all

_COLUMNS, _FIGURES = 2, 3
_HAS = "has a value that {}"


@dataclass(frozen=True)
class _Chapter:
    """A heading, and the tiles below it, each with the words by which it is found."""

    box: QWidget
    grid: QGridLayout
    columns: int
    tiles: tuple[tuple[str, QWidget], ...]
    fillers: tuple[QWidget, ...]

    def sought(self, typed: str) -> list[QWidget]:
        """Those of which every word that is typed is found; what is meant most likely comes first."""
        found = [tile for words, tile in self.tiles if begins(typed, words)]
        return sorted(found, key=partial(_far, typed)) if typed.strip() else found

    def keep(self, found: list[QWidget]) -> None:
        """Show these, without holes."""
        while self.grid.takeAt(0) is not None:
            pass
        # Placed before it is shown, as without a place it would be a window.
        for place, one in enumerate(found):
            self.grid.addWidget(one, place // self.columns, place % self.columns)
        for _, tile in self.tiles:
            tile.setVisible(tile in found)
        # An empty column has no space beside it; so that tiles of all chapters stand in line, none is empty.
        for column, one in enumerate(self.fillers):
            one.setVisible(bool(found) and column >= len(found))
            if not one.isHidden():
                self.grid.addWidget(one, 0, column)
        self.box.setVisible(bool(found))


class Gallery(QWidget):
    """The published figures as cards to choose from.

    Parameters
    ----------
    in_steps
        Whether somebody else goes through `filling`, a chapter for each step, before it is seen.

    Signals
    -------
    chosen(str)
        Identifier of the preset whose card was pressed.
    figure_chosen(str)
        Identifier of the figure whose card was pressed.
    own_wanted()
        The person wants to compare the ways on a question of their own.
    """

    chosen = Signal(str)
    figure_chosen = Signal(str)
    own_wanted = Signal()

    def __init__(self, parent: QWidget | None = None, *, in_steps: bool = False) -> None:
        super().__init__(parent)
        self.cards: dict[str, ChoiceCard] = {}
        self.figures: dict[str, FigureCard] = {}
        self.search = QLineEdit()
        self.search.setAccessibleName("Number or words of a figure")
        self.search.setPlaceholderText("3.2…")
        self.search.setToolTip(
            "Type the number, page or section of a figure, or a word of its title, data, mechanism or settings; "
            "Enter opens it"
        )
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(2 * tokens.FIELD_WIDTH)
        self.search.textChanged.connect(self._seek)
        self.search.returnPressed.connect(self.open_found)
        self.nothing = label("", muted=True, wrap=True)
        self.nothing.hide()
        inside = self._inside = QWidget()
        inside.setProperty("bare", "true")
        self._layout = boxes.column(self.nothing, margins="l s l l", spacing="m", inside=inside)
        self._chapters: list[_Chapter] = []
        self.marks = VerdictFilter()
        self.marks.chosen.connect(lambda: self._seek(self.search.text()))
        # Not within what scrolls: it is there wherever one has scrolled to.
        self.own = push_button(
            "Own question",
            self.own_wanted,
            icon=icon("arrow-right", "link"),
            tip="Of a table or a sample: which way errs least, on made-up values between public bounds",
            quiet=True,
        )
        first = boxes.row(self.search, 1, self.own, spacing="s")
        top = boxes.column(first, self.marks, margins="l s l xs", spacing="s")
        self._area = boxes.scrolled(inside)
        boxes.column(top, (self._area, 1), spacing=0, inside=self)
        set_explain(self, "compare.presets")
        if not in_steps:
            for _ in self.filling():
                pass

    def filling(self) -> Iterator[None]:
        """Make the cards, a chapter for each step."""
        for chapter, figures in groupby(FIGURES, lambda figure: figure.chapter):
            tiles: list[tuple[str, QWidget]] = []
            for figure in figures:
                if figure.identifier == LEFT_OUT_BEFORE:
                    tiles += [(number, LeftOutCard(number, why)) for number, why in LEFT_OUT]
                tile = self.figures[figure.identifier] = FigureCard(figure)
                tile.activated.connect(partial(self.figure_chosen.emit, figure.identifier))
                bare = figure.number.removeprefix("Figure ").removeprefix("Table ")
                tiles.append((f"{figure.number} {bare} {figure.sought}", tile))
            self._add(self._layout, chapter, _FIGURES, tiles)
            yield
        tiles = []
        for preset in PRESETS:
            sample = preset.sample.name if preset.sample else ""
            card = self.cards[preset.identifier] = ChoiceCard("chart", preset.title, "", sample)
            card.setAccessibleDescription(preset.look)
            card.setToolTip(f"{preset.look}\n\n{preset.summary}")
            card.activated.connect(partial(self.chosen.emit, preset.identifier))
            tiles.append((preset.title, card))
        self._add(self._layout, "With your own settings", _COLUMNS, tiles)
        self._layout.addStretch(1)
        yield
        self._seek("")

    def _add(self, layout: QVBoxLayout, title: str, columns: int, tiles: list[tuple[str, QWidget]]) -> None:
        grid = _grid(columns)
        box = boxes.boxed(boxes.column(label(title, heading=2), grid, spacing="m"))
        box.setProperty("bare", "true")
        layout.addWidget(box)
        self._chapters.append(_Chapter(box, grid, columns, tuple(tiles), _fillers(columns, box)))

    def _seek(self, typed: str) -> None:
        """Show what is typed for, and of that what the pressed mark is said of; the marks count what is typed for."""
        wanted, sought = self.marks.wanted, [chapter.sought(typed) for chapter in self._chapters]
        figures = [tile.figure for tiles in sought for tile in tiles if isinstance(tile, FigureCard)]
        self.marks.show_marks(marks_of_all(figures), agree_by_source(figures))
        if wanted is not None:
            sought = [[one for one in tiles if isinstance(one, FigureCard) and wanted in one.said] for tiles in sought]
        for chapter, tiles in zip(self._chapters, sought, strict=True):
            chapter.keep(tiles)
        if typed.strip():  # the chapter with the nearest one comes first
            nearest = [min((_far(typed, one) for one in tiles), default=NOT_FOUND) for tiles in sought]
            order = sorted(range(len(sought)), key=nearest.__getitem__)
        else:
            order = list(range(len(sought)))
        for place, number in enumerate(order, start=1):  # below the line that nothing is found
            self._layout.insertWidget(place, self._chapters[number].box)
        self._found = [tile for number in order for tile in sought[number]]
        self.nothing.setText(
            f"No figure is called “{typed.strip()}”." if wanted is None or not figures else _none_such(wanted)
        )
        self.nothing.setVisible(not self._found)
        self._area.verticalScrollBar().setValue(0)

    def open_found(self) -> None:
        """Open what is meant, else the first of those that are found."""
        typed = self.search.text()
        figure = first_found(typed)
        cards = [tile for tile in self._found if isinstance(tile, FigureCard | ChoiceCard)]
        if figure is not None and self.figures[figure.identifier] in cards:
            cards.insert(0, self.figures[figure.identifier])
        if typed.strip() and cards:
            cards[0].activated.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Whoever types anywhere among the cards, seeks."""
        typed = event.text()
        plain = not event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        if plain and typed.strip() and typed.isprintable():
            self.search.setFocus()
            self.search.setText(typed)
        elif event.key() == Qt.Key.Key_Escape and (self.search.text() or self.marks.wanted is not None):
            self.marks.release()
            self.search.clear()
            self._seek("")
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()  # it has opened a figure, which it is not to run as well
        else:
            super().keyPressEvent(event)


def _none_such(said: Said) -> str:
    """That none of the figures that are sought has such values."""
    return f"Of these figures none {said if said in (Said.TOGETHER, Said.APART) else _HAS.format(said)}."


def _far(typed: str, tile: QWidget) -> int:
    """How far a tile is from what is typed."""
    return rank(typed, tile.figure) if isinstance(tile, FigureCard) else NOT_FOUND


def _fillers(columns: int, parent: QWidget) -> tuple[QWidget, ...]:
    """One widget for each column that shows nothing."""
    found = tuple(QWidget(parent) for _ in range(columns))
    for one in found:
        one.setProperty("bare", "true")
    return found


def _grid(columns: int) -> QGridLayout:
    grid = QGridLayout()
    grid.setSpacing(tokens.SPACE_M)
    for column in range(columns):
        grid.setColumnStretch(column, 1)
    return grid
