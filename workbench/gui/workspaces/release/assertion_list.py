"""Sentences that only the publisher can vouch for: whether the number of people is known, and a tick for each
sentence.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QLabel, QScrollArea, QVBoxLayout, QWidget

from workbench.anonymise.terms import WHOSE
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.flow import FlowLayout
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.release.chosen_fold import ChosenFold
from workbench.gui.workspaces.release.export_questions import may_take_back
from workbench.gui.workspaces.release.number_question import NumberQuestion
from workbench.gui.workspaces.release.other_fold import OtherFold
from workbench.gui.workspaces.release.said_before import BeforeFold, SaidBefore
from workbench.gui.workspaces.release.sentence import FirstPress, SentenceLabel
from workbench.gui.workspaces.release.ways_out import WaysOut
from workbench.session.release.other_answers import NUMBERS_TOLD, OtherAnswer, WayOut, unanswered


class AssertionList(Section):
    """Nothing is said in anybody's name: each draw begins with none.

    Signals
    -------
    said(object)
        The person says these sentences, a frozen set of them, and no others.
    go_to(str)
        They want to see the room where they said one before, or can put one right.
    without_claim()
        They cannot say one, and want to export without a claim.
    unfolded()
        What stands below a sentence was opened or closed, so that there is less room or more.
    """

    said = Signal(object)
    go_to = Signal(str)
    without_claim = Signal()
    unfolded = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)  # the verdict above says what these are
        self.setAccessibleName("You assert")
        set_explain(self, "release.assertions")
        self._sentences: tuple[str, ...] = ()
        self._doubts: dict[str, str] = {}
        self._declared: dict[str, str] = {}
        self._short: dict[str, tuple[str, ...]] = {}
        self._ways_out: dict[str, tuple[WayOut, ...]] = {}
        self._parts: dict[str, str] = {}
        self._chosen: dict[str, tuple[str, ...]] = {}
        self._unfolded: set[str] = set()
        self._before_draw: frozenset[str] = frozenset()
        self._half: set[str] = set()
        self._by_mouse, self._pressed, self._fixed = False, "", False
        self._more: set[str] = set()
        self._others: dict[str, OtherAnswer] = {}
        self._said: frozenset[str] = frozenset()
        self.ticks: list[QAbstractButton] = []
        self._words: list[QLabel] = []
        self.others: dict[str, QAbstractButton] = {}
        self.questions: dict[str, NumberQuestion] = {}
        self.ways_out: list[WaysOut] = []
        self.folds: dict[str, ChosenFold] = {}
        self._other_folds: dict[str, OtherFold] = {}
        self._first_press = FirstPress(self)
        self._first_press.pressed.connect(self._note_press)
        self._lines = QVBoxLayout()
        self._lines.setSpacing(tokens.SPACE_S)
        self.add(self._lines)
        self._before = boxes.column(margins="m 0 0 0", spacing="xs")
        self.before = BeforeFold(boxes.boxed(self._before))
        self.add(self.before)
        self.hide()

    @property
    def ticked(self) -> frozenset[str]:
        """Assertions that are made: the ticked sentences, and what is said instead of others."""
        others = (one.said for text, one in self._others.items() if self._is_other(text) or self._is_kept(text))
        return frozenset((*self._ticked(), *others))

    @property
    def declared(self) -> tuple[str, ...]:
        """Assertions that are not asked, because they were made before."""
        return tuple(self._declared)

    @property
    def open(self) -> int:
        """How many are not said, where nothing else was said instead."""
        return sum(self.missing)

    @property
    def missing(self) -> tuple[int, int]:
        """How many of them are questions, and how many have a tick."""
        waiting = [text for text, tick in zip(self._sentences, self.ticks, strict=True) if self._waits(text, tick)]
        return unanswered(waiting, self._others)

    @property
    def _asks(self) -> tuple[object, ...]:
        """All that the lines are made of."""
        asked = self._sentences, self._doubts, self._declared, self._others, self._short, self._ways_out, self._parts
        return (*asked, self._before_draw, tuple(self._chosen))

    def _ticked(self) -> list[str]:
        """The sentences that are said whole: of one whose other half is in a question, that is answered too."""
        ticked = [text for text, tick in zip(self._sentences, self.ticks, strict=True) if tick.isChecked()]
        asked = {whole: question for question, whole in self._parts.items()}
        return [text for text in ticked if text not in asked or asked[text] in ticked or self._is_other(asked[text])]

    def start_over(self) -> None:
        """Forget what was half said: another draw is asked about."""
        self._half.clear()
        self._more.clear()
        self._unfolded.clear()
        self.before.start_over()
        for question in self.questions.values():
            question.start_over()

    def show_sentences(
        self,
        sentences: Sequence[str],
        said: Collection[str],
        doubts: Mapping[str, str] = MappingProxyType({}),
        declared: Mapping[str, str] = MappingProxyType({}),
        others: Mapping[str, OtherAnswer] = MappingProxyType({}),
        short: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
        ways_out: Mapping[str, tuple[WayOut, ...]] = MappingProxyType({}),
        parts: Mapping[str, str] = MappingProxyType({}),
        answered: Collection[str] = (),
        chosen: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    ) -> None:
        """Ask for these sentences, of which some were said; no line is made anew while they stay the same.

        What is in `doubts` has a reason to think twice, a question before it is answered by yes. What is in
        `declared`, with the room where it was said, is not asked again. What is in `others` can be answered
        otherwise; what is in `short` is shown so. What is in `ways_out` has no other answer, and says what
        whoever cannot say it does. In `parts` is, by a question, the sentence whose other half is asked with it,
        because it is about numbers too. The questions in `answered` were answered before the draw: they are not asked
        again, and can be answered otherwise. In `chosen` is what was chosen of that which a sentence is about.
        """
        numbers = [text for text in sentences if text in others and others[text].question]
        # What is still to be said comes first, and is seen without scrolling.
        first = [text for text in numbers if text not in answered]
        last = [text for text in numbers if text in answered]
        asked = (*first, *(text for text in sentences if text not in numbers), *last)
        before = self._asks
        self._sentences, self._doubts, self._declared, self._others = asked, dict(doubts), dict(declared), dict(others)
        self._short = {text: short[text] for text in (*asked, *declared) if text in short}
        self._ways_out = {text: ways_out[text] for text in asked if text in ways_out}
        self._parts, self._before_draw, self._chosen = dict(parts), frozenset(answered), dict(chosen)
        # Half of a sentence is said only as long as the other half is asked elsewhere: else it would be said whole.
        self._half.intersection_update(self._parts.values())
        self._more.intersection_update(self._parts)
        self._said = frozenset(said)
        if before != self._asks:
            self._make_lines()
        for text, fold in self.folds.items():
            fold.show_lines(self._chosen.get(text, ()))
        self._show_said()
        self.setHidden(not self._sentences)

    def _show_said(self) -> None:
        # An answer in the place of a sentence is none of those that are signed, here as where the file is verified.
        asked = [text for text in self._before_draw if text in self._sentences]
        answers = sum(self._others[text].said in self._said for text in asked)
        self.before.show_number(len(self._declared) + len(asked) - answers, answers)
        for text, tick in zip(self._sentences, self.ticks, strict=True):
            other = text in self._others and self._others[text].said in self._said
            tick.setEnabled(not self._fixed and (text in self.questions or not other))
            if text in self.others:
                self.others[text].setEnabled(not self._fixed)
            if text in self.questions:
                self.questions[text].more.setEnabled(not self._fixed)
                if text in self._more:
                    self.questions[text].more.setChecked(True)
                else:
                    self.questions[text].show_answer(True if other else False if text in self._said else None)
                continue
            # One whose other half is still to be answered is ticked all the same.
            tick.setChecked((text in self._said or text in self._half) and not other)
            if text in self.others:
                self._other_folds[text].show_said(other)

    def show_fixed(self, fixed: bool) -> None:
        """Let these answers only be read, as what was exported rests on them."""
        self._fixed = fixed
        self._show_said()

    def focus_first(self) -> None:
        """Put the focus on the first that is not said."""
        waiting = (tick for text, tick in zip(self._sentences, self.ticks, strict=True) if self._waits(text, tick))
        first = next(waiting, self.ticks[0] if self.ticks else self)
        first.setFocus()
        self._show_whole(first)

    def mark_missing(self) -> None:
        """Mark what is not said, and go to the first of it."""
        self._mark(missing=True)
        self.focus_first()

    def _mark(self, *, missing: bool) -> None:
        for text, words, tick in zip(self._sentences, self._words, self.ticks, strict=True):
            if not self._waits(text, tick):
                set_look(words, tone="none")
            elif missing:
                set_look(words, tone="warning")

    def _waits(self, text: str, tick: QAbstractButton) -> bool:
        return not tick.isChecked() and not self._is_other(text)

    def _is_other(self, text: str) -> bool:
        """Whether something else is said instead of a sentence."""
        return text in self.others and self.others[text].isChecked()

    def _is_kept(self, text: str) -> bool:
        """Whether what was said instead of a sentence stays so, because more than that is told now."""
        return text in self._more and self._others[text].said in self._said

    def _make_lines(self) -> None:
        focus = self.focusWidget()
        held = focus.accessibleName() if isinstance(focus, QAbstractButton) and focus.hasFocus() else ""
        if held and focus is not None:
            focus.clearFocus()  # else it goes on to what comes next, and the list scrolls there under the mouse
        for layout in (self._lines, self._before):
            while (item := layout.takeAt(0)) is not None:
                line = item.widget()
                if line is not None:
                    line.hide()
                    line.deleteLater()
        self.ticks, self._words, self.others, self.questions, self._other_folds = [], [], {}, {}, {}
        self.ways_out, self.folds = [], {}
        for text, room in self._declared.items():
            own = " ".join(self._short.get(text, ()))
            self._before.addWidget(SaidBefore(text, room, self.go_to, own))
        for text in self._sentences:
            other = self._others.get(text)
            if other is not None and other.question:
                # An answer that was given before may stand in the place of a sentence: then it is not counted as one,
                # and does not stand among them.
                place = self._before if text in self._before_draw else self._lines
                place.addWidget(self._question(text, other))
                continue
            self._lines.addWidget(self._line(text, other))
        if any(text in self._doubts and self._others[text].said in self._said for text in self._before_draw):
            self.before.hold_open()  # a reason to think twice is not folded away
        for pressed in (*self.findChildren(QAbstractButton), *self.findChildren(SentenceLabel)):
            pressed.installEventFilter(self._first_press)
        for box in (*self.ticks, *self.others.values()):
            if held and box.accessibleName() == held:
                box.setFocus()

    def _question(self, text: str, other: OtherAnswer) -> QWidget:
        whole = self._parts.get(text, "")
        parts, before = self._short[whole][-1] if whole else "", text in self._before_draw
        doubt = self._doubts.get(text, "")
        made = NumberQuestion(text, other, parts, NUMBERS_TOLD, doubt, before=before)
        self.questions[text], self.others[text] = made, made.yes
        self.ticks.append(made.no)
        self._words.append(made.asked)
        made.no.clicked.connect(partial(self._tell_tick, made.no, text))
        made.yes.clicked.connect(partial(self._tell_other, made.yes, text))
        made.more.clicked.connect(partial(self._tell_other, made.more, text))
        return made

    def _line(self, text: str, other: OtherAnswer | None) -> QWidget:
        """A tick and its words, with a reason to think twice where there is one, and what can be said instead."""
        doubt, tick = self._doubts.get(text, ""), QCheckBox()
        shown, *parts = self._short.get(text, (text,))
        if text in self._parts.values():
            shown, parts = parts[-2], [WHOSE]  # the rest of it is asked with the question
        # What it comes to, and what that is about; what is signed is below in full, at a press.
        words = [SentenceLabel(shown, tick, strong=text in self._short)]
        words += [SentenceLabel(parts[0], tick, small=True)] if parts else []
        tick.setAccessibleName(visible(text))
        tick.setAccessibleDescription(doubt)
        tick.clicked.connect(partial(self._tell_tick, tick, text))
        if parts or text in self._parts.values():
            for one in (tick, *words):
                one.setToolTip(visible(text))
        self.ticks.append(tick)
        self._words.append(words[0])
        beside: list[QWidget] = [*words]
        if doubt:
            beside.append(label(doubt, small=True, wrap=True, tone="warning"))
        under: list[QWidget] = []
        pressed: list[QWidget] = []
        if self._chosen.get(text):  # of the others the line says all that is signed, and their tip in full
            fold = self._fold(text)
            pressed.append(fold.button)
            under.append(fold)  # where it was pressed, so that neither the tick nor what closes it moves
        if other is not None:
            otherwise = self._other_answer(text, other)
            pressed.append(otherwise.button)
            under.append(otherwise)
        elif way_out := self._ways_out.get(text, ()):
            button, told = self._way_out(way_out)
            pressed.append(button)
            under.append(told)
        if pressed:
            beside += [_in_lines(pressed), *under]
        inside = boxes.boxed(boxes.column(*beside, spacing="hair"))
        return boxes.boxed(boxes.row((tick, Qt.AlignmentFlag.AlignTop), (inside, 1), spacing="xs"))

    def _fold(self, text: str) -> ChosenFold:
        """What was chosen, and is signed, as open as it was."""
        fold = ChosenFold(text, is_open=text in self._unfolded)
        fold.opened.connect(partial(self._note_fold, text))
        self.folds[text] = fold
        return fold

    def _note_fold(self, text: str, opened: bool) -> None:
        (self._unfolded.add if opened else self._unfolded.discard)(text)
        self.unfolded.emit()

    def _other_answer(self, text: str, other: OtherAnswer) -> OtherFold:
        """What whoever cannot say a sentence opens, as open as it was, and what answers there."""
        fold = OtherFold(other, is_open=other.said in self._unfolded)
        fold.opened.connect(partial(self._note_fold, other.said))
        fold.act.clicked.connect(partial(self._tell_other, fold.act, text))
        self.others[text], self._other_folds[text] = fold.act, fold
        return fold

    def _way_out(self, cases: Sequence[WayOut]) -> tuple[QAbstractButton, QWidget]:
        """Button for whoever cannot say a sentence, and what is done then; it is no answer, and changes nothing."""
        told = WaysOut(cases, self.go_to.emit, self.without_claim.emit)
        told.opened.connect(self.unfolded)
        self.ways_out.append(told)
        return told.button, told

    def _tell_other(self, box: QAbstractButton, text: str) -> None:
        """Both cannot be so."""
        if text in self.questions:
            (self._more.add if box is self.questions[text].more else self._more.discard)(text)
        if not box.isChecked() and not self._may_take_back(text):
            box.setChecked(True)
            return
        if box.isChecked() and text not in self.questions:
            self.ticks[self._sentences.index(text)].setChecked(False)
        self._tell(text)

    def _note_press(self, by_mouse: bool) -> None:
        self._by_mouse = by_mouse

    def _tell_tick(self, tick: QAbstractButton, text: str) -> None:
        if not self._by_mouse:  # under the mouse nothing moves
            self._show_whole(tick)
        if text in self._parts.values():
            (self._half.add if tick.isChecked() else self._half.discard)(text)
        other = text in self._others and self._others[text].said in self._said
        if other and tick.isChecked() and not self._may_take_back(text):
            self._show_said()
            return
        self._more.discard(text)
        self._tell(text)

    def _area(self) -> QScrollArea | None:
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        return area

    def _show_whole(self, tick: QWidget) -> None:
        """Bring the whole of a line into sight, so that nobody signs what they do not see.

        Of a question all answers are, where they have room.
        """
        line, area = tick.parentWidget(), self._area()
        if area is not None and line is not None and tick in self.ticks:
            question = self.questions.get(self._sentences[self.ticks.index(tick)], line)
            for part in (question, line):
                area.ensureWidgetVisible(part, 0, tokens.SPACE_S)

    def _show_next(self, text: str, *, under_mouse: bool = False) -> None:
        """Bring what is asked next into sight, as far as the answer that was just given stays there.

        Under the mouse nothing moves, unless the next tick could not be pressed without looking for it.
        """
        area, place = self._area(), self._sentences.index(text) if text in self._sentences else len(self.ticks)
        lines = list(zip(self._sentences, self.ticks, strict=True))[place:]
        following = next((line for line in lines if self._waits(*line)), None)
        inside = None if area is None else area.widget()
        if area is None or inside is None or following is None or following is lines[0]:
            return
        tick = following[1]
        if under_mouse and tick.visibleRegion().contains(tick.rect().center()):
            return
        answer = self.others[text] if self._is_other(text) and text in self.questions else lines[0][1]
        here, there = answer.parentWidget(), self.questions.get(following[0]) or following[1].parentWidget()
        bar = area.verticalScrollBar()
        if here is not None and there is not None:
            ends = there.mapTo(inside, there.rect().bottomLeft()).y() + tokens.SPACE_S
            begins = here.mapTo(inside, here.rect().topLeft()).y() - tokens.SPACE_S
            bar.setValue(max(bar.value(), min(ends - area.viewport().height(), begins)))

    def _may_take_back(self, text: str) -> bool:
        kept = self._others[text].kept
        return not kept or may_take_back(self, kept)

    def _tell(self, text: str) -> None:
        self._mark(missing=False)
        self._said = self.ticked
        by_mouse, self._by_mouse = self._by_mouse, False
        self._pressed = text if by_mouse else ""
        self.said.emit(self._said)
        # Other questions may have come, and have their place then.
        QTimer.singleShot(0, self, partial(self._show_next, text, under_mouse=by_mouse))

    def leaveEvent(self, event: QEvent) -> None:
        """Once the mouse is elsewhere, what it pressed is brought into sight whole, and what is asked next."""
        super().leaveEvent(event)
        text, self._pressed = self._pressed, ""
        # Under a question that came over it, and once all is said and was seen, everything keeps its place.
        if text not in self._sentences or QApplication.activeModalWidget() is not None:
            return
        tick = self.ticks[self._sentences.index(text)]
        if self.open or not _is_seen(tick.parentWidget()):
            self._show_whole(tick)
            self._show_next(text)


def _is_seen(line: QWidget | None) -> bool:
    """Whether all the words of a line are in sight, whatever unfolds below them."""
    words = [] if line is None else [one for one in line.findChildren(SentenceLabel) if one.isVisible()]
    return all(one.visibleRegion().boundingRect() == one.rect() for one in words)


def _in_lines(buttons: Sequence[QWidget]) -> QWidget:
    """Buttons beside each other as far as there is room."""
    lines = FlowLayout()
    lines.setSpacing(tokens.SPACE_S)
    for button in buttons:
        lines.addWidget(button)
    return boxes.boxed(lines)
