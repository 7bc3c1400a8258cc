"""The session: one project at work, from opening a file to saving what was released."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from workbench.anonymise.claim import Claim
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.io.atomic import atomic_write
from workbench.io.writing import WriteReport, neutralised_texts, write_csv
from workbench.project.model import (
    ReleaseRecord,
)
from workbench.project.storage import load_project, save_project, with_history_of
from workbench.report.statement import write_statement
from workbench.session.result import Result
from workbench.session.running import nothing_survived
from workbench.session.syntactic import SyntacticSession
from workbench.session.targets import check_target


class Session(SyntacticSession):
    """One project at work.

    Methods are for one thread; what `load`, `preparer` and `anonymiser` give may be made on others.
    """

    # Release

    def export(
        self,
        path: Path,
        statement: Path | None = None,
        *,
        delimiter: str = ",",
        progress: Progress = SILENT,
    ) -> WriteReport:
        """Write the release and its statement, and record that it left the house.

        Raises
        ------
        WorkbenchError
            If there is no current result, nothing survived, or the files cannot be written.
        """
        result = self.current_result()
        report = self.exporter(path, statement, delimiter=delimiter)(progress)
        self.record_export(path, result)
        return report

    def exporter(
        self, path: Path, statement: Path | None = None, *, delimiter: str = ","
    ) -> Callable[[Progress], WriteReport]:
        """Everything an export needs, bound together now; call it on any thread."""
        result = self.current_result()
        if result.outcome.rows_out == 0:
            raise nothing_survived(result.outcome)
        check_target(path, statement)
        protected = (Path(self.reading.path), *self._inputs)
        hierarchies = self.project.hierarchies
        claim = self.current_claim()
        release = result.outcome.release

        def write(progress: Progress = SILENT) -> WriteReport:
            if statement is None:
                return write_csv(release, path, delimiter=delimiter, protected=protected, progress=progress)
            # The statement goes first: a statement without a file harms nobody, a file without one would.
            before = statement.read_bytes() if statement.exists() else None
            write_statement(
                statement, hierarchies, result.outcome, claim, neutralised_texts(release), protected=(*protected, path)
            )
            try:
                return write_csv(
                    release, path, delimiter=delimiter, protected=(*protected, statement), progress=progress
                )
            except BaseException:
                # The statement of a file that was not replaced must not be another one's.
                if before is None:
                    statement.unlink(missing_ok=True)
                else:
                    with atomic_write(statement) as stream:
                        stream.write(before)
                raise

        return write

    def current_claim(self) -> Claim:
        """The claim of the current result with everything that is known by now, such as releases since the run."""
        result = self.current_result()
        itself = self._exported[1] if self._exported is not None and self._exported[0] is result else None
        return self._assess(result.outcome.recipe, result.claim.guarantee, secure=result.outcome.secure, itself=itself)

    def record_export(self, path: Path, result: Result) -> ReleaseRecord:
        """Append the record that `result` was released to `path`. Never undone."""
        if self._exported is not None and self._exported[0] is result:
            return self._exported[1]  # The same file once more costs nothing.
        promised = result.claim.guarantee
        record = ReleaseRecord(
            when=datetime.now(UTC).isoformat(timespec="seconds"),
            fingerprint=result.fingerprint,
            file=path.name,
            epsilon=promised.epsilon,
            delta=promised.delta,
            beta=promised.beta,
            k=promised.k,
            claim=result.claim.holds,
            rows_per_person=promised.rows_per_person,
        )
        self.project = replace(self.project, releases=(*self.project.releases, record))
        self._exported = (result, record)
        return record

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
        """Save the project. What the file already records as seen or released stays recorded."""
        self.project = with_history_of(self.project, path)
        save_project(self.project, path)

    @classmethod
    def from_file(cls, path: Path) -> Session:
        """A session with a saved project; its data is not read yet."""
        return cls(load_project(path))
