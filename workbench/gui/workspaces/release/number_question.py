"""A sentence and its other answer as one question with two equal answers, each with what it hides and costs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QWidget

from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.release.sentence import SentenceLabel
from workbench.session.release.other_answers import OtherAnswer


class NumberQuestion(QWidget):
    """Neither answer is given at first.

    Parameters
    ----------
    sentence
        What the publisher asserts by saying no.
    other
        The question, and what is said instead by saying yes; what is settled is only shown.
    """

    def __init__(self, sentence: str, other: OtherAnswer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(other.question)
        self.no, self.yes = QRadioButton(), QRadioButton()
        self._group = QButtonGroup(self)
        self.asked = label(other.question, wrap=True)
        lines: list[QWidget] = [self.asked]
        answers = ((self.no, f"No. {sentence}", other.hides), (self.yes, other.words, other.hides_less))
        for radio, words, hides in answers:
            self._group.addButton(radio)
            radio.setEnabled(not other.settled)
            radio.setAccessibleName(words)
            radio.setAccessibleDescription(f"{other.question} {hides}")
            beside = boxes.column(
                SentenceLabel(words, radio), label(hides, small=True, muted=True, wrap=True), spacing=0
            )
            lines.append(
                boxes.boxed(boxes.row((radio, Qt.AlignmentFlag.AlignTop), (boxes.boxed(beside), 1), spacing="xs"))
            )
        lines[-1].setToolTip(other.means)
        self.yes.setToolTip(other.means)
        boxes.column(*lines, spacing="s", inside=self)

    def show_answer(self, yes: bool | None) -> None:
        """Show the answer that is given, None for neither."""
        self._group.setExclusive(yes is not None)
        self.no.setChecked(yes is False)
        self.yes.setChecked(yes is True)
        self._group.setExclusive(True)
