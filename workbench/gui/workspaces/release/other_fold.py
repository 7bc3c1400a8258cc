"""A fold below a sentence that can be answered otherwise: what is claimed then, and the press that says so."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from workbench.gui.widgets import boxes
from workbench.gui.widgets.apart_fold import ApartFold
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.labels import label
from workbench.session.release.other_answers import OtherAnswer

_SAY = "Say that it is not so, or that you are unsure"
_TAKE_BACK = "Not so, you said. Take it back"


class OtherFold(ApartFold):
    """To open it says nothing; `act` answers, and takes the answer back, and stays in sight while it is given.

    `button` opens and closes it, and stands wherever there is room.

    Parameters
    ----------
    other
        The answer.
    """

    def __init__(self, other: OtherAnswer, parent: QWidget | None = None, *, is_open: bool = False) -> None:
        super().__init__(other.words, parent, is_open=is_open)
        self.button.setAccessibleDescription(other.means)
        self.act = push_button(_SAY, tip=other.means, name=_SAY, checkable=True, inline=True)
        means = label(other.means, small=True, muted=True, wrap=True)
        boxes.column(means, (self.act, Qt.AlignmentFlag.AlignLeft), spacing="hair", inside=self)

    def show_said(self, said: bool) -> None:
        """Show whether this is the answer; if so, it is read with the way back, and is not folded."""
        self.act.setChecked(said)
        self.act.setText(_TAKE_BACK if said else _SAY)
        if said:
            self.button.setChecked(True)
        self.button.setEnabled(not said)
