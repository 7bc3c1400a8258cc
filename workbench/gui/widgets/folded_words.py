"""Words of which the first lines are seen, and all of them at a press."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QTableView, QWidget

from workbench.gui.later import Later
from workbench.gui.theme import set_look, small_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.whole_rows import WholeRows

_NEW_LINE = "\N{LINE SEPARATOR}"
_MORE = "…"


class FoldedWords(QWidget):
    """Small words that take so many lines, also while there are none, so that nothing jumps when they come.

    Parameters
    ----------
    name
        What screen readers call the button that unfolds them.
    lines
        How many lines are seen while they are folded.
    table
        On the same page. They take more lines, as many as the words need, as far as it has no rows in their place; rows
        that a press unfolds take no room back, so that nothing moves under the pointer.
    after
        Other words of that table, which have its room first.
    keeping
        How many rows of the table are enough in sight: the words are whole in the place of the others. 0 for all.
    by_line
        Whether a line of the text begins a line of its own also while they are folded.
    """

    def __init__(
        self,
        name: str,
        lines: int = 2,
        table: QTableView | None = None,
        after: FoldedWords | None = None,
        keeping: int = 0,
        by_line: bool = False,
    ) -> None:
        super().__init__()
        self._sharing: list[FoldedWords] = [] if after is None else after._sharing
        self._sharing.append(self)
        # Not while the page is being laid out, when some of its parts have their new height and others do not.
        self._later = Later(self, self._share_room)
        self._least = self._lines = lines
        self._text, self._first, self._name = "", "", name
        self._table, self._keeping, self._by_line = table, keeping, by_line
        self.brief, self.whole = label(small=True), label(small=True, wrap=True, selectable=True)
        for one in (self.brief, self.whole):
            one.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.brief.setMinimumWidth(1)
        self.button = push_button(checkable=True, inline=True)
        self.button.toggled.connect(self._show)
        self._row = boxes.row(
            (boxes.column(self.brief, self.whole), 1), (self.button, 0, Qt.AlignmentFlag.AlignTop), spacing="s",
            inside=self,
        )  # fmt: skip
        self.brief.setFixedHeight(self.folded_height)
        if table is not None:
            table.viewport().installEventFilter(self)
            table.model().modelReset.connect(self._share_room)
        self._show()

    @property
    def folded_height(self) -> int:
        """How high it is while it is folded, in pixels."""
        return self._lines * self._line

    @property
    def _line(self) -> int:
        return QFontMetrics(small_font()).lineSpacing()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._later.start()
        return super().eventFilter(watched, event)

    def _share_room(self) -> None:
        """Fold the words to as many lines as there is room for without hiding a row of the table.

        All words of a table are folded at once: each by itself would take what another one has just taken.
        """
        if self._table is None or not self._table.isVisible():
            return
        folded = [one for one in self._sharing if not one.isHidden() and not one.is_open]
        high = self._table.viewport().height() + sum(one.height() - one._least * self._line for one in folded)
        around, row = self._table.parentWidget(), self._table.verticalHeader().defaultSectionSize()
        high += around.left if isinstance(around, WholeRows) else 0
        spare = high - self._table.verticalHeader().length()
        for one in folded:
            given = max(spare, high - one._keeping * row) if one._keeping else spare
            more = min(max(given // self._line - 1, 0), max(len(one._starts()) - one._least, 0))
            spare -= more * self._line
            high -= more * self._line
            one._take(one._least + more)

    def set_lines(self, lines: int) -> None:
        """Take so many lines while they are folded."""
        self._least = lines
        self._take(lines)

    def _take(self, lines: int) -> None:
        if lines != self._lines:
            self._lines = lines
            self.brief.setFixedHeight(self.folded_height)
            self._shorten()

    @property
    def is_open(self) -> bool:
        """Whether all of them are seen."""
        return self.button.isChecked()

    def text(self) -> str:
        """All of the words, whether they are seen or not."""
        return self._text

    def setText(self, text: str, first: str = "") -> None:
        """Say something else, while it is folded no more than what comes `first`; what was unfolded stays so."""
        self._text, self._first = text, first
        self._share_room()
        self._show()

    def set_muted(self, muted: bool) -> None:
        """Whether they are of less weight than what stands around them."""
        self._look(muted=muted)

    def set_outdated(self, outdated: bool) -> None:
        """Whether they are about something that is not asked any more: as pale as the picture they are of."""
        self.set_muted(outdated)
        for one in (self.brief, self.whole):
            one.setEnabled(not outdated)

    def set_tone(self, tone: str) -> None:
        """By their colour what they are: "warning", or "none" for what is no fault."""
        self._look(tone=tone)

    def set_open(self, wanted: bool) -> None:
        """Show all of them, or the first lines."""
        self.button.setChecked(wanted)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._shorten()

    def _look(self, **look: object) -> None:
        for one in (self.brief, self.whole):
            set_look(one, **look)

    def _show(self, _open: bool = False) -> None:
        words = "Less" if self.is_open else "More"
        self.button.setText(words)
        self.button.setAccessibleName(f"{self._name}: {words.lower()}")
        self.whole.setText(self._text)
        self.whole.setVisible(self.is_open)
        self.brief.setVisible(not self.is_open)
        self._shorten()

    @property
    def _joined(self) -> str:
        text = self._first or self._text
        parts = text.splitlines() if self._by_line else [text]
        return _NEW_LINE.join(" ".join(one.split()) for one in parts)

    @property
    def _width(self) -> int:
        """Pixels for the words, beside the button whether it is needed or not."""
        return max(self.width() - self.button.sizeHint().width() - self._row.spacing(), 1)

    def _starts(self) -> list[int]:
        """Where each line of the words begins."""
        layout = QTextLayout(self._joined, self.brief.font())
        layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
        layout.beginLayout()
        starts = list[int]()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(self._width)
            starts.append(line.textStart())
        layout.endLayout()
        return starts

    def _shorten(self) -> None:
        """Write what fits into the lines, with a mark where more follows."""
        if self.is_open:
            return
        metrics, text, width = self.brief.fontMetrics(), self._joined, self._width
        starts = self._starts()[: self._lines + 1]
        shown = [text[start:end].rstrip() for start, end in pairwise(starts)][: self._lines - 1]
        # What is left of the last line belongs to what follows, also where that has a line of its own unfolded.
        last = (text[starts[len(shown)] :] if starts else "").replace(_NEW_LINE, " ")
        fitted = _whole_words(last, metrics.elidedText(last, Qt.TextElideMode.ElideRight, width))
        self.brief.setText("\n".join([*shown, fitted]))
        # What is seen whole has nothing to unfold.
        others_follow = self._first not in ("", self._text)
        self.button.setVisible(fitted != last or others_follow)


def _whole_words(text: str, fitted: str) -> str:
    """A text that was cut, without the part of a word before the mark: half a name, or number, reads like another."""
    if fitted == text:
        return text
    kept = fitted[:-1]
    if kept.endswith(" ") or text[len(kept) : len(kept) + 1] == " " or " " not in kept:
        return fitted
    return f"{kept[: kept.rindex(' ') + 1]}{fitted[-1]}"
