"""A released file as counts: its classes, and the sensitive values in each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, ClassVar, TypeAlias

from workbench.core.canonical import natural_key
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY
from workbench.core.progress import Progress
from workbench.io.row_blocks import blocks_of
from workbench.report.recheck_models import Labels

_MARKED = re.compile(r"'(?=[=+\-@\t\r\n＝＋－＠])")
_NUMBER = re.compile(r"[+-]?[0-9]*[.,]?[0-9]+(?:[eE][+-]?[0-9]+)?")
WITH_COMMA = re.compile(r"[+-]?[0-9]*,?[0-9]+(?:[eE][+-]?[0-9]+)?")
"""Numbers as they stand in a file whose decimal mark is a comma."""


@dataclass(frozen=True)
class Counted:
    """The file as counts.

    Parameters
    ----------
    rows, grouped
        Its rows, and the columns whose values make rows alike.
    sizes
        Rows of each class, by its labels.
    values
        For each sensitive column, the rows of each class with each of its values.
    in_order
        Gives the labels row by row; None for a file that is too long for that.
    as_written
        The same as they stand in the file.
    """

    rows: int
    grouped: tuple[str, ...]
    sizes: Mapping[Labels, int]
    values: Mapping[str, Mapping[Labels, Counter[str]]]
    in_order: Callable[[], Iterator[Labels]] | None = None
    as_written: Callable[[], Iterator[Labels]] | None = None

    MOST_IN_ORDER: ClassVar[int] = 200_000

    @classmethod
    def of(
        cls,
        lines: Iterator[Sequence[str]],
        names: tuple[str, ...],
        grouped: tuple[str, ...],
        sensitive: tuple[str, ...],
        decimal: str,
        progress: Progress,
    ) -> Counted:
        """Count rows of cells, each as wide as there are names."""
        pick = picker([names.index(name) for name in wanted_columns(grouped, sensitive)])
        raw: Counter[Labels] = Counter()
        order: list[Labels] = []
        rows, width = 0, {len(names)}
        for block in blocks_of(lines):
            progress(0.5, f"{rows:,} rows read back")
            if set(map(len, block.rows.values())) - width:
                here = map(block.rows.__getitem__, block.marks)
                number, cells = next((n, row) for n, row in enumerate(here, rows + 1) if len(row) != len(names))
                raise WorkbenchError(
                    f"Row {number:,} of the file has {len(cells)} cells, and there are {len(names)} columns.",
                    hint="Check the delimiter.",
                    field="path",
                )
            picked = {mark: pick(row) for mark, row in block.rows.items()}
            for mark, times in block.counts.items():
                raw[picked[mark]] += times
            rows += len(block.marks)
            if rows <= cls.MOST_IN_ORDER:
                order.extend(map(picked.__getitem__, block.marks))
            else:
                order.clear()
        return cls.of_counts(raw.items(), grouped, sensitive, decimal, (lambda: iter(order)) if order else None)

    @classmethod
    def of_counts(
        cls,
        counts: Iterable[tuple[Labels, int]],
        grouped: tuple[str, ...],
        sensitive: tuple[str, ...],
        decimal: str,
        again: Callable[[], Iterator[Labels]] | None,
    ) -> Counted:
        """Count rows that were counted before.

        Parameters
        ----------
        counts
            Rows as the cells of the `wanted_columns`, and how often each occurs.
        again
            Gives the same cells row by row, to be seen in order; None if it cannot.
        """
        wanted = wanted_columns(grouped, sensitive)
        raw = list(counts)
        clean = [_cleaner({row[place] for row, _ in raw}, decimal) for place in range(len(wanted))]
        place = {name: wanted.index(name) for name in wanted}
        sizes: Counter[Labels] = Counter()
        values: dict[str, dict[Labels, Counter[str]]] = {name: {} for name in sensitive}
        among = picker([place[name] for name in grouped])

        def cleaned(row: Labels) -> list[str]:
            return [known[text] for known, text in zip(clean, row, strict=True)]

        for row, count in raw:
            texts = cleaned(row)
            labels = among(texts)
            sizes[labels] += count
            for name in sensitive:
                here = values[name].get(labels)
                if here is None:
                    here = values[name][labels] = Counter()
                here[texts[place[name]]] += count
        rows = sum(count for _, count in raw)
        if again is None:
            return cls(rows, grouped, sizes, values)
        in_order, as_written = (lambda: (among(cleaned(row)) for row in again())), (lambda: map(among, again()))
        return cls(rows, grouped, sizes, values, in_order, as_written)

    @property
    def by_labels(self) -> bool:
        """Whether the rows ascend by the labels of the grouped columns; also where that is too long to be looked at.

        A text with an apostrophe before a formula may have been made safe or have had it before, and a comma may be a
        decimal mark or not: rows are in order if they are by any of what they may have been (`as_read_back`).
        """
        if self.as_written is None or self.rows > self.MOST_IN_ORDER:
            return True
        keys: list[dict[str, list[str]]] = [{} for _ in self.grouped]
        last: list[str] = [""] * len(self.grouped)
        before: Labels | None = None
        for labels in self.as_written():
            if labels == before:
                continue
            before = labels
            for known, text in zip(keys, labels, strict=True):
                if text not in known:
                    known[text] = _sorted_by(text)
            found = _least_from(last, [known[text] for known, text in zip(keys, labels, strict=True)])
            if found is None:
                return False
            last = found
        return True

    def labels(self, name: str) -> set[str]:
        """The distinct labels of a grouped column."""
        place = self.grouped.index(name)
        return {labels[place] for labels in self.sizes}


Names: TypeAlias = tuple[str, ...]
Count: TypeAlias = Callable[[Names, Names, Names, Progress], Counted]
"""Counts a file, given its names, the grouped columns and the sensitive ones."""


def wanted_columns(grouped: Iterable[str], sensitive: Iterable[str]) -> tuple[str, ...]:
    """The columns that are counted."""
    return tuple(dict.fromkeys((*grouped, *sensitive)))


def picker(places: list[int]) -> Any:
    """A function that gives the elements of a sequence at these places, as a tuple."""
    if len(places) == 1:
        only = places[0]
        return lambda row: (row[only],)
    return itemgetter(*places) if places else lambda row: ()


def _sorted_by(text: str) -> list[str]:
    """By what a label of a file may have been sorted, before it was made safe and got its decimal mark, ascending."""
    known = {text, plain(text)}
    # A decimal mark changes the place of no other number: behind a digit both stand before all that may follow.
    known |= {one.replace(",", ".") for one in known if one.startswith(",") and WITH_COMMA.fullmatch(one)}
    return sorted(map(natural_key, known))


def _least_from(last: list[str], keys: list[list[str]]) -> list[str] | None:
    """The least row that is not before the last one, with one key of each column; None if there is none.

    Whatever may follow another one may follow it.
    """
    found: list[str] | None = None
    for place, (one, some) in enumerate(zip(last, keys, strict=True)):
        if (larger := next((key for key in some if key > one), None)) is not None:
            found = [*last[:place], larger, *(rest[0] for rest in keys[place + 1 :])]
        if one not in some:
            return found
    return last


def may_be_made_safe(text: str) -> bool:
    """Whether a text would get an apostrophe in a file: a formula, and no number or hyphens alone."""
    return _MARKED.match(f"'{text}") is not None and not _NUMBER.fullmatch(text) and bool(text.strip("-"))


def plain(text: str) -> str:
    """The text without the apostrophe that keeps spreadsheets from running it."""
    return text[1:] if _MARKED.match(text) else text


def _cleaner(texts: set[str], decimal: str) -> dict[str, str]:
    """For each text of a column what it was before it was made safe and got its decimal mark."""
    known = {text: plain(text) for text in texts}
    if decimal == "," and all(WITH_COMMA.fullmatch(text) or text in ("", ANY) for text in known.values()):
        return {text: clean.replace(",", ".") for text, clean in known.items()}
    return known
