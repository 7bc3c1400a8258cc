"""`workbench project`: making, changing, showing and checking a project, as the rooms of the window do."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench.anonymise.recipe import Treatment
from workbench.cli import column_options, column_troubles, looks, project_words
from workbench.cli.actions import add_action
from workbench.cli.command_output import CommandOutput, assignments, progress, whole, with_unread
from workbench.cli.engines import add_engine, engine_at_work, store_of
from workbench.cli.files import column_file, data_path, read_file, written_file
from workbench.cli.ledgers import add_ledger_file
from workbench.cli.outside import opened
from workbench.cli.printing import clear_progress, complain
from workbench.cli.privacy_options import amount, number
from workbench.cli.reading import add_reading, dialect
from workbench.cli.release_options import add_known
from workbench.core import flags
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.schema import PrivacyUnit, Role, UnitAnswer
from workbench.io.addresses import Address, is_address
from workbench.io.hierarchy_library import read_specification
from workbench.project import setting_paths
from workbench.project.model import Preparation, new_project
from workbench.project.storage import SUFFIX
from workbench.session import Session
from workbench.session.given_roles import seem_to_identify

_DECLARED = "declared on the command line"
_TREATMENTS = {
    "group": (Treatment.GENERALISE, "release a column as part of the grouping"),
    "keep": (Treatment.KEEP, "release a column as it is without grouping it (no (ε, δ) claim survives this)"),
    "leave_out": (Treatment.LEAVE_OUT, "do not release a column"),
}


def declare(parser: argparse.ArgumentParser) -> None:
    """The actions of the command, and their options."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    making = add_action(actions, "new", new, "make a project for a data file", plugins=True)
    making.add_argument("out", type=written_file, metavar="PROJECT.wbench")
    making.add_argument("--data", type=data_path, required=True, metavar="FILE_OR_PATTERN", help="the data")
    making.add_argument("--force", action="store_true", help="make it anew where one is there")
    add_reading(making)
    changing = add_action(actions, "set", change, "change a project", plugins=True)
    showing = add_action(actions, "show", show, "show what a project says; no data is read", plugins=True)
    checking = add_action(actions, "check", check, "say whether a project fits its data and can run", plugins=True)
    for action in (changing, showing, checking):
        action.add_argument("project", type=read_file, metavar="PROJECT.wbench")
    for action in (changing, checking):
        action.add_argument(
            "--data", type=data_path, metavar="FILE_OR_PATTERN", help="the data (default: where the project found it)"
        )
    for action in (making, changing):
        _add_settings(action)
    for action in (making, changing, checking):
        add_engine(action)
    checking.add_argument(
        "--analyst",
        action="store_true",
        help="also tell how many values hierarchies miss and which do not fit. That is a look at the data, recorded "
        "before anything is told: a release that is drawn afterwards has a claim for its choices as they are only",
    )
    add_known(checking)
    add_ledger_file(checking)


def _add_settings(parser: argparse.ArgumentParser) -> None:
    column_options.add(parser)
    hierarchies = parser.add_argument_group("hierarchies and levels")
    hierarchies.add_argument(
        "--hierarchy",
        type=column_file,
        action="append",
        default=[],
        metavar="COL=FILE",
        help="a hierarchy in ARX's form, or a specification (.json) from which it is built; its labels count as made "
        "without this data, as the publisher's word, unless --data-derived names the column",
    )
    hierarchies.add_argument(
        "--data-derived", action="append", default=[], metavar="COL", help="it was made from the data"
    )
    hierarchies.add_argument(
        "--no-hierarchy", action="append", default=[], metavar="COL", help="take its hierarchy away"
    )
    hierarchies.add_argument(
        "--suggested-hierarchies",
        action="store_true",
        help="build those that are suggested for quasi-identifying columns without one; where no column is said to be "
        "quasi-identifying, for all but those that identify people or seem to",
    )
    hierarchies.add_argument("--level", action="append", default=[], metavar="COL=N", help="level of a column, by hand")
    for name, (_, text) in _TREATMENTS.items():
        hierarchies.add_argument(f"--{name.replace('_', '-')}", action="append", default=[], metavar="COL", help=text)
    hierarchies.add_argument(
        "--suppress", action="append", default=[], metavar="COL", help="release it as * in every row"
    )
    unsaid: dict[str, Any] = {"default": None}
    group = parser.add_argument_group("who is protected, and which rows take part")
    flags.declare(group, PrivacyUnit, changes={"rows_per_person": unsaid, "person_column": unsaid})
    flags.declare(group, Preparation, changes={"where": unsaid, "sample": {**unsaid, "type": number}})
    rest = parser.add_argument_group("everything else")
    rest.add_argument("--epsilon", type=amount, metavar="E", help="ε of a release")
    rest.add_argument("--delta", type=amount, metavar="D", help="δ of a release")
    rest.add_argument(
        "--set",
        dest="settings",
        action="append",
        default=[],
        metavar="PATH=VALUE",
        help="any setting of a room, by the path that project show names, such as collect.bins=24",
    )


