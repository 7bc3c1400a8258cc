"""Pictures of the released rows: everything in them anybody who has the file can count.

Labels of different levels are not put beside each other: a column that a release in steps shows at several levels has a
picture for each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.after_draw import AS_DRAWN, AfterDraw
from workbench.anonymise.compared import order_of_labels
from workbench.anonymise.recipe import ReleaseRecipe
from workbench.anonymise.risk import class_sizes
from workbench.anonymise.trim_recipe import TrimRecipe
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.schema import ColumnSpec, Schema
from workbench.core.table import Table
from workbench.plots import released_classes, released_values
from workbench.report.content import Block, Paragraph, Picture


def _nothing() -> Mapping[str, tuple[LabelsOfLevel, ...]]:
    return {}


@dataclass(frozen=True)
class LabelsOfLevel:
    """The labels of a column at one of the levels it is released at; `words` say which."""

    words: str
    labels: frozenset[str]

    @classmethod
    def at(cls, hierarchy: Hierarchy, level: int) -> LabelsOfLevel:
        return cls(f"level {level} of {hierarchy.height}", frozenset(hierarchy.labels[level]))


@dataclass(frozen=True)
class ReleasedForm:
    """The way to read the lines of a released file.

    Parameters
    ----------
    count_column
        The column that says how many rows a line stands for; "" where each line is a row.
    levels
        The columns that rows show at different levels, and these levels from the finest.
    """

    count_column: str = ""
    levels: Mapping[str, tuple[LabelsOfLevel, ...]] = field(default_factory=_nothing)

    @classmethod
    def of(
        cls, recipe: ReleaseRecipe, hierarchies: Mapping[str, Hierarchy], after: AfterDraw = AS_DRAWN
    ) -> ReleasedForm:
        """That of the files a recipe makes, with what is done after the draw."""
        if not isinstance(recipe, TrimRecipe):
            return cls()
        if after.one_level:
            return cls(recipe.count_column)
        chain = {name: [step.levels[name] for step in recipe.steps] for name in recipe.grouped}
        levels = {
            name: tuple(
                LabelsOfLevel(
                    f"level {level} of {hierarchies[name].height}", frozenset(hierarchies[name].labels[level])
                )
                for level, _ in groupby(at)
            )
            for name, at in chain.items()
            if name in hierarchies and len(set(at)) > 1
        }
        return cls(recipe.count_column, levels)


def pictures(released: Table, grouped: Sequence[str], schema: Schema, form: ReleasedForm) -> list[Block]:
    """The sizes of groups, and the rows with each label of each column."""
    lines = _Lines.of(released, form.count_column)
    shown = [name for name in released.names if name != form.count_column]
    stands = f" for {lines.total:,} rows" if form.count_column else ""
    told = "lines" if form.count_column else "rows"
    blocks: list[Block] = [
        Paragraph(f"The file has {released.rows:,} {told}{stands} and {len(released.names):,} columns.")
    ]
    if (sizes := sizes_picture(released, grouped, form)) is not None:
        blocks.append(sizes)
    for name in shown:
        spec = schema[name] if name in schema.names else ColumnSpec(name)
        blocks += _of_column(spec, lines.counted(name), form.levels.get(name, ()))
    return blocks


def sizes_picture(released: Table, grouped: Sequence[str], form: ReleasedForm) -> Picture | None:
    """How many rows are alike in the columns that are grouped; None if none of them is released."""
    names = [name for name in released.names if name in grouped and name != form.count_column]
    if not names:
        return None
    lines = _Lines.of(released, form.count_column)
    sizes = lines.rows if lines.rows is not None else class_sizes(released, names)
    return Picture("How many rows are alike", released_classes, released_classes.compute(sizes, 0))


def column_pictures(released: Table, name: str, schema: Schema, form: ReleasedForm) -> list[Picture]:
    """The rows with each label of a column, one picture for each level at which it is released."""
    spec = schema[name] if name in schema.names else ColumnSpec(name)
    blocks = _of_column(spec, _Lines.of(released, form.count_column).counted(name), form.levels.get(name, ()))
    return [block for block in blocks if isinstance(block, Picture)]


@dataclass(frozen=True, eq=False)
class _Lines:
    """A released table, and how many rows each line stands for; None where each stands for itself."""

    table: Table
    rows: NDArray[np.int64] | None

    @classmethod
    def of(cls, released: Table, count_column: str) -> _Lines:
        if not count_column:
            return cls(released, None)
        lines, times = released.distinct(released.names)
        sizes = np.array([int(text) for text in lines[count_column].texts()], dtype=np.int64)
        return cls(lines, sizes * times)

    @property
    def total(self) -> int:
        return self.table.rows if self.rows is None else int(self.rows.sum())

    def counted(self, name: str) -> dict[str, int]:
        """Rows with each label that occurs."""
        column = self.table[name]
        counts = (
            column.counts
            if self.rows is None
            else np.bincount(column.codes, self.rows, len(column.values)).astype(np.int64)
        )
        return {text: rows for text, rows in zip(column.values, counts.tolist(), strict=True) if rows}


def _of_column(spec: ColumnSpec, counts: Mapping[str, int], levels: Sequence[LabelsOfLevel]) -> list[Block]:
    if not levels:
        return [_picture(f"Column {spec.name}", spec, counts)]
    blocks: list[Block] = []
    left = dict(counts)
    stars = left.pop(ANY, 0)
    for level in levels:
        here = {label: rows for label, rows in left.items() if label in level.labels}
        left = {label: rows for label, rows in left.items() if label not in here}
        if here:
            blocks.append(_picture(f"Column {spec.name}, {level.words}", spec, here))
    if left:
        blocks.append(_picture(f"Column {spec.name}, other labels", spec, left))
    if stars:
        blocks.append(Paragraph(f"Of {sum(counts.values()):,} rows, {stars:,} have {ANY} in {spec.name}."))
    return blocks


def _picture(title: str, spec: ColumnSpec, counts: Mapping[str, int]) -> Picture:
    """The labels that occur, in their order or else the most frequent first, and the rows of each."""
    labels, rows = list(counts), np.array(list(counts.values()), dtype=np.int64)
    order = order_of_labels(labels, rows, spec)
    shown = released_values.ReleasedValues(spec.name, tuple([labels[i] for i in order.tolist()]), rows[order])
    return Picture(title, released_values, shown)
