"""Files beside a release that may be earlier releases of the same table, which no ledger here counts.

Only names, notes and fingerprints are looked at, all of which were released, and the names of the columns.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from workbench.anonymise.terms import about_others
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.io.opening import file_fingerprint
from workbench.project.names_beside import FOLDER, note_beside, statement_beside
from workbench.report.note import StatedFile, read_stated
from workbench.session.existing_files import place_of
from workbench.session.free_names import SUFFIXES
from workbench.session.session import Session

ENDING = "_release"
"""The ending that a release adds to the name of its table."""
_BESIDE = ("_metadata.json", "_statement.html")


def earlier_files(session: Session, folders: Iterable[Path]) -> Callable[[Progress], tuple[Path, ...]]:
    """Look, on any thread, for what may be a release of the table that is open and is not counted.

    That is a file with a note or statement of this program all of whose columns the table has, and one that is called
    as its releases are. What the ledger knows by its bytes is counted.

    Parameters
    ----------
    folders
        Where to look, beside where the table lies and where its releases are proposed.
    """
    own, stem = session.data.place_beside
    places = (own, own / FOLDER, *folders)
    columns = frozenset(session.data.table.names)
    entries = session.ledger.current.history.told
    counted = frozenset(file.sha256 for entry in entries for file in entry.files)
    called = re.compile(rf"{re.escape(stem + ENDING)}(_[1-9][0-9]*)?({'|'.join(map(re.escape, SUFFIXES))})?")

    def look(progress: Progress) -> tuple[Path, ...]:
        found: dict[Path, Path] = {}
        with contextlib.suppress(ValueError):  # no name of a folder, as somebody may type
            for folder in dict.fromkeys(map(place_of, places)):
                for file in _of_folder(folder, columns, counted, called, progress):
                    found.setdefault(place_of(file), file)
        return tuple(found.values())

    return look


def _of_folder(
    folder: Path, columns: Collection[str], counted: Collection[str], called: re.Pattern[str], progress: Progress
) -> Iterator[Path]:
    try:
        names = sorted(one.name for one in folder.iterdir())
    except OSError:
        return  # not there, or closed to us: then nothing can be said of it
    for name in names:
        progress(0.0)
        file = folder / name
        if name.endswith(_BESIDE):
            stated = _stated(file)
            if stated is not None and stated.fingerprint not in counted and _of_these(columns, stated):
                yield folder / stated.name
        elif called.fullmatch(name) and not _has_note(file) and _print(file) not in counted:
            yield file


def _of_these(columns: Collection[str], stated: StatedFile) -> bool:
    """Whether a table with these columns may be what it was made of; a release may have columns of its own."""
    return set(stated.grouped or stated.columns) <= set(columns)


def _stated(path: Path) -> StatedFile | None:
    """The facts that a note or statement tells; None if it is neither."""
    with contextlib.suppress(WorkbenchError):
        return read_stated(path) if path.is_file() else None
    return None


def _has_note(file: Path) -> bool:
    """Whether a note or statement beside it says of its file what is asked here."""
    notes = filter(None, map(_stated, (note_beside(file), statement_beside(file))))
    return any(stated.name == file.name for stated in notes)


def _print(file: Path) -> str:
    """The fingerprint of a file; "" where it has none, as a folder of parts."""
    with contextlib.suppress(WorkbenchError, OSError):
        return file_fingerprint(file) if file.is_file() else ""
    return ""


def is_about_others(sentence: str) -> bool:
    """Whether somebody signs by it that such files do not exist."""
    return about_others(sentence)
