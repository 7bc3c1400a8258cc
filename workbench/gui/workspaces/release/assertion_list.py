"""What only the publisher can know and a claim rests on: a tick for each sentence, and one for all of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QLabel, QVBoxLayout, QWidget

from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel
from workbench.gui.widgets.section import Section

_ALL = "All of this is so"


class _Sentence(QLabel):
    """The words beside a tick, which a click ticks too."""

    def __init__(self, text: str, tick: QCheckBox) -> None:
        super().__init__(visible(text))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setBuddy(tick)
        self._tick = tick

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._tick.click()


class AssertionList(Section):
    """Nothing is ticked in anybody's name: each draw begins with none.

    Signals
    -------
    said(object)
        The person says these sentences, a frozen set of them, and no others.
    """

    said = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("You assert", parent=parent)
        self.add_action(IconLabel("said", tokens.ICON, "neutral"))
        set_explain(self, "release.assertions")
        self._sentences: tuple[str, ...] = ()
        self.ticks: list[QCheckBox] = []
        self.all = QCheckBox()
        self.all.setAccessibleName(_ALL)
        self.all.clicked.connect(self._tick_all)
        self._lines = QVBoxLayout()
        self._lines.setSpacing(tokens.SPACE_XS)
        self.add(self._lines)
        self.add(_line(_ALL, self.all, strong=True))
        self.hide()

    @property
    def ticked(self) -> frozenset[str]:
        """What is ticked."""
        return frozenset(text for text, tick in zip(self._sentences, self.ticks, strict=True) if tick.isChecked())

    @property
    def open(self) -> int:
        """How many are not ticked."""
        return len(self._sentences) - len(self.ticked)

    def show_sentences(self, sentences: Sequence[str], said: Collection[str]) -> None:
        """Ask for these sentences, of which some were said; no line is made anew while they stay the same."""
        if tuple(sentences) != self._sentences:
            self._sentences = tuple(sentences)
            self._make_lines()
        for text, tick in zip(self._sentences, self.ticks, strict=True):
            tick.setChecked(text in said)
        self.all.setChecked(not self.open)
        self.setHidden(not self._sentences)

    def focus_first(self) -> None:
        """Put the focus on the first that is not ticked."""
        next((tick for tick in self.ticks if not tick.isChecked()), self.all).setFocus()

    def _make_lines(self) -> None:
        while (item := self._lines.takeAt(0)) is not None:
            line = item.widget()
            if line is not None:
                line.hide()
                line.deleteLater()
        self.ticks = []
        for text in self._sentences:
            tick = QCheckBox()
            tick.setAccessibleName(visible(text))
            tick.clicked.connect(self._tell)
            self.ticks.append(tick)
            self._lines.addWidget(_line(text, tick))

    def _tick_all(self, wanted: bool) -> None:
        for tick in self.ticks:
            tick.setChecked(wanted)
        self._tell()

    def _tell(self, _checked: bool = False) -> None:
        self.all.setChecked(not self.open)
        self.said.emit(self.ticked)


def _line(text: str, tick: QCheckBox, *, strong: bool = False) -> QWidget:
    words = _Sentence(text, tick)
    set_look(words, strong=strong)
    line = QWidget()
    boxes.row((tick, Qt.AlignmentFlag.AlignTop), (words, 1), spacing="xs", inside=line)
    return line
