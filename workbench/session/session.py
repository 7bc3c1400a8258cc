"""The session: one project at work, from opening a file to saving what was released."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import WorkbenchError
from workbench.core.importing import import_some
from workbench.core.plugins import read_another
from workbench.core.progress import SILENT, Progress
from workbench.core.typed_fields import refuse_no_text
from workbench.project.model import Project
from workbench.project.storage import load_project, save_project, with_history_of
from workbench.query.ledger_file import files_in, ledgers_folder
from workbench.session.state import SessionState

if TYPE_CHECKING:
    from workbench.report.publisher import Publisher, PublisherTemplate
    from workbench.session.attacks import AttackDesk
    from workbench.session.audit import AuditDesk
    from workbench.session.before_looking import UnseenDesk
    from workbench.session.collection.desk import CollectionDesk
    from workbench.session.comparison import ComparisonDesk
    from workbench.session.data import DataDesk
    from workbench.session.export import Export, Exported, Targets
    from workbench.session.ledger import LedgerDesk
    from workbench.session.looking import LookDesk
    from workbench.session.queries import QueryDesk
    from workbench.session.release.desk import ReleaseDesk
    from workbench.session.reports import ReportDesk
    from workbench.session.standing import Standing
    from workbench.session.syntactic.desk import SyntacticDesk


DESKS = {
    "data": "workbench.session.data",
    "ledger": "workbench.session.ledger",
    "looks": "workbench.session.looking",
    "unseen": "workbench.session.before_looking",
    "release": "workbench.session.release.desk",
    "syntactic": "workbench.session.syntactic.desk",
    "queries": "workbench.session.queries",
    "collection": "workbench.session.collection.desk",
    "comparison": "workbench.session.comparison",
    "audit": "workbench.session.audit",
    "reports": "workbench.session.reports",
    "attacks": "workbench.session.attacks",
}
"""The desks of a session, each after those that it works with, and the modules where they are."""


class Session:
    """One project at work: a state, and the desks at which something is done with it.

    The methods of its desks are for one thread; what they bind together and return, such as `data.preparer` and
    `release.anonymiser`, may be called on others. Each desk is made, and its modules are imported, when it is first
    asked for.

    Parameters
    ----------
    project
        The document; a new one unless given.
    state
        The state of another session, such as a snapshot, instead of a new one.
    """

    def __init__(self, project: Project | None = None, *, state: SessionState | None = None) -> None:
        self.state = state or SessionState(project or Project())

    @classmethod
    def from_file(cls, path: Path) -> Session:
        """A session with a saved project; its data is not read yet."""
        return cls(load_project(path))

    def snapshot(self) -> Session:
        """A session that stays as this one is now, for work on another thread. Nothing of size is copied."""
        return Session(state=self.state.snapshot())

    @property
    def project(self) -> Project:
        """The document. Whoever undoes an edit puts the one before it back."""
        return self.state.project

    @project.setter
    def project(self, project: Project) -> None:
        self.state.project = project

    @property
    def has_data(self) -> bool:
        """Whether data is open."""
        return self.state.loaded is not None

    @property
    def standing(self) -> Standing:
        """The spending of the open data and its remaining budget, as all of it counts; errors as of its ledger."""
        from workbench.session.standing import standing_of

        return standing_of(self.ledger.current.history, self.state)

    @property
    def has_result(self) -> bool:
        """Whether something was made of the data that could be given out, of either approach, be it current or not."""
        return self.state.results.result is not None or self.state.results.recoded is not None

    # Desks

    def make_desk(self) -> bool:
        """Bring the next desk nearer, or plugins, so that nobody waits for their modules; False if all are there."""
        missing = next((name for name in DESKS if name not in vars(self)), None)
        if missing is None:
            return read_another()
        if import_some(DESKS[missing]):
            getattr(self, missing)
        return True

    @cached_property
    def data(self) -> DataDesk:
        """The data as it was read, the rows that take part, and what is declared of columns and hierarchies."""
        from workbench.session.data import DataDesk

        return DataDesk(self.state)

    @cached_property
    def ledger(self) -> LedgerDesk:
        """The ledger of the data: what was released and seen of it, and what is nearly the same data."""
        from workbench.session.ledger import LedgerDesk

        return LedgerDesk(self.state)

    @cached_property
    def looks(self) -> LookDesk:
        """Looks at the true rows, of whichever desk: what one would cost, and taking one before anything is shown."""
        from workbench.session.looking import LookDesk

        return LookDesk(self.state)

    @cached_property
    def unseen(self) -> UnseenDesk:
        """Columns and hierarchies as they can be shown before a look."""
        from workbench.session.before_looking import UnseenDesk

        return UnseenDesk(self.state)

    @cached_property
    def release(self) -> ReleaseDesk:
        """The (ε, δ) release: its columns and levels, guarantee, claim, runs and export."""
        from workbench.session.release.desk import ReleaseDesk

        return ReleaseDesk(self.state)

    @cached_property
    def syntactic(self) -> SyntacticDesk:
        """k-anonymity and its relatives."""
        from workbench.session.syntactic.desk import SyntacticDesk

        return SyntacticDesk(self.state)

    @cached_property
    def queries(self) -> QueryDesk:
        """Questions with differential privacy."""
        from workbench.session.queries import QueryDesk

        return QueryDesk(self.state)

    @cached_property
    def collection(self) -> CollectionDesk:
        """Local differential privacy: people who randomise their answers themselves."""
        from workbench.session.collection.desk import CollectionDesk

        return CollectionDesk(self.state)

    @cached_property
    def comparison(self) -> ComparisonDesk:
        """The comparison of what global, local and anonymised answers cost in accuracy. Analyst only."""
        from workbench.session.comparison import ComparisonDesk

        return ComparisonDesk(self.state)

    @cached_property
    def audit(self) -> AuditDesk:
        """The laboratory of mechanisms, which looks at no data."""
        from workbench.session.audit import AuditDesk

        return AuditDesk(self.state)

    @cached_property
    def reports(self) -> ReportDesk:
        """The release report and the analyst report of the current result."""
        from workbench.session.reports import ReportDesk

        return ReportDesk(self.state)

    @cached_property
    def attacks(self) -> AttackDesk:
        """Attacks on the current result. Analyst only."""
        from workbench.session.attacks import AttackDesk

        return AttackDesk(self.state)

    # Leaving

    @property
    def publisher(self) -> Publisher | None:
        """Who was named in this project, and speaks in its statements beside the program; None for nobody."""
        return self.state.publisher

    @property
    def publishing(self) -> Publisher | None:
        """Who would speak in the statement of a release that is exported next: also whoever is only proposed."""
        words = self.state.words
        return None if words is None else words.publisher

    def use_template(self, path: Path | None) -> None:
        """Let the publisher speak in the statements that are written from now on, as a template says; None for nobody.

        It belongs to whoever publishes and not to the project, which does not keep it.

        Raises
        ------
        WorkbenchError
            If it cannot be read, or something in it cannot stand in a statement.
        """
        from workbench.report.publisher import read_template

        self.speak_as(None if path is None else read_template(path))

    def speak_as(self, template: PublisherTemplate | None) -> None:
        """The same of a template that was read; whoever was proposed is so no longer."""
        self.state.template, self.state.proposed = template, None

    def propose_to_speak_as(self, template: PublisherTemplate | None) -> None:
        """Propose for releases what was said in another project, until an export confirms it or somebody is named.

        Certificates and reports do not have it: what was asked or written here was not published by anybody yet.
        """
        self.state.proposed = template

    def _confirm(self, proposed: PublisherTemplate | None, targets: Targets) -> None:
        """A statement with these words has left."""
        if proposed is not None and proposed is self.state.proposed and (targets.statement or targets.note):
            self.speak_as(proposed)

    def exporter(
        self, targets: Targets, *, without_claim: bool = False, asserted: bool = True
    ) -> tuple[Export, Callable[[Exported], object]]:
        """The export of whatever is the result, of either approach, and what is to be called with what it wrote.

        The places are looked at when the export is called, on any thread; what it wrote is recorded on this one. A
        publisher who was proposed is named in this project from then on, if there is a statement that says so.

        Parameters
        ----------
        without_claim, asserted
            As in the `exporter` of `release`; there is no claim for privacy models.

        Raises
        ------
        WorkbenchError
            If there is nothing that may be written.
        """
        path, style, note, proposed = targets.path, targets.style, targets.note, self.state.proposed

        def confirming(record: Callable[[Exported], object]) -> Callable[[Exported], object]:
            def recorded(exported: Exported) -> None:
                record(exported)
                self._confirm(proposed, targets)

            return recorded

        if self.syntactic.wanted:
            recoded, desk = self.syntactic.current_recoded(), self.syntactic
            work = desk.recoded_writer(
                path,
                targets.statement,
                style=style,
                note=note,
                parts=targets.parts,
                force=targets.force,
                look_later=True,
            )
            return work, confirming(lambda exported: desk.record_recoded(path, recoded, exported))
        result, release = self.release.current_result(), self.release
        work = release.exporter(
            path,
            targets.statement,
            style=style,
            note=note,
            parts=targets.parts,
            force=targets.force,
            without_claim=without_claim,
            asserted=asserted,
            look_later=True,
        )
        return work, confirming(lambda exported: release.record_export(path, result, exported))

    # Saving

    def save(self, path: Path) -> None:
        """Save the project. What the file already records as seen or released stays recorded.

        A copy of what the ledger knows of the data goes with it.
        """
        self.accept_saved(self.saver(path)(SILENT))

    def saver(self, path: Path) -> Callable[[Progress], Project]:
        """Everything saving needs, bound together now; call it on any thread.

        What it returns is the project as it stands in the file.

        Raises
        ------
        WorkbenchError
            If the name of the file is no text.
        """
        refuse_no_text(str(path))
        if self.state.loaded is not None:
            with contextlib.suppress(WorkbenchError):  # a ledger that cannot be read must not keep anybody from saving
                self.ledger.copy_into_project(self.data.fingerprint)
        project, protected = self.project, self.ledger.kept_from_projects
        notes = self.state.said_beside.note()

        def work(progress: Progress = SILENT) -> Project:
            kept = with_history_of(project, path)
            progress(0.5)  # the last moment to cancel
            save_project(kept, path, notes=notes, protected=(*protected, *files_in(ledgers_folder())))
            return kept

        return work

    def accept_saved(self, saved: Project) -> None:
        """Take what the file knew of releases, looks and answers into the project, edited meanwhile or not."""
        for fingerprint, history in saved.histories.items():
            self.project = self.project.with_history(fingerprint, history)
