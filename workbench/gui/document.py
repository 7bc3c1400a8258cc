"""The document: the one object between the windows and the session.

It runs edits as undoable commands, runs slow work through the job runner, and tells everybody what changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication, QUndoStack
from PySide6.QtWidgets import QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.engines.choice import MEMORY, EngineChoice
from workbench.gui.changes import Change
from workbench.gui.engines import Engines
from workbench.gui.runner import Job, Runner
from workbench.gui.saving import Saved, Saving
from workbench.io.dialect import Dialect
from workbench.io.export_format import ExportFormat
from workbench.io.parts import is_there
from workbench.io.protected_files import Protected, protect
from workbench.io.reading import Reading
from workbench.project.marks import ProjectMark
from workbench.project.model import Project
from workbench.project.outside import choose, is_outside
from workbench.project.place import DocumentPlace, PlaceCheck
from workbench.project.storage import load_project
from workbench.query.ledger_file import ledgers_folder
from workbench.session import AnonymiseRun, Differences, Loaded, Session, differences, load
from workbench.session.export import Exported
from workbench.session.loaded_data import incomplete, is_other_data, is_same_file, no_rows

IN_MEMORY = EngineChoice()

OPEN_JOB = "open"
RUN_JOB = "anonymise"
EXPORT_JOB = "export"
_SECTIONS = (
    "data", "schema", "rows", "hierarchies", "settings", "laboratory", "collect", "queries", "comparing", "result",
    "file",
)  # fmt: skip


class Document(QObject):
    """A project, its data and its result, with undo, jobs and signals.

    Signals
    -------
    changed(str)
        A part changed: "data", "schema", "rows" (which rows take part), "hierarchies", "settings", "laboratory",
        "collect", "queries", "comparing", "ledger" (also by another program), "result" or "file".
    outside(str)
        The project that was opened names data outside its own folder, which was not chosen on this computer before.
        It is read once somebody calls `open_named_data`.
    failed(object)
        A `WorkbenchError` a person should see.
    noted(str, str)
        A message of a kind ("info", "success", "warning") and its text.
    """

    changed = Signal(str)
    outside = Signal(str)
    failed = Signal(object)
    noted = Signal(str, str)

    def __init__(self, runner: Runner, parent: QObject | None = None, *, engines: Engines | None = None) -> None:
        super().__init__(parent)
        self.runner = runner
        self.engines = engines or Engines()
        self.session = Session()
        self.undo_stack = QUndoStack(self)
        self._place = DocumentPlace()
        self.saving = Saving(runner, self._place, lambda: self.session, self)
        self.saving.done.connect(self._written)
        self._saved: Project | None = self.session.project
        self._reads: set[Path] = set()
        protect(self)
        self.differences = Differences()
        """How the file differs from what the project described; empty once the person has dealt with it."""

    @property
    def project(self) -> Project:
        return self.session.project

    @property
    def path(self) -> Path | None:
        """The file it is saved to; None if it has none yet."""
        return self._place.path

    @property
    def mark(self) -> ProjectMark | None:
        """How that file was found when it was opened or saved here last."""
        return self._place.mark

    @property
    def has_data(self) -> bool:
        return self.session.data.loaded is not None

    @property
    def modified(self) -> bool:
        return self.session.project != self._saved

    def reads(self, paths: Iterable[Path]) -> None:
        """These files are read for the project that is open: nothing may be written over them."""
        self._reads |= set(paths)

    def protected(self) -> Protected:
        """What nothing may be written over while it is open here; asked by whatever writes a file, on any thread."""
        path = () if self.path is None else (self.path,)
        return Protected((*self.session.data.files_read, *self._reads), (*path, ledgers_folder()))

    # Edits

    def copy_command(self, command: str, warning: str = "") -> None:
        """Put a command line on the clipboard, and say so with it.

        Parameters
        ----------
        command
            As it is typed.
        warning
            What to know before it is typed.
        """
        QGuiApplication.clipboard().setText(command)
        self.noted.emit("success", f"The command was copied{warning}: {command}")

    def apply(self, text: str, edit: Callable[[Session], object], *, merge: str = "") -> bool:
        """Run an edit of the session as one undoable step.

        Parameters
        ----------
        text
            What undo calls it, such as "Mark age as quasi-identifying".
        merge
            Consecutive edits with the same key become one step, such as dragging a slider.

        Returns
        -------
        bool
            False if the edit was refused; the person has been told why and nothing changed.
        """
        before = self.session.project
        try:
            edit(self.session)
        except WorkbenchError as error:
            self.session.project = before
            self.failed.emit(error)
            return False
        after = self.session.project
        if after is not before:
            self.undo_stack.push(Change(self._restore, before, after, text, merge))
            self._tell(before, after)
        return True

    def _restore(self, project: Project) -> None:
        now = self.session.project
        if (project.histories, project.data) != (now.histories, now.data):
            # History is not undoable: what was seen stays seen, what was released stays released.
            project = replace(project, histories=now.histories, data=now.data)
        self.session.project = project
        shown = self.session.release.result
        if self.has_data and self.session.release.recall() and self.session.release.result is not shown:
            self.changed.emit("result")
        self._tell(now, project)

    def _tell(self, before: Project, after: Project) -> None:
        if before.schema is not after.schema:
            self.changed.emit("schema")
        if before.preparation != after.preparation:
            self.changed.emit("rows")
        if before.hierarchies is not after.hierarchies:
            self.changed.emit("hierarchies")
        if before.anonymise is not after.anonymise:
            self.changed.emit("settings")
        if before.laboratory != after.laboratory:
            self.changed.emit("laboratory")
        if before.queries != after.queries:
            self.changed.emit("queries")
        if before.collect != after.collect:
            self.changed.emit("collect")
        if before.comparing is not after.comparing:
            self.changed.emit("comparing")
        self.changed.emit("file")

    # Data

    @property
    def engine(self) -> EngineChoice:
        """Where the data that is open is worked on, or where the project wants it to be."""
        data = self.project.data
        return EngineChoice(data.engine if data is not None and data.engine else MEMORY)

    def open_data(
        self,
        path: Path,
        dialect: Dialect | None = None,
        *,
        strict: bool = False,
        engine: EngineChoice = IN_MEMORY,
        of_project: bool = False,
    ) -> Job:
        """Read a data file, a folder of parts, or what a pattern names, in the background and take it in.

        Parameters
        ----------
        strict
            Refuse a file of which rows cannot be read, instead of going on without them.
        engine
            Where it is worked on.
        of_project
            Whether it is what the project names, which may be somewhere else by now.
        """
        project, before, engines = self.project, self.session.data.loaded, self.engines
        engines.remember(engine)

        def work(progress: Progress) -> tuple[Loaded, Differences, Project]:
            if of_project and not is_there(path, progress):
                raise self._gone(path)
            store = engines.start(engine, progress)
            loaded = load(path, dialect, progress.part(0.0, 0.9), store)
            choose(path)
            if strict and loaded.reading.skipped:
                raise incomplete(loaded)
            return loaded, differences(project, loaded, before, progress.part(0.9, 1.0)), project

        words = "Opening {name}" if engine.in_memory else "Opening {name} with {engine}"
        return self.runner.start(
            words.format(name=path.name, engine=engine.title),
            work,
            on_done=self._adopt,
            key=OPEN_JOB,
            latest_wins=True,
            only_reads=True,
        )

    def _adopt(self, read: tuple[Loaded, Differences, Project]) -> None:
        loaded, found, project = read
        for job in self.runner.jobs:
            if job.key == RUN_JOB:
                job.cancel()  # its result would speak of other data
        before = self.project.data
        # What was edited meanwhile is what the file must be compared with.
        described = [(p.data, p.schema, p.hierarchies, p.preparation) for p in (project, self.project)]
        modified = self.modified
        self.differences = self.session.data.adopt(loaded, found if described[0] == described[1] else None)
        same = not self.differences and before is not None and is_same_file(before, loaded)
        if not modified and (same or self.path is None):
            # What a project leaves to its data is not a change of it, and opening a file is no work to lose.
            self._saved = self.project
        self.undo_stack.clear()
        self._tell_all()
        reading = loaded.reading
        if self.differences.missing and self.path is not None:
            # Saving must not put what is left over the project that describes the other file.
            self._place.leave()
            self.changed.emit("file")
        if before is not None and before.path == str(reading.path) and is_other_data(before, loaded):
            self.noted.emit(
                "warning",
                (
                    "The data file has changed since the project was saved. What was seen and released of the old one "
                    "is kept, but not counted for the new one."
                ),
            )
        self._report_reading(loaded)

    def _report_reading(self, loaded: Loaded) -> None:
        if self.differences:
            self.noted.emit(
                "warning",
                f"{loaded.reading.path.name} is not what the project describes. The Data workspace lists the "
                "differences.",
            )
        if not loaded.reading.table.rows:
            self.noted.emit("warning", no_rows(loaded))
        if loaded.reading.problem_count:
            self._note_problems(loaded.reading)

    def _note_problems(self, reading: Reading) -> None:
        """Say how many lines were left out or else repaired, and where the first of them is."""
        left_out = reading.skipped
        first = next((one for one in reading.problems if one.kept is not bool(left_out)), reading.problems[0])
        count = left_out or reading.problem_count
        if count == 1:
            words = (
                "Line {line} could not be read and is not in the table: {reason}."
                if left_out
                else "Line {line} was not as it should be; its row is kept: {reason}."
            )
        elif left_out:
            words = "{count} lines could not be read and are not in the table. The first is line {line}: {reason}."
        else:
            words = "{count} lines were not as they should be; their rows are kept. The first is line {line}: {reason}."
        self.noted.emit(
            "warning", words.format(count=f"{count:,}", line=f"{first.line:,}", reason=first.reason.rstrip("."))
        )

    def ledger_changed(self, fingerprint: str) -> None:
        """Take what was written into the ledger of this data into the project, and tell everybody."""
        try:
            self.session.ledger.copy_into_project(fingerprint)
        except WorkbenchError as error:
            self.failed.emit(error)
        self.changed.emit("file")
        self.changed.emit("result")

    def tell_ledger(self) -> None:
        """The ledger of this data may have changed, by this program or another one."""
        self.changed.emit("ledger")

    def tell_trust(self) -> None:
        """The person trusts a plug-in, or no longer: what is promised has to be said again."""
        for section in ("hierarchies", "settings", "collect", "queries"):
            self.changed.emit(section)

    def settle_differences(self) -> None:
        """The person has seen how the file differs from what the project described."""
        self.differences = Differences()
        self.changed.emit("file")

    def _tell_all(self) -> None:
        for section in _SECTIONS:
            self.changed.emit(section)

    # Running and releasing

    def run(self) -> Job | None:
        """Run the anonymisation in the background; None if the settings do not allow it or it was run already.

        The draw that was made with these settings stays the result: drawing again would be choosing between
        samples. A simulation with a seed may be run as often as one likes.
        """
        try:
            if self.project.anonymise.seed is None and self.session.release.recall():
                self.changed.emit("result")
                self.noted.emit("info", "This is the sample that was drawn with these settings.")
                return None
            work = self.session.release.anonymiser()
        except WorkbenchError as error:
            self.failed.emit(error)
            return None
        return self.runner.start(
            "Anonymising",
            work,
            on_done=self._accept,
            key=RUN_JOB,
            latest_wins=True,
            keep_late_result=self.session.release.columns.private_search is not None,  # drawn levels are paid for
        )

    def _accept(self, produced: AnonymiseRun) -> None:
        if produced.then.loaded is not self.session.data.loaded:
            return  # it speaks of other data
        self.session.release.accept(produced)  # that no row is left is said beside it, as long as it is shown
        self.changed.emit("result")
        self.changed.emit("file")

    def export(
        self,
        path: Path,
        statement: Path | None,
        *,
        style: ExportFormat | None = None,
        note: Path | None = None,
        parts: bool = False,
        force: bool = False,
        without_claim: bool = False,
    ) -> Job | None:
        """Write the release in the background, with `parts` as a folder of files.

        None if there is nothing that may be written. Other parameters as in the `exporter` of `session.release`.
        """
        session = self.session
        record: Callable[[Exported], object]
        try:
            if session.syntactic.wanted:
                recoded = session.syntactic.current_recoded()
                work = session.syntactic.recoded_writer(
                    path, statement, style=style, note=note, parts=parts, force=force, look_later=True
                )
                record = partial(session.syntactic.record_recoded, path, recoded)
            else:
                result = session.release.current_result()
                work = session.release.exporter(
                    path,
                    statement,
                    style=style,
                    note=note,
                    parts=parts,
                    force=force,
                    without_claim=without_claim,
                    look_later=True,
                )
                record = partial(session.release.record_export, path, result)
        except WorkbenchError as error:
            self.failed.emit(error)
            return None

        def done(exported: Exported) -> None:
            # Recorded where it was made, even if another project is open by now.
            record(exported)
            if session is not self.session:
                return
            self.changed.emit("file")
            self.changed.emit("result")
            self._record()
            self.noted.emit(
                "success",
                f"{exported.rows:,} rows were written to {path.name}, read back and counted again.",
            )

        return self.runner.start(
            f"Exporting {path.name}",
            work,
            on_done=done,
            key=EXPORT_JOB,
            owner=self,
            keep_late_result=True,
        )

    def _record(self) -> None:
        """Let the saved project know what left; other changes stay unsaved until the person saves them."""
        if self.path is not None:
            self.saving.record(self.path)

    # The file

    def new(self) -> None:
        """Forget everything and start an empty project."""
        self._replace(Session(), None)

    def save(self, path: Path, window: QWidget | None = None) -> bool:
        """Save the project and wait for it; False if that failed, in which case the person has been told.

        Parameters
        ----------
        window
            Over which is said what is waited for, if it takes its time.
        """
        self.saving.save(path)
        return self.saving.wait(window)

    def _written(self, saved: Saved) -> None:
        if saved.session is not self.session:
            self._place.give_up(saved.claimed)  # another project is open by now
            return
        if saved.recorded:
            if self._saved is not None:
                self._saved = replace(self._saved, histories=saved.project.histories)
        else:
            self.session.accept_saved(saved.project)
            self._saved = saved.project
            if not self.modified:
                self.undo_stack.setClean()
        self._place.settle(saved.claimed)
        self.changed.emit("file")

    def open_project(
        self, path: Path, may_open: Callable[[], bool] = lambda: True, opened: Callable[[], object] = lambda: None
    ) -> Job:
        """Open a saved project in the background, and start reading its data.

        Parameters
        ----------
        may_open
            Asked before it takes the place of what is open.
        opened
            Called when it has.
        """
        place = self._place

        def work(progress: Progress) -> tuple[Project, PlaceCheck, bool]:
            found = place.look(path)  # before it is read: what comes between is seen when it is saved
            project = load_project(path)
            progress(0.5)
            return project, found, project.data is not None and is_outside(project.data.path, path)

        def done(read: tuple[Project, PlaceCheck, bool]) -> None:
            if may_open():
                project, found, outside = read
                self._replace(Session(project), found)
                opened()
                self._open_its_data(outside=outside)

        return self.runner.start(
            f"Opening {path.name}",
            work,
            on_done=done,
            key=OPEN_JOB,
            latest_wins=True,
            owner=self,
            aside=True,
            only_reads=True,
        )

    def recover(self, project: Project, path: Path | None, mark: ProjectMark | None) -> None:
        """Go on with work that was never saved to `path`, whose file had this mark, and start reading its data."""
        self._replace(session := Session(project), None)
        self._place.expect(path, mark)
        self._saved = None
        self.changed.emit("file")
        if path is None:
            self._open_its_data()
            return

        def look(_progress: Progress) -> tuple[PlaceCheck, bool]:
            return self._place.look(path), project.data is not None and is_outside(project.data.path, path)

        def done(looked: tuple[PlaceCheck, bool]) -> None:
            if self.session is session and self.path == path:
                self._place.move(replace(looked[0], mark=mark))
                self._open_its_data(outside=looked[1])

        self.runner.start(
            f"Looking at {path.name}",
            look,
            on_done=done,
            owner=self,
            aside=True,
            only_reads=True,
        )

    def close(self) -> None:
        """Others may open the project now, and no engine is needed any more."""
        self._place.leave()
        self.engines.close()

    def _open_its_data(self, *, outside: bool = False) -> None:
        data = self.project.data
        if outside and data is not None and not self._unknown_spark:
            self.outside.emit(data.path)  # nothing of it is looked at before the person agrees
        else:
            self.open_named_data()
        if not self._place.alone:
            self.noted.emit(
                "warning",
                (
                    "This project is open in another window too. Save it under another name here, so that neither "
                    "window overwrites what the other one did."
                ),
            )

    @property
    def _unknown_spark(self) -> bool:
        """Whether the project works on a Spark elsewhere that was not used from here; then nothing is opened."""
        return self.engine.remote and self.engine.name != self.engines.spark

    def open_named_data(self) -> None:
        """Start reading the data that the project names."""
        project = self.project
        if project.data is not None:
            source = Path(project.data.path)
            if self._unknown_spark:
                # A project may come from anybody, and whoever runs a Spark may run programs here.
                self.failed.emit(
                    WorkbenchError(
                        (
                            f"The project works on {self.engine.title}, which was not used from this computer "
                            "before. Nothing was "
                            "connected to."
                        ),
                        hint=(
                            "If you trust that host, choose it under “Engine and memory” and open the project "
                            "again. Or open the data where you want it."
                        ),
                        field="engine",
                    )
                )
            else:
                self.open_data(source, project.data.dialect, engine=self.engine, of_project=True)

    def _gone(self, source: Path) -> WorkbenchError:
        return WorkbenchError(
            f"The data file {source.name} is not where it was.",
            hint="Open the data file from its new place; the project keeps its settings.",
            field="data",
        )

    def _replace(self, session: Session, found: PlaceCheck | None) -> None:
        for job in self.runner.jobs:
            if job.key in (OPEN_JOB, RUN_JOB):
                job.cancel()  # their results would speak of what is being put away
        self.session = session
        self._reads = set()
        self._place.move(found)
        self._saved = session.project
        self.undo_stack.clear()
        self.differences = Differences()
        self._tell_all()
