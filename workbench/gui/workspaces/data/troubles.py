"""Oddities in the values of columns, each with the button that mends it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QTableView, QWidget

from workbench.core.number_text import count, counted, rounded
from workbench.core.schema import ColumnSpec
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.workspaces.data.problems import problems_view
from workbench.io.column_troubles import ColumnTrouble
from workbench.io.reading import ReadingProblem

_MANY = 100
_NAMED = 2
_LONGEST = 28
"""Characters that a button has room for beside its verbs."""


class TroubleCard(QFrame):
    """One trouble in words, and the button that mends it or takes that back.

    Signals
    -------
    toggled(bool)
        It is to be mended, or no longer.
    """

    toggled = Signal(bool)

    def __init__(self, trouble: ColumnTrouble, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.trouble = trouble
        self.mended = False
        set_look(self, card=True)
        self._icon = IconLabel("warning", tokens.ICON_SMALL, "warning")
        rows = _roughly(trouble.rows) if trouble.rows else ""
        self.words = label(trouble.words, small=True, muted=True, wrap=True)
        self.button = push_button(act=self._press)
        self.button.setVisible(bool(trouble.mend))
        what = boxes.column(
            boxes.row(label(trouble.column, strong=True), label(rows, small=True, muted=True), 1, spacing="s"),
            self.words,
            spacing="hair",
        )
        boxes.row(self._icon, (what, 1), self.button, margins="s xs s xs", spacing="s", inside=self)
        self.set_mended(False)

    @property
    def plainly_odd(self) -> bool:
        """Whether it can be mended and nobody means it as it is."""
        return bool(self.trouble.mend) and not self.trouble.doubtful

    def set_mended(self, mended: bool) -> None:
        """Show whether it is to be mended."""
        self.mended = mended
        state = "success" if mended else "info" if self.trouble.harmless else "warning"
        self.words.setText(self.trouble.then if mended else self.trouble.words)
        self._icon.set_icon(state, state)
        text = "Take back" if mended else self.trouble.mend
        self.button.setText(text)
        self.button.setAccessibleName(f"{text}: {self.trouble.column}")

    def _press(self) -> None:
        self.set_mended(not self.mended)
        self.toggled.emit(self.mended)


class ProblemsPage(QWidget):
    """Troubles of the columns, and below them the lines that do not fit.

    Signals
    -------
    changed()
        Something is to be mended, or no longer.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_explain(self, "data.preview")
        self.cards: list[TroubleCard] = []
        self.said = label()
        self.none = label("No problem was found.", muted=True)
        self.notes = label("Good to know", strong=True)
        self._list = QWidget()
        self._list.setProperty("bare", "true")
        self._column = boxes.column(1, margins="0 0 s 0", spacing="s", inside=self._list)
        self._scroll = boxes.scrolled(self._list)
        self.lines: QTableView
        self.lines, self._lines_model = problems_view("Lines that do not fit")
        self.rests = label(small=True, wrap=True)
        parts = (self.none, self.said, self.rests, (self._scroll, 2), (self.lines, 1))
        boxes.column(*parts, margins="s", spacing="s", inside=self)
        self.show_problems((), ())

    @property
    def mended(self) -> tuple[ColumnTrouble, ...]:
        """Troubles that are to be mended."""
        return tuple(card.trouble for card in self.cards if card.mended)

    @property
    def to_mend(self) -> int:
        """How many troubles a press would mend: not what may be meant as it is, which has a button of its own."""
        return sum(card.plainly_odd and not card.mended for card in self.cards)

    @property
    def named(self) -> str:
        """Name of what a press would mend: all of several, or what the only one is about."""
        left = [card.trouble for card in self.cards if card.plainly_odd and not card.mended]
        if len(left) != 1:
            return all_of(len(left))
        texts = left[0].missing
        names = [f"“{visible(one)}”" if one else "empty" for one in texts[:_NAMED] or (left[0].column,)]
        words = " and ".join(names) if len(texts) <= _NAMED else f"“{visible(left[0].column)}”"
        return words if len(words) <= _LONGEST else all_of(1)

    @property
    def open_troubles(self) -> int:
        """How many there are that nobody has mended, without what is only good to know."""
        return sum(not card.mended and not card.trouble.harmless for card in self.cards)

    def mended_specs(self, specs: Sequence[ColumnSpec]) -> tuple[ColumnSpec, ...]:
        """The descriptions of columns once it is."""
        found = {spec.name: spec for spec in specs}
        for trouble in self.mended:
            if trouble.column in found:
                found[trouble.column] = trouble.mended(found[trouble.column])
        return tuple(found.values())

    def show_problems(self, lines: Sequence[ReadingProblem], troubles: Sequence[ColumnTrouble]) -> None:
        """Show the problems of a file; what was to be mended stays so where it is still the same."""
        kept = {(trouble.column, trouble.mend, trouble.doubtful) for trouble in self.mended}
        for card in self.cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        # What can be mended comes first, and last what nobody need do anything about.
        ranked = sorted(troubles, key=lambda trouble: (trouble.harmless, not trouble.mend))
        self.cards = [TroubleCard(trouble) for trouble in ranked]
        self._column.removeWidget(self.notes)
        first_note = sum(not trouble.harmless for trouble in troubles)
        for position, card in enumerate(self.cards):
            same = (card.trouble.column, card.trouble.mend, card.trouble.doubtful)
            card.set_mended(bool(card.trouble.mend) and same in kept)
            card.toggled.connect(self._toggled)
            self._column.insertWidget(position, card)
        self._column.insertWidget(first_note, self.notes)
        self.notes.setVisible(first_note < len(self.cards))
        self._lines_model.show_records(lines)
        self.lines.setVisible(bool(lines))
        self._scroll.setVisible(bool(self.cards) or not lines)
        self.none.setVisible(not self.cards and not lines)
        self.rests.setVisible(bool(self.cards))
        self._show_button()

    def _show_button(self) -> None:
        can = sum(card.plainly_odd for card in self.cards)
        meant = sum(bool(card.trouble.mend) and not card.plainly_odd and not card.mended for card in self.cards)
        said = _said(can, [card.trouble for card in self.cards if card.plainly_odd and not card.mended])
        self.said.setText(f"{said} The other may be meant as it is." if meant == 1 else said)
        self.said.setVisible(can > 0)
        self.rests.setText(_rests(self.cards))

    def mend_everything(self) -> None:
        """Mend whatever nobody means as it is; what may be meant stays as it was chosen."""
        for card in self.cards:
            card.set_mended(card.plainly_odd or card.mended)
        self._toggled()

    def _toggled(self, *_: object) -> None:
        self._show_button()
        self.changed.emit()


