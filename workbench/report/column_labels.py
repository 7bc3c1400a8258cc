"""The labels that a column of a file can have, as far as a note states it: by its list, its intervals, years or words.

From this and from the labels of the file follows which labels no row says, at the coarsest level that rows have, and
under which of that level a finer one lies. Nothing else is asked: the same is found by whoever has the file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

from workbench.anonymise.note_versions import SPELT_AS_IN_FILE
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy, Provenance
from workbench.core.level_words import AS_IT_IS, stated_words
from workbench.core.moments import YEARS_IN, unit_label
from workbench.core.occurring import Entries, occurring_places, parted, parted_once, ranges_of
from workbench.core.spelling import as_written
from workbench.core.unsaid import (
    interval_cell,
    interval_ends,
    interval_readings,
    no_beginning,
    width_of,
    within_grid,
    within_years,
)
from workbench.core.widening import WIDENING_TO
from workbench.report.absent_cells import absent_cells
from workbench.report.interval_grid import (
    BEYOND,
    grid_closed_at,
    is_beyond,
    is_cell,
    is_grid,
    is_near_cell,
    label_within,
)
from workbench.report.recheck_original import as_compared
from workbench.report.said_to_occur import KEY, entries_in
from workbench.report.stated_facts import Facts
from workbench.report.stated_labels import GRID, LISTED, MASK, MOST_LISTED, listed_paths, stated_labels

SPELLINGS = ("lower case", "upper case", "spaces tidied", "spelt as listed")
"""The first levels of rules that keep the words of a column, and cover whatever is written."""
_KEPT = re.compile(r"first (character|([0-9,]{1,6}) characters)")
_WHOLE_LIKE = "0-1"
_LIKE = (_WHOLE_LIKE, "0 to under 1")
"""Labels of intervals of whole numbers, and of others."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_NUMBERED = re.compile(r"level [0-9]{1,6}")
_LONGEST_CODE = 1000
"""Characters that a rule can mask: nobody can make a reader fill its memory with a longer one."""


