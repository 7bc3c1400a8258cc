"""`workbench verify`: count a released file again, independently of what made it."""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.anonymise.privacy import MODELS, ModelChoice
from workbench.cli.command_output import CommandOutput, assignments, progress, whole
from workbench.cli.engines import add_engine, engine_at_work
from workbench.cli.files import column_file, data_path, perhaps_file, read_file
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.number_text import rounded_up
from workbench.core.progress import Progress
from workbench.core.table import Table
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.engines.store import Store
from workbench.io.dialect import sniff
from workbench.io.export_format import DECIMAL_MARKS, FORMATS, ExportFormat
from workbench.io.file_stamps import steady
from workbench.io.hierarchy_csv import read_hierarchy
from workbench.io.opening import file_fingerprint
from workbench.io.parts import form_of_parts, parts_of
from workbench.io.reading import read_table
from workbench.report.note import StatedFile, StatementDocument, read_document
from workbench.report.proof import NOT_SIGNED, Proof, prove
from workbench.report.recheck import Rechecked, Stated, shown_value
from workbench.report.recheck_files import ReleasedFiles, recheck_files
from workbench.report.recheck_models import SensitiveReference
from workbench.report.signature import Judged, SignedContent, judge, named_fingerprint, signature_file, unsigned
from workbench.session.file_names import note_beside, statement_beside

DOES_NOT_HOLD = 1
"""Exit code of a file that is not what is stated."""


def declare(parser: argparse.ArgumentParser) -> None:
    add_checked(parser)
    signed = parser.add_argument_group(
        "signatures",
        "A signature is looked for beside the statement, and one that is wrong is a fault. It proves that the owner of "
        "a key has signed; whose key it is you must know from elsewhere. See “workbench sign --help”.",
    )
    signed.add_argument(
        "--signature", type=read_file, metavar="S.sig.json", help="the signature, where it lies elsewhere"
    )
    signed.add_argument(
        "--public-key",
        type=perhaps_file,
        metavar="KEY",
        help="the publisher's public key, its fingerprint, or a file that holds one of them: what is not signed by it "
        "does not hold, nor does what is not signed at all",
    )


def add_checked(parser: argparse.ArgumentParser, files: str = "+") -> None:
    """What a released file is checked for; `files` is how many may be named."""
    parser.add_argument(
        "files",
        type=data_path,
        nargs=files,
        metavar="RELEASE",
        help="the file; or a folder, a pattern such as 'release/*.csv' or several files, together one release",
    )
    parser.add_argument(
        "--model",
        action="append",
        default=[],
        metavar="ID=VALUES[:COL]",
        help="a model that must hold, such as k=5, l-diversity=2:occupation or t=0.2:salary; known: " + MODELS.names(),
    )
    parser.add_argument(
        "--hierarchy",
        type=column_file,
        action="append",
        default=[],
        metavar="COL=FILE.csv",
        help="the column must hold labels of one level of this hierarchy; it is part of the grouping",
    )
    parser.add_argument("--level", action="append", default=[], metavar="COL=N", help="and of this level")
    parser.add_argument("--group", action="append", default=[], metavar="COL", help="a further column of the grouping")
    parser.add_argument("--cover", action="store_true", help="values that a hierarchy misses became * above level 0")
    parser.add_argument("--local-recoding", action="store_true", help="rows may have labels of different levels")
    parser.add_argument(
        "--all-grouped", action="store_true", help="every column must be part of the grouping, as (ε, δ) releases need"
    )
    parser.add_argument(
        "--sensitive-hierarchy",
        type=column_file,
        action="append",
        default=[],
        metavar="COL=FILE.csv",
        help="how alike its values are",
    )
    parser.add_argument("--original", type=data_path, metavar="FILE", help="the table the release was made from")
    parser.add_argument(
        "--distribution",
        type=column_file,
        action="append",
        default=[],
        metavar="COL=FILE.csv",
        help="how often each value of a sensitive column is in the table: lines of a value and a number",
    )
    parser.add_argument(
        "--statement",
        type=read_file,
        metavar="S",
        help="the statement (HTML) or note (JSON) that came with the release; its promise is computed again, and every "
        "sentence compared with what the facts in it give",
    )
    parser.add_argument(
        "--metadata",
        type=read_file,
        metavar="M.json",
        help="the note, to be compared with the statement (default: the one beside it, if there is one)",
    )
    parser.add_argument("--delimiter", metavar="SIGN", help="between cells; tab may be written as \\t")
    parser.add_argument("--encoding", metavar="NAME", help="such as utf-8 or cp1252")
    parser.add_argument("--decimal", choices=DECIMAL_MARKS, help="decimal mark of columns of numbers")
    add_engine(parser)


