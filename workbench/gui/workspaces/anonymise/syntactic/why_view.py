"""The reason why the best combination of levels is the best."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from workbench.anonymise.outcome import SearchResult
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.status import Status
from workbench.session.syntactic.results import RecodingResult
from workbench.session.syntactic.why_best import WhyBest
from workbench.session.syntactic.words import certainty, finer_in_words, levels_in_words, reasons

_SENTENCES = 4


class WhyView(QScrollArea):
    """Sentences, and for every column what one level finer would cost."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Why these levels won")
        set_explain(self, "anonymise.why")
        self.levels = label(strong=True, wrap=True, selectable=True)
        self.sentences = [label(wrap=True, selectable=True) for _ in range(_SENTENCES)]
        self._heading = label("With one column one level finer", strong=True, wrap=True)
        self._finer = QWidget()
        self._grid = QGridLayout(self._finer)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(tokens.SPACE_S)
        self._grid.setVerticalSpacing(tokens.SPACE_XS)
        self._grid.setColumnStretch(2, 1)
        inside = QWidget()
        inside.setProperty("bare", "true")
        column = boxes.column(self.levels, margins="0 0 m 0", spacing="s", inside=inside)
        for sentence in self.sentences:
            column.addWidget(sentence)
        column.addSpacing(tokens.SPACE_S)
        column.addWidget(self._heading)
        column.addWidget(self._finer)
        column.addStretch(1)
        self.setWidget(inside)
        self.show_why(None, None)

    @property
    def text(self) -> str:
        """Everything that is said."""
        cells = [self._grid.itemAt(place) for place in range(self._grid.count())]
        found = [cell.widget() for cell in cells if cell is not None]
        words = [shown.text() for shown in (self.levels, *self.sentences)]
        return "\n".join([*words, *(str(one.property("words")) for one in found if one and one.property("words"))])

    def show_why(self, found: RecodingResult | None, why: WhyBest | None) -> None:
        """Say why; without `why` as much as is known before the neighbours were looked at."""
        said: tuple[str, ...]
        if found is None:
            said = ("After a search: why the combination that was found is better than the others.",)
        elif why is None:
            said = (certainty(found.result),)
        else:
            said = reasons(found.result, why)
        self.levels.setText(levels_in_words(found.result.levels) if found is not None else "")
        self.levels.setVisible(found is not None)
        for place, sentence in enumerate(self.sentences):
            sentence.setText(said[place] if place < len(said) else "")
            sentence.setVisible(place < len(said))
        set_look(self.sentences[0], muted=found is None)
        self._show_finer(found.result if found is not None else None, why)

    def _show_finer(self, found: SearchResult | None, why: WhyBest | None) -> None:
        while self._grid.count():
            taken = self._grid.takeAt(0)
            widget = taken.widget() if taken is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        finer = why.finer if found is not None and why is not None else ()
        top = Qt.AlignmentFlag.AlignTop
        for row, one in enumerate(finer):
            assert found is not None and why is not None
            status = Status.NEUTRAL if one.node.feasible else Status.ERROR
            sign = IconLabel("success" if one.node.feasible else "close", tokens.ICON, status.value)
            named = label(f"{one.column} {one.level + 1} → {one.level}", selectable=True)
            words = label(finer_in_words(one, found, why), wrap=True, muted=True, selectable=True)
            words.setProperty("words", f"{named.text()}: {words.text()}")
            for place, widget in enumerate((sign, named, words)):
                self._grid.addWidget(widget, row, place, top)
        self._heading.setVisible(bool(finer))
        self._finer.setVisible(bool(finer))
