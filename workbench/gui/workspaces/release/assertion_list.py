"""What only the publisher can know and a claim rests on: a tick for each sentence, and one for all of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from types import MappingProxyType

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QVBoxLayout, QWidget

from workbench.core.schema import KNOWN_BEFOREHAND
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.section import Section

_ALL, _OTHERS = "All of this is so", "All the others are so"
_WHERE = MappingProxyType({"data": "Said in Data", "hierarchies": "Said in Hierarchies"})
_NOT_SO = "Not so? Change what it speaks of and draw again, or export without a claim."
_NOT_KNOWN = (
    "If a kind was taken from what stands in this table, and you would not have set it for any table of this sort: set "
    "it in Data as you would, and draw again."
)


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
    go_to(str)
        They want to see the room where they said one before, or can put one right.
    """

    said = Signal(object)
    go_to = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("You assert", parent=parent)
        set_explain(self, "release.assertions")
        self._sentences: tuple[str, ...] = ()
        self._doubts: dict[str, str] = {}
        self._declared: dict[str, str] = {}
        self.ticks: list[QCheckBox] = []
        self._words: list[_Sentence] = []
        self.all = QCheckBox()
        self.all.setAccessibleName(_ALL)
        self.all.clicked.connect(self._tick_all)
        self._lines = QVBoxLayout()
        self._lines.setSpacing(tokens.SPACE_XS)
        self.add(self._lines)
        self._all = _Sentence(_ALL, self.all)
        self.add(_line(self._all, self.all, strong=True))
        self.add(label(_NOT_SO, small=True, muted=True, wrap=True))
        self._before = QVBoxLayout()
        self._before.setSpacing(tokens.SPACE_XS)
        self.add(self._before)
        self.hide()

    @property
    def ticked(self) -> frozenset[str]:
        """What is ticked."""
        return frozenset(text for text, tick in zip(self._sentences, self.ticks, strict=True) if tick.isChecked())

    @property
    def declared(self) -> tuple[str, ...]:
        """What is not asked, because it was said before."""
        return tuple(self._declared)

    @property
    def open(self) -> int:
        """How many are not ticked."""
        return len(self._sentences) - len(self.ticked)

    def show_sentences(
        self,
        sentences: Sequence[str],
        said: Collection[str],
        doubts: Mapping[str, str] = MappingProxyType({}),
        declared: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Ask for these sentences, of which some were said; no line is made anew while they stay the same.

        What is in `doubts`, with a reason to think twice, has to be ticked by itself. What is in `declared`, with the
        room where it was said, is not asked again.
        """
        asked = tuple(sentences), dict(doubts), dict(declared)
        if asked != (self._sentences, self._doubts, self._declared):
            self._sentences, self._doubts, self._declared = asked
            self._make_lines()
        for text, tick in zip(self._sentences, self.ticks, strict=True):
            tick.setChecked(text in said)
        self._show_all()
        self.setHidden(not self._sentences)

    def focus_first(self) -> None:
        """Put the focus on the first that is not ticked."""
        next((tick for tick in self.ticks if not tick.isChecked()), self.all).setFocus()

    def mark_missing(self) -> None:
        """Mark what is not ticked, and go to the first of it."""
        for words, tick in zip(self._words, self.ticks, strict=True):
            set_look(words, tone="none" if tick.isChecked() else "warning")
        self.focus_first()

    def _make_lines(self) -> None:
        for layout in (self._lines, self._before):
            while (item := layout.takeAt(0)) is not None:
                line = item.widget()
                if line is not None:
                    line.hide()
                    line.deleteLater()
        self.ticks, self._words = [], []
        for text, room in self._declared.items():
            self._before.addWidget(self._said_before(text, room))
        for text in self._sentences:
            tick = QCheckBox()
            tick.setAccessibleName(visible(text))
            tick.clicked.connect(self._tell)
            self.ticks.append(tick)
            self._words.append(_Sentence(text, tick))
            self._lines.addWidget(_line(self._words[-1], tick, doubt=self._doubts.get(text, "")))
            if text == KNOWN_BEFOREHAND:
                tick.setToolTip(_NOT_KNOWN)
                self._words[-1].setToolTip(_NOT_KNOWN)
            tick.setAccessibleDescription(self._doubts.get(text, ""))
        words = _OTHERS if self._doubts else _ALL
        self._all.setText(words)
        self.all.setAccessibleName(words)

    def _said_before(self, text: str, room: str) -> QWidget:
        """A line for what was said where it belongs, with the way there."""
        where = QPushButton(_WHERE[room])
        set_look(where, quiet=True)
        where.setAccessibleName(f"Show where you said so: {text}")
        where.clicked.connect(partial(self.go_to.emit, room))
        line = QWidget()
        sign = IconLabel("said", tokens.ICON, "neutral")
        boxes.row(
            (sign, Qt.AlignmentFlag.AlignTop),
            (label(visible(text), small=True, muted=True, wrap=True), 1),
            (where, Qt.AlignmentFlag.AlignTop),
            spacing="xs",
            inside=line,
        )
        return line

    def _of_all(self) -> list[QCheckBox]:
        """What is ticked together."""
        pairs = zip(self._sentences, self.ticks, strict=True)
        return [tick for text, tick in pairs if text not in self._doubts]

    def _tick_all(self, wanted: bool) -> None:
        for tick in self._of_all():
            tick.setChecked(wanted)
        self._tell()

    def _show_all(self) -> None:
        self.all.setChecked(all(tick.isChecked() for tick in self._of_all()))

    def _tell(self, _checked: bool = False) -> None:
        self._show_all()
        for words, tick in zip(self._words, self.ticks, strict=True):
            if tick.isChecked():
                set_look(words, tone="none")
        self.said.emit(self.ticked)


def _line(words: _Sentence, tick: QCheckBox, *, strong: bool = False, doubt: str = "") -> QWidget:
    set_look(words, strong=strong)
    line = QWidget()
    beside: QWidget = words
    if doubt:
        why = label(doubt, small=True, wrap=True)
        set_look(why, tone="warning")
        beside = boxes.boxed(boxes.column(words, why, spacing="hair"))
    boxes.row((tick, Qt.AlignmentFlag.AlignTop), (beside, 1), spacing="xs", inside=line)
    return line