def run(options: argparse.Namespace) -> CommandOutput:
    """Count the file again and compare it with what the options, and the statement, say about it."""
    named = "" if options.public_key is None else named_fingerprint(options.public_key)
    documents = documents_of(options)
    if not documents and (named or options.signature is not None):
        raise WorkbenchError(
            "A signature is one of a statement, and none is given.",
            hint="Give the statement that came with the file as --statement.",
            field="statement",
        )
    with engine_at_work(options) as store:
        found = checked(options, documents, store, progress())
    if documents:
        found = replace(found, signature=_signature(options, documents, found.fingerprint, named))
    return CommandOutput(found.to_json(), tuple(found.lines()), 0 if found.holds else DOES_NOT_HOLD)


def documents_of(options: argparse.Namespace) -> list[StatementDocument]:
    """The statement and the note that were named, and the other one of the two if it lies beside."""
    named = [path for path in (options.statement, options.metadata) if path is not None]
    documents = [read_document(path) for path in named]
    if len(documents) == 1:
        beside = note_beside if documents[0].page else statement_beside
        released = options.files[0] if len(options.files) == 1 else Path(documents[0].stated.name)
        places = (beside(released), named[0].with_name(beside(Path(documents[0].stated.name)).name))
        other = next((path for path in places if path.is_file() and not path.samefile(named[0])), None)
        if other is not None:
            documents.append(read_document(other))
    return documents


def _signature(
    options: argparse.Namespace, documents: list[StatementDocument], fingerprint: str, named: str
) -> Judged | None:
    """What is found about the signature that was named, or lies beside; None if there is none and none is wanted."""
    released = options.files[0] if len(options.files) == 1 else Path(documents[0].stated.name)
    places = (*(document.path for document in documents), statement_beside(released))
    path = options.signature or next((one for one in map(signature_file, places) if one.is_file()), None)
    if path is not None:
        return judge(path, SignedContent.of(documents, fingerprint), named)
    return unsigned(named) if named else None


@dataclass(frozen=True)
class Checked:
    """A released file that was counted again, and what came with it.

    Parameters
    ----------
    paths
        The files of the release.
    fingerprint
        The SHA-256 of the file, or of those of its parts.
    found, proof, signature
        What was found about the file, the statement and its signature; None where there is none.
    original
        Whether it was compared with the table it was made from.
    """

    paths: tuple[Path, ...]
    fingerprint: str
    found: Rechecked
    proof: Proof | None
    original: bool
    signature: Judged | None = None

    @property
    def holds(self) -> bool:
        return self.found.holds and all(one is None or one.holds for one in (self.proof, self.signature))

    def to_json(self) -> dict[str, Any]:
        """As `--json` prints it."""
        signature, proof = self.signature, None if self.proof is None else self.proof.to_json()
        if proof is not None:
            proof["signed"] = signature is not None and signature.proven
        return {
            **self.found.to_json(),
            "holds": self.holds,
            "sha256": self.fingerprint,
            "files": len(self.paths),
            "original": self.original,
            "statement": proof,
            "signature": None if signature is None else signature.to_json(),
        }

    def _verdict(self) -> list[str]:
        """In one sentence; none where only the signature is wrong, which is said already."""
        if self.holds:
            return ["Everything that was stated holds."]
        if not self.found.holds:
            return ["The file is NOT what is stated."]
        agrees = self.proof is None or self.proof.holds
        return [] if agrees else ["What is stated about the file does NOT hold."]

    def lines(self) -> list[str]:
        """The same in words; what is wrong with a signature comes first."""
        signature = self.signature
        wrong = [] if signature is None or signature.holds else [signature.sentence]
        wrong += [] if signature is None else [f"  - {fault}" for fault in signature.faults]
        found = _lines(self.found, self.fingerprint, len(self.paths))
        return [*wrong, *self._verdict(), *found, *([] if self.proof is None else _proven(self.proof, signature))]


