"""A search problem: a table, its hierarchies, the privacy models and the loss metric, checked and encoded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ExtraLayout
from workbench.anonymise.encoding import attribute_of, rows_per_value
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
from workbench.anonymise.utility import METRICS, Attribute, Loss, MetricChoice, Setting
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table

Limits = Mapping[str, tuple[int | None, int | None]]
"""Lowest and highest level allowed per column; None where the hierarchy decides."""

_MOST_EXTRA = 1 << 40


@dataclass(frozen=True, eq=False)
class Problem:
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
    bottom
        The group table everything is counted from.
    layout
        What its extra code means.
    released
        Which rows of the table are to be released, or None for all.
    """

    names: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    lattice: Lattice
    rows: int
    most_suppressed: int
    models: tuple[ModelChoice, ...]
    requirements: tuple[Requirement, ...]
    loss: Loss
    bottom: GroupTable
    layout: ExtraLayout
    released: NDArray[np.bool_] | None

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
    models: Sequence[ModelChoice],
    *,
    metric: MetricChoice | str = "loss",
    suppression_limit: float = 0.0,
    weights: Mapping[str, float] | None = None,
    limits: Limits | None = None,
    sensitive_hierarchies: Mapping[str, Hierarchy] | None = None,
    among: NDArray[np.intp] | None = None,
    progress: Progress = SILENT,
) -> Problem:
    """Check and encode a problem; reads the rows once.

    Parameters
    ----------
    table
        The data.
    hierarchies
        One per quasi-identifier; these columns are generalised.
    models
        The privacy models; all must hold. A model names its sensitive column.
    metric
        The loss to minimise, as a choice or as text such as "loss" or "loss=maximum".
    suppression_limit
        Share of the rows that may be suppressed, 0 to 1.
    weights
        How much the loss of a column counts; 1 unless given. Metrics of whole rows ignore it.
    limits
        Lowest and highest level allowed per column.
    sensitive_hierarchies
        For sensitive columns whose values are more or less alike.
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
    problem_metric = MetricChoice.parse(metric) if isinstance(metric, str) else metric
    METRICS[problem_metric.identifier]
    chosen = [(choice, choice.checked()) for choice in models]
    _check_roles(table, hierarchies, models)
    share = checked_share(suppression_limit)
    released = released_rows(table, models)
    rows = table.rows if released is None else int(released.sum())
    if not rows:
        raise WorkbenchError(
            "The table has no rows to release." if released is None else "No row is marked as released.",
            hint="Open a file with rows." if released is None else "Check the value that marks the released rows.",
            field="data" if released is None else "subset_value",
        )

    sensitive_codes, sensitive = _sensitive_columns(table, models, sensitive_hierarchies or {}, released)
    background = Background(rows, table.rows, sensitive)
    requirements = tuple(choice.model.fit(values, background) for choice, values in chosen)
    if among is not None:
        table = table.take(among)
        released = None if released is None else released[among]
        rows = table.rows if released is None else int(released.sum())
        sensitive_codes = {name: (codes[among], number) for name, (codes, number) in sensitive_codes.items()}

    names = tuple(name for name in table.names if name in hierarchies)
    lattice = lattice_of(names, hierarchies, limits or {})
    checked_weights = _checked_weights(names, weights or {})
    attributes, numbers = [], []
    for name in names:
        attribute, ground = attribute_of(table[name], hierarchies[name], checked_weights[name], released)
        attributes.append(attribute)
        numbers.append(ground)

    smallest = max((r.smallest_class for r in requirements if isinstance(r, ClassRequirement)), default=1)
    loss = problem_metric.fit(Setting(tuple(attributes), rows, lattice, smallest))

    layout = ExtraLayout(tuple(sensitive), tuple(len(one.values) for one in sensitive.values()), released is not None)
    if layout.radix > _MOST_EXTRA:
        raise WorkbenchError(
            f"The sensitive columns {', '.join(sensitive)} have too many combinations of values.",
            hint="Use fewer sensitive columns at once, or put their values into groups first.",
            field="models",
        )
    lowest = (0,) * len(names) if loss.needs_ground else lattice.low
    coding = Coding(tuple(one.axis for one in attributes), layout.radix, table.rows)
    columns: list[tuple[NDArray[np.integer], NDArray[np.intp]]] = [
        (table[one.name].codes, one.axis.up(0, level)[ground])
        for one, level, ground in zip(attributes, lowest, numbers, strict=True)
    ]
    if layout.radix > 1:
        columns.append(_extra_code(layout, sensitive_codes, released))
    bottom = count_rows(coding, lowest, columns, progress)
    return Problem(
        names,
        tuple(attributes),
        lattice,
        rows,
        int(share * rows),
        tuple(models),
        _cheapest_first(requirements),
        loss,
        bottom,
        layout,
        released,
    )


def _check_roles(table: Table, hierarchies: Mapping[str, Hierarchy], models: Sequence[ModelChoice]) -> None:
    if not hierarchies:
        raise WorkbenchError(
            "No column has a hierarchy, so there is nothing to generalise.",
            hint="Attach a hierarchy to every column by which a person could be recognised.",
            field="hierarchies",
        )
    for name in hierarchies:
        table[name]  # Raises if there is no such column.
    if not models:
        raise WorkbenchError(
            "No privacy model is chosen, so nothing would be anonymised.", hint="Add k-anonymity.", field="models"
        )
    seen: set[tuple[str, str]] = set()
    for choice in models:
        title = choice.model.title
        if (choice.identifier, choice.column) in seen:
            column = f" for “{choice.column}”" if choice.column else ""
            raise WorkbenchError(f"{title} is chosen twice{column}.", hint="Keep the stricter one.", field="models")
        seen.add((choice.identifier, choice.column))
        for column in (choice.column, *(choice.subset or ())[:1]):
            if column and column in hierarchies:
                raise WorkbenchError(
                    f"{title} needs “{column}” as it is, but “{column}” is generalised.",
                    hint=f"Remove the hierarchy of “{column}”, or choose another column for {title}.",
                    field=column,
                )
    subsets = {choice.subset for choice in models if choice.subset is not None}
    if len(subsets) > 1:
        raise WorkbenchError(
            "The privacy models disagree about which rows are released.",
            hint="Give all of them the same column and value.",
            field="subset_column",
        )


def checked_share(limit: float) -> Fraction:
    """The suppression limit as the number that was typed.

    Raises
    ------
    WorkbenchError
        If it is no number from 0 to 1.
    """
    if isinstance(limit, bool) or not isinstance(limit, (int, float)) or not 0 <= limit <= 1:
        raise WorkbenchError(
            f"The suppression limit must lie between 0 and 1, not {limit}.",
            hint="0.04 allows 4 % of the rows to be suppressed.",
            field="suppression_limit",
        )
    # What was typed, 0.29, and not the nearest binary number, which would round 29 of 100 rows down to 28.
    return Fraction(repr(limit))


def released_rows(table: Table, models: Sequence[ModelChoice]) -> NDArray[np.bool_] | None:
    """Which rows the models say are to be released, or None for all.

    Raises
    ------
    WorkbenchError
        If there is no such column or value.
    """
    for choice in models:
        if choice.subset is not None:
            name, value = choice.subset
            column = table[name]
            if value not in column.values:
                raise WorkbenchError(
                    f"No row has “{value}” in “{name}”, so none would be released.",
                    hint=f"Values of “{name}” are: {', '.join(column.values[:5])}.",
                    field="subset_value",
                )
            mask: NDArray[np.bool_] = column.codes == column.values.index(value)
            return mask
    return None


def _sensitive_columns(
    table: Table,
    models: Sequence[ModelChoice],
    hierarchies: Mapping[str, Hierarchy],
    released: NDArray[np.bool_] | None,
) -> tuple[dict[str, tuple[NDArray[np.integer], NDArray[np.intp]]], dict[str, Sensitive]]:
    """Per sensitive column its codes with the number of each code, and what is known about it."""
    codes: dict[str, tuple[NDArray[np.integer], NDArray[np.intp]]] = {}
    known: dict[str, Sensitive] = {}
    for choice in models:
        if "column" not in {spec.name for spec in choice.model.params} or choice.column in known:
            continue
        column = table[choice.column]
        counts = rows_per_value(column, released)
        used = np.flatnonzero(column.counts > 0)
        number = np.zeros(len(column.values), dtype=np.intp)
        number[used] = np.arange(len(used))
        codes[column.name] = (column.codes, number)
        values = tuple(column.values[position] for position in used)
        known[column.name] = Sensitive(values, counts[used], hierarchies.get(column.name))
    return codes, known


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


def _checked_weights(names: Sequence[str], weights: Mapping[str, float]) -> dict[str, float]:
    for name, weight in weights.items():
        if name not in names:
            raise WorkbenchError(
                f"“{name}” is not generalised, so it has no weight.",
                hint=f"Generalised columns are: {', '.join(names)}.",
                field=name,
            )
        if not (0 <= weight < float("inf")):
            raise WorkbenchError(
                f"The weight of “{name}” must be a number from 0, not {weight}.",
                hint="1 is the usual weight.",
                field=name,
            )
    found = {name: float(weights.get(name, 1.0)) for name in names}
    if not any(found.values()):
        raise WorkbenchError(
            "All weights are 0, so nothing would count as a loss.",
            hint="Give a column a weight above 0.",
            field="weights",
        )
    return found


def _cheapest_first(requirements: tuple[Requirement, ...]) -> tuple[Requirement, ...]:
    """Demands on sizes first, since they may spare looking at sensitive values; demands on the table last."""

    def order(requirement: Requirement) -> int:
        if isinstance(requirement, TableRequirement):
            return 2
        return 1 if hasattr(requirement, "column") else 0

    return tuple(sorted(requirements, key=order))
