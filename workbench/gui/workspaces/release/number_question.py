"""A sentence and its other answer as one question with equal answers, each with what it hides and costs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QWidget

from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.flow import FlowingLabel, FlowLayout
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.workspaces.release.sentence import SentenceLabel
from workbench.session.release.other_answers import NOBODY_TOLD, OtherAnswer

_MORE = "Counts of groups told, or unsure"
_EITHER = "Either way: {}"
_WHERE = "Answered in Anonymise."
_SETTLED = "The file has left with this answer, so it stays."
"""The reason why nothing else can be answered any more, beside what is grey."""


def _answer(words: str, radio: QRadioButton, hides: str) -> QWidget:
    """An answer, with what it hides beside it where there is room."""
    said = SentenceLabel(words, radio, strong=True)
    said.setWordWrap(False)
    line = FlowLayout()
    line.setSpacing(tokens.SPACE_XS)
    for part in (said, FlowingLabel(hides, small=True, muted=True)):
        line.addWidget(part)
    return boxes.boxed(line)


class NumberQuestion(QWidget):
    """No answer is given at first.

    Parameters
    ----------
    sentence
        What the publisher asserts by saying no.
    other
        The question, and what is said instead by saying yes; what is settled is only shown.
    parts
        What they assert by either answer; "" if that is not asked here.
    beyond
        What whoever can assert neither does, who has a third answer then; it says nothing.
    doubt
        What is to be thought of by whoever says yes, or that more is told; "" for nothing.
    before
        Whether it was answered in Anonymise. Then the answer alone is shown, and the others on a click.
    """

    def __init__(
        self,
        sentence: str,
        other: OtherAnswer,
        parts: str = "",
        beyond: str = "",
        doubt: str = "",
        parent: QWidget | None = None,
        *,
        before: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(other.question)
        self.no, self.yes, self.more = QRadioButton(), QRadioButton(), QRadioButton()
        self._group = QButtonGroup(self)
        self._other = other
        self.asked = label(other.question, wrap=True)
        lines: list[QWidget] = [self.asked]
        self._sentence = sentence
        answers = [(self.no, NOBODY_TOLD, sentence, other.hides), (self.yes, other.words, "", other.hides_less)]
        for radio, words, signed, hides in answers:
            radio.setAccessibleDescription(" ".join(filter(None, (other.question, parts, hides))))
            below = [SentenceLabel(signed, radio, small=True)] if signed else []
            name = f"{words}. {signed}" if signed else words
            lines.append(self._line(radio, name, _answer(words, radio, hides), *below))
            radio.setEnabled(not other.settled)
        self.doubt = label(doubt, small=True, wrap=True, tone="warning")
        self.doubt.hide()
        for radio in (self.yes, self.more):
            radio.toggled.connect(lambda _on: self.doubt.setVisible(bool(doubt) and not self._said_no))
        if parts:
            lines.append(label(_EITHER.format(parts), small=True, wrap=True))
        self.means = label(beyond, small=True, wrap=True, tone="warning")
        self.means.hide()
        self.more.setAccessibleDescription(f"{other.question} {beyond}")
        self.more.toggled.connect(self.means.setVisible)
        self.more.setEnabled(not other.settled)
        lines.append(self._line(self.more, _MORE, SentenceLabel(_MORE, self.more), self.means))
        if not parts:  # to show what has no parent yet would open it as a window
            lines[-1].hide()
        if other.settled:
            lines.append(label(_SETTLED, small=True, muted=True, wrap=True))
        lines[2].setToolTip(other.means)
        self.yes.setToolTip(other.means)
        self.answers = boxes.boxed(boxes.column(*lines, spacing="s"))
        self.answer = label(small=True, wrap=True)
        self.change = push_button("Change…", name=f"Change: {other.question}", checkable=True, inline=True)
        self.change.setToolTip("Show the other answers, and what each of them hides")
        self.change.toggled.connect(self.answers.setVisible)
        top = Qt.AlignmentFlag.AlignTop
        self._sign = IconLabel("said", tokens.ICON, "neutral")
        folded = boxes.boxed(boxes.row((self._sign, top), (self.answer, 1), (self.change, top), spacing="xs"))
        # Also where the answer was given before, and is folded.
        boxes.column(folded, self.answers, self.doubt, spacing="s", inside=self)
        folded.setHidden(not before)
        self.answers.setHidden(before)
        self.change.setHidden(other.settled)

    @property
    def _said_no(self) -> bool:
        """Whether nothing was said that contradicts a no."""
        return not (self.yes.isChecked() or self.more.isChecked())

    def _line(self, radio: QRadioButton, name: str, *words: QWidget) -> QWidget:
        self._group.addButton(radio)
        radio.setAccessibleName(name)
        beside = boxes.boxed(boxes.column(*words, spacing=0))
        return boxes.boxed(boxes.row((radio, Qt.AlignmentFlag.AlignTop), (beside, 1), spacing="xs"))

    def show_answer(self, yes: bool | None) -> None:
        """Show the answer that is given, None for neither; that more is told is no answer, and stays."""
        if yes is None and self.more.isChecked():
            return
        self.start_over()
        self.no.setChecked(yes is False)
        self.yes.setChecked(yes is True)
        if yes is not None:
            words, hides = self._other.words, self._other.hides_less
            if not yes:
                words, hides = NOBODY_TOLD, self._other.hides
            self._sign.set_icon("info" if yes else "said", "neutral")
            told = f"{self._other.question} “{words}”. {hides}"
            # A no is the very sentence that is signed; a yes says what is hidden then.
            said = told if yes else self._sentence
            self.answer.setText(f"{said} {_SETTLED}" if self._other.settled else said)
            self.answer.setToolTip(f"{_WHERE} {told}")

    def start_over(self) -> None:
        """Show no answer, as before the first."""
        self._group.setExclusive(False)
        for radio in (self.no, self.yes, self.more):
            radio.setChecked(False)
        self._group.setExclusive(True)
