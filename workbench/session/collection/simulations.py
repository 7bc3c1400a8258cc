"""Simulations of a collection, from the true values: a look at the data, refused until `look` has recorded one."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import SeededSource
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.plan import CollectionPlan
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
from workbench.session.collection.inputs import CollectionInputs
from workbench.session.collection.results import Simulated


class CollectionSimulations(CollectionInputs):
    """The answers of the chosen protocols if these people were asked."""

    def simulator(self, partial: Callable[[Simulated], None] | None = None) -> Callable[[Progress], Simulated]:
        """Simulate all chosen protocols, bound together now; call it on any thread.

        Parameters
        ----------
        partial
            Is told after each protocol what there is so far, on the thread that runs this.
        """
        then, key = self._then_looking(), self.key()
        if not self.settings.protocols:
            raise WorkbenchError("No protocol is chosen.", hint="Choose at least one.", field="protocols")

        def simulate(progress: Progress = SILENT) -> Simulated:
            return then._simulate(key, partial, progress)

        return simulate

    def _simulate(self, key: str, partial: Callable[[Simulated], None] | None, progress: Progress) -> Simulated:
        settings = self.settings
        seed = secrets.randbits(31) if settings.seed is None else settings.seed
        asked = self._ask(SeededSource(seed), progress.part(0.0, 0.1))
        encoded, numbers = asked.encoded, asked.numbers
        setting, truth, guesses = None, None, None
        results: list[FrequencyResult] = []
        means: list[MeanResult] = []
        problems: list[tuple[ProtocolChoice, str]] = []
        users, plan = settings.users or 0, None
        if encoded is not None:
            users = settings.users or len(encoded)
            setting = self._setting(max(users, 1), seed)
            apart = self.counts_no_part
            plan = CollectionPlan(max(users, 1), encoded.domain.size, settings.epsilon, apart=apart)
            places = encoded.domain.positions
            guesses = baselines(encoded.counts, setting, positions=places)
            truth = people(encoded.counts, users)
        if encoded is None and numbers is not None:
            users = settings.users or len(numbers)

        def so_far() -> Simulated:
            mean = None if numbers is None else numbers.mean
            return Simulated(
                asked, truth, users, tuple(results), tuple(means), tuple(problems), guesses, mean, seed, key,
                plan, settings.column,
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
                        others=self._others(choice, len(encoded)),
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

    def _others(self, choice: ProtocolChoice, participants: int) -> float | None:
        """How many people report that they take no part for each one who does; None if they report nothing."""
        if not self.attendance(choice).none:
            return None
        return self._without_part(choice, participants) / max(participants, 1)

    def _setting(self, users: int, seed: int) -> SimulationSetting:
        settings = self.settings
        return SimulationSetting(settings.epsilon, users, settings.repetitions, settings.method, seed)
