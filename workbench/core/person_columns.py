"""Columns whose values repeat as people do: a row may then be one of several of the same person.

Who is protected is for a person to say. What is found here only asks, before a claim is made that counts every row as
somebody else. All of it is taken from the true data: analyst only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from workbench.core.column_words import words_of_name
from workbench.core.discreet import discreet
from workbench.core.identifiers import form_of, looks_like_a_name
from workbench.core.kinds import is_missing
from workbench.core.missing_codes import is_word
from workbench.core.role_words import holds_names, known_to_others, names_persons
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.table import Column, Table

FEWEST = 20
"""Different values below which a column sorts people and does not tell them apart."""

_FEWEST_CODES = 50
_PROBE = 500
_ALIKE = 0.9
_NAMES_REPEAT_AT_MOST = 0.1
_EVENLY = 1.5
_NUMBERED = frozenset({"id", "uid", "uuid", "guid", "key", "number", "no", "nr", "account", "card", "device"})
_NAMES = frozenset({"name", "nom", "nombre"})
_TELLING = frozenset({Kind.TEXT, Kind.CATEGORY, Kind.INTEGER})


class Likeness(IntEnum):
    """The likeness of a column to one that tells persons apart, the surest last."""

    SHAPE = 1
    NUMBERED = 2
    NAMED = 3


@discreet
@dataclass(frozen=True)
class PersonColumn:
    """A column that may say which rows are the same person's.

    Parameters
    ----------
    name
        The column.
    likeness
        What it looks like.
    distinct, most
        How many values it has, and the most rows that share one of them, at least 2.
    """

    name: str
    likeness: Likeness
    distinct: int
    most: int

    @property
    def of_names(self) -> bool:
        """Whether it is called after names, which people can share."""
        return holds_names(self.name)

    @property
    def words(self) -> str:
        """Finding in a sentence for the analyst."""
        return f"“{self.name}” repeats as people do: {self.distinct:,} values, up to {self.most:,} rows each."


def person_columns(table: Table, schema: Schema) -> tuple[PersonColumn, ...]:
    """The columns that may say whose a row is although their values repeat, the likeliest first.

    A column that is called after people is one whatever its values look like. Otherwise its values must have a form
    that people's have (a national number, a code with digits, a name), or every value must have nearly as many rows as
    any other, as where everybody was asked equally often. What others know of many people, such as an age or a post
    code, is none. Columns of names come last, since people can share one.
    """
    described = {spec.name: spec for spec in schema.columns}
    found = []
    for place, column in enumerate(table.columns):
        if not table.lists(column.name) or column.name not in described:
            continue
        one = _of_column(column, described[column.name])
        if one is not None:
            found.append((one.of_names, -one.likeness, place, one))
    return tuple(one for *_, one in sorted(found, key=lambda entry: entry[:3]))


def _of_column(column: Column, spec: ColumnSpec) -> PersonColumn | None:
    counts = column.counts
    # Words such as n/a repeat as no person does, mended or not.
    named = (not is_missing(value, spec.missing) and not is_word(value) for value in column.values)
    there = np.fromiter(named, np.bool_, len(column.values))
    filled = np.flatnonzero((counts > 0) & there)
    if len(filled) < 2 or int(counts[filled].max()) < 2:
        return None
    sample = [column.values[code].strip() for code in filled[:: max(1, len(filled) // _PROBE)].tolist()]
    likeness = _likeness(spec, sample, len(filled), counts[filled])
    return None if likeness is None else PersonColumn(spec.name, likeness, len(filled), int(counts[filled].max()))


def _likeness(spec: ColumnSpec, sample: Sequence[str], distinct: int, counts: np.ndarray) -> Likeness | None:
    words = words_of_name(spec.name)
    if names_persons(words) and distinct >= FEWEST:
        return Likeness.NAMED
    if distinct < FEWEST or spec.kind not in _TELLING or known_to_others(spec.name):
        return None
    if _NUMBERED.intersection(words):
        return Likeness.NUMBERED
    if form_of(sample) is not None or _codes(sample, distinct):
        return Likeness.SHAPE
    named = _NAMES.intersection(words) or sum(map(looks_like_a_name, sample)) >= _ALIKE * len(sample)
    if named and distinct >= _NAMES_REPEAT_AT_MOST * counts.sum():
        return Likeness.SHAPE
    evenly = distinct >= _FEWEST_CODES and counts.min() >= 2 and counts.max() <= _EVENLY * counts.min()
    return Likeness.SHAPE if evenly else None


def _codes(sample: Sequence[str], distinct: int) -> bool:
    """Whether nearly all texts are codes of one pattern, such as P-0042: letters with three digits or more."""
    if distinct < _FEWEST_CODES:
        return False
    pattern, count = Counter(map(_pattern, sample)).most_common(1)[0]
    return count >= _ALIKE * len(sample) and pattern.count("9") >= 3 and "A" in pattern


def _pattern(text: str) -> str:
    return re.sub(r"[^\W\d_]", "A", re.sub(r"\d", "9", text))
