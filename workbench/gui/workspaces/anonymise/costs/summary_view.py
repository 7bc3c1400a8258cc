"""Summary statistics of every released column before and after."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtWidgets import QWidget

from workbench.anonymise.lost_values import LostValue
from workbench.anonymise.summary import ColumnSummary, Summaries, ValueSummary
from workbench.core.number_text import NONE, change, estimate, percent, points
from workbench.core.progress import Progress
from workbench.core.visible import visible
from workbench.gui.runner import Runner
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.heat_table import HeatTable
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.anonymise.costs.base import CostView
from workbench.session.before_and_after import lost_values, summarise

_WORST = 3
"""So many of the values that lost most are named, in all and of each column."""

Line = tuple[str, str, str, str]


class SummaryView(CostView):
    """One line per column and figure: before, after and how much it changed."""

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(runner, parent)
        self.words = label(muted=True, wrap=True)
        self.table = HeatTable("Summary statistics before and after")
        set_explain(self, "anonymise.summary")
        boxes.column(self.words, (self.table, 1), spacing="s", inside=self)
        self.clear()

    def clear(self) -> None:
        self.words.setText("After a run: what became of means, spreads and the most frequent values.")
        self.table.show_rows((), ())

    def work(self) -> None:
        compared = self._compared
        assert compared is not None

        def job(progress: Progress) -> tuple[object, Summaries, tuple[LostValue, ...]]:
            return compared, summarise(compared, progress), lost_values(compared)

        self._start("Summing up the columns", job, self._show)

    def _show(self, found: tuple[object, Summaries, tuple[LostValue, ...]]) -> None:
        compared, summaries, lost = found
        if self._compared is None or compared is not self._compared:
            return
        beta = self._compared.beta
        words = (
            f"{summaries.rows_after:,} of {summaries.rows_before:,} rows were released ({percent(summaries.lost)} "
            "were not)."
        )
        if beta < 1:
            words += " " + f"Sampling alone keeps about {percent(beta)} of them."
        if any(one.after.numbers is not None for one in summaries.columns):
            words += " " + "A label that is no estimate counts as the middle of its interval."
        if lost:
            worst = (f"{one.column} {visible(one.label)} {one.before:,} → {one.after:,}" for one in lost[:_WORST])
            words += f" Small groups lost most: {', '.join(worst)}."
        self.words.setText(words)
        lines: list[tuple[str, ...]] = []
        bands: list[bool] = []
        for column in summaries.columns:
            lines.append((column.name, "", "", ""))
            bands.append(True)
            for words, *figures in self._lines(column):
                # Set in, so that the names of the columns stand out.
                lines.append((f"   {words}", *figures))
                bands.append(False)
            for one in [one for one in lost if one.column == column.name][:_WORST]:
                shown = self._counted(f"   lost: {visible(one.label)}", one.before, one.after)
                lines.append(shown)
                bands.append(False)
        heads = ("Figure", "Before", "After", "Change")
        self.table.show_rows(heads, lines, bands=np.array(bands, dtype=np.bool_))

    def _lines(self, column: ColumnSummary) -> list[Line]:
        before, after = column.before, column.after
        rows = [
            self._counted("with a value", before.count, after.count),
            self._counted("distinct", before.distinct, after.distinct),
            ("most frequent", _mode(before), _mode(after), ""),
            (
                "missing",
                percent(before.missing),
                percent(after.missing),
                points(before.missing, after.missing),
            ),
        ]
        if after.starred > 0:
            rows.append(("became *", percent(before.starred), percent(after.starred), ""))
        if before.numbers is None or after.numbers is None:
            return rows
        if after.unread > 0:
            rows.append(("not a estimate", percent(before.unread), percent(after.unread), ""))
        for words, figure in (
            ("mean", "mean"),
            ("std. deviation", "deviation"),
            ("smallest", "minimum"),
            ("lower quartile", "lower_quartile"),
            ("median", "median"),
            ("upper quartile", "upper_quartile"),
            ("largest", "maximum"),
        ):
            pair = float(getattr(before.numbers, figure)), float(getattr(after.numbers, figure))
            rows.append((words, estimate(pair[0]), estimate(pair[1]), change(*pair)))
        return rows

    @staticmethod
    def _counted(words: str, before: int, after: int) -> Line:
        return words, f"{before:,}", f"{after:,}", change(before, after)


def _mode(summary: ValueSummary) -> str:
    if math.isnan(summary.mode_share):
        return NONE
    return f"{summary.mode} ({percent(summary.mode_share)})"
