"""The first-run tour: six steps through the rooms, in a bar below them that covers nothing."""

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
    """One step: the room it shows, and what to say there."""

    room: str
    title: str
    text: str


STEPS = (
    TourStep(
        "data",
        "Open a table",
        (
            "Drop a CSV here or try a sample. Say which columns name a person, which point to one, and how many rows "
            "one person has: every promise is about those persons."
        ),
    ),
    TourStep(
        "hierarchies",
        "Say how values become coarser",
        (
            "An age becomes a decade, a town a region. Build the levels yourself or take ready ones. Levels that were "
            "made by looking at the data are marked, because they weaken what can be promised."
        ),
    ),
    TourStep(
        "anonymise",
        "Choose the promise, see the cost",
        (
            "Type ε and δ, or choose k-anonymity and its relatives, and run. Before and after stand side by side. "
            "What is computed from the true values is badged “Analyst only” and never leaves with a release."
        ),
    ),
    TourStep(
        "query",
        "Ask a question instead of publishing rows",
        (
            "A noisy count, mean or histogram often serves better. You see the expected error before you spend "
            "anything, and a ledger keeps what this data has cost so far."
        ),
    ),
    TourStep(
        "collect",
        "Plan a survey nobody has to trust",
        (
            "With local differential privacy everybody adds noise to their own answer. See which method needs how "
            "many people before you ask the first one."
        ),
    ),
    TourStep(
        "release",
        "Release, with an honest statement",
        (
            "A checklist, the file, and a statement in plain words of what was promised, to whom, and what would "
            "void it."
        ),
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
    arrived(str)
        A step begins; carries the key of its room.
    """

    arrived = Signal(str)

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
        self._show_step(0)
        self.show()
        self.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def stop(self) -> None:
        self.hide()

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
        self.arrived.emit(step.room)
