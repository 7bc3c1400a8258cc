"""The working table: which rows and values of the table that was read take part in everything that follows.

In this order: values that do not fit their column become missing where that was chosen; a filter leaves rows
out; a random research sample is drawn; of each person no more than the accounted number of rows stays.

Each of these steps looks at nothing but one row, or the rows of one person, and at fresh random numbers. That
is what makes them sound before a differentially private release: one person more or less in the table changes
that person's rows in the working table and no others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from workbench.core.column_facts import misfitting
from workbench.core.errors import WorkbenchError
from workbench.core.filtering import parse
from workbench.core.kinds import is_missing
from workbench.core.kinds import parse as parse_values
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import RandomSource, bernoulli, permutation
from workbench.core.schema import ColumnSpec, Misfits, Schema
from workbench.core.settings import Flag, check_settings, setting
from workbench.core.table import Column, Table
from workbench.core.typed_fields import typed_fields

_ROWS = 1 << 20

EXAMPLES = 3
"""Rows that are named where values do not fit."""


@dataclass(frozen=True)
@typed_fields
class Preparation:
    """The preparation that makes the working table of the one that was read. The default changes nothing.

    Parameters
    ----------
    where
        A filter (see `workbench.core.filtering`); "" lets every row take part.
    sample
        Probability in (0, 1] with which each row takes part in a research sample.
    limit_rows
        Whether of each person only as many rows stay, chosen at random, as the unit of privacy accounts for.
        Rows that name no person are left out then, because nobody knows how many of them are one person's.

    Raises
    ------
    WorkbenchError
        If `sample` is no probability above 0.
    """

    where: str = setting(
        "",
        title="Filter",
        about="only rows for which this holds, such as: age >= 18 and \"job title\" in ('Chef', 'Nurse')",
        flag=Flag("EXPR", write=str.strip, joined=True),
    )
    sample: float = setting(
        1.0,
        title="Research sample",
        about="work on a random sample in which each row is with probability P (default: 1)",
        minimum=0.0,
        maximum=1.0,
        open_minimum=True,
        refusal=(
            "The share of rows in the research sample must lie above 0 and not above 1.",
            "Give 1 to use every row, or for example 0.1 for one row in ten.",
        ),
        flag=Flag("P", write=repr, joined=True),
    )
    limit_rows: bool = setting(
        False,
        title="Limit the rows of each person",
        about="keep at most --rows-per-person rows of each --person, chosen at random, so that the number is certain",
        flag=Flag(),
    )

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    def random(self) -> bool:
        """Whether it depends on random numbers."""
        return self.sample < 1 or self.limit_rows

    def limits(self, schema: Schema) -> bool:
        """Whether of each person no more rows take part in a release, or an answer, than were declared.

        So it is wherever a column says which rows are whose.
        """
        person = schema.unit.person_column
        return self.limit_rows or (bool(person) and person in schema.names)


@dataclass(frozen=True, eq=False)
class PreparedTable:
    """A working table and what became of the rows. The counts are of true rows: analyst only.

    Parameters
    ----------
    table
        The working table.
    population
        The table before rows were left out at random: `table` itself unless there was a research sample without
        a limit of rows per person. How many rows a person may have must be judged here, because a sample may
        hide that somebody has more.
    rows_read, filtered_out, left_by_sample, without_person, over_limit
        Rows there were, and rows left out by each step.
    misfits
        Rows whose value became missing, by column; only columns where that happened.
    drawn
        Rows of the table that was read whose coin took them into the research sample, those that the filter leaves out
        among them: a number that no value decides. None without a sample, or where it is not to be had.
    """

    table: Table
    population: Table
    rows_read: int
    filtered_out: int = 0
    left_by_sample: int = 0
    without_person: int = 0
    over_limit: int = 0
    misfits: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    drawn: int | None = None

    def __repr__(self) -> str:
        return "<PreparedTable: not shown, because its counts are of true rows>"


def canonical_filter(schema: Schema, preparation: Preparation) -> str:
    """The filter in its canonical form; as it stands if it cannot be read."""
    text = preparation.where.strip()
    try:
        return str(parse(text, schema)) if text else ""
    except WorkbenchError:
        return text


def changes_nothing(schema: Schema, preparation: Preparation) -> bool:
    """Whether the working table is the table that was read."""
    plain = not preparation.where.strip() and not preparation.random
    return plain and all(column.misfits is Misfits.KEEP for column in schema.columns)


def prepare(
    table: Table,
    schema: Schema,
    preparation: Preparation,
    source: RandomSource,
    progress: Progress = SILENT,
    *,
    place_of: Callable[[int], str] | None = None,
) -> PreparedTable:
    """Make the working table. Nothing is copied that does not change.

    Parameters
    ----------
    place_of
        Where in the file a row of the table starts, in words, for messages.

    Raises
    ------
    WorkbenchError
        If the filter cannot be read, values do not fit a column that must not have such values, or rows are to
        be limited without a column that tells persons apart.
    Cancelled
        If the person pressed Cancel.
    """
    person = person_column(table, schema, preparation)
    columns = {column.name: column for column in table.columns}
    misfits: dict[str, int] = {}
    strict: list[tuple[ColumnSpec, NDArray[np.intp]]] = []
    for spec, wrong in misfits_of(table, schema, progress.part(0.0, 0.3)):
        if spec.misfits is Misfits.STOP:
            strict.append((spec, wrong))
        else:
            misfits[spec.name] = int(columns[spec.name].counts[wrong].sum())
            columns[spec.name] = _without(columns[spec.name], wrong, spec)
    whole = table if not misfits else Table(tuple(columns.values()))

    progress(0.3, "Choosing rows")
    taking_part = np.ones(table.rows, dtype=np.bool_)
    if preparation.where.strip():
        taking_part = parse(preparation.where, schema).mask(whole, schema)
    for spec, wrong in strict:
        _stop_at(whole[spec.name], wrong, taking_part, place_of)
    filtered = np.flatnonzero(taking_part)
    rows = filtered

    progress(0.5)
    drawn = None
    if preparation.sample < 1:
        # One coin for every row, so that which rows are drawn has nothing to do with the other rows.
        coins = bernoulli(source, table.rows, preparation.sample)
        drawn, rows = int(coins.sum()), rows[coins[rows]]
    left_by_sample = len(filtered) - len(rows)
    without_person = over_limit = 0
    if person is not None:
        named = rows[~absent(whole[person.name], person)[whole[person.name].codes[rows]]]
        without_person = len(rows) - len(named)
        progress(0.6, "Limiting rows per person")
        rows = limited(whole[person.name].codes, named, schema.unit.rows_per_person, source)
        over_limit = len(named) - len(rows)

    progress(0.7, "Taking rows")
    prepared = _taken(whole, rows, progress.part(0.7, 0.9))
    hidden = preparation.sample < 1 and person is None
    population = _taken(whole, filtered, progress.part(0.9, 1.0)) if hidden else prepared
    progress(1.0)
    return PreparedTable(
        prepared,
        population,
        table.rows,
        table.rows - len(filtered),
        left_by_sample,
        without_person,
        over_limit,
        MappingProxyType(misfits),
        drawn,
    )


def limited(persons: NDArray[np.integer], rows: NDArray[np.intp], most: int, source: RandomSource) -> NDArray[np.intp]:
    """At most `most` of each person's rows, each subset of that size equally likely; rising.

    Parameters
    ----------
    persons
        The person of every row of the table, as a code.
    rows
        Row numbers to choose from.
    """
    # In a random order of all rows, the first ones of each person are a random choice of that person's rows.
    # (`take` instead of brackets, because it lets other threads work meanwhile.)
    shuffled = np.take(rows, permutation(source, len(rows)))
    by_person = np.take(shuffled, np.argsort(np.take(persons, shuffled), kind="stable"))
    whose = np.take(persons, by_person)
    starts = np.flatnonzero(np.r_[True, whose[1:] != whose[:-1]]) if len(whose) else np.zeros(0, dtype=np.intp)
    place = np.arange(len(whose)) - np.repeat(starts, np.diff(np.r_[starts, len(whose)]))
    return np.sort(by_person[place < most])


def person_column(table: Table, schema: Schema, preparation: Preparation) -> ColumnSpec | None:
    """The column that tells persons apart, if rows per person are to be limited.

    Raises
    ------
    WorkbenchError
        If there is none.
    """
    if not preparation.limit_rows:
        return None
    name = schema.unit.person_column
    if not name or name not in table:
        raise WorkbenchError(
            "Rows per person cannot be limited, because no column says which rows are one person's.",
            hint="Name the column that tells persons apart, or do not limit the rows.",
            field="limit_rows",
        )
    return schema[name]


def _check_format(spec: ColumnSpec) -> None:
    """Where nothing says how the values are written, none would fit, which cannot be meant."""
    if spec.kind.numeric or spec.kind.temporal:
        try:
            parse_values((), spec)
        except WorkbenchError as error:
            raise WorkbenchError(f"Column “{spec.name}”: {error.message}", hint=error.hint, field=spec.name) from error


def misfits_of(table: Table, schema: Schema, progress: Progress = SILENT) -> list[tuple[ColumnSpec, NDArray[np.intp]]]:
    """Columns with values that do not fit and must not stay, and the codes of these values.

    Raises
    ------
    WorkbenchError
        If nothing says how the values of such a column are written.
    """
    described = [spec for spec in schema.columns if spec.misfits is not Misfits.KEEP and spec.name in table]
    found = []
    for position, spec in enumerate(described):
        part = progress.part(position / len(described), (position + 1) / len(described))
        part(0.0, "Looking for values that do not fit")
        _check_format(spec)
        wrong = misfitting(table[spec.name], spec, part)
        if len(wrong):
            found.append((spec, wrong))
    return found


def absent(column: Column, spec: ColumnSpec) -> NDArray[np.bool_]:
    """Which distinct values stand for a missing one, bool of shape (len(column.values),)."""
    missing = frozenset(spec.missing)
    return np.fromiter((is_missing(value, missing) for value in column.values), np.bool_, len(column.values))


def blanked(column: Column, wrong: NDArray[np.intp], spec: ColumnSpec) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The values of a column in which the wrong ones are missing, and the code that each value has then."""
    blank = "" if "" in spec.missing or not spec.missing else spec.missing[0]
    values = column.values if blank in column.values else (*column.values, blank)
    new = np.arange(len(values))
    new[wrong] = values.index(blank)
    return values, new