def checked(
    options: argparse.Namespace, documents: list[StatementDocument], store: Store | None, told: Progress
) -> Checked:
    """Count the file again, and hold it against the options and the documents."""
    said = documents[0].stated if documents else None
    paths = _paths_of(options.files)
    # Every part of the answer is about the same bytes: the fingerprint, what is counted, the size.
    with steady(paths, again=lambda: _paths_of(options.files), digest=file_fingerprint):
        return _verified_files(options, documents, said, paths, store, told)


def _paths_of(given: Sequence[Path]) -> tuple[Path, ...]:
    return tuple(path for one in given for path in parts_of(one))


def _verified_files(
    options: argparse.Namespace,
    documents: list[StatementDocument],
    said: StatedFile | None,
    paths: tuple[Path, ...],
    store: Store | None,
    told: Progress,
) -> Checked:
    style = _style(options, paths, said)
    files = ReleasedFiles(paths, style, store)
    stated = _stated(options, said, files.heading)
    if not stated.models and said is None and not stated.hierarchies:
        raise WorkbenchError(
            "Nothing is stated about the file, so there is nothing to verify.",
            hint="Give --model k=5, or the statement that came with the file as --statement.",
            field="model",
        )
    original = None if options.original is None else _original(options.original, store, told.part(0.0, 0.4))
    fingerprint = files.fingerprint(told.part(0.4, 0.5))
    found = recheck_files(files, stated, original, fingerprint=fingerprint, progress=told.part(0.5, 1.0))
    size = sum(path.stat().st_size for path in paths)
    proof = prove(documents, found, size, len(paths)) if documents else None
    return Checked(paths, fingerprint, found, proof, original is not None)


def _style(options: argparse.Namespace, paths: tuple[Path, ...], said: StatedFile | None) -> ExportFormat:
    """How the files are written: as the options say, else as the statement says, else as the first one looks."""
    kind = FORMATS.recognised(form_of_parts(options.files[0], paths), paths[0])
    given: dict[str, Any] = {"form": kind.identifier}
    if options.delimiter is not None:
        given["delimiter"] = options.delimiter.replace("\\t", "\t")
    if options.encoding is not None:
        given["encoding"] = options.encoding
    if options.decimal is not None:
        given["decimal"] = options.decimal
    if said is not None:
        return replace(said.style, **given)
    if kind.delimited:
        dialect = sniff(paths[0])
        encoding = "utf-8-sig" if dialect.encoding == "utf-8" else dialect.encoding
        given = {"delimiter": dialect.delimiter, "encoding": encoding, **given}
    return ExportFormat(**given)


def _stated(options: argparse.Namespace, said: StatedFile | None, names: tuple[str, ...]) -> Stated:
    hierarchies = _hierarchies(options.hierarchy, names, "--hierarchy")
    if options.cover:
        hierarchies = {name: replace(hierarchy, covers_all=True) for name, hierarchy in hierarchies.items()}
    levels = {name: whole(text, name) for name, text in assignments(options.level, names, "--level")}
    for name in levels:
        if name not in hierarchies:
            raise WorkbenchError(
                f"“{name}” has no hierarchy here, so its level cannot be checked.",
                hint=f"Give --hierarchy {name}=FILE.csv too.",
                field=name,
            )
    models = tuple(ModelChoice.parse(text) for text in options.model)
    named = (*hierarchies, *options.group)
    stated = Stated(
        models=models,
        grouped=tuple(dict.fromkeys(named)) if named else None,
        hierarchies=hierarchies,
        levels=levels,
        mixed_levels=options.local_recoding,
        all_grouped=options.all_grouped,
        sensitive_hierarchies=_hierarchies(options.sensitive_hierarchy, names, "--sensitive-hierarchy"),
        references={
            name: SensitiveReference(_distribution(Path(file)), "the given distribution")
            for name, file in assignments(options.distribution, names, "--distribution")
        },
    )
    if said is None:
        return stated
    starred = {name: hierarchies.get(name, _STAR) for name in said.starred}
    return replace(
        stated,
        hierarchies={**hierarchies, **starred},
        models=(*said.models, *(model for model in models if model not in said.models)),
        grouped=tuple(dict.fromkeys((*said.grouped, *named))),
        levels={
            **{name: level for name, level in said.levels.items() if name in hierarchies},
            **{name: hierarchy.height for name, hierarchy in starred.items()},
            **levels,
        },
        mixed_levels=said.mixed_levels or options.local_recoding,
        columns=said.columns,
        all_grouped=said.claim or options.all_grouped,
        rows=said.rows,
        fingerprint=said.fingerprint,
        small_groups_dropped=said.sampled,
    )


