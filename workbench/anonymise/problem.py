"""A search problem: a table, its hierarchies, the privacy models and the loss metric, checked and encoded."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.asked import check_roles, checked_weights
from workbench.anonymise.class_table import ExtraLayout
from workbench.anonymise.encoding import attribute_of
from workbench.anonymise.goal import Goal, Limits
from workbench.anonymise.lattice import Lattice
from workbench.anonymise.privacy import (
    Background,
    ClassRequirement,
    ModelChoice,
    Requirement,
    Sensitive,
    TableRequirement,
)
from workbench.anonymise.rollup import Coding, GroupTable, Levels, count_rows
from workbench.anonymise.row_counter import RowCounter
from workbench.anonymise.subset import Subset, rows_per_value, subset_of
from workbench.anonymise.utility import METRICS, Attribute, FittedLoss, LossSetting
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table, TooManyGroups

_MOST_EXTRA = 1 << 40


@dataclass(frozen=True, eq=False)
class SearchProblem:
    """Everything a search needs; made by `prepare`.

    Parameters
    ----------
    names
        The quasi-identifiers, in the order of levels: that of the table.
    attributes, lattice
        How they are numbered, and the nodes that come into question.
    rows
        Rows to be released.
    most_suppressed
        How many of them may be suppressed.
    models
        The privacy models as chosen.
    requirements
        What they demand.
    loss
        The loss metric, fitted.
    counted
        The group table everything is counted from; None if it does not fit into memory.
    layout
        What its extra code means.
    counter
        What counts nodes from the rows, if these are not in memory; None if they are.
    """

    names: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    lattice: Lattice
    rows: int
    most_suppressed: int
    models: tuple[ModelChoice, ...]
    requirements: tuple[Requirement, ...]
    loss: FittedLoss
    counted: GroupTable | None
    layout: ExtraLayout
    counter: RowCounter | None = None

    @property
    def bottom(self) -> GroupTable:
        """The group table everything is counted from.

        Raises
        ------
        TooManyGroups
            If it does not fit into memory.
        """
        if self.counted is None:
            assert self.counter is not None
            return self.counter.at(self.lowest)
        return self.counted

    @property
    def lowest(self) -> Levels:
        """The node everything is counted from."""
        return (0,) * len(self.names) if self.loss.needs_ground else self.lattice.low

    @property
    def smallest_class(self) -> int:
        """The privacy models release no class with fewer rows."""
        return _smallest_class(self.requirements)

    def levels_of(self, named: Mapping[str, int]) -> Levels:
        """Named levels as a node.

        Raises
        ------
        WorkbenchError
            If a column is missing or unknown, or a level does not exist.
        """
        for name in named:
            if name not in self.names:
                raise WorkbenchError(
                    f"“{name}” is not generalised.",
                    hint=f"Levels are needed for: {', '.join(self.names)}.",
                    field=name,
                )
        levels = []
        for name, low, high in zip(self.names, self.lattice.low, self.lattice.high, strict=True):
            if name not in named:
                raise WorkbenchError(
                    f"The level of “{name}” is missing.", hint=f"Give one from {low} to {high}.", field=name
                )
            if not low <= named[name] <= high:
                raise WorkbenchError(
                    f"Level {named[name]} of “{name}” is out of reach.",
                    hint=f"Its levels run from {low} to {high}.",
                    field=name,
                )
            levels.append(named[name])
        return tuple(levels)

    def named(self, levels: Levels) -> dict[str, int]:
        """A node as named levels."""
        return dict(zip(self.names, levels, strict=True))


def prepare(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    goal: Goal,
    *,
    among: NDArray[np.intp] | None = None,
    progress: Progress = SILENT,
) -> SearchProblem:
    """Check and encode a problem; reads the rows once.

    Parameters
    ----------
    table
        The data.
    hierarchies
        One per quasi-identifier; these columns are generalised.
    goal
        What must hold, and what may be lost.
    among
        Numbers of the rows that take part; all of them unless given. The models compare with the whole table all the
        same, and the share that may be suppressed is one of these rows.
    progress
        Reports and may cancel the reading of the rows.

    Raises
    ------
    WorkbenchError
        If anything is missing or contradicts itself; `field` names the column or parameter.
    """
    models = goal.models
    METRICS[goal.metric.identifier]
    chosen = [(choice, choice.checked()) for choice in models]
    check_roles(table, hierarchies, models)
    subset = subset_of(table, models)
    rows = table.rows if subset is None else subset.rows
    if not rows:
        raise WorkbenchError(
            "The table has no rows to release." if subset is None else "No row is marked as released.",
            hint="Open a file with rows." if subset is None else "Check the value that marks the released rows.",
            field="data" if subset is None else "subset_value",
        )

    numbers_of, sensitive = _sensitive_columns(table, models, goal.sensitive_hierarchies, subset)
    background = Background(rows, table.rows, sensitive)
    requirements = tuple(choice.model.fit(values, background) for choice, values in chosen)
    if among is not None:
        table = table.take(among)
        subset = None if subset is None else subset.take(among)
        rows = table.rows if subset is None else subset.rows

    names = tuple(name for name in table.names if name in hierarchies)
    lattice = lattice_of(names, hierarchies, goal.limits)
    weight_of = checked_weights(names, goal.weights)
    attributes, numbers = [], []
    for name in names:
        column = table[name]
        rows_of = rows_per_value(table, column, subset)
        attribute, ground = attribute_of(column, hierarchies[name], weight_of[name], rows_of)
        attributes.append(attribute)
        numbers.append(ground)

    loss = goal.metric.fit(LossSetting(tuple(attributes), rows, lattice, _smallest_class(requirements)))

    layout = ExtraLayout(tuple(sensitive), tuple(len(one.values) for one in sensitive.values()), subset is not None)
    if layout.radix > _MOST_EXTRA:
        raise WorkbenchError(
            f"The sensitive columns {', '.join(sensitive)} have too many combinations of values.",
            hint="Use fewer sensitive columns at once, or put their values into groups first.",
            field="models",
        )
    coding = Coding(tuple(one.axis for one in attributes), layout.radix, table.rows)
    counter = None
    if not table.in_memory:
        extra = _extra_adds(layout, numbers_of, subset)
        counter = RowCounter(table, coding, names, tuple(numbers), extra, layout.marked)
    problem = SearchProblem(
        names,
        tuple(attributes),
        lattice,
        rows,
        goal.may_suppress(rows),
        tuple(models),
        _cheapest_first(requirements),
        loss,
        None,
        layout,
        counter,
    )
    lowest = problem.lowest
    if counter is not None:
        with contextlib.suppress(TooManyGroups):
            return replace(problem, counted=counter.at(lowest, progress))
        return problem
    columns: list[tuple[NDArray[np.integer], NDArray[np.intp]]] = [
        (table[one.name].codes, one.axis.up(0, level)[ground])
        for one, level, ground in zip(attributes, lowest, numbers, strict=True)
    ]
    if layout.radix > 1:
        codes_of = {name: (table[name].codes, number) for name, number in numbers_of.items()}
        columns.append(_extra_code(layout, codes_of, None if subset is None else subset.mask))
    return replace(problem, counted=count_rows(coding, lowest, columns, progress))


def _sensitive_columns(
    table: Table,
    models: Sequence[ModelChoice],
    hierarchies: Mapping[str, Hierarchy],
    subset: Subset | None,
) -> tuple[dict[str, NDArray[np.intp]], dict[str, Sensitive]]:
    """Per sensitive column the number of each of its codes, and what is known about it."""
    numbers: dict[str, NDArray[np.intp]] = {}
    known: dict[str, Sensitive] = {}
    for choice in models:
        if "column" not in {spec.name for spec in choice.model.params} or choice.column in known:
            continue
        column = table[choice.column]
        counts = rows_per_value(table, column, subset)
        used = np.flatnonzero(column.counts > 0)
        number = np.zeros(len(column.values), dtype=np.intp)
        number[used] = np.arange(len(used))
        numbers[column.name] = number
        values = tuple(column.values[position] for position in used)
        known[column.name] = Sensitive(values, counts[used], hierarchies.get(column.name))
    return numbers, known


def _extra_adds(
    layout: ExtraLayout, numbers: Mapping[str, NDArray[np.intp]], subset: Subset | None
) -> dict[str, NDArray[np.int64]]:
    """Amounts that each code of each column adds to the extra code."""
    adds: dict[str, NDArray[np.int64]] = {}
    below = layout.radix
    for (name, number), radix in zip(numbers.items(), layout.radices, strict=True):
        below //= radix
        adds[name] = number.astype(np.int64) * below
    if subset is not None:
        name = subset.column.name
        adds[name] = adds[name] + subset.mark if name in adds else subset.mark
    return adds


def _extra_code(
    layout: ExtraLayout,
    codes: Mapping[str, tuple[NDArray[np.integer], NDArray[np.intp]]],
    released: NDArray[np.bool_] | None,
) -> tuple[NDArray[np.integer], NDArray[np.intp]]:
    if len(codes) == 1 and released is None:
        return next(iter(codes.values()))
    extra: NDArray[np.int64] | None = None
    for (column, number), radix in zip(codes.values(), layout.radices, strict=True):
        digit = number[column]
        extra = digit if extra is None else extra * radix + digit
    if released is not None:
        extra = released.astype(np.int64) if extra is None else extra * 2 + released
    assert extra is not None
    # Only the combinations that occur need a number that is looked up; the code itself is kept as it is.
    distinct, position = np.unique(extra, return_inverse=True)
    return position, distinct


def lattice_of(names: Sequence[str], hierarchies: Mapping[str, Hierarchy], limits: Limits) -> Lattice:
    """The lattice that hierarchies and limits span; the data has no say in it.

    Raises
    ------
    WorkbenchError
        If a limit is given for an unknown column, or makes no sense; `field` names the column.
    """
    for name in limits:
        if name not in hierarchies:
            raise WorkbenchError(
                f"“{name}” has no hierarchy, so its level cannot be limited.",
                hint=f"Columns with a hierarchy are: {', '.join(names)}.",
                field=name,
            )
    low, high = [], []
    for name in names:
        height = hierarchies[name].height
        least, most = limits.get(name, (None, None))
        least = 0 if least is None else least
        most = height if most is None else most
        if not (0 <= least <= height and 0 <= most <= height):
            raise WorkbenchError(
                f"The levels allowed for “{name}” go beyond its hierarchy.",
                hint=f"Its levels run from 0 to {height}.",
                field=name,
            )
        if least > most:
            raise WorkbenchError(
                f"The lowest level allowed for “{name}”, {least}, is above the highest, {most}.",
                hint="Give the smaller number first.",
                field=name,
            )
        low.append(least)
        high.append(most)
    return Lattice(tuple(low), tuple(high))


def _smallest_class(requirements: Sequence[Requirement]) -> int:
    return max((one.smallest_class for one in requirements if isinstance(one, ClassRequirement)), default=1)


def _cheapest_first(requirements: tuple[Requirement, ...]) -> tuple[Requirement, ...]:
    """Demands on sizes first, since they may spare looking at sensitive values; demands on the table last."""

    def order(requirement: Requirement) -> int:
        if isinstance(requirement, TableRequirement):
            return 2
        return 1 if hasattr(requirement, "column") else 0

    return tuple(sorted(requirements, key=order))
