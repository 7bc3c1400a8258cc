"""`workbench ledger`: what was released of some data, and what is left of its budget."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from typing import Any

from workbench.cli import ledger_plans, near_data
from workbench.cli.command_output import CommandOutput, progress
from workbench.cli.engines import add_engine, engine_at_work
from workbench.cli.export_options import add_template, template_of
from workbench.cli.files import data_path, written_file, written_folder
from workbench.cli.ledgers import account, account_lines, add_ledger, counted_twice, exactly
from workbench.cli.outside import data_of
from workbench.cli.query_totals import price_text
from workbench.cli.reading import add_reading, dialect
from workbench.cli.refusals import flags_named
from workbench.core.amount_text import read_amount
from workbench.core.charged_mechanism import mechanism_to_json
from workbench.core.errors import WorkbenchError
from workbench.core.near_releases import NearReleases
from workbench.core.number_text import rounded_down, rounded_up
from workbench.core.rationals import float_above
from workbench.io.atomic import atomic_write, check_writable, folder_for
from workbench.io.protected_files import refuse_protected
from workbench.io.writing import write_csv
from workbench.project.storage import SUFFIX
from workbench.query.composed_views import (
    AMOUNTS_FIXED,
    CHOSEN_MEANWHILE,
    EXTRA_DELTA,
    composed_views,
)
from workbench.query.ledger import Ledger, LedgerEntry
from workbench.query.ledger_table import is_ledger_table, ledger_table
from workbench.query.recorded_look import AFTER_LOOK, RecordedLook
from workbench.report.certificate import certificate_of
from workbench.report.page import is_page
from workbench.report.publisher import Publisher
from workbench.session import Session
from workbench.session.earlier_rows import counted_entries
from workbench.session.existing_files import refuse_foreign
from workbench.session.export import restored_on_failure
from workbench.session.noise_alone import told_with_noise


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("file", type=data_path, metavar="FILE_OR_PROJECT")
    add_engine(parser)
    add_reading(parser)
    add_ledger(parser)
    parser.add_argument(
        "--set-budget", metavar="E,D", help="set the ε and δ that all releases together may have, once and for all"
    )
    parser.add_argument(
        "--filter",
        nargs="?",
        const="",
        metavar="ORDER",
        help="keep the budget that is set by a Rényi filter of this order (default: one that suits it), in which many "
        "small releases take less than their sum, also where settings follow from answers",
    )
    parser.add_argument(
        "--plan",
        action="append",
        default=[],
        metavar="TIMES,E,D",
        help="fix so many releases of (ε, δ) before the first of them is made; all of a command are one plan",
    )
    parser.add_argument(
        "--plan-sampling",
        action="append",
        default=[],
        metavar="TIMES,E,BETA,K",
        help="the same for releases by sampling with β and suppression below k, whose δ follows from these",
    )
    parser.add_argument(
        "--plan-delta", metavar="D", help="the δ of the whole plan (default: the sum of those of its releases)"
    )
    parser.add_argument("--csv", type=written_file, metavar="OUT.csv", help="write the entries as a table")
    parser.add_argument(
        "--statements",
        type=written_folder,
        metavar="DIR",
        help="write a statement on each release (HTML), to be published",
    )
    add_template(parser)
    parser.add_argument(
        "--force", action="store_true", help="overwrite a file that is there and was not written by this command"
    )


def run(options: argparse.Namespace) -> CommandOutput:
    """Say what a ledger holds; set its budget, or write it as CSV, if that is asked for."""
    if options.csv is not None:
        with flags_named():
            if not options.force:
                refuse_foreign(options.csv, is_ledger_table, "a table of a ledger")
            check_writable(options.csv)
    said = template_of(options, "--statements DIR", written=options.statements)
    ledger, found, rows = _ledger(options)
    pages = _pages(ledger, options)
    order = options.filter
    if options.set_budget is not None:
        epsilon, delta = _amounts(options.set_budget)
        ledger.set_budget(epsilon, delta, ledger_plans.order_of(order, epsilon, delta))
    elif order is not None:
        raise WorkbenchError(
            "A filter is fixed with the budget.", hint="Name the budget too: --set-budget 3,1e-5.", field="filter"
        )
    ledger_plans.make(ledger, options, rows)
    history, spent = ledger.history, ledger.spent()
    if options.csv is not None:
        write_csv(ledger_table(told_with_noise(history.told)), options.csv, protected=(ledger.path,))
    statements = _statements(history.told, pages, options.statements, found, None if said is None else said.publisher)
    views = composed_views(history.released) if spent.bounded else None
    data: dict[str, Any] = {
        "budget": None if history.budget is None else exactly(history.budget),
        **account(ledger),
        "advanced": None if views is None else exactly(views.advanced),
        "numerical": None if views is None else exactly(views.numerical),
        "views": {
            "extra_delta": float_above(EXTRA_DELTA),
            "holds_if": AMOUNTS_FIXED,
            "not_quoted": CHOSEN_MEANWHILE if spent.bounded and views is None else None,
        },
        "prices": ledger_plans.prices(history),
        "plans": ledger_plans.plans(history.entries),
        "entries": [_entry(entry) for entry in history.told],
        "looks": [{"time": look.when, "what": _seen(look)} for look in history.looks],
        "statements": [str(path) for path in statements],
        "nearly_same": found.value or None,
    }
    return CommandOutput(data, tuple(_lines(ledger, options.csv)))


def _pages(ledger: Ledger, options: argparse.Namespace) -> list[Path]:
    """Where the statements on the entries go to, none of which may take the place of something else."""
    folder: Path | None = options.statements
    if folder is None:
        return []
    pages = [
        folder / f"{number:03}_{entry.charge.kind}.html"
        for number, entry in enumerate(_published(ledger.history.told), 1)
    ]
    with flags_named():
        for page in pages:
            refuse_protected(page, (ledger.path,))
            if not options.force:
                refuse_foreign(page, is_page, "a statement of this program")
    return pages


def _published(entries: Sequence[LedgerEntry]) -> list[LedgerEntry]:
    """The entries that a statement is about: a plan releases nothing by itself."""
    return [entry for entry in entries if not entry.charge.slots]


def _statements(
    entries: Sequence[LedgerEntry],
    pages: list[Path],
    folder: Path | None,
    found: NearReleases,
    publisher: Publisher | None,
) -> list[Path]:
    """Write the statement on each entry into the folder, if one is given: all of them, or none."""
    if folder is not None:
        with folder_for(folder, "statements"), ExitStack() as undo:
            for page, entry in zip(pages, _published(entries), strict=True):
                undo.enter_context(restored_on_failure(page))
                with atomic_write(page) as stream:
                    stream.write(certificate_of(entry, entries, found).page(publisher).encode())
    return pages


def _ledger(options: argparse.Namespace) -> tuple[Ledger, NearReleases, int]:
    """The ledger of the data a file holds or a project describes, what there is of nearly the same data, and the rows
    that one person may have.
    """
    file: Path = options.file
    session = Session.from_file(file) if file.suffix.lower() == SUFFIX else Session()
    if options.ledger is not None:
        session.ledger.use_file(options.ledger)
    data = session.project.data
    if file.suffix.lower() != SUFFIX:
        with engine_at_work(options) as store:
            session.data.open(file, dialect(options, session), progress(), store)
            return _settled(session, options, session.data.fingerprint)
    if data is None:
        raise WorkbenchError(f"{file.name} describes no data yet.", hint="Name the data file instead.", field="file")
    if data.content:
        return _settled(session, options, data.content)
    with engine_at_work(options, data.engine) as store:
        session.data.open(data_of(file, data.path), data.dialect, progress(), store)
        return _settled(session, options, session.data.fingerprint)


def _settled(session: Session, options: argparse.Namespace, fingerprint: str) -> tuple[Ledger, NearReleases, int]:
    near_data.answer(session, options, fingerprint)
    rows = session.project.schema.unit.rows_per_person
    return session.ledger.of(fingerprint), session.ledger.nearly_same(fingerprint).releases, rows


def _amounts(text: str) -> tuple[Fraction, Fraction]:
    epsilon, comma, delta = text.partition(",")
    if not comma:
        raise WorkbenchError(
            "A budget has an ε and a δ.", hint="Write --set-budget 1,1e-6, or 1,0 for none.", field="set_budget"
        )
    return read_amount(epsilon, "set_budget"), read_amount(delta, "set_budget")


def _entry(entry: LedgerEntry) -> dict[str, Any]:
    charge = entry.charge
    return {
        "time": entry.when,
        "kind": charge.kind,
        "what": entry.what,
        **exactly(charge),
        "rows_per_person": charge.rows_per_person,
        "engine": charge.made_by,
        "neighbours": charge.neighbours,
        "claim": charge.claimed,
        "after_look": AFTER_LOOK if entry.after_look else "",
        "number_known": entry.number_known.value,
        "parameters": charge.public,
        "mechanism": mechanism_to_json(charge.drawn),
        "in_plan": None if charge.slot is None else charge.slot[0],
        "answer": entry.answer,
        "files": [{"name": file.name, "sha256": file.sha256} for file in entry.files],
        "claimed_together": None
        if entry.together is None
        else {"releases": entry.together.releases, **exactly(entry.together)},
    }


def _seen(look: RecordedLook) -> str:
    """The subject of a look; of a result only a digest of its settings is recorded, which tells nobody anything."""
    return look.recipe if look.recipe.isalpha() else "a result"


def _lines(ledger: Ledger, written: Path | None) -> list[str]:
    budget = ledger.budget
    if budget is None:
        lines = ["No budget is set for this data."]
    else:
        lines = [f"Budget: ε = {rounded_down(budget.epsilon)}, δ = {rounded_down(budget.delta)}."]
    lines += account_lines(ledger)
    lines += ledger_plans.lines(ledger.history)
    known, rows = ledger.history.number_known, ledger.spent().rows_per_person
    counted = counted_entries(ledger.history.entries, rows, known=bool(known))
    for entry in ledger.history.told:
        charge = entry.charge
        amounts = f"ε = {rounded_up(charge.epsilon)}, δ = {rounded_up(charge.delta)}" if charge.released.spends else ""
        if amounts and entry.id in counted and charge.rows_per_person < rows:
            price = price_text(*counted[entry.id])
            public = f"; the number of {known.value} is known" if known else ""
            amounts += f" (counts as {price}, as others are for persons with up to {rows:,} rows{public})"
        elif amounts and known:
            amounts += f" ({counted_twice(charge.released, known)})"
        paid = "paid by a plan" if charge.slot is not None else ""
        claim = "no claim" if not charge.claimed else "on the asker's word" if entry.after_look else ""
        cost = ", ".join(part for part in (amounts, paid, claim) if part)
        lines.append(f"  {entry.when[:19].replace('T', ' ')}  {cost}  {entry.what}")
        lines += [f"    {file.name}: SHA-256 {file.sha256}" for file in entry.files]
    lines += [f"  {look.when[:19].replace('T', ' ')}  look at the data: {_seen(look)}" for look in ledger.history.looks]
    if any(entry.after_look for entry in ledger.history.told):
        lines.append(AFTER_LOOK)
    if written is not None:
        lines.append(f"Written to {written}.")
    return lines
