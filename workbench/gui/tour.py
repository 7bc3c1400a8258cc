"""The tour: six steps through the rooms on a table that is open, in a bar below them that covers nothing."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import label


@dataclass(frozen=True)
class TourStep:
    """One step: the room it shows, the control it speaks of, as the room's `reach` knows it, and what to say."""

    room: str
    field: str
    title: str
    text: str


STEPS = (
    TourStep(
        "data",
        "person",
        "Say who is protected",
        "Every promise is about a person, so the first question is how many rows one person has.",
    ),
    TourStep(
        "hierarchies",
        "hierarchies",
        "Say how values become coarser",
        "A salary becomes a range, a job a kind of job. Attach ready hierarchies, or build the levels yourself.",
    ),
    TourStep(
        "anonymise",
        "epsilon",
        "Choose the promise",
        (
            "ε bounds how much anybody’s presence may change what is released: smaller protects more. The forecast "
            "costs nothing, and the button says what it spends."
        ),
    ),
    TourStep(
        "release",
        "export",
        "Hand it over",
        "The file, and a statement in plain words: what was promised, to whom, and what would void it.",
    ),
    TourStep(
        "query",
        "epsilon",
        "Or answer a question",
        "A noisy count, mean or histogram often serves better than rows. Its error is shown before you spend anything.",
    ),
    TourStep(
        "collect",
        "column",
        "Or plan a survey",
        "Everybody adds noise to their own answer. See how many people it takes before you ask the first one.",
    ),
)


class Tour(QFrame):
    """The bar with the present step; hidden until `start`.

    Parameters
    ----------
    rooms
        Keys of the rooms there are; steps of others are left out.

    Signals
    -------
    arrived(str, str)
        A step begins; carries the key of its room, and the control it speaks of.
    ended()
        There is nothing more to show, or the person has seen enough.
    """

    arrived = Signal(str, str)
    ended = Signal()

    def __init__(self, rooms: tuple[str, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps = tuple(step for step in STEPS if step.room in rooms)
        self._at = 0
        self.setProperty("ground", "surface")
        self.setProperty("line", "top")
        self.setAccessibleName("Tour")
        self.count = label("", muted=True, small=True)
        self.title = label("", heading=2)
        self.text = label("", wrap=True)
        self.back = QPushButton("Back")
        self.next = QPushButton()
        self.skip = QPushButton("Skip the tour")
        set_look(self.skip, quiet=True)
        self.back.clicked.connect(self._go_back)
        self.next.clicked.connect(self._go_on)
        self.skip.clicked.connect(self.stop)
        for button in (self.back, self.skip):
            button.setAccessibleName(button.text())
        row = boxes.row(
            (boxes.column(self.count, self.title, self.text, spacing="xs"), 1),
            boxes.Gap("l"),
            margins="xl m xl m",
            spacing="s",
            inside=self,
        )
        for button in (self.skip, self.back, self.next):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignBottom)
        self.hide()

    def start(self) -> None:
        """Begin with the first step."""
        self.show()
        self._show_step(0)
        self.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def stop(self) -> None:
        self.hide()
        self.ended.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.stop()
        else:
            super().keyPressEvent(event)

    def _go_back(self) -> None:
        self._show_step(self._at - 1)

    def _go_on(self) -> None:
        if self._at + 1 == len(self._steps):
            self.stop()
        else:
            self._show_step(self._at + 1)

    def _show_step(self, at: int) -> None:
        self._at = at
        step, last = self._steps[at], at + 1 == len(self._steps)
        self.count.setText(f"Step {at + 1} of {len(self._steps)}")
        self.title.setText(step.title)
        self.text.setText(step.text)
        self.back.setEnabled(at > 0)
        self.next.setText("Finish" if last else "Next")
        self.next.setAccessibleName(self.next.text())
        self.skip.setEnabled(not last)
        self.arrived.emit(step.room, step.field)
