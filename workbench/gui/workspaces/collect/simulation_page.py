"""Results of a simulation: the estimate over the truth, the errors with their spread, and all numbers."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import small_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.result_state import ResultState
from workbench.gui.widgets.save_chart import SaveChart
from workbench.gui.widgets.save_numbers import SaveNumbers
from workbench.gui.widgets.status import Status
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.gui.workspaces.collect.assumed_shares import AssumedShares
from workbench.gui.workspaces.collect.chart_room import LEAST_CHART
from workbench.gui.workspaces.collect.figures_table import FiguresTable
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.plan import Shape
from workbench.ldp.share_margin import MARGIN
from workbench.plots import error_ranges, estimated_counts
from workbench.session.collection.assumed import first_words
from workbench.session.collection.captions import (
    beside_answers,
    errors_caption,
    histogram_caption,
)
from workbench.session.collection.errors_chart import error_chart
from workbench.session.collection.estimated_charts import simulated_chart
from workbench.session.collection.mean_decision import MEAN
from workbench.session.collection.results import Planned, Simulated
from workbench.session.collection.simulated_order import (
    SimulatedOrder,
    beside_the_goal,
    not_simulated,
    simulated_order,
    why_taken,
)
from workbench.session.collection.simulated_table import (
    assumed_beside,
    beside_predicted,
    comparable,
    numbers_csv,
    repetitions,
    simulated_table,
)
from workbench.session.collection.two_answers import names_in, titled
from workbench.session.collection.words import (
    CURATOR,
    CURATOR_IN_TABLES,
    metrics_shown,
    scale_of,
    short_names,
)

_NUMBERS = 2
"""The view that is a table."""
_LONGEST, _LINES = 1900, 4
"""What is said of the order of the protocols is about so wide in one line, and gets at most so many without jumping."""
_WOULD_TELL = "So many would tell them apart, if the errors came out as before"
_MAY_TELL = "More collections tell more, though perhaps not all of them apart"
_AFTER_ONE = "As many as is usual: one shows nothing of how far chance moves an error"


class SimulationPage(QWidget):
    """For the analyst only where rows answer, as everything is computed from true values; on assumed shares it is not.

    Signals
    -------
    run_requested()
        The person wants a simulation with the settings as they stand.
    """

    run_requested = Signal()
    recommended_wanted = Signal(object)
    """The protocol to take is to be simulated, too."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.found: Simulated | None = None
        self.state = ResultState("Simulate again")
        self.state.run_requested.connect(self.run_requested)
        # Two lines of what was simulated, or a button.
        self.state.setMinimumHeight(tokens.CONTROL_HEIGHT + tokens.SPACE_S + tokens.SPACE_HAIR)
        self.assumed = AssumedShares(self, document, self._undeclared)
        self.assumed.changed.connect(self._show_shares)
        self.assumed.shape.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        words = label("Shares assumed, or your own")
        words.setBuddy(self.assumed.shape)
        chosen = boxes.row(words, (self.assumed.shape, 1), spacing="s")
        self.whose = boxes.boxed(boxes.column(chosen, self.assumed.shares, spacing="xs"))
        set_explain(self.whose, "collect.shape")
        self.protocol = ElidingComboBox("Protocol that is shown")
        self.protocol.activated.connect(self._choose_protocol)
        self._wanted: ProtocolChoice | None = None
        """The protocol whose histogram the person chose."""
        self._recommended: ProtocolChoice | None = None
        self._beside: Planned | None = None
        """The prediction with the settings that were simulated."""
        self._newest: Planned | None = None
        self.histogram = ChartView("Estimate and truth", estimated_counts, document.runner)
        self.error_choice = ComboBox("Error that is shown")
        self.error_choice.activated.connect(self._choose_error)
        self.errors = ChartView("Errors of the protocols", error_ranges, document.runner)
        for one in (self.histogram, self.errors):
            one.fill(LEAST_CHART)
        self.table = FiguresTable("Errors in numbers")
        self.save = SaveNumbers("Errors in numbers", "simulated_errors", document.runner)
        self.problems = label(wrap=True, small=True)
        self.problems.hide()
        self.order = label(wrap=True, small=True, selectable=True)
        self.more = push_button(act=self._ask_more, explain="collect.simulate")
        self.take = push_button("Simulate it", self._ask_recommended, explain="collect.simulate")
        self._more = 0
        self._current = False
        for part in (self.histogram, self.errors, self.save):
            part.noted.connect(document.noted)
        self.badge = analyst_badge()
        self.views = ViewSwitch(
            "What the simulation showed",
            [
                (_page(self.protocol, self.histogram), "Histogram"),
                (_page(self.error_choice, self.errors), "Errors"),
                (self.table, "Numbers"),
            ],
            boxes.boxed(boxes.row(self.badge, self.save, spacing="xs")),
        )
        self.views.switched.connect(lambda view: self.save.setVisible(view == _NUMBERS))
        self.save.hide()
        self._sure = boxes.boxed(boxes.row((self.order, 1), self.take, self.more, spacing="s"))
        parts = (self.whose, self.state, self.problems, self._sure, (self.views, 1))
        boxes.column(*parts, margins="0 s 0 m", spacing="xs", inside=self)
        set_explain(self, "collect.simulation")
        self.clear()
        self.show_state("", running=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # So many lines, needed or not: the views below must not jump when words come, nor while it is simulated again.
        lines = math.ceil(_LONGEST / max(self.width(), 1))
        room = min(lines, _LINES) * QFontMetrics(small_font()).lineSpacing()
        self._sure.setMinimumHeight(max(room, tokens.CONTROL_HEIGHT))

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
        self._show_whose()
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
            shares = f"Assumed: {found.assumed}{assumed_beside(found)}. " if found.assumed else ""
            drawn = ", with sampling error" if found.sampled else ""
            words = (
                f"{shares}{found.users:,} people, {repetitions(found):,} collections each{drawn}, seed {found.seed}."
            )
            self.state.show_state(Status.SUCCESS, " ".join(filter(None, (words, beside_answers(found)))))

    def _show_whose(self) -> None:
        """Say of whom it is: of true rows, which is for the analyst, or of people with assumed shares."""
        assumes, found = self._document.session.collection.assumes_shares, self.found
        asks_mean = self._document.session.collection.asks_mean if found is None else bool(found.means)
        self.whose.setVisible((assumes if found is None else bool(found.assumed)) and not asks_mean)
        self.assumed.refresh()
        self._show_shares()
        self.badge.setVisible(not (assumes if found is None else found.assumed))
        whom = "people with assumed shares, beside those shares" if assumes else "these rows, beside the truth"
        for chart in (self.histogram, self.errors):
            chart.set_empty_text(f"Simulate to see what the protocols would have estimated from {whom}.")

    def ask_shares(self) -> None:
        """Let the person choose, or type, the shares that are assumed."""
        (self.assumed.shares if self.assumed.own else self.assumed.shape).setFocus()
        if not self.assumed.own:
            self.assumed.shape.showPopup()

    def _show_shares(self) -> None:
        self.assumed.shares.setVisible(self.assumed.own)

    def _undeclared(self) -> str:
        usual = self._document.session.collection.usual_shares
        return usual[:1].upper() + usual[1:] or Shape.AUTO.words

    def assumed_now(self) -> str:
        """The shares that were simulated, in few words, as long as the settings are the same; "" for none."""
        found = self.found
        if found is None or found.means or self._document.session.collection.key_of(found) != found.key:
            return ""
        return first_words(found.assumed)

    def clear(self) -> None:
        """Forget what was simulated, because the data is another."""
        self.found = self._wanted = self._beside = None
        for combo in (self.protocol, self.error_choice):
            combo.clear()
            combo.hide()
        self.histogram.set_data(None)
        self.errors.set_data(None)
        self.table.show_rows([], [])
        self.save.hold("")
        self.problems.hide()
        self._show_order()

    def recommend(self, choice: ProtocolChoice | None) -> None:
        """Mark the protocol that a prediction takes, and begin with it."""
        if choice != self._recommended:
            self._recommended = choice
            if self.found is not None:
                self.show_found(self.found)

    def predict(self, planned: Planned | None) -> None:
        """Show a prediction beside what was simulated with the same settings; that of others comes with them."""
        self._newest = planned
        found = self.found
        if found is not None and planned is not None and found.key == self._document.session.collection.key_of(found):
            self._beside = planned
            self._offer_errors(found)
            self._show_errors()
            self._show_numbers()
            self._show_order()

    def show_found(self, found: Simulated) -> None:
        """Show what there is, perhaps not all of it yet."""
        if found.key == self._document.session.collection.key_of(found):
            self._beside = self._newest
        elif self.found is None or self.found.key != found.key:
            self._beside = None
        self.found = found
        choices = [one.choice for one in found.results]
        self.protocol.clear()
        for choice, name in zip(choices, names_in(choices, found.plan, self._recommended), strict=True):
            self.protocol.addItem(name, choice)
        shown = next((one for one in (self._wanted, self._recommended, *choices) if one in choices), None)
        self.protocol.choose(shown)
        self.protocol.setVisible(bool(choices))
        self._offer_errors(found)
        words = "\n".join(f"{self._title(found, choice)}: {text}" for choice, text in found.problems)
        self.problems.setText(words)
        self.problems.setVisible(bool(words))
        self._show_histogram()
        self._show_errors()
        self._show_numbers()
        self._show_order()
        if not found.results and found.means:
            self.views.show_view(1)

    def _offer_errors(self, found: Simulated) -> None:
        """Offer the errors there are; where the goal became another one, that by which it is reached is shown."""
        offered = [
            *(self._metrics(found) if found.results or found.baselines else ()),
            *([MEAN] if found.means else ()),
        ]
        before = [self.error_choice.itemData(row) for row in range(self.error_choice.count())]
        if before == offered:
            return
        new_goal = offered[:1] == [MARGIN] and MARGIN not in before
        chosen = MARGIN if new_goal else self.error_choice.chosen or self._document.project.collect.rank_by
        self.error_choice.clear()
        for metric in offered:
            self.error_choice.addItem(scale_of(metric).in_full, metric)
        self.error_choice.choose(chosen if chosen in offered else next(iter(offered), None))
        self.error_choice.setVisible(bool(offered))

    def _metrics(self, found: Simulated) -> tuple[str, ...]:
        """The errors of shares, first the one that is to be reached."""
        encoded, settings = found.asked.encoded, self._document.project.collect
        ordinal = encoded is not None and encoded.domain.ordinal
        margin = settings.aim == MARGIN and any(one.margin is not None for one in found.results)
        return (*([MARGIN] * margin), *metrics_shown(ordinal=ordinal, chosen=settings.rank_by))

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

    def _ask_recommended(self) -> None:
        self.recommended_wanted.emit(self._recommended)

    def _show_order(self) -> None:
        """Say what of the order may be chance, once everything is there, and offer what would tell."""
        found, metric = self.found, str(self.error_choice.chosen or "")
        known, best = found is not None and metric and self._current, self._recommended
        order = SimulatedOrder()
        if found is not None and known:
            why = why_taken(self._document.project.collect, str(metric), found, self._beside)
            order = simulated_order(found, str(metric), best, why)
        beside = "" if found is None else beside_predicted(found, comparable(self._beside, found), str(metric), best)
        goal = ""
        if found is not None and known:
            goal = beside_the_goal(self._document.project.collect, str(metric), found, self._beside, best)
        missing = not_simulated(found, best) if found is not None and known else ""
        self.order.setText(" ".join(filter(None, (missing, order.words, beside if self._current else "", goal))))
        self.take.setVisible(bool(missing))
        self._more = order.more
        self.more.setText(f"Simulate {order.more:,}")
        self.more.setVisible(order.more > 0)
        once = found is not None and repetitions(found) == 1
        self.more.setToolTip(_AFTER_ONE if once else _WOULD_TELL if order.tells else _MAY_TELL)

    def _show_histogram(self) -> None:
        found, choice = self.found, self.protocol.chosen
        if found is None or found.asked.encoded is None or not isinstance(choice, ProtocolChoice):
            self.histogram.set_data(None)
            return
        result = next(one for one in found.results if one.choice == choice)
        name = self._name(found, choice)
        chart = simulated_chart(found, result, name, self._axis(found.column))
        self.histogram.say_below(histogram_caption(name, chart, result, found))
        self.histogram.set_data(chart)

    def _name(self, found: Simulated, choice: ProtocolChoice) -> str:
        """What the protocol is called among those that were simulated."""
        choices = [one.choice for one in found.results]
        return names_in(choices, found.plan)[choices.index(choice)]

    @staticmethod
    def _title(found: Simulated, choice: ProtocolChoice) -> str:
        return choice.protocol.title if found.plan is None else titled(choice, found.plan)

    def _axis(self, column: str) -> str:
        project = self._document.project
        unit = project.schema[column].unit if column in project.schema.names else ""
        return f"{column} ({unit})" if unit else column

    def _show_errors(self) -> None:
        found, metric = self.found, str(self.error_choice.chosen or "")
        if found is None or not metric:
            self.errors.set_data(None)
            return
        chart = error_chart(found, metric, self._recommended)
        self.errors.say_below(errors_caption(chart, found))
        self.errors.set_data(chart)

    def _show_numbers(self) -> None:
        found = self.found
        assert found is not None
        metrics = self._metrics(found)
        epsilon = self._document.project.collect.epsilon
        by = MARGIN if MARGIN in metrics else self._document.project.collect.rank_by
        numbers = simulated_table(found, metrics, epsilon, self._recommended, comparable(self._beside, found), by)
        self.save.hold(numbers_csv(numbers))
        choices = [one.choice for one in found.results] + [one.choice for one in found.means]
        names = names_in(choices, found.plan, self._recommended)
        short = {name: short_names(choice, name) for name, choice in zip(names, choices, strict=True)}
        self.table.shorten({**short, CURATOR: CURATOR_IN_TABLES})
        self.table.show_rows(numbers.headings, numbers.lines, numbers=numbers.numbers)
        self.table.explain_headings(numbers.tips)


def _finished(found: Simulated) -> int:
    return len(found.results) + len(found.means) + len(found.problems)


def _page(control: QWidget, chart: ChartView) -> QWidget:
    """A chart below the one thing that can be chosen about it."""
    control.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    control.setMinimumWidth(tokens.EXPLAIN_WIDTH)
    return boxes.boxed(boxes.column(boxes.row(control, 1, SaveChart(chart)), (chart, 1), spacing="s"))
