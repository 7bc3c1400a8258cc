"""Counting a received release again and holding it against its statement, independently of what made it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.engines.store import Store
from workbench.io.dialect import sniff
from workbench.io.export_format import FORMATS, ExportFormat
from workbench.io.file_stamps import steady
from workbench.io.opening import file_fingerprint
from workbench.io.parts import form_of_parts, parts_of
from workbench.io.reading import read_table
from workbench.project.names_beside import note_beside, statement_beside
from workbench.report.note import StatedFile, StatementDocument, read_document
from workbench.report.proof import prove
from workbench.report.recheck import Stated
from workbench.report.recheck_files import ReleasedFiles, recheck_files
from workbench.report.signature import Judged, SignedContent, judge, signature_file, unsigned
from workbench.session.verifying.verified import Verified

Demanded: TypeAlias = Callable[[tuple[str, ...]], Stated]
"""The demands of the user on the file, given the names of its columns."""


class NothingStated(WorkbenchError):
    """There is nothing that a file could be held against."""


def _nothing_more(_names: tuple[str, ...]) -> Stated:
    return Stated()


@dataclass(frozen=True)
class ReceivedRelease:
    """A released file as it was received.

    Parameters
    ----------
    given
        The file; or a folder, a pattern or several files that are one release.
    documents
        The statement, the note, or both.
    demanded
        What must be so beyond what these say.
    style
        How the file is written, where somebody knows better than statement and file.
    original
        The table the release was made from, if that is at hand.
    """

    given: tuple[Path, ...]
    documents: tuple[StatementDocument, ...] = ()
    demanded: Demanded = _nothing_more
    style: Mapping[str, Any] = field(default_factory=dict)
    original: Path | None = None

    @property
    def named(self) -> Path:
        """The release as the names of what lies beside it follow from: the file, or what the statement calls it."""
        return self.given[0] if len(self.given) == 1 else Path(self.documents[0].stated.name)


def documents_of(given: Sequence[Path], named: Sequence[Path]) -> tuple[StatementDocument, ...]:
    """The statement and the note that were named, and the other one of the two if it lies beside.

    Raises
    ------
    WorkbenchError
        If one cannot be read or is neither.
    """
    documents = [read_document(path) for path in named]
    if len(documents) == 1:
        beside = note_beside if documents[0].page else statement_beside
        released = given[0] if len(given) == 1 else Path(documents[0].stated.name)
        places = (beside(released), named[0].with_name(beside(Path(documents[0].stated.name)).name))
        other = next((path for path in places if path.is_file() and not path.samefile(named[0])), None)
        if other is not None:
            documents.append(read_document(other))
    return tuple(documents)


def signature_of(
    received: ReceivedRelease, fingerprint: str, *, named: str = "", file: Path | None = None
) -> Judged | None:
    """The judgement on a signature; None if there is none and none is wanted.

    Parameters
    ----------
    fingerprint
        Of the release as it was counted.
    named
        The fingerprint of the key that it must be made with; "" for any.
    file
        The signature; None for the one beside the statement, if one lies there.

    Raises
    ------
    WorkbenchError
        See `judge`.
    """
    documents = list(received.documents)
    places = (*(document.path for document in documents), statement_beside(received.named))
    path = file or next((one for one in map(signature_file, places) if one.is_file()), None)
    if path is not None:
        return judge(path, SignedContent.of(documents, fingerprint), named)
    return unsigned(named) if named else None


def verify(received: ReceivedRelease, store: Store | None = None, progress: Progress = SILENT) -> Verified:
    """Count the file again, and hold it against what is demanded and stated. Of a signature see `signature_of`.

    Parameters
    ----------
    store
        The engine that counts; None for this program.

    Raises
    ------
    NothingStated
        If there is neither a statement nor a demand.
    WorkbenchError
        If a file cannot be read, or it changes meanwhile.
    """
    paths = _paths_of(received)
    # Every part of the answer is about the same bytes: the fingerprint, what is counted, the size.
    with steady(paths, again=lambda: _paths_of(received), digest=file_fingerprint):
        return _verified(received, paths, store, progress)


def _paths_of(received: ReceivedRelease) -> tuple[Path, ...]:
    return tuple(path for one in received.given for path in parts_of(one))


def _verified(received: ReceivedRelease, paths: tuple[Path, ...], store: Store | None, told: Progress) -> Verified:
    documents = list(received.documents)
    said = documents[0].stated if documents else None
    files = ReleasedFiles(paths, _style(received, paths, said), store)
    stated = _joined(received.demanded(files.heading), said)
    if not stated.models and said is None and not stated.hierarchies:
        raise NothingStated(
            "Nothing is stated about the file, so there is nothing to verify.",
            hint="Give --model k=5, or the statement that came with the file as --statement.",
            field="model",
        )
    original = None if received.original is None else _original(received.original, store, told.part(0.0, 0.4))
    fingerprint = files.fingerprint(told.part(0.4, 0.5))
    found = recheck_files(files, stated, original, fingerprint=fingerprint, progress=told.part(0.5, 1.0))
    size = sum(path.stat().st_size for path in paths)
    proof = prove(documents, found, size, len(paths)) if documents else None
    return Verified(paths, fingerprint, found, proof, original is not None, documents=received.documents)


def _style(received: ReceivedRelease, paths: tuple[Path, ...], said: StatedFile | None) -> ExportFormat:
    """How the files are written: as the person says, else as the statement says, else as the first one looks."""
    kind = FORMATS.recognised(form_of_parts(received.given[0], paths), paths[0])
    given: dict[str, Any] = {"form": kind.identifier, **received.style}
    if said is not None:
        return replace(said.style, **given)
    if kind.delimited:
        dialect = sniff(paths[0])
        encoding = "utf-8-sig" if dialect.encoding == "utf-8" else dialect.encoding
        given = {"delimiter": dialect.delimiter, "encoding": encoding, **given}
    return ExportFormat(**given)


def _joined(stated: Stated, said: StatedFile | None) -> Stated:
    """The demands, together with what the statement says."""
    if said is None:
        return stated
    hierarchies, levels = stated.hierarchies, stated.levels
    if said.chain is not None and levels:
        raise WorkbenchError(
            "The statement says at which levels the rows of each step are.",
            hint="Leave --level out.",
            field="level",
        )
    starred = {} if said.chain is not None else {name: hierarchies.get(name, _STAR) for name in said.starred}
    return replace(
        stated,
        hierarchies={**hierarchies, **starred},
        models=(*said.models, *(model for model in stated.models if model not in said.models)),
        grouped=tuple(dict.fromkeys((*said.grouped, *(stated.grouped or ())))),
        levels={
            **{name: level for name, level in said.levels.items() if name in hierarchies},
            **{name: hierarchy.height for name, hierarchy in starred.items()},
            **levels,
        },
        mixed_levels=said.mixed_levels or stated.mixed_levels,
        columns=said.columns,
        all_grouped=said.claim or stated.all_grouped,
        rows=said.rows,
        fingerprint=said.fingerprint,
        small_groups_dropped=said.sampled,
        chain=said.chain,
        told=said.told,
        # Workbooks and Parquet have numbers of their own, which may be read back in another spelling.
        by_labels=said.by_labels and said.style.kind.delimited and not (said.chain is not None and said.chain.adds),
    )


_STAR = Hierarchy.from_rows([(ANY,)])
"""The hierarchy of a column of nothing but `*`, where none is given."""


def _original(path: Path, store: Store | None, progress: Progress) -> Table:
    if store is not None:
        files = files_of(path)
        with files.steady(progress):
            return open_stored(store, files, progress).table
    return read_table(path, None, progress).table
