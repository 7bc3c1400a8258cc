"""Results of a simulation: the estimate over the truth, the errors with their spread, and all numbers."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.core.number_text import estimate, rounded_up
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.result_state import ResultState
from workbench.gui.widgets.status import Status
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.gui.workspaces.collect.figures_table import FiguresTable
from workbench.gui.workspaces.collect.prediction_page import LEAST_CHART
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.simulation import METRICS, FrequencyResult, MeanResult, SimulationErrors
from workbench.plots import error_ranges, estimated_counts
from workbench.plots.error_ranges import ErrorRange, ErrorRanges
from workbench.session.collection.estimated_charts import simulated_chart
from workbench.session.collection.results import Simulated
from workbench.session.collection.words import (
    protocol_words,
    scale_of,
    with_error,
    with_own_epsilon,
)

_MEAN = "mean"


class SimulationPage(QWidget):
    """For the analyst only: everything here is computed from true values.

    Signals
    -------
    run_requested()
        The person wants a simulation with the settings as they stand.
    """

    run_requested = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.found: Simulated | None = None
        self.state = ResultState("Simulate again")
        self.state.run_requested.connect(self.run_requested)
        self.protocol = ElidingComboBox("Protocol that is shown")
        self.protocol.activated.connect(self._show_histogram)
        self.histogram = ChartView("Estimate and truth", estimated_counts, document.runner)
        self.error_choice = ComboBox("Error that is shown")
        self.error_choice.activated.connect(self._show_errors)
        self.errors = ChartView("Errors of the protocols", error_ranges, document.runner)
        for one in (self.histogram, self.errors):
            one.fill(LEAST_CHART)
        self.table = FiguresTable("Errors in numbers")
        self.problems = label(wrap=True, small=True)
        self.problems.hide()
        for chart in (self.histogram, self.errors):
            chart.set_empty_text(
                "Simulate to see what the protocols would have estimated from these rows, beside the truth."
            )
            chart.noted.connect(document.noted)
        self.views = ViewSwitch(
            "What the simulation showed",
            [
                (_page(self.protocol, self.histogram), "Histogram"),
                (_page(self.error_choice, self.errors), "Errors"),
                (self.table, "Numbers"),
            ],
            analyst_badge(),
        )
        boxes.column(self.state, self.problems, (self.views, 1), margins="0 s 0 0", spacing="xs", inside=self)
        set_explain(self, "collect.simulation")
        self.show_state("", running=False)

    def show_state(self, key: str, *, running: bool) -> None:
        """Say whether what is shown belongs to the settings as they stand.

        Parameters
        ----------
        key
            Digest of the settings; see `CollectDesk.key`.
        """
        found = self.found
        if running:
            self.state.show_state(Status.INFO, "Simulating… what is finished is shown as it comes.")
        elif found is None:
            self.state.show_state(Status.NEUTRAL, "Nothing was simulated yet.")
        elif found.key != key:
            self.state.show_state(
                Status.WARNING, "The settings or the data changed: this is out of date.", offer_run=True
            )
        elif _finished(found) < len(self._document.project.collect.protocols):
            words = (
                f"Cancelled: {_finished(found)} of {len(self._document.project.collect.protocols)} protocols are "
                "finished."
            )
            self.state.show_state(Status.WARNING, words, offer_run=True)
        else:
            words = f"{found.users:,} people, {_repetitions(found):,} collections each, seed {found.seed}."
            self.state.show_state(Status.SUCCESS, words)

    def clear(self) -> None:
        """Forget what was simulated, because the data is another."""
        self.found = None
        self.protocol.clear()
        self.histogram.set_data(None)
        self.errors.set_data(None)
        self.table.show_rows([], [])
        self.problems.hide()

    def show_found(self, found: Simulated) -> None:
        """Show what there is, perhaps not all of it yet."""
        self.found = found
        before = self.protocol.chosen
        titles = [(protocol_words(one.choice), one.choice) for one in found.results]
        self.protocol.clear()
        for words, choice in titles:
            self.protocol.addItem(words, choice)
        self.protocol.choose(before)
        offered = [*(METRICS if found.results or found.baselines else ()), *([_MEAN] if found.means else ())]
        if [self.error_choice.itemData(row) for row in range(self.error_choice.count())] != offered:
            chosen = self.error_choice.chosen or self._document.project.collect.rank_by
            self.error_choice.clear()
            for metric in offered:
                self.error_choice.addItem(scale_of(metric).title, metric)
            self.error_choice.choose(chosen)
        words = "\n".join(f"{choice.protocol.title}: {text}" for choice, text in found.problems)
        self.problems.setText(words)
        self.problems.setVisible(bool(words))
        self._show_histogram()
        self._show_errors()
        self._show_numbers()
        if not found.results and found.means:
            self.views.show_view(1)

    def _show_histogram(self, _row: int = 0) -> None:
        found, choice = self.found, self.protocol.chosen
        if found is None or found.asked.encoded is None or not isinstance(choice, ProtocolChoice):
            self.histogram.set_data(None)
            return
        result = next(one for one in found.results if one.choice == choice)
        self.histogram.set_data(simulated_chart(found, result, protocol_words(choice), self._axis()))

    def _axis(self) -> str:
        project = self._document.project
        column = project.collect.column
        unit = project.schema[column].unit if column in project.schema.names else ""
        return f"{column} ({unit})" if unit else column

    def _show_errors(self, _row: int = 0) -> None:
        found, metric = self.found, str(self.error_choice.chosen or "")
        if found is None or not metric:
            self.errors.set_data(None)
            return
        self.errors.set_data(error_chart(found, metric))

    def _show_numbers(self) -> None:
        found = self.found
        assert found is not None
        if found.results or found.baselines is not None:
            # What a mean has, a histogram has not, and the other way round.
            none = ("–", "–") if found.means else ()
            rows = [_numbers(one, none) for one in found.results]
            if found.baselines is not None:
                curator = found.baselines.curator
                rows.append(
                    (
                        "A trusted curator",
                        *(scale_of(metric).cell(curator[metric].mean, curator[metric].se) for metric in METRICS),
                        *none,
                        rounded_up(self._document.project.collect.epsilon),
                        "–",
                        "–",
                    )
                )
                uniform = (scale_of(metric).cell(found.baselines.uniform[metric]) for metric in METRICS)
                rows.append(("A uniform guess", *uniform, *none, "0", "–", "–"))
            rows += [_mean_numbers(one) for one in found.means]
            heads = [
                "Protocol",
                *(scale_of(metric).short for metric in METRICS),
                *(("Mean", "Off by") if found.means else ()),
                "ε",
                "Bits",
                "Estimator",
            ]
            self.table.show_rows(heads, rows)
            return
        self.table.show_rows(
            ["Protocol", "Mean", "Off by", "Expected", "ε", "Bits"],
            [
                (
                    protocol_words(one.choice),
                    estimate(float(one.estimates.mean())),
                    with_error(one.errors.mean, one.errors.se),
                    estimate(one.deviation),
                    rounded_up(one.epsilon),
                    estimate(round(one.bits, 1)),
                )
                for one in found.means
            ],
        )


def error_chart(found: Simulated, metric: str) -> ErrorRanges:
    """The errors of one metric, the smallest first, with both baselines."""
    scale = scale_of(metric)
    if metric == _MEAN:
        entries = [_range(protocol_words(one.choice), one.errors) for one in found.means]
    else:
        entries = [
            _range(
                with_own_epsilon(protocol_words(one.choice), one.choice, one.epsilon), one.errors[metric], scale.factor
            )
            for one in found.results
        ]
        if found.baselines is not None:
            curator, guess = found.baselines.curator[metric], found.baselines.uniform[metric]
            entries.append(_range("A trusted curator", curator, scale.factor, "curator"))
            entries.append(ErrorRange("A uniform guess", *(scale.factor * guess,) * 3, "uniform"))
    return ErrorRanges(
        scale.title if metric == _MEAN else scale.of("those asked"), tuple(sorted(entries, key=lambda one: one.mean))
    )


def _range(name: str, errors: SimulationErrors, factor: float = 1.0, role: error_ranges.Role = "local") -> ErrorRange:
    low, high = errors.band
    return ErrorRange(name, factor * errors.mean, factor * low, factor * high, role)


def _finished(found: Simulated) -> int:
    return len(found.results) + len(found.means) + len(found.problems)


def _repetitions(found: Simulated) -> int:
    counts = [len(one.errors["l1"].values) for one in found.results] + [len(one.errors.values) for one in found.means]
    return max(counts, default=0)


def _numbers(one: FrequencyResult, means: tuple[str, ...]) -> tuple[str, ...]:
    errors = (scale_of(metric).cell(one.errors[metric].mean, one.errors[metric].se) for metric in METRICS)
    estimator = one.estimator if one.postprocess == "none" else f"{one.estimator}, {one.postprocess}"
    return (
        protocol_words(one.choice),
        *errors,
        *means,
        rounded_up(one.epsilon),
        estimate(round(one.bits, 1)),
        estimator,
    )


def _mean_numbers(one: MeanResult) -> tuple[str, ...]:
    mean, off = estimate(float(np.mean(one.estimates))), with_error(one.errors.mean, one.errors.se)
    bits = estimate(round(one.bits, 1))
    return (protocol_words(one.choice), *("–" for _ in METRICS), mean, off, rounded_up(one.epsilon), bits, "–")


def _page(control: QWidget, chart: QWidget) -> QWidget:
    """A chart below the one thing that can be chosen about it."""
    control.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    control.setMinimumWidth(tokens.EXPLAIN_WIDTH)
    return boxes.boxed(boxes.column(boxes.row(control, 1), (chart, 1), spacing="s"))