def new(options: argparse.Namespace) -> CommandOutput:
    """Make a project for a data file."""
    if options.out.suffix.lower() != SUFFIX:
        raise WorkbenchError(
            f"A project is a file that ends in {SUFFIX}, which “{options.out.name}” does not.",
            hint=f"Call it {options.out.with_suffix(SUFFIX).name}.",
            field="out",
        )
    if "standard-input" in options.data.name:
        raise WorkbenchError(
            "A project finds its data again, and standard input is gone afterwards.", hint="Name a file.", field="data"
        )
    if options.out.exists() and not options.force:
        raise WorkbenchError(
            f"“{options.out}” is there already.",
            hint="Change it with project set, or add --force to make it anew.",
            field="out",
        )
    session = Session(new_project())
    with engine_at_work(options) as store:
        session.data.open(_absolute(options.data), dialect(options, session), progress(), store)
        _carry_over(session, options)
        column_troubles.refuse_unsure(session, options)
        column_troubles.say(session, options)
        return with_unread(_saved(session, options.out), session)


def change(options: argparse.Namespace) -> CommandOutput:
    """Change a project."""
    with _at_work(options) as session:
        _carry_over(session, options)
        return _saved(session, options.project)


def show(options: argparse.Namespace) -> CommandOutput:
    """Show what a project says."""
    project = Session.from_file(options.project).project
    return CommandOutput(
        {"project": str(options.project), **project_words.described(project)}, tuple(project_words.lines(project))
    )


def check(options: argparse.Namespace) -> CommandOutput:
    """Say whether a project fits its data and what a run of it could claim; of its values, once they were looked at."""
    with _at_work(options) as session:
        if not options.analyst:
            return with_unread(project_words.checked(session, options.known), session)
        session.looks.take("values", lasting=True)
        return with_unread(looks.remembered(session, options, project_words.checked(session, options.known)), session)


@contextmanager
def _at_work(options: argparse.Namespace) -> Iterator[Session]:
    """The project with its data."""
    session = opened(
        options.project,
        None if options.data is None else _absolute(options.data),
        getattr(options, "ledger", None),
        progress(),
        lambda wanted: store_of(options, wanted),
    )
    yield session


def _saved(session: Session, path: Path) -> CommandOutput:
    session.save(path)
    data = {"out": str(path), **project_words.described(session.project)}
    said = (*project_words.lines(session.project), *project_words.left_out(session))
    return CommandOutput(data, (*said, f"Saved as {path}."))


def _absolute(path: Path) -> Path:
    """A project may lie elsewhere than the data, and be opened from anywhere; an address is as it is."""
    return Address.of(path).path if is_address(path) else path.expanduser().absolute()


def _carry_over(session: Session, options: argparse.Namespace) -> None:
    """Everything that was typed, in the order in which one thing builds on another."""
    column_options.carry_over(session, options)
    if said := {key: one for key, one in flags.given(PrivacyUnit, options).items() if one is not None}:
        session.data.set_unit(replace(session.project.schema.unit, **said, protected=UnitAnswer.SAID))
    if said := {key: one for key, one in flags.given(Preparation, options).items() if one is not None}:
        session.data.set_preparation(replace(session.project.preparation, **said))
    _hierarchies(session, options)
    names = session.project.schema.names
    for name, (treatment, _) in _TREATMENTS.items():
        for column in getattr(options, name):
            session.release.columns.set_treatment(column, treatment)
    for column in options.suppress:
        session.release.columns.suppress(column)
    for column, level in assignments(options.level, names, "--level"):
        session.release.columns.set_level(column, whole(level, column))
    guarantee = {name: one for name in ("epsilon", "delta") if (one := getattr(options, name)) is not None}
    if guarantee:
        session.release.set_guarantee(replace(session.project.anonymise.guarantee, **guarantee))
    for pair in options.settings:
        path, sign, text = pair.partition("=")
        if not sign:
            raise WorkbenchError(f"--set {pair} sets nothing.", hint="Write --set PATH=VALUE.", field="set")
        session.project = setting_paths.changed(session.project, path.strip(), text)
    session.data.set_preparation(session.project.preparation)  # which refuses a filter that cannot be read


def _hierarchies(session: Session, options: argparse.Namespace) -> None:
    names = session.project.schema.names
    given = assignments(options.hierarchy, names, "--hierarchy")
    for column in options.no_hierarchy:
        session.data.detach_hierarchy(column)
    for column, file in given:
        path, derived = Path(file), Provenance.DERIVED if column in options.data_derived else None
        if path.suffix.lower() == ".json":
            build = session.unseen.hierarchy_builder(column, read_specification(path), looked=session.looks.taken)
            session.data.attach_hierarchy(column, build(progress()))
            if derived is not None:
                session.data.set_provenance(column, derived, _DECLARED)
        else:
            session.data.attach_hierarchy_file(column, path, derived)
    for column in options.data_derived:
        if column not in dict(given):
            session.data.set_provenance(column, Provenance.DERIVED, _DECLARED)
    if options.suggested_hierarchies:
        wanted = [one.name for one in session.project.schema.with_role(Role.QUASI)] or _not_identifying(session)
        without = [name for name in wanted if name not in session.project.hierarchies]
        session.data.attach_hierarchies(session.data.hierarchy_suggester(without)(progress()))


def _not_identifying(session: Session) -> list[str]:
    """The columns that are coarsened where no role says which: not those that seem to identify people."""
    identifying = seem_to_identify(session)
    seem = [one.name for one in session.project.schema.columns if one.undecided and one.name in identifying]
    if seem:
        clear_progress()
        complain(
            f"No hierarchy is built for {', '.join(seem)}: they seem to identify people. Where they do not, say so "
            "with --role."
            if len(seem) > 1
            else f"No hierarchy is built for {seem[0]}: it seems to identify people. Where it does not, say so with "
            "--role."
        )
    without = {*seem, *(one.name for one in session.project.schema.with_role(Role.IDENTIFYING))}
    return [name for name in session.project.schema.names if name not in without]
