"""Suggesting roles: which columns identify people, and which do so together. The person decides.

*Distinction* is the number of distinct values over the number of rows; *separation* the share of pairs of rows
that differ. A missing value counts as one value more. All of it is taken from the true data: analyst only.
(The measures are those of Motwani and Xu, Efficient algorithms for masking and finding quasi-identifiers, 2007.)
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from workbench.core.column_words import is_wanted, tells_when, words_of_name
from workbench.core.identifiers import form_of, looks_like_a_name
from workbench.core.kinds import is_missing
from workbench.core.number_text import whole_percent
from workbench.core.progress import SILENT, Progress
from workbench.core.quick_reading import read_values
from workbench.core.role_words import (
    CERTAIN,
    KNOWN,
    LIKELY,
    NAMES,
    PERSONS,
    POST_CODE,
    WANTED,
    is_certain,
    is_post_code,
    known_to_others,
    role_by_name,
)
from workbench.core.schema import ColumnSpec, Kind, Role, Schema
from workbench.core.table import Column, Table

NEARLY_UNIQUE = 0.95
"""Share of different texts from which a column is suggested as quasi-identifying by itself."""

MOST_CANDIDATES = 12
"""Columns that are tried together."""

SAMPLED_ROWS = 50_000
"""Rows at which small sets of columns are tried."""

ALONE = 0.2
"""Share of rows that no other row is like, from which a set of columns is suggested."""

UNLISTED = "It has so many different values that they are not listed; such a column can be left out, and no more."
"""Why a column is suggested as identifying without a look at it."""

TELLS_APART = "Its name, “{}”, says that it tells people apart."
SAID_SO = "You said that it tells persons apart."

_FEW_ROWS = 20
_PROBE = 1000
_BLOCK = 1 << 12
_REPEATS_AT_MOST = 0.1
_NAMES_REPEAT_AT_MOST = 0.3
_MOST_SETS = 6
_TELLS_APART = LIKELY | PERSONS | NAMES
"""Words in names of columns that may tell people apart: whether they do hangs on the values."""
_NUMBERS = (["no"], ["nr"], ["number"])
"""Ends of such names: a “staff no”, and no “number of rooms”."""


@dataclass(frozen=True)
class IdentifyingPower:
    """The power of a column, or of several together, to tell rows apart.

    Parameters
    ----------
    distinction
        Distinct values over rows, in [0, 1].
    separation
        Share of the pairs of rows that differ, in [0, 1].
    alone
        Share of rows that no other row is like, in [0, 1].
    """

    distinction: float
    separation: float
    alone: float


@dataclass(frozen=True)
class Suggestion:
    """A role for one column, or for several that are dangerous together, and the reason in words."""

    columns: tuple[str, ...]
    role: Role
    reason: str


@dataclass(frozen=True)
class Suggestions:
    """Suggestions for a table.

    Parameters
    ----------
    spreads
        For every column whose values are listed by its name, counted exactly.
    found
        The suggestions: direct identifiers in the order of the columns, then columns that others know or that
        leave many rows alone, then small sets of columns, the most telling first.
    rows
        Rows at which the sets were tried; fewer than the table has if it was sampled.
    """

    spreads: Mapping[str, IdentifyingPower]
    found: tuple[Suggestion, ...]
    rows: int


def spread(column: Column, spec: ColumnSpec) -> IdentifyingPower:
    """How far one column tells rows apart, from the counts of its values."""
    counts = column.counts
    absent = _absent(column, spec)
    together = counts.copy()
    together[absent] = 0
    return _spread(np.append(together, counts[absent].sum()))


def _absent(column: Column, spec: ColumnSpec) -> NDArray[np.bool_]:
    """Which of the distinct values stand for "no value"."""
    missing = frozenset(spec.missing)
    return np.fromiter((is_missing(value, missing) for value in column.values), np.bool_, len(column.values))


def suggest_role(column: Column, spec: ColumnSpec, progress: Progress = SILENT) -> tuple[Role, str]:
    """A role for the column by itself, and the reason for it.

    Identifying if the name or the form of the texts says so, texts are all different, or whole numbers count the
    rows; quasi-identifying if it holds post codes or its texts are nearly all different: people share them; else
    insensitive, because what a column means for people cannot be seen in it alone.
    """
    counts = column.counts
    filled = np.flatnonzero((counts > 0) & ~_absent(column, spec))
    distinct, rows = len(filled), int(counts[filled].sum())
    if not rows:
        return Role.INSENSITIVE, "It has no values."
    progress(0.5)
    share = distinct / rows
    words = words_of_name(column.name)
    if is_certain(words):
        return Role.IDENTIFYING, CERTAIN.format(column.name)
    if is_post_code(words):
        return Role.QUASI, POST_CODE
    probe = filled[:: max(1, len(filled) // _PROBE)].tolist()
    sample = [column.values[code].strip() for code in probe]
    form = form_of(sample)
    if form is not None:
        return Role.IDENTIFYING, f"Most of its values are {form.title}."
    many = f"{distinct:,} different values in {rows:,} rows"
    if LIKELY.intersection(words) and share >= _REPEATS_AT_MOST and distinct > 1:
        return Role.IDENTIFYING, f"Its name, “{column.name}”, and {many} say that it identifies people."
    if PERSONS.intersection(words) and distinct >= _FEW_ROWS and not spec.kind.temporal:
        return Role.IDENTIFYING, f"Its name, “{column.name}”, says that it tells people apart: {many}."
    in_words = spec.kind in (Kind.TEXT, Kind.CATEGORY)
    if rows >= _FEW_ROWS and in_words and share == 1:
        return Role.IDENTIFYING, f"Every row has a text of its own: {distinct:,} in {rows:,} rows."
    named = sum(map(looks_like_a_name, sample))
    often = distinct >= _FEW_ROWS and NAMES.issuperset(words) and bool(words)
    if rows >= _FEW_ROWS and in_words and (share >= _NAMES_REPEAT_AT_MOST or often) and named >= 0.8 * len(sample):
        return Role.IDENTIFYING, f"Its values look like names of people: {many}."
    if rows >= _FEW_ROWS and in_words and share >= NEARLY_UNIQUE:
        return Role.QUASI, f"Nearly every row has a text of its own, but some share one: {many}."
    if rows >= _FEW_ROWS and share == 1 and spec.kind is Kind.INTEGER and _consecutive(column, filled, spec, progress):
        return Role.IDENTIFYING, "It numbers the rows, so whoever knows a number finds the row."
    return Role.INSENSITIVE, "Nothing in its name or values says that it identifies people."


def suggest(table: Table, schema: Schema, progress: Progress = SILENT) -> Suggestions:
    """Everything that can be suggested for a table. Changes nothing; safe on any thread.

    Sets of two and three columns are tried at no more than `SAMPLED_ROWS` rows, the same ones each time, and
    only among the `MOST_CANDIDATES` columns that promise most.

    Raises
    ------
    Cancelled
        If the person pressed Cancel.
    """
    spreads: dict[str, IdentifyingPower] = {}
    direct: list[Suggestion] = []
    known: list[Suggestion] = []
    candidates: list[Column] = []
    person = schema.unit.person_column
    for position, column in enumerate(table.columns):
        part = progress.part(0.5 * position / len(table.columns), 0.5 * (position + 1) / len(table.columns))
        part(0.0, "Looking for what identifies people")
        spec = schema[column.name]
        if not table.lists(column.name):
            direct.append(Suggestion((column.name,), Role.IDENTIFYING, UNLISTED))
            continue
        spreads[column.name] = spread(column, spec)
        role, reason = suggest_role(column, spec, part)
        if column.name == person:
            role, reason = Role.IDENTIFYING, SAID_SO
        if role is Role.IDENTIFYING:
            direct.append(Suggestion((column.name,), role, reason))
        elif spec.role is not Role.IDENTIFYING and spreads[column.name].separation > 0:
            candidates.append(column)
            if role is Role.QUASI:
                known.append(Suggestion((column.name,), role, reason))
            elif is_wanted(column.name):
                known.append(Suggestion((column.name,), Role.SENSITIVE, WANTED))
            elif known_to_others(column.name) or (spec.kind.temporal and tells_when(column.name)):
                known.append(Suggestion((column.name,), Role.QUASI, _known_words(spreads[column.name])))
            elif spreads[column.name].alone >= ALONE:
                known.append(Suggestion((column.name,), Role.QUASI, _alone_words(spreads[column.name])))
    candidates.sort(key=lambda c: (not known_to_others(c.name), -spreads[c.name].separation))
    chosen = {column.name for column in candidates[:MOST_CANDIDATES]}
    rows = _some_rows(table.rows)
    tried = [name for name in table.names if name in chosen]
    codes = table.codes_at(tried, rows, progress.part(0.5, 0.6))
    columns = dict(zip(tried, map(_dense, codes), strict=True))
    sets = _sets(columns, len(rows), spreads, progress.part(0.6, 1.0))
    progress(1.0)
    return Suggestions(MappingProxyType(spreads), (*direct, *known, *sets), len(rows))


def before_looking(found: Suggestions, schema: Schema) -> tuple[Suggestion, ...]:
    """Suggestions by which no column takes part in a release for what stands in it, in the order of the columns.

    Names and kinds alone say what others may know, or want to, and what to leave out: all that may tell people apart,
    however many share it. Of other columns a person decides. Else a row more, by which a fifth of the rows have a value
    of their own, or by which two have the same text, would show in which columns a release has.
    """
    by_values = {one.columns[0]: one for one in found.found if one.role is Role.IDENTIFYING}
    person = schema.unit.person_column
    each = (_before_looking(spec, by_values.get(spec.name), person) for spec in schema.columns)
    return tuple(one for one in each if one is not None)


def _before_looking(spec: ColumnSpec, by_values: Suggestion | None, person: str) -> Suggestion | None:
    named = role_by_name(spec.name, spec.kind)
    if by_values is not None and (spec.name == person or by_values.reason == UNLISTED):
        return replace(by_values, reason=without_counts(by_values.reason))
    words = words_of_name(spec.name)
    if named is None and (_TELLS_APART.intersection(words) or words[-1:] in _NUMBERS):
        return Suggestion((spec.name,), Role.IDENTIFYING, TELLS_APART.format(spec.name))
    if named is None or (spec.role is Role.IDENTIFYING and named[0] is not Role.IDENTIFYING):
        return None
    return Suggestion((spec.name,), *named)


# Sets of columns

_HARDLY_ANY = 0.01
_Dense = tuple[NDArray[np.int64], int]


def _sets(
    columns: Mapping[str, _Dense], rows: int, spreads: Mapping[str, IdentifyingPower], progress: Progress
) -> list[Suggestion]:
    """Pairs and triples that leave many rows alone, without those that only repeat a smaller set."""
    if rows < _FEW_ROWS:
        return []
    pairs = list(itertools.combinations(columns, 2))
    triples = list(itertools.combinations(columns, 3))
    alone: dict[tuple[str, ...], float] = {(name,): _joined(columns, (name,)).alone for name in columns}
    found: list[tuple[tuple[str, ...], IdentifyingPower]] = []
    for number, names in enumerate((*pairs, *triples)):
        progress(number / (len(pairs) + len(triples)), "Looking at columns together")
        together = _joined(columns, names)
        alone[names] = together.alone
        # A set is worth naming only if it tells much more than what is left without any one of its columns.
        parts = [rest for rest in itertools.combinations(names, len(names) - 1) if rest in alone]
        if together.alone >= ALONE and together.alone >= 1.5 * max(alone[rest] for rest in parts):
            found.append((names, together))
    found.sort(key=lambda entry: (-entry[1].alone, len(entry[0])))
    return [Suggestion(names, Role.QUASI, _set_words(together)) for names, together in found[:_MOST_SETS]]


def _joined(columns: Mapping[str, _Dense], names: Iterable[str]) -> IdentifyingPower:
    keys, radix = np.zeros(1, dtype=np.int64), 1
    for name in names:
        codes, distinct = columns[name]
        # Three columns of at most 50,000 distinct values each stay below 2**63.
        keys, radix = keys * distinct + codes, radix * distinct
    ranked = np.sort(keys)
    starts = np.flatnonzero(np.r_[True, ranked[1:] != ranked[:-1]])
    return _spread(np.diff(np.r_[starts, len(ranked)]))


def _spread(counts: NDArray[np.integer]) -> IdentifyingPower:
    """From the rows of each value; values without rows do not matter."""
    rows = int(counts.sum())
    if rows < 2:
        return IdentifyingPower(float(rows), 0.0, float(rows))
    alike = float(np.dot(counts.astype(np.float64), counts - 1.0))
    return IdentifyingPower(
        np.count_nonzero(counts) / rows, 1.0 - alike / (rows * (rows - 1.0)), np.count_nonzero(counts == 1) / rows
    )


def _dense(codes: NDArray[np.integer]) -> _Dense:
    """The codes numbered without gaps, and how many there are."""
    used, dense = np.unique(codes, return_inverse=True)
    return dense.astype(np.int64), max(len(used), 1)


def _some_rows(rows: int) -> NDArray[np.intp]:
    if rows <= SAMPLED_ROWS:
        return np.arange(rows)
    # Not random in any sense that matters for privacy; the same table gives the same suggestions.
    return np.sort(np.random.Generator(np.random.PCG64(rows)).choice(rows, SAMPLED_ROWS, replace=False))


def _consecutive(column: Column, codes: NDArray[np.intp], spec: ColumnSpec, progress: Progress) -> bool:
    """Whether the values are whole numbers without a gap. They are all different."""
    least, greatest = np.inf, -np.inf
    for start in range(0, len(codes), _BLOCK):
        progress(0.5 + 0.5 * start / len(codes))
        numbers = read_values([column.values[code] for code in codes[start : start + _BLOCK].tolist()], spec)
        least, greatest = min(least, numbers.min()), max(greatest, numbers.max())
        if not greatest - least < len(codes):  # also where one is no number
            return False
    return True


def without_counts(reason: str) -> str:
    """The reason for a suggested role as it can be said before anybody looks at the values: without how many there are.

    >>> without_counts("Others may know it. 12 % of the rows have a value of their own.")
    'Others may know it.'
    """
    for counted, uncounted in _COUNTED:
        reason = counted.sub(uncounted, reason)
    return reason.strip()


_COUNTED = (
    # Nothing in the place of all three: which of them holds may turn on one row.
    (
        re.compile(
            r"Each value is in several rows\.|Hardly any row has a value of its own\.|"
            r"(?:\S+ %|[Aa]lmost all|[Hh]ardly any) of the rows have a value of their own\."
        ),
        "",
    ),
    (re.compile(r"”, and [\d,]+ different values in [\d,]+ rows say"), "”, and its values say"),
    (re.compile(r": [\d,]+ (?:different values )?in [\d,]+ rows"), ""),
    (re.compile(r"(?:\S+ %|[Aa]lmost all|[Hh]ardly any) of the rows have"), "Some rows have"),
    (re.compile(r"single out (?:\S+ %|almost all|hardly any) of the rows"), "single out rows"),
)


def _known_words(found: IdentifyingPower) -> str:
    return f"{KNOWN} {_alone(found)}"


def _alone_words(found: IdentifyingPower) -> str:
    return f"Whoever knows it finds rows by it. {_alone(found)}"


def _alone(found: IdentifyingPower) -> str:
    if not found.alone:
        return "Each value is in several rows."
    if found.alone < _HARDLY_ANY:
        return "Hardly any row has a value of its own."
    return f"{whole_percent(found.alone)} of the rows have a value of their own."


def _set_words(found: IdentifyingPower) -> str:
    return f"Together they single out {whole_percent(found.alone)} of the rows."
