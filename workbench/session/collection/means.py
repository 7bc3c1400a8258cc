"""Shares or a mean: which of the two is asked for, and what to expect of a mean, from numbers alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import EncodingKind, public_bounds
from workbench.ldp.mean_prediction import (
    MeanPlan,
    MeanPrediction,
    every_mean,
    fewest_for_mean,
    least_epsilon_for_mean,
    planned_means,
)
from workbench.ldp.predicted_curves import Against
from workbench.ldp.simulation import frequency_choices
from workbench.project.collect_settings import CollectSettings
from workbench.session.collection.inputs import ASSUMED
from workbench.session.collection.mean_curves import MeanCurves, curator_mean_margin, mean_curves
from workbench.session.collection.mean_decision import PlannedMean
from workbench.session.collection.simulations import CollectionSimulations
from workbench.session.collection.typed_answers import PLANNED_NUMBERS
from workbench.session.state import AskedSide

_USUAL = CollectSettings()
FOR_MEANS = tuple(map(ProtocolChoice, ("pm", "hm", "duchi")))
"""Protocols that a mean is first asked for by."""


class CollectionMeans(CollectionSimulations):
    """The collection of a session as far as it is about a mean."""

    # Shares or a mean

    @property
    def asks_mean(self) -> bool:
        """Whether a mean is asked for alone, and not the shares of the answers."""
        chosen = self.settings.protocols
        return not frequency_choices(chosen) if chosen else self._state.asked_before.mean

    @property
    def can_ask_mean(self) -> bool:
        """Whether what is asked about may have a mean: a column of numbers, or answers that are still to be typed."""
        spec = self.spec()
        return spec is not None and (self.without_table or spec.kind.numeric)

    def ask_for(self, *, mean: bool) -> CollectSettings:
        """Ask for a mean, or for the shares of the answers; what was chosen for it before is there again.

        Values and bounds that were typed both stay, whichever of them is needed.

        Raises
        ------
        WorkbenchError
            If what is asked about has no mean.
        """
        settings, before = self.settings, self._state.asked_before
        if mean and not self.can_ask_mean:
            raise WorkbenchError(
                "What is asked about holds no numbers, so it has no mean.",
                hint="Choose a column of numbers.",
                field="column",
            )
        if mean is self.asks_mean:
            return settings
        fitting, rest = (
            tuple(one for one in settings.protocols if one.estimates_mean is wanted) for wanted in (mean, not mean)
        )
        before.sides[not mean] = AskedSide(rest, settings.encoding.how, settings.target)
        usual = AskedSide(FOR_MEANS if mean else _USUAL.protocols, settings.encoding.how, _USUAL.target)
        back, before.mean = before.sides.get(mean, usual), mean
        changes: dict[str, Any] = {"protocols": fitting or back.protocols or usual.protocols, "target": back.target}
        if self.without_table:
            how = back.how
            if mean and how not in PLANNED_NUMBERS:
                how = EncodingKind.BINS
            changes["encoding"] = replace(settings.encoding, how=how)
        return self._change(**changes)

    # Predicting

    def mean_plan(self) -> MeanPlan:
        """The plan of a collection for a mean: its settings, and about as many people as there are rows, as of `plan`.

        Raises
        ------
        WorkbenchError
            If the column is not numeric or has no public bounds, or it is not said how many people are asked.
        """
        settings, name = self.settings, self._column()
        spec = self._spec(name)
        if not spec.kind.numeric:
            raise WorkbenchError(
                f"“{name}” holds no numbers, so it has no mean.", hint="Choose a column of numbers.", field="column"
            )
        bounds, _ = public_bounds(settings.encoding, self._table[name], spec)
        if self.without_table and not settings.users:
            raise WorkbenchError(
                "It is not said how many people are asked.", hint="Type how many you will ask.", field="users"
            )
        asked = settings.users or self.shown_rows
        return MeanPlan(asked, settings.epsilon, bounds, settings.sampling, self.reports_per_person)

    def predicted_means(self) -> tuple[MeanPrediction, ...]:
        """The expected errors of every protocol for means, and of the chosen ones as they are. Quick.

        Raises
        ------
        WorkbenchError
            As `mean_plan`.
        """
        return planned_means(self.mean_plan(), self._mean_choices())

    def mean_planner(self, *, every: bool = True) -> Callable[[Progress], PlannedMean]:
        """Predict the errors of every protocol for a mean, or of the chosen ones only; call it on any thread.

        Raises
        ------
        WorkbenchError
            As `mean_plan`.
        """
        plan, then, settings = self.mean_plan(), self.snapshot(), self.settings
        spec = self.spec()
        unit, counted = "" if spec is None else spec.unit, settings.users is None
        choices = self._mean_choices()
        if not every:
            choices = tuple(choice for choice in choices if choice in settings.protocols)
        cautions = () if self._bounds_declared else (ASSUMED,)
        if counted:
            cautions = (*cautions, *self._counted_words())

        def work(progress: Progress = SILENT) -> PlannedMean:
            users = then._shown(then._reporting(then._table.rows)) if counted else plan.users
            asked = replace(plan, users=users)
            found, curator = planned_means(asked, choices), curator_mean_margin(asked)
            progress(1.0)
            return PlannedMean(asked, found, curator, unit, then._asked(asked), cautions)

        return work

    @property
    def _bounds_declared(self) -> bool:
        """Whether the bounds are declared or typed, and not those of the data."""
        name = self._column()
        return public_bounds(self.settings.encoding, self._table[name], self._spec(name))[1]

    def _mean_choices(self) -> tuple[ProtocolChoice, ...]:
        """Every protocol for means, the chosen ones as they are."""
        chosen = [choice for choice in self.settings.protocols if choice.estimates_mean]
        known = {choice.identifier for choice in chosen}
        return (*chosen, *(choice for choice in every_mean() if choice.identifier not in known))

    def mean_curve_planner(
        self, against: Against, choices: Sequence[ProtocolChoice], plan: MeanPlan
    ) -> Callable[[Progress], MeanCurves]:
        """Predict the margin of a mean by some protocols against ε or people; call it on any thread."""

        def work(progress: Progress = SILENT) -> MeanCurves:
            return mean_curves(plan, choices, against, progress)

        return work

    def people_for_mean(
        self, choices: Sequence[ProtocolChoice], target: float, plan: MeanPlan
    ) -> Callable[[Progress], tuple[int, ProtocolChoice]]:
        """The smallest number of people for a 95 % margin of a mean, and the protocol it takes; call it on any thread.

        Parameters
        ----------
        target
            In units of the column.
        """
        return partial(fewest_for_mean, plan, choices, target)

    def epsilon_for_mean(
        self, choices: Sequence[ProtocolChoice], target: float, plan: MeanPlan
    ) -> Callable[[Progress], tuple[float, ProtocolChoice]]:
        """The smallest ε for a 95 % margin of a mean, and the protocol it takes, as of `people_for_mean`."""
        return partial(least_epsilon_for_mean, plan, choices, target)
