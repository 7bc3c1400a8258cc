"""Applying a node: the anonymised table of the syntactic models. It carries no (ε, δ) claim."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.evaluation import judge
from workbench.anonymise.goal import Goal
from workbench.anonymise.grouping import classes
from workbench.anonymise.outcome import too_fine
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import SearchProblem, prepare
from workbench.anonymise.sampling import KnownRowByRow, RowByRow
from workbench.anonymise.subset import subset_of
from workbench.core.canonical import canonical
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column, Table


class Suppressed(StrEnum):
    """The fate of suppressed rows."""

    DROP = "drop"
    """They are left out."""
    MARK = "mark"
    """They stay as rows of `*`, which tells how many."""


@dataclass(frozen=True)
class Pass:
    """One pass of local recoding: the levels, and how many of the released rows have them."""

    levels: Mapping[str, int]
    rows: int


@dataclass(frozen=True)
class LocalRecoding:
    """A record of local recoding. Everything but the levels is computed from the true rows: analyst only.

    Parameters
    ----------
    passes
        The first one at the levels that were asked for, then one for each search among the rows left over.
    rescued
        Rows that the first pass suppressed and a later one released.
    loss_before, loss_after
        The share of the domain a value might stand for, over all rows and columns, with the first pass alone and with
        all of them; a suppressed row counts as 1.
    losses
        The latter by column.
    complete
        Whether the passes ended because nothing was left to gain, and not because the time was over.
    pass_of
        Of each row of the table that was made its place in `passes`, -1 for one that is suppressed.
    """

    passes: tuple[Pass, ...]
    rescued: int
    loss_before: float
    loss_after: float
    losses: Mapping[str, float]
    complete: bool = True
    pass_of: NDArray[np.integer] | None = field(default=None, compare=False, repr=False)


@discreet
@dataclass(frozen=True, eq=False)
class Anonymised(KnownRowByRow):
    """An anonymised table. Analyst only but for the rows that are kept.

    Parameters
    ----------
    table
        The released rows in the order of the data.
    class_sizes
        Rows per released class, int64, all at least 1.
    population
        Rows of the whole table in the same classes.
    suppressed
        How many rows were suppressed.
    rows_in
        Rows that were to be released.
    row_by_row
        What became of the rows of `table`, one by one; None where they are in an engine. Of a row of `*` the number
        of its class is -1.
    local
        What local recoding did; None if all rows have the same levels.
    """

    table: Table
    class_sizes: NDArray[np.int64]
    population: NDArray[np.int64]
    suppressed: int
    rows_in: int
    row_by_row: RowByRow | None = None
    local: LocalRecoding | None = None

    @property
    def rows(self) -> NDArray[np.intp]:
        """For each row of `table` the row number it has in the data.

        Raises
        ------
        WorkbenchError
            As `kept` and `class_ids` do, if the rows are in an engine.
        """
        return self.each_row.numbers

    def released(self) -> Table:
        """The rows that were kept, in the order of the data."""
        return self.table.take(np.flatnonzero(self.kept))

    def released_column(self, name: str) -> Column:
        """One column of them."""
        return self.table[name].take(np.flatnonzero(self.kept))

    def leaving(self, grouped: Collection[str], progress: Progress = SILENT) -> Table:
        """The rows that were kept in canonical form, sorted by the grouped columns first: what may be published."""
        progress(0.0, "Sorting what is released")
        return canonical(self.released(), grouped)


@discreet
@dataclass(frozen=True, eq=False)
class Generalised:
    """Rows at a node, and which of their classes may be released.

    Parameters
    ----------
    problem, classes
        The node by itself, and its classes.
    columns
        The generalised columns of the rows that take part.
    ids
        For each of these rows the number of its class.
    alive
        For each class whether it has rows to be released and satisfies the models.
    suppressed
        Rows to be released of the other classes.
    """

    problem: SearchProblem
    classes: ClassTable
    columns: Mapping[str, Column]
    ids: NDArray[np.int64]
    alive: NDArray[np.bool_]
    suppressed: int


def generalise(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, int],
    goal: Goal,
    among: NDArray[np.intp] | None = None,
    progress: Progress = SILENT,
) -> Generalised:
    """Generalise rows to the given levels and see which classes satisfy the models. Parameters as in `prepare`.

    Raises
    ------
    WorkbenchError
        If the input contradicts itself.
    """
    problem = prepare(
        table,
        hierarchies,
        goal.at(levels),
        among=among,
        progress=progress.part(0.0, 0.6),
    )
    found = ClassTable(problem.bottom, problem.layout)
    judgement = judge(problem, found)
    progress(0.6, "Generalising columns")
    columns: dict[str, Column] = {}
    for attribute in problem.attributes:
        column, level = table[attribute.name], levels[attribute.name]
        # The numbers of the search, so that classes are numbered as they are there.
        label = hierarchies[attribute.name].level_map(column, level)
        place = {text: position for position, text in enumerate(attribute.labels[level])}
        texts = hierarchies[attribute.name].labels[level]
        number = np.array([place.get(texts[code], 0) for code in label.tolist()], dtype=np.int32)
        codes = column.codes if among is None else column.codes[among]
        columns[attribute.name] = Column(attribute.name, number[codes], attribute.labels[level])
    rows = table.rows if among is None else len(among)
    parts = [(columns[name].codes, len(columns[name].values)) for name in problem.names]
    ids = classes(parts, rows, progress.part(0.7, 1.0)).ids
    alive = found.sizes > 0
    alive[judgement.failing] = False
    return Generalised(problem, found, columns, ids, alive, judgement.suppressed)


def apply(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, int],
    goal: Goal,
    *,
    keep: Sequence[str] = (),
    on_suppressed: Suppressed = Suppressed.DROP,
    among: NDArray[np.intp] | None = None,
    progress: Progress = SILENT,
) -> Anonymised:
    """Generalise to the given levels and suppress what does not satisfy the models.

    Parameters
    ----------
    table, hierarchies, goal
        As in `prepare`.
    levels
        Level per generalised column.
    keep
        Further columns that are released as they are. The sensitive columns of the models are always released.
    on_suppressed
        Whether suppressed rows are dropped or become rows of `*`.
    among
        Numbers of the rows that may be kept, ascending; the others are suppressed whatever they hold.

    Raises
    ------
    WorkbenchError
        If the input contradicts itself, or more rows fail the models than may be suppressed.
    """
    dropped = Suppressed(on_suppressed) is Suppressed.DROP
    check_columns(table, hierarchies, levels, keep)
    found = generalise(table, hierarchies, levels, goal, among, progress.part(0.0, 0.8))
    sizes, alive = found.classes.sizes, found.alive
    subset = subset_of(table, goal.models)
    chosen = None if subset is None else subset.mask
    to_release = table.rows if subset is None else subset.rows
    suppressed = to_release - int(sizes[alive].sum())
    refuse_too_many_suppressed(suppressed, to_release, goal)
    # Class by row of the whole table; a row that may not be kept has none.
    number = np.where(alive, np.cumsum(alive) - 1, -1)[found.ids]
    if among is not None:
        everywhere = np.full(table.rows, -1, dtype=np.int64)
        everywhere[among] = number
        number = everywhere
    kept = number >= 0
    if dropped:
        rows = np.flatnonzero(kept if chosen is None else kept & chosen)
    else:
        rows = np.arange(table.rows) if chosen is None else np.flatnonzero(chosen)
    columns = []
    for name in shown_columns(table, tuple(found.columns), goal.models, keep):
        if name in found.columns:
            source = _spread(found.columns[name], among, table.rows).take(rows)
        else:
            source = table[name].take(rows)
        columns.append(source if dropped else _marked(source, ~kept[rows]))
    progress(1.0)
    return Anonymised(
        Table(tuple(columns)),
        sizes[alive],
        found.classes.population[alive],
        suppressed,
        to_release,
        RowByRow(rows, kept[rows], number[rows].astype(np.int64)),
    )


def refuse_too_many_suppressed(suppressed: int, rows: int, goal: Goal) -> None:
    """Refuse a table of which more rows are suppressed than may be.

    Raises
    ------
    WorkbenchError
        If it is.
    """
    most = goal.may_suppress(rows)
    if suppressed > most:
        raise too_fine(suppressed, rows, most)


def shown_columns(
    table: Table, grouped: Sequence[str], models: Sequence[ModelChoice], keep: Sequence[str]
) -> tuple[str, ...]:
    """The columns that are released: grouped ones, those the models look at, and those to keep."""
    shown = {*grouped, *keep, *(choice.column for choice in models if choice.column)}
    return tuple(name for name in table.names if name in shown)


def check_columns(
    table: Table, hierarchies: Mapping[str, Hierarchy], levels: Mapping[str, int], keep: Sequence[str]
) -> None:
    """Refuse levels without a hierarchy, hierarchies without a level, and columns that are both kept and generalised.

    Raises
    ------
    WorkbenchError
        If there are any; `field` names the column.
    """
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


def _spread(column: Column, among: NDArray[np.intp] | None, rows: int) -> Column:
    """A column of some rows as one of all rows; the others get any value."""
    if among is None:
        return column
    codes = np.zeros(rows, dtype=column.codes.dtype)
    codes[among] = column.codes
    return Column(column.name, codes, column.values)


def _marked(column: Column, marked: NDArray[np.bool_]) -> Column:
    """The column with `*` in the marked rows."""
    if not marked.any():
        return column
    values = column.values if ANY in column.values else (*column.values, ANY)
    codes = column.codes.astype(np.int64)
    codes[marked] = values.index(ANY)
    return Column(column.name, codes, values)
