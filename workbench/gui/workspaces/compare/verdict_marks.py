"""Marks of what is said of published values: a sign for each, which needs no colour, in a colour besides."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from workbench.evaluate.published.agreement import Said
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import tool_button
from workbench.gui.widgets.flow import FlowLayout
from workbench.gui.widgets.labels import label
from workbench.session.published_figures import MARKS

_TONES = {
    Said.AGREES: "success",
    Said.TOGETHER: "success",
    Said.DIFFERS: "error",
    Said.APART: "error",
}


_TOGETHER = (Said.TOGETHER, Said.APART)


def tone_of(said: Said) -> str:
    """The colour of what is said, "" where it has none."""
    return _TONES.get(said, "")


def verdict_marks(marks: Sequence[tuple[Said, str]]) -> QWidget:
    """The marks beside each other, each with its number, and below them what all are together, in words.

    What decides nothing alone, or is fitted, has no colour.
    """
    lines = [[one for one in marks if one[0] not in _TOGETHER], [one for one in marks if one[0] in _TOGETHER]]
    shown = [
        [label(words, tone=_TONES.get(said, ""), muted=said not in _TONES, wrap=len(line) == 1) for said, words in line]
        for line in lines
    ]
    found = QWidget()
    found.setProperty("bare", "true")
    boxes.column(
        *(boxes.row(*line, 1, spacing="m") if len(line) > 1 else line[0] for line in shown if line),
        spacing="hair",
        inside=found,
    )
    return found


class VerdictFilter(QWidget):
    """The marks of all figures that are sought, each a button that leaves only the figures with such values.

    Signals
    -------
    chosen()
        Another one is pressed, or none.
    """

    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bare", "true")
        self.setAccessibleName("What is said of published values")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        lines = self._lines = FlowLayout(self)
        self.buttons: dict[Said, QToolButton] = {}
        for said in Said:
            self.buttons[said] = tool_button(
                MARKS[said], partial(self._press, said), name=f"Only figures: {said}", tip=_tip(said), checkable=True
            )
            set_look(self.buttons[said], tone=_TONES.get(said, "muted"), chip=True)
            lines.addWidget(self.buttons[said])

    @property
    def wanted(self) -> Said | None:
        """Verdict that is pressed."""
        return next((said for said, button in self.buttons.items() if button.isChecked()), None)

    def show_marks(self, marks: Sequence[tuple[Said, str]], by_source: str = "") -> None:
        """Write how many there are, and where; what is pressed stays, so that it can be released."""
        self.buttons[Said.AGREES].setToolTip("\n".join(filter(None, (by_source, _tip(Said.AGREES)))))
        words = dict(marks)
        for said, button in self.buttons.items():
            button.setText(words.get(said, f"{MARKS[said]} 0"))
            button.setVisible(said in words or button.isChecked())
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow window is not kept wide by it: it has two lines there."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(self._lines.heightForWidth(self.width()))

    def release(self) -> None:
        """Leave out nothing."""
        for button in self.buttons.values():
            button.setChecked(False)

    def _press(self, said: Said) -> None:
        for other, button in self.buttons.items():
            if other is not said:
                button.setChecked(False)
        self.chosen.emit()


def _tip(said: Said) -> str:
    return f"Only figures {_TIPS[said]}; once more for all"


_TIPS = {
    Said.AGREES: "with a value that agrees",
    Said.WITHIN: "with a value that is within range, where agreement would prove little",
    Said.UNCHECKED: "with a value that cannot be checked, as its tolerance is too large or there is nothing to compare",
    Said.DIFFERS: "with a value that differs",
    Said.MADE: "with a value that is fitted: the sample was made, or a setting chosen, so",
    Said.COMPUTED: "with a value that nobody published, which comes out as computed",
    Said.TOGETHER: "with values that tell little alone, and agree together",
    Said.APART: "with values that differ together, though none does alone",
}
