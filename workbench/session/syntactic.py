"""The syntactic approach of a project: its settings, searches and results."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from workbench.anonymise.privacy import in_words
from workbench.anonymise.problem import prepare
from workbench.anonymise.recode import Anonymised, Suppressed
from workbench.anonymise.search import evaluate, find_best
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table
from workbench.io.export_format import ExportFormat
from workbench.project.loading import Differences, Loaded
from workbench.project.model import Project, ReleaseRecord, digest, hierarchy_digest
from workbench.query.ledger import Charge, Ledger, LeftFile
from workbench.session.exploring import Surroundings, cheapest_changes
from workbench.session.exporting import Exported, Leaving, Targets
from workbench.session.questioning import AskingSession
from workbench.session.recoding import Found, Recoded, Refusal, SyntacticRelease, advice, as_recoded, too_fine
from workbench.session.searching import Question
from workbench.session.standing import Mark

_REMEMBERED = 2
_LOOK = "syntactic"
"""Stands for every recipe without sampling: whoever saw such a result has looked at the data."""


class SyntacticSession(AskingSession):
    """A session that searches, makes the table, and keeps what was found."""

    def __init__(self, project: Project | None = None) -> None:
        super().__init__(project)
        self.found: Found | None = None
        self.around: Surroundings | None = None
        self.recoded: Recoded | None = None
        self._recodings: list[Recoded] = []
        self.exported: dict[str, Exported] = {}
        """What left the house since the data was opened, by what it was made from."""
        self._written: dict[str, dict[Path, Mark]] = {}

    def adopt(self, loaded: Loaded, found: Differences | None = None) -> Differences:
        differences = super().adopt(loaded, found)
        self.found = self.around = self.recoded = None
        self._recodings = []
        self.exported, self._written = {}, {}
        return differences

    def written(self, key: str) -> Mapping[Path, Mark]:
        """The files that were written of one draw or table since the data was opened, as they were written."""
        return self._written.get(key, {})

    def _wrote(self, key: str, exported: Exported) -> None:
        self.exported[key] = exported
        self._written[key] = {**self.written(key), **exported.marks}

    # Search

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
        levels = {name: self._level(name) for name in asked["grouped"]}
        return digest({**asked, "levels": levels, "kept": self._kept(question)})

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
            "data": self.data_fingerprint,
            "working": self._preparation_key(),
            "models": [(one.identifier, dict(one.values)) for one in question.models],
            "metric": (question.metric.identifier, dict(question.metric.values)),
            "suppression": question.suppression_limit,
            "weights": dict(question.weights),
            "limits": dict(question.limits),
            "sensitive": {name: hierarchy_digest(h) for name, h in question.sensitive_hierarchies.items()},
            "grouped": grouped,
        }

    def best_levels_finder(self) -> Callable[[Progress], Found | Refusal]:
        """A search for the best levels, bound together now; call it on any thread.

        What cannot be satisfied is an answer like others: it comes back as a `Refusal`.
        """
        then, question, key = self.snapshot(), self.question(), self.search_key()
        fingerprint = self.data_fingerprint

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
                    codes=table.codes_size(problem.names),
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
        fingerprint, kept = self.data_fingerprint, self._kept(question)

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
                if not facts.feasible and not question.local_recoding:
                    changes = cheapest_changes(
                        table, grouped, question, [levels], searched=False, progress=progress.part(0.4, 1.0)
                    )
                    return Refusal(
                        too_fine(facts, problem.rows, problem.most_suppressed), changes, key, searchable=True
                    )
            except WorkbenchError as error:
                return Refusal(error, key=key, counted=False)
            try:
                step = progress.part(0.4, 0.9)
                # Suppressed rows are shown one by one where the rows are in memory.
                shown = Suppressed.MARK if table.in_memory or question.local_recoding else Suppressed.DROP
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
        self._looked(self.data_fingerprint)

    def _looked(self, fingerprint: str) -> None:
        # An (ε, δ) claim needs settings that were fixed before anything of the data was seen.
        self.saw(fingerprint, _LOOK)

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
    ) -> Leaving:
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
        return self._leaving(
            targets,
            recoded.anonymised,
            recoded.described(),
            recoded.table,
            self.ledger_of(recoded.fingerprint),
            _charge_of(path, recoded),
            self.written(recoded.key),
            look_later=look_later,
        )

    def _leaving(
        self,
        targets: Targets,
        made: Anonymised,
        described: SyntacticRelease,
        original: Table,
        ledger: Ledger,
        charge: Charge,
        own: Mapping[Path, Mark] = MappingProxyType({}),
        *,
        look_later: bool = False,
    ) -> Leaving:
        if not look_later:
            targets.check(self.inputs, own)
        return Leaving(
            targets,
            lambda progress: made.leaving(described.grouped, progress),
            described.stated(),
            original,
            described.to_json(),
            described.page,
            self.inputs,
            lambda file: ledger.charge(charge, left=LeftFile(file.name, file.fingerprint)),
            own=own,
        )

    def record_recoded(self, path: Path, recoded: Recoded, exported: Exported | None = None) -> None:
        """Take into the project that a table without a claim left the house, which the ledger knows. Never undone."""
        if exported is not None:
            self._wrote(recoded.key, exported)
        self.ledger_of(recoded.fingerprint).charge(_charge_of(path, recoded))
        self.copy_ledger(recoded.fingerprint)

    def write_anonymised(
        self,
        question: Question,
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
        described = SyntacticRelease.of(question, self._grouped(question, self.table), levels, anonymised)
        charge = _without_claim(path, self.data_fingerprint, question)
        targets = Targets(path, style or ExportFormat.of(path), statement, note, parts, force)
        leaving = self._leaving(targets, anonymised, described, self.table, self.ledger, charge)
        return leaving(progress)


def _charge_of(path: Path, recoded: Recoded) -> Charge:
    """The same table is recorded once, wherever it is written to."""
    return _without_claim(path, recoded.fingerprint, recoded.question, recoded.key)


def _without_claim(path: Path, fingerprint: str, question: Question, key: str = "") -> Charge:
    """The record of a syntactic release: it costs nothing that could be added up."""
    return ReleaseRecord(
        when="",
        fingerprint=fingerprint,
        file=path.name,
        epsilon=0.0,
        delta=0.0,
        beta=0.0,
        k=0,
        claim=False,
        models=", ".join(in_words(choice) for choice in question.models),
    ).charge(key)
