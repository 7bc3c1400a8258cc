"""More than one report per person: what it costs, and how to have only one.

ε of a local protocol is what one report may reveal. A person who reports c times reveals up to c·ε: whatever holds
for each of their reports adds up (basic composition), also if all reports are about the same value.

Whether it is hidden who reports is in `participation`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.kinds import is_missing
from workbench.core.number_text import rounded_up
from workbench.core.randomness import RandomSource
from workbench.core.schema import ColumnSpec, Role, Schema, UnitAnswer
from workbench.core.table import Table
from workbench.core.working_table import limited

HIDDEN = "Which answer a person who reports gave is hidden; that they report is not."
"""Meaning of ε where values decide who reports, and wherever nothing says that they do not."""


@dataclass(frozen=True)
class PersonBudget:
    """The ε that a person gives away.

    Parameters
    ----------
    report
        ε of one report, see `Randomiser.spent`.
    reports
        Reports of one person at most: declared, never counted in the data.
    """

    report: Fraction
    reports: int

    @property
    def person(self) -> Fraction:
        """ε of everything one person reports."""
        return self.report * self.reports

    @property
    def text(self) -> str:
        """The ε of a report and of a person, in words."""
        one = rounded_up(self.report)
        if self.reports == 1:
            return f"ε = {one} for each person, who reports once."
        all_together = rounded_up(self.person)
        return f"ε = {one} for each report; a person with up to {self.reports:,} reports has ε = {all_together}."


def person_column(schema: Schema, table: Table) -> str:
    """The column that tells persons apart; "" if there is none.

    Before anybody was asked, it was the only identifying one where none was declared.
    """
    if schema.unit.person_column or schema.unit.protected is not UnitAnswer.BY_ROLE:
        return schema.unit.person_column
    identifying = [spec.name for spec in schema.with_role(Role.IDENTIFYING) if spec.name in table]
    return identifying[0] if len(identifying) == 1 else ""


def person_spec(schema: Schema, table: Table) -> ColumnSpec:
    """The column that tells persons apart, so that each of them can be asked once.

    Raises
    ------
    WorkbenchError
        If no column says who is who.
    """
    name = person_column(schema, table)
    if not name:
        raise WorkbenchError(
            "No column says which rows are one person's, so one report per person cannot be seen to.",
            hint="Name the column that tells persons apart, or count every row as a person.",
            field="one_report_per_person",
        )
    return schema[name]


def reports_in_all(table: Table, person: ColumnSpec, most: int) -> int:
    """How many reports there are if each person sends as many as they have rows, `most` at most.

    Of the table that was read, whatever the rows say but whose they are. A row that names nobody counts as a person of
    its own, who takes no part; so it does not matter to the number whether a person with one row is named.
    """
    column = table[person.name]
    return column.rows_of_at_most(most, person.missing) + column.rows_without(person.missing)


def one_row_each(table: Table, person: ColumnSpec, rows: NDArray[np.intp], source: RandomSource) -> NDArray[np.intp]:
    """One of the rows of each person, chosen at random; rows that name no person are left out. Rising."""
    column = table[person.name]
    missing = frozenset(person.missing)
    absent = np.fromiter((is_missing(value, missing) for value in column.values), np.bool_, len(column.values))
    named = rows[~absent[column.codes[rows]]]
    return limited(column.codes, named, 1, source)
