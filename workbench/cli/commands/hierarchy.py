"""`workbench hierarchy`: building and checking hierarchies."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from workbench.cli import column_options, column_troubles, looks
from workbench.cli.actions import add_action
from workbench.cli.command_output import CommandOutput, progress
from workbench.cli.engines import add_engine, engine_at_work
from workbench.cli.files import data_path, read_file, written_file
from workbench.cli.refusals import flags_named
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy_checks import check
from workbench.core.interval_labels import misplaced_words
from workbench.core.schema import ColumnSpec
from workbench.core.table import Column
from workbench.io.atomic import check_writable
from workbench.io.hierarchy_csv import has_note, read_hierarchy, write_hierarchy
from workbench.io.hierarchy_library import build_from_file
from workbench.session import Session
from workbench.session.existing_files import refuse_foreign


def declare(parser: argparse.ArgumentParser) -> None:
    """The actions of the command, and their options."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    building = add_action(actions, "build", build, "build a hierarchy from its specification", plugins=True)
    building.add_argument("spec", type=read_file, metavar="SPEC.json")
    building.add_argument(
        "--out", type=written_file, required=True, metavar="H.csv", help="where to write it, in ARX's form"
    )
    building.add_argument(
        "--force", action="store_true", help="overwrite a file that is there and is no such hierarchy"
    )
    checking = add_action(actions, "check", check_file, "say whether a hierarchy fits a column", plugins=True)
    checking.add_argument("hierarchy", type=read_file, metavar="H.csv")
    for action in (building, checking):
        action.add_argument(
            "--data",
            type=data_path,
            metavar="FILE_OR_PATTERN",
            help="data whose values are to be covered; what is said then is for the analyst only",
        )
        action.add_argument("--column", metavar="C", help="column of the data")
        column_options.add_read(action)
        add_engine(action)


def build(options: argparse.Namespace) -> CommandOutput:
    """Build the hierarchy of a specification and write it as CSV."""
    with flags_named():
        if not options.force:
            refuse_foreign(options.out, has_note, "a hierarchy with the note of this program")
        check_writable(options.out)
    with _column(options) as (column, spec):
        values = () if column is None else column.values
        counts = None if column is None else column.counts
        hierarchy = build_from_file(options.spec, values, counts, spec)
    write_hierarchy(hierarchy, options.out)
    data = {
        "out": str(options.out),
        "values": len(hierarchy.values),
        "groups": list(hierarchy.groups()),
        "provenance": hierarchy.provenance.value,
        "origin": hierarchy.origin,
    }
    groups = " → ".join(f"{count:,}" for count in hierarchy.groups())
    text = f"{len(hierarchy.values):,} values, {groups} groups, {hierarchy.provenance.value}: {hierarchy.origin}"
    return CommandOutput(data, (text, f"Written to {options.out}.", *_seen(options)))


def check_file(options: argparse.Namespace) -> CommandOutput:
    """Say whether a hierarchy fits a column of a file."""
    with _column(options) as (column, spec):
        hierarchy = read_hierarchy(options.hierarchy)
        found = check(hierarchy, column, spec).as_dict()
    facts = tuple(f"{key}: {value}" for key, value in found.items() if key != "misplaced")
    return CommandOutput(found, (*facts, *filter(None, [misplaced_words(hierarchy)]), *_seen(options)))


def _seen(options: argparse.Namespace) -> tuple[str, ...]:
    """The warning about an answer that was found in data."""
    return () if options.data is None else (looks.UNRECORDED,)


@contextmanager
def _column(options: argparse.Namespace) -> Iterator[tuple[Column | None, ColumnSpec | None]]:
    """The column of the data and its description, if there is data."""
    if (options.data is None) != (options.column is None):
        raise WorkbenchError("--data and --column belong together.", hint="Give both, or none of them.", field="column")
    if options.data is None:
        yield None, None
        return
    with engine_at_work(options) as store:
        session = Session()
        session.data.open(options.data, None, progress(), store)
        column_options.carry_over(session, options)
        column_troubles.refuse_unsure(session, options, (options.column,))
        yield session.data.reading.table[options.column], session.project.schema[options.column]
