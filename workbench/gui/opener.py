"""Opens data and projects: asks which, shows how a file would be read, and where it is best worked on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.core.schema import Kind
from workbench.engines.choice import EngineChoice
from workbench.gui.document import IN_MEMORY, OPEN_JOB, Document
from workbench.gui.going_on import GoingOn, ask_about_next, is_same_table, is_sample, is_unrelated
from workbench.gui.project_files import may_lose_draws
from workbench.gui.settings import WindowSettings
from workbench.gui.widgets.save_place import ask_at
from workbench.io.addresses import Address, ask_with
from workbench.io.atomic import atomic_write
from workbench.project.storage import SUFFIX

if TYPE_CHECKING:
    from workbench.gui.large_data import DataSize, LargeData
    from workbench.gui.workspaces.data.import_preview import ImportPreview
    from workbench.io.column_troubles import ColumnTrouble
    from workbench.io.dialect import Dialect
    from workbench.project.differences import Differences
    from workbench.project.loading import Loaded

DATA_FILES = (
    "*.csv *.tsv *.txt *.csv.gz *.tsv.gz *.zip *.xlsx *.xlsm *.ods *.parquet *.sav *.zsav *.por *.dta *.sas7bdat *.xpt "
    "*.jsonl *.ndjson *.db *.sqlite *.sqlite3"
)


class Opener(QObject):
    """The ways into a document.

    Parameters
    ----------
    window
        Over which dialogs appear.
    may_leave
        Asks the person about unsaved work that would be replaced, in the words given; False to stay with it.
    set_aside, may_set_aside
        Keeps such work on the start page, and whether it is to be kept there without a question.

    Signals
    -------
    beginning()
        Something is about to be opened: what was said before is over.
    opened()
        Data is being read.
    resumed()
        A project is open, and its data is being read.
    """

    beginning = Signal()
    opened = Signal()
    resumed = Signal()

    def __init__(
        self,
        document: Document,
        settings: WindowSettings,
        may_leave: Callable[[str], bool],
        window: QWidget,
        set_aside: Callable[[], bool] = lambda: False,
        may_set_aside: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(window)
        self._window = window
        # Who a server refuses is asked in a dialog: nobody looks at the terminal that the window was started from.
        ask_with(None)
        document.refused_who_asked.connect(self._ask_who)
        self._document, self._settings, self._may_leave = document, settings, may_leave
        self._set_aside, self._may_set_aside = set_aside, may_set_aside

    def choose_file(self) -> bool:
        """Ask for a data file or project and open it; whether one was chosen."""
        patterns = (
            "Data and projects ({patterns})".format(patterns=f"{DATA_FILES} *{SUFFIX}"),
            "Projects ({patterns})".format(patterns=f"*{SUFFIX}"),
            "All files (*)",
        )
        chosen, _ = QFileDialog.getOpenFileName(
            self._window, "Open data or project", str(self._settings.folder), ";;".join(patterns)
        )
        if chosen:
            self.look_at(Path(chosen))
        return bool(chosen)

    def choose_folder(self) -> None:
        """Ask for a folder whose files are the parts of one table, and open it."""
        chosen = QFileDialog.getExistingDirectory(self._window, "Open a folder of parts", str(self._settings.folder))
        if chosen:
            self.look_at(Path(chosen))

    def choose_database(self, address: Address | None = None, then: Callable[[Path], object] | None = None) -> None:
        """Ask for a database on a server, or for who asks at one that refused, and open it."""
        from workbench.gui.database_dialog import DatabaseDialog

        dialog = DatabaseDialog(address, self._window)
        dialog.chosen.connect(then or self.preview)
        dialog.open()

    def paste_table(self) -> None:
        """Ask where to keep the table that is on the clipboard, so that the project finds it again, and open it."""
        text = QGuiApplication.clipboard().text()
        if not text.strip():
            told = WorkbenchError("There is no text on the clipboard.", hint="Copy the cells of a table first.")
            self._document.failed.emit(told)
            return
        place = self._settings.folder / "pasted.tsv"
        chosen, _ = ask_at(self._window, "Keep the pasted table as", place, "Tables (*.tsv *.csv *.txt)")
        if not chosen:
            return
        path = Path(chosen)

        def write(_progress: Progress) -> None:
            with atomic_write(path, "t", private=True) as file:
                file.write(text)

        self._document.runner.start(
            f"Keeping {path.name}", write, on_done=lambda _: self.look_at(path), key=OPEN_JOB, owner=self
        )

    def preview(self, path: Path) -> ImportPreview | None:
        """Open a project, or show how data would be read and let the person open it."""
        if path.suffix.lower() == SUFFIX:
            self.open(path)
            return None
        self.beginning.emit()
        return self._preview(path)

    def _preview(self, path: Path) -> ImportPreview:
        from workbench.gui.workspaces.data.import_preview import ImportPreview

        preview = ImportPreview(path, None, self._document, self._window)
        preview.applied.connect(partial(self.read, path))
        preview.refused_who_asked.connect(lambda: self.choose_database(Address.of(path)))
        preview.open()
        return preview

    def _ask_who(self, again: Callable[[], object], path: Path) -> None:
        self.choose_database(Address.of(path), lambda _: again())

    def open_recent(self, path: Path) -> None:
        """Open a project or data that was open before; what was mended then is shown again."""
        if path.suffix.lower() != SUFFIX and self._settings.was_mended(path):
            self.preview(path)
        else:
            self.look_at(path, known=True)

    def look_at(self, path: Path, *, known: bool = False) -> None:
        """Open a project or data at once; data of which there is something to decide is shown first.

        Parameters
        ----------
        known
            Whether it was open before, so that its beginning says enough.
        """
        if path.suffix.lower() == SUFFIX:
            self.open(path)
            return
        from workbench.gui.large_data import weigh
        from workbench.gui.workspaces.data.previewing import look_first

        def look(progress: Progress) -> tuple[bool, DataSize]:
            return look_first(path, progress.part(0.0, 0.9), known=known), weigh(path, progress.part(0.9, 1.0))

        def looked(seen: tuple[bool, DataSize]) -> None:
            asks, size = seen
            if asks:
                self._preview(path)
            else:
                self._weighed(path, size)

        def failed(error: BaseException) -> bool:
            if known or not isinstance(error, WorkbenchError):
                return False
            self._preview(path)  # which says why, and how it can be read otherwise
            return True

        self.beginning.emit()
        self._document.runner.start(
            f"Looking at {path.name}",
            look,
            on_done=looked,
            on_failed=failed,
            key=OPEN_JOB,
            latest_wins=True,
            owner=self,
            only_reads=True,
        )

    def open(self, path: Path) -> None:
        """Open a project or data, whichever it is, as it is recognised; large data not without asking."""
        from workbench.gui.large_data import weigh

        self.beginning.emit()
        if path.suffix.lower() == SUFFIX:
            self._open_project(path)
        else:
            # A folder may hold very many files.
            self._document.runner.start(
                f"Looking at {path.name}",
                partial(weigh, path),
                on_done=partial(self._weighed, path),
                key=OPEN_JOB,
                latest_wins=True,
                owner=self,
                only_reads=True,
            )

    def _open_project(self, path: Path) -> None:
        document = self._document
        gives_way = self._may_set_aside()
        if not gives_way and not self._may_leave(""):
            return
        asked = document.project

        def still() -> bool:
            """Whether nothing was edited while the project was read; else the person is asked about that too."""
            if gives_way:  # only now: a project that cannot be read takes no place
                return self._set_aside() or self._may_leave("")
            if document.project is asked:
                return True
            self._open_project(path)
            return False

        def opened() -> None:
            self._settings.add_recent(path)
            self.resumed.emit()

        document.open_project(path, still, opened)

    def _weighed(self, path: Path, size: DataSize) -> None:
        engine = self._document.engines.proposed(size.size)
        if engine.in_memory or not self._document.engines.wanted.in_memory:
            self.read(path, None, False, engine)
            return
        self.ask(path, size)

    def ask(self, path: Path, size: DataSize) -> LargeData:
        """Let the person say where data that is larger than the memory it may use is worked on."""
        from workbench.gui.large_data import LargeData

        dialog = LargeData(path, size, self._document, self._window)
        dialog.chosen.connect(partial(self.read, path, None, False))
        dialog.open()
        return dialog

    def read(
        self,
        path: Path,
        dialect: Dialect | None,
        strict: bool,
        engine: EngineChoice = IN_MEMORY,
        kinds: Mapping[str, Kind] | None = None,
        mended: Sequence[ColumnTrouble] = (),
    ) -> None:
        """Open data. Once it was read, the person is asked if something of the project would be lost."""
        # Before a table gives way to it, the person is asked where they are, and stays there if they say no.
        waits = self._document.has_data

        def ask(loaded: Loaded, found: Differences) -> GoingOn:
            going = self._ask_how(loaded, found)
            if waits and going is not GoingOn.NOT:
                self.opened.emit()
            return going

        self._document.open_data(path, dialect, strict=strict, engine=engine, kinds=kinds, mended=mended, ask=ask)
        self._settings.add_recent(path, mended=bool(mended or kinds))
        if not waits:
            self.opened.emit()

    def _ask_how(self, loaded: Loaded, found: Differences) -> GoingOn:
        document, name = self._document, loaded.reading.path.name
        going = self._going_on_with(loaded)
        if going is GoingOn.NOT:
            return going
        if going is GoingOn.ANEW:
            said = "the other file" if document.project.data is None else Path(document.project.data.path).name
            words = f"A new project begins with {name}. What you said of {said} is not saved yet."
        else:
            words = f"The project goes on with {name}, and what it says of columns that are not there is dropped."
            if not found.missing:
                return going if may_lose_draws(document, self._window) else GoingOn.NOT
        kept = "Exported files stay where they are, and what was released stays counted, either way."
        asked = f"{words} {kept} Save the project first?"
        return going if self._set_aside() or self._may_leave(asked) else GoingOn.NOT

    def _going_on_with(self, loaded: Loaded) -> GoingOn:
        """Whether the project goes on with a table, which another one only does where somebody wants it."""
        document = self._document
        project, path = document.project, loaded.reading.path
        if is_unrelated(project, loaded):
            return GoingOn.ANEW
        if is_same_table(project, loaded):
            return GoingOn.WITH_PROJECT
        nothing_said = document.path is None and not document.modified
        if is_sample(path) or nothing_said:
            return GoingOn.ANEW
        return ask_about_next(self._window, project, path.name)

    def move(self, engine: EngineChoice) -> None:
        """Work on the data that is open in another engine, which reads it again; without data, on the next one."""
        document = self._document
        if not document.has_data:
            document.engines.wanted = engine
            return
        if not may_lose_draws(document, self._window):
            return
        reading = document.session.data.reading
        self.beginning.emit()
        document.open_data(Path(reading.path), reading.dialect, engine=engine)
        self.opened.emit()
