"""Rows with pseudonyms in the place of identifiers, in an engine; see `workbench.core.pseudonyms`.

Pseudonyms are made here, one for each value that is listed, so an engine never has the key.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from workbench.core.progress import SILENT, Progress
from workbench.core.pseudonyms import pseudonyms_of
from workbench.engines.canonical import canonical_stored
from workbench.engines.generalisation import Relabelled, relabelled
from workbench.engines.stored import StoredTable


def pseudonymise_stored(
    table: StoredTable,
    columns: Mapping[str, Collection[str]],
    left_out: Collection[str],
    key: bytes,
    progress: Progress = SILENT,
) -> StoredTable:
    """The rows with pseudonyms in canonical form. Parameters and errors as of `RowEngine.pseudonymised`."""
    plan = []
    for name in table.names:
        if name in left_out:
            continue
        table.require_listed(name)  # what is not listed can neither be sorted as in memory nor written
        column = table.column(name)
        if name in columns:
            labels, places = pseudonyms_of(column, key, columns[name])
            plan.append(Relabelled(column, places, labels))
        else:
            plan.append(Relabelled(column))
    made = relabelled(table.store, table.place.relation, plan, progress.part(0.0, 0.5))
    return canonical_stored(made, tuple(columns), progress.part(0.5, 1.0))
