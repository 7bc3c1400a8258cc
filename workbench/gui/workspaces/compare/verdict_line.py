"""The verdict above the tiles: which way and which ε, with one press that shows that ε, and the reason below them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.core.number_text import exact
from workbench.evaluate.enough_advice import Charges
from workbench.evaluate.findings import Findings
from workbench.evaluate.headline import answer_words, epsilon_to_show, reason_words
from workbench.evaluate.tile import Verdict
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.steady_label import SteadyLabel
from workbench.gui.widgets.tips import in_lines
from workbench.gui.workspaces.compare.advice_lines import LONG_REASON, together

_WIDE = "Anonymised, ε about 0.23"
"""An answer that is as long as one comes out with an ε."""
_OUTDATED = "Out of date: of earlier settings."


class VerdictLine(QWidget):
    """It has the room of a long reason, whatever it says: nothing below it moves with the words.

    Signals
    -------
    wanted(float)
        Somebody wants to see this ε.
    """

    wanted = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._epsilon: float | None = None
        self.answer = label(strong=True, wrap=True)
        self.shows = push_button(name="Show the ε of the verdict", quiet=True, inline=True, explain="compare.tiles")
        self.shows.clicked.connect(self._want)
        self.reason = SteadyLabel()
        set_look(self.reason, small=False)
        left = boxes.column(self.answer, boxes.row(self.shows, 1, spacing=0), 1, spacing=0)
        self._left = boxes.boxed(left)
        boxes.row(self._left, (self.reason, 1), spacing="m", inside=self)
        self.start_over()

    def text(self) -> str:
        """All its words."""
        return " ".join(filter(None, (self.answer.text() and f"{self.answer.text()}.", self.reason.text())))

    def start_over(self) -> None:
        """Give back the room of words longer than most."""
        self.reason.start_over()
        self.reason.keep_room_for(LONG_REASON)

    def show_verdict(
        self,
        said: Verdict,
        findings: Findings,
        most: float | None,
        charges: Charges,
        *,
        brief: bool,
        current: bool,
    ) -> None:
        """Say it, in fewer words if `brief`; of another question, where findings are not `current`, that it is old."""
        drawn = any(series.drawn for series in findings.series)
        answer, reason = _OUTDATED.removesuffix(".") if drawn else "", ""
        self._epsilon = None
        if current:
            answer = answer_words(said, findings, most)
            reason = reason_words(said, findings, most, charges, errors=not brief)
            self._epsilon = epsilon_to_show(said, findings, most)
        # Always as wide, so that the reason beside it breaks where it did; what is longer has no button below it.
        self.answer.ensurePolished()
        letters = self.answer.fontMetrics()
        self._left.setFixedWidth(letters.horizontalAdvance(_WIDE) + tokens.SPACE_XS)
        self.shows.setFixedHeight(letters.height() + 1)
        self._left.setMinimumHeight(2 * self.shows.minimumHeight())
        self.answer.setText(together(answer, findings))
        self.reason.setText(together(reason, findings))
        self.shows.setVisible(self._epsilon is not None)
        self.shows.setText("" if self._epsilon is None else f"Show ε {exact(self._epsilon)}")

    def explain_with(self, words: str) -> None:
        """What is said of it to whoever points at it."""
        for line in (self.answer, self.reason):
            line.setToolTip(in_lines(words))

    def _want(self) -> None:
        if self._epsilon is not None:
            self.wanted.emit(self._epsilon)
