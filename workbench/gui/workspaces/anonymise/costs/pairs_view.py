"""Two columns at once: how many rows have which pair of values, before and after."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QSplitter, QWidget

from workbench.anonymise.compared import Compared
from workbench.anonymise.contingency import Contingency, CrossTable
from workbench.core.number_text import NONE, estimate, percent
from workbench.core.progress import Progress
from workbench.gui import tokens
from workbench.gui.runner import Runner
from workbench.gui.widgets import boxes
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.heat_table import HeatTable
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.anonymise.costs.base import CostView
from workbench.session.before_and_after import cross

_LETTERS = 5
_COUNTS, _SHARES = "counts", "shares"
_AS_READ, _AS_RELEASED = "read", "released"


class PairsView(CostView):
    """Two tables side by side, shaded by how many rows each pair has."""

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(runner, parent)
        self._found: Contingency | None = None
        self.first = ComboBox("Column in the rows of the tables")
        self.second = ComboBox("Column in the columns of the tables")
        for box in (self.first, self.second):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(_LETTERS)
            box.activated.connect(self._chosen)
        self.grouped = QCheckBox("Same labels on both sides")
        self.grouped.setAccessibleName("Show the rows before with the labels of the release")
        self.grouped.setToolTip(self.grouped.accessibleName())
        self.shares = QCheckBox("Shares")
        self.shares.setAccessibleName("Show shares of all rows instead of counts")
        self.shares.setToolTip(self.shares.accessibleName())
        for choice in (self.grouped, self.shares):
            choice.toggled.connect(self._fill)
        self.words = label(muted=True, wrap=True)
        self.before = HeatTable("Pairs before")
        self.after = HeatTable("Pairs after")
        self._before_words, self._after_words = ElidedLabel(strong=True), ElidedLabel(strong=True)
        set_explain(self, "anonymise.pairs")
        self._lay_out()
        self.clear()

    def _lay_out(self) -> None:
        top = boxes.row((self.first, 1), label("by", muted=True), (self.second, 1), spacing="s")
        ticks = boxes.row(self.grouped, self.shares, 1, spacing="m")
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setObjectName("anonymise-pairs")
        split.setChildrenCollapsible(False)
        for words, table in ((self._before_words, self.before), (self._after_words, self.after)):
            table.setMinimumWidth(tokens.FIELD_WIDTH)
            side = boxes.boxed(boxes.column(words, (table, 1), spacing="xs"))
            split.addWidget(side)
        split.setSizes([1, 1])
        boxes.column(top, ticks, self.words, (split, 1), spacing="xs", inside=self)

    def clear(self) -> None:
        self._found = None
        names = self._compared.names if self._compared is not None else ()
        chosen = [box.chosen for box in (self.first, self.second)]
        for place, box in enumerate((self.first, self.second)):
            box.clear()
            for name in names:
                box.addItem(name, name)
            box.setCurrentIndex(min(place, len(names) - 1))
            box.choose(chosen[place])
            box.setEnabled(len(names) > 1)
        if len(names) > 1 and self.first.chosen == self.second.chosen:
            self.second.setCurrentIndex((self.first.currentIndex() + 1) % len(names))
        self.words.setText(
            "A release of one column has no pairs."
            if len(names) == 1
            else "After a run: which pairs of values go together, and whether they still do."
        )
        for table in (self.before, self.after):
            table.show_rows((), ())
        self._before_words.set_text("Before")
        self._after_words.set_text("After")

    def work(self) -> None:
        first, second = self.first.chosen, self.second.chosen
        if self._compared is None or not isinstance(first, str) or not isinstance(second, str) or first == second:
            return
        job = partial(_crossed, self._compared, first, second)
        self._start(f"Counting pairs of {first} and {second}", job, self._show)

    def _chosen(self, _row: int) -> None:
        if self.first.chosen == self.second.chosen and self.first.count() > 1:
            # The other one gives way, instead of a table of a column by itself.
            other = self.second if self.sender() is self.first else self.first
            other.setCurrentIndex((other.currentIndex() + 1) % other.count())
        self.work()

    def _show(self, found: tuple[Compared, Contingency]) -> None:
        if found[0] is self._compared:
            self._found = found[1]
            self._fill()

    def _fill(self) -> None:
        found = self._found
        if found is None:
            return
        before = found.grouped if self.grouped.isChecked() else found.before
        largest = max(float(one.shares.max(initial=0)) for one in (before, found.after))
        for table, one in ((self.before, before), (self.after, found.after)):
            self._fill_table(table, found, one, largest)
        self._before_words.set_text(f"Before: {before.total:,} rows")
        self._after_words.set_text(f"After: {found.after.total:,} rows")
        read, same, left = (estimate(one.association) for one in (found.before, found.grouped, found.after))
        words = f"Association (Cramér's V, 0 to 1): {read} as read, {same} with the released labels, {left} after. "
        if not math.isnan(found.difference):
            words += (
                f"With the same labels, {percent(found.difference)} of the rows would have to move to make both alike."
            )
        self.words.setText(words)

    def _fill_table(self, table: HeatTable, found: Contingency, one: CrossTable, largest: float) -> None:
        others = "{n} others"
        heads = [*one.second, *([others.format(n=f"{one.others_second:,}")] if one.others_second else [])]
        sides = [*one.first, *([others.format(n=f"{one.others_first:,}")] if one.others_first else [])]
        shares = one.shares
        lines = []
        for place, side in enumerate(sides):
            if self.shares.isChecked():
                cells = [percent(share) if share else NONE for share in shares[place].tolist()]
            else:
                cells = [f"{count:,}" if count else NONE for count in one.counts[place].tolist()]
            lines.append((side, *cells))
        heat = np.zeros((len(sides), len(heads) + 1))
        if largest:
            # The root makes rare pairs visible beside frequent ones.
            heat[:, 1:] = np.sqrt(shares / largest)
        table.show_rows((found.first, *heads), lines, heat=heat)


def _crossed(compared: Compared, first: str, second: str, progress: Progress) -> tuple[Compared, Contingency]:
    return compared, cross(compared, first, second, progress=progress)
