"""The price of an error: the fewest people or the smallest ε for it, and the protocol with which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QBoxLayout, QWidget

from workbench.core.progress import Progress
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.workspaces.collect.answer_card import AnswerCard
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.prediction import CollectionPlan
from workbench.ldp.share_margin import MARGIN
from workbench.project.collect_settings import RANKED, CollectSettings
from workbench.session.collection.advice import needing_least
from workbench.session.collection.decision import Answered, Suggested, enough, needed, suggested
from workbench.session.collection.results import Planned
from workbench.session.collection.words import protocol_words, scale_of

PREDICTING = Answered("…", "Predicting")
TARGET_JOB = "collect.target"
_LEAST = "whichever needs least"
_AIMS = {"l1": "Misplaced", MARGIN: "Margin"}
"""Names of an error to reach, behind its number."""


class NeededCard(AnswerCard):
    """The error that is to be reached, and what that takes."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        self._document = document
        self._planned: Planned | None = None
        self._wanted: ProtocolChoice | None = None
        self._suggested: Suggested = ()
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
        self._goal = label("Goal", muted=True, small=True)
        self._goal.setBuddy(self.aim)
        self._fields = boxes.column(self._goal, (self.aim, 3), (self.target, 2), spacing="hair")
        super().__init__("What it takes", boxes.boxed(self._fields), parent=parent)
        self.target.value_changed.connect(self._take_target)
        self.aim.activated.connect(self._take_aim)
        self.protocol.activated.connect(self._want)
        self.chosen.connect(self._use)
        for field in (self.target, self.aim, self.protocol):
            set_explain(field, "collect.target")

    def set_low(self, low: bool) -> None:
        super().set_low(low)
        self._fields.setDirection(QBoxLayout.Direction.LeftToRight if low else QBoxLayout.Direction.TopToBottom)
        self._goal.setVisible(not low)

    @property
    def reached(self) -> str:
        """Which error is to be reached: the one that ranks, or the margin of each share."""
        settings = self._settings
        return settings.rank_by if settings.aim == RANKED else settings.aim

    @property
    def _settings(self) -> CollectSettings:
        return self._document.project.collect

    def refresh(self) -> None:
        """Show what is to be reached; offer the error that ranks, which another setting may have changed."""
        settings = self._settings
        self.aim.clear()
        # First what surveys are planned by.
        for metric, aim in ((MARGIN, MARGIN), (settings.rank_by, RANKED)):
            self.aim.addItem(_AIMS.get(metric, scale_of(metric).title), aim)
        self.aim.choose(settings.aim)
        self.target.set_unit(scale_of(self.reached).unit)
        if self.target.value != settings.target and not self.target.error:
            blocked = self.target.blockSignals(True)
            self.target.set_value(settings.target)
            self.target.blockSignals(blocked)

    def follow(self) -> None:
        """Ask again where what is to be reached was changed elsewhere, as by undo."""
        if (self.reached, self.target.value) != self._asked:
            self._ask()

    def offer_protocols(self, choices: Sequence[ProtocolChoice]) -> None:
        """Offer these for a target: the one the person wants, else whichever of the recommendable needs least."""
        self.protocol.clear()
        self.protocol.addItem(_LEAST, None)
        for choice in choices:
            self.protocol.addItem(protocol_words(choice), choice)
        self.protocol.choose(self._wanted if self._wanted in choices else None)
        for field in (self.protocol, self.target):
            field.setEnabled(bool(choices))

    def show_nothing(self) -> None:
        """There is no prediction of which it could be asked."""
        self._planned = None
        self._offer_found(())
        self.show_answer(Answered("–", ""))

    def ask(self, planned: Planned) -> None:
        """Work out what the error takes of what is predicted."""
        self._planned = planned
        self._ask()

    def _ask(self) -> None:
        choice, target, planned = self.protocol.chosen, self.target.value, self._planned
        self._offer_found(())
        if target is None or planned is None:
            self.show_answer(Answered("–", ""))
            return
        metric = self.reached
        self._asked = metric, target
        some = [choice] if isinstance(choice, ProtocolChoice) else needing_least(planned, metric)
        self.show_answer(PREDICTING)
        desk = self._document.session.collection
        wanted = target / scale_of(metric).factor
        # A protocol the person names is asked about as it is; one that is looked for may be set for the margin.
        tuned = not isinstance(choice, ProtocolChoice)
        people = needed(desk.people_needed(some, metric, wanted, planned.plan, tuned=tuned))
        epsilon = needed(desk.epsilon_needed(some, metric, wanted, planned.plan, tuned=tuned))

        def work(progress: Progress) -> tuple[CollectionPlan, Answered, Suggested]:
            found = people(progress), epsilon(progress)
            return planned.plan, enough(planned, *found, metric, wanted), suggested(planned, *found, metric)

        self._document.runner.start(
            "Working out what it takes", work, on_done=self._show_needed, key=TARGET_JOB, latest_wins=True
        )

    def _show_needed(self, found: tuple[CollectionPlan, Answered, Suggested]) -> None:
        plan, answer, offered = found
        if self._planned is not None and plan == self._planned.plan:
            self.show_answer(answer)
            self._offer_found(offered)

    def _offer_found(self, offered: Suggested) -> None:
        self._suggested = offered
        # Whom the number is of stands above it.
        self.show_choices(
            [(words if "epsilon" in one else " ".join(words.split()[:2]), words) for words, one in offered]
        )

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
        self.target.set_unit(scale_of(self.reached).unit)
        self._ask()
