"""The price of an error: the fewest people or the smallest ε for it, and the protocol with which."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from PySide6.QtWidgets import QBoxLayout, QWidget

from workbench.core.progress import Progress
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.workspaces.collect.answer_card import AnswerCard
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.mean_prediction import MeanPlan
from workbench.ldp.prediction import CollectionPlan
from workbench.ldp.share_margin import MARGIN
from workbench.project.collect_settings import RANKED, CollectSettings
from workbench.session.collection.advice import needing_least
from workbench.session.collection.answered import Answered
from workbench.session.collection.decision import MISPLACED, enough
from workbench.session.collection.mean_decision import MEAN, OF_RANGE, PlannedMean, enough_for_mean, suggested_for_mean
from workbench.session.collection.needed import Suggested, needed, suggested, with_guess
from workbench.session.collection.new_plans import USUAL_GOAL
from workbench.session.collection.results import Planned
from workbench.session.collection.two_answers import names_in
from workbench.session.collection.usual_share import taking
from workbench.session.collection.words import scale_of

PREDICTING = Answered("…", "Predicting")
TARGET_JOB = "collect.target"
_LEAST = "whichever needs least"
_AIMS = {"l1": "Misplaced", MARGIN: "Margin"}
_MEANINGS = {
    "l1": MISPLACED,
    MARGIN: "Margin: how far the estimate of each share is off at most with 95 %, before post-processing.",
}
"""Names of an error to reach, behind its number."""
_USUAL = "± 3 points are usual in polls, which ask about 1,000 people without noise; type what you need"
_Found: TypeAlias = tuple[CollectionPlan | MeanPlan, Answered, Suggested]


class NeededCard(AnswerCard):
    """The error that is to be reached, and what that takes."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        self._document = document
        self._planned: Planned | PlannedMean | None = None
        self._wanted: ProtocolChoice | None = None
        self._suggested: Suggested = ()
        self._low = False
        self._asked: tuple[str, float | None] = ("", None)
        self.target = NumberField(
            "Error to reach",
            minimum=0.0,
            open_minimum=True,
            value=self._settings.target,
            logarithmic=True,
            compact=True,
        )
        self.aim = ElidingComboBox("What is to be reached")
        self.protocol = ElidingComboBox("Protocol that should reach it")
        self.protocol.setMinimumContentsLength(len(_LEAST))
        self.protocol.setMinimumWidth(tokens.COLUMN_MIN)
        by = boxes.row(label("Goal reached by", muted=True), (self.protocol, 1), margins="s 0 0 0", spacing="s")
        self.reach = boxes.boxed(by)
        """Which protocol is to reach it, to be put where protocols are listed."""
        self.goal = label("Goal", muted=True, small=True)
        self.goal.setBuddy(self.aim)
        self._fields = boxes.column(self.goal, (self.aim, 3), (self.target, 2), spacing="hair")
        super().__init__("What it takes", boxes.boxed(self._fields), parent=parent)
        self.target.value_changed.connect(self._take_target)
        self.target.validity_changed.connect(lambda _valid: self._ask())
        self.aim.activated.connect(self._take_aim)
        self.protocol.activated.connect(self._want)
        self.chosen.connect(self._use)
        for field in (self.target, self.aim, self.protocol):
            set_explain(field, "collect.target")

    def set_low(self, low: bool) -> None:
        super().set_low(low)
        self._low = low
        self._offer_found(self._suggested)
        self._fields.setDirection(QBoxLayout.Direction.LeftToRight if low else QBoxLayout.Direction.TopToBottom)
        self.goal.setVisible(not low)

    @property
    def reached(self) -> str:
        """Which error is to be reached: the one that ranks, the margin of each share, or that of a mean."""
        settings = self._settings
        if self._document.session.collection.asks_mean:
            return MEAN
        return settings.rank_by if settings.aim == RANKED else settings.aim

    @property
    def _settings(self) -> CollectSettings:
        return self._document.project.collect

    def refresh(self) -> None:
        """Show what is to be reached; offer the error that ranks, which another setting may have changed."""
        settings = self._settings
        self.aim.clear()
        # First what surveys are planned by.
        mean = self.reached == MEAN
        for metric, aim in ((MARGIN, settings.aim if mean else MARGIN), (settings.rank_by, RANKED)):
            if not (mean and metric != MARGIN):  # of a mean there is one thing to reach
                self.aim.addItem(_AIMS.get(metric, scale_of(metric).title), aim)
        self.aim.choose(settings.aim)
        self._show_unit()
        if self.target.value != settings.target and not self.target.error:
            blocked = self.target.blockSignals(True)
            self.target.set_value(settings.target)
            self.target.blockSignals(blocked)

    def _show_unit(self) -> None:
        # A number that nobody typed says where it comes from.
        usual = self.reached == MARGIN and self._settings.target == USUAL_GOAL
        self.goal.setText("Goal: usual in polls" if usual else "Goal")
        for field in (self.goal, self.aim):
            field.setToolTip(_MEANINGS.get(self.reached, ""))
        self.target.setToolTip(_USUAL if usual else "")
        self.target.set_unit(OF_RANGE if self.reached == MEAN else scale_of(self.reached).unit)

    def follow(self) -> None:
        """Ask again where what is to be reached was changed elsewhere, as by undo."""
        if (self.reached, self.target.value) != self._asked:
            self._ask()

    def offer_protocols(self, choices: Sequence[ProtocolChoice], plan: CollectionPlan | None = None) -> None:
        """Offer these for a target: the one the person wants, else whichever of the recommendable needs least.

        They are named as those of the plan are, where there is one.
        """
        self.protocol.clear()
        self.protocol.addItem(_LEAST, None)
        for choice, name in zip(choices, names_in(choices, plan), strict=True):
            self.protocol.addItem(name, choice)
        self.protocol.choose(self._wanted if self._wanted in choices else None)
        for field in (self.protocol, self.target):
            field.setEnabled(bool(choices))

    def show_nothing(self) -> None:
        """There is no prediction of which it could be asked."""
        self._planned = None
        self._offer_found(())
        self.show_answer(Answered("–", ""))

    def ask(self, planned: Planned | PlannedMean) -> None:
        """Work out what the error takes of what is predicted."""
        self._planned = planned
        self._ask()

    def _ask(self) -> None:
        choice, target, planned = self.protocol.chosen, self.target.value, self._planned
        self._offer_found(())
        if target is None or planned is None:
            self.show_answer(Answered("–", self.target.problem))
            return
        if isinstance(planned, PlannedMean) is not (self.reached == MEAN):
            return  # the prediction of what is asked for now is under way
        self._asked = self.reached, target
        self.show_answer(PREDICTING)
        some = [choice] if isinstance(choice, ProtocolChoice) else []
        if isinstance(planned, PlannedMean):
            work = self._of_mean(planned, some, target)
        else:
            work = self._of_shares(planned, some, target)
        self._document.runner.start(
            "Working out what it takes", work, on_done=self._show_needed, key=TARGET_JOB, latest_wins=True
        )

    def _of_shares(
        self, planned: Planned, some: Sequence[ProtocolChoice], target: float
    ) -> Callable[[Progress], _Found]:
        desk, metric = self._document.session.collection, self.reached
        asked, wanted = some or needing_least(planned, metric), target / scale_of(metric).factor
        # Where a plan is made for shares that are not large, that is what its margin is to be reached for.
        taken = taking(planned, self._settings.protocols) if metric == MARGIN and not some else planned
        fixed = (taken.instead,) if taken.instead is not None else asked
        # A protocol the person names is asked about as it is; one that is looked for may be set for the margin.
        people = needed(desk.people_needed(fixed, metric, wanted, taken.plan, tuned=not some))
        epsilon = needed(desk.epsilon_needed(asked, metric, wanted, taken.plan, tuned=not some))

        def work(progress: Progress) -> _Found:
            found = people(progress), epsilon(progress)
            return planned.plan, enough(taken, *found, metric, wanted), suggested(taken, *found, metric, wanted)

        return work

    def _of_mean(
        self, planned: PlannedMean, some: Sequence[ProtocolChoice], target: float
    ) -> Callable[[Progress], _Found]:
        desk, wanted = self._document.session.collection, planned.in_units(target)
        asked = some or [one.choice for one in planned.means if not one.problem]
        people = needed(desk.people_for_mean(asked, wanted, planned.plan))
        epsilon = needed(desk.epsilon_for_mean(asked, wanted, planned.plan))

        def work(progress: Progress) -> _Found:
            found = people(progress), epsilon(progress)
            return planned.plan, enough_for_mean(planned, *found, wanted), suggested_for_mean(planned, *found, wanted)

        return work

    def _show_needed(self, found: _Found) -> None:
        plan, answer, offered = found
        if self._planned is not None and plan == self._planned.plan:
            self.show_answer(answer)
            self._offer_found(offered)

    def _offer_found(self, offered: Suggested) -> None:
        self._suggested = offered
        self.show_choices([self._said(words, one) for words, one in offered])

    def _said(self, words: str, changes: Mapping[str, float]) -> tuple[str, str]:
        if "epsilon" in changes:
            brief, full = with_guess(words, changes["epsilon"], self._settings.epsilon)
            return words if self._low else brief, full  # in a low window two lines would take that of the chart
        return " ".join(words.split()[:2]), words  # whom the number is of stands above it

    # Editing

    def _use(self, place: int) -> None:
        """The person takes a number that was found."""
        words, changes = self._suggested[place]
        self._document.apply(words, lambda session: session.collection.change(**changes))

    def _want(self, _row: int) -> None:
        chosen = self.protocol.chosen
        self._wanted = chosen if isinstance(chosen, ProtocolChoice) else None
        self._ask()

    def _take_target(self, target: float) -> None:
        self._change("Change the error to reach", "collect target", target=target)

    def _take_aim(self, _row: int) -> None:
        self._change("Change what is to be reached", "", aim=self.aim.chosen)

    def _change(self, words: str, merge: str, **changes: Any) -> None:
        settings = self._settings
        if replace(settings, **changes) != settings:
            self._document.apply(words, lambda session: session.collection.change(**changes), merge=merge)
        self._show_unit()
        self._ask()
