"""Generalisation hierarchies: for every value, what it becomes at each level."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.first_few import first_few
from workbench.core.table import Column
from workbench.core.typed_fields import typed_fields

ANY = "*"
"""The label that says nothing: the usual top of a hierarchy."""

_NAMED = 5


class Provenance(StrEnum):
    """The provenance of a hierarchy: fixed without the data (sound under differential privacy), or made from it."""

    PUBLIC = "public"
    DERIVED = "data-derived"


@discreet
@dataclass(frozen=True, eq=False)
@typed_fields
class Hierarchy:
    """Levels of ever coarser labels over a set of ground values.

    Parameters
    ----------
    values
        The ground values, distinct.
    labels
        `labels[level]` are the distinct labels of that level; `labels[0]` are the ground values.
    maps
        `maps[level][i]` is the index in `labels[level]` of what `values[i]` becomes; int32, read-only,
        shape (len(values),). `maps[0]` is 0, 1, 2, ….
    provenance, origin
        Whether the hierarchy is public, and in words how it was made.
    specification
        What a builder made it from, as JSON would hold it (`workbench.core.building`); None if it was not built.
    covers_all, added
        Whether a value that is not listed becomes `*` above level 0, and how many of the last `values` are there
        only because of that rule.
    plugin
        Of the plug-in that built it, as `Origin.to_json` writes it, where the specification is lost because it comes
        from a file; None otherwise.
    topped
        Of a hierarchy that was built, whether its highest level is `*` by the specification alone, whatever the values;
        None for one whose values were given with it.
    """

    values: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    maps: tuple[NDArray[np.int32], ...]
    provenance: Provenance = Provenance.PUBLIC
    origin: str = ""
    specification: Mapping[str, Any] | None = None
    covers_all: bool = False
    added: int = 0
    plugin: Mapping[str, Any] | None = None
    topped: bool | None = None

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Sequence[str]],
        *,
        provenance: Provenance = Provenance.PUBLIC,
        origin: str = "",
    ) -> Hierarchy:
        """Build from one row per value: the value, then its label at level 1, 2, ….

        Raises
        ------
        WorkbenchError
            If there is no row, rows differ in length, a value is listed twice with different labels, or
            a level splits a group of the level before it (the hierarchy is not nested).
        """
        table: dict[str, tuple[str, ...]] = {}
        width = 0
        for number, row in enumerate(rows, start=1):
            entry = tuple(row)
            width = width or len(entry)
            if len(entry) != width:
                raise WorkbenchError(
                    f"Row {number} of the hierarchy has {len(entry)} cells where the first has {width}.",
                    hint="Give every value the same number of levels.",
                )
            known = table.setdefault(entry[0], entry)
            if known != entry:
                raise WorkbenchError(
                    f"Row {number} of the hierarchy lists “{entry[0]}” a second time with other labels.",
                    hint="Keep one row for each value.",
                )
        if not table or not width:
            raise WorkbenchError(
                "The hierarchy is empty.", hint="It needs one row for each value: the value, then its labels."
            )
        values = tuple(table)
        labels: list[tuple[str, ...]] = []
        maps: list[NDArray[np.int32]] = []
        for level in range(width):
            column = Column.from_texts(str(level), [entry[level] for entry in table.values()])
            labels.append(column.values)
            maps.append(column.codes.astype(np.int32))
        hierarchy = cls(values, tuple(labels), tuple(map(_read_only, maps)), provenance, origin)
        hierarchy._check_nested()
        return hierarchy

    @classmethod
    def from_levels(
        cls,
        values: Sequence[str],
        levels: Iterable[tuple[NDArray[np.integer], Sequence[str]]],
        *,
        provenance: Provenance = Provenance.PUBLIC,
        origin: str = "",
        specification: Mapping[str, Any] | None = None,
        topped: bool | None = None,
    ) -> Hierarchy:
        """Build from arrays: the same hierarchy as `from_rows`, much faster for many values.

        Parameters
        ----------
        values
            The ground values, distinct.
        levels
            For level 1, 2, …: the index of each value's label, shape (len(values),), and the labels. Equal
            labels become one group, labels that nothing uses are left out.

        Raises
        ------
        WorkbenchError
            If there is no value, a value is listed twice, or a level splits a group of the level before it.
        """
        ground = tuple(values)
        if not ground:
            raise WorkbenchError(
                "The hierarchy is empty.", hint="It needs at least one value, from the data or a declared domain."
            )
        if len(set(ground)) != len(ground):
            seen: set[str] = set()
            twice = next(value for value in ground if value in seen or seen.add(value))  # type: ignore[func-returns-value]
            raise WorkbenchError(f"The hierarchy lists “{twice}” a second time.", hint="Keep one row for each value.")
        labels: list[tuple[str, ...]] = [ground]
        maps: list[NDArray[np.int32]] = [np.arange(len(ground), dtype=np.int32)]
        for codes, texts in levels:
            merged, kept = _in_order_of_appearance(codes, texts)
            labels.append(kept)
            maps.append(merged)
        hierarchy = cls(
            ground, tuple(labels), tuple(map(_read_only, maps)), provenance, origin, specification, topped=topped
        )
        hierarchy._check_nested()
        return hierarchy

    @classmethod
    def identity(cls, values: Sequence[str], origin: str = "the values as they are") -> Hierarchy:
        """The hierarchy with no level above the ground: values are grouped as they are."""
        return cls.from_rows([(value,) for value in values], origin=origin)

    @classmethod
    def suppressing(cls, values: Iterable[str]) -> Hierarchy:
        """The hierarchy by which every value becomes `*`, whichever values there are."""
        return cls.from_rows([("", ANY)], origin="Every value becomes *.").covering(values)

    @property
    def ends_in_any(self) -> bool:
        """Whether the highest level says nothing: `*` for every value."""
        return self.height > 0 and self.says_nothing(self.height)

    def says_nothing(self, level: int) -> bool:
        """Whether a level is `*` for every value, and would be whichever values there were.

        A hierarchy that was built lists the values of the data: that all of their labels are `*` can be so by chance,
        and one row more would show it. Only the top that its specification asks for is `*` whatever the values. Of a
        level that is not there, as settings of another hierarchy may name, nothing is known.
        """
        if not 0 <= level <= self.height:
            return False
        if self.topped is not None and not (self.topped and level == self.height):
            return False
        return set(self.labels[level]) == {ANY}

    @property
    def height(self) -> int:
        """The highest level; level 0 is the ground values."""
        return len(self.maps) - 1

    def groups(self) -> tuple[int, ...]:
        """Distinct labels per level, never increasing: such as (73, 10, 4, 1)."""
        return tuple(len(labels) for labels in self.labels)

    def rows(self) -> list[tuple[str, ...]]:
        """One tuple per ground value: the value, then its label at each level."""
        columns = [
            [labels[code] for code in codes.tolist()] for labels, codes in zip(self.labels, self.maps, strict=True)
        ]
        return list(zip(*columns, strict=True))

    def uncovered(self, values: Iterable[str]) -> list[str]:
        """Those of `values` that the hierarchy does not list, in their order."""
        known = set(self.values)
        return [value for value in values if value not in known]

    def covering(self, values: Iterable[str]) -> Hierarchy:
        """The hierarchy extended by the values it misses: themselves at level 0, `*` above.

        The rule does not depend on which values those are, so a public hierarchy stays public.
        """
        extra = self.uncovered(dict.fromkeys(values))
        if not extra:
            return replace(self, covers_all=True)
        levels = []
        for codes, labels in zip(self.maps[1:], self.labels[1:], strict=True):
            texts = labels if ANY in labels else (*labels, ANY)
            levels.append((np.append(codes, np.full(len(extra), texts.index(ANY), dtype=codes.dtype)), texts))
        grown = Hierarchy.from_levels(
            (*self.values, *extra),
            levels,
            provenance=self.provenance,
            origin=self.origin,
            specification=_with_unlisted(self.specification),
            topped=self.topped,
        )
        return replace(grown, covers_all=True, added=self.added + len(extra), plugin=self.plugin)

    def as_listed(self) -> Hierarchy:
        """The hierarchy without the values `covering` added: those came from the data and are not saved."""
        if not self.added:
            return self
        listed = Hierarchy.from_rows(self.rows()[: -self.added], provenance=self.provenance, origin=self.origin)
        return replace(
            listed, specification=self.specification, covers_all=True, plugin=self.plugin, topped=self.topped
        )

    def level_map(self, column: Column, level: int) -> NDArray[np.int32]:
        """For each distinct value of `column`, the index of its label in `labels[level]`.

        Raises
        ------
        WorkbenchError
            If the level does not exist or the hierarchy misses a value that occurs in the column.
        """
        if not 0 <= level <= self.height:
            raise WorkbenchError(
                f"Column “{column.name}” has no level {level}.",
                hint=f"Its hierarchy has the levels 0 to {self.height}.",
                field=column.name,
            )
        index = {value: position for position, value in enumerate(self.values)}
        ground = np.fromiter((index.get(v, -1) for v in column.values), np.int32, len(column.values))
        missed = np.flatnonzero((ground < 0) & (column.counts > 0))
        if missed.size:
            raise uncovered_error(column.name, [column.values[i] for i in missed])
        # A value that no row uses may be unlisted; any label will do for it.
        return self.maps[level][np.maximum(ground, 0)]

    def _check_nested(self) -> None:
        for level in range(1, self.height + 1):
            below, above = self.maps[level - 1], self.maps[level]
            parent = np.full(len(self.labels[level - 1]), -1, dtype=np.int32)
            parent[below] = above
            wrong = np.flatnonzero(parent[below] != above)
            if wrong.size:
                value = self.values[wrong[0]]
                group = self.labels[level - 1][below[wrong[0]]]
                raise WorkbenchError(
                    f"Level {level} of the hierarchy is not coarser than level {level - 1}: “{value}” leaves the "
                    f"others of “{group}”.",
                    hint=f"Give every value of “{group}” the same label at level {level}.",
                )


def uncovered_error(name: str, values: Sequence[str]) -> WorkbenchError:
    """The error that names the values of column `name` its hierarchy misses."""
    shown = first_few(values, _NAMED, quoted=True)
    count = "1 value" if len(values) == 1 else f"{len(values):,} values"
    hint = f"Add them to the hierarchy; unlisted values can become {ANY}."
    return WorkbenchError(
        f"The hierarchy of “{name}” misses {count}: {shown}.",
        hint=hint,
        field=name,
        flags="--cover",
        unnamed=WorkbenchError(f"The hierarchy of “{name}” misses values of the data.", hint=hint, field=name),
    )


def _with_unlisted(specification: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """The specification that builds the covering hierarchy: every builder has the switch for it."""
    if specification is None:
        return None
    return {**specification, "parameters": {**specification["parameters"], "unlisted": "any"}}


def _in_order_of_appearance(
    codes: NDArray[np.integer], texts: Sequence[str]
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Number the labels as `Hierarchy.from_rows` would, so that equal hierarchies have equal arrays."""
    if len(set(texts)) != len(texts):
        index = dict(zip(texts, range(len(texts)), strict=True))
        codes = np.fromiter((index[text] for text in texts), np.int64, len(texts))[codes]
    first = np.full(len(texts), len(codes), dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    used = np.flatnonzero(first < len(codes))
    order = used[np.argsort(first[used], kind="stable")]
    place = np.zeros(len(texts), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return place[codes], tuple([texts[code] for code in order.tolist()])


def _read_only(codes: NDArray[np.int32]) -> NDArray[np.int32]:
    codes.flags.writeable = False
    return codes
