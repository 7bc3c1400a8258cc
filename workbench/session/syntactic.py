"""The syntactic approach of a project: its settings, searches and results."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import prepare
from workbench.anonymise.recode import Suppressed, apply
from workbench.anonymise.search import evaluate, find_best
from workbench.anonymise.utility import METRICS, MetricChoice
from workbench.core.errors import WorkbenchError
from workbench.core.params import filled
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import permutation, source_for
from workbench.io.writing import WriteReport, write_csv
from workbench.project.loading import Differences, Loaded
from workbench.project.model import Approach, Look, Project, QuestionSettings, ReleaseRecord, digest, hierarchy_digest
from workbench.session.exploring import Surroundings, cheapest_changes
from workbench.session.recoding import Found, Recoded, Refusal, advice, in_words, too_fine
from workbench.session.searching import Question, SearchingSession
from workbench.session.targets import check_target

_REMEMBERED = 2
_LOOK = "syntactic"
"""Stands for every recipe without sampling: whoever saw such a result has looked at the data."""


class SyntacticSession(SearchingSession):
    """A session that keeps a syntactic question, and what was found for it."""

    def __init__(self, project: Project | None = None) -> None:
        super().__init__(project)
        self.found: Found | None = None
        self.around: Surroundings | None = None
        self.recoded: Recoded | None = None
        self._recodings: list[Recoded] = []

    def adopt(self, loaded: Loaded, found: Differences | None = None) -> Differences:
        differences = super().adopt(loaded, found)
        self.found = self.around = self.recoded = None
        self._recodings = []
        return differences

    # Settings

    @property
    def syntactic(self) -> bool:
        """Whether k-anonymity and its relatives are wanted, and not an (ε, δ) release."""
        return self.project.anonymise.approach is Approach.SYNTACTIC

    def set_approach(self, approach: Approach) -> None:
        self._settings(approach=approach)

    def set_models(self, models: Iterable[ModelChoice]) -> None:
        """Choose the privacy models.

        Raises
        ------
        WorkbenchError
            If a model is not known or a parameter is not allowed.
        """
        chosen = tuple(models)
        for choice in chosen:
            choice.checked()
        self._ask(models=chosen)

    def set_metric(self, metric: MetricChoice) -> None:
        """Choose the loss that is to be least.

        Raises
        ------
        WorkbenchError
            If there is no such metric or a parameter is not allowed.
        """
        filled(METRICS[metric.identifier].params, dict(metric.values))
        self._ask(metric=metric)

    def set_suppression_limit(self, limit: float) -> None:
        """Say which share of the rows may be suppressed.

        Raises
        ------
        WorkbenchError
            If it is not between 0 and 1.
        """
        if not 0 <= limit <= 1:
            raise WorkbenchError(
                f"The suppression limit must lie between 0 and 1, not {limit}.",
                hint="0.04 allows 4 % of the rows to be suppressed.",
                field="suppression_limit",
            )
        self._ask(suppression_limit=limit)

    def set_weight(self, name: str, weight: float) -> None:
        """Say how much the loss of a column counts; 1 is the usual weight.

        Raises
        ------
        WorkbenchError
            If it is negative.
        """
        if not weight >= 0:
            raise WorkbenchError(f"The weight of “{name}” must not be negative.", hint="1 is usual.", field=name)
        weights = {n: w for n, w in self.project.anonymise.question.weights.items() if n != name}
        if weight != 1:
            weights[name] = weight
        self._ask(weights=MappingProxyType(weights))

    def set_level_limits(self, name: str, low: int, high: int) -> None:
        """Say between which levels a search may choose for a column.

        Raises
        ------
        WorkbenchError
            If the column's hierarchy has no such levels, or they are not in order.
        """
        height = self.project.hierarchies[name].height if name in self.project.hierarchies else 0
        if not 0 <= low <= high <= height:
            raise WorkbenchError(
                f"The levels of “{name}” cannot be limited to {low} to {high}.",
                hint=f"Its levels run from 0 to {height}; give the smaller number first.",
                field=name,
            )
        limits = {n: limit for n, limit in self.project.anonymise.question.limits.items() if n != name}
        if (low, high) != (0, height):
            limits[name] = (low, high)
        self._ask(limits=MappingProxyType(limits))

    def apply_levels(self, levels: Mapping[str, int]) -> None:
        """Take levels that were found by looking at the data; from now on they do not count as chosen blindly."""
        for name, level in levels.items():
            if name in self.project.hierarchies:
                self.set_level(name, level)
        self.set_levels_blind(False)

    def _ask(self, **changes: Any) -> None:
        asked: QuestionSettings = replace(self.project.anonymise.question, **changes)
        self._settings(question=asked)

    def question(self) -> Question:
        """The question as it now stands. What a model needs as it is, is not generalised."""
        asked, hierarchies = self.project.anonymise.question, self.project.hierarchies
        sensitive = {choice.column for choice in asked.models if choice.column}
        ungrouped = frozenset(sensitive | {choice.subset[0] for choice in asked.models if choice.subset is not None})
        grouped = self.quasi_identifiers().keys() - ungrouped
        return Question(
            models=asked.models,
            metric=asked.metric,
            suppression_limit=asked.suppression_limit,
            weights={name: weight for name, weight in asked.weights.items() if name in grouped},
            limits={name: limit for name, limit in asked.limits.items() if name in grouped},
            sensitive_hierarchies={name: hierarchies[name] for name in sensitive if name in hierarchies},
            ungrouped=ungrouped,
        )

    # Search

    def search_key(self) -> str:
        """Digest of everything the answer to a search depends on."""
        return digest(self._asked())

    def recoding_key(self) -> str:
        """Digest of everything a table at the present levels depends on."""
        asked = self._asked()
        del asked["limits"]
        levels = {name: self._level(name) for name in asked["grouped"]}
        return digest({**asked, "levels": levels, "kept": self._kept(self.question())})

    @property
    def found_is_current(self) -> bool:
        return self.found is not None and self.found.key == self.search_key()

    @property
    def recoded_is_current(self) -> bool:
        return self.recoded is not None and self.recoded.key == self.recoding_key()

    def _asked(self) -> dict[str, Any]:
        question = self.question()
        grouped = {
            name: hierarchy_digest(hierarchy)
            for name, hierarchy in self.quasi_identifiers().items()
            if name not in question.ungrouped
        }
        grouped |= dict.fromkeys(self._grouped_as_they_are(question), "")
        return {
            "data": self.reading.fingerprint,
            "working": self._preparation_key(),
            "models": [(one.identifier, dict(one.values)) for one in question.models],
            "metric": (question.metric.identifier, dict(question.metric.values)),
            "suppression": question.suppression_limit,
            "weights": dict(question.weights),
            "limits": dict(question.limits),
            "sensitive": {name: hierarchy_digest(h) for name, h in question.sensitive_hierarchies.items()},
            "grouped": grouped,
        }

    def _level(self, name: str) -> int:
        return self.project.anonymise.levels.get(name, 0) if name in self.project.hierarchies else 0

    def best_levels_finder(self) -> Callable[[Progress], Found | Refusal]:
        """A search for the best levels, bound together now; call it on any thread.

        What cannot be satisfied is an answer like others: it comes back as a `Refusal`.
        """
        then, question, key = self.snapshot(), self.question(), self.search_key()
        fingerprint = self.reading.fingerprint

        def find(progress: Progress = SILENT) -> Found | Refusal:
            start = time.perf_counter()
            try:
                table = then._prepare(progress.part(0.0, 0.1)).table
                grouped = then._grouped(question, table)
                problem = prepare(
                    table,
                    grouped,
                    question.models,
                    metric=question.metric,
                    suppression_limit=question.suppression_limit,
                    weights=question.weights,
                    limits=question.limits,
                    sensitive_hierarchies=question.sensitive_hierarchies,
                    progress=progress.part(0.1, 0.2),
                )
            except WorkbenchError as error:
                return Refusal(error, key=key, counted=False)
            try:
                found = find_best(
                    problem,
                    effort=question.effort,
                    progress=progress.part(0.2, 0.9),
                    start=start,
                    codes=sum(table[name].codes.nbytes for name in problem.names),
                )
            except WorkbenchError as error:
                top = problem.named(problem.lattice.high)
                changes = cheapest_changes(
                    table, grouped, question, [top], searched=True, progress=progress.part(0.9, 1.0)
                )
                return Refusal(error, changes, key)
            return Found(found, problem, key, fingerprint)

        return find

    def accept_found(self, found: Found) -> None:
        """Take in what a search found, and remember that the data was looked at."""
        self.found, self.around = found, None
        self._looked(found.fingerprint)

    # The table

    def recoder(self) -> Callable[[Progress], Recoded | Refusal]:
        """The table at the present levels, bound together now; call it on any thread."""
        then, question, key = self.snapshot(), self.question(), self.recoding_key()
        fingerprint, kept = self.reading.fingerprint, self._kept(question)

        def recode(progress: Progress = SILENT) -> Recoded | Refusal:
            try:
                table = then._prepare(progress.part(0.0, 0.2)).table
                grouped = then._grouped(question, table)
                levels = {name: then._level(name) for name in grouped}
                problem = prepare(
                    table,
                    grouped,
                    question.models,
                    metric=question.metric,
                    suppression_limit=question.suppression_limit,
                    weights=question.weights,
                    sensitive_hierarchies=question.sensitive_hierarchies,
                    progress=progress.part(0.2, 0.4),
                )
                facts = evaluate(problem, levels)
                if not facts.feasible:
                    changes = cheapest_changes(
                        table, grouped, question, [levels], searched=False, progress=progress.part(0.4, 1.0)
                    )
                    return Refusal(
                        too_fine(facts, problem.rows, problem.most_suppressed), changes, key, searchable=True
                    )
                anonymised = apply(
                    table,
                    grouped,
                    levels,
                    question.models,
                    question.suppression_limit,
                    keep=kept,
                    on_suppressed=Suppressed.MARK,
                    sensitive_hierarchies=question.sensitive_hierarchies,
                    progress=progress.part(0.4, 0.9),
                )
            except WorkbenchError as error:
                return Refusal(error, key=key, counted=False)
            said = advice(problem, table, grouped, question, facts, progress.part(0.9, 1.0))
            return Recoded(anonymised, question, levels, facts, said, table, grouped, key, fingerprint)

        return recode

    def accept_recoded(self, recoded: Recoded) -> None:
        """Take in a table, and remember that the data was looked at."""
        self.recoded = recoded
        self._recodings = [recoded, *self._recodings][:_REMEMBERED]
        self._looked(recoded.fingerprint)

    def recall_recoded(self) -> bool:
        """Take back the table that was made with the settings as they stand, if it is still there."""
        if not self.recoded_is_current:
            key = self.recoding_key()
            self.recoded = next((one for one in self._recodings if one.key == key), self.recoded)
        return self.recoded_is_current

    def current_recoded(self) -> Recoded:
        """The table, if it belongs to the settings as they stand."""
        if self.recoded is None or not self.recoded_is_current:
            raise WorkbenchError(
                "There is no table at these levels yet." if self.recoded is None else "The table is out of date.",
                hint="Anonymise at the present levels first.",
                field="result",
            )
        return self.recoded

    def saw_the_data(self) -> None:
        """Remember that something of the data was seen, such as how many rows fail."""
        self._looked(self.reading.fingerprint)

    def _looked(self, fingerprint: str) -> None:
        # An (ε, δ) claim needs settings that were fixed before anything of the data was seen.
        look = Look(fingerprint, _LOOK)
        if look not in self.project.looks:
            self.project = replace(self.project, looks=(*self.project.looks, look))

    # Release

    def recoded_writer(self, path: Path, *, delimiter: str = ",") -> Callable[[Progress], WriteReport]:
        """Write the kept rows in random order, bound together now; call it on any thread."""
        recoded = self.current_recoded()
        check_target(path, None)
        protected = (Path(self.reading.path), *self._inputs)
        source = source_for(self.project.anonymise.seed)
        if not recoded.rows_out:
            raise WorkbenchError(
                "Every row was suppressed, so there is nothing to release.",
                hint="Choose higher levels, or weaken the models.",
                field="result",
            )

        def write(progress: Progress = SILENT) -> WriteReport:
            released = recoded.released()
            shuffled = released.take(permutation(source, released.rows))
            return write_csv(shuffled, path, delimiter=delimiter, protected=protected, progress=progress)

        return write

    def record_recoded(self, path: Path, recoded: Recoded) -> None:
        """Append the record that a table without a claim left the house. Never undone."""
        record = ReleaseRecord(
            when=datetime.now(UTC).isoformat(timespec="seconds"),
            fingerprint=recoded.fingerprint,
            file=path.name,
            epsilon=0.0,
            delta=0.0,
            beta=0.0,
            k=0,
            claim=False,
            models=", ".join(in_words(choice) for choice in recoded.question.models),
        )
        self.project = replace(self.project, releases=(*self.project.releases, record))
