"""The session: one project at work, from opening a file to saving what was released."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Self

from workbench.anonymise.claim import Claim
from workbench.anonymise.promise import Promise
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.rationals import rational
from workbench.evaluate.store import ResultStore
from workbench.io.export_format import ExportFormat
from workbench.project.model import (
    Project,
    ReleaseRecord,
)
from workbench.project.storage import load_project, save_project, with_history_of
from workbench.query.ledger import Charge, Entry, LeftFile
from workbench.query.ledger_file import files_in, ledgers_folder
from workbench.report.certificate import Certificate, certificate_of
from workbench.report.checklist import ReleaseFacts
from workbench.report.metadata import facts_of, sampled, stated_of_sampled
from workbench.report.statement import statement_page
from workbench.session.attacking import AttackDesk
from workbench.session.collecting import CollectDesk
from workbench.session.comparing import CompareDesk
from workbench.session.costs import CostingSession
from workbench.session.exporting import Exported, Leaving, Targets
from workbench.session.leaving_facts import release_facts
from workbench.session.querying import QueryDesk
from workbench.session.recoding import Recoded
from workbench.session.refusing import refuse_without_claim
from workbench.session.reporting import ReportDesk
from workbench.session.result import Result
from workbench.session.running import nothing_survived


class Session(CostingSession):
    """One project at work.

    Methods are for one thread; what `load`, `preparer` and `anonymiser` give may be made on others.
    """

    def __init__(self, project: Project | None = None) -> None:
        super().__init__(project)
        self.comparison_store = ResultStore()

    def snapshot(self) -> Self:
        copy = super().snapshot()
        copy.comparison_store = self.comparison_store
        return copy

    @property
    def comparison(self) -> CompareDesk:
        """What global, local and anonymised answers cost in accuracy. Analyst only."""
        return CompareDesk(self)

    @property
    def collection(self) -> CollectDesk:
        """Local differential privacy: people who randomise their answers themselves."""
        return CollectDesk(self)

    @property
    def queries(self) -> QueryDesk:
        """Questions with differential privacy."""
        return QueryDesk(self)

    @property
    def reports(self) -> ReportDesk:
        """The release report and the analyst report of the current result."""
        return ReportDesk(self)

    @property
    def attacks(self) -> AttackDesk:
        """Attacks on the present result, for the analyst only."""
        return AttackDesk(self)

    # Release

    def release_facts(self, made: Result | Recoded, neutralised: int) -> ReleaseFacts:
        """What the checklist needs to know around a result; `neutralised` texts are made safe for spreadsheets."""
        return release_facts(self, made, neutralised)

    def certificate(self, entry: Entry) -> Certificate:
        """The statement on something that the ledger of the open data knows."""
        return certificate_of(entry, self.ledger.entries, self.nearly_same().releases)

    def export(
        self,
        path: Path,
        statement: Path | None = None,
        *,
        style: ExportFormat | None = None,
        note: Path | None = None,
        parts: bool = False,
        force: bool = False,
        without_claim: bool = False,
        progress: Progress = SILENT,
    ) -> Exported:
        """Write the release, its statement and its note, and record that it left the house.

        Parameters as in `exporter`.

        Raises
        ------
        WorkbenchError
            If there is no current result, nothing survived, no claim can be made for it, or the files cannot be
            written.
        """
        result = self.current_result()
        exported = self.exporter(
            path, statement, style=style, note=note, parts=parts, force=force, without_claim=without_claim
        )(progress)
        self.record_export(path, result, exported)
        return exported

    def refuse_before_drawing(self, targets: Targets, *, without_claim: bool = False) -> None:
        """Refuse a release that could not leave the house, before anything is drawn for it.

        A draw that is seen counts, whether it is released or not.

        Parameters
        ----------
        without_claim
            It may leave although no claim can be made for it.

        Raises
        ------
        NoClaim
            If no claim can be made for it.
        WorkbenchError
            If the files cannot be written there, or the budget does not suffice for the release and its levels.
        """
        targets.check(self.inputs)
        promised, claim = self.promise(), self.claim()
        charge = _charge_of(targets.path, self.data_fingerprint, promised, claim)
        # The levels are a charge of their own; both must fit.
        refusal = self.ledger.room_for(replace(charge, epsilon=rational(promised.epsilon))).refusal
        if refusal is not None:
            raise refusal
        if not without_claim:
            refuse_without_claim(claim)

    def exporter(
        self,
        path: Path,
        statement: Path | None = None,
        *,
        style: ExportFormat | None = None,
        note: Path | None = None,
        parts: bool = False,
        force: bool = False,
        without_claim: bool = False,
        look_later: bool = False,
    ) -> Leaving:
        """Everything an export needs, bound together now; call it on any thread.

        Parameters
        ----------
        path
            The release. How it is written follows from its name, unless `style` says so.
        statement, note
            The privacy statement (HTML) and the note for programs (JSON), if they are wanted.
        parts
            Whether to write a folder of files rather than one file.
        force
            Whether it may overwrite what stands there. The files of the same draw it may in any case, if they are as
            they were written.
        without_claim
            Whether it may leave although no claim can be made for it.
        look_later
            Whether the places are looked at only when it is called, because this thread must not wait for a disk.

        Raises
        ------
        NoClaim
            If no claim can be made for it.
        AlreadyThere
            If another release stands there.
        WorkbenchError
            If there is no current result, nothing survived, or the files cannot be written.
        """
        result = self.current_result()
        if result.outcome.rows_out == 0:
            raise nothing_survived(result)
        targets = Targets(path, style or ExportFormat.of(path), statement, note, parts, force)
        own = self.written(result.draw)
        if not look_later:
            targets.check(self.inputs, own)
        ledger = self.ledger_of(result.fingerprint)
        counted = self.known_entries(result.fingerprint)  # before the claim, which must not count less
        hierarchies, claim, outcome = self.project.hierarchies, self.current_claim(), result.outcome
        if not without_claim:
            refuse_without_claim(claim, drawn=True)
        charge = _charge_of(path, result.fingerprint, result.claim.guarantee, claim, result.draw)
        description = sampled(hierarchies, outcome, claim)
        return Leaving(
            targets,
            lambda _progress: outcome.release,
            stated_of_sampled(hierarchies, outcome, claim),
            None,
            description,
            lambda file: statement_page(facts_of(description, file=file)),
            self.inputs,
            lambda file: ledger.charge(charge, counted, LeftFile(file.name, file.fingerprint)),
            claim,
            own,
        )

    def current_claim(self) -> Claim:
        """The claim of the current result with everything that is known by now, such as releases since the run."""
        result = self.current_result()
        return self._assess(
            result.outcome.recipe, result.claim.guarantee, secure=result.outcome.secure, mine=result.keys
        )

    def record_export(self, path: Path, result: Result, exported: Exported | None = None) -> ReleaseRecord:
        """Take into the project that `result` was released to `path`, which the ledger knows. Never undone."""
        if exported is not None:
            self._wrote(result.draw, exported)
        ledger = self.ledger_of(result.fingerprint)
        entry = ledger.find(result.draw) or ledger.charge(
            _charge_of(path, result.fingerprint, result.claim.guarantee, result.claim, result.draw)
        )
        self.copy_ledger(result.fingerprint)
        return ReleaseRecord.of(result.fingerprint, entry)

    def current_result(self) -> Result:
        """The result, if it belongs to the settings as they stand."""
        if self.result is None:
            raise WorkbenchError("There is no result yet.", hint="Run the anonymisation first.", field="result")
        if not self.result_is_current:
            raise WorkbenchError(
                "The settings were changed after the last run, so the result is out of date.",
                hint="Run again, or undo the change.",
                field="result",
            )
        return self.result

    # Project

    def save(self, path: Path) -> None:
        """Save the project. What the file already records as seen or released stays recorded.

        A copy of what the ledger knows of the data goes with it.
        """
        self.accept_saved(self.saver(path)(SILENT))

    def saver(self, path: Path) -> Callable[[Progress], Project]:
        """Everything saving needs, bound together now; call it on any thread.

        What it returns is the project as it stands in the file.
        """
        if self.loaded is not None:
            with contextlib.suppress(WorkbenchError):  # a ledger that cannot be read must not keep anybody from saving
                self.copy_ledger(self.data_fingerprint)
        project, protected = self.project, self.kept_from_projects

        def work(progress: Progress = SILENT) -> Project:
            kept = with_history_of(project, path)
            progress(0.5)  # the last moment to cancel
            save_project(kept, path, protected=(*protected, *files_in(ledgers_folder())))
            return kept

        return work

    def accept_saved(self, saved: Project) -> None:
        """Take what the file knew of releases, looks and answers into the project, edited meanwhile or not."""
        for fingerprint, history in saved.histories.items():
            self.project = self.project.with_history(fingerprint, history)

    @classmethod
    def from_file(cls, path: Path) -> Session:
        """A session with a saved project; its data is not read yet."""
        return cls(load_project(path))


def _charge_of(path: Path, fingerprint: str, promised: Promise, claim: Claim, draw: str = "") -> Charge:
    """What the release of a result costs; the same draw costs once, wherever it is written to.

    A private draw of its levels was charged when it was made.
    """
    return ReleaseRecord(
        when="",
        fingerprint=fingerprint,
        file=path.name,
        epsilon=promised.release.epsilon,
        delta=promised.delta,
        beta=promised.beta,
        k=promised.k,
        claim=claim.holds,
        rows_per_person=promised.rows_per_person,
        levels_epsilon=promised.search_epsilon,
    ).charge(draw)
