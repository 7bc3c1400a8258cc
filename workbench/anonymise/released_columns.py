"""What the columns of a release say against its claim: ungrouped ones, and labels that were made from the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.anonymise.mechanism import Recipe, Treatment
from workbench.anonymise.origins import made_from_the_data
from workbench.anonymise.reasons import Reason
from workbench.core.building import builder_of
from workbench.core.hierarchy import ANY, Hierarchy, Provenance
from workbench.core.schema import Schema
from workbench.core.table import Table


def passed_through(recipe: Recipe) -> list[Reason]:
    """Columns that are released without being grouped."""
    return [
        Reason(
            "ungrouped-column",
            f"Column “{plan.name}” is released as it is without being grouped, so one unusual value can point "
            "to one person.",
            f"Leave “{plan.name}” out, or let it take part in the grouping.",
            plan.name,
        )
        for plan in recipe.named(Treatment.KEEP)
    ]


def _levels_used(recipe: Recipe, name: str, hierarchy: Hierarchy, searched: bool) -> range:
    """The levels on which the release depends: a private search looks at all of them."""
    level = recipe.levels[name]
    return range(1, hierarchy.height + 1) if searched else range(level, level + 1)


def derived(recipe: Recipe, hierarchies: Mapping[str, Hierarchy], *, searched: bool) -> list[Reason]:
    """Hierarchies that say themselves that they were made from the data."""
    found = []
    for name in recipe.levels:
        hierarchy = hierarchies.get(name)
        if hierarchy is None or (hierarchy.provenance is Provenance.PUBLIC and builder_of(hierarchy).trusted):
            continue
        used = _levels_used(recipe, name, hierarchy, searched)
        if not any(level and set(hierarchy.labels[level]) != {ANY} for level in used):
            continue  # The same label for everybody tells nothing, however it was arrived at.
        if doubt := builder_of(hierarchy).doubt:
            found.append(
                Reason(
                    "plugin-hierarchy",
                    f"The hierarchy of “{name}” may have been made from the data. {doubt}",
                    f"Give “{name}” a hierarchy that the program itself builds, or check the plug-in, trust it by name "
                    "and build the hierarchy again.",
                    name,
                )
            )
            continue
        found.append(
            Reason(
                "data-derived-hierarchy",
                f"The hierarchy of “{name}” was made from the data ({hierarchy.origin or 'data-derived'}), so "
                "its labels can change with one person's row.",
                f"Give “{name}” a hierarchy that was fixed without this data, such as intervals with round ends.",
                name,
            )
        )
    return found


def looks_derived(
    recipe: Recipe, hierarchies: Mapping[str, Hierarchy], schema: Schema, tables: Sequence[Table], *, searched: bool
) -> list[Reason]:
    """Hierarchies that are called public and give themselves away."""
    found = []
    for name in recipe.levels:
        hierarchy = hierarchies.get(name)
        if hierarchy is None or hierarchy.provenance is Provenance.DERIVED:
            continue
        if not any(_levels_used(recipe, name, hierarchy, searched)):
            continue
        columns = {id(column): column for column in (table[name] for table in tables)}
        if any(made_from_the_data(hierarchy, column, schema[name]) for column in columns.values()):
            found.append(
                Reason(
                    "looks-data-derived",
                    f"The hierarchy of “{name}” is called public, but its labels are means, medians or ends of "
                    "the very values that occur in the data: it was made from the data.",
                    f"Give “{name}” a hierarchy that was fixed without this data, such as intervals with round ends.",
                    name,
                )
            )
    return found
