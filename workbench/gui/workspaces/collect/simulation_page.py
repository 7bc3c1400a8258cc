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
from workbench.gui.widgets.buttons import push_button
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
from workbench.ldp.simulation import FrequencyResult, MeanResult, SimulationErrors
from workbench.plots import error_ranges, estimated_counts
from workbench.plots.error_ranges import ErrorRange, ErrorRanges
from workbench.session.collection.estimated_charts import simulated_chart
from workbench.session.collection.mean_decision import MEAN
from workbench.session.collection.results import Simulated
from workbench.session.collection.simulated_order import SimulatedOrder, simulated_order
from workbench.session.collection.words import (
    marked_words,
    metrics_shown,
    of_tries,
    protocol_words,
    scale_of,
    with_own_epsilon,
)


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
        self.protocol.activated.connect(self._choose_protocol)
        self._wanted: ProtocolChoice | None = None
        """The protocol whose histogram the person chose."""
        self._recommended: ProtocolChoice | None = None
        self.histogram = ChartView("Estimate and truth", estimated_counts, document.runner)
        self.error_choice = ComboBox("Error that is shown")
        self.error_choice.activated.connect(self._choose_error)
        self.errors = ChartView("Errors of the protocols", error_ranges, document.runner)
        for one in (self.histogram, self.errors):
            one.fill(LEAST_CHART)
        self.table = FiguresTable("Errors in numbers")
        self.problems = label(wrap=True, small=True)
        self.problems.hide()
        self.order = label(wrap=True, small=True, selectable=True)
        self.more = push_button(act=self._ask_more, explain="collect.simulate")
        self.more.setToolTip("So many would tell them apart, if the errors came out as before")
        self._more = 0
        self._current = False
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
        self._sure = boxes.boxed(boxes.row((self.order, 1), self.more, spacing="s"))
        self._sure.setMinimumHeight(tokens.CONTROL_HEIGHT)  # so that nothing jumps while it is simulated again
        parts = (self.state, self.problems, self._sure, (self.views, 1))
        boxes.column(*parts, margins="0 s 0 0", spacing="xs", inside=self)
        set_explain(self, "collect.simulation")
        self.clear()
        self.show_state("", running=False)

    def show_state(self, key: str, *, running: bool, offer: str = "") -> None:
        """Say whether what is shown belongs to the settings as they stand.

        Parameters
        ----------
        key
            Digest of the settings; see `CollectDesk.key`.
        offer
            What the button for a first simulation says; "" where there can be none now.
        """
        found = self.found
        self._current = not running and found is not None and found.key == key
        self._show_order()
        if running:
            self.state.show_state(Status.INFO, "Simulating… what is finished is shown as it comes.")
        elif found is None:
            self.state.show_state(Status.NEUTRAL, "Nothing was simulated yet.", offer_run=bool(offer), action=offer)
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
        self.found = self._wanted = None
        for combo in (self.protocol, self.error_choice):
            combo.clear()
            combo.hide()
        self.histogram.set_data(None)
        self.errors.set_data(None)
        self.table.show_rows([], [])
        self.problems.hide()
        self._show_order()

    def recommend(self, choice: ProtocolChoice | None) -> None:
        """Mark the protocol that a prediction takes, and begin with it."""
        if choice != self._recommended:
            self._recommended = choice
            if self.found is not None:
                self.show_found(self.found)

    def show_found(self, found: Simulated) -> None:
        """Show what there is, perhaps not all of it yet."""
        self.found = found
        choices = [one.choice for one in found.results]
        self.protocol.clear()
        for choice in choices:
            self.protocol.addItem(marked_words(choice, self._recommended), choice)
        shown = next((one for one in (self._wanted, self._recommended, *choices) if one in choices), None)
        self.protocol.choose(shown)
        self.protocol.setVisible(bool(choices))
        offered = [
            *(self._metrics(found) if found.results or found.baselines else ()),
            *([MEAN] if found.means else ()),
        ]
        if [self.error_choice.itemData(row) for row in range(self.error_choice.count())] != offered:
            chosen = self.error_choice.chosen or self._document.project.collect.rank_by
            self.error_choice.clear()
            for metric in offered:
                self.error_choice.addItem(scale_of(metric).title, metric)
            self.error_choice.choose(chosen)
            self.error_choice.setVisible(bool(offered))
        words = "\n".join(f"{choice.protocol.title}: {text}" for choice, text in found.problems)
        self.problems.setText(words)
        self.problems.setVisible(bool(words))
        self._show_histogram()
        self._show_errors()
        self._show_numbers()
        self._show_order()
        if not found.results and found.means:
            self.views.show_view(1)

    def _metrics(self, found: Simulated) -> tuple[str, ...]:
        encoded = found.asked.encoded
        ordinal = encoded is not None and encoded.domain.ordinal
        return metrics_shown(ordinal=ordinal, chosen=self._document.project.collect.rank_by)

    def _choose_protocol(self, _row: int = 0) -> None:
        chosen = self.protocol.chosen
        self._wanted = chosen if isinstance(chosen, ProtocolChoice) else None
        self._show_histogram()

    def _choose_error(self, _row: int = 0) -> None:
        self._show_errors()
        self._show_order()

    def _ask_more(self) -> None:
        collections = self._more
        self._document.apply(
            "Change the repetitions", lambda session: session.collection.change(repetitions=collections)
        )
        self.run_requested.emit()

    def _show_order(self) -> None:
        """Say what of the order may be chance, once everything is there, and offer what would tell."""
        found, metric = self.found, str(self.error_choice.chosen or "")
        known = found is not None and metric and self._current
        order = simulated_order(found, metric, self._recommended) if found is not None and known else SimulatedOrder()
        self._sure.setVisible(found is not None)
        self.order.setText(order.words)
        self._more = order.more
        self.more.setText(f"Simulate {order.more:,}")
        self.more.setVisible(order.more > 0)

    def _show_histogram(self) -> None:
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

    def _show_errors(self) -> None:
        found, metric = self.found, str(self.error_choice.chosen or "")
        if found is None or not metric:
            self.errors.set_data(None)
            return
        self.errors.set_data(error_chart(found, metric, self._recommended))

    def _show_numbers(self) -> None:
        found = self.found
        assert found is not None
        if found.results or found.baselines is not None:
            # What a mean has, a histogram has not, and the other way round.
            none = ("–", "–") if found.means else ()
            metrics = self._metrics(found)
            rows = [_numbers(one, metrics, none, self._recommended) for one in found.results]
            if found.baselines is not None:
                curator = found.baselines.curator
                rows.append(
                    (
                        "A trusted curator",
                        *(scale_of(metric).cell(curator[metric]) for metric in metrics),
                        *none,
                        rounded_up(self._document.project.collect.epsilon),
                        "–",
                        "–",
                    )
                )
                guess = found.baselines.uniform
                uniform = (estimate(scale_of(metric).factor * guess[metric]) for metric in metrics)
                rows.append(("A uniform guess", *uniform, *none, "0", "–", "–"))
            rows += [_mean_numbers(one, metrics, self._recommended) for one in found.means]
            chance = _chance(found)
            heads = [
                "Protocol",
                *(f"{scale_of(metric).short}{chance}" for metric in metrics[:1]),
                *(f"{scale_of(metric).short}{chance[:2]}" for metric in metrics[1:]),  # of 95 %, too
                *(("Mean", f"Off by{chance[:2]}") if found.means else ()),
                "ε",
                "Bits",
                "Estimator",
            ]
            self.table.show_rows(heads, rows)
            return
        self.table.show_rows(
            ["Protocol", "Mean", f"Off by{_chance(found)}", "Expected", "ε", "Bits"],
            [
                (
                    marked_words(one.choice, self._recommended),
                    estimate(float(one.estimates.mean())),
                    of_tries(one.errors),
                    estimate(one.deviation),
                    rounded_up(one.epsilon),
                    estimate(round(one.bits, 1)),
                )
                for one in found.means
            ],
        )


