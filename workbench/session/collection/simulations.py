"""Simulations of a collection: from the true values, which is a look at the data and refused until `look` has recorded
one; or where nobody answered yet on the assumed shares, which is none.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import SeededSource
from workbench.core.settings_json import to_json
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.persons import person_column
from workbench.ldp.plan import CollectionPlan, Shape
from workbench.ldp.prediction import predict, reference
from workbench.ldp.scaling import encode_numbers
from workbench.ldp.simulated_reports import people
from workbench.ldp.simulation import (
    FrequencyResult,
    MeanResult,
    SimulationSetting,
    baselines,
    frequency_choices,
    simulate_frequencies,
    simulate_mean,
)
from workbench.ldp.sweep import Sweep, SweepCell, sweep
from workbench.project.model import digest, preparation_digest
from workbench.session.collection.assumed import (
    assumed_answers,
    assumed_numbers,
    finely,
    first_words,
    places_between,
    shares_words,
    simulated_case,
)
from workbench.session.collection.expected_margins import yes_share
from workbench.session.collection.inputs import CollectionInputs
from workbench.session.collection.mean_baselines import mean_baselines
from workbench.session.collection.results import CollectedQuestion, ForeseenErrors, Simulated
from workbench.session.collection.typed_answers import answers_begun


class CollectionSimulations(CollectionInputs):
    """The answers of the chosen protocols if these people were asked."""

    # What is asked of whom

    def plan(self, users: int | None = None) -> CollectionPlan:
        """The plan of a collection: its settings, with about as many people as there are rows unless a number is set.

        Exactly as many after a look: before it no prediction may tell how many rows there are.

        Raises
        ------
        WorkbenchError
            As `domain`.
        """
        settings, domain = self.settings, self.domain()
        return CollectionPlan(
            users or self._users(),
            domain.size,
            settings.epsilon,
            domain.ordinal,
            settings.shape,
            settings.guess,
            () if domain.positions is None else tuple(domain.positions.tolist()),
            settings.method,
            settings.sampling,
            self.reports_per_person,
            self.counts_no_part,
        )

    def _users(self) -> int:
        """How many are asked, as far as that may be shown."""
        users = self.settings.users
        if self.without_table and not users:
            raise WorkbenchError(
                "It is not said how many people are asked.", hint="Type how many you will ask.", field="users"
            )
        return users or self.shown_rows

    def key(self, *, assumed: bool = False) -> str:
        """Digest of everything a simulation depends on; a result with another one is out of date; "" for none.

        Parameters
        ----------
        assumed
            Of one on assumed shares though there are rows that could answer.
        """
        if assumed and not self.assumes_shares:
            return digest(["assumed beside rows", self._users(), key]) if (key := self.key()) else ""
        project, settings, loaded = self._project, self.settings, self._state.loaded
        schema = project.schema
        if self.without_table:
            return digest(["assumed", to_json(settings.without_aim)]) if answers_begun(settings.encoding) else ""
        if not settings.column or loaded is None or settings.column not in schema.names:
            return ""
        spec = schema[settings.column]
        unit = schema.unit
        return digest(
            [
                loaded.reading.fingerprint,
                to_json(settings.without_aim),
                [spec.kind.value, vars(spec.format), spec.missing, spec.bounds, spec.domain, sorted(spec.observed)],
                preparation_digest(schema, project.preparation, (settings.column, unit.person_column)),
                project.anonymise.seed if project.preparation.random else None,
                [unit.rows_per_person, unit.person_column, person_column(schema, loaded.reading.table)],
            ]
        )

    def key_of(self, found: Simulated | None) -> str:
        """The key that a simulation has if it is not out of date: of assumed shares where it is of such."""
        return self.key(assumed=found is not None and bool(found.assumed))

    @property
    def usual_shares(self) -> str:
        """The shares that people are simulated with where none are declared, in few words; "" where it is not known."""
        return self._shares_of(declared=False)

    @property
    def simulated_shares(self) -> str:
        """The same of the shares that people are simulated with as things are set: those declared, if any are."""
        return self._shares_of(declared=True)

    def yes_share(self, plan: CollectionPlan) -> float:
        """The share of “yes” of a question that is asked so, typed or assumed to be small; 0 of other questions."""
        try:
            domain = self.domain()
        except WorkbenchError:
            return 0.0
        return yes_share(domain, plan) if domain.declared else 0.0

    def _shares_of(self, *, declared: bool) -> str:
        try:
            plan, domain = self.plan(), self.domain()
            plan = plan if declared else replace(plan, shape=Shape.AUTO, guess=())
            return first_words(shares_words(domain, simulated_case(plan, domain)))
        except WorkbenchError:
            return ""

    # Simulating

    def simulator(
        self,
        partial: Callable[[Simulated], None] | None = None,
        *,
        foresee: bool = False,
        assumed: bool = False,
    ) -> Callable[[Progress], Simulated]:
        """Simulate all chosen protocols, bound together now; call it on any thread.

        Parameters
        ----------
        partial
            Is told after each protocol what there is so far, on the thread that runs this.
        foresee
            Whether of assumed shares it is predicted, too, what should come of it.
        assumed
            Whether people with the assumed shares answer, though there are rows that could: no row is looked at.

        Raises
        ------
        WorkbenchError
            If no protocol is chosen; where rows answer, if no look at them is recorded; else as `plan`.
        """
        beside = assumed and not self.assumes_shares
        if beside and any(choice.estimates_mean for choice in self.settings.protocols):
            raise WorkbenchError(
                "Of a mean only the rows are simulated.", hint="Leave out what estimates a mean.", field="protocols"
            )
        made = self._assumed() if beside or self.assumes_shares else None
        then, key = self._then_looking() if made is None else self.snapshot(), self.key(assumed=beside)
        if not self.settings.protocols:
            raise WorkbenchError("No protocol is chosen.", hint="Choose at least one.", field="protocols")

        def simulate(progress: Progress = SILENT) -> Simulated:
            return then._simulate(key, partial, progress, made, foresee=foresee)

        return simulate

    def _assumed(self) -> tuple[CollectedQuestion, CollectionPlan]:
        """The question to people with the assumed shares, and the plan with these."""
        settings, column = self.settings, self._column()
        means = [choice.estimates_mean for choice in settings.protocols]
        encoded, numbers, plan = None, None, None
        if not means or not all(means):
            domain = self.domain()
            plan = simulated_case(self.plan(), domain)
            encoded = assumed_answers(column, domain, plan)
        if any(means):
            # The typed answers or bounds, which are refused as those of a column are.
            bounds = encode_numbers(settings.encoding, self._table[column], self._spec(column)).bounds
            at = None if encoded is None else encoded.domain.positions
            if plan is None or at is None:
                fine = finely(self._users(), settings.epsilon, settings.shape)
                numbers = assumed_numbers(column, bounds, fine, places_between(bounds, fine.domain_size))
                plan = plan or fine
            else:
                numbers = assumed_numbers(column, bounds, plan, at)
        assert plan is not None  # of no protocol at all shares are asked for
        return CollectedQuestion(encoded, numbers, (), self.reports_per_person, ()), plan

    def _simulate(
        self,
        key: str,
        partial: Callable[[Simulated], None] | None,
        progress: Progress,
        assumed: tuple[CollectedQuestion, CollectionPlan] | None,
        *,
        foresee: bool,
    ) -> Simulated:
        settings = self.settings
        seed = secrets.randbits(31) if settings.seed is None else settings.seed
        if assumed is None:
            asked, shares = self._ask(SeededSource(seed), progress.part(0.0, 0.1)), None
        else:
            asked, shares = assumed
        encoded, numbers = asked.encoded, asked.numbers
        setting, truth, guesses, foreseen = None, None, None, None
        results: list[FrequencyResult] = []
        means: list[MeanResult] = []
        problems: list[tuple[ProtocolChoice, str]] = []
        users, plan = settings.users or 0, None
        domain = None if encoded is None else encoded.domain
        if encoded is not None:
            users = settings.users or len(encoded)
            setting = self._setting(max(users, 1), seed)
            apart = self.counts_no_part
            plan = shares or CollectionPlan(max(users, 1), encoded.domain.size, settings.epsilon, apart=apart)
            places = encoded.domain.positions
            guesses = baselines(encoded.counts, setting, positions=places)
            truth = people(encoded.counts, users)
            if foresee and shares is not None:
                foreseen = self._foreseen(shares, encoded.counts, progress.part(0.0, 0.09))
        if encoded is None and numbers is not None:
            users = settings.users or len(numbers)
        beside = None
        if numbers is not None and len(numbers):
            of_mean = self._setting(settings.users or len(numbers), seed)
            beside = mean_baselines(numbers.people, numbers.bounds, of_mean, progress.part(0.09, 0.1))

        def so_far() -> Simulated:
            mean = None if numbers is None else numbers.mean
            return Simulated(
                asked, truth, users, tuple(results), tuple(means), tuple(problems), guesses, mean, seed, key,
                plan, settings.column, "" if shares is None else shares_words(domain, shares),
                None if shares is None else shares.shape, settings.sampling, beside, foreseen,
            )  # fmt: skip

        for number, choice in enumerate(settings.protocols):
            count = len(settings.protocols)
            part = progress.part(0.1 + 0.9 * number / count, 0.1 + 0.9 * (number + 1) / count)
            part(0.0, choice.protocol.title)
            try:
                if choice.estimates_mean:
                    assert numbers is not None
                    low, high = numbers.bounds
                    mean = simulate_mean(
                        choice,
                        numbers.people,
                        self._setting(settings.users or max(len(numbers), 1), seed),
                        half_range=(high - low) / 2,
                        middle=(low + high) / 2,
                        progress=part,
                    )
                    means.append(mean)
                else:
                    assert encoded is not None and setting is not None
                    found = simulate_frequencies(
                        choice,
                        encoded.counts,
                        setting,
                        positions=encoded.domain.positions,
                        others=self._others(choice, len(encoded), assumed=shares is not None),
                        progress=part,
                    )
                    results.append(found)
            except WorkbenchError as error:
                problems.append((choice, str(error)))
            if partial is not None:
                partial(so_far())
        if problems and not results and not means:
            raise WorkbenchError(problems[0][1], field="protocols")
        progress(1.0)
        return so_far()

    def _foreseen(self, case: CollectionPlan, counts: NDArray[np.int64], progress: Progress) -> ForeseenErrors:
        """What is expected of so many people with each answer, by the chosen protocols."""
        plan = replace(case, shape=Shape.OWN, guess=tuple(map(float, counts.tolist())))
        choices = frequency_choices(self.settings.protocols)
        return ForeseenErrors(predict(plan, choices, by=self.settings.rank_by, progress=progress), reference(plan))

    def sweeper(
        self,
        cells: Sequence[SweepCell],
        partial: Callable[[Sweep], None] | None = None,
        choices: Sequence[ProtocolChoice] | None = None,
    ) -> Callable[[Progress], Sweep]:
        """Simulate protocols for counts in every cell, bound together now; call it on any thread.

        Parameters
        ----------
        choices
            Which protocols, None for those that are chosen; of means there is no sweep.
        partial
            Is told after each cell what there is so far, baselines too, on the thread that runs this.
        """
        then = self._then_looking()

        def work(progress: Progress = SILENT) -> Sweep:
            settings = then.settings
            seed = secrets.randbits(31) if settings.seed is None else settings.seed
            swept = frequency_choices(settings.protocols if choices is None else choices)
            asked = then._ask(SeededSource(seed), progress.part(0.0, 0.1), swept)
            assert asked.encoded is not None
            setting = then._setting(max(len(asked.encoded), 1), seed)
            found, people = Sweep((), {}), len(asked.encoded)
            for number, cell in enumerate(cells):
                # What a cell comes to depends on the seed and on itself alone, so they may be taken one by one.
                one = sweep(
                    swept,
                    [cell],
                    asked.encoded.counts,
                    setting,
                    positions=asked.encoded.domain.positions,
                    others=lambda choice: then._others(choice, people),
                    progress=progress.part(0.1 + 0.9 * number / len(cells), 0.1 + 0.9 * (number + 1) / len(cells)),
                )
                found = Sweep((*found.points, *one.points), {**found.baselines, **one.baselines})
                if partial is not None:
                    partial(found)
            progress(1.0)
            return found

        return work

    def _others(self, choice: ProtocolChoice, participants: int, *, assumed: bool = False) -> float | None:
        """How many people report that they take no part for each one who does; None if they report nothing.

        Where shares are assumed nobody is taken to: how many rows there are of such is data.
        """
        if not self.attendance(choice).none or self.assumes_shares:
            return None
        if assumed:
            return 0.0
        return self._without_part(choice, participants) / max(participants, 1)

    def _setting(self, users: int, seed: int) -> SimulationSetting:
        settings = self.settings
        return SimulationSetting(
            settings.epsilon,
            users,
            settings.repetitions,
            settings.method,
            seed,
            settings.sampling,
            self.reports_per_person,
        )
