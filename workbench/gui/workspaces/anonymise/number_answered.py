"""The one answer to whether others know how many people, or rows, there are, beside that number."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QButtonGroup, QRadioButton, QWidget

from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.flow import FlowingLabel, FlowLayout
from workbench.gui.widgets.labels import label
from workbench.session.release.knowledge import answer_number, costs_of_yes, number_answer
from workbench.session.release.other_answers import NOBODY_TOLD, WHO_KNOWS

NUMBER = "number"
"""The name of the answer, as something of the room that can be reached."""
_YES = "Yes, or unsure"
_SHORT = "Do others know exactly how many?"
"""The question below the number of people: of what is said there."""
_ASKED = (
    "Yes if others know exactly how many people there are, or if you are not sure; about how many does not count. "
    f"{WHO_KNOWS} After a yes the promise is about one person in the place of another, and what is drawn "
    "with counts twice. Before a draw that is half of the ε that you see, so that the promise stays what it is and "
    "fewer rows come out. No stands in the statement as the publisher’s word"
)


class NumberAnswered(QWidget):
    """Two answers, none of which is given at first; who gives none is asked in Release.

    What is answered anywhere is shown here.

    Parameters
    ----------
    beside
        What else stands beside the answers.
    """

    def __init__(self, document: Document, beside: Sequence[QWidget] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        set_explain(self, "anonymise.number_known")
        self.no, self.yes = QRadioButton(NOBODY_TOLD), QRadioButton(_YES)
        self._group = QButtonGroup(self)
        self._radios = self.no, self.yes
        for radio in self._radios:
            self._group.addButton(radio)
        self.no.clicked.connect(lambda: self._answer(known=False))
        self.yes.clicked.connect(lambda: self._answer(known=True))
        self.question = FlowingLabel()
        self._flow = FlowLayout(self)
        self._hides = label(small=True, muted=True), label(small=True, muted=True)
        rows = (
            boxes.boxed(boxes.row(one, said, margins="0 0 s 0", spacing="s"))
            for one, said in zip(self._radios, self._hides, strict=True)
        )
        for part in (self.question, *rows, *beside):
            self._flow.addWidget(part)

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._give_room()
            # What scrolls above gives way, and no line of this.
            self.setMinimumHeight(self._flow.heightForWidth(self.width()))
        return handled

    def _give_room(self) -> None:
        """Say what each answer hides where each has a line of its own that is long enough, and else in its tip."""
        self.question.ensurePolished()
        line = self.question.text_width() + sum(one.sizeHint().width() + self._flow.spacing() for one in self._radios)
        self.question.alone = line > self.width()  # one answer below the other reads as if only one were beside it
        rows = zip(self._radios, self._hides, strict=True)
        needed = max(one.sizeHint().width() + said.sizeHint().width() for one, said in rows) + tokens.SPACE_S
        fits = needed <= self.width() < 2 * tokens.STEPS_WIDTH
        chosen = any(one.isChecked() for one in self._radios)  # what the other would hide is no question any more
        for one, said in zip(self._radios, self._hides, strict=True):
            keeps = said.sizePolicy()
            keeps.setRetainSizeWhenHidden(fits)  # each answer keeps the line that it has
            said.setSizePolicy(keeps)
            said.setVisible(fits and (one.isChecked() or not chosen))

    @property
    def is_answered(self) -> bool:
        """Whether one of both answers is given."""
        return number_answer(self._document.session).given is not None

    def refresh(self) -> None:
        """Show the answer there is, and whether it can be changed here."""
        found = number_answer(self._document.session)
        # Where a person may have several rows a no says it of rows, too, and is asked so.
        short = found.question if self._document.project.schema.unit.several_rows else _SHORT
        if short != self.question.text():
            self.question.setText(short)
        self.question.setAccessibleName(found.question)
        self.question.setToolTip(f"{found.question} {_ASKED}")
        self._group.setExclusive(False)
        self.no.setChecked(found.given is False)
        self.yes.setChecked(found.given is True)
        self._group.setExclusive(True)
        for radio, said, words in zip(self._radios, self._hides, found.hides, strict=True):
            radio.setEnabled(not found.fixed)
            radio.setToolTip(found.fixed or f"{words[:1].upper()}{words[1:]}. {_ASKED}")
            radio.setAccessibleDescription(words)
            said.setText((radio is self.no and found.settled) or words)
        self.no.setAccessibleName(f"{found.question} {NOBODY_TOLD}. {found.no}")
        yes = f"{_YES}: {costs_of_yes(self._document.session)}"
        self.yes.setText(yes)
        self.yes.setAccessibleName(f"{found.question} {yes}")
        self._give_room()

    def _answer(self, *, known: bool) -> None:
        text = "Say that others know the number" if known else "Say that nobody is told the number"
        self._document.apply(text, lambda session: answer_number(session, known=known))
        self.refresh()
