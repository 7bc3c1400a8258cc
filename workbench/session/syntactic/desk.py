"""The syntactic approach of a session: its settings, searches, tables and exports."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.anonymise.outcome import SearchResult, too_fine
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.recode import Anonymised, Suppressed
from workbench.anonymise.search import evaluate, find_best, optimise
from workbench.anonymise.utility import METRICS, MetricChoice
from workbench.core.errors import WorkbenchError
from workbench.core.params import filled
from workbench.core.progress import SILENT, Progress
from workbench.core.settings import declared
from workbench.engines.dispatch import engine_of
from workbench.io.export_format import ExportFormat
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.model import QuestionSettings, digest, hierarchy_digest
from workbench.session.data import DataDesk
from workbench.session.export import Export, Exported, Targets
from workbench.session.export_subject import check_place, export_of
from workbench.session.ledger import LedgerDesk
from workbench.session.release.columns import ColumnsDesk
from workbench.session.state import Desk, SessionState
from workbench.session.syntactic.export import charge_of_recoded, charge_without_claim, export_subject
from workbench.session.syntactic.neighbours import NodeNeighbours, cheapest_changes
from workbench.session.syntactic.question import SyntacticQuestion, question_of
from workbench.session.syntactic.results import (
    Recoded,
    RecodingResult,
    Refusal,
    SyntacticRelease,
    advice,
    as_recoded,
)
from workbench.session.working_table import working_key

_REMEMBERED = 2
_LOOK = "syntactic"
"""Whoever saw a result of privacy models has looked at the data."""


class SyntacticDesk(Desk):
    """k-anonymity and its relatives in a session: what is asked for, searches, tables, and their export.

    None of these gives an (ε, δ) claim: what is released depends on every row.
    """

    def __init__(self, state: SessionState) -> None:
        super().__init__(state)
        self._data, self._ledger, self._columns = DataDesk(state), LedgerDesk(state), ColumnsDesk(state)

    @property
    def found(self) -> RecodingResult | None:
        """The result of the last search, current or not."""
        return self._state.results.found

    @property
    def around(self) -> NodeNeighbours | None:
        """The nodes around it, once they were looked at."""
        return self._state.results.around

    @around.setter
    def around(self, around: NodeNeighbours | None) -> None:
        self._state.results.around = around

    @property
    def recoded(self) -> Recoded | None:
        """The last table at chosen levels, be it current or not."""
        return self._state.results.recoded

    # Settings

    @property
    def wanted(self) -> bool:
        """Whether k-anonymity and its relatives are wanted, and not an (ε, δ) release."""
        return self._project.anonymise.approach is AnonymityKind.SYNTACTIC

    def set_approach(self, approach: AnonymityKind) -> None:
        self._state.change_anonymise(approach=approach)

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

    def set_goal(self, name: str, value: object) -> None:
        """Give a setting of the question another value: one of those whose form is the goal of a search.

        Raises
        ------
        WorkbenchError
            If the value is out of its declared bounds.
        """
        declared(type(self._project.anonymise.question))[name].check(value)
        self._ask(**{name: value})

    def set_suppression_limit(self, limit: float) -> None:
        """Say which share of the rows may be suppressed.

        Raises
        ------
        WorkbenchError
            If it is not between 0 and 1.
        """
        self.set_goal("suppression_limit", limit)

    def set_local_recoding(self, wanted: bool) -> None:
        """Say whether rows that fail the models are generalised further, instead of being suppressed at once."""
        self._ask(local_recoding=wanted)

    def set_weight(self, name: str, weight: float) -> None:
        """Say how much the loss of a column counts; 1 is the usual weight.

        Raises
        ------
        WorkbenchError
            If it is negative.
        """
        if not weight >= 0:
            raise WorkbenchError(f"The weight of “{name}” must not be negative.", hint="1 is usual.", field=name)
        weights = {n: w for n, w in self._project.anonymise.question.weights.items() if n != name}
        if weight != 1:
            weights[name] = weight
        self._ask(weights=MappingProxyType(weights))

    def _ask(self, **changes: Any) -> None:
        asked: QuestionSettings = replace(self._project.anonymise.question, **changes)
        self._state.change_anonymise(question=asked)

    def question(self) -> SyntacticQuestion:
        """The question as it now stands. What a model needs as it is, is not generalised."""
        return question_of(self._project, self._columns.quasi_identifiers())

    # Search

    def searcher(self, question: SyntacticQuestion) -> Callable[[Progress], SearchResult]:
        """Everything a search needs, bound together now; call it on any thread."""
        then = self.snapshot()

        def search(progress: Progress = SILENT) -> SearchResult:
            share = 0.2 if then._data.needs_preparing else 0.0
            table = then._data.prepared_table(progress.part(0.0, share)).table
            return optimise(
                table,
                then._columns.grouping(table, question.ungrouped),
                question.goal,
                effort=question.effort,
                progress=progress.part(share, 1.0),
            )

        return search

    def generaliser(self, question: SyntacticQuestion, levels: Mapping[str, int]) -> Callable[[Progress], Anonymised]:
        """The table at these levels without the rows that fail the models; call it on any thread."""
        then = self.snapshot()
        keep = then._columns.kept()

        def generalise(progress: Progress = SILENT) -> Anonymised:
            grouped = then._columns.grouping(then._data.table, question.ungrouped)
            return question.recode(
                then._data.table, grouped, {**dict.fromkeys(grouped, 0), **levels}, keep, progress=progress
            )

        return generalise

    def search_key(self) -> str:
        """Digest of everything the answer to a search depends on."""
        return digest(self._asked())

    def recoding_key(self) -> str:
        """Digest of everything a table at the present levels depends on."""
        asked, question = self._asked(), self.question()
        if question.local_recoding:
            asked["local"] = True  # Later passes search, so the limits matter.
        else:
            del asked["limits"]
        levels = {name: self._columns.level(name) for name in asked["grouped"]}
        return digest({**asked, "levels": levels, "kept": self._columns.kept()})

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
            for name, hierarchy in self._columns.quasi_identifiers().items()
            if name not in question.ungrouped
        }
        grouped |= dict.fromkeys(self._columns.grouped_as_they_are(question.ungrouped), "")
        return {
            "data": self._data.fingerprint,
            "working": working_key(self._state),
            "models": [(one.identifier, dict(one.values)) for one in question.models],
            "metric": (question.metric.identifier, dict(question.metric.values)),
            "suppression": question.suppression_limit,
            "weights": dict(question.weights),
            "limits": dict(question.limits),
            "sensitive": {name: hierarchy_digest(h) for name, h in question.sensitive_hierarchies.items()},
            "grouped": grouped,
        }

    def best_levels_finder(self) -> Callable[[Progress], RecodingResult | Refusal]:
        """A search for the best levels, bound together now; call it on any thread.

        What cannot be satisfied is an answer like others: it comes back as a `Refusal`.
        """
        then, question, key = self.snapshot(), self.question(), self.search_key()
        fingerprint = self._data.fingerprint

        def find(progress: Progress = SILENT) -> RecodingResult | Refusal:
            start = time.perf_counter()
            try:
                table = then._data.prepared_table(progress.part(0.0, 0.1)).table
                grouped = then._columns.grouping(table, question.ungrouped)
                problem = question.problem(table, grouped, progress.part(0.1, 0.2), limited=True)
            except WorkbenchError as error:
                return Refusal(error, key=key, counted=False)
            try:
                found = find_best(
                    problem,
                    effort=question.effort,
                    progress=progress.part(0.2, 0.9),
                    start=start,
                    codes=table.codes_size(problem.names),
                )
            except WorkbenchError as error:
                top = problem.named(problem.lattice.high)
                changes = cheapest_changes(
                    table, grouped, question, [top], searched=True, progress=progress.part(0.9, 1.0)
                )
                return Refusal(error, changes, key)
            return RecodingResult(found, problem, key, fingerprint)

        return find

    def accept_found(self, found: RecodingResult) -> None:
        """Take in what a search found, and remember that the data was looked at."""
        self._state.results.found, self._state.results.around = found, None
        self._looked(found.fingerprint)

    # The table

    def recoder(self) -> Callable[[Progress], Recoded | Refusal]:
        """The table at the present levels, bound together now; call it on any thread."""
        then, question, key = self.snapshot(), self.question(), self.recoding_key()
        fingerprint, kept = self._data.fingerprint, self._columns.kept()

        def recode(progress: Progress = SILENT) -> Recoded | Refusal:
            try:
                table = then._data.prepared_table(progress.part(0.0, 0.2)).table
                grouped = then._columns.grouping(table, question.ungrouped)
                levels = {name: then._columns.level(name) for name in grouped}
                problem = question.problem(table, grouped, progress.part(0.2, 0.4))
                facts = evaluate(problem, levels)
                if not facts.feasible and not question.local_recoding:
                    changes = cheapest_changes(
                        table, grouped, question, [levels], searched=False, progress=progress.part(0.4, 1.0)
                    )
                    why = too_fine(facts.suppressed, problem.rows, problem.most_suppressed)
                    return Refusal(why, changes, key, searchable=True)
            except WorkbenchError as error:
                return Refusal(error, key=key, counted=False)
            try:
                step = progress.part(0.4, 0.9)
                # Suppressed rows are shown one by one where the rows are in memory.
                shown = (
                    Suppressed.MARK if engine_of(table).shows_suppressed or question.local_recoding else Suppressed.DROP
                )
                anonymised = question.recode(table, grouped, levels, kept, shown, step)
            except WorkbenchError as error:
                step = progress.part(0.9, 1.0)
                changes = cheapest_changes(table, grouped, question, [levels], searched=False, progress=step)
                return Refusal(error, changes, key, searchable=True)
            facts, measured = as_recoded(facts, question, anonymised)
            said = advice(problem, table, grouped, question, facts, progress.part(0.9, 1.0))
            return Recoded(anonymised, measured, levels, facts, said, table, grouped, key, fingerprint)

        return recode

    def accept_recoded(self, recoded: Recoded) -> None:
        """Take in a table, and remember that the data was looked at."""
        self._state.results.recoded = recoded
        self._state.results.recodings = (recoded, *self._state.results.recodings)[:_REMEMBERED]
        self._looked(recoded.fingerprint)

    def recall_recoded(self) -> bool:
        """Take back the table that was made with the settings as they stand, if it is still there."""
        if not self.recoded_is_current:
            key = self.recoding_key()
            known = (one for one in self._state.results.recodings if one.key == key)
            self._state.results.recoded = next(known, self.recoded)
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

    def saw_the_data(self, *, lasting: bool = False) -> None:
        """Remember that something of the data is seen, such as how many rows fail, or how far a search came.

        Parameters
        ----------
        lasting
            Whether it must stand in the ledger, because nobody will save the project.

        Raises
        ------
        WorkbenchError
            If it must last and cannot be written.
        """
        self._looked(self._data.fingerprint, lasting=lasting)

    def _looked(self, fingerprint: str, *, lasting: bool = False) -> None:
        # An (ε, δ) claim needs a draw that was settled before anything of the data was seen.
        self._ledger.looked(fingerprint, _LOOK, lasting=lasting)

    # Release

    def recoded_writer(
        self,
        path: Path,
        statement: Path | None = None,
        *,
        style: ExportFormat | None = None,
        note: Path | None = None,
        parts: bool = False,
        force: bool = False,
        look_later: bool = False,
    ) -> Export:
        """Write the kept rows in canonical form, bound together now; call it on any thread.

        Parameters as in `exporter`.

        Raises
        ------
        WorkbenchError
            If there is no current table or nothing is left of it, or the names cannot be used.
        """
        recoded = self.current_recoded()
        if not recoded.rows_out:
            raise WorkbenchError(
                "Every row was suppressed, so there is nothing to release.",
                hint="Choose higher levels, or weaken the models.",
                field="result",
            )
        targets = Targets(path, style or ExportFormat.of(path), statement, note, parts, force)
        check_place(self._state, targets, recoded.key, look_later=look_later)
        ledger = self._ledger.of(recoded.fingerprint)
        charge = charge_of_recoded(path, recoded)
        subject = export_subject(recoded.anonymised, recoded.described(), recoded.table, ledger, charge, recoded.key)
        return export_of(self._state, subject, targets)

    def record_recoded(self, path: Path, recoded: Recoded, exported: Exported | None = None) -> None:
        """Take into the project that a table without a claim left the house, which the ledger knows. Never undone."""
        if exported is not None:
            self._state.results.wrote(recoded.key, exported)
        self._ledger.of(recoded.fingerprint).charge(charge_of_recoded(path, recoded))
        self._ledger.copy_into_project(recoded.fingerprint)

    def write_anonymised(
        self,
        question: SyntacticQuestion,
        levels: Mapping[str, int],
        anonymised: Anonymised,
        path: Path,
        statement: Path | None = None,
        *,
        style: ExportFormat | None = None,
        note: Path | None = None,
        parts: bool = False,
        force: bool = False,
        progress: Progress = SILENT,
    ) -> Exported:
        """Write the kept rows in canonical form, and record that they left the house without a claim.

        Raises
        ------
        WorkbenchError
            If the file or the record cannot be written.
        """
        described = SyntacticRelease.of(
            question, self._columns.grouping(self._data.table, question.ungrouped), levels, anonymised
        )
        charge = charge_without_claim(path, self._data.fingerprint, question)
        targets = Targets(path, style or ExportFormat.of(path), statement, note, parts, force)
        check_place(self._state, targets, "")
        subject = export_subject(anonymised, described, self._data.table, self._ledger.current, charge)
        return export_of(self._state, subject, targets)(progress)