def error_chart(found: Simulated, metric: str, recommended: ProtocolChoice | None = None) -> ErrorRanges:
    """The errors of one metric, the smallest first, with both baselines."""
    scale = scale_of(metric)
    if metric == MEAN:
        entries = [_range(marked_words(one.choice, recommended), one.errors) for one in found.means]
    else:
        names = [
            with_own_epsilon(marked_words(one.choice, recommended), one.choice, one.epsilon) for one in found.results
        ]
        entries = [
            _range(name, one.errors[metric], scale.factor) for name, one in zip(names, found.results, strict=True)
        ]
        if found.baselines is not None:
            curator, guess = found.baselines.curator[metric], found.baselines.uniform[metric]
            entries.append(_range("A trusted curator", curator, scale.factor, "curator"))
            entries.append(ErrorRange("A uniform guess", *(scale.factor * guess,) * 3, "uniform"))
    return ErrorRanges(
        scale.title if metric == MEAN else scale.of("those asked"), tuple(sorted(entries, key=lambda one: one.mean))
    )


def _range(name: str, errors: SimulationErrors, factor: float = 1.0, role: error_ranges.Role = "local") -> ErrorRange:
    low, high = errors.band
    return ErrorRange(name, factor * errors.mean, factor * low, factor * high, role, of_tries(errors, factor))


def _chance(found: Simulated) -> str:
    """What ± is, behind a heading; "" where a single collection leaves nothing to say of chance."""
    return " ± 95 %" if _repetitions(found) > 1 else ""


def _finished(found: Simulated) -> int:
    return len(found.results) + len(found.means) + len(found.problems)


def _repetitions(found: Simulated) -> int:
    counts = [len(one.errors["l1"].values) for one in found.results] + [len(one.errors.values) for one in found.means]
    return max(counts, default=0)


def _numbers(
    one: FrequencyResult, metrics: tuple[str, ...], means: tuple[str, ...], recommended: ProtocolChoice | None
) -> tuple[str, ...]:
    errors = (scale_of(metric).cell(one.errors[metric]) for metric in metrics)
    estimator = one.estimator if one.postprocess == "none" else f"{one.estimator}, {one.postprocess}"
    return (
        marked_words(one.choice, recommended),
        *errors,
        *means,
        rounded_up(one.epsilon),
        estimate(round(one.bits, 1)),
        estimator,
    )


def _mean_numbers(one: MeanResult, metrics: tuple[str, ...], recommended: ProtocolChoice | None) -> tuple[str, ...]:
    mean, off = estimate(float(np.mean(one.estimates))), of_tries(one.errors)
    bits = estimate(round(one.bits, 1))
    return (
        marked_words(one.choice, recommended),
        *("–" for _ in metrics),
        mean,
        off,
        rounded_up(one.epsilon),
        bits,
        "–",
    )


def _page(control: QWidget, chart: QWidget) -> QWidget:
    """A chart below the one thing that can be chosen about it."""
    control.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    control.setMinimumWidth(tokens.EXPLAIN_WIDTH)
    return boxes.boxed(boxes.column(boxes.row(control, 1), (chart, 1), spacing="s"))
