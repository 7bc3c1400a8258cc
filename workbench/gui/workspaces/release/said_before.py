"""The sentences that the publisher said in other rooms, each with the way there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import MappingProxyType

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtWidgets import QWidget

from workbench.core.number_text import counted
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.elided_label import PartsLabel
from workbench.gui.widgets.labels import IconLabel, label
from workbench.session.release.draw_choice import FOLLOWS, PARTLY_FOLLOWS

_BEFORE = "Said before"
_TIP = "Sentences of the statement that you said in other rooms: each with the way there"
_WHERE = MappingProxyType(
    {
        "data": ("Said in Data", "You said so when you answered “Who is protected?”"),
        "hierarchies": ("Said in Hierarchies", "You said so when you declared them in Hierarchies."),
        FOLLOWS: (
            "Said in Anonymise",
            "You said in Anonymise what can occur. A rule made intervals of that, or labels.",
        ),
        PARTLY_FOLLOWS: (
            "Said in Hierarchies",
            "You declared hierarchies in Hierarchies, and in Anonymise you said what can occur; a rule may have made "
            "others of that.",
        ),
    }
)


_MADE = MappingProxyType(
    {
        FOLLOWS: "The program made them from what you said.",
        PARTLY_FOLLOWS: "You declared some; the program made the others from what you said.",
    }
)
"""Who made hierarchies, where the publisher is not the one."""


class SaidBefore(QWidget):
    """A line for what was said where it belongs.

    Parameters
    ----------
    text
        The sentence.
    room
        Where it was said: a room, or how its hierarchies came about. What was said in two has a way to each.
    go_to
        Told the room that is to be shown.
    own
        What the person said, where the statement says with the sentence what follows from it; "" for the sentence.
    """

    def __init__(self, text: str, room: str, go_to: SignalInstance, own: str = "") -> None:
        super().__init__()
        how = _WHERE[room][1]
        if own:
            how = f"{how} The statement says: {visible(text)}"
        name = f"Show where you said so: {own or text}"
        ways = [
            push_button(
                _WHERE[one][0],
                partial(go_to.emit, one),
                tip=how,
                name=name if one == room else f"{_WHERE[one][0]}. {name}",
                inline=True,
            )
            for one in room.split()
        ]
        words = [label(visible(own or text), small=True, wrap=True)]
        words += [label(_MADE[room], small=True, muted=True, wrap=True)] if room in _MADE else []
        boxes.row(
            (IconLabel("said", tokens.ICON, "neutral"), Qt.AlignmentFlag.AlignTop),
            (boxes.column(*words, spacing="hair"), 1),
            (boxes.column(*ways, spacing="xs"), Qt.AlignmentFlag.AlignTop),
            spacing="xs",
            inside=self,
        )


class BeforeFold(Disclosure):
    """All of them: they are signed with what is ticked, and so shown where they have room, and else in a line."""

    def __init__(self, content: QWidget) -> None:
        brief = PartsLabel(small=True, muted=True)
        super().__init__(_BEFORE, content, beside=brief)
        self.brief = brief
        self.button.setToolTip(_TIP)
        self.button.clicked.connect(self.hold)
        self._held = False

    def show_number(self, number: int, answers: int) -> None:
        """Say how many they are, and how many answers stand in the place of one; with none nothing opens."""
        self.setVisible(number + answers > 0)
        both = [f"{number:,} signed"] * (number > 0) + [counted(answers, "answer")] * (answers > 0)
        self.button.setText(f"{_BEFORE}: {', '.join(both)}")

    def show_brief(self, parts: Sequence[str]) -> None:
        """Say in a line what was said, as much of it as has room beside the heading; the rest is counted."""
        self.brief.set_text(" · ".join(map(visible, parts)))

    def open_where(self, fits: Callable[[], bool]) -> None:
        """Open it if all is seen then without scrolling; who opened or folded it themselves finds it so."""
        if self._held or self.isHidden():
            return
        self.set_open(True)
        if not fits():
            self.set_open(False)

    def hold_open(self) -> None:
        """Open it, whatever room there is."""
        self.set_open(True)
        self.hold()

    def hold(self) -> None:
        """Keep it as it is: whoever opened something finds all else as it was."""
        self._held = True

    def start_over(self) -> None:
        """Fold it, until it is known what room there is for those of another draw."""
        self._held = False
        self.set_open(False)
