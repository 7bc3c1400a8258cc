"""`workbench pseudonymise`: a copy of a file with keyed pseudonyms in the place of identifiers."""

from __future__ import annotations

import argparse
from textwrap import fill

from workbench.cli import near_data
from workbench.cli.command_output import CommandOutput, progress, with_unread
from workbench.cli.engines import add_engine, engine_at_work
from workbench.cli.export_options import add_template, use_template
from workbench.cli.files import data_path, read_file, written_file
from workbench.cli.ledgers import add_ledger
from workbench.cli.reading import add_reading, dialect
from workbench.cli.refusals import flags_named
from workbench.core.errors import WorkbenchError
from workbench.io.export_format import FORMATS, ExportFormat
from workbench.project.names_beside import statement_beside
from workbench.report.pseudonym_statement import LINKAGE, NOT_CLAIMED
from workbench.session import Session
from workbench.session.export import Targets
from workbench.session.pseudonyms import new_pseudonym_key, pseudonymiser

_MEANING = (
    "The same value gets the same pseudonym in every file that is made with the same key. The result is personal data "
    "still, and nothing is claimed of it: its statement says so, and the ledger counts a release without a claim. "
    "The key lies in a file that only you may read, and is never printed or stored anywhere else."
)
_EXAMPLE = """Once, and then for each file:

  workbench pseudonymise --new-key
  workbench pseudonymise visits.csv --column patient --leave-out name --out visits_pseudonyms.csv"""
_WIDTH = 78


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of `workbench pseudonymise`."""
    parser.description = fill(f"{parser.description} {_MEANING}", _WIDTH)
    parser.epilog = _EXAMPLE
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("file", type=data_path, nargs="?", metavar="DATA", help="the file with the rows")
    parser.add_argument(
        "--column", action="append", default=[], metavar="COL", help="a column whose values become pseudonyms"
    )
    parser.add_argument(
        "--leave-out", action="append", default=[], metavar="COL", help="a column that does not go with the file"
    )
    parser.add_argument("--out", type=written_file, metavar="FILE.csv", help="the file that is written")
    parser.add_argument(
        "--statement", type=written_file, metavar="S.html", help="what is said of it (default: beside the file)"
    )
    parser.add_argument(
        "--key", type=read_file, metavar="KEY.pem", help="the file of the key (default: one in your settings' folder)"
    )
    parser.add_argument("--new-key", action="store_true", help="make a key, once")
    parser.add_argument("--force", action="store_true", help="overwrite a file that is there; never a key")
    add_template(parser)
    add_reading(parser)
    add_engine(parser)
    add_ledger(parser)


def run(options: argparse.Namespace) -> CommandOutput:
    """Make a key, or write a file with pseudonyms."""
    if options.new_key:
        if options.file is not None:
            raise WorkbenchError(
                "A key is made by itself.", hint="Make pseudonyms with a command of its own, without it.", field="key"
            )
        path = new_pseudonym_key(options.key)
        lines = (
            f"A new key is in {path}. Keep it for yourself, and a copy of it in a safe place:",
            "without it nobody makes the same pseudonyms again, and with it anybody can tell whom they stand for.",
        )
        return CommandOutput({"key": str(path)}, lines)
    if options.file is None or options.out is None:
        raise WorkbenchError(
            "The data and the file that is written are both needed.",
            hint="Name DATA and --out, or make a key with --new-key.",
            field="file" if options.file is None else "out",
        )
    endings = [ending for one in FORMATS.values() for ending in one.suffixes]
    if options.out.suffix.lower() not in endings:
        raise WorkbenchError(
            f"What kind of file “{options.out.name}” is to be does not follow from its name.",
            hint=f"Use one of the endings {', '.join(endings)}.",
            field="out",
        )
    statement = options.statement or statement_beside(options.out)
    targets = Targets(options.out, ExportFormat.of(options.out), statement, force=options.force)
    session, told = Session(), progress()
    use_template(session, options)
    if options.ledger is not None:
        session.ledger.use_file(options.ledger)
    with engine_at_work(options) as store, flags_named():
        session.data.open(options.file, dialect(options, session), told.part(0.0, 0.4), store)
        near_data.answer(session, options)
        made = pseudonymiser(session, options.column, targets, left_out=options.leave_out, key=options.key)
        found = made(told.part(0.4, 1.0))
    data = {
        "out": str(found.path),
        "statement": str(found.statement),
        "columns": list(found.columns),
        "left_out": list(found.left_out),
        "rows_out": found.rows,
        "sha256": found.sha256,
        "claim": False,
        "reasons": [NOT_CLAIMED, *LINKAGE],
        **near_data.described(session),
    }
    said = (
        f"{found.rows:,} rows were written to {found.path}, with pseudonyms in {', '.join(found.columns)}.",
        f"What is said of it is in {found.statement}. Pass it on with the file, and never the key.",
        NOT_CLAIMED,
        *(f"  - {sentence}" for sentence in LINKAGE),
    )
    return with_unread(CommandOutput(data, said), session)
