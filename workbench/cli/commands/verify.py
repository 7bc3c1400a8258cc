"""`workbench verify`: count a released file again, independently of what made it."""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from workbench.anonymise.privacy import MODELS, ModelChoice
from workbench.cli.command_output import CommandOutput, assignments, progress, whole
from workbench.cli.engines import add_engine, engine_at_work
from workbench.cli.files import column_file, data_path, perhaps_file, read_file
from workbench.cli.versions import PAGE, SCHEMA, schema_name
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.io.export_format import DECIMAL_MARKS
from workbench.io.hierarchy_csv import read_hierarchy
from workbench.report.note import read_document
from workbench.report.page_check import PageAltered, PageOnly
from workbench.report.pseudonym_statement import OfPseudonyms
from workbench.report.recheck import Stated
from workbench.report.recheck_models import SensitiveReference
from workbench.report.signature import named_fingerprint
from workbench.session.verifying.beside import lying_beside
from workbench.session.verifying.verify import ReceivedRelease, documents_of, signature_of, verify

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
    """The released files and the options for checking them; `files` is how many may be named."""
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
    try:
        return _counted_again(options)
    except PageAltered as altered:
        data = _of_page(altered.name, altered.faults)
        words = (altered.message.partition(":")[0] + ".", *(f"  - {fault}" for fault in altered.faults), altered.hint)
        return CommandOutput(data, words, DOES_NOT_HOLD)


def _page(path: Path) -> CommandOutput | None:
    """The findings about a page that is about no release; None if this is no such page."""
    if path.suffix.lower() not in (".html", ".htm"):
        return None
    try:
        read_document(path)
    except PageOnly as found:
        data = _of_page(path.name, (), found.title, promises=found.holds)
        return CommandOutput(data, (found.message, found.hint))
    except (OfPseudonyms, PageAltered):
        raise
    except WorkbenchError:  # said with what the file was given for
        return None
    raise WorkbenchError(
        f"“{path.name}” is the statement on a file, which is not given.",
        hint=f"Give the file that it came with, and the page as --statement {path.name}.",
        field="statement",
    )


def _of_page(name: str, faults: Sequence[str], title: str = "", *, promises: bool = False) -> dict[str, Any]:
    return {
        SCHEMA: schema_name(PAGE),
        "holds": not faults,
        "page": name,
        "title": title,
        "promises": promises,
        "faults": list(faults),
    }


def _counted_again(options: argparse.Namespace) -> CommandOutput:
    alone = options.files[0] if len(options.files) == 1 and options.statement is None else None
    if alone is not None and (page := _page(alone)) is not None:
        return page
    named = "" if options.public_key is None else named_fingerprint(options.public_key)
    came_along = _found_beside(options)
    received = received_of(options)
    if not received.documents and (named or options.signature is not None):
        raise WorkbenchError(
            "A signature is one of a statement, and none is given.",
            hint="Give the statement that came with the file as --statement.",
            field="statement",
        )
    with engine_at_work(options) as store:
        found = verify(received, store, progress())
    if received.documents:
        judged = signature_of(received, found.fingerprint, named=named, file=options.signature)
        found = replace(found, signature=judged)
    return CommandOutput(found.to_json(), (*came_along, *found.lines()), 0 if found.holds else DOES_NOT_HOLD)


def _found_beside(options: argparse.Namespace) -> tuple[str, ...]:
    """Where a file was named and nothing is said about it: take the statement that lies beside it, and say so."""
    said = (options.statement, options.metadata, *options.model, *options.hierarchy)
    if any(said) or len(options.files) != 1 or not options.files[0].exists():
        return ()
    found = lying_beside(options.files[0])
    options.statement, options.metadata = found.statement, found.note
    return tuple(f"Checked with {path.name}, which lies beside it." for path in found.named[:1])


def received_of(options: argparse.Namespace) -> ReceivedRelease:
    """The release that was named, what came with it, and what the options demand of it."""
    given = tuple(options.files)
    documents = documents_of(given, [path for path in (options.statement, options.metadata) if path is not None])
    style: dict[str, Any] = {}
    if options.delimiter is not None:
        style["delimiter"] = options.delimiter.replace("\\t", "\t")
    if options.encoding is not None:
        style["encoding"] = options.encoding
    if options.decimal is not None:
        style["decimal"] = options.decimal
    return ReceivedRelease(given, documents, partial(_demanded, options), style, options.original)


def _demanded(options: argparse.Namespace, names: tuple[str, ...]) -> Stated:
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
    named = (*hierarchies, *options.group)
    return Stated(
        models=tuple(ModelChoice.parse(text) for text in options.model),
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
