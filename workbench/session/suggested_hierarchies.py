"""The hierarchies the program would build for columns without one, from what is public of them alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from workbench.core.builder_suggestions import public_specification
from workbench.core.building import build_hierarchy
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import Schema
from workbench.core.table import Table


def hierarchy_suggester(
    table: Table, schema: Schema, names: Iterable[str]
) -> Callable[[Progress], dict[str, Hierarchy]]:
    """A function, for any thread, that builds the suggested hierarchy of each of these columns.

    Which groups there are follows from a column's kind, name, public bounds and public values, never from the data: its
    values are only put into them. A column of which none can be built, such as one without a value, is left out.
    """
    wanted = [(table[name], schema[name]) for name in names]

    def build(progress: Progress = SILENT) -> dict[str, Hierarchy]:
        made = {}
        for place, (column, spec) in enumerate(wanted):
            progress(place / len(wanted))
            try:
                made[spec.name] = build_hierarchy(public_specification(spec), column.values, column.counts, spec)
            except WorkbenchError:
                continue
        return made

    return build
