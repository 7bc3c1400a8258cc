"""Predictions before anybody is asked: the protocol to pick, and the number of people it takes."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.save_chart import SaveChart
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.gui.workspaces.collect.answer_card import AnswerCard, AnswerCards
from workbench.gui.workspaces.collect.assumption_form import AssumptionForm
from workbench.gui.workspaces.collect.chart_room import LEAST_CHART
from workbench.gui.workspaces.collect.needed_card import PREDICTING, NeededCard
from workbench.gui.workspaces.collect.predicted_numbers import PredictedNumbers
from workbench.gui.workspaces.collect.taken_offer import list_it
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.mean_prediction import MeanPlan
from workbench.ldp.predicted_curves import Against, PredictedCurves
from workbench.ldp.prediction import CollectionPlan, Prediction, Shape
from workbench.ldp.share_margin import MARGIN
from workbench.ldp.simulation import frequency_choices
from workbench.plots import error_curves
from workbench.plots.error_curves import ErrorCurves
from workbench.session.collection.advice import brief
from workbench.session.collection.answered import Answered
from workbench.session.collection.captions import predicted_caption
from workbench.session.collection.command import Predicted
from workbench.session.collection.decision import other_for_mean, smoother_of, to_take
from workbench.session.collection.easier import with_easier
from workbench.session.collection.guessing import beats_guessing, shape_of_guess
from workbench.session.collection.listed_once import OtherNames
from workbench.session.collection.margin_decision import margin_beats_guessing, to_take_for_margin
from workbench.session.collection.mean_curves import MeanCurves
from workbench.session.collection.mean_decision import (
    MEAN,
    PlannedMean,
    mean_beats_guessing,
    mean_chart,
    mean_headings,
    mean_lines,
    mean_to_take,
)
from workbench.session.collection.predicted_chart import predicted_chart
from workbench.session.collection.predicted_table import figure_headings, figure_lines, heading_tips
from workbench.session.collection.results import Planned
from workbench.session.collection.usual_share import other_size_words, taking
from workbench.session.collection.words import mean_words, scale_of, with_first

_WHY_OTHER = "People report a noisy number instead of an answer, so other protocols fit than for shares."
PLAN_JOB, CURVES_JOB = "collect.plan", "collect.curves"


class PredictionPage(QWidget):
    """Needs no data beyond how many rows there are, and never sees any.

    Signals
    -------
    ticked(object)
        The person wants a protocol ticked as it is, or unticked.
    """

    ticked = Signal(object)
    sized = Signal(object)
    """The person plans for shares that are not large, by this protocol; or by it, for any share again."""
    recommended = Signal(object)
    """A protocol for counts that is recommended, or None."""

    explained = Signal(object)
    """What people do by a protocol is to be read."""
    asked = Signal(object)
    """Who is asked, as `Asked`."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.planned: Planned | None = None
        self.mean: PlannedMean | None = None
        """The prediction of a mean, where that is asked for."""
        self._wanted_plan: CollectionPlan | MeanPlan | None = None
        self.curves: PredictedCurves | MeanCurves | None = None
        self._recommended: ProtocolChoice | None = None
        self._other_size: ProtocolChoice | None = None
        """The same protocol with sets of the other size, which is offered below it."""
        self._means = False
        """Whether only means are asked for."""
        self.against = ElidingComboBox("Against", [("against ε", "epsilon"), ("against people", "users")])
        self.against.activated.connect(self._ask_curves)
        self.headline = AnswerCard("Take", measured=True)
        self.headline.taken.connect(self._take_offer)
        self.headline.asked.connect(self._explain_taken)
        self.headline.chosen.connect(self._take_other_size)
        self.guessing = AnswerCard("Better than guessing?")
        self.chart = ChartView("Expected error", error_curves, document.runner)
        self.chart.setMinimumHeight(LEAST_CHART)
        self.chart.set_empty_text("Tick a protocol to see how its error falls.")
        self.numbers = PredictedNumbers()
        self.numbers.chosen.connect(self.ticked)
        self.sentence, self.table = self.numbers.sentence, self.numbers.table
        self.needed = NeededCard(document)
        self.target, self.aim, self.protocol = self.needed.target, self.needed.aim, self.needed.protocol
        self.assumption = AssumptionForm(document, lambda: self.needed.reached)
        self.form, self.choices = self.assumption.form, self.assumption.choices
        assumed = self.assumption.assumed
        self.error_choice, self.shape, self.shares = self.form["rank_by"], assumed.shape, assumed.shares
        self._asked: tuple[Any, ...] = ()
        """All that the newest prediction was asked for by."""
        self._aimed: tuple[str, float | None] = ("", None)
        self._lay_out()
        set_explain(self, "collect.prediction")

    def _lay_out(self) -> None:
        self.against.setMinimumContentsLength(len(self.against.currentText()))
        self.target.edit.setMinimumWidth(tokens.CONTROL_HEIGHT)
        self.save = SaveChart(self.chart)
        mark = boxes.boxed(boxes.row(self.needed.reach, self.against, self.save, spacing="xs"))
        self.views = ViewSwitch("What to expect", [(self.chart, "Chart"), (self.numbers, "Numbers")], mark)
        self.views.switched.connect(self._show_fields_of)
        self._show_fields_of(0)
        # What a chart would like to have makes nobody scroll: it takes what there is, from the least on.
        pages = self.views.pages
        pages.setSizePolicy(pages.sizePolicy().horizontalPolicy(), QSizePolicy.Policy.Ignored)
        pages.setMinimumHeight(LEAST_CHART)
        self.cards = AnswerCards(self.headline, self.guessing, self.needed)
        layout = boxes.column(margins="0 s 0 m", spacing="s", inside=self)
        layout.addWidget(self.cards)
        layout.addWidget(self.assumption)
        layout.addWidget(self.views, 1)

    def _show_fields_of(self, view: int) -> None:
        """Show beside the views what the one that is seen depends on."""
        for beside in (self.against, self.save):
            beside.setVisible(view == 0)
        self.needed.reach.setVisible(view == 1)

    def _ask_for_means(self, only: bool) -> None:
        """Hide what is said of shares alone, where a mean is asked for: it has no distribution to guess."""
        self.assumption.setVisible(not only)
        if only is not self._means:
            self.planned = self.mean = self.curves = None
            self._asked, self._wanted_plan = (), None
            for card in (self.headline, self.guessing, self.needed):
                card.start_anew()
        self._means = only

    # Asking

    @property
    def is_current(self) -> bool:
        """Whether what is shown is of the settings as they stand, and not of those before."""
        planned = self.mean if self._means else self.planned
        return planned is not None and planned.plan == self._wanted_plan

    def refresh(self) -> None:
        """Show the settings and predict anew, off the GUI thread."""
        desk = self._document.session.collection
        self._ask_for_means(desk.asks_mean)
        self.needed.refresh()
        self.assumption.refresh()
        plan: CollectionPlan | MeanPlan
        work: Callable[[Progress], Planned | PlannedMean]
        try:
            plan = desk.mean_plan() if self._means else desk.plan()
            work = desk.mean_planner() if self._means else desk.planner()
        except WorkbenchError as error:
            self.show_problem(error)
            return
        if plan != self._wanted_plan:
            self._wanted_plan = plan
            # What another plan came to must not be read as what this one does.
            for card in (self.headline, self.guessing, self.needed):
                card.show_answer(PREDICTING)
            self.chart.setEnabled(False)
        asked = self._asked_by(plan)
        if asked == self._asked and (self.planned or self.mean) is not None:
            self.needed.follow()  # what is to be reached changes no prediction
            if (self.needed.reached, self.target.value) != self._aimed:
                self._show_aim()
            return
        self._asked = asked
        self._document.runner.start(
            "Predicting errors",
            work,
            on_done=self._show_planned,
            on_failed=self._refuse,
            key=PLAN_JOB,
            latest_wins=True,
        )

    def _asked_by(self, plan: CollectionPlan | MeanPlan) -> tuple[Any, ...]:
        """All that a prediction follows from: the settings but for what is to be reached, and how rows are read."""
        project, looked = self._document.project, self._document.session.collection.looked
        return plan, project.collect.without_aim, looked, project.schema, project.preparation, project.data

    def show_problem(self, error: WorkbenchError) -> None:
        """Say why nothing can be predicted."""
        self._ask_for_means(self._document.session.collection.asks_mean)
        self.needed.refresh()
        self.planned = self.mean = self.curves = None
        self._asked, self._wanted_plan = (), None
        self.chart.setEnabled(True)
        # What is lacking of the question is said there, and need not be read twice.
        lacking = error.field in ("bounds", "domain")
        typed = "Say which bounds the numbers have." if self._means else "Say which answers are possible: at least two."
        why = typed if lacking else str(error)
        self._say(Answered("Nothing to predict yet", why))
        self.chart.set_data(None)
        lacks = f"the {'bounds' if self._means else 'answers'} are" if lacking else "that is"
        self.chart.set_empty_text(f"Errors show as soon as {lacks} known.")
        self.table.show_rows([], [])
        self.needed.offer_protocols([])
        self._recommend(None)

    def show_wrong(self, problem: str) -> None:
        """A field holds no number: what the settings before came to must not be read as what it comes to."""
        self._asked, self._wanted_plan = (), None
        self._say(Answered("–", problem))
        self.sentence.setText("")
        self.table.show_rows([], [])
        self.chart.setEnabled(False)

    def _refuse(self, error: BaseException) -> bool:
        self._asked = ()
        if isinstance(error, WorkbenchError):
            self.show_problem(error)
            return True
        return False

    def _show_planned(self, planned: Planned | PlannedMean) -> None:
        of_mean = isinstance(planned, PlannedMean)
        if of_mean is not self._means or self._wanted_plan is None:
            return  # of what was asked for before
        self.planned, self.mean = (None, planned) if isinstance(planned, PlannedMean) else (planned, None)
        self.asked.emit(planned.asked)
        self._show_decision(planned)
        self.needed.ask(planned)

    def _show_mean(self, planned: PlannedMean) -> None:
        """What to expect of a mean, by what is to be reached of it."""
        chosen, best, target = self._document.project.collect.protocols, planned.best, self.target.value
        self._aimed = self.needed.reached, target
        offer, why = list_it(None if best is None else best.choice, chosen)
        taken = mean_to_take(planned, planned.in_units(target or math.inf))
        self.headline.show_answer(replace(taken, means=_WHY_OTHER), offer, why)
        self.guessing.show_answer(mean_beats_guessing(planned))
        self.sentence.setText("" if best is None else f"{_WHY_OTHER} {mean_words(best, planned.unit)}")
        lines = mean_lines(planned)
        ticked = [choice is not None and choice in chosen for choice, _ in lines]
        self.numbers.show_lines(mean_headings(planned), lines, ticked)
        self.needed.offer_protocols([one.choice for one in planned.means if not one.problem])
        self._recommend(None if best is None else best.choice)
        self._ask_curves()

    def _show_decision(self, planned: Planned | PlannedMean) -> None:
        """All that follows from which error is to be reached: one criterion at a time, everywhere the same."""
        if isinstance(planned, PlannedMean):
            self._show_mean(planned)
            return
        reached, chosen = self.needed.reached, self._document.project.collect.protocols
        margins = reached == MARGIN
        planned = taking(planned, chosen) if margins else planned
        if reached != self._aimed[0]:
            for card in (self.headline, self.guessing, self.needed):
                card.start_anew()
        rest = self._show_headline(planned, reached)
        guess = margin_beats_guessing(planned) if margins else beats_guessing(planned, reached)
        self.guessing.show_answer(guess)
        further = () if margins else (rest, guess.rest)
        self.sentence.setText(" ".join(filter(None, (brief(planned, reached), *further))))
        lines = figure_lines(planned, reached)
        ticked = OtherNames(planned.predictions).chosen([choice for choice, _ in lines], chosen)
        tips = {} if margins else heading_tips(planned)
        self.numbers.show_lines(figure_headings(planned, reached), lines, ticked, tips)
        listed = [one for one, _ in planned.by_margin] if margins else planned.predictions
        self.needed.offer_protocols([one.choice for one in listed if not one.problem], planned.plan)
        self._recommend(None if (best := self._taken(planned)) is None else best.choice)
        self._ask_curves()

    def _show_headline(self, planned: Planned, ranked: str) -> str:
        """Show the protocol to take, and the offer to assume that neighbours are alike or to tick that protocol.

        Returns
        -------
        str
            What else is known of it.
        """
        self._aimed = ranked, self.target.value
        best, margins = self._taken(planned), ranked == MARGIN
        settings = self._document.project.collect
        instead = None if margins else smoother_of(planned, ranked)
        if instead is not None and planned.plan.assumed is Shape.WORSE:
            offer = "Assume so"
            why = "Assume a smooth distribution, with which protocols that smooth may be recommended"
        else:
            beside = best if instead is None else instead
            offer, why = list_it(None if beside is None else beside.choice, settings.protocols, planned.plan)
        if margins:
            target = settings.target / scale_of(MARGIN).factor
            yes = self._document.session.collection.yes_share(planned.plan)
            answer = to_take_for_margin(planned, target, yes)
        else:
            answer = to_take(planned, ranked)
        if len(frequency_choices(settings.protocols)) < len(settings.protocols):
            with contextlib.suppress(WorkbenchError):  # of dates and words there is none, which is said where one asks
                desk = self._document.session.collection
                spec = desk.spec()
                also = other_for_mean(desk.predicted_means(), "" if spec is None else spec.unit)
                answer = replace(answer, rest=f"{answer.rest} {also}".strip())
        if best is not None:
            answer = with_easier(answer, planned, best, ranked)
        words, press, self._other_size = other_size_words(planned) if margins else ("", "", None)
        self.headline.show_answer(answer, offer, why)
        self.headline.show_choices([(press, f"{press}: {words}")] if words else [])
        return answer.rest

    def _take_other_size(self, _place: int = 0) -> None:
        if self._other_size is not None:
            self.sized.emit(self._other_size)

    def _taken(self, planned: Planned) -> Prediction | None:
        """Prediction that errs least by what is to be reached."""
        if self.needed.reached == MARGIN:
            narrowest = taking(planned, self._document.project.collect.protocols).narrowest
            return None if narrowest is None else narrowest[0]
        return planned.best[0] if planned.best else None

    def _show_aim(self) -> None:
        """Something else is to be reached: what to take and the chart answer that."""
        planned = self.planned or self.mean
        if planned is not None:
            self.chart.setEnabled(False)  # until it is of the same measure as what is said above it
            self._show_decision(planned)

    def _take_offer(self) -> None:
        planned = self.planned
        if self.mean is not None and self.mean.best is not None:
            self.ticked.emit(self.mean.best.choice)
        if planned is None:
            return
        margins, best = self.needed.reached == MARGIN, self._taken(planned)
        instead = None if margins else smoother_of(planned, self._document.project.collect.rank_by)
        if instead is not None and planned.plan.assumed is Shape.WORSE:
            words = "Assume another distribution"
            self._document.apply(words, lambda session: session.collection.change(shape=Shape.HUMP, guess=()))
        elif (beside := best if instead is None else instead) is not None:
            self.ticked.emit(beside.choice)

    def _recommend(self, choice: ProtocolChoice | None) -> None:
        self._recommended = choice
        self.headline.show_more("" if choice is None else "What people do")
        self.recommended.emit(choice)

    def _explain_taken(self) -> None:
        if self._recommended is not None:
            self.explained.emit(self._recommended)

    def _say(self, answer: Answered) -> None:
        """There is one thing to say, and no decision."""
        self.headline.show_answer(answer)
        self.guessing.show_answer(Answered("–", ""))
        self.needed.show_nothing()
        self.sentence.setText(answer.detail)

    @property
    def predicted(self) -> Predicted | None:
        """Predictions on the page, for a command; None while nothing is predicted."""
        target, planned, mean = self.target.value, self.planned, self.mean
        if target is not None and mean is not None:
            return Predicted(self._shown_means(mean), MEAN, mean.in_units(target))
        if target is None or planned is None:
            return None
        return Predicted(self._shown_protocols(planned), self.needed.reached, target, planned.plan.apart)

    def _shown_protocols(self, planned: Planned) -> tuple[ProtocolChoice, ...]:
        """Those that are ticked, and before them the one to take."""
        found = self._taken(planned)
        chosen = frequency_choices(self._document.project.collect.protocols)
        return with_first(chosen, None if found is None else found.choice)

    def _shown_means(self, mean: PlannedMean) -> tuple[ProtocolChoice, ...]:
        means = tuple(one for one in self._document.project.collect.protocols if one.estimates_mean)
        return with_first(means, None if mean.best is None else mean.best.choice)

    # Curves

    def _ask_curves(self, _row: int = 0) -> None:
        desk = self._document.session.collection
        against: Against = "users" if self.against.chosen == "users" else "epsilon"
        work: Callable[[Progress], PredictedCurves | MeanCurves]
        if self.mean is not None:
            work = desk.mean_curve_planner(against, self._shown_means(self.mean), self.mean.plan)
        elif self.planned is not None:
            shown, margins = self.planned.curves_of(self._shown_protocols(self.planned)), self.needed.reached == MARGIN
            taken = taking(self.planned, self._document.project.collect.protocols) if margins else self.planned
            work = desk.curve_planner(against, shown, taken.plan, tuned=margins)
        else:
            return
        self._document.runner.start(
            "Predicting curves",
            work,
            on_done=self._show_curves,
            on_failed=self._refuse,
            key=CURVES_JOB,
            latest_wins=True,
        )

    def _show_curves(self, curves: PredictedCurves | MeanCurves) -> None:
        if self._wanted_plan is None:  # what stands in the fields now is no plan
            return
        self.curves = curves
        self.chart.setEnabled(True)
        self.chart.set_empty_text("Tick a protocol to see how its error falls.")
        target = self.target.value
        if isinstance(curves, MeanCurves):
            if (mean := self.mean) is not None:
                least, reach = mean.best, None if target is None else mean.in_units(target)
                drawn = mean_chart(curves, mean.unit, None if least is None else least.choice, reach)
                self._draw(drawn, curves.plan, mean.cautions)
            return
        planned = self.planned
        taken = None if planned is None else self._taken(planned)
        best = None if planned is None or taken is None else planned.curve_of(taken.choice)
        guessed = None if planned is None else shape_of_guess(planned, self.needed.reached)
        chart = predicted_chart(curves, self.needed.reached, best, target, guessed)
        cautions = () if planned is None else planned.cautions
        shown = chart if curves.choices and chart.curves else None
        self._draw(shown, curves.plan, cautions, simulated=curves.simulated(self.needed.reached))

    def _draw(
        self,
        chart: ErrorCurves | None,
        plan: CollectionPlan | MeanPlan,
        cautions: Sequence[str],
        *,
        simulated: bool = False,
    ) -> None:
        """Draw it, with what stands below a picture of it."""
        if chart is not None:
            asked = self._document.session.collection.spec()
            name = "" if asked is None else asked.name
            self.chart.say_below(predicted_caption(chart, plan, name, cautions, simulated=simulated))
        self.chart.set_data(chart)