def _roughly(rows: int) -> str:
    """In how many rows, no more exactly than it takes to decide: what is chosen here is said to rest on no row."""
    return "in a few rows" if rows < _MANY else f"in about {count(rounded(float(rows), 1))} rows"


def _said(can: int, left: Sequence[ColumnTrouble]) -> str:
    """How many troubles can be mended, and how many of them are; of a single one which texts it is about."""
    if not left:
        return "Mended." if can == 1 else f"{all_of(can).capitalize()} are mended."
    if len(left) < can:
        return f"{len(left)} of {can} are left to be mended."
    texts = left[0].missing if can == 1 else ()
    named = f": {', '.join(f'“{text}”' for text in texts)}" if 0 < len(texts) <= _NAMED else ""
    return visible(f"{counted(can, 'problem')} can be mended{named}.")


def _rests(cards: Sequence[TroubleCard]) -> str:
    """Basis on which mending rests, with what is to be mended first as the example."""
    sure_first = sorted(cards, key=lambda card: not card.plainly_odd)
    texts = next((card.trouble.missing for card in sure_first if card.trouble.mend and card.trouble.missing), ())
    example = next((f", as if “{visible(text)}” always means “no answer”" for text in texts if text), "")
    return (
        f"Mend what is so in every file of this kind{example}. Do not mend one person’s odd entry so: "
        "when you publish, you sign that you would have done the same with other people in the file."
    )


def all_of(number: int) -> str:
    """All of so many, in words: "it", "both", "all 3"."""
    return {1: "it", 2: "both"}.get(number, f"all {number}")
