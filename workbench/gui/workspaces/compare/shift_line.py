"""A line on what no error of a comparison has in it, or what ε does not hide as somebody may think."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.evaluate.drawn_row import DRAWN_MEANS, draw_moves
from workbench.evaluate.findings import Findings
from workbench.evaluate.left_out import left_out_words
from workbench.evaluate.protection_words import charged_twice_words
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import IconLabel
from workbench.gui.widgets.status import Status, status_icon
from workbench.gui.widgets.steady_label import SteadyLabel
from workbench.gui.widgets.tips import in_lines
from workbench.gui.workspaces.compare.advice_lines import together


class ShiftLine(QWidget):
    """The words, and a mark where what is said there shifts an answer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = SteadyLabel()
        set_look(self.words, small=False, tone="warning")
        self.mark = IconLabel(status_icon(Status.WARNING), tokens.ICON_SMALL, Status.WARNING.value)
        boxes.row(self.mark, (self.words, 1), spacing="xs", inside=self)

    def show_place(self, findings: Findings, place: float, *, current: bool) -> None:
        """Say it of a place of the axis; of another question, where findings are not current, only its room is kept."""
        shifts = " ".join(filter(None, (charged_twice_words(findings, place), left_out_words(findings))))
        self.setVisible(bool(shifts))
        # Where nothing is declared, typed bounds are asked for as what is possible, and shift nothing if they are.
        marked = bool(shifts) and (findings.narrowed or bool(draw_moves(findings)))
        kept = self.mark.sizePolicy()
        kept.setRetainSizeWhenHidden(marked)  # as long as it comes back
        self.mark.setSizePolicy(kept)
        set_look(self.words, tone="warning" if marked else "none", muted=not marked)
        self.mark.setVisible(marked and current)
        self.words.setText(together(shifts, findings) if current else "")
        self.words.setToolTip(in_lines(DRAWN_MEANS) if draw_moves(findings) else "")
