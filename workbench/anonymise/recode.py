"""Applying a node: the anonymised table of the syntactic models. It carries no (ε, δ) claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.evaluation import judge
from workbench.anonymise.grouping import classes
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import prepare
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column, Table


class Suppressed(StrEnum):
    """What becomes of suppressed rows."""

    DROP = "drop"
    """They are left out."""
    MARK = "mark"
    """They stay as rows of `*`, which tells how many and, unless the rows are shuffled, which."""


@dataclass(frozen=True, eq=False)
class Anonymised:
    """An anonymised table.

    Parameters
    ----------
    table
        The released rows in the order of the data, not shuffled.
    rows
        For each of them the row number it has in the data.
    kept
        For each of them whether it was kept; False only for rows of `*`.
    class_ids
        For each of them the number of its class, -1 for suppressed rows.
    class_sizes
        Rows per released class, int64, all at least 1.
    population
        Rows of the whole table in the same classes.
    suppressed
        How many rows were suppressed.
    """

    table: Table
    rows: NDArray[np.intp]
    kept: NDArray[np.bool_]
    class_ids: NDArray[np.int64]
    class_sizes: NDArray[np.int64]
    population: NDArray[np.int64]
    suppressed: int


def apply(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, int],
    models: Sequence[ModelChoice],
    suppression_limit: float = 0.0,
    *,
    keep: Sequence[str] = (),
    on_suppressed: Suppressed = Suppressed.DROP,
    sensitive_hierarchies: Mapping[str, Hierarchy] | None = None,
    progress: Progress = SILENT,
) -> Anonymised:
    """Generalise to the given levels and suppress what does not satisfy the models.

    Parameters
    ----------
    table, hierarchies, models, suppression_limit, sensitive_hierarchies
        As in `prepare`.
    levels
        Level per generalised column.
    keep
        Further columns that are released as they are. The sensitive columns of the models are always released.
    on_suppressed
        Whether suppressed rows are dropped or become rows of `*`.

    Raises
    ------
    WorkbenchError
        If the input contradicts itself, or more rows fail the models than may be suppressed.
    """
    dropped = Suppressed(on_suppressed) is Suppressed.DROP
    for name in levels:
        if name not in hierarchies:
            raise WorkbenchError(
                f"“{name}” has no hierarchy, so it has no levels.", hint="Attach a hierarchy.", field=name
            )
    for name in hierarchies:
        if name not in levels:
            raise WorkbenchError(f"The level of “{name}” is missing.", hint="Give a level for it.", field=name)
    for name in keep:
        if name in hierarchies:
            raise WorkbenchError(
                f"“{name}” is generalised, so it cannot be released as it is too.",
                hint=f"Remove its hierarchy, or do not keep “{name}”.",
                field=name,
            )
        table[name]  # Raises if there is no such column.
    problem = prepare(
        table,
        hierarchies,
        models,
        suppression_limit=suppression_limit,
        limits={name: (level, level) for name, level in levels.items()},
        sensitive_hierarchies=sensitive_hierarchies,
        progress=progress.part(0.0, 0.5),
    )
    found = ClassTable(problem.bottom, problem.layout)
    judgement = judge(problem, found)
    if not judgement.feasible:
        raise WorkbenchError(
            f"At these levels {judgement.suppressed:,} of {problem.rows:,} rows do not satisfy the privacy models, and "
            f"{problem.most_suppressed:,} may be suppressed.",
            hint="Raise the levels or the suppression limit, or weaken the models.",
            field="suppression_limit",
        )
    progress(0.5, "Generalising columns")
    generalised: dict[str, Column] = {}
    for attribute in problem.attributes:
        column, level = table[attribute.name], levels[attribute.name]
        # The numbers of the search, so that classes are numbered as they are there.
        label = hierarchies[attribute.name].level_map(column, level)
        place = {text: position for position, text in enumerate(attribute.labels[level])}
        texts = hierarchies[attribute.name].labels[level]
        number = np.array([place.get(texts[code], 0) for code in label.tolist()], dtype=np.int32)
        generalised[attribute.name] = Column(attribute.name, number[column.codes], attribute.labels[level])
    step = progress.part(0.6, 0.9)
    ids = classes(
        [(generalised[name].codes, len(generalised[name].values)) for name in problem.names], table.rows, step
    ).ids
    good = np.ones(len(found), dtype=np.bool_)
    good[judgement.failing] = False
    kept = good[ids]
    chosen = np.ones(table.rows, dtype=np.bool_) if problem.released is None else problem.released
    rows = np.flatnonzero(chosen & kept if dropped else chosen)
    shown = {*keep, *(choice.column for choice in models if choice.column)}
    columns = []
    for column in table.columns:
        if column.name in generalised or column.name in shown:
            source = generalised.get(column.name, column).take(rows)
            columns.append(source if dropped else _marked(source, ~kept[rows]))
    alive = good & (found.sizes > 0)
    renumbered = np.where(alive, np.cumsum(alive) - 1, -1)
    progress(1.0)
    return Anonymised(
        Table(tuple(columns)),
        rows,
        kept[rows],
        renumbered[ids[rows]].astype(np.int64),
        found.sizes[alive],
        found.population[alive],
        judgement.suppressed,
    )


def _marked(column: Column, marked: NDArray[np.bool_]) -> Column:
    """The column with `*` in the marked rows."""
    if not marked.any():
        return column
    values = column.values if ANY in column.values else (*column.values, ANY)
    codes = column.codes.astype(np.int64)
    codes[marked] = values.index(ANY)
    return Column(column.name, codes, values)
