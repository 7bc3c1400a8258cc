"""`workbench anonymise`: making a release."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from workbench.anonymise.recipe import Treatment
from workbench.cli import (
    column_options,
    column_troubles,
    export_options,
    level_options,
    model_search,
    near_data,
    privacy_options,
    refusals,
    series_options,
    trim_options,
    trim_plan,
)
from workbench.cli.command_output import CommandOutput, assignments, derived_with_hierarchy, progress, whole
from workbench.cli.engines import add_data, add_engine, engine_at_work
from workbench.cli.export_options import targets_of, use_template
from workbench.cli.files import column_file, written_file
from workbench.cli.ledgers import add_ledger
from workbench.cli.privacy_options import number
from workbench.cli.reading import add_reading, dialect
from workbench.cli.refusals import flags_named
from workbench.cli.release_options import (
    add_after,
    add_analyst,
    add_chosen,
    add_known,
    make_release,
    refuse_after_with_models,
)
from workbench.core import flags
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.number_text import rounded_up
from workbench.core.schema import PrivacyUnit
from workbench.core.usual_delta import SUITED
from workbench.engines.store import Store
from workbench.project.model import GuaranteeSettings, Preparation, new_project
from workbench.session import Session


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    add_data(parser)
    parser.add_argument(
        "--hierarchy",
        type=column_file,
        action="append",
        default=[],
        metavar="COL=FILE.csv",
        help="generalise a column by a hierarchy file; the column becomes part of the grouping. The labels "
        "count as made without this data, and the statement says so as the publisher's word, unless --data-derived "
        "names the column or the note beside the file says otherwise",
    )
    parser.add_argument(
        "--level",
        action="append",
        default=[],
        metavar="COL=N",
        help="level of a column with a hierarchy, 0 = values as they are (default: 1)",
    )
    parser.add_argument(
        "--data-derived",
        action="append",
        default=[],
        metavar="COL",
        help="the hierarchy of this column was made from the data, so no (ε, δ) claim survives its labels",
    )
    parser.add_argument(
        "--group",
        action="append",
        default=[],
        metavar="COL",
        help="release a column without a hierarchy as it is, as part of the grouping",
    )
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="COL",
        help="release a column as it is without grouping it (no (ε, δ) claim survives this)",
    )
    parser.add_argument(
        "--suppress",
        action="append",
        default=[],
        metavar="COL",
        help="release a column as * in every row; a search leaves it so",
    )
    parser.add_argument("--cover", action="store_true", help="values that a hierarchy misses become * above level 0")
    flags.declare(parser, PrivacyUnit, ("person_column",))
    flags.declare(parser, Preparation, changes={"sample": {"type": number}})
    add_reading(parser)
    add_engine(parser)
    column_options.add(parser)
    privacy_options.add(parser)
    level_options.add(parser)
    trim_options.add(parser)
    model_search.add_options(parser)
    parser.add_argument("--out", type=written_file, metavar="OUT.csv", help="the release")
    parser.add_argument("--statement", type=written_file, metavar="S.html", help="the privacy statement")
    export_options.add_options(parser)
    parser.add_argument("--seed", type=int, metavar="N", help="make a repeatable simulation: no claim is made")
    add_analyst(parser)
    add_chosen(parser)
    add_known(parser)
    add_after(parser)
    series_options.add(parser)
    refusals.add_options(parser)
    add_ledger(parser)


def run(options: argparse.Namespace) -> CommandOutput:
    """Make an (ε, δ) release of a file, or one of privacy models."""
    with engine_at_work(options) as store:
        return _anonymised(options, store)


def _anonymised(options: argparse.Namespace, store: Store | None) -> CommandOutput:
    session = Session(new_project())
    if options.ledger is not None:
        session.ledger.use_file(options.ledger)
    use_template(session, options, written=options.statement or options.metadata)
    told = progress()
    if options.plan:
        trim_plan.refuse_to_plan(options)
        trim_plan.open_header(session, options.file, dialect(options, session))
    else:
        session.data.open(options.file, dialect(options, session), told.part(0.0, 0.5), store)
        near_data.answer(session, options)
    names = session.data.reading.table.names
    column_options.carry_over(session, options)
    session.data.set_unit(PrivacyUnit(**flags.given(PrivacyUnit, options)))
    session.data.set_preparation(Preparation(**flags.given(Preparation, options)))
    hierarchies = assignments(options.hierarchy, names, "--hierarchy")
    _check_columns(options, {name for name, _ in hierarchies})
    for name, file in hierarchies:
        derived = Provenance.DERIVED if name in options.data_derived else None
        session.data.attach_hierarchy_file(name, Path(file), derived)
        if options.cover and (options.model or not trim_options.means_trimming(options)):
            # Where groups are trimmed, what a hierarchy misses is * by rule, and what is missed is not looked for.
            session.data.cover(name)
    for name, level in assignments(options.level, names, "--level"):
        session.release.columns.set_level(name, whole(level, name))
    for name in options.suppress:
        session.release.columns.suppress(name)
    for chosen, treatment in ((options.group, Treatment.GENERALISE), (options.keep, Treatment.KEEP)):
        for name in chosen:
            session.release.columns.set_treatment(name, treatment)
    if not options.plan:
        promising = not (options.model or options.without_claim or options.seed is not None)
        column_troubles.refuse_unsure(session, options, _as_read(session, options), unseen=promising)
        if not promising:  # of other columns nothing comes out, and one row may bring it about
            column_troubles.say(session, options, numbers=True)
    session.release.set_seed(options.seed)
    if options.model:
        level_options.refuse_with_models(options)
        series_options.refuse_with_models(options)
        refuse_after_with_models(options)
        return model_search.anonymise(session, options, told.part(0.5, 1.0))
    if options.local_recoding:
        raise model_search.no_local_claim()
    usual = _usual_guarantee(options)
    _require_guarantee(options)
    session.release.set_guarantee(GuaranteeSettings(**flags.given(GuaranteeSettings, options)))
    level_options.carry_over(session, options)
    trim_options.carry_over(session, options)
    if options.plan:
        return series_options.with_plan(
            _with_usual(trim_plan.planned(session, options), usual), series_options.plan(session, options)
        )
    named = " ".join(f"--group {shlex.quote(name)}" for name in options.keep)
    advice = f"{named} instead of --keep puts it into the grouping as it is." if named else ""
    targets = targets_of(options, options.out)
    without_claim = options.without_claim or options.seed is not None  # a simulation is not asked for a claim
    with flags_named(advice):
        session.release.refuse_before_drawing(
            targets,
            without_claim=without_claim,
            chosen=options.chosen,
            known=options.known,
            left_out=options.leave_out_after,
        )
        planned = series_options.plan(session, options)
        answer = make_release(
            session,
            targets,
            told.part(0.5, 1.0),
            without_claim=without_claim,
            analyst=options.analyst,
            chosen=options.chosen,
            known=options.known,
            left_out=options.leave_out_after,
            one_level=options.one_level,
        )
    if advice and not answer.data["claim"]:
        answer = answer.also(advice)
    return series_options.with_plan(_with_usual(answer, usual), planned)


def _usual_guarantee(options: argparse.Namespace) -> dict[str, float]:
    """The ε and δ that are meant where groups are trimmed and none is given, which are the window's."""
    if not trim_options.means_trimming(options):
        return {}
    usual = GuaranteeSettings()
    taken = {name: getattr(usual, name) for name in ("epsilon", "delta") if getattr(options, name) is None}
    for name, value in taken.items():
        setattr(options, name, value)
    return taken


