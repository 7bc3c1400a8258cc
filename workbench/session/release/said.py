"""The values that can occur, as somebody said: typed for a release, or else declared of the column."""

from __future__ import annotations

from workbench.core.number_text import typed as as_typed
from workbench.core.occurring_listed import saved_entries
from workbench.project.model import Project

Said = dict[str, tuple[str, ...]]


def said_of(project: Project) -> Said:
    """Entries as in `core.occurring`, of the columns of which something was said; never what was read from rows."""
    found: Said = {}
    for column in project.schema.columns:
        typed = project.anonymise.trim.occurring.get(column.name, "")
        spec = column.declared()
        if typed:
            found[column.name] = saved_entries(typed)
        elif spec.domain:
            found[column.name] = spec.domain
        elif spec.bounds is not None and spec.kind.numeric:
            low, high = spec.bounds
            found[column.name] = (f"{as_typed(low)}-{as_typed(high)}",)
    return found
