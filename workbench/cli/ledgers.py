"""`workbench ledger`: what was released of some data, and what is left of its budget."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from workbench.cli import near
from workbench.cli.answers import Answer, dialect, progress
from workbench.cli.engines import engine_at_work
from workbench.cli.outside import data_of
from workbench.core.composition import OPEN_PARTICIPATION
from workbench.core.errors import WorkbenchError
from workbench.core.figures import rounded_down, rounded_up
from workbench.core.near_releases import NearReleases
from workbench.core.rationals import float_above, rational
from workbench.io.atomic import atomic_write
from workbench.io.writing import write_csv
from workbench.project.storage import SUFFIX
from workbench.query.ledger import Entry, Ledger, Remaining
from workbench.query.ledger_file import files_in, ledgers_folder
from workbench.query.ledger_views import AMOUNTS_FIXED, EXTRA_DELTA, advanced, ledger_table, numerical
from workbench.report.certificate import certificate_of
from workbench.session import Session


def add_ledger(parser: argparse.ArgumentParser) -> None:
    """The flag of all commands that spend from a ledger."""
    parser.add_argument(
        "--ledger",
        type=Path,
        metavar="FILE",
        help="keep the ledger of the data in this file (default: the one in your own folder, which counts in any case)",
    )
    near.add_options(parser)


def add_options(parser: argparse.ArgumentParser) -> None:
    add_ledger(parser)
    parser.add_argument(
        "--set-budget", metavar="E,D", help="set the ε and δ that all releases together may have, once and for all"
    )
    parser.add_argument("--csv", type=Path, metavar="OUT.csv", help="write the entries as a table")
    parser.add_argument(
        "--statements", type=Path, metavar="DIR", help="write a statement on each release (HTML), to be published"
    )


def show_ledger(options: argparse.Namespace) -> Answer:
    """Say what a ledger holds; set its budget, or write it as CSV, if that is asked for."""
    ledger, found = _ledger(options)
    if options.set_budget is not None:
        ledger.set_budget(*_amounts(options.set_budget))
    history, spent = ledger.history, ledger.spent()
    if options.csv is not None:
        write_csv(
            ledger_table(history.entries),
            options.csv,
            protected=(options.file, ledger.path, *files_in(ledgers_folder())),
        )
    statements = _statements(history.entries, options, found)
    releases = [entry.released for entry in history.entries]
    data: dict[str, Any] = {
        "budget": None if history.budget is None else exactly(history.budget),
        **account(ledger),
        "advanced": exactly(advanced(releases)) if spent.bounded else None,
        "numerical": exactly(numerical(releases)) if spent.bounded else None,
        "views": {"extra_delta": float_above(EXTRA_DELTA), "holds_if": AMOUNTS_FIXED},
        "entries": [_entry(entry) for entry in history.entries],
        "statements": [str(path) for path in statements],
        "nearly_same": found.value or None,
    }
    return Answer(data, tuple(_lines(ledger, options.csv)))


def account(ledger: Ledger) -> dict[str, Any]:
    """What was spent and what is left, under the keys that every command uses."""
    spent, remaining = ledger.spent(), ledger.remaining()
    return {
        "spent": {
            **exactly(spent),
            "rows_per_person": spent.rows_per_person,
            "neighbours": spent.neighbours,
            "bounded": spent.bounded,
            "unclaimed": spent.unclaimed,
            "rows_public": spent.rows_public,
            "open_participation": spent.open_participation,
        },
        "remaining": None if remaining is None else {**exactly(remaining), "neighbours": remaining.neighbours},
    }


def account_lines(ledger: Ledger) -> list[str]:
    """The same in the sentences that every command uses."""
    spent, remaining = ledger.spent(), ledger.remaining()
    lines = [f"Spent on this data so far: ε = {rounded_up(spent.epsilon)}, δ = {rounded_up(spent.delta)}."]
    if remaining is not None:
        lines.append(f"Left: ε = {rounded_down(remaining.epsilon)}, δ = {rounded_down(remaining.delta)}.")
    lines += spent.scope
    if spent.open_participation:
        lines.append(OPEN_PARTICIPATION)
    if spent.unclaimed:
        have = "has" if spent.unclaimed == 1 else "have"
        lines.append(f"{spent.unclaimed:,} of the releases {have} no claim, so nothing bounds all of them together.")
    return lines


def _statements(entries: Sequence[Entry], options: argparse.Namespace, found: NearReleases) -> list[Path]:
    """Write the statement on each entry into the folder, if one is given."""
    folder: Path | None = options.statements
    if folder is None:
        return []
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkbenchError(
            f"The folder {folder} cannot be made: {error.strerror or error}.",
            hint="Choose a folder you may write to.",
            field="statements",
        ) from error
    written = []
    for number, entry in enumerate(entries, 1):
        path = folder / f"{number:03}_{entry.charge.kind}.html"
        with atomic_write(path, protected=(options.file,)) as stream:
            stream.write(certificate_of(entry, entries, found).page().encode())
        written.append(path)
    return written


def _ledger(options: argparse.Namespace) -> tuple[Ledger, NearReleases]:
    """The ledger of the data a file holds or a project describes, and what there is of nearly the same data."""
    file: Path = options.file
    session = Session.from_file(file) if file.suffix.lower() == SUFFIX else Session()
    if options.ledger is not None:
        session.use_ledger(options.ledger)
    data = session.project.data
    if file.suffix.lower() != SUFFIX:
        with engine_at_work(options) as store:
            session.open(file, dialect(options, session), progress(), store)
            return _settled(session, options, session.data_fingerprint)
    if data is None:
        raise WorkbenchError(f"{file.name} describes no data yet.", hint="Name the data file instead.", field="file")
    if data.content:
        return _settled(session, options, data.content)
    with engine_at_work(options, data.engine) as store:
        session.open(data_of(file, data.path), data.dialect, progress(), store)
        return _settled(session, options, session.data_fingerprint)


def _settled(session: Session, options: argparse.Namespace, fingerprint: str) -> tuple[Ledger, NearReleases]:
    near.settle(session, options, fingerprint)
    return session.ledger_of(fingerprint), session.nearly_same(fingerprint).releases


def _amounts(text: str) -> tuple[Fraction, Fraction]:
    epsilon, comma, delta = text.partition(",")
    if not comma:
        raise WorkbenchError(
            "A budget has an ε and a δ.", hint="Write --set-budget 1,1e-6, or 1,0 for none.", field="set_budget"
        )
    return rational(epsilon, "set_budget"), rational(delta, "set_budget")


def exactly(amount: Any) -> dict[str, Any]:
    """ε and δ as floats, what is left never above the truth and all else never below it, and as fractions."""
    shown = _float_below if isinstance(amount, Remaining) else float_above
    return {
        "epsilon": shown(amount.epsilon),
        "delta": shown(amount.delta),
        "exactly": {"epsilon": str(amount.epsilon), "delta": str(amount.delta)},
    }


def _float_below(value: Fraction) -> float:
    return -float_above(-value)


def _entry(entry: Entry) -> dict[str, Any]:
    charge = entry.charge
    return {
        "time": entry.when,
        "kind": charge.kind,
        "what": charge.what,
        **exactly(charge),
        "rows_per_person": charge.rows_per_person,
        "engine": charge.engine,
        "neighbours": charge.neighbours,
        "claim": charge.claimed,
        "parameters": charge.public,
        "answer": entry.answer,
        "files": [{"name": file.name, "sha256": file.sha256} for file in entry.files],
    }


def _lines(ledger: Ledger, written: Path | None) -> list[str]:
    budget = ledger.budget
    if budget is None:
        lines = ["No budget is set for this data."]
    else:
        lines = [f"Budget: ε = {rounded_down(budget.epsilon)}, δ = {rounded_down(budget.delta)}."]
    lines += account_lines(ledger)
    for entry in ledger.entries:
        charge = entry.charge
        amounts = f"ε = {rounded_up(charge.epsilon)}, δ = {rounded_up(charge.delta)}" if charge.released.spends else ""
        cost = ", ".join(part for part in (amounts, "" if charge.claimed else "no claim") if part)
        lines.append(f"  {entry.when[:19].replace('T', ' ')}  {cost}  {charge.what}")
        lines += [f"    {file.name}: SHA-256 {file.sha256}" for file in entry.files]
    if written is not None:
        lines.append(f"Written to {written}.")
    return lines
