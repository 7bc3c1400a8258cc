"""A release on its way out: written, read back and counted again, described, paid for, and only then in its place."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from workbench.anonymise.claim import Claim
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table
from workbench.engines.dispatch import engine_of
from workbench.engines.writing import only_parts, refuse_parts
from workbench.io.atomic import atomic_write, check_folder_writable, check_writable
from workbench.io.export_format import ExportFormat
from workbench.io.exporting import Written, check_spare_room
from workbench.io.parts import refuse_among_parts
from workbench.query import spent as watched
from workbench.report.file_facts import FileFacts
from workbench.report.note import facts_of, write_metadata
from workbench.report.publisher import Publisher
from workbench.report.recheck import Rechecked, Stated, recheck
from workbench.report.recheck_files import ReleasedFiles, read_back, recheck_files
from workbench.report.signature import signature_file, signs_another
from workbench.report.statement import statement_body, statement_page
from workbench.session.existing_files import FileMarks, marks_of, others, refuse_others
from workbench.session.file_names import check_target

_NOTHING: Mapping[Path, FileMarks] = MappingProxyType({})


@dataclass(frozen=True)
class Targets:
    """The files that a release goes to, and how they are written.

    Parameters
    ----------
    path, style
        The file itself.
    statement, note
        The privacy statement (HTML) and the note for programs (JSON) that go with it; None for none.
    parts
        Whether the release is a folder of files rather than one file.
    force
        Whether another release that stands there may be overwritten.
    """

    path: Path
    style: ExportFormat
    statement: Path | None = None
    note: Path | None = None
    parts: bool = False
    force: bool = False

    @property
    def all(self) -> tuple[Path, ...]:
        """Everything that is written."""
        return (self.path, *self.beside)

    def overwritten(self, own: Mapping[Path, FileMarks]) -> tuple[Path, ...]:
        """The files that stand there and would be lost; `own` are those of the same release as they were written."""
        return others(self.all, own)

    @property
    def beside(self) -> tuple[Path, ...]:
        """The files that are written beside the released one."""
        return tuple(path for path in (self.statement, self.note) if path is not None)

    @property
    def _first_file(self) -> Path:
        return self.path / f"part-00000{self.style.kind.suffix}" if self.parts else self.path

    def check(self, protected: Collection[Path], own: Mapping[Path, FileMarks] = _NOTHING) -> None:
        """Refuse what cannot be written, and names under which a release would be mistaken for something else.

        Parameters
        ----------
        protected
            Files that were read, which nothing may replace.
        own
            The files of the same release as they were written, which it may replace.

        Raises
        ------
        WorkbenchError
            See `check_target`, `refuse_among_parts`, `check_writable`, `refuse_others` and `check_spare_room`.
        """
        check_target(self.path, self.statement, self.note)
        for path in (self._first_file, *self.beside):
            refuse_among_parts(path, protected)
        if self.parts:
            refuse_parts(self.style)
            check_folder_writable(self.path, only_parts, (*protected, *self.beside))
        else:
            check_writable(self.path, (*protected, *self.beside))
        for path in self.beside:
            check_writable(path, (*protected, self.path))
        self.refuse_others(own)
        check_spare_room(self.path)

    def refuse_others(self, own: Mapping[Path, FileMarks]) -> None:
        """Refuse to overwrite another release, unless that was asked for. See `existing_files.refuse_others`."""
        if not self.force:
            refuse_others(self.all, own)


@dataclass(frozen=True)
class Exported:
    """A release that left the house. `neutralised` counts the texts made safe for spreadsheets.

    `claim` is what its statement says; None for a release of privacy models. `marks` tell whether what stands there
    later is still what was written. `outdated_signatures` lie beside it and sign what stood there before. `body` and
    `page` are its statement, be it written or not, and `publisher` who speaks in it beside the program.
    """

    targets: Targets
    file: FileFacts
    claim: Claim | None = None
    marks: Mapping[Path, FileMarks] = field(default_factory=dict, repr=False)
    outdated_signatures: tuple[Path, ...] = ()
    body: str = field(default="", repr=False)
    page: str = field(default="", repr=False)
    publisher: Publisher | None = None

    @property
    def rows(self) -> int:
        return self.file.rechecked.rows

    @property
    def neutralised(self) -> int:
        return self.file.neutralised

    @property
    def rechecked(self) -> Rechecked:
        return self.file.rechecked


def signature_outdated(exported: Exported) -> list[str]:
    """That a signature beside a release is of an earlier one, and what to do; nothing if none is."""
    return [
        f"“{path.name}” lies beside it and signs what stood there before: whoever verifies this release finds that the "
        "signature does not hold. Sign it anew, or remove the old signature."
        for path in exported.outdated_signatures
    ]


@dataclass(frozen=True, eq=False)
class Export:
    """Everything an export needs, bound together; call it on any thread.

    Parameters
    ----------
    targets
        Where to.
    released
        Makes the rows that leave, in canonical form.
    stated, original
        What must be so when the file is read back, and the table it is compared with where a model needs that.
    description
        What the note says about the release.
    protected
        Files that were read, which nothing may replace.
    spend
        Writes the release into the ledger, with the file that leaves.
    claim
        What the statement says; None for a release of privacy models.
    own
        The files of the same release as they were written before, which it may replace.
    publisher
        Who speaks in its statement beside the program; None for nobody.
    """

    targets: Targets
    released: Callable[[Progress], Table]
    stated: Stated
    original: Table | None
    description: Mapping[str, Any]
    protected: Collection[Path]
    spend: Callable[[FileFacts], object]
    claim: Claim | None = None
    own: Mapping[Path, FileMarks] = field(default_factory=dict)
    publisher: Publisher | None = None

    def __call__(self, progress: Progress = SILENT) -> Exported:
        """Write everything, or nothing.

        Raises
        ------
        WorkbenchError
            If a file cannot be written, the budget does not suffice, or the file does not hold what is stated.
        Cancelled
            If the progress was cancelled.
        """
        targets = self.targets
        targets.check(self.protected, self.own)
        engine = engine_of(self.released(progress.part(0.0, 0.2)))
        found: list[FileFacts] = []
        reading, step = progress.part(0.6, 1.0), progress.part(0.2, 0.6)

        def check_file(file: BinaryIO, written: Written) -> None:
            lines, decimal = read_back(file, targets.style), targets.style.decimal
            found.append(
                self._facts(recheck(lines, self.stated, self.original, decimal=decimal, progress=reading), written)
            )

        def check_place(place: Path, written: Written) -> None:
            files = ReleasedFiles.of(place, targets.style, engine.store, own=True)
            found.append(self._facts(recheck_files(files, self.stated, self.original, progress=reading), written))

        with contextlib.ExitStack() as undo:

            def leave() -> None:
                targets.refuse_others(self.own)  # writing takes its time, and others write meanwhile
                # A statement without its file harms nobody, a file without one would: so it goes first. Statements
                # hold the fingerprint of their file, so the old one is told from the new one at any moment.
                for path in targets.beside:
                    undo.enter_context(restored_on_failure(path, unless=placed))
                self._describe(found[0])
                self.spend(found[0])

            protected, placed = (*self.protected, *targets.beside), placing(targets.path)
            try:
                engine.write(
                    targets.path,
                    targets.style,
                    parts=targets.parts,
                    protected=protected,
                    check_file=check_file,
                    check_place=check_place,
                    before=leave,
                    progress=step,
                )
            finally:
                if placed():
                    watched.written([path.name for path in targets.all])
        outdated = tuple(
            path for path in map(signature_file, targets.beside) if signs_another(path, found[0].fingerprint)
        )
        note = self._note(found[0])
        return Exported(
            targets,
            found[0],
            self.claim,
            marks_of(targets.all),
            outdated,
            statement_body(note),
            statement_page(note),
            self.publisher,
        )

    def _note(self, file: FileFacts) -> dict[str, Any]:
        return facts_of(self.description, file=file, publisher=self.publisher)

    def _facts(self, found: Rechecked, written: Written) -> FileFacts:
        """The facts about the file that was read back, if it is what was to be released."""
        wrong = list(found.faults)
        wrong += [f"{check.choice.model.title} does not hold." for check in found.models if not check.found.holds]
        if wrong:
            raise WorkbenchError(
                f"The file was read back, and it is not what was to be released: {' '.join(wrong)} Nothing was "
                "released.",
                hint="Please report this, with the settings but without the data: the program is at fault.",
                field="path",
            )
        return FileFacts(
            self.targets.path.name,
            self.targets.style,
            written.fingerprint,
            written.size,
            written.report.neutralised,
            found,
            written.parts,
        )

    def _describe(self, file: FileFacts) -> None:
        targets, note = self.targets, self._note(file)
        if targets.statement is not None:
            with atomic_write(targets.statement, protected=(*self.protected, targets.path)) as stream:
                stream.write(statement_page(note).encode())
        if targets.note is not None:
            write_metadata(targets.note, note, protected=(*self.protected, targets.path))


def placing(path: Path) -> Callable[[], bool]:
    """Whether something stands at `path` that does not stand there now, to be asked later."""

    def standing() -> tuple[int, int, int] | None:
        with contextlib.suppress(OSError):
            found = path.stat()
            return found.st_dev, found.st_ino, found.st_mtime_ns
        return None

    before = standing()
    return lambda: standing() not in (None, before)


@contextlib.contextmanager
def restored_on_failure(path: Path, *, unless: Callable[[], bool] = bool) -> Iterator[None]:
    """Whatever stands at `path` comes back if the body fails: what belongs to one file must not be another's.

    Parameters
    ----------
    unless
        Whether that file has taken its place all the same, as when Ctrl+C is pressed right then: it keeps what it has.
    """
    before = path.read_bytes() if path.is_file() else None
    try:
        yield
    except BaseException:
        if unless():
            raise
        if before is not None:
            with atomic_write(path) as stream:
                stream.write(before)
        elif path.is_file():
            path.unlink()
        raise