def _with_usual(answer: CommandOutput, usual: dict[str, float]) -> CommandOutput:
    """The answer with the ε and δ that nobody typed."""
    if not usual:
        return answer
    symbols = {"epsilon": "ε", "delta": "δ"}
    taken = " and ".join(f"{symbols[name]} = {rounded_up(value)}" for name, value in usual.items())
    said = f"Nobody typed it, so {taken} was taken."
    if "delta" in usual:
        said += f" Such a δ is for up to {SUITED:,} people; for more, give 1 divided by a hundred times their number."
    return answer.also(said, usual=sorted(usual))


def _as_read(session: Session, options: argparse.Namespace) -> list[str]:
    """The columns whose values come out, or are judged, as they are read; a hierarchy has labels of its own."""
    columns, hierarchies = session.release.columns, session.project.hierarchies
    out = [
        name
        for name in session.project.schema.names
        if columns.treatment(name) is not Treatment.LEAVE_OUT and name not in hierarchies
    ]
    return out + [model.partition(":")[2].partition("=")[0] for model in options.model]


def _require_guarantee(options: argparse.Namespace) -> None:
    for name, symbol in (("epsilon", "ε"), ("delta", "δ"), ("out", "the file to write")):
        if getattr(options, name) is None and not (options.plan and name == "out"):
            raise WorkbenchError(
                f"--{name} is missing: {symbol}.",
                hint="Give --epsilon, --delta and --out for an (ε, δ) release, or --model for a syntactic one.",
                field=name,
            )


def _check_columns(options: argparse.Namespace, with_hierarchy: set[str]) -> None:
    """Refuse what is said twice about a column, or about a hierarchy that is not there."""
    derived_with_hierarchy(options.data_derived, with_hierarchy)
    said = [("--hierarchy", name) for name in sorted(with_hierarchy)]
    said += [("--group", name) for name in options.group] + [("--keep", name) for name in options.keep]
    # A column that is suppressed may bring the hierarchy whose top level that is.
    said += [("--suppress", name) for name in options.suppress if name not in with_hierarchy]
    first: dict[str, str] = {}
    for flag, name in said:
        if first.setdefault(name, flag) != flag:
            raise WorkbenchError(
                f"Column “{name}” is given both {first[name]} and {flag}.",
                hint="Use one of them for a column.",
                field=name,
            )
