"""A sentence and its other answer as one question with equal answers, each with what it hides and costs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QWidget

from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.release.sentence import SentenceLabel
from workbench.session.release.other_answers import OtherAnswer

_MORE = "Numbers of parts told, or unsure"


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
    """

    def __init__(
        self, sentence: str, other: OtherAnswer, parts: str = "", beyond: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(other.question)
        self.no, self.yes, self.more = QRadioButton(), QRadioButton(), QRadioButton()
        self._group = QButtonGroup(self)
        self.asked = label(other.question, wrap=True)
        lines: list[QWidget] = [self.asked]
        answers = [
            (self.no, f"No. {sentence}", f"–  {parts}", other.hides),
            (self.yes, other.words, f"–  {parts}", other.hides_less),
        ]
        for radio, words, besides, hides in answers:
            said = [SentenceLabel(words, radio), *([SentenceLabel(besides, radio)] if parts else [])]
            for one in said[1:]:
                set_look(one, small=True)
            radio.setAccessibleDescription(" ".join(filter(None, (other.question, parts, hides))))
            lines.append(self._line(radio, words, *said, label(hides, small=True, muted=True, wrap=True)))
            radio.setEnabled(not other.settled)
        self.means = label(beyond, small=True, wrap=True, tone="warning")
        self.means.hide()
        self.more.setAccessibleDescription(f"{other.question} {beyond}")
        self.more.toggled.connect(self.means.setVisible)
        self.more.setEnabled(not other.settled)
        lines.append(self._line(self.more, _MORE, SentenceLabel(_MORE, self.more), self.means))
        if not parts:  # to show what has no parent yet would open it as a window
            lines[-1].hide()
        lines[2].setToolTip(other.means)
        self.yes.setToolTip(other.means)
        boxes.column(*lines, spacing="s", inside=self)

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

    def start_over(self) -> None:
        """Show no answer, as before the first."""
        self._group.setExclusive(False)
        for radio in (self.no, self.yes, self.more):
            radio.setChecked(False)
        self._group.setExclusive(True)
