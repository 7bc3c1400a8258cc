"""Rows per person in the data, against the number that was accounted for."""

from __future__ import annotations

from workbench.anonymise.reasons import Reason, WorkingTable
from workbench.core.schema import Misfits, Schema


def rows_beyond_the_unit(schema: Schema, working: WorkingTable) -> list[Reason]:
    """Why persons may have more rows than are accounted for, if so: by the column that says whose rows are whose.

    What a column's role is does not matter: one that is left out may be shared by many persons, as a name is.
    """
    table = working.population
    person, allowed = schema.unit.person_column, schema.unit.rows_per_person
    if not person or person not in table:
        return []
    found = []
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
    # Values that were made missing because they do not fit still tell whose rows they are.
    read = working.original if schema[person].misfits is Misfits.MISSING else table
    most, who = read[person].most_rows(schema[person].missing)
    if most > allowed:
        declared = "one row" if allowed == 1 else f"{allowed:,} rows"
        found.append(
            Reason(
                "rows-per-person",
                f"Column “{person}” identifies persons, and someone has more rows than the {declared} that were "
                "accounted for.",
                "Declare the largest number of rows one person may have, keep fewer rows per person, or mark "
                f"“{person}” otherwise if different persons share its values.",
                person,
                analyst=f"“{who}” has {most:,} rows.",
            )
        )
    return found