def _without(column: Column, wrong: NDArray[np.intp], spec: ColumnSpec) -> Column:
    """The column with a missing value in place of the wrong ones."""
    values, changed = blanked(column, wrong, spec)
    new = changed.astype(np.min_scalar_type(max(len(values) - 1, 0)))
    codes = np.empty(len(column), dtype=new.dtype)
    for start in range(0, len(codes), _ROWS):
        codes[start : start + _ROWS] = np.take(new, column.codes[start : start + _ROWS])
    return Column(column.name, codes, values)


def _stop_at(
    column: Column, wrong: NDArray[np.intp], taking_part: NDArray[np.bool_], place_of: Callable[[int], str] | None
) -> None:
    bad = np.zeros(len(column.values), dtype=np.bool_)
    bad[wrong] = True
    rows = np.flatnonzero(bad[column.codes] & taking_part)
    if len(rows):
        raise stopping(column.name, [(row, column.text(row)) for row in rows[:EXAMPLES].tolist()], len(rows), place_of)


def stopping(
    name: str, examples: Sequence[tuple[int, str]], rows: int, place_of: Callable[[int], str] | None = None
) -> WorkbenchError:
    """The error that names rows with values that do not fit their column.

    Parameters
    ----------
    examples
        The first of these rows, from 0, with their values.
    rows
        How many there are.
    """
    shown = []
    for row, text in examples:
        where = f"row {row + 1:,}" if place_of is None else place_of(row)
        shown.append(f"“{text}” in {where}")
    many = "1 row has a value that does not fit" if rows == 1 else f"{rows:,} rows have values that do not fit"
    more = f" and {rows - len(shown):,} more" if rows > len(shown) else ""
    return WorkbenchError(
        f"In column “{name}” {many}: {', '.join(shown)}{more}.",
        hint="Correct the file, leave these rows out by a filter, or let such values be missing or stay as they are.",
        field=name,
    )


def _taken(table: Table, rows: NDArray[np.intp], progress: Progress) -> Table:
    """These rows of the table, in chunks so that other threads get their turn."""
    if len(rows) == table.rows:
        return table
    taken = []
    for position, column in enumerate(table.columns):
        progress(position / len(table.columns))
        codes = np.empty(len(rows), dtype=column.codes.dtype)
        for start in range(0, len(rows), _ROWS):
            codes[start : start + _ROWS] = np.take(column.codes, rows[start : start + _ROWS])
        taken.append(Column(column.name, codes, column.values))
    return Table(tuple(taken))
