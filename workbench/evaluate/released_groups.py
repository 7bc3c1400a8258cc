"""The common part of releases where methods are compared: levels by parameters, groups, and how labels are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.compared import Meaning
from workbench.anonymise.grouping import classes
from workbench.core.amount_text import float_amount
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.params import ParamSpec, ParamType
from workbench.core.table import Column
from workbench.evaluate.question import Floats, Statistic
from workbench.evaluate.subject import EncodedColumn
from workbench.ldp.encoding import (
    MISSING,
    OTHER,
    EncodingChoice,
    EncodingKind,
    Outside,
    chosen_how,
    encode,
    public_bounds,
)

_HELD_NUMBERS = 8_000_000
"""Of a column so many rows of its groups are held, over all levels at which they were found."""
_BYTES_PER_CELL = 24
"""Of every column that makes rows alike: its code, the code of its group, and the rows in the order of both."""
VOID = "No (ε, δ) claim: the hierarchy of “{name}” was made from the data."

LEVEL = ParamSpec(
    "level",
    "Level",
    ParamType.INTEGER,
    1,
    "Level of the hierarchy of the column asked about; 0 groups the values as they are.",
    minimum=0,
)
DELTA = ParamSpec("delta", "δ", ParamType.TEXT, "1e-5", "A number, or 1/n for one over the number of users.")
HIERARCHY = ParamSpec(
    "hierarchy", "Hierarchy", ParamType.TEXT, "", "Name of another hierarchy for the column; empty: its own."
)
OTHERS = ParamSpec(
    "others", "Other columns", ParamType.LINES, "", "Columns released beside it, one COLUMN=LEVEL per line."
)


@dataclass(frozen=True, eq=False)
class ReleasedGroups:
    """The groups of a release, and what a reader makes of their labels. From true values: analyst only.

    Parameters
    ----------
    group_of
        The group of each row that takes part.
    label_of
        The label of the column asked about, of each group.
    numbers
        The number each label stands for, nan if for none, shape (labels,).
    spread
        How a row of each label is divided among the public values, shape (labels, domain size).
    notes
        What must be known.
    """

    group_of: NDArray[np.int64]
    label_of: NDArray[np.int64]
    numbers: Floats
    spread: Floats
    notes: tuple[str, ...]


_held: WeakKeyDictionary[EncodedColumn, dict[tuple[tuple[str, int], ...], ReleasedGroups]] = WeakKeyDictionary()
"""By levels, and for no longer than somebody has the column: every ε and every way of releasing asks for the same."""


def groups_of(subject: EncodedColumn, levels: Mapping[str, int]) -> ReleasedGroups:
    """The groups at these levels; the column asked about comes first.

    Raises
    ------
    WorkbenchError
        If a level does not exist, or there is no room for it.
    """
    held, at = _held.setdefault(subject, {}), tuple(levels.items())
    found = held.get(at)
    if found is None:
        found = _grouped(subject, levels)
        if (len(held) + 1) * len(subject.rows) <= _HELD_NUMBERS:
            held[at] = found
    return found


def _grouped(subject: EncodedColumn, levels: Mapping[str, int]) -> ReleasedGroups:
    rows = len(subject.rows)
    subject.material.table.check_room(
        _BYTES_PER_CELL * rows * len(levels), f"{len(levels):,} columns of {rows:,} rows, to group the rows,"
    )
    wanted: list[tuple[NDArray[np.integer], int]] = []
    notes = []
    for name, level in levels.items():
        hierarchy = hierarchy_of(subject, name, level)
        column = subject.material.table[_column_of(subject, name)]
        codes = hierarchy.level_map(column, level)[column.codes[subject.rows]]
        wanted.append((codes, len(hierarchy.labels[level])))
        if hierarchy.provenance is not Provenance.PUBLIC:
            notes.append(VOID.format(name=name))
    found = classes(wanted, rows)
    target = next(iter(levels))
    label_of = np.zeros(len(found.sizes), dtype=np.int64)
    label_of[found.ids] = wanted[0][0]
    numbers, spread = _meaning(subject, hierarchy_of(subject, target, levels[target]), levels[target])
    return ReleasedGroups(found.ids, label_of, numbers, spread, tuple(notes))


def problem_of(subject: EncodedColumn, values: Mapping[str, Any]) -> str:
    """Why there are no such levels, or ""."""
    try:
        for name, level in levels_of(subject, values).items():
            hierarchy_of(subject, name, level)
    except WorkbenchError as error:
        return str(error)
    return ""


def delta_of(text: str, users: int) -> float:
    """δ as it was typed; 1/n is one over the number of users."""
    top, _, bottom = text.strip().partition("/")
    if bottom.strip() == "n":
        return typed_number(top, "delta") / users
    return float_amount(text, "delta")


def typed_number(text: str, field: str) -> float:
    """A number as it was typed."""
    try:
        return float(text)
    except ValueError:
        raise WorkbenchError(
            f"“{text}” is not a number.",
            hint="Give a number; 1/n for δ; max or best for β.",
            field=field,
        ) from None


def hierarchies_used(column: str, values: Mapping[str, Any]) -> set[str] | None:
    """The names of the hierarchies that a setting is about; None where it does not name them."""
    if not {HIERARCHY.name, OTHERS.name} <= values.keys():
        return None
    others = (part.rpartition("=")[0].strip() for part in values["others"].splitlines())
    return {values["hierarchy"].strip() or column, *others}


def levels_of(subject: EncodedColumn, values: Mapping[str, Any]) -> dict[str, int]:
    """The level of each hierarchy that groups, that of the column asked about first."""
    target = values["hierarchy"].strip() or subject.question.column
    found = {target: values["level"]}
    for part in values["others"].splitlines():
        name, _, level = part.rpartition("=")
        if not part.strip():
            continue
        try:
            found[name.strip()] = int(level)
        except ValueError:
            raise WorkbenchError(
                f"“{part}” is no level of a column.", hint="Write one COLUMN=LEVEL per line.", field="others"
            ) from None
    return found


def _column_of(subject: EncodedColumn, name: str) -> str:
    """A hierarchy bears the name of its column, unless it is another one for the column asked about."""
    return name if name in subject.material.table else subject.question.column


def hierarchy_of(subject: EncodedColumn, name: str, level: int) -> Hierarchy:
    """The hierarchy of a column, or that by which its values stay as they are."""
    found = subject.material.hierarchies.get(name)
    if found is None:
        if level:
            raise WorkbenchError(
                f"“{name}” has no hierarchy, so it cannot be generalised to level {level}.",
                hint="Attach one, or use level 0.",
                field="level",
            )
        return Hierarchy.identity(subject.material.table[_column_of(subject, name)].values)
    if level > found.height:
        raise WorkbenchError(
            f"The hierarchy of “{name}” has no level {level}.",
            hint=f"It has the levels 0 to {found.height}.",
            field="level",
        )
    return found


def _meaning(subject: EncodedColumn, hierarchy: Hierarchy, level: int) -> tuple[Floats, Floats]:
    """The number of each label, and how a row of it is divided among the public values."""
    question, labels = subject.question, hierarchy.labels[level]
    spec = subject.material.schema[question.column]
    codes = np.full(len(hierarchy.values), -1)
    under = Column(question.column, np.arange(len(hierarchy.values)), hierarchy.values)
    if question.statistic in (Statistic.HISTOGRAM, Statistic.COUNT):
        encoded = encode(_clipping(subject), under, spec)
        place = {label: code for code, label in enumerate(subject.domain.labels)}
        codes_of = np.array([place.get(label, -1) for label in encoded.domain.labels])
        codes[encoded.rows] = codes_of[encoded.codes]
    inside = codes >= 0
    size = subject.domain.size
    members = np.bincount(hierarchy.maps[level], minlength=len(labels))
    flat = hierarchy.maps[level][inside].astype(np.int64) * size + codes[inside]
    spread = np.bincount(flat, minlength=len(labels) * size).reshape(len(labels), size)
    numbers = np.clip(Meaning(spec, hierarchy, level).numbers(labels), *subject.bounds)
    return numbers, spread / np.maximum(members, 1)[:, np.newaxis]


def _clipping(subject: EncodedColumn) -> EncodingChoice:
    """The encoding of a value that a hierarchy lists, whether or not anybody has it."""
    asked = subject.question.asked
    column, spec = subject.material.table[subject.question.column], subject.material.schema[subject.question.column]
    how = chosen_how(asked, spec)
    if how is EncodingKind.QUESTION:
        return asked
    if how is EncodingKind.CATEGORIES:
        known = tuple(label for label in subject.domain.labels if label not in (OTHER, MISSING))
        return replace(asked, outside=Outside.CLIP, domain=known)
    bounds = asked.bounds if how is EncodingKind.EDGES else public_bounds(asked, column, spec)[0]
    return replace(asked, outside=Outside.CLIP, bounds=bounds)