_STAR = Hierarchy.from_rows([(ANY,)])
"""What a column of nothing but `*` holds, where no hierarchy is given."""


def _hierarchies(pairs: list[str], names: tuple[str, ...], flag: str) -> dict[str, Hierarchy]:
    return {name: read_hierarchy(Path(file)) for name, file in assignments(pairs, names, flag)}


def _distribution(path: Path) -> dict[str, int]:
    """Rows per value from lines of a value and a number; a heading may stand above them."""
    counts: Counter[str] = Counter()
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for number, row in enumerate(csv.reader(file)):
                if not row:
                    continue
                if len(row) == 2 and row[1].strip().isdigit():
                    counts[row[0]] += int(row[1])
                elif number:
                    raise ValueError(f"line {number + 1} is no value with a number of rows")
    except (OSError, ValueError, csv.Error) as error:
        raise WorkbenchError(
            f"“{path.name}” is no distribution: {error}.",
            hint="Write one line for each value: the value, a comma, and its number of rows.",
            field="distribution",
        ) from error
    if not counts.total():
        raise WorkbenchError(f"“{path.name}” counts no rows.", field="distribution")
    return dict(counts)


def _original(path: Path, store: Store | None, progress: Progress) -> Table:
    if store is not None:
        files = files_of(path)
        with files.steady(progress):
            return open_stored(store, files, progress).table
    return read_table(path, None, progress).table


def _proven(proof: Proof, signature: Judged | None) -> list[str]:
    """What was found about the statement, in words."""
    compared = " and ".join(proof.names)
    lines = [f"  - {fault}" for fault in proof.faults]
    lines += [f"Not checked: {sentence}" for sentence in proof.unchecked]
    if proof.holds and proof.cost is not None:
        epsilon, delta = rounded_up(proof.cost.epsilon), rounded_up(proof.cost.delta)
        lines.append(f"The promise was computed again from what is stated: ε = {epsilon}, δ = {delta}.")
    if proof.holds:
        # Of a signature that does not hold it is said above, and not that there is none.
        consistent = f" {NOT_SIGNED}" if signature is None else " Consistent." if signature.holds else ""
        lines.append(f"Compared with the facts in it, word by word: {compared}.{consistent}")
    if signature is not None and signature.holds:
        lines.append(signature.sentence)
        lines += [f"Not checked: {sentence}" for sentence in signature.unchecked]
    return lines


def _lines(found: Rechecked, fingerprint: str, files: int) -> list[str]:
    """What was counted in the file, in words."""
    lines = [
        f"{found.rows:,} rows in {found.classes:,} groups of {found.smallest:,} to {found.largest:,} alike rows "
        f"(by {', '.join(found.grouped)}).",
    ]
    for check in found.models:
        choice, result = check.choice, check.found
        column = f" for {choice.column}" if choice.column else ""
        lines.append(
            f"  {'holds  ' if result.holds else 'VIOLATED'}  {choice.model.title}{column}: {shown_value(result.value)}"
            + (f". {result.note}" if result.note else "")
        )
    lines += [f"  - {fault}" for fault in found.faults]
    lines += [f"Not checked: {sentence}" for sentence in found.unchecked]
    lines.append(f"SHA-256 {fingerprint}" + (f" of those of {files:,} files" if files > 1 else ""))
    return lines
