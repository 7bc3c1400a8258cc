"""A card with one answer: a small question, the answer in large letters, and what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QScrollArea, QSizePolicy, QWidget

from workbench.gui import tokens
from workbench.gui.theme import set_look, small_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.flow import FlowLayout
from workbench.gui.widgets.labels import label
from workbench.session.collection.answered import Answered

_OFFERED = 2
"""Things at most that are offered side by side."""
_SHORT = 10
"""Letters of an offer that leave the answer room beside it."""
_TAKEN_LINES = 4
"""Of the detail, that the fields and the room for what is offered take."""
_SHARES = (23, 18, 21)
"""Of the width, that the cards side by side have."""
_SIDE_BY_SIDE = 600
"""Pixels below which three columns are too thin to be read."""
_STACKED = (47, 53, 0)
"""Of the width, that the two lower ones have where they are stacked."""
_WIDE_LINES = 1
"""Of the detail where the cards are stacked."""
_MIDDLE = 1
"""The card whose question is too long for the line of its answer."""
_LINES = 3
"""Of the detail of a usual answer, in the window that this is designed for."""


class AnswerCard(QFrame):
    """Shows an answer, and never becomes lower by it: what is below would jump with every digit that is typed.

    Signals
    -------
    taken()
        The person takes what is offered below the answer.

    Parameters
    ----------
    question
        What is answered, in a few words.
    field
        What the question depends on, in its place; None if on nothing here.
    measured
        Whether it is the measure that the tone is of, and not the answer.
    """

    taken = Signal()
    asked = Signal()
    """The person wants to read more, behind what is offered last."""
    chosen = Signal(int)
    """The person takes the n-th of several things that are offered below the answer."""

    def __init__(
        self, question: str, field: QWidget | None = None, parent: QWidget | None = None, *, measured: bool = False
    ) -> None:
        super().__init__(parent)
        self._question, self._measured = question, measured
        self._offered, self._across = "", False
        self.setProperty("card", "true")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.figure = label(heading=2, wrap=True, selectable=True)
        self.measure = label(strong=True, wrap=True, selectable=True)
        self.measure.hide()
        self.detail = label(muted=True, small=True, wrap=True, selectable=True)
        self._taken = 0 if field is None else _TAKEN_LINES
        self.keep_lines(_LINES)
        self.detail.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        for words in (self.figure, self.measure, self.detail):
            words.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        top = label(question, muted=True, small=True) if field is None else field
        self.offer = push_button("", self.taken, quiet=True)
        self.more = push_button("", self.asked, quiet=True)
        self.choices = tuple(push_button("", partial(self.chosen.emit, place), quiet=True) for place in range(_OFFERED))
        # All that is offered stands in one line at the foot of the card, or in as many as it needs.
        self._foot = FlowLayout()
        self._foot.setSpacing(0)
        for button in (self.more, self.offer, *self.choices):
            button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            button.hide()
            self._foot.addWidget(button)
        foot = boxes.boxed(self._foot)
        if field is not None:
            # What is found is offered in room that is kept for it, for what is below must not move when it comes.
            foot.setMinimumHeight(self.choices[0].sizeHint().height())
        self._head = boxes.column(top, self.figure, spacing="xs")
        boxes.column(self._head, self.measure, self.detail, 1, foot, margins="m s m s", spacing="xs", inside=self)

    def set_low(self, low: bool) -> None:
        """Stand as low as it can: what is asked, the answer and what is offered share a line."""
        across = low and not self._taken
        self._head.setDirection(QBoxLayout.Direction.LeftToRight if across else QBoxLayout.Direction.TopToBottom)
        self._head.setStretch(1, int(across))
        for button in (self.more, self.offer):
            (self._head if across else self._foot).addWidget(button)
        for button in self.choices:
            self._foot.addWidget(button)  # behind the others
        self._across = across
        self._word_offer()

    def _word_offer(self) -> None:
        words = self._offered
        self.offer.setText(words.split()[0] if self._across and len(words) > _SHORT else words)
        self.offer.setAccessibleName(words)

    def show_answer(self, answer: Answered, offer: str = "", why: str = "") -> None:
        """Show it, and what may be taken instead, with a tooltip that says what that does.

        Where it shares a line with the answer, a long offer is its first word: “Add”.
        """
        self._offered = offer
        self._word_offer()
        self.offer.setToolTip(why)
        self.offer.setVisible(bool(offer))
        self.figure.setText(answer.figure)
        for part, words in ((self.measure, answer.measure), (self.detail, answer.detail)):
            part.setText(_joined(words))
            part.setVisible(bool(words))
            part.setToolTip(answer.behind)
        toned = self.measure if self._measured and answer.measure else self.figure
        for part in (self.figure, self.measure):
            set_look(part, tone=answer.tone or "none" if part is toned else "none")
        said = (answer.figure, answer.measure, answer.detail)
        self.setAccessibleName(f"{self._question}: {'. '.join(filter(None, said))}")
        self.setAccessibleDescription(answer.behind)
        self._keep()

    def show_more(self, words: str) -> None:
        """Offer to read more; with "" nothing."""
        self.more.setText(words)
        self.more.setVisible(bool(words))
        self._keep()

    def show_choices(self, choices: Sequence[tuple[str, str]]) -> None:
        """Offer several things below the answer, each in a word or two, and in full where it is pointed at."""
        for place, button in enumerate(self.choices):
            words, full = choices[place] if place < len(choices) else ("", "")
            button.setText(words)
            button.setToolTip(full)
            button.setAccessibleName(full)
            button.setVisible(bool(words))
        if not self._taken:  # else there is room for them from the beginning
            self._keep()

    def keep_lines(self, lines: int) -> None:
        """Keep room for a usual answer from the beginning, so that what is below does not move when it comes.

        Parameters
        ----------
        lines
            Of the detail of a card that has no fields.
        """
        self.detail.setMinimumHeight(max(lines - self._taken, 1) * QFontMetrics(small_font()).lineSpacing())

    def start_anew(self) -> None:
        """Take the room that the next answer needs: another kind of question is asked."""
        self.setMinimumHeight(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.setMinimumHeight(0)
            self._keep()

    def _keep(self) -> None:
        layout = self.layout()
        if layout is not None:
            self.setMinimumHeight(max(self.minimumHeight(), layout.totalHeightForWidth(self.width())))


def _joined(words: str) -> str:
    """The words with each number and its unit or sign in one line."""
    return words.replace(" %", "\u00a0%").replace("± ", "±\u00a0")


class AnswerCards(QWidget):
    """Three cards side by side; where that makes thin columns, the first stands above the two others.

    Parameters
    ----------
    first, others
        The card that is read first, and the two that follow.
    """

    def __init__(self, first: AnswerCard, *others: AnswerCard, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cards = (first, *others)
        self.stacked: bool | None = None
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(tokens.SPACE_S)
        self._arrange(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(event.size().width() + self._behind_a_bar() < _SIDE_BY_SIDE)

    def _behind_a_bar(self) -> int:
        """The width that a scroll bar takes: as it comes and goes with how high the cards are, it decides nothing."""
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        return 0 if area is None else area.maximumViewportSize().width() - area.viewport().width()

    def _arrange(self, stacked: bool) -> None:
        if stacked is self.stacked:
            return
        self.stacked = stacked
        for place, (card, share) in enumerate(zip(self._cards, _SHARES, strict=True)):
            self._grid.removeWidget(card)
            if not stacked:
                self._grid.addWidget(card, 0, place)
            elif place:
                self._grid.addWidget(card, 1, place - 1)
            else:
                self._grid.addWidget(card, 0, 0, 1, 2)
            self._grid.setColumnStretch(place, _STACKED[place] if stacked else share)
            card.keep_lines(_WIDE_LINES if stacked else _LINES)
            card.set_low(stacked and place != _MIDDLE)
            card.start_anew()
