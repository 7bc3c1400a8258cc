"""A ledger as a table of texts: a line for each entry."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from pathlib import Path

from workbench.core.table import Column, Table
from workbench.query.ledger_entries import LedgerEntry


def ledger_table(entries: Iterable[LedgerEntry]) -> Table:
    """The ledger as a table of texts, to be written as CSV. ε and δ stand there as fractions and as decimals."""
    rows = [_row(entry) for entry in entries]
    return Table(
        tuple(Column.from_texts(name, [row[position] for row in rows]) for position, name in enumerate(_HEADINGS))
    )


def is_ledger_table(path: Path) -> bool:
    """Whether a file is such a table, by its headings."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return next(csv.reader(file), None) == list(_HEADINGS)
    except (OSError, ValueError, csv.Error):
        return False


_HEADINGS = (
    "time",
    "kind",
    "what",
    "epsilon",
    "delta",
    "epsilon exactly",
    "delta exactly",
    "rows per person",
    "claim",
    "engine",
    "neighbours",
    "cells",
    "parameters",
    "answer",
)


def _row(entry: LedgerEntry) -> tuple[str, ...]:
    charge = entry.charge
    cells = "" if charge.cells is None else f"{charge.cells.column}: {', '.join(sorted(charge.cells.values))}"
    return (
        entry.when,
        charge.kind,
        charge.what,
        repr(float(charge.epsilon)),
        repr(float(charge.delta)),
        str(charge.epsilon),
        str(charge.delta),
        str(charge.rows_per_person),
        "yes" if charge.claimed else "no",
        charge.made_by,
        charge.neighbours,
        cells,
        json.dumps(charge.public, ensure_ascii=False),
        "" if entry.answer is None else json.dumps(entry.answer, ensure_ascii=False),
    )
