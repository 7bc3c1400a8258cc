"""The files beside a release that was received, and verifying it with nothing said but where it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.io.export_format import FORMATS
from workbench.io.hierarchy_csv import read_hierarchy
from workbench.io.hierarchy_files import column_named
from workbench.project.names_beside import note_beside, statement_beside
from workbench.report.note import StatementDocument, read_document
from workbench.report.recheck import Stated
from workbench.report.signature import named_fingerprint, signature_file
from workbench.session.verifying.verified import Verified
from workbench.session.verifying.verify import NothingStated, ReceivedRelease, documents_of, signature_of, verify

_DOCUMENTS = (".html", ".htm", ".json")
_PART = "part-"
_MOST_FILES = 400
"""So many files of a folder are looked at for one that speaks of the release."""


def endings() -> tuple[str, ...]:
    """How names of releases and of their statements end, each with its full stop."""
    return (*(suffix for one in FORMATS.values() for suffix in one.suffixes), *_DOCUMENTS)


@dataclass(frozen=True)
class ReceivedFiles:
    """A released file and what came with it, as far as it lies beside.

    Parameters
    ----------
    release
        The file, or the folder of its parts.
    statement, note, signature
        What goes with it; None where there is none.
    """

    release: Path
    statement: Path | None = None
    note: Path | None = None
    signature: Path | None = None

    @property
    def named(self) -> tuple[Path, ...]:
        """The statement and the note, as far as they are there."""
        return tuple(path for path in (self.statement, self.note) if path is not None)

    def beside(self, document: Path) -> ReceivedFiles:
        """The same with a statement or a note that lies elsewhere.

        Raises
        ------
        WorkbenchError
            If it is neither.
        """
        page = bool(read_document(document).page)
        statement, note = (document, None) if page else (None, document)
        return replace(self, statement=statement, note=note, signature=_signature(statement, note))


def received_files(path: Path) -> ReceivedFiles:
    """Find what belongs together, from the released file, its statement, its note or its signature.

    Raises
    ------
    WorkbenchError
        If a statement was named and the file it is about does not lie beside it.
    """
    path = path.absolute()
    if path.name.endswith(".sig.json"):
        stem = path.name.removesuffix(".sig.json")
        signed = (path.with_name(stem + ending) for ending in (".html", ".json"))
        path = next((one for one in signed if one.is_file()), path)
    if path.suffix.lower() in _DOCUMENTS and path.is_file():
        release = path.with_name(read_document(path).stated.name)  # also says so of one on a file with pseudonyms
        if not release.exists():
            raise WorkbenchError(
                f"“{path.name}” is about “{release.name}”, which does not lie beside it.",
                hint="Put both into one folder, or choose the file itself and then its statement.",
                field="path",
            )
        found = _beside(release)
        return found if path in found.named else found.beside(path)
    whole = path.parent  # one part of a release says nothing without the others
    return _beside(whole if path.name.startswith(_PART) and statement_beside(whole).is_file() else path)


def verify_received(
    files: ReceivedFiles,
    *,
    original: Path | None = None,
    hierarchies: Sequence[Path] = (),
    key: str = "",
    progress: Progress = SILENT,
) -> Verified:
    """Verify a release with its statement, note and signature, for any thread.

    Parameters
    ----------
    original
        The table it was made from.
    hierarchies
        Files of hierarchies; to which column one belongs follows from its name.
    key
        The publisher's public key, its fingerprint, or a file that holds one of them; "" for any.

    Raises
    ------
    NothingStated
        If there is no statement and no note.
    WorkbenchError
        If something cannot be read.
    """
    if not files.named:
        raise NothingStated(
            f"Beside “{files.release.name}” lies no statement, so nothing is stated that could be checked.",
            hint="Choose the statement that came with it. Ask the publisher for one if none did.",
            field="statement",
        )
    named = named_fingerprint(key) if key.strip() else ""
    given = (files.release,)
    documents = documents_of(given, files.named)
    received = ReceivedRelease(given, documents, partial(_demanded, tuple(hierarchies)), original=original)
    found = verify(received, progress=progress)
    return replace(found, signature=signature_of(received, found.fingerprint, named=named, file=files.signature))


def _demanded(hierarchies: Sequence[Path], names: tuple[str, ...]) -> Stated:
    """That columns hold labels of these hierarchies; at which levels is stated."""
    found: Mapping[str, Hierarchy] = {_column(path, names): read_hierarchy(path) for path in hierarchies}
    return Stated(hierarchies=found, grouped=tuple(found) or None)


def _column(path: Path, names: Sequence[str]) -> str:
    name = column_named(path, names)
    if name is None:
        raise WorkbenchError(
            f"To which column “{path.name}” belongs does not follow from its name.",
            hint=f"Name it after its column, such as hierarchy_{re.sub(r'[^0-9A-Za-z]+', '_', names[0])}.csv.",
            field="hierarchy",
        )
    return name


def lying_beside(release: Path) -> ReceivedFiles:
    """The files beside a released file that was named alone.

    Raises
    ------
    WorkbenchError
        If several statements of other names speak of it, or several notes where no statement does: which came with it
        must be said.
    """
    release = release.absolute()
    if not statement_beside(release).is_file():
        speaking = _speaking_of(release)
        pages = [one.path.name for one in speaking if one.page]
        notes = [] if note_beside(release).is_file() else [one.path.name for one in speaking]
        if len(names := pages or notes) > 1:
            what = "statements" if pages else "notes"
            raise WorkbenchError(
                f"Several {what} beside “{release.name}” are about a file of that name: {', '.join(names)}.",
                hint="Give the one that came with it: by “Choose statement…”, or in a command as "
                f"--statement {names[0]}.",
                field="statement",
            )
    return _beside(release)


def _beside(release: Path) -> ReceivedFiles:
    statement, note = (path if path.is_file() else None for path in (statement_beside(release), note_beside(release)))
    if statement is None and note is None:
        speaking = _speaking_of(release)
        statement = next((one.path for one in reversed(speaking) if one.page), None)
        notes = [one.path for one in speaking if not one.page]
        # Beside a statement, of several notes none is known to be its own; it says all that they do.
        note = notes[-1] if len(notes) == 1 or (statement is None and notes) else None
    return ReceivedFiles(release, statement, note, _signature(statement, note))


def _speaking_of(release: Path) -> list[StatementDocument]:
    """Statements and notes of other names in the same folder that are about this file."""
    found = []
    for path in sorted(release.parent.iterdir())[:_MOST_FILES]:
        if path.suffix.lower() in _DOCUMENTS and path.is_file():
            try:
                document = read_document(path)
                if document.stated.name == release.name:
                    found.append(document)
            except WorkbenchError:
                continue
    return found


def _signature(*documents: Path | None) -> Path | None:
    places = (signature_file(path) for path in documents if path is not None)
    return next((path for path in places if path.is_file()), None)
