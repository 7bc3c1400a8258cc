"""A fold below a sentence that has no other answer: the cases in which it is not so, each with what is done then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.apart_fold import ApartFold
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.labels import label
from workbench.session.release.other_answers import LEAVE_OPEN, NOT_SO, NOTHING_PROMISED, WayOut

_WITHOUT = "Without claim…"


class WaysOut(ApartFold):
    """It is no answer and changes nothing; `button` opens and closes it, and stands wherever there is room.

    Parameters
    ----------
    cases
        What may be so instead, with the room where it is put right, or the way to export without a claim, if any.
    go_to
        Told the room that is to be shown.
    without_claim
        Called where the file is to leave without a claim.
    """

    def __init__(
        self,
        cases: Sequence[WayOut],
        go_to: Callable[[str], object],
        without_claim: Callable[[], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(NOT_SO, parent)
        self.ways: list[QPushButton] = []
        lines = QGridLayout()
        lines.setHorizontalSpacing(tokens.SPACE_M)
        lines.setVerticalSpacing(tokens.SPACE_XS)
        lines.setColumnStretch(0, 1)
        for row, case in enumerate(cases):
            lines.addWidget(label(visible(case.words), small=True, wrap=True), row, 0)
            if not case.room and not case.unclaimed:
                continue  # nobody but they can put it right
            name = f"Go to {case.room.capitalize()}" if case.room else _WITHOUT
            act = partial(go_to, case.room) if case.room else without_claim
            way = push_button(name, act, name=f"{case.words} {name}", inline=True)
            self.ways.append(way)
            lines.addWidget(way, row, 1, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
        first = label(LEAVE_OPEN, small=True, wrap=True)
        last = label(NOTHING_PROMISED, small=True, muted=True, wrap=True)
        boxes.column(first, lines, last, margins="0 xs 0 0", spacing="xs", inside=self)
        told = (LEAVE_OPEN, *(case.words for case in cases), NOTHING_PROMISED)
        self.button.setAccessibleDescription("\n".join(told))
