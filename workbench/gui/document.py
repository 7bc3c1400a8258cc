"""The document: the one object between the windows and the session.

It runs edits as undoable commands, runs slow work through the job runner, and tells everybody what changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.paths import sample_data
from workbench.core.progress import Progress
from workbench.core.schema import Kind
from workbench.engines.choice import MEMORY, EngineChoice
from workbench.gui.engines import Engines
from workbench.gui.going_on import GoingOn
from workbench.gui.releasing_document import EXPORT_JOB, RUN_JOB, ReleasingDocument
from workbench.gui.runner import Job, Runner
from workbench.gui.saving import Saved, Saving
from workbench.io.addresses import PASSWORD, Address, is_address
from workbench.io.parts import is_there
from workbench.io.protected_files import Protected, protect
from workbench.project.differences import Differences
from workbench.project.marks import ProjectMark
from workbench.project.model import Project, new_project
from workbench.project.outside import choose, is_chosen, is_outside
from workbench.project.place import DocumentPlace, PlaceCheck
from workbench.project.said_beside import SaidBeside
from workbench.project.storage import load_project
from workbench.query.ledger_file import ledgers_folder
from workbench.session import Session

if TYPE_CHECKING:
    from workbench.io.column_troubles import ColumnTrouble
    from workbench.io.dialect import Dialect
    from workbench.project.loading import Loaded

IN_MEMORY = EngineChoice()

OPEN_JOB = "open"


__all__ = ["EXPORT_JOB", "IN_MEMORY", "OPEN_JOB", "RUN_JOB", "Document"]


class Document(ReleasingDocument):
    """A project, its data and its result, with undo, jobs and signals.

    Signals
    -------
    begun()
        An empty project has taken the place of the one before: nothing that was typed for that one stays.
    outside(str)
        The project that was opened names data outside its own folder, which was not chosen on this computer before.
        It is read once somebody calls `open_named_data`.
    refused_who_asked(Callable, Path)
        The server of a database, at this address, wants another user or password; calling the first opens it again.
    """

    begun = Signal()
    outside = Signal(str)
    refused_who_asked = Signal(object, Path)

    def __init__(self, runner: Runner, parent: QObject | None = None, *, engines: Engines | None = None) -> None:
        super().__init__(runner, Session(new_project()), parent)
        self.engines = engines or Engines()
        self._place = DocumentPlace()
        self.saving = Saving(runner, self._place, lambda: self.session, self)
        self.saving.done.connect(self._written)
        self._saved: Project | None = self.session.project
        self._reads: set[Path] = set()
        self._saved_into: Path | None = None
        protect(self)

    @property
    def path(self) -> Path | None:
        """The file it is saved to; None if it has none yet."""
        return self._place.path

    def shown_path(self) -> Path | None:
        """The file it is saved to, else that of its table; None where there is neither."""
        return self.path or (self.session.data.reading.path if self.has_data else None)

    @property
    def mark(self) -> ProjectMark | None:
        """How that file was found when it was opened or saved here last."""
        return self._place.mark

    @property
    def modified(self) -> bool:
        return self.session.project != self._saved

    @property
    def save_folder(self) -> Path:
        """Where whoever saves something begins to look: where the last was saved, else beside the table."""
        if self._saved_into is not None:
            return self._saved_into
        data = self.session.data
        folder = data.place_beside[0] if data.loaded is not None else self._place.path and self._place.path.parent
        # The samples belong to the program; what is made from them belongs to the person.
        return Path.home() if folder is None or folder.is_relative_to(sample_data()) else folder

    @save_folder.setter
    def save_folder(self, folder: Path) -> None:
        self._saved_into = folder

    def reads(self, paths: Iterable[Path]) -> None:
        """These files are read for the project that is open: nothing may be written over them."""
        self._reads |= set(paths)

    def protected(self) -> Protected:
        """Files that nothing may be written over while they are open here; asked before any writing, on any thread."""
        path = () if self.path is None else (self.path,)
        return Protected((*self.session.data.files_read, *self._reads), (*path, ledgers_folder()))

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
        kinds: Mapping[str, Kind] | None = None,
        mended: Sequence[ColumnTrouble] = (),
        ask: Callable[[Loaded, Differences], GoingOn] | None = None,
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
        kinds
            What columns are, where the person said it.
        mended
            What the person chose to mend of the columns' values.
        ask
            Lets the person say, once the file was read, whether the project goes on with it; by default it does.
        """
        from workbench.session import loaded_data

        project, before, engines = self.project, self.session.data.loaded, self.engines
        engines.remember(engine)

        def work(progress: Progress) -> tuple[Loaded, Differences, Project]:
            if of_project and not is_there(path, progress):
                raise self._gone(path)
            store = engines.start(engine, progress)
            loaded = loaded_data.with_kinds(
                loaded_data.load(path, dialect, progress.part(0.0, 0.9), store), kinds or {}
            )
            loaded = loaded_data.with_mended(loaded, mended)
            choose(path)
            if strict and loaded.reading.skipped:
                raise loaded_data.incomplete(loaded)
            return loaded, loaded_data.differences(project, loaded, before, progress.part(0.9, 1.0)), project

        def refused(error: BaseException) -> bool:
            if not isinstance(error, WorkbenchError) or error.field != PASSWORD:
                return False
            self.refused_who_asked.emit(again, path)
            return True

        def again() -> None:
            self.open_data(
                path,
                dialect,
                strict=strict,
                engine=engine,
                of_project=of_project,
                kinds=kinds,
                mended=mended,
                ask=ask,
            )

        words = "Opening {name}" if engine.in_memory else "Opening {name} with {engine}"
        return self.runner.start(
            words.format(name=path.name, engine=engine.title),
            work,
            on_done=partial(self._adopt, ask),
            on_failed=refused,
            key=OPEN_JOB,
            latest_wins=True,
            only_reads=True,
        )

    def _adopt(
        self,
        ask: Callable[[Loaded, Differences], GoingOn] | None,
        read: tuple[Loaded, Differences, Project],
    ) -> None:
        from workbench.gui.reading_notes import carried_notes, reading_notes
        from workbench.session import loaded_data
        from workbench.session.release.knowledge import take_told_number

        loaded, found, project = read
        going = GoingOn.WITH_PROJECT if ask is None else ask(loaded, found)
        if going is GoingOn.NOT:
            return
        if going is GoingOn.ANEW:
            self.new()
        for job in self.runner.jobs:
            if job.key == RUN_JOB:
                job.cancel()  # its result would speak of other data
        before = self.project.data
        # What was edited meanwhile is what the file must be compared with.
        described = [(p.data, p.schema, p.hierarchies, p.preparation) for p in (project, self.project)]
        modified = self.modified
        self.differences = self.session.data.adopt(loaded, found if described[0] == described[1] else None)
        take_told_number(self.session)
        same = not self.differences and before is not None and loaded_data.is_same_file(before, loaded)
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
        if before is not None and before.path == str(reading.path) and loaded_data.is_other_data(before, loaded):
            self.noted.emit(
                "warning",
                (
                    "The data file has changed since the project was saved. What was seen and released of the old one "
                    "is kept, but not counted for the new one."
                ),
            )
        carried = going is GoingOn.WITH_PROJECT and before is not None and loaded_data.is_other_data(before, loaded)
        if carried and before is not None and before.path != str(reading.path):
            for words in carried_notes(self.project, Path(before.path).name, reading.path.name):
                self.noted.emit("warning", words)
        for words in reading_notes(loaded, self.told_differences):
            self.noted.emit("warning", words)

    # The file

    def new(self) -> None:
        """Forget everything and start an empty project."""
        self._replace(Session(new_project()), None)
        self.begun.emit()

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
        self.session.accept_saved(saved.project)
        self._saved = saved.project
        if not self.modified:
            self.undo_stack.setClean()
        self._place.move_to(saved.claimed)
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

        def work(progress: Progress) -> tuple[Project, SaidBeside, PlaceCheck, bool]:
            found = place.look(path)  # before it is read: what comes between is seen when it is saved
            project, said = load_project(path), SaidBeside.of_file(path)
            progress(0.5)
            return project, said, found, project.data is not None and is_outside(project.data.path, path)

        def done(read: tuple[Project, SaidBeside, PlaceCheck, bool]) -> None:
            if may_open():
                project, said, found, outside = read
                session = Session(project)
                session.state.say_beside(said)
                self._replace(session, found)
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

    def recover(self, project: Project, path: Path | None, mark: ProjectMark | None, said: SaidBeside) -> None:
        """Go on with work that was never saved to `path`, whose file had this mark, and start reading its data.

        `said` is what had been said of its table.
        """
        session = Session(project)
        session.state.say_beside(said)
        self._replace(session, None)
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
            elif is_address(source) and not is_chosen(source):
                # As above: whoever keeps a server learns who asks, and what may be read from there.
                self.failed.emit(
                    WorkbenchError(
                        f"The project reads {source.name} from a server that was not used from this computer before. "
                        "Nothing was connected to.",
                        hint=f"If you trust {Address.of(source)}, choose File, Open a database, and open it there.",
                        field="path",
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
        # Who publishes seldom changes with the project, but nobody said yet that it is so.
        session.propose_to_speak_as(self.session.state.words)
        self.session = session
        self._reads = set()
        self._place.move(found)
        self._saved = session.project
        self.undo_stack.clear()
        self.differences = Differences()
        self._tell_all()
