"""What only the publisher can know and a claim rests on: a tick for each sentence, or that one is not so.

What gives no reason to think twice can be ticked together, in one of two ways where the number of people may be known;
whether the data decided a choice is asked by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QVBoxLayout, QWidget

from workbench.anonymise.terms import BY_DATA
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.release.export_questions import may_take_back
from workbench.session.release.other_answers import OtherAnswer, still_open

_WHERE = MappingProxyType({"data": "Said in Data", "hierarchies": "Said in Hierarchies"})
_SEEN = (
    "It is no matter that you saw the table, or tried settings against the outlook, which reads no row: it is whether "
    "other rows would have led you to other choices."
)

_INSIDE = "l 0 0 0"


class _Sentence(QLabel):
    """The words beside a tick, which a click ticks too."""

    def __init__(self, text: str, tick: QCheckBox) -> None:
        super().__init__(visible(text))
        self.said = text
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setBuddy(tick)
        self._tick = tick

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._tick.click()


class AssertionList(Section):
    """Nothing is ticked in anybody's name: each draw begins with none.

    Signals
    -------
    said(object)
        The person says these sentences, a frozen set of them, and no others.
    go_to(str)
        They want to see the room where they said one before, or can put one right.
    """

    said = Signal(object)
    go_to = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("You assert", parent=parent)
        set_explain(self, "release.assertions")
        self._sentences: tuple[str, ...] = ()
        self._doubts: dict[str, str] = {}
        self._declared: dict[str, str] = {}
        self.ticks: list[QCheckBox] = []
        self._words: list[_Sentence] = []
        self._others: dict[str, OtherAnswer] = {}
        self._paired = ""
        self.others: dict[str, QCheckBox] = {}
        self._means: dict[str, QLabel] = {}
        self.rest: QCheckBox | None = None
        self._lines = QVBoxLayout()
        self._lines.setSpacing(tokens.SPACE_XS)
        self.add(self._lines)
        self._before = QVBoxLayout()
        self._before.setSpacing(tokens.SPACE_XS)
        self.add(self._before)
        self.hide()

    @property
    def ticked(self) -> frozenset[str]:
        """What is said: the sentences that are ticked, and what is said instead of others."""
        others = (one.said for text, one in self._others.items() if text in self.others and self._is_other(text))
        return frozenset((*self._ticked(), *others))

    @property
    def declared(self) -> tuple[str, ...]:
        """What is not asked, because it was said before."""
        return tuple(self._declared)

    @property
    def open(self) -> int:
        """How many are not ticked, where nothing else was said instead."""
        return len(still_open(self._sentences, self._others, self.ticked))

    def _ticked(self) -> list[str]:
        return [text for text, tick in zip(self._sentences, self.ticks, strict=True) if tick.isChecked()]

    def show_sentences(
        self,
        sentences: Sequence[str],
        said: Collection[str],
        doubts: Mapping[str, str] = MappingProxyType({}),
        declared: Mapping[str, str] = MappingProxyType({}),
        others: Mapping[str, OtherAnswer] = MappingProxyType({}),
    ) -> None:
        """Ask for these sentences, of which some were said; no line is made anew while they stay the same.

        What is in `doubts`, with a reason to think twice, has to be ticked by itself. What is in `declared`, with the
        room where it was said, is not asked again. Beside what is in `others` that can be said instead.
        """
        alone = [text for text in sentences if text in doubts or _is_by_data(others.get(text))]
        paired = [text for text in sentences if text in others and others[text].instead and text not in doubts]
        asked = (*alone, *(text for text in sentences if text not in (*alone, *paired)), *paired)
        before = self._sentences, self._doubts, self._declared, self._others, self._paired
        self._sentences, self._doubts, self._declared, self._others = asked, dict(doubts), dict(declared), dict(others)
        self._paired = self._pair_of(paired, said)
        if before != (self._sentences, self._doubts, self._declared, self._others, self._paired):
            self._make_lines()
        for text, box in self.others.items():
            box.setChecked(self._others[text].said in said)
            self._means[text].setVisible(box.isChecked())
        for text, tick in zip(self._sentences, self.ticks, strict=True):
            tick.setChecked(text in said and not self._is_other(text))
        self._show_rest()
        self.setHidden(not self._sentences)

    def focus_first(self) -> None:
        """Put the focus on the first that is not ticked."""
        waiting = (tick for text, tick in zip(self._sentences, self.ticks, strict=True) if self._waits(text, tick))
        next(waiting, self.ticks[0] if self.ticks else self).setFocus()

    def mark_missing(self) -> None:
        """Mark what is not ticked, and go to the first of it."""
        for words, tick in zip(self._words, self.ticks, strict=True):
            set_look(words, tone="warning" if self._waits(words.said, tick) else "none")
        self.focus_first()

    def _waits(self, text: str, tick: QCheckBox) -> bool:
        return not tick.isChecked() and not self._is_other(text)

    def _is_other(self, text: str) -> bool:
        """Whether something else is said instead of a sentence."""
        return text in self.others and self.others[text].isChecked()

    @property
    def _of_rest(self) -> list[tuple[str, QCheckBox]]:
        """What can be ticked together: no sentence with a doubt, nor the one on choices that the data may have made."""
        together = self._together()
        return [(text, tick) for text, tick in zip(self._sentences, self.ticks, strict=True) if text in together]

    def _together(self) -> tuple[str, ...]:
        choices = {text for text, other in self._others.items() if _is_by_data(other)}
        # Where none can be told apart as the one on choices, such as after an export, each is by itself.
        together = [text for text in self._sentences if text not in self._doubts and text not in choices]
        return tuple(together) if choices and len(together) > 1 else ()

    def _pair_of(self, paired: Sequence[str], said: Collection[str]) -> str:
        """The sentence whose other answer stands beside the tick for all; "" while that would show what is not said."""
        together = self._together()
        if len(paired) != 1 or paired[0] not in together:
            return ""
        rest = [text for text in together if text != paired[0]]
        return "" if self._others[paired[0]].said in said and not set(rest) <= set(said) else paired[0]

    def _rest_line(self, number: int) -> QWidget:
        """One tick above those that can be ticked together."""
        # No sentence of its own: it stays unticked where another answer than one of these is given.
        words = "Tick both:" if number == 2 else f"Tick all {number:,}:"
        if self._paired:
            words = "Both below are so" if number == 2 else f"All {number:,} below are so"
        self.rest = tick = QCheckBox()
        tick.setAccessibleName(words)
        tick.clicked.connect(self._tick_rest)
        return _line(_Sentence(words, tick), tick)

    def _show_rest(self) -> None:
        if self.rest is not None:
            self.rest.setChecked(all(tick.isChecked() for _, tick in self._of_rest))

    def _tick_rest(self, so: bool) -> None:
        """Tick them, except where something else is said; or take all those ticks back. Of two equals one is said."""
        if so and self._paired and self._is_other(self._paired):
            self.others[self._paired].setChecked(not self._may_take_back(self._paired))
        for text, tick in self._of_rest:
            tick.setChecked(so and not self._is_other(text))
        self._tell()

    def _make_lines(self) -> None:
        focus = self.focusWidget()
        held = focus.accessibleName() if isinstance(focus, QCheckBox) and focus.hasFocus() else ""
        if held and focus is not None:
            focus.clearFocus()  # else it goes on to what comes next, and the list scrolls there under the mouse
        for layout in (self._lines, self._before):
            while (item := layout.takeAt(0)) is not None:
                line = item.widget()
                if line is not None:
                    line.hide()
                    line.deleteLater()
        self.ticks, self._words, self.others, self._means, self.rest = [], [], {}, {}, None
        for text, room in self._declared.items():
            self._before.addWidget(self._said_before(text, room))
        together = self._together()
        for text in self._sentences:
            if together and text == together[0]:
                self._lines.addWidget(self._rest_line(len(together)))
                if self._paired:
                    which = "Only the first" if len(together) == 2 else "All but the last"
                    words = f"{which}: {self._others[self._paired].instead}"
                    self._lines.addWidget(self._other_line(self._paired, self._others[self._paired], words))
            tick = QCheckBox()
            tick.setAccessibleName(visible(text))
            tick.clicked.connect(partial(self._tell_tick, tick, text))
            self.ticks.append(tick)
            self._words.append(_Sentence(text, tick))
            inside = text in together
            self._lines.addWidget(_line(self._words[-1], tick, doubt=self._doubts.get(text, ""), inside=inside))
            tick.setAccessibleDescription(self._doubts.get(text, ""))
            if text not in self._others or text == self._paired:
                continue
            if self._others[text].said == BY_DATA:
                tick.setToolTip(_SEEN)
                self._words[-1].setToolTip(_SEEN)
            self._lines.addWidget(self._other_line(text, self._others[text], inside=True))
        for box in (*self.ticks, *([self.rest] if self.rest else []), *self.others.values()):
            if held and box.accessibleName() == held:
                box.setFocus()

    def _said_before(self, text: str, room: str) -> QWidget:
        """A line for what was said where it belongs, with the way there."""
        where = QPushButton(_WHERE[room])
        set_look(where, quiet=True)
        where.setAccessibleName(f"Show where you said so: {text}")
        where.clicked.connect(partial(self.go_to.emit, room))
        line = QWidget()
        sign = IconLabel("said", tokens.ICON, "neutral")
        boxes.row(
            (sign, Qt.AlignmentFlag.AlignTop),
            (label(visible(text), small=True, muted=True, wrap=True), 1),
            (where, Qt.AlignmentFlag.AlignTop),
            spacing="xs",
            inside=line,
        )
        return line

    def _other_line(self, text: str, other: OtherAnswer, words: str = "", *, inside: bool = False) -> QWidget:
        """A line for whoever cannot say a sentence, with what is claimed then; `words` say that all else is so."""
        means, box = label(other.means, small=True, muted=True, wrap=True), QCheckBox()
        means.hide()
        box.setAccessibleName(words or other.words)
        box.setToolTip(other.means)
        box.setAccessibleDescription(other.means)
        box.clicked.connect(partial(self._tell_other, box, text))
        self.others[text], self._means[text] = box, means
        beside = boxes.boxed(boxes.column(_Sentence(words or other.words, box), means, spacing="hair"))
        line = QWidget()
        boxes.row(
            (box, Qt.AlignmentFlag.AlignTop),
            (beside, 1),
            margins=_INSIDE if inside else "0 0 0 0",
            spacing="xs",
            inside=line,
        )
        return line

    def _tell_other(self, box: QCheckBox, text: str) -> None:
        """Both cannot be so."""
        if not box.isChecked() and not self._may_take_back(text):
            box.setChecked(True)
            return
        if box.isChecked():
            self.ticks[self._sentences.index(text)].setChecked(False)
            for other, tick in self._of_rest if text == self._paired else []:
                tick.setChecked(other != text)
        self._tell()

    def _tell_tick(self, tick: QCheckBox, text: str) -> None:
        if tick.isChecked() and self._is_other(text):
            if not self._may_take_back(text):
                tick.setChecked(False)
                return
            self.others[text].setChecked(False)
        self._tell()

    def _may_take_back(self, text: str) -> bool:
        kept = self._others[text].kept
        return not kept or may_take_back(self, kept)

    def _tell(self) -> None:
        for words, tick in zip(self._words, self.ticks, strict=True):
            if not self._waits(words.said, tick):
                set_look(words, tone="none")
        self._show_rest()
        self.said.emit(self.ticked)


def _is_by_data(other: OtherAnswer | None) -> bool:
    return other is not None and other.said == BY_DATA


def _line(words: _Sentence, tick: QCheckBox, *, doubt: str = "", inside: bool = False) -> QWidget:
    """A tick and its words; `inside` what is ticked together it stands further in."""
    line = QWidget()
    beside: QWidget = words
    if doubt:
        why = label(doubt, small=True, wrap=True)
        set_look(why, tone="warning")
        beside = boxes.boxed(boxes.column(words, why, spacing="hair"))
    margins = _INSIDE if inside else "0 0 0 0"
    boxes.row((tick, Qt.AlignmentFlag.AlignTop), (beside, 1), margins=margins, spacing="xs", inside=line)
    return line
