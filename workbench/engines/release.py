"""The (ε, δ) mechanism where the data is: in memory, or in an engine.

In an engine it samples by keyed hashes of row numbers (see `sampling`), generalises by look-ups and counts classes.
Where every column is part of what makes rows alike, the rows are then made anew from the sizes of the classes; else
they are found by a join with those sizes. Either way they come in canonical form. It is the mechanism of
`workbench.anonymise.sampling`, with the same checks before anything is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping

from workbench.anonymise.recipe import Treatment
from workbench.anonymise.sampling import Outcome, Recipe, check_recipe, labels_of
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import RandomSource
from workbench.engines.generalisation import LabelClasses, Relabelled, relabelled
from workbench.engines.sampling import draw_rows
from workbench.engines.stored import StoredTable


def release_stored(
    table: StoredTable,
    recipe: Recipe,
    hierarchies: Mapping[str, Hierarchy],
    source: RandomSource,
    progress: Progress = SILENT,
) -> Outcome:
    """Run the mechanism once with fresh randomness in the engine that has the rows.

    Raises
    ------
    WorkbenchError
        As `sample_generalise_suppress`; and if an engine does not sample as it is told.
    Cancelled
        If the progress was cancelled.
    """
    check_recipe(recipe)
    # Hierarchies are matched with the data before anything is drawn: a bad recipe costs no randomness.
    plans = {plan.name: plan for plan in recipe.columns if plan.treatment is not Treatment.LEAVE_OUT}
    wanted: list[Relabelled] = []
    for column in map(table.column, table.names):
        plan = plans.get(column.name)
        if plan is None:
            continue
        if plan.treatment is Treatment.KEEP:
            table.require_listed(column.name)  # what is not listed could not be written after the draw
            wanted.append(Relabelled(column))
        else:
            wanted.append(Relabelled(column, *labels_of(column, hierarchies.get(column.name), plan.level)))
    store = table.store
    physical = [one.column.physical for one in wanted]
    kept_as_is = any(plan.treatment is Treatment.KEEP for plan in plans.values())
    drawn = draw_rows(store, table.place.relation, physical, recipe.beta, source, progress.part(0.05, 0.45))
    try:
        sampled = relabelled(store, drawn, wanted, progress.part(0.45, 0.6))
    finally:
        store.drop(drawn)
    grouped = [sampled.column(name) for name in sampled.names if plans[name].treatment is Treatment.GENERALISE]
    found = LabelClasses.of(sampled, grouped, progress.part(0.6, 0.75))
    last = progress.part(0.75, 1.0)
    released = found.rows_of_at_least(recipe.k, last) if kept_as_is else found.expanded(recipe.k, last)
    progress(1.0)
    return Outcome(
        release=released,
        sampled=sampled,
        class_sizes=found.sizes,
        rows_in=table.rows,
        recipe=recipe,
        secure=source.secure,
        engine=store.product,
    )