@dataclass(frozen=True)
class ColumnLabels:
    """The labels of a column of a file, at the levels that its rows can have.

    Parameters
    ----------
    words
        For each level but `*`, the finest first.
    entries
        What was said to occur in the column, as far as the note lists it.
    spelt
        Whether labels are words of the column.
    listed
        Labels that can occur, one at each of the levels; None where there is no list, or it is too long.
    grid, mask
        Where intervals begin and are cut; how long codes are and by which sign hidden; None where they are not.
    levels
        The numbers of the levels.
    """

    words: tuple[str, ...]
    entries: tuple[str, ...] = ()
    spelt: bool = False
    listed: tuple[tuple[str, ...], ...] | None = None
    grid: Facts | None = None
    mask: Facts | None = None
    levels: tuple[int, ...] = ()

    def at_coarsest(self, labels: Collection[str]) -> dict[str, str]:
        """Labels of the file, each with that of the coarsest level that rows have; nothing if that cannot be seen."""
        some = {as_compared(label) for label in labels} - {ANY, ""}
        if len(self.words) == 1 or not some:
            return {label: label for label in some}
        if self.listed is not None:
            return self._by_list(some)
        if self.grid is not None:
            return self._by_intervals(some)
        return self._by_years(some) if set(self.words) <= set(YEARS_IN) else {}

    def in_no_row(self, labels: Collection[str], version: int = SPELT_AS_IN_FILE) -> list[str]:
        """The labels that were said or listed to occur and that no label of the file says, as notes of a version do."""
        some = {as_compared(label) for label in labels} - {ANY, ""}
        if not some:
            return []
        if self.listed is not None:
            return self._not_listed(some, version)
        if self.spelt:
            there = {as_written(label).casefold() for label in some}
            words = self._words(version)
            return [word for word in words if as_compared(as_written(word)).casefold() not in there]
        try:
            return list(self._by_rule(some, version) if self.entries else ())
        except (ArithmeticError, ValueError, WorkbenchError):  # numbers beyond all, in a note that was received
            return []

    def _words(self, version: int) -> Entries:
        """The words, or codes, that the entries are, as notes of a version take them."""
        return parted(self.entries) if version >= SPELT_AS_IN_FILE else parted_once(self.entries)

    def _by_rule(self, labels: set[str], version: int) -> Sequence[str]:
        if self.mask is not None:
            return self._beginnings(labels, version)
        coarse = set(self.at_coarsest(labels).values())
        if coarse and set(self.words) <= set(YEARS_IN):
            unit = next((unit for unit in self.words if all(_is_of(label, unit) for label in coarse)), "")
            return within_years(unit, coarse, self.entries) if unit else ()
        width = self._widest(labels) if coarse and self.grid is not None else 0.0
        if not width or self.grid is None:
            return ()
        absent = within_grid(float(self.grid["from"]), width, coarse, self.entries, grid_closed_at(self.grid))
        like = next((label for label in sorted(coarse) if interval_ends(label) is not None), "")
        return absent_cells(absent, like, width, self.grid) if like and version >= SPELT_AS_IN_FILE else absent

    def is_list_of(self, hierarchy: Hierarchy) -> bool:
        """Whether what is stated of labels is so of this hierarchy; so where nothing is, or it has other levels.

        Intervals and codes are held against its rule, or where it has none, as in a file, against its labels.
        """
        if any(level > hierarchy.height for level in self.levels):
            return True
        public = replace(hierarchy, provenance=Provenance.PUBLIC)
        if self.grid is not None or self.mask is not None:
            if hierarchy.specification is None:
                named = zip(self.levels, self.words, strict=True)
                return all(self._may_be_at(set(hierarchy.labels[level]) - {ANY, ""}, words) for level, words in named)
            stated = {GRID: self.grid} if self.grid is not None else {MASK: self.mask}
            words = tuple(stated_words(hierarchy, level) for level in self.levels)
            return words == self.words and stated_labels(public, self.levels, self.entries) == stated
        if self.listed is None:
            return True
        if hierarchy.specification is None and self.widens:
            # A list of values has the intervals that these are in, and not all that a rule makes.
            some = [set(hierarchy.labels[level]) - {ANY, ""} for level in self.levels]
            return all(labels <= {path[place] for path in self.listed} for place, labels in enumerate(some))
        places = occurring_places(public, self.entries)
        if places is None:
            found = stated_labels(public, self.levels, self.entries).get(LISTED)
            # Lists were made that lacked the interval within which a range begins.
            lists = [] if found is None else [found, found[:1] + found[2:]]
            return found is None or any(set(map(tuple, one)) == set(self.listed) for one in lists)
        return set(listed_paths(hierarchy, self.levels, places)) == set(self.listed)

    def _may_be_at(self, labels: set[str], words: str) -> bool:
        """Whether a level of a list can be one of the intervals or codes that are stated; so if it has none of them."""
        width = width_of(words)
        if self.mask is not None:
            length, kept = self.mask["length"], _kept(words)
            hidden = self.mask["sign"] * (length - kept)
            return not labels or not kept or any(len(one) == length and one.endswith(hidden) for one in labels)
        return (
            self.grid is None
            or not width
            or all(
                any(is_near_cell(self.grid, one, width) for one in readings)
                if (readings := interval_readings(label))
                else is_beyond(self.grid, label)
                for label in labels
            )
        )

    def can_be_at(self, label: str, words: str) -> bool:
        """Whether a label of the file, as it is compared, may stand at the level of these words; so if not seen."""
        if words == ANY or label in (ANY, ""):
            return label in (ANY, "")
        place = self.words.index(words) if words in self.words else -1
        if self.listed is not None and place >= 0:
            return not any(label in map(as_compared, path) for path in self.listed) or any(
                as_compared(path[place]) == label for path in self.listed
            )
        if self.grid is None or place < 0 or not (readings := interval_readings(label)):
            return True
        # As its ends can be read in two ways, and are rounded: what would be at no level at all is not seen to be.
        at = [
            word
            for word in self.words
            if word != AS_IT_IS
            and (not (width := width_of(word)) or any(is_near_cell(self.grid, one, width) for one in readings))
        ]
        return not at or words in at

    def is_interval(self, label: str) -> bool:
        """Whether the program writes a whole interval so, of a width that the column has or as the ends leave it."""
        ends = interval_ends(label)
        closed = None if self.grid is None else grid_closed_at(self.grid)
        written = ends is not None and label in {
            interval_cell(ends[0], closed if ends[1] - (like == _WHOLE_LIKE) == closed else ends[1], like, closed)
            for like in _LIKE
        }
        return written and any(self._is_cell(label, width) for word in self.words if (width := width_of(word)))

    def at_several(self) -> list[str]:
        """Listed labels of the finest level that some coarser level of the column has, too."""
        coarser = {as_compared(label) for path in self.listed or () for label in path[1:]}
        return list(dict.fromkeys(path[0] for path in self.listed or () if as_compared(path[0]) in coarser))

    def holds_no_other(self, label: str) -> bool:
        """Whether a label of the finest level is at no coarser one that of other labels, too; not so if not seen."""
        if label == ANY or (self.listed is None and self.grid is None and self.mask is None):
            return False
        paths = [[as_compared(one) for one in path] for path in self.listed or ()]
        return all(path[0] == label for path in paths if label in path)

    def cut(self) -> tuple[float | None, float | None]:
        """At which numbers the first and the last interval are cut at some level; None of an end that cuts none."""
        if self.grid is None:
            return None, None
        begin, widths = float(self.grid["from"]), [width for word in self.words if (width := width_of(word))]
        ends = (self.grid["lowest"], self.grid["highest"])
        low, high = (
            end if end is not None and any(math.fmod(end - begin, width) for width in widths) else None for end in ends
        )
        return low, high

    # Lists

    def _by_list(self, labels: set[str]) -> dict[str, str]:
        assert self.listed is not None
        at = self._coarsest_listed(labels)
        found: dict[str, str] = {}
        for path in self.listed:
            for label in map(as_compared, path[: at + 1]):
                if label in labels:
                    found.setdefault(label, as_compared(path[at]))
        return found

    def _coarsest_listed(self, labels: set[str]) -> int:
        """The place of the coarsest level that rows have: that of the label whose finest level is coarsest."""
        finest: dict[str, int] = {}
        for path in self.listed or ():
            for place, label in enumerate(map(as_compared, path)):
                finest[label] = min(place, finest.get(label, place))
        return max((finest[label] for label in labels if label in finest), default=len(self.words) - 1)

    def _not_listed(self, labels: set[str], version: int) -> list[str]:
        at = self._coarsest_listed(labels)
        told: dict[str, bool] = {}
        for path in self.listed or ():
            here = any(as_compared(label) in labels for label in path[: at + 1])
            told[path[at]] = told.get(path[at], False) or here
        # Nobody said that numbers lie below or beyond all intervals that widen, where hardly any do.
        beyond = {label for label in told if self.widens and BEYOND.fullmatch(label)}
        beyond = beyond if version < SPELT_AS_IN_FILE else beyond.intersection(self.beyond_all)
        return [label for label, here in told.items() if not here and label not in {ANY, "", *beyond}]

    @property
    def widens(self) -> bool:
        """Whether its labels are of intervals that widen."""
        return any(WIDENING_TO in one for one in self.words)

    @property
    def beyond_all(self) -> dict[str, float | None]:
        """Listed labels below or beyond all intervals that widen, unless more of them than an end is said to occur.

        With the one number of them that is said to occur, which few have; None where there is none.
        """
        if self.listed is None or not self.widens:
            return {}
        lows, highs = ranges_in(self.entries)
        low, high = min(lows, default=math.inf), max(highs, default=-math.inf)
        found: dict[str, float | None] = {}
        for label in dict.fromkeys(label for path in self.listed for label in path):
            if (named := BEYOND.fullmatch(label)) is not None:
                end = float(named[2])
                if not (low < end if named[1] == "<" else high > end):
                    found[label] = end if named[1] == "≥" and high == end else None
        return found

    # Intervals

    def _by_intervals(self, labels: set[str]) -> dict[str, str]:
        width = self._widest(labels)
        like = next((label for label in sorted(labels) if interval_ends(label) is not None), None)
        if not width or like is None:
            return {}
        assert self.grid is not None
        return {label: label_within(self.grid, label, width, like) for label in labels}

    def _widest(self, labels: set[str]) -> float:
        """The width of the widest intervals that rows have; 0 where that cannot be seen."""
        widths = [width_of(word) for word in self.words]
        if len(widths) == 1:
            return widths[0]
        finest = [next((width for width in widths if self._is_cell(label, width)), None) for label in labels]
        return 0.0 if None in finest else max(width for width in finest if width is not None)

    def _is_cell(self, label: str, width: float) -> bool:
        """Whether a label is that of a whole interval of a width, or of what the ends leave of it; of 0 a number."""
        if not width:
            return _NUMBER.fullmatch(label) is not None
        return self.grid is not None and is_cell(self.grid, label, width)

    # Years and beginnings

    def _by_years(self, labels: set[str]) -> dict[str, str]:
        units = sorted(self.words, key=YEARS_IN.__getitem__)
        seen = [next((unit for unit in units if _is_of(label, unit)), "") for label in labels]
        if not all(seen):
            return {}
        coarsest = max(seen, key=YEARS_IN.__getitem__)
        return {label: unit_label(_year(label) // YEARS_IN[coarsest], coarsest) for label in labels}

    def _beginnings(self, labels: set[str], version: int) -> tuple[str, ...]:
        assert self.mask is not None
        length, sign = self.mask["length"], self.mask["sign"]
        # The more is kept, the less is hidden; a level that keeps all is the column as it is.
        kept = [length if word == AS_IT_IS else _kept(word) for word in self.words]
        seen = [min((n for n in kept if label[n:] == sign * (length - n)), default=0) for label in labels]
        if not all(kept) or not all(seen) or any(len(label) != length for label in labels):
            return ()
        least = min(seen)
        return no_beginning(least, sign * (length - least), labels, self._words(version)) or ()


def _kept(words: str) -> int:
    """How many letters of a code are kept at a level, by the words for it; 0 where these say none."""
    found = _KEPT.fullmatch(words)
    return 0 if found is None else 1 if found[2] is None else int(found[2].replace(",", ""))


def _year(label: str) -> int:
    found = _NUMBER.match(label)
    return int(float(found[0])) if found else 0


def _is_of(label: str, unit: str) -> bool:
    """Whether a label is that of a year, or of so many, as the program writes it."""
    return label == unit_label(_year(label) // YEARS_IN[unit], unit)


def column_labels(release: Facts) -> dict[str, ColumnLabels]:
    """The columns of a file with a hierarchy, as far as their labels say more than `*`."""
    at = release["after"]["one_level"]
    every = [step["levels"] for step in release["steps"]]
    steps, found = every[at - 1 : at] if at else every, {}
    for column in release["columns"]:
        if "hierarchy" in column:
            named, levels = column["hierarchy"].get("levels", ()), [step.get(column["name"]) for step in steps]
            words = {
                level: str(named[level]) for level in levels if isinstance(level, int) and level in range(len(named))
            }
            told = {level: word for level, word in words.items() if word != ANY}
            if told:
                found[column["name"]] = _labels_of(column, told, named)
    return found


def _labels_of(column: Facts, words: Mapping[int, str], named: Sequence[str]) -> ColumnLabels:
    """Of what is not stated as this program does, nothing is taken; `label_faults` says so."""
    hierarchy, told = column["hierarchy"], tuple(words.values())
    listed, grid, mask = (hierarchy.get(name) for name in (LISTED, GRID, MASK))
    spelt = len(named) > 1 and named[1] in SPELLINGS
    return ColumnLabels(
        told,
        entries_in(column.get(KEY)),
        spelt,
        tuple(map(tuple, listed)) if _is_listed(listed, len(told)) else None,
        grid if _is_grid(grid, told) else None,
        mask if _is_mask(mask) else None,
        tuple(words),
    )


def _is_listed(listed: object, levels: int) -> TypeGuard[list[list[str]]]:
    """Whether these are labels that can occur, one at each level, each path once and none too long for a note."""
    if not isinstance(listed, list) or not listed or not all(isinstance(path, list) for path in listed):
        return False
    texts = [label for path in listed for label in path]
    return (
        all(isinstance(label, str) for label in texts)
        and sum(map(len, texts)) <= MOST_LISTED
        and all(len(path) == levels and path[-1] not in ("", ANY) for path in listed)
        and len(set(map(tuple, listed))) == len(listed)
    )


def _is_grid(grid: object, words: Sequence[str]) -> TypeGuard[Facts]:
    """Whether these are the ends of intervals, of which all levels of the column are but for its values.

    A level of intervals no wider than 1 has a number alone for its words: of those nothing is seen.
    """
    return is_grid(grid) and all(width_of(word) or word == AS_IT_IS or _NUMBERED.fullmatch(word) for word in words)


def _is_mask(mask: object) -> TypeGuard[Facts]:
    if not isinstance(mask, Mapping) or set(mask) != {"length", "sign"}:
        return False
    length, sign = mask["length"], mask["sign"]
    whole = isinstance(length, int) and not isinstance(length, bool)
    return whole and 0 < length <= _LONGEST_CODE and isinstance(sign, str) and len(sign) == 1


def ranges_in(entries: Entries) -> tuple[set[float], set[float]]:
    """Where the ranges of numbers that entries name begin and end; nothing where they are none."""
    try:
        ranges = ranges_of(entries)
    except WorkbenchError:
        return set(), set()
    lows, highs = {low for low, _ in ranges}, {high for _, high in ranges}
    return {min(lows)} if lows else set(), {max(highs)} if highs else set()


def label_faults(release: Facts) -> Iterator[str]:
    """What is stated of labels and cannot be: lists of other levels than a column has, more than one way to tell."""
    known = column_labels(release)
    for column in release["columns"]:
        ways = [way for way in (LISTED, GRID, MASK) if way in column.get("hierarchy", {})]
        if not ways:
            continue
        read, number = known.get(column["name"]), column["hierarchy"].get(LISTED)
        found = read is not None and (read.listed, read.grid, read.mask).count(None) == 2
        if len(ways) > 1 or not (found or (read is not None and type(number) is int and number > 0)):
            yield f"Which labels can occur in “{column['name']}” is not stated as this program states it."


def not_listed(release: Facts) -> dict[str, int]:
    """The columns whose lists are too long for a note, with the number of their labels."""
    hierarchies = {one["name"]: one["hierarchy"] for one in release["columns"] if "hierarchy" in one}
    return {name: one[LISTED] for name, one in hierarchies.items() if isinstance(one.get(LISTED), int)}
