"""Rows per person in the data, against the number that was accounted for."""

from __future__ import annotations

from workbench.anonymise.reasons import Reason, WorkingTable
from workbench.core.schema import Misfits, Role, Schema


def rows_beyond_the_unit(schema: Schema, working: WorkingTable) -> list[Reason]:
    """Why persons may have more rows than are accounted for, if so."""
    table = working.population
    columns = [column.name for column in schema.with_role(Role.IDENTIFYING) if column.name in table]
    person = schema.unit.person_column
    if person and person in table:
        columns = [person]
    allowed = schema.unit.rows_per_person
    found = []
    if person and person in table:
        nameless = table[person].rows_without(schema[person].missing)
        if nameless > allowed:
            found.append(
                Reason(
                    "rows-per-person",
                    f"Rows that name no person in “{person}” cannot be counted, and could all be one person's.",
                    "Fill in who they belong to, filter them out, or let the program limit the rows per person.",
                    person,
                    analyst=f"{nameless:,} rows name no person.",
                )
            )
    for name in columns:
        # Values that were made missing because they do not fit still tell whose rows they are.
        read = working.original if schema[name].misfits is Misfits.MISSING else table
        most, who = read[name].most_rows(schema[name].missing)
        if most <= allowed:
            continue
        declared = "one row" if allowed == 1 else f"{allowed:,} rows"
        found.append(
            Reason(
                "rows-per-person",
                f"Column “{name}” identifies persons, and someone has more rows than the {declared} that were "
                "accounted for.",
                "Declare the largest number of rows one person may have, keep fewer rows per person, or mark "
                f"“{name}” otherwise if different persons share its values.",
                name,
                analyst=f"“{who}” has {most:,} rows.",
            )
        )
    return found
