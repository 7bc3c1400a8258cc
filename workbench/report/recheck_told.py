"""The figures that a statement on a trimmed release names, counted again in its file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from workbench.anonymise.note_versions import SPELT_AS_IN_FILE
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.occurring import Entries, read_once
from workbench.report.column_labels import ColumnLabels
from workbench.report.few_rows import few_at, few_of
from workbench.report.recheck_counting import Counted
from workbench.report.recheck_original import as_compared
from workbench.report.said_to_occur import in_no_row

_OTHER_FEW = "Other labels are stated to be in too few rows to be counted than the file gives."


@dataclass(frozen=True)
class ToldOfLabels:
    """The words told of the labels of a file.

    Parameters
    ----------
    columns
        The columns whose labels are of a hierarchy.
    count
        Counts the labels of columns by the groups of a file (`label_counts`).
    counts
        How they are told to be counted.
    pair
        Finds the combinations of values that no group of a file has (`absent_combinations`); None in notes of before.
    combinations
        What is told of these.
    version
        Of the notes that tell it so.
    """

    columns: Mapping[str, ColumnLabels]
    count: Callable[[Sequence[str], Iterable[tuple[Sequence[str], int]]], Mapping[str, object]]
    counts: Mapping[str, object]
    pair: Callable[[Sequence[str], Iterable[tuple[Sequence[str], int]]], Mapping[str, object]] | None = None
    combinations: Mapping[str, object] = field(default_factory=dict)
    version: int = SPELT_AS_IN_FILE

    def faults_of_lists(self, hierarchies: Mapping[str, Hierarchy]) -> Iterator[str]:
        """Columns of which other labels are told to be possible than a hierarchy has that somebody gave."""
        for name, known in self.columns.items():
            if name in hierarchies and not known.is_list_of(hierarchies[name]):
                yield f"Other labels are stated to be possible in “{name}” than its hierarchy has."

    def faults(self, counted: Counted, told: ToldOfFile) -> Iterator[str]:
        """Which of it is not so in a file, in words that say nothing the file does not say."""
        rows = {name: _rows_of_labels(counted, name) for name in self.columns if name in counted.grouped}
        stated, is_older = dict(told.in_no_row), self.pair is None
        if self._absent(rows) != stated and not (is_older and self._absent(rows, read_once) == stated):
            yield "Other labels that can occur are stated to be in no row than the file gives."
        few = {name: few_at(found, self.columns[name].at_coarsest(found), told.least) for name, found in rows.items()}
        if {name: some for name, some in few.items() if some} != dict(told.in_few_rows):
            yield _OTHER_FEW
        if dict(self.count(counted.grouped, counted.sizes.items())) != dict(self.counts):
            yield "Other numbers of rows are stated label by label than the file has."
        if self.pair is not None and dict(self.pair(counted.grouped, counted.sizes.items())) != dict(self.combinations):
            yield "Other combinations of values are stated to be in no row than the file gives."

    def _absent(
        self, rows: Mapping[str, Mapping[str, int]], read: Callable[[Entries], Entries] = tuple
    ) -> dict[str, list[str]]:
        """By column the labels that can occur and none of these is, where there is any."""
        columns = {name: replace(one, entries=tuple(read(one.entries))) for name, one in self.columns.items()}
        absent = {name: columns[name].in_no_row(found, self.version) for name, found in rows.items()}
        return {name: some for name, some in absent.items() if some}


@dataclass(frozen=True)
class ToldOfFile:
    """The words told of a file.

    Parameters
    ----------
    stars, blank
        By column the rows with `*` and with an empty cell, where there are any.
    labels, rows
        A group by its labels and the rows that have them; none where `labels` is empty.
    examples
        By column labels that are shown of its levels.
    words, numbers, in_no_row
        By column the words that were said to occur, or levels in words and ranges of numbers or years that were said
        to occur; and which words, numbers or years are told to be in no row; none where a
        statement does not tell it.
    levels, least, in_few_rows
        By column the words for its levels (`levels_of`), the rows of which fewer are too few to be counted, and by
        column the labels that are told to be in so few, each with its rows; none where a statement does not tell it.
    of_labels
        In the place of words, numbers and levels, what a note of version 27 or later tells of labels.
    """

    stars: Mapping[str, int]
    blank: Mapping[str, int]
    labels: Mapping[str, str]
    rows: int = 0
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    numbers: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = field(default_factory=dict)
    in_no_row: Mapping[str, object] = field(default_factory=dict)
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    least: float = 0
    in_few_rows: Mapping[str, object] = field(default_factory=dict)
    of_labels: ToldOfLabels | None = None


def told_faults(counted: Counted, told: ToldOfFile, step_column: str) -> Iterator[str]:
    """Which of it is not so, in words that say nothing the file does not say."""
    names = [name for name in counted.grouped if name != step_column]
    for label, stated, words in ((ANY, told.stars, ANY), ("", told.blank, "an empty cell")):
        found = {name: _rows(counted, {name: label}) for name in names}
        if {name: rows for name, rows in found.items() if rows} != dict(stated):
            yield f"Other numbers of rows with {words} are stated than the file has."
    if told.labels:
        if set(told.labels) != set(names):
            yield "A group is stated by other columns than the file has."
        elif (rows := _rows(counted, told.labels)) != told.rows:
            yield f"The group with which counting is shown has {rows:,} rows in the file, and {told.rows:,} are stated."
    for name, labels in told.examples.items():
        if name not in names or not all(_rows(counted, {name: label}) for label in labels):
            yield f"A label is shown for a level of “{name}” that no row of the file has."
    if told.of_labels is not None:
        yield from told.of_labels.faults(counted, told)
        return
    listed = {name: some for name, some in told.words.items() if name in names}
    numbers = {name: some for name, some in told.numbers.items() if name in names}
    once = {name: (levels, read_once(entries)) for name, (levels, entries) in numbers.items()}

    def of_file(name: str) -> set[str]:
        return set(map(as_compared, counted.labels(name)))

    if all(in_no_row(listed, some, of_file) != dict(told.in_no_row) for some in (numbers, once)):
        yield "Other words that were said to occur are stated to be in no row than the file gives."

    in_few_rows = {
        name: few_of(_rows_of_labels(counted, name), words, told.least)
        for name, words in told.levels.items()
        if name in names
    }
    if {name: few for name, few in in_few_rows.items() if few} != dict(told.in_few_rows):
        yield _OTHER_FEW


def _rows_of_labels(counted: Counted, name: str) -> Counter[str]:
    place, found = counted.grouped.index(name), Counter[str]()
    for cells, rows in counted.sizes.items():
        found[cells[place]] += rows
    return found


def _rows(counted: Counted, labels: Mapping[str, str]) -> int:
    wanted = [(counted.grouped.index(name), as_compared(label)) for name, label in labels.items()]
    return sum(
        rows for cells, rows in counted.sizes.items() if all(as_compared(cells[at]) == label for at, label in wanted)
    )
