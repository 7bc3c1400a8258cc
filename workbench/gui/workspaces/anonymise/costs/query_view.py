"""One question, asked of the data and of the release."""

from __future__ import annotations

import math
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from workbench.anonymise.compared import Compared
from workbench.anonymise.questions import ComparedAnswer, ReleaseQuestion, ReleaseStatistic
from workbench.core.errors import WorkbenchError
from workbench.core.filtering import written_name
from workbench.core.number_text import NONE, estimate, percent
from workbench.core.progress import Progress
from workbench.core.schema import Kind
from workbench.gui import tokens
from workbench.gui.runner import Runner
from workbench.gui.theme import set_look, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox, LongLine
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.anonymise.costs.base import CostView
from workbench.plots import before_after
from workbench.session.before_and_after import answer, with_spread

_HUNDRED = 100
_UNORDERED = (Kind.CATEGORY, Kind.TEXT)
_SEED = 1


class QueryView(CostView):
    """A question at the top, both answers below, and for a histogram both drawn over each other."""

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(runner, parent)
        self.figure = ComboBox(
            "What is asked for",
            (
                ("Mean of", ReleaseStatistic.MEAN),
                ("Sum of", ReleaseStatistic.SUM),
                ("Histogram of", ReleaseStatistic.HISTOGRAM),
                ("Count", ReleaseStatistic.COUNT),
            ),
        )
        self.column = ComboBox("Column that is asked about")
        self.column.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.column.setMinimumContentsLength(8)
        self.where = LongLine()
        self.where.setAccessibleName("Filter on one released column")
        self.where.setClearButtonEnabled(True)
        self.ask = QPushButton("Ask")
        self.ask.setAccessibleName("Ask the data and the release")
        self.problem = label(wrap=True, small=True, tone="error")
        self.notes = label(muted=True, wrap=True)
        self._cells: dict[str, QLabel] = {}
        self.chart = ChartView("Histogram before and after", before_after, runner)
        self.chart.set_empty_text("")
        set_explain(self, "anonymise.question")
        self._lay_out()
        self.figure.activated.connect(self._figure_chosen)
        self.column.activated.connect(self._column_chosen)
        self.where.returnPressed.connect(self.work)
        self.ask.clicked.connect(self.work)
        self.clear()

    def _lay_out(self) -> None:
        top = boxes.row(self.figure, (self.column, 1), spacing="s")
        second = boxes.row(label("where", muted=True), (self.where, 1), self.ask, spacing="s")
        grid = QGridLayout()
        grid.setHorizontalSpacing(tokens.SPACE_L)
        grid.setVerticalSpacing(0)
        for place, (name, words) in enumerate(
            (
                ("true", "In the data"),
                ("released", "From the release"),
                ("absolute", "Error"),
                ("percent", "Error in %"),
            )
        ):
            cell = label(heading=2)
            cell.setFont(tabular_font())
            cell.setProperty("figure", words)
            self._cells[name] = cell
            grid.addWidget(cell, 0, place)
            grid.addWidget(label(words, small=True, muted=True), 1, place)
            grid.setColumnStretch(place, 1)
        layout = boxes.column(
            top, second, self.problem, boxes.Gap("s"), grid, self.notes, (self.chart, 1), spacing="s", inside=self
        )
        self._rest = QWidget()
        layout.addWidget(self._rest, 1)

    @property
    def chosen_figure(self) -> ReleaseStatistic:
        """Statistic that is asked for."""
        return ReleaseStatistic(str(self.figure.chosen))  # The box gives back a plain text.

    def value(self, name: str) -> str:
        """A figure as it is shown: "true", "released", "absolute" or "percent"."""
        return self._cells[name].text()

    def clear(self) -> None:
        compared, chosen = self._compared, self.column.chosen
        self.column.clear()
        for name in compared.names if compared is not None else ():
            self.column.addItem(name, name)
        self.column.choose(chosen)
        if compared is not None and self.chosen_figure in (ReleaseStatistic.MEAN, ReleaseStatistic.SUM):
            self._prefer_numbers(compared)
        for widget in (self.figure, self.column, self.where, self.ask):
            widget.setEnabled(compared is not None)
        self.where.setPlaceholderText(self._example(compared))
        self._show_nothing()
        if compared is None:
            self.notes.setText("After a run: what a reader of the release would answer, beside the truth.")
        self._show_parts()

    def _prefer_numbers(self, compared: Compared) -> None:
        """A mean needs a column of numbers; without one, begin with a histogram."""
        if self.column.chosen and compared.schema[str(self.column.chosen)].kind.numeric:
            return
        numeric = [name for name in compared.names if compared.schema[name].kind.numeric]
        if numeric:
            self.column.choose(numeric[0])
        else:
            self.figure.choose(ReleaseStatistic.HISTOGRAM)

    def _example(self, compared: Compared | None) -> str:
        for name in compared.names if compared is not None else ():
            spec = compared.schema[name] if compared is not None else None
            if spec is not None and spec.kind.numeric:
                return "every row, or such as {filter}".format(filter=f"{written_name(spec)} >= 40")
            values = compared.table[name].values if compared is not None else ()
            if spec is not None and values:
                written = values[0].replace("'", "''")
                return "every row, or such as {filter}".format(filter=f"{written_name(spec)} = '{written}'")
        return "every row"

    def _show_nothing(self) -> None:
        for name in self._cells:
            self._set(name, NONE)
        self.notes.setText("")
        self.problem.setText("")
        self.problem.setVisible(False)
        set_look(self.where, invalid=False)
        self.chart.set_data(None)

    def _show_parts(self) -> None:
        histogram = self.chosen_figure is ReleaseStatistic.HISTOGRAM
        self.chart.setVisible(histogram)
        self._rest.setVisible(not histogram)
        self.column.setEnabled(self._compared is not None and self.chosen_figure is not ReleaseStatistic.COUNT)

    # Asking

    def _figure_chosen(self, _row: int) -> None:
        if self._compared is not None and self.chosen_figure in (ReleaseStatistic.MEAN, ReleaseStatistic.SUM):
            chosen = self.chosen_figure
            self._prefer_numbers(self._compared)
            self.figure.choose(chosen)
        self._show_parts()
        self.work()

    def _column_chosen(self, _row: int) -> None:
        self.work()

    def work(self) -> None:
        compared = self._compared
        if compared is None:
            return
        asked = ReleaseQuestion(self.chosen_figure, str(self.column.chosen or ""), self.where.text())
        job = partial(_answered, compared, asked)
        self._start("Asking the release", job, self._show, self._refuse)

    def _refuse(self, error: BaseException) -> bool:
        if not isinstance(error, WorkbenchError):
            return False
        self._show_nothing()
        self.problem.setText(str(error))
        self.problem.setVisible(True)
        self.where.setAccessibleDescription(error.message)
        set_look(self.where, invalid=error.field in ("where", "filter"))
        return True

    def _show(self, found: tuple[Compared, ComparedAnswer]) -> None:
        compared, answered = found
        if compared is not self._compared:
            return
        if answered.spread is None:
            self._show_nothing()
        self.where.setAccessibleDescription("")
        for name in self._cells:
            value = float(getattr(answered, name))
            if name == "percent":
                self._set(name, percent(value / _HUNDRED) if math.isfinite(value) else NONE)
            else:
                self._set(name, estimate(value))
        self.notes.setText(self._notes(compared, answered))
        if answered.bars is not None and answered.spread is None:
            spec = compared.schema[answered.asked.column]
            totals = round(answered.true), round(answered.released)
            bars = before_after.in_bars(
                answered.asked.column,
                answered.bars.values,
                answered.bars.before,
                answered.bars.after,
                totals,
                ordered=spec.kind not in _UNORDERED,
            )
            self.chart.set_data(bars)
        if compared.redraw is not None and answered.spread is None:
            job = partial(_spread, compared, answered)
            self._start("Simulating other releases", job, self._show)

    def _notes(self, compared: Compared, answered: ComparedAnswer) -> str:
        figure, words = answered.asked.statistic, []
        if figure is ReleaseStatistic.HISTOGRAM:
            moved = "The error is that of all values together, in rows; {share} would have to move in all."
            words.append(moved.format(share=percent(answered.total_variation)))
        if compared.beta < 1 and figure is not ReleaseStatistic.MEAN:
            words.append(f"Rows of the sample count {estimate(answered.scale)} times (1/β).")
        if answered.asked.where.strip() or figure is ReleaseStatistic.HISTOGRAM:
            words.append("A label counts evenly for the values under it.")
        if figure in (ReleaseStatistic.MEAN, ReleaseStatistic.SUM):
            words.append("A label that is no estimate counts as the middle of its interval.")
        if answered.unread > 0:
            left_out = "{share} of the rows stand for no estimate and are left out."
            words.append(left_out.format(share=percent(answered.unread)))
        return " ".join([*words, *self._spread_words(answered)])

    def _spread_words(self, answered: ComparedAnswer) -> list[str]:
        spread = answered.spread
        if spread is None:
            return []
        if math.isnan(spread.middle):
            return [f"None of {spread.draws} simulated releases had an answer."]
        histogram = answered.asked.statistic is ReleaseStatistic.HISTOGRAM
        low, middle, high = (
            percent(value) if histogram else estimate(value) for value in (spread.low, spread.middle, spread.high)
        )
        said = "Of {n} simulated releases (seed {seed}) nine in ten say {low} to {high}, the median {middle}."
        words = [said.format(n=spread.draws, seed=spread.seed, low=low, middle=middle, high=high)]
        if spread.unanswered:
            words.append(f"{spread.unanswered} had no answer.")
        return words

    def _set(self, name: str, text: str) -> None:
        cell = self._cells[name]
        cell.setText(text)
        cell.setAccessibleName(f"{cell.property('figure')}: {text}")
        cell.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)


def _answered(compared: Compared, asked: ReleaseQuestion, progress: Progress) -> tuple[Compared, ComparedAnswer]:
    return compared, answer(compared, asked, progress)


def _spread(compared: Compared, answered: ComparedAnswer, progress: Progress) -> tuple[Compared, ComparedAnswer]:
    return compared, with_spread(compared, answered, seed=_SEED, progress=progress)
